"""Example 1 of ISO/TR 6336-30: a helical pair, its geometry and its mesh stiffness by ISO 6336-1, method B.

m_n 8, beta 15.8 deg, z 17/103, a 500 mm, b 100 mm, x_1 0.1452, basic rack with a dedendum of 1.4 modules. The tip
diameters are printed to 0.01 mm, and the contact ratio is computed from these.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, radians
from typing import Any

from wheelwork.gears import ISO_53_D, GearPair
from wheelwork.gears.stiffness import Iso6336

from ..case import Way, formula_case
from ..finding import Comparison, compare

SOURCE = "ISO/TR 6336-30, example 1"
MM = 1e-3
PRINTED = "print precision"
SIZES: dict[str, Any] = {"helix_angle": radians(15.8), "centre_distance": 500 * MM, "face_width": 100 * MM}


@formula_case("iso-6336-geometry", "Helical pair: geometry by ISO 21771", SOURCE)
def geometry(way: Way) -> Iterator[Comparison]:
    pair = GearPair.of((17, 103), 8 * MM, **SIZES)
    angle, shift = degrees(pair.working_pressure_angle), pair.shift_sum_for_centre_distance
    yield compare("working pressure angle", angle, 21.0661, unit="deg", absolute=5e-5, origin=PRINTED)
    yield compare("sum of profile shifts", shift, 0.14522, absolute=5e-6, origin=PRINTED)
    shifted = GearPair(pair.a.with_(profile_shift=shift), pair.b, 500 * MM)
    tips = [shifted.a.tip_diameter / MM, shifted.b.tip_diameter / MM]
    yield compare("tip diameters", tips, [159.66, 872.35], unit="mm", absolute=6e-3, origin=PRINTED)
    ratio, origin = (
        shifted.transverse_contact_ratio,
        "the printed tip diameters it is computed from are rounded",
    )
    yield compare("transverse contact ratio", ratio, 1.549, absolute=1e-3, origin=origin)
    yield compare("overlap ratio", shifted.overlap_ratio, 1.0834, absolute=5e-5, origin=PRINTED)
    teeth = [pair.a.virtual_teeth, pair.b.virtual_teeth]
    yield compare("virtual numbers of teeth", teeth, [18.905, 114.543], absolute=5e-4, origin=PRINTED)


@formula_case("iso-6336-stiffness", "Helical pair: mesh stiffness by ISO 6336-1, method B", SOURCE)
def stiffness(way: Way) -> Iterator[Comparison]:
    bare = GearPair.of((17, 103), 8 * MM, rack=ISO_53_D, profile_shift=(0.1452, 0), **SIZES)
    printed = ((159.66 * MM, bare.a), (872.35 * MM, bare.b))
    k = [(tip - wheel.tip_diameter) / (2 * wheel.module) for tip, wheel in printed]
    pair = GearPair(bare.a.with_(tip_alteration=k[0]), bare.b.with_(tip_alteration=k[1]), 500 * MM)
    iso = Iso6336(pair)
    origin = "the profile shift it is computed from is rounded: 1e-4"
    for name, ours, value in (
        ("c'_th, of a pair in theory", iso.theoretical, 17.85584),
        ("c', of a pair", iso.single, 12.37047),
        ("c_gamma_alpha, mean of the mesh", iso.mean, 17.46485),
        ("c_gamma_beta, across the face", iso.across_face, 14.84512),
    ):
        yield compare(name, ours / 1e9, value, unit="N/(mm um)", relative=1e-4, origin=origin)
