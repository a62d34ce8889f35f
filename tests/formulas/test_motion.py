"""Forces and equations of motion as printed, against the kernels and against what the engine solves."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.expressions.symbols import Rank, Symbol

from .models import PLANAR_BODIES, PLANAR_FORCES, PLANAR_JOINTS, states, with_force, with_joint


@pytest.mark.parametrize("kind", PLANAR_FORCES)
def test_forces(kind):
    equations = with_force(PLANAR_FORCES[kind])
    (load,) = equations.loads
    for motion in states(equations):
        found = np.array(
            [[cell.evaluate(load.symbol_values(motion)) for cell in row] for row in load.Q.cells]
        )
        assert found == pytest.approx(load.values(motion), abs=1e-10)


def test_a_spring_is_written_with_its_own_words():
    (load,) = with_force(PLANAR_FORCES["spring"]).loads
    definitions = {symbol.letter: str(value) for symbol, value in load.definitions}
    assert definitions["force"] == "stiffness (length_push − 0.5) + 3 speed_push"
    assert str(load.Q[1, 0]) == "−force_push n_push,x"


def printed_balance(equations, assembled):
    """Left less right of the printed equations of motion, with the engine's accelerations and multipliers."""
    motion = assembled.motion
    values: dict[Symbol, float] = {}
    for entry in (*equations.constraints, *equations.loads):
        values |= entry.symbol_values(motion)
    for load in equations.loads:
        for body, wrench in zip(load.bodies, load.values(motion), strict=True):
            for component, value in zip(load.components, wrench, strict=True):
                values[Symbol("Q", load.body_name(body), load.name, component, rank=Rank.RATE)] = value
    for k, multiplier in enumerate(motion.multipliers[0]):
        values[Symbol("λ", str(k + 1), rank=Rank.RATE)] = multiplier
    out = []
    for k, body in enumerate(equations.bodies):
        values |= {body.mass: body.mass_value, body.inertia: body.inertia_value[2, 2], **dict(body.gravity)}
        coordinates = equations._source.names.coordinates(k)
        for symbol, a in zip(coordinates, motion.a[0, k, [0, 1, 5]], strict=True):
            values[symbol.rate().rate()] = a
        out += [left.evaluate(values) - right.evaluate(values) for left, right in equations.newton(k)]
    return np.array(out)


@pytest.mark.parametrize("kind", ["spring", "actuator", "force", "torsional_spring"])
def test_printed_equations_hold_for_what_the_engine_solves(kind):
    text = (
        f"joints:\n  pin: {PLANAR_JOINTS['revolute']}\n"
        "  base: {type: revolute, bodies: [ground, one], point: [0, 0]}\n"
        f"forces:\n  push: {PLANAR_FORCES[kind]}\ndrivers: {{}}\n"
    )
    m = ww.loads(PLANAR_BODIES + text)
    assembled = m.assemble()
    equations = m.equations()
    assert printed_balance(equations, assembled) == pytest.approx(np.zeros(6), abs=1e-9)
    assert np.abs(assembled.motion.multipliers).max() > 0.1


def test_numbers_of_the_whole():
    """M a + Phi_q^T lambda = Q and Phi_q a = gamma at the assembled state, with the engine's a and lambda."""
    m = ww.loads(
        PLANAR_BODIES
        + f"joints:\n  pin: {PLANAR_JOINTS['revolute']}\n  line: {PLANAR_JOINTS['translational']}\n"
        + f"forces:\n  push: {PLANAR_FORCES['spring']}\n"
    )
    m.bodies["one"].angular_velocity = 2.0
    assembled = m.assemble()
    e = m.equations().at(assembled)
    motion = assembled.motion
    a, multipliers = motion.acceleration[0], motion.multipliers[0]
    assert e.M @ a + e.jacobian.T @ multipliers == pytest.approx(e.Q, abs=1e-9)
    assert e.jacobian @ a == pytest.approx(e.gamma, abs=1e-9)
    assert e.phi == pytest.approx(np.zeros(4), abs=1e-10)
    assert e["pin"].jacobian.shape == (2, 6)
    assert e.columns == ("x_one", "y_one", "φ_one", "x_two", "y_two", "φ_two")


def test_numbers_in_space():
    m = ww.loads("""
bodies:
  top: {mass: 1 kg, inertia: [0.2, 0.3, 0.4], position: [0, 0, 0.3], angular_velocity: [1, 2, 30]}
joints:
  tip: {type: spherical, bodies: [ground, top], point: [0, 0, 0]}
""")
    assembled = m.assemble()
    e = m.equations().at(assembled)
    motion = assembled.motion
    a, multipliers = motion.acceleration[0], motion.multipliers[0]
    assert e.M @ a + e.jacobian.T @ multipliers == pytest.approx(e.Q, abs=1e-9)
    assert e.jacobian @ a == pytest.approx(e.gamma, abs=1e-9)


def test_whole_jacobian_of_formulas():
    equations = with_joint(PLANAR_JOINTS["revolute to ground"])
    motion = next(iter(states(equations)))
    values = equations["pin"].symbol_values(motion)
    numbers = equations.at(motion.state[0], time=float(motion.t[0]))
    assert equations.jacobian.shape == (2, 6)
    assert equations.jacobian.evaluate(values) == pytest.approx(numbers.jacobian, abs=1e-12)
    with pytest.raises(ValueError, match="a state has"):
        equations.at([1.0, 2.0])
