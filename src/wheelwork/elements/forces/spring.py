"""Translational spring and damper between two points.

With length l = |p_b - p_a| and n the unit vector from a to b: tension F = k (l - l0) + c l' + F0;
force on a: +F n at p_a, on b: -F n at p_b. Stored energy: k (l - l0)^2 / 2 + F0 l.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description import values
from wheelwork.description.base import Evaluate, Issue, not_negative
from wheelwork.description.connection import BetweenPoints
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import Binding, Effect, SignalExpression, along
from wheelwork.equations.rows import separation
from wheelwork.lazy import casadi as ca


class Spring(BetweenPoints, Load):
    """Spring and damper between two points; tension = stiffness*(length - free_length) + damping*rate + preload.

    Fields:
        stiffness [N/m]: of the spring
        damping [N s/m]: of the damper
        free_length [m]: length without force; that of the given position where left out
        preload [N]: tension added
    """

    noun = "spring"
    type: Literal["spring"] = "spring"
    stiffness: values.Stiffness
    damping: values.Damping = 0.0
    free_length: values.Length | None = None
    preload: values.Force = 0.0
    has_line = True
    load_signals = ("force",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from not_negative(self, value, "stiffness", "damping", "free_length")

    def bind(self, context):
        place = context.place
        a, b = place.two_points(self)
        free = place.length_between(self) if self.free_length is None else place.value(self.free_length)
        numbers = [place.value(self.stiffness), place.value(self.damping), free, place.value(self.preload)]
        return Binding(list(self.bodies), [a, b, *numbers])

    @staticmethod
    def effect(arguments):
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
