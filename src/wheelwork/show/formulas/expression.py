"""From CasADi expressions to written ones: the instruction tape is walked once, in the normal form of `.polynomial`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import casadi as ca

from wheelwork.expressions.polynomial import Polynomial
from wheelwork.expressions.symbols import Symbol

_UNARY = {
    ca.OP_EXP: "exp",
    ca.OP_LOG: "log",
    ca.OP_SIN: "sin",
    ca.OP_COS: "cos",
    ca.OP_TAN: "tan",
    ca.OP_ASIN: "asin",
    ca.OP_ACOS: "acos",
    ca.OP_ATAN: "atan",
    ca.OP_SINH: "sinh",
    ca.OP_COSH: "cosh",
    ca.OP_TANH: "tanh",
    ca.OP_ASINH: "asinh",
    ca.OP_ACOSH: "acosh",
    ca.OP_ATANH: "atanh",
    ca.OP_FLOOR: "floor",
    ca.OP_CEIL: "ceil",
    ca.OP_FABS: "abs",
    ca.OP_SIGN: "sign",
    ca.OP_NOT: "not",
    ca.OP_ERF: "erf",
    ca.OP_LOG1P: "log1p",
    ca.OP_EXPM1: "expm1",
}
_BINARY = {
    ca.OP_LT: "lt",
    ca.OP_LE: "le",
    ca.OP_EQ: "eq",
    ca.OP_NE: "ne",
    ca.OP_AND: "and",
    ca.OP_OR: "or",
    ca.OP_FMOD: "fmod",
    ca.OP_COPYSIGN: "copysign",
    ca.OP_FMIN: "min",
    ca.OP_FMAX: "max",
    ca.OP_ATAN2: "atan2",
    ca.OP_HYPOT: "hypot",
    ca.OP_IF_ELSE_ZERO: "if",
}


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
    return Reading(tables, _used(tables, definitions))


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


def _used(
    tables: list[list[list[Polynomial]]], definitions: dict[Symbol, Polynomial]
) -> dict[Symbol, Polynomial]:
    seen = set().union(*(cell.atoms() for table in tables for row in table for cell in row))
    for symbol in reversed(definitions):
        if symbol in seen:
            seen |= definitions[symbol].atoms()
    return {symbol: value for symbol, value in definitions.items() if symbol in seen}


def _result(op: int, a: list[Polynomial]) -> Polynomial:
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
