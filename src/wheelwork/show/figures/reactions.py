"""Reactions of joints: sizes of forces and torques."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wheelwork.problems import did_you_mean, listed

from .panel import Panel, draw_panels
from .style import Theme, ThemeName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.results import Result

SMALLEST = "Constraints are redundant: of the possible reactions these are the smallest."


def reactions(result: Result, *joints: str, theme: ThemeName | Theme = "light") -> Figure:
    """Sizes of the reactions of some joints, or of those with the largest, over time."""
    known = result.motion.program.joints
    for name in joints:
        if name not in known:
            raise KeyError(
                f"there is no joint `{name}`; {did_you_mean(name, known) or f'there are {listed(known)}'}"
            )
    panels = reaction_panels(result, joints)
    if not panels:
        raise ValueError("the mechanism has no joints, and so no reactions")
    return draw_panels(panels, result.t, result.events, theme)


def reaction_sizes(result: Result, kind: str) -> dict[str, np.ndarray]:
    """Size of the reaction `force` or `torque` of each joint over time; in the plane a torque is one number."""
    return {
        joint: np.linalg.norm(
            result.series(f"{joint}.reaction.{kind}").values.reshape(len(result.t), -1), axis=1
        )
        for joint in result.motion.program.joints
    }


def reaction_panels(result: Result, joints: tuple[str, ...] = ()) -> list[Panel]:
    """The joints with the largest reactions, where none are named and there are many."""
    out = []
    for kind, unit in (("force", "N"), ("torque", "N m")):
        panel = Panel(f"Reaction {kind}s, size", unit)
        sizes = reaction_sizes(result, kind)
        shown = {name: sizes[name] for name in joints} if joints else sizes
        largest = {name: float(np.nanmax(values, initial=0.0)) for name, values in shown.items()}
        if kind == "torque":
            shown = {name: values for name, values in shown.items() if largest[name] > 1e-9}
        chosen = sorted(shown, key=lambda name: -largest[name])[: panel.most]
        for name, values in shown.items():
            if joints or name in chosen:
                panel.add(name, values)
                if "minimum_norm" in result.series(f"{name}.reaction.{kind}").notes:
                    panel.note = SMALLEST
        panel.more += 0 if joints else len(shown) - len(chosen)
        out.append(panel)
    return [panel for panel in out if panel.lines]
