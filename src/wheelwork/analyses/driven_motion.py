"""A driven motion, followed from time to time.

At each time the positions follow from g(q, t) = 0 (Newton-Raphson from an extrapolation), the velocities from G
v = nu, the accelerations from G a = gamma.

A mechanism that cannot follow its drivers locks up: the time is found by halving, and the report names it and
the driver. Where the Jacobian loses rank the motion can branch (bifurcation, dead centre): this is found and
named too.
"""

from __future__ import annotations

import numpy as np

from wheelwork.engine.engine import Integration
from wheelwork.engine.outcome import Outcome
from wheelwork.engine.watch import Watch
from wheelwork.lazy import dataclass, scipy
from wheelwork.system.matrices import bilateral_rows, rank_of
from wheelwork.system.motion import Motion
from wheelwork.system.program import Program

from .assemble import POSITION_TOLERANCE, with_turns
from .driven_checks import (
    KinematicReport,
    SingularityMeasure,
    body_positions,
    driver_position,
)
from .part import Portions
from .prepare import Prepared
from .rank import scaled_jacobian

CHUNK = 2_000
"""Times between two looks at whether the user wants to stop: a portion that is kept on disk."""

V_SHAPE = 0.3
"""A least singular value below this part of those beside it is the bottom of a V: zero."""

BENT = 0.75
"""Slopes on both sides of a zero differ by less than this part: steps may be coarse, and the measure has corners."""

Seen = tuple[float, float, np.ndarray]
"""Time, a measure that goes to zero at singular positions like the distance from them, state."""


@dataclass(frozen=True)
class StepHistory:
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


class Follower:
    """Follows a driven mechanism from time to time."""

    def __init__(self, prepared: Prepared, state: np.ndarray, portions: Portions):
        self.portions = portions
        self.engine = prepared.engine
        self.measure = SingularityMeasure(prepared.engine)
        self.program: Program = prepared.program
        self.data = prepared.numbers.data
        self.state = state
        self.acceleration = np.zeros(self.program.nv)
        self.rows: list[np.ndarray] = []
        """Records, many in each entry."""
        self.rounds = 0
        self.t = 0.0
        self.trail = StepHistory(np.zeros(0), np.zeros(0), np.zeros((0, 0)))

    def follow(self, times: np.ndarray, watch: Watch) -> Integration:
        t, outcome, detail = self._sweep(times, watch)
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
        measure = self.measure if redundant else None
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
        self.trail = StepHistory(
            all_records[:, 0], np.concatenate(seen), all_records[:, 1 : 1 + self.program.n]
        )
        if stopped:
            return reached, Outcome.INTERRUPTED, "interrupted; everything up to there is kept"
        if not lost:
            return float(times[-1]), Outcome.REACHED_END, ""
        _, self.acceleration, _ = self.engine.derivative(reached, self.state)
        detail = self._lock_up(reached, float(part[len(records)]))
        self._note(reached)
        return reached, Outcome.CONSTRAINTS_LOST, detail

    def _chunk(self, times: np.ndarray, measure: SingularityMeasure | None) -> dict[str, np.ndarray]:
        """Some times from here. With redundant rows the engine's measure says nothing: singular values then."""
        records, sound, state, reached, rounds = self.engine.follow(times, self.state, POSITION_TOLERANCE)
        if measure is not None:
            states = records[:, 1 : 1 + self.program.n]
            sound = np.array([measure(float(t), y) for t, y in zip(records[:, 0], states, strict=True)])
        numbers = {"reached": np.asarray(reached), "rounds": np.asarray(rounds)}
        return {"records": records, "soundness": sound, "state": state, **numbers}

    # -- one step

    def _solve(self, t: float, guess: np.ndarray) -> np.ndarray | None:
        state, done = self.engine.project(t, guess, POSITION_TOLERANCE, 30)
        if done:
            # what is left below the tolerance, as in ``driven.hpp``: it matters near singular positions
            state, done = self.engine.project(t, state, POSITION_TOLERANCE, 2)
        self.rounds += 1
        return with_turns(self.program, self.data, state) if done and np.all(np.isfinite(state)) else None

    def _guess(self, step: float) -> np.ndarray:
        """Positions, velocities and angles extrapolated with the present velocities and accelerations."""
        p, y = self.program, self.state
        v = y[p.nq : p.nq + p.nv]
        out = p.displaced(y, step * v + 0.5 * step**2 * self.acceleration)
        out[p.nq : p.nq + p.nv] = v + step * self.acceleration
        rates = self.engine.derivative(self.t, y)[0][p.nq + p.nv :]
        out[p.nq + p.nv :] += step * rates
        return out

    def _note(self, t: float) -> None:
        _, a, multipliers = self.engine.derivative(t, self.state)
        self.acceleration = a
        self.rows.append(
            np.concatenate([[t], self.state, a, multipliers, np.zeros(len(self.program.frictions))])
        )

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
            return self.measure(t, state)

        middle, t = scipy.optimize.fminbound(value, before[0], end, xtol=1e-4 * (end - before[0])), None
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
        names = [(abs(g[p.constraints[c].first_row]), name) for name, c in p.driver_constraints.items()]
        if not names:
            return "lock-up: the joints cannot be met together beyond this time"
        value = self.measure(t, self.state)
        motion = Motion.at_moment(p, self.engine.numbers, t, self.state)
        driver = max(names)[1]
        return (
            f"lock-up: driver `{driver}` cannot be followed beyond this time, where it is at "
            f"{driver_position(motion, driver)} (smallest singular value of the Jacobian {value:.1e}). "
            f"The mechanism is at its dead position: {body_positions(motion)}. "
            "Reduce the driver's travel, or change the lengths"
        )

    def _integration(self, t: float, outcome: Outcome, detail: str) -> Integration:
        records = np.concatenate([np.atleast_2d(rows) for rows in self.rows])
        g = self.engine.constraints(t, self.state)[0]
        worst = int(np.argmax(np.abs(g))) if len(g) else -1
        label = self.program.constraint_of(worst).label if len(g) else ""
        left, rounds = float(abs(g[worst])) if len(g) else 0.0, self.rounds
        report = KinematicReport(
            outcome, t, label, left, 0.0, len(records), 0, rounds, rounds, 0, detail=detail
        )
        return Integration.from_records(
            self.engine.system.tables, records, np.zeros((0, 4)), self.state, report
        )
