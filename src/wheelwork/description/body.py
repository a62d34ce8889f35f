"""Rigid bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Tag

from wheelwork.description.base import Element, Evaluate, Issue, Value
from wheelwork.description.body_geometry import MassProperties, Pieces, Tensor, together
from wheelwork.description.geometry import principal_moments
from wheelwork.description.orientation import Orientation
from wheelwork.description.shapes import AnyShape
from wheelwork.description.values import (
    LARGEST_NUMBER,
    ORIGIN,
    SMALLEST_MASS,
    Angle,
    AngularVelocity,
    Density,
    Inertia,
    Mass,
    OutOfPlane,
    Point,
    Vector,
    Velocity,
)

Row = tuple[Inertia, Inertia, Inertia]
Moments = Annotated[Row, Vector("about")]


def _inertia_form(given: Any) -> str:
    matrix = isinstance(given, list | tuple) and any(isinstance(row, list | tuple) for row in given)
    return "type=matrix" if matrix else "type=diagonal"


class Body(Element):
    """Rigid body. Mass and inertia are given, or follow from `shape` or `geometry` with `density` or `mass`.

    What is given explicitly wins: a body with mass and inertia uses its shape and geometry for pictures only. Where
    both are given, the mass is that of the shape, and the geometry is what is shown.

    Fields:
        mass [kg]: greater than zero
        inertia [kg m^2]: about the centre of mass in body axes: three principal moments, or a symmetric 3x3 matrix;
            in a planar mechanism the moment about z alone
        center_of_mass [m]: in the body frame; where left out its origin, or that of the geometry where mass or inertia
            follow from it
        shape: solid centred on the centre of mass, its axes along the body's
        geometry: files of a CAD program (STL, OBJ, GLB, DAE, STEP) and simple solids, placed in the body frame; the
            name of a file, a mapping, or a list of these
        density [kg/m^3]: of the shape, or of the geometry
        position [m]: of the body frame's origin at the start
        orientation: of the body frame at the start
        angle [rad]: of the body frame at the start about z, in a planar mechanism instead of `orientation`
        velocity [m/s]: of the body frame's origin at the start; where left out it follows from what else is given
        angular_velocity [rad/s]: at the start, in the axes of the mechanism; in a planar mechanism one number, about z;
            where left out it follows from what else is given
        affected_by_gravity: false leaves its weight out
    """

    collection: ClassVar[str] = "bodies"
    noun: ClassVar[str] = "body"

    type: Literal["body"] = "body"
    mass: Mass | None = None
    inertia: Annotated[
        Annotated[Moments, Tag("type=diagonal")] | Annotated[tuple[Row, Row, Row], Tag("type=matrix")],
        Discriminator(_inertia_form),
    ] | None = None  # fmt: skip
    center_of_mass: Point | None = None
    shape: AnyShape | None = None
    geometry: Pieces = ()
    density: Density | None = None
    position: Point = ORIGIN
    orientation: Orientation = Orientation()
    angle: Angle | None = None
    velocity: Velocity | None = None
    angular_velocity: AngularVelocity | None = None
    affected_by_gravity: bool = True
    positive = ("mass", "density")

    def mass_properties(self, value: Callable[[Value], Any]) -> tuple[Any, Tensor]:
        """Mass [kg] and inertia tensor [kg m^2] about the centre of mass in body axes.

        `value` turns a field into a number, be it a float or a symbol.
        """
        mass = None if self.mass is None else value(self.mass)
        tensor = None if self.inertia is None else _tensor(self.inertia, value)
        if self.shape is not None and (mass is None or tensor is None):
            if mass is None:
                density = value(self.density) if self.density is not None else None
            else:
                density = mass / self.shape.volume(value)
            if density is None:
                raise ValueError("a body needs a mass, or a shape with a density")
            shape_mass, (xx, yy, zz) = self.shape.mass_properties(density, value)
            mass = shape_mass if mass is None else mass
            tensor = ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz)) if tensor is None else tensor
        elif self.weighs_geometry:
            whole = self.of_geometry(value)
            mass, tensor = whole.mass if mass is None else mass, whole.tensor if tensor is None else tensor
        if mass is None or tensor is None:
            raise ValueError("a body needs mass and inertia, or a shape or geometry with density or mass")
        return mass, tensor

    @property
    def weighs_geometry(self) -> bool:
        """Whether mass or inertia follow from the geometry."""
        return bool(self.geometry) and self.shape is None and (self.mass is None or self.inertia is None)

    def center(self, value: Callable[[Value], Any]) -> tuple[Any, Any, Any]:
        """Centre of mass [m] in the body frame; `value` as for `mass_properties`."""
        if self.center_of_mass is None and self.weighs_geometry:
            return self.of_geometry(value).center
        x, y, z = (value(number) for number in self.center_of_mass or ORIGIN)
        return x, y, z

    def of_geometry(self, value: Callable[[Value], Any]) -> MassProperties:
        """Mass, centre and inertia of the geometry, with the body's mass where that is given.

        ValueError where it has no volume, or neither density nor mass are known.
        """
        own = None if self.density is None else value(self.density)
        given = [own if piece.density is None else value(piece.density) for piece in self.geometry]
        looks_only = [isinstance(piece.density, float) and piece.density == 0 for piece in self.geometry]
        if self.mass is not None and all(
            rho is None or bare for rho, bare in zip(given, looks_only, strict=True)
        ):
            given = [1.0] * len(given)
        counted = [None if bare else rho for rho, bare in zip(given, looks_only, strict=True)]
        if all(looks_only) or None in [rho for rho, bare in zip(given, looks_only, strict=True) if not bare]:
            raise ValueError("a body needs a mass, or a geometry with a density")
        whole = together(self.geometry, counted, value)
        if self.mass is None:
            return whole
        mass = value(self.mass)
        rows = [tuple(mass / whole.mass * x for x in row) for row in whole.tensor]
        return MassProperties(mass, whole.center, (rows[0], rows[1], rows[2]))  # type: ignore[arg-type]

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        solid = "shape" if self.shape else "geometry" if self.geometry else ""
        dense = self.density is not None or (
            solid == "geometry" and all(piece.density is not None for piece in self.geometry)
        )
        if self.mass is None and not (solid and dense):
            hint = (
                f"give `density` with the {solid}, or `mass`"
                if solid
                else "give `mass`, or `shape` with `density`"
            )
            yield Issue("mass", "the body has no mass", hint)
        if self.inertia is None and not solid:
            yield Issue(
                "inertia", "the body has no inertia", "give `inertia`, or a `shape` from which it follows"
            )
        if self.density is not None and not self.geometry:  # beside a geometry `check` compares the two
            if not self.shape:
                yield Issue("density", "has no effect without `shape` or `geometry`", "leave it out")
            elif self.mass is not None:
                text = "the mass is given twice: by `mass` and by the `density` of the shape"
                yield Issue("density", text, "give one or the other")
        yield from self._geometry_issues(value)
        if self.inertia is not None:
            yield from _inertia_issues(self.inertia, value)
        yield from self._size_issues(value)

    def _geometry_issues(self, value: Evaluate) -> Iterator[Issue]:
        """Pieces of the geometry, and whether those that are weighed have a volume."""
        for k, piece in enumerate(self.geometry):
            yield from (one._replace(field=f"geometry.{k}.{one.field}") for one in piece.all_issues(value))
            looks_only = isinstance(piece.density, float) and piece.density == 0
            if self.weighs_geometry and piece.why_no_volume and not looks_only:
                hint = "repair it in the CAD program; or give `mass` and `inertia`; or `density: 0`, for looks only"
                text = f"`{piece.file or 'geometry'}` has no volume to take mass and inertia from"
                yield Issue(f"geometry.{k}.file", f"{text}: {piece.why_no_volume}", hint)

    def _size_issues(self, value: Evaluate) -> Iterator[Issue]:
        """Mass and moments, of a shape too, must be such that one can divide by them."""

        def known(given: Value) -> float:
            number = value(given)
            if number is None:
                raise ValueError("depends on what is not known yet")
            return number

        try:
            mass, tensor = self.mass_properties(known)
            moments = principal_moments(tensor)
        except ValueError:
            return
        except ArithmeticError:
            mass, moments = 0.0, (0.0, 0.0, 0.0)
        for name, number, unit in (("mass", mass, "kg"), *(("inertia", J, "kg*m^2") for J in moments)):
            given = getattr(self, name) is not None
            if given and number <= 0:  # said above
                return
            if not SMALLEST_MASS <= number <= LARGEST_NUMBER:
                why = f"needs {SMALLEST_MASS:g} to {LARGEST_NUMBER:g} {unit}, but comes out as {number:g} {unit}"
                from_what = "shape" if self.shape is not None else "geometry"
                yield Issue(name if given else from_what, f"the {name} {why}")
                return


def _tensor(inertia: Any, value: Callable[[Value], Any]) -> Tensor:
    if isinstance(inertia[0], tuple):
        rows = [tuple(value(entry) for entry in row) for row in inertia]
        return rows[0], rows[1], rows[2]  # type: ignore[return-value]
    if isinstance(inertia[0], OutOfPlane):  # planar: only the moment about z is known, and only it counts
        zz = value(inertia[2])
        return (zz, 0.0, 0.0), (0.0, zz, 0.0), (0.0, 0.0, zz)
    xx, yy, zz = (value(moment) for moment in inertia)
    return (xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz)


def _inertia_issues(inertia: Any, value: Evaluate) -> Iterator[Issue]:
    """Only a positive definite tensor whose moments can be sides of a triangle belongs to a real body."""
    rows = _tensor(inertia, value)
    flat = [x for row in rows for x in row]
    if any(x is None for x in flat):
        return
    size = max(abs(x) for x in flat)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if abs(rows[i][j] - rows[j][i]) > 1e-9 * size:
            yield Issue(
                "inertia",
                f"must be symmetric, but entry {i + 1},{j + 1} is {rows[i][j]:g} and {j + 1},{i + 1} is {rows[j][i]:g}",
            )
            return
    low, middle, high = principal_moments(rows)
    moments = f"{low:g}, {middle:g} and {high:g} kg*m^2"
    if low <= 0:
        yield Issue("inertia", f"must be positive definite, but its principal moments are {moments}")
    elif low + middle < high * (1 - 1e-6):
        why = "in a real body no principal moment is larger than the sum of the other two"
        yield Issue("inertia", f"no body has the principal moments {moments}: {why}")
