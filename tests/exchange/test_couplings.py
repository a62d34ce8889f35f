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


OFFSETS = finger(
    (
        "",
        '<mimic joint="j0" multiplier="2" offset="0.4"/>',
        '<mimic joint="j1" multiplier="-0.5" offset="0.1"/>',
    )
)


def pinocchio_stands(pin, text, q):
    """Positions and axes of all links in Pinocchio's forward kinematics; q: angle, angle, displacement."""
    model = pin.buildModelFromXML(text)
    data = model.createData()
    pin.forwardKinematics(
        model, data, np.array([np.cos(q[0]), np.sin(q[0]), np.cos(q[1]), np.sin(q[1]), q[2]])
    )
    return [(data.oMi[k + 1].translation, data.oMi[k + 1].rotation) for k in range(3)]


def test_who_follows_with_an_offset_moves_and_nobody_else(tmp_path):
    """j0 leads and stays at zero; j1 = 2 j0 + 0.4 = 0.4, j2 = 0.1 - j1/2 = -0.1, as Pinocchio has the links there."""
    pin = pytest.importorskip("pinocchio")
    m = read(tmp_path, OFFSETS)[0]
    start = m.assemble()
    found = [float(start[name]) for name in ("j0.angle", "j1.angle", "j2.displacement")]
    assert found == pytest.approx([0, 0.4, -0.1], abs=1e-12)
    assert max(max(misfit.length, misfit.angle) for misfit in start.misfits) < 1e-12
    for k, (position, axes) in enumerate(pinocchio_stands(pin, FREE, found)):
        np.testing.assert_allclose(m.bodies[f"f{k}"].position, position, atol=1e-12)
        np.testing.assert_allclose(m.bodies[f"f{k}"].orientation.matrix(float), axes, atol=1e-12)


def test_offsets_there_and_back_again(tmp_path):
    """A written robot has its zeros where it stands: the same motion from the same place, by numbers shifted so."""
    m = read(tmp_path, OFFSETS)[0]
    wanted = m.simulate(end=0.3, output=3, rtol=1e-10, atol=1e-12)
    for writer, reader in ((write_urdf, read_urdf), (write_mjcf, read_mjcf)):
        writer(m, tmp_path / "out.xml", notes=[])
        run = reader(tmp_path / "out.xml", notes=[]).simulate(end=0.3, output=3, rtol=1e-10, atol=1e-12)
        for k, (name, zero) in enumerate((("j0.angle", 0), ("j1.angle", 0.4), ("j2.displacement", -0.1))):
            np.testing.assert_allclose(run[name] + zero, wanted[name], atol=1e-8)
            np.testing.assert_allclose(run[f"f{k}.position"], wanted[f"f{k}.position"], atol=1e-8)


def test_an_equality_with_an_offset_moves_what_follows(tmp_path):
    """MuJoCo's own positions of the bodies at y = 0.2 - 0.4 x, x = z = 0; the range of y is held where y is."""
    mujoco = pytest.importorskip("mujoco")
    text = MJCF.format('<equality><joint joint1="y" joint2="x" polycoef="0.2 -0.4 0 0 0"/></equality>')
    text = text.replace('axis="0 1 0.1"', 'axis="0 1 0.1" pos="0 0 0.05" limited="true" range="0.1 2"')
    m, _ = read(tmp_path, text, read_mjcf)
    start = m.assemble()
    assert [float(start[f"{name}.angle"]) for name in "xyz"] == pytest.approx([0, 0.2, 0], abs=1e-12)
    assert [m.forces["y_stop"].lower, m.forces["y_stop"].upper] == [0.1, 2]
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = [0, 0.2, 0]
    mujoco.mj_forward(model, data)
    for name in "abc":
        np.testing.assert_allclose(m.bodies[name].position, data.body(name).xpos, atol=1e-12)


def test_a_floating_base_does_not_recoil(tmp_path):
    """Of a finger on a floating hand, which least energy would move too."""
    text = OFFSETS.replace(
        '<link name="base"/>',
        '<link name="base"/>'
        + LINK.format(k=9, m=1).replace("f9", "hand")
        + '<joint name="free" type="floating">'
        '<parent link="base"/><child link="hand"/></joint>',
    ).replace(
        '<joint name="j0" type="continuous"><parent link="base"/>',
        '<joint name="j0" type="continuous"><parent link="hand"/>',
    )
    start = read(tmp_path, text)[0].assemble()
    np.testing.assert_allclose(start["hand.position"], 0.0, atol=1e-12)
    assert float(start["j1.angle"]) == pytest.approx(0.4, abs=1e-12)


def test_an_offset_of_more_than_half_a_turn_is_refused(tmp_path):
    text = finger(("", '<mimic joint="j0" multiplier="2" offset="4.4"/>', ""))
    with pytest.raises(
        ww.ModelError, match=r"joint `j1`: its coupling has it at 4\.4 rad.*take 6\.28318531 rad"
    ):
        read(tmp_path, text)


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


def test_a_coupler_drawn_elsewhere_moves_the_joints_that_are_left_open():
    """Least energy moves both by x2 - 2 x1 = 0.4 (-0.16, 0.08 of equal bodies, to first order); a given one stays."""
    found = {}
    for name, given in (("open", {}), ("held", {"initial": {"angle": 0}})):
        m = ww.Mechanism("pair")
        for k in (1, 2):
            m.add(f"b{k}", ww.Body(mass=1, inertia=(1, 1, 1), position=(k, 0, 0)))
        m.add("j1", ww.Revolute(bodies=("ground", "b1"), point=(1, 0, 0), axis=(0, 0, 1), **given))
        m.add("j2", ww.Revolute(bodies=("ground", "b2"), point=(2, 0, 0), axis=(0, 0, 1)))
        joints = [{"joint": "j2", "factor": 1}, {"joint": "j1", "factor": -2}]
        m.add("c", ww.Coupler(joints=joints, offset=0.4))
        start = m.assemble()
        found[name] = [float(start["j1.angle"]), float(start["j2.angle"])]
    assert found["open"] == pytest.approx([-0.16, 0.08], rel=2e-3)
    assert found["held"] == pytest.approx([0, 0.4], abs=1e-10)
