"""Cams, one file each."""

from __future__ import annotations

from ..joints.base import JointEquations
from .base import FOLLOWING_ROUNDS, ROUNDS, CamEquations, Contact
from .cam_cam import CamCam
from .cam_flat import CamFlat
from .cam_point import CamPoint
from .outline import FormulaOutline, Outline, SplineOutline
from .spline import Spline

CAMS: dict[str, JointEquations] = {cam.type: cam() for cam in (CamFlat, CamPoint, CamCam)}
"""By the type name of the description; `chosen` puts the outlines in."""

__all__ = [
    "CAMS",
    "FOLLOWING_ROUNDS",
    "ROUNDS",
    "CamEquations",
    "Contact",
    "FormulaOutline",
    "Outline",
    "Spline",
    "SplineOutline",
]
