"""Functions with memory and branches of their own, written in LLVM's language for any number of lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .ir import LaneType, Value, Writer

RARE = '\n!100 = !{!"branch_weights", i32 1, i32 2000}\n'
"""What a module with branches that are rarely taken has at its end."""


class Routine(Writer):
    """A function with memory of its own and branches; everything in it has lanes where nothing else is given."""

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
        """A pointer, with its type."""
        return f"ptr {self.line(f'getelementptr {self.double.text}, ptr %{name}, i64 {k}', self.double).text}"

    def get(self, name: str, k: int = 0) -> Value:
        return self.line(f"load {self.double.text}, {self.place(name, k)}, align 8", self.double)

    def put(self, name: str, value: Value | float, k: int = 0) -> None:
        value = value if isinstance(value, Value) else self.constant(value)
        self.lines.append(f"store {self.double.text} {value.text}, {self.place(name, k)}, align 8")

    def put_where(self, condition: Value, name: str, value: Value | float, k: int = 0) -> None:
        self.put(name, self.select(condition, value, self.get(name, k)), k)

    def put_all_where(self, condition: Value, values: Sequence[tuple[str, Value, int]]) -> None:
        """Numbers under names; in one lane with a branch, which moves nothing where nothing is to be moved."""

        def put() -> None:
            for name, value, k in values:
                self.put(name, value, k) if self.lanes == 1 else self.put_where(condition, name, value, k)

        self.when(condition.text, put) if self.lanes == 1 else put()

    def true(self, name: str) -> Value:
        """Whether a number that is not negative is not zero: by its bits, which are cheaper to compare."""
        return self.compare("ne", self.bits(self.get(name)), self.whole(0))

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
        """A pointer, with its type."""
        if self.lanes == 1:
            return self.place(name, k)
        at = self.line(f"add i64 {lane}, {k * self.lanes}", self.one)
        return f"ptr {self.line(f'getelementptr double, ptr %{name}, i64 {at.text}', self.one).text}"

    def get_one(self, name: str, k: int, lane: str) -> str:
        return self.line(f"load double, {self.element(name, k, lane)}, align 8", self.one).text

    def put_one(self, name: str, k: int, lane: str, text: str | float) -> None:
        if isinstance(text, float):
            text = Writer(1).constant(text).text
        self.lines.append(f"store double {text}, {self.element(name, k, lane)}, align 8")

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

    def rarely(self, condition: str, body: Callable[[], None]) -> None:
        """As `when`: what is inside is kept out of the way."""
        self.when(condition, body, ", !prof !100")

    def when(self, condition: str, body: Callable[[], None], how_often: str = "") -> None:
        inside, after = self.label("then"), self.label("after")
        self.lines += [f"br i1 {condition}, label %{inside}, label %{after}{how_often}", f"{inside}:"]
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
