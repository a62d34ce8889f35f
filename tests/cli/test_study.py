"""`wheelwork study`, and the section `study` of a model file."""

import json
from pathlib import Path

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.description.source import parse

SECTION = """\
study:
  vary:
    length: 40 cm to 60 cm in 3
    mass: [1 kg, 2]
  measures:
    top: greatest(hinge.angle)
  run_in: 0.1 s
  samples: 40
"""


@pytest.fixture
def model(wheelwork) -> str:
    """A file with a study."""
    text = Path("pendulum.yaml").read_text().replace("length: 50 cm", "length: 50 cm\n  mass: 2 kg")
    Path("m.yaml").write_text(text.replace("mass: 2 kg, inertia", "mass: mass, inertia") + SECTION)
    return Path("m.yaml").read_text()


@pytest.mark.slow
def test_it_runs_the_section_and_leaves_a_store(wheelwork, model):
    pytest.importorskip("zarr")
    done = wheelwork("study", "m.yaml")
    assert done.code == 0
    assert "6: 3 length x 2 mass" in done.out
    assert Path("m-study.zarr/zarr.json").is_file()
    again = json.loads(wheelwork("study", "m.yaml", "--json").out)
    assert (again["variants"], again["failed"], again["not_run"]) == (6, 0, 0)
    run = ww.load("m.yaml").simulate(parameters={"length": 0.4})
    assert again["measures"]["top"]["greatest"] == pytest.approx(float(run["hinge.angle"].max()), rel=1e-5)


@pytest.mark.slow
def test_a_file_is_written_at_the_end_without_zarr(wheelwork, model):
    xr = pytest.importorskip("xarray")
    done = wheelwork(
        "study", "m.yaml", "-o", "s.nc", "--vary", "length=0.4,0.6", "--measure", "w=last(hinge.w)"
    )
    assert done.code == 0, done.err
    with xr.open_dataset("s.nc", engine="h5netcdf") as table:
        assert table.w.dims == ("length",)
        assert np.array_equal(table.length, [0.4, 0.6])
    assert "needs a name with `.zarr` or `.nc`" in wheelwork("study", "m.yaml", "-o", "s.txt").err
    assert "describes no study" in wheelwork("study", "pendulum.yaml").err


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (
            "0.4 m to 0.6 m in 3",
            [0.4, 0.5, 0.6],
        ),  # as the help says; it was taken for a list since it ends in a number
        ("0.4 to 0.6 in 2", [0.4, 0.6]),
        ("40 cm", [0.4]),
        ("0.4", [0.4]),
        ("40 cm, 0.5", [0.4, 0.5]),
        ("0.4 m to 0.9 m in 2 log", [0.4, 0.9]),
    ],
)
def test_vary_of_the_command_line_is_that_of_a_file(wheelwork, model, text, values):
    xr = pytest.importorskip("xarray")
    given = ("--vary", f"length={text}", "--measure", "w=last(hinge.w)", "--end", "0.11 s")
    done = wheelwork("study", "m.yaml", "-o", "s.nc", *given)
    assert done.code == 0, done.err
    with xr.open_dataset("s.nc", engine="h5netcdf") as table:
        np.testing.assert_allclose(table.length, values, rtol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("40 cm to", "70 cm to", "m.yaml:14:13: study.vary.length: the range is reversed"),
        ("mass: [1 kg, 2]", "mas: [1, 2]", "m.yaml:15:10: study.vary.mas: there is no parameter `mas`"),
        (
            "[1 kg, 2]",
            "[1 m, 2]",
            "m.yaml:15:11: study.vary.mass: needs a mass (in kg), but `1 m` is a length",
        ),
        (
            "in 3",
            "in 100000000",
            "m.yaml:14:5: study.vary: 100000000 of `length` x 2 of `mass` make 2e+08 variants",
        ),
        ("  vary:", "  varry:", "study.varry: there is no key `varry` here (did you mean `vary`?)"),
        ("hinge.angle", "hinge.angel", "m.yaml:17:10: study.measures.top: there is no signal or parameter"),
        ("run_in: 0.1 s", "run_in: 9 s", "m.yaml:18:11: study.run_in: the run takes 0.5 s, and 9 s"),
        ("run_in: 0.1 s", "run_in: -1 s", "m.yaml:18:11: study.run_in: must not be below zero, but is -1 s"),
        ("[1 kg, 2]", "[1 kg, -2 kg]", "with length = 0.4, mass = -2: "),
        ("samples: 40", "count: 3", "study.count: nothing is drawn at random: leave `count` out"),
        (
            "samples: 40",
            "analysis: {type: simulate, end: -1 s}",
            "m.yaml:19:35: study.analysis.end: must be later",
        ),
    ],
)
def test_mistakes_are_said_with_file_and_line(wheelwork, model, old, new, said):
    assert old in model
    Path("m.yaml").write_text(model.replace(old, new))
    done = wheelwork("study", "m.yaml")
    assert done.code == 2
    assert said in done.err
    assert not Path("m-study.zarr").exists(), "nothing is made before everything is checked"


@pytest.mark.slow
def test_the_section_is_in_the_schema_and_survives_saving(wheelwork, model, validator):
    data, _ = parse(model, "m.yaml")
    validator.validate(data)
    data["study"]["vary"]["length"] = {"a": 1}
    assert not validator.is_valid(data)
    mechanism = ww.load("m.yaml")
    again = ww.loads(mechanism.to_yaml())
    assert again.study == mechanism.study
    assert again.to_yaml() == mechanism.to_yaml()
    assert "length: 40 cm to 60 cm in 3" in mechanism.to_yaml()
    Path("sub").mkdir()
    Path("t.csv").write_text("length [cm]\n40\n50\n")
    Path("m.yaml").write_text(
        model.replace("  vary:\n    length: 40 cm to 60 cm in 3\n    mass: [1 kg, 2]\n", "  table: t.csv\n")
    )
    ww.load("m.yaml").save("sub/n.yaml")
    assert "table: ../t.csv" in Path("sub/n.yaml").read_text()
    table = ww.Study.described(ww.load("sub/n.yaml")).run()
    assert table.length.values.tolist() == [0.4, 0.5]
