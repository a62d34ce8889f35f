"""Viscous laws of tooth contact, one file each, and their registry."""

from .base import ViscousLaw
from .hunt_crossley import HuntCrossley
from .none import NoDamping
from .ramp import RampDamping

VISCOUS: dict[str, ViscousLaw] = {law.type: law() for law in (NoDamping, HuntCrossley, RampDamping)}
"""By the type name of the description."""

__all__ = ["VISCOUS", "ViscousLaw"]
