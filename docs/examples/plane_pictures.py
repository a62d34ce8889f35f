"""Pictures of planar examples with gears, cams and slots, drawn flat."""

from __future__ import annotations

from typing import Any

import numpy as np


class Drawing:
    """The plane on the left of a picture."""

    def __init__(self, tools: Any, picture: Any):
        self.tools = tools
        self.axes = picture.figure.add_axes((0.01, 0.04, picture.split - 0.02, 0.92))
        self.axes.set_aspect("equal", adjustable="datalim")
        self.axes.set_axis_off()

    def area(self, points: np.ndarray, color: str, alpha: float = 0.3, **style: Any) -> None:
        self.axes.fill(*points.T, facecolor=color, alpha=alpha, linewidth=0, **style)
        closed = np.vstack([points, points[:1]])
        self.axes.plot(*closed.T, color=color, linewidth=1.1, **style)

    def line(self, points: Any, color: str, width: float = 4, **style: Any) -> None:
        self.axes.plot(*np.array(points).T, color=color, linewidth=width, solid_capstyle="round", **style)

    def pin(self, point: Any, ground: bool = False) -> None:
        ink = self.tools.INK
        self.axes.plot(*point, marker="o", color="white", markersize=5, zorder=6, markeredgecolor=ink)
        if ground:
            self.axes.plot(*point, marker=6, color=self.tools.FAINT, markersize=12, zorder=1)

    def wheel(
        self, centre: Any, radius: float, teeth: int, angle: float, color: str, inside: bool = False
    ) -> None:
        """Teeth as a drawing has them, and a mark that turns with the wheel."""
        points = np.asarray(centre) + outline(radius, teeth, angle, inside)
        if inside:
            around = np.linspace(2 * np.pi, 0, 200)
            rim = np.asarray(centre) + 1.16 * radius * np.column_stack([np.cos(around), np.sin(around)])
            both = np.vstack([points, points[:1], rim, rim[:1]])
            self.axes.fill(*both.T, facecolor=color, alpha=0.3, linewidth=0)
            for edge in (points, rim):
                self.axes.plot(*np.vstack([edge, edge[:1]]).T, color=color, linewidth=1.1)
            mark = (1.03, 1.16)
        else:
            self.area(points, color)
            mark = (0.0, 0.85)
        ray = np.array([np.cos(angle), np.sin(angle)]) * radius
        self.line([np.asarray(centre) + k * ray for k in mark], color, 1.5)


def outline(radius: float, teeth: int, angle: float, inside: bool = False) -> np.ndarray:
    """A wheel with trapezoids for teeth; there is a gap at `angle`, or in a ring a tooth."""
    depth = 2.0 * radius / teeth  # one module
    s = (np.arange(teeth)[:, None] + np.array([0.12, 0.35, 0.65, 0.88])) / teeth * 2 * np.pi + angle
    high = depth * np.array([-1.1, 0.9, 0.9, -1.1]) * (-1 if not inside else 1) * -1
    r = radius + np.broadcast_to(high, s.shape)
    return np.column_stack([(r * np.cos(s)).ravel(), (r * np.sin(s)).ravel()])


def along(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def gear_set(tools: Any) -> None:
    r = tools.model("gear-set").run()
    picture = tools.Picture(1, split=0.42)
    drawing = Drawing(tools, picture)
    drawing.wheel((0, 0), 1, 20, np.pi / 6, tools.FAINT)
    for t, alpha in ((0.0, 0.35), (0.95, 0.35), (1.459, 1.0)):
        at = r.at(t)
        centre, angle = at["gear2.position"].to_numpy(), float(at["gear2.angle"])
        if alpha == 1.0:
            drawing.wheel(centre, 2, 40, angle + 7 * np.pi / 6, tools.BLUE)
        else:
            points = centre + outline(2, 40, angle + 7 * np.pi / 6)
            drawing.axes.plot(
                *np.vstack([points, points[:1]]).T, color=tools.BLUE, linewidth=0.8, alpha=alpha
            )
            drawing.line([centre, centre + 1.7 * along(angle + 7 * np.pi / 6)], tools.BLUE, 1.2, alpha=alpha)
        drawing.line([(0, 0), centre], tools.ORANGE, 3, alpha=alpha)
        drawing.pin(centre)
    drawing.pin((0, 0), ground=True)
    (panel,) = picture.panels
    panel.plot(r.t, np.degrees(r["arm.angle"]), color=tools.ORANGE, label="line of centres")
    panel.plot(r.t, np.degrees(r["gear2.angle"]), color=tools.BLUE, label="gear 2")
    bottom = float(np.interp(np.pi / 2, -r["arm.angle"].to_numpy(), r.t))
    panel.axvline(bottom, color=tools.FAINT, linewidth=0.8, linestyle=":")
    panel.plot([bottom, bottom], [-90, -180], ".", color=tools.INK)
    tools.title(panel, "angles [deg]; dotted: the line of centres points down")
    picture.save("gear-set")


def rack_and_pinion(tools: Any) -> None:
    m = tools.model("rack-and-pinion")
    r = m.run()
    picture = tools.Picture(2, split=0.5)
    drawing = Drawing(tools, picture)
    module, slope = 0.005 * 6, np.radians(30)  # teeth drawn larger than they are
    down, up = along(-slope), along(np.pi / 2 - slope)
    for t, alpha in ((0.0, 0.3), (0.75, 1.0)):
        at = r.at(t)
        cart, pinion = at["cart.position"].to_numpy(), at["pinion.position"].to_numpy()
        steps = np.arange(-1.5, 1.5, np.pi * module / 4)
        heights = np.where(np.arange(len(steps)) // 2 % 2, 0.9, -1.1) * module
        teeth = cart + steps[:, None] * down + heights[:, None] * up
        low = (cart + 1.5 * down)[1] - 0.15
        corners = [teeth[-1], (teeth[-1][0], low), (teeth[0][0], low)]
        points = np.vstack([teeth, corners])
        drawing.axes.fill(*points.T, facecolor=tools.ORANGE, alpha=0.25 * alpha, linewidth=0)
        drawing.axes.plot(*np.vstack([points, points[:1]]).T, color=tools.ORANGE, linewidth=1, alpha=alpha)
        circle = pinion + 0.08 * np.array([along(a) for a in np.linspace(0, 2 * np.pi, 80)])
        drawing.axes.fill(*circle.T, facecolor=tools.BLUE, alpha=0.6 * alpha, linewidth=0)
        drawing.line([pinion, pinion + 0.08 * along(float(at["pinion.angle"]))], "white", 1.2)
        if alpha == 1.0:
            for x in (points[:, 0].min() + 0.4, points[:, 0].max() - 0.4):
                drawing.axes.plot(x, low - 0.06, marker="o", color=tools.INK, markersize=7)
    drawing.line([(-1.9, -1.02), (1.5, -1.02)], tools.FAINT, 1.5)
    way, turned = picture.panels
    way.plot(r.t, r["cart.position.x"], color=tools.ORANGE, label="cart")
    way.plot(r.t, r["pinion.position.x"] - float(r["pinion.position.x"][0]), color=tools.BLUE, label="pinion")
    tools.title(way, "way to the right [m]", "")
    turned.plot(r.t, r["pinion.angle"], color=tools.BLUE)
    tools.title(turned, "angle of the pinion [rad]")
    picture.save("rack-and-pinion")


def cam_follower(tools: Any) -> None:
    m = tools.model("cam-follower")
    r = m.run()
    picture = tools.Picture(2, split=0.4)
    drawing = Drawing(tools, picture)
    at = r.at(0.0088)
    s = np.linspace(0, 2 * np.pi, 300)
    h, slope = 18 + 9 * np.cos(s / 2) ** 8, -36 * np.cos(s / 2) ** 7 * np.sin(s / 2)
    angle = float(at["cam.angle"])
    tangents = zip(h, slope, s + angle, strict=True)
    points = np.array([k * along(a) + d * along(a + np.pi / 2) for k, d, a in tangents])
    drawing.area(points, tools.BLUE)
    y = float(at["valve.position.y"]) * 1000
    half = [(14, 0), (14, 3), (3, 3), (3, 42)]  # of the follower, from the middle of its face
    follower = [*half, *((-x, z) for x, z in reversed(half))]
    drawing.area(np.array(follower) + np.array((0, y)), tools.ORANGE)
    coils = np.linspace(y + 3, 72, 13)
    drawing.line([(7 * (-1) ** k, c) for k, c in enumerate(coils)], tools.FAINT, 1.5)
    for side in (-1, 1):
        drawing.line([(4 * side, 45), (4 * side, 62)], tools.INK, 2)
        drawing.line([(4 * side, 72), (12 * side, 72)], tools.INK, 2)
    drawing.pin(at["contact.contact.position"].to_numpy() * 1000)
    drawing.pin((0, 0), ground=True)
    drawing.axes.set_ylim(-30, 76)
    lift, force = picture.panels
    turn = np.degrees(r["bearing.angle"].to_numpy())
    once = turn <= 360.0
    lift.plot(turn[once], (r["valve.position.y"][once] - 0.018) * 1000, color=tools.ORANGE)
    tools.title(lift, "lift [mm]", "")
    for speed, color in ((300, tools.BLUE), (450, tools.GREEN), (540, tools.RED)):
        run = m.run(parameters={"speed": float(speed)})
        force.plot(turn[once], run["contact.force.normal"][once], color=color, label=f"{speed} rad/s")
    force.axhline(0, color=tools.INK, linewidth=0.8)
    tools.title(force, "force of the cam on the follower [N]", "camshaft [deg]")
    picture.save("cam-follower")


def geneva(tools: Any) -> None:
    r = tools.model("geneva").run()
    picture = tools.Picture(2, split=0.46)
    drawing = Drawing(tools, picture)
    at = r.at(0.05)
    a, d = 50.0, 50 * np.sqrt(2)
    angle = float(at["wheel.angle"])
    edge = []
    for k in range(4):  # a slot, then the hollow in which the crank's disc holds the wheel at rest
        slot = angle + k * np.pi / 2
        out, side = along(slot), along(slot + np.pi / 2)
        edge += [a * out - 4 * side, 18 * out - 4 * side, 18 * out + 4 * side, a * out + 4 * side]
        hollow = along(slot + np.pi / 4)
        # a circle of 37 mm about the crank's axis, which stood there
        for turn in np.linspace(0.55, -0.55, 15):
            edge.append(d * hollow + 37 * along(slot + np.pi / 4 + np.pi + turn))
    drawing.area(np.array(edge) + np.array((d, 0)), tools.ORANGE)
    phi = float(at["crank.angle"])
    locked = [37 * along(phi + u) for u in np.linspace(0.95, 2 * np.pi - 0.95, 60)]
    drawing.area(np.array([(0, 0), *locked]), tools.BLUE)
    drawing.line([(0, 0), a * along(phi)], tools.BLUE, 6)
    drawing.pin(a * along(phi))
    drawing.pin((0, 0), ground=True)
    drawing.pin((d, 0), ground=True)
    speed, torque = picture.panels
    turn = np.degrees(r["crank.angle"].to_numpy())
    speed.plot(turn, -r["wheel.w"] / 10, color=tools.ORANGE)
    tools.title(speed, "speed of the wheel over that of the crank", "")
    torque.plot(turn, r["motor.torque"], color=tools.BLUE)
    tools.title(torque, "torque of the motor [N m]", "crank from the line of centres [deg]")
    picture.save("geneva")


def planetary(tools: Any) -> None:
    r = tools.model("planetary").run()
    picture = tools.Picture(2, split=0.42)
    drawing = Drawing(tools, picture)
    at = r.at(0.35)
    centre = at["planet.position"].to_numpy()
    c = float(at["carrier.angle"])
    drawing.wheel((0, 0), 3, 60, float(at["ring.angle"]), tools.GREEN, inside=True)
    drawing.wheel((0, 0), 1, 20, float(at["sun.angle"]), tools.ORANGE)
    drawing.wheel(centre, 1, 20, float(at["planet.angle"]) + np.pi + np.pi / 20, tools.BLUE)
    drawing.line([(0, 0), 2 * along(c)], tools.INK, 3)
    drawing.pin((0, 0), ground=True)
    drawing.pin(centre)
    angle, force = picture.panels
    colors = {"sun": tools.ORANGE, "planet": tools.BLUE, "ring": tools.GREEN, "carrier": tools.INK}
    for name, color in colors.items():
        angle.plot(r.t, r[f"{name}.angle"], color=color, linewidth=1, label=name)
    angle.set_xlim(0, 13)
    tools.title(angle, "angles [rad]", "")
    force.plot(r.t, r["sun-planet.force.tangential"], color=tools.ORANGE, linewidth=1, label="sun and planet")
    force.plot(
        r.t, r["planet-ring.force.tangential"], color=tools.GREEN, linewidth=1, label="planet and ring"
    )
    force.set_xlim(0, 13)
    tools.title(force, "tooth forces [N]")
    picture.save("planetary")


def squeezer(tools: Any) -> None:
    r = tools.model("squeezer").run()
    picture = tools.Picture(2, split=0.5)
    drawing = Drawing(tools, picture)
    at = r.at(0.0)
    p = r.motion.numbers.parameters
    colors = (tools.BLUE, tools.ORANGE, tools.GREEN, tools.PURPLE, tools.RED, tools.TEAL, "#9a7512")
    point = {name: np.array([p[f"x{name.lower()}"], p[f"y{name.lower()}"]]) for name in "ABCEFGH"}
    point["O"] = np.zeros(2)
    middle = {k: at[f"K{k}.position"].to_numpy() for k in range(1, 8)}
    end = point["B"] + p["sd"] * along(p["gamma"]) + p["sc"] * along(p["gamma"] - np.pi / 2)
    shapes = {
        3: [point["B"], point["E"], end],
        5: [point["A"], point["G"], middle[5]],
        7: [point["A"], point["H"], middle[7]],
    }
    bars = {1: "OF", 2: "FE", 4: "EG", 6: "EH"}
    for k, corners in shapes.items():
        drawing.area(np.array(corners), colors[k - 1])
    for k, (a, b) in bars.items():
        drawing.line([point[a], point[b]], colors[k - 1], 5)
    coils = np.linspace(0, 1, 25)[:, None]
    axis = (end - point["C"]) / np.linalg.norm(end - point["C"])
    across = np.array([-axis[1], axis[0]]) * 0.002 * np.where(np.arange(25) % 2, 1, -1)[:, None]
    across[[0, -1]] = 0
    drawing.line(point["C"] + coils * (end - point["C"]) + across, tools.FAINT, 1.2)
    for name, xy in point.items():
        drawing.pin(xy, ground=name in "OABC")
        drawing.axes.annotate(name, xy, (7, 5), textcoords="offset points", fontsize=9, color=tools.INK)
    drawing.axes.margins(0.08)
    crank, force = picture.panels
    time = r.t * 1000
    crank.plot(time, r["K1.angle"] / (2 * np.pi), color=tools.BLUE)
    tools.title(crank, "turns of the crank", "")
    for name, color in (("E3", tools.GREEN), ("E4", tools.PURPLE), ("E6", tools.TEAL)):
        size = np.linalg.norm(r[f"{name}.reaction.force"], axis=1)
        force.plot(time, size, color=color, linewidth=1, label=f"on K{name[1]}")
    tools.title(force, "forces in E [N]", "time [ms]")
    picture.save("squeezer")
