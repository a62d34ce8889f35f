r"""Strands of a belt that stretch, go slack, creep and slip on their pulleys.

With g the arc that pulley a is ahead of b (the row of :mod:`wheelwork.elements.meshes.belt`) and D the length of belt
that the distance d of the axes takes up for each strand, the strands are stretched beyond their length at rest by

    x_1 = x_0 + z + D - D_0,   x_2 = x_0 - z + D - D_0          x_0 = T_0/k
    D = sqrt(d^2 - q^2) + q asin(q/d),   q = r_a - sigma r_b    dD/dd = cos(theta)

z is what pulley a has gone ahead of b less what the belt has crept and slipped on them, z' = g' - s'. Of a toothed belt
that never jumps it is g less its value at the given position, modulo the pitch. Pulls are T_i = k x_i + c x_i', never
negative: a slack strand carries nothing. k = EA/L for each, with the length L of a strand from pulley to pulley at the
given position. Strand 1 is the one that a pulls when it drives in the positive sense. The belt pushes with
F_t = T_1 - T_2 and draws the pulleys together, which is -T_1 grad x_1 - T_2 grad x_2.

F_t never exceeds its limit, |z| never what makes the springs pull that much, z_lim:

    F_lim = (T_1 + T_2) tanh(mu' phi/2)     z_lim = (x_0 + D - D_0) tanh(mu' phi/2)
        of flat and V belts: T_1 = T_2 exp(mu' phi), Euler and Eytelwein
    F_lim = `jump_force`                    z_lim = F_lim/2k, or F_lim/k - (x_0 + D - D_0) where strand 2 is slack
        of toothed belts: beyond it they ratchet over the teeth

    s' = |v| F_t/(EA)                       below it: elastic creep of flat and V belts, v the speed of the belt
    s' = g' - (+-z_lim)'                    at it: all that a gains on b is slip, and F_t s' is lost

phi is the smaller arc of contact, pi - 2 |theta| of an open belt and pi + 2 |theta| of a crossed one, mu' = mu, or
mu/sin(groove/2) of a V belt. Dampers that would pull more than the limit pull that much. The belt holds again when z
would come back from the limit. To see that without a mode, a state y follows, z = y limited to +-z_lim and

    y' = g' - |v| F_t/(EA) - v_1 (y - z)/(0.01 z_lim at rest)

so that y is ahead of z by 1 percent of z_lim for each v_1, `slip_speed`, of slip, and the belt holds again later by
the time in which y comes back, 0.01 z_lim/v_1. Nothing else depends on v_1.

Creep: K. L. Johnson, Contact Mechanics, 1985, section 8.2. Left out: mass of the belt and with it centrifugal tension,
bending, and how arcs of creep grow when the load changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue, radians_hint
from wheelwork.description.values import Angle, Damping, Force, Number, Speed
from wheelwork.elements.meshes.teeth.base import ToothModel
from wheelwork.elements.meshes.teeth.mesh_force import MeshBinding, MeshForce, MeshView
from wheelwork.equations.backlash_laws import contact, pressed
from wheelwork.equations.forces import Effect, SignalExpression, ToothLimits, along
from wheelwork.equations.mesh_equations import SPEEDS
from wheelwork.equations.mesh_rows import combination
from wheelwork.equations.rows import separation
from wheelwork.lazy import casadi as ca

AHEAD = 0.01
"""Part of the stretch at the limit by which the state of a belt is ahead of it at the slip `slip_speed`."""


class StrandForces(MeshForce):
    """Pulls of two strands, with states y and the integral of g' - y'."""

    no_efficiency = "a belt with `strands` has no `efficiency`: it loses what creep, slip and damping take"

    def bind_mesh(self, view: MeshView) -> MeshBinding:
        model, mesh, value = view.model, view.placed.element, view.value
        x, distance = view.numbers, view.geometry.distance
        toothed = mesh.teeth is not None
        if not toothed and model.friction is None:
            raise ValueError("a flat or V belt holds by `friction`; give it, or `teeth` of a toothed belt")
        if toothed and model.friction is not None:
            raise ValueError(
                "a toothed belt does not hold by `friction`; give `jump_force`, or leave out `teeth`"
            )
        if not toothed and model.jump_force is not None:
            raise ValueError("`jump_force` is for toothed belts; give `teeth` and `pitch`, or leave it out")
        if not toothed and float(view.teeth.number(x["tension"])[0]) <= 0:
            raise ValueError("a belt without teeth holds nothing without `tension` of the mesh; give it")
        q = x["r_a"] - x["sign"] * x["r_b"]
        length = ca.sqrt(distance**2 - q**2)
        theta = ca.asin(q / distance)
        arc = ca.pi - 2 * ca.fabs(theta) if not mesh.crossed else ca.pi + 2 * ca.fabs(theta)
        friction = ca.SX(0) if model.friction is None else value(model.friction)
        if model.groove_angle is not None:
            friction = friction / ca.sin(value(model.groove_angle) / 2)
        stiff = value(model.axial_stiffness)
        limit = ca.SX(0) if model.jump_force is None else value(model.jump_force)
        data = view.data_with()
        data += [stiff / length, value(model.damping), length + q * theta, stiff]
        data += [ca.tanh(friction * arc / 2), limit, value(model.slip_speed)]
        kind = "jumps" if model.jump_force is not None else "holds" if toothed else "slips"
        return MeshBinding(data, (kind,), states=[] if kind == "holds" else [0.0, 0.0])

    def effect(self, arguments):
        equations, a, b, x, data = self.mesh(arguments)
        _, kind = arguments.options
        k, c, taken_0, stiff, grip, jump, slip_speed = ca.vertsplit(data)
        apart = separation(a, b)
        q = x["r_a"] - x["sign"] * x["r_b"]
        free = ca.sqrt(apart.value**2 - q**2)
        sine = q / apart.value
        taken = combination((free / apart.value, apart))  # dD/dd = cos(theta)
        longer = free + q * ca.asin(sine) - taken_0
        row = equations.no_slip(a, b, x)
        ahead, wider = row.rate(a, b), taken.rate(a, b)
        speed = equations.rolling(a, b, x).rate(a, b)

        rest = x["tension"] / k
        drawn, drawing = rest + longer, ca.fmax(rest + longer, 0.0)
        follows = z = equations.residual(a, b, x) if kind == "holds" else arguments.states[0]
        z_rate, slip, creep, back, beyond = ahead, ca.SX(0), ca.SX(0), ca.SX(0), ca.SX(-1)
        if kind != "holds":
            if kind == "slips":
                most, usual = grip * drawing, grip * rest
                most_rate = ca.if_else(drawn > 0, grip * wider, 0.0)
            else:
                one_pulls = jump > 2 * k * drawing
                most = ca.if_else(one_pulls, jump / k - drawn, jump / (2 * k))
                most_rate = ca.if_else(one_pulls, -wider, 0.0)
                usual = ca.fmax(jump / (2 * k), jump / k - rest)
            sense, beyond = ca.sign(follows), ca.fabs(follows) - most
            z = ca.fmax(ca.fmin(follows, most), -most)
            if kind == "slips":
                creep = ca.fabs(speed) * 2 * k * z / stiff
            back = slip_speed * (follows - z) / (AHEAD * usual)
            slip = ca.if_else(beyond > 0, ahead - sense * most_rate, creep)
            z_rate = ahead - slip
        stretches = [drawn + z, drawn - z]
        rates = [z_rate + wider, -z_rate + wider]
        springs = [k * ca.fmax(one, 0.0) for one in stretches]
        if kind == "slips":  # both strands pull, and what they pull together is not that of the load
            both = 2 * contact(k, c, drawn, wider)
            force, largest = 2 * (k * z + c * z_rate), grip * both
            events = [drawn, pressed(k, c, drawn, wider)]
        else:
            pulls = [contact(k, c, one, rate) for one, rate in zip(stretches, rates, strict=True)]
            force, both, largest = pulls[0] - pulls[1], pulls[0] + pulls[1], jump
            tight = [pressed(k, c, one, rate) for one, rate in zip(stretches, rates, strict=True)]
            events = [*stretches, *tight]
        if kind != "holds":
            events += [beyond, ca.fabs(force) - largest]
            force = ca.fmax(ca.fmin(force, largest), -largest)
        pulls = [(both + force) / 2, (both - force) / 2]
        wrenches = [
            (first[0] + second[0], first[1] + second[1])
            for first, second in zip(along(row, -force), along(taken, -both), strict=True)
        ]
        signals = {
            "force.tangential": (force, "N", "difference of the pulls in the strands"),
            "force.tight": (ca.fmax(*pulls), "N", "pull in the tight strand"),
            "force.slack": (ca.fmin(*pulls), "N", "pull in the slack strand"),
            "strand.1.force": (
                pulls[0],
                "N",
                "pull in the strand that a pulls when it drives in the positive sense",
            ),
            "strand.2.force": (pulls[1], "N", "pull in the other strand"),
            "stretch": (z, "m", "stretch of strand 1 by the load"),
            "power.loss": (
                force * slip + (force - springs[0] + springs[1]) * z_rate + (both - sum(springs)) * wider,
                "W",
                "power lost to creep, slip and damping",
            ),
            "rolling": (speed, *SPEEDS["rolling"]),
        }
        if kind != "holds":
            slipped = arguments.states[1] + follows - z
            signals["slipped"] = (slipped, "m", "way that the belt has crept and slipped on the pulleys")
            signals["slip"] = (slip, "m/s", "speed of creep and slip")
            used = ca.if_else(largest > 0, ca.fabs(force) / largest, 1.0)
            signals["friction_used"] = (used, "1", "difference of the pulls over the largest there can be")
            if kind == "jumps":
                signals["jumped"] = (slipped / x["pitch"], "1", "teeth that the belt has jumped over")
        return Effect(
            wrenches,
            potential=sum((k * ca.fmax(one, 0.0) ** 2 / 2 for one in stretches), ca.SX(0)),
            signals={name: SignalExpression(*parts) for name, parts in signals.items()},
            events=events,
            rates=None if kind == "holds" else [ahead - creep - back, creep + back],
            teeth=ToothLimits(z / x["pitch"], ca.SX(0)) if kind == "holds" else None,
        )


class BeltStrands(ToothModel):
    """Two strands that stretch; flat and V belts creep and slip by Euler and Eytelwein, toothed ones jump over teeth.
    Removes no degree of freedom.

    `tension` of the mesh is the pull in each strand at rest; a belt with `teeth` is toothed.

    Fields:
        axial_stiffness [N]: EA of the belt
        damping [N s/m]: of a strand
        friction [1]: coefficient of friction on the pulleys, of flat and V belts
        groove_angle [rad]: of the pulleys of V belts; a flat belt where left out
        jump_force [N]: difference of the pulls at which a toothed belt jumps over teeth; it holds where left out
        slip_speed [m/s]: how soon a belt that has slipped holds again; pulls do not depend on it
    """

    type: Literal["strands"] = "strands"
    needs_path: ClassVar[bool] = False
    axial_stiffness: Force
    damping: Damping = 0.0
    friction: Number | None = None
    groove_angle: Angle | None = None
    jump_force: Force | None = None
    slip_speed: Speed = 0.05
    positive = ("axial_stiffness", "friction", "jump_force", "slip_speed")
    not_negative = ("damping",)

    @classmethod
    def suits(cls, mesh: Any) -> bool:
        return mesh.has_strands

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        groove = self.groove_angle
        angle = None if groove is None else value(groove)
        if groove is not None and angle is not None and not 0 < angle <= math.pi:
            text = f"must be more than 0 and at most 180 deg, but is {math.degrees(angle):g} deg"
            yield Issue("groove_angle", text, radians_hint(groove))
        if self.groove_angle is not None and self.friction is None:
            yield Issue("groove_angle", "`friction` is missing beside `groove_angle`")

    Equations = StrandForces
