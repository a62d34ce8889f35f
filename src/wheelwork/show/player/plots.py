"""Signals beside the mechanism: those of a result that a page plots, at the times that a screen can show."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.show.figures.round_off import largest_of, without_round_off

from .film import Film
from .player import encoded

if TYPE_CHECKING:
    from wheelwork.results import Result

AT_FIRST = 2
MOST_POINTS = 600


class SignalPlots:
    """Names of all signals, data of one, and those that are shown at first."""

    def __init__(self, result: Result, film: Film):
        self._whole, self._film = result, film
        self._asking = threading.Lock()  # pages ask in threads of their own
        self.names = [signal.name for signal in result.signals]

    @property
    def at_first(self) -> list[str]:
        return _telling(self._whole)[:AT_FIRST]

    @cached_property
    def _result(self) -> Result:
        start, end, frames = self._film.start, self._film.end, len(self._film.scene.t)
        return self._whole.at(np.linspace(start, end, min(MOST_POINTS, frames)))

    def data(self, name: str) -> dict[str, Any]:
        """A signal at equal steps of time, ready for JSON: its components one after the other."""
        with self._asking:
            series = self._result.series(name)
        values = series.values.reshape(len(series.values), -1)
        kin = largest_of(values)
        lines = [without_round_off(self._result, series.unit, line, kin) for line in values.T]
        parts = list(series.components) or [""]
        return {"name": name, "unit": series.unit, "parts": parts, "values": encoded(np.array(lines), "<f4")}


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
