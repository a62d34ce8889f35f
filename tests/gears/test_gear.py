"""One gear: sizes against tables, thickness against the outline, limits."""

from math import cos, degrees, pi, radians, sin, tan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wheelwork.gears import ISO_53_A, ISO_53_C, BasicRack, Gear, GeometryError, half_tooth
from wheelwork.gears.outline import cartesian

M = 3e-3


def test_pitch_of_thickness_and_space():
    for internal in (False, True):
        gear = Gear(40, M, helix_angle=0.3, profile_shift=0.2, internal=internal, thickness_allowance=-50e-6)
        for d in np.linspace(gear.base_diameter, 1.1 * gear.reference_diameter, 5):
            assert gear.thickness(d) + gear.space_width(d) == pytest.approx(pi * d / 40)
        # ISO 21771: s_n = m_n (pi/2 + 2 x tan(alpha_n)) + E_sn on the reference circle, in the normal section
        normal = gear.thickness(gear.reference_diameter) * cos(0.3)
        assert normal == pytest.approx(M * (pi / 2 + 0.4 * tan(radians(20))) - 50e-6)


@pytest.mark.parametrize("internal", [False, True])
def test_thickness_is_that_of_the_outline(internal):
    gear = Gear(33, M, profile_shift=0.15, internal=internal, helix_angle=0.2)
    flank = half_tooth(gear).flank
    for radius, angle in flank[[3, 15, 26]]:
        assert gear.thickness(2 * radius) == pytest.approx(2 * radius * angle)


def test_shift_thickens_teeth_of_both_kinds():
    """The sign of ISO 21771: with x the teeth of a ring grow thicker, and its diameters smaller."""
    outer, ring = (Gear(50, M, profile_shift=0.3, internal=internal) for internal in (False, True))
    plain = Gear(50, M)
    assert outer.reference_thickness == ring.reference_thickness > plain.reference_thickness
    assert outer.tip_diameter - plain.tip_diameter == pytest.approx(2 * 0.3 * M)
    assert ring.tip_diameter - Gear(50, M, internal=True).tip_diameter == pytest.approx(-2 * 0.3 * M)


def test_undercut_limits():
    # z_min = 2 / sin(alpha)^2 = 17.1 for a rack whose straight flank reaches one module below the reference line;
    # the same for h* = 0.8 (stub teeth) gives 13.7: both in every text-book
    for depth, least in ((1.0, 17.097), (0.8, 13.678)):
        rack = BasicRack(dedendum=depth + 0.25, root_radius=0.25 / (1 - sin(radians(20))))
        assert rack.form_dedendum == pytest.approx(depth)
        assert 2 * depth / sin(radians(20)) ** 2 == pytest.approx(least, abs=5e-4)
        for teeth in (8, 12, 17, 18):
            gear = Gear(teeth, M, rack=rack)
            assert half_tooth(gear).undercut == (teeth < least)
            x = gear.least_profile_shift
            assert x == pytest.approx(depth * (1 - teeth / least), abs=1e-3)
            assert not half_tooth(gear.with_(profile_shift=x + 1e-6)).undercut
            assert half_tooth(gear.with_(profile_shift=x - 1e-3)).undercut


def test_severed_tooth():
    with pytest.raises(
        GeometryError, match=r"would cut off the teeth of a gear of 5 teeth.*no undercut from 0.70"
    ):
        half_tooth(Gear(5, M, profile_shift=-0.6))
    ring = Gear(30, M, profile_shift=1.1, internal=True)
    with pytest.raises(
        GeometryError, match=r"no pinion-type tool of 10 or more teeth can cut this ring of 30"
    ):
        half_tooth(ring)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.integers(5, 150),
    st.floats(-0.8, 1.2),
    st.floats(-0.7, 0.7),
    st.sampled_from([ISO_53_A, ISO_53_C, BasicRack(radians(14.5), 1, 1.25, 0.3), BasicRack(root_radius=0.0)]),
    st.booleans(),
)
def test_any_gear_has_an_outline_or_a_reason(teeth, shift, helix, rack, internal):
    """Heights increase, nothing is thinner than nothing, and radii stay between root and tip."""
    try:
        gear = Gear(teeth, M, profile_shift=shift, helix_angle=helix, rack=rack, internal=internal)
        half = half_tooth(gear)
    except GeometryError:
        return
    height, thick = half.edge()
    assert np.all(np.diff(height) > 0)
    assert np.all(thick > -1e-12)
    ends = np.sort([gear.root_diameter / 2, gear.tip_diameter / 2])
    for part in (half.fillet, half.flank):
        assert part[:, 0].min() > ends[0] - 1e-12
        assert part[:, 0].max() < ends[1] + 1e-12
    assert half.fillet[-1] == pytest.approx(half.flank[0], abs=1e-6)


def test_pointed_tooth():
    gear = Gear(12, M, profile_shift=0.8)
    assert gear.tip_thickness < 0.25 * M
    d = gear.pointed_diameter
    assert gear.thickness(d) == pytest.approx(0, abs=1e-15)
    assert half_tooth(gear.with_(profile_shift=1.2)).flank[-1, 1] == pytest.approx(0, abs=1e-12)


def test_helical_sizes():
    gear = Gear(20, M, helix_angle=radians(30))
    assert degrees(gear.transverse_pressure_angle) == pytest.approx(
        22.79588, abs=5e-6
    )  # KHK, table of helical gears
    assert gear.lead == pytest.approx(pi * gear.base_diameter / tan(gear.base_helix_angle))


def test_root_fillet_must_fit():
    assert BasicRack(root_radius=ISO_53_A.greatest_root_radius).root_radius > 0.38
    with pytest.raises(GeometryError, match=r"does not fit between the flanks.*at most 0\.4719"):
        BasicRack(root_radius=0.6)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"teeth": 2}, "at least 3 teeth, but 2"),
        ({"module": -1e-3}, "module must be greater than zero"),
        ({"helix_angle": 1.2}, "below 60 deg, but is 68.75"),
        ({"profile_shift": -3.0}, "would be -1.8.* mm thick"),
        ({"tip_alteration": -3.0}, "has no height"),
    ],
)
def test_gears_that_cannot_be(data, said):
    with pytest.raises(GeometryError, match=said):
        Gear(**{"teeth": 20, "module": 3e-3, **data})


def test_edge_of_a_tooth_as_a_beam():
    """Heights increase, and area under the half thickness is that of the half tooth."""
    for internal in (False, True):
        gear = Gear(36, M, rack=ISO_53_C, internal=internal)
        half = half_tooth(gear, 300, 200)
        height, thick = half.edge()
        assert np.all(np.diff(height) > 0)
        x, y = cartesian(np.concatenate((half.fillet, half.flank))).T
        area = abs(np.trapezoid(y, x))
        assert np.trapezoid(thick, height) == pytest.approx(area, rel=2e-3)
