r"""Numbers that write down what is done with them: programs in straight-line code from formulas in Python.

A formula written for numbers runs as it is with floats, or with `Number`, which stands for a value in a program to be
made. What is known now stays a float, so that zeros, ones and constants vanish as they are met. What depends on
numbers of the model alone is *given*: it is computed once before a run, by a program of its own, and so are the
reciprocals of what is divided by. The same operation on the same values is done once; what nothing needs is left out.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from wheelwork.lazy import casadi as ca

from .products import Products, quotient
from .tape import Tape


class Number:
    """A value in a program. `given`: it depends on nothing but the numbers of the model."""

    __slots__ = ("given", "graph", "index")

    def __init__(self, graph: Graph, index: int, given: bool):
        self.graph, self.index, self.given = graph, index, given

    def __repr__(self) -> str:
        return f"Number({self.index})"

    def __add__(self, other: Scalar) -> Scalar:
        return self.graph.add(self, other)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        return self.graph.subtract(self, other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return self.graph.subtract(other, self)

    def __mul__(self, other: Scalar) -> Scalar:
        return self.graph.multiply(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        return self.graph.divide(self, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return self.graph.divide(other, self)

    def __neg__(self) -> Scalar:
        return self.graph.negative(self)


Scalar: TypeAlias = "Number | float"

COMMUTATIVE = {
    ca.OP_ADD,
    ca.OP_MUL,
    ca.OP_EQ,
    ca.OP_NE,
    ca.OP_AND,
    ca.OP_OR,
    ca.OP_FMIN,
    ca.OP_FMAX,
    ca.OP_HYPOT,
}


_FLOATS: dict[int, Callable[..., float]] = {
    ca.OP_ADD: lambda x, y: x + y,
    ca.OP_SUB: lambda x, y: x - y,
    ca.OP_MUL: lambda x, y: x * y,
    ca.OP_DIV: quotient,
    ca.OP_NEG: lambda x: -x,
    ca.OP_SQRT: lambda x: math.sqrt(x) if x >= 0 else math.nan,
    ca.OP_SIN: lambda x: math.sin(x) if math.isfinite(x) else math.nan,
    ca.OP_COS: lambda x: math.cos(x) if math.isfinite(x) else math.nan,
    ca.OP_ATAN2: math.atan2,
}


@functools.cache
def _folding(op: int, arity: int) -> ca.Function:
    """An operation as CasADi evaluates it, for constants."""
    x = [ca.SX.sym("x") for _ in range(arity)]
    made = ca.SX.binary(op, *x) if arity == 2 else ca.SX.unary(op, *x)
    return ca.Function("f", x, [made])


def folded(op: int, *arguments: float) -> float:
    """An operation of CasADi's on floats."""
    own = _FLOATS.get(op)
    return own(*arguments) if own else float(_folding(op, len(arguments))(*arguments))


class Graph:
    """The operations of a program, in the order in which they were first asked for."""

    def __init__(self) -> None:
        self.operations: list[int] = []
        self.terms: list[tuple[int, ...]] = []
        self.given: list[bool] = []
        self.places: dict[int, tuple[int, int]] = {}
        """Argument and entry of inputs."""
        self.constants: dict[int, float] = {}
        self._known: dict[tuple[float | str, ...], Number] = {}

    # -- values

    def _new(self, op: int, terms: tuple[int, ...], given: bool) -> Number:
        self.operations.append(op)
        self.terms.append(terms)
        self.given.append(given)
        return Number(self, len(self.operations) - 1, given)

    def input(self, argument: int, entry: int, given: bool = False) -> Number:
        """An entry of an argument of the program."""
        made = self._new(ca.OP_INPUT, (), given)
        self.places[made.index] = (argument, entry)
        return made

    def number(self, x: Scalar) -> Number:
        """A value of the program, also where it is a constant."""
        if isinstance(x, Number):
            return x
        key = ("constant", math.copysign(1.0, x), x)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new(ca.OP_CONST, (), True)
            self.constants[found.index] = x
        return found

    def _made(self, op: int, *arguments: Scalar) -> Number:
        numbers = [x if isinstance(x, Number) else self.number(x) for x in arguments]
        terms = tuple(x.index for x in numbers)
        if op in COMMUTATIVE and terms[0] > terms[1]:
            terms = (terms[1], terms[0])
        key = (op, *terms)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._new(op, terms, all(x.given for x in numbers))
        return found

    def _inside_negative(self, x: Scalar) -> Number | None:
        """z of x = -z."""
        if isinstance(x, Number) and self.operations[x.index] == ca.OP_NEG:
            inner = self.terms[x.index][0]
            return Number(self, inner, self.given[inner])
        return None

    # -- arithmetic

    def add(self, x: Scalar, y: Scalar) -> Scalar:
        if not isinstance(x, Number):
            x, y = y, x
        if not isinstance(y, Number):
            if not isinstance(x, Number):
                return x + y
            if y == 0.0:
                return x
        if (inner := self._inside_negative(y)) is not None:
            return self.subtract(x, inner)
        if (inner := self._inside_negative(x)) is not None:
            return self.subtract(y, inner)
        return self._made(ca.OP_ADD, x, y)

    def subtract(self, x: Scalar, y: Scalar) -> Scalar:
        if not isinstance(y, Number):
            return x - y if not isinstance(x, Number) else self.add(x, -y)
        if not isinstance(x, Number) and x == 0.0:
            return self.negative(y)
        if isinstance(x, Number) and x.index == y.index:
            return 0.0
        if (inner := self._inside_negative(y)) is not None:
            return self.add(x, inner)
        if (inner := self._inside_negative(x)) is not None:
            return self.negative(self.add(inner, y))
        return self._made(ca.OP_SUB, x, y)

    def multiply(self, x: Scalar, y: Scalar) -> Scalar:
        if not isinstance(x, Number):
            x, y = y, x
        if not isinstance(y, Number):
            if not isinstance(x, Number):
                return x * y
            if y == 0.0:
                return 0.0
            if y == 1.0:
                return x
            if y == -1.0:
                return self.negative(x)
        if (inner := self._inside_negative(x)) is not None:
            return self.negative(self.multiply(inner, y))
        if (inner := self._inside_negative(y)) is not None:
            return self.negative(self.multiply(x, inner))
        return self._made(ca.OP_MUL, x, y)

    def divide(self, x: Scalar, y: Scalar) -> Scalar:
        if not isinstance(y, Number):
            return (
                quotient(x, y)
                if not isinstance(x, Number)
                else self.multiply(x, 1.0 / y)
                if y
                else self._made(ca.OP_DIV, x, y)
            )
        if not isinstance(x, Number) and x == 0.0:
            return 0.0
        if y.given and not (isinstance(x, Number) and x.given):
            return self.multiply(x, self._made(ca.OP_DIV, 1.0, y))
        return self._made(ca.OP_DIV, x, y)

    def negative(self, x: Scalar) -> Scalar:
        if not isinstance(x, Number):
            return -x
        inner = self._inside_negative(x)
        return self._made(ca.OP_NEG, x) if inner is None else inner

    def apply(self, op: int, *arguments: Scalar) -> Scalar:
        """An operation of CasADi's."""
        rule = _RULES.get(op)
        if rule is not None:
            return rule(self, *arguments)
        if not any(isinstance(x, Number) for x in arguments):
            return folded(op, *arguments)  # type: ignore[arg-type]
        return self._made(op, *arguments)

    def call(
        self,
        function: ca.Function,
        arguments: Sequence[Sequence[Scalar]],
        atan2: Callable[[Scalar, Scalar], Scalar] | None = None,
    ) -> list[list[Scalar]]:
        """A function written out: its instructions with these arguments, dense columns as its results.

        `atan2`: in place of that operation
        """
        work: dict[int, Scalar] = {}
        tape = tape_of(function)
        out: list[list[Scalar]] = [[0.0] * function.numel_out(k) for k in range(function.n_out())]
        for k, op in enumerate(tape.operations):
            if op == ca.OP_INPUT:
                which, entry = tape.places[k]
                work[k] = arguments[which][entry]
            elif op == ca.OP_OUTPUT:
                which, entry = tape.places[k]
                out[which][tape.offsets[which][entry]] = work[tape.terms[k][0]]
            elif op == ca.OP_CONST:
                work[k] = tape.constants[k]
            elif op == ca.OP_ATAN2 and atan2 is not None:
                work[k] = atan2(*(work[s] for s in tape.terms[k]))
            else:
                work[k] = self.apply(op, *(work[s] for s in tape.terms[k]))
        return out

    # -- programs

    def programs(self, name: str, results: Sequence[Sequence[Scalar]], numbers: int) -> tuple[Tape, Tape]:
        """The program that finds what is given, and the one that goes on from there.

        `numbers`: the argument of the second program that takes what the first one found
        """
        columns = [[self.number(x).index for x in column] for column in results]
        needed = bytearray(len(self.operations))
        for column in columns:
            for k in column:
                needed[k] = 1
        for k in range(len(self.operations) - 1, -1, -1):
            if needed[k]:
                for s in self.terms[k]:
                    needed[s] = 1
        leaving = [k for column in columns for k in column]
        made = Products(self.operations, self.terms, self.given, self.constants, needed, leaving)
        order = sorted(range(len(needed)), key=lambda k: (made.place[k], k))
        kept: dict[int, int] = {}
        """Given values that the second program takes, by their place."""
        own = [k for k in order if made.needed[k] and not made.given[k]]
        for k in own:
            for s in made.terms[k]:
                if made.given[s] and s not in made.constants:
                    kept.setdefault(s, len(kept))
        for k in dict.fromkeys(leaving):
            if made.given[k] and k not in made.constants:
                kept.setdefault(k, len(kept))
        before = [k for k in order if made.needed[k] and made.given[k]]
        first = _Listing(self, made, f"{name}_numbers")
        for k in before:
            first.add(k)
        first.result(0, list(kept))
        second = _Listing(self, made, name)
        used = {*own, *kept, *(s for j in own for s in made.terms[j]), *leaving}
        for k in order:
            if k in kept:
                second.argument(k, (numbers, kept[k]))
            elif k in used:
                second.add(k)
        for which, column in enumerate(columns):
            second.result(which, column)
        return first.tape(), second.tape()


class _Listing:
    """Some operations of a graph as a program of their own."""

    def __init__(self, graph: Graph, made: Products, name: str):
        self.graph, self.made, self.name = graph, made, name
        self.operations: list[int] = []
        self.terms: list[tuple[int, ...]] = []
        self.places: dict[int, tuple[int, int]] = {}
        self.constants: dict[int, float] = {}
        self.sizes: list[int] = []
        self._at: dict[int, int] = {}

    def add(self, k: int) -> None:
        graph, here = self.graph, len(self.operations)
        self._at[k] = here
        self.operations.append(self.made.operations[k])
        self.terms.append(tuple(self._at[s] for s in self.made.terms[k]))
        if k in graph.places:
            self.places[here] = graph.places[k]
        if k in self.made.constants:
            self.constants[here] = self.made.constants[k]

    def argument(self, k: int, place: tuple[int, int]) -> None:
        self._at[k] = len(self.operations)
        self.places[len(self.operations)] = place
        self.operations.append(ca.OP_INPUT)
        self.terms.append(())

    def result(self, which: int, column: Iterable[int]) -> None:
        entries = list(column)
        self.sizes.append(len(entries))
        for entry, k in enumerate(entries):
            self.places[len(self.operations)] = (which, entry)
            self.operations.append(ca.OP_OUTPUT)
            self.terms.append((self._at[k],))

    def tape(self) -> Tape:
        offsets = [list(range(size)) for size in self.sizes]
        return Tape(self.name, self.operations, self.terms, self.places, self.constants, offsets)


@functools.lru_cache(maxsize=512)
def tape_of(function: ca.Function) -> Tape:
    return Tape.of(function)


def _selected(graph: Graph, condition: Scalar, x: Scalar) -> Scalar:
    """x where the condition is not zero, else zero."""
    if not isinstance(condition, Number):
        return x if condition != 0.0 else 0.0
    if not isinstance(x, Number) and x == 0.0:
        return 0.0
    return graph._made(ca.OP_IF_ELSE_ZERO, condition, x)


def _root(graph: Graph, x: Scalar) -> Scalar:
    """A square root; of a square exactly the size of what was squared."""
    if isinstance(x, Number):
        terms = graph.terms[x.index]
        if graph.operations[x.index] == ca.OP_MUL and terms[0] == terms[1]:
            return graph.apply(ca.OP_FABS, Number(graph, terms[0], graph.given[terms[0]]))
        return graph._made(ca.OP_SQRT, x)
    return folded(ca.OP_SQRT, x)


_RULES: dict[int, Callable[..., Scalar]] = {
    ca.OP_ADD: Graph.add,
    ca.OP_SUB: Graph.subtract,
    ca.OP_MUL: Graph.multiply,
    ca.OP_DIV: Graph.divide,
    ca.OP_NEG: Graph.negative,
    ca.OP_ASSIGN: lambda graph, x: x,
    ca.OP_SQ: lambda graph, x: graph.multiply(x, x),
    ca.OP_TWICE: lambda graph, x: graph.add(x, x) if isinstance(x, Number) else 2 * x,
    ca.OP_INV: lambda graph, x: graph.divide(1.0, x),
    ca.OP_IF_ELSE_ZERO: _selected,
    ca.OP_SQRT: _root,
}
