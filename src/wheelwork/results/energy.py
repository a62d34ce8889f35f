"""The energy balance of a run: what came in, what was lost, what is in the machine, and what is not accounted for.

    E(t) - E(0) = sum of works + remainder,     W_k(t) = integral of the power of element k

The powers are integrated with three Gauss points between every two outputs, at which the motion is interpolated
(`Result.at`), and on either side of events and of corners of functions of time, where powers jump. Where powers bend
between two outputs, as those of teeth that strike, the interval is halved until Simpson's rule says the same: the work
of a spring along the interpolated path, which meets the outputs, is then what it stores, however few these are. What
impacts and friction that locks take in an instant (`Event.lost`) counts with the element. The remainder is the error of
that and of the run itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.system.powers import from_outside, potentials

if TYPE_CHECKING:
    from wheelwork.system.motion import Motion

    from .result import Result

PLACES = np.array([-1.0, -np.sqrt(0.6), 0.0, np.sqrt(0.6), 1.0])
"""Gauss points and ends of an interval from -1 to 1."""
GAUSS, SIMPSON = np.array([0.0, 5.0, 8.0, 5.0, 0.0]) / 18, np.array([1.0, 0.0, 4.0, 0.0, 1.0]) / 6
CLOSED = 1e-8
"""Difference of the two rules in an interval, over the largest energy or work, up to which it is not halved.

Where powers bend, both rules are off by about as much; elsewhere Gauss's by far less."""
HALVINGS = 12
MOST = 50_000
"""Intervals that are halved at a time; of more, those in which the rules differ most."""
NOTHING = 1e-30
"""J: a machine at rest moves by round-off, which has no work to look for."""
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

    def __repr__(self) -> str:
        brought, taken = self.brought_in[-1], self.taken_out[-1]
        open = float(np.max(np.abs(self.remainder), initial=0.0))
        return (
            f"EnergyBalance(t = {self.t[0]:g} to {self.t[-1]:g} s: brought in {brought:.6g} J, "
            f"taken out {taken:.6g} J, change {self.change[-1]:.6g} J, not accounted for at most {open:.2g} J)"
        )

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
    held = max(float(np.max(np.abs(kinetic))), float(np.ptp(potential)), NOTHING)
    work = _works(result, held)
    for name, stored in potentials(motion).items():
        work[name] = work[name] + stored - stored[0]
    for event in result.events:
        if event.lost and event.t > t[0]:
            work[event.element] = work.get(event.element, 0.0) - event.lost * (t > event.t)
    least = 1e-12 * held
    return EnergyBalance(
        t, kinetic, potential, {name: w for name, w in work.items() if np.max(np.abs(w)) > least}
    )


def summed(
    result: Result, rate: Callable[[Motion], np.ndarray], element: str, times: np.ndarray
) -> np.ndarray:
    """The integral of a power of an element from the start of a result on, with what its impulses took [J]."""
    if len(result.t) < 2:
        return np.zeros(len(times))
    work = _works(result, NOTHING, lambda m: {element: rate(m)}, times)[element]
    for event in result.events:
        if event.lost and event.element == element and event.t > result.t[0]:
            work = work + event.lost * (times > event.t)
    return work


def _works(
    result: Result,
    held: float,
    powers: Callable[[Motion], dict[str, np.ndarray]] = from_outside,
    times: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Integrals of the powers up to some times, the outputs; `held` [J]: the largest energy in the machine."""
    motion, t = result.motion, np.asarray(result.t)
    wanted = t if times is None else times
    jumps = [event.t for event in result.provenance.events]
    jumps += [*motion.program.corners(motion.numbers, t[0], t[-1]), *result.samples]
    ends = np.unique(np.concatenate([t, wanted, np.clip([*jumps, *motion.sides[:, 0]], t[0], t[-1])]))
    outputs = np.searchsorted(ends, wanted)
    low, high, owner = ends[:-1], ends[1:], np.arange(len(ends) - 1)
    done: dict[str, np.ndarray] = {}
    largest = 0.0
    for halvings in range(HALVINGS + 1):
        found = _integrals(result, low, high, powers)
        if not halvings:
            done = {name: np.zeros(len(owner)) for name in found}
            totals = [np.append(0.0, own.cumsum()) for own, _ in found.values()]
            largest = max([held, *(float(np.ptp(total)) for total in totals)])
        bent = np.zeros(len(owner), bool)
        if halvings < HALVINGS and found:
            differences = np.max([np.abs(difference) for _, difference in found.values()], axis=0)
            worst = np.argsort(differences)[-MOST:]
            bent[worst] = differences[worst] > CLOSED * largest
        for name, (own, _) in found.items():
            np.add.at(done[name], owner[~bent], own[~bent])
        if not bent.any():
            break
        middle = (low[bent] + high[bent]) / 2
        low, high = np.append(low[bent], middle), np.append(middle, high[bent])
        owner = np.append(owner[bent], owner[bent])
    return {name: np.append(0.0, own.cumsum())[outputs] for name, own in done.items()}


def _integrals(
    result: Result, low: np.ndarray, high: np.ndarray, of: Callable[[Motion], dict[str, np.ndarray]]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Of the powers by name over each of some intervals [J]: by Gauss's rule, and how much more than by Simpson's."""
    pieces: dict[str, list[np.ndarray]] = {}
    for first in range(0, len(low), AT_ONCE):
        a, b = low[first : first + AT_ONCE, None], high[first : first + AT_ONCE, None]
        times = np.hstack([a, (a + b) / 2 + (b - a) / 2 * PLACES[1:-1], b])
        moments, at = np.unique(times, return_inverse=True)  # intervals share their ends
        for name, power in of(result.at(moments).motion).items():
            pieces.setdefault(name, []).append(power[at].reshape(times.shape) * (b - a))
    powers = {name: np.concatenate(own) for name, own in pieces.items()}
    return {name: (own @ GAUSS, own @ (GAUSS - SIMPSON)) for name, own in powers.items()}
