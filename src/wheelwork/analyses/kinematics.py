"""Motion given by the drivers alone: position, velocity, acceleration; and the forces it takes (inverse dynamics).

At each time the positions follow from g(q, t) = 0 (Newton-Raphson from an extrapolation), the velocities from G
v = nu, the accelerations from G a = gamma. With forces and masses known the multipliers follow from the same
equations of motion, so driver torques and joint reactions come along. States of controllers are integrated along the
motion (:mod:`.driven_states`).

A mechanism that cannot follow its drivers locks up: the time is found by halving, and the report names it and
the driver. Where the Jacobian loses rank the motion can branch (bifurcation, dead centre): this is found and
named too.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import Description, Inverse, Kinematics, ModelError, Problem
from wheelwork.engine.engine import Integration
from wheelwork.engine.outcome import Outcome, RunReport
from wheelwork.engine.watch import Watch
from wheelwork.lazy import dataclass
from wheelwork.problems import users_level
from wheelwork.system.driver_jumps import check_drivers
from wheelwork.system.matrices import bilateral_rows, rank_of
from wheelwork.system.motion import Motion
from wheelwork.system.program import Program

from .assemble import POSITION_TOLERANCE, Assembled, assembled, with_turns
from .driven_checks import Soundness, body_positions, driver_position, goes_on, jumps
from .driven_states import with_states
from .feasible import check_run
from .kinks import first_too_deep
from .options import merged, one_engine
from .part import FinishedPart, Portions, about
from .prepare import Prepared, prepare, refuse_speeds
from .rank import analyse_rank, scaled_jacobian
from .simulate import RunWarning, result_of

if TYPE_CHECKING:
    from wheelwork.results import Result

CHUNK = 2_000
"""Times between two looks at whether the user wants to stop: a portion that is kept on disk."""

V_SHAPE = 0.3
"""A least singular value below this part of those beside it is the bottom of a V: zero."""

BENT = 0.75
"""Slopes on both sides of a zero differ by less than this part: steps may be coarse, and the measure has corners."""

Seen = tuple[float, float, np.ndarray]
"""Time, a measure that goes to zero at singular positions like the distance from them, state."""


@dataclass(frozen=True)
class Trail:
    """What was seen at every step: times, measures and states; see `Seen`."""

    t: np.ndarray
    measure: np.ndarray
    state: np.ndarray

    def __getitem__(self, k: int) -> Seen:
        return float(self.t[k]), float(self.measure[k]), self.state[k]

    def dips(self) -> list[int]:
        """Steps at or beside which the measure may go through zero.

        It is least there among its neighbours, and with the other sign on one side of the zero the three are
        more or less on a line; at a smooth least value above zero they are not.
        """
        m = self.measure
        if len(m) < 3:
            return []
        left, here, right = m[:-2], m[1:-1], m[2:]
        low = (here <= left) & (here <= right)
        line, step = np.zeros(len(here), bool), np.maximum(np.diff(self.t), 1e-300)
        for fall, rise in ((left + here, right - here), (left - here, right + here)):
            before, after = fall / step[:-1], rise / step[1:]
            line |= np.abs(after - before) <= BENT * np.maximum(before, after)
        found = (np.flatnonzero(low & line) + 1).tolist()
        ends = [k for k, beside in ((0, 1), (len(m) - 1, len(m) - 2)) if m[k] <= V_SHAPE * m[beside]]
        return sorted(found + ends)


@dataclass(frozen=True)
class KinematicReport(RunReport):
    """How a driven motion ended; `detail` says what was found."""

    detail: str = ""

    @property
    def text(self) -> str:
        base = f"t = {self.t:.6g} s: " + ("reached the end" if self.outcome.good else "")
        return base + self.detail


@one_engine
def kinematics(
    description: Description,
    end: float | str | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    progress: bool | None = None,
    part: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **options: Any,
) -> Result:
    """Follow the drivers until `end` [s]. Every freedom must be driven.

    Options are those of :class:`wheelwork.description.Kinematics`: `start`, `output`; `part` and `resume` as those of
    `simulate`.
    """
    settings: Any = merged(description, Kinematics, {"end": end, **options}, parameters)
    return _driven(prepare(description, parameters), settings, progress, part, resume)


@one_engine
def inverse(
    description: Description,
    end: float | str | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    progress: bool | None = None,
    part: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **options: Any,
) -> Result:
    """Torques and forces of the drivers, and joint reactions, for the prescribed motion until `end` [s].

    Signals `DRIVER.torque` or `DRIVER.force` are what each driver has to give. Options: `start`, `output`; `part` and
    `resume` as those of `simulate`.
    """
    settings: Any = merged(description, Inverse, {"end": end, **options}, parameters)
    prepared = prepare(description, parameters)
    _refuse_dry_friction(prepared)
    return _driven(prepared, settings, progress, part, resume)


def _refuse_dry_friction(prepared: Prepared) -> None:
    problems = []
    for friction in prepared.program.frictions:
        use = prepared.program.constraints[friction.row]
        problems.append(
            Problem(
                "dry friction is not part of inverse dynamics",
                use.where,
                use.path,
                "`simulate` with the same drivers gives their torques with friction in them",
            )
        )
    if problems:
        raise ModelError(problems)


def _driven(
    prepared: Prepared,
    settings: Any,
    progress: bool | None,
    part: str | os.PathLike[str] | None,
    resume: bool,
) -> Result:
    refuse_speeds(
        prepared.program, "positions follow from it by integration, not from drivers at each moment"
    )
    start, end = float(settings.start), float(settings.end)
    check_run(prepared.program, start, end, settings.output)
    corners = prepared.program.corners(prepared.numbers, start, end)
    check_drivers(prepared.program, prepared.numbers, prepared.flat, start, end, corners)
    at = assembled(prepared, start)
    _must_be_driven(prepared, at)
    times = np.linspace(start, end, settings.output + 1)
    kept = None if part is None else FinishedPart(part, about(prepared, settings))
    portions = Portions(kept, resume)
    with Watch(start, end, progress, prepared.description.name) as watch:
        integration = _Follower(prepared, at.state, portions).follow(times, watch)
        integration = with_states(at, integration, watch)
    result = result_of(at, integration, settings, watch.seconds + portions.seconds)
    for name, t in first_too_deep(result.motion).items():
        warnings.warn(
            f"the drivers press the teeth of mesh `{name}` into each other by more than a quarter of their thickness, "
            f"first at t = {t:.6g} s: no model of teeth holds there, and their forces mean nothing",
            RunWarning,
            stacklevel=users_level(),
        )
    return result


def _must_be_driven(prepared: Prepared, at: Assembled) -> None:
    report = analyse_rank(prepared.engine, at.t, at.state)
    free = (
        report.freedoms
        if not report.singular
        else prepared.program.nv - (report.rows - len(report.redundant))
    )
    if free > 0:
        raise ModelError(
            f"the drivers leave {free} degree{'s' if free > 1 else ''} of freedom; "
            "a motion given by drivers alone needs one driver for each",
            path="drivers",
            hint="add drivers, or use `simulate` to let forces move the rest",
        )


class _Follower:
    """Follows a driven mechanism from time to time."""

    def __init__(self, prepared: Prepared, state: np.ndarray, portions: Portions):
        self.portions = portions
        self.engine = prepared.engine
        self.program: Program = prepared.program
        self.data = prepared.numbers.data
        self.tooth_angle, self.tooth_length = self.program.finest_tooth(prepared.numbers)
        self.state = state
        self.acceleration = np.zeros(self.program.nv)
        self.rows: list[np.ndarray] = []
        """Records, one or many in each entry."""
        self.rounds = 0
        self.t = 0.0
        self._seen: list[Seen] = []
        self.trail = Trail(np.zeros(0), np.zeros(0), np.zeros((0, 0)))

    def follow(self, times: np.ndarray, watch: Watch) -> Integration:
        start = self.state
        t, outcome, detail = self._sweep(times, watch)
        if jumps(self.program, self.data, self.trail.state):
            self.state, self.rows = start, []  # again, with a look at every step
            t, outcome, detail = self._walk(times, watch)
            self.trail = Trail(*(np.array(part) for part in zip(*self._seen, strict=True)))
        branchings = [] if outcome is Outcome.CONSTRAINTS_LOST else self._branchings()
        if branchings:
            listed = ", ".join(f"{b:.6g}" for b in branchings[:5])
            detail += (
                f". The Jacobian loses rank at t = {listed} s: the motion can branch there (dead centre)"
            )
        return self._integration(t, outcome, detail)

    def _sweep(self, times: np.ndarray, watch: Watch) -> tuple[float, Outcome, str]:
        """The whole way in the engine."""
        redundant = rank_of(scaled_jacobian(self.engine, times[0], self.state)) < len(
            bilateral_rows(self.program)
        )
        measure = Soundness(self.engine) if redundant else None
        first, seen = 0, []
        while True:
            part = times[first : first + CHUNK]
            found = self.portions.next(lambda part=part: self._chunk(part, measure))
            assert found is not None
            records, reached = found["records"], float(found["reached"])
            skip = 1 if first else 0  # the first time of a chunk is the last of the one before
            self.rows.append(records[skip:])
            seen.append(found["soundness"][skip:])
            self.state, self.t = found["state"], reached
            self.rounds += int(found["rounds"]) + len(records) - skip
            lost = len(records) < len(part)
            first += len(part) - 1
            stopped = not lost and first < len(times) - 1 and watch.step(reached, first)
            if lost or stopped or first >= len(times) - 1:
                break
        self.portions.end()
        all_records = np.concatenate(self.rows)
        self.trail = Trail(all_records[:, 0], np.concatenate(seen), all_records[:, 1 : 1 + self.program.n])
        if stopped:
            return reached, Outcome.INTERRUPTED, "interrupted; everything up to there is kept"
        if not lost:
            return float(times[-1]), Outcome.REACHED_END, ""
        _, self.acceleration, _ = self.engine.derivative(reached, self.state)
        detail = self._lock_up(reached, float(part[len(records)]))
        self._note(reached)
        return reached, Outcome.CONSTRAINTS_LOST, detail

    def _chunk(self, times: np.ndarray, measure: Soundness | None) -> dict[str, np.ndarray]:
        """Some times from here. With redundant rows the engine's measure says nothing: singular values then."""
        records, sound, state, reached, rounds = self.engine.follow(times, self.state, POSITION_TOLERANCE)
        if measure is not None:
            states = records[:, 1 : 1 + self.program.n]
            sound = np.array([measure(float(t), y) for t, y in zip(records[:, 0], states, strict=True)])
        numbers = {"reached": np.asarray(reached), "rounds": np.asarray(rounds)}
        return {"records": records, "soundness": sound, "state": state, **numbers}

    def _walk(self, times: np.ndarray, watch: Watch) -> tuple[float, Outcome, str]:
        """The same step by step from here."""
        t = float(times[0])
        self._note(t)
        self._seen = [(t, self._smallest_singular_value(t), self.state)]
        for target in times[1:]:
            if watch.step(t, len(self.rows)):
                self.portions.end()
                return t, Outcome.INTERRUPTED, "interrupted; everything up to there is kept"
            found = self.portions.next(lambda t=t, target=float(target): self._portion(t, target))
            if found is None:
                detail = self._lock_up(self.t, float(target))
                self._note(self.t)
                return self.t, Outcome.CONSTRAINTS_LOST, detail
            t = self.t = float(target)
            self.state, self.acceleration, row = found["state"], found["acceleration"], found["row"]
            self.rows.append(row)
            self._seen += zip(found["t"].tolist(), found["measure"].tolist(), found["states"], strict=True)
            self.rounds += int(found["rounds"])
        self.portions.end()
        return t, Outcome.REACHED_END, ""

    def _portion(self, t: float, target: float) -> dict[str, np.ndarray] | None:
        """What was seen on the way to one time; None, and how far it got in `self.t`, where it cannot go there."""
        before, rounds, seen = len(self.rows), self.rounds, self._seen
        self._seen = []
        self.t = self._advance(t, target)
        found, self._seen = self._seen, seen
        if self.t < target:
            return None
        self._note(target)
        row, used = self.rows.pop(before), self.rounds - rounds
        self.rounds = rounds
        times, measures, states = (np.array(part) for part in zip(*found, strict=True))
        here = {
            "state": self.state,
            "acceleration": self.acceleration,
            "row": row,
            "rounds": np.asarray(used),
        }
        return {**here, "t": times, "measure": measures, "states": states}

    # -- one step

    def _solve(self, t: float, guess: np.ndarray) -> np.ndarray | None:
        state, done = self.engine.project(t, guess, POSITION_TOLERANCE, 30)
        if done:
            # what is left below the tolerance, as in ``driven.hpp``: it matters near singular positions
            state, done = self.engine.project(t, state, POSITION_TOLERANCE, 2)
        self.rounds += 1
        return with_turns(self.program, self.data, state) if done and np.all(np.isfinite(state)) else None

    def _motion(self, step: float) -> np.ndarray:
        """What bodies will move in a step, by the present velocities and accelerations."""
        p = self.program
        return step * self.state[p.nq : p.nq + p.nv] + 0.5 * step**2 * self.acceleration

    def _guess(self, step: float) -> np.ndarray:
        """Positions, velocities and angles extrapolated with the present velocities and accelerations."""
        p, y = self.program, self.state
        v = y[p.nq : p.nq + p.nv]
        out = p.displaced(y, self._motion(step))
        out[p.nq : p.nq + p.nv] = v + step * self.acceleration
        rates = self.engine.derivative(self.t, y)[0][p.nq + p.nv :]
        out[p.nq + p.nv :] += step * rates
        return out

    def _advance(self, t: float, target: float) -> float:
        """Go to `target`, in halved steps where Newton's method fails; returns how far it got."""
        step = target - t
        while t < target:
            self.t = t
            step = min(step, target - t)
            guess = self._guess(step)
            small = self.program.largest_turn(self._motion(step)) <= np.pi / 4
            state = self._solve(t + step, guess) if small else None
            if state is not None and self._continuous(guess, state):
                self.state, t = state, t + step
                self._seen.append((t, self._smallest_singular_value(t), state))
                _, self.acceleration, self.multipliers = self.engine.derivative(t, state)
                step *= 2
                if abs(target - t) < 1e-14 * max(1.0, abs(target)):
                    return target
                continue
            step /= 2
            if step < max(1e-9, 1e-14 * abs(target)):
                return t
        return target

    def _continuous(self, guess: np.ndarray, state: np.ndarray) -> bool:
        """Whether a solution continues the motion and did not jump to another branch: no body turns by more than 45
        degrees, or is found a quarter of a tooth from where it was expected, and contacts of cams go on.
        """
        p = self.program
        places = [p.space.poses(p.coordinates(y))[0] for y in (state, guess)]
        if np.any(np.abs(places[0] - places[1]) > self.tooth_length / 4):
            return False
        for k in range(len(p.bodies)):
            for other, most in ((self.state, np.pi / 4), (guess, min(np.pi / 4, self.tooth_angle / 4))):
                turned = p.rotation(other, k).T @ p.rotation(state, k)
                if np.trace(turned) < 1 + 2 * np.cos(most):
                    return False
        return goes_on(p, self.data, self.state, guess, state)

    def _note(self, t: float) -> None:
        _, a, multipliers = self.engine.derivative(t, self.state)
        self.acceleration = a
        self.rows.append(
            np.concatenate([[t], self.state, a, multipliers, np.zeros(len(self.program.frictions))])
        )

    def _smallest_singular_value(self, t: float) -> float:
        """Of the rows that matter: redundant ones aside, the last of the values that is not zero all along."""
        G = scaled_jacobian(self.engine, t, self.state)
        if not G.size:
            return 1.0
        values = np.linalg.svd(G, compute_uv=False)
        if not hasattr(self, "_rank"):
            self._rank = max(rank_of(G), self.program.nv)
        return float(values[min(self._rank, len(values)) - 1])

    # -- branching positions

    def _branchings(self) -> list[float]:
        """Times at which the smallest singular value goes to zero, between the places where it was seen as well."""
        found: list[float] = []
        last = len(self.trail.t) - 1
        for k in self.trail.dips():
            t = self._crossing(self.trail[max(k - 1, 0)], self.trail[min(k + 1, last)])
            if t is not None and (not found or t - found[-1] > 1e-6 * max(1.0, abs(t))):
                found.append(t)
        return found

    def _crossing(self, before: Seen, after: Seen) -> float | None:
        """The time between two places at which the smallest singular value is zero, if it is.

        Through zero it goes like |t - t0|, while a least value above zero is smooth; the two sides of the V
        give t0, also where Newton's method fails close to it, as it does within some 1e-5 of it.
        """
        end, kept = after[0], (self.state, self.acceleration)

        def value(t: float) -> float:
            self.state = before[2]
            self.t = before[0]
            _, self.acceleration, _ = self.engine.derivative(before[0], before[2])
            state = self._solve(t, self._guess(t - before[0]))
            if state is None:
                return np.inf
            self.state = state
            return self._smallest_singular_value(t)

        low, high, ratio = before[0], end, (np.sqrt(5) - 1) / 2
        inner = [high - ratio * (high - low), low + ratio * (high - low)]
        values = [value(t) for t in inner]
        while high - low > 1e-4 * (end - before[0]):
            if values[0] < values[1]:
                high, inner[1], values[1] = inner[1], inner[0], values[0]
                inner[0] = high - ratio * (high - low)
                values[0] = value(inner[0])
            else:
                low, inner[0], values[0] = inner[0], inner[1], values[1]
                inner[1] = low + ratio * (high - low)
                values[1] = value(inner[1])
        middle, t = 0.5 * (low + high), None
        for width in (0.02, 0.002):
            left, right = middle - width * (end - before[0]), middle + width * (end - before[0])
            sides = value(left), value(right)
            if not np.isfinite(sum(sides)):
                break
            middle = (sides[1] * left + sides[0] * right) / sum(sides)
            least = value(middle)
            if np.isfinite(least) and least > V_SHAPE * min(sides):
                t = None
                break
            t = middle
        self.state, self.acceleration = kept
        return t

    # -- reports

    def _lock_up(self, t: float, target: float) -> str:
        """The driver that cannot be met any further, with its value."""
        p = self.program
        guess = self._guess(max(1e-6, 1e-3 * (target - t)))
        g = self.engine.constraints(t + max(1e-6, 1e-3 * (target - t)), guess)[0]
        for use in p.constraints:
            if np.isnan(g[use.first_row : use.first_row + use.rows]).any():
                return f"lock-up: {use.label} has no point of contact beyond this time: the surfaces do not fit there"
        names = []
        for name, index in p.driver_constraints.items():
            use = p.constraints[index]
            names.append((abs(g[use.first_row]), name))
        if not names:
            return "lock-up: the joints cannot be met together beyond this time"
        values = self._smallest_singular_value(t)
        motion, driver = self._moment(t), max(names)[1]
        return (
            f"lock-up: driver `{driver}` cannot be followed beyond this time, where it is at "
            f"{driver_position(motion, driver)} (smallest singular value of the Jacobian {values:.1e}). "
            f"The mechanism is at its dead position: {body_positions(motion)}. "
            "Reduce the driver's travel, or change the lengths"
        )

    def _moment(self, t: float) -> Motion:
        """The present state as a motion of one moment."""
        p = self.program
        a, multipliers, friction = (np.zeros((1, n)) for n in (p.nv, p.rows, len(p.frictions)))
        return Motion(p, self.engine.numbers, np.array([t]), self.state[None, :], a, multipliers, friction)

    def _integration(self, t: float, outcome: Outcome, detail: str) -> Integration:
        records = np.concatenate([np.atleast_2d(rows) for rows in self.rows])
        g = self.engine.constraints(t, self.state)[0]
        worst = int(np.argmax(np.abs(g))) if len(g) else -1
        label = ""
        for use in self.program.constraints:
            if use.first_row <= worst < use.first_row + use.rows:
                label = use.label
        report = KinematicReport(
            outcome,
            t,
            label,
            float(abs(g[worst])) if len(g) else 0.0,
            0.0,
            len(records),
            0,
            self.rounds,
            self.rounds,
            0,
            detail=detail,
        )
        return Integration.from_records(
            self.engine.system.tables, records, np.zeros((0, 4)), self.state, report
        )
