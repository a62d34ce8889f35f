"""The energy balance of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wheelwork.results.energy import energy_balance

from .panel import Panel, draw_panels
from .style import Theme, ThemeName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result
    from wheelwork.results.energy import EnergyBalance


def energy(result: Result, *, theme: ThemeName | Theme = "light") -> Figure:
    """Energies in the machine; works that the elements did on it; what is not accounted for."""
    panels = energy_panels(result, energy_balance(result))
    return draw_panels(panels, result.t, result.events, theme)


def energy_panels(result: Result, balance: EnergyBalance) -> list[Panel]:
    out = [Panel("Energy", "J")]
    for label in ("kinetic", "potential", "total"):
        out[0].add(label, getattr(balance, label))
    if len(balance.t) < 2:
        return out
    if balance.work:
        work = Panel("Energy balance: works since the start", "J")
        work.add("change of energy", balance.change)
        order = sorted(balance.work, key=lambda name: -float(np.max(np.abs(balance.work[name]))))
        for name in order:
            work.add(name, balance.work[name])
        out.append(work)
    rest = Panel("Not accounted for", "J", note=remainder_note(balance))
    rest.add("remainder", balance.remainder)
    return [*out, rest]


def remainder_note(balance: EnergyBalance) -> str:
    """How large the remainder is against the largest energy, and why."""
    largest = float(np.max(np.abs(balance.remainder), initial=0.0))
    share = largest / balance.scale if balance.scale > 0 else 0.0
    return f"At most {largest:.2g} J, {share:.1e} of the largest energy: error of the run and of this sum."
