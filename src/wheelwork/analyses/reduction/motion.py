"""Motion of all bodies from the coordinates of the tree: poses, velocities and accelerations, from ground outward.

The same recursion as in ``core/tree.hpp``, in NumPy and with the accelerations of the coordinates in it. For a joint
with the relative angular velocity w_r (or the sliding velocity s) against its parent p, the arm r_p from the parent's
origin to the joint point and the arm r from there to the node's own origin:

    w = w_p + w_r                        alpha = alpha_p + w_p x w_r + alpha_r
    v = v_p + w_p x r_p + s + w x r      a = a_p + alpha_p x r_p + w_p x (w_p x r_p) + 2 w_p x s + s' + alpha x r
                                             + w x (w x r)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.engine.outcome import Outcome, RunReport
from wheelwork.results.provenance import Provenance
from wheelwork.system.attitude import about
from wheelwork.system.frame_motion import FrameMotion
from wheelwork.system.motion import Motion

from .joints import Step, StepType
from .tree import Tree

if TYPE_CHECKING:
    from .dynamics import MinimalCoordinates


@dataclass(frozen=True)
class _NodeMotion(FrameMotion):
    """A moving frame; `rest` is where its origin is when all coordinates are zero."""

    rest: np.ndarray

    def at(self, rest: np.ndarray) -> _NodeMotion:
        """The frame at another point that is fixed in it, given by where it is at rest."""
        arm = self.R @ (rest - self.rest)
        wr = np.cross(self.w, arm)
        a = self.a + np.cross(self.alpha, arm) + np.cross(self.w, wr)
        return _NodeMotion(self.x + arm, self.R, self.v + wr, self.w, a, self.alpha, rest)

    def moved(
        self, step: Step, q: np.ndarray, rate: np.ndarray, acceleration: np.ndarray, turned: np.ndarray
    ):
        """What hangs on this frame (whose origin is the joint point) by a joint; `turned`: rotation of a ball joint."""
        axis = self.R @ step.axis
        x, v, a, R, w, alpha = self.x, self.v, self.a, self.R, self.w, self.alpha
        if step.type is StepType.SLIDE:
            along = axis * rate[0]
            x = x + axis * q[0]
            offset = axis * q[0]
            v = v + np.cross(w, offset) + along
            a = a + np.cross(alpha, offset) + np.cross(w, np.cross(w, offset))
            a = a + 2 * np.cross(w, along) + axis * acceleration[0]
        else:
            if step.type is StepType.TURN:
                turned, spin, quicker = about(step.axis, q[0]), axis * rate[0], axis * acceleration[0]
            else:
                spin, quicker = self.R @ rate, self.R @ acceleration
            R, alpha, w = R @ turned, alpha + np.cross(w, spin) + quicker, w + spin
        return _NodeMotion(x, R, v, w, a, alpha, self.rest)


def body_motion(
    tree: Tree, q: np.ndarray, turns: dict[int, np.ndarray], rate: np.ndarray, acceleration: np.ndarray
) -> FrameMotion:
    """Motion of all bodies, a row each, in world axes: that of their centres of mass.

    q, rate, acceleration: by row of the tree; those of a ball joint are its angular velocity and acceleration against
    its parent, in the parent's axes. turns: rotation matrix of each ball joint, by node
    """
    zero = np.zeros(3)
    ground = _NodeMotion(zero, np.eye(3), zero, zero, zero, zero, zero)
    frames: list[_NodeMotion] = []
    for i, node in enumerate(tree.nodes):
        parent = frames[node.parent] if node.parent >= 0 else ground
        frames.append(_hung(parent, node.step, node.row, q, rate, acceleration, turns.get(i)).at(node.origin))
    out = FrameMotion(*(np.zeros((len(tree.bodies), *shape)) for shape in ((3,), (3, 3), *[(3,)] * 4)))
    for i in range(-1, len(tree.nodes)):
        frame = frames[i] if i >= 0 else ground
        for k in tree.nodes[i].bodies if i >= 0 else tree.ground_bodies:
            _store(out, tree, k, frame)
        for spin in tree.nodes[i].spins if i >= 0 else tree.ground_spins:
            wheel = _hung(frame, spin.step, spin.row, q, rate, acceleration, None)
            for k in spin.bodies:
                _store(out, tree, k, wheel)
    return out


def _hung(
    parent: _NodeMotion,
    step: Step,
    row: int,
    q: np.ndarray,
    rate: np.ndarray,
    acceleration: np.ndarray,
    turned: np.ndarray | None,
) -> _NodeMotion:
    own = slice(row, row + step.freedoms)
    return parent.at(step.point).moved(
        step, q[own], rate[own], acceleration[own], np.eye(3) if turned is None else turned
    )


def _store(out: FrameMotion, tree: Tree, body: int, frame: _NodeMotion) -> None:
    here = frame.at(tree.bodies[body].x)
    out.x[body], out.R[body] = here.x, here.R @ tree.bodies[body].R
    out.v[body], out.w[body], out.a[body], out.alpha[body] = here.v, here.w, here.a, here.alpha


# -- a motion that is given in minimal coordinates


Times = Sequence[float] | np.ndarray


def given_motion(
    minimal: MinimalCoordinates, t: Times, u: np.ndarray, rates: np.ndarray, accelerations: np.ndarray
) -> Motion:
    """States and accelerations of all bodies, a row for each time; the multipliers are left zero."""
    prepared = minimal.start.prepared
    program = prepared.program
    states, quicker = [], []
    for one, speed, change in zip(u, rates, accelerations, strict=True):
        moved = minimal.motion(one, speed, change)
        states.append(minimal.absolute_state(one, speed))
        quicker.append(np.hstack([moved.a, moved.alpha])[:, list(program.space.velocities)].ravel())
    count = len(states)
    return Motion(
        program,
        prepared.numbers,
        np.asarray(t, float),
        np.array(states),
        np.array(quicker),
        np.zeros((count, program.rows)),
        np.zeros((count, len(program.frictions))),
    )


def provenance_of(minimal: MinimalCoordinates, t: Times) -> Provenance:
    prepared = minimal.start.prepared
    return Provenance.of(
        prepared.description,
        parameters=prepared.numbers.parameters,
        settings={"type": "given motion"},
        engine=prepared.engine.name,
        report=RunReport(Outcome.REACHED_END, float(np.asarray(t)[-1]), "", 0.0, 0.0, 0, 0, 0, 0),
        events=(),
    )
