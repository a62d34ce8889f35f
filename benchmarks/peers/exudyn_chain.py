"""The spatial revolute chain in Exudyn: the peer side of the chain benchmark.

The model: N rods (1 m, 1 kg, inertia diag(0.01, 1/12 + 0.005, 1/12 + 0.005) kg m2 about the centre of mass) lie
along world x at rest, rod k from x = k to x = k + 1. Joint k, at (k, 0, 0), joins rod k to rod k - 1 (to ground for
k = 0); its axis is world y for even k and world z for odd k. Gravity is (0, 3, -9.81) m/s2; the end is t = 1 s.

Two forms are measured, because Exudyn offers both and they differ by orders of magnitude at equal error:

- absolute coordinates (`build`, `simulate`): one rigid body per rod and one revolute joint per pair, implicit
  integration of the index-2 or index-3 equations. Exudyn's explicit integrators take no joints, so the order is 2 and
  the step is fixed.
- minimal coordinates (`build_tree`, `simulate_tree`): one ObjectKinematicTree, explicit
  integration up to order 7, also with step control. For an open chain this is Exudyn's strongest form; it cannot
  hold the loops of a gear train without constraints, which take the explicit integrators away again.

How `BEST` was found (Exudyn 1.13.6, two shared cores; mostly N = 6 and 43, steps of 1 and 5 ms):

- TrapezoidalIndex2 against GeneralizedAlpha: within 15 % of each other at equal error over the rods for N = 43,
  either way; for N = 6 the trapezoidal rule has about 0.6 of the error at equal time;
- Euler parameters: the Lie group rotation vector takes 1.4 to 1.5 times the time. Tait-Bryan angles are as fast, but
  singular where a rod turns by 90 degrees, which the rods of a short chain do;
- EigenSparse, the analysed pattern kept (not kept: 0 to 20 % slower): EigenSparseSymmetric is a few per cent slower,
  EigenDense as fast up to N = 6 and four times slower at N = 43, EXUdense eight times slower at N = 43;
- modified Newton, the Jacobian kept over steps: full Newton takes two to four times the time, one Jacobian a
  step 1.2 times for N = 6 and 1.6 to 2.6 times from N = 20 on (both with some less error at loose tolerances);
- the contractivity limit of modified Newton at its default: smaller limits gain up to 20 % for N = 2 and 6, at a loss
  of exactness, and lose for N = 43 at large steps;
- ObjectJointRevoluteZ: ObjectJointGeneric is 0 to 8 % slower;
- one thread: two are as fast for N = 6 and 70 % slower for N = 43;
- the compiled module without range checks and with AVX2 (`sys.exudynFast`), no files, no sensors, no printing;
- Newton tolerance 1e-4 (absolute 1e-5) in place of the default 1e-8 (1e-10): about a third less time, and at steps of
  1 ms and more the error over the rods stays that of the step within some per cent (not so for N = 2). Smaller
  steps need smaller tolerances; `precision.py` tries several for each step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import exudyn_solver
from .exudyn_solver import Solved, bare, clock, exu, implicit, items, solve

GRAVITY = (0.0, 3.0, -9.81)
INERTIA = (0.01, 1 / 12 + 0.005, 1 / 12 + 0.005)
END_TIME = 1.0

NODES = {
    "euler": items.NodeRigidBodyEP,
    "rotation_vector": items.NodeRigidBodyRotVecLG,
    "bryant": items.NodeRigidBodyRxyz,
}


@dataclass(frozen=True)
class Settings(exudyn_solver.Settings):
    """With those of the model in absolute coordinates; the defaults are the best found."""

    rotation: str = "euler"
    joint: str = "revolute"


BEST = Settings()
DEFAULT_TOLERANCES = replace(BEST, tolerance=1e-8, absolute_tolerance=1e-10)


@dataclass
class Chain:
    """An assembled system, with a way to ask for the end points of its rods (an array of N x 3)."""

    mbs: Any
    end_points: Callable[[], np.ndarray]
    container: Any


@dataclass
class Run(Solved):
    """One simulation to t = 1 s: times, and the rods' end points (N x 3) then."""

    points: np.ndarray


def build(n: int, settings: Settings = BEST) -> Chain:
    """The chain in absolute coordinates: N rigid bodies and N revolute joints."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    previous, at = mbs.AddObject(items.ObjectGround()), [0.0, 0.0, 0.0]
    unturned = [1.0, 0.0, 0.0, 0.0] if settings.rotation == "euler" else [0.0, 0.0, 0.0]
    z_to_y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    bodies = []
    for k in range(n):
        node = mbs.AddNode(NODES[settings.rotation](referenceCoordinates=[k + 0.5, 0.0, 0.0, *unturned]))
        body = mbs.AddObject(items.ObjectRigidBody(mass=1.0, inertia=[*INERTIA, 0, 0, 0], nodeNumber=node))
        weight = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=weight, loadVector=list(GRAVITY)))
        turn = np.eye(3) if k % 2 else z_to_y  # the joint's axis is the z axis of its two markers
        pair = [
            mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=b, localHT=exu.HT(rotation=turn, translation=p)))
            for b, p in ((previous, at), (body, [-0.5, 0.0, 0.0]))
        ]
        if settings.joint == "revolute":
            mbs.AddObject(items.ObjectJointRevoluteZ(markerNumbers=pair))
        else:
            mbs.AddObject(items.ObjectJointGeneric(markerNumbers=pair, constrainedAxes=[1, 1, 1, 1, 1, 0]))
        bodies.append(body)
        previous, at = body, [0.5, 0.0, 0.0]
    mbs.Assemble()

    def end_points() -> np.ndarray:
        position = exu.OutputVariableType.Position
        return np.array([mbs.GetObjectOutputBody(b, position, localPosition=[0.5, 0, 0]) for b in bodies])

    return Chain(mbs, end_points, container)


def build_tree(n: int) -> Chain:
    """The chain in minimal coordinates: one kinematic tree of N links."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    zero = [0.0] * n
    node = mbs.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=zero,
            initialCoordinates=zero,
            initialCoordinates_t=zero,
            numberOfODE2Coordinates=n,
        )
    )
    axes = (exu.JointType.RevoluteY, exu.JointType.RevoluteZ)
    tree = mbs.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            gravity=list(GRAVITY),
            jointTypes=[axes[k % 2] for k in range(n)],
            linkParents=list(range(-1, n - 1)),
            jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
            jointOffsets=exu.Vector3DList([[float(k > 0), 0.0, 0.0] for k in range(n)]),
            linkInertiasCOM=exu.Matrix3DList([np.diag(INERTIA)] * n),
            linkCOMs=exu.Vector3DList([[0.5, 0.0, 0.0]] * n),
            linkMasses=[1.0] * n,
        )
    )
    ends = [
        mbs.AddMarker(
            items.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=k, localPosition=[1.0, 0, 0])
        )
        for k in range(n)
    ]
    mbs.Assemble()

    def end_points() -> np.ndarray:
        return np.array([mbs.GetMarkerOutput(m, exu.OutputVariableType.Position) for m in ends])

    return Chain(mbs, end_points, container)


def simulate(n: int, step: float, settings: Settings = BEST, end: float = END_TIME) -> Run:
    """One simulation in absolute coordinates, from the start."""
    return _run(build(n, settings), implicit(step, end, settings))


def simulate_tree(
    n: int, step: float, method: str = "RK67", tolerance: float | None = None, end: float = END_TIME
) -> Run:
    """One simulation in minimal coordinates; a tolerance (with DOPRI5) turns on the control of the step.

    The step is then the largest one allowed and the first one taken.
    """
    options = bare(method, step, end)
    options.timeIntegration.automaticStepSize = tolerance is not None
    if tolerance is not None:
        options.timeIntegration.relativeTolerance = tolerance
        options.timeIntegration.absoluteTolerance = tolerance / 10
    options.timeIntegration.explicit.computeEndOfStepAccelerations = False
    return _run(build_tree(n), options, explicit=True)


def _run(chain: Chain, options: Any, explicit: bool = False) -> Run:
    done = solve(chain.mbs, options, explicit)
    return Run(**vars(done), points=chain.end_points())


def tree_time_per_step(n: int, step: float = 1e-2, repeats: int = 3, method: str = "RK44") -> float:
    """Seconds per step in minimal coordinates, the best of some runs to t = 1 s."""
    return min(run.steps / run.count for run in (simulate_tree(n, step, method) for _ in range(repeats)))


def evaluation_times(n: int, repeats: int = 5, settings: Settings = BEST) -> dict[str, float]:
    """Seconds of the parts of one evaluation of the equations, at the state of t = 1 s, called from Python.

    `mass_matrix`, `forces` (applied and velocity-dependent forces), `constraints` and `constraint_jacobian` are
    assemblies alone, without a linear solve; their sum is the nearest to an evaluation of the terms of the
    equations of motion. `accelerations` is what Exudyn does for its initial accelerations: these terms, the saddle
    point matrix of mass matrix and constraint Jacobian, its factorisation and the solve, and setting the state
    anew. It returns the same as a right-hand side that gives accelerations and multipliers, but Exudyn needs it only
    once per run and has no reason to make it fast: say so where it is compared. Exudyn has no other call that
    stops there. For the kinematic tree take a quarter of a step of RK44, `tree_time_per_step(n) / 4`: its mass matrix,
    forces, factorisation and solve.
    """
    chain, options = build(n, settings), implicit(5e-3, END_TIME, settings)
    solve(chain.mbs, options)
    data = chain.mbs.systemData
    data.SetSystemState(data.GetSystemState(), configuration=exu.ConfigurationType.Initial)
    solver = exu.MainSolverImplicitSecondOrder()
    if not solver.InitializeSolver(chain.mbs, options):
        raise RuntimeError("Exudyn did not initialise its solver")
    mbs = chain.mbs
    parts: dict[str, Callable[[], Any]] = {
        "mass_matrix": lambda: solver.ComputeMassMatrix(mbs),
        "forces": lambda: solver.ComputeODE2RHS(mbs),
        "constraints": lambda: solver.ComputeAlgebraicEquations(mbs),
        "constraint_jacobian": lambda: solver.ComputeJacobianAE(mbs),
        "accelerations": lambda: solver.InitializeSolverInitialConditions(mbs, options),
    }
    calls = max(5, 1000 // n)
    times = {}
    for name, part in parts.items():
        best = float("inf")
        for _ in range(repeats):
            start = clock()
            for _ in range(calls):
                part()
            best = min(best, (clock() - start) / calls)
        times[name] = best
    solver.FinalizeSolver(mbs, options)
    return times
