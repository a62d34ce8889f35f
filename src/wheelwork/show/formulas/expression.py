"""From CasADi expressions to written ones: the instruction tape is walked once, in the normal form of `.polynomial`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import casadi as ca

from wheelwork.expressions.polynomial import Atom, Function, Polynomial
from wheelwork.expressions.symbols import Symbol


def _by_operation(names: str) -> dict[int, str]:
    """Our names of CasADi's operations: its own in small letters, or what follows a colon."""
    pairs = (name.partition(":") for name in names.split())
    return {getattr(ca, f"OP_{theirs}"): ours or theirs.lower() for theirs, _, ours in pairs}


_UNARY = _by_operation(
    "EXP LOG SIN COS TAN ASIN ACOS ATAN SINH COSH TANH ASINH ACOSH ATANH FLOOR CEIL FABS:abs SIGN NOT ERF LOG1P EXPM1"
)
_BINARY = _by_operation("LT LE EQ NE AND OR FMOD COPYSIGN FMIN:min FMAX:max ATAN2 HYPOT IF_ELSE_ZERO:if")


@dataclass(frozen=True)
class Named:
    """An intermediate result that gets a name instead of being written out."""

    symbol: Symbol
    expression: ca.SX
    sign: float = 1.0
    """-1 where the expression is minus what has the name."""


@dataclass(frozen=True)
class Reading:
    """`outputs[k][row][column]`, and the definitions of the intermediate results that occur in them."""

    outputs: list[list[list[Polynomial]]]
    definitions: dict[Symbol, Polynomial]

    @property
    def cells(self) -> Iterator[Polynomial]:
        """All outputs, one after the other."""
        return (cell for table in self.outputs for row in table for cell in row)

    @property
    def atoms(self) -> set[Atom]:
        """Of all outputs."""
        return set().union(*(cell.atoms() for cell in self.cells))

    @property
    def every_atom(self) -> set[Atom]:
        """Of outputs and definitions."""
        return self.atoms.union(*(value.atoms() for value in self.definitions.values()))

    def changed(self, change: Callable[[Polynomial], Polynomial]) -> list[list[list[Polynomial]]]:
        """The outputs with something done to each."""
        return [[[change(cell) for cell in row] for row in table] for table in self.outputs]


def read(
    outputs: Sequence[ca.SX],
    inputs: Sequence[tuple[ca.SX, Polynomial]],
    named: Sequence[Named] = (),
) -> Reading:
    """Expressions in `inputs` (scalar CasADi symbols, each with what is written for it)."""
    column = ca.vertcat(ca.SX(0, 1), *(symbol for symbol, _ in inputs))
    # what is found may be minus an intermediate result: CasADi moves signs out of products
    named = [*named, *(Named(one.symbol, -one.expression, -one.sign) for one in named)]
    names = ca.vertcat(ca.SX(0, 1), *(one.expression for one in named))
    # one elimination of common subexpressions for all: the intermediate results are found again in the outputs
    shared = ca.cse([ca.densify(ca.SX(x)) for x in (names, *outputs)])
    function = ca.Function("read", [column], shared)
    return _walk(function, [written for _, written in inputs], named)


def read_function(
    function: ca.Function, inputs: Sequence[Sequence[Polynomial]]
) -> list[list[list[Polynomial]]]:
    """The outputs of a function; `inputs[k]` is written for the entries of argument k."""
    symbols = [ca.SX.sym("i", len(written)) for written in inputs]
    pairs = [
        (symbol[j], written[j])
        for symbol, written in zip(symbols, inputs, strict=True)
        for j in range(len(written))
    ]
    return read([ca.SX(out) for out in function.call(symbols)], pairs).outputs


def _walk(function: ca.Function, written: Sequence[Polynomial], names: Sequence[Named]) -> Reading:
    where = _places_of_names(function, len(names))
    values: dict[int, Polynomial] = {}
    definitions: dict[Symbol, Polynomial] = {}
    tables = [
        [[Polynomial.number(0.0)] * function.size2_out(k) for _ in range(function.size1_out(k))]
        for k in range(1, function.n_out())
    ]
    for k in range(function.n_instructions()):
        op, sources, targets = (
            function.instruction_id(k),
            function.instruction_input(k),
            function.instruction_output(k),
        )
        if op == ca.OP_OUTPUT:
            which, nonzero = targets
            if which:
                height = function.size1_out(which)
                tables[which - 1][nonzero % height][nonzero // height] = values[sources[0]].together()
            continue
        if op == ca.OP_INPUT:
            value = written[sources[1]]
        elif op == ca.OP_CONST:
            value = Polynomial.number(function.instruction_constant(k))
        else:
            value = _result(op, [values[s] for s in sources])
        if k in where and not value.is_simple:
            name = names[where[k]]
            meant = value.together().scaled(name.sign)
            if definitions.setdefault(name.symbol, meant) == meant:
                value = Polynomial.atom(name.symbol).scaled(name.sign)
        values[targets[0]] = value
    return _used(Reading(tables, definitions))


def _places_of_names(function: ca.Function, count: int) -> dict[int, int]:
    """Instruction that computes an intermediate result -> number of its name."""
    latest: dict[int, int] = {}
    places: dict[int, int] = {}
    for k in range(function.n_instructions()):
        if function.instruction_id(k) == ca.OP_OUTPUT:
            which, nonzero = function.instruction_output(k)
            if which == 0 and nonzero < count:
                places.setdefault(latest[function.instruction_input(k)[0]], nonzero)
        else:
            latest[function.instruction_output(k)[0]] = k
    return places


def _used(reading: Reading) -> Reading:
    """Without definitions that do not occur."""
    seen = reading.atoms
    for symbol in reversed(reading.definitions):
        if symbol in seen:
            seen |= reading.definitions[symbol].atoms()
    return Reading(reading.outputs, {s: value for s, value in reading.definitions.items() if s in seen})


def _of_every_number(a: Polynomial, b: Polynomial) -> bool:
    """Whether a says x < 1 and b that 0 < x: of what is no number neither is so (`equations.values.known`)."""
    for atom in b.atoms():
        if b == Polynomial.atom(atom) and isinstance(atom, Function) and atom.arguments[0].value == 0:
            return a == atom.arguments[-1].apply("lt", Polynomial.number(1.0))
    return False


def _result(op: int, a: list[Polynomial]) -> Polynomial:
    if op == ca.OP_OR and _of_every_number(*a):
        return Polynomial.number(1.0)
    if op == ca.OP_IF_ELSE_ZERO and a[0].value is not None:
        return a[1] if a[0].value else Polynomial.number(0.0)
    if op in _UNARY:
        return a[0].apply(_UNARY[op])
    if op in _BINARY:
        return a[0].apply(_BINARY[op], a[1])
    match op:
        case ca.OP_ASSIGN:
            return a[0]
        case ca.OP_NEG:
            return -a[0]
        case ca.OP_ADD:
            return a[0] + a[1]
        case ca.OP_SUB:
            return a[0] - a[1]
        case ca.OP_MUL:
            return a[0] * a[1]
        case ca.OP_DIV:
            return a[0].over(a[1])
        case ca.OP_INV:
            return a[0].power(Fraction(-1))
        case ca.OP_SQ:
            return a[0] * a[0]
        case ca.OP_TWICE:
            return a[0].scaled(2.0)
        case ca.OP_SQRT:
            return a[0].power(Fraction(1, 2))
        case ca.OP_POW | ca.OP_CONSTPOW:
            exponent = a[1].value
            if exponent is not None:
                simple = Fraction(exponent).limit_denominator(6)
                if float(simple) == exponent:
                    return a[0].power(simple)
            return a[0].apply("pow", a[1])
    raise NotImplementedError(f"no way to write CasADi operation {op}")
