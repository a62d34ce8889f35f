"""URDF files against Pinocchio and MuJoCo, which load the same files, and what is wrong with a file."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.exchange import ExchangeWarning, Note, read_urdf, write_urdf

from .robots import TABLES, links, urdf

GRAVITY = (0.0, 0.0, -9.80665)


def read(tmp_path, text, **options):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return read_urdf(path, **options)


def state(reduced, seed=1):
    rng = np.random.default_rng(seed)
    n = len(reduced.names)
    return rng.uniform(-1, 1, n), rng.normal(size=n)


@pytest.mark.parametrize("name", [name for name in TABLES if name != "quadruped"])
def test_positions_and_accelerations_are_those_of_mujoco(tmp_path, name):
    mujoco = pytest.importorskip("mujoco")
    reduced = read(tmp_path, urdf(name), notes=[], stops=False).reduced()
    theirs = mujoco.MjModel.from_xml_string(urdf(name))
    theirs.opt.gravity[:] = GRAVITY
    data = mujoco.MjData(theirs)
    q, v = state(reduced)
    joints = [theirs.joint(coordinate.split(".")[0]) for coordinate in reduced.names]
    for joint, x, rate in zip(joints, q, v, strict=True):
        data.qpos[joint.qposadr], data.qvel[joint.dofadr] = x, rate
    mujoco.mj_forward(theirs, data)
    expected = np.array([data.qacc[joint.dofadr[0]] for joint in joints])
    np.testing.assert_allclose(reduced.forward(q, v), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    at = reduced.at(q)
    for body in reduced.bodies:
        np.testing.assert_allclose(at[f"{body}.position"], data.body(body).xpos, atol=1e-12)
        assert sum(theirs.body(body).mass) == pytest.approx(_mass(reduced, body), rel=1e-12)


def _mass(reduced, body):
    prepared = reduced.start.prepared
    return prepared.numbers.mass[prepared.program.bodies.index(body)]


@pytest.mark.parametrize("name", [name for name in TABLES if name != "quadruped"])
def test_accelerations_are_those_of_pinocchio(tmp_path, name):
    pin = pytest.importorskip("pinocchio")
    reduced = read(tmp_path, urdf(name), notes=[], stops=False).reduced()
    theirs = pin.buildModelFromXML(urdf(name))
    theirs.gravity.linear[:] = GRAVITY
    q, v = state(reduced)
    ours = {coordinate.split(".")[0]: k for k, coordinate in enumerate(reduced.names)}
    order = [ours[joint] for joint in list(theirs.names)[1:]]
    turning = [theirs.joints[k].nq == 2 for k in range(1, theirs.njoints)]
    parts = [[np.cos(q[k]), np.sin(q[k])] if both else [q[k]] for k, both in zip(order, turning, strict=True)]
    found = pin.aba(theirs, theirs.createData(), np.concatenate(parts), v[order], -theirs.damping * v[order])
    np.testing.assert_allclose(reduced.forward(q, v)[order], found, rtol=0, atol=1e-9 * np.abs(found).max())


@pytest.mark.slow
@pytest.mark.parametrize("name", list(TABLES))
def test_a_robot_that_was_written_and_read_again_moves_alike(tmp_path, name):
    first = read(tmp_path, urdf(name), notes=[])
    write_urdf(first, tmp_path / "again.urdf", notes=[])
    again = read_urdf(tmp_path / "again.urdf", notes=[])
    assert set(again.bodies) == set(first.bodies)
    one, two = (m.simulate(end=0.2, rtol=1e-9, atol=1e-11) for m in (first, again))
    for joint in first.joints:
        kind = "angle" if first.joints[joint].type == "revolute" else "displacement"
        a, b = (r[f"{joint}.{kind}"].values[-1] for r in (one, two))
        assert a == pytest.approx(b, abs=1e-7)


def test_every_link_has_its_name_and_what_is_left_out_is_told(tmp_path):
    more = """<link name="l 1"/><joint name="j0_link" type="fixed"><parent link="base"/><child link="l 1"/></joint>
    <gazebo/><transmission name="t"/>"""
    with pytest.warns(ExchangeWarning) as caught:
        m = read(tmp_path, urdf("pan_tilt", more=more))
    assert {*links(TABLES["pan_tilt"]), "l_1"} == {*m.bodies, *m.frames}
    text = str(caught[0].message)
    for words in (
        "`effort` of a joint (50)",
        "`velocity` of a joint (4)",
        "`l 1`",
        "`l_1`",
        "<gazebo>",
        "<transmission>",
    ):
        assert words in text
    notes: list[Note] = []
    read(tmp_path, urdf("pan_tilt", more=more), notes=notes)
    assert all(note.where.startswith(str(tmp_path / "robot.urdf")) for note in notes)


LINK = '<link name="{0}"><inertial><mass value="{1}"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
A, B = LINK.format("a", 1), LINK.format("b", 1)


def joint(name, parent, child, more="", kind="revolute"):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>'
    )


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        (A + B + joint("j", "a", "b") + joint("k", "b", "a"), "2: link `b`: is its own parent, through b -> a -> b"),
        (A + B + joint("j", "a", "c"), "there is no link `c`"),
        (A + B, "has 2 links that are the child of no joint (`a`, `b`), and needs one root"),
        (A + A, "there is another link of this name in line 2"),
        (A + B + joint("j", "a", "b", kind="revolut"), "did you mean `revolute`?"),
        (A + LINK.format("b", -1) + joint("j", "a", "b"), "mass of link `b` must not be negative, but is -1 kg"),
        (A + LINK.format("b", "much") + joint("j", "a", "b"), "`value` needs a finite number, but is `much`"),
        (A + '<link name="b"/>' + joint("j", "a", "b"), "moves, but neither it nor what is fixed to it has a mass"),
        (A + B + joint("j", "a", "b", '<axis xyz="0 0 0"/>'), "axis of joint `j` is zero"),
        (A + B + joint("j", "a", "b", '<axis xyz="0 1"/>'), "`xyz` needs 3 finite numbers, but is `0 1`"),
        (A + B + joint("j", "a", "b") + joint("k", "a", "b"), "in URDF every link has one"),
        (A + B + joint("j", "a", "b", '<dynamics damping="-1"/>'), "`damping` must not be negative"),
        (LINK.replace('izz="1"', 'izz="9"').format("a", 1) + B + joint("j", "b", "a"), "no body has the principal"),
        ("", "has no links"),
        ("<link>", "is not XML: mismatched tag"),
    ],
)  # fmt: skip
def test_bad_files_are_told_with_line_and_remedy(tmp_path, inside, said):
    with pytest.raises(ww.ModelError) as caught:
        read(tmp_path, f'<robot name="r">\n{inside}\n</robot>', notes=[])
    assert f"{tmp_path / 'robot.urdf'}" in str(caught.value)
    assert said in str(caught.value)


def test_what_is_no_urdf_is_refused(tmp_path):
    entities = '<!DOCTYPE robot [<!ENTITY a "aaaa">]><robot name="&a;"/>'
    for text, said in ((entities, "document type"), ("<mujoco/>", "needs <robot>"), ("", "no element found")):
        with pytest.raises(ww.ModelError, match=said):
            read(tmp_path, text)
    with pytest.raises(ww.ModelError, match="no such file"):
        read_urdf(tmp_path / "none.urdf")
    with pytest.raises(ww.ModelError, match="more than 500 elements in each other"):
        read(tmp_path, "<robot>" + "<a>" * 600 + "</a>" * 600 + "</robot>")


def test_loops_are_not_written(tmp_path):
    from wheelwork import examples

    with pytest.raises(ww.ModelError, match="closes a loop of joints, and URDF describes trees only"):
        write_urdf(ww.load(examples.path("four-bar")), tmp_path / "x.urdf")
    assert not (tmp_path / "x.urdf").exists()


def test_gear_pairs_become_mimic_joints(tmp_path):
    pin = pytest.importorskip("pinocchio")
    m = ww.Mechanism("pair")
    for name, x, J in (("a", 0, 0.01), ("b", 0.06, 0.04)):
        m.add(name, ww.Body(mass=1, inertia=(J, J, J), position=(x, 0, 0)))
        m.add(f"{name}_pin", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40)))
    write_urdf(m, tmp_path / "pair.urdf", notes=[])
    assert '<mimic joint="a_pin" multiplier="-0.5" offset="0"/>' in (tmp_path / "pair.urdf").read_text()
    assert pin.buildModelFromUrdf(str(tmp_path / "pair.urdf")).njoints == 3
