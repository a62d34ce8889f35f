"""Mode, heat and lost energy of all that locks, strikes and slips: closed forms and the energy balance."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.planned import RunWarning

BOTH = pytest.mark.parametrize("formulation", ["absolute", "reduced"])
J1, J2 = 2.0, 3.0
REDUCED = J1 * J2 / (J1 + J2)
TIGHT: dict[str, Any] = {"rtol": 1e-10, "atol": 1e-12}


def rotors(speed: float, other: float = 0.0) -> ww.Mechanism:
    m = ww.Mechanism("rotors", gravity=(0, 0, 0))
    m.add("one", ww.Rotor(inertia=J1, speed=speed))
    m.add("two", ww.Rotor(inertia=J2, speed=other))
    return m


def discs(**stop: Any) -> ww.Mechanism:
    """Disc two turns on disc one, up to a stop."""
    m = ww.Mechanism("discs", gravity=(0, 0, 0))
    for name, inertia, speed in (("one", J1, 4.0), ("two", J2, 14.0)):
        m.add(name, ww.Body(mass=1, inertia=(inertia, inertia, inertia), angular_velocity=(0, 0, speed)))
    m.add("shaft", ww.Revolute(bodies=("ground", "one"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("hub", ww.Revolute(bodies=("one", "two"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("ends", ww.Stop(joint="hub", **stop))
    return m


def assert_balanced(r: Any, element: str, signal: str) -> None:
    """The signal is what the balance says that the element took."""
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-6 * balance.scale
    work = balance.work.get(element, np.zeros(len(r.t)))
    assert r[signal].to_numpy() == pytest.approx(-work, abs=1e-6 * balance.scale)


@BOTH
@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
def test_impact_of_two_discs_on_a_rigid_stop(formulation, e):
    """J dw^2/2 (1 - e^2) with J = J1 J2/(J1 + J2); a plastic one rests on the stop from then on."""
    r = discs(upper=1.0, restitution=e).simulate(end=0.15, output=30, formulation=formulation, **TIGHT)
    (hit,) = r.events
    assert hit.t == pytest.approx(0.1, abs=1e-8)
    lost = REDUCED * 10**2 / 2 * (1 - e**2)
    assert r["ends.lost"].to_numpy() == pytest.approx(np.where(r.t > hit.t, lost, 0.0), abs=1e-7)
    assert r.at(0.1 + 1e-6)["ends.lost"] == pytest.approx(lost, abs=1e-7)
    assert list(r["ends.mode"].to_numpy()) == [1.0 if e == 0 and t > hit.t else 0.0 for t in r.t]
    assert_balanced(r, "ends", "ends.lost")


@BOTH
def test_a_rigid_stop_below_and_one_above(formulation):
    """Between both, each rebound leaves e of the difference of speeds."""
    r = discs(lower=-0.4, upper=1.0, restitution=0.5).simulate(
        end=2.0, output=50, formulation=formulation, **TIGHT
    )
    hits = [event.t for event in r.events]
    assert len(hits) == 3
    lost = REDUCED * 10**2 / 2 * 0.75 * np.cumsum(0.25 ** np.arange(3))
    for k, t in enumerate(hits):
        assert r.at(t + 1e-6)["ends.lost"] == pytest.approx(lost[k], rel=1e-6)
    assert_balanced(r, "ends", "ends.lost")


@BOTH
def test_a_compliant_stop(formulation):
    """Its heat is the work of the damper, and its mode says where it presses."""
    r = discs(lower=-0.1, upper=1.0, stiffness=3e4, damping=60.0).simulate(
        end=0.4, output=4000, formulation=formulation, **TIGHT
    )
    heat = np.append(
        0.0, np.cumsum((r["ends.heat"].to_numpy()[1:] + r["ends.heat"].to_numpy()[:-1]) / 2 * 1e-4)
    )
    taken = -r.energy_balance().work["ends"]
    assert taken[-1] > 0.1 * REDUCED * 10**2 / 2
    assert heat == pytest.approx(taken, abs=1e-2 * taken[-1])
    angle = r["hub.angle"].to_numpy()
    expected = np.where(angle > 1.0, 1.0, np.where(angle < -0.1, -1.0, 0.0))
    assert set(expected) == {-1.0, 0.0, 1.0}
    np.testing.assert_array_equal(r["ends.mode"].to_numpy(), expected)


@BOTH
def test_dogs_that_close(formulation):
    """The impulse takes J w^2/2 of the slip that is left: all of it is heat, at once."""
    m = rotors(0.8)
    m.add("dogs", ww.DogClutch(bodies=("one", "two"), closed="if(t < 1, 0, 1)"))
    r = m.simulate(end=2, output=20, formulation=formulation, **TIGHT)
    lost = REDUCED * 0.8**2 / 2
    assert r["dogs.slip_work"].to_numpy() == pytest.approx(np.where(r.t > 1, lost, 0.0), abs=1e-9)
    assert_balanced(r, "dogs", "dogs.slip_work")


@BOTH
def test_drag_of_a_one_way_clutch(formulation):
    """It runs free against 6 N m for w J/T and locks: J w^2/2."""
    m = rotors(0.0, 20.0)
    m.add("freewheel", ww.OneWayClutch(bodies=("one", "two"), drag=6.0))
    r = m.simulate(end=6, output=12, formulation=formulation, **TIGHT)
    w = np.maximum(20 - 6 * r.t / REDUCED, 0.0)
    assert r["freewheel.slip_work"].to_numpy() == pytest.approx(REDUCED / 2 * (20**2 - w**2), abs=1e-5)
    assert_balanced(r, "freewheel", "freewheel.slip_work")


@BOTH
@pytest.mark.parametrize("kind", ["brake", "limiter", "synchroniser"])
def test_slip_work_of_the_others(formulation, kind):
    """From the difference w to none under a constant torque: J w^2/2, of a brake with its shaft's own inertia."""
    m = rotors(20.0)
    inertia = REDUCED
    if kind == "brake":
        m.add("it", ww.Brake(joint="one.bearing", torque=8.0))
        inertia = J1
    elif kind == "limiter":
        m.add("it", ww.TorqueLimiter(bodies=("one", "two"), torque=8.0))
    else:
        m.add("it", ww.Synchroniser(bodies=("one", "two"), torque=8.0, closed=1))
    r = m.simulate(end=6, output=6, formulation=formulation, **TIGHT)
    assert r["it.slip_work"].to_numpy()[-1] == pytest.approx(inertia * 20**2 / 2, rel=1e-6)
    assert_balanced(r, "it", "it.slip_work")
    assert list(r["it.mode"].to_numpy()[[1, -1]]) == [1.0 if kind == "brake" else -1.0, 0.0]


def ball(law: Any, speed: float) -> ww.Mechanism:
    m = ww.Mechanism("ball", gravity=(0, 0, -9.81))
    m.add(
        "ball", ww.Body(mass=2, inertia=(0.01, 0.01, 0.01), position=(0, 0, 0.1003), velocity=(speed, 0, -1))
    )
    m.add("plate", ww.Contact(a=ww.ContactSphere(body="ball", radius=0.1), b=ww.ContactPlane(), law=law))
    return m


@BOTH
def test_impacts_of_a_ball(formulation):
    r = ball(ww.Restitution(coefficient=0.3), 0.0).simulate(
        end=0.2, output=20, formulation=formulation, **TIGHT
    )
    assert r["plate.lost"].to_numpy()[-1] == pytest.approx(sum(event.lost for event in r.events), rel=1e-12)
    assert r.events[0].lost == pytest.approx((1 + 2 * 9.81 * 0.0003) * (1 - 0.3**2), rel=1e-6)
    assert r["plate.mode"].to_numpy()[-1] == 1.0  # it has come to rest
    assert_balanced(r, "plate", "plate.lost")


@BOTH
@pytest.mark.parametrize("sticks", [False, True])
def test_heat_of_a_compliant_contact(formulation, sticks):
    """Damping and friction: what the balance says that it took."""
    along = {"stick_stiffness": 1e5} if sticks else {"slip_speed": 1e-2}
    law = ww.Compliant(stiffness=1e5, damping=100.0, friction=0.3, **along)
    r = ball(law, 0.5).simulate(end=0.1, output=4000, formulation=formulation, **TIGHT)
    power = r["plate.heat"].to_numpy()
    heat = np.append(0.0, np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(r.t)))
    taken = -r.energy_balance().work["plate"]
    assert taken[-1] > 0.2
    assert heat == pytest.approx(taken, abs=1e-2 * taken[-1])
    assert power.min() > -1e-6 * power.max()
    mode = r["plate.mode"].to_numpy()
    assert set(mode) == ({0.0, 1.0, 2.0} if sticks else {0.0, 1.0})
    np.testing.assert_array_equal(mode > 0, r["plate.gap"].to_numpy() < 0)


@BOTH
def test_each_of_two_stops_struck_at_one_moment_has_its_own_loss(formulation):
    m = rotors(2.0, 2.0)
    m.add("hold", ww.Clutch(bodies=("one", "two"), torque=5))
    for name in ("one", "two"):
        m.add(f"stop_{name}", ww.Stop(joint=f"{name}.bearing", upper=1, restitution=0.5))
    r = m.simulate(end=1, formulation=formulation)
    for name, inertia in (("one", J1), ("two", J2)):  # J w^2/2 (1 - e^2)
        assert r[f"stop_{name}.lost"][-1] == pytest.approx(inertia * 2**2 / 2 * (1 - 0.5**2), rel=1e-9)


@BOTH
def test_dogs_say_whether_they_are_closed(formulation):
    m = rotors(5.0, 5.0)
    m.add("dogs", ww.DogClutch(bodies=("one", "two"), closed="if(t < 2, 0, 1)", closing_speed=10))
    m.add("push", ww.Actuator(joint="one.bearing", value="if(t < 1, 0, 3)"))
    r = m.simulate(end=3, output=6, formulation=formulation)
    assert r["dogs.closed"].values.tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert [(event.kind.name, event.element) for event in r.events] == [("CLOSED", "dogs")]


@BOTH
def test_dogs_that_drivers_keep_apart_end_the_run(formulation):
    m = rotors(3.0, 3.1)
    m.add("dogs", ww.DogClutch(bodies=("one", "two"), closed="if(t < 0.5, 0, 1)"))
    m.add("d1", ww.JointDriver(joint="one.bearing", value="sin(3*t)"))
    m.add("d2", ww.JointDriver(joint="two.bearing", value="sin(3*t) + 0.1*t"))
    with pytest.warns(
        RunWarning, match="`dogs` cannot close: drivers or other rigid parts keep .* 0.1 rad/s"
    ):
        r = m.simulate(end=1, output=4, formulation=formulation)
    assert r.t[-1] == pytest.approx(0.5)


def test_what_impacts_took_counts_on(tmp_path):
    """In a run that goes on from a result, a file or a state on the way, and in a session, as `slip_work` does."""
    m = discs(lower=-0.4, upper=1.0, restitution=0.8)
    whole = m.simulate(end=1.5, output=30)
    wanted = whole["ends.lost"].to_numpy()
    first = m.simulate(end=0.5, output=10)
    assert 0 < wanted[10] < wanted[20] < wanted[-1]
    first.save(tmp_path / "first.nc")
    for start in (first, ww.load_result(tmp_path / "first.nc"), whole.at(0.5)):
        second = m.simulate(start=start, end=1.0, output=10)
        assert second["ends.lost"].to_numpy() == pytest.approx(wanted[10:21], rel=1e-6)
        second.save(tmp_path / "second.nc")
        for then in (second, ww.load_result(tmp_path / "second.nc")):
            third = m.simulate(start=then, end=1.5, output=10)
            assert third["ends.lost"].to_numpy() == pytest.approx(wanted[20:], rel=1e-6)
    session = m.compile().start(start=first)
    session.advance(1.0, output=10)
    assert float(session["ends.lost"]) == pytest.approx(wanted[20], rel=1e-6)
    assert session.result()["ends.lost"].to_numpy() == pytest.approx(wanted[10:21], rel=1e-6)
    third = m.simulate(start=session.result(), end=1.5, output=10)
    assert third["ends.lost"].to_numpy() == pytest.approx(wanted[20:], rel=1e-6)
