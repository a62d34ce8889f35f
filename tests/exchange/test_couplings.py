"""Mimic joints, equalities of joints and fixed tendons: the dynamics of the tree by MuJoCo or Pinocchio, tied by hand.

With q = B u + q_0 the equations of motion M q'' + h = 0 of the free tree become B^T (M B u'' + h) = 0: what rigid
couplings make of it. M and h are those of the other program, at the same positions and rates.
"""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.exchange import read_mjcf, read_urdf, write_mjcf, write_urdf

GRAVITY = (0.0, 0.0, -9.80665)
LINK = (
    '<link name="f{k}"><inertial><origin xyz="0.1 0 0.02"/><mass value="{m}"/>'
    '<inertia ixx="0.02" iyy="0.02" izz="0.03" ixy="0.001" ixz="0" iyz="0"/></inertial></link>'
)
JOINT = (
    '<joint name="j{k}" type="{kind}"><parent link="{parent}"/><child link="f{k}"/>'
    '<origin xyz="0.2 0.01 0" rpy="0.1 0.2 0.3"/><axis xyz="0 1 0.2"/>'
    '<limit lower="-9" upper="9" effort="1" velocity="1"/>{mimic}</joint>'
)
B = np.array([[1.0], [0.8], [-0.5]])


def finger(mimics, kinds=("continuous", "continuous", "prismatic")):
    parts = ['<link name="base"/>', *(LINK.format(k=k, m=1 + 0.3 * k) for k in range(3))]
    for k, (kind, mimic) in enumerate(zip(kinds, mimics, strict=True)):
        parts.append(JOINT.format(k=k, kind=kind, parent="base" if k == 0 else f"f{k - 1}", mimic=mimic))
    return f'<robot name="finger">{"".join(parts)}</robot>'


FREE = finger(("", "", ""))
TIED = finger(("", '<mimic joint="j0" multiplier="0.8"/>', '<mimic joint="j0" multiplier="-0.5"/>'))


def read(tmp_path, text, reader=read_urdf):
    path = tmp_path / "robot.xml"
    path.write_text(text)
    notes = []
    options = {"stops": False} if reader is read_urdf else {}  # minimal coordinates know no stops
    return reader(path, notes=notes, **options), notes


def tied(M, h, B):
    return -np.linalg.solve(B.T @ M @ B, B.T @ h)


@pytest.mark.slow
def test_mimic_joints_are_the_tree_of_pinocchio_tied(tmp_path):
    pin = pytest.importorskip("pinocchio")
    reduced = read(tmp_path, TIED)[0].reduced()
    assert reduced.names == ("j0.angle",)
    theirs = pin.buildModelFromXML(FREE)
    theirs.gravity.linear[:] = GRAVITY
    data = theirs.createData()
    u, w = 0.7, -1.3
    q, v = B[:, 0] * u, B[:, 0] * w
    full = np.concatenate([[np.cos(q[0]), np.sin(q[0]), np.cos(q[1]), np.sin(q[1])], q[2:]])
    M = pin.crba(theirs, data, full)
    h = pin.nonLinearEffects(theirs, data, full, v)
    expected = tied(np.triu(M) + np.triu(M, 1).T, h, B)
    np.testing.assert_allclose(reduced.forward(np.array([u]), np.array([w])), expected, rtol=1e-10)


def mujoco_tied(text, u, w, B):
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = B @ u, B @ w
    mujoco.mj_forward(model, data)
    inverse = np.zeros((model.nv, model.nv))
    mujoco.mj_solveM(model, data, inverse, np.eye(model.nv))
    return tied(np.linalg.inv(inverse), data.qfrc_bias, B)


MJCF = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="a"><joint name="x" axis="0 1 0"/>
    <inertial pos="0.1 0 0" mass="1" diaginertia="0.02 0.02 0.03"/>
    <body name="b" pos="0.3 0 0"><joint name="y" axis="0 1 0.1"/>
      <inertial pos="0.1 0 0" mass="2" diaginertia="0.02 0.02 0.03"/>
      <body name="c" pos="0.3 0 0"><joint name="z" axis="1 1 0"/>
        <inertial pos="0.1 0 0" mass="1" diaginertia="0.02 0.02 0.03"/>
  </body></body></body></worldbody>{}</mujoco>"""


@pytest.mark.parametrize(
    ("coupling", "B", "kept"),
    [
        (
            '<equality><joint joint1="y" joint2="x" polycoef="0 -0.4 0 0 0"/></equality>',
            [[1, 0], [-0.4, 0], [0, 1]],
            ("x.angle", "z.angle"),
        ),
        (
            '<tendon><fixed name="cord"><joint joint="x" coef="1"/><joint joint="y" coef="2"/>'
            '<joint joint="z" coef="-0.5"/></fixed></tendon>'
            '<equality><tendon tendon1="cord" polycoef="0 0 0 0 0"/></equality>',
            [[1, 0], [0, 1], [2, 4]],
            ("x.angle", "y.angle"),
        ),
    ],
    ids=["joint", "tendon"],
)
def test_equalities_are_the_tree_of_mujoco_tied(tmp_path, coupling, B, kept):
    mechanism, _ = read(tmp_path, MJCF.format(coupling), read_mjcf)
    reduced = mechanism.reduced()
    B, names = np.array(B, float), ("x.angle", "y.angle", "z.angle")
    # in the coordinates that were kept here
    rows = [names.index(name) for name in reduced.names]
    ours = B @ np.linalg.inv(B[rows])
    u, w = np.array([0.4, -0.6]), np.array([1.2, 0.5])
    expected = mujoco_tied(MJCF.format(""), u, w, ours)
    np.testing.assert_allclose(reduced.forward(u, w), expected, rtol=1e-9)
    assert len(reduced.names) == len(kept)


def test_a_stiff_equality_of_mujoco_moves_as_the_coupler(tmp_path):
    """MuJoCo's own equality is a stiff spring: at a time constant of 0.4 ms its motion is ours to a thousandth."""
    mujoco = pytest.importorskip("mujoco")
    text = MJCF.format(
        '<option timestep="1e-4" integrator="RK4"/><equality>'
        '<joint joint1="y" joint2="x" polycoef="0 -0.4 0 0 0" solref="0.0004 1" solimp="0.9999 0.9999 0.001"/>'
        "</equality>"
    )
    mechanism, _ = read(tmp_path, text, read_mjcf)
    run = mechanism.simulate(end=0.5, output=10, rtol=1e-8, atol=1e-10)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    while data.time < 0.5 - 1e-9:
        mujoco.mj_step(model, data)
    ours = [run[f"{name}.angle"].to_numpy()[-1] for name in "xyz"]
    np.testing.assert_allclose(ours, data.qpos, atol=1e-3 * np.abs(ours).max())
    assert ours[1] == pytest.approx(-0.4 * ours[0], abs=1e-9)


def test_an_offset_moves_the_finger_to_where_it_fits(tmp_path):
    text = finger(("", '<mimic joint="j0" multiplier="0.8" offset="0.1"/>', ""))
    start = read(tmp_path, text)[0].assemble()
    first, second = (float(start[f"j{k}.angle"]) for k in range(2))
    assert second == pytest.approx(0.8 * first + 0.1, abs=1e-10)


@pytest.mark.slow
def test_there_and_back_again(tmp_path):
    """Through both formats and back, and a ratio between two shafts as a mimic joint."""
    mechanism, _ = read(tmp_path, TIED)
    wanted = mechanism.reduced().forward(np.array([0.3]), np.array([1.0]))
    for writer, reader in ((write_urdf, read_urdf), (write_mjcf, read_mjcf)):
        notes = []
        writer(mechanism, tmp_path / "out.xml", notes=notes)
        assert [note for note in notes if "mimic" in str(note)] == []
        again = reader(tmp_path / "out.xml", notes=[]).reduced()
        np.testing.assert_allclose(again.forward(np.array([0.3]), np.array([1.0])), wanted, rtol=1e-9)
    m = ww.Mechanism("gearbox")
    for name in "ab":
        m.add(name, ww.Body(mass=1, inertia=(1, 1, 0.1)))
    m.add("on_a", ww.Revolute(bodies=("ground", "a"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("on_b", ww.Revolute(bodies=("b", "ground"), point=(0, 0, 0), axis=(0, 0, -1)))
    m.add("gear", ww.Ratio(bodies=("a", "b"), ratio=4, axis=(0, 0, 1)))
    write_urdf(m, tmp_path / "gear.urdf", notes=[])
    # angle of on_b: of ground against b about -z, which is that of b against ground about z
    assert '<mimic joint="on_b" multiplier="4.0" offset="0"/>' in (tmp_path / "gear.urdf").read_text()


def test_a_tendon_of_three_joints_goes_to_mjcf_and_not_to_urdf(tmp_path):
    cord = (
        '<tendon><fixed name="cord"><joint joint="x" coef="1"/><joint joint="y" coef="2"/><joint joint="z" coef="3"/>'
        '</fixed></tendon><equality><tendon name="cord" tendon1="cord" polycoef="0 0 0 0 0"/></equality>'
    )
    mechanism, _ = read(tmp_path, MJCF.format(cord), read_mjcf)
    write_mjcf(mechanism, tmp_path / "out.xml", notes=[])
    again = read_mjcf(tmp_path / "out.xml", notes=[])
    assert [one.factor for one in again.forces["cord"].joints] == [1, 2, 3]
    notes = []
    write_urdf(mechanism, tmp_path / "out.urdf", notes=notes)
    assert any(
        "ties 3 joints, and a joint of URDF follows one other: left out" in str(note) for note in notes
    )


@pytest.mark.parametrize(
    ("mimic", "message"),
    [
        ('<mimic joint="j1"/>', "joint `j1` follows itself"),
        ('<mimic joint="j7"/>', "joint `j1` follows `j7`, which is not a joint with one coordinate"),
    ],
)
def test_wrong_mimics(tmp_path, mimic, message):
    with pytest.raises(ww.ModelError, match=message):
        read(tmp_path, finger(("", mimic, "")))


def test_a_polynomial_is_told(tmp_path):
    text = '<equality><joint joint1="y" joint2="x" polycoef="0 1 0.5 0 0"/></equality>'
    mechanism, notes = read(tmp_path, MJCF.format(text), read_mjcf)
    assert any("coupling by a polynomial of degree 2" in str(note) for note in notes)
    assert not mechanism.forces
