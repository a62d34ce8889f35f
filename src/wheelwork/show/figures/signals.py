"""`r.plot(...)`: chosen signals over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .panel import draw_panels, grouped
from .style import Theme, ThemeName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result

EVERY = 10**6
"""Lines in a panel: what is asked for by name is drawn."""


def signals(result: Result, names: Sequence[str], *, theme: ThemeName | Theme = "light") -> Figure:
    """One panel for each unit over a shared time, events marked; vectors show all their components."""
    if not names:
        raise ValueError("name at least one signal, such as r.plot('hinge.angle'); r.names lists them")
    return draw_panels(grouped(result, names, most=EVERY), result.t, result.events, theme)
