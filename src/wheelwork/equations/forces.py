"""The contract of a force: frames in, wrenches out.

A force of :mod:`wheelwork.elements.forces` says with `bind` which bodies it touches and gathers its numbers, functions
of time, and the relative rotations it needs over many turns; `effect` turns symbols for all of these into wrenches. It
may also give the stored energy, signals to look at, and events: expressions that change sign where the force has a
kink.

A force, or a block of a control that pushes nothing, may have states of its own: `states` of the binding are their
values at the start, `rates` of the effect their derivatives. States without rates change at samples, or where the block
changes its mode: then they become `updates`.
"""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from wheelwork.lazy import casadi as ca
from wheelwork.lazy import dataclass

from .frames import BodyFrame, Marker
from .rows import Row

if TYPE_CHECKING:
    Wrench = tuple[ca.SX, ca.SX]
    """Force (N) and torque about the body's centre of mass (N m), in world axes."""

EFFORT = {"angle": ("torque", "N m"), "displacement": ("force", "N")}
"""Name and unit of the effort that belongs to a joint coordinate."""
ON_SUPPORT = "torque on the support about the axis of the shafts; its size where they have two axes"
LOST = "power lost"
ELASTIC, DAMPED = "torque_elastic", "loss_damping"
"""Signals of an elastic ratio with losses: what does not depend on friction."""


@dataclass(frozen=True)
class Binding:
    """What one force of a mechanism needs."""

    bodies: list[str]
    data: list[ca.SX]
    inputs: list[Any] = field(default_factory=list)
    """Values that may vary with time or state: a number, a formula or a table each."""
    turns: list[int] = field(default_factory=list)
    """Relative rotations counted over whole turns, as indices of the context."""
    options: tuple[Any, ...] = ()
    """What changes the equations and not only their numbers; part of the kernel's identity."""
    states: list[Any] = field(default_factory=list)
    """Values at the start of the states that it has of its own: a number or a formula of parameters each."""
    sample: tuple[Any, Any] | None = None
    """Period and first time of its samples, s."""


@dataclass(frozen=True)
class Arguments:
    """Symbols that stand for a binding's parts."""

    frames: list[BodyFrame]
    data: ca.SX
    inputs: list[ca.SX]
    turns: ca.SX
    time: ca.SX
    options: tuple[Any, ...]
    states: list[ca.SX] = field(default_factory=list)

    def marker(self, body: int, offset: int) -> Marker:
        """The marker whose record starts at `offset` of the data, on the binding's body number `body`."""
        return Marker.from_record(self.frames[body], self.data[offset : offset + 12])


class SignalExpression(NamedTuple):
    """One scalar to look at."""

    value: ca.SX
    unit: str
    meaning: str


class EventType(IntEnum):
    """What a value that events are read from means; the numbers are those of ``core/switching.hpp``."""

    KINK = 0
    """It changes its sign where the force has a kink."""
    SKIP = 1
    """It jumps by 1 where a tooth skips."""
    DEEP = 2
    """It falls below zero where teeth are pressed deeper than their model holds."""
    LIMIT = 3
    """It limits friction, and is not an event."""
    CHANGE = 10
    """It falls below zero where a block changes its mode."""


@dataclass(frozen=True)
class ToothLimits:
    """Where a model of teeth ends.

    ahead   of the pitch line of b, in pitches: from -1/2 to 1/2, where the next tooth of b takes over   1
    depth   to which the flanks are pressed, over the depth up to which the model holds                   1
    """

    ahead: ca.SX
    depth: ca.SX


@dataclass(frozen=True)
class DogValues:
    """What dogs go by, each positive where it is so."""

    asked: ca.SX
    """They are to be closed."""
    ready: ca.SX
    """They are to be closed and can be, at this speed and position."""
    slow: ca.SX
    """They are no faster than they may be, or not to be closed."""


@dataclass(frozen=True)
class FrictionLimits:
    """Sizes of dry friction along the angle between two shafts, in the order of ``core/load_dependent.hpp``."""

    slides_up: ca.SX
    slides_down: ca.SX
    starts_up: ca.SX
    """The largest that holds them from turning up."""
    starts_down: ca.SX
    dogs: DogValues | None = None


UNLIMITED = 1e30
"""N m: friction that holds whatever comes (``core/load_dependent.hpp``)."""


@dataclass(frozen=True)
class Effect:
    """What a force does."""

    wrenches: list[Wrench]
    """One for each body of the binding, in its order; bodies beyond the list are only looked at."""
    potential: ca.SX = field(default_factory=lambda: ca.SX(0))
    signals: dict[str, Any] = field(default_factory=dict)
    """By name: a `SignalExpression`, or its value, unit and meaning."""
    events: list[ca.SX] = field(default_factory=list)
    touches: int = 0
    """How many of the kinks, the first ones, get above zero where it begins to touch: events of the run. Where there
    are any, all kinks are changes of mode, of which a run keeps both sides."""
    teeth: ToothLimits | None = None
    friction: FrictionLimits | None = None
    rates: list[ca.SX] | None = None
    """Of its states; None: they stay as they are between samples and changes of mode."""
    updates: list[ca.SX] | None = None
    """Its states after a sample, or after a change of mode."""
    changes: list[ca.SX] = field(default_factory=list)
    """Values that fall below zero where it changes its mode."""

    def __post_init__(self) -> None:
        for name, signal in self.signals.items():
            self.signals[name] = SignalExpression(*signal)


def at_marker(marker: Marker, force: ca.SX) -> Wrench:
    """A force that acts at a marker."""
    return force, ca.cross(marker.s, force)


def at_point(body: BodyFrame, point: ca.SX, force: ca.SX) -> Wrench:
    """A force that acts on a body at a point of the world."""
    return force, ca.cross(point - body.x, force)


def along(row: Row, effort: ca.SX) -> list[Wrench]:
    """The wrenches on a and b of an effort along a joint coordinate (positive: drives it up)."""
    return [(effort * row.a_linear, effort * row.a_angular), (effort * row.b_linear, effort * row.b_angular)]
