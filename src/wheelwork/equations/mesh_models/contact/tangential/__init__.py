"""Tangential laws of tooth contact, one file each, and their registry."""

from .base import TangentialLaw
from .coulomb import Coulomb
from .film import Film

TANGENTIAL: dict[str, TangentialLaw] = {law.type: law() for law in (Coulomb, Film)}
"""By the type name of the description."""

__all__ = ["TANGENTIAL", "TangentialLaw"]
