"""What bodies, joints and functions of time are called in written equations."""

from __future__ import annotations

from string import ascii_uppercase

from wheelwork.expressions.symbols import Rank, Symbol
from wheelwork.system.program import ConstraintKind, Program

TIME = Symbol("t", rank=Rank.TIME)


class Names:
    """Names of one mechanism: bodies by name or by number, joints by letters A, B, C, ..."""

    def __init__(self, program: Program, numbered: bool = False):
        self.program = program
        self.numbered = numbered
        self.letters: dict[str, str] = {}
        drivers = program.flat.drivers
        for use in program.constraints:
            if use.kind == ConstraintKind.BILATERAL and use.name not in drivers:
                self.letters.setdefault(use.name, _letter(len(self.letters)))

    def body(self, index: int) -> str:
        """Index -1 is ground, whose symbols have no name."""
        if index < 0:
            return ""
        return str(index + 1) if self.numbered else self.program.bodies[index]

    def letter(self, constraint: int) -> str:
        """The letter of a joint; that of the driven joint for a driver."""
        name = self.program.constraints[constraint].name
        driver = self.program.flat.drivers.get(name)
        return self.letters.get(getattr(driver.element, "joint", "") if driver else name, "")

    def coordinate(self, letter: str, body: int, rank: Rank = Rank.COORDINATE, dots: int = 0) -> Symbol:
        return Symbol(letter, self.body(body), rank=rank, place=body, dots=dots)

    def coordinates(self, body: int) -> tuple[Symbol, ...]:
        """What the columns of a Jacobian belong to: (x, y, phi), or in space (v, omega)."""
        if self.program.space.name == "planar":
            return tuple(self.coordinate(letter, body) for letter in ("x", "y", "φ"))
        linear = [self.coordinate(letter, body, Rank.RATE, 1) for letter in "xyz"]
        return (*linear, *self.spin(body))

    def spin(self, body: int) -> list[Symbol]:
        """Angular velocity in space."""
        return [Symbol("ω", self.body(body), axis=a, rank=Rank.RATE, place=body) for a in "xyz"]


def _letter(k: int) -> str:
    """A to Z, then A1 to Z1, ..."""
    turn, letter = divmod(k, len(ascii_uppercase))
    return ascii_uppercase[letter] + (str(turn) if turn else "")
