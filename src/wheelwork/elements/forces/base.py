"""What forces share: what a force says of itself beside its law."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from wheelwork.description.base import Element
from wheelwork.equations.forces import Arguments, Binding, Effect

if TYPE_CHECKING:
    from wheelwork.description import Placed
    from wheelwork.equations.context import Context
    from wheelwork.layout import Layout
    from wheelwork.trains import GearTrain


class Load(Element):
    """Anything that pushes or turns bodies without constraining them.

    Fields:
        comment: free text
    """

    collection: ClassVar[str] = "forces"
    noun: ClassVar[str] = "force"

    # Whether a shaft may stand in it, with frames as a joint has: it is listed, drawn and looked at with the bearings.
    is_bearing: ClassVar[bool] = False
    # Whether it has an axis about which shafts and wheels turn.
    has_axis: ClassVar[bool] = False
    # Symbols on a and b, as those of joints; none where it is not drawn.
    symbol: ClassVar[tuple[str, str]] = ("", "")
    # Symbol on the shafts it ties, by the names of `show/scene/drive_parts.py`; none where it is not drawn so.
    drive_symbol: ClassVar[str] = ""
    # Whether a line is drawn between its two points.
    has_line: ClassVar[bool] = False
    # Signals that say how it is loaded, of which the report lists the first that there is.
    load_signals: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def bind(self, context: Context) -> Binding:
        """The bodies it touches and its numbers (marker records of 12 first), varying values, counted rotations."""

    @staticmethod
    @abstractmethod
    def effect(arguments: Arguments) -> Effect:
        """Wrenches, one for each body of the binding, with stored energy, signals and events.

        It sees symbols alone, not the element: its kernel is shared by all forces of its type with the same `options`.
        """

    def add_to(self, builder: Any, placed: Placed[Any]) -> None:
        """Put it into a program that is being built."""
        builder.add_force(placed, self, self.bind(builder.context(placed)))

    def join_train(self, train: GearTrain, layout: Layout, placed: Placed[Any]) -> None:
        """Tell a gear train, whose joints are known, how it ties shafts to each other: a ratio, or that it slips."""

    def holds_turning(self, number: Callable[[Any], float]) -> bool:
        """Whether, as a bearing, it holds a shaft against turning; `number` gives those of its fields."""
        return False

    def takes_axis_of_rotors(self, kind: str) -> bool:
        """Whether its axis is that of the rotors it is between."""
        return False
