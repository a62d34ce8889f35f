"""Numbers of tooth contact that no formula gives: from the shape of the teeth (`wheelwork.gears`)."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, sin
from typing import TYPE_CHECKING

from wheelwork.elements.meshes.teeth.elastic.base import ElasticLaw
from wheelwork.lazy import gears
from wheelwork.lazy import numpy as np

if TYPE_CHECKING:
    from wheelwork.gears import GearPair, RackPair
    from wheelwork.layout.teeth import TeethAt

NAMES = ("tau", "half", "thick", "start", "end", "tip_a", "foot_a", "tip_b", "foot_b")
"""In the order of the data; see :class:`.section.Shape`. tau: phase of the mesh at the given position; end: E there."""
WHOLE = 1e-6  # how far a contact ratio may be above a whole number and still count as it


def teeth_of(teeth: TeethAt, name: str) -> GearPair | RackPair:
    """The teeth of a mesh; a `GeometryError` where they cannot be in contact."""
    pair = teeth.pair(name)
    if pair is None:
        why = teeth.why_not(name) or "its teeth are not cylindrical"
        raise gears.GeometryError(f"tooth contact needs the shape of the teeth: {why}")
    for body, gear in zip(teeth.geometries[name].bodies, (pair.a, getattr(pair, "b", None)), strict=True):
        if gear is not None and gear.tip_thickness <= 0:
            raise gears.GeometryError(
                f"the flanks of `{body}` meet below its tip circle, so that its teeth come to a point; shorten them "
                "by `tip_alteration`, or lower `profile_shift`"
            )
    gap = gears.backlash(pair).transverse
    if gap < -1e-6 * pair.a.module:
        raise gears.GeometryError(
            f"these teeth jam: their backlash is {gap * 1e6:.4g} um; make them thinner by `thickness_allowance`, or "
            "move the axes"
        )
    if pair.total_contact_ratio < 1 - WHOLE:
        raise gears.GeometryError(
            f"the contact ratio is {pair.total_contact_ratio:.3f}, but teeth that transmit continuously need at least "
            "1; look at the distance of the axes, `addendum`, `tip_alteration` and `profile_shift`"
        )
    return pair


def shape_numbers(
    teeth: TeethAt, name: str, law: ElasticLaw, settled: tuple[int, int, int] | None
) -> np.ndarray:
    """Values of `NAMES`, then those of the elastic law.

    settled: slots, slices and pairs of teeth that the mesh was made for, if it was
    """
    pair = teeth_of(teeth, name)
    law.check(pair)
    if settled is not None:
        slots, slices, pairs = settled
        if slots_of(pair, slices) > slots or slots_of(pair, 1) > pairs:
            raise gears.GeometryError(
                f"with these values {slots_of(pair, 1)} pairs of teeth can touch at once, but the mesh was made for "
                f"{pairs}; change the description itself"
            )
    path = pair.path
    foot_a, tip_a = gears.outline.flank_curvatures(pair.a)
    if isinstance(pair, gears.RackPair):
        alpha = pair.working_pressure_angle
        deepest = (
            pair.working_distance + pair.a.rack.form_dedendum * pair.a.module - pair.a.reference_diameter / 2
        )
        tip_b, foot_b = pair.tip_path.start, path.pitch_point + deepest / sin(alpha)
    else:
        foot_b, tip_b = gears.outline.flank_curvatures(pair.b)
    thick = pair.a.base_diameter / 2 * pair.a.base_half_angle
    shape = [
        teeth.phase(name),
        teeth.backlash(name) / 2,
        thick,
        path.start,
        path.end,
        tip_a,
        foot_a,
        tip_b,
        foot_b,
    ]
    return np.array(
        [*shape, *law.computed(pair, teeth.materials(name), lambda given: teeth.value(name, given))]
    )


def slots_of(pair: GearPair | RackPair, slices: int) -> int:
    """m: the least whole number of pairs that covers the path where the centres are as close as the teeth let them.

    A slice of a leaning tooth adds the length that it covers; with one slice it is the pairs that touch anywhere across
    the face.
    """
    path = closest(pair).path
    lean = pair.face_width * abs(np.tan(pair.a.base_helix_angle)) / slices
    return max(1, ceil((path.length + lean) / path.base_pitch - WHOLE))


def closest(pair: GearPair | RackPair) -> GearPair | RackPair:
    """The pair with its centres (in a ring: apart) as close as the backlash lets them, if there is any."""
    gap = max(gears.backlash(pair).radial, 0.0)
    if isinstance(pair, gears.RackPair):
        return replace(pair, distance=pair.working_distance - gap)
    return replace(pair, centre_distance=pair.working_centre_distance - pair.sign * gap)
