"""Programs made shorter by what is linear in them say the same, by CasADi's own evaluation."""

import casadi as ca
import numpy as np
import pytest

from wheelwork.engine.affine import Shortening
from wheelwork.engine.evaluate import evaluated
from wheelwork.engine.tape import Tape

x, y, t = (ca.SX.sym(name) for name in "xyt")


def same(expressions: list[ca.SX], seed: int = 0) -> Tape:
    function = ca.Function("f", [x, y, t], [ca.vertcat(*expressions)])
    tape = Tape.of(function)
    made = Shortening(tape).result  # also where it saves nothing
    for values in np.random.default_rng(seed).normal(size=(20, 3)):
        truth = np.array(function(*values)).ravel()
        for one in (tape, made):
            found = evaluated(one, {k: [value] for k, value in enumerate(values)})[0]
            assert found == pytest.approx(truth, rel=1e-13, abs=1e-13)
    return made


def count(tape: Tape, *operations: int) -> int:
    return sum(op in operations for op in tape.operations)


def test_sums_in_proportion_are_computed_once_and_terms_that_cancel_vanish():
    gap = 0.3 * x - 0.7 * (2.0 - y)
    made = same([ca.fmax(gap, 0) * 5.0, ca.floor(4 * gap - 1), ca.sqrt(1 + (gap - 0.3 * x) ** 2)])
    assert count(made, ca.OP_ADD, ca.OP_SUB) == 5  # x + r y; with constants twice; y - 2; 1 + ()^2
    assert count(made, ca.OP_MUL, ca.OP_SQ) == 6


def test_angles_that_differ_by_a_constant_share_sine_and_cosine():
    angle = 18 * x - 3 * y
    made = same(
        [ca.sin(angle + 0.2), ca.cos(angle + 1.2), ca.sin(-angle + 3), ca.cos(2 - 6 * (3 * x - 0.5 * y))]
    )
    assert count(made, ca.OP_SIN) == count(made, ca.OP_COS) == 1
    quarter = same([ca.sin(x) * y, ca.cos(x + np.pi / 2) * y])
    assert count(quarter, ca.OP_SIN, ca.OP_COS) == 1


def test_conditions_keep_their_sides():
    gap, wide = x - 0.5 * y, -2.0 * (x - 0.5 * y) + 0.1
    parts = [
        ca.if_else(gap > 0.2, 3 * gap, 0),
        ca.if_else(wide <= 0.3, t * wide, 0),
        ca.if_else(-gap > 0.1, gap, t),
        ca.if_else(gap <= t, 1, 2),
    ]
    made = same([*parts, parts[0] + 2 * parts[1] - parts[2]])
    assert count(made, ca.OP_LE) == 0


def test_a_sum_whose_terms_are_sums_that_cancel_is_a_constant():
    """The last term of w is a sum that is written down: what stands before it is the same sum again."""
    u = x - y + t
    w = ((t - y) + x) - u
    made = same(
        [ca.sin(u) * u, ca.sin(w), ca.tanh(w + 3) * y, ca.cos(w + x) * w, ca.fmax(w, t), ca.floor(y + w) * w]
    )
    assert count(made, ca.OP_TANH) == 0


def test_constants_that_come_together_in_products_and_quotients_are_one():
    made = same([5 / x * (3 / y) * t * 2.0])
    assert {made.places[k] for k, op in enumerate(made.operations) if op == ca.OP_INPUT} == {
        (0, 0),
        (1, 0),
        (2, 0),
    }
    assert count(made, ca.OP_MUL, ca.OP_DIV) == 4


OPERATIONS = [
    lambda a, b, c: a + b,
    lambda a, b, c: a - c * b,
    lambda a, b, c: c * a,
    lambda a, b, c: c - a,
    lambda a, b, c: ca.sin(a + c),
    lambda a, b, c: ca.cos(a - c),
    lambda a, b, c: ca.tanh(a) * b,
    lambda a, b, c: ca.if_else(a < c, ca.tanh(b), 0),
    lambda a, b, c: ca.fmin(a, c),
    lambda a, b, c: c / (2 + ca.tanh(b) ** 2) * (1 / (c + 3 + a**2)),
    lambda a, b, c: (a - b) + (b - a + c),
]


@pytest.mark.slow
def test_random_programs():
    rng = np.random.default_rng(5)
    for seed in range(20):
        pool = [x, y, t, ca.SX(0.5)]
        for _ in range(60):
            a, b = (pool[k] for k in rng.integers(max(0, len(pool) - 9), len(pool), 2))
            c = float(rng.normal())
            pool.append(OPERATIONS[rng.integers(len(OPERATIONS))](a, b, c))
        same([ca.tanh(value) for value in pool[-8:]], seed)
