"""Torque or force along a joint coordinate."""

from __future__ import annotations

from typing import Annotated, Literal

from wheelwork.description.base import Ref
from wheelwork.description.forces.base import Load
from wheelwork.description.values import VaryingEffort


class Actuator(Load):
    """A torque or force along a joint coordinate: +value on body b, -value on body a.

    Fields:
        joint: name of the joint
        coordinate: `angle` or `displacement`; the joint's only one where left out
        value [N m or N]: number, formula of `t` and signals, or table
        comment: free text
    """

    type: Literal["actuator"] = "actuator"
    joint: Annotated[str, Ref("joint")]
    coordinate: Literal["angle", "displacement"] | None = None
    value: VaryingEffort
