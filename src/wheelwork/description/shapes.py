"""Simple solids: mass and moments of inertia from shape and density.

Every shape is centred on its centroid, which is also the origin of the body frame unless `center_of_mass` says
otherwise. The formulas are plain arithmetic, so they work on floats and on symbolic numbers alike.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue, Part, Value
from wheelwork.description.union import ByType
from wheelwork.description.values import Length

Moments = tuple[Any, Any, Any]


class Shape(Part):
    """A solid with a volume and, for density 1, moments of inertia. See `base` for how to add one."""

    def volume(self, value: Callable[[Value], Any]) -> Any:
        """Volume in m^3."""
        return self.mass_properties(1.0, value)[0]

    @abstractmethod
    def mass_properties(self, density: Any, value: Callable[[Value], Any]) -> tuple[Any, Moments]:
        """Mass [kg] and the moments of inertia (Ixx, Iyy, Izz) [kg m^2] about the centroid."""

    def _smaller(self, value: Evaluate, small: str, large: str) -> Iterator[Issue]:
        given = getattr(self, small), getattr(self, large)
        if None in given:
            return
        a, b = value(given[0]), value(given[1])
        if a is not None and b is not None and a >= b:
            yield Issue(small, f"must be smaller than `{large}` ({b:g} m), but is {a:g} m")


class _Round(Shape):
    """A shape with an axis of revolution.

    Fields:
        axis: body axis it is round about, `x`, `y` or `z`
    """

    axis: Literal["x", "y", "z"] = "z"

    def _about(self, axial: Any, transverse: Any) -> Moments:
        moments = [transverse, transverse, transverse]
        moments["xyz".index(self.axis)] = axial
        return moments[0], moments[1], moments[2]


def tube_properties(density: Any, outer: Any, inner: Any, length: Any) -> tuple[Any, Any, Any]:
    """Mass, axial and transverse moment of a hollow cylinder about its centre.

    m = rho pi (R^2 - r^2) l;  I_axial = m (R^2 + r^2) / 2;  I_transverse = m (3 (R^2 + r^2) + l^2) / 12
    """
    mass = density * math.pi * (outer * outer - inner * inner) * length
    squares = outer * outer + inner * inner
    return mass, mass * squares / 2, mass * (3 * squares + length * length) / 12


class _SolidRound(_Round):
    """A cylinder; `along` names the field that is its length."""

    along: ClassVar[str] = "length"
    if TYPE_CHECKING:
        radius: Length

    def mass_properties(self, density: Any, value: Callable[[Value], Any]) -> tuple[Any, Moments]:
        length = value(getattr(self, self.along))
        mass, axial, transverse = tube_properties(density, value(self.radius), 0.0, length)
        return mass, self._about(axial, transverse)


class Cylinder(_SolidRound):
    """Solid cylinder.

    Fields:
        radius [m]: radius
        length [m]: along the axis
    """

    type: Literal["cylinder"] = "cylinder"
    radius: Length
    length: Length
    positive = ("radius", "length")


class Disc(_SolidRound):
    """Solid disc: a cylinder described by its thickness.

    Fields:
        radius [m]: radius
        thickness [m]: along the axis
    """

    type: Literal["disc"] = "disc"
    along: ClassVar[str] = "thickness"
    radius: Length
    thickness: Length
    positive = ("radius", "thickness")


class Tube(_Round):
    """Hollow cylinder.

    Fields:
        outer_radius [m]: radius outside
        inner_radius [m]: radius inside, smaller
        length [m]: along the axis
    """

    type: Literal["tube"] = "tube"
    outer_radius: Length
    inner_radius: Length
    length: Length
    positive = ("outer_radius", "inner_radius", "length")

    def mass_properties(self, density: Any, value: Callable[[Value], Any]) -> tuple[Any, Moments]:
        outer, inner = value(self.outer_radius), value(self.inner_radius)
        mass, axial, transverse = tube_properties(density, outer, inner, value(self.length))
        return mass, self._about(axial, transverse)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from self._smaller(value, "inner_radius", "outer_radius")


class Box(Shape):
    """Rectangular block.

    Fields:
        size [m]: edge lengths along body x, y and z
    """

    type: Literal["box"] = "box"
    size: tuple[Length, Length, Length]
    positive = ("size",)

    def mass_properties(self, density: Any, value: Callable[[Value], Any]) -> tuple[Any, Moments]:
        a, b, c = (value(edge) for edge in self.size)
        mass = density * a * b * c
        return mass, (mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12)


class Sphere(Shape):
    """Solid ball.

    Fields:
        radius [m]: radius
    """

    type: Literal["sphere"] = "sphere"
    radius: Length
    positive = ("radius",)

    def mass_properties(self, density: Any, value: Callable[[Value], Any]) -> tuple[Any, Moments]:
        r = value(self.radius)
        mass = density * (4 / 3 * math.pi) * r * r * r
        moment = mass * r * r * 0.4
        return mass, (moment, moment, moment)


class GearBlank(_Round):
    """Gear body: a disc of the pitch radius with a bore and, where given, a hub; teeth and gaps even out.

    The hub is centred on the disc; its length is measured over both sides. Disc and hub are two hollow cylinders, one
    from `hub_radius` to `pitch_radius`, one from `bore_radius` to `hub_radius`.

    Fields:
        pitch_radius [m]: radius of the disc
        face_width [m]: thickness of the disc
        bore_radius [m]: radius of the hole, 0 for none
        hub_radius [m]: outer radius of the hub; needs `hub_length`
        hub_length [m]: whole length of the hub
    """

    type: Literal["gear_blank"] = "gear_blank"
    pitch_radius: Length
    face_width: Length
    bore_radius: Length = 0.0
    hub_radius: Length | None = None
    hub_length: Length | None = None
    positive = ("pitch_radius", "face_width", "hub_radius", "hub_length")
    not_negative = ("bore_radius",)

    def mass_properties(self, density: Any, value: Callable[[Value], Any]) -> tuple[Any, Moments]:
        outer, width, bore = value(self.pitch_radius), value(self.face_width), value(self.bore_radius)
        if self.hub_radius is None or self.hub_length is None:
            mass, axial, transverse = tube_properties(density, outer, bore, width)
            return mass, self._about(axial, transverse)
        hub = value(self.hub_radius)
        disc = tube_properties(density, outer, hub, width)
        core = tube_properties(density, hub, bore, value(self.hub_length))
        return disc[0] + core[0], self._about(disc[1] + core[1], disc[2] + core[2])

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from self._smaller(value, "bore_radius", "pitch_radius")
        yield from self._smaller(value, "hub_radius", "pitch_radius")
        yield from self._smaller(value, "bore_radius", "hub_radius")
        if (self.hub_radius is None) != (self.hub_length is None):
            missing = "hub_radius" if self.hub_radius is None else "hub_length"
            yield Issue(missing, "`hub_radius` and `hub_length` go together; this one is missing")


AnyShape = Annotated[Cylinder | Tube | Box | Sphere | Disc | GearBlank, ByType()]
