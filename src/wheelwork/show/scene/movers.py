"""Parts of a picture that move by themselves, in the plane of a wheel: links of a chain, teeth of a flexspline."""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.layout import layout_of
from wheelwork.system.attitude import euler_parameters, quaternion_product
from wheelwork.system.motion import Motion


def movers_of(motion: Motion) -> int:
    """How many there are in the picture of a motion."""
    flat = motion.program.flat
    links = sum(chain_of(motion, name).count for name in flat.meshes if is_chain(motion, name))
    gears: list[Any] = [placed.element for placed in flat.forces.values() if placed.element.has_flexspline]
    return links + sum(gear.teeth[0] for gear in gears)


def is_chain(motion: Motion, name: str) -> bool:
    return motion.program.flat.meshes[name].element.has_links  # type: ignore[attr-defined]


def chain_of(motion: Motion, name: str) -> Any:
    """Its geometry at the given position."""
    layout = layout_of(motion.program.flat)
    teeth, geometry = layout.teeth_at(motion.numbers.parameters), layout.meshes[name]
    pitch, distance = (float(teeth.number(one)[0]) for one in (geometry.numbers["pitch"], geometry.distance))
    return geometry.mesh.drive(pitch, distance)


def marker_over_time(motion: Motion, body: int, record: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Origin (N, 3) and axes (N, 3, 3) of a marker in the world."""
    frame = motion.frames[:, body]
    R = frame[:, 3:12].reshape(-1, 3, 3)
    return frame[:, :3] + R @ record[:3], R @ record[3:12].reshape(3, 3)


def poses(
    origin: np.ndarray, axes: np.ndarray, points: np.ndarray, angles: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Positions (N, K, 3) and Euler parameters (N, K, 4) of parts in a plane that moves.

    origin: (N, 3), axes: (N, 3, 3), of the plane, z at a right angle to it; points: (N, K, 2) and angles (N, K) in it
    """
    position = origin[:, None, :] + np.einsum("nij,nkj->nki", axes[:, :, :2], points)
    own = np.array([euler_parameters(R) for R in axes])
    spin = np.stack([np.cos(angles / 2), 0 * angles, 0 * angles, np.sin(angles / 2)], axis=-1)
    return position, quaternion_product(np.broadcast_to(own[:, None, :], spin.shape), spin)


def counted(motion: Motion, angles: np.ndarray, speeds: np.ndarray) -> np.ndarray:
    """Angles (N) over any number of turns, from principal values and the speeds at which they change."""
    step = np.diff(motion.t) * (speeds[1:] + speeds[:-1]) / 2
    change = np.diff(angles)
    change = change + 2 * np.pi * np.round((step - change) / (2 * np.pi))
    return angles[0] + np.concatenate([[0.0], np.cumsum(change)])
