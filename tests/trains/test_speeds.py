"""Speeds and ratios: signs, planetary trains with any element held or driven, published gear sets."""

import math
from fractions import Fraction

import pytest

from wheelwork.trains import (
    Axis,
    GearTrain,
    TrainGraph,
    gear_ratio,
    modes,
    speeds,
    train_ratio,
    velocity_ratio,
)

from .trains import X, Y, bevel_differential, coupled, planetary, ravigneaux, row_of_wheels, wolfrom, wrist


def test_example_of_bai():
    # Sun 40, planet 20, ring 80 teeth, ring held, arm drives: omega_sun/omega_arm = 3 (Bai, example after (2.7)).
    found = speeds(planetary(40, 20, 80), {"arm": 1}, held=["ring"])
    assert found.of("sun") == 3
    assert found.of("planet") == 1 - 4  # rolls in the ring: 1 - 80/20
    assert found.against_parent("planet") == -4
    assert train_ratio(planetary(40, 20, 80), "sun", "arm", held=["ring"]) == 3


def test_idlers_change_the_sign_only():
    for count in range(2, 7):
        teeth = [20, *range(31, 31 + count - 2), 60]
        ratio = train_ratio(row_of_wheels(*teeth), "w1", f"w{count}")
        assert ratio == 3 * (-1) ** (count - 1)


def test_train_ratio_is_the_product_of_velocity_ratios():
    # Bai (2.5), with a compound shaft in the middle
    train = GearTrain()
    train.turning("ground", "in")
    train.turning("ground", "middle", point=(2, 0, 0))
    train.turning("ground", "out", point=(4, 0, 0))
    train.external("in", "middle", (20, 57))
    train.external("middle", "out", (19, 61))
    graph = TrainGraph(train)
    one, two = graph.circuits
    assert (gear_ratio(one), velocity_ratio(one)) == (Fraction(57, 20), Fraction(-57, 20))
    assert (
        train_ratio(graph, "in", "out")
        == velocity_ratio(one) * velocity_ratio(two)
        == Fraction(57 * 61, 20 * 19)
    )


@pytest.mark.parametrize("turned", [False, True])
def test_directions_of_joints_settle_signs(turned):
    # Speeds are about the direction of the joint: turn it round, and the sign changes, of nothing else.
    train = GearTrain()
    train.turning("ground", "a")
    train.turning("ground", "b", point=(3, 0, 0), axis=(0, 0, -1 if turned else 1))
    train.turning("ground", "c", point=(6, 0, 0))
    train.external("a", "b", (10, 20))
    train.external("b", "c", (20, 30))
    found = speeds(TrainGraph(train), {"a": 6})
    assert found.of("b") == (3 if turned else -3)
    assert found.of("c") == 2


def test_directions_on_one_axis_may_differ():
    train = GearTrain()
    train.turning("ground", "sun")
    train.turning("ground", "arm", axis=(0, 0, -1))
    train.turning("ring", "ground", axis=(0, 0, -2))
    train.turning("arm", "planet", point=(3, 0, 0))
    train.external("sun", "planet", (40, 20))
    train.internal("planet", "ring", (20, 80))
    found = speeds(TrainGraph(train), {"arm": -1}, held=["ring"])
    assert found.of("sun") == 3
    assert found.of("planet") == -3
    # By joint: b against a about the joint's own axis. The ring is a of its joint.
    found = speeds(TrainGraph(train), {"arm": -1, "ring-ground": 5})
    assert found.of("ring") == -5  # of the ring against ground about (0, 0, -1)
    assert found.of("ring-ground") == 5


def test_modes_of_a_planetary_gear():
    # Text-book table (Mueller 1982, ch. 2; i0 = -ring/sun): held ring 1 - i0, held sun 1 - 1/i0, held arm i0.
    found = {(m.held, m.driver, m.driven): m.ratio for m in modes(planetary(30, 15, 60))}
    assert found == {
        ("ring", "sun", "arm"): 3,
        ("sun", "ring", "arm"): Fraction(3, 2),
        ("arm", "sun", "ring"): -2,
    }
    assert modes(row_of_wheels(10, 20)) == []


def test_differential():
    # The case turns at the mean of the wheels; with the case held they turn against each other.
    graph = bevel_differential()
    found = speeds(graph, {"left": 7, "right": 3})
    assert found.of("case") == 5
    assert abs(found.of("pinion")) == Fraction(16, 10) * 2
    assert speeds(graph, {"left": 1}, held=["case"]).of("right") == -1
    assert speeds(graph, {"case": 1, "left": 1}).of("pinion") == 0


def test_ravigneaux_set_of_the_ford_aod():
    # Small sun 30, large sun 36, ring 72. Ratios 2.40, 1.47, 1, 0.667: Transmission Math, part II, technical bulletin
    # 89-30 (Automatic Transmission Rebuilders Association), with the formulas 72/30, (30 + 36)/30 * 72/(72 + 36) and
    # 72/(72 + 36). Reverse 2.00 from the data sheet of the transmission.
    graph = ravigneaux(30, 36, 18, 18, 72)
    assert train_ratio(graph, "small", "ring", held=["carrier"]) == Fraction(72, 30)
    assert train_ratio(graph, "small", "ring", held=["large"]) == Fraction(30 + 36, 30) * Fraction(
        72, 72 + 36
    )
    assert train_ratio(graph, "carrier", "ring", held=["large"]) == Fraction(72, 72 + 36)
    assert train_ratio(graph, "large", "ring", held=["carrier"]) == -2
    assert speeds(graph, {"small": 1, "carrier": 1}).of("ring") == 1
    assert float(train_ratio(graph, "small", "ring", held=["large"])) == pytest.approx(1.47, abs=0.005)


def test_the_pinions_of_a_ravigneaux_set_do_not_matter():
    one, two = ravigneaux(30, 36, 18, 18, 72), ravigneaux(30, 36, 23, 20, 72)
    for held in ("large", "carrier"):
        assert train_ratio(one, "small", "ring", [held]) == train_ratio(two, "small", "ring", [held])


def test_simpson_set():
    # A. Severson, Secrets of the Simpson Gearset (Ate Up With Motor), and the ratios 2.45, 1.45, 1, -2.20 of Chrysler's
    # TorqueFlite, whose sets are alike: with x = sun/ring, low is 2 + x, second 1 + x, reverse -1/x.
    x = Fraction(49, 109)
    graph = coupled(49, 109, 49, 109, same_sun=True)
    # Set 1: ring 1 drives in forward gears; its carrier and ring 2 are the output. Carrier 2 is held in low.
    low = train_ratio(graph, "ring1", "carrier1", held=["carrier2"])
    second = train_ratio(graph, "ring1", "carrier1", held=["sun1"])
    reverse = train_ratio(graph, "sun1", "carrier1", held=["carrier2"])
    assert (low, second, reverse) == (2 + x, 1 + x, -1 / x)
    assert [float(r) for r in (low, second, reverse)] == pytest.approx([2.45, 1.45, -2.2], abs=0.03)
    assert speeds(graph, {"ring1": 1, "sun1": 1}).of("carrier1") == 1


def test_set_of_the_hydra_matic_440():
    # "Backwards Simpson" of the same bulletin: front 26/62, rear 42/74 teeth, each carrier on the other's ring. Its
    # formulas: first (62/26 * 42 + 42 + 74)/74 = 2.92, second (42 + 74)/74 = 1.57, fourth 62/(26 + 62) (0.70).
    # The output is the rear carrier; the rear sun is held in first and second, the front sun in fourth.
    graph = coupled(26, 62, 42, 74, same_sun=False)
    first = train_ratio(graph, "sun1", "carrier2", held=["sun2"])
    second = train_ratio(graph, "carrier1", "carrier2", held=["sun2"])
    fourth = train_ratio(graph, "carrier1", "carrier2", held=["sun1"])
    assert first == (Fraction(62, 26) * 42 + 42 + 74) / 74
    assert second == Fraction(42 + 74, 74)
    assert fourth == Fraction(62, 26 + 62)
    assert [float(r) for r in (first, second, fourth)] == pytest.approx([2.92, 1.57, 0.70], abs=0.005)
    assert speeds(graph, {"sun1": 1, "carrier1": 1}).of("carrier2") == 1


def test_wolfrom_ratio():
    # i = (1 + I1)/(1 - I2), I1 = r1/s, I2 = r1 p2/(p1 r2) (Matsuki, Nagano, Fujimoto 2019)
    for s, p1, r1, p2, r2 in ((18, 27, 72, 26, 71), (12, 24, 60, 21, 57), (12, 24, 60, 26, 62)):
        expected = (1 + Fraction(r1, s)) / (1 - Fraction(r1 * p2, p1 * r2))
        assert train_ratio(wolfrom(s, p1, r1, p2, r2), "sun", "ring2") == expected


def test_two_stages():
    # Arm of the first is sun of the second: ratios multiply.
    train = GearTrain()
    for link in ("sun", "arm1", "arm2"):
        train.turning("ground", link)
    train.turning("arm1", "p1", point=(3, 0, 0))
    train.turning("arm2", "p2", point=(0, 3, 0))
    train.external("sun", "p1", (20, 16))
    train.internal("p1", "ground", (16, 52), name="ring1")
    train.external("arm1", "p2", (18, 27))
    train.internal("p2", "ground", (27, 72), name="ring2")
    assert train_ratio(TrainGraph(train), "sun", "arm2") == (1 + Fraction(52, 20)) * (1 + Fraction(72, 18))


def test_rack_and_pinion():
    # 20 mm radius, rack below: a pinion turning by the right hand about z drives it along +x.
    pinion, line = Axis.through((0, 0, 0), (0, 0, 1)), Axis.through((0, -0.02, 0), X)
    train = GearTrain()
    train.turning("ground", "pinion")
    train.sliding("ground", "rack", point=line.point, axis=X)
    train.rack("pinion", "rack", 0.02, (pinion, line))
    assert speeds(TrainGraph(train), {"pinion": 10}).of("rack") == Fraction(1, 5)
    # A pinion in a carriage that rolls on a fixed rack.
    train = GearTrain()
    train.sliding("ground", "carriage", axis=X)
    train.turning("carriage", "pinion")
    train.rack("pinion", "ground", 0.02, (pinion, line))
    assert speeds(TrainGraph(train), {"carriage": 1}).of("pinion") == -50


def test_belts():
    train = GearTrain()
    for k, link in enumerate("abc"):
        train.turning("ground", link, point=(k, 0, 0))
    train.belt("a", "b", (0.1, 0.25))
    train.belt("b", "c", (0.1, 0.2), crossed=True)
    found = speeds(TrainGraph(train), {"a": 5})
    assert (found.of("b"), found.of("c")) == (2, -1)


def test_speeds_about_axes_that_are_not_parallel():
    # The wheel of a cart on a turntable: the axle is across, so that the turntable adds nothing about it.
    train = GearTrain()
    train.turning("ground", "table")
    train.turning("table", "wheel", axis=Y)
    train.turning("table", "tilted", axis=(0, math.sin(1), math.cos(1)))
    found = speeds(TrainGraph(train), {"table": 2, "wheel": 3, "tilted": 0})
    assert found.of("wheel") == 3
    assert not found.is_exact
    # No speed about its own axis: it turns back in the table.
    assert float(found.against_parent("tilted")) == pytest.approx(-2 * math.cos(1), rel=1e-15)


def test_numbers_as_written():
    # 0.1 is one tenth, and so are the ratios of it.
    train = GearTrain()
    train.turning("ground", "a")
    train.turning("ground", "b", point=(1, 0, 0))
    train.external("a", "b", (0.1, 0.3), toothed=False)
    assert speeds(TrainGraph(train), {"a": 0.3}).of("b") == Fraction(-1, 10)


def test_open_speeds():
    found = speeds(planetary(), {"arm": 1})
    assert found.free == 1
    assert found.of("arm") == 1
    assert found.of("sun") is None
    assert found.undriven == ["sun", "ring", "planet"]


def test_speeds_of_the_wrist():
    graph = wrist()
    # Turning the whole wrist about z1 with the joints behind it still turns all shafts on z1 alike.
    found = speeds(graph, {"2": 1, "2-3": 0, "3-4": 0})
    assert [found.of(link) for link in ("7", "9")] == [1, 1]
    assert found.of("2-10") == 0
