"""The memory of code that runs many variants, and what all of its parts write with."""

from __future__ import annotations

from collections.abc import Sequence

from .ir import Value
from .lane_program import CLOSING, DEPTHS, KINKS, SETTINGS, SIGNALS, SKIPS, DeviceShape, LaneProgram
from .routine import Routine

SINGLE = (
    "t t1 h planned full lo hi tries fresh active done corner reached stop steps rejected sample skips deep outcome "
    "too_fast hop least change size last_error when open round off lost accepts wanted stage astray"
)
"""Names of single numbers of a lane."""


class LaneRoutine(Routine):
    """Rooms for the numbers of the lanes, and the settings of a call.

    t, y0, k1: where a lane is, with its rates; t1, y1, last: the candidate; h: the step between them
    """

    def __init__(self, program: LaneProgram, method: str, lanes: int, device: DeviceShape | None = None):
        super().__init__(lanes)
        self.device = device
        names = {name: f"%set.{name}" for name in SETTINGS}
        for k, name in enumerate(SETTINGS if device is None else ()):
            place = self.line(f"getelementptr double, ptr %settings, i64 {k}", self.one).text
            self.lines.append(f"{names[name]} = load double, ptr {place}, align 8")
        self.scalar = names
        """Settings as single numbers."""
        self.set = {name: self.spread(text) for name, text in names.items()}
        """The same in all lanes."""
        self.program, self.method, self.n = program, method, program.states
        self.adaptive = method == "dopri5"
        self.kinks, self.closes = program.size(KINKS), program.size(CLOSING) > 0
        n, own = self.n, [f"k{k}" for k in range(2, 7)] if self.adaptive else ["k", "k2", "sum"]
        self.sizes = {
            "p": program.numbers,
            "signals": program.size(SIGNALS),
            "closing": program.size(CLOSING),
        }
        self.sizes |= dict.fromkeys(["y0", "y1", "last", "w", "k1", *own], n)
        self.sizes |= {
            "events": self.events,
            "seen": 0 if self.adaptive else self.kinks,
            "low": self.kinks,
            "high": self.kinks,
            "skip0": program.size(SKIPS),
        }
        self.sizes |= dict.fromkeys(["acc", "before"], len(program.measures)) | dict.fromkeys(
            SINGLE.split(), 1
        )
        self.apart: dict[str, int] = {}
        """Rooms in shared memory, and where they begin there, in numbers of a thread."""
        self.shared = 0
        room, chosen = (device.room, device.shared) if device else (0, ())
        for name in chosen:
            count = self.sizes.get(name, 0)
            if count and self.shared + count <= room:
                self.apart[name], self.shared = self.shared, self.shared + count
        for name, count in self.sizes.items():
            if name not in self.apart:
                self.room(name, count)
        self.rooms += [
            "%next = alloca i64",
            *(f"%{name} = alloca [{lanes} x i64]" for name in ("index", "turn")),
        ]

    def place(self, name: str, k: int = 0) -> str:
        if self.device is None or name not in self.apart:
            return super().place(name, k)
        at = (self.apart[name] + k) * self.device.threads
        space = "ptr addrspace(3)"
        return f"{space} {self.line(f'getelementptr double, {space} %own, i64 {at}', self.one).text}"

    def get(self, name: str, k: int = 0) -> Value:
        """A number; from shared memory always anew, so that it takes no register for long."""
        how = "load volatile" if name in self.apart else "load"
        return self.line(f"{how} {self.double.text}, {self.place(name, k)}, align 8", self.double)

    @property
    def events(self) -> int:
        """Kinks, skips and depths."""
        return self.kinks + self.program.size(SKIPS) + self.program.size(DEPTHS)

    def evaluate(self, function: str, t: str, y: str, *results: str) -> None:
        """A function of the tape, from rooms into rooms."""
        arguments, outs = [t, y, y, "p"], [*results]
        pointers = []
        for side, names in (("in", arguments), ("out", outs)):
            array = f"%{self.label(side).replace('.', '')}"
            self.rooms.append(f"{array} = alloca [{len(names)} x ptr]")
            for k, name in enumerate(names):
                slot = self.line(f"getelementptr ptr, ptr {array}, i64 {k}", self.one).text
                self.lines.append(f"store ptr %{name}, ptr {slot}")
            pointers.append(array)
        self.lines.append(f"call void @{function}(ptr {pointers[0]}, ptr {pointers[1]})")

    def any(self, conditions: Sequence[Value]) -> Value:
        found = conditions[0]
        for one in conditions[1:]:
            found = found | one
        return found

    def sum(self, terms: Sequence[Value]) -> Value:
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        return total

    def squares(self, values: Sequence[Value]) -> Value:
        total = values[0] * values[0]
        for value in values[1:]:
            total = self.fma(value, value, total)
        return total

    def normalise(self, name: str) -> None:
        for first in self.program.balls:
            e = [self.get(name, first + c) for c in range(4)]
            length = self.intrinsic("sqrt", self.sum([c * c for c in e]))
            for c in range(4):
                self.put(name, e[c] / length, first + c)

    def end_lane(self, condition: Value, outcome: Value | float) -> None:
        """What ended first counts."""
        new = condition & self.inverse(self.true("done"))
        self.put_where(new, "outcome", outcome)
        self.put_where(new, "done", 1.0)
