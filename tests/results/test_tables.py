"""Tables for spreadsheets and data frames."""

import json
import sys

import numpy as np
import pytest


def test_csv_reads_back_in_full(swing, tmp_path):
    import pandas as pd

    swing.to_csv(tmp_path / "x.csv", ["hinge.angle", "bob.position"])
    table = pd.read_csv(tmp_path / "x.csv", comment="#")
    assert list(table.columns) == [
        "time",
        "hinge.angle",
        "bob.position.x",
        "bob.position.y",
        "bob.position.z",
    ]
    np.testing.assert_array_equal(table["time"], swing.t)
    np.testing.assert_array_equal(table["bob.position.z"], swing["bob.position.z"])


def test_csv_tells_units_and_provenance(swing, tmp_path):
    swing.to_csv(tmp_path / "x.csv")
    lines = (tmp_path / "x.csv").read_text().splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert "# column hinge.w [rad/s]: rate of the joint angle" in head
    assert "# parameters: length = 0.5" in head
    assert "# outcome: REACHED_END: t = 2 s: reached the end" in head
    assert any("method = dopri5" in line and "end = 2" in line for line in head)
    assert "#       axis: [1, 0, 0]" in head
    assert len(lines) == len(head) + 1 + len(swing.t)


def test_csv_marks_reactions_that_are_not_unique(tmp_path):
    import wheelwork as ww

    m = ww.Mechanism("weld")
    m.add("block", ww.Body(mass=1, inertia=(1, 1, 1)))
    for name, x in (("one", -1), ("two", 1)):
        m.add(name, ww.Fixed(bodies=("ground", "block"), point=(x, 0, 0)))
    m.simulate(end=0.1, output=1).to_csv(tmp_path / "x.csv", ["one.reaction.force"])
    text = (tmp_path / "x.csv").read_text()
    assert (
        "# column one.reaction.force.x [N]: force of the joint on body b, x (the smallest of many possible"
        in text
    )


def test_parquet_reads_back_with_units(swing, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    swing.to_parquet(tmp_path / "x.parquet", ["hinge.angle", "bob.w.x"])
    table = pq.read_table(tmp_path / "x.parquet")
    assert table.column_names == ["time", "hinge.angle", "bob.w.x"]
    np.testing.assert_array_equal(table["hinge.angle"].to_numpy(), swing["hinge.angle"])
    assert table.schema.field("bob.w.x").metadata[b"units"] == b"rad/s"
    about = json.loads(table.schema.metadata[b"wheelwork"])
    assert about["parameters"] == {"length": 0.5}
    assert about["report"]["outcome"] == "REACHED_END"
    assert "type: revolute" in about["model"]


def test_parquet_without_pyarrow_says_what_to_install(swing, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"need pyarrow.*pip install 'wheelwork\[tables\]', or use to_csv"):
        swing.to_parquet(tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


def test_unknown_column(swing, tmp_path):
    with pytest.raises(KeyError, match=r"did you mean `hinge\.angle`"):
        swing.to_csv(tmp_path / "x.csv", ["hinge.angel"])


def test_a_data_frame_has_times_as_index_and_units(swing):
    table = swing.to_pandas(["hinge.angle", "bob.position"])
    assert list(table.columns) == ["hinge.angle", "bob.position.x", "bob.position.y", "bob.position.z"]
    np.testing.assert_array_equal(table.index, swing.t)
    np.testing.assert_array_equal(table["bob.position.z"], swing["bob.position.z"])
    assert table.attrs["units"] == {"time": "s", "hinge.angle": "rad"} | {
        f"bob.position.{k}": "m" for k in "xyz"
    }


@pytest.mark.slow
def test_matlab_reads_every_signal(swing, tmp_path):
    from scipy.io import loadmat

    swing.to_mat(tmp_path / "x.mat")
    read = loadmat(tmp_path / "x.mat", squeeze_me=True)
    about = {row[1]: row for row in read["signals"]}
    assert set(about) == {"time", *swing.to_pandas().columns}
    for name, (variable, _, unit, _) in about.items():
        assert unit == swing.to_pandas().attrs["units"][name]
        expected = swing.t if name == "time" else swing.to_pandas()[name]
        np.testing.assert_array_equal(read[variable], expected)
    assert json.loads(str(read["provenance"]))["parameters"] == {"length": 0.5}
