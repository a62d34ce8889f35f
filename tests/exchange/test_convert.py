"""`wheelwork convert`"""

import json
from pathlib import Path

import pytest

import wheelwork as ww
from wheelwork.cli import main

from .robots import urdf


@pytest.fixture
def convert(tmp_path, monkeypatch, capsys):
    """`convert("arm.urdf", "arm.yaml")` in a folder with the robot: exit code, and what was printed."""
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(urdf("scara"))

    def run(*arguments):
        capsys.readouterr()
        code = main(["convert", *arguments])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return code, printed.out + printed.err

    return run


@pytest.mark.slow
def test_a_robot_becomes_a_model_and_again_a_robot(convert):
    code, printed = convert("arm.urdf", "arm.yaml", "--no-stops")
    assert code == 0
    assert "`effort` of a joint (50) is for its controller: left out" in printed
    assert "arm.yaml: 4 bodies, 4 joints; 9 things could not be converted exactly" in printed
    assert ww.load("arm.yaml").check().freedoms_by_rank == 4
    assert json.loads(convert("arm.yaml", "arm.xml", "--json")[1]) == {"file": "arm.xml", "notes": []}
    assert convert("arm.xml", "again.yaml")[0] == 0
    a, b = (ww.load(name).reduced() for name in ("arm.yaml", "again.yaml"))
    assert abs(a.mass_matrix([0.1, 0.2, 0.3, 0.4]) - b.mass_matrix([0.1, 0.2, 0.3, 0.4])).max() < 1e-12


def test_bad_names_and_settings_are_refused(convert):
    for arguments, said in (
        (("arm.obj", "arm.yaml"), "ends in one of `.yaml`"),
        (("arm.urdf", "arm.step"), "ends in one of `.yaml`"),
        (("arm.urdf", "arm.yaml", "--set", "a=1"), "a robot has none"),
        (("none.urdf", "arm.yaml"), "no such file"),
    ):
        code, printed = convert(*arguments)
        assert code == 2
        assert said in printed.replace("\n", " ")
