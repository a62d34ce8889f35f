"""Spatial and planar mechanisms: what may stand in which."""

from __future__ import annotations

from typing import Any

from wheelwork.description.base import PLANAR, Element, Part
from wheelwork.description.description import COLLECTIONS, Description, ProblemList
from wheelwork.description.formula import Formula
from wheelwork.description.orientation import Orientation
from wheelwork.description.units import Quantity
from wheelwork.description.validation_errors import Path
from wheelwork.description.values import OutOfPlane, Vector
from wheelwork.description.walk import parts, vectors


def kind_problems(description: Description, report: ProblemList) -> None:
    """Elements that the kind of mechanism has no use for, and vectors that lie outside it."""
    kind = description.kind
    _check_vectors(description, (), kind, report)
    for collection in COLLECTIONS:
        for name, element in getattr(description, collection).items():
            path = (collection, name)
            if kind not in element.kinds:
                _out_of_place(element, path, kind, report)
                continue
            for issue in element.kind_issues(kind):
                report.add((*path, *issue.path), issue.message, issue.hint)
            for inner, part in parts(element):
                _check_vectors(part, (*path, *inner), kind, report)
                _check_turn(part, (*path, *inner), kind, report)


def component_kind_problem(
    description: Description, name: str, inner: Description, report: ProblemList
) -> None:
    """A component must be of the mechanism's kind."""
    if inner.kind != description.kind:
        text = f"is a {inner.kind} mechanism, but stands in a {description.kind} one"
        report.add(
            ("components", name), text, f"a component needs `kind: {description.kind}` too", at_key=True
        )


def _out_of_place(element: Element, path: Path, kind: str, report: ProblemList) -> None:
    own = next(iter(element.kinds))
    type_name = getattr(element, "type", element.noun)
    article = "an" if type_name[0] in "aeiou" else "a"
    text = f"{article} `{type_name}` {element.noun} is for {own} mechanisms, but this one is {kind}"
    report.add((*path, "type"), text, element.instead)


def _check_turn(part: Part, path: Path, kind: str, report: ProblemList) -> None:
    """How a body or a frame is turned: by an angle in the plane, by an orientation in space."""
    if "orientation" not in type(part).model_fields:
        return
    angle, orientation = getattr(part, "angle", None), getattr(part, "orientation", Orientation())
    if kind == PLANAR and orientation.spelling is not None:
        text = "in a planar mechanism everything turns about z"
        report.add((*path, "orientation"), text, "give `angle` instead", at_key=True)
    elif kind != PLANAR and angle is not None:
        text = "is for planar mechanisms, but this one is spatial"
        report.add((*path, "angle"), text, "give `orientation`, or say `kind: planar`", at_key=True)


def _check_vectors(part: Part, path: Path, kind: str, report: ProblemList) -> None:
    for name, mark, value in vectors(part):
        wrong = _plane_fault(mark, value) if kind == PLANAR else _space_fault(mark, value)
        if wrong:
            report.add((*path, name), *wrong)


def _space_fault(mark: Vector, value: tuple[Any, ...]) -> tuple[str, str] | None:
    """A vector written short has no place in space."""
    if not any(isinstance(component, OutOfPlane) for component in value):
        return None
    given = "one number" if mark.in_plane == "about" else "two numbers"
    return (
        f"needs three entries, but has {given}",
        "fewer are enough only in a planar mechanism (`kind: planar`)",
    )


def _plane_fault(mark: Vector, value: tuple[Any, ...]) -> tuple[str, str] | None:
    """A vector that leaves the plane, or a turn that is not about z."""
    if isinstance(value[0], tuple):
        return "in a planar mechanism needs one moment of inertia, about z, but is a matrix", ""
    x, y, z = value
    if mark.in_plane == "in":
        if not _is_zero(z):
            return f"lies outside the x-y plane: its third entry is {_text(z)}", "give two numbers"
        return None
    if _is_zero(x) and _is_zero(y):
        if mark.in_plane == "about" or (not isinstance(z, Formula) and z > 0):
            return None
        return "in a planar mechanism this axis is z, [0, 0, 1]", "leave it out"
    if mark.in_plane == "about":
        return "in a planar mechanism needs one number, about z", f"such as {_text(z)}"
    return "in a planar mechanism this axis is z, [0, 0, 1]", "leave it out"


def _is_zero(component: Any) -> bool:
    return isinstance(component, float) and component == 0.0


def _text(component: Any) -> str:
    if isinstance(component, Formula | Quantity):
        return f"`{component.text}`"
    return f"{component:g}" if isinstance(component, float) else "a table"
