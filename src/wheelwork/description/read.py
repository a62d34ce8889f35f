"""Reading a description, one element at a time, so that one mistake does not hide another."""

from __future__ import annotations

import os
from dataclasses import field
from functools import cache
from pathlib import Path as File
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from wheelwork.description import source as sources
from wheelwork.description.base import without_plugins
from wheelwork.description.body_geometry import LARGEST_FILE, as_pieces, content_of_file
from wheelwork.description.description import COLLECTIONS, Component, Description
from wheelwork.description.names import GROUND, name_fault
from wheelwork.description.parameters import read_parameter
from wheelwork.description.source import Source
from wheelwork.description.table import Table, points_in_file
from wheelwork.description.validate import Checker, readable_numbers
from wheelwork.description.validation_errors import Path, all_faults, faults, key_hint, path_text, shown
from wheelwork.lazy import dataclass
from wheelwork.problems import ModelError, Problem, did_you_mean, in_file_order

D = TypeVar("D", bound=Description)
REFERENCES = ("bodies", "body", "joints", "joint")
"""Fields of elements that name others."""


def load(path: str | os.PathLike[str], cls: type[D] = Description, texts: dict[str, str] | None = None) -> D:
    """Read a mechanism from a YAML file; everything wrong with it is one `ModelError`.

    texts: of the files that it is in, by their names, as they were read before; the others are added
    """
    reading = _FileReading(texts={} if texts is None else texts)
    description = reading.file(File(path), cls)
    return reading.finished(description)


def loads(text: str, cls: type[D] = Description, file: str = "<text>") -> D:
    """Read a mechanism from YAML text. Files of components are looked for in the working folder.

    file: what messages call the text
    """
    reading = _FileReading()
    description = reading.text(text, file, cls)
    return reading.finished(description)


@cache
def _adapter(collection: str) -> tuple[TypeAdapter[Any], Any]:
    """How one element of a collection is validated."""
    annotation = Description.model_fields[collection].annotation
    element = annotation.__args__[1]  # type: ignore[union-attr]
    with without_plugins():
        return TypeAdapter(element), element


@dataclass
class _FileReading:
    """Everything met while reading one file and the files of its components.

    problems: what is wrong, in the order of reading
    open: files being read now, outer first
    done: mechanisms by file; each file is read once, however often it is used
    texts: of the files, by their names; those that are given are not read
    checker: what is known about the names in each mechanism
    unread: elements that are left out for their faults, with where they stand
    """

    problems: list[Problem] = field(default_factory=list)
    open: list[File] = field(default_factory=list)
    done: dict[File, Description | None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    checker: Checker = field(default_factory=Checker)
    unread: list[tuple[Source, Path, Any]] = field(default_factory=list)

    def finished(self, description: D) -> D:
        if self.problems:
            self.problems += readable_numbers(description)
        else:
            self.problems += self.checker.check_numbers(description)
        if self.problems:
            raise ModelError(in_file_order(self.problems))
        return description

    def file(self, path: File, cls: type[D]) -> D:
        name = str(path)
        if name not in self.texts:
            self.texts[name] = sources.read_text(path)
        self.open.append(path.resolve())
        try:
            return self.text(self.texts[name], name, cls)
        finally:
            self.open.pop()

    def text(self, text: str, file: str, cls: type[D]) -> D:
        data, source = sources.parse(text, file)
        return self.mechanism(data, source, cls)

    def mechanism(self, data: dict[str, Any], source: Source, cls: type[D]) -> D:
        """The parts that can be read, put together; problems are noted."""
        known = list(cls.model_fields)
        read: dict[str, Any] = {}
        broken: set[str] = set()
        rest: dict[str, Any] = {}
        for key, value in data.items():
            if key == "parameters" or key in COLLECTIONS:
                read[key] = self.collection(key, value, source, broken)
            elif key in known:
                rest[key] = value
            else:
                self.problem(
                    source, (key,), f"there is no key `{key}` here", key_hint(key, known), at_key=True
                )
        self.names_in_unread(data, source)
        description = self.whole(rest, source, cls)
        # The elements are validated already; a partly read mechanism is still good for finding further problems.
        for key, elements in read.items():
            getattr(description, key).update(elements)
        description._source = source
        self.checker.broken[id(description)] = broken
        if description.kind != rest.get("kind", description.kind):
            self.checker.without_kind.add(id(description))
        self.problems += self.checker.check_names(description)
        return description

    def names_in_unread(self, data: dict[str, Any], source: Source) -> None:
        """Names of bodies and joints that are not there, in elements that could not be read."""
        given = {key: set(data[key]) if isinstance(data.get(key), dict) else set() for key in COLLECTIONS}
        places = given["bodies"] | given["frames"] | given["components"] | {GROUND}
        for where, path, element in self.unread:
            if where is not source or not isinstance(element, dict):
                continue
            for key, value in element.items():
                noun, known = (
                    ("joint", given["joints"] | places) if "joint" in key else ("body or frame", places)
                )
                names = value if isinstance(value, list) else [value]
                for k, name in enumerate(names if key in REFERENCES else ()):
                    if isinstance(name, str) and "." not in name and name not in known:
                        at = (*path, key, k) if names is value else (*path, key)
                        self.problem(source, at, f"there is no {noun} `{name}`", did_you_mean(name, known))

    def whole(self, rest: dict[str, Any], source: Source, cls: type[D]) -> D:
        """Name, gravity, analysis and so on; those that are wrong, or fields of them, are left at their defaults."""
        try:
            return cls.model_validate(rest)
        except ValidationError as error:
            wrong = faults(error, cls)
            self.note(source, (), wrong)
        bad = {str(fault.path[0]) for fault in wrong}
        read = {key: value for key, value in rest.items() if key not in bad}
        for key in bad:
            fields = {fault.path[1] for fault in wrong if fault.path[0] == key and len(fault.path) > 1}
            if isinstance(rest[key], dict) and fields and "type" not in fields:
                left = {name: value for name, value in rest[key].items() if name not in fields}
                try:
                    cls.model_validate({**read, key: left})
                    read[key] = left
                except ValidationError as other:
                    besides = [one for one in faults(other, cls) if one.path[1:] and one.path[1] in left]
                    hidden = [
                        one for one in besides if not any(f"`{name}`" in one.message for name in fields)
                    ]
                    self.note(source, (), hidden)
        return cls.model_validate(read)

    def collection(self, key: str, given: Any, source: Source, broken: set[str]) -> dict[str, Any]:
        if given is None:
            return {}
        if not isinstance(given, dict):
            self.problem(source, (key,), f"needs a mapping from names to {key}, but is {shown(given)}")
            return {}
        read: dict[str, Any] = {}
        for name, value in given.items():
            wrong = name_fault(name)
            if wrong:
                self.problem(source, (key, name), wrong, at_key=True)
            element = self.element(key, name, value, source)
            if element is None or wrong:
                broken.add(name)
            else:
                read[name] = element
        return read

    def element(self, key: str, name: str, given: Any, source: Source) -> Any:
        path = (key, name)
        if key == "parameters":
            try:
                return read_parameter(given)
            except PydanticCustomError as error:
                self.problem(source, path, error.message())
                return None
        inner = None
        if key == "components" and isinstance(given, dict) and isinstance(given.get("model"), dict):
            inner = self.mechanism(given["model"], source.inside((*path, "model")), Description)
            given = {**given, "model": inner}
        before = len(self.problems)
        if key in ("bodies", "frames"):
            given = self.with_geometry(given, source, path)
        elif key != "components":
            given = self.with_tables(given, source, path)
        if len(self.problems) > before:
            return None
        adapter, annotation = _adapter(key)
        try:
            element = adapter.validate_python(given)
        except ValidationError as error:
            self.note(source, path, all_faults(error, annotation, given, adapter.validate_python))
            self.unread.append((source, path, given))
            return None
        if isinstance(element, Component) and element.file is not None:
            element._loaded = self.component_file(element.file, source, path)
            return element if element._loaded is not None else None
        return element

    def with_geometry(self, given: Any, source: Source, path: Path) -> Any:
        """What was given of a body or frame, with what the files of its geometry hold; problems are noted."""
        if not isinstance(given, dict) or given.get("geometry") is None:
            return given
        written = given["geometry"]
        pieces = as_pieces(written)
        several = isinstance(written, list)
        return {
            **given,
            "geometry": [
                self.piece(one, source, (*path, "geometry", k) if several else (*path, "geometry"))
                for k, one in enumerate(pieces)
            ],
        }

    def piece(self, given: Any, source: Source, path: Path) -> Any:
        named = isinstance(given, str)
        piece = {"file": given} if named else given
        if not isinstance(piece, dict) or not isinstance(piece.get("file"), str) or "content" in piece:
            return piece
        file = str(self.beside(source, piece["file"]))
        try:
            if file not in self.texts:  # as the loader of kept runs has it: a letter for each byte
                self.texts[file] = sources.read_bytes(file, LARGEST_FILE).decode("latin-1")
            return {**piece, "content": content_of_file(self.texts[file].encode("latin-1"), file)}
        except ModelError as error:
            self.in_other_file(error, source, path if named else (*path, "file"))
        return piece

    def with_tables(self, given: Any, source: Source, path: Path) -> Any:
        """What was given, with tables whose points are in CSV files; problems are noted."""
        if isinstance(given, list):
            return [self.with_tables(entry, source, (*path, k)) for k, entry in enumerate(given)]
        if not isinstance(given, dict):
            return given
        if len(path) > 2 and isinstance(given.get("file"), str):
            return self.table(given, source, path)
        if len(path) > 2 and list(given) == ["table"] and isinstance(given["table"], dict):
            return self.with_tables(given["table"], source, (*path, "table"))  # the word may be written
        return {name: self.with_tables(entry, source, (*path, name)) for name, entry in given.items()}

    def table(self, given: dict[str, Any], source: Source, path: Path) -> Any:
        file = str(self.beside(source, given["file"]))
        of_file = {name: given.get(name) for name in ("file", "columns", "units")}
        try:
            if file not in self.texts:
                self.texts[file] = sources.read_text(file)
            points = points_in_file(given, file, self.texts[file])
            rest = {name: value for name, value in given.items() if name not in of_file}
            here = {name: points[name] for name in ("time", "value")}
            return Table.model_validate({**rest, **here}).model_copy(update={**of_file, **points})
        except ModelError as error:
            self.in_other_file(error, source, (*path, "file"))
        except ValidationError as error:
            self.note(source, path, faults(error, Table))
        return given

    def beside(self, source: Source, name: str) -> File:
        """A file that is named in another one."""
        return (File(source.file).parent if self.open else File()) / name

    def component_file(self, name: str, source: Source, path: Path) -> Description | None:
        """The mechanism in a component's file; None where it cannot be read."""
        file = self.beside(source, name)
        try:
            key = file.resolve()
        except (OSError, RuntimeError, ValueError):  # links in a circle, a character that no file name has
            key = file
        if key in self.open:
            circle = " -> ".join(other.name for other in [*self.open[self.open.index(key) :], key])
            self.problem(source, (*path, "file"), f"the mechanism would contain itself: {circle}")
            return None
        if key not in self.done:
            self.done[key] = None
            try:
                self.done[key] = self.file(file, Description)
            except ModelError as error:
                for problem in error.problems:
                    if problem.where == str(
                        file
                    ):  # about the file itself: the place that names it is at fault
                        message = f"`{name}`: {problem.message}"
                        self.problem(source, (*path, "file"), message, problem.hint)
                    else:
                        self.problems.append(problem)
        return self.done[key]

    def note(self, source: Source, prefix: Path, wrong: list[Any]) -> None:
        for fault in wrong:
            self.problem(source, (*prefix, *fault.path), fault.message, fault.hint, fault.at_key)

    def in_other_file(self, error: ModelError, source: Source, path: Path) -> None:
        """What is wrong with a file is told at the place that names it."""
        for problem in error.problems:
            where = f"{problem.where}: " if problem.where else ""
            self.problem(source, path, f"{where}{problem.message}", problem.hint)

    def problem(self, source: Source, path: Path, message: str, hint: str = "", at_key: bool = False) -> None:
        self.problems.append(
            Problem(message, source.where(path, at_key), path_text((*source.prefix, *path)), hint)
        )
