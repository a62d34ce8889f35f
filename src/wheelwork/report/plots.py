"""Plots as SVG that takes its colours from the page, so that it suits light and dark."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from .choose import Panel

WIDTH, HEIGHT = 5.6, 2.3  # inches
MARGINS = {"left": 0.115, "right": 0.985, "top": 0.965, "bottom": 0.165}
# Stand-ins that the page's own colours replace; no picture of ours has these by chance.
INK, FAINT = "#0b0b00", "#0b0b01"
LINES = [f"#0c0c{k:02x}" for k in range(8)]
MOST_POINTS = 1500


@dataclass(frozen=True)
class Drawing:
    """An SVG element, and where its axes are: left and right edge in the picture's own units, and the times there."""

    svg: str
    left: float
    right: float
    start: float
    end: float


def draw(panel: Panel, t: np.ndarray) -> Drawing:
    """One panel over time."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "wheelwork",
        "font.size": 8.5,
        "font.family": "sans-serif",
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "axes.formatter.useoffset": False,
        "axes.formatter.limits": (-4, 5),
        "axes.formatter.use_mathtext": False,
    }
    with mpl.rc_context(style):
        figure = Figure(figsize=(WIDTH, HEIGHT))
        FigureCanvasSVG(figure)
        axis = figure.add_subplot()
        figure.subplots_adjust(**MARGINS)
        for k, (_, values) in enumerate(panel.lines):
            axis.plot(*thinned(t, values), color=LINES[k], linewidth=1.4, solid_joinstyle="round")
        if panel.log:
            axis.set_yscale("log")
        axis.set_xlim(float(t[0]), float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1)
        axis.set_xlabel("time [s]", labelpad=2)
        axis.grid(True, color=FAINT, linewidth=0.6, alpha=0.35)
        axis.set_axisbelow(True)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
        low, high = axis.get_xlim()
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    left, right = (72 * WIDTH * MARGINS[side] for side in ("left", "right"))
    return Drawing(_inline(out.getvalue()), left, right, low, high)


def thinned(t: np.ndarray, values: np.ndarray, most: int = MOST_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """Fewer points that look the same: the least and the greatest of each stretch, in their order."""
    if len(t) <= most:
        return t, values
    edges = np.linspace(0, len(t), most // 2 + 1).astype(int)
    keep = {0, len(t) - 1}
    for first, last in pairwise(edges):
        stretch = values[first:last]
        if np.all(np.isnan(stretch)):
            continue
        keep |= {first + int(np.nanargmin(stretch)), first + int(np.nanargmax(stretch))}
    chosen = np.array(sorted(keep))
    return t[chosen], values[chosen]


def _inline(svg: str) -> str:
    """The bare element with colours of the page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) (?:height|width)="[^"]*"', r"\1", svg)
    svg = re.sub(r'(<svg[^>]*?) (?:height|width)="[^"]*"', r"\1", svg)
    svg = re.sub(r"font: ?([\d.]+px)[^;\"]*", r"font-size: \1", svg)
    svg = svg.replace(INK, "var(--ink-soft)").replace(FAINT, "var(--line)")
    for k, color in enumerate(LINES):
        svg = svg.replace(color, f"var(--c{k})")
    return svg.strip()
