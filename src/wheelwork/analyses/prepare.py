"""From a description to an engine that is ready to run; equations that were derived are kept and used again.

Equations depend on the structure of a description (:mod:`wheelwork.description.structure`) and on the numbers of those
few parameters that deriving looks at (`Program.read`): which axis a wheel turns about, how stiff its teeth are. Where
these are the same, so are the equations, to the last bit, and other numbers go into them without deriving. Where they
are not, equations are derived again, and kept beside the others.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Set
from dataclasses import field, replace
from math import copysign
from typing import Any

from wheelwork.description import Description, Flat, Formula, ModelError, Problem
from wheelwork.description.changes import flat_with
from wheelwork.description.flat import Placed
from wheelwork.description.flatten import parameters_of
from wheelwork.description.overrides import read_overrides
from wheelwork.description.structure import snapshot, structure
from wheelwork.description.validate import Visited, analysis_problems, element_problems, visited
from wheelwork.engine.engine import Engine
from wheelwork.lazy import dataclass, uncollected
from wheelwork.problems import did_you_mean
from wheelwork.system.build import build
from wheelwork.system.kernels import KernelStore
from wheelwork.system.program import Numbers, Program
from wheelwork.system.signals import SignalCatalogue
from wheelwork.system.uses import ConstraintKind


@dataclass(frozen=True)
class Prepared:
    """A mechanism with its equations, numbers and engine."""

    description: Description
    flat: Flat
    program: Program
    numbers: Numbers
    engine: Engine

    def holding(self, rows: Set[int]) -> Prepared:
        """The same with these constraints among those that always hold."""
        lasting = [
            replace(use, kind=ConstraintKind.BILATERAL) if c in rows else use
            for c, use in enumerate(self.program.constraints)
        ]
        program = replace(self.program, constraints=lasting, _kept={})
        return replace(self, program=program, engine=Engine(program, self.numbers, self.engine.implicit))

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes, and copies: they derive the equations again."""
        own = parameters_of(self.description).parameters
        given = {name: value for name, value in self.flat.parameters.items() if own.get(name) != value}
        kinds = [use.kind for use in self.program.constraints]
        return _prepared_again, (self.description, given, self.engine.implicit, kinds)


OF_TREE, OF_LOOPS = 50, 200
"""Velocities and multipliers from which on minimal coordinates pay without gears: of an open tree, and of what may have
loops of constant ratios. Below, a run gains less than it takes to prepare them (some 30 ms in a new process)."""
MOST_KEPT = 32
"""Structures whose equations are kept; those asked for last stay longest."""
MOST_VARIANTS = 16
"""Sets of equations kept for one structure, for different numbers of the parameters that deriving looks at."""


@dataclass
class Derived:
    """The equations of a structure, and the numbers they hold for."""

    flat: Flat
    program: Program
    read: dict[str, float]
    """Of the parameters that deriving looked at, the numbers it saw."""
    checked: dict[str, float]
    """Numbers of all parameters for which every element was found in order."""
    formulas: list[tuple[Placed[Any], Visited, set[str]]] = field(repr=False)
    """Elements that depend on parameters, what is in them, and the names of these."""

    @classmethod
    def of(cls, flat: Flat) -> Derived:
        program, numbers = build(flat), flat.resolve_parameters()
        return cls(flat, program, {name: numbers[name] for name in program.read}, numbers, formulas_of(flat))

    def holds(self, numbers: Mapping[str, float]) -> bool:
        """Whether deriving would see the same; of two zeros the sign counts."""
        return all(
            numbers[name] == value and (value != 0.0 or copysign(1.0, numbers[name]) == copysign(1.0, value))
            for name, value in self.read.items()
        )

    def check(self, numbers: dict[str, float]) -> None:
        """Raise ModelError where an element is wrong with these numbers, such as a mass that becomes negative."""
        different = {name for name, value in numbers.items() if self.checked[name] != value}
        concerned = [(placed, seen) for placed, seen, used in self.formulas if used & different]
        problems = element_problems(concerned, numbers)
        if problems:
            raise ModelError(problems)
        self.checked = numbers


def formulas_of(flat: Flat) -> list[tuple[Placed[Any], Any, set[str]]]:
    """Elements with formulas, what checks look at in each, and the names that its formulas use."""
    found = []
    for collection in flat.collections:
        for placed in collection.values():
            seen = visited(placed.element)
            used = [formula.names() for _, formula in seen[0]]
            if used:
                found.append((placed, seen, set().union(*used)))
    return found


class Derivations:
    """Equations by structure."""

    def __init__(self) -> None:
        self._kept = KernelStore(MOST_KEPT)
        self._lock = threading.Lock()
        self.count = 0
        """Derivations so far."""

    def known(self, key: bytes) -> list[Derived]:
        """Equations of a structure."""
        with self._lock:
            return list(self._kept.get(key, list))

    def derive(self, key: bytes, flat: Flat) -> Derived:
        made = Derived.of(flat)
        with self._lock:
            self.count += 1
            variants = self._kept.get(key, list)
            variants.insert(0, made)
            del variants[MOST_VARIANTS:]
        return made

    def clear(self) -> None:
        """Forget all equations."""
        with self._lock:
            self._kept = KernelStore(MOST_KEPT)


DERIVATIONS = Derivations()


@uncollected()
def prepare(
    description: Description,
    parameters: Mapping[str, Any] | None = None,
    method: str | None = None,
    *,
    units: bool = False,
) -> Prepared:
    """The equations of a mechanism, derived or known, and an engine for them.

    `parameters` replaces values of parameters for this run, by their full names; `method` is the integration
    method that will be used, if any: implicit ones need more derivatives. `units`: whether the mechanism may hold FMUs.
    """
    program = derived(description, parameters)
    if not units:
        refuse_units(program)
    return with_engine(program, description, method == "sdirk4")


def units_of(flat: Flat) -> dict[str, Placed[Any]]:
    """Functional mock-up units of other programs, by the names of their blocks."""
    return {name: placed for name, placed in flat.blocks.items() if placed.element.is_fmu}


def refuse_units(program: Program) -> None:
    """ModelError where a mechanism holds FMUs: what they give would stay what it is."""
    found = units_of(program.flat).values()
    why = "runs an FMU, which only `simulate` does"
    if found:
        raise ModelError(
            [placed.problem(why, "simulate the motion, or take the FMU out") for placed in found]
        )


def with_engine(program: Program, description: Description, implicit: bool = False) -> Prepared:
    """Equations with an engine of their own: what two runs share is never changed by one of them."""
    _check_outputs(program)
    numbers = program.numbers()
    return Prepared(snapshot(description), program.flat, program, numbers, Engine(program, numbers, implicit))


def _prepared_again(
    description: Description, given: Mapping[str, Any], implicit: bool, kinds: list[ConstraintKind]
) -> Prepared:
    """As it was, with the same constraints among those that always hold."""
    made = with_engine(derived(description, given), description, implicit)
    uses = enumerate(zip(kinds, made.program.constraints, strict=True))
    rows = {c for c, (kind, use) in uses if kind != use.kind}
    return made.holding(rows) if rows else made


def derived(
    description: Description, parameters: Mapping[str, Any] | None = None, *, drivers: bool = True
) -> Program:
    """The equations of a mechanism, with other values of some parameters; derived where they are not known.

    drivers: whether with its drivers
    """
    own = parameters_of(description)
    if parameters:
        given = read_overrides(parameters, own.parameters, own.parameter_units)
        if any(isinstance(value, Formula) for value in given.values()):
            flat_with(description, parameters)  # where some formulas are refused
        own.parameters |= given
    key = structure(description, own.parameters) + bytes([drivers])
    known = _known(DERIVATIONS.known(key), own)
    if known is None:
        flat = flat_with(description, parameters)
        known = DERIVATIONS.derive(key, flat if drivers else replace(flat, drivers={}, kept={}))
    else:
        problems = analysis_problems(description, own.values)
        if problems:
            raise ModelError(problems)
    said = {"name": description.name, "analysis": description.analysis, "outputs": description.outputs}
    said |= {"parameters": own.parameters, "parameter_units": own.parameter_units}
    if all(getattr(known.flat, name) == value for name, value in said.items()):
        return known.program
    kept = known.flat.kept if own.parameters == known.flat.parameters else {}  # a layout is for its numbers
    flat = replace(known.flat, **said, kept=kept)
    flat.__dict__["values"] = own.values
    return replace(known.program, flat=flat)


def _known(candidates: list[Derived], own: Flat) -> Derived | None:
    """Equations that hold for the numbers of the parameters; elements are checked with these."""
    for known in candidates:
        if known.flat.parameters == own.parameters:
            own.__dict__["values"] = known.flat.values
            return known
    try:
        numbers = dict(own.values) if candidates else {}
    except ModelError:  # said with everything else that is wrong
        return None
    known = next((one for one in candidates if one.holds(numbers)), None)
    if known is not None:
        known.check(numbers)
    return known


def reduction_pays(program: Program, needs_reactions: bool) -> bool:
    """Whether minimal coordinates, if there are any without cut loops, are quicker: from all examples in both.

    With gears of any kind they are, also with prescribed motions of joints, constant friction and impacts. Without
    gears, trees of some bodies are. Loops are quicker in absolute coordinates, and so are cams but behind rigid meshes,
    and small machines with nothing but contacts and friction; friction that depends on reactions is about as quick in
    both. Where rows are redundant (planets) absolute coordinates keep them all for it, and lose digits inside steps.

    needs_reactions: whether friction depends on reactions, or formulas read them
    """
    drivers = program.flat.drivers
    if any(not drivers[name].element.drives_joint for name in program.driver_constraints):
        return False
    if program.follows and not program.meshes:
        return False
    geared = bool(program.meshes) or any(use.kernel.effect.teeth is not None for use in program.forces)
    joints = [use for use in program.constraints if use.kind is ConstraintKind.BILATERAL]
    if geared:  # what moves and has as many rows as velocities has some that say nothing new
        return not needs_reactions or sum(use.rows for use in joints) >= program.nv
    if program.driver_constraints or program.frictions or program.contacts:
        return False
    unknowns = program.nv + program.rows
    return unknowns > (OF_TREE if len(joints) <= len(program.bodies) else OF_LOOPS)


def _check_outputs(program: Program) -> None:
    """Signals to keep must be signals; better said before a run than after it."""
    outputs = program.flat.outputs
    if not outputs:
        return
    known = program.once("signals", lambda: SignalCatalogue(program).names())
    problems = [
        Problem(f"there is no signal `{name}`", path=f"outputs[{k}]", hint=did_you_mean(name, known))
        for k, name in enumerate(outputs)
        if name not in known
    ]
    if problems:
        raise ModelError(problems)
