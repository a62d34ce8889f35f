"""Joints in the plane, one file each, and their registry."""

from __future__ import annotations

from ..joints.base import JointEquations
from .absolute import Absolute
from .distance import Distance, RevoluteRevolute
from .fixed import Fixed
from .point_on_line import PointOnLine
from .prismatic import Prismatic
from .relative import Relative
from .revolute import Revolute
from .revolute_translational import RevoluteTranslational

PLANAR_JOINTS: dict[str, JointEquations] = {
    joint.type: joint()
    for joint in (
        Fixed,
        Revolute,
        Prismatic,
        PointOnLine,
        Distance,
        RevoluteRevolute,
        RevoluteTranslational,
        Absolute,
        Relative,
    )
}
"""Equations by the type name of the description."""

__all__ = ["PLANAR_JOINTS"]
