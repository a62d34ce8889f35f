"""Stiffness of gear teeth over the mesh cycle: from geometry, and as it was during a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.problems import listed

from .panel import known
from .style import Theme, ThemeName, beside, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.gears.stiffness import MeshStiffness
    from wheelwork.results import Result

PER_MICROMETRE = 1e-6
"""From N/m to N/um."""
SECONDARY = {"deflection": "deflection [µm]", "transmission_error": "transmission error [µm]"}


def mesh_stiffness(
    methods: Mapping[str, MeshStiffness], force: float | None = None, *, theme: ThemeName | Theme = "light"
) -> Figure:
    """Stiffness of one pair of teeth along the path of contact, and of all pairs over two mesh cycles, by method.

    force: on the teeth [N], where a method depends on it
    """
    with styled(theme) as look:
        figure = look.figure(2.8)
        single, cycle = figure.subplots(1, 2)
        phase = np.linspace(0, 2, 801)
        for label, method in methods.items():
            path = method.pair.path
            along = np.linspace(path.start, path.end, 201)
            single.plot(
                (along - path.pitch_point) * 1e3, method.pair_stiffness(along, force) * PER_MICROMETRE
            )
            cycle.plot(phase, method.mesh_stiffness(phase % 1, force) * PER_MICROMETRE, label=label)
        single.set_xlabel("place on the line of action, from the pitch point [mm]")
        single.set_ylabel("stiffness [N/µm]")
        single.set_title("one pair of teeth")
        cycle.set_xlabel("mesh cycles")
        cycle.set_title("all pairs")
        for axis in (single, cycle):
            axis.margins(x=0)
            axis.set_ylim(bottom=0)
        beside(cycle)
    return figure


def run_stiffness(result: Result, *meshes: str, theme: ThemeName | Theme = "light") -> Figure:
    """Stiffness, deflection and transmission error of compliant teeth over the mesh cycle, as they were in a run."""
    compliant = [name for name in result.motion.program.flat.meshes if known(result, [f"{name}.stiffness"])]
    if not compliant:
        raise ValueError("no mesh of the mechanism has compliant teeth: set `model: compliant` on one")
    wrong = [name for name in meshes if name not in compliant]
    if wrong:
        raise KeyError(f"there is no mesh with compliant teeth `{wrong[0]}`; there are {listed(compliant)}")
    rows = [
        "stiffness",
        *(s for s in SECONDARY if all(known(result, [f"{n}.{s}"]) for n in meshes or compliant)),
    ]
    with styled(theme) as look:
        figure = look.figure(0.7 + 2.0 * len(rows))
        axes = figure.subplots(len(rows), 1, squeeze=False, sharex=True)[:, 0]
        for axis, row in zip(axes, rows, strict=True):
            for k, name in enumerate(meshes or compliant):
                _over_phase(axis, result, name, row, look.series[k % len(look.series)])
            axis.set_ylabel("stiffness [N/µm]" if row == "stiffness" else SECONDARY[row])
        axes[0].set_ylim(bottom=0)
        axes[-1].set_xlabel("mesh cycle")
        axes[-1].set_xlim(0, 1)
        if len(meshes or compliant) > 1:
            beside(axes[0])
    return figure


def _over_phase(axis: Any, result: Result, mesh: str, signal: str, color: str) -> None:
    values = result.series(f"{mesh}.{signal}").values * (PER_MICROMETRE if signal == "stiffness" else 1e6)
    phase = result.series(f"{mesh}.phase").values % 1
    axis.plot(phase, values, linestyle="none", marker=".", markersize=2.5, color=color, label=mesh)
