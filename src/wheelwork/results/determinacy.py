"""Which reactions the constraints leave open, where some of them are redundant.

With redundant constraints M a + G^T lambda = f has many solutions lambda: any vector n with G^T n = 0 can be added. The
runtime gives the smallest lambda. Reactions of the elements on which every such n is zero are still the true ones.

Dry friction that holds is a constraint, too: several on one freedom, lossy meshes among them, share what they hold in
any way within their limits.
"""

from __future__ import annotations

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.system.matrices import dependent_rows, inverse_root_mass
from wheelwork.system.motion import Motion
from wheelwork.system.powers import rubbing_speeds
from wheelwork.system.program import Program
from wheelwork.system.uses import ConstraintKind

EFFORTS = ("torque", "force", "power")
"""Of a driver."""
SAMPLES = 5
TOLERANCE = 1e-8
STILL = 1e-9
"""m/s or rad/s: slower is at rest."""
SHARED = "one of many possible values while at rest: statics leaves open how frictions share what they hold"
"""Of a friction in `shared_frictions`."""


@dataclass(frozen=True)
class Determinacy:
    """redundant: rows that depend on others, as `joint.row`; open: joints and drivers whose efforts are not unique."""

    redundant: tuple[str, ...] = ()
    open: frozenset[str] = frozenset()

    def note(self, *elements: str) -> dict[str, str]:
        """Attributes for efforts of joints or drivers of which the equations leave some open."""
        if self.open.isdisjoint(elements):
            return {}
        rows = ", ".join(self.redundant)
        words = f"the smallest of many possible values: these constraints are redundant: {rows}"
        return {"minimum_norm": words}


def efforts_in(program: Program, name: str) -> list[str]:
    """The joints and drivers whose multipliers a signal shows, or a block reads."""
    shown = [name]
    without_equations = (*program.bodies, *program.joints, *program.driver_constraints)
    if not any(name.startswith(f"{one}.") for one in without_equations):
        read = [use.turns for use in program.forces if name == use.name or name.startswith(f"{use.name}.")]
        first = program.first_measured
        shown += [program.measured[turn - first] for turns in read for turn in turns if turn >= first]
    return [element for signal in shown if (element := _effort_of(program, signal))]


def _effort_of(program: Program, name: str) -> str | None:
    """The joint or driver whose multipliers a signal shows."""
    owner, _, last = name.rpartition(".")
    if owner in program.driver_constraints and last in EFFORTS:
        return owner
    joint, found, _ = name.partition(".reaction.")
    return joint if found and joint in program.joints else None


def determinacy(motion: Motion) -> Determinacy:
    """Judged at a few moments of the motion, at the one with the largest rank: a singular position is passed, and does
    not make a mechanism overconstrained."""
    uses = [
        (k, use) for k, use in enumerate(motion.program.constraints) if use.kind is ConstraintKind.BILATERAL
    ]
    if not uses or not motion.count:
        return Determinacy()
    moments = np.unique(np.linspace(0, motion.count - 1, SAMPLES).round().astype(int))
    few = motion.moments(moments)
    best: tuple[int, np.ndarray, np.ndarray] | None = None
    for G in _scaled_jacobians(few, [k for k, _ in uses]):
        U, values, _ = np.linalg.svd(G)
        rank = int(np.sum(values > TOLERANCE * max(values[0], 1e-300)))
        if best is None or rank > best[0]:
            best = rank, G, U[:, rank:]
    assert best is not None
    rank, G, null = best
    if rank == len(G):
        return Determinacy()
    labels = [(use.name, use.row_label(row)) for _, use in uses for row in range(use.rows)]
    touched = np.linalg.norm(null, axis=1) > 1e-6
    return Determinacy(
        tuple(labels[k][1] for k in dependent_rows(G)),
        frozenset(name for (name, _), hit in zip(labels, touched, strict=True) if hit),
    )


def shared_frictions(motion: Motion) -> tuple[str, ...]:
    """Dry frictions that hold, at some output, what others or constraints hold as well: statics leaves theirs open."""
    program = motion.program
    if not program.frictions:
        return ()
    rigid = [k for k, use in enumerate(program.constraints) if use.kind is ConstraintKind.BILATERAL]
    still = np.abs(rubbing_speeds(motion)) < STILL
    patterns, first = np.unique(still, axis=0, return_index=True)
    found: set[str] = set()
    for pattern, moment in zip(patterns, first, strict=True):
        holding = [friction for friction, holds in zip(program.frictions, pattern, strict=True) if holds]
        rows = sum(program.constraints[k].rows for k in rigid)
        (G,) = _scaled_jacobians(motion.moments(np.array([moment])), [*rigid, *(f.row for f in holding)])
        U, values, _ = np.linalg.svd(G)
        null = U[:, int(np.sum(values > TOLERANCE * max(values[0], 1e-300))) :]
        held = np.linalg.norm(null[rows:], axis=1) > 1e-6
        found |= {friction.name for friction, hit in zip(holding, held, strict=True) if hit}
    return tuple(friction.name for friction in program.frictions if friction.name in found)


def _scaled_jacobians(motion: Motion, constraints: list[int]) -> list[np.ndarray]:
    """Rows in the metric of the kinetic energy, each of length 1, at each moment."""
    program = motion.program
    rows = sum(program.constraints[k].rows for k in constraints)
    full = np.zeros((motion.count, rows, program.nv))
    first = 0
    for k in constraints:
        use = program.constraints[k]
        full_of_use = motion.evaluate(use.kernel.full, motion.constraint_arguments(k))
        for body, block in use.by_body(full_of_use):
            if body >= 0:
                V = program.space.V
                place = full[:, first : first + use.rows, V * body : V * (body + 1)]
                place += block[: use.rows].transpose(2, 0, 1)
        first += use.rows
    out = []
    for k in range(motion.count):
        G = full[k] @ inverse_root_mass(program, motion.numbers, motion.state[k])
        length = np.linalg.norm(G, axis=1)
        out.append(G / np.where(length > 0, length, 1.0)[:, None])
    return out
