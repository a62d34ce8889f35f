"""Products in the order in which their factors are known, so that what is known last waits for one multiplication.

A formula says (late * a) * b. What is known last comes through roots, logarithms and divisions, and a processor that
has nothing else to do waits for every product behind it: late * (a * b) says the same to round-off in half the time.
A division stands before the last factors, or behind them where it is the divisor that is known last. The operations are
as many as before: only products and quotients that nothing else takes are taken apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from wheelwork.lazy import casadi as ca

SUM, PRODUCT, QUOTIENT, FUNCTION = 3, 4, 13, 50
WAITING = {
    **dict.fromkeys(
        (ca.OP_ADD, ca.OP_SUB, ca.OP_FMIN, ca.OP_FMAX, ca.OP_IF_ELSE_ZERO, ca.OP_LT, ca.OP_LE), SUM
    ),
    **dict.fromkeys((ca.OP_NEG, ca.OP_FABS, ca.OP_NOT), 1),
    ca.OP_MUL: PRODUCT,
    ca.OP_FLOOR: 8,
    ca.OP_DIV: QUOTIENT,
    ca.OP_SQRT: 20,
}
"""From the last of its arguments to the result of an operation, in cycles of a processor, about."""


def quotient(x: float, y: float) -> float:
    """x / y, as processors divide, by zero too."""
    if y:
        return x / y
    return math.copysign(math.inf, x) * math.copysign(1.0, y) if abs(x) > 0 else math.nan


class Products:
    """The operations of a program, whose products are put in order.

    terms: for each operation those whose values it takes, earlier ones
    given: which of them are known before the program begins
    constants: values of those that are constant
    needed: which of them are not idle
    results: those whose values leave the program
    """

    def __init__(
        self,
        operations: Sequence[int],
        terms: Sequence[tuple[int, ...]],
        given: Sequence[bool],
        constants: Mapping[int, float],
        needed: Sequence[int],
        results: Iterable[int],
    ):
        self.operations, self.terms, self.given = list(operations), list(terms), list(given)
        self.constants, self.needed = dict(constants), list(needed)
        self.place = list(range(len(self.operations)))
        """By which they follow each other."""
        self._uses = [0] * len(self.operations)
        own = [k for k, wanted in enumerate(needed) if wanted]
        for s in (*results, *(s for k in own for s in self.terms[k])):
            self._uses[s] += 1
        self._known = [0] * len(self.operations)
        """When, in cycles from the beginning."""
        self._inside = self._absorbed(own)
        for k in own:
            if self.given[k] or k in self._inside:
                continue
            if self.operations[k] in (ca.OP_MUL, ca.OP_DIV):
                self._arrange(k)
            else:
                self._settle(k)

    def _absorbed(self, own: list[int]) -> set[int]:
        """Products and quotients that only another product takes, or a quotient above its line."""
        found = set()
        for k in own:
            if self.operations[k] == ca.OP_MUL:
                taken = self.terms[k]
            elif self.operations[k] == ca.OP_DIV:
                taken = self.terms[k][:1]
            else:
                continue
            for s in taken:
                if self.operations[s] in (ca.OP_MUL, ca.OP_DIV) and self._uses[s] == 1 and not self.given[s]:
                    found.add(s)
        return found

    def _settle(self, k: int) -> None:
        latest = max((self._known[s] for s in self.terms[k]), default=0)
        self._known[k] = latest + WAITING.get(self.operations[k], FUNCTION) if self.terms[k] else 0

    def _arrange(self, root: int) -> None:
        """The product or quotient anew, in the same operations."""
        factors: list[int] = []
        divisors: list[int] = []
        places: list[int] = []
        waiting = [root]
        while waiting:
            k = waiting.pop()
            if k != root and (k not in self._inside or (self.operations[k] == ca.OP_DIV and divisors)):
                if k in self._inside:  # a second quotient stays one
                    self._arrange(k)
                factors.append(k)
                continue
            places.append(k)
            if self.operations[k] == ca.OP_DIV:
                divisors.append(self.terms[k][1])
                waiting.append(self.terms[k][0])
            else:
                waiting += self.terms[k]
        more = [k for k in factors if self.constants.get(k) != 1.0]
        if more and len(more) + len(divisors) > 1:
            factors = more
        factors.sort(key=lambda k: (self._known[k], not self.given[k]))
        places.sort()  # the root last
        for k in places:
            self.needed[k] = k == root
        free = iter(places[1 - len(factors) - len(divisors) :])

        def made(op: int, a: int, b: int) -> int:
            k = next(free)
            if a in self.constants and b in self.constants:
                x, y = self.constants[a], self.constants[b]
                self.constants[k] = x * y if op == ca.OP_MUL else quotient(x, y)
                self.operations[k], self.terms[k], self.given[k] = ca.OP_CONST, (), True
            else:
                self.operations[k], self.terms[k], self.given[k] = op, (a, b), self.given[a] and self.given[b]
            self.place[k], self.needed[k] = root, 1
            self._settle(k)
            return k

        product = factors.pop(0)
        for divisor in divisors:
            while factors and self._known[factors[0]] <= max(self._known[divisor], self._known[product]):
                product = made(ca.OP_MUL, product, factors.pop(0))
            product = made(ca.OP_DIV, product, divisor)
        for factor in factors:
            product = made(ca.OP_MUL, product, factor)
