"""Dynamics of machines with gears: one description, from ideal meshes to tooth contact, compiled to machine code.

Everything public is here, loaded when first used: `import wheelwork as ww; m = ww.load("pendulum.yaml")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wheelwork.mechanism import Mechanism, load, loads
    from wheelwork.model import (
        Absolute,
        Actuator,
        Assemble,
        AugmentedLagrangian,
        Baumgarte,
        BeamStiffness,
        BeltMesh,
        BevelMesh,
        Body,
        BodyDriver,
        Box,
        Bushing,
        CamCam,
        CamFlat,
        CamPoint,
        Compliant,
        CompliantTeeth,
        Component,
        Contact,
        ContactPlane,
        ContactSphere,
        CrossedMesh,
        Cylinder,
        Cylindrical,
        Disc,
        Distance,
        DistanceDriver,
        EnergyStiffness,
        Equilibrium,
        ExternalMesh,
        Fixed,
        Force,
        Formula,
        FormulaOutline,
        Frame,
        Friction,
        GearBlank,
        GivenStiffness,
        InternalMesh,
        Inverse,
        IsoStiffness,
        JointDriver,
        Kinematics,
        ModelError,
        Motor,
        MotorCurve,
        NoStabilisation,
        Orientation,
        Planar,
        PointOnLine,
        PointOnPlane,
        PointsOutline,
        PolarOutline,
        Pose,
        Prismatic,
        Problem,
        Projection,
        RackMesh,
        Relative,
        Restitution,
        Revolute,
        RevoluteRevolute,
        RevoluteSpherical,
        RevoluteTranslational,
        RigidTeeth,
        Rod,
        RotationDriver,
        Rotor,
        Screw,
        Simulate,
        Sphere,
        Spherical,
        Spring,
        StiffnessHarmonic,
        Table,
        TabledStiffness,
        Torque,
        TorsionalSpring,
        Translational,
        TransmissionErrorHarmonic,
        Tube,
        Universal,
        WormMesh,
    )
    from wheelwork.results import Result, load_result

    __version__: str

__all__ = [
    "Absolute",
    "Actuator",
    "Assemble",
    "AugmentedLagrangian",
    "Baumgarte",
    "BeamStiffness",
    "BeltMesh",
    "BevelMesh",
    "Body",
    "BodyDriver",
    "Box",
    "Bushing",
    "CamCam",
    "CamFlat",
    "CamPoint",
    "Compliant",
    "CompliantTeeth",
    "Component",
    "Contact",
    "ContactPlane",
    "ContactSphere",
    "CrossedMesh",
    "Cylinder",
    "Cylindrical",
    "Disc",
    "Distance",
    "DistanceDriver",
    "EnergyStiffness",
    "Equilibrium",
    "ExternalMesh",
    "Fixed",
    "Force",
    "Formula",
    "FormulaOutline",
    "Frame",
    "Friction",
    "GearBlank",
    "GivenStiffness",
    "InternalMesh",
    "Inverse",
    "IsoStiffness",
    "JointDriver",
    "Kinematics",
    "Mechanism",
    "ModelError",
    "Motor",
    "MotorCurve",
    "NoStabilisation",
    "Orientation",
    "Planar",
    "PointOnLine",
    "PointOnPlane",
    "PointsOutline",
    "PolarOutline",
    "Pose",
    "Prismatic",
    "Problem",
    "Projection",
    "RackMesh",
    "Relative",
    "Restitution",
    "Result",
    "Revolute",
    "RevoluteRevolute",
    "RevoluteSpherical",
    "RevoluteTranslational",
    "RigidTeeth",
    "Rod",
    "RotationDriver",
    "Rotor",
    "Screw",
    "Simulate",
    "Sphere",
    "Spherical",
    "Spring",
    "StiffnessHarmonic",
    "Table",
    "TabledStiffness",
    "Torque",
    "TorsionalSpring",
    "Translational",
    "TransmissionErrorHarmonic",
    "Tube",
    "Universal",
    "WormMesh",
    "__version__",
    "load",
    "load_result",
    "loads",
]

# Where the names above live; all others are in `wheelwork.model`.
_ELSEWHERE: dict[str, str] = {
    "Mechanism": "wheelwork.mechanism",
    "Result": "wheelwork.results",
    "load": "wheelwork.mechanism",
    "load_result": "wheelwork.results",
    "loads": "wheelwork.mechanism",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("wheelwork")
    elif name in __all__:
        from importlib import import_module

        value = getattr(import_module(_ELSEWHERE.get(name, "wheelwork.model")), name)
    else:
        from difflib import get_close_matches

        close = get_close_matches(name, __all__, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise AttributeError(f"module 'wheelwork' has no attribute {name!r}{hint}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
