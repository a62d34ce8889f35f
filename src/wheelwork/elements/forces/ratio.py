"""Ratio: two shafts are geared to each other in a support, which carries the difference of their torques.

With the angles of the shafts against the support s, phi_a and phi_b, over any number of turns, and the ratio i: rigid,
phi_a = i phi_b is a constraint. Its multiplier is the torque T that a gives; b gets i T, and s the rest, (1 - i) T
where the shafts have one axis. With a stiffness k the windup e = phi_a - i phi_b gives T = k e + c e', and nothing in
the play |e| < B/2. The three torques add up to nothing, and so do their powers but for damping and losses.

    Willis        w_a - w_s = i (w_b - w_s): the support may turn, as the carrier of a planetary gear does
    efficiency    friction against phi_a' on a: T (1/eta - 1) while a drives, T (1 - eta_back) while b drives, so
                  that power out is eta times power in; at rest it may hold the shafts. Where eta_back <= 0 b cannot
                  drive: the gear is self-locking. The law is that of Modelica's LossyGear (Pelchen, Schweiger, Otter,
                  Modeling and Simulating the Efficiency of Gearboxes and of Planetary Gearboxes, 2nd International
                  Modelica Conference, 2002)
    varying i     phi_a' - i phi_b' = 0 is a row of speeds (a CVT), and the rate of the windup of an elastic one;
                  T (phi_a' - i phi_b') = 0: no power is lost in it, whatever i does
    lag           i follows the formula u by lag^2 i'' + 2 lag i' + i = u

Bearings are joints, as of all shafts; the angles are about their axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from wheelwork.description.base import PLANAR, Evaluate, Issue, Range, Ref
from wheelwork.description.formula import NUMERIC, Formula
from wheelwork.description.table import Table
from wheelwork.description.union import ByShape
from wheelwork.description.values import (
    Z_AXIS,
    Angle,
    Axis,
    Number,
    Time,
    Torque,
    TorsionalDamping,
    TorsionalStiffness,
    VaryingNumber,
)
from wheelwork.elements.forces.base import Curve, GearedRate, Load
from wheelwork.equations.backlash_laws import FLANKS, pressed
from wheelwork.equations.forces import (
    DAMPED,
    ELASTIC,
    LOST,
    ON_SUPPORT,
    Binding,
    Effect,
    FrictionLimits,
    along,
)
from wheelwork.equations.joint_equations import Driven
from wheelwork.equations.relation import (
    PARALLEL,
    Losses,
    Relation,
    ShaftAngle,
    axis_of_shaft,
    friction_of_ratio,
    joints_of_shaft,
    tilt,
)
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca
from wheelwork.problems import ModelError
from wheelwork.trains.train import GearEdge, rational

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place


class EfficiencyCurve(Curve):
    """Efficiency over load; linear between the points, constant beyond the ends.

    Fields:
        torque [N m]: on shaft b, its size; increasing, two or more
        efficiency [1]: one for each torque
    """

    torque: tuple[Torque, ...]
    efficiency: tuple[Number, ...]
    words = ("torques", "efficiencies", "an efficiency")
    first = Range("not be negative, and increase", lambda torque: torque >= 0)


class Geared(Load):
    """What ratios, planetary gears and differentials share: losses, stiffness and play of two shafts in a third body.

    Fields:
        axis [1]: of all its shafts, in the world at the assembled position; where left out, each shaft has that of the
            joint it turns in; z in the plane
        efficiency [1]: power out over power in while the first shaft drives, more than 0 and at most 1: a number, or
            over `torque`
        efficiency_back [1]: while the second shaft drives, at most 1; zero or less: self-locking; as `efficiency` where
            left out
        no_load_torque [N m]: dry friction on the first shaft, whatever the load
        stiffness [N m/rad]: torque on the first shaft for each unit of windup; rigid where left out
        damping [N m s/rad]: torque for each unit of its rate, with `stiffness`
        backlash [rad]: play, seen from the first shaft, with `stiffness`
    """

    noun = "ratio"
    drive_symbol = "ratio"
    axis: Axis | None = None
    efficiency: Annotated[Number | EfficiencyCurve, ByShape()] = 1.0
    efficiency_back: Annotated[Number | EfficiencyCurve | None, ByShape()] = None
    no_load_torque: Torque = 0.0
    stiffness: TorsionalStiffness | None = None
    damping: TorsionalDamping = 0.0
    backlash: Angle = 0.0
    load_signals = ("torque_a",)
    # How the shafts, the support and their torques are called.
    roles: ClassVar[tuple[str, str, str]] = ("a", "b", "support")

    @classmethod
    def support_signals(cls) -> tuple[str, ...]:
        """Names of the torque on the support."""
        return tuple(dict.fromkeys((f"torque_{cls.roles[2]}", "torque_support")))

    positive = ("stiffness",)
    not_negative = ("damping", "backlash", "no_load_torque")

    def filled(self, kind: str) -> dict[str, Any]:
        return {"axis": Z_AXIS} if kind == PLANAR and self.axis is None else {}

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if self.stiffness is None:
            for name in ("damping", "backlash"):
                if value(getattr(self, name)) != 0:
                    yield Issue(name, "requires a `stiffness`: without one it is rigid")
        for name, least in (("efficiency", 0.0), ("efficiency_back", None)):
            given = getattr(self, name)
            entries = given.efficiency if isinstance(given, EfficiencyCurve) else (given,)
            for entry in entries:
                number = None if entry is None else value(entry)
                if number is not None and (number > 1 or (least is not None and number <= least)):
                    bounds = "at most 1" if least is None else "more than 0 and at most 1"
                    yield Issue(name, f"must be {bounds}, but is {number:g}")

    # -- what a ratio is made of; a planetary gear says it in other words

    def geared(self) -> tuple[str, str, str | None, Any]:
        """Shafts a and b, the support, and the ratio phi_a/phi_b against it."""
        raise NotImplementedError

    def bind(self, context):
        """Of an elastic one: support, a and b, with markers of support and shaft for each."""
        (a, b, support), markers, turns = self._shafts(context)
        place = context.place
        numbers_of = [*map(place.value, (self.stiffness, self.damping, self.backlash, self.no_load_torque))]
        driving, driven = self._curves(place)
        varies = _varies(context, self.geared()[3])
        options = (
            len(driving),
            len(driven),
            varies,
            self._loses,
            value_is_zero(self.backlash),
            self.roles[:2],
            self.support_signals(),
        )
        return Binding(
            [support, a, b],
            [*markers[0], *markers[1], *numbers_of, *driving, *driven],
            [self.geared()[3]],
            turns,
            options,
            [0.0] if varies else [],
        )

    def join_train(self, train, layout, placed):
        place, number = layout.place(placed), lambda x: float(layout.number(x)[0])
        ratio = self.ratio_now(layout.flat.values)
        if ratio is None:
            train.left_out[placed.name] = (
                f"{self.noun} by a formula with signals, which a train does not know"
            )
            return
        if ratio[1]:
            train.notes.append(f"The ratio of `{placed.name}` varies: it is taken as at t = 0, {ratio[0]:g}.")
        try:
            (a, b, support), directions = self.turning(place)
        except ValueError as error:
            raise ModelError(placed.problem(str(error))) from None
        axes = [
            train.line_of(
                body,
                layout.number(axes[:, 2]).tolist(),
                layout.number(layout.bodies[body].frame.position).tolist(),
            )
            for body, axes in zip((a, b), directions, strict=True)
        ]
        size = rational(ratio[0])
        curves = [[number(x) for x in curve] for curve in self._curves(place)]
        over = [(tuple(c[: len(c) // 2]), tuple(c[len(c) // 2 :])) if len(c) > 1 else None for c in curves]
        train.add_gear(
            GearEdge(
                placed.name,
                (a, b),
                (Fraction(1), abs(size)),
                1 if size > 0 else -1,
                (axes[0], axes[1]),
                placed.element.type,
                efficiency=(curves[0][0], curves[1][0]),
                toothed=False,
                source=placed,
                carrier=support,
                efficiency_over=(over[0], over[1]),
                no_load_torque=number(place.value(self.no_load_torque)),
            )
        )

    def ratio_now(self, values: Mapping[str, float]) -> tuple[float, bool] | None:
        """The ratio at t = 0, and whether it varies; None where it depends on signals."""
        ratio = self.geared()[3]
        if isinstance(ratio, Table):
            return float(np.interp(0.0, ratio.time, ratio.value)), True
        if not isinstance(ratio, Formula):
            return float(ratio), False
        try:
            return float(ratio.evaluate({**values, "t": 0.0}.__getitem__, NUMERIC)), "t" in ratio.names()
        except KeyError:
            return None

    def geared_rates(self, values):
        ratio = self.ratio_now(values)
        return () if ratio is None else (GearedRate(1.0, 1, 0, 0), GearedRate(-ratio[0], 2, 0, 2))

    @property
    def is_rigid(self) -> bool:
        return self.stiffness is None

    def add_to(self, builder: Any, placed: Any) -> None:
        context = builder.context(placed)
        if self.stiffness is not None:
            binding = self.bind(context)
            if not _varies(context, self.geared()[3]):
                builder.add_data(context.place.value(self.geared()[3]))  # speeds at the start depend on it
            if self._loses:
                builder.add_locking(placed, binding, name=f"{placed.name}.friction")
            else:
                builder.add_force(placed, self, binding)
            return
        (a, b, support), markers, turns = self._shafts(context)
        ratio = self.geared()[3]
        varies = _varies(context, ratio)
        place = context.place
        constant = ca.SX(1) if varies else place.value(ratio)
        terms = [
            Driven(ShaftAngle(), "angle", [support, shaft], (own[0], own[1]), turn)
            for shaft, own, turn in zip((a, b), markers, turns, strict=True)
        ]
        losses = None
        if self._loses:
            losses = Losses(place.value(self.no_load_torque), constant, *self._curves(place))
        builder.add_relation(
            placed,
            Relation(
                [ca.SX(1), -constant],
                terms,
                varying=ratio if varies and not self.follows else None,
                followed=self.add_follower(builder, placed) if self.follows else (),
                labels=[f"torque_{role}" for role in self.roles[:2]],
                supported=self.support_signals(),
                losses=losses,
            ),
        )

    @property
    def follows(self) -> bool:
        """Whether the ratio is a state that follows a formula."""
        return False

    def add_follower(self, builder: Any, placed: Any) -> tuple[int, ...]:
        """States of a ratio that follows: it and its rate."""
        raise NotImplementedError

    @property
    def _loses(self) -> bool:
        given = (self.efficiency, self.efficiency_back or 1.0)
        return any(x != 1.0 for x in given) or not value_is_zero(self.no_load_torque)

    def _curves(self, place: Any) -> tuple[list[ca.SX], list[ca.SX]]:
        """Efficiency while a drives, and while b does."""
        back = self.efficiency if self.efficiency_back is None else self.efficiency_back
        found = []
        for curve in (self.efficiency, back):
            both = curve.points if isinstance(curve, EfficiencyCurve) else (curve,)
            found.append([place.value(x) for x in both])
        return found[0], found[1]

    def _shafts(self, context: Any) -> tuple[tuple[str, str, str], list[list[ca.SX]], list[int]]:
        """a, b and the support; for each shaft markers on support and shaft with z along its axis; their angles."""
        place = context.place
        (a, b, support), directions = self.turning(place)
        markers = [
            [
                place.world_marker(body, place.layout.bodies[shaft].frame.position, axes)
                for body in (support, shaft)
            ]
            for shaft, axes in zip((a, b), directions, strict=True)
        ]
        turns = [context.turn([support, shaft], own) for shaft, own in zip((a, b), markers, strict=True)]
        return (a, b, support), markers, turns

    def turning(self, place: Place) -> tuple[tuple[str, str, str], list[ca.SX]]:
        """a, b and the support; world axes with z along that of each shaft."""
        a, b, given, _ = self.geared()
        support = given if given is not None else self._support(place, (a, b))
        return (a, b, support), self._directions(place, (a, b), support)

    def _directions(self, place: Place, shafts: tuple[str, str], support: str) -> list[ca.SX]:
        """World axes with z along that of each shaft."""
        found = []
        for shaft in shafts:
            own = axis_of_shaft(place, shaft, support, shafts)
            axes = place.axes_along(self.axis) if self.axis is not None else own
            if axes is None:
                raise ValueError(f"`axis` is missing: no joint gives the axis about which `{shaft}` turns")
            if own is not None and (off := tilt(place, axes, own)) > PARALLEL:
                raise ValueError(
                    f"`{shaft}` turns about an axis at {math.degrees(off):.3g} degrees to `axis`: leave `axis` out, "
                    "and each shaft has that of its joint, or turn one of them"
                )
            found.append(axes)
        return found

    def _support(self, place: Place, shafts: tuple[str, str]) -> str:
        """The one body in which both shafts turn."""
        carriers = [
            {body for joint in joints_of_shaft(place, shaft, shafts) for body in joint.bodies} - {*shafts}
            for shaft in shafts
        ]
        common = sorted(carriers[0] & carriers[1])
        if len(common) == 1:
            return common[0]
        found = "; ".join(
            f"`{shaft}` turns in {', '.join(f'`{x}`' for x in sorted(own)) or 'no joint'}"
            for shaft, own in zip(shafts, carriers, strict=True)
        )
        raise ValueError(
            f"`support` is missing: the body that carries the reaction does not follow ({found})"
        )

    @staticmethod
    def effect(arguments):
        first, second, varies, loses, no_play, (name_a, name_b), of_support = arguments.options
        s_a, a = arguments.marker(0, 0), arguments.marker(1, 12)
        s_b, b = arguments.marker(0, 24), arguments.marker(2, 36)
        (ratio,) = arguments.inputs
        k, c, play, no_load = ca.vertsplit(arguments.data[48:52])
        of_a = turn_about_axis(s_a, a, arguments.turns[0])
        of_b = turn_about_axis(s_b, b, arguments.turns[1])
        w_a = of_a.rate(s_a, a)
        rate = w_a - ratio * of_b.rate(s_b, b)
        windup = arguments.states[0] if varies else of_a.value - ratio * of_b.value
        spring, stored, events = k * windup, k * windup**2 / 2, []
        torque = spring + c * rate
        if not no_play:
            depths = [windup - play / 2, -windup - play / 2]
            front, back = (
                FLANKS["contact"](k, c, d, sign * rate) for d, sign in zip(depths, (1, -1), strict=True)
            )
            torque = front - back
            events = [pressed(k, c, d, sign * rate) for d, sign in zip(depths, (1, -1), strict=True)]
            spring = k * (ca.fmax(depths[0], 0.0) - ca.fmax(depths[1], 0.0))
            stored = k / 2 * ca.fmax(ca.fmax(*depths), 0.0) ** 2
        limits = None
        if loses:
            driving = ca.vertsplit(arguments.data[52 : 52 + first])
            driven = ca.vertsplit(arguments.data[52 + first : 52 + first + second])
            on, back = friction_of_ratio(ca.fabs(torque), ratio, driving, driven)
            up = no_load + ca.if_else(torque > 0, on, back)
            down = no_load + ca.if_else(torque > 0, back, on)
            limits = FrictionLimits(up, down, up, down)
        # along each angle: the first wrench is that on the support, the second that on the shaft
        (on_support, on_a), (reaction, on_b) = along(of_a, -torque), along(of_b, ratio * torque)
        both = (on_support[0] + reaction[0], on_support[1] + reaction[1])
        signals = {
            "windup": (windup, "rad", f"angle of {name_a} minus ratio times that of {name_b}"),
            f"torque_{name_b}": (ratio * torque, "N m", f"torque on {name_b} about its axis"),
        }
        on_a_about, damped = f"torque on {name_a} about its axis", (torque - spring) * rate
        if (
            loses
        ):  # with friction, which is known once the accelerations are, these are `elastic_ratio_signals`
            signals[ELASTIC] = (-torque, "N m", f"{on_a_about}, without friction")
            signals[DAMPED] = (damped, "W", "power lost in the damping, without friction")
        else:
            axes = ca.dot(s_a.ez, s_b.ez)
            support = torque * ca.sqrt(ca.fmax(1 + ratio**2 - 2 * ratio * axes, 0.0))
            support = ca.if_else(axes > 1 - 1e-12, torque * (1 - ratio), support)
            signals[f"torque_{name_a}"] = (-torque, "N m", on_a_about)
            signals |= {name: (support, "N m", ON_SUPPORT) for name in of_support}
            signals["loss"] = (damped, "W", LOST)
        return Effect(
            [both, on_a, on_b],
            potential=stored,
            signals=signals,
            events=events,
            touches=len(events),
            friction=limits,
            rates=[rate] if varies else None,
        )


def value_is_zero(value: Any) -> bool:
    """Whether a number is written as zero."""
    return isinstance(value, int | float) and value == 0


def _varies(context: Any, ratio: Any) -> bool:
    """Whether a ratio changes with time or signals."""
    if hasattr(ratio, "interpolation"):
        return True
    return isinstance(ratio, Formula) and any(name not in context.place.parameters for name in ratio.names())


class Ratio(Geared):
    """Gear ratio between two shafts, w_a - w_s = ratio (w_b - w_s), with a support s that carries the reaction.

    Rigid, or with a stiffness between the shafts; with losses by direction and load, and a ratio that varies (CVT).

    Fields:
        bodies: names of shaft a and shaft b
        support: body that carries the reaction, a housing or carrier; where left out, the one in which both shafts turn
        ratio [1]: speed of a over that of b, both against the support, about their axes; negative where they turn
            against each other; number, formula of `t`, or table; of signals with `stiffness` or `lag`
        lag [s]: with which a rigid ratio follows its formula
        ratio_at_start [1]: with `lag`
    """

    type: Literal["ratio"] = "ratio"
    bodies: Annotated[tuple[str, str], Ref("moving body")]
    support: Annotated[str | None, Ref("body")] = None
    ratio: VaryingNumber
    lag: Time | None = None
    ratio_at_start: Number | None = None
    positive = ("lag",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if len({*self.bodies, self.support}) < 3:
            yield Issue("bodies", "needs two different shafts, and a support that is neither of them")
        if not isinstance(self.ratio, Table) and value(self.ratio) == 0:
            yield Issue("ratio", "must not be zero: shaft a would never turn")
        if (self.lag is None) != (self.ratio_at_start is None):
            yield Issue(
                "ratio_at_start",
                "requires `lag`, and `lag` requires it: the ratio from which it follows its formula",
            )
        if self.lag is not None and self.stiffness is not None:
            yield Issue("lag", "is for a rigid ratio: an elastic one takes any formula as it is")

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> Ratio:
        axis = None if kind == PLANAR else (0.2, 1.0, 0.4)
        return cls(bodies=bodies, support="ground", axis=axis, ratio=-2.5, stiffness=4.0, damping=0.7)

    def geared(self):
        return *self.bodies, self.support, self.ratio

    @property
    def follows(self) -> bool:
        return self.lag is not None

    def ratio_now(self, values: Mapping[str, float]) -> tuple[float, bool] | None:
        if isinstance(start := self.ratio_at_start, Formula):
            start = start.evaluate(values.__getitem__, NUMERIC)
        return super().ratio_now(values) if start is None else (float(start), True)

    def add_to(self, builder: Any, placed: Any) -> None:
        if self.stiffness is None and self.lag is None and isinstance(self.ratio, Formula):
            known = builder.parameters
            signals = sorted(name for name in self.ratio.names() if name != "t" and name not in known)
            if signals:
                raise ValueError(
                    f"a rigid ratio needs its rate, which a formula with signals (`{signals[0]}`) does not have: give "
                    "it a `lag` and `ratio_at_start`, or a `stiffness`"
                )
        super().add_to(builder, placed)

    def add_follower(self, builder: Any, placed: Any) -> tuple[int, ...]:
        states = [self.ratio_at_start, 0.0]
        binding = Binding([], [builder.context(placed).place.value(self.lag)], [self.ratio], states=states)
        builder.add_force(placed, FollowedRatio, binding)
        return tuple(builder.registry.own_states(placed.name, states))


class FollowedRatio:
    """A ratio that follows a formula: lag^2 i'' + 2 lag i' + i = u. It pushes nothing."""

    type = "followed_ratio"

    @staticmethod
    def effect(arguments):
        ratio, rate = arguments.states
        lag = arguments.data[0]
        return Effect([], rates=[rate, (arguments.inputs[0] - ratio) / lag**2 - 2 * rate / lag])
