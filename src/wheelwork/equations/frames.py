"""Frames: all that an element ever sees of the bodies it touches.

A :class:`BodyFrame` is the symbolic motion of one rigid body, in world axes; a :class:`Marker` is a frame
fixed in it (a joint frame, an attachment point). Elements are written with these and with nothing else, so
they do not know how the motion is parametrised nor how many bodies there are.

Symbols (all in world axes unless primed)::

    x   position of the centre of mass                 m        (3)
    R   rotation matrix, world <- body                 1        (3, 3)
    v   velocity of the centre of mass                 m/s      (3)
    w   angular velocity                               rad/s    (3)
    s   arm from the centre of mass to a marker, R s'  m        (3)
    p   position of a marker, x + s                    m        (3)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

BODY_RECORD = 18
"""Numbers in a body's record: x (3), R by rows (9), v (3), w (3)."""

MARKER_RECORD = 12
"""Numbers in a marker's record: s' (3), rotation matrix body <- marker by rows (9)."""


def matrix_by_rows(values: ca.SX) -> ca.SX:
    """3x3 matrix from nine numbers stored row by row."""
    return ca.reshape(values, 3, 3).T


def skew(a: ca.SX) -> ca.SX:
    """The matrix a~ with a~ b = a x b."""
    return ca.skew(a)


@dataclass(frozen=True)
class BodyFrame:
    """Pose and twist of one body, as expressions."""

    x: ca.SX
    R: ca.SX
    v: ca.SX
    w: ca.SX
    angle: ca.SX | None = None
    """In the plane: the angle phi of R, over any number of turns. None in space."""

    @classmethod
    def from_record(cls, record: ca.SX) -> BodyFrame:
        """The frame of a body in space."""
        return cls(record[0:3], matrix_by_rows(record[3:12]), record[12:15], record[15:18])

    def perturbed(self, dx: ca.SX, turn: ca.SX, dv: ca.SX, dw: ca.SX) -> BodyFrame:
        """The frame after a small displacement dx, rotation vector `turn` (world axes) and change of twist."""
        angle = None if self.angle is None else self.angle + turn[2]
        return BodyFrame(self.x + dx, self.R + ca.mtimes(skew(turn), self.R), self.v + dv, self.w + dw, angle)


@dataclass(frozen=True)
class Marker:
    """A frame fixed in a body: its position and axes in the world, and how they move."""

    body: BodyFrame
    local_position: ca.SX
    local_axes: ca.SX

    @classmethod
    def from_record(cls, body: BodyFrame, record: ca.SX) -> Marker:
        return cls(body, record[0:3], matrix_by_rows(record[3:12]))

    @classmethod
    def pair(cls, bodies: Iterable[BodyFrame], data: ca.SX) -> tuple[Marker, Marker]:
        """Of a and b, whose records the data begin with."""
        a, b = bodies
        return cls.from_record(a, data), cls.from_record(b, data[MARKER_RECORD:])

    @cached_property
    def s(self) -> ca.SX:
        """Arm from the body's centre of mass."""
        return ca.mtimes(self.body.R, self.local_position)

    @cached_property
    def p(self) -> ca.SX:
        """Position."""
        return self.body.x + self.s

    @cached_property
    def axes(self) -> ca.SX:
        """World directions of the marker's axes, as columns."""
        return ca.mtimes(self.body.R, self.local_axes)

    @cached_property
    def angle(self) -> ca.SX | None:
        """In the plane: angle of the x axis to that of the world, over any number of turns. None in space."""
        if self.body.angle is None:
            return None
        return self.body.angle + ca.atan2(self.local_axes[1, 0], self.local_axes[0, 0])

    @property
    def ex(self) -> ca.SX:
        return self.axes[:, 0]

    @property
    def ey(self) -> ca.SX:
        return self.axes[:, 1]

    @property
    def ez(self) -> ca.SX:
        return self.axes[:, 2]

    @cached_property
    def velocity(self) -> ca.SX:
        """v + w x s: u^C of Vlasenko, Kasper (23)."""
        return self.body.v + ca.cross(self.body.w, self.s)

    @cached_property
    def centripetal(self) -> ca.SX:
        """w x (w x s): the acceleration of the marker when the body's own accelerations are zero."""
        w = self.body.w
        return ca.cross(w, ca.cross(w, self.s))
