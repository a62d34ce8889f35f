"""Everything that the README shows runs, and says what the README says it says."""

import re
from pathlib import Path

import numpy as np
import pytest

import wheelwork as ww

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCKS if kind == language]


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    """The names that the tour leaves, after all its Python ran in one go."""
    import os

    import matplotlib

    matplotlib.use("Agg")
    before, folder = Path.cwd(), tmp_path_factory.mktemp("readme")
    os.chdir(folder)
    try:
        names: dict = {"__name__": "readme"}
        for text in blocks("python"):
            exec(compile(text, "README.md", "exec"), names)
    finally:
        os.chdir(before)
    return names


@pytest.mark.slow
def test_both_spellings_say_the_same(tour):
    (text,) = blocks("yaml")
    assert text.startswith("# fan-drive.yaml\n")
    written = ww.loads(text)
    assert written == tour["m"]
    assert ww.loads(tour["m"].to_yaml()) == written


@pytest.mark.slow
def test_numbers_in_the_comments(tour):
    r = tour["r"]
    assert float(r["fan.w"][-1]) == pytest.approx(154, abs=0.5)
    # there the motor's torque is the air's: 15 (160 - w) / 10 = 4e-4 w^2
    steady = max(np.roots([4e-4, 1.5, -240]).real)
    assert float(r["fan.w"][-1]) == pytest.approx(steady, rel=2e-3)
    assert float(r["shaft.torque"].max()) > 20, "more than the motor's torque: it rings"
    lines = [x.linearise().frequencies[-1] for x in (tour["m"], tour["soft"])]
    expected = [np.sqrt(k * (1 / 0.02 + 1 / 0.1)) / (2 * np.pi) for k in (200, 50)]
    np.testing.assert_allclose(lines, expected, rtol=1e-6)
    shown = [round(f, 1) for f in expected]
    assert f"{shown[0]} and {shown[1]} Hz" in README
    assert tour["p"].check().freedoms_by_rank == 1


@pytest.mark.slow
def test_commands(wheelwork):
    Path("fan-drive.yaml").write_text(blocks("yaml")[0])
    commands = [
        line[2:]
        for text in blocks("console")
        for line in text.splitlines()
        if line.startswith("$ wheelwork ")
    ]
    assert len(commands) == 4
    for command in commands:
        done = wheelwork(*command.split()[1:])
        assert done.code == 0, command
    assert ww.load_result("fan-drive-run/result.nc").provenance.parameters == {"stiffness": 50.0}
    assert Path("fan-drive-run/report.html").stat().st_size > 10_000
    assert Path("fan-drive.html").stat().st_size > 10_000


def test_message_is_the_real_one(wheelwork):
    (message,) = blocks("text")
    Path("fan-drive.yaml").write_text(blocks("yaml")[0].replace("200 N*m/rad", "200 N/m"))
    done = wheelwork("check", "fan-drive.yaml")
    assert done.code == 2
    assert " ".join(message.split()) in " ".join(done.err.split())


def test_what_it_points_to_exists():
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).is_file(), target
    for verb in re.findall(r"\./wheelwork-dev (\w+)", README):
        assert f'"{verb}"' in (ROOT / "wheelwork-dev").read_text()
