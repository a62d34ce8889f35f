"""The pendulum of `adams-revolute`: reactions on both sides. Its values are asserted in test_cases.py."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.validation.cases.adams import tilted


def test_reactions_on_both_bodies():
    r = tilted(ww.Revolute).simulate(end=0.5, output=10)
    ground, on_body = r.reaction("hinge", body="a").force.to_numpy(), r["hinge.reaction.force"].to_numpy()
    assert np.abs(on_body).max() > 1
    assert on_body == pytest.approx(-ground, abs=1e-12)
