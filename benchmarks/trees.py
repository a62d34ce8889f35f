"""A mechanism as other programs take it: a tree of hinges, the bodies on them, and gear ratios between their angles.

Made from the same reduction that Wheelwork's own equations are made from, at the same position, so that angles,
speeds and accelerations may be compared one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from wheelwork.analyses.reduction import Reduction
from wheelwork.analyses.reduction.joints import StepType
from wheelwork.analyses.reduction.tree import Inertia


@dataclass(frozen=True)
class Hinge:
    """A hinge and what it carries; world axes, at the position where all angles are zero."""

    parent: int
    """Index of the hinge whose body it stands on; -1: ground."""
    axis: np.ndarray
    point: np.ndarray
    """On the axis [m]."""
    mass: float
    center: np.ndarray
    """Of mass [m]."""
    inertia: np.ndarray
    """About the centre of mass [kg m2], 3 x 3."""
    armature: float = 0.0
    """Added to the inertia that the angle sees [kg m2]."""


@dataclass(frozen=True)
class Hinges:
    """Hinges, depth first; `ratios` (hinges x coordinates): rates of all angles by those of the independent ones."""

    hinges: list[Hinge]
    ratios: np.ndarray
    independent: list[int]
    gravity: np.ndarray

    @property
    def geared(self) -> bool:
        return len(self.independent) < len(self.hinges)


def hinges(reduction: Reduction, gravity: np.ndarray) -> Hinges:
    """The tree of a mechanism of hinges and gears, wheels included."""
    tree = reduction.tree
    rows: list[Hinge | None] = [None] * tree.rows

    def add(parent: int, step: object, row: int, bodies: list[int]) -> None:
        if step.type is not StepType.TURN:  # type: ignore[attr-defined]
            raise ValueError(f"{tree.names[row]} is no hinge")
        of = Inertia.of([tree.bodies[k] for k in bodies])
        rows[row] = Hinge(parent, step.axis, step.point, of.mass, of.center, of.tensor)  # type: ignore[attr-defined]

    for spin in tree.ground_spins:
        add(-1, spin.step, spin.row, spin.bodies)
    for node in tree.nodes:
        add(tree.nodes[node.parent].row if node.parent >= 0 else -1, node.step, node.row, node.bodies)
        for spin in node.spins:
            add(node.row, spin.step, spin.row, spin.bodies)
    found = [row for row in rows if row is not None]
    assert len(found) == tree.rows
    order = _depth_first([hinge.parent for hinge in found])
    place = {row: k for k, row in enumerate(order)}
    sorted_hinges = [replace(found[row], parent=place.get(found[row].parent, -1)) for row in order]
    independent = [place[row] for row in reduction.independent]
    return Hinges(sorted_hinges, reduction.B[order], independent, gravity)


def _depth_first(parents: list[int]) -> list[int]:
    """Indices so that every branch stands together, which Pinocchio's `crba` takes for granted."""
    order: list[int] = []

    def visit(k: int) -> None:
        if k >= 0:
            order.append(k)
        for child, parent in enumerate(parents):
            if parent == k:
                visit(child)

    visit(-1)
    return order


def lumped(model: Hinges) -> Hinges:
    """The independent hinges alone: geared wheels fixed to what carries them, their spin as armature.

    What is usually given to programs without gears. It is not the same mechanism: what a wheel's spin does to the links
    that carry it, and how one motor's wheels move with another's axis, are left out.
    """
    index = {row: j for j, row in enumerate(model.independent)}

    def holder(k: int) -> int:
        while k >= 0 and k not in index:
            k = model.hinges[k].parent
        return k

    held: dict[int, list[Hinge]] = {row: [] for row in model.independent}
    armature = np.zeros(len(model.independent))
    for k, hinge in enumerate(model.hinges):
        if k in index:
            held[k].append(hinge)
            continue
        if (on := holder(k)) >= 0:
            held[on].append(hinge)
        armature += float(hinge.axis @ hinge.inertia @ hinge.axis) * model.ratios[k] ** 2
    out = []
    for row in model.independent:
        own = model.hinges[row]
        mass = sum(h.mass for h in held[row])
        center = sum((h.mass * h.center for h in held[row]), np.zeros(3)) / mass
        inertia = np.zeros((3, 3))
        for h in held[row]:
            d = h.center - center
            inertia += h.inertia + h.mass * (d @ d * np.eye(3) - np.outer(d, d))
        parent = holder(own.parent)
        out.append(
            Hinge(
                index[parent] if parent >= 0 else -1,
                own.axis, own.point, mass, center, inertia, float(armature[index[row]]),
            )
        )  # fmt: skip
    n = len(out)
    return Hinges(out, np.eye(n), list(range(n)), model.gravity)
