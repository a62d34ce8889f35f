"""Forces of the description, one file each. Gravity belongs to the mechanism."""

from typing import Annotated

from wheelwork.description.forces.actuator import Actuator
from wheelwork.description.forces.applied import Force, Torque
from wheelwork.description.forces.base import Load
from wheelwork.description.forces.bushing import Bushing
from wheelwork.description.forces.contact import Compliant, Contact, ContactPlane, ContactSphere, Restitution
from wheelwork.description.forces.friction import Friction
from wheelwork.description.forces.motor import Motor, MotorCurve
from wheelwork.description.forces.spring import Spring
from wheelwork.description.forces.torsional_spring import TorsionalSpring
from wheelwork.description.union import ByType

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
