"""The engine on CasADi's virtual machine against the compiled one.

Both engines take the same steps with the same formulas but in another order of operations and with another
factorisation, so they differ by round-off: 1e-16 an operation, times what the motion and the choice of steps make of
it. Tolerances below say so where they are wider than that.
"""

from __future__ import annotations

import numpy as np
import pytest

from wheelwork.engine.engine import EventKind
from wheelwork.engine.outcome import Outcome

from .virtual_models import (
    REDUNDANT,
    SMOOTH,
    assert_same_events,
    both,
    bouncing_ball,
    consistent_state,
    four_bar,
    run,
    run_both,
    soft_ball,
    stick_slip,
    virtual,
)

# ---- the same numbers as the compiled engine


@pytest.mark.parametrize("name", SMOOTH)
def test_equations_equal_those_of_the_native_engine(name):
    native, engine = both(SMOOTH[name]())
    t = 0.1
    for seed in range(3):
        y = consistent_state(engine, seed, t)
        for mine, theirs in zip(engine.constraints(t, y), native.constraints(t, y), strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-12 * (1 + np.abs(theirs).max(initial=0)), rtol=0)
        mine, theirs = engine.derivative(t, y), native.derivative(t, y)
        # redundant rows: the regularised factor of S has lost 8 digits, of which iteration brings accelerations back
        # to 1e-11 of the forces but multipliers only along rows that matter
        loose, looser = (1e-11, 1e-6) if name in REDUNDANT else (1e-12, 1e-12)
        for a, b, tolerance in zip(mine, theirs, (loose, loose, looser), strict=True):
            np.testing.assert_allclose(a, b, atol=tolerance * (1 + np.abs(b).max(initial=0)), rtol=0)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 2e-3}], ids=["dopri5", "rk4"])
def test_trajectories_equal_those_of_the_native_engine(name, options):
    seed = None if name in ("slider-crank", "table driver") else 1
    mine, theirs = run_both(SMOOTH[name](), 0.6, seed, **options)
    assert mine.report.outcome is theirs.report.outcome is Outcome.REACHED_END
    assert mine.report.steps == theirs.report.steps
    np.testing.assert_array_equal(mine.t, theirs.t)
    # dopri5: the estimate of the error is known to 8 digits only, and steps are chosen by it
    scale = 1 + np.abs(theirs.state).max()
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-10 * scale, rtol=0)
    scale = 1 + np.abs(theirs.acceleration).max()
    np.testing.assert_allclose(mine.acceleration, theirs.acceleration, atol=1e-9 * scale, rtol=0)
    tolerance = 1e-6 if name in REDUNDANT else 1e-9
    scale = 1 + np.abs(theirs.multipliers).max()
    np.testing.assert_allclose(mine.multipliers, theirs.multipliers, atol=tolerance * scale, rtol=0)


@pytest.mark.parametrize(
    "options",
    [
        {"stabilisation": "none"},
        {"stabilisation": "baumgarte", "stabilisation_values": (10, 10, 0, 0, 0, 0)},
        {
            "stabilisation": "augmented_lagrangian",
            "stabilisation_values": (0, 0, 1e7, 10, 1, 1e-12),
            "stabilisation_iterations": 10,
        },
    ],
    ids=lambda options: options["stabilisation"],
)
def test_stabilisations_equal_those_of_the_native_engine(options):
    mine, theirs = run_both(four_bar(), 0.6, 1, **options)
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-9, rtol=0)
    exact = run(virtual(four_bar()), 0.6, 1, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(mine.state, exact.state, atol=1e-6, rtol=0)


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 8e-3}], ids=["dopri5", "rk4"])
def test_stick_and_slip_as_in_the_native_engine(options):
    mine, theirs = run_both(stick_slip(), 1.6, **options)
    assert [e.kind for e in mine.events] == [EventKind.STICK, EventKind.SLIDE] * 2
    assert_same_events(mine, theirs, 1e-8)
    # an event is known to 1e-10 s, and accelerations are of the order of 10 m/s^2
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-8, rtol=0)
    np.testing.assert_allclose(mine.friction, theirs.friction, atol=1e-6, rtol=0)


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 4e-3}], ids=["dopri5", "rk4"])
def test_a_ball_comes_to_rest_as_in_the_native_engine(options):
    mine, theirs = run_both(bouncing_ball(rest_speed=0.1), 1.2, **options)
    assert mine.events[-1].kind is EventKind.REST
    assert_same_events(mine, theirs, 1e-8)
    # 1e-10 s for each impact, at 2 m/s
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-8, rtol=0)


def test_compliant_contact_as_in_the_native_engine():
    mine, theirs = run_both(soft_ball(), 0.6, rtol=1e-11, atol=1e-12)
    # In free flight the error is nothing but round-off, so the two choose their steps there at random, and the contact,
    # whose force has a kink that is no event, is met with different ones: they agree to what the kink costs.
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-7, rtol=0)
