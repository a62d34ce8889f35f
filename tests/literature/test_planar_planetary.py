"""A planetary set on moving bodies: external and internal gears of a planet under gravity.

Source: reference results of the Modelica library PlanarMechanics (v2.0.0-alpha), GearComponents.Examples.PlanetaryGear.
Pitch radii: sun 1 m, planet 1 m, ring 3 m; inertias 1e-3 kg m^2; one planet of 1 kg, at radius 2 m on +x; sun driven at
1 rad/s, 1 N m on the ring. The bundled example `planetary`. The reference was made at a tolerance that leaves it right
to 2.3e-5 rad over 10 s.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wheelwork as ww
from wheelwork import examples

# time; angle and speed of the planet; speed of the ring
REFERENCE = """
0 0 0 0.3333333333333333
1 -4.224029834854479 -6.987393767863124 -4.324929178575416
2 -7.64203147245718 1.4154300004367917 1.2769533336245278
3 -3.7355078518042797 2.7556083983181736 2.1704055988787823
4 -5.469243404247964 -6.030189094165276 -3.6867927294435168
5 -10.903714609780499 -1.7277796268019805 -0.8185197512013203
6 -8.23723277403466 4.767005648660492 3.5113370991069943
7 -7.291761085584081 -3.51114820559995 -2.007432137066633
8 -13.203473947988577 -4.769489604613941 -2.8463264030759605
9 -13.046071262999774 4.5542582299163 3.3695054866108665
10 -9.949837640351326 -0.7103397613499398 -0.14022650756662658
"""


@pytest.fixture(scope="module")
def run():
    r = ww.load(examples.path("planetary")).run()
    assert r.outcome.good, r.report
    return r


def test_published_motion(run):
    time, angle, speed, ring = np.array([line.split() for line in REFERENCE.split("\n") if line], float).T
    assert run.t[::100] == pytest.approx(time)
    assert run["planet.angle"].to_numpy()[::100] == pytest.approx(angle, abs=1e-4)
    # an error of 2.3e-5 rad in a swing of about 2 rad/s
    assert run["planet.w"].to_numpy()[::100] == pytest.approx(speed, abs=1e-4)
    assert run["ring.w"].to_numpy()[::100] == pytest.approx(ring, abs=1e-4)


def exact(t):
    """The carrier's angle c and its rate, by Lagrange: with the sun at s = t, rolling on the pitch circles gives
    planet p = 2 c - s and ring r = (4 c - s)/3.
    """
    light, mass, arm, g, pull = 1e-3, 1.0, 2.0, 9.81, 1.0
    inertia = mass * arm**2 + light * (1 + 2**2 + (4 / 3) ** 2)

    def rates(_, y):
        return y[1], (-mass * g * arm * np.cos(y[0]) + pull * 4 / 3) / inertia

    options = {"method": "DOP853", "t_eval": t, "rtol": 1e-12, "atol": 1e-13}
    return solve_ivp(rates, (0, t[-1]), (0, 0.5), **options).y


def test_motion_of_one_freedom(run):
    carrier, rate = exact(run.t)
    # step errors of 1e-8 of angles of some rad, over 400 steps
    assert run["carrier.angle"].to_numpy() == pytest.approx(carrier, abs=1e-6)
    assert run["planet.angle"].to_numpy() == pytest.approx(2 * carrier - run.t, abs=2e-6)
    assert run["ring.angle"].to_numpy() == pytest.approx((4 * carrier - run.t) / 3, abs=2e-6)
    assert run["planet.w"].to_numpy() == pytest.approx(2 * rate - 1, abs=1e-5)


def test_tooth_forces(run):
    """Each light wheel: torque of its tooth force, outer torque and inertia balance."""
    light = 1e-3
    ring = run["planet-ring.b.force.tangential"].to_numpy() * 3
    assert ring + 1 == pytest.approx(light * run["ring.acceleration"].to_numpy(), abs=1e-9)
    sun = run["sun-planet.a.force.tangential"].to_numpy() * 1
    assert sun + run["motor.torque"].to_numpy() == pytest.approx(np.zeros(len(run.t)), abs=1e-9)
    # at the planet both wheels pull: with radius 1 m on either side
    planet = sum(run[f"{name}.force.tangential"].to_numpy() for name in ("sun-planet.b", "planet-ring.a"))
    assert planet == pytest.approx(light * run["planet.angular_acceleration"].to_numpy(), abs=1e-9)
