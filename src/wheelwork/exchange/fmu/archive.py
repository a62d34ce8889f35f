"""FMUs of others: looked at and unpacked without trusting them. Nothing in them is executed here."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from wheelwork.exchange.markup import Node, read_markup_text
from wheelwork.problems import ModelError, Problem

from .binary import here

MOST_FILES = 20_000
MOST_BYTES = 2 * 1024**3
"""All files together, unpacked."""
DENSEST = 1000
"""Unpacked over packed, of a file of more than a megabyte: deflate can do no more than 1032."""

DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    NotImplementedError,
    FileExistsError,
    NotADirectoryError,
)
"""What unpacking says of an archive that is not in order."""


@dataclass(frozen=True)
class FmuAbout:
    """What the description of an FMU says.

    version: 2 or 3
    variables: causality by name
    states: names of its continuous states, in their order
    indicators: how many event indicators it has
    """

    file: str
    name: str
    version: int
    kinds: tuple[str, ...]
    variables: dict[str, str]
    binaries: tuple[str, ...]
    states: tuple[str, ...] = ()
    indicators: int = 0

    def needs(self, kind: str) -> None:
        """ModelError where it cannot be run so on this machine."""
        known = {"CoSimulation": "co-simulation", "ModelExchange": "model exchange"}
        if kind not in self.kinds:
            others = " and ".join(known[k] for k in self.kinds if k in known) or "no known platform"
            raise _refused(self.file, f"is for {others}, and not for {known[kind]}")
        folder = here().folder_of(self.version)
        if folder not in self.binaries:
            there = ", ".join(f"`{name}`" for name in self.binaries) or "none"
            raise _refused(
                self.file,
                f"has no binary for this platform, `{folder}`; it has {there}",
                "ask for one that was exported for this platform, or build it from its sources",
            )


def _refused(file: str, why: str, hint: str = "") -> ModelError:
    return ModelError(why, where=file, hint=hint)


def about_fmu(path: str | os.PathLike[str]) -> FmuAbout:
    """What an FMU is; ModelError where it is none, is damaged, or would write outside of its folder."""
    file = os.fspath(path)
    with _opened(file) as archive:
        entries = _checked(archive, file)
        try:
            text = archive.read("modelDescription.xml")
        except KeyError:
            raise _refused(file, "is not an FMU: it has no `modelDescription.xml`") from None
        except DAMAGES as error:
            raise _refused(file, f"is damaged: `modelDescription.xml` cannot be unpacked ({error})") from None
    root = read_markup_text(text, f"{file}/modelDescription.xml")
    return _read(root, file, entries)


def _read(root: Node, file: str, entries: list[str]) -> FmuAbout:
    version = root.text("fmiVersion", "")
    if root.tag != "fmiModelDescription" or not version:
        raise _refused(file, "is not an FMU: `modelDescription.xml` does not describe one")
    if version.split(".")[0] not in ("2", "3"):
        raise _refused(file, f"is of FMI {version}; only 2.0 and 3.0 are read")
    number = int(version.split(".")[0])
    kinds = tuple(k for k in ("CoSimulation", "ModelExchange") if any(root.all(k)))
    listed = [one for group in root.all("ModelVariables") for one in group.children]
    variables = {one.text("name"): one.text("causality", "local") for one in listed}
    states, indicators = (_states_2 if number == 2 else _states_3)(root, listed)
    folders = {
        PurePosixPath(name).parts[1] for name in entries if name.startswith("binaries/") and name[-1] != "/"
    }
    if root.problems:
        raise ModelError(root.problems)
    if states is None:
        raise _refused(file, "`modelDescription.xml` lists derivatives of states that are not there")
    about = file, root.text("modelName", ""), number, kinds, variables, tuple(sorted(folders))
    return FmuAbout(*about, tuple(states), indicators)


def _states_2(root: Node, listed: list[Node]) -> tuple[list[str] | None, int]:
    """Continuous states in FMI 2.0, whose lists count from one, and how many event indicators there are."""
    found = []
    for structure in root.all("ModelStructure"):
        for group in structure.all("Derivatives"):
            for unknown in group.all("Unknown"):
                rate = _counted(unknown.text("index", ""), listed)
                state = rate and next(
                    (_counted(one.text("derivative", ""), listed) for one in rate.all("Real")), None
                )
                if not state:
                    return None, 0
                found.append(state.text("name"))
    many = root.text("numberOfEventIndicators", "0")
    return found, int(many) if many.isdigit() else 0


def _counted(number: str, listed: list[Node]) -> Node | None:
    return listed[int(number) - 1] if number.isdigit() and 0 < int(number) <= len(listed) else None


def _states_3(root: Node, listed: list[Node]) -> tuple[list[str] | None, int]:
    """The same in FMI 3.0, by value references."""
    by_reference = {one.text("valueReference", ""): one for one in listed}
    found, indicators = [], 0
    for structure in root.all("ModelStructure"):
        for one in structure.all("ContinuousStateDerivative"):
            rate = by_reference.get(one.text("valueReference", ""))
            state = rate and by_reference.get(rate.text("derivative", ""))
            if not state:
                return None, 0
            found.append(state.text("name"))
        indicators += sum(1 for _ in structure.all("EventIndicator"))
    return found, indicators


@contextmanager
def unpacked(path: str | os.PathLike[str]) -> Iterator[str]:
    """The files of an FMU in a folder of their own, as long as it is needed."""
    folder = unpack(path)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def unpack(path: str | os.PathLike[str]) -> str:
    """A new folder with the files of an FMU."""
    file = os.fspath(path)
    folder = tempfile.mkdtemp(prefix="wheelwork-fmu-")
    try:
        with _opened(file) as archive:
            left = MOST_BYTES
            for name in _checked(archive, file):
                target = Path(folder, *PurePosixPath(name).parts)
                if name.endswith("/"):
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, target.open("xb") as out:
                    while part := source.read(1 << 20):  # what is said of its size need not be so
                        left -= len(part)
                        if left < 0:
                            raise _refused(file, f"is larger than {MOST_BYTES >> 30} GiB unpacked")
                        out.write(part)
    except DAMAGES as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise _refused(file, f"is damaged: {error}") from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


@contextmanager
def _opened(file: str) -> Iterator[zipfile.ZipFile]:
    if not Path(file).is_file():  # a pipe would be waited for
        raise FileNotFoundError(2, "no such file", file)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, EOFError, ValueError) as error:
        raise _refused(file, f"is not an FMU, which is a zip archive: {error}") from None
    with archive:
        yield archive


def _checked(archive: zipfile.ZipFile, file: str) -> list[str]:
    """Names of its files; refused where one leads outside, is a link, or is larger than anything honest."""
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        raise _refused(file, f"has {len(entries)} files; more than {MOST_FILES} are refused")
    problems, seen = [], set[str]()
    for entry in entries:
        name, size, packed = entry.filename, entry.file_size, entry.compress_size
        parts, anchor = PurePosixPath(name).parts, PureWindowsPath(name).anchor  # such as `/` or `C:`
        faults = {
            "leads outside of the archive": not parts or ".." in parts or "\\" in name or anchor,
            "is a link": stat.S_ISLNK(entry.external_attr >> 16),
            "is encrypted": entry.flag_bits & 1,
            f"would be {size} bytes, from {packed}": size > 1 << 20 and size > DENSEST * max(1, packed),
            "is in it twice": name in seen,
        }
        problems += [f"`{name}` {fault}" for fault, found in faults.items() if found]
        seen.add(name)
    total = sum(entry.file_size for entry in entries)
    if total > MOST_BYTES:
        problems.append(f"is {total} bytes unpacked; more than {MOST_BYTES} are refused")
    if problems:
        raise ModelError([Problem(text, where=file) for text in problems[:12]])
    return [entry.filename for entry in entries]
