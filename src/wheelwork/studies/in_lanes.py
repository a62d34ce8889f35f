"""Variants in lanes: which of them share equations, and with which numbers each begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.planned import chosen_reduction
from wheelwork.analyses.prepare import Prepared, prepare
from wheelwork.analyses.reduction import Reduction
from wheelwork.analyses.reduction.lanes import (
    LaneModel,
    NoLanes,
    NoSignal,
    lane_program,
    why_not,
)
from wheelwork.analyses.reduction.local_frames import LocalTree, local_tree
from wheelwork.analyses.reduction.reduce import tables
from wheelwork.description import Description, ModelError
from wheelwork.engine.engine import Engine, RunOptions
from wheelwork.engine.evaluate import evaluated
from wheelwork.engine.graph import tape_of
from wheelwork.engine.lane_program import (
    CLOSING,
    DERIVATIVE,
    KINKS,
    NUMBERS,
    SIGNALS,
    STATE,
    TIME,
    LaneProgram,
)
from wheelwork.engine.lanes import LaneResults, Lanes, VariantCode
from wheelwork.engine.reduced import TIGHTER, ReducedSystem
from wheelwork.system.motion import Motion
from wheelwork.system.signals import SignalCatalogue

from .measures import ArrayOps, Measures
from .numbers import VaryingNumbers
from .span import Span

AGREES = 1e-8
"""Difference to the general equations, relative to the largest rate or value, from which on lanes are not used."""
SMALL = 1e-2
"""Values below this one are as good as zero: their round-off is that of larger ones."""
MOST_KINDS = 16
"""Sets of equations in one study; with more, variants are run one by one."""


@dataclass
class LaneStart:
    """Where variants with the same positions, joints and inertia begin."""

    prepared: Prepared
    reduction: Reduction
    tree: LocalTree
    start: np.ndarray
    absolute: np.ndarray

    @cached_property
    def numbers(self) -> np.ndarray:
        """Of the tree."""
        return np.concatenate([v.ravel() for v in self.tree.numbers.values()])

    @property
    def structure(self) -> tuple[Any, ...]:
        """What has to be the same in one code."""
        tree, reduction = self.tree, self.reduction
        parts = (
            tree.n,
            tree.scalars,
            repr(tree.nodes),
            repr(tree.spins),
            repr(tree.bodies),
            tree.sign.tobytes(),
        )
        pattern = np.isnan(reduction.turns).any(axis=1).tobytes()
        return (*parts, tree.all_weigh, tuple(reduction.independent), tuple(reduction.cuts), pattern)


def placed(base: Prepared, parameters: Mapping[str, float], run: RunOptions) -> LaneStart:
    """A variant in minimal coordinates, at its start. Raises NoLanes, ModelError."""
    numbers = base.program.numbers(parameters)
    at = assembled(replace(base, numbers=numbers, engine=Engine(base.program, numbers)), run.start)
    try:
        reduction = chosen_reduction(at, run, "reduced")
    except ModelError as error:
        raise NoLanes(error.problems[0].message.partition(": ")[2] or error.problems[0].message) from None
    assert reduction is not None
    program = at.prepared.program
    why = why_not(program, reduction)
    if why:
        raise NoLanes(why)
    tree = local_tree(reduction, at.prepared.engine)
    balls = [1.0, 0.0, 0.0, 0.0] * reduction.tree.balls
    turns = at.state[program.nq + program.nv :][: len(program.turns)]
    counted = turns[np.isnan(reduction.turns).any(axis=1)] if len(turns) else turns
    own = at.state[program.first_state - program.followed :]
    start = np.concatenate([np.zeros(tree.scalars), balls, reduction.rates, counted, own])
    return LaneStart(at.prepared, reduction, tree, start, at.state)


@dataclass
class Group:
    """Variants with one code."""

    members: np.ndarray
    """Their numbers in the study."""
    of_place: np.ndarray
    """Which of `places` each of them has."""
    places: list[LaneStart]
    computed: np.ndarray
    """Numbers of the data that no formula gives (variants or one column)."""
    of_computed: np.ndarray
    """Which of its columns each of the members has."""
    varying: VaryingNumbers
    measures: Measures
    begin: float
    """When runs begin, s."""
    lanes: VariantCode = field(init=False)

    def __post_init__(self) -> None:
        first = self.places[0]
        program = first.prepared.program
        tree_numbers = np.array([place.numbers for place in self.places])
        varies = np.zeros(program.data_size + tree_numbers.shape[1], bool)
        varies[self.varying.data_rows] = True
        if self.computed.shape[1] > 1:
            varies[program.computed_rows] = True
        varies[program.data_size :] = np.any(tree_numbers != tree_numbers[0], axis=0)
        data = first.prepared.numbers.data
        model = LaneModel(program, first.reduction, first.tree, data, ~varies[: program.data_size], varies)
        self.rows = np.flatnonzero(varies)
        """Of the model's values: those that vary."""
        self._given, self.program = lane_program(
            model, self.measures.signals, self.measures.accumulators, self.begin, first.start
        )

    program: LaneProgram = field(init=False)

    def numbers(self, x: np.ndarray, members: np.ndarray) -> np.ndarray:
        """Of some members, by their places, with these values of the varying parameters (parameters, variants)."""
        prepared = self.places[0].prepared
        size = prepared.program.data_size
        in_tree = self.rows[self.rows >= size]
        values: dict[int, Any] = {int(k): prepared.numbers.data[k] for k in self.rows[self.rows < size]}
        data = evaluated(tape_of(self.varying.data), {0: x}, x.shape[1])[0]
        values |= dict(zip(self.varying.data_rows.tolist(), data, strict=True))
        computed = self.computed[:, self.of_computed[members]]
        values |= dict(zip(prepared.program.computed_rows.tolist(), computed, strict=True))
        tree = np.array([place.numbers[in_tree - size] for place in self.places])
        values |= dict(zip(in_tree.tolist(), tree[self.of_place[members]].T, strict=True))
        return evaluated(self._given, {NUMBERS: values}, x.shape[1])[0]

    def starts(self, of_place: np.ndarray) -> np.ndarray:
        return np.array([place.start for place in self.places])[of_place].T

    def corners(self, x: np.ndarray, run: RunOptions) -> np.ndarray:
        """Times at which functions of time jump or bend (corners, variants), infinity at the end."""
        program, needed = self.places[0].prepared.program, self.varying.in_time
        numbers = self.places[0].prepared.numbers
        first, of_key = _unique(x[needed])
        found = []
        for column in x.T[first]:
            values = np.array(self.varying.resolved(column)).ravel()
            own = dict(zip(program.parameter_names, values.tolist(), strict=True))
            found.append(program.corners(replace(numbers, parameters=own), run.start, run.end))
        out = np.full((1 + max(map(len, found)), len(found)), np.inf)
        for k, corners in enumerate(found):
            out[: len(corners), k] = corners
        return out[:, of_key]

    def settings(self, run: RunOptions, span: Span) -> dict[str, float]:
        kinks = self.program.size(KINKS) > 0
        adaptive = run.method == "dopri5"
        return {
            "start": run.start,
            "end": run.end,
            "step": run.step or 0.0,
            "rtol": TIGHTER * run.rtol,
            "atol": TIGHTER * run.atol,
            # with kinks no step is longer than the samples' own, as in single runs: at rest the error says nothing
            "largest_step": min(run.largest_step, span.interval) if kinks and adaptive else run.largest_step,
            "max_steps": run.max_steps,
            "stop_at_skip": 1.0,  # forces jump there, which lanes do not locate: `InLanes` runs them again
            "margin": 1e-15 * max(abs(run.start), abs(run.end)),
            "begin": span.begin,
            "interval": span.interval,
            "intervals": span.intervals,
            "closed": run.projection_tolerance,
        }

    def run(
        self,
        run: RunOptions,
        span: Span,
        values: Callable[[np.ndarray], np.ndarray],
        chosen: np.ndarray,
        threads: int | None,
        progress: Callable[[int, int], bool] | None,
    ) -> LaneResults:
        """Some of the members, by their places in the group."""
        x, of_place = values(self.members[chosen]), self.of_place[chosen]
        return self.lanes.run(
            self.numbers(x, chosen),
            self.starts(of_place),
            self.settings(run, span),
            self.corners(x, run),
            threads,
            progress,
        )

    def signals(self, x: np.ndarray, members: np.ndarray, t: float, states: np.ndarray) -> np.ndarray:
        """Signals of the measures at states (states, variants) of some members at a time, with these parameters."""
        given = {TIME: [t], STATE: states, NUMBERS: self.numbers(x, members)}
        return evaluated(self.program.tape, given, x.shape[1])[SIGNALS]

    # -- whether it says what the general equations say

    def check(self, x: np.ndarray, run: RunOptions) -> None:
        """Compare with the general equations, for some variants and states. Raises NoLanes."""
        catalogue = SignalCatalogue(self.places[0].prepared.program)
        looked_at = x[self.varying.read]
        ends = {int(k) for row in looked_at for k in (np.argmin(row), np.argmax(row))}
        for variant in sorted({0, len(self.members) // 2, len(self.members) - 1, *ends}):
            place = self.places[self.of_place[variant]]
            column = x[:, variant : variant + 1]
            prepared = place.prepared
            own = np.array(self.varying.resolved(column)).ravel().tolist()
            chosen = dict(zip(prepared.program.parameter_names, own, strict=True))
            self._compare(place, column, np.array([variant]), chosen, catalogue, run)

    def _compare(
        self,
        place: LaneStart,
        x: np.ndarray,
        which: np.ndarray,
        parameters: Mapping[str, float],
        catalogue: SignalCatalogue,
        run: RunOptions,
    ) -> None:
        varied = {name: parameters[name] for name in self.varying.varied}
        own = prepare(place.prepared.description, varied)
        system = ReducedSystem(own.engine.system, tables(place.reduction, own.engine), place.reduction.rates)
        y = system.start(place.absolute)
        numbers, rng = self.numbers(x, which).ravel(), np.random.default_rng(0)
        slides = [k for k in range(place.tree.scalars) if k not in self.program.turning]
        names = {name for signal in self.measures.signals for name in signal.names()}
        speeds, count = self.program.velocities
        first, followed = self.program.followed
        for size in (0.0, 1e-3, 1.0):
            step = size * rng.normal(size=len(y))
            step[slides] *= 1e-3
            step[first : first + followed] = 0.0  # curve parameters follow from positions
            state, t = y + step, run.start + 1e-3 * size
            if self.program.size(CLOSING):  # loops are closed here, and have to be
                t, state[:speeds] = run.start, y[:speeds]
                given = {TIME: [t], STATE: state, NUMBERS: numbers}
                state[speeds : speeds + count] += evaluated(self.program.tape, given)[CLOSING][
                    count + 1 : 2 * count + 1
                ]
            found = evaluated(self.program.tape, {TIME: [t], STATE: state, NUMBERS: numbers})
            wanted = system.derivative(t, state)
            _same(found[DERIVATIVE], wanted, "accelerations")
            if size == 1.0 or not names:
                continue  # far from the motion, angles of signals may be whole turns apart
            absolute, a, multipliers = system.absolute(t, state)
            moment = Motion.at_moment(own.program, own.numbers, t, absolute, a, multipliers)

            def value(name: str, moment: Any = moment, t: float = t) -> float:
                if name == "t":
                    return t
                return parameters[name] if name in parameters else float(catalogue[name].compute(moment)[0])

            values = {name: value(name) for name in names}
            signals = found[SIGNALS]
            for k, signal in enumerate(self.measures.signals):
                truth = float(signal.evaluate(values.__getitem__, ArrayOps()))
                _same(signals[k : k + 1], np.array([truth]), f"`{signal}`")


def _same(found: np.ndarray, wanted: np.ndarray, what: str) -> None:
    size = max(float(np.max(np.abs(wanted), initial=0.0)), SMALL)
    if not np.max(np.abs(found - wanted), initial=0.0) <= AGREES * size:
        raise NoLanes(f"{what} in straight-line code do not agree with the general equations")


def groups(
    description: Description,
    parameters: Mapping[str, Any],
    varied: Sequence[str],
    count: int,
    values: Callable[[np.ndarray], np.ndarray],
    run: RunOptions,
    measures: Measures,
) -> list[Group]:
    """All variants, by the code that they need. Raises NoLanes with the reason, ModelError."""
    every = np.arange(count)
    x = values(every)
    base = prepare(description, dict(zip(varied, x[:, 0].tolist(), strict=True)))
    varying = VaryingNumbers(base.program, parameters, varied)
    loaded = base.description.start == "loaded"  # which winds up by all numbers of forces
    first, of_key = _unique(x if loaded else x[varying.kinematic])
    read_first, of_read = _unique(x[varying.read])
    rows = base.program.computed_rows
    computed = np.array(
        [
            base.program.numbers(dict(zip(varied, x[:, k].tolist(), strict=True))).data[rows]
            for k in read_first
        ]
        if len(rows)
        else np.zeros((1, 0))
    ).T
    if not len(rows):
        of_read = np.zeros_like(of_read)
    places: list[LaneStart] = []
    kinds: dict[tuple[Any, ...], list[int]] = {}
    for k in first:
        own = placed(base, dict(zip(varied, x[:, k].tolist(), strict=True)), run)
        kinds.setdefault(own.structure, []).append(len(places))
        places.append(own)
        if len(kinds) > MOST_KINDS:
            raise NoLanes(f"its variants need more than {MOST_KINDS} sets of equations")
    out = []
    for members in kinds.values():
        number = np.full(len(places), -1)
        number[members] = np.arange(len(members))
        mine = np.flatnonzero(number[of_key] >= 0)
        own = [places[k] for k in members]
        try:
            group = Group(
                mine, number[of_key[mine]], own, computed, of_read[mine], varying, measures, run.start
            )
        except NoSignal as error:
            raise NoLanes(f"`{error}` is not among the signals that lanes compute") from None
        group.check(x[:, mine], run)
        group.lanes = Lanes(group.program, run.method)
        out.append(group)
    return out


def _unique(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of different columns, the first place of each, and which of them every column is."""
    if not len(x):
        return np.zeros(1, int), np.zeros(x.shape[1], int)
    _, first, of_key = np.unique(x, axis=1, return_index=True, return_inverse=True)
    return first, of_key.ravel()
