"""The right-hand side of a mechanism in minimal coordinates as one program, in machine code.

Elements' kernels are written out where their bodies' frames are known, then the equations of the tree
(:mod:`.tree_equations`); what depends on numbers alone is found before the run by a program of its own. It says the
same as ``engine/core/reduced.hpp``, in whose place it stands inside steps: a look at three states makes sure of that
for every code. Arguments are (t, y, functions of time, numbers); results

    derivative of the state (without the accelerations where loops are cut), events of the forces

and where loops are cut, what the core needs to close them: M by rows, f, rows G of the cut constraints, their natural
sizes, residuals g, wanted speeds nu and accelerations. Which of these rows say something new changes on the way, so
that the core settles it; a program without branches could not. Then come the curve parameters of cams where they were
found: Newton's method from those of the state, in as many rounds as the core takes. Pieces of splines, like tables of
time, are looked up by the core. Last comes what it takes to push wheels of cut meshes apart, which the core does in
rounds: their records, and Jacobians by rows.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from wheelwork.engine.code import kernels_of, serialised
from wheelwork.engine.engine import Engine
from wheelwork.engine.graph import Graph, Scalar
from wheelwork.engine.reduced import ReducedSystem
from wheelwork.engine.tape import Tape
from wheelwork.equations.cams.outline import PIECE
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass
from wheelwork.system.program import Program
from wheelwork.system.space import PLANAR
from wheelwork.system.uses import ConstraintUse, ForceUse

from .angles import NEAR, Angles
from .local_frames import LocalTree, local_tree
from .reduce import Reduction, needs_reactions
from .tree_equations import TreeEquations
from .vectors import Factor, cross, dot, minus, plus

TIME, STATE, INPUTS, NUMBERS = range(4)
"""Arguments of the program."""
COMPOSITE = 7
"""Coordinates up to which the mass matrix of a tree without gears is shorter than articulated bodies."""


AGREES = 1e-9
"""Difference to the general equations, relative to the largest rate, at which straight-line code is not used."""
AT_REST = 1e-5
"""Largest rate of a state, relative to that of the others, below which all rates may be round-off."""
LONGEST = 40_000
"""Instructions at most: longer code does not stay in a processor's caches, and takes seconds to make."""
SHORT = 6_500
"""Instructions, as the kernels have them, of code that takes less than a tenth of a second to make."""
OF_NODE = 220
"""Instructions of a joint with its body, about."""


@dataclass(frozen=True)
class TreeModel:
    """What a program is made from."""

    program: Program
    reduction: Reduction
    tree: LocalTree
    data: np.ndarray
    """Numbers of the elements."""
    fixed: np.ndarray
    """Which of these depend on no parameter, and are written into the code."""

    @cached_property
    def values(self) -> np.ndarray:
        """What the program that finds the given numbers takes."""
        return np.concatenate([self.data, *(v.ravel() for v in self.tree.numbers.values())])

    @property
    def key(self) -> tuple[str, ...]:
        """What code depends on."""
        program = self.program
        functions: list[tuple[Any, ...]] = [tuple(use.kernel.functions) for use in program.forces]
        functions += [(program.constraints[c].kernel.full, program.formulas) for c in self.reduction.cuts]
        functions += [(follow.kernel.follow, follow.kernel.there) for follow in program.follows]
        used = [serialised(f) for f in dict.fromkeys(f for pair in functions for f in pair if f is not None)]
        uses = [(use.kernel.key, use.bodies, use.data, use.input, use.turns) for use in program.forces]
        cut = [program.constraints[c] for c in self.reduction.cuts]
        uses += [(use.kernel.key, list(use.bodies), use.data, use.input, list(use.turns)) for use in cut]
        turns = np.isnan(self.reduction.turns).any(axis=1).tolist()
        known = np.where(self.fixed, self.data, np.nan).tobytes().hex()
        others = [program.space.name, turns, [(turn.a, turn.b, turn.data) for turn in program.turns]]
        read = [*program.tables, *program.curves]
        inputs = [program.inputs, program.formula_inputs, [one.input for one in read]]
        formulas = "" if program.formulas is None else serialised(program.formulas)
        return (_reader(), *used, formulas, repr((uses, others, inputs)), known, self.tree.structure())

    def known(self, name: str) -> np.ndarray:
        """Numbers of the tree that are written into the code; nan: those that are not."""
        return self.tree.known(name)

    @property
    def open(self) -> bool:
        """Whether every coordinate of the tree is free by itself."""
        B = self.reduction.B
        return not self.reduction.cuts and B.shape[0] == B.shape[1]


@functools.cache
def _reader() -> str:
    """What programs depend on besides their model: the files that write them."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def fixed_data(program: Program) -> np.ndarray:
    """Which numbers of the elements depend on no parameter."""
    depends = np.zeros(program.data_size, bool)
    depends[program.numbers_function.jac_sparsity(0, 0).get_triplet()[0]] = True
    for computed in program.computed:
        depends[computed.indices] = True
    return ~depends


def straight_line(
    reduction: Reduction, engine: Engine, tables: Mapping[str, Any], at_once: int = LONGEST
) -> dict[str, Any]:
    """What to add to the tables of a reduction; nothing where it does not apply, or there is no code yet.

    `renewed` gives `direct_numbers` for other numbers of the elements.

    at_once: instructions, about, of code that is made at once where there is none; longer code is made beside the run,
        for the next one
    """
    program = engine.program
    if needs_reactions(program, engine.numbers.data):
        return {}  # which the core has from the equations in absolute coordinates
    length = reduction.once("length", lambda: _length(reduction, program))
    if length > LONGEST:
        return {}
    fixed = program.once("fixed data", lambda: fixed_data(program))
    tree = reduction.once("local tree", lambda: local_tree(reduction, engine))
    model = TreeModel(program, reduction, tree, engine.numbers.data, fixed)
    key = reduction.once("key", lambda: model.key)
    code = kernels_of(key, lambda: tree_programs(model), length <= at_once)
    program.once("straight-line code", dict)[key] = code  # which lives as long as the equations
    if not code.ready:
        return {}
    size = np.zeros(1)
    _call(code.address("direct_size"), model.values, size)

    def renewed(data: np.ndarray) -> np.ndarray:
        found = np.zeros(int(size[0]) + 1)
        _call(
            code.address("direct_numbers"),
            TreeModel(program, reduction, model.tree, data, fixed).values,
            found,
        )
        return found

    added = {"direct": code.addresses(["direct"]), "direct_numbers": renewed(model.data), "code": code}
    if code not in (agreed := reduction.once("agrees", list)):
        if not _agree(reduction, engine, tables, added):
            return {}
        agreed[:] = [code]
    return {**added, "renewed": renewed}


def _agree(reduction: Reduction, engine: Engine, tables: Mapping[str, Any], added: Mapping[str, Any]) -> bool:
    """Whether the code says what the general equations say, at the start and two other states."""
    general = ReducedSystem(engine.system, tables, reduction.rates)
    direct = ReducedSystem(engine.system, {**tables, **added}, reduction.rates)
    y = general.start(reduction.start)
    direct.start(reduction.start)
    rng, n, states = Random(0), len(reduction.rates), []
    followed = len(y) - engine.program.states - engine.program.followed
    first = followed - int(tables["turn_states"]) - n
    for size in (0.0, 1e-3, 1.0):
        step = size * np.array([rng.gauss(0.0, 1.0) for _ in y])
        step[followed : followed + engine.program.followed] = 0.0  # curve parameters follow from positions
        slides = np.flatnonzero(np.asarray(tables["turning"]) == 0)
        step[slides] *= NEAR  # no wheel goes through another
        if reduction.cuts:
            step[:first] = 0.0  # loops are closed here
        states.append(y + step)
    pairs = [(general.derivative(0.0, state), direct.derivative(0.0, state)) for state in states]
    sizes = [float(np.max(np.abs(a))) for a, _ in pairs]
    least = max(1e-300, AT_REST * max(sizes))
    return all(
        np.max(np.abs(a - b)) <= AGREES * max(least, size) for (a, b), size in zip(pairs, sizes, strict=True)
    )


def _call(address: int, values: np.ndarray, out: np.ndarray) -> None:
    """A program of given numbers: none of its other arguments is looked at."""
    pointer = ctypes.c_void_p
    given = (pointer * (NUMBERS + 1))(*[None] * NUMBERS, values.ctypes.data)
    ctypes.CFUNCTYPE(None, pointer, pointer)(address)(given, (pointer * 1)(out.ctypes.data))


def _length(reduction: Reduction, program: Program) -> int:
    """About how many instructions a program will have."""
    kernels = [use.kernel.wrench for use in program.forces]
    kernels += [use.kernel.event for use in program.forces if use.kernel.events]
    kernels += [program.constraints[c].kernel.full for c in reduction.cuts]
    kernels += [follow.kernel.follow for follow in program.follows]
    n, nodes = len(reduction.independent), len(reduction.tree.nodes)
    free = not reduction.cuts and reduction.B.shape[0] == n
    tree = OF_NODE * nodes + (0 if free else n**3 // 3 + 2 * n * nodes * nodes)
    return tree + sum(kernel.n_instructions() for kernel in kernels)


def tree_programs(model: TreeModel) -> list[Tape]:
    """The program of the given numbers, how many it finds, and that of the right-hand side."""
    first, second = Writing(model).programs()
    count = float(len(first.offsets[0]))
    size = Tape("direct_size", [ca.OP_CONST, ca.OP_OUTPUT], [(), (0,)], {1: (0, 0)}, {0: count}, [[0]])
    return [size, first, second]


class Writing:
    """The equations of a model, written down with numbers that write a program."""

    def __init__(self, model: TreeModel):
        self.model, self.program, self.tree = model, model.program, model.tree
        g = self.graph = Graph()
        tree, reduction = model.tree, model.reduction
        self.t = g.input(TIME, 0)
        scalars, balls, n = tree.scalars, reduction.tree.balls, tree.n
        self.data: list[Scalar] = [
            float(x) if known else g.input(NUMBERS, k, given=True)
            for k, (x, known) in enumerate(zip(model.data, model.fixed, strict=True))
        ]
        numbers, first = {}, len(model.data)
        for name, values in tree.numbers.items():
            numbers[name] = self._named(model.known(name), first)
            first += values.size
        u = [g.input(STATE, k) for k in range(scalars)]
        self.e = [[g.input(STATE, scalars + 4 * b + c) for c in range(4)] for b in range(balls)]
        speeds = scalars + 4 * balls
        self.rates = [g.input(STATE, speeds + k) for k in range(n)]
        self.equations = TreeEquations(tree, numbers, u, self.e, self.rates, self._sincos)
        self.numbers, self.u = numbers, u
        self.integrated = np.flatnonzero(np.any(np.isnan(reduction.turns), axis=1))
        counted = {int(k): speeds + n + place for place, k in enumerate(self.integrated)}
        self.turns = [
            g.input(STATE, counted[k])
            if k in counted
            else numbers["turns"][k] + dot(numbers["turn_ratio"][k][:scalars], u)
            for k in range(len(self.program.turns))
        ]
        first = speeds + n + len(counted)
        own = self.program.followed + self.program.states
        self.turns += [g.input(STATE, first + k) for k in range(own)]
        self.inputs = self._inputs()
        self.angles = Angles(g, model.values)
        self._jacobians: dict[int, Any] = {}
        self._records: dict[int, list[Scalar]] = {-1: self.program.space.ground().tolist()}
        self.followed_rates = self._follow()

    def _named(self, known: np.ndarray, first: int) -> Any:
        if known.ndim > 1:
            size = known[0].size if len(known) else 0
            return [self._named(part, first + k * size) for k, part in enumerate(known)]
        return [
            self.graph.input(NUMBERS, first + k, given=True) if x != x else x
            for k, x in enumerate(known.tolist())
        ]

    def _sincos(self, angle: Scalar) -> tuple[Scalar, Scalar]:
        return self.graph.apply(ca.OP_SIN, angle), self.graph.apply(ca.OP_COS, angle)

    def _inputs(self) -> list[Scalar]:
        """Functions of time: value and two derivatives each; tables and pieces of splines come from outside."""
        program, g = self.program, self.graph
        found: list[Scalar] = [0.0] * (3 * program.inputs + 3)
        sizes = {table.input: 3 for table in program.tables} | {
            curve.input: PIECE for curve in program.curves
        }
        for slot, size in sizes.items():
            for k in range(3 * slot, 3 * slot + size):
                found[k] = g.input(INPUTS, k)
        if program.formulas is not None:
            (values,) = g.call(program.formulas, [[self.t], self.data[: len(program.parameter_names)]])
            for k, slot in enumerate(program.formula_inputs):
                found[3 * slot : 3 * slot + 3] = values[3 * k : 3 * k + 3]
        return found

    def _follow(self) -> list[Scalar]:
        """Put the curve parameters at the contacts in place of those of the state; returns their rates."""
        rates: list[Scalar] = []
        for follow in self.program.follows:
            use = self.program.constraints[follow.constraint]
            values, own = self.graph.call(follow.kernel.follow, self.constraint_arguments(use))
            for turn, value in zip(use.turns, values, strict=True):
                self.turns[turn] = value
            rates += own
        return rates

    def record(self, k: int) -> list[Scalar]:
        """A body as the kernels take it."""
        if k not in self._records:
            x, R, v, w = self.equations.body(k)
            if self.program.space is PLANAR:
                ratio = self.numbers["body_angle"][k][: self.tree.scalars]
                phi = self.numbers["body_start"][k] + dot(ratio, self.u)
                self._records[k] = [x[0], x[1], R[0][0], R[1][0], phi, v[0], v[1], w[2]]
            else:
                self._records[k] = [*x, *(c for row in R for c in row), *v, *w]
        return self._records[k]

    def _in_space(self, own: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        six: list[Scalar] = [0.0] * 6
        for k, place in enumerate(self.program.space.velocities):
            six[place] = own[k]
        return six[:3], six[3:]

    def _forces(self) -> tuple[dict[int, Scalar], list[Scalar]]:
        """Loads on the nodes, along the spins (returned, by row), and events."""
        program, V = self.program, self.program.space.V
        spins: dict[int, Scalar] = {}
        events: list[Scalar] = [0.0] * program.events
        for use in program.forces:
            kernel, arguments = use.kernel, self.force_arguments(use)
            atan2 = None if kernel.has_formula else self.angles.atan2  # a formula may want whole turns
            (wrench,) = self.graph.call(kernel.wrench, arguments, atan2)
            for i, body in enumerate(use.bodies[: kernel.acting]):
                if body >= 0:
                    force, torque = self._in_space(wrench[V * i : V * (i + 1)])
                    self.equations.add_load(body, force, torque, spins)
            if kernel.events:
                (values,) = self.graph.call(kernel.event, arguments, atan2)
                events[use.first_event : use.first_event + kernel.events] = values
        return spins, events

    def force_arguments(self, use: ForceUse) -> list[list[Scalar]]:
        """Of the functions of a force's kernel."""
        wrench, bodies = use.kernel.wrench, len(use.bodies)
        return [
            *(self.record(k) for k in use.bodies),
            self.data[use.data : use.data + wrench.size1_in(bodies)],
            self.inputs[3 * use.input : 3 * use.input + wrench.size1_in(bodies + 1)],
            [self.turns[k] for k in use.turns],
            [self.t],
        ]

    def programs(self) -> tuple[Tape, Tape]:
        return self.graph.programs("direct", self.results(), NUMBERS)

    def results(self) -> list[list[Scalar]]:
        """Derivative of the state, events, and what loops need."""
        tree, equations = self.tree, self.equations
        spins, events = self._forces()
        rates: list[Scalar] = list(self.rates[: tree.scalars])
        for b, e in enumerate(self.e):
            w = self.rates[tree.scalars + 3 * b : tree.scalars + 3 * b + 3]
            rates.append(-0.5 * dot(w, e[1:]))
            turned = plus([e[0] * c for c in w], cross(w, e[1:]))
            rates += [0.5 * c for c in turned]
        after = [self.rate_of_turn(int(k)) for k in self.integrated] + self.followed_rates
        for use in self.program.forces:
            if use.kernel.states:
                after += self.graph.call(use.kernel.rate, self.force_arguments(use))[0]
        if self.model.open and tree.n > COMPOSITE:
            by_row = equations.articulated(spins)
            place = {row: k for k, row in enumerate(self.model.reduction.independent)}
            accelerations: list[Scalar] = [0.0] * tree.n
            for row, value in by_row.items():
                accelerations[place[row]] = value
            extra: list[list[Scalar]] = []
        else:
            M, f = equations.composite(spins)
            if self.model.reduction.cuts:
                accelerations, extra = [0.0] * tree.n, self._cuts(M, f)
            else:
                accelerations, extra = Factor(M).solve(f), []
        return [[*rates, *accelerations, *after], events, *extra]

    def rate_of_turn(self, k: int) -> Scalar:
        """z_a . (w_b - w_a)."""
        turn, space = self.program.turns[k], self.program.space
        a, b = self.record(turn.a), self.record(turn.b)
        if space is PLANAR:
            sign = self.data[turn.data + 11]
            return sign * (b[7] - a[7])
        local = [self.data[turn.data + c] for c in (5, 8, 11)]
        z = [dot(a[3 + 3 * i : 6 + 3 * i], local) for i in range(3)]
        return dot(z, minus(b[15:18], a[15:18]))

    # -- loops that are cut

    def _cuts(self, M: list[list[Scalar]], f: list[Scalar]) -> list[list[Scalar]]:
        program, n, V = self.program, self.tree.n, self.program.space.V
        lanes = program.space.lanes
        G: list[Scalar] = []
        natural: list[Scalar] = []
        residuals: list[Scalar] = []
        speeds: list[Scalar] = []
        wanted: list[Scalar] = []
        cams = {follow.constraint: follow.kernel.there for follow in program.follows}
        for c in self.model.reduction.cuts:
            use = program.constraints[c]
            found = self.graph.call(cams.get(c, use.kernel.full), self.constraint_arguments(use))
            g, gamma, nu = found[0], found[-2], found[-1]
            for p in range(use.rows):
                row: list[Scalar] = [0.0] * n
                size: list[Scalar] = [0.0] * n
                right = gamma[p]
                for body, block in use.by_body(found):
                    if body < 0:
                        continue
                    linear, angular = self._in_space([block[lanes * j + p] for j in range(V)])
                    a, alpha = self.equations.bias(body)
                    right = right - (dot(linear, a) + dot(angular, alpha))
                    self._add_row(body, linear, angular, row, size)
                G += row
                natural += size
                residuals.append(g[p])
                speeds.append(nu[p])
                wanted.append(right)
        mass = [M[i][j] for i in range(n) for j in range(n)]
        first = len(program.turns)
        followed = self.turns[first : first + program.followed]
        return [mass, f, G, natural, residuals, speeds, wanted, followed, self._wheels()]

    def _wheels(self) -> list[Scalar]:
        """Wheels a and b of each mesh that is cut, one after the other."""
        found: list[Scalar] = []
        meshes = [mesh.constraint for mesh in self.program.meshes]
        for c in self.model.reduction.cuts:
            for body in self.program.constraints[c].bodies[:2] if c in meshes else ():
                found += self.record(body)
                if body < 0:
                    found += [0.0] * (self.program.space.V * self.tree.n)
                    continue
                linear, angular, _ = self._jacobian(body)
                along = [(linear, k) if k < 3 else (angular, k - 3) for k in self.program.space.velocities]
                found += [columns[j][k] for columns, k in along for j in range(self.tree.n)]
        return found

    def constraint_arguments(self, use: ConstraintUse) -> list[list[Scalar]]:
        """Of the functions of a constraint's kernel."""
        first = 3 * max(use.input, 0)
        return [
            *(self.record(body) for body in use.bodies),
            self.data[use.data : use.data + use.kernel.data_size],
            self.inputs[first : first + 3 * use.kernel.inputs],
            [self.turns[turn] for turn in use.turns] or [0.0] * use.kernel.turns,
        ]

    def _add_row(
        self, body: int, f: list[Scalar], m: list[Scalar], row: list[Scalar], size: list[Scalar]
    ) -> None:
        """A row's entries for one body onto the coordinates; and how large they would be along the body's motions."""
        V, W, reach = self._jacobian(body)
        pull, turn = self._length(f), self._length(m)
        for j in range(self.tree.n):
            row[j] = row[j] + (dot(f, V[j]) + dot(m, W[j]))
            size[j] = size[j] + (pull * reach[j][0] + turn * reach[j][1])

    def _jacobian(self, body: int) -> Any:
        if body not in self._jacobians:
            self._jacobians[body] = self.equations.jacobian(body, self._length)
        return self._jacobians[body]

    def _length(self, a: list[Scalar]) -> Scalar:
        return self.graph.apply(ca.OP_SQRT, dot(a, a))
