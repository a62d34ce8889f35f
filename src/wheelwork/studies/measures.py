"""Measures of a run: numbers of its signals over the samples of the measuring span.

    least(x)  greatest(x)  peak_to_peak(x)
    mean(x)  rms(x)  deviation(x)          over time, by the trapezoidal rule; deviation: standard deviation
    last(x)                                at the end
    time_above(x, level)                   how long x is above a level [s]
    rises(x, level)                        how often x comes above a level: separations of teeth, with their gap and 0
    order(x, n, angle)                     amplitude of x at n times an angle, such as that of a shaft: resampled by
                                           angle, over the last whole turns (:mod:`wheelwork.results.spectra`)
    skipped()                              teeth that skipped
    spectrum(x, top)                       amplitudes of x at the multiples of 1/T up to a frequency [Hz], with a Hann
                                           window: from lines without one, X_k - (X_k-1 + X_k+1)/2
    dynamic_factor(mesh)                   greatest(abs(F))/abs(mean(F)) of its transverse force F
    load_sharing(mesh, mesh, ...)          n times the largest share in the sum of mean(abs(F)): 1 if equal
    separations(mesh)                      rises(mesh.gap, 0)
    rainflow(x, bins, top)                 cycles by their range, in equal bins from 0 to top (:mod:`.rainflow`)
    equivalent_range(x, m)                 range of one cycle with the damage of all, (sum n r^m)^(1/m)
    unsettled(x)                           what is left of decays in mean, rms or envelope, as a part of the vibration
                                           (:mod:`wheelwork.analyses.vibration.settling`): settled below 0.02
    history(x)                             all samples

The last four and `order` need all samples of a variant, which is then a run of its own; of the others nothing is kept.

x and angle are signals or formulas of signals and parameters: `greatest(abs(mesh1.force.transverse))`. Measures can
stand in formulas: `greatest(mesh1.force.transverse)/mean(mesh1.force.transverse)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wheelwork.analyses.vibration.settling import Windows
from wheelwork.description import Formula, ModelError, Problem
from wheelwork.description.formula_parser import FormulaError
from wheelwork.description.units import UnitError
from wheelwork.engine.lane_program import Accumulator
from wheelwork.problems import did_you_mean
from wheelwork.results.spectra import NoOrders, find_order

from .calls import number_in, whole_in, with_calls_named
from .rainflow import counted, equivalent_range
from .units import unit_of

if TYPE_CHECKING:
    from .span import Span

ARGUMENTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("least", "greatest", "peak_to_peak", "mean", "rms", "deviation", "last"), ("signal",)),
    **dict.fromkeys(("history", "unsettled"), ("signal",)),
    **dict.fromkeys(("time_above", "rises"), ("signal", "level")), "order": ("signal", "number", "angle"),
    "skipped": (), "spectrum": ("signal", "greatest frequency"),
    "rainflow": ("signal", "bins", "greatest range"), "equivalent_range": ("signal", "exponent"),
}  # fmt: skip
"""Measures, and what they take."""
GATHERED = {
    "least": ("least",), "greatest": ("greatest",), "peak_to_peak": ("greatest", "least"), "mean": ("mean",),
    "rms": ("square",), "deviation": ("spread", "shifted"), "last": ("last",), "time_above": ("above",),
    "rises": ("rises",), "skipped": (),
}  # fmt: skip
"""What they are made from."""


FROM_HISTORY = ("history", "rainflow", "equivalent_range", "order", "unsettled")
"""Measures that need all samples of a variant."""
MOST_LINES = 10_000


def _dynamic_factor(mesh: str) -> str:
    return f"greatest(abs({mesh}.force.transverse))/abs(mean({mesh}.force.transverse))"


def _load_sharing(*meshes: str) -> str:
    means = [f"mean(abs({mesh}.force.transverse))" for mesh in meshes]
    return f"{len(meshes)}*max({', '.join(means)})/({' + '.join(means)})"


MACROS: dict[str, tuple[int, int, Callable[..., str]]] = {
    "dynamic_factor": (1, 1, _dynamic_factor),
    "load_sharing": (2, 100, _load_sharing),
    "separations": (1, 1, lambda mesh: f"rises({mesh}.gap, 0)"),
}
"""Measures of meshes with compliant or contacting teeth: fewest and most names, and what they stand for."""


class Extent(NamedTuple):
    """A further dimension of a measure, with its values."""

    name: str
    values: tuple[float | str, ...]
    unit: str


class ArrayOps:
    """The functions and operators of formulas, on arrays."""

    def __getattr__(self, name: str) -> Any:
        spelled = {
            "asin": "arcsin",
            "acos": "arccos",
            "atan": "arctan",
            "atan2": "arctan2",
            "sub": "subtract",
        }
        spelled |= {"mul": "multiply", "div": "divide", "neg": "negative", "lt": "less", "le": "less_equal"}
        spelled |= {"gt": "greater", "ge": "greater_equal", "pow": "float_power"}
        function = getattr(np, spelled.get(name, name))
        return lambda *arguments: np.asarray(function(*arguments), float)

    @staticmethod
    def min(*arguments: Any) -> Any:
        return np.minimum.reduce(np.broadcast_arrays(*arguments))

    @staticmethod
    def max(*arguments: Any) -> Any:
        return np.maximum.reduce(np.broadcast_arrays(*arguments))

    @staticmethod
    def if_else(condition: Any, a: Any, b: Any) -> Any:
        return np.where(np.asarray(condition) != 0, a, b)

    @staticmethod
    def step(a: Any) -> Any:
        return np.where(np.asarray(a) > 0, 1.0, 0.0)


@dataclass(frozen=True)
class Measure:
    """One measure: what kind, of which signals (by their places), with which number (level or order)."""

    kind: str
    signals: tuple[int, ...]
    number: float = 0.0
    numbers: tuple[float, ...] = ()
    """Frequencies of a spectrum, bins of counts."""

    @property
    def gathered(self) -> list[tuple[str, float]]:
        """What it is made from while the variant runs, with the number that each needs."""
        if self.kind == "spectrum":
            beside = [0.0, *self.numbers, self.numbers[-1] + self.numbers[0]]
            return [(kind, 2 * math.pi * f) for f in beside for kind in ("cosine", "sine")]
        return [(kind, self.number) for kind in GATHERED[self.kind]]


@dataclass(frozen=True)
class Measures:
    """All measures of a study.

    names: in the order of the results; formulas: of the measures, which are called m0, m1 ... in them
    signals: formulas of signals and parameters
    units: of the results, where these are plain; texts: as they were written
    """

    names: tuple[str, ...]
    formulas: tuple[Formula, ...]
    measures: tuple[Measure, ...]
    signals: tuple[Formula, ...]
    units: tuple[str, ...]
    texts: tuple[str, ...]
    extents: tuple[tuple[Extent, ...], ...]
    """Further dimensions of each result."""

    @property
    def needs_history(self) -> str:
        """What lanes do not have, which keep no samples; empty: nothing."""
        kinds = [measure.kind for measure in self.measures if measure.kind in FROM_HISTORY]
        return kinds[0] if kinds else ""

    @property
    def accumulators(self) -> list[Accumulator]:
        """Of each measure, one after the other."""
        found = []
        for measure in self.measures:
            signal, angle = (*measure.signals, -1, -1)[:2]
            for kind, number in measure.gathered:
                found.append(Accumulator(kind, signal, number, angle if kind in ("cosine", "sine") else -1))
        return found

    def from_accumulators(
        self, gathered: np.ndarray, skips: np.ndarray, interval: float, intervals: int
    ) -> dict[str, np.ndarray]:
        """Results by name, from what lanes have gathered (accumulators, variants)."""
        values, at = [], 0
        for measure in self.measures:
            parts = gathered[at : at + len(measure.gathered)]
            at += len(parts)
            values.append(_finished(measure.kind, parts, skips, interval, intervals))
        return self._results(values)

    def from_samples(
        self, signals: Sequence[np.ndarray], skips: int, interval: float, intervals: int
    ) -> dict[str, np.ndarray]:
        """Results by name, from the samples of the signals of one run."""
        weight = np.ones(intervals + 1)
        weight[[0, -1]] = 0.5
        values = []
        for measure in self.measures:
            x = signals[measure.signals[0]] if measure.signals else np.zeros(0)
            if measure.kind in FROM_HISTORY:
                values.append(np.asarray(_of_history(measure, x, signals[measure.signals[-1]]), float))
                continue
            angle = signals[measure.signals[1]] if len(measure.signals) > 1 else x
            parts = np.array([_gathered(kind, x, angle, number, weight) for kind, number in measure.gathered])
            values.append(_finished(measure.kind, parts, np.array(skips), interval, intervals))
        return self._results(values)

    def _results(self, values: list[np.ndarray]) -> dict[str, np.ndarray]:
        return results_of(self.names, self.formulas, {f"m{k}": value for k, value in enumerate(values)})


def _gathered(kind: str, x: np.ndarray, angle: np.ndarray, number: float, weight: np.ndarray) -> float:
    if kind in ("least", "greatest"):
        return float(x.min() if kind == "least" else x.max())
    if kind == "rises":
        return float(np.count_nonzero((x[:-1] <= number) & (x[1:] > number)))
    if kind == "last":
        return float(x[-1])
    of: dict[str, Callable[[], np.ndarray]] = {
        "mean": lambda: x,
        "square": lambda: x * x,
        "shifted": lambda: x - x[0],
        "spread": lambda: (x - x[0]) ** 2,
        "above": lambda: x > number,
        "cosine": lambda: x * np.cos(number * angle),
        "sine": lambda: x * np.sin(number * angle),
    }
    return float(np.sum(weight * of[kind]()))


def _of_history(measure: Measure, x: np.ndarray, angle: np.ndarray) -> Any:
    if measure.kind == "order":
        try:
            return abs(find_order(x, angle, measure.number))
        except NoOrders:
            return np.nan  # a warning says so (`dataset.warn_of_failures`)
    if measure.kind == "unsettled":
        return Windows.of(len(x), 0, 1).find_left(x[:, None])[0]
    if measure.kind == "rainflow":
        return counted(x, measure.number, int(measure.numbers[0]))
    return equivalent_range(x, measure.number) if measure.kind == "equivalent_range" else x


def _finished(kind: str, parts: np.ndarray, skips: np.ndarray, interval: float, intervals: int) -> np.ndarray:
    if kind == "skipped":
        return skips.astype(float)
    first = parts[0]
    if kind == "peak_to_peak":
        return first - parts[1]
    if kind == "mean":
        return first / intervals
    if kind == "rms":
        return np.sqrt(first / intervals)
    if kind == "deviation":
        return np.sqrt(np.maximum(0.0, first / intervals - (parts[1] / intervals) ** 2))
    if kind == "time_above":
        return first * interval
    if kind == "spectrum":  # lines last, also where there are variants
        lines = 2.0 / intervals * (parts[::2] + 1j * parts[1::2])
        return np.moveaxis(np.abs(lines[1:-1] - (lines[:-2] + lines[2:]) / 2), 0, -1)
    return first


# -- reading


Reading = tuple[Formula, str, tuple[Extent, ...]]
"""Of a measure: the formula, its unit, and its further dimensions."""


def read_each(given: Mapping[str, str], read: Callable[[str, str], Reading]) -> tuple[Any, Any, Any]:
    """Formulas, units and further dimensions of all measures; ModelError with everything that is wrong with them."""
    found, problems = [], []
    for name, text in given.items():
        try:
            found.append(read(name, text))
        except (ValueError, UnitError) as error:
            problems.append(Problem(str(error), path=f"measures.{name}"))
    if not given:
        problems.append(Problem("nothing is measured: give at least one measure", path="measures"))
    if problems:
        raise ModelError(problems)
    formulas, units, extents = zip(*found, strict=True)
    return formulas, units, extents


def results_of(
    names: Sequence[str], formulas: Sequence[Formula], values: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """By name, from the values of the measures in their formulas."""
    with np.errstate(all="ignore"):
        return {
            name: np.asarray(formula.evaluate(values.__getitem__, ArrayOps()), float)
            for name, formula in zip(names, formulas, strict=True)
        }


def read_measures(
    given: Mapping[str, str], known: Callable[[str], str | None], every: Sequence[str], span: Span
) -> Measures:
    """The measures that a user has written; ModelError with everything that is wrong with them.

    known: unit of a signal or parameter, None where there is none; every: names of all signals; span: what is measured
    """
    signals: dict[Formula, int] = {}
    measures: dict[Measure, int] = {}

    def read(name: str, text: str) -> Reading:
        return _MeasureReader(name, signals, measures, known, every, span).formula(text)

    formulas, units, extents = read_each(given, read)
    return Measures(
        tuple(given), formulas, tuple(measures), tuple(signals), units, tuple(given.values()), extents
    )


class _MeasureReader:
    """The measures of one text."""

    def __init__(
        self,
        name: str,
        signals: dict[Formula, int],
        measures: dict[Measure, int],
        known: Callable[[str], str | None],
        every: Sequence[str],
        span: Span,
    ):
        self.name, self.signals, self.measures, self.known, self.every = name, signals, measures, known, every
        self.span = span
        self.units: dict[str, str] = {}
        self.extents: tuple[Extent, ...] = ()

    def formula(self, text: str) -> Reading:
        formula, _ = with_calls_named(text, (*ARGUMENTS, *MACROS), self._call)
        if self.extents and not formula.single_name:
            raise ValueError(f"`{text}`: what is not one number stands alone, and not in a formula")
        return formula, unit_of(formula, self.units.get), self.extents

    def _call(self, kind: str, arguments: list[str]) -> str:
        if kind in MACROS:
            least, most, expand = MACROS[kind]
            if not least <= len(arguments) <= most:
                raise ValueError(
                    f"`{kind}` takes the names of {'two or more meshes' if most > 1 else 'one mesh'}"
                )
            formula, _ = with_calls_named(expand(*arguments), ARGUMENTS, self._call)
            return f"({formula.text})"
        if len(arguments) != len(ARGUMENTS[kind]):
            wanted, given = f"{kind}({', '.join(ARGUMENTS[kind])})", f"{kind}({', '.join(arguments)})"
            raise ValueError(f"is written `{wanted}`, not `{given}`")
        measure, unit = self._measure(kind, arguments)
        name = f"m{self.measures.setdefault(measure, len(self.measures))}"
        self.units[name] = unit
        return name

    def _measure(self, kind: str, arguments: list[str]) -> tuple[Measure, str]:
        if kind == "skipped":
            return Measure(kind, ()), "1"
        signal, unit = self._signal(arguments[0])
        if kind == "order":
            angle, _ = self._signal(arguments[2])
            return Measure(kind, (signal, angle), number_in(arguments[1])), unit
        if kind == "spectrum":
            return self._spectrum(signal, unit, number_in(arguments[1]))
        if kind == "history":
            span = self.span
            times = np.linspace(span.begin, span.end, span.intervals + 1)
            self.extents = (Extent("t", tuple(times.tolist()), "s"),)
            return Measure(kind, (signal,)), unit
        if kind == "rainflow":
            bins, top = whole_in(arguments[1]), number_in(arguments[2])
            if not (top > 0 and bins <= MOST_LINES):
                raise ValueError(
                    f"needs up to {MOST_LINES} bins and a greatest range above zero, not {bins} and {top:g}"
                )
            middles = (np.arange(bins) + 0.5) * top / bins
            self.extents = (Extent(f"{self.name}_range", tuple(middles.tolist()), unit),)
            return Measure(kind, (signal,), top, (float(bins),)), "1"
        number = number_in(arguments[1]) if len(arguments) > 1 else 0.0
        if kind == "equivalent_range" and number <= 0:
            raise ValueError(f"the exponent of a Woehler curve is above zero, not {number:g}")
        return Measure(kind, (signal,), number), {"time_above": "s", "rises": "1", "unsettled": "1"}.get(
            kind, unit
        )

    def _spectrum(self, signal: int, unit: str, top: float) -> tuple[Measure, str]:
        length = self.span.end - self.span.begin
        lines, most = int(top * length + 1e-9), self.span.intervals // 2
        if not 1 <= lines <= min(most, MOST_LINES):
            raise ValueError(
                f"a spectrum up to {top:g} Hz has {lines} lines {1 / length:.4g} Hz apart in a span of {length:g} s; "
                f"from 1 to {min(most, MOST_LINES)} are possible with {self.span.intervals} samples"
            )
        lines_at = tuple((np.arange(1, lines + 1) / length).tolist())
        self.extents = (Extent(f"{self.name}_frequency", lines_at, "Hz"),)
        time, _ = self._signal(f"t - {self.span.begin!r}" if self.span.begin else "t")
        return Measure("spectrum", (signal, time), 0.0, lines_at), unit

    def _signal(self, text: str) -> tuple[int, str]:
        try:
            formula = Formula(text)
        except FormulaError as error:
            raise ValueError(str(error)) from None
        for name in sorted(formula.names()):
            if self.known(name) is None:
                raise ValueError(
                    f"there is no signal or parameter `{name}`. {did_you_mean(name, self.every)}".rstrip()
                )
        return self.signals.setdefault(formula, len(self.signals)), unit_of(formula, self.known)
