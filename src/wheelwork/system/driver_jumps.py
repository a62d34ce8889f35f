"""Drivers that jump: a position that changes in no time has no velocity, and a speed that does needs an impulse. Needs
NumPy only.

Jumps are looked for at the corners of the formulas (:mod:`.corners`) and, for functions that have none there and jump
all the same (`atan2`, `tan`, 1/t), between samples where the values differ by more than their derivatives account for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.problems import ModelError, warn

if TYPE_CHECKING:
    from wheelwork.description import Flat

    from .program import Numbers, Program
    from .uses import TableUse

SAMPLES = 4096
SUSPECTS = 8  # intervals between samples that are looked at closely
NEGLIGIBLE = 1e-9  # m, rad, or of the largest value
RISE = "let it rise over some time, such as with `min(max((t - t0)/rise, 0), 1)` or a smooth table"
GENTLY = "value, speed and acceleration must be finite: take a function that starts and turns more gently"

Functions = Callable[[np.ndarray], np.ndarray]
"""Value, first and second derivative of each driver at times (drivers, 3, times)."""

Jumps = tuple[dict[int, str], dict[int, tuple[float, float]], dict[int, tuple[float, float]]]
"""By driver: what is not finite; of positions and of speeds, when it jumps most, and how far."""


class DriverWarning(UserWarning):
    """A driver asks for an impulse."""


def check_drivers(
    program: Program, numbers: Numbers, flat: Flat, start: float, end: float, corners: Sequence[float]
) -> None:
    """Raise ModelError where a driver jumps; warn where its speed does."""
    if not program.driver_constraints:
        return
    content = (start, end, tuple(corners), *numbers.parameters.values())
    jumps = program.recent(
        "jumps", content, lambda: driver_jumps(functions_of(program, numbers), start, end, corners)
    )
    faults = driver_faults(jumps, drivers_of(program))
    if faults:
        raise ModelError(
            [flat.drivers[name].problem(text, hint, ("value",)) for name, (text, hint) in faults.items()]
        )


def drivers_of(program: Program) -> list[tuple[str, str]]:
    """Name and unit of each driver."""
    out = []
    for name, index in program.driver_constraints.items():
        (coordinate,) = program.constraints[index].kernel.row_names
        out.append((name, "rad" if coordinate == "angle" else "m"))
    return out


def functions_of(program: Program, numbers: Numbers) -> Functions:
    parameters = np.array([numbers.parameters[n] for n in program.parameter_names]).reshape(-1, 1)
    formulas = program.formulas
    return driver_functions(
        [program.constraints[c].input for c in program.driver_constraints.values()],
        None
        if formulas is None
        else lambda t: np.array(formulas(t.reshape(1, -1), parameters)).reshape(-1, 3, len(t)),
        program.formula_inputs,
        program.tables,
    )


def driver_jumps(functions: Functions, start: float, end: float, corners: Sequence[float]) -> Jumps:
    """Drivers that are not finite; else jumps of the drivers' positions, and of their speeds."""
    t = np.linspace(start, end, SAMPLES + 1)
    with np.errstate(all="ignore"):
        samples = functions(t)
        not_finite = _not_finite(functions, t, samples, corners)
        if not_finite:
            return not_finite, {}, {}
        positions, speeds = (_jumps(functions, order, t, samples, corners) for order in (0, 1))
    return {}, positions, speeds


def driver_faults(jumps: Jumps, drivers: Sequence[tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """What is wrong with drivers (name, unit) that jump or have no speed, and what to do; warns of speeds that jump."""
    not_finite, positions, speeds = jumps
    faults = {drivers[k][0]: (text, GENTLY) for k, text in not_finite.items()}
    for k, (at, size) in positions.items():
        name, unit = drivers[k]
        text = f"jumps by {size:.4g} {unit} at t = {at:.6g} s: a position that changes in no time has no velocity"
        faults[name] = text, RISE
    for k, (at, size) in {} if faults else speeds.items():
        name, unit = drivers[k]
        warn(
            f"driver `{name}`: its speed jumps by {size:.4g} {unit}/s at t = {at:.6g} s. That takes "
            "an impulse, which is in no force, torque or energy balance; a smooth function or table takes none",
            DriverWarning,
        )
    return faults


def driver_functions(
    inputs: Sequence[int],
    formulas: Functions | None,
    formula_inputs: Sequence[int],
    tables: Iterable[TableUse],
) -> Functions:
    """Of drivers by their inputs, from the formulas of time and the tables that give these."""
    table_of = {table.input: table for table in tables}

    def values(t: np.ndarray) -> np.ndarray:
        found = np.zeros((0, 3, len(t))) if formulas is None else formulas(t)
        return np.array(
            [
                table_of[slot].at(t) if slot in table_of else found[list(formula_inputs).index(slot)]
                for slot in inputs
            ]
        )

    return values


def _not_finite(
    functions: Functions, t: np.ndarray, samples: np.ndarray, corners: Sequence[float]
) -> dict[int, str]:
    """Drivers that are not finite at the start, at the end or for some time, or grow without bound beside a corner."""
    sizes = np.zeros((len(samples), 3, 0, 2, 2))
    if corners:
        far, near = (max(part * (t[-1] - t[0]), 1e3 * np.spacing(abs(t).max())) for part in (1e-5, 1e-8))
        beside = np.array([c + side * d for c in corners for d in (far, near) for side in (-1, 1)])
        sizes = np.abs(functions(np.clip(beside, t[0], t[-1]))).reshape(len(samples), 3, -1, 2, 2)
    found = {}
    for k in range(len(samples)):
        bad = ~np.isfinite(samples[k])
        for order, what in enumerate(("value", "speed", "acceleration")):
            lasting = bad[order] & (np.append(True, bad[order][:-1]) | np.append(bad[order][1:], True))
            grows = sizes[k, order, :, 1] > 10 * sizes[k, order, :, 0] + 10 * np.nanmedian(
                np.abs(samples[k, order])
            )
            times = [*t[lasting], *np.asarray(corners)[grows.any(axis=1)]]
            if times:
                found[k] = f"has no finite {what} at t = {min(times):.6g} s"
                break
    return found


def _jumps(
    functions: Functions, order: int, t: np.ndarray, samples: np.ndarray, corners: Sequence[float]
) -> dict[int, tuple[float, float]]:
    """Of each driver that has any, the largest jump of its derivative of some order: when, and how far."""
    start, end = float(t[0]), float(t[-1])
    near = 4 * np.spacing(max(abs(start), abs(end)))
    if order:  # a speed that jumps at the start or the end does so outside the run
        t, corners = t[1:-1], [c for c in corners if start + near < c < end - near]
        samples = samples[:, :, 1:-1]
    found: dict[int, tuple[float, float]] = {}
    for k in range(len(samples)):
        u, slope = samples[k, order], samples[k, order + 1]
        scale = NEGLIGIBLE * max(1.0, float(np.median(np.nan_to_num(np.abs(u)))))
        surprise = np.nan_to_num(np.abs(np.diff(u) - np.diff(t) * (slope[1:] + slope[:-1]) / 2), nan=0.0)
        suspects = np.argsort(surprise)[-SUSPECTS:]
        suspects = suspects[surprise[suspects] > scale / 2]
        low = np.append([c - near for c in corners], t[suspects])
        high = np.append([c + near for c in corners], t[suspects + 1])
        low, high = np.clip(low, start, end), np.clip(high, start, end)
        while np.any(wide := high - low > 2 * near):
            middle = (low + high) / 2
            value = functions(np.concatenate([low, middle, high]))[k].reshape(3, 3, -1)
            rise = (
                (value[order + 1, 1:] + value[order + 1, :-1]) / 2 * np.array([middle - low, high - middle])
            )
            left = np.abs(np.diff(value[order], axis=0) - rise)
            first = left[0] >= left[1]
            low, high = np.where(wide & ~first, middle, low), np.where(wide & first, middle, high)
            smooth = wide & (left.max(axis=0) <= scale / 2)  # its derivatives account for all of it
            low, high = low[~smooth], high[~smooth]
        if not len(low):
            continue
        sides = [functions(x)[k] for x in (low, high)]
        steepest = np.maximum(*(np.abs(side[order + 1]) for side in sides))
        size = np.abs(sides[1][order] - sides[0][order]) - 2 * steepest * (high - low)
        worst = int(np.nanargmax(np.append(size, -1.0)))
        if worst < len(size) and size[worst] > scale:
            at = float((low[worst] + high[worst]) / 2)
            found[k] = start if at - start <= near else at, float(size[worst])
    return found
