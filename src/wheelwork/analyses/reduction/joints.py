"""Joints as steps of a tree: what each lets free, as turns about axes, slides along axes and ball joints.

Geometry is that of the world at the position where the reduction is made.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from wheelwork.description.registry import find
from wheelwork.lazy import dataclass
from wheelwork.system.program import Program
from wheelwork.system.space import PLANAR


class StepType(IntEnum):
    """Primitive joints; the numbers are those of ``core/tree.hpp``."""

    TURN = 0
    SLIDE = 1
    BALL = 2


@dataclass(frozen=True)
class Step:
    """One primitive joint: its axis, a point of it, and the name of its coordinate."""

    type: StepType
    axis: np.ndarray
    point: np.ndarray
    name: str

    @property
    def freedoms(self) -> int:
        return 3 if self.type is StepType.BALL else 1

    def reversed(self) -> Step:
        """The same joint seen from its other body, with the same sense of its coordinate."""
        return Step(self.type, -self.axis, self.point, self.name)


def steps_of(
    program: Program, data: np.ndarray, x: np.ndarray, R: np.ndarray, joint: str
) -> list[Step] | None:
    """What a joint lets free, from its body a to its body b; None if it is not a chain of primitive joints."""
    view = program.joints[joint]
    use = program.constraints[view.constraint]
    (_, A), (pb, B) = (
        _marker(x, R, body, data[start : start + 12])
        for body, start in ((use.a, use.data), (use.b, use.data + 12))
    )
    joint_type = find("joints", view.type)
    if joint_type.steps is None:
        return None
    own = joint_type.along_in_plane if program.space is PLANAR else "z"
    steps = []
    for freedom in joint_type.steps:
        letter, _, on_b = (freedom.axis or own).partition("_")
        axis = (B if on_b else A)[:, "xyz".index(letter)]
        name = f"{joint}.{freedom.name}" if freedom.name else joint
        steps.append(Step(StepType[freedom.motion.upper()], axis, pb, name))
    return steps


def _marker(x: np.ndarray, R: np.ndarray, body: int, record: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position and axes of a marker in the world."""
    s, axes = record[:3], record[3:].reshape(3, 3)
    return (s, axes) if body < 0 else (x[body] + R[body] @ s, R[body] @ axes)


def step_of_twist(twist: np.ndarray, size: float, name: str) -> list[Step]:
    """The single freedom that several joints between the same bodies leave: a turn, a slide, or both along one axis.

    twist: velocity of the point at the world's origin, and angular velocity
    """
    v, w = twist[:3], twist[3:]
    turning = np.linalg.norm(w) * size
    if turning < 1e-9 * np.linalg.norm(v):
        return [Step(StepType.SLIDE, v / np.linalg.norm(v), np.zeros(3), f"{name}.displacement")]
    axis = w / np.linalg.norm(w)
    point = np.cross(w, v) / (w @ w)
    turn = Step(StepType.TURN, axis, point, f"{name}.angle")
    if abs(v @ axis) < 1e-9 * turning:
        return [turn]
    return [Step(StepType.SLIDE, axis, point, f"{name}.displacement"), turn]
