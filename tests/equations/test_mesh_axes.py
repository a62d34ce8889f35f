# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""Axes of meshes: which joints carry the wheels."""

import math

import numpy as np
import pytest

import wheelwork as ww

from .mesh_models import PARALLEL, Resolved, message_of

# -- axes

STAGE = """
parameters: {m: 2 mm, zs: 20, zp: 30}
bodies:
  sun: {type: rotor, inertia: 1}
  carrier: {type: rotor, inertia: 1}
  ring: {type: rotor, inertia: 1}
  planet: {mass: 1, inertia: [1, 1, 1], position: [(zs + zp)*m/2, 0, 0.01]}
joints:
  pin: {type: revolute, bodies: [carrier, planet], point: [(zs + zp)*m/2, 0, 0], axis: [0, 0, -1]}
  second-pin: {type: cylindrical, bodies: [carrier, planet], point: [(zs + zp)*m/2, 0, 1], axis: [0, 0, 3]}
meshes:
  sun-planet: {type: external, bodies: [sun, planet], teeth: [zs, zp], module: m}
  planet-ring: {type: internal, bodies: [planet, ring], ratio: (2*zp + zs)/zp}
  planet-ground: {type: internal, bodies: [planet, ground], teeth: [zp, 2*zp + zs], module: m}
  ground-planet: {type: external, bodies: [ground, planet], teeth: [zs, zp]}
"""


def test_planets_sit_on_their_pins():
    assert Resolved(STAGE, "sun-planet").joints == ("sun.bearing", "pin")
    assert Resolved(STAGE, "planet-ring").joints == ("pin", "ring.bearing")
    fixed = Resolved(STAGE, "planet-ground")
    assert (fixed.joints, fixed.carrier) == (("pin", "carrier.bearing"), "carrier")
    assert fixed.frames[0][0] == pytest.approx([50e-3, 0, 0.01])  # the planet's plane
    turned = Resolved(STAGE, "ground-planet")
    assert turned.frames[0][0] == pytest.approx([0, 0, 0.01])  # ground has none of its own
    assert fixed.frames[1][1][:, 2] == pytest.approx(fixed.frames[0][1][:, 2])  # z in the same sense


def test_a_pair_with_a_common_carrier_is_preferred():
    text = """
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
  arm: {mass: 1, inertia: [1, 1, 1]}
joints:
  to-ground: {type: revolute, bodies: [ground, a], point: [1, 0, 0], axis: [0, 0, 1]}
  on-arm: {type: revolute, bodies: [a, arm], point: [0, 0, 0], axis: [0, 0, 1]}
  other: {type: revolute, bodies: [b, arm], point: [60 mm, 0, 0], axis: [0, 0, 1]}
meshes:
  m: {type: external, bodies: [a, b], ratio: 2}
"""
    m = Resolved(text)
    assert (m.joints, m.carrier) == (("on-arm", "other"), "arm")


WELDED = """
bodies:
  shaft: {mass: 1, inertia: [1, 1, 1]}
  gear: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 40 mm]}
  wheel: {type: rotor, inertia: 1, position: [60 mm, 0, 0]}
joints:
  bearing: {type: revolute, bodies: [ground, shaft], point: [0, 0, 0], axis: [0, 0, 1]}
%s
meshes:
  m: {type: external, bodies: [gear, wheel], ratio: 2}
"""
KEY = "  key: {type: fixed, bodies: [shaft, gear]}"
FACES = "\n".join(
    f"  face{k}: {{type: planar, bodies: [shaft, gear], point: [0, 0, 0], axis: {axis}}}"
    for k, axis in enumerate(("[1, 0, 0]", "[1, 1, 0]", "[0, 0, 1]"))
)


@pytest.mark.parametrize("joints", [KEY, FACES])
def test_a_gear_held_on_a_shaft_is_carried_by_its_bearings(joints):
    m = Resolved(WELDED % joints)
    assert m.joints == ("bearing", "wheel.bearing")
    assert m.frames[0][0] == pytest.approx([0, 0, 40e-3], abs=1e-15)


def test_two_faces_do_not_hold_a_gear():
    assert "no revolute, cylindrical or screw joint or bearing carries `gear`" in message_of(
        WELDED % FACES.rpartition("\n")[0]
    )


@pytest.mark.parametrize(
    "place",
    [
        "joints: [a.bearing, b.bearing]",
        "point_a: [1, 0, 0], axis_a: [0, 1, 1]",
        "point_b: [1.06, 0, 0], axis_b: [0, 2, 2]",
        "frame_a: {orientation: {rotation_vector: [-pi/4, 0, 0]}}",
    ],
)
def test_axes_may_be_given(place):
    m = Resolved(PARALLEL % f"type: external, ratio: 2, {place}")
    assert m.distance == pytest.approx(60e-3)
    assert m.frames[0][0] == pytest.approx([1, 0, 0], abs=1e-12)
    assert m.frames[0][1][:, 2] == pytest.approx([0, math.sqrt(0.5), math.sqrt(0.5)])


SHAFTS = """
gravity: [0, 0, 0]
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1], position: [60 mm, 0, 0]}
joints:
  one: {type: revolute, bodies: [ground, a], point: [0, 0, 0], axis: [0, 0, 1]}
  two: {type: revolute, bodies: [ground, b], point: [60 mm, 0, 0], axis: [0, 0, 1]}
forces:
  push: {type: torque, body: a, value: [0, 0, 6 N*m]}
meshes:
  m: {type: external, bodies: [a, b], teeth: [20, 40], module: 2 mm, %s}
"""


@pytest.mark.parametrize(
    "place",
    ["point_a: [0, 0, 30 mm]", "point_b: [60 mm, 0, 30 mm]", "joints: [one, two], point_a: [0, 0, 30 mm]"],
)
def test_a_point_alone_is_the_centre_on_the_axis_of_the_joint(place):
    """Bearings see the couple of the tooth force at that height: 30 mm times F_t, which lies along y."""
    r = ww.loads(SHAFTS % place).simulate(end=0.01, output=1)
    force = float(r["m.force.tangential"][-1])
    # inertias 1 and 1, ratio 2: F_t = (T/r_a) / (1 + 2^2 J_a/J_b)
    assert abs(force) == pytest.approx(6 / 0.02 / 5, rel=1e-9)
    assert abs(float(r["one.reaction.torque.x"][-1])) == pytest.approx(0.03 * abs(force), rel=1e-6)


def test_a_point_beside_the_axis_is_refused():
    with pytest.raises(ww.ModelError, match=r"`point_a` is 1 mm beside the axis of `a` \(joint `one`\)"):
        ww.loads(SHAFTS % "point_a: [0, 1 mm, 30 mm]").check()


def test_inside_a_component():
    inner = (PARALLEL % "type: external, ratio: 2, point_a: [1, 0, 0], axis_a: [0, 1, 1]").replace(
        "\n", "\n      "
    )
    text = f"components:\n  c:\n    position: [0, 7, 0]\n    orientation: {{axis: [0, 0, 1], angle: 90 deg}}\n    model:{inner}"
    m = Resolved(text, "c.m")
    assert m.geometry.bodies == ("c.a", "c.b")
    assert m.joints == (None, "c.b.bearing")
    assert m.frames[0][0] == pytest.approx([0, 8, 0])
    assert m.frames[1][0] == pytest.approx([0, 8.06, 0])


def test_an_attachment_frame_places_a_wheel():
    text = (PARALLEL % "type: external, ratio: 2").replace("bodies: [a, b]", "bodies: [seat, b]")
    m = Resolved(
        text
        + "frames: {seat: {body: a, position: [0, 0.1, 0.1], orientation: {rotation_vector: [-pi/4, 0, 0]}}}"
    )
    assert m.geometry.bodies == ("a", "b")
    assert m.frames[0][0] == pytest.approx([1, 0.1, 0.1])


def test_planar_meshes_are_those_of_space_with_z_up():
    text = """
kind: planar
bodies:
  a: {type: rotor, inertia: 1}
  b: {type: rotor, inertia: 1, position: [60 mm, 0]}
  r: {mass: 1, inertia: 1}
joints:
  slide: {type: prismatic, bodies: [ground, r], point: [0, -20 mm], axis: [1, 0]}
meshes:
  m: {type: external, bodies: [a, b], teeth: [20, 40]}
  given: {type: external, bodies: [a, b], teeth: [20, 40], point_a: [0, 0], point_b: [60 mm, 0]}
  rack: {type: rack, bodies: [a, r], teeth: 20, module: 2 mm}
"""
    for name in ("m", "given"):
        m = Resolved(text, name)
        assert m.contact == pytest.approx([20e-3, 0, 0])
        assert all(axes[:, 2] == pytest.approx([0, 0, 1]) for _, axes in m.frames)
    rack = Resolved(text, "rack")
    assert rack.contact == pytest.approx([0, -20e-3, 0], abs=1e-15)
    assert rack.frames[1][1] == pytest.approx(np.eye(3), abs=1e-15)


FREE = """
kind: planar
bodies:
  wheel: {mass: 1, inertia: 1, position: [5 mm, 20 mm]}
meshes:
  m: {type: rack, bodies: [wheel, ground], point_b: [0, 0], axis_b: [-1, 0], %s}
"""


def test_a_pinion_may_lie_free_on_a_rack_that_holds_its_distance():
    m = Resolved(FREE % "holds_distance: true")
    assert m.geometry.holds_distance
    assert m.r_a == pytest.approx(20e-3)
    assert m.contact == pytest.approx([5e-3, 0, 0], abs=1e-15)
    assert "no revolute, cylindrical or screw joint or bearing carries `wheel`" in message_of(
        FREE % "teeth: 20"
    )


HELD = """
kind: planar
bodies:
  pinion: {mass: 1, inertia: 1}
  wheel: {mass: 1, inertia: 1, position: [60 mm, 0]}
joints:
  bearing: {type: revolute, bodies: [ground, pinion], point: [0, 0]}
  key: {type: fixed, bodies: [ground, wheel], point: [60 mm, 0]}
meshes:
  m: {type: external, bodies: [pinion, %s], teeth: [20, 40], module: 2 mm, %s}
"""


@pytest.mark.parametrize("held", ["wheel", "ground"])
def test_the_axis_of_a_held_wheel_is_enough(held):
    """The pinion turns in the held wheel itself: its joint was taken for neither's axis."""
    m = Resolved(HELD % (held, "point_b: [60 mm, 0]"))
    assert m.contact == pytest.approx([20e-3, 0, 0])
    assert m.geometry.joints == ("bearing", None)
    assert "give the axis of the wheel that is held" in message_of(HELD % (held, "pressure_angle: 20 deg"))
    assert "`point_b` and `axis_b`" in message_of(HELD % (held, "point_a: [0, 0]"))


def test_a_held_wheel_of_springs_yields_by_hand():
    """10 N m on a pinion whose teeth (1e8 N/m along the line of action) press on a wheel that is held."""
    m = ww.Mechanism("held", kind="planar", gravity=(0, 0))
    m.add("pinion", ww.Body(mass=1, inertia=1e-3))
    m.add("bearing", ww.Revolute(bodies=("ground", "pinion"), point=(0, 0)))
    teeth = {"teeth": (20, 40), "module": 0.002, "point_b": (0.06, 0)}
    model = ww.CompliantTeeth(stiffness=1e8, law="linear")
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "ground"), **teeth, model=model))
    m.add("load", ww.Actuator(joint="bearing", value=10))
    angle = float(m.equilibrium()["bearing.angle"])
    assert angle == pytest.approx(10 / (1e8 * (0.02 * np.cos(np.radians(20))) ** 2), rel=1e-6)


PLANETARY_OF_SHAFTS = """
wheelwork: 1
parameters: {m: 2 mm, zs: 20, zp: 26, r: (zs + zp)*m/2}
bodies:
  sun:
    type: shaft
    sections: [{length: 100 mm, diameter: 20 mm}]
    wheels: {teeth: {at: 80 mm, diameter: zs*m, width: 20 mm}}
    bearings: {left: {at: 10 mm}, right: {at: 50 mm}}
    speed: 60
  carrier:
    type: shaft
    position: [100 mm, 0, 0]
    sections: [{length: 80 mm, diameter: 30 mm}]
    bearings: {left: {at: 30 mm}, right: {at: 70 mm}}
  planet:
    type: shaft
    position: [70 mm, r, 0]
    sections: [{length: 20 mm, diameter: zp*m}]
    housing: carrier
meshes:
  inner: {type: external, bodies: [sun.teeth, planet], teeth: [zs, zp], module: m}
  outer: {type: internal, bodies: [planet, ground], teeth: [zp, zs + 2*zp], module: m}
"""


def test_a_ring_on_the_ground_has_the_axis_of_the_carriers_bearings():
    """Willis: 1 + 72/20 = 4.6. Such bearings said nothing about axes: `point_b` and `axis_b` were asked for."""
    m = ww.loads(PLANETARY_OF_SHAFTS)
    start = m.assemble()
    assert float(start["sun.w.x"]) == pytest.approx(60, rel=1e-9)
    assert float(start["carrier.w.x"]) == pytest.approx(60 / 4.6, rel=1e-9)
    assert m.check().freedoms_by_rank == 1
