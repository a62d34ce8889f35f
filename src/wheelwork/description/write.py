"""Writing a description as YAML: what differs from the defaults, in the words it was given in."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path as File
from typing import Any

from wheelwork.description.base import Part
from wheelwork.description.body import Body
from wheelwork.description.body_geometry import Geometry
from wheelwork.description.description import Component, Description
from wheelwork.description.files import folder_of
from wheelwork.description.formula import Formula, number_text
from wheelwork.description.frame import Frame
from wheelwork.description.source import scalar
from wheelwork.description.study import StudyPlan
from wheelwork.description.table import Table
from wheelwork.description.units import Quantity
from wheelwork.description.values import OutOfPlane
from wheelwork.description.whole_file import write_whole

_WIDTH = 110
# Texts that mean themselves without quotes, inside lists as well.
_PLAIN = re.compile(r"[A-Za-z0-9(/.+][A-Za-z0-9 _./()*+^<>=µμ°%-]*")
# Texts of several lines, ended by one newline, that a literal block holds as they are: no blanks around any line.
_LINES = re.compile(r"(?:[!-~](?:[ -~]*[!-~])?\n+)*[!-~](?:[ -~]*[!-~])?\n")


def dumps(description: Description, *, inline: bool = False) -> str:
    """The description as YAML text; `inline`: points of tables as numbers, also where they are in a file."""
    return _text(to_data(description, inline=inline))


def save(description: Description, path: str | os.PathLike[str]) -> None:
    """Write the description to a YAML file. File names of components are kept relative to the new place."""
    text = _text(to_data(description, File(path).parent))
    write_whole(path, text.encode())


def to_data(description: Description, folder: File | None = None, *, inline: bool = False) -> dict[str, Any]:
    """Plain data of a description, as a YAML file holds it.

    folder: where relative file names in the data start; that of the description's own file where left out
    inline: points of tables as numbers, also where they are in a file
    """
    target = (folder_of(description) if folder is None else folder).resolve()
    return {"wheelwork": description.wheelwork, **_part(description, target, None if inline else target)}


def _part(part: Part, base: File, target: File | None) -> dict[str, Any]:
    """base, target: folders in which relative file names start, as described and as written; no target: no files"""
    if isinstance(part, Description):
        base = folder_of(part).resolve()
    if isinstance(part, Geometry) and part.file is not None:
        part = part.model_copy(update={"file" if target is None else "content": None})
    if isinstance(part, Table) and part.file is not None:
        left_out = ("file", "columns", "units") if target is None else ("time", "value")
        part = part.model_copy(update={name: type(part).model_fields[name].default for name in left_out})
    data: dict[str, Any] = {}
    for name, field in _fields(part):
        value = getattr(part, name)
        if (name == "type" and not isinstance(part, Body)) or value != field.get_default(
            call_default_factory=True
        ):
            data[name] = _plain(value, base, target)
    for kind, name in ((Component | Table | Geometry, "file"), (StudyPlan, "table")):
        if isinstance(part, kind) and data.get(name) is not None and target not in (base, None):
            data[name] = File(os.path.relpath(base / data[name], target)).as_posix()
    if isinstance(part, Body | Frame) and part.geometry:
        short = [piece["file"] if list(piece) == ["file"] else piece for piece in data["geometry"]]
        data["geometry"] = short[0] if len(short) == 1 else short
    return data


def _fields(part: Part) -> Iterator[tuple[str, Any]]:
    """`type` first, comments of elements last, the rest as the class has them."""
    order = {"type": -1, "comment": 0 if isinstance(part, Description) else 1}
    yield from sorted(type(part).model_fields.items(), key=lambda item: order.get(item[0], 0))


def _plain(value: Any, base: File, target: File | None) -> Any:
    if isinstance(value, Quantity | Formula):
        return value.text
    if isinstance(value, Part):
        return _part(value, base, target)
    if isinstance(value, dict):
        return {key: _plain(entry, base, target) for key, entry in value.items()}
    if isinstance(value, tuple):
        written = [_plain(entry, base, target) for entry in value if not isinstance(entry, OutOfPlane)]
        return written[0] if len(written) == 1 and len(value) == 3 else written
    return value


def _text(data: dict[str, Any]) -> str:
    return "\n".join(_mapping(data, 0)) + "\n"


def _mapping(data: dict[str, Any], indent: int) -> Iterator[str]:
    for key, value in data.items():
        start = f"{' ' * indent}{_scalar(key)}:"
        if isinstance(value, dict) and value:
            yield start
            yield from _mapping(value, indent + 2)
        elif isinstance(value, list) and not _fits(start, value):
            yield start
            yield from _wrapped(value, indent + 2)
        elif isinstance(value, str) and _LINES.fullmatch(value):
            yield f"{start} |"
            yield from (f"{' ' * (indent + 2)}{line}".rstrip() for line in value[:-1].split("\n"))
        else:
            yield f"{start} {_flow(value)}"


def _fits(start: str, values: list[Any]) -> bool:
    return not any(isinstance(value, dict) for value in values) and len(start) + len(_flow(values)) < _WIDTH


def _wrapped(values: list[Any], indent: int) -> Iterator[str]:
    """A list too long for one line: numbers side by side in brackets, everything else an item a line."""
    space = " " * indent
    if any(isinstance(value, list | dict) for value in values):
        for value in values:
            if isinstance(value, dict):
                lines = list(_mapping(value, indent + 2))
                yield f"{space}- {lines[0].lstrip()}"
                yield from lines[1:]
            else:
                yield f"{space}- {_flow(value)}"
        return
    line = f"{space}["
    for i, value in enumerate(values):
        piece = _scalar(value) + ("]" if i == len(values) - 1 else ", ")
        if len(line) + len(piece) > _WIDTH and line.strip() != "[":
            yield line.rstrip()
            line = f"{space} "
        line += piece
    yield line


def _flow(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_flow(entry) for entry in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(entry)}" for key, entry in value.items()) + "}"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, int):
        return str(value)
    return text_scalar(value)


def text_scalar(text: str) -> str:
    """A text without quotes where YAML reads it back as the same text, else in double quotes."""
    if (
        _PLAIN.fullmatch(text)
        and text == text.strip()
        and not text.endswith(":")
        and isinstance(scalar(text), str)
    ):
        return text
    # Escapes of JSON are escapes of YAML; characters that YAML may not hold as they are get escaped too.
    quoted = json.dumps(text, ensure_ascii=False)
    forbidden = r"[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]"
    return re.sub(forbidden, lambda match: f"\\u{ord(match.group()):04x}", quoted)
