"""MJCF files against MuJoCo, which loads the same files: motions after 0.3 s by its Runge-Kutta steps of 0.1 ms."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.exchange import read_mjcf, write_mjcf

from .mjcf_robots import ROBOTS, mjcf

END = 0.3
SOFT = {"four_bar": 2e-4}
"""MuJoCo holds loops by springs: as far as they give way."""


def read(tmp_path, text, notes=None):
    path = tmp_path / "robot.xml"
    path.write_text(text)
    return read_mjcf(path, notes=[] if notes is None else notes)


def moved(text, command=0.0):
    """MuJoCo's model and state at the end."""
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 1e-4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    data = mujoco.MjData(model)
    data.ctrl[:] = command
    for _ in range(round(END / 1e-4)):
        mujoco.mj_step(model, data)
    return model, data


def center(result, body):
    """Of mass, at the end."""
    return result.motion.frames[-1, result.motion.program.bodies.index(body), :3]


def same_places(result, model, data, tolerance):
    bodies = [
        b for b in range(1, model.nbody) if (model.body(b).name or f"body{b}") in result.description.bodies
    ]
    assert bodies
    for b in bodies:
        ours = result[f"{model.body(b).name or f'body{b}'}.position"].values[-1]
        np.testing.assert_allclose(ours, data.xpos[b], atol=tolerance)


@pytest.mark.parametrize("name", list(ROBOTS))
def test_the_motion_is_that_of_mujoco(tmp_path, name):
    m = read(tmp_path, mjcf(name))
    model, data = moved(mjcf(name), command=0.3)
    commands = dict.fromkeys(m.parameters, 0.3)
    r = m.with_parameters(commands).simulate(end=END, rtol=1e-10, atol=1e-12)
    same_places(r, model, data, SOFT.get(name, 1e-9))


@pytest.mark.parametrize(
    "name", ["double-pendulum", "spinning-top", "drive-line", "stick-slip", "four-bar", "delta-arm"]
)
def test_what_is_written_moves_alike_in_mujoco(tmp_path, name):
    m = ww.load(examples.path(name))
    m = m.model_copy(
        update={"forces": {k: f for k, f in m.forces.items() if f.type == "friction"}, "drivers": {}}
    )
    for body in m.bodies.values():  # MuJoCo starts at rest
        for field in ("velocity", "angular_velocity", "speed"):
            if hasattr(body, field):
                setattr(body, field, None)
    write_mjcf(m, tmp_path / "x.xml", notes=[])
    model, data = moved((tmp_path / "x.xml").read_text())
    r = m.simulate(end=END, rtol=1e-9, atol=1e-11)
    assert model.nbody == len(m.bodies) + 1
    for k in range(1, model.nbody):
        np.testing.assert_allclose(center(r, model.body(k).name), data.xipos[k], atol=2e-4)


@pytest.mark.slow
def test_a_robot_that_was_written_and_read_again_moves_alike(tmp_path):
    for name in ("shoulder", "crane", "satellite", "hopper"):
        m = read(tmp_path, mjcf(name))
        m.forces.clear()
        write_mjcf(m, tmp_path / "again.xml", notes=[])
        again = read_mjcf(tmp_path / "again.xml", notes=[])
        one, two = (x.simulate(end=END, rtol=1e-10, atol=1e-12) for x in (m, again))
        for body in m.bodies:
            np.testing.assert_allclose(center(one, body), center(two, body), atol=1e-8)


def test_what_is_left_out_is_told(tmp_path):
    notes = []
    text = """<mujoco><asset><texture name="t"/></asset><worldbody><light/><geom type="plane" size="1 1 1"/>
      <body name="b"><joint name="j" range="-10 10" armature="0.1" limited="true"/><geom size="0.1"/></body></worldbody>
      <sensor><jointpos joint="j"/></sensor><tendon><fixed><joint joint="j" coef="1"/></fixed></tendon></mujoco>"""
    read(tmp_path, text, notes)
    told = "\n".join(map(str, notes))
    for words in ("<texture> of <asset>", "contact with a geom of the world", "`armature` (0.1)",
                  "<sensor>", "<tendon>", "<light>"):  # fmt: skip
        assert words in told


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ('<body name="b"><joint type="hing"/><geom size="1"/></body>', "no type of joint `hing`"),
        ('<body name="b"><joint/><geom size="-1"/></body>', "`size` of a sphere needs 1 numbers above zero"),
        ('<body name="b"><joint/><geom size="x"/></body>', "`size` needs"),
        ('<body name="b"><joint/></body>', "has a mass"),
        ('<body name="b"><joint/><geom type="mesh" mesh="m"/></body>', "geom of type `mesh`"),
        ('<body name="b"><joint class="c"/><geom size="1"/></body>', "there is no class of defaults `c`"),
        ('<body name="b"><joint axis="1 0 0"/><joint axis="1 1 0"/><geom size="1"/></body>', "which no joint here is"),
        ('<body name="b"><geom size="1"/><body name="c"><freejoint/><geom size="1"/></body></body>', "free joint"),
        ('<body name="b"><joint axis="0 0 0"/><geom size="1"/></body>', "no direction"),
        ('<body name="b"><joint damping="-1"/><geom size="1"/></body>', "must not be negative"),
        ('<body name="b"/><body name="b"/>', "another body of this name"),
        ('<include file="robot.xml"/>', "would contain itself"),
        ('<include file="none.xml"/>', "no such file"),
        ("", "has no bodies"),
    ],
)  # fmt: skip
def test_bad_files_are_told_with_line_and_remedy(tmp_path, inside, said):
    with pytest.raises(ww.ModelError) as caught:
        read(tmp_path, f"<mujoco>\n<worldbody>{inside}</worldbody></mujoco>")
    assert str(tmp_path) in str(caught.value)
    assert said in str(caught.value)


def test_weight_is_carried_and_attributes_that_nobody_reads_are_told(tmp_path):
    m = ww.load(examples.path("drive-line"))
    write_mjcf(m, tmp_path / "x.xml", notes=[])
    again = read_mjcf(tmp_path / "x.xml", notes=[])
    assert again.bodies
    assert not any(body.affected_by_gravity for body in again.bodies.values())
    notes = []
    text = """<mujoco><worldbody><body name="b" gravcomp="0.5" mocap="false"><joint name="j" springdamper="1 1"/>
      <geom size="0.1"/></body></worldbody><actuator><position joint="j" kp="5" dampratio="1"/></actuator></mujoco>"""
    read(tmp_path, text, notes)
    told = "\n".join(map(str, notes))
    for words in ("`gravcomp` 0.5", "`mocap`", "`springdamper` of <joint>", "`dampratio` of <position>"):
        assert words in told
