"""Ratio: two shafts on one axis are geared to each other in a support, which carries the difference of their torques.

With the angles of the shafts against the support s, phi_a and phi_b, over any number of turns, and the ratio i: the
windup e = phi_a - i phi_b gives the torque T = -(k e + c e') on a, -i T on b and (i - 1) T on s, about the axis. The
three add up to nothing, and their power is -(k e + c e') e': what is not stored as k e^2/2 is lost in the damping,
nothing in the ratio itself.

In the mean w_a - w_s = i (w_b - w_s). The shafts may be anywhere along the axis; bearings are joints, as of all shafts.
e is the turn by which the shafts between the gears give way, seen from a; a stiff one is as good as a rigid ratio. The
law of torques and speeds is that of an ideal gear with support (Willis' equation for w_a, w_b and the carrier w_s).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from wheelwork.description.base import PLANAR, SPATIAL, Evaluate, Issue, Ref, not_negative
from wheelwork.description.geometry import is_zero, numbers
from wheelwork.description.values import Z_AXIS, Axis, Number, TorsionalDamping, TorsionalStiffness
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import Binding, Effect, SignalExpression, along
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca


class Ratio(Load):
    """Ideal gear ratio between two coaxial shafts, w_a - w_s = ratio (w_b - w_s), with a support s for the reaction.

    The shaft behind it gives way: torque on a = -(stiffness*windup + damping*rate) with
    windup = angle_a - ratio*angle_b, -ratio times that on b, and the rest on the support.

    Fields:
        bodies: names of shaft a and shaft b
        support: body that carries the reaction, a housing; ground where left out
        axis [1]: of both shafts, in the world at the assembled position; z in the plane
        ratio [1]: speed of a over that of b, both against the support; negative where they turn against each other
        stiffness [N m/rad]: torque on a for each unit of windup
        damping [N m s/rad]: torque on a for each unit of its rate
    """

    type: Literal["ratio"] = "ratio"
    bodies: Annotated[tuple[str, str], Ref("moving body")]
    support: Annotated[str, Ref("body")] = "ground"
    axis: Axis | None = None
    ratio: Number
    stiffness: TorsionalStiffness
    damping: TorsionalDamping = 0.0
    load_signals = ("torque_a",)

    def filled(self, kind: str) -> dict[str, Any]:
        return {"axis": Z_AXIS} if kind == PLANAR and self.axis is None else {}

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        if kind == SPATIAL and self.axis is None:
            yield Issue("axis", "`axis` is missing: the axis of both shafts")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if len({*self.bodies, self.support}) < 3:
            yield Issue("bodies", "needs two different shafts, and a support that is neither of them")
        if self.axis is not None and is_zero(numbers(self.axis, value)):
            yield Issue("axis", "must not be zero: it has no direction")
        if value(self.ratio) == 0:
            yield Issue("ratio", "must not be zero: shaft a would never turn")
        stiffness = value(self.stiffness)
        if stiffness is not None and stiffness <= 0:
            yield Issue("stiffness", f"must be greater than zero, but is {stiffness:g} N m/rad")
        yield from not_negative(self, value, "damping")

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> Ratio:
        axis = None if kind == PLANAR else (0.2, 1.0, 0.4)
        return cls(bodies=bodies, axis=axis, ratio=-2.5, stiffness=4.0, damping=0.7)

    def bind(self, context):
        place = context.place
        bodies = [*self.bodies, self.support]
        axes = place.axes_along(self.axis)
        markers = [place.world_marker(b, place.layout.bodies[b].frame.position, axes) for b in bodies]
        turns = [context.turn([self.support, b], [markers[2], markers[k]]) for k, b in enumerate(self.bodies)]
        values = [place.value(x) for x in (self.ratio, self.stiffness, self.damping)]
        return Binding(bodies, [*markers, *values], turns=turns)

    @staticmethod
    def effect(arguments):
        a, b, support = (arguments.marker(k, 12 * k) for k in range(3))
        ratio, stiffness, damping = ca.vertsplit(arguments.data[36:39])
        of_a, of_b = (turn_about_axis(support, shaft, arguments.turns[k]) for k, shaft in enumerate((a, b)))
        windup = of_a.value - ratio * of_b.value
        rate = of_a.rate(support, a) - ratio * of_b.rate(support, b)
        torque = -(stiffness * windup + damping * rate)
        # along each angle: the first wrench is that on the support, the second that on the shaft
        (on_support, on_a), (back, on_b) = along(of_a, torque), along(of_b, -ratio * torque)
        reaction = (on_support[0] + back[0], on_support[1] + back[1])
        return Effect(
            [on_a, on_b, reaction],
            potential=stiffness * windup**2 / 2,
            signals={
                "windup": SignalExpression(windup, "rad", "angle of a less ratio times that of b"),
                "torque_a": SignalExpression(torque, "N m", "torque on shaft a about the axis"),
                "torque_b": SignalExpression(-ratio * torque, "N m", "torque on shaft b about the axis"),
                "torque_support": SignalExpression((ratio - 1) * torque, "N m", "torque on the support"),
                "loss": SignalExpression(damping * rate**2, "W", "power lost in the damping"),
            },
        )
