"""The page about results shows code that runs."""

import re

import pytest
from pages import ran


@pytest.mark.slow
def test_code_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ran("guide/results")
    written = sorted(file.name for file in tmp_path.iterdir())
    assert written == ["run.csv", "run.html", "run.mat", "run.nc", "run.parquet"]
    assert not names["short"].outcome.good
    assert re.search(r"gave up after 50 steps, the last of \S+ s\. Raise `max_steps`", names["short"].report)
    assert float(names["again"].at(3.217)["hinge.angle"]) == float(names["r"].at(3.217)["hinge.angle"])
