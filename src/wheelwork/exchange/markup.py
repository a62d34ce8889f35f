"""XML as data, with the line of every element. Declarations of document types and entities are refused."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from wheelwork.description.source import read_text
from wheelwork.problems import ModelError, Problem, did_you_mean

DEEPEST = 500
"""Levels of elements in each other."""


@dataclass
class Node:
    """An element: its attributes, the elements in it, and where it stands. `problems` is shared by a whole file."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    problems: list[Problem]
    children: list[Node] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    content: str = ""
    """The text between its tags."""
    looked_at: bool = False
    """Whether somebody asked for an element of its tag."""

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def name(self) -> str:
        return self.attributes.get("name", "")

    @property
    def path(self) -> str:
        """`joint elbow`, for messages."""
        return f"{self.tag} `{self.name}`" if self.name else f"<{self.tag}>"

    def problem(self, message: str, hint: str = "") -> None:
        self.problems.append(Problem(message, self.where, self.path, hint))

    def all(self, *tags: str) -> Iterator[Node]:
        for child in self.children:
            if child.tag in tags:
                child.looked_at = True
                yield child

    def ignored(self) -> Iterator[tuple[Node, str]]:
        """Elements that nobody asked for, and attributes that nobody read, of this one and all in it."""
        for name in self.attributes:
            if name not in self.read and name != "name":
                yield self, name
        for child in self.children:
            if child.looked_at:
                yield from child.ignored()
            else:
                yield child, ""

    def skip(self) -> None:
        """It has been reported as a whole."""
        self.read |= set(self.attributes)
        self.children = []

    def first(self, tag: str) -> Node | None:
        """The only element of a tag; a second one is a problem."""
        found = list(self.all(tag))
        for extra in found[1:]:
            extra.problem(f"is the second <{tag}> of {self.path}, which has one at most")
        return found[0] if found else None

    def text(self, name: str, default: str | None = None) -> str:
        """An attribute; a problem where it is missing and needed."""
        self.read.add(name)
        value = self.attributes.get(name, default)
        if value is None:
            near = did_you_mean(name, [k for k in self.attributes if k not in self.read])
            self.problem(f"has no attribute `{name}`", near)
            return ""
        return value.strip()

    def numbers(self, name: str, count: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """An attribute of so many finite numbers."""
        self.read.add(name)
        if name not in self.attributes and default is not None:
            return default
        text = self.text(name)
        if name not in self.attributes:
            return (0.0,) * count
        try:
            found = tuple(float(word) for word in text.split())
        except ValueError:
            found = ()
        if len(found) != count or not all(map(math.isfinite, found)):
            needed = "a finite number" if count == 1 else f"{count} finite numbers"
            self.problem(f"`{name}` needs {needed}, but is `{text}`")
            return default if default is not None else (0.0,) * count
        return found

    def row(self, name: str) -> list[float]:
        """An attribute of any number of finite numbers; none where it is not there."""
        self.read.add(name)
        return list(self.numbers(name, len(self.attributes.get(name, "").split()), ()))

    def yes(self, name: str, default: bool = False) -> bool:
        """An attribute that is `true` or `false`."""
        given = self.text(name, str(default).lower())
        if given not in ("true", "false"):
            self.problem(f"`{name}` needs `true` or `false`, but is `{given}`")
        return given == "true"

    def number(self, name: str, default: float | None = None) -> float:
        return self.numbers(name, 1, None if default is None else (default,))[0]


def read_markup(path: str | os.PathLike[str], root: str) -> Node:
    """The outermost element of a file, which must have the tag `root`."""
    text = read_text(Path(path))
    found = read_markup_text(text, str(path))
    if found.tag != root:
        hint = "expand it first (`xacro`)" if "xacro" in text[:2000] else ""
        why = f"needs <{root}> as its outermost element, but has <{found.tag}>"
        raise ModelError(why, found.where, "", hint)
    return found


def read_markup_text(text: str | bytes, file: str) -> Node:
    """The outermost element of a text; `file`: what messages call it."""
    parser = expat.ParserCreate()
    open_: list[Node] = []
    problems: list[Problem] = []
    top: list[Node] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        node = Node(tag, attributes, file, parser.CurrentLineNumber, problems)
        (open_[-1].children if open_ else top).append(node)
        open_.append(node)
        if len(open_) > DEEPEST:
            raise ModelError(f"has more than {DEEPEST} elements in each other", node.where)

    def refuse(*_: Any) -> None:
        where = f"{file}:{parser.CurrentLineNumber}"
        raise ModelError("declares a document type or entities, which are not read", where)

    parser.StartElementHandler = start

    def add_text(data: str) -> None:
        if open_:
            open_[-1].content += data

    parser.buffer_text = True
    parser.CharacterDataHandler = add_text
    parser.EndElementHandler = lambda tag: open_.pop()
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        where = f"{file}:{error.lineno}:{error.offset + 1}"
        raise ModelError(f"is not XML: {expat.ErrorString(error.code)}", where) from None
    except (
        LookupError,
        ValueError,
    ) as error:  # an encoding that there is not, or of several bytes a character
        raise ModelError(f"cannot be read as XML: {error}", file) from None
    return top[0]
