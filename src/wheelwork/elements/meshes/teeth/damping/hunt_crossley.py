"""F = F_e max(1 + chi h', 0) (K. H. Hunt, F. R. E. Crossley, J. Applied Mechanics 42 (1975) 440-445).

An impact with the speed v gives back about 1 - 2/3 chi v of it.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from wheelwork.description import dimensions
from wheelwork.description.values import NumberField, Value
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.damping.base import DampingLaw
from wheelwork.lazy import casadi as ca

PerSpeed = Annotated[Value, NumberField((dimensions.PER_SPEED,))]


class HuntCrossley(DampingLaw):
    """Elastic force times (1 + factor x rate of depth), never pulling.

    Fields:
        factor [s/m]: of the rate of depth
    """

    type: Literal["hunt_crossley"] = "hunt_crossley"
    positive = ("factor",)
    sample: ClassVar = {"factor": 30.0}
    factor: PerSpeed

    @classmethod
    def total(cls, elastic: ca.SX, at: ContactSlice, given: ca.SX) -> ca.SX:
        return elastic * ca.fmax(1 + given[0] * at.rate, 0.0)
