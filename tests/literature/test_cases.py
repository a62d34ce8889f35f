"""Every case of `wheelwork validate`, in every way it can be run; the page of the documentation holds these."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from wheelwork.validation import all_cases, run_case

PAGE = Path(__file__).parents[2] / "docs" / "_static" / "validation.html"
REMAKE = "the page is out of date: `wheelwork validate --html docs/_static/validation.html` makes it anew"


JOBS = [
    pytest.param(case, way, id=f"{case.name}: {way}", marks=[pytest.mark.slow] if way.slow else [])
    for case in all_cases()
    for way in case.ways
]


@cache
def on_the_page():
    found = re.search(
        r'<script type="application/json" id="validation-data">(.*?)</script>', PAGE.read_text("utf-8")
    )
    assert found is not None
    return json.loads(found[1].replace("<\\/", "</"))


@pytest.mark.slow
@pytest.mark.parametrize(("case", "way"), JOBS)
def test_case(case, way):
    outcome = run_case(case, way)
    assert not outcome.error
    for finding in outcome.findings:
        assert finding.error <= finding.tolerance, finding
    assert outcome.passed
    shown = next((c for c in on_the_page()["cases"] if c["name"] == case.name), {"ways": []})
    shown = next((w for w in shown["ways"] if w["way"] == str(way)), {"findings": []})["findings"]
    # which of several values comes out worst may differ between machines; what is compared with what may not
    told = [(f["quantity"], f["unit"], f["origin"], f["count"], f["passed"]) for f in shown]
    made = [(f.quantity, f.unit, f.origin, f.count, f.passed) for f in outcome.findings]
    assert told == made, REMAKE


def test_the_page_has_all_cases_and_no_others():
    told = [
        (c["name"], c["title"], c["source"], [w["way"] for w in c["ways"]], [r["why"] for r in c["refusals"]])
        for c in on_the_page()["cases"]
    ]
    made = [
        (c.name, c.title, c.source, [str(w) for w in c.ways], [r.why for r in c.refusals])
        for c in all_cases()
    ]
    assert told == made, REMAKE
    assert on_the_page()["complete"]
    assert on_the_page()["passed"]


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_every_way_is_run_or_refused(case):
    """Each formulation and mesh model; a refusal says why."""
    assert list(case.missing()) == []
    assert len({str(way) for way in case.ways}) == len(case.ways)
    assert all(len(refusal.why) > 20 and str(refusal) for refusal in case.refusals)
    assert not any(refusal.covers(way.axes) for refusal in case.refusals for way in case.ways)


def test_names():
    names = [case.name for case in all_cases()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    assert all(case.source for case in all_cases())
