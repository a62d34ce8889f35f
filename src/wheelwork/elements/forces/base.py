"""What forces share, and what others ask a force for besides its law."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wheelwork.description.base import Element, Evaluate, Issue, Part, Range
from wheelwork.equations.forces import Arguments, Binding, Effect

if TYPE_CHECKING:
    from wheelwork.description import Placed
    from wheelwork.equations.context import Context
    from wheelwork.layout import Layout
    from wheelwork.trains import GearTrain


class Curve(Part):
    """A curve of straight pieces: its first field has the places of its points, its second the values there."""

    # Words for the places and the values, and for one of these.
    words: ClassVar[tuple[str, str, str]]
    # What places have to do: they increase, from a first one that may be limited.
    first: ClassVar[Range] = Range("increase", lambda place: True)

    @property
    def points(self) -> tuple[Any, ...]:
        """Places, then values."""
        first, second = type(self).model_fields
        return *getattr(self, first), *getattr(self, second)

    def issues(self, value: Evaluate) -> Iterator[Issue]:
        (first, second), (places, values, one) = type(self).model_fields, self.words
        count, other = len(getattr(self, first)), len(getattr(self, second))
        if count < 2 or count != other:
            given = f"{count} {places} and {other} {values}"
            yield Issue(first, f"needs two or more {places} and {one} for each, but has {given}")
        known = [x for x in map(value, getattr(self, first)) if x is not None]
        if any(b <= a for a, b in pairwise(known)) or not all(map(self.first.hold, known[:1])):
            yield Issue(first, f"{places} must {self.first.words}")


class GearedRate(NamedTuple):
    """A rate of turning between two bodies of an element's binding, about z of one of the markers in its data."""

    factor: float
    body: int
    """Which turns ..."""
    against: int
    """... against which: its markers move with this one."""
    marker: int
    """Number of the marker."""


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
    # Symbols on a and b, `outer_ring` and `inner_ring` or functions `(solids, radius, height)` as those of joints; none
    # where it is not drawn.
    symbol: ClassVar[tuple[str | Callable[..., Any], str | Callable[..., Any]]] = ("", "")
    # Symbol on the shafts it ties, by the names at the end of `show/scene/drive_parts.py`, or a method `(self, parts,
    # placed)` that yields body, solid, and point and axes in the world at the start, as the functions there do; none
    # where it is not drawn so.
    drive_symbol: ClassVar[str | Callable[..., Any]] = ""
    # Whether it is between two shafts, on the angle of `joint` or of `bodies`; its symbol is no wider than they are.
    between_shafts: ClassVar[bool] = False
    # Whether it is a strain-wave gear, with a flexspline whose teeth are drawn as they are bent.
    has_flexspline: ClassVar[bool] = False
    # Whether a line is drawn between its two points.
    has_line: ClassVar[bool] = False
    # Signals that say how it is loaded, of which the report lists the first that there is.
    load_signals: ClassVar[tuple[str, ...]] = ()
    # Place among the numbers of its binding of that at which it is without force (a free length), where it has one.
    error_at: ClassVar[int | None] = None

    @abstractmethod
    def bind(self, context: Context) -> Binding:
        """The bodies it touches and its numbers (marker records of 12 first), varying values, counted rotations."""

    @staticmethod
    @abstractmethod
    def effect(arguments: Arguments) -> Effect:
        """Wrenches, one for each body of the binding, with stored energy, signals and events.

        It sees symbols alone, not the element: its kernel is shared by all forces of its type with the same `options`.
        """

    @property
    def is_rigid(self) -> bool:
        """Whether it is a constraint, whose efforts are reactions, in place of what `bind` and `effect` say."""
        return False

    def add_to(self, builder: Any, placed: Placed[Any]) -> None:
        """Put it into a program that is being built."""
        builder.add_force(placed, self, self.bind(builder.context(placed)))

    def join_train(self, train: GearTrain, layout: Layout, placed: Placed[Any]) -> None:
        """Tell a gear train, whose joints are known, how it ties shafts to each other: a ratio, or that it slips."""

    def holds_turning(self, number: Callable[[Any], float]) -> bool:
        """Whether it holds two shafts, or a shaft in its housing, against turning on; `number` gives its fields'."""
        return False

    def geared_rates(self, values: Mapping[str, float]) -> tuple[GearedRate, ...]:
        """Rates of turning whose sum it keeps at zero in steady motion, where it is elastic; none where it slips."""
        return ()

    def held(self, values: Mapping[str, float]) -> tuple[bool, ...]:
        """Whether it has stiffness along x, y and z of the frame on the first body, and about them, as mounts have."""
        return ()

    def takes_axis_of_rotors(self, kind: str) -> bool:
        """Whether its axis is that of the rotors it is between."""
        return False
