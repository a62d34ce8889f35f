"""Drivers that jump: a position that changes in no time has no velocity, and a speed that does needs an impulse.

Jumps are looked for at the corners of the formulas (:mod:`wheelwork.equations.corners`) and, for functions that have
none there and jump all the same (`atan2`, `tan`, 1/t), between samples where the values differ by more than their
derivatives account for.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wheelwork.description import ModelError
from wheelwork.equations.program import Numbers, Program

from .prepare import Prepared

SAMPLES = 4096
SUSPECTS = 8  # intervals between samples that are looked at closely
NEGLIGIBLE = 1e-9  # m, rad, or of the largest value

Functions = Callable[[np.ndarray], np.ndarray]
"""Value, first and second derivative of each driver at times (drivers, 3, times)."""


class DriverWarning(UserWarning):
    """A driver asks for an impulse."""


def check_drivers(prepared: Prepared, start: float, end: float, corners: Sequence[float]) -> None:
    """Raise ModelError where a driver jumps; warn where its speed does."""
    program = prepared.program
    names = list(program.driver_constraints)
    if not names:
        return
    functions = _functions(program, prepared.numbers)
    t = np.linspace(start, end, SAMPLES + 1)
    with np.errstate(all="ignore"):
        samples = functions(t)
        positions, speeds = (_jumps(functions, order, t, samples, corners) for order in (0, 1))
    problems = []
    for name, at, size in ((names[k], *largest) for k, largest in positions.items()):
        unit = _unit(prepared, name)
        problems.append(
            prepared.flat.drivers[name].problem(
                f"jumps by {size:.4g} {unit} at t = {at:.6g} s: a position that changes in no time has no velocity",
                "let it rise over some time, such as with `min(max((t - t0)/rise, 0), 1)` or a smooth table",
                ("value",),
            )
        )
    if problems:
        raise ModelError(problems)
    for name, at, size in ((names[k], *largest) for k, largest in speeds.items()):
        warnings.warn(
            f"driver `{name}`: its speed jumps by {size:.4g} {_unit(prepared, name)}/s at t = {at:.6g} s. That takes "
            "an impulse, which is in no force, torque or energy balance; a smooth function or table takes none",
            DriverWarning,
            stacklevel=5,
        )


def _unit(prepared: Prepared, name: str) -> str:
    use = prepared.program.constraints[prepared.program.driver_constraints[name]]
    element: Any = prepared.flat.drivers[name].element
    turning = element.type == "rotation" or getattr(element, "coordinate", None) == "angle"
    return "rad" if turning or use.turn >= 0 else "m"


def _functions(program: Program, numbers: Numbers) -> Functions:
    inputs = [program.constraints[c].input for c in program.driver_constraints.values()]
    tables = {table.input: table for table in program.tables}
    formulas = program.formulas
    parameters = np.array([numbers.parameters[n] for n in program.parameter_names]).reshape(-1, 1)

    def values(t: np.ndarray) -> np.ndarray:
        found = np.zeros((0, 3, len(t)))
        if formulas is not None:
            found = np.array(formulas(t.reshape(1, -1), parameters)).reshape(-1, 3, len(t))
        out = []
        for slot in inputs:
            if slot in tables:
                knots, pieces = tables[slot].knots, tables[slot].pieces
                piece = np.maximum(0, np.searchsorted(knots, t, side="right") - 1)
                (c0, c1, c2, c3), s = pieces[piece].T, t - knots[piece]
                out.append(
                    [
                        c0 + s * (c1 + s * (c2 + s * c3)),
                        c1 + s * (2 * c2 + 3 * s * c3),
                        2 * c2 + 6 * s * c3,
                    ]
                )
            else:
                out.append(found[program.formula_inputs.index(slot)])
        return np.array(out)

    return values


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
