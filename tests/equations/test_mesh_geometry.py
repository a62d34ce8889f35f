# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""Geometry of meshes: against no slip of material points, the paper's formulas, and what users get wrong."""

import math
from fractions import Fraction

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wheelwork.equations.context import Registry
from wheelwork.equations.frames import BodyFrame, Marker
from wheelwork.equations.mesh_geometry import resolve_meshes, simplest_ratio
from wheelwork.equations.meshes import mesh_equations
from wheelwork.equations.placement import Scene
from wheelwork.equations.values import ParameterSymbols
from wheelwork.model import ModelError, flatten, loads

TAN30 = math.tan(math.radians(30))


class Resolved:
    """A mesh of a mechanism in numbers, at some values of its parameters."""

    def __init__(self, text, mesh="m", **parameters):
        flat = flatten(loads(text))
        symbols = ParameterSymbols(flat.parameters)
        self.scene = Scene(flat, symbols)
        self.geometry = resolve_meshes(Registry(flat, self.scene))[mesh]
        values = {**flat.resolve_parameters(), **parameters}
        column = ca.DM([values[name] for name in symbols.names])
        self._function = lambda e: ca.Function("f", [symbols.column], [ca.densify(ca.SX(e))])(column)
        self.joints, self.carrier = self.geometry.joints, self.geometry.carrier
        self.teeth = self.geometry.teeth
        self.numbers = {name: float(self.at(value)[0]) for name, value in self.geometry.numbers.items()}
        self.contact = self.at(self.geometry.contact)
        self.distance = float(self.at(self.geometry.distance)[0])
        self.frames = [self._frame(side) for side in range(2)]

    def at(self, expression):
        return np.array(self._function(expression)).ravel()

    def _frame(self, side):
        """Centre and axes of a wheel in the world."""
        body = self.scene.bodies[self.geometry.bodies[side]]
        record = self.geometry.markers[side]
        center = body.frame.point(record[0:3] + body.center)
        axes = ca.mtimes(body.frame.axes, ca.reshape(record[3:12], 3, 3).T)
        return self.at(center), self.at(ca.vec(axes)).reshape(3, 3).T

    def __getattr__(self, name):
        try:
            return self.numbers[name]
        except KeyError:
            raise AttributeError(name) from None

    def velocity(self, side, speed):
        """Of the wheel's material point at the contact point."""
        center, axes = self.frames[side]
        return speed * np.cross(axes[:, 2], self.contact - center)

    def tooth(self, side):
        """Direction of a helical tooth at the contact point: right-handed for a positive helix angle."""
        center, axes = self.frames[side]
        z, arm = axes[:, 2], self.contact - center
        outward = arm - z * (z @ arm)
        outward /= np.linalg.norm(outward)
        cosine, sine = (self.numbers[f"{f}_beta_{'ab'[side]}"] for f in ("cos", "sin"))
        return cosine * z + sine * np.cross(z, outward)


def message_of(text):
    with pytest.raises(ModelError) as caught:
        Resolved(text)
    return str(caught.value)


PARALLEL = """
parameters: {d: 60 mm}
bodies:
  a: {type: rotor, inertia: 1, position: [1, 0, 0], axis: [0, 1, 1]}
  b: {type: rotor, inertia: 1, position: [1 + d, 0.3, 0.3], axis: [0, -1, -1]}
meshes:
  m: {bodies: [a, b], %s}
"""
MEETING = """
bodies:
  a: {type: rotor, inertia: 1, position: [0, 0, 50 mm]}
  b: {type: rotor, inertia: 1, position: [40 mm, 0, %s], axis: [-1, 0, %s]}
meshes:
  m: {type: bevel, bodies: [a, b], %s}
"""
CROSSING = """
bodies:
  a: {type: rotor, inertia: 1, position: [0, 0, 50 mm]}
  b: {type: rotor, inertia: 1, position: [60 mm, 0.2, %s], axis: [0, 1, %s]}
meshes:
  m: {bodies: [a, b], %s}
"""
RACK = """
bodies:
  a: {type: rotor, inertia: 1, position: [5 mm, 0, 0]}
  b: {mass: 1, inertia: [1, 1, 1], position: [0, -30 mm, 0]}
joints:
  slide: {type: prismatic, bodies: [ground, b], point: [1, -20 mm, 1], axis: [2, 0, 0]}
meshes:
  m: {type: rack, bodies: [a, b], %s}
"""


# -- the contact point, and no slip there


@pytest.mark.parametrize(
    ("text", "sense"),
    [
        (PARALLEL % "type: external, teeth: [20, 40], module: 2 mm", -1),
        (PARALLEL % "type: external, ratio: 0.7, helix_angle: -20 deg", -1),
        (PARALLEL % "type: external, teeth: [20, 37]", -1),
        (PARALLEL % "type: internal, radii: [30 mm, 90 mm]", 1),
        (PARALLEL % "type: internal, ratio: 1.7", 1),
        (MEETING % (0, 0, "teeth: [13, 31]"), -1),
        (MEETING % ("20 mm", -0.5, "teeth: [13, 31], module: 2 mm"), -1),
        (MEETING % ("-20 mm", 0.5, "ratio: 1.3, radii: [10 mm, 13 mm], face_width: 5 mm"), -1),
    ],
)
def test_wheels_roll_at_the_contact_point(text, sense):
    m = Resolved(text)
    for (center, axes), radius in zip(m.frames, (m.r_a, m.r_b), strict=True):
        arm = m.contact - center
        assert np.linalg.norm(arm) == pytest.approx(radius, rel=1e-12)
        assert arm @ axes[:, 2] == pytest.approx(0, abs=1e-15)
    z_a, z_b = m.teeth
    assert m.velocity(0, z_b) == pytest.approx(m.velocity(1, sense * z_a), abs=1e-12)
    assert m.pitch == pytest.approx(2 * math.pi * m.r_a / z_a, rel=1e-14)
    assert m.pitch == pytest.approx(2 * math.pi * m.r_b / z_b, rel=1e-14)
    assert m.geometry.ratio == z_b / z_a


@pytest.mark.parametrize(
    "text",
    [
        CROSSING % (0, 0, "type: crossed, teeth: [12, 30], helix_angles: [50 deg, 40 deg]"),
        CROSSING % (0, 0, "type: crossed, teeth: [12, 30], helix_angles: [-50 deg, -40 deg]"),
        CROSSING % (0, TAN30, "type: crossed, ratio: 2, helix_angles: [50 deg, 10 deg]"),
        CROSSING % (0, -TAN30, "type: crossed, ratio: 2, helix_angles: [-70 deg, 10 deg]"),
        CROSSING % (0, -TAN30, "type: crossed, ratio: 2, helix_angles: [80 deg, 40 deg]"),
        CROSSING % (0, 0, "type: worm, teeth: [2, 41], module: 2 mm"),
        CROSSING % (0, 0, "type: worm, teeth: [2, 41], lead_angle: 8 deg, hand: left"),
    ],
)
def test_crossed_teeth_agree_and_do_not_slip_along_their_normal(text):
    m = Resolved(text)
    for (center, axes), radius in zip(m.frames, (m.r_a, m.r_b), strict=True):
        assert np.linalg.norm(np.cross(axes[:, 2], m.contact - center)) == pytest.approx(radius, rel=1e-6)
    assert m.r_a + m.r_b == pytest.approx(m.distance, rel=1e-12)
    tau = m.tooth(0)
    assert m.tooth(1) == pytest.approx(tau, abs=1e-12)
    outward = (m.frames[1][0] - m.frames[0][0]) / m.distance
    normal = np.cross(outward, tau)
    z_a, z_b = m.teeth
    gap = m.velocity(0, z_b) - m.velocity(1, -z_a)
    assert gap @ normal == pytest.approx(0, abs=1e-12)
    assert abs(gap @ tau) > 0.01  # they slide along the tooth
    assert m.pitch == pytest.approx(2 * math.pi * m.r_b / z_b, rel=1e-12)
    assert m.pitch * m.cos_beta_b == pytest.approx(2 * math.pi * m.r_a * m.cos_beta_a / z_a, rel=1e-12)


@pytest.mark.parametrize(("hand", "sign"), [("right", 1), ("left", -1)])
def test_a_right_handed_worm_draws_the_wheel_like_a_screw_its_nut(hand, sign):
    m = Resolved(CROSSING % (0, 0, f"type: worm, teeth: [2, 41], module: 2 mm, hand: {hand}"))
    lead = 2 * math.pi * 2e-3
    wheel = m.velocity(1, -m.teeth[0] / m.teeth[1])
    # a nut on a right-handed screw that turns about +z and stays where it is moves along -z
    assert wheel == pytest.approx(-sign * lead / (2 * math.pi) * m.frames[0][1][:, 2], abs=1e-15)


def test_rack():
    m = Resolved(RACK % "teeth: 20, module: 2 mm")
    assert (m.teeth, m.r_a, m.joints) == ((20, 0), pytest.approx(20e-3), ("a.bearing", "slide"))
    assert m.contact == pytest.approx([5e-3, -20e-3, 0], abs=1e-15)
    (center, wheel), (origin, axes) = m.frames
    assert m.velocity(0, 3.0) == pytest.approx(3.0 * m.r_a * axes[:, 0], abs=1e-15)
    assert axes[:, 2] == pytest.approx(wheel[:, 2])
    assert (center - origin) @ axes[:, 1] == pytest.approx(m.r_a)
    assert Resolved(RACK % "radius: 20 mm, module: 2 mm").teeth == (20, 0)
    free = Resolved(RACK % "")
    assert free.r_a == pytest.approx(20e-3)
    assert free.pitch == pytest.approx(2 * math.pi * 20e-3)


@pytest.mark.parametrize("fields", ["", ", crossed: true"])
def test_belt(fields):
    m = Resolved(PARALLEL % f"type: belt, teeth: [20, 30], pitch: 5 mm{fields}")
    assert 2 * math.pi * np.array([m.r_a, m.r_b]) == pytest.approx([0.1, 0.15])
    assert m.sign == (-1 if fields else 1)
    assert Resolved(PARALLEL % "type: belt, radii: [10 mm, 24.3 mm]").teeth == (100, 243)


@pytest.mark.parametrize(
    "text",
    [
        PARALLEL % "type: external, teeth: [20, 40], module: 2 mm",
        PARALLEL % "type: internal, ratio: 2, helix_angle: 10 deg",
        PARALLEL % "type: belt, radii: [10 mm, 20 mm]",
        RACK % "teeth: 20",
        MEETING % (0, 0, "teeth: [13, 31]"),
        CROSSING % (0, 0, "type: worm, teeth: [2, 41], module: 2 mm"),
        CROSSING % (0, 0, "type: crossed, teeth: [12, 30], helix_angles: [50 deg, 40 deg]"),
    ],
)
def test_numbers_and_markers_are_those_the_equations_take(text):
    m = Resolved(text)
    equations = mesh_equations(m.geometry.type, helical=m.geometry.helical)
    assert set(equations.extras) == {*m.numbers, "phase"}
    still = ca.SX(3, 1)
    wheels = [
        Marker(BodyFrame(still, ca.SX.eye(3), still, still), ca.SX(center), ca.SX(axes))
        for center, axes in m.frames
    ]
    x = {name: ca.SX(value) for name, value in m.numbers.items()}
    assert np.array(ca.DM(equations.contact_point(*wheels, x)))[:, 0] == pytest.approx(m.contact, abs=1e-15)


# -- sizes


def test_radii_from_ratio_and_distance_as_in_the_paper():
    l = 60e-3
    m = Resolved(PARALLEL % "type: external, ratio: 2.5")  # (12)-(14)
    assert (m.r_a, m.r_b) == (pytest.approx(l / 3.5), pytest.approx(2.5 * l / 3.5))
    m = Resolved(PARALLEL % "type: internal, ratio: 2.5")  # (35), its i the ring: k = r_pinion/r_ring
    k = 1 / 2.5
    assert (m.r_b, m.r_a) == (pytest.approx(l / (1 - k)), pytest.approx(k * l / (1 - k)))
    m = Resolved(MEETING % ("20 mm", -0.5, "ratio: 1.3"))  # below (31), with the centres found here
    (c_a, axes_a), (c_b, axes_b) = m.frames
    a, b, l = axes_a[:, 2], axes_b[:, 2], c_b - c_a
    sine = np.linalg.norm(np.cross(a, b))
    assert m.r_a == pytest.approx(b @ l / sine, rel=1e-12)
    assert m.r_b == pytest.approx(-a @ l / sine, rel=1e-12)
    assert m.r_b == pytest.approx(1.3 * m.r_a, rel=1e-12)
    assert c_a == pytest.approx([0, 0, 50e-3], abs=1e-15)  # where the body is


def test_bevel_wheels_at_a_right_angle():
    m = Resolved(MEETING % (0, 0, "teeth: [20, 40], module: 2 mm, face_width: 10 mm"))
    cones = [math.degrees(m.at(angle)[0]) for angle in m.geometry.cone_angles]
    assert cones == pytest.approx([math.degrees(math.atan(0.5)), math.degrees(math.atan(2))])
    outer = math.hypot(20e-3, 40e-3)
    assert m.r_a == pytest.approx((outer - 5e-3) * math.sin(math.atan(0.5)))
    assert m.r_b == pytest.approx(2 * m.r_a)
    assert m.contact == pytest.approx([m.r_a, 0, m.r_b], abs=1e-15)


def test_helical_wheels_have_a_transverse_module_and_pressure_angle():
    beta = math.radians(20)
    wide = 60e-3 / math.cos(beta)
    m = Resolved(
        (PARALLEL % "type: external, teeth: [20, 40], module: 2 mm, helix_angle: 20 deg").replace(
            "60 mm", f"{wide}"
        )
    )
    assert m.r_a == pytest.approx(20e-3 / math.cos(beta))
    assert m.tan_beta == pytest.approx(math.tan(beta))
    assert m.tan_alpha_t == pytest.approx(math.tan(math.radians(20)) / math.cos(beta))
    assert m.geometry.helical


@pytest.mark.parametrize(
    "fields",
    [
        "module: 2 mm",
        "diameter: 38 mm",
        "lead_angle: atan(4/38)",
        "module: 2 mm, diameter: 38 mm",
        "radii: [19 mm, 41 mm]",
        "radii: [19 mm, 41 mm], module: 2 mm, diameter: 38 mm, lead_angle: atan(4/38)",
    ],
)
def test_every_way_to_size_a_worm_gives_the_same(fields):
    m = Resolved(CROSSING % (0, 0, f"type: worm, teeth: [2, 41], {fields}"))
    assert (m.r_a, m.r_b) == (pytest.approx(19e-3, rel=1e-12), pytest.approx(41e-3, rel=1e-12))
    assert m.sin_beta_b / m.cos_beta_b == pytest.approx(4 / 38)
    assert m.cos_beta_a == pytest.approx(m.sin_beta_b)


def test_teeth_win_over_what_nearly_agrees():
    m = Resolved(PARALLEL % "type: external, radii: [20 mm, 40.00000003 mm], teeth: [20, 40]")
    assert m.r_b == 2 * m.r_a
    m = Resolved(PARALLEL % "type: external, ratio: 2.3333333, teeth: [15, 35]")
    assert m.r_b / m.r_a == pytest.approx(35 / 15, rel=1e-15)


def test_teeth_from_module():
    assert Resolved(PARALLEL % "type: external, ratio: 2, module: 1 mm").teeth == (40, 80)
    assert Resolved(PARALLEL % "type: internal, radii: [30 mm, 90 mm], module: 2 mm").teeth == (30, 90)
    assert Resolved(PARALLEL % "type: external, ratio: 2").teeth == (1, 2)


@given(st.integers(1, 2000), st.integers(1, 2000))
def test_the_smallest_whole_numbers_of_a_ratio(p, q):
    exact = Fraction(p, q)
    assert simplest_ratio(p / q) == (exact.denominator, exact.numerator)


@given(st.floats(1e-5, 1e5))
def test_any_ratio_has_whole_numbers(ratio):
    z_a, z_b = simplest_ratio(ratio)
    assert z_a >= 1
    assert z_b >= 1
    # beside a fraction of small numbers there is none with numbers up to a million for about a millionth
    assert abs(z_b / z_a - ratio) <= 1e-6 * ratio


def test_no_smaller_numbers_would_do():
    ratio = 0.0751 / 0.0507
    z_a, z_b = simplest_ratio(ratio)
    assert all(abs(round(ratio * n) / n - ratio) > 1e-12 * ratio for n in range(1, z_a))
    assert abs(z_b / z_a - ratio) <= 1e-12 * ratio


def test_numbers_follow_the_parameters():
    text = PARALLEL % "type: external, teeth: [20, 40]"
    m = Resolved(text, d=0.09)
    again = Resolved(text.replace("60 mm", "90 mm"))
    assert m.numbers == pytest.approx(again.numbers, rel=1e-14)
    assert m.frames[1][0] == pytest.approx(again.frames[1][0])
    assert m.r_a == pytest.approx(30e-3)


def test_teeth_may_be_parameters():
    text = (PARALLEL % "type: external, teeth: [z, 2*z], module: 2 mm").replace("{d:", "{z: 20, d:")
    assert Resolved(text).teeth == (20, 40)


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
    assert "no revolute, cylindrical or screw joint carries `gear`" in message_of(
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
    assert "no revolute, cylindrical or screw joint carries `wheel`" in message_of(FREE % "teeth: 20")


# -- what goes wrong

AMBIGUOUS = """
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  a1: {type: revolute, bodies: [ground, a], point: [0, 0, 0], axis: [0, 0, 1]}
  a2: {type: revolute, bodies: [ground, a], point: [0, 50 mm, 0], axis: [0, 0, 1]}
  b1: {type: revolute, bodies: [ground, b], point: [60 mm, 0, 0], axis: [0, 0, 1]}
  b2: {type: revolute, bodies: [ground, b], point: [60 mm, 0, 0], axis: [0, 1, 1]}
  weld: {type: spherical, bodies: [ground, b], point: [60 mm, 0, 0]}
meshes:
  m: {bodies: [a, b], %s}
"""
FAULTS = {
    "distance and module": (
        PARALLEL % "type: external, teeth: [20, 41], module: 2 mm",
        "meshes.m: the axes are 60 mm apart, but pitch radii of 20 mm + 41 mm need 61 mm (move the axes to 61 mm, or use a module of 1.96721311 mm, or give `profile_shift`)",
    ),
    "distance and radii": (
        PARALLEL % "type: internal, radii: [20 mm, 41 mm]",
        "the axes are 60 mm apart, but pitch radii of 41 mm - 20 mm need 21 mm (move the axes to 21 mm, or leave out `radii` and give `ratio`: the radii then follow from the distance)",
    ),
    "teeth and ratio": (
        PARALLEL % "type: external, teeth: [20, 41], ratio: 2",
        "meshes.m.ratio: 20 and 41 teeth make a ratio of 2.05, but `ratio` is 2 (leave one of them out, or make them agree)",
    ),
    "teeth and radii": (
        PARALLEL % "type: external, teeth: [20, 40], radii: [20 mm, 41 mm]",
        "meshes.m.radii: 20 and 40 teeth make a ratio of 2, but radii of 20 mm and 41 mm make 2.05",
    ),
    "module and radii": (
        PARALLEL % "type: external, teeth: [20, 40], radii: [20 mm, 40 mm], module: 2.5 mm",
        "meshes.m.radii: teeth and a module of 2.5 mm make a pitch radius of 25 mm for `a`, but `radii` has 20 mm (leave out `radii`, or use a module of 2 mm)",
    ),
    "module and ratio": (
        PARALLEL % "type: external, ratio: 2, module: 1.9 mm",
        "a module of 1.9 mm and a pitch radius of 20 mm make 21.0526316 teeth, which is not a whole number",
    ),
    "not parallel": (
        CROSSING % (0, 0, "type: external, ratio: 2"),
        "the axes of `a` (joint `a.bearing`) and `b` (joint `b.bearing`) are at 90 deg, but must be parallel (turn one of them; wheels whose axes meet are `bevel`, those that cross `crossed`)",
    ),
    "the same axis": (
        (PARALLEL % "type: external, ratio: 2").replace("60 mm", "0 mm"),
        "`a` (joint `a.bearing`) and `b` (joint `b.bearing`) turn about the same axis",
    ),
    "bevel on parallel axes": (
        PARALLEL % "type: bevel, ratio: 2",
        "are parallel, but must meet (wheels on parallel axes are `external`)",
    ),
    "bevel on crossing axes": (
        CROSSING % (0, 0, "type: bevel, ratio: 2"),
        "pass each other 60 mm apart, but must meet (move one of them; wheels whose axes cross without meeting are `crossed`)",
    ),
    "bevel at the apex": (
        (MEETING % (0, 0, "ratio: 2")).replace("[0, 0, 50 mm]", "[0, 0, 0]"),
        "`a` is at the apex, where the axes meet: it is not clear on which side of it its teeth are (give `point_a` and `axis_a`, the point being the wheel's centre)",
    ),
    "bevel with a hollow cone": (
        MEETING % ("-60 mm", 1.5, "teeth: [20, 60], module: 2 mm"),
        "with axes at 146.309932 deg the pitch cone of `b` has an angle of 131.957911 deg, but must have less than 90 deg",
    ),
    "bevel whose circles do not meet": (
        MEETING
        % (
            0,
            0,
            "teeth: [20, 40], point_a: [0, 0, 50 mm], axis_a: [0, 0, 1], point_b: [30 mm, 0, 0], axis_b: [1, 0, 0]",
        ),
        "the pitch circles do not meet: with `a` 50 mm from the apex, `b` must be 25 mm from it, but is at 30 mm",
    ),
    "bevel with teeth beyond the apex": (
        MEETING % (0, 0, "teeth: [20, 40], module: 2 mm, face_width: 50 mm"),
        "meshes.m.face_width: the teeth reach beyond the apex: the outer cone distance is 44.7213595 mm, but the face width 50 mm",
    ),
    "worm not square": (
        CROSSING % (0, 0.5, "type: worm, teeth: [1, 40], module: 2 mm"),
        "the axes of worm and wheel cross at 63.4349488 deg, but must at a right angle (turn one of them, or describe the pair as `crossed`)",
    ),
    "worm that meets the wheel": (
        (CROSSING % (0, 0, "type: worm, teeth: [1, 40], module: 2 mm")).replace("60 mm", "0 mm"),
        "meet, but must pass each other (wheels whose axes meet are `bevel`)",
    ),
    "worm without size": (
        CROSSING % (0, 0, "type: worm, ratio: 40"),
        "worm and wheel have no size: beside the distance of the axes one more number is needed (give `module`, `lead_angle` or `diameter`)",
    ),
    "worm too thick": (
        CROSSING % (0, 0, "type: worm, teeth: [1, 40], module: 2 mm, diameter: 50 mm"),
        "the axes are 60 mm apart, but pitch radii of 25 mm and 40 mm need 65 mm (move the axes to 65 mm, or leave out one of the sizes)",
    ),
    "worm with too large a module": (
        CROSSING % (0, 0, "type: worm, teeth: [1, 40], module: 4 mm"),
        "the axes must be more than 80 mm apart, or the module smaller",
    ),
    "worm with the wrong lead angle": (
        CROSSING % (0, 0, "type: worm, teeth: [2, 41], diameter: 38 mm, module: 2 mm, lead_angle: 5 deg"),
        "meshes.m.lead_angle: `lead_angle` is 5 deg, but pitch radii of 19 mm and 41 mm make 6.00900596 deg (leave one of the sizes out)",
    ),
    "helix angles": (
        CROSSING % (0, 0, "type: crossed, ratio: 2, helix_angles: [45 deg, 40 deg]"),
        "meshes.m.helix_angles: the axes cross at 90 deg, but helix angles of 45 deg and 40 deg make 85 deg (the helix angles, positive right-handed, must sum up to 90 deg)",
    ),
    "hands": (
        CROSSING % (0, TAN30, "type: crossed, ratio: 2, helix_angles: [-50 deg, -10 deg]"),
        "the hands are the wrong way round: change the signs of both helix angles",
    ),
    "rack off the pitch circle": (
        RACK % "teeth: 21, module: 2 mm",
        "the pitch line of `b` (joint `slide`) is 20 mm from the axis of `a`, but the pitch radius is 21 mm (move the pitch line to 21 mm, or give its place by `point_b` and `axis_b`, or use a module of 1.9047619 mm)",
    ),
    "rack through the axis": (
        (RACK % "teeth: 21").replace("-20 mm", "0"),
        "goes through the axis of `a` (joint `a.bearing`), but must touch its pitch circle",
    ),
    "rack along the axis": (
        (RACK % "").replace("[2, 0, 0]", "[1, 0, 1]"),
        "are at 45 deg, but must be at a right angle",
    ),
    "rack with contradicting sizes": (
        RACK % "teeth: 20, module: 2 mm, radius: 21 mm",
        "meshes.m.radius: 20 teeth and a module of 2 mm make a pitch radius of 20 mm, but `radius` is 21 mm (leave out `radius`, or use a module of 2.1 mm)",
    ),
    "rack in space that holds its distance": (
        RACK % "holds_distance: true",
        "meshes.m.holds_distance: is for planar mechanisms",
    ),
    "belt too short": (
        PARALLEL % "type: belt, radii: [20 mm, 41 mm], crossed: true",
        "the axes are 60 mm apart, but a crossed belt on radii of 20 mm and 41 mm needs more than 61 mm",
    ),
    "belt with contradicting sizes": (
        PARALLEL % "type: belt, radii: [10 mm, 20 mm], teeth: [20, 30]",
        "meshes.m.teeth: 20 and 30 teeth make a ratio of 1.5, but radii of 10 mm and 20 mm make 2",
    ),
    "more than one pair": (
        AMBIGUOUS % "type: external, ratio: 2",
        "meshes.m: `a` and `b` have more than one pair of parallel axes: joint `a1` and joint `b1` (parallel, 60 mm apart); joint `a2` and joint `b1` (parallel, 78.1024968 mm apart) (name the two with `joints`, or give `point_a` and `axis_a`, `point_b` and `axis_b`)",
    ),
    "no pair fits": (
        AMBIGUOUS % "type: external, radii: [10 mm, 20 mm]",
        "no joints that carry `a` and `b` have parallel axes 30 mm apart; there are joint `a1` and joint `b1` (parallel, 60 mm apart); joint `a2`",
    ),
    "joints the wrong way round": (
        AMBIGUOUS % "type: external, ratio: 2, joints: [b1, a1]",
        "meshes.m.joints: joint `b1` does not carry `a`: it connects `ground` and `b` (`joints` go in the order of `bodies`; or give `point_a` and `axis_a`)",
    ),
    "a joint without an axis": (
        AMBIGUOUS % "type: external, ratio: 2, joints: [a1, weld]",
        "meshes.m.joints: needs a revolute, cylindrical or screw joint for `b`, but `weld` is of type `spherical`",
    ),
}


@pytest.mark.parametrize(("text", "expected"), FAULTS.values(), ids=FAULTS.keys())
def test_what_is_wrong_is_said_with_numbers(text, expected):
    assert expected in message_of(text)


def test_the_size_settles_which_joints_are_meant():
    assert Resolved(AMBIGUOUS % "type: external, teeth: [20, 40], module: 2 mm").joints == ("a1", "b1")


def test_everything_wrong_is_reported_at_once():
    text = (
        PARALLEL % "type: external, teeth: [20, 41], module: 2 mm"
        + "  n: {bodies: [a, b], type: bevel, ratio: 2}\n"
    )
    assert message_of(text).startswith("2 problems")
