"""Sizes of gears: the worked examples of Kohara Gear Industry (KHK), Gear Technical Reference.

KHK counts the profile shift of a ring with the other sign. Its tips are shortened so that the clearance of the basic
rack is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, radians
from typing import Any

from wheelwork.gears import BevelPair, GearPair, WormPair

from ..case import Way, formula_case
from ..finding import Comparison, compare

SOURCE = "Kohara Gear Industry (KHK), Gear Technical Reference, calculation of "
MM = 1e-3
PRINTED = "print precision"


def _angle(name: str, ours: float, printed: float, places: int) -> Comparison:
    return compare(name, degrees(ours), printed, unit="deg", absolute=0.6 * 10**-places, origin=PRINTED)


def _lengths(name: str, ours: Any, printed: Any, places: int) -> Comparison:
    """In millimetres; 0.6 of the last place, as KHK computes on with rounded values"""
    scaled = [length / MM for length in ours]
    return compare(name, scaled, printed, unit="mm", absolute=0.6 * 10**-places, origin=PRINTED)


@formula_case(
    "khk-shifted-spur", "Pair of spur gears with profile shift", SOURCE + "profile shifted spur gears"
)
def shifted_spur(way: Way) -> Iterator[Comparison]:
    """m 3, z 12/24, x 0.6/0.36"""
    bare = GearPair.of((12, 24), 3 * MM, profile_shift=(0.6, 0.36))
    k = bare.clearance_keeping_alteration
    pair = GearPair.of((12, 24), 3 * MM, profile_shift=(0.6, 0.36), tip_alteration=(k, k))
    yield _angle("working pressure angle", pair.working_pressure_angle, 26.0886, 4)
    yield _lengths("centre distance", [pair.working_centre_distance], [56.4999], 4)
    yield _lengths("working diameters", pair.working_diameters, [37.667, 75.333], 3)
    yield _lengths("base diameters", [pair.a.base_diameter, pair.b.base_diameter], [33.8289, 67.6579], 4)
    yield _lengths("tip diameters", [pair.a.tip_diameter, pair.b.tip_diameter], [44.840, 79.400], 3)
    yield _lengths("root diameters", [pair.a.root_diameter, pair.b.root_diameter], [32.100, 66.660], 3)
    ratio = pair.transverse_contact_ratio
    yield compare("transverse contact ratio", ratio, 1.202, absolute=5e-4, origin=PRINTED)


@formula_case("khk-internal", "Internal pair with profile shift", SOURCE + "internal gears")
def internal(way: Way) -> Iterator[Comparison]:
    """m 3, z 16/24, x 0/0.5"""
    pair = GearPair.of((16, 24), 3 * MM, internal=True, profile_shift=(0.0, -0.5))
    angle, origin = degrees(pair.working_pressure_angle), "KHK finds it from a table of the involute function"
    yield compare("working pressure angle", angle, 31.0937, unit="deg", absolute=1e-4, origin=origin)
    yield _lengths("centre distance", [pair.working_centre_distance], [13.1683], 4)
    yield _lengths("working diameters", pair.working_diameters, [52.673, 79.010], 3)
    yield _lengths(
        "tip and root diameter of the ring", [pair.b.tip_diameter, pair.b.root_diameter], [69.0, 82.5], 3
    )


@formula_case(
    "khk-helical", "Pair of helical gears with profile shift", SOURCE + "helical gears (normal system)"
)
def helical(way: Way) -> Iterator[Comparison]:
    """Normal system: m 3, beta 30 deg, z 12/60, x 0.09809/0"""
    pair = GearPair.of((12, 60), 3 * MM, helix_angle=radians(30), profile_shift=(0.09809, 0.0))
    k = pair.clearance_keeping_alteration
    yield _angle("working pressure angle", pair.working_pressure_angle, 23.1126, 4)
    yield _lengths("centre distance", [pair.working_centre_distance], [125.000], 3)
    yield _lengths("working diameters", pair.working_diameters, [41.667, 208.333], 3)
    tips = [wheel.with_(tip_alteration=k).tip_diameter for wheel in (pair.a, pair.b)]
    origin = "print precision, and the rounding of the profile shift, ten times that"
    scaled = [tip / MM for tip in tips]
    yield compare("tip diameters", scaled, [48.153, 213.842], unit="mm", absolute=6e-3, origin=origin)


@formula_case("khk-bevel", "Pair of straight bevel gears", SOURCE + "straight bevel gears")
def bevel(way: Way) -> Iterator[Comparison]:
    """Straight teeth, m 3, z 20/40, axes at a right angle, b 22"""
    pair = BevelPair((20, 40), 3 * MM, 22 * MM)
    for k, printed in enumerate((26.56505, 63.43495)):
        yield _angle(f"cone angle of wheel {'ab'[k]}", pair.cone_angles[k], printed, 5)
    yield _lengths("cone distance", [pair.outer_cone_distance], [67.08204], 5)


@formula_case("khk-worm", "Worm and worm wheel", SOURCE + "worm gears (axial system)")
def worm(way: Way) -> Iterator[Comparison]:
    """Axial system: m 3, z 2/30, d_1 44"""
    pair = WormPair(2, 30, 3 * MM, 44 * MM)
    yield _angle("lead angle", pair.lead_angle, 7.76517, 5)
    yield _lengths("centre distance", [pair.centre_distance], [67.0], 3)
