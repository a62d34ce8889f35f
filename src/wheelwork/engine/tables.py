"""A program as plain numbers: what the C++ runtime needs, without CasADi."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.lazy import dataclass

from .plan import implicit_plan, plan
from .records import constants, record_fields, records

if TYPE_CHECKING:
    from wheelwork.system.program import Program
    from wheelwork.system.uses import ConstraintUse


@dataclass(frozen=True)
class Tables:
    """Tables of a program; the names of `sizes`, `arrays` and `kernels` are those of ``core/program.hpp``."""

    sizes: dict[str, int]
    arrays: dict[str, np.ndarray]
    kernels: dict[str, list[str]]
    """Names of emitted functions; empty where there is none."""
    implicit: dict[str, np.ndarray] | None
    """Tables of the implicit matrix, for `sdirk4`."""
    labels: dict[str, list[str]] = field(default_factory=dict)
    """Names of bodies, constraints, frictions, contacts and of the forces that have events, for messages."""
    space: str = "spatial"
    """Kind of mechanism, `spatial` or `planar`: which build of the runtime it needs."""
    late: list[int] = field(default_factory=list)
    """Constraints that are eliminated after all hubs (see `plan`), shared by all tables of a program."""

    @property
    def Q(self) -> int:
        return constants(self.space)["Q"]

    @property
    def V(self) -> int:
        return constants(self.space)["V"]

    @cached_property
    def addresses(self) -> dict[str, int]:
        """Of the arrays. `ordered` makes tables with others: who uses these addresses keeps the arrays too."""
        self.arrays.update({name: np.ascontiguousarray(array) for name, array in self.arrays.items()})
        return {name: array.ctypes.data for name, array in self.arrays.items()}

    @cached_property
    def rows(self) -> int:
        return int(self.arrays["constraint"]["rows"].sum())

    @cached_property
    def sides(self) -> int:
        """The most bodies that a constraint touches."""
        return int(self.arrays["constraint"]["sides"].max(initial=0))

    @property
    def nv(self) -> int:
        return self.V * self.sizes["bodies"]

    @property
    def n(self) -> int:
        return (self.Q + self.V) * self.sizes["bodies"] + self._aside

    @property
    def _aside(self) -> int:
        return sum(self.sizes[name] for name in ("turns", "followed", "states"))

    def ordered(self, late: Collection[int]) -> Tables:
        """Others, with which these constraints too are eliminated after all hubs. Systems that were made with these
        go on with them; all tables of the program that are made from now on know of it."""
        self.late[:] = sorted({*self.late, *late})
        sizes, arrays = order_of_elimination(self.arrays, self.V, self.late)
        implicit = self.implicit and implicit_tables(self.sizes["bodies"], self.arrays, self.V, self.late)
        return replace(self, sizes=self.sizes | sizes, arrays=self.arrays | arrays, implicit=implicit)


def _ints(values: Any) -> np.ndarray:
    return np.ascontiguousarray(values, dtype=np.int32)


def _fields(name: str, uses: Iterable[Any]) -> np.ndarray:
    """Records whose fields are attributes of the same name."""
    return records(name, ({field: getattr(use, field) for field in record_fields(name)} for use in uses))


def tables_of(program: Program, implicit: bool) -> Tables:
    """The tables of a program, by what is known about the order of elimination, which all of them share."""
    late = program.once("late", list)
    return program.once(("tables", implicit, tuple(late)), lambda: _tables(program, implicit, late))


def _tables(program: Program, implicit: bool, late: list[int]) -> Tables:
    constraints, forces = program.constraints, program.forces
    constraint_arrays = _constraints(constraints)
    order_sizes, order = order_of_elimination(constraint_arrays, program.space.V, late)
    force_table, force_bodies, force_turns, event_owners = [], [], [], []
    for use in forces:
        force_table.append(
            {
                "bodies": len(use.bodies),
                "first_body": len(force_bodies),
                "acting": use.kernel.acting,
                "data": use.data,
                "input": use.input,
                "turns": len(use.turns),
                "first_turn": len(force_turns),
                "first_event": use.first_event,
                "events": use.kernel.events,
                "first_state": use.first_state,
                "states": use.kernel.states,
                "sample": use.sample,
            }
        )
        force_bodies += use.bodies
        force_turns += use.turns
        event_owners += [use.name] * use.kernel.events
    starts = np.cumsum([0, *(len(table.knots) for table in program.tables)])
    sizes = {
        "bodies": len(program.bodies),
        "constraints": len(constraints),
        "forces": len(forces),
        "turns": len(program.turns),
        "followed": program.followed,
        "states": program.states,
        "measured": len(program.measured),
        "follows": len(program.follows),
        "curves": len(program.curves),
        "inputs": program.inputs,
        "tables": len(program.tables),
        "frictions": len(program.frictions),
        "contacts": len(program.contacts),
        "meshes": len(program.meshes),
        "events": program.events,
        "data_size": program.data_size,
        "formula_count": len(program.formula_inputs),
        "formula_data": 0,
        **order_sizes,
    }
    arrays = {
        **constraint_arrays,
        "force": records("ForceRow", force_table),
        "force_body": _ints(force_bodies),
        "force_turn": _ints(force_turns),
        "turn": _fields("TurnRow", program.turns),
        "follow": _fields("FollowRow", program.follows),
        **_curves(program),
        "formula_input": _ints(program.formula_inputs),
        "table": records(
            "TableRow",
            (
                {"input": table.input, "first_knot": first, "knots": len(table.knots)}
                for table, first in zip(program.tables, starts, strict=False)
            ),
        ),
        "knots": np.concatenate([np.zeros(0), *(t.knots for t in program.tables)]),
        "pieces": np.concatenate([np.zeros((0, 4)), *(t.pieces for t in program.tables)]),
        "friction": _fields("FrictionRow", program.frictions),
        "mesh": _ints([mesh.constraint for mesh in program.meshes]),
        "contact": _fields("ContactRow", program.contacts),
        "event_kind": records(
            "EventRow",
            (
                {"type": kind, "force": k, "mode": use.kernel.event_mode(i)}
                for k, use in enumerate(forces)
                for i, kind in enumerate(use.kernel.event_types)
            ),
        ),
        **order,
    }
    kernels = {
        "full": [use.kernel.full.name() for use in constraints],
        "residual": [use.kernel.residual.name() for use in constraints],
        "gamma": [use.kernel.gamma.name() for use in constraints],
        "wrench": [use.kernel.wrench.name() for use in forces],
        "event": [use.kernel.event.name() if use.kernel.events else "" for use in forces],
        "rate": [use.kernel.rate.name() if use.kernel.states else "" for use in forces],
        "measuring": [] if program.measuring is None else [program.measuring.name()],
        "jump": [use.kernel.update.name() if use.kernel.updates else "" for use in forces],
        "following": [follow.kernel.follow.name() for follow in program.follows],
        "load": [f.load.name() if f.load is not None else "" for f in program.frictions],
        "separating": [mesh.kernel.separating.name() for mesh in program.meshes],
        "formulas": [] if program.formulas is None else [program.formulas.name()],
    }
    if implicit:
        kernels["constraint_jacobian"] = [use.kernel.jacobian.name() for use in constraints]
        kernels["force_jacobian"] = [use.kernel.jacobian.name() for use in forces]
    labels = {
        "bodies": list(program.bodies),
        "constraints": [use.label for use in constraints],
        "frictions": [friction.name for friction in program.frictions],
        "contacts": [contact.name for contact in program.contacts],
        "event_owners": event_owners,
        "forces": [use.name for use in forces],
    }
    return Tables(
        sizes,
        arrays,
        kernels,
        implicit_tables(len(program.bodies), arrays, program.space.V, late) if implicit else None,
        labels,
        program.space.name,
        late,
    )


def _constraints(uses: Sequence[ConstraintUse]) -> dict[str, np.ndarray]:
    """Records of constraints, with their bodies and counted angles."""
    table: list[dict[str, int]] = []
    bodies: list[int] = []
    turns: list[int] = []
    for use in uses:
        table.append(
            {
                "sides": len(use.bodies),
                "first_side": len(bodies),
                "data": use.data,
                "input": use.input,
                "turns": len(use.turns),
                "first_turn": len(turns),
                "rows": use.rows,
                "kind": use.kind,
                "first_row": use.first_row,
                "speeds": use.kernel.speeds,
                "points": use.kernel.holds_points,
            }
        )
        bodies += use.bodies
        turns += use.turns
    return {
        "constraint": records("ConstraintRow", table),
        "constraint_body": _ints(bodies),
        "constraint_turn": _ints(turns),
    }


def order_of_elimination(
    arrays: dict[str, np.ndarray], freedoms: int, late: Collection[int] = ()
) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    """Sizes and arrays of the plan for the constraints of tables; see `plan`."""
    made = plan(*_uses(arrays), freedoms, _passing(arrays["constraint"]), late)
    order = made.tables()
    sizes = {"couplings": len(made.coupling), "hubs": len(made.hub), "hub_ties": len(made.hub_tie)}
    return sizes | {"nodes": len(made.order)}, order


def implicit_tables(
    bodies: int, arrays: dict[str, np.ndarray], freedoms: int, late: Collection[int] = ()
) -> dict[str, np.ndarray]:
    """Tables of the implicit matrix; see `implicit_plan`."""
    constraints, table, seen = arrays["constraint"], arrays["force"], arrays["force_body"].tolist()
    forces = [
        (seen[first : first + count], acting)
        for first, count, acting in zip(
            *(table[name].tolist() for name in ("first_body", "bodies", "acting")), strict=True
        )
    ]
    sides, rows = _uses(arrays)
    return implicit_plan(bodies, sides, forces, rows, freedoms, _passing(constraints), late).tables()


def _uses(arrays: dict[str, np.ndarray]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Bodies and number of rows of each constraint."""
    table, bodies = arrays["constraint"], arrays["constraint_body"].tolist()
    starts = zip(table["first_side"].tolist(), table["sides"].tolist(), strict=True)
    return [tuple(bodies[first : first + count]) for first, count in starts], table["rows"].tolist()


def _passing(constraints: np.ndarray) -> list[int]:
    return np.flatnonzero(constraints["kind"]).tolist()


def _curves(program: Program) -> dict[str, np.ndarray]:
    splines = [use.spline for use in program.curves]
    starts = np.cumsum([0, *(len(spline.knots) for spline in splines)])
    turns = len(program.turns)
    return {
        "curve": records(
            "CurveRow",
            (
                {
                    "parameter": turns + use.parameter,
                    "input": use.input,
                    "first_knot": starts[k],
                    "knots": len(use.spline.knots),
                }
                for k, use in enumerate(program.curves)
            ),
        ),
        "curve_period": np.array([spline.period for spline in splines]),
        "curve_knots": np.concatenate([np.zeros(0), *(spline.knots for spline in splines)]),
        "curve_pieces": np.concatenate([np.zeros((0, 8)), *(spline.pieces for spline in splines)]),
    }
