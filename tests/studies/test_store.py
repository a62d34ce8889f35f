"""A study on disk: chunks, going on after any end, and what is refused."""

import json
import signal
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
from processes import Process, started, until

import wheelwork as ww
from wheelwork.studies.chunks import Chunks

zarr = pytest.importorskip("zarr")
from wheelwork.studies.store import StudyStore  # noqa: E402

MODEL = """\
wheelwork: 1
name: oscillator
parameters: {stiffness: 4 N/m, drag: 0.1, idle: 1}
bodies:
  block: {mass: 1 kg, inertia: [1, 1, 1], position: [0.1, 0, 0]}
joints:
  rail: {type: prismatic, bodies: [ground, block], point: [0, 0, 0], axis: [1, 0, 0]}
forces:
  spring: {type: force, body: block, value: [-stiffness*block.position.x - drag*block.velocity.x, 0, 0]}
analysis: {type: simulate, end: 1 s}
study:
  vary: {stiffness: 1 N/m to 9 N/m in 40, drag: "0.1 to 0.5 in 50"}
  measures: {top: greatest(block.position.x), last: last(block.velocity.x)}
  samples: 20
"""


def mechanism(text: str = MODEL) -> ww.Mechanism:
    return ww.loads(text)


def made(text: str = MODEL, **given: object) -> ww.Study:
    return ww.Study.described(mechanism(text), **given)


@pytest.mark.parametrize("shape", [(10,), (7, 11), (40, 50), (3, 1, 5, 2), (2, 100_003)])
@pytest.mark.parametrize("size", [1, 4, 64, 16_384])
def test_a_chunk_is_a_range_of_numbers_and_a_box_of_the_grid(shape, size):
    chunks, numbers = Chunks(shape, size), np.arange(np.prod(shape)).reshape(shape)
    if chunks.count > 2000:
        return
    found = []
    for k in range(chunks.count):
        first, last = chunks.range(k)
        assert 0 < last - first <= size
        assert np.array_equal(numbers[chunks.box(k)].ravel(), np.arange(first, last))
        found += range(first, last)
    assert sorted(found) == list(range(numbers.size))


@pytest.mark.slow
def test_a_store_holds_what_a_run_without_one_gives_and_xarray_reads_it(tmp_path):
    xr = pytest.importorskip("xarray")
    study = made()
    plain, kept = study.run(), study.run(store=tmp_path / "s.zarr")
    assert kept.top.dims == ("stiffness", "drag")
    assert np.array_equal(plain.top, kept.top)
    assert np.array_equal(plain.last, kept["last"])
    assert list(kept.coords) == ["stiffness", "drag"]
    assert kept.top.attrs["units"] == "m"
    assert np.all(kept.outcome == "reached end")
    # the amplitude of an oscillator that begins at rest
    assert kept.top.values.max() == pytest.approx(0.1, abs=1e-9)
    opened = xr.open_zarr(tmp_path / "s.zarr", consolidated=False, chunks=None)
    assert np.array_equal(opened.top, plain.top)
    assert opened.attrs["title"] == "oscillator"


@pytest.mark.slow
def test_chunks_that_are_there_are_not_run_again(tmp_path, monkeypatch):
    store, study = tmp_path / "s.zarr", made()
    whole = study.run(store=store)
    held = StudyStore(store)
    for k in (1, 3):
        held._group["outcome"][held.chunks.box(k)] = 1
    assert held.missing() == [1, 3]
    ran = []
    original = StudyStore.write
    monkeypatch.setattr(StudyStore, "write", lambda self, k, found: (ran.append(k), original(self, k, found)))
    again = made().run(store=store)
    assert ran == [1, 3]
    assert np.array_equal(again.top, whole.top)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "given", "said"),
    [
        (
            MODEL.replace("mass: 1 kg", "mass: 2 kg"),
            {},
            "`model.bodies.block.mass`: 1 kg in the store, 2 kg now",
        ),
        (MODEL.replace("end: 1 s", "end: 2 s"), {}, "`analysis.end`: 1.0 in the store, 2.0 now"),
        (MODEL, {"rtol": 1e-6}, "`analysis.rtol`: 1e-08 in the store, 1e-06 now"),
        (MODEL, {"samples": 30}, "`samples`: 20 in the store, 30 now"),
        (
            MODEL,
            {"measures": {"top": "least(block.position.x)", "last": "last(block.velocity.x)"}},
            r"`measures.top`: greatest\(block.position.x\) in the store, least",
        ),
        (
            MODEL.replace("9 N/m in 40", "8 N/m in 40"),
            {},
            "`stiffness`: 40 values from 1 to 9, first 1 in the store, 40 values from 1 to 8",
        ),
    ],
)
def test_a_store_of_another_study_is_refused_with_what_differs(tmp_path, text, given, said):
    made().run(store=tmp_path / "s.zarr")
    with pytest.raises(ww.ModelError, match=said):
        made(text, **given).run(store=tmp_path / "s.zarr")


@pytest.mark.slow
def test_other_draws_are_refused(tmp_path):
    vary = {"drag": "0.02 normal"}
    made(vary=vary, count=300).run(store=tmp_path / "s.zarr")
    with pytest.raises(ww.ModelError, match="`seed`: 0 in the store, 1 now"):
        made(vary=vary, count=300, seed=1).run(store=tmp_path / "s.zarr")


@pytest.mark.slow
def test_a_damaged_store_is_said_with_its_file(tmp_path):
    store = tmp_path / "s.zarr"
    made().run(store=store)
    chunk = next(path for path in sorted((store / "top" / "c").rglob("*")) if path.is_file())
    whole = chunk.read_bytes()
    for spoilt in (whole[:-3], b"", bytes([whole[0] ^ 1]) + whole[1:]):
        chunk.write_bytes(spoilt)
        with pytest.raises(ww.ModelError, match=r"the store is damaged: the file .*top/c/.* cannot be read"):
            made().run(store=store)
    chunk.write_bytes(whole)
    (store / "zarr.json").write_text("{")
    with pytest.raises(ww.ModelError, match="the store is damaged"):
        made().run(store=store)
    with pytest.raises(ww.ModelError, match="is not a Zarr store of a study"):
        made().run(store=tmp_path)


@pytest.mark.slow
def test_nothing_in_a_store_is_executed(tmp_path):
    """A store that asks for another codec, which might run what it holds, is refused before Zarr looks at it."""
    store = tmp_path / "s.zarr"
    made().run(store=store)
    file = store / "top" / "zarr.json"
    data = json.loads(file.read_text())
    data["codecs"] = [{"name": "numcodecs.pickle", "configuration": {}}]
    file.write_text(json.dumps(data))
    with pytest.raises(ww.ModelError, match=r"asks for the codec `numcodecs.pickle`"):
        made().run(store=store)
    old = zarr.create_group(tmp_path / "old.zarr", zarr_format=2)
    old.attrs["wheelwork_study"] = {}
    with pytest.raises(ww.ModelError, match="is not a Zarr store of a study"):
        StudyStore(tmp_path / "old.zarr")


# -- real ends


def chunk_files(store: Path) -> dict[str, int]:
    """Chunks that are done, with when they were written."""
    return {str(f): f.stat().st_mtime_ns for f in (store / "outcome" / "c").rglob("*") if f.is_file()}


def study_in(folder: Path, *more: str) -> AbstractContextManager[Process]:
    """`wheelwork study` on some thousand variants that take some seconds, in a process of its own."""
    (folder / "m.yaml").write_text(
        MODEL.replace("in 40", "in 100").replace("end: 1 s", "end: 60 s, rtol: 1e-11")
    )
    command = [sys.executable, "-m", "wheelwork", "study", "m.yaml", "-o", "s.zarr", "--threads", "1", *more]
    return started(*command, cwd=folder)


def until_some(process: Process, store: Path, least: int = 2) -> None:
    until(lambda: len(chunk_files(store)) >= least, "some chunks", process)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_study_that_was_ended_goes_on_with_the_same_command(tmp_path, how):
    """Ended for real: nothing that was done is run again, and the result is that of a study that was left alone."""
    store = tmp_path / "s.zarr"
    with study_in(tmp_path) as process:
        until_some(process, store)
        process.send_signal(how)
        _, said = process.ended()
    before, held = chunk_files(store), StudyStore(store)
    missing = held.missing()
    assert missing, "it was over before it could be ended"
    if how == signal.SIGINT:
        assert process.returncode == 1
        assert "the same command goes on from there" in said
        assert "Traceback" not in said
    whole = [k for k in range(held.chunks.count) if k not in missing]
    assert whole
    with study_in(tmp_path) as process:
        _, said = process.ended()
    assert process.returncode == 0, said
    after = chunk_files(store)
    assert len(after) == held.chunks.count
    rewritten = sum(after[name] != written for name, written in before.items())
    assert rewritten <= 1, "only the chunk that was under way"
    study = ww.Study.described(ww.load(tmp_path / "m.yaml"))
    found = StudyStore(store).dataset()
    assert np.all(found.outcome == "reached end")
    some = np.array([0, 1234, study.variants.count - 1])
    for k in some:
        assert float(found.top.values.ravel()[k]) == pytest.approx(
            study.one(int(k)).measured["top"], rel=1e-8
        )
