"""The test bench of involute teeth in contact, by hand for SciPy: peer of the benchmark, second route of the test.

Nothing here comes from Wheelwork; the geometry is derived anew. The pinion (A) turns about the origin, the gear (B)
about (a, 0), a = a_0 + x, on a slider. Unknown: theta_A, theta_B, x and their rates. Both base circles have a string
wound on them; the line of action is where both strings run straight. With r the base radii:

    cos(alpha) = (r_A + r_B)/a,     L = a sin(alpha)            pressure angle, length of the line of action
    s_A = r_A (theta_A + psi_A + alpha) + k p                   place of a flank of A on it, from its end at A
    s_B = r_B (theta_B + psi_B + alpha + pi/z_B) + j p          of a flank of B, from the end at B
    h = s_A + s_B - L                                           depth

psi is half the angle of a tooth on the base circle, p the base pitch, and a tooth of A stands at the pitch point at
theta = 0. h is the same for all pairs of teeth. They touch midway, s_A and s_B less h/2 each, where both flanks are:
s_A and s_B no longer than the strings of the tips. The other flanks see the same in a mirror: theta and the rates with
the other sign. With sigma = 1 for the front and -1 for the back flanks,

    h' = sigma (r_A w_A + r_B w_B) - sin(alpha) x'              N acts on A, B, x by -sigma r_A, -sigma r_B, sin(alpha)
    v = sigma (w_A s_A + w_B s_B) + cos(alpha) x'               speed of sliding, and what friction acts by

Normal force by Johnson (Contact Mechanics, eq. 5.57: the centre of a cylinder of radius R under the load P for unit
length comes nearer by (1 - nu^2)/E P/pi (2 ln(4 R/a) - 1), with a^2 = 4 P/(pi E*) R_1 R_2/(R_1 + R_2) the half width).
Of both flanks, with x = P/(pi E*) and R_1 + R_2 = s_A + s_B = L where they touch:

    h = x (ln(4 L/x) - 1),     1/E* = 2 (1 - nu^2)/E

Newton's iteration on u = h/x: u - ln(u) = ln(4 L/(e h)). There is no solution beyond h = 4 L/e^2, where u stays.

Two spellings: `floats` is Python at its best for so few numbers (plain floats, the math module, nothing looked at that
cannot touch), `arrays` is how one writes it with NumPy, all pairs on both flanks at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

RHS = Callable[[float, np.ndarray], Any]
"""Rates of theta_A, theta_B, x [rad, rad, m] and of their speeds."""


@dataclass(frozen=True)
class Bench:
    """Numbers of the bench in SI units; those of the paper are z, 0.2 m, and the pressure angle.

    teeth: of the pinion; the gear has half as many more
    reverse: when the torque changes its sign [s]
    """

    teeth: int = 22
    radius: float = 0.2
    width: float = 0.1
    allowance: float = -1e-4
    density: float = 7850.0
    slider: float = 50.0
    stiffness: float = 1e9
    damping: float = 1e5
    torque: float = 1000.0
    reverse: float = math.inf
    drag: float = 150.0
    modulus: float = 206e9
    poisson: float = 0.3
    factor: float = 10.0
    friction: float = 0.05
    slip_speed: float = 1e-3

    @cached_property
    def alpha(self) -> float:
        """2.8 times the lower bound of the paper, of 20 and 30 teeth"""
        return 2.8 * math.atan(2 * math.pi / (20 * 2.5))

    @cached_property
    def base(self) -> tuple[float, float]:
        return self.radius * math.cos(self.alpha), 1.5 * self.radius * math.cos(self.alpha)

    @cached_property
    def distance(self) -> float:
        return 2.5 * self.radius

    @cached_property
    def tip(self) -> float:
        """String at the tips: the path of contact, a pitch of 20 teeth long, is in the middle of the line of action."""
        return (self.distance * math.sin(self.alpha) + 2 * math.pi * self.base[0] / 20) / 2

    @cached_property
    def pitch(self) -> float:
        return 2 * math.pi * self.base[0] / self.teeth

    @cached_property
    def wound(self) -> tuple[float, float]:
        """r psi, of the gear with half a pitch: arcs from the middle of the mesh to the flanks' feet."""
        involute = math.tan(self.alpha) - self.alpha
        thickness = math.pi * self.radius / self.teeth + self.allowance
        psi_a, psi_b = (thickness / d + involute for d in (2 * self.radius, 3 * self.radius))
        return self.base[0] * psi_a, self.base[1] * psi_b + self.pitch / 2

    @cached_property
    def inertia(self) -> tuple[float, float, float]:
        """Of pinion and gear about their axes, and mass of gear and slider"""
        disc = math.pi * self.density * self.width
        r, R = self.radius, 1.5 * self.radius
        return disc * r**4 / 2, disc * R**4 / 2, disc * R**2 + self.slider

    def floats(self) -> RHS:
        """With plain numbers."""
        (r_a, r_b), (u_a, u_b), (I_a, I_b, m) = self.base, self.wound, self.inertia
        p, tip, a_0, bases = self.pitch, self.tip, self.distance, sum(self.base)
        stiffness, damping, drag, torque, reverse = (
            self.stiffness, self.damping, self.drag, self.torque, self.reverse,
        )  # fmt: skip
        mu, slip, factor = self.friction, self.slip_speed**2, self.factor
        line = math.pi * self.modulus / (2 * (1 - self.poisson**2)) * self.width
        acos, sqrt, log, ceil = math.acos, math.sqrt, math.log, math.ceil

        def rates(t: float, y: np.ndarray) -> tuple[float, ...]:
            theta_a, theta_b, x, w_a, w_b, v = y.tolist()
            a = a_0 + x
            cosine = bases / a
            alpha, sine = acos(cosine), sqrt(1 - cosine * cosine)
            length = a * sine
            on_a, on_b, on_x = torque if t < reverse else -torque, -drag * w_b, -stiffness * x - damping * v
            for side in (1.0, -1.0):
                s_0 = u_a + r_a * (side * theta_a + alpha)
                h = s_0 + u_b + r_b * (side * theta_b + alpha) - length
                h -= p * round(h / p)
                if h <= 0:
                    continue
                rate = side * (r_a * w_a + r_b * w_b) - sine * v
                level = max(1.0, log(4 * length / (math.e * h)))
                u = level + log(level) + 0.3
                for _ in range(3):
                    u -= (u - log(u) - level) / (1 - 1 / u)
                normal = line * h / u * max(0.0, 1 + factor * rate)
                s_a = s_0 - h / 2
                s_a += p * ceil((length - tip - s_a) / p)
                while s_a <= tip:
                    s_b = length - s_a
                    slide = side * (w_a * s_a + w_b * s_b) + cosine * v
                    rub = mu * normal * slide / sqrt(slide * slide + slip)
                    on_a -= side * (normal * r_a + rub * s_a)
                    on_b -= side * (normal * r_b + rub * s_b)
                    on_x += normal * sine - rub * cosine
                    s_a += p
            return w_a, w_b, v, on_a / I_a, on_b / I_b, on_x / m

        return rates

    def arrays(self) -> RHS:
        """With NumPy: flanks along the first axis, pairs of teeth along the second."""
        (r_a, r_b), (u_a, u_b) = self.base, self.wound
        pairs = np.arange(math.ceil(2 * self.tip / self.pitch))
        sides = np.array([[1.0], [-1.0]])
        line = np.pi * self.modulus / (2 * (1 - self.poisson**2)) * self.width

        def rates(t: float, y: np.ndarray) -> np.ndarray:
            theta_a, theta_b, x, w_a, w_b, v = y
            a = self.distance + x
            alpha = np.arccos((r_a + r_b) / a)
            length = a * np.sin(alpha)
            s_0 = u_a + r_a * (sides * theta_a + alpha)
            h = s_0 + u_b + r_b * (sides * theta_b + alpha) - length
            h = h - self.pitch * np.round(h / self.pitch)
            s_a = s_0 - h / 2
            s_a = s_a + self.pitch * (np.ceil((length - self.tip - s_a) / self.pitch) + pairs)
            s_b = length - s_a
            touch = (h > 0) & (s_a <= self.tip)
            depth = np.where(h > 0, h, 1e-9)
            level = np.maximum(1.0, np.log(4 * length / (np.e * depth)))
            u = level + np.log(level) + 0.3
            for _ in range(3):
                u -= (u - np.log(u) - level) / (1 - 1 / u)
            rate = sides * (r_a * w_a + r_b * w_b) - np.sin(alpha) * v
            normal = np.where(touch, line * depth / u * np.maximum(0, 1 + self.factor * rate), 0)
            slide = sides * (w_a * s_a + w_b * s_b) + np.cos(alpha) * v
            rub = self.friction * normal * slide / np.sqrt(slide**2 + self.slip_speed**2)
            torque = self.torque if t < self.reverse else -self.torque
            loads = [
                torque - np.sum(sides * (r_a * normal + s_a * rub)),
                -self.drag * w_b - np.sum(sides * (r_b * normal + s_b * rub)),
                -self.stiffness * x - self.damping * v + np.sum(np.sin(alpha) * normal - np.cos(alpha) * rub),
            ]
            return np.concatenate([y[3:], np.divide(loads, self.inertia)])

        return rates

    def run(self, rates: RHS, end: float, *, touching: bool = True, **settings: Any) -> Any:
        """From rest, by `solve_ivp`; the front flanks just touching, or in the middle of the backlash."""
        start = np.zeros(6)
        if touching:
            start[1] = self.gap / self.base[1]
        return solve_ivp(rates, (0.0, end), start, **settings)

    @property
    def gap(self) -> float:
        """From the middle of the backlash to the front flanks, along the line of action [m]"""
        reach = (
            self.wound[0] + self.wound[1] + sum(self.base) * self.alpha - self.distance * math.sin(self.alpha)
        )
        return -(reach - self.pitch * round(reach / self.pitch))
