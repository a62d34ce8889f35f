"""A user's table of the stiffness of one pair of teeth, from finite elements or a measurement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import GeometryError
from ..pair import GearPair
from ..rack_pair import RackPair
from .base import MeshStiffness


class StiffnessTable(MeshStiffness):
    """Stiffness of a pair by linear interpolation.

    along: (n,) places on the path of contact, from 0 at A to 1 at E, increasing
    stiffness: (n,) of one pair [N/m] there
    """

    name = "table"

    def __init__(self, pair: GearPair | RackPair, along: Sequence[float], stiffness: Sequence[float]) -> None:
        super().__init__(pair)
        self.along, self.stiffness = np.asarray(along, dtype=float), np.asarray(stiffness, dtype=float)
        if self.along.shape != self.stiffness.shape or self.along.ndim != 1 or len(self.along) < 2:
            raise GeometryError(
                f"a stiffness table needs as many places as values, at least two, but has {self.along.shape} and "
                f"{self.stiffness.shape}"
            )
        if np.any(np.diff(self.along) <= 0) or self.along[0] > 0 or self.along[-1] < 1:
            raise GeometryError(
                "the places of a stiffness table must increase and cover 0 (at A) to 1 (at E)"
            )
        if np.any(self.stiffness <= 0):
            raise GeometryError("a stiffness table must hold numbers greater than zero")

    def pair_stiffness(self, position: Any, force: Any = None) -> Any:
        position = np.asarray(position, dtype=float)
        path = self.pair.path
        value = np.interp((position - path.start) / path.length, self.along, self.stiffness)
        return np.where(self.within(position), value, 0.0)
