"""Wheels whose teeth are in a given phase: the points of their pitch circles that touch each other.

Haug's gears (Computer Aided Kinematics and Dynamics, 1989, sec. 3.4) have on each pitch circle a point Q that touches
that of the other; theta_i, theta_j are their directions in the bodies' frames. With lambda the direction of the line of
centres from i to j, R the pitch radii and phi the angles of the bodies, no slip is

    R_i (phi_i + theta_i - lambda) + R_j (phi_j + theta_j - pi - lambda) = 0                         (3.4.2)

so that the phase of the row, which else is its raw value at the given position, is that of wheels turned until both
points are at the pitch point. Here the middle of a tooth of a is at Q_a, and the middle of a space of b at Q_b. The
same holds for every mesh of two toothed wheels, in the sections at a right angle to their axes through the pitch point:
on parallel axes angles are counted about that of wheel a, else about those of the wheels as they are given. Q of a rack
is a point of its pitch line, so far from the foot of the body's origin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import numpy as np

if TYPE_CHECKING:
    from .layout import Layout
    from .meshes import MeshGeometry


def touching_points(layout: Layout, geometry: MeshGeometry) -> list[ca.SX] | None:
    """Directions of Q_a and Q_b from the wheels' centres, of a rack the point itself, in the world at the given
    position; None where not given.
    """
    given = getattr(geometry.mesh, "phase", None)
    if given is None:
        return None
    return [
        _on_line(layout, geometry, place)
        if geometry.mesh.b_is_rack and side == 1
        else _on_circle(layout, geometry, side, place)
        for side, place in enumerate(given)
    ]


def _on_circle(layout: Layout, geometry: MeshGeometry, side: int, angle: Any) -> ca.SX:
    body = geometry.bodies[side]
    at = layout.bodies[body]
    parallel = geometry.mesh.parallel
    z = at.in_world(geometry.markers[side]).axes[:, 2] if parallel else geometry.axes[side]
    x = at.frame.axes[:, 0]
    start = x - ca.dot(x, z) * z
    if float(layout.number(ca.norm_2(start))[0]) < 1e-6:
        raise ValueError(
            f"`phase` is counted from the x axis of `{body}`, which is along the axis of its wheel: turn the frame "
            "of the body"
        )
    start, theta = start / ca.norm_2(start), layout.parameters.value(angle)
    return ca.cos(theta) * start + ca.sin(theta) * ca.cross(z, start)


def _on_line(layout: Layout, geometry: MeshGeometry, way: Any) -> ca.SX:
    """A point of a rack's pitch line."""
    line, origin = geometry.axes[1], layout.bodies[geometry.bodies[1]].frame.position
    foot = ca.dot(line, origin - geometry.contact)
    return geometry.contact + line * (foot + layout.parameters.value(way))


def touching_markers(layout: Layout, geometry: MeshGeometry) -> list[ca.SX] | None:
    """Records of the wheels' frames, turned (of a rack moved) until both points are at the pitch point; None where not
    given."""
    points = touching_points(layout, geometry)
    if points is None:
        return None
    records = []
    for side, (body, record, q) in enumerate(zip(geometry.bodies, geometry.markers, points, strict=True)):
        frame, axes = layout.bodies[body].in_world(record), ca.reshape(record[3:12], 3, 3).T
        if geometry.mesh.b_is_rack and side == 1:
            way = ca.dot(frame.axes[:, 0], geometry.contact - q)
            records.append(ca.vertcat(record[:3] + way * axes[:, 0], record[3:12]))
            continue
        z = frame.axes[:, 2]
        to = geometry.contact - frame.position
        # (3.4.2) solved for the turn of each wheel: phi_i + theta_i = lambda, phi_j + theta_j = lambda + pi
        turn = ca.atan2(ca.dot(z, ca.cross(q, to)), ca.dot(q, to))
        c, s = ca.cos(turn), ca.sin(turn)
        x, y = axes[:, 0], axes[:, 1]
        turned = ca.horzcat(c * x + s * y, c * y - s * x, axes[:, 2])
        records.append(ca.vertcat(record[:3], ca.vec(turned.T)))
    return records


def given_teeth(layout: Layout, geometry: MeshGeometry, values: Any) -> list[np.ndarray] | None:
    """Directions of a tooth of each wheel (of a rack its point), half a pitch of b from Q_b, which is in a space; None
    without a phase or teeth."""
    points = touching_points(layout, geometry)
    if points is None or not geometry.has_teeth:
        return None
    line, pitch = geometry.axes[1], geometry.numbers["pitch"]
    if geometry.mesh.b_is_rack:
        tooth = points[1] + pitch / 2 * line
    else:
        half = ca.pi / geometry.teeth[1]
        tooth = points[1] * ca.cos(half) + ca.cross(line, points[1]) * ca.sin(half)
    return [layout.number(place, values) for place in (points[0], tooth)]
