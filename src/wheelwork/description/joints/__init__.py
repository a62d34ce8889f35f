"""Joints of the description, one file each or one for a family."""

from typing import Annotated

from wheelwork.description.joints.base import AxisJoint, Connection, Joint, PointJoint
from wheelwork.description.joints.cams import Cam, CamCam, CamFlat, CamPoint
from wheelwork.description.joints.composite import RevoluteRevolute, RevoluteTranslational
from wheelwork.description.joints.cylindrical import Cylindrical
from wheelwork.description.joints.distance import Distance, RevoluteSpherical, Rod
from wheelwork.description.joints.fixed import Fixed
from wheelwork.description.joints.planar import Planar
from wheelwork.description.joints.point_on_line import PointOnLine
from wheelwork.description.joints.point_on_plane import PointOnPlane
from wheelwork.description.joints.prismatic import Prismatic
from wheelwork.description.joints.relative import Absolute, Relative
from wheelwork.description.joints.revolute import Revolute
from wheelwork.description.joints.screw import Screw
from wheelwork.description.joints.spherical import Spherical
from wheelwork.description.joints.translational import Translational
from wheelwork.description.joints.universal import Universal
from wheelwork.description.union import ByType

AnyJoint = Annotated[
    Fixed
    | Revolute
    | Prismatic
    | Cylindrical
    | Spherical
    | Universal
    | Planar
    | PointOnLine
    | PointOnPlane
    | Distance
    | Screw
    | Rod
    | RevoluteSpherical
    | Absolute
    | Relative
    | Translational
    | RevoluteRevolute
    | RevoluteTranslational
    | CamFlat
    | CamCam
    | CamPoint,
    ByType(),
]

__all__ = [
    "Absolute",
    "AnyJoint",
    "AxisJoint",
    "Cam",
    "CamCam",
    "CamFlat",
    "CamPoint",
    "Connection",
    "Cylindrical",
    "Distance",
    "Fixed",
    "Joint",
    "Planar",
    "PointJoint",
    "PointOnLine",
    "PointOnPlane",
    "Prismatic",
    "Relative",
    "Revolute",
    "RevoluteRevolute",
    "RevoluteSpherical",
    "RevoluteTranslational",
    "Rod",
    "Screw",
    "Spherical",
    "Translational",
    "Universal",
]
