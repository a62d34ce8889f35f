"""Constant stiffness: a number, from a catalogue or as an assumption."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import GeometryError
from ..pair import GearPair
from ..rack_pair import RackPair
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
