r"""Drive lines as straight-line code: the right-hand side of a mechanism whose bodies all turn about axes of fixed
directions, in fixed bearings or on slides.

Such a mechanism is the small ordinary differential equation that a vibration engineer would write,

    M u'' = B^T (J^T f(q, q', t) + w),     q = q_0 + B u

with the constant mass matrix M, the constant Jacobian J of bearings and slides, the forces and torques f of the
elements, and the weights w along the slides. The elements' kernels are called
once with symbols for these angles, what depends on numbers alone is taken out and computed before the run, and the rest
becomes one function of (t, y): no frames are placed, nothing is looked up. It says the same as ``runtime/reduced.hpp``,
in whose place it stands inside steps; a look at three states makes sure of that each time.

Angles of wheels against lines of centres, and against each other, are atan2 of sines and cosines in the elements, which
know only frames. About fixed axes, with lines of centres that rest,

    atan2(p sin(phi) + q cos(phi), p cos(phi) - q sin(phi)) = phi + atan2(q, p)      (but for whole turns)

and elements do not depend on whole turns, at which atan2 itself jumps. So no sine is left of the motion of the wheels.
The same holds where a slide moves a wheel along the line of centres (not through the other wheel).
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from wheelwork.equations.program import ForceUse, Program
from wheelwork.equations.space import PLANAR
from wheelwork.kernel.libraries import KernelLibrary, kernel_path
from wheelwork.kernel.native import NativeEngine
from wheelwork.kernel.reduced import ReducedSystem

from .joints import StepType
from .reduce import Reduction
from .tree import Tree, about

AGREES = 1e-9
"""Difference to the general equations, relative to the largest rate, at which straight-line code is not used."""
MOST_ANGLES = 2
"""Bodies whose angles an element compares."""
NEAR = 1e-3
"""Ways of slides with which it is tried whether a line of centres keeps its direction [m]."""
WHOLE = (-1.0, 0.0, 1.0)
"""Numbers that are written into the code: directions of axes, and ratios where there are no gears."""


@dataclass(frozen=True)
class _Code:
    """Compiled code and the function that finds the numbers it takes."""

    numbers: ca.Function
    address: int
    library: KernelLibrary


_made: weakref.WeakKeyDictionary[NativeEngine, dict[Any, _Code]] = weakref.WeakKeyDictionary()


def straight_line(
    reduction: Reduction, engine: NativeEngine, tables: Mapping[str, Any]
) -> dict[str, int | np.ndarray]:
    """What to add to the tables of a reduction; nothing where it does not apply."""
    program = engine.program
    if not _applies(reduction, program):
        return {}
    fixed = _Fixed(reduction, engine)
    if not fixed.possible:
        return {}
    known = _made.setdefault(engine, {})
    if fixed.key not in known:
        known[fixed.key] = _compiled(fixed, program, engine.numbers.data)
    code = known[fixed.key]
    found = np.array(code.numbers(engine.numbers.data, fixed.values)).ravel()
    added: dict[str, int | np.ndarray] = {"direct": code.address, "direct_numbers": np.append(found, 0.0)}
    return added if _agree(reduction, engine, tables, added) else {}


def _applies(reduction: Reduction, program: Program) -> bool:
    tree = reduction.tree
    simple = not (reduction.cuts or program.tables or program.frictions or program.contacts)
    slides = all(node.step.type is StepType.SLIDE for node in tree.nodes)
    return simple and slides and not program.follows and not np.any(np.isnan(reduction.turns))


class _Fixed:
    """Where the axes are, and which numbers there are: those in `key` are written into the code."""

    def __init__(self, reduction: Reduction, engine: NativeEngine):
        program, tree = engine.program, reduction.tree
        self.program, self.n = program, len(reduction.independent)
        self.B = reduction.B
        x, R = program.space.poses(program.coordinates(reduction.start))
        rest = program.space.poses(program.coordinates(engine.numbers.state))[1]
        self.spins = {k: spin for _, spin in tree.spins() for k in spin.bodies}
        self.axes = {k: _tidied(spin.step.axis) for k, spin in self.spins.items()}
        self.slides = _slides(tree)
        self.rest = np.broadcast_to(np.eye(3), rest.shape) if program.space is PLANAR else _tidied(rest)
        self.angle = np.zeros(len(program.bodies))
        self.possible = True
        for k, axis in self.axes.items():
            turned = R[k] @ self.rest[k].T
            twice_sine = turned - turned.T
            sine = 0.5 * axis @ np.array([twice_sine[2, 1], twice_sine[0, 2], twice_sine[1, 0]])
            self.angle[k] = np.arctan2(sine, 0.5 * (np.trace(turned) - 1))
            baked = np.all(np.isin(axis, WHOLE)) and np.all(np.isin(self.rest[k], WHOLE))
            self.possible &= bool(baked and np.allclose(about(axis, self.angle[k]), turned, atol=1e-9))
        if program.space is PLANAR:
            self.angle = np.array(program.coordinates(reduction.start)[:, 2])
        mass = sum(
            (spin.polar * np.outer(self.B[spin.row], self.B[spin.row]) for _, spin in tree.spins()),
            np.zeros((self.n, self.n)),
        )
        weight = np.zeros(len(self.B))
        for k, slides in self.slides.items():
            moves = np.zeros((3, len(self.B)))
            for row, axis in slides:
                moves[:, row] += axis
                self.possible &= bool(np.all(np.isin(axis, WHOLE)))
            mass += engine.numbers.mass[k] * self.B.T @ moves.T @ moves @ self.B
            weight += engine.numbers.mass[k] * engine.numbers.gravity[k] @ moves
        self.ratios = np.vstack([self.B, reduction.turns])
        inverse = np.linalg.inv(mass)
        inverse[np.abs(inverse) < 1e-14 * np.abs(inverse).max()] = 0.0
        self.inverse = inverse
        still = program.space.records(
            program.coordinates(reduction.start), np.zeros((len(program.bodies), program.space.V))
        )
        turns = reduction.start[program.nq + program.nv :][: len(program.turns)]
        self.parts = {
            "x": x.ravel(),
            "angle": self.angle,
            "still": still.ravel(),
            "turns": turns,
            "ratios": self.ratios.ravel(),
            "inverse": inverse.ravel(),
            "weight": weight,
        }

    @property
    def values(self) -> np.ndarray:
        return np.concatenate([np.zeros(0), *self.parts.values()])

    @property
    def key(self) -> Any:
        """What the code depends on besides the program."""
        axes = tuple((k, *axis, self.spins[k].row) for k, axis in sorted(self.axes.items()))
        slides = tuple((k, row, *axis) for k, found in sorted(self.slides.items()) for row, axis in found)
        whole = np.where(np.isin(self.ratios, WHOLE), self.ratios, 2.0)
        slides = (slides, (self.parts["x"] == 0).tobytes()) if slides else ()
        return axes, slides, whole.tobytes(), (self.inverse != 0).tobytes()

    def symbols(self) -> tuple[ca.SX, dict[str, ca.SX]]:
        """All numbers as symbols, with those that the code may rely on written in."""
        column = ca.SX.sym("c", len(self.values))
        named: dict[str, ca.SX] = {}
        first = 0
        for name, values in self.parts.items():
            named[name] = column[first : first + len(values)]
            first += len(values)
        if self.slides:  # a line of centres along an axis of the world stays there
            for k in np.flatnonzero(self.parts["x"] == 0):
                named["x"][int(k)] = 0
        for k, ratio in enumerate(self.ratios.ravel()):
            if ratio in WHOLE:
                named["ratios"][k] = ratio
        for k, entry in enumerate(self.inverse.ravel()):
            if entry == 0:
                named["inverse"][k] = 0
        return column, named


def _slides(tree: Tree) -> dict[int, list[tuple[int, np.ndarray]]]:
    """Rows and directions of the slides that carry each body, from ground outward."""
    chains: list[list[tuple[int, np.ndarray]]] = []
    found: dict[int, list[tuple[int, np.ndarray]]] = {}
    for node in tree.nodes:
        below = chains[node.parent] if node.parent >= 0 else []
        chains.append([*below, (node.row, _tidied(node.step.axis))])
        for k in [*node.bodies, *(k for spin in node.spins for k in spin.bodies)]:
            found[k] = chains[-1]
    return found


def _tidied(directions: np.ndarray) -> np.ndarray:
    """Numbers that are whole but for round-off as whole ones."""
    return np.where(np.abs(directions - np.round(directions)) < 1e-12, np.round(directions) + 0.0, directions)


def _compiled(fixed: _Fixed, program: Program, data_values: np.ndarray) -> _Code:
    """The right-hand side from the elements' kernels, in machine code."""
    n, bodies = fixed.n, len(program.bodies)
    t, y = ca.SX.sym("t"), ca.SX.sym("y", 2 * n)
    data, data_symbols = _data(program)
    column, named = fixed.symbols()
    u, rates = y[:n], y[n:]
    ratios = ca.reshape(named["ratios"], n, fixed.ratios.shape[0]).T
    B, turn_ratios = ratios[: len(fixed.B), :], ratios[len(fixed.B) :, :]
    phi, w = [], []
    for k in range(bodies):
        row = B[fixed.spins[k].row, :] if k in fixed.spins else ca.SX(1, n)
        sign = 1.0
        if program.space is PLANAR and k in fixed.spins:
            sign = float(fixed.axes[k][2])
        phi.append(named["angle"][k] + sign * ca.mtimes(row, u))
        w.append(ca.mtimes(row, rates))
    parameters = ca.vertcat(data_symbols, column)
    angles = _Angles(phi, parameters, np.concatenate([data_values, fixed.values]))
    moved = [
        (_along(fixed, k, ca.mtimes(B, u)), _along(fixed, k, ca.mtimes(B, rates))) for k in range(bodies)
    ]
    records = [_record(fixed, k, angles, w[k], named, *moved[k]) for k in range(bodies)]
    turns = named["turns"] + ca.mtimes(turn_ratios, u) if len(program.turns) else ca.SX(0, 1)
    inputs = _inputs(program, t, data)
    acting = named["weight"] if fixed.slides else ca.SX(len(fixed.B), 1)
    events: list[ca.SX] = [ca.SX(0)] * program.events
    for use in program.forces:
        wrench, crossed = _called(use, program, records, data, inputs, turns, t)
        both = angles.unwound(ca.vertcat(wrench, crossed))
        V = program.space.V
        for i, body in enumerate(use.bodies[: use.kernel.acting]):
            load = program.space.in_space(both[V * i : V * (i + 1)])
            if body in fixed.spins:
                acting[fixed.spins[body].row] += ca.dot(ca.SX(fixed.axes[body].tolist()), load[3:])
            for row, axis in fixed.slides.get(body, []):
                acting[row] += ca.dot(ca.SX(axis.tolist()), load[:3])
        for k in range(use.kernel.events):
            events[use.first_event + k] = both[wrench.numel() + k]
    inverse = ca.reshape(named["inverse"], n, n)
    outputs = ca.vertcat(rates, ca.mtimes(inverse, ca.mtimes(B.T, acting)), *events)
    (left,) = ca.cse([ca.densify(angles.written(outputs))])
    left, taken, given = ca.extract_parametric(left, parameters)
    taken, given = ca.vertcat(ca.SX(0, 1), *taken), ca.vertcat(ca.SX(0, 1), *given)
    # symbols that are used as they are go the same way as what was computed from them
    plain = [s for s in ca.symvar(left) if ca.depends_on(parameters, s)]
    fresh = ca.SX.sym("p", len(plain))
    left = ca.substitute(left, ca.vertcat(ca.SX(0, 1), *plain), fresh)
    constants = ca.vertcat(taken, fresh)
    numbers = ca.Function("numbers", [data_symbols, column], [ca.densify(ca.vertcat(given, *plain))])
    function = ca.Function("direct", [t, y, constants], [left[: 2 * n], ca.densify(left[2 * n :])])
    library = KernelLibrary()
    library.load(kernel_path([function]), ["direct"])
    return _Code(numbers, library.address("direct"), library)


def _data(program: Program) -> tuple[ca.SX, ca.SX]:
    """The data as symbols; numbers that depend on no parameter as numbers."""
    symbols = ca.SX.sym("d", program.data_size)
    depends = np.zeros(program.data_size, bool)
    depends[program.numbers_function.jac_sparsity(0, 0).get_triplet()[0]] = True
    for computed in program.computed:
        depends[computed.indices] = True
    values = program.numbers().data
    entries = [symbols[k] if depends[k] else ca.SX(float(values[k])) for k in range(program.data_size)]
    return ca.vertcat(ca.SX(0, 1), *entries), symbols


def _inputs(program: Program, t: ca.SX, data: ca.SX) -> ca.SX:
    """Functions of time: value and two derivatives each."""
    inputs = ca.SX(3 * program.inputs + 3, 1)
    if program.formulas is not None:
        found = program.formulas(t, data[: len(program.parameter_names)])
        for k, slot in enumerate(program.formula_inputs):
            inputs[3 * slot : 3 * slot + 3] = found[3 * k : 3 * k + 3]
    return inputs


def _along(fixed: _Fixed, k: int, of_rows: ca.SX) -> ca.SX:
    """The way of a body by its slides, or its velocity."""
    way = ca.SX.zeros(3)
    for row, axis in fixed.slides.get(k, []):
        for i in range(3):
            if axis[i]:
                way[i] += axis[i] * of_rows[row]
    return way


def _record(
    fixed: _Fixed, k: int, angles: _Angles, w: ca.SX, named: dict[str, ca.SX], way: ca.SX, velocity: ca.SX
) -> ca.SX:
    """A body's record, with symbols for sine and cosine."""
    space, size = fixed.program.space, fixed.program.space.record
    if k not in fixed.spins:
        still = ca.SX(named["still"][size * k : size * (k + 1)])
        if k in fixed.slides:
            n, first = (2, 5) if space is PLANAR else (3, 12)
            still[:n] += way[:n]
            still[first : first + n] = velocity[:n]
        return still
    s, c = angles.sine[k], angles.cosine[k]
    axis = fixed.axes[k]
    x, rate = named["x"][3 * k : 3 * k + 3] + way, ca.SX(axis.tolist()) * w
    if space is PLANAR:
        return ca.vertcat(x[:2], c, s, angles.phi[k], velocity[:2], rate[2])
    a = ca.SX(axis.tolist())
    R = c * ca.SX.eye(3) + (1 - c) * ca.mtimes(a, a.T) + s * ca.skew(a)
    # along the axis 1, and nothing across it: exactly, so that what rests is seen to
    for i in range(3):
        if axis[i]:
            R[i, :], R[:, i] = 0, 0
            R[i, i] = 1
    R = ca.mtimes(R, ca.SX(fixed.rest[k].tolist()))
    return ca.vertcat(x, ca.reshape(R.T, 9, 1), velocity, rate)


def _called(
    use: ForceUse, program: Program, records: list[ca.SX], data: ca.SX, inputs: ca.SX, turns: ca.SX, t: ca.SX
) -> tuple[ca.SX, ca.SX]:
    """Wrenches and events of a force."""
    kernel = use.kernel
    ground = ca.SX(program.space.ground().tolist())
    size = kernel.wrench.size1_in(len(use.bodies))
    width = kernel.wrench.size1_in(len(use.bodies) + 1)
    own = ca.vertcat(ca.SX(0, 1), *(turns[k] for k in use.turns))
    arguments = [
        *(records[k] if k >= 0 else ground for k in use.bodies),
        data[use.data : use.data + size],
        inputs[3 * use.input : 3 * use.input + width],
        own,
        t,
    ]
    wrench = kernel.wrench(*arguments)
    return wrench, kernel.event(*arguments) if kernel.events else ca.SX(0, 1)


class _Angles:
    """Angles of the bodies, with symbols for their sines and cosines."""

    def __init__(self, phi: list[ca.SX], parameters: ca.SX, values: np.ndarray):
        self.phi, self.parameters, self.values = phi, parameters, values
        self.sine, self.cosine = ca.SX.sym("s", len(phi)), ca.SX.sym("k", len(phi))

    def written(self, found: ca.SX) -> ca.SX:
        """An expression without the symbols."""
        phi = ca.vertcat(*self.phi)
        return ca.substitute(found, ca.vertcat(self.sine, self.cosine), ca.vertcat(ca.sin(phi), ca.cos(phi)))

    def unwound(self, found: ca.SX) -> ca.SX:
        """The same with atan2 of a turning direction replaced by the angle itself; see the module's docstring."""
        symbols = ca.vertcat(ca.SX(0, 1), *ca.symvar(found))
        function = ca.Function("f", [symbols], [ca.densify(found)])
        work: dict[int, ca.SX] = {}
        out = ca.SX(found.numel(), 1)
        for k in range(function.n_instructions()):
            op, sources = function.instruction_id(k), function.instruction_input(k)
            targets = function.instruction_output(k)
            if op == ca.OP_OUTPUT:
                out[targets[1]] = work[sources[0]]
            elif op == ca.OP_INPUT:
                work[targets[0]] = symbols[sources[1]]
            elif op == ca.OP_CONST:
                work[targets[0]] = ca.SX(function.instruction_constant(k))
            elif op == ca.OP_ATAN2:
                work[targets[0]] = self._angle(work[sources[0]], work[sources[1]])
            elif len(sources) == 2:
                work[targets[0]] = ca.SX.binary(op, work[sources[0]], work[sources[1]])
            else:
                work[targets[0]] = ca.SX.unary(op, work[sources[0]])
        return out

    def _angle(self, over: ca.SX, under: ca.SX) -> ca.SX:
        """atan2(over, under), as a sum of angles and a number where it is that: found by trying some positions."""
        pair = ca.vertcat(over, under)
        own = [k for k in range(len(self.phi)) if ca.depends_on(pair, self._pair(k))]
        inner = ca.vertcat(ca.SX(0, 1), *(self._pair(k) for k in own))
        others = [x for x in ca.symvar(pair) if not ca.depends_on(ca.vertcat(self.parameters, inner), x)]
        if not own or len(own) > MOST_ANGLES:
            return ca.atan2(over, under)
        slides = ca.vertcat(ca.SX(0, 1), *others)
        function = ca.Function("f", [inner, self.parameters, slides], [ca.atan2(over, under)])
        rng = np.random.default_rng(0)
        tries = [np.zeros(len(own)), *rng.uniform(-np.pi, np.pi, (4, len(own)))]
        ways = [np.zeros(len(others)), *rng.uniform(-NEAR, NEAR, (4, len(others)))]
        pairs = [np.column_stack([np.sin(phi), np.cos(phi)]).ravel() for phi in tries]
        found = [float(function(at, self.values, way)) for at, way in zip(pairs, ways, strict=True)]
        for signs in itertools.product((1.0, -1.0), repeat=len(own)):
            apart = [x - found[0] - np.dot(signs, phi) for x, phi in zip(found[1:], tries[1:], strict=True)]
            if all(abs(np.sin(x / 2)) < 1e-9 for x in apart):
                rest = ca.substitute(
                    ca.atan2(over, under),
                    ca.vertcat(inner, slides),
                    ca.SX([*pairs[0].tolist(), *ways[0].tolist()]),
                )
                return rest + sum((sign * self.phi[k] for sign, k in zip(signs, own, strict=True)), ca.SX(0))
        return ca.atan2(over, under)

    def _pair(self, k: int) -> ca.SX:
        return ca.vertcat(self.sine[k], self.cosine[k])


def _agree(
    reduction: Reduction, engine: NativeEngine, tables: Mapping[str, Any], added: Mapping[str, Any]
) -> bool:
    """Whether the code says what the general equations say, at the start and two other states."""
    general = ReducedSystem(engine.system, tables, reduction.rates)
    direct = ReducedSystem(engine.system, {**tables, **added}, reduction.rates)
    y = general.start(reduction.start)
    direct.start(reduction.start)
    rng, n = np.random.default_rng(0), len(reduction.rates)
    for size in (0.0, 1e-3, 1.0):
        step = size * rng.normal(size=2 * n)
        step[:n][np.asarray(tables["turning"])[:n] == 0] *= NEAR  # slides: no wheel goes through another
        state = y + step
        a, b = general.derivative(0.0, state), direct.derivative(0.0, state)
        if not np.max(np.abs(a - b)) <= AGREES * max(1e-300, float(np.max(np.abs(a)))):
            return False
    return True
