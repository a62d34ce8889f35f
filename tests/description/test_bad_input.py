# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""What goes wrong in files, each with the message a user gets."""

import textwrap

import pytest

import wheelwork as ww
from wheelwork.description import ModelError, loads
from wheelwork.description.values import Direction, Length

GOOD = """\
wheelwork: 1
name: pendulum
parameters:
  length: 0.5 m
  stiffness: 20 N*m/rad
bodies:
  bob:
    mass: 1 kg
    inertia: [0.01, 0.01, 0.02]
    position: [length, 0, 0]
  wheel: {type: rotor, inertia: 0.1}
joints:
  hinge:
    type: revolute
    bodies: [ground, bob]
    point: [0, 0, 0]
    axis: [0, 1, 0]
  ball: {type: spherical, bodies: [ground, bob], point: [0, 0, 0]}
forces:
  push: {type: force, body: bob, value: [10*sin(2*pi*5*t), -20*(bob.w/10.5)^2, 0]}
  drive: {type: actuator, joint: hinge, value: 2 N*m}
drivers:
  turn: {type: joint, joint: hinge, value: 2*t}
"""


def message_of(text, file="m.yaml"):
    with pytest.raises(ModelError) as caught:
        loads(text, file=file)
    return str(caught.value)


def test_the_good_one_is_good():
    assert list(loads(GOOD).bodies) == ["bob", "wheel"]


# (what is replaced, by what, the message)
CASES = {
    "unknown key": ("    mass: 1 kg", "    masss: 1 kg", "m.yaml:8:5: bodies.bob.masss: there is no key `masss` here (did you mean `mass`?)"),
    "unknown key at the top": ("joints:", "jonts:", "m.yaml:12:1: jonts: there is no key `jonts` here (did you mean `joints`?)"),
    "unknown key without a near one": (
        "name: pendulum", "xyzzy: 1", "there is no key `xyzzy` here (the keys are `wheelwork`, `kind`, `name`,"
    ),
    "unknown key deep inside": (
        "    mass: 1 kg", "    mass: 1 kg\n    shape: {type: sphere, radus: 1}",
        "m.yaml:9:27: bodies.bob.shape.radus: there is no key `radus` here (did you mean `radius`?)",
    ),
    "merge key": ("    mass: 1 kg", "    <<: 3\n    mass: 1 kg", "merge keys are not part of YAML 1.2"),
    "wrong type": ("    mass: 1 kg", "    mass: [1]", "m.yaml:8:11: bodies.bob.mass: needs a mass (such as `2 kg`), but is a list of 1"),
    "true is not a number": ("    mass: 1 kg", "    mass: true", "bodies.bob.mass: needs a mass (such as `2 kg`), but is `true`"),
    "nothing given": ("    mass: 1 kg", "    mass:", "bodies.bob.mass: the body has no mass"),
    "not finite": ("    mass: 1 kg", "    mass: .inf", "bodies.bob.mass: needs a finite number, but is `inf`"),
    "list where a mapping is needed": (
        "  wheel: {type: rotor, inertia: 0.1}", "  wheel: [1]",
        "m.yaml:11:10: bodies.wheel: needs a mapping (lines with `key: value`), but is a list of 1",
    ),
    "mapping where a text is needed": ("name: pendulum", "name: {a: 1}", "m.yaml:2:7: name: needs a text, but is a mapping"),
    "list where named elements are needed": (
        "drivers:\n  turn:", "drivers:\n  - turn:", "m.yaml:23:3: drivers: needs a mapping from names to drivers, but is a list of 1",
    ),
    "list too short": ("[0.01, 0.01, 0.02]", "[0.01]", "m.yaml:9:14: bodies.bob.inertia: needs 3 entries, but has 1"),
    "list too long": ("axis: [0, 1, 0]", "axis: [0, 1, 0, 0]", "m.yaml:17:11: joints.hinge.axis: needs 3 entries, but has 4"),
    "unknown type": ("type: spherical", "type: sferical", "m.yaml:18:16: joints.ball.type: there is no type `sferical` (did you mean `spherical`?)"),
    "unknown type without a near one": ("type: spherical", "type: xyzzy", "the types are `absolute`, `cam_cam`,"),
    "missing type": ("type: spherical, ", "", "m.yaml:18:3: joints.ball.type: `type` is missing (the types are `absolute`,"),
    "missing key": ("body: bob, value: [10", "value: [10", "m.yaml:20:3: forces.push.body: `body` is missing"),
    "wrong unit": ("mass: 1 kg", "mass: 3 m", "m.yaml:8:11: bodies.bob.mass: needs a mass (such as `2 kg`), but `3 m` is a length"),
    "unknown unit": ("mass: 1 kg", "mass: 3 kgg", "needs a mass (such as `2 kg`), but in `3 kgg` there is no unit `kgg`; did you mean `kg`"),
    "wrong dimension of a parameter": (
        "position: [length, 0, 0]", "position: [stiffness, 0, 0]",
        "m.yaml:10:16: bodies.bob.position[0]: needs a length (such as `15 mm`), but the parameter `stiffness` "
        "(`20 N*m/rad`) is a torsional stiffness",
    ),
    "wrong dimension for the coordinate": (
        "value: 2 N*m", "value: 2 N",
        "m.yaml:21:48: forces.drive.value: needs a torque (such as `5 N*m`), but `2 N` is a force (it acts on the angle)",
    ),
    "duplicate key": ("  ball:", "  hinge:", "m.yaml:18:3: joints.hinge: `hinge` is here a second time; the first is in line 13"),
    "duplicate name": ("  ball:", "  bob:", "m.yaml:18:3: joints.bob: the name `bob` is taken by bodies.bob (m.yaml:7:3)"),
    "name of a parameter and a body": ("  wheel:", "  length:", "the name `length` is taken by parameters.length (m.yaml:4:3)"),
    "reserved name": ("  wheel:", "  ground:", "m.yaml:11:3: bodies.ground: `ground` has a meaning of its own and cannot be a name"),
    "name with a dot": ("  wheel:", "  a.b:", "bodies.a.b: `a.b` is not a name: names have letters, digits, `_` and `-`"),
    "joint to a body that does not exist": (
        "bodies: [ground, bob]\n", "bodies: [ground, bop]\n",
        "m.yaml:15:22: joints.hinge.bodies[1]: there is no body or frame `bop` (did you mean `bob`?)",
    ),
    "body where a joint is needed": ("joint: hinge, value: 2 N*m", "joint: bob, value: 2 N*m", "forces.drive.joint: `bob` is not a joint"),
    "force on a body that does not exist": ("body: bob", "body: bobb", "m.yaml:20:29: forces.push.body: there is no body `bobb` (did you mean `bob`?)"),
    "force on ground": ("body: bob", "body: ground", "forces.push.body: needs a body that moves, but `ground` does not"),
    "driver of a joint that does not exist": ("joint: hinge, value: 2*t", "joint: hing, value: 2*t", "there is no joint `hing` (did you mean `hinge`?)"),
    "joint without a coordinate": (
        "joint: hinge, value: 2*t", "joint: ball, value: 2*t",
        "m.yaml:23:30: drivers.turn.joint: `ball` is a spherical joint, which has no coordinate to act on",
    ),
    "joint without that coordinate": (
        "joint: hinge, value: 2*t", "joint: hinge, coordinate: displacement, value: 2*t",
        "drivers.turn.coordinate: a revolute joint has `angle`, but not `displacement`",
    ),
    "negative mass": ("mass: 1 kg", "mass: -1 kg", "m.yaml:8:11: bodies.bob.mass: must be greater than zero, but is -1 kg"),
    "zero mass": ("mass: 1 kg", "mass: 0", "bodies.bob.mass: must be greater than zero, but is 0 kg"),
    "mass negative through a parameter": (
        "mass: 1 kg", "mass: 1 - 4*length", "m.yaml:8:11: bodies.bob.mass: must be greater than zero, but is -1 kg",
    ),
    "inertia not positive definite": (
        "[0.01, 0.01, 0.02]", "[[1, 2, 0], [2, 1, 0], [0, 0, 1]]",
        "m.yaml:9:14: bodies.bob.inertia: must be positive definite, but its principal moments are -1, 1 and 3 kg*m^2",
    ),
    "inertia not symmetric": (
        "[0.01, 0.01, 0.02]", "[[1, 0, 0], [0.5, 1, 0], [0, 0, 1]]",
        "bodies.bob.inertia: must be symmetric, but entry 1,2 is 0 and 2,1 is 0.5",
    ),
    "triangle inequality": (
        "[0.01, 0.01, 0.02]", "[0.01, 0.01, 0.03]",
        "bodies.bob.inertia: no body has the principal moments 0.01, 0.01 and 0.03 kg*m^2: "
        "in a real body no principal moment is larger than the sum of the other two",
    ),
    "zero axis": ("axis: [0, 1, 0]", "axis: [0, 0, 0]", "m.yaml:17:11: joints.hinge.axis: must not be zero: it has no direction"),
    "axis zero through a parameter": (
        "axis: [0, 1, 0]", "axis: [0, 2*length - 1, 0]", "m.yaml:17:11: joints.hinge.axis: must not be zero",
    ),
    "parallel axes": (
        "type: spherical, bodies: [ground, bob], point: [0, 0, 0]",
        "type: universal, bodies: [ground, bob], point: [0, 0, 0], axis: [1, 0, 1], axis2: [-2, 0, -2]",
        "joints.ball.axis2: is parallel to `axis`, but the arms of the cross are at a right angle",
    ),
    "oblique axes": (
        "type: spherical, bodies: [ground, bob], point: [0, 0, 0]",
        "type: universal, bodies: [ground, bob], point: [0, 0, 0], axis: [1, 0, 0], axis2: [1, 1, 0]",
        "joints.ball.axis2: is at 45 deg to `axis`, but the arms of the cross are at 90 deg",
    ),
    "joint of a body to itself": (
        "bodies: [ground, bob]\n", "bodies: [bob, bob]\n",
        "m.yaml:15:13: joints.hinge.bodies: connects `bob` to itself; a joint needs two different bodies",
    ),
    "joint without a place": (
        ", point: [0, 0, 0]}", "}", "m.yaml:18:3: joints.ball: has no place: needs `point`, or `frame_a` and `frame_b`",
    ),
    "joint with half a place": ("    axis: [0, 1, 0]\n", "", "m.yaml:13:3: joints.hinge.axis: `axis` is missing beside `point`"),
    "joint with one frame": (
        "point: [0, 0, 0]}", "frame_a: {}}", "m.yaml:18:3: joints.ball: `frame_b` is missing",
    ),
    "joint placed twice": (
        "point: [0, 0, 0]}", "point: [0, 0, 0], frame_a: {}}",
        "joints.ball.frame_a: is placed twice: in the world by `point` and in a body by `frame_a`",
    ),
    "formula with an unknown name": (
        "bob.w/10.5", "bop.w/10.5",
        "m.yaml:20:60: forces.push.value[1]: there is no name `bop.w` (in `-20*(bop.w/10.5)^2`) (did you mean `bob.w`?)",
    ),
    "formula of parameters with an unknown name": (
        "[length, 0, 0]", "[lenght, 0, 0]", "m.yaml:10:16: bodies.bob.position[0]: there is no parameter `lenght` (in `lenght`) (did you mean `length`?)",
    ),
    "signal where only parameters are allowed": (
        "[length, 0, 0]", "[bob.w, 0, 0]", "bodies.bob.position[0]: `bob.w` is a signal, but this value may use parameters only",
    ),
    "signal in a driver": ("value: 2*t", "value: bob.w*t", "drivers.turn.value: `bob.w` is a signal, but this value may use parameters and `t` only"),
    "element instead of a signal": ("bob.w/10.5", "bob/10.5", "`bob` in `-20*(bob/10.5)^2` is an element, not a quantity (add the quantity, such as `bob.w`)"),
    "time in a fixed value": ("[length, 0, 0]", "[t, 0, 0]", "bodies.bob.position[0]: must stay the same during a run, but `t` uses the time `t`"),
    "formula that tries __import__": (
        "10*sin(2*pi*5*t)", "__import__('os').getcwd()", "m.yaml:20:42: forces.push.value[0]: needs a force (such as `50 N`) or a formula; there is no function `__import__`",
    ),
    "formula with attribute access": (
        "10*sin(2*pi*5*t)", "t.__class__", "`__class__` is not a name, since names begin with a letter; formulas read parameters and signals; they have no attributes or methods",
    ),
    "formula with a huge power": ("10*sin(2*pi*5*t)", "9^9^9^9", "this power has no finite value (it comes out as inf), at column 4 of `9^9»^9^9`"),
    "formula without end": ("10*sin(2*pi*5*t)", "10*sin(", "the formula stops where a number or a name is needed, at column 8 of `10*sin(»`"),
    "hyphen without backticks": (
        "  push: {type: force, body: bob, value: [10*sin(2*pi*5*t), -20*(bob.w/10.5)^2, 0]}",
        "  push-up: {type: force, body: bob, value: [1, push-up.force.x, 0]}",
        "a name with a hyphen stands in backticks",
    ),
    "parameters in a circle": (
        "  length: 0.5 m", "  length: 2*b\n  b: length/3",
        "m.yaml:4:11: parameters.length: the parameters depend on each other in a circle: length -> b -> length",
    ),
    "parameter without a finite value": (
        "  length: 0.5 m", "  length: 1/zero\n  zero: 0", "parameters.length: `1/zero` has no finite value (it comes out as inf)",
    ),
    "parameter with the time": ("  length: 0.5 m", "  length: 2*t", "parameters.length: must stay the same during a run, but `2*t` uses the time `t`"),
    "parameter that is a list": ("  length: 0.5 m", "  length: [1]", "parameters.length: needs a number, a quantity such as `50 um` or a formula, but is a list of 1"),
    "two orientations": (
        "    mass: 1 kg", "    mass: 1 kg\n    orientation: {euler_zxz: [0, 0, 1], rotation_vector: [0, 0, 1]}",
        "bodies.bob.orientation.rotation_vector: an orientation is given in one way, but here are euler_zxz and rotation_vector",
    ),
    "axis without angle": (
        "    mass: 1 kg", "    mass: 1 kg\n    orientation: {axis: [0, 0, 1]}", "bodies.bob.orientation.axis: `axis` and `angle` go together; `angle` is missing",
    ),
    "table with times that do not increase": (
        "value: 2 N*m", "value: {time: [0, 1, 1], value: [0, 1, 2]}", "m.yaml:21:62: forces.drive.value.time[2]: times must increase, but 1 follows 1",
    ),
    "table of unequal lengths": (
        "value: 2 N*m", "value: {time: [0, 1], value: [0, 1, 2]}", "forces.drive.value.value: needs one value for each of the 2 times, but has 3",
    ),
    "table in a wrong unit": (
        "value: 2 N*m", "value: {time: [0, 1], value: [0, 1 kg]}", "needs a torque (such as `5 N*m`) or a force (such as `50 N`), but `1 kg` is a mass",
    ),
    "table with a wrong time": ("value: 2 N*m", "value: {time: [0, 1 m], value: [0, 1]}", "forces.drive.value.time[1]: needs a time (such as `5 ms`), but `1 m` is a length"),
    "a kind that does not exist": ("name: pendulum", "kind: plane", "m.yaml:2:7: kind: needs `spatial` or `planar`, but is `plane` (did you mean `planar`?)"),
    "other format version": ("wheelwork: 1", "wheelwork: 2", "m.yaml:1:12: wheelwork: needs `1`, but is `2`"),
    "wrong choice": ("body: bob, value: [10", "body: bob, frame: wrld, value: [10", "forces.push.frame: needs `world` or `body`, but is `wrld` (did you mean `world`?)"),
    "wrong method": ("name: pendulum", "analysis: {type: simulate, end: 1, method: rk5}", "analysis.method: needs `dopri5`, `dop853`, `rk4` or `sdirk4`, but is `rk5` (did you mean `rk4`?)"),
    "end before start": ("name: pendulum", "analysis: {type: kinematics, end: 0}", "m.yaml:2:35: analysis.end: must be later than the start at 0 s, but is 0 s"),
    "number of outputs": ("name: pendulum", "analysis: {type: simulate, end: 1, output: 2.5}", "analysis.output: needs a whole number, but is `2.5`"),
    "no outputs": ("name: pendulum", "analysis: {type: simulate, end: 1, output: 0}", "analysis.output: must be at least 1, but is `0`"),
    "unknown signal to keep": ("name: pendulum", "outputs: [bob.w, bop.w]", "m.yaml:2:18: outputs[1]: there is no signal `bop.w` (did you mean `bob.w`?)"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_message(case):
    old, new, message = CASES[case]
    assert GOOD.count(old) >= 1
    assert message in message_of(GOOD.replace(old, new, 1))


def test_all_problems_come_at_once_and_in_order():
    text = (
        GOOD.replace("mass: 1 kg", "mass: 3 m")
        .replace("[ground, bob]\n", "[ground, bop]\n")
        .replace("hinge, value: 2*t", "hing, value: 2*t")
    )
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    places = [problem.where for problem in caught.value.problems]
    assert places == ["m.yaml:8:11", "m.yaml:15:22", "m.yaml:23:30"]
    assert str(caught.value).startswith("3 problems\n  m.yaml:8:11: bodies.bob.mass: ")


def test_a_body_that_could_not_be_read_is_not_reported_missing_too():
    message = message_of(GOOD.replace("mass: 1 kg", "mass: -1"))
    assert message.count("bob") == 1


FORCES = {
    "friction needs a radius": (
        "{type: friction, joint: hinge, coefficient: 0.1}",
        "friction of an angle with a `coefficient` needs the `radius` at which the reaction rubs",
    ),
    "negative friction": ("{type: friction, joint: hinge, viscous: -1}", "forces.f.viscous: must not be negative, but is -1"),
    "static ratio": ("{type: friction, joint: hinge, static_ratio: 0.5}", "forces.f.static_ratio: must be at least 1, but is 0.5"),
    "friction on which coordinate": (
        "{type: friction, joint: tube, viscous: 1}", "a cylindrical joint has `angle` and `displacement`; say which one with `coordinate`",
    ),
    "stop on which coordinate": (
        "{type: stop, joint: thread, upper: 1}", "forces.f.coordinate: a screw joint has `angle` and `displacement`; say which one with `coordinate`",
    ),
    "coupler of a joint that is not there": (
        "{type: coupler, joints: [{joint: hinge, factor: 1}, {joint: slid, factor: 2}]}", "forces.f.joints[1].joint: there is no joint `slid` (did you mean `slide`?)",
    ),
    "motor on a slider": (
        "{type: motor, joint: slide, curve: {speed: [0, 1], torque: [1, 0]}}", "forces.f.joint: needs a joint with an angle, but `slide` is a prismatic joint",
    ),
    "motor on a body": (
        "{type: motor, body: bob, curve: {speed: [0, 1], torque: [1, 0]}}", "`bob` is a body, but a rotor is needed (give the `joint` that the motor turns instead)",
    ),
    "motor on nothing": ("{type: motor, curve: {speed: [0, 1], torque: [1, 0]}}", "turns a `joint` or a rotor (`body`): give one of them"),
    "motor curve falls back": (
        "{type: motor, joint: hinge, curve: {speed: [1, 0], torque: [1, 0]}}", "forces.f.curve.speed[1]: speeds must increase, but 0 follows 1 rad/s",
    ),
    "motor curve with a formula": (
        "{type: motor, joint: hinge, curve: {speed: [0, w0], torque: [1, 0]}}", "forces.f.curve.speed[1]: a curve is made of numbers, but `w0` is a formula",
    ),
    "torsional spring between bodies without axis": (
        "{type: torsional_spring, bodies: [ground, bob], stiffness: 1}", "`axis` is missing: `bob` is not a rotor, which would have an axis of its own",
    ),
    "torsional spring on nothing": ("{type: torsional_spring, stiffness: 1}", "acts on a `joint` or between two `bodies`: give one of them"),
    "spring to itself": ("{type: spring, bodies: [bob, bob], point_a: [0,0,0], point_b: [1,0,0], stiffness: 1}", "connects `bob` to itself; a spring needs"),
    "negative stiffness": (
        "{type: spring, bodies: [ground, bob], point_a: [0,0,0], point_b: [1,0,0], stiffness: -1}", "forces.f.stiffness: must not be negative, but is -1 N/m",
    ),
    "bushing direction": (
        "{type: bushing, bodies: [ground, bob], point: [0,0,0], damping: [1, -1, 1]}", "forces.f.damping[1]: must not be negative, but is -1",
    ),
    "restitution": ("{type: contact, a: {body: bob}, b: {}, law: {type: restitution, coefficient: 1.2}}", "law.coefficient: must be between 0 and 1, but is 1.2"),
    "contact stiffness by exponent": (
        "{type: contact, a: {body: bob}, b: {}, law: {type: compliant, exponent: 1.5, stiffness: 1e9 N/m}}",
        "law.stiffness: needs N/m^1.5 with exponent 1.5, but is in N/m",
    ),
    "contact with itself": (
        "{type: contact, a: {body: bob}, b: {type: sphere, body: bob}, law: {type: restitution, coefficient: 0.5}}",
        "forces.f.b.body: is the body `bob` of the ball itself",
    ),
    "contact plane without normal": (
        "{type: contact, a: {body: bob}, b: {normal_in_body: [0, 0, 0]}, law: {type: restitution, coefficient: 0.5}}",
        "forces.f.b.normal_in_body: must not be zero: it has no direction",
    ),
    "contact of nobody": (
        "{type: contact, a: {body: bop}, b: {}, law: {type: restitution, coefficient: 0.5}}", "forces.f.a.body: there is no body `bop` (did you mean `bob`?)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FORCES)
def test_forces(case):
    force, message = FORCES[case]
    text = textwrap.dedent("""\
        bodies:
          bob: {mass: 1, inertia: [1, 1, 1]}
        joints:
          hinge: {type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 0, 1]}
          slide: {type: prismatic, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 0, 1]}
          tube: {type: cylindrical, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 0, 1]}
          thread: {type: screw, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 0, 1], lead: 0.01}
        forces:
        """)
    assert message in message_of(f"{text}  f: {force}\n")


def test_samples_of_a_sweep_are_bounded():
    fields = (
        "parameter: stiffness, start: 1, stop: 10, frequency: 5, signals: [hinge.angle], samples: 10000000"
    )
    text = f"{GOOD}analysis: {{type: sweep, {fields}}}\n"
    assert "analysis.samples: makes 2e+08 samples at each value, but at most 10000000 are kept" in message_of(
        text
    )


@pytest.mark.parametrize("kind", ["response", "campbell"])
def test_numbers_of_points_are_bounded(kind):
    """Ten thousand million values would fill the memory."""
    fields = {
        "response": "input: stiffness, signals: [hinge.angle], start: 1, stop: 10",
        "campbell": "parameter: stiffness, start: 1, stop: 10",
    }[kind]
    text = f"{GOOD}analysis: {{type: {kind}, {fields}, points: 10000000000}}\n"
    assert "analysis.points: must be from 2 to 1000000, but is 10000000000" in message_of(text)


def test_limits_of_fields_add_up_over_the_bases_of_a_class():
    """And a direction is checked by the type of its field, with every other problem."""

    class Stiffer(ww.Spring):
        extra: Length = 1.0
        axis: Direction | None = None
        positive = ("extra",)

    with pytest.raises(ModelError) as error:
        Stiffer(bodies=("a", "b"), stiffness=-1.0, extra=0.0, axis=(0, 0, 0))
    found = {problem.path: problem.message for problem in error.value.problems}
    assert found == {
        "Stiffer.stiffness": "must not be negative, but is -1 N/m",
        "Stiffer.extra": "must be greater than zero, but is 0 m",
        "Stiffer.axis": "must not be zero: it has no direction",
    }


def test_what_other_faults_hid_is_said_with_them():
    """Limits beside a field that cannot be read, and numbers of parameters beside mistakes elsewhere: one round."""
    text = GOOD.replace("mass: 1 kg", "mass: -1 kg\n    density: 3 m").replace(
        "stiffness: 20 N*m/rad", "stiffness: -3"
    )
    text = text.replace("name: pendulum", "nmae: pendulum")
    spring = "  soft: {type: torsional_spring, joint: hinge, stiffness: stiffness}\n"
    text = text.replace("drivers:\n", f"{spring}drivers:\n").replace("stiffness: -3", "stiffness: -3 N*m/rad")
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    found = [problem.path for problem in caught.value.problems]
    assert sorted(found) == ["bodies.bob.density", "bodies.bob.mass", "forces.soft.stiffness", "nmae"]
    with pytest.raises(ModelError) as caught:
        ww.Body(mass=-1, inertia=(1, 1, 1), position="5 mm")
    assert sorted(problem.path for problem in caught.value.problems) == ["Body.mass", "Body.position"]


def test_names_in_elements_that_cannot_be_read_are_looked_at():
    """Another body, another joint and a name that is there, in elements with another fault: one round."""
    joint = "  second: {type: revolute, bodies: [bob, bop], point: [0, 0, 0], axis: [0, 0, 0]}\n"
    spring = "  soft: {type: torsional_spring, joint: hing, stiffness: 3 m}\n"
    torque = "  twist: {type: torque, body: bob, value: [1]}\n"
    text = GOOD.replace("joints:\n", f"joints:\n{joint}").replace("forces:\n", f"forces:\n{spring}{torque}")
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    found = {problem.path: problem for problem in caught.value.problems}
    wanted = {"joints.second.axis", "joints.second.bodies[1]", "forces.soft.joint", "forces.soft.stiffness"}
    assert {path for path in found if not path.startswith("forces.twist.value")} == wanted
    assert found["joints.second.bodies[1]"].message == "there is no body or frame `bop`"
    assert "did you mean `bob`" in found["joints.second.bodies[1]"].hint
    assert found["forces.soft.joint"].message == "there is no joint `hing`"


def test_what_was_left_out_for_its_fault_is_not_missed():
    """Of three fields that belong together one cannot be read: of the others nothing is said."""
    with pytest.raises(ModelError) as caught:
        ww.ExternalMesh(
            bodies=("a", "b"),
            teeth=("x y", 40),
            phase=(0, 0),
            module="2 mm",
            profile_shift=(0, 0),
            model="compliant",
        )
    assert [problem.path for problem in caught.value.problems] == ["ExternalMesh.teeth[0]"]


def test_what_a_setting_that_cannot_be_read_hides_is_said_with_it():
    text = (
        "wheelwork: 1\nname: x\nbodies: {b: {type: rotor, inertia: 1}}\n"
        "analysis: {type: simulate, method: foo, end: -1, rtol: -2, step: 0 s}\n"
    )
    with pytest.raises(ww.ModelError) as caught:
        ww.loads(text)
    assert [problem.path for problem in caught.value.problems] == [
        "analysis.method",
        "analysis.end",
        "analysis.rtol",
        "analysis.step",
    ]
