"""Kinks in lanes: whether a step has gone over one, and the length with which it is made again."""

from __future__ import annotations

from .ir import Value
from .lane_routine import LaneRoutine

AT_KINK = 2.0**-43
TIGHT = {"rk4": 1e-9, "dopri5": 1e-6}
"""Width of the bracket around a kink, as a part of the step."""
MOST_TRIES = 60
EVENT_TOLERANCE = 1e-10
"""Of adaptive steps, s: one that is no longer goes over a kink, whatever its error."""
BEYOND = 1e-3
"""How far beyond the kink an adaptive step is made again that came over one, as a part of it: more than the secant rule
is off, so that the step ends behind the kink. One that ends before it would meet it again."""


class Kinks:
    """Writes into a routine how kinks are found and located."""

    def __init__(self, routine: LaneRoutine):
        self.r = routine

    def _near(self, k: int) -> Value:
        """Whether round-off alone is left of a kink's value at the candidate."""
        size = self.r.bits(self.r.get("events", k)) & self.r.whole(2**63 - 1)
        return self.r.compare("ule", size, self.r.bits(self.r.constant(AT_KINK)))

    def sided(self, k: int) -> Value:
        """The value of a kink at the candidate; where round-off alone is left of it, that which it had."""
        return self.r.select(self._near(k), self.r.get("low", k), self.r.get("events", k))

    def crossing(self) -> Value | None:
        """Whether any kink has another sign than at the beginning of the step; bits of numbers, for they are cheap."""
        found, zero = None, self.r.whole(0)
        for k in range(self.r.kinks):
            low = self.r.bits(self.r.get("low", k))
            other = self.r.compare(
                "slt", self.r.binary("xor", low, self.r.bits(self.r.get("events", k))), zero
            )
            known = self.r.compare("ne", self.r.shift("shl", low, 1), zero)
            one = other & known & self.r.inverse(self._near(k))
            found = one if found is None else found | one
        return found

    def at_kinks(self, going: Value, crossing: Value, locating: Value) -> Value:
        """Whether a fixed step is accepted; sets `wanted`.

        It ends right before a kink, with all stages on this side of it; then one tiny step goes over it.
        """
        hop = self.r.true("hop")
        special = crossing | locating | hop
        self.r.put("accepts", 1.0)
        self.r.put("wanted", self.r.set["step"])

        def look() -> None:
            h, lo, hi = self.r.get("h"), self.r.get("lo"), self.r.get("hi")
            tight = (self.r.select(crossing, h, hi) - self.r.select(crossing, lo, h)) <= self._width()
            beyond = crossing & tight & lo.equals(0.0)
            right_before = locating & self.r.inverse(crossing) & tight
            good = beyond | right_before | hop | (self.r.get("tries") > float(MOST_TRIES))
            again = going & special & self.r.inverse(good)
            narrowed = self.narrowed(crossing & again, locating & again)
            done = going & special & good
            hops = done & right_before & self.r.inverse(hop)
            wanted = self.r.select(hops, 2.0 * (hi - h), self.r.select(again, narrowed, self.r.set["step"]))
            self.r.put_where(special, "wanted", wanted)
            self.r.put_where(done, "hop", self.r.select(hops, 1.0, 0.0))
            for name in ("hi", "lo", "tries"):
                self.r.put_where(done, name, 0.0)
            self.r.put_where(special & self.r.inverse(good), "accepts", 0.0)

        self.r.rarely(self.r.some(special), look)
        return self.r.true("accepts")

    def _width(self) -> Value:
        """Of the bracket around a kink, in the end."""
        return (self.r.get("full") if self.r.adaptive else self.r.set["step"]) * TIGHT[self.r.method]

    def behind(self, grown: Value, crossing: Value, locating: Value, stepped: Value) -> Value:
        """The length of the step behind one that was accepted: where a force jumps none is accepted but one that ends
        before the kink; then a short one goes over it."""
        before, full = locating & self.r.inverse(crossing), self.r.get("full")
        over = (locating | self.r.true("hop")) & crossing
        grown = self.r.select(over, self.r.intrinsic("maxnum", grown, full), grown)
        hop = self.r.intrinsic("maxnum", self._width(), self.r.constant(EVENT_TOLERANCE))
        self.r.put_where(stepped, "hop", self.r.select(before, 1.0, 0.0))
        return self.r.select(before, hop, grown)

    def narrowed(self, crossing: Value, locating: Value) -> Value:
        """Step with which a lane that has come over a kink tries again."""
        h = self.r.get("h")
        short = locating & self.r.inverse(crossing)

        def narrow() -> None:
            new = crossing & self.r.inverse(locating)
            self.r.put_where(new, "full", h)
            self.r.put_where(crossing, "hi", h)
            self.r.put_where(short, "lo", h)
            over, under = self.r.constant(1.0), self.r.constant(1.0)
            for k in range(self.r.kinks):
                now = self.sided(k)
                self.r.put_where(crossing, "high", now, k)
                self.r.put_where(short, "low", now, k)
                a, b = self.r.get("low", k), self.r.get("high", k)
                crosses = self.r.compare(
                    "slt", self.r.binary("xor", self.r.bits(a), self.r.bits(b)), self.r.whole(0)
                )
                a, c = self.r.absolute(a), self.r.absolute(a - b)
                sooner = (a * under < over * c) & crosses
                over, under = self.r.select(sooner, a, over), self.r.select(sooner, c, under)
            fraction = over / under
            lo, hi, tries = self.r.get("lo"), self.r.get("hi"), self.r.get("tries")
            width = self._width()
            apart = hi - lo
            side = self.r.select(short | new, 0.4, -0.4)
            aside = width
            if self.r.adaptive:  # a kink may be next to the beginning: from there on the way is halved
                aside = self.r.intrinsic("minnum", width, apart * fraction)
            guess = self.r.fma(apart, fraction, lo) + side * aside
            if self.r.adaptive:
                guess = self.r.select(new, self.r.fma(apart, BEYOND, guess), guess)
            third = self.r.intrinsic("floor", tries * (1.0 / 3.0)) * 3.0
            halves = (tries - third).equals(2.0) | (guess <= lo) | (guess >= hi)
            guess = self.r.select(halves, 0.5 * (lo + hi), guess)
            # with a fixed step the bracket's near end is taken, with an adaptive one its far end
            end = hi if self.r.adaptive else self.r.select(lo > 0.0, lo, hi)
            guess = self.r.select(apart <= width, end, guess)
            if self.r.adaptive:
                guess = self.r.intrinsic("maxnum", guess, self.r.constant(EVENT_TOLERANCE))
            self.r.put("when", guess)
            self.r.put_where(crossing | short, "tries", tries + 1.0)

        self.r.rarely(self.r.some(crossing | locating), narrow)
        return self.r.select(crossing | short, self.r.get("when"), h)
