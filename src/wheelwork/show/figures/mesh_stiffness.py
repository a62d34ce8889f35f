"""Stiffness of gear teeth over the mesh cycle: from geometry, and as it was during a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wheelwork.problems import listed

from .panel import known
from .prefixes import prefix_axis
from .style import DASHES, Theme, ThemeName, beside, stacked, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.gears.stiffness import MeshStiffness
    from wheelwork.results import Result

PER_MICROMETRE = 1e-6
"""From N/m to N/um."""
LENGTHS = "deflection", "transmission_error"
MOST_BINS, FEWEST_BINS, SAMPLES = 50, 8, 8
"""Of the mesh cycle, and how many samples each has at least, in the mean; a cloud of dots shows no course."""
BAND = 10, 50, 90
"""Percentiles of the samples in a bin: the band, and the line in it."""
FEW = 0.05
"""Part of the samples on one side of the teeth below which they are not shown."""


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
    """Stiffness, deflection and transmission error of elastic teeth over the mesh cycle, as they were in a run.

    Median and the middle 80 % of the samples in bins of the cycle, while the teeth touch, by the flanks that do; the
    samples themselves where they are few. The stiffness of teeth in contact is their force over their deflection.
    """
    elastic = [
        n for n in result.motion.program.flat.meshes if known(result, [f"{n}.phase", f"{n}.deflection"])
    ]
    if not elastic:
        raise ValueError(
            "no mesh of the mechanism has elastic teeth: set `model: compliant` or `contact` on one"
        )
    wrong = [name for name in meshes if name not in elastic]
    if wrong:
        raise KeyError(f"there is no mesh with elastic teeth `{wrong[0]}`; there are {listed(elastic)}")
    lines = [line for name in meshes or elastic for line in _flanks(result, name)]
    count = min(MOST_BINS, *(int(np.sum(there)) // SAMPLES for _, _, there in lines))
    with styled(theme) as look:
        figure, axes = stacked(look, 1 + len(LENGTHS))
        for axis, signal in zip(axes, ("stiffness", *LENGTHS), strict=True):
            for k, (name, label, there) in enumerate(lines):
                values = (
                    _stiffness(result, name)
                    if signal == "stiffness"
                    else result.series(f"{name}.{signal}").values
                )
                phase = result.series(f"{name}.phase").values % 1
                color, dashes = look.series[k % len(look.series)], DASHES[k % len(DASHES)]
                if count < FEWEST_BINS:
                    dots = {"linestyle": "none", "marker": ".", "markersize": 2.5}
                    axis.plot(phase[there], values[there], color=color, label=label, **dots)
                else:
                    _median_and_band(axis, phase[there], values[there], count, color, dashes, label)
        axes[0].set_ylim(bottom=0)
        axes[0].set_ylabel("stiffness [N/µm]")
        for axis, signal in zip(axes[1:], LENGTHS, strict=True):
            prefix_axis(axis.yaxis, signal.replace("_", " "), "m")
        if count >= FEWEST_BINS:
            axes[0].set_title(
                f"median, and the middle 80 % of the samples, in {count} bins of the mesh cycle"
            )
        axes[-1].set_xlabel("mesh cycle")
        axes[-1].set_xlim(0, 1)
        if len(lines) > 1:
            beside(axes[0])
    return figure


def _flanks(result: Result, mesh: str) -> list[tuple[str, str, np.ndarray]]:
    """Mesh, label, and the samples at which the front or the back flanks of its teeth touch; a few are left out."""
    side = result.series(f"{mesh}.side").values
    sides = [(word, side * sign > 0) for word, sign in (("front", 1), ("back", -1))]
    sides = [(word, there) for word, there in sides if np.mean(there) > FEW] or [("", side == 0)]
    return [(mesh, f"{mesh}, {word}" if len(sides) > 1 else mesh, there) for word, there in sides]


def _median_and_band(
    axis: Any, phase: np.ndarray, values: np.ndarray, count: int, color: str, dashes: Any, label: str
) -> None:
    """The middle of the samples in each bin of the cycle, which has no ends: one bin more before and behind."""
    bins = np.minimum((phase * count).astype(int), count - 1)
    inside = [values[bins == k] for k in range(count)]
    found = np.array([np.percentile(v, BAND) if len(v) else [np.nan] * 3 for v in inside]).T
    low, median, high = (np.pad(x, 1, "wrap") for x in found)
    middle = (np.arange(-1, count + 1) + 0.5) / count
    axis.fill_between(middle, low, high, color=color, alpha=0.2, linewidth=0)
    axis.plot(middle, median, color=color, linestyle=dashes, label=label)


def _stiffness(result: Result, mesh: str) -> np.ndarray:
    """In N/um: the signal of compliant teeth; of those in contact force over deflection, while they touch."""
    if known(result, [f"{mesh}.stiffness"]):
        return result.series(f"{mesh}.stiffness").values * PER_MICROMETRE
    force, deflection = (
        result.series(f"{mesh}.{name}").values for name in ("force.transverse", "deflection")
    )
    return np.divide(force, deflection, out=np.zeros(len(force)), where=deflection != 0) * PER_MICROMETRE
