"""Forces, one file each, and their registry."""

from __future__ import annotations

from .actuator import Actuator
from .applied import Force, Torque
from .base import Arguments, Binding, Effect, ForceEquations, SignalExpression
from .bushing import Bushing
from .contact import CompliantContact
from .friction import ViscousFriction
from .motor import Motor
from .spring import Spring
from .torsional_spring import TorsionalSpring

FORCES: dict[str, ForceEquations] = {
    force.type: force()
    for force in (
        Force,
        Torque,
        Actuator,
        Spring,
        TorsionalSpring,
        Bushing,
        ViscousFriction,
        Motor,
        CompliantContact,
    )
}
"""Equations by the type name of the description."""

__all__ = ["FORCES", "Arguments", "Binding", "Effect", "ForceEquations", "SignalExpression"]
