"""Pairs: every quantity by a second route through outlines or numerical solution.

Published examples are cases of `wheelwork validate` (`khk`, `iso6336`), asserted in tests/literature.
"""

from math import pi

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial import cKDTree

from wheelwork.gears import Gear, GearPair, GeometryError, RackPair
from wheelwork.gears.outline import half_tooth

from .examples import EXTERNAL, INTERNAL, PAIRS, RACK

MM = 1e-3

# -- second routes


@pytest.mark.parametrize("name", PAIRS)
def test_working_pressure_angle_from_thickness(name):
    """The centre distance without backlash, found by closing the gap between measured thicknesses."""
    pair = PAIRS[name]
    nominal = GearPair(pair.a.with_(thickness_allowance=0.0), pair.b.with_(thickness_allowance=0.0))

    def gap(distance: float) -> float:
        share = distance / abs(nominal.teeth_sum) * 2
        d_a, d_b = nominal.a.teeth * share, nominal.b.teeth * share
        return pi * share - nominal.a.thickness(d_a) - nominal.b.thickness(d_b)

    least = abs(nominal.teeth_sum) * nominal.a.base_diameter / nominal.a.teeth / 2
    distance = brentq(gap, least * (1 + 1e-9), 1.2 * least, xtol=1e-15)
    assert nominal.working_centre_distance == pytest.approx(distance, rel=1e-9)


def _flank(gear: Gear, angle: float, centre: np.ndarray, side: int) -> np.ndarray:
    """A flank with its fillet as points (n, 2), of the tooth (of a ring: of the space) whose middle is at `angle`."""
    half = half_tooth(gear, 400, 100)
    polar = np.concatenate((half.fillet[:-1], half.flank))
    turned = (pi / gear.teeth - polar[:, 1] if gear.internal else polar[:, 1]) * side + angle
    return centre + polar[:, :1] * np.column_stack((np.cos(turned), np.sin(turned)))


def _distance(first: np.ndarray, second: np.ndarray) -> float:
    """Least distance of two polylines that do not cross: segments around the nearest points."""
    _, index = cKDTree(second).query(first)
    low = np.clip(index[:, None] + np.arange(-2, 2), 0, len(second) - 2)
    start, along = second[low], second[low + 1] - second[low]
    from_start = first[:, None] - start
    t = np.sum(from_start * along, axis=-1) / np.sum(along**2, axis=-1)
    return float(np.sqrt(np.min(np.sum((from_start - np.clip(t, 0, 1)[..., None] * along) ** 2, axis=-1))))


@pytest.mark.parametrize(
    "name", ["standard", "shifted", "spread", "thinned", "helical", "ring", "shifted ring"]
)
def test_contact_ratio_by_counting(name):
    """Pairs whose outlines touch, counted over one pitch, are epsilon_alpha on average."""
    pair = PAIRS[name]
    phases, counted, touch = 24, 0, 3e-8
    for phase in (np.arange(phases) + 0.5) / phases:
        for number in range(-2, 4):
            position = pair.path.start + (phase + number) * pair.path.base_pitch
            if position <= 0 or (not pair.internal and position >= pair.path.tangent_length):
                continue
            angle_a, angle_b = pair.contact_angles(position)
            counted += (
                _distance(
                    _flank(pair.a, float(angle_a), np.zeros(2), 1),
                    _flank(pair.b, float(angle_b), pair.centre_b, 1),
                )
                < touch
            )
    # a tip just off the path is away by less than `touch` for sqrt(2 rho touch), a few per mille of a pitch
    assert counted / phases == pytest.approx(pair.transverse_contact_ratio, abs=1 / phases + 0.01)


@pytest.mark.parametrize("name", PAIRS)
def test_flanks_touch_at_the_contact_point(name):
    """Both flanks go through the point on the line of action, at the radii said."""
    pair = PAIRS[name]
    for position in np.linspace(pair.path.start, pair.path.end, 5):
        point = pair.contact_point(position)
        angle_a, angle_b = (float(angle) for angle in pair.contact_angles(position))
        r_a, r_b = (float(r) for r in pair.radii(position))
        assert np.hypot(*point) == pytest.approx(r_a)
        assert np.hypot(*(point - pair.centre_b)) == pytest.approx(r_b)
        near_a = _distance(point[None], _flank(pair.a, angle_a, np.zeros(2), 1))
        near_b = _distance(point[None], _flank(pair.b, angle_b, pair.centre_b, 1))
        assert max(near_a, near_b) < 2e-8


@pytest.mark.parametrize("name", PAIRS)
def test_teeth_turn_with_the_ratio(name):
    pair = PAIRS[name]
    a, b = pair.contact_angles(np.array([pair.path.start, pair.path.end]))
    sense = 1 if pair.internal else -1
    assert np.diff(a)[0] == pytest.approx(sense * np.diff(b)[0] * pair.gear_ratio)
    assert np.diff(a)[0] == pytest.approx(pair.transverse_contact_ratio * 2 * pi / pair.a.teeth)


def test_path_points_in_order_and_sliding():
    for pair in PAIRS.values():
        places = pair.path.points
        assert places["A"] < places["B"] < places["D"] < places["E"]
        assert places["A"] < places["C"] < places["E"]
        assert pair.path.pairs_in_contact(places["A"] + 1e-9) == 2
        assert pair.path.pairs_in_contact((places["B"] + places["D"]) / 2) == 1
        assert np.array(pair.specific_sliding(places["C"])) == pytest.approx([0, 0], abs=1e-12)
        at = places["E"]
        # (rolling speeds are rho omega of each flank, whose difference is g (omega_a +- omega_b) at the distance g
        # from C)
        away = (at - places["C"]) * (1 - 1 / pair.gear_ratio if pair.internal else 1 + 1 / pair.gear_ratio)
        assert pair.specific_sliding(at)[0] == pytest.approx(away / at)


def test_rack_is_the_limit_of_large_wheels():
    large = GearPair(RACK.a, Gear(500_000, RACK.a.module, face_width=20e-3))
    assert large.path.start == pytest.approx(RACK.path.start, abs=1e-8)
    assert large.path.end == pytest.approx(RACK.path.end, abs=1e-8)
    assert large.tip_clearances == pytest.approx(RACK.tip_clearances, abs=1e-8)
    half = RACK.contact_angles(RACK.path.pitch_point)
    assert half[0] == pytest.approx(large.contact_angles(large.path.pitch_point)[0], abs=1e-6)


def test_spreading_opens_and_lowers_the_contact_ratio():
    pairs = [GearPair.of((25, 40), 2 * MM, centre_distance=65e-3 + gap) for gap in (0, 0.2e-3, 0.4e-3)]
    ratios = [pair.transverse_contact_ratio for pair in pairs]
    assert ratios == sorted(ratios, reverse=True)
    assert all(pair.gear_ratio == 1.6 for pair in pairs)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: GearPair(Gear(20, 2 * MM, internal=True), Gear(40, 2 * MM)), "name the ring second"),
        (lambda: GearPair(Gear(20, 2 * MM), Gear(40, 3 * MM)), "one module, but these have 2 and 3 mm"),
        (
            lambda: GearPair(Gear(20, 2 * MM, helix_angle=0.2), Gear(40, 2 * MM, helix_angle=0.2)),
            "opposite helix",
        ),
        (lambda: GearPair.of((40, 40), 2 * MM, internal=True), "more teeth than the wheel inside it"),
        (lambda: GearPair.of((20, 40), 2 * MM, centre_distance=56 * MM), "below 56.3816 mm"),
        (lambda: GearPair.of((20, 40), 2 * MM, profile_shift=(-0.9, -0.9)), "leave no centre distance"),
        (lambda: RackPair(Gear(40, 2 * MM, internal=True)), "ring does not mesh with a rack"),
    ],
)
def test_pairs_that_cannot_be(make, said):
    with pytest.raises(GeometryError, match=said):
        make()


def test_all_examples_are_sound():
    assert set(EXTERNAL) | set(INTERNAL) == set(PAIRS)
    for pair in PAIRS.values():
        assert 1.2 < pair.transverse_contact_ratio < 2
