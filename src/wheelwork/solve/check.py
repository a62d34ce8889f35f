"""What a mechanism is, before it moves: counts, degrees of freedom, redundant constraints, loose bodies, misfits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from wheelwork.equations.program import Kind, Program
from wheelwork.kernel.select import EngineName
from wheelwork.model import Description

from .assemble import Misfit, assembled
from .prepare import prepare
from .rank import analyse_rank


@dataclass(frozen=True)
class BodyLine:
    """A body in a check."""

    name: str
    mass: float
    """kg."""
    principal_moments: tuple[float, float, float]
    """Of inertia about the centre of mass, in rising order, kg m^2."""


@dataclass(frozen=True)
class JointLine:
    """A joint in a check."""

    name: str
    type: str
    bodies: tuple[str, str]
    rows: int
    """Number of constraints."""
    misfit_length: float
    """At the given position, m."""
    misfit_angle: float
    """At the given position, rad."""


@dataclass(frozen=True)
class MeshLine:
    """A gear mesh in a check."""

    name: str
    type: str
    bodies: tuple[str, str]
    model: str
    """Of its teeth."""


@dataclass(frozen=True)
class CheckReport:
    """The findings of a check; `to_dict()` for machines."""

    name: str
    """Of the mechanism."""
    bodies: list[BodyLine]
    joints: list[JointLine]
    drivers: list[str]
    """Names."""
    forces: list[str]
    """Names, with those of meshes whose teeth are no constraint."""
    constraint_rows: int
    """Of joints and drivers together."""
    freedoms_by_count: int
    """6 for each body, in the plane 3, less one for each constraint row."""
    freedoms_by_rank: int
    """From the rank of the Jacobian at the assembled position."""
    redundant: list[str]
    """Constraint rows that depend on others, as `joint.row`."""
    singular_position: bool
    """Whether the rank is higher nearby: the mechanism may branch or lock here."""
    loose_bodies: list[str]
    """Bodies that no chain of joints ties to ground."""
    misfits: list[Misfit]
    """Of joints and drivers at the given position."""
    meshes: list[MeshLine]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists."""
        return asdict(self)


def check(
    description: Description,
    *,
    parameters: Mapping[str, Any] | None = None,
    engine: EngineName = "virtual",
) -> CheckReport:
    """Assemble a mechanism and report what it is: counts, degrees of freedom, redundant constraints, misfits.

    `parameters` replaces values of parameters, by their full names. Raises ModelError if it cannot be assembled.
    """
    import numpy as np

    prepared = prepare(description, parameters, engine)
    program, numbers, flat = prepared.program, prepared.numbers, prepared.flat
    at = assembled(prepared, 0.0)
    rank = analyse_rank(prepared.engine, 0.0, at.state)
    misfits = {misfit.name: misfit for misfit in at.misfits}
    moments = [tuple(float(x) for x in np.linalg.eigvalsh(J)) for J in numbers.inertia]
    joints = []
    for name, view in program.joints.items():
        a, b = flat.joints[name].element.bodies
        use, misfit = program.constraints[view.constraint], misfits[name]
        joints.append(JointLine(name, view.type, (a, b), use.rows, misfit.length, misfit.angle))
    return CheckReport(
        flat.name,
        [BodyLine(n, float(numbers.mass[k]), moments[k]) for k, n in enumerate(program.bodies)],  # type: ignore[arg-type]
        joints,
        list(flat.drivers),
        [*flat.forces, *(name for name, mesh in flat.meshes.items() if mesh.element.model.type != "rigid")],
        rank.rows,
        program.nv - rank.rows,
        rank.freedoms,
        list(rank.redundant),
        rank.singular,
        loose_bodies(program),
        at.misfits,
        [
            MeshLine(name, mesh.element.type, tuple(mesh.element.bodies), mesh.element.model.type)  # type: ignore[arg-type]
            for name, mesh in flat.meshes.items()
        ],
    )


def loose_bodies(program: Program) -> list[str]:
    """Bodies that no chain of joints or drivers ties to ground."""
    tied = {-1}
    grew = True
    while grew:
        grew = False
        for use in program.constraints:
            if use.kind is Kind.BILATERAL and (use.a in tied) != (use.b in tied):
                tied |= {use.a, use.b}
                grew = True
    return [name for k, name in enumerate(program.bodies) if k not in tied]
