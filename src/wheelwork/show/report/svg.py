"""Figures as SVG that takes its colours from the page, so that they suit light and dark."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.show.figures.panel import Panel, draw_lines, mark_events
from wheelwork.show.figures.style import DARK, DASHES, LIGHT, Theme, styled

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from wheelwork.engine.engine import Event

WIDTH, HEIGHT = 5.6, 2.3  # inches
MARGINS = {"left": 0.115, "right": 0.985, "top": 0.965, "bottom": 0.165}
TOP_BELOW_POWER = 0.9  # where a power of ten stands above the axis

PAGE = Theme(
    "page", "#0b0b04", "#0b0b00", "#0b0b02", "#0b0b01", "#0b0b03",
    tuple(f"#0c0c{k:02x}" for k in range(8)), size=8.5, attached=False,
)  # fmt: skip
"""Stand-ins that the page's own colours replace; no figure has these by chance."""
NAMES = {
    PAGE.paper: "--card", PAGE.ink: "--ink", PAGE.soft: "--ink-soft", PAGE.line: "--line", PAGE.fill: "--fill",
    **{color: f"--c{k}" for k, color in enumerate(PAGE.series)},
}  # fmt: skip


def variables(theme: Theme) -> str:
    """The colours of a theme as CSS."""
    own = {"--line": theme.line, "--fill": theme.fill}
    own |= {f"--c{k}": color for k, color in enumerate(theme.series)}
    return " ".join(f"{name}: {color};" for name, color in own.items())


def colours() -> str:
    """CSS with the colours of figures, for light and dark pages."""
    return f':root {{ {variables(LIGHT)} }}\n:root[data-theme="dark"] {{ {variables(DARK)} }}\n'


@dataclass(frozen=True)
class Drawing:
    """An SVG element, and where its axes are: left and right edge in the picture's own units, and the times there."""

    svg: str
    left: float
    right: float
    start: float
    end: float


NO_DRAWING = Drawing("", 0.0, 72 * WIDTH, 0.0, 1.0)


def draw(panel: Panel, t: np.ndarray, events: Sequence[Event] = ()) -> Drawing:
    """One panel over time; its legend and its title are left to the page."""
    from matplotlib.figure import Figure

    with styled(PAGE) as look:
        figure = Figure(figsize=(WIDTH, HEIGHT))
        axis = figure.add_subplot()
        figure.subplots_adjust(**MARGINS)
        draw_lines(axis, panel, t)
        mark_events(axis, events, t, look)
        if t[-1] == t[0]:
            axis.set_xlim(float(t[0]), float(t[0]) + 1)
        axis.set_ylabel("")
        axis.set_xlabel("time [s]", labelpad=2)
        if _has_power(axis.yaxis):
            figure.subplots_adjust(top=TOP_BELOW_POWER)
        low, high = axis.get_xlim()
        svg = inline(figure)
    left, right = (72 * WIDTH * MARGINS[side] for side in ("left", "right"))
    return Drawing(svg, left, right, low, high)


def _has_power(axis: Axis) -> bool:
    """Whether the labels of an axis have a common power of ten, which stands above it."""
    formatter = axis.get_major_formatter()
    formatter.format_ticks(list(axis.get_ticklocs()))
    return bool(formatter.get_offset())


def inline(figure: Figure) -> str:
    """A figure in the theme `PAGE` as a bare SVG element with the colours of the page."""
    import matplotlib as mpl

    own: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": "wheelwork"}
    out = io.StringIO()
    with mpl.rc_context(own):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for _ in range(2):
        svg = re.sub(r'(<svg[^>]*?) (?:height|width)="[^"]*"', r"\1", svg)
    svg = re.sub(r"font: ?((?:italic )?)([\d.]+px)[^;\"]*", _font, svg)
    for color, name in NAMES.items():
        svg = svg.replace(color, f"var({name})")
    return svg.strip()


def _font(found: re.Match[str]) -> str:
    """The size and slant stay, the family is that of the page."""
    slant = "font-style: italic; " if found.group(1) else ""
    return f"{slant}font-size: {found.group(2)}"


def swatch(k: int) -> str:
    """A short piece of the k-th line of a panel, for legends."""
    dashes = DASHES[k % len(DASHES)]
    pattern = "" if isinstance(dashes, str) else " ".join(f"{1.4 * d:g}" for d in dashes[1])
    style = f' stroke-dasharray="{pattern}"' if pattern else ""
    return (
        '<svg class="line" viewBox="0 0 26 8" aria-hidden="true">'
        f'<line x1="0" y1="4" x2="26" y2="4" stroke="var(--c{k % 8})" stroke-width="2"{style}/></svg>'
    )
