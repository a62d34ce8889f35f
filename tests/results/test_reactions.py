"""Reactions on either body and in any axes; where constraints are redundant they are marked."""

import numpy as np
import pytest

import wheelwork as ww

from .conftest import INERTIA, LENGTH, MASS, G


def test_tension_at_the_bottom(pendulum):
    """At the lowest point the hinge carries m g + m l w^2, w^2 = 2 m g l / (m l^2 + J)."""
    r = pendulum.simulate(end=1, output=400, rtol=1e-10, atol=1e-12)
    pull = r["hinge.reaction.force.z"].max()
    square = 2 * MASS * G * LENGTH / (MASS * LENGTH**2 + INERTIA)
    assert pull == pytest.approx(MASS * G + MASS * LENGTH * square, rel=1e-4)  # grid of 2.5 ms
    assert r["hinge.reaction.force"].attrs["units"] == "N"


def test_action_equals_reaction(swing):
    on_a, on_b = swing.reaction("hinge", body="a"), swing.reaction("hinge", body="b")
    np.testing.assert_allclose(on_a["force"], -on_b["force"], atol=1e-9)
    np.testing.assert_allclose(on_a["torque"], -on_b["torque"], atol=1e-9)
    np.testing.assert_allclose(on_b["force"], swing["hinge.reaction.force"], atol=1e-12)
    np.testing.assert_allclose(on_b["torque"], swing["hinge.reaction.torque"], atol=1e-12)


def test_axes_of_body_and_joint(swing):
    """The arm lies along the bob's y axis: along it the hinge gives m (g cos + l w^2), whatever the position."""
    in_body = swing.reaction("hinge", body="b", frame="body")["force"]
    angle, w = swing["hinge.angle"], swing["hinge.w"]
    # angle 0 is level with the arm along y; its component of weight along the arm is m g sin(angle)
    expected = -MASS * (LENGTH * w**2 - G * np.sin(angle))
    np.testing.assert_allclose(in_body.sel(component="y"), expected, atol=1e-6)
    np.testing.assert_allclose(in_body.sel(component="x"), 0, atol=1e-9)
    in_joint = swing.reaction("hinge", body="b", frame="joint")["force"]
    np.testing.assert_allclose(in_joint.sel(component="z"), 0, atol=1e-9)  # z is the hinge's axis
    sizes = [np.linalg.norm(f, axis=1) for f in (in_body, in_joint, swing["hinge.reaction.force"])]
    np.testing.assert_allclose(sizes[0], sizes[1], atol=1e-9)
    np.testing.assert_allclose(sizes[0], sizes[2], atol=1e-9)
    assert "axes of the joint" in in_joint.attrs["long_name"]


def test_torque_is_about_the_joint_point():
    """A cantilever: 3 kg held 0.4 m out along x. At the wall: 3 g upwards and a moment 3 g 0.4 about -y."""
    m = ww.Mechanism("bracket")
    m.add("arm", ww.Body(mass=3, inertia=(0.1, 0.1, 0.1), position=(0.4, 0, 0)))
    m.add("wall", ww.Fixed(bodies=("ground", "arm"), point=(0, 0, 0)))
    r = m.simulate(end=0.1, output=1)
    on_arm = r.reaction("wall")
    np.testing.assert_allclose(on_arm["force"][-1], [0, 0, 3 * G], atol=1e-6)
    np.testing.assert_allclose(on_arm["torque"][-1], [0, -3 * G * 0.4, 0], atol=1e-6)


def test_wrong_names_and_choices(swing):
    with pytest.raises(KeyError, match="there is no joint `hinges`; did you mean `hinge`"):
        swing.reaction("hinges")
    with pytest.raises(ValueError, match="`body` must be 'a' or 'b', but is 'bob'"):
        swing.reaction("hinge", body="bob")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`frame` must be 'world' or 'body' or 'joint', but is 'local'"):
        swing.reaction("hinge", frame="local")  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def door():
    """A door on two hinges (five redundant rows), and a pendulum beside it that has none."""
    m = ww.Mechanism("door")
    m.add(
        "leaf",
        ww.Body(
            mass=20, inertia=(3, 1, 3), position=(0.5, 0, 0), angular_velocity=(0, 0, 1), velocity=(0, 0.5, 0)
        ),
    )
    for name, z in (("lower", -0.8), ("upper", 0.8)):
        m.add(name, ww.Revolute(bodies=("ground", "leaf"), point=(0, 0, z), axis=(0, 0, 1)))
    m.add("bob", ww.Body(mass=1, inertia=(0.01,) * 3, position=(3, 0, 1)))
    m.add("pivot", ww.Revolute(bodies=("ground", "bob"), point=(3, 0, 0), axis=(0, 1, 0)))
    return m


def test_redundant_constraints_are_named_and_their_reactions_marked(door):
    r = door.simulate(end=0.2, output=4)
    assert len(r.redundant) == 5
    assert set(r.redundant) == set(door.check().redundant)
    note = r["upper.reaction.force"].attrs["minimum_norm"]
    assert "the smallest of many possible values" in note
    assert all(row in note for row in r.redundant)
    assert "minimum_norm" in r["lower.reaction.torque"].attrs
    assert "minimum_norm" in r.reaction("lower")["force"].attrs
    assert r.at(0.123)["upper.reaction.force"].attrs["minimum_norm"] == note
    # the pendulum's own reactions are determined, and nothing but reactions is marked
    assert "minimum_norm" not in r["pivot.reaction.force"].attrs
    assert "minimum_norm" not in r["upper.angle"].attrs
    # together the hinges carry the leaf's weight, however they share it
    together = r["lower.reaction.force"] + r["upper.reaction.force"]
    np.testing.assert_allclose(together.sel(component="z"), 20 * G, rtol=1e-9)


def test_nothing_is_marked_without_redundancy(swing):
    assert swing.redundant == ()
    assert "minimum_norm" not in swing["hinge.reaction.force"].attrs


def test_frictions_that_share_what_they_hold_say_so():
    """A lossy pair under 3 N m, held by a dry bearing: any friction of the teeth within its limit meets statics."""
    m = ww.Mechanism("held", gravity=(0, 0, 0), parameters={"moment": "3 N*m"})
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Rotor(inertia=1e-2, position=(0.12, 0, 0)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 60), efficiency=0.9))
    m.add("drive", ww.Actuator(joint="a.bearing", value="moment"))
    m.add("hold", ww.Friction(joint="b.bearing", coulomb=10))
    r = m.simulate(end=0.01, output=5)
    assert r.shared_frictions == ("mesh.friction", "hold")
    for name in ("hold.torque", "mesh.friction.force"):
        assert "statics leaves open" in r[name].attrs["shared"]
    assert "shared" not in r["a.w"].attrs
    turning = m.simulate(end=0.01, output=5, parameters={"moment": "9 N*m"})
    assert turning["a.w"][-1] > 1
    assert turning.at([0.005, 0.01]).shared_frictions == ("mesh.friction", "hold")  # it began at rest
    alone = ww.Mechanism("alone", gravity=(0, 0, 0))
    alone.add("b", ww.Rotor(inertia=1e-2))
    alone.add("drive", ww.Actuator(joint="b.bearing", value=3))
    alone.add("hold", ww.Friction(joint="b.bearing", coulomb=10))
    held = alone.simulate(end=0.01, output=5)
    assert held.shared_frictions == ()
    np.testing.assert_allclose(held["hold.torque"], -3, rtol=1e-9)
