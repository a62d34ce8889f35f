"""Constraints and forces of a program, by kernel: each kernel is called once for all its uses."""

from __future__ import annotations

from functools import cached_property

import casadi as ca
import numpy as np

from wheelwork.equations.cams.kernel import CamKernel
from wheelwork.equations.program import ConstraintUse, ForceUse, Program

from .batch import Batch, dense, group_by


class ConstraintGroup:
    """Constraints of one kernel; their rows follow each other from `first` on in the order of this engine."""

    def __init__(self, uses: list[tuple[int, ConstraintUse]], first: int):
        kernel = uses[0][1].kernel
        count, m = len(uses), kernel.rows
        self.members = [index for index, _ in uses]
        self.rows = slice(first, first + count * m)
        self.first_rows = [first + k * m for k in range(count)]
        self._a, self._b, self._input, self._turn, self._data = (
            np.array([getattr(use, name) for _, use in uses]) for name in ("a", "b", "input", "turn", "data")
        )

        def rows_only(_: int, value: ca.SX) -> ca.SX:
            return value[:m, :].T

        functions = {name: dense(getattr(kernel, name), rows_only) for name in ("full", "residual", "gamma")}
        self.follows = isinstance(kernel, CamKernel)
        if isinstance(kernel, CamKernel):
            functions["follow"] = dense(kernel.follow)
        self.batch = Batch(functions, count)
        self.inputs = self._input[:, None] + np.arange(kernel.inputs)
        self.turns = self._turn[:, None] + np.arange(kernel.turns)
        self._kernel = kernel
        self.bodies = np.stack([self._a, self._b], axis=1)

    @cached_property
    def _jacobian(self) -> Batch:
        m = self._kernel.rows
        function = dense(self._kernel.jacobian, lambda k, value: (value if k == 0 else value[:m, :]).T)
        return Batch({"jacobian": function}, self.batch.count)

    def jacobian(self, multipliers: np.ndarray, accelerations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Exact derivatives where `gather` was last called; see :class:`~wheelwork.equations.kernels.ConstraintKernel`.

        d(G^T lambda)/d(motion) as (constraint, body, V, body, V); d(G a - gamma)/d(motion, twist) as (row, 2, body, V).
        """
        batch, count, m = self._jacobian, self.batch.count, self._kernel.rows
        for own, given in zip(batch.arguments, self.batch.arguments, strict=False):
            own[:] = given
        batch.arguments[5][:, :m] = multipliers[self.rows].reshape(count, m)
        batch.arguments[6][:] = accelerations[self.bodies].reshape(count, -1)
        stiffness, bottom = batch("jacobian")
        V = self._kernel.space.V
        return stiffness.reshape(count, 2, V, 2, V), bottom.reshape(count * m, 2, 2, V)

    def set_data(self, data: np.ndarray) -> None:
        target = self.batch.arguments[2]
        target[:] = data[self._data[:, None] + np.arange(target.shape[1])]

    def gather(self, records: np.ndarray, inputs: np.ndarray, turns: np.ndarray) -> None:
        """Fill in frames, inputs, whole turns and followed parameters; index -1 is the last entry: ground, or zeros."""
        a, b, _, u, z = self.batch.arguments
        np.take(records, self._a, axis=0, out=a, mode="wrap")
        np.take(records, self._b, axis=0, out=b, mode="wrap")
        if u.size:
            u[:] = inputs[self.inputs].reshape(u.shape)
        np.take(turns, self.turns, out=z, mode="wrap")


class ForceGroup:
    """Forces of one kernel."""

    def __init__(self, uses: list[ForceUse]):
        kernel = uses[0].kernel
        count = len(uses)
        self.seen = np.array([use.bodies for use in uses]).reshape(count, -1)
        self.acting = self.seen[:, : kernel.acting]
        self._data = np.array([use.data for use in uses])
        self._turns = np.array([use.turns for use in uses], int).reshape(count, -1)
        self._kernel = kernel
        self.names = [use.name for use in uses]
        functions = {"wrench": kernel.wrench}
        if kernel.events:
            functions["event"] = kernel.event
        self.batch = Batch(functions, count)
        bodies = self.seen.shape[1]
        self._at = {name: bodies + k for k, name in enumerate(("data", "inputs", "turns", "time"))}
        slots = self.batch.arguments[self._at["inputs"]].shape[1] // 3
        self._inputs = np.array([use.input for use in uses])[:, None] + np.arange(slots)
        self.has_events = kernel.events > 0
        self.events = np.array([use.first_event for use in uses])[:, None] + np.arange(kernel.events)

    def set_data(self, data: np.ndarray) -> None:
        target = self.batch.arguments[self._at["data"]]
        target[:] = data[self._data[:, None] + np.arange(target.shape[1])]

    def gather(self, t: float, records: np.ndarray, inputs: np.ndarray, turns: np.ndarray) -> None:
        arguments = self.batch.arguments
        for k in range(self.seen.shape[1]):
            np.take(records, self.seen[:, k], axis=0, out=arguments[k], mode="wrap")
        if self._inputs.size:
            arguments[self._at["inputs"]][:] = inputs[self._inputs].reshape(len(self._inputs), -1)
        if self._turns.size:
            np.take(turns, self._turns, out=arguments[self._at["turns"]], mode="wrap")
        arguments[self._at["time"]][:] = t

    def not_finite(self) -> str:
        """The first force whose wrench is no number where `gather` was last called; empty if there is none."""
        wrenches = self.batch("wrench")[0].reshape(len(self.names), -1)
        bad = np.flatnonzero(~np.isfinite(wrenches).all(axis=1))
        return self.names[bad[0]] if len(bad) else ""

    @cached_property
    def _jacobian(self) -> Batch:
        return Batch({"jacobian": dense(self._kernel.jacobian, lambda _, value: value.T)}, self.batch.count)

    def jacobian(self) -> np.ndarray:
        """d wrench / d(motion, twist) where `gather` was last called: (force, body acted on, V, body seen, 2, V)."""
        for own, given in zip(self._jacobian.arguments, self.batch.arguments, strict=True):
            own[:] = given
        (result,) = self._jacobian("jacobian")
        V = self._kernel.space.V
        return result.reshape(self.batch.count, self.acting.shape[1], V, self.seen.shape[1], 2, V)


def constraint_groups(program: Program) -> list[ConstraintGroup]:
    groups, first = [], 0
    for uses in group_by(program.constraints, lambda use: use.kernel.key):
        groups.append(ConstraintGroup(uses, first))
        first = groups[-1].rows.stop
    return groups


def force_groups(program: Program) -> list[ForceGroup]:
    return [
        ForceGroup([use for _, use in uses]) for uses in group_by(program.forces, lambda use: use.kernel.key)
    ]


class TimeFunctions:
    """Functions of time: value, first and second derivative of each; one more row of zeros at the end."""

    def __init__(self, program: Program):
        self._tables = program.tables
        self._slots = program.formula_inputs
        self._formulas = None
        if program.formulas is not None:
            self._formulas = Batch({"formulas": program.formulas}, 1)
        self.values = np.zeros((program.inputs + 1, 3))
        self.origin = 0.0
        """The moment that is t = 0 here: late times keep their digits."""

    def set_data(self, data: np.ndarray) -> None:
        if self._formulas is not None:
            parameters = self._formulas.arguments[1]
            parameters[0] = data[: parameters.shape[1]]

    def evaluate(self, t: float) -> None:
        t += self.origin
        if self._formulas is not None:
            self._formulas.arguments[0][0] = t
            self.values[self._slots] = self._formulas("formulas")[0].reshape(-1, 3)
        for table in self._tables:
            piece = max(0, int(np.searchsorted(table.knots, t, side="right")) - 1)
            c0, c1, c2, c3 = table.pieces[piece]
            s = t - table.knots[piece]
            value = c0 + s * (c1 + s * (c2 + s * c3))
            self.values[table.input] = value, c1 + s * (2 * c2 + 3 * s * c3), 2 * c2 + 6 * s * c3
