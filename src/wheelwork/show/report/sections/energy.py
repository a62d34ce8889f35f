"""The energy balance, and where the power goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wheelwork.show.figures.energy import remainder_note
from wheelwork.show.figures.panel import Panel
from wheelwork.show.figures.power_flow import draw_flows, flows_of

from ..html import card, note, picture, section, side_by_side, table
from ..svg import SKETCH, Drawing, inline
from .signals import plots

if TYPE_CHECKING:
    from wheelwork.results import Result
    from wheelwork.results.energy import EnergyBalance

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
    rows: list[list[str | float]] = [[f"work of {name}", work] for name, work in works[:MOST_WORKS]]
    if len(works) > MOST_WORKS:
        rest = sum(work for _, work in works[MOST_WORKS:])
        rows.append([f"work of {len(works) - MOST_WORKS} others", rest])
    rows += [
        ["change of energy", float(balance.change[-1])],
        ["not accounted for", float(balance.remainder[-1])],
    ]
    return table(["from start to end", "J"], rows) + note(remainder_note(balance))


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
    return picture(
        inline(draw_flows(flows, "", theme=SKETCH)), "Power flow, mean of the last fifth of the run"
    )
