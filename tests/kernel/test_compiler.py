"""Finding a compiler, doing without one, and saying what it said."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import casadi as ca
import pytest

import wheelwork as ww
from wheelwork.equations.build import build
from wheelwork.kernel import native, select
from wheelwork.kernel.compiler import CompilationFailed, Compiler, CompilerMissing, find_compiler
from wheelwork.kernel.libraries import kernel_path
from wheelwork.kernel.select import NoCompilerWarning, make_engine
from wheelwork.model import flatten

posix = pytest.mark.skipif(os.name != "posix", reason="shell scripts")


@pytest.fixture
def no_compiler(monkeypatch, tmp_path):
    """A path without compilers, and no CXX."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)


@pytest.fixture
def not_said(monkeypatch):
    monkeypatch.setattr(select, "_said", False)


def script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def pendulum():
    m = ww.Mechanism("pendulum")
    m.add("bob", ww.Body(mass=1, inertia=(0.01, 0.02, 0.015), position=(0.5, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    return build(flatten(m))


def cube(name: str = "cube") -> ca.Function:
    x = ca.SX.sym("x")
    return ca.Function(name, [x], [x**3])


# -- finding


def test_a_compiler_on_the_path_is_found(monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    found = find_compiler()
    assert found.command[0] in ("g++", "clang++", "c++")
    assert found.version


@posix
def test_cxx_comes_first_and_may_have_arguments(monkeypatch, tmp_path):
    other = script(tmp_path, "my compiler", 'echo "mine 1.0"')
    monkeypatch.setenv("CXX", f"{shlex.quote(str(other))} --option")
    found = find_compiler()
    assert found.command == (str(other), "--option")
    assert found.version == "mine 1.0"


@posix
def test_the_next_one_is_taken_where_the_first_does_not_run(monkeypatch, tmp_path):
    script(tmp_path, "g++", "exit 1")
    script(tmp_path, "clang++", "echo clang")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    assert find_compiler().command == ("clang++",)


@posix
def test_flags_for_this_processor_only_where_they_are_understood(monkeypatch, tmp_path):
    plain = script(tmp_path, "plain", 'case "$*" in *native*) exit 1;; esac; echo plain')
    monkeypatch.setenv("CXX", str(plain))
    assert "-march=native" not in find_compiler().flags("O1")
    able = script(tmp_path, "able", "echo able")
    monkeypatch.setenv("CXX", str(able))
    assert "-march=native" in find_compiler().flags("O1")


def test_no_compiler_at_all(no_compiler):
    with pytest.raises(CompilerMissing, match=r"no C\+\+ compiler"):
        find_compiler()


@pytest.mark.parametrize("nonsense", ["no-such-compiler", "'g++", '"', "/", "/no/such/g++ -O2"])
def test_a_cxx_that_cannot_be_run_is_named(monkeypatch, nonsense):
    """Also where there is another compiler: whoever sets CXX wants that one."""
    monkeypatch.setenv("CXX", nonsense)
    with pytest.raises(CompilerMissing) as caught:
        find_compiler()
    assert nonsense in str(caught.value)
    assert "CXX" in str(caught.value)


@pytest.mark.parametrize("blank", ["", "  "])
def test_an_empty_cxx_is_none(monkeypatch, blank):
    monkeypatch.setenv("CXX", blank)
    assert find_compiler().command[0] in ("g++", "clang++", "c++")


# -- doing without


def test_without_a_compiler_the_virtual_engine_runs_and_says_so_once(no_compiler, not_said):
    program = pendulum()
    with pytest.warns(NoCompilerWarning) as said:
        engine = make_engine(program, program.numbers())
    assert engine.name == "virtual"
    text = str(said[0].message)
    assert all(
        word in text for word in ("no C++ compiler", "virtual machine", "slower", "Install g++", "CXX")
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = make_engine(program, program.numbers())
    assert again.name == "virtual"


def test_a_nonsensical_cxx_leads_to_the_virtual_engine_too(monkeypatch, not_said):
    monkeypatch.setenv("CXX", "no-such-compiler")
    program = pendulum()
    with pytest.warns(NoCompilerWarning, match="no-such-compiler"):
        assert make_engine(program, program.numbers()).name == "virtual"


def test_the_engine_without_a_compiler_computes_the_same(no_compiler):
    """The pendulum at rest, level: both engines accelerate it by m g l / (J + m l^2)."""
    program = pendulum()
    engine = make_engine(program, program.numbers(), "virtual")
    _, acceleration, _ = engine.derivative(0.0, program.numbers().state)
    assert acceleration[4] == pytest.approx(9.80665 * 0.5 / (0.02 + 0.25), rel=1e-9)


def test_asking_for_machine_code_without_a_compiler_is_an_error(no_compiler):
    program = pendulum()
    with pytest.raises(CompilerMissing):
        make_engine(program, program.numbers(), "native")


def test_an_engine_by_another_name_is_an_error():
    program = pendulum()
    with pytest.raises(ValueError, match="`auto`, `native` or `virtual`"):
        make_engine(program, program.numbers(), "fast")  # type: ignore[arg-type]


def test_with_a_compiler_machine_code_is_made_without_a_word(monkeypatch):
    made = []
    monkeypatch.setattr(
        native, "NativeEngine", lambda *arguments, **_: made.append(arguments) or "machine code"
    )
    program = pendulum()
    numbers = program.numbers()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert make_engine(program, numbers) == "machine code"
    assert made[0][:2] == (program, numbers)


SIMULATE = """
import wheelwork as ww
m = ww.Mechanism("pendulum")
m.add("bob", ww.Body(mass=1, inertia=(0.01, 0.02, 0.015), position=(0.5, 0, 0)))
m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
for _ in range(2):
    r = m.simulate(end=0.01)
print("done")
"""


def test_a_simulation_without_a_compiler_warns_once_on_the_terminal(tmp_path):
    environment = os.environ | {"PATH": str(tmp_path), "WHEELWORK_CACHE": str(tmp_path / "cache")}
    environment.pop("CXX", None)
    done = subprocess.run([sys.executable, "-c", SIMULATE], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "done\n"
    assert done.stderr.count("NoCompilerWarning") == 1
    assert "apt install g++" in done.stderr
    assert not (tmp_path / "cache").exists()


# -- what the compiler says


def test_what_the_compiler_says_is_in_the_error(tmp_path):
    source = tmp_path / "bad.cpp"
    source.write_text("int main() { return not_declared_anywhere; }")
    with pytest.raises(CompilationFailed, match="not_declared_anywhere") as caught:
        find_compiler().compile([source], tmp_path / "bad.so", "O0")
    assert find_compiler().command[0] in str(caught.value)


@posix
def test_a_compiler_that_fails_is_not_a_missing_one(fresh_cache, monkeypatch, tmp_path, not_said):
    """The user has a compiler and wants to know what is wrong with it."""
    broken = script(
        tmp_path, "broken", 'case "$*" in *.so*) echo "internal error: segfault" >&2; exit 4;; esac; echo 1'
    )
    monkeypatch.setenv("CXX", str(broken))
    with pytest.raises(CompilationFailed, match="internal error: segfault"):
        kernel_path([cube()])
    assert list(fresh_cache.iterdir()) == []
    program = pendulum()
    with pytest.raises(CompilationFailed, match="internal error: segfault"):
        make_engine(program, program.numbers())


@posix
@pytest.mark.parametrize("command", ["true", "echo"])
def test_a_program_that_is_no_compiler_is_noticed(fresh_cache, monkeypatch, command):
    """It says yes to everything and writes nothing."""
    if shutil.which(command) is None:
        pytest.skip(f"no `{command}`")
    monkeypatch.setenv("CXX", command)
    with pytest.raises(CompilationFailed, match="is it a C\\+\\+ compiler"):
        kernel_path([cube()])


def test_a_compiler_that_vanished(tmp_path):
    gone = Compiler((str(tmp_path / "gone"),), "1.0", False)
    with pytest.raises(CompilationFailed, match="could not be run"):
        gone.compile([tmp_path / "a.cpp"], tmp_path / "a.so", "O1")


@posix
def test_a_long_complaint_is_cut(monkeypatch, tmp_path):
    talker = script(tmp_path, "talker", 'for i in $(seq 1 2000); do echo "error number $i" >&2; done; exit 1')
    compiler = Compiler((str(talker),), "1.0", False)
    with pytest.raises(CompilationFailed) as caught:
        compiler.compile([tmp_path / "a.cpp"], tmp_path / "a.so", "O1")
    assert len(str(caught.value)) < 2500
    assert "error number 1\n" in str(caught.value)


@posix
def test_full_disk_is_an_error_of_the_system(monkeypatch, tmp_path):
    """It is told apart from an error in the source, in English whatever the user's language is."""
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    text = 'case "$LC_ALL" in C) echo "No space left on device" >&2;; *) echo "Kein Platz" >&2;; esac; exit 1'
    full = Compiler((str(script(tmp_path, "full", text)),), "1.0", False)
    with pytest.raises(OSError, match="No space left"):
        full.compile([tmp_path / "a.cpp"], tmp_path / "a.so", "O1")
