"""The command itself: help, version, and how fast it starts."""

import inspect
import json
import os
import signal
import threading
import time
from importlib import import_module
from pathlib import Path

import pytest
from processes import python

import wheelwork as ww
from wheelwork import cli
from wheelwork.cli.app import VERBS, run_app


@pytest.mark.slow
def test_as_a_module():
    done = python("-m", "wheelwork", "--version")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, ww.__version__, "")
    assert python("-m", "wheelwork", "check", "nowhere.yaml").returncode == 2


# half a minute where nobody interrupts it
LONG = """\
name: long
bodies: {ball: {mass: 1, inertia: [1, 1, 1]}}
analysis: {type: simulate, end: 100, method: rk4, step: 1e-6, max_steps: 100000000, output: 1000000}
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
def test_interrupted_run_keeps_what_it_has(wheelwork):
    Path("long.yaml").write_text(LONG)

    def interrupt() -> None:
        """Ctrl-C as soon as the run listens for it."""
        from wheelwork.engine.watch import Watch

        for _ in range(6000):
            if isinstance(getattr(signal.getsignal(signal.SIGINT), "__self__", None), Watch):
                os.kill(os.getpid(), signal.SIGINT)
                return
            time.sleep(0.01)

    hand = threading.Thread(target=interrupt)
    hand.start()
    done = wheelwork("run", "long.yaml", "-o", "long.nc", "--json")
    hand.join()
    assert done.code == 1
    assert json.loads(done.out)["outcome"] == "INTERRUPTED"
    r = ww.load_result("long.nc")
    assert r.outcome.name == "INTERRUPTED"
    assert "interrupted; everything up to there is kept" in r.report


@pytest.mark.slow
def test_help_names_every_verb_and_the_exit_codes(wheelwork):
    done = wheelwork("--help")
    assert done.code == 0
    for verb in ("check", "demo", "info", "plot", "run", "schema"):
        assert f" {verb} " in done.out
    assert "Exit codes: 0 good, 1 the analysis failed or stopped early, 2 bad input." in done.out
    assert wheelwork().code == 0
    run = wheelwork("run", "--help").out
    for option in (
        "--set",
        "--out",
        "-o",
        "--csv",
        "--parquet",
        "--report",
        "--end",
        "--method",
        "--json",
    ):
        assert option in run


@pytest.mark.parametrize("verb", VERBS)
def test_the_list_has_the_first_line_of_each_verb(verb):
    function = getattr(import_module(f"wheelwork.cli.{verb}"), verb)
    assert VERBS[verb] == inspect.getdoc(function).split("\n")[0]


def test_every_file_with_a_verb_is_in_the_list():
    files = {path.stem for path in Path(cli.__file__).parent.glob("*.py")}
    text = {name: Path(cli.__file__).with_name(f"{name}.py").read_text(encoding="utf-8") for name in files}
    assert {name for name in files if f"\ndef {name}(" in text[name]} == set(VERBS)


@pytest.mark.slow
def test_help_loads_no_heavy_library():
    heavy = ("casadi", "xarray", "matplotlib", "pandas", "scipy", "pydantic")
    code = (
        "import sys; from wheelwork.cli import main; main(['--help']); "
        f"print('loaded:', [m for m in {heavy!r} if m in sys.modules])"
    )
    assert python("-c", code).stdout.strip().endswith("loaded: []")


@pytest.mark.slow
def test_check_needs_no_xarray():
    code = (
        "import sys; from wheelwork import examples; from wheelwork.cli import main; "
        "main(['check', str(examples.path('pendulum'))]); "
        "print('loaded:', [m for m in ('xarray', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    assert python("-c", code).stdout.strip().endswith("loaded: []")


def test_a_limit_that_may_be_too_small_is_said_first(monkeypatch, capsys):
    """Under 0.55 GB OpenBLAS asked for its buffers without end, and SIGTERM waited for it."""
    app = import_module("wheelwork.cli.app")
    for limit, said in (
        (550_000_000, "note: memory is limited to 0.55 GB (`ulimit -v`)"),
        (-1, ""),
        (8_000_000_000, ""),
    ):
        monkeypatch.setattr(app.resource, "getrlimit", lambda _, limit=limit: (limit, -1))
        assert run_app(["help", "revolute"]) == 0
        told = capsys.readouterr().err
        assert told.startswith(said)
        assert bool(told) == bool(said)


@pytest.mark.parametrize(
    "error", [MemoryError(), ImportError("x.so: failed to map segment from shared object")]
)
def test_too_little_memory_is_said(error, monkeypatch, capsys):
    def fail(*_):
        raise error

    monkeypatch.setattr(import_module("wheelwork.cli.check"), "read_model", fail)
    assert run_app(["check", "model.yaml"]) == 2
    assert "there is not enough memory" in capsys.readouterr().err
