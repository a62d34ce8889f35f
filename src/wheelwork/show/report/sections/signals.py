"""Plots over time: what matters for this kind of machine first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from wheelwork.show.figures.motion import effort_panels, motion_panels
from wheelwork.show.figures.panel import Panel, grouped
from wheelwork.show.figures.reactions import reaction_panels
from wheelwork.show.figures.residuals import residual_panels
from wheelwork.show.figures.tooth_forces import tooth_force_panels

from ..html import note
from ..svg import Drawing, swatch

if TYPE_CHECKING:
    from wheelwork.results import Result


def panels(result: Result) -> list[Panel]:
    """What the description asks for; then gears by their speeds and teeth, driven machines by what drives them."""
    asked = (
        []
        if result.provenance.outputs is None
        else grouped(result, [s.name for s in result.signals], {}, "Outputs")
    )
    motion, efforts, teeth = motion_panels(result), effort_panels(result), tooth_force_panels(result)
    if teeth:
        fast = [panel for panel in motion if panel.unit.endswith("/s")]
        story = [*fast, *teeth, *efforts, *(panel for panel in motion if panel not in fast)]
    elif result.provenance.analysis.get("type") == "inverse":
        story = [*efforts, *motion]
    else:
        story = [*motion, *efforts]
    return [*asked, *story, *reaction_panels(result), *residual_panels(result)]


def plots(shown: Sequence[Panel], drawings: Sequence[Drawing], first: int = 0) -> str:
    """Panels side by side; `first` is the number of the first among all panels of the page."""
    return (
        f'<div class="plots">{"".join(map(_plot, shown, drawings, range(first, first + len(shown))))}</div>'
    )


def _plot(panel: Panel, drawing: Drawing, k: int) -> str:
    legend = "".join(
        f"<span>{swatch(i)}{escape(label)} <b></b></span>" for i, (label, _) in enumerate(panel.lines)
    )
    more = f'<span class="soft">and {panel.more} more</span>' if panel.more else ""
    return (
        f'<figure class="card" data-panel="{k}"><figcaption>{escape(panel.title)} '
        f'<span>[{escape(panel.unit)}]</span></figcaption><div class="legend">{legend}{more}</div>'
        f"{note(panel.note)}{drawing.svg}</figure>"
    )
