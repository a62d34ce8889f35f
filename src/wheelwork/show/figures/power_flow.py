"""Where the power goes: between the bodies of a machine during a run, or through a gear train at steady speeds.

For a run, each joint, mesh and force takes power from the bodies at one of its ends and gives it to those at the other;
with the wrench (f, t) on a body that moves with (v, w) it gives f . v + t . w. What is drawn is the mean over a stretch
of time. What a body gets and does not hand on goes into its kinetic energy or is lifted against gravity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wheelwork.analyses.vibration.settling import SETTLED
from wheelwork.system.powers import to_bodies

from .style import Theme, ThemeName, styled
from .train_graph import bare, boxes_of, bulge, curve, half_width, label, vertex

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result
    from wheelwork.trains import PowerFlow

LEAST = 5e-3
"""Flows below this share of the largest are not drawn."""


@dataclass(frozen=True)
class Flow:
    """Power [W] from one place to another, with the name of what it goes through."""

    start: str
    end: str
    power: float
    through: str = ""


def power_flow(
    result: Result,
    start: float | None = None,
    end: float | None = None,
    *,
    theme: ThemeName | Theme = "light",
) -> Figure:
    """Mean powers between bodies, drives, loads and losses from `start` to `end` [s] (default: the last fifth)."""
    flows = flows_of(result, start, end)
    if not flows:
        raise ValueError("no power goes through this mechanism in that time")
    if not all(np.isfinite(flow.power) for flow in flows):
        raise ValueError("powers are not finite in that time: the run ended there, and its report says why")
    span = _span(result, start, end)
    words = f"mean from {span[0]:.4g} to {span[1]:.4g} s{what_is_stored(result, flows, start, end)}"
    return draw_flows(flows, words, theme=theme)


def what_is_stored(
    result: Result, flows: Sequence[Flow], start: float | None = None, end: float | None = None
) -> str:
    """Words on kinetic energy that is stored or given back on the way, where the machine is not steady; or empty."""
    low, high = _span(result, start, end)
    if high <= low:
        return ""
    before, after = result.at([low, high])["energy.kinetic"].to_numpy()
    power = float(after - before) / (high - low)
    if abs(power) <= SETTLED * max((abs(flow.power) for flow in flows), default=0.0):
        return ""
    return f"; not steady: {watts(abs(power))} {'goes into' if power > 0 else 'comes from'} kinetic energy"


def train_flow(flow: PowerFlow, *, theme: ThemeName | Theme = "light") -> Figure:
    """Powers through the meshes of a gear train, from `wheelwork.trains.power_flow`."""
    flows = []
    for mesh in flow.meshes:
        ways = {mesh.a: mesh.from_a, mesh.b: mesh.from_b, mesh.carrier: mesh.from_carrier}
        flows += [Flow(link, mesh.name, power) for link, power in ways.items() if power]
        lost = sum(ways.values())
        flows += [Flow(mesh.name, f"loss {mesh.name}", lost)] if lost > 1e-12 * flow.largest else []
    for coupling in flow.couplings:
        flows += [Flow(link, coupling.name, power) for link, power in coupling.from_links.items() if power]
    flows += [Flow(bearing.link, bearing.parent, bearing.power, "bearing") for bearing in flow.bearings]
    return draw_flows(flows, "", theme=theme)


def flows_of(result: Result, start: float | None = None, end: float | None = None) -> list[Flow]:
    """Mean powers of a run; drives, loads and losses are places of their own."""
    low, high = _span(result, start, end)
    times = np.linspace(low, high, 201) if high > low else np.array([low])
    motion = result.at(times).motion
    bodies = motion.program.bodies
    flows = []
    for name, parts in to_bodies(motion).items():
        means = [(bodies[body] if body >= 0 else "", float(np.mean(power))) for body, power in parts]
        moving = [(body, power) for body, power in means if body]
        total = sum(power for _, power in moving)
        size = sum(abs(power) for _, power in moving)
        if size and abs(total) < 1e-6 * size and len(moving) == 2:
            (a, _), (b, power) = moving
            flows.append(Flow(a, b, power, name))
        else:
            flows += [Flow(name, body, power) for body, power in moving]
    return [_forward(flow) for flow in flows if flow.power]


def _forward(flow: Flow) -> Flow:
    return flow if flow.power >= 0 else Flow(flow.end, flow.start, -flow.power, flow.through)


def _span(result: Result, start: float | None, end: float | None) -> tuple[float, float]:
    first, last = float(result.t[0]), float(result.t[-1])
    high = last if end is None else end
    low = high - 0.2 * (last - first) if start is None else start
    return max(low, first), high


def draw_flows(flows: Sequence[Flow], title: str, *, theme: ThemeName | Theme = "light") -> Figure:
    """Arrows as wide as the power, from drives on the left to loads on the right."""
    flows = [_forward(flow) for flow in flows]
    most = max((flow.power for flow in flows), default=0.0)
    flows = [flow for flow in flows if flow.power > LEAST * most]
    places = _places(flows)
    names = {name: name for name in places}
    with styled(theme) as look:
        xs, ys = (np.array([p[k] for p in places.values()]) for k in (0, 1))
        figure = look.figure(max(2.2, 0.95 * (np.ptp(ys) + 1.4)), max(5.0, 0.95 * (np.ptp(xs) + 2.2)))
        axes = figure.add_subplot()
        labels = boxes_of(places, names)
        inner = {flow.start for flow in flows} & {flow.end for flow in flows}
        for flow in flows:
            a, b = (np.array(places[name]) for name in (flow.start, flow.end))
            points = curve(a, b, bulge(places, names, flow.start, flow.end))
            width = 1.0 + 9.0 * flow.power / most
            color = look.series[0 if flow.start not in inner else 2 if flow.end in inner else 1]
            axes.plot(
                *points.T, "-", color=color, linewidth=width, alpha=0.75, solid_capstyle="butt", zorder=1
            )
            _head(axes, points, half_width(flow.end), width, color)
            text = watts(flow.power) + (f"\n{flow.through}" if flow.through else "")
            labels.append(label(axes, points, text, labels, look, color=look.ink))
        for name, (x, y) in places.items():
            vertex(axes, x, y, name, look.paper if name in inner else look.fill, look)
        side = max(half_width(name) for name in names) + 0.2
        axes.set_xlim(xs.min() - side, xs.max() + side)
        axes.set_ylim(ys.min() - 0.8, ys.max() + 0.8)
        bare(axes)
        if title:
            axes.set_title(f"power, {title}")
    return figure


def watts(power: float) -> str:
    """Three digits, with a prefix where that is shorter."""
    for unit, size in (("MW", 1e6), ("kW", 1e3), ("W", 1.0), ("mW", 1e-3)):
        if power >= 0.9995 * size:
            return f"{power / size:.3g} {unit}"
    return f"{power:.3g} W"


def _head(axes: object, points: np.ndarray, half: float, width: float, color: str) -> None:
    """An arrow head where the line meets the box it goes to."""
    end = points[-1]
    outside = np.flatnonzero((np.abs(points[:, 0] - end[0]) > half) | (np.abs(points[:, 1] - end[1]) > 0.26))
    k = int(outside[-1]) if len(outside) else 0
    way = points[min(k + 1, len(points) - 1)] - points[max(k - 1, 0)]
    way = way / (np.linalg.norm(way) or 1.0)
    size = 0.06 + 0.016 * width
    across = np.array([-way[1], way[0]]) * size
    tip = points[k] + way * 0.08
    corners = np.array([tip, tip - 1.6 * size * way + across, tip - 1.6 * size * way - across])
    axes.fill(*corners.T, color=color, linewidth=0, zorder=2)  # type: ignore[attr-defined]


def _places(flows: Sequence[Flow]) -> dict[str, tuple[float, float]]:
    """Columns by the number of steps from the sources, rows so that neighbours are near."""
    names = list(dict.fromkeys(name for flow in flows for name in (flow.start, flow.end)))
    fed = {flow.end for flow in flows}
    level = {name: 0 for name in names if name not in fed} or {names[0]: 0}
    grown = True
    while grown:
        grown = False
        for flow in flows:
            if flow.start in level and flow.end not in level:
                level[flow.end] = level[flow.start] + 1
                grown = True
        rest = [name for name in names if name not in level]
        if not grown and rest:
            level[rest[0]] = 0
            grown = True
    columns: dict[int, list[str]] = {}
    for name in names:
        columns.setdefault(level[name], []).append(name)
    row: dict[str, float] = {}
    for k in sorted(columns):

        def wanted(name: str) -> float:
            before = [row[f.start] for f in flows if f.end == name and f.start in row]
            return float(np.mean(before)) if before else 0.0

        members = sorted(columns[k], key=wanted)
        middle = float(np.mean([wanted(name) for name in members]))
        for i, name in enumerate(members):
            row[name] = middle + i - (len(members) - 1) / 2
    x, place = 0.0, {}
    for k in sorted(columns):
        wide = max(half_width(name) for name in columns[k])
        x += wide
        for name in columns[k]:
            place[name] = (x, -1.05 * row[name])
        x += wide + 1.5
    return place
