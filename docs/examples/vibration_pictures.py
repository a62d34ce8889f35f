"""Pictures of gears that vibrate; `make_pictures.py` draws them with the others."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np

TESTS = Path(__file__).parents[2] / "tests" / "examples"


def _harmonic_balance() -> Any:
    """The second route of the tests, whose curve has the branch that no machine stays on."""
    spec = importlib.util.spec_from_file_location("harmonic_balance", TESTS / "harmonic_balance.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["harmonic_balance"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def backlash_pair(tools: Any) -> None:
    I1, I2, k, load, zeta, error = 1.5e-3, 8e-3, 2e8, 100.0, 0.03, 2.5e-6
    r1, r2 = (z * 1.5e-3 * np.cos(np.radians(20)) for z in (25, 40))
    mass = I1 * I2 / (r1**2 * I2 + r2**2 * I1)
    natural = np.sqrt(k / mass)
    te, force = "mesh.transmission_error", "mesh.force.transverse"
    s = tools.model("backlash-pair").sweep(
        "speed",
        np.linspace(0.7, 1.2, 101) * natural / 25,
        signals=[te, force],
        contacts=["mesh.side"],
        frequency="speed/(2*pi)",
        settle=15,
        measure=1,
        samples=800,
        both=True,
        histories=True,
        rtol=1e-7,
    )
    damping = 2 * zeta * np.sqrt(k * mass) + 0.02 * (mass * r1 / I1) ** 2
    oscillator = _harmonic_balance().Oscillator(mass, damping, k, 0.1e-3, load / r1, error)
    w, motions = oscillator.curve(0.7 * natural, 1.2 * natural)
    figure = tools.Figure(figsize=(9.5, 5.6), dpi=130, facecolor="white")
    axes = figure.subplots(2, 2, gridspec_kw={"width_ratios": [1.4, 1]})
    figure.subplots_adjust(left=0.065, right=0.985, bottom=0.09, top=0.94, wspace=0.2, hspace=0.42)
    (response, portrait), (factor, history) = axes
    for axis in axes.flat:
        tools.style(axis)
    f = s.values * 25 / (2 * np.pi)
    response.plot(
        w / (2 * np.pi),
        oscillator.rms(motions) * 1e6,
        color=tools.FAINT,
        linewidth=1.6,
        label="harmonic balance",
    )
    ways = (("up", tools.BLUE, ">"), ("down", tools.ORANGE, "<"))
    for way, color, marker in ways:
        options = {
            "color": color,
            "marker": marker,
            "markersize": 3,
            "linestyle": "none",
            "label": f"speed {way}",
        }
        response.plot(f, s[te]["rms"].sel(direction=way) * 1e6, **options)
        factor.plot(f, s[force]["greatest"].sel(direction=way) / (load / r1), **options)
    tools.title(response, "transmission error, rms [µm]", "")
    tools.title(factor, "greatest tooth force, in static ones", "tooth meshes per second [Hz]")
    parted = s.dataset["open"].isel(contact=0).max("direction").to_numpy() > 0
    factor.axvspan(f[parted].min(), f[parted].max(), color=tools.FAINT, alpha=0.18, linewidth=0)
    factor.text(f[parted].mean(), 1.35, "teeth part", fontsize=8, color=tools.INK, ha="center")
    value = 0.87 * natural / 25
    for way, color, _ in ways:
        one = s[te].sel(direction=way).isel(speed=int(np.argmin(np.abs(s.values - value))))
        u = one["history"].to_numpy()[:97] * 1e6
        dt = float(one["time_step"])
        rate = np.gradient(u, dt) * 1e-3
        portrait.plot(
            u[5:70], rate[5:70], color=color, linewidth=1.2, label=f"speed {way}"
        )  # two of 32 samples
        pushed = s[force].sel(direction=way).isel(speed=int(np.argmin(np.abs(s.values - value))))["history"]
        history.plot(np.arange(97) * dt * 1e3, pushed.to_numpy()[:97] / 1e3, color=color, linewidth=1.2)
    portrait.axvline(100, color=tools.FAINT, linewidth=0.8, linestyle=":")
    portrait.margins(0.05)
    tools.title(portrait, f"speed [mm/s] over transmission error [µm] at {value * 25 / 2 / np.pi:.0f} Hz", "")
    tools.title(history, "tooth force [kN] at that frequency", "time [ms]")
    for axis, where in ((response, "upper right"), (factor, "upper left")):
        axis.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, loc=where)
    figure.savefig(tools.FOLDER / "backlash-pair.png", metadata={"Software": None})


def mesh_phasing(tools: Any) -> None:
    m = tools.model("mesh-phasing")
    r = m.run(end=0.02, output=20)
    picture = tools.Picture(2, split=0.42, height=4.4)
    picture.mechanism(r, 0.0, yaw=-np.pi / 2, pitch=0.0)
    over_angle, over_time = picture.panels
    angles = np.radians(np.linspace(0, 10, 41))
    for speed, color in ((80.0, tools.GREEN), (100.0, tools.BLUE), (130.0, tools.PURPLE)):
        s = m.sweep(
            "angle",
            angles,
            signals=["output.acceleration"],
            frequency="speed/(2*pi)",
            settle=14,
            measure=1,
            samples=720,
            parameters={"speed": speed},
            rtol=1e-7,
        )
        rms = s["output.acceleration"]["rms"].to_numpy().ravel()
        over_angle.plot(np.degrees(angles), rms, color=color, linewidth=1.3, label=f"{speed:.0f} rad/s")
    over_angle.set_ylim(0)
    tools.title(over_angle, "acceleration of the output, rms [rad/s²]", "angle between the wheels [deg]")
    for angle, color, label in (
        (0.14, tools.ORANGE, "worst, 0.14 deg"),
        (5.14, tools.BLUE, "best, 5.14 deg"),
    ):
        r = m.with_parameters(angle=np.radians(angle)).run(end=0.8, output=16_000)
        late = (r.t > 0.78) & (r.t < 0.79)
        over_time.plot(r.t[late], r["output.acceleration"][late], color=color, linewidth=1.2, label=label)
    over_time.set_ylim(-170, 260)
    over_time.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=2, loc="upper right")
    tools.title(over_time, "acceleration of the output at 100 rad/s [rad/s²]")
    picture.save("mesh-phasing")


def idle_gear_rattle(tools: Any) -> None:
    m = tools.model("idle-gear-rattle")
    picture = tools.Picture(3, split=0.0, height=5.4)
    gap, force, rate = picture.panels
    for severity, color in ((0.95, tools.GREEN), (1.1, tools.BLUE), (1.5, tools.ORANGE)):
        r = m.with_parameters(severity=severity).run(end=0.6, output=24_000)
        part = r.t > 0.48
        lead = r["mesh.transmission_error"][part] * 1e6
        gap.plot(r.t[part], lead, color=color, linewidth=1.2, label=f"swing {severity:g} of the threshold")
        force.plot(r.t[part], r["mesh.force.transverse"][part], color=color, linewidth=0.9)
    for flank in (150, -150):
        gap.axhline(flank, color=tools.FAINT, linewidth=0.8, linestyle=":")
    gap.set_ylim(-170, 260)
    gap.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=3, loc="upper center")
    tools.title(gap, "lead of the pinion [µm]; dotted: flanks touch", "")
    tools.title(force, "tooth force [N]; negative: on back flanks", "time [s]")
    severities = np.linspace(0.8, 3.0, 45)
    front, back = [], []
    for severity in severities:
        r = m.with_parameters(severity=severity).run(end=0.8, output=16_000)
        side = r["mesh.side"].to_numpy()[r.t >= 0.4]
        for found, flank in ((front, 1), (back, -1)):
            found.append(np.sum((side[:-1] == 0) & (side[1:] == flank)) / 10)
    rate.plot(
        severities, front, color=tools.PURPLE, marker=".", markersize=4, linewidth=0.8, label="front flanks"
    )
    rate.plot(
        severities, back, color=tools.ORANGE, marker=".", markersize=4, linewidth=0.8, label="back flanks"
    )
    rate.axvline(1, color=tools.FAINT, linewidth=1)
    tools.title(rate, "impacts in a cycle", "swing of the wheel's inertia torque, in drags")
    picture.save("idle-gear-rattle")


def load_sharing(tools: Any) -> None:
    m = tools.model("load-sharing")
    even = 300 / (3 * 24e-3 * np.cos(np.radians(20)))
    picture = tools.Picture(2, split=0.42, height=4.4)
    r = m.run(end=0.02, output=20)
    picture.mechanism(r, 0.0, yaw=-np.pi / 2, pitch=0.0)
    moving, static = picture.panels
    for bearing, line in ((1e9, "-"), (1e4, "--")):
        r = m.with_parameters(sun_bearing=bearing).run(end=0.15, output=6000)
        late = (r.t > 0.14) & (r.t < 0.145)
        for n, color in ((1, tools.BLUE), (2, tools.ORANGE), (3, tools.GREEN)):
            share = r[f"sun{n}.force.transverse"][late] / even
            label = f"planet {n}" if line == "-" else ("sun floating" if n == 1 else None)
            moving.plot(r.t[late], share, line, color=color, linewidth=1.2, label=label)
    moving.set_ylim(0, 3.2)
    moving.legend(fontsize=7.5, labelcolor=tools.INK, frameon=False, ncols=4, loc="upper center")
    tools.title(moving, "share of the load, in thirds, in motion", "time [s]")
    bearings = np.geomspace(1e6, 1e11, 16)
    for error, color in ((-10e-6, tools.GREEN), (-30e-6, tools.BLUE), (-50e-6, tools.PURPLE)):
        factor = []
        for bearing in bearings:
            at = m.with_parameters(sun_bearing=bearing, e1=error, error=0).equilibrium()
            factor.append(max(float(at[f"sun{n}.force.transverse"]) for n in (1, 2, 3)) / even)
        static.semilogx(
            bearings, factor, color=color, linewidth=1.3, label=f"pin 1 {-error * 1e6:.0f} µm back"
        )
    tools.title(static, "factor of load sharing, at rest", "stiffness of the sun's bearing [N/m]")
    picture.save("load-sharing")
