"""A published case and the ways in which it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from wheelwork.mechanism import Mechanism
from wheelwork.results import Result

from .finding import Comparison

FORMULATIONS = ("absolute", "reduced")
MESH_MODELS = ("rigid", "compliant", "contact")


@dataclass(frozen=True)
class Way:
    """How a case is run; what does not matter to it is empty.

    formulation: `absolute` or `reduced`
    mesh: `rigid`, `compliant` or `contact`
    setting: anything else that tells two runs apart, such as the method of integration
    slow: takes more than a second of processor time
    """

    formulation: str = ""
    mesh: str = ""
    setting: str = ""
    slow: bool = False

    def __str__(self) -> str:
        return ", ".join(word for word in (*self.axes, self.setting) if word) or "by formulas"

    @property
    def axes(self) -> tuple[str, str]:
        return self.formulation, self.mesh

    @property
    def words(self) -> tuple[str, ...]:
        """The setting, word by word."""
        return tuple(self.setting.split(", "))

    @property
    def method(self) -> str:
        """Of integration."""
        return "sdirk4" if "sdirk4" in self.words else "dopri5"

    def span(self, whole: float) -> float:
        """How long to simulate [s]: `whole`, or as the setting says, such as `first 0.2 s`."""
        found = [word for word in self.words if word.startswith("first ")]
        return float(found[0].split()[1]) if found else whole

    def simulate(self, mechanism: Mechanism, end: float, **options: Any) -> Result:
        """The mechanism's motion, run this way; a run that does not get to its end is an error."""
        result = mechanism.simulate(
            end=end, progress=False, formulation=self.formulation or "auto", **options
        )
        if result.outcome.name == "INTERRUPTED":  # the run has kept what it had; we have no use for it
            raise KeyboardInterrupt
        if not result.outcome.good:
            raise RuntimeError(result.report)
        return result


@dataclass(frozen=True)
class Refusal:
    """A way in which the case cannot be run; an empty word stands for all.

    why: as a reader of the table needs to know it
    """

    why: str
    formulation: str = ""
    mesh: str = ""

    def __str__(self) -> str:
        return ", ".join(word for word in (self.formulation, self.mesh) if word)

    def covers(self, axes: tuple[str, str]) -> bool:
        own = self.formulation, self.mesh
        return all(not mine or mine == theirs for mine, theirs in zip(own, axes, strict=True))


@dataclass(frozen=True)
class Case:
    """A published case.

    name: to choose it by
    title: what it is, in a few words
    source: where the values are from
    run: from a way to what is found
    ways: in which it runs
    refusals: ways in which it cannot run, and why
    kind: `motion`: every formulation must be run or refused; `gears`: every mesh model too; `formula`:
        nothing moves, and there is one way
    """

    name: str
    title: str
    source: str
    run: Callable[[Way], Iterable[Comparison]]
    ways: tuple[Way, ...] = (Way(),)
    refusals: tuple[Refusal, ...] = ()
    kind: str = "formula"

    def missing(self) -> Iterator[tuple[str, str]]:
        """Combinations of formulation and mesh model that are neither run nor refused."""
        if self.kind == "formula":
            return
        run = {way.axes for way in self.ways}
        for axes in product(FORMULATIONS, MESH_MODELS if self.kind == "gears" else ("",)):
            if axes not in run and not any(refusal.covers(axes) for refusal in self.refusals):
                yield axes


def ways_with_teeth(**implicit: str) -> tuple[Way, ...]:
    """Both formulations with each model of teeth; by `sdirk4` too with those that are named, as they say."""
    ways: list[Way] = []
    for mesh in MESH_MODELS:
        ways += ways_of_motion(mesh)
        if mesh in implicit:
            ways.append(Way("absolute", mesh, implicit[mesh]))
    return tuple(ways)


def ways_of_motion(*meshes: str, **others: Any) -> tuple[Way, ...]:
    """Absolute and minimal coordinates, with each of these models of teeth."""
    return tuple(Way(way, mesh, **others) for mesh in meshes or ("",) for way in FORMULATIONS)


# -- decorators that make a case of the function which runs it

Declared = Callable[[Callable[[Way], Iterable[Comparison]]], Case]


def formula_case(name: str, title: str, source: str) -> Declared:
    """A case in which nothing moves."""
    return lambda run: Case(name, title, source, run)


def motion_case(
    name: str,
    title: str,
    source: str,
    ways: tuple[Way, ...] | None = None,
    refusals: tuple[Refusal, ...] = (),
    kind: str = "motion",
) -> Declared:
    """A case of motion, in both formulations where `ways` does not say others."""
    return lambda run: Case(name, title, source, run, ways or ways_of_motion(), refusals, kind)


def gear_case(
    name: str,
    title: str,
    source: str,
    ways: tuple[Way, ...] | None = None,
    refusals: tuple[Refusal, ...] = (),
) -> Declared:
    """A case of gears, with every model of teeth where `ways` does not say others."""
    return motion_case(name, title, source, ways or ways_with_teeth(), refusals, "gears")
