r"""Johnson's law for two cylinders with the curvatures of the flanks (:mod:`.cylinders`), as in the paper.

Lambda = 4 |rho_a + rho_b| (the difference for a ring), which on the line of action is 4 T, the same for all pairs. In
helical teeth radii of curvature are those of the normal section, rho/cos(beta_b). Each cylinder is compressed by

    h_i = P (1 - nu_i^2)/(pi E_i) (2 ln(4 rho_i/a) - 1)

so that with two materials, of which w_a is the part of a in the deformation of the contact, it is
Lambda = 4 T (rho_a/rho_b)^(2 w_a - 1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.elastic.base import ElasticLaw
from wheelwork.elements.meshes.teeth.elastic.cylinders import cylinder_energy, cylinder_force
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears

if TYPE_CHECKING:
    from wheelwork.gears import GearPair, RackPair


class JohnsonContact(ElasticLaw):
    """Two elastic cylinders with the curvatures of the flanks, after Johnson. Not for racks, whose flanks are flat.

    Fields: none.
    """

    type: Literal["johnson"] = "johnson"
    needs_width = True

    @classmethod
    def check(cls, pair: GearPair | RackPair) -> None:
        if isinstance(pair, gears.RackPair):
            raise gears.GeometryError(
                "contact by `johnson` is for two round flanks, but a rack's are flat; take `weber`"
            )
        super().check(pair)

    @classmethod
    def normal_force(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return at.width * cylinder_force(*cls._of(at))

    @classmethod
    def stored_energy(cls, at: ContactSlice, given: ca.SX, computed: ca.SX) -> ca.SX:
        return at.width / at.cos_helix * cylinder_energy(*cls._of(at))

    @staticmethod
    def _of(at: ContactSlice) -> tuple[ca.SX, ca.SX, ca.SX]:
        assert at.sum_radius is not None
        # rho_a is the place, rho_b = T rho/rho_a; off the path, where nothing touches, it only has to be finite
        rho_a = ca.fmax(at.place, 1e-3 * at.pitch)
        rho_b = ca.fmax(at.sum_radius * ca.fabs(at.radius) / rho_a, 1e-3 * at.pitch)
        length = 4 * at.sum_radius * (rho_a / rho_b) ** (2 * at.part - 1)
        return at.depth * at.cos_helix, length / at.cos_helix, at.modulus
