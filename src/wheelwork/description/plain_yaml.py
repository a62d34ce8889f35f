"""The YAML that descriptions are mostly written in, read quickly: what needs more of YAML than this is left to ruamel.

Mappings and lists in blocks or in brackets, words and numbers, texts in quotes without escapes, texts of several lines
after `|`, comments. A text that holds anything else, or anything wrong, is not read here at all but from its beginning
by those who know the whole language and what to say about mistakes (:mod:`wheelwork.description.source`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from wheelwork.description.validation_errors import Path

_STRANGE = re.compile("[^\n -~\xa0-\u2027\u202a-\ud7ff]")
_NEXT = re.compile(r"(?: *(?:#[^\n]*)?\n)*( *)")
_KEY = r"([A-Za-z_][A-Za-z0-9_.-]{0,99}):"
_ENTRY = re.compile(_KEY + r"(?=[ \n])")
_ITEM = re.compile(r"- +(?=[^ #\n])")
_END = re.compile(r"(?: +#[^\n]*| *)\n")
_LITERAL = re.compile(r"\| *\n(?=( +)[^ \n])")
_START = r"(?:[A-Za-z0-9_./+(]|-(?=[A-Za-z0-9_.(]))"
_PLAIN = re.compile(_START + r"[^\n:#]*")
_IN_BRACKETS = re.compile(_START + r"[^\n:#,\[\]{}]*")
_QUOTED = re.compile(r""""([^"\\\n]*)"|'([^'\n]*)'(?!')""")
_BLANKS = re.compile(r" *")
_SPACE = re.compile(r"(?: |\n(?= ))*")
_ENTRY_IN_BRACKETS = re.compile(_KEY + r"(?= )")


class _MoreThanPlain(Exception):
    pass


class PlainYaml:
    """A text, read from front to back.

    data: what it says; None where that takes more of YAML
    values, keys: line and column (from 1) of each value and key, by its path
    """

    def __init__(self, text: str, scalar: Callable[[str], Any], deepest: int) -> None:
        """scalar: what a word or number without quotes means; deepest: levels of nesting that there may be"""
        self.data: dict[str, Any] | None = None
        self.values: dict[Path, tuple[int, int]] = {}
        self.keys: dict[Path, tuple[int, int]] = {}
        self._text, self._scalar, self._left = text, scalar, deepest
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._at = 0  # the next character to look at
        self._indent = 0  # of the line that it is the first character of; -1 at the end
        if _STRANGE.search(text) or not text.endswith("\n"):
            return
        try:
            self._next_line()
            data = self._block(0, ())
        except _MoreThanPlain:
            return
        if isinstance(data, dict) and self._indent < 0:
            self.data = data

    def _found(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._at)
        if match:
            self._at = match.end()
        return match

    def _needed(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = self._found(pattern)
        if match is None:
            raise _MoreThanPlain
        return match

    def _next_line(self) -> None:
        """To the next line that says something."""
        spaces = self._needed(_NEXT)[1]
        self._indent = -1 if self._at == len(self._text) else len(spaces)

    def _position(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._lines, at)
        return line, at - self._lines[line - 1] + 1

    def _deeper(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _MoreThanPlain

    def _block(self, indent: int, path: Path) -> Any:
        """A mapping or list that begins here, each entry with this indentation."""
        if self._indent != indent:
            raise _MoreThanPlain
        self.values[path] = self._position(self._at)
        self._deeper()
        read = self._sequence if self._text.startswith("- ", self._at) else self._mapping
        data = read(indent, path)
        self._left += 1
        if self._indent > indent:
            raise _MoreThanPlain
        return data

    def _mapping(self, indent: int, path: Path) -> dict[str, Any]:
        data: dict[str, Any] = {}
        while self._indent == indent:
            inner = self._key(_ENTRY, data, path)
            data[inner[-1]] = self._entry(indent, inner)
        return data

    def _key(self, pattern: re.Pattern[str], data: dict[str, Any], path: Path) -> tuple[Any, ...]:
        """Path of the entry that begins here."""
        at = self._at
        key = self._needed(pattern)[1]
        if key in data:
            raise _MoreThanPlain
        inner = (*path, key)
        self.keys[inner] = self._position(at)
        return inner

    def _entry(self, indent: int, path: Path) -> Any:
        """What stands after `key:`, on its line or below it."""
        if not self._found(_END):
            self._found(_BLANKS)
            return self._value(indent, path)
        self._next_line()
        if self._indent > indent:
            brackets = self._text[self._at] in "[{"
            return self._value(indent, path) if brackets else self._block(self._indent, path)
        if self._indent < indent or not self._text.startswith("- ", self._at):  # nothing at all
            raise _MoreThanPlain
        return self._block(indent, path)

    def _sequence(self, indent: int, path: Path) -> list[Any]:
        data: list[Any] = []
        while self._indent == indent and self._text.startswith("- ", self._at):
            begin, inner = self._at, (*path, len(data))
            self._needed(_ITEM)
            if _ENTRY.match(self._text, self._at) or self._text.startswith("- ", self._at):
                self._indent = indent + self._at - begin
                data.append(self._block(self._indent, inner))
            else:
                data.append(self._value(indent, inner))
        return data

    def _value(self, indent: int, path: Path) -> Any:
        """What stands here until the end of the line, of the brackets that it opens, or of the lines after `|`."""
        at = self._at
        literal = self._found(_LITERAL)
        if literal:
            self.values[path] = self._position(at)
            return self._literal(indent, len(literal[1]))
        data = self._bracketed(path) if self._text[at] in "[{" else self._word(_PLAIN, path)
        self._needed(_END)
        self._next_line()
        return data

    def _word(self, pattern: re.Pattern[str], path: Path) -> Any:
        """A text in quotes, a word or a number; blanks after it are left for what follows."""
        self.values[path] = self._position(self._at)
        quoted = self._found(_QUOTED)
        if quoted is not None:
            return quoted[quoted.lastindex or 1]
        text = self._needed(pattern)[0]
        short = text.rstrip(" ")
        self._at -= len(text) - len(short)
        return self._scalar(short)

    def _literal(self, indent: int, width: int) -> str:
        """Lines as they are, ended by one newline."""
        if width <= indent:
            raise _MoreThanPlain
        begin = self._at
        self._needed(re.compile(rf"(?: {{{width}}}[^\n]*\n|\n)+"))
        kept = [line[width:] for line in self._text[begin : self._at].split("\n")]
        self._next_line()
        return "\n".join(kept).rstrip("\n") + "\n"

    def _bracketed(self, path: Path) -> Any:
        """A list or mapping in brackets."""
        self.values[path] = self._position(self._at)
        self._deeper()
        listed = self._text[self._at] == "["
        closing = "]" if listed else "}"
        self._at += 1
        self._found(_SPACE)
        data: Any = [] if listed else {}
        more = self._text[self._at] != closing
        while more:
            if listed:
                data.append(self._inside((*path, len(data))))
            else:
                inner = self._key(_ENTRY_IN_BRACKETS, data, path)
                self._found(_BLANKS)
                data[inner[-1]] = self._inside(inner)
            self._found(_SPACE)
            more = self._text[self._at] == ","
            self._at += more
            self._found(_SPACE)
        if self._text[self._at] != closing:
            raise _MoreThanPlain
        self._at += 1
        self._left += 1
        return data

    def _inside(self, path: Path) -> Any:
        return self._bracketed(path) if self._text[self._at] in "[{" else self._word(_IN_BRACKETS, path)
