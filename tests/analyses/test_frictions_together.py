"""Several dry frictions that hold one freedom: what gives way, when, and with what torque, by statics."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.validation.cases.modelica_drives import SHIFT, columns, gear_shift

BOTH = pytest.mark.parametrize("formulation", ["absolute", "reduced"])
TIGHT: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-11, "progress": False}
Z = (0.0, 0.0, 1.0)
J = 0.1


def machine(load: Any, *frictions: tuple[str, Any], **inertias: float) -> ww.Mechanism:
    m = ww.Mechanism("frictions", gravity=(0, 0, 0))
    for name, inertia in (inertias or {"one": J}).items():
        m.add(name, ww.Rotor(inertia=inertia, axis=Z))
    for name, friction in frictions:
        m.add(name, friction)
    m.add("load", ww.Torque(body="one", value=(0, 0, load)))
    return m


def rubbing(torque: float, ratio: float) -> tuple[str, ww.Friction]:
    return "rub", ww.Friction(joint="one.bearing", coulomb=torque, static_ratio=ratio)


def brake(torque: Any, **more: Any) -> tuple[str, ww.Brake]:
    return "brake", ww.Brake(joint="one.bearing", torque=torque, **more)


def slides(r: Any, element: str = "brake") -> list[float]:
    return [e.t for e in r.events if e.kind.name == "SLIDE" and e.element == element]


@BOTH
@pytest.mark.parametrize("order", [1, -1])
def test_a_friction_that_gives_way_while_another_holds_carries_its_limit_at_rest(formulation, order):
    """0.25*1.3 + 0.9 = 1.225 N m, at s = 0.1225 s; from there 1.15 N m: J w = 5 (t^2 - s^2) - 1.15 (t - s)."""
    both = [rubbing(0.25, 1.3), brake(0.9)][::order]
    r = machine("10*t", *both).simulate(end=0.15, output=150, formulation=formulation, **TIGHT)
    assert slides(r) == [pytest.approx(0.1225, abs=1e-9)] == slides(r, "rub")
    friction, held = r["rub.torque"].to_numpy(), r["brake.torque"].to_numpy()
    rests = r.t < 0.1224
    assert -friction[rests] == pytest.approx(np.minimum(5 * r.t[rests], 0.325), abs=1e-6)
    assert (-friction - held)[rests] == pytest.approx(10 * r.t[rests], abs=1e-6)
    moves = r.t > 0.1226
    assert -friction[moves] == pytest.approx(0.25, abs=1e-9)
    t, start = r.t[moves], 0.1225
    speed = (5 * (t**2 - start**2) - 1.15 * (t - start)) / J
    assert r["one.w"].to_numpy()[moves] == pytest.approx(speed, abs=1e-7)


@BOTH
def test_a_load_that_turns_round_meets_the_limits_the_other_way(formulation):
    """Up to 1.2 N m, which hold; back, and down to -1.225 N m."""
    load = "if(t < 0.12, 10*t, 2.4 - 10*t)"
    r = machine(load, rubbing(0.25, 1.3), brake(0.9)).simulate(
        end=0.37, output=37, formulation=formulation, **TIGHT
    )
    assert slides(r) == [pytest.approx(0.3625, abs=1e-8)]


@BOTH
@pytest.mark.parametrize("order", list(permutations(range(3))), ids=lambda order: "".join(map(str, order)))
def test_when_three_frictions_give_way_is_the_same_in_all_orders(formulation, order):
    """A clutch slips with 0.91 N m, a load of 0.17 N m helps: brake and 0.252*1.3 N m hold up to 1.08 N m."""
    three = [
        rubbing(0.252, 1.3),
        brake("0.8735 - 41.85*t"),
        ("clutch", ww.Clutch(bodies=("two", "one"), torque=0.91)),
    ]
    m = machine(0.17, *(three[k] for k in order), one=J, two=J)
    m.add("drive", ww.Torque(body="two", value=(0, 0, 5)))
    r = m.simulate(end=0.004, output=4, formulation=formulation, **TIGHT)
    assert slides(r) == [pytest.approx((0.8735 + 0.252 * 1.3 - 1.08) / 41.85, abs=1e-9)]


@pytest.mark.parametrize("inertia", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("formulation", ["absolute", "auto", "reduced"])
def test_a_brake_on_a_light_shaft_that_is_geared_to_a_heavy_one_stops_it_and_holds(formulation, inertia):
    """100 N m behind a ratio of 2 against 20 N m: 3 rad/s are gone after 3 (1 + J/4)/(50 - 20) s."""
    m = machine(20.0, one=1.0, two=inertia)
    m.bodies["one"] = ww.Rotor(inertia=1.0, axis=Z, speed=3.0)
    m.add("gear", ww.Ratio(bodies=("one", "two"), ratio=2, support="ground"))
    m.add("brake", ww.Brake(joint="two.bearing", torque=100.0))
    r = m.simulate(end=1.0, output=10, formulation=formulation, max_steps=500, **TIGHT)
    assert r.outcome.good
    assert [(e.kind.name, e.t) for e in r.events] == [
        ("STICK", pytest.approx(0.1 * (1 + inertia / 4), abs=1e-8))
    ]
    assert r["brake.torque"].to_numpy()[-1] == pytest.approx(-40.0, rel=1e-5)
    assert abs(r["one.angle"].to_numpy()[-1] - 0.15 * (1 + inertia / 4)) < 1e-7


@BOTH
def test_the_gear_shift_of_modelica_with_a_ring_of_nearly_no_mass(formulation):
    """SimpleGearShift, whose ring has none: reference values as in `validation`, there with 1e-5 kg m^2."""
    m = gear_shift()
    m.bodies["ring"] = ww.Rotor(inertia=1e-8)
    r = m.simulate(end=5.0, output=100, formulation=formulation, max_steps=2000, **TIGHT)
    assert r.outcome.good
    t, *speeds = columns(SHIFT)
    found = [r[f"{name}.w"].to_numpy()[np.rint(t / 0.05).astype(int)] for name in ("engine", "load")]
    assert np.array(found) == pytest.approx(np.array(speeds), abs=1e-5)  # DASSL at 1e-6
    events = [(e.kind.name, e.element) for e in r.events if e.t > 0.6]
    assert events == [("SLIDE", "brake"), ("STICK", "clutch")]
    assert [e.t for e in r.events if e.t > 0.6] == pytest.approx(
        [2.04081635815929, 2.11079037915241], abs=1e-6
    )
