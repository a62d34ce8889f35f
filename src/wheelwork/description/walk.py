"""Visiting the formulas and references of any part, driven by the types of its fields.

Elements only declare their fields; renaming inside components, checking names and evaluating parameters follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeGuard, TypeVar

from wheelwork.description.base import Part, Ref, kept_by_class, marks
from wheelwork.description.formula import Formula
from wheelwork.description.table import Table
from wheelwork.description.units import Quantity
from wheelwork.description.validation_errors import Path
from wheelwork.description.values import NumberField, Vector

P = TypeVar("P", bound=Part)
_ATOMS = frozenset({float, int, bool, str, type(None)})
"""Types of most fields, in which there is nothing to visit; a quantity is of a class of its own."""


class Reference(NamedTuple):
    """A field that names another element: its path inside the element, what is wanted, and the name."""

    path: Path
    kind: str
    name: str


class GivenValue(NamedTuple):
    """A formula or a quantity in a field, with the kind of number the field takes (None for parameters)."""

    path: Path
    value: Formula | Quantity
    kind: NumberField | None


Plan = dict[str, tuple[Ref | None, NumberField | None]]


@kept_by_class
def plan(cls: type[Part]) -> Plan:
    """For each field of a class of parts, the marks on it."""
    found: Plan = {}
    for name, field in cls.model_fields.items():
        own = list(marks(field))
        ref = next((m for m in own if isinstance(m, Ref)), None)
        kind = next((m for m in own if isinstance(m, NumberField)), None)
        found[name] = (ref, kind)
    return found


@kept_by_class
def _vectors(cls: type[Part]) -> list[tuple[str, Vector]]:
    found = ((name, mark) for name, field in cls.model_fields.items() for mark in marks(field))
    return [(name, mark) for name, mark in found if isinstance(mark, Vector)]


def vectors(part: Part) -> Iterator[tuple[str, Vector, tuple[Any, ...]]]:
    """Name, mark and components of each field of a part that holds a vector."""
    for name, mark in _vectors(type(part)):
        value = getattr(part, name)
        if value is not None:
            yield name, mark, value


def references(part: Part) -> Iterator[Reference]:
    """Names of other elements in a part and in the parts it holds."""
    for path, inner in parts(part, lists=True):
        for name, (ref, _) in plan(type(inner)).items():
            value = None if ref is None else getattr(inner, name)
            if ref is None or value is None:
                continue
            if isinstance(value, tuple):
                for i, entry in enumerate(value):
                    yield Reference((*path, name, i), ref.kind, entry)
            else:
                yield Reference((*path, name), ref.kind, value)


def parts(part: Part, lists: bool = False) -> Iterator[tuple[Path, Part]]:
    """A part and the parts in it, each with its path; mechanisms inside are left out, being scopes of their own.

    lists: those in lists too (shapes of bodies, joints of a coupler)
    """
    yield (), part
    own = vars(part)
    for name in plan(type(part)):
        value = own[name]
        if type(value) in _ATOMS or (type(value) is tuple and not lists):
            continue
        held: Iterable[tuple[Any, Any]] = ((None, value),)
        if isinstance(value, dict | tuple):
            held = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in held:
            if _is_walked(entry):
                before = (name,) if key is None else (name, key)
                for path, inner in parts(entry, lists):
                    yield (*before, *path), inner


def givens(part: Part) -> Iterator[GivenValue]:
    """Formulas and quantities in a part and in the parts it holds."""
    own = vars(part)
    for name, (_, kind) in plan(type(part)).items():
        if type(own[name]) not in _ATOMS:
            yield from _givens(own[name], (name,), kind)


def _givens(value: Any, path: Path, kind: NumberField | None) -> Iterator[GivenValue]:
    if isinstance(value, Formula | Quantity):
        yield GivenValue(path, value, kind)
    elif isinstance(value, tuple):
        for i, entry in enumerate(value):
            if type(entry) not in _ATOMS:
                yield from _givens(entry, (*path, i), kind)
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _givens(entry, (*path, key), kind)
    elif isinstance(value, Table):
        for i, entry in enumerate(value.value):
            if isinstance(entry, Quantity):
                yield GivenValue((*path, "value", i), entry, kind)
    elif _is_walked(value):
        for inner in givens(value):
            yield inner._replace(path=(*path, *inner.path))


def _is_walked(value: Any) -> TypeGuard[Part]:
    # A component's own mechanism is another scope; flatten and validate go into it knowingly.
    return isinstance(value, Part) and not value.is_scope


def each_part(part: P, change: Callable[[Part], Part]) -> P:
    """A copy with every part in it, and then the part itself, replaced by what `change` makes of it."""
    changed: dict[str, Any] = {}
    own = vars(part)
    for name in plan(type(part)):
        value = own[name]
        new = each_part(value, change) if _is_walked(value) else value
        if new is not value:
            changed[name] = new
    return change(part.model_copy(update=changed) if changed else part)  # type: ignore[return-value]


def transformed(
    part: P, name_of: Callable[[str], str] | None, reference: Callable[[str, str], str] | None = None
) -> P:
    """A copy with every name in a formula and, where given, every reference `(kind, name)` replaced."""
    own = part.own_names
    if own and name_of is not None:
        outside = name_of
        name_of = lambda name: name if name in own else outside(name)  # noqa: E731
    changed: dict[str, Any] = {}
    fields = vars(part)
    for name, (ref, _) in plan(type(part)).items():
        value = fields[name]
        if ref is None:
            if type(value) in _ATOMS:
                continue
            new = _transformed(value, name_of, reference)
        elif reference is None or value is None:
            continue
        elif isinstance(value, tuple):
            new = tuple(reference(ref.kind, entry) for entry in value)
        else:
            new = reference(ref.kind, value)
        if new is not value:
            changed[name] = new
    return part.model_copy(update=changed) if changed else part


def _transformed(value: Any, name_of: Callable[[str], str] | None, reference: Any) -> Any:
    if isinstance(value, Formula):
        return value if name_of is None else value.rename(name_of)
    if isinstance(value, tuple):
        if all(type(entry) in _ATOMS for entry in value):
            return value
        new = tuple(_transformed(entry, name_of, reference) for entry in value)
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    if isinstance(value, dict):
        changed = {key: _transformed(entry, name_of, reference) for key, entry in value.items()}
        return changed if any(changed[key] is not entry for key, entry in value.items()) else value
    if isinstance(value, Table):
        return value
    return transformed(value, name_of, reference) if _is_walked(value) else value
