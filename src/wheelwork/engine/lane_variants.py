"""Variants in lanes: results are handed in, the next variant is taken, and functions of time are passed at corners."""

from __future__ import annotations

from .lane_program import STARTS
from .lane_routine import LaneRoutine
from .lane_steps import SMALL_ERROR


class VariantQueue:
    """Writes into a routine how a lane changes from one variant to the next."""

    def __init__(self, routine: LaneRoutine):
        self.r = routine

    def turn_over(self, lane: str) -> None:
        """A lane that is done hands in its results and takes the next variant; one at a corner begins behind it."""
        done = self.r.line(f"fcmp ogt double {self.r.get_one('done', 0, lane)}, 0.0", self.r.one).text
        self.r.when(done, lambda: self._exchange(lane))
        corner = self.r.line(f"fcmp ogt double {self.r.get_one('corner', 0, lane)}, 0.0", self.r.one).text
        self.r.when(corner, lambda: self._pass_corner(lane))

    def _column(self, array: str, row: int | str, index: str) -> str:
        offset = self.r.line(f"mul i64 %count, {row}", self.r.one).text
        at = self.r.line(f"add i64 {offset}, {index}", self.r.one).text
        return self.r.line(f"getelementptr double, ptr %{array}, i64 {at}", self.r.one).text

    def _exchange(self, lane: str) -> None:
        slot, index = self._entry("index", lane)
        had = self.r.line(f"icmp sge i64 {index}, 0", self.r.one).text

        def hand_in() -> None:
            rooms = [("outcome", 0), ("t", 0), ("steps", 0), ("rejected", 0), ("skips", 0)]
            rooms += [("y0", i) for i in range(self.r.n)]
            rooms += [("acc", k) for k in range(len(self.r.program.measures))]
            for row, (name, k) in enumerate(rooms):
                value = self.r.get_one(name, k, lane)
                self.r.lines.append(f"store double {value}, ptr {self._column('out', row, index)}, align 8")

        self.r.when(had, hand_in)
        following = self.r.line("load i64, ptr %next", self.r.one).text
        more = self.r.line(f"icmp slt i64 {following}, %until", self.r.one).text
        self.r.put_one("active", 0, lane, 0.0)
        self.r.put_one("corner", 0, lane, 0.0)

        def take() -> None:
            self.r.lines.append(f"store i64 {following}, ptr {slot}")
            after = self.r.line(f"add i64 {following}, %stride", self.r.one).text
            self.r.lines.append(f"store i64 {after}, ptr %next")
            for array, name in (("numbers", "p"), ("starts", "y1")):
                for k in range(self.r.program.numbers if name == "p" else self.r.n):
                    place = self._column(array, k, following)
                    value = self.r.line(f"load double, ptr {place}, align 8", self.r.one).text
                    self.r.put_one(name, k, lane, value)
            zero = "lo hi tries hop done steps rejected sample skips deep outcome too_fast least reached"
            for name in zero.split():
                self.r.put_one(name, 0, lane, 0.0)
            for name, value in (("active", 1.0), ("fresh", 1.0), ("last_error", SMALL_ERROR)):
                self.r.put_one(name, 0, lane, value)
            for key, names in (("start", ("t", "t1")), ("step", ("h", "planned", "full"))):
                for name in names:
                    self.r.put_one(name, 0, lane, self.r.scalar[key])
            for k in range(self.r.kinks):
                self.r.put_one("low", k, lane, 0.0)
            for k, measure in enumerate(self.r.program.measures):
                self.r.put_one("acc", k, lane, STARTS.get(measure.kind, 0.0))
                self.r.put_one("before", k, lane, float("nan"))
            turn, _ = self._entry("turn", lane)
            self.r.lines.append(f"store i64 0, ptr {turn}")
            self._next_stop(lane, following, self.r.scalar["start"])

        self.r.when(more, take)

    def _entry(self, array: str, lane: str) -> tuple[str, str]:
        """Place and value of a whole number that each lane has."""
        place = self.r.line(f"getelementptr i64, ptr %{array}, i64 {lane}", self.r.one).text
        return place, self.r.line(f"load i64, ptr {place}", self.r.one).text

    def _beside_corner(self, side: str, index: str, k: str) -> str:
        """Right before (fsub) or behind (fadd) a time at which functions jump or bend, and not after the end."""
        place = self._column("corners", k, index)
        corner = self.r.line(f"load double, ptr {place}, align 8", self.r.one).text
        beside = self.r.line(f"{side} double {corner}, {self.r.scalar['margin']}", self.r.one).text
        self.r.declared.add("declare double @llvm.minnum.f64(double, double)")
        least = f"call double @llvm.minnum.f64(double {beside}, double {self.r.scalar['end']})"
        return self.r.line(least, self.r.one).text

    def _next_stop(self, lane: str, index: str, now: str) -> None:
        """Where the next step has to end: right before the next corner, or at the end. The list ends with infinity."""
        _, k = self._entry("turn", lane)
        self.r.put_one("stop", 0, lane, self._beside_corner("fsub", index, k))

    def _pass_corner(self, lane: str) -> None:
        _, index = self._entry("index", lane)
        turn, k = self._entry("turn", lane)
        behind = self._beside_corner("fadd", index, k)
        self.r.put_one("t1", 0, lane, behind)
        self.r.put_one("fresh", 0, lane, 1.0)
        self.r.put_one("corner", 0, lane, 0.0)
        self.r.put_one("reached", 0, lane, 0.0)
        self.r.lines.append(f"store i64 {self.r.line(f'add i64 {k}, 1', self.r.one).text}, ptr {turn}")
        self._next_stop(lane, index, behind)
