"""Inertia of a train as its inputs feel it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wheelwork.problems import ModelError, Problem, listed

from .graph import TrainGraph
from .speeds import speeds
from .twists import twist_of, velocity_at


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
        raise ModelError([Problem(text, path=name, hint="hold one of them")])
    rates = found.rates
    parts = {body: float(rates @ M @ rates) for body, M in inertia_matrix(graph).items()}
    return ReflectedInertia(name, sum(parts.values()), parts)
