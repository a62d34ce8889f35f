"""Whatever fails inside a report is said in its place: the other sections, and the result, are not touched."""

from pathlib import Path

import pytest

import wheelwork as ww
from wheelwork.cli import main
from wheelwork.show.report import page, report_page
from wheelwork.show.report.html import FAILED

from .conftest import make_pendulum
from .words import text_of

SECTIONS = {
    "mechanism": "Mechanism", "of_run": "Warnings", "of_structure": "Warnings", "of_teeth": "Warnings",
    "run": "What was run", "structure": "Structure", "panels": "Signals", "largest_loads": "Largest loads",
    "energy_balance": "Energy", "events": "Events", "checked": "Structure",
}  # fmt: skip
"""What is made to fail, and the section that says so."""


def broken(*_, **__):
    raise IndexError("list index out of range")


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_that_fails_says_so_and_leaves_the_others(swing, monkeypatch, name):
    monkeypatch.setattr(page, name, broken)
    text = text_of(report_page(swing))
    assert f"{FAILED} (IndexError: list index out of range)" in text
    after = text[text.index(SECTIONS[name]) :]
    assert FAILED in after[:400]
    whole = [
        title
        for title in ("What was run", "Structure", "Signals", "Largest loads", "Energy")
        if title in text
    ]
    assert len(whole) == 5


@pytest.mark.slow
def test_nothing_fails_in_sound_reports(page, gearbox_page):
    assert FAILED not in page + gearbox_page


@pytest.mark.slow
@pytest.mark.parametrize("analysis", ["simulate", "modes"])
def test_a_run_keeps_its_result_though_its_report_fails(tmp_path, monkeypatch, capsys, analysis):
    m = make_pendulum()
    m.analysis = ww.Simulate(end=0.1) if analysis == "simulate" else ww.ModesAnalysis()
    m.save(tmp_path / "pendulum.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("wheelwork.show.report.page.whole_page", broken)
    assert main(["run", "pendulum.yaml"]) == 1
    said = capsys.readouterr()
    assert "the report could not be written (IndexError: list index out of range)" in " ".join(
        said.err.split()
    )
    assert "result.nc" in said.out
    assert Path("pendulum-run/result.nc").stat().st_size > 1000


@pytest.mark.slow
def test_wheels_without_a_common_carrier_are_said_and_the_graph_is_that_of_joints():
    m = ww.Mechanism("lever", gravity=(0, 0, 0))
    for name, x in (("a", 0.0), ("hub", 0.06), ("b", 0.06)):
        m.add(name, ww.Body(mass=1, inertia=(0.01,) * 3, position=(x, 0, 0)))
    for name, bodies, point in (
        ("one", ("ground", "a"), (0, 0, 0)),
        ("lever", ("ground", "hub"), (0.06, 0.1, 0)),
        ("two", ("hub", "b"), (0.06, 0, 0)),
    ):
        m.add(name, ww.Revolute(bodies=bodies, point=point, axis=(0, 0, 1)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=0.002))
    text = text_of(report_page(m.simulate(end=0.01, output=2)))
    assert "Ratios are not known: meshes.mesh: has two carriers that disagree" in text
    assert "Bodies and joints" in text
    assert FAILED not in text


@pytest.mark.slow
@pytest.mark.parametrize("analysis", ["equilibrium", "assemble"])
def test_results_of_one_moment_have_a_report(tmp_path, monkeypatch, analysis):
    text = make_pendulum().to_yaml() + f"analysis: {{type: {analysis}}}\n"
    (tmp_path / "pendulum.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["run", "pendulum.yaml"]) == 0
    assert FAILED not in Path("pendulum-run/report.html").read_text()
