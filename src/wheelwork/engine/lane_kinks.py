"""Kinks in lanes: whether a step has gone over one, and the length with which it is made again."""

from __future__ import annotations

from .ir import Value
from .lane_routine import LaneRoutine

AT_KINK = 2.0**-43
TIGHT = {"rk4": 1e-9, "dopri5": 1e-6}
"""Width of the bracket around a kink, as a part of the step."""
MOST_TRIES = 60
EVENT_TOLERANCE = 1e-10
"""In s: no bracket is narrower, nor the step over a kink shorter, as in single runs: in `TIGHT` of a short step a gap
changes by less than its round-off. An adaptive step that is no longer goes over a kink, whatever its error."""
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
        """The value of a kink at the candidate; where round-off alone is left of it, no more, with the sign it had."""
        low = self.r.get("low", k)
        least = self.r.intrinsic("minnum", self.r.absolute(low), self.r.constant(AT_KINK))
        return self.r.select(self._near(k), self.r.intrinsic("copysign", least, low), self.r.get("events", k))

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
        plain = self.r.inverse(crossing | locating | hop)
        astray = self.r.true("astray") & going & self.r.inverse(crossing | hop)
        special = self.r.inverse(plain) | astray
        self.r.put("accepts", 1.0)
        self.r.put("wanted", self.r.set["step"])

        def look() -> None:
            h, lo, hi = self.r.get("h"), self.r.get("lo"), self.r.get("hi")
            tight = (self.r.select(crossing, h, hi) - self.r.select(crossing, lo, h)) <= self._width()
            beyond = crossing & tight & lo.equals(0.0)
            right_before = locating & self.r.inverse(crossing) & tight
            halved = astray & (plain | right_before) & (h > self._width()) & self._jumps()
            kept = self.r.inverse(halved)
            good = (plain | beyond | right_before | hop | (self.r.get("tries") > float(MOST_TRIES))) & kept
            again = going & special & self.r.inverse(good)
            narrowed = self.narrowed(crossing & again, locating & again & kept)
            done = going & special & good
            hops = done & right_before & self.r.inverse(hop)
            over = self.r.intrinsic("maxnum", 2.0 * (hi - h), self._width())
            wanted = self.r.select(hops, over, self.r.select(again, narrowed, self.r.set["step"]))
            self.r.put_where(special, "wanted", self.r.select(halved, 0.5 * h, wanted))
            self.r.put_where(done, "hop", self.r.select(hops, 1.0, 0.0))
            for name in ("hi", "lo", "tries"):
                self.r.put_where(done | halved, name, 0.0)
            self.r.put_where(special & self.r.inverse(good), "accepts", 0.0)

        self.r.rarely(self.r.some(special), look)
        return self.r.true("accepts")

    def look_at_stage(self) -> None:
        """Whether this stage of a fixed step is behind a kink before which the step begins: by round-off, too."""
        found, zero = [], self.r.whole(0)
        for k in range(self.r.kinks):
            low = self.r.bits(self.r.get("low", k))
            size = low & self.r.whole(2**63 - 1)
            apart = self.r.compare("ugt", size, self.r.bits(self.r.constant(AT_KINK)))
            other = self.r.binary("xor", low, self.r.bits(self.r.get("seen", k)))
            found.append(self.r.compare("slt", other, zero) & apart)
        self.r.put("astray", self.r.select(self.r.any(found), 1.0, 0.0))

    def _jumps(self) -> Value:
        """Whether the last stage of a fixed step has seen a jump, as ``Rk4::last_stage_jumps`` has it; at the very kink
        the end may have seen it, too."""
        first, count = self.r.program.velocities
        places = range(first, first + count)
        off = self.r.squares([self.r.get("k", i) - self.r.get("last", i) for i in places])
        size = self.r.squares([self.r.get("k1", i) for i in places])
        off, change, size = (self.r.intrinsic("sqrt", square) for square in (off, self.r.get("change"), size))
        jumps = (off * size > change * (0.1 * size + 2.0 * change)) | size.equals(0.0)
        lands = [
            self._near(k) & (self.r.absolute(self.r.get("low", k)) > AT_KINK) for k in range(self.r.kinks)
        ]
        return self.r.any([jumps, *lands]) & (change <= size)  # else the step is too long in any case

    def _width(self) -> Value:
        """Of the bracket around a kink, in the end."""
        if self.r.adaptive:
            return self.r.get("full") * TIGHT[self.r.method]
        least = self.r.constant(EVENT_TOLERANCE)
        return self.r.intrinsic("maxnum", self.r.set["step"] * TIGHT[self.r.method], least)

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
