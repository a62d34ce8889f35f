"""Trains of descriptions: every type of mesh against the motion in absolute coordinates; what is read from a file."""

import math

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.description import ModelError, flatten
from wheelwork.layout.gear_train import steady_drivers
from wheelwork.trains import (
    TrainGraph,
    displacements,
    efficiency,
    mobility,
    speeds,
    structure_matrix,
    torques,
)


def two(a, b, mesh, kind="spatial", inertia="[1, 1, 1]"):
    """Two bodies in ground: (position, type of joint, axis) each, and the mesh between them."""
    text = [f"name: pair\nkind: {kind}\ngravity: {'[0, 0, 0]' if kind == 'spatial' else '[0, 0]'}\nbodies:"]
    for name, (position, *_) in (("a", a), ("b", b)):
        text.append(f"  {name}: {{mass: 1, inertia: {inertia}, position: {position}}}")
    text.append("joints:")
    for name, (position, type, axis) in (("a", a), ("b", b)):
        along = f", axis: {axis}" if axis else ""
        text.append(f"  j{name}: {{type: {type}, bodies: [ground, {name}], point: {position}{along}}}")
    text.append(f"meshes:\n  pair: {{bodies: [a, b], {mesh}}}")
    text.append("drivers:\n  drive: {type: joint, joint: ja, value: 3*t}")
    return "\n".join(text)


Z, NZ = "[0, 0, 1]", "[0, 0, -1]"
PAIRS = {
    "external": two(
        ("[0, 0, 0]", "revolute", Z), ("[0.03, 0, 0]", "revolute", Z), "type: external, teeth: [20, 40]"
    ),
    "external, joint turned": two(
        ("[0, 0, 0]", "revolute", Z), ("[0.03, 0, 0]", "revolute", NZ), "type: external, teeth: [20, 40]"
    ),
    "external, helical": two(
        ("[0, 0, 0]", "revolute", Z),
        ("[0.03, 0, 0]", "revolute", Z),
        "type: external, ratio: 2, helix_angle: 20 deg",
    ),
    "internal": two(
        ("[0, 0, 0]", "revolute", Z), ("[0.03, 0, 0]", "revolute", NZ), "type: internal, ratio: 2.5"
    ),
    "internal, radii": two(
        ("[0, 0, 0]", "revolute", NZ),
        ("[0.03, 0, 0]", "revolute", NZ),
        "type: internal, radii: [20 mm, 50 mm]",
    ),
    "belt": two(
        ("[0, 0, 0]", "revolute", Z), ("[0.3, 0, 0]", "revolute", Z), "type: belt, radii: [40 mm, 100 mm]"
    ),
    "crossed belt": two(
        ("[0, 0, 0]", "revolute", Z),
        ("[0.3, 0, 0]", "revolute", Z),
        "type: belt, teeth: [10, 25], pitch: 5 mm, crossed: true",
    ),
    "rack below": two(
        ("[0, 0, 0]", "revolute", Z), ("[0, -0.02, 0]", "prismatic", "[1, 0, 0]"), "type: rack"
    ),
    "rack above": two(("[0, 0, 0]", "revolute", Z), ("[0, 0.02, 0]", "prismatic", "[1, 0, 0]"), "type: rack"),
    "bevel": two(
        ("[0, 0, -0.02]", "revolute", Z),
        ("[0.03, 0, 0]", "revolute", "[1, 0, 0]"),
        "type: bevel, teeth: [30, 20]",
    ),
    "bevel on the other side": two(
        ("[0, 0, 0.02]", "revolute", Z),
        ("[0.03, 0, 0]", "revolute", "[1, 0, 0]"),
        "type: bevel, teeth: [30, 20]",
    ),
    "bevel at 60 deg": two(
        ("[0, 0, 0.02]", "revolute", Z),
        ("[0.03, 0, 0.03/tan(pi/3)]", "revolute", "[-sin(pi/3), 0, -cos(pi/3)]"),
        "type: bevel, teeth: [30, 35], module: 1 mm",
    ),
    "worm": two(
        ("[0, 0, 0]", "revolute", "[1, 0, 0]"),
        ("[0, 0.05, 0]", "revolute", Z),
        "type: worm, teeth: [2, 40], module: 2 mm",
    ),
    "worm, left": two(
        ("[0, 0, 0]", "revolute", "[1, 0, 0]"),
        ("[0, 0.05, 0]", "revolute", Z),
        "type: worm, teeth: [2, 40], module: 2 mm, hand: left",
    ),
    "crossed": two(
        ("[0, 0, 0]", "revolute", Z),
        ("[0.05, 0, 0]", "revolute", "[0, sin(5*pi/12), cos(5*pi/12)]"),
        "type: crossed, teeth: [15, 22], helix_angles: [40 deg, 35 deg]",
    ),
    "planar external": two(
        ("[0, 0]", "revolute", ""), ("[0.03, 0]", "revolute", ""), "type: external, ratio: 3", "planar", "1"
    ),
    "planar rack": two(
        ("[0, 0]", "revolute", ""), ("[0, -0.02]", "prismatic", "[1, 0]"), "type: rack", "planar", "1"
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_pair_against_the_constraint(name):
    m = ww.loads(PAIRS[name])
    graph = m.gear_train()
    found = speeds(graph, steady_drivers(flatten(m)))
    result = m.kinematics(end=0.02, output=2)
    rate = "jb.speed" if "prismatic" in PAIRS[name] else "jb.w"
    assert float(found.of("jb")) == pytest.approx(float(result[rate].to_numpy()[0]), rel=1e-9)
    assert float(found.of("jb")) != 0
    # The body turns as its joint does, whose axis it is.
    assert found.of("b") == found.of("jb")


def test_wrist_moves_as_its_equations_say():
    m = ww.load(examples.path("bevel-wrist"))
    graph = m.gear_train()
    count = mobility(graph)
    assert (count.links, count.joints, count.gears, count.by_rank) == (11, 10, 7, 3)
    result = m.kinematics(end=1.0, output=50)
    found = displacements(graph, "link4")
    q = np.array([result[name].to_numpy() for name in ("z1.angle", "z2.angle", "z3.angle")])
    joints = {
        "link7": "z1-7",
        "link9": "z1-9",
        "link5": "motor5",
        "link6": "motor6",
        "link8": "motor8",
        "link10": "z2-10",
        "link11": "z3-11",
    }
    assert len(joints) == len(found.angles)
    for rate, row in zip(found.angles, found.numbers, strict=True):
        assert np.allclose(result[f"{joints[rate.link]}.angle"].to_numpy(), row @ q, rtol=0, atol=1e-9)
    # The angles go through tens of radians while the axes tilt against each other.
    assert np.abs(q[1]).max() > 20
    motion = speeds(graph, steady_drivers(flatten(m)))
    assert [float(motion.of(j)) for j in ("z1", "z2", "z3")] == pytest.approx(q[:, -1], abs=1e-9)


@pytest.mark.slow
def test_motor_torques_of_the_wrist():
    # A torque on the gripper about z3, held by the motors: Chen (13) against reactions of the drivers, at the start.
    m = ww.load(examples.path("bevel-wrist"))
    m.add("load", ww.Actuator(joint="z3", value=7.0))
    still = m.with_parameters(w5=0, w6=0, w8=0)
    result = still.inverse(end=0.01, output=1)
    graph = m.gear_train()
    B = np.array(
        structure_matrix(graph, displacements(graph, "link4"), ["link5", "link6", "link8"]), dtype=float
    )
    expected = np.linalg.solve(B, [0.0, 0.0, -7.0])
    found = [float(result[f"{d}.torque"].to_numpy()[0]) for d in ("drive5", "drive6", "drive8")]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_losses_come_from_the_description():
    text = PAIRS["external"].replace("teeth: [20, 40]", "teeth: [20, 40], efficiency: 0.97")
    both = efficiency(ww.loads(text).gear_train(), "a", "b")
    assert (both.forward, both.backward) == pytest.approx((0.97, 0.97), rel=1e-12)


@pytest.mark.parametrize("friction", [0.03, 0.2])
def test_worm_with_friction(friction):
    # tan(g)/tan(g + r), tan(r) = mu/cos(alpha): lead angle from 2 threads, module 2 mm, diameter 2*(50 - 40) mm
    text = PAIRS["worm"].replace("module: 2 mm", f"module: 2 mm, friction: {friction}")
    g = math.atan2(2 * 2.0, 20.0)
    r = math.atan(friction / math.cos(math.radians(20)))
    both = efficiency(ww.loads(text).gear_train(), "a", "b")
    assert both.forward == pytest.approx(math.tan(g) / math.tan(g + r), rel=1e-9)
    assert both.backward == pytest.approx(max(math.tan(g - r) / math.tan(g), 0.0), rel=1e-9)
    assert both.locks_itself == (friction == 0.2)


LOSSES = """
name: planetary with losses
gravity: [0, 0, 0]
bodies:
  sun: {mass: 1, inertia: [1, 1, 1]}
  arm: {mass: 1, inertia: [1, 1, 1]}
  planet: {mass: 1, inertia: [1, 1, 1], position: [60 mm, 0, 0]}
joints:
  js: {type: revolute, bodies: [ground, sun], point: [0, 0, 0], axis: [0, 0, 1]}
  ja: {type: revolute, bodies: [ground, arm], point: [0, 0, 0], axis: [0, 0, 1]}
  jp: {type: revolute, bodies: [arm, planet], point: [60 mm, 0, 0], axis: [0, 0, 1]}
meshes:
  sp: {type: external, bodies: [sun, planet], teeth: [40, 20], module: 2 mm, efficiency: 0.95}
  pr:
    type: internal
    bodies: [planet, ground]
    teeth: [20, 80]
    module: 2 mm
    friction: 0.1
    point_b: [0, 0, 0]
    axis_b: [0, 0, 1]
forces:
  load: {type: actuator, joint: ja, value: LOAD}
drivers:
  drive: {type: joint, joint: js, value: 30*t}
"""


@pytest.mark.slow
@pytest.mark.parametrize("load", [-20.0, 20.0])
def test_losses_against_friction_in_the_equations_of_motion(load):
    # A brake on the arm, and a load that drives it: which wheel drives in the meshes differs, and so do the torques.
    m = ww.loads(LOSSES.replace("LOAD", str(load)))
    found = torques(speeds(m.gear_train(), {"js": 30}), {"ja": load})
    drive = next(e.torque for e in found.externals if e.name == "js")
    result = m.simulate(end=0.1, output=2)
    assert float(result["drive.torque"].to_numpy()[1]) == pytest.approx(drive, rel=1e-7)
    lossless = -load / 3
    assert abs(drive) > abs(lossless) * 1.01 if load < 0 else abs(drive) < abs(lossless) * 0.99


LOOP = """
name: pump
gravity: [0, 0, 0]
bodies:
  motor: {mass: 1, inertia: [1, 1, 1], position: [-0.03, 0, 0]}
  crank: {mass: 1, inertia: [1, 1, 1]}
  rod: {mass: 1, inertia: [1, 1, 1], position: [0.05, 0.02, 0]}
  piston: {mass: 1, inertia: [1, 1, 1], position: [0.1, 0, 0]}
  lamp: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}
joints:
  jm: {type: revolute, bodies: [ground, motor], point: [-0.03, 0, 0], axis: [0, 0, 1]}
  jc: {type: revolute, bodies: [ground, crank], point: [0, 0, 0], axis: [0, 0, 1]}
  pin: {type: revolute, bodies: [crank, rod], point: [0.01, 0.02, 0], axis: [0, 0, 1]}
  wrist: {type: revolute, bodies: [rod, piston], point: [0.1, 0, 0], axis: [0, 0, 1]}
  slide: {type: prismatic, bodies: [ground, piston], point: [0.1, 0, 0], axis: [1, 0, 0]}
  ball: {type: spherical, bodies: [ground, lamp], point: [0, 0, 1]}
meshes:
  gears: {type: external, bodies: [motor, crank], teeth: [10, 20]}
drivers:
  drive: {type: joint, joint: jm, value: 7*t}
"""


def test_loops_that_are_not_gears():
    m = ww.loads(LOOP)
    graph = m.gear_train()
    assert not graph.is_exact
    assert mobility(graph).by_rank == 1
    found = speeds(graph, {"jm": 7})
    # Crank pin at (10, 20) mm turning at -3.5 rad/s: v = (70, -35) mm/s; the rod from there to (100, 0) mm.
    w = -3.5
    rod = 0.035 / 0.09  # no velocity of the piston across: v_y = -35 + w_rod * 90 mm/s = 0
    assert float(found.of("crank")) == w
    assert float(found.of("rod")) == pytest.approx(rod, rel=1e-9)
    assert float(found.of("piston")) == pytest.approx(0.07 + rod * 0.02, rel=1e-9)
    assert graph.train.left_out == {"ball": "spherical"}


def test_drivers_that_are_not_steady_are_no_inputs():
    text = PAIRS["external"]
    assert steady_drivers(flatten(ww.loads(text))) == {"ja": 3}
    for value in ("sin(t)", "t^2"):
        assert steady_drivers(flatten(ww.loads(text.replace("3*t", value)))) == {}


def test_problems_have_their_place_in_the_file():
    # Ratios that contradict each other are found by the graph; the message names file, line and mesh.
    text = """
name: locked
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1], position: [0.03, 0, 0]}
joints:
  ja: {type: revolute, bodies: [ground, a], point: [0, 0, 0], axis: [0, 0, 1]}
  jb: {type: revolute, bodies: [ground, b], point: [0.03, 0, 0], axis: [0, 0, 1]}
meshes:
  one: {type: external, bodies: [a, b], teeth: [20, 40]}
  two: {type: belt, bodies: [a, b], radii: [10 mm, 10 mm]}
"""
    graph = ww.loads(text).gear_train()
    with pytest.raises(ModelError) as caught:
        speeds(graph, {"a": 1})
    (problem,) = caught.value.problems
    assert problem.path == "meshes.one"
    assert problem.where.endswith(":10:3")
    assert "`two`" in problem.message


def test_rack_that_holds_its_pinion():
    # The pinion has no joint: in the graph it turns in a carriage that slides on the rack.
    graph = ww.load(examples.path("rack-and-pinion")).gear_train()
    assert mobility(graph).by_rank == 2
    (circuit,) = graph.circuits
    assert circuit.carrier == "teeth.carriage"
    radius = 32 * 0.005 / 2
    found = speeds(graph, {"teeth.carriage.rails": 1}, held=["rails"])
    assert abs(float(found.of("pinion"))) == pytest.approx(1 / radius, rel=1e-12)


def test_welded_gear():
    text = (
        PAIRS["external"]
        .replace("joints:", "joints:\n  weld: {type: fixed, bodies: [b, c]}")
        .replace("bodies:\n", "bodies:\n  c: {mass: 1, inertia: [1, 1, 1]}\n", 1)
    )
    graph = ww.loads(text).gear_train()
    assert graph.links.of["c"] == graph.links.of["b"]
    assert isinstance(graph, TrainGraph)
