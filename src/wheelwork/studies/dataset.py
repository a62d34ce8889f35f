"""Results of a study as a labelled table: dimensions are what varied, with units, provenance and outcomes."""

from __future__ import annotations

import json
import warnings
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork import __version__
from wheelwork.description.write import dumps
from wheelwork.engine.outcome import Outcome
from wheelwork.lazy import pandas
from wheelwork.lazy import xarray as xr
from wheelwork.problems import users_level
from wheelwork.results.provenance import whole
from wheelwork.results.spectra import FEWEST

from .chunks import NOT_RUN, VariantResults
from .variation import VARIANT

if TYPE_CHECKING:
    import xarray

    from .study import Study

_WORDS = {int(o): "not run" if o is Outcome.INTERRUPTED else str(o) for o in Outcome}
OUTCOMES = tuple(_WORDS.get(k, "") for k in range(max(_WORDS) + 1))
"""In words, by number."""
OWN = {
    "outcome": {"long_name": "how the variant ended"},
    "end_time": {"units": "s", "long_name": "when it ended"},
    "reason": {"long_name": "why it failed"},
}
"""What a table holds besides the measures."""


def scalars(table: xarray.Dataset) -> list[str]:
    """Measures with one number for each variant."""
    return [str(name) for name in table if name not in OWN and table[name].dims == table["outcome"].dims]


def not_run_and_failed(table: xarray.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Which variants were not run, and which of the others failed."""
    missing = table["outcome"].values == "not run"
    return missing, ~missing & (table["outcome"].values != "reached end")


def in_words(missing: np.ndarray, failed: np.ndarray) -> str:
    """How many of these there are; begins with a comma where there are any."""
    words = f", {int(failed.sum())} failed" if failed.any() else ""
    return words + (f", {int(missing.sum())} not run" if missing.any() else "")


def variant_at(table: xarray.Dataset, k: int) -> dict[str, float]:
    """Values of what varies, of one variant by its number."""
    dims = table["outcome"].dims
    place = dict(zip(dims, np.unravel_index(k, table["outcome"].shape), strict=True))
    own = {str(n): c for n, c in table.coords.items() if set(c.dims) <= set(dims)}
    return {name: float(c.isel({d: place[d] for d in c.dims})) for name, c in own.items()}


class StudyWarning(UserWarning):
    """A study did not get to its end, or some of its variants did not; its result holds what there is."""


def coordinates(study: Study) -> dict[str, tuple[tuple[str, ...], np.ndarray, dict[str, str]]]:
    """Values of what varies, and of the further dimensions of measures."""
    variants = study.variants
    found = {name: ((name,), values, study.about(name)) for name, values in variants.axes.items()}
    found |= {name: ((VARIANT,), values, study.about(name)) for name, values in variants.columns.items()}
    for extent in (extent for extents in study.wanted.extents for extent in extents):
        found[extent.name] = ((extent.name,), np.array(extent.values), {"units": extent.unit})
    return found


def measure_attributes(study: Study) -> dict[str, dict[str, str]]:
    """Unit and text of each measure."""
    return {
        name: ({"units": unit} if unit else {}) | {"long_name": text}
        for name, unit, text in zip(study.wanted.names, study.wanted.units, study.wanted.texts, strict=True)
    }


def attributes(study: Study) -> dict[str, Any]:
    """What was run."""
    about: dict[str, Any] = {
        "title": study.description.name,
        "model": dumps(whole(study.description), inline=True),
        "name": study.description.name,
        "analysis": study.analysis,
        "drawing": json.dumps(study.drawing | {"parameters": list(study.variants.columns)}),
        "wheelwork": __version__,
    }
    if study.studied is None:
        run = study.options
        about["analysis"] = f"simulate, {run.method}, from {run.start:g} to {run.end:g} s"
        about |= {"method": run.method, "step": run.step or 0.0, "rtol": run.rtol, "atol": run.atol}
        about |= {"measured_from": study.span.begin, "samples": study.span.intervals}
    return about


def how(engine: str, why: str, seconds: float, steps: int | None, again: int) -> dict[str, Any]:
    """How it was run.

    steps: of all variants, where they are counted; again: variants that lanes did not get through
    """
    own = {"engine": engine, "seconds": seconds} | ({} if steps is None else {"steps": steps})
    own |= {"run_again_by_themselves": again} if again else {}
    date = {"date": datetime.now(UTC).isoformat(timespec="seconds")}
    return own | date | ({"why_not_lanes": why} if why else {})


def as_dataset(study: Study, found: VariantResults, run: dict[str, Any]) -> xarray.Dataset:
    """The table. run: what `how` gives"""
    dims, shape = tuple(study.variants.dimensions), study.variants.shape
    data: dict[str, Any] = {}
    for name, attrs in measure_attributes(study).items():
        more = study.further(name)
        values = found.measured[name].reshape(*shape, *(n for _, n in more))
        data[name] = _variable((*dims, *(d for d, _ in more)), values, attrs)
    data["outcome"] = _variable(dims, outcome_words(found.outcome).reshape(shape), OWN["outcome"])
    data["end_time"] = _variable(dims, found.time.reshape(shape), OWN["end_time"])
    data["reason"] = _variable(dims, reasons(found).reshape(shape), OWN["reason"])
    along = {name: _variable(*parts, name) for name, parts in coordinates(study).items()}
    return xr.Dataset(data, along, attributes(study) | run)


def _variable(dims: tuple[str, ...], values: np.ndarray, attrs: dict[str, str], name: str = "") -> Any:
    """Of an ordinary array: xarray would ask whether it is one of Dask's, and load Dask for that (0.3 s)."""
    if dims == (name,):
        return xr.IndexVariable(dims, pandas.Index(values), dict(attrs), fastpath=True)
    return xr.Variable(dims, values, dict(attrs), fastpath=True)


def outcome_words(outcome: np.ndarray) -> np.ndarray:
    return np.array(OUTCOMES, dtype=object)[outcome]


def reasons(found: VariantResults) -> np.ndarray:
    """Why variants failed, empty for the others."""
    out = np.full(len(found.outcome), "", dtype=object)
    bad = (found.outcome != Outcome.REACHED_END) & (found.outcome != NOT_RUN)
    for k in np.flatnonzero(bad):
        out[k] = found.texts.get(int(k), f"{Outcome(int(found.outcome[k]))} at t = {found.time[k]:.6g} s")
    return out


def warn_of_failures(study: Study, table: xarray.Dataset, outcome: np.ndarray, reason: np.ndarray) -> None:
    """A warning where variants failed or were not run, or have no order that was asked for."""
    missing = int(np.count_nonzero(outcome == NOT_RUN))
    bad = np.flatnonzero((outcome != Outcome.REACHED_END) & (outcome != NOT_RUN))
    said = []
    if len(bad):
        at = ", ".join(f"{n} = {v:g}" for n, v in study.parameters_of(int(bad[0])).items())
        text = f"{len(bad)} of {len(outcome)} variants did not reach the end, the first with {at}: {reason[bad[0]]}"
        said.append(text)
    if missing:
        said.append(f"{missing} of {len(outcome)} variants were not run: interrupted")
    for name, text in zip(study.wanted.names, study.wanted.texts, strict=True):
        if study.studied is None and "order(" in text:
            none = np.count_nonzero(np.isnan(table[name].values.ravel()) & (outcome == Outcome.REACHED_END))
            if none:
                why = f"the angle turns back, makes less than a turn, or has fewer than {FEWEST:g} samples in a cycle"
                hint = "another `run_in` or more `samples` may help"
                said.append(f"`{text}` is nan in {none} of {len(outcome)} variants: {why}; {hint}")
    if said:
        warnings.warn(". ".join(said), StudyWarning, stacklevel=users_level())
