"""The C++ runtime through ctypes: tables in, numbers out. Needs NumPy only."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .callbacks import RaisedInCallbacks
from .options import Progress, RunOptions
from .records import filled, record_fields, set_fields
from .tables import Tables
from .threads import OneThread, by_one_thread, in_threads

_INT = ctypes.c_int
_POINTER = ctypes.c_void_p
_PROGRESS = ctypes.CFUNCTYPE(_INT, ctypes.c_double, ctypes.c_longlong)
_KEEP = ctypes.CFUNCTYPE(None, *[_POINTER, ctypes.c_longlong] * 4)
UNIT_CALL = ctypes.CFUNCTYPE(None, _INT, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 4)
_EVENT = len(record_fields("EventRecord"))  # numbers


def status(code: int) -> int:
    """What a function of the runtime returned; raises where it failed (``core/guarded.hpp``)."""
    if code == -1:
        raise MemoryError(
            "there is not enough memory: ask for less `output`, leave out `store_steps`, or run shorter pieces"
        )
    if code < 0:
        raise RuntimeError(
            "internal error of the runtime; this is a fault of Wheelwork, please report the model"
        )
    return code


def created(handle: int | None) -> int:
    """The address of an object that the runtime made."""
    if not handle:
        raise MemoryError("there is not enough memory for a mechanism of this size")
    return handle


_KINDS = {"p": _POINTER, "d": ctypes.c_double, "i": _INT, "n": ctypes.c_longlong, "s": status, "-": None}
_METHODS = ("dopri5", "dop853", "rk4", "sdirk4", "reduced_sdirk4")
_SIGNATURES = {
    "create": "p p",
    "destroy": "- p",
    "record_size": "n p",
    "stabilise": "- pipi",
    "derivative": "s pdpppp",
    "repeat_derivative": "s pdppi",
    "constraints": "s pdppppp",
    "set_origin": "- pd",
    "waiting": "s pp",
    "project": "s pdpdi",
    "survey": "s pipp",
    "reactions": "s pipppp",
    "follow": "s ppipdddppppp",
    "evaluate": "s piippipp",
    **dict.fromkeys((f"integrate_{method}" for method in _METHODS), "s ppppippp"),
    **dict.fromkeys((f"finished_{part}" for part in ("size", "sides", "events", "carried")), "n p"),
    "finished_copy": "- ppppp",
    "finished_free": "- p",
    "reduced_create": "p pp",
    "reduced_destroy": "- p",
    "reduced_size": "i p",
    "reduced_start": "s pppp",
    "reduced_repeat": "s pdppi",
    "reduced_absolute": "s pdpppp",
    "reduced_equations": "s pdppp",
}
"""Of the runtime's functions (``core/core.cpp``): what each returns (`s`: a `status`), and its arguments."""


def declared(core: ctypes.CDLL) -> ctypes.CDLL:
    """The runtime, whose functions know what they take."""
    if core.ww_create.restype is not _POINTER:
        for name, (result, _, *arguments) in _SIGNATURES.items():
            function = getattr(core, f"ww_{name}")
            function.restype, function.argtypes = _KINDS[result], [_KINDS[kind] for kind in arguments]
    return core


_AS_THEY_ARE = (
    *("projection_tolerance", "event_tolerance", "smallest_step", "largest_step", "max_steps"),
    *("store_steps", "states_only", "refresh"),
)
"""Options that the runtime takes under the same names."""
HAND_OVER = {"nothing": 0, "as if longer": 1, "the end": 2}
STABILISATIONS = {"none": 0, "projection": 1, "baumgarte": 2, "augmented_lagrangian": 3}


def stabilisation_numbers(values: Sequence[float]) -> dict[str, float]:
    """By the names that the runtime has for them; fewer or more than these are an error."""
    return dict(zip(record_fields("StabilisationNumbers"), values, strict=True))


def _later(rows: bytes, width: int, origin: float) -> bytes:
    """Rows of numbers with their first, a time, counted from t = 0."""
    numbers = np.frombuffer(rows).reshape(-1, width).copy()
    numbers[:, 0] += origin
    return numbers.tobytes()


class Finished(NamedTuple):
    """What the runtime leaves of an integration; times are counted from t = 0."""

    records: np.ndarray
    sides: np.ndarray
    """Records of both sides of events at which modes change or speeds jump, in pairs."""
    events: np.ndarray
    state: np.ndarray
    report: Any
    carried: bytes
    """What another run needs to go on."""


class NativeSystem:
    """One set of tables in the runtime.

    `core` is the runtime, `addresses(names)` an array with the addresses of emitted functions (0 for an empty name).
    """

    def __init__(self, tables: Tables, core: ctypes.CDLL, addresses: Callable[[Sequence[str]], np.ndarray]):
        self.tables = tables
        self.core = declared(core)
        self._kept: list[np.ndarray] = []
        self._units: tuple[np.ndarray, Any] | None = None
        self.alone = OneThread()
        bodies = max(1, tables.sizes["bodies"])
        self._data = np.zeros(max(1, tables.sizes["data_size"]))
        self._inertia, self._gravity = np.zeros((bodies, 13)), np.zeros((bodies, 3))
        fields: dict[str, Any] = dict(tables.addresses)
        self._kept += tables.arrays.values()
        for name, functions in tables.kernels.items():
            fields[name] = self._keep(addresses(functions)) if functions else 0
        self._program = filled(
            "Program",
            inertia=self._inertia.ctypes.data,
            gravity=self._gravity.ctypes.data,
            data=self._data.ctypes.data,
            **tables.sizes,
            **fields,
        )
        self._implicit = None
        if tables.implicit is not None:
            self._implicit = self._implicit_tables(tables.implicit)
        self._system = created(core.ww_create(ctypes.byref(self._program)))

    def __del__(self) -> None:
        if getattr(self, "_system", None):
            self.core.ww_destroy(self._system)
            self._system = None

    def _keep(self, array: np.ndarray) -> int:
        """Address of an array that lives as long as the system."""
        array = np.ascontiguousarray(array)
        self._kept.append(array)
        return array.ctypes.data

    def _implicit_tables(self, tables: dict[str, np.ndarray]) -> ctypes.Structure:
        fields = {name: self._keep(table) for name, table in tables.items()}
        return filled("ImplicitTables", nodes=len(tables["order"]), **fields)

    def set_units(self, units: Sequence[tuple[int, int, int, int]], call: Callable[..., None]) -> None:
        """Units of other programs that are called where forces are evaluated (``core/forces.hpp``).

        units: number of the force, then how many states, outputs and inputs it has
        call: with the unit's number, time, and addresses of states, inputs, rates and outputs
        """
        with self.alone.use():
            self._units = np.array(units, np.int32).reshape(-1, 4), UNIT_CALL(call)
            self._hand_over_units()

    def _hand_over_units(self) -> None:
        assert self._units is not None
        rows, call = self._units
        self.core.ww_set_units.argtypes = [_POINTER, _POINTER, _INT, UNIT_CALL]
        status(self.core.ww_set_units(self._system, rows.ctypes.data, len(rows), call))

    def set_numbers(
        self, data: np.ndarray, mass: np.ndarray, inertia: np.ndarray, gravity: np.ndarray
    ) -> None:
        """Numbers of the elements, masses (n), inertia tensors (n, 3, 3) and gravity (n, 3) of the bodies."""
        count = self.tables.sizes["bodies"]
        with self.alone.use(sets_numbers=True):
            self._data[: len(data)] = data
            self._inertia[:count, 0] = mass
            for offset, tensors in ((1, inertia), (7, np.linalg.inv(inertia))):
                self._inertia[:count, offset : offset + 6] = tensors[
                    :, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
                ]
            self._gravity[:count] = gravity

    # -- evaluation

    @by_one_thread
    def derivative(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivative of the state, accelerations, multipliers."""
        y = np.ascontiguousarray(y, float)
        dy, a, multipliers = np.empty(self.tables.n), np.empty(self.tables.nv), np.empty(self.tables.rows)
        self.core.ww_derivative(
            self._system, t, y.ctypes.data, dy.ctypes.data, a.ctypes.data, multipliers.ctypes.data
        )
        return dy, a, multipliers

    @by_one_thread
    def survey(self, t: np.ndarray, states: np.ndarray) -> None:
        """Look at some states of a motion, the first at its start, for what `reactions` has to know of all of it."""
        t, states = np.ascontiguousarray(t, float), np.ascontiguousarray(states, float)
        self.core.ww_survey(self._system, len(t), t.ctypes.data, states.ctypes.data)

    @by_one_thread
    def reactions(self, t: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations and multipliers at states (N, n) of the motion that was surveyed, in threads.

        For models in which nothing switches: dry friction and contacts have a history that a state does not tell.
        """
        t, states = np.ascontiguousarray(t, float), np.ascontiguousarray(states, float)
        a, multipliers = np.empty((len(t), self.tables.nv)), np.empty((len(t), self.tables.rows))

        def part(first: int, last: int) -> None:
            places = [array[first:last].ctypes.data for array in (t, states, a, multipliers)]
            self.core.ww_reactions(self._system, last - first, *places)

        in_threads(part, len(t))
        return a, multipliers

    @by_one_thread
    def repeat_derivative(self, t: float, y: np.ndarray, times: int) -> None:
        """The derivative again and again, for measuring."""
        y, dy = np.ascontiguousarray(y, float), np.empty(self.tables.n)
        self.core.ww_repeat_derivative(self._system, t, y.ctypes.data, dy.ctypes.data, times)

    @by_one_thread
    def constraints(self, t: float, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """g, Jacobian rows (rows, V columns for as many bodies as any constraint touches), gamma, nu."""
        y, rows = np.ascontiguousarray(y, float), self.tables.rows
        g, gamma, nu = (np.empty(rows) for _ in range(3))
        G = np.zeros((rows, self.tables.sides * self.tables.V))
        self.core.ww_constraints(
            self._system, t, y.ctypes.data, g.ctypes.data, G.ctypes.data, gamma.ctypes.data, nu.ctypes.data
        )
        return g, G, gamma, nu

    @by_one_thread
    def project(self, t: float, y: np.ndarray, tolerance: float, iterations: int) -> tuple[np.ndarray, bool]:
        """The nearest state on the constraints; whether it was found."""
        moved = np.array(y, float)
        done = self.core.ww_project(self._system, t, moved.ctypes.data, tolerance, iterations)
        if self.tables.sizes["hubs"] and self._order_anew():
            moved = np.array(y, float)
            done = self.core.ww_project(self._system, t, moved.ctypes.data, tolerance, iterations)
        return moved, bool(done)

    def _order_anew(self) -> bool:
        """Constraints whose pivots turned out to need a hub's mass (struts with balls at both ends) go after it."""
        waits = np.zeros(self.tables.sizes["constraints"], np.int8)
        if not self.core.ww_waiting(self._system, waits.ctypes.data):
            return False
        self.tables = self.tables.ordered(np.flatnonzero(waits).tolist())
        set_fields(self._program, self.tables.sizes | self.tables.addresses)
        if self.tables.implicit is not None:
            self._implicit = self._implicit_tables(self.tables.implicit)
        self.core.ww_destroy(self._system)
        self._system = None
        self._system = created(self.core.ww_create(ctypes.byref(self._program)))
        if self._units is not None:
            self._hand_over_units()
        return True

    @by_one_thread
    def follow(
        self,
        times: np.ndarray,
        y: np.ndarray,
        tolerance: float,
        finest: tuple[float, float],
        spans: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, int]:
        """A driven motion through given times: records, soundness at each, the last state, its time, Newton rounds.

        finest: tooth of the wheels [rad] and of the racks [m]; spans: of the outline of each followed parameter
        """
        y, times = np.array(y, float), np.ascontiguousarray(times, float)
        records = np.empty((len(times), self.core.ww_record_size(self._system)))
        soundness, reached, rounds = np.empty(len(times)), ctypes.c_double(), ctypes.c_longlong()
        done = self.core.ww_follow(
            self._system,
            times.ctypes.data,
            len(times),
            y.ctypes.data,
            tolerance,
            *finest,
            spans.ctypes.data,
            records.ctypes.data,
            soundness.ctypes.data,
            ctypes.addressof(reached),
            ctypes.addressof(rounds),
        )
        return records[:done], soundness[:done], y, reached.value, rounds.value

    def _stabilise(self, name: str, values: tuple[float, ...], iterations: int) -> None:
        numbers = filled("StabilisationNumbers", **stabilisation_numbers(values))
        self.core.ww_stabilise(self._system, STABILISATIONS[name], ctypes.byref(numbers), iterations)

    @property
    def handle(self) -> int:
        """The system in the runtime, for its other libraries."""
        assert self._system is not None
        return self._system

    @by_one_thread
    def integrate(
        self,
        y: np.ndarray,
        grid: np.ndarray,
        options: RunOptions,
        progress: Progress | None = None,
        handle: int | None = None,
        tolerances: float = 1.0,
    ) -> Finished:
        """Integrate from a state.

        Inside, time is counted from the start of the run, or from that of the run which it goes on with.

        handle: another system of the runtime with the same program, such as the one in minimal coordinates
        tolerances: of a step, over those of the options
        """
        method = options.method
        if method == "sdirk4" and handle is not None:
            method = "reduced_sdirk4"
        elif method == "sdirk4" and self._implicit is None:
            raise ValueError("made without derivatives: `sdirk4` needs an engine made with implicit=True")
        origin = options.start if options.origin is None else options.origin
        used = self._system if handle is None else handle
        y, grid = np.array(y, float), np.ascontiguousarray(grid, float) - origin
        corners = np.array(options.corners, float) - origin
        keep, held = options.keep, np.array(options.held or np.zeros(0), float)
        width = 1 + self.tables.n if options.states_only else self.core.ww_record_size(self._system)

        def ask(t: float, steps: int) -> int:
            stop = bool(progress and progress(origin + t, steps))
            return int(stop) | (2 if keep is not None and keep.due(stop) else 0)

        def hand_over(*told: int) -> None:
            assert keep is not None
            sizes = (8, 8, 8 * _EVENT, 1)
            spans = [(at, size * count) for at, count, size in zip(told[::2], told[1::2], sizes, strict=True)]
            records, sides, events, rest = (ctypes.string_at(at, span) if span else b"" for at, span in spans)
            outputs, beside = _later(records, width, origin), _later(sides, width, origin)
            keep.add(outputs, beside, _later(events, _EVENT, origin), rest)

        raised = RaisedInCallbacks()
        called = (
            _PROGRESS(raised.caught(ask, 1)),
            _KEEP(raised.caught(hand_over, None)),
        )  # to live as long as the run
        native = filled(
            "Options",
            start=options.start - origin,
            end=options.end - origin,
            until=options.until - origin,
            hand_over=HAND_OVER[options.hand_over],
            held=held.ctypes.data if len(held) else None,
            step=options.step or 0.0,
            rtol=tolerances * options.rtol,
            atol=tolerances * options.atol,
            stop_at_skip=int(options.skipping == "stop"),
            **{name: getattr(options, name) for name in _AS_THEY_ARE},
            progress=ctypes.cast(called[0], _POINTER),
            corners=corners.ctypes.data,
            corner_count=len(corners),
            keep=ctypes.cast(called[1], _POINTER),
            carried=ctypes.cast(ctypes.c_char_p(options.carried or None), _POINTER),
            carried_bytes=len(options.carried),
        )
        report, finished = filled("Report"), _POINTER()
        self._stabilise(options.stabilisation, options.stabilisation_values, options.stabilisation_iterations)
        self.core.ww_set_origin(used, origin)
        try:
            with raised:
                getattr(self.core, f"ww_integrate_{method}")(
                    used,
                    ctypes.byref(native),
                    None if self._implicit is None else ctypes.byref(self._implicit),
                    grid.ctypes.data,
                    len(grid),
                    y.ctypes.data,
                    ctypes.byref(report),
                    ctypes.byref(finished),
                )
        finally:
            self.core.ww_set_origin(used, 0.0)
            self._stabilise("projection", (0.0,) * 6, 0)
        try:
            raised.again()
            records, sides = (
                np.empty((size(finished) // width, width))
                for size in (self.core.ww_finished_size, self.core.ww_finished_sides)
            )
            events = np.empty((self.core.ww_finished_events(finished), _EVENT))
            carried = np.empty(self.core.ww_finished_carried(finished), np.uint8)
            places = (array.ctypes.data for array in (records, sides, events, carried))
            self.core.ww_finished_copy(finished, *places)
        finally:
            self.core.ww_finished_free(finished)
        for rows in (records, sides, events):
            rows[:, 0] += origin
        report.t += origin
        report.furthest += origin
        return Finished(records, sides, events, y, report, carried.tobytes())
