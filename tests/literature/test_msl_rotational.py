"""The drive train of `modelica-first` in minimal coordinates. Its motion is asserted in test_cases.py."""

import numpy as np
import pytest

from wheelwork.validation.cases.modelica_first import drive_train


def test_equations_of_a_vibration_engineer():
    """In minimal coordinates: 12 phi2'' = 10 tau - 10 phi2' - k (phi2 - phi3), 2 phi3'' = k (phi2 - phi3)."""
    r = drive_train().reduced()
    assert r.names == ("two.bearing.angle", "three.bearing.angle")
    u, v, t = np.array([0.02, -0.01]), np.array([0.3, 0.7]), 0.03
    terms = r.terms(u, v, t)
    assert terms.mass == pytest.approx(np.diag([2 + 0.1 * 100, 2.0]), rel=1e-12)
    assert terms.coriolis == pytest.approx(0, abs=1e-12)
    twist = 1e4 * (u[0] - u[1])
    pull = 10 * 10 * np.sin(2 * np.pi * 5 * t)
    assert terms.applied == pytest.approx([pull - 10 * v[0] - twist, twist], rel=1e-12)
