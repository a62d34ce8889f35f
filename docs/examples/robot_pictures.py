"""Make the pictures of the robot's page: `python docs/examples/robot_pictures.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from make_pictures import BLUE, FAINT, FOLDER, GREEN, INK, ORANGE, PURPLE, RED, TEAL, model, style, title
from matplotlib.figure import Figure

from wheelwork.examples.robot.links import LINKS
from wheelwork.report.picture import draw_mechanism

AXES = range(1, 7)
COLORS = dict(zip(AXES, (BLUE, ORANGE, GREEN, PURPLE, RED, TEAL), strict=True))
TYPES = {"external": ("7 spur", BLUE), "bevel": ("3 bevel", ORANGE), "internal": ("10 internal", GREEN)}
LEAST = 1e-17
"""Zeros are drawn here on a logarithmic scale."""


class Wide:
    """A figure of pictures and panels, placed in parts of its width and height."""

    def __init__(self, height: float):
        self.figure = Figure(figsize=(9.5, height), dpi=130, facecolor="white")

    def picture(self, place: tuple[float, float, float, float], result: Any, t: float, **view: Any) -> None:
        draw_mechanism(self.figure.add_axes(place), result, t, **view)

    def panel(self, place: tuple[float, float, float, float]) -> Any:
        panel = self.figure.add_axes(place)
        style(panel)
        return panel

    def save(self, name: str) -> None:
        for panel in self.figure.axes:
            if panel.get_legend_handles_labels()[1]:
                panel.legend(fontsize=7.5, labelcolor=INK, framealpha=0.85, edgecolor="none", ncols=2)
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.figure.savefig(FOLDER / f"{name}.png", metadata={"Software": None})


def robot(path: Any) -> None:
    """The arm at the part it picks, and what is inside it."""
    hidden = {*LINKS[:-1], "payload", *(f"motor{k}" for k in AXES)}
    wide = Wide(5.2)
    wide.picture((0, 0, 0.5, 1), path, 2.1, yaw=-0.35, pitch=0.22)
    wide.picture(
        (0.5, 0, 0.5, 1),
        path,
        0.0,
        yaw=-1.0,
        pitch=0.25,
        bodies=[name for name in model("robot").bodies if name not in hidden],
    )
    wide.save("robot")


def residuals(run: Any) -> None:
    """What the paper reports of its gears: residuals of every one at position and velocity level."""
    wide = Wide(4.2)
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
        for name, mesh in model("robot").meshes.items():
            label, color = TYPES[mesh.type]
            size = np.maximum(np.abs(run[f"{name}.{signal}"].to_numpy()), LEAST)
            panel.semilogy(
                run.t, size, color=color, linewidth=0.5, label=None if label in named else label, alpha=0.8
            )
            named.add(label)
        panel.axhline(limit, color=RED, linewidth=1, linestyle="--")
        panel.set_ylim(LEAST, 1e-8)
        title(panel, text)
    wide.save("robot-residuals")


def motion(run: Any) -> None:
    """Velocities and accelerations of bodies from the base out, under the torques of the motors."""
    wide = Wide(4.6)
    wide.picture((0, 0, 0.38, 1), run, 4.3, yaw=-0.9, pitch=0.2)
    speed, rise = wide.panel((0.45, 0.58, 0.535, 0.34)), wide.panel((0.45, 0.11, 0.535, 0.34))
    for name, color in (("upper-arm", BLUE), ("arm", ORANGE), ("wrist", GREEN), ("payload", RED)):
        for panel, signal in ((speed, "velocity"), (rise, "acceleration")):
            size = np.linalg.norm(run[f"{name}.{signal}"].to_numpy(), axis=1)
            panel.plot(run.t, size, color=color, linewidth=1, label=name)
    title(speed, "speed of bodies [m/s]", "")
    title(rise, "acceleration of bodies [m/s²]")
    wide.save("robot-motion")


def torques(path: Any) -> None:
    """Motor speeds and torques along the pick-and-place path."""
    wide = Wide(4.6)
    wide.picture((0, 0, 0.38, 1), path, 5.5, yaw=-0.6, pitch=0.22)
    speed, torque = wide.panel((0.45, 0.58, 0.535, 0.34)), wide.panel((0.45, 0.11, 0.535, 0.34))
    for k, color in COLORS.items():
        rpm = path[f"rotor{k}-bearing.w"].to_numpy() * 30 / np.pi
        speed.plot(path.t, rpm, color=color, linewidth=1, label=f"motor {k}")
        torque.plot(path.t, path[f"drive{k}.torque"], color=color, linewidth=1)
    title(speed, "speed of the motors [rpm]", "")
    title(torque, "torque of the motors [N m]")
    for panel in (speed, torque):
        panel.axhline(0, color=FAINT, linewidth=0.6)
    wide.save("robot-pick-and-place")


PICTURES: dict[str, tuple[Callable[[Any], None], ...]] = {
    "robot": (residuals, motion),
    "robot-pick-and-place": (robot, torques),
}

if __name__ == "__main__":
    for name, draws in PICTURES.items():
        result = model(name).run()
        for draw in draws:
            draw(result)
