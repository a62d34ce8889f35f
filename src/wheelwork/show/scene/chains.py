r"""Roller chains as they run: sprockets with their teeth, and every link where it is.

Rollers are numbered along the chain. Those on a sprocket sit in its seats, those of a strand stand a pitch apart on a
straight line, or on an arc of a circle where the strand is longer than straight: downwards, or outwards where nothing
weighs. As a turns in the positive sense the rollers of the left strand come into its seats one after another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.gears import ChainDrive
from wheelwork.gears.chain import ROLLER, Sprockets
from wheelwork.layout import layout_of
from wheelwork.system.motion import Motion

from .cams import plate
from .movers import chain_of, counted, is_chain, marker_over_time, poses
from .pin_drives import PinSolid, perforated
from .scene import ScenePart
from .solids import Solid, cylinder, directions, joined, turned_by

if TYPE_CHECKING:
    from .builder import SceneBuilder

STEEL_OF_LINKS = ("#8d949e", "#5b626c")
"""Inner and outer links."""


def sprockets(motion: Motion) -> list[PinSolid]:
    """Of all chains, with a seat where a roller is."""
    out = []
    for name, geometry in layout_of(motion.program.flat).meshes.items():
        if is_chain(motion, name):
            chain = _Chain(motion, name)
            for side, body in enumerate(geometry.bodies):
                label = f"{body} z={chain.drive.teeth[side]}"
                out.append(PinSolid(motion.program.body_index(body), chain.sprocket(side), label))
    return out


class Chains:
    """Adds the links of chains to a scene."""

    def __init__(self, builder: SceneBuilder):
        self.builder, self.motion = builder, builder.motion

    def build(self) -> None:
        scene = self.builder.scene
        for name in layout_of(self.motion.program.flat).meshes:
            if not is_chain(self.motion, name):
                continue
            chain = _Chain(self.motion, name)
            names = [f"{name}.link.{k + 1}" for k in range(chain.drive.count)]
            first = scene.add_movers(names, *chain.links())
            for k, label in enumerate(names):
                kind = k % 2
                solid = chain.link(outer=bool(kind))
                scene.parts.append(ScenePart(first + k, solid, "body", label, STEEL_OF_LINKS[kind]))
            if chain.drive.slack[1] > 0:
                scene.notes.append(
                    f"The slack strand of `{name}` is drawn as an arc; its own weight is left out."
                )


class _Chain:
    def __init__(self, motion: Motion, name: str):
        self.motion = motion
        layout = layout_of(motion.program.flat)
        teeth = layout.teeth_at(motion.numbers.parameters)
        self.geometry: Any = layout.meshes[name]
        self.drive: ChainDrive = chain_of(motion, name)
        self.records = [teeth.number(record) for record in self.geometry.markers]
        self.seats = [float(teeth.number(self.geometry.numbers[f"seat_{k}"])[0]) for k in "ab"]
        given = self.geometry.mesh.roller_diameter
        self.pitch = self.drive.pitch
        self.roller = ROLLER * self.pitch if given is None else teeth.value(name, given)
        self.width = ROLLER * self.pitch

    # -- solids in the frames of their markers

    def sprocket(self, side: int) -> Solid:
        curve = self.drive.outline(side, self.roller)
        R = self.drive.circles[side]
        solid = perforated(curve, np.zeros((0, 2)), 0.0, 0.25 * R, 0.9 * self.width)
        record = self.records[side]
        return solid.placed(record[:3], record[3:12].reshape(3, 3) @ turned_by(self.seats[side]))

    def link(self, outer: bool) -> Solid:
        """From the roller at the origin along x; inner links have their two rollers."""
        p = self.pitch
        angle = np.radians(np.linspace(60, 300, 11))
        end = np.vstack([0.37 * p * directions(angle), [0.5 * p, -0.24 * p]])  # plates have a waist
        curve = np.vstack([end, [p, 0] - end])
        thick = 0.12 * p
        away = self.width / 2 + thick * (1.6 if outer else 0.55)
        parts = [plate(curve, thick).placed((0, 0, z)) for z in (-away, away)]
        radius, length = (
            (0.3 * self.roller, 2 * away + 1.6 * thick) if outer else (self.roller / 2, self.width)
        )
        parts += [cylinder(radius, length, 16, toned=False).placed((x, 0, 0)) for x in (0, p)]
        return joined(parts)

    # -- motion

    def links(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (N, links, 3) and Euler parameters (N, links, 4)."""
        motion = self.motion
        bodies = [motion.program.body_index(name) for name in self.geometry.bodies]
        (p_a, A), (p_b, B) = (
            marker_over_time(motion, body, record) for body, record in zip(bodies, self.records, strict=True)
        )
        z = A[:, :, 2]
        l = p_b - p_a
        l = l - z * np.sum(l * z, axis=1, keepdims=True)
        distance = np.linalg.norm(l, axis=1)
        x = l / distance[:, None]
        axes = np.stack([x, np.cross(z, x), z], axis=2)
        angles = [
            seat + np.arctan2(*(np.einsum("ni,ni->n", own[:, :, 0], axes[:, :, k]) for k in (1, 0)))
            for seat, own in zip(self.seats, (A, B), strict=True)
        ]
        spins = [np.einsum("ni,ni->n", motion.frames[:, body, 15:18], z) for body in bodies]
        angles = [counted(motion, angle, spin) for angle, spin in zip(angles, spins, strict=True)]
        gravity = next((g for g in motion.numbers.gravity if np.linalg.norm(g) > 0), None)
        down = None if gravity is None else np.einsum("i,nij->nj", gravity, axes)[:, :2]
        rollers = self._rollers(angles[0], angles[1], distance, down)
        ahead = np.roll(rollers, -1, axis=1) - rollers
        return poses(p_a, axes, rollers, np.arctan2(ahead[..., 1], ahead[..., 0]))

    def _rollers(
        self, a: np.ndarray, b: np.ndarray, distance: np.ndarray, down: np.ndarray | None
    ) -> np.ndarray:
        """Of all links (N, links, 2), in axes with a at the origin and x towards b; the next one is the next link's."""
        wheels = Sprockets(self.drive.teeth, self.pitch, distance)
        left, right = wheels.strand(a, b, 1), wheels.strand(a, b, -1)
        count, p = self.drive.count, self.pitch
        spare = self.drive.slack[1] / 2
        over = left.length + spare - p * np.floor((left.length + spare) / p + 0.5) - spare
        out = np.empty((len(a), count, 2))
        for n in range(len(a)):
            i, j = (
                (int(left.seat_a[n]), int(right.seat_a[n]) + wheels.teeth[0]),
                (int(left.seat_b[n]), int(right.seat_b[n])),
            )
            links = [round((left.length[n] - over[n]) / p), 0]
            links[1] = count - (i[1] - i[0]) - (j[0] - j[1]) - links[0]
            place = _SprocketPositions(
                wheels, (float(a[n]), float(b[n])), float(distance[n]), None if down is None else down[n]
            )
            (first, on_b, over_left), (last_b, last, over_right) = (
                place.strand(0, (i[0], j[0]), links[0]),
                place.strand(1, (j[1], i[1]), links[1]),
            )
            around = np.concatenate(
                [
                    place.seats(0, np.arange(last, first, -1)),
                    over_left,
                    place.seats(1, np.arange(on_b, last_b, -1)),
                    over_right,
                ]
            )
            # the first entry is the roller with the number `last`, the next ones have smaller numbers
            out[n, (np.arange(count) - last) % count] = around
        return out


class _SprocketPositions:
    """Two sprockets at one moment; angles: of a seat on each; down: which way weight pulls, None where nothing does."""

    def __init__(
        self, wheels: Sprockets, angles: tuple[float, float], distance: float, down: np.ndarray | None
    ):
        self.wheels, self.angles, self.distance, self.down = wheels, angles, distance, down

    def seats(self, wheel: int, numbers: np.ndarray | int) -> np.ndarray:
        angle = self.angles[wheel] + np.asarray(numbers) * 2 * np.pi / self.wheels.teeth[wheel]
        return np.array([wheel * self.distance, 0.0]) + self.wheels.circles[wheel] * directions(angle)

    def strand(self, start: int, ends: tuple[int, int], links: int) -> tuple[int, int, np.ndarray]:
        """Numbers of the seats at its ends, and its rollers without the last; start: the wheel at which it begins.

        A strand that hangs through leaves the seats where it is in line with a side of the polygon.
        """
        wheels = (start, 1 - start)
        for _ in range(3):
            rollers, bulge, normal = self._hung(wheels, ends, links)
            found = [
                end
                + round(
                    _wrapped(normal + turn - self._angle(wheel, end)) * self.wheels.teeth[wheel] / (2 * np.pi)
                )
                for wheel, end, turn in zip(wheels, ends, (bulge, -bulge), strict=True)
            ]
            if bulge == 0 or found == [*ends]:
                return *ends, rollers
            links += (found[0] - ends[0]) - (found[1] - ends[1])
            ends = found[0], found[1]
        return *ends, self._hung(wheels, ends, links)[0]

    def _hung(
        self, wheels: tuple[int, int], ends: tuple[int, int], links: int
    ) -> tuple[np.ndarray, float, float]:
        """Rollers, the angle by which they begin beside the straight line, and the direction to the left of that."""
        p, q = (self.seats(wheel, number) for wheel, number in zip(wheels, ends, strict=True))
        along = q - p
        return *_hanging(p, q, links, self.wheels.pitch, self.down), np.arctan2(
            along[1], along[0]
        ) + np.pi / 2

    def _angle(self, wheel: int, number: int) -> float:
        return self.angles[wheel] + number * 2 * np.pi / self.wheels.teeth[wheel]


def _hanging(
    start: np.ndarray, end: np.ndarray, links: int, pitch: float, down: np.ndarray | None
) -> tuple[np.ndarray, float]:
    """Rollers (links, 2) of a strand from `start` on, without that at its end: straight, or on an arc of a circle; and
    the angle by which it begins to the left of the straight line."""
    chord = end - start
    length = float(np.linalg.norm(chord))
    along, left = chord / length, np.array([-chord[1], chord[0]]) / length
    if length >= links * pitch * (1 - 1e-12):
        return start + np.arange(links)[:, None] / links * chord, 0.0
    out = 1.0 if down is None or abs(down @ left) < 1e-9 else float(np.sign(down @ left))
    low, high = 0.0, 2 * np.pi / links  # angle of a link as seen from the middle of the arc
    for _ in range(50):
        turn = (low + high) / 2
        reach = np.sin(links * turn / 2) / np.sin(turn / 2)
        low, high = (turn, high) if reach * pitch > length else (low, turn)
    headings = (links - 1) / 2 * low - low * np.arange(links)
    steps = pitch * (np.cos(headings)[:, None] * along + out * np.sin(headings)[:, None] * left)
    return start + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)[:-1]]), out * links / 2 * low


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2 * np.pi) - np.pi)
