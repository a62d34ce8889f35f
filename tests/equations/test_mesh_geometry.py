"""Contact points of meshes: no slip of material points."""

import math

import casadi as ca
import numpy as np
import pytest

from wheelwork.equations.frames import BodyFrame, Marker

from .mesh_models import CROSSING, MEETING, PARALLEL, RACK, TAN30, Resolved

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
    equations = m.geometry.equations
    assert set(equations.extras) == {*m.numbers, "phase"}
    still = ca.SX(3, 1)
    wheels = [
        Marker(BodyFrame(still, ca.SX.eye(3), still, still), ca.SX(center), ca.SX(axes))
        for center, axes in m.frames
    ]
    x = {name: ca.SX(value) for name, value in m.numbers.items()}
    assert np.array(ca.DM(equations.contact_point(*wheels, x)))[:, 0] == pytest.approx(m.contact, abs=1e-15)
