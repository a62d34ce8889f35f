"""The yaw drive with four pinions in numbers for all sides: `yaw-drive.yaml` with teeth of constant stiffness.

Backlash and flexible shafts are as in the example; errors and the variation of the stiffness are left out, because
Exudyn's teeth have neither (but by functions in Python, which would not be its speed). The motors start it from rest in
the middle of the backlash: teeth meet, part and meet again for some tenths of a second, and settle at last.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import wheelwork as ww
from wheelwork.examples.yaw_drive import yaw_drive
from wheelwork.examples.yaw_drive.responses import base_radii

N = 4
END_TIME = 1.0
EXTRA = (200.0, -200.0, 100.0, -100.0)
"""Of the motors, so that no two pinions move alike [N m]."""
BODIES = (
    "gear",
    "nacelle",
    *(f"pinion{k}" for k in range(1, N + 1)),
    *(f"motor{k}" for k in range(1, N + 1)),
)


@dataclass(frozen=True)
class Numbers:
    """Of the drive; the gear and the nacelle turn the other way round."""

    inertias: np.ndarray
    """In the order of `BODIES`."""
    radii: tuple[float, float]
    """Base circles of pinion and gear [m]."""
    stiffness: float
    damping: float
    half: float
    """B, half of the backlash [m]."""
    shaft: tuple[float, float]
    gear_shaft: tuple[float, float]
    """Stiffness and damping."""
    torques: np.ndarray
    load: float
    drag: float
    speed: float


def describe() -> ww.Mechanism:
    """The drive for Wheelwork."""
    extra: dict[str, Any] = {f"extra{k}": value for k, value in enumerate(EXTRA, start=1)}
    m = yaw_drive(**extra)
    for mesh in m.meshes.values():
        plain = ww.GivenStiffness(value="mesh_stiffness")
        mesh.model = mesh.model.model_copy(update={"errors": (), "stiffness": plain})
    return m


@cache
def numbers() -> Numbers:
    m = describe()
    p = m.assemble().prepared.numbers.parameters
    inertias = [p["gear_inertia"], p["load_inertia"], *[p["pinion_inertia"]] * N, *[p["motor_inertia"]] * N]
    return Numbers(
        np.array(inertias),
        base_radii(m),
        p["mesh_stiffness"],
        p["mesh_damping"],
        p["backlash"] / 2,
        (p["shaft"], p["shaft_damping"]),
        (10 * p["shaft"], p["gear_shaft_damping"]),
        p["torque"] + np.array(EXTRA),
        p["load"],
        p["drag"],
        p["speed"],
    )


def right_hand_side():
    """rates(t, y) in NumPy, y = (angles, speeds) in the order of `BODIES`: the whole as few operations on arrays.

    Angles of pinions and motors are slices; nothing is allocated that need not be.
    """
    d = numbers()
    pinion, gear = d.radii
    k, c, B = d.stiffness, d.damping, d.half
    (k_s, c_s), (k_0, c_0) = d.shaft, d.gear_shaft
    n = len(BODIES)
    torques = np.zeros(n)
    out = np.empty(2 * n)
    clip = np.clip

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        x, v = y[:n], y[n:]
        u = pinion * x[2:6] + gear * x[0]
        force = k * (u - clip(u, -B, B)) + c * (pinion * v[2:6] + gear * v[0])
        twist = k_s * (x[6:] - x[2:6]) + c_s * (v[6:] - v[2:6])
        last = k_0 * (x[1] - x[0]) + c_0 * (v[1] - v[0])
        torques[0] = last - gear * force.sum()
        torques[1] = d.load - d.drag * (d.speed + v[1]) - last
        torques[2:6] = twist - pinion * force
        torques[6:] = d.torques - twist
        out[:n] = v
        out[n:] = torques / d.inertias
        return out.copy()

    return rates


def start() -> np.ndarray:
    return np.zeros(2 * len(BODIES))


@cache
def reference() -> np.ndarray:
    """Angles at the end, by SciPy's DOP853 at a tolerance of 1e-13 with steps that end at every contact."""
    d, rates = numbers(), right_hand_side()
    pinion, gear = d.radii
    events = [
        lambda t, y, i=i, s=s: pinion * y[2 + i] + gear * y[0] - s * d.half for i in range(N) for s in (1, -1)
    ]
    for event in events:
        event.terminal = True  # type: ignore[attr-defined]
    t, y = 0.0, start()
    while t < END_TIME:
        run = solve_ivp(rates, (t, END_TIME), y, method="DOP853", rtol=1e-13, atol=1e-15, events=events)
        t, y = float(run.t[-1]), run.y[:, -1]
        if t < END_TIME:  # past the contact, by less than its location is known to
            y = y + 1e-12 * rates(t, y)
            t += 1e-12
    return y[: len(BODIES)]


def error(angles: np.ndarray) -> float:
    """The largest of the angles' errors at the end [rad]."""
    return float(np.abs(np.asarray(angles) - reference()).max())
