"""Free vibration of Lin and Parker's planetary stage: kinds of modes, and what must not change them.

The paper's frequencies are asserted in test_cases.py.
"""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.validation.cases.lin_parker import analytic, stage


@pytest.mark.slow
def test_kinds():
    kinds = [mode.kind for mode in stage().modes()]
    assert kinds.count("rotational, rigid") == 1
    assert kinds.count("rotational") == 5
    assert kinds.count("translational") == 12


@pytest.mark.parametrize("n", [4, 5])
def test_more_planets_have_planet_modes(n):
    found = stage(n).modes()
    assert found.natural_frequencies == pytest.approx(analytic(n), rel=1e-9, abs=1e-2)
    kinds = [mode.kind for mode in found]
    assert kinds.count("translational") == 12
    assert kinds.count("planet") == 3 * (n - 3)
    for mode in found:
        if mode.kind == "planet":
            assert sum(sum(mode.kinetic[name]) for name in ("sun", "ring", "carrier")) < 1e-12


def test_a_heavy_planet_mixes_the_kinds():
    uneven = stage()
    uneven.bodies["planet2"] = uneven.bodies["planet2"].model_copy(update={"mass": 1.2})
    kinds = [mode.kind for mode in uneven.modes()]
    assert kinds.count("mixed") > 6


def test_damped_modes_belong_to_undamped_ones():
    """Bearings and meshes with damping beta k: zeta = beta omega/2 for every mode, the twelve in pairs too."""
    beta, m = 1e-7, stage(springs=True)
    for name, force in m.forces.items():
        stiffness = force.stiffness
        damping = tuple(beta * k for k in stiffness) if isinstance(stiffness, tuple) else beta * stiffness
        update = {"damping": damping}
        if isinstance(force, ww.Bushing):
            update["rotational_damping"] = tuple(beta * k for k in force.rotational_stiffness)
        m.forces[name] = force.model_copy(update=update)
    found = m.modes()
    assert found.frequencies[0] == 0
    for mode in list(found)[1:]:
        zeta = beta * np.pi * mode.natural_frequency
        assert mode.damping == pytest.approx(zeta, rel=1e-6)
        assert mode.frequency == pytest.approx(mode.natural_frequency * np.sqrt(1 - zeta**2), rel=1e-9)


def test_turned_stage_has_the_same_modes():
    """Frequencies do not depend on where the planets stand."""
    m = stage()
    turned = m.model_copy(deep=True)
    angle = 0.7
    R = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def moved(point):
        return tuple(R @ np.array(point[:2], float))

    for name, body in m.bodies.items():
        turned.bodies[name] = ww.Body(mass=body.mass, inertia=body.inertia, position=moved(body.position))
    for name, force in m.forces.items():
        turned.forces[name] = force.model_copy(update={"point": (*moved(force.point), 0.0)})
    for name, teeth in m.meshes.items():
        ends = {side: (*moved(getattr(teeth, side)), 0.0) for side in ("point_a", "point_b")}
        turned.meshes[name] = teeth.model_copy(update=ends)
    assert turned.modes().natural_frequencies == pytest.approx(
        m.modes().natural_frequencies, rel=1e-9, abs=1e-2
    )


def test_kinds_share_all_of_the_energy():
    uneven = stage(4)
    uneven.bodies["planet2"] = uneven.bodies["planet2"].model_copy(update={"mass": 1.2})
    for mode in uneven.modes():
        assert sum(mode.kinds.values()) == pytest.approx(1, rel=1e-9)


# -- under load, with flanks that can part in place of stuck ones


def held(**model):
    m = stage()
    for mesh in m.meshes.values():
        mesh.model = mesh.model.model_copy(update=model)
    m.add("on-sun", ww.Torque(body="sun", value=40.0))
    m.add("hold", ww.TorsionalSpring(bodies=("ground", "carrier"), axis=(0, 0, 1), stiffness=1e3))
    return m


@pytest.mark.slow
def test_modes_about_an_operating_point():
    """The load presses each mesh on the flank that the linear model was told, and the modes are the same."""
    loaded = held(law="contact")
    at = loaded.equilibrium()
    for name in loaded.meshes:
        assert float(at[f"{name}.side"]) == (1 if name.startswith("sun") else -1)
    linear = held()
    expected = np.sort(linear.linearise(at=linear.equilibrium()).frequencies)
    assert np.sort(loaded.linearise(at=at).frequencies) == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_flanks_matter():
    """Were the ring touched on the other flanks, the modes would be others: the radial part of the mesh is in them."""
    other = stage()
    for name, mesh in other.meshes.items():
        if not name.startswith("sun"):
            mesh.model.flank = "front"
    off = np.sort(other.linearise().frequencies)[-17:] / np.sort(stage().linearise().frequencies)[-17:]
    assert np.abs(off - 1).max() > 1e-3
