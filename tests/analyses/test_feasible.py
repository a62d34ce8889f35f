"""Before a run: memory and digits that it needs. In it: late starts, steps too long, forces without a value."""

import resource
import warnings

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses import feasible
from wheelwork.analyses.precision import PrecisionWarning
from wheelwork.analyses.simulate import RunWarning

from .models import pendulum


def test_output_that_memory_cannot_hold_is_refused_with_numbers():
    for output in (10**10, 10**9):
        with pytest.raises(
            ww.ModelError, match=r"analysis.output: 10+ output .* GB of memory, and there are"
        ):
            pendulum().simulate(1.0, output=output)
    driven = pendulum()
    driven.add("motor", ww.JointDriver(joint="hinge", value="t"))
    with pytest.raises(ww.ModelError, match="GB of memory"):
        driven.kinematics(1.0, output=10**10)


def test_memory_that_is_there_is_not_more_than_the_process_may_have():
    there = feasible.available_memory()
    assert there is not None
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = 64 * 2**30 if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        limited = feasible.available_memory()
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    assert limited is not None
    assert limited < limit


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "rk4", "step": 0.002},
        {"method": "sdirk4"},
        {"formulation": "reduced"},
    ],
    ids=str,
)
def test_a_motion_without_functions_of_time_is_the_same_at_any_time(options):
    m = pendulum()
    early = m.simulate(1.0, output=5, **options)
    late = m.simulate(1e8 + 1.0, start=1e8, output=5, **options)
    np.testing.assert_allclose(
        late["hinge.angle"].values, early["hinge.angle"].values, atol=2e-7
    )  # spacing of times
    np.testing.assert_allclose(late.t, early.t + 1e8, rtol=1e-16)
    assert late.statistics.t == 1e8 + 1.0


def test_events_and_corners_of_late_runs():
    """A torque of 1 N m that ends at half time, and a bouncing ball: both as early ones, shifted."""
    for start in (0.0, 2.0**20):
        m = ww.Mechanism("wheel", kind="planar")
        m.add("wheel", ww.Rotor(inertia=2.0))
        m.add("push", ww.Torque(body="wheel", value=f"if(t < {start + 0.5}, 1, 0)"))
        r = m.simulate(start + 1.0, start=start, output=4)
        np.testing.assert_allclose(r["wheel.w"].values, [0, 0.125, 0.25, 0.25, 0.25], atol=1e-9)
        ball = ww.Mechanism("ball")
        ball.add("ball", ww.Body(mass=1, inertia=(1, 1, 1), position=(0, 0, 1)))
        law = ww.Restitution(coefficient=0.5)
        ball.add(
            "bounce",
            ww.Contact(
                a=ww.ContactSphere(body="ball", radius=0.1), b=ww.ContactPlane(body="ground"), law=law
            ),
        )
        (first, *_) = ball.simulate(start + 0.6, start=start, output=4).events
        assert first.t - start == pytest.approx(np.sqrt(2 * 0.9 / 9.80665), abs=1e-8)


def test_times_that_cannot_be_told_apart_are_refused_and_coarse_ones_said():
    with pytest.raises(
        ww.ModelError, match=r"near t = 1e\+12 s, times 0.00012 s apart cannot be distinguished"
    ):
        pendulum().simulate(1e12 + 1, start=1e12)
    m = pendulum()
    m.add("push", ww.Torque(body="arm", value=(0, "sin(t)", 0)))
    with pytest.warns(PrecisionWarning, match="formulas and tables of time"):
        m.simulate(1e8 + 0.1, start=1e8, output=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.simulate(0.1, output=5)


def oscillator(stiffness=1e6, damping=0.0):
    m = ww.Mechanism("oscillator", kind="planar")
    m.add("block", ww.Body(mass=1, inertia=1))
    m.add("slide", ww.Translational(bodies=("ground", "block"), point=(0, 0), axis=(0, 1)))
    ends = {"point_a": (0, 1), "point_b": (0, 0), "free_length": 1}
    m.add("spring", ww.Spring(bodies=("ground", "block"), stiffness=stiffness, damping=damping, **ends))
    return m


@pytest.mark.parametrize("options", [{}, {"formulation": "reduced"}], ids=str)
@pytest.mark.parametrize(
    ("model", "limit"),
    # the classical method is bounded for |h w| < sqrt(8) of a spring, and for h c/m < 2.785 of a damper
    [(oscillator(), np.sqrt(8) / 1000), (oscillator(1.0, 1000.0), 2.785 / 1000)],
    ids=["spring", "damper"],
)
def test_a_fixed_step_that_is_too_long_is_said(model, limit, options):
    good = model.simulate(0.6, output=6, method="rk4", step=0.97 * limit, **options)
    assert good.outcome.good
    for step in (1.04 * limit, 5 * limit):
        with pytest.warns(
            RunWarning, match="grows without bound, because the fixed step of .* Make `step` smaller"
        ):
            bad = model.simulate(0.6, output=6, method="rk4", step=step, **options)
        assert str(bad.outcome) == "unstable"
        assert bad.statistics.t < 0.6


@pytest.mark.slow
@pytest.mark.parametrize("torque", ["1/t", "sqrt(-1 - t)"])
def test_a_force_without_a_value_at_the_start_leaves_a_result_that_can_be_used(tmp_path, torque):
    from wheelwork.show.report import write_report

    m = pendulum()
    m.add("push", ww.Torque(body="arm", value=(0, torque, 0)))
    with pytest.warns(RunWarning, match="not finite.*It came from force `push`"):
        r = m.simulate(1.0, output=10)
    assert len(r.t) == 1
    for name in r.names:
        assert len(r[name]) == 1
    assert r["arm.position"].values[0] == pytest.approx([1, 0, 0])
    r.energy_balance()
    m.link_forces(r)
    write_report(r, tmp_path / "report.html")
    r.save(tmp_path / "r.nc")
    assert len(ww.Result.load(tmp_path / "r.nc").t) == 1
    r.to_csv(tmp_path / "r.csv")
    r.plot("hinge.angle")
    r.plot.energy()
    with pytest.raises(ValueError, match="powers are not finite"):
        r.plot.power_flow()
