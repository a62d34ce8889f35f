"""Relations of joint coordinates: the rows of ratios and couplers, which touch any number of bodies.

    g = sum of c_k x_k - offset = 0        x_k: angle or displacement between two of the bodies, turns counted

Harmonics are a function of the first coordinate besides: g = ... - sum of A sin(n x_1 + phase).

With a ratio i that varies the row is one of speeds, x_1' - i x_2' = 0, which has no positions behind it (nonholonomic).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .joint_equations import Driven, JointEquations
from .piecewise import piecewise

if TYPE_CHECKING:
    import casadi as ca

    from .joint_equations import JointUse
    from .placement import Place


PARALLEL = 1e-6
"""rad: axes closer than this are parallel."""


class ShaftAngle(JointEquations):
    """The angle of a shaft against another body about an axis, without a joint."""

    type: ClassVar[str] = "shaft"
    row_names = ("angle",)
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)


@dataclass(frozen=True)
class Losses:
    """Of a ratio, as friction on its first coordinate: see `friction_of_ratio`."""

    no_load: ca.SX
    ratio: ca.SX
    driving: list[ca.SX]
    """Efficiency while a drives: one number, or torques and as many efficiencies."""
    driven: list[ca.SX]


@dataclass(frozen=True)
class RatioHarmonic:
    """A sin(n x + phase) of the first coordinate of a relation."""

    order: int
    amplitude: ca.SX
    phase: ca.SX


@dataclass(frozen=True)
class Relation:
    """What an element that is a relation gives to the program.

    factors, terms: c_k, and x_k with the frames between which it is
    varying: ratio i that varies, in place of the second factor: a formula or table of time; None: none
    followed: places of ratio and rate among elements' own states, in place of these
    """

    factors: Sequence[ca.SX]
    terms: Sequence[Driven]
    offset: ca.SX = field(default_factory=lambda: ca.SX(0))
    varying: Any = None
    followed: tuple[int, ...] = ()
    labels: Sequence[str] = ()
    """Of the efforts along the terms, as signals."""
    supported: tuple[str, ...] = ()
    """Where one body carries the reaction, names of its torque as a signal; the power lost then is one too."""
    harmonics: Sequence[RatioHarmonic] = ()
    losses: Losses | None = None

    @property
    def holonomic(self) -> bool:
        return self.varying is None and not self.followed


def over_load(torque: ca.SX, curve: Sequence[ca.SX]) -> ca.SX:
    """An efficiency: a number, or straight pieces over the torque on shaft b."""
    if len(curve) == 1:
        return curve[0]
    half = len(curve) // 2
    return piecewise(torque, ca.vertcat(*curve[:half]), ca.vertcat(*curve[half:]))[0]


def friction_of_ratio(
    torque: ca.SX, ratio: ca.SX, driving: Sequence[ca.SX], driven: Sequence[ca.SX]
) -> tuple[ca.SX, ca.SX]:
    """Friction on shaft a of a ratio that carries a torque (on a, without losses): while a drives, and while b does.

    a drives:  T (1/eta - 1), so that the power at b is eta times that at a
    b drives:  T (1 - eta);  where eta is zero or less it is more than there is to drive with: the gear is self-locking
    """
    on_b = ca.fabs(ratio) * torque
    return torque * (1 / over_load(on_b, driving) - 1), torque * (1 - over_load(on_b, driven))


def joints_of_shaft(place: Place, shaft: str, shafts: Sequence[str]) -> list[JointUse]:
    """Those in which a shaft turns; not those between two of `shafts`."""
    layout = place.layout
    joints = (layout.joint(name) for name in layout.flat.joints)
    return [
        joint
        for joint in joints
        if shaft in joint.bodies
        and "angle" in joint.equations.coordinates
        and not {*joint.bodies} <= {*shafts}
    ]


def axis_of_shaft(place: Place, shaft: str, support: str, shafts: Sequence[str]) -> ca.SX | None:
    """World axes at the given position with z along the axis about which a shaft turns: that of its joint on the
    support where there is one, else that of all its joints; None where they differ, or there are none."""
    layout, found = place.layout, []
    for joint in joints_of_shaft(place, shaft, shafts):
        axes = layout.bodies[joint.bodies[0]].in_world(joint.markers[0]).axes
        if support in joint.bodies:
            return axes
        found.append(axes)
    if any(tilt(place, axes, found[0]) > PARALLEL for axes in found):
        return None
    return found[0] if found else None


def tilt(place: Place, first: ca.SX, second: ca.SX) -> float:
    """Angle between the z axes of two frames as lines, rad."""
    layout = place.layout
    sine = ca.norm_2(ca.cross(first[:, 2], second[:, 2]))
    return math.asin(min(1.0, float(layout.number(sine)[0])))
