"""Two wheels in mesh as text-books describe them: what rows, forces and printed equations are compared with."""

from dataclasses import dataclass, field

import numpy as np

X, Y, Z = np.eye(3)
ALPHA = np.radians(20.0)
"""Pressure angle in the normal section."""


@dataclass
class Geometry:
    """Two wheels in mesh, in the carrier's axes."""

    centres: tuple[np.ndarray, np.ndarray]
    frames: tuple[np.ndarray, np.ndarray]
    """Marker axes of a and b as columns."""
    point: np.ndarray
    """P."""
    tooth: np.ndarray
    """tau, a unit vector along the tooth at P."""
    outward: np.ndarray
    """Unit normal of the pitch surfaces at P, from a into b."""
    forward: np.ndarray
    """The way a's surface moves at P when a turns in the positive sense."""
    teeth: tuple[int, int]
    extras: dict[str, float]
    scale: float = 1.0
    """Length of d: the tooth's normal in the pitch plane, so that F_t is the tangential force."""
    senses: tuple[float, float] = (1.0, 1.0)
    """Signed turns of a and b that go together, in turns times teeth; 0 for a rack, which moves along its x axis."""
    angles: dict[str, float] = field(default_factory=dict)

    @property
    def normal(self) -> np.ndarray:
        """nu: normal of the tooth in the pitch plane, the way a pushes b when it turns in the positive sense."""
        nu = np.cross(self.tooth, self.outward)
        return nu if nu @ self.forward > 0 else -nu

    @property
    def d(self) -> np.ndarray:
        return self.scale * self.normal


def frame(z: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.column_stack([x, np.cross(z, x), z])
