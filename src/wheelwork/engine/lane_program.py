"""What code that runs many variants is made from: equations, signals and what is gathered of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import casadi as ca

from .tape import Tape

TIME, STATE, NUMBERS = 0, 1, 3
"""Arguments of the equations' tape; the one between is for functions of time that come from outside."""
DERIVATIVE, KINKS, SKIPS, DEPTHS, SIGNALS, CLOSING = range(6)
"""Results of the equations' tape."""

SETTINGS = (
    "start", "end", "step", "rtol", "atol", "largest_step", "max_steps", "stop_at_skip", "margin", "begin", "interval",
    "intervals", "closed",
)  # fmt: skip
"""Numbers that a call takes besides those of the variants.

begin, interval, intervals: samples are at begin, begin + interval, ..., and the last at the end
margin: what a step stays away from times at which functions of time jump or bend
closed: how far a loop may be open
"""
ROWS = ("outcome", "time", "steps", "rejected", "skips")
"""Of the results, one column for each variant; then come its last state and its accumulators."""


@dataclass(frozen=True)
class Accumulator:
    """What is gathered of a signal x over the samples, each with weight w (a half at both ends).

    least, greatest   of x
    mean, square      sum of w x, of w x^2
    shifted, spread   sum of w (x - x0), of w (x - x0)^2, with x0 the first sample
    above             sum of w where x is above `number`
    rises             how often x comes above `number`
    cosine, sine      sum of w x cos(`number` phi), with phi the signal `angle`
    last              x
    """

    kind: str
    signal: int
    number: float = 0.0
    angle: int = -1


STARTS = {"least": float("inf"), "greatest": -float("inf"), "last": float("nan")}


@dataclass(frozen=True)
class DeviceShape:
    """How the code for a graphics processor is laid out: what its threads hold, and where.

    threads: in a block
    blocks: that a multiprocessor has to hold at once, which bounds the registers of a thread; 0: not bounded
    shared: rooms (:mod:`.lane_routine`) in the fast memory of the block instead of registers, so that more threads
        fit; as many of them as fit there

    On an H200 (yaw drive, `rk4`) this one is the fastest of ten: 12 % over registers alone. More threads at once are
    slower: arithmetic holds it, not waiting.
    """

    threads: int = 64
    blocks: int = 4
    shared: tuple[str, ...] = ("y0", "k1", "sum", "low", "skip0", "acc", "before")

    @property
    def room(self) -> int:
        """Doubles of a thread in shared memory: a block has 48 KiB at most, all blocks that are to fit have 228."""
        block = min(48 * 1024, 228 * 1024 // max(1, self.blocks) - 1024)
        return block // 8 // self.threads


@dataclass(frozen=True)
class LaneProgram:
    """Equations and measures of a model, for code that runs variants of it.

    tape: (t, y, -, numbers) -> derivative, kinks, skips, depths, signals, closing (of cut loops: what to add to the
        positions, how far they are open, what to add to the speeds, curve parameters of cams where they were found,
        the least part that a row has for itself)
    numbers: how many numbers vary
    turning: entries of the state that are angles, whose size counts up to 1 in the tolerance
    balls: entries where Euler parameters begin
    velocities: first and count
    followed: the same of the curve parameters of cams
    """

    tape: Tape
    states: int
    numbers: int
    turning: tuple[int, ...]
    balls: tuple[int, ...]
    velocities: tuple[int, int]
    followed: tuple[int, int] = (0, 0)
    measures: tuple[Accumulator, ...] = field(default=())

    def size(self, result: int) -> int:
        return len(self.tape.offsets[result])

    @property
    def rows(self) -> int:
        """Of the results."""
        return len(ROWS) + self.states + len(self.measures)


def pruned(tape: Tape, name: str, results: Sequence[int]) -> Tape:
    """A program that finds some of the results of another."""
    needed = [op == ca.OP_OUTPUT and tape.places[k][0] in results for k, op in enumerate(tape.operations)]
    for k in range(len(needed) - 1, -1, -1):
        if needed[k]:
            for s in tape.terms[k]:
                needed[s] = True
    kept = [k for k, wanted in enumerate(needed) if wanted]
    at = {k: place for place, k in enumerate(kept)}
    places = {}
    for k in kept:
        if k in tape.places:
            which, entry = tape.places[k]
            places[at[k]] = (
                (list(results).index(which), entry) if tape.operations[k] == ca.OP_OUTPUT else (which, entry)
            )
    return Tape(
        name,
        [tape.operations[k] for k in kept],
        [tuple(at[s] for s in tape.terms[k]) for k in kept],
        places,
        {at[k]: tape.constants[k] for k in kept if k in tape.constants},
        [tape.offsets[which] for which in results],
    )


def joined(tape: Tape) -> Tape:
    """The same with all results but the first in one column, one after the other."""
    sizes = [len(entries) for entries in tape.offsets]
    first = [0, 0]
    for size in sizes[1:]:
        first.append(first[-1] + size)
    places = {
        k: (min(which, 1), entry + (first[which] if which else 0))
        if tape.operations[k] == ca.OP_OUTPUT
        else (which, entry)
        for k, (which, entry) in tape.places.items()
    }
    offsets = [tape.offsets[0]] + ([list(range(sum(sizes[1:])))] if len(sizes) > 1 else [])
    return Tape(tape.name, tape.operations, tape.terms, places, tape.constants, offsets)
