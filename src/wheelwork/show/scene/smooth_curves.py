"""Curves of a tooth as few straight pieces that stay inside its material.

Chords of a convex boundary lie inside the material, but those of a hollow one (a fillet, the flank of a ring) outside,
where they would touch the teeth of the mate. There the pieces of tangents are taken instead:

    convex    points of the curve
    hollow    its ends, and where neighbouring tangents meet
"""

from __future__ import annotations

import numpy as np

SAMPLES = 61
"""Points of a curve from which few are taken."""


def convex(curve: np.ndarray, count: int) -> np.ndarray:
    """`count` points of a curve (n, 2), its ends among them."""
    return curve[np.round(np.linspace(0, len(curve) - 1, count)).astype(int)]


def hollow(curve: np.ndarray, count: int) -> np.ndarray:
    """Ends of a curve (n, 2) and, between them, `count` - 2 points where its tangents meet.

    The tangents are at `count` - 1 points evenly along it, both ends among them.
    """
    places = np.round(np.linspace(0, len(curve) - 1, max(count - 1, 2))).astype(int)
    points, along = curve[places], np.gradient(curve, axis=0)[places]
    between = points[1:] - points[:-1]
    turn = _cross(along[:-1], along[1:])
    size = np.linalg.norm(along[:-1], axis=1) * np.linalg.norm(along[1:], axis=1)
    straight = np.abs(turn) < 1e-6 * size
    share = _cross(between, along[1:]) / np.where(straight, 1.0, turn)
    length = np.linalg.norm(along[:-1], axis=1) * share / np.maximum(np.linalg.norm(between, axis=1), 1e-300)
    middle = straight | (length < 0) | (length > 1)  # where they do not meet between the points
    corners = points[:-1] + share[:, None] * along[:-1]
    corners = np.where(middle[:, None], (points[1:] + points[:-1]) / 2, corners)
    return np.concatenate((curve[:1], corners, curve[-1:]))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
