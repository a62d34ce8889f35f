"""Teeth and pitch radii of a pair of wheels, from what is given of them.

With k = z_b/z_a, distance d of the axes and c_i = cos(beta_i) of the helix angles (1 for spur and bevel wheels):

    k = r_b c_b/(r_a c_a)                    same pitch in the normal section
    r_i = z_i m/(2 c_i)                      m normal module
    r_a = d/(1 + k c_a/c_b)                  external and crossed, (12)-(14) of the paper with its k
    r_a = d/(k - 1)                          internal, (35) with i the pinion here

Teeth not given follow from module and radii, or are the smallest whole numbers with the ratio; a ratio that is none of
small whole numbers is kept as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .faults import TOLERANCE, MeshFault, agree, millimetres
from .whole_numbers import sizes_of_ratio

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place

Cosines = tuple[Any, Any]
ONES = (1.0, 1.0)


@dataclass(frozen=True)
class Sizes:
    """Teeth as whole numbers and as expressions, and pitch radii as far as they are given without the distance."""

    teeth: tuple[int, int]
    counts: tuple[ca.SX, ca.SX]
    radii: tuple[ca.SX, ca.SX] | None

    @property
    def ratio(self) -> ca.SX:
        return self.counts[1] / self.counts[0]


class SizeReader:
    """Reads the sizes of a mesh; `number` gives the value of an expression."""

    def __init__(self, mesh: Any, place: Place, number: Callable[[ca.SX], float]):
        self.mesh = mesh
        self.place = place
        self.number = number

    def value(self, name: str) -> ca.SX | None:
        given = getattr(self.mesh, name, None)
        return None if given is None else self.place.value(given)

    def pair(self, name: str) -> tuple[ca.SX, ca.SX] | None:
        given = getattr(self.mesh, name, None)
        return None if given is None else (self.place.value(given[0]), self.place.value(given[1]))

    def given_radii(self, cosines: Cosines = ONES) -> tuple[ca.SX, ca.SX] | None:
        """Radii as given, or from teeth and module."""
        radii, module, teeth = self.pair("radii"), self.value("module"), self.pair("teeth")
        if radii is None and module is not None and teeth is not None:
            return tuple(z * module / (2 * c) for z, c in zip(teeth, cosines, strict=True))  # type: ignore[return-value]
        return radii

    def wheels(self, cosines: Cosines = ONES, distance: ca.SX | None = None, sign: int = 1) -> Sizes:
        """Teeth, and the radii where `radii` or `module` is given.

        distance, sign: of the axes, the sum (1) or difference (-1) of the radii; lets a ratio and a module give teeth
        """
        radii, module, teeth = self.pair("radii"), self.value("module"), self.pair("teeth")
        ratio = self._ratio(radii, teeth, cosines)
        if teeth is None and module is not None:
            teeth = self._teeth_of_module(module, radii, ratio, cosines, distance, sign)
        if teeth is None:
            whole, teeth = sizes_of_ratio(ratio, self.number)
        else:
            whole = round(self.number(teeth[0])), round(self.number(teeth[1]))
        if module is not None:
            made = tuple(z * module / (2 * c) for z, c in zip(teeth, cosines, strict=True))
            self._same_radii(radii, made, module)
            radii = made[0], made[1]
        elif radii is not None:
            # exactly the ratio of the teeth
            radii = radii[0], radii[0] * (teeth[1] / teeth[0]) * cosines[0] / cosines[1]
        return Sizes(whole, teeth, radii)

    def _ratio(self, radii: Any, teeth: Any, cosines: Cosines) -> ca.SX:
        """z_b/z_a from all that gives it; what is given twice must agree."""
        n = self.number
        found: list[tuple[str, str, ca.SX]] = []
        if teeth is not None:
            words = f"{n(teeth[0]):.0f} and {n(teeth[1]):.0f} teeth"
            found.append(("teeth", words, teeth[1] / teeth[0]))
        if self.mesh.ratio is not None:
            ratio = self.place.value(self.mesh.ratio)
            found.append(("ratio", "`ratio`", ratio))
        if radii is not None:
            words = f"radii of {millimetres(n(radii[0]))} and {millimetres(n(radii[1]))}"
            found.append(("radii", words, radii[1] * cosines[1] / (radii[0] * cosines[0])))
        _, words, first = found[0]
        for field, others, ratio in found[1:]:
            if not agree(n(first), n(ratio)):
                text = f"{words} make a ratio of {n(first):.9g}, but {others} {_make(others)} {n(ratio):.9g}"
                raise MeshFault(text, "leave one of them out, or make them agree", field)
        return first

    def check_ratio(self, teeth: tuple[ca.SX, ca.SX]) -> None:
        """Teeth and ratio must not contradict each other."""
        self._ratio(None, teeth, ONES)

    def _teeth_of_module(
        self, module: ca.SX, radii: Any, ratio: ca.SX, cosines: Any, distance: ca.SX | None, sign: int
    ) -> tuple[ca.SX, ca.SX]:
        """z = 2 r cos(beta)/m, which must come out whole."""
        n = self.number
        if radii is None:
            if distance is None:
                raise MeshFault("`teeth` or `radii` is missing beside `module`", field="module")
            radii = radii_from_distance(distance, ratio, cosines, sign)
        counts = [2 * n(r) * n(c) / n(module) for r, c in zip(radii, cosines, strict=True)]
        for count, radius in zip(counts, radii, strict=True):
            if round(count) < 1 or abs(count - round(count)) > TOLERANCE * count:
                text = (
                    f"a module of {millimetres(n(module))} and a pitch radius of {millimetres(n(radius))} "
                    f"make {count:.9g} teeth, which is not a whole number"
                )
                raise MeshFault(text, "give `teeth`, or another module", "module")
        return ca.SX(round(counts[0])), ca.SX(round(counts[1]))

    def _same_radii(self, given: Any, made: Any, module: ca.SX) -> None:
        n = self.number
        for side, (radius, other) in enumerate(zip(given or (), made, strict=bool(given))):
            if not agree(n(radius), n(other)):
                wanted = n(module) * n(radius) / n(other)
                text = (
                    f"teeth and a module of {millimetres(n(module))} make a pitch radius of "
                    f"{millimetres(n(other))} for `{self.mesh.bodies[side]}`, but `radii` has {millimetres(n(radius))}"
                )
                raise MeshFault(text, f"leave out `radii`, or use a module of {millimetres(wanted)}", "radii")

    def closed(
        self, sizes: Sizes, distance: ca.SX, cosines: Cosines = ONES, sign: int = 1
    ) -> tuple[ca.SX, ca.SX]:
        """Radii whose sum (sign 1) or difference (sign -1) is the distance of the axes."""
        if sizes.radii is None:
            return radii_from_distance(distance, sizes.ratio, cosines, sign)
        n = self.number
        r_a, r_b = (n(radius) for radius in sizes.radii)
        needed, given = (r_a + r_b if sign > 0 else r_b - r_a), n(distance)
        if not abs(needed - given) <= TOLERANCE * given:
            parts = (
                (millimetres(r_a), "+", millimetres(r_b))
                if sign > 0
                else (millimetres(r_b), "-", millimetres(r_a))
            )
            text = (
                f"the axes are {millimetres(given)} apart, but pitch radii of {' '.join(parts)} "
                f"need {millimetres(needed)}"
            )
            module = self.value("module")
            if module is not None:
                other = f"use a module of {millimetres(n(module) * given / needed)}, or give `profile_shift`"
            else:
                other = "leave out `radii` and give `ratio`: the radii then follow from the distance"
            raise MeshFault(text, f"move the axes to {millimetres(needed)}, or {other}")
        return sizes.radii


def radii_from_distance(distance: ca.SX, ratio: ca.SX, cosines: Cosines, sign: int) -> tuple[ca.SX, ca.SX]:
    """Pitch radii from the ratio k = z_b/z_a; their sum (sign 1) or difference (-1) is the distance."""
    k = ratio * cosines[0] / cosines[1]
    # Vlasenko, Kasper (13), (14) with the k of (12): r^i = |l|/(1 + k), r^j = k r^i; a ring b: below their (35)
    r_a = distance / (1 + k) if sign > 0 else distance / (k - 1)
    return r_a, k * r_a


def _make(words: str) -> str:
    return "is" if words == "`ratio`" else "make"
