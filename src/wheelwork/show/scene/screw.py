r"""Solids of worms and of crossed helical wheels with few teeth: involute helicoids.

A worm is a helical gear with few teeth and a large helix angle beta = 90 deg - gamma, and so its flanks are those of an
involute (ISO 10828: ZI). Together with a helical wheel of the same normal section it makes a crossed helical pair: both
touch the same imagined rack from its two sides and never run into each other. (A real worm wheel has a throat around
the worm; it is left out here.) In the transverse section, with alpha_t from tan(alpha_t) = tan(alpha_n)/cos(beta):

    theta(r) = s_t/(2 r_0) + inv(alpha_t) - inv(alpha_y),  cos(alpha_y) = r_b/r,  r_b = r_0 cos(alpha_t)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, ceil, cos, pi, tan

import numpy as np

from wheelwork.gears.involute import involute, pressure_angle_at

from .cylindrical import FINE, Detail, swept
from .solids import Solid, directions
from .tooth_solids import ToothLine

STEP = np.radians(12.0)
"""Between points on root and tip, and between sections: threads go far around."""


@dataclass(frozen=True)
class ScrewSurface:
    """A worm, or any helical wheel without fillets.

    teeth: threads; radius: pitch radius [m]; helix_angle: beta [rad], positive right-handed
    pressure_angle: alpha_n [rad]; height: addendum [m]; depth: dedendum [m]
    """

    teeth: int
    radius: float
    helix_angle: float
    pressure_angle: float
    height: float
    depth: float

    @property
    def base_radius(self) -> float:
        return self.radius * cos(self._alpha_t)

    @property
    def _alpha_t(self) -> float:
        return atan(tan(self.pressure_angle) / cos(self.helix_angle))

    @property
    def root_radius(self) -> float:
        return max(self.radius - self.depth, 1.001 * self.base_radius, 0.2 * self.radius)

    @property
    def tip_radius(self) -> float:
        return self.radius + self.height

    @property
    def slope(self) -> float:
        """Turn of the section with the height [rad/m]"""
        return tan(self.helix_angle) / self.radius

    def half_angle(self, radius: np.ndarray) -> np.ndarray:
        """theta(r): polar angle of the flank from the middle of the thread [rad]."""
        at = involute(pressure_angle_at(radius, self.base_radius))
        return pi / (2 * self.teeth) + float(involute(self._alpha_t)) - at

    def line(self, detail: Detail = FINE) -> ToothLine:
        radii = np.linspace(self.root_radius, self.tip_radius, detail.flank)
        angles = self.half_angle(radii)
        root, tip = _arc(pi / self.teeth, angles[0]), _arc(angles[-1], 0.0)
        radius = np.concatenate((np.full(len(root) - 1, radii[0]), radii, np.full(len(tip) - 1, radii[-1])))
        angle = np.concatenate((root[:-1], angles, tip[1:]))
        half = radius[:, None] * directions(angle)
        half[-1, 1] = 0.0
        return ToothLine(half, len(root) - 1, across=False)


def _arc(start: float, end: float) -> np.ndarray:
    return np.linspace(start, end, 2 + ceil(abs(end - start) / STEP))


def screw_solid(screw: ScrewSurface, length: float, angle: float = 0.0, detail: Detail = FINE) -> Solid:
    """A worm about z, centred; angle: of the middle of a thread in the plane z = 0 [rad]"""
    levels = 2 + ceil(abs(screw.slope) * length / STEP)
    heights = np.linspace(-length / 2, length / 2, levels)
    return swept(screw.line(detail), screw.teeth, heights, screw.slope, 0.0, angle)
