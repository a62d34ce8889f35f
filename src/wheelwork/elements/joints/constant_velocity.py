"""Constant-velocity joint (Rzeppa, double Cardan in the ideal): two shafts at any angle turn at the same speed.

Equations (4): p_b - p_a = 0;  ex_a . ey_b - ey_a . ex_b = 0, with z of each frame along its shaft, and x and y such
that the turn from a to b at the given position is the shortest that takes one shaft into the other.

Where the last equation holds, b is turned against a about an axis in the plane that bisects the angle of the shafts,
and not about the shafts themselves. Its rate is (w_b - w_a) . (ez_a + ez_b) = 0: with shafts in bearings,
w_a = Omega_a ez_a and w_b = Omega_b ez_b, that is Omega_a = Omega_b at every angle, where a universal joint has
Omega_b = Omega_a cos(beta)/(1 - sin(beta)^2 cos(theta)^2). The equations are derived here from that: what couples the
shafts stays in the bisecting plane, so that neither is distinguished from the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import SPATIAL, Evaluate, Issue
from wheelwork.description.geometry import directions
from wheelwork.description.values import Direction
from wheelwork.elements.joints.base import AxisJoint, Freedom
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import coincident, perpendicular
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import numpy as np


class ConstantVelocity(AxisJoint):
    """Two shafts with a common point turn at the same speed, however they are bent. Removes 4 degrees of freedom.

    Fields:
        point [m]: where the shafts meet, in the world at the assembled position
        axis [1]: shaft of body a, in the world, any length
        axis2 [1]: shaft of body b, in the world, on from that of a: at less than 90 degrees to `axis`
        frame_a: frame in body a, z along its shaft
        frame_b: frame in body b, z along its shaft; x and y as those of `frame_a` where the shafts are in line
    """

    type: Literal["constant_velocity"] = "constant_velocity"
    kinds = frozenset({SPATIAL})
    instead = "in the plane shafts are parallel: use `fixed`"
    axis2: Direction | None = None
    world = ("point", "axis", "axis2")
    steps = (Freedom("ball"),)
    printed = ("point", "x.y - y.x")
    points_meet = True
    one_way = "xz"
    in_train = "coupling"
    sample_fields = (("axis2", (1.0, 0.1, -0.3)),)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        both = directions((self.axis, self.axis2), value)
        if both is None:
            return
        first, second = both
        cosine = sum(x * y for x, y in zip(first, second, strict=True)) / (
            math.hypot(*first) * math.hypot(*second)
        )
        if cosine <= 0:
            angle = math.degrees(math.acos(max(cosine, -1.0)))
            hint = "reverse one of them: `axis2` continues `axis`" if cosine < 0 else ""
            yield Issue(
                "axis2", f"is at {angle:.4g} deg to `axis`, but the shafts bend by less than 90 deg", hint
            )

    @classmethod
    def sample_pose(cls, rng):
        """Bent about an axis across the shafts: Rodrigues' formula, with the turn across z."""
        x, y = rng.uniform(-1, 1, size=2)
        size = np.hypot(x, y)
        K = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]]) / size
        return np.zeros(3), np.eye(3) + np.sin(size) * K + (1 - np.cos(size)) * K @ K

    class InSpace(JointEquations):
        row_names = ("x", "y", "z", "spin")

        def equations(self, a, b, extras, counted):
            spin = perpendicular(a, a.ex, b, b.ey).plus(perpendicular(a, a.ey, b, b.ex), -1.0)
            return [*coincident(a, b), spin]

        def markers(self, joint, place):
            if joint.frame_a is not None or joint.frame_b is not None:
                return place.joint_frames(joint)
            a, b = joint.bodies
            point, axes = place.point(joint.point), place.axes_along(joint.axis)
            first, second = axes[:, 2], place.direction(joint.axis2)
            second = second / ca.norm_2(second)
            across = ca.skew(ca.cross(first, second))
            bend = ca.SX.eye(3) + across + ca.mtimes(across, across) / (1 + ca.dot(first, second))
            return place.world_marker(a, point, axes), place.world_marker(b, point, ca.mtimes(bend, axes))
