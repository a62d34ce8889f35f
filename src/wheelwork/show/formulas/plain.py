"""Equations as text for a terminal: x′_crank,A cos φ_crank."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from wheelwork.expressions.symbols import Symbol

from .printer import Printer

_UP = str.maketrans("0123456789-/", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᐟ")
_DOWN = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "log": "ln", "sign": "sgn"}
_ASCII = {
    "−": "-", "·": ".", "′": "'", "φ": "phi", "θ": "theta", "γ": "gamma", "Φ": "Phi", "ν": "nu", "λ": "lambda",
    "ω": "omega", "π": "pi", "√": "sqrt", "≤": "<=", "≠": "!=", "ℓ": "l", "–": "-", "×": "x", "→": "->",
    "ᵀ": "^T", "α": "alpha", "β": "beta", "∂": "d", "…": "...", "ρ": "rho", "ψ": "psi",
}  # fmt: skip


class Plain(Printer):
    minus = "−"

    def fraction(self, above: tuple[str, int], below: tuple[str, int]) -> str:
        top = self.brackets(above[0]) if above[1] == 0 else above[0]
        return f"{top}/{below[0] if below[1] == 2 else self.brackets(below[0])}"

    def decimal(self, digits: str, power: int) -> str:
        return f"{digits}e{power}".replace("-", "−") if power else digits.replace("-", "−")

    def symbol(self, symbol: Symbol) -> str:
        text = unicodedata.normalize("NFC", symbol.letter + "\u0307" * (symbol.dots == 1))
        text = unicodedata.normalize("NFC", symbol.letter + "\u0308") if symbol.dots == 2 else text
        text += "′" * symbol.primes
        below = [part for part in (symbol.of, symbol.point, symbol.axis) if part]
        if len(below) == 1 and below[0].isdigit():
            return text + below[0].translate(_DOWN)
        return f"{text}_{','.join(below)}" if below else text

    def exponent(self, exponent: Fraction) -> str:
        if exponent.denominator == 1:
            return str(exponent).translate(_UP)
        return f"^({exponent})"

    def power(self, base: str, exponent: str) -> str:
        return base + exponent

    def root(self, text: str, short: bool) -> str:
        return f"√{text}" if short else f"√({text})"

    def call(self, function: str, arguments: Sequence[tuple[str, bool]], exponent: str) -> str:
        if function == "abs":
            return f"|{arguments[0][0]}|{exponent}"
        return super().call(function, arguments, exponent)

    def function(self, name: str) -> str:
        return _NAMES.get(name, name)

    def condition(self, one: str, sign: str, two: str) -> str:
        return f"[{one} {sign} {two}]"


plain = Plain()


def only_ascii(text: str) -> str:
    """For terminals that know no other letters: `x.'_crank`, `phi_rod`, `x^2`."""
    out = []
    for letter in unicodedata.normalize("NFKD", _with_carets(text)):
        out.append(_ASCII.get(letter, {"\u0307": ".", "\u0308": ".."}.get(letter, letter)))
    return "".join(out).encode("ascii", "replace").decode()


def _with_carets(text: str) -> str:
    """Small digits up as ^2, down as _2."""
    out, raised = "", False
    for letter in text:
        up = letter in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
        down = letter in "₀₁₂₃₄₅₆₇₈₉"
        if (up or down) and not raised:
            out += "^" if up else "_"
        raised = up or down
        out += "-" if letter == "⁻" else letter
    return out
