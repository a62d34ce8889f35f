"""How figures look: one style for all, in three themes.

`light` and `dark` are for screens, `print` is for paper. Lines differ in colour and in dashes. Every colour of a line
stands out from its paper with a contrast of at least 3, text with at least 4.5 (WCAG 2.1, 1.4.11 and 1.4.3), and the
first six are told apart by eyes that lack one kind of cone (after G. M. Machado et al., IEEE Transactions on
Visualization and Computer Graphics 15, 2009): the tests compute both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from wheelwork.lazy import cycler, matplotlib, mpl_figure, mpl_lines, pyplot

from .sketch import Sketch

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ThemeName = Literal["light", "dark", "print"]

DASHES: tuple[Any, ...] = (
    "-", (0, (5, 1.6)), (0, (6, 1.5, 1.2, 1.5)), (0, (1.2, 1.2)),
    (0, (8, 1.5, 2.5, 1.5)), (0, (3, 1)), (0, (6, 1.5, 1.2, 1.2, 1.2, 1.5)), (0, (1.2, 3)),
)  # fmt: skip
"""Of the first, second, ... line of a panel."""


@dataclass(frozen=True)
class Theme:
    """Colours and sizes of a figure. Colours are `#rrggbb`.

    paper: behind everything; ink: text; soft: text of less weight; line: axes and ticks; fill: areas such as vertices
    series: lines and areas, in their order
    width [in]: of a whole figure; size [pt]: of text; weight [pt]: of lines
    attached: known to pyplot, so that `plt.show()` and notebooks show it
    sketched: graphs are drawn as a `Sketch`, without matplotlib
    """

    name: str
    paper: str
    ink: str
    soft: str
    line: str
    fill: str
    series: tuple[str, ...]
    width: float = 8.0
    size: float = 9.0
    weight: float = 1.4
    attached: bool = True
    sketched: bool = False

    @property
    def rc(self) -> dict[Any, Any]:
        """Settings of matplotlib."""
        count = len(self.series)
        cycle = cycler.cycler(color=list(self.series)) + cycler.cycler(linestyle=list(DASHES[:count]))
        inked = ("axes.labelcolor", "axes.titlecolor", "legend.labelcolor", "text.color")
        return {
            **dict.fromkeys(("figure.facecolor", "axes.facecolor", "legend.facecolor"), self.paper),
            **dict.fromkeys((*inked, "xtick.labelcolor", "ytick.labelcolor"), self.ink),
            **dict.fromkeys(("axes.edgecolor", "grid.color", "xtick.color", "ytick.color"), self.line),
            **dict.fromkeys(("axes.grid", "axes.axisbelow"), True),
            **dict.fromkeys(("axes.spines.top", "axes.spines.right", "axes.formatter.useoffset"), False),
            "axes.prop_cycle": cycle,
            "axes.titlesize": "medium",
            "axes.titlelocation": "left",
            "axes.formatter.limits": (-4, 5),
            "figure.dpi": 110,
            "font.size": self.size,
            "font.family": "sans-serif",
            "grid.alpha": 0.35,
            "grid.linewidth": 0.6,
            "legend.edgecolor": "none",
            "legend.framealpha": 0.8,
            "legend.fontsize": "small",
            "lines.linewidth": self.weight,
            "lines.solid_joinstyle": "round",
            "savefig.facecolor": "auto",
        }

    def figure(self, height: float, width: float | None = None) -> Any:
        """An empty figure, in inches."""
        size = (self.width if width is None else width, height)
        if self.sketched:
            return Sketch(height, size[0], self.size, self.ink)
        if self.attached:
            made = pyplot.figure(figsize=size, layout="constrained")
            if (
                "inline" in matplotlib.get_backend()
            ):  # a notebook shows what ends a cell; open ones, once more
                pyplot.close(made)
            return made
        return mpl_figure.Figure(figsize=size, layout="constrained")


LIGHT = Theme(
    "light", "#ffffff", "#1b2028", "#4a525e", "#a9afb8", "#dfe9f6",
    ("#1745cf", "#dd6c14", "#05a078", "#b073d1", "#6a1a1c", "#06384f", "#94602e", "#5c5f6e"),
)  # fmt: skip
DARK = Theme(
    "dark", "#1a1e24", "#e8eaee", "#aab2bd", "#68717d", "#2c3a50",
    ("#7189ff", "#ff9726", "#4df0a5", "#b284c0", "#f25555", "#b2e1ff", "#f7ee7e", "#a6acae"),
)  # fmt: skip
PRINT = Theme(
    "print", "#ffffff", "#000000", "#333333", "#777777", "#e6e6e6", LIGHT.series,
    width=6.3, size=8.0, weight=1.1,
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PRINT)}
STEEL = 7
"""In `series`: what has no colour of its own."""


def theme_named(theme: ThemeName | Theme) -> Theme:
    """The theme of a name."""
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise ValueError(f"there is no theme `{theme}`; take {', '.join(f'`{name}`' for name in THEMES)}")
    return THEMES[theme]


@contextmanager
def styled(theme: ThemeName | Theme) -> Iterator[Theme]:
    """What is drawn inside has the colours of the theme."""
    look = theme_named(theme)
    if look.sketched:
        yield look
        return
    with matplotlib.rc_context(look.rc):
        yield look


def stacked(look: Theme, panels: int, height: float = 2.0, **more: Any) -> tuple[Figure, list[Any]]:
    """A figure with panels one above the other that share what is along them; height [in] of each."""
    figure = look.figure(0.7 + height * panels)
    axes = figure.subplots(panels, 1, squeeze=False, sharex=True, **more)[:, 0]
    return figure, list(axes)


def beside(axis: Any, most: int = 14) -> None:
    """A legend to the right of the axes, where it hides nothing."""
    handles, labels = axis.get_legend_handles_labels()
    if handles:
        more = [f"and {len(labels) - most} more"] if len(labels) > most else []
        handles, labels = handles[:most], labels[:most]
        if more:
            handles, labels = [*handles, mpl_lines.Line2D([], [], linestyle="none")], [*labels, *more]
        axis.legend(
            handles, labels, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, handlelength=2.6
        )


def below_all(figure: Figure, words: Sequence[tuple[str, str]], look: Theme) -> None:
    """What a picture takes for granted, in small print under it: a word and names each."""
    if words:
        text = "; ".join(f"{what}: {names}" for what, names in words)
        figure.supxlabel(text, fontsize="x-small", color=look.soft)


def luminance(color: str) -> float:
    """Relative luminance of `#rrggbb` (WCAG 2.1): 0 black, 1 white."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
