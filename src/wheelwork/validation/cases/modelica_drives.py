"""Drive trains that stick, slip and shift, against the Modelica Standard Library: lossy gears, clutches, a gear shift.

LossyGear: a ratio of 2 with the efficiency 0.5 both ways between 1 and 1.5 kg m^2, 10 N m sin(2 pi t) against
-10 N m + 2.5 N m/s t; in the second model with bearing friction of 0.5 N m + 0.5 N m s/rad on the first shaft, so that
two frictions hold one shaft. CoupledClutches: four inertias of 1 kg m^2 in a row, clutches of 10 N m (11 N m at rest)
that are closed at the start (by a cosine), after 0.4 s and after 0.9 s. SimpleGearShift: a planetary gear with ratio
1.5; its ring is held by a brake of 100 N m, which a clutch between sun and ring takes over from 2 s to 2.1 s. The ring
has no mass in Modelica, 1e-5 kg m^2 here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

import wheelwork as ww

from ..case import Declared, Way, motion_case
from ..finding import Comparison, compare
from .shared import columns, same_times

# time, speed of the second inertia
LOSSY = """
0.02 -0.0157158634878876
0.04 -0.0208414999681292
0.06 -0.0156256075852585
0.36 0.00523145434906033
0.42 0.0
0.48 -0.0030723851633952
0.5 -0.0162619240385781
"""
LOSSY_EVENTS = {"STICK": (0.0804771289480603, 0.371342745023564), "SLIDE": (0.464539461636518,)}
WITH_BEARING = """
0.02 -0.0114495825407038
0.04 -0.0122575034899888
0.06 -0.00276077010173947
0.26 0.000792836270385776
0.28 0.00129868391464776
0.3 0.000746185083357515
0.48 -0.000681375711715311
0.5 -0.0096242780930112
"""
WITH_BEARING_EVENTS = {
    "STICK": (0.0635911045847122, 0.308306846100604),
    "SLIDE": (0.230374015885001, 0.472738310500834),
}
# time, speed of the first inertia, speeds of the clutches (b against a)
COUPLED = """
0.02 9.86080795636384 -9.66082901128107 -0.199978945082764 0.0
0.04 9.82011578054544 -9.42028420091344 -0.399831579631991 0.0
0.79 3.35069881407371 -0.018280717460705 0.0 -3.33241809661301
0.8 3.33332196422623 0.0 0.0 -3.33332196422623
0.82 3.35357923581122 0.0 0.0 -3.35357923581122
1.5 3.24703456524066 -0.783826964342972 0.0 0.0
"""
# time, speeds of engine and load
SHIFT = """
1.0 3.83512236655826 1.5340489466233
2.0 11.248623325545 4.499449330218
2.05 11.0417580589412 4.47013560885282
2.1 6.62509139238853 4.86749555397269
2.2 5.16616087742491 5.16616087742493
2.5 5.5681709399741 5.5681709399741
5.0 8.09002994377974 8.09002994377976
"""
DASSL = "the reference was integrated by DASSL at 1e-6"
SOURCE = "Modelica Standard Library 4.0.0 (BSD-3-Clause), reference results (MAP-LIB_ReferenceResults), "


def shafts(inertia: Mapping[str, float], **speeds: float) -> ww.Mechanism:
    m = ww.Mechanism("drive", gravity=(0, 0, 0))
    for name, J in inertia.items():
        m.add(name, ww.Rotor(inertia=J, speed=speeds.get(name, 0.0)))
    return m


def solved(way: Way, m: ww.Mechanism, times: np.ndarray, end: float, every: float) -> tuple[Any, np.ndarray]:
    """The run with outputs at multiples of a time, and which of them are wanted."""
    r = way.simulate(m, end, output=round(end / every), rtol=1e-9, atol=1e-11)
    rows = np.rint(times / every).astype(int)
    same_times(r.t[rows], times)
    return r, rows


def moments(r: Any, kind: str, element: str) -> list[float]:
    """When an element sticks, or slides, after the very start."""
    return [e.t for e in r.events if e.kind.name == kind and e.element == element and e.t > 1e-6]


def drive_case(name: str, title: str, model: str) -> Declared:
    source = f"{SOURCE}Modelica.Mechanics.Rotational.Examples.{model} (Dymola, DASSL at 1e-6)"
    return motion_case(name, title, source)


def lossy(friction: bool) -> ww.Mechanism:
    m = shafts({"one": 1.0, "two": 1.5})
    m.add("gear", ww.Ratio(bodies=("one", "two"), ratio=2, efficiency=0.5))
    m.add("drive", ww.Actuator(joint="one.bearing", value="10*sin(2*pi*t)"))
    m.add("load", ww.Actuator(joint="two.bearing", value="-10 + 2.5*t"))
    if friction:
        m.add("friction", ww.Friction(joint="one.bearing", coulomb=0.5, viscous=0.5))
    return m


def run_lossy(
    way: Way, friction: bool, table: str, events: dict[str, tuple[float, ...]]
) -> Iterator[Comparison]:
    t, speed = columns(table)
    r, rows = solved(way, lossy(friction), t, 0.5, 0.02)
    yield compare(
        "speed of the second inertia",
        r["two.w"].to_numpy()[rows],
        speed,
        unit="rad/s",
        absolute=1e-6,
        origin=DASSL,
    )
    for kind, wanted in events.items():
        found = moments(r, kind, "gear.friction")
        found = found if kind == "STICK" or friction else found[-1:]
        what = "locks" if kind == "STICK" else "breaks loose"
        yield compare(f"time at which the gear {what}", found, wanted, unit="s", absolute=1e-6, origin=DASSL)


@drive_case("modelica-lossy-gear", "Gear with losses that locks and breaks loose", "LossyGearDemo1")
def demo1(way: Way) -> Iterator[Comparison]:
    return run_lossy(way, False, LOSSY, LOSSY_EVENTS)


@drive_case("modelica-lossy-bearing", "The same gear with friction in a bearing", "LossyGearDemo2")
def demo2(way: Way) -> Iterator[Comparison]:
    return run_lossy(way, True, WITH_BEARING, WITH_BEARING_EVENTS)


def coupled_clutches() -> ww.Mechanism:
    m = shafts({f"J{k}": 1.0 for k in (1, 2, 3, 4)}, J1=10.0)
    m.add("drive", ww.Actuator(joint="J1.bearing", value="10*sin(2*pi*5*t)"))
    for k, closed in ((1, "max(cos(2*pi*0.2*t), 0)"), (2, "step(t - 0.4)"), (3, "step(t - 0.9)")):
        torque = f"10*{closed}"
        m.add(f"clutch{k}", ww.Clutch(bodies=(f"J{k}", f"J{k + 1}"), torque=torque, static_ratio=1.1))
    return m


@drive_case("modelica-coupled-clutches", "Three clutches in a row", "CoupledClutches")
def run_coupled(way: Way) -> Iterator[Comparison]:
    t, first, *slips = columns(COUPLED)
    r, rows = solved(way, coupled_clutches(), t, 1.5, 0.01)
    speeds = [r[f"J{k}.w"].to_numpy()[rows] for k in (1, 2, 3, 4)]
    exact = 10 + (1 - np.cos(10 * np.pi * t)) / np.pi - 25 * np.sin(0.4 * np.pi * t) / np.pi
    slips_still, what = t < 0.791, "speed of the first inertia while its clutch slips"
    ours, closed = speeds[0][slips_still], exact[slips_still]
    yield compare(what, ours, closed, unit="rad/s", absolute=1e-7, origin="closed form; ours at 1e-9")
    origin = f"{DASSL}: at 0.79 s it is off the closed form by 4.4e-5"
    yield compare("speed of the first inertia", speeds[0], first, unit="rad/s", absolute=5e-5, origin=origin)
    found = [b - a for a, b in pairwise(speeds)]
    yield compare("slip of the clutches", np.array(found), slips, unit="rad/s", absolute=5e-5, origin=origin)
    first_stick = moments(r, "STICK", "clutch1")[:1]
    what = "time at which the first clutch locks"
    yield compare(what, first_stick, [0.79165828432025], unit="s", absolute=1e-5, origin=DASSL)


def gear_shift() -> ww.Mechanism:
    m = shafts({"engine": 1.0, "ring": 1e-5, "load": 10.0})
    m.add("gear", ww.Planetary(sun="engine", ring="ring", carrier="load", ratio=1.5))
    m.add("drive", ww.Actuator(joint="engine.bearing", value="20*step(t - 0.5)"))
    share = "load.w/10.471975511966"
    m.add("drag", ww.Actuator(joint="load.bearing", value=f"-20*({share})*abs({share})"))
    ramp = "min(max((t - 2)/0.1, 0), 1)"
    m.add("clutch", ww.Clutch(bodies=("engine", "ring"), torque=f"100*{ramp}"))
    m.add("brake", ww.Brake(joint="ring.bearing", torque=f"100*(1 - {ramp})"))
    return m


@drive_case("modelica-gear-shift", "A shift with clutch and brake at a planetary gear", "SimpleGearShift")
def run_shift(way: Way) -> Iterator[Comparison]:
    t, *speeds = columns(SHIFT)
    r, rows = solved(way, gear_shift(), t, 5.0, 0.05)
    found = [r[f"{name}.w"].to_numpy()[rows] for name in ("engine", "load")]
    origin = f"{DASSL}; the ring's inertia adds 1e-5"
    yield compare(
        "speeds of engine and load", np.array(found), speeds, unit="rad/s", absolute=3e-5, origin=origin
    )
    slides, locks = moments(r, "SLIDE", "brake")[:1], moments(r, "STICK", "clutch")
    yield compare(
        "time at which the brake slips", slides, [2.04081635815929], unit="s", absolute=1e-6, origin=origin
    )
    yield compare(
        "time at which the clutch locks", locks, [2.11079037915241], unit="s", absolute=1e-6, origin=origin
    )
