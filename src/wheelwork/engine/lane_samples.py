"""Samples in lanes: signals between the ends of steps, and what is gathered of them."""

from __future__ import annotations

from collections.abc import Callable

from .ir import Value
from .lane_routine import LaneRoutine

DENSE = (
    -12715105075 / 11282082432, 0.0, 87487479700 / 32700410799, -10690763975 / 1880347072,
    701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423,
)  # fmt: skip
"""The continuous extension of Dormand and Prince's 5(4), as in ``core/methods.hpp``."""


class Samples:
    """Writes into a routine how signals are looked at.

    close: brings cut loops together at a time and state, in some lanes
    """

    def __init__(self, routine: LaneRoutine, close: Callable[[str, str, Value], None]):
        self.r, self._close = routine, close

    def _due(self, stepped: Value) -> Value:
        j = self.r.get("sample")
        when = self.r.fma(j, self.r.set["interval"], self.r.set["begin"])
        when = self.r.select(j >= self.r.set["intervals"], self.r.set["end"], when)
        self.r.put("when", when)
        return stepped & (when <= self.r.get("t1")) & (j <= self.r.set["intervals"])

    def take(self, stepped: Value) -> None:
        self.r.repeat(lambda: self.r.some(self._due(stepped)), lambda: self._sample(stepped))

    def _sample(self, stepped: Value) -> None:
        due, h = self._due(stepped), self.r.get("h")
        theta = (self.r.get("when") - self.r.get("t")) / h
        theta = self.r.intrinsic("maxnum", self.r.constant(0.0), theta)
        reached = (theta >= 1.0) | self.r.get("when").equals(self.r.get("t1"))
        a = 1.0 - theta
        for i in range(self.r.n):
            y0, y1, k1, last = (self.r.get(name, i) for name in ("y0", "y1", "k1", "last"))
            if self.r.adaptive:
                difference = y1 - y0
                bump = h * k1 - difference
                c4 = difference - h * last - bump
                c5 = k1 * DENSE[0]
                for c, k in zip(DENSE[2:6], ("k3", "k4", "k5", "k6"), strict=True):
                    c5 = self.r.fma(self.r.get(k, i), c, c5)
                c5 = self.r.fma(last, DENSE[6], c5) * h
                inside = self.r.fma(theta, difference + a * (bump + theta * (c4 + a * c5)), y0)
            else:
                h00, h10 = (1.0 + 2.0 * theta) * a * a, theta * a * a * h
                h01, h11 = theta * theta * (3.0 - 2.0 * theta), -(theta * theta * a * h)
                inside = h00 * y0 + h10 * k1 + h01 * y1 + h11 * last
            self.r.put("w", self.r.select(reached, y1, inside), i)
        self.r.normalise("w")
        if self.r.closes:
            self._close("when", "w", due)
        self.r.evaluate("signals_of", "when", "w", "signals")
        j = self.r.get("sample")
        ends = j.equals(0.0) | (j >= self.r.set["intervals"])
        weight = self.r.select(ends, 0.5, 1.0)
        for k, measure in enumerate(self.r.program.measures):
            x, old = self.r.get("signals", measure.signal), self.r.get("acc", k)
            if measure.kind == "least":
                new = self.r.intrinsic("minnum", old, x)
            elif measure.kind == "greatest":
                new = self.r.intrinsic("maxnum", old, x)
            elif measure.kind == "mean":
                new = self.r.fma(weight, x, old)
            elif measure.kind == "square":
                new = self.r.fma(weight * x, x, old)
            elif measure.kind in ("shifted", "spread"):
                first = self.r.select(j.equals(0.0), x, self.r.get("before", k))
                self.r.put_where(due, "before", first, k)
                new = self.r.fma(weight * (x - first), x - first if measure.kind == "spread" else 1.0, old)
            elif measure.kind == "above":
                new = self.r.select(x > measure.number, old + weight, old)
            elif measure.kind == "rises":
                rose = (self.r.get("before", k) <= measure.number) & (x > measure.number)
                new = self.r.select(rose, old + 1.0, old)
                self.r.put_where(due, "before", x, k)
            elif measure.kind in ("cosine", "sine"):
                angle = self.r.get("signals", measure.angle) * measure.number
                new = self.r.fma(
                    weight * x, self.r.call("cos" if measure.kind == "cosine" else "sin", angle), old
                )
            else:
                new = x
            self.r.put_where(due, "acc", new, k)
        self.r.put_where(due, "sample", j + 1.0)
