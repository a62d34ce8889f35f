"""What a description says, as plain data to compare: parts can be changed in place, so that identity tells nothing."""

from __future__ import annotations

from typing import Any

from wheelwork.description.base import Part
from wheelwork.description.description import Component
from wheelwork.description.units import Quantity


def content_of(value: Any) -> Any:
    """Two parts (or values in them) with equal content say the same, to the spelling of quantities.

    >>> from wheelwork.description import Body
    >>> body = Body(mass="1 kg", inertia=(1, 1, 1))
    >>> before = content_of(body)
    >>> body.mass = 2.0
    >>> content_of(body) == before
    False
    """
    if isinstance(value, Part):
        inside = tuple(map(content_of, vars(value).values()))
        if isinstance(value, Component) and value._loaded is not None:
            return value.__class__, inside, content_of(value._loaded)
        return value.__class__, inside
    if isinstance(value, dict):
        return tuple((name, content_of(entry)) for name, entry in value.items())
    if isinstance(value, tuple | list):
        return tuple(map(content_of, value))
    return (float(value), value.text) if isinstance(value, Quantity) else value
