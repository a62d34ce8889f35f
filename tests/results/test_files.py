"""Files of results: what is written is what is read, with everything needed to make it again."""

import json

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.results import Result
from wheelwork.results.files import ResultFileError


@pytest.fixture
def saved(swing, tmp_path):
    swing.save(tmp_path / "swing.nc")
    return Result.load(tmp_path / "swing.nc")


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


def test_other_programs_read_the_signals(swing, tmp_path):
    import xarray as xr

    swing.save(tmp_path / "swing.nc")
    with xr.open_dataset(tmp_path / "swing.nc", engine="h5netcdf") as data:
        assert data["hinge.w"].attrs == {"units": "rad/s", "long_name": "rate of the joint angle"}
        np.testing.assert_array_equal(data["hinge.w"], swing["hinge.w"])
        assert data.attrs["wheelwork_version"] == ww.__version__


def test_provenance_rebuilds_the_run(pendulum, tmp_path):
    r = pendulum.simulate(end="0.5 s", output=5, rtol=1e-9, parameters={"length": "0.8 m"})
    r.save(tmp_path / "x.nc")
    p = Result.load(tmp_path / "x.nc").provenance
    assert p.name == "pendulum"
    assert p.parameters == {"length": 0.8}
    assert p.version == ww.__version__
    assert p.engine in ("native", "virtual")
    assert p.analysis["type"] == "simulate"
    assert (p.analysis["end"], p.analysis["output"], p.analysis["rtol"]) == (0.5, 5, 1e-9)
    assert p.analysis["stabilisation"]["type"] == "projection"
    assert p.report.outcome.name == "REACHED_END"
    assert ww.loads(p.model) == pendulum
    again = ww.loads(p.model).simulate(end=p.analysis["end"], output=5, rtol=1e-9, parameters=p.parameters)
    np.testing.assert_array_equal(again["bob.position"], r["bob.position"])
    json.loads(p.to_json())


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


def test_file_is_complete_or_absent(swing, tmp_path, monkeypatch):
    import xarray as xr

    def broken(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(xr.Dataset, "to_netcdf", broken)
    with pytest.raises(OSError, match="disk full"):
        swing.save(tmp_path / "x.nc")
    assert list(tmp_path.iterdir()) == []


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


def test_a_layout_of_another_version_is_noticed(swing, tmp_path, monkeypatch):
    from wheelwork.results import files

    monkeypatch.setattr(files, "_layout", lambda program: {"bodies": ["other"]})
    swing.save(tmp_path / "x.nc")
    monkeypatch.undo()
    again = Result.load(tmp_path / "x.nc")
    np.testing.assert_array_equal(again["hinge.angle"], swing["hinge.angle"])
    with pytest.raises(ResultFileError, match="orders states and constraints differently"):
        again.at(0.5)["hinge.angle"]
