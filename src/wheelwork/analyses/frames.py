"""From which axes a motion is steady: for each body those in which linear equations do not change as it goes on.

Candidates are the world, the angular velocity of each body, and the one with which all accelerations turn (a top that
goes round). The motion is carried on for a while without a run, each body on its circle, and M, D, S and the rows of
the constraints (:mod:`.small_motions`) are looked at again then. They are sums: two equal springs at right angles are
isotropic, though neither is. For each two bodies, some pairs of candidates leave their blocks the same; a body takes
the first candidate, the world before others, for which all other bodies have one.

The motion is carried on by 1 and by 1.618 rad of the fastest body: a planetary stage looks the same after a part of a
turn, but not after both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import numpy as np

from wheelwork.description import ModelError
from wheelwork.lazy import dataclass
from wheelwork.problems import did_you_mean
from wheelwork.system.attitude import exponential, rotation_matrices
from wheelwork.system.matrices import position_rows

from .assemble import Assembled, mechanism_size
from .free_motions import free_motions
from .mesh_cycle import mesh_cycle
from .small_motions import carried, turned
from .steady_rolling import turning_with
from .tangents import tangent_matrices, tangent_parts, turning_frame

SPANS = (1.0, 1.618)
"""rad of the fastest body."""
LEVELS = (1e-6, 1e-4, 1e-2)
"""Parts by which blocks may change, the first first."""
SAME = 1e-6
"""Of the fastest: two angular velocities that differ by less are one."""
SMALL_BLOCK = 1e-4
"""Blocks are compared with at least this part of the whole: less is round-off of a joint without load."""
ON_THE_SPOT = 1e-3
"""Part of the mechanism's size within which a body that goes round stands still: an unbalance."""


@dataclass(frozen=True)
class Frames:
    """Axes from which each body is seen."""

    turning: np.ndarray
    """(bodies, 3), rad/s."""
    change: float
    """Largest part by which a block changes as seen from there."""
    worst: str
    """Elements and bodies of that block, to print."""
    world_change: float = np.inf
    """The same as seen from the world."""
    carry: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    """(bodies, 3), rad/s: as what the centre of mass of each body goes on; that of an unbalanced rotor whirls."""

    @property
    def steady(self) -> bool:
        """Whether the equations are constant as seen from there."""
        return self.change <= LEVELS[-1]

    @property
    def near_world(self) -> bool:
        """Whether those of the world will nearly do: for an unbalanced rotor, say."""
        return self.world_change <= LEVELS[-1]


@dataclass(frozen=True)
class _Test:
    """By how much what a body has, or what two bodies have in common, changes for each pair of candidates."""

    bodies: tuple[int, int]
    off: np.ndarray


def moves(at: Assembled) -> bool:
    """Whether anything does."""
    program = at.prepared.program
    return bool(np.max(np.abs(at.state[program.nq : program.nq + program.nv]), initial=0.0) > 1e-9)


def find_frames(
    at: Assembled, prefer: str | None = None, rows_only: bool = False, at_phase: float | None = None
) -> Frames:
    """Those of a motion at a state; where there are none, what changes least is found, and `steady` is false.

    prefer: a body whose axes are taken for all bodies for which they will do; else the world. `world`: nothing else
    rows_only: whether only masses and constraints need to be constant, as for coordinates along a periodic motion
    """
    bodies = len(at.prepared.program.bodies)
    candidates = _candidates(at, prefer)
    carries, open_ = _carries(at, candidates)
    best = Frames(np.zeros((bodies, 3)), np.inf, f"`{open_}`")
    for carry in carries:
        ends = [(span / fastest(at), carried(at, span / fastest(at), carry)) for span in SPANS]
        tests = list(_tests(at, ends, candidates, at_phase, rows_only))
        uniform = [[c] * bodies for c in range(len(candidates))]
        levels = (_choose(tests, bodies, len(candidates), level) for level in LEVELS)
        chosen = uniform[0] if prefer == "world" else next((one for one in levels if one is not None), None)
        if chosen is None:
            chosen = min(uniform, key=lambda own: _worst(tests, own)[0])
        change, pair = _worst(tests, chosen)
        if (change < best.change) if not best.steady else (change <= LEVELS[0] < best.change):
            turning = candidates[chosen]
            worst = _words(at, ends[0], turning, pair, at_phase) if change > LEVELS[0] else ""
            world = next(c for c, turn in enumerate(candidates) if not np.any(turn))
            best = Frames(turning, change, worst, _worst(tests, uniform[world])[0], carry)
        if change <= LEVELS[0]:
            break
    return best


def fastest(at: Assembled) -> float:
    """rad/s of the fastest body; of what goes straight, its size in a second."""
    v, w = np.linalg.norm(at.motion.v[0].reshape(-1, 2, 3), axis=2).T
    return max(
        float(w.max(initial=0.0)), 1e-3 * float(v.max(initial=0.0)) / mechanism_size(at.prepared), 1e-300
    )


def _candidates(at: Assembled, prefer: str | None) -> np.ndarray:
    """Angular velocities (candidates, 3), the world first, or the preferred one."""
    w, bodies = at.motion.v[0, :, 3:], at.prepared.program.bodies
    turns = [np.zeros(3), *w[np.argsort(np.linalg.norm(w, axis=1), kind="stable")], next(turning_with(at))]
    if prefer in bodies:
        turns.insert(0, w[bodies.index(prefer)])
    elif prefer not in (None, "world", "steady"):
        hint = did_you_mean(prefer, [*bodies, "world", "steady"])
        raise ModelError(f"`{prefer}` is not `world`, `steady` or a body", path="frame", hint=hint)
    kept: list[np.ndarray] = []
    for turn in turns:
        if all(np.linalg.norm(turn - one) > SAME * fastest(at) for one in kept):
            kept.append(turn)
    return np.array(kept)


def names_of(at: Assembled, turning: np.ndarray) -> tuple[str, ...]:
    """What axes that turn so are called, by body: `world`, or the first body that turns as they do."""
    w, bodies = at.motion.v[0, :, 3:], at.prepared.program.bodies
    out = []
    for turn in turning:
        same = np.flatnonzero(np.linalg.norm(w - turn, axis=1) <= 10 * SAME * fastest(at))
        name = bodies[same[0]] if len(same) else f"axes turning at {np.linalg.norm(turn):.4g} rad/s"
        out.append(name if np.any(turn) else "world")
    return tuple(out)


def _carries(at: Assembled, candidates: np.ndarray) -> tuple[list[np.ndarray], str]:
    """How the bodies may go on, each turning as one of the candidates (bodies, 3), as far as constraints stay closed;
    and which opens if none does.

    In steady motion a = Omega x v and alpha = Omega x w. Beside it (a planet whose elastic pin does not pull it round
    yet) a body goes with another one with which it moves as if it were fixed to it, or all with one candidate; a body
    that stands may whirl with an unbalance of its own.
    """
    program, motion, span = at.prepared.program, at.motion, SPANS[1] / fastest(at)
    v, a, x = motion.v[0], motion.a[0], motion.x[0]
    size = max(mechanism_size(at.prepared), 1e-3)
    units = np.repeat([1 / size, 1.0], 3) / fastest(at) ** 2
    left = [(a - np.hstack([np.cross(c, v[:, :3]), np.cross(c, v[:, 3:])])) * units for c in candidates]
    own = candidates[
        np.argmin(np.round(np.linalg.norm(left, axis=2), 6), axis=0)
    ]  # the first of those that are alike
    moving = (np.linalg.norm(v[:, :3], axis=1) > ON_THE_SPOT * size * fastest(at))[:, None]
    slips = v[:, None, :3] - v[None, :, :3] - np.cross(v[None, :, 3:], x[:, None] - x[None])
    apart = np.linalg.norm(slips, axis=2) + np.diag(np.full(len(x), np.inf))
    with_another = np.where(moving, v[np.argmin(apart, axis=1), 3:], own)
    rows = position_rows(program)
    now = at.prepared.engine.constraints(at.t, at.state)[0][rows]
    kept, open_ = [], ""
    whirling = (np.where(moving, trial, v[:, 3:]) for trial in (own, with_another))
    for trial in (*whirling, own, with_another, *(np.where(moving, c, own) for c in candidates)):
        end = carried(at, span, trial)
        gap = np.abs(at.prepared.engine.constraints(end.t, end.state)[0][rows] - now)
        if np.max(gap, initial=0.0) <= ON_THE_SPOT * size:
            kept += [trial] if all(np.any(trial != one) for one in kept) else []
        else:
            open_ = open_ or program.constraint_of(rows[int(np.argmax(gap))]).name
    return kept, open_


def _choose(tests: list[_Test], bodies: int, candidates: int, level: float) -> list[int] | None:
    """For each body the first candidate for which all others have one, by thinning out what no test allows."""

    def thin(options: list[set[int]]) -> list[set[int]]:
        before = None
        while before != options:
            before = [set(one) for one in options]
            for (a, b), fits in allowed:
                good = [(c, d) for c, d in fits if c in options[a] and d in options[b]]
                options[a], options[b] = {c for c, _ in good}, {d for _, d in good}
        return options

    allowed = [(test.bodies, [(int(c), int(d)) for c, d in np.argwhere(test.off <= level)]) for test in tests]
    options = thin([set(range(candidates)) for _ in range(bodies)])
    for b in range(bodies):
        trials = (
            thin([{c} if k == b else set(own) for k, own in enumerate(options)]) for c in sorted(options[b])
        )
        options = next((trial for trial in trials if all(trial)), None)
        if options is None:
            return None
    return [min(own) for own in options]


def _worst(tests: list[_Test], chosen: list[int]) -> tuple[float, tuple[int, int]]:
    """The largest change, and whose."""
    values = [
        (float(test.off[chosen[test.bodies[0]], chosen[test.bodies[1]]]), test.bodies) for test in tests
    ]
    return max(values, default=(0.0, (0, 0)))


def _parts(at: Assembled, at_phase: float | None) -> list[np.ndarray]:
    """Q = N N^T, N Z^T D N N^T and N Z^T S N N^T."""
    C, K = tangent_matrices(at.motion, mesh_cycle(at, at_phase))
    M, W, W_rate = turning_frame(at)
    N, Z = free_motions(at)
    Q, left = N @ N.T, N @ Z.T
    return [Q, left @ (C - M @ W) @ Q, left @ (K - M @ W_rate - C @ W) @ Q]


def _tests(
    at: Assembled,
    ends: list[tuple[float, Assembled]],
    candidates: np.ndarray,
    at_phase: float | None,
    rows_only: bool,
) -> Iterator[_Test]:
    program, numbers, eye = at.prepared.program, at.prepared.numbers, np.eye(len(candidates), dtype=bool)
    V, count, quick = program.space.V, len(program.bodies), fastest(at)
    length = np.sqrt(np.trace(numbers.inertia, axis1=1, axis2=2) / 3 / numbers.mass)
    kinds = np.array([column >= 3 for column in program.space.velocities])
    root = (np.sqrt(numbers.mass)[:, None] * np.where(kinds, length[:, None], 1.0)).ravel()
    turns = [
        np.array([turned(at, np.tile(c, (count, 1)), span)[:V, :V] for c in candidates]) for span, _ in ends
    ]
    spatial = [rotation_matrices(exponential(candidates * span)) for span, _ in ends]
    states = [_parts(one, at_phase) for one in (at, *(end for _, end in ends))]
    free, whole = np.zeros(count), 1.0
    for k, (X, *later) in enumerate(list(zip(*states, strict=True))[: 1 if rows_only else 3]):
        # in units in which each body has mass and inertia of about 1
        X, *later = (
            (root[:, None] * Y * root).reshape(count, V, count, V).swapaxes(1, 2) for Y in (X, *later)
        )
        size = np.linalg.norm(X, axis=(2, 3))
        free = np.maximum(free, np.diag(size))
        whole = float(np.linalg.norm(X)) if k == 0 else max(float(np.linalg.norm(X)), quick * whole)
        least = SMALL_BLOCK * whole + 1e-300
        for a, b in (
            (a, b) for a in range(count) for b in range(count) if max(size[a, b], size[b, a]) > 1e-12 * least
        ):
            out = np.zeros((len(candidates),) * 2)
            for T, Y in zip(turns, later, strict=True):
                gap = np.einsum("cji,jk,dkl->cdil", T, Y[a, b], T, optimize=True) - X[a, b]
                out = np.maximum(out, np.linalg.norm(gap, axis=(2, 3)) / max(size[a, b], size[b, a], least))
            yield _Test((a, b), np.where(eye, out, np.inf) if a == b else out)
    far = quick * mechanism_size(at.prepared)
    for a in (
        np.flatnonzero(free > 1e-9) if not rows_only else ()
    ):  # at rest seen from its axes, or turning on the spot
        out = np.zeros(len(candidates))
        for T, (_, end) in zip(spatial, ends, strict=True):
            moved = np.einsum("cji,kj->cki", T, end.motion.v[0, a].reshape(2, 3)) - at.motion.v[0, a].reshape(
                2, 3
            )
            v, w = np.linalg.norm(moved, axis=2).T
            out = np.maximum(out, np.maximum(LEVELS[-1] / (2 * ON_THE_SPOT) * v / far, w / quick))
        yield _Test((int(a), int(a)), np.where(eye, out[:, None], np.inf))


def _words(
    at: Assembled,
    end: tuple[float, Assembled],
    turning: np.ndarray,
    pair: tuple[int, int],
    at_phase: float | None,
) -> str:
    """Which elements change most between two bodies, or at one, as seen from these axes."""
    program, (span, later) = at.prepared.program, end
    T, V = turned(at, turning, span), program.space.V
    names = " and ".join(f"`{program.bodies[k]}`" for k in dict.fromkeys(pair))
    before, after = (_shares(one, at_phase) for one in (at, later))
    a, b = (slice(V * k, V * (k + 1)) for k in pair)
    found = {
        name: float(
            sum(
                np.linalg.norm((T.T @ Y @ T - X)[a, b])
                for X, Y in zip(before[name], after[name], strict=True)
            )
        )
        for name in before.keys() & after.keys()
    }
    largest = max(found.values(), default=0.0)
    most = [
        f"`{name}`"
        for name in sorted(found, key=lambda name: -found[name])
        if found[name] > 0.1 * largest > 0
    ]
    return f"{', '.join(most[:4])} at {names}" if most else names


def _shares(at: Assembled, at_phase: float | None) -> dict[str, list[np.ndarray]]:
    """Of each element in damping and stiffness of what constraints leave free."""
    N, Z = free_motions(at)
    left, right, out = N @ Z.T, N @ N.T, {}
    for part in tangent_parts(at.motion, mesh_cycle(at, at_phase)):
        if part.element:
            own = out.setdefault(part.element, [np.zeros_like(right), np.zeros_like(right)])
            for whole, matrix in zip(own, (part.C * fastest(at), part.K), strict=True):
                whole += left[:, part.rows] @ matrix @ right[part.columns]
    return out
