r"""Compliant teeth: spring and damper along the line of action, with backlash on both flanks and transmission error.

With g the arc by which wheel a is ahead of b on the pitch line (the row of the mesh, modulo the pitch), C the clearance
of the pitch surfaces (how far the centres have moved apart), alpha the transverse working pressure angle, and e the
static transmission error:

    u   = g cos(alpha) - e                               dynamic less static transmission error, Bai (3.3) and page 45
    d_f = u - C sin(alpha) - B                           depth of the front flanks of a's teeth
    d_b = -u - C sin(alpha) - B                          depth of their back flanks; 2 B the backlash
    F   = f(d_f) - f(d_b) (+ c u' in the backlash, where the law has it)              Bai (3.4)

f is one of the laws of :mod:`.laws`. The flanks lie at the angle alpha to the pitch line, which is why moving the
centres apart by C opens both by C sin(alpha). The force acts as the gradient of these depths says: G^T F cos(alpha)
along the row of the mesh, and (f(d_f) + f(d_b)) sin(alpha) along the line of centres, which pushes the wheels apart
and loads their bearings. g cos(alpha) is R_1 theta_1 - R_2 theta_2 with base radii, so F and k are counted along the
transverse line of action; in helical meshes the axial force F cos(alpha) tan(beta) comes from the row.

`linear` (one flank that never leaves the other): F = k d + c d', d = u - C sin(alpha) on the front flank, d = u + C
sin(alpha) on the back flank.

Stiffness k(tau) and error e depend on the phase of the mesh (:mod:`.tooth_numbers`), which follows the arc rolled by a;
e may also come back with the turns of a or b. Stored energy is k d^2/2 of each flank. A stiffness or an error that
varies does work on the wheels, as a motor would that pushes the teeth: it is the signal `power.excitation`

    P = sum of k' d^2/2 - F e'

so that what a mechanism's energy gains is the power of its drives and P, less `power.loss`.

Losses (`efficiency` or `friction` of the mesh) are Coulomb friction against rolling as in a rigid mesh, made smooth:
F_f = c |F| cos(alpha) v/sqrt(v^2 + v_0^2), v the speed of rolling and v_0 the `slip_speed`. With `losses: flanks` they
are friction along the flanks, pair by pair (:mod:`.flank_friction`).

    phase         of the row, less the `offset` on the pitch line                             m
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

from collections.abc import Mapping

import casadi as ca
import numpy as np

from ..forces import Effect, SignalExpression, along
from ..losses import from_teeth
from ..mesh_kernels import FORCES, SPEEDS, tooth_forces
from .base import DEEPEST, MeshBinding, MeshForce, MeshView, check_offset, limits
from .compliant_numbers import FoundNumbers, arcs_at_rest, check, loss_of, most_pairs
from .course import course, size
from .flank_friction import PathNumbers, flank_friction
from .laws import FLANKS

HAIR = 1e-12  # of the pitch


class CompliantTeeth(MeshForce):
    type = "compliant"

    # -- numbers

    def bind_mesh(self, view: MeshView) -> MeshBinding:
        model, name = view.model, view.placed.name
        teeth = view.teeth.at()
        kind = teeth.stiffness(name).kind
        gap = teeth.backlash(name) if model.backlash is None else model.backlash
        open_flanks = model.law != "linear" and not (isinstance(gap, int | float) and gap == 0)
        ratio = None if model.damping_ratio is None else view.value(model.damping_ratio)
        critical = None if ratio is None else 2 * ratio * ca.sqrt(view.equivalent_mass)
        check(view)
        rubs = "" if (loss := loss_of(view, teeth)) is None else model.losses
        most = most_pairs(view) if rubs == "flanks" else 0

        found = FoundNumbers(view, kind, critical, rubs == "flanks")
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
            at = view.teeth.at(values)
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

    # -- equations

    def effect(self, arguments):
        equations, a, b, x, data = self.mesh(arguments)
        _, law, open_flanks, kind, rubs, errors, counted, has_teeth = arguments.options
        arc_a0, arc_b0, tau_0, half, k_0 = ca.vertsplit(data[:5])
        varying, data = data[5 : 5 + size(kind)], data[5 + size(kind) :]
        rubs, most = rubs
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
        error = error_rate = ca.SX(0)
        for i, (per, order) in enumerate(errors):
            angle, rate = turning[per]
            argument = order * angle + amplitudes[2 * i + 1]
            error += amplitudes[2 * i] * ca.sin(argument)
            error_rate += amplitudes[2 * i] * ca.cos(argument) * order * rate

        u, u_rate = g * cosine - error, g_rate * cosine - error_rate
        spread, spread_rate = apart.value * sine, apart.rate(a, b) * sine
        k_of = course(kind, k_0, varying, tau, tau_rate)
        # Without backlash front flanks touch by a hair, so that small motions about the given position see the spring,
        # whatever the last digit of the distance of the axes.
        hair = 0.0 if open_flanks else HAIR * x["pitch"]
        # (sign of the flank, stiffness and its rate, depth and its rate)
        flanks = [
            (1.0, *k_of.front, u - spread - half + hair, u_rate - spread_rate),
            (-1.0, *k_of.back, -u - spread - half, -u_rate - spread_rate),
        ]
        force = load = lost = energy = drift = ca.SX(0)
        touching = []  # (sign of the flank, its force)
        if law.startswith("linear"):
            sign, k, k_rate, depth, rate = flanks[0 if law.endswith("front") else 1]
            depth += half  # stuck flanks know no backlash
            pushed = k * depth + damping * rate
            force, load, lost = sign * pushed, pushed, damping * rate**2
            touching = [(sign, ca.fabs(pushed))]
            energy, drift = k * depth**2 / 2, k_rate * depth**2 / 2
            stiffness, pressed, events = k, sign * depth, []
            side, gap = ca.SX(sign), -depth
            if k_of.jumps:
                events = [k_of.jumps[0 if sign > 0 else 1]]
            deepest = ca.fabs(depth)
        else:
            for sign, k, k_rate, depth, rate in flanks:
                pushed = FLANKS[law](k, damping, depth, rate)
                inside = ca.fmax(depth, 0.0)
                force, load = force + sign * pushed, load + pushed
                touching.append((sign, pushed))
                lost += (pushed - k * inside) * rate
                energy += k * inside**2 / 2
                drift += k_rate * inside**2 / 2
            (_, k_f, _, d_f, _), (_, k_b, _, d_b, _) = flanks
            free = ca.logic_and(d_f <= 0, d_b <= 0)
            if law == "printed":
                drag = ca.if_else(free, damping * u_rate, 0.0)
                force, lost = force + drag, lost + drag * u_rate
            stiffness = ca.if_else(d_b > 0, k_b, k_f)
            pressed = ca.fmax(d_f, 0.0) - ca.fmax(d_b, 0.0)
            deepest = ca.fmax(d_f, d_b)
            side, gap = ca.if_else(free, 0.0, ca.sign(d_f - d_b)), -deepest
            events = [d_f, d_b] if open_flanks else [u]
            for jump, depth in zip(k_of.jumps, (d_f, d_b), strict=False):
                events.append(ca.if_else(depth > 0, jump, 1.0))
        tangential, radial = force * cosine, load * cosine
        wrenches = _sum(along(row, -tangential), along(apart, load * sine))
        values = tooth_forces(equations, a, b, x, tangential, spread=radial)
        friction, added = ca.SX(0), (ca.SX(3, 1), ca.SX(3, 1))
        if rubs == "mean":
            friction = loss * ca.fabs(tangential) * rolling / ca.sqrt(rolling**2 + slip**2)
            wrenches = _sum(wrenches, along(roll, -friction))
            lost += friction * rolling
            added = equations.friction_forces(a, b, x, -friction)
        elif rubs:
            path = PathNumbers(own[0], own[1], x["pitch"] * cosine, most)
            point, directions = equations.contact_point(a, b, x), equations.directions(a, b, x)
            for sign, pushed in touching:
                normal = sign * cosine * directions.tangential + sine * directions.radial
                phase = tau if sign > 0 else 2 * own[2] - tau
                on_b = flank_friction(a, b, point, normal, loss * pushed, phase, path, slip)
                wrenches = _sum(wrenches, on_b.wrenches(a, b, point))
                friction, lost = friction - sign * on_b.along, lost + on_b.lost
                added = _sum([added], [on_b.on_wheels(a, b, x, point)])[0]
        if rubs:
            on_wheels = ca.vertcat(*values[-6:]) + ca.vertcat(*added)
            values = [*values[:-6], *ca.vertsplit(on_wheels)]
        named = zip({**FORCES, **SPEEDS}.items(), [*values, rolling, tangential * rolling], strict=True)
        signals = {label: SignalExpression(value, *words) for (label, words), value in named}
        if rubs:
            words = "dry friction force on body b"
            if rubs == "flanks":
                words += ", along the flanks; positive: as beyond the pitch point while a drives forwards"
            signals["friction.force"] = SignalExpression(-friction, "N", words)
        of_compliance = {
            "force.transverse": (
                force,
                "N",
                "force along the transverse line of action; positive: on the front flanks of a",
            ),
            "deflection": (
                pressed,
                "m",
                "of the teeth along the line of action; positive: front flanks of a",
            ),
            "gap": (gap, "m", "distance of the nearer flanks along the line of action (negative: pressed)"),
            "side": (side, "1", "which flanks of a touch: 1 front, -1 back, 0 none"),
            "transmission_error": (g * cosine, "m", "by how much a is ahead of b along the line of action"),
            "static_error": (error, "m", "static transmission error"),
            "stiffness": (stiffness, "N/m", "of the teeth in mesh"),
            "phase": (tau - ca.floor(tau), "1", "of the mesh, in mesh cycles"),
            "power.loss": (lost, "W", "power lost in the mesh"),
            "power.excitation": (drift - force * error_rate, "W", "power of varying stiffness and error"),
        }
        for label, (value, unit, meaning) in of_compliance.items():
            signals[label] = SignalExpression(ca.SX(value), unit, meaning)
        # without tooth numbers no depth is too deep, and nothing skips where turns are counted
        depth = deepest if has_teeth else ca.SX(0)
        teeth = None if counted else limits(g, depth, x["pitch"], cosine)
        return Effect(wrenches, potential=energy, signals=signals, events=events, teeth=teeth)


def _sum(first: list, second: list) -> list:
    return [(f + g, t + s) for (f, t), (g, s) in zip(first, second, strict=True)]
