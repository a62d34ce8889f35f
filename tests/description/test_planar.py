"""Planar mechanisms: read, raised to space, written; and shapes, frames and components in the plane."""

import math

import pytest

import wheelwork as ww
from wheelwork.description import ModelError, Orientation, dumps, flatten, loads
from wheelwork.description.values import OutOfPlane

PENDULUM = """\
wheelwork: 1
kind: planar
parameters:
  length: 0.5 m
bodies:
  bob:
    mass: 1 kg
    inertia: 0.02 kg*m^2
    position: [length, 0]
    center_of_mass: [0.1, 0]
    angle: 400 deg
    velocity: [0, 2 m/s]
    angular_velocity: 30 rpm
joints:
  hinge: {type: revolute, bodies: [ground, bob], point: [0, 0]}
forces:
  push: {type: force, body: bob, value: [1 N, 2*t]}
  twist: {type: torque, body: bob, value: 3 N*m}
"""


def test_a_body_of_the_plane_in_space():
    flat = flatten(loads(PENDULUM))
    body = flat.bodies["bob"].element
    assert flat.kind == "planar"
    assert body.position[1:] == (0.0, 0.0)
    assert body.inertia == (0.02, 0.02, 0.02)
    assert body.velocity == (0.0, 2.0, 0.0)
    assert body.angular_velocity == pytest.approx((0, 0, math.pi))
    # An orientation forgets whole turns; the angle beside it does not.
    assert body.orientation == Orientation(axis=(0, 0, 1), angle=math.radians(400))
    assert body.angle == pytest.approx(math.radians(400))


def test_nothing_written_short_is_left_behind_flattening():
    flat = flatten(loads(PENDULUM))
    for collection in (flat.bodies, flat.joints, flat.forces):
        for placed in collection.values():
            for _, field in placed.element:
                entries = field if isinstance(field, tuple) else (field,)
                assert not any(isinstance(entry, OutOfPlane) for entry in entries)


def test_joints_and_forces_of_the_plane_in_space():
    flat = flatten(loads(PENDULUM))
    assert flat.joints["hinge"].element.axis == (0.0, 0.0, 1.0)
    assert flat.joints["hinge"].element.point == (0.0, 0.0, 0.0)
    assert flat.forces["push"].element.value[2] == 0.0
    assert flat.forces["twist"].element.value == (0.0, 0.0, 3.0)


@pytest.mark.parametrize(
    ("kind", "given", "gravity"),
    [
        ("spatial", None, (0, 0, -9.80665)),
        ("planar", None, (0, -9.80665, 0)),
        ("planar", (0, 0), (0, 0, 0)),
        ("planar", (1, "-2 m/s^2"), (1, -2, 0)),
    ],
)
def test_gravity(kind, given, gravity):
    m = ww.Mechanism("m", kind=kind) if given is None else ww.Mechanism("m", kind=kind, gravity=given)
    assert (m.gravity is None) == (given is None)
    assert flatten(m).gravity == gravity


def test_what_is_written_short_is_saved_short():
    m = loads(PENDULUM)
    text = dumps(m)
    assert "position: [length, 0]\n" in text
    assert "inertia: 0.02 kg*m^2\n" in text
    assert "angular_velocity: 30 rpm\n" in text
    assert "value: 3 N*m\n" in text
    assert "value: [1 N, 2*t]\n" in text
    assert loads(text) == m
    assert dumps(loads(text)) == text


def test_the_same_in_python():
    m = ww.Mechanism("pendulum", kind="planar", parameters={"length": "0.5 m"})
    bob = ww.Body(mass=1, inertia=0.02, position=("length", 0), angular_velocity="30 rpm", angle="400 deg")
    m.add("bob", bob)
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0)))
    bob.velocity = (0, 2)
    bob.center_of_mass = (0.1, 0)
    ours, theirs = flatten(m).bodies["bob"].element, flatten(loads(PENDULUM)).bodies["bob"].element
    assert ours == theirs


def test_three_numbers_are_fine_where_they_stay_in_the_plane():
    text = PENDULUM.replace("[length, 0]", "[length, 0, 0]").replace("30 rpm", "[0, 0, 30 rpm]")
    text = text.replace("point: [0, 0]", "point: [0, 0, 0], axis: [0, 0, 2]")
    ours, theirs = flatten(loads(text)), flatten(loads(PENDULUM))
    assert ours.bodies["bob"].element == theirs.bodies["bob"].element


def test_mass_and_inertia_of_an_extruded_shape():
    shape = ww.Box(size=(0.3, 0.1, 0.02))
    m = ww.Mechanism("m", kind="planar")
    m.add("b", ww.Body(shape=shape, density=1000))
    m.add("c", ww.Body(shape=ww.Disc(radius=0.2, thickness="1 mm"), mass=3))
    flat = flatten(m)
    mass, tensor = flat.bodies["b"].element.mass_properties(float)
    assert mass == pytest.approx(0.6)
    assert tensor[2][2] == pytest.approx(0.6 * (0.3**2 + 0.1**2) / 12)
    # With the mass given, the thickness makes no difference in the plane: m r^2 / 2.
    assert flat.bodies["c"].element.mass_properties(float)[1][2][2] == pytest.approx(3 * 0.2**2 / 2)


def test_a_rotor_in_the_plane():
    m = ww.Mechanism("m", kind="planar")
    m.add("wheel", ww.Rotor(inertia=2, position=(1, 3), angle="800 deg", speed=-4))
    flat = flatten(m)
    body, bearing = flat.bodies["wheel"].element, flat.joints["wheel.bearing"].element
    assert body.position == (1, 3, 0)
    assert body.angle == pytest.approx(math.radians(800))
    assert body.angular_velocity == (0, 0, -4)
    assert bearing.frame_a.position == (1, 3, 0)
    assert bearing.frame_a.orientation == Orientation()


def test_frames_and_components_are_turned_by_an_angle():
    text = """\
kind: planar
parameters: {tilt: 30 deg}
components:
  arm:
    position: [1, 2]
    angle: tilt
    model:
      kind: planar
      parameters: {turn: 0.5}
      bodies: {link: {mass: 1, inertia: 1, angle: turn}}
      frames: {tip: {body: link, position: [0.3, 0], angle: 90 deg}}
      joints: {foot: {type: revolute, bodies: [ground, link], point: [0, 0]}}
bodies: {load: {mass: 1, inertia: 1}}
joints: {weld: {type: fixed, bodies: [arm.tip, load], frame_b: {position: [0, 1]}}}
"""
    flat = flatten(loads(text))
    placement = flat.bodies["arm.link"].placement
    assert [pose.position for pose in placement] == [(1.0, 2.0, 0.0)]
    assert placement[0].orientation.axis == (0.0, 0.0, 1.0)
    assert str(placement[0].orientation.angle) == "tilt"
    assert str(flat.bodies["arm.link"].element.orientation.angle) == "arm.turn"
    weld = flat.joints["weld"].element
    assert weld.bodies == ("arm.link", "load")
    assert weld.frame_a.position == (0.3, 0.0, 0.0)
    assert weld.frame_a.orientation.angle == pytest.approx(math.pi / 2)
    assert weld.frame_b.position == (0.0, 1.0, 0.0)


@pytest.mark.parametrize(("kind", "normal"), [("spatial", (0, 0, 1)), ("planar", (0, 1, 0))])
def test_the_floor_lies_across_gravity(kind, normal):
    inertia = 1 if kind == "planar" else (1, 1, 1)
    m = ww.Mechanism("m", kind=kind)
    m.add("ball", ww.Body(mass=1, inertia=inertia))
    law = ww.Restitution(coefficient=0.5)
    m.add("table", ww.Contact(a=ww.ContactSphere(body="ball", radius=0.1), b=ww.ContactPlane(), law=law))
    assert flatten(m).forces["table"].element.b.normal_in_body == normal


def test_forces_in_the_plane():
    text = """\
kind: planar
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1, position: [1, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, a], point: [0, 0]}
  slide: {type: prismatic, bodies: [ground, b], point: [1, 0], axis: [1, 0]}
forces:
  spring: {type: spring, bodies: [a, b], point_a: [0, 1], point_b: [1, 1], stiffness: 10}
  coil: {type: torsional_spring, bodies: [a, b], stiffness: 1}
  mount: {type: bushing, bodies: [a, b], point: [0, 0], stiffness: [1, 2], rotational_damping: 3}
  motor: {type: motor, joint: hinge, curve: {speed: [0, 1], torque: [1, 0]}}
  rub: {type: friction, joint: slide, coefficient: 0.1}
  pull: {type: actuator, joint: slide, value: 2 N}
  touch:
    type: contact
    a: {body: a, point_in_body: [0.1, 0], radius: 0.2}
    b: {point_in_body: [0, -1], normal_in_body: [1, 1]}
    law: {type: compliant, stiffness: 1e5}
"""
    flat = flatten(loads(text))
    mount = flat.forces["mount"].element
    assert mount.stiffness == (1.0, 2.0, 0.0)
    assert mount.rotational_damping == (0.0, 0.0, 3.0)
    assert flat.forces["coil"].element.axis == (0.0, 0.0, 1.0)
    assert flat.forces["spring"].element.point_b == (1.0, 1.0, 0.0)
    assert flat.forces["touch"].element.b.normal_in_body == (1.0, 1.0, 0.0)


def test_the_kind_is_checked_where_a_mechanism_made_in_python_is_used():
    m = ww.Mechanism("m")
    m.add("bob", ww.Body(mass=1, inertia=0.02))
    with pytest.raises(ModelError, match=r"bodies.bob.inertia: needs three entries, but has one number"):
        flatten(m)
