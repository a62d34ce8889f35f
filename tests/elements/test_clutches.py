"""Clutch, brake, limiter, freewheel, dogs, synchroniser: closed forms, Modelica's coupled clutches, energy."""

import re
from typing import Any

import numpy as np
import pytest
from pages import ran
from scipy.integrate import solve_ivp

import wheelwork as ww
from wheelwork.analyses.simulate import RunWarning
from wheelwork.engine.engine import EventKind
from wheelwork.engine.outcome import Outcome

BOTH = pytest.mark.parametrize("formulation", ["absolute", "reduced"])
J1, J2 = 2.0, 3.0
REDUCED = J1 * J2 / (J1 + J2)
TIGHT: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-11}


def pair(element: Any, speed: float = 100.0, other: float = 0.0, kind: str = "spatial") -> ww.Mechanism:
    """Two rotors, in the plane two bodies in hinges, with an element between them."""
    m = ww.Mechanism("pair", kind=kind, gravity=(0, 0) if kind == "planar" else (0, 0, 0))
    for name, inertia, w in (("one", J1, speed), ("two", J2, other)):
        if kind == "planar":
            m.add(name, ww.Body(mass=1, inertia=inertia, angular_velocity=w))
            m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(0, 0)))
        else:
            m.add(name, ww.Rotor(inertia=inertia, speed=w))
    m.add("clutch", element(bodies=("one", "two")))
    return m


def of(element: Any, **fields: Any) -> Any:
    return lambda **where: element(**where, **fields)


def happened(r: Any) -> list[tuple[str, float]]:
    return [(event.kind.name, event.t) for event in r.events]


def assert_balanced(r: Any, part: float = 1e-5) -> None:
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < part * balance.scale


@BOTH
@pytest.mark.parametrize("kind", ["spatial", "planar"])
def test_time_and_heat_of_a_lock_up(formulation, kind):
    """Constant torque: t = w J/T, heat J w^2/2, then one speed (J1 w1 + J2 w2)/(J1 + J2)."""
    r = pair(of(ww.Clutch, torque=50.0), kind=kind).simulate(
        end=4, output=40, formulation=formulation, **TIGHT
    )
    ((name, t),) = happened(r)
    assert (name, t) == ("STICK", pytest.approx(100 * REDUCED / 50, abs=1e-9))
    assert r["one.w"].to_numpy()[-1] == pytest.approx(J1 * 100 / (J1 + J2), rel=1e-9)
    assert -r.energy_balance().work["clutch"][-1] == pytest.approx(REDUCED * 100**2 / 2, rel=3e-6)
    slips = r.t < t
    assert r["clutch.heat"].to_numpy() == pytest.approx(
        np.where(slips, 50 * (100 - 50 * r.t / REDUCED), 0), abs=1e-4
    )
    far = abs(r.t - t) > 1e-3
    assert list(r["clutch.mode"].to_numpy()[far]) == [-1.0 if early else 0.0 for early in slips[far]]
    assert_balanced(r)


@pytest.mark.parametrize("method", ["dopri5", "sdirk4", "rk4", "dop853"])
def test_every_method(method):
    options = {"step": 1e-3} if method == "rk4" else TIGHT
    r = pair(of(ww.Clutch, torque=50.0)).simulate(end=4, output=40, method=method, **options)
    assert [e.t for e in r.events] == [pytest.approx(2.4, abs=1e-7)]


@BOTH
def test_plates_under_pressure_with_a_curve_over_slip(formulation):
    """T = z mu r p A s(w) with s linear in w: w' = -(T0/J)(1 - w/w1) has the closed form of an exponential."""
    z, mu, radius, area, pressure, w1 = 8, 0.1, 0.06, 4e-3, 5e5, 400.0
    curve = ww.SlipCurve(speed=(0, w1), factor=(1.0, 0.0))
    plates = {"pressure": pressure, "area": area, "friction": mu, "mean_radius": radius, "surfaces": z}
    r = pair(of(ww.Clutch, curve=curve, **plates)).simulate(
        end=2, output=50, formulation=formulation, **TIGHT
    )
    rate = z * mu * radius * pressure * area / REDUCED  # of the slip, rad/s^2
    locks = -w1 / rate * np.log(1 - 100 / w1)
    assert happened(r) == [("STICK", pytest.approx(locks, abs=1e-8))]
    slip = w1 - (w1 - 100) * np.exp(rate * r.t / w1)
    assert -r["clutch.slip"].to_numpy() == pytest.approx(np.where(r.t < locks, slip, 0), abs=1e-6)


@BOTH
def test_breaks_loose_at_the_static_limit_and_stribeck(formulation):
    """A ramp of torque on one shaft, the other braked: loose at k T; just after it slips, friction falls with speed."""
    m = pair(of(ww.Clutch, torque=10.0, static_ratio=1.5, stribeck_speed=2.0), speed=0.0)
    m.add("push", ww.Actuator(joint="one.bearing", value="20*t"))
    m.add("brake", ww.Brake(joint="two.bearing", torque=1000.0))
    r = m.simulate(end=1.2, output=120, formulation=formulation, **TIGHT)
    assert happened(r) == [("SLIDE", pytest.approx(0.75, abs=1e-8))]
    slip = -r["clutch.slip"].to_numpy()
    friction = 10 * (1 + 0.5 * np.exp(-((slip / 2) ** 2)))
    moving = r.t > 0.76
    assert r["clutch.torque"].to_numpy()[moving] == pytest.approx(friction[moving], rel=1e-9)
    assert r["clutch.torque"].to_numpy()[r.t < 0.74] == pytest.approx(20 * r.t[r.t < 0.74], abs=1e-9)
    assert_balanced(r)


# Speeds at moments and times of events: Modelica.Mechanics.Rotational.Examples.CoupledClutches, run by SimulationX 3.7
# (modelica/fmi-cross-check, fmus/2.0/cs/win64/SimulationX/3.7.41138). Its events overshoot by 1e-10 rad/s in slip, its
# steps of 0.01 s are good for 5e-5 s and 2e-4 rad/s.
COUPLED = [
    ("STICK", "clutch2", 0.709792826), ("STICK", "clutch1", 0.791275354), ("SLIDE", "clutch1", 0.831167241),
    ("STICK", "clutch1", 0.906553448), ("SLIDE", "clutch1", 1.000333289), ("STICK", "clutch3", 1.144009681),
]  # fmt: skip


@pytest.mark.slow
@BOTH
def test_clutches_coupled_in_series(formulation):
    m = ww.Mechanism("coupled clutches", gravity=(0, 0, 0))
    for k in range(1, 5):
        m.add(f"J{k}", ww.Rotor(inertia=1.0, speed=10.0 if k == 1 else 0.0))
    forces = ("20*sin(2*pi*0.2*t + 1.57)", "if(t < 0.4, 0, 20)", "if(t < 0.9, 0, 20)")
    for k, force in enumerate(forces, 1):
        own = {"force": force, "friction": 0.5, "mean_radius": 1.0, "static_ratio": 1.1}
        m.add(f"clutch{k}", ww.Clutch(bodies=(f"J{k}", f"J{k + 1}"), **own))
    m.add("torque", ww.Actuator(joint="J1.bearing", value="10*sin(2*pi*5*t)"))
    r = m.simulate(end=1.5, output=300, formulation=formulation, **TIGHT)
    after = [e for e in r.events if e.t > 0.5]
    assert [(e.kind.name, e.element) for e in after] == [(kind, name) for kind, name, _ in COUPLED]
    assert [e.t for e in after] == pytest.approx([t for *_, t in COUPLED], abs=5e-5)
    speeds = [r[f"J{k}.w"].to_numpy()[-1] for k in range(1, 5)]
    assert speeds == pytest.approx([3.244925896, *[2.463870129] * 3], abs=2e-4)
    assert_balanced(r, 1e-4)


@BOTH
def test_one_way_clutch_indexes_forward(formulation):
    """The hub swings by 2 A sin^2: it takes the wheel along while it goes faster, and the wheel coasts ahead meanwhile.

    Driven hub w_a = W sin(p t): locked from the start to the largest speed, at a quarter period; then the wheel,
    without friction, keeps W and the hub never gets ahead of it again.
    """
    m = ww.Mechanism("index", gravity=(0, 0, 0))
    m.add("hub", ww.Rotor(inertia=0.1))
    m.add("wheel", ww.Rotor(inertia=0.5))
    m.add("free", ww.OneWayClutch(bodies=("hub", "wheel")))
    m.add("swing", ww.JointDriver(joint="hub.bearing", value="1 - cos(2*t)"))
    r = m.simulate(end=4, output=200, formulation=formulation, **TIGHT)
    assert happened(r) == [("SLIDE", pytest.approx(np.pi / 4, abs=1e-6))]
    exact = np.where(r.t < np.pi / 4, 2 * np.sin(2 * r.t), 2.0)
    assert r["wheel.w"].to_numpy() == pytest.approx(exact, abs=1e-6)
    assert_balanced(r)


@BOTH
def test_one_way_clutch_locks_again(formulation):
    """With drag T on the wheel it slows down by T t/J until the hub catches up with it; then they go on as one."""
    m = ww.Mechanism("index", gravity=(0, 0, 0))
    m.add("hub", ww.Rotor(inertia=0.1, speed=1.0))
    m.add("wheel", ww.Rotor(inertia=0.5, speed=5.0))
    m.add("free", ww.OneWayClutch(bodies=("hub", "wheel"), drag=0.02))
    m.add("load", ww.Actuator(joint="wheel.bearing", value=-0.48))
    m.add("motor", ww.Actuator(joint="hub.bearing", value=0.08))
    r = m.simulate(end=6, output=100, formulation=formulation, **TIGHT)
    # wheel: 5 - t (0.48 + 0.02)/0.5; hub: 1 + t (0.08 + 0.02)/0.1
    assert happened(r) == [("STICK", pytest.approx(2.0, abs=1e-9))]
    assert r["wheel.w"].to_numpy()[-1] == pytest.approx(3 - 4 * 0.4 / 0.6, abs=1e-8)
    assert_balanced(r)


def test_one_way_clutch_against_its_direction_is_refused():
    m = pair(of(ww.OneWayClutch), speed=5.0)
    with pytest.warns(RunWarning, match=r"one-way clutch `clutch`.* -5 rad/s"):
        assert m.simulate(end=1).outcome is Outcome.CLUTCH_REFUSED


@pytest.mark.slow
@BOTH
def test_torque_limiter_protects(formulation):
    """A load that jams (its brake closes) breaks the limiter loose: the motor's inertia slips on, at T."""
    m = pair(of(ww.TorqueLimiter, torque=20.0, static_ratio=1.2), speed=50.0, other=50.0)
    m.add("jam", ww.Brake(joint="two.bearing", torque="if(t < 0.5, 0, 5000)"))
    r = m.simulate(end=7, output=1400, formulation=formulation, **TIGHT)
    stop = J2 * 50 / (5000 - 20)
    assert [e.kind.name for e in r.events if e.element == "clutch"] == ["SLIDE", "STICK"]
    assert r.events[-1].t == pytest.approx(0.5 + J1 * 50 / 20, abs=1e-7)
    (held,) = [e.t for e in r.events if e.element == "jam" and e.kind is EventKind.STICK]
    assert held == pytest.approx(0.5 + stop, abs=1e-7)
    assert_balanced(r)


@pytest.mark.slow
@BOTH
def test_dogs_close_where_speed_and_position_let_them(formulation):
    """Six dogs at 0.8 rad/s: from 0.3 s on they wait for the next fit; the impulse takes the slip, J w^2/2 is lost."""
    dogs = of(ww.DogClutch, closed="if(t < 0.3, 0, if(t < 3, 1, 0))", dogs=6, play=0.02)
    m = pair(dogs, speed=0.8)
    m.add("push", ww.Actuator(joint="two.bearing", value="if(t < 2, 0, 1)"))
    r = m.simulate(end=4, output=100, formulation=formulation, **TIGHT)
    fits = (2 * np.pi / 6 - 0.01) / 0.8  # b falls behind by a pitch, less half the play
    closed, opened, *_ = r.events
    assert (closed.kind, closed.t) == (EventKind.CLOSED, pytest.approx(fits, abs=1e-8))
    assert closed.lost == pytest.approx(REDUCED * 0.8**2 / 2, rel=1e-9)
    assert closed.size == pytest.approx(REDUCED * 0.8, rel=1e-9)
    assert (opened.kind, opened.t) == (EventKind.OPENED, pytest.approx(3.0, abs=1e-9))
    w = r["one.w"].to_numpy()
    assert w[-1] == pytest.approx(
        J1 * 0.8 / (J1 + J2) + 1 / (J1 + J2), rel=1e-8
    )  # the push stays with the other
    assert_balanced(r)


def test_dogs_asked_to_close_at_speed_end_the_run():
    m = pair(of(ww.DogClutch, closed="if(t < 0.5, 0, 1)"))
    with pytest.warns(RunWarning, match=r"t = 0.5 s: dog clutch `clutch` cannot close .* -100 rad/s"):
        r = m.simulate(end=1, output=100)
    assert r.outcome is Outcome.CLUTCH_REFUSED
    assert r.t[-1] == pytest.approx(0.5, abs=1e-9)
    assert r["one.w"].to_numpy() == pytest.approx(100, rel=1e-12)


@pytest.mark.slow
@BOTH
def test_synchroniser(formulation):
    """The cone brings the shafts to one speed in w J/T, then dogs hold what the cone could not."""
    m = pair(of(ww.Synchroniser, closed="if(t < 0.2, 0, 1)", torque=60.0), speed=50.0)
    m.add("load", ww.Actuator(joint="two.bearing", value="if(t < 1.5, 0, -500)"))
    r = m.simulate(end=2, output=100, formulation=formulation, **TIGHT)
    locks = 0.2 + 50 * REDUCED / 60
    assert happened(r) == [("CLOSED", pytest.approx(locks, abs=1e-7))]
    assert r["clutch.torque"].to_numpy()[-1] == pytest.approx(500 * J1 / (J1 + J2), rel=1e-8)
    assert_balanced(r)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"torque": 1.0, "force": 2.0}, "give one of them"),
        ({"force": 2.0, "friction": 0.3}, "`mean_radius` is needed with `force`"),
        ({"torque": 2.0, "friction": 0.3}, "`friction` cannot be combined with `torque`"),
        ({"torque": 2.0, "static_ratio": 0.5}, "at least 1"),
        ({"torque": 2.0, "curve": {"speed": [1, 2], "factor": [1, 1]}}, "begin with 0"),
    ],
)
def test_bad_clutches_are_refused(fields, words):
    with pytest.raises(ww.ModelError, match=words):
        pair(of(ww.Clutch, **fields)).simulate(end=0.1)


@pytest.mark.slow
def test_the_car_of_the_guide_shifts_from_second_to_third():
    """The page's own code: one clutch lets go, the other takes over; ratio 5.6 at the end, energy closes."""
    r = ran("guide/clutches", print=lambda *_: None)["r"]
    assert [(e.kind.name, e.element) for e in r.events] == [("SLIDE", "clutch-2"), ("STICK", "clutch-3")]
    assert str(r.events[1]) == f"t = {r.events[1].t:.6g} s: `clutch-3` sticks"
    assert r["engine.w"].to_numpy()[-1] == pytest.approx(5.6 * r["wheels.w"].to_numpy()[-1], rel=1e-6)
    assert_balanced(r, 1e-6)


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_the_work_of_slip_is_the_heat_and_leaves_vibration_alone(formulation):
    """Two inertias that a constant torque brings to one speed: J w^2/2; modes of a closed clutch are there."""
    m = ww.Mechanism("two", gravity=(0, 0, 0))
    m.add("one", ww.Rotor(inertia=0.2, speed=100))
    m.add("two", ww.Rotor(inertia=0.3, speed=0))
    m.add("clutch", ww.Clutch(bodies=("one", "two"), torque=40, drag=0.1))
    r = m.simulate(end=0.5, output=50, formulation=formulation)
    assert r["clutch.slip_work"].values[-1] == pytest.approx(
        0.12 * 100**2 / 2, rel=1e-5
    )  # default tolerances
    assert r["clutch.slip_work"].values[-1] == pytest.approx(-r.energy_balance().work["clutch"][-1], rel=1e-5)
    m.add("shaft", ww.TorsionalSpring(joint="one.bearing", stiffness=100))
    assert len(m.linearise().eigenvalues) > 0


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_a_torque_that_is_no_number_ends_the_run_and_does_not_open_the_clutch(formulation):
    m = ww.Mechanism("root of what is below zero", gravity=(0, 0, 0))
    m.add("one", ww.Rotor(inertia=0.2, speed=100))
    m.add("brake", ww.Brake(joint="one.bearing", torque="1 + sqrt(0.5 - t)"))
    with pytest.warns(RunWarning, match=r"not finite.*`brake`"):
        r = m.simulate(end=1, output=10, formulation=formulation)
    assert r.outcome.name == "NOT_FINITE"
    assert float(r.t[-1]) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (ww.Clutch, {"torque": -5}),
        (ww.Brake, {"force": -5, "friction": 0.1, "mean_radius": 0.1}),
        (ww.Clutch, {"pressure": -5, "area": 0.1, "friction": 0.1, "mean_radius": 0.1}),
        (ww.Synchroniser, {"torque": -5, "closed": 1}),
    ],
)
def test_surfaces_are_not_pressed_by_less_than_nothing(kind, given):
    field = next(iter(given))
    with pytest.raises(ww.ModelError, match=f"{field}: must not be negative, but is -5"):
        kind(bodies=("one", "two"), **given)


def test_a_table_may_go_below_zero_where_the_clutch_is_open():
    torque = {"time": [0, 1], "value": [-1, 5], "interpolation": "linear"}
    m = ww.Mechanism("late", gravity=(0, 0, 0))
    m.add("one", ww.Rotor(inertia=0.2, speed=100))
    m.add("brake", ww.Brake(joint="one.bearing", torque=torque))
    r = m.simulate(end=1, output=12)
    assert r["brake.capacity"].values == pytest.approx(np.maximum(0, -1 + 6 * r.t), abs=1e-12)


@pytest.mark.parametrize("closed", [True, False])
def test_a_condition_may_be_true_or_false(tmp_path, closed):
    """In Python and in YAML, saved and read again; what is no condition refuses truth with words that help."""
    m = pair(of(ww.DogClutch, closed=closed), 0.0)
    m.save(tmp_path / "m.yaml")
    assert ww.load(tmp_path / "m.yaml").forces["clutch"].closed == m.forces["clutch"].closed == float(closed)
    text = (tmp_path / "m.yaml").read_text()
    (tmp_path / "m.yaml").write_text(re.sub(r"closed: [01]\S*", f"closed: {str(closed).lower()}", text))
    assert f"closed: {str(closed).lower()}" in (tmp_path / "m.yaml").read_text()
    assert ww.load(tmp_path / "m.yaml").forces["clutch"].closed == float(closed)
    for wrong in (
        lambda: ww.Rotor(inertia=closed),
        lambda: ww.Mechanism("m", parameters={"closed": closed}),
        lambda: ww.Table(time=(0, 1), value=(0, closed)),
    ):
        with pytest.raises(ww.ModelError, match=r"but is `(true|false)` .*write 1 for true and 0 for false"):
            wrong()
    with pytest.raises(
        ww.ModelError, match=r"needs a condition \(such as `true`, or `shaft.w > 10`\), but is empty"
    ):
        ww.DogClutch(bodies=("one", "two"), closed=None)


def test_a_torque_by_its_own_slip_and_by_its_own_heat():
    """J w' = -T_0 (1 + a w - b W) with the heat W' = T w; by SciPy from the formulas alone."""
    m = ww.Mechanism("lining", gravity=(0, 0, 0))
    m.add("p", ww.Rotor(inertia=1.0))
    m.add("q", ww.Rotor(inertia=2.0, speed=6.0))
    m.add("heat", ww.State(rate="c.heat", unit="J"))
    m.add("c", ww.Clutch(bodies=("p", "q"), torque="3*(1 + 0.1*c.slip - 0.02*heat)"))
    r = m.simulate(end=1.0, output=10, rtol=1e-10, atol=1e-12)

    def rates(t, y):
        torque = 3 * (1 + 0.1 * y[0] - 0.02 * y[1])
        return [-torque * (1 / 1.0 + 1 / 2.0), torque * y[0]]

    other = solve_ivp(rates, (0, 1.0), [6.0, 0.0], rtol=1e-11, atol=1e-12).y[:, -1]
    np.testing.assert_allclose([r["c.slip"][-1], r["heat"][-1]], other, rtol=1e-8)
    np.testing.assert_allclose(r["heat"][-1], r["c.slip_work"][-1], rtol=1e-8)
    m.forces["c"] = ww.Clutch(bodies=("p", "q"), torque="3 + 0.1*c.capacity")
    with pytest.raises(ww.ModelError, match="in a loop, without a state in it: c -> c"):
        m.simulate(end=0.1)


@BOTH
@pytest.mark.parametrize("kind", ["spatial", "planar"])
def test_dogs_do_not_pass_by_where_they_fit(formulation, kind):
    """Shafts turn freely, 4 rad/s apart: steps could be as long as an output interval, 1 s, and dogs fit for 5 ms.

    They close at the first place behind t = 0.1 s: phi = 0.3 - 0.01 + pi/3 after the whole turns before.
    """
    fields = {"closed": "t > 0.1", "dogs": 6, "closing_speed": 5.0, "play": 0.02, "fit_angle": 0.3}
    m = pair(of(ww.DogClutch, **fields), speed=10.0, other=14.0, kind=kind)
    r = m.simulate(end=3, output=3, formulation=formulation)
    assert happened(r) == [("CLOSED", pytest.approx((0.29 + np.pi / 3) / 4, abs=1e-8))]
    assert r["clutch.slip_work"].to_numpy()[-1] == pytest.approx(REDUCED * 4**2 / 2, rel=1e-9)
