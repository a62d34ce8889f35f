"""A simulation from start to end: steps, projection, events, output on a grid."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..engine import RunOptions
from ..outcome import Outcome, Report
from .locate import locate
from .methods import Method, Rk4, Step
from .projection import derivative_on_manifold, largest_residual, project_position
from .step_lengths import closest, first_step, largest_step, up_to_a_jump
from .switching import Switching
from .system import System

Progress = Callable[[float, int], bool]

PAUSE = 0.05
"""Seconds between two calls of `progress`."""

QUICK_SUCCESSION = 1e-9
"""Events that follow each other within this time (s) count towards `TOO_MANY_QUICK`."""

TOO_MANY_QUICK = 500

ENOUGH_TRIES = 50_000
"""Steps, taken or not, over which it is judged whether a run gets anywhere."""

SINGULAR_TOLERANCE = 1e-9
"""`rtol` is not taken smaller than this on the way through a singular position."""


BEYOND_ALL_BOUNDS = 1e15
"""m, m/s, rad or rad/s."""


class Run:
    """One integration; `records`, `switching.log` and `report()` hold what it leaves."""

    def __init__(
        self, system: System, method: Method, options: RunOptions, grid: np.ndarray, progress: Progress | None
    ):
        self.system, self.method, self.options = system, method, options
        self.grid, self.progress = grid, progress
        self.switching = Switching(system)
        self.records: list[np.ndarray] = []
        self.steps = self.rejected = 0
        self._stored = self._corner = self._too_fast = 0
        self._least = 0.0
        self._last_call = -np.inf
        self._branch_in_doubt = False
        self._then = 0, options.start
        self._lost: tuple[float, int] | None = None
        self._blamed = ""

    def integrate(self, y: np.ndarray) -> Outcome:
        start, corners = self.options.start, self.options.corners
        self.t = start + self._hair if corners and corners[0] <= start + self._hair else start
        self.step = Step(self.t, 0.0, y, y, y, y, self.system.caps())
        with np.errstate(all="ignore"):  # what is not finite is found and reported
            self.outcome = self._go()
            known = bool(self.records) and self.records[-1][0] >= self.t
            if self.outcome is not Outcome.REACHED_END and self.steps > 0 and not known:
                self._store(self.t, self.step.y0)  # a run that ends early keeps the moment it got to
            if not self.records:
                self._store(start, self.step.y0)  # and every run has its start
        return self.outcome

    @property
    def final_state(self) -> np.ndarray:
        return self.step.y0

    def report(self) -> Report:
        """The end of the run; the residual is that of the state that could not be reached, if that is why it ended."""
        s = self.system
        s.inputs.evaluate(self.t)
        s.place(self.step.y0)
        s.evaluate_constraints("residual")
        lost = self._lost if self.outcome is Outcome.CONSTRAINTS_LOST else None
        residual, where = lost or largest_residual(s)
        label = s.program.constraints[where].label if where >= 0 else ""
        if self.outcome is Outcome.NOT_FINITE and self._blamed:
            label = f"force `{self._blamed}`"
        elif self.outcome in (Outcome.TEETH_SKIPPED, Outcome.TEETH_TOO_DEEP):
            label = self._blamed
        return Report(
            outcome=self.outcome,
            t=self.t,
            worst_element=label,
            worst_residual=residual,
            last_step=self.step.h,
            steps=self.steps,
            rejected=self.rejected,
            evaluations=s.evaluations,
            factorisations=s.factorisations,
            newton_iterations=self.method.newton_iterations,
        )

    # -- the loop

    def _begin(self) -> Outcome | None:
        y, dy = self._arrive(self.t, self.step.y0)
        if dy is None:
            return Outcome.CONSTRAINTS_LOST
        if self.switching.any:
            y, dy, settled = self.switching.start(self.t, y)
            if not settled:
                return Outcome.FRICTION_UNSOLVED
            self._readings = self.switching.read(self.t)
            self.switching.note_teeth(self.t, self._readings, self._readings)
        self.step.y0, self.step.first = y, dy
        if not np.isfinite(dy).all():
            self._blamed = self._not_finite()
            return Outcome.NOT_FINITE
        self._store_grid(self.t, start=True)
        if self.options.store_steps:
            self._store(self.t, y)
        return None

    def _go(self) -> Outcome:
        failure = self._begin()
        if failure is not None:
            return failure
        o, step, method = self.options, self.step, self.method
        h = o.step if o.step else self._first_step()
        largest = largest_step(o, self.grid, self.switching.any_modes)
        last_error, quick, last_event = 1e-4, 0, -np.inf
        while self.t < o.end:
            if self.steps >= o.max_steps or (method.adaptive and self._hopeless()):
                return Outcome.TOO_MANY_STEPS
            if self._stop_asked():
                return Outcome.INTERRUPTED
            corner = self._next_corner()
            stop_at = min(o.end, corner - self._hair)
            h, left = min(h, largest), stop_at - self.t
            wished = h
            if h > left * (1 - 1e-10):
                h = left
            elif method.adaptive and h > 0.5 * left:
                h = 0.5 * left
            step.t, step.h = self.t, h
            error, reason = self._attempt()
            if reason is None and (error > 1.0 or not method.adaptive):
                shorter = self._up_to_a_jump()
                if shorter is not None:
                    self.rejected += 1
                    h = shorter
                    continue
            if reason is not None or error > 1.0:
                self.rejected += 1
                if not method.adaptive:
                    return reason or Outcome.NOT_FINITE
                h *= 0.25 if reason is not None else max(0.2, 0.9 * error ** (-1 / method.order))
                if h < o.smallest_step + 1e-15 * abs(self.t):
                    return reason or Outcome.STEP_TOO_SMALL
                continue
            if not self.system.friction.converged:
                return Outcome.FRICTION_UNSOLVED
            if self._unstable():
                return Outcome.UNSTABLE
            self.steps += 1
            if method.adaptive:
                factor = max(error, 1e-10) ** (-0.7 / method.order) * last_error ** (0.4 / method.order)
                last_error = max(error, 1e-4)
                h *= min(5.0, max(0.2, 0.9 * factor))
            theta = self._find_event()
            if theta is not None:
                when = self.t + theta * step.h if theta < 1 else self.t + step.h
                quick = quick + 1 if when - last_event < QUICK_SUCCESSION else 0
                last_event = when
                outcome = self._pass_event(when, theta)
                if outcome is not None:
                    return outcome
                if quick > TOO_MANY_QUICK:
                    return Outcome.TOO_MANY_EVENTS
                h = min(h, self._first_step()) if method.adaptive else o.step or h
                continue
            reached = step.h == left
            # the corner itself belongs to this step
            self._store_grid(corner if reached and stop_at < o.end else self.t + step.h)
            self.t = stop_at if reached else self.t + step.h
            step.y0, step.first = step.y1, step.last
            if reached and stop_at < o.end:
                failure = self._go_to(min(corner + self._hair, o.end), step.y0)
                if failure is not None:
                    return failure
                h = max(h, wished)
            if o.store_steps:
                self._store(self.t, step.y0)
            if not method.adaptive:
                h = o.step or h
        deep = next(iter(self.switching.deep.values()), "")
        if not deep or o.skipping != "stop":
            return Outcome.BRANCH_IN_DOUBT if self._branch_in_doubt else Outcome.REACHED_END
        self._blamed = f"mesh `{deep}`"
        return Outcome.TEETH_TOO_DEEP

    def _attempt(self) -> tuple[float, Outcome | None]:
        """One step up to its end: size of the error, and why it failed, if it did."""
        step = self.step
        y1 = self.method.advance(step)
        if y1 is None or not np.isfinite(y1).all():
            self._blamed = self._not_finite()
            if self._blamed:
                return 0.0, Outcome.NOT_FINITE
            return 0.0, Outcome.NEWTON_FAILED if self.method.failed else Outcome.NOT_FINITE
        y1, last = self._arrive(step.t + step.h, y1)
        if last is None:
            return 0.0, Outcome.CONSTRAINTS_LOST
        step.y1, step.last = y1, last
        # through a singular position round-off is amplified, and small steps would only gather more of it
        singular = self.system.factor.small > self.system.fewest_small
        relax = max(1.0, SINGULAR_TOLERANCE / self.options.rtol) if singular else 1.0
        error = self.method.error(step, relax * self.options.rtol, relax * self.options.atol)
        finite = np.isfinite(last).all() and not np.isnan(error)
        if not finite:
            self._blamed = self._not_finite()
        return error, None if finite else Outcome.NOT_FINITE

    def _unstable(self) -> bool:
        """Whether a fixed step is too long; as in ``runtime/run.hpp``."""
        if not isinstance(self.method, Rk4):
            return False
        if np.max(np.abs(self.step.y1), initial=0.0) > BEYOND_ALL_BOUNDS:
            return True
        nq, nv = self.system.program.nq, self.system.program.nv
        rate, acceleration = self.method.rate(self.step, slice(nq, nq + nv))
        if rate <= self.method.stable_rate:
            self._too_fast = 0
            return False
        self._least = acceleration if self._too_fast == 0 else min(self._least, acceleration)
        self._too_fast += 1
        return self._too_fast > 20 and acceleration > 1e4 * self._least

    def _not_finite(self) -> str:
        """The force that gave no number where the equations were last evaluated."""
        return next((name for group in self.system.forces if (name := group.not_finite())), "")

    def _arrive(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """The state brought onto the constraints, and its derivative; None if it could not be."""
        s = self.system
        y = s.normalised(y)
        if s.stabilisation.method != "projection":
            kept, rates = s.stabilisation, s.derivative(t, y)
            near_singular, s.near_singular_since = (
                s.near_singular_since,
                False,
            )  # here or in a stage on the way
            if not near_singular or kept.method == "none":
                self._branch_in_doubt |= near_singular
                return s.settled(y), rates
            # near a singular position: see ``runtime/run.hpp``
            s.stabilisation = replace(kept, method="projection")
            y, arrived = self._arrive(t, y)
            s.stabilisation = kept
            return (y, None) if arrived is None else (y, s.derivative(t, y))
        if s.program.constraints:
            if s.factorisations == 0:
                s.prepare(t, y)
            tolerance = self.options.projection_tolerance
            y, found = project_position(s, t, y, tolerance, 4, renew=False)
            if not found:
                y, found = project_position(s, t, y, tolerance, 25, renew=True)
            if not found:
                self._lost = largest_residual(s)
                return y, None
        return derivative_on_manifold(s, t, y)

    def _hopeless(self) -> bool:
        """Whether steps have become so short that a hundred times `max_steps` would not be enough."""
        tries = self.steps + self.rejected
        if tries - self._then[0] < ENOUGH_TRIES:
            return False
        (before, when), self._then = self._then, (tries, self.t)
        return (self.options.end - self.t) * (tries - before) > 100 * self.options.max_steps * (self.t - when)

    def _first_step(self) -> float:
        return first_step(self.options, self.step, self.method.order)

    def _stop_asked(self) -> bool:
        now = time.monotonic()
        if self.progress is None or now - self._last_call < PAUSE:
            return False
        self._last_call = now
        return bool(self.progress(self.t, self.steps))

    # -- events

    def _find_event(self) -> float | None:
        """The first event of the step, as a fraction of it."""
        if not self.switching.any:
            return None
        end = self.switching.read(self.t + self.step.h)
        width = self.options.event_tolerance / self.step.h
        found = locate(self._read_at, self._readings, end, self.switching.samples, width)
        if found is None:
            self._readings = end
        return found

    def _up_to_a_jump(self) -> float | None:
        """A shorter step, where a force jumps or bends within the one just tried."""
        kinks, adaptive = self.switching.kinks, self.method.adaptive
        if not kinks or self.step.h <= closest(self.options):
            return None
        end = self.switching.read(self.t + self.step.h)
        if not end.ended(self._readings)[:kinks].any():
            return None
        return up_to_a_jump(self.options, self.step.h, adaptive, self._read_at, self._readings, end)

    def _read_at(self, theta: float):
        t = self.t + theta * self.step.h
        self.system.derivative(t, self.system.normalised(self.method.dense(self.step, theta)))
        return self.switching.read(t)

    def _pass_event(self, when: float, theta: float) -> Outcome | None:
        """Go to the event and change modes."""
        step, before = self.step, self._readings
        self._store_grid(when)
        failure = self._go_to(when, self.method.dense(step, theta) if theta < 1 else step.y1)
        if failure is not None:
            return failure
        mesh = self.switching.note_teeth(when, before, self._readings)
        if self.options.store_steps:
            self._store(when, step.y0)
        if not mesh or self.options.skipping != "stop":
            return None
        self._blamed = f"mesh `{mesh}`"
        return Outcome.TEETH_SKIPPED

    def _go_to(self, when: float, y: np.ndarray) -> Outcome | None:
        """Begin anew at a time, with the modes that fit."""
        step = self.step
        self.t = when
        y, dy = self._arrive(when, y)
        if dy is None:
            return Outcome.CONSTRAINTS_LOST
        step.y0, step.first = y, dy
        if not self.switching.any:
            return None
        step.y0, step.first, settled = self.switching.settle(when, y)
        if not settled:
            return Outcome.FRICTION_UNSOLVED
        self._readings = self.switching.read(when)
        return None

    # -- corners of functions of time: a step ends a hair before one and the next begins a hair behind it, so that each
    # sees only one side of a jump

    @property
    def _hair(self) -> float:
        origin = self.system.inputs.origin
        return 1e-15 * max(abs(origin + self.options.start), abs(origin + self.options.end))

    def _next_corner(self) -> float:
        corners = self.options.corners
        while self._corner < len(corners) and corners[self._corner] <= self.t + self._hair:
            self._corner += 1
        return corners[self._corner] if self._corner < len(corners) else np.inf

    # -- output

    def _store_grid(self, t: float, start: bool = False) -> None:
        """Store the states at the grid's times up to t, inside the present step."""
        step = self.step
        while self._stored < len(self.grid):
            when = self.grid[self._stored]
            if when > t + (1e-9 * abs(t) if when >= self.options.end else 0.0):
                return
            self._stored += 1
            theta = 0.0 if start else min(1.0, (when - self.t) / step.h)
            y = step.y0 if start else step.y1 if theta >= 1 else self.method.dense(step, theta)
            self._store(float(when), y)

    def _store(self, t: float, y: np.ndarray) -> None:
        s = self.system
        y, _ = self._arrive(t, y)
        s.complete_reactions()
        multipliers = np.where(s.active, s.multipliers, 0.0)[s.program_rows]
        self.records.append(
            np.concatenate([[t], y, s.acceleration[:-1].ravel(), multipliers, s.friction.force])
        )
