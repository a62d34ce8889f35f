"""The spatial revolute chain in Exudyn: the peer side of the chain benchmark.

The model: N rods (1 m, 1 kg, inertia diag(0.01, 1/12 + 0.005, 1/12 + 0.005) kg m2 about the centre of mass) lie
along world x at rest, rod k from x = k to x = k + 1. Joint k, at (k, 0, 0), joins rod k to rod k - 1 (to ground for
k = 0); its axis is world y for even k and world z for odd k. Gravity is (0, 3, -9.81) m/s2; the end is t = 1 s.

Two forms are measured, because Exudyn offers both and they differ by orders of magnitude at equal error:

- absolute coordinates (`build`, `time_per_step`, `end_point`, `work_precision`): one rigid body per rod and
  one revolute joint per pair, implicit integration of the index-2 or index-3 equations. Exudyn's explicit
  integrators take no joints, so the order is 2 and the step is fixed.
- minimal coordinates (`build_tree` and the other functions named `tree_...`): one ObjectKinematicTree, explicit
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
  steps need smaller tolerances; `work_precision` tries several for each step.

Needs Exudyn 1.13 or later (the names of the settings changed in 1.12).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

sys.exudynFast = True  # type: ignore[attr-defined]  # must be set before the first import of exudyn
with contextlib.redirect_stdout(io.StringIO()):
    import exudyn as exu
    import exudyn.itemInterface as items

clock = time.process_time  # both sides of the benchmark use processor time; see the README

GRAVITY = (0.0, 3.0, -9.81)
INERTIA = (0.01, 1 / 12 + 0.005, 1 / 12 + 0.005)
END_TIME = 1.0

# Tip at t = 1 s, from minimal coordinates written apart from Exudyn and integrated with DOP853 at relative
# tolerances down to 1e-13 (1e-12 for N = 43); all digits given are trusted.
REFERENCE_TIPS = {
    2: (-1.74783461712, -0.21445306037, -0.92333776486),
    6: (1.97403578617, 1.62857301287, -5.34804668805),
    20: (18.10462681373, 1.50015145682, -4.90551714121),
    43: (41.60753589700, 1.50000000026, -4.90499999699),
}

NODES = {
    "euler": items.NodeRigidBodyEP,
    "rotation_vector": items.NodeRigidBodyRotVecLG,
    "bryant": items.NodeRigidBodyRxyz,
}


@dataclass(frozen=True)
class Settings:
    """The choices Exudyn leaves for the chain in absolute coordinates; the defaults are the best found."""

    rotation: str = "euler"
    joint: str = "revolute"
    method: str = "TrapezoidalIndex2"
    linear: str = "EigenSparse"
    reuse_pattern: bool = True
    modified_newton: bool = True
    update_each_step: bool = False
    contractivity: float = 0.5
    connector_derivative: bool = False
    spectral_radius: float = 0.9
    tolerance: float = 1e-4
    absolute_tolerance: float | None = None
    threads: int = 1


BEST = Settings()
DEFAULT_TOLERANCES = replace(BEST, tolerance=1e-8, absolute_tolerance=1e-10)


@dataclass
class Chain:
    """An assembled system, with a way to ask for the end points of its rods (an array of N x 3)."""

    mbs: Any
    end_points: Callable[[], np.ndarray]
    container: Any


@dataclass
class Run:
    """One simulation to t = 1 s: the rods' end points then, and the times of its parts in seconds."""

    points: np.ndarray
    initialise: float
    steps: float
    count: int

    @property
    def tip(self) -> np.ndarray:
        return self.points[-1]

    @property
    def solve(self) -> float:
        return self.initialise + self.steps


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


def _common(step: float, method: str) -> Any:
    options = exu.SimulationSettings()
    options.solution.file.write = False
    options.solution.sensors.active = False
    integration = options.timeIntegration
    integration.solverType = getattr(exu.DynamicSolverType, method)
    integration.endTime = END_TIME
    integration.numberOfSteps = round(END_TIME / step)
    integration.adaptiveStep = False
    integration.verboseMode = 0
    return options


def simulation_settings(step: float, settings: Settings = BEST) -> Any:
    """Exudyn's settings structure for a step and the choices made."""
    options = _common(step, settings.method)
    options.linearSolver.solverType = getattr(exu.LinearSolverType, settings.linear)
    options.linearSolver.reuseAnalyzedPattern = settings.reuse_pattern
    options.parallel.numberOfThreads = settings.threads
    newton = options.timeIntegration.newton
    newton.useModifiedNewton = settings.modified_newton
    newton.modifiedNewtonJacUpdatePerStep = settings.update_each_step
    newton.modifiedNewtonContractivity = settings.contractivity
    newton.numericalDifferentiation.jacobianConnectorDerivative = settings.connector_derivative
    newton.relativeTolerance = settings.tolerance
    newton.absoluteTolerance = (
        settings.tolerance / 10 if settings.absolute_tolerance is None else settings.absolute_tolerance
    )
    alpha = options.timeIntegration.generalizedAlpha
    alpha.spectralRadius = settings.spectral_radius
    alpha.useNewmark = alpha.useIndex2Constraints = settings.method == "TrapezoidalIndex2"
    return options


def _run(chain: Chain, solver: Any, options: Any) -> Run:
    start = clock()
    ready = solver.InitializeSolver(chain.mbs, options)
    initialised = clock()
    done = ready and solver.SolveSteps(chain.mbs, options)
    end = clock()
    if not done:
        raise RuntimeError("Exudyn did not reach the end time")
    points = chain.end_points()
    count = solver.it.currentStepIndex - 1  # Exudyn's index stands at the next step
    solver.FinalizeSolver(chain.mbs, options)
    return Run(points, initialised - start, end - initialised, count)


def simulate(n: int, step: float, settings: Settings = BEST) -> Run:
    """One simulation in absolute coordinates, from the start."""
    return _run(build(n, settings), exu.MainSolverImplicitSecondOrder(), simulation_settings(step, settings))


def simulate_tree(n: int, step: float, method: str = "RK67", tolerance: float | None = None) -> Run:
    """One simulation in minimal coordinates; a tolerance (with DOPRI5) turns on the control of the step.

    The step is then the largest one allowed and the first one taken.
    """
    options = _common(step, method)
    options.timeIntegration.automaticStepSize = tolerance is not None
    if tolerance is not None:
        options.timeIntegration.relativeTolerance = tolerance
        options.timeIntegration.absoluteTolerance = tolerance / 10
    options.timeIntegration.explicit.computeEndOfStepAccelerations = False
    return _run(build_tree(n), exu.MainSolverExplicit(), options)


def time_per_step(n: int, step: float = 1e-3, repeats: int = 3, settings: Settings = BEST) -> float:
    """Seconds per step in absolute coordinates, the best of some runs to t = 1 s; initialisation is left out."""
    return min(run.steps / run.count for run in (simulate(n, step, settings) for _ in range(repeats)))


def tree_time_per_step(n: int, step: float = 1e-2, repeats: int = 3, method: str = "RK44") -> float:
    """Seconds per step in minimal coordinates, the best of some runs to t = 1 s."""
    return min(run.steps / run.count for run in (simulate_tree(n, step, method) for _ in range(repeats)))


def end_point(n: int, step: float, settings: Settings = BEST) -> tuple[np.ndarray, float]:
    """The tip at t = 1 s and the time of the solve alone (initialisation and steps, not the building)."""
    run = simulate(n, step, settings)
    return run.tip, run.solve


def tree_end_point(
    n: int, step: float, method: str = "RK67", tolerance: float | None = None
) -> tuple[np.ndarray, float]:
    """As `end_point`, in minimal coordinates."""
    run = simulate_tree(n, step, method, tolerance)
    return run.tip, run.solve


def reference_points(n: int) -> np.ndarray:
    """The rods' end points at t = 1 s to about 1e-11 m (kinematic tree, order 7, steps of 2 ms).

    For N = 2, 6, 20 and 43 the tip is checked against `REFERENCE_TIPS`, which do not come from Exudyn.
    """
    points = simulate_tree(n, 2e-3).points
    if n in REFERENCE_TIPS and np.abs(points[-1] - REFERENCE_TIPS[n]).max() > 1e-9:
        raise RuntimeError(f"the reference of the chain of {n} rods differs from the independent one")
    return points


def _row(runs: list[Run], reference: np.ndarray, **labels: Any) -> dict[str, Any]:
    apart = np.linalg.norm(runs[0].points - reference, axis=1)
    return {
        **labels,
        "steps": runs[0].count,
        "solve_seconds": min(run.solve for run in runs),
        "tip_error": float(apart[-1]),
        "largest_error": float(apart.max()),
    }


def work_precision(
    n: int,
    steps: Sequence[float],
    tolerances: Sequence[float] = (1e-3, 1e-4, 1e-5, 1e-6),
    repeats: int = 2,
    settings: Settings = BEST,
    reference: np.ndarray | None = None,
) -> list[dict[str, Any]]:
    """Error against time in absolute coordinates, a row for each step and Newton tolerance.

    `front` keeps the rows that no other row beats. `largest_error` is the largest distance of a rod's end from its
    reference: judge by it rather than by `tip_error`. On a long chain the far rods fall almost freely for the
    whole second, so that the tip hardly feels the errors made in the rods that swing.
    """
    reference = reference_points(n) if reference is None else reference
    rows = []
    for step in steps:
        for tolerance in tolerances:
            chosen = replace(settings, tolerance=tolerance)
            runs = [simulate(n, step, chosen) for _ in range(repeats)]
            rows.append(_row(runs, reference, step=step, tolerance=tolerance))
    return rows


def tree_work_precision(
    n: int,
    steps: Sequence[float],
    methods: Sequence[str] = ("RK44", "RK67"),
    repeats: int = 2,
    reference: np.ndarray | None = None,
) -> list[dict[str, Any]]:
    """Error against time in minimal coordinates, a row for each method and fixed step."""
    reference = reference_points(n) if reference is None else reference
    return [
        _row([simulate_tree(n, step, m) for _ in range(repeats)], reference, step=step, method=m)
        for m in methods
        for step in steps
    ]


def front(rows: Sequence[dict[str, Any]], error: str = "largest_error") -> list[dict[str, Any]]:
    """The rows that no other row beats in both time and error, from the fastest to the most exact."""
    kept: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda r: (r["solve_seconds"], r[error])):
        if not kept or row[error] < kept[-1][error]:
            kept.append(row)
    return kept


def evaluation_times(n: int, repeats: int = 5, settings: Settings = BEST) -> dict[str, float]:
    """Seconds of the parts of one evaluation of the equations, at the state of t = 1 s, called from Python.

    `mass_matrix`, `forces` (applied and velocity-dependent forces), `constraints` and `constraint_jacobian` are
    assemblies alone, without a linear solve; their sum is the nearest to an evaluation of the terms of the
    equations of motion. `accelerations` is what Exudyn does for its initial accelerations: these terms, the saddle
    point matrix of mass matrix and constraint Jacobian, its factorisation and the solve, and setting the state
    anew. It returns the same as a right-hand side that gives accelerations and multipliers, but Exudyn needs it only
    once a run and has no reason to make it fast: say so where it is compared. Exudyn has no other call that
    stops there. For the kinematic tree take a quarter of a step of RK44, `tree_time_per_step(n) / 4`: its mass matrix,
    forces, factorisation and solve.
    """
    chain, options = build(n, settings), simulation_settings(5e-3, settings)
    solver = exu.MainSolverImplicitSecondOrder()
    _run(chain, solver, options)
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the revolute chain in Exudyn.")
    parser.add_argument("rods", type=int, nargs="*", default=[2, 6, 20, 43, 150])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--precision", type=int, metavar="N", help="error against time for N rods")
    chosen = parser.parse_args()
    print(f"Exudyn {exu.__version__}; {BEST}")
    if chosen.precision:
        steps = (2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)
        reference = reference_points(chosen.precision)
        for title, rows in (
            ("absolute coordinates", work_precision(chosen.precision, steps, reference=reference)),
            ("kinematic tree", tree_work_precision(chosen.precision, steps[:3], reference=reference)),
        ):
            print(title)
            for row in front(rows):
                print("  " + "  ".join(f"{k} {v:.3g}" if k != "method" else v for k, v in row.items()))
        return
    for n in chosen.rods:
        default = time_per_step(n, repeats=chosen.repeats, settings=DEFAULT_TOLERANCES)
        best = time_per_step(n, repeats=chosen.repeats)
        tree = tree_time_per_step(n, repeats=chosen.repeats)
        parts = "  ".join(f"{k} {v * 1e6:.1f}" for k, v in evaluation_times(n).items())
        print(f"N {n}: us per step {best * 1e6:.1f} (default tolerances {default * 1e6:.1f})")
        print(f"    us per step of the tree with RK44 {tree * 1e6:.1f}")
        print(f"    us per evaluation: {parts}")


if __name__ == "__main__":
    main()
