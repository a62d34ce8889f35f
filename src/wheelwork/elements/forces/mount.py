"""What bushings and bearings share: where b's frame is in a's, with tilt and spin separated, and their loads.

With A = axes of the frame on a: d = A^T (p_b - p_a), whose rate is that which an observer on a sees. The tilt t is the
angle between the z axes of the two frames, as a vector along z_a x z_b in the axes of a. It does not feel how far or
how fast b turns about its own z axis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.description import values
from wheelwork.description.connection import Connection
from wheelwork.elements.forces.base import Load
from wheelwork.equations.forces import at_point
from wheelwork.equations.frames import Marker
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

if TYPE_CHECKING:
    from wheelwork.equations.forces import Wrench


class Mount(Connection, Load):
    """Something elastic between a frame on body a and one on body b.

    Fields:
        bodies: names of body a and body b
        point [m]: centre, in the world at the assembled position
        frame_a: frame in body a
        frame_b: frame in body b
    """

    world: ClassVar[tuple[str, ...]] = ("point", "axis")
    is_bearing = True

    point: values.Point | None = None
    axis: values.Axis | None = None


@dataclass(frozen=True)
class Offset:
    """Where the frame on b is in that on a.

    d, d_rate   (3) m, m/s    along the axes of a
    t           (2) rad       tilt about x and y of a; zero in the plane
    tilting     (2x3) 1       its gradient: t' is that times w_b - w_a in world axes
    """

    d: ca.SX
    d_rate: ca.SX
    t: ca.SX
    tilting: ca.SX


def offset(a: Marker, b: Marker) -> Offset:
    gap = b.p - a.p
    rate = b.velocity - a.velocity - ca.cross(a.body.w, gap)
    return Offset(ca.mtimes(a.axes.T, gap), ca.mtimes(a.axes.T, rate), *_tilt(a, b))


def _tilt(a: Marker, b: Marker) -> tuple[ca.SX, ca.SX]:
    """t (2, axes of a) and its gradient (2x3)."""
    if a.angle is not None:
        return ca.SX(2, 1), ca.SX(2, 3)
    turn = ca.SX.sym("turn", 3)
    z = ca.mtimes(a.axes.T, b.ez + ca.cross(turn, b.ez))
    across = ca.vertcat(-z[1], z[0])
    square = ca.dot(across, across)
    # angle over sine; its series where the sine is too small to divide by (relative error 1e-17)
    small = ca.logic_and(square < 1e-4, z[2] > 0)
    sine = ca.sqrt(ca.if_else(small, 1.0, square))
    series = 1 + square * (1 / 6 + square * (3 / 40 + square * 5 / 112))
    t = across * ca.if_else(small, series, ca.atan2(sine, z[2]) / sine)
    at_rest = [ca.substitute(x, turn, ca.SX.zeros(3, 1)) for x in (t, ca.jacobian(t, turn))]
    return at_rest[0], at_rest[1]


def between(a: Marker, b: Marker, force: ca.SX, torque: ca.SX) -> list[Wrench]:
    """Force at b's point and torque on b, world axes; the opposite acts on a at the same point."""
    on_a, on_b = at_point(a.body, b.p, -force), at_point(b.body, b.p, force)
    return [(on_a[0], on_a[1] - torque), (on_b[0], on_b[1] + torque)]


def tilt_signals(a: Marker, at: Offset) -> dict[str, Any]:
    """In space."""
    return {
        f"tilt.{axis}": (at.t[i], "rad", f"angle between the z axes, about {axis} of the frame on a")
        for i, axis in enumerate("xy" if a.angle is None else "")
    }


def load_signals(a: Marker, force: ca.SX, torque: ca.SX) -> dict[str, Any]:
    """Components on b in the world, and what is across the axis of a's frame; in space also what is along it."""
    signals = {}
    for i, axis in enumerate("xyz"):
        signals[f"force.{axis}"] = (force[i], "N", f"force on body b along world {axis}")
        signals[f"torque.{axis}"] = (torque[i], "N m", f"torque on body b about world {axis}")
    own, turning = (ca.mtimes(a.axes.T, x) for x in (force, torque))
    across, moment = (ca.sqrt(x[0] ** 2 + x[1] ** 2) for x in (own, turning))
    signals["force.radial"] = (across, "N", "size of the force across the axis")
    if a.angle is None:
        signals["force.axial"] = (own[2], "N", "force on body b along the axis")
        signals["moment"] = (moment, "N m", "size of the torque across the axis")
    return signals
