"""Two cams: the outline of a touches the outline of b.

Conditions of contact (F) for the curve parameters s = (s_a, s_b), gap, and rates, with c_a', c_b', c_a'', c_b'' in
world axes, P_a, P_b the points of the outlines, d = P_b - P_a, and n the unit normal of a's outline (out of a)::

    F   = [ c_a' . d ; n . c_b' ] = 0       d along the normal of a, and the tangents parallel
    g   = n . d
    F_s = [ c_a'' . d - c_a' . c_a',  c_a' . c_b' ;  (dn/ds_a) . c_b',  n . c_b'' ]
    F_t = [ c_a' . (v_b(P_b) - v_a(P_b)) ; (w_b - w_a) . (c_b' x n) ]
    s'  = -F_s^-1 F_t

In the words of `CamEquations`: N = n turns with a and with s_a, N' = w_a x n + (dn/ds_a) s_a'; the point of contact
is P = P_b, which moves along b's outline, P' = v_b(P_b) + c_b' s_b'. With the outlines touching, d = 0 and F_s is
regular unless both have the same curvature there.

Source: Haug (1989), sec. 3.4 (cam and cam), there with both curve parameters as further coordinates.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.outline import AnyOutline
from wheelwork.description.values import CurveParameter, Direction
from wheelwork.elements.joints.cam import Cam
from wheelwork.equations.cams.base import CamContact, CamEquations, contact_row, velocity_at
from wheelwork.equations.cams.search import OutlineSamples, area, orientation, pick
from wheelwork.lazy import casadi as ca

GRID = 60
"""Points on each outline between which the contact is looked for."""


class CamCam(Cam):
    """A cam on body a rolls and slides on a cam of body b. Removes 1 degree of freedom.

    Fields:
        outline_a: of the cam on body a
        outline_b: of the cam on body b
        point_a [m]: centre of the cam on body a, in the world at the assembled position
        axis [1]: of both cams, at a right angle to the outlines, in the world, any length; z in a planar mechanism
        reference_a [1]: direction of outline a's x axis in the world; that of body a's x axis where left out
        point_b [m]: centre of the cam on body b, in the world at the assembled position
        reference_b [1]: direction of outline b's x axis in the world; that of body b's x axis where left out
        frame_a: frame in body a, the outline in its x-y plane
        frame_b: frame in body b, the outline in its x-y plane
        start_a [1]: curve parameter of the contact on a at the given position; the nearest where left out
        start_b [1]: curve parameter of the contact on b at the given position; the nearest where left out
    """

    type: Literal["cam_cam"] = "cam_cam"
    outline_a: AnyOutline
    outline_b: AnyOutline
    reference_b: Direction | None = None
    start_a: CurveParameter | None = None
    start_b: CurveParameter | None = None
    world = ("point_a", "axis", "reference_a", "point_b", "reference_b")
    optional = ("reference_a", "reference_b")

    class InSpace(CamEquations):
        def contact(self, a, b, numbers, inputs, guess, rounds):
            (first, own_a, piece_a), (second, own_b, piece_b) = self.parts(numbers, inputs)
            side = numbers[0]

            def conditions(s: ca.SX):
                on_a, on_b = first.on(a, s[0], own_a, piece_a), second.on(b, s[1], own_b, piece_b)
                d = on_b.point - on_a.point
                n, n_by_s = side * on_a.normal, side * on_a.normal_by_s
                F = ca.vertcat(ca.dot(on_a.tangent, d), ca.dot(n, on_b.tangent))
                along_a = ca.vertcat(
                    ca.dot(on_a.bend, d) - ca.dot(on_a.tangent, on_a.tangent), ca.dot(n_by_s, on_b.tangent)
                )
                along_b = ca.vertcat(ca.dot(on_a.tangent, on_b.tangent), ca.dot(n, on_b.bend))
                return on_a, on_b, d, n, n_by_s, F, ca.horzcat(along_a, along_b)

            s = guess
            for _ in range(rounds):
                *_, F, F_s = conditions(s)
                s = s - _solve(F_s, F)
            on_a, on_b, d, n, n_by_s, _, F_s = conditions(s)
            w_a, w_b = a.body.w, b.body.w
            moving = velocity_at(b, on_b.point)
            F_t = ca.vertcat(
                ca.dot(on_a.tangent, moving - velocity_at(a, on_b.point)),
                ca.dot(w_b - w_a, ca.cross(on_b.tangent, n)),
            )
            rates = -_solve(F_s, F_t)
            row = contact_row(
                a,
                b,
                ca.dot(n, d),
                n,
                ca.cross(w_a, n) + n_by_s * rates[0],
                on_b.point,
                moving + on_b.tangent * rates[1],
            )
            clearance = F_s[0, 1] * F_s[1, 0] - F_s[0, 0] * F_s[1, 1]
            return CamContact(row, s, rates, on_a.point, clearance)

        def start(self, joint, place, markers):
            starts = (joint.start_a, joint.start_b)
            a, b = (
                OutlineSamples.of(outline, place, start, GRID)
                for outline, start in zip(self.outlines, starts, strict=True)
            )
            origin, axes = a.seen_from_a(place, joint.bodies, markers)
            c_b = ca.repmat(origin.T, GRID, 1) + ca.mtimes(b.c, axes.T)
            t_b = ca.mtimes(b.tangent, axes.T)
            size = ca.fmin(a.size, b.size)

            def pairs(of_a: ca.SX, of_b: ca.SX) -> tuple[ca.SX, ca.SX]:
                """Matrices with a row for each point of a and a column for each point of b."""
                return ca.repmat(of_a, 1, GRID), ca.repmat(of_b.T, GRID, 1)

            (x_a, x_b), (y_a, y_b) = (pairs(a.c[:, k], c_b[:, k]) for k in (0, 1))
            (tx_a, tx_b), (ty_a, ty_b) = (pairs(a.tangent[:, k], t_b[:, k]) for k in (0, 1))
            costs = (x_b - x_a) ** 2 + (y_b - y_a) ** 2 + (size * (tx_a * ty_b - ty_a * tx_b)) ** 2
            costs += sum(pairs(a.penalty, b.penalty))
            best = pick(ca.vec(costs.T))
            k_a = ca.floor(best / GRID)
            k_b = best - GRID * k_a
            out_a = orientation(self.outlines[0], a)
            out_b = orientation(self.outlines[1], b)
            n_a, n_b = out_a * a.normal_at(k_a), out_b * ca.mtimes(axes, b.normal_at(k_b))
            # one inside the other: the larger is a ring, and its surface looks inwards
            ring_a = ca.logic_and(ca.dot(n_a, n_b) > 0, ca.fabs(area(a)) > ca.fabs(area(b)))
            side = ca.if_else(ring_a, -out_a, out_a)
            numbers = [number for outline in self.outlines for number in outline.number_values(place)]
            return [side, *numbers], [a.s_at(k_a), b.s_at(k_b)]

    InPlane = InSpace


def _solve(matrix: ca.SX, right: ca.SX) -> ca.SX:
    """Two equations."""
    determinant = matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]
    return (
        ca.vertcat(
            matrix[1, 1] * right[0] - matrix[0, 1] * right[1],
            matrix[0, 0] * right[1] - matrix[1, 0] * right[0],
        )
        / determinant
    )
