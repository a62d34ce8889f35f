"""Where something stands and how it is turned."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from wheelwork.description.base import Evaluate, Issue, Part, Value
from wheelwork.description.geometry import is_zero, norm, numbers
from wheelwork.description.values import ORIGIN, Angle, Angles, Direction, Number, Point

SPELLINGS = ("euler_parameters", "euler_zxz", "bryant_xyz", "rodrigues", "rotation_vector", "axis")


class Orientation(Part):
    """A rotation, in one of six spellings; nothing given is no rotation.

    The rotation matrix A turns components in the turned frame into components in the frame it is placed in.

    Fields:
        euler_parameters [1]: w, x, y, z with w = cos(angle/2); normalised when used
        euler_zxz [rad]: turns about z, then the new x, then the new z
        bryant_xyz [rad]: turns about x, then the new y, then the new z (Cardan angles)
        rodrigues [1]: axis times tan(angle/2); never half a turn
        rotation_vector [rad]: axis times angle
        axis [1]: axis of the rotation, any length; needs `angle`
        angle [rad]: about `axis`, by the right hand
    """

    euler_parameters: tuple[Number, Number, Number, Number] | None = None
    euler_zxz: Angles | None = None
    bryant_xyz: Angles | None = None
    rodrigues: tuple[Number, Number, Number] | None = None
    rotation_vector: Angles | None = None
    axis: Direction | None = None
    angle: Angle | None = None

    def matrix(self, value: Callable[[Value], float]) -> list[list[float]]:
        """A in numbers; `value` gives them."""

        def about(axis: Sequence[float], angle: float) -> list[list[float]]:
            """By Rodrigues' formula."""
            size = norm(axis)
            x, y, z = (component / size for component in axis) if size else (0.0, 0.0, 1.0)
            c, s = math.cos(angle), math.sin(angle)
            v = 1 - c
            return [
                [c + x * x * v, x * y * v - z * s, x * z * v + y * s],
                [y * x * v + z * s, c + y * y * v, y * z * v - x * s],
                [z * x * v - y * s, z * y * v + x * s, c + z * z * v],
            ]

        X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        turns: list[tuple[Sequence[float], float]] = []
        if self.euler_parameters is not None:
            w, *axis = map(value, self.euler_parameters)
            turns = [(axis, 2 * math.atan2(norm(axis), w))]
        elif self.euler_zxz is not None:
            turns = list(zip((Z, X, Z), map(value, self.euler_zxz), strict=True))
        elif self.bryant_xyz is not None:
            turns = list(zip((X, Y, Z), map(value, self.bryant_xyz), strict=True))
        elif self.rodrigues is not None:
            axis = [value(x) for x in self.rodrigues]
            turns = [(axis, 2 * math.atan(norm(axis)))]
        elif self.rotation_vector is not None:
            axis = [value(x) for x in self.rotation_vector]
            turns = [(axis, norm(axis))]
        elif self.axis is not None and self.angle is not None:
            turns = [([value(x) for x in self.axis], value(self.angle))]
        A = [list(X), list(Y), list(Z)]
        for axis, angle in turns:
            B = about(axis, angle)
            A = [[sum(A[i][j] * B[j][k] for j in range(3)) for k in range(3)] for i in range(3)]
        return A

    @property
    def spelling(self) -> str | None:
        """Which of the six is given, or None for no rotation."""
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
        if self.euler_parameters is not None and is_zero(numbers(self.euler_parameters, value)):
            yield Issue("euler_parameters", "must not be zero: it has no direction")


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
