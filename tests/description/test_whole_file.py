"""Whatever is saved: pipes and devices are written into, links followed, owners and modes kept."""

import os
import stat
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.cli.app import run_app
from wheelwork.description.whole_file import Draft, write_whole
from wheelwork.show.report import write_report

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes, modes and owners of Unix")
MODEL = str(examples.path("drive-line"))


@pytest.fixture(scope="module")
def result() -> ww.Result:
    return ww.load(MODEL).simulate(end=0.01, output=5, progress=False)


def written_by_command(*words: str) -> Callable[[ww.Result, Path], object]:
    def write(_: ww.Result, path: Path) -> None:
        assert run_app([word.replace("FILE", str(path)) for word in words]) == 0

    return write


WRITERS: dict[str, Callable[[ww.Result, Path], object]] = {
    "bytes": lambda r, path: write_whole(path, b"content"),
    "Mechanism.save": lambda r, path: ww.load(MODEL).save(path),
    "Result.save": lambda r, path: r.save(path),
    "to_csv": lambda r, path: r.to_csv(path),
    "to_mat": lambda r, path: r.to_mat(path),
    "report": lambda r, path: write_report(r, path),
    "modes": written_by_command("modes", MODEL, "--out", "FILE"),
    "film": written_by_command("view", MODEL, "--save", "FILE"),
    "graph": written_by_command("ratios", MODEL, "--input", "motor=1", "--graph", "FILE"),
    "equations": written_by_command("equations", MODEL, "--latex", "FILE"),
}
ENDINGS = {
    "film": ".html",
    "graph": ".svg",
    "equations": ".tex",
    "Result.save": ".nc",
    "Mechanism.save": ".yaml",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_pipes_are_written_into_and_links_followed(
    writer: str, result: ww.Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ending, write = ENDINGS.get(writer, ""), WRITERS[writer]
    pipe, plain, link = (tmp_path / f"{name}{ending}" for name in ("pipe", "plain", "link"))
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(result, pipe)
    reader.join(10)
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    link.symlink_to(plain)  # leads nowhere yet
    write(result, link)
    assert link.is_symlink()
    assert len(found[0]) > 0
    assert found[0][:6] == plain.read_bytes()[:6]
    plain.chmod(0o604)
    write(result, link)
    assert link.is_symlink()
    assert stat.S_IMODE(plain.stat().st_mode) == 0o604
    assert sorted(tmp_path.iterdir()) == sorted([pipe, plain, link])


def test_a_file_with_two_names_has_both(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"long before")
    two.hardlink_to(one)
    write_whole(one, b"new")
    assert two.read_bytes() == one.read_bytes() == b"new"


def test_a_draft_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_bytes(b"before")

    def fail() -> None:
        with Draft(there) as draft:
            draft.write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [there] == list(tmp_path.iterdir())
    assert there.read_bytes() == b"before"
    with pytest.raises(IsADirectoryError, match="is a folder"):
        write_whole(tmp_path, b"")
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "nowhere" / "x", b"")
    assert caught.value.filename == str(tmp_path / "nowhere" / "x")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_devices_stay_devices_and_owners_owners(result: ww.Result, tmp_path: Path) -> None:
    """Copies of /dev/null and /dev/full, beside nothing that anyone needs."""
    null, full, owned = (tmp_path / name for name in ("null", "full", "owned"))
    try:
        os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        os.mknod(full, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        null.write_bytes(b"x")
    except OSError:
        pytest.skip("devices cannot be made here")
    result.save(null)
    with pytest.raises(OSError, match="No space left on device") as caught:
        result.save(full)
    assert caught.value.filename == str(full)
    assert stat.S_ISCHR(null.stat().st_mode)
    assert stat.S_ISCHR(full.stat().st_mode)
    owned.write_bytes(b"")
    os.chown(owned, 1234, 4321)
    write_whole(owned, b"new")
    assert (owned.stat().st_uid, owned.stat().st_gid, owned.read_bytes()) == (1234, 4321, b"new")


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_a_protected_file_is_refused(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_bytes(b"before")
    there.chmod(0o400)
    with pytest.raises(PermissionError):
        write_whole(there, b"new")


def test_the_owner_that_cannot_be_kept_has_the_file_written_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there"
    there.write_bytes(b"before")
    there.chmod(0o640)
    number = there.stat().st_ino

    def refuse(*_: object) -> None:
        raise PermissionError(1, "not permitted")

    monkeypatch.setattr(os, "chown", refuse)
    monkeypatch.setattr(Path, "chmod", refuse)
    write_whole(there, b"new")
    assert (there.read_bytes(), there.stat().st_ino) == (b"new", number)
