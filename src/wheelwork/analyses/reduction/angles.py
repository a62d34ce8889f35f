r"""Angles in straight-line code: atan2 of a turning direction is the angle itself.

Angles of wheels against lines of centres, and against each other, are atan2 of sines and cosines in the elements, which
know only frames. About fixed axes, with lines of centres that rest or turn with the wheels' carrier,

    atan2(p sin(x) + q cos(x), p cos(x) - q sin(x)) = x + atan2(q, p)      (but for whole turns)

and elements do not depend on whole turns, at which atan2 itself jumps. So no sine is left of the motion of the wheels.
The same holds where a slide moves a wheel along the line of centres (not through the other wheel). Whether an atan2 is
such a sum of angles is found by trying some positions.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np

from wheelwork.engine.graph import Graph, Number, Scalar, folded
from wheelwork.lazy import casadi as ca

NEAR = 1e-3
"""Ways of slides with which it is tried whether a line of centres keeps its direction [m]."""
TRIES = 4
SAME = 1e-9


class Angles:
    """Angles in a program whose given numbers have, this time, the values `numbers` (the entries of their argument)."""

    def __init__(self, graph: Graph, numbers: np.ndarray):
        self.graph, self.numbers = graph, numbers
        self._given: dict[int, float] = {}

    def atan2(self, over: Scalar, under: Scalar) -> Scalar:
        """As it is, or a sum of angles and a number."""
        graph = self.graph
        plain = graph.apply(ca.OP_ATAN2, over, under)
        if not isinstance(plain, Number) or plain.given:
            return plain
        order, angles, others = self._below(plain.index)
        if not angles:
            return plain
        rng = Random(0)
        none, still = dict.fromkeys(angles, 0.0), dict.fromkeys(others, 0.0)
        found = self._value(order, none, still)
        slopes = {}
        for x in angles:
            turn = rng.uniform(0.5, 1.0)
            apart = _apart(self._value(order, {**none, x: turn}, still), found)
            slopes[x] = max((-1.0, 0.0, 1.0), key=lambda slope, by=apart / turn: -abs(by - slope))
            if not abs(apart - slopes[x] * turn) <= SAME:
                return plain
        for _ in range(TRIES):
            turns = {x: rng.uniform(-math.pi, math.pi) for x in angles}
            ways = {x: rng.uniform(-NEAR, NEAR) for x in others}
            wanted = found + sum(slopes[x] * turn for x, turn in turns.items())
            if not abs(_apart(self._value(order, turns, ways), wanted)) <= SAME:
                return plain
        total = self._at_zero(order)
        for x, slope in slopes.items():
            total = graph.add(total, graph.multiply(slope, Number(graph, x, graph.given[x])))
        return total

    def _below(self, top: int) -> tuple[list[int], list[int], list[int]]:
        """What a value is made of, in order, down to sines and cosines of angles and to inputs: these two beside it."""
        graph, seen, waiting = self.graph, {top}, [top]
        angles: set[int] = set()
        others: set[int] = set()
        while waiting:
            k = waiting.pop()
            op = graph.operations[k]
            if graph.given[k]:
                continue
            if op in (ca.OP_SIN, ca.OP_COS):
                angles.add(graph.terms[k][0])
            elif op == ca.OP_INPUT:
                others.add(k)
            else:
                new = [s for s in graph.terms[k] if s not in seen]
                seen.update(new)
                waiting += new
        return sorted(seen), sorted(angles), sorted(others)

    def _value(self, order: list[int], angles: dict[int, float], others: dict[int, float]) -> float:
        graph, value = self.graph, dict[int, float]()
        for k in order:
            op = graph.operations[k]
            if graph.given[k]:
                value[k] = self._known(k)
            elif op == ca.OP_SIN:
                value[k] = math.sin(angles[graph.terms[k][0]])
            elif op == ca.OP_COS:
                value[k] = math.cos(angles[graph.terms[k][0]])
            elif op == ca.OP_INPUT:
                value[k] = others[k]
            else:
                value[k] = folded(op, *(value[s] for s in graph.terms[k]))
        return value[order[-1]]

    def _known(self, k: int) -> float:
        """A given number."""
        graph = self.graph
        if k not in self._given:
            op = graph.operations[k]
            if op == ca.OP_CONST:
                found = graph.constants[k]
            elif op == ca.OP_INPUT:
                found = float(self.numbers[graph.places[k][1]])
            else:
                found = folded(op, *(self._known(s) for s in graph.terms[k]))
            self._given[k] = found
        return self._given[k]

    def _at_zero(self, order: list[int]) -> Scalar:
        """The value with all angles and ways zero, as a given number."""
        graph, value = self.graph, dict[int, Scalar]()
        for k in order:
            op = graph.operations[k]
            if graph.given[k]:
                value[k] = graph.constants[k] if op == ca.OP_CONST else Number(graph, k, True)
            elif op in (ca.OP_SIN, ca.OP_COS):
                value[k] = float(op == ca.OP_COS)
            elif op == ca.OP_INPUT:
                value[k] = 0.0
            else:
                value[k] = graph.apply(op, *(value[s] for s in graph.terms[k]))
        return value[order[-1]]


def _apart(x: float, y: float) -> float:
    """Difference of two angles but for whole turns; nan where one of them is none."""
    return math.remainder(x - y, 2 * math.pi) if math.isfinite(x - y) else math.nan
