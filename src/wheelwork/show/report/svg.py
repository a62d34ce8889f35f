"""Figures as SVG that takes its colours from the page, so that they suit light and dark."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.lazy import matplotlib as mpl
from wheelwork.show.figures import sketch
from wheelwork.show.figures.panel import Panel, lowest_mark, marks, thinned
from wheelwork.show.figures.prefixes import choose_prefix, with_unit
from wheelwork.show.figures.style import DARK, DASHES, LIGHT, Theme

if TYPE_CHECKING:
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
SKETCH = replace(
    PAGE, paper="var(--card)", ink="var(--ink)", soft="var(--ink-soft)", line="var(--line)", fill="var(--fill)",
    series=tuple(f"var(--c{k})" for k in range(8)), sketched=True,
)  # fmt: skip
"""The page's own colours, for graphs."""
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
    width, height = 72 * WIDTH, 72 * HEIGHT
    left, right, low = MARGINS["left"] * width, MARGINS["right"] * width, (1 - MARGINS["bottom"]) * height
    start, end = float(t[0]), float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1
    lines = [thinned(t, _on_scale(panel, values)) for _, values in panel.lines]
    bottom, top = _limits([values for _, values in lines])
    places = (sketch.decades if panel.log else sketch.ticks)(bottom, top, 6)
    texts, power = sketch.labels(places)
    if panel.log:
        texts, power = [f"10{f'{k:.0f}'.translate(sketch.EXPONENTS)}" for k in places], ""
    high = (1 - (TOP_BELOW_POWER if power else MARGINS["top"])) * height

    def x(moments: Any) -> Any:
        return left + (np.asarray(moments) - start) / (end - start) * (right - left)

    def y(values: Any) -> Any:
        return low - (np.asarray(values) - bottom) / (top - bottom) * (low - high)

    grid, axis, size = (
        sketch.stroke("var(--line)", 0.6, opacity=0.35),
        sketch.stroke("var(--line)", 0.8),
        PAGE.size,
    )
    across = sketch.ticks(start, end, 8)
    factor, unit = choose_prefix("s", max(abs(start), abs(end)))
    parts = [sketch.line(f"M{left:.1f} {v:.1f}H{right:.1f}", grid) for v in y(places)]
    parts += [sketch.line(f"M{u:.1f} {low:.1f}V{high:.1f}", grid) for u in x(across)]
    parts.append(sketch.line(f"M{left:.1f} {high:.1f}V{low:.1f}H{right:.1f}", axis))
    ink = "var(--ink)"
    parts += [
        sketch.text(left - 5, v + 0.35 * size, words, size, ink, "end")
        for v, words in zip(y(places), texts, strict=True)
    ]
    parts += [
        sketch.text(u, low + 1.4 * size, words, size, ink)
        for u, words in zip(x(across), sketch.labels(factor * across)[0], strict=True)
    ]
    parts.append(sketch.text((left + right) / 2, height - 3, with_unit("time", unit), size, ink))
    if power:
        parts.append(sketch.text(left, high - 0.5 * size, power, size, ink, "start"))
    shown = marks(events, t)
    foot = low + lowest_mark(shown) * (high - low)
    for k, moments in enumerate(shown.values()):
        style = sketch.stroke("var(--ink-soft)", 0.7, (1 + 2 * k, 2))
        parts += [sketch.line(f"M{u:.1f} {foot:.1f}V{high:.1f}", style) for u in x(moments)]
    for k, (moments, values) in enumerate(lines):
        u, v = x(moments), y(values)
        color, dashes = f"var(--c{k % len(PAGE.series)})", DASHES[k % len(DASHES)]
        if len(t) == 1:
            parts.append(
                f'<circle cx="{u[0]:.1f}" cy="{v[0]:.1f}" r="2.2" style="fill: {color}; stroke: {color}"/>'
            )
        else:
            style = sketch.stroke(color, PAGE.weight, () if isinstance(dashes, str) else dashes[1])
            parts.append(sketch.line(sketch.path(u, v), style))
    return Drawing(sketch.svg(width, height, parts), left, right, start, end)


def _on_scale(panel: Panel, values: np.ndarray) -> np.ndarray:
    """The values of a line, on a logarithmic scale their logarithms; gaps where they are not finite."""
    if panel.log:
        values = np.log10(np.where(values > 0, values, np.nan))
    return np.where(np.isfinite(values), values, np.nan)


def _limits(lines: Sequence[np.ndarray]) -> tuple[float, float]:
    """Of all values, with a little room."""
    every = np.concatenate([*lines, np.zeros(0)])
    every = every[np.isfinite(every)]
    low, high = (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)
    room = 0.05 * (high - low)
    if not room > 1e-13 * max(abs(low), abs(high)):  # a constant
        room = 0.05 * abs(low) or 0.05
    return low - room, high + room


def inline(figure: Figure | sketch.Sketch) -> str:
    """A figure in the theme `PAGE` or `SKETCH` as a bare SVG element with the colours of the page."""
    if isinstance(figure, sketch.Sketch):
        return figure.svg()
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
