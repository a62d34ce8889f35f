"""Mode shapes, and where their energy is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.lazy import player

from .style import Theme, ThemeName, below_all, luminance, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.analyses.vibration import Mode, Modes

FIRST = 6
"""Modes in a picture where none are named."""
MOST_BARS = 10
SIZE = (620, 300)
"""Pixels of a machine."""


def mode_shapes(modes: Modes, numbers: Sequence[int] = (), *, theme: ThemeName | Theme = "light") -> Figure:
    """One row per mode: the bodies at rest and moved, how much each moves, where the strain energy is."""
    wrong = [k for k in numbers if not 1 <= k <= len(modes)]
    if wrong:
        raise ValueError(f"there are modes 1 to {len(modes)}, but not {wrong[0]}")
    chosen = [modes[k - 1] for k in numbers] or [mode for mode in modes if mode.natural_frequency > 0][:FIRST]
    chosen = chosen or list(modes)[:FIRST]
    if not chosen:
        raise ValueError("the mechanism has no freedom, and so no modes")
    with styled(theme) as look:
        # pages have shapes that move, and drawings in their own colours
        painted = look.attached
        wide = [1.5, 1, 1][not painted :]
        figure = look.figure(0.6 + 2.2 * len(chosen), 0.4 * sum(wide) * look.width)
        axes = figure.subplots(len(chosen), len(wide), squeeze=False, width_ratios=wide)
        for row, mode in zip(axes, chosen, strict=True):
            if painted:
                _draw_machine(row[0], modes, mode, look)
            _draw_motion(row[-2], mode, look)
            _draw_strain(row[-1], mode, look)
            row[0].set_title(str(mode), loc="left")
        axes[-1, -2].set_xlabel("share of the kinetic energy")
        axes[-1, -1].set_xlabel("share of the strain energy")
        known = axes[0, -2].get_legend_handles_labels()  # above the other column, where no title stands
        axes[0, -1].legend(*known, fontsize="x-small", loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
        below_all(figure, modes.linear.teeth.words, look)
    return figure


def _draw_machine(axis: Any, modes: Modes, mode: Mode, look: Theme) -> None:
    """The machine moved, over itself at rest, with arrows along which its bodies move and turn."""
    picture, arrows = player.picture_of_mode(modes, mode, SIZE, luminance(look.paper) < 0.5)
    axis.imshow(picture, aspect="equal")
    for points in arrows:
        for color, wide in ((look.paper, 3.0), (look.ink, 1.3)):
            axis.plot(*points.T, "-", color=color, linewidth=wide)
        length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        head = {"arrowstyle": "-|>", "color": look.ink, "shrinkA": 0, "shrinkB": 0}
        head["mutation_scale"] = min(8.0, 0.3 * length)
        axis.annotate("", points[-1], points[-3], arrowprops=head, annotation_clip=False)
    axis.set_axis_off()


def _draw_motion(axis: Any, mode: Mode, look: Theme) -> None:
    rows = mode.moving(0.005)[:MOST_BARS]
    names = [name for name, _, _ in rows]
    moving, turning = (np.array([row[k] for row in rows]) for k in (1, 2))
    axis.barh(names, moving, color=look.series[0], label="translation")
    style = {"color": look.series[2], "hatch": "//", "edgecolor": look.paper}
    axis.barh(names, turning, left=moving, label="rotation", **style)
    axis.set_xlim(0, 1)
    _in_rows(axis, len(names))


def _draw_strain(axis: Any, mode: Mode, look: Theme) -> None:
    rows = mode.straining(0.005)[:MOST_BARS]
    axis.barh([name for name, _ in rows], [share for _, share in rows], color=look.series[1])
    axis.set_xlim(min(0.0, *(share for _, share in rows), 0.0), 1)
    _in_rows(axis, len(rows))


def _in_rows(axis: Any, count: int) -> None:
    """From the top down, with room for a few, so that one alone is no wall."""
    axis.set_ylim(max(count, 5) - 0.5, -0.5)
    axis.tick_params(labelsize="small")
