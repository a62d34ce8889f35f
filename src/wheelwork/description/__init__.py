"""What the user says: plain, typed, validated data. No mathematics, no solver.

The classes of elements (`Revolute` ...) are in :mod:`wheelwork.elements`, and here too by their names.
"""

from typing import Any

from wheelwork.description import registry
from wheelwork.description.analysis import (
    Assemble,
    AugmentedLagrangian,
    Baumgarte,
    Equilibrium,
    Inverse,
    Kinematics,
    NoStabilisation,
    Projection,
    Simulate,
    Stabilisation,
)
from wheelwork.description.base import Element, Part, Value
from wheelwork.description.body import AnyBody, Body, Rotor
from wheelwork.description.connection import Connection
from wheelwork.description.description import COLLECTIONS, Component, Description
from wheelwork.description.dimensions import Dimension
from wheelwork.description.flat import Flat, Placed
from wheelwork.description.flatten import flatten
from wheelwork.description.formula import NUMERIC, Formula
from wheelwork.description.frame import Frame
from wheelwork.description.meshes import (
    AnyMesh,
    BeamStiffness,
    BeltMesh,
    BevelMesh,
    CompliantTeeth,
    ContactTeeth,
    CoulombFriction,
    CrossedMesh,
    EnergyStiffness,
    ExternalMesh,
    FilmFriction,
    GivenStiffness,
    HuntCrossley,
    InternalMesh,
    IsoStiffness,
    JohnsonContact,
    LinearContact,
    Mesh,
    NoDamping,
    PowerContact,
    RackMesh,
    RampDamping,
    RigidTeeth,
    StiffnessHarmonic,
    TabledStiffness,
    TipRelief,
    ToothContact,
    TransmissionErrorHarmonic,
    WeberContact,
    WormMesh,
)
from wheelwork.description.orientation import Orientation, Pose
from wheelwork.description.outline import AnyOutline, FormulaOutline, Outline, PointsOutline, PolarOutline
from wheelwork.description.problems import ModelError, Problem, did_you_mean, nearest
from wheelwork.description.read import load, loads
from wheelwork.description.shapes import AnyShape, Box, Cylinder, Disc, GearBlank, Shape, Sphere, Tube
from wheelwork.description.table import Table
from wheelwork.description.units import Quantity, parse_quantity
from wheelwork.description.validate import validate
from wheelwork.description.values import TimeVarying
from wheelwork.description.vibration_analyses import (
    AnyAnalysis,
    CampbellAnalysis,
    ModesAnalysis,
    ResponseAnalysis,
    SweepAnalysis,
)
from wheelwork.description.write import dumps, save

__all__ = [
    "COLLECTIONS",
    "NUMERIC",
    "AnyAnalysis",
    "AnyBody",
    "AnyMesh",
    "AnyOutline",
    "AnyShape",
    "Assemble",
    "AugmentedLagrangian",
    "Baumgarte",
    "BeamStiffness",
    "BeltMesh",
    "BevelMesh",
    "Body",
    "Box",
    "CampbellAnalysis",
    "CompliantTeeth",
    "Component",
    "Connection",
    "ContactTeeth",
    "CoulombFriction",
    "CrossedMesh",
    "Cylinder",
    "Description",
    "Dimension",
    "Disc",
    "Element",
    "EnergyStiffness",
    "Equilibrium",
    "ExternalMesh",
    "FilmFriction",
    "Flat",
    "Formula",
    "FormulaOutline",
    "Frame",
    "GearBlank",
    "GivenStiffness",
    "HuntCrossley",
    "InternalMesh",
    "Inverse",
    "IsoStiffness",
    "JohnsonContact",
    "Kinematics",
    "LinearContact",
    "Mesh",
    "ModelError",
    "ModesAnalysis",
    "NoDamping",
    "NoStabilisation",
    "Orientation",
    "Outline",
    "Part",
    "Placed",
    "PointsOutline",
    "PolarOutline",
    "Pose",
    "PowerContact",
    "Problem",
    "Projection",
    "Quantity",
    "RackMesh",
    "RampDamping",
    "ResponseAnalysis",
    "RigidTeeth",
    "Rotor",
    "Shape",
    "Simulate",
    "Sphere",
    "Stabilisation",
    "StiffnessHarmonic",
    "SweepAnalysis",
    "Table",
    "TabledStiffness",
    "TimeVarying",
    "TipRelief",
    "ToothContact",
    "TransmissionErrorHarmonic",
    "Tube",
    "Value",
    "WeberContact",
    "WormMesh",
    "did_you_mean",
    "dumps",
    "flatten",
    "load",
    "loads",
    "nearest",
    "parse_quantity",
    "save",
    "validate",
]


def __getattr__(name: str) -> Any:
    cls = None if name.startswith("_") else registry.public_names().get(name)
    if cls is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return cls
