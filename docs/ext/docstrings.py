"""Docstrings as Markdown, and the `Fields:` section of the description classes as data."""

from __future__ import annotations

import inspect
import re

ROLE = re.compile(r":(?:[a-z]+:)?[a-z]+:`~?(?:[^`<]*<)?([^`>]*)>?`")
CODE = re.compile(r"``.+?``|`[^`]+`")
FIELD = re.compile(r"(\w+)(?: \[([^\]]*)\])?: (.*)")


def fields_of(documented: type) -> dict[str, tuple[str, str]]:
    """name -> (unit, meaning) from the `Fields:` sections of a class and its bases, nearest first."""
    found: dict[str, tuple[str, str]] = {}
    for cls in documented.__mro__:
        name = ""
        for line in _sections(cls)[1]:
            match = FIELD.fullmatch(line.strip()) if _indent(line) <= 4 else None
            if match:
                name = match[1] if match[1] not in found else ""  # a nearer class has told it whole
                found.setdefault(match[1], (match[2] or "", match[3]))
            elif name and line.strip():
                unit, meaning = found[name]
                found[name] = (unit, f"{meaning} {line.strip()}")
    return found


def prose_of(documented: type) -> str:
    """The docstring of a class as Markdown, without its `Fields:` section."""
    return markdown("\n".join(_sections(documented)[0]))


def summary(text: str) -> str:
    """First paragraph's first sentence, as Markdown."""
    first = " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
    return escaped(re.split(r"(?<=\.) ", first)[0])


def _sections(cls: type) -> tuple[list[str], list[str]]:
    lines = inspect.cleandoc(cls.__doc__ or "").splitlines()
    lines = [line for line in lines if line != "Fields: none."]
    if "Fields:" not in lines:
        return lines, []
    at = lines.index("Fields:")
    end = next((i for i in range(at + 1, len(lines)) if lines[i] and _indent(lines[i]) == 0), len(lines))
    return lines[:at] + lines[end:], lines[at + 1 : end]


def markdown(docstring: str) -> str:
    """Markdown with the same text: literal blocks and doctests fenced, roles as code, nothing else given a meaning.

    Equations in docstrings are plain text, full of characters that Markdown or reStructuredText would take for markup.
    """
    out: list[str] = []
    lines = inspect.cleandoc(docstring).splitlines()
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.startswith(">>> "):
            end = next((j for j in range(i, len(lines)) if not lines[j].strip()), len(lines))
            out += ["```python", *lines[i:end], "```"]
            i = end
            continue
        if line.rstrip().endswith("::"):
            end = next(
                (j for j in range(i + 1, len(lines)) if lines[j].strip() and not lines[j].startswith(" ")),
                len(lines),
            )
            out += [escaped(line.rstrip()[:-1]), "", "```text", *_block(lines[i + 1 : end]), "```", ""]
            i = end
            continue
        if line.startswith("    ") and out and not out[-1].strip():
            # an indented block in our docstrings is text to be shown as it stands
            outside = (j for j in range(i, len(lines)) if lines[j].strip() and not lines[j].startswith(" "))
            end = next(outside, len(lines))
            out += ["```text", *_block(lines[i:end]), "```", ""]
            i = end
            continue
        out.append(escaped(line))
        i += 1
    return "\n".join(out)


def escaped(line: str) -> str:
    """One line of text with code spans kept and every other special character shown as itself."""
    line = ROLE.sub(lambda match: f"`{match[1].rsplit('.', 1)[-1]}`", line)
    parts, end = [], 0
    for match in CODE.finditer(line):
        parts += [_plain(line[end : match.start()]), match[0]]
        end = match.end()
    return "".join([*parts, _plain(line[end:])])


def _plain(text: str) -> str:
    return re.sub(r"([\\*_<>\[\]$|^~#])", r"\\\1", text)


def _block(lines: list[str]) -> list[str]:
    return inspect.cleandoc("\n" + "\n".join(lines)).splitlines()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
