"""Pictures of static transmission error: tip relief, errors of a turn."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from wheelwork.gears import GearPair
from wheelwork.gears.stiffness import (
    BeamSlices,
    EnergyMethod,
    FlankPosition,
    RunOut,
    TipReliefCurve,
    static_transmission_error,
)

PAIR = GearPair.of((30, 60), 3e-3, face_width=30e-3)


def transmission_error(tools: Any) -> None:
    made, (error, share) = tools.gear_figure(2, 10.5, 3.8)
    model = BeamSlices(PAIR)
    angle = np.linspace(0, 2 * 2 * pi / 30, 400)
    phase = angle * 30 / (2 * pi)
    length = (PAIR.transverse_contact_ratio - 1) * PAIR.path.base_pitch
    relief = [TipReliefCurve(wheel, 10e-6, length) for wheel in ("a", "b")]
    for load, color in ((60, tools.TEAL), (180, tools.BLUE), (300, tools.PURPLE)):
        force = load * 1e3 * PAIR.face_width
        for deviations, line in (([], ":"), (relief, "-")):
            found = static_transmission_error(model, force, angle, deviations)
            error.plot(
                phase, found.error * 1e6, line, color=color, label=f"{load} N/mm" if deviations else None
            )
    error.set_ylim(0, 22)
    tools.gear_style(error, "transmission error [µm]; dotted: without tip relief", "mesh phase")
    error.legend(fontsize=7, labelcolor=tools.INK, edgecolor="none", loc="upper center", ncols=3)
    force = 180e3 * PAIR.face_width
    for deviations, line, name in (([], ":", "perfect involutes"), (relief, "-", "10 µm of tip relief")):
        found = static_transmission_error(model, force, angle, deviations)
        column = list(found.numbers).index(0)
        carried = found.shares[:, column]
        share.plot(
            phase[phase <= PAIR.transverse_contact_ratio],
            100 * carried[phase <= PAIR.transverse_contact_ratio],
            line,
            color=tools.BLUE,
            label=name,
        )
    tools.gear_style(share, "load on one pair from A to E, 180 N/mm [%]", "mesh phase")
    tools.save(made, "transmission-error", tools.GEARS)


def errors_of_a_turn(tools: Any) -> None:
    made, (error, share) = tools.gear_figure(2, 10.5, 3.6, width_ratios=(1.6, 1))
    model = EnergyMethod(PAIR)
    force = 100e3 * PAIR.face_width
    angle = np.linspace(0, 2 * pi, 3000)
    deviations = [RunOut("a", 8e-6), FlankPosition("a", {10: 4e-6})]
    error.plot(
        np.degrees(angle),
        static_transmission_error(model, force, angle).error * 1e6,
        color=tools.FAINT,
        linewidth=0.7,
        label="perfect",
    )
    found = static_transmission_error(model, force, angle, deviations)
    error.plot(
        np.degrees(angle),
        found.error * 1e6,
        color=tools.BLUE,
        linewidth=0.8,
        label="run-out 8 µm, tooth 10 stands back 4 µm",
    )
    tools.gear_style(error, "transmission error of a turn of the pinion [µm]", "angle of the pinion [deg]")
    near = (angle > 2 * pi / 30 * 8.9) & (angle < 2 * pi / 30 * 12.9)
    for number, color in ((9, tools.GREEN), (10, tools.RED), (11, tools.ORANGE)):
        share.plot(
            np.degrees(angle[near]),
            100 * found.shares[near, list(found.numbers).index(number)],
            color=color,
            label=f"tooth {number}",
        )
    tools.gear_style(share, "load on each pair [%]", "angle of the pinion [deg]")
    tools.save(made, "errors-of-a-turn", tools.GEARS)
