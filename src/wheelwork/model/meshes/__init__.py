"""Gear meshes of the description, one file each."""

from typing import Annotated

from wheelwork.model.meshes.base import Mesh
from wheelwork.model.meshes.belt import BeltMesh
from wheelwork.model.meshes.bevel import BevelMesh
from wheelwork.model.meshes.compliant import CompliantTeeth, TransmissionErrorHarmonic
from wheelwork.model.meshes.contact import ContactTeeth, TipRelief
from wheelwork.model.meshes.contact_laws import (
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
from wheelwork.model.meshes.crossed import CrossedMesh
from wheelwork.model.meshes.external import ExternalMesh
from wheelwork.model.meshes.internal import InternalMesh
from wheelwork.model.meshes.models import RigidTeeth
from wheelwork.model.meshes.rack import RackMesh
from wheelwork.model.meshes.stiffness import (
    BeamStiffness,
    EnergyStiffness,
    GivenStiffness,
    IsoStiffness,
    StiffnessHarmonic,
    TabledStiffness,
)
from wheelwork.model.meshes.worm import WormMesh
from wheelwork.model.union import ByType

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
