"""Figures of vibration: Campbell diagrams, frequency responses, sweeps and single orbits of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .prefixes import with_unit
from .style import Theme, ThemeName, below_all, beside, stacked, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.analyses.vibration import Campbell, FrequencyResponse, Sweep


def campbell_diagram(campbell: Campbell, *, theme: ThemeName | Theme = "light") -> Figure:
    """Above: frequencies (heavy: forward whirl), each curve with its number, order lines, values where they meet;
    below: damping, if there is any.
    """
    with styled(theme) as look:
        damped = np.nanmax(np.abs(campbell.damping), initial=0.0) > 1e-9
        panels = {"height": 2.8, "height_ratios": [3, 1]} if damped else {"height": 4.2}
        figure, (top, *rest) = stacked(look, 1 + damped, **panels)
        moving = np.flatnonzero(np.any(campbell.natural_frequencies > 0, axis=0)).tolist()
        limit = _limit(campbell, moving)
        shown = [k for k in moving if np.nanmin(campbell.natural_frequencies[:, k]) <= limit]
        ends = []
        for i, k in enumerate(shown):
            forward, backward = np.max(campbell.whirl[:, k]) > 0.5, np.min(campbell.whirl[:, k]) < -0.5
            way = "forward" if forward and not backward else "backward" if backward and not forward else ""
            style = {
                "linewidth": 2.2 if forward else 1.2,
                "linestyle": "--" if way == "backward" else "-",
                "color": look.series[i % len(look.series)],
            }
            curve = campbell.natural_frequencies[:, k]
            top.plot(campbell.values, curve, **style)
            for below in rest:
                below.plot(campbell.values, 100 * campbell.damping[:, k], **style)
                below.set_ylabel("damping ratio [%]")
            if curve[-1] <= limit:
                ends.append((float(curve[-1]), f"{k + 1}" + (f" {way}" if way else ""), style["color"]))
        _orders(top, campbell, limit, look)
        _name_curves(top, ends, limit)
        unit = campbell.first.linear.at.prepared.flat.parameter_units.get(campbell.parameter, "")
        _name_criticals(top, campbell, limit, look)
        (top, *rest)[-1].set_xlabel(with_unit(campbell.parameter, unit))
        top.set_ylabel("frequency [Hz]")
        if np.any(campbell.last.linear.turning):
            top.set_title(f"as seen from: {campbell.frame}", fontsize="small")
        for axis in (top, *rest):
            axis.margins(x=0)
        hidden = len(moving) - len(shown)
        more = [("further modes", f"{hidden} above {limit:.4g} Hz")] if hidden else []
        below_all(figure, [*campbell.first.linear.teeth.words, *more], look)
    return figure


def _name_curves(axis: Any, ends: list[tuple[float, str, Any]], limit: float) -> None:
    """Numbers of modes at the ends of their curves; where several end together, their numbers one beside the other."""
    groups: list[list[tuple[float, str, Any]]] = []
    where: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": "small"}
    axis.annotate("mode", (1.0, 1.0), xytext=(4, 4), va="bottom", annotation_clip=False, **where)
    for end in sorted(ends):
        if groups and end[0] - groups[-1][0][0] < 0.045 * limit:
            groups[-1].append(end)
        else:
            groups.append([end])
    for group in groups:
        words = ", ".join(text for _, text, _ in group)
        height = float(np.mean([place for place, *_ in group])) / limit
        axis.annotate(
            words,
            (1.0, height),
            xytext=(4, 0),
            color=group[0][2] if len(group) == 1 else None,
            va="center",
            annotation_clip=False,
            **where,
        )


def _name_criticals(axis: Any, campbell: Campbell, limit: float, look: Theme) -> None:
    """Points where an order meets a mode, with the value there as long as there is room."""
    found = [point for point in campbell.criticals() if point.frequency <= limit]
    if not found:
        return
    axis.plot([p.value for p in found], [p.frequency for p in found], "o", color=look.ink, markersize=4.5)
    width = float(np.ptp(campbell.values)) or 1.0
    named: list[tuple[float, float]] = []
    for point in found:
        place = ((point.value - campbell.values[0]) / width, point.frequency / limit)
        if all(abs(place[0] - x) > 0.045 or abs(place[1] - y) > 0.06 for x, y in named):
            named.append(place)
            axis.annotate(
                f"{point.value:.4g}",
                (point.value, point.frequency),
                xytext=(-4, 4),
                textcoords="offset points",
                ha="right" if place[0] > 0.12 else "left",
                color=look.ink,
                fontsize="x-small",
            )


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


# -- frequency responses: magnitude and phase


def frequency_response(response: FrequencyResponse, *, theme: ThemeName | Theme = "light") -> Figure:
    """Magnitude (logarithmic) and phase over frequency."""
    with styled(theme) as look:
        figure, (top, below) = stacked(look, 2, 2.4, height_ratios=[2, 1])
        for k, name in enumerate(response.signals):
            label = with_unit(name, response.units[k])
            top.semilogy(response.frequencies, np.abs(response.values[:, k]), label=label)
            below.plot(response.frequencies, np.degrees(np.angle(response.values[:, k])))
        top.set_ylabel(f"amplitude per unit of {response.input}")
        below.set_ylabel("phase [deg]")
        below.set_xlabel("frequency [Hz]")
        below.set_yticks(range(-180, 181, 90))
        for axis in (top, below):
            axis.margins(x=0)
        beside(top)
        below_all(figure, response.linear.teeth.words, look)
    return figure


# -- sweeps: steady vibration over a parameter, up and down, and single orbits of it


def response_curves(
    sweep: Sweep, signals: Sequence[str], what: str = "rms", *, theme: ThemeName | Theme = "light"
) -> Figure:
    """Response curves, up and down; shares of time without contact below, if they were measured."""
    contacts = [str(name) for name in sweep.dataset["contact"].to_numpy()] if "open" in sweep.dataset else []
    with styled(theme) as look:
        figure, axes = stacked(look, len(signals) + bool(contacts), 2.4)
        for axis, signal in zip(axes, signals, strict=False):
            found = sweep[signal]
            for way in found["direction"].to_numpy():
                y = found[what].sel(direction=way).to_numpy()
                axis.plot(sweep.values, y, label=str(way), **_style(str(way), look))
                moving = sweep.find_unsettled(str(way))
                if moving.any():
                    hollow = {"marker": "o", "markersize": 9, "markerfacecolor": "none", "color": look.ink}
                    label = f"not settled, {way}"
                    axis.plot(sweep.values[moving], y[moving], label=label, linestyle="none", **hollow)
            axis.set_ylabel(with_unit(f"{what} of {signal}", found["unit"].item()))
        for name in contacts:
            for way in sweep.dataset["direction"].to_numpy():
                y = 100 * sweep.dataset["open"].sel(direction=way, contact=name).to_numpy()
                axes[-1].plot(sweep.values, y, label=f"{name}, {way}", **_style(str(way), look))
            axes[-1].set_ylabel("without contact [% of time]")
        axes[-1].set_xlabel(with_unit(sweep.parameter, sweep.dataset[sweep.parameter].attrs.get("units", "")))
        for axis in axes:
            axis.margins(x=0.01)
            beside(axis)
    return figure


def _style(way: str, look: Theme) -> dict[str, Any]:
    up = way == "up"
    return {
        "marker": "^" if up else "v",
        "color": look.series[0 if up else 1],
        "linestyle": "-" if up else "--",
        "markersize": 3,
        "linewidth": 1,
    }


def orbit(
    sweep: Sweep, x: str, y: str, value: float, direction: str, *, theme: ThemeName | Theme = "light"
) -> Figure:
    """Phase portrait of one steady motion, one sample per period marked."""
    with styled(theme) as look:
        figure = look.figure(5, 5)
        axis = figure.add_subplot()
        pair = [
            sweep[name].sel(direction=direction).sel({sweep.parameter: value}, method="nearest")
            for name in (x, y)
        ]
        axis.plot(*(one["history"].to_numpy() for one in pair), linewidth=1)
        if "section" in sweep.dataset:
            section = (one["section"].to_numpy() for one in pair)
            axis.plot(*section, linestyle="none", marker="o", markersize=4, color=look.series[1])
        for one, label, name in zip(pair, (axis.set_xlabel, axis.set_ylabel), (x, y), strict=True):
            label(with_unit(name, one["unit"].item()))
        axis.set_title(f"{sweep.parameter} = {float(pair[0][sweep.parameter]):.5g}, {direction}")
    return figure
