"""Speeds at the start that teeth, shafts and bearings carry on although they give way: as if they were rigid.

Constraints hold, and speeds that were given. What is left free of these takes the least kinetic energy at which the
rates of what ties bodies elastically are zero: the rolling of teeth and the turning of geared shafts first, then that
of shafts against each other, then of what stands in elastic bearings, then whatever ties a body to ground. Ties that
cannot be met beside those before them are left out, and are said by `strikes` where they are teeth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.problems import warn
from wheelwork.system.given_speeds import Bodies
from wheelwork.system.matrices import bilateral_rows, full_jacobian, inverse_root_mass, null_space
from wheelwork.system.uses import ForceUse

from .initial_coordinates import first_row
from .initial_speeds import given_rates
from .prepare import Prepared

AGREE = 1e-6
"""Of the speeds that a row is made of: rates below are zero, as well as numbers were written."""
STRIKES = 1e-3
"""Of these speeds: below, teeth were given speeds of a few digits, or are those of wheels that float."""
MOVES = 1e-7
"""What is left of a row of length 1 where constraints and given speeds leave its rate open."""
TEETH, SHAFTS, BEARINGS, GROUND = range(4)
"""In which order ties count."""


class StartWarning(UserWarning):
    """The given start makes teeth strike."""


@dataclass(frozen=True)
class Tie:
    """What holds bodies together elastically: rows of all velocities, whose rates are zero as they roll on."""

    name: str
    rank: int
    rows: np.ndarray

    def open(self, v: np.ndarray, share: float = AGREE) -> bool:
        """Whether its rates are not zero, beside the speeds that they are made of."""
        return bool(np.any(np.abs(self.rows @ v) > share * (np.abs(self.rows) @ np.abs(v)) + 1e-300))


def ties(prepared: Prepared, y: np.ndarray) -> list[Tie]:
    """What ties bodies elastically at a state."""
    program = prepared.program
    found = [
        Tie(mesh.name, TEETH, first_row(prepared, y, mesh.kernel, mesh.bodies, mesh.data)[1][None])
        for mesh in program.elastic_meshes
    ]
    for use in program.forces:
        placed = program.flat.forces.get(use.name)
        if placed is not None and not placed.element.is_rigid:
            found += _of_force(prepared, y, use, placed.element)
    return found


def stiff(prepared: Prepared) -> tuple[Any, ...]:
    """What holds with the present numbers, of that of which numbers of positions do not tell."""
    program, values = prepared.program, prepared.numbers.parameters
    elements = [
        program.flat.forces[use.name].element for use in program.forces if use.name in program.flat.forces
    ]
    return tuple((bool(one.geared_rates(values)), one.held(values)) for one in elements if not one.is_rigid)


def _of_force(prepared: Prepared, y: np.ndarray, use: ForceUse, element: Any) -> Iterator[Tie]:
    program, values = prepared.program, prepared.numbers.parameters
    grounded = -1 in use.bodies
    rates = element.geared_rates(values)
    if rates:
        row = np.zeros((1, len(program.bodies) + 1, 6))
        for rate in rates:
            _, axes = prepared.numbers.marker(use.data + 12 * rate.marker)
            body, against = use.bodies[rate.body], use.bodies[rate.against]
            z = rate.factor * program.rotation(y, against) @ axes[:, 2]
            row[0, body, 3:] += z
            row[0, against, 3:] -= z
        rank = TEETH if len(rates) > 1 else GROUND if grounded else SHAFTS
        yield Tie(use.name, rank, _of_velocities(prepared, row))
    held = element.held(values)
    if any(held):
        a, b = use.bodies
        axes = program.rotation(y, a) @ prepared.numbers.marker(use.data)[1]
        rows = np.zeros((6, len(program.bodies) + 1, 6))
        for body, sign, marker in ((a, -1.0, use.data), (b, 1.0, use.data + 12)):
            arm = program.rotation(y, body) @ prepared.numbers.marker(marker)[0]
            rows[:3, body, :3] += sign * axes.T
            rows[:3, body, 3:] += sign * np.cross(arm, axes.T)
            rows[3:, body, 3:] += sign * axes.T
        yield Tie(use.name, GROUND if grounded else BEARINGS, _of_velocities(prepared, rows)[np.array(held)])


def _of_velocities(prepared: Prepared, rows: np.ndarray) -> np.ndarray:
    """Of the velocities that bodies have, without ground."""
    return rows[:, :-1][..., list(prepared.program.space.velocities)].reshape(len(rows), -1)


def with_followers(prepared: Prepared, t: float, state: np.ndarray) -> np.ndarray:
    """A state on the constraints with given speeds, with what is tied elastically carried on."""
    program = prepared.program
    moving = slice(program.nq, program.nq + program.nv)
    if not np.any(state[moving]):
        return state
    waiting = ties(prepared, state)
    if not any(tie.open(state[moving]) for tie in waiting):
        return state
    root = inverse_root_mass(program, prepared.numbers, state)
    held = full_jacobian(program, prepared.engine.constraints(t, state)[1])[bilateral_rows(program)]
    v, free = state[moving], null_space(np.vstack([held, *_given_rows(prepared, state)]) @ root)
    for rank in (TEETH, SHAFTS, BEARINGS, GROUND):
        chosen = [tie for tie in waiting if tie.rank == rank]
        v, free = _carried_on(chosen, root, v, free)
    out = np.array(state)
    out[moving] = v
    return out


def _given_rows(prepared: Prepared, y: np.ndarray) -> list[np.ndarray]:
    """Rows of the speeds that were given."""
    program = prepared.program
    axes = program.space.poses(program.coordinates(y))[1]
    bodies = Bodies(program.space.velocities, axes, prepared.numbers.center)
    return [bodies.rows(speed) for speed in (*program.given_speeds, *given_rates(prepared, y))]


def _carried_on(
    chosen: Sequence[Tie], root: np.ndarray, v: np.ndarray, free: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Velocities at which ties hold, as many as can, and what is free beside them."""
    chosen = list(chosen)
    while chosen and free.shape[1]:
        rows = np.vstack([tie.rows for tie in chosen]) @ root
        size = np.linalg.norm(rows, axis=1)
        rows = rows / np.where(size > 0, size, 1.0)[:, None]
        U, S, V = np.linalg.svd(rows @ free)
        rank = int(np.sum(S > MOVES))
        step = V[:rank].T @ ((U[:, :rank].T @ (-rows @ np.linalg.solve(root, v))) / S[:rank])
        then = v + root @ free @ step
        kept = [tie for tie in chosen if not tie.open(then)]
        if len(kept) == len(chosen):
            return then, free @ V[rank:].T
        chosen = kept
    return v, free


# -- what strikes


def strikes(prepared: Prepared, state: np.ndarray) -> list[str]:
    """Teeth that meet with a speed at a state, in sentences."""
    program = prepared.program
    v, out = state[program.nq : program.nq + program.nv], []
    for tie in ties(prepared, state) if np.any(v) and program.elastic_meshes else []:
        mesh = program.flat.meshes[tie.name].element if tie.name in program.flat.meshes else None
        # links of chains have no speed at which they stand still
        if mesh is not None and mesh.has_path and tie.open(v, STRIKES):
            a, b = mesh.bodies
            speed = abs(float((tie.rows @ v)[0]))
            out.append(
                f"the teeth of mesh `{tie.name}` (`{a}`, `{b}`) move at {speed:.4g} m/s against each other"
            )
    return out


def warn_of_strikes(found: Sequence[str]) -> None:
    """Say which teeth will strike."""
    if found:
        warn(
            f"at the start {'; '.join(found)} along the pitch line, and will strike: give the speed of one of them "
            "alone, and the other follows, or give speeds that go with the ratio",
            StartWarning,
        )
