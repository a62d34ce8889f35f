"""Belt on two pulleys with parallel axes; a rigid one neither slips nor stretches.

    g = r_a psi_a - sigma r_b psi_b,   sigma = +1 open, -1 crossed

psi_i is the turn of pulley i against the line of centres l. The multiplier F_t is the difference of the pulls in the
two strands. G^T F_t has the couples F_t r_a and F_t r_b, and the part of the pulls across the line of centres,
F_t sin(theta): the strands of unequal pulleys are at the angle theta to it, sin(theta) = (r_a - sigma r_b)/|l|.

    r_a, r_b    radii of the belt's pitch line                                          m
    sign        sigma: +1 for an open belt, -1 for one that crosses over                1
    tension     pull in each strand at rest, T_0                                        N
    pitch       of the teeth: 2 pi r_a/z_a = 2 pi r_b/z_b                               m
    phase       raw g at the given position                                             m

Markers: z_b along z_a.

`separating` is the rest of the strands' pull: it draws the pulleys together along the line of centres with
(T_1 + T_2) cos(theta). T_1 - T_2 = |F_t|; T_1 + T_2 = 2 T_0, or |F_t| where that is more, when the slack strand has no
pull left. A belt has no contact point: `contact_point` is the centre of b, on the line of action of that force, and
`normal_force` is the pull in the tight strand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from wheelwork.description.base import Evaluate, Issue
from wheelwork.description.values import Force, Length, Number
from wheelwork.elements.meshes.base import tooth_issues
from wheelwork.elements.meshes.parallel import OnParallelAxes, SeparateWheelEquations
from wheelwork.equations.vector_form import AXES, CENTRES, WHEELS, VectorForm
from wheelwork.layout.meshes.faults import MeshFault, agree, millimetres
from wheelwork.layout.meshes.place import MeshPlace
from wheelwork.layout.meshes.sizes import Sizes
from wheelwork.layout.meshes.whole_numbers import sizes_of_ratio
from wheelwork.lazy import casadi as ca


class BeltMesh(OnParallelAxes):
    """A flat, V or toothed belt on two pulleys with parallel axes. Removes 1 degree of freedom.

    Rigid, it neither slips nor stretches; with `model: strands` it does. Sized by `radii`, or by `teeth` and the
    `pitch` of a toothed belt.

    Fields:
        bodies: names of pulley a and pulley b
        radii [m]: of pulley a and pulley b, to the belt's pitch line
        teeth [1]: of pulley a and pulley b, whole numbers; found from the radii where left out
        pitch [m]: of the toothed belt: radius = teeth * pitch / (2 pi)
        crossed: true for a belt that crosses over, so that the pulleys turn against each other
        tension [N]: pull in each strand at rest, which loads the bearings
        model: of the belt: `rigid` or `strands`
    """

    type: Literal["belt"] = "belt"
    radii: tuple[Length, Length] | None = None
    teeth: tuple[Number, Number] | None = None
    pitch: Length | None = None
    crossed: bool = False
    tension: Force = 0.0
    positive = ("radii", "pitch")
    not_negative = ("tension",)
    wheels_touch = False
    toothless = "a belt has no gear teeth"
    has_strands = True

    @property
    def turns_same_way(self) -> bool:
        return not self.crossed

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if self.radii is None and (self.teeth is None or self.pitch is None):
            yield Issue("radii", "the pulleys have no size: give `radii`, or `teeth` and `pitch`")
        elif self.pitch is not None and self.teeth is None:
            yield Issue("pitch", "`teeth` is missing beside `pitch`")
        yield from tooth_issues(self.teeth, value)

    def sizes(self, place, distance):
        n = place.number
        sizes = _pulleys(place)
        assert sizes.radii is not None
        r_a, r_b = sizes.radii
        least = n(r_a + r_b) if self.crossed else abs(n(r_a - r_b))
        if n(distance) <= least:
            kind = "a crossed belt" if self.crossed else "a belt"
            text = (
                f"the axes are {millimetres(n(distance))} apart, but {kind} on radii of {millimetres(n(r_a))} and "
                f"{millimetres(n(r_b))} needs more than {millimetres(least)}"
            )
            raise MeshFault(text, "move the axes apart, or use smaller pulleys")
        return sizes.teeth, {
            "r_a": r_a,
            "r_b": r_b,
            "sign": ca.SX(-1 if self.crossed else 1),
            "tension": place.value(self.tension),
            "pitch": 2 * ca.pi * r_a / sizes.counts[0],
        }

    class Equations(SeparateWheelEquations):
        forces: ClassVar = {
            "force.tangential": ("N", "difference of the pulls in the strands"),
            "force.tight": ("N", "pull in the tight strand"),
            "force.slack": ("N", "pull in the slack strand"),
        }
        units: ClassVar = {"sign": "1", "tension": "N"}
        extras = ("r_a", "r_b", "sign", "tension", "pitch", "phase")

        def sense(self, x):
            return x["sign"]

        def _sine(self, a, b, x):
            return (x["r_a"] - x["sign"] * x["r_b"]) / ca.norm_2(b.p - a.p)

        def strands(self, x, force):
            """Pulls in the tight and the slack strand [N]."""
            both = ca.fmax(2 * x["tension"], ca.fabs(force))
            return (both + ca.fabs(force)) / 2, (both - ca.fabs(force)) / 2

        def driving_direction(self, a, b, x):
            """Force on b in the row for F_t = 1; there is a couple besides, of the strands about its axis."""
            return self._sine(a, b, x) * self.directions(a, b, x).tangential

        def separating(self, a, b, x, force, spread=None):
            tight, slack = self.strands(x, force)
            pull = (tight + slack) * ca.sqrt(1 - self._sine(a, b, x) ** 2)
            return -pull * self.directions(a, b, x).radial

        def wheel_forces(self, a, b, x, force, **spread):
            """Tangential: moment over radius; radial: the pull along the line of centres, towards the other pulley."""
            pull = ca.norm_2(self.separating(a, b, x, force))
            return ca.vertcat(-force, pull, 0), ca.vertcat(x["sign"] * force, pull, 0)

        def normal_force(self, x, force):
            return self.strands(x, force)[0]

        def force_signals(self, a, b, x, force, friction=None, **spread):
            return [force, *self.strands(x, force)]

        def printed(self):
            return VectorForm(
                "r_a psi_a - sigma r_b psi_b",
                ("k t", "k s_a x t + r_a z_a", "-k t", "-k s_b x t - sigma r_b z_b"),
                "k (t' . l' + t . (w_b x (w_b x s_b) - w_a x (w_a x s_a)))",
                (
                    *CENTRES,
                    ("e", "l/|l|"),
                    ("t", "z_a x e"),
                    ("k", "(r_a - sigma r_b)/|l|"),
                    AXES[0],
                    ("e'", "(l' - (e . l') e)/|l|"),
                    ("t'", "z_a' x e + z_a x e'"),
                ),
                (
                    *WHEELS[:2],
                    (
                        "psi_a, psi_b",
                        "turn of each pulley against the line of centres l, in the positive sense about its axis",
                    ),
                    ("sigma", "1 for an open belt, -1 for one that crosses over"),
                    ("k", "sine of the angle between the strands and the line of centres"),
                ),
                multiplier="the difference of the pulls in the strands, which draw the pulleys together besides",
            )


def _pulleys(place: MeshPlace) -> Sizes:
    """Radii as given or teeth * pitch/(2 pi); teeth as given or the smallest whole numbers with that ratio."""
    reader, n = place.reader, place.number
    radii, teeth, pitch = reader.pair("radii"), reader.pair("teeth"), reader.value("pitch")
    if teeth is not None and pitch is not None:
        made = tuple(z * pitch / (2 * ca.pi) for z in teeth)
        for side, (radius, other) in enumerate(zip(radii or made, made, strict=True)):
            if not agree(n(radius), n(other)):
                text = (
                    f"{n(teeth[side]):.0f} teeth with a pitch of {millimetres(n(pitch))} make a radius of "
                    f"{millimetres(n(other))} for `{place.mesh.bodies[side]}`, but `radii` has {millimetres(n(radius))}"
                )
                raise MeshFault(text, "leave out `radii`, or leave out `pitch`", "radii")
        radii = made[0], made[1]
    assert radii is not None
    if teeth is None:
        whole, teeth = sizes_of_ratio(radii[1] / radii[0], n)
        return Sizes(whole, teeth, (radii[0], radii[0] * teeth[1] / teeth[0]))
    if not agree(n(teeth[1] / teeth[0]), n(radii[1] / radii[0])):
        text = (
            f"{n(teeth[0]):.0f} and {n(teeth[1]):.0f} teeth make a ratio of {n(teeth[1] / teeth[0]):.9g}, but radii of "
            f"{millimetres(n(radii[0]))} and {millimetres(n(radii[1]))} make {n(radii[1] / radii[0]):.9g}"
        )
        raise MeshFault(text, "leave one of them out, or make them agree", "teeth")
    whole = round(n(teeth[0])), round(n(teeth[1]))
    return Sizes(whole, teeth, (radii[0], radii[0] * teeth[1] / teeth[0]))
