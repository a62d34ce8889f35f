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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import casadi as ca

from .ir import LaneType, Value, Writer
from .outcome import Outcome
from .tape import Tape, Text, function_texts, module_text

TIME, STATE, NUMBERS = 0, 1, 3
"""Arguments of the equations' tape; the one between is for functions of time from tables, which lanes do not have."""
DERIVATIVE, KINKS, SKIPS, DEPTHS, SIGNALS = range(5)
"""Results of the equations' tape."""

SETTINGS = (
    "start", "end", "step", "rtol", "atol", "largest_step", "max_steps", "stop_at_skip", "hair", "begin", "interval",
    "intervals", "corners",
)  # fmt: skip
"""Numbers that a call takes besides those of the variants.

begin, interval, intervals: samples are at begin, begin + interval, ..., and the last at the end
corners: unused here; hair: what a step stays away from times at which functions of time jump or bend
"""
ROWS = ("outcome", "time", "steps", "rejected", "skips")
"""Of the results, one column for each variant; then come its last state and its accumulators."""

SMALLEST_STEP, EVENT_TOLERANCE = 1e-13, 1e-10
AT_KINK = 1e-13
TIGHT = {"rk4": 1e-9, "dopri5": 1e-6}
"""Width of the bracket around a kink, as a part of the step."""
MOST_TRIES = 60
STABLE = 1.35**4
"""Of |k3 - k2|^2 / |k1|^2 of a fixed step: beyond, a spring or damper is too stiff for it (``core/methods.hpp``)."""

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


@dataclass(frozen=True)
class Accumulator:
    """What is gathered of a signal x over the samples, each with weight w (a half at both ends).

    least, greatest   of x
    mean, square      sum of w x, of w x^2
    shifted, spread   sum of w (x - x0), of w (x - x0)^2, with x0 the first sample
    above             sum of w where x is above `number`
    rises             how often x comes above `number`
    cosine, sine      sum of w x cos(`number` phi), with phi the signal `angle`
    last              x
    """

    kind: str
    signal: int
    number: float = 0.0
    angle: int = -1


STARTS = {"least": float("inf"), "greatest": -float("inf"), "last": float("nan")}


@dataclass(frozen=True)
class LaneProgram:
    """Equations and measures of a model, for code that runs variants of it.

    tape: (t, y, -, numbers) -> derivative, kinks, skips, depths, signals
    numbers: how many numbers vary
    turning: entries of the state that are angles, whose size counts up to 1 in the tolerance
    balls: entries where Euler parameters begin
    velocities: first and count
    """

    tape: Tape
    states: int
    numbers: int
    turning: tuple[int, ...]
    balls: tuple[int, ...]
    velocities: tuple[int, int]
    measures: tuple[Accumulator, ...] = field(default=())

    def size(self, result: int) -> int:
        return len(self.tape.offsets[result])

    @property
    def rows(self) -> int:
        """Of the results."""
        return len(ROWS) + self.states + len(self.measures)


def pruned(tape: Tape, name: str, results: Sequence[int]) -> Tape:
    """A program that finds some of the results of another."""
    needed = [op == ca.OP_OUTPUT and tape.places[k][0] in results for k, op in enumerate(tape.operations)]
    for k in range(len(needed) - 1, -1, -1):
        if needed[k]:
            for s in tape.terms[k]:
                needed[s] = True
    kept = [k for k, wanted in enumerate(needed) if wanted]
    at = {k: place for place, k in enumerate(kept)}
    places = {}
    for k in kept:
        if k in tape.places:
            which, entry = tape.places[k]
            places[at[k]] = (
                (list(results).index(which), entry) if tape.operations[k] == ca.OP_OUTPUT else (which, entry)
            )
    return Tape(
        name,
        [tape.operations[k] for k in kept],
        [tuple(at[s] for s in tape.terms[k]) for k in kept],
        places,
        {at[k]: tape.constants[k] for k in kept if k in tape.constants},
        [tape.offsets[which] for which in results],
    )


class Routine(Writer):
    """A function with memory of its own and branches; everything in it has lanes where nothing else is said."""

    def __init__(self, lanes: int):
        super().__init__(lanes)
        self.rooms: list[str] = []
        self._labels = 0
        self.one = LaneType("i64", 1)

    # -- memory

    def room(self, name: str, count: int = 1) -> None:
        """Numbers under a name."""
        self.rooms.append(f"%{name} = alloca [{max(1, count)} x {self.double.text}], align 64")

    def place(self, name: str, k: int = 0) -> str:
        return self.line(f"getelementptr {self.double.text}, ptr %{name}, i64 {k}", self.double).text

    def get(self, name: str, k: int = 0) -> Value:
        return self.line(f"load {self.double.text}, ptr {self.place(name, k)}, align 8", self.double)

    def put(self, name: str, value: Value | float, k: int = 0) -> None:
        value = value if isinstance(value, Value) else self.constant(value)
        self.lines.append(f"store {self.double.text} {value.text}, ptr {self.place(name, k)}, align 8")

    def put_where(self, condition: Value, name: str, value: Value | float, k: int = 0) -> None:
        self.put(name, self.select(condition, value, self.get(name, k)), k)

    def spread(self, text: str) -> Value:
        """One number in all lanes."""
        if self.lanes == 1:
            return Value(text, self.double, self)
        T = self.double.text
        first = self.line(f"insertelement {T} poison, double {text}, i32 0", self.double)
        return self.line(
            f"shufflevector {T} {first.text}, {T} poison, <{self.lanes} x i32> zeroinitializer", self.double
        )

    # -- one number of one lane

    def element(self, name: str, k: int, lane: str) -> str:
        """Pointer."""
        at = self.line(f"add i64 {lane}, {k * self.lanes}", self.one) if self.lanes > 1 else None
        index = str(k) if at is None else at.text
        return self.line(f"getelementptr double, ptr %{name}, i64 {index}", self.one).text

    def get_one(self, name: str, k: int, lane: str) -> str:
        return self.line(f"load double, ptr {self.element(name, k, lane)}, align 8", self.one).text

    def put_one(self, name: str, k: int, lane: str, text: str | float) -> None:
        if isinstance(text, float):
            text = Writer(1).constant(text).text
        self.lines.append(f"store double {text}, ptr {self.element(name, k, lane)}, align 8")

    # -- branches

    def label(self, what: str) -> str:
        self._labels += 1
        return f"{what}.{self._labels}"

    def some(self, condition: Value) -> str:
        """Whether a condition holds in any lane."""
        if self.lanes == 1:
            return condition.text
        name = f"llvm.vector.reduce.or.v{self.lanes}i1"
        self.declared.add(f"declare i1 @{name}({condition.kind.text})")
        return self.line(f"call i1 @{name}({condition.kind.text} {condition.text})", self.one).text

    def when(self, condition: str, body: Callable[[], None], likely: bool = False) -> None:
        inside, after = self.label("then"), self.label("after")
        self.lines += [f"br i1 {condition}, label %{inside}, label %{after}", f"{inside}:"]
        body()
        self.lines += [f"br label %{after}", f"{after}:"]

    def repeat(self, condition: Callable[[], str], body: Callable[[], None]) -> None:
        """While a condition holds."""
        head, inside, after = self.label("while"), self.label("do"), self.label("done")
        self.lines += [f"br label %{head}", f"{head}:"]
        holds = condition()
        self.lines += [f"br i1 {holds}, label %{inside}, label %{after}", f"{inside}:"]
        body()
        self.lines += [f"br label %{head}", f"{after}:"]

    def each_lane(self, body: Callable[[str], None]) -> None:
        if self.lanes == 1:
            body("0")
            return
        counter = f"%{self.label('lane').replace('.', '')}"
        self.rooms.append(f"{counter} = alloca i64")
        self.lines.append(f"store i64 0, ptr {counter}")

        def more() -> str:
            lane = self.line(f"load i64, ptr {counter}", self.one)
            return self.line(f"icmp slt i64 {lane.text}, {self.lanes}", self.one).text

        def one() -> None:
            lane = self.line(f"load i64, ptr {counter}", self.one).text
            body(lane)
            self.lines.append(f"store i64 {self.line(f'add i64 {lane}, 1', self.one).text}, ptr {counter}")

        self.repeat(more, one)


class _Kernel(Routine):
    """Writes the routine of a program."""

    def __init__(self, program: LaneProgram, method: str, lanes: int):
        super().__init__(lanes)
        self.program, self.method, self.n = program, method, program.states
        self.adaptive = method == "dopri5"
        self.kinks = program.size(KINKS)
        n, stages = self.n, 6 if self.adaptive else 4
        self.sizes = {"p": program.numbers, "y0": n, "k1": n, "y1": n, "last": n, "w": n}
        self.sizes |= {f"k{k}": n for k in range(2, stages + 1)}
        self.sizes |= {"events": max(1, self.kinks + program.size(SKIPS) + program.size(DEPTHS))}
        self.sizes |= {
            "low": max(1, self.kinks),
            "high": max(1, self.kinks),
            "skip0": max(1, program.size(SKIPS)),
        }
        self.sizes |= {"signals": max(1, program.size(SIGNALS)), "acc": max(1, len(program.measures))}
        self.sizes |= {"before": max(1, len(program.measures))}
        for name in [
            "t",
            "t1",
            "h",
            "wish",
            "full",
            "lo",
            "hi",
            "tries",
            "fresh",
            "active",
            "done",
            "corner",
            "reached",
            "stop",
            "steps",
            "rejected",
            "sample",
            "skips",
            "deep",
            "outcome",
            "too_fast",
            "hop",
            "least",
            "change",
            "size",
            "last_error",
            "when",
        ]:
            self.sizes[name] = 1
        for name, count in self.sizes.items():
            self.room(name, count)
        self.rooms += [
            "%next = alloca i64",
            f"%index = alloca [{lanes} x i64]",
            f"%turn = alloca [{lanes} x i64]",
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
                self.lines.append(f"store ptr %{name.partition('+')[0]}, ptr {slot}")
            pointers.append(array)
        self.lines.append(f"call void @{function}(ptr {pointers[0]}, ptr {pointers[1]})")

    def write(self) -> list[str]:
        settings = {}
        for k, name in enumerate(SETTINGS):
            place = self.line(f"getelementptr double, ptr %settings, i64 {k}", self.one).text
            settings[name] = self.line(f"load double, ptr {place}, align 8", self.one).text
        self.scalar = settings
        self.set = {name: self.spread(text) for name, text in settings.items()}
        if self.lanes > 1:
            for name in ("p", "y0", "y1", "k1", "low", "high", "skip0", "t", "t1", "h", "stop"):
                for k in range(self.sizes[name]):
                    self.put(name, 0.0, k)
        self.lines.append("store i64 %from, ptr %next")
        for name, value in (("fresh", 0.0), ("active", 0.0), ("done", 1.0), ("corner", 0.0), ("hi", 0.0)):
            self.put(name, value)
        self.each_lane(self._empty)
        self.each_lane(self._turn_over)
        self.repeat(lambda: self.some(self.get("active") > 0.0), self._pass)
        return self.lines

    def _empty(self, lane: str) -> None:
        slot = self.line(f"getelementptr i64, ptr %index, i64 {lane}", self.one).text
        self.lines.append(f"store i64 -1, ptr {slot}")

    # -- one pass

    def _pass(self) -> None:
        results = ["last", "events"] if self._events else ["last"]
        self._evaluate("arrive", "t1", "y1", *results)
        self._decide()
        self._stages()

    @property
    def _events(self) -> int:
        return self.kinks + self.program.size(SKIPS) + self.program.size(DEPTHS)

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
        fresh, active, h = self.get("fresh") > 0.0, self.get("active") > 0.0, self.get("h")
        going = active & self.inverse(fresh)
        finite = self._sum([(self.get("y1", i) + self.get("last", i)) * 0.0 for i in range(n)]).equals(0.0)
        crossing = self._crossing()
        lo, hi, tries = self.get("lo"), self.get("hi"), self.get("tries")
        locating = hi > 0.0
        error = right_before = hop = h
        if self.adaptive:
            error = self._error()
            small = error <= 1.0
            if crossing is not None:
                small = small | (crossing & (h <= EVENT_TOLERANCE))
            accept = finite & small
        elif crossing is None:
            accept = finite
        else:
            # right before a kink, with all stages on this side of it; then over it in one tiny step
            tight = (self.select(crossing, h, hi) - self.select(crossing, lo, h)) <= self._width()
            beyond = crossing & tight & lo.equals(0.0)
            right_before = locating & self.inverse(crossing) & tight
            hop = self.get("hop") > 0.0
            smooth = self.inverse(crossing | locating)
            accept = finite & (smooth | beyond | right_before | hop | (tries > float(MOST_TRIES)))
        accept = (accept & going) | (fresh & active)
        stepped = accept & going
        retry = going & self.inverse(accept)
        wanted = h
        if crossing is not None:
            wanted = self._narrowed(crossing & finite & retry, locating & finite & retry)
            self.put_where(accept, "hi", 0.0)
            self.put_where(accept, "lo", 0.0)
            self.put_where(accept, "tries", 0.0)
        if self.adaptive:
            wanted = self._controlled(finite, error, stepped, retry, crossing, locating, wanted)
        else:
            if crossing is not None:
                hops = accept & going & right_before & self.inverse(hop)
                over = 2.0 * (hi - h)
                wanted = self.select(accept, self.select(hops, over, set_["step"]), wanted)
                self.put_where(accept, "hop", self.select(hops, 1.0, 0.0))
            else:
                wanted = self.select(accept, set_["step"], wanted)
            self._look_for_growth(stepped)
        self.put_where(retry, "rejected", self.get("rejected") + 1.0)
        self.put_where(stepped, "steps", self.get("steps") + 1.0)
        if self.program.measures:
            self._samples(stepped)
        self._teeth(accept, stepped)
        # commit
        for i in range(n):
            self.put_where(accept, "y0", self.get("y1", i), i)
            self.put_where(accept, "k1", self.get("last", i), i)
        self.put_where(accept, "t", self.get("t1"))
        for k in range(self.kinks):
            self.put_where(accept, "low", self._sided(k), k)
        if self.adaptive:
            self.when(self.some(fresh & (self.get("steps").equals(0.0))), self._first_step)
            first = fresh & self.get("steps").equals(0.0)
            wanted = self.select(first, self.get("when"), wanted)
        self.put("h", wanted)
        # ends
        over = accept & (self.get("t") >= set_["end"])
        self._end(
            over,
            self.select(
                (self.get("deep") > 0.0) & (set_["stop_at_skip"] > 0.0), float(Outcome.TEETH_TOO_DEEP), 0.0
            ),
        )
        self._end(stepped & (self.get("steps") >= set_["max_steps"]), float(Outcome.TOO_MANY_STEPS))
        bad = self.inverse(finite)
        self._end(fresh & active & bad, float(Outcome.NOT_FINITE))
        if self.adaptive:
            least = self.fma(self.absolute(self.get("t")), 1e-15, self.constant(SMALLEST_STEP))
            why = self.select(finite, float(Outcome.STEP_TOO_SMALL), float(Outcome.NOT_FINITE))
            self._end(retry & (wanted < least), why)
        else:
            self._end(going & bad, float(Outcome.NOT_FINITE))
        self.put_where(accept, "fresh", 0.0)
        at_corner = stepped & (self.get("reached") > 0.0) & (self.get("t") < set_["end"])
        self.put("corner", self.select(at_corner, 1.0, 0.0))
        turning = (self.get("done") > 0.0) | at_corner
        self.when(self.some(turning & active), lambda: self.each_lane(self._turn_over))

    def _end(self, condition: Value, outcome: Value | float) -> None:
        """What ended first counts."""
        new = condition & self.get("done").equals(0.0)
        self.put_where(new, "outcome", outcome)
        self.put_where(new, "done", 1.0)

    # -- kinks

    def _sided(self, k: int) -> Value:
        """The value of a kink at the candidate; where round-off alone is left of it, on the side that it had."""
        now, before = self.get("events", k), self.get("low", k)
        kept = self.select(
            before.equals(0.0), 0.0, self.intrinsic("copysign", self.constant(AT_KINK), before)
        )
        return self.select(self.absolute(now) <= AT_KINK, kept, now)

    def _crosses(self, a: Value, b: Value) -> Value:
        return ((a > 0.0) & (b <= 0.0)) | ((a < 0.0) & (b >= 0.0))

    def _crossing(self) -> Value | None:
        found = None
        for k in range(self.kinks):
            one = self._crosses(self.get("low", k), self._sided(k))
            found = one if found is None else found | one
        return found

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
            fraction = self.constant(1.0)
            for k in range(self.kinks):
                now = self._sided(k)
                self.put_where(crossing, "high", now, k)
                self.put_where(short, "low", now, k)
                a, b = self.get("low", k), self.get("high", k)
                self_fraction = self.select(self._crosses(a, b), a / (a - b), 1.0)
                fraction = self.intrinsic("minnum", fraction, self_fraction)
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

        self.when(self.some(crossing | locating), narrow)
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
            kink = (crossing | locating) & finite & (self.get("hi") > 0.0) & (narrowed < h)
            for name in ("hi", "lo"):
                self.put_where(retry & self.inverse(kink), name, 0.0)
            again = self.select(kink, narrowed, again)
        back = stepped & (self.get("reached") > 0.0)
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

    def _look_for_growth(self, stepped: Value) -> None:
        """Whether a fixed step is too long for its method, as ``Run::unstable`` has it."""
        change, size = self.get("change"), self.get("size")
        slow = (change <= size * STABLE) | size.equals(0.0)
        count = self.select(slow, 0.0, self.get("too_fast") + 1.0)
        least = self.select(count <= 1.0, size, self.intrinsic("minnum", self.get("least"), size))
        self.put_where(stepped, "too_fast", count)
        self.put_where(stepped, "least", least)
        far = self._sum([self.get("y1", i) * self.get("y1", i) for i in range(self.n)]) > 1e30
        grows = (count > 20.0) & (size > least * 1e8)
        self._end(stepped & (far | grows), float(Outcome.UNSTABLE))

    # -- teeth

    def _teeth(self, accept: Value, stepped: Value) -> None:
        skips, first = self.program.size(SKIPS), self.kinks
        for k in range(skips):
            now, before = self.get("events", first + k), self.get("skip0", k)
            jumped = stepped & (self.absolute(before - now) > 0.5)
            self.put_where(jumped, "skips", self.get("skips") + 1.0)
            self.put_where(accept, "skip0", now, k)
            self._end(jumped & (self.set["stop_at_skip"] > 0.0), float(Outcome.TEETH_SKIPPED))
        for k in range(self.program.size(DEPTHS)):
            deep = accept & (self.get("events", first + skips + k) <= 0.0)
            self.put_where(deep, "deep", 1.0)

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
        keep = (self.get("fresh") > 0.0) | self.get("active").equals(0.0)
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
            stage(0.5, [("k1", 0.5)], "k2")
            stage(0.5, [("k2", 0.5)], "k3")
            stage(1.0, [("k3", 1.0)], "k4")
            first, count = self.program.velocities
            inside = range(first, first + count)
            change = [self.get("k3", i) - self.get("k2", i) for i in inside]
            self.put("change", self._squares(change))
            self.put("size", self._squares([self.get("k1", i) for i in inside]))
            sixth = h * (1.0 / 6.0)
            final = []
            for i in range(n):
                middle = self.get("k2", i) + self.get("k3", i)
                total = self.fma(middle, 2.0, self.get("k1", i) + self.get("k4", i))
                final.append(self.fma(sixth, total, y[i]))
        for i in range(n):
            self.put("y1", self.select(keep, self.get("y1", i), final[i]), i)
        self._normalise("y1")
        self.put_where(self.inverse(keep), "t1", end)

    def _squares(self, values: Sequence[Value]) -> Value:
        total = values[0] * values[0]
        for value in values[1:]:
            total = self.fma(value, value, total)
        return total


HEAD = "ptr %numbers, ptr %starts, ptr %corners, ptr %out, ptr %settings, i64 %count"


def lane_text(program: LaneProgram, method: str, lanes: int, device: bool = False) -> str:
    """A module with the routine `run`.

    ``run(numbers, starts, corners, out, settings, count, first, last, stride)``: arrays have a row for each number (of
    `LaneProgram.numbers`, `states`, settings["corners"], `rows`) and a column for each of `count` variants; those from
    `first` on until before `last` are run. On a graphics processor each thread begins at its own number, and `stride`
    is that of all threads.
    """
    outer = [DERIVATIVE]
    events = [which for which in (KINKS, SKIPS, DEPTHS) if program.size(which)]
    parts = [pruned(program.tape, "derivative_of", outer)]
    parts.append(_joined(pruned(program.tape, "arrive", [DERIVATIVE, *events])))
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
    kernel = _Kernel(program, method, lanes)
    kernel.write()
    body = [*kernel.rooms, *kernel.lines, "ret void", "}"]
    if device:
        special = ["tid.x", "ntid.x", "ctaid.x", "nctaid.x"]
        kernel.declared |= {f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in special}
        reads = [
            f"%{name.replace('.', '_')} = call i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in special
        ]
        head = [
            f"define ptx_kernel void @run({HEAD}) #0 {{",
            *reads,
            "%block = mul i32 %ntid_x, %ctaid_x",
            "%thread = add i32 %block, %tid_x",
            "%threads = mul i32 %ntid_x, %nctaid_x",
            "%from = zext i32 %thread to i64",
            "%stride = zext i32 %threads to i64",
            "%until = add i64 %count, 0",
        ]
    else:
        head = [f"define void @run({HEAD}, i64 %from, i64 %until, i64 %stride) {{"]
    whole = "\n".join([*head, *body])
    text = module_text([*functions, (whole, kernel.called, kernel.declared)], lanes)
    return text + ('\nattributes #0 = { "nvvm.maxntid"="128" }\n' if device else "")


def _joined(tape: Tape) -> Tape:
    """The same with all results but the first in one column, one after the other."""
    sizes = [len(entries) for entries in tape.offsets]
    first = [0, 0]
    for size in sizes[1:]:
        first.append(first[-1] + size)
    places = {
        k: (min(which, 1), entry + (first[which] if which else 0))
        if tape.operations[k] == ca.OP_OUTPUT
        else (which, entry)
        for k, (which, entry) in tape.places.items()
    }
    offsets = [tape.offsets[0]] + ([list(range(sum(sizes[1:])))] if len(sizes) > 1 else [])
    return Tape(tape.name, tape.operations, tape.terms, places, tape.constants, offsets)
