"""Running commands in this process, in a folder of their own."""

from dataclasses import dataclass

import pytest

from wheelwork.cli import main

PENDULUM = """\
wheelwork: 1
name: pendulum
parameters:
  length: 50 cm
  twice: 2*length
bodies:
  bob: {mass: 2 kg, inertia: [0.01, 0.01, 0.01], position: [length, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
analysis: {type: simulate, end: 0.5 s, output: 20}
"""


@dataclass
class Done:
    code: int
    out: str
    err: str


@pytest.fixture
def wheelwork(tmp_path, monkeypatch, capsys):
    """`wheelwork("check", "x.yaml")` in an empty folder that holds `pendulum.yaml`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)

    def run(*arguments: str) -> Done:
        capsys.readouterr()
        code = main(list(arguments))
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Done(code, captured.out, captured.err)

    return run
