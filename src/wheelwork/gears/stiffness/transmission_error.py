"""Static transmission error under load, and how pairs share it.

Wheel a is turned to the angle phi and pressed on wheel b with the force F along the line of action (F = M_a/r_ba).
Each pair i touches over slices of stiffness k_i with a gap e_i; the wheels approach by delta where the pairs are, and
by what the pairs share besides:

    sum over i of k_i max(delta - e_i, 0) = F,    transmission error = delta + q_s F

The left side is piecewise linear, convex and increasing in delta, so Newton's method from above reaches the solution
in a few exact steps. Shares of the load come out unequal by themselves: stiffer pairs and pairs ahead carry more.

Pairs are looked for between A and E only. Teeth bent by the load touch a little earlier and part a little later, at
their tips; such contact off the line of action is left out, which is right for relieved tips and a limit for others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass

from ..involute import GeometryError
from .base import MeshStiffness
from .deviations import Deviation


@dataclass(frozen=True)
class StaticTransmissionError:
    """Quasi-static mesh under load; arrays over the angles of wheel a, pairs in the second direction.

    angle: (n,) of wheel a [rad]
    error: (n,) [m] along the line of action, by which wheel b stays behind
    numbers: (p,) of the pairs
    forces: (n, p) on each pair [N]
    stiffness: (n,) dF/d(delta) of the pairs that touch [N/m]
    """

    angle: np.ndarray
    error: np.ndarray
    numbers: np.ndarray
    forces: np.ndarray
    stiffness: np.ndarray

    @property
    def peak_to_peak(self) -> float:
        """Largest less smallest error [m]"""
        return float(np.ptp(self.error))

    @property
    def shares(self) -> np.ndarray:
        """(n, p) of the load on each pair, 0 to 1"""
        return self.forces / self.forces.sum(axis=1, keepdims=True)


def static_transmission_error(
    stiffness: MeshStiffness,
    force: float,
    angle: Any,
    deviations: Sequence[Deviation] = (),
) -> StaticTransmissionError:
    """Transmission error and load sharing at given angles of wheel a.

    force: F [N] along the line of action, greater than zero
    angle: (n,) [rad]; at 0 pair 0 enters contact in the middle of the face
    deviations: gaps from these add up
    """
    if force <= 0:
        raise GeometryError(f"the force on the teeth must be greater than zero, but is {force:.4g} N")
    mesh, path = stiffness.pair, stiffness.pair.path
    angle = np.atleast_1d(np.asarray(angle, dtype=float))
    shifts, shares = stiffness.slices()
    reach = float(np.max(np.abs(shifts)))
    travelled = angle * mesh.a.base_diameter / 2
    first = int(np.floor((travelled.min() - path.length - reach) / path.base_pitch))
    last = int(np.ceil((travelled.max() + reach) / path.base_pitch))
    numbers = np.arange(first, last + 1)
    # Only the few pairs that can touch at an angle are looked at, else a whole turn would be a large table.
    span = int(np.ceil((path.length + 2 * reach) / path.base_pitch)) + 2
    newest = np.ceil((travelled + reach) / path.base_pitch).astype(int)
    local = newest[:, None] - np.arange(span)
    position = path.start + travelled[:, None] - local * path.base_pitch
    place = position[..., None] + shifts
    gap = np.zeros(place.shape)
    for deviation in deviations:
        gap = gap + deviation.gap(mesh, local[..., None], place, angle[:, None, None])
    touching = stiffness.coverage(place).any(axis=(1, 2))
    if not np.all(touching):
        at = np.degrees(angle[~touching][0])
        raise GeometryError(f"no teeth touch at {at:.4g} deg of wheel a; the contact ratio is below 1")
    load = np.full(place.shape, force / 2.0)
    error, k, pressed = np.zeros(len(angle)), np.zeros(place.shape), np.zeros(place.shape)
    for _ in range(6):
        k = stiffness.slice_stiffness(place, np.maximum(load, 1e-6 * force))
        error = _approach(k, gap, force)
        pressed = k * np.maximum(error[:, None, None] - gap, 0.0)
        load = pressed / shares
    tangent = np.where(error[:, None, None] > gap, k, 0.0).sum(axis=(1, 2))
    shared = stiffness.shared_compliance
    forces = np.zeros((len(angle), len(numbers)))
    rows = np.arange(len(angle))[:, None]
    np.add.at(forces, (rows, np.clip(local - first, 0, len(numbers) - 1)), pressed.sum(axis=2))
    return StaticTransmissionError(
        angle, error + shared * force, numbers, forces, tangent / (1 + shared * tangent)
    )


def _approach(k: np.ndarray, gap: np.ndarray, force: float) -> np.ndarray:
    """delta (n,) from stiffness and gaps (n, pairs, slices)."""
    k, gap = k.reshape(len(k), -1), gap.reshape(len(gap), -1)
    # All that can touch does, and no gap is closed before: an upper bound of the solution.
    far = np.where(k > 0, gap, -np.inf).max(axis=1)
    delta = far + force / k.sum(axis=1)
    for _ in range(k.shape[1] + 1):
        touching = np.where(delta[:, None] > gap, k, 0.0)
        new = (force + (touching * gap).sum(axis=1)) / touching.sum(axis=1)
        if np.all(np.abs(new - delta) <= 1e-15 + 1e-13 * np.abs(delta)):
            return new
        delta = new
    return delta
