"""Elastic laws of tooth contact, one file each, and their registry."""

from .base import ElasticLaw
from .johnson import Johnson
from .linear import Linear
from .power import Power
from .teeth import Teeth
from .weber import Weber

ELASTIC: dict[str, ElasticLaw] = {law.type: law() for law in (Linear, Power, Johnson, Weber, Teeth)}
"""By the type name of the description."""

__all__ = ["ELASTIC", "ElasticLaw"]
