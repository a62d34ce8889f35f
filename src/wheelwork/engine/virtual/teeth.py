"""What pushes the teeth of gear meshes apart: forces that depend on the tooth forces, and so on the multipliers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .batch import Batch, group_by

if TYPE_CHECKING:
    from .system import System


class Teeth:
    """The meshes of a mechanism."""

    def __init__(self, system: System):
        self._system = system
        meshes = system.program.meshes
        self.count = len(meshes)
        self.force = np.zeros(self.count)
        """Tooth forces with which the separating forces were last made."""
        self.row = np.array([system.first_row[mesh.constraint] for mesh in meshes], int)
        uses = [system.program.constraints[mesh.constraint] for mesh in meshes]
        self._bodies = np.array([(use.a, use.b) for use in uses], int).reshape(self.count, 2)
        self._data = [use.data for use in uses]
        self._groups = [
            (
                np.array([k for k, _ in members]),
                Batch({"separating": members[0][1].kernel.separating}, len(members)),
            )
            for members in group_by(meshes, lambda mesh: mesh.kernel.key)
        ]

    def set_data(self, data: np.ndarray) -> None:
        for members, batch in self._groups:
            for i, k in enumerate(members):
                batch.arguments[2][i] = data[self._data[k] : self._data[k] + batch.arguments[2].shape[1]]

    def needed(self) -> np.ndarray:
        """Tooth forces of the multipliers at hand."""
        return self._system.multipliers[self.row]

    def apply(self, force: np.ndarray) -> None:
        """Add the separating forces of given tooth forces to those on the bodies."""
        system = self._system
        self.force[:] = force
        for members, batch in self._groups:
            bodies = self._bodies[members]
            batch.arguments[0][:] = system.records[bodies[:, 0]]
            batch.arguments[1][:] = system.records[bodies[:, 1]]
            batch.arguments[3][:, 0] = force[members]
            wrench = batch("separating")[0].reshape(len(members), 2, system.V)
            np.add.at(system.force, bodies, wrench)
        system.force[-1] = 0.0
