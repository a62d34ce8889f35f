"""Translational spring and damper between two points.

With length l = |p_b - p_a| and n the unit vector from a to b: tension F = k (l - l0) + c l' + F0;
force on a: +F n at p_a, on b: -F n at p_b. Stored energy: k (l - l0)^2 / 2 + F0 l.

With a characteristic M in place of k, a curve of straight pieces whose ends go on: F = M(l - l0) + c l' + F0, the
stored energy is its integral from 0, and its corners are events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description import values
from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.connection import BetweenPoints
from wheelwork.elements.forces.base import Curve, Load
from wheelwork.equations.forces import Binding, Effect, along
from wheelwork.equations.piecewise import characteristic
from wheelwork.equations.rows import separation
from wheelwork.lazy import casadi as ca


class TensionCurve(Curve):
    """Tension of a spring over its stretch beyond the free length, linear between the points; the end pieces go on.

    Fields:
        stretch [m]: strictly increasing, two or more; negative where it is pressed together
        force [N]: one for each stretch; positive: pulls the points together
    """

    stretch: tuple[values.Length, ...]
    force: tuple[values.Force, ...]
    words = ("elongations", "forces", "a force")


class Spring(BetweenPoints, Load):
    """Spring and damper between two points; tension = stiffness*(length - free_length) + damping*rate + preload.

    Fields:
        stiffness [N/m]: of the spring; or `characteristic`
        characteristic: tension over the stretch, in place of `stiffness`
        damping [N s/m]: of the damper
        free_length [m]: length without force; that of the given position where left out
        preload [N]: tension added
    """

    noun = "spring"
    type: Literal["spring"] = "spring"
    stiffness: values.Stiffness | None = None
    characteristic: TensionCurve | None = None
    damping: values.Damping = 0.0
    free_length: values.Length | None = None
    preload: values.Force = 0.0
    has_line = True
    load_signals = ("force",)
    error_at = 26
    not_negative = ("stiffness", "damping", "free_length")

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if (self.stiffness is None) == (self.characteristic is None):
            yield Issue("stiffness", "needs `stiffness` or `characteristic`: give one of them")

    def bind(self, context):
        place = context.place
        a, b = place.two_points(self)
        free = place.length_between(self) if self.free_length is None else place.value(self.free_length)
        curve = () if self.characteristic is None else self.characteristic.points
        numbers = [
            place.value(self.stiffness or 0.0),
            place.value(self.damping),
            free,
            place.value(self.preload),
        ]
        data = [a, b, *numbers, *map(place.value, curve)]
        return Binding(list(self.bodies), data, options=(len(curve),) if curve else ())

    @staticmethod
    def effect(arguments):
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        stiffness, damping, free, preload = ca.vertsplit(arguments.data[24:28])
        row = separation(a, b)
        rate = row.rate(a, b)
        stretch = row.value - free
        pulls, stored, corners = stiffness * stretch, stiffness * stretch**2 / 2, []
        if arguments.options:
            pulls, stored, corners = characteristic(stretch, arguments.data[28 : 28 + arguments.options[0]])
        tension = pulls + damping * rate + preload
        return Effect(
            along(row, -tension),
            potential=stored + preload * row.value,
            events=corners,
            signals={
                "length": (row.value, "m", "distance of the two points"),
                "speed": (rate, "m/s", "rate of the length"),
                "force": (tension, "N", "tension (positive: pulls the points together)"),
            },
        )
