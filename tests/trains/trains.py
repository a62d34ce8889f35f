"""Trains that several tests use, written down by hand."""

import math

from wheelwork.trains import Axis, GearTrain, TrainGraph

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def planetary(sun=40, planet=20, ring=80, planets=1, efficiency=1.0, name="planetary"):
    """Sun, ring and arm turn in ground; the planets in the arm. Two freedoms."""
    train = GearTrain(name)
    for link in ("sun", "arm", "ring"):
        train.turning("ground", link)
    for k in range(planets):
        angle = 2 * math.pi * k / planets
        wheel = f"planet{k + 1}" if planets > 1 else "planet"
        train.turning("arm", wheel, point=(3 * math.cos(angle), 3 * math.sin(angle), 0))
        train.external("sun", wheel, (sun, planet), efficiency=efficiency)
        train.internal(wheel, "ring", (planet, ring), efficiency=efficiency)
    return TrainGraph(train)


def row_of_wheels(*teeth, efficiency=1.0):
    """External wheels w1, w2, ... in a row, each in mesh with the next."""
    train = GearTrain("row")
    for k in range(len(teeth)):
        train.turning("ground", f"w{k + 1}", point=(k, 0, 0))
    for k in range(len(teeth) - 1):
        train.external(f"w{k + 1}", f"w{k + 2}", (teeth[k], teeth[k + 1]), efficiency=efficiency)
    return TrainGraph(train)


def wolfrom(sun, planet1, ring1, planet2, ring2, efficiencies=(1.0, 1.0, 1.0)):
    """3K train: sun drives; the stepped planet rolls in the fixed ring 1 and turns ring 2. One freedom."""
    train = GearTrain("Wolfrom")
    for link in ("sun", "arm", "ring2"):
        train.turning("ground", link)
    train.turning("arm", "planet", point=(3, 0, 0))
    a, b, c = efficiencies
    train.external("sun", "planet", (sun, planet1), name="sun-planet", efficiency=a)
    train.internal("planet", "ground", (planet1, ring1), name="planet-ring1", efficiency=b)
    train.internal("planet", "ring2", (planet2, ring2), name="planet-ring2", efficiency=c)
    return TrainGraph(train)


def ravigneaux(small_sun, large_sun, short, long, ring):
    """Large sun and ring mesh with the long pinion, the small sun with the short one, the pinions with each other."""
    train = GearTrain("Ravigneaux")
    for link in ("small", "large", "carrier", "ring"):
        train.turning("ground", link)
    train.turning("carrier", "long", point=(3, 0, 0))
    train.turning("carrier", "short", point=(2, 1, 0))
    train.external("large", "long", (large_sun, long))
    train.internal("long", "ring", (long, ring))
    train.external("small", "short", (small_sun, short))
    train.external("short", "long", (short, long))
    return TrainGraph(train)


def coupled(sun1, ring1, sun2, ring2, same_sun):
    """Two planetary sets; carrier 1 is ring 2 with a common sun (Simpson), or carriers and rings crossed over.

    same_sun: True for Simpson: one shaft with both suns, carrier 1 on ring 2. False: carrier 1 on ring 2 and carrier 2
    on ring 1.
    """
    train = GearTrain("two sets")
    for link in ("sun1", "sun2", "carrier1", "carrier2", "ring1", "ring2"):
        train.turning("ground", link)
    for k, (sun, ring) in enumerate(((sun1, ring1), (sun2, ring2)), start=1):
        pinion = (ring - sun) // 2
        train.turning(f"carrier{k}", f"planet{k}", point=(3, k, 0))
        train.external(f"sun{k}", f"planet{k}", (sun, pinion))
        train.internal(f"planet{k}", f"ring{k}", (pinion, ring))
    train.fixed("carrier1", "ring2")
    if same_sun:
        train.fixed("sun1", "sun2")
    else:
        train.fixed("carrier2", "ring1")
    return TrainGraph(train)


def bevel_differential(side=16, pinion=10):
    """Two side wheels on one axis, a pinion across it in the case."""
    train = GearTrain("differential")
    along, across = Axis.through((0, 0, 0), X), Axis.through((0, 0, 0), Y)
    train.turning("ground", "left", axis=X)
    train.turning("ground", "right", axis=X)
    train.turning("ground", "case", axis=X)
    train.turning("case", "pinion", axis=Y)
    train.bevel("left", "pinion", (side, pinion), (along, across), contact=(-pinion, side, 0))
    train.bevel("right", "pinion", (side, pinion), (along, across), contact=(pinion, side, 0))
    return TrainGraph(train)


def wrist():
    """The wrist of Chen's paper, links by his numbers; `1` is the base. Senses of bevel pairs are chosen at will."""
    train = GearTrain("wrist")
    train.fixed("ground", "1")
    z1, z2 = Axis.through((0, 0, 0), Z), Axis.through((0, 0, 10), X)
    z3, beside = Axis.through((0, 0, 10), Z), Axis.through((3, 0, 10), Z)
    for link in ("2", "7", "9"):
        train.turning("1", link, (0, 0, 0), Z)
    train.turning("1", "5", (5, 0, 0), Z)
    train.turning("1", "6", (0, 6, 0), Z)
    train.turning("1", "8", (0, -7, 0), Z)
    train.turning("2", "3", z2.point, X)
    train.turning("2", "10", z2.point, X)
    train.turning("3", "4", z3.point, Z)
    train.turning("3", "11", beside.point, Z)
    train.external("5", "2", (20, 40))
    train.external("6", "7", (20, 50))
    train.external("8", "9", (20, 60))
    train.gear("bevel", "7", "3", (30, 31), 1, axes=(z1, z2))
    train.gear("bevel", "9", "10", (20, 21), -1, axes=(z1, z2))
    train.gear("bevel", "10", "11", (22, 23), 1, axes=(z2, beside))
    train.external("11", "4", (17, 18))
    return TrainGraph(train)
