"""`wheelwork validate`: table, page, JSON; what happens when a case fails, breaks, or is interrupted."""

import json
from pathlib import Path

import pytest

from wheelwork import validation
from wheelwork.validation import Case, Way, compare
from wheelwork.validation import runner as runner_of_cases

GOOD = compare("speed", [1.0, 2.0], [1.0, 2.001], unit="rad/s", absolute=1e-2, origin="print precision")
BAD = compare("angle", 1.1, 1.0, unit="rad", absolute=1e-3, origin="print precision")


def fine(way):
    yield GOOD


def wrong(way):
    yield GOOD
    yield BAD


def broken(way):
    yield GOOD
    raise RuntimeError("t = 0.1 s: the step got too small")


def interrupted(way):
    yield GOOD
    raise KeyboardInterrupt


@pytest.fixture
def cases(monkeypatch):
    """`cases(fine, wrong)`: the catalogue holds these alone."""

    def install(*runs):
        made = tuple(
            Case(run.__name__, f"a {run.__name__} one", "a <book>", run, (Way("absolute"),)) for run in runs
        )
        monkeypatch.setattr("wheelwork.validation.runner.all_cases", lambda: made)

    return install


def test_a_quick_case_as_it_is(wheelwork):
    done = wheelwork("validate", "--only", "khk-worm", "--only", "zf")
    assert done.code == 0
    assert "7.76517" in done.out
    assert "print precision" in done.out
    assert "ZF (2008 pilot series" in done.out
    assert "all pass" in done.out
    assert "2 cases, 2 runs, 11 quantities" in done.out


def test_failures(wheelwork, cases):
    cases(fine, wrong, broken)
    done = wheelwork("validate", "--html", "table.html")
    assert done.code == 1
    assert "FAIL wrong: absolute" in done.out
    assert "FAIL broken: absolute" in done.out
    assert "the step got too small" in done.out
    assert "all pass" not in done.out
    page = Path("table.html").read_text("utf-8")
    assert "2 fail" in page
    assert "the step got too small" in page
    assert "a &lt;book&gt;" in page
    assert wheelwork("validate", "--only", "fine").code == 0


def test_json(wheelwork, cases):
    cases(fine, wrong)
    done = wheelwork("validate", "--json")
    assert done.code == 1
    data = json.loads(done.out)
    assert (data["complete"], data["passed"]) == (True, False)
    good, bad = data["cases"][1]["ways"][0]["findings"]
    assert (good["passed"], bad["passed"]) == (True, False)
    assert bad["error"] == pytest.approx(0.1)
    assert (good["reference"], good["ours"], good["count"]) == (2.001, 2.0, 2)


def test_interrupted(wheelwork, cases):
    cases(fine, interrupted, wrong)
    done = wheelwork("validate", "--html", "table.html")
    assert done.code == 130
    assert "interrupted: 1 of 3 cases" in done.out
    assert "a fine one" in done.out
    assert "Stopped before the end" in Path("table.html").read_text("utf-8")


def test_listing_and_unknown_names(wheelwork):
    done = wheelwork("validate", "--list", "--only", "adams")
    assert done.code == 0
    assert "adams-revolute-spherical" in done.out
    done = wheelwork("validate", "--only", "adasm-revolute")
    assert done.code == 2
    assert "there is no case `adasm-revolute`" in done.err
    assert "adams-revolute" in done.err


def test_every_way(wheelwork, monkeypatch):
    case = Case("two", "two ways", "a book", fine, (Way("absolute"), Way("reduced")))
    monkeypatch.setattr("wheelwork.validation.runner.all_cases", lambda: (case,))
    assert [wheelwork("validate", *more).out.count("1.0e-03") for more in ((), ("--all",))] == [1, 2]
    assert wheelwork("validate").err == ""


def test_findings():
    assert not compare("x", float("nan"), 1.0, absolute=1.0, origin="").passed
    assert compare("x", [1.0, float("nan")], [1.0, 1.0], absolute=1.0, origin="").error != 0
    assert not compare("x", 1.0, 1.0 + 1e-9, origin="").passed
    worst = compare("x", [1.0, 5.0], [1.0001, 5.1], absolute=1e-5, relative=0.1, origin="")
    assert (worst.reference, worst.passed) == (5.1, True)
    with pytest.raises(ValueError, match="against"):
        compare("x", [1.0], [1.0, 2.0], origin="")


def test_a_run_that_stops_early_is_a_failure():
    import wheelwork as ww
    from wheelwork.validation.cases.adams import tilted

    def run(way):
        yield GOOD
        way.simulate(tilted(ww.Revolute), 5.0, max_steps=3)

    outcome = runner_of_cases.run_case(Case("x", "x", "x", run), Way("absolute", "native"))
    assert not outcome.passed
    assert "max_steps" in outcome.error
    assert outcome.findings == (GOOD,)
    assert validation.run_case is runner_of_cases.run_case
