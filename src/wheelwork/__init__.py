"""Dynamics of machines with gears: one description, from ideal meshes to tooth contact, compiled to machine code.

Everything public is here, loaded when first used: `import wheelwork as ww; m = ww.load("pendulum.yaml")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import moved

if TYPE_CHECKING:
    # For type checkers and editors; at run time names of elements come from the registry, listed here or not.
    from wheelwork.description import (
        Actuator as Actuator,
    )
    from wheelwork.description import (
        Assemble as Assemble,
    )
    from wheelwork.description import (
        AugmentedLagrangian as AugmentedLagrangian,
    )
    from wheelwork.description import (
        Baumgarte as Baumgarte,
    )
    from wheelwork.description import (
        BeamStiffness as BeamStiffness,
    )
    from wheelwork.description import (
        BeltMesh as BeltMesh,
    )
    from wheelwork.description import (
        BevelMesh as BevelMesh,
    )
    from wheelwork.description import (
        Body as Body,
    )
    from wheelwork.description import (
        Box as Box,
    )
    from wheelwork.description import (
        Bushing as Bushing,
    )
    from wheelwork.description import (
        CampbellAnalysis as CampbellAnalysis,
    )
    from wheelwork.description import (
        Compliant as Compliant,
    )
    from wheelwork.description import (
        CompliantTeeth as CompliantTeeth,
    )
    from wheelwork.description import (
        Component as Component,
    )
    from wheelwork.description import (
        Contact as Contact,
    )
    from wheelwork.description import (
        ContactPlane as ContactPlane,
    )
    from wheelwork.description import (
        ContactSphere as ContactSphere,
    )
    from wheelwork.description import (
        ContactTeeth as ContactTeeth,
    )
    from wheelwork.description import (
        CoulombFriction as CoulombFriction,
    )
    from wheelwork.description import (
        CrossedMesh as CrossedMesh,
    )
    from wheelwork.description import (
        Cylinder as Cylinder,
    )
    from wheelwork.description import (
        Disc as Disc,
    )
    from wheelwork.description import (
        EnergyStiffness as EnergyStiffness,
    )
    from wheelwork.description import (
        Equilibrium as Equilibrium,
    )
    from wheelwork.description import (
        ExternalMesh as ExternalMesh,
    )
    from wheelwork.description import (
        FilmFriction as FilmFriction,
    )
    from wheelwork.description import (
        Force as Force,
    )
    from wheelwork.description import (
        Formula as Formula,
    )
    from wheelwork.description import (
        FormulaOutline as FormulaOutline,
    )
    from wheelwork.description import (
        Frame as Frame,
    )
    from wheelwork.description import (
        Friction as Friction,
    )
    from wheelwork.description import (
        GearBlank as GearBlank,
    )
    from wheelwork.description import (
        GivenStiffness as GivenStiffness,
    )
    from wheelwork.description import (
        HuntCrossley as HuntCrossley,
    )
    from wheelwork.description import (
        InternalMesh as InternalMesh,
    )
    from wheelwork.description import (
        Inverse as Inverse,
    )
    from wheelwork.description import (
        IsoStiffness as IsoStiffness,
    )
    from wheelwork.description import (
        JohnsonContact as JohnsonContact,
    )
    from wheelwork.description import (
        Kinematics as Kinematics,
    )
    from wheelwork.description import (
        LinearContact as LinearContact,
    )
    from wheelwork.description import (
        ModelError as ModelError,
    )
    from wheelwork.description import (
        ModesAnalysis as ModesAnalysis,
    )
    from wheelwork.description import (
        Motor as Motor,
    )
    from wheelwork.description import (
        MotorCurve as MotorCurve,
    )
    from wheelwork.description import (
        NoDamping as NoDamping,
    )
    from wheelwork.description import (
        NoStabilisation as NoStabilisation,
    )
    from wheelwork.description import (
        Orientation as Orientation,
    )
    from wheelwork.description import (
        PointsOutline as PointsOutline,
    )
    from wheelwork.description import (
        PolarOutline as PolarOutline,
    )
    from wheelwork.description import (
        Pose as Pose,
    )
    from wheelwork.description import (
        PowerContact as PowerContact,
    )
    from wheelwork.description import (
        Problem as Problem,
    )
    from wheelwork.description import (
        Projection as Projection,
    )
    from wheelwork.description import (
        RackMesh as RackMesh,
    )
    from wheelwork.description import (
        RampDamping as RampDamping,
    )
    from wheelwork.description import (
        ResponseAnalysis as ResponseAnalysis,
    )
    from wheelwork.description import (
        Restitution as Restitution,
    )
    from wheelwork.description import (
        RigidTeeth as RigidTeeth,
    )
    from wheelwork.description import (
        Rotor as Rotor,
    )
    from wheelwork.description import (
        Simulate as Simulate,
    )
    from wheelwork.description import (
        Sphere as Sphere,
    )
    from wheelwork.description import (
        Spring as Spring,
    )
    from wheelwork.description import (
        StiffnessHarmonic as StiffnessHarmonic,
    )
    from wheelwork.description import (
        SweepAnalysis as SweepAnalysis,
    )
    from wheelwork.description import (
        Table as Table,
    )
    from wheelwork.description import (
        TabledStiffness as TabledStiffness,
    )
    from wheelwork.description import (
        TipRelief as TipRelief,
    )
    from wheelwork.description import (
        ToothContact as ToothContact,
    )
    from wheelwork.description import (
        Torque as Torque,
    )
    from wheelwork.description import (
        TorsionalSpring as TorsionalSpring,
    )
    from wheelwork.description import (
        TransmissionErrorHarmonic as TransmissionErrorHarmonic,
    )
    from wheelwork.description import (
        Tube as Tube,
    )
    from wheelwork.description import (
        WeberContact as WeberContact,
    )
    from wheelwork.description import (
        WormMesh as WormMesh,
    )
    from wheelwork.elements.drivers.body import BodyDriver as BodyDriver
    from wheelwork.elements.drivers.distance import DistanceDriver as DistanceDriver
    from wheelwork.elements.drivers.joint import JointDriver as JointDriver
    from wheelwork.elements.drivers.rotation import RotationDriver as RotationDriver
    from wheelwork.elements.joints.absolute import Absolute as Absolute
    from wheelwork.elements.joints.cam_cam import CamCam as CamCam
    from wheelwork.elements.joints.cam_flat import CamFlat as CamFlat
    from wheelwork.elements.joints.cam_point import CamPoint as CamPoint
    from wheelwork.elements.joints.cylindrical import Cylindrical as Cylindrical
    from wheelwork.elements.joints.distance import Distance as Distance
    from wheelwork.elements.joints.distance import RevoluteRevolute as RevoluteRevolute
    from wheelwork.elements.joints.distance import Rod as Rod
    from wheelwork.elements.joints.fixed import Fixed as Fixed
    from wheelwork.elements.joints.planar import Planar as Planar
    from wheelwork.elements.joints.point_on_line import PointOnLine as PointOnLine
    from wheelwork.elements.joints.point_on_plane import PointOnPlane as PointOnPlane
    from wheelwork.elements.joints.prismatic import Prismatic as Prismatic
    from wheelwork.elements.joints.relative import Relative as Relative
    from wheelwork.elements.joints.revolute import Revolute as Revolute
    from wheelwork.elements.joints.revolute_spherical import RevoluteSpherical as RevoluteSpherical
    from wheelwork.elements.joints.revolute_translational import (
        RevoluteTranslational as RevoluteTranslational,
    )
    from wheelwork.elements.joints.screw import Screw as Screw
    from wheelwork.elements.joints.spherical import Spherical as Spherical
    from wheelwork.elements.joints.translational import Translational as Translational
    from wheelwork.elements.joints.universal import Universal as Universal
    from wheelwork.mechanism import Mechanism as Mechanism
    from wheelwork.mechanism import load as load
    from wheelwork.mechanism import loads as loads
    from wheelwork.results import Result as Result
    from wheelwork.results import load_result as load_result

    __version__: str


moved.install()

# Names and where they live; classes of elements come besides, from the registry.
_PLACES = {
    "Mechanism": "wheelwork.mechanism",
    "Result": "wheelwork.results",
    "load": "wheelwork.mechanism",
    "load_result": "wheelwork.results",
    "loads": "wheelwork.mechanism",
}
_DESCRIPTION = (
    "Actuator",
    "Assemble",
    "AugmentedLagrangian",
    "Baumgarte",
    "BeamStiffness",
    "BeltMesh",
    "BevelMesh",
    "Body",
    "Box",
    "Bushing",
    "CampbellAnalysis",
    "Compliant",
    "CompliantTeeth",
    "Component",
    "Contact",
    "ContactPlane",
    "ContactSphere",
    "ContactTeeth",
    "CoulombFriction",
    "CrossedMesh",
    "Cylinder",
    "Disc",
    "EnergyStiffness",
    "Equilibrium",
    "ExternalMesh",
    "FilmFriction",
    "Force",
    "Formula",
    "FormulaOutline",
    "Frame",
    "Friction",
    "GearBlank",
    "GivenStiffness",
    "HuntCrossley",
    "InternalMesh",
    "Inverse",
    "IsoStiffness",
    "JohnsonContact",
    "Kinematics",
    "LinearContact",
    "ModelError",
    "ModesAnalysis",
    "Motor",
    "MotorCurve",
    "NoDamping",
    "NoStabilisation",
    "Orientation",
    "PointsOutline",
    "PolarOutline",
    "Pose",
    "PowerContact",
    "Problem",
    "Projection",
    "RackMesh",
    "RampDamping",
    "ResponseAnalysis",
    "Restitution",
    "RigidTeeth",
    "Rotor",
    "Simulate",
    "Sphere",
    "Spring",
    "StiffnessHarmonic",
    "SweepAnalysis",
    "Table",
    "TabledStiffness",
    "TipRelief",
    "ToothContact",
    "Torque",
    "TorsionalSpring",
    "TransmissionErrorHarmonic",
    "Tube",
    "WeberContact",
    "WormMesh",
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("wheelwork")
    elif name == "__all__":  # made when asked for: it needs every class of an element
        from wheelwork.description.registry import public_names

        return sorted({*_PLACES, *_DESCRIPTION, *public_names(), "__version__"})
    elif name.startswith("_"):
        raise AttributeError(f"module 'wheelwork' has no attribute {name!r}")
    else:
        from importlib import import_module

        try:
            value = getattr(import_module(_PLACES.get(name, "wheelwork.description")), name)
        except AttributeError:
            value = None
        if value is None or not (name in _PLACES or name in _DESCRIPTION or name in __getattr__("__all__")):
            raise AttributeError(_unknown(name)) from None
    globals()[name] = value
    return value


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, __getattr__("__all__"), n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"module 'wheelwork' has no attribute {name!r}{hint}"


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
