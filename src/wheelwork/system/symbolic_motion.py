"""Signals of one moment as expressions: the very definitions of :mod:`.signals`, evaluated with symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from wheelwork.lazy import casadi as ca
from wheelwork.problems import ModelError, Problem

from .motion import Motion
from .program import Numbers, Program
from .signals import Signal


def symbols_of_moment(program: Program) -> dict[str, ca.SX]:
    """Time, state, accelerations, multipliers, friction forces, inputs (value and two derivatives each, or pieces of
    splines) and the numbers of the elements: what functions of a moment take, in this order."""
    sizes = {
        "t": 1,
        "state": program.n,
        "acceleration": program.nv,
        "multipliers": program.rows,
        "friction": len(program.frictions),
        "inputs": 3 * program.inputs,
        "data": program.data_size,
    }
    return {name: ca.SX.sym(name, size) for name, size in sizes.items()}


def value_of(signal: Signal, motion: SymbolicMotion) -> ca.SX:
    """A signal (a number, no vector); a ValueError says what it does that no expression can."""
    if signal.rate is not None:
        raise ValueError("is summed up along a run")
    try:
        return ca.SX(np.asarray(signal.compute(motion), object).reshape(-1)[0])
    except NotImplementedError as error:
        raise ValueError(str(error)) from None
    except (TypeError, ValueError, RuntimeError, AttributeError):
        raise ValueError("is no expression of one moment") from None


def output_function(program: Program, numbers: Numbers, signals: Sequence[Signal]) -> ca.Function:
    """Signals as outputs of an FMU, from the symbols of a moment."""
    symbols = symbols_of_moment(program)
    motion = SymbolicMotion.of(program, numbers, symbols)
    found, problems = [], []
    for signal in signals:
        try:
            found.append(value_of(signal, motion))
        except ValueError as error:
            why = f"`{signal.name}` cannot be an output of an FMU: it {error}"
            problems.append(Problem(why, path="outputs"))
    if problems:
        raise ModelError(problems)
    columns: Any = ca.cse([ca.densify(ca.vertcat(*found))]) if found else [ca.SX(0, 1)]
    return ca.Function("fmu_outputs", list(symbols.values()), columns)


def symbolic_numbers(program: Program, data: ca.SX) -> Numbers:
    """The numbers of a program by those of its elements, which begin with the parameters."""
    count = len(program.bodies)
    parts = program.numbers_function.call([data[: len(program.parameter_names)]])
    mass, inertia, gravity, center = (_entries(ca.vec(part)) for part in parts[1:5])
    parameters: Any = {name: data[k] for k, name in enumerate(program.parameter_names)}
    return Numbers(
        _entries(data),
        mass,
        inertia.reshape(count, 3, 3).transpose(0, 2, 1),
        gravity.reshape(count, 3),
        center.reshape(count, 3),
        np.zeros(program.n),
        parameters,
    )


class SymbolicMotion(Motion):
    """A motion of one moment whose numbers are symbols."""

    @classmethod
    def of(cls, program: Program, numbers: Numbers, symbols: dict[str, ca.SX]) -> Self:
        row = {name: _entries(symbol).reshape(1, -1) for name, symbol in symbols.items()}
        made = cls(
            program,
            replace(numbers, data=_entries(symbols["data"])),
            row["t"][0],
            row["state"],
            row["acceleration"],
            row["multipliers"],
            row["friction"],
        )
        made.__dict__["inputs"] = row["inputs"].reshape(1, -1, 3)
        return made

    def evaluate(self, function: ca.Function, columns: list[np.ndarray]) -> list[np.ndarray]:
        given = [ca.vertcat(ca.SX(0, 1), *np.asarray(column, object).ravel()) for column in columns]
        results = []
        for found in function.call(given):
            dense = ca.densify(found)
            array = np.empty((*dense.shape, 1), object)
            for i in range(dense.shape[0]):
                for j in range(dense.shape[1]):
                    array[i, j, 0] = dense[i, j]
            results.append(array[:, 0] if dense.shape[1] == 1 else array)
        return results

    def _nearest_angle(self, sine: np.ndarray, cosine: np.ndarray, counted: np.ndarray) -> np.ndarray:
        angle = ca.atan2(sine[0], cosine[0])
        return _one(angle + 2 * np.pi * ca.floor((counted[0] - angle) / (2 * np.pi) + 0.5))

    def largest(self, values: np.ndarray) -> np.ndarray:
        found = ca.SX(0)
        for value in values[:, 0]:
            found = ca.fmax(found, ca.fabs(value))
        return _one(found)

    def direction(self, values: np.ndarray, least: float) -> np.ndarray:
        return _one(ca.if_else(ca.fabs(values[0]) > least, ca.sign(values[0]), 0.0))

    def about(self, torque: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        apart = self.largest((first - second).T)
        along, size = (np.sum(torque * axis, axis=1)[0] for axis in (first, torque))
        return _one(ca.if_else(apart[0] <= 1e-9, along, ca.sqrt(size)))

    def skipped(self, mesh: str) -> np.ndarray:
        raise NotImplementedError("is counted along a run")

    def lost(self, element: str) -> np.ndarray:
        raise NotImplementedError("is counted along a run")


def _one(value: ca.SX) -> np.ndarray:
    out = np.empty(1, object)
    out[0] = value
    return out


def _entries(symbol: ca.SX) -> np.ndarray:
    out = np.empty(symbol.numel(), object)
    for k, entry in enumerate(ca.vertsplit(symbol) if symbol.numel() else []):
        out[k] = entry
    return out


def scalar(signal: Signal, component: Any = None) -> Signal:
    """One component of a vector."""
    if component is None:
        return signal
    k = signal.components.index(component)
    return replace(
        signal, name=f"{signal.name}.{component}", compute=lambda m: signal.compute(m)[:, k], components=()
    )
