"""Space and plane: how large a body's state is, and how a frame is made from its record.

Elements are written for frames in space and do not know about this. In the plane a body has the coordinates
(x, y, phi) and velocities (vx, vy, w); its frame is that of a body in space with x_z = 0, R a turn about z by phi,
v_z = 0 and w along z, so that the same elements serve, with zeros that the expressions drop. Of a constraint's
transformed Jacobian only the columns for vx, vy and w are kept, of a wrench only (f_x, f_y, m_z).

The sizes are those of ``engine/core/spatial_body.hpp`` and ``planar_body.hpp``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from wheelwork.equations.frames import BodyFrame, matrix_by_rows
from wheelwork.lazy import casadi as ca

from .attitude import euler_parameters, planar_coordinates, rotation_matrices


class Space(ABC):
    """The kind of mechanism: sizes, frames, and a state as arrays."""

    name: ClassVar[str]
    Q: ClassVar[int]
    """Coordinates of a body."""
    V: ClassVar[int]
    """Velocities of a body."""
    record: ClassVar[int]
    """Numbers in a body's record."""
    twist: ClassVar[int]
    """Where the velocities start in it."""
    lanes: ClassVar[int]
    """Rows of a constraint are padded to this many, the width of the runtime's packs."""
    max_rows: ClassVar[int]
    """Rows of a constraint at most."""
    velocities: ClassVar[tuple[int, ...]]
    """Which of a spatial body's six velocities they are."""
    linear: ClassVar[slice]
    """Linear velocities among V."""
    angular: ClassVar[slice]
    """Angular velocities among V."""

    @abstractmethod
    def frame(self, record: ca.SX) -> BodyFrame:
        """The frame of a body's record."""

    @abstractmethod
    def coordinates(self, position: np.ndarray, axes: np.ndarray, angle: float) -> np.ndarray:
        """q of a body from the position of its centre of mass, its axes, and in the plane its angle."""

    @abstractmethod
    def poses(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions (..., 3) and rotation matrices (..., 3, 3) from coordinates (..., Q)."""

    @abstractmethod
    def attitudes(self, q: np.ndarray) -> np.ndarray:
        """Euler parameters (..., 4) from coordinates (..., Q)."""

    @abstractmethod
    def records(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Records (..., record) from coordinates and velocities."""

    @abstractmethod
    def ground(self) -> np.ndarray:
        """The record of ground."""

    @abstractmethod
    def displaced(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates (n, Q) after small motions (n, V)."""

    # -- shared

    def key(self, key: str) -> str:
        """Identity of a kernel made for this kind of mechanism."""
        return key if self is SPATIAL else f"{self.name}:{key}"

    def columns(self, linear: ca.SX, angular: ca.SX) -> ca.SX:
        """The entries for a body's own velocities out of 3 linear and 3 angular ones (columns)."""
        return ca.vertcat(linear, angular)[list(self.velocities)]

    def nudged(self, frame: BodyFrame, motion: ca.SX, twist: ca.SX | None = None) -> BodyFrame:
        """The frame after a small motion (V) and a change of twist (V)."""
        motion = self.in_space(motion)
        change = ca.SX(6, 1) if twist is None else self.in_space(twist)
        return frame.perturbed(motion[:3], motion[3:], change[:3], change[3:])

    def in_space(self, values: ca.SX) -> ca.SX:
        """Six numbers (linear, angular) from V."""
        out = ca.SX(6, 1)
        for k, place in enumerate(self.velocities):
            out[place] = values[k]
        return out

    def raised(self, values: np.ndarray) -> np.ndarray:
        """Arrays (..., 6) from (..., V)."""
        if self.V == 6:
            return values
        out = np.zeros((*values.shape[:-1], 6), values.dtype)
        out[..., list(self.velocities)] = values
        return out


class _SpatialSpace(Space):
    name = "spatial"
    Q, V = 7, 6
    record, twist = 18, 12
    lanes, max_rows = 8, 6
    velocities = (0, 1, 2, 3, 4, 5)
    linear, angular = slice(0, 3), slice(3, 6)

    def frame(self, record: ca.SX) -> BodyFrame:
        return BodyFrame.from_record(record)

    def coordinates(self, position: np.ndarray, axes: np.ndarray, angle: float) -> np.ndarray:
        del angle
        return np.concatenate([position, euler_parameters(axes)])

    def poses(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return q[..., :3], rotation_matrices(q[..., 3:])

    def attitudes(self, q: np.ndarray) -> np.ndarray:
        return q[..., 3:]

    def records(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        x, R = self.poses(q)
        return np.concatenate([x, R.reshape(*R.shape[:-2], 9), v], axis=-1)

    def ground(self) -> np.ndarray:
        out = np.zeros(self.record)
        out[[3, 7, 11]] = 1.0
        return out

    def displaced(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        out = q.copy()
        out[:, :3] += step[:, :3]
        half, e = step[:, 3:] / 2, q[:, 3:]
        out[:, 3] -= np.sum(half * e[:, 1:], axis=1)
        out[:, 4:] += half * e[:, :1] + np.cross(half, e[:, 1:])
        out[:, 3:] /= np.linalg.norm(out[:, 3:], axis=1, keepdims=True)
        return out


class _PlanarSpace(Space):
    name = "planar"
    Q, V = 3, 3
    record, twist = 8, 5
    lanes, max_rows = 4, 3
    velocities = (0, 1, 5)
    linear, angular = slice(0, 2), slice(2, 3)

    def frame(self, record: ca.SX) -> BodyFrame:
        """Record: x, y, cos phi, sin phi, phi, vx, vy, w."""
        x, y, c, s, phi, vx, vy, w = ca.vertsplit(record)
        zero = ca.SX(1, 1)  # a structural zero: products with it vanish
        R = matrix_by_rows(ca.vertcat(c, -s, zero, s, c, zero, zero, zero, 1))
        return BodyFrame(
            ca.vertcat(x, y, zero), R, ca.vertcat(vx, vy, zero), ca.vertcat(zero, zero, w), angle=phi
        )

    def coordinates(self, position: np.ndarray, axes: np.ndarray, angle: float) -> np.ndarray:
        return planar_coordinates(position, axes, angle)

    def poses(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x = np.concatenate([q[..., :2], np.zeros((*q.shape[:-1], 1))], axis=-1)
        R = np.zeros((*q.shape[:-1], 3, 3), q.dtype)
        c, s = np.cos(q[..., 2]), np.sin(q[..., 2])
        R[..., 0, 0], R[..., 0, 1], R[..., 1, 0], R[..., 1, 1], R[..., 2, 2] = c, -s, s, c, 1.0
        return x, R

    def attitudes(self, q: np.ndarray) -> np.ndarray:
        half, none = q[..., 2:] / 2, np.zeros((*q.shape[:-1], 2))
        return np.concatenate([np.cos(half), none, np.sin(half)], axis=-1)

    def records(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        phi = q[..., 2:3]
        return np.concatenate([q[..., :2], np.cos(phi), np.sin(phi), phi, v], axis=-1)

    def ground(self) -> np.ndarray:
        out = np.zeros(self.record)
        out[2] = 1.0
        return out

    def displaced(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        return q + step


SPATIAL: Space = _SpatialSpace()
PLANAR: Space = _PlanarSpace()
SPACES: dict[str, Space] = {space.name: space for space in (SPATIAL, PLANAR)}
