r"""One side of the teeth: all pairs that may touch there, what presses them, and what that does to the wheels.

The flank of a that goes through the middle of the face has the place s on the line of action
(:mod:`wheelwork.equations.tooth_section`). Its neighbours are a base pitch p_b apart, so with m slots,
numbered i from 0, the pairs between A and E are among

    s_i = A + (s + i p_b - A) modulo m p_b

as long as m p_b >= E - A. A slot follows one pair from A to E and beyond, and then takes up another one m teeth behind,
as the paper's contacts do; which one follows from the rotation of a, so that nothing has to be remembered.

Across the face, at the distance w from its middle, helical flanks are at s + w tan(beta_b) (minus on the back), and
where the axes tilt against each other they press deeper by w n . (z_a - z_b). Tips may be relieved
(:class:`.flank_inputs.Relief`). A straight flank is on the path or not. A slice of a leaning flank comes into contact
bit by bit: with delta half the length that it covers of the line, the part

    ((s + delta or E, the lesser) - (s - delta or A, the greater)) / (2 delta)

of it touches, and slots count from A - delta. So each slice has slots of its own, and one of them may hold other teeth
than the same slot of the slice beside it. That is enough for the forces, and keeps their number small. What is told of
a pair of teeth (:attr:`Flank.pairs`) is put together across the whole face: with L the length that a flank covers of
the line, the pairs that touch anywhere have their middles among

    s_j = A - L/2 + (s + j p_b - A + L/2) modulo M p_b,   M p_b >= E - A + L

Normal force F n_3 with n_3 = n -+ z tan(beta_b), friction f tau with tau = z x n, at the points K + s n + w z. All is
counted in the directions o, f, z of the section, from the centre p_a of wheel a: K - p_a = -+ r_ba tau, so that with v
the velocity of a against b at p_a and omega their relative angular velocity

    h'  = n_3 . v +- r_ba omega . (z +- n tan(beta_b)) + (+- s tan(beta_b) + w) omega . tau
    v_s = tau . v + s omega . z - w omega . n

on body b the force sum of F n_3 + f tau, and about p_a the couple

    +- r_ba (z +- n tan(beta_b)) sum F + tau (+- tan(beta_b) sum s F + sum w F) + z sum s f - n sum w f

and on a the opposite.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from wheelwork.elements.meshes.teeth.contact_slice import ContactSlice, SliceForces
from wheelwork.elements.meshes.teeth.flank_inputs import ContactLaws, MeshConstants, Relief
from wheelwork.equations.tooth_section import RelativeMotion, Section
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class ToothPair:
    """A pair of teeth and its slices across the face.

    place    on the line of action: the middle of that part of its line of contact which lies between A and E; before A
             or beyond E where there is none                                                                m
    w        where that is, from the middle of the face                                                     m
    """

    place: ca.SX
    w: ca.SX
    slices: list[SliceForces]


class Flank:
    """The front (sign 1) or back (-1) flanks of a's teeth."""

    def __init__(
        self,
        sign: int,
        section: Section,
        relative: RelativeMotion,
        lead: ca.SX,
        place: ca.SX,
        numbers: MeshConstants,
        laws: ContactLaws,
        relief: list[Relief],
    ):
        """lead: g cos(alpha_0); place: s_A in the middle of the face"""
        self.sign, self.section, self.relative = sign, section, relative
        self.numbers, self.laws, self.relief = numbers, laws, relief
        c, s = section.cosine, section.sine
        self.lean = sign * numbers.lean if numbers.helical else ca.SX(0)
        self.normal = ca.vertcat(s, sign * c, 0)
        self.tangent = ca.vertcat(-sign * c, s, 0)
        self.direction = ca.vertcat(s, sign * c, -self.lean)
        self.depth = (
            sign * lead - section.half
        )  # Kosenko, Gusev, section 3: h = L - s_A - s_B, with its sign turned
        self.place = place - self.depth / 2
        self._across = ca.dot(self.tangent, relative.spin)
        self._slip = ca.dot(self.tangent, relative.velocity)
        screw = relative.spin[2] + self.lean * ca.dot(self.normal, relative.spin)
        self.rate = ca.dot(self.direction, relative.velocity) + sign * section.base * screw
        self.slots = self._slots()

    # -- geometry

    @property
    def half_slice(self) -> ca.SX | None:
        """delta; None for straight teeth"""
        n = self.numbers
        return n.width * ca.fabs(n.lean) / (2 * n.slices) if n.helical else None

    def place_of(self, slot: int, w: ca.SX) -> ca.SX:
        """s of the pair that a slot follows, at the distance w from the middle of the face.

        Kosenko, Gusev (3): slots are one tooth apart; (4): each goes with the wheel, and from one end of the path back
        to the other, m teeth behind. There an event does that, here the modulo.
        """
        n, half = self.numbers, self.half_slice
        first = self.section.start if half is None else self.section.start - half
        ahead, span = self.place + self.lean * w + slot * n.pitch - first, n.slots * n.pitch
        return first + ahead - span * ca.floor(ahead / span)

    def sliding_at(self, place: ca.SX, w: ca.SX) -> ca.SX:
        """v_s"""
        speed = self._slip + place * self.relative.spin[2]
        return speed - w * ca.dot(self.normal, self.relative.spin) if self.numbers.slices > 1 else speed

    def _rate_at(self, place: ca.SX, w: ca.SX) -> ca.SX:
        """h' of the wheels there."""
        if not self.numbers.helical and self.numbers.slices == 1:
            return self.rate
        return self.rate + (place * self.lean + w) * self._across

    def _unpressed(self) -> list[list[tuple[ContactSlice, ca.SX]]]:
        """Slots, and of each its slices with their w."""
        return [
            [(self._slice(self.place_of(i, w), w), w) for w in self._widths]
            for i in range(self.numbers.slots)
        ]

    @cached_property
    def _widths(self) -> list[ca.SX]:
        """w of the slices."""
        n = self.numbers
        if n.slices == 1:
            return [ca.SX(0)]
        return [n.width * ((k + 0.5) / n.slices - 0.5) for k in range(n.slices)]

    def _slice(self, place: ca.SX, w: ca.SX) -> ContactSlice:
        """A slice of a pair, not yet pressed."""
        n, s = self.numbers, self.section
        middle, reach = (n.start + n.end) / 2, (n.end - n.start) / 2
        tilt = ca.dot(self.normal, self.relative.tilt) if n.slices > 1 else ca.SX(0)
        # curvatures where it touches: a slice of which only a part lies on the path has its middle off it
        total, radius = s.radii(place if self.half_slice is None else self._inside(place, self.half_slice))
        return ContactSlice(
            gap=sum((r.gap(place, s) for r in self.relief), -w * tilt),
            depth=ca.SX(0),
            rate=self._rate_at(place, w),
            place=place,
            along=(place - middle) / reach,
            covered=self._covered(place, self.half_slice) / n.slices,
            width=n.width,
            sum_radius=total,
            radius=radius,
            pitch=n.pitch,
            modulus=n.modulus,
            poisson=n.poisson,
            part=n.part,
            cos_helix=1 / ca.sqrt(1 + n.lean**2) if n.helical else ca.SX(1),
        )

    def _inside(self, place: ca.SX, half: ca.SX) -> ca.SX:
        """The middle of that part of place - half to place + half which lies on the path; the nearer end without."""
        s, low, high = self.section, place - half, place + half
        return (ca.fmax(low, ca.fmin(s.start, high)) + ca.fmin(high, ca.fmax(s.end, low))) / 2

    def _covered(self, place: ca.SX, half: ca.SX | None) -> ca.SX:
        """How much of a slice lies on the path."""
        s = self.section
        if half is None:
            return place <= s.end
        inside = ca.fmin(place + half, s.end) - ca.fmax(place - half, s.start)
        return ca.fmax(ca.fmin(inside / (2 * half), 1.0), 0.0)

    # -- forces

    def _slots(self) -> list[list[SliceForces]]:
        slots = self._unpressed()
        self._near = self._approach([one for slot in slots for one, _ in slot])
        return [[self._forces(one, w) for one, w in slot] for slot in slots]

    @cached_property
    def pairs(self) -> list[ToothPair]:
        """Pairs of teeth that may touch somewhere across the face, each with all its slices."""
        n, s = self.numbers, self.section
        if not n.helical:
            return [
                ToothPair(self.place_of(i, ca.SX(0)), ca.SX(0), slices) for i, slices in enumerate(self.slots)
            ]
        half = n.width * ca.fabs(n.lean) / 2
        first, span = s.start - half, n.pairs * n.pitch
        out = []
        for i in range(n.pairs):
            ahead = self.place + i * n.pitch - first
            middle = first + ahead - span * ca.floor(ahead / span)
            place = self._inside(middle, half)
            slices = [self._forces(self._slice(middle + self.lean * w, w), w) for w in self._widths]
            w = ca.if_else(self.lean == 0, 0.0, (place - middle) / self.lean)
            out.append(ToothPair(place, w, slices))
        return out

    def _approach(self, slices: list[ContactSlice]) -> ca.SX:
        """By how much the flanks come closer than just touching: the depth, less what all pairs are deflected together.

        With gaps e_i that is delta + q_s sum of k_i max(delta - e_i, 0) = h, convex and rising: Newton's steps from
        delta = h come down to the solution, and reach it when the pairs that touch do not change any more.
        """
        shared = self.laws.shared
        if shared is None:
            return self.depth
        stiffness = [self.laws.elastic_force(replace(one, depth=ca.SX(1))) for one in slices]
        plain = not self.relief and self.numbers.slices == 1
        near = self.depth
        for _ in range(1 if plain else self.numbers.slots + 1):
            touching = [k if plain else k * (near > t.gap) for k, t in zip(stiffness, slices, strict=True)]
            gaps = sum((k * t.gap for k, t in zip(touching, slices, strict=True)), ca.SX(0))
            near = (self.depth + shared * gaps) / (1 + shared * sum(touching, ca.SX(0)))
        return near

    def _forces(self, at: ContactSlice, w: ca.SX) -> SliceForces:
        at = replace(at, depth=ca.fmax(self._near - at.gap, 0.0))
        elastic, normal = self.laws.normal_forces(at)
        sliding = self.sliding_at(at.place, w)
        friction = self.laws.friction(normal / at.cos_helix, sliding)
        touches = ca.logic_and(at.depth > 0, at.covered > 0)
        return SliceForces(at, elastic, normal, friction, sliding, w, touches)

    @cached_property
    def _pressed(self) -> ca.SX:
        """Whether a slice may touch: relief only keeps flanks apart, tilt brings one edge of the face nearer."""
        n = self.numbers
        if n.slices == 1:
            return self.depth > 0
        nearest = n.width * (n.slices - 1) / (2 * n.slices) * ca.fabs(ca.dot(self.normal, self.relative.tilt))
        return self.depth + nearest > 0

    def _sum(self, of) -> ca.SX:
        """Over all slices, of what is zero where they do not touch; flanks that are apart cost a comparison."""
        total = ca.SX(0)
        for slot in self.slots:
            for forces in slot:
                total += of(forces)
        return ca.if_else(self._pressed, total, 0.0)

    @cached_property
    def normal_sum(self) -> ca.SX:
        """Transverse normal force of all pairs [N]."""
        return self._sum(lambda f: f.normal)

    @property
    def force(self) -> ca.SX:
        """On b, with friction; components along o, f, z."""
        return self.normal_sum * self.direction + self._sum(lambda f: f.friction) * self.tangent

    @property
    def couple(self) -> ca.SX:
        """On b, about the centre of a; components along o, f, z."""
        pushed = self.sign * self.section.base * self.normal_sum
        couple = ca.vertcat(0, 0, pushed + self._sum(lambda f: f.slice.place * f.friction))
        if self.numbers.helical:
            couple += pushed * self.lean * self.normal
            couple += self.lean * self._sum(lambda f: f.slice.place * f.normal) * self.tangent
        if self.numbers.slices > 1:
            couple += self._sum(lambda f: f.w * f.normal) * self.tangent
            couple -= self._sum(lambda f: f.w * f.friction) * self.normal
        return couple

    # -- energy

    @property
    def energy(self) -> ca.SX:
        total = self._sum(lambda f: self.laws.energy(f.slice))
        if self.laws.shared is not None:
            total += self.laws.shared * self._sum(lambda f: f.elastic) ** 2 / 2
        return total

    @property
    def stored(self) -> ca.SX:
        """Power that goes into the teeth [W]."""
        return self._sum(lambda f: f.elastic * self._rate_at(f.slice.place, f.w))

    @property
    def lost(self) -> ca.SX:
        """Power lost [W]."""
        return self._sum(
            lambda f: (f.normal - f.elastic) * self._rate_at(f.slice.place, f.w) + f.friction * f.sliding
        )

    # -- events

    def events(self) -> list[ca.SX]:
        """Touching and leaving; where straight teeth press, a pair that enters at A and one that leaves at E."""
        if self.numbers.helical:
            return [self.depth]
        ends = []
        for end in (self.section.start, self.section.end):
            pressed = self.depth > sum((r.gap(end, self.section) for r in self.relief), ca.SX(0))
            ends.append(ca.if_else(pressed, _alternating((self.place - end) / self.numbers.pitch), 1.0))
        return [self.depth, *ends]


def _alternating(x: ca.SX) -> ca.SX:
    """A continuous function that changes its sign at every whole number."""
    y = x - 2 * ca.floor(x / 2 + 0.5)
    return y * (1 - ca.fabs(y))
