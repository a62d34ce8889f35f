"""Inertia of a train as its inputs feel it, and sizing a motor: does it start the load, how fast does it accelerate?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wheelwork.problems import ModelError, listed

from .canonical import twist_of, velocity_at
from .graph import TrainGraph
from .speeds import speeds


@dataclass(frozen=True)
class ReflectedInertia:
    """Moment of inertia of a train of one freedom, seen from one body or joint, at the given position.

    total [kg m^2]: J_R = sum(m v.v + omega . J omega) over all bodies, for a unit speed of the input
    parts: the same of each body; for a rotor on a fixed axis n^2 J with n = omega/omega_input (Bai (2.11))
    """

    name: str
    total: float
    parts: dict[str, float]


def inertia_matrix(graph: TrainGraph) -> dict[str, np.ndarray]:
    """Inertia of each body in the unknowns of the graph, (rates x rates) [kg m^2]: energy x.M x/2."""
    out = {}
    for body, mass in graph.train.masses.items():
        link = graph.links.of.get(body)
        if link is None or link not in graph.level:
            continue
        twist = twist_of(graph, link)
        v = velocity_at(twist, np.array(mass.center))
        out[body] = mass.mass * v.T @ v + twist[:3].T @ np.array(mass.inertia) @ twist[:3]
    return out


def reflected_inertia(graph: TrainGraph, name: str, held: Sequence[str] = ()) -> ReflectedInertia:
    """Inertia that a motor on a body or joint has to accelerate; with the `held` bodies there must be one freedom."""
    found = speeds(graph, {name: 1}, held)
    if found.free:
        open_ = listed(found.undriven)
        text = f"the inertia seen from here is open: nothing settles the motion of {open_}"
        raise ModelError(text, path=name, hint="hold one of them")
    rates = found.rates
    parts = {body: float(rates @ M @ rates) for body, M in inertia_matrix(graph).items()}
    return ReflectedInertia(name, sum(parts.values()), parts)


# -- sizing a motor: does it start the load, how fast does it accelerate, what does it take to keep going?


@dataclass(frozen=True)
class Gearbox:
    """What stands between motor and load.

    ratio [1]: speed of the motor over speed of the load, 1/n
    inertia [kg m^2]: of its wheels, at the motor's shaft: J_bR
    efficiency [1]: power out over power in when the motor drives
    """

    ratio: float
    inertia: float = 0.0
    efficiency: float = 1.0

    def reflected_torque(self, torque: float) -> float:
        """[N m] At the motor, for a torque on the load: T_2R = n T_2 (Bai (2.9), (2.10)), over efficiency."""
        return torque / self.ratio / self.efficiency

    def reflected_inertia(self, inertia: float) -> float:
        """[kg m^2] Inertia of the load as the motor feels it: J_2R = n^2 J_2 (Bai (2.11)), over efficiency.

        The load's acceleration takes the torque n J_2 alpha, which passes the gearbox with its losses as any other.
        """
        return inertia / self.ratio**2 / self.efficiency


@dataclass(frozen=True)
class MotorSizing:
    """Answers for one motor, gearbox and load (Bai (2.12) and the example after it).

    steady_torque [N m]: T_m = T_lR keeps the load going
    inertia [kg m^2]: J_m + J_bR + J_lR, at the motor's shaft
    acceleration [rad/s^2]: of the motor with its peak torque, (T_m - T_lR)/(J_m + J_bR + J_lR); negative where the
        motor cannot hold the load
    load_acceleration [rad/s^2]: of the load
    starting_torque [N m]: of the motor for a wanted acceleration: T_lR + (J_m + J_bR + J_lR) alpha
    starts: whether the peak torque is enough for the wanted acceleration, or to move at all where none is wanted
    """

    steady_torque: float
    inertia: float
    acceleration: float
    load_acceleration: float
    starting_torque: float
    starts: bool


def motor_sizing(
    peak_torque: float,
    motor_inertia: float,
    gearbox: Gearbox,
    load_torque: float,
    load_inertia: float,
    load_acceleration: float = 0.0,
) -> MotorSizing:
    """Size a motor of a `peak_torque` [N m] and `motor_inertia` [kg m^2] for a load behind a gearbox.

    `load_torque` [N m] is what the load takes steadily, friction included, positive against the motion; `load_inertia`
    [kg m^2] is that at its shaft, and `load_acceleration` [rad/s^2] what is wanted of it.

    >>> sizing = motor_sizing(2.0, 1e-3, Gearbox(ratio=10, inertia=2e-4), load_torque=5.0, load_inertia=0.08)
    >>> round(sizing.steady_torque, 6), round(sizing.inertia, 6), round(sizing.acceleration, 3)
    (0.5, 0.002, 750.0)
    """
    steady = gearbox.reflected_torque(load_torque)
    inertia = motor_inertia + gearbox.inertia + gearbox.reflected_inertia(load_inertia)
    acceleration = (peak_torque - steady) / inertia
    starting = steady + inertia * load_acceleration * gearbox.ratio
    return MotorSizing(
        steady, inertia, acceleration, acceleration / gearbox.ratio, starting, peak_torque >= starting
    )


def quickest_ratio(
    peak_torque: float, motor_inertia: float, load_torque: float, load_inertia: float, efficiency: float = 1.0
) -> float:
    """Ratio with which a motor accelerates a load most.

    With motor inertia J_m (its gearbox's included) the load accelerates at
    (i T_m - T_l/eta)/(i^2 J_m + J_l/eta); the derivative with respect to i vanishes at
    i = r + sqrt(r^2 + J_l/(eta J_m)), r = T_l/(eta T_m).
    """
    r = load_torque / (efficiency * peak_torque)
    return r + (r**2 + load_inertia / (efficiency * motor_inertia)) ** 0.5
