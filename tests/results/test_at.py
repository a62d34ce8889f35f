"""Values between output times."""

import numpy as np
import pytest

import wheelwork as ww

from .conftest import G

TIGHT = {"rtol": 1e-12, "atol": 1e-13}


def test_order_of_convergence(pendulum):
    """Positions 6, velocities 5, accelerations 4 (quintic and its derivatives), reactions 4 (cubic)."""
    fine = pendulum.simulate(end=1, output=1000, **TIGHT)
    errors = []
    for output in (25, 50):
        coarse = pendulum.simulate(end=1, output=output, **TIGHT).at(fine.t)
        names = (
            "bob.position",
            "bob.orientation",
            "bob.velocity",
            "bob.w",
            "bob.acceleration",
            "hinge.reaction.force",
        )
        errors.append([float(np.abs(coarse[name] - fine[name]).max()) for name in names])
    orders = np.log2(np.array(errors[0]) / np.array(errors[1]))
    np.testing.assert_allclose(orders, [6, 6, 5, 5, 4, 4], atol=0.4)


def test_at_output_times_it_is_the_output(swing):
    again = swing.at(swing.t)
    for name in ("bob.position", "bob.w", "hinge.angle", "hinge.reaction.force", "bob.acceleration"):
        np.testing.assert_allclose(again[name], swing[name], rtol=1e-12, atol=1e-12)


def test_interpolated_state_stays_on_the_constraints(swing):
    between = swing.at(np.linspace(0.005, 1.995, 200))
    assert float(between["constraints.position"].max()) < 1e-9
    assert float(np.ptp(between["energy.total"].to_numpy())) < 1e-6


def test_one_time_gives_values_without_time(swing):
    there = swing.at(0.123)
    assert there["bob.position"].dims == ("component",)
    assert float(there["bob.position"]["time"]) == 0.123
    assert float(there["hinge.angle"]) == float(swing.at([0.123])["hinge.angle"][0])
    assert there.reaction("hinge")["force"].dims == ("component",)
    assert there.dataset["hinge.angle"].ndim == 0


def test_wheel_may_turn_often_between_outputs():
    """50 turns between outputs and a steady brake: angle = w0 t - a t^2/2 at any time."""
    m = ww.Mechanism("wheel")
    m.add("wheel", ww.Rotor(inertia="0.1 kg*m^2", axis=(1, 2, 3), speed="3000 rpm"))
    m.add("brake", ww.Actuator(joint="wheel.bearing", value="-0.5 N*m"))
    r = m.simulate(end=10, output=10)
    t, w0 = np.linspace(0, 10, 333), 100 * np.pi
    between = r.at(t)
    # 1e-6 rad of 3000: the tolerance of the run, not of the interpolation
    np.testing.assert_allclose(between["wheel.angle"], w0 * t - 2.5 * t**2, atol=2e-6)
    np.testing.assert_allclose(between["wheel.w"], w0 - 5 * t, atol=1e-6)
    np.testing.assert_allclose(between["wheel.acceleration"], -5.0, atol=1e-5)


def test_impact_is_not_smoothed_over():
    """A ball let fall from 1 m, restitution 0.8: two parabolas that meet at the floor, right with seven outputs."""
    m = ww.Mechanism("ball")
    m.add("ball", ww.Body(mass=1, inertia=(1e-3,) * 3, position=(0, 0, 1), angular_velocity=(0, 0, 7)))
    sphere, plane = ww.ContactSphere(body="ball", radius=0), ww.ContactPlane()
    m.add("bounce", ww.Contact(a=sphere, b=plane, law=ww.Restitution(coefficient=0.8)))
    r = m.simulate(end=1, output=6)
    fall = np.sqrt(2 / G)
    assert [event.kind.name for event in r.events] == ["IMPACT"]
    assert r.events[0].t == pytest.approx(fall, abs=1e-8)
    t = np.linspace(0, 1, 101)
    after = t - fall
    height = np.where(after < 0, 1 - G * t**2 / 2, 0.8 * G * fall * after - G * after**2 / 2)
    speed = np.where(after < 0, -G * t, 0.8 * G * fall - G * after)
    between = r.at(t)
    np.testing.assert_allclose(between["ball.position.z"], height, atol=1e-7)
    np.testing.assert_allclose(between["ball.velocity.z"], speed, atol=1e-7)
    np.testing.assert_allclose(between["ball.w.z"], 7, rtol=1e-8)
    np.testing.assert_allclose(between["bounce.force.normal"], 0, atol=1e-12)


def test_times_outside_are_refused(swing):
    with pytest.raises(
        ValueError, match=r"needs times from 0 to 2 s, the span of the result, but got 2\.5 s"
    ):
        swing.at([0.5, 2.5])
    with pytest.raises(ValueError, match="needs a time or a list of times"):
        swing.at(float("nan"))


@pytest.mark.parametrize("times", ["0.5 s", [], [None]])
def test_what_is_no_time_is_refused(swing, times):
    with pytest.raises(ValueError, match="needs a time or a list of times in seconds"):
        swing.at(times)


@pytest.mark.slow
def test_few_times_of_a_long_run_need_only_what_is_around_them():
    """All times at once use every stored moment; one at a time only those nearby. Impacts are among them."""
    m = ww.Mechanism("ball")
    m.add("ball", ww.Body(mass=1, inertia=(1e-3,) * 3, position=(0, 0, 1)))
    sphere, plane = ww.ContactSphere(body="ball", radius=0), ww.ContactPlane()
    m.add("bounce", ww.Contact(a=sphere, b=plane, law=ww.Restitution(coefficient=0.8)))
    r = m.simulate(end=2, output=400)
    times = np.sort(np.concatenate([np.linspace(0.001, 1.999, 90), [e.t for e in r.events], r.t[50:60]]))
    every = r.at(times)
    assert len(r.events) >= 3
    for name in ("ball.position", "ball.velocity", "ball.acceleration", "bounce.force.normal"):
        single = np.array([r.at(t)[name].to_numpy() for t in times])
        np.testing.assert_allclose(single, every[name], rtol=1e-12, atol=1e-12)


def test_a_torque_that_jumps_between_outputs_in_space():
    """Constant torque on either side of the jump: speeds are straight lines, however far it turns."""
    m = ww.Mechanism("jump", gravity=(0, 0, 0))
    m.add("shaft", ww.Rotor(inertia=2.0, speed=50.0))
    m.add("push", ww.Actuator(joint="shaft.bearing", value="if(t < 1.1, 4, -30)"))
    r = m.simulate(end=3, output=15, **TIGHT)
    t = np.linspace(0, 3, 200)
    speed = 50 + 2 * np.minimum(t, 1.1) - 15 * np.maximum(t - 1.1, 0)
    # solved to 1e-12 of 50 rad/s; between outputs nothing is added to that but round-off
    np.testing.assert_allclose(r.at(t)["shaft.w"], speed, atol=1e-9)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-10 * balance.scale
