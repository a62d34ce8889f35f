"""Ideal ratio with support: speeds by Willis, torques that add up to nothing, power, the known natural frequency."""

import numpy as np
import pytest

import wheelwork as ww

J = {"a": 0.02, "b": 0.5, "housing": 1.5}
RATIO, STIFFNESS, TORQUE = 5.0, 2e4, 3.0


def gearbox(held: bool, **fields) -> ww.Mechanism:
    """Two shafts and a housing on one axis, each in bearings of ground; the housing held or free to turn."""
    m = ww.Mechanism("gearbox", gravity=(0, 0, 0))
    for name, inertia in J.items():
        m.add(name, ww.Body(mass=1, inertia=(0.5 + inertia, 0.5 + inertia, inertia)))
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(0, 0, 0), axis=(0, 0, 1)))
    support = "ground" if held else "housing"
    given = {"axis": (0, 0, 1), "ratio": RATIO, "stiffness": STIFFNESS} | fields
    m.add("gear", ww.Ratio(bodies=("a", "b"), support=support, **given))
    return m


def signals(r, *names: str) -> list[np.ndarray]:
    return [r[name].to_numpy() for name in names]


@pytest.mark.parametrize("held", [True, False])
def test_speeds_torques_and_power(held):
    """Damped, so that the windup settles: then the shafts are rigid ones, whatever they carry.

    With the housing free, momentum about the axis is what the motor gave: the support has carried its part.
    """
    m = gearbox(held, damping=30.0)
    m.add("motor", ww.Actuator(joint="on-a", value=TORQUE))
    r = m.simulate(end=0.6, output=60, rtol=1e-9, atol=1e-11)
    w_a, w_b, w_s = signals(r, "on-a.w", "on-b.w", "on-housing.w")
    if held:
        # T = (J_a + J_b/i^2) w_a'
        slope = TORQUE / (J["a"] + J["b"] / RATIO**2)
        assert w_a[-1] == pytest.approx(slope * 0.6, rel=1e-3)
        assert np.abs(w_s).max() == 0
    else:
        momentum = J["a"] * w_a + J["b"] * w_b + J["housing"] * w_s
        np.testing.assert_allclose(momentum, TORQUE * r.t, rtol=1e-8, atol=1e-9)
        assert w_s[-1] < -1  # it is pushed back, by (i - 1) T
    np.testing.assert_allclose(w_a - w_s, RATIO * (w_b - w_s), rtol=0, atol=1e-2 * abs(w_a[-1]))
    on_a, on_b, on_s, loss = signals(r, "gear.torque_a", "gear.torque_b", "gear.torque_support", "gear.loss")
    np.testing.assert_allclose(on_a + on_b + on_s, 0, atol=1e-12)
    np.testing.assert_allclose(on_b, -RATIO * on_a, rtol=1e-12)
    # power: what the motor gives is in the bodies, in the windup, or lost in the damping
    kinetic = sum(inertia * w**2 / 2 for inertia, w in zip(J.values(), (w_a, w_b, w_s), strict=True))
    given = TORQUE * signals(r, "on-a.angle")[0]
    stored = STIFFNESS * signals(r, "gear.windup")[0] ** 2 / 2
    lost = np.concatenate([[0], np.cumsum((loss[1:] + loss[:-1]) / 2 * np.diff(r.t))])
    np.testing.assert_allclose(kinetic + stored + lost, given, rtol=2e-3, atol=2e-3 * given[-1])


def test_the_windup_swings_at_the_known_frequency():
    """omega^2 = k (1/J_a + i^2/J_b + (i - 1)^2/J_s), by the masses as the spring sees them."""
    omega = np.sqrt(STIFFNESS * (1 / J["a"] + RATIO**2 / J["b"] + (RATIO - 1) ** 2 / J["housing"]))
    modes = gearbox(held=False).modes()
    assert modes.natural_frequencies.max() == pytest.approx(omega / (2 * np.pi), rel=1e-9)


def test_in_the_plane_it_is_the_same():
    m = ww.Mechanism("gearbox", kind="planar", gravity=(0, 0))
    for name, inertia in J.items():
        m.add(name, ww.Body(mass=1, inertia=inertia))
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(0, 0)))
    m.add(
        "gear", ww.Ratio(bodies=("a", "b"), support="housing", ratio=RATIO, stiffness=STIFFNESS, damping=30.0)
    )
    m.add("motor", ww.Actuator(joint="on-a", value=TORQUE))
    space = gearbox(held=False, damping=30.0)
    space.add("motor", ww.Actuator(joint="on-a", value=TORQUE))
    options = {"end": 0.3, "output": 10, "rtol": 1e-9, "atol": 1e-11}
    flat, solid = m.simulate(**options), space.simulate(**options)
    for name in ("on-a.angle", "on-b.angle", "on-housing.angle", "gear.torque_support"):
        np.testing.assert_allclose(*signals(flat, name), *signals(solid, name), rtol=1e-6, atol=1e-8)


WRONG = {
    "the support is a shaft": ({"support": "a"}, "needs two different shafts, and a support that is neither"),
    "no ratio": ({"ratio": 0}, "must not be zero: shaft a would never turn"),
    "nothing between": ({"stiffness": 0}, "must be greater than zero, but is 0 N m/rad"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_has_no_meaning_is_refused(case):
    fields, message = WRONG[case]
    with pytest.raises(ww.ModelError, match=message):
        ww.Ratio(**{"bodies": ("a", "b"), "axis": (0, 0, 1), "ratio": 2.0, "stiffness": 1.0, **fields})
