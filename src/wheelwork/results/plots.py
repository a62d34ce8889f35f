"""Signals over time as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .result import Result


def plot(result: Result, names: Sequence[str]) -> Figure:
    """One panel for each unit, time below; vectors show all their components."""
    if not names:
        raise ValueError("name at least one signal, such as r.plot('hinge.angle'); r.names lists them")
    from matplotlib import pyplot as plt

    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(result[name].attrs["units"], []).append(name)
    figure, axes = plt.subplots(
        len(panels), 1, sharex=True, squeeze=False, figsize=(7, 1.2 + 2.2 * len(panels)), layout="constrained"
    )
    for axis, (unit, members) in zip(axes[:, 0], panels.items(), strict=True):
        for name in members:
            draw(axis, result, name)
        label_axis(axis, unit, members[0] if len(members) == 1 else "")
    axes[-1, 0].set_xlabel("time [s]")
    return figure


def draw(axis: Any, result: Result, name: str, **style: Any) -> None:
    """The lines of one signal."""
    array = result[name]
    parts = [str(c) for dim in array.dims if dim != "time" for c in array[dim].to_numpy()]
    values = array.to_numpy().reshape(len(result.t), -1)
    for k in range(values.shape[1]):
        axis.plot(result.t, values[:, k], label=f"{name}.{parts[k]}" if parts else name, **style)


def label_axis(axis: Any, unit: str, name: str = "") -> None:
    """Unit on the axis; a legend where there is more than one line."""
    shown = "" if unit == "1" else f"[{unit}]"
    if name and len(axis.lines) == 1:
        axis.set_ylabel(f"{name} {shown}".strip())
    else:
        axis.set_ylabel(shown)
        axis.legend(loc="upper right", fontsize="small")
    axis.grid(True, alpha=0.3)
    axis.margins(x=0)
