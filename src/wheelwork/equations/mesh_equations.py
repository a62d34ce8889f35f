"""The contract of a mesh: two wheel markers and a few numbers in, one constraint row and the tooth force out.

A mesh says that the material points of the two wheels at the contact point P have the same velocity along the part of
the tooth's normal that lies in the pitch plane. With t the direction in which wheel a's pitch surface moves at P when
a turns in the positive sense about z_a, and k an axial direction:

    G^ v = d . (v_Pa - v_Pb),    d = t - tan(beta) k                         no slip (Vlasenko, Kasper, (25), (28))
    g    = arc rolled by a minus arc rolled by b, in metres of pitch arc; g - p floor(g/p + 1/2) is what must vanish

g has units of length, so that its multiplier is the transverse tangential force F_t [N]: **the teeth push b with F_t d,
and a with -F_t d, at P**. F_t is positive where a drives in the positive sense about z_a (or is held back by b in the
negative one). Every row here is the exact derivative of its g at any state, and where the geometry is closed (axes and
distances as they should be) its G^T F_t is exactly a force F_t d at P, without a couple, so that bearings see it.

Unlimited rotation: angles come from atan2, so g jumps by whole circumferences, which are whole numbers of teeth. Modulo
the pitch p = 2 pi r_a/z_a = 2 pi r_b/z_b nothing jumps: what Vlasenko and Kasper do by moving their reference point to
the tooth last in contact, without a state and without an event. `phase` is the raw value at the given position.
Wheels without tooth numbers (a `ratio`, or radii, that small whole numbers do not make) have no pitch to be modulo of:
their turns are counted (:meth:`MeshEquations.residual`).

Markers: origin at the wheel's centre (in the plane of P), z along its axis, x any direction fixed in the wheel. Which
of the two senses z has is settled by the type, so that no signs are needed in the equations; see each type:

    external, internal, belt   z_b along z_a
    rack                       b: z along z_a, y from the pitch line towards the pinion, x along the pitch line
    bevel                      both from the apex towards the teeth
    worm, crossed              so that tooth directions of both wheels agree at P

A mesh of :mod:`wheelwork.elements.meshes` has a class `Equations` derived from :class:`MeshEquations`: `extras` lists
the numbers it needs, ending with `pitch` and `phase`; `no_slip`, `rolling`, `contact_point` and `directions` are to be
written, `separating` and `normal_force` where teeth do not simply push apart with tan(alpha_t).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.description.registry import family, find
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .frames import Marker
from .rows import Row

if TYPE_CHECKING:
    from wheelwork.equations.tooth_section import FlankShape, Section

    from .vector_form import VectorForm

FORCES = {
    "force.tangential": ("N", "tangential force on the teeth of b at the pitch point, without friction"),
    "force.radial": ("N", "force that pushes the wheels apart, on b away from a"),
    "force.axial": ("N", "force on b along the axis (the common line of the cones in a bevel mesh)"),
    "force.normal": ("N", "force along the common normal of the flanks"),
    "a.force.tangential": ("N", "force on a at the pitch point with friction, along its axis times radius"),
    "a.force.radial": ("N", "force on a at the pitch point with friction, outward from its axis"),
    "a.force.axial": ("N", "force on a at the pitch point with friction, along its axis"),
    "b.force.tangential": ("N", "force on b at the pitch point with friction, along its axis times radius"),
    "b.force.radial": ("N", "force on b at the pitch point with friction, outward from its axis"),
    "b.force.axial": ("N", "force on b at the pitch point with friction, along its axis"),
}
"""Unit and meaning of the force signals of a mesh, in the order of their values."""

SPEEDS = {
    "rolling": ("m/s", "speed of rolling on the pitch line"),
    "power": ("W", "power through the mesh from a to b, as seen from what carries the wheels"),
}

Extras = Mapping[str, Any]


@dataclass(frozen=True)
class Directions:
    """Unit vectors at the contact point, world axes.

    tangential  along the pitch surfaces, the way a's surface moves when a turns in the positive sense
    radial      normal to the pitch surfaces, from a into b
    axial       along the pitch surfaces: the wheels' axis, or the common line of the pitch cones
    """

    tangential: ca.SX
    radial: ca.SX
    axial: ca.SX


class MeshEquations(ABC):
    """Base of all meshes; see the module's docstring for how to write one.

    type: type name of the mesh; a variant has a word after a colon (`external:helical`)
    helical: whether rows have the terms of a helix; without them `tan_beta` must be zero
    """

    row_names: tuple[str, ...] = ("mesh",)
    forces: ClassVar[dict[str, tuple[str, str]]] = FORCES
    """The force signals of the mesh; see `force_signals`."""
    extras: ClassVar[tuple[str, ...]]
    """Names of the mesh's own numbers, in the order of its data."""
    units: ClassVar[Mapping[str, str]] = {}
    """Units of those that are not in metres (nor a sine, cosine or tangent by their name)."""
    chosen: ClassVar[tuple[str, ...]] = ()
    """Names of numbers that the state settles in steps (`choose`): which rollers a strand pulls at. Where the numbers
    of the mesh have them they are taken as they are, which keeps printed equations short."""
    slides: ClassVar[bool] = False
    """Whether the teeth slide along each other, so that there is a row `sliding`."""

    def __init__(self, type: str):
        self.type = type
        self.helical = type.endswith(":helical")

    # -- to be written for each type

    @abstractmethod
    def no_slip(self, a: Marker, b: Marker, x: Extras) -> Row:
        """The row before phase and pitch: value = raw arc [m]."""

    @abstractmethod
    def rolling(self, a: Marker, b: Marker, x: Extras) -> Row:
        """Arc rolled on the pitch line [m], as half of what each wheel has rolled; its rate is the speed of rolling.

        Friction F_f against it loads both wheels alike: with F_f = 2 (1 - eta)/(1 + eta) |F_t| the power that leaves
        the mesh is eta times the power that enters it, whichever wheel drives.
        """

    def sliding(self, a: Marker, b: Marker, x: Extras) -> Row:
        """Path slid along the tooth [m], a against b; only where `slides`."""
        raise NotImplementedError

    @abstractmethod
    def contact_point(self, a: Marker, b: Marker, x: Extras) -> ca.SX:
        """P, where the pitch surfaces touch (world)."""

    @abstractmethod
    def directions(self, a: Marker, b: Marker, x: Extras) -> Directions:
        """Tangential, radial and axial at P."""

    def axial_share(self, x: Extras) -> ca.SX | float:
        """Axial force in the row over F_t, against the axial direction: tan(beta) of a helix."""
        return 0.0

    def angle_of_a(self, a: Marker, b: Marker) -> ca.SX:
        """phi_a, the angle in the raw value by which wheel a turns; not for racks."""
        raise NotImplementedError

    def arc_of_a(self, x: Extras) -> ca.SX:
        """Arc [m] in the raw value for a turn of -1 rad of phi_a; that of phi_b is r_b."""
        return x["r_a"]

    def clearance(self, a: Marker, b: Marker, x: Extras) -> Row:
        """How far the pitch surfaces stand apart [m]; only where teeth may be compliant."""
        raise NotImplementedError

    def line_of_action(self, a: Marker, b: Marker, x: Extras, shape: FlankShape) -> Section:
        """Where flanks in contact touch; only where they have a path of contact."""
        raise NotImplementedError

    def pin_contacts(
        self, a: Marker, b: Marker, x: Extras, count: int
    ) -> Iterator[tuple[ca.SX, ca.SX, ca.SX]]:
        """Depth of each pin [m], outward normal of its mate a there, and the pin's centre; only where it has pins."""
        raise NotImplementedError

    def choose(self, a: Marker, b: Marker, x: Extras) -> ca.SX:
        """Values of `chosen` at a state."""
        raise NotImplementedError

    def separating(self, a: Marker, b: Marker, x: Extras, force: ca.SX, spread: ca.SX | None = None) -> ca.SX:
        """The part of the force on b at P that is not in G^T F_t; there is no couple besides.

        It pushes the wheels apart, whichever flank is loaded: |F_t| tan(alpha_t). `spread` stands for |F_t| where it is
        something else: both flanks of a tooth are pressed, or they pull.
        """
        size = ca.fabs(force) if spread is None else spread
        return size * x["tan_alpha_t"] * self.directions(a, b, x).radial

    def normal_force(self, x: Extras, force: ca.SX) -> ca.SX:
        """Force along the common normal of the flanks [N], not negative: |F_t| / (cos(alpha_n) cos(beta))."""
        return ca.fabs(force) * ca.sqrt(1 + self.axial_share(x) ** 2 + x["tan_alpha_t"] ** 2)

    @abstractmethod
    def printed(self) -> VectorForm:
        """Its equations in vectors, as `wheelwork equations` prints them."""

    # -- the same for all

    def raw(self, a: Marker, b: Marker, x: Extras) -> ca.SX:
        """The value before phase and pitch; `phase` is this at the given position."""
        return self.no_slip(a, b, x).value

    def residual(
        self, a: Marker, b: Marker, x: Extras, turn: ca.SX | None = None, against: str = "carrier"
    ) -> ca.SX:
        """What must vanish: the raw value minus its phase, modulo the pitch.

        turn: how far a has turned against what carries both wheels, counted over whole turns, for meshes without tooth
        numbers. Then phi_a is known over whole turns, and what is left is known but for whole turns of b.
        against: `mate` where it is the turn of a against b (`unwrapped_by_mate`)
        """
        if turn is not None and against == "mate":
            value, period = self.unwrapped_by_mate(a, b, x, turn)
            return modulo(value - x["phase"], period)
        value = self.raw(a, b, x) - x["phase"]
        if turn is None:
            return modulo(value, x["pitch"])
        phi = self.angle_of_a(a, b)
        missed = -turn - phi - modulo(-turn - phi, 2 * ca.pi)
        return modulo(value - self.arc_of_a(x) * missed, 2 * ca.pi * x["r_b"])

    def unwrapped_by_mate(self, a: Marker, b: Marker, x: Extras, turn: ca.SX) -> tuple[ca.SX, ca.SX]:
        """The raw value with phi_b brought to phi_a by the turn of a against b, and the arc within which it is known;
        for wheels on parallel axes, whatever carries them."""
        raise NotImplementedError

    def speed(self, a: Marker, b: Marker, x: Extras) -> ca.SX:
        """With which F_t carries power from a to b; that of rolling, but where arms of the force change."""
        return self.rolling(a, b, x).rate(a, b)

    def equations(
        self, a: Marker, b: Marker, x: Extras, turn: ca.SX | None = None, against: str = "carrier"
    ) -> list[Row]:
        """The constraint; see `residual`."""
        return [replace(self.no_slip(a, b, x), value=self.residual(a, b, x, turn, against))]

    def driving_direction(self, a: Marker, b: Marker, x: Extras) -> ca.SX:
        """d: force on b at P in the row, for F_t = 1."""
        directions = self.directions(a, b, x)
        return directions.tangential - self.axial_share(x) * directions.axial

    def tooth_force(self, a: Marker, b: Marker, x: Extras, force: ca.SX, **spread: ca.SX) -> ca.SX:
        """The whole force of the teeth on b, at P; on a it is the opposite. `force` is F_t, the row's multiplier."""
        return force * self.driving_direction(a, b, x) + self.separating(a, b, x, force, **spread)

    def wheel_forces(
        self, a: Marker, b: Marker, x: Extras, force: ca.SX, **spread: ca.SX
    ) -> tuple[ca.SX, ca.SX]:
        """The tooth force on a and on b, each in the wheel's own directions (:func:`about`): (3), (3)."""
        point, total = self.contact_point(a, b, x), self.tooth_force(a, b, x, force, **spread)
        return ca.vertcat(*about(a, point, -total)), ca.vertcat(*about(b, point, total))

    def friction_forces(self, a: Marker, b: Marker, x: Extras, friction: ca.SX) -> tuple[ca.SX, ca.SX]:
        """What friction (the multiplier of the row `sliding` or `rolling`) adds to `wheel_forces`.

        Along sliding teeth it is a force at P. Against rolling it is a couple on each wheel, which counts as a
        tangential force at its pitch radius.
        """
        if self.slides:
            point, force = self.contact_point(a, b, x), friction * self.sliding(a, b, x).b_linear
            return ca.vertcat(*about(a, point, -force)), ca.vertcat(*about(b, point, force))
        row = self.rolling(a, b, x)
        on_a = ca.dot(a.ez, row.a_angular - ca.cross(a.s, row.a_linear)) / x["r_a"]
        on_b = ca.dot(b.ez, row.b_angular - ca.cross(b.s, row.b_linear)) / x["r_b"]
        return ca.vertcat(friction * on_a, 0, 0), ca.vertcat(friction * on_b, 0, 0)

    def force_signals(
        self, a: Marker, b: Marker, x: Extras, force: ca.SX, friction: ca.SX | None = None, **spread: ca.SX
    ) -> list[ca.SX]:
        """Values of `forces`; the first ones are without friction, those on the wheels with it."""
        total, directions = self.tooth_force(a, b, x, force, **spread), self.directions(a, b, x)
        wheels = ca.vertcat(*self.wheel_forces(a, b, x, force, **spread))
        if friction is not None:
            wheels += ca.vertcat(*self.friction_forces(a, b, x, friction))
        return [
            force,
            ca.dot(total, directions.radial),
            ca.dot(total, directions.axial),
            self.normal_force(x, force),
            *ca.vertsplit(wheels),
        ]

    def named(self, values: ca.SX) -> dict[str, ca.SX]:
        """The mesh's numbers by name, from its data."""
        return {name: values[k] for k, name in enumerate(self.extras)}


def modulo(value: ca.SX, pitch: ca.SX | float) -> ca.SX:
    """The representative of `value` nearest zero, modulo `pitch`; its derivative is that of `value`."""
    return value - pitch * ca.floor(value / pitch + 0.5)


def about(wheel: Marker, point: ca.SX, force: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """A force at a point in a wheel's own directions, as text-books give gear forces: tangential, radial, axial.

    Tangential is positive along z x radius, radial outward from the axis, axial along z.
    """
    arm = point - wheel.p
    radius = arm - wheel.ez * ca.dot(wheel.ez, arm)
    return along(wheel.ez, radius / ca.norm_2(radius), force)


def along(axis: ca.SX, outward: ca.SX, force: ca.SX) -> tuple[ca.SX, ca.SX, ca.SX]:
    """A force in the directions axis x outward, outward, axis: tangential, radial, axial."""
    return ca.dot(force, ca.cross(axis, outward)), ca.dot(force, outward), ca.dot(force, axis)


def mesh_equations(type: str) -> MeshEquations:
    """Equations by their type, which may be a variant: `external:helical`."""
    name, _, variant = type.partition(":")
    return find("meshes", name).equations(variant)


def every_mesh() -> dict[str, MeshEquations]:
    """All equations of meshes by their type, variants too."""
    made = (cls.equations(variant) for cls in family("meshes").values() for variant in cls.variants)
    return {equations.type: equations for equations in made}
