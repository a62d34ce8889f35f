"""The four quantities of a constraint, Phi, Phi_q, nu and gamma, as formulas and as numbers.

::

    Phi(q, t)        = 0         position
    Phi_q q'         = nu        velocity
    Phi_q q''        = gamma     acceleration

In the plane Phi_q has the columns x, y, phi of the bodies that the constraint touches; in space it is the transformed
Jacobian G^, whose columns belong to velocity and angular velocity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from wheelwork.description.registry import find
from wheelwork.equations.frames import MARKER_RECORD, Marker
from wheelwork.equations.rows import turn_about_axis
from wheelwork.expressions.polynomial import Bracket, Function, Polynomial
from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.system.cams import CamKernel
from wheelwork.system.motion import Motion, evaluate
from wheelwork.system.relations import RelationKernel
from wheelwork.system.uses import PER_TERM, MeshUse

from . import document, markdown, text, words
from .blocks import Block
from .bodies import NamedNumber, SymbolTable, between, unknown
from .cam import cam_values, parameters_of, with_outlines, write_cam
from .expression import Named, Reading, read
from .formulas import Expression, Formulas
from .relation import relation
from .source import WrittenMechanism
from .tidy import tidied, without_turns
from .vector_forms import DRIVER_FORMS, VectorForm, joint_forms

LETTERS = {
    "length": "ℓ", "distance": "c", "offset": "c", "lead": "h", "radius": "r", "pitch": "p", "circle": "R", "side": "σ",
    "phase": "c", "value": "c",
}  # fmt: skip


@dataclass(frozen=True)
class Quantities:
    """Phi, Phi_q, nu, gamma as numbers, at one moment."""

    phi: np.ndarray
    """(rows), m or rad."""
    jacobian: np.ndarray
    """(rows, columns); `columns` says what they belong to."""
    nu: np.ndarray
    """(rows)."""
    gamma: np.ndarray
    """(rows)."""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class _DerivedEquations:
    reading: Reading
    cast: SymbolTable
    columns: tuple[Symbol, ...]


def _formulas(k: int, words: str) -> property:
    """One of the four quantities as a property."""

    def formulas(self: ConstraintEquations) -> Formulas:
        derived = self._derived
        cells = [[self._shown(Expression(c)) for c in row] for row in derived.reading.outputs[k]]
        return Formulas(cells, derived.columns if k == 1 else ())

    return property(formulas, doc=words)


class ConstraintEquations:
    """One joint, mesh or driver: what it does, and its equations."""

    def __init__(self, source: WrittenMechanism, index: int):
        self._source = source
        self._use = source.program.constraints[index]
        self._index = index
        program = source.program
        self.name = self._use.name
        self.kind = self._use.label.split(" ")[0]
        """`joint`, `mesh` or `driver`."""
        self.type = words.type_of(program, self._use)
        self.letter = source.names.letter(index)
        """Its letter in the equations, A, B, C, ...; of the driven joint for a driver."""
        self.bodies = tuple("ground" if k < 0 else program.bodies[k] for k in self._use.bodies)
        self.rows = tuple(self._use.kernel.row_names)
        """Names of its equations."""
        self.first_row = self._use.first_row
        self.element = words.element(program, self.name)
        """The element of the description."""
        self.what = words.what(program, self._use)
        """What it does, in a sentence."""
        self.vector_form = words.equations_in_words(program, self._use)
        """The equations as the data sheet of the joint has them, in vectors."""

    def __repr__(self) -> str:
        return f"<equations of {self.kind} {self.name}: {self._use.rows} rows>"

    def __str__(self) -> str:
        return text.render(document.constraint(self, True))

    def _repr_markdown_(self) -> str:
        return markdown.render(document.constraint(self, True))

    @property
    def vector_forms(self) -> list[VectorForm]:
        """In space, row by row; empty where there are none (cams, ratios and couplers)."""
        if self.is_relation:
            return []
        if self.kind == "driver":
            return [DRIVER_FORMS[self.rows[0]]]
        if self._mesh is not None:
            return [self._mesh.kernel.equations.printed()]
        forms = joint_forms(find("joints", self._source.program.joints[self.name].type).printed)
        return [form for k, form in enumerate(forms) if sum(f.rows for f in forms[:k]) < len(self.rows)]

    @property
    def _mesh(self) -> MeshUse | None:
        return next((mesh for mesh in self._source.program.meshes if mesh.name == self.name), None)

    @property
    def is_relation(self) -> bool:
        """Whether it is a ratio or coupler, which may touch more than two bodies."""
        return isinstance(self._use.kernel, RelationKernel)

    def relation(self) -> Iterator[Block]:
        """A ratio or coupler in space, as it is printed."""
        return relation(self, self._use.kernel)

    @property
    def numbers_of_use(self) -> np.ndarray:
        """Its numbers in the data of the mechanism."""
        return self._source.numbers.data[self._use.data : self._use.data + self._use.kernel.data_size]

    @property
    def is_counted(self) -> bool:
        """Of a mesh: whether turns are counted, for wheels without tooth numbers."""
        return self._mesh is not None and bool(self._mesh.kernel.counted)

    @property
    def own_numbers(self) -> dict[str, NamedNumber]:
        """The element's own numbers by name, without deriving anything."""
        use, source = self._use, self._source
        start = use.data + 2 * MARKER_RECORD
        names = words.extras_of(source.program, use)
        formulas = source.data_formulas(start, len(names))
        return {
            name: NamedNumber(
                Symbol(name),
                name.replace("_", " "),
                unit,
                float(source.numbers.data[start + k]),
                formulas[k],
            )
            for k, (name, unit) in enumerate(names.items())
        }

    @property
    def is_cam(self) -> bool:
        """Whether it has curve parameters, which are found by iteration."""
        return isinstance(self._use.kernel, CamKernel)

    @property
    def planar(self) -> bool:
        return self._source.program.space.name == "planar"

    @property
    def prescribed(self) -> tuple[Expression, Expression, Expression]:
        """Of a driver: the function of time, and its derivatives."""
        rate = self._input.rate()
        plain = (self._input, rate, replace(rate, dots=2))
        written = [self._source.function_of_time(self._use.input, k) for k in range(3)]
        value, rate, second = (
            self._shown(Expression(Polynomial.atom(name) if one is None else one))
            for one, name in zip(written, plain, strict=True)
        )
        return value, rate, second

    @property
    def parameters(self) -> list[Symbol]:
        """Curve parameters of a cam."""
        return parameters_of(self._use, self._at) if self.is_cam else []

    @property
    def columns_of_a_body(self) -> int:
        return self._source.program.space.V

    @property
    def numbers_shown(self) -> bool:
        return self._source.numbers_shown

    # -- formulas

    phi = _formulas(0, "The equations: each of these is zero.")
    jacobian = _formulas(
        1, "Derivatives of the equations with respect to the coordinates of the bodies they touch."
    )
    nu = _formulas(2, "Right-hand side of the velocity equations.")
    gamma = _formulas(3, "Right-hand side of the acceleration equations.")

    @property
    def definitions(self) -> list[tuple[Symbol, Expression]]:
        """Intermediate results that have a name in the formulas, in an order in which they can be computed."""
        reading = self._derived.reading
        used, kept = reading.atoms, []
        for symbol, value in reversed(reading.definitions.items()):
            if symbol in used:
                kept.append((symbol, self._shown(Expression(value))))
                used |= value.atoms()
        return kept[::-1]

    @property
    def constants(self) -> list[NamedNumber]:
        """The element's own numbers that occur in the formulas."""
        used = self._derived.reading.every_atom
        return [constant for symbol, constant in self._derived.cast.constants.items() if symbol in used]

    def _shown(self, expression: Expression) -> Expression:
        """With numbers in the place of the element's own symbols, if that was asked for."""
        if not self._source.numbers_shown:
            return expression
        values = {s: Polynomial.number(c.value) for s, c in self._derived.cast.constants.items()}
        return expression.replaced({**values, **self._source.parameter_values})

    @cached_property
    def _derived(self) -> _DerivedEquations:
        use, source = self._use, self._source
        kernel, space = use.kernel, source.program.space
        data = self.numbers_of_use
        cast = SymbolTable(source.names, data, source.data_formulas(use.data, len(data)))
        if self.is_relation:
            return self._derived_relation(cast)
        records = [cast.record(use.a), cast.record(use.b)]
        markers = [cast.marker(use.a, self._at, 0), cast.marker(use.b, self._at, MARKER_RECORD)]
        a, b = (Marker.from_record(space.frame(r), m) for r, m in zip(records, markers, strict=True))
        outlines: dict[Symbol, Polynomial] = {}
        turn = ca.SX(0)
        if self.is_cam:
            written = write_cam(use, cast, self._at, [a, b])
            parts, named, outlines = written.outputs, written.named, written.outlines
        else:
            extras = [
                self._extra(cast, name, 2 * MARKER_RECORD + k)
                for k, name in enumerate(words.extras_of(source.program, use))
            ]
            if self._mesh is not None:
                kernel = self._mesh.kernel.written
                extras += self._chosen(cast, self._mesh)
            turn = cast.add(self._turn, unknown)
            parts = kernel.full.call([*records, ca.vertcat(*markers, *extras), self._inputs(cast), turn])
            named = []
        outputs, columns = self._outputs(parts)
        named += self._named(a, b, turn)
        reading = None
        if self.planar and not self.is_cam:
            reading = self._settled(read(outputs, cast.pairs()), cast)
        if reading is None or _is_long(reading):
            reading = read(outputs, cast.pairs(), named)
            if self.planar:
                reading = tidied(self._settled(reading, cast), self._at)
        return _DerivedEquations(with_outlines(reading, outlines), cast, columns)

    def _outputs(self, parts: Sequence[ca.SX]) -> tuple[list[ca.SX], tuple[Symbol, ...]]:
        """g, the Jacobian of the bodies that move, nu and gamma; what its columns belong to."""
        parts = [ca.SX(part)[: self._use.kernel.rows, :] for part in parts]
        touched = [(k, G) for k, G in self._use.by_body(parts) if k >= 0]
        columns = tuple(symbol for k, _ in touched for symbol in self._source.names.coordinates(k))
        return [parts[0], ca.horzcat(*(G for _, G in touched)), parts[-1], parts[-2]], columns

    def _derived_relation(self, cast: SymbolTable) -> _DerivedEquations:
        """Of a ratio or coupler: markers and factor of each coordinate, then the offset."""
        use: Any = self._use
        numbers: list[ca.SX] = []
        for k, term in enumerate(use.kernel.terms):
            at, start = f"{self._at}{k + 1}", PER_TERM * k
            numbers += [
                cast.marker(use.bodies[term.a], at, start),
                cast.marker(use.bodies[term.b], at, start + MARKER_RECORD),
                cast.constant(Symbol("c", at), start + 2 * MARKER_RECORD, "factor", "1"),
            ]
        last = use.kernel.offset
        numbers.append(cast.constant(Symbol("c", f"{self._at}0"), last, "offset", "1"))
        for k, order in enumerate(use.kernel.orders):
            for j, (letter, what, unit) in enumerate((("A", "amplitude", "rad"), ("α", "phase", "rad"))):
                meaning = f"{what} of order {order}"
                numbers.append(
                    cast.constant(Symbol(letter, f"{self._at}{k + 1}"), last + 1 + 2 * k + j, meaning, unit)
                )
        records = [cast.record(body) for body in use.bodies]
        turns = ca.vertcat(*(cast.add(symbol, unknown) for symbol in self._turns))
        parts = use.kernel.full.call([*records, ca.vertcat(*numbers), self._inputs(cast), turns])
        outputs, columns = self._outputs(parts)
        reading = read(outputs, cast.pairs())
        if self.planar:
            reading = tidied(self._settled(reading, cast), self._at)
        return _DerivedEquations(reading, cast, columns)

    @property
    def _turns(self) -> list[Symbol]:
        """Angles as counted along the motion; the last ones of a ratio that follows are it and its rate."""
        if not self.is_relation:
            return [self._turn]
        return [
            Symbol("z", f"{self._at}{k + 1}", rank=Rank.COORDINATE) for k in range(self._use.kernel.turns)
        ]

    @property
    def _at(self) -> str:
        """What marks symbols as belonging to this element."""
        return self.letter or self.name

    @property
    def _turn(self) -> Symbol:
        """The angle as counted along the motion."""
        return Symbol("z", self._at, rank=Rank.COORDINATE)

    def _extra(self, cast: SymbolTable, name: str, place: int) -> ca.SX:
        at = self._at
        side = {"_a": self._use.a, "_b": self._use.b}.get(name[-2:])
        if side is not None:
            owner = cast.names.body(side) or "ground"
            symbol = Symbol(LETTERS.get(name[:-2], name[:-2]), owner, at, place=side)
        else:
            symbol = Symbol(LETTERS.get(name, name), at)
        unit = words.extras_of(self._source.program, self._use)[name]
        return cast.constant(symbol, place, name.replace("_", " "), unit)

    def _chosen(self, cast: SymbolTable, mesh: MeshUse) -> list[ca.SX]:
        """Numbers of a mesh that its state settles in steps."""
        use, kernel = self._use, mesh.kernel

        def value(k: int) -> Any:
            return lambda records, data: float(kernel.choice(records[use.a], records[use.b], data)[k])

        return [
            cast.add(Symbol("θ", name.rpartition("_")[2].upper(), self._at), value(k))
            for k, name in enumerate(kernel.equations.chosen)
        ]

    def _inputs(self, cast: SymbolTable) -> ca.SX:
        """The prescribed function of time with its derivatives."""
        slots = {self._use.input: self._input} if self._use.kernel.inputs else {}
        return cast.inputs(self._source, slots)

    @property
    def _input(self) -> Symbol:
        return Symbol("u", self.name, rank=Rank.TIME)

    def _named(self, a: Marker, b: Marker, turn: ca.SX) -> list[Named]:
        out = between(a, b, self._at, "xy" if self.planar else "xyz")
        if not self.planar:
            angle = Symbol("θ", self._at, rank=Rank.DERIVED)
            out.append(Named(angle, turn_about_axis(a, b, turn).value))
        return out

    def _settled(self, reading: Reading, cast: SymbolTable) -> Reading:
        values = self._values(self._source.given, cast, reading.definitions)
        return without_turns(reading, {*self._turns}, values)

    # -- numbers

    def at(self, state: object = None, *, time: float = 0.0) -> Quantities:
        """The four quantities as numbers: at the assembled position, or at another state (see `Equations.at`)."""
        return self.quantities(self._source.motion(state, time))

    def quantities(self, motion: Motion) -> Quantities:
        parts = evaluate(self._use.kernel.full, motion.constraint_arguments(self._index))
        parts = [part[: self._use.rows, ..., 0] for part in parts]
        g, gamma, nu = parts[0], parts[-2], parts[-1]
        touched = [(k, G) for k, G in self._use.by_body(parts) if k >= 0]
        columns = tuple(
            str(Expression(Polynomial.atom(symbol)))
            for k, _ in touched
            for symbol in self._source.names.coordinates(k)
        )
        return Quantities(g, np.hstack([G for _, G in touched]), nu, gamma, columns)

    def symbol_values(self, motion: Motion) -> dict[Symbol, float]:
        """The number behind every symbol of the formulas at one moment."""
        return self._values(motion, self._derived.cast, self._derived.reading.definitions)

    def _values(
        self, motion: Motion, cast: SymbolTable, definitions: Mapping[Symbol, Polynomial]
    ) -> dict[Symbol, float]:
        use = self._use
        records = motion.records[0]
        values = {symbol: value(records, cast.data) for symbol, value in cast.values.items()}
        for k, symbol in enumerate(self._turns):
            turn = use.turns[k] if k < len(use.turns) else -1
            values[symbol] = np.nan if self.is_cam else float(motion.counted(turn)[0])
        values |= self._source.parameter_numbers
        values[self._source.time] = float(motion.t[0])
        if use.kernel.inputs:
            symbol, u = self._input, motion.inputs[0, use.input]
            values |= {symbol: u[0], symbol.rate(): u[1], replace(symbol.rate(), dots=2): u[2]}
        if self.is_cam:
            values |= cam_values(use, self._index, self._at, motion)
        for symbol, definition in definitions.items():
            values[symbol] = Expression(definition).evaluate(values)
        return values


def _is_long(reading: Reading) -> bool:
    """Whether intermediate results with names make it easier to read: where there are roots, or angles of vectors."""
    return any(
        isinstance(atom, Bracket) or (isinstance(atom, Function) and atom.name == "atan2")
        for atom in reading.atoms
    )
