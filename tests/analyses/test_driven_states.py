"""States of controllers along a motion that drivers give: against scipy.signal.lsim, closed forms and `simulate`."""

import numpy as np
import pytest
from scipy.signal import lsim

import wheelwork as ww
from wheelwork.analyses.driven_states import _must_agree
from wheelwork.analyses.simulate import RunWarning


def arm(value: str = "0.4*sin(3*t)") -> ww.Mechanism:
    """A driven pendulum of 2 kg at 0.5 m."""
    m = ww.Mechanism("arm", kind="planar")
    m.add("arm", ww.Body(mass=2, inertia=0.1, position=(0, -0.5)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    m.add("moves", ww.JointDriver(joint="hinge", value=value))
    return m


def known(t):
    """Its angle and speed."""
    return 0.4 * np.sin(3 * t), 1.2 * np.cos(3 * t)


@pytest.mark.parametrize("analysis", ["kinematics", "inverse"])
def test_a_filter_that_nothing_looks_at_is_integrated(analysis):
    """It used to stay as it was at the start, without a word."""
    m = arm()
    m.add("filter", ww.TransferFunction(input="hinge.angle", numerator=(0.2, 1), denominator=(0.02, 0.3, 1)))
    r = getattr(m, analysis)(end=2, output=400)
    fine = np.linspace(0, 2, 40001)
    _, expected, _ = lsim(([0.2, 1], [0.02, 0.3, 1]), known(fine)[0], fine)
    # lsim takes the input as straight between its points: 0.4*9*(5e-5)^2/8 at most
    np.testing.assert_allclose(r["filter"], expected[::100], atol=2e-9)


def test_a_pid_has_the_closed_form_of_its_parts():
    """Integral part in closed form, derivative behind a first-order lag likewise."""
    m = arm()
    m.add("pid", ww.Pid(input="hinge.angle", proportional=2, integral=5, derivative=0.7, filter_time=0.05))
    r = m.kinematics(end=2, output=50)
    t, lag, w = np.asarray(r.t), 0.05, 3.0
    angle, _ = known(t)
    integral = 0.4 * (1 - np.cos(w * t)) / w
    # d' = (u' - d)/lag with d(0) = 0 for u = 0.4 sin(w t)
    gain = 0.4 * w / (1 + (w * lag) ** 2)
    derivative = gain * (np.cos(w * t) + w * lag * np.sin(w * t) - np.exp(-t / lag))
    np.testing.assert_allclose(r["pid"], 2 * angle + 5 * integral + 0.7 * derivative, atol=1e-8)


def test_drivers_carry_what_a_control_pushes_with():
    """Torque of the driver: inertia and weight less the motor, which follows the angle with a lag."""
    m = arm()
    m.add("current", ww.State(rate="(3*hinge.angle - current)/0.2", unit="N m"))
    m.add("motor", ww.Actuator(joint="hinge", value="current"))
    r = m.inverse(end=2, output=50)
    t, lag, w = np.asarray(r.t), 0.2, 3.0
    gain = 3 * 0.4 / (1 + (w * lag) ** 2)
    current = gain * (np.sin(w * t) - w * lag * np.cos(w * t) + w * lag * np.exp(-t / lag))
    np.testing.assert_allclose(r["current"], current, atol=1e-8)
    angle = known(t)[0]
    needed = (0.1 + 2 * 0.5**2) * -9 * angle + 2 * 9.80665 * 0.5 * np.sin(angle)
    np.testing.assert_allclose(r["moves.torque"], needed - current, atol=1e-7)


def test_samples_delays_and_state_machines_go_along():
    """As in a run of `simulate` with the same drivers; the sampled sum in closed form."""
    m = arm()
    m.add("sum", ww.Sampled(every=0.1, memory={"total": 0}, update={"total": "sum.total + hinge.angle"}))
    m.add("late", ww.Delay(input="hinge.angle", time=0.2, samples=2))
    m.add(
        "side",
        ww.StateMachine(
            modes=("left", "right"),
            transitions=(
                {"leave": "left", "enter": "right", "when": "hinge.angle > 0.2"},
                {"leave": "right", "enter": "left", "when": "hinge.angle < -0.2"},
            ),
        ),
    )
    driven, run = m.kinematics(end=2, output=79), m.simulate(end=2, output=79, rtol=1e-10)
    for name in ("sum", "late", "side.right"):
        np.testing.assert_allclose(driven[name], run[name], atol=1e-8)
    samples = np.arange(0, 2 - 1e-9, 0.1)
    assert driven["sum"].values[-1] == pytest.approx(float(np.sum(known(samples)[0])), abs=1e-9)
    changes = [event for event in driven.events if event.element == "side"]
    first = np.arcsin(0.5) / 3
    assert changes[0].t == pytest.approx(first, abs=1e-8)
    assert changes[1].t == pytest.approx((np.pi + np.arcsin(0.5)) / 3, abs=1e-8)


def test_up_to_a_lock_up_states_are_kept():
    """Crank longer than what the coupler reaches: states are there until it locks."""
    m = ww.Mechanism("short coupler", kind="planar")
    m.add("crank", ww.Body(mass=1, inertia=0.1, position=(0.5, 0)))
    m.add("pin", ww.Revolute(bodies=("ground", "crank"), point=(0, 0)))
    m.add("block", ww.Body(mass=1, inertia=0.1, position=(1.6, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "block"), point=(1.6, 0), axis=(1, 0)))
    m.add("rod", ww.Distance(bodies=("crank", "block"), point_a=(1, 0), point_b=(1.6, 0)))
    m.add("turns", ww.JointDriver(joint="pin", value="t"))
    m.add("way", ww.State(rate="1", unit="s"))
    with pytest.warns(RunWarning, match="lock-up"):
        r = m.kinematics(end=2, output=100)
    np.testing.assert_allclose(r["way"], r.t, atol=1e-9)
    assert r.t[-1] == pytest.approx(np.arcsin(0.6), abs=1e-3)


def test_a_run_that_goes_another_way_is_refused():
    """States of another motion than the drivers' would be wrong in silence."""
    m = arm()
    m.add("way", ww.State(rate="1", unit="s"))
    at = m.assemble()
    t, given = np.array([0.0, 0.1]), np.array([at.state, at.state])
    _must_agree(at, t, given, given)
    other = given.copy()
    other[1, 2] += 0.01
    said = r"states of `way` .* departs from the prescribed motion at t = 0.1 s, first with `arm`"
    with pytest.raises(ww.ModelError, match=said):
        _must_agree(at, t, other, given)
