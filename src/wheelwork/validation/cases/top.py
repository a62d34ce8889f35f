"""The heavy symmetric top: H. Goldstein, C. Poole, J. Safko, Classical Mechanics, 3rd ed., sec. 5.7.

With A the moment of inertia across the axis about the point of support, C that about the axis, n the spin, theta the
lean and l the distance of the centre of mass, steady precession w satisfies

    A cos(theta) w^2 - C n w + m g l = 0

whose two roots are, for a fast top, nearly m g l/(C n) and C n/(A cos(theta)). A top let go with its axis at rest nods:
with the momenta p_psi = C n and p_phi = C n cos(theta_0) constant,

    phi' = (p_phi - C n cos(theta))/(A sin^2(theta)),  A theta'' = (m g l - C n phi' + A phi'^2 cos(theta)) sin(theta)

and turns back at the lean where 2 A m g l sin^2(theta) = (C n)^2 (cos(theta_0) - cos(theta)). The bundled example
`spinning-top`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import wheelwork as ww
from wheelwork import examples
from wheelwork.lazy import integrate

from ..case import Way, motion_case
from ..finding import Comparison, compare

SOURCE = (
    "Goldstein, Poole, Safko, Classical Mechanics, 3rd ed., sec. 5.7, heavy symmetrical top: closed forms"
)
G, MASS, STEM, RADIUS, THICKNESS = 9.80665, 0.5, 0.08, 0.05, 0.01
C = MASS * RADIUS**2 / 2
A = MASS * (3 * RADIUS**2 + THICKNESS**2) / 12 + MASS * STEM**2
TILT, SPIN = np.radians(30), 150.0
STEPS = "step errors of 1e-8 over some thousand steps"


def rates() -> np.ndarray:
    """The slow and the fast steady precession [rad/s]"""
    return np.sort(np.roots([A * np.cos(TILT), -C * SPIN, MASS * G * STEM]))


@motion_case("top-precession", "Steady precession of a top, slow and fast", SOURCE)
def steady(way: Way) -> Iterator[Comparison]:
    top = ww.load(examples.path("spinning-top"))
    for name, rate, end in zip(("slow", "fast"), rates(), (1.0, 0.2), strict=True):
        r = way.simulate(top.with_parameters(precession=float(rate)), end, output=100)
        axis = r["top.position"].to_numpy() / STEM
        walked = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
        expected = rate * r.t
        yield compare(f"walk of the axis, {name}", walked, expected, unit="rad", absolute=2e-6, origin=STEPS)
        lean = np.arccos(axis[:, 2])
        expected = np.full_like(lean, TILT)
        yield compare(f"lean of the axis, {name}", lean, expected, unit="rad", absolute=2e-6, origin=STEPS)


@motion_case("top-nutation", "Nodding of a top let go", SOURCE)
def nodding(way: Way) -> Iterator[Comparison]:
    top = ww.load(examples.path("spinning-top")).with_parameters(kick=0)
    r = way.simulate(top, 1, output=1000)
    axis = r["top.position"].to_numpy() / STEM
    lean, walked = np.arccos(axis[:, 2]), np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    weight, vertical = MASS * G * STEM, C * SPIN * np.cos(TILT)

    def lagrange(_: float, y: np.ndarray) -> list[float]:
        theta, speed, _ = y
        walk = (vertical - C * SPIN * np.cos(theta)) / (A * np.sin(theta) ** 2)
        torque = weight - C * SPIN * walk + A * walk**2 * np.cos(theta)
        return [speed, torque * np.sin(theta) / A, walk]

    options = {"method": "DOP853", "t_eval": r.t, "rtol": 1e-12, "atol": 1e-14}
    exact = integrate.solve_ivp(lagrange, (0, r.t[-1]), [TILT, 0, 0], **options).y
    yield compare("lean of the axis", lean, exact[0], unit="rad", absolute=1e-6, origin=STEPS)
    yield compare("walk of the axis", walked, exact[2], unit="rad", absolute=1e-6, origin=STEPS)
    u = np.roots([-2 * A * weight, (C * SPIN) ** 2, 2 * A * weight - (C * SPIN) ** 2 * np.cos(TILT)])
    lowest = np.arccos(u[np.abs(u) < 1][0])
    half = 0.5 * C * SPIN / A * (r.t[1] - r.t[0])  # nodding goes on by so much of its phase in half a sample
    origin = "samples 1 ms apart miss the turning point by (1 - cos(C n/A 0.5 ms)) of the swing"
    allowed = (1 - np.cos(half)) * (lowest - TILT) / 2 + 1e-6
    yield compare("lean where it turns back", lean.max(), lowest, unit="rad", absolute=allowed, origin=origin)
