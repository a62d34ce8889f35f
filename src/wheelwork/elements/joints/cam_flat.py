"""Cam with a flat-faced follower: the outline of a touches a straight face of b.

The face is the line through b's marker along its x axis (in space the plane of its x and z axes), with normal m = y
axis of b's marker, taken out of the cam. Condition of contact (F), gap, and rate of the curve parameter, with c'
and c'' in world axes and P = point of the outline at s::

    F   = m . c'(s) = 0
    g   = m . (p_b - P)
    s'  = -(w_a - w_b) . (c' x m) / (m . c'')

In the words of `CamEquations`: N = m is fixed in b, N' = w_b x m, and P moves along a's outline, P' = v_a(P) + c'
s'. Where the outline is straight, m . c'' = 0: a flat flank touches a flat face everywhere at once, and there is no
point of contact to follow.

Source: Haug (1989), sec. 3.4 (cam and flat-faced follower), there with the curve parameter as a further coordinate
and F = 0 as a further equation; here it is eliminated, so that the mechanism keeps its coordinates.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.outline import AnyOutline
from wheelwork.description.values import CurveParameter, Direction
from wheelwork.elements.joints.cam import Cam
from wheelwork.equations.cams.base import CamContact, CamEquations, contact_row, velocity_at
from wheelwork.equations.cams.search import OutlineSamples, orientation, pick
from wheelwork.lazy import casadi as ca


class CamFlat(Cam):
    """A cam on body a pushes a flat face of body b. Removes 1 degree of freedom.

    Fields:
        bodies: names of body a (the cam) and body b (the follower)
        outline: of the cam
        axis [1]: of the cam, at a right angle to the outline, in the world, any length; z in a planar mechanism
        reference_a [1]: direction of the outline's x axis in the world; that of body a's x axis where left out
        point_b [m]: a point of the face, in the world at the assembled position
        direction [1]: direction of the face in the plane of the outline, in the world, any length
        frame_a: frame in body a, the outline in its x-y plane
        frame_b: frame in body b, its origin on the face, x along the face, z along the cam's axis
        start [1]: curve parameter of the contact at the given position; the nearest where left out
    """

    type: Literal["cam_flat"] = "cam_flat"
    outline: AnyOutline
    direction: Direction | None = None
    start: CurveParameter | None = None
    world = ("point_a", "axis", "reference_a", "point_b", "direction")

    class InSpace(CamEquations):
        follower = "face"

        def contact(self, a, b, numbers, inputs, guess, rounds):
            ((outline, own, piece),) = self.parts(numbers, inputs)
            m = numbers[0] * b.ey
            s = guess[0]
            for _ in range(rounds):
                at = outline.on(a, s, own, piece)
                s = s - ca.dot(m, at.tangent) / ca.dot(m, at.bend)
            at = outline.on(a, s, own, piece)
            w_a, w_b = a.body.w, b.body.w
            rate = -ca.dot(w_a - w_b, ca.cross(at.tangent, m)) / ca.dot(m, at.bend)
            row = contact_row(
                a,
                b,
                ca.dot(m, b.p - at.point),
                m,
                ca.cross(w_b, m),
                at.point,
                velocity_at(a, at.point) + at.tangent * rate,
            )
            return CamContact(row, s, rate, at.point, -ca.dot(m, at.bend))

        def start(self, joint, place, markers):
            (outline,) = self.outlines
            samples = OutlineSamples.of(outline, place, joint.start)
            origin, axes = samples.seen_from_a(place, joint.bodies, markers)
            m = axes[:, 1]
            gaps = ca.dot(m, origin) - ca.mtimes(samples.c, m)
            slant = ca.mtimes(samples.tangent, m) * samples.size
            k = pick(gaps**2 + slant**2 + samples.penalty)
            out = orientation(outline, samples) * samples.normal_at(k)
            side = ca.if_else(ca.dot(out, m) < 0, -1.0, 1.0)
            return [side, *outline.number_values(place)], [samples.s_at(k)]

    InPlane = InSpace
