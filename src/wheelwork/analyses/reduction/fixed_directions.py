"""Where the axes and slides of a mechanism are whose directions all stay, and the numbers of its straight-line code."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from wheelwork.engine.engine import Engine
from wheelwork.equations.space import PLANAR

from .reduce import Reduction
from .tree import Tree, about

WHOLE = (-1.0, 0.0, 1.0)
"""Numbers that are written into the code: directions of axes, and ratios where there are no gears."""


class Fixed:
    """Where the axes are, and which numbers there are: those in `key` are written into the code."""

    def __init__(self, reduction: Reduction, engine: Engine):
        program, tree = engine.program, reduction.tree
        self.program, self.n = program, len(reduction.independent)
        self.B = reduction.B
        x, R = program.space.poses(program.coordinates(reduction.start))
        rest = program.space.poses(program.coordinates(engine.numbers.state))[1]
        self.spins = {k: spin for _, spin in tree.spins() for k in spin.bodies}
        self.axes = {k: _tidied(spin.step.axis) for k, spin in self.spins.items()}
        self.slides = _slides(tree)
        self.rest = np.broadcast_to(np.eye(3), rest.shape) if program.space is PLANAR else _tidied(rest)
        self.angle = np.zeros(len(program.bodies))
        self.possible = True
        for k, axis in self.axes.items():
            turned = R[k] @ self.rest[k].T
            twice_sine = turned - turned.T
            sine = 0.5 * axis @ np.array([twice_sine[2, 1], twice_sine[0, 2], twice_sine[1, 0]])
            self.angle[k] = np.arctan2(sine, 0.5 * (np.trace(turned) - 1))
            baked = np.all(np.isin(axis, WHOLE)) and np.all(np.isin(self.rest[k], WHOLE))
            self.possible &= bool(baked and np.allclose(about(axis, self.angle[k]), turned, atol=1e-9))
        if program.space is PLANAR:
            self.angle = np.array(program.coordinates(reduction.start)[:, 2])
        mass = sum(
            (spin.polar * np.outer(self.B[spin.row], self.B[spin.row]) for _, spin in tree.spins()),
            np.zeros((self.n, self.n)),
        )
        weight = np.zeros(len(self.B))
        for k, slides in self.slides.items():
            moves = np.zeros((3, len(self.B)))
            for row, axis in slides:
                moves[:, row] += axis
                self.possible &= bool(np.all(np.isin(axis, WHOLE)))
            mass += engine.numbers.mass[k] * self.B.T @ moves.T @ moves @ self.B
            weight += engine.numbers.mass[k] * engine.numbers.gravity[k] @ moves
        self.ratios = np.vstack([self.B, reduction.turns])
        inverse = np.linalg.inv(mass)
        inverse[np.abs(inverse) < 1e-14 * np.abs(inverse).max()] = 0.0
        self.inverse = inverse
        still = program.space.records(
            program.coordinates(reduction.start), np.zeros((len(program.bodies), program.space.V))
        )
        turns = reduction.start[program.nq + program.nv :][: len(program.turns)]
        self.parts = {
            "x": x.ravel(),
            "angle": self.angle,
            "still": still.ravel(),
            "turns": turns,
            "ratios": self.ratios.ravel(),
            "inverse": inverse.ravel(),
            "weight": weight,
        }

    @property
    def values(self) -> np.ndarray:
        return np.concatenate([np.zeros(0), *self.parts.values()])

    @property
    def key(self) -> Any:
        """What the code depends on besides the program."""
        axes = tuple((k, *axis, self.spins[k].row) for k, axis in sorted(self.axes.items()))
        slides = tuple((k, row, *axis) for k, found in sorted(self.slides.items()) for row, axis in found)
        whole = np.where(np.isin(self.ratios, WHOLE), self.ratios, 2.0)
        slides = (slides, (self.parts["x"] == 0).tobytes()) if slides else ()
        return axes, slides, whole.tobytes(), (self.inverse != 0).tobytes()

    def symbols(self) -> tuple[ca.SX, dict[str, ca.SX]]:
        """All numbers as symbols, with those that the code may rely on written in."""
        column = ca.SX.sym("c", len(self.values))
        named: dict[str, ca.SX] = {}
        first = 0
        for name, values in self.parts.items():
            named[name] = column[first : first + len(values)]
            first += len(values)
        if self.slides:  # a line of centres along an axis of the world stays there
            for k in np.flatnonzero(self.parts["x"] == 0):
                named["x"][int(k)] = 0
        for k, ratio in enumerate(self.ratios.ravel()):
            if ratio in WHOLE:
                named["ratios"][k] = ratio
        for k, entry in enumerate(self.inverse.ravel()):
            if entry == 0:
                named["inverse"][k] = 0
        return column, named


def _slides(tree: Tree) -> dict[int, list[tuple[int, np.ndarray]]]:
    """Rows and directions of the slides that carry each body, from ground outward."""
    chains: list[list[tuple[int, np.ndarray]]] = []
    found: dict[int, list[tuple[int, np.ndarray]]] = {}
    for node in tree.nodes:
        below = chains[node.parent] if node.parent >= 0 else []
        chains.append([*below, (node.row, _tidied(node.step.axis))])
        for k in [*node.bodies, *(k for spin in node.spins for k in spin.bodies)]:
            found[k] = chains[-1]
    return found


def _tidied(directions: np.ndarray) -> np.ndarray:
    """Numbers that are whole but for round-off as whole ones."""
    return np.where(np.abs(directions - np.round(directions)) < 1e-12, np.round(directions) + 0.0, directions)
