"""Pictures of the first gearbox, from the pieces of its page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import wheelwork as ww
from wheelwork.show.figures.study import study_figure


def _model() -> ww.Mechanism:
    text = (Path(__file__).parent / "gearbox-from-nothing.md").read_text(encoding="utf-8")
    return ww.loads("".join(re.findall(r"^```yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)))


def gearbox(tools: Any) -> None:
    """The machine, and how it comes up to speed under load."""
    r = _model().run()
    picture = tools.Picture(2, split=0.56, height=4)
    picture.mechanism(r, 0.02, yaw=-1.0, pitch=0.5)
    speed, force = picture.panels
    for name, color in (("input", tools.BLUE), ("middle", tools.ORANGE), ("output", tools.GREEN)):
        speed.plot(1000 * r.t, r[f"{name}.w.x"], color=color, label=name)
        load = np.linalg.norm(r[f"{name}.right.reaction.force"], axis=1) / 1000
        force.plot(1000 * r.t, load, color=color, label=name)
    tools.title(speed, "speed [rad/s]", "")
    for panel in (speed, force):  # room for a legend
        low, high = panel.get_ylim()
        panel.set_ylim(min(low, 0), high + 0.3 * (high - low))
    tools.title(force, "load of the right bearings [kN]", "time [ms]")
    picture.save("gearbox-from-nothing", ncols=3, loc="upper right")


def gearbox_map(tools: Any) -> None:
    """The load of a bearing over two choices of the designer."""
    table = ww.Study.described(_model()).run()
    tools.save(study_figure(table, "right", "map"), "gearbox-map")
