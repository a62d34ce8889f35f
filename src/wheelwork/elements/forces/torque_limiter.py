"""Torque limiter: two shafts that stick up to a torque, and slip on each other beyond it.

A friction clutch (:mod:`wheelwork.elements.forces.clutch`) that is always closed: it breaks loose at T k, slips at
T s(|w|), and sticks again when the slip has ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from wheelwork.description.base import Evaluate, Issue, positive
from wheelwork.description.values import Torque
from wheelwork.elements.forces.clutch import Slipping, further, slipping_effect


class TorqueLimiter(Slipping):
    """Slipping clutch that protects a drive: rigid up to a torque, dry friction beyond it.

    Fields:
        torque [N m]: while it slips; it breaks loose at `static_ratio` times that
    """

    noun = "torque limiter"
    drive_symbol = "limiter"
    type: Literal["torque_limiter"] = "torque_limiter"
    torque: Torque

    @classmethod
    def sample(cls, kind: str, bodies: tuple[str, str] = ("one", "two")) -> TorqueLimiter:
        axis = None if kind == "planar" else (0.2, 1.0, 0.4)
        return cls(bodies=bodies, axis=axis, torque=5.0, static_ratio=1.5, drag=0.2)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        yield from super().issues(value)
        yield from positive(self, value, "torque")

    def bind(self, context):
        return self.slipping(context, [], context.place.value(self.torque))

    @staticmethod
    def effect(arguments):
        return slipping_effect(arguments, further(arguments)[0])
