"""Planar linkages that a crank drives through whole turns, and Andrews' squeezer, as descriptions."""

from __future__ import annotations

import math

import wheelwork as ww
from wheelwork import examples

CRANK, COUPLER, ROCKER, BASE = 0.2, 0.5, 0.45, 0.5
"""Lengths of the four-bar [m]; the crank turns through, the rocker swings."""
RADIUS, ROD = 0.1, 0.25
"""Lengths of the slider-crank [m]."""


def _bar(start: tuple[float, float], end: tuple[float, float]) -> ww.Body:
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    return ww.Body(
        mass=length,
        inertia=length**3 / 12,
        position=((x0 + x1) / 2, (y0 + y1) / 2),
        angle=math.atan2(y1 - y0, x1 - x0),
    )


def four_bar_start() -> tuple[float, float]:
    """Angles of coupler and rocker for a crank at 0: two circles meet, above."""
    d = BASE - CRANK
    coupler = math.acos((COUPLER**2 + d**2 - ROCKER**2) / (2 * COUPLER * d))
    return coupler, math.atan2(COUPLER * math.sin(coupler), COUPLER * math.cos(coupler) - d)


def four_bar() -> ww.Mechanism:
    """Three bodies, four hinges, the crank driven at one turn a second."""
    coupler, _ = four_bar_start()
    A, B, D = (0.0, 0.0), (CRANK, 0.0), (BASE, 0.0)
    C = (CRANK + COUPLER * math.cos(coupler), COUPLER * math.sin(coupler))
    m = ww.Mechanism("four-bar", kind="planar")
    m.add("crank", _bar(A, B))
    m.add("coupler", _bar(B, C))
    m.add("rocker", _bar(D, C))
    for name, (a, b), point in (
        ("A", ("ground", "crank"), A),
        ("B", ("crank", "coupler"), B),
        ("C", ("coupler", "rocker"), C),
        ("D", ("ground", "rocker"), D),
    ):
        m.add(name, ww.Revolute(bodies=(a, b), point=point))
    m.add("motor", ww.JointDriver(joint="A", value="2*pi*t"))
    return m


def slider_crank() -> ww.Mechanism:
    """Three bodies, three hinges and a slide, the crank driven at one turn a second."""
    pin, end = (RADIUS, 0.0), (RADIUS + ROD, 0.0)
    m = ww.Mechanism("slider-crank", kind="planar")
    m.add("crank", _bar((0.0, 0.0), pin))
    m.add("rod", _bar(pin, end))
    m.add("slider", ww.Body(mass=0.5, inertia=1e-3, position=end))
    m.add("bearing", ww.Revolute(bodies=("ground", "crank"), point=(0, 0)))
    m.add("pin", ww.Revolute(bodies=("crank", "rod"), point=pin))
    m.add("wrist", ww.Revolute(bodies=("rod", "slider"), point=end))
    m.add("slide", ww.Translational(bodies=("ground", "slider"), point=end, axis=(1, 0)))
    m.add("motor", ww.JointDriver(joint="bearing", value="2*pi*t"))
    return m


def squeezer() -> ww.Mechanism:
    """The bundled example."""
    return ww.load(examples.path("squeezer"))
