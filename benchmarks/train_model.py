"""The train of meshed wheels: as numbers for all sides, as a description for ours, and its exact motion.

N spur wheels in a row, 20 and 30 teeth by turns, module 2 mm, 20 mm wide, steel, each on a bearing of its own along
z. A constant torque turns the first; a viscous drag holds back the last. Both are chosen by the train's inertia J,
seen from the first wheel, so that every train moves alike: the speed of the first wheel tends to 100 rad/s with a
time constant of 1 s. With J the sum of J_k (z_1/z_k)^2, torque T = J alpha and drag seen from the first wheel
J/tau,

    phi_1(t) = alpha tau (t - tau (1 - exp(-t/tau))),    phi_k = (-1)^(k-1) phi_1 z_1/z_k.

The housing is ground, or a body that turns about y at 1 rad/s: the same motion of the wheels in it (the gyroscopic
torques go into bearings, the housing keeps its speed), but every wheel tumbles in space.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import wheelwork as ww

MODULE = 2e-3
WIDTH = 20e-3
DENSITY = 7850.0
ALPHA = 100.0
"""Angular acceleration of the first wheel at the start [rad/s2]."""
TAU = 1.0
"""Time constant [s]."""
END_TIME = 1.0
HOUSINGS = ("fixed", "turning")
HOUSING_SPEED = 1.0
"""About y [rad/s]: Tait-Bryan angles, which some of Exudyn's bodies have, stay away from where they are singular."""
HOUSING_MASS = 10.0
HOUSING_INERTIA = (0.1, 0.1, 0.1)


@dataclass(frozen=True)
class Wheel:
    """Place on x [m], teeth, mass [kg], moments of inertia across and along its axis [kg m2]."""

    x: float
    teeth: int
    mass: float
    across: float
    along: float


@dataclass(frozen=True)
class Train:
    """Wheels, torque on the first [N m], viscous drag of the last [N m s/rad]."""

    wheels: list[Wheel]
    torque: float
    drag: float


def train(n: int) -> Train:
    """The numbers of the train of n wheels."""
    wheels: list[Wheel] = []
    x = 0.0
    for k in range(n):
        teeth = 30 if k % 2 else 20
        radius = teeth * MODULE / 2
        if wheels:
            x += radius + wheels[-1].teeth * MODULE / 2
        mass = DENSITY * math.pi * radius**2 * WIDTH
        wheels.append(Wheel(x, teeth, mass, mass * (radius**2 / 4 + WIDTH**2 / 12), mass * radius**2 / 2))
    first, last = wheels[0], wheels[-1]
    inertia = sum(wheel.along * (first.teeth / wheel.teeth) ** 2 for wheel in wheels)
    return Train(wheels, ALPHA * inertia, inertia / TAU * (last.teeth / first.teeth) ** 2)


def velocity(x: float) -> tuple[float, float, float]:
    """Of a point on the x axis of the turning housing, at the start [m/s]."""
    return (0.0, 0.0, -HOUSING_SPEED * x)


def describe(n: int, housing: str = "fixed") -> ww.Mechanism:
    """The train for Wheelwork."""
    numbers = train(n)
    mechanism = ww.Mechanism(f"train of {n}, {housing} housing", gravity=(0, 0, 0))
    carrier, turning = "ground", housing == "turning"
    spin = (0.0, HOUSING_SPEED, 0.0)
    if turning:
        carrier = "housing"
        mechanism.add(
            carrier,
            ww.Body(mass=HOUSING_MASS, inertia=HOUSING_INERTIA, position=(0, 0, 0), angular_velocity=spin),
        )
        mechanism.add("pivot", ww.Revolute(bodies=("ground", carrier), point=(0, 0, 0), axis=(0, 1, 0)))
    for k, wheel in enumerate(numbers.wheels):
        moves = {"velocity": velocity(wheel.x), "angular_velocity": spin} if turning else {}
        inertia, at = (wheel.across, wheel.across, wheel.along), (wheel.x, 0, 0)
        mechanism.add(f"wheel{k}", ww.Body(mass=wheel.mass, inertia=inertia, position=at, **moves))
        mechanism.add(f"bearing{k}", ww.Revolute(bodies=(carrier, f"wheel{k}"), point=at, axis=(0, 0, 1)))
        if k:
            teeth = (numbers.wheels[k - 1].teeth, wheel.teeth)
            pair = (f"wheel{k - 1}", f"wheel{k}")
            mechanism.add(f"mesh{k}", ww.ExternalMesh(bodies=pair, teeth=teeth, module=MODULE))
    mechanism.add("motor", ww.Actuator(joint="bearing0", value=numbers.torque))
    mechanism.add("drag", ww.Friction(joint=f"bearing{n - 1}", viscous=numbers.drag))
    return mechanism


def exact(t: float) -> float:
    """Angle of the first wheel in the housing [rad]."""
    return ALPHA * TAU * (t - TAU * (1 - math.exp(-t / TAU)))


def angles(rotations: np.ndarray, housing: np.ndarray) -> np.ndarray:
    """Angles of the wheels in the housing [rad], within a turn, from rotation matrices (N x 3 x 3 and 3 x 3)."""
    inside = np.einsum("ji,kjl->kil", housing, rotations)
    return np.arctan2(inside[:, 1, 0], inside[:, 0, 0])


def errors(phi: np.ndarray, t: float = END_TIME) -> dict[str, float]:
    """Of the wheels' angles: `gear`, the largest error of phase of a wheel against its neighbour, and `motion`, the
    error of the first wheel against the exact motion [rad]. Whole turns are not seen by either.
    """
    teeth = np.array([wheel.teeth for wheel in train(len(phi)).wheels])
    arcs = teeth * phi
    gear = np.abs(wrapped(arcs[1:] + arcs[:-1])) / teeth[1:]
    return {"gear": float(gear.max()), "motion": float(abs(wrapped(phi[0] - exact(t))))}


def wrapped(angle: np.ndarray) -> np.ndarray:
    """Into (-pi, pi]; by the remainder, which is exact."""
    return np.remainder(angle + np.pi, 2 * np.pi) - np.pi
