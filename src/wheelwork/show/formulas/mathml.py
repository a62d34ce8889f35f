"""Equations in MathML, which browsers show without any library."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from wheelwork.expressions.symbols import Symbol

from .printer import Printer

_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "log": "ln", "sign": "sgn"}
_FENCES = {"abs": ("|", "|"), "floor": ("⌊", "⌋"), "ceil": ("⌈", "⌉")}


def row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>" if len(parts) != 1 else parts[0]


def operator(sign: str) -> str:
    return f"<mo>{escape(sign)}</mo>"


def name(text: str) -> str:
    """A word, upright."""
    return f"<mtext>{escape(text)}</mtext>"


def fenced(text: str, left: str = "(", right: str = ")") -> str:
    return row(f'<mo fence="true">{left}</mo>', text, f'<mo fence="true">{right}</mo>')


def dotted(letter: str, dots: int) -> str:
    """With dots above. Full stops: the accents ˙ and ¨ fall onto the letter where there is no mathematical font."""
    return f"<mover>{letter}<mo>{'.' * dots}</mo></mover>"


class MathML(Printer):
    fences = '<mrow><mo fence="true">(</mo>{}<mo fence="true">)</mo></mrow>'

    def sum(self, parts: Sequence[tuple[bool, str]], continued: bool = False) -> str:
        out = []
        for k, (negative, text) in enumerate(parts):
            if k or negative or continued:
                form = "" if k or continued else ' form="prefix"'
                out.append(f"<mo{form}>{'−' if negative else '+'}</mo>")
            out.append(text)
        return row(*out)

    def product(self, factors: Sequence[str]) -> str:
        return "<mrow>" + '<mspace width="0.17em"></mspace>'.join(factors) + "</mrow>"

    def fraction(self, above: tuple[str, int], below: tuple[str, int]) -> str:
        return f"<mfrac>{above[0]}{below[0]}</mfrac>"

    def pi(self, times: str) -> str:
        return row(f"<mn>{times}</mn>", "<mi>π</mi>") if times else "<mi>π</mi>"

    def decimal(self, digits: str, power: int) -> str:
        if not power:
            return f"<mn>{digits}</mn>"
        ten = f"<msup><mn>10</mn><mn>{power}</mn></msup>".replace("-", "−")
        return row(f"<mn>{digits}</mn>", operator("·"), ten)

    def symbol(self, symbol: Symbol) -> str:
        point = f"<mi>{symbol.point}</mi>" if len(symbol.point) == 1 else name(symbol.point)
        return self._with_scripts(symbol, point if symbol.point else "")

    def symbol_power(self, symbol: Symbol, exponent: str) -> str:
        if symbol.point:
            return self.power(self.brackets(self.symbol(symbol)), exponent)
        return self._with_scripts(symbol, exponent)

    @staticmethod
    def _with_scripts(symbol: Symbol, above: str) -> str:
        letter = f"<mi>{symbol.letter}</mi>" if len(symbol.letter) == 1 else name(symbol.letter)
        if symbol.dots:
            letter = dotted(letter, symbol.dots)
        if symbol.primes:
            letter = row(letter, f'<mo lspace="0" rspace="0">{"′" * symbol.primes}</mo>')
        parts = [name(part) for part in (symbol.of, symbol.axis) if part]
        below = row(parts[0], operator(","), parts[1]) if len(parts) > 1 else "".join(parts)
        match bool(below), bool(above):
            case True, True:
                return f"<msubsup>{letter}{below}{above}</msubsup>"
            case True, False:
                return f"<msub>{letter}{below}</msub>"
            case False, True:
                return f"<msup>{letter}{above}</msup>"
        return letter

    def exponent(self, exponent: Fraction) -> str:
        return f"<mn>{exponent}</mn>".replace("-", "−")

    def power(self, base: str, exponent: str) -> str:
        return f"<msup>{base}{exponent}</msup>"

    def root(self, text: str, short: bool) -> str:
        return f"<msqrt>{text}</msqrt>"

    def call(self, function: str, arguments: Sequence[tuple[str, bool]], exponent: str) -> str:
        if function in _FENCES:
            inside = fenced(arguments[0][0], *_FENCES[function])
            return self.power(inside, exponent) if exponent else inside
        head = f"<mi>{_NAMES.get(function, function)}</mi>"
        head = self.power(head, exponent) if exponent else head
        if len(arguments) == 1 and not arguments[0][1]:
            return row(head, '<mspace width="0.17em"></mspace>', arguments[0][0])
        return row(head, "<mo>&#x2061;</mo>", fenced(operator(",").join(text for text, _ in arguments)))

    def condition(self, one: str, sign: str, two: str) -> str:
        return fenced(row(one, operator(sign), two), "[", "]")


mathml = MathML()
