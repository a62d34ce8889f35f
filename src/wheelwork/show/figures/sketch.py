"""Pictures for pages, written as SVG at once: plots over time and graphs.

Matplotlib draws the figures that users ask for. A report has a dozen plots, and loading and driving matplotlib for them
took longer than the run. A `Sketch` takes the few calls that pictures of graphs make on matplotlib's axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import Any

import numpy as np

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
LETTER = 0.56
"""Mean width of a letter over the size of its font."""
EXPONENTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def ticks(low: float, high: float, most: int) -> np.ndarray:
    """Round numbers between two, `most` of them at most."""
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    step = next(power * s for s in STEPS if power * s >= rough * (1 - 1e-9))
    return step * np.arange(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)


def decades(low: float, high: float, most: int) -> np.ndarray:
    """Powers of ten between two numbers, of which the logarithms are given; every second, third ... of many."""
    every = max(1, ceil((floor(high) - ceil(low) + 1) / most))
    return np.arange(ceil(low), floor(high) + 1, every).astype(float)


def labels(values: np.ndarray) -> tuple[list[str], str]:
    """Texts of ticks, and the power of ten that they have in common, if any."""
    most = float(np.abs(values).max(initial=0.0))
    power = floor(log10(most)) if most > 0 else 0
    shared = power if most and not -4 <= power < 5 else 0
    scaled = values / 10.0**shared
    steps = np.diff(scaled)
    digits = 0
    while len(steps) and digits < 12 and abs(round(steps[0], digits) - steps[0]) > 1e-6 * steps[0]:
        digits += 1
    texts = [f"{x + 0.0:.{digits}f}".replace("-", "−") for x in np.round(scaled, digits)]
    return texts, f"1e{shared}".replace("-", "−") if shared else ""


def path(x: np.ndarray, y: np.ndarray) -> str:
    """Points joined by lines, with gaps where they are not finite."""
    out, pen = [], "M"
    for a, b in zip(np.round(x, 1).tolist(), np.round(y, 1).tolist(), strict=True):
        if a - a != 0 or b - b != 0:
            pen = "M"
            continue
        out.append(f"{pen}{a:g} {b:g}")
        pen = "L"
    return "".join(out)


def stroke(color: str, width: float, dashes: Sequence[float] = (), opacity: float = 1.0) -> str:
    """The style of a line; dashes in units of its width."""
    pattern = f" stroke-dasharray: {' '.join(f'{d * width:.3g}' for d in dashes)};" if len(dashes) else ""
    faint = f" stroke-opacity: {opacity:g};" if opacity < 1 else ""
    return f"fill: none; stroke: {color}; stroke-width: {width:g};{pattern}{faint} stroke-linejoin: round"


def line(d: str, style: str) -> str:
    return f'<path d="{d}" style="{style}"/>'


def text(
    x: float, y: float, words: str, size: float, color: str, anchor: str = "middle", more: str = ""
) -> str:
    style = f"fill: {color}; font-size: {size:g}px; text-anchor: {anchor};{more}"
    return f'<text x="{x:.1f}" y="{y:.1f}" style="{style}">{escape(words)}</text>'


def svg(width: float, height: float, parts: Iterable[str]) -> str:
    """The whole picture, in points."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" style="overflow: visible">'
    return f"{head}{''.join(parts)}</svg>"


class Sketch:
    """A picture without axes, of the given height and width [in], and both figure and axes for those who draw it."""

    def __init__(self, height: float, width: float, size: float, ink: str):
        self._height, self._width, self._size, self._ink = 72 * height, 72 * width, size, ink
        self._parts: list[tuple[float, Any]] = []
        self._legend: list[Mapping[str, Any]] = []
        self._x, self._y, self._title = (0.0, 1.0), (0.0, 1.0), ""

    def add_subplot(self) -> Sketch:
        return self

    def set_xlim(self, low: float, high: float) -> None:
        self._x = low, high

    def set_ylim(self, low: float, high: float) -> None:
        self._y = low, high

    def set_aspect(self, aspect: str) -> None:
        assert aspect == "equal"  # as a sketch always is

    def set_axis_off(self) -> None:
        """A sketch has none."""

    def set_title(self, title: str, **_: Any) -> None:
        self._title = title

    def plot(self, x: Any, y: Any, style: str = "-", *, zorder: float = 2, **look: Any) -> None:
        look.setdefault("linestyle", style)
        self._parts.append((zorder, lambda place: line(path(*place(x, y)), _stroke(look))))

    def fill(self, x: Any, y: Any, *, zorder: float = 1, **look: Any) -> None:
        color, edge = look.get("facecolor", look.get("color")), look.get("edgecolor", "none")
        style = f"fill: {color}; stroke: {edge}; stroke-width: {look['linewidth']:g}"
        self._parts.append((zorder, lambda place: line(path(*place(x, y)) + "Z", style)))

    def text(self, x: float, y: float, words: str, *, zorder: float = 3, **look: Any) -> None:
        self._parts.append((zorder, lambda place: self._written(place(x, y), words, look)))

    def _written(self, place: tuple[float, float], words: str, look: dict[str, Any]) -> str:
        """Lines of text about a point, on a piece of paper where it has a box."""
        (x, y), size, rows = place, look["fontsize"], words.split("\n")
        box, out = look.get("bbox", {}), ""
        if box.get("fill", bool(box)):
            w, h = LETTER * size * max(map(len, rows)) + 0.3 * size, size * (1.15 * len(rows) + 0.2)
            out = f'<rect x="{x - w / 2:.1f}" y="{y - h / 2:.1f}" width="{w:.1f}" height="{h:.1f}" rx="2" '
            out += f'style="fill: {box["facecolor"]}"/>'
        slant = " font-style: italic;" if look.get("style") == "italic" else ""
        first = y + 0.35 * size - 0.575 * size * (len(rows) - 1)
        return out + "".join(
            text(x, first + 1.15 * size * k, row, size, look["color"], more=slant)
            for k, row in enumerate(rows)
        )

    def legend(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Under the picture; an entry has a `label` and the look of its line or marker."""
        self._legend = list(entries)

    def svg(self) -> str:
        """What was drawn so far."""
        above, below = (1.8 * self._size if self._title else 0.0), (2.2 * self._size if self._legend else 0.0)
        (left, right), (low, high) = self._x, self._y
        room = [26 + LETTER * self._size * len(look["label"]) + 14 for look in self._legend]
        self._width = max(self._width, sum(room))
        scale = min(self._width / (right - left), self._height / (high - low))
        dx, dy = (self._width - scale * (right - left)) / 2, above + scale * high

        def place(x: Any, y: Any) -> tuple[Any, Any]:
            return dx + scale * (np.asarray(x) - left), dy - scale * np.asarray(y)

        parts = [draw(place) for _, draw in sorted(self._parts, key=lambda part: part[0])]
        height = above + scale * (high - low) + below
        if self._title:
            parts.append(text(self._width / 2, 1.1 * self._size, self._title, self._size, self._ink))
        return svg(self._width, height, [*parts, *self._entries(height - 0.7 * self._size, room)])

    def _entries(self, y: float, room: Sequence[float]) -> Iterable[str]:
        x = (self._width - sum(room)) / 2
        for look, wide in zip(self._legend, room, strict=True):
            middle = y - 0.3 * self._size
            if look.get("marker"):
                style = f"fill: {look['markerfacecolor']}; stroke: {look['markeredgecolor']}"
                yield f'<circle cx="{x + 10:.1f}" cy="{middle:.1f}" r="3" style="{style}"/>'
            else:
                yield line(f"M{x:.1f} {middle:.1f}L{x + 20:.1f} {middle:.1f}", _stroke(look))
            yield text(x + 26, y, look["label"], self._size, self._ink, "start")
            x += wide


def _stroke(look: Mapping[str, Any]) -> str:
    dashes = {"--": (3.7, 1.6), ":": (1.0, 1.65)}.get(look["linestyle"], ())
    return stroke(look["color"], look.get("linewidth", 1.4), dashes, look.get("alpha", 1.0))
