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

from .ir import Value
from .lane_kinks import EVENT_TOLERANCE, Kinks
from .lane_program import (
    CLOSING,
    DEPTHS,
    DERIVATIVE,
    KINKS,
    SETTINGS,
    SIGNALS,
    SKIPS,
    DeviceShape,
    LaneProgram,
    joined,
    pruned,
)
from .lane_routine import LaneRoutine
from .lane_samples import Samples
from .lane_steps import Steps
from .lane_variants import VariantQueue
from .outcome import Outcome
from .routine import RARE
from .tape import Text, function_texts, module_text

SMALLEST_STEP = 1e-13
INFINITE = float("inf")
MOST_ROUNDS, MET = 25, 1e-15
"""To close loops; how far open is closed for certain (``core/cut_rows.hpp``)."""
APART = 1e-8
"""What a row of a loop has for itself (squared), below which rows that were chosen at the start no longer do."""


class Kernel:
    """Writes the routine of a program: its passes, and what is decided in each."""

    def __init__(self, routine: LaneRoutine):
        self.r = routine
        self.locating, self.variants = Kinks(routine), VariantQueue(routine)
        self.steps = Steps(routine, self.locating)
        self.samples = Samples(routine, self._close)

    def write(self) -> list[str]:
        if self.r.lanes > 1:
            for name in ("p", "y0", "y1", "k1", "low", "high", "skip0", "t", "t1", "h", "stop", "lost"):
                for k in range(self.r.sizes[name]):
                    self.r.put(name, 0.0, k)
        self.r.lines.append("store i64 %from, ptr %next")
        for name, value in (("fresh", 0.0), ("active", 0.0), ("done", 1.0), ("corner", 0.0), ("hi", 0.0)):
            self.r.put(name, value)
        self.r.each_lane(self._empty)
        self.r.each_lane(self.variants.turn_over)
        self.r.repeat(lambda: self.r.some(self.r.true("active")), self._pass)
        return self.r.lines

    def _empty(self, lane: str) -> None:
        slot = self.r.line(f"getelementptr i64, ptr %index, i64 {lane}", self.r.one).text
        self.r.lines.append(f"store i64 -1, ptr {slot}")

    def _pass(self) -> None:
        if self.r.closes:
            self._close("t1", "y1", self.r.true("active"))
        results = ["last", "events"] if self.r.events else ["last"]
        self.r.evaluate("arrive", "t1", "y1", *results)
        self._decide()
        self.steps.stages()

    def _decide(self) -> None:
        n, set_ = self.r.n, self.r.set
        fresh, active, h = self.r.true("fresh"), self.r.true("active"), self.r.get("h")
        going = active & self.r.inverse(fresh)
        far = self.r.squares([self.r.get("y1", i) for i in range(n)])
        first, count = self.r.program.velocities
        speed = self.r.squares([self.r.get("last", i) for i in range(first, first + count)])
        finite = (far < INFINITE) & (speed < INFINITE)
        lost = self.r.true("lost")
        if self.r.closes:
            finite = finite & self.r.inverse(lost)
        crossing = self.locating.crossing()
        locating = self.r.true("hi")
        error = h
        if self.r.adaptive:
            error = self.steps.error()
            small = error <= 1.0
            if crossing is not None:
                small = small | (crossing & (h <= EVENT_TOLERANCE))
            accept = finite & small
        elif crossing is None:
            accept = finite
        else:
            accept = finite & self.locating.at_kinks(going & finite, crossing, locating)
        accept = (accept & going) | (fresh & active)
        stepped = accept & going
        retry = going & self.r.inverse(accept)
        if self.r.adaptive:
            wanted = h
            if crossing is not None:
                wanted = self.locating.narrowed(crossing & finite & retry, locating & finite & retry)
                for name in ("hi", "lo", "tries"):
                    self.r.put_where(accept, name, 0.0)
            wanted = self.steps.controlled(finite, error, stepped, retry, crossing, locating, wanted)
        else:
            wanted = set_["step"] if crossing is None else self.r.get("wanted")
            self.steps.look_for_growth(stepped, far)
        self.r.put_where(retry, "rejected", self.r.get("rejected") + 1.0)
        self.r.put_where(stepped, "steps", self.r.get("steps") + 1.0)
        if self.r.program.measures:
            self.samples.take(stepped)
        self._teeth(accept, stepped)
        moved = [
            (name, self.r.get(new, i), i) for i in range(n) for name, new in (("y0", "y1"), ("k1", "last"))
        ]
        moved += [("low", self.locating.sided(k), k) for k in range(self.r.kinks)]
        self.r.put_all_where(accept, [*moved, ("t", self.r.get("t1"), 0), ("size", speed, 0)])
        if self.r.adaptive:
            self.r.when(self.r.some(fresh & (self.r.get("steps").equals(0.0))), self.steps.first_step)
            first = fresh & self.r.get("steps").equals(0.0)
            wanted = self.r.select(first, self.r.get("when"), wanted)
        self.r.put("h", wanted)
        bad, why = self.r.inverse(finite), self.r.constant(float(Outcome.NOT_FINITE))
        ends = [
            (
                stepped & (self.r.get("steps") >= set_["max_steps"]),
                self.r.constant(float(Outcome.TOO_MANY_STEPS)),
            )
        ]
        if self.r.closes:
            why = self.r.select(lost, float(Outcome.CONSTRAINTS_LOST), why)
            doubtful = self.r.get("closing", self.r.sizes["closing"] - 1) < APART
            ends.append((stepped & doubtful, self.r.constant(float(Outcome.BRANCH_IN_DOUBT))))
        ends.append((fresh & active & bad, why))
        if self.r.adaptive:
            least = self.r.fma(self.r.absolute(self.r.get("t")), 1e-15, self.r.constant(SMALLEST_STEP))
            ends.append((retry & (wanted < least), self.r.select(finite, float(Outcome.STEP_TOO_SMALL), why)))
        else:
            ends.append((going & bad, why))
        over = accept & (self.r.get("t") >= set_["end"])

        def end() -> None:
            pressed = self.r.true("deep") & (set_["stop_at_skip"] > 0.0)
            self.r.end_lane(over, self.r.select(pressed, float(Outcome.TEETH_TOO_DEEP), 0.0))
            for condition, outcome in ends:
                self.r.end_lane(condition, outcome)

        self.r.rarely(self.r.some(self.r.any([over, *(condition for condition, _ in ends)])), end)
        self.r.put_where(accept, "fresh", 0.0)
        at_corner = stepped & (self.r.true("reached")) & (self.r.get("t") < set_["end"])
        self.r.put("corner", self.r.select(at_corner, 1.0, 0.0))
        turning = (self.r.true("done")) | at_corner
        self.r.rarely(self.r.some(turning & active), lambda: self.r.each_lane(self.variants.turn_over))

    def _close(self, t: str, y: str, which: Value) -> None:
        """Bring loops that are cut together by Newton's rule, then speeds along them, and curve parameters to their
        contacts: as ``core/reduced.hpp`` does.

        Lanes that are done do not move while others go on.
        """
        program, (first, n) = self.r.program, self.r.program.velocities
        self.r.put("open", self.r.select(which, 1.0, 0.0))
        self.r.put("off", 1e300)
        for name in ("round", "lost"):
            self.r.put(name, 0.0)

        def more() -> str:
            return self.r.some(self.r.true("open"))

        def once() -> None:
            self.r.evaluate("closing_of", t, y, "closing")
            still, size, last = self.r.true("open"), self.r.get("closing", n), self.r.get("off")
            met = (size <= MET) | ((size <= self.r.set["closed"]) & (size >= 0.5 * last))
            tired = (self.r.get("round") >= float(MOST_ROUNDS)) | self.r.inverse(size < 1e300)
            self.r.put_where(still & tired & self.r.inverse(met), "lost", 1.0)
            going = still & self.r.inverse(met | tired)
            self.r.put("open", self.r.select(going, 1.0, 0.0))
            self.r.put("off", size)
            self.r.put("round", self.r.get("round") + 1.0)
            step = [self.r.select(going, self.r.get("closing", j), 0.0) for j in range(n)]
            scalars = n - 3 * len(program.balls)
            for j in range(scalars):
                self.r.put(y, self.r.get(y, j) + step[j], j)
            for b, place in enumerate(program.balls):
                turn = step[scalars + 3 * b : scalars + 3 * b + 3]
                e = [self.r.get(y, place + c) for c in range(4)]
                half = [0.5 * x for x in turn]
                self.r.put(y, e[0] - self.r.sum([a * x for a, x in zip(half, e[1:], strict=True)]), place)
                for c in range(3):
                    across = half[(c + 1) % 3] * e[1 + (c + 2) % 3] - half[(c + 2) % 3] * e[1 + (c + 1) % 3]
                    self.r.put(y, e[1 + c] + half[c] * e[0] + across, place + 1 + c)
            self.r.normalise(y)

        self.r.repeat(more, once)
        ready = which & self.r.inverse(self.r.true("lost"))
        for j in range(n):
            self.r.put(
                y,
                self.r.get(y, first + j) + self.r.select(ready, self.r.get("closing", n + 1 + j), 0.0),
                first + j,
            )
        first, count = program.followed
        found = [(y, self.r.get("closing", 2 * n + 1 + k), first + k) for k in range(count)]
        self.r.put_all_where(ready, found)

    def _teeth(self, accept: Value, stepped: Value) -> None:
        skips, first = self.r.program.size(SKIPS), self.r.kinks
        now = [self.r.get("events", first + k) for k in range(skips)]
        jumped = [stepped & (self.r.absolute(self.r.get("skip0", k) - x) > 0.5) for k, x in enumerate(now)]
        depths = [self.r.get("events", first + skips + k) <= 0.0 for k in range(self.r.program.size(DEPTHS))]

        def skip() -> None:
            for one in jumped:
                self.r.put_where(one, "skips", self.r.get("skips") + 1.0)
                self.r.end_lane(one & (self.r.set["stop_at_skip"] > 0.0), float(Outcome.TEETH_SKIPPED))

        if jumped:
            self.r.rarely(self.r.some(self.r.any(jumped)), skip)
            self.r.put_all_where(accept, [("skip0", x, k) for k, x in enumerate(now)])
        if depths:
            deep = accept & self.r.any(depths)
            self.r.rarely(self.r.some(deep), lambda: self.r.put_where(deep, "deep", 1.0))


HEAD = "ptr %numbers, ptr %starts, ptr %corners, ptr %out, {settings}, i64 %count"


def lane_text(program: LaneProgram, method: str, lanes: int, device: DeviceShape | None = None) -> str:
    """A module with the routine `run`.

    ``run(numbers, starts, corners, out, settings, count, first, last, stride)``: arrays have a row for each number (of
    `LaneProgram.numbers`, `states`, settings["corners"], `rows`) and a column for each of `count` variants; those from
    `first` on until before `last` are run. On a graphics processor (`device`) each thread begins at its own number,
    `stride` is that of all threads, and settings are arguments of their own.
    """
    events = [which for which in (KINKS, SKIPS, DEPTHS) if program.size(which)]
    outer = [DERIVATIVE]
    if method != "dopri5" and program.size(KINKS):
        outer.append(KINKS)
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
    routine = LaneRoutine(program, method, lanes, device)
    Kernel(routine).write()
    body = [*routine.rooms, *routine.lines, "ret void", "}"]
    if device:
        by_value = ", ".join(f"double %set.{name}" for name in SETTINGS)  # such arguments take no registers
        special = ["tid.x", "ntid.x", "ctaid.x", "nctaid.x"]
        routine.declared |= {f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in special}
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
        if routine.shared:
            functions.append(
                (
                    f"@shared = internal addrspace(3) global [{routine.shared * device.threads} x double] undef",
                    set(),
                    set(),
                )
            )
            head.append("%own = getelementptr double, ptr addrspace(3) @shared, i32 %tid_x")
    else:
        own = HEAD.format(settings="ptr %settings")
        head = [f"define void @run({own}, i64 %from, i64 %until, i64 %stride) {{"]
    whole = "\n".join([*head, *body])
    text = module_text([*functions, (whole, routine.called, routine.declared)], lanes, inline=True)
    if device is None:
        return text + RARE
    bound = f' "nvvm.minctasm"="{device.blocks}"' if device.blocks else ""
    return f'{text}{RARE}attributes #0 = {{ "nvvm.maxntid"="{device.threads}"{bound} }}\n'
