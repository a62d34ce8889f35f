"""Rolling ball: a ball rolls on a plane of another body without slipping.

Equations (3): ez_a . (p_b - p_a) - radius = 0;  ex_a . V = 0;  ey_a . V = 0. The first is one of positions, the others
are of speeds and have none (nonholonomic). V = v_b(P) - v_a(P) is the velocity of the ball's material point at the
contact, P = p_b - radius ez_a, against that of the plane. The ball may spin about the normal. The contact is kept both
ways, as that of a rolling wheel. Source: Neimark, Fufaev, Dynamics of Nonholonomic Systems (1972), ch. III.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.base import SPATIAL
from wheelwork.elements.joints.rolling_wheel import FORCES, Rolling, fixed, forces, no_slip
from wheelwork.equations.frames import Marker
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rows import MovingVector, velocity_at
from wheelwork.equations.vector_form import MOVING
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import numpy as np

_CONTACT = (
    *MOVING,
    ("ex_a'", "w_a x ex_a"),
    ("ey_a'", "w_a x ey_a"),
    ("ez_a'", "w_a x ez_a"),
    ("P", "p_b - radius ez_a"),
    ("P'", "p_b' - radius ez_a'"),
    ("v_a", "x_a' + w_a x (P - x_a)"),
    ("v_b", "x_b' + w_b x (P - x_b)"),
)
SIGNALS = {
    "force.normal": FORCES["force.normal"],
    "force.x": ("N", "force of the plane on the ball along x of the frame on a"),
    "force.y": ("N", "force of the plane on the ball along y of the frame on a"),
    "friction_used": FORCES["friction_used"],
    "contact.position": FORCES["contact.position"],
}


class RollingBall(Rolling):
    """A ball, body b, rolls on a plane of body a without slipping.

    Removes 1 degree of freedom of positions, and 2 more of speeds (nonholonomic). The plane may move: a turntable. A
    ball that may slip is a `contact` with friction.

    Fields:
        point [m]: centre of the ball, in the world at the assembled position; the plane is where it touches then
        frame_a: frame in body a, z along the normal, origin on the plane
        frame_b: frame in body b, origin at the centre of the ball
    """

    type: Literal["rolling_ball"] = "rolling_ball"
    kinds = frozenset({SPATIAL})
    instead = "use `rolling_wheel`, which is seen from the side there"
    world = ("point", "normal")
    optional = ("normal",)
    symbol = ("", "ball")
    sample_fields = (("normal", (0.3, -0.1, 1.0)), ("radius", 0.3))
    printed = (
        no_slip("ez_a", "ez_a . (p_b - p_a) - radius", *_CONTACT),
        no_slip("ex_a", "0", *_CONTACT),
        no_slip("ey_a", "0", *_CONTACT),
    )

    @classmethod
    def sample_pose(cls, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Of the ball of `sample`; its axes do not matter."""
        return np.array([*rng.normal(size=2), 0.3]), np.eye(3)[:, [1, 2, 0]]

    class InSpace(JointEquations):
        row_names = ("height", "x", "y")
        speeds = 2
        extras = ("radius",)
        signals = SIGNALS

        def equations(self, a, b, extras, counted):
            contact = touching(a, b, extras["radius"])
            height = ca.dot(a.ez, b.p - a.p) - extras["radius"]
            rows = [velocity_at(a, b, contact, fixed(a, x)) for x in (a.ex, a.ey)]
            return [velocity_at(a, b, contact, fixed(a, a.ez), height), *rows]

        def signal_values(self, a, b, extras, multipliers):
            return forces(multipliers, 3, touching(a, b, extras["radius"])[0])

        def markers(self, joint, place):
            if joint.frame_a is not None or joint.frame_b is not None:
                return place.joint_frames(joint)
            center = place.point(joint.point)
            axes = place.axes_along(joint.normal)
            a, b = joint.bodies
            touches = center - place.value(joint.radius) * axes[:, 2]
            return place.world_marker(a, touches, axes), place.world_marker(b, center, axes)

        def extra_values(self, joint, place):
            return [place.value(joint.radius)]


def touching(a: Marker, b: Marker, radius: ca.SX) -> MovingVector:
    """The point of contact and its velocity."""
    n, n_rate = fixed(a, a.ez)
    return b.p - radius * n, b.velocity - radius * n_rate
