"""A writer of LLVM's intermediate language for doubles, one or several lanes at a time.

`Value` has Python's operators, so that formulas read as formulas; every operation becomes one line of text. The
arithmetic is exact to the letter of IEEE 754: nothing is reordered, and a multiplication is fused with an addition only
where `fma` says so. That is why code of any level of optimisation, number of lanes or kind of processor gives the same
digits.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import field

from wheelwork.lazy import dataclass


@dataclass(frozen=True)
class LaneType:
    """A type of LLVM: `name` of one lane (`double`, `i64`, `i1`) and how many lanes."""

    name: str
    lanes: int

    @property
    def text(self) -> str:
        return self.name if self.lanes == 1 else f"<{self.lanes} x {self.name}>"

    @property
    def suffix(self) -> str:
        """As in names of intrinsics: `f64`, `v8f64`."""
        short = {"double": "f64"}.get(self.name, self.name)
        return short if self.lanes == 1 else f"v{self.lanes}{short}"


@dataclass(frozen=True)
class Value:
    """A number in the text: a register or a constant."""

    text: str
    kind: LaneType
    writer: Writer = field(repr=False, compare=False)

    def _with(self, other: Value | float) -> Value:
        return other if isinstance(other, Value) else self.writer.constant(other)

    def __add__(self, other: Value | float) -> Value:
        return self.writer.binary("fadd", self, self._with(other))

    def __radd__(self, other: float) -> Value:
        return self._with(other) + self

    def __sub__(self, other: Value | float) -> Value:
        return self.writer.binary("fsub", self, self._with(other))

    def __rsub__(self, other: float) -> Value:
        return self._with(other) - self

    def __mul__(self, other: Value | float) -> Value:
        return self.writer.binary("fmul", self, self._with(other))

    def __rmul__(self, other: float) -> Value:
        return self._with(other) * self

    def __truediv__(self, other: Value | float) -> Value:
        return self.writer.binary("fdiv", self, self._with(other))

    def __rtruediv__(self, other: float) -> Value:
        return self._with(other) / self

    def __neg__(self) -> Value:
        return self.writer.line(f"fneg {self.kind.text} {self.text}", self.kind)

    def __lt__(self, other: Value | float) -> Value:
        return self.writer.compare("olt", self, self._with(other))

    def __le__(self, other: Value | float) -> Value:
        return self.writer.compare("ole", self, self._with(other))

    def __gt__(self, other: Value | float) -> Value:
        return self.writer.compare("ogt", self, self._with(other))

    def __ge__(self, other: Value | float) -> Value:
        return self.writer.compare("oge", self, self._with(other))

    def __and__(self, other: Value) -> Value:
        return self.writer.binary("and", self, other)

    def __or__(self, other: Value) -> Value:
        return self.writer.binary("or", self, other)

    def equals(self, other: Value | float) -> Value:
        return self.writer.compare("oeq", self, self._with(other))

    def differs(self, other: Value | float) -> Value:
        """Also where one of them is not a number."""
        return self.writer.compare("une", self, self._with(other))


class Writer:
    """The lines of one function, and what it needs from elsewhere.

    lanes: doubles in a value
    quick: whether sines and cosines may do without their last digit
    called: names of functions of :mod:`.functions` that the text calls
    """

    def __init__(self, lanes: int = 1, quick: bool = False):
        self.lanes, self.quick = lanes, quick
        self.double, self.integer, self.bit = (LaneType(name, lanes) for name in ("double", "i64", "i1"))
        self.lines: list[str] = []
        self.declared: set[str] = set()
        self.called: set[str] = set()
        self._count = 0

    # -- text

    def name(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def line(self, text: str, kind: LaneType) -> Value:
        """A line with a result."""
        register = self.name()
        self.lines.append(f"{register} = {text}")
        return Value(register, kind, self)

    def constant(self, number: float) -> Value:
        return self._spread(f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}", self.double)

    def whole(self, number: int) -> Value:
        """A constant of 64 bits."""
        return self._spread(str(number), self.integer)

    def _spread(self, text: str, kind: LaneType) -> Value:
        if kind.lanes > 1:
            text = "<" + ", ".join([f"{kind.name} {text}"] * kind.lanes) + ">"
        return Value(text, kind, self)

    # -- operations

    def binary(self, operation: str, a: Value, b: Value) -> Value:
        return self.line(f"{operation} {a.kind.text} {a.text}, {b.text}", a.kind)

    def compare(self, how: str, a: Value, b: Value) -> Value:
        instruction = "fcmp" if a.kind.name == "double" else "icmp"
        return self.line(f"{instruction} {how} {a.kind.text} {a.text}, {b.text}", self.bit)

    def inverse(self, condition: Value) -> Value:
        """Not."""
        return self.binary("xor", condition, self._spread("true", self.bit))

    def select(self, condition: Value, a: Value | float, b: Value | float) -> Value:
        a, b = (x if isinstance(x, Value) else self.constant(x) for x in (a, b))
        return self.line(
            f"select {condition.kind.text} {condition.text}, {a.kind.text} {a.text}, {b.kind.text} {b.text}",
            a.kind,
        )

    def anywhere(self, condition: Value) -> Value:
        """Whether a condition holds in any lane, as one bit."""
        if self.lanes == 1:
            return condition
        name = f"llvm.vector.reduce.or.{condition.kind.suffix}"
        self.declared.add(f"declare i1 @{name}({condition.kind.text})")
        return self.line(f"call i1 @{name}({condition.kind.text} {condition.text})", LaneType("i1", 1))

    def intrinsic(self, name: str, *arguments: Value) -> Value:
        """A function that the processor has (`sqrt`, `fma`, `floor`, ...), with a result like its arguments."""
        kind = arguments[0].kind
        full = f"llvm.{name}.{kind.suffix}"
        self.declared.add(f"declare {kind.text} @{full}({', '.join(a.kind.text for a in arguments)})")
        given = ", ".join(f"{a.kind.text} {a.text}" for a in arguments)
        return self.line(f"call {kind.text} @{full}({given})", kind)

    def call(self, name: str, *arguments: Value) -> Value:
        """A function of :mod:`.functions`."""
        self.called.add(name)
        given = ", ".join(f"{a.kind.text} {a.text}" for a in arguments)
        return self.line(f"call {self.double.text} @{symbol(name, self.lanes)}({given})", self.double)

    def fma(self, a: Value | float, b: Value | float, c: Value | float) -> Value:
        """a b + c, rounded once."""
        return self.intrinsic("fma", *(x if isinstance(x, Value) else self.constant(x) for x in (a, b, c)))

    def absolute(self, a: Value) -> Value:
        return self.intrinsic("fabs", a)

    def nearest(self, a: Value) -> Value:
        """The nearest whole number, halves to the even one."""
        return self.intrinsic("roundeven", a)

    def polynomial(self, z: Value, coefficients: Sequence[float]) -> Value:
        """c0 + c1 z + c2 z^2 ... by Horner's rule; of a long one even and odd powers apart, side by side."""
        if len(coefficients) > 5:
            even, odd = (self.polynomial(z * z, coefficients[first::2]) for first in (0, 1))
            return self.fma(odd, z, even)
        return self.horner(z, coefficients)

    def side_by_side(self, z: Value, coefficients: Sequence[float]) -> Value:
        """The same with the shortest way from z to the result: pairs first, then pairs of these (Estrin)."""
        terms = [self.constant(c) for c in coefficients]
        while len(terms) > 1:
            pairs = [self.fma(high, z, low) for low, high in zip(terms[::2], terms[1::2], strict=False)]
            terms = pairs + terms[len(pairs) * 2 :]
            z = z * z if len(terms) > 1 else z
        return terms[0]

    def horner(self, z: Value, coefficients: Sequence[float]) -> Value:
        """The same with the fewest instructions, each of which waits for the one before."""
        result = self.constant(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            result = self.fma(result, z, c)
        return result

    # -- bits

    def bits(self, a: Value) -> Value:
        return self.line(f"bitcast {a.kind.text} {a.text} to {self.integer.text}", self.integer)

    def from_bits(self, a: Value) -> Value:
        return self.line(f"bitcast {a.kind.text} {a.text} to {self.double.text}", self.double)

    def shift(self, operation: str, a: Value, by: int) -> Value:
        """`shl`, `lshr` or `ashr`."""
        return self.binary(operation, a, self.whole(by))

    def to_double(self, a: Value) -> Value:
        return self.line(f"sitofp {a.kind.text} {a.text} to {self.double.text}", self.double)

    def as_whole(self, a: Value) -> Value:
        """A whole number of less than 51 bits, given as a double, in 64 bits: anything at all where it is not one."""
        magic = 6755399441055744.0  # 1.5 * 2^52: the unit of the sum's last place is 1
        return self.binary("sub", self.bits(a + magic), self.bits(self.constant(magic)))


def symbol(name: str, lanes: int) -> str:
    """Name of a function of :mod:`.functions` in the text."""
    return f"ww.{name}" if lanes == 1 else f"ww.{name}.{lanes}"


# -- numbers of twice the precision: a sum of two doubles, the second below the last place of the first


def two_sum(w: Writer, a: Value, b: Value) -> tuple[Value, Value]:
    """a + b exactly."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def quick_sum(a: Value, b: Value) -> tuple[Value, Value]:
    """a + b exactly, for |a| >= |b|."""
    s = a + b
    return s, b - (s - a)


def two_product(w: Writer, a: Value, b: Value) -> tuple[Value, Value]:
    """a b exactly."""
    p = a * b
    return p, w.fma(a, b, -p)
