"""Mode shapes, and where their energy is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .style import Theme, ThemeName, below_all, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.analyses.vibration import Mode, Modes

FIRST = 6
"""Modes in a picture where none are named."""


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
        figure = look.figure(0.6 + 2.4 * len(chosen), 1.3 * look.width)
        axes = figure.subplots(len(chosen), 3, squeeze=False)
        for row, mode in zip(axes, chosen, strict=True):
            _draw_bodies(row[0], modes, mode, look)
            _draw_motion(row[1], mode, look)
            _draw_strain(row[2], mode, look)
            row[0].set_title(in_words(mode))
        below_all(figure, modes.linear.teeth.words, look)
    return figure


def in_words(mode: Mode) -> str:
    """Number, frequency, damping and kind of a mode."""
    words = [f"mode {mode.number}: {mode.natural_frequency:.5g} Hz"]
    if np.isfinite(mode.damping) and mode.damping > 1e-9:
        words.append(f"damping {100 * mode.damping:.2g} %")
    return ", ".join(words + ([mode.kind] if mode.kind else []))


def _draw_bodies(axis: Any, modes: Modes, mode: Mode, look: Theme) -> None:
    """Circles of the radius of gyration, seen along that axis of the world which shows most of the motion.

    Where one is so large that the others would be dots in it, they are drawn in order of size but not to scale.
    """
    motion = modes.linear.at.motion
    places, shape = motion.x[0], np.real(mode.readable(np.ones(len(modes.bodies))))
    u, v = _view(places, shape, modes.lengths)
    w = np.cross(u, v)
    flat = np.column_stack([places @ u, places @ v])
    radii, to_scale = _radii(flat, modes.lengths)
    size = max(float(np.ptp(flat, axis=0).max()), 2 * float(radii.max()))
    moved = np.column_stack([shape[:, :3] @ u, shape[:, :3] @ v])
    turned = shape[:, 3:] @ w
    most = max(float(np.abs(moved).max()) / (0.12 * size), float(np.abs(turned).max()) / 0.35, 1e-300)
    around = np.linspace(0, 2 * np.pi, 60)
    for k in range(len(modes.bodies)):
        r = max(radii[k], 0.01 * size)
        for center, angle, colour in (
            (flat[k], 0.0, look.line),
            (flat[k] + moved[k] / most, turned[k] / most, look.series[0]),
        ):
            axis.plot(center[0] + r * np.cos(around), center[1] + r * np.sin(around), "-", color=colour, lw=1)
            spoke = center + r * np.array([np.cos(angle), np.sin(angle)])
            axis.plot([center[0], spoke[0]], [center[1], spoke[1]], "-", color=colour, lw=1)
    axis.set_aspect("equal", adjustable="datalim")
    axis.set_axis_off()
    if not to_scale:
        axis.text(0, 0, "radii not to scale", transform=axis.transAxes, fontsize="x-small", color=look.soft)


def _radii(places: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, bool]:
    """Radii of the circles, and whether they are those of gyration: then the largest reaches no further than the bodies
    lie apart, or, where all lie on one spot, is no more than ten times the smallest."""
    apart = np.linalg.norm(places[:, None] - places[None, :], axis=2)
    extent, longest = float(apart.max()), float(lengths.max())
    if longest <= (1.5 * extent or 10 * float(lengths.min())) or len(lengths) < 2:
        return lengths, True
    steps = apart[apart > 0.05 * extent] if extent else np.array([longest / 0.45])
    return 0.45 * float(steps.min()) * np.cbrt(lengths / longest), False


def _view(places: np.ndarray, shape: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two directions across the picture, along the world's axes: without the one of least extent, unless another view
    shows much more of the motion (shafts that turn in line: from the side nothing would be seen of it)."""
    spread = np.ptp(places, axis=0)
    planes = [(1, 2), (0, 2), (0, 1)]
    seen = [
        float(np.sum(shape[:, plane] ** 2) + np.sum((lengths * shape[:, 3 + across]) ** 2))
        for across, plane in enumerate(planes)
    ]
    good = [k for k in (2, 1, 0) if seen[k] >= 0.3 * max(seen)]  # z where several are least
    u, v = planes[min(good, key=lambda k: spread[k])]
    eye = np.eye(3)
    return eye[u], eye[v]


def _draw_motion(axis: Any, mode: Mode, look: Theme) -> None:
    rows = mode.moving(0.005)[:10][::-1]
    names = [name for name, _, _ in rows]
    moving, turning = (np.array([row[k] for row in rows]) for k in (1, 2))
    axis.barh(names, moving, color=look.series[0], label="translation")
    axis.barh(
        names, turning, left=moving, color=look.series[2], hatch="//", edgecolor=look.paper, label="rotation"
    )
    axis.set_xlim(0, 1)
    axis.set_xlabel("share of the kinetic energy")
    axis.tick_params(labelsize="small")
    axis.legend(fontsize="x-small", loc="lower right")


def _draw_strain(axis: Any, mode: Mode, look: Theme) -> None:
    rows = mode.straining(0.005)[:10][::-1]
    axis.barh([name for name, _ in rows], [share for _, share in rows], color=look.series[1])
    axis.set_xlim(min(0.0, *(share for _, share in rows), 0.0), 1)
    axis.set_xlabel("share of the strain energy")
    axis.tick_params(labelsize="small")
