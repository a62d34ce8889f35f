r"""Code that runs many variants of one model: `lanes` at a time, each with its own time and step.

One routine takes variants from a queue, integrates each from its start to its end, and accumulates measures of its
signals; it needs nothing else while it runs. With eight lanes it is for a processor with vectors of eight doubles, with
one lane for a thread of a graphics processor (:mod:`.devices`).

Each pass of its loop evaluates the equations at the states that the lanes have got to (candidates), decides lane by
lane whether a step is accepted, looks at samples, takes new variants where lanes are done, and makes the stages of the
next steps. A lane that is not accepted goes on from where it was with another step. So no lane waits for another.

Kinks (backlash, tooth contact): where the value of a kink changes its sign within a step, the step is made again with
another length, by the secant rule and bisection, until it ends right before the kink, within 1e-9 of a fixed step; a
step of that length goes over it. So no stage sees both sides, as in single runs, and forces may even jump there. With
an adaptive step this ends as soon as the error of the step is small enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from .ir import Value
from .lane_program import (
    CLOSING,
    DEPTHS,
    DERIVATIVE,
    KINKS,
    SETTINGS,
    SIGNALS,
    SKIPS,
    STARTS,
    LaneProgram,
    joined,
    pruned,
)
from .outcome import Outcome
from .routine import RARE, Routine
from .tape import Text, function_texts, module_text

SMALLEST_STEP, EVENT_TOLERANCE = 1e-13, 1e-10
AT_KINK = 2.0**-43
INFINITE = float("inf")
TIGHT = {"rk4": 1e-9, "dopri5": 1e-6}
"""Width of the bracket around a kink, as a part of the step."""
MOST_TRIES = 60
STABLE = 1.35**4
"""Of |k3 - k2|^2 / |k1|^2 of a fixed step: beyond, a spring or damper is too stiff for it (``core/methods.hpp``)."""

MOST_ROUNDS, MET = 25, 1e-15
"""To close loops; how far open is closed for certain (``core/reduced.hpp``)."""
APART = 1e-8
"""What a row of a loop has for itself (squared), below which rows that were chosen at the start no longer do."""
SINGLE = (
    "t t1 h wish full lo hi tries fresh active done corner reached stop steps rejected sample skips deep outcome "
    "too_fast hop least change size last_error when open round off lost accepts wanted stage"
)
"""Names of single numbers of a lane."""

A2 = (1 / 5,)
A3 = (3 / 40, 9 / 40)
A4 = (44 / 45, -56 / 15, 32 / 9)
A5 = (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729)
A6 = (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656)
B5 = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
DENSE = (
    -12715105075 / 11282082432, 0.0, 87487479700 / 32700410799, -10690763975 / 1880347072,
    701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423,
)  # fmt: skip
"""Dormand and Prince 5(4) with its continuous extension, as in ``core/methods.hpp``."""


class _Kernel(Routine):
    """Writes the routine of a program."""

    def __init__(self, program: LaneProgram, method: str, lanes: int, device: bool = False):
        super().__init__(lanes)
        self.device = device
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
            "events": self._events,
            "low": self.kinks,
            "high": self.kinks,
            "skip0": program.size(SKIPS),
        }
        self.sizes |= dict.fromkeys(["acc", "before"], len(program.measures)) | dict.fromkeys(
            SINGLE.split(), 1
        )
        for name, count in self.sizes.items():
            self.room(name, count)
        self.rooms += [
            "%next = alloca i64",
            *(f"%{name} = alloca [{lanes} x i64]" for name in ("index", "turn")),
        ]

    # -- calls

    def _evaluate(self, function: str, t: str, y: str, *results: str) -> None:
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

    def write(self) -> list[str]:
        settings = {name: f"%set.{name}" for name in SETTINGS}
        for k, name in enumerate(SETTINGS if not self.device else ()):
            place = self.line(f"getelementptr double, ptr %settings, i64 {k}", self.one).text
            self.lines.append(f"{settings[name]} = load double, ptr {place}, align 8")
        self.scalar = settings
        self.set = {name: self.spread(text) for name, text in settings.items()}
        if self.lanes > 1:
            for name in ("p", "y0", "y1", "k1", "low", "high", "skip0", "t", "t1", "h", "stop", "lost"):
                for k in range(self.sizes[name]):
                    self.put(name, 0.0, k)
        self.lines.append("store i64 %from, ptr %next")
        for name, value in (("fresh", 0.0), ("active", 0.0), ("done", 1.0), ("corner", 0.0), ("hi", 0.0)):
            self.put(name, value)
        self.each_lane(self._empty)
        self.each_lane(self._turn_over)
        self.repeat(lambda: self.some(self.true("active")), self._pass)
        return self.lines

    def _empty(self, lane: str) -> None:
        slot = self.line(f"getelementptr i64, ptr %index, i64 {lane}", self.one).text
        self.lines.append(f"store i64 -1, ptr {slot}")

    # -- one pass

    def _pass(self) -> None:
        if self.closes:
            self._close("t1", "y1", self.true("active"))
        results = ["last", "events"] if self._events else ["last"]
        self._evaluate("arrive", "t1", "y1", *results)
        self._decide()
        self._stages()

    @property
    def _events(self) -> int:
        return self.kinks + self.program.size(SKIPS) + self.program.size(DEPTHS)

    def _any(self, conditions: Sequence[Value]) -> Value:
        found = conditions[0]
        for one in conditions[1:]:
            found = found | one
        return found

    def _sum(self, terms: Sequence[Value]) -> Value:
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        return total

    def _scale(self, i: int) -> Value:
        size = self.intrinsic("maxnum", self.absolute(self.get("y0", i)), self.absolute(self.get("y1", i)))
        if i in self.program.turning:
            size = self.intrinsic("minnum", size, self.constant(1.0))
        return self.fma(self.set["rtol"], size, self.set["atol"])

    def _error(self) -> Value:
        """Root mean square of the local error over its tolerance."""
        h, squares = self.get("h"), []
        for i in range(self.n):
            e = self.get("k1", i) * ERROR[0]
            for c, k in zip(ERROR[2:6], ("k3", "k4", "k5", "k6"), strict=True):
                e = self.fma(self.get(k, i), c, e)
            e = self.fma(self.get("last", i), ERROR[6], e) * h / self._scale(i)
            squares.append(e * e)
        return self.intrinsic("sqrt", self._sum(squares) * (1.0 / self.n))

    def _decide(self) -> None:
        n, set_ = self.n, self.set
        fresh, active, h = self.true("fresh"), self.true("active"), self.get("h")
        going = active & self.inverse(fresh)
        far = self._squares([self.get("y1", i) for i in range(n)])
        first, count = self.program.velocities
        speed = self._squares([self.get("last", i) for i in range(first, first + count)])
        finite = (far < INFINITE) & (speed < INFINITE)
        lost = self.true("lost")
        if self.closes:
            finite = finite & self.inverse(lost)
        crossing = self._crossing()
        locating = self.true("hi")
        error = h
        if self.adaptive:
            error = self._error()
            small = error <= 1.0
            if crossing is not None:
                small = small | (crossing & (h <= EVENT_TOLERANCE))
            accept = finite & small
        elif crossing is None:
            accept = finite
        else:
            accept = finite & self._at_kinks(going & finite, crossing, locating)
        accept = (accept & going) | (fresh & active)
        stepped = accept & going
        retry = going & self.inverse(accept)
        if self.adaptive:
            wanted = h
            if crossing is not None:
                wanted = self._narrowed(crossing & finite & retry, locating & finite & retry)
                for name in ("hi", "lo", "tries"):
                    self.put_where(accept, name, 0.0)
            wanted = self._controlled(finite, error, stepped, retry, crossing, locating, wanted)
        else:
            wanted = set_["step"] if crossing is None else self.get("wanted")
            self._look_for_growth(stepped, far)
        self.put_where(retry, "rejected", self.get("rejected") + 1.0)
        self.put_where(stepped, "steps", self.get("steps") + 1.0)
        if self.program.measures:
            self._samples(stepped)
        self._teeth(accept, stepped)
        moved = [
            (name, self.get(new, i), i) for i in range(n) for name, new in (("y0", "y1"), ("k1", "last"))
        ]
        moved += [("low", self._sided(k), k) for k in range(self.kinks)]
        self.put_all_where(accept, [*moved, ("t", self.get("t1"), 0), ("size", speed, 0)])
        if self.adaptive:
            self.when(self.some(fresh & (self.get("steps").equals(0.0))), self._first_step)
            first = fresh & self.get("steps").equals(0.0)
            wanted = self.select(first, self.get("when"), wanted)
        self.put("h", wanted)
        bad, why = self.inverse(finite), self.constant(float(Outcome.NOT_FINITE))
        ends = [
            (stepped & (self.get("steps") >= set_["max_steps"]), self.constant(float(Outcome.TOO_MANY_STEPS)))
        ]
        if self.closes:
            why = self.select(lost, float(Outcome.CONSTRAINTS_LOST), why)
            doubtful = self.get("closing", self.sizes["closing"] - 1) < APART
            ends.append((stepped & doubtful, self.constant(float(Outcome.BRANCH_IN_DOUBT))))
        ends.append((fresh & active & bad, why))
        if self.adaptive:
            least = self.fma(self.absolute(self.get("t")), 1e-15, self.constant(SMALLEST_STEP))
            ends.append((retry & (wanted < least), self.select(finite, float(Outcome.STEP_TOO_SMALL), why)))
        else:
            ends.append((going & bad, why))
        over = accept & (self.get("t") >= set_["end"])

        def end() -> None:
            pressed = self.true("deep") & (set_["stop_at_skip"] > 0.0)
            self._end(over, self.select(pressed, float(Outcome.TEETH_TOO_DEEP), 0.0))
            for condition, outcome in ends:
                self._end(condition, outcome)

        self.rarely(self.some(self._any([over, *(condition for condition, _ in ends)])), end)
        self.put_where(accept, "fresh", 0.0)
        at_corner = stepped & (self.true("reached")) & (self.get("t") < set_["end"])
        self.put("corner", self.select(at_corner, 1.0, 0.0))
        turning = (self.true("done")) | at_corner
        self.rarely(self.some(turning & active), lambda: self.each_lane(self._turn_over))

    def _close(self, t: str, y: str, which: Value) -> None:
        """Bring loops that are cut together by Newton's rule, then speeds along them: as ``core/reduced.hpp`` does.

        Lanes that are done do not move while others go on.
        """
        program, (first, n) = self.program, self.program.velocities
        self.put("open", self.select(which, 1.0, 0.0))
        self.put("off", 1e300)
        for name in ("round", "lost"):
            self.put(name, 0.0)

        def more() -> str:
            return self.some(self.true("open"))

        def once() -> None:
            self._evaluate("closing_of", t, y, "closing")
            still, size, last = self.true("open"), self.get("closing", n), self.get("off")
            met = (size <= MET) | ((size <= self.set["closed"]) & (size >= 0.5 * last))
            tired = (self.get("round") >= float(MOST_ROUNDS)) | self.inverse(size < 1e300)
            self.put_where(still & tired & self.inverse(met), "lost", 1.0)
            going = still & self.inverse(met | tired)
            self.put("open", self.select(going, 1.0, 0.0))
            self.put("off", size)
            self.put("round", self.get("round") + 1.0)
            step = [self.select(going, self.get("closing", j), 0.0) for j in range(n)]
            scalars = n - 3 * len(program.balls)
            for j in range(scalars):
                self.put(y, self.get(y, j) + step[j], j)
            for b, place in enumerate(program.balls):
                turn = step[scalars + 3 * b : scalars + 3 * b + 3]
                e = [self.get(y, place + c) for c in range(4)]
                half = [0.5 * x for x in turn]
                self.put(y, e[0] - self._sum([a * x for a, x in zip(half, e[1:], strict=True)]), place)
                for c in range(3):
                    across = half[(c + 1) % 3] * e[1 + (c + 2) % 3] - half[(c + 2) % 3] * e[1 + (c + 1) % 3]
                    self.put(y, e[1 + c] + half[c] * e[0] + across, place + 1 + c)
            self._normalise(y)

        self.repeat(more, once)
        ready = which & self.inverse(self.true("lost"))
        for j in range(n):
            self.put(
                y, self.get(y, first + j) + self.select(ready, self.get("closing", n + 1 + j), 0.0), first + j
            )

    def _end(self, condition: Value, outcome: Value | float) -> None:
        """What ended first counts."""
        new = condition & self.inverse(self.true("done"))
        self.put_where(new, "outcome", outcome)
        self.put_where(new, "done", 1.0)

    # -- kinks

    def _near(self, k: int) -> Value:
        """Whether round-off alone is left of a kink's value at the candidate."""
        size = self.bits(self.get("events", k)) & self.whole(2**63 - 1)
        return self.compare("ule", size, self.bits(self.constant(AT_KINK)))

    def _sided(self, k: int) -> Value:
        """The value of a kink at the candidate; where round-off alone is left of it, that which it had."""
        return self.select(self._near(k), self.get("low", k), self.get("events", k))

    def _crossing(self) -> Value | None:
        """Whether any kink has another sign than at the beginning of the step; bits of numbers, for they are cheap."""
        found, zero = None, self.whole(0)
        for k in range(self.kinks):
            low = self.bits(self.get("low", k))
            other = self.compare("slt", self.binary("xor", low, self.bits(self.get("events", k))), zero)
            known = self.compare("ne", self.shift("shl", low, 1), zero)
            one = other & known & self.inverse(self._near(k))
            found = one if found is None else found | one
        return found

    def _at_kinks(self, going: Value, crossing: Value, locating: Value) -> Value:
        """Whether a fixed step is accepted; sets `wanted`.

        It ends right before a kink, with all stages on this side of it; then one tiny step goes over it.
        """
        hop = self.true("hop")
        special = crossing | locating | hop
        self.put("accepts", 1.0)
        self.put("wanted", self.set["step"])

        def look() -> None:
            h, lo, hi = self.get("h"), self.get("lo"), self.get("hi")
            tight = (self.select(crossing, h, hi) - self.select(crossing, lo, h)) <= self._width()
            beyond = crossing & tight & lo.equals(0.0)
            right_before = locating & self.inverse(crossing) & tight
            good = beyond | right_before | hop | (self.get("tries") > float(MOST_TRIES))
            again = going & special & self.inverse(good)
            narrowed = self._narrowed(crossing & again, locating & again)
            done = going & special & good
            hops = done & right_before & self.inverse(hop)
            wanted = self.select(hops, 2.0 * (hi - h), self.select(again, narrowed, self.set["step"]))
            self.put_where(special, "wanted", wanted)
            self.put_where(done, "hop", self.select(hops, 1.0, 0.0))
            for name in ("hi", "lo", "tries"):
                self.put_where(done, name, 0.0)
            self.put_where(special & self.inverse(good), "accepts", 0.0)

        self.rarely(self.some(special), look)
        return self.true("accepts")

    def _width(self) -> Value:
        """Of the bracket around a kink, in the end."""
        return (self.get("full") if self.adaptive else self.set["step"]) * TIGHT[self.method]

    def _narrowed(self, crossing: Value, locating: Value) -> Value:
        """Step with which a lane that has come over a kink tries again."""
        h = self.get("h")
        short = locating & self.inverse(crossing)

        def narrow() -> None:
            new = crossing & self.inverse(locating)
            self.put_where(new, "full", h)
            self.put_where(crossing, "hi", h)
            self.put_where(short, "lo", h)
            over, under = self.constant(1.0), self.constant(1.0)
            for k in range(self.kinks):
                now = self._sided(k)
                self.put_where(crossing, "high", now, k)
                self.put_where(short, "low", now, k)
                a, b = self.get("low", k), self.get("high", k)
                crosses = self.compare("slt", self.binary("xor", self.bits(a), self.bits(b)), self.whole(0))
                a, c = self.absolute(a), self.absolute(a - b)
                sooner = (a * under < over * c) & crosses
                over, under = self.select(sooner, a, over), self.select(sooner, c, under)
            fraction = over / under
            lo, hi, tries = self.get("lo"), self.get("hi"), self.get("tries")
            width = self._width()
            apart = hi - lo
            side = self.select(short | new, 0.4, -0.4)
            guess = self.fma(apart, fraction, lo) + side * width
            third = self.intrinsic("floor", tries * (1.0 / 3.0)) * 3.0
            halves = (tries - third).equals(2.0) | (guess <= lo) | (guess >= hi)
            guess = self.select(halves, 0.5 * (lo + hi), guess)
            # with a fixed step the bracket's near end is taken, with an adaptive one its far end
            end = hi if self.adaptive else self.select(lo > 0.0, lo, hi)
            guess = self.select(apart <= width, end, guess)
            self.put("when", guess)
            self.put_where(crossing | short, "tries", tries + 1.0)

        self.rarely(self.some(crossing | locating), narrow)
        return self.select(crossing | short, self.get("when"), h)

    # -- step size

    def _power(self, x: Value, exponent: float) -> Value:
        return self.call("pow", x, self.constant(exponent))

    def _controlled(
        self,
        finite: Value,
        error: Value,
        stepped: Value,
        retry: Value,
        crossing: Value | None,
        locating: Value,
        narrowed: Value,
    ) -> Value:
        h = self.get("h")
        low, high = self.constant(0.2), self.constant(5.0)
        bounded = self.intrinsic("maxnum", error, self.constant(1e-10))
        shrink = self._power(bounded, -0.7 / 5) * self._power(self.get("last_error"), 0.4 / 5)
        factor = self.intrinsic("minnum", high, self.intrinsic("maxnum", low, shrink * 0.9))
        grown = h * factor
        self.put_where(stepped, "last_error", self.intrinsic("maxnum", error, self.constant(1e-4)))
        less = self.intrinsic("maxnum", low, self._power(bounded, -0.2) * 0.9)
        again = self.select(finite, h * less, h * 0.25)
        if crossing is not None:
            grown = self.select(locating, self.intrinsic("maxnum", grown, self.get("full")), grown)
            kink = (crossing | locating) & finite & (self.true("hi")) & (narrowed < h)
            for name in ("hi", "lo"):
                self.put_where(retry & self.inverse(kink), name, 0.0)
            again = self.select(kink, narrowed, again)
        back = stepped & (self.true("reached"))
        grown = self.select(back, self.intrinsic("maxnum", grown, self.get("wish")), grown)
        wanted = self.select(stepped, grown, self.select(retry, again, h))
        return self.intrinsic("minnum", wanted, self.set["largest_step"])

    def _first_step(self) -> None:
        """Hairer, Norsett, Wanner (II.4), in its simplest form."""
        rtol, atol = self.set["rtol"], self.set["atol"]
        sizes, speeds = [], []
        for i in range(self.n):
            y = self.get("y0", i)
            scale = self.fma(rtol, self.absolute(y), atol)
            size, speed = y / scale, self.get("k1", i) / scale
            sizes.append(size * size)
            speeds.append(speed * speed)
        size, speed = self._sum(sizes), self._sum(speeds)
        ratio = self.intrinsic("sqrt", size / speed) * 0.01
        h = self.select(speed > 1e-20, self.intrinsic("maxnum", self.constant(1e-6), ratio), 1e-3)
        wish = self.intrinsic("maxnum", self._power(rtol + atol, 0.2) * 0.1, self.constant(1e-6))
        h = self.intrinsic("minnum", h, wish)
        h = self.select(self.set["step"] > 0.0, self.set["step"], h)
        h = self.intrinsic("minnum", h, self.set["end"] - self.set["start"])
        self.put("when", self.intrinsic("minnum", h, self.set["largest_step"]))

    def _look_for_growth(self, stepped: Value, far: Value) -> None:
        """Whether a fixed step is too long for its method, as ``Run::unstable`` has it."""
        change, size = self.get("change"), self.get("size")
        fast = stepped & (change > size * STABLE) & size.differs(0.0)
        outside = stepped & (far > 1e30)
        self.put_where(stepped & self.inverse(fast), "too_fast", 0.0)

        def look() -> None:
            count = self.get("too_fast") + 1.0
            least = self.select(count <= 1.0, size, self.intrinsic("minnum", self.get("least"), size))
            self.put_where(fast, "too_fast", count)
            self.put_where(fast, "least", least)
            grows = fast & (count > 20.0) & (size > least * 1e8)
            self._end(outside | grows, float(Outcome.UNSTABLE))

        self.rarely(self.some(fast | outside), look)

    # -- teeth

    def _teeth(self, accept: Value, stepped: Value) -> None:
        skips, first = self.program.size(SKIPS), self.kinks
        now = [self.get("events", first + k) for k in range(skips)]
        jumped = [stepped & (self.absolute(self.get("skip0", k) - x) > 0.5) for k, x in enumerate(now)]
        depths = [self.get("events", first + skips + k) <= 0.0 for k in range(self.program.size(DEPTHS))]

        def skip() -> None:
            for one in jumped:
                self.put_where(one, "skips", self.get("skips") + 1.0)
                self._end(one & (self.set["stop_at_skip"] > 0.0), float(Outcome.TEETH_SKIPPED))

        if jumped:
            self.rarely(self.some(self._any(jumped)), skip)
            self.put_all_where(accept, [("skip0", x, k) for k, x in enumerate(now)])
        if depths:
            deep = accept & self._any(depths)
            self.rarely(self.some(deep), lambda: self.put_where(deep, "deep", 1.0))

    # -- samples

    def _due(self, stepped: Value) -> Value:
        j = self.get("sample")
        when = self.fma(j, self.set["interval"], self.set["begin"])
        when = self.select(j >= self.set["intervals"], self.set["end"], when)
        self.put("when", when)
        return stepped & (when <= self.get("t1")) & (j <= self.set["intervals"])

    def _samples(self, stepped: Value) -> None:
        self.repeat(lambda: self.some(self._due(stepped)), lambda: self._sample(stepped))

    def _sample(self, stepped: Value) -> None:
        due, h = self._due(stepped), self.get("h")
        theta = (self.get("when") - self.get("t")) / h
        theta = self.intrinsic("maxnum", self.constant(0.0), theta)
        reached = (theta >= 1.0) | self.get("when").equals(self.get("t1"))
        a = 1.0 - theta
        for i in range(self.n):
            y0, y1, k1, last = (self.get(name, i) for name in ("y0", "y1", "k1", "last"))
            if self.adaptive:
                difference = y1 - y0
                bump = h * k1 - difference
                c4 = difference - h * last - bump
                c5 = k1 * DENSE[0]
                for c, k in zip(DENSE[2:6], ("k3", "k4", "k5", "k6"), strict=True):
                    c5 = self.fma(self.get(k, i), c, c5)
                c5 = self.fma(last, DENSE[6], c5) * h
                inside = self.fma(theta, difference + a * (bump + theta * (c4 + a * c5)), y0)
            else:
                h00, h10 = (1.0 + 2.0 * theta) * a * a, theta * a * a * h
                h01, h11 = theta * theta * (3.0 - 2.0 * theta), -(theta * theta * a * h)
                inside = h00 * y0 + h10 * k1 + h01 * y1 + h11 * last
            self.put("w", self.select(reached, y1, inside), i)
        self._normalise("w")
        if self.closes:
            self._close("when", "w", due)
        self._evaluate("signals_of", "when", "w", "signals")
        j = self.get("sample")
        ends = j.equals(0.0) | (j >= self.set["intervals"])
        weight = self.select(ends, 0.5, 1.0)
        for k, measure in enumerate(self.program.measures):
            x, old = self.get("signals", measure.signal), self.get("acc", k)
            if measure.kind == "least":
                new = self.intrinsic("minnum", old, x)
            elif measure.kind == "greatest":
                new = self.intrinsic("maxnum", old, x)
            elif measure.kind == "mean":
                new = self.fma(weight, x, old)
            elif measure.kind == "square":
                new = self.fma(weight * x, x, old)
            elif measure.kind in ("shifted", "spread"):
                first = self.select(j.equals(0.0), x, self.get("before", k))
                self.put_where(due, "before", first, k)
                new = self.fma(weight * (x - first), x - first if measure.kind == "spread" else 1.0, old)
            elif measure.kind == "above":
                new = self.select(x > measure.number, old + weight, old)
            elif measure.kind == "rises":
                rose = (self.get("before", k) <= measure.number) & (x > measure.number)
                new = self.select(rose, old + 1.0, old)
                self.put_where(due, "before", x, k)
            elif measure.kind in ("cosine", "sine"):
                angle = self.get("signals", measure.angle) * measure.number
                new = self.fma(
                    weight * x, self.call("cos" if measure.kind == "cosine" else "sin", angle), old
                )
            else:
                new = x
            self.put_where(due, "acc", new, k)
        self.put_where(due, "sample", j + 1.0)

    def _normalise(self, name: str) -> None:
        for first in self.program.balls:
            e = [self.get(name, first + c) for c in range(4)]
            length = self.intrinsic("sqrt", self._sum([c * c for c in e]))
            for c in range(4):
                self.put(name, e[c] / length, first + c)

    # -- variants

    def _turn_over(self, lane: str) -> None:
        """A lane that is done hands in its results and takes the next variant; one at a corner begins behind it."""
        done = self.line(f"fcmp ogt double {self.get_one('done', 0, lane)}, 0.0", self.one).text
        self.when(done, lambda: self._exchange(lane))
        corner = self.line(f"fcmp ogt double {self.get_one('corner', 0, lane)}, 0.0", self.one).text
        self.when(corner, lambda: self._pass_corner(lane))

    def _column(self, array: str, row: int, index: str) -> str:
        offset = self.line(f"mul i64 %count, {row}", self.one).text
        at = self.line(f"add i64 {offset}, {index}", self.one).text
        return self.line(f"getelementptr double, ptr %{array}, i64 {at}", self.one).text

    def _exchange(self, lane: str) -> None:
        slot = self.line(f"getelementptr i64, ptr %index, i64 {lane}", self.one).text
        index = self.line(f"load i64, ptr {slot}", self.one).text
        had = self.line(f"icmp sge i64 {index}, 0", self.one).text

        def hand_in() -> None:
            rooms = [("outcome", 0), ("t", 0), ("steps", 0), ("rejected", 0), ("skips", 0)]
            rooms += [("y0", i) for i in range(self.n)]
            rooms += [("acc", k) for k in range(len(self.program.measures))]
            for row, (name, k) in enumerate(rooms):
                value = self.get_one(name, k, lane)
                self.lines.append(f"store double {value}, ptr {self._column('out', row, index)}, align 8")

        self.when(had, hand_in)
        following = self.line("load i64, ptr %next", self.one).text
        more = self.line(f"icmp slt i64 {following}, %until", self.one).text
        self.put_one("active", 0, lane, 0.0)
        self.put_one("corner", 0, lane, 0.0)

        def take() -> None:
            self.lines.append(f"store i64 {following}, ptr {slot}")
            after = self.line(f"add i64 {following}, %stride", self.one).text
            self.lines.append(f"store i64 {after}, ptr %next")
            for array, name in (("numbers", "p"), ("starts", "y1")):
                for k in range(self.program.numbers if name == "p" else self.n):
                    place = self._column(array, k, following)
                    value = self.line(f"load double, ptr {place}, align 8", self.one).text
                    self.put_one(name, k, lane, value)
            zero = "lo hi tries hop done steps rejected sample skips deep outcome too_fast least reached"
            for name in zero.split():
                self.put_one(name, 0, lane, 0.0)
            for name, value in (("active", 1.0), ("fresh", 1.0), ("last_error", 1e-4)):
                self.put_one(name, 0, lane, value)
            for name, key in (
                ("t", "start"),
                ("t1", "start"),
                ("h", "step"),
                ("wish", "step"),
                ("full", "step"),
            ):
                self.put_one(name, 0, lane, self.scalar[key])
            for k in range(self.kinks):
                self.put_one("low", k, lane, 0.0)
            for k, measure in enumerate(self.program.measures):
                self.put_one("acc", k, lane, STARTS.get(measure.kind, 0.0))
                self.put_one("before", k, lane, float("nan"))
            turn = self.line(f"getelementptr i64, ptr %turn, i64 {lane}", self.one).text
            self.lines.append(f"store i64 0, ptr {turn}")
            self._next_stop(lane, following, self.scalar["start"])

        self.when(more, take)

    def _corner(self, index: str, k: str) -> str:
        """A time at which functions jump or bend."""
        row = self.line(f"mul i64 %count, {k}", self.one).text
        at = self.line(f"add i64 {row}, {index}", self.one).text
        place = self.line(f"getelementptr double, ptr %corners, i64 {at}", self.one).text
        return self.line(f"load double, ptr {place}, align 8", self.one).text

    def _next_stop(self, lane: str, index: str, now: str) -> None:
        """Where the next step has to end: right before the next corner, or at the end. The list ends with infinity."""
        turn = self.line(f"getelementptr i64, ptr %turn, i64 {lane}", self.one).text
        k = self.line(f"load i64, ptr {turn}", self.one).text
        corner = self._corner(index, k)
        before = self.line(f"fsub double {corner}, {self.scalar['hair']}", self.one).text
        self.declared.add("declare double @llvm.minnum.f64(double, double)")
        stop = self.line(
            f"call double @llvm.minnum.f64(double {before}, double {self.scalar['end']})", self.one
        ).text
        self.put_one("stop", 0, lane, stop)

    def _pass_corner(self, lane: str) -> None:
        slot = self.line(f"getelementptr i64, ptr %index, i64 {lane}", self.one).text
        index = self.line(f"load i64, ptr {slot}", self.one).text
        turn = self.line(f"getelementptr i64, ptr %turn, i64 {lane}", self.one).text
        k = self.line(f"load i64, ptr {turn}", self.one).text
        corner = self._corner(index, k)
        behind = self.line(f"fadd double {corner}, {self.scalar['hair']}", self.one).text
        self.declared.add("declare double @llvm.minnum.f64(double, double)")
        behind = self.line(
            f"call double @llvm.minnum.f64(double {behind}, double {self.scalar['end']})", self.one
        ).text
        self.put_one("t1", 0, lane, behind)
        self.put_one("fresh", 0, lane, 1.0)
        self.put_one("corner", 0, lane, 0.0)
        self.put_one("reached", 0, lane, 0.0)
        self.lines.append(f"store i64 {self.line(f'add i64 {k}, 1', self.one).text}, ptr {turn}")
        self._next_stop(lane, index, behind)

    # -- stages

    def _stages(self) -> None:
        """New candidates of all lanes but those that are fresh: these stay."""
        n = self.n
        keep = (self.true("fresh")) | self.inverse(self.true("active"))
        t, h, left = self.get("t"), self.get("h"), self.get("stop") - self.get("t")
        self.put_where(self.inverse(keep), "wish", h)
        reached = h > left * (1.0 - 1e-10)
        if self.adaptive:
            half = left * 0.5
            h = self.select((h < left) & (h > half) & self.inverse(reached), half, h)
        h = self.select(reached, left, h)
        h = self.select(keep, self.get("h"), h)
        self.put("h", h)
        self.put("reached", self.select(reached, 1.0, 0.0))
        end = self.select(reached, self.get("stop"), t + h)
        y = [self.get("y0", i) for i in range(n)]

        def stage(c: float, weights: Sequence[tuple[str, float]], into: str) -> None:
            self.put("when", self.fma(h, c, t) if c != 1.0 else end)
            parts = [(name, h * weight) for name, weight in weights]
            for i in range(n):
                value = y[i]
                for name, part in parts:
                    value = self.fma(part, self.get(name, i), value)
                self.put("w", value, i)
            self._evaluate("derivative_of", "when", "w", into)

        if self.adaptive:
            names = ("k1", "k2", "k3", "k4", "k5", "k6")
            for c, weights, into in (
                (1 / 5, A2, "k2"), (3 / 10, A3, "k3"), (4 / 5, A4, "k4"), (8 / 9, A5, "k5"), (1.0, A6, "k6"),
            ):  # fmt: skip
                stage(c, list(zip(names, weights, strict=False)), into)
            final = []
            for i in range(n):
                rate = self.get("k1", i) * B5[0]
                for name, b in zip(names[2:], B5[2:], strict=True):
                    rate = self.fma(self.get(name, i), b, rate)
                final.append(self.fma(h, rate, y[i]))
        else:
            self._classical(t, h, end, y)
            final = [self.get("sum", i) for i in range(n)]
        made = [("y1", value, i) for i, value in enumerate(final)]
        self.put_all_where(self.inverse(keep), [*made, ("t1", end, 0)])
        self._normalise("y1")

    def _classical(self, t: Value, h: Value, end: Value, y: Sequence[Value]) -> None:
        """The further stages of rk4 in a loop, whose code fits caches; the result is gathered on the way."""
        first, count = self.program.velocities
        half, third, sixth = h * 0.5, h * (1.0 / 3.0), h * (1.0 / 6.0)
        for i in range(self.n):
            self.put("k", self.get("k1", i), i)
            self.put("sum", self.fma(sixth, self.get("k1", i), y[i]), i)
        self.put("stage", 1.0)
        self.put("change", 0.0)

        def changed() -> None:
            change = [self.get("k2", i) - self.get("k", i) for i in range(first, first + count)]
            self.put("change", self._squares(change))

        def one() -> None:
            stage = self.get("stage")
            last = stage > 2.5
            ahead, part = self.select(last, h, half), self.select(last, sixth, third)
            self.put("when", self.select(last, end, t + half))
            for i in range(self.n):
                self.put("w", self.fma(ahead, self.get("k", i), y[i]), i)
            self._evaluate("derivative_of", "when", "w", "k2")
            self.when(self.some(stage.equals(2.0)), changed)  # a branch that all lanes take together
            for i in range(self.n):
                k = self.get("k2", i)
                self.put("sum", self.fma(part, k, self.get("sum", i)), i)
                self.put("k", k, i)
            self.put("stage", stage + 1.0)

        self.repeat(lambda: self.some(self.get("stage") < 3.5), one)

    def _squares(self, values: Sequence[Value]) -> Value:
        total = values[0] * values[0]
        for value in values[1:]:
            total = self.fma(value, value, total)
        return total


HEAD = "ptr %numbers, ptr %starts, ptr %corners, ptr %out, {settings}, i64 %count"


def lane_text(program: LaneProgram, method: str, lanes: int, device: bool = False) -> str:
    """A module with the routine `run`.

    ``run(numbers, starts, corners, out, settings, count, first, last, stride)``: arrays have a row for each number (of
    `LaneProgram.numbers`, `states`, settings["corners"], `rows`) and a column for each of `count` variants; those from
    `first` on until before `last` are run. On a graphics processor each thread begins at its own number, `stride` is
    that of all threads, and settings are arguments of their own.
    """
    outer = [DERIVATIVE]
    events = [which for which in (KINKS, SKIPS, DEPTHS) if program.size(which)]
    parts = [pruned(program.tape, "derivative_of", outer)]
    parts.append(joined(pruned(program.tape, "arrive", [DERIVATIVE, *events])))
    if program.size(CLOSING):
        parts.append(pruned(program.tape, "closing_of", [CLOSING]))
    if program.measures:
        parts.append(pruned(program.tape, "signals_of", [SIGNALS]))
    functions: list[Text] = [text for tape in parts for text in function_texts(tape, lanes, quick=True)]
    inline = "alwaysinline" if device else "noinline"
    functions = [
        (
            text.replace(
                "(ptr %in, ptr %out) {", f"(ptr noalias %in, ptr noalias %out) {inline} {{", 1
            ).replace("define void", "define internal void", 1),
            called,
            declared,
        )
        for text, called, declared in functions
    ]
    kernel = _Kernel(program, method, lanes, device)
    kernel.write()
    body = [*kernel.rooms, *kernel.lines, "ret void", "}"]
    if device:
        by_value = ", ".join(f"double %set.{name}" for name in SETTINGS)  # such arguments take no registers
        special = ["tid.x", "ntid.x", "ctaid.x", "nctaid.x"]
        kernel.declared |= {f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in special}
        reads = [
            f"%{name.replace('.', '_')} = call i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in special
        ]
        head = [
            f"define ptx_kernel void @run({HEAD.format(settings=by_value)}) #0 {{",
            *reads,
            "%block = mul i32 %ntid_x, %ctaid_x",
            "%thread = add i32 %block, %tid_x",
            "%threads = mul i32 %ntid_x, %nctaid_x",
            "%from = zext i32 %thread to i64",
            "%stride = zext i32 %threads to i64",
            "%until = add i64 %count, 0",
        ]
    else:
        own = HEAD.format(settings="ptr %settings")
        head = [f"define void @run({own}, i64 %from, i64 %until, i64 %stride) {{"]
    whole = "\n".join([*head, *body])
    text = module_text([*functions, (whole, kernel.called, kernel.declared)], lanes)
    return text + RARE + ('attributes #0 = { "nvvm.maxntid"="128" }\n' if device else "")
