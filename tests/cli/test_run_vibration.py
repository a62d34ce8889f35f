"""`wheelwork run` of files that ask for modes, a Campbell diagram, a response or a sweep."""

import json

import numpy as np
import pytest
import xarray as xr

import wheelwork as ww

from .test_vibration import CHAIN, HERTZ

ANALYSES = {
    "modes": "{type: modes}",
    "campbell": "{type: campbell, parameter: speed, start: 50 rad/s, stop: 2000 rpm, points: 5}",
    "response": "{type: response, input: moment, signals: [shaft.torque], start: 1 Hz, stop: 30 Hz, points: 30}",
    "stability": "{type: stability, over: {speed: {start: 50 rad/s, stop: 500 rpm, points: 4}}}",
    "sweep": "{type: sweep, parameter: speed, start: 60 rad/s, stop: 140 rad/s, points: 3, both: true, "
    "frequency: speed/(2*pi), signals: [shaft.torque, a.angle], settle: 20, measure: 2, orders: [1]}",
}


@pytest.fixture
def written(tmp_path, wheelwork):
    def write(analysis):
        (tmp_path / "chain.yaml").write_text(f"{CHAIN}analysis: {analysis}\n")
        return wheelwork

    return write


@pytest.mark.slow
@pytest.mark.parametrize("kind", ANALYSES)
def test_run_leaves_result_and_report(written, tmp_path, kind):
    reported = kind in ("modes", "sweep")
    done = written(ANALYSES[kind])("run", "chain.yaml", *([] if reported else ["--no-report"]))
    assert done.code == 0
    assert "result.nc" in done.out
    assert kind != "sweep" or "a.angle [rad]" in done.out
    with xr.open_dataset(tmp_path / "chain-run" / "result.nc", engine="h5netcdf") as stored:
        assert stored.attrs["title"] == "chain"
        sizes = dict(stored.sizes)
    wanted = {
        "modes": {"mode": 2},
        "campbell": {"speed": 5},
        "response": {"frequency": 30},
        "stability": {"speed": 4, "exponent": 4},
        "sweep": {"speed": 3, "direction": 2},
    }
    assert wanted[kind].items() <= sizes.items()
    report = tmp_path / "chain-run" / "report.html"
    assert report.exists() == reported
    assert not reported or "<svg" in report.read_text("utf-8")


@pytest.mark.slow
def test_the_same_as_in_python(written, tmp_path):
    data = json.loads(written(ANALYSES["modes"])("run", "chain.yaml", "--json", "--no-report").out)
    assert data["good"]
    assert data["data_vars"]["natural_frequency"]["data"][1] == pytest.approx(HERTZ)
    m = ww.load(tmp_path / "chain.yaml")
    m.analysis = ww.SweepAnalysis(
        parameter="speed",
        start="60 rad/s",
        stop=140,
        points=3,
        frequency="speed/(2*pi)",
        settle=20,
        measure=2,
    )
    described = m.run(signals=["shaft.torque"], progress=False)
    called = m.sweep(
        "speed", np.linspace(60, 140, 3), frequency="speed/(2*pi)", settle=20, measure=2,
        signals=["shaft.torque"], progress=False,
    )  # fmt: skip
    assert described["shaft.torque"]["rms"].to_numpy() == pytest.approx(
        called["shaft.torque"]["rms"].to_numpy(), rel=1e-12
    )
    assert ww.loads(m.to_yaml()).analysis == m.analysis


@pytest.mark.parametrize(
    ("analysis", "arguments", "words"),
    [
        ("{type: modes}", ["--end", "2"], "--end: has no meaning for the analysis `modes`"),
        ("{type: modes}", ["--csv"], "--csv: has no meaning"),
        ("{type: sweep, parameter: sped, start: 1, stop: 2}", [], "there is no parameter `sped`"),
        (
            "{type: sweep, parameter: speed, start: 1 kg, stop: 2}",
            [],
            "analysis.start: needs an angular speed",
        ),
        (
            "{type: sweep, parameter: speed, start: 1, stop: 2, points: 1}",
            [],
            "must be from 2 to 1000000, but is 1",
        ),
        ("{type: sweep, parameter: speed, start: 1, stop: 2, orders: [1]}", [], "need `frequency`"),
        (
            "{type: response, input: moment, signals: [a.angle], start: 9 Hz, stop: 1 Hz}",
            [],
            "above the start",
        ),
        ("{type: campbell, parameter: speed, start: 1}", [], "stop"),
    ],
)
def test_mistakes(written, analysis, arguments, words):
    done = written(analysis)("run", "chain.yaml", *arguments)
    assert done.code != 0
    assert words in " ".join(done.err.split())
    assert "Traceback" not in done.err
