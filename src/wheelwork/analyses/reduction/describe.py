"""The tree of a mechanism as a table."""

from __future__ import annotations

import numpy as np

from wheelwork.trains.tables import text_table

from .joints import Step, StepType
from .reduce import Reduction

WORDS = {StepType.TURN: "turn", StepType.SLIDE: "slide", StepType.BALL: "ball"}


def tree_table(reduction: Reduction) -> str:
    """One line for each joint of the tree: its coordinate, its type, what it moves, in what, and q in terms of u.

    A `spin` is a wheel whose mass is spread evenly about its axis: its mass is its carrier's, and it adds its turning.
    A joint with several freedoms has a line for each step; what stands between two steps is written `-`.
    """
    tree = reduction.tree
    rows: list[list[str]] = []

    def members(bodies: list[int]) -> str:
        return ", ".join(tree.bodies[k].name for k in bodies) or "-"

    def add(step: Step, row: int, type: str, bodies: list[int], parent: int) -> None:
        carrier = "ground" if parent < 0 else members(tree.nodes[parent].bodies)
        name = step.name if step.freedoms == 1 else f"{step.name}.x, .y, .z"
        rows.append([name, type, members(bodies), carrier, _combination(reduction, row, step.freedoms)])

    for node in tree.nodes:
        add(node.step, node.row, WORDS[node.step.type], node.bodies, node.parent)
    for parent, spin in tree.spins():
        add(spin.step, spin.row, "spin", spin.bodies, parent)
    return text_table(["joint", "type", "moves", "in", "rate"], rows)


def _combination(reduction: Reduction, row: int, freedoms: int) -> str:
    """A row of B as a sum of coordinates, or `free` for a coordinate itself."""
    if row in reduction.independent or freedoms > 1:
        return "free"
    terms = [
        f"{entry:+.6g} {name}"
        for entry, name in zip(reduction.B[row], reduction.names, strict=True)
        if not np.isclose(entry, 0.0, atol=1e-12)
    ]
    return " ".join(terms) or "0"
