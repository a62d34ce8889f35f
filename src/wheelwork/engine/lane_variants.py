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

    def _column(self, array: str, row: int, index: str) -> str:
        offset = self.r.line(f"mul i64 %count, {row}", self.r.one).text
        at = self.r.line(f"add i64 {offset}, {index}", self.r.one).text
        return self.r.line(f"getelementptr double, ptr %{array}, i64 {at}", self.r.one).text

    def _exchange(self, lane: str) -> None:
        slot = self.r.line(f"getelementptr i64, ptr %index, i64 {lane}", self.r.one).text
        index = self.r.line(f"load i64, ptr {slot}", self.r.one).text
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
            for name, key in (
                ("t", "start"),
                ("t1", "start"),
                ("h", "step"),
                ("wish", "step"),
                ("full", "step"),
            ):
                self.r.put_one(name, 0, lane, self.r.scalar[key])
            for k in range(self.r.kinks):
                self.r.put_one("low", k, lane, 0.0)
            for k, measure in enumerate(self.r.program.measures):
                self.r.put_one("acc", k, lane, STARTS.get(measure.kind, 0.0))
                self.r.put_one("before", k, lane, float("nan"))
            turn = self.r.line(f"getelementptr i64, ptr %turn, i64 {lane}", self.r.one).text
            self.r.lines.append(f"store i64 0, ptr {turn}")
            self._next_stop(lane, following, self.r.scalar["start"])

        self.r.when(more, take)

    def _corner(self, index: str, k: str) -> str:
        """A time at which functions jump or bend."""
        row = self.r.line(f"mul i64 %count, {k}", self.r.one).text
        at = self.r.line(f"add i64 {row}, {index}", self.r.one).text
        place = self.r.line(f"getelementptr double, ptr %corners, i64 {at}", self.r.one).text
        return self.r.line(f"load double, ptr {place}, align 8", self.r.one).text

    def _next_stop(self, lane: str, index: str, now: str) -> None:
        """Where the next step has to end: right before the next corner, or at the end. The list ends with infinity."""
        turn = self.r.line(f"getelementptr i64, ptr %turn, i64 {lane}", self.r.one).text
        k = self.r.line(f"load i64, ptr {turn}", self.r.one).text
        corner = self._corner(index, k)
        before = self.r.line(f"fsub double {corner}, {self.r.scalar['hair']}", self.r.one).text
        self.r.declared.add("declare double @llvm.minnum.f64(double, double)")
        stop = self.r.line(
            f"call double @llvm.minnum.f64(double {before}, double {self.r.scalar['end']})", self.r.one
        ).text
        self.r.put_one("stop", 0, lane, stop)

    def _pass_corner(self, lane: str) -> None:
        slot = self.r.line(f"getelementptr i64, ptr %index, i64 {lane}", self.r.one).text
        index = self.r.line(f"load i64, ptr {slot}", self.r.one).text
        turn = self.r.line(f"getelementptr i64, ptr %turn, i64 {lane}", self.r.one).text
        k = self.r.line(f"load i64, ptr {turn}", self.r.one).text
        corner = self._corner(index, k)
        behind = self.r.line(f"fadd double {corner}, {self.r.scalar['hair']}", self.r.one).text
        self.r.declared.add("declare double @llvm.minnum.f64(double, double)")
        behind = self.r.line(
            f"call double @llvm.minnum.f64(double {behind}, double {self.r.scalar['end']})", self.r.one
        ).text
        self.r.put_one("t1", 0, lane, behind)
        self.r.put_one("fresh", 0, lane, 1.0)
        self.r.put_one("corner", 0, lane, 0.0)
        self.r.put_one("reached", 0, lane, 0.0)
        self.r.lines.append(f"store i64 {self.r.line(f'add i64 {k}, 1', self.r.one).text}, ptr {turn}")
        self._next_stop(lane, index, behind)
