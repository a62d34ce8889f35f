"""Figures of studies: maps, lines, scatter, parallel coordinates, distributions, indices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.lazy import mpl_collections, mpl_colors, studies, study_tables
from wheelwork.problems import did_you_mean

from .prefixes import choose_prefix, with_unit
from .style import DASHES, Theme, ThemeName, beside, styled

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

MOST_LINES, MOST_POINTS, BINS = 8, 20_000, 60
PERCENTILES = (5, 50, 95)
VARIANT = "variant"
DEGREE = 180 / np.pi


def ready_for(table: xr.Dataset, measure: str) -> str:
    """The figure that fits a measure best."""
    grid = [d for d in table[measure].dims if d != VARIANT and table.sizes[d] > 1]
    return "distribution" if VARIANT in table[measure].dims else "map" if len(grid) > 1 else "lines"


def study_figure(
    table: xr.Dataset,
    measure: str | None = None,
    kind: str | None = None,
    *,
    at: Mapping[str, float] | None = None,
    theme: ThemeName | Theme = "light",
) -> Figure:
    """A figure of a measure (default: the first) of a kind (default: what fits). Raises ValueError.

    kind: `map`, `lines`, `scatter`, `parallel`, `distribution` or `indices`
    at: values of the dimensions that are not along an axis; in the middle where left out
    """
    known = [str(name) for name in table if str(name) not in study_tables.OWN]
    measure = known[0] if measure is None else measure
    if measure not in known:
        raise ValueError(f"there is no measure `{measure}`. {did_you_mean(measure, known)}".rstrip())
    kind = ready_for(table, measure) if kind is None else kind
    if kind not in KINDS:
        raise ValueError(f"there is no figure `{kind}` of a study; there are {', '.join(KINDS)}")
    if kind in ("map", "lines") and VARIANT in table[measure].dims:
        why = "what varies was drawn at random or read from a table"
        raise ValueError(f"`{kind}` needs a grid, and {why}: take `scatter`, `parallel` or `distribution`")
    if kind in ("scatter", "parallel", "distribution", "indices") and measure not in study_tables.scalars(
        table
    ):
        raise ValueError(
            f"`{kind}` needs a measure with one number for each variant, and `{measure}` has more"
        )
    table, factors = _in_shown_units(table)
    places = {name: value * factors.get(name, 1.0) for name, value in (at or {}).items()}
    with styled(theme) as look:
        return KINDS[kind](table, measure, places, look)


def _in_shown_units(table: xr.Dataset) -> tuple[xr.Dataset, dict[str, float]]:
    """A study in the units that its figures show, with prefixes, angles in degrees; and the factors of its numbers."""
    factors, table = {}, table.copy()
    for name, one in table.variables.items():
        unit = one.attrs.get("units", "")
        if one.dtype.kind != "f" or not one.size or not unit:
            continue
        factor, shown = (
            (DEGREE, "°") if unit == "rad" else choose_prefix(unit, float(np.nanmax(np.abs(one.values))))
        )
        if shown != unit:
            factors[str(name)] = factor
            table = (
                table.assign_coords({name: table[name] * factor})
                if name in table.coords
                else table.assign({name: table[name] * factor})
            )
            table[name].attrs = {**one.attrs, "units": shown}
    return table, factors


def _label(table: xr.Dataset, name: str) -> str:
    return with_unit(name, table[name].attrs.get("units", ""))


def _shown(
    table: xr.Dataset, measure: str, along: int, at: dict[str, float]
) -> tuple[xr.DataArray, list[str], str]:
    """Data over so many dimensions (the longest, in their order), their names, and where the others are."""
    data = table[measure]
    free = [str(d) for d in data.dims if d not in at and table.sizes[d] > 1]
    kept = sorted(sorted(free, key=lambda d: -table.sizes[d])[:along], key=free.index)
    words = []
    for name in [str(d) for d in data.dims if d not in kept]:
        values = table[name].values
        if values.dtype.kind == "f":
            k = int(np.argmin(np.abs(values - at[name]))) if name in at else len(values) // 2
        else:
            k = 0
        data = data.isel({name: k})
        if len(values) > 1 or name in at:
            shown = f"{values[k]:.4g}" if values.dtype.kind == "f" else str(values[k])
            words.append(f"{name} = {shown}")
    return data.transpose(*kept), kept, ", ".join(words)


def _map(table: xr.Dataset, measure: str, at: dict[str, float], look: Theme) -> Figure:
    data, kept, words = _shown(table, measure, 2, at)
    if len(kept) < 2:
        raise ValueError(
            f"a map needs two dimensions with more than one value, and `{measure}` has {len(kept)}"
        )
    x, y = sorted(kept, key=lambda d: -table.sizes[d])
    figure = look.figure(4.4)
    axis = figure.add_subplot()
    mesh = axis.pcolormesh(
        table[x], table[y], data.transpose(y, x).values, cmap="viridis", shading="nearest", rasterized=True
    )
    axis.grid(False)
    axis.set_xlabel(_label(table, x))
    axis.set_ylabel(_label(table, y))
    figure.colorbar(mesh, ax=axis, label=_label(table, measure))
    axis.set_title(words)
    return figure


def _lines(table: xr.Dataset, measure: str, at: dict[str, float], look: Theme) -> Figure:
    data, kept, words = _shown(table, measure, 2, at)
    if not kept:
        raise ValueError(f"`{measure}` is one number only")
    x = max(kept, key=lambda d: table.sizes[d])
    figure = look.figure(3.8)
    axis = figure.add_subplot()
    others = [d for d in kept if d != x]
    if others:
        (other,) = others
        values = table[other].values
        chosen = np.unique(np.linspace(0, len(values) - 1, min(MOST_LINES, len(values))).round().astype(int))
        colors = mpl_colors.LinearSegmentedColormap.from_list("", [look.series[0], look.series[1]])
        for n, k in enumerate(chosen):
            shown = f"{values[k]:.4g}" if values.dtype.kind == "f" else str(values[k])
            share = n / max(1, len(chosen) - 1)
            dashes = DASHES[n % len(DASHES)]
            axis.plot(table[x], data.isel({other: k}), label=shown, color=colors(share), linestyle=dashes)
        beside(axis)
        axis.get_legend().set_title(_label(table, other))
    else:
        axis.plot(table[x], data, marker="." if table.sizes[x] < 60 else "")
    axis.set_xlabel(_label(table, x))
    axis.set_ylabel(_label(table, measure))
    axis.set_title(words)
    return figure


def _columns(table: xr.Dataset, names: list[str]) -> dict[str, np.ndarray]:
    """Of every variant, in one order."""
    like = table["outcome"]
    return {name: table[name].broadcast_like(like).transpose(*like.dims).values.ravel() for name in names}


def _parameters(table: xr.Dataset) -> list[str]:
    dims = set(table["outcome"].dims)
    return [
        str(n)
        for n, c in table.coords.items()
        if c.dims and set(c.dims) <= dims and c.size > 1 and n != VARIANT
    ]


def _thinned(values: dict[str, np.ndarray], most: int) -> dict[str, np.ndarray]:
    count = len(next(iter(values.values())))
    chosen = (
        np.arange(count) if count <= most else np.random.default_rng(0).choice(count, most, replace=False)
    )
    return {name: some[chosen] for name, some in values.items()}


def _scatter(table: xr.Dataset, measure: str, at: dict[str, float], look: Theme) -> Figure:
    names = _parameters(table)
    values = _thinned(_columns(table, [*names, measure]), MOST_POINTS)
    across = min(3, len(names))
    down = -(-len(names) // across)
    figure = look.figure(0.5 + 2.5 * down)
    axes = figure.subplots(down, across, squeeze=False, sharey=True)
    for k, axis in enumerate(axes.ravel()):
        if k >= len(names):
            axis.set_visible(False)
            continue
        size = max(1.0, min(14.0, 8000 / len(values[measure])))
        axis.scatter(values[names[k]], values[measure], s=size, color=look.series[0], alpha=0.5, linewidths=0,
                     rasterized=True)  # fmt: skip
        axis.set_xlabel(_label(table, names[k]))
        if k % across == 0:
            axis.set_ylabel(_label(table, measure))
    return figure


def _parallel(table: xr.Dataset, measure: str, at: dict[str, float], look: Theme) -> Figure:
    names = [*_parameters(table), *(name for name in study_tables.scalars(table) if name != measure), measure]
    values = _columns(table, names)
    good = np.isfinite(values[measure])
    if not good.any():
        raise ValueError(f"no variant has `{measure}`")
    values = _thinned({name: some[good] for name, some in values.items()}, 1500)
    ends = {name: (float(np.nanmin(v)), float(np.nanmax(v))) for name, v in values.items()}
    scaled = np.array(
        [
            (v - ends[n][0]) / (ends[n][1] - ends[n][0]) if np.ptp(ends[n]) else 0.5 + 0 * v
            for n, v in values.items()
        ]
    )
    figure = look.figure(4.2)
    axis = figure.add_subplot()
    collections = _colored_lines(axis, scaled, values[measure], len(names))
    figure.colorbar(collections, ax=axis, label=_label(table, measure), pad=0.02)
    for k, name in enumerate(names):
        axis.axvline(k, color=look.line, linewidth=1)
        low, high = ends[name]
        axis.annotate(
            f"{high:.4g}", (k, 1), (0, 4), textcoords="offset points", ha="center", fontsize="small"
        )
        axis.annotate(
            f"{low:.4g}", (k, 0), (0, -11), textcoords="offset points", ha="center", fontsize="small"
        )
    axis.set_xticks(range(len(names)), [_label(table, name) for name in names])
    axis.tick_params(axis="x", length=0, pad=16)
    axis.set_yticks([])
    axis.grid(False)
    axis.spines[:].set_visible(False)
    axis.set_ylim(-0.02, 1.08)
    axis.set_xlim(-0.3, len(names) - 0.7)
    return figure


def _colored_lines(axis: Any, scaled: np.ndarray, color: np.ndarray, count: int) -> Any:
    """A line for each variant, large values of the last above the others."""
    order = np.argsort(color)
    lines = np.stack([np.broadcast_to(np.arange(count)[:, None], scaled.shape), scaled], axis=-1)
    lines = np.moveaxis(lines, 0, 1)[order]
    drawn = mpl_collections.LineCollection(
        list(lines), array=color[order], cmap="viridis", linewidths=0.7, alpha=0.6, rasterized=True
    )
    axis.add_collection(drawn)
    return drawn


def _distribution(table: xr.Dataset, measure: str, at: dict[str, float], look: Theme) -> Figure:
    values = table[measure].values.ravel()
    values = values[np.isfinite(values)]
    if not len(values):
        raise ValueError(f"no variant has `{measure}`")
    figure = look.figure(3.6)
    axis = figure.add_subplot()
    bins = int(min(BINS, max(5, np.sqrt(len(values)))))
    axis.hist(values, bins=bins, color=look.series[0], alpha=0.55)
    for percent, value in zip(PERCENTILES, np.percentile(values, PERCENTILES), strict=True):
        axis.axvline(value, color=look.ink, linewidth=1, linestyle="-" if percent == 50 else (0, (5, 2)))
        axis.annotate(
            f"{percent} %: {value:.4g}",
            (value, 1.0),
            (3, -3),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            rotation=90,
            va="top",
            fontsize="small",
        )
    axis.set_xlabel(_label(table, measure))
    axis.set_ylabel("variants")
    axis.set_title(f"{len(values)} variants, mean {values.mean():.4g}, standard deviation {values.std():.4g}")
    return figure


def _indices(table: xr.Dataset, measure: str, at: dict[str, float], look: Theme) -> Figure:
    found = studies.indices(table, measure)
    names = [str(name) for name in found["parameter"].values]
    place = np.arange(len(names))
    figure = look.figure(3.6)
    axis = figure.add_subplot()
    if "first" in found:
        for k, (name, words) in enumerate((("first", "alone"), ("total", "with others too"))):
            axis.bar(place + 0.4 * k - 0.2, found[name], 0.38, color=look.series[k], label=words)
            axis.errorbar(place + 0.4 * k - 0.2, found[name], found[f"{name}_confidence"], color=look.ink, fmt="none",
                          capsize=3, linewidth=1)  # fmt: skip
        axis.set_xticks(place, names)
        axis.set_ylabel("share of the variance")
        axis.set_ylim(min(0.0, axis.get_ylim()[0]), None)
        beside(axis)
    else:
        axis.scatter(found["mean_absolute_effect"], found["effect_deviation"], color=look.series[0])
        for k, name in enumerate(names):
            at_point = (float(found["mean_absolute_effect"][k]), float(found["effect_deviation"][k]))
            axis.annotate(name, at_point, (5, 4), textcoords="offset points")
        unit = table[measure].attrs.get("units", "")
        axis.set_xlabel(with_unit("mean size of effects over the range", unit))
        axis.set_ylabel(with_unit("their standard deviation", unit))
        axis.set_xlim(0, None)
        axis.margins(0.12)
    axis.set_title(f"{measure}: which parameter matters")
    return figure


KINDS: dict[str, Callable[[Any, str, dict[str, float], Theme], Any]] = {
    "map": _map,
    "lines": _lines,
    "scatter": _scatter,
    "parallel": _parallel,
    "distribution": _distribution,
    "indices": _indices,
}
