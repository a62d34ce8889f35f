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

from typing import Any
from warnings import warn

from .base import MeshCycle, MeshStiffness
from .beam_slices import BeamSlices
from .course import SeriesCourse, TableCourse
from .deviations import FlankPosition, Harmonic, RunOut, TipReliefCurve
from .energy import EnergyMethod
from .equivalent_error import EquivalentError, equivalent_error
from .given import ConstantStiffness, StiffnessTable
from .iso6336 import Iso6336
from .material import STEEL, Material
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
    "TipReliefCurve",
    "equivalent_error",
    "static_transmission_error",
]


def __getattr__(name: str) -> Any:
    if name == "TipRelief":  # the mesh's own fields are `wheelwork.TipRelief`
        warn(
            "TipRelief of wheelwork.gears.stiffness is called TipReliefCurve now",
            DeprecationWarning,
            stacklevel=2,
        )
        return TipReliefCurve
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
