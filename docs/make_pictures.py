"""Make the pictures that the README and the documentation show: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import wheelwork as ww
from wheelwork import examples
from wheelwork.report.picture import draw_mechanism
from wheelwork.scene import COLORS

FOLDER = Path(__file__).parent / "_static"
INK, FAINT = "#39414d", "#a9afb8"


def planetary_gearbox() -> None:
    """The demo: the machine, its speeds, and torques that statics knows."""
    r = ww.load(examples.path("planetary-gearbox")).run()
    figure = Figure(figsize=(10, 4), dpi=150, facecolor="white")
    draw_mechanism(figure.add_axes((0, 0, 0.64, 1)), r, 2.2, yaw=-1.1, pitch=0.3)
    upper, lower = _panels(figure)
    upper.plot(r.t, r["sun-bearing.w"], color=COLORS[1], linewidth=1.4, label="motor and sun")
    upper.plot(r.t, r["carrier-bearing.w"], color=COLORS[6], linewidth=1.4, label="carrier and drum")
    upper.set_title("speed [rad/s]")
    upper.legend(loc="center right", frameon=False, fontsize=7.5, labelcolor=INK)
    for k, color, line in ((1, COLORS[3], "-"), (2, COLORS[4], "--"), (3, COLORS[5], ":")):
        force = r[f"sun-planet{k}.force.normal"]
        lower.plot(r.t, force, line, color=color, linewidth=1.6, label=f"planet {k}")
    lower.legend(loc="upper right", frameon=False, fontsize=7.5, labelcolor=INK)
    lower.set_ylim(0, None)
    lower.set_title("tooth forces [N]")
    _finish(figure, "planetary-gearbox")


def _panels(figure: Figure) -> tuple[Any, Any]:
    return figure.add_axes((0.70, 0.58, 0.28, 0.33)), figure.add_axes((0.70, 0.14, 0.28, 0.33))


def _finish(figure: Figure, name: str) -> None:
    *_, upper, lower = figure.axes
    lower.set_xlabel("time [s]", fontsize=8, color=INK)
    for axis in (upper, lower):
        axis.title.set(fontsize=9, color=INK)
        axis.tick_params(labelsize=7.5, colors=FAINT, labelcolor=INK)
        axis.spines[:].set_color(FAINT)
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(True, color=FAINT, linewidth=0.5, alpha=0.35)
        axis.margins(x=0)
    figure.savefig(FOLDER / f"{name}.png", metadata={"Software": None})


def cardan_pump() -> None:
    """A machine, and what its two universal joints do to the speed."""
    r = ww.load(examples.path("cardan-pump")).run()
    figure = Figure(figsize=(10, 4), dpi=150, facecolor="white")
    draw_mechanism(figure.add_axes((0, 0, 0.64, 1)), r, 2.3)
    along = np.array([4, 1, -1]) / np.sqrt(18)
    shaft = r["shaft-in.w"].to_numpy() @ along
    upper, lower = _panels(figure)
    upper.plot(r.t, shaft, color=COLORS[1], linewidth=1, label="shaft between")
    upper.plot(r.t, r["motor-bearing.w"], color=COLORS[0], linewidth=1.4, label="motor and flywheel")
    upper.set_title("speed [rad/s]")
    upper.legend(loc="lower right", frameon=False, fontsize=7.5, labelcolor=INK)
    lower.plot(r.t, r["drive.torque"], color=COLORS[0], linewidth=1.2)
    lower.set_title("motor torque [N m]")
    _finish(figure, "cardan-pump")


if __name__ == "__main__":
    planetary_gearbox()
    cardan_pump()
