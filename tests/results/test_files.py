"""Files of results: what is written is what is read, with everything needed to make it again."""

import copy
import errno
import json
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.results import Result
from wheelwork.results.files import ResultFileError
from wheelwork.show.report import write_report


@pytest.fixture
def saved(swing, tmp_path):
    swing.save(tmp_path / "swing.nc")
    return Result.load(tmp_path / "swing.nc")


@pytest.mark.slow
def test_loaded_result_gives_the_same_answers(swing, saved):
    assert saved.names == swing.names
    assert saved.signals == swing.signals
    np.testing.assert_array_equal(saved.t, swing.t)
    assert saved.dataset.identical(swing.dataset)
    assert saved["bob.position.x"].identical(swing["bob.position.x"])
    assert saved.at([0.1234, 1.9])["hinge.reaction.force"].identical(
        swing.at([0.1234, 1.9])["hinge.reaction.force"]
    )
    assert saved.reaction("hinge", "a", "joint").identical(swing.reaction("hinge", "a", "joint"))
    assert saved.provenance == swing.provenance
    assert saved.report == swing.report
    assert saved.outcome is swing.outcome


def test_loaded_result_knows_names_it_does_not_hold(pendulum, tmp_path):
    m = ww.loads(pendulum.to_yaml() + "outputs: [hinge.angle]\n")
    r = m.simulate(end=0.1, output=4)
    r.save(tmp_path / "x.nc")
    again = Result.load(tmp_path / "x.nc")
    assert again.names == ["hinge.angle"]
    np.testing.assert_array_equal(again["energy.total"], r["energy.total"])
    with pytest.raises(KeyError, match=r"did you mean `hinge\.angle`"):
        again["hinge.angel"]


@pytest.mark.slow
def test_other_programs_read_the_signals(swing, tmp_path):
    import xarray as xr

    swing.save(tmp_path / "swing.nc")
    with xr.open_dataset(tmp_path / "swing.nc", engine="h5netcdf") as data:
        assert data["hinge.w"].attrs == {"units": "rad/s", "long_name": "rate of the joint angle"}
        np.testing.assert_array_equal(data["hinge.w"], swing["hinge.w"])
        assert data.attrs["wheelwork_version"] == ww.__version__


@pytest.mark.slow
def test_file_keeps_states_and_what_was_asked_for(pendulum, tmp_path):
    import xarray as xr

    def variables(name):
        with xr.open_dataset(tmp_path / name, engine="h5netcdf") as data:
            return set(data.data_vars)

    r = pendulum.simulate(end=0.1, output=4)
    r.save(tmp_path / "states.nc")
    motion = {f"bob.{what}" for what in ("position", "orientation", "velocity", "w")} | {
        "hinge.angle",
        "hinge.w",
    }
    assert variables("states.nc") == motion
    with xr.open_dataset(tmp_path / "states.nc", engine="h5netcdf", group="motion") as data:
        assert set(data.data_vars) == {"state"}
    assert r["energy.total"].shape == (5,)  # read: asked for
    r.save(tmp_path / "read.nc", ["hinge.reaction.force.z"])
    assert variables("read.nc") == {*motion, "energy.total", "hinge.reaction.force"}
    again = Result.load(tmp_path / "read.nc")
    assert again.names == r.names
    assert "hinge.reaction.torque" in again
    with pytest.raises(KeyError, match=r"there is no signal `hinge\.anlge`"):
        r.save(tmp_path / "x.nc", ["hinge.anlge"])
    r.save(tmp_path / "all.nc", r.names)
    assert variables("all.nc") == {s.name for s in r.signals}


def test_what_was_asked_for_is_read_without_the_equations(pendulum, tmp_path, monkeypatch):
    from wheelwork.results import files

    r = pendulum.simulate(end=0.1, output=4)
    r.save(tmp_path / "x.nc")
    saved = Result.load(tmp_path / "x.nc")
    monkeypatch.setattr(files.prepare, "derived", None)
    assert saved.names == r.names
    np.testing.assert_array_equal(saved["bob.position.z"], r["bob.position.z"])
    with pytest.raises(TypeError):
        saved["energy.total"]


@pytest.mark.slow
@pytest.mark.parametrize("example", ["four-bar", "stick-slip"])
def test_every_signal_is_the_same_after_saving(example, tmp_path):
    """To the last digit, of a run whose reactions are solved again and of one that keeps them."""
    r = ww.load(examples.path(example)).simulate(end=0.2, output=50)
    r.save(tmp_path / "x.nc")
    again = Result.load(tmp_path / "x.nc")
    before = {s.name: r.series(s.name) for s in r.signals}
    for name, series in before.items():
        np.testing.assert_array_equal(again.series(name).values, series.values, err_msg=name)
        assert again.series(name).attributes == series.attributes


def test_file_of_an_earlier_version(pendulum, swing):
    """Format 2, with all signals, accelerations and multipliers in it."""
    old = Result.load(Path(__file__).parent / "format-2.nc")
    new = pendulum.simulate(end=0.5, output=4)
    assert [s.name for s in old.signals] == [s.name for s in new.signals]
    for name in ("bob.position", "hinge.reaction.force", "energy.total", "hinge.angle"):
        np.testing.assert_allclose(old[name], new[name], atol=1e-6)
        assert old[name].attrs == new[name].attrs
    np.testing.assert_allclose(old.at(0.2)["hinge.angle"], swing.at(0.2)["hinge.angle"], atol=1e-2)
    assert old.outcome.good
    assert old.reaction("hinge")["force"].shape == (5, 3)


@pytest.mark.slow
def test_size_of_a_file(tmp_path):
    """Three planets of 13 numbers, two rotors: 20 MB when all signals were kept."""
    r = ww.load(examples.path("planetary-contact")).simulate(end=0.002, output=1000)
    r.save(tmp_path / "x.nc")
    numbers = r.motion.state.shape[1] + 3 * 13 + 2 * 2 + 3 * 2 + 1
    assert (tmp_path / "x.nc").stat().st_size < 1.1 * 8 * 1001 * numbers + 200_000


def test_provenance_rebuilds_the_run(pendulum, tmp_path):
    r = pendulum.simulate(end="0.5 s", output=5, rtol=1e-9, parameters={"length": "0.8 m"})
    r.save(tmp_path / "x.nc")
    p = Result.load(tmp_path / "x.nc").provenance
    assert p.name == "pendulum"
    assert p.parameters == {"length": 0.8}
    assert p.version == ww.__version__
    assert p.engine == "native"
    assert p.analysis["type"] == "simulate"
    assert (p.analysis["end"], p.analysis["output"], p.analysis["rtol"]) == (0.5, 5, 1e-9)
    assert p.analysis["stabilisation"]["type"] == "projection"
    assert p.report.outcome.name == "REACHED_END"
    assert ww.loads(p.model) == pendulum
    again = ww.loads(p.model).simulate(end=p.analysis["end"], output=5, rtol=1e-9, parameters=p.parameters)
    np.testing.assert_array_equal(again["bob.position"], r["bob.position"])
    json.loads(p.to_json())


@pytest.mark.slow
def test_components_from_files_go_into_the_file(pendulum, tmp_path):
    pendulum.save(tmp_path / "part.yaml")
    text = (
        "name: two\ncomponents:\n"
        "  left: {file: part.yaml}\n"
        "  right: {file: part.yaml, position: [1, 0, 0], parameters: {length: 70 cm}}\n"
    )
    (tmp_path / "two.yaml").write_text(text)
    r = ww.load(tmp_path / "two.yaml").simulate(end=0.3, output=6)
    r.save(tmp_path / "two.nc")
    for name in ("part.yaml", "two.yaml"):
        (tmp_path / name).unlink()
    again = Result.load(tmp_path / "two.nc")
    assert "file: part.yaml" not in again.provenance.model
    assert again.provenance.parameters == {"left.length": 0.5, "right.length": 0.7}
    np.testing.assert_array_equal(again.at(0.17)["right.bob.position"], r.at(0.17)["right.bob.position"])
    assert float(np.linalg.norm(again["right.bob.position"][0] - [1, 0, 0])) == pytest.approx(0.7)


def test_model_in_the_file_is_the_one_that_ran(tmp_path):
    m = ww.Mechanism("ball")
    m.add("ball", ww.Body(mass=1, inertia=(1, 1, 1), velocity=(1, 0, 0)))
    r = m.simulate(end=1, output=1)
    m.bodies["ball"].mass = 5  # after the run
    assert "mass: 1" in r.provenance.model


def test_events_and_failure_are_kept(tmp_path):
    m = ww.Mechanism("ball")
    m.add("ball", ww.Body(mass=1, inertia=(1e-3,) * 3, position=(0, 0, 1)))
    sphere, plane = ww.ContactSphere(body="ball", radius=0), ww.ContactPlane()
    m.add("bounce", ww.Contact(a=sphere, b=plane, law=ww.Restitution(coefficient=0.8)))
    r = m.simulate(end=2, output=20, max_steps=25)
    assert r.outcome.name == "TOO_MANY_STEPS"
    r.save(tmp_path / "x.nc")
    again = Result.load(tmp_path / "x.nc")
    assert again.events == r.events
    assert len(again.events) >= 1
    assert again.events[0].element == "bounce"
    assert again.outcome is r.outcome
    assert again.report == r.report


def test_large_model_text_fits(tmp_path):
    """Attributes of HDF5 end at 64 KB; a description may be longer."""
    m = ww.Mechanism("long", comment="x" * 100_000)
    m.add("ball", ww.Body(mass=1, inertia=(1, 1, 1)))
    r = m.simulate(end=0.1, output=1)
    r.save(tmp_path / "x.nc")
    assert "x" * 100_000 in Result.load(tmp_path / "x.nc").provenance.model


@contextmanager
def no_room_for_files_of_more_than(size):
    """The system itself then refuses to write on, as it does on a full disk. Python takes no notice when it keeps
    bytecode of a module, and the next to import that would find half of it."""
    resource = pytest.importorskip("resource")
    before, kept = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = kept
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("x.nc", lambda r, path: r.save(path)),
        ("x.csv", lambda r, path: r.to_csv(path)),
        ("x.parquet", lambda r, path: r.to_parquet(path)),
        ("x.html", lambda r, path: write_report(r, path)),
        ("x.glb", lambda r, path: r.animate(path)),
        ("x.yaml", lambda r, path: ww.loads(r.provenance.model + f"comment: {'x' * 5000}\n").save(path)),
    ],
)
def test_a_disk_that_fills_up(swing, tmp_path, name, write):
    """One error with the file's name; the file that was there stays, and so does the result."""
    path = tmp_path / name
    path.write_text("the old one")
    before = swing["hinge.angle"].to_numpy().copy()
    with no_room_for_files_of_more_than(2000), pytest.raises(OSError, match=name) as caught:
        write(swing, path)
    assert caught.value.filename == str(path)
    assert caught.value.errno == errno.EFBIG
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert path.read_text() == "the old one"
    np.testing.assert_array_equal(swing["hinge.angle"], before)
    write(swing, path)
    assert path.stat().st_size > 2000


@pytest.mark.slow
def test_every_flipped_bit_is_noticed(swing, tmp_path):
    path = tmp_path / "x.nc"
    swing.save(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    places = [0, 7, len(whole) - 1, len(whole) - 40, *rng.integers(0, len(whole), 200)]
    for place in places:
        spoilt = bytearray(whole)
        spoilt[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(spoilt)
        with pytest.raises(ResultFileError, match=r"x\.nc: (damaged|not a result|the file has format)"):
            Result.load(path)
    for end in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:end])
        with pytest.raises(ResultFileError, match="does not end with a checksum"):
            Result.load(path)
    path.write_bytes(whole + b"\n")
    with pytest.raises(ResultFileError, match="does not end with a checksum"):
        Result.load(path)
    path.write_bytes(whole)
    assert Result.load(path).provenance == swing.provenance


def test_another_format_is_named(swing, tmp_path, monkeypatch):
    from wheelwork.results import files

    monkeypatch.setattr(files, "FORMAT", 9)
    swing.save(tmp_path / "x.nc")
    monkeypatch.undo()
    with pytest.raises(
        ResultFileError, match="has format 9, but this version of Wheelwork reads formats 2 and 3"
    ):
        Result.load(tmp_path / "x.nc")


def same(a, b):
    assert a.names == b.names
    assert a.provenance == b.provenance
    assert a["hinge.angle"].identical(b["hinge.angle"])
    assert a.reaction("hinge").identical(b.reaction("hinge"))


@pytest.mark.slow
def test_results_travel_between_processes(swing, saved):
    same(pickle.loads(pickle.dumps(swing)), swing)
    same(pickle.loads(pickle.dumps(saved)), swing)
    same(pickle.loads(pickle.dumps(swing.at(0.5))), swing.at(0.5))
    same(copy.deepcopy(pickle.loads(pickle.dumps(swing))), swing)
    same(copy.copy(swing), swing)


@pytest.mark.slow
def test_results_come_back_from_a_pool(pendulum):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        back = pool.submit(pendulum.simulate, end=0.1, output=4).result(timeout=120)
    here = pendulum.simulate(end=0.1, output=4)
    assert back["hinge.angle"].identical(here["hinge.angle"])
    assert back.reaction("hinge").identical(here.reaction("hinge"))


@pytest.mark.slow
def test_places_that_cannot_be_written(swing, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        swing.save(tmp_path / "nowhere" / "x.nc")
    with pytest.raises(IsADirectoryError, match="is a folder, not a file"):
        swing.save(tmp_path)


def test_files_that_are_no_results(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        ww.load_result(tmp_path / "x.nc")
    (tmp_path / "x.nc").write_text("not HDF5")
    with pytest.raises(ResultFileError, match="not a result of Wheelwork, or damaged"):
        Result.load(tmp_path / "x.nc")


@pytest.mark.slow
def test_a_layout_of_another_version_is_noticed(swing, tmp_path, monkeypatch):
    from wheelwork.results import files

    monkeypatch.setattr(files, "_layout", lambda program: {"bodies": ["other"]})
    swing.save(tmp_path / "x.nc")
    monkeypatch.undo()
    again = Result.load(tmp_path / "x.nc")
    np.testing.assert_array_equal(again["hinge.angle"], swing["hinge.angle"])
    with pytest.raises(ResultFileError, match="orders states and constraints differently"):
        again.at(0.5)["hinge.angle"]
