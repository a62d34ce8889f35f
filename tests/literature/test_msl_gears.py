"""A gear between coaxial shafts against the Modelica Standard Library.

Source: reference results of the Modelica Standard Library 4.1.0 (BSD-3-Clause),
Modelica.Mechanics.MultiBody.Examples.Rotational3DEffects.GearConstraint: two steel cylinders (7700 kg/m^3) of 0.1 and
0.2 m in diameter and 0.4 m long on coaxial shafts in a fixed bearing, without gravity; phi_a = 10 phi_b; a torque of
2 sin(2 pi t) N m on cylinder a. Their integration errs by 3.4e-6 rad against the exact solution.

Modelica has the ratio as an equation. Here it is made as in a gearbox: by a layshaft, of next to no inertia, with two
meshes of 2 and 5.
"""

import numpy as np
import pytest

import wheelwork as ww

# time, angle and speed of cylinder b
ROWS = """
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
REFERENCE = np.array([line.split() for line in ROWS.split("\n") if line], float)
LIGHT = 1e-7


def gearbox():
    m = ww.Mechanism("gear constraint", gravity=(0, 0, 0))
    for name, x, diameter in (("a", 0.0, 0.1), ("b", 1.0, 0.2)):
        shape = ww.Cylinder(radius=diameter / 2, length=0.4, axis="x")
        m.add(name, ww.Body(shape=shape, density=7700, position=(x, 0, 0)))
    m.add("lay", ww.Body(mass=1e-3, inertia=(LIGHT, 1e-6, 1e-6), position=(0.5, 0.3, 0)))
    for name, x, y in (("a", 0.0, 0.0), ("b", 1.0, 0.0), ("lay", 0.5, 0.3)):
        m.add(f"on-{name}", ww.Revolute(bodies=("ground", name), point=(x, y, 0), axis=(1, 0, 0)))
    m.add("first", ww.ExternalMesh(bodies=("a", "lay"), ratio=2))
    m.add("second", ww.ExternalMesh(bodies=("b", "lay"), ratio="1/5"))
    m.add("torque", ww.Actuator(joint="on-a", value="2*sin(2*pi*t)"))
    return m


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("method", ["dopri5", "sdirk4"])
def test_gear_constraint(formulation, method):
    if method == "sdirk4" and formulation == "reduced":
        pytest.skip("the implicit method is for absolute coordinates")
    r = gearbox().simulate(end=5, output=10, method=method, formulation=formulation)
    assert r.outcome.good, r.report
    t, angle, speed = REFERENCE.T
    assert r.t[1:] == pytest.approx(t)
    assert r["on-b.angle"].to_numpy()[1:] == pytest.approx(angle, abs=1e-5)
    assert r["on-b.w"].to_numpy()[1:] == pytest.approx(speed, abs=1e-5)
    assert r["on-a.angle"].to_numpy() == pytest.approx(10 * r["on-b.angle"].to_numpy(), abs=1e-8)
    # exact: m D^2/8 of the cylinders, 100 times that of a, and 25 times the layshaft's
    inertias = [7700 * np.pi * d**2 / 4 * 0.4 * d**2 / 8 for d in (0.1, 0.2)]
    pull = 10 * 2 / (100 * inertias[0] + inertias[1] + 25 * LIGHT) / (2 * np.pi)
    exact = pull * (r.t - np.sin(2 * np.pi * r.t) / (2 * np.pi))
    assert r["on-b.angle"].to_numpy() == pytest.approx(exact, abs=1e-6 if method == "sdirk4" else 1e-7)
