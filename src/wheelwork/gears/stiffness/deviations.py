"""Deviations of flanks from the involute, as gaps along the line of action.

A gap [m] is what is missing between two flanks that would touch if they were perfect, at the pair number j, the place
rho on the line of action and the angle phi of wheel a; negative where there is too much material. Pair j is made of
tooth j of wheel a and tooth j of wheel b (modulo their numbers of teeth); pair j + 1 comes one pitch later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, Protocol

import numpy as np

from wheelwork.lazy import dataclass

from ..involute import GeometryError
from ..pair import GearPair
from ..rack_pair import RackPair

Wheel = Literal["a", "b"]


class Deviation(Protocol):
    """Something that opens a gap between the flanks of a pair."""

    def gap(self, mesh: GearPair | RackPair, number: Any, position: Any, angle: Any) -> Any:
        """Gap [m] of pair `number` at `position` [m] while wheel a stands at `angle` [rad]; arrays that broadcast."""
        ...


@dataclass(frozen=True)
class TipReliefCurve:
    """Material taken from the flank towards the tip: nothing up to the start, `amount` at the tip.

    wheel: whose tips
    amount: C_a [m], along the normal
    length: of the relieved part [m], along the line of action
    power: 1 for a straight relief, 2 for a parabola
    """

    wheel: Wheel
    amount: float
    length: float
    power: float = 1.0

    def __post_init__(self) -> None:
        if self.length <= 0:
            raise GeometryError(
                f"a tip relief needs a length greater than zero, but has {self.length * 1e3:.4g} mm"
            )

    def gap(self, mesh: GearPair | RackPair, number: Any, position: Any, angle: Any) -> Any:
        path = mesh.path
        from_tip = path.end - position if self.wheel == "a" else position - path.start
        depth = np.maximum(1 - from_tip / self.length, 0.0)
        return self.amount * depth**self.power


@dataclass(frozen=True)
class FlankPosition:
    """Flanks of single teeth out of place: pitch deviations.

    wheel: whose teeth
    displacement: [m] by tooth number, along the line of action; positive where the flank stands back
    """

    wheel: Wheel
    displacement: Mapping[int, float] = field(default_factory=dict)

    @classmethod
    def from_pitch(cls, wheel: Wheel, single_pitch: Any) -> FlankPosition:
        """From the single pitch deviations f_p [m] of all teeth: tooth k stands off by the sum of those before it.

        The mean is taken off first, as a sum over all pitches of a wheel is always zero.
        """
        f = np.asarray(single_pitch, dtype=float)
        total = np.cumsum(f - f.mean())
        return cls(wheel, {k: float(t) for k, t in enumerate(total)})

    def gap(self, mesh: GearPair | RackPair, number: Any, position: Any, angle: Any) -> Any:
        if self.wheel == "b" and isinstance(mesh, RackPair):
            tooth = np.asarray(number)
        else:
            tooth = np.mod(number, round((mesh.a if self.wheel == "a" else mesh.b).teeth))  # type: ignore[union-attr]
        out = np.zeros(np.shape(tooth))
        for k, displacement in self.displacement.items():
            out = np.where(tooth == k, displacement, out)
        return out


@dataclass(frozen=True)
class RunOut:
    """A wheel whose teeth are round about a point beside its axis.

    Moving the teeth by e in the direction of the line of action opens a gap of as much, so once in a turn of the wheel

        e(phi) = e sin(phi_wheel + phase)

    (what e does across the line of action is a change of centre distance, and a gap of second order.)

    wheel: which
    eccentricity: e [m], half the radial run-out
    phase: [rad]
    """

    wheel: Wheel
    eccentricity: float
    phase: float = 0.0

    def gap(self, mesh: GearPair | RackPair, number: Any, position: Any, angle: Any) -> Any:
        if self.wheel == "b":
            if isinstance(mesh, RackPair):
                raise GeometryError("a rack has no run-out; give a Harmonic of its own for its waviness")
            angle = angle / mesh.gear_ratio
        return self.eccentricity * np.sin(angle + self.phase)


@dataclass(frozen=True)
class Harmonic:
    """e(phi) = amplitude sin(order phi + phase), phi the angle of wheel a; Bai's e_i has order z_a.

    amplitude: [m]
    order: periods in a turn of wheel a
    phase: [rad]
    """

    amplitude: float
    order: float
    phase: float = 0.0

    def gap(self, mesh: GearPair | RackPair, number: Any, position: Any, angle: Any) -> Any:
        return self.amplitude * np.sin(self.order * angle + self.phase)
