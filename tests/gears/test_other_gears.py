"""Bevel, worm and crossed helical pairs: sizes and limits; published ones are cases of `wheelwork validate` (`khk`)."""

from math import atan, cos, degrees, pi, radians, sin, tan

import pytest

from wheelwork.gears import BevelPair, CrossedPair, GearPair, GeometryError, WormPair

MM = 1e-3


def test_virtual_gears_of_a_bevel_pair():
    pair = BevelPair((20, 40), 3 * MM, 22 * MM)
    assert pair.virtual_teeth == pytest.approx((20 / cos(atan(0.5)), 40 / sin(atan(0.5))))
    # the virtual gears' radii are the lengths of the back cones
    assert pair.virtual_pair.a.reference_diameter == pytest.approx(
        pair.mean_diameters[0] / cos(pair.cone_angles[0])
    )


@pytest.mark.parametrize("shaft", [60.0, 90.0, 120.0])
def test_pitch_cones_roll(shaft):
    pair = BevelPair((17, 29), 4 * MM, 20 * MM, shaft_angle=radians(shaft))
    a, b = pair.cone_angles
    assert a + b == pytest.approx(radians(shaft))
    assert sin(b) / sin(a) == pytest.approx(29 / 17)
    distances = [
        d / (2 * sin(angle)) for d, angle in zip(pair.outer_diameters, pair.cone_angles, strict=True)
    ]
    assert distances[0] == pytest.approx(distances[1])


def test_bevel_contact_ratio_is_that_of_the_virtual_pair():
    pair = BevelPair((16, 16), 5 * MM, 15 * MM)  # mitre wheels: z_v = 16 sqrt(2) = 22.6
    low, high = (GearPair.of((z, z), 5 * MM).transverse_contact_ratio for z in (22, 23))
    assert low < pair.virtual_pair.transverse_contact_ratio < high


def test_bevel_limits():
    with pytest.raises(GeometryError, match="crown gear or hollow"):
        _ = BevelPair((20, 40), 3 * MM, 10 * MM, shaft_angle=radians(120)).virtual_pair
    with pytest.raises(GeometryError, match="face width"):
        BevelPair((20, 40), 3 * MM, 70 * MM)


def test_lead_of_a_worm():
    pair = WormPair(2, 30, 3 * MM, 44 * MM)
    assert pair.lead / MM == pytest.approx(6 * pi)
    # the thread advances one lead in a turn at the pitch cylinder
    assert tan(pair.lead_angle) == pytest.approx(pair.lead / (pi * pair.worm_diameter))


def test_worm_efficiency():
    pair = WormPair(1, 40, 2 * MM, 36 * MM)
    for friction in (0.01, 0.05, 0.2):
        forward, back = pair.efficiency(friction)
        assert (back <= 0) == pair.self_locking(friction)
        # the classical rule: what locks itself has an efficiency of at most one half
        assert forward <= 0.5 or not pair.self_locking(friction)
        # a block on the thread as an inclined plane, weight 1: effort up against effort without friction
        gamma, alpha = pair.lead_angle, pair.pressure_angle
        mu = friction / cos(alpha)
        effort = (sin(gamma) + mu * cos(gamma)) / (cos(gamma) - mu * sin(gamma))
        assert forward == pytest.approx(tan(gamma) / effort)
    assert pair.efficiency(0.0) == pytest.approx((1, 1))


def test_crossed():
    """Equal hands of 45 deg make a right angle; ratio by teeth, not by diameters."""
    pair = CrossedPair((15, 30), 2 * MM, (radians(60), radians(30)))
    assert degrees(pair.shaft_angle) == pytest.approx(90)
    assert pair.reference_diameters == pytest.approx((60 * MM, 60 * MM / cos(radians(30))))
    # sliding along the teeth: pitch speeds differ only along the tooth
    v_a = 1.0
    v_b = v_a * cos(radians(60)) / cos(radians(30))
    assert pair.sliding_ratio == pytest.approx(v_a * sin(radians(60)) + v_b * sin(radians(30)))
    parallel = CrossedPair((15, 30), 2 * MM, (0.3, -0.3))
    assert parallel.sliding_ratio == 0
    assert parallel.centre_distance == pytest.approx(
        GearPair.of((15, 30), 2 * MM, helix_angle=0.3).working_centre_distance
    )
