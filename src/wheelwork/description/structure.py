"""The structure of a description: all of it but the numbers of its parameters.

Two descriptions with the same structure have the same equations, up to what deriving reads of the parameters' numbers
(:mod:`wheelwork.analyses.prepare`). What is not about equations (its name, comments of its own, `analysis`, `outputs`)
is left out as well.
"""

from __future__ import annotations

import itertools
import marshal
from collections.abc import Iterable
from math import copysign
from typing import Any, TypeVar

from wheelwork.description.base import Part, Value
from wheelwork.description.description import ELEMENTS, Component, Description, DescriptionCache
from wheelwork.description.files import description_of
from wheelwork.description.formula import Formula
from wheelwork.description.units import Quantity

P = TypeVar("P", bound=Part)

_DERIVED_FROM = ("kind", "gravity", *ELEMENTS, "frames")
_PLAIN = frozenset({float, int, bool, str, bytes, type(None)})
_UNCHANGING = _PLAIN | {Formula, Quantity}
_count = itertools.count()


def structure(description: Description, parameters: dict[str, Value]) -> bytes:
    """The structure, as bytes to compare; `parameters` are those of the flat mechanism.

    A number for a parameter counts as a number, whatever its value (but -0.0); a formula counts by its text.
    """
    kinds = [(name, _kind(value)) for name, value in parameters.items()]
    known = description._kept.structure if description._kept.frozen else None
    if known is None:
        # version 2: the same content makes the same bytes, whatever else refers to it; -0.0 and 0.0, 1 and 1.0 differ
        known = description._kept.structure = marshal.dumps(_of_description(description), 2)
    return known + marshal.dumps(kinds, 2)


def _kind(value: Value) -> Any:
    if isinstance(value, Formula):
        return value.text
    return value == 0.0 and copysign(1.0, value) < 0


def _of_description(description: Description) -> tuple[Any, ...]:
    own = vars(description)
    source = description._source
    return (
        *(_plain(own[name]) for name in _DERIVED_FROM),
        [(name, _of_component(component, description)) for name, component in description.components.items()],
        # where messages say that something stands
        None if source is None else (source.file, source.prefix, len(source.text), hash(source.text)),
    )


def _of_component(component: Component, parent: Description) -> tuple[Any, ...]:
    own = {n: _plain(v) for n, v in vars(component).items() if n not in ("file", "model", "parameters")}
    return (*own.items(), sorted(component.parameters), _of_description(description_of(component, parent)))


def same_structure(description: Description, before: Description) -> bool:
    """Whether a description has the structure that it had when a snapshot was taken.

    Both share what cannot change, so that a look at each value tells; one that was given again is compared.
    """
    if description.components:  # whose files are looked at too
        return structure(description, {}) == structure(before, {})
    own, then = vars(description), vars(before)
    return all(_same(own[name], then[name]) for name in _DERIVED_FROM)


def _same(value: Any, other: Any) -> bool:
    kind = type(value)
    if value is other and (
        kind in _UNCHANGING or (kind is tuple and _UNCHANGING.issuperset(map(type, value)))
    ):
        return True
    if kind is not type(other):
        return False
    if isinstance(value, Part):
        value, other, kind = vars(value), vars(other), dict
    if kind is dict:
        return list(value) == list(other) and _all_same(value.values(), other.values())
    if kind is tuple:
        return len(value) == len(other) and _all_same(value, other)
    return marshal.dumps(_plain(value), 2) == marshal.dumps(_plain(other), 2)


def _all_same(values: Iterable[Any], others: Iterable[Any]) -> bool:
    for value, other in zip(values, others, strict=True):
        if (value is not other or type(value) not in _UNCHANGING) and not _same(value, other):
            return False
    return True


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [_plain(entry) for entry in value]
    if isinstance(value, Part):
        return (
            kind.__name__,
            [entry if type(entry) in _PLAIN else _plain(entry) for entry in vars(value).values()],
        )
    if kind is dict:
        return [(key, _plain(entry)) for key, entry in value.items()]
    if kind is Formula:
        return ("formula", value.text)
    if kind is Quantity:
        return float(value)
    if isinstance(value, float):
        return (kind.__name__, float(value))
    return ("unknown", next(_count))  # never the same as anything else: derived again each time


def snapshot(part: P) -> P:
    """A copy that later changes of the original leave alone, for somebody who will not change it either. Values that
    cannot change are shared."""
    if isinstance(part, Description) and part._kept.frozen:
        return part
    copy = part.model_copy()
    own = vars(copy)
    for name, value in own.items():
        if isinstance(value, Part):
            own[name] = snapshot(value)
        elif type(value) is dict:
            own[name] = {k: snapshot(v) if isinstance(v, Part) else v for k, v in value.items()}
        elif type(value) is tuple and any(isinstance(entry, Part) for entry in value):
            own[name] = tuple(snapshot(v) if isinstance(v, Part) else v for v in value)
    if isinstance(copy, Description):
        # what was made of it holds for as long as the copy says the same, which is compared
        kept, copy._kept = copy._kept, DescriptionCache()
        copy._kept.content, copy._kept.flat, copy._kept.checked = kept.content, kept.flat, kept.checked
        copy._kept.frozen = True
    if isinstance(copy, Component) and copy._loaded is not None:
        copy._loaded = snapshot(copy._loaded)
    return copy
