"""How many operations the Jacobians of the meshes take: the claim of Vlasenko and Kasper, measured.

Their point is that the transformed Jacobian G^ (columns for linear and angular velocity) is much cheaper than
G = dg/dq (columns for the coordinates q = position and Euler parameters), so that it pays to write it down. Here all
are CasADi functions of q of both bodies and of the mesh's numbers, with common subexpressions shared, and what is
counted are their instructions without those that fetch an input or store a result:

    residual    g itself
    at_contact  G^ as a force at the contact point, the form of their eq. 28: right where the geometry is closed
    closed      G^ as the meshes have it, in closed form: the derivative of g at any state
    transformed G^ by CasADi's differentiation of g, for small motions in world axes: 12 columns
    jacobian    G by CasADi's differentiation of g: 14 columns

The rotation matrices of both bodies (`ROTATIONS` operations) are in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wheelwork.description.registry import find
from wheelwork.equations.differentiate import rows_from_residual
from wheelwork.equations.frames import MARKER_RECORD, BodyFrame, Marker
from wheelwork.equations.mesh_equations import MeshEquations, every_mesh
from wheelwork.equations.rows import Row
from wheelwork.lazy import casadi as ca

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
        return _operations([q, data], outputs)

    return OperationCount(
        mesh.type,
        operations(row.value),
        operations(*_columns(_at_contact(mesh, a, b, x))) if touch else None,
        operations(*_columns(row)),
        operations(*_columns(automatic)),
        operations(ca.jacobian(row.value, q)),
    )


def rotation_of_unit_parameters(e: ca.SX) -> ca.SX:
    """R of Euler parameters that have length 1, as q has them in a run."""
    w, x, y, z = ca.vertsplit(e)
    return ca.vertcat(
        ca.horzcat(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        ca.horzcat(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        ca.horzcat(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


def _at_contact(mesh: MeshEquations, a: Marker, b: Marker, x: dict[str, ca.SX]) -> Row:
    d, point = mesh.driving_direction(a, b, x), mesh.contact_point(a, b, x)
    arm_a, arm_b = (ca.cross(point - marker.body.x, d) for marker in (a, b))
    return Row(ca.SX(0), d, arm_a, -d, -arm_b)


def _columns(row: Row) -> tuple[ca.SX, ...]:
    return row.a_linear, row.a_angular, row.b_linear, row.b_angular


def _operations(inputs: Sequence[ca.SX], outputs: Sequence[ca.SX]) -> int:
    function = ca.Function("f", list(inputs), ca.cse(list(outputs)))
    ids = (function.instruction_id(k) for k in range(function.n_instructions()))
    return sum(id not in NOT_COUNTED for id in ids)
