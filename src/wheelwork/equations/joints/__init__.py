"""Spatial joints, one file each, and their registry."""

from __future__ import annotations

from .base import COORDINATE_UNITS, JointEquations
from .cylindrical import Cylindrical
from .distance import Distance, Rod
from .fixed import Fixed
from .planar import Planar
from .point_on_line import PointOnLine
from .point_on_plane import PointOnPlane
from .prismatic import Prismatic
from .revolute import Revolute
from .revolute_spherical import RevoluteSpherical
from .screw import Screw
from .spherical import Spherical
from .universal import Universal

JOINTS: dict[str, JointEquations] = {
    joint.type: joint()
    for joint in (
        Fixed,
        Spherical,
        Revolute,
        Prismatic,
        Cylindrical,
        Screw,
        Universal,
        Planar,
        PointOnLine,
        PointOnPlane,
        Distance,
        Rod,
        RevoluteSpherical,
    )
}
"""Equations by the type name of the description."""

__all__ = ["COORDINATE_UNITS", "JOINTS", "JointEquations"]
