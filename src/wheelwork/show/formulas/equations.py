"""The equations of a whole mechanism, as formulas and as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from wheelwork.description import Description, ModelError
from wheelwork.description.whole_file import write_whole
from wheelwork.expressions.polynomial import Atom, Polynomial
from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.problems import did_you_mean
from wheelwork.system.motion import Motion
from wheelwork.system.uses import ConstraintKind

from . import document, markdown, page, tex, text, words
from .constraint import ConstraintEquations, Quantities
from .formulas import Expression, Formulas
from .load import BodyEquations, LoadEquations, body_equations
from .source import WrittenMechanism


@dataclass(frozen=True)
class SystemQuantities(Quantities):
    """The four quantities of all constraints together, and the mass matrix and applied forces."""

    M: np.ndarray | None = None
    """Mass matrix (velocities, velocities), kg and kg m^2."""
    Q: np.ndarray | None = None
    """Applied forces and torques (velocities), N and N m, with weights and, in space, gyroscopic torques."""
    each: Mapping[str, Quantities] | None = None

    def __getitem__(self, name: str) -> Quantities:
        """Those of one joint, mesh or driver."""
        assert self.each is not None
        return self.each[name]


class Equations:
    """The equations of a mechanism: `print(e)`, `e["hinge"].phi`, `e.at(time=0.5).jacobian`, `e.html("page.html")`.

    In a notebook it shows itself. Joints have letters A, B, C, ... in the formulas, which the headings tell.
    """

    def __init__(self, description: Description, *, numbers: bool = False, short: bool = False):
        """`numbers`: the values of lengths and parameters instead of symbols; `short`: bodies by number."""
        self._source = WrittenMechanism(description, numbers, short)
        program = self._source.program
        self.name = program.flat.name
        self.planar = program.space.name == "planar"
        self.numbers_shown = numbers
        held = [k for k, use in enumerate(program.constraints) if use.kind == ConstraintKind.BILATERAL]
        self.constraints = [ConstraintEquations(self._source, k) for k in held]
        """Joints, meshes and drivers, in the order of their equations."""
        self.loads = [LoadEquations(self._source, k) for k in range(len(program.forces))]
        """Forces."""
        self.bodies: list[BodyEquations] = [
            body_equations(self._source, k) for k in range(len(program.bodies))
        ]

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes: they write the equations again."""
        names = self._source.names
        return partial(Equations, numbers=self.numbers_shown, short=names.numbered), (
            self._source.description,
        )

    def __getitem__(self, name: str) -> ConstraintEquations | LoadEquations:
        """A joint, mesh, driver or force by its name."""
        known = {entry.name: entry for entry in (*self.loads, *self.constraints)}
        if name not in known:
            hint = did_you_mean(name, known)
            raise ModelError(f"there is no joint, mesh, driver or force `{name}` with equations", hint=hint)
        return known[name]

    def __iter__(self) -> Iterator[ConstraintEquations]:
        return iter(self.constraints)

    @property
    def shape(self) -> tuple[int, int]:
        """Equations, and velocities of all bodies."""
        return sum(len(entry.rows) for entry in self.constraints), self._source.program.nv

    @cached_property
    def others(self) -> list[tuple[str, str]]:
        """Dry friction and contacts with impact, which change the equations while they run, in words."""
        program = self._source.program
        written = {entry.name for entry in self.loads}
        out = []
        for use in program.constraints:
            if use.kind == ConstraintKind.BILATERAL or use.name in written:
                continue
            found = words.placed(program, use.name)
            text = words.first_sentence(type(found.element)) if found is not None else ""
            if use.name.removesuffix(".friction") in program.flat.meshes:
                text = (
                    "Friction between the teeth, in proportion to their force; they stick while it suffices."
                )
            elif use.name.removesuffix(".friction") in {one.name for one in program.relations}:
                text = (
                    "Losses, in proportion to the torque; the shafts stick while they suffice to hold them."
                )
            out.append((use.name, text))
        return out

    # -- formulas of the whole

    @property
    def q(self) -> tuple[Symbol, ...]:
        """What the columns of the Jacobian belong to."""
        names, count = self._source.names, len(self.bodies)
        return tuple(symbol for k in range(count) for symbol in names.coordinates(k))

    @cached_property
    def phi(self) -> Formulas:
        """All constraint equations."""
        return Formulas([row for entry in self.constraints for row in entry.phi.cells])

    @cached_property
    def nu(self) -> Formulas:
        """Right-hand side of all velocity equations."""
        return Formulas([row for entry in self.constraints for row in entry.nu.cells])

    @cached_property
    def gamma(self) -> Formulas:
        """Right-hand side of all acceleration equations."""
        return Formulas([row for entry in self.constraints for row in entry.gamma.cells])

    @cached_property
    def jacobian(self) -> Formulas:
        """The Jacobian of all constraint equations."""
        q = self.q
        place = {symbol: k for k, symbol in enumerate(q)}
        zero = Expression(Polynomial.number(0.0))
        rows = []
        for entry in self.constraints:
            own = entry.jacobian
            for cells in own.cells:
                row = [zero] * len(q)
                for symbol, cell in zip(own.columns, cells, strict=True):
                    row[place[symbol]] = cell
                rows.append(row)
        return Formulas(rows, q)

    def newton(self, body: int) -> list[tuple[Expression, Expression]]:
        """The equations of motion of a body in the plane, (left, right) for x, y and phi."""
        own = self.bodies[body]
        coordinates = self._source.names.coordinates(body)
        left = [self._inertia(k, own, symbol) for k, symbol in enumerate(coordinates)]
        right = [*own.weight, Polynomial.number(0.0)]
        for entry in self.constraints:
            jacobian = entry.jacobian
            for k, symbol in enumerate(coordinates):
                if symbol not in jacobian.columns:
                    continue
                column = jacobian.columns.index(symbol)
                for row in range(len(entry.rows)):
                    multiplier = Symbol("λ", str(entry.first_row + row + 1), rank=Rank.RATE)
                    left[k] = left[k] + jacobian[row, column].polynomial * Polynomial.atom(multiplier)
        for load in self.loads:
            if own.name not in load.bodies:
                continue
            for k, cell in enumerate(load.Q.cells[load.bodies.index(own.name)]):
                if cell.is_zero:
                    continue
                if load.is_short or not load.can_be_written:
                    right[k] = right[k] + cell.polynomial
                else:
                    symbol = Symbol("Q", own.mass.of, load.name, load.components[k], rank=Rank.RATE)
                    right[k] = right[k] + Polynomial.atom(symbol)
        values: dict[Atom, Polynomial] = {}
        if self.numbers_shown:
            values = {s: Polynomial.number(v) for s, v in (*own.gravity, (own.mass, own.mass_value))}
            values[own.inertia] = Polynomial.number(float(own.inertia_value[2, 2]))
        return [
            (Expression(one.replaced(values)), Expression(two.replaced(values)))
            for one, two in zip(left, right, strict=True)
        ]

    @staticmethod
    def _inertia(k: int, own: BodyEquations, symbol: Symbol) -> Polynomial:
        acceleration = symbol.rate().rate()
        return Polynomial.atom(own.inertia if k == 2 else own.mass) * Polynomial.atom(acceleration)

    # -- numbers

    def at(self, state: Any = None, *, time: float = 0.0) -> SystemQuantities:
        """The quantities as numbers.

        state: where; the assembled position at `time` [s] if left out. A time, an `Assembled` state (of `assemble`,
            `equilibrium`) or a state vector like `Assembled.state` will do too.
        """
        motion = self._source.motion(state, time)
        each = {entry.name: entry.quantities(motion) for entry in self.constraints}
        rows, columns = self.shape
        q = [str(Expression(Polynomial.atom(symbol))) for symbol in self.q]
        jacobian = np.zeros((rows, columns))
        row = 0
        for entry in self.constraints:
            own = each[entry.name]
            height = len(own.phi)
            for k, name in enumerate(own.columns):
                jacobian[row : row + height, q.index(name)] += own.jacobian[:, k]
            row += height
        stack = {
            name: np.concatenate([np.zeros(0), *(getattr(one, name) for one in each.values())])
            for name in ("phi", "nu", "gamma")
        }
        M, Q = self._mass_and_forces(motion)
        return SystemQuantities(jacobian=jacobian, columns=tuple(q), M=M, Q=Q, each=each, **stack)

    def _mass_and_forces(self, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
        program, numbers = self._source.program, self._source.numbers
        V, count = program.space.V, len(program.bodies)
        kept = list(program.space.velocities)
        M, Q = np.zeros((V * count, V * count)), np.zeros(V * count)
        for k in range(count):
            R, w = motion.R[0, k], motion.v[0, k, 3:]
            inertia = R @ numbers.inertia[k] @ R.T
            block = np.zeros((6, 6))
            block[:3, :3], block[3:, 3:] = numbers.mass[k] * np.eye(3), inertia
            own = slice(V * k, V * k + V)
            M[own, own] = block[np.ix_(kept, kept)]
            applied = np.concatenate([numbers.mass[k] * numbers.gravity[k], -np.cross(w, inertia @ w)])
            Q[own] = applied[kept]
        for load in self.loads:
            for body, wrench in zip(load.bodies, load.values(motion), strict=True):
                k = program.bodies.index(body)
                Q[V * k : V * k + V] += wrench
        return M, Q

    # -- on paper

    def text(self, width: int = 100, *, full: bool = False, element: str | None = None) -> str:
        """Plain text for a terminal of that width. `full`: in space, written out in components; `element`: one only."""
        return text.render(document.whole(self, full, element), width)

    def markdown(self, *, full: bool = False, element: str | None = None) -> str:
        """Markdown with formulas in LaTeX between dollars."""
        return markdown.render(document.whole(self, full, element))

    def latex(self, path: str | Path | None = None, *, full: bool = False, element: str | None = None) -> str:
        """A LaTeX document, ready to compile; also written to `path`."""
        return _kept(tex.render(document.whole(self, full, element), self.name), path)

    def html(self, path: str | Path | None = None, *, full: bool = False, element: str | None = None) -> str:
        """A page that needs nothing from elsewhere, formulas in MathML; also written to `path`."""
        return _kept(page.render(document.whole(self, full, element), self.name), path)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        rows, columns = self.shape
        return (
            f"<equations of {self.name or 'a mechanism'}: {rows} constraint equations, {columns} velocities>"
        )

    def _repr_markdown_(self) -> str:
        return self.markdown()


def _kept(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_whole(path, text.encode())
    return text
