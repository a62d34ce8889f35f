"""Lin and Parker's planetary stage under load, with flanks that can part in place of stuck ones."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.validation.cases.lin_parker import stage


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
