"""Bushing: springs and dampers along and about the axes of the frame on a, with tilt and spin separated.

With A = axes of the frame on a, d = A^T (p_b - p_a), and the rotations r = (t_x, t_y, psi), tilt and spin, whose
gradient is J, so that r' = J A^T (w_b - w_a): force on b at p_b: -A (K d + C d'); torque on b: -A J^T (Kr r + Cr r').
The opposite acts on a at the same point. Stored energy: d^T K d / 2 + r^T Kr r / 2, of which force and torque are minus
the gradient at any angle.

The tilt t is the angle between the z axes of the two frames, as a vector along z_a x z_b in the axes of a. The spin psi
is the turn about z that is left when b is tilted back the shortest way, counted over any number of turns; its rate is
(z_a + z_b) . (w_b - w_a)/(1 + z_a . z_b). For small angles r is the rotation vector and J the unit matrix. A shaft that
spins about a steadily tilted axis has t' = 0: neither springs nor dampers of the tilt feel the spin. A tilt of half a
turn has no direction and no spin: there, and only there, the torque has no value. In the plane there is no tilt, and
psi is the difference of the angles.

Source: the shortest-arc ("swing-twist") decomposition of a rotation, e.g. P. Dobrowolski, Swing-twist decomposition
in Clifford algebra (2015); J by differentiation.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from wheelwork.description import values
from wheelwork.description.formula import number_of
from wheelwork.elements.forces.mount import Mount, between, load_signals, offset, tilt_signals
from wheelwork.equations.forces import Binding, Effect
from wheelwork.equations.rows import turn_about_axis
from wheelwork.lazy import casadi as ca

_X = TypeVar("_X")
_Three = tuple[_X, _X, _X]


class Bushing(Mount):
    """Elastic mount or bearing: springs and dampers along and about the axes of the frame on body a.

    Without load where the frames coincide, which is the given position when placed in the world.

    The z axis, `axis`, is the one to spin about. Stiffness and damping about x and y act on the tilt, the angle
    between the z axes of the two frames, and do not feel how far or how fast the bodies turn about them: a shaft may
    turn without end. Stiffness about z is a torsional spring whose angle is counted over any number of turns: after
    one turn it holds back with 2 pi times the stiffness. Leave it 0 for a bearing. x and y are fixed in body a.

    Fields:
        axis [1]: direction of the frame's z axis in the world; world z where left out, and always in the plane
        stiffness [N/m]: along x, y, z; in the plane along x, y
        damping [N s/m]: along x, y, z; in the plane along x, y
        rotational_stiffness [N m/rad]: about x, y, z; in the plane one number, about z
        rotational_damping [N m s/rad]: about x, y, z; in the plane one number, about z
    """

    noun = "bushing"
    optional = ("axis",)

    type: Literal["bushing"] = "bushing"
    stiffness: Annotated[_Three[values.Stiffness], values.Vector()] = values.ORIGIN
    damping: Annotated[_Three[values.Damping], values.Vector()] = values.ORIGIN
    rotational_stiffness: Annotated[_Three[values.TorsionalStiffness], values.Vector("about")] = values.ORIGIN
    rotational_damping: Annotated[_Three[values.TorsionalDamping], values.Vector("about")] = values.ORIGIN
    not_negative = ("stiffness", "damping", "rotational_stiffness", "rotational_damping")

    def holds_turning(self, number):
        return bool(number(self.rotational_stiffness[2]) > 0)

    def held(self, values):
        return tuple(number_of(x, values) > 0 for x in (*self.stiffness, *self.rotational_stiffness))

    def bind(self, context):
        place = context.place
        markers = place.joint_frames(self)
        k, c, kr, cr = (
            place.vector(field)
            for field in (self.stiffness, self.damping, self.rotational_stiffness, self.rotational_damping)
        )
        bodies = list(self.bodies)
        # A ball mount has no rotations to measure, and only a spring about z has turns to count.
        rotates, winds = not (kr.is_zero() and cr.is_zero()), not kr[2].is_zero()
        turns = [context.turn(bodies, markers)] if winds else []
        return Binding(bodies, [*markers, k, c, kr, cr], turns=turns, options=(rotates, winds))

    @staticmethod
    def effect(arguments):
        a, b = arguments.marker(0, 0), arguments.marker(1, 12)
        k, c, kr, cr = (arguments.data[24 + 3 * i : 27 + 3 * i] for i in range(4))
        at = offset(a, b)
        d = at.d
        force, torque = -ca.mtimes(a.axes, k * d + c * at.d_rate), ca.SX(3, 1)
        potential, signals = ca.dot(d, k * d) / 2, {}
        rotates, winds = arguments.options
        if rotates:
            spin = turn_about_axis(a, b, arguments.turns[0] if winds else 0.0)
            r, J = ca.vertcat(at.t, spin.value), ca.vertcat(at.tilting, spin.b_angular.T)
            torque = -ca.mtimes(J.T, kr * r + cr * ca.mtimes(J, b.body.w - a.body.w))
            potential += ca.dot(r, kr * r) / 2
            turns = "counted over turns" if winds else "within half a turn"
            signals = tilt_signals(a, at)
            signals["angle"] = (r[2], "rad", f"turn about z from a to b, {turns}")
        signals |= load_signals(a, force, torque)
        return Effect(between(a, b, force, torque), potential=potential, signals=signals)
