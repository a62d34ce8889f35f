r"""Cycloid disc a inside a ring b of pins, on parallel axes at the distance e, the eccentricity.

With z lobes and z_p = z + 1 pins the pitch circles have the radii r_a = e z and r_b = e z_p, and roll on each other as
those of an internal mesh (:mod:`.internal`), which is the row:

    g = r_a psi_a - r_b psi_b

Held pins and a driven eccentric turn the disc z times slower, backwards. All common normals of lobes and pins go
through the pitch point P, so that the lobes together push with a force at P. Rigid lobes do not say how they share
it; with forces in proportion to their arms, on half the pins (Malhotra and Parameswaran,
:mod:`wheelwork.gears.cycloid`), its radial part is |F_t| tan(alpha_t) in the mean over a pin pitch, with

    tan(alpha_t) = ((1 - K^2) ln((1 + K)/(1 - K)) - 2 K)/(pi K^2),   K = r_b/R

and `force.normal` is the largest force of a lobe, 4 |F_t|/z_p.

    pin_circle  R, radius of the circle of the pins' centres                            m
    pin_radius  r                                                                       m
    offset      the disc is made for pins thicker by this                               m
    shift       the disc is made for a pin circle larger by this                        m
    turned      angle of a pin from the pitch point at the given position, seen from b  rad

With the model `pins` every lobe presses on its pin by itself. In the frame of a, with theta the turn of b against a
since the given position and u(phi) = (cos phi, sin phi), pin i is made for the places

    C(eta) = (R + shift) u(alpha_i + eta) + e u(z_p theta + z_p eta),   alpha_i = pi + turned + theta + 2 pi i/z_p

and is at Q = l + R u(alpha_i), l from a's centre to b's. The foot of Q on that curve, (Q - C) . C' = 0, is found by two
steps of Newton's method from eta = 0, which is exact where the disc stands as it is made for; the depth is then
h = -(Q - C) . n - offset, n the outward normal. A gap of 0.1 mm is found to 1e-15 m.

Markers: z_b along z_a, x along the line of centres from a to b at the given position.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue, Range
from wheelwork.description.values import Length
from wheelwork.elements.meshes.parallel import OnParallelAxes, ParallelEquations
from wheelwork.equations.mesh_equations import FORCES
from wheelwork.equations.rows import turn_about_axis
from wheelwork.layout.meshes.faults import MeshFault, millimetres
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears

if TYPE_CHECKING:
    from wheelwork.layout import Layout

STEPS = 2
"""Of Newton's method for the foot of a pin on the curve it is made for."""


class PinMesh(OnParallelAxes):
    """Pins on a circle, which run on lobes or in holes.

    Fields:
        pin_circle [m]: radius of the circle of the pins' centres
        pin_radius [m]: of the pins, or of the rollers on them
    """

    pin_circle: Length
    pin_radius: Length
    has_pins: ClassVar[bool] = True
    positive = ("pin_circle", "pin_radius")

    @property
    def has_teeth(self) -> bool:
        return True

    @property
    @abstractmethod
    def pin_count(self) -> int:
        """How many there are."""

    def at_start(self, view: Any) -> dict[str, ca.SX]:
        """Numbers that follow from other meshes."""
        return {"turned": turned_pin(view.layout, view.placed.name)}


class CycloidMesh(PinMesh):
    """A cycloid disc with lobes inside a ring with one pin more, on an eccentric. Removes 1 degree of freedom.

    The eccentricity is the distance of the axes. Pins of a ring that several discs share stand as the first mesh in the
    mechanism has them, one pin in the direction of its eccentricity.

    Fields:
        bodies: names of the disc (a) and the ring of pins (b), often ground
        lobes [1]: of the disc, a whole number
        pins [1]: of the ring, one more than lobes; may be left out
        offset [m]: equidistant modification: the disc is made for pins thicker by this, which leaves clearance
        shift [m]: moved-distance modification: the disc is made for a pin circle larger by this
        thickness [m]: of the disc, for pictures
        model: of the lobes: `rigid` or `pins`
    """

    type: Literal["cycloid"] = "cycloid"
    lobes: int
    pins: int | None = None
    offset: Length = 0.0
    shift: Length = 0.0
    thickness: Length = 0.0
    b_is_ring: ClassVar[bool] = True
    not_negative = ("thickness",)
    has_lobes: ClassVar[bool] = True
    ranges: ClassVar = {"lobes": Range("be a whole number, at least 2", lambda x: x >= 2)}

    @property
    def pin_count(self) -> int:
        return self.lobes + 1

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.pins is not None and self.pins != self.pin_count:
            text = (
                f"a disc with {self.lobes} lobes runs inside {self.pin_count} pins, but `pins` is {self.pins}"
            )
            yield Issue("pins", text, "leave it out, or make it `lobes` + 1")

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> CycloidMesh:
        return cls.sample_at(-3e-3, kind, bodies, lobes=11, pin_circle=0.05, pin_radius=5e-3)

    def contact(self, centers, l):
        return centers[0] - l * self.lobes

    def sizes(self, place, distance):
        self._drive(place.number, place.value, distance)
        r_a, r_b = distance * self.lobes, distance * self.pin_count
        circle = place.value(self.pin_circle)
        numbers = {
            "r_a": r_a,
            "r_b": r_b,
            "tan_alpha_t": _radial_share(r_b / circle),
            "pin_circle": circle,
            "pin_radius": place.value(self.pin_radius),
            "offset": place.value(self.offset),
            "shift": place.value(self.shift),
            "turned": ca.SX(0),
            "pitch": 2 * ca.pi * distance,
        }
        return (self.lobes, self.pin_count), numbers

    def _drive(self, number: Any, value: Any, distance: Any) -> Any:
        """The shape of disc and ring, or what is wrong with it."""
        names = ("pin_circle", "pin_radius", "offset", "shift")
        circle, radius, offset, shift = (number(value(getattr(self, name))) for name in names)
        try:
            drive = gears.CycloidDrive(self.lobes, circle, radius, number(distance), offset, shift)
        except gears.GeometryError as error:
            hint = "the eccentricity is the distance of the axes" if "eccentricity" in str(error) else ""
            raise MeshFault(str(error), hint) from None
        if self.model.type == "rigid" and drive.overlap > 1e-6 * radius:
            text = (
                f"the disc overlaps the pins by up to {millimetres(drive.overlap)}, so that it could not turn"
            )
            raise MeshFault(text, "take a larger `offset`, a smaller `shift`, or `model: pins`")
        return drive

    def tooth_shape(self, numbers):
        names = ("pin_circle", "pin_radius", "offset", "shift")
        circle, radius, offset, shift = (numbers.value(getattr(self, name)) for name in names)
        return gears.CycloidDrive(self.lobes, circle, radius, numbers.distance, offset, shift)

    class Equations(ParallelEquations):
        outside = False
        forces: ClassVar = {
            **FORCES,
            "force.normal": ("N", "largest force of a lobe, by arms of equal lobes"),
        }
        units: ClassVar = {"turned": "rad"}
        extras = (
            *("r_a", "r_b", "tan_alpha_t", "pin_circle", "pin_radius", "offset", "shift", "turned"),
            *("pitch", "phase"),
        )

        def no_slip(self, a, b, x):
            return self.rolled(a, b, x["r_a"], -x["r_b"], ca.SX(0))

        def normal_force(self, x, force):
            return (
                4 * ca.fabs(force) * (x["r_b"] - x["r_a"]) / x["r_b"]
            )  # 4 |F_t|/z_p, with e = r_b - r_a = r_b/z_p

        def pin_contacts(self, a, b, x, count):
            """Depth, outward normal of the disc and centre of each pin."""
            R, e = x["pin_circle"] + x["shift"], x["r_b"] - x["r_a"]
            across = ca.horzcat(a.ex, a.ey)
            l = ca.mtimes(across.T, b.p - a.p)
            theta = turn_about_axis(a, b).value
            first, rolled = _u(ca.pi + x["turned"] + theta), _u(count * theta)
            for k in range(count):
                spoke = _turned(first, _u(ca.SX(2 * ca.pi * k / count)))
                Q = l + x["pin_circle"] * spoke

                def at(eta, spoke=spoke, Q=Q):
                    """From the curve to Q, and C' turned back by a right angle, with what C'' is made of."""
                    outward, orbit = _turned(spoke, _u(eta)), _turned(rolled, _u(count * eta))
                    return Q - R * outward - e * orbit, R * outward + e * count * orbit, (outward, orbit)

                eta = ca.SX(0)
                for _ in range(STEPS):
                    away, normal, (outward, orbit) = at(eta)
                    bend = -R * outward - e * count**2 * orbit
                    eta += ca.dot(away, _ahead(normal)) / (ca.dot(normal, normal) - ca.dot(away, bend))
                away, normal, _ = at(eta)
                n = normal / ca.norm_2(normal)
                yield -ca.dot(away, n) - x["offset"], ca.mtimes(across, n), a.p + ca.mtimes(across, Q)


def turned_pin(layout: Layout, name: str) -> ca.SX:
    """Angle of a pin from the pitch point of a mesh, seen from the ring: 0 in the first mesh with its pins."""
    own = layout.meshes[name]
    for other in layout.meshes.values():
        alike = other.mesh.has_pins and other.mesh.has_lobes == own.mesh.has_lobes
        if alike and other.bodies[1] == own.bodies[1] and other.teeth == own.teeth:
            here, there = (layout.in_world(g.bodies[1], g.markers[1]) for g in (own, other))
            across = layout.number(there.position - here.position)
            axis = layout.number(here.axes[:, 2])
            if (
                abs(across - axis * (axis @ across)).max()
                > 1e-9 * layout.number(own.numbers["pin_circle"])[0]
            ):
                continue  # a ring of its own on another axis of the same body
            x = there.axes[:, 0]
            return ca.atan2(ca.dot(here.axes[:, 1], x), ca.dot(here.axes[:, 0], x))
    raise AssertionError(name)


def _radial_share(K: ca.SX) -> ca.SX:
    return ((1 - K * K) * ca.log((1 + K) / (1 - K)) - 2 * K) / (ca.pi * K * K)


def _u(angle: ca.SX) -> ca.SX:
    return ca.vertcat(ca.cos(angle), ca.sin(angle))


def _turned(u: ca.SX, by: ca.SX) -> ca.SX:
    """A vector turned by the angle of a unit vector."""
    return ca.vertcat(u[0] * by[0] - u[1] * by[1], u[0] * by[1] + u[1] * by[0])


def _ahead(u: ca.SX) -> ca.SX:
    """A vector turned by a right angle."""
    return ca.vertcat(-u[1], u[0])
