"""How many operations equations take, for two claims of the papers; the documentation has both tables.

**The Jacobians of the meshes.** The point of Vlasenko and Kasper is that the transformed Jacobian G^ (columns for
linear and angular velocity) is much cheaper than G = dg/dq (columns for the coordinates q = position and Euler
parameters), so that it pays to write it down. Here all are CasADi functions of q of both bodies and of the mesh's
numbers, with common subexpressions shared, and what is counted are their instructions without those that fetch an
input or store a result:

    residual    g itself
    at_contact  G^ as a force at the contact point, the form of their eq. 28: right where the geometry is closed
    closed      G^ as the meshes have it, in closed form: the derivative of g at any state
    transformed G^ by CasADi's differentiation of g, for small motions in world axes: 12 columns
    jacobian    G by CasADi's differentiation of g: 14 columns

The rotation matrices of both bodies (`ROTATIONS` operations) are in all of them.

**One right-hand side** in absolute and in minimal coordinates, as Chen argues with unknowns. Additions, multiplications
and divisions as the runtime makes them (``core/system.hpp``, ``block_ldl.hpp``, ``tree.hpp``, ``reduced.hpp``),
counted from its loops; padding of vectors to the width of the processor's registers is not counted. Functions of
elements count by their instructions. What is done once per body or node, such as its rotation matrix, is a constant
here, to a few percent.

    elements     functions of joints, meshes and forces
    assembly     absolute: bodies, G M^-1 G^T; minimal: the tree, its Jacobians, mass matrix and forces
    solution     factors and solutions of the linear equations
"""

from __future__ import annotations

from dataclasses import dataclass

from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.rank import analyse_rank
from wheelwork.analyses.reduction.dynamics import undriven
from wheelwork.analyses.reduction.reduce import Reduction, reduce
from wheelwork.description import Description
from wheelwork.description.registry import find
from wheelwork.engine.plan import plan
from wheelwork.equations.differentiate import rows_from_residual
from wheelwork.equations.frames import MARKER_RECORD, BodyFrame, Marker
from wheelwork.equations.mesh_equations import MeshEquations, every_mesh
from wheelwork.equations.rotations import rotation_of_unit_parameters
from wheelwork.equations.rows import Row
from wheelwork.lazy import casadi as ca
from wheelwork.system.program import Program
from wheelwork.system.uses import ConstraintKind

NOT_COUNTED = (ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST)
ROTATIONS = 60


@dataclass(frozen=True)
class OperationCount:
    """Operations for one type of mesh; see the module. `at_contact` is None where there is no contact point."""

    type: str
    residual: int
    at_contact: int | None
    closed: int
    transformed: int
    jacobian: int


def operation_counts() -> list[OperationCount]:
    """One for each type and variant of mesh with a single row."""
    return [count(mesh) for mesh in every_mesh().values() if mesh.row_names == ("mesh",)]


def count(mesh: MeshEquations) -> OperationCount:
    q = ca.SX.sym("q", 14)
    data = ca.SX.sym("d", 2 * MARKER_RECORD + len(mesh.extras))
    x = mesh.named(data[2 * MARKER_RECORD :])
    rest = ca.SX(3, 1)
    body_a, body_b = (
        BodyFrame(q[k : k + 3], rotation_of_unit_parameters(q[k + 3 : k + 7]), rest, rest) for k in (0, 7)
    )

    touch = find("meshes", mesh.type.partition(":")[0]).wheels_touch
    a, b = Marker.pair((body_a, body_b), data)
    row = mesh.no_slip(a, b, x)
    nothing = [ca.SX(0, 1)] * 3
    (automatic,) = rows_from_residual(
        lambda f, g, _: mesh.raw(*Marker.pair((f, g), data), x), body_a, body_b, nothing
    )

    def operations(*outputs: ca.SX) -> int:
        return _instructions(ca.Function("f", [q, data], ca.cse(list(outputs))))

    return OperationCount(
        mesh.type,
        operations(row.value),
        operations(*_columns(_at_contact(mesh, a, b, x))) if touch else None,
        operations(*_columns(row)),
        operations(*_columns(automatic)),
        operations(ca.jacobian(row.value, q)),
    )


def _at_contact(mesh: MeshEquations, a: Marker, b: Marker, x: dict[str, ca.SX]) -> Row:
    d, point = mesh.driving_direction(a, b, x), mesh.contact_point(a, b, x)
    arm_a, arm_b = (ca.cross(point - marker.body.x, d) for marker in (a, b))
    return Row(ca.SX(0), d, arm_a, -d, -arm_b)


def _columns(row: Row) -> tuple[ca.SX, ...]:
    return row.a_linear, row.a_angular, row.b_linear, row.b_angular


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


def _instructions(function: ca.Function) -> int:
    ids = (function.instruction_id(k) for k in range(function.n_instructions()))
    return sum(id not in NOT_COUNTED for id in ids)
