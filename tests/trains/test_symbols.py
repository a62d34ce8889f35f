"""Formulas of ratios calculate like the fractions they stand for."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wheelwork.expressions.division import divided, gcd
from wheelwork.expressions.polynomial import Polynomial, multiplied
from wheelwork.expressions.symbols import Symbol
from wheelwork.trains.symbols import Symbolic

NAMES = ("x", "y", "z")
VALUES = {"x": Fraction(7, 3), "y": Fraction(-5, 11), "z": Fraction(13, 17)}

leaves = st.one_of(st.sampled_from(NAMES).map(Symbolic.symbol), st.integers(-3, 3).map(Symbolic.of))


@st.composite
def formulas(draw, depth=4):
    """A formula and its value, made of random operations."""
    if depth == 0:
        leaf = draw(leaves)
        return leaf, leaf.evaluate(VALUES)
    (a, x), (b, y) = draw(formulas(depth=depth - 1)), draw(formulas(depth=depth - 1))
    operation = draw(st.sampled_from("+-*/"))
    if operation == "+":
        return a + b, x + y
    if operation == "-":
        return a - b, x - y
    if operation == "*" or b == 0:
        return a * b, x * y
    if y == 0:  # not zero, but zero for these values
        return a, x
    return a / b, x / y


@pytest.mark.slow
@given(formulas())
@settings(max_examples=150, deadline=None)
def test_value(pair):
    formula, value = pair
    assert formula.evaluate(VALUES) == value


@pytest.mark.slow
@given(formulas(depth=3), formulas(depth=3))
@settings(max_examples=100, deadline=None)
def test_field(one, two):
    a, b = one[0], two[0]
    assert a + b == b + a
    assert (a + b) - b == a
    if b != 0:
        # Lowest terms: dividing brings back exactly what was there.
        assert (a * b) / b == a
        assert (a / b) * b == a


polynomials = st.dictionaries(
    st.dictionaries(st.sampled_from(NAMES).map(Symbol), st.integers(1, 2).map(Fraction)).map(
        lambda powers: frozenset(powers.items())
    ),
    st.integers(-4, 4).filter(bool).map(Fraction),
    min_size=1,
    max_size=3,
).map(Polynomial)


@pytest.mark.slow
@given(polynomials, polynomials, polynomials)
@settings(max_examples=100, deadline=None)
def test_common_divisor(a, b, c):
    found = gcd(multiplied(a, c), multiplied(b, c))
    assert divided(multiplied(a, c), found) is not None
    assert divided(multiplied(b, c), found) is not None
    assert divided(found, c) is not None


def test_text():
    x, y = Symbolic.symbol("x"), Symbolic.symbol("y")
    pairs = {"x": ("1", "2"), "y": ("2", "3")}
    assert (x * y).text(pairs) == "N(1,2) N(2,3)"
    assert (1 / x).text(pairs) == "N(2,1)"
    assert (x - 2 * y * y).text(pairs) == "N(1,2) - 2 N(2,3) N(2,3)"
    assert (x / (1 + y)).text(pairs) == "N(1,2)/(1 + N(2,3))"
    assert ((x + y) / (1 + y)).text(pairs, latex=True) == r"\frac{N_{1,2} + N_{2,3}}{1 + N_{2,3}}"
    assert Symbolic.of(0).text(pairs) == "0"
