r"""How a pair of flanks presses: force of spring and damper from depth d (negative: apart) and its rate d'.

printed   k d + c d' in contact; c u' while neither flank touches (Bai (3.4) as it stands): the damper acts in the
          backlash as well, and may pull
contact   k d + c d' in contact, never pulling; nothing else
elastic   0 if k d + c d' <= 0, else k d + min(k d, c d'), in contact (ElastoBacklash of the Modelica Standard Library
          4.1: the damper gives no more than the spring, so that the force sets in without a jump)
linear    k d + c d' always, pulling too: one flank that never leaves the other
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wheelwork.lazy import casadi as ca

Law = Callable[..., Any]


def spring_and_damper(k: ca.SX, c: ca.SX, depth: ca.SX, rate: ca.SX) -> ca.SX:
    return ca.if_else(depth > 0, k * depth + c * rate, 0.0)


def contact(k: ca.SX, c: ca.SX, depth: ca.SX, rate: ca.SX) -> ca.SX:
    total = k * depth + c * rate
    return ca.if_else(ca.logic_and(depth > 0, total > 0), total, 0.0)


def elastic(k: ca.SX, c: ca.SX, depth: ca.SX, rate: ca.SX) -> ca.SX:
    spring, damper = k * depth, c * rate
    pressed = ca.logic_and(depth > 0, spring + damper > 0)
    return ca.if_else(pressed, spring + ca.if_else(spring < damper, spring, damper), 0.0)


def pressed(k: ca.SX, c: ca.SX, depth: ca.SX, rate: ca.SX) -> ca.SX:
    """Positive where flanks that never pull press on each other: a damped one lets go before it is apart."""
    return ca.fmin(depth, depth + c * rate / k)


FLANKS: dict[str, Law] = {"printed": spring_and_damper, "contact": contact, "elastic": elastic}
"""Force of a flank by the name of the law; `linear` has no flanks."""
