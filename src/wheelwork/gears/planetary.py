"""Planetary sets: a sun, a ring, and planets between them.

    z_r = z_s + 2 z_p                       coaxial without profile shift; else both centre distances must agree
    (z_s + z_r) psi / (2 pi) whole          assembly: a planet fits at the angle psi from the first one
    2 a_w sin(gap/2) > d_ap                 neighbours clear each other's tips, gap the smallest angle between planets

Derivation of the assembly condition: with the first planet in place, turn the carrier by psi against the fixed ring.
The sun turns by (1 + z_r/z_s) psi. The next planet fits where the first was if the sun looks the same, that is if it
has turned by whole teeth: (1 + z_r/z_s) psi z_s / (2 pi) is whole. Equal spacing of N planets needs (z_s + z_r)/N
whole. Otherwise the nearest places, multiples of 2 pi/(z_s + z_r), give an unequal spacing.

Mesh phasing (Parker & Lin, Mesh phasing relationships in planetary and epicyclic gears, J. Mech. Design 126, 2004): in
mesh periods, positive where planet n is ahead of planet 1 (carrier at rest, planets numbered in the sense in which
the sun turns against the carrier):

    gamma_sn = -z_s psi_n / (2 pi)       sun-planet mesh n against sun-planet mesh 1
    gamma_rn = z_r psi_n / (2 pi)        ring-planet mesh n against ring-planet mesh 1

Both modulo 1, and then equal if the assembly condition holds. The ring mesh of a planet passes its pitch point later
than its sun mesh by

    gamma_rs = z_p (pi - psi_ws - psi_wr) / (2 pi)

with psi_w = s_w/d_w half the angle of a planet's tooth on its working circle at the sun and at the ring: sun and ring
touch opposite flanks of the planet on opposite sides. For teeth half as thick as the pitch that is 0 for an odd and 1/2
for an even number of planet teeth.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd, isclose, pi, sin
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass

from .interference import Finding, error, warning
from .involute import GeometryError
from .pair import GearPair


@dataclass(frozen=True)
class PlanetarySet:
    """A simple planetary set.

    sun: sun z_s with planet (external pair, the sun first)
    ring: planet with ring (internal pair, the planet first)
    planets: angles psi of the planets on the carrier [rad], or their number for the places nearest to equal spacing
    """

    sun: GearPair
    ring: GearPair
    planets: int | tuple[float, ...] = 3

    def __post_init__(self) -> None:
        if self.sun.internal or not self.ring.internal:
            raise GeometryError(
                "a planetary set needs an external pair (sun, planet) and an internal one (planet, ring)"
            )
        if self.sun.b.teeth != self.ring.a.teeth:
            raise GeometryError(
                f"the planet has {self.sun.b.teeth:g} teeth at the sun but {self.ring.a.teeth:g} at the ring; it is "
                "one wheel"
            )
        count = self.planets if isinstance(self.planets, int) else len(self.planets)
        if count < 1:
            raise GeometryError("a planetary set needs at least one planet")

    @property
    def teeth(self) -> tuple[int, int, int]:
        """z_s, z_p, z_r"""
        return round(self.sun.a.teeth), round(self.sun.b.teeth), round(self.ring.b.teeth)

    @property
    def assembly_step(self) -> float:
        """The angle 2 pi/(z_s + z_r) [rad] between places at which a planet fits"""
        sun, _, ring = self.teeth
        return 2 * pi / (sun + ring)

    @property
    def angles(self) -> tuple[float, ...]:
        """psi of the planets [rad], the first at 0 if they were not given"""
        if isinstance(self.planets, int):
            return nearest_angles(self.teeth[0], self.teeth[2], self.planets)
        return self.planets

    @property
    def equally_spaced(self) -> bool:
        return bool(np.allclose(self.gaps, 2 * pi / len(self.angles), atol=1e-9))

    @property
    def gaps(self) -> np.ndarray:
        """Angles [rad] from each planet to the next one round the carrier"""
        angles = np.sort(np.mod(self.angles, 2 * pi))
        return np.diff(np.append(angles, angles[0] + 2 * pi))

    @property
    def misfits(self) -> np.ndarray:
        """By which angle [rad] of the carrier each planet misses the nearest place at which it fits"""
        steps = (np.asarray(self.angles) - self.angles[0]) / self.assembly_step
        return (steps - np.round(steps)) * self.assembly_step

    @property
    def neighbour_clearance(self) -> float:
        """Between the tip circles of the two closest planets [m]; infinite for one planet"""
        if len(self.angles) == 1:
            return float("inf")
        distance = self.sun.working_centre_distance
        return 2 * distance * sin(min(float(np.min(self.gaps)), pi) / 2) - self.sun.b.tip_diameter

    @property
    def phases(self) -> tuple[np.ndarray, np.ndarray]:
        """gamma_sn and gamma_rn, in mesh periods from 0 to 1"""
        sun, _, ring = self.teeth
        turns = (np.asarray(self.angles) - self.angles[0]) / (2 * pi)
        return _part(-sun * turns), _part(ring * turns)

    @property
    def ring_sun_phase(self) -> float:
        """gamma_rs, in mesh periods from 0 to 1"""
        planet = self.sun.b
        half = planet.thickness(self.sun.working_diameters[1]) / self.sun.working_diameters[1]
        half += planet.thickness(self.ring.working_diameters[0]) / self.ring.working_diameters[0]
        return float(_part(planet.teeth * (pi - half) / (2 * pi)))

    def findings(self) -> list[Finding]:
        """Centre distances, assembly and neighbours."""
        return list(self._findings())

    def _findings(self) -> Iterator[Finding]:
        a_s, a_r = self.sun.working_centre_distance, self.ring.working_centre_distance
        if not isclose(a_s, a_r, rel_tol=1e-6):
            yield error(
                "centre distance",
                f"sun and planet need {a_s * 1e3:.4f} mm between axes, planet and ring {a_r * 1e3:.4f} mm; choose "
                f"teeth with z_r = z_s + 2 z_p ({self.teeth[0] + 2 * self.teeth[1]} here), or profile shifts that "
                "make them equal",
            )
        worst = int(np.argmax(np.abs(self.misfits)))
        if abs(self.misfits[worst]) > 1e-6:
            sun, _, ring = self.teeth
            yield error(
                "assembly",
                f"planet {worst + 1} cannot be put in: it misses the nearest place by "
                f"{np.degrees(self.misfits[worst]):.4f} deg; planets fit every "
                f"{np.degrees(self.assembly_step):.4f} deg, and {len(self.angles)} evenly spaced ones need z_s + "
                f"z_r = {sun + ring} to be a multiple of {len(self.angles)}",
            )
        if (gap := self.neighbour_clearance) < 0:
            yield error(
                "neighbouring planets",
                f"the tip circles of neighbouring planets overlap by {-gap * 1e3:.3f} mm; take fewer or smaller "
                "planets",
            )
        elif gap < self.sun.a.module:
            yield warning(
                "neighbouring planets",
                f"only {gap * 1e3:.3f} mm remain between the tips of neighbouring planets; usual is a module or "
                "more",
            )


def _part(value: Any) -> np.ndarray:
    """Fraction from 0 to 1, with rounding errors below a whole number counted as 0."""
    return np.mod(np.round(np.mod(value, 1.0), 12), 1.0)


def nearest_angles(sun_teeth: int, ring_teeth: int, count: int) -> tuple[float, ...]:
    """Places [rad] for `count` planets, as near to equal spacing as the teeth allow, the first at 0;
    of two places as near the later one, so that opposite planets stay opposite.

    >>> [round(float(np.degrees(a)), 3) for a in nearest_angles(20, 70, 4)]
    [0.0, 92.0, 180.0, 272.0]
    """
    total = sun_teeth + ring_teeth
    return tuple(2 * pi * round(total * k / count + 1e-9) / total for k in range(count))


def assembles(sun_teeth: int, ring_teeth: int, count: int) -> bool:
    """Whether `count` planets fit evenly spaced: (z_s + z_r)/N is whole."""
    return (sun_teeth + ring_teeth) % count == 0


def hunting_period(teeth_a: int, teeth_b: int) -> int:
    """Turns of wheel a after which the same teeth meet again: z_b / gcd(z_a, z_b)."""
    return teeth_b // gcd(teeth_a, teeth_b)
