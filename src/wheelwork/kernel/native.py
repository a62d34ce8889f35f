"""The compiled engine: hands a program's tables to the C++ runtime and calls it through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import casadi as ca
import numpy as np

from wheelwork.equations.program import Numbers, Program

from .engine import Engine, Integration, RunOptions
from .libraries import compile_all, load_runtime, runtime_path
from .outcome import Outcome, Report
from .plan import implicit_plan, plan

_INT = ctypes.c_int
_POINTER = ctypes.c_void_p
_PROGRESS = ctypes.CFUNCTYPE(_INT, ctypes.c_double, ctypes.c_longlong)


class _Program(ctypes.Structure):
    """Mirror of `Program` in ``runtime/program.hpp``."""

    _fields_ = (
        *[(name, _INT) for name in (
            "bodies", "constraints", "forces", "turns", "inputs", "tables", "frictions", "contacts", "events", "data_size",
        )],
        *[(name, _POINTER) for name in (
            "inertia", "gravity", "data",
            "constraint", "full", "residual", "gamma", "constraint_jacobian",
            "force", "force_body", "force_turn", "force_acting", "wrench", "event", "force_jacobian",
            "turn", "formulas",
        )],
        ("formula_count", _INT),
        ("formula_data", _INT),
        *[(name, _POINTER) for name in (
            "formula_input", "table", "knots", "pieces", "friction", "load", "contact", "event_kind",
            "order", "below_start", "below_node", "update_start", "update",
        )],
        ("couplings", _INT),
        ("coupling", _POINTER),
    )  # fmt: skip


class _ImplicitTables(ctypes.Structure):
    """Mirror of `ImplicitTables` in ``runtime/sdirk4.hpp``."""

    _fields_ = tuple(
        (name, _POINTER)
        for name in (
            "order", "below_start", "below_node", "update_start", "update", "force_pair", "constraint_pair",
        )
    )  # fmt: skip


class _Options(ctypes.Structure):
    """Mirror of `Options` in ``runtime/run.hpp``."""

    _fields_ = (
        *[(name, ctypes.c_double) for name in (
            "start", "end", "step", "rtol", "atol", "projection_tolerance", "event_tolerance", "smallest_step", "largest_step",
        )],
        ("max_steps", ctypes.c_longlong),
        ("store_steps", _INT),
        ("progress", _PROGRESS),
    )  # fmt: skip


class _Report(ctypes.Structure):
    """Mirror of `Report` in ``runtime/run.hpp``."""

    _fields_ = (
        ("outcome", _INT),
        ("worst_constraint", _INT),
        *[(name, ctypes.c_double) for name in ("t", "worst_residual", "last_step")],
        *[(name, ctypes.c_longlong) for name in (
            "steps", "rejected", "evaluations", "factorisations", "newton_iterations",
        )],
    )  # fmt: skip


_STABILISATIONS = {"none": 0, "projection": 1, "baumgarte": 2, "augmented_lagrangian": 3}


def kernel_groups(program: Program, implicit: bool) -> list[list[ca.Function]]:
    """The functions of a program, one group for each element type."""
    groups: dict[str, list[ca.Function]] = {}
    for use in program.constraints:
        kernel = use.kernel
        if kernel.key not in groups:
            groups[kernel.key] = [kernel.full, kernel.residual, kernel.gamma]
            if implicit:
                groups[kernel.key + ":jacobian"] = [kernel.jacobian]
    for use in program.forces:
        kernel = use.kernel
        if kernel.key not in groups:
            groups[kernel.key] = [kernel.wrench, *([kernel.event] if kernel.events else [])]
            if implicit:
                groups[kernel.key + ":jacobian"] = [kernel.jacobian]
    for friction in program.frictions:
        groups[friction.load.name()] = [friction.load]
    if program.formulas is not None:
        groups["formulas"] = [program.formulas]
    return list(groups.values())


class NativeEngine(Engine):
    """A program in machine code."""

    name = "native"

    def __init__(self, program: Program, numbers: Numbers, implicit: bool = False, methods: Sequence[str] = ()):
        """`implicit`: with derivatives for `sdirk4`; `methods`: integration methods to compile now, beside the rest."""
        super().__init__(program, numbers)
        runtimes, kernels = compile_all(kernel_groups(program, implicit), ["core", *methods])
        self._library = runtimes["core"]
        self._declare()
        self._kernels = kernels
        self._kept: list[Any] = []
        self._tables = self._fill(program, implicit)
        self._implicit = self._fill_implicit(program) if implicit else None
        self._system = self._library.ww_create(ctypes.byref(self._tables))
        self.set_numbers(numbers)

    def __del__(self) -> None:
        if getattr(self, "_system", None):
            self._library.ww_destroy(self._system)
            self._system = None

    # -- tables

    def _declare(self) -> None:
        double = ctypes.c_double
        library = self._library
        library.ww_create.restype = _POINTER
        library.ww_create.argtypes = [_POINTER]
        library.ww_destroy.argtypes = [_POINTER]
        library.ww_record_size.restype = ctypes.c_longlong
        library.ww_record_size.argtypes = [_POINTER]
        library.ww_stabilise.argtypes = [_POINTER, _INT, _POINTER, _INT]
        library.ww_derivative.argtypes = [_POINTER, double, _POINTER, _POINTER, _POINTER, _POINTER]
        library.ww_repeat_derivative.argtypes = [_POINTER, double, _POINTER, _POINTER, _INT]
        library.ww_constraints.argtypes = [_POINTER, double, *[_POINTER] * 5]
        library.ww_project.argtypes = [_POINTER, double, _POINTER, double, _INT]
        for name in ("ww_finished_size", "ww_finished_events"):
            getattr(library, name).restype = ctypes.c_longlong
            getattr(library, name).argtypes = [_POINTER]
        library.ww_finished_copy.argtypes = [_POINTER, _POINTER, _POINTER]
        library.ww_finished_free.argtypes = [_POINTER]

    def _array(self, values: Any, dtype: Any) -> int:
        """Address of a table that lives as long as the engine."""
        array = np.ascontiguousarray(values, dtype=dtype)
        self._kept.append(array)
        return array.ctypes.data

    def _ints(self, values: Any) -> int:
        return self._array(values, np.int32)

    def _addresses(self, functions: Sequence[ca.Function | None]) -> int:
        found = [0 if f is None else self._kernels.address(f) for f in functions]
        return self._array(found, np.uintp)

    def _fill(self, program: Program, implicit: bool) -> _Program:
        constraints, forces = program.constraints, program.forces
        order = plan([(use.a, use.b) for use in constraints], [use.rows for use in constraints])
        self._data = np.zeros(max(1, program.data_size))
        self._inertia = np.zeros((max(1, len(program.bodies)), 13))
        self._gravity = np.zeros((max(1, len(program.bodies)), 3))
        force_bodies: list[int] = []
        force_turns: list[int] = []
        force_table = []
        for use in forces:
            force_table.append(
                (
                    len(use.bodies),
                    len(force_bodies),
                    use.data,
                    use.input,
                    len(use.turns),
                    len(force_turns),
                    use.first_event,
                    use.kernel.events,
                )
            )
            force_bodies += use.bodies
            force_turns += use.turns
        starts = np.cumsum([0, *(len(table.knots) for table in program.tables)])
        return _Program(
            bodies=len(program.bodies),
            constraints=len(constraints),
            forces=len(forces),
            turns=len(program.turns),
            inputs=program.inputs,
            tables=len(program.tables),
            frictions=len(program.frictions),
            contacts=len(program.contacts),
            events=program.events,
            data_size=program.data_size,
            inertia=self._inertia.ctypes.data,
            gravity=self._gravity.ctypes.data,
            data=self._data.ctypes.data,
            constraint=self._ints(
                [
                    (use.a, use.b, use.data, use.input, use.turn, use.rows, int(use.kind), use.first_row)
                    for use in constraints
                ]
            ),
            full=self._addresses([use.kernel.full for use in constraints]),
            residual=self._addresses([use.kernel.residual for use in constraints]),
            gamma=self._addresses([use.kernel.gamma for use in constraints]),
            constraint_jacobian=self._addresses([use.kernel.jacobian for use in constraints]) if implicit else 0,
            force=self._ints(force_table),
            force_body=self._ints(force_bodies),
            force_turn=self._ints(force_turns),
            force_acting=self._ints([use.kernel.acting for use in forces]),
            wrench=self._addresses([use.kernel.wrench for use in forces]),
            event=self._addresses([use.kernel.event if use.kernel.events else None for use in forces]),
            force_jacobian=self._addresses([use.kernel.jacobian for use in forces]) if implicit else 0,
            turn=self._ints([(use.a, use.b, use.data) for use in program.turns]),
            formulas=0 if program.formulas is None else self._kernels.address(program.formulas),
            formula_count=len(program.formula_inputs),
            formula_data=0,
            formula_input=self._ints(program.formula_inputs),
            table=self._ints([(t.input, starts[k], len(t.knots)) for k, t in enumerate(program.tables)]),
            knots=self._array(np.concatenate([[], *(t.knots for t in program.tables)]), float),
            pieces=self._array(np.concatenate([np.zeros((0, 4)), *(t.pieces for t in program.tables)]), float),
            friction=self._ints([(f.joint, f.row, f.data, f.load_data) for f in program.frictions]),
            load=self._addresses([f.load for f in program.frictions]),
            contact=self._ints([(c.constraint, c.data) for c in program.contacts]),
            event_kind=self._ints([(0, 0)] * program.events),
            order=self._ints(order.order),
            below_start=self._ints(order.below_start),
            below_node=self._ints(order.below_node),
            update_start=self._ints(order.update_start),
            update=self._ints(order.update),
            couplings=len(order.coupling),
            coupling=self._ints(order.coupling),
        )

    def _fill_implicit(self, program: Program) -> _ImplicitTables:
        made = implicit_plan(
            len(program.bodies),
            [(use.a, use.b) for use in program.constraints],
            [(use.bodies, use.kernel.acting) for use in program.forces],
        )
        e = made.elimination
        return _ImplicitTables(
            order=self._ints(e.order),
            below_start=self._ints(e.below_start),
            below_node=self._ints(e.below_node),
            update_start=self._ints(e.update_start),
            update=self._ints(e.update),
            force_pair=self._ints(made.force_pair),
            constraint_pair=self._ints(made.constraint_pair),
        )

    def set_numbers(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self._data[: len(numbers.data)] = numbers.data
        for k in range(len(self.program.bodies)):
            tensor, inverse = numbers.inertia[k], np.linalg.inv(numbers.inertia[k])
            self._inertia[k, 0] = numbers.mass[k]
            for offset, J in ((1, tensor), (7, inverse)):
                self._inertia[k, offset : offset + 6] = J[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            self._gravity[k] = numbers.gravity[k]

    # -- evaluation

    def derivative(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        y = np.ascontiguousarray(y, float)
        dy, a, multipliers = np.empty(self.program.n), np.empty(self.program.nv), np.empty(self.program.rows)
        self._library.ww_derivative(
            self._system, t, y.ctypes.data, dy.ctypes.data, a.ctypes.data, multipliers.ctypes.data
        )
        return dy, a, multipliers

    def repeat_derivative(self, t: float, y: np.ndarray, times: int) -> None:
        """The derivative again and again, for measuring."""
        y, dy = np.ascontiguousarray(y, float), np.empty(self.program.n)
        self._library.ww_repeat_derivative(self._system, t, y.ctypes.data, dy.ctypes.data, times)

    def constraints(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        y, rows = np.ascontiguousarray(y, float), self.program.rows
        g, G, gamma, nu = np.empty(rows), np.empty((rows, 12)), np.empty(rows), np.empty(rows)
        self._library.ww_constraints(
            self._system, t, y.ctypes.data, g.ctypes.data, G.ctypes.data, gamma.ctypes.data, nu.ctypes.data
        )
        return g, G, gamma, nu

    def project(self, t: float, y: np.ndarray, tolerance: float, iterations: int) -> tuple[np.ndarray, bool]:
        y = np.array(y, float)
        done = self._library.ww_project(self._system, t, y.ctypes.data, tolerance, iterations)
        return y, bool(done)

    def integrate(
        self,
        y: np.ndarray,
        grid: np.ndarray,
        options: RunOptions,
        progress: Callable[[float, int], bool] | None = None,
    ) -> Integration:
        if options.method == "sdirk4" and self._implicit is None:
            raise ValueError("the engine was made without derivatives: make it with implicit=True for `sdirk4`")
        y, grid = np.array(y, float), np.ascontiguousarray(grid, float)
        settings = np.array(options.stabilisation_values, float)
        self._library.ww_stabilise(
            self._system,
            _STABILISATIONS[options.stabilisation],
            settings.ctypes.data,
            options.stabilisation_iterations,
        )
        callback = _PROGRESS(lambda t, steps: int(bool(progress and progress(t, steps))))
        native = _Options(
            start=options.start,
            end=options.end,
            step=options.step or 0.0,
            rtol=options.rtol,
            atol=options.atol,
            projection_tolerance=options.projection_tolerance,
            event_tolerance=options.event_tolerance,
            smallest_step=options.smallest_step,
            largest_step=options.largest_step,
            max_steps=options.max_steps,
            store_steps=int(options.store_steps),
            progress=callback,
        )
        report = _Report()
        integrate = load_runtime(runtime_path(options.method)).ww_integrate
        integrate.restype = _POINTER
        integrate.argtypes = [_POINTER, _POINTER, _POINTER, _POINTER, _INT, _POINTER, _POINTER]
        finished = integrate(
            self._system,
            ctypes.byref(native),
            None if self._implicit is None else ctypes.byref(self._implicit),
            grid.ctypes.data,
            len(grid),
            y.ctypes.data,
            ctypes.byref(report),
        )
        try:
            size = self._library.ww_record_size(self._system)
            records = np.empty((self._library.ww_finished_size(finished) // size, size))
            events = np.empty((self._library.ww_finished_events(finished), 4))
            self._library.ww_finished_copy(finished, records.ctypes.data, events.ctypes.data)
        finally:
            self._library.ww_finished_free(finished)
        worst = report.worst_constraint
        return Integration.from_records(
            self.program,
            records,
            events,
            y,
            Report(
                outcome=Outcome(report.outcome),
                t=report.t,
                worst_element=self.program.constraints[worst].label if worst >= 0 else "",
                worst_residual=report.worst_residual,
                last_step=report.last_step,
                steps=report.steps,
                rejected=report.rejected,
                evaluations=report.evaluations,
                factorisations=report.factorisations,
                newton_iterations=report.newton_iterations,
            ),
        )
