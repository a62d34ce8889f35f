"""One mechanism, run in several ways: the same motion and the same value of every signal, or a refusal in words.

The first way is the reference. How far two right runs may be apart is measured, not guessed: the reference is run once
more with coarser steps, and what that changes in a signal, at any time up to then, is what its steps leave open.

    allowed(t) = RIGHT * (largest value of the signal, and a part of the largest of its unit)
                 + OPEN * (largest change by coarser steps up to t)

Where that is passed by another method, it too is run once more with coarser steps, or steps of twice the
length, and OWN times what that changes is added: fixed steps lose their order where teeth strike.

Residuals of constraints are not compared but must be small. Reactions that redundant constraints leave open are the
smallest there are, found with a factor of S that is nearly singular: they are right to some digits only.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wheelwork.description import ModelError
from wheelwork.mechanism import Mechanism
from wheelwork.results import Result
from wheelwork.results.determinacy import determinacy

WAYS: dict[str, dict[str, Any]] = {
    "absolute": {"formulation": "absolute"},
    "auto": {"formulation": "auto"},
    "reduced": {"formulation": "reduced"},
    "sdirk4": {"formulation": "absolute", "method": "sdirk4", "rtol": 1e-8, "atol": 1e-10},
    "rk4": {"formulation": "absolute", "method": "rk4"},
}
"""Options of a run, by name."""
FORMULATIONS = ("absolute", "auto", "reduced")
TIGHT = {"rtol": 1e-10, "atol": 1e-12}
MOST_STEPS = 50_000
COARSER = 100.0
"""Times the tolerances, in the run that tells how far steps matter."""
RIGHT = 1e-6
OPEN = 100.0
OWN = 10.0
NOTHING = 1e-10
"""In any unit of SI: what rounding leaves of signals that are zero, as accelerations of what cannot move."""
OF_UNIT = 0.01
"""Part of the largest value of any signal with the same unit: a force of zero is one among others that are not."""
EFFORTS = ("force", "torque", "power")
RESIDUAL = 1e-8  # m, rad or their rates
LEFT_OPEN = 1e-5
"""In place of RIGHT, for efforts that redundant constraints leave open."""
ACCURACY = {"sdirk4": 1e-4, "rk4": 1e-4}
"""In place of RIGHT, for methods that reach no more with reasonable steps."""
FINER = 4
"""Steps of `rk4` in one of the reference's, on average: those tell the time scale of the mechanism."""


@dataclass(frozen=True)
class Difference:
    """Of a signal in some way of running from the reference: where it is largest over what is allowed.

    way, signal: which; t [s]: when; size, allowed: in the signal's unit
    """

    way: str
    signal: str
    t: float
    size: float
    allowed: float

    def __str__(self) -> str:
        off = f"off by {self.size:.2g} at t = {self.t:.4g} s ({self.allowed:.1g} allowed)"
        return f"{self.way}: `{self.signal}` is {off}"


@dataclass(frozen=True)
class Compared:
    """What became of one mechanism.

    ran: how each way went that ran, in words: coordinates it took
    refused: words of those that did not
    differences: the largest first; none where all are the same
    """

    ran: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def wrong(self) -> list[str]:
        """What is wrong, in words."""
        return [*self.faults, *(str(d) for d in self.differences)]


def compare(
    m: Mechanism,
    ways: Iterable[str] | Mapping[str, Mapping[str, Any]] = FORMULATIONS,
    end: float = 0.05,
    output: int = 20,
    **options: Any,
) -> Compared:
    """Run a mechanism in several ways, the first of them the reference, and compare every signal.

    ways: names of `WAYS`, or options by names of one's own
    """
    given = ways if isinstance(ways, Mapping) else {way: WAYS[way] for way in ways}
    reference = next(iter(given))
    common = {"end": end, "output": output, "progress": False, "max_steps": MOST_STEPS, **TIGHT, **options}
    ran: dict[str, Result] = {}
    refused: dict[str, str] = {}
    faults: list[str] = []
    options_of: dict[str, dict[str, Any]] = {}
    for way, own in given.items():
        wanted = options_of[way] = {**common, **own}
        known = ran[reference].statistics if reference in ran else None
        if wanted.get("method") == "rk4" and "step" not in wanted:
            wanted["step"] = end / (FINER * max(output, known.steps if known else 0))
        try:
            ran[way] = run_quietly(m, wanted)
        except ModelError as refusal:
            refused[way] = str(refusal)
            continue
        if not ran[way].outcome.good:
            faults.append(f"{way}: {ran[way].report}")
    words = {way: result.statistics.formulation for way, result in ran.items()}
    if reference not in ran or faults or len(ran) < 2:
        return Compared(words, refused, (), tuple(faults))
    coarse = run_quietly(m, coarser(options_of[reference]))
    differences: list[Difference] = []
    for way, result in ran.items():
        if way == reference:
            continue
        found = _differences(way, result, ran[reference], coarse)
        if found and given[way].get("method") != given[reference].get("method"):
            found = _differences(
                way, result, ran[reference], coarse, run_quietly(m, coarser(options_of[way]))
            )
        differences += found
    differences.sort(key=lambda d: -d.size / d.allowed)
    for way, result in ran.items():
        faults += _residuals(way, result)
    return Compared(words, refused, tuple(differences), tuple(faults))


def coarser(options: Mapping[str, Any]) -> dict[str, Any]:
    loose = {name: COARSER * options[name] for name in TIGHT}
    return {**options, **loose, **({"step": 2 * options["step"]} if "step" in options else {})}


def run_quietly(m: Mechanism, options: Mapping[str, Any]) -> Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return m.simulate(**options)


def values_of(result: Result) -> dict[str, np.ndarray]:
    """Every signal, (N, components); of an orientation the turning itself, as e and -e are the same."""
    out = {}
    for name in result.catalogue.signals:
        value = np.asarray(result[name], float).reshape(len(result.t), -1)
        if name.endswith(".orientation"):
            value = (value[:, :, None] * value[:, None, :]).reshape(len(result.t), -1)
        out[name] = value
    return out


def _is_residual(name: str) -> bool:
    return name.startswith("constraints.") or name.endswith(".residual")


def _differences(
    way: str, result: Result, reference: Result, coarse: Result, own_coarse: Result | None = None
) -> list[Difference]:
    """Up to where the way has run."""
    return find_differences(way, values_of(result), reference, coarse, values_of(own_coarse or result))


def find_differences(
    way: str,
    found: Mapping[str, np.ndarray],
    reference: Result,
    coarse: Result,
    own_coarse: Mapping[str, np.ndarray] | None = None,
) -> list[Difference]:
    """Signals that differ from those of the reference by more than is allowed.

    found: values (N, components) of the signals to compare, in the names and units of the reference
    coarse: the reference with coarser steps; own_coarse: the same of what is compared
    """
    count = min((len(value) for value in found.values()), default=0)
    right, rough = values_of(reference), values_of(coarse)
    units = {name: signal.unit for name, signal in reference.catalogue.signals.items()}
    largest: dict[str, float] = {}
    for name, value in right.items():
        largest[units[name]] = max(largest.get(units[name], 0.0), _largest(value[:count]))
    left_open = determinacy(reference.motion).open
    out = []
    for name in found:
        if _is_residual(name):
            continue
        value = right[name][:count]
        element, _, quantity = name.partition(".")
        accuracy = ACCURACY.get(way, RIGHT)
        if element in left_open and any(word in quantity for word in EFFORTS):
            accuracy = max(accuracy, LEFT_OPEN)
        own = _largest(value)
        change = np.maximum.accumulate(_apart(rough[name][:count], value))
        part = accuracy * (own + OF_UNIT * largest[units[name]])
        own_rough = found[name] if own_coarse is None else own_coarse[name][:count]
        own_change = np.maximum.accumulate(_apart(own_rough, found[name]))
        allowed = part + OPEN * change + OWN * own_change + NOTHING
        size = _apart(found[name], value)
        worst = int(np.argmax(np.where(np.isfinite(size), size / allowed, np.inf)))
        if not size[worst] <= allowed[worst]:
            out.append(
                Difference(way, name, float(reference.t[worst]), float(size[worst]), float(allowed[worst]))
            )
    return out


def _largest(values: np.ndarray) -> float:
    """Of those that are finite; a wheel that is pulled needs friction without bound."""
    return float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))


def _apart(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Largest difference in each row, of which two that are infinite have none."""
    with np.errstate(invalid="ignore"):
        return np.max(np.where(x == y, 0.0, np.abs(x - y)), axis=1, initial=0.0)


def _residuals(way: str, result: Result) -> list[str]:
    worst = float(result.statistics.worst_residual)
    return [] if worst < RESIDUAL else [f"{way}: residual {worst:.1e}"]
