"""Physical dimensions, and what users call them.

A dimension is the tuple of exponents of metre, kilogram, second and radian. The radian counts as a dimension of its
own so that `50 Hz` is not taken for an angular speed, nor a torque for a torsional stiffness.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from wheelwork.lazy import dataclass

Exponents = tuple[Fraction, Fraction, Fraction, Fraction]


def exponents(metre: float = 0, kilogram: float = 0, second: float = 0, radian: float = 0) -> Exponents:
    return (Fraction(metre), Fraction(kilogram), Fraction(second), Fraction(radian))


@dataclass(frozen=True)
class Dimension:
    """A physical dimension as users speak of it.

    words: with article, `a length`
    unit: the SI unit a bare number has
    example: a quantity of this dimension
    exponents: of metre, kilogram, second, radian
    also: other exponents taken for the same thing, with the factor that converts them
    """

    words: str
    unit: str
    example: str
    exponents: Exponents
    also: tuple[tuple[Exponents, float], ...] = ()

    def factor(self, exponents: Exponents) -> float | None:
        """Factor for a quantity with these exponents, or None where they do not fit."""
        if exponents == self.exponents:
            return 1.0
        return dict(self.also).get(exponents)


_E = exponents
NUMBER = Dimension("a plain number", "1", "0.3", _E())
LENGTH = Dimension("a length", "m", "15 mm", _E(1))
AREA = Dimension("an area", "m^2", "2 mm^2", _E(2))
VOLUME = Dimension("a volume", "m^3", "2 mm^3", _E(3))
ANGLE = Dimension("an angle", "rad", "20 deg", _E(0, 0, 0, 1))
TIME = Dimension("a time", "s", "5 ms", _E(0, 0, 1))
MASS = Dimension("a mass", "kg", "2 kg", _E(0, 1))
DENSITY = Dimension("a density", "kg/m^3", "7800 kg/m^3", _E(-3, 1))
INERTIA = Dimension("a moment of inertia", "kg*m^2", "0.02 kg*m^2", _E(2, 1))
SPEED = Dimension("a speed", "m/s", "2 m/s", _E(1, 0, -1))
PER_SPEED = Dimension("a factor of speed", "s/m", "5 s/m", _E(-1, 0, 1))
ACCELERATION = Dimension("an acceleration", "m/s^2", "9.81 m/s^2", _E(1, 0, -2))
ANGULAR_SPEED = Dimension("an angular speed", "rad/s", "3000 rpm", _E(0, 0, -1, 1))
ANGULAR_ACCELERATION = Dimension("an angular acceleration", "rad/s^2", "5 rad/s^2", _E(0, 0, -2, 1))
FREQUENCY = Dimension("a frequency", "1/s", "50 Hz", _E(0, 0, -1))
FORCE = Dimension("a force", "N", "50 N", _E(1, 1, -2))
TORQUE = Dimension("a torque", "N*m", "5 N*m", _E(2, 1, -2))
STIFFNESS = Dimension("a stiffness", "N/m", "2e8 N/m", _E(0, 1, -2))
DAMPING = Dimension("a damping", "N*s/m", "300 N*s/m", _E(0, 1, -1))
TORSIONAL_STIFFNESS = Dimension("a torsional stiffness", "N*m/rad", "2e4 N*m/rad", _E(2, 1, -2, -1))
# N*m*s without the radian is what catalogues print, and can be mistaken for nothing else a field takes.
TORSIONAL_DAMPING = Dimension(
    "a torsional damping", "N*m*s/rad", "0.5 N*m*s/rad", _E(2, 1, -1, -1), also=((_E(2, 1, -1), 1.0),)
)
POWER = Dimension("a power", "W", "2 kW", _E(2, 1, -3))
PRESSURE = Dimension("a pressure", "Pa", "200 MPa", _E(-1, 1, -2))
# A lead is metres per turn; `5 mm/rev` says the same with the turn written out.
LEAD = Dimension("a lead (length per turn)", "m", "5 mm", _E(1), also=((_E(1, 0, 0, -1), 2 * math.pi),))

DIMENSIONS = tuple(value for value in list(globals().values()) if isinstance(value, Dimension))
_WORDS = {d.exponents: d.words for d in reversed(DIMENSIONS)}


def in_words(exponents: Exponents) -> str:
    """The dimension as a user would name it."""
    return _WORDS.get(exponents) or f"a quantity in {si_unit(exponents)}"


@functools.lru_cache(maxsize=1024)
def si_unit(exponents: Exponents) -> str:
    """The SI unit of a dimension: a usual one where there is a name for it, else from base units."""
    for dimension in DIMENSIONS:
        if dimension.exponents == exponents:
            return dimension.unit
    parts = [
        unit if power == 1 else f"{unit}^{power if power.denominator == 1 else float(power)}"
        for unit, power in zip(("m", "kg", "s", "rad"), exponents, strict=True)
        if power
    ]
    return "*".join(parts)
