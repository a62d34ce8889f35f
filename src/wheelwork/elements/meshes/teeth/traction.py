r"""Plain wheels that are pressed together and drive by friction: traction with creep, and slip when overloaded.

With g the arc that wheel a is ahead of b (the row of the mesh) and N the force that presses the wheels together:

    F_t = k z,   z' = g' - s'                             z: a state of its own, the shear of the contact
    s' = s'_e + s'_g                                      F_t s' is lost
    s'_e = |v| xi (1 - sqrt(1 - |F_t|/(mu N))) sign(F_t)  creep of rolling cylinders (Carter); v speed of rolling
    s'_g = v_1 max(|F_t| - mu N, 0)/(0.01 mu N)           sliding; v_1 is `slip_speed`

So a small load makes the creep xi F_t/(2 mu N), full sliding sets in at the creep xi, and a wheel at rest is held as
by a spring up to mu N. For two cylinders pressed to the half width b xi = mu b/R, 1/R = 1/r_a +- 1/r_b. Friction
rises with the speed of sliding, by 1 percent at v_1. The wheels push each other apart with N, which bearings must hold.

Carter: F. W. Carter, On the action of a locomotive driving wheel, Proceedings of the Royal Society A 112 (1926)
151-157; K. L. Johnson, Contact Mechanics, 1985, eq. (8.5). The law is that of steady rolling; with z it holds
at rest too, and is reached within a length of rolling of 2 mu N/(xi k).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue, positive
from wheelwork.description.values import Force, Number, Speed, Stiffness
from wheelwork.elements.meshes.teeth.base import ToothModel
from wheelwork.elements.meshes.teeth.mesh_force import MeshBinding, MeshForce, MeshView
from wheelwork.elements.meshes.teeth.strands import RISE
from wheelwork.equations.forces import Effect, SignalExpression, along
from wheelwork.equations.mesh_equations import SPEEDS
from wheelwork.lazy import casadi as ca

ROUND = 1e-9
"""1 - |F_t|/(mu N) is not taken to be less, where its root is steep."""


class TractionForce(MeshForce):
    """A tangential force with states z and s."""

    no_efficiency = "wheels with `traction` have no `efficiency`: they lose what creep and slip take"

    def bind_mesh(self, view: MeshView) -> MeshBinding:
        model, value = view.model, view.value
        given = (model.press, model.friction, model.stiffness, model.creep, model.slip_speed)
        return MeshBinding([*view.data_with(), *map(value, given)], states=[0.0, 0.0])

    def effect(self, arguments):
        equations, a, b, x, data = self.mesh(arguments)
        press, friction, stiffness, most_creep, slip_speed = ca.vertsplit(data)
        z, slipped = arguments.states
        row, apart = equations.no_slip(a, b, x), equations.clearance(a, b, x)
        ahead, speed = row.rate(a, b), equations.rolling(a, b, x).rate(a, b)
        force, most = stiffness * z, friction * press
        share = ca.fabs(force) / most
        creep = ca.fabs(speed) * most_creep * (1 - ca.sqrt(ca.fmax(1 - share, ROUND)))
        gross = slip_speed * ca.fmax(share - 1, 0.0) / RISE
        slip = ca.sign(force) * (creep + gross)
        wrenches = [
            (first[0] + second[0], first[1] + second[1])
            for first, second in zip(along(row, -force), along(apart, press), strict=True)
        ]
        signals = {
            "force.tangential": (force, "N", "tangential force between the wheels"),
            "force.normal": (press, "N", "force that presses the wheels together"),
            "use": (share, "1", "tangential force over the largest that friction holds"),
            "slip": (slip, "m/s", "speed of creep and sliding"),
            "slipped": (slipped, "m", "way that the wheels have crept and slid on each other"),
            "power.loss": (force * slip, "W", "power lost to creep and sliding"),
            "rolling": (speed, *SPEEDS["rolling"]),
        }
        return Effect(
            wrenches,
            potential=stiffness * z**2 / 2 - press * apart.value,
            signals={name: SignalExpression(*parts) for name, parts in signals.items()},
            events=[share - 1],
            rates=[ahead - slip, slip],
        )


class Traction(ToothModel):
    """Plain wheels pressed together, which creep under load and slide when overloaded. Removes no degree of freedom.

    For `external` and `internal` meshes sized by `radii` or `ratio`, without teeth.

    Fields:
        press [N]: force that presses the wheels together
        friction [1]: coefficient of friction
        stiffness [N/m]: of the contact against shear, at rest
        creep [1]: speed of creep over speed of rolling at which all of the contact slides
        slip_speed [m/s]: speed of sliding at which friction has risen by 1 percent
    """

    type: Literal["traction"] = "traction"
    needs_path: ClassVar[bool] = False
    plain: ClassVar[bool] = True
    press: Force
    friction: Number
    stiffness: Stiffness
    creep: Number = 0.002
    slip_speed: Speed = 0.05

    @classmethod
    def suits(cls, mesh: Any) -> bool:
        return mesh.parallel and mesh.has_path and not mesh.has_teeth

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from positive(self, value, "press", "friction", "stiffness", "creep", "slip_speed")

    Equations = TractionForce
