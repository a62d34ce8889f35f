"""Gear trains as graphs: who carries whom, what follows from what, and where the power goes.

    GearTrain        links, joints with axes, gear pairs: written by hand, or made from a description
                     (`Mechanism.gear_train`, `wheelwork.layout.gear_train`)
    TrainGraph       its canonical graph: coaxial links, carriers, fundamental circuits, circuit equations
    mobility         degrees of freedom by count and by rank
    displacements    all joint angles in the open-loop joint angles; structure_matrix for given actuators
    speeds           speeds of all links for given inputs; train_ratio, modes
    torques          torques, losses; power_flow with recirculation; efficiency in either direction
    reflected_inertia, motor_sizing
    force_order      in which order constraint forces follow from free-body balances, link by link
    TrainGraph.plot  a picture

Sources: Chen, dynamic analysis of articulated gear-mechanisms (canonical graph, (1)-(3), (13)), after Tsai 1988; Bai,
lecture notes, (2.1)-(2.12).
"""

import warnings
from typing import Any

from .axes import Axis
from .canonical import Coaxial, Rate
from .carriers import Circuit
from .displacement import Displacements, displacements, structure_formulas, structure_matrix
from .forces import BalanceStep, ForceEdge, SolutionOrder, force_order, solution_order
from .graph import TrainGraph
from .mobility import Mobility, check_moves, mobility
from .motor import (
    Gearbox,
    MotorSizing,
    ReflectedInertia,
    inertia_matrix,
    motor_sizing,
    quickest_ratio,
    reflected_inertia,
)
from .power import PowerFlow, power_flow
from .ratios import DriveMode, Efficiency, efficiency, gear_ratio, modes, train_ratio, velocity_ratio
from .speeds import Speeds, speeds
from .torques import Torques, torques
from .train import GearEdge, GearTrain, Mass, Pair

__all__ = [
    "Axis", "BalanceStep", "Circuit", "Coaxial", "Displacements", "DriveMode", "Efficiency", "ForceEdge", "GearEdge",
    "GearTrain", "Gearbox", "Mass", "Mobility", "MotorSizing", "Pair", "PowerFlow", "Rate", "ReflectedInertia",
    "SolutionOrder", "Speeds", "Torques", "TrainGraph", "check_moves", "displacements", "efficiency", "force_order",
    "gear_ratio", "inertia_matrix", "mobility", "modes", "motor_sizing", "power_flow", "quickest_ratio",
    "reflected_inertia", "solution_order", "speeds", "structure_formulas", "structure_matrix", "torques",
    "train_ratio", "velocity_ratio",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name != "GearPair":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn("wheelwork.trains.GearPair is now GearEdge", DeprecationWarning, stacklevel=2)
    return GearEdge
