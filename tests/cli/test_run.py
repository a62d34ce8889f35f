"""`wheelwork run` and `wheelwork demo`: files they leave, and exit codes."""

import json
import webbrowser
from pathlib import Path

import numpy as np
import pytest

import wheelwork as ww


@pytest.mark.slow
def test_folder_with_result_and_report(wheelwork):
    done = wheelwork("run", "pendulum.yaml")
    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "outcome good: t = 0.5 s: reached the end" in lines
    assert "written pendulum-run/result.nc" in lines
    assert "pendulum-run/report.html" in done.out
    page = Path("pendulum-run/report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "wheelwork run pendulum.yaml" in page
    assert any(line.startswith("hinge.angle rad 0 2.") for line in lines)
    r = ww.load_result("pendulum-run/result.nc")
    assert r.t[-1] == 0.5
    assert len(r.t) == 21
    np.testing.assert_array_equal(r["hinge.angle"], ww.load("pendulum.yaml").simulate()["hinge.angle"])


def test_options_replace_those_of_the_file(wheelwork):
    options = "--set length=20cm --end 0.1s --method rk4 --step 1ms -o out.nc --rtol 1e-6"
    done = wheelwork("run", "pendulum.yaml", *options.split())
    assert done.code == 0
    p = ww.load_result("out.nc").provenance
    assert p.parameters == {"length": 0.2, "twice": 0.4}
    assert (p.analysis["end"], p.analysis["method"], p.analysis["step"]) == (0.1, "rk4", 0.001)
    assert p.analysis["rtol"] == 1e-6
    assert "length: 20 cm" in p.model
    assert sorted(file.name for file in Path().iterdir()) == ["out.nc", "pendulum.yaml"], (
        "a file, and no report"
    )


@pytest.mark.slow
def test_tables_and_report(wheelwork):
    done = wheelwork(
        "run", "pendulum.yaml", "--csv", "--parquet", "--mat", "--report", "-o", "p.nc", "--json"
    )
    data = json.loads(done.out)
    assert data["outcome"] == "REACHED_END"
    assert data["good"] is True
    assert data["files"] == ["p.nc", "p.csv", "p.parquet", "p.mat", "p.html"]
    assert all(Path(file).stat().st_size > 1000 for file in data["files"])
    assert "hinge.angle" in Path("p.csv").read_text()
    assert Path("p.html").read_text().startswith("<!doctype html>")


@pytest.mark.slow
def test_failed_analysis_keeps_its_result(wheelwork):
    text = Path("pendulum.yaml").read_text().replace("output: 20", "output: 500, max_steps: 20")
    Path("short.yaml").write_text(text)
    done = wheelwork("run", "short.yaml", "-o", "short.nc")
    assert done.code == 1
    shown = " ".join(done.out.split())
    assert "outcome too many steps: t = " in shown
    assert "Raise `max_steps`" in shown
    r = ww.load_result("short.nc")
    assert r.outcome.name == "TOO_MANY_STEPS"
    assert 0 < r.t[-1] < 0.5
    assert json.loads(wheelwork("run", "short.yaml", "--no-report", "--json").out)["good"] is False


@pytest.mark.slow
def test_state_of_an_equilibrium_is_a_result_too(wheelwork):
    text = (
        Path("pendulum.yaml")
        .read_text()
        .replace("{type: simulate, end: 0.5 s, output: 20}", "{type: equilibrium}")
    )
    Path("rest.yaml").write_text(text)
    done = wheelwork("run", "rest.yaml")
    assert done.code == 0
    assert "in equilibrium" in done.out
    r = ww.load_result("rest-run/result.nc")
    assert r.t.tolist() == [0.0]
    # hanging straight down: the hinge, about y, has turned by 90 deg from level
    assert float(r["bob.position.z"][0]) == pytest.approx(-0.5, abs=1e-9)
    assert float(r["hinge.reaction.force.z"][0]) == pytest.approx(2 * 9.80665, rel=1e-9)


DRIVEN = """\
name: lock
bodies:
  crank: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.05, 0, 0]}
  rod: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.2, 0, 0]}
  slide: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.3, 0, 0]}
joints:
  bearing: {type: revolute, bodies: [ground, crank], point: [0, 0, 0], axis: [0, 0, 1]}
  pin: {type: revolute, bodies: [crank, rod], point: [0.1, 0, 0], axis: [0, 0, 1]}
  wrist: {type: spherical, bodies: [rod, slide], point: [0.3, 0, 0]}
  guide: {type: prismatic, bodies: [ground, slide], point: [0.3, 0, 0], axis: [1, 0, 0]}
drivers:
  turn: {type: joint, joint: bearing, value: 2*t}
analysis: {type: kinematics, end: 3, output: 60}
"""


@pytest.mark.slow
def test_driven_motion_is_saved_with_its_words(wheelwork):
    Path("driven.yaml").write_text(DRIVEN)
    done = wheelwork("run", "driven.yaml", "--json", "-o", "driven.nc")
    assert done.code == 0
    r = ww.load_result("driven.nc")
    assert r.report == json.loads(done.out)["report"]
    assert r.provenance.analysis["type"] == "kinematics"
    # slider-crank: x = a cos + sqrt(l^2 - a^2 sin^2)
    phi = 2 * r.t
    x = 0.1 * np.cos(phi) + np.sqrt(0.2**2 - (0.1 * np.sin(phi)) ** 2)
    np.testing.assert_allclose(r["slide.position.x"], x, atol=1e-9)
    between = r.at(1.234)
    x = 0.1 * np.cos(2.468) + np.sqrt(0.2**2 - (0.1 * np.sin(2.468)) ** 2)
    assert float(between["slide.position.x"]) == pytest.approx(x, abs=1e-6)


@pytest.mark.slow
def test_demo_leaves_a_report(wheelwork, monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    done = wheelwork("demo", "--open")
    assert done.code == 0
    folder = Path("wheelwork-demo")
    assert sorted(file.name for file in folder.iterdir()) == [
        "planetary-gearbox.yaml",
        "report.html",
        "result.nc",
    ]
    assert "wheelwork-demo/report.html" in done.out
    assert opened == [(folder / "report.html").resolve().as_uri()]
    assert ww.load_result(folder / "result.nc").outcome.good


MISTAKES = [
    (["check", "nowhere.yaml"], "nowhere.yaml: there is no such file"),
    (["check", "."], ".: is a folder, not a file"),
    (["check", "pendulum.yaml", "--set", "lenght=1"], "there is no parameter `lenght` (did you mean `length`?)"),
    (["check", "pendulum.yaml", "--set", "length=1kg"], "needs a length (in m), but `1 kg` is a mass"),
    (["check", "pendulum.yaml", "--set", "length"], "--set: needs `name=value`, but is `length`"),
    (["info", "pendulum.yaml", "--set", "length=1+"], "length"),
    (["run", "pendulum.yaml", "--end", "soon"], "there is no parameter `soon`"),
    (["run", "pendulum.yaml", "--end", "-1"], "must be later than the start at 0 s, but is -1 s"),
    (["run", "pendulum.yaml", "--end", "3kg"], "needs a time (such as `5 ms`), but `3 kg` is a mass"),
    (["run", "pendulum.yaml", "--method", "euler"], "Choose from"),
    (["run", "pendulum.yaml", "--method", "rk4"], "`rk4` has a fixed step and needs `step`"),
    (["run", "pendulum.yaml", "-o", "nowhere/x.nc"], "nowhere/x.nc: there is no folder `nowhere` to write it in"),
    (["run", "pendulum.yaml", "-o", "nowhere/x"], "nowhere/x: there is no folder `nowhere` to make it in"),
    (["run", "pendulum.yaml", "-o", "pendulum.yaml"], "pendulum.yaml: is a file, not a folder"),
    (["run", "pendulum.yaml", "--frobnicate"], "Unknown option"),
    (["chek", "pendulum.yaml"], "Did you mean \"check\"?"),
    (["check"], "requires an argument"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[" ".join(a) for a, _ in MISTAKES])
def test_mistakes_of_the_user(wheelwork, arguments, message):
    done = wheelwork(*arguments)
    assert done.code == 2
    assert message in " ".join(done.err.split())
    assert done.out == ""


def test_end_has_no_meaning_for_an_equilibrium(wheelwork):
    text = (
        Path("pendulum.yaml")
        .read_text()
        .replace("{type: simulate, end: 0.5 s, output: 20}", "{type: equilibrium}")
    )
    Path("rest.yaml").write_text(text)
    done = wheelwork("run", "rest.yaml", "--end", "1")
    assert done.code == 2
    assert "--end: has no meaning for the analysis `equilibrium`" in done.err


def test_model_without_analysis_needs_an_end(wheelwork):
    text = Path("pendulum.yaml").read_text()
    Path("bare.yaml").write_text(text[: text.index("analysis:")])
    done = wheelwork("run", "bare.yaml")
    assert done.code == 2
    assert "--end: needs the time at which to stop" in done.err
    assert wheelwork("run", "bare.yaml", "--end", "0.1", "--no-report").code == 0


BAD = """\
name: bad
bodies:
  bob: {mass: -1, inertia: [1, 1, 1]}
joints:
  hinge: {type: revolut, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
  other: {type: revolute, bodies: [ground, bop], point: [0, 0, 0], axis: [0, 0, 1]}
"""


def test_all_problems_of_a_file_at_once(wheelwork):
    Path("bad.yaml").write_text(BAD)
    done = wheelwork("run", "bad.yaml")
    assert done.code == 2
    assert "bad.yaml:3:15: bodies.bob.mass: must be greater than zero, but is -1 kg" in done.err
    assert (
        "bad.yaml:5:17: joints.hinge.type: there is no type `revolut` (did you mean `revolute`?)" in done.err
    )
    assert done.err.startswith(("2 errors", "3 errors"))
    machine = wheelwork("check", "bad.yaml", "--json")
    assert machine.code == 2
    problems = json.loads(machine.out)["problems"]
    assert {"where": "bad.yaml:3:15", "path": "bodies.bob.mass"}.items() <= problems[0].items()


def test_folder_that_may_not_be_written(wheelwork, monkeypatch):
    import os

    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    done = wheelwork("run", "pendulum.yaml")
    assert done.code == 2
    assert "pendulum-run: may not be written to" in done.err


def test_parquet_without_pyarrow(wheelwork, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = wheelwork("run", "pendulum.yaml", "--parquet", "--no-report")
    assert done.code == 2
    assert "pip install 'wheelwork[tables]'" in done.err
    assert not Path("pendulum-run").exists(), "said before the work"


def test_no_core_and_no_compiler_is_an_error_that_says_what_to_do(wheelwork, monkeypatch):
    from wheelwork.engine import compiled_core

    monkeypatch.setattr("wheelwork.engine.compiler.BUILT", Path("nowhere"))
    monkeypatch.setattr("wheelwork.engine.engine.core", compiled_core.core.__wrapped__)
    monkeypatch.setenv("CXX", "no-such-compiler")
    done = wheelwork("run", "pendulum.yaml", "-o", "p.nc")
    assert done.code == 2
    for words in ("compiled core", "no-such-compiler", "./wheelwork-dev", "pip install ziglang"):
        assert words in done.err
    assert "Traceback" not in done.err
