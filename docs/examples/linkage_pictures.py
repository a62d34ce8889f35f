"""Pictures of pendulums, a top and linkages."""

from __future__ import annotations

from typing import Any

import numpy as np


def pendulum(tools: Any) -> None:
    r, picture, (angle, force) = tools.example("pendulum", 0.25, 2, yaw=-1.3, pitch=0.2)
    part = r.t <= 5
    angle.plot(r.t[part], np.degrees(r["hinge.angle"])[part], color=tools.BLUE)
    tools.title(angle, "angle below level [deg]", "")
    size = np.linalg.norm(r["hinge.reaction.force"], axis=1) / 9.80665
    force.plot(r.t[part], size[part], color=tools.ORANGE)
    tools.title(force, "force on the hinge, in weights")
    picture.save("pendulum")


def double_pendulum(tools: Any) -> None:
    m = tools.model("double-pendulum")
    r = m.run()
    near = m.with_parameters(lower_length="0.7001 m").run()
    picture = tools.Picture(1)
    picture.mechanism(r, 0.75, yaw=-1.4, pitch=0.15)
    (panel,) = picture.panels
    panel.plot(r.t, r["elbow.angle"], color=tools.BLUE, label="lower rod 0.7 m")
    panel.plot(near.t, near["elbow.angle"], color=tools.ORANGE, linewidth=1, label="0.1 mm longer")
    tools.title(panel, "angle of the elbow [rad]")
    picture.save("double-pendulum")


def spinning_top(tools: Any) -> None:
    m = tools.model("spinning-top")
    steady, cusps = m.run(), m.with_parameters(kick=0).run()
    picture = tools.Picture(1, split=0.5)
    picture.mechanism(steady, 0.0, yaw=-1.2, pitch=0.3)
    (panel,) = picture.panels
    for r, color, label in (
        (steady, tools.BLUE, "steady precession"),
        (cusps, tools.ORANGE, "let go with its axis at rest"),
    ):
        x, y = (r[f"top.position.{c}"].to_numpy()[:900] * 1000 for c in "xy")
        panel.plot(x, y, color=color, linewidth=1.2, label=label)
    panel.set_aspect("equal")
    panel.margins(0.05)
    panel.legend(frameon=False, fontsize=7.5, labelcolor=tools.INK, loc="center")
    tools.title(panel, "path of the disc's middle from above [mm]", "")
    picture.save("spinning-top")


def four_bar(tools: Any) -> None:
    r, picture, (angle, energy) = tools.example("four-bar", 0.6, 2, yaw=-1.25, pitch=0.25)
    angle.plot(r.t, np.degrees(r["crank-bearing.angle"]), color=tools.BLUE, label="crank")
    angle.plot(r.t, np.degrees(r["rocker-bearing.angle"]), color=tools.ORANGE, label="rocker")
    tools.title(angle, "angle turned [deg]", "")
    for name, color in (("kinetic", tools.BLUE), ("potential", tools.ORANGE), ("total", tools.GREEN)):
        energy.plot(r.t, r[f"energy.{name}"], color=color, linewidth=1, label=name)
    tools.title(energy, "energy [J]")
    picture.save("four-bar")


def slider_crank(tools: Any) -> None:
    r, picture, (way, torque) = tools.example("slider-crank", 0.12, 2, yaw=-0.9, pitch=0.35)
    way.plot(r.t, r["slider.position.x"] * 1000, color=tools.BLUE)
    tools.title(way, "slider [mm]", "")
    torque.plot(r.t, r["motor.torque"], color=tools.ORANGE)
    tools.title(torque, "torque of the drive [N m]")
    picture.save("slider-crank")


def bricard(tools: Any) -> None:
    r, picture, (panel,) = tools.example("bricard", 0.45, 1, yaw=-0.6, pitch=0.3)
    panel.plot(r.t, np.degrees(r["hinge1.angle"]), color=tools.BLUE, label="hinges 1, 3, 5")
    panel.plot(r.t, np.degrees(r["hinge2.angle"]), color=tools.ORANGE, label="hinges 2, 4, 6")
    tools.title(panel, "angle turned [deg]")
    picture.save("bricard")


def n_four_bar(tools: Any) -> None:
    r, picture, (top, drift) = tools.example("n-four-bar", 0.6, 2, yaw=-1.25, pitch=0.25)
    top.plot(r.t, 2 * r["link0.position.x"], color=tools.BLUE, label="x")
    top.plot(r.t, 2 * r["link0.position.y"], color=tools.ORANGE, label="y")
    tools.title(top, "top of the first link [m]", "")
    energy = r["energy.total"].to_numpy()
    drift.plot(r.t, (energy - energy[0]) * 1e6, color=tools.GREEN)
    angle = r["A0.angle"].to_numpy()
    for k in np.flatnonzero(np.diff(np.floor(angle / np.pi - 0.5))):
        drift.axvline(r.t[k], color=tools.FAINT, linewidth=0.8, linestyle=":")
    tools.title(drift, "drift of energy [µJ]; dotted: flat positions")
    picture.save("n-four-bar")


def weld(tools: Any) -> None:
    r, picture, (panel,) = tools.example("weld", 0.25, 1, yaw=-0.9, pitch=0.3)
    part = r.t <= 2
    for name, color, line in (("side", tools.BLUE, "-"), ("ledge", tools.ORANGE, "--")):
        torque = r.reaction(name, body="a", frame="body").torque.sel(component="x")
        panel.plot(r.t[part], torque[part], line, color=color, label=f"from `{name}`")
    tools.title(panel, "torque about the arm's length on the arm [N m]")
    picture.save("weld")


def delta_robot(tools: Any) -> None:
    r, picture, (panel,) = tools.example("delta-robot", 0.1, 1, yaw=-0.8, pitch=0.3)
    for k, color in ((1, tools.BLUE), (2, tools.ORANGE), (3, tools.GREEN)):
        panel.plot(r.t, r[f"arm{k}.motor.torque"], color=color, label=f"arm {k}")
    tools.title(panel, "torque of the motors [N m]")
    picture.save("delta-robot")
