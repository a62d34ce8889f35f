"""Where written equations come from: a program with its numbers, and states at which they are evaluated."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from wheelwork.analyses.assemble import Assembled, assemble, with_turns
from wheelwork.description import flatten
from wheelwork.expressions.polynomial import Atom, Polynomial
from wheelwork.expressions.symbols import Symbol
from wheelwork.system.build import build
from wheelwork.system.motion import Motion

from .expression import read_function
from .names import TIME, Names

if TYPE_CHECKING:
    from wheelwork.description import Description

LONGEST = 60
"""Operations of a formula of parameters at most."""
UNITS = {"value": "m or rad", "angle": "rad", "ratio": "1", "sign": "1", "tension": "N"}


class WrittenMechanism:
    """One mechanism for all of its written equations."""

    time = TIME

    def __init__(self, description: Description, numbers_shown: bool = False, numbered: bool = False):
        self.description = description
        self.program = build(flatten(description))
        self.numbers = self.program.numbers()
        self.names = Names(self.program, numbered)
        self.numbers_shown = numbers_shown

    # -- parameters and what is made of them

    @cached_property
    def parameters(self) -> list[Polynomial]:
        """The model's parameters as they are written."""
        return [Polynomial.atom(Symbol(name)) for name in self.program.parameter_names]

    @cached_property
    def parameter_numbers(self) -> dict[Symbol, float]:
        return {Symbol(name): value for name, value in self.numbers.parameters.items()}

    @cached_property
    def parameter_values(self) -> dict[Atom, Polynomial]:
        return {symbol: Polynomial.number(value) for symbol, value in self.parameter_numbers.items()}

    @cached_property
    def _data(self) -> tuple[ca.SX, ca.SX]:
        """Parameters as symbols, and all numbers of elements as expressions of them."""
        column = ca.SX.sym("p", len(self.parameters))
        return column, ca.SX(self.program.numbers_function.call([column])[0])

    def data_formulas(self, start: int, count: int) -> list[Polynomial | None]:
        """Numbers of elements in terms of parameters; None where that is too long to be of use."""
        return [self._data_formula(k) for k in range(start, start + count)]

    def _data_formula(self, k: int) -> Polynomial | None:
        column, data = self._data
        function = ca.Function("number", [column], [data[k]])
        if function.n_instructions() > LONGEST:
            return None
        return read_function(function, [self.parameters])[0][0][0]

    @cached_property
    def _functions_of_time(self) -> list[Polynomial]:
        """Value, first and second derivative of each, one after the other."""
        assert self.program.formulas is not None
        written = [[Polynomial.atom(TIME)], self.parameters]
        return [row[0] for row in read_function(self.program.formulas, written)[0]]

    def function_of_time(self, slot: int, derivative: int) -> Polynomial | None:
        """What is written for an input, or for its derivative; None for a table."""
        if slot not in self.program.formula_inputs:
            return None
        return self._functions_of_time[3 * self.program.formula_inputs.index(slot) + derivative]

    @staticmethod
    def unit_of_extra(name: str) -> str:
        return "1" if name.startswith(("tan", "sin", "cos")) else UNITS.get(name, "m")

    # -- states

    @cached_property
    def given(self) -> Motion:
        """The position as it was given, with angles counted."""
        return self._moment(with_turns(self.program, self.numbers.data, self.numbers.state), 0.0)

    def motion(self, state: Any = None, time: float = 0.0) -> Motion:
        """One moment: the assembled one at `time`, an `Assembled` state, or a state vector at `time`."""
        if state is None:
            state = assemble(self.description, time=time)
        if isinstance(state, Assembled):
            return self._moment(state.state, state.t)
        if isinstance(state, int | float):
            return self.motion(None, float(state))
        return self._moment(np.asarray(state, float), time)

    def _moment(self, state: np.ndarray, t: float) -> Motion:
        program = self.program
        if state.shape != (program.n,):
            raise ValueError(
                f"a state has {program.n} numbers (see `Assembled.state`), but this has {state.shape}"
            )
        return Motion(
            program,
            self.numbers,
            np.array([float(t)]),
            state[None, :],
            np.zeros((1, program.nv)),
            np.zeros((1, program.rows)),
            np.zeros((1, len(program.frictions))),
        )
