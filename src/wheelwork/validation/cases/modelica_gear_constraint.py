"""A gear between coaxial shafts against the Modelica Standard Library.

Two steel cylinders (7700 kg/m^3) of 0.1 and 0.2 m in diameter and 0.4 m long on shafts in a fixed bearing, without
gravity; phi_a = 10 phi_b; a torque of 2 sin(2 pi t) N m on cylinder a. The reference errs by 3.4e-6 rad against the
exact solution.

Modelica has the ratio as an equation. With rigid teeth it is made as in a gearbox here: by a layshaft, of next to no
inertia, with two meshes of 2 and 5. Elastic teeth would make so light a shaft ring at a megahertz; there it is one
pair of 20 and 200 teeth beside each other, which turns cylinder b the other way and changes nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import wheelwork as ww

from ..case import Way, gear_case, ways_with_teeth
from ..finding import Comparison, compare
from .shared import columns, same_times, teeth

# time, angle and speed of cylinder b
ROWS = """
0.0 0.0 0.0
0.5 0.4537477481322468 1.814978298099357
1.0 0.9074908399573228 -1.1771673346920558e-06
1.5 1.3612363123640565 1.8149783152111287
2.0 1.8149794046633827 -1.1805092274317396e-06
2.5 2.2687248778295412 1.8149782942366834
3.0 2.7224671439791903 2.2625304275479448e-07
3.5 3.1762149433311038 1.8149807339090038
4.0 3.629957573941236 2.432197548833796e-08
4.5 4.083705301721563 1.8149807272136131
5.0 4.537447938362989 -1.1653188694883547e-07
"""
LIGHT = 1e-7
INERTIA_A, INERTIA_B = (7700 * np.pi * d**2 / 4 * 0.4 * d**2 / 8 for d in (0.1, 0.2))
RADII, STIFFNESS, DAMPING = (0.05, 0.5), 1e8, 1e5


def cylinders(places: dict[str, tuple[float, float]]) -> ww.Mechanism:
    """Both cylinders at (x, y) on bearings along x, and the torque."""
    m = ww.Mechanism("gear constraint", gravity=(0, 0, 0))
    for name, diameter in (("a", 0.1), ("b", 0.2)):
        x, y = places[name]
        shape = ww.Cylinder(radius=diameter / 2, length=0.4, axis="x")
        m.add(name, ww.Body(shape=shape, density=7700, position=(x, y, 0)))
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(x, y, 0), axis=(1, 0, 0)))
    m.add("torque", ww.Actuator(joint="on-a", value="2*sin(2*pi*t)"))
    return m


def gearbox() -> ww.Mechanism:
    m = cylinders({"a": (0.0, 0.0), "b": (1.0, 0.0)})
    m.add("lay", ww.Body(mass=1e-3, inertia=(LIGHT, 1e-6, 1e-6), position=(0.5, 0.3, 0)))
    m.add("on-lay", ww.Revolute(bodies=("ground", "lay"), point=(0.5, 0.3, 0), axis=(1, 0, 0)))
    m.add("first", ww.ExternalMesh(bodies=("a", "lay"), ratio=2))
    m.add("second", ww.ExternalMesh(bodies=("b", "lay"), ratio="1/5"))
    return m


def pair(model: Any) -> ww.Mechanism:
    """One pair of 20 and 200 teeth."""
    m = cylinders({"a": (0.0, 0.0), "b": (0.0, sum(RADII))})
    m.add("pair", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 200), module=2 * RADII[0] / 20, model=model))
    return m


def exact_angle(t: np.ndarray, layshaft: float) -> np.ndarray:
    """m D^2/8 of the cylinders, 100 times that of a, and 25 times the layshaft's"""
    pull = 10 * 2 / (100 * INERTIA_A + INERTIA_B + 25 * layshaft) / (2 * np.pi)
    return pull * (t - np.sin(2 * np.pi * t) / (2 * np.pi))


@gear_case(
    "modelica-gear-constraint",
    "Gear of 10 between bodies in space",
    "Modelica Standard Library 4.1.0 (BSD-3-Clause), reference results, "
    "Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.GearConstraint",
    ways_with_teeth(rigid="sdirk4", compliant="sdirk4, first 0.5 s", contact="sdirk4, first 0.5 s"),
)
def run(way: Way) -> Iterator[Comparison]:
    rows = round(2 * way.span(5))
    options = {"end": rows / 2, "output": rows, "method": way.method}
    if way.mesh == "rigid":
        r, sense, deflection, light = way.simulate(gearbox(), **options), 1, 0.0, LIGHT
    else:
        m = pair(teeth(way.mesh, STIFFNESS, DAMPING))
        r, sense, light = way.simulate(m, **options), -1, 0.0
        # force on cylinder b, up to its inertia times the largest acceleration; twice, as the teeth vibrate
        deflection = 2 * INERTIA_B * 20 / (100 * INERTIA_A + INERTIA_B) / RADII[1] / STIFFNESS
    t, angle, speed = columns(ROWS)[:, : rows + 1]
    same_times(r.t, t)
    a, b = r["on-a.angle"].to_numpy(), sense * r["on-b.angle"].to_numpy()
    # the layshaft, which Modelica has not, makes the whole slower by 25 LIGHT/I
    steps = 1e-6 if way.method == "sdirk4" else 1e-7
    lay = 25 * light / (100 * INERTIA_A + INERTIA_B) * angle[-1]
    allowed = 3.5e-6 + lay + deflection / RADII[1] + steps
    origin = "the reference errs by 3.4e-6 rad against the exact angle"
    origin += "; the layshaft's inertia" if light else "; the teeth deflect"
    yield compare("angle of cylinder b", b, angle, unit="rad", absolute=allowed, origin=origin)
    found, origin = (
        sense * r["on-b.w"].to_numpy(),
        "none is given for speeds: ten times the usual tolerance of 1e-6",
    )
    yield compare("its speed", found, speed, unit="rad/s", absolute=1e-5, origin=origin)
    origin = (
        "the constraints are kept to 1e-11 m"
        if not deflection
        else "the teeth deflect by F/k; twice, as they vibrate"
    )
    allowed = 1e-8 + deflection / RADII[0]
    yield compare("angle of a against 10 times b", a, 10 * b, unit="rad", absolute=allowed, origin=origin)
    allowed = steps + deflection / RADII[1]
    origin = "step errors of 1e-8 over some hundred steps" + (", and the teeth deflect" if deflection else "")
    yield compare(
        "angle of b, exact", b, exact_angle(r.t, light), unit="rad", absolute=allowed, origin=origin
    )
