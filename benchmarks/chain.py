"""The spatial revolute chain ready to run in Wheelwork, and where its rods' ends must be at t = 1 s."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.analyses.prepare import prepare
from wheelwork.engine.engine import RunOptions
from wheelwork.system.attitude import rotation_matrices

from .measure import clock
from .model import END_TIME, describe

REFERENCE = Path(__file__).parent / "reference" / "chain_ends.json"


@functools.cache
def reference(n: int) -> np.ndarray:
    """The rods' ends at t = 1 s, N x 3 [m]; see reference/README.md."""
    return np.array(json.loads(REFERENCE.read_text())[str(n)])


def largest_error(points: np.ndarray) -> float:
    """Of all rods' ends, the largest distance from the reference [m]."""
    return float(np.linalg.norm(points - reference(len(points)), axis=1).max())


@dataclass
class Run:
    """A simulation to t = 1 s: processor time from call to result, error at the end, and what was done."""

    seconds: float
    error: float
    steps: int
    rejected: int
    evaluations: int


class Chain:
    """A chain that is compiled and ready."""

    def __init__(self, n: int, implicit: bool = False):
        self.n = n
        prepared = prepare(describe(n), method="sdirk4" if implicit else "dopri5")
        self.engine = prepared.engine
        self.start = prepared.numbers.state
        self.end = self.engine.integrate(
            self.start, np.array([END_TIME]), RunOptions(end=END_TIME)
        ).final_state

    def run(self, method: str, **options: Any) -> Run:
        """Simulate to t = 1 s; the end alone is stored."""
        settings, grid = RunOptions(end=END_TIME, method=method, **options), np.array([END_TIME])
        start = clock()
        done = self.engine.integrate(self.start, grid, settings)
        seconds = clock() - start
        report = done.report
        if report.outcome:
            raise RuntimeError(f"chain of {self.n}, {method} {options}: {report.text}")
        error = largest_error(end_points(done.state[-1], self.n))
        return Run(seconds, error, report.steps, report.rejected, report.evaluations)

    def evaluate(self, times: int) -> None:
        """The right-hand side at the state of t = 1 s, many times."""
        self.engine.repeat_derivative(END_TIME, self.end, times)


def end_points(state: np.ndarray, n: int) -> np.ndarray:
    """The rods' ends, N x 3 [m], of a state."""
    q = state[: 7 * n].reshape(n, 7)
    return q[:, :3] + 0.5 * rotation_matrices(q[:, 3:])[:, :, 0]
