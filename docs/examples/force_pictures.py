"""Pictures of friction, impact, contact, shafts, and of how constraints are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

import wheelwork as ww


def stick_slip(tools: Any) -> None:
    r, picture, (way, force) = tools.example("stick-slip", 0.4, 2, yaw=-1.15, pitch=0.3)
    part = r.t <= 4
    way.plot(r.t[part], r["block.position.x"][part] * 1000, color=tools.BLUE)
    tools.title(way, "block [mm]", "")
    force.plot(r.t[part], r["rubbing.force"][part], color=tools.ORANGE)
    tools.title(force, "friction on the block [N]")
    picture.save("stick-slip")


def shifting_car(tools: Any) -> None:
    r, picture, (speed, torque) = tools.example("shifting-car", 0.8, 2, yaw=-1.42, pitch=0.14)
    shafts = (("second", tools.GREEN), ("third", tools.ORANGE), ("engine", tools.BLUE))
    for name, color in shafts:
        speed.plot(r.t, -r[f"{name}.w"], color=color, label=name, linewidth=2 if name != "engine" else 1.5)
    tools.title(speed, "speed of engine and shafts [rad/s]", "")
    for name, color in (("clutch-2", tools.GREEN), ("clutch-3", tools.ORANGE)):
        torque.plot(r.t, np.abs(r[f"{name}.torque"]), color=color, label=name)
    tools.title(torque, "torque of the clutches [N m]")
    picture.save("shifting-car")


def converter_drive(tools: Any) -> None:
    r, picture, (speed, torque) = tools.example("converter-drive", 0.5, 2, yaw=0.9, pitch=0.35)
    for name, color in (("engine", tools.BLUE), ("turbine", tools.ORANGE), ("ring", tools.GREEN)):
        speed.plot(r.t, r[f"{name}.w"], color=color, label=name)
    tools.title(speed, "speed of the shafts [rad/s]", "")
    for name, color in (("lock_up", tools.BLUE), ("direct", tools.ORANGE), ("freewheel", tools.GREEN)):
        torque.plot(r.t, np.abs(r[f"{name}.torque"]), color=color, label=name)
    tools.title(torque, "torque of freewheel and clutches [N m]")
    picture.save("converter-drive")


def geared_tricycle(tools: Any) -> None:
    r, picture, (track, speed) = tools.example("geared-tricycle", 0, 2, yaw=-0.75, pitch=0.4)
    for name, color in (("left", tools.GREEN), ("right", tools.ORANGE), ("front", tools.BLUE)):
        x, y, _ = r[f"{name}-tyre.contact.position"].values.T
        track.plot(x, y, color=color, label=name)
        speed.plot(r.t, np.linalg.norm(r[f"{name}.velocity"].values, axis=1), color=color)
    track.set_aspect("equal")
    tools.title(track, "tracks on the road [m]", "")
    tools.title(speed, "speed of the wheels [m/s]")
    picture.save("geared-tricycle")


def bouncing_ball(tools: Any) -> None:
    r = tools.model("bouncing-ball").run()
    picture = tools.Picture(2, split=0)
    height, energy = picture.panels
    height.plot(r.t, r["ball.position.z"], color=tools.BLUE)
    tools.title(height, "height of the middle [m]", "")
    energy.plot(r.t, r["energy.total"] - 0.5 * 9.80665 * 0.05, color=tools.GREEN)
    tools.title(energy, "energy above that at rest [J]")
    picture.save("bouncing-ball")


def falling_cross(tools: Any) -> None:
    r = tools.model("falling-cross").run()
    rigid = tools.model("falling-cross-rigid").run()
    picture = tools.Picture(2)
    picture.mechanism(r, 0.55, yaw=-1.2, pitch=0.2)
    height, load = picture.panels
    height.plot(r.t, r["hub.position.z"], color=tools.BLUE, label="spring and damper")
    height.plot(rigid.t, rigid["hub.position.z"], color=tools.ORANGE, label="restitution 0.6")
    tools.title(height, "height of the hub [m]", "")
    for name, color in (
        ("south", tools.BLUE),
        ("east", tools.ORANGE),
        ("north", tools.GREEN),
        ("west", tools.PURPLE),
    ):
        load.plot(r.t, r[f"ground-{name}.force.normal"], color=color, linewidth=1, label=name)
    tools.title(load, "force of the ground on each ball [N], spring and damper")
    picture.save("falling-cross")


def drive_line(tools: Any) -> None:
    r, picture, (speed, torque) = tools.example("drive-line", 0.5, 2, yaw=-0.9, pitch=0.3)
    for name, color in (("motor", tools.ORANGE), ("flywheel", tools.BLUE), ("fan", tools.GREEN)):
        speed.plot(r.t, r[f"{name}.w"], color=color, linewidth=1, label=name)
    tools.title(speed, "speed [rad/s]", "")
    torque.plot(r.t, r["shaft.torque"], color=tools.BLUE, linewidth=0.8)
    tools.title(torque, "torque in the shaft to the fan [N m]")
    picture.save("drive-line")


def stabilisation(tools: Any) -> None:
    """Residuals over time on the four-bar with RK4 and 5 ms (after Bai, example 4)."""
    choices = {
        "none": (ww.NoStabilisation(), tools.RED, "-"),
        "Baumgarte, $\\alpha = \\beta = 1$": (ww.Baumgarte(alpha=1, beta=1), tools.BLUE, "-"),
        "5": (ww.Baumgarte(alpha=5, beta=5), tools.TEAL, "-"),
        "10": (ww.Baumgarte(alpha=10, beta=10), tools.GREEN, "-"),
        "20": (ww.Baumgarte(alpha=20, beta=20), tools.COLORS[6], "-"),
        "augmented Lagrangian": (ww.AugmentedLagrangian(), tools.PURPLE, ":"),
        "projection": (ww.Projection(), tools.INK, "-"),
    }
    wide = tools.Wide(4)
    panel = wide.panel((0.08, 0.13, 0.66, 0.79))
    for name, (choice, color, line) in choices.items():
        r = tools.model("four-bar").simulate(
            end=10, output=1000, method="rk4", step=5e-3, stabilisation=choice
        )
        residual = np.maximum(r["constraints.position"].to_numpy(), 1e-17)
        panel.semilogy(
            r.t,
            residual,
            line,
            color=color,
            linewidth=1.8 if line == ":" else 1.1,
            label=name,
            zorder=4 if line == ":" else 3,
        )
    panel.set_ylim(1e-17, 1e-3)
    tools.title(panel, "rms residual of the four-bar's constraints")
    wide.save("stabilisation", frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.01, 0.5))


def unbalanced_rotor(tools: Any) -> None:
    r, picture, (way, load) = tools.example("unbalanced-rotor", 0.8, 2, yaw=-1.05, pitch=0.42)
    speed = r["lower.speed"].to_numpy()
    part = r.t <= 1.3
    way.plot(speed[part], r["lower.deflection.radial"].to_numpy()[part] * 1e6, color=tools.BLUE)
    way.axvline(np.sqrt(2 * 5e5 / 12), color=tools.FAINT, linewidth=1.2, label="critical speed")
    tools.title(way, "whirl of the axis [um] over speed", "")
    load.plot(speed[part], r["lower.force.radial"].to_numpy()[part], color=tools.ORANGE, label="radial, each")
    load.set_ylim(-6, 190)
    load.plot(speed[part], r["lower.force.axial"].to_numpy()[part], color=tools.GREEN, label="axial, lower")
    tools.title(load, "load of the bearings [N]", "speed [rad/s]")
    picture.save("unbalanced-rotor")
