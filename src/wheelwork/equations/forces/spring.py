"""Translational spring and damper between two points.

With length l = |p_b - p_a| and n the unit vector from a to b: tension F = k (l - l0) + c l' + F0;
force on a: +F n at p_a, on b: -F n at p_b. Stored energy: k (l - l0)^2 / 2 + F0 l.
"""

from __future__ import annotations

import casadi as ca

from ..rows import separation
from .base import Binding, Effect, ForceEquations, SignalExpression, along


class Spring(ForceEquations):
    type = "spring"

    def bind(self, force, context):
        place = context.place
        a, b = place.two_points(force)
        free = place.length_between(force) if force.free_length is None else place.value(force.free_length)
        numbers = [place.value(force.stiffness), place.value(force.damping), free, place.value(force.preload)]
        return Binding(list(force.bodies), [a, b, *numbers])

    def effect(self, arguments):
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        stiffness, damping, free, preload = ca.vertsplit(arguments.data[24:28])
        row = separation(a, b)
        rate = row.rate(a, b)
        stretch = row.value - free
        tension = stiffness * stretch + damping * rate + preload
        return Effect(
            along(row, -tension),
            potential=stiffness * stretch**2 / 2 + preload * row.value,
            signals={
                "length": SignalExpression(row.value, "m", "distance of the two points"),
                "speed": SignalExpression(rate, "m/s", "rate of the length"),
                "force": SignalExpression(tension, "N", "tension (positive: pulls the points together)"),
            },
        )
