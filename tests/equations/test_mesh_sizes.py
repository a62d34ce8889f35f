"""Sizes of meshes: the paper's formulas, whole numbers of teeth."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wheelwork.layout.meshes import simplest_ratio

from .mesh_models import CROSSING, MEETING, PARALLEL, Resolved

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
    assert abs(z_b / z_a - ratio) <= 1.001e-12 * ratio


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
