"""What varies in a study: values of parameters, on a grid, drawn at random, or from a table.

How it is written is described in :mod:`wheelwork.description.study`. Lists and ranges with a count span a grid. What is
random is drawn together, `count` times, for each point of the grid alike: independent numbers, a Latin hypercube or
Sobol's sequence (``scipy.stats.qmc``). A table has a column for each parameter and a row for each variant.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.description import ModelError, Problem
from wheelwork.description.csv_file import read_columns
from wheelwork.description.dimensions import in_words
from wheelwork.description.source import read_text
from wheelwork.description.study import Spread, ValuesAlongAxis, read_varying
from wheelwork.description.units import UnitError, parse_unit
from wheelwork.problems import listed

from .indices import SAMPLES, unit_samples

VARIANT = "variant"
"""Dimension of what is drawn at random, or read from a table."""


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
    table: str | os.PathLike[str] | None = None,
) -> Variants:
    """What the arguments of a study say; ModelError with everything that is wrong.

    nominal: the parameters' own values; units: those that have a unit
    """
    columns = {} if table is None else read_table(table, units)
    hint = f"the parameters are {listed(nominal)}"
    problems = [
        Problem(f"there is no parameter `{name}`", where=str(table), hint=hint)
        for name in columns
        if name not in nominal
    ]
    problems += [Problem("varies in the table too", path=f"vary.{name}") for name in vary if name in columns]
    if problems:
        raise ModelError(problems)
    if columns and not vary:
        return Variants({}, columns)
    axes, drawn, problems = read_varying(vary, nominal, units, count, sampling)
    if not vary:
        problems.append(Problem("nothing varies: give at least one parameter", path="vary"))
    if not problems and columns and drawn:
        problems.append(Problem("a table and random values cannot be combined", path="table"))
    if problems:
        raise ModelError(problems)
    grid = {name: _values(axis) for name, axis in axes.items()}
    return Variants(grid, columns or _drawn(drawn, count or 0, sampling, seed))


def _values(axis: ValuesAlongAxis) -> np.ndarray:
    if not axis.steps:
        return np.array(axis.values)
    return (np.geomspace if axis.log else np.linspace)(axis.low, axis.high, axis.steps)


def _drawn(drawn: Mapping[str, Spread], count: int, sampling: str, seed: int) -> dict[str, np.ndarray]:
    if not drawn:
        return {}
    from scipy.stats import norm, qmc  # takes a third of a second to import

    d = len(drawn)
    if sampling in SAMPLES:
        unit = unit_samples(sampling, list(drawn), count, seed)
    elif sampling == "random":
        unit = np.random.default_rng(seed).random((count, d))
    elif sampling == "latin hypercube":
        unit = qmc.LatinHypercube(d, rng=seed).random(count)
    else:
        unit = qmc.Sobol(d, rng=seed).random_base2(math.ceil(math.log2(count)))[:count]
    columns = {}
    for (name, spread), u in zip(drawn.items(), unit.T, strict=True):
        kind, a, b = spread.kind, spread.a, spread.b
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
    file = str(path)
    problems: list[Problem] = []
    columns: dict[str, np.ndarray] = {}
    for column in read_columns(read_text(Path(path)), file):
        try:
            factor, exponents = (1.0, None) if column.unit is None else parse_unit(column.unit)
            wanted = (units or {}).get(column.name)
            if exponents is not None and wanted is not None and parse_unit(wanted)[1] != exponents:
                needed = in_words(parse_unit(wanted)[1])
                raise UnitError(
                    f"`{column.name}` needs {needed}, and `{column.unit}` is {in_words(exponents)}"
                )
            columns[column.name] = np.array(column.numbers(factor))
        except UnitError as error:
            problems.append(Problem(str(error), where=f"{file}:1"))
        except ModelError as error:
            problems += error.problems
    if problems:
        raise ModelError(problems)
    return columns
