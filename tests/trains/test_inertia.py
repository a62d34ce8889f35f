"""Reflected inertia and motor sizing."""

import math

import pytest
import scipy.optimize

import wheelwork as ww
from wheelwork.description import ModelError
from wheelwork.trains import (
    Gearbox,
    GearTrain,
    Mass,
    TrainGraph,
    motor_sizing,
    quickest_ratio,
    reflected_inertia,
)

from .trains import planetary, row_of_wheels


def disc(moment, mass=1.0, center=(0.0, 0.0, 0.0)):
    return Mass(mass, center, ((moment / 2, 0, 0), (0, moment / 2, 0), (0, 0, moment)))


def test_pair_of_wheels():
    # Bai (2.11): J_2R = n^2 J_2 with n = N1/N2
    graph = row_of_wheels(20, 60)
    graph.train.masses = {"w1": disc(3.0, center=(0, 0, 0)), "w2": disc(18.0, center=(1, 0, 0))}
    found = reflected_inertia(graph, "w1")
    assert found.parts == pytest.approx({"w1": 3.0, "w2": 18 / 9})
    assert reflected_inertia(graph, "w2").total == pytest.approx(3 * 9 + 18)


def test_planets_move_along():
    # J at the sun: J_s + (J_a + 3 m R^2)/9 + 3 J_p (omega_p/omega_s)^2, R = 3, omega_p = -omega_s
    graph = planetary(40, 20, 80, planets=3)
    masses = {"sun": disc(1.0), "arm": disc(2.0)}
    for k in range(3):
        a = 2 * math.pi * k / 3
        masses[f"planet{k + 1}"] = disc(0.5, 4.0, (3 * math.cos(a), 3 * math.sin(a), 0.0))
    graph.train.masses = masses
    found = reflected_inertia(graph, "sun", held=["ring"])
    assert found.total == pytest.approx(1 + (2 + 3 * 4 * 9) / 9 + 3 * 0.5)
    with pytest.raises(ModelError, match="open: nothing settles the motion of"):
        reflected_inertia(graph, "sun")


PLANETARY = """
name: planetary
gravity: [0, 0, 0]
bodies:
  sun: {mass: 1, inertia: [0.001, 0.001, 0.002]}
  arm: {mass: 2, inertia: [0.004, 0.004, 0.007], center_of_mass: [0.01, 0, 0]}
  p1: {mass: 0.7, inertia: [0.0003, 0.0003, 0.0005], position: [60 mm, 0, 0]}
  p2: {mass: 0.7, inertia: [0.0003, 0.0003, 0.0005], position: [-60 mm, 0, 0]}
  out: {mass: 1, inertia: [0.02, 0.02, 0.03], position: [0.2, 0, 0]}
joints:
  js: {type: revolute, bodies: [ground, sun], point: [0, 0, 0], axis: [0, 0, 1]}
  ja: {type: revolute, bodies: [ground, arm], point: [0, 0, 0], axis: [0, 0, 1]}
  j1: {type: revolute, bodies: [arm, p1], point: [60 mm, 0, 0], axis: [0, 0, 1]}
  j2: {type: revolute, bodies: [arm, p2], point: [-60 mm, 0, 0], axis: [0, 0, 1]}
  jo: {type: revolute, bodies: [ground, out], point: [0.2, 0, 0], axis: [0, 0, 1]}
meshes:
  s1: {type: external, bodies: [sun, p1], teeth: [40, 20], module: 2 mm}
  s2: {type: external, bodies: [sun, p2], teeth: [40, 20], module: 2 mm}
  r1: {type: internal, bodies: [p1, ground], teeth: [20, 80], module: 2 mm, point_b: [0, 0, 0], axis_b: [0, 0, 1]}
  r2: {type: internal, bodies: [p2, ground], teeth: [20, 80], module: 2 mm, point_b: [0, 0, 0], axis_b: [0, 0, 1]}
  ao: {type: belt, bodies: [arm, out], radii: [50 mm, 120 mm]}
forces:
  drive: {type: actuator, joint: js, value: 2.5}
"""


@pytest.mark.slow
def test_against_the_equations_of_motion():
    # The acceleration under a torque, from the dynamics in absolute coordinates.
    m = ww.loads(PLANETARY)
    graph = m.gear_train()
    found = m.simulate(end=0.01, output=1)["sun.angular_acceleration.z"].to_numpy()
    assert found[0] == pytest.approx(2.5 / reflected_inertia(graph, "sun").total, rel=1e-9)


def test_motor_sizing():
    # Bai, example after (2.12), with numbers of one's own
    box = Gearbox(ratio=8, inertia=0.3e-3)
    found = motor_sizing(3.0, 1.2e-3, box, load_torque=4.0, load_inertia=0.064, load_acceleration=20.0)
    assert found.steady_torque == pytest.approx(0.5)
    assert found.inertia == pytest.approx(1.2e-3 + 0.3e-3 + 1e-3)
    assert found.acceleration == pytest.approx(2.5 / 2.5e-3)
    assert found.load_acceleration == pytest.approx(1000 / 8)
    assert found.starting_torque == pytest.approx(0.5 + 2.5e-3 * 20 * 8)
    assert found.starts
    assert not motor_sizing(0.4, 1.2e-3, box, load_torque=4.0, load_inertia=0.064).starts


def test_motor_sizing_with_losses_keeps_the_energy():
    # Power of the motor less what its rotor takes, times the efficiency, is what the load takes.
    box = Gearbox(ratio=5, efficiency=0.8)
    found = motor_sizing(2.0, 1e-3, box, load_torque=3.0, load_inertia=0.05)
    passed_on = (2.0 - 1e-3 * found.acceleration) * 0.8 * 5
    assert passed_on == pytest.approx(3.0 + 0.05 * found.load_acceleration, rel=1e-13)


@pytest.mark.parametrize(("load", "eta"), [(0.0, 1.0), (3.0, 1.0), (3.0, 0.8)])
def test_quickest_ratio(load, eta):
    def slowness(ratio):
        return -motor_sizing(2.0, 1e-3, Gearbox(ratio, efficiency=eta), load, 0.05).load_acceleration

    best = scipy.optimize.minimize_scalar(
        slowness, bounds=(1.0, 100.0), method="bounded", options={"xatol": 1e-10}
    )
    assert quickest_ratio(2.0, 1e-3, load, 0.05, eta) == pytest.approx(best.x, rel=1e-6)
    if not load:
        assert quickest_ratio(2.0, 1e-3, load, 0.05, eta) == pytest.approx(math.sqrt(0.05 / 1e-3 / eta))


def test_bodies_without_joints_do_not_count():
    train = GearTrain()
    train.turning("ground", "a")
    train.masses = {"a": disc(1.0), "loose": disc(5.0)}
    train._meet("loose")
    assert reflected_inertia(TrainGraph(train), "a").total == 1.0
