"""Settings of one integration, in the engine's terms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from wheelwork.lazy import dataclass

Progress = Callable[[float, int], bool]
"""Called now and then with the time and the number of steps; true asks to stop."""


class PartWriter(Protocol):
    """What keeps the parts of a run as it goes."""

    def due(self, last: bool) -> bool:
        """Whether to hand over now; `last`: the run ends here."""
        ...

    def add(self, records: bytes, sides: bytes, events: bytes, carried: bytes) -> None:
        """Output records and event records since the last time, and what a run needs to go on from here."""
        ...


@dataclass(frozen=True)
class RunOptions:
    """Settings of one integration; SI units.

    `simulate` makes them from the settings of the description; with a compiled model that stands alone they are
    given by name: `model.run(end=2.0, method="sdirk4", rtol=1e-6)`.
    """

    end: float
    """When to stop, s."""
    start: float = 0.0
    """When to begin, s."""
    method: str = "dopri5"
    """`dopri5`, `dop853`, `rk4` or `sdirk4`."""
    step: float | None = None
    """Fixed step of `rk4`, first step of the others, s."""
    rtol: float = 1e-8
    """Relative error allowed in a step."""
    atol: float = 1e-10
    """Absolute error allowed in a step."""
    max_steps: int = 10_000_000
    """After which to give up."""
    stabilisation: str = "projection"
    """`projection`, `baumgarte`, `augmented_lagrangian` or `none`."""
    stabilisation_values: tuple[float, ...] = (0.0,) * 6
    """alpha, beta (of `baumgarte`), penalty, omega, mu, tolerance (of `augmented_lagrangian`)."""
    stabilisation_iterations: int = 0
    """Of the multipliers of `augmented_lagrangian`, at most."""
    projection_tolerance: float = 1e-11
    """Constraint residual that `projection` leaves at most, m or rad."""
    event_tolerance: float = 1e-10
    """Width to which the time of an event is narrowed down, s."""
    smallest_step: float = 1e-13
    """Below which an adaptive method gives up, s."""
    largest_step: float = math.inf
    """Of an adaptive method, s."""
    corners: tuple[float, ...] = ()
    """Times at which functions of time jump or bend, in order: no step goes over one, s."""
    skipping: str = "stop"
    """What a run does where teeth skip: `stop`, or `count` them and go on."""
    store_steps: bool = False
    """Whether every step is kept, besides the output times."""
    states_only: bool = False
    """Whether accelerations, multipliers and friction forces are left out of the records."""
    keep: PartWriter | None = None
    """Takes what was found so far, now and then; only of an engine in machine code."""
    carried: bytes = b""
    """What another run handed over: goes on from there."""
    origin: float | None = None
    """When the run began that handed over, s; None: `start`."""
    refresh: bool = False
    """Whether elements have other numbers than in the run that handed over."""
    held: tuple[float, ...] = ()
    """Then: values of the elements' own states from here on; not a number where they stay as they are."""
    hand_over: str = "nothing"
    """For a run that goes on: `nothing`; `as if longer`, so that its steps are those of one longer run; `the end`."""
    until: float = math.inf
    """When to stop without letting the steps know: they are those of a longer run, s."""
