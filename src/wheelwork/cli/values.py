"""Quantities and ranges on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wheelwork.description.dimensions import TIME
from wheelwork.description.units import UnitError, parse_quantity
from wheelwork.lazy import vibrations_described
from wheelwork.problems import ModelError, Problem

if TYPE_CHECKING:
    import numpy as np

    from wheelwork.mechanism import Mechanism


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
    mechanism: Mechanism, name: str, start: str | None, stop: str | None, points: int
) -> np.ndarray:
    """Equal steps between two values of a parameter, each with a unit that fits it."""
    missing = [option for option, value in (("--from", start), ("--to", stop)) if value is None]
    if missing:
        raise ModelError([Problem(f"is needed: the range of `{name}`", path=option) for option in missing])
    if points < 2:
        raise ModelError(f"needs at least 2, but is {points}", path="--points")
    return vibrations_described.parameter_range(mechanism, name, start, stop, points)
