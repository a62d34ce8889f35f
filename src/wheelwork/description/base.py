"""What all parts of a description share.

How an element is written is described in CONTRIBUTING.md: one file in :mod:`wheelwork.elements`, with one class.
Reading units and formulas, renaming inside components, saving and the JSON Schema follow from the types of its fields.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from wheelwork.description.formula import Formula
from wheelwork.description.validation_errors import problems_of
from wheelwork.lazy import dataclass
from wheelwork.problems import ModelError

# A numeric field after validation, in SI units. `Quantity` is a float.
Value = float | Formula
SPATIAL, PLANAR = "spatial", "planar"
BOTH = frozenset({SPATIAL, PLANAR})
# Gives the number a value stands for, or None where it depends on something unknown as yet.
Evaluate = Callable[[Value], float | None]


class Range(NamedTuple):
    """What the number of a field must be, in words and as a test."""

    words: str
    hold: Callable[[float], bool]


AT_LEAST_ONE = Range("be at least 1", lambda x: x >= 1)
SHARE = Range("be more than 0 and at most 1", lambda x: 0 < x <= 1)


def between(least: int, most: int) -> Range:
    """In words such as `be between 0 and 1`."""
    return Range(f"be between {least} and {most}", lambda x: least <= x <= most)


def whole(least: int, most: int) -> Range:
    return between(least, most)._replace(words=f"be a whole number from {least} to {most}")


class Issue(NamedTuple):
    """A fault inside one element: the field it is about, what is wrong, and what to do."""

    field: str
    message: str
    hint: str = ""

    @property
    def path(self) -> tuple[str | int, ...]:
        """`size.1` as a path: (`size`, 1)."""
        return tuple(int(part) if part.isdigit() else part for part in self.field.split(".") if part)


@dataclass(frozen=True)
class Ref:
    """Marks a field that names another element.

    kind: `moving body`, `body` (or ground), `place` (a body, ground or an attachment frame) or `joint`
    """

    kind: str


def numeric(value: Value) -> float | None:
    """`Evaluate` for values known without parameters."""
    return None if isinstance(value, Formula) else as_float(value)


def as_float(value: float) -> float:
    """A whole number with hundreds of digits, too."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _as_list(value: Any) -> Any:
    """Arrays of NumPy and signals of results as lists and numbers, also inside others; everything else as it is."""
    if type(value).__module__.partition(".")[0] in ("numpy", "xarray") and hasattr(value, "shape"):
        return value.__array__().tolist()
    if type(value) in (list, tuple):
        return type(value)(_as_list(one) for one in value)
    return {name: _as_list(one) for name, one in value.items()} if type(value) is dict else value


class _ShortSignature:
    """For `help`: the fields with their types as they are written in the class, not as they are taken apart."""

    def __get__(self, instance: Any, owner: type[BaseModel]) -> inspect.Signature:
        written: dict[str, str] = {}
        for cls in reversed(owner.__mro__):
            written |= {name: str(text) for name, text in inspect.get_annotations(cls).items()}
        parameters = []
        for name, field in owner.model_fields.items():
            first = name == getattr(owner, "positional", None)
            parameters.append(
                inspect.Parameter(
                    name,
                    inspect.Parameter.POSITIONAL_OR_KEYWORD if first else inspect.Parameter.KEYWORD_ONLY,
                    default=inspect.Parameter.empty
                    if field.is_required()
                    else _Written(_short(field.get_default(call_default_factory=True))),
                    annotation=_Written(_plain(written.get(name, "Any"))),
                )
            )
        parameters.sort(key=lambda one: one.kind)
        return inspect.Signature(parameters)


def _plain(annotation: str) -> str:
    """Without what `Annotated` adds for reading."""
    while (start := annotation.find("Annotated[")) >= 0:
        depth, first, end = 0, None, start + len("Annotated")
        for end in range(start + len("Annotated"), len(annotation)):
            depth += (annotation[end] == "[") - (annotation[end] == "]")
            if first is None and depth == 1 and annotation[end] == ",":
                first = end
            if depth == 0:
                break
        inner = annotation[start + len("Annotated[") : first if first is not None else end]
        annotation = annotation[:start] + inner + annotation[end + 1 :]
    return annotation


class _DataSheet:
    """The docstring of a class with what its bases say of their fields, put together when it is asked for.

    own: what stands in the class
    """

    def __init__(self, own: str | None):
        self.own = own

    def __get__(self, instance: Any, owner: type[BaseModel]) -> str | None:
        return _with_inherited_fields(owner)


def _with_inherited_fields(cls: type[BaseModel]) -> str | None:
    """The data sheet of a class with what its bases say of their fields, so that each field is described once.

    In the order of the fields, but that `bodies` comes first, and frames and the comment, which all have, come last.
    """
    before, own, after = _data_sheet(cls)
    for base in cls.__mro__[1:]:
        own |= {name: text for name, text in _data_sheet(base)[1].items() if name not in own}
    if not before or not own or "Fields: none" in before:
        return _own_text(cls)
    places = {name: place for place, name in enumerate(cls.model_fields)} | {"bodies": -1}
    places |= {name: len(places) + k for k, name in enumerate(("frame_a", "frame_b", "comment"))}
    named = sorted(own, key=lambda name: places.get(name, 0))
    return f"{before}{FIELDS}{''.join(own[name] for name in named)}{after}"


FIELDS = "\n\nFields:\n"


def _data_sheet(cls: type) -> tuple[str, dict[str, str], str]:
    """A class's docstring: what is before its `Fields:`, the lines of each field, what is after."""
    before, heading, section = inspect.cleandoc(_own_text(cls) or "").partition(FIELDS)
    if not heading:
        return before, {}, ""
    lines = section.splitlines()
    end = next((k for k, line in enumerate(lines) if not line.startswith("    ")), len(lines))
    entries: dict[str, str] = {}
    name = ""
    for line in lines[:end]:
        if line[4] != " ":
            name = line.split("[")[0].split(":")[0].strip()
        entries[name] = entries.get(name, "") + line + "\n"
    return before, entries, "\n".join(lines[end:])


def _own_text(cls: type) -> str | None:
    text = vars(cls).get("__doc__")
    return text.own if isinstance(text, _DataSheet) else text


class _Written(str):
    """A text that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _short(default: Any) -> str:
    return f"{type(default).__name__}()" if isinstance(default, BaseModel) else repr(default)


@contextmanager
def without_plugins() -> Iterator[None]:
    """While classes of ours are built, pydantic does not look for plugins among all installed packages (30 ms)."""
    loader = "pydantic.plugin._loader"
    if loader in sys.modules:
        yield
        return
    sys.modules[loader] = SimpleNamespace(get_plugins=tuple)  # type: ignore[assignment]
    try:
        yield
    finally:
        sys.modules.pop(loader, None)


class _Raising(type(BaseModel)):
    """Constructing a part in Python reports problems as `ModelError`, like reading a file does."""

    if not TYPE_CHECKING:  # type checkers shall see the fields, not this

        def __call__(cls, *args, **kwargs):
            if args:
                first = cls.positional
                if first is None or len(args) > 1 or first in kwargs:
                    raise TypeError(f"{cls.__name__} takes its fields by name: {', '.join(cls.model_fields)}")
                kwargs[first] = args[0]
            given = {name: _as_list(value) for name, value in kwargs.items()}
            try:
                return super().__call__(**given)
            except ValidationError as error:
                raise ModelError(problems_of(error, cls, given)) from None


class Part(BaseModel, metaclass=_Raising):
    """A piece of a description: typed fields, nothing else accepted, checked when made and when assigned to."""

    # Classes are built when one is first made: there are 130, and a mechanism needs 20.
    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, arbitrary_types_allowed=True, defer_build=True
    )
    # The one field that may be given without its name.
    positional: ClassVar[str | None] = None
    # Names in its formulas that have a meaning in this part alone, such as a curve's parameter.
    own_names: ClassVar[frozenset[str]] = frozenset()
    # The family of the registry that it belongs to, where it is one of several (a contact law).
    family: ClassVar[str] = ""
    # Whether names inside belong to a mechanism of its own.
    is_scope: ClassVar[bool] = False
    # Fields whose numbers must be greater than zero, and those whose must not be negative, beside those of its bases.
    positive: ClassVar[tuple[str, ...]] = ()
    not_negative: ClassVar[tuple[str, ...]] = ()
    # Fields whose numbers have other limits.
    ranges: ClassVar[dict[str, Range]] = {}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        """Faults that the field types cannot express; `value` gives the numbers that are known."""
        yield from ()

    def all_issues(self, value: Evaluate) -> Iterator[Issue]:
        """These, and numbers beyond the limits of their fields, and directions that are none."""
        yield from self.issues(value)
        yield from positive(self, value, *_limited(type(self), "positive"))
        yield from not_negative(self, value, *_limited(type(self), "not_negative"))
        for name, limits in _ranges(type(self)).items():
            yield from within(limits, self, value, name)
        for name in _directions(type(self)):
            vector = [value(x) for x in getattr(self, name) or ()]
            if vector and None not in vector and math.hypot(*vector) < 1e-12:  # type: ignore[arg-type]
                yield Issue(name, "must not be zero: it has no direction")

    def filled(self, kind: str) -> dict[str, Any]:
        """Values of fields that were left out, where they depend on the kind of mechanism."""
        return {}

    @classmethod
    def lacking(cls) -> Iterator[str]:
        """What such a class must have and this one has not, by name; `register` refuses it."""
        yield from sorted(cls.__abstractmethods__)

    @model_validator(mode="after")
    def _checked(self) -> Part:
        issues = list(self.all_issues(numeric))
        if issues:
            raise PydanticCustomError("issues", "{text}", {"text": issues[0].message, "issues": issues})
        return self

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls.__signature__ = _ShortSignature()  # type: ignore[assignment]
        cls.__doc__ = _DataSheet(cls.__doc__)  # type: ignore[assignment]
        _read_once(cls)

    @classmethod
    def model_rebuild(cls, *, _parent_namespace_depth: int = 2, **options: Any) -> bool | None:
        """As pydantic's; the short signature stays."""
        with without_plugins():
            done = super().model_rebuild(_parent_namespace_depth=_parent_namespace_depth + 1, **options)
        cls.__signature__ = _ShortSignature()  # type: ignore[assignment]
        return done

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Only what differs from the defaults."""
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if field.is_required() or value != field.get_default(call_default_factory=True):
                yield name, value

    def __str__(self) -> str:
        return repr(self)

    def __setattr__(self, name: str, value: Any) -> None:
        before = self.__dict__.get(name)
        try:
            super().__setattr__(name, _as_list(value))
        except ValidationError as error:
            # The new value must not stay behind when a check that looks at several fields refuses it.
            if name in self.__dict__:
                vars(self).update({name: before})
            raise ModelError(problems_of(error, type(self))) from None


def _read_once(cls: type[Part]) -> None:
    """For every class below it pydantic would read the texts of its class variables again, 1000 in all."""
    written = vars(cls).get("__annotations__", {})
    written |= dict.fromkeys(written.keys() & cls.__class_vars__, ClassVar)


_read_once(Part)


R = TypeVar("R")


def kept_by_class(make: Callable[..., R]) -> Callable[..., R]:
    """Made once for each class of parts."""
    return cache(make)


@kept_by_class
def _limited(cls: type[Part], limit: str) -> tuple[str, ...]:
    """Fields that a class and its bases name in a class attribute."""
    return tuple(name for base in reversed(cls.__mro__) for name in vars(base).get(limit, ()))


@kept_by_class
def _ranges(cls: type[Part]) -> dict[str, Range]:
    """Those of its bases, too."""
    return {name: limits for base in cls.__mro__ for name, limits in vars(base).get("ranges", {}).items()}


@kept_by_class
def _directions(cls: type[Part]) -> tuple[str, ...]:
    """Fields that are directions."""
    return tuple(
        name
        for name, field in cls.model_fields.items()
        if any(getattr(mark, "is_direction", False) for mark in marks(field))
    )


class Element(Part):
    """A part that has a name in a mechanism.

    Fields:
        comment: free text
    """

    comment: str = ""
    # Which mapping of the mechanism it lives in.
    collection: ClassVar[str] = ""
    # What a user calls it in a message.
    noun: ClassVar[str] = "element"
    # In which kinds of mechanism it may be used, and what to use elsewhere.
    kinds: ClassVar[frozenset[str]] = BOTH
    instead: ClassVar[str] = ""

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        """Faults of this element in a kind of mechanism that it may be used in."""
        yield from ()

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> Element | None:
        """One of its type in a kind of mechanism, between two bodies, for the tests that look at every element."""
        return None

    def stands_for(self) -> Element:
        """The element meant, where this one is but another name for it; the equations see that one alone."""
        return self


def lacking_in(cls: Any, name: str, *attributes: str) -> list[str]:
    """What a class inside an element lacks: methods that its base leaves open, and attributes."""
    absent = [*sorted(cls.__abstractmethods__), *(one for one in attributes if not hasattr(cls, one))]
    return [f"{name}.{one}" for one in absent]


def within(limits: Range, part: Part, value: Evaluate, *names: str, hint: str = "") -> Iterator[Issue]:
    """An issue for each of these fields (or entry of one) with a number beyond the limits."""
    for name in names:
        given = getattr(part, name)
        for i, entry in enumerate(given if isinstance(given, tuple) else (given,)):
            number = None if entry is None else value(entry)
            if number is not None and not limits.hold(number):
                field = f"{name}.{i}" if isinstance(given, tuple) else name
                shown = entry if isinstance(entry, int) else f"{number:g}"
                yield Issue(field, f"must {limits.words}, but is {shown}{_unit(type(part), name)}", hint)


positive = partial(within, Range("be greater than zero", lambda x: x > 0))
not_negative = partial(within, Range("not be negative", lambda x: x >= 0))


def radians_hint(given: Value) -> str:
    """What to do about an angle beyond its limits, where it was written without a unit."""
    if type(given) is float:
        return f"a bare number is in radians: for degrees write `{given:g} deg`"
    return "numbers without a unit are in radians" if isinstance(given, Formula) else ""


def without_effect(part: Part, because: str, *names: str) -> Iterator[Issue]:
    """An issue for each field that was given, though nothing reads it."""
    for name in names:
        if getattr(part, name) != type(part).model_fields[name].get_default():
            yield Issue(name, f"has no effect {because}", "leave it out")


def _unit(cls: type[Part], name: str) -> str:
    """Of a field, after a space; empty for plain numbers, and where it depends on something else."""
    kinds = [mark for mark in marks(cls.model_fields[name]) if hasattr(mark, "dimensions")]
    units = {dimension.unit for kind in kinds if not kind.any_dimension for dimension in kind.dimensions}
    return f" {units.pop().replace('*', ' ')}" if len(units) == 1 and units != {"1"} else ""


def marks(field: FieldInfo) -> Iterator[Any]:
    """What `Annotated` adds to the type of a field, and to those inside it."""
    yield from field.metadata
    yield from _marks(field.annotation)


def _marks(annotation: Any) -> Iterator[Any]:
    yield from getattr(annotation, "__metadata__", ())
    for argument in get_args(annotation):
        yield from _marks(argument)
