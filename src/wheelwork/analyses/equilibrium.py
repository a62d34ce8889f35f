"""Static equilibrium: the position near the given one in which nothing accelerates.

Two stages. Relaxation: the motion is integrated from rest and stopped dead whenever its kinetic energy passes a
peak (kinetic damping); this walks downhill to a stable position from anywhere. Newton's method on forces and
constraints, with exact derivatives, then finishes to round-off. Stiff teeth with play go down by steps of their own
(:mod:`.descent`), before relaxation is tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wheelwork.description import Description, Equilibrium, ModelError
from wheelwork.engine.engine import RECORDED, RunOptions
from wheelwork.engine.outcome import Outcome
from wheelwork.lazy import integrate
from wheelwork.problems import listed
from wheelwork.system.matrices import bilateral_rows, full_jacobian
from wheelwork.system.motion import Motion
from wheelwork.system.signal_values import kinetic_energy

from .along_motions import measured_partials
from .assemble import POSITION_TOLERANCE, Assembled, assembled
from .control_states import control_states
from .descent import AtRest, at_rest, mass_times
from .downhill import descend, meshes
from .kinks import too_deep
from .linear_equations import linearised
from .options import merged
from .prepare import prepare
from .small_algebra import by_one_blas_thread
from .tangents import separating_gains, tangent_matrices

ENDLESS = (Outcome.TOO_MANY_STEPS, Outcome.STEP_TOO_SMALL, Outcome.CONSTRAINTS_LOST)
"""How a fall ends that comes to a position which it cannot pass: a wheel that falls flat."""
MOST_ENDLESS = 4
"""Such falls, each of many steps, before nothing more is expected."""


ROUND_OFF = 1e-13
"""Of positions, over their size: a step of Newton's method that is no larger cannot come closer, however stiff a spring
makes what is left of the forces."""


MOST_STEPS = 30
"""Of Newton's method."""


def equilibrium(
    description: Description,
    *,
    parameters: Mapping[str, Any] | None = None,
    time: float = 0.0,
    **options: Any,
) -> Assembled:
    """The static equilibrium near the given position, with reactions; raises ModelError if there is none.

    States of continuous controls are found with it: none changes there; those that change with motion alone, as
    hysteresis and slip do, are what the way from the given position makes of them. An equilibrium that a control
    acts on is returned whether it is stable or not; `linearise(at=...)` tells.

    Options are those of :class:`wheelwork.description.Equilibrium`: `tolerance`, on accelerations relative to the
    largest at the start (m/s^2 and rad/s^2).
    """
    settings: Any = merged(description, Equilibrium, options, parameters)
    at = assembled(prepare(description, parameters), time)
    control = len(control_states(at.motion)) > 0
    state = at_rest(at, at.state)
    scale = np.maximum(1.0, _largest_accelerations(at, state))
    if not all(use.holonomic for use in at.prepared.program.constraints):
        state = _fallen(at, state)
    teeth = meshes(at.prepared)
    for _ in range(40):
        polished = _newton(at, state, float(settings.tolerance) * scale)
        if polished is None and teeth:
            least = float(settings.tolerance) * float(scale[0])
            polished, teeth = descend(AtRest(at), at.prepared, at.t, state, least, teeth), []
            if polished is not None and control:
                polished = _newton(at, polished, float(settings.tolerance) * scale)
        if polished is not None:
            found = Assembled(at.prepared, polished, at.misfits, at.t)
            falls = _falls(found)
            if falls is None:
                problems = too_deep(found)
                if problems:
                    raise ModelError(problems)
                return found
            pushed = _off_balance(found, falls, at.state)
            if pushed is None:
                raise ModelError(
                    "no stable equilibrium was found: nothing accelerates in a position near the given one, but "
                    f"it is unstable there, first `{_farthest(found, falls)}`, and no other was found as it moved on",
                    path="analysis",
                    hint="support it by a spring or an elastic stop, or begin nearer to where it can rest",
                )
            state = pushed
        moved = _relax(at, state)
        if moved is None:
            break
        state = moved
    raise ModelError(
        "no equilibrium was found: the mechanism keeps moving under its forces, most of all "
        + _what_accelerates(at, state),
        path="analysis",
        hint=_what_to_do(at),
    )


def _what_to_do(at: Assembled) -> str:
    program = at.prepared.program
    holds = dict.fromkeys(use.name for use in (*program.contacts, *program.frictions))
    if holds:
        return (
            f"dry friction, rigid stops and rigid contacts hold nothing in an equilibrium (here {listed(holds)}): "
            "simulate until it rests, or put something elastic in their place"
        )
    return "a body may be free to fall or to spin: hold it by a joint, a spring or a driver"


def _what_accelerates(at: Assembled, y: np.ndarray) -> str:
    """The body that accelerates most."""
    program = at.prepared.program
    a = at.prepared.engine.derivative(at.t, y)[1].reshape(len(program.bodies), -1)
    moves, turns = (
        np.linalg.norm(a[:, part], axis=1) for part in (program.space.linear, program.space.angular)
    )
    if moves.max() > turns.max():
        k = int(np.argmax(moves))
        return f"`{program.bodies[k]}`, by {moves[k]:.3g} m/s^2"
    k = int(np.argmax(turns))
    return f"`{program.bodies[k]}`, which turns by {turns[k]:.3g} rad/s^2"


def _largest_accelerations(at: Assembled, y: np.ndarray) -> np.ndarray:
    """Largest acceleration from rest, and largest rate of states of a control."""
    rates, a, _ = at.prepared.engine.derivative(at.t, y)
    places = control_states(Assembled(at.prepared, y, [], at.t).motion).places
    return np.array([np.max(np.abs(part), initial=0.0) for part in (a, rates[places])])


def _falls(at: Assembled) -> np.ndarray | None:
    """The small motion of all bodies in which the mechanism leaves an unstable equilibrium; None if it is stable.

    It is one whose forces pull it further in its direction: an eigenvector of K with a negative eigenvalue. Where
    forces have no potential (films of oil) K is not symmetric, and its symmetric part says nothing about that.
    """
    linear = linearised(at, statics=True)
    if not len(linear.K) or np.any(linear.B):
        return None
    found: Any = np.linalg.eig(linear.K)
    values, vectors = found
    # in 1/s^2: what round-off makes of zero beside stiff teeth and bearings, which must not hide a fall by weight
    slack = max(1e-8, 1e-12 * float(np.max(np.abs(values))))
    real = np.where(np.abs(values.imag) <= slack, values.real, np.inf)
    least = int(np.argmin(real))
    if real[least] >= -slack:
        return None
    return linear.basis @ vectors[:, least].real


def _farthest(at: Assembled, step: np.ndarray) -> str:
    """The body that moves or turns most."""
    bodies = at.prepared.program.bodies
    return bodies[int(np.argmax(np.linalg.norm(step.reshape(len(bodies), -1), axis=1)))]


def _off_balance(at: Assembled, step: np.ndarray, given: np.ndarray) -> np.ndarray | None:
    """A state a little off an unstable equilibrium, along the motion `step` in which it falls, to the side of the given
    position; None if nothing stops it on its way.
    """
    program = at.prepared.program
    size = float(np.linalg.norm(step)) / np.sqrt(len(program.bodies))
    step = step * (0.05 / max(program.largest_turn(step), size, 1e-12))
    q, q_given = (program.coordinates(y) for y in (at.state, given))
    linear_part = program.space.linear
    moves = step.reshape(len(q), -1)[:, linear_part]
    if np.sum(moves * (q_given - q)[:, linear_part]) < 0:
        step = -step
    moved, done = at.prepared.engine.project(at.t, program.displaced(at.state, step), POSITION_TOLERANCE, 30)
    return _relax(at, at_rest(at, moved)) if done else None


def _fallen(at: Assembled, y: np.ndarray) -> np.ndarray:
    """The state after relaxation: with rows of speeds positions depend on the path, which Newton's long steps leave."""
    relaxed = _relax(at, y)
    return y if relaxed is None else relaxed


@by_one_blas_thread
def _relax(at: Assembled, y: np.ndarray) -> np.ndarray | None:
    """Fall from rest to the first peak of kinetic energy, a number of times."""
    prepared, state, endless = at.prepared, y, 0
    for _ in range(25):
        largest = _largest_accelerations(at, state)
        if largest.max() < 1e-9:
            return state
        span = min(10.0, 4.0 / np.sqrt(largest.max()))
        peak = None
        for _ in range(6):
            grid = np.linspace(0.0, span, 41)
            run = prepared.engine.integrate(
                state, grid, RunOptions(end=span, rtol=1e-5, atol=1e-7, max_steps=200_000)
            )
            if run.report.outcome is Outcome.TEETH_SKIPPED:
                raise ModelError(
                    f"no equilibrium was found: the teeth of {run.report.worst_element} skip under the load",
                    path="analysis",
                    hint="give them more `stiffness`, or less load",
                )
            if len(run.t) < 3 or not np.all(np.isfinite(run.state)):
                return None
            endless += run.report.outcome in ENDLESS
            if endless > MOST_ENDLESS:
                text = (
                    f"no equilibrium was found: the mechanism falls for {run.report.t:.3g} s until it cannot continue "
                    f"({run.report.outcome})"
                )
                hint = "begin nearer to where it can rest, or support the falling body"
                raise ModelError(text, path="analysis", hint=hint)
            motion = Motion(prepared.program, prepared.numbers, *(getattr(run, name) for name in RECORDED))
            energy = kinetic_energy(motion)
            if not np.all(np.isfinite(energy)):
                return None
            drops = np.nonzero(np.diff(energy) < 0)[0]
            if len(drops):
                peak = run.state[drops[0]]
                break
            span *= 2.5
        if peak is None:
            return None
        state = at_rest(at, peak)
    return state


@by_one_blas_thread
def _newton(at: Assembled, y: np.ndarray, tolerance: np.ndarray) -> np.ndarray | None:
    """Newton's method on M a = f - G^T lambda with a = 0, g = 0, and z' = 0; None if it does not arrive.

    States that change with motion alone (hysteresis, slip of belts, bristles) rest in any value: they are what their
    rates make of them on the straight way from `y`, and so stay within what they can hold.
    """
    prepared, state = at.prepared, np.array(y)
    program, engine = prepared.program, prepared.engine
    rows = bilateral_rows(program)
    last, way = np.inf, np.zeros(program.nv)
    for _ in range(MOST_STEPS):
        largest = _largest_accelerations(at, state)
        if np.all(largest <= tolerance):
            return state
        if np.max(largest / tolerance) > 2 * last:
            return None
        last = float(np.max(largest / tolerance))
        view = Assembled(prepared, state, [], at.t)
        _, K = tangent_matrices(view.motion)
        g, G, _, _ = engine.constraints(at.t, state)
        full = full_jacobian(program, G)[rows]
        rates, a, _ = engine.derivative(at.t, state)
        force = mass_times(prepared, state, a)
        control = control_states(view.motion)
        pressed = full.T - separating_gains(view.motion)[:, rows]
        count, states = len(rows), len(control)
        by_position, by_multiplier = control.by_position, np.zeros((states, count))
        if control.by_measured.any():
            moved, loaded = measured_partials(view.motion)
            by_position = by_position + control.by_measured @ moved
            by_multiplier = control.by_measured @ loaded[:, rows]
        by_velocity, own = _by_velocity(at, state, way) if states else control.by_velocity, control.own
        others = np.abs(np.hstack([by_position, by_multiplier, own, control.by_measured])).max(
            axis=1, initial=0
        )
        carried = (rates[control.places] == 0) & (
            others <= 1e-9 * (1 + np.abs(by_velocity).max(axis=1, initial=0))
        )
        by_position = np.where(carried[:, None], -by_velocity, by_position)
        own = np.where(carried[:, None], np.eye(states), own)
        matrix = np.block(
            [
                [K, pressed, -control.force],
                [full, np.zeros((count, count + states))],
                [by_position, by_multiplier, own],
            ]
        )
        right = np.concatenate([force, -g[rows], -rates[control.places]])
        found = _least(matrix, right)
        step, places = found[: program.nv], control.places[~carried]
        change = found[program.nv + count :][~carried]
        if all(
            np.abs(part).max(initial=0.0) <= ROUND_OFF * max(1.0, np.abs(of).max(initial=0.0))
            for part, of in ((step, program.coordinates(state)), (change, state[places]))
        ):
            met = np.linalg.norm(matrix @ found - right) <= 1e-6 * np.linalg.norm(right)
            return state if met and np.all(np.abs(rates[control.places]) <= tolerance[1]) else None
        if not np.all(np.isfinite(step)) or program.largest_turn(step) > 1.0:
            return None
        projected, done = engine.project(at.t, program.displaced(state, step), POSITION_TOLERANCE, 30)
        if not done:
            return None
        projected = at_rest(at, projected)
        projected[places] += change
        places = control.places[carried]
        way = way + step
        projected[places] = _carried_along(at, y, way, places)
        state = projected
    return None


def _by_velocity(at: Assembled, y: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Derivatives of the rates of states by velocities (states, V bodies), from rest in the direction of a motion:
    friction, which holds back either way, has one for each."""
    state, program = np.array(y), at.prepared.program
    state[program.nq : program.nq + program.nv] = way
    return control_states(Assembled(at.prepared, state, [], at.t).motion, turning=True).by_velocity


def _carried_along(at: Assembled, y: np.ndarray, step: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What some states come to where the bodies make a small motion, in one second."""
    if not len(places):
        return y[places]
    program, moving = (
        at.prepared.program,
        slice(at.prepared.program.nq, at.prepared.program.nq + at.prepared.program.nv),
    )

    def rates(share: float, z: np.ndarray) -> np.ndarray:
        state = program.displaced(y, share * step)
        state[moving], state[places] = step, z
        return at.prepared.engine.derivative(at.t, state)[0][places]

    # LSODA: hysteresis that builds up over a small part of the motion is stiff
    return integrate.solve_ivp(rates, (0.0, 1.0), y[places], method="LSODA", rtol=1e-9, atol=1e-12).y[:, -1]


def _least(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The least solution of linear equations, with all rows and columns brought to one size first (D. Ruiz, A Scaling
    Algorithm to Equilibrate Both Rows and Columns Norms in Matrices, RAL-TR-2001-034): beside a stiff spring no part of
    the constraints looks like round-off."""
    row, column = np.ones(len(matrix)), np.ones(matrix.shape[1])
    scaled = matrix
    for _ in range(10):
        sizes = [np.sqrt(np.abs(scaled).max(axis=axis, initial=0.0)) for axis in (1, 0)]
        row, column = (
            w / np.where(size > 0, size, 1.0) for w, size in zip((row, column), sizes, strict=True)
        )
        scaled = row[:, None] * matrix * column
    return column * np.linalg.lstsq(scaled, row * right, rcond=1e-12)[0]
