r"""Programs made shorter by what is linear in them: sums of products with constants in one form each.

Where numbers of a model are constants, much of its equations is linear: what turns a wheel is a constant times the
coordinates, and the phases of all meshes of one wheel differ by constants. Elements do not know of each other, so their
programs compute such sums again and again. Here every value is kept as

    constant + sum of c_i x_i

of values x_i that are not linear in others, for as long as it is short; terms that cancel vanish. When something that
is not linear takes it, the sum is written as s (x_1 + c_2/c_1 x_2 + ... + constant/s), with the largest term first, so
that differences of angles come before products with stiffnesses; values in proportion to each other share it. Sines
and cosines of angles that differ by a constant are combinations of one pair.

The results differ from those of the program as it was by round-off; comparisons with what is not a number may too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import casadi as ca

from .graph import Graph, Number, Scalar
from .tape import Tape

MOST = 8
"""Terms of a sum that is not written down, yet."""
SHARED = 2
"""The same where it is used more than once."""
NOTHING = 4e-16
"""Of the larger one: what is left when two terms cancel."""
COSTS = dict.fromkeys(
    [ca.OP_CONST, ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_NEG, ca.OP_NOT, ca.OP_AND, ca.OP_OR, ca.OP_IF_ELSE_ZERO], 0
) | dict.fromkeys([ca.OP_SIN, ca.OP_COS], 10)
DIGITS = 14
"""In which sums in proportion to each other agree."""


@dataclass(frozen=True)
class AffineSum:
    constant: float
    terms: dict[int, float]
    """By the number of the value in the graph."""

    def times(self, s: float) -> AffineSum:
        return AffineSum(s * self.constant, {k: s * c for k, c in self.terms.items()} if s else {})

    def plus(self, other: AffineSum) -> AffineSum:
        terms = dict(self.terms)
        for k, c in other.terms.items():
            before = terms.get(k, 0.0)
            if abs(before + c) > NOTHING * abs(c):
                terms[k] = before + c
            else:
                terms.pop(k, None)
        total = self.constant + other.constant
        return AffineSum(total if abs(total) > NOTHING * abs(other.constant) else 0.0, terms)


class Shortening:
    """The shorter program of a program."""

    def __init__(self, tape: Tape):
        self.tape, self.graph = tape, Graph()
        self._numbers: dict[int, Number] = {}
        self._monic: dict[tuple[tuple[int, float], ...], Scalar] = {}
        self._angles: dict[tuple[int, float], tuple[float, AffineSum, AffineSum]] = {}
        self._uses = [0] * len(tape.operations)
        for terms in tape.terms:
            for k in terms:
                self._uses[k] += 1

    @cached_property
    def result(self) -> Tape:
        tape = self.tape
        sums: list[AffineSum] = []
        columns: list[list[Scalar]] = [[0.0] * len(entries) for entries in tape.offsets]
        for k, op in enumerate(tape.operations):
            taken = [sums[s] for s in tape.terms[k]]
            if op == ca.OP_OUTPUT:
                which, entry = tape.places[k]
                columns[which][entry] = self._value(taken[0])
                sums.append(taken[0])
            elif op == ca.OP_INPUT:
                sums.append(self._sum(self.graph.input(*tape.places[k])))
            elif op == ca.OP_CONST:
                sums.append(AffineSum(tape.constants[k], {}))
            else:
                made = self._made(op, taken)
                most = SHARED if self._uses[k] > 1 else MOST
                sums.append(self._written(made) if len(made.terms) > most else made)
        made = self.graph.programs(tape.name, columns, -1)[1]
        return Tape(made.name, made.operations, made.terms, made.places, made.constants, tape.offsets)

    def _sum(self, x: Scalar) -> AffineSum:
        """Of a value by itself."""
        if not isinstance(x, Number):
            return AffineSum(x, {})
        self._numbers[x.index] = x
        return AffineSum(0.0, {x.index: 1.0})

    # -- operations

    def _made(self, op: int, taken: list[AffineSum]) -> AffineSum:
        a, b = taken[0], taken[-1]
        if op in (ca.OP_ADD, ca.OP_SUB):
            if len(a.terms) + len(b.terms) > MOST:
                a, b = (self._written(x) if len(x.terms) > SHARED else x for x in (a, b))
            return a.plus(b if op == ca.OP_ADD else b.times(-1.0))
        if op in (ca.OP_ASSIGN, ca.OP_NEG, ca.OP_TWICE):
            return a.times({ca.OP_ASSIGN: 1.0, ca.OP_NEG: -1.0, ca.OP_TWICE: 2.0}[op])
        if op == ca.OP_DIV and not b.terms and b.constant:
            return a.times(1.0 / b.constant)
        if op in (ca.OP_MUL, ca.OP_SQ):
            if not a.terms or not b.terms:
                return b.times(a.constant) if not a.terms else a.times(b.constant)
            (s, x), (r, y) = self._scaled(a), self._scaled(b)
            return self._sum(self.graph.multiply(x, y)).times(s * r)
        if op in (ca.OP_SIN, ca.OP_COS):
            angle = self._written(a)
            if angle.terms and math.isfinite(angle.constant):
                return self._sine_or_cosine(op, angle)
            a, taken = angle, [angle]
        if op == ca.OP_LE:  # not b < a, so that one comparison serves both
            return self._sum(self.graph.apply(ca.OP_NOT, self._value(self._made(ca.OP_LT, [b, a]))))
        if op == ca.OP_LT and bool(a.terms) != bool(b.terms):
            s, x = self._scaled(a if a.terms else b)
            bound = (b if a.terms else a).constant / s
            pair = (x, bound) if bool(a.terms) == (s > 0) else (bound, x)
            return self._sum(self.graph.apply(op, *pair))
        if op == ca.OP_IF_ELSE_ZERO and b.terms and not b.constant:
            s, x = self._scaled(b)
            return self._sum(self.graph.apply(op, self._value(a), x)).times(s)
        return self._sum(self.graph.apply(op, *(self._value(x) for x in taken)))

    def _sine_or_cosine(self, op: int, angle: AffineSum) -> AffineSum:
        """Of one term and a constant."""
        ((k, rate),) = angle.terms.items()
        constant, sign = angle.constant, 1.0
        if rate < 0:
            constant, rate, sign = -constant, -rate, -1.0
        key = (k, _rounded(rate))
        if key not in self._angles:
            x = self._value(AffineSum(constant, {k: rate}))
            sine, cosine = (self._sum(self.graph.apply(own, x)) for own in (ca.OP_SIN, ca.OP_COS))
            self._angles[key] = (constant, sine, cosine)
        first, sine, cosine = self._angles[key]
        s, c = _neat(math.sin(constant - first)), _neat(math.cos(constant - first))
        if op == ca.OP_SIN:
            return sine.times(c).plus(cosine.times(s)).times(sign)
        return cosine.times(c).plus(sine.times(-s))

    # -- writing sums down

    def _base(self, terms: dict[int, float]) -> tuple[float, Scalar]:
        """The factor of its largest term, and the sum over that: a constant where its terms are sums that cancel."""
        ordered = sorted(terms.items(), key=lambda term: (-abs(term[1]), term[0]))
        (first, lead), *others = ordered
        total: Scalar = self._numbers[first]
        key = ((first, 1.0),)
        for k, c in others:  # sums that begin alike share their beginning
            key = (*key, (k, _rounded(c / lead)))
            if key not in self._monic:
                self._monic[key] = total + (c / lead) * self._numbers[k]
            total = self._monic[key]
        return lead, total

    def _written(self, a: AffineSum) -> AffineSum:
        """The same in one term."""
        if not a.terms:
            return a
        lead, base = self._base(a.terms)
        return self._sum(base).times(lead).plus(AffineSum(a.constant, {}))

    def _scaled(self, a: AffineSum) -> tuple[float, Scalar]:
        """A factor and a value whose product it is."""
        lead, base = self._base(a.terms)
        return lead, base + a.constant / lead

    def _value(self, a: AffineSum) -> Scalar:
        if not a.terms:
            return a.constant
        lead, base = self._base(a.terms)
        return lead * base + a.constant


def _rounded(x: float) -> float:
    return float(f"{x:.{DIGITS - 1}e}")


def _neat(x: float) -> float:
    """A sine or cosine; of quarters of a turn exactly."""
    return float(round(x)) if abs(x - round(x)) < 1e-15 else x


def shortened(tape: Tape) -> Tape:
    """A program with the same results in fewer instructions; as it was where there are none to save."""
    made = Shortening(tape).result
    return made if _cost(made) < _cost(tape) else tape


def _cost(tape: Tape) -> int:
    """About how many sums and products an evaluation takes as long as."""
    return sum(COSTS.get(tape.operations[k], 1) for k in tape.written)
