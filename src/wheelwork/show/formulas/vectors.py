"""Formulas of vectors, written as in the data sheets: `d = t - tan(beta) z_a`, `(P - x_a) x d`, `d . (v_a - v_b)`.

A cross product is an `x` between spaces, a scalar product a point between spaces, a product a space; `l'` is the rate
of `l`. A formula can be printed in text, LaTeX and MathML, and evaluated, so that tests compare what is printed with
what is solved.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .latex import SIGNS, words
from .mathml import dotted
from .notation import Math

_TOKEN = re.compile(r"\s*([A-Za-z]+(?:_[a-z0-9]+)?'*|[0-9.]*[0-9]|[-+/^()|,]|\.)|(\s+x\s+)")
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "phi": "φ", "psi": "ψ", "omega": "ω", "w": "ω", "rho": "ρ", "sigma": "σ",
    "theta": "θ", "lambda": "λ", "nu": "ν", "pi": "π", "length": "ℓ",
}  # fmt: skip
FUNCTIONS = {"sin": np.sin, "cos": np.cos, "tan": np.tan, "floor": np.floor, "abs": np.abs}
SCALARS = frozenset(
    ("g", "r", "psi", "beta", "alpha", "c", "h", "sigma", "theta", "k", "lambda", "length", "y", "pi")
)
"""Letters that are numbers, as words of more than two letters are; the others are vectors, and bold."""


@dataclass(frozen=True)
class VectorNode:
    """`kind`: name, number, sum, product, cross, dot, quotient, power, norm, brackets or call; `parts`: of what."""

    kind: str
    parts: tuple[Any, ...]

    def math(self) -> Math:
        """The formula in text, LaTeX and MathML."""
        return _printed(self)

    def value(self, values: Mapping[str, Any]) -> Any:
        """Its number or vector, with numbers and vectors for its names (`l'` for the rate of `l`)."""
        return _value(self, values)

    def names(self) -> set[str]:
        """Names that occur."""
        if self.kind == "name":
            return {self.parts[0]}
        return set().union(*(part.names() for part in self.parts if isinstance(part, VectorNode)))


@cache
def formula(text: str) -> VectorNode:
    """Read a formula."""
    tokens, place = [], 0
    while place < len(text.rstrip()):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ValueError(f"`{text[place:]}` in `{text}` is not a formula")
        tokens.append("x" if found[2] else found[1])
        place = found.end()
    reader = _VectorReader([*tokens, ""])
    node = reader.sum()
    if reader.tokens[reader.place]:
        raise ValueError(f"unexpected text after the formula `{text}`: `{reader.tokens[reader.place]}`")
    return node


_CHAINS = (("dot", "."), ("cross", "x"), ("quotient", "/"))


class _VectorReader:
    def __init__(self, tokens: list[str]):
        self.tokens, self.place, self.in_norm = tokens, 0, 0

    @property
    def next(self) -> str:
        return self.tokens[self.place]

    def take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def sum(self) -> VectorNode:
        terms: list[tuple[bool, VectorNode]] = []
        while not terms or self.next in ("+", "-"):
            negative = self.next == "-"
            if self.next in ("+", "-"):
                self.take()
            terms.append((negative, self._chain()))
        if len(terms) == 1 and not terms[0][0]:
            return terms[0][1]
        return VectorNode("sum", tuple(VectorNode("minus" if n else "plus", (t,)) for n, t in terms))

    def _chain(self, level: int = 0) -> VectorNode:
        """Dots of crosses of quotients of products."""
        if level == len(_CHAINS):
            return self._product()
        kind, sign = _CHAINS[level]
        parts = [self._chain(level + 1)]
        while self.next == sign:
            self.take()
            parts.append(self._chain(level + 1))
        return parts[0] if len(parts) == 1 else VectorNode(kind, tuple(parts))

    def _product(self) -> VectorNode:
        factors = [self._factor()]
        while (re.match(r"[A-Za-z0-9(]", self.next) and self.next != "x") or (
            self.next == "|" and not self.in_norm
        ):
            factors.append(self._factor())
        return factors[0] if len(factors) == 1 else VectorNode("product", tuple(factors))

    def _factor(self) -> VectorNode:
        token = self.take()
        if token == "(":
            outside, self.in_norm = self.in_norm, 0
            node = VectorNode("brackets", (self.sum(),))
            self.in_norm = outside
            self._close(")")
        elif token == "|":
            self.in_norm += 1
            node = VectorNode("norm", (self.sum(),))
            self.in_norm -= 1
            self._close("|")
        elif token in FUNCTIONS:
            self._close("(")
            node = VectorNode("call", (token, self.sum()))
            self._close(")")
        elif re.match(r"[0-9]", token):
            node = VectorNode("number", (float(token),))
        else:
            node = VectorNode("name", (token,))
        if self.next == "^":
            self.take()
            node = VectorNode("power", (node, int(self.take())))
        return node

    def _close(self, sign: str) -> None:
        if self.take() != sign:
            raise ValueError(f"`{sign}` is missing before `{self.tokens[self.place - 1]}`")


def _value(node: VectorNode, values: Mapping[str, Any]) -> Any:
    parts = node.parts
    match node.kind:
        case "name":
            return np.pi if parts[0] == "pi" else values[parts[0]]
        case "number":
            return parts[0]
        case "sum":
            return sum(_value(term, values) for term in parts)
        case "plus" | "brackets":
            return _value(parts[0], values)
        case "minus":
            return -_value(parts[0], values)
        case "norm":
            return np.linalg.norm(_value(parts[0], values))
        case "call":
            return FUNCTIONS[parts[0]](_value(parts[1], values))
        case "power":
            return _value(parts[0], values) ** parts[1]
    first, *others = (_value(part, values) for part in parts)
    for other in others:
        match node.kind:
            case "product":
                assert np.ndim(first) == 0 or np.ndim(other) == 0
                first = first * other
            case "quotient":
                first = first / other
            case "cross":
                first = np.cross(first, other)
            case "dot":
                assert np.shape(first) == np.shape(other) == (3,)
                first = np.dot(first, other)
    return first


def symbol(name: str) -> Math:
    """A letter with what hangs on it."""
    dots = len(name) - len(name.rstrip("'"))
    letter, _, below = name.rstrip("'").partition("_")
    if letter in ("ex", "ey", "ez"):  # an axis of a frame
        letter, below = "e", f"{letter[1]},{below}".rstrip(",")
    plain = _GREEK.get(letter, letter)
    vector = letter not in SCALARS and (len(letter) <= 2 or letter in _GREEK)
    code = SIGNS.get(plain, plain) if len(plain) == 1 else words(plain)
    if vector:
        code = rf"\boldsymbol{{{code}}}" if plain in SIGNS else rf"\mathbf{{{plain}}}"
    mathml = f"<mi>{_bold(plain) if vector else plain}</mi>"
    if dots:
        plain = unicodedata.normalize("NFC", plain + ("\u0307" if dots == 1 else "\u0308"))
        code, mathml = rf"\{'d' * dots}ot{{{code}}}", dotted(mathml, dots)
    if below:
        plain, code = f"{plain}_{below}", f"{code}_{{{below}}}"
        mathml = f"<msub>{mathml}<mi>{below}</mi></msub>"
    return Math(plain, code, mathml)


def _bold(letter: str) -> str:
    """As browsers show it: they know bold letters in formulas as signs of their own only."""
    if letter.isascii() and len(letter) == 1 and letter.isalpha():
        return chr((0x1D41A - ord("a") if letter.islower() else 0x1D400 - ord("A")) + ord(letter))
    return {"ω": "𝛚"}.get(letter, letter)


def _joined(parts: list[Math], plain: str, latex: str, mathml: str) -> Math:
    return Math(
        plain.join(one.plain for one in parts),
        latex.join(one.latex for one in parts),
        "<mrow>" + mathml.join(one.mathml for one in parts) + "</mrow>",
    )


def _fenced(one: Math, left: str, right: str, code: tuple[str, str] | None = None) -> Math:
    opening, closing = code or (left, right)
    return Math(
        left + one.plain + right,
        rf"\left{opening} {one.latex}\right{closing}",
        f'<mrow><mo fence="true">{left}</mo>{one.mathml}<mo fence="true">{right}</mo></mrow>',
    )


_BETWEEN = {
    "product": (" ", r"\,", '<mspace width="0.17em"></mspace>'),
    "cross": (" × ", r" \times ", "<mo>×</mo>"),
    "dot": (" · ", r" \cdot ", "<mo>·</mo>"),
}


def _printed(node: VectorNode) -> Math:
    parts = node.parts
    match node.kind:
        case "name":
            return symbol(parts[0])
        case "number":
            text = f"{parts[0]:g}"
            return Math(text, text, f"<mn>{text}</mn>")
        case "brackets":
            return _fenced(_printed(parts[0]), "(", ")")
        case "norm":
            return _fenced(_printed(parts[0]), "|", "|")
        case "call":
            inside = _printed(parts[1])
            if parts[0] == "floor":
                return _fenced(inside, "⌊", "⌋", (r"\lfloor", r"\rfloor"))
            if parts[0] == "abs":
                return _fenced(inside, "|", "|")
            head = Math(parts[0], rf"\{parts[0]}", f"<mi>{parts[0]}</mi>")
            if parts[1].kind == "name":
                return _joined([head, inside], " ", " ", '<mspace width="0.17em"></mspace>')
            return _joined([head, _fenced(inside, "(", ")")], "", "", "")
        case "power":
            base = _printed(parts[0])
            small = {2: "²", 3: "³", 4: "⁴"}[parts[1]]
            return Math(
                base.plain + small,
                f"{{{base.latex}}}^{{{parts[1]}}}",
                f"<msup>{base.mathml}<mn>{parts[1]}</mn></msup>",
            )
        case "sum":
            out = Math("", "", "")
            for k, term in enumerate(parts):
                sign = "−" if term.kind == "minus" else "+" if k else ""
                one = _printed(term.parts[0])
                space = " " if k else ""
                out = Math(
                    f"{out.plain}{space}{sign}{space}{one.plain}",
                    f"{out.latex}{space}{sign.replace('−', '-')}{space}{one.latex}",
                    out.mathml + (f"<mo>{sign}</mo>" if sign else "") + one.mathml,
                )
            return Math(out.plain, out.latex, f"<mrow>{out.mathml}</mrow>")
        case "quotient":
            bare = [_printed(p.parts[0] if p.kind == "brackets" else p) for p in parts]
            return Math(
                "/".join(_printed(part).plain for part in parts),
                rf"\frac{{{bare[0].latex}}}{{{bare[1].latex}}}",
                f"<mfrac>{bare[0].mathml}{bare[1].mathml}</mfrac>",
            )
    return _joined([_printed(part) for part in parts], *_BETWEEN[node.kind])
