"""Pictures of the gearboxes in space; `make_pictures.py` draws them with the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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


PICTURES: list[Callable[[Any], None]] = [planetary_gearbox]
