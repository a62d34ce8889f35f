r"""Friction along the flanks of compliant spur teeth, pair by pair.

A flank presses with F along the line of action n (:mod:`.compliant`). Pairs of teeth touch at the places

    xi_i = A + (tau mod 1 + i) p_bt - C,   i = 0, 1, ... as long as xi_i <= E - C                         (1)

from the pitch point, along n; the load is shared evenly by those that touch, w = 1/number of them. There the flank of a
slides on that of b along t = z_a x n with the speed

    v_i = (w_a - w_b) xi_i,   w the speeds of the wheels about z_a                                    (2)

and rubs with mu w F v_i/sqrt(v_i^2 + v_0^2), on b along t, on a against it. It turns round at the pitch point P, about
which this is a force along t and a couple,

    F_f = mu F w sum of s_i,   M = mu F w sum of s_i xi_i,   s_i = v_i/sqrt(v_i^2 + v_0^2)               (3)

so that wheel a feels mu w F s_i (r_a sin(alpha) + xi_i), wheel b mu w F s_i (r_b sin(alpha) - xi_i), as text-books have
it; a rack feels the force along t alone. Lost is M (w_a - w_b) and what F_f does where the wheels move apart or roll
unequally. Over a mesh cycle the mean of M is that of the loss factor (:mod:`wheelwork.gears.losses`), which shares the
load in the same way.

    mu          coefficient of friction                                         1
    A, E, C     start and end of contact and pitch point on the line of action  m
    p_bt        transverse base pitch                                           m
    v_0         slip speed                                                      m/s
"""

from __future__ import annotations

from collections.abc import Mapping

from wheelwork.equations.frames import Marker
from wheelwork.equations.mesh_equations import about, along
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class PathNumbers:
    """Where pairs of teeth touch: A - C and E - C [m], p_bt [m], and how many touch at most."""

    begins: ca.SX
    ends: ca.SX
    base_pitch: ca.SX
    most: int


@dataclass(frozen=True)
class FlankFriction:
    """force: on b at P (3); couple: on b (3); along: the force on b along t; lost: power"""

    force: ca.SX
    couple: ca.SX
    along: ca.SX
    lost: ca.SX

    def wrenches(self, a: Marker, b: Marker, point: ca.SX) -> list[tuple[ca.SX, ca.SX]]:
        """On a and on b, about their centres of mass."""
        return [
            (sign * self.force, sign * (ca.cross(point - wheel.body.x, self.force) + self.couple))
            for wheel, sign in ((a, -1.0), (b, 1.0))
        ]

    def on_wheels(self, a: Marker, b: Marker, x: Mapping[str, ca.SX], point: ca.SX) -> tuple[ca.SX, ca.SX]:
        """The same in the wheels' own directions; a couple counts as a tangential force at the pitch radius."""
        parts = []
        for wheel, sign, radius in ((a, -1.0, x["r_a"]), (b, 1.0, x.get("r_b"))):
            if (
                radius is None
            ):  # a rack: outward from it is towards the pinion, and it has no axis to turn about
                parts.append(ca.vertcat(*along(wheel.ez, wheel.ey, sign * self.force)))
                continue
            turned = sign * ca.dot(wheel.ez, self.couple) / radius
            parts.append(ca.vertcat(*about(wheel, point, sign * self.force)) + ca.vertcat(turned, 0, 0))
        return parts[0], parts[1]


def flank_friction(
    a: Marker,
    b: Marker,
    point: ca.SX,
    normal: ca.SX,
    rubbing: ca.SX,
    tau: ca.SX,
    path: PathNumbers,
    slip: ca.SX,
) -> FlankFriction:
    """Of the flanks that press b along `normal`; rubbing: mu F; tau: the phase of these flanks."""
    turning = ca.dot(a.ez, a.body.w - b.body.w)
    first = tau - ca.floor(tau)
    count = total = moment = ca.SX(0)
    for i in range(path.most):
        xi = path.begins + (first + i) * path.base_pitch
        touches = 1.0 if i == 0 else ca.if_else(xi <= path.ends, 1.0, 0.0)
        speed = turning * xi
        sense = touches * speed / ca.sqrt(speed**2 + slip**2)
        count, total, moment = count + touches, total + sense, moment + sense * xi
    along, couple = rubbing * total / count, rubbing * moment / count
    force = along * ca.cross(a.ez, normal)
    slides = _velocity(b, point) - _velocity(a, point)
    return FlankFriction(force, couple * a.ez, along, couple * turning - ca.dot(force, slides))


def _velocity(wheel: Marker, point: ca.SX) -> ca.SX:
    return wheel.body.v + ca.cross(wheel.body.w, point - wheel.body.x)
