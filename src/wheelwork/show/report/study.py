"""The report of a study: how it went, its measures with figures, what failed, and the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wheelwork.analyses import assemble
from wheelwork.description.read import loads
from wheelwork.show.figures.study import study_figure
from wheelwork.show.player.film import film_of_motion
from wheelwork.studies.dataset import OWN, in_words, not_run_and_failed, scalars, variant_at

from . import page
from .html import attempt, card, facts, picture, section, table
from .sections.run import head, provenance
from .sections.run import mechanism as moving
from .svg import PAGE, inline

if TYPE_CHECKING:
    import xarray as xr

    from wheelwork.description import Description

MOST_FAILURES = 20


def study_page(found: xr.Dataset, mechanism: Description | None = None) -> str:
    """One HTML file that needs nothing else.

    mechanism: that was studied, where it is at hand; else it is read from the study
    """
    about, title = found.attrs, str(found.attrs.get("title") or "Study")
    missing, failed = not_run_and_failed(found)
    words = f"{missing.size} variants{in_words(missing, failed)}"
    at = assemble(loads(about["model"]) if mechanism is None else mechanism)
    flat = at.prepared.flat
    body = [
        head(title, not (missing | failed).any(), "study", words, flat.comment),
        attempt("Mechanism", lambda: moving(film_of_motion(at.motion))),
        attempt("What was run", lambda: section("What was run", card(facts(_facts(found))))),
        attempt("Measures", lambda: section("Measures", card(table(*_measures(found))))),
        *(
            attempt(name, lambda name=name: _pictures(found, name))
            for name in map(str, found)
            if name not in OWN
        ),
        attempt("Failures", lambda: section("Failures", card(table(*_failures(found, failed))))),
        provenance(
            {
                "model": title,
                "file": "",
                "wheelwork": str(about.get("wheelwork", "")),
                "date": str(about.get("date", "")),
            },
            model=str(about["model"]),
            parameters=flat.values,
            units=flat.parameter_units,
        ),
    ]
    return page.whole_page(title, body, {"start": 0.0, "end": 0.0, "panels": []})


def _facts(found: xr.Dataset) -> list[tuple[str, str]]:
    rows = [("analysis", str(found.attrs.get("analysis", "")))]
    for name, values in found.coords.items():
        if values.dtype.kind == "f" and values.size > 1:
            unit = values.attrs.get("units", "")
            span = f"{values.size} values from {float(values.min()):.5g} to {float(values.max()):.5g} {unit}"
            rows.append((str(name), span.removesuffix(" 1")))
    for key in ("engine", "why_not_lanes", "seconds"):
        if key in found.attrs:
            rows.append((key.replace("_", " "), str(found.attrs[key])))
    return rows


def _measures(found: xr.Dataset) -> tuple[list[str], list[list[str | float]]]:
    rows: list[list[str | float]] = []
    for name in scalars(found):
        values = found[name].values
        values = values[np.isfinite(values)]
        if len(values):
            numbers = [
                values.min(),
                *np.percentile(values, [5, 50, 95]),
                values.max(),
                values.mean(),
                values.std(),
            ]
            about = found[name].attrs
            rows.append([name, about.get("long_name", ""), about.get("units", ""), *map(float, numbers)])
    columns = ["least", "5 %", "median", "95 %", "greatest", "mean", "deviation"]
    return ["measure", "is", "unit", *columns], rows


def _pictures(found: xr.Dataset, name: str) -> str:
    kinds = [None, "distribution"] if name in scalars(found) else ["lines"]
    drawn: list[str] = []
    if np.isfinite(found[name].values).any() and found["outcome"].size > 1:
        for k, kind in enumerate(kinds):
            if k and "variant" in found[name].dims:
                kind = "scatter"
            figure = study_figure(found, name, kind, theme=PAGE)
            drawn.append(picture(inline(figure), str(found[name].attrs.get("long_name", name))))
    return section(name, *drawn)


def _failures(found: xr.Dataset, failed: np.ndarray) -> tuple[list[str], list[list[str | float]]]:
    rows: list[list[str | float]] = []
    for k in map(int, np.flatnonzero(failed.ravel())[:MOST_FAILURES]):
        rows.append([str(k), *variant_at(found, k).values(), str(found["reason"].values.ravel()[k])])
    return ["variant", *variant_at(found, 0), "why"], rows
