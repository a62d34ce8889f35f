"""Pictures of the differential and of the helical reducer."""

from __future__ import annotations

from typing import Any

import numpy as np

MEAN_RADIUS = 36e-3 - 6e-3 * np.sin(np.arctan(1.5))
"""Of the gears of the differential's wheels, in the middle of their teeth [m]."""


def differential(tools: Any) -> None:
    r, picture, (speed, torque) = tools.example("differential", 0.0, 2, yaw=-2.1, pitch=0.36)
    for name, color, label in (
        ("left", tools.BLUE, "left wheel"),
        ("axle", tools.GREEN, "crown"),
        ("right", tools.PURPLE, "right wheel"),
    ):
        speed.plot(r.t, r[f"{name}.w"], color=color, label=label)
    tools.title(speed, "speed [rad/s]; the right wheel is on ice from 2 s on", "")
    torque.plot(r.t, 3.5 * r["engine.torque"], color=tools.GREEN, label="motor, at the crown")
    for side, color, line in (("left", tools.BLUE, "-"), ("right", tools.PURPLE, "--")):
        force = sum(abs(r[f"{side}{k}.force.tangential"]) for k in (1, 2))
        torque.plot(
            r.t, force * MEAN_RADIUS, line, color=color, linewidth=2, label=f"{side} wheel, from its teeth"
        )
    torque.set_ylim(0, None)
    tools.title(torque, "torques [N m]")
    picture.save("differential")


def helical_reducer(tools: Any) -> None:
    r, picture, (tooth, load) = tools.example("helical-reducer", 0.6, 2, yaw=-1.9, pitch=0.75)
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
