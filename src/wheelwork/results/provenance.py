"""Where a result comes from: everything needed to make it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, field, fields, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wheelwork import __version__
from wheelwork.engine.engine import Event, EventKind
from wheelwork.engine.outcome import Outcome, RunReport
from wheelwork.lazy import dataclass, described

if TYPE_CHECKING:
    from wheelwork.description import Description


@dataclass(frozen=True)
class KeptReport(RunReport):
    """A report whose words are kept as they were when the run ended."""

    words: str = ""

    @classmethod
    def of(cls, report: RunReport, seconds: float | None = None) -> KeptReport:
        known = {one.name: getattr(report, one.name) for one in fields(RunReport)}
        if seconds is not None:
            known["seconds"] = seconds
        return cls(**known, words=report.text)

    @property
    def text(self) -> str:
        return self.words


@dataclass(frozen=True, eq=False)
class Provenance:
    """How a result was made.

    `described` must not change any more: the run hands over a copy of its own.

    name: of the mechanism
    described: its description, written when asked for, or already written
    file: the file it was read from, or empty
    parameters: value of each parameter in the run, SI
    outputs: signals that the description asks to keep; None for all
    analysis: what was computed, with its settings
    engine: `native`; files of earlier versions may have `virtual`, a slow one that there is no more
    version: of Wheelwork
    date: when, UTC
    report: how the run ended, with counts
    events: what happened on the way, such as impacts
    earlier: those that took energy in the runs that it goes on from
    set_at [s]: times at which states without a rate were set
    """

    name: str
    described: Description | str | Callable[[], Description] = field(repr=False)
    file: str
    parameters: Mapping[str, float]
    outputs: tuple[str, ...] | None
    analysis: Mapping[str, Any]
    engine: str
    version: str
    date: str
    report: KeptReport
    events: tuple[Event, ...]
    earlier: tuple[Event, ...] = ()
    set_at: tuple[float, ...] = ()

    @cached_property
    def model(self) -> str:
        """Its description as YAML, components written out: `wheelwork.loads` reads it back."""
        if isinstance(self.described, str):
            return self.described
        description = self.described() if callable(self.described) else self.described
        return described.dumps(whole(description), inline=True)

    @classmethod
    def of(
        cls,
        description: Description,
        *,
        parameters: Mapping[str, float],
        settings: Any,
        engine: str,
        report: RunReport,
        events: Iterable[Event],
        earlier: Iterable[Event] = (),
        set_at: Iterable[float] = (),
    ) -> Provenance:
        return cls(
            name=description.name,
            described=description,
            file=printable(description.source_file),
            parameters=dict(parameters),
            outputs=description.outputs,
            analysis=plain(settings),
            engine=engine,
            version=__version__,
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            report=KeptReport.of(report),
            events=tuple(events),
            earlier=tuple(earlier),
            set_at=tuple(set_at),
        )

    @property
    def attributes(self) -> dict[str, str]:
        """In short, as files and Datasets have it."""
        return {
            "title": self.name,
            "analysis": str(self.analysis.get("type", "")),
            "outcome": self.report.outcome.name,
            "outcome_text": self.report.text,
            "engine": self.engine,
            "wheelwork_version": self.version,
            "date": self.date,
        }

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Provenance) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return Provenance.from_json, (self.to_json(),)

    def to_json(self) -> str:
        data = asdict(replace(self, described=self.model))
        data = {"model" if name == "described" else name: value for name, value in data.items()}
        data["report"]["outcome"] = self.report.outcome.name
        for name in ("events", "earlier"):
            data[name] = [{**asdict(event), "kind": event.kind.name} for event in getattr(self, name)]
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Provenance:
        data = json.loads(text)
        data["described"] = data.pop("model")
        report = data["report"]
        data["report"] = KeptReport(**{**report, "outcome": Outcome[report["outcome"]]})
        for name in ("events", "earlier"):  # files of earlier versions do not have all
            data[name] = tuple(Event(**{**e, "kind": EventKind[e["kind"]]}) for e in data.get(name, ()))
        data["set_at"] = tuple(data.get("set_at", ()))
        data["outputs"] = None if data["outputs"] is None else tuple(data["outputs"])
        return cls(**data)

    def lines(self) -> list[tuple[str, str]]:
        """What fits on a line, as (heading, value), for reports and the heads of tables."""
        settings = {
            name: value for name, value in self.analysis.items() if name != "type" and value is not None
        }
        return [
            ("model", self.name or "(no name)"),
            *([("file", self.file)] if self.file else []),
            ("analysis", str(self.analysis.get("type", ""))),
            ("settings", ", ".join(f"{name} = {_short(value)}" for name, value in settings.items())),
            (
                "parameters",
                ", ".join(f"{name} = {value!r}" for name, value in self.parameters.items()) or "none",
            ),
            ("outcome", f"{self.report.outcome.name}: {self.report.text}"),
            ("engine", self.engine),
            ("wheelwork", self.version),
            ("date", self.date),
        ]


def printable(name: str) -> str:
    """The name of a file; bytes in it that are not UTF-8 by their numbers."""
    return name.encode("utf-8", "backslashreplace").decode()


def whole(description: Description) -> Description:
    """A copy that needs no other file: components from files become part of it."""
    if not description.components:
        return description
    copy = description.model_copy(deep=True)
    for name, component in description.components.items():
        inside = whole(described.files.description_of(component, description))
        copy.components[name] = component.model_copy(update={"model": inside, "file": None})
    return copy


def plain(value: Any) -> Any:
    """Settings as numbers, texts and mappings."""
    if value is None or type(value) in (float, int, bool, str):
        return value
    if isinstance(value, described.Part):
        return {name: plain(getattr(value, name)) for name in type(value).model_fields if name != "comment"}
    if isinstance(value, described.Formula):
        return value.text
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, float):
        return float(value)
    return value if isinstance(value, int | str) else str(value)


def _short(value: Any) -> str:
    if isinstance(value, dict):
        rest = ", ".join(f"{name} {_short(entry)}" for name, entry in value.items() if name != "type")
        return f"{value.get('type', '')} ({rest})" if rest else str(value.get("type", ""))
    return f"{value:g}" if isinstance(value, float) else str(value)
