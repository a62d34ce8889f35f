"""Rigid ratios, planetary gears, differentials, CVTs, converters: closed forms, SciPy as a second route."""

import numpy as np
import pytest
from pages import blocks, page, ran
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import wheelwork as ww

FORMULATIONS = ("absolute", "reduced")
OPTIONS = {"rtol": 1e-9, "atol": 1e-11}


def shafts(inertia: dict[str, float], kind: str = "spatial", axis=(0, 0, 1)) -> ww.Mechanism:
    m = ww.Mechanism("shafts", kind=kind, gravity=(0, 0, 0)[: 2 if kind == "planar" else 3])
    for name, J in inertia.items():
        space = kind == "spatial"
        m.add(name, ww.Body(mass=1, inertia=(0.5 + J, 0.5 + J, J) if space else J))
        where = {"point": (0, 0, 0), "axis": axis} if space else {"point": (0, 0)}
        m.add(f"on_{name}", ww.Revolute(bodies=("ground", name), **where))
    return m


def last(r, *names: str) -> list[float]:
    return [float(r[name].to_numpy()[-1]) for name in names]


def changes(r, name: str) -> list[float]:
    """Middle of the intervals of output in which a mode changes."""
    mode = r[name].to_numpy()
    at = np.flatnonzero(np.diff(mode))
    return [float(r.t[k] + r.t[k + 1]) / 2 for k in at]


# -- rigid ratio with support


@pytest.mark.parametrize("kind", ["spatial", "planar"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_rigid_ratio_with_a_support_that_turns(kind, formulation):
    """w = T t B (B^T J B)^-1 B^T e_a with (a, b, s) = B u and w_a - w_s = i (w_b - w_s)."""
    J, i, T = {"a": 0.02, "b": 0.5, "s": 1.5}, 5.0, 3.0
    m = shafts(J, kind)
    m.add("gear", ww.Ratio(bodies=("a", "b"), support="s", ratio=i))
    m.add("motor", ww.Actuator(joint="on_a", value=T))
    r = m.simulate(end=0.6, output=6, formulation=formulation, **OPTIONS)
    B = np.array([[i, 1 - i], [1, 0], [0, 1]])
    w = 0.6 * T * B @ np.linalg.solve(B.T @ np.diag([*J.values()]) @ B, B[0])
    np.testing.assert_allclose(last(r, "on_a.w", "on_b.w", "on_s.w"), w, rtol=1e-9)
    on_a, on_b, on_s, loss = last(r, "gear.torque_a", "gear.torque_b", "gear.torque_support", "gear.loss")
    assert on_a == pytest.approx(J["a"] * w[0] / 0.6 - T, rel=1e-9)
    assert on_b == pytest.approx(J["b"] * w[1] / 0.6, rel=1e-9)
    assert on_s == pytest.approx(J["s"] * w[2] / 0.6, rel=1e-9)
    assert loss == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_shafts_at_a_right_angle_react_on_the_support(formulation):
    """On axes z and x: the support carries -T_a ez - T_b ex."""
    m = shafts({"a": 0.1}, axis=(0, 0, 1))
    m.add("b", ww.Body(mass=1, inertia=(0.4, 0.9, 0.9)))
    m.add("on_b", ww.Revolute(bodies=("ground", "b"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=-2.0))
    m.add("motor", ww.Actuator(joint="on_a", value=3.0))
    r = m.simulate(end=0.5, output=5, formulation=formulation, **OPTIONS)
    w = 0.5 * 3.0 / (0.1 + 0.4 / 4)
    np.testing.assert_allclose(last(r, "on_a.w", "on_b.w"), [w, -w / 2], rtol=1e-9)
    on_a, on_b, on_s = last(r, "gear.torque_a", "gear.torque_b", "gear.torque_support")
    assert on_s == pytest.approx(np.hypot(on_a, on_b), rel=1e-12)


def test_a_layshaft_with_compensated_inertias_is_one_ratio():
    """How an ideal gear had to be built before: two meshes over a layshaft, whose inertia is taken from the others'."""
    built = ww.Mechanism("layshaft", gravity=(0, 0, 0))
    own, lay = {"a": 0.3, "b": 0.8}, 0.01
    # speeds: lay = -a/2, b = -lay/3 = a/6; kinetic energy of the layshaft, taken off shaft a
    for name, J, x in (("a", own["a"] - lay / 4, 0.0), ("lay", lay, 0.3), ("b", own["b"], 0.0)):
        built.add(name, ww.Body(mass=1, inertia=(J, J, J), position=(x, 0, 0)))
        built.add(f"on_{name}", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, 1)))
    built.add("first", ww.ExternalMesh(bodies=("a", "lay"), teeth=(20, 40)))
    built.add("second", ww.ExternalMesh(bodies=("lay", "b"), teeth=(20, 60)))
    plain = shafts(own)
    plain.add("gear", ww.Ratio(bodies=("a", "b"), ratio=6.0))
    results = []
    for m in (built, plain):
        m.add("motor", ww.Actuator(joint="on_a", value="2*cos(3*t)"))
        m.add("load", ww.Friction(joint="on_b", viscous=0.4))
        results.append(m.simulate(end=1.0, output=20, **OPTIONS))
    for name in ("on_a.w", "on_b.w", "on_b.angle"):
        np.testing.assert_allclose(results[0][name], results[1][name], rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_a_planetary_gear_and_a_differential(method):
    J, k = {"sun": 0.01, "ring": 0.2, "carrier": 0.5}, 3.0
    m = shafts(J)
    m.add("gear", ww.Planetary(sun="sun", ring="ring", carrier="carrier", ratio=k))
    m.add("motor", ww.Actuator(joint="on_sun", value=2.0))
    r = m.simulate(end=0.6, output=3, method=method, **OPTIONS)
    w = np.array(last(r, "on_sun.w", "on_ring.w", "on_carrier.w"))
    assert w[0] + k * w[1] == pytest.approx((1 + k) * w[2], abs=1e-9)
    B = np.array([[-k, 1 + k], [1, 0], [0, 1]])
    expected = 0.6 * 2 * B @ np.linalg.solve(B.T @ np.diag([*J.values()]) @ B, B[0])
    np.testing.assert_allclose(w, expected, rtol=1e-8)
    torques = last(r, "gear.torque_sun", "gear.torque_ring", "gear.torque_support")
    np.testing.assert_allclose(torques, torques[0] * np.array([1, k, -1 - k]), rtol=1e-9)
    m = shafts({"left": 0.1, "right": 0.2, "cage": 0.5})
    m.add("gear", ww.Differential(left="left", right="right", carrier="cage"))
    m.add("motor", ww.Actuator(joint="on_cage", value=2.0))
    r = m.simulate(end=0.6, output=3, method=method, **OPTIONS)
    left, right, cage = last(r, "on_left.w", "on_right.w", "on_cage.w")
    assert left + right == pytest.approx(2 * cage, rel=1e-9)
    assert 0.1 * left == pytest.approx(0.2 * right, rel=1e-8)  # both shafts get the same torque


def test_a_held_ring_makes_the_ratio_of_a_gearbox():
    m = shafts({"sun": 0.01, "carrier": 0.5})
    m.add("gear", ww.Planetary(sun="sun", ring="ground", carrier="carrier", ratio=3))
    m.add("motor", ww.Actuator(joint="on_sun", value=2.0))
    r = m.simulate(end=0.6, output=3, **OPTIONS)
    assert last(r, "on_sun.w")[0] == pytest.approx(0.6 * 2 / (0.01 + 0.5 / 16), rel=1e-9)


def test_modes_go_over_a_rigid_ratio():
    """A torsional spring behind a ratio: omega^2 = k / (J_b + i^2 J_a)."""
    m = shafts({"a": 0.02, "b": 0.5})
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=5))
    m.add("spring", ww.TorsionalSpring(joint="on_b", stiffness=300.0))
    expected = np.sqrt(300 / (0.5 + 25 * 0.02)) / (2 * np.pi)
    assert m.modes().natural_frequencies.max() == pytest.approx(expected, rel=1e-9)


# -- losses


def lossy(**fields) -> ww.Mechanism:
    """As Modelica's LossyGearDemo1: ratio 2, 1 and 1.5 kg m^2, 10 N m sin(2 pi t) against -10 N m + 2.5 N m/s t."""
    m = shafts({"a": 1.0, "b": 1.5})
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=2.0, **fields))
    m.add("drive", ww.Actuator(joint="on_a", value="10*sin(2*pi*t)"))
    m.add("load", ww.Actuator(joint="on_b", value="-10 + 2.5*t"))
    return m


def by_hand(eta: float, end: float) -> tuple[list[float], list[float]]:
    """Times at which it sticks and slides, and the speed of a at the end, by pieces of one sense of speed and torque.

    J_a w' = T_a - (1 + c) lam,  J_b w'/2 = T_b + 2 lam;  c = 1/eta - 1 in the sense w lam > 0, else eta - 1.
    """

    def torques(t):
        return 10 * np.sin(2 * np.pi * t), -10 + 2.5 * t

    def solved(t, sense):
        """Acceleration and lam; both senses of lam tried."""
        a, b = torques(t)
        for sign in (1, -1):
            c = 1 / eta - 1 if sign * sense > 0 else eta - 1
            # w' = a - (1 + c) lam;  0.75 w' = b + 2 lam
            lam = (0.75 * a - b) / (2 + 0.75 * (1 + c))
            if lam * sign >= 0:
                return a - (1 + c) * lam, lam
        raise AssertionError

    def free(t, sense):
        """By how much torques beat friction at rest, in a sense."""
        return sense * solved(t, sense)[0]

    t, w, found = 0.0, 0.0, []
    while t < end:
        grid = np.linspace(t, end, 4001)
        starts = [(x, s) for s in (1, -1) for x in grid if free(x, s) > 1e-9]
        if not starts:
            break
        first, sense = min(starts)
        if first > t:
            first = brentq(free, grid[np.searchsorted(grid, first) - 1], first, args=(sense,), xtol=1e-13)
            found.append(first)

        def stops(x, y):
            return y[0]

        stops.terminal, stops.direction = True, -sense
        run = solve_ivp(
            lambda x, y, s=sense: [solved(x, s)[0]],
            (first, end),
            [1e-14 * sense],
            rtol=1e-11,
            atol=1e-13,
            events=stops,
        )
        t, w = run.t[-1], run.y[0, -1]
        if run.status == 1:
            found.append(t)
            w = 0.0
    return found, [w]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_lossy_gear_locks_and_breaks_loose_when_it_should(formulation):
    times, (w,) = by_hand(0.5, 0.5)
    r = lossy(efficiency=0.5).simulate(end=0.5, output=1000, formulation=formulation, **OPTIONS)
    assert len(times) == 4
    np.testing.assert_allclose(
        changes(r, "gear.friction.mode")[1:], times, atol=1e-3
    )  # two intervals of output
    assert last(r, "on_a.w")[0] == pytest.approx(w, rel=1e-6)
    power = (
        r["gear.torque_a"].to_numpy() * r["on_a.w"].to_numpy()
        + r["gear.torque_b"].to_numpy() * r["on_b.w"].to_numpy()
    )
    np.testing.assert_allclose(r["gear.loss"], -power, atol=1e-9)
    np.testing.assert_allclose(r["gear.loss"], r["gear.friction.heat"], atol=1e-9)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-4 * balance.scale


def test_an_elastic_lossy_gear_is_the_rigid_one_in_the_limit():
    rigid = lossy(efficiency=0.5).simulate(end=0.5, output=10, **OPTIONS)
    elastic = lossy(efficiency=0.5, stiffness=1e5, damping=30).simulate(
        end=0.5, output=10, rtol=1e-7, atol=1e-9
    )
    np.testing.assert_allclose(elastic["on_a.w"], rigid["on_a.w"], atol=2e-3)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_gear_that_locks_itself_stops_and_holds(formulation):
    """eta 0.4 forward, locked backward: w' = T_a - 2.5 (T_l/2 + 0.375 w'), so 10 N m give 3.75/1.9375 rad/s^2 for
    0.5 s, then -6.25/1.9375; after 0.3 s it stands, and the load of 5 N m cannot turn it."""
    m = shafts({"a": 1.0, "b": 1.5})
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=2.0, efficiency=0.4, efficiency_back=-0.5))
    m.add("drive", ww.Actuator(joint="on_a", value="10*step(0.5 - t)"))
    m.add("load", ww.Actuator(joint="on_b", value=-5.0))
    r = m.simulate(end=1.5, output=1500, formulation=formulation, **OPTIONS)
    assert r["on_a.w"].to_numpy().max() == pytest.approx(0.5 * 3.75 / 1.9375, rel=1e-6)
    assert changes(r, "gear.friction.mode")[-1] == pytest.approx(0.8, abs=1e-3)
    assert last(r, "on_a.w", "gear.torque_b", "gear.friction.torque") == pytest.approx([0, 5, 2.5], abs=1e-9)


@pytest.mark.parametrize("drives", ["a", "b"])
def test_efficiency_over_load(drives):
    """In steady motion power out over power in is what the table has at the torque on b."""
    m = shafts({"a": 1.0, "b": 1.0})
    table = {"torque": (0.0, 10.0), "efficiency": (0.5, 0.9)}
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=4.0, efficiency=table))
    eta = 0.5 + 0.4 * 6.0 / 10
    # torque 6 N m on b, held by that on a which makes it go on at constant speed
    on_a = 6.0 / 4 / eta if drives == "a" else 6.0 / 4 * eta
    sign = 1 if drives == "a" else -1
    m.add("drive", ww.Actuator(joint="on_a", value=sign * on_a))
    m.add("load", ww.Actuator(joint="on_b", value=-sign * 6.0))
    for name, w in (("a", 4.0), ("b", 1.0)):
        m.bodies[name] = m.bodies[name].model_copy(update={"angular_velocity": (0, 0, w)})
    r = m.simulate(end=0.2, output=4, **OPTIONS)
    np.testing.assert_allclose(r["on_a.w"], 4.0, rtol=1e-9)
    lost = (1 - eta) * max(on_a * 4.0, 6.0)
    np.testing.assert_allclose(r["gear.loss"], lost, rtol=1e-8)


def test_backlash_leaves_the_shafts_alone_in_between():
    m = shafts({"a": 0.1, "b": 0.4})
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=2.0, stiffness=1e4, damping=1.0, backlash=0.02))
    m.add("drive", ww.Actuator(joint="on_a", value=0.5))
    r = m.simulate(end=0.12, output=240, rtol=1e-8, atol=1e-10)
    touching = np.sqrt(2 * 0.01 * 0.1 / 0.5)  # until half the play is gone
    free = r.t < touching
    np.testing.assert_allclose(r["on_b.w"].to_numpy()[free], 0, atol=1e-12)
    np.testing.assert_allclose(r["on_a.w"].to_numpy()[free], 5 * r.t[free], rtol=1e-8, atol=1e-12)
    assert last(r, "on_b.w")[0] > 0.01


# -- a ratio that varies


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_ratio_that_varies_loses_no_power(formulation):
    """w_a = i w_b: (i^2 J_a + J_b) w_b' + J_a i i' w_b = i T, by SciPy; and the work of the motor is kinetic energy."""
    J = {"a": 0.1, "b": 0.2}
    m = shafts(J)
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio="2 + sin(3*t)"))
    m.add("motor", ww.Actuator(joint="on_a", value="2*cos(t)"))
    r = m.simulate(end=2.0, output=40, formulation=formulation, **OPTIONS)

    def rate(t, y):
        i, di = 2 + np.sin(3 * t), 3 * np.cos(3 * t)
        return [(2 * np.cos(t) * i - J["a"] * i * di * y[0]) / (i**2 * J["a"] + J["b"])]

    expected = solve_ivp(rate, (0, 2), [0.0], rtol=1e-11, atol=1e-13, t_eval=r.t).y[0]
    np.testing.assert_allclose(r["on_b.w"], expected, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(r["gear.ratio"], 2 + np.sin(3 * r.t), rtol=1e-12)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-6 * balance.scale


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_ratio_follows_a_formula_of_signals(formulation):
    """lag^2 i'' + 2 lag i' + i = u(phi_b), by SciPy."""
    J, lag = {"a": 0.1, "b": 0.2}, 0.05
    m = shafts(J)
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio="2 + 0.1*on_b.angle", lag=lag, ratio_at_start=2))
    m.add("motor", ww.Actuator(joint="on_a", value="2*cos(t)"))
    r = m.simulate(end=2.0, output=20, formulation=formulation, **OPTIONS)

    def rate(t, y):
        phi, w, i, di = y
        force = 2 * np.cos(t) * i - J["a"] * i * di * w
        return [w, force / (i**2 * J["a"] + J["b"]), di, (2 + 0.1 * phi - i) / lag**2 - 2 * di / lag]

    expected = solve_ivp(rate, (0, 2), [0, 0, 2, 0], rtol=1e-11, atol=1e-13, t_eval=r.t).y
    np.testing.assert_allclose(r["on_b.w"], expected[1], rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(r["gear.ratio"], expected[2], rtol=1e-7)


# -- converter


def test_a_torque_converter_by_its_table():
    """A held turbine: T_t = mu C w_p^2; a pump that is driven by T: J w' = T - C w^2, w = w_e tanh(t T/(J w_e))."""
    m = shafts({"pump": 0.2, "turbine": 0.5})
    m.add("still", ww.JointDriver(joint="on_turbine", value=0.0))
    curves = {"speed_ratio": (0, 0.8, 1), "torque_ratio": (2, 1, 1), "capacity": (0.02, 0.015, 0)}
    m.add("converter", ww.TorqueConverter(pump="pump", turbine="turbine", **curves))
    m.add("engine", ww.Actuator(joint="on_pump", value=50.0))
    r = m.simulate(end=0.5, output=20, **OPTIONS)
    end = np.sqrt(50 / 0.02)
    np.testing.assert_allclose(r["on_pump.w"], end * np.tanh(r.t * 50 / (0.2 * end)), rtol=1e-7, atol=1e-9)
    w = r["on_pump.w"].to_numpy()
    np.testing.assert_allclose(r["converter.torque_turbine"], 2 * 0.02 * w**2, rtol=1e-10)
    np.testing.assert_allclose(r["converter.torque_support"], -0.02 * w**2, rtol=1e-10)
    np.testing.assert_allclose(r["converter.loss"], 0.02 * w**3, rtol=1e-10)


def test_a_capacity_takes_its_units():
    curves = {"speed_ratio": (0, 0.8, 1), "torque_ratio": (2, 1, 1)}
    given = ("0.02 N*m*s^2/rad^2", "0.015 N*m*s^2", "1e-5 N*m/rpm^2")
    one = ww.TorqueConverter(pump="pump", turbine="turbine", **curves, capacity=given)
    assert np.array(one.capacity) == pytest.approx([0.02, 0.015, 1e-5 * (30 / np.pi) ** 2])
    with pytest.raises(ww.ModelError, match=r"capacity\[0\]: needs a capacity .*, but `5 kg` is a mass"):
        ww.TorqueConverter(pump="pump", turbine="turbine", **curves, capacity=("5 kg", 0.01, 0))


# -- what is wrong


def built(**fields):
    m = shafts({"a": 1, "b": 1, "c": 1})
    m.add("gear", ww.Ratio(**{"bodies": ("a", "b"), "ratio": 2.0, **fields}))
    return m.check()


WRONG = {
    "more than all": ({"efficiency": 1.2}, "efficiency: must be more than 0 and at most 1, but is 1.2"),
    "nothing out": ({"efficiency": 0}, "efficiency: must be more than 0 and at most 1, but is 0"),
    "more back": ({"efficiency_back": 1.5}, "efficiency_back: must be at most 1, but is 1.5"),
    "play of a rigid one": ({"backlash": 0.1}, "backlash: requires a `stiffness`"),
    "ratio 0": ({"ratio": 0}, "ratio: must not be zero"),
    "another axis": ({"axis": (0, 1, 1)}, "`a` turns about an axis at 45 degrees to `axis`"),
    "a formula of signals": ({"ratio": "2 + on_c.angle"}, "a rigid ratio needs its rate"),
    "lag alone": ({"ratio": "2 + on_c.angle", "lag": 0.1}, "requires `lag`"),
    "a falling table": (
        {"efficiency": {"torque": (1, 0), "efficiency": (0.5, 0.6)}},
        "torques must not be negative, and increase",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_has_no_meaning_is_refused(case):
    fields, message = WRONG[case]
    with pytest.raises(ww.ModelError, match=message):
        built(**fields)


def test_a_support_that_does_not_follow_is_asked_for():
    m = shafts({"a": 1, "s": 1})
    m.add("b", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("on_b", ww.Revolute(bodies=("s", "b"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=2))
    with pytest.raises(ww.ModelError, match=r"`support` is missing.*`a` turns in `ground`; `b` turns in `s`"):
        m.check()


def test_shafts_of_a_planetary_gear_are_parallel():
    m = shafts({"sun": 1, "carrier": 1})
    m.add("ring", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("on_ring", ww.Revolute(bodies=("ground", "ring"), point=(0, 0, 0), axis=(0, 1, 0)))
    m.add("gear", ww.Planetary(sun="sun", ring="ring", carrier="carrier", ratio=3))
    with pytest.raises(ww.ModelError, match=r"its shafts are not parallel: `ring` turns .* at 90 degrees"):
        m.check()
    with pytest.raises(ww.ModelError, match="must be more than 1: the ring is larger"):
        ww.Planetary(sun="sun", ring="ring", carrier="carrier", ratio=0.5)


def test_more_power_out_of_a_converter_than_in_is_refused():
    with pytest.raises(ww.ModelError, match="more power would come out than goes in"):
        ww.TorqueConverter(
            pump="a", turbine="b", speed_ratio=(0, 0.9), torque_ratio=(2, 1.2), capacity=(0.02, 0.01)
        )


# -- the page of the guide


@pytest.mark.slow
def test_the_page_of_the_guide():
    """Its example runs: w = T t/(J_a + J_b/(i^2 eta)); its files are read."""
    printed = []
    ran("guide/transmissions", print=printed.append)
    w, on_b, on_support, lost = map(float, printed[0].split())
    assert w == pytest.approx(0.6 * 3 / (0.02 + 0.5 / (25 * 0.9)), abs=1e-3)
    assert on_b == pytest.approx(0.5 * w / 5 / 0.6, abs=1e-3)
    assert on_support == pytest.approx(on_b / 5 / 0.9 - on_b, abs=1e-3)
    assert lost == pytest.approx(on_b / 5 * (1 / 0.9 - 1) * w, abs=1e-2)
    joints = "".join(
        f"  {joint}: {{type: revolute, bodies: [ground, {body}], point: [0, 0, 0], axis: [0, 0, 1]}}\n"
        for joint, body in (
            ("knuckle1", "drum"),
            ("knuckle2", "engine"),
            ("motor", "output"),
            ("on_g", "gearbox"),
            ("on_m", "machine"),
        )
    )
    bodies = "".join(
        f"  {name}: {{mass: 1, inertia: [1, 1, 1]}}\n"
        for name in ("drum", "engine", "output", "gearbox", "machine")
    )
    for text in blocks(page("guide/transmissions"), "yaml"):
        forces = "".join(
            f"  {line}\n" for line in text.replace("[motor, drum]", "[machine, drum]").splitlines()
        )
        assert ww.loads(f"bodies:\n{bodies}joints:\n{joints}forces:\n{forces}").check()


@pytest.mark.parametrize("kind", ["coaxial", "crossed", "planar"])
@pytest.mark.parametrize("losses", [{"efficiency": 0.5}, {"efficiency": 0.8, "no_load_torque": 0.3}])
def test_torques_and_losses_of_an_elastic_ratio_have_friction_in_them(kind, losses):
    """Steady, it is as the rigid one; T_a from the balance of shaft a, the loss from that of all powers."""
    found = {}
    for name, elastic in {"rigid": {}, "elastic": {"stiffness": 1e5, "damping": 20.0}}.items():
        m = shafts({"a": 0.02}, "planar" if kind == "planar" else "spatial")
        space = kind != "planar"
        m.add("b", ww.Body(mass=1, inertia=(0.5, 0.9, 0.9) if space else 0.5))
        axis = {"axis": (1, 0, 0) if kind == "crossed" else (0, 0, 1)} if space else {}
        m.add("on_b", ww.Revolute(bodies=("ground", "b"), point=(0, 0, 0)[: 3 if space else 2], **axis))
        m.add("gear", ww.Ratio(bodies=("a", "b"), support="ground", ratio=5.0, **losses, **elastic))
        m.add("motor", ww.Actuator(joint="on_a", value=3.0))
        m.add("load", ww.Friction(joint="on_b", viscous=2.0))
        r = m.simulate(end=8.0, output=8, rtol=1e-8, atol=1e-10)
        names = ("gear.torque_a", "gear.torque_b", "gear.torque_support", "gear.loss", "on_a.w", "on_b.w")
        found[name] = last(r, *names)
    on_a, on_b, on_support, loss, w_a, w_b = found["elastic"]
    assert on_a == pytest.approx(-3.0, rel=1e-4)
    size = np.hypot(on_a, on_b) if kind == "crossed" else -on_a - on_b
    assert on_support == pytest.approx(size, rel=1e-9)
    assert loss == pytest.approx(-on_a * w_a - on_b * w_b, rel=1e-6)
    np.testing.assert_allclose(found["elastic"], found["rigid"], rtol=1e-3)


def test_a_state_reads_the_true_torque_of_an_elastic_ratio():
    """The integral of the power lost, in a rate; in a load the torque is refused, that of the windup is not."""
    m = shafts({"a": 0.02, "b": 0.5})
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=5.0, efficiency=0.5, stiffness=1e4, damping=5.0))
    m.add("motor", ww.Actuator(joint="on_a", value=3.0))
    m.add("heat", ww.State(rate="gear.loss", unit="J"))
    r = m.simulate(end=1.0, output=2000, **OPTIONS)
    integral = np.trapezoid(r["gear.loss"].to_numpy(), r.t)
    assert last(r, "heat")[0] == pytest.approx(integral, rel=1e-5)
    assert integral > 1
    m.add("brake", ww.Actuator(joint="on_b", value="0.1*gear.torque_a"))
    with pytest.raises(ww.ModelError, match=r"`gear.torque_a` is found together with the accelerations"):
        m.simulate(end=0.1)
    m.forces["brake"] = ww.Actuator(joint="on_b", value="0.1*gear.torque_elastic")
    assert np.isfinite(last(m.simulate(end=0.1), "gear.torque_a")[0])


@pytest.mark.parametrize("elastic", [{}, {"stiffness": 1e4}, {"stiffness": 1e4, "efficiency": 0.9}])
def test_the_torque_on_a_carrier_has_its_name(elastic):
    m = shafts({"sun": 0.01, "ring": 0.2, "carrier": 0.5})
    m.add("gear", ww.Planetary(sun="sun", ring="ring", carrier="carrier", ratio=3, **elastic))
    m.add("motor", ww.Actuator(joint="on_sun", value=2.0))
    r = m.simulate(end=0.6, output=3)
    sun, ring, carrier, old = last(
        r, "gear.torque_sun", "gear.torque_ring", "gear.torque_carrier", "gear.torque_support"
    )
    assert carrier == old == pytest.approx(-sun - ring, rel=1e-9)
