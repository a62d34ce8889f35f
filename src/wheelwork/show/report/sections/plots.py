"""Sections with plots: signals over time, what matters for this kind of machine first; energies and power."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from wheelwork.results import Result
from wheelwork.results.energy import EnergyBalance
from wheelwork.show.figures.over_time import (
    effort_panels,
    motion_panels,
    reaction_panels,
    remainder_note,
    residual_panels,
    tooth_force_panels,
)
from wheelwork.show.figures.panel import Panel, grouped
from wheelwork.show.figures.power_flow import draw_flows, flows_of, what_is_stored
from wheelwork.show.figures.prefixes import spell_unit
from wheelwork.show.report.html import card, note, picture, section, side_by_side, table
from wheelwork.show.report.svg import SKETCH, Drawing, inline, swatch


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
    more = f'<span class="soft">{panel.left_out}</span>' if panel.left_out else ""
    return (
        f'<figure class="card" data-panel="{k}"><figcaption>{escape(panel.title)} '
        f'<span>[{escape(spell_unit(panel.unit))}]</span></figcaption><div class="legend">{legend}{more}</div>'
        f"{note(panel.note)}{drawing.svg}</figure>"
    )


# -- the energy balance, and where the power goes


MOST_FLOWS = 40
"""Arrows in a picture that can be read."""
MOST_WORKS = 12


def energy(
    result: Result, balance: EnergyBalance, shown: Sequence[Panel], drawings: Sequence[Drawing], first: int
) -> str:
    """`shown` are the panels of energies, drawn; `first` is the number of the first of them on the page."""
    if not shown:
        return ""
    return section(
        "Energy", plots(shown, drawings, first), side_by_side(card(_works(result, balance))), _flow(result)
    )


def _works(result: Result, balance: EnergyBalance) -> str:
    if len(balance.t) < 2:
        return ""
    works = sorted(((name, float(work[-1])) for name, work in balance.work.items()), key=lambda w: -abs(w[1]))
    idle = [name for name, work in works if abs(work) <= 1e-9 * abs(works[0][1])]
    works = works[: len(works) - len(idle)]
    rows: list[list[str | float]] = [[f"work of {name}", work] for name, work in works[:MOST_WORKS]]
    if len(works) > MOST_WORKS:
        rest = sum(work for _, work in works[MOST_WORKS:])
        rows.append([f"work of {len(works) - MOST_WORKS} others", rest])
    rows += [
        ["change of energy", float(balance.change[-1])],
        ["not accounted for", float(balance.remainder[-1])],
    ]
    none = (
        f"without work: {', '.join(idle[:MOST_WORKS])}{', ...' if len(idle) > MOST_WORKS else ''}"
        if idle
        else ""
    )
    return table(["from start to end", "J"], rows) + note(none) + note(remainder_note(balance))


def _flow(result: Result) -> str:
    if len(result.t) < 2:
        return ""
    flows = flows_of(result)
    if not flows or len(flows) > MOST_FLOWS:
        return ""
    largest = max(flow.power for flow in flows)
    sources = {flow.start for flow in flows} - {flow.end for flow in flows}
    if largest < 1e-9 or not sources:
        return ""
    words = f"Power flow, mean of the last fifth of the run{what_is_stored(result, flows)}"
    return picture(inline(draw_flows(flows, "", theme=SKETCH)), words)
