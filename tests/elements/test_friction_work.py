"""Heat of dry friction since the start: closed forms, the energy balance, both formulations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wheelwork as ww

BOTH = pytest.mark.parametrize("formulation", ["absolute", "reduced"])
TIGHT: dict[str, Any] = {"rtol": 1e-10, "atol": 1e-12}
MASS, SPEED, MU, G = 3.0, 2.0, 0.25, 9.80665


def block(**friction: Any) -> ww.Mechanism:
    m = ww.Mechanism("block")
    m.add("block", ww.Body(mass=MASS, inertia=(0.1, 0.1, 0.1), velocity=(SPEED, 0, 0)))
    m.add("table", ww.Prismatic(bodies=("ground", "block"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("rubs", ww.Friction(joint="table", **friction))
    return m


@BOTH
@pytest.mark.parametrize("friction", [{"coulomb": MU * MASS * G}, {"coefficient": MU}])
@pytest.mark.parametrize("output", [7, 200])
def test_a_block_that_slides_to_rest_leaves_its_kinetic_energy(formulation, friction, output):
    """m v^2/2 - m (v - mu g t)^2/2 until it rests at v/(mu g) = 0.816 s, m v^2/2 from then on."""
    r = block(**friction).simulate(end=1.2, output=output, formulation=formulation, **TIGHT)
    left = np.maximum(SPEED - MU * G * r.t, 0)
    expected = MASS * (SPEED**2 - left**2) / 2
    np.testing.assert_allclose(r["rubs.slip_work"], expected, atol=1e-7)
    assert r["rubs.slip_work"].attrs["units"] == "J"
    # between outputs too, at one time and at several
    assert float(r.at(0.5)["rubs.slip_work"]) == pytest.approx(
        MASS * (SPEED**2 - (SPEED - MU * G * 0.5) ** 2) / 2, abs=1e-7
    )
    some = r.at([0.3, 1.1])["rubs.slip_work"]
    assert float(some[1]) == pytest.approx(MASS * SPEED**2 / 2, abs=1e-7)
    assert np.asarray(r["rubs.slip_work"]) == pytest.approx(-r.energy_balance().work["rubs"], abs=1e-8)


@BOTH
def test_heat_of_stick_and_slip_is_force_times_way(formulation):
    """A block on a spring whose end is drawn along: constant friction, so the heat is that times the way slid."""
    m = block(coulomb=5.0, static_ratio=1.5)
    m.bodies["block"].velocity = (0, 0, 0)
    m.add("carriage", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("rail", ww.Prismatic(bodies=("ground", "carriage"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("pulls", ww.JointDriver(joint="rail", value="0.2*t"))
    m.add("spring", ww.Actuator(joint="table", value="100*(rail.displacement - table.displacement)"))
    r = m.simulate(end=3, output=300, formulation=formulation, **TIGHT)
    way = np.asarray(r["table.displacement"])
    assert np.all(np.diff(way) > -1e-9)  # it only goes on
    np.testing.assert_allclose(r["rubs.slip_work"], 5.0 * (way - way[0]), atol=1e-6)
    assert way[-1] > 0.3


def test_friction_of_a_mesh_too():
    """What its efficiency takes of the power of the driver at a steady speed."""
    m = ww.Mechanism("pair", gravity=(0, 0, 0))
    for name, x in (("a", 0.0), ("b", 0.06)):
        m.add(name, ww.Body(mass=1, inertia=(0.01, 0.01, 0.01), position=(x, 0, 0)))
        m.add(f"on_{name}", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), efficiency=0.95))
    m.add("drive", ww.JointDriver(joint="on_a", value="30*t"))
    m.add("load", ww.Actuator(joint="on_b", value=8.0))
    r = m.simulate(end=1, output=50)
    brought = float(np.mean(r["drive.power"]))
    (name,) = [n for n in r.names if n.endswith("slip_work")]
    assert float(r[name][-1]) == pytest.approx(0.05 * brought, rel=1e-9)


def test_it_is_known_to_results_alone_and_kept_in_files(tmp_path):
    m = block(coulomb=MU * MASS * G)
    session = m.compile().start()
    session.advance(0.3)
    with pytest.raises(ww.ModelError, match=r"rubs\.slip_work: is summed up along a run.*`heat`"):
        session["rubs.slip_work"]
    r = m.simulate(end=1.2, output=30)
    r.save(tmp_path / "run.nc")
    again = ww.load_result(tmp_path / "run.nc")
    np.testing.assert_allclose(again["rubs.slip_work"], r["rubs.slip_work"], atol=1e-9)
