"""What joints, meshes, drivers and actuators do to the bodies they touch, as wrenches for unit unknowns.

Wrenches are (force, torque about the body's centre of mass) in world axes, (N, 6, unknowns) over the N times of a
motion.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wheelwork.problems import did_you_mean
from wheelwork.system.motion import Motion
from wheelwork.system.uses import MeshUse

Columns = list[tuple[int, np.ndarray]]
"""Body (-1: ground) and the wrenches on it."""


@dataclass(frozen=True)
class ConstraintEdge:
    """A joint, mesh or driver: wrench -G^T lambda, and of a mesh what pushes the wheels apart or pulls them together.

    name: of the element; bodies: those it touches, -1: ground; rows: its multipliers among all
    """

    name: str
    bodies: tuple[int, ...]
    rows: slice
    bound: Columns = field(repr=False)
    """-G^T on each body: of a turning pair Chen's forces (14) and torques (15), of gears F_t of (16), (17)."""
    mesh: Separating | None = field(default=None, repr=False)

    @classmethod
    def of(cls, motion: Motion, constraint: int) -> ConstraintEdge:
        program = motion.program
        use, space = program.constraints[constraint], program.space
        full = motion.evaluate(use.kernel.full, motion.constraint_arguments(constraint))
        bound = [
            (body, np.moveaxis(space.raised(-G[: use.rows].transpose(2, 0, 1)), 1, 2))
            for body, G in use.by_body(full)
        ]
        mesh = next((mesh for mesh in program.meshes if mesh.constraint == constraint), None)
        rows = slice(use.first_row, use.first_row + use.rows)
        separating = None if mesh is None else Separating(motion, mesh)
        return cls(use.name, use.bodies, rows, bound, separating)

    @property
    def unknowns(self) -> int:
        return self.rows.stop - self.rows.start

    def columns(self, at: Tangent | None, moments: Any = slice(None)) -> Columns:
        """Wrenches for unit unknowns at some moments, the part that goes with F_t as its tangent has it."""
        if at is None:
            return [(body, bound[moments]) for body, bound in self.bound]
        out = []
        for k, (body, bound) in enumerate(self.bound):
            both = np.array(bound[moments])
            both[:, :, 0] += at.slope[k][moments]
            out.append((body, both))
        return out


@dataclass(frozen=True)
class Tangent:
    """Separating wrenches on the two wheels, offset + slope F_t, each (2, N, 6)."""

    offset: np.ndarray
    slope: np.ndarray


class Separating:
    """The separating wrench of a mesh as it depends on F_t, its first multiplier.

    It is made of straight pieces: |F_t| tan(alpha) of teeth; the pull of a belt's strands, which is its tension until
    the slack one hangs loose, and |F_t| beyond.
    """

    def __init__(self, motion: Motion, mesh: MeshUse) -> None:
        self._kernel, self._motion = mesh.kernel, motion
        self._arguments = motion.constraint_arguments(mesh.constraint)[:3]

    def wrenches(self, force: np.ndarray) -> np.ndarray:
        """(2, N, 6) on a and b for tangential forces (N): |w_t| tan(phi) of Chen (16), (17)."""
        return self._both(self._motion.evaluate(self._kernel.separating, [*self._arguments, force[None]])[0])

    def tangent(self, force: np.ndarray) -> Tangent:
        """Of the piece on which each of the tangential forces (N) lies."""
        derivatives = self._motion.evaluate(self._kernel.separating_jacobian, [*self._arguments, force[None]])
        slope = self._both(derivatives[1])
        return Tangent(self.wrenches(force) - slope * force[:, None], slope)

    def _both(self, wrench: np.ndarray) -> np.ndarray:
        space = self._motion.program.space
        return space.raised(wrench.reshape(2, space.V, self._motion.count).transpose(0, 2, 1))


@dataclass(frozen=True)
class ActuatorEdge:
    """A torque about the axis of a joint, or a force along it: on body b, and its opposite on a."""

    name: str
    joint: str
    bodies: tuple[int, ...]
    wrenches: Columns = field(repr=False)
    unknowns: int = 1
    mesh: None = None

    @classmethod
    def of(cls, motion: Motion, joint: str) -> ActuatorEdge:
        program = motion.program
        if joint not in program.joints:
            raise KeyError(f"there is no joint `{joint}`; {did_you_mean(joint, program.joints)}")
        view = program.joints[joint]
        if len(view.coordinates) != 1:
            raise ValueError(f"an actuator needs a joint with one freedom, but `{joint}` is {view.type}")
        use = program.constraints[view.constraint]
        data = motion.numbers.data[use.data : use.data + 24]
        turns = view.coordinates[0] == "angle"
        column = 2 if turns or program.space.name == "spatial" else 0
        frames = motion.frames
        axis = frames[:, use.a, 3:12].reshape(-1, 3, 3) @ data[3:12].reshape(3, 3)[:, column]
        point = frames[:, use.b, :3] + frames[:, use.b, 3:12].reshape(-1, 3, 3) @ data[12:15]
        wrenches = []
        for body, sense in ((use.a, -1.0), (use.b, 1.0)):
            force, torque = (0 * axis, axis) if turns else (axis, np.cross(point - frames[:, body, :3], axis))
            wrenches.append((body, sense * np.hstack([force, torque])[:, :, None]))
        return cls(f"motor of {joint}", joint, use.bodies, wrenches)

    def columns(self, at: Tangent | None, moments: Any = slice(None)) -> Columns:
        del at
        return [(body, wrench[moments]) for body, wrench in self.wrenches]


BalanceEdge = ConstraintEdge | ActuatorEdge
