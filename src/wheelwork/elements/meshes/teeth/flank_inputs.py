"""What a flank is given: numbers of the mesh that both flanks need, the laws of contact, relief of the tips."""

from __future__ import annotations

from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice
from wheelwork.elements.meshes.teeth.damping.base import DampingLaw
from wheelwork.elements.meshes.teeth.elastic.base import ElasticLaw
from wheelwork.elements.meshes.teeth.friction.base import FrictionLaw
from wheelwork.equations.tooth_section import Section
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class MeshConstants:
    """What a flank needs besides its section.

    pitch, lean      p_b, tan(beta_b) (0 for spur)
    width            of the face; 0 where it is not known
    modulus, poisson E*, nu
    part             w_a, of a in the deformation of the contact
    start, end       A, E of the given position
    slots, slices    m, and how many slices
    pairs            how many pairs of teeth may touch somewhere across the face
    helical          whether there is a helix
    """

    pitch: ca.SX
    lean: ca.SX
    width: ca.SX
    modulus: ca.SX
    poisson: ca.SX
    part: ca.SX
    start: ca.SX
    end: ca.SX
    slots: int
    slices: int
    pairs: int
    helical: bool


@dataclass(frozen=True)
class ContactLaws:
    """Elastic, viscous and tangential law; `friction_coefficient` is None without friction."""

    elastic: type[ElasticLaw]
    elastic_given: ca.SX
    elastic_computed: ca.SX
    viscous: type[DampingLaw]
    viscous_given: ca.SX
    tangential: type[FrictionLaw]
    tangential_given: ca.SX
    friction_coefficient: ca.SX | None

    @property
    def shared(self) -> ca.SX | None:
        """Compliance that all pairs have in common."""
        return self.elastic.shared(self.elastic_computed)

    # Laws are those of the whole face; a slice has its part of it.

    def elastic_force(self, at: ContactSlice) -> ca.SX:
        return at.covered * self.elastic.normal_force(at, self.elastic_given, self.elastic_computed)

    def normal_forces(self, at: ContactSlice) -> tuple[ca.SX, ca.SX]:
        """The elastic one, and with damping."""
        whole = self.elastic.normal_force(at, self.elastic_given, self.elastic_computed)
        return at.covered * whole, at.covered * self.viscous.total(whole, at, self.viscous_given)

    def energy(self, at: ContactSlice) -> ca.SX:
        return at.covered * self.elastic.stored_energy(at, self.elastic_given, self.elastic_computed)

    def friction(self, normal: ca.SX, sliding: ca.SX) -> ca.SX:
        """On b along the speed of a against b."""
        if self.friction_coefficient is None:
            return ca.SX(0)
        return self.friction_coefficient * normal * self.tangential.part(sliding, self.tangential_given)


@dataclass(frozen=True)
class Relief:
    """Tips that are relieved: the gap that stays between two flanks where perfect ones would touch.

        C_a max(1 - x/L, 0)^p,   x the distance on the line of action from where the tip touches

    as :class:`wheelwork.gears.stiffness.TipReliefCurve`. The force stays on the line of action, which a flank
    that leans by C_a/L against the involute leaves by as much; what the gap takes from the depth as it comes and goes
    is work that the wheels do not feel, as with the static transmission error of compliant teeth.

    wheel: `a` or `b`; amount, length: C_a and L [m]; power: p
    """

    wheel: str
    amount: ca.SX
    length: ca.SX
    power: int

    def gap(self, place: ca.SX, section: Section) -> ca.SX:
        from_b, to_a = section.tips
        from_tip = to_a - place if self.wheel == "a" else place - from_b
        return self.amount * ca.fmax(1 - from_tip / self.length, 0.0) ** self.power
