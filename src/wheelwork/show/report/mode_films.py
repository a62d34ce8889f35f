"""Modes as films: one period of a vibration, large enough to be seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wheelwork.analyses.vibration import Mode, Modes
from wheelwork.show.player.film import Film, exponential
from wheelwork.show.player.player import fragment
from wheelwork.show.scene import make_scene
from wheelwork.system.attitude import quaternion_product

FRAMES = 41
MOVED, TURNED = 0.12, 0.35
"""Largest displacement in radii of the scene, largest rotation in rad."""


def mode_film(modes: Modes, mode: Mode) -> str:
    """The element in which one period of a mode plays.

    With the shape phi and its own eigenvalue i omega: x(t) = x_0 + a Re(phi e^(i omega t)), and rotations alike.
    """
    return fragment(film_of_mode(modes, mode))


def film_of_mode(modes: Modes, mode: Mode) -> Film:
    motion = modes.linear.at.motion
    scene = make_scene(motion)
    shape = mode.shape.reshape(len(modes.bodies), 6)
    phase = shape.flat[int(np.argmax(np.abs(shape)))]
    shape = shape * (np.conj(phase) / (abs(phase) or 1.0))
    size = max(
        float(np.abs(shape[:, :3]).max(initial=0.0)) / (MOVED * scene.radius),
        float(np.abs(shape[:, 3:]).max(initial=0.0)) / TURNED,
        1e-300,
    )
    omega = 2 * np.pi * mode.natural_frequency
    t = np.linspace(0.0, 2 * np.pi / omega, FRAMES)
    swing = np.real(np.exp(1j * omega * t)[:, None, None] * (shape / size))
    rate = np.real(1j * omega * np.exp(1j * omega * t)[:, None, None] * (shape / size))
    position = motion.x[0] + swing[:, :, :3]
    orientation = quaternion_product(exponential(swing[:, :, 3:]), np.repeat(motion.e[:1], FRAMES, axis=0))
    back = orientation[:-1] * np.array([1.0, -1.0, -1.0, -1.0])
    turn = quaternion_product(orientation[1:], back)
    rotation = np.zeros_like(position)
    rotation[:-1] = 2 * turn[..., 1:] * np.where(turn[..., :1] < 0, -1.0, 1.0)  # small angles: sin x = x
    scene = replace(scene, t=t, position=position, orientation=orientation)
    return Film(scene, rate[:, :, :3], rotation)
