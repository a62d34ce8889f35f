"""How many operations one right-hand side takes in absolute and in minimal coordinates, as Chen argues with unknowns.

Additions, multiplications and divisions as the runtime makes them (``core/system.hpp``, ``block_ldl.hpp``,
``tree.hpp``, ``reduced.hpp``), counted from its loops; padding of vectors to the width of the processor's registers is
not counted. Functions of elements count by their instructions. What is done once per body or node, such as its rotation
matrix, is a constant here, to a few percent.

    elements     functions of joints, meshes and forces
    assembly     absolute: bodies, G M^-1 G^T; minimal: the tree, its Jacobians, mass matrix and forces
    solution     factors and solutions of the linear equations
"""

from __future__ import annotations

from dataclasses import dataclass

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.rank import analyse_rank
from wheelwork.description import Description
from wheelwork.engine.plan import plan
from wheelwork.lazy import casadi as ca
from wheelwork.system.operation_counts import NOT_COUNTED
from wheelwork.system.program import ConstraintKind, Program
from wheelwork.trains.tables import text_table

from .dynamics import undriven
from .reduce import Reduction, reduce

BODY, NODE, FRAME, SPIN = 180, 360, 60, 45
"""Operations of a body in absolute coordinates; of a node, of a body's frame and of a spin in the tree."""
ROUNDS = 3
"""Proximal rounds of the solution where constraints are redundant."""


WORDS = {
    "velocities": "velocities",
    "multipliers": "multipliers",
    "elements": "operations: elements",
    "assembly": "operations: assembly",
    "solution": "operations: solution",
    "total": "operations: all",
}


@dataclass(frozen=True)
class Operations:
    """Unknowns, and operations for one right-hand side."""

    velocities: int
    multipliers: int
    elements: int
    assembly: int
    solution: int

    @property
    def total(self) -> int:
        return self.elements + self.assembly + self.solution


def absolute_operations(program: Program, redundant: bool) -> Operations:
    """In absolute coordinates; `redundant`: whether some constraints depend on others."""
    V = program.space.V
    uses = [use for use in program.constraints if use.kind is ConstraintKind.BILATERAL]
    rows = [use.rows for use in uses]
    sides = [sum(body >= 0 for body in use.bodies) for use in uses]
    elements = sum(_instructions(use.kernel.full) for use in uses)
    elements += sum(_instructions(use.kernel.wrench) for use in program.forces)
    found = plan([use.bodies for use in uses], rows, V)
    assembly = BODY * len(program.bodies)
    assembly += sum(n * (3 * V + n * 2 * V) for r, n in zip(rows, sides, strict=True) for _ in range(r))
    assembly += sum(
        2 * V * rows[i] * rows[j]
        for i, j in zip(found.coupling["row"], found.coupling["column"], strict=True)
    )
    factor = solve = 0
    size = [*rows, *[V] * len(found.hub)]
    for step, node in enumerate(found.order):
        m = size[node]
        below = [size[k] for k in found.below_node[found.below_start[step] : found.below_start[step + 1]]]
        factor += m**3 // 3 + sum(r * m * (m + 1) for r in below)
        factor += sum(2 * m * r * s for k, r in enumerate(below) for s in below[: k + 1])
        solve += 2 * (m * m + sum(2 * r * m for r in below))
    products = 4 * V * sum(r * n for r, n in zip(rows, sides, strict=True))
    rounds = ROUNDS if redundant else 1
    return Operations(program.nv, sum(rows), elements, assembly, factor + rounds * solve + rounds * products)


def reduced_operations(program: Program, reduction: Reduction) -> Operations:
    """In minimal coordinates, of a tree whose joints are tied by gear ratios; without cut loops."""
    tree, B = reduction.tree, reduction.B
    n = B.shape[1]
    moving: dict[int, set[int]] = {-1: set()}
    assembly = 2 * n * tree.rows
    for i, node in enumerate(tree.nodes):
        own = [k for k in range(n) if B[node.row : node.row + node.step.freedoms, k].any()]
        columns = moving[i] = moving[node.parent] | set(own)
        for spin in node.spins:
            columns |= {k for k in range(n) if B[spin.row, k]}
        assembly += NODE + n * (12 + 12 * node.step.freedoms)  # place, Jacobian
        assembly += n * (12 + 18) + 12 * sum(k + 1 for k in columns)  # forces, M J, J^T M J
        assembly += sum(SPIN + 7 * n + 5 * sum(k + 1 for k in columns) for _ in node.spins)
    assembly += len(tree.ground_spins) * n * (n + 1)
    assembly += FRAME * len({body for use in program.forces for body in use.bodies if body >= 0})
    elements = sum(_instructions(use.kernel.wrench) for use in program.forces)
    return Operations(n, 0, elements, assembly, n**3 // 3 + 2 * n * n)


def formulation_operations(description: Description) -> tuple[Operations, Operations]:
    """In absolute and in minimal coordinates, of a mechanism without its drivers."""
    at = assembled(undriven(description), 0.0)
    engine, program = at.prepared.engine, at.prepared.program
    redundant = bool(analyse_rank(engine, at.t, at.state).redundant)
    reduction = reduce(engine, at.t, at.state)
    return absolute_operations(program, redundant), reduced_operations(program, reduction)


def formulation_table(description: Description) -> str:
    """Both side by side, as text."""
    both = formulation_operations(description)
    rows = [
        [word, *(f"{getattr(one, name):,}".replace(",", " ") for one in both)] for name, word in WORDS.items()
    ]
    return text_table(["", "absolute", "minimal"], rows)


def _instructions(function: ca.Function) -> int:
    ids = (function.instruction_id(k) for k in range(function.n_instructions()))
    return sum(id not in NOT_COUNTED for id in ids)
