"""Cam with a point or roller follower: a point of b keeps its distance `radius` from the outline of a.

With `radius` = 0 the point stays on the curve: a knife edge, or a pin in a groove whose centre line the curve is.
With a radius it is the centre of a roller on the outline; the roller itself turns freely and is not a body. Condition
of contact (F: the nearest point of the outline), gap, and rate of the curve parameter, with c', c'' in world axes,
P the point of the outline at s, and n the unit normal of the outline on the follower's side::

    F   = c'(s) . (p_b - P) = 0
    g   = n . (p_b - P) - radius
    s'  = -c' . (v_b(p_b) - v_a(p_b)) / (c'' . (p_b - P) - c' . c')

In the words of `CamEquations`: N = n turns with a and with s, N' = w_a x n + (dn/ds) s', and the point of contact is
that of b: P is p_b, P' = v_b(p_b) (a roller's force goes through its centre). Where a concave outline has a radius
of curvature equal to `radius`, s' has no bound: the roller does not fit (undercut).

In space the outline stands for a surface at a right angle to the marker's x-y plane: only the part of p_b in that
plane counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue, not_negative
from wheelwork.description.outline import AnyOutline
from wheelwork.description.values import CurveParameter, Length
from wheelwork.elements.joints.cam import Cam
from wheelwork.equations.cams.base import CamContact, CamEquations, contact_row, velocity_at
from wheelwork.equations.cams.search import OutlineSamples, orientation, pick
from wheelwork.lazy import casadi as ca


class CamPoint(Cam):
    """A point of body b, or the centre of a roller on it, follows a curve of body a. Removes 1 degree of freedom.

    The curve is the profile of a cam, or the centre line of a slot or groove, which may be open.

    Fields:
        bodies: names of body a (the curve) and body b (the point)
        outline: the curve
        radius [m]: of the roller; 0 is a knife edge, or a pin on the centre line of its slot
        point_a [m]: origin of the curve, in the world at the assembled position
        axis [1]: at a right angle to the curve, in the world, any length; z in a planar mechanism
        reference_a [1]: direction of the curve's x axis in the world; that of body a's x axis where left out
        point_b [m]: the point or the roller's centre, in the world at the assembled position
        frame_a: frame in body a, the curve in its x-y plane
        frame_b: frame in body b, its origin is the point
        start [1]: curve parameter of the contact at the given position; the nearest where left out
    """

    type: Literal["cam_point"] = "cam_point"
    outline: AnyOutline
    radius: Length = 0.0
    start: CurveParameter | None = None
    symbol = ("", "ball")
    follows_open_curves = True

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from not_negative(self, value, "radius", hint="use 0 for a knife edge or a pin")

    class InSpace(CamEquations):
        own_numbers = 2
        follower = "roller"

        def contact(self, a, b, numbers, inputs, guess, rounds):
            ((outline, own, piece),) = self.parts(numbers, inputs)
            side, radius = numbers[0], numbers[1]
            s = guess[0]
            for _ in range(rounds):
                at = outline.on(a, s, own, piece)
                away = b.p - at.point
                slope = ca.dot(at.bend, away) - ca.dot(at.tangent, at.tangent)
                s = s - ca.dot(at.tangent, away) / slope
            at = outline.on(a, s, own, piece)
            away = b.p - at.point
            slope = ca.dot(at.bend, away) - ca.dot(at.tangent, at.tangent)
            rate = -ca.dot(at.tangent, b.velocity - velocity_at(a, b.p)) / slope
            normal = side * at.normal
            row = contact_row(
                a,
                b,
                ca.dot(normal, away) - radius,
                normal,
                ca.cross(a.body.w, normal) + side * at.normal_by_s * rate,
                b.p,
                b.velocity,
            )
            return CamContact(row, s, rate, at.point, -slope)

        def start(self, joint, place, markers):
            (outline,) = self.outlines
            samples = OutlineSamples.of(outline, place, joint.start)
            origin, _ = samples.seen_from_a(place, joint.bodies, markers)
            away = ca.repmat(origin.T, samples.count, 1) - samples.c
            k = pick(ca.sum2(away**2) + samples.penalty)
            # a roller is on the side it is given on; a point on the curve gets the outward normal
            on_right = ca.dot(samples.normal_at(k), origin - samples.c_at(k))
            radius = place.value(joint.radius)
            given = ca.if_else(on_right < 0, -1.0, 1.0)
            side = ca.if_else(radius > 0, given, orientation(outline, samples))
            return [side, radius, *outline.number_values(place)], [samples.s_at(k)]

    InPlane = InSpace
