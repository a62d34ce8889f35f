"""Short formulas that stand in sentences and on the left of equations, each in text, LaTeX and MathML at once."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from .mathml import dotted as dots_above
from .mathml import row


@dataclass(frozen=True)
class Math:
    """A short formula in a sentence or on the left of an equation."""

    plain: str
    latex: str
    mathml: str


_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def letter(plain: str, latex: str | None = None) -> Math:
    return Math(plain, latex or plain, f"<mi>{plain}</mi>")


def under(one: Math, two: Math) -> Math:
    """A letter with another below."""
    return Math(
        f"{one.plain}_{two.plain}", f"{one.latex}_{{{two.latex}}}", f"<msub>{one.mathml}{two.mathml}</msub>"
    )


def dotted(one: Math, dots: int = 1) -> Math:
    mark = "\u0307" if dots == 1 else "\u0308"
    return Math(
        unicodedata.normalize("NFC", one.plain + mark),
        rf"\{'d' * dots}ot{{{one.latex}}}",
        dots_above(one.mathml, dots),
    )


def transposed(one: Math) -> Math:
    return Math(
        one.plain + "ᵀ",
        f"{{{one.latex}}}^{{\\mathsf T}}",
        f'<msup>{row(one.mathml)}<mi mathvariant="normal">T</mi></msup>',
    )


def put(*parts: Math | str) -> Math:
    """Letters and signs one after the other; a text is a sign, or a space."""
    plain = "".join(part if isinstance(part, str) else part.plain for part in parts)
    latex = "".join(_SIGNS.get(part, part) if isinstance(part, str) else part.latex for part in parts)
    mathml = "".join(_sign(part) if isinstance(part, str) else part.mathml for part in parts)
    return Math(plain, latex, f"<mrow>{mathml}</mrow>")


_SIGNS = {" ": r"\,", " × ": r" \times ", " − ": " - "}


def _sign(text: str) -> str:
    if not text.strip():
        return '<mspace width="0.17em"></mspace>'
    if text.strip().isdigit():
        return f"<mn>{text.strip()}</mn>"
    return f"<mo>{text.strip()}</mo>"


PHI, PHI_Q = letter("Φ", r"\Phi"), under(letter("Φ", r"\Phi"), letter("q"))
NU, GAMMA, LAMBDA = letter("ν", r"\nu"), letter("γ", r"\gamma"), letter("λ", r"\lambda")
X, Y, ANGLE, OMEGA, V_ = (
    letter("x"), letter("y"), letter("φ", r"\varphi"), letter("ω", r"\omega"), letter("v")
)  # fmt: skip
M_, J_, Q_, R_, T_, F_, q_ = (letter(one) for one in ("m", "J", "Q", "R", "T", "F", "q"))
REACTION = put(transposed(PHI_Q), " ", LAMBDA)


def numbered(one: Math, k: int | str) -> Math:
    """The letter with a number, or a range of numbers, below."""
    text = str(k)
    small = text.translate(_SMALL) if text.isdigit() else f"_{text}"
    code = text.replace("–", r"\text{--}")
    return Math(one.plain + small, f"{one.latex}_{{{code}}}", f"<msub>{one.mathml}<mn>{text}</mn></msub>")
