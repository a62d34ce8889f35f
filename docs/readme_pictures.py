"""Pictures of the README and of the first pages: the machine of `wheelwork demo`, and the cardan pump."""

from __future__ import annotations

from typing import Any

import numpy as np

ON_REQUEST = ("planetary_gearbox",)


def planetary_gearbox(tools: Any) -> None:
    """The demo: the machine, its speeds, and the forces with which the sun turns its planets."""
    r, picture, (speed, force) = tools.example(
        "planetary-gearbox", 2.2, 2, split=0.56, height=4, yaw=-1.1, pitch=0.3
    )
    speed.plot(r.t, r["sun-bearing.w"], color=tools.ORANGE, label="motor and sun")
    speed.plot(r.t, r["carrier-bearing.w"], "--", color=tools.BLUE, label="carrier and drum")
    tools.title(speed, "speed [rad/s]", "")
    for k, color, line in ((1, tools.PURPLE, "-"), (2, tools.RED, "--"), (3, tools.GREEN, ":")):
        force.plot(r.t, r[f"sun-planet{k}.force.normal"], line, color=color, linewidth=2, label=f"planet {k}")
    force.set_ylim(0, None)
    tools.title(force, "force of the sun's teeth on each planet [N]")
    picture.save("planetary-gearbox", tools.STATIC)


def cardan_pump(tools: Any) -> None:
    """A machine, and what its two universal joints do to the speed."""
    r, picture, (speed, torque) = tools.example("cardan-pump", 2.3, 2, split=0.6, height=4)
    shaft = r["shaft-in.w"].to_numpy() @ np.array([4, 1, -1]) / np.sqrt(18)
    speed.plot(r.t, shaft, color=tools.ORANGE, linewidth=1, label="shaft between")
    speed.plot(r.t, r["motor-bearing.w"], color=tools.BLUE, label="motor and flywheel")
    tools.title(speed, "speed [rad/s]", "")
    torque.plot(r.t, r["drive.torque"], color=tools.BLUE, linewidth=1.2)
    tools.title(torque, "motor torque [N m]")
    picture.save("cardan-pump", tools.STATIC)
