"""Kernels of gear meshes: the constraint, the rates that friction acts on, and the tooth force."""

from __future__ import annotations

import casadi as ca

from .frames import MARKER_RECORD, Marker
from .kernels import ConstraintKernel, RowMaker, short_name
from .meshes import MeshEquations
from .space import SPATIAL, Space


def mesh_kernel(mesh: MeshEquations, space: Space = SPATIAL) -> ConstraintKernel:
    """No slip between the teeth, modulo the pitch."""

    def make(a: Marker, b: Marker, extras: ca.SX, inputs: ca.SX, turns: ca.SX):
        return mesh.equations(a, b, mesh.named(extras))

    return _kernel("mesh", mesh, mesh.row_names, make, space)


def rolling_kernel(mesh: MeshEquations, space: Space = SPATIAL) -> ConstraintKernel:
    """The rolling of a mesh as a row, for friction of constant efficiency."""

    def make(a: Marker, b: Marker, extras: ca.SX, inputs: ca.SX, turns: ca.SX):
        return [mesh.rolling(a, b, mesh.named(extras))]

    return _kernel("rolling", mesh, ("friction",), make, space)


def sliding_kernel(mesh: MeshEquations, space: Space = SPATIAL) -> ConstraintKernel:
    """The sliding along the teeth as a row, for Coulomb friction; only where `mesh.slides`."""

    def make(a: Marker, b: Marker, extras: ca.SX, inputs: ca.SX, turns: ca.SX):
        return [mesh.sliding(a, b, mesh.named(extras))]

    return _kernel("sliding", mesh, ("friction",), make, space)


def _kernel(
    what: str, mesh: MeshEquations, names: tuple[str, ...], make: RowMaker, space: Space
) -> ConstraintKernel:
    return ConstraintKernel(f"{what}:{mesh.type}", names, make, extras=len(mesh.extras), space=space)


def raw_function(mesh: MeshEquations, space: Space = SPATIAL) -> ca.Function:
    """(a, b, data) -> raw value: evaluated at the given position it is the `phase` of the data."""
    a, b, data = _symbols(mesh, space)
    row = mesh.raw(*_markers(space, a, b, data), mesh.named(data[2 * MARKER_RECORD :]))
    return ca.Function(short_name("raw", space.key(mesh.type)), [a, b, data], [row])


def tooth_force_function(mesh: MeshEquations, space: Space = SPATIAL) -> ca.Function:
    """(a, b, data, F_t) -> contact point, tooth force on b, its part not in the constraint (3 each), normal force."""
    a, b, data = _symbols(mesh, space)
    force = ca.SX.sym("f")
    x = mesh.named(data[2 * MARKER_RECORD :])
    pair = _markers(space, a, b, data)
    outputs = [
        mesh.contact_point(*pair, x),
        mesh.tooth_force(*pair, x, force),
        mesh.separating(*pair, x, force),
        mesh.normal_force(x, force),
    ]
    name = short_name("tooth", space.key(mesh.type))
    return ca.Function(name, [a, b, data, force], ca.cse([ca.densify(part) for part in outputs]))


def _symbols(mesh: MeshEquations, space: Space) -> tuple[ca.SX, ca.SX, ca.SX]:
    a, b = ca.SX.sym("a", space.record), ca.SX.sym("b", space.record)
    return a, b, ca.SX.sym("d", 2 * MARKER_RECORD + len(mesh.extras))


def _markers(space: Space, a: ca.SX, b: ca.SX, data: ca.SX) -> tuple[Marker, Marker]:
    return (
        Marker.from_record(space.frame(a), data[:MARKER_RECORD]),
        Marker.from_record(space.frame(b), data[MARKER_RECORD : 2 * MARKER_RECORD]),
    )
