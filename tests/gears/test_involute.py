"""The involute function and its inverse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wheelwork.gears import inverse_involute, involute
from wheelwork.gears.involute import curvature_at, pressure_angle_at


@pytest.mark.parametrize(
    ("degrees", "value"), [(14.5, 0.0055448), (20, 0.0149044), (25, 0.0299753), (30, 0.0537515)]
)
def test_table(degrees, value):
    # the seven-place table of involutes found in every gear handbook (Dudley, table of involute functions)
    assert involute(np.radians(degrees)) == pytest.approx(value, abs=5e-8)


@given(st.floats(1e-4, 1.55))
def test_inverse(alpha):
    # inv is flat at zero, so what a rounding of its value moves is rounding / tan(alpha)^2
    assert inverse_involute(involute(alpha)) == pytest.approx(alpha, abs=1e-14 + 4e-16 / np.tan(alpha) ** 2)


def test_ends_and_arrays():
    assert inverse_involute(0.0) == 0.0
    alpha = inverse_involute(np.array([[0.0, 1e-12], [0.5, 1e4]]))
    assert involute(alpha) == pytest.approx(np.array([[0.0, 1e-12], [0.5, 1e4]]), rel=1e-9)
    with pytest.raises(ValueError, match="never negative"):
        inverse_involute(-1e-3)


@given(st.floats(1.0001, 3))
def test_string_unwinds(ratio):
    """The point drawn by a string of length rho has the radius and the polar angle of the formulas."""
    rho = float(curvature_at(ratio, 1.0))
    foot = rho  # the arc that was unwound from a circle of radius 1
    point = np.exp(1j * foot) * (1 - 1j * rho)
    assert abs(point) == pytest.approx(ratio)
    assert np.angle(point) == pytest.approx(float(involute(pressure_angle_at(ratio, 1.0))), abs=1e-12)
