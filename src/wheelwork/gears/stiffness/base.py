"""What the methods share: stiffness of one pair of teeth along the path, and of all pairs over a mesh cycle.

Stiffness [N/m] is counted along the transverse line of action: a force F on it moves the wheels against each other by
F/k (as arcs of the base circles, the u of Bai's (3.3)). For one pair

    1/k = 1/k_a + 1/k_b + 1/k_contact                                   (3.5)

and pairs in contact at the same time add up. Where the teeth are helical, the face is cut into thin slices which lie at
different places of the path, shifted along it by w tan(beta_b); slices are not coupled.

A tooth also deflects when its neighbour is loaded, as both stand on one body. What of that a method knows is its
`shared_compliance` q_s, which all pairs have in common:

    1/k_mesh = q_s + 1 / (sum over pairs of 1/(1/k_i - q_s))

With q_s = 0 pairs simply add up. How much that leaves out is measured with finite elements in the documentation (mesh
stiffness, "pairs are not independent").

To add a method: a subclass of `MeshStiffness` in a file of its own that gives `pair_stiffness`, with its equations
and source in the docstring; add it to the list in `stiffness/__init__.py` and to the comparison in
tests/gears/test_stiffness.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from math import tan
from typing import Any, ClassVar

import numpy as np

from wheelwork.lazy import dataclass

from ..involute import GeometryError
from ..pair import GearPair
from ..rack_pair import RackPair

SLICES = 41  # across a helical face


@dataclass(frozen=True)
class MeshCycle:
    """Stiffness over one mesh cycle.

    phase: (n,) from 0, where a pair enters contact in the middle of the face, to 1, where the next one does
    stiffness: (n,) of all pairs [N/m]
    """

    phase: np.ndarray
    stiffness: np.ndarray

    @property
    def mean(self) -> float:
        """Mean over the cycle [N/m]"""
        return float(np.mean(self.stiffness))

    def harmonics(self, count: int) -> np.ndarray:
        """Complex amplitudes (count + 1,) [N/m]: k(phase) = Re(sum over l of c_l exp(2 pi i l phase)), c_0 the mean."""
        c = np.fft.rfft(self.stiffness)[: count + 1] / len(self.stiffness)
        # the first sample is not at phase 0
        c = c * np.exp(-2j * np.pi * np.arange(len(c)) * self.phase[0])
        return np.concatenate((c[:1], 2 * c[1:]))


class MeshStiffness(ABC):
    """A method for the stiffness of a pair; `pair` is a `GearPair` or a `RackPair` with a face width."""

    name: ClassVar[str]
    shared_compliance: float = 0.0
    """q_s [m/N], the part of every pair's compliance that all pairs have in common"""

    def __init__(self, pair: GearPair | RackPair) -> None:
        if pair.face_width <= 0:
            raise GeometryError("stiffness needs the face width of both wheels; give face_width")
        if pair.path.length <= 0:
            raise GeometryError("these teeth never touch: the path of contact has no length")
        if pair.a.tip_thickness <= 0 or (isinstance(pair, GearPair) and pair.b.tip_thickness <= 0):
            raise GeometryError("these teeth come to a point, which bears no load; see `findings`")
        self.pair = pair

    @abstractmethod
    def pair_stiffness(self, position: Any, force: Any = None) -> Any:
        """Stiffness [N/m] of one pair of teeth that touch over the whole face at `position` on the line of action;
        0 before A and after E.

        force: on this pair [N], where the method depends on it
        """

    def local_stiffness(self, position: Any, force: Any = None) -> Any:
        """Stiffness [N/m] of one pair without what it shares with the others; 0 off the path."""
        k = self.pair_stiffness(position, force)
        return k / (1 - self.shared_compliance * k)

    def from_parts(self, position: Any, parts: Callable[[np.ndarray], Mapping[str, Any]]) -> Any:
        """Stiffness of one pair from its compliances [m/N] by cause at places on the path; 0 off the path."""
        position, path = np.asarray(position, dtype=float), self.pair.path
        total = sum(parts(np.clip(position, path.start, path.end)).values())
        return np.where(self.within(position), 1 / total, 0.0)

    def within(self, position: Any) -> Any:
        """Whether a place lies on the path of contact."""
        path = self.pair.path
        slack = 1e-9 * path.base_pitch
        return (position >= path.start - slack) & (position <= path.end + slack)

    def coverage(self, place: Any) -> Any:
        """How much of a slice of the face whose middle is at `place` lies on the path, 0 to 1: a slice of a leaning
        tooth enters contact bit by bit."""
        path = self.pair.path
        half = self.pair.face_width * abs(tan(self.pair.a.base_helix_angle)) / len(self.slices()[0]) / 2
        if half == 0:
            return np.where(self.within(place), 1.0, 0.0)
        inside = np.minimum(place + half, path.end) - np.maximum(place - half, path.start)
        return np.clip(inside / (2 * half), 0.0, 1.0)

    def slice_stiffness(self, place: Any, force: Any = None) -> Any:
        """Stiffness [N/m] of slices (..., slices) of pairs, each with its share of the face and as far as it touches.

        force: on a pair if all its slices were pressed like this one [N], where the method depends on it
        """
        path = self.pair.path
        _, shares = self.slices()
        whole = self.local_stiffness(np.clip(place, path.start, path.end), force)
        return whole * shares * self.coverage(place)

    def slices(self) -> tuple[np.ndarray, np.ndarray]:
        """Shift along the path [m] and share of the face of each slice of a helical face; one slice for a spur gear."""
        lean = self.pair.face_width * tan(self.pair.a.base_helix_angle)
        if lean == 0:
            return np.zeros(1), np.ones(1)
        return lean * ((np.arange(SLICES) + 0.5) / SLICES - 0.5), np.full(SLICES, 1 / SLICES)

    def positions(self, phase: Any) -> np.ndarray:
        """Places (..., pairs, slices) [m] of all pairs that may touch at a phase of the mesh."""
        path = self.pair.path
        shifts, _ = self.slices()
        reach = float(np.max(np.abs(shifts)))
        first = -int(np.ceil(reach / path.base_pitch)) - 1
        last = int(np.ceil((path.length + reach) / path.base_pitch)) + 1
        numbers = np.arange(first, last + 1)
        phase = np.asarray(phase, dtype=float)[..., None, None]
        return path.start + (phase + numbers[:, None]) * path.base_pitch + shifts

    def mesh_stiffness(self, phase: Any, force: float | None = None) -> Any:
        """Stiffness [N/m] of all pairs at a phase of the mesh (1 is one pitch).

        force: on all pairs together [N], where the method depends on it
        """
        at = self.positions(phase)
        _, shares = self.slices()
        stiffness = self.slice_stiffness(at, force)
        if force is not None:
            for _ in range(4):  # the contact hardens with the logarithm of its load, so this settles at once
                total = stiffness.sum(axis=(-1, -2), keepdims=True)
                load = force * stiffness / np.where(total > 0, total, 1) / shares
                stiffness = self.slice_stiffness(at, np.maximum(load, 1e-9 * force))
        total = stiffness.sum(axis=(-1, -2))
        return total / (1 + self.shared_compliance * total)

    def cycle(self, count: int = 256, force: float | None = None) -> MeshCycle:
        """Stiffness at `count` even phases of a mesh cycle."""
        phase = (np.arange(count) + 0.5) / count
        return MeshCycle(phase, self.mesh_stiffness(phase, force))
