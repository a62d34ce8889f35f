"""The command itself: help, version, and how fast it starts."""

import subprocess
import sys

import wheelwork as ww


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_as_a_module():
    done = python("-m", "wheelwork", "--version")
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, ww.__version__, "")
    assert python("-m", "wheelwork", "check", "nowhere.yaml").returncode == 2


def test_help_names_every_verb_and_the_exit_codes(wheelwork):
    done = wheelwork("--help")
    assert done.code == 0
    for verb in ("check", "demo", "info", "run", "schema"):
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
        "--engine",
        "--json",
    ):
        assert option in run


def test_help_loads_no_heavy_library():
    heavy = ("casadi", "xarray", "matplotlib", "pandas", "scipy", "pydantic")
    code = (
        "import sys; from wheelwork.cli import main; main(['--help']); "
        f"print('loaded:', [m for m in {heavy!r} if m in sys.modules])"
    )
    assert python("-c", code).stdout.strip().endswith("loaded: []")


def test_check_needs_no_xarray():
    code = (
        "import sys; from wheelwork import examples; from wheelwork.cli import main; "
        "main(['check', str(examples.path('pendulum'))]); "
        "print('loaded:', [m for m in ('xarray', 'matplotlib', 'pandas') if m in sys.modules])"
    )
    assert python("-c", code).stdout.strip().endswith("loaded: []")
