"""Functions of time that jump or bend: steps end there, so that results are as good as for smooth ones."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

import wheelwork as ww
from wheelwork.description import flatten
from wheelwork.system.build import build

WHEEL = """
kind: planar
gravity: [0, 0]
parameters: {{when: 0.35, drag: 3}}
bodies:
  wheel: {{mass: 1, inertia: 2}}
joints:
  pin: {{type: revolute, bodies: [ground, wheel], point: [0, 0]}}
forces:
  drive: {{type: torque, body: wheel, value: {torque}}}
"""

# formula, the same in Python, its corners
TORQUES = {
    "jump": ("if(t < when, 1, -2)", lambda t: 1.0 if t < 0.35 else -2.0, [0.35]),
    "staircase": (
        "floor(10*t/3)*ceil(4*t)",
        lambda t: np.floor(10 * t / 3) * np.ceil(4 * t),
        [0, 0.25, 0.3, 0.5, 0.6, 0.75, 0.9, 1],
    ),
    "rectified": ("abs(sin(7*t))", lambda t: abs(np.sin(7 * t)), [0, np.pi / 7, 2 * np.pi / 7]),
    "saturated": ("min(max(5*t - 2, -1), 1)", lambda t: min(max(5 * t - 2, -1), 1), [0.2, 0.6]),
    "square wave": ("sign(sin(40*t))", lambda t: np.sign(np.sin(40 * t)), [np.pi / 40 * k for k in range(13)]),
    "at both ends": ("if(t > 0, 1, 5) + if(t < 1, 0, 7)", lambda t: 1.0, [0.0, 1.0]),
    "table": (
        "{time: [0.1, 0.4, 0.7], value: [1, -3, 2], interpolation: linear}",
        lambda t: np.interp(t, [0.1, 0.4, 0.7], [1.0, -3.0, 2.0]),
        [0.1, 0.4, 0.7],
    ),
}  # fmt: skip


def wheel(torque: str) -> ww.Mechanism:
    return ww.loads(WHEEL.format(torque=torque if torque.startswith("{") else f'"{torque}"'))


def integral(function, corners) -> float:
    ends = [0.0, *corners, 1.0]
    return sum(quad(function, a, b, epsabs=1e-13, epsrel=1e-13)[0] for a, b in pairwise(ends))


@pytest.mark.parametrize("name", TORQUES)
def test_all_corners_are_found(name):
    formula, _, expected = TORQUES[name]
    program = build(flatten(wheel(formula)))
    found = program.corners(program.numbers(), 0.0, 1.0)
    assert found == pytest.approx(expected, rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("name", TORQUES)
def test_impulse(name):
    formula, function, corners = TORQUES[name]
    r = wheel(formula).run(end=1.0, output=7)
    assert float(r["wheel.w"][-1]) == pytest.approx(integral(function, corners) / 2, abs=1e-9)


def test_fixed_steps_keep_their_order():
    """An eighth of the step, 8^4 of the error, though no step of a grid would end at the jump."""
    formula, function, corners = (
        "exp(3*t)*if(t < when, 1, -2)",
        lambda t: np.exp(3 * t) * (1 if t < 0.35 else -2),
        [0.35],
    )
    exact = integral(function, corners) / 2
    m = wheel(formula)
    errors = [
        abs(float(m.run(end=1.0, output=1, method="rk4", step=h)["wheel.w"][-1]) - exact) for h in (0.1, 0.0125)
    ]  # fmt: skip
    assert errors[0] / errors[1] == pytest.approx(8**4, rel=0.3)


def test_corner_moves_with_its_parameter():
    m = wheel("if(t < when, 1, -2)")
    r = m.run(end=1.0, output=1, parameters={"when": 0.71})
    assert float(r["wheel.w"][-1]) == pytest.approx((0.71 - 2 * 0.29) / 2, abs=1e-11)


def test_switch_in_a_formula_of_the_state():
    """w' = -drag w/2 until `when`, then free."""
    m = wheel("if(t < when, 4 - drag*wheel.w, 0)")
    r = m.run(end=1.0, output=1)
    assert float(r["wheel.w"][-1]) == pytest.approx(4 / 3 * (1 - np.exp(-3 * 0.35 / 2)), abs=1e-9)


def test_output_at_a_corner():
    r = wheel("if(t < 0.5, 1, -2)").run(end=1.0, output=2)
    assert np.array(r.t).tolist() == [0.0, 0.5, 1.0]
    assert np.array(r["wheel.w"]) == pytest.approx([0.0, 0.25, -0.25], abs=1e-12)


def test_at_a_corner_the_state_is_that_before_it():
    """Not one extrapolated back from behind it."""
    r = wheel("if(t < 0.5, 0, 1e6)").run(end=1.0, output=2)
    assert float(r["wheel.w"][1]) == 0.0


def test_drive_that_bends():
    """A prescribed speed that changes abruptly: the velocity jumps, the angle does not."""
    m = ww.loads(
        """
        kind: planar
        gravity: [0, 0]
        bodies: {wheel: {mass: 1, inertia: 2}}
        joints: {pin: {type: revolute, bodies: [ground, wheel], point: [0, 0]}}
        drivers: {turn: {type: joint, joint: pin, value: "abs(3*t - 1)"}}
        """
    )
    r = m.run(end=1.0, output=3)
    assert np.array(r["wheel.w"])[[0, 3]] == pytest.approx([-3.0, 3.0], abs=1e-9)
    assert np.array(r["wheel.angle"]) == pytest.approx([1.0, 0.0, 1.0, 2.0], abs=1e-9)
