"""Light links between heavy ones: a warning where numbers would be wrong, and none where they are right."""

import warnings
from contextlib import suppress

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.solve.unlike_masses import PrecisionWarning

LIFT = """
kind: planar
bodies:
  crank: {{mass: {light}, inertia: {light}*1e-3, position: [0.05, 0]}}
  rod: {{mass: {light}, inertia: {light}*1e-3, position: [0.1, 0.15]}}
  weight: {{mass: 1, inertia: 1, position: [0.1, 0.3]}}
joints:
  bearing: {{type: revolute, bodies: [ground, crank], point: [0, 0]}}
  pin: {{type: revolute, bodies: [crank, rod], point: [0.1, 0]}}
  wrist: {{type: revolute, bodies: [rod, weight], point: [0.1, 0.3]}}
  guide: {{type: translational, bodies: [ground, weight], point: [0.1, 0.3], axis: [0, 1]}}
drivers:
  motor: {{type: joint, joint: bearing, value: "t"}}
"""


def lifted(light: float) -> tuple[float, list]:
    """Torque of the motor at the start, where the crank is level and the rod upright: the weight times its arm."""
    m = ww.loads(LIFT.format(light=light))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torque = float(np.array(m.inverse(end=1e-3, output=1)["motor.torque"])[0])
    return torque, [w for w in caught if issubclass(w.category, PrecisionWarning)]


@pytest.mark.parametrize("light", [1e-1, 1e-3, 1e-4])
def test_right_numbers_come_without_a_warning(light):
    torque, caught = lifted(light)
    # no more than the weight: where the crank is level, its end rises without acceleration
    assert torque == pytest.approx(0.1 * 9.80665, rel=1e-4 + 3 * light)
    assert not caught


@pytest.mark.parametrize("light", [1e-7, 1e-9])
def test_where_digits_run_out_a_warning_says_so(light):
    m = ww.loads(LIFT.format(light=light))
    with (
        pytest.warns(PrecisionWarning, match="`crank`.*`weight`.*formulation: reduced"),
        suppress(ww.ModelError),
    ):
        m.inverse(end=1e-3, output=1)
