"""Forces of the description, one file each. Gravity belongs to the mechanism."""

from typing import Annotated

from wheelwork.model.forces.actuator import Actuator
from wheelwork.model.forces.applied import Force, Torque
from wheelwork.model.forces.base import Load
from wheelwork.model.forces.bushing import Bushing
from wheelwork.model.forces.contact import Compliant, Contact, ContactPlane, ContactSphere, Restitution
from wheelwork.model.forces.friction import Friction
from wheelwork.model.forces.motor import Motor, MotorCurve
from wheelwork.model.forces.spring import Spring
from wheelwork.model.forces.torsional_spring import TorsionalSpring
from wheelwork.model.union import ByType

AnyForce = Annotated[
    Force | Torque | Actuator | Spring | TorsionalSpring | Bushing | Friction | Motor | Contact, ByType()
]

__all__ = [
    "Actuator",
    "AnyForce",
    "Bushing",
    "Compliant",
    "Contact",
    "ContactPlane",
    "ContactSphere",
    "Force",
    "Friction",
    "Load",
    "Motor",
    "MotorCurve",
    "Restitution",
    "Spring",
    "Torque",
    "TorsionalSpring",
]
