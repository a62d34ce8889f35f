"""Plots of chosen signals beside the mechanism, drawn up to the time that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.show.scene import COLORS

from .film import Film

if TYPE_CHECKING:
    from wheelwork.results import Result

AT_FIRST = 2
MOST_POINTS = 600


class LivePlots:
    """A panel with a list of signals and plots of those that were chosen.

    A plot has each component twice: pale over the whole time, and strong up to now. Its title has the value.
    """

    def __init__(self, server: Any, result: Result, film: Film):
        self.server, self.film = server, film
        times = np.linspace(film.start, film.end, min(MOST_POINTS, len(film.scene.t)))
        self.result = result.at(times)
        self.times = times
        self.plots: dict[str, _Plot] = {}
        panel = server.gui.add_panel()
        self.tab = panel.add_tab("Signals")
        with self.tab:
            names = [signal.name for signal in result.signals]
            self.choice = server.gui.add_dropdown("signal", tuple(names) or ("none",))
            server.gui.add_button("Plot it").on_click(lambda _: self.add(self.choice.value))
        panel.dock_left()
        panel.set_width(330)
        for name in _telling(result)[:AT_FIRST]:
            self.add(name)

    def add(self, name: str) -> None:
        """Plot a signal; one that is there stays."""
        if name in self.plots or name not in self.result:
            return
        array = self.result[name]
        values = array.to_numpy().reshape(len(self.times), -1)
        parts = [str(c) for dim in array.dims if dim != "time" for c in array[dim].to_numpy()] or [""]
        with self.tab:
            plot = _Plot(self.server.gui, name, array.attrs.get("units", ""), parts, self.times, values)
            plot.remove.on_click(lambda _: self.drop(name))
        self.plots[name] = plot
        plot.show(self.film.start)

    def drop(self, name: str) -> None:
        """Take a plot away."""
        plot = self.plots.pop(name)
        plot.chart.remove()
        plot.remove.remove()

    def show(self, t: float) -> None:
        """Draw all up to a time."""
        for plot in list(self.plots.values()):
            plot.show(t)


class _Plot:
    def __init__(
        self, gui: Any, name: str, unit: str, parts: list[str], times: np.ndarray, values: np.ndarray
    ):
        self.name, self.unit, self.parts, self.times, self.values = name, unit, parts, times, values
        series: list[dict[str, Any]] = [{"label": "time"}]
        for k, part in enumerate(parts):
            color = COLORS[k % len(COLORS)]
            series.append({"label": f"{part or name}", "stroke": f"{color}55", "width": 1})
            series.append({"label": "now", "stroke": color, "width": 2})
        low, high = np.nanmin(values, initial=0.0), np.nanmax(values, initial=0.0)
        room = 0.05 * (high - low) or 1.0
        self.chart = gui.add_uplot(
            self._data(0),
            tuple(series),
            title=f"{name} [{unit}]",
            scales={
                "x": {"time": False, "auto": False, "range": (float(times[0]), float(times[-1]))},
                "y": {"auto": False, "range": (float(low - room), float(high + room))},
            },
            axes=({"label": "time [s]"}, {}),
            legend={"show": False},
            height=210,
        )
        self.remove = gui.add_button(f"Remove {name}")

    def _data(self, upto: int) -> tuple[np.ndarray, ...]:
        columns = [self.times]
        for k in range(self.values.shape[1]):
            whole = self.values[:, k]
            columns += [whole, np.where(np.arange(len(whole)) <= upto, whole, np.nan)]
        return tuple(columns)

    def show(self, t: float) -> None:
        k = int(np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 1))
        now = [float(np.interp(t, self.times, self.values[:, c])) for c in range(self.values.shape[1])]
        words = ", ".join(f"{part} {v:.4g}".strip() for part, v in zip(self.parts, now, strict=True))
        self.chart.title = f"{self.name} = {words} {self.unit}"
        self.chart.data = self._data(k)


def _telling(result: Result) -> list[str]:
    """Signals that are plotted at first: a speed and the force of a mesh, or what else a joint tells."""
    known = {signal.name for signal in result.signals if not signal.components}
    program = result.motion.program
    owners = [*program.flat.rotors, *program.joints]
    rates = [name for owner in owners for end in ("w", "speed") if (name := f"{owner}.{end}") in known]
    places = [
        name for owner in owners for end in ("angle", "displacement") if (name := f"{owner}.{end}") in known
    ]
    forces = [name for mesh in program.flat.meshes if (name := f"{mesh}.force.normal") in known]
    return [*rates[:1], *forces[:1], *places[:2]]
