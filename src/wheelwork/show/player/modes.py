"""Modes of vibration as films of one period, and as pictures: the machine moved, over itself at rest, with arrows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.show.scene import make_scene
from wheelwork.system.attitude import exponential, quaternion_product, rotation_vectors, steps_between

from .film import Film, with_movers
from .render import Painter

if TYPE_CHECKING:
    from wheelwork.analyses.vibration import Mode, Modes

FRAMES = 41
MOVED, TURNED = 0.12, 0.35
"""Largest displacement in radii of the scene, largest rotation in rad."""
ARROW, ARC = 0.3, 1.6
"""Longest arrow in radii of the scene, and longest arc in rad: more than the motion drawn, to be seen."""
LEAST = 0.08
"""Part of the longest from which on arrows are drawn."""
FADED = 0.3


def film_of_mode(modes: Modes, mode: Mode) -> Film:
    """One period of a mode, enlarged.

    With the shape phi and its own eigenvalue i omega: x(t) = x_0 + a Re(phi e^(i omega t)), and rotations alike.
    """
    motion = modes.linear.at.motion
    scene = make_scene(motion)
    shape = _enlarged(modes, mode, scene.radius)
    omega = 2 * np.pi * (mode.natural_frequency or 1.0)
    t = np.linspace(0.0, 2 * np.pi / omega, FRAMES)
    swing = np.real(np.exp(1j * omega * t)[:, None, None] * shape)
    rate = np.real(1j * omega * np.exp(1j * omega * t)[:, None, None] * shape)
    position = motion.x[0] + swing[:, :, :3]
    orientation = quaternion_product(exponential(swing[:, :, 3:]), np.repeat(motion.e[:1], FRAMES, axis=0))
    rotation = np.zeros_like(position)
    rotation[:-1] = rotation_vectors(steps_between(orientation))
    still = [
        np.repeat(own[:1, len(scene.bodies) :], FRAMES, axis=0) for own in (scene.position, scene.orientation)
    ]
    position, orientation = (
        np.concatenate([own, parts], axis=1)
        for own, parts in zip((position, orientation), still, strict=True)
    )
    scene = replace(scene, t=t, position=position, orientation=orientation)
    return Film(scene, *with_movers(scene, rate[:, :, :3], rotation))


def _enlarged(modes: Modes, mode: Mode, radius: float) -> np.ndarray:
    """The shape (bodies, 6), complex, its largest number real, as large as it is drawn."""
    shape = mode.shape.reshape(len(modes.bodies), 6)
    phase = shape.flat[int(np.argmax(np.abs(shape)))]
    shape = shape * (np.conj(phase) / (abs(phase) or 1.0))
    size = max(
        float(np.abs(shape[:, :3]).max(initial=0.0)) / (MOVED * radius),
        float(np.abs(shape[:, 3:]).max(initial=0.0)) / TURNED,
        1e-300,
    )
    return shape / size


def picture_of_mode(
    modes: Modes, mode: Mode, size: tuple[int, int], dark: bool
) -> tuple[np.ndarray, list[np.ndarray]]:
    """The machine at the largest motion over itself at rest (height, width, 4), bytes; and arrows, straight ones for
    displacements and arcs for rotations, as pixels (N, 2) along each."""
    film = film_of_mode(modes, mode)
    scene = film.scene
    painter = Painter(film, size, dark=dark)
    moved = painter.picture(0.0).astype(float)
    motion = modes.linear.at.motion
    count = len(modes.bodies)
    # the same film, one frame of which is the machine at rest
    position, orientation = scene.position.copy(), scene.orientation.copy()
    position[0, :count], orientation[0, :count] = motion.x[0], motion.e[0]
    painter.film = replace(film, scene=replace(scene, position=position, orientation=orientation))
    rest = painter.picture(0.0).astype(float)
    back = rest[0, 0]
    both = (np.maximum if dark else np.minimum)(back + FADED * (rest - back), moved)
    drawn = np.any(np.abs(both - back) > 3, axis=2)
    picture = np.dstack([both, np.where(drawn, 255, 0)]).astype(np.uint8)
    return picture, _arrows(painter, np.real(_enlarged(modes, mode, scene.radius)))


def _arrows(painter: Painter, shape: np.ndarray) -> list[np.ndarray]:
    """Of all bodies that move enough."""
    points, _ = painter._world(0.0)
    radius = painter.film.scene.radius
    centers, _ = painter._frames(0.0)
    out = []
    for k, moved in enumerate(shape):
        way, turn = painter.turned @ moved[:3], painter.turned @ moved[3:]
        own = points[painter.bodies == k]
        middle = (own.min(axis=0) + own.max(axis=0)) / 2 if len(own) else centers[k]
        if np.linalg.norm(way) > LEAST * MOVED * radius:
            out.append(middle + np.outer(np.linspace(0, 1, 12), way * (ARROW / MOVED)))
        if np.linalg.norm(turn) > LEAST * TURNED:
            out.append(_arc(own - middle, turn, painter.eye[2], radius) + middle)
    return [painter.screen(painter.seen(path)) for path in out]


def _arc(solid: np.ndarray, turn: np.ndarray, eye: np.ndarray, radius: float) -> np.ndarray:
    """Around a body's middle, on the side of the eye, from its top on, as it turns."""
    angle = float(np.linalg.norm(turn))
    axis = turn / angle
    height = solid @ axis
    reach = np.linalg.norm(solid - np.outer(height, axis), axis=1).max(initial=0.1 * radius)
    face = (height.max(initial=0.0) if axis @ eye > 0 else height.min(initial=0.0)) * axis
    up = np.array([0.0, 0.0, 1.0]) - axis[2] * axis
    if np.linalg.norm(up) < 0.1:
        up = np.cross(axis, eye)
    up /= np.linalg.norm(up)
    along = np.linspace(-0.5, 0.5, 24) * ARC * angle / TURNED
    return face + 0.85 * reach * (np.outer(np.cos(along), up) + np.outer(np.sin(along), np.cross(axis, up)))
