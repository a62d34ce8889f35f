"""Joints of the description, one file each or one for a family."""

from typing import Annotated

from wheelwork.model.joints.base import AxisJoint, Connection, Joint, PointJoint
from wheelwork.model.joints.cams import Cam, CamCam, CamFlat, CamPoint
from wheelwork.model.joints.composite import RevoluteRevolute, RevoluteTranslational
from wheelwork.model.joints.cylindrical import Cylindrical
from wheelwork.model.joints.distance import Distance, RevoluteSpherical, Rod
from wheelwork.model.joints.fixed import Fixed
from wheelwork.model.joints.planar import Planar
from wheelwork.model.joints.point_on_line import PointOnLine
from wheelwork.model.joints.point_on_plane import PointOnPlane
from wheelwork.model.joints.prismatic import Prismatic
from wheelwork.model.joints.relative import Absolute, Relative
from wheelwork.model.joints.revolute import Revolute
from wheelwork.model.joints.screw import Screw
from wheelwork.model.joints.spherical import Spherical
from wheelwork.model.joints.translational import Translational
from wheelwork.model.joints.universal import Universal
from wheelwork.model.union import ByType

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
