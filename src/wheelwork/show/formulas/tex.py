"""The document in LaTeX."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from .blocks import Array, Block, Grid, Heading, Lines, Name, Paragraph, Piece, in_words
from .breaking import lines, width
from .formulas import Expression
from .latex import SIGNS, latex, words
from .notation import Math

ROOM = 42.0
"""Width of a formula in quads: that of A4 with the margins below is 48."""

LONGEST_TABLE = 30
"""Lines of a table that is not broken over pages."""

_HEAD = r"""\documentclass[a4paper,fleqn]{article}
\usepackage[margin=20mm]{geometry}
\usepackage{amsmath,longtable}
\setlength{\mathindent}{1.5em}
\renewcommand{\arraystretch}{1.3}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.5ex}
\sloppy
\allowdisplaybreaks
\AtBeginDocument{\setlength{\abovedisplayskip}{5pt plus 2pt}\setlength{\belowdisplayskip}{5pt plus 2pt}}
\begin{document}
"""


def render(blocks: Iterable[Block], title: str = "") -> str:
    """A whole document."""
    del title
    text = _HEAD
    for block in blocks:  # an empty line before a formula would be one on paper
        text += ("\n" if isinstance(block, Lines | Array) else "\n\n") + _block(block)
    return text + "\n\n\\end{document}\n"


_ESCAPES = {
    "\\": r"\textbackslash{}", "_": r"\_\allowbreak ", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$", "{": r"\{",
    "}": r"\}", "^": r"\^{}", "~": r"\~{}", "<": r"$<$", ">": r"$>$", "|": r"$|$",
    "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\ldots{}", "\u00a0": "~",
}  # fmt: skip


def escaped(text: str) -> str:
    """Words, with what LaTeX would take for commands and what its fonts do not have spelt out."""
    return "".join(_letter(letter) for letter in text)


def _letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter in SIGNS:
        return f"${SIGNS[letter]}$"
    if letter.isascii():
        return letter
    base, *accents = unicodedata.normalize("NFD", letter)
    if len(accents) == 1 and base.isascii() and accents[0] in _ACCENTS:
        return rf"\{_ACCENTS[accents[0]]}{{{base}}}"
    return _LATIN.get(letter) or rf"\texttt{{U+{ord(letter):04X}}}"


_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c",
}  # fmt: skip
_LATIN = {
    "ß": r"\ss{}", "ø": r"\o{}", "Ø": r"\O{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "¿": "?`", "¡": "!`", "§": r"\S{}",
}  # fmt: skip


def _words(pieces: Sequence[Piece]) -> str:
    return in_words(pieces, "latex", "${}$".format, lambda name: rf"\textsf{{{escaped(name)}}}", escaped)


def _block(block: Block) -> str:
    match block:
        case Heading(level, pieces):
            return rf"\{'sub' * (level - 1)}section*{{{_words(pieces)}}}"
        case Paragraph(pieces):
            return _words(pieces)
        case Lines():
            return "\\begin{align*}\n" + " \\\\\n".join(rows(block)) + "\n\\end{align*}"
        case Array():
            if isinstance(shown := fitting(block), Lines):
                return _block(shown)
            parts = "\n\\]\n\\[\n".join(array(block, part) for part in shown)
            return "{\\small\n\\[\n" + parts + "\n\\]}"
        case Grid(columns, lines, right):
            marks = "".join("r" if k in right else "l" for k in range(len(columns)))
            texts = [" & ".join(_words(cell) for cell in row) + r" \\" for row in (columns, *lines)]
            long = len(lines) > LONGEST_TABLE
            texts.insert(1, r"\hline\endhead" if long else r"\hline")
            begin, end = ("longtable}[l]", "longtable}") if long else ("tabular}", "tabular}\n\n\\medskip")
            return f"\\medskip\n\n\\begin{{{begin}{{{marks}}}\n" + "\n".join(texts) + f"\n\\end{{{end}"


def aligned(block: Lines) -> str:
    """Equations below one another, aligned at their sign, as one formula."""
    return "\\begin{aligned}\n" + " \\\\\n".join(rows(block)) + "\n\\end{aligned}"


def rows(block: Lines) -> Iterator[str]:
    """Equations in as many lines as they need, with `&` where they are aligned."""
    left_width = max(width(left.latex) for left, _ in block.lines)
    for left, pieces in block.lines:
        right = "".join(_formula(piece) for piece in pieces)
        if left_width > ROOM / 3:  # no room to align: the whole equation is cut
            first, *more = lines(f"{left.latex} = {right}", ROOM - 3, ROOM)
            yield from [f"&{first}", *(rf"&\qquad {{}}{line}" for line in more)]
            continue
        room = ROOM - left_width
        first, *more = lines(right, room - 1, room)
        yield from [f"{left.latex} &= {first}", *(rf"&\quad {{}}{line}" for line in more)]


def _formula(piece: Piece) -> str:
    """A piece inside a formula: an equals sign stays one, words become upright."""
    match piece:
        case Math(_, code, _):
            return code
        case Expression():
            return piece.latex()
        case Name(text):
            return rf"\;{words(text)}"
    stripped = piece.strip()
    return f" {stripped} " if stripped in ("=", "= 0") else rf"\;{words(stripped)}"


def array(block: Array, part: slice = slice(None)) -> str:
    """A matrix, or some of its columns, with what the columns belong to written above."""
    columns = block.formulas.columns[part]
    heads = " & ".join(rf"\scriptstyle {latex(symbol)}" for symbol in columns)
    cells = r" \\ ".join(" & ".join(cell.latex() for cell in row[part]) for row in block.formulas.cells)
    marks = "c" * len(columns)
    return f"{block.left.latex} = \\begin{{array}}{{{marks}}} {heads} \\\\ \\hline {cells} \\end{{array}}"


def fitting(block: Array) -> list[slice] | Lines:
    """Columns that fit beside one another: all, those of one body at a time; or else one line for each entry."""
    heads, cells = block.formulas.columns, block.formulas.cells
    widest = [
        max(0.7 * width(latex(head)), *(width(row[k].latex()) for row in cells)) + 1.0
        for k, head in enumerate(heads)
    ]
    for size in (len(heads), block.block):
        parts = [slice(k, k + size) for k in range(0, len(heads), size)]
        if all(sum(widest[part]) < 1.1 * ROOM - 4 for part in parts):  # in a small font
            return parts
    entries = [
        (Math("", rf"\partial \Phi_{{{block.first + k}}}/\partial {latex(head)}", ""), (cell,))
        for k, row in enumerate(cells)
        for head, cell in zip(heads, row, strict=True)
        if not cell.is_zero
    ]
    return Lines(tuple(entries))
