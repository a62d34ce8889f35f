"""Pictures of drives that shift, slip and are controlled."""

from __future__ import annotations

from typing import Any

import numpy as np


def hoist(tools: Any) -> None:
    r, picture, (height, speed, torque) = tools.example("hoist", 0.6, 3, height=4.8, yaw=2.35, pitch=0.3)
    height.plot(r.t, r["guide.displacement"], color=tools.PURPLE)
    height.axhline(0.8, color=tools.FAINT, linestyle=":")
    tools.title(height, "height of the load [m]; dotted: the buffer", "")
    for name, color in (("motor", tools.BLUE), ("pinion", tools.ORANGE)):
        speed.plot(r.t, r[f"{name}-bearing.w"], color=color, label=name)
    tools.title(speed, "speed before and behind the slipping clutch [rad/s]", "")
    for name, color in (("windings", tools.BLUE), ("slipping-clutch", tools.ORANGE), ("brake", tools.RED)):
        label = name.replace("windings", "motor").replace("-", " ")
        torque.plot(r.t, r[f"{name}.torque"], color=color, label=label, linewidth=1.2)
    torque.set_ylim(-230, 420)
    torque.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=3, loc="upper center")
    tools.title(torque, "torques [N m]")
    picture.save("hoist")


def gearbox_shift(tools: Any) -> None:
    r, picture, (speed, wheels, torque) = tools.example(
        "gearbox-shift", 0.2, 3, height=4.8, yaw=-0.6, pitch=0.3
    )
    for name, label, color in (
        ("crankshaft", "engine", tools.BLUE),
        ("input-bearing", "input shaft", tools.ORANGE),
        ("main-bearing", "main shaft", tools.PURPLE),
    ):
        speed.plot(r.t, r[f"{name}.w"], color=color, label=label, linewidth=1.4)
    speed.set_ylim(30, 200)
    tools.title(speed, "speeds [rad/s]", "")
    for k, name, color in ((1, "first", tools.RED), (2, "second", tools.TEAL), (3, "third", tools.GREEN)):
        wheels.plot(r.t, r[f"loose-{k}.w"], color=color, label=name, linewidth=1.4)
    wheels.set_ylim(-45, 105)
    tools.title(wheels, "speed of the loose wheels against the main shaft [rad/s]", "")
    for name, color in (("clutch", tools.BLUE), ("synchroniser", tools.GREEN), ("counter-brake", tools.RED)):
        torque.plot(r.t, abs(r[f"{name}.torque"]), color=color, label=name.replace("-", " "), linewidth=1.2)
    torque.set_ylim(0, 1450)
    tools.title(torque, "torques [N m]")
    for panel in picture.panels:
        panel.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=3, loc="upper right")
    picture.save("gearbox-shift")


def servo_table(tools: Any) -> None:
    r, picture, (angle, speed, limit) = tools.example("servo-table", 0.1, 3, height=4.8, yaw=-1.0, pitch=0.3)
    angle.plot(r.t, np.degrees(r["table-bearing.angle"]), color=tools.ORANGE)
    tools.title(angle, "angle of the table [deg]; a tool presses on it from 0.6 s on", "")
    speed.plot(r.t, r["demand"], color=tools.GREEN, label="wanted")
    speed.plot(r.t, r["table-bearing.w"], color=tools.ORANGE, label="table")
    tools.title(speed, "speed [rad/s]", "")
    alone = tools.model("servo-table").with_parameters(kv=0, ki=0, kick=1, load=0)
    for part, color in ((1.05, tools.RED), (1.0, tools.BLUE), (0.95, tools.GREEN)):
        kicked = alone.with_parameters(kp=1.4813 * part).simulate(end=0.12, output=1200)
        limit.plot(kicked.t, kicked["motor-bearing.w"], color=color, label=f"{part:g}", linewidth=1)
    limit.set_ylim(-4, 6)
    limit.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=3, loc="upper left")
    tools.title(limit, "motor after a kick [rad/s], by gain over its limit")
    picture.save("servo-table")


def flexible_coupling(tools: Any) -> None:
    r, picture, (windup, torque) = tools.example("flexible-coupling", 0.1, 2, height=4.2, yaw=-1.0, pitch=0.3)
    angle = -1e3 * r["coupling.angle"]
    windup.plot(r.t, angle, color=tools.BLUE, linewidth=1.2)
    for level in (-50, 50, 120):
        windup.axhline(level, color=tools.FAINT, linestyle=":" if level < 120 else "-", linewidth=0.8)
    windup.set_xlim(0.25, 1.2)
    tools.title(windup, "windup [mrad]; dotted: hard stage, line: stop", "time [s]")
    torque.plot(angle, r["rubber.torque"], color=tools.ORANGE, linewidth=0.8)
    tools.title(torque, "torque [N m] over windup", "windup [mrad]")
    picture.save("flexible-coupling")


def cvt_bench(tools: Any) -> None:
    r, picture, (speed, gear, torque) = tools.example("cvt-bench", 0.0, 3, height=4.8, yaw=0.15, pitch=0.75)
    for name, color in (("engine", tools.BLUE), ("left", tools.RED), ("right", tools.TEAL)):
        speed.plot(r.t, r[f"{name}.w"], color=color, label=name, linewidth=1.4)
    speed.set_ylim(0, 480)
    tools.title(speed, "speed of engine and wheels [rad/s]", "")
    gear.plot(r.t, r["gear"], color=tools.ORANGE)
    tools.title(gear, "ratio of the CVT", "time [s]")
    tip = (r.t > 0.45) & (r.t < 0.75)
    torque.plot(r.t[tip], r["spline.torque"][tip], color=tools.GREEN)
    tools.title(torque, "torque of the spline when the throttle opens [N m]")
    speed.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=3, loc="upper right")
    picture.save("cvt-bench")


def belt_drive(tools: Any) -> None:
    r, picture, (speed, pull, slip) = tools.example("belt-drive", 0.0, 3, height=4.8, yaw=-1.2, pitch=0.5)
    for name, size, color in (("motor", 0.06, tools.BLUE), ("drum", 0.15, tools.ORANGE)):
        speed.plot(r.t, size * r[f"{name}.w"], color=color, label=name)
    tools.title(speed, "speed of the rims [m/s]", "")
    for name, color in (("tight", tools.RED), ("slack", tools.GREEN)):
        pull.plot(r.t, r[f"belt.force.{name}"], color=color, label=name)
    tools.title(pull, "pull in the strands [N]", "")
    slip.plot(r.t, r["belt.slip"], color=tools.PURPLE)
    tools.title(slip, "speed of creep and slip [m/s]")
    picture.save("belt-drive")


def trailer(tools: Any) -> None:
    r = tools.result("trailer")
    picture = tools.Picture(2, height=4.2)
    plan = picture.panel((0.05, 0.1, 0.46, 0.82))
    plan.set_aspect("equal")
    for name, color in (("car", tools.BLUE), ("trailer", tools.GREEN)):
        plan.plot(r[f"{name}.position.x"], r[f"{name}.position.y"], color=color, linewidth=0.8, label=name)
    for t in (0, 3.5, 6, 8.5, 11, 16, 22):
        k = int(np.searchsorted(r.t, t - 1e-9))
        for name, color, back, front in (("car", tools.BLUE, -0.8, 3.2), ("trailer", tools.GREEN, -1.4, 2.0)):
            at, turn = r[f"{name}.position"].values[k][:2], float(r[f"{name}.angle"][k])
            box = np.array([[back, -0.85], [front, -0.85], [front, 0.85], [back, 0.85]])
            c, s = np.cos(turn), np.sin(turn)
            plan.fill(*(at + box @ np.array([[c, s], [-s, c]])).T, color=color, alpha=0.25 if t < 22 else 0.7)
    tools.title(plan, "paths of the axles [m], and where both are at seven times", "")
    angle, way = picture.panels
    angle.plot(r.t, np.degrees(r["hitch.angle"]), color=tools.ORANGE)
    tools.title(angle, "angle at the hitch [deg]", "")
    way.plot(r.t, r["speed"], color=tools.BLUE)
    tools.title(way, "speed of the car [m/s]")
    picture.save("trailer")


def controlled_arm(tools: Any) -> None:
    r, picture, (angle, behind, torque) = tools.example(
        "controlled-arm", 0.25, 3, height=4.8, yaw=-1.4, pitch=0.2
    )
    angle.plot(r.t, np.degrees(-r["reference"] / 5), color=tools.FAINT, linestyle="--", label="wanted")
    angle.plot(r.t, np.degrees(r["shoulder.angle"]), color=tools.ORANGE, label="arm")
    tools.title(angle, "angle of the arm [deg]", "")
    behind.plot(r.t, 1e3 * (r["shoulder.angle"] + r["motor.angle"] / 5), color=tools.PURPLE, linewidth=1)
    tools.title(behind, "arm ahead of the motor, over the ratio [mrad]: play", "")
    torque.plot(r.t, r["current"], color=tools.BLUE, linewidth=1.2)
    tools.title(torque, "torque of the motor [N m]")
    picture.save("controlled-arm")


def turntable(tools: Any) -> None:
    r, picture, (path,) = tools.example("turntable", 1.0, 1, height=3.8, yaw=-0.9, pitch=0.5)
    path.set_aspect("equal")
    path.plot(r["ball.position.x"], r["ball.position.y"], color=tools.ORANGE)
    path.plot(
        [0, 0], [0.3, 0.3 - 2.5 * 9.80665 * np.sin(np.radians(1)) / 7 * r.t[-1]], "--", color=tools.FAINT
    )
    path.margins(0.05)
    tools.title(path, "path of the ball, down is left", "x [m]")
    picture.save("turntable")
