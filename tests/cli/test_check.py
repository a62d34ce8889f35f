"""`wheelwork check`: what it finds, for people and for machines."""

import json
from pathlib import Path

import pytest

from wheelwork import examples


def test_tables(wheelwork):
    done = wheelwork("check", "pendulum.yaml")
    assert done.code == 0
    assert done.err == ""
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "Bodies (1)" in lines
    assert "name mass [kg] J1 [kg m^2] J2 J3" in lines
    assert "bob 2 0.01 0.01 0.01" in lines
    assert "hinge revolute ground - bob 5 0 0" in lines
    assert "constraints 5" in lines
    assert "degrees of freedom by count 1" in lines
    assert "degrees of freedom by rank 1" in lines
    assert "redundant constraints none" in lines
    assert "bodies not tied to ground none" in lines
    assert lines[-1] == "No problems found."


def test_json(wheelwork):
    done = wheelwork("check", "pendulum.yaml", "--json")
    report = json.loads(done.out)
    assert report["name"] == "pendulum"
    assert report["bodies"] == [{"name": "bob", "mass": 2.0, "principal_moments": [0.01, 0.01, 0.01]}]
    assert report["joints"][0]["bodies"] == ["ground", "bob"]
    assert report["freedoms_by_count"] == report["freedoms_by_rank"] == 1
    assert report["redundant"] == report["loose_bodies"] == []
    assert [m["name"] for m in report["misfits"]] == ["hinge"]


PAIR = """\
bodies:
  pinion: {type: rotor, inertia: 1e-3}
  wheel: {type: rotor, inertia: 1e-3, position: [60 mm, 0, 0]}
meshes:
  pair: {type: external, bodies: [pinion, wheel], teeth: TEETH, module: 2 mm}
"""


@pytest.mark.parametrize(("teeth", "faults"), [("[20, 40]", 0), ("[6, 54]", 1)])
def test_meshes_and_their_teeth(teeth, faults, tmp_path, wheelwork):
    (tmp_path / "pair.yaml").write_text(PAIR.replace("TEETH", teeth))
    out = wheelwork("check", "pair.yaml").out
    assert "pair external pinion - wheel rigid" in [" ".join(line.split()) for line in out.splitlines()]
    assert ("Teeth of pair, undercut: pinion is undercut" in out) is (faults > 0)
    assert ("No problems found." in out) is (faults == 0)
    report = json.loads(wheelwork("check", "pair.yaml", "--json").out)
    assert report["meshes"] == [
        {"name": "pair", "type": "external", "bodies": ["pinion", "wheel"], "model": "rigid"}
    ]
    assert bool(report["teeth"]) is (faults > 0)


OVERCONSTRAINED = """\
name: door
bodies:
  leaf: {mass: 20, inertia: [3, 1, 3], position: [0.5, 0, 0]}
  ball: {mass: 1, inertia: [1, 1, 1]}
joints:
  lower: {type: revolute, bodies: [ground, leaf], point: [0, 0, -0.8], axis: [0, 0, 1]}
  upper: {type: revolute, bodies: [ground, leaf], point: [0, 0, 0.8], axis: [0, 0, 1]}
"""


def test_redundant_constraints_and_loose_bodies_are_named(wheelwork):
    Path("door.yaml").write_text(OVERCONSTRAINED)
    report = json.loads(wheelwork("check", "door.yaml", "--json").out)
    assert report["freedoms_by_count"] == 12 - 10
    assert report["freedoms_by_rank"] == 7  # the swing of the door, six of the ball
    assert len(report["redundant"]) == 5
    assert all(name.startswith("upper.") for name in report["redundant"])
    assert report["loose_bodies"] == ["ball"]
    done = wheelwork("check", "door.yaml")
    assert done.code == 0
    assert all(name in done.out for name in report["redundant"])
    assert "reactions of the joints involved are the smallest possible ones" in " ".join(done.out.split())


def test_misfit_is_shown(wheelwork):
    text = """\
name: loop
bodies:
  arm: {mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, arm], frame_a: {position: [0, 0, 0]}, frame_b: {position: [-0.499, 0, 0]}}
"""
    Path("loop.yaml").write_text(text)
    done = wheelwork("check", "loop.yaml")
    assert done.code == 0
    assert "1.00e-03" in done.out
    assert "Small misfits of joints were removed" in done.out


def test_parameters_can_be_set(wheelwork):
    assert wheelwork("check", "pendulum.yaml", "--set", "length=2m", "--set", "twice=1").code == 0


@pytest.mark.parametrize("name", examples.names())
def test_bundled_examples_pass(wheelwork, name):
    done = wheelwork("check", str(examples.path(name)), "--json")
    assert done.code == 0, done.out
    report = json.loads(done.out)
    assert report["freedoms_by_rank"] >= report["freedoms_by_count"]
    assert (
        len(report["redundant"]) == report["freedoms_by_rank"] - report["freedoms_by_count"]
        or report["singular_position"]
    )


@pytest.mark.slow
def test_schema_and_info(wheelwork):
    schema = json.loads(wheelwork("schema").out)
    assert schema["title"] == "Wheelwork mechanism"
    assert "bodies" in schema["properties"]
    done = wheelwork("info", "pendulum.yaml")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert done.code == 0
    assert "length 0.5 m" in lines
    assert "twice 1 2*length" in lines or "twice 1 m 2*length" in lines
    assert "hinge.w rad/s rate of the joint angle" in lines
    assert "bob.position .x .y .z m position of the body frame" in lines


def test_info_for_machines(wheelwork):
    done = wheelwork("info", "pendulum.yaml", "--json", "--set", "length=30cm")
    data = json.loads(done.out)
    assert {p["name"]: p["value"] for p in data["parameters"]} == {"length": 0.3, "twice": 0.6}
    assert data["parameters"][0]["unit"] == "m"
    assert data["parameters"][1]["formula"] == "2*length"
    force = next(s for s in data["signals"] if s["name"] == "hinge.reaction.force")
    assert force == {
        "name": "hinge.reaction.force",
        "unit": "N",
        "meaning": "force of the joint on body b",
        "components": ["x", "y", "z"],
    }


@pytest.mark.parametrize(("shifts", "said"), [("[0.3, -0.3]", False), ("[-0.3, 0.3]", True)])
def test_stiffness_beyond_the_standard(shifts, said, tmp_path, wheelwork):
    """The series of ISO 6336-1 holds for a pinion shifted no less than its wheel"""
    model = f"{{type: compliant, stiffness: {{type: iso}}}}, face_width: 20 mm, profile_shift: {shifts}"
    text = PAIR.replace("TEETH", "[20, 40]").replace("2 mm}", f"2 mm, model: {model}}}")
    (tmp_path / "pair.yaml").write_text(text)
    out = " ".join(wheelwork("check", "pair.yaml").out.split())
    assert ("Teeth of pair, stiffness: ISO 6336-1" in out) is said
    assert ("they are -0.3 and 0.3" in out) is said
