"""Friction clutch and brake: two shafts that slip on each other, or stick.

With the slip w = w_b - w_a about the axis, surfaces pressed together carry up to the torque T s(|w|), against the slip:

    T = z mu r F                                  z surfaces at the mean radius r under the normal force F = p A
    s(w) = s_c(w) (1 + (k - 1) exp(-(w/w_s)^2))   s_c: curve over slip speed; k: friction at rest over that in motion;
                                                  w_s: Stribeck's speed. Without it k holds at rest alone: a jump

While they stick, w = 0 is a constraint, and its multiplier the torque, up to T s_c(0) k. An open clutch has T = 0 and
turns freely but for a drag c w. Heat is (torque) w; over a slip with constant T from w_0, between two inertias J_1 and
J_2 without other load, the shafts stick after t = w_0 J/T with J = J_1 J_2/(J_1 + J_2), and the heat is J w_0^2/2. The
work of slip, the integral of (T s + c |w|) |w|, is a state that nothing else depends on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from wheelwork.description.base import AT_LEAST_ONE, Evaluate, Issue, Range, not_negative, without_effect
from wheelwork.description.formula import Formula
from wheelwork.description.table import Table
from wheelwork.description.values import (
    AngularSpeed,
    Area,
    Length,
    Number,
    TorsionalDamping,
    VaryingForce,
    VaryingPressure,
    VaryingTorque,
)
from wheelwork.elements.forces.base import Curve
from wheelwork.elements.forces.shafts import BetweenShafts
from wheelwork.equations.forces import Arguments, Binding, Effect, FrictionLimits, SignalExpression, along
from wheelwork.equations.piecewise import piecewise
from wheelwork.equations.rows import Row, turn_about_axis
from wheelwork.lazy import casadi as ca


class SlipCurve(Curve):
    """Friction over slip speed, as a factor of the torque; linear between the points, constant beyond the last.

    Fields:
        speed [rad/s]: 0 first, strictly increasing, two or more
        factor [1]: one for each speed
    """

    speed: tuple[AngularSpeed, ...]
    factor: tuple[Number, ...]
    words = ("speeds", "factors", "a factor")
    first = Range("begin with 0 and increase", lambda speed: speed == 0)
    not_negative = ("factor",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        for name in ("speed", "factor"):
            for i, entry in enumerate(getattr(self, name)):
                if isinstance(entry, Formula):
                    yield Issue(f"{name}.{i}", f"a curve is made of numbers, but `{entry}` is a formula")
                    return


class Slipping(BetweenShafts):
    """Two shafts that slip on each other with dry friction, or stick.

    Fields:
        static_ratio [1]: friction at rest over friction in motion, at least 1
        stribeck_speed [rad/s]: slip over which friction falls from that at rest; a jump where left out
        curve: friction over slip speed
        drag [N m s/rad]: torque for each unit of slip, besides, also of an open clutch
    """

    static_ratio: Number = 1.0
    stribeck_speed: AngularSpeed | None = None
    curve: SlipCurve | None = None
    drag: TorsionalDamping = 0.0
    positive = ("stribeck_speed",)
    not_negative = ("drag",)
    ranges: ClassVar = {"static_ratio": AT_LEAST_ONE}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.static_ratio == 1:
            yield from without_effect(
                self, "while `static_ratio` is 1: friction at rest is that in motion", "stribeck_speed"
            )

    def add_to(self, builder: Any, placed: Any) -> None:
        builder.add_locking(placed, self.bind(builder.context(placed)))

    def slipping(self, context: Any, inputs: list[Any], *numbers: ca.SX) -> Binding:
        """The binding with `inputs`: markers, then what friction over slip is made of, then further `numbers`."""
        bodies, markers, turn = self.shafts(context)
        curve = () if self.curve is None else (*self.curve.speed, *self.curve.factor)
        stribeck = self.stribeck_speed is not None
        own = (self.static_ratio, self.stribeck_speed if stribeck else 1.0, self.drag, *curve)
        options = (len(curve) // 2, stribeck)
        data = [*markers, *map(context.place.value, own), *numbers]
        return Binding(bodies, data, inputs, [turn], options, states=[0.0])


def slip(arguments: Arguments) -> tuple[Row, ca.SX]:
    """The turn between the shafts of a binding by `Slipping.slipping`, and its rate."""
    a, b = arguments.marker(0, 0), arguments.marker(1, 12)
    row = turn_about_axis(a, b, arguments.turns[0])
    return row, row.rate(a, b)


def further(arguments: Arguments) -> ca.SX:
    """The `numbers` of such a binding."""
    return arguments.data[27 + 2 * arguments.options[0] :]


def slipping_effect(arguments: Arguments, torque: ca.SX, **more: Any) -> Effect:
    """Friction of `torque` (N m, without its change over slip), and drag."""
    count, stribeck = arguments.options[:2]
    ratio, fall, drag = ca.vertsplit(arguments.data[24:27])
    speeds, factors = arguments.data[27 : 27 + count], arguments.data[27 + count : 27 + 2 * count]
    row, rate = slip(arguments)
    sliding, sticking, corners = ca.SX(1), ca.SX(1), [torque]
    if count:
        sliding, sticking = piecewise(ca.fabs(rate), speeds, factors)[0], factors[0]
        corners += [sign * rate - speeds[k] for k in range(1, count) for sign in (1, -1)]
    if stribeck:
        sliding = sliding * (1 + (ratio - 1) * ca.exp(-((rate / fall) ** 2)))
    torque = torque * (torque > 0)  # open below zero; what is no number stays none, and the run says so
    carries, holds = torque * sliding, torque * sticking * ratio
    signals = {
        "slip": SignalExpression(rate, "rad/s", "speed of b minus that of a"),
        "capacity": SignalExpression(carries, "N m", "torque that friction has where it slips at this speed"),
        "drag": SignalExpression(-drag * rate, "N m", "torque of the drag on body b"),
        "slip_work": SignalExpression(arguments.states[0], "J", "heat of slip and drag since the start"),
    }
    heat = (carries + drag * ca.fabs(rate)) * ca.fabs(rate)
    limits = FrictionLimits(carries, carries, holds, holds, **more)
    return Effect(along(row, -drag * rate), signals=signals, events=corners, friction=limits, rates=[heat])


class _Pressed(Slipping):
    """Friction surfaces that are pressed together.

    Fields:
        torque [N m]: that the surfaces carry while they slip; number, formula of `t` and signals, or table
        force [N]: that presses the surfaces together, in place of `torque`; number, formula or table
        pressure [Pa]: on `area`, in place of `force`; number, formula or table
        area [m^2]: that the pressure acts on
        friction [1]: coefficient, with `force` or `pressure`
        mean_radius [m]: of the surfaces, with `force` or `pressure`
        surfaces [1]: how many rub: two for each lined plate
    """

    torque: VaryingTorque | None = None
    force: VaryingForce | None = None
    pressure: VaryingPressure | None = None
    area: Area | None = None
    friction: Number | None = None
    mean_radius: Length | None = None
    surfaces: Number = 1

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        given = [name for name in ("torque", "force", "pressure") if getattr(self, name) is not None]
        if len(given) != 1:
            yield Issue("torque", "needs `torque`, `force` or `pressure`: give one of them")
            return
        needed = {
            "torque": (),
            "force": ("friction", "mean_radius"),
            "pressure": ("friction", "mean_radius", "area"),
        }
        for name in ("friction", "mean_radius", "area"):
            there = getattr(self, name) is not None
            if there != (name in needed[given[0]]):
                words = "cannot be combined with" if there else "is needed with"
                yield Issue(name, f"`{name}` {words} `{given[0]}`")
        if self.torque is not None:
            yield from without_effect(self, "with `torque`, which is that of all surfaces", "surfaces")
        pressed = () if isinstance(getattr(self, given[0]), Table) else given
        yield from not_negative(self, value, *pressed, "friction", "mean_radius", "area", "surfaces")

    def bind(self, context):
        if self.torque is not None:
            return self.slipping(context, [self.torque], ca.SX(1))
        value = context.place.value
        arm = value(self.surfaces) * value(self.friction) * value(self.mean_radius)
        if self.force is not None:
            return self.slipping(context, [self.force], arm)
        return self.slipping(context, [self.pressure], arm * value(self.area))

    @staticmethod
    def effect(arguments):
        return slipping_effect(arguments, arguments.inputs[0] * further(arguments)[0])


class Clutch(_Pressed):
    """Friction clutch: shafts slip on each other against a torque, and stick where it is enough to hold them.

    It sits on the joint between two shafts, or between two bodies on one axis.
    """

    noun = "clutch"
    drive_symbol = "clutch"
    type: Literal["clutch"] = "clutch"
    sample_fields: ClassVar = {"torque": 3.0, "static_ratio": 1.3, "stribeck_speed": 2.0, "drag": 0.4}


class Brake(_Pressed):
    """Friction brake: a clutch to what stands still; sits on the joint between frame and shaft, a rotor's bearing."""

    noun = "brake"
    drive_symbol = "brake"
    type: Literal["brake"] = "brake"
    sample_fields: ClassVar = {"force": 20.0, "friction": 0.3, "mean_radius": 0.1, "surfaces": 2, "drag": 0.1}
