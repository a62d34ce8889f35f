"""Linear equations at a kink of a force: refused, said, or those of the loaded flank."""

import warnings

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.kinks import OperatingPointWarning
from wheelwork.validation.cases.lin_parker import TRANSLATIONAL, stage

R1, R2, I1, I2, K = 0.02, 0.04, 1e-3, 1e-2, 2e8
ALPHA = np.radians(20)
M_E = 1 / (np.cos(ALPHA) ** 2 * (R1**2 / I1 + R2**2 / I2))


def pair(model, torque=0.0, **mesh):
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0))
    m.add("pinion", ww.Rotor(inertia=I1))
    m.add("wheel", ww.Rotor(inertia=I2, position=(R1 + R2, 0)))
    m.add("drive", ww.Actuator(joint="pinion.bearing", value=torque))
    m.add("load", ww.Actuator(joint="wheel.bearing", value=2 * torque))
    given = {"teeth": (20, 40), "module": 2e-3, "face_width": 20e-3, **mesh}
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "wheel"), model=model, **given))
    return m


CONTACT = ww.ContactTeeth(elastic=ww.LinearContact(stiffness=K), phase=0.1)  # two pairs of teeth in contact
REFUSED = pytest.raises(
    ww.ModelError, match=r"mesh: at the operating point its flanks just touch.*equilibrium"
)


@pytest.mark.slow
def test_contact_without_load_is_refused():
    """Both flanks touch by a depth of zero, and none is loaded: differentiation there counts both, or none."""
    m = pair(CONTACT)
    for analysis in (
        m.modes,
        m.linearise,
        lambda: m.frequency_response("mesh.error", ["wheel.w"], [100.0]),
        lambda: m.campbell("x", [1.0, 2.0]),
    ):
        m.parameters["x"] = 1.0
        with REFUSED:
            analysis()


@pytest.mark.parametrize("torque", [1.0, 100.0, -100.0])
def test_the_loaded_flank_counts(torque):
    """sqrt(2 k/m_e) of two pairs in contact; over the mesh cycle sqrt(eps k/m_e), for a light load."""
    m = pair(CONTACT, torque)
    found = m.modes(at="equilibrium", at_phase=0.1)
    assert found.natural_frequencies[-1] == pytest.approx(np.sqrt(2 * K / M_E) / (2 * np.pi), rel=1e-6)
    tips = sum(np.sqrt((r + 2e-3) ** 2 - (r * np.cos(ALPHA)) ** 2) for r in (R1, R2))
    pairs = (tips - (R1 + R2) * np.sin(ALPHA)) / (2e-3 * np.pi * np.cos(ALPHA))
    mean = m.modes(at="equilibrium").natural_frequencies[-1]
    assert mean == pytest.approx(np.sqrt(pairs * K / M_E) / (2 * np.pi), rel=1e-3)
    # where a pair of teeth comes in at this very moment, the mean has no kink
    comes = pair(CONTACT.model_copy(update={"phase": 0.0}), torque).modes(at="equilibrium")
    assert comes.natural_frequencies[-1] == pytest.approx(mean, rel=5e-4)


@pytest.mark.slow
def test_flanks_that_just_touch_with_backlash():
    """One flank touches by a depth of zero: k to one side, nothing to the other."""
    with REFUSED:
        pair(ww.CompliantTeeth(stiffness=K, backlash=1e-4, offset=5e-5)).modes()
    pressed = pair(ww.CompliantTeeth(stiffness=K, backlash=1e-4, offset=5.1e-5)).modes()
    exact = np.sqrt(K / M_E) / (2 * np.pi)
    assert pressed.natural_frequencies[-1] == pytest.approx(exact, rel=1e-6)
    # without backlash both sides have the same stiffness, and there is nothing to refuse
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pair(ww.CompliantTeeth(stiffness=K)).modes()[-1].natural_frequency == pytest.approx(
            exact, rel=1e-6
        )


def test_teeth_that_do_not_touch_are_said():
    thinner = {"thickness_allowance": (-2e-5, -2e-5)}
    for model, mesh in ((ww.CompliantTeeth(stiffness=K, backlash=1e-4), {}), (CONTACT, thinner)):
        m = pair(model, **mesh)
        with pytest.warns(OperatingPointWarning, match="the teeth of mesh `mesh` do not touch.*equilibrium"):
            assert m.modes().natural_frequencies == pytest.approx(0, abs=1e-3)


def planetary(law):
    m = stage()
    for mesh in m.meshes.values():
        mesh.model = mesh.model.model_copy(update={"law": law})
    return m


@pytest.mark.slow
def test_planetary_stage():
    """Teeth without load whose wheels can move apart: refused at the assembled position; with the sun driven against
    the carrier the frequencies that are printed."""
    m = planetary("contact")
    with pytest.raises(ww.ModelError, match=r"sun-planet1: at the operating point its flanks just touch"):
        m.modes()
    m.add("drive", ww.Torque(body="sun", value=4.0))
    m.add("hold", ww.TorsionalSpring(bodies=("ground", "carrier"), stiffness=1e3))
    found = m.modes(at="equilibrium")
    pairs = [mode.natural_frequency for mode in found if mode.kind == "translational"]
    assert np.sort(pairs)[::2] == pytest.approx(TRANSLATIONAL, rel=2e-4)


def test_ball_that_touches_the_ground():
    """Any force that has kinks: a ball that just touches, without weight, sees the ground to one side only."""
    m = ww.Mechanism("ball", gravity=(0, 0, 0))
    m.add("ball", ww.Body(mass=1, inertia=(1, 1, 1), position=(0, 0, 0.1)))
    m.add("slide", ww.Prismatic(bodies=("ground", "ball"), point=(0, 0, 0), axis=(0, 0, 1)))
    ball, law = {"body": "ball", "radius": 0.1}, {"type": "compliant", "stiffness": 1e5}
    m.add("ground-contact", ww.Contact(a=ball, b={"type": "plane", "body": "ground"}, law=law))
    with pytest.raises(ww.ModelError, match=r"ground-contact: at the operating point it has a kink"):
        m.modes()
