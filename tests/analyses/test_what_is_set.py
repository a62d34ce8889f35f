"""What is set in a run, by a session or by a controller: what happens at that very moment is told, and counted."""

from __future__ import annotations

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.engine import EventKind

SETS = 0.6


def shafts(*, sampled: bool) -> ww.Mechanism:
    """Two rotors that something may join, and `u`, which becomes 1 at a sample."""
    m = ww.Mechanism("shafts", gravity=(0, 0, 0))
    m.add("p", ww.Rotor(inertia=1, speed=0.5))
    m.add("q", ww.Rotor(inertia=2))
    if sampled:
        m.add("u", ww.Sampled(every=0.1, memory={"held": 0.0}, update={"held": "step(t - 0.55)"}))
    else:
        m.add("u", ww.State())
    return m


def dogs_close(m):
    m.add("d", ww.DogClutch(bodies=("p", "q"), closed="u"))
    return [("d", EventKind.CLOSED)]


def dogs_open(m):
    m.bodies["q"].speed = 0.5
    m.add("d", ww.DogClutch(bodies=("p", "q"), closed="1 - u"))
    return [("d", EventKind.CLOSED), ("d", EventKind.OPENED)]


def clutch_slides(m):
    m.bodies["q"].speed = 0.5
    m.add("d", ww.Clutch(bodies=("p", "q"), torque=1.0))
    m.add("load", ww.Actuator(joint="p.bearing", value="9*u"))
    return [("d", EventKind.SLIDE)]


def stop_lets_go(m):
    m.add("d", ww.Stop(joint="p.bearing", upper=0.1, restitution=0.0))
    m.add("load", ww.Actuator(joint="p.bearing", value="1 - 3*u"))
    return [("d", EventKind.REST), ("d", EventKind.RELEASE)]


def machine_changes(m):
    change = ww.Transition(leave="off", enter="on", when="u > 0.5")
    m.add("d", ww.StateMachine(modes=("off", "on"), transitions=(change,)))
    return [("d", EventKind.TRANSITION)]


HAPPENS = [dogs_close, dogs_open, clutch_slides, stop_lets_go, machine_changes]


def controlled(m, **options):
    c = ww.SampledController(every=0.1, call=lambda t: float(t > 0.55), outputs=["u"])
    return m.simulate(end=2, output=4, controllers=[c], **options)


def in_pieces(m, **options):
    s = m.compile(**options).start(**options)
    s.advance(SETS, output=3)
    s.set("u", 1.0)
    s.advance(2.0, output=5)
    return s.result()


def in_file(m, **options):
    return m.simulate(end=2, output=4, **options)


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("run", [controlled, in_pieces, in_file])
@pytest.mark.parametrize("happens", HAPPENS)
def test_what_follows_at_once_is_told_and_counted(happens, run, formulation):
    m = shafts(sampled=run is in_file)
    expected = happens(m)
    r = run(m, formulation=formulation)
    assert [(e.element, e.kind) for e in r.events] == expected
    assert r.events[-1].t == pytest.approx(SETS, abs=1e-9)
    if run is in_pieces or happens is dogs_close:  # else samples between outputs bend the interpolated motion
        balance = r.energy_balance()
        assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale
    if happens is dogs_close:  # 1/2 * 1 * 2 / 3 * 0.5^2 J, by the balance of momentum
        assert r["d.slip_work"].values[-1] == pytest.approx(1 / 12, rel=1e-9)


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("T", [1.0, 2.0])
def test_the_first_record_behind_a_parameter_has_the_forces_of_its_value(T, formulation):
    """A clutch that slips: its torque is its capacity, and what it takes is in the balance."""
    m = ww.Mechanism("clutch", gravity=(0, 0, 0), parameters={"T": 8.0})
    m.add("p", ww.Rotor(inertia=1, speed=10))
    m.add("q", ww.Rotor(inertia=2))
    m.add("c", ww.Clutch(bodies=("p", "q"), torque="T"))
    s = m.compile().start(formulation=formulation)
    if T == 2.0:
        s.advance(0.1, output=3)
    s.set("T", T)
    assert abs(s["c.torque"]) == pytest.approx(T)
    assert s["p.acceleration"] == pytest.approx(-T)
    np.testing.assert_allclose(s.result()["c.torque"].values, s["c.torque"])
    s.advance(1.0, output=5)
    r = s.result()
    np.testing.assert_allclose(np.abs(r["c.torque"].values), T, rtol=1e-9)
    np.testing.assert_allclose(r["c.capacity"].values, T)
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale


def test_what_is_looked_at_behind_a_setting_leaves_no_trace():
    def run(look: bool):
        m = shafts(sampled=False)
        clutch_slides(m)
        s = m.compile().start()
        s.advance(0.3)
        s.set("u", 1.0)
        seen = float(s["p.acceleration"]) if look else 8.0
        assert seen == pytest.approx(8.0)
        s.advance(1.0, output=4)
        return s.result()

    one, other = run(False), run(True)
    np.testing.assert_array_equal(one.motion.state, other.motion.state)
    assert one.events == other.events


def test_corners_move_with_a_parameter_that_is_set():
    m = ww.Mechanism("late", gravity=(0, 0, 0), parameters={"when": 0.2})
    m.add("p", ww.Rotor(inertia=1))
    m.add("load", ww.Actuator(joint="p.bearing", value="4*(step(t - when) - step(t - when - 1e-4))"))
    s = m.compile().start()
    s.advance(1.0)
    s.set("when", 1.3)
    s.advance(1.9)  # corners were known up to 2 s by then
    assert s["p.w"] == pytest.approx(8e-4, rel=1e-9)


def test_an_event_at_a_sample_where_a_piece_ends_is_told_once():
    m = shafts(sampled=True)
    dogs_close(m)
    for method in ("dopri5", "rk4"):
        s = m.compile(method=method, step=1e-2).start(method=method, step=1e-2)
        for k in range(1, 21):
            s.advance(k * 0.1)
        assert [e.kind for e in s.result().events] == [EventKind.CLOSED]


@pytest.mark.parametrize("piece", [0.1, 0.01, 0.003, 0.25])
def test_pieces_that_end_on_fixed_steps_have_all_their_outputs(piece):
    """Steps are counted from the start, and so end a digit before or behind the end of a piece."""
    m = ww.Mechanism("swing", gravity=(0, 0, 0))
    m.add("p", ww.Rotor(inertia=0.2, speed=30))
    m.add("load", ww.Actuator(joint="p.bearing", value="5*sin(9*t)"))
    s = m.compile(method="rk4", step=1e-3).start(method="rk4", step=1e-3)
    wanted = [0.0]
    for k in range(1, 1 + round(1.5 / piece)):
        s.advance(k * piece)
        wanted.append(k * piece)
        assert s["p.w"] == pytest.approx(30 + 25 * (1 - np.cos(9 * wanted[-1])) / 9, rel=1e-9)
    np.testing.assert_array_equal(s.result().t, wanted)


TIED = {  # shafts a, b, c with inertias of 1 kg m^2, b twice as fast as a where an inertia is given
    "ratio": ([ww.Ratio(bodies=("a", "b"), ratio=0.5)], 1 + 4),
    "two": ([ww.Ratio(bodies=("a", "b"), ratio=0.5), ww.Ratio(bodies=("b", "c"), ratio="k")], 1 + 4 + 4 / 9),
    "coupler": (
        [ww.Coupler(joints=[{"joint": "a.bearing", "factor": 2}, {"joint": "b.bearing", "factor": -1}])],
        1 + 4,
    ),
    "planetary": ([ww.Planetary(sun="b", ring="c", carrier="a", ratio="k")], None),
    "differential": ([ww.Differential(left="b", right="c", carrier="a")], None),
}


@pytest.mark.parametrize("tied", TIED)
def test_a_torque_is_set_where_ideal_ratios_are(tied):
    """What a ratio does not depend on is no part of it; what it does depend on is refused."""
    m = ww.Mechanism("tied", gravity=(0, 0, 0), parameters={"u": 0.0, "k": 3.0})
    for name in "abc":
        m.add(name, ww.Rotor(inertia=1))
    elements, inertia = TIED[tied]
    for k, element in enumerate(elements):
        m.add(f"tie{k}", element)
    m.add("motor", ww.Actuator(joint="a.bearing", value="u"))
    wanted = m.simulate(end=1, output=1, parameters={"u": 1.5})["a.w"].values[-1]
    s = m.compile().start()
    s.set("u", 1.5)
    s.advance(1.0)
    assert s["a.w"] == pytest.approx(wanted, rel=1e-9)
    if inertia:
        assert wanted == pytest.approx(1.5 / inertia, rel=1e-9)
    if tied in ("two", "planetary"):
        with pytest.raises(ww.ModelError, match="cannot be set in a run"):
            s.set("k", 4.0)


def test_a_file_knows_when_something_was_set(tmp_path):
    """What is between outputs, and the balance, are the same from a file: accelerations jump where a torque was set."""
    m = shafts(sampled=False)
    m.add("shaft", ww.TorsionalSpring(bodies=("p", "q"), stiffness=20))
    m.add("load", ww.Actuator(joint="p.bearing", value="9*u"))
    r = in_pieces(m)
    r.save(tmp_path / "run.nc")
    again = ww.load_result(tmp_path / "run.nc")
    t = [0.55, 0.65, 0.7]
    np.testing.assert_array_equal(again.at(t)["p.w"].values, r.at(t)["p.w"].values)
    np.testing.assert_array_equal(again.energy_balance().remainder, r.energy_balance().remainder)
