r"""Long formulas of LaTeX over several lines that fit a page.

The code is taken apart into pieces that must stay together; a line ends before a plus or minus, outside brackets where
there is room for that. A pair of brackets that is cut has a fixed size then, for `\left` and `\right` must be in one
line. Fractions and roots too wide for a line are written with brackets, so that they can be cut as well. Widths are
estimates in quads (the width of a capital M), from those of Computer Modern.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_]| [+-] | = |\s+|.", re.DOTALL)
_WIDTHS = {
    " + ": 1.22, " - ": 1.22, " = ": 1.33, r"\,": 0.17, r"\;": 0.28, r"\quad": 1.0, r"\cdot": 0.72, r"\times": 1.22,
    r"\sin": 1.35, r"\cos": 1.45, r"\tan": 1.5, r"\arcsin": 2.7, r"\arccos": 2.8, r"\arctan": 2.9, r"\ln": 1.0,
    r"\exp": 1.6, r"\min": 1.8, r"\max": 1.9, r"\left": 0.0, r"\right": 0.0, r"\le": 1.3, r"\ne": 1.3, r"\_": 0.5,
    r"\sinh": 1.8, r"\cosh": 1.9, r"\tanh": 1.95, r"\lfloor": 0.5, r"\rfloor": 0.5, r"\mathrm": 0.0, r"\text": 0.0,
    r"\mathbf": 0.0, r"\boldsymbol": 0.0, r"\dot": 0.0, r"\ddot": 0.0, r"\sqrt": 0.9, r"\scriptstyle": 0.0, r"\ ": 0.3,
    "(": 0.45, ")": 0.45, "[": 0.35, "]": 0.35, ",": 0.45, ".": 0.28, "'": 0.3, "|": 0.3, "/": 0.5, "-": 0.78,
    r"\mathsf": 0.0, r"\hat": 0.0, r"\bigl": 0.05, r"\bigr": 0.05, r"\partial": 0.57,
}  # fmt: skip
_SCRIPT = 0.72
LETTER, DIGIT = 0.55, 0.5


@dataclass(frozen=True)
class _Piece:
    code: str
    width: float
    depth: int
    """Brackets around it."""
    kind: str = ""
    """`sign`, `comma`, `space` (between factors), `open` or `close`."""
    script: float = 0.0
    """Width of what stands above or below at its end."""


def width(code: str) -> float:
    """Of a formula, in quads."""
    return sum(piece.width for piece in _pieces(code))


def lines(code: str, room: float, first: float | None = None) -> list[str]:
    """The formula in lines of at most `room` quads, the first of at most `first`; signs begin the further ones."""
    pieces = _flattened(_pieces(code), room)
    out: list[list[_Piece]] = []
    rest, space = pieces, room if first is None else first
    while sum(piece.width for piece in rest) > space:
        cut = _cut(rest, space)
        if cut is None:
            break
        out.append(rest[:cut])
        rest, space = rest[cut:], room
    return _with_fixed_brackets([*out, rest])


def _cut(pieces: list[_Piece], room: float) -> int | None:
    """Where the next line begins."""
    best: dict[tuple[int, int], int] = {}
    used = 0.0
    for k, piece in enumerate(pieces):
        if k and piece.kind == "sign" and used > 0:
            best[0, piece.depth] = k
        elif k and pieces[k - 1].kind == "comma":
            best[0, pieces[k - 1].depth] = k
        elif k and piece.kind == "space":
            best[1, piece.depth] = k
        used += piece.width
        if used > room and best:
            break
    for key in sorted(best):
        if sum(piece.width for piece in pieces[: best[key]]) > room / 3:
            return best[key]
    return best[min(best)] if best else None


def _with_fixed_brackets(rows: list[list[_Piece]]) -> list[str]:
    """Brackets of fixed size where a pair is cut."""
    opened: list[tuple[int, int]] = []
    codes = [[piece.code for piece in row] for row in rows]
    for k, row in enumerate(rows):
        for j, piece in enumerate(row):
            if piece.kind == "open":
                opened.append((k, j))
            elif piece.kind == "close" and opened:
                line, place = opened.pop()
                if line != k:
                    codes[line][place] = codes[line][place].replace(r"\left", r"\bigl")
                    codes[k][j] = codes[k][j].replace(r"\right", r"\bigr")
    return ["".join(row).strip() for row in codes]


def _flattened(pieces: list[_Piece], room: float) -> list[_Piece]:
    """Fractions and roots too wide for a line, with brackets in their place."""
    out: list[_Piece] = []
    for piece in pieces:
        parts = _parts(piece.code)
        if piece.width <= room or parts is None:
            out.append(piece)
            continue
        name, above, below = parts
        simple = not any(inner.kind in ("sign", "space") for inner in _pieces(below))
        end = "^{1/2}" if name == r"\sqrt" else f"/{below}" if simple else rf"/\left({below}\right)"
        inside = _flattened(_pieces(rf"\left({above}\right){end}"), room)
        out += [_Piece(p.code, p.width, p.depth + piece.depth, p.kind, p.script) for p in inside]
    return out


def _parts(code: str) -> tuple[str, str, str] | None:
    r"""`\frac` with what is above and below, `\sqrt` with what is under it."""
    for name in (r"\frac", r"\sqrt"):
        if code.startswith(name + "{"):
            above, place = _group(code, len(name))
            below = _group(code, place)[0] if name == r"\frac" else ""
            return name, above, below
    return None


def _group(code: str, start: int) -> tuple[str, int]:
    """What the braces at `start` hold, and where they end."""
    depth = 0
    for found in _TOKEN.finditer(code, start):
        depth += (found[0] == "{") - (found[0] == "}")
        if depth == 0:
            return code[start + 1 : found.end() - 1], found.end()
    return code[start + 1 :], len(code)


def _pieces(code: str) -> list[_Piece]:
    out: list[_Piece] = []
    place = depth = 0
    while place < len(code):
        token = _TOKEN.match(code, place)
        assert token is not None
        text, end = token[0], token.end()
        if text in (r"\left", r"\right"):
            bracket = _TOKEN.match(code, end)
            assert bracket is not None
            opens = text == r"\left"
            depth -= not opens
            kind = "open" if opens else "close"
            out.append(_Piece(text + bracket[0], _of(bracket[0]) + 0.1, depth, kind))
            depth += opens
            end = bracket.end()
        elif text in (" + ", " - ", " = "):
            out.append(_Piece(text, _of(text), depth, "sign"))
        elif text in (r"\,", ","):
            out.append(_Piece(text, _of(text), depth, "space" if text == r"\," else "comma"))
        else:
            code_of, size, end = _one(code, place)
            if out and code_of[0] in "^_":  # scripts stay with their letter, one above the other
                one = out.pop()
                wider = max(size, one.script)
                out.append(
                    _Piece(one.code + code_of, one.width - one.script + wider, one.depth, one.kind, wider)
                )
            else:
                out.append(_Piece(code_of, size, depth))
        place = end
    return out


def _one(code: str, place: int) -> tuple[str, float, int]:
    """The next thing that is not cut: its code, width and end."""
    token = _TOKEN.match(code, place)
    assert token is not None
    text, end = token[0], token.end()
    if text == "{":
        inside, end = _group(code, place)
        return code[place:end], width(inside), end
    if text in "^_":
        _, size, end = _one(code, end)
        return code[place:end], _SCRIPT * size, end
    if text == r"\frac":
        above, middle = _group(code, end)
        below, end = _group(code, middle)
        return code[place:end], max(width(above), width(below)) + 0.25, end
    if text.startswith("\\") and code[end : end + 1] == "{":
        inside, end = _group(code, end)
        size = len(inside) * DIGIT if text == r"\text" else width(inside)
        return code[place:end], size + _of(text), end
    return text, _of(text), end


def _of(text: str) -> float:
    if text in _WIDTHS:
        return _WIDTHS[text]
    if text.isspace():
        return 0.0
    if text.isdigit():
        return DIGIT
    return 0.62 if text.startswith("\\") else LETTER
