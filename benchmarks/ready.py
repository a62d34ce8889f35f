"""A mechanism compiled and ready to run, in absolute and in minimal coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.reduction import reduce
from wheelwork.analyses.reduction.reduce import tables
from wheelwork.analyses.reduction.straight_line import straight_line
from wheelwork.engine.engine import Integration, RunOptions, integrated
from wheelwork.engine.reduced import ReducedSystem

from .measure import clock


class Ready:
    """The engine at the assembled position, and unless `reduced` is False the same in minimal coordinates.

    straight: these by straight-line code, not by the equations of any tree
    """

    def __init__(
        self, mechanism: Any, method: str | None = None, *, reduced: bool = True, straight: bool = True
    ):
        at = assembled(prepare(mechanism, method=method), 0.0)
        self.engine, self.start, self.flat = at.prepared.engine, at.state, at.prepared.flat
        if reduced:
            self.reduction = reduce(self.engine, 0.0, at.state)
            self.tables = tables(self.reduction, self.engine)
            self.code = straight_line(self.reduction, self.engine, self.tables) if straight else {}
            self.reduced = self.system({**self.tables, **self.code})

    def system(self, numbers: dict[str, Any]) -> ReducedSystem:
        return ReducedSystem(self.engine.system, numbers, self.reduction.rates)

    def integrate(
        self, formulation: str, options: RunOptions, times: np.ndarray | None = None
    ) -> tuple[float, Integration]:
        """Seconds and result of a simulation that must succeed; states are stored at `times`, or at the end alone."""
        grid = np.array([options.end]) if times is None else times
        start = clock()
        if formulation == "absolute":
            done = self.engine.integrate(self.start, grid, options)
        else:
            done = integrated(self.engine.system, self.start, grid, options, reduced=self.reduced)
        seconds = clock() - start
        if not done.report.outcome.good:
            raise RuntimeError(done.report.text)
        return seconds, done

    def places(self, states: np.ndarray, bodies: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Of the first bodies, which turn about z: x [m] and angle [rad, within a turn] in every state."""
        program = self.engine.program
        at = states[:, : program.nq].reshape(len(states), -1, program.space.Q)
        if program.space.Q == 3:  # in the plane: x, y, angle
            return [(at[:, k, 0], at[:, k, 2]) for k in range(bodies)]
        turned = [2 * np.arctan2(at[:, k, 6], at[:, k, 3]) for k in range(bodies)]
        return [(at[:, k, 0], turned[k]) for k in range(bodies)]
