"""What is refused before a study runs: parameters that nothing depends on, and numbers that no element may have."""

from __future__ import annotations

import os
from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import Description, Formula, ModelError, Problem
from wheelwork.description.validate import element_problems, visited
from wheelwork.description.validation_errors import shown
from wheelwork.description.walk import givens
from wheelwork.problems import listed

from .analyses import StudiedAnalysis
from .dataset import OWN
from .measures import Measures
from .numbers import mapped

if TYPE_CHECKING:
    from .study import Study

CHECKED = 4096
"""Variants whose numbers are checked one by one before anything runs: all, or of more than these a sample that has the
least and the greatest value of every parameter."""


def check_arguments(given: Mapping[str, Any]) -> Mapping[str, str]:
    """Each of the kind that it must be; the measures as they are written, also where they are those of a study."""
    measures = given["measures"]
    if isinstance(measures, Measures | StudiedAnalysis):
        measures = dict(zip(measures.names, measures.texts, strict=True))
    problems = [
        Problem(f"needs {needed}, but is {shown(value)}", path=name)
        for name, (kinds, needed) in _ARGUMENTS.items()
        if not isinstance(value := measures if name == "measures" else given[name], kinds)
    ]
    if problems:
        raise ModelError(problems)
    for path, names in (("vary", given["vary"] or {}), ("measures", measures)):
        problems += [
            Problem(f"a name is a text, but here it is {shown(n)}", path=path)
            for n in names
            if not isinstance(n, str)
        ]
    if given["seed"] < 0:
        problems.append(Problem(f"must not be negative, but is {given['seed']}", path="seed"))
    if problems:
        raise ModelError(problems)
    return measures


_ARGUMENTS: dict[str, tuple[Any, str]] = {
    "mechanism": (Description, "a mechanism, such as `ww.load(file)` gives"),
    "vary": (Mapping | None, "values of parameters by name, such as `{'load': [1, 2]}`"),
    "measures": (Mapping, "measures by name, such as `{'peak': 'greatest(mesh1.force.normal)'}`"),
    "table": (str | os.PathLike | None, "the name of a CSV file"),
    "count": (Integral | None, "a whole number"),
    "samples": (Integral, "a whole number"),
    "seed": (Integral, "a whole number"),
    "run_in": (Real | str, "a time, such as `0.3 s`"),
    "analysis": (str, "the name of an analysis, such as `modes`"),
}


def check_run_arguments(threads: Any, store: Any, client: Any) -> None:
    """Those of `Study.run`."""
    if threads is not None and (
        isinstance(threads, bool) or not isinstance(threads, Integral) or threads < 1
    ):
        raise ModelError(f"needs a whole number of at least 1, and is {threads}", path="threads")
    if not isinstance(store, str | os.PathLike | None):
        raise ModelError(f"needs the name of a folder, but is {shown(store)}", path="store")
    if client is not None and not hasattr(client, "scatter"):
        raise ModelError(f"needs a client of `dask.distributed`, but is {shown(client)}", path="client")


def check_names(study: Study) -> None:
    """A measure under the name of something else in the table would hide it, or be hidden by it."""
    varied = set(study.variants.names) | set(study.variants.dimensions)
    further = {extent.name for extents in study.wanted.extents for extent in extents}
    problems = []
    for name in study.wanted.names:
        taken = next((what for what, names in (
            ("what varies", varied), ("a column of every table", OWN), ("a dimension of another measure", further),
        ) if name in names), "")  # fmt: skip
        if taken:
            text = f"the name `{name}` is taken by {taken}"
            problems.append(Problem(text, path=f"measures.{name}", hint="give the measure another name"))
    if problems:
        raise ModelError(problems)


def check_parameters(study: Study) -> None:
    """A parameter that nothing depends on is a mistake."""
    in_measures: set[str] = set()
    if study.studied is None:
        in_measures = {name for signal in study.measures.signals for name in signal.names()}
    analysis = [g.value.names() for g in givens(study.settings) if isinstance(g.value, Formula)]
    used = in_measures.union(*analysis)
    if study.analysis in ("ratios", "transmission_error"):  # which no equation of motion is needed for
        used = used.union(
            *(g.value.names() for g in givens(study.description) if isinstance(g.value, Formula))
        )
    problems = [
        Problem(
            f"no equation contains the parameter `{name}`: all variants would be the same",
            path=f"vary.{name}",
        )
        for name, contained in zip(study.variants.names, study.varying.used, strict=True)
        if not contained and name not in used
    ]
    own = study.description.analysis
    if own is not None and study.studied is None:
        for given in givens(own):
            varied = (
                given.value.names() & set(study.variants.names) if isinstance(given.value, Formula) else set()
            )
            if varied:
                problems.append(
                    Problem(
                        f"`{'.'.join(map(str, given.path))}` of the analysis depends on {listed(sorted(varied))}, "
                        "and all variants of a study have the same times and tolerances",
                        path="vary",
                    )
                )
    if problems:
        raise ModelError(problems)


def check_numbers(study: Study) -> None:
    """Values with which an element would be wrong, such as a negative mass, are reported with the variant's values."""
    count, variants, program = study.variants.count, study.variants, study.base.program
    chosen = np.arange(count)
    if count > CHECKED:
        x = variants.values(chosen)
        ends = [k for row in x for k in (int(np.argmin(row)), int(np.argmax(row)))]
        chosen = np.unique([*ends, *np.linspace(0, count - 1, CHECKED).astype(int).tolist()])
    x = variants.values(chosen)
    depending = set(variants.names)
    for _ in study.parameters:  # parameters that are formulas of these
        depending |= {
            name
            for name, value in study.parameters.items()
            if isinstance(value, Formula) and value.names() & depending
        }
    flat = study.base.flat
    seen = [
        (placed, visited(placed.element)) for collection in flat.collections for placed in collection.values()
    ]
    concerned = [one for one in seen if any(formula.names() & depending for _, formula in one[1][0])]
    resolved = mapped(study.varying.resolved, x)
    for k in range(len(chosen)):
        numbers = dict(zip(program.parameter_names, resolved[:, k].tolist(), strict=True))
        bad = [name for name, value in numbers.items() if not np.isfinite(value)]
        problems = element_problems(concerned, numbers)
        if bad or problems:
            said = ", ".join(f"{n} = {v:g}" for n, v in zip(variants.names, x[:, k], strict=True))
            message = f"`{bad[0]}` has no finite value" if bad else problems[0].message
            path = "" if bad else problems[0].path
            raise ModelError(f"with {said}: {message}", path=path or "vary")
