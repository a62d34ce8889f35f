"""Bushing: springs and dampers along and about the three axes of the frame on a.

With A = axes of the frame on a, d = A^T (p_b - p_a), B = A^T axes_b: force on b at p_b: -A (K d + C d');
torque on b: -A (Kr r + Cr A^T (w_b - w_a)), where r = (B - B^T)/2 as a vector, which is the rotation vector for
the small angles a bushing allows (its length is the sine of the angle). The opposite acts on a at the same
point. Stored energy: d^T K d / 2 + r^T Kr r / 2 (the latter to the same order in the angle).
"""

from __future__ import annotations

import casadi as ca

from .base import Binding, Effect, ForceEquations, SignalExpression, at_point


class Bushing(ForceEquations):
    type = "bushing"

    def bind(self, force, context):
        place = context.place
        fields = (force.stiffness, force.damping, force.rotational_stiffness, force.rotational_damping)
        return Binding(
            list(force.bodies), [*place.joint_frames(force), *(place.vector(field) for field in fields)]
        )

    def effect(self, arguments):
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        k, c, kr, cr = (arguments.data[24 + 3 * i : 27 + 3 * i] for i in range(4))
        A = a.axes
        gap = b.p - a.p
        d = ca.mtimes(A.T, gap)
        rate = ca.mtimes(A.T, b.velocity - a.velocity - ca.cross(a.body.w, gap))
        relative = ca.mtimes(A.T, b.axes)
        r = ca.inv_skew((relative - relative.T) / 2)
        turning = ca.mtimes(A.T, b.body.w - a.body.w)
        force = -ca.mtimes(A, k * d + c * rate)
        torque = -ca.mtimes(A, kr * r + cr * turning)
        on_a, on_b = at_point(a.body, b.p, -force), at_point(b.body, b.p, force)
        signals = {}
        for i, axis in enumerate("xyz"):
            signals[f"force.{axis}"] = SignalExpression(force[i], "N", f"force on body b along world {axis}")
            signals[f"torque.{axis}"] = SignalExpression(
                torque[i], "N m", f"torque on body b about world {axis}"
            )
        return Effect(
            [(on_a[0], on_a[1] - torque), (on_b[0], on_b[1] + torque)],
            potential=(ca.dot(d, k * d) + ca.dot(r, kr * r)) / 2,
            signals=signals,
        )
