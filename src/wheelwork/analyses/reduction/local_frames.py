"""A tree in frames of its own nodes: the numbers that its straight-line code is made of.

The general equations (``engine/core/tree.hpp``) have all nodes in the axes that the world has at the start. In code
that is written for one tree it pays to turn each node's axes so that its joint moves along one of them and its mass is
spread along them, with the origin in the joint: most numbers are then zero or one, and what is multiplied with them
vanishes.

Which numbers are zero or one is written into the code; all others are its data: other values need no other code.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from wheelwork.engine.engine import Engine
from wheelwork.lazy import dataclass
from wheelwork.system.space import PLANAR

from .grow import carried_inertia
from .joints import StepType
from .reduce import Reduction
from .tree import TreeNode

ROUND_OFF = 1e-13
"""Lengths and moments below this, relative to the largest, are zero."""


@dataclass(frozen=True)
class LocalNode:
    """How a node hangs on its parent; lengths and directions are in `LocalTree.numbers`.

    axis: which of its own axes it moves along, -1: a ball joint
    """

    parent: int
    type: StepType
    axis: int
    row: int
    ball: int


@dataclass(frozen=True)
class LocalBody:
    """Where a body is.

    node: -1: ground; row: of its turning against the node (-1: none); axis: which of its own that is about (-1: none)
    """

    node: int
    row: int
    axis: int


@dataclass
class LocalTree:
    """The structure of a tree, and its numbers by name.

    Of each node, in its own axes unless stated otherwise:

    A        parent from node, at the angle zero (3 x 3)
    angle    added to the coordinate of a turn [rad]
    place    of its origin, the joint, in the parent [m]
    mass     [kg]; first moment `first` [kg m] and second moments `second` [kg m2] about the origin (xx yy zz xy xz yz)
    weight   mass that has weight [kg], its first moment `weight_first` [kg m]
    axes     of the world at the start, by rows (3 x 3)
    momentum of its spins by the rates of the coordinates (3 x n)

    Of each spin: `spin_axis` in its node, `polar` moment. Of each body: `arm` from the node's origin to its centre of
    mass, `pose` its axes in the node (3 x 3), `turned` added to the angle of its spin, `spin_about` the axis of that in
    the node. `ratio`: rates of the rows by those of the coordinates; `sign` of rows whose joints are seen from the
    other end is -1 in it. `spun`: what the spins add to the mass matrix by themselves.
    """

    n: int
    scalars: int
    nodes: list[LocalNode] = field(default_factory=list)
    spins: list[tuple[int, int]] = field(default_factory=list)
    """Node and row."""
    bodies: list[LocalBody] = field(default_factory=list)
    sign: np.ndarray = field(default_factory=lambda: np.zeros(0))
    all_weigh: bool = True
    numbers: dict[str, np.ndarray] = field(default_factory=dict)

    def structure(self) -> str:
        """All that code depends on besides numbers that are neither zero nor one."""
        parts = [
            self.n,
            self.scalars,
            self.nodes,
            self.spins,
            self.bodies,
            self.sign.tolist(),
            self.all_weigh,
        ]
        return repr(parts) + repr(
            [(k, v.shape, self.known(k).tobytes().hex()) for k, v in self.numbers.items()]
        )

    def known(self, name: str) -> np.ndarray:
        """The numbers that are written into the code; nan: those that are not."""
        values = self.numbers[name]
        whole = (-1.0, 0.0, 1.0) if name in DIRECTIONS else () if name in ANGLES else (0.0,)
        return np.where(_one_of(values, whole), values, np.nan)


DIRECTIONS = {"A", "axes", "ratio", "spin_axis", "pose", "spin_about", "turn_ratio", "body_angle"}
"""Numbers that are often one; a length or a mass of one is a coincidence."""
ANGLES = {"angle", "turned", "turns", "body_start"}
"""Numbers that are zero at one start and not at another."""


def local_tree(reduction: Reduction, engine: Engine) -> LocalTree:
    """A tree in its nodes' own axes."""
    tree, program = reduction.tree, engine.program
    n, count = len(reduction.independent), len(tree.nodes)
    out = LocalTree(n, reduction.scalars, sign=np.ones(tree.rows))
    frames: list[np.ndarray] = []
    A, angle, place = np.zeros((count, 3, 3)), np.zeros(count), np.zeros((count, 3))
    ground = np.eye(3)
    for i, node in enumerate(tree.nodes):
        parent = frames[node.parent] if node.parent >= 0 else ground
        F = parent if node.ball >= 0 else _axes(node, parent, [tree.bodies[k].R for k in node.bodies])
        frames.append(F)
        own = _tidied(F.T @ node.step.axis)
        axis = -1 if node.ball >= 0 else int(np.argmax(np.abs(own)))
        if axis >= 0 and own[axis] < 0:
            out.sign[node.row] = -1.0
        origin = tree.nodes[node.parent].step.point if node.parent >= 0 else np.zeros(3)
        A[i] = _tidied(parent.T @ F)
        if node.step.type is StepType.TURN:
            A[i], angle[i] = _split(A[i], axis)
        place[i] = parent.T @ (node.step.point - origin)
        out.nodes.append(LocalNode(node.parent, node.step.type, axis, node.row, node.ball))
    ratio = out.sign[:, None] * reduction.B
    mass, weight = np.zeros(count), np.zeros(count)
    first, second, weight_first = np.zeros((count, 3)), np.zeros((count, 6)), np.zeros((count, 3))
    for i, node in enumerate(tree.nodes):
        F, inertia = frames[i], carried_inertia(tree, node)
        c = F.T @ (inertia.center - node.step.point)
        mass[i], weight[i] = inertia.mass, inertia.weight
        if inertia.mass:
            J = F.T @ inertia.tensor @ F
            S = 0.5 * np.trace(J) * np.eye(3) - J
            S = _small(S, np.abs(J).max()) + inertia.mass * np.outer(
                _small(c, _size(tree)), _small(c, _size(tree))
            )
            second[i] = S[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            first[i] = inertia.mass * _small(c, _size(tree))
            weight_first[i] = inertia.weight * _small(
                F.T @ (inertia.weight_center - node.step.point), _size(tree)
            )
            out.all_weigh &= abs(inertia.weight - inertia.mass) <= ROUND_OFF * inertia.mass
    gravity = engine.numbers.gravity[np.any(engine.numbers.gravity != 0, axis=1)]
    if not len(gravity):
        out.all_weigh, weight, weight_first = True, 0 * weight, 0 * weight_first
    momentum, spin_axis, polar = np.zeros((count, 3, n)), [], []
    for i, spin in tree.spins():
        own = _tidied((frames[i] if i >= 0 else ground).T @ spin.step.axis)
        out.spins.append((i, spin.row))
        spin_axis.append(own)
        polar.append(spin.polar)
        if i >= 0:
            momentum[i] += spin.polar * np.outer(own, reduction.B[spin.row])
    spun = sum(
        (
            p * np.outer(reduction.B[row], reduction.B[row])
            for p, (_, row) in zip(polar, out.spins, strict=True)
        ),
        np.zeros((n, n)),
    )
    out.numbers = {
        "A": A,
        "angle": angle,
        "place": _small(place, _size(tree)),
        "mass": mass,
        "first": first,
        "second": second,
        "weight": weight,
        "weight_first": weight_first,
        "axes": _tidied(np.array(frames).reshape(-1, 3, 3)),
        "momentum": _small(momentum, np.abs(momentum).max(initial=0.0)),
        "spin_axis": np.array(spin_axis).reshape(-1, 3),
        "polar": np.array(polar),
        "spun": _small(spun, np.abs(spun).max(initial=0.0)),
        "ratio": _tidied(ratio),
        "gravity": np.array(gravity[0] if len(gravity) else np.zeros(3)),
        **_bodies(out, reduction, frames),
        "turn_ratio": _tidied(np.nan_to_num(reduction.turns)),
        "turns": np.array(reduction.start[program.nq + program.nv :][: len(program.turns)]),
    }
    if program.space is PLANAR:
        turning = tree.place(np.zeros(tree.rows), {})[2][:, 5, :] @ reduction.B
        out.numbers["body_start"] = np.array(program.coordinates(reduction.start)[:, 2])
        out.numbers["body_angle"] = _tidied(turning)
    return out


def _bodies(out: LocalTree, reduction: Reduction, frames: list[np.ndarray]) -> dict[str, np.ndarray]:
    tree = reduction.tree
    count = len(tree.bodies)
    arm, pose, turned, about = (
        np.zeros((count, 3)),
        np.zeros((count, 3, 3)),
        np.zeros(count),
        np.zeros((count, 3)),
    )
    spin_of = {k: (i, spin) for i, spin in tree.spins() for k in spin.bodies}
    node_of = {k: i for i, node in enumerate(tree.nodes) for k in node.bodies}
    for k, body in enumerate(tree.bodies):
        i, spin = spin_of.get(k, (node_of.get(k, -1), None))
        F = frames[i] if i >= 0 else np.eye(3)
        arm[k] = F.T @ (body.x - (tree.nodes[i].step.point if i >= 0 else 0.0))
        pose[k] = _tidied(F.T @ body.R)
        if spin is None:
            out.bodies.append(LocalBody(i, -1, -1))
            continue
        about[k] = _tidied(F.T @ spin.step.axis)
        own = _tidied(body.R.T @ spin.step.axis)
        axis = int(np.argmax(np.abs(own))) if np.all(_one_of(own, (-1.0, 0.0, 1.0))) else -1
        if axis >= 0:
            pose[k], turned[k] = _split(pose[k], axis)
        out.bodies.append(LocalBody(i, spin.row, axis))
    return {"arm": _small(arm, _size(tree)), "pose": pose, "turned": turned, "spin_about": about}


def _axes(node: TreeNode, parent: np.ndarray, bodies: list[np.ndarray]) -> np.ndarray:
    """Axes for a node: those of its body, its parent or the world, where the joint is along one of them."""
    for F in (*bodies, parent, np.eye(3)):
        if np.all(_one_of(_tidied(F.T @ node.step.axis), (-1.0, 0.0, 1.0))):
            return F
    z = node.step.axis
    across = np.cross(parent[:, int(np.argmin(np.abs(parent.T @ z)))], z)
    x = across / np.linalg.norm(across)
    return np.column_stack([x, np.cross(z, x), z])


def _split(A: np.ndarray, axis: int) -> tuple[np.ndarray, float]:
    """A rotation as one by whole quarter turns and one about an axis after it, where that can be."""
    whole = _one_of(A, (-1.0, 0.0, 1.0))
    if not np.all(whole[:, axis]):
        return A, 0.0
    i, j = (axis + 1) % 3, (axis + 2) % 3
    first = np.zeros((3, 3))
    first[:, axis] = A[:, axis]
    first[:, i] = np.eye(3)[(int(np.argmax(np.abs(A[:, axis]))) + 1) % 3]
    first[:, j] = np.cross(first[:, axis], first[:, i])
    rest = first.T @ A
    return first, float(np.arctan2(rest[j, i], rest[i, i]))


def _size(tree: object) -> float:
    x = np.array([[0.0, 0.0, 0.0], *(body.x for body in tree.bodies)])  # type: ignore[attr-defined]
    return float(np.ptp(x, axis=0).max()) or 1.0


def _small(values: np.ndarray, size: float) -> np.ndarray:
    return np.where(np.abs(values) <= ROUND_OFF * size, 0.0, values)


def _tidied(directions: np.ndarray) -> np.ndarray:
    """Numbers that are whole but for round-off as whole ones."""
    return np.where(np.abs(directions - np.round(directions)) < 1e-12, np.round(directions) + 0.0, directions)


def _one_of(values: np.ndarray, these: tuple[float, ...]) -> np.ndarray:
    """Which values are among these few; `np.isin` loads masked arrays first, which takes 10 ms."""
    found = np.zeros(values.shape, bool)
    for one in these:
        found |= values == one
    return found
