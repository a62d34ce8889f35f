"""Stability charts: exponents over one parameter with the zones in which motions grow, or growth over two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .prefixes import with_unit
from .style import Theme, ThemeName, below_all, beside, stacked, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.analyses.vibration import Stability

GROWS = 0.01
"""Of the largest growth: what a mode has to have beside it to be marked."""
MOST_NAMED = 8
"""Zones with their cause beside them."""


def stability_chart(stability: Stability, *, theme: ThemeName | Theme = "light") -> Figure:
    """Over one parameter frequencies and growth, zones shaded; over two a map of the growth, zero growth as a line."""
    if not stability.parameters:
        raise ValueError("a chart needs values of a parameter: ask for `stability` with `over`")
    with styled(theme) as look:
        return (_curves if len(stability.parameters) == 1 else _map)(stability, look)


def _curves(stability: Stability, look: Theme) -> Figure:
    figure, (top, below) = stacked(look, 2, 2.4, height_ratios=[3, 2])
    values = stability.values[0]
    frequency = np.abs(np.imag(stability.exponents)) / (2 * np.pi)
    frequency[frequency < 1e-6 * np.nanmax(frequency, initial=0.0)] = np.nan  # rigid motions
    unstable = np.real(stability.exponents) > GROWS * np.maximum(stability.growth, 1e-300)[:, None]
    across = np.repeat(values[:, None], frequency.shape[1], axis=1)
    top.plot(
        across[~unstable],
        frequency[~unstable],
        ".",
        markersize=3,
        color=look.series[0],
        label="stays or decays",
    )
    top.plot(across[unstable], frequency[unstable], "o", markersize=4, color=look.series[1], label="grows")
    below.plot(values, np.maximum(stability.growth, 0.0), color=look.series[1])
    named = sorted(stability.zones, key=lambda zone: -zone.growth)[:MOST_NAMED]
    for zone in stability.zones:
        for axis in (top, below):
            axis.axvspan(zone.low, zone.high, color=look.series[1], alpha=0.15, linewidth=0.8)
        below.plot(zone.value, zone.growth, "o", markersize=4, color=look.series[1])
        if zone in named and zone.cause:
            below.annotate(
                f"{zone.cause} Hz",
                (zone.value, zone.growth),
                xytext=(0, 4),
                textcoords="offset points",
                ha="center",
                fontsize="x-small",
                color=look.ink,
            )
    top.set_ylabel("frequency [Hz]")
    top.set_ylim(bottom=0)
    below.set_ylabel("growth [1/s]")
    below.set_ylim(0, 1.25 * max(float(np.nanmax(stability.growth, initial=0.0)), _most(stability)) or 1.0)
    below.set_xlabel(with_unit(stability.parameters[0], stability.unit[0]))
    for axis in (top, below):
        axis.set_xlim(values[0], values[-1])
    beside(top)
    below_all(figure, stability.assumptions, look)
    return figure


def _most(stability: Stability) -> float:
    return max((zone.growth for zone in stability.zones), default=0.0)


def _map(stability: Stability, look: Theme) -> Figure:
    figure = look.figure(4)
    axis = figure.add_subplot()
    first, second = stability.values
    growth = np.ma.masked_less_equal(np.ma.masked_invalid(stability.growth), 0.0).T
    drawn = axis.pcolormesh(first, second, growth, cmap="YlOrRd", shading="nearest", vmin=0.0)
    if np.nanmin(stability.growth) <= 0 < np.nanmax(stability.growth):
        marks = np.where(stability.growth > 0, 1.0, 0.0).T
        axis.contour(first, second, marks, levels=[0.5], colors=[look.ink], linewidths=1.0)
    axis.grid(False)
    axis.set_xlabel(with_unit(stability.parameters[0], stability.unit[0]))
    axis.set_ylabel(with_unit(stability.parameters[1], stability.unit[1]))
    figure.colorbar(drawn, ax=axis, label="growth [1/s]; blank: stable")
    return figure
