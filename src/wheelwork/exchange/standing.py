"""Where a robot stands whose couplings have offsets: joints that follow others are where these have them.

A coupling is solved for the joint that it names first, the one that follows; joints that follow none are at zero.
Bodies go along their trees as one rigid piece after the other (a product of exponentials: Murray, Li and Sastry 1994,
eq. 3.3), and coordinates of their joints are counted from where these are zero, by frames in both bodies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.description.names import GROUND
from wheelwork.description.orientation import Pose
from wheelwork.elements.drivers.joint import JointDriver
from wheelwork.elements.forces.coupler import Coupler
from wheelwork.mechanism import Mechanism

from .places import LinkPlace, about, along, place_fields

Moved = dict[str, LinkPlace]
"""Of each body: how it has moved, in the world, from where all joint coordinates are zero."""


def followed_coordinates(mechanism: Mechanism) -> dict[tuple[str, str], float]:
    """Coordinates, by joint and name, to which couplings and drivers hold what follows; those at zero are left out."""
    rows: list[tuple[dict[Any, Any], Any]] = [
        ({(one.joint, one.coordinate): one.factor for one in force.joints}, force.offset)
        for force in mechanism.forces.values()
        if isinstance(force, Coupler)
    ]
    rows += [
        ({(driver.joint, driver.coordinate): 1.0}, driver.value)
        for driver in mechanism.drivers.values()
        if isinstance(driver, JointDriver)
    ]
    if not rows:
        return {}
    follow = [*dict.fromkeys(next(iter(factors)) for factors, _ in rows)]
    matrix = np.array([[factors.get(key, 0.0) for key in follow] for factors, _ in rows])
    values = np.linalg.lstsq(matrix, np.array([offset for _, offset in rows]), rcond=None)[0]
    return {key: float(value) for key, value in zip(follow, values, strict=True) if abs(value) > 1e-12}


def move(mechanism: Mechanism, parents: dict[str, str], coordinates: dict[tuple[str, str], float]) -> None:
    """The bodies of a mechanism, which stands with all coordinates at zero, to where some are as given.

    parents: of each body, after its parent, the body that it hangs on by the first joint between them
    """
    moved: Moved = {GROUND: LinkPlace()}
    zero = {name: _place(body) for name, body in mechanism.bodies.items()} | {GROUND: LinkPlace()}
    for body, parent in parents.items():
        joint = next((name for name, one in mechanism.joints.items() if one.bodies == (parent, body)), "")
        own = LinkPlace()
        for (name, coordinate), value in coordinates.items():
            if name == joint:
                own = own @ _motion(mechanism.joints[name], coordinate, value)
        moved[body] = moved[parent] @ own
    for name, joint in mechanism.joints.items():
        mechanism.joints[name] = _standing(joint, moved, zero)
    for name, body in mechanism.bodies.items():
        mechanism.bodies[name] = body.model_copy(update=place_fields(moved[name] @ zero[name]))


def _place(body: Any) -> LinkPlace:
    return LinkPlace(np.array(body.position), np.array(body.orientation.matrix(float)))


def _motion(joint: Any, coordinate: str, value: float) -> LinkPlace:
    """What a joint's coordinate does to all that hangs on it, in the world."""
    if coordinate == "displacement":
        return LinkPlace(value * np.array(joint.axis) / np.linalg.norm(joint.axis))
    axes, point = about(np.array(joint.axis), value), np.array(joint.point)
    return LinkPlace(point - axes @ point, axes)


def _standing(joint: Any, moved: Moved, zero: Moved) -> Any:
    """A joint where its bodies have moved: in the world if as one piece, else by frames that meet at zero."""
    a, b = (moved[body] for body in joint.bodies)
    if np.allclose(a.position, b.position, atol=1e-12) and np.allclose(a.axes, b.axes, atol=1e-12):
        place = {
            name: np.array(getattr(joint, name)) for name in joint.world if getattr(joint, name) is not None
        }
        turned = {name: a.axes @ x + (a.position if name == "point" else 0.0) for name, x in place.items()}
        return joint.model_copy(update={name: tuple(map(float, x)) for name, x in turned.items()})
    body = zero[joint.bodies[1]]
    point = body.position if getattr(joint, "point", None) is None else np.array(joint.point)
    axes = along(np.array(joint.axis)) if getattr(joint, "axis", None) is not None else np.eye(3)
    frames = {}
    for side, name in zip("ab", joint.bodies, strict=True):
        own = zero[name]
        frame = LinkPlace(own.axes.T @ (point - own.position), own.axes.T @ axes)
        frames[f"frame_{side}"] = Pose(**place_fields(frame))
    return type(joint)(bodies=joint.bodies, **frames)
