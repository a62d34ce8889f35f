"""The variables of an FMU: what its description lists, and what its binary has under each number."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class VariableKind(IntEnum):
    """The numbers are those of ``core/fmu.hpp``."""

    CLOCK = 0
    PARAMETER = 1
    INPUT = 2
    STATE = 3
    RATE = 4
    OUTPUT = 5
    CONSTANT = 6
    INDICATOR = 7


@dataclass(frozen=True)
class Variable:
    """One variable; its value reference is its place in the list."""

    name: str
    kind: VariableKind
    index: int
    causality: str
    """`independent`, `parameter`, `input`, `output` or `local`."""
    variability: str
    """`constant`, `tunable`, `discrete` or `continuous`."""
    unit: str = "1"
    start: float | None = None
    meaning: str = ""
    derivative_of: int | None = None
    """Place of the variable whose derivative it is."""
    least: float | None = None
    greatest: float | None = None

    @property
    def initial(self) -> str:
        """How its value at the start comes about, in the words of FMI; empty: as is usual."""
        if self.causality in ("input", "independent"):
            return ""
        return "exact" if self.causality == "parameter" or self.variability == "constant" else "calculated"
