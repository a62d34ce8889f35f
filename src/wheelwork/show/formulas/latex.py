r"""Equations in LaTeX: x'^{A}_{\mathrm{crank}} \cos\varphi_{\mathrm{crank}}."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from wheelwork.expressions.symbols import Symbol

from .printer import Printer

SIGNS = {
    "φ": r"\varphi", "ϕ": r"\phi", "ℓ": r"\ell", "²": "^{2}", "³": "^{3}", "·": r"\cdot", "×": r"\times", "−": "-",
    "±": r"\pm", "°": r"^{\circ}", "µ": r"\mu", "√": r"\surd", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx",
    "∂": r"\partial", "∞": r"\infty", "′": "'", "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil", "⌉": r"\rceil",
    "→": r"\to", "∈": r"\in", "⊥": r"\perp", "∥": r"\parallel", "½": r"\tfrac{1}{2}", "Σ": r"\Sigma",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta",
    "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho",
    "σ": r"\sigma", "τ": r"\tau", "υ": r"\upsilon", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Γ": r"\Gamma",
    "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Φ": r"\Phi", "Ψ": r"\Psi",
    "Ω": r"\Omega",
    "ε": r"\varepsilon",
}  # fmt: skip
"""Signs beyond ASCII as LaTeX has them in formulas."""
_FUNCTIONS = {
    "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan",
    "exp": r"\exp", "log": r"\ln", "sinh": r"\sinh", "cosh": r"\cosh", "tanh": r"\tanh", "min": r"\min", "max": r"\max",
}  # fmt: skip
_SIGNS = {"<": "<", "≤": r"\le", "=": "=", "≠": r"\ne"}
_ESCAPES = {
    "\\": r"\backslash ", "_": r"\_", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "{": r"\{", "}": r"\}",
    "-": r"\text{-}", " ": r"\ ",
}  # fmt: skip


def words(text: str) -> str:
    r"""A name as upright letters. MathJax knows `\_` in formulas only, not in `\text`; a hyphen must not be a minus."""
    return r"\mathrm{" + "".join(_ESCAPES.get(letter) or _sign(letter) for letter in text) + "}"


def _sign(letter: str) -> str:
    if letter.isascii():
        return letter
    return f"{{{SIGNS[letter]}}}" if letter in SIGNS else rf"\text{{{letter}}}"


class Latex(Printer):
    letter_pi = r"\pi"
    between, fences = r"\,", r"\left({}\right)"

    def fraction(self, above: tuple[str, int], below: tuple[str, int]) -> str:
        return rf"\frac{{{above[0]}}}{{{below[0]}}}"

    def decimal(self, digits: str, power: int) -> str:
        return rf"{digits} \cdot 10^{{{power}}}" if power else digits

    def symbol(self, symbol: Symbol) -> str:
        letter = SIGNS.get(symbol.letter) or (
            symbol.letter if len(symbol.letter) == 1 else words(symbol.letter)
        )
        if symbol.dots:
            letter = rf"\{'d' * symbol.dots}ot{{{letter}}}"
        if symbol.primes:
            letter += "'" * symbol.primes
        below = [
            SIGNS.get(part, part) if part.isdigit() or len(part) == 1 else words(part)
            for part in (symbol.of, symbol.axis)
            if part
        ]
        point = symbol.point if len(symbol.point) < 2 else words(symbol.point)
        above = f"^{{{point}}}" if point else ""
        if above and symbol.primes:
            letter = f"{{{letter}}}"
        return letter + above + (f"_{{{','.join(below)}}}" if below else "")

    def exponent(self, exponent: Fraction) -> str:
        return f"^{{{exponent}}}"

    def power(self, base: str, exponent: str) -> str:
        # a letter with a prime or superscript of its own cannot take a second one
        alone = base.startswith(r"\left") or not ("^" in base or "'" in base)
        return base + exponent if alone else f"{{{base}}}{exponent}"

    def root(self, text: str, short: bool) -> str:
        return rf"\sqrt{{{text}}}"

    def call(self, function: str, arguments: Sequence[tuple[str, bool]], exponent: str) -> str:
        if function == "abs":
            return rf"\left|{arguments[0][0]}\right|{exponent}"
        if function in ("floor", "ceil"):
            return rf"\left\l{function}{arguments[0][0]}\right\r{function}{exponent}"
        return super().call(function, arguments, exponent)

    def function(self, name: str) -> str:
        return _FUNCTIONS.get(name, rf"\mathrm{{{name}}}")

    def condition(self, one: str, sign: str, two: str) -> str:
        return rf"\left[{one} {_SIGNS[sign]} {two}\right]"


latex = Latex()
