"""Torques, losses, power flow and efficiency against text-book formulas."""

import math

import pytest

from wheelwork.trains import Axis, GearTrain, TrainGraph, efficiency, power_flow, speeds, torques

from .trains import X, Z, bevel_differential, planetary, row_of_wheels, wolfrom, wrist


def external(found, name):
    return next(e for e in found.externals if e.name == name)


def test_torques_go_inversely_as_speeds():
    # Bai (2.8), (2.9): T1/T2 = N1/N2
    found = torques(speeds(row_of_wheels(20, 60), {"w1": 30}), {"w2": 12.0})
    # The load turns w2 along z, which runs at -10: a brake, and w1 must be driven along its motion.
    assert external(found, "w1").torque == pytest.approx(4.0, rel=1e-14)
    assert external(found, "w1").power == pytest.approx(120.0, rel=1e-14)
    assert found.efficiency == pytest.approx(1.0, rel=1e-14)


def test_planetary_torques_are_in_fixed_proportion():
    # T_s : T_r : T_a = 1 : r/s : -(1 + r/s), however it turns
    for inputs in ({"sun": 3, "ring": 1}, {"sun": -2, "ring": 7}):
        found = torques(speeds(planetary(40, 20, 80), inputs), {"arm": -9.0})
        assert external(found, "sun").torque == pytest.approx(3.0, rel=1e-13)
        assert external(found, "ring").torque == pytest.approx(6.0, rel=1e-13)


def test_holding_torque():
    found = torques(speeds(planetary(40, 20, 80), {"sun": 3}, ["ring"]), {"arm": -9.0})
    held = external(found, "ring")
    assert (held.role, held.power) == ("held", 0.0)
    assert held.torque == pytest.approx(6.0, rel=1e-13)


def test_known_torque_of_the_input():
    # The torque of the input is given; that of the output is wanted.
    motion = speeds(planetary(40, 20, 80), {"sun": 3}, ["ring"])
    found = torques(motion, {"sun": 3.0}, outputs=["arm"])
    assert external(found, "arm").torque == pytest.approx(-9.0, rel=1e-13)
    assert external(found, "arm").role == "output"


def test_a_body_and_its_joint_are_the_same_thing():
    graph = row_of_wheels(20, 60)
    by_joint = torques(speeds(graph, {"ground-w1": 30}), {"w1": 4.0}, outputs=["w2", "ground-w2"])
    assert [(e.name, e.role) for e in by_joint.externals] == [("w2", "output"), ("w1", "input")]
    assert external(by_joint, "w2").torque == pytest.approx(12.0, rel=1e-13)
    assert by_joint.undetermined == ()
    # An input may be named as an output, too.
    same = torques(speeds(graph, {"w1": 30}), {"w2": 12.0}, outputs=["w1"])
    assert external(same, "w1").torque == pytest.approx(4.0, rel=1e-13)


def test_planets_share_alike():
    found = torques(speeds(planetary(40, 20, 80, planets=3), {"sun": 3}, ["ring"]), {"arm": -9.0})
    on_sun = [m.torques[0] for m in found.meshes if m.circuit.a == "sun"]
    assert on_sun == pytest.approx([-1.0, -1.0, -1.0], rel=1e-12)
    assert all(m.shared for m in found.meshes)
    assert found.undetermined == ()


def test_tooth_force():
    train = GearTrain()
    train.turning("ground", "a")
    train.turning("ground", "b", point=(0.09, 0, 0))
    train.external("a", "b", (20, 40), radii=(0.03, 0.06))
    found = torques(speeds(TrainGraph(train), {"a": 5}), {"b": 6.0})
    assert found.meshes[0].force == pytest.approx(100.0, rel=1e-13)


@pytest.mark.parametrize("eta", [1.0, 0.99, 0.9])
def test_basic_formulas_of_planetary_gears(eta):
    # H. W. Mueller, Epicyclic Drive Trains (1982), and D. W. Dudley's handbook: with i0 = -r/s and eta0 = eta^2 the
    # efficiencies with the ring held are (1 - i0 eta0)/(1 - i0) from the sun and (1 - i0)/(1 - i0/eta0) from the arm;
    # with the arm held eta0.
    graph = planetary(40, 20, 80, efficiency=eta)
    i0, eta0 = -2.0, eta * eta
    found = efficiency(graph, "sun", "arm", ["ring"])
    assert found.ratio == 3
    assert found.forward == pytest.approx((1 - i0 * eta0) / (1 - i0), rel=1e-12)
    assert found.backward == pytest.approx((1 - i0) / (1 - i0 / eta0), rel=1e-12)
    found = efficiency(graph, "sun", "ring", ["arm"])
    assert (found.forward, found.backward) == pytest.approx((eta0, eta0), rel=1e-12)


def test_row_of_wheels_loses_in_each_mesh():
    found = efficiency(row_of_wheels(20, 25, 30, 35, efficiency=0.98), "w1", "w4")
    assert (found.forward, found.backward) == pytest.approx((0.98**3, 0.98**3), rel=1e-12)


def published(s, p1, r1, p2, r2, efficiencies):
    """Ratio and efficiencies of a 3K train: H. Matsuki, K. Nagano, Y. Fujimoto, Bilateral drive gear, IEEE/ASME
    Transactions on Mechatronics 24 (2019); forward for both cases, backward for I2 < 1."""
    a, b, c = efficiencies
    I1, I2 = r1 / s, r1 * p2 / (p1 * r2)
    if I2 < 1:
        forward = (1 + a * b * I1) * (1 - I2) / ((1 + I1) * (1 - b * c * I2))
        backward = (1 + I1) * a * (b * c - I2) / (c * (a * b + I1) * (1 - I2))
        return (1 + I1) / (1 - I2), forward, backward
    forward = c * (b + a * I1) * (1 - I2) / ((1 + I1) * (b * c - I2))
    return (1 + I1) / (1 - I2), forward, None


@pytest.mark.parametrize(
    "teeth", [(12, 24, 60, 21, 57), (18, 27, 72, 22, 67), (12, 24, 60, 26, 62), (18, 27, 72, 26, 71)]
)
@pytest.mark.parametrize("efficiencies", [(0.98, 0.99, 0.985), (0.995, 0.997, 0.997)])
def test_wolfrom_train_against_published_formulas(teeth, efficiencies):
    ratio, forward, backward = published(*teeth, efficiencies)
    found = efficiency(wolfrom(*teeth, efficiencies), "sun", "ring2")
    assert found.ratio == pytest.approx(ratio, rel=1e-12)
    assert found.forward == pytest.approx(forward, rel=1e-9)
    if backward is not None:
        # A negative value of the formula means: it locks itself.
        assert found.backward == pytest.approx(max(backward, 0.0), rel=1e-9)
        assert found.locks_itself == (backward < 0)


def test_high_ratios_lock_themselves():
    losses = (0.98, 0.99, 0.985)
    assert efficiency(wolfrom(18, 27, 72, 26, 71, losses), "sun", "ring2").locks_itself
    assert not efficiency(wolfrom(12, 24, 60, 21, 57, losses), "sun", "ring2").locks_itself
    # Then the load must be helped along from the sun, too.
    motion = speeds(wolfrom(18, 27, 72, 26, 71, losses), {"sun": 213})
    found = torques(motion, {"ring2": 1.0})
    assert found.locks_itself
    assert external(found, "sun").power > 0
    assert found.efficiency == 0


def test_power_goes_round_in_a_wolfrom_train():
    # Without losses. In both rings the planet rolls with almost equal and opposite powers, many times what goes in:
    # with z = teeth, the rolling power in ring 2 over the power in is |I2/(1 - I2)|.
    graph = wolfrom(18, 27, 72, 26, 71)
    found = torques(speeds(graph, {"sun": 213}), {"ring2": -5.0}, losses=False)
    flow = power_flow(found)
    assert found.power_in == pytest.approx(5.0, rel=1e-12)
    I2 = 72 * 26 / (27 * 71)
    ring2 = next(m for m in found.meshes if m.circuit.name == "planet-ring2")
    assert ring2.rolling_power / found.power_in == pytest.approx(I2 / (1 - I2), rel=1e-10)
    (circle,) = flow.circulations
    assert set(circle.way) == {"planet-ring1", "planet-ring2", "arm", "planet"}
    # What goes round is the least flow of the circle: the planet passes it from ring 2 to ring 1.
    flows = {m.name: m for m in flow.meshes}
    assert circle.power == pytest.approx(-flows["planet-ring2"].from_a, rel=1e-10)
    assert circle.power > 25 * found.power_in
    assert flow.largest > circle.power


def test_no_power_goes_round_in_simple_trains():
    for graph, held in (
        (planetary(planets=3), ["ring"]),
        (planetary(), ["sun"]),
        (row_of_wheels(10, 20, 30), []),
    ):
        free = "sun" if held == ["ring"] else "ring" if held else "w1"
        load = "arm" if held else "w3"
        motion = speeds(graph, {free: 1}, held)
        flow = power_flow(torques(motion, {load: -1.0 if motion.of(load) > 0 else 1.0}))
        assert flow.circulations == ()


def test_power_split():
    # Toyota's split device: engine on the arm, generator on the sun, ring to the wheels. 30 sun, 78 ring teeth: of the
    # engine's torque 78/108 goes to the ring, whatever the speeds.
    motion = speeds(planetary(30, 24, 78), {"arm": 100, "ring": 90})
    found = torques(motion, {"arm": 108.0}, outputs=["sun"])
    assert external(found, "ring").torque == pytest.approx(-78.0, rel=1e-12)
    assert external(found, "sun").torque == pytest.approx(-30.0, rel=1e-12)
    assert float(motion.of("sun")) == pytest.approx(100 + 78 / 30 * 10)


def test_differential_shares_torque_alike():
    found = torques(speeds(bevel_differential(), {"left": 7, "right": 3}), {"case": 10.0})
    assert [external(found, side).torque for side in ("left", "right")] == pytest.approx(
        [-5.0, -5.0], rel=1e-13
    )


def test_bearings_transmit_power_only_where_axes_are_not_parallel():
    flow = power_flow(torques(speeds(planetary(planets=3), {"sun": 3}, ["ring"]), {"arm": -1.0}))
    assert max(abs(b.power) for b in flow.bearings) < 1e-14
    graph = wrist()
    motion = speeds(graph, {"5": 1, "6": -2, "8": 1})
    flow = power_flow(torques(motion, {"4": 1.0}))
    through = {b.link: b.power for b in flow.bearings}
    assert abs(through["3"]) > 1e-3
    assert abs(sum(b.power for b in flow.bearings if b.parent == "ground")) < 1e-12


def test_worm_locks_itself():
    # Efficiency of a worm with lead angle g and angle of friction r: tan(g)/tan(g + r), back tan(g - r)/tan(g).
    for g, r in ((0.3, 0.1), (0.05, 0.08)):
        train = GearTrain()
        worm, wheel = Axis.through((0, 0, 0), X), Axis.through((0, 3, 0), Z)
        train.turning("ground", "worm", axis=X)
        train.turning("ground", "wheel", point=(0, 3, 0))
        both = (math.tan(g) / math.tan(g + r), math.tan(g - r) / math.tan(g))
        train.gear("worm", "worm", "wheel", (2, 60), 1, axes=(worm, wheel), efficiency=both)
        found = efficiency(TrainGraph(train), "worm", "wheel")
        assert found.forward == pytest.approx(both[0], rel=1e-12)
        assert found.backward == pytest.approx(max(both[1], 0.0), rel=1e-12)
        assert found.locks_itself == (g < r)
        # Behind another train it locks that, too.
        assert found.ratio == 30


def test_two_held_bodies_share_what_only_both_know():
    train = row_of_wheels(10, 20, 30).train
    graph = TrainGraph(train)
    found = torques(speeds(graph, {}, held=["w1", "w3"]), {"w2": 1.0})
    assert set(found.undetermined) == {"w1", "w3"}


def test_rack():
    pinion, line = Axis.through((0, 0, 0), Z), Axis.through((0, -0.02, 0), X)
    train = GearTrain()
    train.turning("ground", "pinion")
    train.sliding("ground", "rack", point=line.point, axis=X)
    train.rack("pinion", "rack", 0.02, (pinion, line), efficiency=0.9, radii=(0.02, 1.0))
    found = torques(speeds(TrainGraph(train), {"pinion": 10}), {"rack": -90.0})
    assert external(found, "pinion").torque == pytest.approx(90 * 0.02 / 0.9, rel=1e-13)
    assert found.efficiency == pytest.approx(0.9, rel=1e-13)
