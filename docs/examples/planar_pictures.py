"""Pictures of the planar examples."""

from __future__ import annotations

from typing import Any

import numpy as np

FRONT = {"yaw": -1.42, "pitch": 0.14}
"""A view almost along the normal of the plane."""


def planar_slider_crank(tools: Any) -> None:
    full, composite = (
        tools.model("planar-slider-crank").run(),
        tools.model("planar-slider-crank-composite").run(),
    )
    picture = tools.Picture(2)
    picture.mechanism(full, 0.09, **FRONT)
    way, torque = picture.panels
    turn = np.degrees(full["bearing.angle"])
    way.plot(turn, full["slider.position.x"] * 1000, color=tools.BLUE)
    tools.title(way, "slider [mm]", "")
    torque.plot(turn, full["motor.torque"], color=tools.BLUE, label="rod as a body")
    torque.plot(turn, composite["motor.torque"], color=tools.ORANGE, label="massless rod (composite joint)")
    torque.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, loc="lower center")
    torque.set_ylim(-3.2, 2.1)
    tools.title(torque, "torque of the drive [N m]", "crank [deg]")
    picture.save("planar-slider-crank")


def planar_four_bar(tools: Any) -> None:
    r, picture, (panel,) = tools.example("planar-four-bar", 0.12, 1, split=0.48, **FRONT)
    x, y = (r[f"coupler.position.{c}"].to_numpy() * 1000 for c in "xy")
    panel.plot(x, y, color=tools.BLUE, label="tracing point")
    half = r.t <= 0.5
    panel.plot(x[half], y[half], color=tools.ORANGE, linewidth=2.5, label="half a turn of the crank")
    panel.plot(x[::30], y[::30], ".", color=tools.INK, markersize=5, label="every 30 degrees")
    panel.set_aspect("equal", adjustable="datalim")
    panel.margins(0.08)
    tools.title(panel, "coupler curve [mm]", "")
    picture.save("planar-four-bar")


def quick_return(tools: Any) -> None:
    r, picture, (way, speed) = tools.example("quick-return", 0.06, 2, **FRONT)
    way.plot(r.t, r["ram.position.x"] * 1000, color=tools.BLUE)
    tools.title(way, "ram [mm]", "")
    speed.plot(r.t, r["ram.velocity.x"], color=tools.BLUE)
    speed.axvspan(1 / 3, 2 / 3, color=tools.ORANGE, alpha=0.12, linewidth=0)
    tools.title(speed, "speed of the ram [m/s]; shaded: way back")
    picture.save("quick-return")
