"""The analyses a user names."""

# ruff: noqa: F401
from typing import TYPE_CHECKING

from wheelwork.lazy import names_of

from .assemble import Assembled, Misfit, assemble
from .check import CheckReport, check
from .equilibrium import equilibrium
from .kinematics import inverse, kinematics
from .linear_equations import Linearised
from .linearise import linearise
from .ready import Ready
from .run import run
from .session import Session, Snapshot
from .simulate import simulate

if TYPE_CHECKING:
    from .reduction.dynamics import minimal_coordinates

__getattr__ = names_of(__name__, {"reduction.dynamics": ["minimal_coordinates"]})
