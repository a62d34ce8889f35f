"""Rows of constraints on the tree's coordinates, body by body, against the matrix product they stand for."""

import numpy as np
import pytest

from benchmarks.train_model import describe
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.analyses.reduction import reduce
from wheelwork.analyses.reduction.links import in_space, on_coordinates
from wheelwork.system.attitude import about

from .reduced_models import all_models


@pytest.mark.parametrize("housing", ["fixed", "turning"])
def test_rows_on_coordinates_are_the_product_of_both_matrices(housing):
    at = assembled(prepare(describe(3, housing)), 0.0)
    engine = at.prepared.engine
    program = engine.program
    G = in_space(program, engine.constraints(0.0, at.state)[1])
    J = np.random.default_rng(2).normal(size=(len(program.bodies), 6, 4))
    whole = np.zeros((len(G), 6 * len(program.bodies)))
    for use in program.constraints:
        for row in range(use.first_row, use.first_row + use.rows):
            for body, entries in ((use.a, G[row, :6]), (use.b, G[row, 6:])):
                if body >= 0:
                    whole[row, 6 * body : 6 * body + 6] = entries
    found = on_coordinates(program, G, J)
    assert np.abs(found).max() > 0.1
    assert found == pytest.approx(whole @ J.reshape(-1, 4), abs=1e-12)


@pytest.mark.parametrize("name", ["3 planets", "free bodies", "cylindrical on a hinge"])
def test_motions_by_coordinates_are_those_by_rows_times_the_rates_of_the_rows(name):
    """Spins, turns, slides and balls of a tree, at a position that is not the start."""
    at = assembled(prepare(all_models()[name]), 0.0)
    reduction = reduce(at.prepared.engine, 0.0, at.state)
    tree, rng = reduction.tree, np.random.default_rng(5)
    B = rng.normal(size=(tree.rows, 3))
    q, turned = B @ rng.normal(size=3), about(np.array([0.6, 0.0, 0.8]), 0.4)
    turns = dict.fromkeys(range(len(tree.nodes)), turned)
    *places, J = tree.place(q, turns)
    *same, motions = tree.place(q, turns, B)
    assert all(np.array_equal(a, b) for a, b in zip(places, same, strict=True))
    assert np.abs(motions).max() > 0.1
    assert motions == pytest.approx(J @ B, abs=1e-12)
