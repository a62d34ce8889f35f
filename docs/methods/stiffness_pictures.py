"""Pictures of mesh stiffness by several methods.

The finite elements that judge them are those of the tests (tests/gears/plane_elements.py).
"""

from __future__ import annotations

import sys
from math import pi, radians
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.gears.plane_elements import ToothModel
from wheelwork.gears import GearPair
from wheelwork.gears.stiffness import STEEL, BeamSlices, EnergyMethod, Iso6336, contact
from wheelwork.gears.stiffness.tooth import loads_at

PAIR = GearPair.of((30, 60), 3e-3, face_width=30e-3)
RING = GearPair.of((30, 90), 3e-3, internal=True, tip_alteration=(0.0, -0.3), face_width=30e-3)
BORE = 3.0  # root circle over bore


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


def methods(tools: Any) -> None:
    made, (single, cycle) = tools.gear_figure(2, 10.5, 4.2)
    path, width = PAIR.path, PAIR.face_width
    at = np.linspace(path.start, path.end, 200)
    phase = np.linspace(0, 2, 801)[:-1]
    for model, name, color, line in (
        (Iso6336(PAIR), "ISO 6336-1", tools.INK, "-"),
        (BeamSlices(PAIR), "beam slices (Cornell), 200 N/mm", tools.GREEN, "-"),
        (BeamSlices(PAIR, local="constant"), "beam slices, 4.55 for the local part (Bai)", tools.GREEN, ":"),
        (EnergyMethod(PAIR, coupled=False), "energy, pairs added", tools.ORANGE, ":"),
        (EnergyMethod(PAIR), "energy, body twist shared", tools.ORANGE, "-"),
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
        color=tools.BLUE,
        markersize=3,
        linewidth=1,
        label="finite elements (plane strain)",
    )
    phases = np.concatenate((np.linspace(0.02, 0.70, 9), np.linspace(0.74, 0.98, 4)))
    values = np.array([elements.mesh(float(p)) for p in phases]) / 1e9
    for turn in (0, 1):
        for part in (phases < 0.72, phases > 0.72):
            cycle.plot(phases[part] + turn, values[part], "o-", color=tools.BLUE, markersize=3, linewidth=1)
    for letter, place in path.points.items():
        single.axvline((place - path.pitch_point) * 1e3, color=tools.FAINT, linewidth=0.6, linestyle=":")
        single.text((place - path.pitch_point) * 1e3, 18.9, letter, fontsize=8, color=tools.INK, ha="center")
    single.set_ylim(5, 19.5)
    cycle.set_ylim(8, 31)
    tools.gear_style(
        single, "one pair of teeth", "from the pitch point [mm]", "stiffness / face width [N/(mm µm)]"
    )
    tools.gear_style(cycle, "all pairs, two mesh cycles", "mesh phase", "")
    tools.save(made, "methods", tools.GEARS)


def internal_methods(tools: Any) -> None:
    made, (single, cycle) = tools.gear_figure(2, 10.5, 3.8)
    path, width = RING.path, RING.face_width
    at = np.linspace(path.start, path.end, 200)
    phase = np.linspace(0, 2, 801)[:-1]
    for model, name, color in (
        (Iso6336(RING), "ISO 6336-1", tools.INK),
        (BeamSlices(RING), "beam slices (Cornell), 200 N/mm", tools.GREEN),
        (EnergyMethod(RING), "energy, body twist shared", tools.ORANGE),
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
        color=tools.BLUE,
        markersize=3,
        linewidth=1,
        label="finite elements (plane strain)",
    )
    tools.gear_style(
        single, "one pair of teeth", "from the pitch point [mm]", "stiffness / face width [N/(mm µm)]"
    )
    tools.gear_style(cycle, "all pairs, two mesh cycles", "mesh phase", "")
    cycle.set_ylim(8, 36)
    tools.save(made, "internal-methods", tools.GEARS)


def parts(tools: Any) -> None:
    made, axes = tools.gear_figure(2, 10.5, 3.6, sharey=True)
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
            colors=[tools.BLUE, tools.TEAL, tools.PURPLE, tools.ORANGE, tools.RED]
            if len(found) == 5
            else [tools.BLUE, tools.ORANGE, tools.RED],
            alpha=0.75,
        )
        tools.gear_style(
            axis,
            name,
            "from the pitch point [mm]",
            "compliance × face width [mm µm/N]" if axis is axes[0] else "",
        )
        axis.margins(x=0)
    tools.save(made, "parts", tools.GEARS)


def helical(tools: Any) -> None:
    made, (axis,) = tools.gear_figure(1, 7.5, 3.4)
    phase = np.linspace(0, 2, 400)
    for overlap, color in (
        (0.0, tools.INK),
        (0.25, tools.BLUE),
        (0.5, tools.GREEN),
        (1.0, tools.ORANGE),
        (1.3, tools.RED),
    ):
        width = max(overlap * pi * 2e-3 / np.sin(radians(20)), 1e-4)
        pair = GearPair.of((30, 45), 2e-3, helix_angle=radians(20), face_width=width)
        axis.plot(
            phase,
            EnergyMethod(pair).mesh_stiffness(phase % 1) / width / 1e9,
            color=color,
            label=f"overlap ratio {overlap:g}",
        )
    tools.gear_style(
        axis,
        "helix angle 20°: the face smooths the cycle",
        "mesh phase",
        "stiffness / face width [N/(mm µm)]",
    )
    tools.save(made, "helical", tools.GEARS)
