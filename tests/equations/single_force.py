"""The force of a mechanism that has only one, as a function of small motions of its two bodies."""

from typing import Any

import casadi as ca
import numpy as np

import wheelwork as ww
from wheelwork.description import flatten
from wheelwork.system.build import build


def program_of(m: ww.Mechanism) -> Any:
    return build(flatten(m))


class Force:
    """The force of the only mesh, with its derivatives at the given position after a small motion of the wheels."""

    def __init__(self, m: ww.Mechanism):
        self.program = program_of(m)
        self.use = self.program.forces[0]
        self.kernel = self.use.kernel
        numbers = self.program.numbers()
        self.data = numbers.data[self.use.data : self.use.data + self.kernel.wrench.size1_in(2)]
        space = self.program.space
        records = [ca.SX.sym(f"r{k}", space.record) for k in range(2)]
        nudge = ca.SX.sym("nudge", 2 * space.V, 2)
        frames = [
            space.nudged(space.frame(record), nudge[: space.V, k], nudge[space.V :, k])
            for k, record in enumerate(records)
        ]
        effect = self.kernel._effect(frames)
        gradient = ca.jacobian(effect.potential, ca.vec(nudge[: space.V, :]))
        arguments = [*records, self.kernel._data, self.kernel._inputs, self.kernel._turns, self.kernel._time]
        self._gradient = ca.Function("g", [*arguments, nudge], [gradient])
        self.numbers, self.nudge = numbers, np.zeros((2 * space.V, 2))

    def records(self, step: np.ndarray, twist: np.ndarray) -> list[np.ndarray]:
        space = self.program.space
        q = self.program.coordinates(self.program.displaced(self.numbers.state, step))
        return list(space.records(q, twist.reshape(2, space.V)))

    def at(self, step: np.ndarray, twist: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
        """Wrenches, gradient of the energy, and signals."""
        arguments = [*self.records(step, twist), self.data, np.zeros(0), np.zeros(0), 0.0]
        wrench = np.array(self.kernel.wrench(*arguments)).ravel()
        gradient = np.array(self._gradient(*arguments, self.nudge)).ravel()
        signals = np.array(self.kernel.signals(*arguments)).ravel()
        return wrench, gradient, dict(zip(["potential", *self.kernel.signal_names], signals, strict=True))
