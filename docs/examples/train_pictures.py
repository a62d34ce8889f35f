"""Pictures of gear trains: the wrist, its path, the automatic transmission."""

from __future__ import annotations

from typing import Any

import numpy as np


def bevel_wrist_path(tools: Any) -> None:
    m = tools.model("bevel-wrist-path")
    r = m.run()
    forces = m.link_forces(r)
    picture = tools.Picture(3, height=4.6)
    picture.mechanism(r, 0.35, yaw=-0.9, pitch=0.35)
    torque, tooth, bearing = picture.panels
    for name, color in (("5", tools.BLUE), ("6", tools.ORANGE), ("8", tools.GREEN)):
        torque.plot(r.t, forces[f"drive{name}.torque"], color=color, linewidth=1.2, label=f"motor {name}")
    tools.title(torque, "torques of the motors [N m]", "")
    for mesh, color in (
        ("link7-link3", tools.PURPLE),
        ("link10-link11", tools.RED),
        ("link11-link4", tools.TEAL),
    ):
        force = forces[f"{mesh}.force.normal"]
        tooth.plot(r.t, force, color=color, linewidth=1.2, label=mesh.replace("link", ""))
    tools.title(tooth, "normal forces of teeth [N]", "")
    for joint, color in (("z1", tools.BLUE), ("z2", tools.ORANGE), ("z3", tools.GREEN)):
        force = np.linalg.norm(forces[f"{joint}.reaction.force"], axis=1)
        bearing.plot(r.t, force, color=color, linewidth=1.2, label=joint)
    tools.title(bearing, "forces of bearings [N]")
    picture.save("bevel-wrist-path")


def automatic_transmission(tools: Any) -> None:
    m = tools.model("automatic-transmission")
    r = m.run()
    m.gear_train().plot(output="output").savefig(tools.FOLDER / "automatic-transmission-graph.png")
    picture = tools.Picture(3, split=0.0, height=5.4)
    speed, ratio, torque = picture.panels
    for name, color in (
        ("engine", tools.INK),
        ("output", tools.GREEN),
        ("rear.sun", tools.BLUE),
        ("front.carrier", tools.ORANGE),
        ("front.sun", tools.PURPLE),
    ):
        speed.plot(r.t, r[f"{name}.w"], color=color, linewidth=1.2, label=name)
    speed.set_ylim(-420, 300)
    tools.title(speed, "speeds [rad/s]", "")
    part = r.t > 0.5
    ratio.plot(r.t[part], (r["engine.w"] / r["output.w"])[part], color=tools.INK, linewidth=1.2)
    k1, k2 = 76 / 34, 80 / 44
    for value in (1 + k2, 1 + k2 / (1 + k1), 1, k1 / (1 + k1)):
        ratio.axhline(value, color=tools.FAINT, linewidth=0.7, linestyle=":")
    ratio.set_xlim(0, 8)
    ratio.set_ylim(0, 4)
    tools.title(ratio, "engine over output; dotted: Willis", "")
    for name, color in (
        ("underdrive-out", tools.BLUE),
        ("overdrive-out", tools.ORANGE),
        ("low-brake", tools.RED),
        ("second-brake", tools.PURPLE),
    ):
        label = name.removesuffix("-out").replace("-", " ")
        torque.plot(r.t, np.abs(r[f"{name}.torque"]), color=color, linewidth=1.2, label=label)
    torque.set_ylim(0, 650)
    tools.title(torque, "torques of clutches and brakes [N m]")
    for panel, place in ((speed, "lower right"), (torque, "upper right")):
        panel.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=5, loc=place)
    picture.save("automatic-transmission")


def bevel_wrist(tools: Any) -> None:
    m = tools.model("bevel-wrist")
    r = m.run()
    picture = tools.Picture(2)
    picture.mechanism(r, 0.0, yaw=-1.0, pitch=0.3)
    angle, torque = picture.panels
    for name, color in (("z1", tools.BLUE), ("z2", tools.ORANGE), ("z3", tools.GREEN)):
        angle.plot(r.t, r[f"{name}.angle"], color=color, label=name)
    tools.title(angle, "angles of the wrist [rad]", "")
    part = r.t <= 0.5
    for name, color in (("5", tools.BLUE), ("6", tools.ORANGE), ("8", tools.GREEN)):
        torque.plot(r.t[part], r[f"drive{name}.torque"][part], color=color, linewidth=1, label=f"link {name}")
    tools.title(torque, "torques of the motors [N m]")
    picture.save("bevel-wrist")
    m.gear_train().plot(output="link4").savefig(tools.FOLDER / "bevel-wrist-graph.png")
