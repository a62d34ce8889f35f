"""Which way is up, and a ball and a floor that hold everything at all times."""

from __future__ import annotations

import numpy as np

from wheelwork.system.motion import Motion

from .scene import GROUND, Scene

SAMPLES = 60
"""Moments that are looked at."""
DIRECTIONS = 98
"""In which the outermost corners of a solid are sought."""


def surround(scene: Scene, motion: Motion) -> None:
    """Settle `up`, `center`, `radius` and `floor` of a scene."""
    pulls = [g for g in motion.numbers.gravity if np.linalg.norm(g) > 0]
    if scene.planar:
        scene.up = np.array([0.0, 1.0, 0.0])
    elif pulls:
        scene.up = -pulls[0] / np.linalg.norm(pulls[0])
    moments = np.unique(np.linspace(0, motion.count - 1, SAMPLES).astype(int))
    points = [np.zeros((0, 3))]
    for part in scene.parts:
        corners = _outermost(part.solid.corners)
        if part.body == GROUND:
            points.append(corners)
        else:
            turned = corners @ motion.R[moments, part.body].transpose(0, 2, 1)
            points.append((turned + scene.position[moments, part.body][:, None, :]).reshape(-1, 3))
    every = np.concatenate(points)
    every = every[np.all(np.isfinite(every), axis=1)]
    if not len(every):
        return
    scene.center = (every.min(axis=0) + every.max(axis=0)) / 2
    scene.radius = float(np.linalg.norm(every - scene.center, axis=1).max()) or 1.0
    scene.floor = float((every @ scene.up).min()) - 0.02 * scene.radius


def _outermost(corners: np.ndarray) -> np.ndarray:
    """The corners of a solid that lie farthest in many directions, evenly over the sphere."""
    if len(corners) <= DIRECTIONS:
        return corners
    k = np.arange(DIRECTIONS) + 0.5
    z, turn = 1 - 2 * k / DIRECTIONS, np.pi * (1 + 5**0.5) * k
    wide = np.sqrt(1 - z * z)
    directions = np.stack([wide * np.cos(turn), wide * np.sin(turn), z])
    return corners[np.unique(np.argmax(corners @ directions, axis=0))]
