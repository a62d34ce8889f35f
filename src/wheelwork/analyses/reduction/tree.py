"""The tree: nodes from ground outward, spins, and their poses and Jacobian at any coordinates.

The same as ``core/tree.hpp`` does in machine code, here in NumPy: to find the gear ratios, and to check that the
joints and meshes left out of the tree hold everywhere.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from wheelwork.lazy import dataclass
from wheelwork.system.attitude import about

from .joints import Step, StepType

AXISYMMETRIC = 1e-9
"""Largest difference of a wheel's transverse moments, and offset of its centre, that counts as none (relative)."""


@dataclass
class TreeBody:
    """A body at the start, in the world."""

    name: str
    mass: float
    x: np.ndarray
    R: np.ndarray
    J: np.ndarray
    """Inertia about its centre of mass, world axes."""
    has_weight: bool


@dataclass
class TreeNode:
    """A moving frame of the tree: what hangs together, or a step between two joints."""

    parent: int
    step: Step
    row: int
    """Of B: its coordinate, or the first of three."""
    bodies: list[int] = field(default_factory=list)
    origin: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Centre of mass of all that moves with it; the joint point where that is nothing."""
    spins: list[Spin] = field(default_factory=list)
    ball: int = -1


@dataclass
class Spin:
    """A wheel carried by a node (None: ground) whose mass is spread evenly about its axis."""

    bodies: list[int]
    step: Step
    row: int
    polar: float


@dataclass
class Inertia:
    """Mass, centre of mass and tensor about it, world axes at the start; mass with weight and its first moment."""

    mass: float = 0.0
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    tensor: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    weight: float = 0.0
    weight_center: np.ndarray = field(default_factory=lambda: np.zeros(3))

    @classmethod
    def of(cls, bodies: list[TreeBody]) -> Inertia:
        mass = sum(body.mass for body in bodies)
        if mass == 0:
            return cls()
        center = sum((body.mass * body.x for body in bodies), np.zeros(3)) / mass
        tensor = np.zeros((3, 3))
        for body in bodies:
            d = body.x - center
            tensor += body.J + body.mass * (d @ d * np.eye(3) - np.outer(d, d))
        heavy = [body for body in bodies if body.has_weight]
        weight = sum(body.mass for body in heavy)
        first = sum((body.mass * body.x for body in heavy), np.zeros(3))
        return cls(mass, center, tensor, weight, first / weight if weight else center)

    def is_on(self, step: Step) -> bool:
        """Whether the centre of mass is on a turn's axis."""
        d = self.center - step.point
        off = np.linalg.norm(d - step.axis * (step.axis @ d))
        size = np.sqrt(np.trace(self.tensor) / max(self.mass, 1e-300))
        return bool(off <= AXISYMMETRIC * max(size, 1e-12))

    def polar_moment(self, step: Step) -> float | None:
        """Moment about a turn's axis, if the mass is spread evenly about it."""
        if not self.is_on(step):
            return None
        a = step.axis
        along = self.tensor @ a
        polar = float(a @ along)
        across = 0.5 * (np.trace(self.tensor) - polar)
        even = polar * np.outer(a, a) + across * (np.eye(3) - np.outer(a, a))
        if np.max(np.abs(self.tensor - even)) > AXISYMMETRIC * np.trace(self.tensor):
            return None
        return polar


@dataclass
class Tree:
    """Nodes (parents before children), spins of ground, and names of the coordinates by row of B."""

    bodies: list[TreeBody]
    nodes: list[TreeNode] = field(default_factory=list)
    ground_bodies: list[int] = field(default_factory=list)
    ground_spins: list[Spin] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    balls: int = 0

    @property
    def rows(self) -> int:
        return len(self.names)

    def spins(self) -> list[tuple[int, Spin]]:
        """Node and spin, those of ground first."""
        return [(-1, spin) for spin in self.ground_spins] + [
            (i, spin) for i, node in enumerate(self.nodes) for spin in node.spins
        ]

    def ball_rows(self) -> set[int]:
        return {node.row + k for node in self.nodes if node.ball >= 0 for k in range(3)}

    def place(
        self, q: np.ndarray, turns: dict[int, np.ndarray], B: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions and rotations of all bodies, and how they move with the coordinates: (bodies, 6, coordinates).

        q: by row; turns: rotation matrix of each ball joint, by node
        B: (rows, coordinates), rates of the rows; without it each row is a coordinate
        """
        B = np.eye(self.rows) if B is None else B
        count, n = len(self.bodies), B.shape[1]
        x, R, J = np.zeros((count, 3)), np.zeros((count, 3, 3)), np.zeros((count, 6, n))
        ground = (np.zeros(3), np.eye(3), np.zeros((6, n)), np.zeros(3))
        placed = []
        for i, node in enumerate(self.nodes):
            px, pR, pJ, rest = placed[node.parent] if node.parent >= 0 else ground
            step = node.step
            joint = px + pR @ (step.point - rest)
            axis = pR @ step.axis
            if step.type is StepType.TURN:
                nR = pR @ about(step.axis, q[node.row])
            elif step.type is StepType.BALL:
                nR = pR @ turns.get(i, np.eye(3))
            else:
                nR, joint = pR, joint + axis * q[node.row]
            nx = joint + nR @ (node.origin - step.point)
            nJ = moved(pJ, nx - px)
            if step.type is StepType.SLIDE:
                nJ[:3] += np.outer(axis, B[node.row])
            else:
                for k in range(step.freedoms):
                    a = axis if step.type is StepType.TURN else pR[:, k]
                    nJ[:3] += np.outer(cross(a, nx - joint), B[node.row + k])
                    nJ[3:] += np.outer(a, B[node.row + k])
            placed.append((nx, nR, nJ, node.origin))
        for i in range(-1, len(self.nodes)):
            nx, nR, nJ, rest = placed[i] if i >= 0 else ground
            for k in self.nodes[i].bodies if i >= 0 else self.ground_bodies:
                x[k], R[k] = nx + nR @ (self.bodies[k].x - rest), nR @ self.bodies[k].R
                if i >= 0:
                    J[k] = moved(nJ, x[k] - nx)
            for spin in self.nodes[i].spins if i >= 0 else self.ground_spins:
                local = about(spin.step.axis, q[spin.row])
                for k in spin.bodies:
                    offset = spin.step.point - rest + local @ (self.bodies[k].x - spin.step.point)
                    x[k], R[k] = nx + nR @ offset, nR @ local @ self.bodies[k].R
                    if i >= 0:
                        J[k] = moved(nJ, x[k] - nx)
                    axis = nR @ spin.step.axis
                    arm = nR @ (local @ (self.bodies[k].x - spin.step.point))
                    J[k][:3] += np.outer(cross(axis, arm), B[spin.row])
                    J[k][3:] += np.outer(axis, B[spin.row])
        return x, R, J


def moved(J: np.ndarray, d: np.ndarray) -> np.ndarray:
    """A Jacobian at a point further by d: v + w x d."""
    out = J.copy()
    out[:3] += cross(J[3:], d)
    return out


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Of vectors, or of each column of `a` with one; `np.cross` takes ten times as long for it."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
