"""What drivers share: a coordinate follows a function of time, coordinate - u(t) = 0."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from wheelwork.description.base import Element
from wheelwork.description.values import TimeVarying

if TYPE_CHECKING:
    from wheelwork.equations.context import Registry
    from wheelwork.equations.joint_equations import Driven
    from wheelwork.equations.placement import Place


class Driver(Element):
    """A motion that is given; the force it takes is a result.

    Fields:
        comment: free text
    """

    collection: ClassVar[str] = "drivers"
    noun: ClassVar[str] = "driver"

    if TYPE_CHECKING:
        value: TimeVarying

    # Whether it is between two bodies, which its heading then names.
    is_between: ClassVar[bool] = False
    # Whether it prescribes a coordinate of the joint that its field `joint` names.
    drives_joint: ClassVar[bool] = False

    def what(self, coordinate: str) -> str:
        """What it does, in a sentence; empty for the first of its data sheet. coordinate: the one it prescribes"""
        return ""

    @abstractmethod
    def driven(self, place: Place, registry: Registry) -> Driven:
        """The coordinate that it prescribes."""
