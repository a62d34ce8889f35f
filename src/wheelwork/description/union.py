"""Choosing a class by its `type`, and which class stands at a path of a description."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

from wheelwork.description.base import Part
from wheelwork.description.validation_errors import TAG, Path
from wheelwork.lazy import dataclass, registry

# Stands for a reference to a class's own schema until `schema` has gathered them all.
PART = "x-part"


@dataclass(frozen=True)
class ByType:
    """Marks a union of parts whose `type` says which one is meant: `Annotated[A | B, ByType()]`.

    default: the type meant where none is written
    family: instead of a union, the name of a family of the registry: `Annotated[Any, ByType(family="joints")]`
    """

    default: str | None = None
    family: str | None = None

    def classes(self, source: Any = None) -> list[Any]:
        """Those to choose from."""
        if self.family is None:
            return list(get_args(source) or (source,))
        return list(registry.family(self.family).values())

    def chosen(self, kind: Any, source: Any) -> Any:
        """The class of a type, or None; of a family no other file is read for it."""
        if self.family is not None:
            return registry.find(self.family, kind) if isinstance(kind, str) else None
        return next((cls for cls in self.classes(source) if type_of(cls) == kind), None)

    def tag(self, given: Any) -> str | None:
        kind = self.type_in(given)
        return None if kind is None else f"{TAG}{kind}"

    def type_in(self, given: Any) -> Any:
        if isinstance(given, dict):
            return given.get("type", self.default)
        return getattr(given, "type", None)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A class is built when it is first chosen: a mechanism needs few of them."""

        def validated(given: Any) -> Any:
            cls = self.chosen(self.type_in(given), source)
            if cls is not None:
                try:
                    return cls.__pydantic_validator__.validate_python(given)
                except ValidationError:  # said below, with the type in the path
                    pass
            return _union(self, tuple(self.classes(source))).validate_python(given)

        def names() -> dict[str, str]:
            return {type_of(cls): cls.__name__ for cls in self.classes(source)}

        return core_schema.no_info_plain_validator_function(validated, metadata={PART: names})

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        # In the classes `type` has a default; in a file it tells them apart, so it is required but for the default one.
        forms = []
        for kind, name in schema["metadata"][PART]().items():  # type: ignore[typeddict-item]
            form: dict[str, Any] = {PART: name}
            forms.append(form if kind == self.default else {"allOf": [form], "required": ["type"]})
        return {"oneOf": forms}


@cache
def _union(by: ByType, classes: tuple[Any, ...]) -> TypeAdapter[Any]:
    """All of them at once: it says what is wrong with something that none of them is."""
    return TypeAdapter(Annotated[Any, _FamilyUnion(by, classes)])


@dataclass(frozen=True)
class _FamilyUnion:
    by: ByType
    classes: tuple[Any, ...]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {f"{TAG}{type_of(cls)}": handler.generate_schema(cls) for cls in self.classes}
        return core_schema.tagged_union_schema(choices, discriminator=self.by.tag)


def type_of(cls: Any) -> str:
    """The `type` a class has in YAML."""
    return cls.model_fields["type"].default


def parts_in(held: Any) -> Iterator[Any]:
    """Classes of parts in the annotation of a field, or in the field itself, those of families too."""
    for mark in (*getattr(held, "metadata", ()), *getattr(held, "__metadata__", ())):
        if isinstance(mark, ByType) and mark.family is not None:
            yield from mark.classes()
    if hasattr(held, "annotation"):
        yield from parts_in(held.annotation)
    elif isinstance(held, type) and hasattr(held, "model_fields"):
        yield held
    for argument in get_args(held):
        yield from parts_in(argument)


def keys_at(root: Any, path: Path) -> list[str]:
    """The keys that may stand in the mapping at `path`, where pydantic's path names the chosen `type`s."""
    return list(dict.fromkeys(name for cls in classes_at(root, path) for name in cls.model_fields))


def classes_at(root: Any, path: Path) -> list[type[Any]]:
    """The classes that `path` may lead to."""
    found = list(parts_in(root))
    for step in path:
        if isinstance(step, str) and step.startswith(TAG):
            chosen = [
                cls for cls in found if "type" in cls.model_fields and type_of(cls) == step.removeprefix(TAG)
            ]
            found = chosen or found
        elif isinstance(step, str) and any(step in cls.model_fields for cls in found):
            fields = [cls.model_fields[step] for cls in found if step in cls.model_fields]
            found = [cls for field in fields for cls in parts_in(field)]
    return found


@dataclass(frozen=True)
class ByNameOrType(ByType):
    """Like `ByType`; a part whose settings all have defaults may be given by its name alone.

    bare: type meant by a number, a quantity or a formula, which is its field `value`
    """

    bare: str | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        union = super().__get_pydantic_core_schema__(source, handler)

        def spelled_out(given: Any) -> Any:
            """`rigid` is short for `{type: rigid}`, and `1e8 N/m` for `{type: constant, value: 1e8 N/m}`."""
            if isinstance(given, dict | Part) or given is None:
                return given
            if self.bare is None or self.chosen(given, source) is not None:
                return {"type": given} if isinstance(given, str) else given
            return {"type": self.bare, "value": given}

        return core_schema.no_info_before_validator_function(
            spelled_out, union, metadata=union.get("metadata")
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        forms: list[dict[str, Any]] = [{"enum": list(schema["metadata"][PART]())}]  # type: ignore[typeddict-item]
        if self.bare is not None:
            forms += [{"type": "number"}, {"type": "string", "minLength": 1}]
        return {"anyOf": [*forms, super().__get_pydantic_json_schema__(schema, handler)]}


# -- choosing between a number, a list and a part by the shape of what is written


class ByShape:
    """Marks a union of a number or text, a list, and a part without `type`, of which what is written shows which one is
    meant: `Annotated[Number | Curve, ByShape()]`. What is wrong is then said of that one alone.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {f"{TAG}{_shape(arm)}": handler.generate_schema(arm) for arm in get_args(source)}

        def tag(given: Any) -> str:
            shape = f"{TAG}{_shape(type(given))}"
            return shape if shape in choices else f"{TAG}plain"

        return core_schema.tagged_union_schema(choices, discriminator=tag)


def _shape(arm: Any) -> str:
    """Of a type in an annotation, or of what is given."""
    own = get_origin(arm) or arm
    if own in (tuple, list):
        return "list"
    if own in (int, type(None)):
        return own.__name__
    return "mapping" if own is dict or hasattr(own, "model_fields") else "plain"
