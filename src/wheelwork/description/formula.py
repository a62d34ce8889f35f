"""Formulas: text to a checked list of operations. Nothing from a file is ever executed.

A formula is held as a program in postfix order (`2*r + 1` is `2 r mul 1 add`), so that evaluating, renaming and
printing are loops over a list: no recursion, whatever the formula looks like. The same program runs on floats
(`NUMERIC`) and on any other kind of number for which somebody supplies an `ops` object with the same attribute names.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from wheelwork.lazy import formula_parser

X = TypeVar("X")

CONSTANTS = {"pi": math.pi, "e": math.e}

# name in a formula -> (attribute of ops, number of arguments)
_ARGUMENTS = (
    ("sin cos tan asin acos atan", 1),
    ("atan2", 2),
    ("sinh cosh tanh exp log sqrt abs sign floor ceil step", 1),
    ("min max", 2),
)
FUNCTIONS: dict[str, tuple[str, int]] = {
    **{name: (name, count) for names, count in _ARGUMENTS for name in names.split()},
    "if": ("if_else", 3),
}
VARIADIC = frozenset({"min", "max"})

# ops attribute -> (symbol, how tightly it binds)
BINARY: dict[str, tuple[str, int]] = {
    "lt": ("<", 1),
    "le": ("<=", 1),
    "gt": (">", 1),
    "ge": (">=", 1),
    "add": ("+", 2),
    "sub": ("-", 2),
    "mul": ("*", 3),
    "div": ("/", 3),
    "pow": ("^", 5),
}
NEGATION = 4  # -a^2 is -(a^2), and -a*b is (-a)*b
_ATOM = 6
_FUNCTION_OF = {attribute: name for name, (attribute, _) in FUNCTIONS.items()}


class FormulaStep(NamedTuple):
    """One operation of a postfix program.

    kind: `number`, `constant`, `name` or `apply`
    what: the number, the constant's or signal's name, or the attribute of `ops`
    arity: arguments taken from the stack (0 unless `apply`)
    """

    kind: str
    what: Any
    arity: int = 0


class Formula:
    """An expression over parameters, signals and time, such as `10*sin(2*pi*5*t)` or `-20*(load.w/10.5)^2`.

    Operators: `+ - * /`, `^` or `**`, `< <= > >=` (1 where true, 0 where not), parentheses.
    Functions: sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign floor ceil min max,
    `step(x)` (1 for x > 0, else 0) and `if(condition, a, b)`. Constants: `pi`, `e`.
    Names: `t` for time, parameters, and signals with dots (`stage2.planet1.w`); a name with a hyphen stands in
    backticks: `` `sun-planet.force.normal` ``.

    Two formulas are equal when they differ only in spelling (spaces, superfluous parentheses, `**` for `^`).

    >>> Formula("2*r + 1").evaluate({"r": 3.0}.__getitem__, NUMERIC)
    7.0
    """

    __slots__ = ("canonical", "program", "text")

    def __init__(self, text: str) -> None:
        self.text: str = text.strip()
        self.program: tuple[FormulaStep, ...] = formula_parser.parse(text)
        self.canonical: str = write(self.program)

    @classmethod
    def _of(cls, program: tuple[FormulaStep, ...]) -> Formula:
        self = cls.__new__(cls)
        self.program = program
        self.canonical = self.text = write(program)
        return self

    def names(self) -> set[str]:
        """Free names: parameters, signals and `t`."""
        return {step.what for step in self.program if step.kind == "name"}

    def evaluate(self, env: Callable[[str], X], ops: Any) -> X:
        """The value, with `env(name)` for each free name and `ops` for the arithmetic."""
        stack: list[Any] = []
        for kind, what, count in self.program:
            if kind == "apply":
                arguments = stack[-count:]
                del stack[-count:]
                stack.append(getattr(ops, what)(*arguments))
            elif kind == "name":
                stack.append(env(what))
            elif kind == "constant":
                stack.append(CONSTANTS[what])
            else:
                stack.append(what)
        return stack[0]

    def rename(self, mapping: Callable[[str], str]) -> Formula:
        """The same formula with every free name replaced."""
        return Formula._of(
            tuple(
                step._replace(what=mapping(step.what)) if step.kind == "name" else step
                for step in self.program
            )
        )

    def with_number(self, name: str, number: float) -> Formula:
        """The same formula with a number in place of a free name.

        >>> Formula("r + h*sin(s)").with_number("s", 0.5)
        Formula('r + h*sin(0.5)')
        """
        return Formula._of(
            tuple(
                FormulaStep("number", number) if step.kind == "name" and step.what == name else step
                for step in self.program
            )
        )

    @property
    def single_name(self) -> str | None:
        """The name, where the formula is nothing but one name."""
        return self.program[0].what if len(self.program) == 1 and self.program[0].kind == "name" else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.canonical == other.canonical

    def __hash__(self) -> int:
        return hash(self.canonical)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[Formula], tuple[str]]:
        return (Formula, (self.text,))

    def __copy__(self) -> Formula:
        return self

    def __deepcopy__(self, memo: object) -> Formula:
        return self


def quoted(name: str) -> str:
    """A name as it is written in a formula: in backticks where it holds a hyphen."""
    return f"`{name}`" if "-" in name else name


def write(program: tuple[FormulaStep, ...]) -> str:
    """The text of a program, with no more parentheses than needed."""
    stack: list[tuple[str, int]] = []
    for kind, what, count in program:
        if kind == "number":
            stack.append((number_text(what), _ATOM))
        elif kind == "constant":
            stack.append((what, _ATOM))
        elif kind == "name":
            stack.append((quoted(what), _ATOM))
        else:
            arguments = stack[-count:]
            del stack[-count:]
            stack.append(_apply_text(what, arguments))
    return stack[0][0]


def number_text(value: float) -> str:
    """The shortest text that reads back as the same double."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _apply_text(what: str, arguments: list[tuple[str, int]]) -> tuple[str, int]:
    if what == "neg":
        text, level = arguments[0]
        return (f"-{text}" if level >= NEGATION else f"-({text})"), NEGATION
    if what not in BINARY:
        return f"{_FUNCTION_OF[what]}({', '.join(text for text, _ in arguments)})", _ATOM
    symbol, level = BINARY[what]
    (left, left_level), (right, right_level) = arguments
    # Powers group from the right, comparisons do not group, the rest groups from the left.
    left_needs = left_level <= level if level in (1, 5) else left_level < level
    right_needs = right_level < NEGATION if what == "pow" else right_level <= level
    left = f"({left})" if left_needs else left
    right = f"({right})" if right_needs else right
    return (f"{left}{symbol}{right}" if level > 2 else f"{left} {symbol} {right}"), level


def _as_number(test: Callable[[float, float], bool]) -> staticmethod[[float, float], float]:
    return staticmethod(lambda a, b: float(test(a, b)))


class _Numeric:
    """Arithmetic on floats that answers nan or inf where Python would raise, as the compiled code does."""

    pi = math.pi
    add, sub, mul = staticmethod(operator.add), staticmethod(operator.sub), staticmethod(operator.mul)
    neg = staticmethod(operator.neg)

    @staticmethod
    def div(a: float, b: float) -> float:
        if b:
            return a / b
        return math.nan if not a or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)

    lt, le, gt, ge = (_as_number(test) for test in (operator.lt, operator.le, operator.gt, operator.ge))

    @staticmethod
    def if_else(condition: float, a: float, b: float) -> float:
        return a if condition else b

    @staticmethod
    def step(a: float) -> float:
        return float(a > 0)

    @staticmethod
    def sign(a: float) -> float:
        return math.nan if math.isnan(a) else float((a > 0) - (a < 0))

    @staticmethod
    def floor(a: float) -> float:
        return float(math.floor(a)) if math.isfinite(a) else a

    @staticmethod
    def ceil(a: float) -> float:
        return float(math.ceil(a)) if math.isfinite(a) else a

    min = staticmethod(min)
    max = staticmethod(max)
    abs = staticmethod(abs)

    def __getattr__(self, name: str) -> Callable[..., float]:
        # The functions that math has under the same name: sin ... sqrt, pow. A domain error is nan, overflow is inf.
        function = getattr(math, name)

        def guarded(*arguments: float) -> float:
            try:
                return function(*arguments)
            except ValueError:
                return math.nan
            except OverflowError:
                return math.inf

        setattr(self, name, guarded)
        return guarded


NUMERIC = _Numeric()


def number_of(value: float | Formula, known: Mapping[str, float]) -> float:
    """Of a field of the description, from the numbers of the parameters."""
    return value.evaluate(known.__getitem__, NUMERIC) if isinstance(value, Formula) else float(value)
