"""Gear meshes of the description, one file each."""

from typing import Annotated

from wheelwork.model.meshes.base import Mesh
from wheelwork.model.meshes.belt import BeltMesh
from wheelwork.model.meshes.bevel import BevelMesh
from wheelwork.model.meshes.compliant import CompliantTeeth, TransmissionErrorHarmonic
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
    "CrossedMesh",
    "EnergyStiffness",
    "ExternalMesh",
    "GivenStiffness",
    "InternalMesh",
    "IsoStiffness",
    "Mesh",
    "RackMesh",
    "RigidTeeth",
    "StiffnessHarmonic",
    "TabledStiffness",
    "TransmissionErrorHarmonic",
    "WormMesh",
]
