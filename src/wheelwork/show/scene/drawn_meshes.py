"""The meshes of a motion in numbers, at the given position: where their wheels are, how large, and with which teeth.

Where tooth numbers are not given, plausible ones are chosen: whole numbers with the ratio of the radii, one for all
meshes of a wheel, the smallest of a train with 17 or more; where that would take more than 400, there are none. A bevel
mesh without a face width gets a quarter of the cone distance. Both are reported in the notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.layout import layout_of
from wheelwork.layout.meshes import MeshGeometry
from wheelwork.layout.teeth import MeshNumbers, mesh_teeth
from wheelwork.system.motion import Motion

if TYPE_CHECKING:
    from wheelwork.layout.teeth import ToothShape

FEWEST, MOST = 17, 400
"""Teeth that are chosen: of the smallest wheel at least, of the largest at most."""
BEVEL_WIDTH = 0.25
"""Face width over cone distance in the middle of the face, where none is given."""


@dataclass(frozen=True)
class DrawnWheel:
    """One wheel of a mesh.

    body: name; teeth: z, 0 of a rack
    point, axes: of its marker in the body, about the centre of mass; z along the axis, of a rack along the pinion's
    centre, turned: the same in the world at the given position
    radius: pitch radius [m], infinite for a rack; helix: beta [rad] where that is not in the pair
    """

    body: str
    teeth: int
    point: np.ndarray
    axes: np.ndarray
    centre: np.ndarray
    turned: np.ndarray
    radius: float
    helix: float = 0.0


@dataclass(frozen=True)
class DrawnMesh:
    """A mesh.

    pair: its teeth; None where it has none, `why_not` says why
    contact: the pitch point in the world [m]; pitch: [m], in the section in which both wheels have the same
    width: face width as given, or 0; place: of a tooth of wheel a (`layout.phases`), where the motion depends on it [m]
    """

    name: str
    mesh: Any
    wheels: tuple[DrawnWheel, DrawnWheel]
    pair: ToothShape | None
    why_not: str
    contact: np.ndarray
    pitch: float
    width: float
    place: float | None
    pressure_angle: float
    teeth: list[np.ndarray] | None = None
    """Directions of a tooth of each wheel (of a rack a point) in the world, where the phase of the mesh is given."""


def drawn_meshes(motion: Motion) -> tuple[list[DrawnMesh], list[str]]:
    """All meshes but belts and those of pins, and notes on what was assumed."""
    flat = motion.program.flat
    if not any(_has_wheels(placed.element) for placed in flat.meshes.values()):
        return [], []
    finder = _MeshSites(motion)
    return finder.sites(), finder.notes


def _has_wheels(mesh: Any) -> bool:
    return mesh.wheels_touch and not mesh.has_pins


class _MeshSites:
    def __init__(self, motion: Motion):
        self.motion, self.flat = motion, motion.program.flat
        self.layout = layout_of(self.flat)
        self.geometries = {name: g for name, g in self.layout.meshes.items() if _has_wheels(g.mesh)}
        self.teeth = self.layout.teeth_at(motion.numbers.parameters)
        self.notes: list[str] = []

    def sites(self) -> list[DrawnMesh]:
        chosen = self._chosen()
        return [self._site(name, geometry, chosen.get(name)) for name, geometry in self.geometries.items()]

    def _numbers(self, expression: Any) -> np.ndarray:
        return self.teeth.number(expression)

    def _one(self, expression: Any) -> float:
        return float(self._numbers(expression)[0])

    # -- one mesh

    def _site(self, name: str, geometry: MeshGeometry, chosen: tuple[int, int] | None) -> DrawnMesh:
        placed = self.flat.meshes[name]
        mesh: Any = placed.element
        changed: dict[str, Any] = {}
        if chosen is not None:
            rack = mesh.b_is_rack
            changed["teeth"] = chosen[0] if rack else chosen
            geometry = replace(geometry, teeth=chosen)
            words = f"{chosen[0]} teeth" if rack else f"{chosen[0]} and {chosen[1]} teeth"
            self.notes.append(f"Mesh `{name}` has no tooth numbers; it is shown with {words}.")
        width = self.teeth.value(name, getattr(mesh, "face_width", 0.0))
        if geometry.cone_angles is not None and width == 0:
            cone = self._numbers(geometry.cone_angles[0])[0]
            width = BEVEL_WIDTH * self._one(geometry.radii[0]) / float(np.sin(cone))
            changed["face_width"] = width
            self.notes.append(f"Mesh `{name}` has no face width; it is shown with {1e3 * width:.3g} mm.")
        found = self.teeth.teeth(name)
        if changed:
            other = replace(placed, element=mesh.model_copy(update=changed))
            found = mesh_teeth(MeshNumbers(self.layout, other, geometry, self.teeth.values))
        counts = geometry.teeth
        helices = self._helices(geometry)
        sides = [self._wheel(geometry, k, counts[k], helices[k]) for k in (0, 1)]
        place = None
        if mesh.model.Equations is not None and mesh.has_path:
            pitch = self._one(geometry.numbers["pitch"])
            place = (self.teeth.phase(name) - self.teeth.start(name)) * pitch
        return DrawnMesh(
            name,
            mesh,
            (sides[0], sides[1]),
            found.pair,
            found.why_not,
            self._numbers(geometry.contact),
            2 * np.pi * sides[0].radius * float(np.cos(helices[0])) / max(counts[0], 1),
            width,
            place,
            self.teeth.value(name, getattr(mesh, "pressure_angle", 0.0)),
            self.teeth.given_teeth(name),
        )

    def _helices(self, geometry: MeshGeometry) -> tuple[float, float]:
        """beta of worm and crossed wheels, whose teeth agree in the normal section; 0 for others."""
        if not geometry.mesh.Equations.slides:
            return 0.0, 0.0
        values = {name: self._one(value) for name, value in geometry.numbers.items()}
        a, b = (float(np.arctan2(values[f"sin_beta_{s}"], values[f"cos_beta_{s}"])) for s in "ab")
        return a, b

    def _wheel(self, geometry: MeshGeometry, side: int, teeth: int, helix: float) -> DrawnWheel:
        body = geometry.bodies[side]
        record = self._numbers(geometry.markers[side])
        point, axes = record[:3], record[3:12].reshape(3, 3)
        program, state = self.motion.program, self.motion.numbers.state
        index = program.body_index(body)
        if index < 0:
            centre, turned = point, axes
        else:
            x, R = program.space.poses(program.coordinates(state)[index])
            centre, turned = x + R @ point, R @ axes
        return DrawnWheel(body, teeth, point, axes, centre, turned, self._one(geometry.radii[side]), helix)

    # -- teeth that are not given

    def _chosen(self) -> dict[str, tuple[int, int]]:
        known: dict[tuple[Any, ...], Fraction] = {}
        open_meshes: dict[str, tuple[tuple[Any, ...], tuple[Any, ...], Fraction | None]] = {}
        for name, geometry in self.geometries.items():
            mesh: Any = self.flat.meshes[name].element
            keys = self._key(geometry, 0), self._key(geometry, 1)
            if not mesh.takes_teeth() or mesh.model.plain:
                continue
            if mesh.has_teeth:
                for key, z in zip(keys, geometry.teeth, strict=True):
                    known.setdefault(key, Fraction(z))
            else:
                ratio = None if mesh.b_is_rack else Fraction(geometry.teeth[1], geometry.teeth[0])
                open_meshes[name] = (*keys, ratio)
        return chosen_teeth(open_meshes, known)

    def _key(self, geometry: MeshGeometry, side: int) -> tuple[Any, ...]:
        """Wheels of a body on one axis with one radius are one wheel."""
        record, radius = self._numbers(geometry.markers[side]), self._one(geometry.radii[side])
        if not np.isfinite(radius):
            return geometry.bodies[side], "rack"
        z = record[3:12].reshape(3, 3)[:, 2]
        foot = record[:3] - z * (z @ record[:3])
        inside = geometry.mesh.b_is_ring and side == 1
        return geometry.bodies[side], inside, *np.round(np.append(foot, radius) / (1e-6 * radius)).tolist()


def chosen_teeth(
    meshes: Mapping[str, tuple[Any, Any, Fraction | None]], known: Mapping[Any, Fraction]
) -> dict[str, tuple[int, int]]:
    """Teeth of meshes that have none: by name wheel a, wheel b and z_b/z_a (None for a rack); `known` wheels keep them.

    >>> chosen_teeth({"m": ("a", "b", Fraction(5, 2))}, {})
    {'m': (18, 45)}
    """
    out: dict[str, tuple[int, int]] = {}
    left = dict(meshes)
    while left:
        start = next((n for n, (a, b, _) in left.items() if a in known or b in known), next(iter(left)))
        teeth = {key: z for key, z in known.items() if key in left[start][:2]}
        if not teeth:
            teeth[left[start][0]] = Fraction(1)
        free = not any(key in known for key in teeth)
        train: list[str] = []
        while found := next((n for n, (a, b, _) in left.items() if a in teeth or b in teeth), None):
            a, b, ratio = left.pop(found)
            train.append(found)
            if ratio is not None:
                teeth.setdefault(a, known.get(a, teeth[b] / ratio if b in teeth else Fraction(1)))
                teeth.setdefault(b, known.get(b, teeth[a] * ratio))
        _settle(train, meshes, teeth, free, out)
    return out


def _settle(
    train: list[str],
    meshes: Mapping[str, tuple[Any, Any, Fraction | None]],
    teeth: dict[Any, Fraction],
    free: bool,
    out: dict[str, tuple[int, int]],
) -> None:
    """Whole numbers for one train, if there are any that fit."""
    if free:
        common = Fraction(lcm(*(z.denominator for z in teeth.values())))
        common /= gcd(*(int(z * common) for z in teeth.values()))
        teeth = {key: z * common for key, z in teeth.items()}
        more = ceil(FEWEST / min(teeth.values()))
        teeth = {key: z * more for key, z in teeth.items()}
    for name in train:
        a, b, ratio = meshes[name]
        z_a, z_b = teeth[a], Fraction(0) if ratio is None else teeth[b]
        fits = ratio is None or z_b == z_a * ratio
        whole = z_a.denominator == z_b.denominator == 1
        if fits and whole and max(z_a, z_b) <= MOST and z_a >= 3:
            out[name] = int(z_a), int(z_b)
