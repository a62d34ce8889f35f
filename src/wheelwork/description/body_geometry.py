"""Geometry of bodies: files of CAD programs and simple shapes, for looks, and for mass, centre and inertia."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, model_validator

from wheelwork.description.base import Evaluate, Issue, Part, Value
from wheelwork.description.dimensions import LENGTH
from wheelwork.description.field_marks import ShortForm, fault
from wheelwork.description.formula import Formula
from wheelwork.description.orientation import Orientation
from wheelwork.description.shapes import AnyShape
from wheelwork.description.source import read_bytes
from wheelwork.description.union import PART
from wheelwork.description.units import UnitError, parse_unit
from wheelwork.description.values import ORIGIN, Density, Point
from wheelwork.description.walk import givens
from wheelwork.lazy import cad, dataclass
from wheelwork.problems import ModelError

MILLIMETRE = 1e-3
SMALLEST_GUESSED, LARGEST_GUESSED = 1e-4, 50.0
"""m; a file without a unit that would be smaller or larger is not taken to be in millimetres."""
LARGEST_FILE = 256 * 2**20
"""Bytes."""
Tensor = tuple[tuple[Any, Any, Any], tuple[Any, Any, Any], tuple[Any, Any, Any]]


class GeometryContent(Part):
    """What was read from a file of solids, in its own unit: results keep it, so that they are whole without the file.

    Fields:
        surface: its triangles, compressed, as base64; thinned out where there are very many
        triangles: how many there are in the file
        metres: length of the unit, where the file gives it
        volume: of what the surface encloses, 0 where that is nothing
        center: of that volume
        second_moments: of that volume about its centre: xx, yy, zz, xy, xz, yz
        why_open: why the surface encloses nothing
    """

    model_config = ConfigDict(frozen=True)

    surface: str
    triangles: int = 0
    metres: float | None = None
    volume: float = 0.0
    center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    second_moments: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    why_open: str = ""

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        numbers = (self.metres or 0.0, self.volume, *self.center, *self.second_moments)
        if not all(map(math.isfinite, numbers)):
            yield Issue("volume", "a stored geometry needs finite numbers")
        elif self.volume < 0 or (self.metres is not None and self.metres <= 0):
            yield Issue("volume", "a stored geometry needs a volume and a unit that are not negative")
        try:
            surface_of(self.surface)
        except ValueError as error:
            yield Issue("surface", str(error))


@cache
def surface_of(text: str) -> Any:
    """The triangles of a kept surface, a `cad.TriangleMesh`."""
    return cad.TriangleMesh.unpacked(text)


_read: dict[bytes, GeometryContent] = {}


def content_of_file(data: bytes, name: str) -> GeometryContent:
    """What is kept of a file; the same file is read once. What is wrong with it is a `ModelError`."""
    key = hashlib.sha256(name.encode("utf-8", "surrogateescape") + b"\0" + data).digest()
    if key not in _read:
        found = cad.read_solid(data, name)
        given: dict[str, Any] = {
            "surface": found.mesh.thinned().packed(),
            "triangles": len(found.mesh.triangles),
            "metres": found.metres,
            "why_open": found.why_none,
        }
        if found.moments is not None:
            C = found.moments.second.tolist()
            given |= {
                "volume": float(found.moments.volume),
                "center": tuple(found.moments.center.tolist()),
                "second_moments": (C[0][0], C[1][1], C[2][2], C[0][1], C[0][2], C[1][2]),
            }
        _read[key] = GeometryContent(**given)
    return _read[key]


class PieceSolid(NamedTuple):
    """A piece of density 1 in the body: volume [m^3], centre [m], tensor of inertia about it [m^5]."""

    volume: Any
    center: tuple[Any, Any, Any]
    tensor: Tensor


class _Scale(ShortForm):
    """Marks a field of three factors, which one number may stand for."""

    def read(self, given: Any, keep: Callable[[Any], Any]) -> Any:
        single = isinstance(given, int | float) and not isinstance(given, bool)
        return keep((given,) * 3 if single else given)

    def json_schema(self, inner: Callable[[], Any]) -> dict[str, Any]:
        return {"anyOf": [{"type": "number"}, inner()]}


class _Pieces(ShortForm):
    """Marks a field of pieces: the name of a file, a mapping, or a list of these."""

    def read(self, given: Any, keep: Callable[[Any], Any]) -> Any:
        return keep(tuple({"file": one} if isinstance(one, str) else one for one in as_pieces(given)))

    def json_schema(self, inner: Callable[[], Any]) -> dict[str, Any]:
        one = [{"type": "string", "minLength": 1}, {PART: "Geometry"}]
        return {"anyOf": [*one, {"type": "array", "items": {"anyOf": one}}]}


def as_pieces(given: Any) -> list[Any]:
    """Pieces as they are written, as a list: one alone stands without."""
    return list(given) if isinstance(given, list | tuple) else [] if given is None else [given]


class Geometry(Part):
    """A piece of a body's geometry: a file of a CAD program, or a simple shape.

    STL and OBJ hold numbers without a unit, which are millimetres unless `unit` says otherwise; the other formats tell
    theirs. The file is looked for beside the file that names it.

    Fields:
        file: STL, OBJ, GLB, DAE or STEP
        shape: a simple solid in place of a file
        unit: of the numbers in an STL or OBJ file, such as `m` or `in`
        scale [1]: one factor, or one along each axis of the file; numbers below zero mirror it
        position [m]: of the file's origin, or the shape's centre, in the body frame
        orientation: of the file's or the shape's axes in the body frame; numbers only
        density [kg/m^3]: of this piece, in place of the body's; 0 for a piece that is for looks only
        color: `#rrggbb`; that of the body where left out
        shown: false for a piece that is weighed but not drawn
        content: what was read from the file, where there is no file any more
    """

    model_config = ConfigDict(
        frozen=True, json_schema_extra={"anyOf": [{"required": [x]} for x in ("file", "shape", "content")]}
    )

    file: str | None = None
    shape: AnyShape | None = None
    unit: str | None = None
    scale: Annotated[tuple[float, float, float], _Scale()] = (1.0, 1.0, 1.0)
    position: Point = ORIGIN
    orientation: Orientation = Orientation()
    density: Density | None = None
    color: str | None = None
    shown: bool = True
    content: GeometryContent | None = None
    not_negative = ("density",)

    @model_validator(mode="before")
    @classmethod
    def _from_file(cls, given: Any) -> Any:
        """What is in a file, where there is one: relative names start in the working folder here."""
        if not isinstance(given, dict) or not isinstance(given.get("file"), str):
            return given
        if isinstance(given.get("content"), GeometryContent):
            return given
        if given.get("content") is not None:
            raise fault("has a `file` and a `content`: give one or the other")
        try:
            return {
                **given,
                "content": content_of_file(read_bytes(given["file"], LARGEST_FILE), given["file"]),
            }
        except ModelError as error:
            raise fault("; ".join(str(problem) for problem in error.problems)) from None

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        given = [name for name in ("shape", "content") if getattr(self, name) is not None]
        if len(given) != 1:
            yield Issue("", "a piece of geometry is a `file` or a `shape`: give one of them")
        elif self.shape is not None:
            for name, default in (("unit", None), ("scale", (1.0, 1.0, 1.0))):
                if getattr(self, name) != default:
                    yield Issue(name, f"`{name}` is for files; a shape has sizes of its own")
            yield from (one._replace(field=f"shape.{one.field}") for one in self.shape.all_issues(value))
        else:
            yield from self._unit_issues()
        if not all(math.isfinite(x) and x for x in self.scale):
            yield Issue("scale", f"needs finite numbers that are not zero, but is {list(self.scale)}")
        if any(isinstance(one.value, Formula) for one in givens(self.orientation)):
            yield Issue("orientation", "the orientation of a geometry is made of numbers, not formulas")
        if self.color is not None and not re.fullmatch("#[0-9a-fA-F]{6}", self.color):
            yield Issue("color", f"needs a colour such as `#8899aa`, but is `{self.color}`")

    def _unit_issues(self) -> Iterator[Issue]:
        if self.unit is None:
            size = self.surface().size if self.content is not None and self.content.metres is None else 1.0
            if not SMALLEST_GUESSED <= size <= LARGEST_GUESSED:
                text = f"the numbers of `{self.file or 'the geometry'}` reach over {size / MILLIMETRE:.4g}"
                text += f", as millimetres {size:.4g} m"
                yield Issue(
                    "unit",
                    text,
                    "STL and OBJ files contain no unit: give it, such as `unit: m` or `unit: mm`",
                )
            return
        if self.content is not None and self.content.metres is not None:
            text = f"the file itself gives its unit ({self.content.metres:g} m)"
            yield Issue("unit", text, "leave `unit` out; `scale` makes it larger or smaller")
            return
        try:
            factor, exponents = parse_unit(self.unit)
        except UnitError as error:
            yield Issue("unit", str(error))
            return
        if exponents != LENGTH.exponents or factor <= 0:
            yield Issue("unit", f"needs a unit of length, such as `mm`, but is `{self.unit}`")

    # -- in the body

    @property
    def factors(self) -> tuple[float, float, float]:
        """Metres for each number of the file, along its three axes."""
        metres = None if self.content is None else self.content.metres
        if metres is None:
            metres = MILLIMETRE if self.unit is None else float(parse_unit(self.unit)[0])
        x, y, z = (metres * factor for factor in self.scale)
        return x, y, z

    @property
    def why_no_volume(self) -> str:
        """Why it has no mass of its own, in words; empty where it has one."""
        return "" if self.content is None else self.content.why_open

    def solid(self, value: Callable[[Value], Any]) -> PieceSolid:
        """Its volume with centre and inertia; ValueError where it encloses nothing. `value` as for a body's."""
        if self.why_no_volume:
            raise ValueError(self.why_no_volume)
        R = self.orientation.matrix(_float)
        place = tuple(value(x) for x in self.position)
        if self.shape is not None:
            volume, moments = self.shape.mass_properties(1.0, value)
            return PieceSolid(volume, place, _turned(R, moments))  # type: ignore[arg-type]
        assert self.content is not None
        s, center = self.factors, self.content.center
        size = abs(s[0] * s[1] * s[2])
        xx, yy, zz, xy, xz, yz = self.content.second_moments
        C = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        # second moments of what is stretched by L = diag(s): det(L) L C L^T; then J = tr(C) 1 - C, turned by R
        C = [[size * s[i] * s[k] * C[i][k] for k in range(3)] for i in range(3)]
        trace = C[0][0] + C[1][1] + C[2][2]
        J = [[(trace if i == k else 0.0) - C[i][k] for k in range(3)] for i in range(3)]
        turned = [
            [sum(R[i][a] * J[a][b] * R[k][b] for a in range(3) for b in range(3)) for k in range(3)]
            for i in range(3)
        ]
        at = [place[i] + sum(R[i][k] * s[k] * center[k] for k in range(3)) for i in range(3)]
        return PieceSolid(size * self.content.volume, (at[0], at[1], at[2]), _rows(turned))

    def surface(self) -> Any:
        """Its triangles in metres in the axes of the file, a `cad.TriangleMesh`; of a file alone."""
        assert self.content is not None
        found = surface_of(self.content.surface)
        scaled = cad.TriangleMesh(found.points * self.factors, found.triangles)
        return scaled.turned() if math.prod(self.factors) < 0 else scaled


Pieces = Annotated[tuple[Geometry, ...], _Pieces()]


@dataclass(frozen=True)
class MassProperties:
    """Pieces together: mass [kg], centre [m], tensor of inertia about it [kg m^2], in body axes."""

    mass: Any
    center: tuple[Any, Any, Any]
    tensor: Tensor


def together(
    pieces: Sequence[Geometry], densities: Sequence[Any], value: Callable[[Value], Any]
) -> MassProperties:
    """Of pieces with a density each: Steiner's theorem about the common centre. Those of density None are left out."""
    found = [
        (rho, piece.solid(value)) for rho, piece in zip(densities, pieces, strict=True) if rho is not None
    ]
    masses = [rho * one.volume for rho, one in found]
    mass = sum(masses[1:], masses[0])
    center = [
        sum(m * one.center[i] for m, (_, one) in zip(masses, found, strict=True)) / mass for i in range(3)
    ]
    J: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    for m, (rho, one) in zip(masses, found, strict=True):
        d = [one.center[i] - center[i] for i in range(3)]
        square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
        for i in range(3):
            for k in range(3):
                J[i][k] = J[i][k] + rho * one.tensor[i][k] + m * ((square if i == k else 0.0) - d[i] * d[k])
    return MassProperties(mass, (center[0], center[1], center[2]), _rows(J))


def _turned(R: Sequence[Sequence[float]], moments: Sequence[Any]) -> Tensor:
    return _rows(
        [[sum(R[i][a] * moments[a] * R[k][a] for a in range(3)) for k in range(3)] for i in range(3)]
    )


def _rows(J: Sequence[Sequence[Any]]) -> Tensor:
    return tuple(tuple(row) for row in J)  # type: ignore[return-value]


def _float(given: Value) -> float:
    """Of a field that holds no formula."""
    assert not isinstance(given, Formula)
    return float(given)
