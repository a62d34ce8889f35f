"""Many variants of one model on this machine: lanes of vectors, in threads.

A call of :mod:`.lane_code` runs some dozens of variants without returning to Python, and lets other threads work
meanwhile. Between calls progress is reported, and a run can be stopped: what is done by then stays.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .cache import processor_flags
from .code import from_text
from .lane_code import lane_text
from .lane_program import ROWS, SETTINGS, LaneProgram
from .machine_code import Code, host
from .outcome import Outcome
from .threads import cores, shared_out

CALLS = 24
"""For each thread, into which the variants are divided at least."""


def widest() -> int:
    """Doubles in a vector of this processor."""
    features = set(processor_flags().split()) or {
        one.lstrip("+") for one in host()[1].split(",") if one[0] != "-"
    }
    return 8 if "avx512f" in features else 4 if "avx" in features else 2


@dataclass(frozen=True)
class LaneResults:
    """Of all variants; a row for each number, a column for each variant."""

    outcome: np.ndarray
    """As :class:`.outcome.Outcome` counts; `INTERRUPTED` where a variant was not run."""
    time: np.ndarray
    """When it ended, s."""
    steps: np.ndarray
    rejected: np.ndarray
    skips: np.ndarray
    """Teeth that skipped."""
    state: np.ndarray
    """At that time, in minimal coordinates (states, variants)."""
    measured: np.ndarray
    """Accumulators (measures, variants)."""

    @classmethod
    def of(cls, program: LaneProgram, out: np.ndarray) -> LaneResults:
        first = len(ROWS)
        steps, rejected, skips = (out[k].astype(int) for k in (2, 3, 4))
        state, measured = out[first : first + program.states], out[first + program.states :]
        return cls(out[0].astype(int), out[1], steps, rejected, skips, state, measured)


def empty_results(program: LaneProgram, count: int) -> np.ndarray:
    """Where results go: every variant is one that was not run, yet."""
    out = np.full((program.rows, count), np.nan)
    out[0], out[2:5] = Outcome.INTERRUPTED, 0.0
    return out


Progress = Callable[[int, int], bool]
"""Called now and then with how many variants are done and how many of them failed; True: stop."""


class VariantCode(ABC):
    """Code of a program that runs variants of it, here or on a device."""

    def __init__(self, program: LaneProgram, method: str):
        self.program, self.method = program, method

    def run(
        self,
        numbers: np.ndarray,
        starts: np.ndarray,
        settings: Mapping[str, float],
        corners: np.ndarray | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> LaneResults:
        """Run all variants.

        numbers: (numbers, variants); starts: (states, variants); settings: see `SETTINGS`
        corners: (count, variants), in order, the last row infinite
        threads: of this machine, as many as it has cores where it is None
        """
        count = starts.shape[1]
        corners = np.full((1, count), np.inf) if corners is None else corners
        given = [np.ascontiguousarray(array, float) for array in (numbers, starts, corners)]
        out = empty_results(self.program, count)
        values = np.array([float(settings[name]) for name in SETTINGS])
        self._fill([*given, out, values], threads, progress)
        return LaneResults.of(self.program, out)

    @cached_property
    def code(self) -> Any:
        """Made when it is first asked for."""
        return self._made()

    @abstractmethod
    def _made(self) -> Any:
        """Compiled, and loaded where it runs."""

    @abstractmethod
    def _fill(self, arrays: list[np.ndarray], threads: int | None, progress: Progress | None) -> None:
        """Results into the fourth of numbers, starts, corners, results, settings."""


class Lanes(VariantCode):
    """Code for the vectors of this processor.

    method: `rk4` or `dopri5`; lanes: doubles in a vector, as many as this processor has
    """

    def __init__(self, program: LaneProgram, method: str, lanes: int | None = None):
        super().__init__(program, method)
        self.lanes = lanes or widest()

    def _made(self) -> Code:
        return from_text(lane_text(self.program, self.method, self.lanes), as_written=True)

    def _fill(self, arrays: list[np.ndarray], threads: int | None, progress: Progress | None) -> None:
        out, count = arrays[3], arrays[1].shape[1]
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        run = ctypes.CFUNCTYPE(None, *[pointer] * 5, *[whole] * 4)(self.code.address("run"))
        places = [array.ctypes.data for array in arrays]
        threads = max(1, min(threads or cores(), -(-count // self.lanes)))
        size = max(self.lanes, min(-(-count // (CALLS * threads)), 4096) // self.lanes * self.lanes)

        def work(first: int, last: int, _: Callable[[], bool]) -> tuple[int, int]:
            run(*places, count, first, last, 1)
            return last - first, int(np.count_nonzero(out[0, first:last] != Outcome.REACHED_END))

        shared_out(work, count, size, threads, progress)
