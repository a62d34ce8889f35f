"""Pictures of the examples with gears in space."""

from __future__ import annotations

from typing import Any

import numpy as np


def steering(tools: Any) -> None:
    r, picture, (angle, torque) = tools.example("steering", 0.6, 2, yaw=-2.2, pitch=0.5)
    for side, color in (("left", tools.BLUE), ("right", tools.ORANGE)):
        angle.plot(r.t, np.degrees(r[f"{side}-pin.angle"]), color=color, label=f"{side} wheel")
    tools.title(angle, "angle about the kingpin [deg]", "")
    torque.plot(r.t, r["hands.torque"], color=tools.GREEN, label="at the steering wheel [N m]")
    torque.plot(
        r.t, r["pinion.force.tangential"] / 100, color=tools.PURPLE, label="force on the rack [100 N]"
    )
    tools.title(torque, "torque and force")
    picture.save("steering")


def worm_lift(tools: Any) -> None:
    r, picture, (height, torque) = tools.example("worm-lift", 0.0, 2, yaw=1.25, pitch=0.3)
    height.plot(r.t, r["guide.displacement"] * 1000, color=tools.BLUE)
    tools.title(height, "height of the load [mm]; shaded: motor off", "")
    torque.plot(r.t, r["motor.torque"], color=tools.ORANGE)
    torque.set_ylim(-3, 7)
    tools.title(torque, "torque of the motor [N m] (starts at ±16)")
    for panel in (height, torque):
        for start in (1, 3):
            panel.axvspan(start, start + 1, color=tools.INK, alpha=0.08, linewidth=0)
    picture.save("worm-lift")


def geared_satellite(tools: Any) -> None:
    m = tools.model("geared-satellite")
    r, free = m.run(), m.with_parameters(torque=0, tumble=0.3, spin=60).run(end=40, output=800)
    picture = tools.Picture(2)
    picture.mechanism(r, 4.0, yaw=2.3, pitch=0.75)
    rate, tumbling = picture.panels
    rate.plot(r.t, r["bus.w.z"] * 100, color=tools.BLUE, label="bus [0.01 rad/s]")
    rate.plot(r.t, r["ring-bearing.w"], color=tools.ORANGE, label="ring [rad/s]")
    tools.title(rate, "motor on for 4 s", "")
    for component, color in zip("xyz", (tools.BLUE, tools.ORANGE, tools.GREEN), strict=True):
        tumbling.plot(free.t, free[f"bus.w.{component}"], color=color, linewidth=1.2, label=component)
    tumbling.set_ylim(-0.6, 0.6)
    tumbling.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, loc="lower right", ncols=3)
    tools.title(tumbling, "free tumble: turn of the bus [rad/s]")
    picture.save("geared-satellite")
