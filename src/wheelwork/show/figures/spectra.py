"""Figures of spectra and orders: lines of one stretch, maps over a speed or over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.lazy import matplotlib, mpl_colors

from .prefixes import choose_prefix, prefix_axis, with_unit
from .style import Theme, ThemeName, styled

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

DECADES = 1e-3
"""Of the largest amplitude: what is smaller is left blank."""
NAMED = 6
"""Orders at most that are named and drawn as curves."""
CLEAR = 0.01
"""Of the largest amplitude: smaller orders are not named."""
NEAR = 0.02
"""Of all lines: what is nearer to a larger one belongs to it."""
THIN = 0.012
"""Of the height of a map: lines are drawn at least so wide on either side."""


def strongest_lines(amplitude: np.ndarray) -> np.ndarray:
    """Places of the lines of a map (over, lines) that stand out at any value, in the order of the lines."""
    top = np.nan_to_num(amplitude).max(axis=0)
    each = max(1, round(NEAR * len(top)))
    around = np.lib.stride_tricks.sliding_window_view(np.pad(top, each), 2 * each + 1).max(axis=1)
    peaks = np.flatnonzero((top >= around) & (top > CLEAR * top.max(initial=0.0)))
    return np.sort(peaks[np.argsort(-top[peaks], kind="stable")][:NAMED])


def widen(amplitude: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Each line as wide as the eye needs it: the largest of those around it."""
    each = (
        int(np.ceil(THIN * (lines[-1] - lines[0]) / max(lines[1] - lines[0], 1e-300)))
        if len(lines) > 1
        else 0
    )
    if each < 2:
        return amplitude
    padded = np.pad(np.nan_to_num(amplitude), ((0, 0), (each, each)))
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * each + 1, axis=1).max(axis=2)


def draw_map(
    figure: Any,
    axis: Any,
    over: np.ndarray,
    lines: np.ndarray,
    amplitude: np.ndarray,
    label: str,
    unit: str,
    look: Theme,
) -> None:
    """Amplitudes (over, lines) as colours on a logarithmic scale of three decades; blank below."""
    largest = float(np.nanmax(amplitude, initial=0.0)) or 1.0
    factor, shown = choose_prefix(unit, largest)
    colours = matplotlib.colormaps["viridis_r" if look.paper == "#ffffff" else "viridis"]
    colours = colours.with_extremes(under=look.paper, bad=look.paper)
    norm = mpl_colors.LogNorm(DECADES * largest * factor, largest * factor)
    values = np.maximum(widen(amplitude, lines) * factor, 1e-300).T
    drawn = axis.pcolormesh(over, lines, values, norm=norm, cmap=colours, shading="nearest", rasterized=True)
    axis.grid(False)
    bar = figure.colorbar(
        drawn, ax=axis, label=with_unit(f"amplitude of {label}", shown), extend="min", pad=0.06
    )
    bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    bar.ax.yaxis.set_minor_formatter(lambda value, _: "")


def name_lines(axis: Any, lines: np.ndarray, chosen: np.ndarray, look: Theme) -> None:
    """Orders at the right edge of a map, such as 25×."""
    across = axis.get_yaxis_transform()
    for k in chosen:
        style = {"color": look.ink, "fontsize": "small", "va": "center", "annotation_clip": False}
        axis.annotate(f"{lines[k]:.4g}×", (1.0, lines[k]), (4, 0), across, "offset points", **style)


def order_map(found: xr.DataArray, title: str, *, theme: ThemeName | Theme = "light") -> Figure:
    """Amplitudes over a parameter, time or speed and order as a map, and the strongest orders as curves."""
    over, name, unit = _shown_over(found)
    orders, amplitude, signal = found["order"].to_numpy(), found.to_numpy(), str(found.name)
    chosen = strongest_lines(amplitude)
    with styled(theme) as look:
        figure = look.figure(5.2)
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=[1.7, 1])
        draw_map(figure, above, over, orders, amplitude, signal, found.attrs["units"], look)
        name_lines(above, orders, chosen, look)
        above.set_ylabel("order")
        above.set_title(title)
        for k in chosen:
            below.plot(over, amplitude[:, k], label=f"order {orders[k]:.4g}")
        below.set_ylim(bottom=0)
        below.margins(x=0)
        prefix_axis(below.yaxis, "amplitude", found.attrs["units"])
        prefix_axis(below.xaxis, name, unit)
        below.legend(
            loc="lower left", bbox_to_anchor=(-0.01, 0.98), ncols=NAMED, frameon=False, handlelength=2
        )
    return figure


def _shown_over(found: xr.DataArray) -> tuple[np.ndarray, str, str]:
    """What a map is drawn over, with name and unit: the speed where it rises or falls all the time, else time."""
    name = str(found.dims[0])
    if "speed" in found.coords and name == "time":
        change = np.diff(found["speed"].to_numpy())
        name = "speed" if np.all(change > 0) or np.all(change < 0) else name
    return found[name].to_numpy(), name, found[name].attrs.get("units", "")


def waterfall(
    found: xr.DataArray, drawn: Sequence[float] = (), *, theme: ThemeName | Theme = "light"
) -> Figure:
    """How a spectrum changes over time, or over the speed of a shaft where that rises or falls all the time; of
    frequencies with lines of the orders that are to be `drawn`."""
    if found.dims[1] == "order":
        return order_map(found[:, 2:], str(found.name), theme=theme)  # a drift of the mean shows in the first
    over, name, unit = _shown_over(found)
    lines, amplitude = found["frequency"].to_numpy(), found.to_numpy()
    signal, of = str(found.name), found.attrs["units"]
    with styled(theme) as look:
        figure = look.figure(4.2)
        axis = figure.add_subplot()
        draw_map(figure, axis, over, lines[1:], amplitude[:, 1:], signal, of, look)
        if drawn and "speed" not in found.coords:
            raise ValueError("orders are those of an angle: name it, such as angle='shaft.angle'")
        for order in drawn:
            turning = order * np.abs(found["speed"].to_numpy()) / (2 * np.pi)
            axis.plot(over, turning, color=look.soft, linewidth=0.8, linestyle=":")
            k = np.flatnonzero(turning <= lines[-1])[-1:]
            for end in k:
                text = {"color": look.ink, "fontsize": "small", "va": "bottom", "ha": "right"}
                axis.annotate(f"{order:.4g}×", (over[end], turning[end]), **text)
        axis.set_ylim(lines[1], lines[-1])
        prefix_axis(axis.xaxis, name, unit)
        prefix_axis(axis.yaxis, "frequency", "Hz")
        axis.set_title(signal)
    return figure


def line_spectrum(found: xr.DataArray, *, theme: ThemeName | Theme = "light") -> Figure:
    """Amplitudes by frequency or by order of one stretch of time; the largest are named."""
    by = str(found.dims[0])
    x, amplitude = found[by].to_numpy()[1:], found.to_numpy()[1:]
    with styled(theme) as look:
        figure = look.figure(3.2)
        axis = figure.add_subplot()
        axis.plot(x, amplitude)
        for k in strongest_lines(amplitude[None]):
            style = {"color": look.soft, "fontsize": "small", "ha": "center", "va": "bottom"}
            axis.annotate(f"{x[k]:.4g}" + ("×" if by == "order" else ""), (x[k], amplitude[k]), **style)
        axis.set_ylim(0, 1.12 * float(amplitude.max(initial=0.0)) or 1.0)
        axis.margins(x=0.01)
        prefix_axis(axis.yaxis, "amplitude", found.attrs["units"])
        prefix_axis(axis.xaxis, by, found[by].attrs["units"])
        axis.set_title(str(found.name))
    return figure
