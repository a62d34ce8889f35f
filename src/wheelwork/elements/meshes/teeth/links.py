r"""Links of a roller chain that stretch: two strands between rollers, each of which pulls while it is tight.

With A_i and B_i the rollers at the ends of strand i (:mod:`wheelwork.elements.meshes.chain`), of n_i links of the pitch
p, it is stretched by

    x_i = |B_i - A_i| - n_i p                       known but for whole pitches, as hand-overs change n_i
    T_i = (EA/(n p)) x_i + c x_i'                   where x_i > 0, and not negative; nothing where it is slack

with the length n p of the tight strand at the given position. T_i pulls A_i and B_i to each other, so that the polygon
effect shakes the sprockets by itself: the force has no jumps at hand-overs, its rate does. The stretch must stay below
half of what the slack leaves of a pitch; beyond that a roller would go over a tooth, where the run ends.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from wheelwork.description.values import Damping, Force
from wheelwork.elements.meshes.chain import arms, beyond, rollers
from wheelwork.elements.meshes.teeth.base import ToothModel
from wheelwork.elements.meshes.teeth.mesh_force import MeshBinding, MeshForce, MeshView
from wheelwork.equations.backlash_laws import contact, pressed
from wheelwork.equations.forces import Effect, ToothLimits, along
from wheelwork.equations.mesh_equations import SPEEDS
from wheelwork.equations.rows import separation
from wheelwork.lazy import casadi as ca

MOST_SLACK = 0.95
"""Of a pitch: more leaves no room in which a strand may stretch."""


class StrandPulls(MeshForce):
    """Pulls of the left and the right strand."""

    stands = True
    no_efficiency = "a chain with `links` has no `efficiency`: it loses what its damping takes"

    def bind_mesh(self, view: MeshView) -> MeshBinding:
        model, mesh, x = view.model, view.placed.element, view.numbers
        pitch, distance = (float(view.teeth.number(one)[0]) for one in (x["pitch"], view.geometry.distance))
        most = mesh.drive(pitch, distance).slack[1]
        if most > MOST_SLACK * pitch:
            raise ValueError(
                f"the chain is up to {1e3 * most:.4g} mm longer than one drawn tight, which is nearly a link of "
                f"{1e3 * pitch:.4g} mm: move the axes apart"
            )
        a, b = view.at_rest
        length = separation(*rollers(a, b, x, x["side"])).value
        return MeshBinding(
            [*view.data_with(), view.value(model.axial_stiffness) / length, view.value(model.damping)]
        )

    def effect(self, arguments):
        equations, a, b, x, data = self.mesh(arguments)
        k, c = ca.vertsplit(data)
        none = ca.SX(3, 1)
        pulls, stretches, tight = [], [], []
        lost, wrenches = ca.SX(0), [(none, none), (none, none)]
        for side in (1, -1):
            ends = rollers(a, b, x, side)
            row = separation(*ends)
            stretch, rate = beyond(row.value, x), row.rate(*ends)
            pull = contact(k, c, stretch, rate)
            tight.append(pressed(k, c, stretch, rate))
            lost += (pull - k * ca.fmax(stretch, 0.0)) * rate
            pulls.append(pull)
            stretches.append(stretch)
            wrenches = [(f + g, m + n) for (f, m), (g, n) in zip(wrenches, along(row, -pull), strict=True)]
        c_a, c_b = arms(a, b, x)
        signals = {
            "force.tangential": (
                pulls[0] - pulls[1],
                "N",
                "pull in the left strand minus pull in the right one",
            ),
            "force.tight": (ca.fmax(*pulls), "N", "pull in the tight strand"),
            "force.slack": (ca.fmin(*pulls), "N", "pull in the slack strand"),
            "left.force": (pulls[0], "N", "pull in the strand to the left of the line from a to b"),
            "right.force": (pulls[1], "N", "pull in the strand to its right"),
            "left.stretch": (stretches[0], "m", "stretch of the left strand; negative where it is slack"),
            "right.stretch": (stretches[1], "m", "stretch of the right strand; negative where it is slack"),
            "ratio": (c_b / c_a, "1", "speed of a over speed of b that rigid links would make at present"),
            "power.loss": (lost, "W", "power lost to damping"),
            "rolling": (equations.speed(a, b, x), *SPEEDS["rolling"]),
        }
        most = ca.fmax(*stretches)
        return Effect(
            wrenches,
            potential=sum((k * ca.fmax(one, 0.0) ** 2 / 2 for one in stretches), ca.SX(0)),
            signals=signals,
            events=[*stretches, *tight],
            teeth=ToothLimits((most + x["slack"] / 2) / x["pitch"], ca.SX(0)),
        )


class ChainLinks(ToothModel):
    """Strands of a roller chain that stretch, each of which pulls while it is tight. Removes no degree of freedom.

    Fields:
        axial_stiffness [N]: EA of the chain: pull over strain
        damping [N s/m]: of a strand
    """

    type: Literal["links"] = "links"
    needs_path: ClassVar[bool] = False
    axial_stiffness: Force
    damping: Damping = 0.0
    positive = ("axial_stiffness",)
    not_negative = ("damping",)

    @classmethod
    def suits(cls, mesh: Any) -> bool:
        return mesh.has_links

    Equations = StrandPulls
