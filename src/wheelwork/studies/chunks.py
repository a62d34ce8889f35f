"""Variants in chunks: what is run, kept and gone on with at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from wheelwork.engine.outcome import Outcome

NOT_RUN = int(Outcome.INTERRUPTED)


@dataclass(frozen=True)
class Chunks:
    """A grid of variants, cut into blocks of at most `size`, each of which is a range of the variants' numbers.

    The last dimensions are whole in a block, one is cut into nearly equal parts, and those before it have one value: so
    a block is a range of numbers and a box of the grid at once.
    """

    shape: tuple[int, ...]
    size: int

    @property
    def block(self) -> tuple[int, ...]:
        """Values in each dimension."""
        block, room = [1] * len(self.shape), max(1, self.size)
        for axis in reversed(range(len(self.shape))):
            length = self.shape[axis]
            if length > room:
                block[axis] = -(-length // -(-length // room))
                break
            block[axis], room = length, room // length
        return tuple(block)

    @property
    def grid(self) -> tuple[int, ...]:
        """Blocks in each dimension."""
        return tuple(-(-n // b) for n, b in zip(self.shape, self.block, strict=True))

    @property
    def count(self) -> int:
        return math.prod(self.grid)

    def box(self, k: int) -> tuple[slice, ...]:
        """Places of the block's variants in the grid."""
        index = np.unravel_index(k, self.grid)
        return tuple(
            slice(int(i) * b, min((int(i) + 1) * b, n))
            for i, b, n in zip(index, self.block, self.shape, strict=True)
        )

    def range(self, k: int) -> tuple[int, int]:
        """Number of its first variant, and of the one after its last."""
        box = self.box(k)
        first = int(np.ravel_multi_index([s.start for s in box], self.shape))
        return first, first + math.prod(s.stop - s.start for s in box)


@dataclass
class VariantResults:
    """What was found for a range of variants; those not run yet have the outcome `NOT_RUN`."""

    outcome: np.ndarray
    time: np.ndarray
    measured: dict[str, np.ndarray]
    texts: dict[int, str] = field(default_factory=dict)
    """Why, for variants that failed, by their place in the range."""
    steps: int = 0

    @classmethod
    def not_run(cls, sizes: dict[str, tuple[int, ...]], count: int) -> VariantResults:
        """sizes: of the measures, beyond the variants"""
        measured = {name: np.full((count, *size), np.nan) for name, size in sizes.items()}
        return cls(np.full(count, NOT_RUN), np.full(count, np.nan), measured)

    def take(self, first: int, part: VariantResults) -> None:
        """Put in what was found for a range within this one."""
        place = slice(first, first + len(part.outcome))
        self.outcome[place], self.time[place] = part.outcome, part.time
        for name, values in part.measured.items():
            self.measured[name][place] = values
        self.texts |= {first + k: text for k, text in part.texts.items()}
        self.steps += part.steps

    @property
    def failed(self) -> int:
        return int(np.count_nonzero((self.outcome != NOT_RUN) & (self.outcome != Outcome.REACHED_END)))

    @property
    def whole(self) -> bool:
        return not np.any(self.outcome == NOT_RUN)
