"""`wheelwork plot`: figures of results from the command line."""

from pathlib import Path

import pytest


@pytest.fixture
def done(wheelwork):
    assert wheelwork("run", "pendulum.yaml", "--no-report").code == 0
    return wheelwork


@pytest.mark.slow
def test_signals_of_a_folder(done):
    made = done("plot", "pendulum-run", "hinge.angle", "bob.position", "-o", "x.svg", "--theme", "dark")
    assert made.code == 0
    assert made.out.split() == ["written", "x.svg"]
    text = Path("x.svg").read_text()
    assert "#1a1e24" in text, "the dark paper"


@pytest.mark.slow
def test_ready_made_figure_of_a_model(wheelwork):
    made = wheelwork("plot", "pendulum.yaml", "--figure", "energy", "--set", "length=20cm", "-o", "e.png")
    assert made.code == 0
    assert Path("e.png").read_bytes().startswith(b"\x89PNG")


MISTAKES = [
    (
        ["pendulum-run/result.nc", "hinge.anlge"],
        "there is no signal `hinge.anlge`; did you mean `hinge.angle`?",
    ),
    (["pendulum-run"], "name signals, or one ready-made figure with `--figure`"),
    (["pendulum-run", "hinge.w", "--figure", "energy"], "name signals, or one ready-made figure"),
    (["pendulum-run", "--figure", "tooth_forces"], "no gear meshes"),
    (["pendulum-run", "--figure", "enrgy"], "Choose from"),
    (["pendulum-run", "hinge.w", "-o", "x.doc"], "--out: Format 'doc' is not supported"),
    (["nowhere.nc", "hinge.w"], "nowhere.nc: there is no such file"),
    (["modes.yaml", "hinge.w"], "its analysis is `modes`, which has no signals over time"),
]


@pytest.mark.slow
def test_mistakes(done):
    text = Path("pendulum.yaml").read_text()
    Path("modes.yaml").write_text(
        text[: text.index("analysis:")] + "analysis: {type: modes, at: equilibrium}\n"
    )
    for arguments, message in MISTAKES:
        made = done("plot", *arguments)
        assert made.code == 2, arguments
        assert message in " ".join(made.err.split()), arguments
