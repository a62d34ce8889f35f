"""Displacement equations: the matrix of Chen (3), the structure matrix (13), and formulas against numbers."""

from fractions import Fraction

import numpy as np
import pytest

from wheelwork.trains import TrainGraph, displacements, structure_formulas, structure_matrix
from wheelwork.trains.symbols import Symbolic
from wheelwork.trains.train import GearTrain

from .trains import bevel_differential, planetary, ravigneaux, row_of_wheels, wolfrom, wrist


def N(graph, i, j):
    """Signed ratio theta(j,c)/theta(i,c) of the pair with the wheels i and j."""
    for c in graph.circuits:
        if (c.a, c.b) == (i, j):
            return c.ratio
        if (c.b, c.a) == (i, j):
            return 1 / c.ratio
    raise KeyError((i, j))


def paper(n):
    """Chen (3) as Wheelwork's design notes have it, for any N: rows by link."""
    return {
        "5": [n("2", "5"), 0, 0],
        "6": [n("7", "6"), n("3", "7") * n("7", "6"), 0],
        "7": [1, n("3", "7"), 0],
        "8": [
            n("9", "8"),
            n("10", "9") * n("9", "8"),
            n("4", "11") * n("11", "10") * n("10", "9") * n("9", "8"),
        ],
        "9": [1, n("10", "9"), n("4", "11") * n("11", "10") * n("10", "9")],
        "10": [0, 1, n("4", "11") * n("11", "10")],
        "11": [0, 0, n("4", "11")],
    }


def test_matrix_of_the_paper():
    graph = wrist()
    found = displacements(graph)
    assert found.chain == (graph.links.of["1"], "2", "3", "4")
    assert [q.link for q in found.coordinates] == ["2", "3", "4"]
    assert {rate.link: row for rate, row in zip(found.angles, found.matrix, strict=True)} == paper(
        lambda i, j: N(graph, i, j)
    )


def test_formulas_of_the_paper():
    graph = wrist()
    found = displacements(graph)

    def symbol(i, j):
        for name, pair in found.pairs.items():
            if pair == (i, j):
                return Symbolic.symbol(name)
            if pair == (j, i):
                return 1 / Symbolic.symbol(name)
        raise KeyError((i, j))

    for link, row in paper(symbol).items():
        assert all(a == b for a, b in zip(found.formula_row(link), row, strict=True)), link
    lines = found.equations()
    base = graph.links.of["1"]
    assert f"theta(6,{base}) = N(7,6) theta(2,{base}) + N(3,7) N(7,6) theta(3,2)" in lines
    assert "theta(10,2) = theta(3,2) + N(4,11) N(11,10) theta(4,3)" in lines
    assert r"\theta_{11,3} = N_{4,11} \theta_{4,3}" in found.equations(latex=True)


def test_structure_matrix_of_the_paper():
    graph = wrist()
    found = displacements(graph)
    rows = paper(lambda i, j: N(graph, i, j))
    expected = [list(column) for column in zip(rows["5"], rows["6"], rows["8"], strict=True)]
    assert structure_matrix(graph, found, ["5", "6", "8"]) == expected
    formulas = structure_formulas(graph, found, ["5", "6", "8"])
    values = {c.name: c.ratio for c in graph.circuits}
    assert [[x.evaluate(values) for x in row] for row in formulas] == expected
    # By name of the joint instead of the link: the same, since each of them turns in the base.
    assert structure_matrix(graph, found, ["1-5", "1-6", "1-8"]) == expected


TRAINS = {
    "planetary": planetary(),
    "planetary with four planets": planetary(planets=4),
    "row": row_of_wheels(17, 23, 40, 11),
    "Wolfrom": wolfrom(18, 27, 72, 26, 71),
    "Ravigneaux": ravigneaux(30, 36, 18, 20, 72),
    "differential": bevel_differential(),
    "wrist": wrist(),
}


@pytest.mark.parametrize("name", TRAINS)
def test_formulas_give_the_numbers(name):
    graph = TRAINS[name]
    found = displacements(graph)
    assert found.formulas is not None
    values = {c.name: c.ratio for c in graph.circuits}
    assert [[x.evaluate(values) for x in row] for row in found.formulas] == found.matrix
    assert np.allclose(found.numbers, [[float(x) for x in row] for row in found.matrix], rtol=1e-15)


@pytest.mark.parametrize("name", TRAINS)
@pytest.mark.parametrize("output", ["first", "last"])
def test_every_solution_satisfies_the_circuits(name, output):
    graph = TRAINS[name]
    link = graph.moving[0 if output == "first" else -1]
    found = displacements(graph, link)
    assert link in found.chain
    for k, q in enumerate(found.coordinates):
        angle = {rate: row[k] for rate, row in zip(found.angles, found.matrix, strict=True)}
        angle |= {other: Fraction(other == q) for other in found.coordinates}
        for row in graph.rows:
            assert sum(x * angle[graph.rates[j]] for j, x in row.items()) == 0


def test_the_chain_gives_the_coordinates_as_far_as_they_go():
    # One freedom, but two joints on the way to the planet: one of them follows from the other.
    train = planetary().train
    train.fixed("ground", "ring")
    found = displacements(TrainGraph(train), "planet")
    assert found.chain == ("ground", "arm", "planet")
    assert [q.link for q in found.coordinates] == ["arm"]
    # Two freedoms, but one joint on the way to the arm: another one is added.
    assert len(displacements(planetary(), "arm").coordinates) == 2


def test_two_pairs_of_the_same_wheels_have_symbols_of_their_own():
    # A worm that drives its wheel at two places, say.
    train = GearTrain()
    train.turning("ground", "a")
    train.turning("ground", "b", point=(3, 0, 0))
    train.external("a", "b", (10, 20), name="left")
    train.external("a", "b", (10, 20), name="right")
    found = displacements(TrainGraph(train), "a")
    assert found.equations() == ["theta(b,ground) = N(a:left,b:left) theta(a,ground)"]


def test_planetary_formula_is_that_of_willis():
    # omega_r = omega_a + N_sp N_pr (omega_s - omega_a), Bai (2.7)
    found = displacements(planetary(), "arm")
    i = Symbolic.symbol("sun/planet") * Symbolic.symbol("planet/ring")
    assert [q.link for q in found.coordinates] == ["arm", "sun"]
    assert found.formula_row("ring") == [Symbolic.of(1) - i, i]
    # The other way round the factor stands below: theta_arm = (theta_ring - i theta_sun)/(1 - i).
    found = displacements(planetary(), "ring")
    assert [q.link for q in found.coordinates] == ["ring", "sun"]
    one = Symbolic.of(1)
    assert found.formula_row("arm") == [one / (one - i), -(i / (one - i))]
    assert "/(1 - N(sun,planet) N(planet,ring))" in "".join(found.equations())
