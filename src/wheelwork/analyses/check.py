"""What a mechanism is, before it moves: counts, degrees of freedom, redundant constraints, loose bodies, misfits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from wheelwork.description import Description
from wheelwork.description.registry import find
from wheelwork.lazy import dataclass
from wheelwork.notebook import short_table
from wheelwork.problems import listed
from wheelwork.system.program import Program
from wheelwork.system.uses import ConstraintKind

from .assemble import Misfit, assembled
from .geometry_check import geometry_remarks
from .prepare import Prepared, prepare
from .rank import analyse_rank
from .rolling_start import strikes


@dataclass(frozen=True)
class BodyLine:
    """A body in a check."""

    name: str
    mass: float
    """kg."""
    principal_moments: tuple[float, float, float]
    """Of inertia about the centre of mass, in rising order, kg m^2."""


@dataclass(frozen=True)
class ConnectionLine:
    """What is between two bodies in a check."""

    name: str
    type: str
    bodies: tuple[str, str]


@dataclass(frozen=True)
class JointLine(ConnectionLine):
    """A joint in a check."""

    rows: int
    """Number of constraints."""
    misfit_length: float
    """At the given position, m."""
    misfit_angle: float
    """At the given position, rad."""


@dataclass(frozen=True)
class MeshLine(ConnectionLine):
    """A gear mesh in a check."""

    model: str
    """Of its teeth."""


@dataclass(frozen=True, repr=False)
class CheckReport:
    """The findings of a check: `print(...)` for people, `to_dict()` for machines."""

    name: str
    """Of the mechanism."""
    bodies: list[BodyLine]
    joints: list[JointLine]
    drivers: list[str]
    """Names."""
    forces: list[str]
    """Names, with those of meshes whose teeth are not a constraint."""
    constraint_rows: int
    """Of joints and drivers together."""
    freedoms_by_count: int
    """6 for each body, in the plane 3, less one for each constraint row."""
    freedoms_by_rank: int
    """From the rank of the Jacobian at the assembled position: independent speeds."""
    position_freedoms: int
    """The same without constraints that hold speeds alone (rolling wheels): more, where there are such."""
    redundant: list[str]
    """Constraint rows that depend on others, as `joint.row`."""
    singular_position: bool
    """Whether the rank is higher nearby: the mechanism may branch or lock here."""
    loose_bodies: list[str]
    """Bodies that no chain of joints, elastic bearings and bushings ties to ground."""
    misfits: list[Misfit]
    """Of joints and drivers at the given position."""
    meshes: list[MeshLine]
    shared_shafts: list[str]
    """Of shafts in several rigid bearings that hold the same directions: which, and what to do; a sentence each."""
    geometry: list[str]
    """Where geometry of bodies and what else is given of them do not go together, in sentences."""
    strikes: list[str]
    """Teeth that move against each other at the start, with their speed along the pitch line."""

    @property
    def freedoms(self) -> str:
        """Degrees of freedom in words."""
        words = f"{self.freedoms_by_rank} by rank, {self.freedoms_by_count} by count"
        if self.position_freedoms == self.freedoms_by_rank:
            return words
        return f"{words}; {self.position_freedoms} of positions, as some constraints hold speeds alone"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists."""
        return asdict(self)

    def __repr__(self) -> str:
        return f"<check of {self.name or 'a mechanism'}: {len(self.bodies)} bodies, freedoms: {self.freedoms_by_rank}>"

    def __str__(self) -> str:
        """Some ten lines; `wheelwork check` has tables of bodies, joints and meshes besides."""
        lines = self._lines()
        space = max(map(len, lines))
        return "\n".join(f"{head:<{space}}  {text}" for head, text in lines.items())

    def _repr_html_(self) -> str:
        """For notebooks."""
        lines = self._lines()
        return short_table(f"Check of {lines.pop('mechanism')}", lines)

    def _lines(self) -> dict[str, str]:
        misfit = max(self.misfits, key=lambda one: max(one.length, one.angle), default=None)
        lines = {
            "mechanism": self.name or "(no name)",
            "bodies": _counted([body.name for body in self.bodies]),
            "joints": _counted([joint.name for joint in self.joints]),
            "gear meshes": _counted([f"{mesh.name} ({mesh.model})" for mesh in self.meshes]),
            "forces": _counted(self.forces),
            "drivers": _counted(self.drivers),
            "constraints": str(self.constraint_rows),
            "degrees of freedom": self.freedoms,
            "redundant constraints": _counted(self.redundant),
            "bodies not tied to ground": _counted(self.loose_bodies),
            "largest misfit": "none"
            if misfit is None
            else f"{misfit.length:.2g} m, {misfit.angle:.2g} rad at {misfit.name}",
        }
        if self.singular_position:
            lines["singular position"] = "the mechanism may branch or lock here"
        if self.strikes:
            lines["will strike at the start"] = "; ".join(self.strikes)
        if self.geometry:
            lines["geometry"] = "; ".join(self.geometry[:3]) + ("; ..." if len(self.geometry) > 3 else "")
        return lines


def _counted(names: list[str], most: int = 6) -> str:
    """How many, and the first names."""
    if not names:
        return "none"
    return f"{len(names)}: {', '.join(names[:most])}{', ...' if len(names) > most else ''}"


def check(description: Description, *, parameters: Mapping[str, Any] | None = None) -> CheckReport:
    """Assemble a mechanism and report what it is: counts, degrees of freedom, redundant constraints, misfits.

    `parameters` replaces values of parameters, by their full names. Raises ModelError if it cannot be assembled.
    """
    return examined(prepare(description, parameters, units=True))


def examined(prepared: Prepared) -> CheckReport:
    """The same of a mechanism whose equations are derived."""
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
        [*flat.forces, *(name for name, mesh in flat.meshes.items() if mesh.element.model.Equations)],
        rank.rows,
        program.nv - rank.rows,
        rank.freedoms,
        rank.of_positions,
        list(rank.redundant),
        rank.singular,
        loose_bodies(program),
        at.misfits,
        [
            MeshLine(name, mesh.element.type, tuple(mesh.element.bodies), mesh.element.model.type)  # type: ignore[arg-type]
            for name, mesh in flat.meshes.items()
        ],
        _shared_shafts(joints, rank.redundant) if program.space.name == "spatial" else [],
        geometry_remarks(prepared),
        strikes(prepared, at.state),
    )


def _shared_shafts(joints: list[JointLine], redundant: tuple[str, ...]) -> list[str]:
    """Joints of the same two bodies in which a shaft can stand, where one repeats what another holds."""
    sets: dict[frozenset[str], list[JointLine]] = {}
    for joint in joints:
        kind = find("joints", joint.type)
        if kind.is_bearing or kind.motions() == ("ball",):
            sets.setdefault(frozenset(joint.bodies), []).append(joint)
    too_many = {row.rpartition(".")[0] for row in redundant}
    return [
        f"{listed([one.name for one in several])} hold `{several[0].bodies[1]}` in the same directions: how they share "
        "its load does not follow from statics. For loads by statics take a `spherical` joint as the locating and a "
        "`point_on_line` as the floating bearing, for loads by stiffness elastic bearings (`type: bearing`)."
        for several in sets.values()
        if len(several) > 1 and any(one.name in too_many for one in several)
    ]


def loose_bodies(program: Program) -> list[str]:
    """Bodies that no chain of joints, elastic bearings, bushings or drivers ties to ground."""
    geared = {use.constraint for use in program.relations}
    ties = [
        (use.a, use.b)
        for c, use in enumerate(program.constraints)
        if use.kind is ConstraintKind.BILATERAL and c not in geared
    ]
    ties += [
        (use.bodies[0], use.bodies[1])
        for use in program.forces
        if getattr(use.kernel.equations, "is_bearing", False)
    ]
    tied = {-1}
    grew = True
    while grew:
        grew = False
        for a, b in ties:
            if (a in tied) != (b in tied):
                tied |= {a, b}
                grew = True
    return [name for k, name in enumerate(program.bodies) if k not in tied]
