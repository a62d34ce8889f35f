"""A mechanism as `wheelwork.load` gives it: read from its file at the first look into it.

A file that has been read and run before is not read again for the same run: what was prepared then is in the cache
(:mod:`wheelwork.engine.kept_run`), under a name made from every letter of the file and of the files of its components,
from the settings, and from this installation. Whoever looks into the mechanism, to read or to change something, has a
:class:`~wheelwork.mechanism.Mechanism` from then on, whose runs are prepared as always.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from wheelwork import __version__
from wheelwork.engine.cache import digest, installation, keep, kept
from wheelwork.engine.engine import ending_of, noted_in
from wheelwork.engine.kept_run import KeptProgram, KeptRun
from wheelwork.engine.recorded import RecordedMotion
from wheelwork.engine.retrace import Retrace
from wheelwork.engine.watch import Watch
from wheelwork.lazy import analyses, mechanism, planned, prepare, registry, uncollected
from wheelwork.problems import warnings_given
from wheelwork.results import Result
from wheelwork.results.provenance import KeptReport, Provenance

if TYPE_CHECKING:
    from wheelwork.mechanism import Mechanism

_ELSEWHERE = ("parameters", "part", "resume", "engine", "kept_as")
"""Options with which a run is always prepared again."""
_SOLIDS = (".stl", ".obj", ".glb", ".dae", ".step", ".stp")
"""Files of geometry, which are kept as a letter for each byte."""


@uncollected()
def load(path: str | os.PathLike[str]) -> Mechanism:
    """Read a mechanism from a YAML file; everything wrong with it is one `ModelError`."""
    name = str(os.fspath(path))
    texts = _known_texts(name)
    if texts is None:
        texts, before = {}, warnings_given()
        read = mechanism.load(path, texts)
        if warnings_given() != before or not registry.only_own():
            return read
        return Loaded(name, texts, read)  # type: ignore[return-value]
    return Loaded(name, texts)  # type: ignore[return-value]


def _known_texts(name: str) -> dict[str, str] | None:
    """The text of a file and of those of its components, if all of them are as they were when they were found right."""
    try:
        text = _text(name)
        found = kept(_file_key(name, text))
        others = [] if found is None else json.loads(found)
        texts = {name: text, **{other: _text(other) for other, _ in others}}
        same = all(_sum(texts[other]) == told for other, told in others)
    except (OSError, ValueError):  # said by those who read it
        return None
    return texts if found is not None and same else None


def _text(name: str) -> str:
    """As `wheelwork.description` reads it; OSError for what that refuses: a pipe is not waited for."""
    with os.fdopen(os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        about = os.fstat(file.fileno())
        solids = name.lower().endswith(_SOLIDS)
        if not stat.S_ISREG(about.st_mode) or about.st_size > (256 if solids else 16) * 2**20:
            raise OSError("not an ordinary file of ordinary size")
        return file.read(about.st_size).decode("latin-1" if solids else "utf-8-sig")


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _file_key(name: str, text: str) -> str:
    return digest("file", installation(), name, text)


class _LikeMechanism(type):
    """What is asked of the class is answered by that of mechanisms."""

    def __getattr__(cls, name: str) -> Any:
        return getattr(mechanism.Mechanism, name)


class Loaded(metaclass=_LikeMechanism):
    """A mechanism that nobody has looked into since it was loaded; it becomes one when somebody does."""

    __slots__ = ("__weakref__", "_file", "_mechanism", "_seen", "_texts")

    def __init__(self, file: str, texts: dict[str, str], mechanism: Mechanism | None = None) -> None:
        for name, value in (("_file", file), ("_texts", texts), ("_mechanism", mechanism), ("_seen", False)):
            object.__setattr__(self, name, value)

    # -- runs

    def simulate(self, end: Any = None, **options: Any) -> Result:
        """As `Mechanism.simulate`."""
        return self._run("simulate", {"end": end, **options})

    def run(self, **options: Any) -> Any:
        """As `Mechanism.run`."""
        return self._run("run", options)

    def _run(self, verb: str, options: dict[str, Any]) -> Any:
        shown = options.get("progress")
        key = None if self._seen else self._run_key(verb, options)
        if key is not None:
            found = KeptRun.find(key)
            if found is not None:
                try:
                    return self._carried_out(found, shown)
                except FileNotFoundError:  # its code is not there, or only code too slow for it
                    pass
        mechanism = self._read()
        simulated = verb == "simulate" or getattr(mechanism.analysis, "type", "simulate") == "simulate"
        if key is None or not simulated:
            return getattr(mechanism, verb)(**options)
        with uncollected():
            simulate = analyses.simulate
        result = simulate(mechanism, kept_as=key, **options)
        others = [[name, _sum(text)] for name, text in self._texts.items() if name != self._file]
        keep(_file_key(self._file, self._texts[self._file]), json.dumps(others).encode())
        return result

    def _run_key(self, verb: str, options: Mapping[str, Any]) -> str | None:
        """Name of a prepared run in the cache; None for one that is not kept."""
        asked = {name: value for name, value in options.items() if value is not None and name != "progress"}
        if any(name in asked for name in _ELSEWHERE):
            return None
        try:
            settings = json.dumps(asked, sort_keys=True)
        except (TypeError, ValueError):
            return None
        texts = [part for name in sorted(self._texts) for part in (name, _sum(self._texts[name]))]
        return digest("run", installation(), self._file, *texts, verb, settings)

    def _carried_out(self, run: KeptRun, shown: bool | None) -> Result:
        about, settings = run.about, run.run
        with Watch(settings.start, settings.end, shown, about["name"]) as watch:
            done = run.integrate(watch.step)
        report = KeptReport.of(done.report, watch.seconds)
        if not report.outcome.good:
            planned.warn_of_end(report)
        own = _Described(self._file, dict(self._texts))
        provenance = Provenance(
            name=about["name"],
            described=own,
            file=about["file"],
            parameters=run.numbers.parameters,
            outputs=None if about["outputs"] is None else tuple(about["outputs"]),
            analysis=about["analysis"],
            engine="native",
            version=__version__,
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            report=report,
            events=tuple(done.events),
        )
        program: Any = KeptProgram(run, own.program)
        motion = RecordedMotion(
            program, run.numbers, *done.each_time_once(), *noted_in(done.events), sides=done.sides
        )
        result = Result(provenance, motion, own)
        result.ending = ending_of(settings, run.state, done)

        def again(grid: Any, own: Any) -> Any:
            return replace(run, grid=grid, run=own).integrate()

        result.retrace = Retrace(program, run.numbers, again, run.grid, settings, done.report.steps)
        return result

    # -- everything else is for the mechanism itself

    def _read(self) -> Mechanism:
        if self._mechanism is None:
            found = mechanism.load(self._file, self._texts)
            object.__setattr__(self, "_mechanism", found)
        return self._mechanism  # type: ignore[return-value]

    def _look(self) -> Mechanism:
        object.__setattr__(self, "_seen", True)
        return self._read()

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]  # what `isinstance` asks
        return mechanism.Mechanism

    def __getattr__(self, name: str) -> Any:
        return getattr(self._look(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._look(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._look(), name)

    def __eq__(self, other: object) -> bool:
        return self._look() == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._read())

    def __str__(self) -> str:
        return str(self._read())

    def __dir__(self) -> list[str]:
        return dir(self._read())

    def __iter__(self) -> Any:
        return iter(self._look())

    def __copy__(self) -> Mechanism:
        return self._look().__copy__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._look().__reduce_ex__(protocol)


class _Described:
    """The description of a run, read when it is asked for; nobody else has it."""

    def __init__(self, file: str, texts: dict[str, str]) -> None:
        self._read = cache(lambda: mechanism.load(file, texts))

    def __call__(self) -> Mechanism:
        return self._read()

    def program(self) -> Any:
        """Its equations."""
        return prepare.derived(self._read())
