"""Knife edge: a point of a body cannot move across its blade.

Equation (1): d . (v_b(P) - v_a(P)) = 0 with d = n x e/|n x e|. It is one of speeds and has no positions (nonholonomic).

P is the point p_b of b, e the direction of the blade, fixed in b, and n the normal of the surface, fixed in a; in the
plane n is z and d = ey_b. The multiplier is the force across the blade, with the other sign. The edge holds nothing but
that: its point is kept on a surface by another joint (`planar`, `point_on_plane`). Source: Neimark, Fufaev, Dynamics of
Nonholonomic Systems (1972), ch. II; Chaplygin's sleigh (1911).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Issue
from wheelwork.description.values import Direction
from wheelwork.elements.joints.base import AxisJoint
from wheelwork.elements.joints.rolling_wheel import fixed, no_slip
from wheelwork.equations.frames import Marker
from wheelwork.equations.joint_equations import JointEquations, frames_along
from wheelwork.equations.rows import MovingVector, unit, velocity_at
from wheelwork.equations.vector_form import MOVING
from wheelwork.lazy import casadi as ca

ACROSS = {"force": ("N", "force on body b across the blade, along normal x blade")}


class KnifeEdge(AxisJoint):
    """A point of body b cannot move across its blade on body a.

    Removes 1 degree of freedom of speeds, none of positions (nonholonomic).
    Blades of skates and sleighs, and wheels that are seen from above and turn freely.

    Fields:
        bodies: names of body a (the surface) and body b (the blade)
        point [m]: of the blade, in the world at the assembled position
        axis [1]: direction of the blade in the world, any length
        normal [1]: of the surface in the world, any length; z where left out, and in the plane
        frame_a: frame in body a, z along the normal
        frame_b: frame in body b, its origin is the point, z along the blade; in the plane x along it
    """

    type: Literal["knife_edge"] = "knife_edge"
    normal: Direction | None = None
    world = ("point", "axis", "normal")
    optional = ("normal",)
    sample_fields = ()
    symbol = ("", "arm")
    printed_noun = "constraint"
    along_in_plane = "x"
    printed = (
        no_slip(
            "d",
            "0",
            *MOVING,
            ("n'", "w_a x ez_a"),
            ("e'", "w_b x ez_b"),
            ("k", "ez_a x ez_b"),
            ("k'", "n' x ez_b + ez_a x e'"),
            ("d", "k/|k|"),
            ("d'", "(k' - (d . k') d)/|k|"),
            ("P", "p_b"),
            ("P'", "p_b'"),
            ("v_a", "x_a' + w_a x (P - x_a)"),
            ("v_b", "x_b' + w_b x (P - x_b)"),
        ),
    )

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        yield from super().kind_issues(kind)
        if kind == "planar" and self.normal is not None:
            yield Issue("normal", "is for blades in space; in the plane it is z")

    class InSpace(JointEquations):
        row_names = ("across",)
        speeds = 1
        signals = ACROSS

        def equations(self, a, b, extras, counted):
            return [velocity_at(a, b, (b.p, b.velocity), across(a, b))]

        def signal_values(self, a, b, extras, multipliers):
            return [-multipliers[0]]

        def markers(self, joint, place):
            if joint.frame_a is not None or joint.frame_b is not None:
                return place.joint_frames(joint)
            point, (a, b) = place.point(joint.point), joint.bodies
            normal = place.axes_along(joint.normal)
            return place.world_marker(a, point, normal), place.world_marker(
                b, point, place.axes_along(joint.axis)
            )

    class InPlane(JointEquations):
        """Knife edge in the plane: the point does not move across the direction x of b's frame.

        Equation (1), of speeds::

            Phi_q q' = ey_b . (v_b(P) - v_a(P)) = 0
            gamma    = -w_b x ey_b . (v_b(P) - v_a(P)) - ey_b . (w_b x (P' - r_b') - w_a x (P' - r_a'))
        """

        row_names = ("across",)
        speeds = 1
        signals = ACROSS

        def equations(self, a, b, extras, counted):
            return [velocity_at(a, b, (b.p, b.velocity), fixed(b, b.ey))]

        def signal_values(self, a, b, extras, multipliers):
            return [-multipliers[0]]

        def markers(self, joint, place):
            return frames_along(joint, place)


def across(a: Marker, b: Marker) -> MovingVector:
    """The direction across the blade, in the surface, and its rate."""
    (n, n_rate), (e, e_rate) = fixed(a, a.ez), fixed(b, b.ez)
    return unit((ca.cross(n, e), ca.cross(n_rate, e) + ca.cross(n, e_rate)))
