"""Inputs of forces and drivers: constants, functions of time, formulas over the state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.equations.forces import Arguments, Binding
from wheelwork.equations.values import KNOWN, SYMBOLIC
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass, interpolate

from .corners import bends, switches
from .force_kernels import InputPlan, Symbols
from .formula_signals import SignalReader, block_of, force_of, reader_of
from .program import Program
from .uses import ComputedData, TableUse

if TYPE_CHECKING:
    from .build import _Builder


MEASURED = -1_000_000_000
"""Place of the first signal that is found together with the accelerations, until it is known where the states end."""


@dataclass
class Bound:
    """A binding with its inputs sorted out: what a kernel and its use are made of."""

    bodies: list[str]
    data: list[ca.SX]
    turns: list[int]
    plans: list[InputPlan] = field(default_factory=list)
    time_inputs: int = 0
    first_input: int = 0
    key: str = ""
    own_states: tuple[int, int] = (0, 0)
    """Where the states of its own begin among `turns`, and how many they are."""
    measured: list[tuple[int, str, tuple[str, ...]]] = field(default_factory=list)
    """Signals that are found together with the accelerations: which of `turns` each is, its name, and the way to it."""
    computed: list[ComputedData] = field(default_factory=list)
    """Which of the data are computed again for other parameters, counted from the first."""

    def append(self, *columns: ca.SX) -> int:
        """Numbers added to the data; returns where they start."""
        offset = sum(ca.SX(part).numel() for part in self.data)
        self.data += columns
        return offset

    def see(self, body: str) -> int:
        """Index of a body, which is looked at from now on."""
        if body not in self.bodies:
            self.bodies.append(body)
        return self.bodies.index(body)


class InputBuilder:
    """Collects the functions of time of a mechanism; weaves state-dependent formulas into kernels."""

    def __init__(self, builder: _Builder):
        self.builder = builder
        self.count = 0
        self._formulas: list[tuple[int, Any, Any]] = []
        self._tables: list[tuple[int, Any]] = []
        self._time = ca.SX.sym("t")
        self._switches: list[ca.SX] = []
        self._path: list[str] = []
        """Blocks whose inputs are being woven in."""
        self.measured: dict[str, int] = {}
        """Signals that are found together with the accelerations, by name: their numbers."""

    def function_of_time(self, value: Any, operations: Any = SYMBOLIC) -> int:
        """A new input slot for a number, formula of t or table; operations: of the formula."""
        slot = self.count
        self.count += 1
        if hasattr(value, "interpolation"):
            self._tables.append((slot, value))
        else:
            self._formulas.append((slot, value, operations))
            self._note_corners(value)
        return slot

    def _note_corners(self, value: Any) -> None:
        """Where a formula is not smooth in time."""
        if hasattr(value, "evaluate"):
            self._switches += switches(value, self._time, self.builder.parameters.find)

    def reserve(self, slots: int) -> int:
        """Slots that something else than functions of time will fill; returns the first."""
        self.count += slots
        return self.count - slots

    def bind(self, name: str, binding: Binding) -> Bound:
        """What the element `name` needs, with its inputs sorted out."""
        bound = Bound(list(binding.bodies), list(binding.data), list(binding.turns))
        bound.first_input = self.count
        places = self.builder.registry.own_states(name, binding.states)
        bound.own_states = len(bound.turns), len(places)
        bound.turns += places
        self._path = [name]
        woven = [self._woven(bound, value) for value in binding.inputs]
        bound.plans = [plan for plan, _ in woven]
        bound.key = ";".join(key for _, key in woven) + (f";{bound.own_states}" if places else "")
        return bound

    def _woven(self, bound: Bound, value: Any) -> tuple[InputPlan, str]:
        """How a value is made, and what tells this kernel from others."""
        names = value.names() if hasattr(value, "names") else set()
        signals = {name for name in names if name != "t" and name not in self.builder.parameters}
        if hasattr(value, "interpolation") or (names and not signals and "t" in names):
            self.function_of_time(value, KNOWN)
            bound.time_inputs += 1
            return InputPlan("time", bound.time_inputs - 1), "time"
        if not signals:
            return InputPlan("constant", bound.append(self.builder.parameters.value(value))), "constant"
        return self._state(bound, value, names, signals)

    def _state(self, bound: Bound, formula: Any, names: set[str], signals: set[str]) -> tuple[InputPlan, str]:
        if "t" in names:
            self._note_corners(formula)
        plans: dict[str, InputPlan] = {}
        roles: dict[str, str] = {"t": "t"}
        for name in sorted(signals):
            plans[name], key = self._reading(bound, name)
            roles[name] = f"s{len(roles)}_{key}"
        for name in sorted(names - signals - {"t"}):
            plans[name] = InputPlan("constant", bound.append(ca.SX(self.builder.parameters[name])))
            roles[name] = f"p{plans[name].index}"

        def reader(symbols: Symbols) -> Callable[[str], ca.SX]:
            return lambda name: symbols.time if name == "t" else plans[name].value(symbols)

        def make(symbols: Symbols) -> ca.SX:
            return ca.SX(formula.evaluate(reader(symbols), KNOWN))

        def kinks(symbols: Symbols) -> list[ca.SX]:
            return bends(formula, reader(symbols))

        return InputPlan("state", make=make, kinks=kinks), str(
            formula.rename(lambda name: roles[name]).canonical
        )

    def _signal(self, bound: Bound, reader: SignalReader) -> tuple[InputPlan, str]:
        """A position or speed of the mechanism."""
        seen = [bound.see(body) for body in reader.bodies]
        offset, turn = bound.append(ca.vertcat(ca.SX(0, 1), *reader.data)), -1
        if reader.turn is not None:
            turn = len(bound.turns)
            bound.turns.append(reader.turn)

        def make(symbols: Symbols) -> ca.SX:
            count = symbols.turns[turn] if turn >= 0 else ca.SX(0)
            return reader.read([symbols.frames[k] for k in seen], symbols.data[offset:], count)

        return InputPlan("state", make=make), f"{reader.key}_{seen}_{offset}_{turn}"

    def _measured(self, bound: Bound, name: str) -> tuple[InputPlan, str]:
        """What is found together with the accelerations; its place is known when those of the states are."""
        turn = len(bound.turns)
        number = self.measured.setdefault(name, len(self.measured))
        bound.turns.append(MEASURED - number)
        bound.measured.append((turn, name, tuple(self._path)))
        return InputPlan("state", make=lambda symbols: symbols.turns[turn]), f"measured_{turn}"

    def _reading(self, bound: Bound, name: str) -> tuple[InputPlan, str]:
        """How a kernel reads a signal: from a block, from a force, or from frames."""
        builder = self.builder
        owner, what = block_of(name, builder.registry)
        if owner is not None:
            block = builder.flat.blocks[owner].element
            return self._of_element(bound, owner, what, block, self._binding(owner), block.at_once(what))
        owner, what = force_of(name, builder.registry)
        if owner is None:
            reader = reader_of(name, builder.registry)
            return self._measured(bound, name) if reader is None else self._signal(bound, reader)
        teeth = builder.teeth.get(owner)
        law: Any = builder.flat.forces[owner].element if teeth is None else teeth.law
        if teeth is None and law.is_rigid:
            return self._measured(bound, name)
        binding = self._binding(owner)
        at_once = self._by_inputs(law, binding, what)
        if at_once is None:
            return self._measured(bound, name)
        return self._of_element(bound, owner, what, law, binding, at_once)

    def _binding(self, name: str) -> Binding:
        """Of a block, a force or teeth."""
        builder = self.builder
        if name in builder.teeth:
            return builder.teeth[name].binding
        placed = builder.flat.blocks.get(name) or builder.flat.forces[name]
        with builder.errors_of(placed):
            return placed.element.bind(builder.context(placed))

    def _of_element(
        self, bound: Bound, name: str, what: str, law: Any, binding: Binding, at_once: bool = True
    ) -> tuple[InputPlan, str]:
        """A signal of a block or a force: its expression, with its inputs woven in where it needs them at once."""
        builder = self.builder
        if name in self._path and at_once:
            raise ValueError(
                "the formulas depend on each other in a loop, without a state in it: "
                f"{' -> '.join([*self._path[self._path.index(name) :], name])}. Put one between: a "
                "`transfer_function`, a `delay` or a `sampled` block"
            )
        teeth = builder.teeth.get(name)
        seen = [bound.see(body) for body in binding.bodies]
        offset, turn = bound.append(*binding.data), len(bound.turns)
        if teeth is not None and teeth.made.recompute is not None and teeth.made.computed:
            indices = [offset + k for k in teeth.made.computed]
            bound.computed.append(ComputedData(indices, teeth.made.recompute))
        states = builder.registry.own_states(name, binding.states)
        bound.turns += [*binding.turns, *states]
        self._path.append(name)
        inputs = [self._woven(bound, value) for value in binding.inputs] if at_once else []
        self._path.pop()
        unread = 0 if at_once or hasattr(law, "outputs") else len(binding.inputs)

        def make(symbols: Symbols) -> ca.SX:
            first = turn + len(binding.turns)
            arguments = Arguments(
                [symbols.frames[k] for k in seen],
                symbols.data[offset:],
                [*(plan.value(symbols) for plan, _ in inputs), *[ca.SX(0)] * unread],
                symbols.turns[turn:],
                symbols.time,
                binding.options,
                [symbols.turns[first + k] for k in range(len(states))],
            )
            found = law.outputs(arguments) if hasattr(law, "outputs") else law.effect(arguments).signals
            return ca.SX(found[what].value)

        parts = (law.type, what, binding.options, seen, offset, turn, [key for _, key in inputs])
        return InputPlan("state", make=make), repr(parts).replace("`", "'")

    def _by_inputs(self, law: Any, binding: Binding, what: str) -> bool | None:
        """Whether a signal of a force depends on its inputs; None: it does not follow from positions and speeds."""

        def symbols(count: int) -> ca.SX:
            return ca.SX.sym("x", count)

        space = self.builder.space
        data = ca.vertcat(ca.SX(0, 1), *binding.data)
        inputs = [symbols(1) for _ in binding.inputs]
        arguments = Arguments(
            [space.frame(symbols(space.record)) for _ in binding.bodies],
            symbols(data.numel()),
            inputs,
            symbols(len(binding.turns)),
            symbols(1),
            binding.options,
            [symbols(1) for _ in binding.states],
        )
        found = law.effect(arguments).signals.get(what)
        if found is None:
            return None
        return bool(inputs) and any(ca.which_depends(ca.SX(found.value), ca.vertcat(*inputs), 1, True))

    def finish(self, program: Program) -> None:
        program.inputs = self.count
        program.tables = [_table(slot, table) for slot, table in self._tables]
        program.knots = np.concatenate([np.empty(0), *(_corners(table) for _, table in self._tables)])
        time, parameters = self._time, self.builder.parameters
        if self._switches:
            program.switches = ca.Function(
                "switches", [time, parameters.column], [ca.vertcat(*self._switches)]
            )
        if not self._formulas:
            return
        outputs = []
        for _, value, operations in self._formulas:
            look_up: Callable[[str], Any] = lambda name: time if name == "t" else parameters[name]  # noqa: E731
            expression = value.evaluate(look_up, operations) if hasattr(value, "evaluate") else float(value)
            first = ca.jacobian(ca.SX(expression), time)
            outputs += [ca.SX(expression), first, ca.jacobian(first, time)]
        program.formula_inputs = [slot for slot, *_ in self._formulas]
        # kernels take numbers, so the parameters are an argument of the function
        program.formulas = ca.Function(
            "formulas", [time, parameters.column], ca.cse([ca.densify(ca.SX(ca.vertcat(*outputs)))])
        )


def _corners(table: Any) -> np.ndarray:
    times = np.array(table.time, float)
    return times[[0, -1]] if table.interpolation == "smooth" else times


def _table(slot: int, table: Any) -> TableUse:
    """Cubic pieces of a table: a spline with continuous second derivative, or straight lines; the end values hold."""
    times, values = np.array(table.time, float), np.array(table.value, float)
    inner = np.zeros((len(times) - 1, 4))
    if table.interpolation == "smooth" and len(times) > 2:
        inner[:] = interpolate.CubicSpline(times, values, bc_type="not-a-knot").c[::-1].T
    else:
        inner[:, 0], inner[:, 1] = values[:-1], np.diff(values) / np.diff(times)
    knots = np.concatenate([[times[0] - 1.0], times])
    pieces = np.vstack([[values[0], 0, 0, 0], inner, [values[-1], 0, 0, 0]])
    return TableUse(slot, knots, pieces)
