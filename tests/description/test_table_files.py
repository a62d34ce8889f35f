"""Tables whose points are in CSV files."""

import numpy as np
import pytest

import wheelwork as ww

MODEL = """
wheelwork: 1
bodies:
  rotor: {type: rotor, inertia: 0.02 kg*m^2}
forces:
  wind: {type: torque, body: rotor, value: [0, 0, %s]}
"""
POINTS = "# made by hand\nt [ms], torque [N*mm], other\n\n0, 0, 1\n100, 500, 2\n200, 1500, 3\n"
SPEED = (0.5 * 0.1 / 2 + (0.5 + 1.5) / 2 * 0.1) / 0.02
"""At 0.2 s: the area below the two straight lines over the inertia."""


def files(folder, table="{file: wind.csv, interpolation: linear}", points=POINTS):
    (folder / "wind.csv").write_text(points)
    (folder / "fan.yaml").write_text(MODEL % table)
    return folder / "fan.yaml"


@pytest.mark.parametrize(
    ("table", "points"),
    [
        ("{file: wind.csv, interpolation: linear}", POINTS),
        ("{file: wind.csv, columns: [t, torque], interpolation: linear}", POINTS),
        ("{table: {file: wind.csv, columns: [t, torque], interpolation: linear}}", POINTS),
        ("{file: wind.csv, columns: [3, 1], units: [ms, N*mm], interpolation: linear}", "0;9;0\n500;9;100\n1500;9;200"),
        ("{file: wind.csv, units: [ms, N*mm], interpolation: linear}", "a\tb\n0\t0\n100\t500\n200\t1500\n"),
    ],
)  # fmt: skip
def test_the_speed_is_the_area_below_the_points(tmp_path, table, points):
    m = ww.load(files(tmp_path, table, points))
    assert m.simulate(end=0.2)["rotor.w"].values[-1] == pytest.approx(SPEED, rel=1e-9)


def test_saving_names_the_file_and_a_result_holds_the_numbers(tmp_path):
    m = ww.load(files(tmp_path))
    (tmp_path / "other").mkdir()
    m.save(tmp_path / "other" / "fan.yaml")
    text = (tmp_path / "other" / "fan.yaml").read_text()
    assert "file: ../wind.csv" in text
    assert "time:" not in text
    again = ww.load(tmp_path / "other" / "fan.yaml").simulate(end=0.2)
    (tmp_path / "wind.csv").unlink()
    alone = ww.loads(again.provenance.model).simulate(end=0.2)
    assert np.array_equal(alone["rotor.w"], again["rotor.w"])


def test_a_changed_file_is_read_again(tmp_path):
    path = files(tmp_path)
    assert ww.load(path).simulate(end=0.2)["rotor.w"].values[-1] == pytest.approx(SPEED, rel=1e-9)
    ww.load(path).simulate(end=0.2)
    (tmp_path / "wind.csv").write_text(POINTS.replace("500", "600").replace("1600", "1500"))
    w = ww.load(path).simulate(end=0.2)["rotor.w"].values[-1]
    assert w == pytest.approx((0.6 * 0.1 / 2 + (0.6 + 1.5) / 2 * 0.1) / 0.02, rel=1e-9)


def test_in_python_names_start_in_the_working_folder(tmp_path, monkeypatch):
    files(tmp_path)
    monkeypatch.chdir(tmp_path)
    table = ww.Table(file="wind.csv")
    assert table.time == pytest.approx((0, 0.1, 0.2))
    assert table.value == pytest.approx((0, 0.5, 1.5))
    with pytest.raises(ww.ModelError, match="no such file"):
        ww.Table(file="calm.csv")


@pytest.mark.parametrize(
    ("table", "points", "said"),
    [
        ("{file: wand.csv}", POINTS, ["wand.csv", "there is no such file"]),
        ("{file: wind.csv, columns: [t, torqe]}", POINTS, ["no column `torqe`", "did you mean `torque`"]),
        ("{file: wind.csv, columns: [t, 7]}", POINTS, ["no column 7: the file has 3"]),
        ("{file: wind.csv, columns: t}", POINTS, ["`columns` needs two"]),
        ("{file: wind.csv, time: [0, 1]}", POINTS, ["has `time` and a `file`"]),
        ("{file: wind.csv, interpolation: cubic}", POINTS, ["interpolation", "`smooth` or `linear`"]),
        ("{file: wind.csv, units: [s, N*m]}", POINTS, ["is in `ms` by its heading, but `s` is asked for"]),
        ("{file: wind.csv}", POINTS.replace("N*mm", "N"), ["a torque", "a force"]),
        ("{file: wind.csv}", POINTS.replace("N*mm", "Nfoo"), ["column `torque`", "Nfoo"]),
        ("{file: wind.csv}", POINTS.replace("[ms]", "[mm]"), ["column `t` needs a time, but `mm` is a length"]),
        ("{file: wind.csv}", POINTS.replace("200, 1500", "50, 1500"), ["wind.csv:6: times must increase"]),
        ("{file: wind.csv}", POINTS.replace("1500", "much"), ["wind.csv:6: `much` in the column `torque`"]),
        ("{file: wind.csv}", "t;v\n0;0\n1;1,5\n", ["wind.csv:3: `1,5`", "decimal point"]),
        ("{file: wind.csv}", "t,v\n0,0\n1\n", ["wind.csv:3: `` in the column `v`"]),
        ("{file: wind.csv}", "t,v\n", ["no row of values"]),
        ("{file: wind.csv}", "", ["it is empty"]),
        ("{file: wind.csv}", "t,t\n0,1\n", ["two columns `t`"]),
        ("{columns: [t, v]}", POINTS, ["belong to a `file`"]),
        ("{interpolation: linear}", POINTS, ["give `time` and `value`, or a `file`"]),
        ("{file: .}", POINTS, ["is a folder"]),
    ],
)  # fmt: skip
def test_bad_tables_are_told_with_file_and_line(tmp_path, table, points, said):
    with pytest.raises(ww.ModelError) as caught:
        ww.load(files(tmp_path, table, points))
    text = str(caught.value)
    assert "fan.yaml:6" in text
    for words in said:
        assert words in text
