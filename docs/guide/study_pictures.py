"""The worked cases of the page about studies; `tests/studies/test_cases.py` compares them with the formulas."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import wheelwork as ww
from wheelwork import examples
from wheelwork.show.figures.study import study_figure

FORCES = ("sun1", "sun2", "sun3")
COS = np.cos(np.radians(20))
PATH = 1 / (1 / 2e8 + 1 / 2.5e8)
"""k_p of the example `load-sharing`, N/m: a planet's teeth at sun and ring, one behind the other."""
PIN = 2 * COS * PATH * 1e9 / (1e9 + 1.5 * PATH)
"""Force on a planet's teeth for its pin's error, N/m, with the sun on a bearing of 1e9 N/m."""
SHARE = 300 / (3 * 24 * 2e-3 / 2 * COS)
"""A third of the load on the teeth, N."""
STROBED = 24
"""Periods of which each gives a sample of the bifurcation diagram."""
SETTLED = 701
"""Periods before them; together they are whole turns of the pinion of 25 teeth."""


def factor_map(speeds: int = 81, stiffnesses: int = 17) -> Any:
    """Dynamic factor of the gear pair over speed and stiffness; errors so small that the teeth stay in contact."""
    return ww.Study(
        ww.load(examples.path("backlash-pair")).with_parameters(error="0.5 um"),
        vary={
            "speed": f"400 rad/s to 800 rad/s in {speeds}",
            "k": f"1.2e8 N/m to 2.8e8 N/m in {stiffnesses}",
        },
        measures={"factor": "dynamic_factor(mesh)"},
        end="0.05 s",
        run_in="0.03 s",
        samples=2000,
        rtol=1e-6,
    ).run()


def factor_formula(speed: Any, k: Any) -> Any:
    """Of the linear oscillator m_e d'' + c d' + k d = F - m_e e'': 1 + amplitude of the force over its mean."""
    m_e = 1 / ((25 * 1.5e-3 * COS) ** 2 / 1.5e-3 + (40 * 1.5e-3 * COS) ** 2 / 8e-3)
    r = 25 * speed / np.sqrt(k / m_e)
    amplitude = 0.5e-6 * r**2 * np.sqrt((1 + (0.06 * r) ** 2) / ((1 - r**2) ** 2 + (0.06 * r) ** 2))
    return 1 + amplitude * k / (100 / (25 * 1.5e-3 * COS))


def resonance(k: Any) -> Any:
    """Speed at which the tooth frequency is the natural one, rad/s."""
    m_e = 1 / ((25 * 1.5e-3 * COS) ** 2 / 1.5e-3 + (40 * 1.5e-3 * COS) ** 2 / 8e-3)
    return np.sqrt(k / m_e) / 25


def tolerances(count: int = 400, carrier_drives: bool = False) -> Any:
    """Load sharing of three planets whose pins are off by 10 um (standard deviation), the sun on a stiff bearing."""
    text = Path(examples.path("load-sharing")).read_text(encoding="utf-8")
    if carrier_drives:  # the other flanks carry
        text = text.replace("load: 300 N*m", "load: -300 N*m")
        text = text.replace("offset: play/2 +", "offset: -play/2 +").replace(
            "offset: -play/2 -", "offset: play/2 -"
        )
    return ww.Study(
        ww.loads(text).with_parameters(e1="0 um"),
        vary={name: "10 um normal" for name in ("e1", "e2", "e3")},
        measures={
            "sharing": f"load_sharing({', '.join(FORCES)})",
            **{name: f"mean({name}.force.transverse)" for name in FORCES},
        },
        count=count,
        sampling="latin hypercube",
        end="0.06 s",
        run_in="0.04 s",
        samples=500,
        rtol=1e-6,
    ).run()


def sharing_formula(table: Any, carrier_drives: bool = False) -> np.ndarray:
    """K = 1 + max of -+ c (e_n - mean e)/F: a pin that is ahead carries less where the sun drives."""
    e = np.array([table[name].values for name in ("e1", "e2", "e3")])
    sign = 1.0 if carrier_drives else -1.0
    return 1 + np.max(sign * PIN * (e - e.mean(axis=0)) / SHARE, axis=0)


def light_pair() -> Any:
    """The pair under 30 N m at 1150 rad/s, 1.84 times its natural frequency."""
    return ww.load(examples.path("backlash-pair")).with_parameters(speed="1150 rad/s", load="30 N*m")


def bifurcation(values: int = 161) -> Any:
    """One sample a tooth period, after many, over the amplitude of the transmission error."""
    period = 2 * np.pi / (25 * 1150)
    return ww.Study(
        light_pair(),
        vary={"error": f"2 um to 8 um in {values}"},
        measures={"section": "history(mesh.transmission_error)"},
        end=(SETTLED + STROBED) * period,
        run_in=SETTLED * period,
        samples=STROBED,
        rtol=1e-7,
    ).run()


def swept(values: np.ndarray) -> Any:
    """The same by a sweep that starts again at each value."""
    signal = "mesh.transmission_error"
    given = {"settle": SETTLED, "measure": STROBED, "samples": 16, "restart": True, "rtol": 1e-7}
    found = light_pair().sweep(
        "error", values, signals=[signal], frequency="speed*z1/(2*pi)", progress=False, **given
    )
    return found.dataset["section"].sel(signal=signal, direction="up")


def parting() -> float:
    """Amplitude of the error from which on the teeth part: that of the deflection is what the load presses, m."""
    pressed = 30 / (25 * 1.5e-3 * COS) / 2e8
    r = 1150 / resonance(2e8)
    return float(pressed * np.sqrt((1 - r**2) ** 2 + (0.06 * r) ** 2) / r**2)


SCATTER = 50.0
"""Standard deviation of the common torque of the yaw drive, and of what each motor has besides, N m."""
KEPT = Path(__file__).parent / "yaw_monte_carlo.json"
"""What a million variants gave on a graphics processor: `benchmarks/device_kernel.py` writes it."""


def yaw_torques(count: int) -> ww.Study:
    """The yaw drive with motors whose torques scatter; its second second is measured."""
    force = "mesh1.force.transverse"
    return ww.Study(
        ww.load(examples.path("yaw-drive")),
        vary={name: f"{SCATTER:g} N*m normal" for name in ("torque", "extra1", "extra2", "extra3", "extra4")},
        measures={"mean": f"mean({force})", "peak": f"greatest({force})"},
        count=count,
        end="2 s",
        run_in="1 s",
        samples=2000,
        method="rk4",
        step=1e-5,
    )


def yaw_kept() -> dict[str, Any]:
    return json.loads(KEPT.read_text(encoding="utf-8"))


def yaw_formula() -> tuple[float, float]:
    """Mean and standard deviation of the mean force of mesh 1, N: each pinion carries the torque of its own motor.

    F = (T + T_1)/r_b, with the base radius of the pinion; T and T_1 scatter by `SCATTER` each, about 2 kN m and zero.
    """
    radius = 18 * 15e-3 / 2 * COS
    return 2000.0 / radius, np.sqrt(2) * SCATTER / radius


# -- pictures


def saved(tools: Any, figure: Any, name: str) -> None:
    tools.save(figure, name, tools.STATIC / "figures")


def study_map(tools: Any) -> None:
    table = factor_map()
    figure = study_figure(table, "factor", "map", theme="light")
    axis = figure.axes[0]
    mega = 1e-6  # the figure has k in MN/m
    axis.plot(resonance(table.k), mega * table.k, color="white", linewidth=1.5, linestyle=(0, (5, 3)))
    axis.annotate(
        "25 speed = √(k/m)",
        (resonance(1.5e8), mega * 1.5e8),
        (8, -4),
        textcoords="offset points",
        color="white",
    )
    saved(tools, figure, "study-map")


def study_tolerances(tools: Any) -> None:
    figure, (left, right) = tools.gear_figure(2)
    for axis, drives in ((left, False), (right, True)):
        table = tolerances(carrier_drives=drives)
        x = table.e1.values - (table.e1 + table.e2 + table.e3).values / 3
        share = np.abs(table.sun1.values) / SHARE
        axis.plot(1e6 * x, share, ".", color=tools.BLUE, markersize=3, label="study")
        ends = np.array([x.min(), x.max()])
        line = 1 + (1 if drives else -1) * PIN * ends / SHARE
        axis.plot(1e6 * ends, line, color=tools.ORANGE, label="formula")
        text = f"{'carrier' if drives else 'sun'} drives; greatest share {np.percentile(table.sharing, 95):.2f} at 95 %"
        tools.gear_style(
            axis, text, "pin of planet 1 ahead of the mean [µm]", "its part of a third of the load"
        )
    saved(tools, figure, "study-tolerances")


def study_bifurcation(tools: Any) -> None:
    table = bifurcation()
    chosen = table.error.values[::8]
    own = swept(chosen)
    figure, (axis,) = tools.gear_figure(1, height=4)
    error = 1e6 * np.repeat(table.error.values[:, None], STROBED, axis=1)
    axis.plot(error, 1e6 * table["section"].values[:, 1:], ".", color=tools.BLUE, markersize=1.5)
    axis.plot([], [], ".", color=tools.BLUE, label="study, one sample a period")
    points = 1e6 * np.repeat(chosen[:, None], own.shape[1], axis=1)
    axis.plot(
        points, 1e6 * own.values, "o", color=tools.ORANGE, fillstyle="none", markersize=5, markeredgewidth=0.7
    )
    axis.plot([], [], "o", color=tools.ORANGE, fillstyle="none", label="sweep")
    axis.axvline(
        1e6 * parting(), color=tools.INK, linewidth=0.8, linestyle=(0, (5, 3)), label="teeth begin to part"
    )
    tools.gear_style(axis, "", "amplitude of the error [µm]", "transmission error [µm]")
    saved(tools, figure, "study-bifurcation")


def study_monte_carlo(tools: Any) -> None:
    kept = yaw_kept()
    figure, (left, right) = tools.gear_figure(2)
    for name, text, color in (("mean", "mean", tools.BLUE), ("peak", "greatest", tools.ORANGE)):
        part = kept[name]
        edges = np.linspace(*part["edges"], len(part["counts"]) + 1)
        density = np.array(part["counts"]) / kept["variants"] / np.diff(edges)
        left.stairs(1e3 * density, 1e-3 * edges, fill=True, color=color, alpha=0.5, label=text)
        levels = {float(level): value for level, value in part["percentiles"].items()}
        tail = {level: value for level, value in levels.items() if level >= 50}
        beyond = [1 - level / 100 for level in tail]
        right.semilogy(1e-3 * np.array([*tail.values()]), beyond, "o", color=color, markersize=4, label=text)
    mean, deviation = yaw_formula()
    force = np.linspace(mean - 4.5 * deviation, mean + 4.5 * deviation, 200)
    normal = np.exp(-(((force - mean) / deviation) ** 2) / 2) / (np.sqrt(2 * np.pi) * deviation)
    left.plot(1e-3 * force, 1e3 * normal, color=tools.INK, linewidth=1, label="formula of the mean")
    upper = mean + deviation * np.linspace(0, 3.9, 100)
    right.semilogy(
        1e-3 * upper,
        [0.5 * math.erfc(z / math.sqrt(2)) for z in np.linspace(0, 3.9, 100)],
        color=tools.INK,
        linewidth=1,
        label="formula of the mean",
    )
    tools.gear_style(left, "a million variants", "force of mesh 1 [kN]", "density [1/kN]")
    right.set_xlim(15.6, 19.3)
    tools.gear_style(right, "how rare", "force of mesh 1 [kN]", "part of the variants above it")
    saved(tools, figure, "study-monte-carlo")
