"""Pictures of the robot: outside and inside, residuals of its gears, motion, torques of a path."""

from __future__ import annotations

from typing import Any

import numpy as np

from builders.robot.links import LINKS

AXES = range(1, 7)
TYPES = {"external": ("7 spur", 0), "bevel": ("3 bevel", 1), "internal": ("10 internal", 2)}
LEAST = 1e-17
"""Zeros are drawn here on a logarithmic scale."""


def robot(tools: Any) -> None:
    """The arm at the part it picks, and what is inside it."""
    path = tools.result("robot-pick-and-place")
    hidden = {*LINKS[:-1], "payload", *(f"motor{k}" for k in AXES)}
    wide = tools.Wide(5.2)
    wide.mechanism((0, 0, 0.5, 1), path, 2.1, yaw=-0.35, pitch=0.22)
    wide.mechanism(
        (0.5, 0, 0.5, 1),
        path,
        0.0,
        yaw=-1.0,
        pitch=0.25,
        bodies=[name for name in tools.model("robot").bodies if name not in hidden],
    )
    wide.save("robot", ncols=2)


def robot_residuals(tools: Any) -> None:
    """What the paper reports of its gears: residuals of every one at position and velocity level."""
    run = tools.result("robot")
    wide = tools.Wide(4.2)
    places = (0.07, 0.13, 0.41, 0.77), (0.57, 0.13, 0.41, 0.77)
    for place, signal, limit, text in zip(
        places,
        ("residual", "slip"),
        (1e-10, 1e-9),
        ("residuals of the gears, position level [m]", "velocity level [m/s]"),
        strict=True,
    ):
        panel = wide.panel(place)
        named = set()
        for name, mesh in tools.model("robot").meshes.items():
            label, k = TYPES[mesh.type]
            color = tools.COLORS[k]
            size = np.maximum(np.abs(run[f"{name}.{signal}"].to_numpy()), LEAST)
            panel.semilogy(
                run.t, size, color=color, linewidth=0.5, label=None if label in named else label, alpha=0.8
            )
            named.add(label)
        panel.axhline(limit, color=tools.RED, linewidth=1, linestyle="--")
        panel.set_ylim(LEAST, 1e-8)
        tools.title(panel, text)
    wide.save("robot-residuals", ncols=2)


def robot_motion(tools: Any) -> None:
    """Velocities and accelerations of bodies from the base out, under the torques of the motors."""
    run = tools.result("robot")
    wide = tools.Wide(4.6)
    wide.mechanism((0, 0, 0.38, 1), run, 4.3, yaw=-0.9, pitch=0.2)
    speed, rise = wide.panel((0.45, 0.58, 0.535, 0.34)), wide.panel((0.45, 0.11, 0.535, 0.34))
    for name, color in (
        ("upper-arm", tools.BLUE),
        ("arm", tools.ORANGE),
        ("wrist", tools.GREEN),
        ("payload", tools.RED),
    ):
        for panel, signal in ((speed, "velocity"), (rise, "acceleration")):
            size = np.linalg.norm(run[f"{name}.{signal}"].to_numpy(), axis=1)
            panel.plot(run.t, size, color=color, linewidth=1, label=name)
    tools.title(speed, "speed of bodies [m/s]", "")
    tools.title(rise, "acceleration of bodies [m/s²]")
    wide.save("robot-motion", ncols=2)


def robot_pick_and_place(tools: Any) -> None:
    """Motor speeds and torques along the pick-and-place path."""
    path = tools.result("robot-pick-and-place")
    wide = tools.Wide(4.6)
    wide.mechanism((0, 0, 0.38, 1), path, 5.5, yaw=-0.6, pitch=0.22)
    speed, torque = wide.panel((0.45, 0.58, 0.535, 0.34)), wide.panel((0.45, 0.11, 0.535, 0.34))
    for k, color in zip(AXES, tools.COLORS, strict=False):
        rpm = path[f"rotor{k}-bearing.w"].to_numpy() * 30 / np.pi
        speed.plot(path.t, rpm, color=color, linewidth=1, label=f"motor {k}")
        torque.plot(path.t, path[f"drive{k}.torque"], color=color, linewidth=1)
    tools.title(speed, "speed of the motors [rpm]", "")
    tools.title(torque, "torque of the motors [N m]")
    for panel in (speed, torque):
        panel.axhline(0, color=tools.FAINT, linewidth=0.6)
    wide.save("robot-pick-and-place", ncols=2)
