"""Pictures of the yaw drive; `make_pictures.py` draws them with the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from wheelwork.examples.yaw_drive import frequency_response, load_sharing
from wheelwork.examples.yaw_drive.responses import linear_response

SHAFTS = (1e7, 1e6, 5e5, 2e5)
UNEQUAL = (200.0, -200.0, 100.0, -100.0)


def yaw_drive(tools: Any) -> None:
    """The drive, and the start of the file."""
    r, picture, (speed, force) = tools.example("yaw-drive", 0.6, 2, yaw=-0.9, pitch=0.6)
    for name, color in (("pinion1", tools.BLUE), ("nacelle", tools.GREEN)):
        speed.plot(r.t, np.abs(r[f"{name}.w"]), color=color, linewidth=1, label=name)
    tools.title(speed, "speed [rad/s]", "")
    part = r.t <= 0.3
    for k, color in enumerate((tools.BLUE, tools.ORANGE, tools.GREEN, tools.PURPLE), start=1):
        values = r[f"mesh{k}.force.transverse"][part] / 1000
        force.plot(r.t[part], values, color=color, linewidth=1, label=f"pinion {k}")
    tools.title(force, "tooth forces [kN]")
    force.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=2, loc="upper right")
    picture.save("yaw-drive")


def _panels(tools: Any, rows: int, columns: int, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(9.5, height), dpi=130, facecolor="white", layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    for panel in panels.ravel():
        tools.style(panel)
    return figure, panels


def yaw_drive_response(tools: Any) -> None:
    """Bai's first figure: response over mesh frequency for several stiffnesses of the shafts."""
    figure, panels = _panels(tools, 2, 2, 5.6)
    frequencies = np.linspace(20, 90, 36)
    for panel, shaft in zip(panels.ravel(), SHAFTS, strict=True):
        found = frequency_response(shaft, frequencies)
        fine = np.linspace(20, 90, 701)
        panel.plot(fine, 1e6 * linear_response(shaft, fine)[0], color=tools.FAINT, label="linear")
        for way, color, mark in (("up", tools.BLUE, "^"), ("down", tools.ORANGE, "v")):
            panel.plot(
                frequencies,
                1e6 * found.rms(way),
                mark,
                color=color,
                ms=3,
                lw=0.8,
                ls="-",
                label=f"sweep {way}",
            )
        open_at = np.any(found.sweep.dataset["open"].to_numpy()[..., 0] > 0, axis=0)
        panel.plot(
            frequencies[open_at], np.full(open_at.sum(), 8), "s", color=tools.RED, ms=3, label="contact lost"
        )
        panel.set_ylim(0, 850)
        below = "mesh frequency [Hz]" if panel in panels[-1] else ""
        tools.title(
            panel, f"shafts {shaft:.0e} N m/rad, teeth {100 * found.share:.0f} % of the strain", below
        )
    for panel in panels[:, 0]:
        panel.set_ylabel("rms of the transmission error [µm]", fontsize=8, color=tools.INK)
    panels[0, 0].legend(fontsize=7.5, labelcolor=tools.INK, frameon=False)
    tools.save(figure, "yaw-drive-response")


def yaw_drive_sharing(tools: Any) -> None:
    """Bai's second figure: tooth forces over time, with equal and with unequal torques."""
    figure, panels = _panels(tools, 2, 2, 5.2)
    colors = (tools.BLUE, tools.ORANGE, tools.GREEN, tools.PURPLE)
    for row, (words, extra) in zip(
        panels, (("equal torques", (0.0,) * 4), ("torques +200, -200, +100, -100 N m", UNEQUAL)), strict=True
    ):
        found = load_sharing(extra)
        t = found.result.t
        for panel, (first, last) in zip(row, ((0.0, 0.3), (2.0, 2.3)), strict=True):
            part = (t >= first) & (t <= last)
            for k, color in enumerate(colors):
                label = f"pinion {k + 1}: {100 * found.shares[k]:.2f} %"
                panel.plot(t[part], found.forces[part, k] / 1000, color=color, linewidth=0.9, label=label)
            tools.title(panel, f"tooth forces [kN], {words}", "time [s]" if row is panels[-1] else "")
        row[1].set_ylim(11, 23)
        row[1].legend(
            fontsize=7, labelcolor=tools.INK, ncols=4, loc="upper center", columnspacing=0.8, handlelength=1
        )
    tools.save(figure, "yaw-drive-sharing")
