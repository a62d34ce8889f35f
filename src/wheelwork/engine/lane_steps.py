"""Steps in lanes: the stages of the methods, local errors, and lengths of steps."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .ir import Value
from .lane_kinks import Kinks
from .lane_routine import LaneRoutine
from .outcome import Outcome

STABLE = 1.35**4
"""Of |k3 - k2|^2 / |k1|^2 of a fixed step: beyond, a spring or damper is too stiff for it (``core/methods.hpp``)."""

SMALL_ERROR = math.log(1e-4)
"""Of the error of the step before, over its tolerance: what is smaller counts as much as this one."""

A2 = (1 / 5,)
A3 = (3 / 40, 9 / 40)
A4 = (44 / 45, -56 / 15, 32 / 9)
A5 = (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729)
A6 = (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656)
B5 = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
"""Dormand and Prince 5(4), as in ``core/methods.hpp``."""


class Steps:
    """Writes steps of `rk4` or `dopri5` into a routine."""

    def __init__(self, routine: LaneRoutine, kinks: Kinks):
        self.r, self.kinks = routine, kinks

    def _scale(self, i: int) -> Value:
        size = self.r.intrinsic(
            "maxnum", self.r.absolute(self.r.get("y0", i)), self.r.absolute(self.r.get("y1", i))
        )
        if i in self.r.program.turning:
            size = self.r.intrinsic("minnum", size, self.r.constant(1.0))
        return self.r.fma(self.r.set["rtol"], size, self.r.set["atol"])

    def error(self) -> Value:
        """Root mean square of the local error over its tolerance."""
        h, squares = self.r.get("h"), []
        for i in range(self.r.n):
            e = self.r.get("k1", i) * ERROR[0]
            for c, k in zip(ERROR[2:6], ("k3", "k4", "k5", "k6"), strict=True):
                e = self.r.fma(self.r.get(k, i), c, e)
            e = self.r.fma(self.r.get("last", i), ERROR[6], e) * h / self._scale(i)
            squares.append(e * e)
        return self.r.intrinsic("sqrt", self.r.sum(squares) * (1.0 / self.r.n))

    def _power(self, x: Value, exponent: float) -> Value:
        return self.r.call("pow", x, self.r.constant(exponent))

    def controlled(
        self,
        finite: Value,
        error: Value,
        stepped: Value,
        retry: Value,
        crossing: Value | None,
        locating: Value,
        narrowed: Value,
    ) -> Value:
        h = self.r.get("h")
        low, high = self.r.constant(0.2), self.r.constant(5.0)
        bounded = self.r.intrinsic("maxnum", error, self.r.constant(1e-10))
        size = self.r.call("log", bounded)
        shrink = self.r.call("exp", self.r.fma(size, -0.7 / 5, self.r.get("last_error") * (0.4 / 5)))
        factor = self.r.intrinsic("minnum", high, self.r.intrinsic("maxnum", low, shrink * 0.9))
        grown = h * factor
        self.r.put_where(
            stepped, "last_error", self.r.intrinsic("maxnum", size, self.r.constant(SMALL_ERROR))
        )
        less = self.r.intrinsic("maxnum", low, self.r.call("exp", size * -0.2) * 0.9)
        again = self.r.select(finite, h * less, h * 0.25)
        if crossing is not None:
            grown = self.kinks.behind(grown, crossing, locating, stepped)
            kink = (crossing | locating) & finite & (self.r.true("hi")) & (narrowed < h)
            for name in ("hi", "lo"):
                self.r.put_where(retry & self.r.inverse(kink), name, 0.0)
            again = self.r.select(kink, narrowed, again)
        back = stepped & (self.r.true("reached"))
        grown = self.r.select(back, self.r.intrinsic("maxnum", grown, self.r.get("planned")), grown)
        wanted = self.r.select(stepped, grown, self.r.select(retry, again, h))
        return self.r.intrinsic("minnum", wanted, self.r.set["largest_step"])

    def first_step(self) -> None:
        """Hairer, Norsett, Wanner (II.4), in its simplest form."""
        rtol, atol = self.r.set["rtol"], self.r.set["atol"]
        sizes, speeds = [], []
        for i in range(self.r.n):
            y = self.r.get("y0", i)
            scale = self.r.fma(rtol, self.r.absolute(y), atol)
            size, speed = y / scale, self.r.get("k1", i) / scale
            sizes.append(size * size)
            speeds.append(speed * speed)
        size, speed = self.r.sum(sizes), self.r.sum(speeds)
        ratio = self.r.intrinsic("sqrt", size / speed) * 0.01
        h = self.r.select(speed > 1e-20, self.r.intrinsic("maxnum", self.r.constant(1e-6), ratio), 1e-3)
        first = self.r.intrinsic("maxnum", self._power(rtol + atol, 0.2) * 0.1, self.r.constant(1e-6))
        h = self.r.intrinsic("minnum", h, first)
        h = self.r.select(self.r.set["step"] > 0.0, self.r.set["step"], h)
        h = self.r.intrinsic("minnum", h, self.r.set["end"] - self.r.set["start"])
        self.r.put("when", self.r.intrinsic("minnum", h, self.r.set["largest_step"]))

    def look_for_growth(self, stepped: Value, far: Value) -> None:
        """Whether a fixed step is too long for its method, as ``Run::unstable`` has it."""
        change, size = self.r.get("change"), self.r.get("size")
        fast = stepped & (change > size * STABLE) & size.differs(0.0)
        outside = stepped & (far > 1e30)
        self.r.put_where(stepped & self.r.inverse(fast), "too_fast", 0.0)

        def look() -> None:
            count = self.r.get("too_fast") + 1.0
            least = self.r.select(count <= 1.0, size, self.r.intrinsic("minnum", self.r.get("least"), size))
            self.r.put_where(fast, "too_fast", count)
            self.r.put_where(fast, "least", least)
            grows = fast & (count > 20.0) & (size > least * 1e8)
            self.r.end_lane(outside | grows, float(Outcome.UNSTABLE))

        self.r.rarely(self.r.some(fast | outside), look)

    def stages(self) -> None:
        """New candidates of all lanes but those that are fresh: these stay."""
        n = self.r.n
        keep = (self.r.true("fresh")) | self.r.inverse(self.r.true("active"))
        t, h, left = self.r.get("t"), self.r.get("h"), self.r.get("stop") - self.r.get("t")
        self.r.put_where(self.r.inverse(keep), "planned", h)
        reached = h > left * (1.0 - 1e-10)
        if self.r.adaptive:
            half = left * 0.5
            h = self.r.select((h < left) & (h > half) & self.r.inverse(reached), half, h)
        h = self.r.select(reached, left, h)
        h = self.r.select(keep, self.r.get("h"), h)
        self.r.put("h", h)
        self.r.put("reached", self.r.select(reached, 1.0, 0.0))
        end = self.r.select(reached, self.r.get("stop"), t + h)

        def stage(c: float, weights: Sequence[tuple[str, float]], into: str) -> None:
            self.r.put("when", self.r.fma(h, c, t) if c != 1.0 else end)
            parts = [(name, h * weight) for name, weight in weights]
            for i in range(n):
                value = self.r.get("y0", i)
                for name, part in parts:
                    value = self.r.fma(part, self.r.get(name, i), value)
                self.r.put("w", value, i)
            self.r.evaluate("derivative_of", "when", "w", into)

        if self.r.adaptive:
            names = ("k1", "k2", "k3", "k4", "k5", "k6")
            for c, weights, into in (
                (1 / 5, A2, "k2"), (3 / 10, A3, "k3"), (4 / 5, A4, "k4"), (8 / 9, A5, "k5"), (1.0, A6, "k6"),
            ):  # fmt: skip
                stage(c, list(zip(names, weights, strict=False)), into)
            final = []
            for i in range(n):
                rate = self.r.get("k1", i) * B5[0]
                for name, b in zip(names[2:], B5[2:], strict=True):
                    rate = self.r.fma(self.r.get(name, i), b, rate)
                final.append(self.r.fma(h, rate, self.r.get("y0", i)))
        else:
            self._classical(t, h, end)
            final = [self.r.get("sum", i) for i in range(n)]
        made = [("y1", value, i) for i, value in enumerate(final)]
        self.r.put_all_where(self.r.inverse(keep), [*made, ("t1", end, 0)])
        self.r.normalise("y1")

    def _classical(self, t: Value, h: Value, end: Value) -> None:
        """The further stages of rk4 in a loop, whose code fits caches; the result is gathered on the way."""
        half, third, sixth = h * 0.5, h * (1.0 / 3.0), h * (1.0 / 6.0)
        for i in range(self.r.n):
            k1 = self.r.get("k1", i)
            self.r.put("k", k1, i)
            self.r.put("sum", self.r.fma(sixth, k1, self.r.get("y0", i)), i)
        self.r.put("stage", 1.0)
        self.r.put("change", 0.0)

        def one() -> None:
            stage = self.r.get("stage")
            last = stage > 2.5
            ahead, part = self.r.select(last, h, half), self.r.select(last, sixth, third)
            self._further(ahead, part, self.r.select(last, end, t + half), "k", "k2")
            # a branch that all lanes take together
            self.r.when(self.r.some(stage.equals(2.0)), lambda: self._changed("k2", "k"))
            if self.r.kinks:
                self.kinks.look_at_stage()
            for i in range(self.r.n):
                self.r.put("k", self.r.get("k2", i), i)
            self.r.put("stage", stage + 1.0)

        self.r.repeat(lambda: self.r.some(self.r.get("stage") < 3.5), one)

    def _further(self, ahead: Value, part: Value, when: Value, rates: str, into: str) -> None:
        """A stage of rk4: rates at the state that `rates` lead to, and what they add to the result."""
        self.r.put("when", when)
        for i in range(self.r.n):
            self.r.put("w", self.r.fma(ahead, self.r.get(rates, i), self.r.get("y0", i)), i)
        self.r.evaluate("derivative_of", "when", "w", into, *(["seen"] if self.r.kinks else []))
        for i in range(self.r.n):
            self.r.put("sum", self.r.fma(part, self.r.get(into, i), self.r.get("sum", i)), i)

    def _changed(self, rates: str, before: str) -> None:
        first, count = self.r.program.velocities
        change = [self.r.get(rates, i) - self.r.get(before, i) for i in range(first, first + count)]
        self.r.put("change", self.r.squares(change))
