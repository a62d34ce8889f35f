"""Belt or chain on two pulleys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.meshes.base import Mesh, positive, tooth_issues
from wheelwork.description.values import Force, Length, Number


class BeltMesh(Mesh):
    """A belt or chain that neither slips nor stretches, on two pulleys with parallel axes. Removes 1 degree of freedom.

    Sized by `radii`, or by `teeth` and the `pitch` of a toothed belt or chain.

    Fields:
        bodies: names of pulley a and pulley b
        radii [m]: of pulley a and pulley b, to the belt's pitch line
        teeth [1]: of pulley a and pulley b, whole numbers; found from the radii where left out
        pitch [m]: of the toothed belt or chain: radius = teeth * pitch / (2 pi)
        crossed: true for a belt that crosses over, so that the pulleys turn against each other
        tension [N]: pull in each strand at rest, which loads the bearings
        joints: names of the joints that carry pulley a and pulley b; found where left out
        point_a [m]: centre of pulley a, in the world at the assembled position
        axis_a [1]: direction of pulley a's axis in the world, any length
        point_b [m]: a point of pulley b's axis, in the world at the assembled position
        axis_b [1]: direction of pulley b's axis in the world, any length
        frame_a: frame in body a, origin at the pulley's centre, z along its axis
        frame_b: frame in body b, origin at the pulley's centre, z along its axis
        efficiency [1]: power that leaves the belt over power that enters it, more than 0 and at most 1
        model: of the belt: `rigid`
        comment: free text
    """

    type: Literal["belt"] = "belt"
    radii: tuple[Length, Length] | None = None
    teeth: tuple[Number, Number] | None = None
    pitch: Length | None = None
    crossed: bool = False
    tension: Force = 0.0

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.radii is None and (self.teeth is None or self.pitch is None):
            yield Issue("radii", "the pulleys have no size: give `radii`, or `teeth` and `pitch`")
        elif self.pitch is not None and self.teeth is None:
            yield Issue("pitch", "`teeth` is missing beside `pitch`")
        yield from positive(self, value, "radii", "pitch")
        yield from tooth_issues(self.teeth, value)
        tension = value(self.tension)
        if tension is not None and tension < 0:
            yield Issue("tension", f"must not be negative, but is {tension:g} N")
