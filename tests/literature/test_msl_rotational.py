"""A geared drive train with an elastic shaft against the Modelica Standard Library.

Source: reference results of the Modelica Standard Library 4.1.0 (BSD-3-Clause),
Modelica.Mechanics.Rotational.Examples.First (Dymola, DASSL at a tolerance of 1e-6): a torque 10 sin(2 pi 5 t) N m on a
rotor of 0.1 kg m^2, an ideal gear with phi1 = 10 phi2, a rotor of 2 kg m^2 with a damper of 10 N m s/rad to ground, a
shaft of 1e4 N m/rad, a rotor of 2 kg m^2; all at rest at the start. Rebuilt independently, its angles are right to
3e-6 rad and its speeds to 2e-4 rad/s: those are the tolerances here.

Modelica's gear turns both shafts the same way. So does an internal mesh.
"""

import numpy as np
import pytest

import wheelwork as ww

# time, angle and speed of the second rotor with the opposite sign (damper), angle and speed of the third
ROWS = """
0.0 0.0 0.0 0.0 0.0
0.1 -0.02214329076606023 -0.429617944464804 0.022898836383418168 0.4946728989995863
0.2 -0.04231538269805256 0.01556613909299913 0.04259353181148616 -0.1181826076779277
0.3 -0.0617558048542262 -0.4074260779849516 0.061263784967403645 0.4297615330387183
0.4 -0.07914504956118094 0.053743667861671625 0.0786108499992072 -0.07326629986383164
0.5 -0.09581282303087237 -0.37201687172752795 0.0962001193484458 0.47193077324544286
0.6 -0.11080599693435575 0.06936513441889189 0.11144308300858047 -0.13784222568859114
0.7000000000000001 -0.12550121345132645 -0.3647344721311575 0.1255146553645572 0.3671832116629461
0.8 -0.13858496253868385 0.09017639511524046 0.13790128085155626 -0.15186949335549388
0.9 -0.15121620816551073 -0.3322036793481704 0.1510312182159429 0.43379300572395285
1.0 -0.1623281810820793 0.11221860229049774 0.16286001199358532 -0.1383323790831503
"""
REFERENCE = np.array([line.split() for line in ROWS.split("\n") if line], float)


def drive_train():
    m = ww.Mechanism("first", gravity=(0, 0, 0))
    m.add("one", ww.Rotor(inertia=0.1, position=(0.09, 0, 0)))
    m.add("two", ww.Rotor(inertia=2.0))
    m.add("three", ww.Rotor(inertia=2.0))
    m.add("gear", ww.InternalMesh(bodies=("one", "two"), radii=(0.01, 0.1)))
    m.add("shaft", ww.TorsionalSpring(bodies=("two", "three"), stiffness=1e4))
    m.add("damper", ww.Friction(joint="two.bearing", viscous=10.0))
    m.add("torque", ww.Actuator(joint="one.bearing", value="10*sin(2*pi*5*t)"))
    return m


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_published_motion(formulation):
    r = drive_train().simulate(end=1.0, output=10, formulation=formulation)
    assert r.outcome.good, r.report
    t, angle, speed, third, third_speed = REFERENCE.T
    assert r.t == pytest.approx(t)
    assert r["two.angle"].to_numpy() == pytest.approx(-angle, abs=3e-6)
    assert r["two.w"].to_numpy() == pytest.approx(-speed, abs=2e-4)
    assert r["three.angle"].to_numpy() == pytest.approx(third, abs=3e-6)
    assert r["three.w"].to_numpy() == pytest.approx(third_speed, abs=2e-4)
    assert r["one.angle"].to_numpy() == pytest.approx(10 * r["two.angle"].to_numpy(), abs=1e-9)


def test_equations_of_a_vibration_engineer():
    """In minimal coordinates: 12 phi2'' = 10 tau - 10 phi2' - k (phi2 - phi3), 2 phi3'' = k (phi2 - phi3)."""
    r = drive_train().reduced()
    assert r.names == ("two.bearing.angle", "three.bearing.angle")
    u, v, t = np.array([0.02, -0.01]), np.array([0.3, 0.7]), 0.03
    terms = r.terms(u, v, t)
    assert terms.mass == pytest.approx(np.diag([2 + 0.1 * 100, 2.0]), rel=1e-12)
    assert terms.coriolis == pytest.approx(0, abs=1e-12)
    twist = 1e4 * (u[0] - u[1])
    pull = 10 * 10 * np.sin(2 * np.pi * 5 * t)
    assert terms.applied == pytest.approx([pull - 10 * v[0] - twist, twist], rel=1e-12)
