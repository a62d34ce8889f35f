"""Compliant teeth: springs along the line of action, with damping, backlash and errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue, Part, not_negative
from wheelwork.description.meshes.stiffness import IsoStiffness, MeshStiffnessChoice
from wheelwork.description.values import Angle, Damping, Length, Number, Speed

MOST_ORDER = 10**6
"""Of harmonics of an error: a thousand to a tooth of a wheel with a thousand teeth."""


class TransmissionErrorHarmonic(Part):
    """A part of the static transmission error: amplitude sin(order x angle + phase).

    Fields:
        amplitude [m]: along the line of action
        per: what it comes back with: `mesh` (a tooth), or a turn of wheel `a` or `b`, which is run-out
        order [1]: periods in one of these, a whole number
        phase [rad]: where the angle is 0: the mesh cycle begins (`mesh`), or at the given position (`a`, `b`)
    """

    amplitude: Length
    per: Literal["mesh", "a", "b"] = "mesh"
    order: int = 1
    phase: Angle = 0.0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if not 1 <= self.order <= MOST_ORDER:
            yield Issue("order", f"must be a whole number from 1 to {MOST_ORDER}, but is {self.order}")


class CompliantTeeth(Part):
    """Teeth that yield: a force along the line of action in place of a constraint. Removes no degree of freedom.

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

    type: Literal["compliant"] = "compliant"
    stiffness: MeshStiffnessChoice = IsoStiffness()
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

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if self.damping is not None and self.damping_ratio is not None:
            yield Issue(
                "damping_ratio", "damping is given twice: by `damping` and by `damping_ratio`", "give one"
            )
        yield from not_negative(self, value, "damping", "damping_ratio", "backlash")
        slip = value(self.slip_speed)
        if slip is not None and slip <= 0:
            yield Issue("slip_speed", f"must be greater than zero, but is {slip:g} m/s")
