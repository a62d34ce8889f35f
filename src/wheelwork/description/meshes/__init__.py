"""Gear meshes of the description, one file each."""

from typing import Annotated

from wheelwork.description.meshes.base import Mesh
from wheelwork.description.meshes.belt import BeltMesh
from wheelwork.description.meshes.bevel import BevelMesh
from wheelwork.description.meshes.compliant import CompliantTeeth, TransmissionErrorHarmonic
from wheelwork.description.meshes.contact import ContactTeeth, TipRelief
from wheelwork.description.meshes.contact_laws import (
    CoulombFriction,
    FilmFriction,
    HuntCrossley,
    JohnsonContact,
    LinearContact,
    NoDamping,
    PowerContact,
    RampDamping,
    ToothContact,
    WeberContact,
)
from wheelwork.description.meshes.crossed import CrossedMesh
from wheelwork.description.meshes.external import ExternalMesh
from wheelwork.description.meshes.internal import InternalMesh
from wheelwork.description.meshes.models import RigidTeeth
from wheelwork.description.meshes.rack import RackMesh
from wheelwork.description.meshes.stiffness import (
    BeamStiffness,
    EnergyStiffness,
    GivenStiffness,
    IsoStiffness,
    StiffnessHarmonic,
    TabledStiffness,
)
from wheelwork.description.meshes.worm import WormMesh
from wheelwork.description.union import ByType

AnyMesh = Annotated[
    ExternalMesh | InternalMesh | RackMesh | BevelMesh | WormMesh | CrossedMesh | BeltMesh, ByType()
]

__all__ = [
    "AnyMesh",
    "BeamStiffness",
    "BeltMesh",
    "BevelMesh",
    "CompliantTeeth",
    "ContactTeeth",
    "CoulombFriction",
    "CrossedMesh",
    "EnergyStiffness",
    "ExternalMesh",
    "FilmFriction",
    "GivenStiffness",
    "HuntCrossley",
    "InternalMesh",
    "IsoStiffness",
    "JohnsonContact",
    "LinearContact",
    "Mesh",
    "NoDamping",
    "PowerContact",
    "RackMesh",
    "RampDamping",
    "RigidTeeth",
    "StiffnessHarmonic",
    "TabledStiffness",
    "TipRelief",
    "ToothContact",
    "TransmissionErrorHarmonic",
    "WeberContact",
    "WormMesh",
]
