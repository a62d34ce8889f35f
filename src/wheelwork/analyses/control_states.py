"""States that elements have of their own, in linear equations of motion: integrators, transfer functions, filters.

Forces on the bodies depend on them, f(q, v, z), and their rates on the motion, z' = h(q, v, z). The derivatives of both
are exact (differentiated expressions). Where rates read what is found together with the accelerations, reactions for
instance, z' = h(q, v, z, m), these derivatives hold m, and `by_measured` is dh/dm. States that no force and no other
state looks at (heat, work of slip) have no say, and are left out. States that jump, at samples or from mode to mode,
have no linear equation: they are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import ModelError
from wheelwork.lazy import dataclass
from wheelwork.system.motion import Motion, evaluate
from wheelwork.system.program import Program
from wheelwork.system.uses import ForceUse

if TYPE_CHECKING:
    from wheelwork.description import Placed


@dataclass(frozen=True)
class ControlStates:
    """The states z that act, and how: at a motion of one moment."""

    names: tuple[str, ...]
    """Element and number of each: `pid.1`."""
    places: np.ndarray
    """Of each in the state of the mechanism."""
    force: np.ndarray
    """df/dz (V bodies, states): on all bodies."""
    by_position: np.ndarray
    """dh/d small motion (states, V bodies)."""
    by_velocity: np.ndarray
    """dh/dv (states, V bodies)."""
    own: np.ndarray
    """dh/dz (states, states), 1/s."""
    by_measured: np.ndarray
    """dh/dm (states, signals that are read once the accelerations are known)."""

    def __len__(self) -> int:
        return len(self.names)


def control_states(motion: Motion, turning: bool = False) -> ControlStates:
    """Those of a mechanism; a ModelError where some jump, or where a ratio that follows a formula is turning
    and that matters."""
    program = motion.program
    uses = _acting(program)
    first = len(program.turns) + program.followed
    places = [first + use.first_state + k for use in uses for k in range(use.kernel.states)]
    column = {place: k for k, place in enumerate(places)}
    if not turning:
        _refuse_ratios(motion, column)
    count, nv, V = len(places), program.nv, program.space.V
    force, by_position, by_velocity = np.zeros((nv, count)), np.zeros((count, nv)), np.zeros((count, nv))
    own, by_measured = np.zeros((count, count)), np.zeros((count, len(program.measured)))
    for index, use in enumerate(program.forces if count else ()):
        seen = [(k, column[place]) for k, place in enumerate(use.turns) if place in column]
        if not seen:
            continue
        found = evaluate(use.kernel.state_jacobian, motion.force_arguments(index))
        by_state, rate_moved, rate_by_state = (part.reshape(*part.shape[:2]) for part in found)
        for i in range(use.kernel.acting):
            if (body := use.bodies[i]) >= 0:
                for k, z in seen:
                    force[V * body : V * (body + 1), z] += by_state[V * i : V * (i + 1), k]
        rows = [column.get(first + use.first_state + k) for k in range(use.kernel.states)]
        for k, row in enumerate(rows):
            if row is None:
                continue
            for j, body in enumerate(use.bodies):
                if body >= 0:
                    start = 2 * V * j
                    by_position[row, V * body : V * (body + 1)] += rate_moved[k, start : start + V]
                    by_velocity[row, V * body : V * (body + 1)] += rate_moved[k, start + V : start + 2 * V]
            for other, z in seen:
                own[row, z] += rate_by_state[k, other]
            for other, place in enumerate(use.turns):
                if place >= program.first_measured:
                    by_measured[row, place - program.first_measured] += rate_by_state[k, other]
    names = tuple(f"{use.name}.{k + 1}" for use in uses for k in range(use.kernel.states))
    where = program.nq + program.nv + np.array(places, int)
    return ControlStates(names, where, force, by_position, by_velocity, own, by_measured)


def _acting(program: Program) -> list[ForceUse]:
    """Elements whose states act on the motion; ModelError where one jumps."""
    acting = set(program.with_rates)
    uses = [use for use in program.forces if use.name in acting and use.kernel.states]
    for use in uses:
        if use.kernel.updates:
            how = "at its samples" if use.sample >= 0 else "from one mode to the other"
            raise ModelError(
                _placed(program, use).problem(
                    f"has a state that jumps {how}: linear equations of small motion cannot represent it",
                    "simulate the motion, or put a continuous block (`pid`, `transfer_function`) in its place",
                )
            )
    _refuse_friction(program, uses)
    return uses


def _refuse_friction(program: Program, uses: list[ForceUse]) -> None:
    """Linear equations leave out dry friction, and with it what its signals say."""
    if program.measuring is None or not program.frictions:
        return
    of_friction = {program.first_measured + k for k in program.measuring.jac_sparsity(0, 4).get_triplet()[0]}
    for use in uses:
        if read := of_friction.intersection(use.turns):
            name = program.measured[min(read) - program.first_measured]
            why = f"reads `{name}`, but linear equations leave out dry friction"
            raise ModelError([_placed(program, use).problem(why, "simulate the motion")])


def _placed(program: Program, use: ForceUse) -> Placed[Any]:
    flat = program.flat
    return flat.blocks.get(use.name) or flat.forces.get(use.name) or flat.meshes[use.name]


def _refuse_ratios(motion: Motion, column: dict[int, int]) -> None:
    """A ratio that is a state ties speeds: while shafts turn, a change of it changes their speeds at once."""
    for use in motion.program.constraints:
        if motion.v.any() and any(turn in column for turn in use.turns):
            placed = motion.program.flat.forces[use.name]
            raise ModelError(
                placed.problem("follows its formula while its shafts turn, which linear equations leave out")
            )
