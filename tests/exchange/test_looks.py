"""Looks, ranges and transmissions of robots: what is found, what is not opened, and what MuJoCo reads of ours."""

import re

import mujoco
import numpy as np
import pytest
import trimesh

import wheelwork as ww
from wheelwork.cli import main
from wheelwork.exchange import read_mjcf, read_urdf, write_mjcf, write_urdf
from wheelwork.show.player.film import film_before_run

MASS = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial>'


def robot(visual="", joint="", more="", origin="0 0 0"):
    return f"""<robot name="r">
<material name="steel"><color rgba="0.2 0.4 0.6 1"/></material>
<link name="base"><visual><geometry><cylinder radius="0.1" length="0.2"/></geometry></visual></link>
<link name="arm">{MASS}
{visual}
</link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="{origin}"/><axis xyz="0 1 0"/>
{joint}</joint>
{more}
</robot>"""


def mesh(name, scale="", material='<material name="steel"/>'):
    place = '<origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/>'
    return f'<visual>{place}<geometry><mesh filename="{name}"{scale}/></geometry>{material}</visual>'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "robot" / "meshes").mkdir(parents=True)
    box = trimesh.creation.box((0.2, 0.03, 0.02))
    for kind in ("stl", "obj", "dae"):
        box.export(tmp_path / "robot" / "meshes" / f"arm.{kind}")
    box.export(tmp_path / "outside.stl")
    return tmp_path / "robot"


def read(folder, text, notes=None, **options):
    (folder / "r.urdf").write_text(text)
    return read_urdf(folder / "r.urdf", notes=[] if notes is None else notes, **options)


@pytest.mark.parametrize("kind", ["stl", "obj", "dae"])
@pytest.mark.parametrize("name", ["meshes/arm", "package://robot/meshes/arm"])
def test_meshes_are_in_metres_where_they_stand(folder, kind, name):
    m = read(folder, robot(mesh(f"{name}.{kind}", ' scale="1 2 1"')))
    (piece,) = m.bodies["arm"].geometry
    assert piece.color == "#336699"
    scene = film_before_run(m).scene
    (part,) = [part for part in scene.parts if part.name == "arm" and part.kind == "body"]
    np.testing.assert_allclose(np.ptp(part.solid.corners, axis=0), [0.06, 0.2, 0.02], atol=1e-6)
    np.testing.assert_allclose(part.solid.corners.mean(axis=0), [0.1, 0, 0], atol=1e-6)
    assert [(p.body, p.name) for p in scene.parts if p.name == "base"] == [(-1, "base")]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("meshes/gone.stl", "the mesh `meshes/gone.stl` is left out: there is no file"),
        ("package://other/arm.stl", "`packages={'other': FOLDER}` says where a package is"),
        ("../outside.stl", "it is outside the folder"),
        ("package://robot/../../outside.stl", "it is outside the folder"),
        ("file:///etc/passwd", "it is outside the folder"),
        ("http://host/arm.stl", "such addresses are not opened"),
        ("meshes/damaged.stl", "looks of <mesh> are left out: .*damaged.stl: is not an STL file"),
        ("meshes/x.blend", "needs a name that ends in `.stl`"),
    ],
)
def test_what_is_not_found_or_not_opened_is_told(folder, name, words):
    (folder / "meshes" / "damaged.stl").write_bytes(b"solid")
    (folder / "meshes" / "x.blend").write_bytes(b"solid")
    notes = []
    m = read(folder, robot(mesh(name)), notes)
    assert m.bodies["arm"].geometry == ()
    assert any(re.search(words, str(note)) and "r.urdf:" in note.where for note in notes), notes


def test_packages_may_be_given(folder, capsys):
    text = robot(mesh("package://other/outside.stl"))
    m = read(folder, text, packages={"other": folder.parent})
    assert len(m.bodies["arm"].geometry) == 1
    assert (
        main(
            ["convert", str(folder / "r.urdf"), str(folder / "r.yaml"), "--package", f"other={folder.parent}"]
        )
        == 0
    )
    assert "outside.stl" in (folder / "r.yaml").read_text()
    assert len(ww.load(folder / "r.yaml").bodies["arm"].geometry) == 1
    assert main(["convert", str(folder / "r.urdf"), str(folder / "r.yaml"), "--package", "other"]) == 2


def test_ranges_are_stops(folder):
    m = read(folder, robot(joint='<limit lower="-0.5" upper="0.3" effort="1" velocity="1"/>', origin="0 0 1"))
    m.bodies["arm"].center_of_mass = (0.2, 0, 0)
    r = m.simulate(3.0)
    angle = r.series("j.angle").values
    assert angle.max() == pytest.approx(0.3, abs=1e-6)  # it falls onto its stop and stays
    assert angle[-1] == pytest.approx(0.3, abs=1e-6)
    notes = []
    away = read(folder, robot(joint='<limit lower="0.2" upper="0.3" effort="1" velocity="1"/>'), notes)
    assert not away.forces
    assert "the range of joint `j` (0.2 to 0.3 rad) is not held: the robot stands at zero" in "\n".join(
        map(str, notes)
    )


TRANSMISSION = """<transmission name="t"><type>{type}</type><joint name="j"/>
<actuator name="motor"><mechanicalReduction>{n}</mechanicalReduction></actuator></transmission>"""


def test_transmissions_are_motors(folder):
    text = TRANSMISSION.format(type="transmission_interface/SimpleTransmission", n=50)
    m = read(folder, robot(more=text))
    r = m.simulate(0.1, parameters={"motor_command": 0.002})
    assert r.series("arm.angular_acceleration").values[0, 1] == pytest.approx(50 * 0.002 / 0.01, rel=1e-9)
    notes = []
    read(folder, robot(more=TRANSMISSION.format(type="x/DifferentialTransmission", n=1)), notes)
    assert "<transmission> `t` is left out: it is not a simple one" in "\n".join(map(str, notes))
    with pytest.raises(ww.ModelError, match="needs a finite number that is not zero, but is `nan`"):
        read(folder, robot(more=TRANSMISSION.format(type="SimpleTransmission", n="nan")))


def test_attributes_and_elements_that_nobody_reads_are_told_one_by_one(folder):
    notes = []
    odd = (
        '<odd/><limit lower="-1" upper="1" effort="2" velocity="3" jerk="4"/><dynamics damping="0" wear="1"/>'
    )
    read(
        folder,
        robot(joint=odd, more='<sensor name="s"><x/></sensor>').replace(
            '<link name="arm">', '<link name="arm" type="t">'
        ),
        notes,
    )
    told = "\n".join(map(str, notes))
    for words in ("<odd> is not known", "`jerk` of <limit>", "`wear` of <dynamics>", "`type` of <link>",
                  "<sensor> is not known", "`effort` of a joint (2)", "`velocity` of a joint (3)"):  # fmt: skip
        assert told.count(words) == 1, words
    notes = []
    read(folder, robot(mesh("meshes/arm.stl"), '<limit lower="-1" upper="1"/>'), notes)
    assert not notes, notes


def test_written_robots_have_looks_and_ranges_that_mujoco_reads(folder):
    m = read(folder, robot(mesh("meshes/arm.stl"), '<limit lower="-0.5" upper="0.3"/>'))
    write_mjcf(m, folder / "again.xml", notes=[])
    theirs = mujoco.MjModel.from_xml_path(str(folder / "again.xml"))
    np.testing.assert_allclose(theirs.jnt_range, [[-0.5, 0.3]])
    assert theirs.ngeom == 2
    assert theirs.body("arm").mass[0] == pytest.approx(1.0)
    write_urdf(m, folder / "again.urdf", notes=[])
    for again in (read_urdf(folder / "again.urdf", notes=[]), read_mjcf(folder / "again.xml", notes=[])):
        stop = again.forces["j_stop"]
        assert (stop.lower, stop.upper) == pytest.approx((-0.5, 0.3))
        first, second = ([p for p in film_before_run(x).scene.parts if p.kind == "body"] for x in (m, again))
        assert [part.color for part in first] == [part.color for part in second]
        for a, b in zip(first, second, strict=True):
            np.testing.assert_allclose(a.solid.corners.min(axis=0), b.solid.corners.min(axis=0), atol=1e-6)
            np.testing.assert_allclose(a.solid.corners.max(axis=0), b.solid.corners.max(axis=0), atol=1e-6)


def test_mjcf_ranges_and_geoms(tmp_path):
    trimesh.creation.box((0.2, 0.03, 0.02)).export(tmp_path / "arm.stl")
    text = """<mujoco><compiler autolimits="{auto}"/><asset><mesh name="a" file="arm.stl" scale="1 1 2"/>
    <material name="red" rgba="1 0 0 1"/></asset><worldbody><geom type="plane" size="1 1 1"/>
    <geom type="box" size="0.1 0.1 0.1"/><body name="b" pos="0 0 1">
      <joint name="j" axis="0 1 0" range="-30 60" ref="10"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom type="mesh" mesh="a" material="red" contype="0"/><geom type="capsule" size="0.05 0.2" group="3"/>
      <geom type="capsule" size="0.05 0.2"/></body></worldbody></mujoco>"""
    (tmp_path / "r.xml").write_text(text.format(auto="true"))
    notes = []
    m = read_mjcf(tmp_path / "r.xml", notes=notes)
    stop = m.forces["j_stop"]
    assert (stop.lower, stop.upper) == pytest.approx(np.radians((-40, 50)))
    assert [piece.color for piece in m.bodies["b"].geometry] == ["#ff0000", None, None, None]
    assert len(m.frames["world"].geometry) == 1
    told = "\n".join(map(str, notes))
    assert "looks of a geom of type `plane`" in told
    assert "a geom of a group that is not shown: contact" in told
    (tmp_path / "r.xml").write_text(text.format(auto="false"))
    assert not read_mjcf(tmp_path / "r.xml", notes=[]).forces


@pytest.mark.parametrize("size", ["1e300", "1e39", "nan", "inf", "-1"])
def test_huge_numbers_are_refused_or_told(folder, size):
    notes = []
    box = f'<visual><geometry><box size="{size} 1 1"/></geometry></visual>'
    if size in ("nan", "inf"):
        with pytest.raises(ww.ModelError, match=r"r.urdf:5: <box>: `size` needs 3 finite numbers"):
            read(folder, robot(box), notes)
    elif size != "1e39":
        assert not read(folder, robot(box), notes).bodies["arm"].geometry
        assert "looks of <box> are left out" in "\n".join(map(str, notes))
    with pytest.raises(ww.ModelError, match=r"r.urdf:4"):
        read(folder, robot().replace('<mass value="1"/>', f'<mass value="{size}"/>').replace("1e39", "1e41"))
