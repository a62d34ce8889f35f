"""Displacement equations of a gear train: all joint angles in the open-loop joint angles (Chen (3))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from wheelwork.problems import ModelError

from .canonical import Rate, column_of
from .carriers import relative
from .exact import Reduced, Row, combined, reduce
from .graph import TrainGraph
from .names import link_named
from .symbols import Symbolic


@dataclass(frozen=True, eq=False)
class Displacements:
    """theta = matrix q, with the open-loop joint angles q and the angles theta of all other joints.

    Angles are those of links against their parents in the canonical graph, about the direction of the joint that
    carries them, counted from the given position. The same matrix holds for speeds and accelerations. A link that
    slides has metres in place of radians.

    chain: links from the base to the output in the canonical graph: the major links, base first
    coordinates: the angles q: those of the chain, and where these are fewer than the freedoms, further ones
    angles: the other joints'
    matrix: exact numbers, (angles x coordinates)
    pairs: wheels (i, j) behind each symbol in `formulas`
    graph: the train
    """

    chain: tuple[str, ...]
    coordinates: tuple[Rate, ...]
    angles: tuple[Rate, ...]
    matrix: list[list[Fraction]]
    pairs: dict[str, tuple[str, str]]
    graph: TrainGraph = field(repr=False)

    @cached_property
    def formulas(self) -> list[list[Symbolic]] | None:
        """The matrix in the symbols N(i,j), or None where loops that are not gears take part."""
        graph = self.graph
        if graph.loops:
            return None
        free, angles = (
            [graph.rates.index(rate) for rate in some] for some in (self.coordinates, self.angles)
        )
        return _matrix(_symbolic(graph, free), angles, free, Symbolic.of(0))

    @property
    def numbers(self) -> np.ndarray:
        """The matrix in floating point."""
        return np.array([[float(x) for x in row] for row in self.matrix]).reshape(
            len(self.angles), len(self.coordinates)
        )

    def row(self, link: str) -> list[Fraction]:
        """The angle of a link against its parent, in the coordinates."""
        return self._row(link, self.matrix, Fraction(1), Fraction(0))

    def formula_row(self, link: str) -> list[Symbolic]:
        """The same as formulas."""
        if self.formulas is None:
            raise ValueError("there are no formulas: a loop that is not made of gears takes part")
        return self._row(link, self.formulas, Symbolic.of(1), Symbolic.of(0))

    def _row(self, link: str, matrix: Any, one: Any, zero: Any) -> list[Any]:
        for k, rate in enumerate(self.angles):
            if rate.link == link and not rate.closing:
                return matrix[k]
        return [one if rate.link == link else zero for rate in self.coordinates]

    def equations(self, latex: bool = False) -> list[str]:
        """The equations as text, one for each angle."""
        out = []
        for k, rate in enumerate(self.angles):
            terms = []
            for j, q in enumerate(self.coordinates):
                entry: Any = self.matrix[k][j] if self.formulas is None else self.formulas[k][j]
                if entry == 0:
                    continue
                factor = _text(entry, self.pairs, latex)
                terms.append(f"{'' if factor == '1' else factor + ' '}{_angle(q, latex)}")
            out.append(f"{_angle(rate, latex)} = {' + '.join(terms) or '0'}")
        return out


def displacements(graph: TrainGraph, output: str | None = None) -> Displacements:
    """Displacement equations of a train; `output` is the link at the end of the open-loop chain, found where left out.

    What is taken then is the link that looks most like an output: in at most one mesh, and far from the base.
    """
    chain = open_loop_chain(graph, output)
    way = graph.path(chain[-1])
    keep = [*way, *(k for k in range(len(graph.rates)) if k not in way)]
    solved = reduce(graph.equations, keep)[0]  # (1) of every gear pair, solved for Chen (3)
    free = [k for k in keep if k not in solved.rows]
    angles = [k for k in range(len(graph.rates)) if k in solved.rows]
    matrix = _matrix(solved, angles, free, Fraction(0))
    coordinates, others = (tuple(graph.rates[k] for k in some) for some in (free, angles))
    return Displacements(chain, coordinates, others, matrix, symbol_pairs(graph), graph)


def open_loop_chain(graph: TrainGraph, output: str | None = None) -> tuple[str, ...]:
    """Links from the base to the output in the canonical graph: the equivalent open-loop chain (Chen, fig. 4)."""
    end = output_link(graph) if output is None else link_named(graph, output)
    way = [graph.rates[k] for k in graph.path(end)]
    return (*(rate.parent for rate in way[:1]), *(rate.link for rate in way)) or (end,)


def output_link(graph: TrainGraph) -> str:
    """The link that looks most like the output: in at most one mesh, far from the base, mentioned last.

    Wheels in two meshes drive others. In a wrist this is the gripper, in a planetary gear the carrier.
    """
    if not graph.moving:
        return graph.bases[0]

    def merit(link: str) -> tuple[bool, int, int, int]:
        meshes = len(graph.meshes_of(link))
        return meshes <= 1, graph.level[link], -meshes, graph.moving.index(link)

    return max(graph.moving, key=merit)


def structure_matrix(
    graph: TrainGraph, found: Displacements, actuators: Sequence[str]
) -> list[list[Fraction]]:
    """Generalised forces of the coordinates from torques of actuators: F = B T (Chen (13)).

    An actuator is a link, driven from its parent in the canonical graph, or a joint. By virtual work B (coordinates x
    actuators) is the transpose of the actuators' rows of the displacement equations.
    """
    return _structure(graph, found, actuators, found.row)


def structure_formulas(
    graph: TrainGraph, found: Displacements, actuators: Sequence[str]
) -> list[list[Symbolic]]:
    """The structure matrix as formulas."""
    return _structure(graph, found, actuators, found.formula_row)


def _structure(
    graph: TrainGraph, found: Displacements, actuators: Sequence[str], row: Any
) -> list[list[Any]]:
    columns = []
    for name in actuators:
        if name in graph.train.pairs:
            combination = column_of(graph, name)
            parts = [(sign, graph.rates[k].link) for k, sign in combination.items()]
        else:
            link = link_named(graph, name)
            if graph.joint_of(link) is None:
                text = "cannot be an actuator: nothing carries it, it is the base"
                raise ModelError(text, path=name)
            parts = [(1, link)]
        rows = [[sign * x for x in row(link)] for sign, link in parts]
        columns.append([sum(entries[1:], start=entries[0]) for entries in zip(*rows, strict=True)])
    return [list(entries) for entries in zip(*columns, strict=True)]


def _matrix(solved: Reduced, angles: list[int], free: list[int], zero: Any) -> list[list[Any]]:
    return [[-solved.rows[k][j] if j in solved.rows[k] else zero for j in free] for k in angles]


def symbol_pairs(graph: TrainGraph) -> dict[str, tuple[str, str]]:
    """Symbol of each gear pair with its wheels; where two pairs have the same wheels, their names tell them apart."""
    wheels = [(c.a, c.b) for c in graph.circuits]
    several = {(a, b) for a, b in wheels if wheels.count((a, b)) + wheels.count((b, a)) > 1}
    return {
        c.name: (f"{c.a}:{c.name}", f"{c.b}:{c.name}") if (c.a, c.b) in several else (c.a, c.b)
        for c in graph.circuits
    }


def _symbolic(graph: TrainGraph, free: list[int]) -> Reduced:
    """The same elimination with symbols: only circuits that are independent for the given tooth numbers take part."""
    rows: list[Row] = []
    for k in graph.independent:
        if k >= len(graph.circuits):
            rows.append({j: Symbolic.of(x) for j, x in graph.ties[k - len(graph.circuits)].items()})
            continue
        circuit = graph.circuits[k]
        b = relative(graph, circuit.b, circuit.carrier, circuit.axis_b)
        a = relative(graph, circuit.a, circuit.carrier, circuit.axis_a)
        ratio = Symbolic.symbol(circuit.name)
        rows.append(combined({j: Symbolic.of(x) for j, x in b.items()}, -ratio, a))
    return reduce(rows, free)[0]


def _angle(rate: Rate, latex: bool) -> str:
    return rf"\theta_{{{rate.link},{rate.parent}}}" if latex else rate.name


def _text(entry: Any, pairs: dict[str, tuple[str, str]], latex: bool) -> str:
    if not isinstance(entry, Symbolic):
        return str(entry)
    text = entry.text(pairs, latex)
    return f"({text})" if len(entry.numerator) > 1 and not text.endswith("}") else text
