"""Bundled special drives: ratios of catalogues, load sharing, energy."""

import numpy as np
import pytest

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
