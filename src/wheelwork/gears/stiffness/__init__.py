"""Mesh stiffness over a mesh cycle by several methods, and the static transmission error under load.

`base` has what the methods share; each method is a file of its own:

    constant       a number
    iso6336        c' and c_gamma of ISO 6336-1
    beam_slices    Cornell's beam of slices with base and contact compliance (Bai)
    energy         potential energy: bending, shear, axial, fillet-foundation (Sainsot), Hertz
    tables         a user's table, from finite elements for instance

`deviations`, `transmission_error` and `equivalent_error`: what flanks lack, what it does under load, and as an error of
the mesh model `compliant`.
"""

from .base import MeshCycle, MeshStiffness
from .beam_slices import BeamSlices
from .constant import ConstantStiffness
from .course import SeriesCourse, TableCourse
from .deviations import FlankPosition, Harmonic, RunOut, TipRelief
from .energy import EnergyMethod
from .equivalent_error import EquivalentError, equivalent_error
from .iso6336 import Iso6336
from .material import STEEL, Material
from .tables import StiffnessTable
from .transmission_error import StaticTransmissionError, static_transmission_error

__all__ = [
    "STEEL",
    "BeamSlices",
    "ConstantStiffness",
    "EnergyMethod",
    "EquivalentError",
    "FlankPosition",
    "Harmonic",
    "Iso6336",
    "Material",
    "MeshCycle",
    "MeshStiffness",
    "RunOut",
    "SeriesCourse",
    "StaticTransmissionError",
    "StiffnessTable",
    "TableCourse",
    "TipRelief",
    "equivalent_error",
    "static_transmission_error",
]
