"""Torque limiter: two shafts that stick up to a torque, and slip on each other beyond it.

A friction clutch (:mod:`wheelwork.elements.forces.clutch`) that is always closed: it breaks loose at T k, slips at
T s(|w|), and sticks again when the slip has ended.
"""

from __future__ import annotations

from typing import ClassVar, Literal

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
    positive = ("torque",)
    sample_fields: ClassVar = {"torque": 5.0, "static_ratio": 1.5, "drag": 0.2}

    def holds_turning(self, number):
        return True

    def bind(self, context):
        return self.slipping(context, [], context.place.value(self.torque))

    @staticmethod
    def effect(arguments):
        return slipping_effect(arguments, further(arguments)[0])
