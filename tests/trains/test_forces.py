"""Order of free-body balances: Chen's wrist, planetary trains, trains that statics cannot solve, circles of power."""

import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.trains import ForceEdge, GearTrain, TrainGraph, force_order, solution_order

MOTORS = ["motor5", "motor6", "motor8"]


@pytest.fixture(scope="module")
def wrist():
    return ww.load(examples.path("bevel-wrist")).gear_train()


def assert_consistent(order, equations=6):
    """Every edge is solved once, from links that are balanced once, and is known only after it is solved."""
    solved = set()
    for step in order.steps:
        assert step.equations == equations * len(step.links)
        assert 0 <= step.unknowns <= step.equations
        assert all(edge in solved for edge in step.known)
        assert not any(edge in solved for edge in step.solves)
        solved |= set(step.solves)
    assert len(order.links) == len(set(order.links))


def test_wrist_with_given_torques(wrist):
    """Chen: the independent paths <5>, <6,7>, <8,9,10,11>, and then the major links backward from 4 to 2."""
    order = force_order(wrist, output="link4")
    assert_consistent(order)
    assert order.paths == (("link5",), ("link6", "link7"), ("link8", "link9", "link10", "link11"))
    assert order.after == ("link4", "link3", "link2")
    assert not order.open
    assert [step.unknowns for step in order.steps] == [6] * 7 + [5] * 3
    # 10 turning pairs and 7 gear pairs: 57 unknowns in 60 equations; the three left over are those of motion
    assert sum(step.unknowns for step in order.steps) == 57
    assert sum(step.spare for step in order.steps) == 3


def test_wrist_with_unknown_torques(wrist):
    """The motors last: 4, then 11, ... never more than six unknowns, and no equation left over."""
    order = force_order(wrist, drivers=MOTORS, output="link4")
    assert_consistent(order)
    assert order.links[:2] == ("link4", "link11")
    assert [step.unknowns for step in order.steps] == [6] * 10
    assert not order.paths


def test_printed_sequence(wrist):
    """Chen's own sequence 4, 11, 3, 10, 2, 7, 9, 5, 8, 6 (one of its 8s is a 9), with the motors unknown."""
    edges = [edge for step in force_order(wrist, drivers=MOTORS).steps for edge in step.solves]
    known = set()
    for number in (4, 11, 3, 10, 2, 7, 9, 5, 8, 6):
        cut = [edge for edge in edges if f"link{number}" in edge.links and edge not in known]
        assert sum(edge.unknowns for edge in cut) == 6
        known |= set(cut)
    assert len(known) == len(edges) == 20


def test_table(wrist):
    text = force_order(wrist).table()
    assert "1      link5    motor5 5, link5-link2 1    -                        6 of 6" in text
    assert "independent paths   <link5>, <link6, link7>, <link8, link9, link10, link11>" in text
    assert "then                link4, link3, link2" in text


def planetary(planets):
    train = GearTrain("planetary")
    for link in ("sun", "arm", "ring"):
        train.turning("ground", link)
    for k in range(planets):
        train.turning("arm", f"planet{k}", point=(3, k, 0))
        train.external("sun", f"planet{k}", teeth=(40, 20))
        train.internal(f"planet{k}", "ring", teeth=(20, 80))
    return TrainGraph(train)


def test_one_planet():
    order = force_order(planetary(1))
    assert_consistent(order)
    assert not order.open
    assert sum(step.spare for step in order.steps) == 2


@pytest.mark.parametrize("planets", [2, 3])
def test_planets_that_share_a_load_are_left_open(planets):
    """Two planets: 29 unknowns in 30 equations, but one of four meshes repeats the others: counting deceives."""
    order = force_order(planetary(planets))
    assert not order.steps
    assert len(order.open) == 3 + 3 * planets


def test_circle_of_power_is_solved_together():
    """Sun, planet, ring, and an idler from ring to sun: every wheel is in two meshes, so none can be solved alone.

    Planet and arm can: they have the bearings of both and two meshes, 12 unknowns.
    """
    train = GearTrain("circle")
    for link in ("sun", "arm", "ring"):
        train.turning("ground", link)
    train.turning("ground", "idler", point=(5, 0, 0))
    train.turning("arm", "planet", point=(3, 0, 0))
    train.external("sun", "planet", teeth=(40, 20))
    train.internal("planet", "ring", teeth=(20, 80))
    train.external("ring", "idler", teeth=(90, 11))
    train.external("idler", "sun", teeth=(12, 41))
    order = force_order(TrainGraph(train))
    assert_consistent(order)
    assert not order.open
    assert order.steps[0].links == ("arm", "planet")
    assert (order.steps[0].unknowns, order.steps[0].equations) == (12, 12)
    assert [step.unknowns for step in order.steps[1:]] == [6, 6, 5]


def test_links_are_taken_together_only_where_they_must():
    """Two bars and two hinges in the plane between two fixed points: 6 unknowns, 3 equations each."""
    hinges = [ForceEdge(name, pair, 2) for name, pair in (("A", ("ground", "one")), ("B", ("one", "two")))]
    order = solution_order([*hinges, ForceEdge("C", ("two", "ground"), 2)], equations=3)
    assert [step.links for step in order.steps] == [("one", "two")]
    hanging = solution_order(hinges, equations=3)
    assert hanging.links == ("two", "one")
    assert hanging.paths == (("two", "one"),)


def test_what_cannot_be_solved_is_left_open():
    edges = [ForceEdge("left", ("ground", "shaft"), 5), ForceEdge("right", ("ground", "shaft"), 5)]
    order = solution_order([*edges, ForceEdge("pin", ("shaft", "lever"), 5)])
    assert order.links == ("lever",)
    assert [edge.name for edge in order.open] == ["left", "right"]
    assert "left open           left, right" in order.table()
