"""Rolling wheel: a wheel rolls on a plane of another body without slipping.

Equations (3): n . (p_b - p_a) - (radius - edge_radius) |h| - edge_radius = 0;  d . V = 0;  l . V = 0. The first is one
of positions, the others are of speeds and have none (nonholonomic).

With n the normal of the plane and e the axle, unit vectors fixed in a and b, and p_b the wheel's centre::

    h = n - (n . e) e,  u = h/|h|             up, in the plane of the wheel
    P = p_b - (radius - edge_radius) u - edge_radius n      where it touches: the edge is a torus, or sharp
    d = e x n/|h|,  l = n x d                 the direction in which it rolls where it turns about e, and across
    V = v_b(P) - v_a(P)                       velocity of the wheel's material point at P against the plane's
    d/dt of the first equation = n . V        the point of contact itself moves along the plane

The multipliers are the forces along n, d and l, with the other sign. The contact is kept both ways: a wheel that would
lift off is pulled down, which a negative `force.normal` shows; nothing limits friction, and `friction_used` says how
much of it the rolling needs. A wheel that lies flat (e along n) has no direction to roll in. Source: Neimark, Fufaev,
Dynamics of Nonholonomic Systems (1972), ch. III.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from wheelwork.description.base import PLANAR, Evaluate, Issue
from wheelwork.description.geometry import is_zero, norm, numbers
from wheelwork.description.values import Z_AXIS, Axis, Direction, Length
from wheelwork.elements.joints.base import PointJoint
from wheelwork.elements.joints.relative import difference
from wheelwork.equations.frames import Marker
from wheelwork.equations.joint_equations import JointEquations
from wheelwork.equations.rotations import frame_about
from wheelwork.equations.rows import MovingVector, Row, offset_along, unit, velocity_at
from wheelwork.equations.vector_form import MOVING, VectorForm
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import numpy as np

FLAT = 1e-3
"""Sine of the angle between axle and normal below which a wheel lies flat."""

_CONTACT = (
    *MOVING,
    ("n", "ez_a"),
    ("e", "ez_b"),
    ("n'", "w_a x n"),
    ("e'", "w_b x e"),
    ("h", "n - (n . e) e"),
    ("h'", "n' - (n' . e + n . e') e - (n . e) e'"),
    ("u", "h/|h|"),
    ("u'", "(h' - (u . h') u)/|h|"),
    ("d", "(e x n)/|h|"),
    ("d'", "(e' x n + e x n' - (u . h') d)/|h|"),
    ("P", "p_b - (radius - edge_radius) u - edge_radius n"),
    ("P'", "p_b' - (radius - edge_radius) u' - edge_radius n'"),
    ("v_a", "x_a' + w_a x (P - x_a)"),
    ("v_b", "x_b' + w_b x (P - x_b)"),
)


def no_slip(d: str, phi: str, *definitions: tuple[str, str]) -> VectorForm:
    """Velocity of b against a at P along d, as it is printed; phi `0`: an equation of speeds."""
    return VectorForm(
        phi,
        (f"-{d}", f"-(P - x_a) x {d}", d, f"(P - x_b) x {d}"),
        f"-{d}' . (v_b - v_a) - {d} . (w_b x (P' - x_b') - w_a x (P' - x_a'))",
        definitions,
        (("P", "point of contact"), ("v_a, v_b", "velocities of the material points of a and b at P")),
    )


FORMS = (
    no_slip("n", "n . (p_b - p_a) - (radius - edge_radius) |h| - edge_radius", *_CONTACT),
    no_slip("d", "0", *_CONTACT),
    no_slip("l", "0", *_CONTACT, ("l", "n x d"), ("l'", "n' x d + n x d'")),
)

FORCES = {
    "force.normal": (
        "N",
        "force that presses wheel and plane together; negative where the wheel would lift off",
    ),
    "force.along": (
        "N",
        "force of the plane on the wheel, in the direction in which it rolls where it turns about its axis",
    ),
    "force.across": ("N", "force of the plane on the wheel, across its direction: normal x along"),
    "friction_used": (
        "1",
        "tangential over normal force: less than the coefficient of friction, or it would slip",
    ),
    "contact.position": ("m", "point of contact"),
}


NOT_ACROSS = {name: FORCES[name] for name in FORCES if name != "force.across"}


def fixed(marker: Marker, direction: ca.SX) -> MovingVector:
    """A direction fixed in the body of a marker."""
    return direction, ca.cross(marker.body.w, direction)


def forces(multipliers: ca.SX, rows: int, contact: ca.SX) -> list[ca.SX]:
    """Values of `FORCES`, without the force across where there is no row for it."""
    normal, *tangential = ca.vertsplit(-multipliers[:rows])
    size = ca.norm_2(ca.vertcat(*tangential))
    return [normal, *tangential, ca.if_else(normal > 0, size / normal, ca.inf), contact]


class Rolling(PointJoint):
    """What rolls on a plane.

    Fields:
        bodies: names of body a (with the plane) and body b (which rolls)
        normal [1]: of the plane, to the side of the wheel, in the world, any length; z where left out, in the plane y
        radius [m]: from the centre to where it touches when it stands upright
    """

    normal: Direction | None = None
    radius: Length
    positive = ("radius",)
    symbol = ("", "disc")
    printed_noun = "constraint"

    def filled(self, kind: str) -> dict[str, Any]:
        out = super().filled(kind)
        if self.normal is None and self.point is not None:
            out["normal"] = (0.0, 1.0, 0.0) if kind == PLANAR else Z_AXIS
        return out


class RollingWheel(Rolling):
    """A wheel, body b, rolls on a plane of body a without slipping.

    Removes 1 degree of freedom of positions, and 2 more of speeds (nonholonomic). The wheel may lean and steer; it
    needs no other joint. With `side_slip` it may slide along its axle: the second of two wheels on one axle, which else
    says of the axle what the first says, or a wheel with rollers. In a planar mechanism the wheel is seen from the side
    and rolls on a line: it removes 2 degrees of freedom there, of positions both. A wheel seen from above is a
    `knife_edge`.

    Fields:
        point [m]: centre of the wheel, in the world at the assembled position; the plane is where it touches then
        axis [1]: axle of the wheel in the world, any length; at a right angle to the plane in a planar mechanism
        edge_radius [m]: of the edge's round section (torus); zero for a sharp edge, at most `radius`
        side_slip: whether it may slide along its axle
        frame_a: frame in body a, z (in the plane y) along the normal, origin on the plane
        frame_b: frame in body b, origin at the centre of the wheel, z along its axle
    """

    type: Literal["rolling_wheel"] = "rolling_wheel"
    axis: Axis | None = None
    edge_radius: Length = 0.0
    side_slip: bool = False
    world = ("point", "axis", "normal")
    optional = ("normal",)
    known_in_plane = ("axis",)
    has_axis = True
    printed = FORMS
    sample_fields = (("normal", (0.1, 1.0)), ("radius", 0.3))

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> RollingWheel:
        if kind == PLANAR:
            return super().sample(kind, bodies)
        place = {"point": (0.4, 0.2, 0.1), "axis": (1.0, 0.4, 0.2), "normal": (0.3, -0.1, 1.0)}
        return cls(bodies=bodies, radius=0.3, edge_radius=0.05, **place)

    @classmethod
    def sample_pose(cls, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Of the wheel of `sample`, leaning any way."""
        lean, turn, spin = rng.uniform(0.3, 2.8), *rng.uniform(-3, 3, 2)
        z = np.array([[np.cos(x), -np.sin(x), 0, np.sin(x), np.cos(x), 0, 0, 0, 1] for x in (turn, spin)])
        x = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
        axes = z[0].reshape(3, 3) @ x @ z[1].reshape(3, 3)
        return np.array([*rng.normal(size=2), 0.25 * np.sin(lean) + 0.05]), axes

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        edge, radius = value(self.edge_radius), value(self.radius)
        if edge is not None and radius is not None and not 0 <= edge <= radius:
            hint = "a ball, which rolls whatever its axis is, is a `rolling_ball`"
            yield Issue(
                "edge_radius", f"must be between zero and `radius`, {radius:g} m, but is {edge:g} m", hint
            )
        x, y = (None if v is None else numbers(v, value) for v in (self.axis, self.normal))
        if x and y and len(x) == len(y) == 3 and not is_zero(x) and not is_zero(y):
            cross = [x[k - 2] * y[k - 1] - x[k - 1] * y[k - 2] for k in range(3)]
            if norm(cross) < FLAT * norm(x) * norm(y):
                yield Issue("axis", "is along `normal`: a wheel that lies flat has no direction to roll in")

    def kind_issues(self, kind: str) -> Iterator[Issue]:
        yield from super().kind_issues(kind)
        if kind == PLANAR:
            for name in ("edge_radius", "side_slip"):
                if getattr(self, name):
                    yield Issue(name, "is for wheels in space; in the plane a wheel is seen from the side")

    class InSpace(JointEquations):
        extras = ("radius", "edge_radius")

        def __init__(self, side_slip: bool = False):
            self.side_slip = side_slip
            self.row_names = ("height", "along") if side_slip else ("height", "along", "across")
            self.speeds = len(self.row_names) - 1
            self.signals = NOT_ACROSS if side_slip else FORCES

        @property
        def key(self):
            return f"{self.type}:side_slip" if self.side_slip else self.type

        def chosen(self, joint):
            return type(self)(joint.side_slip)

        def equations(self, a, b, extras, counted):
            n, contact, d, l, height = at_contact(a, b, extras)
            rows = [velocity_at(a, b, contact, x) for x in (d, l)[: self.speeds]]
            return [velocity_at(a, b, contact, n, height), *rows]

        def signal_values(self, a, b, extras, multipliers):
            return forces(multipliers, len(self.row_names), at_contact(a, b, extras)[1][0])

        def markers(self, joint, place):
            if joint.frame_a is not None or joint.frame_b is not None:
                return place.joint_frames(joint)
            e, center = place.axes_along(joint.axis), place.point(joint.point)
            axes = place.axes_along(joint.normal)
            n, edge = axes[:, 2], place.value(joint.edge_radius)
            up = n - ca.dot(n, e[:, 2]) * e[:, 2]
            touches = center - (place.value(joint.radius) - edge) * up / ca.norm_2(up) - edge * n
            a, b = joint.bodies
            return place.world_marker(a, touches, axes), place.world_marker(b, center, e)

        def extra_values(self, joint, place):
            return [place.value(joint.radius), place.value(joint.edge_radius)]

    class InPlane(JointEquations):
        """Wheel that rolls on a line, seen from the side.

        Equations (2), of positions both, with the line along x of a's frame and its normal y::

            Phi   = [ ey_a . d - radius ]                               = 0,    d = p_b - p_a
                    [ ex_a . d + radius (phi_b - phi_a) - phase ]
            nu    = 0

        gamma is the sum of those of the displacements along ey_a and ex_a; `phase` is the second one at the given
        position. Where it turns by phi about z it goes by -radius phi along x, as y is up.
        """

        row_names = ("height", "along")
        extras = ("radius", "phase")
        signals = NOT_ACROSS

        def equations(self, a, b, extras, counted):
            height, way = offset_along(a, a.ey, b), rolled(a, b, extras["radius"])
            return [
                replace(height, value=height.value - extras["radius"]),
                replace(way, value=way.value - extras["phase"]),
            ]

        def signal_values(self, a, b, extras, multipliers):
            return forces(multipliers, 2, b.p - extras["radius"] * a.ey)

        def markers(self, joint, place):
            if joint.frame_a is not None or joint.frame_b is not None:
                return place.joint_frames(joint)
            normal = place.direction(joint.normal)
            axes = frame_about(ca.SX([0, 0, 1]), ca.vertcat(normal[1], -normal[0], 0))
            center = place.point(joint.point)
            a, b = joint.bodies
            touches = center - place.value(joint.radius) * axes[:, 1]
            return place.world_marker(a, touches, axes), place.world_marker(b, center, axes)

        def extra_values(self, joint, place):
            radius, angle = place.value(joint.radius), place.layout.angle
            a, b = place.world_ends(joint.bodies, self.markers(joint, place))
            turned = angle(joint.bodies[1]) - angle(joint.bodies[0])
            return [radius, ca.dot(a.axes[:, 0], b.position - a.position) + radius * turned]


def rolled(a: Marker, b: Marker, radius: ca.SX) -> Row:
    """In the plane: displacement of the centre along x and the arc that the wheel has rolled."""
    return offset_along(a, a.ex, b).plus(difference("angle", a, b), radius)


def at_contact(
    a: Marker, b: Marker, extras: Any
) -> tuple[MovingVector, MovingVector, MovingVector, MovingVector, ca.SX]:
    """In space: n, P, d and l with their rates, and how high the wheel is above the plane."""
    edge = extras["edge_radius"]
    ring = extras["radius"] - edge
    (n, n_rate), (e, e_rate) = fixed(a, a.ez), fixed(b, b.ez)
    lean = ca.dot(n, e)
    h = n - lean * e
    h_rate = n_rate - (ca.dot(n_rate, e) + ca.dot(n, e_rate)) * e - lean * e_rate
    u, u_rate = unit((h, h_rate))
    d, d_rate = unit((ca.cross(e, n), ca.cross(e_rate, n) + ca.cross(e, n_rate)))
    across = ca.cross(n, d), ca.cross(n_rate, d) + ca.cross(n, d_rate)
    contact = b.p - ring * u - edge * n, b.velocity - ring * u_rate - edge * n_rate
    height = ca.dot(n, b.p - a.p) - ring * ca.norm_2(h) - edge
    return (n, n_rate), contact, (d, d_rate), across, height
