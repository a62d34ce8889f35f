r"""Small motions about a motion that goes on steadily or comes back: constant coefficients, or periodic ones.

    steady                  as seen from axes that turn (:mod:`.frames`), teeth with their mean: eigenvalues
    steady but for teeth    each mesh goes through its cycle at the rate at which its teeth roll, tau' = rolling/pitch,
                            pressed by the force that it has (:mod:`.mesh_cycle`):
                                A(t) = A_mean + sum over meshes of dA(tau_0 + tau' t)
    periodic                the motion is run through a period, with the equations of the moment at each time, in
                            coordinates eta that stay the same as seen from axes from which the constraints are constant

The period is given, or the shortest of those that the speeds of bodies and meshes make after which the equations are
the same again, at the beginning and on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np

from wheelwork.description import ModelError
from wheelwork.lazy import dataclass
from wheelwork.system.matrices import bilateral_rows, full_jacobian

from .assemble import Assembled
from .closed import closed_at
from .floquet import Floquet, constant, periodic, smooth
from .frames import fastest, find_frames, moves
from .kinks import check_smooth
from .linear_equations import Linearised, linearised
from .linearise import about_motion
from .mesh_cycle import VaryingMesh, varying_meshes
from .small_motions import turned
from .steady_motion import FORCED, UnsteadyMotion, change_with_time
from .steady_rolling import STEADY
from .tangents import force_blocks

SAME = 1e-5
"""Part by which equations may differ after a period."""
BEGINNINGS = (0.0, 0.276, 0.618, 0.85)
"""Of a period: where they are compared."""
MOST_TURNS = 40
"""Denominator of the ratios of speeds that have a common period."""
NO_SPEED = 1e-9
"""rad/s or mesh cycles per second that count as none."""


@dataclass(frozen=True)
class MotionExponents:
    """Exponents of the small motions about a motion, and how they were found."""

    floquet: Floquet
    linear: Linearised
    """Linear equations at the beginning, teeth with their mean."""
    why: str
    """`steady`, `teeth` (their stiffness varies), `motion` (the equations change as it goes on)."""


def find_exponents(point: Assembled, period: float | None = None, balanced: bool = False) -> MotionExponents:
    """Of the motion that goes on from a state; ModelError where it is neither steady nor periodic.

    balanced: whether bodies are to be where they balance in any case
    """
    if period is not None and not period > 0:
        raise ModelError(f"needs a time greater than zero, but is {period:g} s", path="period")
    if not moves(point):
        change = change_with_time(linearised(point))
        unsteady = UnsteadyMotion(
            FORCED.format(100 * change), path="at", hint="give the `period` of these forces"
        )
        if change > STEADY and period is None:
            raise unsteady
        if period is not None:
            return _along(point, period, unsteady)
    try:
        linear = about_motion(point, balanced=balanced)
    except UnsteadyMotion as unsteady:
        linear = linearised(point)
        if not linear.A.size:  # every freedom is driven
            return MotionExponents(constant(linear.A), linear, "steady")
        return _along(point, period, unsteady)
    check_smooth(linear)
    meshes = [mesh for mesh in varying_meshes(linear.held.motion) if abs(mesh.rate) > NO_SPEED]
    if not meshes and period is None:
        return MotionExponents(constant(linear.A), linear, "steady")
    return _with_teeth(linear, meshes, period)


# -- steady but for teeth


def _with_teeth(linear: Linearised, meshes: list[VaryingMesh], period: float | None) -> MotionExponents:
    names = ", ".join(f"`{mesh.use.name}`" for mesh in meshes)
    if linear.control.by_measured.any():
        why = f"the control ({', '.join(linear.control.names)}) reads reactions or accelerations, which teeth whose "
        raise ModelError(
            f"{why}stiffness varies ({names}) change with their phase: this is not worked out", path="at"
        )
    rates = [abs(mesh.rate) for mesh in meshes]
    if period is None:
        period = _common(rates)
        if period is None:
            told = ", ".join(
                f"{mesh.use.name} {rate:.6g} Hz" for mesh, rate in zip(meshes, rates, strict=True)
            )
            why = f"the meshes go through their cycles at rates without a common period ({told})"
            raise ModelError(
                why, path="period", hint="give a period after which all of them are nearly whole"
            )
    off = max((abs(rate * period - round(rate * period)) for rate in rates), default=0.0)
    if off > 0.01:
        why = f"is {period:.6g} s, in which {names} go through no whole number of mesh cycles ({off:.2g} off)"
        raise ModelError(why, path="period", hint="leave it out, and it is found")
    A, n = linear.A, len(linear.K)
    parts = [(mesh, linear.teeth.jacobian(linear.held.motion, mesh.index)) for mesh in meshes]

    def coefficients(times: np.ndarray) -> np.ndarray:
        out = np.repeat(A[None], len(times), axis=0)
        for mesh, mean in parts:
            cycles = round(abs(mesh.rate) * period) * np.sign(mesh.rate)
            moved = mesh.jacobian(cycles * times / period) - mean[:, :, None]
            C, K = _projected(linear, mesh, moved)
            out[:, n : 2 * n, :n] -= K
            out[:, n : 2 * n, n : 2 * n] -= C
        return out

    return MotionExponents(periodic(coefficients, period, n), linear, "teeth")


def _projected(
    linear: Linearised, mesh: VaryingMesh, derivative: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """C and K of the coordinates (times, freedoms, freedoms) of derivatives of the wrenches of one mesh."""
    acting, seen, by_x, by_v = force_blocks(mesh.motion.program, mesh.index, derivative)
    left, by_x, by_v = linear.left[acting].T, np.moveaxis(by_x, 2, 0), np.moveaxis(by_v, 2, 0)
    K = -left @ (by_x @ linear.basis[seen] + by_v @ linear.speeds[seen])
    return -left @ by_v @ linear.basis[seen], K


# -- along a periodic motion


def _along(point: Assembled, period: float | None, unsteady: UnsteadyMotion) -> MotionExponents:
    linear, turning = _axes(point, period, unsteady)
    varies = next(varying_meshes(linear.held.motion), None)

    def at_times(times: np.ndarray) -> np.ndarray:
        out = []
        for state, t in zip(_run(point, times), times, strict=True):
            here = Assembled(point.prepared, state, point.misfits, point.t + float(t))
            phase = None if varies is None else float(next(varying_meshes(here.motion)).now["phase"][0])
            basis = turned(point, turning, float(t)) @ linear.basis
            out.append(linearised(here, phase, turning=turning, basis=basis).A)
        return np.array(out)

    least = np.inf
    for found in _periods(linear) if period is None else [period]:
        looks = at_times(found * np.array([*BEGINNINGS, *(1 + x for x in BEGINNINGS)]))
        size = np.abs(looks).max(axis=0)
        scale = np.where(size > SAME * size.max(axis=1, initial=0.0)[:, None], size, np.inf)
        off = float(np.max(np.abs(np.diff(looks.reshape(2, len(BEGINNINGS), *size.shape), axis=0)) / scale))
        least = min(off, least)
        if off <= SAME:
            return MotionExponents(periodic(smooth(at_times, found), found, len(linear.K)), linear, "motion")
    told = str(unsteady.problems[0].message)
    if period is not None:
        why = f"after the period of {period:.6g} s linear equations differ by {100 * least:.2g} %"
    else:
        why = "no period was found after which linear equations are the same again"
    hint = "give the `period` of a motion that comes back, or `settle`; `simulate` from a kicked start has any motion"
    raise ModelError(f"the motion is neither steady nor periodic: {why} ({told})", path="at", hint=hint)


def _axes(point: Assembled, period: float | None, unsteady: UnsteadyMotion) -> tuple[Linearised, np.ndarray]:
    """Axes from which what the constraints leave free stays the same: the world, if it will do."""
    held = closed_at(point).at
    still = np.zeros((len(point.prepared.program.bodies), 3))
    span = period or 1 / fastest(point)
    worst = ""
    for turning in (still, *(find_frames(held, rows_only=True).turning for _ in range(moves(point)))):
        linear = linearised(point, turning=turning)
        times = span * np.array(BEGINNINGS[1:])
        names = [
            _leaves(replace(held, state=state, t=point.t + t), turned(point, turning, t) @ linear.basis)
            for state, t in zip(_run(point, times), times, strict=True)
        ]
        worst = next((name for name in names if name), "")
        if not worst:
            check_smooth(linear)
            return linear, turning
    why = (
        f"{unsteady.problems[0].message}; and the directions that `{worst}` holds change with it, for which "
    )
    why += "Floquet's equations are not made"
    raise ModelError(why, path="at", hint="`simulate` from a kicked start, and look at how the kick grows")


def _run(at: Assembled, times: np.ndarray) -> np.ndarray:
    """States after some times, ascending."""
    fault = "what follows the operating point cannot be simulated"
    return at.run_on(at.t + times, fault, rtol=1e-10, atol=1e-12)


def _leaves(here: Assembled, basis: np.ndarray) -> str:
    """The constraint that motions do not keep; none if they keep all."""
    program, engine = here.prepared.program, here.prepared.engine
    places = bilateral_rows(program)
    rows = full_jacobian(program, engine.constraints(here.t, here.state)[1])[places]
    off = np.abs(rows @ basis).max(axis=1, initial=0.0)
    if not rows.size or off.max() <= 1e-6 * np.abs(rows).max() * np.abs(basis).max(initial=1e-300):
        return ""
    return program.constraint_of(places[int(np.argmax(off))]).name


def _periods(linear: Linearised) -> Iterator[float]:
    """Those that speeds of bodies, between them, and of meshes make: shortest first."""
    motion = linear.held.motion
    w = motion.v[0, :, 3:]
    rates = [float(np.linalg.norm(one)) / (2 * np.pi) for one in w]
    rates += [float(np.linalg.norm(a - b)) / (2 * np.pi) for a, b in combinations(w, 2)]
    rates += [abs(mesh.rate) for mesh in varying_meshes(motion)]
    kept: list[float] = []
    for rate in sorted(rates, reverse=True):
        if rate > NO_SPEED and all(abs(rate - one) > 1e-9 * rate for one in kept):
            kept.append(rate)
    whole = _common(kept)
    periods = {1 / rate for rate in kept} | ({whole} if whole else set())
    for period in sorted(periods):
        yield period / 2
        yield period


def _common(rates: list[float]) -> float | None:
    """The shortest time in which all rates make whole numbers of turns; None: not soon."""
    if not rates:
        return None
    fastest, whole = max(rates), 1
    for rate in rates:
        part = Fraction(rate / fastest).limit_denominator(MOST_TURNS)
        if abs(float(part) * fastest - rate) > 1e-9 * fastest:
            return None
        whole = int(np.lcm(whole, part.denominator))
    return whole / fastest
