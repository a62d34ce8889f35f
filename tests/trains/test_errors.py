"""What is wrong with a train is said of the pair it is about."""

import re

import pytest

from wheelwork.description import ModelError
from wheelwork.trains import (
    Axis,
    GearTrain,
    TrainGraph,
    check_moves,
    displacements,
    speeds,
    structure_matrix,
    torques,
    train_ratio,
)

from .trains import X, Z, planetary, row_of_wheels


def fails(function, *texts):
    """The problems of a failing call, as text, with some texts in it."""
    with pytest.raises(ModelError) as caught:
        function()
    said = str(caught.value)
    for text in texts:
        assert text in said, said
    return said


def two_wheels():
    train = GearTrain()
    train.turning("ground", "a")
    train.turning("ground", "b", point=(3, 0, 0))
    return train


def test_no_joint():
    train = GearTrain()
    train.turning("ground", "a")
    train.external("a", "b", (10, 20), name="pair")
    fails(lambda: TrainGraph(train), "meshes.pair", "no carrier", "`b` has no joint in which it turns")


def test_nothing_between_the_wheels():
    train = GearTrain()
    train.turning("ground", "a")
    train.turning("frame", "b", point=(3, 0, 0))
    train.external("a", "b", (10, 20), name="pair")
    fails(lambda: TrainGraph(train), "meshes.pair", "no joints connect `a` with `b`")


def test_carriers_that_disagree():
    # The planet turns in the arm, the other wheel in ground, beside the arm's axis: they come apart.
    train = GearTrain()
    train.turning("ground", "arm", name="pivot")
    train.turning("arm", "planet", point=(2, 0, 0))
    train.turning("ground", "wheel", point=(4, 0, 0))
    train.external("planet", "wheel", (10, 20), name="pair")
    fails(
        lambda: TrainGraph(train),
        "meshes.pair",
        "two carriers that disagree",
        "`planet` turns in `arm`",
        "`wheel` in `ground`",
        "`pivot`",
    )


def test_wheels_on_one_axis():
    train = GearTrain()
    train.turning("ground", "a", name="bearing")
    train.turning("ground", "b")
    train.external("a", "b", (10, 20), name="pair")
    fails(lambda: TrainGraph(train), "meshes.pair", "both wheels turn about the axis of `bearing`")


def test_wheel_that_carries_the_other():
    train = GearTrain()
    train.turning("ground", "a")
    train.turning("a", "b", point=(3, 0, 0))
    train.external("a", "b", (10, 20), name="pair")
    fails(lambda: TrainGraph(train), "meshes.pair", "`b` turns in the wheel `a` itself")


def test_wheels_that_are_one_link():
    train = two_wheels()
    train.fixed("a", "b")
    train.external("a", "b", (10, 20), name="pair")
    fails(lambda: TrainGraph(train), "meshes.pair", "rigid with each other")


def test_axes_that_are_not_parallel():
    train = GearTrain()
    train.turning("ground", "a", axis=X, name="one")
    train.turning("ground", "b", point=(3, 0, 0), name="two")
    train.external("a", "b", (10, 20), name="pair")
    fails(lambda: TrainGraph(train), "meshes.pair", "parallel axes", "`one` and `two`")


def test_axis_of_the_mesh_without_a_joint():
    train = two_wheels()
    axes = (Axis.through((0, 0, 0), Z), Axis.through((3.0001, 0, 0), Z))
    train.gear("external", "a", "b", (10, 20), -1, name="pair", axes=axes)
    fails(lambda: TrainGraph(train), "meshes.pair", "no carrier", "`ground-b`", "almost")
    train = two_wheels()
    axes = (Axis.through((0, 0, 0), Z), Axis.through((7, 0, 0), Z))
    train.gear("external", "a", "b", (10, 20), -1, name="pair", axes=axes)
    assert "almost" not in fails(lambda: TrainGraph(train), "meshes.pair", "`ground-b`")


def test_all_pairs_are_named_at_once():
    train = two_wheels()
    train.external("a", "x", (1, 1), name="first")
    train.external("b", "y", (1, 1), name="second")
    fails(lambda: TrainGraph(train), "meshes.first", "meshes.second")


def triangle(third):
    train = GearTrain()
    for k, link in enumerate("abc"):
        train.turning("ground", link, point=(k, k * k, 0))
    train.turning("ground", "d", point=(9, 9, 0))
    train.external("a", "b", (20, 30), name="ab")
    train.external("b", "c", (30, 40), name="bc")
    train.gear("belt", "c", "a", third, 1, name="ca")
    train.external("c", "d", (40, 10), name="cd")
    return TrainGraph(train)


def test_contradicting_ratios():
    said = fails(lambda: check_moves(triangle((41, 20))), "locks", "contradicts", "`bc`", "`ca`")
    assert said.startswith("meshes.ab")
    assert "`cd`" not in said  # it hangs on, but is not to blame
    assert re.search(r"ab 20:30, bc 30:40, ca 41:20", said)
    check_moves(triangle((40, 20)))
    # Speeds are not asked of a train that cannot move.
    fails(lambda: speeds(triangle((41, 20)), {"a": 1}), "contradicts")


def test_three_wheels_in_a_ring():
    train = GearTrain()
    for k, link in enumerate("abc"):
        train.turning("ground", link, point=(k, k * k, 0))
    for a, b in ("ab", "bc", "ca"):
        train.external(a, b, (20, 20))
    fails(lambda: check_moves(TrainGraph(train)), "meshes.a/b", "locks", "`b/c` and `c/a`")


def test_one_planet_with_other_teeth():
    # An odd planet is but an idler and does no harm; an odd stepped planet locks the set as a coupling.
    train = planetary(planets=2).train
    train.turning("arm", "odd", point=(0, 3, 0))
    train.external("sun", "odd", (40, 17))
    train.internal("odd", "ring", (17, 80))
    check_moves(TrainGraph(train))
    train.turning("arm", "stepped", point=(0, -3, 0))
    train.external("sun", "stepped", (40, 20))
    train.internal("stepped", "ring", (21, 80))
    fails(lambda: check_moves(TrainGraph(train)), "locks", "stepped")


def test_a_closed_clutch_makes_a_planetary_set_one_block():
    train = planetary(planets=3).train
    train.fixed("sun", "ring")
    graph = TrainGraph(train)
    check_moves(graph)
    found = speeds(graph, {"sun": 1})
    assert [found.of(link) for link in ("sun", "ring", "arm", "planet1")] == [1, 1, 1, 1]
    train.fixed("ground", "arm")  # nothing is left to turn with
    fails(lambda: check_moves(TrainGraph(train)), "locks", "contradicts")


def test_wheel_that_is_its_own_carrier():
    train = planetary().train
    train.fixed("arm", "ring")
    fails(lambda: TrainGraph(train) and check_moves(TrainGraph(train)), "meshes.planet/ring")


def test_wheel_that_nothing_drives():
    said = fails(
        lambda: speeds(planetary(), {"arm": 1}).check_driven(), "meshes.sun/planet", "nothing drives", "`sun`"
    )
    assert "one freedom" in said
    graph = row_of_wheels(10, 20)
    graph.train.turning("ground", "x", point=(9, 0, 0))
    graph.train.turning("ground", "y", point=(9, 2, 0))
    graph.train.external("x", "y", (3, 4), name="lonely")
    fails(lambda: speeds(TrainGraph(graph.train), {"w1": 1}).check_driven(), "meshes.lonely", "`x`")
    speeds(row_of_wheels(10, 20), {"w1": 1}).check_driven()


def test_inputs_that_contradict():
    graph = row_of_wheels(10, 20)
    fails(lambda: speeds(graph, {"w1": 2, "w2": 3}), "w2", "cannot turn at 3", "`w1` turn it at -1")
    assert speeds(graph, {"w1": 2, "w2": -1}).of("w2") == -1
    fails(lambda: speeds(graph, {"w1": 2}, held=["w2"]), "w1", "no motion with `w2` held")
    fails(lambda: speeds(graph, {"ground": 2}), "ground", "the base")
    fails(lambda: speeds(graph, {}, held=["ground"]), "stands still anyway")


def test_names():
    graph = planetary()
    fails(lambda: speeds(graph, {"Sun": 1}), "no body `Sun`", "did you mean `sun`?")
    fails(lambda: train_ratio(graph, "sun", "arm"), "arm", "not driven by `sun` alone")
    fails(lambda: train_ratio(graph, "sun", "ring", held=["planet", "arm"]), "no motion")
    fails(lambda: structure_matrix(graph, displacements(graph), ["ground"]), "base")
    train = two_wheels()
    train._meet("loose")
    fails(lambda: speeds(TrainGraph(train), {"loose": 1}), "not part of the train")


def test_loads_without_balance():
    graph = planetary()
    found = speeds(graph, {"arm": 1}, held=["ring"])
    fails(lambda: torques(found, {"arm": 1.0, "sun": -5.0, "ring": 0.0}), "nothing balances", "--output")


def test_a_name_is_used_once():
    train = two_wheels()
    fails(lambda: train.turning("ground", "c", name="ground-a"), "taken")
