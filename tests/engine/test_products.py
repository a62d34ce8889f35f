"""Products in the order in which their factors are known: the same values, no more operations, a shorter way."""

import math
import operator
from random import Random

import casadi as ca
import pytest

from wheelwork.engine.evaluate import evaluated
from wheelwork.engine.graph import Graph, Number

STATE, NUMBERS = 0, 1


def program(formula, count=4, given=2):
    """That of a formula of (state, given numbers); and the one that finds what is given."""
    graph = Graph()
    y = [graph.input(STATE, k) for k in range(count)]
    p = [graph.input(NUMBERS, k, given=True) for k in range(given)]
    return graph.programs("f", formula(graph, y, p), NUMBERS)


def operations(tape) -> list[int]:
    return [op for op in tape.operations if op not in (ca.OP_INPUT, ca.OP_CONST, ca.OP_OUTPUT)]


def behind(tape, which: int) -> int:
    """Operations on the way from the first one of a kind to the results."""
    longest = {tape.operations.index(which): 0}
    for k, terms in enumerate(tape.terms):
        known = [longest[s] for s in terms if s in longest]
        if known:
            longest[k] = max(known) + 1
    return max(longest.values()) - 1  # less the output


def log(graph, x):
    return graph.apply(ca.OP_LOG, x)


def test_what_is_known_last_waits_for_one_product():
    _, tape = program(lambda g, y, p: [[log(g, y[0]) * y[1] * y[2] * p[0] * y[3] * p[1]]])
    assert behind(tape, ca.OP_LOG) == 1
    assert operations(tape).count(ca.OP_MUL) == 4, (
        "the product of the two given numbers is found before the run"
    )


def test_a_quotient_comes_before_what_is_known_last():
    _, tape = program(lambda g, y, p: [[log(g, y[0]) * y[1] / y[2] * y[3]]])
    assert behind(tape, ca.OP_LOG) == 1
    assert sorted(operations(tape)) == sorted([ca.OP_LOG, ca.OP_MUL, ca.OP_DIV, ca.OP_MUL])


def test_where_the_divisor_is_known_last_nothing_is_left_behind_it():
    _, tape = program(lambda g, y, p: [[y[1] / log(g, y[0]) * y[2] * y[3]]])
    assert behind(tape, ca.OP_LOG) == 1
    assert operations(tape).count(ca.OP_DIV) == 1


def test_a_product_with_a_reciprocal_is_a_quotient():
    _, tape = program(lambda g, y, p: [[(1.0 / y[0]) * y[1]]])
    assert operations(tape) == [ca.OP_DIV]


def test_what_something_else_takes_stays_whole():
    """A product that is a result too, or a term of another sum, is not computed twice."""

    def formula(g, y, p):
        shared = log(g, y[0]) * y[1]
        used = log(g, y[2]) * y[3]
        return [[shared, shared * y[2] * y[3], used * y[1], used + y[0]]]

    _, tape = program(formula)
    assert operations(tape).count(ca.OP_MUL) == 5
    state = [1.3, 0.7, 2.9, -1.1]
    (found,) = evaluated(tape, {STATE: state, NUMBERS: []})
    a, b = math.log(state[0]) * state[1], math.log(state[2]) * state[3]
    assert found == pytest.approx([a, a * state[2] * state[3], b * state[1], b + state[0]], rel=1e-15)


def test_random_formulas_keep_their_values():
    for seed in range(60):
        rng = Random(seed)
        state, numbers = ([rng.uniform(0.5, 2.0) for _ in range(n)] for n in (4, 2))

        def formula(g, y, p, rng=rng):
            values = [*y, *p, 1.0, 0.25]
            for _ in range(40):
                a, b = rng.choice(values), rng.choice(values)
                kind = rng.randrange(8)
                if kind == 0:
                    made = a + b
                elif kind == 1:
                    made = g.apply(ca.OP_SQRT, g.apply(ca.OP_FABS, a))
                elif kind in (2, 3):
                    made = a / (b + 3.0)
                else:
                    made = a * b
                values.append(made)
            return [values[-12:]]

        graph = Graph()
        y = [graph.input(STATE, k) for k in range(4)]
        p = [graph.input(NUMBERS, k, given=True) for k in range(2)]
        results = formula(graph, y, p)
        first, second = graph.programs("f", results, NUMBERS)
        (given,) = evaluated(first, {NUMBERS: numbers})
        (found,) = evaluated(second, {STATE: state, NUMBERS: given})
        assert found == pytest.approx([value_of(graph, x, state, numbers) for x in results[0]], rel=1e-13)


FLOATS = {
    ca.OP_ADD: operator.add, ca.OP_SUB: operator.sub, ca.OP_MUL: operator.mul, ca.OP_DIV: operator.truediv,
    ca.OP_NEG: operator.neg, ca.OP_FABS: abs, ca.OP_SQRT: math.sqrt,
}  # fmt: skip


def value_of(graph: Graph, x, state, numbers) -> float:
    """What the formula itself says, operation by operation."""
    if not isinstance(x, Number):
        return x
    known: list[float] = []
    for k, op in enumerate(graph.operations[: x.index + 1]):
        if op == ca.OP_INPUT:
            which, entry = graph.places[k]
            known.append((state, numbers)[which][entry])
        elif op == ca.OP_CONST:
            known.append(graph.constants[k])
        else:
            known.append(FLOATS[op](*(known[s] for s in graph.terms[k])))
    return known[x.index]
