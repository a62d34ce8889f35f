"""`wheelwork-dev`: the programs that tests need are installed where that is asked for."""

import importlib.machinery
import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

FILE = Path(__file__).parents[1] / "wheelwork-dev"


@pytest.fixture
def dev(tmp_path, monkeypatch):
    """The script as a module on a machine without a browser; `dev.ran` has what it started."""
    loader = importlib.machinery.SourceFileLoader("wheelwork_dev", str(FILE))
    spec = importlib.util.spec_from_loader("wheelwork_dev", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    module.ran, module.codes, module.there = [], {}, {"apt-get"}

    def run(command, **_):
        module.ran.append(command)
        return SimpleNamespace(returncode=module.codes.get(command[2], 0))

    monkeypatch.setattr(module, "subprocess", SimpleNamespace(run=run, STDOUT=None))
    monkeypatch.setattr(
        module, "shutil", SimpleNamespace(which=lambda name: name if name in module.there else None)
    )
    monkeypatch.setattr(module, "os", SimpleNamespace(geteuid=lambda: 0, environ={}))
    monkeypatch.setattr(module, "LOG", tmp_path / "log")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def test_lists_first_then_the_programs(dev, capsys):
    assert dev.main(["programs"]) == 0
    assert [command[2] for command in dev.ran] == ["update", "install"]
    assert {"chromium", "texlive-latex-base"} <= set(dev.ran[1])
    assert capsys.readouterr().out.count("\n") == 1


def test_only_what_is_missing(dev):
    dev.there.add("google-chrome")
    assert dev.main(["programs"]) == 0
    assert "chromium" not in dev.ran[1]
    assert "texlive-latex-base" in dev.ran[1]


def test_nothing_where_all_is_there(dev, capsys):
    dev.there |= {"chromium", "pdflatex"}
    assert dev.main(["programs"]) == 0
    dev.say_what_is_left_out()
    assert dev.ran == []
    assert capsys.readouterr().out == "wheelwork-dev: Chromium and LaTeX are there already\n"


def test_tests_install_nothing_and_say_what_is_left_out(dev, monkeypatch, capsys):
    monkeypatch.setattr(dev, "set_up", lambda _: None)
    monkeypatch.setattr(dev, "set_up_core", lambda: None)
    monkeypatch.setattr(dev, "run", lambda _: 0)
    assert dev.main(["test"]) == 0
    assert dev.ran == []
    assert "left out are the tests in a browser and the test that compiles LaTeX" in capsys.readouterr().out


@pytest.mark.parametrize("why", ["not root", "no apt-get", "apt-get fails"])
def test_what_cannot_be_installed_is_said(dev, monkeypatch, capsys, why):
    if why == "not root":
        monkeypatch.setattr(dev.os, "geteuid", lambda: 1000)
    elif why == "no apt-get":
        dev.there.clear()
    else:
        dev.codes["update"] = 100
    assert dev.main(["programs"]) == 1
    assert len(dev.ran) == (1 if why == "apt-get fails" else 0)
    assert "apt-get" in capsys.readouterr().err


def test_peers_go_into_an_environment_of_their_own(dev, monkeypatch):
    """With the extra `bench`, and the developer's own environment is not touched."""
    asked = []
    monkeypatch.setattr(dev, "set_up", lambda extras: asked.append((extras, dev.VENV.name)))
    monkeypatch.setattr(dev, "set_up_core", lambda: None)
    monkeypatch.setattr(dev, "run", lambda command: asked.append((command, dev.BIN.parent.name)) or 0)
    assert dev.main(["bench", "--quick"]) == 0
    assert asked == [(["bench"], ".venv-bench"), (["python", "-m", "benchmarks", "--quick"], ".venv-bench")]
    assert dev.LOG.parent.name == dev.STAMP.parent.name == ".venv-bench"
