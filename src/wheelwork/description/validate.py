"""Checks that need more than one element: names, references, formulas, and numbers that depend on parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from wheelwork.description.base import PLANAR, Evaluate, Part, Value, as_float
from wheelwork.description.connection import Connection
from wheelwork.description.coordinates import coordinate_problems
from wheelwork.description.description import COLLECTIONS, Description, ProblemList
from wheelwork.description.files import component_file_problems, description_of
from wheelwork.description.flatten import flatten, parameters_of
from wheelwork.description.formula import NUMERIC, Formula
from wheelwork.description.kinds import component_kind_problem, kind_problems
from wheelwork.description.names import name_fault
from wheelwork.description.overrides import override_problem
from wheelwork.description.references import Index, formula_problems, reference_problems
from wheelwork.description.study import read_varying
from wheelwork.description.validation_errors import Path
from wheelwork.description.values import size_fault
from wheelwork.description.walk import givens, parts
from wheelwork.lazy import dataclass
from wheelwork.problems import ModelError, Problem

if TYPE_CHECKING:
    from wheelwork.description.flat import Flat, Placed

MOST_ELEMENTS = 100_000


def validate(description: Description) -> None:
    """Raise `ModelError` with everything wrong in a description and in its components."""
    checker = Checker()
    problems = checker.check_all(description)
    if not problems:
        problems = checker.check_numbers(description)
    if problems:
        raise ModelError(problems)


@dataclass
class Checker:
    """Checks mechanisms, each once, however often it is used as a component.

    broken: by id of a mechanism, names in it that could not be read; what refers to them is not reported again
    without_kind: ids of mechanisms whose `kind` could not be read
    """

    broken: dict[int, set[str]] = field(default_factory=dict)
    without_kind: set[int] = field(default_factory=set)
    indices: dict[int, Index] = field(default_factory=dict)
    # Mechanisms met: they must stay alive as long as their ids are used.
    _alive: list[Description] = field(default_factory=list)

    def index(self, description: Description) -> Index:
        """The names in a mechanism and in its components."""
        known = self.indices.get(id(description))
        if known is None:
            broken = self.broken.setdefault(id(description), set())
            inside: dict[str, Index] = {}
            for name, component in description.components.items():
                try:
                    inside[name] = self.index(description_of(component, description))
                except ModelError:  # reported by whoever reads it
                    broken.add(name)
            known = Index.of(description, inside, broken)
            self.indices[id(description)] = known
            self._alive.append(description)
        return known

    def check_all(self, description: Description) -> list[Problem]:
        """`check_names` for a mechanism and everything inside it."""
        problems: list[Problem] = []
        if self._contains_itself(description, problems):
            return problems
        waiting, seen = [description], {id(description)}
        while waiting:
            current = waiting.pop(0)
            for name, component in current.components.items():
                try:
                    inner = description_of(component, current)
                except ModelError as error:
                    problems += component_file_problems(error, name, component, ProblemList(current))
                    continue
                if id(inner) not in seen:
                    seen.add(id(inner))
                    waiting.append(inner)
            problems += self.check_names(current)
        return problems

    def _contains_itself(self, description: Description, problems: list[Problem]) -> bool:
        """Whether a mechanism made in Python is a component of itself; nothing else can be checked then."""
        outer: set[int] = set()
        clear: set[int] = set()

        def look(at: Description) -> bool:
            outer.add(id(at))
            for name, component in at.components.items():
                inner = component.model
                if inner is None or id(inner) in clear:
                    continue
                if id(inner) in outer:
                    report = ProblemList(at)
                    report.add(("components", name, "model"), "the mechanism would contain itself")
                    problems.extend(report.problems)
                    return True
                if look(inner):
                    return True
            outer.discard(id(at))
            clear.add(id(at))
            return False

        return look(description)

    def check_names(self, description: Description) -> list[Problem]:
        """Problems of one mechanism that can be seen without knowing its parameters' values."""
        report = ProblemList(description)
        _check_names(description, report)
        index = self.index(description)
        if index.size > MOST_ELEMENTS:
            report.add((), f"components make {index.size:.3g} elements; at most {MOST_ELEMENTS} are allowed")
        if id(description) not in self.without_kind:
            kind_problems(description, report)
        reference_problems(description, index, report)
        formula_problems(description, index, report)
        coordinate_problems(description, index, report)
        # Where the kind is not known, what only the plane leaves out is not missed.
        kind = PLANAR if id(description) in self.without_kind else description.kind
        _check_components(description, kind, index, report)
        for name, component in description.components.items():
            if name not in index.broken:
                component_kind_problem(description, name, description_of(component, description), report)
        return report.problems

    def check_numbers(self, description: Description) -> list[Problem]:
        """Problems that show once parameters have values: a mass that comes out negative, an axis that vanishes."""
        problems = number_problems(description, flatten(description, check=False))
        description._kept.checked = not problems
        return problems


def number_problems(description: Description, flat: Flat) -> list[Problem]:
    """The same with the parameters' values of `flat`, which may be others than those of the description."""
    try:
        numbers = flat.values
    except ModelError as error:
        return list(error.problems)
    elements = (
        (placed, visited(placed.element)) for collection in flat.collections for placed in collection.values()
    )
    return [
        *element_problems(elements, numbers),
        *analysis_problems(description, numbers),
        *study_problems(description, flat, numbers),
    ]


def readable_numbers(description: Description) -> list[Problem]:
    """What the parameters' values show to be wrong in a mechanism of which something else could not be read."""
    try:
        numbers = parameters_of(description).values
    except ModelError:  # said where they are read
        return []
    report, value = ProblemList(description), _value_with(numbers)
    for collection in COLLECTIONS:
        for name, element in getattr(description, collection).items():
            for message, hint, path in _faults(visited(element), value):
                report.add((collection, name, *path), message, hint)
    return [*report.problems, *analysis_problems(description, numbers)]


def element_problems(
    elements: Iterable[tuple[Placed[Any], Visited]], numbers: Mapping[str, float]
) -> list[Problem]:
    """What is wrong with elements of a flat mechanism for these values of its parameters.

    What is wrong with a shaft or rotor as it is written is not said again of the body that it stands for.
    """
    value = _value_with(numbers)
    problems: dict[str, list[Problem]] = {}
    for placed, seen in elements:
        if placed.name not in problems:
            found = [placed.problem(*fault) for fault in _faults(seen, value)]
            problems |= {placed.name: found} if found else {}
    return [problem for found in problems.values() for problem in found]


def analysis_problems(description: Description, numbers: Mapping[str, float]) -> list[Problem]:
    """What is wrong with the `analysis` section for these values of the parameters."""
    report = ProblemList(description)
    if description.analysis is not None:
        for message, hint, path in _faults(visited(description.analysis), _value_with(numbers)):
            report.add(("analysis", *path), message, hint)
    return report.problems


def study_problems(description: Description, flat: Flat, numbers: Mapping[str, float]) -> list[Problem]:
    """What is wrong with the `study` section: how parameters vary, and the settings of what is run."""
    plan, report = description.study, ProblemList(description)
    if plan is None:
        return []
    for message, hint, path in _faults(visited(plan), _value_with(numbers)):
        report.add(("study", *path), message, hint)
    if plan.table is None or plan.vary:  # names of the table's columns are looked at when it is read
        _, _, wrong = read_varying(plan.vary, numbers, flat.parameter_units, plan.count, plan.sampling)
        for problem in wrong:
            report.add(("study", *problem.path.split(".", 1)), problem.message, problem.hint)
    return report.problems


def _value_with(numbers: Mapping[str, float]) -> Evaluate:
    def value(given: Value) -> float | None:
        if not isinstance(given, Formula):
            return as_float(given)
        if not given.names() <= numbers.keys():
            return None
        return given.evaluate(numbers.__getitem__, NUMERIC)

    return value


Visited = tuple[list[tuple[Path, Formula]], list[tuple[Path, Part]]]
"""The formulas in a part, and the parts, with their paths."""


def visited(part: Part) -> Visited:
    return [(g.path, g.value) for g in givens(part) if isinstance(g.value, Formula)], list(parts(part))


def _faults(seen: Visited, value: Evaluate) -> Iterator[tuple[str, str, Path]]:
    """Message, hint and path of everything wrong in a part; numbers alone were looked at when they were read."""
    formulas, inside = seen
    for path, formula in formulas:
        number = value(formula)
        wrong = "" if number is None else size_fault(number)
        if wrong:
            yield f"{wrong}, but `{formula}` comes out as {number:g}", "", path
    for path, inner in inside:
        for issue in inner.all_issues(value):
            yield issue.message, issue.hint, (*path, *issue.path)


def _check_names(description: Description, report: ProblemList) -> None:
    seen: dict[str, str] = {}
    for collection in ("parameters", *COLLECTIONS):
        for name in getattr(description, collection):
            wrong = name_fault(name)
            if wrong:
                report.add((collection, name), wrong, at_key=True)
            elif name in seen:
                first = description.where((seen[name], name), key=True)
                place = f"{seen[name]}.{name}" + (f" ({first})" if first else "")
                report.add((collection, name), f"the name `{name}` is taken by {place}", at_key=True)
            else:
                seen[name] = collection


def _check_components(description: Description, kind: str, index: Index, report: ProblemList) -> None:
    for name, component in description.components.items():
        inner = index.inside.get(name)
        if inner is None:
            continue
        for parameter, given in component.parameters.items():
            path = ("components", name, "parameters", parameter)
            wrong, hint = override_problem(parameter, given, inner.parameters)
            if wrong and parameter not in inner.broken:
                report.add(path, wrong, hint, at_key=parameter not in inner.parameters)
    for collection in ("joints", "meshes", "forces", "drivers"):
        for name, element in getattr(description, collection).items():
            if isinstance(element, Connection):
                attached = tuple(body in index.frames or body in index.broken for body in element.bodies)
                framed = tuple(body in index.frames for body in element.bodies)
                issue = element.find_second_place((framed[0], framed[1]))
                issue = issue or element.placement_fault((attached[0], attached[1]), kind)
                if issue:
                    report.add((collection, name, *issue.path), issue.message, issue.hint, at_key=True)
