"""Tooth contact: flanks that touch on the line of action, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.meshes.contact_laws import (
    CoulombFriction,
    ElasticLaw,
    NoDamping,
    TangentialLaw,
    ToothContact,
    ViscousLaw,
    above_zero,
)
from wheelwork.description.meshes.materials import Elasticity
from wheelwork.description.values import Length, Number

MOST_SLICES = 200


class TipRelief(Part):
    """Material taken from both flanks of a wheel's teeth towards the tip: nothing up to the start, `amount` at the tip.

    Fields:
        wheel: whose tips, `a` or `b`
        amount [m]: at the tip, along the line of action
        length [m]: of the relieved part, along the line of action
        power [1]: 1 for a straight relief, 2 for a parabola
    """

    wheel: Literal["a", "b"]
    amount: Length
    length: Length
    power: Literal[1, 2] = 1

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from above_zero(self, value, length="m")
        amount = value(self.amount)
        if amount is not None and amount < 0:
            yield Issue("amount", f"must not be negative, but is {amount:g} m")


class ContactTeeth(Elasticity):
    """Involute flanks in contact, every pair of teeth by itself, on both sides of the teeth. Removes no degree of
    freedom.

    Tips, thickness and backlash of the teeth are those of the mesh; `friction` of the mesh is the coefficient between
    the flanks.

    Fields:
        elastic: force from depth: `linear`, `power`, `johnson`, `weber` or `teeth`; `teeth` if left out, which needs
            `face_width` of the mesh
        viscous: what the rate of depth adds: `none`, `hunt_crossley` or `ramp`
        tangential: how friction follows the speed of sliding: `coulomb` or `film`
        slices [1]: into which the face is cut; left out: 1 for straight teeth, 5 for helical ones
        youngs_modulus [Pa]: of both wheels, or of wheel a and wheel b; that of steel if left out
        poisson_ratio [1]: of both wheels, or of wheel a and wheel b; that of steel if left out
        phase [1]: of the mesh at the given position, in mesh cycles; follows from the teeth of all wheels if left out
        offset [m]: by how much wheel a is ahead of b at the given position, along the line of action; 0 is the middle
            of the backlash
        relief: of the tips
    """

    type: Literal["contact"] = "contact"
    elastic: ElasticLaw = ToothContact()
    viscous: ViscousLaw = NoDamping()
    tangential: TangentialLaw = CoulombFriction()
    slices: int | None = None
    phase: Number | None = None
    offset: Length = 0.0
    relief: tuple[TipRelief, ...] = ()

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.slices is not None and not 1 <= self.slices <= MOST_SLICES:
            yield Issue("slices", f"must be between 1 and {MOST_SLICES}, but is {self.slices}")
