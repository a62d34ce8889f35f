"""Modes about a steady motion as they are seen from the world.

A mode phi, as seen from axes that turn at W about n, moves as Re(phi e^(i w t)) there. Across n this is a forward
circle F = (phi_1 + i phi_2)/2 and a backward one B = (phi_1* + i phi_2*)/2, which the world sees at w + W and w - W;
what goes along n it sees at w. A mode of several bodies, or an ellipse, has several lines.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy  # which loads its parts when they are used

from .mode import Mode, SeenFrequency

ALIKE = 1e-6
"""Frequencies that differ by less than this part are one."""
LEAST = 1e-6
"""Share below which a line is round-off."""


def lines_of(
    value: complex, shape: np.ndarray, turning: np.ndarray, weights: np.ndarray
) -> tuple[SeenFrequency, ...]:
    """Lines in the world of a mode (bodies, 6), strongest first; turning: of the axes from which each body is seen
    (bodies, 3); weights: of displacements and rotations (bodies, 2).
    """
    omega = abs(value.imag)
    shape = shape.conj() if value.imag < 0 else shape
    found: dict[float, float] = {}
    for turn, own, weight in zip(turning, shape, weights, strict=True):
        speed = float(np.linalg.norm(turn))
        axis = turn / speed if speed else np.zeros(3)
        for part, w in zip(own.reshape(2, 3), weight, strict=True):
            along = float(np.abs(axis @ part) ** 2 / 2) if speed else float(np.sum(np.abs(part) ** 2) / 2)
            forward, backward = _circles(part, axis)
            for shift, size in ((0.0, along), (speed, forward), (-speed, backward)):
                if size:
                    same = next((s for s in found if abs(s - shift) <= 1e-9 * max(speed, 1e-300)), shift)
                    found[same] = found.get(same, 0.0) + w * size
    whole = sum(found.values()) or 1.0
    lines = [
        SeenFrequency(abs(omega + s) / (2 * np.pi), size / whole, s)
        for s, size in found.items()
        if size > LEAST * whole
    ]
    return tuple(sorted(lines, key=lambda line: -line.share))


def tell_apart(
    values: np.ndarray, shapes: np.ndarray, turning: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Combinations (modes, modes) of shapes (bodies, 6, modes) that the world sees at one frequency each, as far as
    modes of one frequency may be mixed as they like: forward and backward circles of a thin disc in its own axes."""
    size = np.repeat(weights, 3, axis=1)[:, :, None]
    axes = np.repeat(turning[:, None], 2, axis=1)[..., None]
    turned = np.cross(axes, shapes.reshape(len(turning), 2, 3, -1), axis=2).reshape(shapes.shape)
    sense, whole = (np.einsum("kia,kib->ab", shapes.conj(), size * x) for x in (-1j * turned, shapes))
    out = np.eye(len(values), dtype=complex)
    for first in range(len(values)):
        same = np.flatnonzero(np.abs(values - values[first]) <= ALIKE * np.abs(values[first]))
        if len(same) > 1 and same[0] == first and values[first].imag:
            block = np.ix_(same, same)
            parts = ((one[block] + one[block].conj().T) / 2 for one in (sense, whole))
            out[block] = scipy.linalg.eigh(*parts)[1]
            out[block] /= np.linalg.norm(out[block], axis=0)
    return out


def _circles(part: np.ndarray, axis: np.ndarray) -> tuple[float, float]:
    """Squares of the forward and backward circle about an axis."""
    if not np.any(axis):
        return 0.0, 0.0
    across = part - axis * (axis @ part)
    turned, size = float(-np.imag(np.cross(across.conj(), across)) @ axis), float(np.sum(np.abs(across) ** 2))
    return (size + turned) / 4, (size - turned) / 4


def whirl(
    value: complex, shape: np.ndarray, turning: np.ndarray, spin: np.ndarray, weights: np.ndarray
) -> float:
    """Sense of the orbits in the world about each body's own spin, -1 to 1."""
    omega = abs(value.imag)
    shape = shape.conj() if value.imag < 0 else shape
    orbit, whole = 0.0, 0.0
    for turn, w, own, weight in zip(turning, spin, shape, weights, strict=True):
        speed = float(np.linalg.norm(w))
        rate = float(turn @ w) / speed if speed else 0.0
        for part, size in zip(own.reshape(2, 3), weight, strict=True):
            forward, backward = _circles(part, w / (speed or 1.0))
            orbit += size * (forward * np.sign(omega + rate) - backward * np.sign(omega - rate))
            whole += size * (forward + backward)
    return float(orbit / whole) if whole > 1e-12 else 0.0


def from_the_world(mode: Mode) -> Mode:
    """The mode with the frequency of its strongest line there."""
    shift = mode.lines[0].shift if mode.lines else 0.0
    if not shift:
        return mode
    undamped, first, second = (
        x.real + 1j * abs(abs(x.imag) + shift) for x in (mode.undamped, *mode.eigenvalues)
    )
    return replace(mode, undamped=undamped, eigenvalues=np.array([first, second.conjugate()]))
