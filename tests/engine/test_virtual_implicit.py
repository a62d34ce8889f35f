"""Implicit steps of the engine on CasADi's virtual machine."""

from __future__ import annotations

import numpy as np
import pytest

import wheelwork.description as ww
from wheelwork.engine.engine import RunOptions
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.virtual.jacobian import AccelerationJacobian
from wheelwork.engine.virtual.methods import Step
from wheelwork.engine.virtual.sdirk4 import Sdirk4

from .virtual_models import (
    SMOOTH,
    assert_same_events,
    consistent_state,
    double_pendulum,
    four_bar,
    mechanism,
    rotors,
    run,
    run_both,
    slider_crank,
    spherical_pendulum,
    state_dependent,
    stick_slip,
    virtual,
)


@pytest.mark.parametrize(
    "make",
    [
        double_pendulum,
        rotors,
        state_dependent,
        stick_slip,
        four_bar,
        slider_crank,
    ],
)
def test_implicit_method_as_in_the_native_engine(make):
    mine, theirs = run_both(make(), 0.3, method="sdirk4", rtol=1e-7, atol=1e-8)
    exact = run(virtual(make()), 0.3, rtol=1e-10, atol=1e-11)
    # Newton's iteration ends at 1e-3 of the tolerance, and both choose steps by errors that are known no better; what
    # is behind the method's own error is common to both
    for result in (mine, theirs):
        np.testing.assert_allclose(result.state, exact.state, atol=1e-4, rtol=0)
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-5, rtol=0)
    assert_same_events(mine, theirs, 1e-6)


def test_sdirk4_has_order_four():
    """Steps of one size without projection: the method alone, with constraints at acceleration level."""
    engine = virtual(spherical_pendulum())
    y = consistent_state(engine)
    exact = engine.integrate(y, np.zeros(0), RunOptions(end=0.4, rtol=1e-12, atol=1e-13)).final_state
    errors = []
    for steps in (10, 20, 40):
        system, h = engine._system, 0.4 / steps
        method, state = Sdirk4(system, 1e-9, 1e-9), y
        for k in range(steps):
            start = system.derivative(k * h, state)
            state = method.advance(Step(k * h, h, state, start, state, start))
            assert state is not None
        errors.append(np.abs(system.normalised(state) - exact).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all((orders > 3.7) & (orders < 4.5)), orders


@pytest.mark.parametrize("name", ["double pendulum", "four-bar", "slider-crank", "rotors", "screw"])
def test_jacobian_of_the_accelerations_is_exact(name):
    engine = virtual(SMOOTH[name]())
    system, program, t, step = engine._system, engine.program, 0.1, 1e-6
    y = consistent_state(engine, 1, t)
    exact = AccelerationJacobian(system).evaluate(t, y)

    def accelerations(motion: np.ndarray, twist: np.ndarray) -> np.ndarray:
        moved = system.moved(y, np.append(motion, np.zeros(6)).reshape(-1, 6))
        moved[program.nq : program.nq + program.nv] += twist
        system.derivative(t, moved)
        return system.acceleration[:-1].ravel().copy()

    zero = np.zeros(program.nv)
    for unit in np.eye(program.nv) * step:
        k = int(np.argmax(unit))
        by_motion = (accelerations(unit, zero) - accelerations(-unit, zero)) / (2 * step)
        by_twist = (accelerations(zero, unit) - accelerations(zero, -unit)) / (2 * step)
        for column, difference, matrix in zip((k, k), (by_motion, by_twist), exact, strict=True):
            # differences over 1e-6 carry round-off of 1e-10 of the accelerations, and 1e-8 where S is regularised
            scale = 1e-6 * (1 + np.abs(matrix).max())
            np.testing.assert_allclose(matrix[:, column], difference, atol=scale, rtol=0)


@pytest.mark.slow
def test_implicit_and_explicit_methods_agree():
    for name in ("double pendulum", "four-bar", "slider-crank", "state-dependent force", "screw"):
        engine = virtual(SMOOTH[name]())
        explicit, implicit = (run(engine, 0.5, method=m, rtol=1e-8) for m in ("dopri5", "sdirk4"))
        np.testing.assert_allclose(implicit.state, explicit.state, atol=1e-6, rtol=0, err_msg=name)


def test_implicit_method_passes_events():
    engine = virtual(stick_slip())
    explicit, implicit = (run(engine, 1.0, method=m, rtol=1e-7) for m in ("dopri5", "sdirk4"))
    assert_same_events(explicit, implicit, 1e-6)
    np.testing.assert_allclose(implicit.state, explicit.state, atol=1e-6, rtol=0)


def test_implicit_method_is_not_held_up_by_stiffness():
    """Two rotors that a stiff damper makes one: w = (1 + (1 - cos t)) / 2. Explicit steps would have to be 1e-5 s."""
    z = (0, 0, 1)
    engine = virtual(
        mechanism(
            ("r1", ww.Rotor(inertia=1, axis=z, speed=1)),
            ("r2", ww.Rotor(inertia=1, axis=z, position=z)),
            ("coupling", ww.TorsionalSpring(bodies=("r1", "r2"), stiffness=1e6, damping=1e5)),
            ("torque", ww.Actuator(joint="r1.bearing", value="sin(t)")),
        )
    )
    result = run(engine, 1.0, method="sdirk4", rtol=1e-6, atol=1e-8)
    assert result.report.outcome is Outcome.REACHED_END
    assert result.report.steps < 200
    speeds = result.final_state[engine.program.nq + np.array([5, 11])]
    np.testing.assert_allclose(speeds, (2 - np.cos(1)) / 2, atol=1e-5)
