"""Andrews' squeezer in Exudyn: the peer side of the squeezer benchmark.

Seven ObjectRigidBody2D, ten ObjectJointRevolute2D, a spring-damper and a torque, in absolute coordinates as ours.
Exudyn's explicit integrators take no joints, so the methods are implicit, of order 2 and with a fixed step.

How `BEST` was found (Exudyn 1.13.6, two shared cores, steps of 6 to 300 us; errors are those of the angles at 30 ms):

- TrapezoidalIndex2: GeneralizedAlpha has about twice its error in the same time, at any spectral radius;
- modified Newton, the Jacobian kept over steps: full Newton takes 1.4 times the time and more, one Jacobian a step as
  long as with the default limit of contractivity;
- contractivity limit 0.1 in place of 0.5: about 15 % less time at the same error; smaller limits gain nothing more;
- EXUdense: EigenSparse and EigenDense are as fast or a few per cent slower for these 41 unknowns;
- analytic connector derivatives make no difference;
- Newton tolerances: loose ones leave errors far beyond those of the step (0.02 rad at 1e-4, whatever the step), so each
  step is tried with several, and what is best counts. Now and then errors cancel and a run is better than its step.

ObjectJointRevolute2D with position markers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .exudyn_solver import Settings, Solved, exu, implicit, items, solve


@dataclass(frozen=True)
class Squeezer:
    """The mechanism in numbers; body -1 is the ground."""

    bodies: Sequence[tuple[float, float, Sequence[float]]]
    """Mass, inertia, (x, y, angle) at the start."""
    hinges: Sequence[tuple[int, int, Sequence[float], Sequence[float]]]
    """Two bodies and the hinge's place in the frame of each, from the centre of mass."""
    spring: tuple[Sequence[float], int, Sequence[float], float, float]
    """Place on the ground, body and place on it, stiffness, free length."""
    torque: float
    """On the first body."""


BEST = Settings(linear="EXUdense", contractivity=0.1, tolerance=1e-7)


@dataclass
class Run(Solved):
    """Times, and angles of the seven bodies at the end."""

    angles: np.ndarray


def build(model: Squeezer) -> tuple[Any, list[int], Any]:
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    bodies, nodes = [], []
    for mass, inertia, place in model.bodies:
        node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=list(place)))
        nodes.append(node)
        bodies.append(mbs.AddObject(items.ObjectRigidBody2D(mass=mass, inertia=inertia, nodeNumber=node)))

    def marker(body: int, point: Sequence[float]) -> int:
        number = ground if body < 0 else bodies[body]
        return mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=number, localPosition=[*point, 0.0]))

    for a, b, p, q in model.hinges:
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[marker(a, p), marker(b, q)]))
    anchor, body, point, stiffness, free = model.spring
    mbs.AddObject(
        items.ObjectConnectorSpringDamper(
            markerNumbers=[marker(-1, anchor), marker(body, point)], stiffness=stiffness, referenceLength=free
        )
    )
    shaft = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=bodies[0]))
    mbs.AddLoad(items.LoadTorqueVector(markerNumber=shaft, loadVector=[0.0, 0.0, model.torque]))
    mbs.Assemble()
    return mbs, nodes, container


def simulate(model: Squeezer, step: float, end: float, settings: Settings = BEST) -> Run:
    """One simulation from the start, in about this step; building is not timed."""
    mbs, nodes, container = build(model)
    done = solve(mbs, implicit(step, end, settings))
    coordinates = exu.OutputVariableType.Coordinates
    angles = np.array(
        [
            mbs.GetNodeOutput(n, coordinates)[2] + p[2]
            for n, (_, _, p) in zip(nodes, model.bodies, strict=True)
        ]
    )
    del container
    return Run(**vars(done), angles=angles)
