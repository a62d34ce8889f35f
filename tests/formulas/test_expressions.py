"""From CasADi expressions to written ones and back to numbers."""

import math
from fractions import Fraction
from xml.etree import ElementTree

import casadi as ca
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wheelwork.expressions.polynomial import Polynomial
from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.show.formulas import Expression
from wheelwork.show.formulas.expression import Named, read
from wheelwork.show.formulas.plain import only_ascii

NAMES = {
    "a": Symbol("φ", "a", rank=Rank.COORDINATE, place=0),
    "b": Symbol("φ", "b", rank=Rank.COORDINATE, place=1),
    "k": Symbol("k"),
    "x": Symbol("x", rank=Rank.COORDINATE),
    "v": Symbol("x", dots=1, rank=Rank.RATE),
    "w": Symbol("φ", "b", dots=1, rank=Rank.RATE, place=1),
}
SX = {name: ca.SX.sym(name) for name in NAMES}
PAIRS = [(SX[name], Polynomial.atom(NAMES[name])) for name in NAMES]


def written(expression: ca.SX, named=()) -> Expression:
    return Expression(read([expression], PAIRS, named).outputs[0][0][0])


def number(expression: ca.SX, values: dict[str, float]) -> float:
    return float(ca.Function("f", list(SX.values()), [expression]).call([values[n] for n in SX])[0])


leaves = st.one_of(
    st.sampled_from([SX[name] for name in NAMES]),
    st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5, math.pi, 1 / 3]).map(ca.SX),
)


def extended(inner):
    two = st.tuples(inner, inner)
    return st.one_of(
        two.map(lambda p: p[0] + p[1]),
        two.map(lambda p: p[0] - p[1]),
        two.map(lambda p: p[0] * p[1]),
        two.map(lambda p: p[0] / (p[1] ** 2 + 1)),
        two.map(lambda p: ca.atan2(p[0], p[1] ** 2 + 1)),
        two.map(lambda p: ca.if_else(p[0] < p[1], p[0], p[1] + 1)),
        inner.map(ca.sin),
        inner.map(ca.cos),
        inner.map(lambda p: -p),
        inner.map(lambda p: p**2),
        inner.map(lambda p: ca.sqrt(p**2 + 1)),
        inner.map(ca.fabs),
        inner.map(lambda p: ca.exp(-(p**2))),
    )


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.recursive(leaves, extended, max_leaves=12), st.integers(0, 1000))
def test_what_is_written_has_the_same_value(expression, seed):
    import random

    draw = random.Random(seed)
    values = {name: draw.uniform(-2, 2) for name in NAMES}
    exact = number(expression, values)
    tree = written(expression)
    found = tree.evaluate({NAMES[name]: value for name, value in values.items()})
    # multiplied out, terms of size up to about 100^4 may cancel
    assert found == pytest.approx(exact, rel=1e-7, abs=1e-7)
    assert tree.latex().count("{") == tree.latex().count("}")
    ElementTree.fromstring(f"<math>{tree.mathml()}</math>")


def test_rotations_are_put_together():
    a, b, k = SX["a"], SX["b"], SX["k"]
    cos, sin = ca.cos, ca.sin
    assert str(written(cos(a) * cos(b) + sin(a) * sin(b))) == "cos(φ_b − φ_a)"
    assert str(written(k * sin(a) * cos(b) - k * cos(a) * sin(b))) == "−k sin(φ_b − φ_a)"
    assert str(written(cos(a) ** 2 + sin(a) ** 2)) == "1"
    product = (cos(a) * cos(b) - sin(a) * sin(b)) * cos(b) + (sin(a) * cos(b) + cos(a) * sin(b)) * sin(b)
    assert str(written(product)) == "cos φ_a"
    assert str(written(cos(a) * cos(b))) in ("cos φ_a cos φ_b", "cos φ_b cos φ_a")


def test_shape():
    a, k, x, v, w = (SX[name] for name in "akxvw")
    assert str(written(x * ca.cos(a) - k * ca.cos(a))) == "(x − k) cos φ_a"
    assert str(written(-x + k)) == "k − x"
    assert str(written(w**2 * x * ca.cos(a) - w**2 * k * ca.sin(a))) == "φ̇_b² (x cos φ_a − k sin φ_a)"
    assert str(written(k * (v - w) ** 2)) in ("k (φ̇_b − ẋ)²", "k (ẋ − φ̇_b)²")
    assert str(written(-1 * x)) == "−x"
    assert str(written(x / k)) == "x/k"
    assert str(written((x + k) / (x - k))) == "(x + k)/(x − k)"
    assert str(written(2 * x * v - 2 * k * v)) == "2 ẋ (x − k)"
    assert str(written(ca.sqrt(x**2 + k**2))) == "√(x² + k²)"
    assert str(written(ca.if_else(x < k, v, 0))) == "[x < k] ẋ"


@pytest.mark.parametrize(
    ("value", "text", "latex"),
    [
        (2.0, "2", "2"),
        (0.04, "0.04", "0.04"),
        (math.pi, "π", r"\pi"),
        (2 * math.pi, "2π", r"2\pi"),
        (math.pi / 6, "π/6", r"\frac{\pi}{6}"),
        (1 / (2 * math.pi), "1/(2π)", r"\frac{1}{2\pi}"),
        (1 / 3, "1/3", r"\frac{1}{3}"),
        (-1.5, "−1.5", "-1.5"),
        (9.80665, "9.80665", "9.80665"),
        (1.2e-7, "1.2e−7", r"1.2 \cdot 10^{-7}"),
        (3 - 1e-14, "3", "3"),
    ],
)
def test_numbers(value, text, latex):
    expression = Expression(Polynomial.number(value))
    assert (str(expression), expression.latex()) == (text, latex)


def test_symbols():
    point = Symbol("x", "crank", "B", primes=1)
    assert str(Expression(Polynomial.atom(point))) == "x′_crank,B"
    assert Expression(Polynomial.atom(point)).latex() == r"{x'}^{B}_{\mathrm{crank}}"
    assert str(Expression(Polynomial.atom(Symbol("φ", "12", dots=1)))) == "φ̇₁₂"
    squared = Expression(Polynomial.atom(point).power(Fraction(2)))
    assert squared.latex() == r"{{x'}^{B}_{\mathrm{crank}}}^{2}"
    named = Expression(Polynomial.atom(Symbol("left_arm")))
    assert (str(named), named.latex()) == ("left_arm", r"\mathrm{left\_arm}")


def test_intermediate_results_get_their_names():
    a, b, k = SX["a"], SX["b"], SX["k"]
    d = a - b
    name = Symbol("d", rank=Rank.DERIVED)
    reading = read([d * k + (b - a) ** 2], PAIRS, [Named(name, d), Named(name, b - a, -1.0)])
    assert str(Expression(reading.outputs[0][0][0])) == "k d + d²"
    assert [str(Expression(value)) for value in reading.definitions.values()] == ["φ_a − φ_b"]


def test_letters_for_plain_terminals():
    assert only_ascii("Φ₁₂ = x′_crank,A φ̇² − √(d_x² + 1)") == "Phi_12 = x'_crank,A phi.^2 - sqrt(d_x^2 + 1)"
