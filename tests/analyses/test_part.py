"""Runs that are ended from outside: what they have done is kept, and another process goes on from there."""

import importlib
import os
import signal
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
import pytest
import xarray
from processes import Process, started, until

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses import driven_motion as driven
from wheelwork.analyses import part as parts
from wheelwork.description import ModelError
from wheelwork.engine.engine import Engine
from wheelwork.engine.watch import Watch

sweeps = importlib.import_module(
    "wheelwork.analyses.vibration.sweep"
)  # the function of this name hides its file
pytestmark = pytest.mark.filterwarnings("ignore::wheelwork.analyses.simulate.RunWarning")
ARRAYS = ("t", "state", "acceleration", "multipliers", "friction")


@pytest.fixture
def broken_off(monkeypatch, tmp_path):
    """`broken_off(m, **options)`: a run, and the same in two: ended on the way, and taken up again."""

    def run(m, **options):
        whole = m.simulate(progress=False, **options)
        middle = 0.4 * whole.t[0] + 0.6 * whole.t[-1]
        with monkeypatch.context() as patch:
            patch.setattr(parts, "FIRST", 0.0)
            patch.setattr(parts, "EVERY", 0.0)
            patch.setattr(Watch, "step", lambda self, t, steps: t > middle)
            first = m.simulate(progress=False, part=tmp_path / "x.part", **options)
        if (
            first.outcome.name != "INTERRUPTED"
        ):  # the runtime asks every 50 ms: on a fast machine it was over by then
            assert whole.statistics.seconds < 2, "a run as long as this can be ended on the way"
            return run(m, **{**options, "end": 2 * options["end"]})
        return whole, m.simulate(progress=False, part=tmp_path / "x.part", resume=True, **options)

    return run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pendulum", {"end": 30, "method": "rk4", "step": 1e-4}),
        ("stick-slip", {"end": 8, "method": "rk4", "step": 5e-5}),
        ("bouncing-ball", {"end": 4, "method": "rk4", "step": 2e-5}),
        ("planetary-gearbox", {"end": 4, "method": "rk4", "step": 1e-4}),
        ("planetary-gearbox", {"end": 2, "method": "rk4", "step": 2e-4, "formulation": "absolute"}),
        ("four-bar", {"end": 5, "method": "rk4", "step": 1e-4, "formulation": "reduced"}),
        ("n-four-bar", {"end": 1, "method": "rk4", "step": 5e-4}),
        ("pendulum", {"end": 900}),
        ("stick-slip", {"end": 60}),
    ],
)
def test_it_goes_on_with_the_same_digits(broken_off, name, options):
    """Fixed steps, and adaptive ones too: a run carries its step with it, and its modes of friction and contact."""
    whole, resumed = broken_off(ww.load(examples.path(name)), output=50, **options)
    for array in (*ARRAYS, "sides"):
        np.testing.assert_array_equal(getattr(resumed.motion, array), getattr(whole.motion, array))
    assert resumed.events == whole.events
    assert resumed.outcome is whole.outcome
    assert resumed.statistics.steps == whole.statistics.steps


@pytest.mark.slow
def test_the_implicit_method_goes_on_within_its_tolerance(broken_off):
    """It begins with a new matrix for its Newton iterations."""
    m = ww.load(examples.path("four-bar"))
    whole, resumed = broken_off(m, end=3, output=50, method="sdirk4", rtol=1e-7)
    np.testing.assert_array_equal(resumed.t, whole.t)
    np.testing.assert_allclose(resumed.motion.state, whole.motion.state, atol=1e-4)


@pytest.mark.slow
def test_parts_of_other_runs_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "FIRST", 0.0)
    monkeypatch.setattr(parts, "EVERY", 0.0)
    m, path = ww.load(examples.path("pendulum")), tmp_path / "x.part"
    with monkeypatch.context() as patch:
        patch.setattr(Watch, "step", lambda self, t, steps: t > 30)
        m.simulate(end=60, method="rk4", step="0.1 ms", part=path, progress=False)
    whole = path.read_bytes()

    def refusal(**options):
        with pytest.raises(ModelError) as caught:
            m.simulate(
                part=path,
                resume=True,
                progress=False,
                **{"end": 60, "method": "rk4", "step": 1e-4, **options},
            )
        return str(caught.value)

    assert "the analysis has other settings" in refusal(step=1e-3)
    assert "the analysis has other settings" in refusal(store_steps=True)
    path.write_bytes(b"something else")
    assert "is not the part of a run, or damaged" in refusal()
    path.write_bytes(whole[:300])
    assert "damaged" in refusal()
    path.unlink()
    assert "there is no part of a run to go on from" in refusal()
    # a piece that was being written when the run was killed costs only itself
    path.write_bytes(whole[:-10])
    resumed = m.simulate(end=60, method="rk4", step=1e-4, part=path, resume=True, progress=False)
    assert resumed.outcome.good
    spoilt = bytearray(whole)
    spoilt[len(whole) // 2] ^= 1
    path.write_bytes(spoilt)
    again = m.simulate(end=60, method="rk4", step=1e-4, part=path, resume=True, progress=False)
    np.testing.assert_array_equal(again.motion.state, resumed.motion.state)


LONG = """\
name: long
bodies:
  bob: {mass: 2 kg, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, bodies: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
analysis: {type: simulate, end: %s, output: 200, method: rk4, step: 0.1 ms, max_steps: 1000000000}
"""
QUICK = """
import sys
from wheelwork.analyses import part
part.FIRST = part.EVERY = 0.2
from wheelwork.cli import main
sys.exit(main(sys.argv[1:]))
"""


def start(folder: Path, *arguments: str) -> AbstractContextManager[Process]:
    command = [sys.executable, "-c", QUICK, "run", "long.yaml", "--no-report", "-o", "out.nc", *arguments]
    return started(*command, cwd=folder)


def wait_for_more(path: Path, size: int, process: Process) -> int:
    """Until the file has grown; its size."""
    until(lambda: path.exists() and path.stat().st_size > size, "a part of the result", process)
    return path.stat().st_size


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_killed_runs(tmp_path):
    """kill -9 twice, then SIGTERM: what was done is there, and is what a run without a break finds."""
    (tmp_path / "long.yaml").write_text(LONG % "100000 s")
    part, size = tmp_path / "out.part", 0
    for arguments in ((), ("--resume",)):
        with start(tmp_path, *arguments) as process:
            size = wait_for_more(part, size, process)
            process.kill()
        assert part.stat().st_size >= size
        assert not (tmp_path / "out.nc").exists()
    with start(tmp_path, "--resume") as process:
        wait_for_more(part, size, process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.ended()
    assert process.returncode == 1, errors
    assert "`--resume` goes on from there" in errors
    assert part.exists()
    r = ww.load_result(tmp_path / "out.nc")
    assert r.outcome.name == "INTERRUPTED"
    reached = float(r.t[-1])
    here = ww.loads(LONG % f"{reached!r} s").simulate(output=1, progress=False)
    assert here.statistics.steps == r.statistics.steps
    # the last step is as long as what is left to the end, by round-off another number
    np.testing.assert_allclose(here.motion.state[-1], r.motion.state[-1], atol=1e-9)


# -- sweeps and driven motions: portions

SHAKEN = """\
name: shaken
parameters: {omega: 20 rad/s}
gravity: [0, 0, 0]
bodies:
  block: {mass: 1 kg, inertia: [0.1, 0.1, 0.1]}
joints:
  guide: {type: prismatic, bodies: [ground, block], point: [0, 0, 0], axis: [1, 0, 0]}
forces:
  spring: {type: spring, bodies: [ground, block], point_a: [-1, 0, 0], point_b: [0, 0, 0], stiffness: 900, damping: 3}
  shaker: {type: force, body: block, value: ["10*cos(omega*t)", 0, 0]}
analysis: {type: sweep, parameter: omega, start: 15 rad/s, stop: 45 rad/s, points: %d, frequency: omega/(2*pi),
  signals: [guide.displacement], settle: %d, measure: 4, both: true, method: rk4, step: 0.4 ms}
"""


@pytest.mark.slow
def test_a_killed_sweep_goes_on(tmp_path):
    """kill -9 twice; in the end the digits of a sweep in one go, and those of the formula for a forced oscillator."""
    (tmp_path / "long.yaml").write_text(SHAKEN % (13, 40))
    part, size = tmp_path / "out.part", 0
    for arguments in ((), ("--resume",)):
        with start(tmp_path, *arguments) as process:
            size = wait_for_more(part, size, process)
            process.kill()
        assert not (tmp_path / "out.nc").exists()
    with start(tmp_path, "--resume") as process:
        _, errors = process.ended()
    assert process.returncode == 0, errors
    assert not part.exists()
    found = xarray.open_dataset(tmp_path / "out.nc")
    whole = ww.loads(SHAKEN % (13, 40)).run(progress=False).dataset
    assert set(whole.data_vars) <= set(found.data_vars)
    for name in whole.data_vars:
        np.testing.assert_array_equal(found[name], whole[name])
    w = found["omega"].to_numpy()
    amplitude = 10 / np.hypot(900 - w**2, 3 * w)
    np.testing.assert_allclose(found["peak"].to_numpy().reshape(-1, len(w)).max(axis=0), amplitude, rtol=0.02)


@pytest.mark.slow
def test_a_sweep_takes_the_values_that_are_done_from_its_part(monkeypatch, tmp_path):
    m, path = ww.loads(SHAKEN % (9, 10)), tmp_path / "x.part"
    whole = m.run(progress=False).dataset
    measured: list[float] = []
    measure = sweeps.measure_point

    def counted(at, plan, value, watch):
        measured.append(value)
        if len(measured) == 6:
            watch.presses = 1  # as by Ctrl-C
        return measure(at, plan, value, watch)

    monkeypatch.setattr(sweeps, "measure_point", counted)
    monkeypatch.setattr(parts, "FIRST", 0.0)
    monkeypatch.setattr(parts, "EVERY", 0.0)
    monkeypatch.setattr(Watch, "_last_press", -1e9)  # a press soon after another would mean the program
    m.run(progress=False, part=path)
    begun = list(measured)
    resumed = m.run(progress=False, part=path, resume=True)
    assert resumed.report == "complete"
    assert measured[6] == begun[-1]  # the value that was being measured, and on from there
    for name in whole.data_vars:
        np.testing.assert_array_equal(resumed.dataset[name], whole[name])
    with pytest.raises(ModelError, match="the analysis has other settings"):
        m.run(progress=False, part=path, resume=True, settle=11)
    with pytest.raises(ModelError, match="needs `part`"):
        m.run(progress=False, resume=True)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("slider-crank", "kinematics"), ("n-four-bar", "inverse")])
def test_a_driven_motion_goes_on_with_the_same_digits(monkeypatch, tmp_path, name, kind):
    """Also one with redundant joints; chunks that are done are not followed again."""
    m, path = ww.load(examples.path(name)), tmp_path / "x.part"
    if not m.drivers:
        joint = next(iter(m.joints))
        m.add("drive", ww.JointDriver(joint=joint, value="-sin(t)"))
    monkeypatch.setattr(driven, "CHUNK", 20)
    analysis = getattr(m, kind)
    options = {"end": 1.0, "output": 100, "progress": False}
    whole = analysis(**options)
    calls: list[int] = []
    follow = Engine.follow
    monkeypatch.setattr(Engine, "follow", lambda *given: calls.append(1) or follow(*given))
    monkeypatch.setattr(parts, "FIRST", 0.0)
    monkeypatch.setattr(parts, "EVERY", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(Watch, "step", lambda self, t, steps: t > 0.5)
        first = analysis(part=path, **options)
    assert first.outcome.name == "INTERRUPTED"
    assert len(calls) == 3
    resumed = analysis(part=path, resume=True, **options)
    assert len(calls) == 6
    for array in ("t", "state", "acceleration", "multipliers"):
        np.testing.assert_array_equal(getattr(resumed.motion, array), getattr(whole.motion, array))
    assert resumed.report == whole.report
