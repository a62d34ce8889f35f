"""Picture of the helical reducer; `make_pictures.py` draws it with the others."""

from __future__ import annotations

from typing import Any

import numpy as np


def helical_reducer(tools: Any) -> None:
    r = tools.model("helical-reducer").run()
    picture = tools.Picture(2)
    picture.mechanism(r, 0.6, yaw=-1.9, pitch=0.75)
    tooth, load = picture.panels
    part = r.t <= 0.2
    for word, color in (("tangential", tools.PURPLE), ("radial", tools.RED), ("axial", tools.TEAL)):
        force = np.abs(r[f"second.b.force.{word}"])[part] / 1000
        tooth.plot(r.t[part], force, color=color, linewidth=1.3, label=word)
    tooth.set_ylim(0)
    tools.title(tooth, "force on the teeth of the last gear [kN]", "")
    for shaft, color in (("input", tools.BLUE), ("middle", tools.ORANGE), ("output", tools.GREEN)):
        for bearing, line in (("A", "-"), ("B", "--")):
            force = np.linalg.norm(r[f"{shaft}-{bearing}.reaction.force"], axis=1)[part] / 1000
            load.plot(r.t[part], force, line, color=color, linewidth=1.3, label=f"{shaft} {bearing}")
    load.legend(fontsize=7, labelcolor=tools.INK, frameon=False, ncols=3, loc="upper right")
    load.set_ylim(0)
    tools.title(load, "load of the bearings [kN]")
    picture.save("helical-reducer")


PICTURES = [helical_reducer]
