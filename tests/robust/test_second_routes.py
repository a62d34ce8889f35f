"""Second routes of `robustness`: copies, pieces, linear equations; they notice libraries that are spoilt."""

from dataclasses import replace

import numpy as np
import pytest

from robustness import random_mechanism
from robustness.comparing import MOST_STEPS, TIGHT, run_quietly
from robustness.routes import (
    compare_copies,
    compare_eigenvalues,
    compare_lanes,
    compare_pieces,
    distance_of_spectra,
)
from wheelwork.analyses.session import Session
from wheelwork.studies.measures import Measures
from wheelwork.system.program import Program

END = 0.02
SEED = 7  # a tree of bodies in space under its weight


def notice_in_copies(seed=SEED, of=None):
    m = random_mechanism(seed, of)[1]
    reference = run_quietly(
        m, {"end": END, "output": 20, "progress": False, "max_steps": MOST_STEPS, **TIGHT}
    )
    return {difference.way for difference in compare_copies(m, reference, END, seed)}


def notice_in_linear_equations(seed=SEED):
    m = random_mechanism(seed)[1]
    return {words.partition(":")[0] for words in compare_eigenvalues(m, seed)}


def spoil_numbers(change):
    def spoil(monkeypatch):
        whole = Program.numbers

        def numbers(self, overrides=None):
            found = whole(self, overrides)
            return replace(found, **change(found))

        monkeypatch.setattr(Program, "numbers", numbers)

    return spoil


def weigh_first_more(found):
    return {"mass": found.mass * np.where(np.arange(len(found.mass)) == 0, 1.01, 1.0)}


def pull_along_an_axis_of_the_world(found):
    return {"gravity": found.gravity + np.array([0.0, 0.1, 0.0])}


def pull_sideways(found):
    return {"gravity": found.gravity + np.array([0.1, 0.0, 0.0])}


def weigh_a_gram_more(found):
    return {"mass": found.mass + 1e-3}


SPOILT = {
    weigh_first_more: "other names and order",
    pull_along_an_axis_of_the_world: "elsewhere",
    pull_sideways: "in a mirror",
    weigh_a_gram_more: "of another size",
}


@pytest.mark.slow
def test_nothing_is_wrong_with_the_library_as_it_is():
    assert notice_in_copies() == set()
    assert notice_in_linear_equations() == set()
    assert list(compare_pieces(random_mechanism(SEED)[1], END, SEED)) == []


@pytest.mark.slow
@pytest.mark.parametrize("change", SPOILT, ids=lambda change: change.__name__)
def test_what_is_taken_from_elsewhere_than_physics_is_noticed(monkeypatch, change):
    spoil_numbers(change)(monkeypatch)
    assert SPOILT[change] in notice_in_copies()
    assert SPOILT[change] in notice_in_linear_equations()


def test_pieces_that_do_not_end_where_they_should_are_noticed(monkeypatch):
    whole, calls = Session.advance, []

    def advance(self, until, **options):
        calls.append(until)
        return whole(self, until * (1 + 1e-12 * (len(calls) > 4)), **options)

    monkeypatch.setattr(Session, "advance", advance)
    assert list(compare_pieces(random_mechanism(SEED)[1], END, SEED)) != []


@pytest.mark.slow
@pytest.mark.parametrize(("family", "seed"), [("loop", 24), ("tree", 3), ("redundant", 2)])
def test_lanes_end_where_single_runs_do(family, seed):
    """The equations of the first have two constants that come together in a product."""
    assert list(compare_lanes(random_mechanism(seed, family)[1], END)) == []


@pytest.mark.slow
def test_lanes_that_measure_something_else_are_noticed(monkeypatch):
    whole = Measures.from_accumulators
    monkeypatch.setattr(
        Measures, "from_accumulators", lambda self, gathered, *more: whole(self, 1.001 * gathered, *more)
    )
    assert list(compare_lanes(random_mechanism(3, "tree")[1], END)) != []


def test_spectra_are_compared_whatever_their_order():
    a = np.array([1j, -1j, -0.5, 1e-5])
    assert distance_of_spectra(a, a[::-1]) == 0
    assert distance_of_spectra(a, np.array([1.1j, -1.1j, -0.5, 2e-5]), 1e-4) == pytest.approx(0.1)
    assert distance_of_spectra(a, a[:3]) == np.inf
