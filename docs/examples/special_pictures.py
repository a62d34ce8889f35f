"""Pictures of the examples with special drives."""

from __future__ import annotations

from typing import Any

import numpy as np


def cycloid_drive(tools: Any) -> None:
    r, picture, (force, count) = tools.example("cycloid-drive", 0.1, 2, yaw=0.5, pitch=1.15)
    for pin in range(1, 13):
        force.plot(r.t, r[f"ring1.pin.{pin}.force"], color=tools.COLORS[pin % 6], linewidth=1)
    force.set_xlim(0.05, 0.2)
    tools.title(force, "force on each pin of the ring [N]", "")
    count.plot(r.t, r["ring1.loaded"], color=tools.BLUE)
    count.set_xlim(0.05, 0.2)
    tools.title(count, "number of pins that carry load")
    picture.save("cycloid-drive")


def rv_reducer(tools: Any) -> None:
    r, picture, (angle, torque) = tools.example("rv-reducer", 0.1, 2, yaw=0.5, pitch=1.0)
    angle.plot(r.t, np.degrees(r["flange.angle"]), color=tools.BLUE)
    tools.title(angle, "angle of the flange [deg]", "")
    torque.plot(r.t, r["motor.torque"], color=tools.ORANGE)
    tools.title(torque, "torque of the motor [N m]")
    picture.save("rv-reducer")


def chain_drive(tools: Any) -> None:
    r, picture, (ratio, pull) = tools.example("chain-drive", 1.0, 2, yaw=-1.2, pitch=0.3)
    ratio.plot(r.t, r["chain.ratio"], color=tools.BLUE)
    ratio.set_xlim(0.8, 1.2)
    tools.title(ratio, "speed of the motor over that of the drum", "")
    for strand, color in (("left", tools.BLUE), ("right", tools.ORANGE)):
        pull.plot(r.t, r[f"chain.{strand}.force"], color=color, linewidth=1)
    pull.set_xlim(0.8, 1.6)
    tools.title(pull, "pull in the strands [N]: upper (blue), lower")
    picture.save("chain-drive")


def strain_wave_joint(tools: Any) -> None:
    r, picture, (windup, torque) = tools.example("strain-wave-joint", 0.2, 2, yaw=-1.2, pitch=0.25)
    windup.plot(r.t, 1e3 * r["gear.windup"], color=tools.BLUE)
    tools.title(windup, "windup of the flexspline [mrad]", "")
    torque.plot(r.t, r["motor.torque"], color=tools.ORANGE)
    tools.title(torque, "torque of the motor [N m]")
    picture.save("strain-wave-joint")


def friction_planetary(tools: Any) -> None:
    r, picture, (speed, use) = tools.example("friction-planetary", 0.1, 2)
    speed.plot(r.t, r["carrier.w"], color=tools.BLUE)
    tools.title(speed, "speed of the carrier [rad/s]", "")
    use.plot(r.t, r["inner1.use"], color=tools.ORANGE)
    tools.title(use, "force over what friction holds")
    picture.save("friction-planetary")
