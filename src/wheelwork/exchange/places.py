"""Frames in other frames, as files of robots have them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wheelwork.description.orientation import Orientation
from wheelwork.system import attitude


def from_quaternion(q: np.ndarray) -> np.ndarray:
    """Axes turned by a quaternion of any length; not at all by one of zeros."""
    return attitude.rotation_matrices(q) if np.any(q) else np.eye(3)


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    """Axes turned about a direction; not at all about none."""
    size = np.linalg.norm(axis)
    return attitude.about(axis / size, angle) if size else np.eye(3)


@dataclass(frozen=True)
class LinkPlace:
    """A frame in another: origin and axes (columns)."""

    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axes: np.ndarray = field(default_factory=lambda: np.eye(3))

    def __matmul__(self, inner: LinkPlace) -> LinkPlace:
        return LinkPlace(self.position + self.axes @ inner.position, self.axes @ inner.axes)


def place_fields(place: LinkPlace) -> dict[str, Any]:
    """`position` and `orientation` of a body, frame or piece that stands there."""
    return {"position": tuple(map(float, place.position)), "orientation": orientation(place.axes)}


def orientation(axes: np.ndarray) -> Orientation:
    """A rotation matrix as Euler parameters, those of no rotation left out."""
    if np.array_equal(axes, np.eye(3)):
        return Orientation()
    return Orientation(euler_parameters=tuple(map(float, attitude.euler_parameters(axes))))


def along(z: np.ndarray) -> np.ndarray:
    """Axes with z in a direction, turned there the shortest way."""
    z = z / (np.linalg.norm(z) or 1.0)
    turn = np.cross([0.0, 0.0, 1.0], z)
    angle = math.atan2(float(np.linalg.norm(turn)), float(z[2]))
    return about(turn if np.any(turn) else np.array([1.0, 0.0, 0.0]), angle)
