"""Forces of gear teeth, pulls of belts, over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wheelwork.problems import did_you_mean, listed

from .panel import Panel, draw_panels, grouped, known
from .style import Theme, ThemeName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result

PARTS = ("tangential", "radial", "axial")


def tooth_forces(result: Result, *meshes: str, theme: ThemeName | Theme = "light") -> Figure:
    """Tangential forces of all meshes; of named ones their tangential, radial and axial parts."""
    every = result.motion.program.flat.meshes
    if not every:
        raise ValueError("the mechanism has no gear meshes, and so no tooth forces")
    for name in meshes:
        if name not in every:
            raise KeyError(
                f"there is no mesh `{name}`; {did_you_mean(name, every) or f'there are {listed(every)}'}"
            )
    if not meshes:
        return draw_panels(tooth_force_panels(result), result.t, result.events, theme)
    panels = [
        panel
        for name in meshes
        for panel in grouped(result, known(result, (f"{name}.force.{part}" for part in PARTS)), {}, name)
    ]
    return draw_panels(panels, result.t, result.events, theme)


def tooth_force_panels(result: Result) -> list[Panel]:
    """Tangential force of each mesh (of a belt the difference of its pulls), and the deflection of compliant teeth."""
    meshes = result.motion.program.flat.meshes
    out = []
    for title, unit, part in (
        ("Tooth forces, tangential", "N", "force.tangential"),
        ("Deflection of the teeth", "m", "deflection"),
    ):
        panel = Panel(title, unit)
        for name in meshes:
            if known(result, [f"{name}.{part}"]):
                panel.add(name, result.series(f"{name}.{part}").values)
        out += [panel] if panel.lines else []
    return out
