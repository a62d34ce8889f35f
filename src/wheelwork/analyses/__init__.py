"""The analyses a user names."""

from .assemble import Assembled, Misfit, assemble
from .check import CheckReport, check
from .equilibrium import equilibrium
from .kinematics import inverse, kinematics
from .linearise import Linearised, linearise
from .run import run
from .simulate import simulate

__all__ = [
    "Assembled",
    "CheckReport",
    "Linearised",
    "Misfit",
    "assemble",
    "check",
    "equilibrium",
    "inverse",
    "kinematics",
    "linearise",
    "run",
    "simulate",
]
