"""Compliant contact of a ball with a plane or another ball: spring and damper while they overlap.

With gap h (negative: overlap) along the normal n from the partner to the ball, depth d = -h and closing speed d':
N = k d^e + c d' while d > 0, never pulling; friction -mu N u / sqrt(u^2 + u0^2) with the sliding velocity u and slip
speed u0. Both act at the ball's lowest point along n. Stored energy k d^(e+1)/(e+1). The gap is an event,
because N has a kink there (and a jump, if there is damping).

Impact with restitution is not a force but a jump of velocity (:mod:`wheelwork.equations.contact`).
"""

from __future__ import annotations

import casadi as ca

from ..contact import contact_markers, gap_row, normal_of
from .base import Binding, Effect, ForceEquations, SignalExpression, at_point


class CompliantContact(ForceEquations):
    type = "contact"

    def bind(self, force, context):
        place, law = context.place, force.law
        bodies, markers, reach = contact_markers(force, place)
        numbers = (law.stiffness, law.damping, law.exponent, law.friction, law.slip_speed)
        linear = isinstance(law.exponent, int | float) and law.exponent == 1
        rubs = not (isinstance(law.friction, int | float) and law.friction == 0)
        return Binding(
            bodies,
            [*markers, reach, place.value(force.a.radius), *(place.value(x) for x in numbers)],
            options=(force.b.type, linear, rubs),
        )

    def effect(self, arguments):
        partner, linear, rubs = arguments.options
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)  # a: partner, b: ball
        reach, radius, k, c, exponent, friction, slip = ca.vertsplit(arguments.data[24:31])
        row = gap_row(partner, a, b, reach)
        gap, closing = row.value, -row.rate(a, b)
        depth = ca.fmax(-gap, 0.0)
        elastic = k * depth if linear else k * depth**exponent
        normal_force = ca.if_else(gap < 0, ca.fmax(elastic + c * closing, 0.0), 0.0)
        n = normal_of(partner, a, b)
        point = b.p - radius * n
        force = normal_force * n
        signals = {
            "gap": SignalExpression(gap, "m", "distance of the surfaces (negative: overlap)"),
            "force.normal": SignalExpression(normal_force, "N", "normal force (positive: pushes apart)"),
        }
        if rubs:
            at_b = b.body.v + ca.cross(b.body.w, point - b.body.x)
            at_a = a.body.v + ca.cross(a.body.w, point - a.body.x)
            sliding = at_b - at_a
            sliding = sliding - ca.dot(sliding, n) * n
            rub = -friction * normal_force * sliding / ca.sqrt(ca.dot(sliding, sliding) + slip**2)
            force = force + rub
            signals["force.friction"] = SignalExpression(ca.norm_2(rub), "N", "friction force")
        power = 1.0 if linear else exponent
        return Effect(
            [at_point(a.body, point, -force), at_point(b.body, point, force)],
            potential=k * depth ** (power + 1) / (power + 1),
            signals=signals,
            events=[gap],
        )
