"""Make the pictures of the example pages: `python docs/examples/make_pictures.py [NAME ...]`.

Each picture shows the mechanism on the left and what its page talks about on the right.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import wheelwork as ww
from wheelwork import examples
from wheelwork.report.picture import draw_mechanism
from wheelwork.scene import COLORS

FOLDER = Path(__file__).parents[1] / "_static" / "examples"
INK, FAINT = "#39414d", "#a9afb8"
BLUE, ORANGE, GREEN, PURPLE, RED, TEAL = COLORS[:6]


def model(name: str) -> ww.Mechanism:
    return ww.load(examples.path(name))


class Picture:
    """A wide figure: a mechanism, then panels one above the other."""

    def __init__(self, panels: int, split: float = 0.52, height: float = 3.6):
        self.figure = Figure(figsize=(9.5, height), dpi=130, facecolor="white")
        self.split = split
        gap = 0.14
        tall = (1 - 0.13 - 0.09 - gap * (panels - 1)) / panels
        left = split + 0.07
        self.panels = [
            self.figure.add_axes((left, 0.13 + (panels - 1 - k) * (tall + gap), 0.985 - left, tall))
            for k in range(panels)
        ]
        for panel in self.panels:
            style(panel)

    def mechanism(self, result: Any, t: float, yaw: float = -1.05, pitch: float = 0.36) -> Any:
        axes = self.figure.add_axes((0, 0, self.split, 1))
        draw_mechanism(axes, result, t, yaw, pitch)
        return axes

    def save(self, name: str) -> None:
        for panel in self.panels:
            if panel.get_legend_handles_labels()[1] and panel.get_legend() is None:
                panel.legend(fontsize=7.5, labelcolor=INK, framealpha=0.85, edgecolor="none")
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.figure.savefig(FOLDER / f"{name}.png", metadata={"Software": None})


def style(axis: Any) -> None:
    axis.tick_params(labelsize=7.5, colors=FAINT, labelcolor=INK)
    axis.spines[:].set_color(FAINT)
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(True, color=FAINT, linewidth=0.5, alpha=0.35)
    axis.margins(x=0)


def title(axis: Any, text: str, below: str = "time [s]") -> None:
    axis.set_title(text, fontsize=9, color=INK)
    axis.set_xlabel(below, fontsize=8, color=INK)


# -- one function a picture


def pendulum() -> None:
    r = model("pendulum").run()
    picture = Picture(2)
    picture.mechanism(r, 0.25, yaw=-1.3, pitch=0.2)
    angle, force = picture.panels
    part = r.t <= 5
    angle.plot(r.t[part], np.degrees(r["hinge.angle"])[part], color=BLUE)
    title(angle, "angle below level [deg]", "")
    size = np.linalg.norm(r["hinge.reaction.force"], axis=1) / 9.80665
    force.plot(r.t[part], size[part], color=ORANGE)
    title(force, "force on the hinge, in weights")
    picture.save("pendulum")


def double_pendulum() -> None:
    m = model("double-pendulum")
    r = m.run()
    near = m.with_parameters(lower_length="0.7001 m").run()
    picture = Picture(1)
    picture.mechanism(r, 0.75, yaw=-1.4, pitch=0.15)
    (panel,) = picture.panels
    panel.plot(r.t, r["elbow.angle"], color=BLUE, label="lower rod 0.7 m")
    panel.plot(near.t, near["elbow.angle"], color=ORANGE, linewidth=1, label="0.1 mm longer")
    title(panel, "angle of the elbow [rad]")
    picture.save("double-pendulum")


def spinning_top() -> None:
    m = model("spinning-top")
    steady, cusps = m.run(), m.with_parameters(kick=0).run()
    picture = Picture(1, split=0.5)
    picture.mechanism(steady, 0.0, yaw=-1.2, pitch=0.3)
    (panel,) = picture.panels
    for r, color, label in (
        (steady, BLUE, "steady precession"),
        (cusps, ORANGE, "let go with its axis at rest"),
    ):
        x, y = (r[f"top.position.{c}"].to_numpy()[:900] * 1000 for c in "xy")
        panel.plot(x, y, color=color, linewidth=1.2, label=label)
    panel.set_aspect("equal")
    panel.margins(0.05)
    panel.legend(frameon=False, fontsize=7.5, labelcolor=INK, loc="center")
    title(panel, "path of the disc's middle from above [mm]", "")
    picture.save("spinning-top")


def four_bar() -> None:
    r = model("four-bar").run()
    picture = Picture(2)
    picture.mechanism(r, 0.6, yaw=-1.25, pitch=0.25)
    angle, energy = picture.panels
    angle.plot(r.t, np.degrees(r["crank-bearing.angle"]), color=BLUE, label="crank")
    angle.plot(r.t, np.degrees(r["rocker-bearing.angle"]), color=ORANGE, label="rocker")
    title(angle, "angle turned [deg]", "")
    for name, color in (("kinetic", BLUE), ("potential", ORANGE), ("total", GREEN)):
        energy.plot(r.t, r[f"energy.{name}"], color=color, linewidth=1, label=name)
    title(energy, "energy [J]")
    picture.save("four-bar")


def slider_crank() -> None:
    r = model("slider-crank").run()
    picture = Picture(2)
    picture.mechanism(r, 0.12, yaw=-0.9, pitch=0.35)
    way, torque = picture.panels
    way.plot(r.t, r["slider.position.x"] * 1000, color=BLUE)
    title(way, "slider [mm]", "")
    torque.plot(r.t, r["motor.torque"], color=ORANGE)
    title(torque, "torque of the drive [N m]")
    picture.save("slider-crank")


def bricard() -> None:
    r = model("bricard").run()
    picture = Picture(1)
    picture.mechanism(r, 0.45, yaw=-0.6, pitch=0.3)
    (panel,) = picture.panels
    panel.plot(r.t, np.degrees(r["hinge1.angle"]), color=BLUE, label="hinges 1, 3, 5")
    panel.plot(r.t, np.degrees(r["hinge2.angle"]), color=ORANGE, label="hinges 2, 4, 6")
    title(panel, "angle turned [deg]")
    picture.save("bricard")


def n_four_bar() -> None:
    r = model("n-four-bar").run()
    picture = Picture(2)
    picture.mechanism(r, 0.6, yaw=-1.25, pitch=0.25)
    top, drift = picture.panels
    top.plot(r.t, 2 * r["link0.position.x"], color=BLUE, label="x")
    top.plot(r.t, 2 * r["link0.position.y"], color=ORANGE, label="y")
    title(top, "top of the first link [m]", "")
    energy = r["energy.total"].to_numpy()
    drift.plot(r.t, (energy - energy[0]) * 1e6, color=GREEN)
    angle = r["A0.angle"].to_numpy()
    for k in np.flatnonzero(np.diff(np.floor(angle / np.pi - 0.5))):
        drift.axvline(r.t[k], color=FAINT, linewidth=0.8, linestyle=":")
    title(drift, "drift of energy [µJ]; dotted: flat positions")
    picture.save("n-four-bar")


def weld() -> None:
    r = model("weld").run()
    picture = Picture(1)
    picture.mechanism(r, 0.25, yaw=-0.9, pitch=0.3)
    (panel,) = picture.panels
    part = r.t <= 2
    for name, color, line in (("side", BLUE, "-"), ("ledge", ORANGE, "--")):
        torque = r.reaction(name, body="a", frame="body").torque.sel(component="x")
        panel.plot(r.t[part], torque[part], line, color=color, label=f"from `{name}`")
    title(panel, "torque about the arm's length on the arm [N m]")
    picture.save("weld")


def stick_slip() -> None:
    r = model("stick-slip").run()
    picture = Picture(2)
    picture.mechanism(r, 0.4, yaw=-1.15, pitch=0.3)
    way, force = picture.panels
    part = r.t <= 4
    way.plot(r.t[part], r["block.position.x"][part] * 1000, color=BLUE)
    title(way, "block [mm]", "")
    force.plot(r.t[part], r["rubbing.force"][part], color=ORANGE)
    title(force, "friction on the block [N]")
    picture.save("stick-slip")


def bouncing_ball() -> None:
    r = model("bouncing-ball").run()
    picture = Picture(2, split=0)
    height, energy = picture.panels
    height.plot(r.t, r["ball.position.z"], color=BLUE)
    title(height, "height of the middle [m]", "")
    energy.plot(r.t, r["energy.total"] - 0.5 * 9.80665 * 0.05, color=GREEN)
    title(energy, "energy above that at rest [J]")
    picture.save("bouncing-ball")


def falling_cross() -> None:
    r = model("falling-cross").run()
    rigid = model("falling-cross-rigid").run()
    picture = Picture(2)
    picture.mechanism(r, 0.55, yaw=-1.2, pitch=0.2)
    height, load = picture.panels
    height.plot(r.t, r["hub.position.z"], color=BLUE, label="spring and damper")
    height.plot(rigid.t, rigid["hub.position.z"], color=ORANGE, label="restitution 0.6")
    title(height, "height of the hub [m]", "")
    for name, color in (("south", BLUE), ("east", ORANGE), ("north", GREEN), ("west", PURPLE)):
        load.plot(r.t, r[f"ground-{name}.force.normal"], color=color, linewidth=1, label=name)
    title(load, "force of the ground on each ball [N], spring and damper")
    picture.save("falling-cross")


def drive_line() -> None:
    r = model("drive-line").run()
    picture = Picture(2)
    picture.mechanism(r, 0.5, yaw=-0.9, pitch=0.3)
    speed, torque = picture.panels
    for name, color in (("motor", ORANGE), ("flywheel", BLUE), ("fan", GREEN)):
        speed.plot(r.t, r[f"{name}.w"], color=color, linewidth=1, label=name)
    title(speed, "speed [rad/s]", "")
    torque.plot(r.t, r["shaft.torque"], color=BLUE, linewidth=0.8)
    title(torque, "torque in the shaft to the fan [N m]")
    picture.save("drive-line")


def delta_robot() -> None:
    r = model("delta-robot").run()
    picture = Picture(1)
    picture.mechanism(r, 0.1, yaw=-0.8, pitch=0.3)
    (panel,) = picture.panels
    for k, color in ((1, BLUE), (2, ORANGE), (3, GREEN)):
        panel.plot(r.t, r[f"arm{k}.motor.torque"], color=color, label=f"arm {k}")
    title(panel, "torque of the motors [N m]")
    picture.save("delta-robot")


def bevel_wrist() -> None:
    m = model("bevel-wrist")
    r = m.run()
    picture = Picture(2)
    picture.mechanism(r, 0.0, yaw=-1.0, pitch=0.3)
    angle, torque = picture.panels
    for name, color in (("z1", BLUE), ("z2", ORANGE), ("z3", GREEN)):
        angle.plot(r.t, r[f"{name}.angle"], color=color, label=name)
    title(angle, "angles of the wrist [rad]", "")
    part = r.t <= 0.5
    for name, color in (("5", BLUE), ("6", ORANGE), ("8", GREEN)):
        torque.plot(r.t[part], r[f"drive{name}.torque"][part], color=color, linewidth=1, label=f"link {name}")
    title(torque, "torques of the motors [N m]")
    picture.save("bevel-wrist")
    m.gear_train().plot(output="link4").savefig(FOLDER / "bevel-wrist-graph.png")


def stabilisation() -> None:
    """Residuals over time on the four-bar with RK4 and 5 ms (after Bai, example 4)."""
    choices = {
        "none": (ww.NoStabilisation(), RED, "-"),
        "Baumgarte, $\\alpha = \\beta = 1$": (ww.Baumgarte(alpha=1, beta=1), BLUE, "-"),
        "5": (ww.Baumgarte(alpha=5, beta=5), TEAL, "-"),
        "10": (ww.Baumgarte(alpha=10, beta=10), GREEN, "-"),
        "20": (ww.Baumgarte(alpha=20, beta=20), COLORS[6], "-"),
        "augmented Lagrangian": (ww.AugmentedLagrangian(), PURPLE, ":"),
        "projection": (ww.Projection(), INK, "-"),
    }
    figure = Figure(figsize=(9.5, 4), dpi=130, facecolor="white")
    panel = figure.add_axes((0.08, 0.13, 0.66, 0.79))
    style(panel)
    for name, (choice, color, line) in choices.items():
        r = model("four-bar").simulate(end=10, output=1000, method="rk4", step=5e-3, stabilisation=choice)
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
    title(panel, "rms residual of the four-bar's constraints")
    panel.legend(frameon=False, fontsize=8, labelcolor=INK, loc="center left", bbox_to_anchor=(1.01, 0.5))
    FOLDER.mkdir(parents=True, exist_ok=True)
    figure.savefig(FOLDER / "stabilisation.png", metadata={"Software": None})


PICTURES: list[Callable[[], None]] = [
    pendulum, double_pendulum, spinning_top, four_bar, slider_crank, bricard, n_four_bar, weld, stick_slip,
    bouncing_ball, falling_cross, drive_line, delta_robot, bevel_wrist, stabilisation,
]  # fmt: skip

if __name__ == "__main__":
    import contact_pictures
    import gear_pictures
    import gearbox_pictures
    import planar_pictures
    import plane_drawings
    import reducer_pictures
    import train_pictures

    wanted = {name.replace("-", "_") for name in sys.argv[1:]}
    for draw in PICTURES:
        if not wanted or draw.__name__ in wanted:
            draw()
    modules = (
        planar_pictures, plane_drawings, gear_pictures, gearbox_pictures, reducer_pictures, train_pictures,
        contact_pictures,
    )  # fmt: skip
    for others in modules:
        for draw_other in others.PICTURES:
            if not wanted or draw_other.__name__ in wanted:
                draw_other(sys.modules[__name__])
