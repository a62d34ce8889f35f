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


ROTOR = """\
wheelwork: 1
bodies: {rotor: {type: rotor, inertia: 1}}
drivers: {drive: {type: joint, joint: rotor.bearing, value: 60*t + 0.1*sin(60*t)}}
analysis: {type: kinematics, end: 1, output: 600}
"""


@pytest.mark.slow
def test_orders_and_stretches_of_time(wheelwork):
    Path("rotor.yaml").write_text(ROTOR)
    assert wheelwork("run", "rotor.yaml", "--no-report").code == 0
    command = "plot", "rotor-run", "rotor.w"
    turning = "--angle", "rotor.angle", "--most", "4"
    assert wheelwork(*command, "--from", "100 ms", "--to", "0.2", "-o", "a.svg").code == 0
    assert wheelwork(*command, "--figure", "spectrum", "-o", "b.svg").code == 0
    assert wheelwork(*command, "--figure", "orders", *turning, "-o", "c.svg").code == 0
    assert wheelwork(*command, "--figure", "waterfall", *turning, "--by", "order", "-o", "d.svg").code == 0
    assert all(Path(f"{name}.svg").stat().st_size > 1000 for name in "abcd")
    missing = wheelwork(*command[:2], "--figure", "orders")
    assert (missing.code, "is that of one signal" in missing.err) == (2, True)
    wrong = wheelwork(*command, "--figure", "spectrum", *turning)
    assert (wrong.code, "--angle: is for the figures `orders` and" in wrong.err) == (2, True)
    none = wheelwork(*command, "--figure", "orders")
    assert (none.code, "needs `--angle`" in none.err) == (2, True)
