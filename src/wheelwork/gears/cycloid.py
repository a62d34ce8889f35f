r"""Cycloidal drives: a disc with z lobes rolls inside z + 1 pins, on an eccentric.

In the disc's frame, with t the direction of a pin from the centre of the ring, the centres of all pins lie on

    C(t) = R (cos t, sin t) - e (cos z_p t, sin z_p t)          shortened epitrochoid, z_p = z + 1

and the disc's outline is the curve at the distance r inside it (its equidistant): C - r n, n the outward normal. Pitch
circles have the radii e z and e z_p; all common normals go through the pitch point P. With K = e z_p/R and theta the
angle of a pin from the direction of P, seen from the centre of the ring:

    S = sqrt(1 + K^2 - 2 K cos(theta))          |P pin| = R S
    l = e z sin(theta)/S                        arm of the normal about the disc's centre
    F_max = 4 T/(e z z_p)                       largest of the forces F_i = F_max l_i/(e z) in the mean over a pin pitch
                                                (Malhotra and Parameswaran): equal lobes, no clearance, half of them

Discs are made with a little clearance: ground as for pins of radius r + `offset` (equidistant modification) on a circle
of radius R + `shift` (moved-distance modification). Both leave the ratio as it is.

Undercut: the outline has a loop where r + offset is more than the least radius of curvature of C where it is convex.
For 1 > K > (z_p - 2)/(2 z_p - 1) that is R sqrt(27 (1 - K^2) (z_p - 1)/(z_p + 1)^3), below it R (1 + K)^2/(1 + z_p K).

Sources: S. K. Malhotra, M. A. Parameswaran, Analysis of a cycloid speed reducer, Mechanism and Machine Theory 18 (1983)
491-499; J.-H. Shin, S.-M. Kwon, On the lobe profile design in a cycloid reducer using instant velocity center,
Mechanism and Machine Theory 41 (2006) 596-616. Written from the definitions above; tests compare with what is printed.
"""

from __future__ import annotations

from math import log, pi, sin, sqrt

import numpy as np

from wheelwork.lazy import dataclass

from .in_notebooks import WithSheet
from .involute import GeometryError


@dataclass(frozen=True)
class CycloidDrive(WithSheet):
    """A disc and its ring of pins.

    lobes: z of the disc; the ring has one pin more
    pin_circle: R [m], radius of the circle of the pins' centres
    pin_radius: r [m], of the pins, or of the rollers on them
    eccentricity: e [m], between the centres of disc and ring
    offset: [m] equidistant modification: the disc is made for pins thicker by this
    shift: [m] moved-distance modification: the disc is made for a pin circle larger by this
    """

    lobes: int
    pin_circle: float
    pin_radius: float
    eccentricity: float
    offset: float = 0.0
    shift: float = 0.0

    def __post_init__(self) -> None:
        if self.lobes < 2:
            raise GeometryError(f"a cycloid disc needs at least 2 lobes, but has {self.lobes}")
        for name in ("pin_circle", "pin_radius", "eccentricity"):
            if getattr(self, name) <= 0:
                raise GeometryError(
                    f"`{name}` must be greater than zero, but is {getattr(self, name) * 1e3:.4g} mm"
                )
        room = self.pin_circle * sin(pi / self.pins)
        if self.pin_radius >= room:
            raise GeometryError(
                f"pins of radius {self.pin_radius * 1e3:.4g} mm overlap: {self.pins} of them on a circle of radius "
                f"{self.pin_circle * 1e3:.4g} mm have room for less than {room * 1e3:.4g} mm; take fewer or thinner "
                "pins, or a larger circle"
            )
        most = (self.pin_circle + min(self.shift, 0.0)) / self.pins
        if self.eccentricity >= most:
            raise GeometryError(
                f"the eccentricity of {self.eccentricity * 1e3:.4g} mm is too large: with {self.pins} pins on a circle "
                f"of radius {self.pin_circle * 1e3:.4g} mm it must be less than {most * 1e3:.4g} mm, or the curve of "
                "the pins' centres has loops"
            )
        made_for = self.pin_radius + self.offset
        if made_for <= 0:
            raise GeometryError(
                f"an `offset` of {self.offset * 1e3:.4g} mm takes away more than the pins' radius of "
                f"{self.pin_radius * 1e3:.4g} mm, which leaves no disc that fits between them; take a smaller one"
            )
        if made_for >= self.least_convex_radius:
            raise GeometryError(
                f"the lobes are undercut: the disc is made for pins of radius {made_for * 1e3:.4g} mm, but the curve "
                f"of their centres is bent to a radius of {self.least_convex_radius * 1e3:.4g} mm; take thinner pins, "
                "a larger pin circle or another eccentricity"
            )

    # -- sizes

    @property
    def pins(self) -> int:
        """z_p = z + 1"""
        return self.lobes + 1

    @property
    def pitch_radii(self) -> tuple[float, float]:
        """e z of the disc and e z_p of the ring [m]"""
        return self.eccentricity * self.lobes, self.eccentricity * self.pins

    @property
    def shortening(self) -> float:
        """K = e z_p/R of the ring"""
        return self.pitch_radii[1] / self.pin_circle

    @property
    def made_circle(self) -> float:
        """Radius of the pin circle that the disc is made for [m]"""
        return self.pin_circle + self.shift

    @property
    def least_convex_radius(self) -> float:
        """Least radius of curvature of the curve of the pins' centres where it is convex [m]"""
        z, R = self.pins, self.made_circle
        K = self.pitch_radii[1] / R
        if (z - 2) / (2 * z - 1) < K:
            return R * sqrt(27 * (1 - K * K) * (z - 1) / (z + 1) ** 3)
        return R * (1 + K) ** 2 / (1 + z * K)

    @property
    def radii(self) -> tuple[float, float]:
        """Of the disc at the bottom of its valleys and at the top of its lobes [m]"""
        middle = self.made_circle - self.pin_radius - self.offset
        return middle - self.eccentricity, middle + self.eccentricity

    # -- curves in the disc's frame; x goes through the bottom of a valley

    def centres(self, t: np.ndarray) -> np.ndarray:
        """C(t): places of the centre of a pin that the disc is made for (n, 2) [m]"""
        t, z = np.asarray(t, float), self.pins
        x = self.made_circle * np.cos(t) - self.eccentricity * np.cos(z * t)
        y = self.made_circle * np.sin(t) - self.eccentricity * np.sin(z * t)
        return np.stack([x, y], axis=-1)

    def normals(self, t: np.ndarray) -> np.ndarray:
        """Outward normals of C, and of the outline (n, 2)"""
        x, y = self._tangents(np.asarray(t, float)).T
        return (np.stack([y, -x]) / np.hypot(x, y)).T

    def outline(self, t: np.ndarray) -> np.ndarray:
        """Points of the disc (n, 2) [m]"""
        return self.centres(t) - (self.pin_radius + self.offset) * self.normals(t)

    def radius_of_curvature(self, t: np.ndarray) -> np.ndarray:
        """Of the disc (n,) [m], positive where it is convex"""
        t, z = np.asarray(t, float), self.pins
        x, y = self._tangents(t).T
        bend_x = -self.made_circle * np.cos(t) + self.eccentricity * z * z * np.cos(z * t)
        bend_y = -self.made_circle * np.sin(t) + self.eccentricity * z * z * np.sin(z * t)
        with np.errstate(divide="ignore"):
            return np.hypot(x, y) ** 3 / (x * bend_y - y * bend_x) - self.pin_radius - self.offset

    def _tangents(self, t: np.ndarray) -> np.ndarray:
        z = self.pins
        x = -self.made_circle * np.sin(t) + self.eccentricity * z * np.sin(z * t)
        y = self.made_circle * np.cos(t) - self.eccentricity * z * np.cos(z * t)
        return np.stack([x, y], axis=-1)

    # -- pins, at angles theta from the direction of the pitch point

    def pin_angles(self, first: float = 0.0) -> np.ndarray:
        """theta of all pins (z_p,), from -pi to pi, the first given [rad]"""
        theta = first + 2 * pi * np.arange(self.pins) / self.pins
        return (theta + pi) % (2 * pi) - pi

    def arms(self, theta: np.ndarray) -> np.ndarray:
        """l of the normals about the disc's centre [m]; of the sign of theta"""
        return self.pitch_radii[0] * np.sin(theta) / self._reach(theta)

    def pressure_angles(self, theta: np.ndarray) -> np.ndarray:
        """Between the normal and the way of the pin's centre about the disc's [rad]; cos = arm over distance"""
        away = np.hypot(self.pin_circle * np.cos(theta) - self.eccentricity, self.pin_circle * np.sin(theta))
        return np.arccos(np.clip(np.abs(self.arms(theta)) / away, 0.0, 1.0))

    def gaps(self, theta: np.ndarray) -> np.ndarray:
        """Between lobes and pins with the disc in its middle position [m]; to first order in the modifications.

        A pin stands outside the curve it is made for by -shift cos(angle between its radius and the normal)."""
        return self.offset - self.shift * (1 - self.shortening * np.cos(theta)) / self._reach(theta)

    @property
    def overlap(self) -> float:
        """By how much the disc reaches into pins in its middle position [m]; negative where all of it is clear."""
        return -float(np.min(self.gaps(np.linspace(0, pi, 2001))))

    def clearance(self, theta: np.ndarray) -> np.ndarray:
        """What is left of the gaps when the disc has turned until its first lobe touches [m], where arms are positive:
        the clearance that lobes take up one after the other under load."""
        arms, gaps = self.arms(theta), self.gaps(theta)
        fine = np.linspace(0, pi, 20001)[1:-1]
        turn = float(np.min(self.gaps(fine) / self.arms(fine)))
        return np.where(arms > 0, gaps - turn * arms, np.inf)

    def lobe_forces(
        self, torque: float, first: float = 0.0, stiffness: float | None = None
    ) -> tuple[np.ndarray, float]:
        """Forces on the pins (z_p,) [N] and turn of the disc [rad] under a torque [N m], each lobe a linear spring.

        first: theta of a pin; stiffness: of a lobe on its pin [N/m]; without one there is no clearance, and no turn.
        The gaps are those of `gaps`: the disc turns until the first lobes touch, and on until they hold the torque.
        """
        theta = self.pin_angles(first)
        arms = self.arms(theta)
        side = np.sign(torque) * arms
        if stiffness is None:
            loaded = np.maximum(side, 0.0)
            return abs(torque) * loaded / float(np.sum(loaded**2)), 0.0
        gaps = self.gaps(theta)
        facing = side > 1e-9 * self.pitch_radii[0]
        order = np.flatnonzero(facing)[np.argsort(gaps[facing] / side[facing])]
        turn = 0.0
        for count in range(1, len(order) + 1):  # lobes touch one after the other
            l, g = side[order[:count]], gaps[order[:count]]
            turn = (abs(torque) / stiffness + float(g @ l)) / float(l @ l)
            if count == len(order) or turn <= gaps[order[count]] / side[order[count]]:
                break
        forces = np.where(facing, stiffness * np.maximum(turn * side - gaps, 0.0), 0.0)
        return forces, float(np.sign(torque)) * turn

    def largest_force(self, torque: float) -> float:
        """F_max = 4 T/(e z z_p) [N]

        >>> round(CycloidDrive(29, 64e-3, 4e-3, 1.5e-3).largest_force(100.0), 1)
        306.5
        """
        return 4 * abs(torque) / (self.pitch_radii[0] * self.pins)

    def _reach(self, theta: np.ndarray) -> np.ndarray:
        """S: distance of pin and pitch point over R"""
        K = self.shortening
        return np.sqrt(1 + K * K - 2 * K * np.cos(theta))


def radial_share(shortening: float) -> float:
    r"""Radial force of all lobes over the tangential force at P, in the mean over a pin pitch; negative: away from P.

    With F_i in proportion to l_i over half the pins, 2/pi times the integral of sin (cos - K)/S^2 over half a turn:

        ((1 - K^2) ln((1 + K)/(1 - K)) - 2 K)/(pi K^2)
    """
    K = shortening
    if K < 1e-3:  # its series: the difference below loses its digits
        return -4 * K / (3 * pi) * (1 + K * K / 5)
    return ((1 - K * K) * log((1 + K) / (1 - K)) - 2 * K) / (pi * K * K)


def largest_output_pin_force(torque: float, count: int, circle: float) -> float:
    """Largest force on an output pin [N]: 4 T/(n R_w) in the mean, half the pins in proportion to their arms

    >>> round(largest_output_pin_force(100.0, 8, 0.04), 6)
    1250.0
    """
    return 4 * abs(torque) / (count * circle)
