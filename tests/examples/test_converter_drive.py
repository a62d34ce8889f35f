"""The automatic drive: stall of its converter, accelerations by hand, what shifts when, ratios, energy."""

import numpy as np
import pytest

from wheelwork.trains import train_ratio

from .bundled import model, result

ETA, AXLE, LOAD = 0.96, 4, 100.0


def test_at_standstill_the_turbine_gets_twice_the_torque_of_the_pump():
    """alpha: LOAD alpha = eta 4 (3 T_sun - J_carrier 4 alpha), T_sun = T_turbine - J_turbine 12 alpha; the freewheel
    holds k T_sun."""
    r = result("converter-drive")
    pump, turbine, held = (
        float(r[f"{name}"][0])
        for name in ("converter.torque_pump", "converter.torque_turbine", "freewheel.torque")
    )
    assert -pump == pytest.approx(0.0055 * 90**2, rel=1e-12)
    assert turbine == pytest.approx(-2 * pump, rel=1e-12)
    alpha = ETA * AXLE * 3 * turbine / (LOAD + ETA * AXLE * (3 * 0.03 * 12 + 0.05 * 4))
    assert held == pytest.approx(2 * (turbine - 0.03 * 12 * alpha), rel=1e-9)


def test_shafts_turn_as_the_gears_say():
    r = result("converter-drive")
    low, high, locked = r.t < 0.65, (r.t > 0.8) & (r.t < 2.1), r.t > 2.4
    turbine, ring, carrier, wheels, engine = (
        r[f"{n}.w"].values for n in ("turbine", "ring", "carrier", "wheels", "engine")
    )
    np.testing.assert_allclose(turbine[low], 12 * wheels[low], atol=1e-6)
    np.testing.assert_allclose(ring[low], 0, atol=1e-6)
    np.testing.assert_allclose(turbine[high], 4 * wheels[high], rtol=1e-7)
    np.testing.assert_allclose(carrier[high], ring[high], rtol=1e-7)
    np.testing.assert_allclose(engine[locked], 4 * wheels[locked], rtol=1e-7)
    assert [(e.element, e.kind.name) for e in r.events if e.t > 0] == [
        ("gear", "TRANSITION"),
        ("freewheel", "SLIDE"),
        ("direct", "STICK"),
        ("gear", "TRANSITION"),
        ("lock_up", "STICK"),
    ]
    first, second = (e.t for e in r.events if e.kind.name == "TRANSITION")
    assert float(r.at([first])["wheels.w"][0]) == pytest.approx(14, abs=2e-3)  # between two outputs
    assert second - first == pytest.approx(1.5, abs=1e-9)


def test_locked_up_the_car_accelerates_as_one_mass():
    r = result("converter-drive")
    k = int(np.searchsorted(r.t, 5.0))
    w, engine = float(r["wheels.w"][k]), float(r["engine.w"][k])
    torque = np.interp(engine, (100, 300), (160, 190))
    resistance = 30 + 0.12 * w**2
    expected = (ETA * AXLE * torque - resistance) / (LOAD + ETA * AXLE * AXLE * (0.2 + 0.03 + 0.02 + 0.05))
    found = (float(r["wheels.w"][k + 1]) - float(r["wheels.w"][k - 1])) / (r.t[k + 1] - r.t[k - 1])
    assert found == pytest.approx(expected, rel=1e-5)


def test_the_gear_train_has_the_ratios_of_the_gears():
    m = model("converter-drive")
    assert train_ratio(m.gear_train(["freewheel", "lock_up"]), "engine", "wheels") == 12
    assert train_ratio(m.gear_train(["direct", "lock_up"]), "engine", "wheels") == 4


def test_energy_is_accounted_for_in_both_formulations():
    runs = [
        model("converter-drive").simulate(formulation=f, end=3, output=600, rtol=1e-8)
        for f in ("absolute", "reduced")
    ]
    np.testing.assert_allclose(runs[0]["wheels.w"], runs[1]["wheels.w"], rtol=1e-6)
    balance = runs[0].energy_balance()
    assert np.abs(balance.remainder).max() < 1e-5 * balance.scale
    slipped = runs[0]["direct.slip_work"].values[-1]
    assert slipped == pytest.approx(-balance.work["direct"][-1], rel=1e-3)
