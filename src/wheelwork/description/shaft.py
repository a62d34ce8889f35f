"""Shafts: what turns together on one axis, with its sections, wheels and bearings each at a distance along it.

A shaft stands for a `Body` whose mass, centre and inertia are those of its sections and wheels, for an attachment frame
at each wheel, and for a joint or an elastic `bearing` at each bearing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from wheelwork.description.base import SPATIAL, Element, Evaluate, Issue, Part, Ref, Value
from wheelwork.description.body import Body
from wheelwork.description.body_geometry import Geometry
from wheelwork.description.connection import Connection
from wheelwork.description.expansion import (
    BEARING,
    Expansion,
    Parts,
    along,
    plus,
    times,
    turn_z_to,
    unit_vector,
)
from wheelwork.description.formula import Formula
from wheelwork.description.frame import Frame
from wheelwork.description.names import GROUND, name_fault
from wheelwork.description.registry import find
from wheelwork.description.shapes import Cylinder, Tube
from wheelwork.description.values import (
    ORIGIN,
    X_AXIS,
    AngularSpeed,
    Axis,
    Damping,
    Density,
    Length,
    Point,
    Stiffness,
    TorsionalDamping,
    TorsionalStiffness,
)
from wheelwork.problems import listed

STEEL = 7850.0
"""kg/m^3."""
STIFFNESSES = ("radial_stiffness", "axial_stiffness", "tilt_stiffness")
DAMPINGS = ("radial_damping", "axial_damping", "tilt_damping")
# What a body has as signals: no wheel or bearing can be called so.
SIGNALS = {
    "position", "velocity", "acceleration", "orientation", "angle", "w", "alpha", "angular_acceleration",
}  # fmt: skip


class ShaftSection(Part):
    """A piece of a shaft, which begins where the one before ends.

    Fields:
        length [m]: along the axis
        diameter [m]: outside
        bore [m]: diameter of the hole, 0 for none
    """

    length: Length
    diameter: Length
    bore: Length = 0.0
    positive = ("length", "diameter")
    not_negative = ("bore",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from _bore_issues(self.bore, self.diameter, value)


class ShaftWheel(Part):
    """A wheel on a shaft, and the place of it that meshes, joints and forces name: `input.pinion`.

    Fields:
        at [m]: where its middle is, from the beginning of the shaft
        diameter [m]: of a disc with its mass, for teeth the pitch diameter; a place without mass where left out
        width [m]: of the disc
        bore [m]: diameter of its hole: that of the shaft inside, which counts twice where the wheel has none
        density [kg/m^3]: that of the shaft where left out
    """

    at: Length
    diameter: Length | None = None
    width: Length | None = None
    bore: Length = 0.0
    density: Density | None = None
    positive = ("diameter", "width", "density")
    not_negative = ("bore",)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if (self.diameter is None) != (self.width is None):
            missing = "width" if self.width is None else "diameter"
            yield Issue(
                missing, f"`{missing}` is missing: a disc has `diameter` and `width`", "or leave out both"
            )
        elif self.diameter is not None:
            yield from _bore_issues(self.bore, self.diameter, value)


class ShaftBearing(Part):
    """A bearing of a shaft: rigid, or with stiffness, as the force `bearing` has it.

    Fields:
        at [m]: where it is, from the beginning of the shaft
        locating: whether it holds the shaft along its axis too; of rigid bearings the first does where none says so
        radial_stiffness [N/m]: across the axis; rigid where no stiffness is given
        axial_stiffness [N/m]: along the axis
        tilt_stiffness [N m/rad]: against tilt
        radial_damping [N s/m]: across the axis
        axial_damping [N s/m]: along the axis
        tilt_damping [N m s/rad]: against tilt
    """

    at: Length
    locating: bool | None = None
    radial_stiffness: Stiffness | None = None
    axial_stiffness: Stiffness | None = None
    tilt_stiffness: TorsionalStiffness | None = None
    radial_damping: Damping | None = None
    axial_damping: Damping | None = None
    tilt_damping: TorsionalDamping | None = None
    positive = STIFFNESSES
    not_negative = DAMPINGS

    @property
    def rigid(self) -> bool:
        return all(getattr(self, name) is None for name in STIFFNESSES)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if not self.rigid and self.locating is not None:
            yield Issue("locating", "an elastic bearing holds along the axis by its `axial_stiffness`")
        damped = [name for name in DAMPINGS if getattr(self, name) is not None]
        if self.rigid and damped:
            yield Issue(damped[0], f"`{damped[0]}` is of elastic bearings", "give `radial_stiffness` too")


class Shaft(Element):
    """A shaft on an axis of its own: sections, wheels and bearings, each placed by its distance along the axis.

    It stands for a `Body` of the same name, of steel unless `density` says otherwise, for an attachment frame at each
    wheel, and for its bearings: without `bearings` a revolute joint `<name>.bearing`; else one rigid locating bearing
    (`spherical`) and floating ones (`point_on_line`), or elastic ones.

    Fields:
        position [m]: where the shaft begins, on its axis
        axis [1]: its direction from there, any length; numbers only; x where left out
        sections: pieces of the shaft, one after another
        wheels: wheels on it by name; meshes name them, as `input.pinion`
        bearings: its bearings by name; `input.left` is a joint, or a force where it is elastic
        housing: body in which the bearings sit
        density [kg/m^3]: of the sections, and of wheels that have none
        speed [rad/s]: about the axis at the start; where left out it follows from what else is given
    """

    collection: ClassVar[str] = "bodies"
    noun: ClassVar[str] = "shaft"
    kinds = frozenset({SPATIAL})
    instead = "use a `rotor`, or a body with a revolute joint"

    type: Literal["shaft"] = "shaft"
    position: Point = ORIGIN
    axis: Axis = X_AXIS
    sections: tuple[ShaftSection, ...]
    wheels: dict[str, ShaftWheel] = Field(default_factory=dict)
    bearings: dict[str, ShaftBearing] = Field(default_factory=dict)
    housing: Annotated[str, Ref("body")] = GROUND
    density: Density = STEEL
    speed: AngularSpeed | None = None
    positive = ("density",)

    # -- what is wrong with it

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        if not self.sections:
            yield Issue(
                "sections", "a shaft needs at least one section", "such as {length: 100 mm, diameter: 30 mm}"
            )
        if any(isinstance(component, Formula) for component in self.axis):
            yield Issue(
                "axis", "the axis of a shaft is made of numbers, not formulas", "use a body and joints"
            )
        for name in (*self.wheels, *self.bearings):
            field = f"wheels.{name}" if name in self.wheels else f"bearings.{name}"
            fault = name_fault(name)
            if fault or name in SIGNALS:
                yield Issue(field, fault or f"`{name}` is a signal of bodies", "give it another name")
            elif name in self.wheels and name in self.bearings:
                yield Issue(
                    field, f"a wheel and a bearing are called `{name}`", "give one of them another name"
                )
        yield from self._bearing_issues()
        yield from self._place_issues(value)

    def _bearing_issues(self) -> Iterator[Issue]:
        locating = [name for name, one in self.bearings.items() if one.locating]
        if len(self.bearings) == 1:
            why = "one bearing alone does not hold the axis of a shaft"
            yield Issue("bearings", why, "give two, or none for an ideal one")
        elif len(locating) > 1:
            why = f"{listed(locating)} all hold the shaft along its axis: how they share its thrust is not known"
            yield Issue(
                f"bearings.{locating[1]}.locating", why, "let one of them be locating, or give stiffnesses"
            )
        elif self.bearings and all(one.rigid and one.locating is False for one in self.bearings.values()):
            yield Issue("bearings", "no bearing holds the shaft along its axis", "let one be `locating`")

    def _place_issues(self, value: Evaluate) -> Iterator[Issue]:
        lengths = [value(section.length) for section in self.sections]
        if None in lengths:
            return
        total = sum(x for x in lengths if x is not None)
        for group, entries in (("wheels", self.wheels), ("bearings", self.bearings)):
            for name, entry in entries.items():
                at = value(entry.at)
                if at is not None and not -1e-9 * total <= at <= total * (1 + 1e-9):
                    why = f"is not on the shaft, which ends at {total:g} m, but at {at:g} m"
                    yield Issue(f"{group}.{name}.at", why, "`at` counts from the beginning of the shaft")

    # -- what it stands for

    def parts(self) -> Parts:
        """Its wheels are frames, its bearings joints or forces."""
        found: Parts = {name: ("frames", "frame") for name in self.wheels}
        locating = self._locating()
        for name, one in self.bearings.items():
            rigid = ("joints", "spherical" if name == locating else "point_on_line")
            found[name] = rigid if one.rigid else ("forces", "bearing")
        return found if self.bearings else {**found, BEARING: ("joints", "revolute")}

    def _locating(self) -> str | None:
        """The rigid bearing that holds the shaft along its axis; none where elastic ones do."""
        chosen = [name for name, one in self.bearings.items() if one.locating]
        if chosen or any(one.axial_stiffness is not None for one in self.bearings.values()):
            return chosen[0] if chosen else None
        return next((n for n, one in self.bearings.items() if one.rigid and one.locating is None), None)

    def expand(self, name: str, kind: str, meshed: frozenset[str] = frozenset()) -> Expansion:
        """meshed: places that meshes name: their wheels are drawn with teeth"""
        n = unit_vector(self.axis)
        body = Body(
            geometry=tuple(self._pieces(name, n, meshed)),
            position=self.position,
            angular_velocity=None if self.speed is None else along(n, self.speed),
            comment=self.comment,
        )
        z_to_axis = turn_z_to(n)
        frames = {
            wheel: Frame(body=name, position=along(n, one.at), orientation=z_to_axis)
            for wheel, one in self.wheels.items()
        }
        held: dict[str, dict[str, Connection]] = {"joints": {}, "forces": {}}
        for bearing, what in self.parts().items():
            if what[0] != "frames":
                held[what[0]][bearing] = self._bearing(name, bearing, what, n)
        return Expansion(body, held["joints"], frames, held["forces"])

    def _pieces(self, name: str, n: list[float], meshed: frozenset[str]) -> Iterator[Geometry]:
        orientation, begin = turn_z_to(n), 0.0
        for section in self.sections:
            middle = plus(begin, _half(section.length))
            piece = _tube(section.length, section.diameter, section.bore, self.density)
            yield piece.model_copy(update={"position": along(n, middle), "orientation": orientation})
            begin = plus(begin, section.length)
        for wheel, one in self.wheels.items():
            if one.diameter is not None and one.width is not None:
                density = self.density if one.density is None else one.density
                piece = _tube(one.width, one.diameter, one.bore, density)
                place = {"position": along(n, one.at), "orientation": orientation}
                yield piece.model_copy(update={**place, "shown": f"{name}.{wheel}" not in meshed})

    def _bearing(self, name: str, bearing: str, what: tuple[str, str], n: list[float]) -> Connection:
        one = self.bearings.get(bearing)
        point = self.position
        if one is not None:
            x, y, z = (plus(a, b) for a, b in zip(self.position, along(n, one.at), strict=True))
            point = (x, y, z)
        fields = {"bodies": (self.housing, name), "point": point}
        if what[1] != "spherical":
            fields["axis"] = (n[0], n[1], n[2])
        if what[0] == "forces":
            fields |= {x: getattr(one, x) for x in (*STIFFNESSES, *DAMPINGS) if getattr(one, x) is not None}
        return find(*what)(**fields)


def _tube(length: Value, diameter: Value, bore: Value, density: Value) -> Geometry:
    if bore == 0:
        shape: Cylinder | Tube = Cylinder(radius=_half(diameter), length=length)
    else:
        shape = Tube(outer_radius=_half(diameter), inner_radius=_half(bore), length=length)
    return Geometry(shape=shape, density=density)


def _half(value: Value) -> Value:
    return times(0.5, value)


def _bore_issues(bore: Value, diameter: Value, value: Evaluate) -> Iterator[Issue]:
    inner, outer = value(bore), value(diameter)
    if inner is not None and outer is not None and inner >= outer:
        yield Issue("bore", f"must be smaller than `diameter` ({outer:g} m), but is {inner:g} m")
