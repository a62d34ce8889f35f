r"""Profile deviations for the mesh model `compliant`: the error e(phi) that stands for them at a load.

Compliant teeth press with F = k(tau) (u - e), one stiffness and one error for all pairs in contact. Teeth with tip
relief or pitch errors are more than that: which pairs touch depends on the load. At the load F the static transmission
error of such teeth (:mod:`.transmission_error`) is that of the model if

    e(phi) = TE(phi; F) - F/k(tau)                                                                   (1)

with the stiffness of perfect teeth as the model keeps it, mean and harmonics. At other loads it is an approximation,
good as long as the same pairs touch. Harmonics of (1) are what the field `errors` of the model takes:

    e = e_0 + sum over n of E_n sin(n psi + theta_n)

psi is 2 pi tau for what repeats with every tooth, else the angle of wheel a.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from wheelwork.lazy import dataclass

from ..involute import GeometryError
from .base import MeshStiffness
from .deviations import Deviation
from .transmission_error import static_transmission_error

SAMPLES = 32  # of the highest order


@dataclass(frozen=True)
class EquivalentError:
    """e(phi) as harmonics.

    per: `mesh` or `a`, what it repeats with
    mean: e_0 [m], by which wheel b stays behind on the whole
    orders, amplitudes, phases: n, E_n [m] and theta_n [rad] of E_n sin(n psi + theta_n)
    """

    per: Literal["mesh", "a"]
    mean: float
    orders: np.ndarray
    amplitudes: np.ndarray
    phases: np.ndarray

    def fields(self, least: float = 0.0) -> list[dict[str, float | int | str]]:
        """As the field `errors` of the model takes them; amplitudes below `least` [m] are left out."""
        return [
            {"per": self.per, "order": int(n), "amplitude": float(E), "phase": float(theta)}
            for n, E, theta in zip(self.orders, self.amplitudes, self.phases, strict=True)
            if least < E
        ]


def equivalent_error(
    stiffness: MeshStiffness,
    force: float,
    deviations: Sequence[Deviation],
    *,
    per: Literal["mesh", "a"] = "mesh",
    orders: int = 12,
    harmonics: int = 5,
    phase: float = 0.0,
) -> EquivalentError:
    """The error that stands for deviations under a load.

    force: F [N] along the line of action
    per: `mesh` for deviations that all teeth have alike, such as tip relief; `a` where they repeat with the turns of
        wheel a, such as its run-out or a single tooth out of place
    orders: how many harmonics
    harmonics: how many the model keeps of the stiffness; its own field `harmonics`
    phase: with `per="a"`, the phase of the mesh at the given position, where the model counts the angle of a from

    Example:
        >>> from wheelwork.gears import GearPair
        >>> from wheelwork.gears.stiffness import EnergyMethod, TipReliefCurve, equivalent_error
        >>> teeth = EnergyMethod(GearPair.of((30, 60), 3e-3, face_width=30e-3))
        >>> relief = [TipReliefCurve("a", 10e-6, 5e-3), TipReliefCurve("b", 10e-6, 5e-3)]
        >>> len(equivalent_error(teeth, 5400.0, relief, orders=4).fields())
        4
    """
    if orders < 1:
        raise GeometryError(f"an error needs at least one harmonic, but {orders} are asked for")
    count = SAMPLES * orders
    share = (np.arange(count) + 0.5) / count
    teeth = 1 if per == "mesh" else round(stiffness.pair.a.teeth)
    angle = share * 2 * np.pi * teeth / stiffness.pair.a.teeth
    found = static_transmission_error(stiffness, force, angle, deviations)
    error = found.error - force / _kept(stiffness, share * teeth, harmonics)
    psi = 2 * np.pi * share
    n = np.arange(1, orders + 1)
    waves = 2 * np.mean(
        error * np.exp(-1j * np.outer(n, psi)), axis=1
    )  # Re(C_n exp(i n psi)), sin(x) = cos(x - pi/2)
    # the model counts psi of wheel a from the given position, where the mesh has come to its phase already
    moved = n * 2 * np.pi * phase / stiffness.pair.a.teeth if per == "a" else 0.0
    return EquivalentError(
        per, float(error.mean()), n, np.abs(waves), (np.angle(waves) + np.pi / 2 + moved) % (2 * np.pi)
    )


def _kept(stiffness: MeshStiffness, tau: np.ndarray, harmonics: int) -> np.ndarray:
    """k(tau) as a mean and harmonics."""
    waves = stiffness.cycle(512).harmonics(harmonics)
    return np.real(waves @ np.exp(2j * np.pi * np.outer(np.arange(len(waves)), tau)))
