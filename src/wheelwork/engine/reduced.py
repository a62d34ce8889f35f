"""The runtime's equations in minimal coordinates (``core/reduced.hpp``), from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

import numpy as np

from .native_system import Finished, NativeSystem, created
from .options import Progress, RunOptions
from .records import filled
from .threads import by_one_thread

TIGHTER = 0.1
"""Tolerances in minimal coordinates over those in absolute ones."""


class ReducedSystem:
    """A system in minimal coordinates; `tables` are those of :func:`wheelwork.analyses.reduction.reduce.tables`."""

    def __init__(self, system: NativeSystem, tables: Mapping[str, Any], rates: np.ndarray):
        self.system = system
        self.alone = system.alone  # both work on the same numbers
        self.rates = np.ascontiguousarray(rates, float)
        self._kept = {k: np.ascontiguousarray(v) for k, v in tables.items() if isinstance(v, np.ndarray)}
        values: dict[str, Any] = {k: v for k, v in tables.items() if isinstance(v, int)}
        values |= {k: v.ctypes.data for k, v in self._kept.items() if k != "gravity"}
        self.tables = filled("TreeTables", **values, gravity=(ctypes.c_double * 3)(*self._kept["gravity"]))
        self._code = tables.get("code")  # lives as long as its address is used
        self._core: ctypes.CDLL | None = None
        self._handle: int | None = None
        self._made_with: int | None = None

    def renew(self, direct_numbers: np.ndarray) -> None:
        """Other numbers of straight-line code."""
        with self.alone.use(sets_numbers=True):
            self._kept["direct_numbers"][:] = direct_numbers

    # -- single evaluations

    def _evaluator(self) -> tuple[ctypes.CDLL, int]:
        if self._made_with != self.system.handle:  # or another, since its constraints are in another order
            self._destroy()
            core = self.system.core
            self._handle = created(core.ww_reduced_create(self.system.handle, ctypes.addressof(self.tables)))
            self._core, self._made_with = core, self.system.handle
        assert self._core is not None
        assert self._handle is not None
        return self._core, self._handle

    def _destroy(self) -> None:
        if self._core is not None and self._handle is not None:
            self._core.ww_reduced_destroy(self._handle)
            self._handle = None

    __del__ = _destroy

    @property
    def size(self) -> int:
        core, handle = self._evaluator()
        return core.ww_reduced_size(handle)

    @by_one_thread
    def start(self, absolute: np.ndarray, rates: np.ndarray | None = None) -> np.ndarray:
        """The state at the position of the reduction, with given rates of the coordinates."""
        core, handle = self._evaluator()
        rates = self.rates if rates is None else np.ascontiguousarray(rates, float)
        absolute, y = np.ascontiguousarray(absolute, float), np.empty(self.size)
        core.ww_reduced_start(handle, absolute.ctypes.data, rates.ctypes.data, y.ctypes.data)
        return y

    @by_one_thread
    def derivative(self, t: float, y: np.ndarray, times: int = 1) -> np.ndarray:
        """Derivative of a state; `times` over, for measuring."""
        core, handle = self._evaluator()
        y = np.ascontiguousarray(y, float)
        dy = np.empty_like(y)
        core.ww_reduced_repeat(handle, t, y.ctypes.data, dy.ctypes.data, times)
        return dy

    @by_one_thread
    def equations(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """M and f of M u'' = f."""
        core, handle = self._evaluator()
        n = len(self.rates)
        y, M, f = np.ascontiguousarray(y, float), np.empty((n, n)), np.empty(n)
        core.ww_reduced_equations(handle, t, y.ctypes.data, M.ctypes.data, f.ctypes.data)
        return M, f

    @by_one_thread
    def absolute(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same state in absolute coordinates, accelerations of the bodies, multipliers."""
        core, handle = self._evaluator()
        tables = self.system.tables
        y = np.ascontiguousarray(y, float)
        state, a, multipliers = np.empty(tables.n), np.empty(tables.nv), np.empty(tables.rows)
        core.ww_reduced_absolute(
            handle, t, y.ctypes.data, state.ctypes.data, a.ctypes.data, multipliers.ctypes.data
        )
        return state, a, multipliers

    # -- integration

    def integrate(
        self, y: np.ndarray, grid: np.ndarray, options: RunOptions, progress: Progress | None = None
    ) -> Finished:
        """As `NativeSystem.integrate`, records and states in absolute coordinates.

        The error of a step is a mean over the entries of the state. Absolute coordinates have many that hardly move and
        weigh it down; with a tenth of the tolerances both formulations come out alike.
        """
        begun = self.start(y)  # makes the handle, alone
        done = self.system.integrate(begun, grid, options, progress, handle=self._handle, tolerances=TIGHTER)
        return done._replace(state=self.absolute_state(done.state))

    @by_one_thread
    def absolute_state(self, y: np.ndarray) -> np.ndarray:
        """The same state in absolute coordinates."""
        core, handle = self._evaluator()
        state = np.empty(self.system.tables.n)
        core.ww_reduced_absolute(handle, 0.0, y.ctypes.data, state.ctypes.data, None, None)
        return state
