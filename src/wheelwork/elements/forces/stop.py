"""Hard stops: a joint coordinate that stays between two bounds.

Gaps to the bounds: h = q - q_lower, h = q_upper - q. Rigid (`restitution`): where a gap closes, momentum is balanced
with Newton's law, h' after = -e h' before, in an instant; slower than the rest speed it stays closed, as a constraint
that only pushes, until it would have to pull. Compliant (`stiffness`): effort k d + c d' while the depth d = -h > 0,
never pulling; stored energy k d^2/2. A mass m on one coordinate that strikes a compliant stop with v reaches the depth
v sqrt(m/k) without damping. Signals: `mode`; `heat` of compliant ones [W]; of rigid ones `lost`, what impacts took
since the start [J]: m v^2/2 (1 - e^2) each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue, Ref, between, without_effect
from wheelwork.description.values import (
    Coordinate,
    CoordinateSpeed,
    CoordinateStiffness,
    Number,
    ViscousDamping,
)
from wheelwork.elements.forces.base import Load
from wheelwork.equations.backlash_laws import contact, pressed
from wheelwork.equations.forces import EFFORT, Binding, Effect, along
from wheelwork.lazy import casadi as ca


class Stop(Load):
    """Stops at the ends of a joint coordinate, rigid with restitution, or compliant.

    Fields:
        joint: name of the joint
        coordinate: `angle` or `displacement`; the joint's only one where left out
        lower [rad or m]: least value of the coordinate; none where left out
        upper [rad or m]: largest value; none where left out
        restitution [1]: of rigid stops, 0 (no rebound, which holds where left out) to 1 (no loss)
        rest_speed [rad/s or m/s]: of rigid stops: a rebound slower than this does not happen
        stiffness [N m/rad or N/m]: of compliant stops, in place of `restitution`
        damping [N m s/rad or N s/m]: of compliant stops
    """

    noun = "stop"
    type: Literal["stop"] = "stop"
    joint: Annotated[str, Ref("joint")]
    coordinate: Literal["angle", "displacement"] | None = None
    lower: Coordinate | None = None
    upper: Coordinate | None = None
    restitution: Number | None = None
    rest_speed: CoordinateSpeed = 1e-3
    stiffness: CoordinateStiffness | None = None
    damping: ViscousDamping = 0.0
    positive = ("stiffness",)
    not_negative = ("rest_speed", "damping")
    ranges: ClassVar = {"restitution": between(0, 1)}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if self.lower is None and self.upper is None:
            yield Issue("lower", "needs `lower`, `upper` or both: where the coordinate is stopped")
        low, high = (None if x is None else value(x) for x in (self.lower, self.upper))
        if low is not None and high is not None and low >= high:
            yield Issue("upper", f"must be greater than `lower`, {low:g}, but is {high:g}")
        if self.stiffness is not None and self.restitution is not None:
            yield Issue("restitution", "belongs to rigid stops, which have no `stiffness`: give one of them")
        if self.stiffness is None:
            yield from without_effect(self, "on rigid stops: compliant ones have a `stiffness`", "damping")
        else:
            yield from without_effect(self, "on compliant stops, which have a `stiffness`", "rest_speed")

    def bounds(self, value: Any) -> dict[str, Any]:
        given = {"lower": self.lower, "upper": self.upper}
        return {side: value(bound) for side, bound in given.items() if bound is not None}

    @property
    def is_rigid(self) -> bool:
        return self.stiffness is None

    def add_to(self, builder: Any, placed: Any) -> None:
        builder.add_stop(placed)
        if self.stiffness is not None:
            super().add_to(builder, placed)

    def bind(self, context):
        joint, value = context.joint(self.joint), context.place.value
        coordinate = joint.coordinate(self.coordinate)
        bounds = self.bounds(value)
        turns = [context.joint_turn(self.joint)] if coordinate == "angle" else []
        data = [*joint.markers, value(self.stiffness), value(self.damping), *bounds.values()]
        return Binding(joint.bodies, data, turns=turns, options=(joint.equations, coordinate, tuple(bounds)))

    @staticmethod
    def effect(arguments):
        joint, coordinate, sides = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        stiffness, damping, *bounds = ca.vertsplit(arguments.data[24 : 26 + len(sides)])
        row = joint.coordinate(coordinate, a, b, arguments.turns[0] if coordinate == "angle" else 0.0)
        rate, total, stored, ends, signals = row.rate(a, b), ca.SX(0), ca.SX(0), [], {}
        name, unit = EFFORT[coordinate]
        rests, heat = ca.SX(0), ca.SX(0)
        for side, bound in zip(sides, bounds, strict=True):
            sign = 1 if side == "lower" else -1
            gap = sign * (row.value - bound)
            pushed = contact(stiffness, damping, -gap, -sign * rate)
            total, stored = total + sign * pushed, stored + stiffness * ca.fmax(-gap, 0.0) ** 2 / 2
            rests = ca.if_else(gap < 0, -sign, rests)
            heat = heat - (pushed - stiffness * ca.fmax(-gap, 0.0)) * sign * rate
            ends.append(pressed(stiffness, damping, -gap, -sign * rate))
            signals[f"{side}.gap"] = (gap, "rad" if unit == "N m" else "m", "distance to the stop")
            signals[f"{side}.{name}"] = (pushed, unit, f"{name} of the stop")
        signals["mode"] = (rests, "1", "1 or -1: on the upper or lower stop; 0: on neither")
        signals["heat"] = (heat, "W", "power lost in the damping")
        return Effect(along(row, total), potential=stored, signals=signals, events=ends, touches=len(ends))
