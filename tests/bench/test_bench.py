"""The benchmarks: what is in its file, one part in quick mode, tables with a peer that is missing or faster."""

import io
import json
from importlib import import_module

import pytest
from rich.console import Console

from benchmarks import markdown, parts, report, runner, summary
from benchmarks.__main__ import make_app
from wheelwork.cli.app import run_app

ABSENT = "a_program_that_nobody_has"


def fake(measure, **other) -> parts.Part:
    return parts.Part("squeezer", "a part", measure, {ABSENT: ""}, {"pinocchio": "has no gears"}, **other)


@pytest.fixture
def one_part(monkeypatch):
    """The squeezer as the one part, in place of its own numbers these: ours 1 ms, theirs 30 ms at 1e-3 rad."""
    monkeypatch.setitem(parts.INSTALL, ABSENT, "a-program")
    monkeypatch.setitem(parts.TITLES, ABSENT, "A program")

    def level(error: float, ours: float, theirs: float):
        sides = {"wheelwork": ours, "exudyn": theirs}
        made = {name: {"seconds": t, "method": "rk4", "extrapolated": False} for name, t in sides.items()}
        return {"error": error, **made}

    levels = [
        level(1e-2, 1e-3, 1e-2),
        level(1e-3, 1e-3, 0.03),
        level(1e-4, 2e-3, 1e-3),
        level(1e-5, 2e-3, 1e-3),
    ]
    part = fake(lambda peers, quick: {"runs": [], "levels": levels, "failed": [], "peers": list(peers)})
    monkeypatch.setattr(runner, "PARTS", {"squeezer": part})
    return part


def shown(data) -> str:
    console = Console(file=io.StringIO(), width=220)
    report.show(data, console)
    return console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_what_is_in_the_file(one_part, tmp_path):
    data = runner.measure(["squeezer"], quick=True)
    runner.write(data, tmp_path / "new" / "results.json")
    assert runner.read(tmp_path / "new" / "results.json") == data
    assert data["format"] == runner.FORMAT
    assert {"processor", "cores", "memory", "compiler", "python", "versions", "load"} <= data["about"].keys()
    part = data["parts"]["squeezer"]
    kept = {
        "what", "date", "commit", "load", "quick", "seconds", "processor", "missing", "without", "results",
    }  # fmt: skip
    assert part.keys() == kept
    assert part["missing"] == [ABSENT]
    assert part["results"]["peers"] == []  # what is not installed is not run
    compared = [row for row in data["summary"] if "ours" in row]
    assert [row["times"] for row in compared] == [30.0, 0.5]
    for row in compared:
        assert {"part", "model", "what", "start", "peer", "ours", "theirs", "times", "note"} == row.keys()
        assert all({"seconds", "error", "how"} <= row[side].keys() for side in ("ours", "theirs"))


def test_the_table_says_who_is_missing_and_where_a_peer_wins(one_part):
    text = shown(runner.measure(["squeezer"], quick=True))
    assert "not installed: pip install a-program" in text
    assert "has no gears" in text
    assert "0.5 (slower)" in text


def test_parts_measured_later_take_the_place_of_older_ones(one_part):
    old = runner.measure(["squeezer"], quick=False)
    old["parts"]["squeezer"]["results"]["levels"][1]["exudyn"]["seconds"] = 1.0
    new = runner.measure(["squeezer"], quick=True)
    assert runner.merged(old, new)["parts"]["squeezer"]["quick"] is True
    nothing_new = {**new, "parts": {}, "summary": []}
    assert runner.merged(old, nothing_new)["summary"][0]["times"] == 1000


@pytest.mark.slow
def test_quick_mode_of_one_part(tmp_path, monkeypatch, capsys):
    """Trains of two wheels through the command line, our side alone."""
    train = import_module("benchmarks.train")
    part = parts.Part("train", "two wheels", lambda peers, quick: train.measure((2,), 1, {}, quick), {})
    monkeypatch.setitem(parts.PARTS, "train", part)
    code = run_app(["--quick", "--only", "train", "--out", str(tmp_path)], make_app)
    assert code == 0
    text = capsys.readouterr().out
    assert "Train of N wheels, fixed housing" in text
    data = json.loads((tmp_path / "results.json").read_text())
    assert data["parts"]["train"]["quick"] is True
    assert [row["wheels"] for row in data["parts"]["train"]["results"]] == [2, 2]
    assert (tmp_path / "train.png").stat().st_size > 5000
    assert run_app(["--show", str(tmp_path / "results.json")], make_app) == 0
    assert "Train of N wheels, turning housing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "trian"], "there is no part `trian`; the parts are rhs"),
        (["--show", "nowhere.json"], "there is no such file"),
        (["--show", __file__], "is not a file that `./wheelwork-dev bench` has written"),
    ],
)
def test_mistakes(arguments, words, capsys):
    assert run_app(arguments, make_app) == 2
    assert words in capsys.readouterr().err.replace("\n", " ")


def test_list(capsys):
    assert run_app(["--list"], make_app) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in parts.PARTS)


def test_every_part_says_of_every_peer_that_it_is_in_or_why_not():
    for part in parts.PARTS.values():
        said = part.peers.keys() | part.without.keys()
        assert said >= {"exudyn", "mujoco", "pinocchio"} or part.name == "memory", part.name
        assert not part.peers.keys() & part.without.keys()
        assert part.name in summary.MAKERS or part.name in ("rhs", "steps", "start", "memory", "study")


def test_the_page_in_the_docs_is_made_from_its_file():
    data = runner.read(markdown.DOCS / "benchmarks.json")
    assert data is not None
    page = markdown.PAGE.read_text()
    for name, lines in markdown.tables(data):
        text = "\n".join(lines)
        assert f"<!-- {name} -->\n{text}\n<!-- end -->" in page, f"run python -m benchmarks.markdown ({name})"
