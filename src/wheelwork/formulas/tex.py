"""The document in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .document import Array, Block, Grid, Heading, Lines, Name, Paragraph, Piece
from .formulas import Expression
from .latex import latex, words
from .layout import width
from .notation import Math
from .plain import plain

LONGEST = 90
"""Letters of a formula in a line, as in plain text."""

_HEAD = r"""\documentclass[a4paper]{article}
\usepackage[margin=20mm]{geometry}
\usepackage{amsmath}
\usepackage[utf8]{inputenc}
\allowdisplaybreaks
\setcounter{MaxMatrixCols}{24}
\begin{document}
"""


def render(blocks: Iterable[Block], title: str = "") -> str:
    """A whole document."""
    del title
    return _HEAD + "\n\n".join(_block(block) for block in blocks) + "\n\n\\end{document}\n"


def escaped(text: str) -> str:
    for sign, code in (("\\", r"\textbackslash "), ("_", r"\_"), ("&", r"\&"), ("%", r"\%"), ("#", r"\#"), ("$", r"\$"),
                       ("{", r"\{"), ("}", r"\}"), ("²", r"\textsuperscript{2}"), ("·", r"$\cdot$"), ("−", "$-$"),
                       ("^", r"\^{}"), ("~", r"\~{}"), ("×", r"$\times$")):  # fmt: skip
        text = text.replace(sign, code)
    return text


def _words(pieces: Sequence[Piece]) -> str:
    out = []
    for piece in pieces:
        match piece:
            case Math(_, code, _):
                out.append(f"${code}$")
            case Name(text):
                out.append(rf"\textsf{{{escaped(text)}}}")
            case Expression():
                out.append(f"${piece.latex()}$")
            case _:
                out.append(escaped(piece))
    return "".join(out)


def _block(block: Block) -> str:
    match block:
        case Heading(level, pieces):
            return rf"\{'sub' * (level - 1)}section*{{{_words(pieces)}}}"
        case Paragraph(pieces):
            return r"\noindent " + _words(pieces)
        case Lines():
            return "\\begin{gather*}\n" + aligned(block) + "\n\\end{gather*}"
        case Array():
            return "\\[\\small\n" + array(block) + "\n\\]"
        case Grid(columns, rows, right):
            marks = "".join("r" if k in right else "l" for k in range(len(columns)))
            lines = [" & ".join(_words(cell) for cell in row) + r" \\" for row in (columns, *rows)]
            lines.insert(1, r"\hline")
            return f"\\begin{{tabular}}{{{marks}}}\n" + "\n".join(lines) + "\n\\end{tabular}"


def in_lines(expression: Expression) -> list[str]:
    """A formula in as many lines as it needs."""
    return latex.lines(expression.tree, LONGEST, lambda term: width(plain(term)))


def aligned(block: Lines) -> str:
    """Equations below one another, aligned at their sign."""
    out = []
    for left, pieces in block.lines:
        first, *more = [""]
        for piece in pieces:
            if isinstance(piece, Expression):
                begin, *further = in_lines(piece)
                if more:
                    more[-1] += begin
                else:
                    first += begin
                more += further
                continue
            text = piece.latex if isinstance(piece, Math) else _formula(piece)
            if more:
                more[-1] += text
            else:
                first += text
        out.append(f"{left.latex} &= {first}")
        out += [rf"&\quad {line}" for line in more]
    return "\\begin{aligned}\n" + " \\\\\n".join(out) + "\n\\end{aligned}"


def _formula(piece: str | Name) -> str:
    """Text inside a formula: an equals sign stays one, words become upright."""
    text = piece.text if isinstance(piece, Name) else piece
    stripped = text.strip()
    if stripped == "=":
        return " = "
    if stripped == "= 0":
        return " = 0"
    return rf"\;{words(stripped)}".replace("²", "$^2$")


def array(block: Array) -> str:
    """A matrix with what its columns belong to written above."""
    heads = " & ".join(rf"\scriptstyle {latex(symbol)}" for symbol in block.formulas.columns)
    rows = r" \\ ".join(" & ".join(cell.latex() for cell in row) for row in block.formulas.cells)
    marks = "c" * len(block.formulas.columns)
    return f"{block.left.latex} = \\begin{{array}}{{{marks}}} {heads} \\\\ \\hline {rows} \\end{{array}}"
