"""Pictures of the examples with teeth in contact; `make_pictures.py` draws them with the others."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

CYCLES = (0.42, 0.5)
"""A few mesh cycles of the bench at its full speed [s]."""


def _panels(tools: Any, rows: int, height: float) -> tuple[Figure, list[Any]]:
    figure = Figure(figsize=(9.5, height), dpi=130, facecolor="white", layout="constrained")
    panels = list(figure.subplots(rows, 1, squeeze=False)[:, 0])
    for panel in panels:
        tools.style(panel)
    return figure, panels


def _save(tools: Any, figure: Figure, name: str) -> None:
    for panel in figure.axes:
        tools.legend(panel, loc="upper right")
    tools.save(figure, name)


def depth_error(r: Any) -> np.ndarray:
    """Dynamic transmission error of the front flanks [um], counted from where they just touch."""
    return (r["teeth.transmission_error"] - r["teeth.backlash"] / 2).to_numpy() * 1e6


def tooth_contact(tools: Any) -> None:
    """Figures 10 and 11 of the paper."""
    m = tools.model("tooth-contact")
    runs = {z: m.with_parameters(pinion_teeth=z).run(end=CYCLES[1], output=25000) for z in (20, 22)}
    figure, (whole, zoom, force) = _panels(tools, 3, 6.6)
    for z, color in ((20, tools.BLUE), (22, tools.RED)):
        r = runs[z]
        label = f"{z} and {3 * z // 2} teeth, contact ratio {z / 20:g}"
        whole.plot(r.t, depth_error(r), color=color, linewidth=1, label=label)
        zoom.plot(r.t, depth_error(r), color=color, linewidth=1.2)
    r = runs[22]
    for panel in (whole, force):
        panel.set_xlim(*CYCLES)
        panel.set_ylim(*((-0.2, 3.4) if panel is whole else (-0.4, 8.6)))
    zoom.set_xlim(*zoom_of(r))
    zoom.set_ylim(-0.2, 3.4)
    for pair, color, line in ((1, tools.ORANGE, "-"), (2, tools.PURPLE, "--")):
        normal = r[f"teeth.front.{pair}.force.normal"] / 1000
        force.plot(r.t, normal, line, color=color, linewidth=1.2, label=f"contact {pair}")
    for panel in (whole, force):
        two = r["teeth.pairs"].to_numpy() == 2
        panel.fill_between(r.t, 0, 1, where=two, color=tools.INK, alpha=0.08, linewidth=0,
                           transform=panel.get_xaxis_transform())  # fmt: skip
    tools.title(whole, "dynamic transmission error [µm]; shaded: two pairs of 22 and 33 teeth", "")
    tools.title(zoom, "the same, near one change of teeth", "")
    tools.title(force, "normal forces of 22 and 33 teeth [kN]")
    _save(tools, figure, "tooth-contact")


def zoom_of(r: Any) -> tuple[float, float]:
    """Around an interval of two pairs [s]."""
    two = (r["teeth.pairs"].to_numpy() == 2) & (r.t > CYCLES[0])
    begins = np.flatnonzero(~two[:-1] & two[1:])[2]
    ends = begins + np.flatnonzero(two[begins + 1 : -1] & ~two[begins + 2 :])[0]
    wide = r.t[ends] - r.t[begins]
    return float(r.t[begins] - wide), float(r.t[ends] + 1.5 * wide)


def tooth_contact_reversal(tools: Any) -> None:
    m = tools.model("tooth-contact")
    whole, r = m.run(), m.run(end=0.52, output=26000)
    figure, (speed, error, force) = _panels(tools, 3, 6.2)
    speed.plot(whole.t, whole["pinion.w.z"], color=tools.BLUE, linewidth=1.2, label="pinion")
    speed.plot(whole.t, -whole["gear.w.z"], color=tools.ORANGE, linewidth=1.2, label="gear, backwards")
    tools.title(speed, "speed [rad/s]; the torque changes its sign at 0.5 s", "")
    error.plot(r.t, r["teeth.transmission_error"] * 1e6, color=tools.BLUE, linewidth=1.2)
    half = r["teeth.backlash"] / 2 * 1e6
    for sign, label in ((1, "flanks of the forward stroke"), (-1, "flanks of reversal")):
        error.plot(r.t, sign * half, color=tools.FAINT, linewidth=1)
        at = {"ha": "right", "va": "top" if sign > 0 else "bottom", "textcoords": "offset points"}
        place = (0.52, sign * float(half[-1]))
        error.annotate(label, place, fontsize=7.5, color=tools.INK, xytext=(0, -3 * sign), **at)
    tools.title(error, "pinion against gear, along the line of action [µm]", "")
    for side, color in (("front", tools.BLUE), ("back", tools.RED)):
        total = sum(r[f"teeth.{side}.{k}.force.normal"] for k in (1, 2)) / 1000
        force.plot(r.t, total, color=color, linewidth=1.2, label=f"{side} flanks of the pinion")
    tools.title(force, "normal force [kN]")
    for panel in (error, force):
        panel.set_xlim(0.498, 0.52)
    _save(tools, figure, "tooth-contact-reversal")


def gear_rattle(tools: Any) -> None:
    m = tools.model("gear-rattle")
    ripples = (100, 250, 800)
    figure, panels = _panels(tools, len(ripples), 5.2)
    for panel, ripple in zip(panels, ripples, strict=True):
        r = m.with_parameters(ripple=f"{ripple} rad/s^2").run()
        panel.plot(r.t, r["teeth.transmission_error"] * 1e6, color=tools.BLUE, linewidth=1.1)
        for side in (1, -1):
            panel.axhline(side * r["teeth.backlash"][0].item() / 2 * 1e6, color=tools.FAINT, linewidth=1)
        panel.set_ylim(-48, 48)
        last = ripple == ripples[-1]
        tools.title(panel, f"{ripple} rad/s²: shaft against loose gear [µm]", "time [s]" if last else "")
    _save(tools, figure, "gear-rattle")


def planetary_contact(tools: Any) -> None:
    r, picture, (total, pairs) = tools.example("planetary-contact", 0.0, 2, split=0.4, yaw=-1.2, pitch=0.9)
    part = r.t > 0.0895
    for mesh, color in (("sun1", tools.BLUE), ("ring1", tools.ORANGE)):
        force = np.abs(r[f"{mesh}.force.transverse"])[part] / 1000
        total.plot(r.t[part], force, color=color, linewidth=1.2, label=f"{mesh[:-1]} and planet")
    total.set_ylim(0, 2.4)
    tools.title(total, "force between the teeth [kN]", "")
    for k, color in ((1, tools.BLUE), (2, tools.TEAL)):
        pairs.plot(r.t[part], r[f"sun1.front.{k}.force.normal"][part] / 1000, color=color, linewidth=1.2,
                   label=f"sun, contact {k}")  # fmt: skip
    for k, color in ((1, tools.ORANGE), (2, tools.RED)):
        pairs.plot(r.t[part], r[f"ring1.back.{k}.force.normal"][part] / 1000, "--", color=color, linewidth=1.2,
                   label=f"ring, contact {k}")  # fmt: skip
    pairs.set_ylim(0, 2.4)
    pairs.legend(fontsize=7, labelcolor=tools.INK, frameon=False, ncols=4, loc="upper center")
    tools.title(pairs, "pairs of teeth [kN]")
    picture.save("planetary-contact")
