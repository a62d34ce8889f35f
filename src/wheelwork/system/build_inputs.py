"""Inputs of forces and drivers: constants, functions of time, formulas over the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.forces import Binding
from wheelwork.equations.values import SYMBOLIC
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import interpolate

from .corners import switches
from .force_kernels import InputPlan
from .formula_signals import SignalReader, reader_of
from .program import Program, TableUse

if TYPE_CHECKING:
    from .build import _Builder


@dataclass
class Bound:
    """A binding with its inputs sorted out: what a kernel and its use are made of."""

    bodies: list[str]
    data: list[ca.SX]
    turns: list[int]
    plans: list[InputPlan] = field(default_factory=list)
    time_inputs: int = 0
    first_input: int = 0
    key: str = ""


class InputBuilder:
    """Collects the functions of time of a mechanism; weaves state-dependent formulas into kernels."""

    def __init__(self, builder: _Builder):
        self.builder = builder
        self.count = 0
        self._formulas: list[tuple[int, Any]] = []
        self._tables: list[tuple[int, Any]] = []
        self._time = ca.SX.sym("t")
        self._switches: list[ca.SX] = []

    def function_of_time(self, value: Any) -> int:
        """A new input slot for a number, formula of t or table."""
        slot = self.count
        self.count += 1
        if hasattr(value, "interpolation"):
            self._tables.append((slot, value))
        else:
            self._formulas.append((slot, value))
            self._note_corners(value)
        return slot

    def _note_corners(self, value: Any) -> None:
        """Where a formula is not smooth in time."""
        if hasattr(value, "evaluate"):
            self._switches += switches(value, self._time, self.builder.parameters.find)

    def reserve(self, slots: int) -> int:
        """Slots that something else than functions of time will fill; returns the first."""
        self.count += slots
        return self.count - slots

    def bind(self, binding: Binding) -> Bound:
        bound = Bound(list(binding.bodies), list(binding.data), list(binding.turns))
        bound.first_input = self.count
        keys = []
        for value in binding.inputs:
            names = value.names() if hasattr(value, "names") else set()
            signals = {name for name in names if name != "t" and name not in self.builder.parameters}
            if hasattr(value, "interpolation") or (names and not signals and "t" in names):
                self.function_of_time(value)
                bound.plans.append(InputPlan("time", bound.time_inputs))
                bound.time_inputs += 1
                keys.append("time")
            elif not signals:
                bound.plans.append(
                    InputPlan("constant", self._append(bound, self.builder.parameters.value(value)))
                )
                keys.append("constant")
            else:
                plan, key = self._state(bound, value, names, signals)
                bound.plans.append(plan)
                keys.append(key)
        bound.key = ";".join(keys)
        return bound

    @staticmethod
    def _append(bound: Bound, column: ca.SX) -> int:
        offset = sum(ca.SX(part).numel() for part in bound.data)
        bound.data.append(column)
        return offset

    def _state(self, bound: Bound, formula: Any, names: set[str], signals: set[str]) -> tuple[InputPlan, str]:
        if "t" in names:
            self._note_corners(formula)
        readers: dict[str, tuple[SignalReader, list[int], int, int]] = {}
        places: dict[str, int] = {}
        roles: dict[str, str] = {"t": "t"}
        for name in sorted(signals):
            reader = reader_of(name, self.builder.registry)
            seen = []
            for body in reader.bodies:
                if body not in bound.bodies:
                    bound.bodies.append(body)
                seen.append(bound.bodies.index(body))
            offset = self._append(bound, ca.vertcat(ca.SX(0, 1), *reader.data))
            turn = -1
            if reader.turn is not None:
                turn = len(bound.turns)
                bound.turns.append(reader.turn)
            readers[name] = (reader, seen, offset, turn)
            roles[name] = f"s{len(roles)}_{reader.key}_{seen}_{offset}_{turn}"
        for name in sorted(names - signals - {"t"}):
            places[name] = self._append(bound, ca.SX(self.builder.parameters[name]))
            roles[name] = f"p{places[name]}"

        def make(frames: list[Any], data: ca.SX, turns: ca.SX, time: ca.SX) -> ca.SX:
            def look_up(name: str) -> ca.SX:
                if name == "t":
                    return time
                if name in places:
                    return data[places[name]]
                reader, seen, offset, turn = readers[name]
                count = turns[turn] if turn >= 0 else ca.SX(0)
                return reader.read([frames[k] for k in seen], data[offset:], count)

            return ca.SX(formula.evaluate(look_up, SYMBOLIC))

        return InputPlan("state", make=make), str(formula.rename(lambda name: roles[name]).canonical)

    def finish(self, program: Program) -> None:
        program.inputs = self.count
        program.tables = [_table(slot, table) for slot, table in self._tables]
        program.knots = np.concatenate([np.empty(0), *(_corners(table) for _, table in self._tables)])
        time, parameters = self._time, self.builder.parameters
        if self._switches:
            program.switches = ca.Function(
                "switches", [time, parameters.column], [ca.vertcat(*self._switches)]
            )
        if not self._formulas:
            return
        outputs = []
        for _, value in self._formulas:
            look_up: Callable[[str], Any] = lambda name: time if name == "t" else parameters[name]  # noqa: E731
            expression = value.evaluate(look_up, SYMBOLIC) if hasattr(value, "evaluate") else float(value)
            first = ca.jacobian(ca.SX(expression), time)
            outputs += [ca.SX(expression), first, ca.jacobian(first, time)]
        program.formula_inputs = [slot for slot, _ in self._formulas]
        # kernels take numbers, so the parameters are an argument of the function
        program.formulas = ca.Function(
            "formulas", [time, parameters.column], ca.cse([ca.densify(ca.SX(ca.vertcat(*outputs)))])
        )


def _corners(table: Any) -> np.ndarray:
    times = np.array(table.time, float)
    return times[[0, -1]] if table.interpolation == "smooth" else times


def _table(slot: int, table: Any) -> TableUse:
    """Cubic pieces of a table: a spline with continuous second derivative, or straight lines; the end values hold."""
    times, values = np.array(table.time, float), np.array(table.value, float)
    inner = np.zeros((len(times) - 1, 4))
    if table.interpolation == "smooth" and len(times) > 2:
        inner[:] = interpolate.CubicSpline(times, values, bc_type="not-a-knot").c[::-1].T
    else:
        inner[:, 0], inner[:, 1] = values[:-1], np.diff(values) / np.diff(times)
    knots = np.concatenate([[times[0] - 1.0], times])
    pieces = np.vstack([[values[0], 0, 0, 0], inner, [values[-1], 0, 0, 0]])
    return TableUse(slot, knots, pieces)
