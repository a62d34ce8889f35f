"""How pinions share the load, with equal and with unequal torques of their motors.

In steady motion the mean of every angular acceleration is zero, and with it that of the torques on motor and pinion:
the mean tooth force is F_i = T_i/R_b, whatever shafts, backlash and errors are. So mean shares are those of the
torques; what errors and resonances add is about that mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wheelwork.results import Result

from .drive import yaw_drive


@dataclass(frozen=True)
class Sharing:
    """A start from rest with some torques, and its steady motion afterwards."""

    torques: np.ndarray
    """Of the motors [N m]."""
    result: Result
    forces: np.ndarray
    """(times, pinions): tooth forces along the line of action [N]."""
    steady: slice
    """The times in which the motion is steady: whole turns of the gear, at the end."""

    @property
    def shares(self) -> np.ndarray:
        """Mean share of each pinion in steady motion, of 1."""
        mean = self.forces[self.steady].mean(axis=0)
        return mean / mean.sum()

    @property
    def swing(self) -> np.ndarray:
        """rms of each tooth force about its mean in steady motion [N]."""
        return self.forces[self.steady].std(axis=0)

    @property
    def peaks(self) -> np.ndarray:
        """Largest tooth force of each pinion, of the whole start [N]."""
        return self.forces.max(axis=0)


def load_sharing(
    extra: Sequence[float] = (0.0, 0.0, 0.0, 0.0), *, turns: int = 2, output: int = 2000, settle: float = 1.5
) -> Sharing:
    """A start with motors that have some torque [N m] more or less than the others.

    `turns` of the gear are looked at after `settle` seconds, in `output` points each.
    """
    given: dict[str, Any] = {f"extra{k}": value for k, value in enumerate(extra, start=1)}
    m = yaw_drive(**given)
    at = m.assemble().prepared.numbers.parameters
    torques = at["torque"] + np.asarray(extra, float)
    # more torque, more speed: the drag is load/speed
    turn = 2 * np.pi / (at["speed"] * torques.sum() / (len(torques) * at["torque"]))
    step = turn / output
    before = round(settle / step)
    count = before + turns * output
    result = m.simulate(end=count * step, output=count, formulation="reduced")
    forces = np.column_stack(
        [result[f"mesh{k}.force.transverse"].to_numpy() for k in range(1, len(torques) + 1)]
    )
    return Sharing(torques, result, forces, slice(before, before + turns * output))
