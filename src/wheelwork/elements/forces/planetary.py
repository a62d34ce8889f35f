"""Planetary gear and differential: three coaxial shafts, tied by one relation of their speeds.

With k = z_ring/z_sun, of a ring with internal teeth:

    w_sun + k w_ring = (1 + k) w_carrier            that is (w_sun - w_carrier)/(w_ring - w_carrier) = -k  (Willis)
    T_ring = k T_sun,  T_carrier = -(1 + k) T_sun   on the shafts: they add up to nothing, and so do their powers

It is the ratio -k between sun and ring in the carrier (:mod:`wheelwork.elements.forces.ratio`), whose stiffness, play
and losses it has: efficiency is that of the gears while the carrier is held. A differential has k = 1: its cage goes at
the mean of its two shafts' speeds, and gives both the same torque. Planets have no mass, and bearings are joints.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from wheelwork.description.base import PLANAR, Evaluate, Issue, Range, Ref
from wheelwork.description.formula import Formula
from wheelwork.description.values import Number
from wheelwork.elements.forces.ratio import Geared
from wheelwork.equations.relation import PARALLEL, axis_of_shaft, tilt
from wheelwork.lazy import casadi as ca

if TYPE_CHECKING:
    from wheelwork.equations.placement import Place


Shaft = Annotated[str, Ref("body")]


class _ThreeShafts(Geared):
    """Three shafts on one axis."""

    sample_fields: ClassVar[dict[str, Any]] = {}

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> Self:
        axis = None if kind == PLANAR else (0.2, 1.0, 0.4)
        shafts = dict(zip(cls.roles, (*bodies, "ground"), strict=True))
        return cls(**shafts, axis=axis, **cls.sample_fields)  # type: ignore[arg-type]

    def _directions(self, place: Place, shafts: tuple[str, str], support: str) -> list[ca.SX]:
        """One axis: that given, or that of the first shaft in a joint, to which the others must be parallel."""
        moving = [body for body in (*shafts, support) if body != "ground"]
        found = {}
        for body in moving:
            others = [other for other in moving if other != support]
            axes = axis_of_shaft(place, body, support if body != support else "ground", others)
            if axes is not None:
                found[body] = axes
        if self.axis is None and not found:
            raise ValueError("`axis` is missing: no joint gives the axis about which its shafts turn")
        axes = place.axes_along(self.axis) if self.axis is not None else next(iter(found.values()))
        for body, own in found.items():
            if (off := tilt(place, axes, own)) > PARALLEL:
                raise ValueError(
                    f"its shafts are not parallel: `{body}` turns about an axis at {math.degrees(off):.3g} degrees to "
                    f"{'`axis`' if self.axis is not None else f'that of `{next(iter(found))}`'}"
                )
        return [axes, axes]

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        if len({getattr(self, role) for role in self.roles}) < 3:
            yield Issue("carrier", "needs three different shafts")


class Planetary(_ThreeShafts):
    """Planetary gear of three shafts: w_sun + ratio w_ring = (1 + ratio) w_carrier.

    Fields:
        sun: name of the sun's shaft
        ring: name of the ring's shaft; ground where it is held
        carrier: name of the carrier
        ratio [1]: teeth of the ring over teeth of the sun, more than 1
    """

    noun = "planetary gear"
    drive_symbol = "planetary"
    type: Literal["planetary"] = "planetary"
    sun: Shaft
    ring: Shaft
    carrier: Shaft
    ratio: Number
    roles: ClassVar[tuple[str, str, str]] = ("sun", "ring", "carrier")
    load_signals = ("torque_sun",)
    sample_fields: ClassVar = {"ratio": 3.0, "stiffness": 5.0}
    ranges: ClassVar = {"ratio": Range("be more than 1: the ring is larger than the sun", lambda x: x > 1)}

    def geared(self):
        return self.sun, self.ring, self.carrier, minus(self.ratio)


class Differential(_ThreeShafts):
    """Differential of three shafts: 2 w_carrier = w_left + w_right.

    Fields:
        left: name of the left shaft
        right: name of the right shaft
        carrier: name of the cage that carries the pinions
    """

    noun = "differential"
    drive_symbol = "differential"
    type: Literal["differential"] = "differential"
    left: Shaft
    right: Shaft
    carrier: Shaft
    roles: ClassVar[tuple[str, str, str]] = ("left", "right", "carrier")
    load_signals = ("torque_left",)
    sample_fields: ClassVar = {"stiffness": 5.0, "damping": 0.1}

    def geared(self):
        return self.left, self.right, self.carrier, -1.0


def minus(value: Any) -> Any:
    """A number or formula with the other sign."""
    return Formula(f"-({value})") if isinstance(value, Formula) else -value
