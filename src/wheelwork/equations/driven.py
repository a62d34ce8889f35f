"""Which coordinate a driver prescribes, as equations with frames.

A driver's constraint is coordinate - u(t) = 0 (:func:`~wheelwork.system.kernels.driver_kernel`), with nu = u' and
gamma = that of the coordinate + u''.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import casadi as ca

    from .joint_equations import JointEquations


@dataclass(frozen=True)
class Driven:
    """A coordinate: whose equations have it, its name there, and between which frames. `turn`: -1, or its count."""

    equations: JointEquations
    coordinate: str
    bodies: list[str]
    markers: tuple[ca.SX, ca.SX]
    turn: int = -1
