"""Reading formulas: a tokenizer and a Pratt parser with limits, and messages that point at the column."""

from __future__ import annotations

import math
import re
from typing import NamedTuple, NoReturn

from wheelwork.description.formula import (
    BINARY,
    CONSTANTS,
    FUNCTIONS,
    NEGATION,
    NUMERIC,
    VARIADIC,
    FormulaStep,
)
from wheelwork.description.units import is_unit
from wheelwork.problems import did_you_mean

LONGEST = 2000  # characters
DEEPEST = 60  # nested parentheses, calls, signs and powers

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)"
    r"|(?P<quoted>`[^`]*`)"
    r"|(?P<symbol>\*\*|<=|>=|[-+*/^<>(),])"
    r"|(?P<bad>.)"  # reported when the parser gets there: what comes before it may be the better thing to say
)
_PART = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_BY_SYMBOL = {symbol: (attribute, level) for attribute, (symbol, level) in BINARY.items()}
_BY_SYMBOL["**"] = _BY_SYMBOL["^"]
_KNOWN = f"the functions are {', '.join(FUNCTIONS)}"


class FormulaError(ValueError):
    """A text is not a formula. `column` counts from 1."""

    def __init__(self, message: str, text: str, column: int) -> None:
        self.column = column
        super().__init__(f"{message}, at column {column} of `{_excerpt(text, column)}`")


class _Token(NamedTuple):
    kind: str
    text: str
    column: int


def parse(text: str) -> tuple[FormulaStep, ...]:
    """Postfix program of a formula; `FormulaError` for anything outside the grammar or beyond the limits."""
    return _Parser(text).parse()


def _excerpt(text: str, column: int) -> str:
    """The formula with the place marked: `2*»)`; only the surroundings where it is long."""
    marked = f"{text[: column - 1]}»{text[column - 1 :]}"
    if len(marked) <= 70:
        return marked
    start = max(0, column - 30)
    return f"{'...' if start else ''}{marked[start : start + 60]}..."


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > LONGEST:
            self.fail(f"a formula may have {LONGEST} characters, and this one has {len(text)}", LONGEST)
        found = (match for match in _TOKEN.finditer(text) if match.lastgroup != "space")
        self.tokens = [_Token(str(match.lastgroup), match.group(), match.start() + 1) for match in found]
        self.tokens.append(_Token("end", "", len(text) + 1))
        self.index = 0
        self.program: list[FormulaStep] = []
        # Values of the constant subexpressions on the stack: a constant that overflows is an error now, not later.
        self.constants: list[float | None] = []

    def fail(self, message: str, column: int) -> NoReturn:
        raise FormulaError(message, self.text, column)

    @property
    def here(self) -> _Token:
        token = self.tokens[self.index]
        if token.kind == "bad":
            self.fail(_what_is(token.text), token.column)
        return token

    def take(self) -> _Token:
        token = self.here
        self.index += 1
        return token

    def close(self, why: str) -> None:
        if self.here.text != ")" or self.here.kind != "symbol":
            self.fail(f"needs `)` {why}", self.here.column)
        self.index += 1

    def parse(self) -> tuple[FormulaStep, ...]:
        if self.here.kind == "end":
            self.fail("the formula is empty", 1)
        self.expression(0, 0)
        token = self.here
        if token.kind != "end":
            if token.kind == "name" and self.tokens[self.index - 1].kind == "number" and is_unit(token.text):
                remedy = "give the quantity a name under `parameters`"
                self.fail(f"the unit `{token.text}` has no place in a formula; {remedy}", token.column)
            if token.text in ("and", "or"):
                remedy = (
                    "multiply two conditions, `(a > 1)*(b < 2)`, for both, and take their `max` for either"
                )
                self.fail(f"there is no `{token.text}` in formulas; {remedy}", token.column)
            if token.kind in ("name", "quoted", "number"):
                self.fail(f"needs an operator before `{token.text}`", token.column)
            self.fail(f"`{token.text}` has no place here", token.column)
        return tuple(self.program)

    def expression(self, level: int, depth: int) -> None:
        """Parse everything that binds tighter than `level`."""
        if depth > DEEPEST:
            self.fail(f"the formula is nested more than {DEEPEST} deep", self.here.column)
        self.operand(depth)
        while self.here.kind == "symbol" and self.here.text in _BY_SYMBOL:
            attribute, binding = _BY_SYMBOL[self.here.text]
            if binding <= level:
                return
            token = self.take()
            # A power groups from the right, and its exponent may carry a sign: 2^-3.
            self.expression(NEGATION - 1 if attribute == "pow" else binding, depth + 1)
            self.apply(attribute, 2, token)
            if binding == 1 and self.here.text in ("<", "<=", ">", ">="):
                self.fail(
                    "comparisons cannot be chained; use min or max, or multiply two of them", self.here.column
                )

    def operand(self, depth: int) -> None:
        token = self.take()
        if token.kind == "number":
            value = float(token.text)
            if math.isinf(value):
                self.fail(f"the number `{token.text}` is too large", token.column)
            self.push(FormulaStep("number", value), value)
        elif token.kind == "quoted":
            self.name(token.text[1:-1], token)
        elif token.kind == "name" and self.here.text == "(" and self.here.kind == "symbol":
            self.call(token, depth)
        elif token.kind == "name":
            self.name(token.text, token)
        elif token.text == "(":
            self.expression(0, depth + 1)
            self.close("to close the parenthesis")
        elif token.text == "-":
            self.expression(NEGATION, depth + 1)
            self.apply("neg", 1, token)
        elif token.text == "+":
            self.expression(NEGATION, depth + 1)
        elif token.kind == "end":
            self.fail("the formula stops where a number or a name is needed", token.column)
        else:
            self.fail(f"needs a number or a name before `{token.text}`", token.column)

    def name(self, name: str, token: _Token) -> None:
        if name in CONSTANTS:
            self.push(FormulaStep("constant", name), CONSTANTS[name])
            return
        if name in FUNCTIONS:
            self.fail(f"the function `{name}` needs its arguments in parentheses", token.column)
        for part in name.split("."):
            if not _PART.fullmatch(part):
                why = "formulas read parameters and signals; they have no attributes or methods"
                self.fail(f"`{part}` is not a name, since names begin with a letter; {why}", token.column)
        self.push(FormulaStep("name", name), None)

    def call(self, token: _Token, depth: int) -> None:
        if token.text not in FUNCTIONS:
            hint = did_you_mean(token.text, FUNCTIONS) or _KNOWN
            self.fail(f"there is no function `{token.text}`; {hint}", token.column)
        attribute, count = FUNCTIONS[token.text]
        self.index += 1
        given = 0
        if self.here.text != ")":
            while True:
                self.expression(0, depth + 1)
                given += 1
                if token.text in VARIADIC and given > 1:
                    self.apply(attribute, 2, token)
                if self.here.text != ",":
                    break
                self.index += 1
        self.close(f"to close `{token.text}(`")
        if token.text in VARIADIC:
            if given < 2:
                self.fail(f"`{token.text}` needs at least 2 arguments, not {given}", token.column)
        elif given != count:
            plural = "argument" if count == 1 else "arguments"
            self.fail(f"`{token.text}` needs {count} {plural}, not {given}", token.column)
        else:
            self.apply(attribute, count, token)

    def push(self, step: FormulaStep, constant: float | None) -> None:
        self.program.append(step)
        self.constants.append(constant)

    def apply(self, attribute: str, count: int, token: _Token) -> None:
        arguments = self.constants[-count:]
        del self.constants[-count:]
        result = None
        numbers = [x for x in arguments if x is not None]
        if len(numbers) == count:
            result = getattr(NUMERIC, attribute)(*numbers)
            if not math.isfinite(result):
                what = "power" if attribute == "pow" else "constant"
                self.fail(f"this {what} has no finite value (it comes out as {result})", token.column)
        self.push(FormulaStep("apply", attribute, count), result)


def _what_is(character: str) -> str:
    if character in "'\"":
        return "a formula holds numbers and names, not quoted texts"
    if character == "`":
        return "the backtick is not closed"
    if character in "=!&|":
        return f"`{character}` is not an operator; the comparisons are < <= > >="
    if character in "[]{}":
        return f"`{character}` is not used in formulas; group with ( )"
    return f"`{character}` has no meaning in a formula"
