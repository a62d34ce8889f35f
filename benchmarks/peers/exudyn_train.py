"""The train of meshed wheels in Exudyn.

Exudyn has no gear joint; what comes nearest are coordinate constraints with a factor between two angles. Forms:

- `coordinates`: bodies with Tait-Bryan angles, constraints between these themselves (MarkerNodeCoordinate).
  Possible only because all axes are along z and stand still. Everything is then linear but for round-off, so that
  one Jacobian serves the whole run and each step takes one iteration: about the best case that implicit integration
  can have.
- `relative`: the same bodies, constraints between angles against the housing
  (MarkerBodiesRelativeRotationCoordinate), the form that also serves where the housing moves; away from y = 90 deg,
  where these angles are singular.
- `lie group`: the same constraints between bodies with rotation vectors, which are singular nowhere.
- `euler parameters`: the same constraints between bodies with Euler parameters, which is what Exudyn makes where
  nothing is said. On a fixed housing they take 3 times as long as rotation vectors, and leave errors of 1e-3 rad at
  steps of 1 ms.
- `tree`: one kinematic tree in joint angles with coordinate constraints: minimal coordinates as far as they go.
  Constraints take Exudyn's explicit integrators away.

Best settings found (Exudyn 1.13.6, N = 7 and 20): TrapezoidalIndex2 (GeneralizedAlpha is as fast, but fails for
`lie group` on a turning housing); EigenSparse; modified Newton, the Jacobian kept over steps; Newton tolerance
1e-4, which on the turning housing saves a third and leaves the error that of the step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..train_model import (
    END_TIME,
    HOUSING_INERTIA,
    HOUSING_MASS,
    HOUSING_SPEED,
    Wheel,
    angles,
    train,
    velocity,
)
from .exudyn_solver import Settings, exu, implicit, items, solve

FORMS = {
    "fixed": ("coordinates", "relative", "lie group", "euler parameters", "tree"),
    "turning": ("relative", "lie group", "euler parameters", "tree"),
}
NODES = {"lie group": items.NodeRigidBodyRotVecLG, "euler parameters": items.NodeRigidBodyEP}
Z_TO_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def simulate(
    n: int, housing: str, form: str, step: float, end: float = END_TIME
) -> tuple[float, int, np.ndarray]:
    """Seconds of the steps (without initialisation), their number, angles of the wheels in the housing at the end."""
    build = _tree if form == "tree" else _bodies
    container, mbs, phi = build(n, housing == "turning", form)
    done = solve(mbs, implicit(step, end, Settings()))
    found = phi()
    del container
    return done.steps, done.count, found


def _bodies(n: int, turning: bool, form: str) -> tuple[Any, Any, Any]:
    """Rigid bodies with revolute joints."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    numbers = train(n)
    ground = carrier = mbs.AddObject(items.ObjectGround())
    node_type = NODES.get(form, items.NodeRigidBodyRxyz)
    unturned = [1.0, 0.0, 0.0, 0.0] if form == "euler parameters" else [0.0] * 3
    spin = [0.0, HOUSING_SPEED, 0.0] if turning else [0.0] * 3

    def body(x: float, mass: float, inertia: tuple[float, ...]) -> tuple[Any, Any]:
        # at zero angles the rates of Tait-Bryan angles are those about the axes, of Euler parameters half of them
        rates = spin if form != "euler parameters" else [0.0, *(w / 2 for w in spin)]
        moves = [*(velocity(x) if turning else (0.0, 0.0, 0.0)), *rates]
        node = mbs.AddNode(node_type(referenceCoordinates=[x, 0.0, 0.0, *unturned], initialVelocities=moves))
        return node, mbs.AddObject(
            items.ObjectRigidBody(mass=mass, inertia=[*inertia, 0, 0, 0], nodeNumber=node)
        )

    if turning:
        _, carrier = body(0.0, HOUSING_MASS, HOUSING_INERTIA)
        place = exu.HT(rotation=Z_TO_Y, translation=[0.0, 0.0, 0.0])
        pivot = [mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=b, localHT=place)) for b in (ground, carrier)]
        mbs.AddObject(items.ObjectJointRevoluteZ(markerNumbers=pivot))
    bodies, gears = [], []
    for k, wheel in enumerate(numbers.wheels):
        node, own = body(wheel.x, wheel.mass, (wheel.across, wheel.across, wheel.along))
        at = [wheel.x, 0.0, 0.0]
        pair = [
            mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=carrier, localPosition=at)),
            mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=own)),
        ]
        mbs.AddObject(items.ObjectJointRevoluteZ(markerNumbers=pair))
        if form == "coordinates":
            gears.append(mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=5)))
        else:
            turns = mbs.AddNode(items.NodeGenericData(initialCoordinates=[0.0], numberOfDataCoordinates=1))
            marker = items.MarkerBodiesRelativeRotationCoordinate(
                bodyNumbers=[carrier, own], nodeNumber=turns, localPosition0=at, axis0=[0.0, 0.0, 1.0]
            )
            gears.append(mbs.AddMarker(marker))
        if k == 0:
            for marker, sign in zip(pair, (-1, 1), strict=True):
                if sign > 0 or turning:
                    load = [0.0, 0.0, sign * numbers.torque]
                    mbs.AddLoad(items.LoadTorqueVector(markerNumber=marker, loadVector=load, bodyFixed=True))
        if k == n - 1:
            mbs.AddObject(
                items.ObjectConnectorTorsionalSpringDamper(
                    markerNumbers=pair, stiffness=0.0, damping=numbers.drag
                )
            )
        bodies.append(own)
    _mesh(mbs, gears, numbers.wheels)
    mbs.Assemble()

    def rotation(of: Any) -> np.ndarray:
        return mbs.GetObjectOutputBody(of, exu.OutputVariableType.RotationMatrix).reshape(3, 3)

    def phi() -> np.ndarray:
        return angles(np.array([rotation(b) for b in bodies]), rotation(carrier) if turning else np.eye(3))

    return container, mbs, phi


def _tree(n: int, turning: bool, form: str) -> tuple[Any, Any, Any]:
    """One kinematic tree; the housing, where it turns, is its first link."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    numbers = train(n)
    wheels, first = numbers.wheels, int(turning)
    size = n + first
    speeds = [HOUSING_SPEED] * first + [0.0] * n
    torque, drag = np.zeros(size), np.zeros(size)
    torque[first], drag[-1] = numbers.torque, numbers.drag
    node = mbs.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0] * size,
            initialCoordinates=[0.0] * size,
            initialCoordinates_t=speeds,
            numberOfODE2Coordinates=size,
        )
    )
    inertias = [np.diag(HOUSING_INERTIA)] * first + [np.diag([w.across, w.across, w.along]) for w in wheels]
    mbs.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exu.JointType.RevoluteY] * first + [exu.JointType.RevoluteZ] * n,
            linkParents=[-1] * first + [first - 1] * n,
            jointTransformations=exu.Matrix3DList([np.eye(3)] * size),
            jointOffsets=exu.Vector3DList([[0.0] * 3] * first + [[w.x, 0.0, 0.0] for w in wheels]),
            linkInertiasCOM=exu.Matrix3DList(inertias),
            linkCOMs=exu.Vector3DList([[0.0] * 3] * size),
            linkMasses=[HOUSING_MASS] * first + [w.mass for w in wheels],
            jointForceVector=list(torque),
            jointPositionOffsetVector=[0.0] * size,
            jointVelocityOffsetVector=[0.0] * size,
            jointPControlVector=[0.0] * size,
            jointDControlVector=list(drag),
        )
    )
    gears = [
        mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=first + k)) for k in range(n)
    ]
    _mesh(mbs, gears, wheels)
    mbs.Assemble()
    return container, mbs, lambda: mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates)[first:]


def _mesh(mbs: Any, markers: list[Any], wheels: list[Wheel]) -> None:
    """Between neighbours: factor * angle of the second = angle of the first."""
    for k in range(1, len(wheels)):
        factor = -wheels[k].teeth / wheels[k - 1].teeth
        mbs.AddObject(
            items.ObjectConnectorCoordinate(markerNumbers=[markers[k - 1], markers[k]], factor1=factor)
        )
