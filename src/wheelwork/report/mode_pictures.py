"""Pictures of vibration: mode shapes, Campbell diagrams, frequency responses, sweeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from wheelwork.solve.vibration import Campbell, FrequencyResponse, Mode, Modes, Sweep

FIRST = 6
"""Modes in a picture where none are named."""
REST, MOVED, STRAIN = "0.7", "tab:blue", "tab:orange"


def draw_modes(modes: Modes, numbers: Sequence[int] = ()) -> Figure:
    """One row a mode: the bodies at rest and moved, how much each moves, where the strain energy is."""
    from matplotlib import pyplot as plt

    wrong = [k for k in numbers if not 1 <= k <= len(modes)]
    if wrong:
        raise ValueError(f"there are modes 1 to {len(modes)}, but not {wrong[0]}")
    chosen = [modes[k - 1] for k in numbers] or [mode for mode in modes if mode.natural_frequency > 0][:FIRST]
    chosen = chosen or list(modes)[:FIRST]
    if not chosen:
        raise ValueError("the mechanism has no freedom, and so no modes")
    figure, axes = plt.subplots(
        len(chosen), 3, squeeze=False, figsize=(11, 0.6 + 2.6 * len(chosen)), layout="constrained"
    )
    for row, mode in zip(axes, chosen, strict=True):
        _draw_bodies(row[0], modes, mode)
        _draw_motion(row[1], modes, mode)
        _draw_strain(row[2], mode)
        words = [f"mode {mode.number}: {mode.natural_frequency:.5g} Hz"]
        if np.isfinite(mode.damping) and mode.damping > 1e-9:
            words.append(f"damping {100 * mode.damping:.2g} %")
        words += [mode.kind] if mode.kind else []
        row[0].set_title(", ".join(words), fontsize="medium", loc="left")
    return figure


def _draw_bodies(axis: Any, modes: Modes, mode: Mode) -> None:
    """Circles of the radius of gyration, seen across the plane in which the bodies spread most."""
    motion = modes.linear.at.motion
    places, shape = motion.x[0], np.real(mode.readable(np.ones(len(modes.bodies))))
    u, v = _view(places)
    w = np.cross(u, v)
    flat = np.column_stack([places @ u, places @ v])
    size = max(float(np.ptp(flat, axis=0).max()), 2 * float(modes.lengths.max()))
    moved = np.column_stack([shape[:, :3] @ u, shape[:, :3] @ v])
    turned = shape[:, 3:] @ w
    most = max(float(np.abs(moved).max()) / (0.12 * size), float(np.abs(turned).max()) / 0.35, 1e-300)
    around = np.linspace(0, 2 * np.pi, 60)
    for k in range(len(modes.bodies)):
        r = max(modes.lengths[k], 0.01 * size)
        for center, angle, colour in (
            (flat[k], 0.0, REST),
            (flat[k] + moved[k] / most, turned[k] / most, MOVED),
        ):
            axis.plot(center[0] + r * np.cos(around), center[1] + r * np.sin(around), color=colour, lw=1)
            spoke = center + r * np.array([np.cos(angle), np.sin(angle)])
            axis.plot([center[0], spoke[0]], [center[1], spoke[1]], color=colour, lw=1)
    axis.set_aspect("equal", adjustable="datalim")
    axis.set_axis_off()


def _view(places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two directions across the picture: along the world's axes, without the one of least extent."""
    spread = np.ptp(places, axis=0)
    least = 2 - int(np.argmin(spread[::-1]))  # z where several are least
    u, v = [(1, 2), (0, 2), (0, 1)][least]
    eye = np.eye(3)
    return eye[u], eye[v]


def _draw_motion(axis: Any, modes: Modes, mode: Mode) -> None:
    rows = mode.moving(0.005)[:10][::-1]
    names = [name for name, _, _ in rows]
    moving, turning = (np.array([row[k] for row in rows]) for k in (1, 2))
    axis.barh(names, moving, color=MOVED, label="translation")
    axis.barh(names, turning, left=moving, color="tab:green", label="rotation")
    axis.set_xlim(0, 1)
    axis.set_title("kinetic energy", fontsize="small")
    axis.tick_params(labelsize="small")
    axis.legend(fontsize="x-small", loc="lower right")


def _draw_strain(axis: Any, mode: Mode) -> None:
    rows = mode.straining(0.005)[:10][::-1]
    axis.barh([name for name, _ in rows], [share for _, share in rows], color=STRAIN)
    axis.set_xlim(min(0.0, *(share for _, share in rows), 0.0), 1)
    axis.set_title("strain energy", fontsize="small")
    axis.tick_params(labelsize="small")


def draw_campbell(campbell: Campbell) -> Figure:
    """Above: frequencies (thick: forward, thin: backward whirl), order lines, critical values; below: damping."""
    from matplotlib import pyplot as plt

    figure, (top, below) = plt.subplots(
        2, 1, sharex=True, figsize=(8, 7), layout="constrained", height_ratios=[3, 1]
    )
    shown = [
        k for k in range(campbell.frequencies.shape[1]) if np.any(campbell.natural_frequencies[:, k] > 0)
    ]
    for k in shown:
        forward, backward = np.max(campbell.whirl[:, k]) > 0.5, np.min(campbell.whirl[:, k]) < -0.5
        style = {"lw": 2.2 if forward else 1.2, "ls": "--" if backward and not forward else "-"}
        (line,) = top.plot(campbell.values, campbell.natural_frequencies[:, k], **style)
        below.plot(campbell.values, 100 * campbell.damping[:, k], color=line.get_color(), **style)
    limit = 1.1 * float(np.max(campbell.natural_frequencies[:, shown], initial=0.0)) or 1.0
    reach = (
        max((abs(order) for order in campbell.orders), default=0.0)
        * np.abs(campbell.values).max()
        / (2 * np.pi)
    )
    if reach:
        limit = min(limit, 1.5 * float(reach))  # what no order reaches would press the rest together
    for order in campbell.orders:
        top.plot(campbell.values, order * campbell.values / (2 * np.pi), color="0.6", lw=1, ls=":")
        top.annotate(
            f"{order:g}x",
            (campbell.values[-1], min(limit, order * campbell.values[-1] / (2 * np.pi))),
            color="0.4",
        )
    for point in campbell.criticals():
        top.plot(point.value, point.frequency, "o", color="tab:red", ms=5)
    unit = campbell.first.linear.at.prepared.flat.parameter_units.get(campbell.parameter, "")
    below.set_xlabel(f"{campbell.parameter} [{unit}]" if unit else campbell.parameter)
    top.set_ylabel("frequency [Hz]")
    below.set_ylabel("damping ratio [%]")
    if np.nanmax(np.abs(campbell.damping), initial=0.0) < 1e-9:
        below.set_ylim(-0.1, 1)
    top.set_ylim(0, limit)
    for axis in (top, below):
        axis.grid(True, alpha=0.3)
        axis.margins(x=0)
    return figure


def draw_sweep(sweep: Sweep, signals: Sequence[str], what: str = "rms") -> Figure:
    """Response curves, up and down; shares of time without contact below, if they were measured."""
    from matplotlib import pyplot as plt

    contacts = [str(name) for name in sweep.dataset["contact"].to_numpy()] if "open" in sweep.dataset else []
    rows = len(signals) + bool(contacts)
    figure, axes = plt.subplots(
        rows, 1, sharex=True, squeeze=False, figsize=(8, 1 + 2.8 * rows), layout="constrained"
    )
    styles = {"up": {"marker": "^", "color": "tab:blue"}, "down": {"marker": "v", "color": "tab:orange"}}
    for axis, signal in zip(axes[:, 0], signals, strict=False):
        found = sweep[signal]
        for way in found["direction"].to_numpy():
            y = found[what].sel(direction=way).to_numpy()
            axis.plot(sweep.values, y, ms=3, lw=1, label=str(way), **styles[str(way)])
        axis.set_ylabel(f"{what} of {signal} [{found['unit'].item()}]", fontsize="small")
        axis.legend(fontsize="small")
    for name in contacts:
        for way in sweep.dataset["direction"].to_numpy():
            y = 100 * sweep.dataset["open"].sel(direction=way, contact=name).to_numpy()
            axes[-1, 0].plot(sweep.values, y, ms=3, lw=1, label=f"{name}, {way}", **styles[str(way)])
        axes[-1, 0].set_ylabel("without contact [% of time]", fontsize="small")
        axes[-1, 0].legend(fontsize="small")
    unit = sweep.dataset[sweep.parameter].attrs.get("units", "")
    axes[-1, 0].set_xlabel(f"{sweep.parameter} [{unit}]" if unit else sweep.parameter)
    for axis in axes[:, 0]:
        axis.grid(True, alpha=0.3)
        axis.margins(x=0.01)
    return figure


def draw_orbit(sweep: Sweep, x: str, y: str, value: float, direction: str) -> Figure:
    """Phase portrait of one steady motion, one sample a period marked."""
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(5, 5), layout="constrained")
    pair = [
        sweep[name].sel(direction=direction).sel({sweep.parameter: value}, method="nearest")
        for name in (x, y)
    ]
    axis.plot(*(one["history"].to_numpy() for one in pair), lw=1)
    if "section" in sweep.dataset:
        axis.plot(*(one["section"].to_numpy() for one in pair), "o", ms=4, color="tab:red")
    for one, label, name in zip(pair, (axis.set_xlabel, axis.set_ylabel), (x, y), strict=True):
        label(f"{name} [{one['unit'].item()}]")
    axis.set_title(
        f"{sweep.parameter} = {float(pair[0][sweep.parameter]):.5g}, {direction}", fontsize="medium"
    )
    axis.grid(True, alpha=0.3)
    return figure


def draw_response(response: FrequencyResponse) -> Figure:
    """Magnitude (logarithmic) and phase over frequency."""
    from matplotlib import pyplot as plt

    figure, (top, below) = plt.subplots(
        2, 1, sharex=True, figsize=(8, 6), layout="constrained", height_ratios=[2, 1]
    )
    for k, name in enumerate(response.signals):
        top.semilogy(
            response.frequencies, np.abs(response.values[:, k]), label=f"{name} [{response.units[k]}]"
        )
        below.plot(response.frequencies, np.degrees(np.angle(response.values[:, k])))
    top.set_ylabel(f"amplitude per unit of {response.input}")
    below.set_ylabel("phase [deg]")
    below.set_xlabel("frequency [Hz]")
    below.set_yticks(range(-180, 181, 90))
    top.legend(fontsize="small")
    for axis in (top, below):
        axis.grid(True, alpha=0.3)
        axis.margins(x=0)
    return figure
