"""The cache of compiled libraries: shared by processes, distrustful of what it finds, never in the way."""

import errno
import json
import os
import shutil
import stat
import sys
import time
import warnings
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import casadi as ca
import pytest
from processes import PIPE, Process, started

from wheelwork.engine import cache, code, machine_code
from wheelwork.engine.cache import CacheWarning, cache_folder, digest, library

posix = pytest.mark.skipif(os.name != "posix", reason="permission bits")


def function(name: str = "cached", factor: float = 3.0) -> ca.Function:
    x = ca.SX.sym("x")
    return ca.Function(name, [x], [factor * ca.sin(x)])


def write(content: bytes):
    """A build that needs no compiler."""
    return lambda target: target.write_bytes(content)


@pytest.fixture
def count_builds(monkeypatch):
    """How often code was made."""
    made = []

    def counted(text, level):
        if level == 0:
            made.append(text)
        return machine_code_of(text, level)

    machine_code_of = machine_code.object_code
    monkeypatch.setattr(machine_code, "object_code", counted)
    return made


def kernel_path(functions: list[ca.Function]) -> Path:
    """The file with the code of these functions, made or found."""
    code._known.clear()
    key = (code._maker(), *(function.serialize() for function in functions))
    code.kernels(functions)
    return cache_folder() / f"{digest('level 0', *key)}.o"


@pytest.fixture
def own_temporary_folder(tmp_path, monkeypatch):
    """Instead of the one that a process keeps."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(cache, "_temporary_folder", lambda: folder)
    return folder


# -- where it is


@posix
def test_the_folder_is_private(fresh_cache):
    library("a", write(b"library"))
    assert stat.S_IMODE(fresh_cache.stat().st_mode) == 0o700


@posix
def test_a_folder_that_others_can_read_is_made_private(fresh_cache):
    fresh_cache.mkdir(mode=0o755)
    library("a", write(b"library"))
    assert stat.S_IMODE(fresh_cache.stat().st_mode) == 0o700


@posix
def test_a_folder_of_someone_else_is_not_used(fresh_cache, own_temporary_folder, monkeypatch):
    """Whoever owns the folder could put code of theirs into it."""
    library("a", write(b"library"))
    monkeypatch.setattr(os, "getuid", lambda: fresh_cache.stat().st_uid + 1)
    with pytest.raises(OSError, match="WHEELWORK_CACHE"), pytest.warns(CacheWarning, match="another user"):
        library("a", write(b"library"))


@posix
@pytest.mark.skipif(os.name == "posix" and os.getuid() != 0, reason="only root can give files away")
def test_a_folder_given_to_someone_else_is_replaced_by_a_temporary_one(fresh_cache, own_temporary_folder):
    library("a", write(b"library"))
    os.chown(fresh_cache, 65534, 65534)
    with pytest.warns(CacheWarning, match="another user"):
        assert library("a", write(b"library")).parent == own_temporary_folder


def test_the_folder_is_the_one_named_or_the_users_own(monkeypatch, tmp_path):
    monkeypatch.setenv("WHEELWORK_CACHE", "~/kernels")
    assert cache_folder() == Path.home() / "kernels"
    monkeypatch.delenv("WHEELWORK_CACHE")
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert cache_folder() == tmp_path / "wheelwork"
        monkeypatch.delenv("XDG_CACHE_HOME")
        assert cache_folder() == Path.home() / ".cache" / "wheelwork"
    else:
        assert cache_folder().name == "wheelwork"


# -- what it trusts


def test_a_library_is_compiled_once(fresh_cache, count_builds):
    first, second = kernel_path([function()]), kernel_path([function()])
    assert first == second
    assert first.parent == fresh_cache
    assert len(count_builds) == 1
    assert sorted(path.suffix for path in fresh_cache.iterdir()) == [".json", ".o"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"\0" * path.stat().st_size),
        lambda path: path.write_bytes(b"#!/bin/sh\necho foreign\n"),
        lambda path: path.unlink(),
        lambda path: path.with_suffix(".json").unlink(),
        lambda path: path.with_suffix(".json").write_text("{"),
        lambda path: path.with_suffix(".json").write_text("[]"),
        lambda path: path.with_suffix(".json").write_text("[" * 100_000),
    ],
    ids=[
        "cut short",
        "empty",
        "zeros",
        "foreign",
        "gone",
        "no seal",
        "broken seal",
        "foreign seal",
        "deep seal",
    ],
)
def test_a_damaged_library_is_built_again(fresh_cache, count_builds, damage):
    path = kernel_path([function()])
    content = path.read_bytes()
    damage(path)
    assert kernel_path([function()]) == path
    assert len(count_builds) == 2
    assert path.read_bytes() == content


def test_a_valid_library_of_something_else_is_built_again(fresh_cache, count_builds):
    """Renamed into place, it would load well and compute the wrong thing."""
    right, wrong = kernel_path([function()]), kernel_path([function(factor=4.0)])
    content = right.read_bytes()
    assert wrong.read_bytes() != content
    shutil.copy(wrong, right)
    kernel_path([function()])
    assert right.read_bytes() == content
    assert len(count_builds) == 3


def test_a_cache_of_another_version_is_not_used(fresh_cache, count_builds, monkeypatch):
    ours = kernel_path([function()])
    monkeypatch.setattr(cache, "__version__", "999.0")
    theirs = kernel_path([function()])
    assert ours != theirs
    assert len(count_builds) == 2


def test_everything_that_code_depends_on_is_in_its_name(fresh_cache, count_builds, monkeypatch):
    """Functions, the programs that write and translate it, processor, version."""
    names = {kernel_path([function()]).stem}
    names.add(kernel_path([function(factor=5.0)]).stem)
    monkeypatch.setattr(code, "_maker", lambda: "another emitter, or another version of LLVM")
    names.add(kernel_path([function()]).stem)
    monkeypatch.setattr(cache, "processor", lambda: "another processor")
    names.add(kernel_path([function()]).stem)
    assert len(names) == len(count_builds) == 4


def test_digests_keep_texts_apart():
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("a") == digest("a")


def test_a_build_that_fails_leaves_nothing_behind(fresh_cache):
    def fails(target: Path) -> None:
        target.write_bytes(b"half of it")
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        library("a", fails)
    assert list(fresh_cache.iterdir()) == []


def test_others_see_a_whole_library_or_none(fresh_cache):
    """It is made under another name, and beside it its seal."""

    def build(target: Path) -> None:
        assert target.name.startswith(".")
        assert not (fresh_cache / "a.so").exists()
        target.write_bytes(b"library")

    path = library("a", build)
    assert path.read_bytes() == b"library"
    assert json.loads(path.with_suffix(".json").read_text())["bytes"] == 7
    assert sorted(p.name for p in fresh_cache.iterdir()) == ["a.json", "a.so"]


KEY = "0" * 32


def put(folder: Path, content: bytes = b"foreign") -> Path:
    """A library with a right seal that somebody else put there."""
    path = library(KEY, write(content))
    assert path.parent == folder
    return path


@posix
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o702])
def test_what_lay_in_a_folder_that_others_could_write_to_is_thrown_away(fresh_cache, mode):
    path = put(fresh_cache)
    other = library("1" * 32, write(b"foreign"))
    (fresh_cache / "notes.txt").write_text("the user's own")
    fresh_cache.chmod(mode)
    assert library(KEY, write(b"ours")) == path
    assert path.read_bytes() == b"ours"
    assert not other.exists()
    assert stat.S_IMODE(fresh_cache.stat().st_mode) == 0o700
    assert (fresh_cache / "notes.txt").read_text() == "the user's own"


@posix
@pytest.mark.parametrize("end", [".so", ".json"])
def test_a_file_that_others_may_write_to_is_not_loaded(fresh_cache, end):
    path = put(fresh_cache)
    path.with_suffix(end).chmod(0o666)
    assert library(KEY, write(b"ours")).read_bytes() == b"ours"
    assert stat.S_IMODE(path.with_suffix(end).stat().st_mode) == 0o600


@posix
@pytest.mark.skipif(os.name == "posix" and os.getuid() != 0, reason="only root can give files away")
def test_a_file_of_someone_else_is_not_loaded(fresh_cache):
    path = put(fresh_cache)
    os.chown(path, 65534, 65534)
    assert library(KEY, write(b"ours")).read_bytes() == b"ours"
    assert path.stat().st_uid == os.getuid()


@posix
@pytest.mark.parametrize("end", [".so", ".json"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(fresh_cache, end):
    path = put(fresh_cache)
    path.with_suffix(end).unlink()
    os.mkfifo(path.with_suffix(end))
    assert library(KEY, write(b"ours")).read_bytes() == b"ours"


@posix
def test_a_link_is_not_followed(fresh_cache, tmp_path):
    path = put(fresh_cache)
    os.replace(path, tmp_path / "elsewhere.so")
    path.symlink_to(tmp_path / "elsewhere.so")
    assert library(KEY, write(b"ours")).read_bytes() == b"ours"
    assert not path.is_symlink()


# -- where it cannot be written


@pytest.mark.parametrize("given", ["~no-such-user/x", None])
def test_a_home_that_there_is_not(monkeypatch, own_temporary_folder, given):
    """No HOME, and a user of whom the system knows nothing."""
    from pathlib import Path as File

    def unknown(_: File) -> File:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(File, "expanduser", unknown)
    monkeypatch.setattr(File, "home", lambda: unknown(File()))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(cache, "_said", set())
    if given is None:
        monkeypatch.delenv("WHEELWORK_CACHE")
    else:
        monkeypatch.setenv("WHEELWORK_CACHE", given)
    with pytest.warns(CacheWarning, match="no such home folder"):
        assert library("a", write(b"library")).parent == own_temporary_folder


def test_code_that_cannot_be_kept_is_made_for_this_process(tmp_path, monkeypatch, count_builds):
    """As root, permission bits stop nobody; a file where a folder should be stops everyone."""
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "cache"
    monkeypatch.setenv("WHEELWORK_CACHE", str(folder))
    with pytest.warns(CacheWarning, match="WHEELWORK_CACHE") as said:
        kernel_path([function()])
    assert str(folder) in str(said[0].message)
    assert code.kernels([function()]).address("cached")
    assert count_builds


def test_a_file_in_the_place_of_the_folder(tmp_path, monkeypatch, own_temporary_folder):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WHEELWORK_CACHE", str(tmp_path / "file"))
    with pytest.warns(CacheWarning):
        assert library("a", write(b"library")).parent == own_temporary_folder


@posix
@pytest.mark.skipif(os.name == "posix" and os.getuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_replaced_by_a_temporary_one(fresh_cache, own_temporary_folder):
    fresh_cache.mkdir(mode=0o500)
    with pytest.warns(CacheWarning, match="denied"):
        assert library("a", write(b"library")).parent == own_temporary_folder


def test_a_read_only_folder_is_still_read(fresh_cache, monkeypatch):
    """Libraries that are there need nothing written."""
    path = library("a", write(b"library"))
    monkeypatch.setattr(cache, "_make", lambda *_: pytest.fail("written to"))
    assert library("a", write(b"library")) == path


def full_disk(folder: str = ""):
    """A build that finds no space left (in paths with `folder` in them)."""

    def build(target: Path) -> None:
        if folder in str(target):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        target.write_bytes(b"library")

    return build


def test_a_full_cache_folder_is_replaced_by_a_temporary_one(fresh_cache, own_temporary_folder):
    with pytest.warns(CacheWarning, match="No space left"):
        path = library(KEY, full_disk("/cache/"))
    assert path.parent == own_temporary_folder
    assert list(fresh_cache.iterdir()) == []


def test_no_space_anywhere_says_what_to_do(fresh_cache, own_temporary_folder):
    with (
        pytest.warns(CacheWarning) as said,
        pytest.raises(OSError, match=r"WHEELWORK_CACHE.*TMPDIR") as caught,
    ):
        library(KEY, full_disk())
    assert caught.value.errno == errno.ENOSPC
    assert len(said) == 1
    assert list(fresh_cache.iterdir()) == list(own_temporary_folder.iterdir()) == []


def test_the_temporary_folder_is_one_a_process():
    assert cache._temporary_folder() == cache._temporary_folder()
    assert cache._temporary_folder().is_dir()


# -- many at once


RUN = """
import sys, time, warnings
warnings.simplefilter("error")
from wheelwork.engine import code
code.PAUSE = 0.0
import wheelwork as ww
from wheelwork.system.build import build
from wheelwork.engine.engine import Engine
from wheelwork.description import flatten
m = ww.Mechanism("pendulum")
m.add("bob", ww.Body(mass=1, inertia=(0.01, 0.02, 0.015), position=(0.5, 0, 0)))
m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
m.add("rub", ww.Friction(joint="hinge", viscous=0.1))
program = build(flatten(m))
print("ready", flush=True)
sys.stdin.readline()
engine = Engine(program, program.numbers())
print(engine.derivative(0.0, program.numbers().state)[1].tolist())
while engine.code.level < code.BETTER:
    time.sleep(0.01)
"""


def start(folder: Path) -> AbstractContextManager[Process]:
    """With a cache that is not this process's own: its thread may still be making better code for tests before."""
    environment = {**os.environ, "WHEELWORK_CACHE": str(folder)}
    return started(sys.executable, "-c", RUN, stdin=PIPE, env=environment)


@pytest.mark.slow
def test_processes_that_compile_the_same_model_at_once(tmp_path):
    """All get there, with the same numbers, and leave one set of files, with which the next one is content."""
    folder = tmp_path / "cache"
    with ExitStack() as stack:
        some = [stack.enter_context(start(folder)) for _ in range(3)]
        for process in some:
            assert process.line() == "ready\n"
        for process in some:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        ends = [process.ended() for process in some]
    assert [process.returncode for process in some] == [0, 0, 0], [errors for _, errors in ends]
    assert len({printed for printed, _ in ends}) == 1
    made = [path for path in folder.iterdir() if path.suffix in (".so", ".o")]
    assert len([path for path in made if path.suffix == ".o"]) == 2, "code of two levels"
    files = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert sorted(files) == sorted([*made, *(path.with_suffix(".json") for path in made)])
    assert all(cache._intact(path) for path in made)
    with start(folder) as process:
        printed, errors = process.ended("go\n")
    assert printed.removeprefix("ready\n") == ends[0][0], errors
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == files


def test_threads_that_build_the_same_library_at_once(fresh_cache):
    from concurrent.futures import ThreadPoolExecutor

    content = os.urandom(100_000)
    with ThreadPoolExecutor(8) as pool, warnings.catch_warnings():
        warnings.simplefilter("error")
        paths = set(pool.map(lambda _: library("a", write(content)), range(40)))
    assert len(paths) == 1
    assert paths.pop().read_bytes() == content
    assert len(list(fresh_cache.iterdir())) == 2


BUILD = """
import sys, time
from pathlib import Path
from wheelwork.engine.cache import library
def build(target):
    with open(sys.argv[1], "a") as log:
        log.write("built\\n")
    print("building", flush=True)
    time.sleep(float(sys.argv[2]))
    target.write_bytes(b"library")
library("0" * 32, build)
"""


def builder(log: Path, seconds: float) -> AbstractContextManager[Process]:
    return started(sys.executable, "-c", BUILD, log, seconds)


@pytest.mark.slow
@posix
def test_one_process_builds_and_the_others_wait(fresh_cache, tmp_path):
    log = tmp_path / "log"
    with ExitStack() as stack:
        some = [stack.enter_context(builder(log, 0.5)) for _ in range(3)]
        assert [process.ended()[1] for process in some] == ["", "", ""]
    assert log.read_text() == "built\n"
    assert sorted(path.suffix for path in fresh_cache.glob("0" * 32 + "*")) == [".json", ".so"]


@pytest.mark.slow
@posix
def test_a_builder_that_is_killed_holds_nobody_up(fresh_cache, tmp_path):
    log = tmp_path / "log"
    with builder(log, 600) as first:
        assert first.line() == "building\n"
        with builder(log, 0) as second:
            time.sleep(0.5)
            assert second.poll() is None, "it waits"
            first.kill()
            assert second.ended() == ("building\n", "")
    assert log.read_text() == "built\nbuilt\n"


@posix
def test_nobody_waits_for_ever(fresh_cache, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "PATIENCE", 0.2)
    with builder(tmp_path / "log", 600) as first:
        assert first.line() == "building\n"
        assert library(KEY, write(b"library")).read_bytes() == b"library"


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
@pytest.mark.parametrize("look", [1, 2])
def test_a_lock_that_its_holder_takes_away_while_another_looks_at_it(monkeypatch, tmp_path, look):
    """The other one takes a new one; it went on without, and two built the same library at once."""
    path, looks, true = tmp_path / "a.lock", [], Path.stat

    def stat_of(self, **options):
        looks.append(self)
        if len(looks) == look:
            self.unlink()
        return true(self, **options)

    monkeypatch.setattr(Path, "stat", stat_of)
    lock = cache._locked(path)
    monkeypatch.undo()
    assert lock is not None
    assert os.path.samestat(os.fstat(lock), path.stat())
    os.close(lock)
