"""Wheels whose teeth are in a given phase: the points of their pitch circles that touch each other.

Haug's gears (Computer Aided Kinematics and Dynamics, 1989, sec. 3.4) have on each pitch circle a point Q that touches
that of the other; theta_i, theta_j are their directions in the bodies' frames. With lambda the direction of the line of
centres from i to j, R the pitch radii and phi the angles of the bodies, no slip is

    R_i (phi_i + theta_i - lambda) + R_j (phi_j + theta_j - pi - lambda) = 0                         (3.4.2)

so that the phase of the row, which else is its raw value at the given position, is that of wheels turned until both
points are on the line of centres. Here the middle of a tooth of a is at Q_a, and the middle of a space of b at Q_b.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import numpy as np

if TYPE_CHECKING:
    from .layout import Layout
    from .meshes import MeshGeometry


def touching_points(layout: Layout, geometry: MeshGeometry) -> list[ca.SX] | None:
    """Directions of Q_a and Q_b from the wheels' centres, in the world at the given position; None where not given."""
    given = getattr(geometry.mesh, "phase", None)
    if given is None:
        return None
    found = []
    for body, record, angle in zip(geometry.bodies, geometry.markers, given, strict=True):
        at = layout.bodies[body]
        x, z = at.frame.axes[:, 0], at.in_world(record).axes[:, 2]
        start = x - ca.dot(x, z) * z
        if float(layout.number(ca.norm_2(start))[0]) < 1e-6:
            raise ValueError(
                f"`phase` is counted from the x axis of `{body}`, which is along the axis of its wheel: turn the frame "
                "of the body"
            )
        start, theta = start / ca.norm_2(start), layout.parameters.value(angle)
        found.append(ca.cos(theta) * start + ca.sin(theta) * ca.cross(z, start))
    return found


def touching_markers(layout: Layout, geometry: MeshGeometry) -> list[ca.SX] | None:
    """Records of the wheels' frames, turned until both points are on the line of centres; None where not given."""
    points = touching_points(layout, geometry)
    if points is None:
        return None
    records = []
    for body, record, q in zip(geometry.bodies, geometry.markers, points, strict=True):
        frame = layout.bodies[body].in_world(record)
        z = frame.axes[:, 2]
        to = geometry.contact - frame.position
        turn = ca.atan2(ca.dot(z, ca.cross(q, to)), ca.dot(q, to))
        c, s = ca.cos(turn), ca.sin(turn)
        axes = ca.reshape(record[3:12], 3, 3).T
        x, y = axes[:, 0], axes[:, 1]
        turned = ca.horzcat(c * x + s * y, c * y - s * x, axes[:, 2])
        records.append(ca.vertcat(record[:3], ca.vec(turned.T)))
    return records


def tooth_directions(directions: list[np.ndarray], axis: np.ndarray, teeth_b: int) -> list[np.ndarray]:
    """Of a tooth of a and of b, from Q_a, which is in a tooth, and Q_b, which is in a space."""
    a, b = directions
    half = np.pi / teeth_b
    return [a, b * np.cos(half) + np.cross(axis, b) * np.sin(half)]
