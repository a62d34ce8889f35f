r"""Solids of bevel wheels: teeth that taper towards the apex, where the axes meet.

Tooth shapes are those of the virtual gear on the back cone (Tredgold, :mod:`wheelwork.gears.bevel`). A point of its
outline at the radius r_v and the polar angle theta_v is, at the outer ends of the teeth, in cylinder coordinates about
the wheel's axis with the apex at z = 0,

    rho = r_v cos(delta),   z = R_e/cos(delta) - r_v sin(delta),   phi = theta_v/cos(delta)

and at the cone distance R the same shrunk by R/R_e. Spiral teeth keep their spiral angle beta_m along the face:
phi grows by tan(beta_m) ln(R/R_m)/sin(delta), R_m in the middle of the face.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, cos, log, pi, sin, tan

import numpy as np

from wheelwork.gears import BevelPair, Gear

from .cylindrical import FINE, Detail, tooth_line
from .solids import Solid, turned_by
from .tooth_solids import ToothLine, stitched


@dataclass(frozen=True)
class BevelWheel:
    """One wheel of a bevel pair.

    teeth: z; cone_angle: delta [rad]; outer: R_e [m]; width: b along the cone [m]
    virtual: the gear on the back cone, at the outer ends of the teeth
    spiral: beta_m [rad], positive right-handed
    """

    teeth: int
    cone_angle: float
    outer: float
    width: float
    virtual: Gear
    spiral: float = 0.0

    @classmethod
    def of(cls, pair: BevelPair, side: int) -> BevelWheel:
        middle = pair.virtual_pair
        grow = pair.outer_cone_distance / pair.mean_cone_distance
        gear = (middle.a, middle.b)[side]
        return cls(
            pair.teeth[side],
            pair.cone_angles[side],
            pair.outer_cone_distance,
            pair.face_width,
            gear.with_(module=gear.module * grow, face_width=0.0),
            (1 - 2 * side) * pair.spiral_angle,
        )

    @property
    def module(self) -> float:
        """m_et [m], transverse, at the outer ends"""
        return 2 * self.outer * sin(self.cone_angle) / self.teeth

    @property
    def middle(self) -> float:
        """Distance of the wheel's centre from the apex along its axis [m], in the middle of the face"""
        return (self.outer - self.width / 2) * cos(self.cone_angle)

    def turn(self, cone_distance: float) -> float:
        """By how much the section at a cone distance is turned against the middle of the face [rad]."""
        middle = self.outer - self.width / 2
        return tan(self.spiral) * log(cone_distance / middle) / sin(self.cone_angle)

    def line(self, detail: Detail = FINE) -> ToothLine:
        return tooth_line(self.virtual, detail)

    def on_back_cone(self, points: np.ndarray) -> np.ndarray:
        """Points of the virtual outline (n, 2) to (n, 3): rho, phi, z at the outer ends."""
        delta = self.cone_angle
        radius, angle = np.hypot(*points.T), np.arctan2(points[:, 1], points[:, 0])
        return np.column_stack(
            (radius * cos(delta), angle / cos(delta), self.outer / cos(delta) - radius * sin(delta))
        )

    def section(self, line: ToothLine, angle: float = 0.0) -> np.ndarray:
        """The teeth at their outer ends (N, 3), the apex in the origin; angle: of a tooth in the middle of the face."""
        rho, phi, z = self.on_back_cone(line.tooth).T
        turns = angle + self.turn(self.outer) + 2 * pi * np.arange(self.teeth)[:, None] / self.teeth + phi
        flat = np.stack([rho * np.cos(turns), rho * np.sin(turns), np.broadcast_to(z, turns.shape)], axis=2)
        return flat.reshape(-1, 3)

    @property
    def least_root(self) -> float:
        """Radius of the root circle at the inner ends [m]: a bore must be smaller."""
        root = self.virtual.root_diameter / 2 * cos(self.cone_angle)
        return root * (1 - self.width / self.outer)


def bevel_solid(wheel: BevelWheel, bore: float, angle: float = 0.0, detail: Detail = FINE) -> Solid:
    """A bevel wheel about z, the apex in the origin, the teeth at positive z.

    bore: radius [m], 0 for none; angle: of the middle of a tooth, in the middle of the face [rad]
    """
    line = wheel.line(detail)
    outer = wheel.section(line, angle)
    least = wheel.outer - wheel.width
    swing = abs(wheel.turn(wheel.outer) - wheel.turn(least))
    levels = 2 + ceil(3 * swing / (2 * pi / wheel.teeth)) if wheel.spiral else 2
    distances = np.linspace(least, wheel.outer, levels)
    sections = np.stack(
        [outer @ turned_by(wheel.turn(R) - wheel.turn(wheel.outer)).T * (R / wheel.outer) for R in distances]
    )
    feet = (len(line.tooth) * np.arange(wheel.teeth)[:, None] + line.base).ravel()
    return stitched(sections, _behind(wheel, sections[:, feet], bore), line)


def _behind(wheel: BevelWheel, feet: np.ndarray, bore: float) -> np.ndarray:
    """Rings of the body: the bore at the inner ends, at the back, and the back edge below the outer ends.

    The body goes on under the teeth along the back cone for as much as the teeth are high, then straight to the bore.
    """
    inner, outer = feet[0], feet[-1]
    first = outer[:, :2] / np.linalg.norm(outer[:, :2], axis=1, keepdims=True)
    low = inner[:, :2] / np.linalg.norm(inner[:, :2], axis=1, keepdims=True)
    deep = 2.2 * wheel.module
    rho = float(np.linalg.norm(outer[0, :2])) - deep * cos(wheel.cone_angle)
    z = float(outer[0, 2]) + deep * sin(wheel.cone_angle)
    rho = max(rho, 1.02 * bore)

    def ring(directions: np.ndarray, radius: float, height: float) -> np.ndarray:
        return np.column_stack((radius * directions, np.full(len(directions), height)))

    return np.stack([ring(low, bore, float(inner[0, 2])), ring(low, bore, z), ring(first, rho, z)])
