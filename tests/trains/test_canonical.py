"""The canonical graph: coaxial joints, carriers, levels."""

import pytest

from wheelwork.trains import GearTrain, TrainGraph, mobility

from .trains import X, planetary, wolfrom, wrist


def parents(graph):
    return {link: graph.joint_of(link).parent for link in graph.moving}


def members(graph):
    return {frozenset((a.reference, *a.members)) for a in graph.axes.values()}


def test_wrist_of_the_paper():
    graph = wrist()
    base = graph.links.of["1"]
    # Chen, fig. 3: 5, 6, 7, 8, 9 are carried by the base, 10 by 2, 11 by 3.
    expected = dict.fromkeys(("2", "5", "6", "7", "8", "9"), base) | {
        "3": "2",
        "10": "2",
        "4": "3",
        "11": "3",
    }
    assert parents(graph) == expected
    assert {c.name: c.carrier for c in graph.circuits} == {
        "5/2": base, "6/7": base, "8/9": base, "7/3": "2", "9/10": "2", "10/11": "3", "11/4": "3"
    }  # fmt: skip
    count = mobility(graph)
    assert (count.links, count.joints, count.gears) == (11, 10, 7)
    assert (count.by_count, count.by_rank) == (3, 3)


def test_axes_that_agree_by_chance_are_not_one_axis():
    # At the given position z1 and z3 of the wrist are the same line; a joint about z2 is between them.
    graph = wrist()
    assert graph.train.pairs["1-2"].axis.direction == graph.train.pairs["3-4"].axis.direction
    assert {"ground", "2", "7", "9"} in members(graph)
    assert {"3", "4"} in members(graph)


def test_no_label_comes_twice_on_a_path_from_the_base():
    # The ring turns on the sun's shaft, the arm on the ring: in the canonical graph all turn in ground.
    train = GearTrain()
    train.turning("ground", "sun")
    train.turning("sun", "ring")
    train.turning("arm", "ring", axis=(0, 0, -1))
    train.turning("arm", "planet", point=(3, 0, 0))
    train.external("sun", "planet", (40, 20))
    train.internal("planet", "ring", (20, 80))
    graph = TrainGraph(train)
    assert parents(graph) == {"sun": "ground", "ring": "ground", "arm": "ground", "planet": "arm"}
    assert {c.carrier for c in graph.circuits} == {"arm"}
    for link in graph.moving:
        labels = [graph.rates[k].axis.label for k in graph.path(link)]
        assert len(labels) == len(set(labels))


def test_fixed_bodies_are_one_link():
    train = GearTrain()
    train.turning("ground", "shaft")
    train.fixed("wheel", "shaft")
    train.fixed("wheel", "hub")
    train.turning("ground", "other", point=(2, 0, 0))
    train.external("hub", "other", (20, 30))
    graph = TrainGraph(train)
    assert graph.links.bodies["shaft"] == ["shaft", "wheel", "hub"]
    assert graph.circuits[0].a == "shaft"


@pytest.mark.parametrize(
    ("offset", "tilt", "axes"), [(0, 0, 1), (1e-9, 0, 1), (1e-3, 0, 2), (0, 1e-9, 1), (0, 1e-3, 2)]
)
def test_which_joints_are_coaxial(offset, tilt, axes):
    train = GearTrain()
    train.turning("ground", "a", point=(0, 0, 0))
    train.turning("ground", "b", point=(offset, 0, 5), axis=(tilt, 0, -2))
    train.turning("a", "c", point=(4, 0, 0))
    assert len(TrainGraph(train).axes) == axes + 1


def test_a_second_bearing_changes_nothing_but_the_count():
    train = planetary().train
    train.turning("arm", "sun", point=(0, 0, 1), name="pilot bearing")
    graph = TrainGraph(train)
    assert parents(graph) == parents(planetary())
    assert mobility(graph).by_rank == 2
    assert mobility(graph).by_count == 0  # two constraints of the plane too many


def test_links_that_share_two_axes_are_one():
    # A planet pin held in two plates, each with its own bearing.
    train = GearTrain()
    train.turning("ground", "plate1", name="one")
    train.turning("ground", "plate2", name="two")
    train.turning("plate1", "planet", point=(3, 0, 0), name="pin1")
    train.turning("plate2", "planet", point=(3, 0, 0), name="pin2")
    train.internal("planet", "ground", (20, 80))
    graph = TrainGraph(train)
    assert graph.links.of["plate2"] == "plate1"
    assert [(a, b) for a, b, _ in graph.links.locked] == [("plate1", "plate2")]
    assert graph.circuits[0].carrier == "plate1"
    assert mobility(graph).by_rank == 1


def test_further_planets_are_redundant():
    count = mobility(planetary(planets=4))
    assert count.by_rank == 2
    assert count.by_count == 2 - 3
    assert len(count.redundant) == 3


def test_ring_that_is_the_housing():
    graph = wolfrom(18, 27, 72, 26, 71)
    assert {c.carrier for c in graph.circuits} == {"arm"}
    assert mobility(graph).by_rank == 1


def test_a_part_without_ground_has_a_base_of_its_own():
    train = GearTrain()
    train.turning("housing", "in", axis=X)
    train.turning("housing", "out", point=(0, 3, 0), axis=X)
    train.external("in", "out", (10, 20))
    graph = TrainGraph(train)
    assert graph.bases == ["ground", "housing"]
    assert mobility(graph).by_rank == 1


def test_as_networkx():
    graph = wrist()
    network = graph.as_networkx()
    kinds = [kind for _, _, kind in network.edges(data="kind")]
    assert (network.number_of_nodes(), kinds.count("thin"), kinds.count("heavy")) == (11, 10, 7)
    given = planetary().as_networkx(canonical=False)
    assert {name for _, _, name in given.edges(data="name")} >= {"ground-sun", "sun/planet"}
