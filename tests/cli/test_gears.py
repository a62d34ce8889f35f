"""`wheelwork gears`: data sheets, planetary sets, pictures, refusals."""

import json
import math
from pathlib import Path

import pytest

PAIR = """
bodies:
  pinion: {type: rotor, inertia: 1e-4}
  wheel: {type: rotor, inertia: 1e-3, position: [56.5 mm, 0, 0]}
meshes:
  drive:
    type: external
    bodies: [pinion, wheel]
    teeth: [12, 24]
    module: 3 mm
    profile_shift: [0.6, 0.36]
    tip_alteration: [-0.1267, -0.1267]
    thickness_allowance: [-20 um, -30 um]
    face_width: 30 mm
"""

STAGE = """
parameters: {m: 1 mm, a: (20 + 25)*m/2}
bodies:
  sun: {type: rotor, inertia: 1e-4}
  carrier: {type: rotor, inertia: 1e-4}
  p1: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], position: [a, 0, 0]}
  p2: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5], position: [0, a, 0]}
joints:
  pin1: {type: revolute, bodies: [carrier, p1], point: [a, 0, 0], axis: [0, 0, 1]}
  pin2: {type: revolute, bodies: [carrier, p2], point: [0, a, 0], axis: [0, 0, 1]}
meshes:
  s1: {type: external, bodies: [sun, p1], teeth: [20, 25], module: m}
  s2: {type: external, bodies: [p2, sun], teeth: [25, 20], module: m}
  r1: {type: internal, bodies: [p1, ground], teeth: [25, 70], module: m}
  r2: {type: internal, bodies: [p2, ground], teeth: [25, 70], module: m}
"""

OTHERS = """
bodies:
  a: {type: rotor, inertia: 1e-4, axis: [1, 0, 0], position: [45 mm, 0, 0]}
  b: {type: rotor, inertia: 1e-3, axis: [0, 0, 1], position: [0, 0, 15 mm]}
  worm: {type: rotor, inertia: 1e-5, axis: [1, 0, 0], position: [0, 0, 1]}
  wheel: {type: rotor, inertia: 1e-3, axis: [0, 1, 0], position: [0, 0, 1050 mm]}
  motor: {type: rotor, inertia: 1e-3, position: [0, 0, 2]}
  fan: {type: rotor, inertia: 1e-2, position: [0.3, 0, 2]}
  rim: {type: rotor, inertia: 1e-2, position: [0.7, 0, 2]}
meshes:
  bevel: {type: bevel, bodies: [a, b], teeth: [15, 45], module: 2 mm, face_width: 12 mm}
  lift: {type: worm, bodies: [worm, wheel], teeth: [2, 40], module: 2 mm}
  belt: {type: belt, bodies: [motor, fan], radii: [40 mm, 100 mm]}
  rollers: {type: external, bodies: [fan, rim], ratio: 3}
"""


@pytest.fixture
def gears(wheelwork):
    def run(text, *arguments):
        Path("m.yaml").write_text(text)
        return wheelwork("gears", "m.yaml", *arguments)

    return run


def line(done, start):
    return next(row for row in done.out.splitlines() if row.startswith(start))


def test_sheet(gears):
    """KHK's example of shifted wheels (the case `khk-shifted-spur`), at a centre distance of 56.5 mm."""
    done = gears(PAIR)
    assert done.code == 0
    assert line(done, "tip diameter").split()[-3:] == ["44.8398", "79.3998", "mm"]
    assert line(done, "working pressure angle").split()[-2:] == ["26.0888", "deg"]
    assert line(done, "transverse contact ratio").split()[-1] == "1.2021"
    assert line(done, "  from thickness allowances").split()[-2] == "52.3"  # (20 + 30) um, on wider circles
    assert "c_gamma" in done.out
    assert "Nothing wrong" in done.out


def test_changed_parameter_and_json(gears):
    text = PAIR.replace("bodies:\n  pinion", "parameters: {x: 0.6}\nbodies:\n  pinion").replace(
        "[0.6,", "[x,"
    )
    done = gears(text, "--set", "x=0.3", "--json")
    sheet = json.loads(done.out)["meshes"]["drive"]
    wheels = {row["symbol"]: row["values"] for row in sheet["tables"][0]["rows"]}
    assert wheels["x"] == [0.3, 0.36]
    assert wheels["d"] == pytest.approx([0.036, 0.072])
    assert {finding["kind"] for finding in sheet["findings"]} == {"contact ratio", "undercut"}


def test_backlash_that_the_model_of_the_mesh_has(gears):
    """It is on the line of action: 0.3 mm over the base radius are the turn of a wheel (the sheet said 0)."""
    text = PAIR[: PAIR.index("    profile_shift")].replace("56.5 mm", "54 mm")
    done = gears(text + "    model: {type: compliant, stiffness: 1e8, backlash: 0.3 mm}\n")
    assert done.code == 0
    cosine = math.cos(math.radians(20))
    assert line(done, "normal backlash").split()[-2] == "300.0"
    assert float(line(done, "circumferential backlash").split()[-2]) == pytest.approx(300 / cosine, abs=0.06)
    turns = [math.degrees(0.3 / (3 * z / 2 * cosine)) for z in (12, 24)]
    assert [float(x) for x in line(done, "angular backlash").split()[-3:-1]] == pytest.approx(turns, abs=1e-4)
    assert "as the model of the mesh has it" in done.out


@pytest.mark.slow
def test_planetary_set(gears):
    """Planets at 90 deg in a set whose planets fit every 4 deg."""
    done = gears(STAGE)
    assert "planetary set sun / ground" in done.out
    assert "planet 2 cannot be put in: it misses the nearest place by 2.0000 deg" in done.out
    assert gears(STAGE.replace("[0, a, 0]", "[-a, 0, 0]")).out.count("cannot be put in") == 0


def test_other_types(gears):
    done = gears(OTHERS)
    assert done.code == 0
    assert line(done, "pitch cone angle").split()[-3:-1] == ["18.4349", "71.5651"]
    assert line(done, "lead angle").split()[-2] == "11.3099"
    assert "a belt has no gear teeth" in done.out
    assert "the mesh has no tooth numbers" in done.out


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["svg", "png"])
def test_picture(gears, ending):
    done = gears(PAIR, "--picture", f"pair.{ending}")
    assert f"The picture is in pair.{ending}." in done.out
    content = Path(f"pair.{ending}").read_bytes()
    assert (b"<svg" in content[:500]) == (ending == "svg")
    assert len(content) > 10_000


@pytest.mark.slow
def test_refusals(gears, wheelwork):
    done = wheelwork("gears", "pendulum.yaml")
    assert done.code == 2
    assert "the mechanism has no meshes" in done.err
    done = gears(PAIR, "--mesh", "driv")
    assert done.code == 2
    assert "there is no mesh `driv` (did you mean `drive`?)" in done.err
    done = gears(PAIR, "--picture", "pair.gif7")
    assert done.code == 2
    assert "gif7" in done.err
    done = gears(OTHERS, "--mesh", "belt", "--picture", "x.svg")
    assert "none of the meshes can be drawn" in done.err
