"""Torque converter: pump and turbine in oil, with a stator that carries the difference of their torques.

With the speed ratio nu = w_t/w_p of turbine and pump against the housing, and the curves of its data sheet:

    T_p = C(nu) w_p^2          taken from the pump
    T_t = mu(nu) T_p           given to the turbine, in the sense in which the pump turns
    T_s = T_p - T_t            on the housing: mu > 1 where the stator holds the oil back

Efficiency is mu nu; what is left of the power is heat in the oil. Curves are straight between points and constant
beyond the last. A pump at rest, or one that turns against the axis, carries no torque. Where the turbine overruns the
pump, nu > 1, C is negative: it drives the pump. A lock-up clutch is a `clutch` between the shafts; with it nu = 1,
where C is to be 0. The curves over nu are those of SAE J643 (speed ratio, torque ratio, capacity), with C = 1/K^2 of
the capacity factor K = w_p/sqrt(T_p).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any, Literal

from wheelwork.description.base import PLANAR, Evaluate, Issue, Ref
from wheelwork.description.dimensions import Dimension, exponents
from wheelwork.description.values import Z_AXIS, Axis, Number, NumberField, Value
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import Binding, Effect
from wheelwork.equations.piecewise import piecewise
from wheelwork.equations.relation import axis_of_shaft
from wheelwork.lazy import casadi as ca

# N*m*s^2 without radians is what data sheets print.
_CAPACITY = Dimension(
    "a capacity",
    "N*m*s^2/rad^2",
    "0.005 N*m*s^2/rad^2",
    exponents(2, 1, 0, -2),
    also=((exponents(2, 1), 1.0),),
)
Capacity = Annotated[Value, NumberField((_CAPACITY,))]


class TorqueConverter(Load):
    """Hydrodynamic torque converter by the curves of its data sheet over the speed ratio of turbine and pump.

    Fields:
        pump: name of the driving shaft
        turbine: name of the driven shaft
        support: body that the stator stands on
        axis [1]: of both shafts, in the world at the assembled position, about which the pump turns in its right sense;
            that of the pump's joint where left out, z in the plane
        speed_ratio [1]: turbine over pump, two or more, increasing
        torque_ratio [1]: torque of the turbine over that of the pump, one for each
        capacity [N m s^2/rad^2]: torque of the pump over the square of its speed, one for each
    """

    noun = "torque converter"
    drive_symbol = "converter"
    type: Literal["torque_converter"] = "torque_converter"
    pump: Annotated[str, Ref("moving body")]
    turbine: Annotated[str, Ref("moving body")]
    support: Annotated[str, Ref("body")] = "ground"
    axis: Axis | None = None
    speed_ratio: tuple[Number, ...]
    torque_ratio: tuple[Number, ...]
    capacity: tuple[Capacity, ...]
    load_signals = ("torque_turbine",)
    not_negative = ("torque_ratio",)

    def filled(self, kind: str) -> dict[str, Any]:
        return {"axis": Z_AXIS} if kind == PLANAR and self.axis is None else {}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if len({self.pump, self.turbine, self.support}) < 3:
            yield Issue("turbine", "needs pump, turbine and a support that is neither of them")
        sizes = [len(curve) for curve in (self.speed_ratio, self.torque_ratio, self.capacity)]
        if len({*sizes}) > 1 or sizes[0] < 2:
            yield Issue(
                "speed_ratio",
                f"needs two or more speed ratios with a torque ratio and a capacity for each, but has {sizes[0]}, "
                f"{sizes[1]} and {sizes[2]}",
            )
        places = [x for x in map(value, self.speed_ratio) if x is not None]
        if any(b <= a for a, b in pairwise(places)):
            yield Issue("speed_ratio", "speed ratios must increase")
        for point in zip(self.speed_ratio, self.torque_ratio, self.capacity, strict=False):
            nu, mu, c = map(value, point)
            if nu is None or mu is None or c is None or c * (1 - mu * nu) >= 0:
                continue
            yield Issue(
                "torque_ratio",
                f"is {mu:g} at the speed ratio {nu:g} and the capacity {c:g}: more power would come out than goes in",
            )

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> TorqueConverter:
        axis = None if kind == PLANAR else (0.2, 1.0, 0.4)
        return cls(
            pump=bodies[0],
            turbine=bodies[1],
            axis=axis,
            speed_ratio=(0, 0.8, 1),
            torque_ratio=(2, 1, 1),
            capacity=(0.02, 0.015, 0),
        )

    def join_train(self, train, layout, placed):
        train.left_out[placed.name] = "torque converter, which slips: its shafts need a speed and a load each"

    def bind(self, context):
        place = context.place
        axes = axis_of_shaft(place, self.pump, self.support, (self.pump, self.turbine))
        if self.axis is not None:
            axes = place.axes_along(self.axis)
        if axes is None:
            raise ValueError(f"`axis` is missing: no joint gives the axis about which `{self.pump}` turns")
        bodies = [self.pump, self.turbine, self.support]
        context.check_axis(bodies, axes)
        markers = [place.world_marker(b, place.layout.bodies[b].frame.position, axes) for b in bodies]
        curves = (*self.speed_ratio, *self.torque_ratio, *self.capacity)
        return Binding(bodies, [*markers, *map(place.value, curves)], options=(len(self.speed_ratio),))

    @staticmethod
    def effect(arguments):
        (count,) = arguments.options
        pump, turbine, support = (arguments.marker(k, 12 * k) for k in range(3))
        curves = ca.vertsplit(arguments.data[36:], count)
        axis = support.ez
        w_p, w_t = (ca.dot(axis, shaft.body.w - support.body.w) for shaft in (pump, turbine))
        forward = w_p > 0
        nu = w_t / ca.if_else(forward, w_p, 1.0)
        torque_ratio, capacity = (piecewise(nu, curves[0], curve)[0] for curve in curves[1:])
        taken = ca.if_else(forward, capacity * w_p**2, 0.0)
        given = torque_ratio * taken
        none = ca.SX(3, 1)
        kinks = [w_p, *(w_t - curves[0][k] * w_p for k in range(count))]
        return Effect(
            [(none, -taken * axis), (none, given * axis), (none, (taken - given) * axis)],
            signals={
                "torque_pump": (-taken, "N m", "torque on the pump about the axis"),
                "torque_turbine": (given, "N m", "torque on the turbine"),
                "torque_support": (taken - given, "N m", "torque on the support"),
                "speed_ratio": (
                    ca.if_else(forward, nu, 0.0),
                    "1",
                    "speed of the turbine over that of the pump",
                ),
                "loss": (taken * w_p - given * w_t, "W", "power lost in the oil"),
            },
            events=kinks,
        )
