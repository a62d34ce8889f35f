"""The right-hand side of the equations of motion: weights and forces on each body, as formulas and as numbers.

Q holds force and torque about the centre of mass of each body: (Q_x, Q_y, Q_phi) in the plane, three and three in
space, world axes. A force's own signals (a spring's length, its tension) have their names in the formulas.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from wheelwork.equations.frames import MARKER_RECORD, Marker
from wheelwork.expressions.polynomial import Polynomial
from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.system.motion import Motion, evaluate

from . import words
from .bodies import TINY, SymbolTable, between, unknown
from .expression import Named, Reading, read
from .formulas import Expression, Formulas
from .source import WrittenMechanism
from .tidy import without_turns

LONGEST = 60
"""Terms of a formula at most; a longer one is left to the data sheet."""
LETTERS = 600
"""Letters of a formula at most."""
COMPONENTS = {"planar": ("x", "y", "φ"), "spatial": ("x", "y", "z", "φx", "φy", "φz")}


class LoadEquations:
    """One force of the mechanism: what it is, and what it does to each body."""

    def __init__(self, source: WrittenMechanism, index: int):
        self._source = source
        self._index = index
        self._use = source.program.forces[index]
        found = words.placed(source.program, self._use.name)
        self.name = self._use.name
        self.type = str(getattr(found.element, "type", "")) if found is not None else ""
        self.what = words.first_sentence(type(found.element)) if found is not None else ""
        """What it is, in a sentence."""
        teeth = str(getattr(getattr(found.element, "model", None), "type", "")) if found is not None else ""
        self.law = words.force_in_words(self.type, teeth)
        """Its equations as its data sheet has them, in paragraphs."""
        self._acts_on = [k for k in self._use.bodies[: self._use.kernel.acting] if k >= 0]
        self.bodies = tuple(source.program.bodies[k] for k in self._acts_on)
        """Moving bodies on which it acts."""

    @property
    def components(self) -> tuple[str, ...]:
        """What the columns of `Q` are."""
        return COMPONENTS[self._source.program.space.name]

    def body_name(self, body: str) -> str:
        """Of a body in the formulas."""
        return self._source.names.body(self._source.program.bodies.index(body))

    @property
    def can_be_written(self) -> bool:
        """Whether formulas of it are of a length that anyone would read."""
        cells = [*self.Q, *(value for _, value in self.definitions)]
        return all(len(cell.polynomial) <= LONGEST for cell in cells) and all(
            len(str(cell)) <= LETTERS for cell in cells
        )

    @property
    def is_short(self) -> bool:
        """Whether there is room for it in the equations of motion themselves."""
        return all(len(str(cell)) <= 24 for cell in self.Q) and not self.definitions

    @property
    def Q(self) -> Formulas:
        """Force and torque on each body, one row per body of `bodies`."""
        return Formulas([[self._shown(cell) for cell in row] for row in self._derived[0].outputs[0]])

    @property
    def definitions(self) -> list[tuple[Symbol, Expression]]:
        """Signals of the force that occur in the formulas."""
        return [(s, self._shown(value)) for s, value in self._derived[0].definitions.items()]

    def _shown(self, value: Polynomial) -> Expression:
        expression = Expression(value)
        return (
            expression.replaced(self._source.parameter_values) if self._source.numbers_shown else expression
        )

    @cached_property
    def _derived(self) -> tuple[Reading, SymbolTable]:
        source, use, kernel = self._source, self._use, self._use.kernel
        space, wrench = source.program.space, kernel.wrench
        n = len(use.bodies)
        sizes = [wrench.size1_in(k) for k in range(wrench.n_in())]
        cast = SymbolTable(source.names, source.numbers.data[use.data : use.data + sizes[n]])
        records = (
            [cast.record(body) for body in use.bodies] if space.name == "planar" else self._spatial(cast)
        )
        arguments = [
            *records,
            self._data(cast, sizes[n]),
            self._inputs(cast, sizes[n + 1] // 3),
            ca.vertcat(ca.SX(0, 1), *(cast.add(self._turn(k), unknown) for k in range(len(use.turns)))),
            cast.add(source.time, unknown),
        ]
        (column,) = wrench.call(arguments)
        signals = kernel.signals.call(arguments)[0] if kernel.signal_names else ca.SX(1, 1)
        V = space.V
        rows = [k for k, body in enumerate(use.bodies[: kernel.acting]) if body >= 0]
        Q = ca.vertcat(ca.SX(0, V), *(ca.SX(column)[V * k : V * k + V].T for k in rows))
        named = [
            Named(Symbol(name.replace(".", "_"), self.name, rank=Rank.DERIVED), ca.SX(signals)[k + 1])
            for k, name in enumerate(kernel.signal_names)
        ]
        named += self._between(records, arguments[n])
        reading = read([Q], cast.pairs(), named)
        return self._settled(reading, cast), cast

    def _between(self, records: list[ca.SX], data: ca.SX) -> list[Named]:
        """The vector between two points: the data of a force between two begins with their markers."""
        if len(records) < 2 or data.numel() < 2 * MARKER_RECORD:
            return []
        space = self._source.program.space
        a, b = (
            Marker.from_record(space.frame(records[k]), data[MARKER_RECORD * k : MARKER_RECORD * (k + 1)])
            for k in range(2)
        )
        return between(a, b, self.name, "xy" if space.name == "planar" else "xyz")

    def _spatial(self, cast: SymbolTable) -> list[ca.SX]:
        """In space the entries of R are symbols of their own."""
        out = []
        for body in self._use.bodies:
            record = cast.record(body)
            if body >= 0:
                for k in range(9):
                    row, column = divmod(k, 3)
                    symbol = Symbol(
                        "R", cast.names.body(body), axis=f"{row + 1}{column + 1}", rank=Rank.COORDINATE
                    )
                    entry = lambda records, data, b=body, i=3 + k: float(records[b, i])  # noqa: E731
                    record[3 + k] = cast.add(replace(symbol, place=body), entry)
            out.append(record)
        return out

    def _data(self, cast: SymbolTable, size: int) -> ca.SX:
        """The force's numbers in terms of the model's parameters."""
        formulas = self._source.data_formulas(self._use.data, size)
        entries = []
        for k, formula in enumerate(formulas):
            value = float(cast.data[k]) if formula is None else formula.value
            if formula is None or value is not None:
                entries.append(ca.SX(value or 0.0) if abs(value or 0.0) > TINY else ca.SX(1, 1))
                continue
            symbol = Symbol(f"data{k}", self.name)
            cast.written[symbol] = formula
            entries.append(cast.add(symbol, unknown))
        return ca.vertcat(ca.SX(0, 1), *entries)

    def _inputs(self, cast: SymbolTable, count: int) -> ca.SX:
        numbered = [str(slot + 1) if count > 1 else "" for slot in range(count)]
        symbols = [Symbol("u", self.name, rank=Rank.TIME, axis=axis) for axis in numbered]
        return cast.inputs(self._source, dict(enumerate(symbols, self._use.input)))

    def _turn(self, k: int) -> Symbol:
        return Symbol("z", self.name, axis=str(k + 1), rank=Rank.COORDINATE)

    def _settled(self, reading: Reading, cast: SymbolTable) -> Reading:
        if self._source.program.space.name != "planar":
            return reading
        counted = {self._turn(k) for k in range(len(self._use.turns))}
        values = self._values(self._source.given, cast)
        return without_turns(reading, counted, values)

    # -- numbers

    def values(self, motion: Motion) -> np.ndarray:
        """(bodies, V): force and torque on each body of `bodies`."""
        (wrench,) = evaluate(self._use.kernel.wrench, motion.force_arguments(self._index))
        V = self._source.program.space.V
        acting = self._use.bodies[: self._use.kernel.acting]
        return np.array([wrench[V * k : V * k + V, 0] for k, body in enumerate(acting) if body >= 0])

    def symbol_values(self, motion: Motion) -> dict[Symbol, float]:
        """The number behind every symbol of the formulas at one moment."""
        reading, cast = self._derived
        values = self._values(motion, cast)
        for symbol, definition in reading.definitions.items():
            values[symbol] = Expression(definition).evaluate(values)
        return values

    def _values(self, motion: Motion, cast: SymbolTable) -> dict[Symbol, float]:
        records = motion.records[0]
        values = {symbol: value(records, cast.data) for symbol, value in cast.values.items()}
        values |= {self._turn(k): float(motion.counted(turn)[0]) for k, turn in enumerate(self._use.turns)}
        values |= self._source.parameter_numbers
        values[self._source.time] = float(motion.t[0])
        for symbol in list(values):
            if symbol.letter == "u" and symbol.of == self.name:
                slot = int(symbol.axis or 1) - 1
                values[symbol] = float(motion.inputs[0, self._use.input + slot, symbol.dots])
        return values


@dataclass(frozen=True)
class BodyEquations:
    """Mass properties of a body and its weight."""

    name: str
    mass: Symbol
    inertia: Symbol
    mass_value: float
    inertia_value: np.ndarray
    """(3, 3), about the centre of mass in body axes, kg m^2."""
    weight: tuple[Polynomial, ...]
    """Force of gravity in world axes."""
    gravity: tuple[tuple[Symbol, float], ...]
    """Symbols of gravity in it, with their values (m/s^2)."""

    @property
    def principal(self) -> list[float]:
        """Principal moments of inertia, kg m^2."""
        return [float(j) for j in np.linalg.eigvalsh(self.inertia_value)]


def body_equations(source: WrittenMechanism, index: int) -> BodyEquations:
    names, numbers = source.names, source.numbers
    of = names.body(index)
    mass = Symbol("m", of, place=index)
    field = numbers.gravity[index]
    axes = "xy" if source.program.space.name == "planar" else "xyz"
    along = [k for k in range(len(axes)) if abs(field[k]) > TINY]
    weight, symbols = [], []
    for k, axis in enumerate(axes):
        if k not in along:
            weight.append(Polynomial.number(0.0))
            continue
        # gravity along one axis is g with a sign; otherwise it has components
        alone = len(along) == 1
        g = Symbol("g") if alone else Symbol("g", axis)
        value = abs(field[k]) if alone else field[k]
        sign = np.sign(field[k]) if alone else 1.0
        symbols.append((g, float(value)))
        weight.append((Polynomial.atom(mass) * Polynomial.atom(g)).scaled(float(sign)))
    return BodyEquations(
        source.program.bodies[index],
        mass,
        Symbol("J", of, place=index),
        float(numbers.mass[index]),
        numbers.inertia[index],
        tuple(weight),
        tuple(symbols),
    )
