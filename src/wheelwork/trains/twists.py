"""Velocities of the links at the given position as linear functions of the rates.

A twist is (omega, v): angular velocity, and velocity of the point of the link that is at the origin of the world.
"""

from __future__ import annotations

import numpy as np

from .canonical import Canonical


def twist_along(graph: Canonical, column: int) -> np.ndarray:
    """Twist of a link against its parent for a unit rate (6)."""
    rate = graph.rates[column]
    u = np.array(rate.direction)
    if rate.axis.kind == "sliding":
        return np.concatenate([np.zeros(3), u])
    return np.concatenate([u, -np.cross(u, np.array(rate.axis.axis.point))])


def twist_of(graph: Canonical, link: str) -> np.ndarray:
    """Twist of a link in the rates, against its base (6 x rates)."""
    out = np.zeros((6, len(graph.rates)))
    for column in graph.path(link):
        out[:, column] = twist_along(graph, column)
    return out


def velocity_at(twist: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Velocity of a link's point from its twist: v + omega x p; columns as in the twist."""
    omega, v = twist[:3], twist[3:]
    return (
        v - np.cross(np.asarray(point), omega, axisb=0, axisc=0)
        if omega.ndim > 1
        else v + np.cross(omega, point)
    )
