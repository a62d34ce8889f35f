"""The page about results shows code that runs."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "results.md"


@pytest.mark.slow
def test_code_on_the_page(tmp_path, monkeypatch):
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "guide"}
    for text in re.findall(
        r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        exec(compile(text, str(PAGE), "exec"), names)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "run.csv",
        "run.html",
        "run.mat",
        "run.nc",
        "run.parquet",
    ]
    assert not names["short"].outcome.good
    assert re.search(r"gave up after 50 steps, the last of \S+ s\. Raise `max_steps`", names["short"].report)
    assert float(names["again"].at(3.217)["hinge.angle"]) == float(names["r"].at(3.217)["hinge.angle"])
