"""Make the pictures of the pages about gears: `python docs/make_gear_pictures.py [NAME ...]`.

The finite elements that judge the methods for stiffness are those of the tests (tests/gears/plane_elements.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import pi, radians
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.gears.plane_elements import ToothModel
from wheelwork.gears import Gear, GearPair, RackPair, half_tooth
from wheelwork.gears.outline import cartesian
from wheelwork.gears.stiffness import (
    STEEL,
    BeamSlices,
    EnergyMethod,
    FlankPosition,
    Iso6336,
    RunOut,
    TipRelief,
    contact,
    static_transmission_error,
)
from wheelwork.gears.stiffness.tooth import loads_at
from wheelwork.gears.tools import RackTool
from wheelwork.report.gear_picture import FAINT, INK, draw_contact
from wheelwork.scene import COLORS

FOLDER = Path(__file__).parent / "_static" / "gears"
BLUE, ORANGE, GREEN, PURPLE, RED, TEAL = COLORS[:6]
PAIR = GearPair.of((30, 60), 3e-3, face_width=30e-3)
RING = GearPair.of((30, 90), 3e-3, internal=True, tip_alteration=(0.0, -0.3), face_width=30e-3)
BORE = 3.0  # root circle over bore


def figure(columns: int, width: float = 9.5, height: float = 3.6, **more: Any) -> tuple[Figure, Any]:
    made = Figure(figsize=(width, height), dpi=130, facecolor="white", layout="constrained")
    return made, made.subplots(1, columns, squeeze=False, **more)[0]


def style(axis: Any, title: str, x: str = "", y: str = "") -> None:
    axis.tick_params(labelsize=7.5, colors=FAINT, labelcolor=INK)
    axis.spines[:].set_color(FAINT)
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(True, color=FAINT, linewidth=0.5, alpha=0.35)
    axis.set_title(title, fontsize=9, color=INK)
    axis.set_xlabel(x, fontsize=8, color=INK)
    axis.set_ylabel(y, fontsize=8, color=INK)
    if axis.get_legend_handles_labels()[1]:
        axis.legend(fontsize=7, labelcolor=INK, framealpha=0.85, edgecolor="none")


def save(made: Figure, name: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    made.savefig(FOLDER / f"{name}.png", metadata={"Software": None})


# -- geometry


def contact_zones() -> None:
    made, axes = figure(3, 11, 3.7)
    shifted = GearPair.of((14, 30), 2e-3, profile_shift=(0.4, 0.1), thickness_allowance=(-40e-6, -40e-6))
    ring = GearPair.of((24, 72), 2e-3, internal=True, profile_shift=(0.2, -0.4), tip_alteration=(0.0, -0.15))
    rack = RackPair(Gear(18, 2e-3, profile_shift=0.2))
    for axis, pair, name in zip(axes, (shifted, ring, rack), ("external", "internal", "rack"), strict=True):
        draw_contact(axis, pair)
        axis.set_title(f"{name}, contact ratio {pair.transverse_contact_ratio:.2f}", fontsize=9, color=INK)
    save(made, "contact")


def generation() -> None:
    """The tool in many positions, and the tooth it leaves."""
    made, axes = figure(2, 9.5, 3.9)
    for axis, gear, name in (
        (axes[0], Gear(20, 2e-3), "20 teeth"),
        (axes[1], Gear(8, 2e-3), "8 teeth: undercut"),
    ):
        tool, radius = RackTool.of(gear), gear.reference_diameter / 2
        heights = np.linspace(tool.flank_start, tool.shift + gear.module, 2)
        side = np.concatenate(
            (tool.rounding(np.linspace(pi / 2, gear.rack.pressure_angle, 12))[0], tool.flank(heights)[0])
        )
        whole = np.concatenate((side[::-1] * [-1.0, 1.0], side))
        for roll in np.linspace(-3.2, 3.2, 33) * gear.module:
            for tooth in (-1, 0, 1):
                x, y = whole[:, 0] + roll + tooth * gear.transverse_pitch, whole[:, 1] + radius
                turn = roll / radius
                axis.plot(
                    (np.cos(turn) * x - np.sin(turn) * y) * 1e3,
                    (np.sin(turn) * x + np.cos(turn) * y) * 1e3,
                    color=FAINT,
                    linewidth=0.5,
                )
        for tooth in (-1, 0, 1, 2):
            half = half_tooth(gear, 60, 60)
            points = np.concatenate((half.fillet, half.flank))
            middle = pi / gear.teeth * (2 * tooth - 1)
            for sign in (1, -1):
                turned = np.column_stack((points[:, 0], pi / 2 + middle + sign * points[:, 1]))
                axis.plot(*cartesian(turned).T * 1e3, color=BLUE, linewidth=1.8)
        turn = np.linspace(0, 2 * pi, 400)
        for d, line in (
            (gear.base_diameter, ":"),
            (gear.tip_diameter, "--"),
            (gear.reference_diameter, "-."),
        ):
            axis.plot(d / 2e-3 * np.cos(turn), d / 2e-3 * np.sin(turn), line, color=ORANGE, linewidth=0.8)
        reach = 2.4 * gear.module * 1e3
        axis.set_xlim(-1.3 * reach, 1.3 * reach)
        axis.set_ylim(radius * 1e3 - 0.85 * reach, radius * 1e3 + 0.75 * reach)
        axis.set_aspect("equal")
        style(axis, name, "mm")
        axis.grid(False)
    save(made, "generation")


def shift() -> None:
    made, axes = figure(2, 9.5, 4)
    for axis, internal, shifts in (
        (axes[0], False, (-0.2, 0.0, 0.3, 0.6)),
        (axes[1], True, (-0.5, 0.0, 0.5)),
    ):
        for x, color in zip(shifts, (RED, INK, BLUE, GREEN), strict=False):
            gear = Gear(40 if internal else 12, 2e-3, profile_shift=x, internal=internal)
            points = half_tooth(gear, 60, 40).points(8) * 1e3
            for sign in (1, -1):
                axis.plot(
                    sign * points[:, 1],
                    points[:, 0],
                    color=color,
                    linewidth=1.3,
                    label=f"x = {x:g}" if sign > 0 else None,
                )
        axis.set_aspect("equal")
        style(axis, f"{'ring of 40' if internal else '12'} teeth, m = 2 mm", "mm", "from the axis [mm]")
    save(made, "shift")


# -- stiffness


class FiniteElements:
    """Plane finite elements along the path of contact, with Weber's contact; two pairs with what joins them."""

    def __init__(self, pair: GearPair, wide: bool = True, line_load: float = 200e3):
        self.pair, self.line_load = pair, line_load
        self.models = [
            ToothModel(
                gear,
                STEEL,
                gear.root_diameter / 2 + 6 * gear.module if gear.internal else gear.root_diameter / 2 / BORE,
                wide=wide,
                size=8,
            )
            for gear in (pair.a, pair.b)
        ]

    def compliance(self, at: np.ndarray) -> np.ndarray:
        path = self.pair.path
        loads = loads_at(self.pair, at)
        line = np.full_like(at, self.line_load)
        pressed = (
            contact.weber(line, path.reduced_curvature(at), (loads[0].depth, loads[1].depth), STEEL) / line
        )
        return self.models[0].compliance(at) + self.models[1].compliance(path.curvature_b(at)) + pressed

    def mesh(self, phase: float) -> float:
        """Of all pairs, per face width; external pairs only."""
        path = self.pair.path
        first = path.start + phase * path.base_pitch
        if first + path.base_pitch > path.end:
            return float(1 / self.compliance(np.array([first]))[0])
        both = np.array([first, first + path.base_pitch])
        matrix = np.diag(self.compliance(both))
        for model, ahead, rho in (
            (self.models[0], 1, both),
            (self.models[1], -1, path.curvature_b(both)),
        ):
            matrix += model.coupling(float(rho[0]), float(rho[1]), ahead) * np.array([[0, 1], [1, 0]])
        return float(np.linalg.inv(matrix).sum())


def methods() -> None:
    made, (single, cycle) = figure(2, 10.5, 4.2)
    path, width = PAIR.path, PAIR.face_width
    at = np.linspace(path.start, path.end, 200)
    phase = np.linspace(0, 2, 801)[:-1]
    for model, name, color, line in (
        (Iso6336(PAIR), "ISO 6336-1", INK, "-"),
        (BeamSlices(PAIR), "beam slices (Cornell), 200 N/mm", GREEN, "-"),
        (BeamSlices(PAIR, local="constant"), "beam slices, 4.55 for the local part (Bai)", GREEN, ":"),
        (EnergyMethod(PAIR, coupled=False), "energy, pairs added", ORANGE, ":"),
        (EnergyMethod(PAIR), "energy, body twist shared", ORANGE, "-"),
    ):
        single.plot(
            (at - path.pitch_point) * 1e3,
            model.pair_stiffness(at) / width / 1e9,
            line,
            color=color,
            label=name,
        )
        cycle.plot(phase, model.mesh_stiffness(phase % 1) / width / 1e9, line, color=color)
    elements = FiniteElements(PAIR)
    some = np.linspace(path.start, path.end, 17)
    single.plot(
        (some - path.pitch_point) * 1e3,
        1 / elements.compliance(some) / 1e9,
        "o-",
        color=BLUE,
        markersize=3,
        linewidth=1,
        label="finite elements (plane strain)",
    )
    phases = np.concatenate((np.linspace(0.02, 0.70, 9), np.linspace(0.74, 0.98, 4)))
    values = np.array([elements.mesh(float(p)) for p in phases]) / 1e9
    for turn in (0, 1):
        for part in (phases < 0.72, phases > 0.72):
            cycle.plot(phases[part] + turn, values[part], "o-", color=BLUE, markersize=3, linewidth=1)
    for letter, place in path.points.items():
        single.axvline((place - path.pitch_point) * 1e3, color=FAINT, linewidth=0.6, linestyle=":")
        single.text((place - path.pitch_point) * 1e3, 18.9, letter, fontsize=8, color=INK, ha="center")
    single.set_ylim(5, 19.5)
    cycle.set_ylim(8, 31)
    style(single, "one pair of teeth", "from the pitch point [mm]", "stiffness / face width [N/(mm µm)]")
    style(cycle, "all pairs, two mesh cycles", "mesh phase", "")
    save(made, "methods")


def internal_methods() -> None:
    made, (single, cycle) = figure(2, 10.5, 3.8)
    path, width = RING.path, RING.face_width
    at = np.linspace(path.start, path.end, 200)
    phase = np.linspace(0, 2, 801)[:-1]
    for model, name, color in (
        (Iso6336(RING), "ISO 6336-1", INK),
        (BeamSlices(RING), "beam slices (Cornell), 200 N/mm", GREEN),
        (EnergyMethod(RING), "energy, body twist shared", ORANGE),
    ):
        single.plot(
            (at - path.pitch_point) * 1e3, model.pair_stiffness(at) / width / 1e9, color=color, label=name
        )
        cycle.plot(phase, model.mesh_stiffness(phase % 1) / width / 1e9, color=color)
    some = np.linspace(path.start, path.end, 13)
    elements = FiniteElements(RING)
    single.plot(
        (some - path.pitch_point) * 1e3,
        1 / elements.compliance(some) / 1e9,
        "o-",
        color=BLUE,
        markersize=3,
        linewidth=1,
        label="finite elements (plane strain)",
    )
    style(single, "one pair of teeth", "from the pitch point [mm]", "stiffness / face width [N/(mm µm)]")
    style(cycle, "all pairs, two mesh cycles", "mesh phase", "")
    cycle.set_ylim(8, 36)
    save(made, "internal-methods")


def parts() -> None:
    made, axes = figure(2, 10.5, 3.6, sharey=True)
    path = PAIR.path
    at = np.linspace(path.start, path.end, 120)
    scale = PAIR.face_width * 1e9  # mm um/N
    for axis, model, name in (
        (axes[0], EnergyMethod(PAIR), "energy"),
        (axes[1], BeamSlices(PAIR), "beam slices (Cornell)"),
    ):
        found = model.parts(at)
        axis.stackplot(
            (at - path.pitch_point) * 1e3,
            *(v * scale for v in found.values()),
            labels=list(found),
            colors=[BLUE, TEAL, PURPLE, ORANGE, RED] if len(found) == 5 else [BLUE, ORANGE, RED],
            alpha=0.75,
        )
        style(
            axis,
            name,
            "from the pitch point [mm]",
            "compliance × face width [mm µm/N]" if axis is axes[0] else "",
        )
        axis.margins(x=0)
    save(made, "parts")


def helical() -> None:
    made, (axis,) = figure(1, 7.5, 3.4)
    phase = np.linspace(0, 2, 400)
    for overlap, color in ((0.0, INK), (0.25, BLUE), (0.5, GREEN), (1.0, ORANGE), (1.3, RED)):
        width = max(overlap * pi * 2e-3 / np.sin(radians(20)), 1e-4)
        pair = GearPair.of((30, 45), 2e-3, helix_angle=radians(20), face_width=width)
        axis.plot(
            phase,
            EnergyMethod(pair).mesh_stiffness(phase % 1) / width / 1e9,
            color=color,
            label=f"overlap ratio {overlap:g}",
        )
    style(
        axis,
        "helix angle 20°: the face smooths the cycle",
        "mesh phase",
        "stiffness / face width [N/(mm µm)]",
    )
    save(made, "helical")


def transmission_error() -> None:
    made, (error, share) = figure(2, 10.5, 3.8)
    model = BeamSlices(PAIR)
    angle = np.linspace(0, 2 * 2 * pi / 30, 400)
    phase = angle * 30 / (2 * pi)
    length = (PAIR.transverse_contact_ratio - 1) * PAIR.path.base_pitch
    relief = [TipRelief(wheel, 10e-6, length) for wheel in ("a", "b")]
    for load, color in ((60, TEAL), (180, BLUE), (300, PURPLE)):
        force = load * 1e3 * PAIR.face_width
        for deviations, line in (([], ":"), (relief, "-")):
            found = static_transmission_error(model, force, angle, deviations)
            error.plot(
                phase, found.error * 1e6, line, color=color, label=f"{load} N/mm" if deviations else None
            )
    error.set_ylim(0, 22)
    style(error, "transmission error [µm]; dotted: without tip relief", "mesh phase")
    error.legend(fontsize=7, labelcolor=INK, edgecolor="none", loc="upper center", ncols=3)
    force = 180e3 * PAIR.face_width
    for deviations, line, name in (([], ":", "perfect involutes"), (relief, "-", "10 µm of tip relief")):
        found = static_transmission_error(model, force, angle, deviations)
        column = list(found.numbers).index(0)
        carried = found.shares[:, column]
        share.plot(
            phase[phase <= PAIR.transverse_contact_ratio],
            100 * carried[phase <= PAIR.transverse_contact_ratio],
            line,
            color=BLUE,
            label=name,
        )
    style(share, "load on one pair from A to E, 180 N/mm [%]", "mesh phase")
    save(made, "transmission-error")


def errors_of_a_turn() -> None:
    made, (error, share) = figure(2, 10.5, 3.6, width_ratios=(1.6, 1))
    model = EnergyMethod(PAIR)
    force = 100e3 * PAIR.face_width
    angle = np.linspace(0, 2 * pi, 3000)
    deviations = [RunOut("a", 8e-6), FlankPosition("a", {10: 4e-6})]
    error.plot(
        np.degrees(angle),
        static_transmission_error(model, force, angle).error * 1e6,
        color=FAINT,
        linewidth=0.7,
        label="perfect",
    )
    found = static_transmission_error(model, force, angle, deviations)
    error.plot(
        np.degrees(angle),
        found.error * 1e6,
        color=BLUE,
        linewidth=0.8,
        label="run-out 8 µm, tooth 10 stands back 4 µm",
    )
    style(error, "transmission error of a turn of the pinion [µm]", "angle of the pinion [deg]")
    near = (angle > 2 * pi / 30 * 8.9) & (angle < 2 * pi / 30 * 12.9)
    for number, color in ((9, GREEN), (10, RED), (11, ORANGE)):
        share.plot(
            np.degrees(angle[near]),
            100 * found.shares[near, list(found.numbers).index(number)],
            color=color,
            label=f"tooth {number}",
        )
    style(share, "load on each pair [%]", "angle of the pinion [deg]")
    save(made, "errors-of-a-turn")


PICTURES: dict[str, Callable[[], None]] = {
    "contact": contact_zones,
    "generation": generation,
    "shift": shift,
    "methods": methods,
    "internal-methods": internal_methods,
    "parts": parts,
    "helical": helical,
    "transmission-error": transmission_error,
    "errors-of-a-turn": errors_of_a_turn,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
