"""How runs of the engine on CasADi's virtual machine end."""

from __future__ import annotations

import numpy as np
import pytest

import wheelwork.description as ww
from wheelwork.engine.engine import RunOptions
from wheelwork.engine.outcome import Outcome

from .virtual_models import body, consistent_state, double_pendulum, hinge, mechanism, run, virtual

# ---- how runs end


def test_a_run_that_is_stopped_keeps_what_it_has():
    engine = virtual(double_pendulum())
    y = consistent_state(engine)
    calls = []

    def progress(t: float, steps: int) -> bool:
        calls.append((t, steps))
        return len(calls) > 2

    result = engine.integrate(y, np.linspace(0, 100, 10001), RunOptions(end=100), progress)
    assert result.report.outcome is Outcome.INTERRUPTED
    assert calls[0] == (0.0, 0)
    assert 0 < result.report.t < 100
    assert len(result.t) == int(result.report.t / 0.01) + 2  # the grid so far, and the moment it got to
    assert result.report.t == calls[-1][0]


def test_too_many_steps():
    result = run(virtual(double_pendulum()), 1.0, max_steps=10)
    assert result.report.outcome is Outcome.TOO_MANY_STEPS
    assert result.report.steps == 10


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 0.01}], ids=["dopri5", "rk4"])
def test_what_is_not_finite_is_caught_where_it_appears(options):
    engine = virtual(double_pendulum(("f", ww.Force(body="two", value=("sqrt(0.255 - t)", 0, 0)))))
    result = run(engine, 1.0, **options)
    assert result.report.outcome in (Outcome.NOT_FINITE, Outcome.STEP_TOO_SMALL)
    assert result.report.t == pytest.approx(0.25, abs=0.01)
    assert np.isfinite(result.final_state).all()


def test_a_mechanism_that_locks_names_a_constraint():
    """A two-bar linkage pulled beyond its length."""
    c, s = 0.5, np.sqrt(0.75)
    engine = virtual(
        mechanism(
            ("one", body((0.5 * c, 0, 0.5 * s))),
            ("two", body((1.5 * c, 0, 0.5 * s))),
            ("h1", hinge("ground", "one", (0, 0, 0))),
            ("h2", hinge("one", "two", (c, 0, s))),
            ("line", ww.PointOnLine(bodies=("ground", "two"), point=(2 * c, 0, 0), axis=(1, 0, 0))),
            ("pull", ww.BodyDriver(body="two", coordinate="x", value="0.75 + t")),
        )
    )
    result = run(engine, 2.0, method="rk4", step=1e-2)
    assert result.report.outcome is Outcome.CONSTRAINTS_LOST
    assert result.report.t == pytest.approx(0.75, abs=0.011)
    assert result.report.worst_residual > 1e-11
    assert result.report.worst_element


def test_other_numbers_need_no_new_engine():
    engine = virtual(
        mechanism(
            ("ball", body(mass="m")),
            ("pull", ww.Force(body="ball", value=("f*t", 0, 0))),
            parameters={"m": 2.0, "f": 6.0},
            gravity=(0, 0, 0),
        )
    )
    assert run(engine, 1.0).final_state[7] == pytest.approx(6 / 2 / 2)
    engine.set_numbers(engine.program.numbers({"m": 3.0}))
    assert run(engine, 1.0).final_state[7] == pytest.approx(6 / 3 / 2)
