"""What joints, meshes, drivers and actuators do to the bodies they touch, as wrenches for unit unknowns.

Wrenches are (force, torque about the body's centre of mass) in world axes, (N, 6, unknowns) over the N times of a
motion.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wheelwork.equations.motion import Motion, evaluate
from wheelwork.model.problems import did_you_mean

Columns = list[tuple[int, np.ndarray]]
"""Body (-1: ground) and the wrenches on it."""


@dataclass(frozen=True)
class ConstraintEdge:
    """A joint, mesh or driver: wrench -G^T lambda, and of a mesh what pushes the teeth apart.

    name: of the element; a, b: its bodies, -1: ground; rows: its multipliers among all
    """

    name: str
    a: int
    b: int
    rows: slice
    bound: Columns = field(repr=False)
    """-G^T on each body."""
    apart: tuple[Columns, Columns] | None = field(default=None, repr=False)
    """Separating wrenches for F_t = 1 and F_t = -1 (N, 6), of a mesh whose F_t is the first multiplier."""

    @classmethod
    def of(cls, motion: Motion, constraint: int) -> ConstraintEdge:
        program = motion.program
        use, space = program.constraints[constraint], program.space
        arguments = motion.constraint_arguments(constraint)
        _, Ga, Gb, *_ = evaluate(use.kernel.full, arguments)
        bound = [
            (body, np.moveaxis(space.raised(-G[: use.rows].transpose(2, 0, 1)), 1, 2))
            for body, G in ((use.a, Ga), (use.b, Gb))
        ]
        mesh = next((mesh for mesh in program.meshes if mesh.constraint == constraint), None)
        apart = None
        if mesh is not None:

            def separating(force: float) -> Columns:
                wrench = evaluate(
                    mesh.kernel.separating, [*arguments[:3], np.full((1, motion.count), force)]
                )[0]
                both = space.raised(wrench.reshape(2, space.V, motion.count).transpose(0, 2, 1))
                return [(use.a, both[0]), (use.b, both[1])]

            apart = separating(1.0), separating(-1.0)
        rows = slice(use.first_row, use.first_row + use.rows)
        return cls(use.name, use.a, use.b, rows, bound, apart)

    @property
    def unknowns(self) -> int:
        return self.rows.stop - self.rows.start

    @property
    def one_sided(self) -> bool:
        """Whether the wrench depends on the sign of the first unknown."""
        return self.apart is not None

    def columns(self, sign: np.ndarray, moments: Any = slice(None)) -> Columns:
        """Wrenches for unit unknowns at some moments, where the first has the sign given for each."""
        if self.apart is None:
            return [(body, bound[moments]) for body, bound in self.bound]
        out = []
        for (body, bound), (_, plus), (_, minus) in zip(self.bound, *self.apart, strict=True):
            both = np.array(bound[moments])
            both[:, :, 0] += np.where(sign[:, None] > 0, plus[moments], -minus[moments])
            out.append((body, both))
        return out


@dataclass(frozen=True)
class ActuatorEdge:
    """A torque about the axis of a joint, or a force along it: on body b, and its opposite on a."""

    name: str
    joint: str
    a: int
    b: int
    wrenches: Columns = field(repr=False)
    unknowns: int = 1
    one_sided: bool = False

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
        return cls(f"motor of {joint}", joint, use.a, use.b, wrenches)

    def columns(self, sign: np.ndarray, moments: Any = slice(None)) -> Columns:
        del sign
        return [(body, wrench[moments]) for body, wrench in self.wrenches]


BalanceEdge = ConstraintEdge | ActuatorEdge
