"""Wheels as solids, as another program reads the files: closed, with the volume that the outline's integral gives."""

from pathlib import Path

import numpy as np
import pytest
import trimesh

import wheelwork as ww
from wheelwork import examples
from wheelwork.cad.read import read_solid
from wheelwork.cli import main
from wheelwork.exchange import gear_step
from wheelwork.exchange.gear_solids import write_wheels
from wheelwork.gears import Gear, GearPair, RackPair
from wheelwork.gears.outline import gear_outline
from wheelwork.layout import layout_of
from wheelwork.show.scene.cylindrical import Detail, rack_solid
from wheelwork.show.scene.wheel_parts import RackBar


def area(gear):
    """Inside the outline: the integral of x dy over a fine one."""
    x, y = gear_outline(gear, flank=300, fillet=300, arc=40).T
    return abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2


def gears_of(m):
    for mesh in layout_of(m).mesh_teeth:
        assert isinstance(mesh.pair, GearPair)
        yield from zip(mesh.bodies, (mesh.pair.a, mesh.pair.b), strict=True)


def machine(helix, bore=0.004):
    """A pair and a ring with profile shift, wheels 20 mm wide."""
    m = ww.Mechanism("wheels")
    teeth, r = {"sun": 19, "planet": 23}, 0.002 / np.cos(helix) / 2
    blank = {"type": "gear_blank", "face_width": 0.02, "bore_radius": bore}
    for name, x in (("sun", 0), ("planet", 42.6 * r)):
        shape = {**blank, "pitch_radius": teeth[name] * r}
        m.add(name, ww.Body(shape=shape, density=7800, position=(x, 0, 0)))
        m.add(f"{name}-pin", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, 1)))
    mesh = {
        "teeth": (19, 23),
        "module": 0.002,
        "helix_angle": helix,
        "profile_shift": (0.2, 0.1),
        "face_width": 0.02,
    }
    m.add("mesh", ww.ExternalMesh(bodies=("sun", "planet"), **mesh))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("helix", [0.0, 0.35])
@pytest.mark.parametrize("kind", ["stl", "glb"])
def test_solids_are_closed_and_have_the_volume_of_the_outline(tmp_path, helix, kind):
    m = machine(helix)
    files = write_wheels(m, tmp_path, kind)
    assert sorted(f.name for f in files) == [f"planet-z23.{kind}", f"sun-z19.{kind}"]
    for body, gear in gears_of(m):
        read = trimesh.load(tmp_path / f"{body}-z{gear.teeth:g}.{kind}", force="mesh")
        read.merge_vertices(merge_norm=True, merge_tex=True)
        assert read.is_watertight
        scale = 1e9 if kind == "stl" else 1.0
        expected = (area(gear) - np.pi * 0.004**2) * 0.02 * scale
        assert read.volume == pytest.approx(expected, rel=1e-3)
        assert read.extents[0] == pytest.approx(gear.tip_diameter * scale ** (1 / 3), rel=1e-2)


@pytest.mark.slow
def test_a_ring_has_a_rim(tmp_path):
    m = ww.load(examples.path("planetary-stage"))
    write_wheels(m, tmp_path)
    ring = trimesh.load(tmp_path / "ring-z75.stl")
    gear = next(gear for body, gear in gears_of(m) if body == "ring")
    rim = np.linalg.norm(ring.vertices[:, :2], axis=1).max() / 1e3
    width = np.ptp(ring.vertices[:, 2]) / 1e3
    assert ring.is_watertight
    corners = 2 * 75  # two per tooth, at even distances or nearly so
    polygon = corners / 2 * np.sin(2 * np.pi / corners) * rim**2
    assert ring.volume * 1e-9 == pytest.approx((polygon - area(gear)) * width, rel=5e-3)


def test_bores_too_large_and_machines_without_such_wheels_are_told(tmp_path):
    notes = []
    write_wheels(machine(0.0, bore=0.018), tmp_path, notes=notes)
    assert "the bore of `sun`, 18 mm, leaves nothing inside its teeth" in str(notes[0])
    assert [f.name for f in tmp_path.iterdir()] == ["planet-z23.stl"]
    with pytest.raises(ww.ModelError, match="none of the meshes has wheels with teeth"):
        write_wheels(ww.load(examples.path("geneva")), tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["stl", "glb"])
def test_racks_bevel_wheels_and_worms_are_closed(tmp_path, kind):
    for name, wanted in (("worm-lift", {"worm-z1", "rack-rack"}), ("differential", {"crown-z42"})):
        files = write_wheels(ww.load(examples.path(name)), tmp_path / name, kind, notes=[])
        assert wanted <= {f.stem for f in files}
        for file in files:
            read = trimesh.load(file, force="mesh")
            read.merge_vertices(merge_norm=True, merge_tex=True)
            assert read.is_watertight, file
            assert read.volume > 0


GEARS = {
    "spur": (Gear(11, 0.002, profile_shift=0.4, face_width=0.01), 0.004),
    "undercut": (Gear(9, 0.002, face_width=0.01), 0.0),
    "helical": (Gear(13, 0.002, helix_angle=-0.35, profile_shift=-0.1, face_width=0.012), 0.003),
    "ring": (Gear(30, 0.002, internal=True, face_width=0.01), 0.038),
}
RACK = RackPair(Gear(18, 0.002, helix_angle=0.2))
BAR = RackBar(first=0.003, teeth=4, width=0.02, depth=0.006)


@pytest.fixture(scope="module")
def true_solids(tmp_path_factory):
    """Gears and a rack as STEP, by one process."""
    folder = tmp_path_factory.mktemp("step")
    plans = [gear_step.gear_plan(name, *given, folder / f"{name}.step") for name, given in GEARS.items()]
    plans.append(gear_step.rack_plan("rack", RACK, BAR, folder / "rack.step"))
    assert gear_step.write_plans(plans) == {}
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["undercut", *(pytest.param(n, marks=pytest.mark.slow) for n in GEARS if n != "undercut")]
)
def test_step_is_read_back_with_the_volume_of_the_outline(true_solids, name):
    gear, back = GEARS[name]
    read = read_solid((true_solids / f"{name}.step").read_bytes(), f"{name}.step")
    expected = abs(area(gear) - np.pi * back**2) * gear.face_width * 1e9
    assert read.moments.volume == pytest.approx(expected, rel=2e-5)  # splines through 24 points of each curve
    assert read.moments.center == pytest.approx([0, 0, 0], abs=1e-3)  # mm
    # the triangles that are shown are those of the same solid, with chords of 5e-4 of its size
    assert read.mesh.joined().moments.volume == pytest.approx(expected, rel=1e-2)


@pytest.mark.slow
def test_a_rack_in_step_has_the_volume_of_its_section(true_solids):
    read = read_solid((true_solids / "rack.step").read_bytes(), "rack.step")
    drawn = rack_solid(RACK, *BAR, detail=Detail(2, 200)).triangles()
    assert read.moments.volume == pytest.approx(1e9 * drawn.volume, rel=1e-4)  # its fillets as chords there


def test_a_solid_that_is_not_its_outline_is_not_left_behind(tmp_path, monkeypatch):
    def written(plans):
        for plan in plans:
            Path(plan["file"]).write_text("ISO-10303-21;")
        return {plan["name"]: {"volume": 1.001 * plan["expected"]} for plan in plans}

    monkeypatch.setattr(gear_step, "write_step", written)
    notes = []
    assert write_wheels(machine(0.0), tmp_path, "step", notes=notes) == []
    assert "its solid has" in str(notes[0])
    assert "but its outline gives" in str(notes[0])
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_command(tmp_path, capsys):
    out = tmp_path / "solids"
    assert (
        main(["gears", str(examples.path("planetary-stage")), "--solids", str(out), "--format", "glb"]) == 0
    )
    assert sorted(f.name for f in out.iterdir())[-2:] == ["ring-z75.glb", "sun-z33.glb"]
    assert "Solid: " in capsys.readouterr().out


@pytest.mark.slow
def test_command_writes_step(tmp_path, capsys):
    model = tmp_path / "pair.yaml"
    machine(0.0).save(model)
    assert main(["gears", str(model), "--step", str(tmp_path / "solids")]) == 0
    assert sorted(f.name for f in (tmp_path / "solids").iterdir()) == ["planet-z23.step", "sun-z19.step"]
    assert capsys.readouterr().out.count("Solid: ") == 2
