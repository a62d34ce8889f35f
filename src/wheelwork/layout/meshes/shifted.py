"""Wheels with profile shift: their rolling circles are the working circles of the distance at hand.

With reference radii r_i = z_i m_t/2 and the distance a_w of the axes, rolling is without slip on

    r_wi = z_i a_w / |z_a +- z_b|,    r_wi = spread r_i

so ratio and pitch are the same as without shift, and the pressure angle is that of the working circles. The distance
may be the one at which the teeth just mesh, or larger (smaller, in a ring), the teeth then having backlash. Whether
they do mesh is settled by :mod:`wheelwork.gears`, which knows their shape."""

from __future__ import annotations

from typing import Any

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import gears

from .faults import MeshFault, millimetres
from .place import MeshPlace
from .sizes import Sizes, radii_from_distance


def shifted(
    place: MeshPlace, distance: ca.SX, cosines: tuple[ca.SX, ca.SX], sign: int
) -> tuple[Sizes, tuple[ca.SX, ca.SX], ca.SX]:
    """Sizes with reference radii, working radii, and their ratio `spread`."""
    if place.reader.pair("teeth") is None:
        raise MeshFault("`teeth` is missing beside `profile_shift`", field="profile_shift")
    sizes = place.reader.wheels(cosines)
    assert sizes.radii is not None
    working = radii_from_distance(distance, sizes.ratio, cosines, sign)
    _check(place, sizes.teeth, place.number(distance), sign)
    return sizes, working, working[0] / sizes.radii[0]


def numeric_pair(
    place: MeshPlace, teeth: tuple[int, int], distance: float | None, sign: int
) -> gears.GearPair:
    """The pair with the numbers that the parameters have; :class:`GeometryError` where it cannot be."""
    mesh, n = place.mesh, place.number

    def value(given: Any) -> float:
        return n(place.value(given))

    shift = mesh.profile_shift or (0.0, 0.0)
    return gears.GearPair.of(
        teeth,
        value(mesh.module),
        internal=sign < 0,
        rack=gears.BasicRack(
            n(place.pressure_angle), value(mesh.addendum), value(mesh.dedendum), value(mesh.root_radius)
        ),
        helix_angle=n(place.helix_angle()),
        profile_shift=(value(shift[0]), value(shift[1])),
        tip_alteration=(value(mesh.tip_alteration[0]), value(mesh.tip_alteration[1])),
        thickness_allowance=(value(mesh.thickness_allowance[0]), value(mesh.thickness_allowance[1])),
        face_width=value(mesh.face_width),
        centre_distance=distance,
    )


def _check(place: MeshPlace, teeth: tuple[int, int], distance: float, sign: int) -> None:
    """Teeth must neither jam nor pass each other."""
    try:
        tight, pair = (numeric_pair(place, teeth, d, sign) for d in (None, distance))
        gap, ratio = gears.backlash(pair).circumferential, pair.transverse_contact_ratio
    except gears.GeometryError as error:
        raise MeshFault(str(error), field="profile_shift") from None
    shifts = f"profile shifts of {pair.a.profile_shift:g} and {pair.b.profile_shift:g}"
    needed = millimetres(tight.working_centre_distance)
    start = f"the axes are {millimetres(distance)} apart, but with {shifts} the teeth just mesh at {needed}"
    if gap < -1e-6 * pair.a.module:
        other = f"give profile shifts that sum up to {pair.shift_sum_for_centre_distance:.4f}"
        raise MeshFault(f"{start}: they jam", f"move the axes to {needed}, or {other}", "profile_shift")
    if ratio + pair.overlap_ratio < 1:
        text = f"{start}: they are so far out that the contact ratio is only {ratio:.3f}"
        raise MeshFault(text, f"move the axes to {needed}", "profile_shift")
