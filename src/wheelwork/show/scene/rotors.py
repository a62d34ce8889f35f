"""Rotors without wheels: discs sized by inertia, side by side on their axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .scene import GROUND
from .solids import cylinder, joined

if TYPE_CHECKING:
    from .builder import SceneBuilder


class Rotors:
    """Discs for those rotors that have neither wheels (indices in `with_wheels`) nor pins of others beside their axis.

    Where there are wheels or pins, discs are smaller, and stand beside those on the same axis.
    """

    def __init__(self, builder: SceneBuilder, with_wheels: set[int]):
        self.builder, self.program = builder, builder.program
        self.busy = with_wheels | self._carrying()
        self.slots = self._slots()
        self.places: dict[int, np.ndarray] = {}
        """Of the discs that were built, in the world at the start."""

    def build(self, body: int, name: str) -> None:
        if body in self.busy:
            return
        bearing = self.program.joints[self.program.flat.rotors[name]]
        _, (_, point, axes) = self.builder.markers(self.program.constraints[bearing.constraint])
        inertia = self.builder.motion.numbers.inertia
        every = [float(inertia[self.program.bodies.index(n)][0, 0]) for n in self.program.flat.rotors]
        size, (slot, beside) = self.builder.size, self.slots[name]
        scale = 0.4 if beside else 0.6 if self.busy else 1.0
        radius = 0.22 * scale * size * max(0.3, (float(inertia[body][0, 0]) / max(every)) ** 0.25)
        disc = cylinder(radius, 0.12 * scale * size)
        shaft = cylinder(0.03 * scale * size, (0.5 * scale if beside else 0.5) * size, 10, toned=False)
        offset = (0.5 * scale * slot + (0.08 if beside else 0.0)) * size
        at = point + offset * axes[:, 2]
        self.builder.add(body, joined([disc, shaft]).placed(at, axes), "rotor")
        motion = self.builder.motion
        if motion.count:
            self.places[body] = motion.x[0, body] + motion.R[0, body] @ at

    def _carrying(self) -> set[int]:
        """Bodies with a joint to a body that moves, away from their centre of mass."""
        bearings = set(self.program.flat.rotors.values())
        out = set()
        for name, view in self.program.joints.items():
            markers = self.builder.markers(self.program.constraints[view.constraint])
            if name in bearings or any(body == GROUND for body, *_ in markers):
                continue
            out |= {body for body, point, _ in markers if np.linalg.norm(point) > 1e-6 * self.builder.size}
        return out

    def _slots(self) -> dict[str, tuple[int, bool]]:
        """Place along its axis, and whether there are wheels beside it, by name."""
        keys = {name: self._axis(bearing) for name, bearing in self.program.flat.rotors.items()}
        busy = {keys[name] for name in keys if self.program.bodies.index(name) in self.busy}
        taken: dict[tuple[float, ...], int] = {key: 1 for key in busy}
        out = {}
        for name, key in keys.items():
            if self.program.bodies.index(name) not in self.busy:
                out[name] = taken.get(key, 0), key in busy
                taken[key] = taken.get(key, 0) + 1
        return out

    def _axis(self, bearing: str) -> tuple[float, ...]:
        use = self.program.constraints[self.program.joints[bearing].constraint]
        _, point, axes = self.builder.markers(use)[0]
        return tuple(np.round(np.concatenate([point, axes[:, 2]]), 9))
