"""A mechanism as an FMU holds it: assembled, in the coordinates of a run, with variables."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from wheelwork import __version__
from wheelwork.analyses.assemble import Assembled, assembled
from wheelwork.analyses.options import merged
from wheelwork.analyses.planned import chosen_reduction, run_options
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.reduction.local_frames import local_tree
from wheelwork.analyses.reduction.reduce import NotReducible, Reduction, reduce, tables
from wheelwork.analyses.reduction.straight_line import TreeModel, fixed_data, straight_line
from wheelwork.description import Description, Formula, Simulate
from wheelwork.engine.options import RunOptions
from wheelwork.engine.standalone import shaping, state_names
from wheelwork.engine.tables import Tables
from wheelwork.equations.values import SYMBOLIC
from wheelwork.lazy import casadi as ca
from wheelwork.problems import ModelError, Problem, did_you_mean
from wheelwork.system.driver_jumps import check_drivers
from wheelwork.system.program import Program
from wheelwork.system.signals import Signal, SignalCatalogue
from wheelwork.system.symbolic_motion import scalar

from .inputs import DescriptionWithInputs, with_inputs
from .variables import Variable, VariableKind

Ranges = Mapping[str, tuple[float, float]]


@dataclass
class FmuModel:
    """What an FMU is made from."""

    given: DescriptionWithInputs
    settings: Any
    run: RunOptions
    at: Assembled
    reduction: Reduction | None
    signals: list[Signal]
    ranges: Ranges = field(default_factory=dict)
    fmi: int = 3

    @classmethod
    def of(
        cls,
        description: Description,
        inputs: Sequence[str],
        outputs: Sequence[str] | None,
        ranges: Ranges,
        parameters: Mapping[str, Any] | None,
        options: dict[str, Any],
        fmi: int = 3,
    ) -> FmuModel:
        """Prepared and assembled; raises ModelError for names that are none."""
        begin: Any = merged(description, Simulate, options, parameters)
        given = with_inputs(description, inputs, float(begin.start))
        try:
            settings: Any = merged(given.description, Simulate, options, parameters)
            run = run_options(settings)
            prepared = prepare(given.description, parameters, run.method)
        except ModelError as error:
            if not inputs:
                raise
            why = "with these inputs the model is invalid: an input may stand only where signals may"
            raise ModelError([Problem(why, path="inputs"), *error.problems]) from None
        at = assembled(prepared, run.start)
        corners = prepared.program.corners(prepared.numbers, run.start, run.end)
        check_drivers(prepared.program, prepared.numbers, prepared.flat, run.start, run.end, corners)
        reduction = _minimal(at, run, settings.formulation)
        signals = _signals(prepared.program, outputs)
        model = cls(given, settings, run, at, reduction, signals, ranges, fmi)
        unknown = [name for name in ranges if name not in {v.name for v in model.variables}]
        if unknown:
            raise ModelError(
                [Problem(f"there is no variable `{name}` to have a range", path="ranges") for name in unknown]
            )
        return model

    # -- parts

    @property
    def program(self) -> Program:
        return self.at.prepared.program

    @property
    def name(self) -> str:
        return self.given.description.name or "mechanism"

    @cached_property
    def core_tables(self) -> Tables:
        return self.at.prepared.engine.system.tables

    @cached_property
    def tree(self) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Tables of minimal coordinates, and what straight-line code adds."""
        if self.reduction is None:
            return None
        engine = self.at.prepared.engine
        numbers = tables(self.reduction, engine)
        return dict(numbers), straight_line(self.reduction, engine, numbers)

    @cached_property
    def tree_model(self) -> TreeModel | None:
        """Of straight-line code."""
        if self.reduction is None or self.tree is None or not self.tree[1]:
            return None
        program = self.program
        fixed = program.once("fixed data", lambda: fixed_data(program))
        reduction, engine = self.reduction, self.at.prepared.engine
        local = reduction.once("local tree", lambda: local_tree(reduction, engine))
        return TreeModel(program, self.reduction, local, self.at.prepared.numbers.data, fixed)

    # -- variables

    @cached_property
    def settable(self) -> list[str]:
        """Parameters that may be set from outside: equations, masses, lengths and the start do not depend on them."""
        program, flat = self.program, self.at.prepared.flat
        internal = [part for one in self.given.prescribed for part in one.parameters]
        independent = [n for n in program.parameter_names if not isinstance(flat.parameters[n], Formula)]
        column, everything = self.parameters_by(independent)
        fixed = set(program.read)
        for name, placed in flat.drivers.items():
            del name
            value = placed.element.value
            fixed |= value.names() - {"t"} if isinstance(value, Formula) else set()
        fixed |= shaping(flat) if program.computed else set()
        parts = program.numbers_function.call([everything])
        kept = np.append(program.once("settled", program._settled_data), program.rolling_data)
        if self.given.description.start == "loaded":  # what is wound up depends on all numbers of forces
            kept = np.arange(program.data_size)
        frictions = [one.data + 1 for one in program.frictions]
        settled = ca.vertcat(
            *(ca.vec(part) for part in parts[1:]),
            parts[0][[*kept.tolist(), *frictions]],
            *(everything[program.parameter_names.index(name)] for name in sorted(fixed)),
        )
        depends = set(ca.jacobian_sparsity(settled, column).get_triplet()[1])
        free = [name for k, name in enumerate(independent) if k not in depends and name not in internal]
        return [*internal, *free]

    def parameters_by(self, free: Sequence[str]) -> tuple[ca.SX, ca.SX]:
        """Symbols for some parameters, and all parameters as expressions of these."""
        flat, values = self.at.prepared.flat, self.at.prepared.numbers.parameters
        column = ca.SX.sym("p", len(free))
        known: dict[str, ca.SX] = {name: column[k] for k, name in enumerate(free)}

        def find(name: str) -> ca.SX:
            if name not in known:
                value = flat.parameters[name]
                formula = isinstance(value, Formula)
                known[name] = ca.SX(value.evaluate(find, SYMBOLIC)) if formula else ca.SX(values[name])
            return known[name]

        return column, ca.vertcat(ca.SX(0, 1), *(find(name) for name in self.program.parameter_names))

    @cached_property
    def variables(self) -> list[Variable]:
        """All of them; the first is time."""
        K, made = VariableKind, [Variable("time", VariableKind.CLOCK, 0, "independent", "continuous", "s")]
        flat, numbers = self.at.prepared.flat, self.at.prepared.numbers

        def add(
            name: str,
            kind: VariableKind,
            index: int,
            causality: str,
            unit: str = "1",
            *more: Any,
            **fields: Any,
        ) -> None:
            limits = dict(zip(("least", "greatest"), self.ranges.get(name, ()), strict=False))
            fields = {"variability": "continuous", **limits, **fields}
            made.append(
                Variable(name, kind, index, causality, fields.pop("variability"), unit, *more, **fields)
            )

        of_prescribed: dict[str, tuple[str, str]] = {}
        for one in self.given.prescribed:
            value, rate, acceleration, _ = one.parameters
            of_prescribed[value] = one.name, one.unit
            of_prescribed[rate] = f"{one.name}.rate", f"{one.unit}/s"
            of_prescribed[acceleration] = f"{one.name}.acceleration", f"{one.unit}/s^2"
        hidden = {one.parameters[3] for one in self.given.prescribed}
        for name in self.program.parameter_names:
            start, unit = float(numbers.parameters[name]), flat.parameter_units.get(name, "1")
            if name in of_prescribed:
                label, unit = of_prescribed[name]
                add(label, K.PARAMETER, self.settable.index(name), "input", unit, start)
            elif name in self.settable and name not in hidden:
                index = self.settable.index(name)
                add(name, K.PARAMETER, index, "parameter", unit, start, "parameter", variability="tunable")
            elif name not in hidden:
                meaning = "parameter that equations or the start depend on: export it again to change it"
                add(name, K.CONSTANT, 0, "local", unit, start, meaning, variability="constant")
        uses = {use.name: use for use in self.program.forces if use.kernel.states}
        first = self.program.first_state
        for label, state in self.given.states.items():
            place = uses[state].first_state
            add(
                label,
                K.INPUT,
                place,
                "input",
                flat.blocks[state].element.unit,
                float(self.at.state[first + place]),
            )
        for k, signal in enumerate(self.signals):
            add(signal.name, K.OUTPUT, k, "output", signal.unit, None, signal.meaning)
        for place, (name, unit) in zip(self.continuous, self._state_labels, strict=True):
            add(f"state.{name}", K.STATE, place, "local", unit)
            per_second = "1/s" if unit == "1" else f"{unit}/s"
            add(f"der(state.{name})", K.RATE, place, "local", per_second, derivative_of=len(made) - 1)
        for k in range(self.indicators if self.fmi == 3 else 0):  # in FMI 2.0 they are not variables
            add(f"event.{k}", K.INDICATOR, k, "local")
        self._check_names(made)
        return made

    @staticmethod
    def _check_names(made: list[Variable]) -> None:
        seen: set[str] = set()
        for variable in made:
            if variable.name in seen:
                raise ModelError(f"two variables would be called `{variable.name}`", path="inputs, outputs")
            seen.add(variable.name)

    @cached_property
    def labels(self) -> list[tuple[str, str]]:
        """Name and unit of every entry of the state of a run."""
        core = self.core_tables
        if self.reduction is None or self.tree is None:
            return [(one["name"], one["unit"]) for one in state_names(core)]
        names, tree = self.reduction.names, self.tree[0]
        scalars, balls = self.reduction.scalars, self.reduction.tree.balls
        units = ["rad" if turns else "m" for turns in np.asarray(tree["turning"]).tolist()[:scalars]]
        of_balls = [names[scalars + 3 * b] for b in range(balls)]
        labels = list(zip(names[:scalars], units, strict=True))
        labels += [(f"{ball}.orientation.{c}", "1") for ball in of_balls for c in "wxyz"]
        labels += [(f"{name}.rate", f"{unit}/s") for name, unit in zip(names[:scalars], units, strict=True)]
        labels += [(f"{ball}.w.{c}", "rad/s") for ball in of_balls for c in "xyz"]
        labels += [(f"turn.{k}", "rad") for k in range(int(tree["turn_states"]))]
        labels += [(f"curve.{k}", "1") for k in range(core.sizes["followed"])]
        return labels + [(f"state.{k}", "1") for k in range(core.sizes["states"])]

    @cached_property
    def continuous(self) -> list[int]:
        """Places in the state of a run of what has a rate."""
        labels, states = self.labels, self.program.states
        places = list(range(len(labels) - states))
        for use in self.program.forces:
            if use.kernel.states and use.kernel.effect.rates is not None:
                first = len(labels) - states + use.first_state
                places += range(first, first + use.kernel.states)
        return places

    @cached_property
    def _state_labels(self) -> list[tuple[str, str]]:
        owners = {
            use.first_state + k: f"{use.name}.{k}" if use.kernel.states > 1 else use.name
            for use in self.program.forces
            for k in range(use.kernel.states)
        }
        first, seen, out = len(self.labels) - self.program.states, set[str](), []
        for place in self.continuous:
            name, unit = self.labels[place]
            name = owners[place - first] if place >= first else name
            while name in seen:  # rows of a tree may share a name
                name += "'"
            seen.add(name)
            out.append((name, unit))
        return out

    @property
    def indicators(self) -> int:
        """Event indicators."""
        return sum(self.core_tables.sizes[name] for name in ("events", "frictions", "contacts"))

    @cached_property
    def token(self) -> str:
        """That the description and the binary share: of all that the equations and numbers are made from."""
        digest = hashlib.sha256(__version__.encode())
        for part in (repr(self.variables), repr(self.settings), self.at.state.tobytes().hex()):
            digest.update(part.encode())
        digest.update(self.at.prepared.numbers.data.tobytes())
        found = digest.hexdigest()
        return f"{{{found[:8]}-{found[8:12]}-{found[12:16]}-{found[16:20]}-{found[20:32]}}}"


def _minimal(at: Assembled, run: RunOptions, formulation: str) -> Reduction | None:
    """Minimal coordinates also where a run of ours gains nothing by them: they are states that others can integrate
    without leaving the constraints."""
    if formulation == "auto" and run.stabilisation == "projection" and run.method != "sdirk4":
        with suppress(NotReducible):
            found = reduce(at.prepared.engine, at.t, at.state, constrained=True)
            if not found.cuts:
                return found
    return chosen_reduction(at, run, formulation)


def _signals(program: Program, names: Sequence[str] | None) -> list[Signal]:
    """The outputs: those asked for, or the file's own, or the coordinates of rotors and joints; numbers, no vectors."""
    catalogue = SignalCatalogue(program)
    wanted = program.flat.outputs if names is None else names
    if wanted is None:
        own = [*program.rotors, *program.joints]
        ends = ("angle", "w", "displacement", "speed")
        bearings = set(program.rotors.values())
        wanted = [
            f"{one}.{end}"
            for one in own
            for end in ends
            if one not in bearings and f"{one}.{end}" in catalogue.signals
        ] or [f"{body}.{what}" for body in program.bodies for what in ("position", "velocity")]
    known, out, problems = catalogue.names(), list[Signal](), list[Problem]()
    for name in dict.fromkeys(wanted):
        if name not in known:
            problems.append(
                Problem(f"there is no signal `{name}`", path="outputs", hint=did_you_mean(name, known))
            )
            continue
        signal = catalogue[name]
        out += [scalar(signal, c) for c in signal.components] if signal.components else [signal]
    if problems:
        raise ModelError(problems)
    return out
