"""Drives of one freedom that dry frictions hold, judged by statics: when they give way, with what torques.

Up to four shafts, some of them light, are geared rigidly to the first; frictions and brakes, each with a friction at
rest of its own, sit on any of them in any order, against a load that grows with time. All give way together where the
load is the sum of their limits; how fast they are then has a closed form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from wheelwork import description as ww
from wheelwork.mechanism import Mechanism

from .comparing import run_quietly

GIVES_WAY, END = 0.1, 0.15  # s
EARLY = 1e-6
"""Of the load: within which it gives way. Frictions that share it are told apart to 1e-7 of the largest force."""


@dataclass(frozen=True)
class Held:
    """A drive with what statics says of it.

    m: the drive
    turns [1]: speed of the shaft of each friction over that of the first, by name
    sliding, resting [N m]: of each friction
    load [N m/s], inertia [kg m^2]: all of it, at the first shaft
    """

    m: Mechanism
    turns: dict[str, float]
    sliding: dict[str, float]
    resting: dict[str, float]
    load: float
    inertia: float


def random_held(seed: int) -> Held:
    """Drive number `seed`."""
    rng = np.random.default_rng([seed, 12])
    m = Mechanism("held", gravity=(0, 0, 0))
    speeds = {"shaft0": 1.0} | {
        f"shaft{k}": float(rng.choice([-1, 1]) * 2.0 ** rng.uniform(-2, 2))
        for k in range(1, rng.integers(1, 5))
    }
    inertia = 0.0
    for name, speed in speeds.items():
        own = float(10.0 ** rng.uniform(-8, 0)) if name != "shaft0" else float(rng.uniform(0.1, 1))
        m.add(name, ww.Rotor(inertia=own, axis=(0.0, 0.0, 1.0)))
        inertia += own * speed**2
        if name != "shaft0":
            m.add(f"gear-{name}", ww.Ratio(bodies=("shaft0", name), ratio=1 / speed, support="ground"))
    turns, sliding, resting = {}, {}, {}
    for k in rng.permutation(int(rng.integers(1, 5))):
        name, shaft = f"friction{k}", str(rng.choice(list(speeds)))
        turns[name], sliding[name] = speeds[shaft], float(rng.uniform(0.1, 1.0))
        ratio = float(rng.choice([1.0, 1.3, 1.7]))
        resting[name] = ratio * sliding[name]
        joint = f"{shaft}.bearing"
        if rng.random() < 0.5:
            m.add(name, ww.Friction(joint=joint, coulomb=sliding[name], static_ratio=ratio))
        else:
            m.add(name, ww.Brake(joint=joint, torque=sliding[name], static_ratio=ratio))
    load = float(rng.choice([-1, 1])) * sum(resting[n] * abs(turns[n]) for n in turns) / GIVES_WAY
    at = str(rng.choice(list(speeds)))
    m.add("load", ww.Torque(body=at, value=(0.0, 0.0, f"{load / speeds[at]!r}*t")))
    return Held(m, turns, sliding, resting, load, inertia)


def compare_with_statics(seed: int) -> Iterator[str]:
    """What is wrong with drive number `seed`, in words."""
    held = random_held(seed)
    for formulation in ("absolute", "reduced"):
        options = {"rtol": 1e-9, "atol": 1e-11, "max_steps": 20_000, "progress": False}
        r = run_quietly(held.m, {"end": END, "output": 30, "formulation": formulation, **options})
        if not r.outcome.good:
            yield f"{formulation}: {r.report}"
            continue
        found = {e.element: e.t for e in r.events if e.kind.name == "SLIDE"}
        for name in held.turns:
            if not abs(found.get(name, np.inf) - GIVES_WAY) <= EARLY * GIVES_WAY:
                yield f"{formulation}: `{name}` slides at {found.get(name)} s, by statics at {GIVES_WAY} s"
        rests = r.t < GIVES_WAY * (1 - 1e-3)
        torques = {name: r[f"{name}.torque"].to_numpy()[rests] for name in held.turns}
        for name, torque in torques.items():
            if np.max(np.abs(torque)) > held.resting[name] * (1 + EARLY):
                yield f"{formulation}: `{name}` holds with more than {held.resting[name]} N m"
        left = sum(held.turns[n] * torque for n, torque in torques.items()) + held.load * r.t[rests]
        if np.max(np.abs(left)) > EARLY * abs(held.load) * END:
            yield f"{formulation}: frictions hold {np.max(np.abs(left)):.2g} N m more or less than the load"
        kinetic = sum(torque * abs(held.turns[n]) for n, torque in held.sliding.items())
        speed = abs(held.load) * (END**2 - GIVES_WAY**2) / 2 - kinetic * (END - GIVES_WAY)
        speed *= np.sign(held.load) / held.inertia
        if not abs(r["shaft0.w"].to_numpy()[-1] - speed) <= 1e-5 * abs(speed):
            yield f"{formulation}: {r['shaft0.w'].to_numpy()[-1]} rad/s in the end, by statics {speed}"
