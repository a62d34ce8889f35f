"""The energy balance of a run: what came in, what was lost, what is in the machine, and what is not accounted for.

    E(t) - E(0) = sum of works + remainder,     W_k(t) = integral of the power of element k

The powers are integrated with three Gauss points between every two outputs, at which the motion is interpolated
(`Result.at`), and on either side of events and of corners of functions of time, where powers jump. What impacts and
friction that locks take in an instant (`Event.lost`) counts with the element. The remainder is the error of that and of
the run itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.equations.powers import from_outside, potentials

if TYPE_CHECKING:
    from .result import Result

GAUSS = np.sqrt(0.6) * np.array([-1.0, 0.0, 1.0]), np.array([5.0, 8.0, 5.0]) / 18
AT_ONCE = 4000
"""Intervals whose powers are computed together: what takes memory."""


@dataclass(frozen=True)
class EnergyBalance:
    """Over the output times.

    kinetic, potential [J]: in the bodies; in gravity and springs
    work [J]: by element, done on the machine since the start; less what the element itself stores
    """

    t: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    work: dict[str, np.ndarray] = field(repr=False)

    @property
    def total(self) -> np.ndarray:
        """Kinetic and potential energy [J]."""
        return self.kinetic + self.potential

    @property
    def change(self) -> np.ndarray:
        """Of the total since the start [J]."""
        return self.total - self.total[0]

    @property
    def brought_in(self) -> np.ndarray:
        """Work of all elements that gave more than they took, at the end of the run [J]."""
        return self._sum(lambda last: last > 0)

    @property
    def taken_out(self) -> np.ndarray:
        """Work of all elements that took more than they gave, at the end of the run; negative [J]."""
        return self._sum(lambda last: last <= 0)

    @property
    def remainder(self) -> np.ndarray:
        """What no element accounts for: numerical error [J]."""
        return self.change - sum(self.work.values(), np.zeros(len(self.t)))

    @property
    def scale(self) -> float:
        """The largest of all these energies [J], with which the remainder compares."""
        parts = [np.max(self.kinetic), np.ptp(self.potential), *(np.ptp(w) for w in self.work.values())]
        return float(max(parts, default=0.0))

    def _sum(self, chosen: Callable[[float], bool]) -> np.ndarray:
        return sum((w for w in self.work.values() if chosen(float(w[-1]))), np.zeros(len(self.t)))


def energy_balance(result: Result) -> EnergyBalance:
    """Works of all elements of a result over its output times."""
    t = np.asarray(result.t)
    kinetic, potential = (result.series(f"energy.{name}").values for name in ("kinetic", "potential"))
    motion = result.motion
    if len(t) < 2:
        return EnergyBalance(t, kinetic, potential, {})
    work = _works(result)
    for name, stored in potentials(motion).items():
        work[name] = work[name] + stored - stored[0]
    for event in result.events:
        if event.lost and event.t > t[0]:
            work[event.element] = work.get(event.element, 0.0) - event.lost * (t > event.t)
    least = 1e-12 * max(float(np.max(np.abs(kinetic))), float(np.ptp(potential)), 1e-300)
    return EnergyBalance(
        t, kinetic, potential, {name: w for name, w in work.items() if np.max(np.abs(w)) > least}
    )


def _works(result: Result) -> dict[str, np.ndarray]:
    """Integrals of the powers over the output times."""
    motion, t = result.motion, np.asarray(result.t)
    jumps = [event.t for event in result.provenance.events]
    jumps += motion.program.corners(motion.numbers, t[0], t[-1])
    ends = np.unique(np.concatenate([t, np.clip(jumps, t[0], t[-1])]))
    places, weights = GAUSS
    pieces: dict[str, list[np.ndarray]] = {}
    for first in range(0, len(ends) - 1, AT_ONCE):
        part = ends[first : first + AT_ONCE + 1]
        h = np.diff(part)
        times = (part[:-1, None] + part[1:, None]) / 2 + h[:, None] / 2 * places
        powers = from_outside(result.at(times.ravel()).motion)
        for name, power in powers.items():
            pieces.setdefault(name, []).append((power.reshape(-1, len(places)) @ weights) * h)
    outputs = np.searchsorted(ends, t)
    return {name: np.concatenate([[0.0], *own]).cumsum()[outputs] for name, own in pieces.items()}
