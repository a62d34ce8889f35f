"""Linear equations with teeth whose stiffness varies over the mesh cycle: its mean, or that at a phase, and which."""

import json

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.linearise import linearised
from wheelwork.gears import Gear, GearPair

from .contact_pairs import INERTIA, LINEAR, contact_pair
from .test_gear_vibration import BASE, HZ, I1, I2, STIFFNESS, TEETH, pair

M_E = I1 * I2 / (BASE[0] ** 2 * I2 + BASE[1] ** 2 * I1)
F_0 = np.sqrt(STIFFNESS / M_E) * HZ
PART = 0.3
VARYING = {"type": "constant", "value": STIFFNESS, "variation": [{"amplitude": PART * STIFFNESS}]}
TABLE = {
    "type": "table",
    "phase": [0, 0.4, 0.4, 1],
    "value": [STIFFNESS, STIFFNESS, 2 * STIFFNESS, 2 * STIFFNESS],
}


def varying(**more):
    """The pair with a stiffness that varies by 30 %, front flanks pressed."""
    return pair(damping=0, **{"stiffness": VARYING, "offset": 1e-6, **more})


def last(modes):
    return float(modes.natural_frequencies[-1])


@pytest.mark.parametrize("phase", [0.0, 0.2, 0.25, 0.7])
@pytest.mark.parametrize("law", ["linear", "contact", "elastic"])
def test_the_mean_whatever_the_phase(phase, law):
    m = varying(law=law, phase=phase)
    assert last(m.modes()) == pytest.approx(F_0, rel=1e-9)
    assert m.linearise().frequencies[-1] == pytest.approx(F_0, rel=1e-9)
    for at, k in ((0.25, 1 + PART), (0.75, 1 - PART)):
        assert last(m.modes(at_phase=at)) == pytest.approx(F_0 * np.sqrt(k), rel=1e-9)
        assert m.linearise(at_phase=at).frequencies[-1] == pytest.approx(F_0 * np.sqrt(k), rel=1e-9)


def test_a_run_swings_at_the_mean():
    """Wheels that roll five mesh cycles in a period of the mode: 1 + e^2/4/(f^2 - 4) times the mean, of Hill's equation
    in second order, f the mesh frequency over that of the mode."""
    over = 5.0
    m = varying(law="linear")
    speed = 2 * np.pi * over * F_0 / TEETH[0]
    kick = 1e-3 * speed / BASE[0] * BASE[1]
    m.bodies["pinion"].angular_velocity = speed
    m.bodies["wheel"].angular_velocity = -speed * TEETH[0] / TEETH[1] + kick
    periods = 40
    r = m.simulate(end=periods / F_0, output=20 * periods, rtol=1e-10, atol=1e-16)
    u = r["mesh.transmission_error"].to_numpy()
    t = r["mesh.transmission_error"].time.to_numpy()
    up = np.flatnonzero((u[:-1] < 0) & (u[1:] >= 0))
    at = t[up] - u[up] * (t[1] - t[0]) / (u[up + 1] - u[up])
    found = (len(at) - 1) / (at[-1] - at[0])
    assert found == pytest.approx(F_0 * (1 + PART**2 / 4 / (over**2 - 4)), rel=1e-4)
    assert last(m.modes()) == pytest.approx(found, rel=2e-3)


def test_a_table_with_jumps():
    m = varying(stiffness=TABLE, phase=0.1)
    assert last(m.modes()) == pytest.approx(F_0 * np.sqrt(0.4 + 2 * 0.6), rel=1e-9)
    assert last(m.modes(at_phase=0.9)) == pytest.approx(F_0 * np.sqrt(2), rel=1e-9)


@pytest.mark.parametrize("phase", [0.05, 0.5, 0.93])
def test_contact_has_its_contact_ratio_in_pairs(phase):
    """Flanks with a constant stiffness each: in the mean as many pairs of them as the contact ratio says."""
    m = contact_pair(phase=phase)
    m.add("hold", ww.TorsionalSpring(joint="right", stiffness=1e6))
    ratio = GearPair(Gear(20, 2e-3, face_width=20e-3), Gear(40, 2e-3, face_width=20e-3)).path.contact_ratio
    mean = ratio * LINEAR["stiffness"]

    def frequency(k):
        base = 0.02 * np.cos(np.radians(20)) * np.array([1, 2])
        stiff = k * np.outer(base, base) + np.diag([0, 1e6])
        return np.sqrt(np.linalg.eigvals(np.diag(1 / np.array(INERTIA)) @ stiff).max()) * HZ

    at = m.equilibrium()
    assert last(m.modes(at=at)) == pytest.approx(frequency(mean), rel=1e-4)
    for one, pairs in ((0.1, 2), (0.9, 1)):
        assert last(m.modes(at=at, at_phase=one)) == pytest.approx(
            frequency(pairs * LINEAR["stiffness"]), rel=1e-4
        )


@pytest.mark.parametrize("elastic", ["teeth", {"type": "weber"}])
def test_contact_that_depends_on_the_load_has_that_of_the_load(elastic):
    """At any phase as in the equilibrium of the same machine whose teeth stand there; the mean is that of these."""

    def machine(phase):
        m = contact_pair(phase=phase, elastic=elastic, torque=30.0)
        m.add("hold", ww.TorsionalSpring(joint="right", stiffness=1e6))
        return m, m.equilibrium()

    m, at = machine(0.3)
    for phase in (0.1, 0.9):
        other = machine(phase)[1]
        standing = np.linalg.eigvals(linearised(other, statics=True).K).real.max()
        assert np.linalg.eigvals(m.linearise(at=at, at_phase=float(other["mesh.phase"])).K).real.max() == (
            pytest.approx(standing, rel=2e-5)
        )
    phases = (np.arange(60) + 0.5) / 60
    mean = np.mean([m.linearise(at=at, at_phase=p).K for p in phases], axis=0)
    np.testing.assert_allclose(m.linearise(at=at).K, mean, atol=1e-2 * np.abs(mean).max())


def test_meshes_of_one_wheel_keep_their_phases():
    """Two meshes half a cycle apart: at any phase of the first, the second is half a cycle further on."""
    m = varying(law="linear")
    m.add("other", ww.Body(mass=2, inertia=I2, position=(-0.1, 0)))
    m.add("other-axle", ww.Revolute(bodies=("ground", "other"), point=(-0.1, 0)))
    model = {**m.meshes["mesh"].model.model_dump(exclude_unset=True), "phase": 0.5}
    mesh = m.meshes["mesh"].model_copy(
        update={"bodies": ("pinion", "other"), "model": ww.CompliantTeeth(**model)}
    )
    m.meshes["mesh"] = m.meshes["mesh"].model_copy(
        update={"model": ww.CompliantTeeth(**{**model, "phase": 0.0})}
    )
    m.add("second", mesh)
    assert m.linearise(at_phase=0.25).teeth.phases == pytest.approx({"mesh": 0.25, "second": 0.75})
    mean, one = m.linearise(), m.linearise(at_phase=0.25)
    assert mean.teeth.phases == {"mesh": None, "second": None}
    steady = varying(law="linear", stiffness=STIFFNESS)
    assert mean.frequencies[-1] > steady.linearise().frequencies[-1] > one.frequencies[-2]


def test_response_sees_the_mean_in_signals_too():
    """As a stiffness that does not vary, at any phase: of the motion, and of the force in the teeth."""
    wanted = {"mesh.force.transverse": None, "wheel.w": None}
    found = []
    for stiffness in (STIFFNESS, VARYING):
        m = pair(law="linear", stiffness=stiffness, offset=1e-5, phase=0.3)
        m.parameters["torque"] = "0 N*m"
        m.add("drive", ww.Torque(body="pinion", value="torque"))
        found.append(m.frequency_response("torque", list(wanted), [300.0, 2300.0, 5000.0]).values)
        found.append(m.frequency_response("mesh.error", list(wanted), [300.0, 2300.0, 5000.0]).values)
    np.testing.assert_allclose(found[2:], found[:2], rtol=1e-3)


def test_which_is_said():
    modes = varying().modes()
    assert "mesh stiffness, mean over the mesh cycle: mesh" in str(modes)
    assert json.loads(modes.dataset.attrs["mesh_phase"]) == {"mesh": None}
    one = varying().modes(at_phase=0.25)
    assert "mesh stiffness at a phase: mesh at 0.25" in str(one)
    assert "mean over the mesh cycle" in modes._repr_html_()
    assert "mean over the mesh cycle" in modes.plot().get_supxlabel()
    assert "mesh_phase" not in pair(law="linear").modes().dataset.attrs


def test_no_phases_to_choose_from():
    with pytest.raises(ww.ModelError, match="no mesh has teeth whose stiffness varies"):
        pair(law="linear").modes(at_phase=0.2)


def test_in_a_description(tmp_path):
    m = varying()
    m.analysis = ww.ModesAnalysis(at_phase=0.75)
    assert last(m.run()) == pytest.approx(F_0 * np.sqrt(1 - PART), rel=1e-9)
    m.save(tmp_path / "pair.yaml")
    assert last(ww.load(tmp_path / "pair.yaml").run()) == pytest.approx(F_0 * np.sqrt(1 - PART), rel=1e-9)
