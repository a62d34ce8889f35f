"""Joint coordinates: does the joint have the one that is named, and does the value fit it?"""

from __future__ import annotations

from typing import Any

from wheelwork.description.description import Description, ProblemList
from wheelwork.description.references import Index
from wheelwork.description.units import Quantity
from wheelwork.description.values import dimension_fault
from wheelwork.description.walk import givens
from wheelwork.problems import listed

# Which of the two dimensions of a field such as `Effort` belongs to which coordinate.
_ORDER = {"angle": 0, "displacement": 1}


def coordinate_problems(description: Description, index: Index, report: ProblemList) -> None:
    """Problems of the elements that act along a joint coordinate."""
    for collection in ("forces", "drivers"):
        for name, element in getattr(description, collection).items():
            joint = index.joints.get(getattr(element, "joint", None) or "")
            if joint is not None:
                _check(element, joint, (collection, name), report)
            if collection == "forces" and element.takes_axis_of_rotors(description.kind):
                others = [b for b in element.bodies if b in index.bodies and b not in index.rotors]
                if others:
                    text = f"`axis` is missing: `{others[0]}` is not a rotor, which would have an axis of its own"
                    report.add((collection, name, "axis"), text, at_key=True)


def _check(element: Any, joint: Any, path: tuple[str, str], report: ProblemList) -> None:
    type_name = joint.model_fields["type"].default
    if not hasattr(element, "coordinate"):  # a motor or a torsional spring turns
        if "angle" not in joint.coordinates:
            report.add(
                (*path, "joint"),
                f"needs a joint with an angle, but `{element.joint}` is {_a(type_name)} joint",
            )
        return
    if not joint.coordinates:
        text = f"`{element.joint}` is {_a(type_name)} joint, which has no coordinate to act on"
        report.add((*path, "joint"), text, "revolute, prismatic, cylindrical and screw joints have one")
        return
    if element.coordinate is not None and element.coordinate not in joint.coordinates:
        text = f"a {type_name} joint has {listed(joint.coordinates)}, but not `{element.coordinate}`"
        report.add((*path, "coordinate"), text)
        return
    if element.coordinate is None and len(joint.coordinates) > 1:
        text = f"a {type_name} joint has {listed(joint.coordinates)}; say which one with `coordinate`"
        report.add((*path, "coordinate"), text, at_key=True)
        return
    coordinate = element.coordinate or joint.coordinates[0]
    for inner, value, kind in givens(element):
        if isinstance(value, Quantity) and kind is not None and len(kind.dimensions) == 2:
            needed = kind.dimensions[_ORDER[coordinate]]
            if needed.factor(value.exponents) is None:
                report.add(
                    (*path, *inner), f"{dimension_fault((needed,), value)} (it acts on the {coordinate})"
                )
    if coordinate == "angle" and getattr(element, "radius", 0) is None and element.coefficient != 0:
        text = "friction of an angle with a `coefficient` needs the `radius` at which the reaction rubs"
        report.add((*path, "radius"), text, at_key=True)


def _a(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"
