"""Arrows of joints and teeth are the forces that act: Newton's law holds with them."""

import numpy as np
import pytest
from examples.bundled import model, result

import wheelwork as ww
from wheelwork.show.scene import arrows, make_scene

from . import models


@pytest.fixture(scope="module")
def gearbox():
    return result("planetary-gearbox")


def test_forces_on_a_planet_accelerate_it(gearbox):
    """Pin and sun act on it as body b, and on the ring it acts itself; there are no weights."""
    found = arrows(gearbox)
    force = {name: found.vectors[:, k] for k, name in enumerate(found.names)}
    motion = gearbox.motion
    k = motion.program.bodies.index("planet2")
    total = force["pin2"] + force["sun-planet2"] - force["planet2-ring"]
    scale = np.max(np.linalg.norm(force["pin2"], axis=1))
    np.testing.assert_allclose(total, motion.numbers.mass[k] * motion.a[:, k, :3], atol=1e-6 * scale)


def test_teeth_touch_where_the_pitch_circles_do(gearbox):
    found = arrows(gearbox)
    at = found.points[:, found.names.index("planet1-ring")]
    np.testing.assert_allclose(np.hypot(at[:, 0], at[:, 2]), 72 * 4e-3 / 2, rtol=1e-6)
    size = np.linalg.norm(found.vectors[:, found.names.index("planet1-ring")], axis=1)
    np.testing.assert_allclose(size, gearbox["planet1-ring.force.normal"].to_numpy(), rtol=1e-9)


def test_joint_arrows_are_the_reactions(gearbox):
    found = arrows(gearbox.motion)
    k = found.names.index("sun-bearing")
    for i, axis in enumerate("xyz"):
        np.testing.assert_allclose(
            found.vectors[:, k, i], gearbox[f"sun-bearing.reaction.force.{axis}"].to_numpy()
        )
    assert found.kinds[k] == "joint"


def test_scale_makes_the_largest_as_long_as_asked(gearbox):
    found = arrows(gearbox)
    lengths = np.linalg.norm(found.vectors, axis=2) * found.scale(0.2)
    assert np.max(lengths) == pytest.approx(0.2)
    assert found.scale(0.2) * found.largest == pytest.approx(0.2)


@pytest.mark.slow
def test_compliant_teeth_have_arrows_too():
    m = models.external()
    mesh = ww.ExternalMesh(
        bodies=("a", "b"),
        teeth=(17, 29),
        module=models.M,
        model=ww.CompliantTeeth(stiffness=1e8, damping=100),
    )
    m.meshes["mesh"] = mesh
    m.add("push", ww.Actuator(joint="a-bearing", value=1))
    r = m.simulate(end=1e-3, output=10)
    found = arrows(r)
    k = found.names.index("mesh")
    tangential = r["mesh.force.tangential"].to_numpy()
    size = np.linalg.norm(found.vectors[:, k], axis=1)
    np.testing.assert_allclose(size, np.abs(tangential) / np.cos(np.radians(20)), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.points[0, k][:2], 17 * models.M / 2 * np.array([0.6, 0.8]), atol=1e-9)


@pytest.mark.parametrize("elastic", [False, True])
@pytest.mark.parametrize("kind", ["belt", "chain"])
def test_wheels_that_do_not_touch_have_no_arrow_between_them(kind, elastic):
    m = ww.Mechanism("drive", kind="planar", gravity=(0, 0))
    m.add("a", ww.Rotor(inertia=1))
    m.add("b", ww.Rotor(inertia=1, position=(0.5, 0)))
    own = {"bodies": ("a", "b")}
    if kind == "belt":
        model = ww.BeltStrands(axial_stiffness=1e5, friction=0.4)
        mesh = ww.BeltMesh(radii=(0.05, 0.1), tension=100, **own, **({"model": model} if elastic else {}))
    else:
        model = ww.ChainLinks(axial_stiffness=1e5)
        mesh = ww.ChainMesh(teeth=(17, 30), pitch=0.01, **own, **({"model": model} if elastic else {}))
    m.add("mesh", mesh)
    assert arrows(m.simulate(end=1e-3, output=2)).names == ["a.bearing", "b.bearing"]


def test_no_forces_no_arrows():
    m = ww.Mechanism("free")
    m.add("stone", ww.Body(mass=1, inertia=(1, 1, 1)))
    found = arrows(m.simulate(end=0.1, output=3))
    assert found.vectors.shape == (4, 0, 3)
    assert found.largest == 0
    assert found.scale(1.0) == 0


def test_labels_say_where_joints_and_meshes_are():
    m = model("planetary-gearbox")
    scene = make_scene(m.assemble().motion)
    labels = {label.name: label for label in scene.labels}
    assert set(labels) == set(m.joints) | set(m.meshes)
    pin = labels["pin2"]
    assert (pin.kind, pin.type, scene.names[pin.body]) == ("joint", "revolute", "planet2")
    np.testing.assert_allclose(pin.point, 0, atol=1e-12)
    np.testing.assert_allclose(np.abs(pin.axis), [0, 1, 0], atol=1e-12)
    mesh = labels["planet3-ring"]
    assert (mesh.kind, mesh.type, scene.names[mesh.body]) == ("mesh", "internal", "planet3")
    assert labels["coupling"].axis is None  # a fixed joint
