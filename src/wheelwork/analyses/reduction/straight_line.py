r"""Drive lines as straight-line code: the right-hand side of a mechanism whose bodies all turn about axes of fixed
directions, in fixed bearings or on slides.

Such a mechanism is the small ordinary differential equation that a vibration engineer would write,

    M u'' = B^T (J^T f(q, q', t) + w),     q = q_0 + B u

with the constant mass matrix M, the constant Jacobian J of bearings and slides, the forces and torques f of the
elements, and the weights w along the slides. The elements' kernels are called once with symbols for q, what depends on
numbers alone is taken out and computed before the run, and the rest becomes one function of (t, y): no frames are
placed, nothing is looked up. It says the same as ``core/reduced.hpp``, in whose place it stands inside steps; a look
at three states makes sure of that each time.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from wheelwork.engine.code import Kernels, kernels
from wheelwork.engine.engine import Engine
from wheelwork.engine.reduced import ReducedSystem
from wheelwork.equations.program import ForceUse, Program
from wheelwork.equations.space import PLANAR

from .angles import NEAR, Angles
from .fixed_directions import Fixed
from .joints import StepType
from .reduce import Reduction

AGREES = 1e-9
"""Difference to the general equations, relative to the largest rate, at which straight-line code is not used."""


@dataclass(frozen=True)
class _Code:
    """Compiled code and the function that finds the numbers it takes."""

    numbers: ca.Function
    code: Kernels


_made: weakref.WeakKeyDictionary[Engine, dict[Any, _Code]] = weakref.WeakKeyDictionary()


def straight_line(reduction: Reduction, engine: Engine, tables: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """What to add to the tables of a reduction; nothing where it does not apply."""
    program = engine.program
    if not _applies(reduction, program):
        return {}
    fixed = Fixed(reduction, engine)
    if not fixed.possible:
        return {}
    known = _made.setdefault(engine, {})
    if fixed.key not in known:
        known[fixed.key] = _compiled(fixed, program, engine.numbers.data)
    code = known[fixed.key]
    found = np.array(code.numbers(engine.numbers.data, fixed.values)).ravel()
    added = {"direct": code.code.addresses(["direct"]), "direct_numbers": np.append(found, 0.0)}
    return added if _agree(reduction, engine, tables, added) else {}


def _applies(reduction: Reduction, program: Program) -> bool:
    tree = reduction.tree
    simple = not (reduction.cuts or program.tables or program.frictions or program.contacts)
    slides = all(node.step.type is StepType.SLIDE for node in tree.nodes)
    return simple and slides and not program.follows and not np.any(np.isnan(reduction.turns))


def _compiled(fixed: Fixed, program: Program, data_values: np.ndarray) -> _Code:
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
    angles = Angles(phi, parameters, np.concatenate([data_values, fixed.values]))
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
    return _Code(numbers, kernels([function]))


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


def _along(fixed: Fixed, k: int, of_rows: ca.SX) -> ca.SX:
    """The way of a body by its slides, or its velocity."""
    way = ca.SX.zeros(3)
    for row, axis in fixed.slides.get(k, []):
        for i in range(3):
            if axis[i]:
                way[i] += axis[i] * of_rows[row]
    return way


def _record(
    fixed: Fixed, k: int, angles: Angles, w: ca.SX, named: dict[str, ca.SX], way: ca.SX, velocity: ca.SX
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


def _agree(reduction: Reduction, engine: Engine, tables: Mapping[str, Any], added: Mapping[str, Any]) -> bool:
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
