"""YAML text to plain data, with the line and column of every key and value.

Plain texts are read by :mod:`wheelwork.description.plain_yaml`, all others by ruamel. The scalars are those of YAML
1.2's core schema: `on` and `1:30` are texts, `1e-3` is a number. Tags that would make objects are refused, and what
anchors would expand to is counted before anything is expanded.
"""

from __future__ import annotations

import math
import os
import re
import stat
from dataclasses import field, replace
from pathlib import Path as File
from typing import Any

from wheelwork.description.plain_yaml import PlainYaml
from wheelwork.description.validation_errors import Path, path_text
from wheelwork.lazy import dataclass, ruamel_yaml
from wheelwork.problems import ModelError, Problem, did_you_mean

LARGEST = 16 * 2**20  # bytes of a file
LARGEST_TEXT = 4 * LARGEST  # of a text: results keep surfaces of their bodies in it
DEEPEST = 100  # levels of nesting
MOST_REPEATED = 100_000  # values that anchors may add

Position = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Source:
    """A file's text, and the line and column (from 1) of each key and value in it.

    prefix: the part of the file that is meant; a mechanism written inside another shares its file
    """

    file: str
    text: str
    values: dict[Path, Position] = field(default_factory=dict)
    keys: dict[Path, Position] = field(default_factory=dict)
    prefix: Path = ()

    def where(self, path: Path, key: bool = False) -> str:
        """`file:line:column` of a path, or of the nearest thing around it that is written in the file."""
        full = (*self.prefix, *path)
        while full:
            position = (self.keys if key else self.values).get(full) or self.values.get(full)
            if position:
                return f"{self.file}:{position[0]}:{position[1]}"
            full, key = full[:-1], True
        return self.file

    def inside(self, path: Path) -> Source:
        """The same file, with paths counted from a mechanism inside it."""
        return replace(self, prefix=(*self.prefix, *path))

    def __deepcopy__(self, memo: object) -> Source:
        return self


def read_bytes(path: File | str, largest: int = LARGEST) -> bytes:
    """What a file holds, or a `ModelError` that says why it cannot be read."""
    file = File(path)
    try:
        if file.is_dir():
            raise _error(file, "is a folder, not a file")
        return _bytes(file, largest)
    except FileNotFoundError:
        pattern = f"*{file.suffix}" if file.suffix.lower() not in (".yaml", ".yml") else "*.y*ml"
        neighbours = [other.name for other in file.parent.glob(pattern)] if file.parent.is_dir() else []
        raise _error(file, "there is no such file", did_you_mean(file.name, neighbours)) from None
    except OSError as error:
        raise _error(file, f"cannot be read: {error.strerror or error}") from None
    except ValueError:  # a character that no system has in names of files
        raise _error(
            str(file).encode("ascii", "backslashreplace").decode(), "is not the name of a file"
        ) from None


def read_text(path: File | str) -> str:
    """The text of a file, or a `ModelError` that says why it cannot be read."""
    file, data = File(path), read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8 text (byte 0x{data[error.start]:02x} in line {line})"
        raise _error(file, message, "save the file as UTF-8") from None


def _bytes(file: File, largest: int) -> bytes:
    """What an ordinary file holds. A pipe is not waited for; files of the kernel that have no size may never end."""
    wait_for_nobody = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(file, os.O_RDONLY | wait_for_nobody), "rb") as opened:
        about = os.fstat(opened.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise _error(file, "is not an ordinary file")
        if about.st_size > largest:
            what = "a description" if largest == LARGEST else "a file of solids"
            limit = f"{what} may have {largest / 2**20:.0f} MB"
            raise _error(file, f"is too large: {limit}, and this file has {about.st_size / 2**20:.0f} MB")
        return opened.read(about.st_size)


def parse(text: str, file: str) -> tuple[dict[str, Any], Source]:
    """Plain data and positions of a YAML text; everything wrong with the YAML itself is a `ModelError`."""
    if len(text) > LARGEST_TEXT:
        raise _error(file, f"is too large: a description may have {LARGEST_TEXT / 2**20:.0f} MB")
    plain = PlainYaml(text, scalar, DEEPEST)
    if plain.data is not None:
        return plain.data, Source(file, text, plain.values, plain.keys)
    return parse_any(text, file)


def parse_any(text: str, file: str) -> tuple[dict[str, Any], Source]:
    """As `parse`, by the whole of YAML."""
    try:
        root = ruamel_yaml.YAML(typ="safe", pure=True).compose(text)
    except ruamel_yaml.error.MarkedYAMLError as error:  # pyright: ignore[reportAttributeAccessIssue]
        raise ModelError(_yaml_problem(error, text, file)) from None
    except ruamel_yaml.YAMLError as error:
        raise _error(file, f"is not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise _error(file, f"is nested more than {DEEPEST} levels deep") from None
    except (
        Exception
    ) as error:  # what ruamel itself did not expect: versions and characters that there are not
        raise ModelError(_strange_problem(error, text, file)) from None
    if root is None or (root.id == "scalar" and root.value == ""):
        raise _error(file, "is empty; a mechanism has at least `bodies`")
    source = Source(file, text)
    reader = _Reader(source)
    reader.count(root)
    if reader.problems:  # a circle or a bomb must not be walked
        raise ModelError(reader.problems)
    data = reader.convert(root, ())
    if not isinstance(data, dict):
        what = "a list" if isinstance(data, list) else f"`{str(data)[:40]}`"
        reader.problem((), root, f"needs a mapping with keys such as `bodies` and `joints`, but is {what}")
    if reader.problems or not isinstance(data, dict):
        raise ModelError(reader.problems)
    return data, source


def _error(file: File | str, message: str, hint: str = "") -> ModelError:
    return ModelError(message, str(file), "", hint)


def _yaml_problem(error: Any, text: str, file: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    bad = lines[line - 1] if line <= len(lines) else ""
    where = f"{file}:{line}:{column}"
    if "\t" in bad[:column] and not bad[: column - 1].strip():
        return Problem("is indented with a tab, but YAML needs spaces", where)
    what = " ".join(part for part in (error.context, error.problem) if part)
    if "single document" in what:
        return Problem("a second document begins here; a file holds one mechanism", where)
    hint = ""
    if "mapping values are not allowed" in what or "could not find expected ':'" in what:
        hint = "is a `:` or the space after it missing, or the indentation wrong?"
    elif "`" in bad[column - 1 : column] or "%" in bad[column - 1 : column]:
        hint = "put the text in quotes"
    return Problem(f"is not YAML: {what}", where, "", hint)


_STRANGE = (
    (re.compile(r"^%YAML[^\n]*", re.MULTILINE), "there is no such version; Wheelwork reads `%YAML 1.2`"),
    (
        re.compile(r"\\U(?!000|0010)[0-9a-fA-F]{8}"),
        "there is no such character: the last one is `\\U0010FFFF`",
    ),
)


def _strange_problem(error: Exception, text: str, file: str) -> Problem:
    """Where it is, as far as that can be told."""
    for pattern, words in _STRANGE:
        found = pattern.search(text)
        if found:
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - text.rfind("\n", 0, found.start())
            return Problem(f"is not YAML: {words}", f"{file}:{line}:{column}")
    return Problem(f"is not YAML: {type(error).__name__}: {error}", file)


_HALF = re.compile("[\ud800-\udfff]")
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_STANDARD = "tag:yaml.org,2002:"
_CORE = ("str", "int", "float", "bool", "null", "map", "seq", "timestamp", "merge", "value")
_HARMLESS = {_STANDARD + name for name in _CORE}


def scalar(text: str) -> Any:
    """What an unquoted text means in YAML 1.2's core schema."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text) and len(text) < 300:  # longer ones are not doubles
        return int(text, 0 if text[:2] in ("0o", "0x") else 10)
    if text[:2] in ("0o", "0x") and _INTEGER.fullmatch(text):
        return math.inf
    return float(text) if _FLOAT.fullmatch(text) else text


class _Reader:
    """Turns ruamel's nodes into dicts, lists and scalars, noting positions and problems on the way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def problem(self, path: Path, node: Any, message: str, hint: str = "") -> None:
        line, column = _position(node)
        self.problems.append(Problem(message, f"{self.source.file}:{line}:{column}", path_text(path), hint))

    def count(self, root: Any) -> None:
        """Reject circles, and anchors that would expand into too much, by counting alone."""
        sizes: dict[int, int | None] = {}  # None while inside the node
        written = 0
        stack: list[tuple[Any, bool]] = [(root, False)]
        while stack:
            node, leaving = stack.pop()
            children = _children(node)
            if leaving:
                sizes[id(node)] = 1 + sum(sizes[id(child)] or 0 for child in children)
                continue
            if id(node) in sizes:
                if sizes[id(node)] is None:
                    self.problem((), node, "an anchor refers to itself")
                    return
                continue
            sizes[id(node)] = None
            written += 1
            stack.append((node, True))
            stack.extend((child, False) for child in children)
        expanded = sizes[id(root)] or 0
        if expanded - written > MOST_REPEATED:
            text = f"anchors repeat values until there are {expanded:.3g} of them"
            self.problem((), root, f"{text}; at most {MOST_REPEATED} may be repeated")

    def convert(self, node: Any, path: Path) -> Any:
        self.source.values[path] = _position(node)
        if len(path) > DEEPEST:
            self.problem(path[:3], node, f"is nested more than {DEEPEST} levels deep")
            return None
        if str(node.tag) not in _HARMLESS:
            self.problem(path, node, f"the tag `{node.tag}` is not allowed; a description is plain data")
            return None
        if node.id == "mapping":
            return self.mapping(node, path)
        if self.halves(path, node):
            return None
        if node.id == "sequence":
            return [self.convert(child, (*path, i)) for i, child in enumerate(node.value)]
        return scalar(node.value) if node.style is None else node.value

    def halves(self, path: Path, node: Any) -> bool:
        """Note a text that cannot be written to any file: two escapes together are one character, one alone is none."""
        half = _HALF.search(node.value) if isinstance(node.value, str) else None
        if half:
            code = f"\\u{ord(half.group()):04x}"
            self.problem(
                path, node, f"the text has an unpaired surrogate, `{code}`", "write the character itself"
            )
        return half is not None

    def mapping(self, node: Any, path: Path) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if key_node.id != "scalar":
                self.problem(path, key_node, "a key is a text, not a list or a mapping")
                continue
            if self.halves(path, key_node):
                continue
            inner = (*path, key)
            if key in data:
                line, _ = self.source.keys[inner]
                self.problem(inner, key_node, f"`{key}` is here a second time; the first is in line {line}")
                continue
            self.source.keys[inner] = _position(key_node)
            data[key] = self.convert(value_node, inner)
        return data


def _position(node: Any) -> Position:
    return node.start_mark.line + 1, node.start_mark.column + 1


def _children(node: Any) -> list[Any]:
    if node.id == "mapping":
        return [child for pair in node.value for child in pair]
    return list(node.value) if node.id == "sequence" else []
