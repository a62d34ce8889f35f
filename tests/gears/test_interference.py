"""Interference: numbers against brute force on tip corners and outlines, and the sentences."""

from math import cos, pi, sin

import numpy as np
import pytest

from wheelwork.gears import Gear, GearPair, RackPair, findings
from wheelwork.gears.interference import involute_margin, trimming_margin, trochoid_margin
from wheelwork.gears.involute import involute, pressure_angle_at

M = 3e-3


def kinds(pair, level=None):
    return {f.kind for f in findings(pair) if level in (None, f.level)}


@pytest.mark.parametrize("teeth", [(30, 34), (40, 47), (40, 50), (25, 45), (60, 68)])
def test_trochoid_margin_by_stepping(teeth):
    """The pinion's tip corner, followed in the ring's frame until it passes the ring's tip circle."""
    pair = GearPair.of(teeth, M, internal=True, tip_alteration=(0.0, -0.2))
    a, b, distance = pair.a, pair.b, pair.working_centre_distance
    tip = a.tip_diameter / 2
    half = float(a.base_half_angle - involute(pressure_angle_at(tip, a.base_diameter / 2)))
    ring_half = float(
        b.base_half_angle - involute(pressure_angle_at(b.tip_diameter / 2, b.base_diameter / 2))
    )
    # tooth of a and space of b together at the line of centres, then turned with the ratio
    turn = np.linspace(0, pi, 200_001)
    corner = turn + half
    x, y = tip * np.cos(corner) + distance, tip * np.sin(corner)
    radius, angle = np.hypot(x, y), np.arctan2(y, x) - turn * teeth[0] / teeth[1]
    leaves = int(np.argmax(radius < b.tip_diameter / 2))
    assert leaves > 0
    assert trochoid_margin(pair) == pytest.approx(ring_half - angle[leaves], abs=2e-5)


@pytest.mark.parametrize("teeth", [(30, 40), (30, 45), (30, 48), (30, 60), (20, 42)])
def test_trimming_by_moving_radially(teeth):
    """Tip corners of tooth and space at every place round the wheels, seen across the direction of assembly."""
    pair = GearPair.of(teeth, M, internal=True, profile_shift=(0.1, -0.1), tip_alteration=(0.0, -0.3))
    a, b = pair.a, pair.b
    half = float(a.base_half_angle - involute(pressure_angle_at(a.tip_diameter, a.base_diameter)))
    ring_half = float(b.base_half_angle - involute(pressure_angle_at(b.tip_diameter, b.base_diameter)))
    turn = np.linspace(0, pi / 2, 20_001)
    room = b.tip_diameter * np.sin(turn * teeth[0] / teeth[1] + ring_half) - a.tip_diameter * np.sin(
        turn + half
    )
    margin = trimming_margin(pair)
    assert (margin < 0) == (room[turn + half < pi / 2].min() < 0)
    assert abs(margin) > 1e-3  # none of the examples decides by rounding
    assert ("trimming interference" in kinds(pair)) == (margin < 0)


def test_involute_interference_of_rings():
    # KHK's condition z_1/z_2 >= 1 - tan(alpha_a2)/tan(alpha_w) is the same statement
    for teeth in ((16, 24), (18, 60), (30, 60), (40, 100)):
        for shift in (0.0, -0.5):
            pair = GearPair.of(teeth, M, internal=True, profile_shift=(0.0, shift))
            tip = float(pressure_angle_at(pair.b.tip_diameter, pair.b.base_diameter))
            fine = teeth[0] / teeth[1] >= 1 - np.tan(tip) / np.tan(pair.working_pressure_angle)
            assert (involute_margin(pair) >= 0) == fine
            assert ("involute interference" in kinds(pair)) == (not fine)


def test_external_pairs():
    assert kinds(GearPair.of((25, 40), M)) == set()
    assert kinds(GearPair.of((12, 40), M)) == {"undercut", "lost contact"}
    assert kinds(GearPair.of((12, 40), M, profile_shift=(0.5, 0.0))) == set()
    assert "pointed teeth" in kinds(GearPair.of((10, 40), M, profile_shift=(1.0, 0.0)), "error")
    assert "thin tips" in kinds(GearPair.of((14, 40), M, profile_shift=(0.75, 0.0)), "warning")
    assert kinds(GearPair.of((25, 40), M, centre_distance=99.5e-3)) == {"contact ratio"}
    assert "contact ratio" in kinds(GearPair.of((25, 40), M, centre_distance=101e-3), "error")
    assert "backlash" in kinds(GearPair.of((25, 40), M, centre_distance=97.2e-3), "error")
    assert "tip clearance" in kinds(GearPair.of((25, 40), M, tip_alteration=(0.3, 0.0)), "error")
    assert "fillet interference" in kinds(GearPair.of((20, 80), M, tip_alteration=(0.0, 0.2)), "error")
    assert kinds(RackPair(Gear(30, M))) == set()


def test_helical_pairs_count_overlap():
    """Below a transverse contact ratio of 1, overlap keeps the motion steady."""
    data = {"centre_distance": 105.2e-3, "helix_angle": 0.35}
    narrow, wide = (GearPair.of((25, 40), M, face_width=b, **data) for b in (1e-3, 40e-3))
    assert wide.transverse_contact_ratio < 1.2
    assert "contact ratio" in kinds(narrow)
    assert "contact ratio" not in kinds(wide)


def test_tip_clearance_is_kept_by_the_alteration_named():
    pair = GearPair.of((15, 20), M, profile_shift=(0.6, 0.6))
    text = next(f.message for f in findings(pair) if f.kind == "tip clearance")
    k = pair.clearance_keeping_alteration
    assert f"tip_alteration {k:.4f}" in text
    kept = GearPair.of((15, 20), M, profile_shift=(0.6, 0.6), tip_alteration=(k, k))
    assert kept.tip_clearances == pytest.approx((0.25 * M, 0.25 * M))


def test_sentences_have_numbers_and_names():
    found = findings(GearPair.of((12, 40), M), ("pinion", "gear"))
    assert [f.level for f in found] == ["warning", "warning"]
    assert "pinion is undercut: its generating profile shift is 0.000, and below 0.298" in found[0].message
    assert "diameter of 33.9" in found[0].message
    jam = GearPair.of((25, 40), M, profile_shift=(0.1, 0.0), centre_distance=97.5e-3)
    assert findings(jam)[0].level == "error"
    # 2 x m tan(alpha) of thickness too much, on circles that stay the reference circles
    assert f"{-2 * 0.1 * 3 * sin(0.349066) / cos(0.349066):.4f} mm" in findings(jam)[0].message
