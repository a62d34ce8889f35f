"""Shafts on a locating and a floating bearing, and their statics by hand."""

from collections.abc import Iterable
from typing import Any

import numpy as np

import wheelwork as ww

Load = tuple[Any, Any]
"""Force and the point it acts at."""


def add_shaft(m: ww.Mechanism, name: str, axis: Any, locating: Any, floating: Any, **body: Any) -> None:
    """A body on two bearings: `NAME-A` takes forces in all directions, `NAME-B` radial ones only."""
    m.add(name, ww.Body(mass=1.0, inertia=(1e-3, 1e-3, 1e-3), **body))
    m.add(f"{name}-A", ww.Spherical(bodies=("ground", name), point=tuple(locating)))
    m.add(f"{name}-B", ww.PointOnLine(bodies=("ground", name), point=tuple(floating), axis=tuple(axis)))


def bearing_forces(
    axis: Any, locating: Any, floating: Any, loads: Iterable[Load]
) -> tuple[np.ndarray, np.ndarray]:
    """Forces of the two bearings on a shaft in equilibrium under forces; torques about the axis are its own affair.

    Moments about the locating bearing A: with b from A to B along the axis, b x F_B = -sum r x F across the axis, so
    F_B = M x b/b^2 for M = -sum r x F. Then F_A = -F_B - sum F.
    """
    loads = [(np.asarray(force, float), np.asarray(point, float)) for force, point in loads]
    axis, locating = np.asarray(axis, float), np.asarray(locating, float)
    b = axis * ((np.asarray(floating) - locating) @ axis)
    moment = -sum(np.cross(point - locating, force) for force, point in loads)
    on_b = np.cross(moment, b) / (b @ b)
    return -on_b - sum(force for force, _ in loads), on_b
