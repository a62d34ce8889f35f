"""Inputs of FMUs that change on the way: against a whole run of ours with the same course."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.engine.compiled_core import level
from wheelwork.exchange.fmu import binary

fmpy = pytest.importorskip("fmpy")
from fmpy.fmi2 import FMU2Slave  # noqa: E402
from fmpy.fmi3 import FMU3Slave  # noqa: E402

from .test_fmu import opened  # noqa: E402

STEPS, SIZE = 20, 0.05
KINDS = [pytest.param(2, FMU2Slave, id="fmi2"), pytest.param(3, FMU3Slave, id="fmi3")]


@pytest.fixture(autouse=True)
def core_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "LEVEL", level())


def machine(course: str = "u") -> ww.Mechanism:
    """A rotor on a spring, rubbing, with a stop: its torque `u` is set from outside, or follows a course of time."""
    m = ww.Mechanism("rotor")
    m.parameters["k"] = 1.0
    m.add("rotor", ww.Rotor(inertia=0.1))
    if course == "u":
        m.add("u", ww.State(unit="N m", initial=1.0))
    m.add("push", ww.Torque(body="rotor", value=(0, 0, f"{course} - k*rotor.angle")))
    m.add("rubbing", ww.Friction(joint="rotor.bearing", coulomb=0.2))
    m.analysis = ww.Simulate(end=STEPS * SIZE, output=STEPS)
    return m


def begun(file: Path, fmi: int, kind: type) -> tuple[Any, Any, Any]:
    """An instance at its start; to set a variable by name, and to read some."""
    fmu = opened(file, kind)
    if fmi == 2:
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    write, read = (fmu.setReal, fmu.getReal) if fmi == 2 else (fmu.setFloat64, fmu.getFloat64)
    return (
        fmu,
        lambda name, value: write([fmu.names[name]], [value]),
        lambda *names: read([fmu.names[name] for name in names]),
    )


@pytest.mark.parametrize(("fmi", "kind"), KINDS)
@pytest.mark.parametrize("looks", [False, True])
def test_the_first_change_of_an_input_counts(fmi: int, kind: type, looks: bool, tmp_path: Path) -> None:
    """J w' = u, u = 1 for half of the time and -1 behind it: w = 0 at the end; then two more changes at one place."""
    m = ww.Mechanism("rotor")
    m.add("rotor", ww.Rotor(inertia=0.1))
    m.add("u", ww.State(unit="N m", initial=1.0))
    m.add("push", ww.Torque(body="rotor", value=(0, 0, "u")))
    file = tmp_path / "rotor.fmu"
    ww.write_fmu(m, file, fmi=fmi, inputs=["u"], outputs=["rotor.w"], end=1.0, output=20)
    fmu, write, read = begun(file, fmi, kind)
    for k in range(STEPS):
        if k == STEPS // 2:
            write("u", -1.0)
            if looks:
                assert read("u") == [-1.0]
                assert read("rotor.w") == pytest.approx([5.0])
        fmu.doStep(k * SIZE, SIZE)
    assert read("rotor.w") == pytest.approx([0.0], abs=1e-9)
    write("u", 3.0)
    write("u", 2.0)
    fmu.doStep(1.0, 0.5)
    assert read("rotor.w") == pytest.approx([10.0])
    fmu.freeInstance()


COURSE = [1.0] * 7 + [-2.0] * 5 + [0.1] * 5 + [3.0] * 3


def piecewise(early: float = 0.0) -> str:
    text = f"{COURSE[-1]!r}"
    for k in range(STEPS - 1, 0, -1):
        if COURSE[k] != COURSE[k - 1]:
            text = f"if(t < {k * SIZE - early!r}, {COURSE[k - 1]!r}, {text})"
    return text


def whole() -> np.ndarray:
    return np.asarray(machine(f"({piecewise()})").simulate(progress=False)["rotor.angle"])


@pytest.mark.parametrize(("fmi", "kind"), KINDS)
def test_a_course_in_steps_is_one_run_also_from_a_saved_state(fmi: int, kind: type, tmp_path: Path) -> None:
    """Saved before a change was made, right behind it, and later; k is a parameter that changes to and fro too."""
    expected = whole()
    file = tmp_path / "rotor.fmu"
    ww.write_fmu(machine(), file, fmi=fmi, inputs=["u"], outputs=["rotor.angle"])
    fmu, write, read = begun(file, fmi, kind)
    save, restore = (fmu.getFMUstate, fmu.setFMUstate) if fmi == 2 else (fmu.getFMUState, fmu.setFMUState)

    def go_on(first: int, before: list[Any] | None = None) -> list[float]:
        found = []
        for k in range(first, STEPS):
            if before is not None:
                before.append(save())
            if k and COURSE[k] != COURSE[k - 1]:
                write("u", COURSE[k])
                if before is not None:
                    before.append(save())
            fmu.doStep(k * SIZE, SIZE)
            found += read("rotor.angle")
        return found

    saved: list[Any] = []
    once = go_on(0, saved)
    assert once == pytest.approx(expected[1:], abs=1e-7)
    places = [k for k in range(STEPS) for _ in range(1 + (k > 0 and COURSE[k] != COURSE[k - 1]))]
    for k, state in zip(places, saved, strict=True):
        restore(state)
        assert go_on(k) == pytest.approx(expected[k + 1 :], abs=1e-7)
    fmu.freeInstance()


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_an_input_of_fmpy_is_the_same_run(fmi: int, kind: str, tmp_path: Path) -> None:
    file = tmp_path / "rotor.fmu"
    ww.write_fmu(machine(), file, fmi=fmi, inputs=["u"], outputs=["rotor.angle"])
    rows = []
    for k, value in enumerate(COURSE):
        if k == 0 or value != COURSE[k - 1]:
            rows += [(k * SIZE, COURSE[k - 1])] * (k > 0) + [(k * SIZE, value)]
    given = np.array([*rows, (STEPS * SIZE, COURSE[-1])], dtype=[("time", float), ("u", float)])
    options = {"relative_tolerance": 1e-9} if kind == "ModelExchange" else {}
    found = fmpy.simulate_fmu(
        str(file), fmi_type=kind, stop_time=1.0, output_interval=SIZE, input=given, output=["rotor.angle"],
        **options,
    )  # fmt: skip
    at = np.searchsorted(found["time"], np.arange(STEPS + 1) * SIZE + 1e-9, side="right") - 1
    assert found["rotor.angle"][at] == pytest.approx(whole(), abs=1e-5 if kind == "ModelExchange" else 1e-7)


@pytest.mark.parametrize(("fmi", "kind"), KINDS)
def test_prescribed_motions_that_are_not_set_go_on(fmi: int, kind: type, tmp_path: Path) -> None:
    """One wheel is set anew at times with values that happen to be those of the time before, the other never but for
    its rate once, and a parameter of neither changes: positions are their laws, also after going back."""
    m = ww.Mechanism("pair")
    m.parameters["k"] = 1.0
    for name, law in (("one", "0"), ("two", "2*t")):
        m.add(name, ww.Rotor(inertia=0.1))
        m.add(f"turn_{name}", ww.JointDriver(joint=f"{name}.bearing", value=law))
    m.add("third", ww.Rotor(inertia=1.0))
    m.add("push", ww.Torque(body="third", value=(0, 0, "k")))
    file = tmp_path / "pair.fmu"
    inputs, outputs = ["turn_one", "turn_two"], ["one.angle", "two.angle", "two.w", "third.w"]
    ww.write_fmu(m, file, fmi=fmi, inputs=inputs, outputs=outputs, end=1.0, output=10)
    fmu, write, read = begun(file, fmi, kind)
    save, restore = (fmu.getFMUstate, fmu.setFMUstate) if fmi == 2 else (fmu.getFMUState, fmu.setFMUState)

    def go_on(first: int) -> None:
        """One turns a seesaw: from 0 with 1 rad/s at each step, as seen at its beginning. Two has 3 from 0.5 s."""
        for k in range(first, 10):
            write("turn_one", 0.0)
            write("turn_one.rate", 1.0)
            if k == 5:
                write("turn_two.rate", 3.0)
            if k == 7:
                write("k", 5.0)
            fmu.doStep(0.1 * k, 0.1)
            t = 0.1 * (k + 1)
            two, speed = (2 * t, 2) if k < 5 else (1 + 3 * (t - 0.5), 3)
            third = t if k < 7 else 0.7 + 5 * (t - 0.7)
            assert read(*outputs) == pytest.approx([0.1, two, speed, third], abs=1e-7)
            if k == 3:
                kept.append(save())

    kept: list[Any] = []
    go_on(0)
    restore(kept[0])
    go_on(4)
    fmu.freeInstance()


def test_pieces_controllers_units_and_episodes_follow_the_course_too(tmp_path: Path) -> None:
    expected = whole()
    m = machine()
    s = m.compile().start(end=1.0)
    pieces = [s.save()]
    for k, value in enumerate(COURSE):
        if k and value != COURSE[k - 1]:
            s.set("u", value)
        if k == 12:
            pieces.append(s.save())
        s.advance((k + 1) * SIZE)
        assert float(s["rotor.angle"]) == pytest.approx(expected[k + 1], abs=1e-7)
    s.restore(pieces[1])
    for k in range(12, STEPS):
        if COURSE[k] != COURSE[k - 1] and k > 12:
            s.set("u", COURSE[k])
        s.advance((k + 1) * SIZE)
    assert float(s["rotor.angle"]) == pytest.approx(expected[-1], abs=1e-7)

    def course(t: float) -> float:
        return COURSE[min(round(t / SIZE), STEPS - 1)]

    law = ww.SampledController(every=SIZE, call=course, outputs=["u"])
    r = m.simulate(controllers=[law], progress=False)
    assert np.asarray(r["rotor.angle"]) == pytest.approx(expected, abs=1e-7)

    file = tmp_path / "unit.fmu"  # the rotor as a unit, which another machine gives the course to
    ww.write_fmu(m, file, fmi=2, inputs=["u"], outputs=["rotor.angle"])
    outer = ww.Mechanism("outer")
    outer.add("other", ww.Rotor(inertia=1.0))
    inputs = {"u": piecewise(early=SIZE / 2)}
    outer.add("unit", ww.FmuBlock(file=str(file), every=SIZE, inputs=inputs, gives={"rotor.angle": 0}))
    r = outer.simulate(end=1.0, output=STEPS, trust=True, progress=False)
    found = np.asarray(r["unit.rotor.angle"])  # an output at a sample is of the moment before it
    assert found[1:] == pytest.approx(expected[:-1], abs=1e-7)


def test_an_episode_follows_the_course() -> None:
    pytest.importorskip("gymnasium")
    from wheelwork.gym import Environment

    expected = whole()
    e = Environment(
        machine(), actions={"u": (-5, 5)}, observations={"rotor.angle": (-10, 10)}, every=SIZE, end=1.0,
        reward=lambda found: 0.0,
    )  # fmt: skip
    for _ in range(2):
        e.reset()
        for k, value in enumerate(COURSE):
            found = e.step([value])[0]
            assert found[0] == pytest.approx(expected[k + 1], abs=1e-6)
