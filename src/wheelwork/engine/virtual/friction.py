"""Dry friction in joints: along the joint coordinate, and dependent on the joint's reaction.

Joint k slides in direction `slip[k]` (-1 or 1) or sticks (0). While it sticks, the rate of its coordinate is
held by a constraint row and the multiplier is the friction needed. While it slides, friction is -slip (F0 +
mu N(lambda)) along the row; lambda itself depends on friction, so the two are iterated until nothing changes
(Bai, eq. 1.19-1.20).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .batch import Batch, group_by
from .fixed_point import FixedPoint

if TYPE_CHECKING:
    from .system import System

SETTLED = 1e-12
"""Relative change of the friction forces that ends the iteration."""


class DryFriction:
    """The dry friction of a mechanism."""

    def __init__(self, system: System):
        self._system = system
        uses = system.program.frictions
        self.count = len(uses)
        self.slip = np.zeros(self.count, int)
        self.force = np.zeros(self.count)
        """Friction along each joint coordinate, on body b."""
        self.converged = True
        self.constraint = np.array([use.row for use in uses], int)
        self.row = system.first_row[self.constraint]
        constraints = system.program.constraints
        self._joint_rows = [
            slice(system.first_row[use.joint], system.first_row[use.joint] + constraints[use.joint].rows)
            for use in uses
        ]
        self._body = [constraints[use.joint].b for use in uses]
        self._loads = [
            ([k for k, _ in members], Batch({"load": members[0][1].load}, len(members)))
            for members in group_by(uses, lambda use: use.load.name() if use.load is not None else "")
            if members[0][1].load is not None
        ]
        self._meshes = [k for k, use in enumerate(uses) if use.load is None]
        self.constant, self.coefficient, self.ratio = (np.zeros(self.count) for _ in range(3))

    def set_data(self, data: np.ndarray) -> None:
        for k, use in enumerate(self._system.program.frictions):
            self.constant[k], self.coefficient[k], self.ratio[k] = data[use.data : use.data + 3]
        for members, batch in self._loads:
            for i, k in enumerate(members):
                start = self._system.program.frictions[k].load_data
                batch.arguments[1][i] = data[start : start + batch.arguments[1].shape[1]]

    def rates(self) -> np.ndarray:
        """Rate of each joint coordinate."""
        return self._system.along_rows(self._system.records[:, self._system.twist :])[self.row]

    def accelerations(self) -> np.ndarray:
        """Second derivative of each joint coordinate."""
        system = self._system
        return (system.along_rows(system.acceleration) - system.gamma)[self.row]

    def limits(self) -> np.ndarray:
        """F0 + mu N of each joint, from the multipliers at hand."""
        system = self._system
        load = np.zeros(self.count)
        for members, batch in self._loads:
            for i, k in enumerate(members):
                rows = self._joint_rows[k]
                batch.arguments[0][i] = system.records[self._body[k]]
                batch.arguments[2][i] = -system.multipliers[rows] @ system.jacobian[rows, 1]
            load[members] = batch("load")[0][:, 0]
        for k in self._meshes:
            load[k] = abs(system.multipliers[self._joint_rows[k].start])
        return self.constant + np.where(self.coefficient != 0, self.coefficient * load, 0.0)

    def solve(self) -> None:
        """Accelerations, multipliers, friction forces and separating forces of teeth that agree with each other."""
        system, teeth = self._system, self._system.teeth
        base = system.force.copy()
        slides = self.slip != 0
        rows, sliding = self.row[slides], int(slides.sum())
        load = np.concatenate([self.force[slides], teeth.force])
        # with redundant constraints the multipliers themselves have an error of round-off over the shift of S
        same, acceptable = (SETTLED, 1e-9) if system.factor.regular else (1e-7, 1e-5)
        iteration, last = FixedPoint(), np.inf
        self.converged = True
        for round_ in range(202):
            self.force[slides] = load[:sliding]
            system.force[:] = base
            if sliding:
                push = load[:sliding, None, None] * system.jacobian[rows]
                np.add.at(system.force, system.row_bodies[rows], push)
                system.force[-1] = 0.0
            if teeth.count:
                teeth.apply(load[sliding:])
            system.solve_for_force()
            if not len(load):
                break
            now = -self.slip[slides] * self.limits()[slides] if sliding else np.zeros(0)
            image = np.concatenate([now, teeth.needed()])
            # what is nothing but round-off of the largest multiplier (teeth at rest under weight) need not agree
            largest = float(np.max(np.abs(system.multipliers[system.active]), initial=0.0))
            floor = max(1e-6 * np.max(np.abs(image)), (0.01 if system.factor.regular else 1.0) * largest)
            scale = np.abs(image) + floor + 1e-30
            change = float(np.max(np.abs(image - load) / scale))
            if change <= same:
                break
            if not np.isfinite(change) or round_ == 201 or (round_ > 50 and change > last):
                # with redundant constraints multipliers are right to 6 or 7 digits only; teeth alone cannot run away
                self.converged = change <= (acceptable if sliding else 1e-4)
                break
            last = change
            load = iteration.next(load, image)
        sticks = ~slides
        if self.count:
            self.force[sticks] = -np.where(system.active[self.row], system.multipliers[self.row], 0.0)[sticks]
