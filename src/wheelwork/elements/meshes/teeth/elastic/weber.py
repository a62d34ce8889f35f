r"""Weber's law: Hertz's strip on teeth that are rigid from the depth t on (:mod:`wheelwork.gears.stiffness.contact`).

    h = P/(pi E*) (ln(t^2 pi E*/(P rho)) - nu/(1 - nu))

which is that of :mod:`.cylinders` with Lambda = t^2/rho exp(1 - nu/(1 - nu)), rho the reduced radius of curvature. So
it follows the place on the line of action, and is there for racks as well.
"""

from __future__ import annotations

from typing import Literal

from wheelwork.description.values import Length
from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.elastic.base import ElasticLaw
from wheelwork.elements.meshes.teeth.elastic.cylinders import cylinder_energy, cylinder_force
from wheelwork.lazy import casadi as ca


class WeberContact(ElasticLaw):
    """Hertz's strip of contact on teeth that are rigid from some depth on, after Weber.

    Fields:
        depth [m]: below the flanks, at which teeth count as rigid; half a tooth's thickness (a quarter of the
            pitch) where left out
    """

    type: Literal["weber"] = "weber"
    positive = ("depth",)
    needs_width = True
    depth: Length | None = None

    def given(self, value):
        return [ca.SX(0) if self.depth is None else value(self.depth)]

    @classmethod
    def normal_force(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return at.width * cylinder_force(*cls._of(at, given[0]))

    @classmethod
    def stored_energy(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return at.width / at.cos_helix * cylinder_energy(*cls._of(at, given[0]))

    @staticmethod
    def _of(at: ContactSlice, t: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
        t = ca.if_else(t > 0, t, at.pitch / 4)
        strain = ca.exp(1 - at.poisson / (1 - at.poisson))
        return (at.depth * at.cos_helix, t**2 * at.cos_helix / at.radius * strain, at.modulus)
