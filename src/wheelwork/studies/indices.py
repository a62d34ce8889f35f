"""Which parameter matters how much: indices of Sobol (Saltelli's samples) and of Morris, by SALib (extra `indices`).

The samples are drawn with `sampling="saltelli"` or `"morris"`; `count` is that of base samples or of trajectories, so
that D parameters make count (D + 2) or count (D + 1) variants.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.description import ModelError, Problem
from wheelwork.lazy import salib_morris, salib_morris_sample, salib_sobol, salib_sobol_sample
from wheelwork.lazy import xarray as xr
from wheelwork.problems import did_you_mean, listed

if TYPE_CHECKING:
    import xarray

SAMPLES = ("saltelli", "morris")
LEVELS = 4
"""Of each parameter in Morris's trajectories."""


def _problem(names: list[str]) -> dict[str, Any]:
    return {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}


def unit_samples(sampling: str, names: list[str], count: int, seed: int) -> np.ndarray:
    """Points of the unit cube (variants, parameters)."""
    try:
        if sampling == "morris":
            return salib_morris_sample.sample(_problem(names), count, num_levels=LEVELS, seed=seed)
        return salib_sobol_sample.sample(_problem(names), count, calc_second_order=False, seed=seed)
    except ImportError:
        text = f'the sampling `{sampling}` needs SALib: pip install "wheelwork[indices]"'
        raise ImportError(text) from None


def indices(table: xarray.Dataset, measure: str) -> xarray.Dataset:
    """How much a measure depends on each parameter, over the dimension `parameter`.

    Of `saltelli` samples: `first` and `total` with their 95 % `first_confidence` and `total_confidence`: shares of the
    variance that a parameter makes alone, and together with others. Of `morris`: `mean_effect`, `mean_absolute_effect`,
    `effect_deviation` of a change over the whole range.
    """
    drawing = json.loads(table.attrs.get("drawing", "{}"))
    sampling, problems = drawing.get("sampling"), []
    if sampling not in SAMPLES or table["outcome"].dims != ("variant",):
        text = f"indices need a study of its own, with `sampling` {listed(SAMPLES, 'or')} and no grid"
        problems.append(Problem(text, path="sampling"))
    elif measure not in table or table[measure].dims != ("variant",):
        known = [str(name) for name in table if table[name].dtype.kind == "f"]
        hint = did_you_mean(measure, known) or f"there are {listed(known)}"
        problems.append(Problem(f"there is no measure `{measure}` with one number", hint=hint))
    elif not np.all(np.isfinite(table[measure].values)):
        missing = int(np.count_nonzero(~np.isfinite(table[measure].values)))
        problems.append(
            Problem(f"{missing} of {table[measure].size} variants have no `{measure}`: all are needed")
        )
    if problems:
        raise ModelError(problems)
    names, y = drawing["parameters"], np.asarray(table[measure].values, float)
    about = {"long_name": f"of {measure}", "sampling": sampling, "measure": measure}
    coords = {"parameter": names}
    if sampling == "morris":
        unit = unit_samples(sampling, names, drawing["count"], drawing["seed"])
        found = salib_morris.analyze(_problem(names), unit, y, num_levels=LEVELS, seed=0)
        kept = {"mean_effect": "mu", "mean_absolute_effect": "mu_star", "effect_deviation": "sigma"}
    else:
        found = salib_sobol.analyze(_problem(names), y, calc_second_order=False, seed=0)
        kept = {"first": "S1", "first_confidence": "S1_conf", "total": "ST", "total_confidence": "ST_conf"}
    data = {name: ("parameter", np.asarray(found[own], float)) for name, own in kept.items()}
    return xr.Dataset(data, coords, about)
