"""Quantities on the command line: `--input sun=3000rpm`, `--load arm=-20Nm`, `--settle 200ms`, and ranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from wheelwork.description.dimensions import TIME
from wheelwork.description.units import UnitError, parse_quantity, parse_unit
from wheelwork.lazy import vibrations_described
from wheelwork.problems import ModelError, Problem

if TYPE_CHECKING:
    import numpy as np

    from wheelwork.description.dimensions import Dimension
    from wheelwork.mechanism import Mechanism


@dataclass(frozen=True)
class GivenQuantity:
    """One `NAME=NUMBER UNIT`: the number as it was written, the factor that makes it SI, and the SI unit."""

    name: str
    number: Fraction
    unit: str
    factor: float
    si_unit: str

    @property
    def si(self) -> float:
        return float(self.number) * self.factor


def read_given(texts: Iterable[str], option: str, dimensions: tuple[Dimension, ...]) -> list[GivenQuantity]:
    """Names with quantities of one of some dimensions; a number alone is SI. All mistakes are one `ModelError`."""
    found: list[GivenQuantity] = []
    problems: list[Problem] = []
    for text in texts:
        one = _one(text, option, dimensions)
        (found if isinstance(one, GivenQuantity) else problems).append(one)  # type: ignore[arg-type]
    for name, count in Counter(given.name for given in found).items():
        if count > 1:
            problems.append(Problem("is given twice", path=f"{option} {name}", hint="give it once"))
    if problems:
        raise ModelError(problems)
    return found


def _one(text: str, option: str, dimensions: tuple[Dimension, ...]) -> GivenQuantity | Problem:
    name, equals, rest = (part.strip() for part in text.partition("="))
    example = f"`{option} {name or 'sun'}={dimensions[0].example.replace(' ', '')}`"
    if not equals or not name or not rest:
        return Problem(f"needs `name=value`, but is `{text}`", path=option, hint=f"such as {example}")
    end = next((k for k in range(len(rest), 0, -1) if _is_number(rest[:k])), 0)
    if not end:
        return Problem(
            f"`{rest}` does not start with a number", path=f"{option} {name}", hint=f"such as {example}"
        )
    number, unit = Fraction(rest[:end].strip()), rest[end:].strip()
    if not unit:
        return GivenQuantity(name, number, "", 1.0, dimensions[0].unit)
    try:
        factor, exponents = parse_unit(unit)
    except UnitError as error:
        return Problem(str(error), path=f"{option} {name}")
    for dimension in dimensions:
        fits = dimension.factor(exponents)
        if fits is not None:
            return GivenQuantity(name, number, unit, factor * fits, dimension.unit)
    wanted = " or ".join(dimension.words for dimension in dimensions)
    return Problem(f"needs {wanted}, but is in `{unit}`", path=f"{option} {name}", hint=f"such as {example}")


def _is_number(text: str) -> bool:
    """Whether a text is a number or a fraction such as `100/3`."""
    try:
        Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        return False
    return True


def in_seconds(text: str, option: str) -> float:
    """A time such as `0.5`, `200 ms`."""
    value: float | None = None
    try:
        value = float(text)
    except ValueError:
        try:
            quantity = parse_quantity(text)
        except UnitError as error:
            raise ModelError(str(error), path=option) from None
        factor = TIME.factor(quantity.exponents)
        value = None if factor is None else float(quantity) * factor
    if value is None or not value > 0:
        why = f"needs a time greater than zero, but is `{text}`"
        raise ModelError(why, path=option, hint=f"such as `{TIME.example}`")
    return value


def parameter_range(
    mechanism: Mechanism, name: str, start: str | None, stop: str | None, points: int, options: str = "--"
) -> np.ndarray:
    """Equal steps between two values of a parameter, each with a unit that fits it."""
    missing = [
        option for option, value in ((f"{options}from", start), (f"{options}to", stop)) if value is None
    ]
    if missing:
        raise ModelError([Problem(f"is needed: the range of `{name}`", path=option) for option in missing])
    if points < 2:
        raise ModelError(f"needs at least 2, but is {points}", path=f"{options}points")
    return vibrations_described.parameter_range(mechanism, name, start, stop, points)
