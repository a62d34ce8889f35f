r"""Strain-wave gear (harmonic drive): wave generator w, flexspline f and circular spline c on one axis.

With z_f and z_c teeth and the angles against the circular spline, phi_w and phi_f, over any number of turns:

    phi_f = -phi_w/N + error,   N = z_f/(z_c - z_f)

so that with the circular spline held the flexspline turns N times slower, backwards, and with the flexspline held the
circular one N + 1 times slower, forwards. Rigid, where no stiffness is given, this is a constraint of three bodies: its
multiplier gives the torque T on the flexspline, and the other torques are as below. It holds at the given position,
from which on the error counts. Elastic, the flexspline is wound up by

    e = phi_f + phi_w/N - sum of A sin(n phi_w + phase)     kinematic error: n = 2 is twice in a turn
    T = T_s(e) + h + c e'                                   -T acts on f, -T de/dphi_w on w, the rest on c
    T_s                                                     one to three straight pieces, as in catalogues: K_1 up to
                                                            the torque T_1, K_2 up to T_2, K_3 beyond, in both senses
    h' = s (e' - |e'| h/H),   s = H/a                       hysteresis (Dahl): h is a state of its own, H its torque, a
                                                            the angle over which it builds up

The torques add up to nothing, and so do their powers but for what is stored, the integral of T_s and h^2/(2 s), and
what is lost, |e'| h^2/H + c e'^2. After a turn back from h = H it is h = H (2 exp(-|de|/a) - 1): at zero torque the
windup is left at H/K_1 to either side of the middle, half of what catalogues call hysteresis loss. Where T_s has a
kink is an event.

Hysteresis: P. R. Dahl, A solid friction model, Aerospace Corporation TOR-0158(3107-18)-1, 1968. Left out: friction that
grows with speed and load in wave generator and teeth, which is a `friction` or a formula at its bearing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

from wheelwork.description.base import PLANAR, SPATIAL, Evaluate, Issue, Part, Range, Ref
from wheelwork.description.union import ByShape
from wheelwork.description.values import (
    Z_AXIS,
    Angle,
    Axis,
    Length,
    Torque,
    TorsionalDamping,
    TorsionalStiffness,
)
from wheelwork.elements.forces.base import GearedRate, Load
from wheelwork.equations.forces import Binding, Effect, along
from wheelwork.equations.joint_equations import Driven
from wheelwork.equations.relation import RatioHarmonic, Relation, ShaftAngle
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca
from wheelwork.trains.train import GearEdge

MOST_PIECES = 3
"""Of the stiffness, as catalogues give it."""


class KinematicError(Part):
    """A part of the kinematic error of a strain-wave gear: amplitude sin(order x angle of the wave generator + phase).

    Fields:
        amplitude [rad]: at the flexspline
        order [1]: periods in a turn of the wave generator against the circular spline, a whole number
        phase [rad]: at the given position
    """

    amplitude: Angle
    order: int = 2
    phase: Angle = 0.0
    ranges: ClassVar = {"order": Range("be a whole number, at least 1", lambda x: x >= 1)}


class StrainWave(Load):
    """Strain-wave gear between three coaxial bodies, with torsional stiffness, hysteresis and kinematic error.

    Rigid where `stiffness` is left out; it then removes 1 degree of freedom.

    Fields:
        wave_generator: name of the body with the wave generator, the fast shaft
        flexspline: name of the body with the flexspline, the output as a rule
        circular_spline: name of the body with the circular spline; ground where left out
        axis [1]: of all three, in the world at the assembled position; z in the plane
        teeth [1]: of flexspline and circular spline, which has more: two as a rule
        stiffness [N m/rad]: at the flexspline: K_1, or a list of up to three, K_1 and on; rigid where left out
        limits [N m]: torques at which the stiffness changes: T_1 where there are two, T_1 and T_2 where there are three
        damping [N m s/rad]: torque at the flexspline for each unit of the rate of windup
        hysteresis [N m]: largest torque of the hysteresis
        hysteresis_angle [rad]: windup over which it builds up, with `hysteresis`
        errors: parts of the kinematic error
        radius [m]: pitch radius of the circular spline, for pictures
    """

    type: Literal["strain_wave"] = "strain_wave"
    wave_generator: Annotated[str, Ref("moving body")]
    flexspline: Annotated[str, Ref("body")]
    circular_spline: Annotated[str, Ref("body")] = "ground"
    axis: Axis | None = None
    teeth: tuple[int, int]
    stiffness: Annotated[TorsionalStiffness | tuple[TorsionalStiffness, ...] | None, ByShape()] = None
    limits: tuple[Torque, ...] = ()
    damping: TorsionalDamping = 0.0
    hysteresis: Torque = 0.0
    hysteresis_angle: Angle | None = None
    errors: tuple[KinematicError, ...] = ()
    radius: Length | None = None
    noun = "strain-wave gear"
    has_flexspline = True
    load_signals = ("torque_flexspline",)
    positive = ("stiffness", "radius", "hysteresis_angle")
    not_negative = ("damping", "hysteresis")

    @property
    def ratio(self) -> float:
        """N: speed of the wave generator over that of the flexspline, with the circular spline held, without sign."""
        return self.teeth[0] / (self.teeth[1] - self.teeth[0])

    def filled(self, kind: str) -> dict[str, Any]:
        return {"axis": Z_AXIS} if kind == PLANAR and self.axis is None else {}

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        if kind == SPATIAL and self.axis is None:
            yield Issue("axis", "`axis` is missing: the axis of all three bodies")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if len({self.wave_generator, self.flexspline, self.circular_spline}) < 3:
            yield Issue(
                "flexspline", "needs three different bodies: wave generator, flexspline and circular spline"
            )
        z_f, z_c = self.teeth
        if z_f < 4:
            yield Issue("teeth", f"the flexspline needs 4 teeth or more, but has {z_f}")
        elif z_c <= z_f:
            text = f"the circular spline has more teeth than the flexspline, but `teeth` are {z_f} and {z_c}"
            yield Issue("teeth", text, "give those of the flexspline first; the difference is 2 as a rule")
        elif (z_c - z_f) % 2:
            text = f"the difference of the teeth must be even, as they mesh at two places, but is {z_c - z_f}"
            yield Issue("teeth", text)
        if self.stiffness is None:
            for name in ("damping", "hysteresis"):
                if value(getattr(self, name)) != 0:
                    yield Issue(name, "requires a `stiffness`: without one it is rigid")
        yield from self._wrong_pieces(value)
        yield from self._turning_back(value)
        if self._has_hysteresis != (self.hysteresis_angle is not None):
            yield Issue("hysteresis_angle", "requires `hysteresis`: give both, or none")

    def _wrong_pieces(self, value: Evaluate) -> Iterator[Issue]:
        pieces, count = len(self._pieces), len(self.limits)
        if self.stiffness is None:
            if count:
                yield Issue("limits", "requires a `stiffness`: without one it is rigid")
        elif not 1 <= pieces <= MOST_PIECES:
            yield Issue("stiffness", f"needs one number, or a list of one to {MOST_PIECES}, but has {pieces}")
        elif count != pieces - 1:
            change = (
                "1 value of `stiffness` changes at no torque",
                "2 values of `stiffness` change at 1 torque",
            )
            text = (*change, "3 values of `stiffness` change at 2 torques")[pieces - 1]
            yield Issue("limits", f"{text}, but `limits` has {count}")
        at = [0.0, *(x for x in map(value, self.limits) if x is not None)]
        if any(high <= low for low, high in pairwise(at)):
            given = " and ".join(f"{x:g}" for x in at[1:])
            yield Issue("limits", f"must be greater than zero and increase, but has {given} N m")

    def _turning_back(self, value: Evaluate) -> Iterator[Issue]:
        """A rigid gear whose error makes the flexspline stand still cannot be driven from there."""
        slopes = [(value(error.amplitude), error.order) for error in self.errors]
        if self.stiffness is None and 0 < self.teeth[0] < self.teeth[1]:
            steepest = sum(abs(amplitude) * order for amplitude, order in slopes if amplitude is not None)
            if steepest >= 1 / self.ratio:
                yield Issue(
                    "errors",
                    f"amplitude times order adds up to {steepest:.4g}, but must be less than 1/N = "
                    f"{1 / self.ratio:.4g}: a rigid flexspline would stand still, or turn back, while the wave "
                    "generator turns on",
                    "make the errors smaller, or give a `stiffness`",
                )

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> StrainWave:
        return cls(
            wave_generator=bodies[0],
            flexspline=bodies[1],
            axis=None if kind == PLANAR else (0.2, 1.0, 0.4),
            teeth=(20, 22),
            stiffness=4.0,
            damping=0.7,
            errors=(KinematicError(amplitude=0.01),),
        )

    @property
    def _pieces(self) -> tuple[Any, ...]:
        """K_1 and on."""
        given = self.stiffness
        return given if isinstance(given, tuple) else () if given is None else (given,)

    @property
    def _has_hysteresis(self) -> bool:
        return not (isinstance(self.hysteresis, int | float) and self.hysteresis == 0)

    def join_train(self, train, layout, placed):
        axes, number = layout.place(placed).axes_along(self.axis), layout.number
        shafts = (self.wave_generator, self.flexspline)
        origins = (layout.bodies[body].frame.position for body in shafts)
        lines = [
            train.line_of(body, number(axes[:, 2]).tolist(), number(origin).tolist())
            for body, origin in zip(shafts, origins, strict=True)
        ]
        train.add_gear(
            GearEdge(
                placed.name,
                shafts,
                (Fraction(self.teeth[1] - self.teeth[0]), Fraction(self.teeth[0])),
                -1,
                (lines[0], lines[1]),
                self.type,
                toothed=False,
                source=placed,
                carrier=self.circular_spline,
            )
        )

    def geared_rates(self, values):
        return GearedRate(1 / self.ratio, 0, 2, 2), GearedRate(1.0, 1, 2, 2)

    def _links(self, context: Any) -> tuple[list[str], list[ca.SX], list[int]]:
        """Wave generator, flexspline and circular spline, their markers, and the angles of the first two against it."""
        place = context.place
        bodies = [self.wave_generator, self.flexspline, self.circular_spline]
        axes = place.axes_along(self.axis)
        context.check_axis(bodies, axes)
        markers = [place.world_marker(b, place.layout.bodies[b].frame.position, axes) for b in bodies]
        turns = [context.turn([bodies[2], b], [markers[2], markers[k]]) for k, b in enumerate(bodies[:2])]
        return bodies, markers, turns

    @property
    def is_rigid(self) -> bool:
        return self.stiffness is None

    def add_to(self, builder: Any, placed: Any) -> None:
        if self.stiffness is not None:
            super().add_to(builder, placed)
            return
        context = builder.context(placed)
        bodies, markers, turns = self._links(context)
        value = context.place.value
        errors = [RatioHarmonic(e.order, value(e.amplitude), value(e.phase)) for e in self.errors]
        builder.add_relation(
            placed,
            Relation(
                [ca.SX(1 / self.ratio), ca.SX(1)],
                [
                    Driven(ShaftAngle(), "angle", [bodies[2], bodies[k]], (markers[2], markers[k]), turns[k])
                    for k in (0, 1)
                ],
                labels=["torque_wave_generator", "torque_flexspline"],
                supported=("torque_circular_spline",),
                offset=-sum((e.amplitude * ca.sin(e.phase) for e in errors), ca.SX(0)),
                harmonics=errors,
            ),
        )

    def bind(self, context):
        place = context.place
        bodies, markers, turns = self._links(context)
        own = self._pieces
        given = [*own, *self.limits, self.damping]
        if self._has_hysteresis:
            given += [self.hysteresis, self.hysteresis_angle]
        for error in self.errors:
            given += [error.amplitude, error.phase]
        data = [*markers, ca.SX(self.ratio), *map(place.value, given)]
        options = (len(own), self._has_hysteresis, tuple(error.order for error in self.errors))
        return Binding(
            bodies, data, turns=turns, options=options, states=[0.0] if self._has_hysteresis else []
        )

    @staticmethod
    def effect(arguments):
        pieces, hysteresis, orders = arguments.options
        w, f, circular = (arguments.marker(k, 12 * k) for k in range(3))
        N, *data = ca.vertsplit(arguments.data[36:])
        own, data = data[:pieces], data[pieces:]
        limits, data = data[: pieces - 1], data[pieces - 1 :]
        damping, data = data[0], data[1:]
        held, data = (data[:2], data[2:]) if hysteresis else ([], data)
        of_w, of_f = (turn_about_axis(circular, m, arguments.turns[k]) for k, m in enumerate((w, f)))
        wave = of_w.value
        error, slope = ca.SX(0), ca.SX(0)
        for k, order in enumerate(orders):
            amplitude, phase = data[2 * k : 2 * k + 2]
            error += amplitude * ca.sin(order * wave + phase)
            slope += amplitude * order * ca.cos(order * wave + phase)
        windup = of_f.value + wave / N - error
        by_wave = 1 / N - slope  # de/dphi_w
        rate = of_f.rate(circular, f) + by_wave * of_w.rate(circular, w)

        spring, stored, events = _spring(windup, own, limits)
        h, lost, rates = ca.SX(0), damping * rate**2, None
        if hysteresis:
            (h,), (H, angle) = arguments.states, held
            rates = [H / angle * (rate - ca.fabs(rate) * h / H)]
            stored += h**2 * angle / (2 * H)
            lost += ca.fabs(rate) * h**2 / H
            events.append(rate)
        torque = spring + h + damping * rate
        (on_c, on_f), (back, on_w) = along(of_f, -torque), along(of_w, -torque * by_wave)
        reaction = (on_c[0] + back[0], on_c[1] + back[1])
        signals = {
            "windup": (windup, "rad", "of the flexspline"),
            "error": (error, "rad", "kinematic error at the flexspline"),
            "torque_wave_generator": (
                -torque * by_wave,
                "N m",
                "torque on the wave generator about the axis",
            ),
            "torque_flexspline": (-torque, "N m", "torque on the flexspline about the axis"),
            "torque_circular_spline": (
                torque * (1 + by_wave),
                "N m",
                "torque on the circular spline about the axis",
            ),
            "hysteresis": (h, "N m", "part of the torque that hysteresis holds"),
            "loss": (lost, "W", "power lost in hysteresis and damping"),
        }
        return Effect([on_w, on_f, reaction], potential=stored, signals=signals, events=events, rates=rates)


def _spring(windup: ca.SX, own: list[ca.SX], limits: list[ca.SX]) -> tuple[ca.SX, ca.SX, list[ca.SX]]:
    """Torque, stored energy, and what changes sign at the kinks; written so that its slope is K_1 at zero, too."""
    torque, stored, kinks = own[0] * windup, own[0] * windup**2 / 2, []
    place, reached = ca.SX(0), ca.SX(0)
    for limit, before, after in zip(limits, own[:-1], own[1:], strict=True):
        place, reached = place + (limit - reached) / before, limit
        beyond = [ca.fmax(windup - place, 0.0), ca.fmin(windup + place, 0.0)]
        torque += (after - before) * (beyond[0] + beyond[1])
        stored += (after - before) * (beyond[0] ** 2 + beyond[1] ** 2) / 2
        kinks.append(ca.fabs(windup) - place)
    return torque, stored, kinks
