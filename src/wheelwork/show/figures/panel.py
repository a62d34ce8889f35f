"""Panels: lines of one unit over time, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .prefixes import choose_prefix, prefix_axis, with_unit
from .round_off import largest_of, without_round_off
from .style import Theme, ThemeName, beside, stacked, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.engine.engine import Event
    from wheelwork.results import Result

MOST_LINES = 8
MOST_POINTS = 1500
MOST_MARKS = 60
FEW_EVENTS = 16
"""So many are lines across a panel; more would hide what they are about, and are ticks at its top."""
APART = 30.0
"""Quantities of one unit whose largest values are farther apart by factor have a panel each."""

QUANTITIES = {
    "rad": "angle", "m": "length", "rad/s": "angular speed", "m/s": "speed", "rad/s^2": "angular acceleration",
    "m/s^2": "acceleration", "N": "force", "N m": "torque", "W": "power", "J": "energy", "N/m": "stiffness",
    "kg m/s": "momentum", "kg m^2/s": "angular momentum",
}  # fmt: skip
"""What an axis is called on which several signals of one unit are drawn."""


@dataclass
class Panel:
    """One plot: lines of one unit. `more` counts those left out, `zero` those that are nothing but zero; `log` asks for
    a logarithmic scale."""

    title: str
    unit: str
    lines: list[tuple[str, np.ndarray]] = field(default_factory=list)
    log: bool = False
    note: str = ""
    more: int = 0
    zero: int = 0
    most: int = MOST_LINES

    def add(self, label: str, values: np.ndarray) -> None:
        if len(self.lines) < self.most:
            self.lines.append((label, np.asarray(values, float)))
        else:
            self.more += 1

    @property
    def left_out(self) -> str:
        """Words on lines that are not drawn."""
        words = [f"and {self.more} more"] if self.more else []
        return ", ".join(words + ([f"and {self.zero} at zero"] if self.zero else []))

    @property
    def quantity(self) -> str:
        """What the axis is called: a single line has its name there, which a title makes needless."""
        single = len(self.lines) == 1 and not self.title
        return self.lines[0][0] if single else QUANTITIES.get(self.unit, "")

    def without_noise(self) -> list[np.ndarray]:
        """Values of the lines, zero where they are round-off beside the largest of the panel."""
        least = 0.0 if self.log else 1e-12 * max((largest_of(v) for _, v in self.lines), default=0.0)
        return [np.where(np.abs(values) < least, 0.0, values) for _, values in self.lines]

    def in_prefixed_unit(self) -> Panel:
        """The panel with numbers and unit as people would write them: 40 µm for 4e-05 m."""
        factor, unit = choose_prefix(self.unit, max(map(largest_of, (v for _, v in self.lines)), default=0.0))
        if self.log or factor == 1:
            return self
        return replace(self, unit=unit, lines=[(label, factor * values) for label, values in self.lines])


def lines_of(result: Result, name: str) -> list[tuple[str, np.ndarray]]:
    """A signal as lines with labels: a vector has one for each component. What is round-off beside these is flat."""
    series = result.series(name)
    whole = result.series(name.rpartition(".")[0]) if _is_component(result, name) else series
    kin = largest_of(whole.values)
    return [(one.name, without_round_off(result, series.unit, one.values, kin)) for one in series.columns()]


def grouped(
    result: Result,
    names: Iterable[str],
    titles: dict[str, str] | None = None,
    otherwise: str = "",
    most: int = MOST_LINES,
    zeros: bool = True,
) -> list[Panel]:
    """Signals in panels by their unit; `most` lines in each. Without `zeros`: none of those that are always zero.

    Quantities of one unit that would be flat beside others, such as a deflection beside a position, have their own.
    """
    by_unit: dict[str, dict[str, list[tuple[str, np.ndarray]]]] = {}
    for name in names:
        quantities = by_unit.setdefault(result.series(name).unit, {})
        quantities.setdefault(_quantity(result, name), []).extend(lines_of(result, name))
    panels = []
    for unit, quantities in by_unit.items():
        of_size: list[tuple[float, Panel]] = []
        for lines in quantities.values():
            size = max((largest_of(values) for _, values in lines), default=0.0)
            near = (
                panel for other, panel in of_size if size == 0 or 1 / APART <= size / (other or size) <= APART
            )
            panel = next(near, None)
            if panel is None:
                panel = Panel((titles or {}).get(unit, otherwise), unit, most=most)
                of_size.append((size, panel))
            for label, values in lines:
                if zeros or values.any():
                    panel.add(label, values)
                else:
                    panel.zero += 1
        panels += [panel for _, panel in of_size if panel.lines]
    return panels


def _quantity(result: Result, name: str) -> str:
    """The name without its element and component: what is measured."""
    whole = name.rpartition(".")[0] if _is_component(result, name) else result.series(name).name
    return whole.rpartition(".")[2]


def _is_component(result: Result, name: str) -> bool:
    return "." in name and name not in result.catalogue.signals and name not in result.catalogue.on_request


def known(result: Result, names: Iterable[str]) -> list[str]:
    """Those of the names that are signals of the model."""
    every = result.catalogue.signals
    return [name for name in names if name in every]


def draw_panels(
    panels: Sequence[Panel], t: np.ndarray, events: Sequence[Event] = (), theme: ThemeName | Theme = "light"
) -> Figure:
    """Panels one above the other over a shared time, events marked in each."""
    with styled(theme) as look:
        figure, axes = stacked(look, len(panels))
        for axis, panel in zip(axes, panels, strict=True):
            draw_lines(axis, panel, t)
            if panel.title:
                axis.set_title(panel.title)
        for axis in axes:
            mark_events(axis, events, t, look, named=axis is axes[0])
        prefix_axis(axes[-1].xaxis, "time", "s")
        for axis, panel in zip(axes, panels, strict=True):
            if len(panel.lines) > 1 or panel.title or (events and axis is axes[0]):
                beside(axis)
    return figure


def draw_lines(axis: Any, panel: Panel, t: np.ndarray) -> None:
    """The lines of a panel on axes."""
    dots = {"marker": "o", "markersize": 4} if len(t) == 1 else {}
    for label, values in panel.lines:
        axis.plot(*thinned(t, values), label=label, **dots)
    if panel.left_out:
        axis.plot([], [], linestyle="none", label=panel.left_out)
    if panel.log:
        axis.set_yscale("log")
        axis.set_ylabel(with_unit(panel.quantity, panel.unit))
    else:
        prefix_axis(axis.yaxis, panel.quantity, panel.unit)
    if len(t) > 1 and t[-1] > t[0]:
        axis.set_xlim(float(t[0]), float(t[-1]))


def mark_events(axis: Any, events: Sequence[Event], t: np.ndarray, look: Theme, named: bool = True) -> None:
    """A thin line at each event; of many, a tick at the top. `named`: they are in the legend."""
    shown = marks(events, t)
    lowest = lowest_mark(shown)
    for k, (label, few) in enumerate(shown.items()):
        style = {"color": look.soft, "linewidth": 0.7, "linestyle": (0, (1 + 2 * k, 2)), "zorder": 1}
        for j, moment in enumerate(few):
            axis.axvline(moment, ymin=lowest, label=label if named and j == 0 else None, **style)


def lowest_mark(shown: Mapping[str, Sequence[float]]) -> float:
    """How far down a panel marks of events begin, as a share of its height."""
    return 0.0 if sum(map(len, shown.values())) <= FEW_EVENTS else 0.9


def marks(events: Sequence[Event], t: np.ndarray) -> dict[str, list[float]]:
    """Times of events by their kind, with how many; where there are many, so many that they remain apart."""
    kinds: dict[str, list[float]] = {}
    for event in events:
        if t[0] <= event.t <= t[-1]:
            kinds.setdefault(event.kind.name.lower().replace("_", " "), []).append(event.t)
    least = float(t[-1] - t[0]) / MOST_MARKS
    return {
        f"{kind} ({len(times)})" if len(times) > 1 else kind: _apart(times, least)
        if len(times) > MOST_MARKS
        else times
        for kind, times in kinds.items()
    }


def _apart(times: list[float], least: float) -> list[float]:
    kept: list[float] = []
    for moment in times:
        if not kept or moment - kept[-1] >= least:
            kept.append(moment)
    return kept


def thinned(t: np.ndarray, values: np.ndarray, most: int = MOST_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """Fewer points that look the same: the least and the greatest of each stretch, in their order."""
    if len(t) <= most:
        return t, values
    edges = np.linspace(0, len(t), most // 2 + 1).astype(int)[:-1]
    stretch = np.searchsorted(edges, np.arange(len(t)), side="right") - 1
    keep = [np.array([0, len(t) - 1])]
    for extreme in (np.fmin, np.fmax):  # which look past what is not a number
        places = np.flatnonzero(values == extreme.reduceat(values, edges)[stretch])
        keep.append(places[np.unique(stretch[places], return_index=True)[1]])
    chosen = np.unique(np.concatenate(keep))
    return t[chosen], values[chosen]
