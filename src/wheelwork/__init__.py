"""Dynamics of machines with gears: one description, from ideal meshes to tooth contact, compiled to machine code.

Everything public is here, loaded when first used: `import wheelwork as ww; m = ww.load("pendulum.yaml")`.
"""

# ruff: noqa: F401
from __future__ import annotations

from importlib import import_module
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

from . import lazy

__version__ = "0.1.0"

if TYPE_CHECKING:
    # For type checkers and editors; at run time names of elements come from the registry. `tests/test_import.py`
    # compares the two.
    from wheelwork.analyses.controllers import SampledController
    from wheelwork.analyses.session import Session
    from wheelwork.description import (
        Assemble,
        AugmentedLagrangian,
        Baumgarte,
        Body,
        Box,
        CampbellAnalysis,
        Component,
        Cylinder,
        Disc,
        Equilibrium,
        Formula,
        FormulaOutline,
        Frame,
        GearBlank,
        Geometry,
        Inverse,
        Kinematics,
        ModelError,
        ModesAnalysis,
        NoStabilisation,
        Orientation,
        PointsOutline,
        PolarOutline,
        Pose,
        Problem,
        Projection,
        ResponseAnalysis,
        Rotor,
        Shaft,
        ShaftBearing,
        ShaftSection,
        ShaftWheel,
        Simulate,
        Sphere,
        StabilityAnalysis,
        StudyPlan,
        SweepAnalysis,
        Table,
        Tube,
    )
    from wheelwork.elements.control.delay import Delay
    from wheelwork.elements.control.fmu import FmuBlock
    from wheelwork.elements.control.formula import FormulaBlock
    from wheelwork.elements.control.integrator import Integrator
    from wheelwork.elements.control.look_up import LookUp, LookUp2
    from wheelwork.elements.control.pid import Pid
    from wheelwork.elements.control.rate_limit import RateLimit
    from wheelwork.elements.control.sampled import Sampled
    from wheelwork.elements.control.saturation import Saturation
    from wheelwork.elements.control.state import State
    from wheelwork.elements.control.state_machine import StateMachine, Transition
    from wheelwork.elements.control.transfer_function import TransferFunction
    from wheelwork.elements.data_sheets import help
    from wheelwork.elements.drivers.body import BodyDriver
    from wheelwork.elements.drivers.distance import DistanceDriver
    from wheelwork.elements.drivers.joint import JointDriver
    from wheelwork.elements.drivers.rotation import RotationDriver
    from wheelwork.elements.forces.actuator import Actuator
    from wheelwork.elements.forces.applied import Force, Torque
    from wheelwork.elements.forces.bearing import Bearing
    from wheelwork.elements.forces.bushing import Bushing
    from wheelwork.elements.forces.clearance import Clearance
    from wheelwork.elements.forces.clutch import Brake, Clutch, SlipCurve
    from wheelwork.elements.forces.contact import Compliant, Contact, ContactPlane, ContactSphere, Restitution
    from wheelwork.elements.forces.coupler import CoupledJoint, Coupler
    from wheelwork.elements.forces.dog_clutch import DogClutch, Synchroniser
    from wheelwork.elements.forces.friction import Friction
    from wheelwork.elements.forces.motor import Motor, MotorCurve
    from wheelwork.elements.forces.one_way_clutch import OneWayClutch
    from wheelwork.elements.forces.planetary import Differential, Planetary
    from wheelwork.elements.forces.ratio import EfficiencyCurve, Ratio
    from wheelwork.elements.forces.spring import Spring, TensionCurve
    from wheelwork.elements.forces.stop import Stop
    from wheelwork.elements.forces.strain_wave import KinematicError, StrainWave
    from wheelwork.elements.forces.torque_converter import TorqueConverter
    from wheelwork.elements.forces.torque_limiter import TorqueLimiter
    from wheelwork.elements.forces.torsional_spring import SpringCurve, TorsionalSpring
    from wheelwork.elements.joints.absolute import Absolute
    from wheelwork.elements.joints.base import Initial
    from wheelwork.elements.joints.cam_cam import CamCam
    from wheelwork.elements.joints.cam_flat import CamFlat
    from wheelwork.elements.joints.cam_point import CamPoint
    from wheelwork.elements.joints.constant_velocity import ConstantVelocity
    from wheelwork.elements.joints.cylindrical import Cylindrical
    from wheelwork.elements.joints.distance import Distance, RevoluteRevolute, Rod
    from wheelwork.elements.joints.fixed import Fixed
    from wheelwork.elements.joints.knife_edge import KnifeEdge
    from wheelwork.elements.joints.planar import Planar
    from wheelwork.elements.joints.point_on_line import PointOnLine
    from wheelwork.elements.joints.point_on_plane import PointOnPlane
    from wheelwork.elements.joints.prismatic import Prismatic, Translational
    from wheelwork.elements.joints.relative import Relative
    from wheelwork.elements.joints.revolute import Revolute
    from wheelwork.elements.joints.revolute_spherical import RevoluteSpherical
    from wheelwork.elements.joints.revolute_translational import RevoluteTranslational
    from wheelwork.elements.joints.rolling_ball import RollingBall
    from wheelwork.elements.joints.rolling_wheel import RollingWheel
    from wheelwork.elements.joints.screw import Screw
    from wheelwork.elements.joints.spherical import Spherical
    from wheelwork.elements.joints.universal import Universal
    from wheelwork.elements.meshes.belt import BeltMesh
    from wheelwork.elements.meshes.bevel import BevelMesh
    from wheelwork.elements.meshes.chain import ChainMesh
    from wheelwork.elements.meshes.crossed import CrossedMesh
    from wheelwork.elements.meshes.cycloid import CycloidMesh
    from wheelwork.elements.meshes.external import ExternalMesh
    from wheelwork.elements.meshes.internal import InternalMesh
    from wheelwork.elements.meshes.pin_coupling import PinCoupling
    from wheelwork.elements.meshes.rack import RackMesh
    from wheelwork.elements.meshes.teeth.compliant import CompliantTeeth, TransmissionErrorHarmonic
    from wheelwork.elements.meshes.teeth.contact import ContactTeeth, TipRelief
    from wheelwork.elements.meshes.teeth.damping.flores import FloresDamping
    from wheelwork.elements.meshes.teeth.damping.hunt_crossley import HuntCrossley
    from wheelwork.elements.meshes.teeth.damping.none import NoDamping
    from wheelwork.elements.meshes.teeth.damping.ramp import RampDamping
    from wheelwork.elements.meshes.teeth.elastic.johnson import JohnsonContact
    from wheelwork.elements.meshes.teeth.elastic.linear import LinearContact
    from wheelwork.elements.meshes.teeth.elastic.power import PowerContact
    from wheelwork.elements.meshes.teeth.elastic.teeth import ToothContact
    from wheelwork.elements.meshes.teeth.elastic.weber import WeberContact
    from wheelwork.elements.meshes.teeth.friction.coulomb import CoulombFriction
    from wheelwork.elements.meshes.teeth.friction.film import FilmFriction
    from wheelwork.elements.meshes.teeth.links import ChainLinks
    from wheelwork.elements.meshes.teeth.pins import PinContact
    from wheelwork.elements.meshes.teeth.rigid import RigidTeeth
    from wheelwork.elements.meshes.teeth.stiffness import (
        BeamStiffness,
        EnergyStiffness,
        GivenStiffness,
        IsoStiffness,
        StiffnessHarmonic,
        TabledStiffness,
    )
    from wheelwork.elements.meshes.teeth.strands import BeltStrands
    from wheelwork.elements.meshes.teeth.traction import Traction
    from wheelwork.elements.meshes.worm import WormMesh
    from wheelwork.exchange.fmu.write import write_fmu
    from wheelwork.exchange.mjcf import read_mjcf
    from wheelwork.exchange.mjcf_writer import write_mjcf
    from wheelwork.exchange.urdf import read_urdf
    from wheelwork.exchange.urdf_writer import write_urdf
    from wheelwork.loaded import load
    from wheelwork.mechanism import Mechanism, loads
    from wheelwork.results import Result, load_result
    from wheelwork.studies import Study


# Names by the module that has them; classes of elements come besides, from the registry.
_NAMES = {
    "analyses.controllers": "SampledController",
    "analyses.session": "Session",
    "description": (
        "Assemble AugmentedLagrangian Baumgarte Body Box CampbellAnalysis Component Cylinder Disc Equilibrium Formula "
        "FormulaOutline Frame GearBlank Geometry Inverse Kinematics ModelError ModesAnalysis NoStabilisation "
        "Orientation PointsOutline PolarOutline Pose Problem Projection ResponseAnalysis Rotor Shaft ShaftBearing "
        "ShaftSection ShaftWheel Simulate Sphere StabilityAnalysis StudyPlan SweepAnalysis Table Tube"
    ),
    "elements.data_sheets": "help",
    "exchange": "read_mjcf read_urdf write_fmu write_mjcf write_urdf",
    "loaded": "load",
    "mechanism": "Mechanism loads",
    "results": "Result load_result",
    "studies": "Study",
}
_PLACES = {name: f"wheelwork.{module}" for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name == "__all__":  # made when asked for: it needs every class of an element
        from wheelwork.description.registry import public_names

        return sorted({*_PLACES, *public_names(), "__version__"})
    if name.startswith("_"):
        raise AttributeError(f"module 'wheelwork' has no attribute {name!r}")
    with lazy.uncollected():
        value = _public(name)
    if value is None:
        raise AttributeError(_unknown(name))
    globals()[name] = value
    return value


def _public(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    spec = PathFinder.find_spec(f"{__name__}.{name}", __path__) if name.islower() else None
    if spec is not None and spec.origin:
        return import_module(f"{__name__}.{name}")
    return import_module("wheelwork.description.registry").find_public(name)


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, __getattr__("__all__"), n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"module 'wheelwork' has no attribute {name!r}{hint}"


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
