"""Whether signals change smoothly about a state, so that they have a linear response there.

The force between flanks that carry nothing grows to whichever side they are pressed, and so does the size of any other
that is zero: a difference to both sides says nothing. Along a motion, what is left of y(h) + y(-h) - 2 y(0) goes with h
at such a kink and with its square elsewhere, and y(h) - y(-h) does not go with h at a jump.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wheelwork.description import ModelError
from wheelwork.problems import listed
from wheelwork.system.signals import Signal

from .along_motions import SMALL, moved_along, values_of
from .assemble import Assembled

STEPS = SMALL * np.array([1.0, 1 / 4, 1 / 16])
WAYS = 3
"""Motions that are looked along, each a mixture of all."""
CLEAR = 1e-11
"""Of the values: smaller differences are round-off."""


def refuse_kinked_signals(
    at: Assembled, signals: Sequence[Signal], moved: np.ndarray, speeds: np.ndarray
) -> None:
    """A ModelError where a signal has a kink or a jump at a state.

    moved, speeds: by columns, small motions and the changes of velocities that go with them
    """
    if not moved.shape[1]:
        return
    rng, values = np.random.default_rng(0), values_of(signals)
    here = values(at.motion)
    kinked = np.ones(len(signals), bool)
    for _ in range(WAYS):
        by_position, by_rate = rng.uniform(0.5, 1, (2, moved.shape[1])) * rng.choice(
            (-1, 1), (2, moved.shape[1])
        )
        way, faster = moved @ by_position, speeds @ by_position + moved @ by_rate
        size = max(float(np.max(np.abs(way))), 1e-300)
        above, below = (
            np.array([values(moved_along(at, way, faster, sign * h / size).motion) for h in STEPS])
            for sign in (1, -1)
        )
        most = np.abs(above) + np.abs(below) + np.abs(here)
        bend, slope = np.abs(above + below - 2 * here), np.abs(above - below)
        bends = np.all(bend > CLEAR * most, axis=0) & np.all(
            np.abs(bend[:-1] - 4 * bend[1:]) < 0.4 * bend[1:], axis=0
        )
        jumps = np.all(slope > 1e-3 * most, axis=0) & np.all(
            np.abs(slope[:-1] - slope[1:]) < 1e-3 * slope[1:], axis=0
        )
        kinked &= bends | jumps
    names = [signal.name for signal, bad in zip(signals, kinked, strict=True) if bad]
    if names:
        why = f"{listed(names)} {'has' if len(names) == 1 else 'have'} a kink or a jump at the operating point, as the "
        why += "size of a force that is zero there: no linear response"
        hint = (
            "take an operating point with load, or a signal with a sign, such as a force along one direction"
        )
        raise ModelError(why, path="signals", hint=hint)
