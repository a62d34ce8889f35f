"""The yaw drive in Exudyn: rotors with one coordinate, and springs between coordinates.

Shafts are coordinate spring-dampers. Teeth are `ObjectConnectorCoordinateSpringDamperExt` with factors for the base
radii: its limit stops are a backlash, its damper acts throughout, as (3.4) has it. No constraints are left, so that
explicit integrators work; they are what Exudyn is fastest with here at equal error. One thread, no files, no sensors,
the compiled module without range checks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..yaw_model import BODIES, END_TIME, N, numbers
from .exudyn_solver import bare, exu, items, solve

EXPLICIT = ("RK44", "DOPRI5", "RK67", "ExplicitMidpoint")


def build() -> tuple[Any, Any, list[int]]:
    d = numbers()
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    nodes = [mbs.AddNode(items.Node1D(referenceCoordinates=[0.0])) for _ in BODIES]
    for node, inertia in zip(nodes, d.inertias, strict=True):
        mbs.AddObject(items.ObjectRotationalMass1D(inertia=inertia, nodeNumber=node))
    markers = [mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0)) for node in nodes]
    still = mbs.AddNode(items.NodePointGround())
    ground = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=still, coordinate=0))

    def spring(a: int, b: int, stiffness: float, damping: float) -> None:
        mbs.AddObject(
            items.ObjectConnectorCoordinateSpringDamper(
                markerNumbers=[a, b], stiffness=stiffness, damping=damping
            )
        )

    spring(markers[0], markers[1], *d.gear_shaft)
    spring(ground, markers[1], 0.0, d.drag)
    mbs.AddLoad(items.LoadCoordinate(markerNumber=markers[1], load=d.load - d.drag * d.speed))
    for k in range(N):
        pinion, motor = markers[2 + k], markers[2 + N + k]
        spring(pinion, motor, *d.shaft)
        mbs.AddLoad(items.LoadCoordinate(markerNumber=motor, load=float(d.torques[k])))
        state = mbs.AddNode(
            items.NodeGenericData(initialCoordinates=[0.0, 0.0, 0.0], numberOfDataCoordinates=3)
        )
        mbs.AddObject(
            items.ObjectConnectorCoordinateSpringDamperExt(
                markerNumbers=[markers[0], pinion],
                nodeNumber=state,
                damping=d.damping,
                factor0=-d.radii[1],
                factor1=d.radii[0],
                useLimitStops=True,
                limitStopsLower=-d.half,
                limitStopsUpper=d.half,
                limitStopsStiffness=d.stiffness,
                limitStopsDamping=0.0,
            )
        )
    mbs.Assemble()
    return container, mbs, nodes


def simulate(method: str, step: float, tolerance: float | None = None) -> tuple[float, int, np.ndarray]:
    """Seconds of the steps, their number, angles at the end. With a tolerance steps are chosen by the method."""
    container, mbs, nodes = build()
    options = bare(method, step, END_TIME)
    integration = options.timeIntegration
    if tolerance is not None:
        integration.adaptiveStep = True
        integration.relativeTolerance, integration.absoluteTolerance = tolerance, tolerance * 1e-2
    explicit = method in EXPLICIT
    if not explicit:
        newton = integration.newton
        newton.useModifiedNewton = True
        newton.relativeTolerance, newton.absoluteTolerance = 1e-8, 1e-9
        options.linearSolver.solverType = exu.LinearSolverType.EXUdense
    done = solve(mbs, options, explicit)
    coordinates = exu.OutputVariableType.Coordinates
    angles = np.array([float(mbs.GetNodeOutput(node, coordinates)) for node in nodes])
    del container
    return done.steps, done.count, angles
