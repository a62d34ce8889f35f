"""Two coupled planetary stages: ratios of all gears against Willis, the shifts, and where the energy goes.

With k = ring teeth/sun teeth of a stage, Willis: w_sun - w_carrier = -k (w_ring - w_carrier). Front carrier and rear
ring are one member (A), front ring and rear carrier another (the output, o):

    s1 - A = -k1 (o - A),   s2 - o = -k2 (A - o)

    gear 1  A held      s2/o = 1 + k2
    gear 2  s1 held     s2/o = 1 + k2/(1 + k1)
    gear 3  A and s2 driven   1
    gear 4  s1 held     A/o = k1/(1 + k1)
"""

from fractions import Fraction

import numpy as np
import pytest

from wheelwork.trains import mobility, speeds

from .bundled import model, result

K1, K2 = Fraction(33 + 42, 33), Fraction(45 + 36, 45)
GEARS = {  # just before the next shift, s; ratio; who is held
    1.95: (1 + K2, "front.carrier"),
    3.95: (1 + K2 / (1 + K1), "front.sun"),
    5.95: (Fraction(1), None),
    7.95: (K1 / (1 + K1), "front.sun"),
}
SLIP = 1.0
"""rad/s; clutches and brakes creep by less while they carry less than three quarters of their capacity."""


@pytest.fixture(scope="module")
def run():
    return result("automatic-transmission")


def w(run, name):
    return run[f"{name}.w"].to_numpy()


@pytest.mark.slow
def test_willis_at_all_times(run):
    s1, s2, A, o = (w(run, name) for name in ("front.sun", "rear.sun", "front.carrier", "output"))
    assert s1 - A == pytest.approx(-float(K1) * (o - A), abs=1e-9 * np.max(np.abs(s1)))
    assert s2 - o == pytest.approx(-float(K2) * (A - o), abs=1e-9 * np.max(np.abs(s2)))
    assert w(run, "rear.ring") == pytest.approx(A, abs=1e-9)
    assert w(run, "front.ring") == pytest.approx(o, abs=1e-9)


@pytest.mark.parametrize("t", GEARS)
def test_ratio_of_each_gear(run, t):
    ratio, held = GEARS[t]
    at = run.at(t)
    engine, output = float(at["engine.w"]), float(at["output.w"])
    # a creeping clutch and a creeping brake, each by less than SLIP, and the brake's geared up by less than k + 1
    assert engine == pytest.approx(float(ratio) * output, abs=SLIP * (2 + float(K1)))
    assert engine / output == pytest.approx(float(ratio), rel=0.01)
    if held:
        assert abs(float(at[f"{held}.w"])) < SLIP


def test_ratios_by_graph():
    graph = model("automatic-transmission").gear_train()
    count = mobility(graph)
    assert count.by_rank == 3  # the two stages have two freedoms, the engine one
    assert len(count.redundant) == 4  # of three planets in each stage two repeat what the first says
    for sun, held, ratio in (
        ("rear.sun", "front.carrier", 1 + K2),
        ("rear.sun", "front.sun", 1 + K2 / (1 + K1)),
        ("front.carrier", "front.sun", K1 / (1 + K1)),
    ):
        assert 1 / speeds(graph, {sun: 1}, held=[held]).of("output") == ratio
    turned = speeds(graph, {"rear.sun": 1, "front.carrier": 1})
    assert turned.of("output") == turned.of("front.sun") == 1


def test_runs_in_three_coordinates(run):
    assert run.statistics.formulation.startswith(
        "reduced: 3 coordinates for 84 velocities and 100 multipliers"
    )


@pytest.mark.slow
def test_same_in_absolute_coordinates():
    m = model("automatic-transmission").with_parameters(first="20 ms", ramp="10 ms")
    one, two = (
        m.simulate(end=0.05, output=10, rtol=1e-10, atol=1e-12, formulation=formulation)
        for formulation in ("absolute", "reduced")
    )
    for name in ("output.angle", "front.sun.angle", "engine.w", "front.planet2.w"):
        # the pressures have corners, which steps do not stop at
        assert two[name].to_numpy() == pytest.approx(one[name].to_numpy(), abs=3e-6), name
    # shares of planets: equal by symmetry, and the smallest ones in absolute coordinates
    for mesh in ("front.sun1", "rear.ring2"):
        force = one[f"{mesh}.force.tangential"].to_numpy()
        other = two[f"{mesh}.force.tangential"].to_numpy()
        assert other == pytest.approx(force, abs=1e-6 * np.max(np.abs(force)))


@pytest.mark.slow
def test_energy(run):
    """What the engine gives is in the motion, on the road, or lost in the plates; losses are where slip is."""
    fine = model("automatic-transmission").run(output=16000)
    t = fine.t

    def work(power):
        return np.concatenate([[0], np.cumsum(np.diff(t) * (power[1:] + power[:-1]) / 2)])

    engine, output = w(fine, "engine"), w(fine, "output")
    given = work(fine["gas.torque"].to_numpy() * engine)
    road = work(-fine["resistance.torque"].to_numpy() * output)
    lost = np.zeros_like(t)
    for name, driven in (("underdrive", "rear.sun"), ("overdrive", "front.carrier")):
        torque = fine[f"{name}-out.torque"].to_numpy()
        lost += work(torque * (engine - w(fine, driven)))
    for name, held in (("low-brake", "front.carrier"), ("second-brake", "front.sun")):
        lost += work(-fine[f"{name}.torque"].to_numpy() * w(fine, held))
    kinetic = fine["energy.kinetic"].to_numpy()
    # the rule of trapezoids with a step of 0.5 ms, over clutches that take hold within milliseconds
    assert kinetic - kinetic[0] == pytest.approx(given - road - lost, abs=2e-3 * given[-1])
    assert np.all(np.diff(lost) > -1e-9)
    within = {shift: np.interp([shift, shift + 0.5], t, lost) for shift in (2.0, 4.0, 6.0)}
    assert all(after - before > 500 for before, after in within.values())


@pytest.mark.slow
def test_planets_share_the_load(run):
    """Three planets on a circle, all alike: each takes a third."""
    forces = [run.at(1.9)[f"rear.sun{k}.force.tangential"].item() for k in (1, 2, 3)]
    assert forces == pytest.approx([forces[0]] * 3, rel=1e-6)
    # gear 1: the rear sun's torque over three planets at its pitch radius
    torque = float(run.at(1.9)["underdrive-out.torque"])
    assert abs(3 * forces[0] * 45 * 2e-3 / 2) == pytest.approx(torque, rel=0.02)
