"""Symbols of written equations: what they are called and how they are ordered in a product."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum


class Rank(IntEnum):
    """What a symbol stands for; products are written in this order."""

    CONSTANT = 0
    """A number of an element or body, a parameter."""
    TIME = 1
    COORDINATE = 2
    DERIVED = 3
    """An intermediate result of positions."""
    RATE = 4
    """A velocity, or the derivative of a function of time."""


@dataclass(frozen=True)
class Symbol:
    """A letter with what hangs on it: x' with subscript crank and superscript B is x'(B) in the crank's own axes.

    letter: `x`, `phi`, or a word (a parameter's name)
    of: subscript, the name or number of a body; may be empty
    point: superscript, the letter of a joint; may be empty
    axis: second subscript, `x`, `y` or `z` of a vector
    primes: in the body's own axes
    dots: derivatives with respect to time
    place: number of the body it belongs to, for the order of a sum; -1 for none
    """

    letter: str
    of: str = ""
    point: str = ""
    axis: str = ""
    primes: int = 0
    dots: int = 0
    rank: Rank = Rank.CONSTANT
    place: int = field(default=-1, compare=False)

    def rate(self) -> Symbol:
        """Its derivative with respect to time."""
        return replace(self, dots=self.dots + 1, rank=Rank.RATE)

    @property
    def key(self) -> tuple[int, bool, str, str, str, str, int, int]:
        """For sorting: what belongs to a body comes first."""
        return (
            self.rank, self.place < 0, self.letter, self.of, self.point, self.axis, self.primes, self.dots
        )  # fmt: skip
