"""Motions that are steady as seen from axes that turn: what is at rest there, and whether equations stay the same.

Where the axes of each body are known (:mod:`.frames`), the steady motion near a state is found as an equilibrium is, by
Newton's method with K of the small motions as seen from there: with R = diag(Omega~) it has a = R v, so that

    K eta = Z^T M (a - R v),    positions change by x = N eta, velocities by (R - W) x

Accelerations along free directions remain: torques that do not balance. The motion is then that of the moment, with
its speeds as they are. To go on along v, of all bodies that are tied to each other, is such a direction: K v = 0 in
steady motion, and nearly so beside it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wheelwork.description import ModelError
from wheelwork.problems import warn
from wheelwork.system.attitude import skew
from wheelwork.system.program import Program

from .assemble import Assembled, mechanism_size
from .far import with_turns
from .frames import Frames, fastest, names_of
from .kinks import OperatingPointWarning
from .linear_equations import Linearised
from .small_motions import SmallMotions, of_bodies, small_motions
from .steady_rolling import NEARLY, STEADY
from .tangents import tangent_matrices, turning_frame

MOST_STEPS = 40
CLOSE = 1e-12
"""rad, or of the mechanism's size: a step that is the last."""
SLOW = 1e-4
"""Of the fastest body: what is held no more firmly than for such a frequency, rad/s, is free."""
FREE = 1e-6
"""Part of a motion that the constraints may turn away, if it is free."""
MOMENTS = (0.01, 0.0618, 0.382)
"""s: after which forces are looked at again, where nothing turns."""
FORCED = "forces change with time, and the linear equations with them, by {:.2g} % in less than half a second"
ROUND_OFF = 1e-12
"""Of the cube of a rate: states of a control that are coupled with the motion by less are not."""
SOFT = 1e-4
"""Frequencies below this part of the largest are not told apart by what changes."""


class UnsteadyMotion(ModelError):
    """Linear equations with constant coefficients are asked about a motion that is steady from nowhere."""


def steady_state(at: Assembled, turning: np.ndarray) -> Assembled:
    """The steady motion near a state, as seen from axes that turn at `turning`: a ModelError where there is none."""
    program, size = at.prepared.program, mechanism_size(at.prepared)
    keep, R = list(program.space.velocities), of_bodies(at, [skew(w) for w in turning])
    last = np.inf
    for _ in range(MOST_STEPS):
        v, a = (x[0][:, keep].ravel() for x in (at.motion.v, at.motion.a))
        small, (M, W, _) = small_motions(at, turning), turning_frame(at)
        on = _going_on(program, small, M, v)
        whole = np.block([[small.K, on], [on.T, np.zeros((on.shape[1],) * 2)]])
        out_of_balance = np.concatenate([small.left.T @ M @ (a - R @ v), np.zeros(on.shape[1])])
        least = max(1e-9, (SLOW * fastest(at)) ** 2 / max(float(np.linalg.norm(small.K, 2)), 1e-300))
        x = small.basis @ (np.linalg.pinv(whole, least) @ out_of_balance)[: len(small.K)]
        far = float(
            np.max(np.abs(x.reshape(-1, len(keep)) / np.where(np.array(keep) < 3, size, 1.0)), initial=0.0)
        )
        if far > 1.0:
            x = x / far
        state = with_turns(program, at.prepared.numbers.data, program.displaced(at.state, x))
        state[program.nq : program.nq + program.nv] = v + (R - W) @ x
        at = Assembled(at.prepared, at.prepared.engine.project(at.t, state, 1e-13, 50)[0], at.misfits, at.t)
        if far < CLOSE or (far < 1e-8 and far > last / 2):
            return at
        last = min(far, last)
    why = "no steady motion is near the given one: what is out of balance does not come to rest as seen from its axes"
    raise UnsteadyMotion(
        why, path="at", hint="give positions and speeds nearer to a steady motion, or `settle`"
    )


def _going_on(program: Program, small: SmallMotions, M: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Directions v of what goes on by itself: of bodies that nothing ties to others. As long as K is large."""
    group = np.arange(len(small.turning))
    for use in (*program.constraints, *program.forces):
        tied = [body for body in use.bodies if body >= 0]
        group[np.isin(group, group[tied])] = group[tied[0]] if tied else 0
    groups = np.repeat(group, program.space.V)
    parts = [np.where(groups == one, v, 0.0) for one in np.unique(group)]
    free = [(small.basis.T @ M @ part, part) for part in parts]
    kept = [
        eta for eta, part in free if np.linalg.norm(small.basis @ eta - part) <= FREE * np.linalg.norm(part)
    ]
    if not kept:
        return np.zeros((len(small.K), 0))
    vectors, sizes, _ = np.linalg.svd(np.array(kept).T, full_matrices=False)
    return max(float(np.linalg.norm(small.K, 2)), 1e-300) * vectors[:, sizes > FREE * sizes[0]]


def change_of(now: Linearised, then: Linearised, slow: float = 0.0) -> float:
    """By what part the equations have changed: frequencies of all modes, or of `slow` (rad/s) if it is more, and what
    couples modes, by which their shapes turn: a rigid motion stays one, though it has another shape."""
    values, vectors = np.linalg.eigh((now.K + now.K.T) / 2)
    top = float(np.sqrt(np.abs(values).max(initial=0.0)))
    least = max(1e-2 * fastest(now.at), slow) ** 2 + (SOFT * top) ** 2
    changed = np.linalg.eigvalsh((then.K + then.K.T) / 2)
    rates, later = (np.sqrt(np.abs(squares) + least) for squares in (values, changed))
    stiffer, drag = (vectors.T @ x @ vectors for x in (then.K - now.K, then.C - now.C))
    sums = np.add.outer(rates, rates)
    off = [
        np.abs(later / rates - 1),
        (1 - np.eye(len(rates))) * np.abs(stiffer) * 2 / sums**2,
        np.abs(drag) / sums,
    ]
    B, by_eta, by_rate, own = (float(np.max(np.abs(x), initial=0.0)) for x in now.coupling)
    rate = max(fastest(now.at), 1e-300)
    gain = max(by_eta, rate * by_rate)
    coupled = B * gain > ROUND_OFF * rate**3
    scales = (B, gain, gain / rate, max(own, rate)) if coupled else (np.inf, np.inf, np.inf, max(own, rate))
    for one, other, scale in zip(now.coupling, then.coupling, scales, strict=True):
        off.append(np.abs(other - one) / scale)
    return max(float(np.max(x, initial=0.0)) for x in off)


def change_with_time(linear: Linearised) -> float:
    """The same of a machine at rest in the course of time alone: of forces such as k(t) x."""
    motion, worst = linear.held.motion, 0.0
    now = tangent_matrices(motion)
    for span in MOMENTS:
        then = tangent_matrices(replace(motion, t=motion.t + span, _kept={}))
        C, K = (linear.left.T @ (other - one) @ linear.basis for one, other in zip(now, then, strict=True))
        worst = max(worst, change_of(linear, replace(linear, C=linear.C + C, K=linear.K + K), 1.0))
    return worst


def say_whether_steady(at: Assembled, frames: Frames, change: float, refuse: bool = True) -> None:
    """A ModelError where the equations change, if that is to be refused, a warning where they change a little."""
    change = max(change, frames.change if not frames.steady else 0.0)
    if change <= STEADY:
        return
    names = " and ".join(f"`{name}`" for name in dict.fromkeys(names_of(at, frames.turning)))
    seen = "the world" if names == "`world`" else f"axes of {names}"
    what = f", most in {frames.worst}," if frames.worst else ""
    text = (
        f"as seen from {seen} they change{what} by {100 * change:.2g} % while the fastest body turns by 1 rad"
        if np.isfinite(change)
        else f"its bodies cannot go on turning as they do, as {frames.worst} would open"
    )
    if refuse and change > NEARLY:
        why = f"the motion about which linear equations are asked is not steady: {text}"
        hint = (
            "`stability` has modes and growth of periodic motions (Floquet); `frame: world` takes the equations of the "
            "moment; or linearise about rest; `simulate` has any motion"
        )
        raise UnsteadyMotion(why, path="at", hint=hint)
    warn(
        f"the linear equations are not quite constant: {text}; they are taken as they are now, and motions that are as "
        "slow as that change are not valid",
        OperatingPointWarning,
    )
