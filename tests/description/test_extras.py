"""Optional extras that are missing are told together, before anything is made."""

from pathlib import Path

import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.cli.app import run_app
from wheelwork.description import extras
from wheelwork.exchange.gear_solids import write_wheels


@pytest.fixture(autouse=True)
def nothing_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installation without extras."""
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    monkeypatch.chdir(tmp_path)


def test_a_study_tells_all_at_once(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    m = ww.load(examples.path("double-pendulum"))
    section = {
        "vary": {"lower_mass": "0.5 kg to 2 kg uniform"}, "count": 4, "sampling": "saltelli",
        "measures": {"w": "last(elbow.w)"},
    }  # fmt: skip
    text = m.to_yaml() + "study: " + str(section).replace("'", '"') + "\n"
    Path("model.yaml").write_text(text)
    assert run_app(["study", "model.yaml", "--scheduler", "tcp://nowhere:1"]) == 2
    words = " ".join(capsys.readouterr().err.split())
    assert "SALib and Zarr and Dask distributed, which are not installed" in words
    assert "pip install 'wheelwork[indices,studies,cluster]'" in words
    assert sorted(tmp_path.iterdir()) == [tmp_path / "model.yaml"]


def test_tables_and_solids_leave_nothing_behind(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    assert run_app(["run", str(examples.path("gear-set")), "--end", "0.01", "--parquet"]) == 2
    assert "pip install 'wheelwork[tables]'" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(
        ImportError, match=r"Open CASCADE, which is not installed: pip install 'wheelwork\[cad\]'"
    ):
        write_wheels(ww.load(examples.path("planetary-gearbox")), tmp_path / "wheels", "step")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_fails_leaves_no_empty_folder(tmp_path: Path) -> None:
    assert run_app(["run", str(examples.path("gear-set")), "--end", "-1"]) == 2
    assert list(tmp_path.iterdir()) == []
