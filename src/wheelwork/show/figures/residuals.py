"""How well the constraints hold: residuals at position and velocity level, on a logarithmic scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .panel import Panel, draw_panels
from .style import Theme, ThemeName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result

ZERO = 1e-18
"""What exact zeros are drawn as on a logarithmic scale."""


def residuals(result: Result, *, theme: ThemeName | Theme = "light") -> Figure:
    """Root mean square of all residuals, and those of the elements in which they are largest."""
    panels = residual_panels(result)
    if not panels:
        raise ValueError("the mechanism has no constraints, and so no residuals")
    return draw_panels([*panels, *_largest(result)], result.t, result.events, theme)


def residual_panels(result: Result) -> list[Panel]:
    panel = Panel("Constraint residuals, root mean square", "m, rad; per s", log=True)
    for name, label in (("constraints.position", "position"), ("constraints.velocity", "velocity")):
        panel.add(label, np.maximum(result.series(name).values, ZERO))
    return [panel] if result.motion.program.rows else []


def _largest(result: Result) -> list[Panel]:
    owners = [*result.motion.program.joints, *(mesh.name for mesh in result.motion.program.meshes)]
    sizes = {name: np.abs(result.series(f"{name}.residual").values) for name in owners}
    order = sorted(sizes, key=lambda name: -float(np.nanmax(sizes[name], initial=0.0)))
    panel = Panel("Largest residuals by element", "m or rad", log=True)
    for name in order:
        panel.add(name, np.maximum(sizes[name], ZERO))
    return [panel] if panel.lines else []
