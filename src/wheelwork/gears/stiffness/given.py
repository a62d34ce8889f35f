"""Stiffness that is given: a number, or a table of one pair of teeth from finite elements or a measurement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wheelwork.gears.involute import GeometryError
from wheelwork.gears.pair import GearPair
from wheelwork.gears.rack_pair import RackPair

from .base import MeshStiffness


class ConstantStiffness(MeshStiffness):
    """The same stiffness at every phase of the mesh.

    mesh: stiffness of the mesh as a whole [N/m]; a single pair has that divided by the mean number of pairs,
    epsilon_alpha"""

    name = "constant"

    def __init__(self, pair: GearPair | RackPair, mesh: float) -> None:
        super().__init__(pair)
        if mesh <= 0:
            raise GeometryError(f"a mesh stiffness must be greater than zero, but is {mesh:.4g} N/m")
        self.mesh = mesh

    def pair_stiffness(self, position: Any, force: Any = None) -> Any:
        share = self.mesh / self.pair.path.contact_ratio
        return np.where(self.within(np.asarray(position, dtype=float)), share, 0.0)

    def mesh_stiffness(self, phase: Any, force: float | None = None) -> Any:
        return np.full(np.shape(phase), self.mesh)


# -- a user's table of the stiffness of one pair of teeth, from finite elements or a measurement


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
