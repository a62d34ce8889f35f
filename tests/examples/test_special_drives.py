"""Bundled special drives: ratios of catalogues, load sharing, energy."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.gears import CycloidDrive

from .bundled import model, result


@pytest.mark.slow
def test_cycloid_drive():
    """Two discs share 60 N m: 30 N m each, at a ratio of 11. Lobe forces from arms and gaps alone,
    within two percent: as the load swings a little and the gaps are of first order."""
    r = result("cycloid-drive")
    late = r.t > 0.08
    assert np.mean(r["motor.torque"].values[late]) == pytest.approx(60 / 11, rel=2e-3)
    speed = np.polyfit(r.t[late], r["flange.angle"].values[late], 1)[0]
    assert speed == pytest.approx(-60 / 11, rel=1e-4)
    drive = CycloidDrive(11, 50e-3, 5e-3, 1.5e-3, offset=8e-6)
    for ring in ("ring1", "ring2"):
        moment = r[f"{ring}.force.tangential"].values * 11 * 1.5e-3
        assert np.mean(moment[late]) == pytest.approx(30.0, rel=1e-3)
        for k in np.flatnonzero(late)[::50]:
            first = -60 * r.t[k] + (0.0 if ring == "ring1" else np.pi)
            shared, _ = drive.lobe_forces(moment[k], first, stiffness=2e8)
            forces = [r[f"{ring}.pin.{n}.force"].values[k] for n in range(1, 13)]
            assert sorted(forces) == pytest.approx(sorted(shared), abs=0.02 * max(shared))
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 2e-4 * balance.scale


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_rv_reducer(formulation):
    """Catalogues: R = 1 + (z_2/z_1) z_pins."""
    r = model("rv-reducer").run(formulation=formulation)
    ratio = 1 + 36 / 12 * 40
    assert r["sun.angle"].values == pytest.approx(ratio * r["flange.angle"].values, abs=1e-10)
    load = 120 * np.cos(r["flange.angle"].values)
    assert r["motor.torque"].values == pytest.approx(load / ratio, abs=1e-9)
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-9 * balance.scale


def test_rv_reducer_with_elastic_lobes():
    """The same ratio in the mean, and every lobe by itself: their largest force by arms (Malhotra and Parameswaran)."""
    m = model("rv-reducer")
    name, mesh = next((name, mesh) for name, mesh in m.meshes.items() if mesh.type == "cycloid")
    teeth = ww.PinContact(elastic=ww.LinearContact(stiffness="4e8 N/m"), viscous=ww.HuntCrossley(factor=20))
    m.meshes[name] = mesh.model_copy(update={"model": teeth})
    rigid, elastic = (one.run(end=0.1, output=200) for one in (model("rv-reducer"), m))
    late = elastic.t > 0.05
    turned = elastic["sun.angle"].values[late] / elastic["flange.angle"].values[late]
    assert turned == pytest.approx(121, rel=2e-3)
    force = elastic[f"{name}.force.tangential"].values[late]
    assert force.mean() == pytest.approx(rigid[f"{name}.force.tangential"].values[late].mean(), rel=0.02)
    assert elastic[f"{name}.force.largest"].values[late].mean() == pytest.approx(
        4 * abs(force.mean()) / 40, rel=0.05
    )


def test_friction_planetary():
    """Rigid: r_s/(r_s + r_r) = 1/5. Under load every contact creeps by Carter's law, xi (1 - sqrt(1 - F/(mu N))) of the
    speed of rolling, on both sides of the planets; beyond mu N the wheels slide."""
    r = result("friction-planetary")
    k = 700
    load, mu_n, creep = 60 * r.t[k], 0.12 * 1500, 0.005
    force = load / (3 * 2 * 0.05)
    assert r["inner1.force.tangential"].values[k] == pytest.approx(force, rel=1e-3)
    lost = creep * (1 - np.sqrt(1 - force / mu_n))
    # speeds of rolling against the carrier: sun and planets with 1.6 m/s, planets and ring likewise
    rolling = 20e-3 * (100 - 20)
    expected = (100 * 20e-3 - 2 * rolling * lost) / (20e-3 + 80e-3)
    assert r["carrier.w"].values[k] == pytest.approx(expected, rel=2e-4)
    assert r["inner1.use"].values.max() <= 1
    slid = np.flatnonzero(r["inner1.use"].values > 1 - 1e-9)
    assert r.t[slid[0]] == pytest.approx(54 / 60, abs=0.01)
    assert r["carrier.w"].values[-1] < 0.7 * 20
    m = model("friction-planetary")
    for name, mesh in m.meshes.items():
        m.meshes[name] = mesh.model_copy(update={"model": ww.RigidTeeth()})
    rigid = m.run(end=0.1, output=50)
    assert rigid["carrier.angle"].values == pytest.approx(20 * rigid.t, abs=1e-9)


def test_strain_wave_joint():
    """The arm follows the motor by 1/50 but for windup and error, and the gear carries its weight."""
    r = result("strain-wave-joint")
    motor = 60 * (r.t - 0.1 * (1 - np.exp(-r.t / 0.1)))
    off = r["elbow.angle"].values + motor / 50
    assert off == pytest.approx(r["gear.windup"].values + r["gear.error"].values, abs=1e-12)
    weight = 6 * 9.81 * 0.3 * np.cos(r["elbow.angle"].values)
    late = r.t > 0.3
    assert np.mean(np.abs(r["gear.torque_flexspline"].values[late])) == pytest.approx(
        np.mean(weight[late]), rel=0.03
    )
    balance = r.energy_balance()
    assert np.abs(balance.remainder).max() < 1e-4 * balance.scale
