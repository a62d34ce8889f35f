"""The toothed wheels of a mechanism, from its meshes: each with its teeth, fixed to its body, in the right phase.

A body may have several wheels, and a wheel several meshes: it is the same where axis, teeth and their size are the same
and the widths overlap. Its teeth are then the thinner ones that the meshes give it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wheelwork.gears import (
    BasicRack,
    BevelPair,
    CrossedPair,
    CycloidDrive,
    Gear,
    GearPair,
    GeometryError,
    RackPair,
    WormPair,
)
from wheelwork.gears.outline import half_tooth
from wheelwork.system.motion import Motion

from .bevel import BevelWheel
from .cylindrical import twist
from .drawn_meshes import DrawnMesh, DrawnWheel, drawn_meshes
from .screw import ScrewSurface
from .tooth_phases import at_start, teeth_of_wheels

Teeth = Gear | RackPair | BevelWheel | ScrewSurface
MOST_TEETH = 2000
"""Wheels with more are shown by pitch discs: their teeth could not be seen, and would fill the memory."""
DEFAULT_WIDTH = 10.0
"""Face width in modules where nothing gives it."""


@dataclass
class Wheel:
    """A wheel.

    body: index, -1 for ground
    point, axes: of its frame in the body, about the centre of mass: z along its axis; of a rack x along the pitch line,
        y towards the pinion
    teeth: their shape; None for a plain pitch disc (`radius`); ring: whether it is around its mates
    angle: of the middle of a tooth about z from x, in the plane of the frame [rad]; of a rack its x [m]
    width: face width as given by a mesh, or 0 [m]; heights: of the meshes' planes over the frame [m]
    meshes: their names
    """

    body: int
    point: np.ndarray
    axes: np.ndarray
    teeth: Teeth | None
    radius: float
    ring: bool = False
    angle: float = 0.0
    width: float = 0.0
    heights: list[float] = field(default_factory=lambda: [0.0])
    meshes: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Number of teeth; 0 of racks and discs."""
        return 0 if self.teeth is None or isinstance(self.teeth, RackPair) else round(self.teeth.teeth)

    @property
    def module(self) -> float:
        """A length to measure the wheel by [m]"""
        if isinstance(self.teeth, RackPair):
            return self.teeth.a.module
        if isinstance(self.teeth, ScrewSurface):
            return self.teeth.height
        return self.radius / 10 if self.teeth is None else self.teeth.module

    @property
    def slope(self) -> float:
        """Turn of the section with the height over the frame [rad/m]; of a rack its shift [1]"""
        if isinstance(self.teeth, Gear):
            return twist(self.teeth)
        if isinstance(self.teeth, RackPair):
            return float(np.tan(self.teeth.a.helix_angle))
        return self.teeth.slope if isinstance(self.teeth, ScrewSurface) else 0.0


@dataclass
class Wheels:
    """All wheels of a mechanism, and notes on what was assumed or does not fit."""

    wheels: list[Wheel]
    notes: list[str]

    def of(self, body: int) -> list[Wheel]:
        return [wheel for wheel in self.wheels if wheel.body == body]


def find_wheels(motion: Motion) -> Wheels:
    """The wheels of all meshes, their teeth standing so that they mesh at all times."""
    sites, notes = drawn_meshes(motion)
    found = Wheels([], notes)
    pairs = []
    for site in sites:
        shapes = _shapes(site, found.notes)
        pairs.append(tuple(_add(found.wheels, motion, site, side, shapes[side]) for side in (0, 1)))
    _phase(found, sites, pairs)
    return found


def _shapes(site: DrawnMesh, notes: list[str]) -> tuple[Teeth | None, Teeth | None]:
    """Teeth of wheel a and wheel b."""
    pair = site.pair
    assert not isinstance(pair, CycloidDrive), "drawn by pin_drives"
    if pair is None:
        notes.append(f"Mesh `{site.name}` is shown by pitch discs without teeth: {site.why_not}.")
        return None, None
    try:
        most = max(wheel.teeth for wheel in site.wheels)
        if most > MOST_TEETH:
            raise GeometryError(
                f"a wheel has {most} teeth, more than the {MOST_TEETH} up to which they are drawn"
            )
        if isinstance(pair, GearPair):
            both: tuple[Teeth, Teeth] = pair.a, pair.b
        elif isinstance(pair, RackPair):
            both = pair.a, pair
        elif isinstance(pair, BevelPair):
            both = BevelWheel.of(pair, 0), BevelWheel.of(pair, 1)
        else:
            both = _skew(site, pair, 0), _skew(site, pair, 1)
        for teeth in both:
            gear = teeth.virtual if isinstance(teeth, BevelWheel) else teeth
            if isinstance(gear, Gear):
                half_tooth(gear)  # says what is wrong with them
        return both
    except GeometryError as error:
        notes.append(f"Mesh `{site.name}` is shown by pitch discs without teeth: {error}.")
        return None, None


def _skew(site: DrawnMesh, pair: WormPair | CrossedPair, side: int) -> Teeth:
    """A helical gear with its fillets where it can be one, else a screw."""
    wheel = site.wheels[side]
    module = pair.normal_module if isinstance(pair, WormPair) else pair.module
    rack = BasicRack(site.pressure_angle)
    if wheel.teeth >= 5 and abs(wheel.helix) < np.radians(59):
        return Gear(wheel.teeth, module, rack=rack, helix_angle=wheel.helix)
    return ScrewSurface(
        wheel.teeth, wheel.radius, wheel.helix, site.pressure_angle, rack.addendum * module, 1.2 * module
    )


def _add(wheels: list[Wheel], motion: Motion, site: DrawnMesh, side: int, teeth: Teeth | None) -> int:
    """The number of the wheel, which is new or known from another mesh."""
    at = site.wheels[side]
    body = motion.program.body_index(at.body)
    point, axes = at.point, at.axes
    if isinstance(teeth, BevelWheel):
        # the frame of a bevel wheel has the apex as its origin
        point = point - axes[:, 2] * teeth.middle
    radius = at.radius if teeth is None or not isinstance(teeth, RackPair) else np.inf
    ring = site.mesh.b_is_ring and side == 1
    new = Wheel(body, point, axes, teeth, radius, ring, width=site.width, meshes=[site.name])
    for k, other in enumerate(wheels):
        if _same(other, new):
            other.width = max(other.width, new.width)
            other.heights.append(_height(other, new.point))
            other.meshes.append(site.name)
            if isinstance(other.teeth, Gear) and isinstance(teeth, Gear):
                other.teeth = _thinner(other.teeth, teeth)
            return k
    wheels.append(new)
    return len(wheels) - 1


def _height(wheel: Wheel, point: np.ndarray) -> float:
    return float(wheel.axes[:, 2] @ (point - wheel.point))


def _same(one: Wheel, other: Wheel) -> bool:
    if one.body != other.body or type(one.teeth) is not type(other.teeth) or one.ring != other.ring:
        return False
    scale = 1e-5 * max(one.module, 1e-9)
    away = other.point - one.point
    across = away - one.axes[:, 2] * (one.axes[:, 2] @ away)
    if isinstance(one.teeth, RackPair):
        line = one.axes[:, 0]
        same_line = (
            np.linalg.norm(away - line * (line @ away) - one.axes[:, 2] * _height(one, other.point)) < scale
        )
        facing = one.axes[:, 1] @ other.axes[:, 1] > 1 - 1e-9
        return bool(same_line and facing) and _alike(one, other)
    if np.linalg.norm(across) > scale or abs(one.axes[:, 2] @ other.axes[:, 2]) < 1 - 1e-9:
        return False
    if isinstance(one.teeth, BevelWheel):
        near = np.linalg.norm(away) < scale and one.axes[:, 2] @ other.axes[:, 2] > 0
        return bool(near) and _alike(one, other)
    reach = (max(one.width, DEFAULT_WIDTH * one.module) + max(other.width, DEFAULT_WIDTH * one.module)) / 2
    return bool(abs(_height(one, other.point)) < reach) and _alike(one, other)


def _alike(one: Wheel, other: Wheel) -> bool:
    """Whether the teeth are the same but for their allowances."""
    a: Any = one.teeth.a if isinstance(one.teeth, RackPair) else one.teeth
    b: Any = other.teeth.a if isinstance(other.teeth, RackPair) else other.teeth
    if a is None or b is None:
        return abs(one.radius - other.radius) < 1e-6 * one.radius
    names = {
        Gear: ("module", "helix_angle", "profile_shift"),
        BevelWheel: ("cone_angle", "outer", "spiral"),
        ScrewSurface: ("radius", "helix_angle"),
    }[type(a)]
    count = isinstance(one.teeth, RackPair) or a.teeth == b.teeth
    return count and bool(
        np.allclose([getattr(a, n) for n in names], [getattr(b, n) for n in names], 1e-6, 1e-9)
    )


def _thinner(a: Gear, b: Gear) -> Gear:
    return a.with_(
        thickness_allowance=min(a.thickness_allowance, b.thickness_allowance),
        tip_alteration=min(a.tip_alteration, b.tip_alteration),
    )


def _phase(found: Wheels, sites: list[DrawnMesh], pairs: list[tuple[int, ...]]) -> None:
    """Put the teeth of all wheels where they belong."""
    meshes, names, given, known = [], [], {}, {}
    for site, (a, b) in zip(sites, pairs, strict=True):
        if found.wheels[a].teeth is None:
            continue
        offsets = tuple(_offset(found.wheels[k], wheel) for k, wheel in zip((a, b), site.wheels, strict=True))
        meshes.append(at_start(site, (a, b), (offsets[0], offsets[1])))
        names.append(site.name)
        if site.teeth is not None:
            for side, (number, tooth) in enumerate(zip((a, b), site.teeth, strict=True)):
                known[str(number)] = meshes[-1].in_plane_of_wheel(side, tooth)
        elif site.place is not None:
            given[site.name] = site.place
    teeth, unfit = teeth_of_wheels(meshes, names, given, known)
    for site, (a, b) in zip(sites, pairs, strict=True):
        for number, at in zip((a, b), site.wheels, strict=True):
            if str(number) in teeth:
                _turn(found.wheels[number], at, teeth.pop(str(number)))
    for name in unfit:
        found.notes.append(
            f"The teeth of mesh `{name}` run into each other: its wheels cannot be put in between the other meshes of "
            "their train (the assembly condition of planetary gears, for instance)."
        )


def _offset(wheel: Wheel, site: DrawnWheel) -> float:
    """Angle about the mesh's axis from its plane to that of the wheel's frame; of a rack the shift along it."""
    if isinstance(wheel.teeth, BevelWheel):
        return 0.0
    sense = 1.0 if isinstance(wheel.teeth, RackPair) else float(np.sign(wheel.axes[:, 2] @ site.axes[:, 2]))
    return -wheel.slope * _height(wheel, site.point) * sense


def _turn(wheel: Wheel, site: DrawnWheel, tooth: np.ndarray) -> None:
    """The angle of a tooth, from its direction (of a rack its point) in the world at the given position."""
    in_body = site.axes @ (
        site.turned.T @ (tooth - site.centre if isinstance(wheel.teeth, RackPair) else tooth)
    )
    if isinstance(wheel.teeth, RackPair):
        wheel.angle = float(wheel.axes[:, 0] @ (in_body + site.point - wheel.point))
        return
    x, y = wheel.axes[:, :2].T @ in_body
    wheel.angle = float(np.arctan2(y, x))
