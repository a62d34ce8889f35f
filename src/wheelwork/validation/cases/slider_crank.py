"""The slider-crank: exact kinematics, and the speed of one that runs free.

R. L. Norton, Design of Machinery, chapter on engine dynamics, has the exact displacement of a piston,

    x = r cos(theta) + l sqrt(1 - (r/l sin(theta))^2)

Velocity and acceleration follow by differentiation. Without loads the kinetic energy I(theta) theta'^2/2 is constant,
so theta' = theta'_0 sqrt(I(0)/I(theta)), with I = J + m_r |c'|^2 + J_r beta'^2 + m_s x'^2, where c is the rod's centre,
beta its angle, sin(beta) = -r/l sin(theta), and ' is d/dtheta.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import wheelwork as ww

from ..case import Way, motion_case
from ..finding import Comparison, compare

CRANK, ROD, SPEED = 0.05, 0.2, 100.0
CRANK_INERTIA, ROD_MASS, SLIDER_MASS = 2e-3, 0.6, 0.8
ROD_INERTIA = ROD_MASS * ROD**2 / 12


def engine() -> ww.Mechanism:
    """The crank's inertia is about its axis; the slider starts at its outer dead centre."""
    m = ww.Mechanism("slider-crank", kind="planar", gravity=(0, 0))
    m.add("crank", ww.Body(mass=1, inertia=CRANK_INERTIA, angular_velocity=SPEED))
    middle, speed = CRANK + ROD / 2, CRANK * SPEED
    turning = {"velocity": (0, speed / 2), "angular_velocity": -speed / ROD}
    m.add("rod", ww.Body(mass=ROD_MASS, inertia=ROD_INERTIA, position=(middle, 0), **turning))
    m.add("slider", ww.Body(mass=SLIDER_MASS, inertia=1e-3, position=(CRANK + ROD, 0)))
    m.add("main", ww.Revolute(bodies=("ground", "crank"), point=(0, 0)))
    m.add("crank-pin", ww.Revolute(bodies=("crank", "rod"), point=(CRANK, 0)))
    m.add("wrist-pin", ww.Revolute(bodies=("rod", "slider"), point=(CRANK + ROD, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "slider"), point=(CRANK + ROD, 0), axis=(1, 0)))
    return m


def displacement(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x of the slider and its first two derivatives over the crank's angle"""
    s, c = np.sin(theta), np.cos(theta)
    root = np.sqrt(ROD**2 - CRANK**2 * s**2)
    first = -CRANK * s - CRANK**2 * s * c / root
    second = -CRANK * c - CRANK**2 * (c**2 - s**2) / root - CRANK**4 * s**2 * c**2 / root**3
    return CRANK * c + root, first, second


def inertia(theta: np.ndarray) -> np.ndarray:
    """I(theta) [kg m^2]"""
    s, c = np.sin(theta), np.cos(theta)
    _, slide, _ = displacement(theta)
    turn = -CRANK * c / np.sqrt(ROD**2 - CRANK**2 * s**2)
    centre = ((-CRANK * s + slide) / 2) ** 2 + (CRANK * c / 2) ** 2
    return CRANK_INERTIA + ROD_MASS * centre + ROD_INERTIA * turn**2 + SLIDER_MASS * slide**2


@motion_case(
    "slider-crank",
    "Slider-crank that runs free",
    "R. L. Norton, Design of Machinery, engine dynamics: exact piston displacement; kinetic energy",
)
def run(way: Way) -> Iterator[Comparison]:
    r = way.simulate(engine(), 0.1, output=200)
    theta, speed = r["crank.angle"].to_numpy(), r["crank.w"].to_numpy()
    exact = SPEED * np.sqrt(inertia(np.zeros(1)) / inertia(theta))
    origin = "step errors of 1e-8 of a speed of 100 rad/s over some hundred steps"
    yield compare(
        "speed of the crank over its angle", speed, exact, unit="rad/s", absolute=1e-4, origin=origin
    )
    x, first, second = displacement(theta)
    found, origin = r["slider.position.x"].to_numpy(), "the constraints are kept to 1e-11 m"
    yield compare("position of the slider", found, x, unit="m", absolute=1e-9, origin=origin)
    found, origin = r["slider.velocity.x"].to_numpy(), "the constraints are kept to 1e-11 m, at 100 rad/s"
    yield compare("velocity of the slider", found, first * speed, unit="m/s", absolute=1e-8, origin=origin)
    turning = r["crank.angular_acceleration"].to_numpy()
    expected = second * speed**2 + first * turning
    found, origin = (
        r["slider.acceleration.x"].to_numpy(),
        "the constraints are kept to 1e-11 m, at 1e4 rad/s^2 and more",
    )
    yield compare("acceleration of the slider", found, expected, unit="m/s^2", absolute=1e-5, origin=origin)
