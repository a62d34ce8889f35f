"""Where written equations come from: a program with its numbers, and states at which they are evaluated."""

from __future__ import annotations

from functools import cached_property
from string import ascii_uppercase
from typing import Any

import casadi as ca
import numpy as np

from wheelwork.analyses.assemble import Assembled, assemble, with_turns
from wheelwork.description import Description, flatten
from wheelwork.expressions.polynomial import Atom, Polynomial
from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.system.build import build
from wheelwork.system.motion import Motion
from wheelwork.system.program import Program
from wheelwork.system.uses import ConstraintKind

from .expression import read_function

TIME = Symbol("t", rank=Rank.TIME)


class Names:
    """Names of one mechanism: bodies by name or by number, joints by letters A, B, C, ..."""

    def __init__(self, program: Program, numbered: bool = False):
        self.program = program
        self.numbered = numbered
        self.letters: dict[str, str] = {}
        drivers = program.flat.drivers
        for use in program.constraints:
            if use.kind == ConstraintKind.BILATERAL and use.name not in drivers:
                self.letters.setdefault(use.name, _letter(len(self.letters)))

    def body(self, index: int) -> str:
        """Index -1 is ground, whose symbols have no name."""
        if index < 0:
            return ""
        return str(index + 1) if self.numbered else self.program.bodies[index]

    def letter(self, constraint: int) -> str:
        """The letter of a joint; that of the driven joint for a driver."""
        name = self.program.constraints[constraint].name
        driver = self.program.flat.drivers.get(name)
        return self.letters.get(getattr(driver.element, "joint", "") if driver else name, "")

    def coordinate(self, letter: str, body: int, rank: Rank = Rank.COORDINATE, dots: int = 0) -> Symbol:
        return Symbol(letter, self.body(body), rank=rank, place=body, dots=dots)

    def coordinates(self, body: int) -> tuple[Symbol, ...]:
        """What the columns of a Jacobian belong to: (x, y, phi), or in space (v, omega)."""
        if self.program.space.name == "planar":
            return tuple(self.coordinate(letter, body) for letter in ("x", "y", "φ"))
        linear = [self.coordinate(letter, body, Rank.RATE, 1) for letter in "xyz"]
        return (*linear, *self.spin(body))

    def spin(self, body: int) -> list[Symbol]:
        """Angular velocity in space."""
        return [Symbol("ω", self.body(body), axis=a, rank=Rank.RATE, place=body) for a in "xyz"]


def _letter(k: int) -> str:
    """A to Z, then A1 to Z1, ..."""
    turn, letter = divmod(k, len(ascii_uppercase))
    return ascii_uppercase[letter] + (str(turn) if turn else "")


# -- where written equations come from: a program with its numbers, and states at which they are evaluated


LONGEST = 60
"""Operations of a formula of parameters at most."""


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
        return Motion.at_moment(program, self.numbers, float(t), state)
