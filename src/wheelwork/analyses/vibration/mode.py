"""One mode of vibration, with where its energy is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .eigen import damping_ratio


@dataclass(frozen=True)
class SeenFrequency:
    """A frequency at which a mode is seen from the world."""

    frequency: float
    """Without damping, Hz."""
    share: float
    """Of the mode's motion, by kinetic energy as seen from its own axes; those of all lines add up to 1."""
    shift: float
    """What is added to the mode's own angular frequency there, rad/s."""


@dataclass(frozen=True)
class Mode:
    """A mode about an operating point."""

    number: int
    """From 1, by frequency."""
    undamped: complex
    """i omega without dissipation (1/s); a positive real number: it falls away at this rate; 0: a rigid motion."""
    eigenvalues: np.ndarray
    """The two eigenvalues with damping, 1/s."""
    shape: np.ndarray = field(repr=False)
    """(bodies, 6): displacement of the centre of mass [m] and rotation [rad] of each body, without dissipation; of unit
    modal mass. World axes; where the axes of a body turn (`linear.turning`), as these stand at the operating point.
    Complex for rotors that turn: a whirl."""
    damped_shape: np.ndarray = field(repr=False)
    """The same with damping; complex where parts of it lag behind others."""
    kinetic: dict[str, tuple[float, float]] = field(repr=False)
    """By body: shares of the kinetic energy in translation and rotation; they add up to 1."""
    strain: dict[str, float] = field(repr=False)
    """By element: share of the potential energy; springs, meshes, and joints whose load makes them stiff
    (`NAME (load)`). They add up to 1; empty for rigid motions."""
    dissipation: dict[str, float] = field(repr=False)
    """By element: what it adds to the damping ratio, as far as damping is small."""
    effective_mass: np.ndarray = field(repr=False)
    """Share of the mass of all bodies that moves with it along x, y, z when the ground is shaken."""
    kind: str
    """`rotational`, `translational`, `planet`, `mixed` for planetary stages; `rigid`, `unstable`; else empty."""
    kinds: dict[str, float] = field(repr=False)
    """Kinetic energy by kind of planetary mode."""
    whirl: float
    """From -1 (backward) over 0 (back and forth) to 1 (forward): sense of the orbits relative to the bodies' spin, as
    seen from the world."""
    lines: tuple[SeenFrequency, ...] = field(default=(), repr=False)
    """Frequencies at which it is seen from the world, strongest first: one, unless its axes turn."""

    def __str__(self) -> str:
        """Number, frequency, damping and kind."""
        words = [f"mode {self.number}: {self.natural_frequency:.5g} Hz"]
        if np.isfinite(self.damping) and self.damping > 1e-9:
            words.append(f"damping {100 * self.damping:.2g} %")
        return ", ".join(words + ([self.kind] if self.kind else []))

    def __repr__(self) -> str:
        return f"<{self}>"

    @property
    def natural_frequency(self) -> float:
        """Without damping, Hz."""
        return float(abs(np.imag(self.undamped))) / (2 * np.pi)

    @property
    def frequency(self) -> float:
        """With damping, Hz; 0 where it creeps back without swinging."""
        return float(abs(np.imag(self.eigenvalues[0]))) / (2 * np.pi)

    @property
    def damping(self) -> float:
        """Damping ratio; nan for rigid motions."""
        return damping_ratio(self.eigenvalues)

    @property
    def growth(self) -> float:
        """Largest real part of the eigenvalues, 1/s; positive: it grows."""
        return float(np.max(np.real(self.eigenvalues)))

    def moving(self, least: float = 0.01) -> list[tuple[str, float, float]]:
        """Bodies that have at least this share of the kinetic energy: name, translation, rotation; largest first."""
        rows = [(name, *parts) for name, parts in self.kinetic.items() if sum(parts) >= least]
        return sorted(rows, key=lambda row: -(row[1] + row[2]))

    def straining(self, least: float = 0.01) -> list[tuple[str, float]]:
        """Elements that have at least this share of the strain energy, largest first."""
        rows = [(name, share) for name, share in self.strain.items() if abs(share) >= least]
        return sorted(rows, key=lambda row: -abs(row[1]))

    def readable(self, lengths: np.ndarray) -> np.ndarray:
        """The shape as pure numbers, largest 1 and real there: rotations are multiplied by a length of each body (its
        radius of gyration), so that they compare with displacements.
        """
        shape = self.shape * np.concatenate(
            [np.ones((len(lengths), 3)), np.repeat(lengths[:, None], 3, 1)], 1
        )
        largest = shape.flat[int(np.argmax(np.abs(shape)))] if shape.size else 1.0
        shape = shape / (largest or 1.0)
        return np.real(shape) if np.max(np.abs(np.imag(shape)), initial=0.0) < 1e-9 else shape
