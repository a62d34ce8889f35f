"""Verbs that have moved to the repository still run from there; an installed package says where they are."""

import pytest

import wheelwork
from wheelwork.cli import BAD_INPUT, GOOD
from wheelwork.cli.app import run_app


@pytest.mark.slow
def test_the_benchmarks_run_from_the_repository_with_a_word(capfd):
    assert run_app(["bench", "--list"]) == GOOD
    shown = capfd.readouterr()
    assert "chain of rods" in shown.out
    assert "`wheelwork bench` has moved: ./wheelwork-dev bench" in shown.err


@pytest.mark.parametrize("verb", ["bench", "robustness"])
def test_an_installed_package_says_where_they_are(verb, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(wheelwork, "__file__", str(tmp_path / "lib" / "wheelwork" / "__init__.py"))
    assert run_app([verb]) == BAD_INPUT
    shown = capsys.readouterr().err
    assert "is not part of the installed package" in shown
    assert f"./wheelwork-dev {verb}" in shown
