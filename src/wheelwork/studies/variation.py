"""What varies in a study: values of parameters, on a grid, drawn at random, or from a table.

Each parameter is given as one of

    [0.1, 0.2, 0.3], ["0.1 mm", "0.2 mm"]   a list: an axis of a grid
    "0 mm to 0.4 mm in 11"                  so many values, both ends among them; "... in 11 log" in equal ratios
    "0.02 mm normal"                        its own value and normally distributed deviations (standard deviation)
    "0.02 mm uniform"                       its own value and deviations up to this size
    "0.1 mm to 0.3 mm uniform"              between two values; "... log" for equal ratios

Lists and ranges with a count span a grid. What is random is drawn together, `count` times, for each point of the grid
alike: independent numbers, a Latin hypercube or Sobol's sequence (``scipy.stats.qmc``). A table has a column for each
parameter and a row for each variant.
"""

from __future__ import annotations

import contextlib
import csv
import io
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.description import ModelError, Problem
from wheelwork.description.dimensions import in_words
from wheelwork.description.source import read_text
from wheelwork.description.units import Quantity, UnitError, parse_quantity, parse_unit
from wheelwork.problems import did_you_mean, listed

SAMPLINGS = ("random", "latin hypercube", "sobol")
MOST = 100_000_000
"""Variants of one study."""
VARIANT = "variant"
"""Dimension of what is drawn at random, or read from a table."""

_RANGE = re.compile(
    r"\s*(?P<low>.+?)\s+to\s+(?P<high>.+?)\s+(?:in\s+(?P<count>\d+)|(?P<kind>uniform))(?P<log>\s+log)?\s*"
)
_DEVIATION = re.compile(r"\s*(?P<size>.+?)\s+(?P<kind>normal|uniform)\s*")


@dataclass(frozen=True)
class Variants:
    """Values of parameters, SI.

    axes: values of the parameters that span a grid, in the order of its dimensions
    columns: values of those that vary together, along the dimension `variant`
    """

    axes: dict[str, np.ndarray]
    columns: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def dimensions(self) -> dict[str, int]:
        sizes = {name: len(values) for name, values in self.axes.items()}
        return sizes | ({VARIANT: len(next(iter(self.columns.values())))} if self.columns else {})

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.dimensions.values())

    @property
    def count(self) -> int:
        return math.prod(self.shape)

    @property
    def names(self) -> list[str]:
        return [*self.axes, *self.columns]

    def values(self, chosen: np.ndarray) -> np.ndarray:
        """Of all parameters (parameters, chosen) for some variants, by their number."""
        places = np.unravel_index(chosen, self.shape)
        rows = [values[place] for values, place in zip(self.axes.values(), places, strict=False)]
        rows += [values[places[-1]] for values in self.columns.values()]
        return np.array(rows).reshape(len(rows), len(chosen))


def read_variants(
    vary: Mapping[str, Any],
    nominal: Mapping[str, float],
    units: Mapping[str, str],
    count: int | None,
    sampling: str,
    seed: int,
) -> Variants:
    """What the arguments of a study say; ModelError with everything that is wrong.

    nominal: the parameters' own values; units: those that have a unit
    """
    problems: list[Problem] = []
    axes: dict[str, np.ndarray] = {}
    drawn: dict[str, tuple[str, float, float]] = {}
    for name, given in vary.items():
        path = f"vary.{name}"
        if name not in nominal:
            hint = did_you_mean(name, nominal) or f"the parameters are {listed(nominal)}"
            problems.append(Problem(f"there is no parameter `{name}`", path=path, hint=hint))
            continue
        try:
            if isinstance(given, str):
                found = _text(given, nominal[name], units.get(name))
            else:
                found = _list(given, units.get(name))
            if isinstance(found, tuple):
                drawn[name] = found
            else:
                axes[name] = found
        except (ValueError, UnitError) as error:
            problems.append(Problem(str(error), path=path))
    if not vary:
        problems.append(Problem("nothing varies: give at least one parameter", path="vary"))
    if sampling not in SAMPLINGS:
        problems.append(Problem(f"`{sampling}` is none of {listed(SAMPLINGS, 'or')}", path="sampling"))
    if drawn and count is None:
        problems.append(
            Problem(f"{listed(drawn)} are drawn at random: say how many with `count`", path="count")
        )
    if count is not None and not drawn:
        problems.append(Problem("nothing is drawn at random: leave `count` out", path="count"))
    if count is not None and count < 1:
        problems.append(Problem(f"needs at least 1, and is {count}", path="count"))
    if not problems:
        total = math.prod([*(len(values) for values in axes.values()), count or 1])
        if total > MOST:
            sizes = " x ".join(f"{len(v)} of `{n}`" for n, v in axes.items())
            sizes += f"{' x ' if sizes and count else ''}{f'{count} drawn' if count else ''}"
            problems.append(
                Problem(f"{sizes} make {total:.3g} variants; up to {MOST:.0e} can be run", path="vary")
            )
    if problems:
        raise ModelError(problems)
    return Variants(axes, _drawn(drawn, count or 0, sampling, seed))


def _number(given: Any, unit: str | None) -> float:
    """A number in SI units; text has its own unit, which must be of the parameter's kind."""
    if isinstance(given, str):
        given = parse_quantity(given)
    if isinstance(given, bool) or not isinstance(given, (int, float, np.integer, np.floating)):
        raise ValueError(f"`{given}` is not a number")
    if isinstance(given, Quantity) and unit is not None and given.unit != unit:
        words = in_words(parse_unit(unit)[1])
        raise ValueError(f"needs {words} (in {unit}), but `{given.text}` is {given.words}")
    if not math.isfinite(given):
        raise ValueError(f"`{given}` is not finite")
    return float(given)


def _list(given: Any, unit: str | None) -> np.ndarray:
    if not isinstance(given, (Sequence, np.ndarray)):
        raise ValueError(f"`{given}` is neither a list of values nor a text such as `0 mm to 1 mm in 5`")
    values = np.array([_number(x, unit) for x in given])
    if not len(values):
        raise ValueError("the list is empty")
    if len(np.unique(values)) < len(values):
        raise ValueError("the list has the same value twice")
    return values


def _text(given: str, nominal: float, unit: str | None) -> np.ndarray | tuple[str, float, float]:
    """Values, or a distribution with its two numbers."""
    match = _RANGE.fullmatch(given)
    if match is not None:
        low, high = _number(match["low"], unit), _number(match["high"], unit)
        if not low < high:
            raise ValueError(f"the range is upside down: `{match['low']}` is not below `{match['high']}`")
        if match["log"] and low <= 0:
            raise ValueError(f"values in equal ratios have to be above zero, and `{match['low']}` is not")
        if match["kind"]:
            return ("log" if match["log"] else "between", low, high)
        count = int(match["count"])
        if count < 2:
            raise ValueError(f"a range with both its ends has at least 2 values, not {count}")
        if count > MOST:
            raise ValueError(f"{count} values are too many; up to {MOST:.0e} can be run")
        return np.geomspace(low, high, count) if match["log"] else np.linspace(low, high, count)
    match = _DEVIATION.fullmatch(given)
    if match is None:
        raise ValueError(
            f"`{given}` is none of: a list of values, `0 mm to 1 mm in 5`, `0.02 mm normal`, `0.02 mm uniform`, "
            "`0 mm to 1 mm uniform`"
        )
    size = _number(match["size"], unit)
    if size <= 0:
        raise ValueError(f"a deviation has to be above zero, and `{match['size']}` is not")
    if match["kind"] == "normal":
        return "normal", nominal, size
    return "between", nominal - size, nominal + size


def _drawn(
    drawn: Mapping[str, tuple[str, float, float]], count: int, sampling: str, seed: int
) -> dict[str, np.ndarray]:
    if not drawn:
        return {}
    from scipy.stats import norm, qmc  # takes a third of a second to import

    d = len(drawn)
    if sampling == "random":
        unit = np.random.default_rng(seed).random((count, d))
    elif sampling == "latin hypercube":
        unit = qmc.LatinHypercube(d, rng=seed).random(count)
    else:
        unit = qmc.Sobol(d, rng=seed).random_base2(math.ceil(math.log2(count)))[:count]
    columns = {}
    for (name, (kind, a, b)), u in zip(drawn.items(), unit.T, strict=True):
        if kind == "normal":
            columns[name] = a + b * norm.ppf(np.clip(u, 1e-16, 1 - 1e-16))
        elif kind == "log":
            columns[name] = a * (b / a) ** u
        else:
            columns[name] = a + (b - a) * u
    return columns


def read_table(path: str | os.PathLike[str], units: Mapping[str, str] | None = None) -> dict[str, np.ndarray]:
    """Columns of a CSV file. Each has a heading, the name of a parameter and, if need be, its unit: `backlash [mm]`.

    Numbers without a unit are SI. Raises ModelError with line and column of what is wrong.
    """
    file = Path(path)
    try:
        read = csv.reader(io.StringIO(read_text(file), newline=""))
        rows = [row for row in read if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ModelError([Problem(f"is not a CSV file: {error}", where=str(file))]) from None
    if len(rows) < 2:
        raise ModelError([Problem("has no row of values below its headings", where=str(file))])
    problems: list[Problem] = []
    columns: dict[str, np.ndarray] = {}
    for k, heading in enumerate(rows[0]):
        match = re.fullmatch(r"\s*([^\[\]]+?)\s*(?:\[(.*)\])?\s*", heading)
        name, factor = heading.strip(), 1.0
        try:
            if match is None:
                raise ValueError(
                    f"the heading `{heading}` is no name of a parameter, with or without `[unit]`"
                )
            name = match[1]
            if match[2] is not None:
                factor, exponents = parse_unit(match[2])
                wanted = (units or {}).get(name)
                if wanted is not None and parse_unit(wanted)[1] != exponents:
                    raise ValueError(
                        f"`{name}` needs {in_words(parse_unit(wanted)[1])}, and `{match[2]}` is {in_words(exponents)}"
                    )
            if name in columns:
                raise ValueError(f"there are two columns `{name}`")
        except (ValueError, UnitError) as error:
            problems.append(Problem(str(error), where=f"{file}:1"))
            continue
        values = np.full(len(rows) - 1, np.nan)
        for r, row in enumerate(rows[1:]):
            cell = row[k] if k < len(row) else ""
            with contextlib.suppress(ValueError):
                values[r] = factor * float(cell)
            if not math.isfinite(values[r]):
                problems.append(
                    Problem(
                        f"`{cell}` in the column `{name}` is not a finite number", where=f"{file}:{r + 2}"
                    )
                )
                break
        columns[name] = values
    if problems:
        raise ModelError(problems)
    return columns
