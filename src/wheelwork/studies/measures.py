"""Measures of a run: numbers of its signals over the samples of the measuring span.

    least(x)  greatest(x)  peak_to_peak(x)
    mean(x)  rms(x)  deviation(x)          over time, by the trapezoidal rule; deviation: standard deviation
    last(x)                                at the end
    time_above(x, level)                   how long x is above a level [s]
    rises(x, level)                        how often x comes above a level: separations of teeth, with their gap and 0
    order(x, n, angle)                     amplitude of x at n times an angle, such as that of a shaft:
                                           2/T | integral x exp(-i n angle) dt |
    skipped()                              teeth that skipped

x and angle are signals or formulas of signals and parameters: `greatest(abs(mesh1.force.transverse))`. Measures can
stand in formulas: `greatest(mesh1.force.transverse)/mean(mesh1.force.transverse)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wheelwork.description import NUMERIC, Formula, Problem
from wheelwork.description.formula_parser import FormulaError
from wheelwork.description.units import UnitError, parse_quantity
from wheelwork.engine.lane_code import Accumulator
from wheelwork.problems import did_you_mean

ARGUMENTS = {
    "least": 1, "greatest": 1, "peak_to_peak": 1, "mean": 1, "rms": 1, "deviation": 1, "last": 1, "time_above": 2,
    "rises": 2, "order": 3, "skipped": 0,
}  # fmt: skip
"""Measures, and how many arguments they take."""
GATHERED = {
    "least": ("least",), "greatest": ("greatest",), "peak_to_peak": ("greatest", "least"), "mean": ("mean",),
    "rms": ("square",), "deviation": ("spread", "shifted"), "last": ("last",), "time_above": ("above",),
    "rises": ("rises",), "order": ("cosine", "sine"), "skipped": (),
}  # fmt: skip
"""What they are made from."""


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


@dataclass(frozen=True)
class Measures:
    """All measures of a study.

    names: in the order of the results; formulas: of the measures, which are called m0, m1 ... in them
    signals: formulas of signals and parameters
    units: of the results, where these are plain
    """

    names: tuple[str, ...]
    formulas: tuple[Formula, ...]
    measures: tuple[Measure, ...]
    signals: tuple[Formula, ...]
    units: tuple[str, ...]

    @property
    def accumulators(self) -> list[Accumulator]:
        """Of each measure, one after the other."""
        found = []
        for measure in self.measures:
            for kind in GATHERED[measure.kind]:
                signal, angle = (
                    (*measure.signals, -1)[:2] if measure.kind == "order" else (*measure.signals[:1], -1)
                )
                found.append(Accumulator(kind, signal, measure.number, angle))
        return found

    def from_accumulators(
        self, gathered: np.ndarray, skips: np.ndarray, interval: float, intervals: int
    ) -> dict[str, np.ndarray]:
        """Results by name, from what lanes have gathered (accumulators, variants)."""
        values, at = [], 0
        for measure in self.measures:
            parts = gathered[at : at + len(GATHERED[measure.kind])]
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
            parts = []
            for kind in GATHERED[measure.kind]:
                x = signals[measure.signals[0]]
                angle = signals[measure.signals[1]] if measure.kind == "order" else x
                parts.append(_gathered(kind, x, angle, measure.number, weight))
            values.append(_finished(measure.kind, np.array(parts), np.array(skips), interval, intervals))
        return self._results(values)

    def _results(self, values: list[np.ndarray]) -> dict[str, np.ndarray]:
        known = {f"m{k}": value for k, value in enumerate(values)}
        with np.errstate(all="ignore"):
            return {
                name: np.asarray(formula.evaluate(known.__getitem__, ArrayOps()), float)
                for name, formula in zip(self.names, self.formulas, strict=True)
            }


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
    if kind == "order":
        return 2.0 / intervals * np.hypot(first, parts[1])
    return first


# -- reading


def read_measures(
    given: Mapping[str, str], known: Callable[[str], str | None], every: Sequence[str]
) -> tuple[Measures | None, list[Problem]]:
    """The measures that a user has written, and everything that is wrong with them.

    known: unit of a signal or parameter, None where there is none; every: names of all signals
    """
    problems: list[Problem] = []
    signals: dict[Formula, int] = {}
    measures: dict[Measure, int] = {}
    names, formulas, units = [], [], []
    for name, text in given.items():
        try:
            if not isinstance(text, str):
                raise ValueError(f"`{text}` is not a text such as `greatest(mesh1.force.transverse)`")
            formula, unit = _Reading(text, signals, measures, known, every).formula()
            names.append(name)
            formulas.append(formula)
            units.append(unit)
        except (ValueError, UnitError) as error:
            problems.append(Problem(str(error), path=f"measures.{name}"))
    if not given:
        problems.append(Problem("nothing is measured: give at least one measure", path="measures"))
    if problems:
        return None, problems
    return Measures(tuple(names), tuple(formulas), tuple(measures), tuple(signals), tuple(units)), []


class _Reading:
    """One text: its measures are taken out and become names."""

    def __init__(
        self,
        text: str,
        signals: dict[Formula, int],
        measures: dict[Measure, int],
        known: Callable[[str], str | None],
        every: Sequence[str],
    ):
        self.text, self.signals, self.measures, self.known, self.every = text, signals, measures, known, every

    def formula(self) -> tuple[Formula, str]:
        rest, units, at = "", [], 0
        while at < len(self.text):
            call = next((n for n in ARGUMENTS if self._begins(n, at)), None)
            if call is None:
                rest, at = rest + self.text[at], at + 1
                continue
            opened = self.text.index("(", at)
            closed = self._closing(opened)
            measure, unit = self._measure(call, self._split(self.text[opened + 1 : closed]))
            units.append(unit)
            rest += f"m{self.measures.setdefault(measure, len(self.measures))}"
            at = closed + 1
        try:
            formula = Formula(rest)
        except FormulaError as error:
            raise ValueError(f"`{self.text}`: {error}") from None
        outside = sorted(n for n in formula.names() if n not in {f"m{k}" for k in range(len(self.measures))})
        if outside or not units:
            kinds = ", ".join(ARGUMENTS)
            what = f"`{outside[0]}` stands outside of a measure" if outside else "no measure stands in it"
            raise ValueError(f"`{self.text}`: {what}; the measures are {kinds}")
        return formula, units[0] if formula.single_name else ""

    def _begins(self, name: str, at: int) -> bool:
        if not self.text.startswith(name, at):
            return False
        before = self.text[at - 1] if at else " "
        return not (before.isalnum() or before in "_.`") and self.text[at + len(name) :].lstrip().startswith(
            "("
        )

    def _closing(self, opened: int) -> int:
        depth = 0
        for k in range(opened, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[k], 0)
            if depth == 0:
                return k
        raise ValueError(f"`{self.text}`: a parenthesis is not closed")

    @staticmethod
    def _split(inside: str) -> list[str]:
        parts, depth = [""], 0
        for c in inside:
            depth += {"(": 1, ")": -1}.get(c, 0)
            if c == "," and depth == 0:
                parts.append("")
            else:
                parts[-1] += c
        return [part.strip() for part in parts if part.strip()]

    def _measure(self, kind: str, arguments: list[str]) -> tuple[Measure, str]:
        if len(arguments) != ARGUMENTS[kind]:
            raise ValueError(
                f"`{kind}` takes {ARGUMENTS[kind]} arguments, and `{self.text}` has {len(arguments)}"
            )
        if kind == "skipped":
            return Measure(kind, ()), "1"
        signal, unit = self._signal(arguments[0])
        if kind == "order":
            angle, _ = self._signal(arguments[2])
            return Measure(kind, (signal, angle), self._number(arguments[1])), unit
        number = self._number(arguments[1]) if len(arguments) > 1 else 0.0
        return Measure(kind, (signal,), number), {"time_above": "s", "rises": "1"}.get(kind, unit)

    def _number(self, text: str) -> float:
        try:
            return float(parse_quantity(text))
        except UnitError:
            formula = Formula(text)
            if formula.names():
                raise ValueError(f"`{text}` has to be a number here, with or without a unit") from None
            return formula.evaluate({}.__getitem__, NUMERIC)

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
        unit = self.known(formula.single_name) if formula.single_name else ""
        return self.signals.setdefault(formula, len(self.signals)), unit or ""
