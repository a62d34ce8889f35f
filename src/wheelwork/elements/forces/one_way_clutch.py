"""One-way clutch (freewheel): one shaft may run ahead of the other, but not fall behind it.

With the slip w = w_b - w_a and the direction d (1: b may run ahead): d w >= 0. While d w > 0 the clutch is free but for
a drag torque T_0 against the slip; at w = 0 it carries any torque that would make d w negative, and lets go where that
torque, less T_0, changes its sign. Locking takes no impulse, because w gets to zero without a jump; where others strike
(contacts, dogs), a clutch that is locked or would turn the wrong way takes part in the balance of momentum. The work of
the drag is a state that nothing else depends on.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.values import Torque
from wheelwork.elements.forces.shafts import BetweenShafts
from wheelwork.equations.forces import UNLIMITED, Binding, Effect, FrictionLimits, along
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca


class OneWayClutch(BetweenShafts):
    """Freewheel: body b may turn ahead of body a in one direction, and locks in the other.

    Fields:
        free: `forward`: b may run ahead of a in the positive sense about the axis; `backward`: in the negative
        drag [N m]: torque while it runs free
    """

    noun = "one-way clutch"
    drive_symbol = "one_way"
    type: Literal["one_way_clutch"] = "one_way_clutch"
    free: Literal["forward", "backward"] = "forward"
    drag: Torque = 0.0
    not_negative = ("drag",)
    sample_fields: ClassVar = {"drag": 0.1}

    def add_to(self, builder, placed):
        builder.add_locking(placed, self.bind(builder.context(placed)))

    def bind(self, context):
        bodies, markers, turn = self.shafts(context)
        data = [*markers, context.place.value(self.drag)]
        return Binding(bodies, data, turns=[turn], options=(self.free,), states=[0.0])

    @staticmethod
    def effect(arguments):
        a, b, drag = arguments.marker(0, 0), arguments.marker(1, 12), arguments.data[24]
        row = turn_about_axis(a, b, arguments.turns[0])
        up, down = (drag, ca.SX(UNLIMITED))[:: 1 if arguments.options[0] == "forward" else -1]
        rate = row.rate(a, b)
        signals = {
            "slip": (rate, "rad/s", "speed of b minus that of a"),
            "slip_work": (arguments.states[0], "J", "heat of the drag since the start"),
        }
        limits, heat = FrictionLimits(drag, drag, up, down), drag * ca.fabs(rate)
        return Effect(along(row, ca.SX(0)), signals=signals, friction=limits, rates=[heat])
