r"""Compliant teeth: spring and damper along the line of action, with backlash on both flanks and transmission error.

With g the arc by which wheel a is ahead of b on the pitch line (the row of the mesh, modulo the pitch), C the clearance
of the pitch surfaces (how far the centres have moved apart), alpha the transverse working pressure angle, and e the
static transmission error:

    u   = g cos(alpha) - e                               dynamic minus static transmission error, Bai (3.3) and page 45
    d_f = u - C sin(alpha) - B                           depth of the front flanks of a's teeth
    d_b = -u - C sin(alpha) - B                          depth of their back flanks; 2 B the backlash
    F   = f(d_f) - f(d_b) (+ c u' in the backlash, where the law has it)              Bai (3.4)

f is one of the laws of :mod:`wheelwork.equations.backlash_laws`. The flanks lie at the angle alpha to the pitch line,
which is why moving the centres apart by C opens both by C sin(alpha). The force acts as the gradient of these depths
says: G^T F cos(alpha) along the row of the mesh, and (f(d_f) + f(d_b)) sin(alpha) along the line of centres, which
pushes the wheels apart and loads their bearings. g cos(alpha) is R_1 theta_1 - R_2 theta_2 with base radii, so F and k
are counted along the transverse line of action; in helical meshes the axial force F cos(alpha) tan(beta) comes from the
row.

`linear` (one flank that never leaves the other): F = k d + c d', d = u - C sin(alpha) on the front flank, d = u + C
sin(alpha) on the back flank.

Stiffness k(tau) and error e depend on the phase of the mesh (:mod:`wheelwork.layout.teeth`), which follows the arc
rolled by a; e may also repeat with the turns of a or b. Stored energy is k d^2/2 of each flank. A stiffness or an
error that varies does work on the wheels, as a motor would that pushes the teeth: it is the signal `power.excitation`

    P = sum of k' d^2/2 - F e'

so that what a mechanism's energy gains is the power of its drives and P, less `power.loss`.

Losses (`efficiency` or `friction` of the mesh) are Coulomb friction against rolling as in a rigid mesh, made smooth:
F_f = c |F| cos(alpha) v/sqrt(v^2 + v_0^2), v the speed of rolling and v_0 the `slip_speed`. With `losses: flanks` they
are friction along the flanks, pair by pair (:mod:`.flank_friction`).

    phase         of the row, minus the `offset` on the pitch line                             m
    arc_a, arc_b  arcs rolled by a and b at the given position                                m
    tau           phase of the mesh at the given position                                     1
    B             half the backlash                                                           m
    k, ...        stiffness: its mean and course (:mod:`.course`)                             N/m
    damping       c, or 2 zeta sqrt(k m_e) with m_e of the two wheels                         N s/m
    loss, v_0     friction over |F_t| (of the flanks: mu); slip speed                         1, m/s
    A - C, E - C, tau_0   of the flanks, with `losses: flanks`                                m, m, 1
    E, phase      amplitude and phase of each error                                           m, rad

Departures from the source: damping in contact only, unless `law` is `printed`; C; the back flank has its own phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import ConfigDict

from wheelwork.description.base import Evaluate, Issue, Part, whole
from wheelwork.description.union import ByNameOrType
from wheelwork.description.values import Angle, Damping, Length, Number, Speed
from wheelwork.elements.meshes.teeth.base import ToothModel
from wheelwork.elements.meshes.teeth.compliant_numbers import (
    NumbersOfTeeth,
    arcs_at_rest,
    check,
    loss_of,
    most_pairs,
)
from wheelwork.elements.meshes.teeth.course import course, size
from wheelwork.elements.meshes.teeth.flank_friction import PathNumbers, flank_friction
from wheelwork.elements.meshes.teeth.materials import materials_of
from wheelwork.elements.meshes.teeth.mesh_force import (
    DEEPEST,
    MeshBinding,
    MeshForce,
    MeshView,
    check_offset,
    limits,
    own_numbers,
)
from wheelwork.elements.meshes.teeth.stiffness import IsoStiffness
from wheelwork.equations.backlash_laws import FLANKS
from wheelwork.equations.forces import Effect, along
from wheelwork.equations.mesh_equations import FORCES, SPEEDS
from wheelwork.layout.losses import from_teeth
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass
from wheelwork.lazy import numpy as np

if TYPE_CHECKING:
    pass

NEGLIGIBLE = 1e-12
"""Of the pitch."""
MOST_ORDER = 10**6
"""Of harmonics of an error: a thousand to a tooth of a wheel with a thousand teeth."""


class TransmissionErrorHarmonic(Part):
    """A part of the static transmission error: amplitude sin(order x angle + phase).

    Fields:
        amplitude [m]: along the line of action
        per: what it repeats with: `mesh` (a tooth), or a turn of wheel `a` or `b`, which is run-out
        order [1]: periods in one of these, a whole number
        phase [rad]: where the angle is 0: the mesh cycle begins (`mesh`), or at the given position (`a`, `b`)
    """

    amplitude: Length
    per: Literal["mesh", "a", "b"] = "mesh"
    order: int = 1
    phase: Angle = 0.0
    ranges: ClassVar = {"order": whole(1, MOST_ORDER)}


class CompliantForce(MeshForce):
    """Spring and damper along the line of action."""

    # -- numbers

    def bind_mesh(self, view: MeshView) -> MeshBinding:
        model, name = view.model, view.placed.name
        teeth = view.teeth
        kind = teeth.stiffness(name).kind
        gap = teeth.backlash(name) if model.backlash is None else model.backlash
        open_flanks = model.law != "linear" and not (isinstance(gap, int | float) and gap == 0)
        ratio = None if model.damping_ratio is None else view.value(model.damping_ratio)
        # c = 2 zeta sqrt(k m_e), of m_e u'' + c u' + k u = 0: Bai (3.1) with a damper
        critical = None if ratio is None else 2 * ratio * ca.sqrt(view.equivalent_mass)
        check(view)
        rubs = "" if (loss := loss_of(view, teeth)) is None else model.losses
        most = most_pairs(view) if rubs == "flanks" else 0

        found = NumbersOfTeeth(view, kind, critical, rubs == "flanks")
        numbers = dict(zip(found.names, ca.vertsplit(ca.SX(found(teeth))), strict=True))
        if model.phase is not None:
            numbers["tau"] = view.value(model.phase)
        if model.backlash is not None:
            numbers["half"] = view.value(model.backlash) / 2
        if found.plain:
            numbers["k"] = view.value(model.stiffness.value)
        if critical is None:
            numbers["damping"] = ca.SX(0) if model.damping is None else view.value(model.damping)
        elif found.plain:
            numbers["damping"] = critical * ca.sqrt(numbers["k"])
        if view.turn < 0:
            half, pitch = (float(teeth.number(x)[0]) for x in (numbers["half"], view.numbers["pitch"]))
            cosine = 1 / np.sqrt(1 + float(teeth.number(view.numbers["tan_alpha_t"])[0]) ** 2)
            along = abs(pitch) * cosine
            check_offset(view, half, DEEPEST * along if view.geometry.has_teeth else along / 2 - half)
        ahead = view.value(model.offset) * ca.sqrt(1 + view.numbers["tan_alpha_t"] ** 2)
        mesh = view.data_with(phase=view.numbers["phase"] - ahead)
        start = sum(ca.SX(part).numel() for part in mesh) + 2
        data = [*mesh, *arcs_at_rest(view), *numbers.values()]
        kept = [start + k for k in found.kept]
        lossy = rubs == "mean" and from_teeth(view.placed.element, view.equations)
        if lossy:
            kept.append(start + len(numbers))
        data += [ca.SX(0) if loss is None else loss, view.value(model.slip_speed)]
        for error in model.errors:
            data += [view.value(error.amplitude), view.value(error.phase)]

        def recompute(values: Mapping[str, float]) -> np.ndarray:
            at = view.teeth_at(values)
            loss = at.number(loss_of(view, at)) if lossy else []
            return np.concatenate([found(at)[found.kept], loss])

        return MeshBinding(
            data,
            (
                model.law if model.law != "linear" else f"linear {model.flank}",
                open_flanks,
                kind,
                (rubs, most),
                tuple((error.per, error.order) for error in model.errors),
                view.geometry.against,
                view.geometry.has_teeth,
            ),
            kept,
            recompute,
        )

    def phase_place(self, options):
        _, _, _, kind, (rubs, _), *_ = options
        return own_numbers(options) + 2 if size(kind) or rubs == "flanks" else None

    def cycle_place(self, options):
        errors = options[5]
        return own_numbers(options) + 2 if errors else self.phase_place(options)

    def at_mean(self, data, options):
        _, _, _, kind, (rubs, _), *_ = options
        if rubs == "flanks":
            return None
        first, out = own_numbers(options) + 4, np.array(data)
        mean, out[first + 1 : first + 1 + size(kind)] = out[first], 0.0
        if kind[0] != "series":
            out[first + 2] = mean  # of lines: where they begin
        return out

    # -- equations

    def effect(self, arguments):
        equations, a, b, x, data = self.mesh(arguments)
        _, law, open_flanks, kind, (rubs, most), errors, counted, has_teeth = arguments.options
        arc_a0, arc_b0, tau_0, half, k_0 = ca.vertsplit(data[:5])
        varying, data = data[5 : 5 + size(kind)], data[5 + size(kind) :]
        damping = data[0]
        own = data[1:4] if rubs == "flanks" else ca.SX(0, 1)
        loss, slip = ca.vertsplit(data[1 + own.numel() : 3 + own.numel()])
        amplitudes = data[3 + own.numel() :]

        row, roll, apart = (
            equations.no_slip(a, b, x),
            equations.rolling(a, b, x),
            equations.clearance(a, b, x),
        )
        cosine = 1 / ca.sqrt(1 + x["tan_alpha_t"] ** 2)
        sine = x["tan_alpha_t"] * cosine
        g, g_rate = equations.residual(a, b, x, arguments.turns if counted else None, counted), row.rate(a, b)
        rolling = roll.rate(a, b)
        arc_a, arc_b = roll.value + row.value / 2 - arc_a0, roll.value - row.value / 2 - arc_b0
        speed_a, speed_b = rolling + g_rate / 2, rolling - g_rate / 2
        tau, tau_rate = tau_0 + arc_a / x["pitch"], speed_a / x["pitch"]

        turning = {
            "mesh": (2 * ca.pi * tau, 2 * ca.pi * tau_rate),
            "a": (arc_a / x["r_a"], speed_a / x["r_a"]),
        }
        if "r_b" in x:
            turning["b"] = (arc_b / x["r_b"], speed_b / x["r_b"])
        error, error_rate = _static_error(errors, amplitudes, turning)

        u, u_rate = g * cosine - error, g_rate * cosine - error_rate  # Bai (3.3)
        spread, spread_rate = apart.value * sine, apart.rate(a, b) * sine
        k_of = course(kind, k_0, varying, tau, tau_rate)
        # Without backlash front flanks touch by a negligible depth, so that small motions about the given position see
        # the spring, whatever the last digit of the distance of the axes.
        closed = 0.0 if open_flanks else NEGLIGIBLE * x["pitch"]
        front = _Side(1.0, *k_of.front, u - spread - half + closed, u_rate - spread_rate)
        back = _Side(-1.0, *k_of.back, -u - spread - half, -u_rate - spread_rate)
        if law.startswith("linear"):
            on = _stuck(front if law.endswith("front") else back, half, damping, k_of.jumps)
        else:
            on = _pressed(law, front, back, damping, u_rate)
            kinks = [front.depth, back.depth] if open_flanks else [u]
            for jump, side in zip(k_of.jumps, (front, back), strict=False):
                kinks.append(ca.if_else(side.depth > 0, jump, 1.0))
            on = replace(on, events=kinks)

        tangential = on.force * cosine
        wrenches = _sum(along(row, -tangential), along(apart, on.load * sine))
        values = equations.force_signals(a, b, x, tangential, spread=on.load * cosine)
        friction, lost, added = ca.SX(0), on.lost, (ca.SX(3, 1), ca.SX(3, 1))
        if rubs == "mean":
            friction = loss * ca.fabs(tangential) * rolling / ca.sqrt(rolling**2 + slip**2)
            wrenches = _sum(wrenches, along(roll, -friction))
            lost += friction * rolling
            added = equations.friction_forces(a, b, x, -friction)
        elif rubs:
            path = PathNumbers(own[0], own[1], x["pitch"] * cosine, most)
            point, directions = equations.contact_point(a, b, x), equations.directions(a, b, x)
            for sign, pushed in on.touching:
                normal = sign * cosine * directions.tangential + sine * directions.radial
                phase = tau if sign > 0 else 2 * own[2] - tau
                on_b = flank_friction(a, b, point, normal, loss * pushed, phase, path, slip)
                wrenches = _sum(wrenches, on_b.wrenches(a, b, point))
                friction, lost = friction - sign * on_b.along, lost + on_b.lost
                added = _sum([added], [on_b.on_wheels(a, b, x, point)])[0]
        if rubs:
            values = [*values[:-6], *ca.vertsplit(ca.vertcat(*values[-6:]) + ca.vertcat(*added))]

        named = zip({**FORCES, **SPEEDS}.items(), [*values, rolling, tangential * rolling], strict=True)
        signals = {label: (value, *words) for (label, words), value in named}
        if rubs:
            words = FRICTION + (ALONG_FLANKS if rubs == "flanks" else "")
            signals["friction.force"] = (-friction, "N", words)
        excited = on.drift - on.force * error_rate
        own_values = (on.force, on.deflection, on.gap, on.side, g * cosine, error, on.stiffness)
        own_values = (*own_values, tau - ca.floor(tau), lost, excited)
        for (label, words), value in zip(SIGNALS.items(), own_values, strict=True):
            signals[label] = (ca.SX(value), *words)
        # without tooth numbers no depth is too deep, and nothing skips where turns are counted
        depth = on.deepest if has_teeth else ca.SX(0)
        teeth = None if counted else limits(g, depth, x["pitch"], cosine)
        return Effect(wrenches, potential=on.energy, signals=signals, events=on.events, teeth=teeth)


SIGNALS = {
    "force.transverse": (
        "N",
        "force along the transverse line of action; positive: on the front flanks of a",
    ),
    "deflection": ("m", "of the teeth along the line of action; positive: front flanks of a"),
    "gap": ("m", "distance of the nearer flanks along the line of action (negative: pressed)"),
    "side": ("1", "which flanks of a touch: 1 front, -1 back, 0 none"),
    "transmission_error": ("m", "by how much a is ahead of b along the line of action"),
    "static_error": ("m", "static transmission error"),
    "stiffness": ("N/m", "of the teeth in mesh"),
    "phase": ("1", "of the mesh, in mesh cycles"),
    "power.loss": ("W", "power lost in the mesh"),
    "power.excitation": ("W", "power of varying stiffness and error"),
}
"""Unit and meaning of the signals that only compliant teeth have."""
FRICTION = "dry friction force on body b"
ALONG_FLANKS = ", along the flanks; positive: as beyond the pitch point while a drives forwards"


class _Side(NamedTuple):
    """The flanks of one side of a's teeth: 1 front, -1 back; stiffness, depth and their rates."""

    sign: float
    k: ca.SX
    k_rate: ca.SX
    depth: ca.SX
    rate: ca.SX


@dataclass(frozen=True)
class _FlankForces:
    """What springs and dampers of both sides do.

    force       F [N], positive on the front flanks of a
    load        what both sides are pressed with together [N]
    lost        power [W] in the dampers; drift: that of a stiffness that varies; energy [J] in the springs
    touching    sign and force of each side
    """

    force: ca.SX
    load: ca.SX
    lost: ca.SX
    energy: ca.SX
    drift: ca.SX
    touching: list[tuple[float, ca.SX]]
    stiffness: ca.SX
    deflection: ca.SX
    deepest: ca.SX
    side: ca.SX
    gap: ca.SX
    events: list[ca.SX]


def _static_error(
    errors: tuple[tuple[str, int], ...], amplitudes: ca.SX, turning: Mapping[str, tuple[ca.SX, ca.SX]]
) -> tuple[ca.SX, ca.SX]:
    """e, a sum of harmonics of what turns, and its rate."""
    error = error_rate = ca.SX(0)
    for i, (per, order) in enumerate(errors):
        angle, rate = turning[per]
        argument = order * angle + amplitudes[2 * i + 1]
        error += amplitudes[2 * i] * ca.sin(argument)
        error_rate += amplitudes[2 * i] * ca.cos(argument) * order * rate
    return error, error_rate


def _stuck(on: _Side, half: ca.SX, damping: ca.SX, jumps: Sequence[ca.SX]) -> _FlankForces:
    """`linear`: F = k d + c d' of one side, which knows no backlash."""
    depth = on.depth + half
    pushed = on.k * depth + damping * on.rate
    return _FlankForces(
        force=on.sign * pushed,
        load=pushed,
        lost=damping * on.rate**2,
        energy=on.k * depth**2 / 2,
        drift=on.k_rate * depth**2 / 2,
        touching=[(on.sign, ca.fabs(pushed))],
        stiffness=on.k,
        deflection=on.sign * depth,
        deepest=ca.fabs(depth),
        side=ca.SX(on.sign),
        gap=-depth,
        events=[jumps[0 if on.sign > 0 else 1]] if jumps else [],
    )


def _pressed(law: str, front: _Side, back: _Side, damping: ca.SX, u_rate: ca.SX) -> _FlankForces:
    """Bai (3.4): F = f(d_f) - f(d_b), and with the law `printed` c u' while neither side touches."""
    force = load = lost = energy = drift = ca.SX(0)
    touching = []
    for sign, k, k_rate, depth, rate in (front, back):
        pushed = FLANKS[law](k, damping, depth, rate)
        inside = ca.fmax(depth, 0.0)
        force, load = force + sign * pushed, load + pushed
        touching.append((sign, pushed))
        lost += (pushed - k * inside) * rate
        energy += k * inside**2 / 2
        drift += k_rate * inside**2 / 2
    d_f, d_b = front.depth, back.depth
    free = ca.logic_and(d_f <= 0, d_b <= 0)
    if law == "printed":
        drag = ca.if_else(free, damping * u_rate, 0.0)
        force, lost = force + drag, lost + drag * u_rate
    deepest = ca.fmax(d_f, d_b)
    return _FlankForces(
        force,
        load,
        lost,
        energy,
        drift,
        touching,
        stiffness=ca.if_else(d_b > 0, back.k, front.k),
        deflection=ca.fmax(d_f, 0.0) - ca.fmax(d_b, 0.0),
        deepest=deepest,
        side=ca.if_else(free, 0.0, ca.sign(d_f - d_b)),
        gap=-deepest,
        events=[],
    )


class CompliantTeeth(ToothModel):
    """Elastic teeth: a force along the line of action in place of a constraint. Removes no degree of freedom.

    Fields:
        stiffness [N/m]: along the transverse line of action: a number, `iso`, `energy`, `beam`, or a table;
            `iso` if left out, which needs `face_width` of the mesh
        damping [N s/m]: along the line of action
        damping_ratio [1]: of the two wheels on their teeth alone, to critical; instead of `damping`
        backlash [m]: clearance along the transverse line of action, both sides together; that of the teeth if left out
        law: `contact` (the damper acts in contact, teeth never pull), `elastic` (as `contact`, and the damper gives no
            more than the spring), `printed` (it acts in the backlash too), `linear` (teeth are stuck to each other)
        flank: with `linear`, on which flank of wheel a: `front` in the positive sense about its axis, or `back`
        phase [1]: of the mesh at the given position, in mesh cycles; follows from the teeth of all wheels if left out
        offset [m]: by how much wheel a is ahead of b at the given position, along the line of action; 0 is the middle
            of the backlash
        errors: harmonics of the static transmission error
        losses: how `friction` of the mesh acts: its `mean` over a mesh cycle, against rolling, or `flanks`: along the
            flanks of every pair in contact, turning round at the pitch point (straight teeth)
        slip_speed [m/s]: speed of rolling, or of sliding, at which the losses of the mesh are fully there
    """

    # Methods for the stiffness are gathered when the first one is made, as those of other packages may be among them.
    model_config = ConfigDict(defer_build=True)
    type: Literal["compliant"] = "compliant"
    stiffness: Annotated[Any, ByNameOrType(family="mesh_stiffnesses", bare="constant")] = IsoStiffness()
    damping: Damping | None = None
    damping_ratio: Number | None = None
    backlash: Length | None = None
    law: Literal["contact", "elastic", "printed", "linear"] = "contact"
    flank: Literal["front", "back"] = "front"
    phase: Number | None = None
    offset: Length = 0.0
    errors: tuple[TransmissionErrorHarmonic, ...] = ()
    losses: Literal["mean", "flanks"] = "mean"
    slip_speed: Speed = 1e-3
    positive = ("slip_speed",)
    not_negative = ("damping", "damping_ratio", "backlash")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if self.damping is not None and self.damping_ratio is not None:
            yield Issue(
                "damping_ratio", "damping is given twice: by `damping` and by `damping_ratio`", "give one"
            )

    def materials(self, value):
        return materials_of(self.stiffness, value)

    Equations = CompliantForce


def _sum(first: list, second: list) -> list:
    return [(f + g, t + s) for (f, t), (g, s) in zip(first, second, strict=True)]
