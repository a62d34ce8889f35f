"""Tips that are relieved: the gap that stays between two flanks where perfect ones would touch.

    C_a max(1 - x/L, 0)^p,   x the distance on the line of action from where the tip touches

as :class:`wheelwork.gears.stiffness.TipRelief`. The force stays on the line of action, which a flank that leans by
C_a/L against the involute leaves by as much; what the gap takes from the depth as it comes and goes is work that the
wheels do not feel, as with the static transmission error of compliant teeth.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from .section import Section


@dataclass(frozen=True)
class Relief:
    """Of one wheel: `a` or `b`, amount C_a and length L [m], power p."""

    wheel: str
    amount: ca.SX
    length: ca.SX
    power: int

    def gap(self, place: ca.SX, section: Section) -> ca.SX:
        from_b, to_a = section.tips
        from_tip = to_a - place if self.wheel == "a" else place - from_b
        return self.amount * ca.fmax(1 - from_tip / self.length, 0.0) ** self.power
