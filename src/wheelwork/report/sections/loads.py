"""The largest loads of joints and teeth, with the times at which they occur."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wheelwork.figures.reactions import SMALLEST, reaction_sizes

from ..html import card, note, section, side_by_side, table

if TYPE_CHECKING:
    from wheelwork.results import Result

MOST = 12
PARTS = ("tangential", "normal")


def largest_loads(result: Result) -> str:
    if not len(result.t):
        return ""
    return section("Largest loads", side_by_side(card(_joints(result)), card(_teeth(result))), name="loads")


def largest(result: Result, values: np.ndarray) -> tuple[float, float]:
    """Greatest size of a signal, and when it occurs [s]."""
    sizes = np.nan_to_num(np.abs(values))
    k = int(np.argmax(sizes))
    return float(sizes[k]), float(result.t[k])


def _joints(result: Result) -> str:
    force, torque = reaction_sizes(result, "force"), reaction_sizes(result, "torque")
    rows: list[list[str | float]] = []
    for name in force:
        rows.append([name, *largest(result, force[name]), *largest(result, torque[name])])
    rows.sort(key=lambda row: -float(row[1]))
    more = f"and {len(rows) - MOST} more joints" if len(rows) > MOST else ""
    columns = ["joint", "force [N]", "at [s]", "torque [N m]", "at [s]"]
    return table(columns, rows[:MOST]) + note(more) + note(SMALLEST if rows and result.redundant else "")


def _teeth(result: Result) -> str:
    every = result.catalogue.signals
    rows: list[list[str | float]] = []
    for name in result.motion.program.flat.meshes:
        numbers: list[float] = []
        for part in PARTS:
            signal = f"{name}.force.{part}"
            numbers += largest(result, result[signal].to_numpy()) if signal in every else (0.0, 0.0)
        rows.append([name, *numbers])
    rows.sort(key=lambda row: -float(row[1]))
    more = f"and {len(rows) - MOST} more meshes" if len(rows) > MOST else ""
    return table(["mesh", "tangential [N]", "at [s]", "normal [N]", "at [s]"], rows[:MOST]) + note(more)
