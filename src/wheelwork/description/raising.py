"""From the plane to space: elements of a planar mechanism as the elements of space they stand for.

Behind `flatten` everything is three-dimensional. What a planar mechanism leaves unsaid is filled in: vectors lie in
the plane z = 0, a body or frame that is turned by `angle` is turned about z, and the axis of a hinge is z.
"""

from __future__ import annotations

from typing import Any, TypeVar

from wheelwork.description.base import PLANAR, Part
from wheelwork.description.body import Body
from wheelwork.description.orientation import Orientation
from wheelwork.description.values import Z_AXIS, OutOfPlane
from wheelwork.description.walk import each_part, vectors

P = TypeVar("P", bound=Part)


def raised(part: P, kind: str) -> P:
    """The part with everything filled in that follows from the kind of mechanism it is in.

    A body keeps its `angle` beside the `orientation` made from it: an angle counts turns, an orientation does not.
    """
    return each_part(part, lambda inner: _raised(inner, kind))


def _raised(part: Part, kind: str) -> Part:
    changed = part.filled(kind)
    if kind == PLANAR:
        for name, _, value in vectors(part):
            if any(isinstance(component, OutOfPlane) for component in value):
                changed[name] = _raised_vector(part, name, value)
        angle = getattr(part, "angle", None)
        if angle is not None and "orientation" in type(part).model_fields:
            changed["orientation"] = Orientation(axis=Z_AXIS, angle=angle)
    return part.model_copy(update=changed) if changed else part


def _raised_vector(part: Part, name: str, value: tuple[Any, ...]) -> tuple[Any, ...]:
    if isinstance(part, Body) and name == "inertia":
        # Nothing turns about x and y; equal moments make a body that could exist.
        return (value[2],) * 3
    return tuple(0.0 if isinstance(component, OutOfPlane) else component for component in value)
