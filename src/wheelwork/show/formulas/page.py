"""The document as a page that needs nothing from elsewhere: formulas in MathML, which browsers show by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .blocks import Array, Block, Grid, Heading, Lines, Paragraph, Piece, in_words
from .formulas import Expression
from .layout import width
from .mathml import mathml
from .plain import plain

LONGEST = 100

_STYLE = """
:root { color-scheme: light dark; --line: #c9ced6; --ink: #1f2530; --faint: #667; --paper: #fff; --band: #f5f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --line: #444b57; --ink: #e4e7ec; --faint: #9aa3b2; --paper: #16191f; --band: #1e222a; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 62rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin-top: 2rem; }
code { font: 0.95em ui-monospace, monospace; background: var(--band); padding: 0.05em 0.3em; border-radius: 3px; }
math { font-size: 1.1em; }
.formulas { overflow-x: auto; padding: 0.3rem 0 0.3rem 1.5rem; }
.formulas, .matrix { font-family: math, "STIX Two Math", "Cambria Math", serif; font-size: 1.1em; }
.formulas math, .matrix math { font-size: 1em; }
.formulas table { border-collapse: collapse; }
.formulas td { padding: 0.15rem 0.2rem; vertical-align: baseline; white-space: nowrap; }
.formulas td:first-child { text-align: right; }
.matrix { display: flex; align-items: center; gap: 0.5rem; overflow-x: auto; padding: 0.3rem 0 0.3rem 1.5rem; }
.matrix table { border-collapse: collapse; border-left: 1px solid var(--ink); border-right: 1px solid var(--ink); }
.matrix th { font-weight: normal; color: var(--faint); border-bottom: 1px solid var(--line); }
.matrix td, .matrix th { padding: 0.15rem 0.6rem; text-align: center; white-space: nowrap; }
.matrix .next { border-left: 1px dotted var(--line); }
.grid { border-collapse: collapse; margin-left: 1.5rem; }
.grid th, .grid td { padding: 0.2rem 0.9rem 0.2rem 0; text-align: left; border-bottom: 1px solid var(--line); }
.grid .right { text-align: right; }
"""


def render(blocks: Iterable[Block], title: str = "") -> str:
    body = "\n".join(_block(block) for block in blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title or 'Equations')}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def math(inside: str) -> str:
    return f'<math displaystyle="true">{inside}</math>'


def _words(pieces: Sequence[Piece]) -> str:
    return in_words(pieces, "mathml", math, lambda name: f"<code>{escape(name)}</code>", escape)


def _block(block: Block) -> str:
    match block:
        case Heading(level, pieces):
            return f"<h{level}>{_words(pieces)}</h{level}>"
        case Paragraph(pieces):
            return f"<p>{_words(pieces)}</p>"
        case Lines():
            return _lines(block)
        case Array():
            return _array(block)
        case Grid():
            return _grid(block)


def _lines(block: Lines) -> str:
    rows = []
    for left, pieces in block.lines:
        lines = [""]
        for piece in pieces:
            if isinstance(piece, Expression):
                begin, *more = mathml.lines(piece.tree, LONGEST, lambda term: width(plain(term)))
                lines[-1] += math(begin)
                lines += [math('<mspace width="2em"></mspace>' + one) for one in more]
            else:
                lines[-1] += _words([piece])
        shown = math(left.mathml)
        rows.append(f"<tr><td>{shown}</td><td>=</td><td>{lines[0]}</td></tr>")
        rows += [f"<tr><td></td><td></td><td>{line}</td></tr>" for line in lines[1:]]
    return f'<div class="formulas"><table>{"".join(rows)}</table></div>'


def _array(block: Array) -> str:
    def cells(tag: str, texts: Iterable[str]) -> str:
        out = []
        for k, text in enumerate(texts):
            mark = ' class="next"' if k and k % block.block == 0 else ""
            out.append(f"<{tag}{mark}>{math(text)}</{tag}>")
        return f"<tr>{''.join(out)}</tr>"

    head = cells("th", (mathml(symbol) for symbol in block.formulas.columns))
    rows = "".join(cells("td", (cell.mathml() for cell in line)) for line in block.formulas.cells)
    left = math(block.left.mathml)
    return f'<div class="matrix">{left}<span>=</span><table>{head}{rows}</table></div>'


def _grid(block: Grid) -> str:
    def line(tag: str, cells: Iterable[Sequence[Piece]]) -> str:
        out = []
        for k, cell in enumerate(cells):
            mark = ' class="right"' if k in block.right else ""
            out.append(f"<{tag}{mark}>{_words(cell)}</{tag}>")
        return f"<tr>{''.join(out)}</tr>"

    return (
        f'<table class="grid">{line("th", block.columns)}{"".join(line("td", r) for r in block.rows)}</table>'
    )
