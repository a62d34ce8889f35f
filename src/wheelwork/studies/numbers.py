"""Numbers of a model as functions of the parameters that vary: for all variants at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from wheelwork.description import Formula
from wheelwork.description.base import Value
from wheelwork.equations.values import SYMBOLIC
from wheelwork.system.program import Program


@dataclass(frozen=True)
class VaryingNumbers:
    """The numbers of a program when some parameters vary.

    parameters: values or formulas of all parameters, by name; varied: the names of those that vary
    """

    program: Program
    parameters: Mapping[str, Value]
    varied: Sequence[str]

    @cached_property
    def _symbols(self) -> ca.SX:
        return ca.SX.sym("x", len(self.varied))

    @cached_property
    def _column(self) -> ca.SX:
        """All parameters, in the order of the program, in terms of those that vary."""
        done: dict[str, ca.SX | float] = {
            name: float(value) for name, value in self.parameters.items() if not isinstance(value, Formula)
        }
        done |= {name: self._symbols[k] for k, name in enumerate(self.varied)}
        waiting = {n: v for n, v in self.parameters.items() if isinstance(v, Formula) and n not in done}
        while waiting:
            ready = [name for name, formula in waiting.items() if formula.names() <= done.keys()]
            for name in ready:
                done[name] = waiting.pop(name).evaluate(done.__getitem__, SYMBOLIC)
        return ca.vertcat(ca.SX(0, 1), *(done[name] for name in self.program.parameter_names))

    @cached_property
    def resolved(self) -> ca.Function:
        """Varying parameters -> all parameters of the program."""
        return ca.Function("parameters", [self._symbols], [ca.densify(self._column)])

    @cached_property
    def _results(self) -> list[ca.SX]:
        return self.program.numbers_function.call([self._column])

    def _by_parameter(self, expression: ca.SX, rows: np.ndarray | None = None) -> np.ndarray:
        """Whether any entry (of these rows) depends on each of the varying parameters."""
        entries = ca.vec(ca.densify(expression))
        if rows is not None:
            entries = entries[rows.tolist()]
        if not entries.numel() or not self.varied:
            return np.zeros(len(self.varied), bool)
        return np.array(ca.which_depends(entries, self._symbols, 1, False), bool)

    @cached_property
    def data_rows(self) -> np.ndarray:
        """Entries of the data that depend on a varying parameter."""
        data = ca.densify(self._results[0])
        if not data.numel() or not self.varied:
            return np.zeros(0, int)
        return np.flatnonzero(ca.which_depends(data, self._symbols, 1, True))

    @cached_property
    def data(self) -> ca.Function:
        """Varying parameters -> those entries of the data."""
        chosen = [self._results[0][int(k)] for k in self.data_rows]
        return ca.Function("data", [self._symbols], [ca.densify(ca.vertcat(ca.SX(0, 1), *chosen))])

    @cached_property
    def kinematic(self) -> np.ndarray:
        """Which of the varying parameters positions, joints, inertia or the start depend on."""
        kept = self.program.once("kinematic", self.program._kinematic_data)
        found = self._by_parameter(self._results[0], kept)
        for part in self._results[1:]:
            found |= self._by_parameter(ca.vec(part))
        return found

    @cached_property
    def read(self) -> np.ndarray:
        """Which of them deriving looked at: other values need other equations."""
        names = [k for k, name in enumerate(self.program.parameter_names) if name in self.program.read]
        return self._by_parameter(self._column, np.array(names, int))

    @cached_property
    def in_time(self) -> np.ndarray:
        """Which of them times depend on at which functions of time jump or bend."""
        switches = self.program.switches
        if switches is None:
            return np.zeros(len(self.varied), bool)
        return self._by_parameter(self._column, _arguments(switches))

    @cached_property
    def used(self) -> np.ndarray:
        """Which of them any equation contains."""
        own = len(self.program.parameter_names)
        found = self._by_parameter(self._results[0], np.arange(own, self.program.data_size))
        for part in self._results[1:]:
            found |= self._by_parameter(ca.vec(part))
        if self.program.formulas is not None:
            found |= self._by_parameter(self._column, _arguments(self.program.formulas))
        return found | self.read | self.in_time


def _arguments(function: ca.Function) -> np.ndarray:
    """Entries of the second argument that a function of time and parameters depends on."""
    return np.unique(np.array(function.jac_sparsity(0, 1).get_triplet()[1], int))


def mapped(function: ca.Function, points: np.ndarray) -> np.ndarray:
    """A function of one column, and of one result, at many points (entries, points)."""
    count = points.shape[1]
    if function.numel_out(0) == 0 or count == 0:
        return np.zeros((function.numel_out(0), count))
    return np.array(function.map(count)(points)).reshape(function.numel_out(0), count)
