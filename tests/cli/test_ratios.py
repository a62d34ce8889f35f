"""`wheelwork ratios`: what it prints for people and for machines, and what it says of mistakes."""

import json
from pathlib import Path

import pytest

from wheelwork import examples

PLANETARY = """\
name: planetary
bodies:
  sun: {mass: 1, inertia: [0.001, 0.001, 0.002]}
  arm: {mass: 1, inertia: [0.001, 0.001, 0.002]}
  ring: {mass: 1, inertia: [0.001, 0.001, 0.002]}
  planet: {mass: 1, inertia: [0.001, 0.001, 0.002], position: [60 mm, 0, 0]}
joints:
  js: {type: revolute, bodies: [ground, sun], point: [0, 0, 0], axis: [0, 0, 1]}
  ja: {type: revolute, bodies: [ground, arm], point: [0, 0, 0], axis: [0, 0, 1]}
  jr: {type: revolute, bodies: [ground, ring], point: [0, 0, 0], axis: [0, 0, 1]}
  jp: {type: revolute, bodies: [arm, planet], point: [60 mm, 0, 0], axis: [0, 0, 1]}
meshes:
  sp: {type: external, bodies: [sun, planet], teeth: [40, 20], module: 2 mm, efficiency: 0.99}
  pr: {type: internal, bodies: [planet, ring], teeth: [20, 80], module: 2 mm, efficiency: 0.99}
"""


@pytest.fixture
def ratios(wheelwork):
    Path("planetary.yaml").write_text(PLANETARY)

    def run(*arguments):
        done = wheelwork("ratios", "planetary.yaml", *arguments)
        return done, [" ".join(line.split()) for line in done.out.splitlines()]

    return run


def test_without_inputs(ratios):
    done, lines = ratios()
    assert (done.code, done.err) == (0, "")
    assert "planet arm b carried" in lines
    assert "arm ground a major" in lines
    assert "sp external sun - planet 40:20 arm -0.5" in lines
    assert "degrees of freedom by count 2 (5 links, 4 joints, 2 gear pairs, in 3 dimensions)" in lines
    assert "degrees of freedom by rank 2" in lines
    assert "ring sun arm 3" in lines  # held, driver, driven, ratio
    assert "theta(planet,arm) 2 -2" in lines
    assert "The train has 2 freedoms: give as many of `--input` and `--hold` for speeds." in lines


def test_speeds(ratios):
    done, lines = ratios("--input", "sun=1000rpm", "--hold", "ring", "--fractions")
    assert done.code == 0
    assert "arm 1000/3 rpm ground 1000/3 3" in lines
    assert "planet -1000 rpm arm -4000/3 -1" in lines
    assert "ring 0 rpm ground 0" in lines


def test_ratios_of_one_freedom_need_no_input(ratios):
    _, lines = ratios("--hold", "ring")
    assert "Speeds for one turn of sun with ring held" in lines
    assert "arm 0.333333 ground 0.333333 3" in lines


def test_a_lossy_mesh_that_carries_without_rolling_is_said(ratios):
    """The set turns as a block; without friction torques on sun, ring and arm are as 1 : 2 : -3."""
    block = ("--input", "sun=100rpm", "--input", "arm=100rpm", "--load", "ring=-30Nm")
    done, lines = ratios(*block)
    assert done.code == 0
    said = "Torque goes through `sp`, `pr` without rolling: statics leaves friction there open"
    assert any(said in line for line in lines)
    outside = {e["name"]: e for e in json.loads(ratios(*block, "--json")[0].out)["externals"]}
    assert outside["sun"]["torque"] == pytest.approx(-15, rel=1e-9)
    _, lines = ratios("--input", "sun=100rpm", "--hold", "ring", "--load", "arm=-30Nm")
    assert not any(said in line for line in lines)


def test_torques_and_power(ratios):
    done, lines = ratios(
        "--input", "sun=300rpm", "--hold", "ring", "--load", "arm=-30Nm", "--motor", "sun=20Nm"
    )
    assert done.code == 0
    assert "efficiency 0.98673" in lines  # (1 + 2 * 0.99^2)/3
    assert "efficiency backwards 0.98664" in lines
    assert "circulating power none" in lines
    report = json.loads(
        ratios(
            "--input", "sun=300rpm", "--hold", "ring", "--load", "arm=-30Nm", "--motor", "sun=20Nm", "--json"
        )[0].out
    )
    outside = {e["name"]: e for e in report["externals"]}
    assert outside["sun"]["torque"] == pytest.approx(10 / 0.9867333333, rel=1e-9)
    assert outside["arm"]["power"] == pytest.approx(-30 * 100 * 3.141592653589793 / 30, rel=1e-12)
    motor = report["motor"]
    assert motor["acceleration"] == pytest.approx(
        (20 - outside["sun"]["torque"]) / motor["inertia"], rel=1e-12
    )
    # sun, arm/9, planet (-1)^2 and its mass on the arm: 0.002 (1 + 1/9 + 1) + 0.06^2/9
    assert motor["inertia"] == pytest.approx(0.002 * (2 + 1 / 9) + 0.0036 / 9, rel=1e-12)
    mesh = report["meshes"][0]
    assert mesh["driver"] == "sun"
    assert sum(mesh["power_from"].values()) == pytest.approx(mesh["loss"], rel=1e-9)


def test_json(ratios):
    report = json.loads(ratios("--input", "arm=1", "--hold", "ring", "--json")[0].out)
    speeds = {link["name"]: link.get("speed") for link in report["links"]}
    assert speeds["sun"] == {"number": 3.0, "fraction": "3"}
    assert report["mobility"]["by_rank"] == 2
    assert report["gears"][1]["carrier"] == "arm"
    assert "theta(planet,arm)" in report["displacements"]["angles"]


def test_wrist(wheelwork):
    file = str(examples.path("bevel-wrist"))
    done = wheelwork(
        "ratios", file, "--symbols", "--actuator", "link5", "--actuator", "link6", "--actuator", "link8"
    )
    assert (
        "theta(link6,ground) = N(link7,link6) theta(link2,ground) + N(link3,link7) N(link7,link6) theta(link3,link2)"
        in done.out
    )
    assert "Structure matrix" in done.out
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "theta(link3,link2) 0 N(link3,link7) N(link7,link6) N(link10,link9) N(link9,link8)" in lines
    # The drivers of the file are steady, and so are the inputs.
    assert "link7 15 rad/s ground 15" in lines
    assert "speed of `link4`, `link11` about its axis is that at the given position" in " ".join(
        done.out.split()
    )


def test_drivers_that_leave_wheels_open_are_no_inputs(wheelwork):
    done = wheelwork("ratios", str(examples.path("planetary")))
    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "ring sun carrier 4" in lines  # held, driver, driven: 1 + 3


@pytest.mark.slow
def test_graph(ratios):
    done, lines = ratios("--graph", "train.svg")
    assert done.code == 0
    assert Path("train.svg").read_text().startswith("<?xml")
    assert lines[-1] == "The graph is in train.svg."


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--input", "sun"], "--input: needs `name=value`, but is `sun`"),
        (
            ["--input", "sun=fast"],
            "--input sun: `fast` does not start with a number (such as `--input sun=3000rpm`)",
        ),
        (["--input", "sun=3kg"], "--input sun: needs an angular speed or a speed, but is in `kg`"),
        (["--input", "sun=3furlong"], "--input sun: "),
        (["--input", "sun=1", "--input", "sun=2"], "--input sun: is given twice"),
        (["--input", "sum=1"], "there is no body `sum` in the train (did you mean `sun`?)"),
        (["--input", "sun=1"], "planetary.yaml:13:3: meshes.sp: nothing drives its wheel `planet`"),
        (
            ["--input", "sun=1", "--input", "arm=1", "--input", "ring=2"],
            "ring: cannot turn at 2: `sun` and `arm` turn it",
        ),
        (
            ["--hold", "sun", "--hold", "ring", "--input", "arm=1"],
            "arm: cannot turn at 1: the train leaves it no motion",
        ),
        (["--load", "arm=1Nm"], "torques need speeds: give `--input`"),
        (["--hold", "ring", "--load", "arm=1rpm"], "--load arm: needs a torque or a force, but is in `rpm`"),
        (["--output", "nobody"], "there is no body `nobody`"),
    ],
)
def test_mistakes(ratios, arguments, said):
    done, _ = ratios(*arguments)
    assert done.code == 2
    assert done.out == ""  # nothing is printed of an answer that is not there
    assert said in " ".join(done.err.split())


def test_mechanism_without_gears(wheelwork):
    done = wheelwork("ratios", "pendulum.yaml")
    assert done.code == 2
    assert "the mechanism has no meshes" in done.err
