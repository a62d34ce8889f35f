"""The wheel: installed into a fresh environment, it runs with no compiler on the path.

It is made from a copy of the sources with the cores of this machine's level that the clone has. For the other levels a
compiler stands in that reads one source with the level's flags and writes empty files: a whole wheel takes a minute and
a half of compiling (`./wheelwork-dev wheel`).
"""

import os
import shlex
import shutil
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from processes import printed, ran

from wheelwork.engine.compiled_core import level
from wheelwork.engine.compiler import BUILT, SPACES, core_name, find_compiler, levels

ROOT = Path(__file__).parents[1]

STAND_IN = """
import subprocess, sys
from pathlib import Path
real, own = {command!r}, {level!r}
given = sys.argv[1:]
flags = [a.partition("=")[2].replace("_", "-") for a in given if a.startswith(("-march=", "-mcpu="))]
linked = [Path(a) for a in given if a.endswith(".o") and a != given[-1]]
if flags and flags != [own]:  # another level than this machine's
    checked = any(a.endswith("rk4.cpp") for a in given)
    code = subprocess.run([*real, *given[:-2], "-fsyntax-only"]).returncode if checked else 0
    Path(given[-1]).touch()
elif linked and not any(path.stat().st_size for path in linked):
    code = 0
    Path(given[-1]).touch()
else:
    code = subprocess.run([*real, *given]).returncode
sys.exit(code)
"""

CHECK = """
import wheelwork as ww
from wheelwork.engine import compiled_core as core
from wheelwork.engine.compiler import BUILT
assert core._path("spatial").parent == core._path("planar").parent == BUILT, core._path("spatial")
m = ww.Mechanism("pendulum")
m.add("bob", ww.Body(mass=1, inertia=(0.01, 0.02, 0.015), position=(0.5, 0, 0)))
m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
print(ww.__file__, m.simulate(end=0.1).provenance.engine)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "built"))
    for name in ("hatch_build.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    built = source / BUILT.relative_to(ROOT)
    built.mkdir()
    for name in (core_name(space, level()) for space in SPACES):
        if (BUILT / name).is_file():
            shutil.copy(BUILT / name, built)
    stand_in = folder / "compiler.py"
    stand_in.write_text(STAND_IN.format(command=find_compiler().command, level=level()))
    settings = os.environ | {"CXX": shlex.join([sys.executable, str(stand_in)])}
    printed("-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, source, env=settings)
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.slow
def test_the_wheel_has_a_core_for_every_level_and_serves_every_python(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for space in SPACES:
        for one in levels():
            assert f"wheelwork/engine/built/{core_name(space, one)}" in names
    assert "-py3-none-" in wheel.name
    assert "any" not in wheel.name


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="paths of virtual environments")
def test_the_wheel_runs_the_demo_with_no_compiler_on_the_path(wheel, tmp_path):
    """In an environment of its own, which borrows the libraries that it needs, and with an empty cache."""
    environment = tmp_path / "environment"
    printed("-m", "venv", environment)
    python = environment / "bin" / "python"
    done = ran(python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel)
    assert done.returncode == 0, done.stderr
    own = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    (own / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    settings = {
        "PATH": str(environment / "bin"),
        "HOME": str(tmp_path),
        "WHEELWORK_CACHE": str(tmp_path / "cache"),
        "MPLBACKEND": "Agg",
    }
    done = ran(python, "-c", CHECK, env=settings, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    place, engine = done.stdout.split()
    assert Path(place).is_relative_to(environment)
    assert engine == "native"
    done = ran(environment / "bin" / "wheelwork", "demo", env=settings, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(tmp_path.glob("wheelwork-demo/report.html"))
    assert not list((tmp_path / "cache").glob("*.so")), "no core was compiled"
