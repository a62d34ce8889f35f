"""The largest loads of bearings, teeth and springs, with the times at which they occur."""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.results import Result
from wheelwork.show.figures.over_time import SMALLEST, reaction_sizes
from wheelwork.system.signal_values import reaction

from ..html import card, note, section, side_by_side, table

MOST = 12
AT = "at [s]"
NOISE, ROUND_OFF = 1e-7, 1e-13
"""Loads that are this part of the largest in their column, or this small in SI units, are none."""
TEETH = {"tangential [N]": "force.tangential", "radial [N]": "force.radial", "axial [N]": "force.axial"}
TEETH |= {"normal [N]": "force.normal", "largest of a pin [N]": "force.largest"}
TEETH |= {"tight strand [N]": "force.tight", "slack strand [N]": "force.slack"}

Rows = list[list[str | float]]


def largest_loads(result: Result) -> str:
    if not len(result.t):
        return ""
    tables = (_bearings(result), _teeth(result), _pairs(result), _others(result))
    return section("Largest loads", *(side_by_side(card(one)) for one in tables), name="loads")


def largest(result: Result, values: np.ndarray) -> tuple[float, float]:
    """Greatest size of a signal, and when it occurs [s]."""
    sizes = np.nan_to_num(np.abs(values))
    k = int(np.argmax(sizes))
    return float(sizes[k]), float(result.t[k])


def _bearings(result: Result) -> str:
    """Joints, bearings and bushings; in space with the resultants across and along their axes, or those of wheels."""
    flat, planar = result.motion.program.flat, result.motion.program.flat.kind == "planar"
    force, torque = reaction_sizes(result, "force"), reaction_sizes(result, "torque")
    elastic = {name: placed.element.noun for name, placed in flat.forces.items() if placed.element.is_bearing}
    for name in elastic:
        force[name], torque[name] = (_size(result, name, kind) for kind in ("force", "torque"))
    wheels = {} if planar else _wheel_axes(result)
    rows: Rows = []
    for name, size in force.items():
        greatest = largest(result, size)
        radial = axial = None
        if name in elastic and not planar:
            radial, axial = (_values(result, f"{name}.force.{x}") for x in ("radial", "axial"))
        elif not planar:
            radial, axial = _across_and_along(result, name, wheels)
        parts: list[str | float] = ["", ""]
        if radial is not None and axial is not None:
            parts = [largest(result, x)[0] for x in (radial, axial)]
        rows.append([name, *greatest, *parts, *largest(result, torque[name])])
    rows.sort(key=lambda row: -float(row[1]))
    what = " or ".join(dict.fromkeys(["joint", *elastic.values()]))
    columns = [what, "force [N]", AT, "radial [N]", "axial [N]", "torque [N m]", AT]
    return _first(columns, rows) + note(SMALLEST if rows and result.redundant else "")


def _across_and_along(
    result: Result, joint: str, wheels: dict[str, np.ndarray]
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Parts of a joint's force across and along its axis, or that of a wheel on it; none where there is neither."""
    element: Any = result.motion.program.flat.joints[joint].element
    if element.is_bearing:
        own, _ = reaction(result.motion, result.motion.program.joints[joint].constraint, axes="joint")
        return np.hypot(own[:, 0], own[:, 1]), own[:, 2]
    axis = next((wheels[body] for body in element.bodies if body in wheels), None)
    if axis is None:
        return None, None
    force = result.series(f"{joint}.reaction.force").values.reshape(-1, 3)
    along = np.sum(force * axis, axis=1)
    return np.linalg.norm(force - along[:, None] * axis, axis=1), along


def _wheel_axes(result: Result) -> dict[str, np.ndarray]:
    """Axes of the wheels in the world (N, 3), by body; the markers of its wheels are first in a mesh's numbers."""
    motion, program = result.motion, result.motion.program
    meshes = [program.constraints[mesh.constraint] for mesh in program.meshes]
    uses: list[tuple[tuple[int, int], int]] = [((use.a, use.b), use.data) for use in meshes]
    forces = [use for use in program.forces if use.name in program.flat.meshes]
    uses += [((use.bodies[0], use.bodies[1]), use.data) for use in forces]
    out: dict[str, np.ndarray] = {}
    for bodies, data in uses:
        for side, body in enumerate(bodies):
            if body >= 0:
                _, axes = motion.numbers.marker(data + 12 * side)
                out.setdefault(program.bodies[body], motion.R[:, body] @ axes[:, 2])
    return out


def _teeth(result: Result) -> str:
    every = result.catalogue.signals
    rows: Rows = []
    for name in result.motion.program.flat.meshes:
        row: list[str | float] = [name]
        for part in TEETH.values():
            signal = f"{name}.{part}"
            row += largest(result, _values(result, signal)) if signal in every else ("", "")
        rows.append(row)
    rows.sort(key=lambda row: -float(row[1] or 0.0))
    columns = ["mesh", *(text for part in TEETH for text in (part, AT))]
    return _first(columns, rows, " meshes")


def _pairs(result: Result) -> str:
    """Pairs of teeth in contact: how many, and the most that one of them carries."""
    every = result.catalogue.signals
    rows: Rows = []
    for name in result.motion.program.flat.meshes:
        if f"{name}.pairs" not in every:
            continue
        count = _values(result, f"{name}.pairs")
        row: list[str | float] = [name, f"{np.nanmin(count):g} to {np.nanmax(count):g}"]
        for part, unit in (("force.normal", 1.0), ("pressure", 1e6)):
            found = [
                largest(result, _values(result, signal) / unit)
                for signal in every
                if signal.startswith((f"{name}.front.", f"{name}.back.")) and signal.endswith(f".{part}")
            ]
            row += max(found, default=("", ""))
        rows.append(row)
    columns = [
        "teeth in contact",
        "pairs",
        "normal force of one pair [N]",
        AT,
        "pressure [MPa]",
        AT,
    ]
    return _first(columns, rows)


def _others(result: Result) -> str:
    """Springs and contacts."""
    every = result.catalogue.signals
    rows: Rows = []
    for name, placed in result.motion.program.flat.forces.items():
        for part in placed.element.load_signals:
            signal = f"{name}.{part}"
            if signal in every:
                rows.append([name, every[signal].unit, *largest(result, _values(result, signal))])
                break
    return _first(["spring or contact", "unit", "largest", AT], rows, noise=0.0)  # of several units


def _values(result: Result, signal: str) -> np.ndarray:
    return result.series(signal).values.reshape(len(result.t))


def _size(result: Result, name: str, kind: str) -> np.ndarray:
    """Of a vector whose components are signals."""
    parts = [f"{name}.{kind}.{axis}" for axis in "xyz"]
    known = [_values(result, part) for part in parts if part in result.catalogue.signals]
    return np.sqrt(sum((values**2 for values in known), np.zeros(len(result.t))))


def _first(columns: list[str], rows: Rows, what: str = "", noise: float = NOISE) -> str:
    """The first rows, without columns in which nothing is, and how many more there are; those without a load as a note.

    noise: part of the largest number in a column below which others are what rounding leaves
    """
    for k, column in enumerate(columns):
        sizes = [cell for row in rows if isinstance(cell := row[k], float)]
        timed = column != AT and columns[k + 1 : k + 2] == [AT]
        if not sizes or column == AT:
            continue
        least = max(noise * max(sizes), ROUND_OFF)
        for row in rows:
            cell = row[k]
            if isinstance(cell, float) and cell <= least:
                row[k] = 0.0 if max(sizes) > least else ""
                row[k + 1 : k + 2] = [""] if timed else row[k + 1 : k + 2]
    loaded = [row for row in rows if any(isinstance(cell, float) and cell for cell in row[1:])]
    shown, idle = loaded[:MOST], [str(row[0]) for row in rows if row not in loaded]
    kept = [k for k in range(len(columns)) if any(row[k] != "" for row in shown)]
    more = [f"and {len(loaded) - MOST} more{what}"] if len(loaded) > MOST else []
    more += [f"without load: {', '.join(idle[:MOST])}{', ...' if len(idle) > MOST else ''}"] if idle else []
    cells = [[row[k] for k in kept] for row in shown]
    return table([columns[k] for k in kept], cells) + note("; ".join(more))
