r"""Plain wheels that are pressed together and drive by friction: traction with creep, and slip when overloaded.

With g the arc that wheel a is ahead of b (the row of the mesh) and N the force that presses the wheels together:

    F_t = k z,   z' = g' - s'                             z: the shear of the contact, never more than z_lim = mu N/k
    s' = |v| xi (1 - sqrt(1 - |F_t|/(mu N))) sign(F_t)    below: creep of rolling cylinders (Carter); v speed of rolling
    s' = g'                                               at it: the wheels slide, with mu N

F_t s' is lost. So a small load makes the creep xi F_t/(2 mu N), full sliding sets in at the creep xi, and a wheel at
rest is held as by a spring up to mu N. For two cylinders pressed to the half width b xi = mu b/R, 1/R = 1/r_a +- 1/r_b.
The wheels push each other apart with N, which bearings must hold. z is a state y limited to +-z_lim that is ahead of it
by 1 percent for each `slip_speed` of sliding, as that of a belt (:mod:`wheelwork.elements.meshes.teeth.strands`).

Carter: F. W. Carter, On the action of a locomotive driving wheel, Proceedings of the Royal Society A 112 (1926)
151-157; K. L. Johnson, Contact Mechanics, 1985, eq. (8.5). The law is that of steady rolling; with z it holds
at rest too, and is reached within a length of rolling of 2 mu N/(xi k).
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from wheelwork.description.values import Force, Number, Speed, Stiffness
from wheelwork.elements.meshes.teeth.base import ToothModel
from wheelwork.elements.meshes.teeth.mesh_force import MeshBinding, MeshForce, MeshView
from wheelwork.elements.meshes.teeth.strands import AHEAD
from wheelwork.equations.forces import Effect, along
from wheelwork.equations.mesh_equations import SPEEDS
from wheelwork.lazy import casadi as ca

ROUND = 1e-9
"""1 - |F_t|/(mu N) is not taken to be less, where its root is steep."""


class TractionForce(MeshForce):
    """A tangential force with states y and the integral of g' - y'."""

    no_efficiency = "wheels with `traction` have no `efficiency`: they lose what creep and slip take"

    def bind_mesh(self, view: MeshView) -> MeshBinding:
        model, value = view.model, view.value
        given = (model.press, model.friction, model.stiffness, model.creep, model.slip_speed)
        return MeshBinding([*view.data_with(), *map(value, given)], states=[0.0, 0.0])

    def effect(self, arguments):
        equations, a, b, x, data = self.mesh(arguments)
        press, friction, stiffness, most_creep, slip_speed = ca.vertsplit(data)
        follows, behind = arguments.states
        row, apart = equations.no_slip(a, b, x), equations.clearance(a, b, x)
        ahead, speed = row.rate(a, b), equations.rolling(a, b, x).rate(a, b)
        most = friction * press
        z = ca.fmax(ca.fmin(follows, most / stiffness), -most / stiffness)
        force, asked = stiffness * z, stiffness * ca.fabs(follows) / most
        share = ca.fmin(asked, 1.0)
        creep = ca.fabs(speed) * most_creep * (1 - ca.sqrt(ca.fmax(1 - share, ROUND)))
        back = ca.sign(follows) * (creep + slip_speed * (asked - share) / AHEAD)
        slip = ca.if_else(asked > 1, ahead, ca.sign(force) * creep)
        wrenches = [
            (first[0] + second[0], first[1] + second[1])
            for first, second in zip(along(row, -force), along(apart, press), strict=True)
        ]
        signals = {
            "force.tangential": (force, "N", "tangential force between the wheels"),
            "force.normal": (press, "N", "force that presses the wheels together"),
            "use": (share, "1", "tangential force over the largest that friction holds"),
            "slip": (slip, "m/s", "speed of creep and sliding"),
            "slipped": (
                behind + follows - z,
                "m",
                "distance that the wheels have crept and slid on each other",
            ),
            "power.loss": (force * slip, "W", "power lost to creep and sliding"),
            "rolling": (speed, *SPEEDS["rolling"]),
        }
        return Effect(
            wrenches,
            potential=stiffness * z**2 / 2 - press * apart.value,
            signals=signals,
            events=[asked - 1],
            rates=[ahead - back, back],
        )


class Traction(ToothModel):
    """Plain wheels pressed together, which creep under load and slide when overloaded. Removes no degree of freedom.

    For `external` and `internal` meshes sized by `radii` or `ratio`, without teeth.

    Fields:
        press [N]: force that presses the wheels together
        friction [1]: coefficient of friction
        stiffness [N/m]: of the contact against shear, at rest
        creep [1]: speed of creep over speed of rolling at which all of the contact slides
        slip_speed [m/s]: how soon wheels that have slid hold again; forces do not depend on it
    """

    type: Literal["traction"] = "traction"
    needs_path: ClassVar[bool] = False
    plain: ClassVar[bool] = True
    press: Force
    friction: Number
    stiffness: Stiffness
    creep: Number = 0.002
    slip_speed: Speed = 0.05
    positive = ("press", "friction", "stiffness", "creep", "slip_speed")

    @classmethod
    def suits(cls, mesh: Any) -> bool:
        return mesh.parallel and mesh.has_path and not mesh.has_teeth

    Equations = TractionForce
