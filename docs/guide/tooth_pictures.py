"""Pictures of tooth geometry: zones of contact, generation, profile shift."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from wheelwork.gears import Gear, GearPair, RackPair, half_tooth
from wheelwork.gears.outline import cartesian
from wheelwork.gears.tools import RackTool
from wheelwork.show.figures.gear_pair import draw_contact


def contact_zones(tools: Any) -> None:
    made, axes = tools.gear_figure(3, 11, 3.7)
    shifted = GearPair.of((14, 30), 2e-3, profile_shift=(0.4, 0.1), thickness_allowance=(-40e-6, -40e-6))
    ring = GearPair.of((24, 72), 2e-3, internal=True, profile_shift=(0.2, -0.4), tip_alteration=(0.0, -0.15))
    rack = RackPair(Gear(18, 2e-3, profile_shift=0.2))
    for axis, pair, name in zip(axes, (shifted, ring, rack), ("external", "internal", "rack"), strict=True):
        draw_contact(axis, pair)
        axis.set_title(
            f"{name}, contact ratio {pair.transverse_contact_ratio:.2f}", fontsize=9, color=tools.INK
        )
    tools.save(made, "contact", tools.GEARS)


def generation(tools: Any) -> None:
    """The tool in many positions, and the tooth it leaves."""
    made, axes = tools.gear_figure(2, 9.5, 3.9)
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
                    color=tools.FAINT,
                    linewidth=0.5,
                )
        for tooth in (-1, 0, 1, 2):
            half = half_tooth(gear, 60, 60)
            points = np.concatenate((half.fillet, half.flank))
            middle = pi / gear.teeth * (2 * tooth - 1)
            for sign in (1, -1):
                turned = np.column_stack((points[:, 0], pi / 2 + middle + sign * points[:, 1]))
                axis.plot(*cartesian(turned).T * 1e3, color=tools.BLUE, linewidth=1.8)
        turn = np.linspace(0, 2 * pi, 400)
        for d, line in (
            (gear.base_diameter, ":"),
            (gear.tip_diameter, "--"),
            (gear.reference_diameter, "-."),
        ):
            axis.plot(
                d / 2e-3 * np.cos(turn), d / 2e-3 * np.sin(turn), line, color=tools.ORANGE, linewidth=0.8
            )
        reach = 2.4 * gear.module * 1e3
        axis.set_xlim(-1.3 * reach, 1.3 * reach)
        axis.set_ylim(radius * 1e3 - 0.85 * reach, radius * 1e3 + 0.75 * reach)
        axis.set_aspect("equal")
        tools.gear_style(axis, name, "mm")
        axis.grid(False)
    tools.save(made, "generation", tools.GEARS)


def shift(tools: Any) -> None:
    made, axes = tools.gear_figure(2, 9.5, 4)
    for axis, internal, shifts in (
        (axes[0], False, (-0.2, 0.0, 0.3, 0.6)),
        (axes[1], True, (-0.5, 0.0, 0.5)),
    ):
        for x, color in zip(shifts, (tools.RED, tools.INK, tools.BLUE, tools.GREEN), strict=False):
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
        tools.gear_style(
            axis, f"{'ring of 40' if internal else '12'} teeth, m = 2 mm", "mm", "from the axis [mm]"
        )
    tools.save(made, "shift", tools.GEARS)
