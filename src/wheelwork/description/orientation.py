"""Where something stands and how it is turned."""

from __future__ import annotations

from collections.abc import Iterator

from wheelwork.description.base import Evaluate, Issue, Part
from wheelwork.description.geometry import is_zero, numbers
from wheelwork.description.values import ORIGIN, Angle, Angles, Direction, Number, Point

SPELLINGS = ("euler_parameters", "euler_zxz", "bryant_xyz", "rotation_vector", "axis")


class Orientation(Part):
    """A rotation, in one of five spellings; nothing given is no rotation.

    The rotation matrix A turns components in the turned frame into components in the frame it is placed in.

    Fields:
        euler_parameters [1]: w, x, y, z with w = cos(angle/2); normalised when used
        euler_zxz [rad]: turns about z, then the new x, then the new z
        bryant_xyz [rad]: turns about x, then the new y, then the new z
        rotation_vector [rad]: axis times angle
        axis [1]: axis of the rotation, any length; needs `angle`
        angle [rad]: about `axis`, by the right hand
    """

    euler_parameters: tuple[Number, Number, Number, Number] | None = None
    euler_zxz: Angles | None = None
    bryant_xyz: Angles | None = None
    rotation_vector: Angles | None = None
    axis: Direction | None = None
    angle: Angle | None = None

    @property
    def spelling(self) -> str | None:
        """Which of the five is given, or None for no rotation."""
        return next((name for name in SPELLINGS if getattr(self, name) is not None), None)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        given = [name for name in SPELLINGS if getattr(self, name) is not None]
        if len(given) > 1:
            yield Issue(given[1], f"an orientation is given in one way, but here are {' and '.join(given)}")
        if (self.axis is None) != (self.angle is None):
            missing = "angle" if self.angle is None else "axis"
            yield Issue(
                "axis" if missing == "angle" else "angle",
                f"`axis` and `angle` go together; `{missing}` is missing",
            )
        for name in ("axis", "euler_parameters"):
            vector = getattr(self, name)
            if vector is not None and is_zero(numbers(vector, value)):
                yield Issue(name, "must not be zero: it has no direction")


class Pose(Part):
    """Position and orientation of one frame in another.

    Fields:
        position [m]: of the origin
        orientation: of the axes
        angle [rad]: about z, in a planar mechanism instead of `orientation`
    """

    position: Point = ORIGIN
    orientation: Orientation = Orientation()
    angle: Angle | None = None
