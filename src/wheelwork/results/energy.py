"""The energy balance of a run: what came in, what was lost, what is in the machine, and what is not accounted for.

    E(t) - E(0) = sum of works + remainder,     W_k(t) = integral of the power of element k

Works are integrals along the motion between the outputs (:mod:`.works`). Where outputs are too coarse for that, the
balance does not close between them, and the integrals are taken along the steps of the run instead, which is made once
more for it (:mod:`wheelwork.engine.retrace`): a blow of teeth between two outputs is in the steps, which resolve it,
and not in what is interpolated between outputs. What impacts and friction that locks take in an instant (`Event.lost`)
counts with the element. The remainder is the error of that and of the run itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.problems import users_level
from wheelwork.system.powers import from_outside, potentials

from .works import works_by_steps, works_until

if TYPE_CHECKING:
    from wheelwork.system.motion import Motion
    from wheelwork.system.signals import Signal

    from .result import Result

OPEN = 1e-5
"""What the balance may leave open between outputs, added up, over the energy in the machine; beyond, steps count."""
WRONG = 1e-2
"""The same, beyond which it is said, where there are no steps to go by."""
REST = 1e-11
"""m or rad: how far a machine at rest comes in a run, at the speeds and accelerations that round-off gives."""


class EnergyWarning(UserWarning):
    """Works are summed up from outputs that are too coarse for them."""


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
        """The energy that there is [J], with which the remainder compares: what is in the machine at most, or what went
        through it. A work that nothing else pays for does not count."""
        through = min(float(np.max(np.abs(w), initial=0.0)) for w in (self.brought_in, self.taken_out))
        return float(max(np.max(self.kinetic), np.ptp(self.potential), through))

    def _sum(self, chosen: Callable[[float], bool]) -> np.ndarray:
        return sum((w for w in self.work.values() if chosen(float(w[-1]))), np.zeros(len(self.t)))


class RunWorks:
    """What the elements of a run have done on the machine, and the heat of those that tell it."""

    def __init__(self, result: Result) -> None:
        self._result = result
        kinetic, potential = (result.series(f"energy.{name}").values for name in ("kinetic", "potential"))
        self._energy = kinetic + potential
        self.held = max(float(np.max(np.abs(kinetic))), float(np.ptp(potential)))
        """The largest energy in the machine [J]; of one at rest without bounds, since it has no work to look for."""
        if len(result.t) > 1 and _at_rest(result.motion):
            self.held = np.inf

    def until(self, times: np.ndarray) -> dict[str, np.ndarray]:
        """By element, and by the name of each signal that is summed up, from the start of the run to some times [J]."""
        if len(self._result.t) < 2:
            return {}
        at_outputs = np.array_equal(times, self._result.t)
        if self._along_steps is not None:
            return self._along_steps if at_outputs else works_by_steps(self._result, self._powers, times)
        return (
            self._along_outputs if at_outputs else works_until(self._result, self._powers, self.held, times)
        )

    @cached_property
    def _along_outputs(self) -> dict[str, np.ndarray]:
        return works_until(self._result, self._powers, self.held, np.asarray(self._result.t))

    @cached_property
    def _along_steps(self) -> dict[str, np.ndarray] | None:
        """None where the outputs will do, or where there are no steps."""
        result = self._result
        if result.works_along_steps:
            return result.works_along_steps
        works = self._along_outputs
        own = _with_instants(result, works, np.asarray(result.t))
        left = self._energy - sum(
            (own[name] for name in own if name not in self.rates), np.zeros(len(result.t))
        )
        open_by = float(np.sum(np.abs(np.diff(left))))
        if open_by <= OPEN * self.held:
            return None
        found = works_by_steps(result, self._powers, np.asarray(result.t))
        if not found and open_by > WRONG * self.held:
            text = (
                f"works and heat are summed up from {len(result.t)} outputs, between which {open_by:.3g} J are not "
                f"accounted for (in the machine there are up to {self.held:.3g} J): the steps of this run are not at "
                "hand. Ask for more outputs, or, of a result from a file, before it is saved"
            )
            warnings.warn(text, EnergyWarning, stacklevel=users_level())
        return found or None

    @cached_property
    def rates(self) -> dict[str, Signal]:
        signals = self._result.catalogue.signals
        return {name: signal for name, signal in signals.items() if signal.rate is not None}

    def _powers(self, m: Motion) -> dict[str, np.ndarray]:
        return {**from_outside(m), **{name: signal.rate(m) for name, signal in self.rates.items()}}  # type: ignore[misc]


def _at_rest(motion: Motion) -> bool:
    span = motion.t[-1] - motion.t[0]
    speed, acceleration = (float(np.max(np.abs(x), initial=0.0)) for x in (motion.v, motion.a))
    return max(speed, acceleration * span) * span < REST


def _with_instants(result: Result, works: dict[str, np.ndarray], times: np.ndarray) -> dict[str, np.ndarray]:
    """Works with what elements store, and what impulses took since the first of some times."""
    out = dict(works)
    for name, stored in potentials(result.motion).items():
        out[name] = out[name] + stored - stored[0]
    for event in result.provenance.events:
        if event.lost and event.t > times[0]:
            out[event.element] = out.get(event.element, 0.0) - event.lost * (times > event.t)
    return out


def energy_balance(result: Result) -> EnergyBalance:
    """What drives, loads and losses gave and took since the start, and what the energies became."""
    t, works = np.asarray(result.t), result.whole.works
    kinetic, potential = (result.series(f"energy.{name}").values for name in ("kinetic", "potential"))
    if len(t) < 2:
        return EnergyBalance(t, kinetic, potential, {})
    since = {name: work - work[0] for name, work in works.until(t).items() if name not in works.rates}
    work = _with_instants(result, since, t)
    least = 1e-12 * max(float(np.max(np.abs(kinetic))), float(np.ptp(potential)))
    return EnergyBalance(
        t, kinetic, potential, {name: w for name, w in work.items() if np.max(np.abs(w)) > least}
    )


def heat_of(result: Result, signal: Signal) -> np.ndarray:
    """A signal that is the integral of a power of an element from the start of a run on, with what impulses took."""
    whole, times = result.whole, np.asarray(result.t)
    found = whole.works.until(times).get(signal.name, np.zeros(len(times)))
    for event in whole.events:
        if event.lost and event.element == signal.element and event.t > whole.t[0]:
            found = found + event.lost * (times > event.t)
    return found
