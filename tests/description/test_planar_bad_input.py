# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""What is said about mistakes in planar mechanisms, and about planar things in spatial ones: place, fault and remedy."""

import pytest

from wheelwork.description import ModelError, loads

GOOD = """\
kind: planar
parameters: {s0: 0.1}
bodies:
  bob:
    mass: 1
    inertia: 0.02
    position: [0.5, 0]
  rod: {mass: 1, inertia: 1}
  wheel: {type: rotor, inertia: 1}
joints:
  hinge: {type: revolute, bodies: [ground, bob], point: [0, 0]}
  hold: {type: relative, bodies: [bob, rod], coordinate: x, value: 1}
  cam: {type: cam_point, bodies: [bob, rod], point_a: [0, 0], point_b: [0, 1], outline: {type: polar, radius: 1}}
forces:
  push: {type: force, body: bob, value: [1, 2]}
drivers:
  turn: {type: body, body: bob, coordinate: angle, value: 2*t}
"""

SPATIAL = """\
bodies:
  bob: {mass: 1, inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 0, 1]}
drivers:
  move: {type: body, body: bob, coordinate: x, value: 2*t}
"""

# fmt: off
# what to replace, with what, and what is said about it
IN_THE_PLANE = {
    "a point off the plane": ("[0.5, 0]", "[0.5, 0, 0.1]", "m.yaml:7:15: bodies.bob.position: lies outside the x-y plane: its third entry is 0.1 (give two numbers)"),
    "a formula off the plane": ("[0.5, 0]", "[0.5, 0, 2*s0]", "m.yaml:7:15: bodies.bob.position: lies outside the x-y plane: its third entry is `2*s0`"),
    "gravity off the plane": ("kind: planar", "kind: planar\ngravity: [0, 0, -9.81]", "m.yaml:2:10: gravity: lies outside the x-y plane: its third entry is -9.81"),
    "a force off the plane": ("value: [1, 2]", "value: [1, 2, {time: [0, 1], value: [1, 2]}]", "forces.push.value: lies outside the x-y plane: its third entry is a table"),
    "a turn that is not about z": ("position: [0.5, 0]", "angular_velocity: [1, 0, 2]", "m.yaml:7:23: bodies.bob.angular_velocity: in a planar mechanism needs one number, about z (such as 2)"),
    "three moments of inertia": ("0.02", "[0.1, 0.1, 0.1]", "m.yaml:6:14: bodies.bob.inertia: in a planar mechanism needs one number, about z (such as 0.1)"),
    "a matrix of inertia": ("0.02", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "bodies.bob.inertia: in a planar mechanism needs one moment of inertia, about z, but is a matrix"),
    "a negative moment": ("0.02", "-0.02", "m.yaml:6:14: bodies.bob.inertia: must be positive definite"),
    "a hinge that is not about z": ("point: [0, 0]}", "point: [0, 0], axis: [0, 1, 0]}", "joints.hinge.axis: in a planar mechanism this axis is z, [0, 0, 1] (leave it out)"),
    "a hinge with two numbers": ("point: [0, 0]}", "point: [0, 0], axis: [0, 1]}", "joints.hinge.axis: in a planar mechanism this axis is z"),
    "a hinge about -z": ("point: [0, 0]}", "point: [0, 0], axis: [0, 0, -1]}", "joints.hinge.axis: in a planar mechanism this axis is z"),
    "an orientation": ("position: [0.5, 0]", "orientation: {rotation_vector: [0, 0, 1]}", "m.yaml:7:5: bodies.bob.orientation: in a planar mechanism everything turns about z (give `angle` instead)"),
    "an orientation of a frame": ("point: [0, 0]}", "frame_a: {orientation: {bryant_xyz: [0, 0, 1]}}, frame_b: {}}", "joints.hinge.frame_a.orientation: in a planar mechanism everything turns about z"),
    "a joint of space": ("{type: revolute, bodies: [ground, bob], point: [0, 0]}", "{type: spherical, bodies: [ground, bob], point: [0, 0]}", "m.yaml:11:17: joints.hinge.type: a `spherical` joint is for spatial mechanisms, but this one is planar (use `revolute`)"),
    "a slider without a direction": ("type: revolute", "type: prismatic", "joints.hinge.axis: `axis` is missing beside `point`"),
    "three coordinates": ("coordinate: angle", "coordinate: z", "drivers.turn.coordinate: a planar mechanism has `x`, `y` or `angle`, but not `z`"),
    "one number": ("[0.5, 0]", "[0.5]", "m.yaml:7:15: bodies.bob.position: needs 3 entries (2 in a planar mechanism), but has 1"),
    "the wrong dimension of one number": ("position: [0.5, 0]", "angular_velocity: 3 kg", "m.yaml:7:23: bodies.bob.angular_velocity: needs an angular speed (such as `3000 rpm`), but `3 kg` is a mass"),
    "a rotor with an axis of its own": ("type: rotor,", "type: rotor, axis: [1, 0, 0],", "bodies.wheel.axis: in a planar mechanism this axis is z"),
    "a spatial component": ("drivers:", "components: {c: {model: {bodies: {b: {mass: 1, inertia: [1, 1, 1]}}}}}\ndrivers:", "components.c: is a spatial mechanism, but stands in a planar one (a component needs `kind: planar` too)"),
    "an angle held by a length": ("coordinate: x, value: 1", "coordinate: angle, value: 1 m", "joints.hold.value: needs an angle (such as `20 deg`), but `1 m` is a length (the coordinate is angle)"),
    "a length held by an angle": ("coordinate: x, value: 1", "coordinate: x, value: 1 rad", "joints.hold.value: needs a length (such as `15 mm`), but `1 rad` is an angle (the coordinate is x)"),
    "an angle with a point": ("coordinate: x, value: 1", "coordinate: angle, point_a: [0, 0], point_b: [1, 0]", "joints.hold.point_a: belongs to `x` and `y`; the angle of a body is the same at all of its points"),
    "an angle with a frame": ("coordinate: x, value: 1", "coordinate: angle, frame_a: {angle: 1}", "joints.hold.frame_a: belongs to `x` and `y`"),
    "an angle of an attachment frame": ("[bob, rod], coordinate: x, value: 1}\n  cam: {type: cam_point, bodies: [bob, rod], point_a: [0, 0], point_b: [0, 1], outline: {type: polar, radius: 1}}", "[bob, tip], coordinate: angle}\nframes: {tip: {body: rod, angle: 1}}", "joints.hold.bodies[1]: is an attachment frame, but the angle is that of the body"),
    "half of two points": ("coordinate: x, value: 1", "coordinate: x, point_a: [0, 0]", "joints.hold.point_b: `point_b` is missing beside `point_a`"),
    "an absolute joint of ground": ("{type: relative, bodies: [bob, rod], coordinate: x, value: 1}", "{type: absolute, body: ground, coordinate: x}", "joints.hold.body: needs a body that moves, but `ground` does not"),
    "an absolute joint placed twice": ("{type: relative, bodies: [bob, rod], coordinate: x, value: 1}", "{type: absolute, body: bob, coordinate: x, point: [0, 0], frame: {position: [0, 0]}}", "joints.hold.frame: is placed twice: by `point` and by `frame`"),
    "no such coordinate": ("coordinate: x, value: 1", "coordinate: phi", "joints.hold.coordinate: needs `x`, `y` or `angle`, but is `phi`"),
    "a driven angle in metres": ("value: 2*t", "value: 2 m", "drivers.turn.value: needs an angle (such as `20 deg`), but `2 m` is a length (the coordinate is angle)"),
    "a driven angle in a table of metres": ("value: 2*t", "value: {time: [0, 1], value: [0, 2 m]}", "drivers.turn.value.value[1]: needs an angle"),
    "a driven angle with a point": ("value: 2*t", "value: 2*t, point_in_body: [1, 0]", "drivers.turn.point_in_body: the angle of a body is the same at all of its points"),
    "a distance of nothing": ("{type: body, body: bob, coordinate: angle, value: 2*t}", "{type: distance, bodies: [bob, rod], point_a: [0, 0], point_b: [1, 0], value: -1}", "drivers.turn.value: a distance must be greater than zero, but is -1 m"),
    "a driver without a place": ("{type: body, body: bob, coordinate: angle, value: 2*t}", "{type: distance, bodies: [bob, rod], value: 1}", "drivers.turn: has no place: needs `point_a` and `point_b`, or `frame_a` and `frame_b`"),
    "a rotation to itself": ("{type: body, body: bob, coordinate: angle, value: 2*t}", "{type: rotation, bodies: [bob, bob], value: 1}", "drivers.turn.bodies: connects `bob` to itself; a driver needs two different bodies"),
    "a rotor for a joint": ("{type: body, body: bob, coordinate: angle, value: 2*t}", "{type: joint, joint: wheel, value: 1}", "m.yaml:17:30: drivers.turn.joint: `wheel` is a rotor, not a joint (its joint is `wheel.bearing`)"),
    "an actuator on a rotor": ("{type: force, body: bob, value: [1, 2]}", "{type: actuator, joint: wheel, value: 1}", "forces.push.joint: `wheel` is a rotor, not a joint (its joint is `wheel.bearing`)"),
    "a roller of no size": ("outline:", "radius: -1 mm, outline:", "joints.cam.radius: must not be negative, but is -0.001 m"),
    "no direction": ("outline:", "reference_a: [0, 0], outline:", "joints.cam.reference_a: must not be zero: it has no direction"),
    "an open cam": ("{type: cam_point, bodies: [bob, rod], point_a: [0, 0], point_b: [0, 1], outline: {type: polar, radius: 1}}", "{type: cam_flat, bodies: [bob, rod], point_a: [0, 0], point_b: [0, 1], direction: [1, 0], outline: {type: formula, x: s, y: 0, closed: false}}", "joints.cam.outline.closed: a cam has a closed outline; an open curve is for `cam_point`"),
    "a follower without a face": ("cam_point", "cam_flat", "joints.cam.direction: `direction` is missing beside `point_a`"),
}

IN_SPACE = {
    "two numbers": ("point: [0, 0, 0]", "point: [0, 0]", "m.yaml:4:57: joints.hinge.point: needs three entries, but has two numbers (fewer are enough only in a planar mechanism (`kind: planar`))"),
    "one moment of inertia": ("[1, 1, 1]", "1", "m.yaml:2:27: bodies.bob.inertia: needs three entries, but has one number"),
    "gravity": ("bodies:\n", "gravity: [0, -9.81]\nbodies:\n", "m.yaml:1:10: gravity: needs three entries, but has two numbers"),
    "a hinge without an axis": (", axis: [0, 0, 1]", "", "m.yaml:4:3: joints.hinge.axis: `axis` is missing beside `point`"),
    "an angle": ("mass: 1", "mass: 1, angle: 1", "m.yaml:2:18: bodies.bob.angle: is for planar mechanisms, but this one is spatial (give `orientation`, or say `kind: planar`)"),
    "an angle of a frame": ("point: [0, 0, 0], axis: [0, 0, 1]", "frame_a: {angle: 1}, frame_b: {}", "joints.hinge.frame_a.angle: is for planar mechanisms, but this one is spatial"),
    "a joint of the plane": ("{type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 0, 1]}", "{type: absolute, body: bob, coordinate: x}", "m.yaml:4:17: joints.hinge.type: an `absolute` joint is for planar mechanisms, but this one is spatial"),
    "a driver of the plane": ("{type: body, body: bob, coordinate: x, value: 2*t}", "{type: rotation, bodies: [ground, bob], value: t}", "drivers.move.type: a `rotation` driver is for planar mechanisms, but this one is spatial (drive the angle of a joint)"),
    "an angle of a body": ("coordinate: x", "coordinate: angle", "drivers.move.coordinate: a spatial mechanism has `x`, `y` or `z`, but not `angle` (an angle in space is that of a joint)"),
    "a planar component": ("drivers:", "components: {c: {model: {kind: planar, bodies: {b: {mass: 1, inertia: 1}}}}}\ndrivers:", "components.c: is a planar mechanism, but stands in a spatial one (a component needs `kind: spatial` too)"),
}
# fmt: on


def message_of(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    return str(caught.value)


@pytest.mark.parametrize("case", IN_THE_PLANE)
def test_in_the_plane(case):
    old, new, message = IN_THE_PLANE[case]
    assert GOOD.count(old) >= 1
    assert message in message_of(GOOD.replace(old, new, 1))


@pytest.mark.parametrize("case", IN_SPACE)
def test_in_space(case):
    old, new, message = IN_SPACE[case]
    assert SPATIAL.count(old) >= 1
    assert message in message_of(SPATIAL.replace(old, new, 1))


def test_without_the_mistakes_both_are_read():
    loads(GOOD)
    loads(SPATIAL)


def test_a_misspelt_kind_is_the_only_thing_said():
    assert message_of(GOOD.replace("planar", "plannar")) == (
        "m.yaml:1:7: kind: needs `spatial` or `planar`, but is `plannar` (did you mean `planar`?)"
    )


def test_every_mistake_is_reported_at_once():
    text = (
        GOOD.replace("0.02", "[1, 1, 1]")
        .replace("[0.5, 0]", "[0.5, 0, 1]")
        .replace("type: revolute", "type: screw, lead: 1")
    )
    assert len(message_of(text).splitlines()) == 1 + 3
