"""What the user says: plain, typed, validated data. No mathematics, no solver.

The classes of elements (`Revolute` ...) are in :mod:`wheelwork.elements`, and here too by their names.
"""

# ruff: noqa: F401
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
from wheelwork.description.body import Body
from wheelwork.description.body_geometry import Geometry
from wheelwork.description.connection import Connection
from wheelwork.description.description import COLLECTIONS, AnyBody, Component, Description
from wheelwork.description.dimensions import Dimension
from wheelwork.description.flat import Flat, Placed
from wheelwork.description.flatten import flatten
from wheelwork.description.formula import NUMERIC, Formula
from wheelwork.description.frame import Frame
from wheelwork.description.orientation import Orientation, Pose
from wheelwork.description.outline import AnyOutline, FormulaOutline, Outline, PointsOutline, PolarOutline
from wheelwork.description.read import load, loads
from wheelwork.description.rotor import Rotor
from wheelwork.description.shaft import Shaft, ShaftBearing, ShaftSection, ShaftWheel
from wheelwork.description.shapes import AnyShape, Box, Cylinder, Disc, GearBlank, Shape, Sphere, Tube
from wheelwork.description.study import StudyPlan
from wheelwork.description.table import Table
from wheelwork.description.units import Quantity, parse_quantity
from wheelwork.description.validate import validate
from wheelwork.description.values import TimeVarying
from wheelwork.description.vibration_analyses import (
    AnyAnalysis,
    CampbellAnalysis,
    ModesAnalysis,
    ResponseAnalysis,
    StabilityAnalysis,
    SweepAnalysis,
)
from wheelwork.description.write import dumps, save
from wheelwork.problems import ModelError, Problem, did_you_mean, nearest


def __getattr__(name: str) -> Any:
    cls = None if name.startswith("_") else registry.find_public(name)
    if cls is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return cls
