r"""Damping that gives a coefficient of restitution, by P. Flores and others:

    F = F_e max(1 + chi h', 0),   chi = 8 (1 - c_r)/(5 c_r v)

with c_r the restitution of an impact at the speed v. It is made for every c_r from 0 to 1, where the factor of
Lankarani and Nikravesh, 3 (1 - c_r^2)/(4 v), is for hard bodies that bounce almost perfectly.

Source: P. Flores, M. Machado, M. T. Silva, J. M. Martins, On the continuous contact force models for soft materials in
multibody dynamics, Multibody System Dynamics 25 (2011) 357-375. Departure: v is given and not the speed at which each
impact begins, so that the force depends on the state alone. Slower impacts lose less, faster ones more.
What really comes back follows from chi v alone, whatever the elastic law: e of

    chi v - ln(1 + chi v) = -chi v e - ln(1 - chi v e)

which is 0.979 for c_r = 0.98, 0.894 for 0.9 and 0.470 for 0.5.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from wheelwork.description.base import SHARE
from wheelwork.description.values import Number, Speed
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.damping.base import DampingLaw
from wheelwork.lazy import casadi as ca


class FloresDamping(DampingLaw):
    """Damping from the restitution of an impact, after Flores; never pulling.

    Fields:
        restitution [1]: speed after an impact over speed before it, more than 0 and at most 1
        speed [m/s]: of that impact, along the transverse line of action
    """

    type: Literal["flores"] = "flores"
    positive = ("speed",)
    sample: ClassVar = {"restitution": 0.7, "speed": 0.05}
    restitution: Number
    speed: Speed
    ranges: ClassVar = {"restitution": SHARE}

    def given(self, value):
        c_r = value(self.restitution)
        return [8 * (1 - c_r) / (5 * c_r * value(self.speed))]

    @classmethod
    def total(cls, elastic: ca.SX, at: ContactSlice, given: ca.SX) -> ca.SX:
        return elastic * ca.fmax(1 + given[0] * at.rate, 0.0)
