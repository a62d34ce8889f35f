"""Finding a compiler, doing without one, and saying what it said."""

import importlib.util
import os
import shlex
import shutil
import warnings
from pathlib import Path

import pytest

import wheelwork as ww
from wheelwork.description import flatten
from wheelwork.engine import cache, compiled_core
from wheelwork.engine.compiler import CompilationFailed, Compiler, CompilerMissing, find_compiler
from wheelwork.engine.engine import Engine
from wheelwork.system.build import build

posix = pytest.mark.skipif(os.name != "posix", reason="shell scripts")


@pytest.fixture
def no_compiler(monkeypatch, tmp_path):
    """A path without compilers, and no CXX."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)


@pytest.fixture
def no_core(monkeypatch, tmp_path):
    """Nor a core that was built with the package, or loaded before."""
    monkeypatch.setattr("wheelwork.engine.compiler.BUILT", tmp_path)
    compiled_core.core.cache_clear()
    yield
    compiled_core.core.cache_clear()


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


def test_without_a_core_and_a_compiler_an_error_says_what_to_do(no_compiler, no_core):
    program = pendulum()
    with pytest.raises(CompilerMissing) as caught:
        Engine(program, program.numbers())
    for word in ("core", "no C++ compiler", "./wheelwork-dev", "pip install ziglang", "g++"):
        assert word in str(caught.value)


def test_a_nonsensical_cxx_is_named_where_the_core_is_missing(monkeypatch, no_core):
    monkeypatch.setenv("CXX", "no-such-compiler")
    program = pendulum()
    with pytest.raises(CompilerMissing, match="no-such-compiler"):
        Engine(program, program.numbers())


def test_a_core_that_was_built_needs_no_compiler(no_compiler):
    """As in an installed package. The pendulum at rest, level: m g l / (J + m l^2)."""
    compiled_core.core.cache_clear()
    program = pendulum()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, acceleration, _ = Engine(program, program.numbers()).derivative(0.0, program.numbers().state)
    assert acceleration[4] == pytest.approx(9.80665 * 0.5 / (0.02 + 0.25), rel=1e-9)


# -- what the compiler says


def test_what_the_compiler_says_is_in_the_error(tmp_path):
    source = tmp_path / "bad.cpp"
    source.write_text("int main() { return not_declared_anywhere; }")
    with pytest.raises(CompilationFailed, match="not_declared_anywhere") as caught:
        find_compiler().build([source], tmp_path / "bad.so", "")
    assert find_compiler().command[0] in str(caught.value)


@posix
def test_a_compiler_that_fails_is_not_a_missing_one(fresh_cache, monkeypatch, tmp_path, no_core):
    """The user has a compiler and wants to know what is wrong with it."""
    broken = script(
        tmp_path, "broken", 'case "$*" in *.o*) echo "internal error: segfault" >&2; exit 4;; esac; echo 1'
    )
    monkeypatch.setenv("CXX", str(broken))
    program = pendulum()
    with pytest.raises(CompilationFailed, match="internal error: segfault"):
        Engine(program, program.numbers())
    assert list(fresh_cache.glob("*.so")) == []


@posix
@pytest.mark.parametrize("command", ["true", "echo"])
def test_a_program_that_is_no_compiler_is_noticed(tmp_path, monkeypatch, command):
    """It says yes to everything and writes nothing."""
    if shutil.which(command) is None:
        pytest.skip(f"no `{command}`")
    monkeypatch.setenv("CXX", command)
    with pytest.raises(CompilationFailed, match="is it a C\\+\\+ compiler"):
        find_compiler().build([tmp_path / "a.cpp"], tmp_path / "a.so", "")


def test_a_compiler_that_vanished(tmp_path):
    gone = Compiler((str(tmp_path / "gone"),), "1.0")
    with pytest.raises(CompilationFailed, match="could not be run"):
        gone.build([tmp_path / "a.cpp"], tmp_path / "a.so", "")


@posix
def test_a_long_complaint_is_cut(monkeypatch, tmp_path):
    talker = script(tmp_path, "talker", 'for i in $(seq 1 2000); do echo "error number $i" >&2; done; exit 1')
    compiler = Compiler((str(talker),), "1.0")
    with pytest.raises(CompilationFailed) as caught:
        compiler.build([tmp_path / "a.cpp"], tmp_path / "a.so", "")
    assert len(str(caught.value)) < 2500
    assert "error number 1\n" in str(caught.value)


@posix
def test_full_disk_is_an_error_of_the_system(monkeypatch, tmp_path):
    """It is told apart from an error in the source, in English whatever the user's language is."""
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    text = 'case "$LC_ALL" in C) echo "No space left on device" >&2;; *) echo "Kein Platz" >&2;; esac; exit 1'
    full = Compiler((str(script(tmp_path, "full", text)),), "1.0")
    with pytest.raises(OSError, match="No space left"):
        full.build([tmp_path / "a.cpp"], tmp_path / "a.so", "")


def test_the_level_of_the_processor_is_the_same_from_its_flags_and_from_llvm(monkeypatch):
    levels = []
    for flags in (cache.processor_flags(), ""):
        monkeypatch.setattr(compiled_core, "processor_flags", lambda flags=flags: flags)
        levels.append(compiled_core.level.__wrapped__())
    assert levels[0] == levels[1]
