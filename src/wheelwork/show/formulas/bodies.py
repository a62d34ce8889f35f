"""Records of bodies and of the frames on them, in named symbols.

In the plane a body's record is made of x, y, phi and their rates, a marker's of its place (x', y') in the body's own
axes, from the centre of mass, and of the angle theta' of its x axis. In space everything is written with vectors in
world axes: the arm s = R s' from the centre of mass, and the axes f, g, h of the marker (Haug's names); then the body's
own R is not needed. Numbers that are zero, and directions along an axis, are written as such.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import casadi as ca
import numpy as np

from wheelwork.equations.frames import MARKER_RECORD, Marker
from wheelwork.expressions.polynomial import Polynomial
from wheelwork.expressions.symbols import Rank, Symbol

from .expression import Named
from .source import Names, WrittenMechanism

TINY = 1e-12
"""Lengths (m) and directions below this are zeros that rounding has left over."""

Value = Callable[[np.ndarray, np.ndarray], float]
"""The number behind a symbol, from (records of the bodies, ground last; data)."""


def unknown(records: np.ndarray, data: np.ndarray) -> float:
    """Of a symbol whose number does not follow from these."""
    del records, data
    return math.nan


@dataclass(frozen=True)
class NamedNumber:
    """A number of an element under the name it has in the equations."""

    symbol: Symbol
    meaning: str
    unit: str
    value: float
    formula: Polynomial | None = None
    """The same in terms of the model's parameters."""


@dataclass
class SymbolTable:
    """The symbols that play in a group of equations, with where their numbers come from."""

    names: Names
    data: np.ndarray
    formulas: list[Polynomial | None] = field(default_factory=list)
    """What each number of the data is in terms of the model's parameters."""
    symbols: dict[Symbol, ca.SX] = field(default_factory=dict)
    values: dict[Symbol, Value] = field(default_factory=dict)
    constants: dict[Symbol, NamedNumber] = field(default_factory=dict)
    written: dict[Symbol, Polynomial] = field(default_factory=dict)
    """Symbols for which something else is written."""

    def add(self, symbol: Symbol, value: Value) -> ca.SX:
        if symbol not in self.symbols:
            self.symbols[symbol] = ca.SX.sym("s")
            self.values[symbol] = value
        return self.symbols[symbol]

    def constant(self, symbol: Symbol, place: int, meaning: str, unit: str) -> ca.SX:
        """A number of the data; zero is written as zero."""
        value = float(self.data[place])
        if abs(value) < TINY:
            return ca.SX(1, 1)
        formula = self.formulas[place] if self.formulas else None
        self.constants[symbol] = NamedNumber(symbol, meaning, unit, value, formula)
        return self.add(symbol, lambda records, data: float(data[place]))

    def pairs(self) -> list[tuple[ca.SX, Polynomial]]:
        """CasADi symbols with what is written for them."""
        return [(sx, self.written.get(s, Polynomial.atom(s))) for s, sx in self.symbols.items()]

    def inputs(self, source: WrittenMechanism, slots: Mapping[int, Symbol]) -> ca.SX:
        """Functions of time, each with its derivatives, by their place among the inputs of the mechanism."""
        columns = []
        for slot, symbol in slots.items():
            for k, one in enumerate((symbol, symbol.rate(), replace(symbol.rate(), dots=2))):
                columns.append(self.add(one, unknown))
                written = source.function_of_time(slot, k)
                if written is not None:
                    self.written[one] = written
        return ca.vertcat(ca.SX(0, 1), *columns)

    # -- bodies

    @property
    def planar(self) -> bool:
        return self.names.program.space.name == "planar"

    def record(self, body: int) -> ca.SX:
        """A body's record as its kernel takes it."""
        if body < 0:
            return ca.SX(ca.sparsify(ca.DM(self.names.program.space.ground())))
        entry = lambda k: lambda records, data: float(records[body, k])  # noqa: E731
        if self.planar:
            x, y, phi = (
                self.add(symbol, entry(k))
                for symbol, k in zip(self.names.coordinates(body), (0, 1, 4), strict=True)
            )
            rates = [
                self.add(symbol.rate(), entry(k))
                for symbol, k in zip(self.names.coordinates(body), (5, 6, 7), strict=True)
            ]
            return ca.vertcat(x, y, ca.cos(phi), ca.sin(phi), phi, *rates)
        position = [self.add(self.names.coordinate(c, body), entry(k)) for k, c in enumerate("xyz")]
        twist = [self.add(symbol, entry(12 + k)) for k, symbol in enumerate(self.names.coordinates(body))]
        return ca.vertcat(*position, ca.vec(ca.SX.eye(3)), *twist)

    # -- markers

    def marker(self, body: int, letter: str, start: int) -> ca.SX:
        """A marker's record; its numbers begin at `start` of the data."""
        if self.planar or body < 0:
            return self._own_marker(body, letter, start)
        return self._world_marker(body, letter, start)

    def _named(self, letter: str, body: int, point: str, axis: str = "") -> Symbol:
        """Of a point in a body; on ground, of the point alone."""
        if body < 0:
            return Symbol(letter, point, axis=axis)
        return Symbol(letter, self.names.body(body), point, axis, primes=1, place=body)

    def _own_marker(self, body: int, letter: str, start: int) -> ca.SX:
        where = f"of {letter} on {self._owner(body)}"
        place = [
            self.constant(self._named(axis, body, letter), start + k, f"{axis} {where}", "m")
            for k, axis in enumerate("xyz")
        ]
        axes = self.data[start + 3 : start + MARKER_RECORD].reshape(3, 3)
        return ca.vertcat(*place, self._axes(axes, body, letter, start))

    def _axes(self, axes: np.ndarray, body: int, letter: str, start: int) -> ca.SX:
        """By rows."""
        plain = np.all((np.abs(axes) < TINY) | (np.abs(np.abs(axes) - 1) < TINY))
        in_plane = abs(axes[2, 2] - 1) < TINY
        if in_plane and not plain:
            symbol = self._named("θ", body, letter)
            value = math.atan2(axes[1, 0], axes[0, 0])
            meaning = f"angle of the x axis of {letter} on {self._owner(body)}"
            self.constants[symbol] = NamedNumber(symbol, meaning, "rad", value)
            angle = self.add(symbol, lambda records, data: math.atan2(data[start + 6], data[start + 3]))
            c, s, zero = ca.cos(angle), ca.sin(angle), ca.SX(1, 1)
            return ca.vertcat(c, -s, zero, s, c, zero, zero, zero, 1)
        entries = []
        for k, value in enumerate(axes.ravel()):
            row, column = divmod(k, 3)
            if min(abs(value), abs(abs(value) - 1)) < TINY:
                entries.append(ca.SX(round(value)) if round(value) else ca.SX(1, 1))
                continue
            symbol = self._named("fgh"[column], body, letter, "xyz"[row])
            meaning = f"{'xyz'[row]} of the {'xyz'[column]} axis of {letter} on {self._owner(body)}"
            entries.append(self.constant(symbol, start + 3 + k, meaning, "1"))
        return ca.vertcat(*entries)

    def _world_marker(self, body: int, letter: str, start: int) -> ca.SX:
        """In space, on a moving body: components in world axes; the body's R is the unit matrix."""

        def turned(local: slice | list[int], row: int) -> Value:
            def value(records: np.ndarray, data: np.ndarray) -> float:
                R = records[body, 3:12].reshape(3, 3)
                return float(R[row] @ data[start : start + MARKER_RECORD][local])

            return value

        name = self.names.body(body)
        s = [
            self.add(
                Symbol("s", name, letter, axis, place=body, rank=Rank.COORDINATE), turned(slice(0, 3), k)
            )
            if np.any(np.abs(self.data[start : start + 3]) > TINY)
            else ca.SX(1, 1)
            for k, axis in enumerate("xyz")
        ]
        axes = [
            self.add(
                Symbol("fgh"[column], name, letter, "xyz"[row], place=body, rank=Rank.COORDINATE),
                turned([3 + column, 6 + column, 9 + column], row),
            )
            for row in range(3)
            for column in range(3)
        ]
        return ca.vertcat(*s, *axes)

    def _owner(self, body: int) -> str:
        return "ground" if body < 0 else self.names.program.bodies[body]


def between(a: Marker, b: Marker, at: str, axes: str) -> list[Named]:
    """Intermediate results worth a name: the vector d between two points with its rate, length and direction n."""
    d, rate = b.p - a.p, b.velocity - a.velocity
    length = ca.norm_2(d)
    n = d / length

    def symbol(letter: str, axis: str = "", dots: int = 0) -> Symbol:
        rank = Rank.RATE if dots else Rank.DERIVED
        return Symbol(letter, at, axis=axis, dots=dots, rank=rank)

    out = [Named(symbol("d", axis), d[k]) for k, axis in enumerate(axes)]
    out += [Named(symbol("d", axis, 1), rate[k]) for k, axis in enumerate(axes)]
    # the way back, of which CasADi does not know that it is minus this
    out += [Named(symbol("d", axis), (a.p - b.p)[k], -1.0) for k, axis in enumerate(axes)]
    out += [Named(symbol("d", axis, 1), (a.velocity - b.velocity)[k], -1.0) for k, axis in enumerate(axes)]
    out.append(Named(symbol("d"), length))
    out += [Named(symbol("n", axis), n[k]) for k, axis in enumerate(axes)]
    out.append(Named(symbol("d", dots=1), ca.dot(n, rate)))
    return out
