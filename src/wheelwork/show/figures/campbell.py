"""Campbell diagrams: frequencies and damping over a speed, with the orders that excite them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .style import Theme, ThemeName, beside, stacked, styled, with_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.analyses.vibration import Campbell


def campbell_diagram(campbell: Campbell, *, theme: ThemeName | Theme = "light") -> Figure:
    """Above: frequencies (heavy: forward whirl), order lines, critical values; below: damping."""
    with styled(theme) as look:
        figure, (top, below) = stacked(look, 2, 2.8, height_ratios=[3, 1])
        shown = [
            k for k in range(campbell.frequencies.shape[1]) if np.any(campbell.natural_frequencies[:, k] > 0)
        ]
        for i, k in enumerate(shown):
            forward, backward = np.max(campbell.whirl[:, k]) > 0.5, np.min(campbell.whirl[:, k]) < -0.5
            way = "forward" if forward and not backward else "backward" if backward and not forward else ""
            style = {
                "linewidth": 2.2 if forward else 1.2,
                "linestyle": "--" if way == "backward" else "-",
                "color": look.series[i % len(look.series)],
            }
            label = f"mode {k + 1}" + (f", {way}" if way else "")
            top.plot(campbell.values, campbell.natural_frequencies[:, k], label=label, **style)
            below.plot(campbell.values, 100 * campbell.damping[:, k], **style)
        _orders(top, campbell, _limit(campbell, shown), look)
        found = campbell.criticals()
        if found:
            places = [point.value for point in found], [point.frequency for point in found]
            top.plot(*places, "o", color=look.ink, markersize=4.5, label="critical")
        unit = campbell.first.linear.at.prepared.flat.parameter_units.get(campbell.parameter, "")
        below.set_xlabel(with_unit(campbell.parameter, unit))
        top.set_ylabel("frequency [Hz]")
        below.set_ylabel("damping ratio [%]")
        if np.nanmax(np.abs(campbell.damping), initial=0.0) < 1e-9:
            below.set_ylim(-0.1, 1)
        for axis in (top, below):
            axis.margins(x=0)
        beside(top)
    return figure


def _limit(campbell: Campbell, shown: list[int]) -> float:
    """Height of the diagram [Hz]; what no order reaches would press the rest together."""
    limit = 1.1 * float(np.max(campbell.natural_frequencies[:, shown], initial=0.0)) or 1.0
    highest = max((abs(order) for order in campbell.orders), default=0.0)
    reach = float(highest * np.abs(campbell.values).max() / (2 * np.pi))
    return min(limit, 1.5 * reach) if reach else limit


def _orders(axis: Any, campbell: Campbell, limit: float, look: Theme) -> None:
    for order in campbell.orders:
        line = order * campbell.values / (2 * np.pi)
        axis.plot(campbell.values, line, color=look.soft, linewidth=1, linestyle=":")
        inside = np.flatnonzero(line <= limit)
        k = inside[-1] if len(inside) else 0
        axis.annotate(
            f"{order:g}×",
            (campbell.values[k], line[k]),
            color=look.soft,
            ha="right",
            va="bottom" if line[k] < 0.9 * limit else "top",
            fontsize="small",
        )
    axis.set_ylim(0, limit)
