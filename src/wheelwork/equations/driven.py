"""Which coordinate a driver prescribes, as equations with frames: of a joint, of a body, or between two bodies.

A driver's constraint is coordinate - u(t) = 0 (:func:`~wheelwork.equations.kernels.driver_kernel`), with nu = u' and
gamma = that of the coordinate + u''.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import casadi as ca

from .joints import JOINTS, JointEquations
from .planar_joints import PLANAR_JOINTS
from .rows import offset_along

if TYPE_CHECKING:
    from wheelwork.layout.placement import Place

    from .context import Registry


@dataclass(frozen=True)
class Driven:
    """A coordinate: whose equations have it, its name there, and between which frames. `turn`: -1, or its count."""

    equations: JointEquations
    coordinate: str
    bodies: list[str]
    markers: tuple[ca.SX, ca.SX]
    turn: int = -1


class _BodyCoordinate(JointEquations):
    """x, y or z of a point of b: its height over a plane of ground whose normal is that axis."""

    type = "body"

    def coordinate(self, name, a, b, counted):
        return offset_along(a, a.ez, b)


def driven(driver: Any, place: Place, registry: Registry) -> Driven:
    """The coordinate of a driver of the description."""
    if driver.type == "joint":
        joint = registry.joint(driver.joint)
        coordinate = joint.coordinate(driver.coordinate)
        turn = registry.joint_turn(driver.joint) if coordinate == "angle" else -1
        return Driven(joint.equations, coordinate, joint.bodies, joint.markers, turn)
    if driver.type == "distance":
        return Driven(JOINTS["distance"], "distance", list(driver.bodies), place.two_points(driver))
    if driver.type == "rotation" or driver.coordinate == "angle":
        bodies = list(driver.bodies) if driver.type == "rotation" else ["ground", driver.body]
        markers = (place.center_marker(bodies[0]), place.center_marker(bodies[1]))
        return Driven(PLANAR_JOINTS["relative"], "angle", bodies, markers)
    axis = [float(driver.coordinate == c) for c in "xyz"]
    origin = place.world_marker("ground", place.point((0.0, 0.0, 0.0)), place.axes_along(axis))
    point = place.body_marker(driver.body, driver.in_body(default=(0.0, 0.0, 0.0)))
    return Driven(_BodyCoordinate(), "displacement", ["ground", driver.body], (origin, point))
