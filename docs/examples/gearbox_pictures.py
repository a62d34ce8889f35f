"""Pictures of the gearboxes in space; `make_pictures.py` draws them with the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

MEAN_RADIUS = 36e-3 - 6e-3 * np.sin(np.arctan(1.5))
"""Of the gears of the differential's wheels, in the middle of their teeth [m]."""


def planetary_gearbox(tools: Any) -> None:
    r = tools.model("planetary-gearbox").run()
    picture = tools.Picture(2)
    picture.mechanism(r, 2.2, yaw=-1.1, pitch=0.3)
    speed, force = picture.panels
    for name, color, label in (
        ("sun-bearing", tools.ORANGE, "motor and sun"),
        ("carrier-bearing", tools.COLORS[6], "carrier and drum"),
    ):
        speed.plot(r.t, r[f"{name}.w"], color=color, label=label)
    tools.title(speed, "speed [rad/s]", "")
    for k, color, line in ((1, tools.PURPLE, "-"), (2, tools.RED, "--"), (3, tools.TEAL, ":")):
        force.plot(r.t, r[f"sun-planet{k}.force.normal"], line, color=color, linewidth=2, label=f"planet {k}")
    force.set_ylim(0, None)
    tools.title(force, "force of the sun's teeth on each planet [N]")
    picture.save("planetary-gearbox")


def differential(tools: Any) -> None:
    r = tools.model("differential").run()
    picture = tools.Picture(2)
    picture.mechanism(r, 0.0, yaw=-2.1, pitch=0.36)
    speed, torque = picture.panels
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


PICTURES: list[Callable[[Any], None]] = [planetary_gearbox, differential]
