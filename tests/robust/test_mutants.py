"""Spoilt versions of the library: `./wheelwork-dev robustness` notices each, and nothing in the library as it is."""

import importlib
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest
from processes import started

import wheelwork as ww
from robustness import FAMILIES, judging, random_mechanism
from robustness.controls import _looked, controls, threads
from wheelwork import examples, mechanism
from wheelwork.description import Problem
from wheelwork.system.program import Program

simulate = importlib.import_module("wheelwork.analyses.simulate")  # the module, which its function hides
QUICK = ("absolute", "auto")


def wrong(ways=QUICK):
    return {one.name: one.words for one in controls(ways) if one.verdict == "wrong"}


@pytest.mark.slow
def test_the_library_as_it_is():
    assert wrong(("absolute", "auto", "reduced", "sdirk4", "rk4")) == {}


def no_gravity(monkeypatch):
    whole = Program.numbers

    def numbers(self, overrides=None):
        found = whole(self, overrides)
        return replace(found, gravity=0 * found.gravity)

    monkeypatch.setattr(Program, "numbers", numbers)


def nothing_moves(monkeypatch):
    whole = simulate.Planned.carried_out

    def carried_out(self, *arguments):
        done = whole(self, *arguments)
        return replace(done, state=np.repeat(done.state[:1], len(done.state), axis=0))

    monkeypatch.setattr(simulate.Planned, "carried_out", carried_out)


def every_file_refused(monkeypatch):
    def loads(text):
        raise ww.ModelError([Problem("there is something wrong with it")])

    monkeypatch.setattr(mechanism, "loads", loads)


def another_model(monkeypatch):
    other = ww.load(examples.path("pendulum"))
    monkeypatch.setattr(mechanism, "loads", lambda text: other)


def warnings_everywhere(monkeypatch):
    whole = simulate.Planned.carried_out

    def carried_out(self, *arguments):
        warnings.warn("overflow encountered in multiply", RuntimeWarning, stacklevel=2)
        return whole(self, *arguments)

    monkeypatch.setattr(simulate.Planned, "carried_out", carried_out)


def half_the_inertia(monkeypatch):
    whole = Program.numbers

    def numbers(self, overrides=None):
        found = whole(self, overrides)
        return replace(found, inertia=found.inertia / 2)

    monkeypatch.setattr(Program, "numbers", numbers)


MUTANTS = {
    no_gravity: {"stone", "pendulum"},
    nothing_moves: {"stone", "pendulum", "gears"},
    every_file_refused: {"files"},
    another_model: {"files"},
    warnings_everywhere: {"stone", "pendulum", "gears"},
    half_the_inertia: {"pendulum", "gears"},
}


@pytest.mark.slow
@pytest.mark.parametrize("spoil", MUTANTS, ids=lambda spoil: spoil.__name__)
def test_a_spoilt_library_is_noticed(monkeypatch, spoil):
    spoil(monkeypatch)
    assert {name.partition(",")[0] for name in wrong()} >= MUTANTS[spoil]


def test_threads_that_disturb_each_other_are_noticed(monkeypatch):
    runs = iter(range(10))
    whole = ww.Mechanism.simulate

    def disturbed(self, *arguments, **options):
        r = whole(self, *arguments, **options)
        found = r["hinge.angle"]
        r._known["hinge.angle"] = found + (0.01 if next(runs) > 2 else 0.0)
        return r

    monkeypatch.setattr(ww.Mechanism, "simulate", disturbed)
    assert "a thread is off" in _looked("threads", threads).words


@pytest.mark.slow
def test_a_report_that_fails_is_noticed(monkeypatch):
    """A section that cannot be made is said in the report, and by whoever judges the mechanism."""
    page = importlib.import_module("wheelwork.show.report.page")

    def fail(result):
        raise IndexError("list index out of range")

    m = random_mechanism(0)[1]
    assert judging._reported(m) == ""
    assert judging._reported(m, pictures=False) == ""
    monkeypatch.setattr(page, "largest_loads", fail)
    assert "IndexError: list index out of range" in judging._reported(m, pictures=False)
    found = judging.judge_in_all_ways(list(FAMILIES).index("train") + 10 * len(FAMILIES))
    assert (found.verdict, "its report" in found.words) == ("wrong", True)  # not one of those with pictures


@pytest.mark.slow
@pytest.mark.parametrize("way", ["absolute", "reduced", "sdirk4", "rk4"])
def test_one_way_that_is_wrong_is_noticed(monkeypatch, way):
    """A formulation or a method that is off by a thousandth of the motion, and only that one."""
    whole = simulate.planned
    m = random_mechanism(3)[1]

    class Off(simulate.Planned):
        def carried_out(self, at, grid, progress):
            done = super().carried_out(at, grid, progress)
            speeds = slice(at.prepared.program.nq, None)
            state = done.state.copy()
            state[:, speeds] *= 1.001
            return replace(done, state=state)

    def planned(at, run, formulation):
        plan = whole(at, run, formulation)
        this = {
            "absolute": formulation == "absolute" and run.method == "dopri5",
            "reduced": formulation == "reduced",
        }
        return Off(**vars(plan)) if this.get(way, run.method == way) else plan

    assert judging.in_all_ways(m) == ""
    monkeypatch.setattr(simulate, "planned", planned)
    words = judging.in_all_ways(m)
    assert "is off by" in words
    assert way == "absolute" or all(part.startswith(way) for part in words.split("; "))


UNGUARDED = """
from contextlib import nullcontext
from wheelwork.engine.threads import OneThread
from robustness.controls import shared_engine
assert shared_engine() == ""
print("guarded", flush=True)
OneThread.use = lambda self, **_: nullcontext()
assert not any(shared_engine() for _ in range(5))
"""


@pytest.mark.slow
def test_an_engine_without_its_guard_is_noticed():
    """Two threads in one engine write over each other's numbers: other trajectories, or the end of the process."""
    with started(sys.executable, "-c", UNGUARDED) as process:
        out, errors = process.communicate()  # one that never ends is noticed too
    assert out == "guarded\n", errors
    assert process.returncode != 0
