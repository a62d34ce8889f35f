"""Strain-wave gears as they run: an oval wave generator, a flexspline whose teeth it bends outward, a circular spline.

With the pitch radii r_f and r_c = r_f + d, a tooth of the flexspline that stands at the angle a before it is bent is
moved, as on a ring that does not stretch, by

    d cos(2 (a - phi_w)) outward,   -(d/2) sin(2 (a - phi_w)) along,   and turned by (3 d/(2 r_f)) sin(2 (a - phi_w))

so that teeth are in mesh at both ends of the long axis, and pass each other at those of the short one. At the given
position a tooth stands in a gap at the angle zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.layout import layout_of
from wheelwork.system.motion import Motion

from .cams import plate
from .movers import marker_over_time, poses
from .pin_drives import PinSolid, perforated
from .scene import COLORS, GROUND, STEEL, ScenePart
from .solids import Solid, directions, evenly, joined, lofted, tube

if TYPE_CHECKING:
    from .builder import SceneBuilder

RADIUS = 0.05
"""Pitch radius of a circular spline that has none, m."""
WIDTH = 0.35
"""Of the teeth over the pitch radius."""
HIGH = 0.8
"""Half height of a tooth over d: those of both splines just pass each other at the short axis."""


def strain_waves(motion: Motion) -> list[StrainWavePicture]:
    """All of a mechanism."""
    forces = motion.program.flat.forces
    return [StrainWavePicture(motion, name) for name, one in forces.items() if one.element.has_flexspline]


class StrainWavePicture:
    """One gear."""

    def __init__(self, motion: Motion, name: str):
        self.motion, self.name = motion, name
        layout = layout_of(motion.program.flat)
        placed = layout.flat.forces[name]
        self.gear: Any = placed.element
        place, values = layout.place(placed), motion.numbers.parameters
        axes = place.axes_along(self.gear.axis)
        middle = layout.bodies[self.gear.wave_generator].frame.position
        self.bodies = [self.gear.wave_generator, self.gear.flexspline, self.gear.circular_spline]
        self.records = [layout.number(place.world_marker(b, middle, axes), values) for b in self.bodies]
        given = self.gear.radius
        self.outer = RADIUS if given is None else float(layout.number(place.value(given), values)[0])
        z_f, z_c = self.gear.teeth
        self.inner = self.outer * z_f / z_c
        self.lift = self.outer - self.inner
        self.high = HIGH * self.lift
        self.shell = max(2 * self.lift, 0.02 * self.outer)

    @property
    def notes(self) -> list[str]:
        if self.gear.radius is not None:
            return []
        return [f"Strain-wave gear `{self.name}` has no `radius`; it is shown with {1e3 * RADIUS:g} mm."]

    def solids(self) -> list[PinSolid]:
        """Wave generator, bottom of the cup, and circular spline, fixed to their bodies."""
        wide = WIDTH * self.outer
        angle = evenly(180)
        reach = self.inner + self.lift * np.cos(2 * angle) - self.high - self.shell
        oval = reach[:, None] * directions(angle)
        cup = tube(self.inner - self.high, 0.3 * self.inner, 0.15 * wide, 60).placed((0, 0, -0.6 * wide))
        parts = [perforated(oval, np.zeros((0, 2)), 0.0, 0.3 * self.inner, 0.8 * wide), cup, self._ring(wide)]
        labels = [
            self.bodies[0],
            f"{self.bodies[1]} z={self.gear.teeth[0]}",
            f"{self.bodies[2]} z={self.gear.teeth[1]}",
        ]
        return [
            PinSolid(
                self.motion.program.body_index(body),
                solid.placed(record[:3], record[3:12].reshape(3, 3)),
                label,
            )
            for body, record, solid, label in zip(self.bodies, self.records, parts, labels, strict=True)
        ]

    def _ring(self, wide: float) -> Solid:
        """Circular spline with a gap at the angle zero."""
        count = self.gear.teeth[1]
        turns = 2 * np.pi / count * (np.arange(count)[:, None] + np.array([-0.32, -0.2, 0.2, 0.32]))
        radii = self.outer + self.high * np.array([-1, 1, 1, -1])
        inside = (radii * np.exp(1j * turns)).ravel()
        outside = 1.15 * self.outer * np.exp(1j * np.angle(inside))
        low, high = -wide / 2, wide / 2
        rings = ((outside, low), (outside, high), (inside, high), (inside, low))
        lines = [np.column_stack([np.real(x), np.imag(x), np.full(len(x), z)]) for x, z in rings]
        return lofted(lines, closed=True)

    def tooth(self) -> Solid:
        """A tooth with its piece of the wall, along x outward from the pitch line."""
        wide, pitch = WIDTH * self.outer, 2 * np.pi * self.inner / self.gear.teeth[0]
        low, high = -self.high, self.high
        wall = [(low - self.shell, -0.54), (low - self.shell, 0.54), (low, 0.54), (low, -0.54)]
        tooth = [(low, -0.3), (high, -0.16), (high, 0.16), (low, 0.3)]
        return joined(
            [plate(np.array([(x, y * pitch) for x, y in outline]), wide) for outline in (wall, tooth)]
        )

    def teeth(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (N, teeth, 3) and Euler parameters (N, teeth, 4) of those of the flexspline."""
        motion = self.motion
        (_, wave), (_, flex), (origin, axes) = (
            marker_over_time(motion, motion.program.body_index(body), record)
            for body, record in zip(self.bodies, self.records, strict=True)
        )
        phi_w, phi_f = (
            np.arctan2(*(np.einsum("ni,ni->n", own[:, :, 0], axes[:, :, k]) for k in (1, 0)))
            for own in (wave, flex)
        )
        own = phi_f[:, None] + 2 * np.pi * np.arange(self.gear.teeth[0]) / self.gear.teeth[0]
        bent = 2 * (own - phi_w[:, None])
        out, along = self.inner + self.lift * np.cos(bent), -self.lift / 2 * np.sin(bent)
        radial = directions(own)
        ahead = np.stack([-np.sin(own), np.cos(own)], axis=-1)
        points = out[..., None] * radial + along[..., None] * ahead
        return poses(origin, axes, points, own + 1.5 * self.lift / self.inner * np.sin(bent))

    def add_to(self, builder: SceneBuilder) -> None:
        scene = builder.scene
        names = [f"{self.name}.tooth.{k + 1}" for k in range(self.gear.teeth[0])]
        first, solid = scene.add_movers(names, *self.teeth()), self.tooth()
        body = self.motion.program.body_index(self.gear.flexspline)
        paint = STEEL if body == GROUND else COLORS[body % len(COLORS)]
        scene.parts += [ScenePart(first + k, solid, "wheel", label, paint) for k, label in enumerate(names)]
        scene.notes += self.notes
