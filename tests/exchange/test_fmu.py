"""Mechanisms as FMUs, run by FMPy: against our own runs, in both versions and both kinds."""

import ctypes
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wheelwork as ww
from tests.analyses.cam_models import circle_points, geared
from wheelwork import examples
from wheelwork.engine.compiled_core import level
from wheelwork.exchange.fmu import binary
from wheelwork.exchange.fmu.model import FmuModel
from wheelwork.system.signals import SignalCatalogue

fmpy = pytest.importorskip("fmpy")
from fmpy.fmi2 import FMU2Model, FMU2Slave  # noqa: E402
from fmpy.fmi3 import FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

POINTER = ctypes.POINTER(ctypes.c_double)
EQUAL = 1e-6
"""Of the largest value: the issue's own; the tolerances of the runs are 1e-8."""


@pytest.fixture(autouse=True)
def core_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clone has the core of its own processor: no other one is compiled for the tests."""
    monkeypatch.setattr(binary, "LEVEL", level())


def difference(model: FmuModel, file: Path, result: Any, kind: str, **options: Any) -> float:
    """Between an FMU and a result, over the largest value of each output."""
    s = model.settings
    names = [signal.name for signal in model.signals]
    found = fmpy.simulate_fmu(
        str(file),
        fmi_type=kind,
        start_time=float(s.start),
        stop_time=float(s.end),
        output_interval=(float(s.end) - float(s.start)) / s.output,
        output=names,
        **options,
    )
    t = found["time"]
    late = 1e-9 * max(1.0, abs(float(s.end)))
    places = np.searchsorted(t, result.t + late, side="right") - 1  # behind an event
    there = np.abs(t[places] - result.t) < late
    assert there.mean() > 0.99
    largest: dict[str, float] = {}
    for signal in model.signals:  # of its kind: what stays at zero has no size of its own
        size = float(np.max(np.abs(np.asarray(result[signal.name]))))
        largest[signal.unit] = max(largest.get(signal.unit, 1e-300), size)
    return max(
        float(np.max(np.abs(found[signal.name][places] - np.asarray(result[signal.name]))[there]))
        / largest[signal.unit]
        for signal in model.signals
    )


def exported(name: str, file: Path, **options: Any) -> tuple[FmuModel, Any]:
    mechanism = ww.load(examples.path(name))
    model = ww.write_fmu(mechanism, file, **options)
    assert validate_fmu(str(file)) == []
    run = {k: v for k, v in options.items() if k in ("end", "formulation", "output")}
    return model, mechanism.simulate(progress=False, **run)


QUICK = ("bouncing-ball", "pendulum", "stick-slip", "yaw-drive")
MORE = (
    "automatic-transmission", "bricard", "cardan-pump", "differential", "drive-line", "falling-cross", "four-bar",
    "gear-set", "geared-satellite", "helical-reducer", "n-four-bar", "planetary", "planetary-gearbox",
    "planetary-stage", "rack-and-pinion", "spinning-top", "squeezer", "tooth-contact", "weld",
)  # fmt: skip
"""Contacts make two of these sensitive: runs of ours with tolerances from 0.5 to 1.2 of the default differ by up to
1e-4 (`falling-cross`) and 5e-5 (`tooth-contact`); the FMU makes the very steps of the run. Those with play and rattling
teeth differ by more, as two of our own runs with other tolerances do. So does the double pendulum, whose runs of ours
in two kinds of coordinates are 5e-3 apart after 10 s."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in MORE)])
def test_an_example_as_an_fmu_moves_as_our_own_run(name: str, tmp_path: Path) -> None:
    fmi = 2 + (len(name) % 2)
    model, result = exported(name, tmp_path / "model.fmu", fmi=fmi)
    assert difference(model, tmp_path / "model.fmu", result, "CoSimulation") < EQUAL


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "formulation", "allowed"),
    [("yaw-drive", "reduced", 1e-6), ("pendulum", "absolute", 1e-6), ("stick-slip", None, 3e-6)],
)
def test_model_exchange_with_the_integrator_of_others(
    name: str, formulation: str | None, allowed: float, tmp_path: Path
) -> None:
    """FMPy's CVODE at 1e-11; its own errors are what is left, most where it restarts at events."""
    options = {} if formulation is None else {"formulation": formulation}
    for fmi in (2, 3):
        model, result = exported(name, tmp_path / "model.fmu", fmi=fmi, **options)
        found = difference(model, tmp_path / "model.fmu", result, "ModelExchange", relative_tolerance=1e-11)
        assert found < allowed


def rotor(torque: float = 0.0) -> ww.Mechanism:
    """A rotor on a torsional spring with a damper: J = 0.1, k = 40, d = 0.2, a torque that may be given."""
    m = ww.Mechanism("rotor")
    m.parameters |= {"torque": torque, "k": 40.0, "d": 0.2}
    m.add("rotor", ww.Rotor(inertia=0.1))
    m.add("spring", ww.Torque(body="rotor", value=(0, 0, "-k*rotor.angle - d*rotor.w + torque")))
    m.analysis = ww.Simulate(end=1.0, output=100)
    return m


def opened(file: Path, kind: type = FMU2Slave) -> Any:
    """An instance of an FMU, its variables by name; the caller frees it."""
    about = fmpy.read_model_description(str(file))
    folder = fmpy.extract(str(file))
    part = about.coSimulation if kind in (FMU2Slave, FMU3Slave) else about.modelExchange
    made: Any = kind(
        guid=about.guid, unzipDirectory=folder, modelIdentifier=part.modelIdentifier, instanceName="one"
    )
    made.names = {v.name: v.valueReference for v in about.modelVariables}
    made.instantiate()
    return made


def started(made: Any) -> Any:
    made.setupExperiment(startTime=0.0)
    made.enterInitializationMode()
    made.exitInitializationMode()
    return made


@pytest.mark.slow
def test_parameters_and_inputs_set_from_outside_give_what_our_run_with_them_gives(tmp_path: Path) -> None:
    file = tmp_path / "rotor.fmu"
    ranges = {"torque": (-5.0, 5.0)}
    model = ww.write_fmu(rotor(), file, fmi=2, inputs=["torque"], outputs=["rotor.angle"], ranges=ranges)
    assert validate_fmu(str(file)) == []
    about = {v.name: v for v in fmpy.read_model_description(str(file)).modelVariables}
    assert (about["torque"].causality, about["torque"].min, about["torque"].max) == ("input", "-5.0", "5.0")
    assert about["k"].causality == "parameter"
    assert about["rotor.angle"].unit == "rad"
    assert len(model.continuous) == 2
    changed = rotor(3.0)
    changed.parameters["k"] = 55.0
    own = changed.simulate(progress=False)
    found = fmpy.simulate_fmu(
        str(file), stop_time=1.0, output_interval=0.01, start_values={"k": 55.0, "torque": 3.0}
    )
    angle = np.asarray(own["rotor.angle"])
    assert np.max(np.abs(found["rotor.angle"] - angle)) < EQUAL * np.max(np.abs(angle))


@pytest.mark.slow
def test_derivatives_in_a_direction_are_those_of_the_closed_equations(tmp_path: Path) -> None:
    file = tmp_path / "rotor.fmu"
    ww.write_fmu(rotor(), file, fmi=2, inputs=["torque"], outputs=["rotor.acceleration"])
    fmu = started(opened(file, FMU2Model))
    states = [name for name in fmu.names if name.startswith("state.")]
    angle, rate = (fmu.names[name] for name in states)
    torque, out = fmu.names["torque"], fmu.names["rotor.acceleration"]
    turned = fmu.names[f"der({states[1]})"]
    # w' = (-k angle - d w + torque)/J: exact of states; of outputs by differences, round-off over a step of 1e-6
    for unknown, allowed in ((turned, 1e-14), (out, 1e-8)):
        found = [
            fmu.getDirectionalDerivative([unknown], [known], [1.0])[0] for known in (angle, rate, torque)
        ]
        assert np.allclose(found, [-400.0, -2.0, 10.0], rtol=allowed)
    both = fmu.getDirectionalDerivative([turned, out], [angle, torque], [0.5, 2.0])
    assert np.allclose(both, -400 * 0.5 + 10 * 2.0, rtol=1e-8)
    fmu.freeInstance()


@pytest.mark.parametrize("name", ["double-pendulum", "yaw-drive"])
def test_exact_derivatives_are_what_differences_come_to(name: str, tmp_path: Path) -> None:
    """Away from rest, along a direction of all states: differences of two steps, extrapolated, have the digits that
    round-off leaves them."""
    file = tmp_path / "model.fmu"
    model = ww.write_fmu(ww.load(examples.path(name)), file, fmi=2)
    fmu = started(opened(file, FMU2Model))
    n = len(model.continuous)
    states = [fmu.names[v.name] for v in model.variables if v.name.startswith("state.")]
    rates = [fmu.names[f"der({v.name})"] for v in model.variables if v.name.startswith("state.")]
    rng = np.random.default_rng(1)
    x, seed = 0.3 * rng.standard_normal(n), rng.standard_normal(n)

    def derivative(at: np.ndarray) -> np.ndarray:
        held, found = np.ascontiguousarray(at), np.zeros(n)
        fmu.setContinuousStates(held.ctypes.data_as(POINTER), n)
        fmu.getDerivatives(found.ctypes.data_as(POINTER), n)
        return found

    def difference(h: float) -> np.ndarray:
        return (derivative(x + h * seed) - derivative(x - h * seed)) / (2 * h)

    differences = (4 * difference(5e-5) - difference(1e-4)) / 3
    derivative(x)
    exact = np.array(fmu.getDirectionalDerivative(rates, states, list(seed)))
    assert np.max(np.abs(exact - differences)) < 1e-8 * np.max(np.abs(exact))
    assert np.array_equal(derivative(x), derivative(x.copy()))  # and the state is as it was
    fmu.freeInstance()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [FMU2Slave, FMU3Slave])
def test_a_saved_state_goes_on_to_the_same_digits(kind: type, tmp_path: Path) -> None:
    file = tmp_path / "model.fmu"
    mechanism = ww.load(examples.path("stick-slip"))
    ww.write_fmu(mechanism, file, fmi=2 if kind is FMU2Slave else 3)
    fmu = opened(file, kind)
    if kind is FMU2Slave:
        started(fmu)
        read, save, restore = fmu.getReal, fmu.getFMUstate, fmu.setFMUstate
        pack, unpack = fmu.serializeFMUstate, fmu.deSerializeFMUstate
    else:
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        read, save, restore = fmu.getFloat64, fmu.getFMUState, fmu.setFMUState
        pack, unpack = fmu.serializeFMUState, fmu.deserializeFMUState
    out = [k for name, k in fmu.names.items() if name.endswith((".speed", ".displacement"))]
    for k in range(20):
        fmu.doStep(0.01 * k, 0.01)
    kept = save()
    packed = pack(kept)

    def go_on() -> list[float]:
        for k in range(20, 60):
            fmu.doStep(0.01 * k, 0.01)
        return read(out)

    first = go_on()
    restore(kept)
    assert go_on() == first
    restore(unpack(packed))
    assert go_on() == first
    fmu.freeInstance()


def halves() -> tuple[ww.Mechanism, ww.Mechanism, ww.Mechanism]:
    """Two rotors with a shaft between them (k = 30, d = 0.5): as one machine, and each alone with the other's motion
    or torque given."""
    shaft = "30*(one.angle - two.angle) + 0.5*(one.w - two.w)"
    whole = ww.Mechanism("whole")
    whole.add("one", ww.Rotor(inertia=0.1))
    whole.add("two", ww.Rotor(inertia=0.3))
    whole.add("motor", ww.Torque(body="one", value=(0, 0, f"2*sin(3*t) - ({shaft})")))
    whole.add("shaft", ww.Torque(body="two", value=(0, 0, shaft)))
    first = ww.Mechanism("first")
    first.add("one", ww.Rotor(inertia=0.1))
    first.add("load", ww.State(unit="N m"))
    first.add("motor", ww.Torque(body="one", value=(0, 0, "2*sin(3*t) - load")))
    second = ww.Mechanism("second")
    second.add("two", ww.Rotor(inertia=0.3))
    second.add("angle", ww.State(unit="rad"))
    second.add("speed", ww.State(unit="rad/s"))
    shaft = "30*(angle - two.angle) + 0.5*(speed - two.w)"
    second.add("torque", ww.FormulaBlock(value=shaft, unit="N m"))
    second.add("shaft", ww.Torque(body="two", value=(0, 0, "torque")))
    for m in (whole, first, second):
        m.analysis = ww.Simulate(end=1.0, output=100)
    return whole, first, second


@pytest.mark.slow
def test_two_fmus_coupled_are_one_machine(tmp_path: Path) -> None:
    """Values exchanged after each step: the error is of the order of the step, and extrapolated to none it is gone."""
    whole, first, second = halves()
    ww.write_fmu(first, tmp_path / "first.fmu", fmi=2, inputs=["load"], outputs=["one.angle", "one.w"])
    ww.write_fmu(
        second, tmp_path / "second.fmu", fmi=2, inputs=["angle", "speed"], outputs=["two.angle", "two.w"]
    )
    own = whole.simulate(progress=False)
    scale = float(np.max(np.abs(own["two.angle"])))
    errors = []
    for step in (2e-3, 1e-3):
        a, b = (started(opened(tmp_path / f"{name}.fmu")) for name in ("first", "second"))
        for k in range(round(1.0 / step)):
            angle, speed = a.getReal([a.names["one.angle"], a.names["one.w"]])
            theirs, rate = b.getReal([b.names["two.angle"], b.names["two.w"]])
            torque = 30 * (angle - theirs) + 0.5 * (speed - rate)
            a.setReal([a.names["load"]], [torque])
            b.setReal([b.names["angle"], b.names["speed"]], [angle, speed])
            a.doStep(k * step, step)
            b.doStep(k * step, step)
        error = b.getReal([b.names["two.angle"]])[0] - float(own["two.angle"][-1])
        errors.append(error / scale)
        a.freeInstance()
        b.freeInstance()
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.1)
    assert abs(2 * errors[1] - errors[0]) < 5e-4


@pytest.mark.slow
def test_two_fmus_for_model_exchange_integrated_together_are_one_machine(tmp_path: Path) -> None:
    whole, first, second = halves()
    ww.write_fmu(first, tmp_path / "first.fmu", fmi=2, inputs=["load"], outputs=["one.angle", "one.w"])
    ww.write_fmu(second, tmp_path / "second.fmu", fmi=2, inputs=["angle", "speed"], outputs=["torque"])
    a, b = (started(opened(tmp_path / f"{name}.fmu", FMU2Model)) for name in ("first", "second"))
    out = [a.names["one.angle"], a.names["one.w"]]

    def rates(t: float, x: np.ndarray) -> np.ndarray:
        found = np.zeros(4)
        for fmu, part in ((a, slice(0, 2)), (b, slice(2, 4))):
            held = np.ascontiguousarray(x[part])
            fmu.setTime(t)
            fmu.setContinuousStates(held.ctypes.data_as(POINTER), 2)
        b.setReal([b.names["angle"], b.names["speed"]], a.getReal(out))
        a.setReal([a.names["load"]], b.getReal([b.names["torque"]]))
        for fmu, part in ((a, slice(0, 2)), (b, slice(2, 4))):
            rate = np.zeros(2)
            fmu.getDerivatives(rate.ctypes.data_as(POINTER), 2)
            found[part] = rate
        return found

    end = solve_ivp(rates, (0.0, 1.0), np.zeros(4), method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
    own = whole.simulate(progress=False)
    names = ("one.angle", "one.w", "two.angle", "two.w")
    assert np.allclose(end, [float(own[name][-1]) for name in names], rtol=1e-7)
    a.freeInstance()
    b.freeInstance()


@pytest.mark.slow
def test_a_prescribed_motion_is_an_input_with_its_rate_and_acceleration(tmp_path: Path) -> None:
    m = ww.Mechanism("pair")
    m.add("wheel", ww.Rotor(inertia=0.1))
    m.add("turn", ww.JointDriver(joint="wheel.bearing", value="t^2"))
    m.analysis = ww.Simulate(end=1.0, output=20)
    file = tmp_path / "pair.fmu"
    ww.write_fmu(m, file, fmi=2, inputs=["turn"], outputs=["wheel.angle", "wheel.w", "turn.torque"])
    assert validate_fmu(str(file)) == []
    fmu = started(opened(file))
    given = [fmu.names[name] for name in ("turn", "turn.rate", "turn.acceleration")]
    seen = [fmu.names[name] for name in ("wheel.angle", "wheel.w", "turn.torque")]
    for k in range(10):
        t = 0.1 * k
        fmu.setReal(given, [t**2, 2 * t, 2.0])
        fmu.doStep(t, 0.1)
    assert np.allclose(fmu.getReal(seen), [1.0, 2.0, 0.2], atol=1e-9)
    fmu.freeInstance()


@pytest.mark.slow
def test_time_events_are_told_and_seen_from_the_right_side(tmp_path: Path) -> None:
    m = ww.Mechanism("push")
    m.add("rotor", ww.Rotor(inertia=0.1))
    m.add("push", ww.Torque(body="rotor", value=(0, 0, "3*step(t - 0.35)")))
    m.analysis = ww.Simulate(end=1.0, output=10)
    file = tmp_path / "push.fmu"
    ww.write_fmu(m, file, fmi=2, outputs=["rotor.w"])
    for kind in ("CoSimulation", "ModelExchange"):
        found = fmpy.simulate_fmu(str(file), fmi_type=kind, stop_time=1.0, output_interval=0.1)
        assert found["rotor.w"][-1] == pytest.approx(30 * 0.65, rel=1e-6)


@pytest.mark.slow
def test_every_signal_that_follows_from_one_moment_is_an_output(tmp_path: Path) -> None:
    mechanism = ww.load(examples.path("stick-slip"))
    program = mechanism.compile().start().program
    signals = SignalCatalogue(program).signals.values()
    names = [s.name for s in signals if not s.components and " or " not in s.unit]  # residuals are round-off
    file = tmp_path / "all.fmu"
    with pytest.raises(
        ww.ModelError, match=r"`rubbing.slip_work` cannot be an output of an FMU: it is summed up"
    ):
        ww.write_fmu(mechanism, file, fmi=3, outputs=names, end=0.5, output=50)
    names.remove("rubbing.slip_work")
    model = ww.write_fmu(mechanism, file, fmi=3, outputs=names, end=0.5, output=50)
    own = mechanism.simulate(end=0.5, output=50, progress=False)
    assert len(model.signals) == len(names)
    assert difference(model, file, own, "CoSimulation") < EQUAL


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"inputs": ["tork"]}, "there is no `tork` that could be an input"),
        ({"outputs": ["rotor.v"]}, "there is no signal `rotor.v`"),
        ({"fmi": 1}, "must be 2 or 3"),
        ({"platforms": ["linux46"]}, "there is no platform `linux46`"),
        ({"ranges": {"x": (0.0, 1.0)}}, "there is no variable `x`"),
    ],
)
def test_what_cannot_be_is_said(options: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(ww.ModelError, match=words):
        ww.write_fmu(rotor(), tmp_path / "no.fmu", **options)
    assert not (tmp_path / "no.fmu").exists()


@pytest.mark.slow
def test_a_damaged_model_is_refused_by_the_binary(tmp_path: Path) -> None:
    file = tmp_path / "rotor.fmu"
    ww.write_fmu(rotor(), file, fmi=2)
    folder = Path(fmpy.extract(str(file)))
    model = folder / "resources" / "model-x86_64.bin"
    content = bytearray(model.read_bytes())
    content[len(content) // 2] ^= 1
    about = fmpy.read_model_description(str(file))
    said: list[str] = []
    for damaged in (bytes(content), bytes(content[:1000]), b""):
        model.write_bytes(damaged)
        slave = FMU2Slave(
            guid=about.guid,
            unzipDirectory=str(folder),
            modelIdentifier=about.coSimulation.modelIdentifier,
            instanceName="one",
        )
        with pytest.raises(Exception, match="Failed to instantiate"):
            slave.instantiate()
        said.append("refused")
    assert len(said) == 3


@pytest.mark.slow
def test_the_archive_holds_its_sources_and_one_binary_for_this_machine(tmp_path: Path) -> None:
    file = tmp_path / "rotor.fmu"
    ww.write_fmu(rotor(), file)
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
    assert "sources/fmi3.cpp" in names
    assert "sources/buildDescription.xml" in names
    assert sum(name.startswith("binaries/") for name in names) == 1


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "auto"])
@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_a_cam_behind_gears_moves_as_our_own_run(formulation: str, kind: str, tmp_path: Path) -> None:
    """A spline whose pieces the core looks up for straight-line code; in absolute coordinates as well."""
    mechanism = geared(2, circle_points(60))
    options = {"end": 2.0, "output": 100, "formulation": formulation}
    model = ww.write_fmu(mechanism, tmp_path / "model.fmu", **options)
    result = mechanism.simulate(progress=False, **options)
    assert ("straight-line code" in result.statistics.formulation) is (formulation == "auto")
    given = {"relative_tolerance": 1e-9} if kind == "ModelExchange" else {}
    assert difference(model, tmp_path / "model.fmu", result, kind, **given) < 10 * EQUAL


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_formulas_that_read_reactions_go_into_an_fmu(formulation: str, kind: str, tmp_path: Path) -> None:
    """In rates, at samples and in a condition; events of model exchange are located by FMPy, to 1e-5 of the outputs."""
    m = ww.Mechanism("pendulum", kind="planar")
    m.add("arm", ww.Body(mass=2, inertia=0.1, position=(0.5, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    m.add("lag", ww.TransferFunction(input="hinge.reaction.force.x", numerator=(1,), denominator=(0.05, 1)))
    m.add("law", ww.Sampled(every=0.05, memory={"u": 0}, update={"u": "0.05*hinge.reaction.force.y"}))
    shear = {"leave": "whole", "enter": "sheared", "when": "hinge.reaction.force.y > 50"}
    m.add("pin", ww.StateMachine(modes=("whole", "sheared"), transitions=(shear,)))
    m.add("motor", ww.Actuator(joint="hinge", value="0.05*lag - 0.1*law - 2*pin.sheared*hinge.w"))
    options = {"end": 1.0, "output": 77, "formulation": formulation}
    outputs = ["lag", "hinge.angle", "pin"]
    model = ww.write_fmu(m, tmp_path / "model.fmu", outputs=outputs, **options)
    result = m.simulate(progress=False, **options)
    assert np.ptp(np.asarray(result["pin"])) == 1
    given = {"relative_tolerance": 1e-9} if kind == "ModelExchange" else {}
    allowed = EQUAL if kind == "CoSimulation" else 1e-5
    assert difference(model, tmp_path / "model.fmu", result, kind, **given) < allowed


def bare(fmu: Any) -> tuple[Any, Any]:
    """The functions of an FMU's binary, and an instance, without FMPy in between."""
    return fmu.dll, ctypes.c_void_p(fmu.component)


OK, DISCARD, ERROR = 0, 2, 3


@pytest.mark.slow
def test_rates_read_after_outputs_are_those_of_the_moment(tmp_path: Path) -> None:
    """In co-simulation they were looked for where outputs were known and no rates: alpha = (T - k angle)/J."""
    ww.write_fmu(rotor(torque=3.0), tmp_path / "rotor.fmu", fmi=2, outputs=["rotor.angle"])
    fmu = started(opened(tmp_path / "rotor.fmu"))
    rates = [k for name, k in fmu.names.items() if name.startswith("der(")]
    for k in range(3):
        fmu.getReal([fmu.names["rotor.angle"]])
        after = fmu.getReal(rates)
        if k == 0:
            assert np.isclose(max(after, key=abs), 30.0, rtol=1e-9)
        library, instance = bare(fmu)
        values = (ctypes.c_double * len(rates))()
        vr = (ctypes.c_uint * len(rates))(*rates)
        fmu.doStep(0.01 * k, 0.01)
        assert library.fmi2GetReal(instance, vr, ctypes.c_size_t(len(rates)), values) == OK
        fmu.getReal([fmu.names["rotor.angle"]])
        assert fmu.getReal(rates) == list(values)
    fmu.freeInstance()


@pytest.mark.slow
def test_nothing_is_thrown_into_the_environment_and_wrong_calls_are_refused(tmp_path: Path) -> None:
    ww.write_fmu(rotor(), tmp_path / "rotor.fmu", fmi=2)
    fmu = started(opened(tmp_path / "rotor.fmu"))
    library, instance = bare(fmu)
    one, value = (ctypes.c_uint * 1)(0), (ctypes.c_double * 1)(0.0)
    endless = ctypes.c_size_t(2**61)  # more than any memory: a vector of it throws
    few = ctypes.c_size_t(1)
    call = library.fmi2GetDirectionalDerivative
    call.argtypes = None
    assert call(instance, one, few, one, endless, value, value) == ERROR
    states = (ctypes.c_double * 64)()
    count = ctypes.c_size_t(sum(name.startswith("der(") for name in fmu.names))
    assert library.fmi2SetContinuousStates(instance, states, count) == ERROR  # it is for co-simulation
    changed = (ctypes.c_int * 16)()
    assert library.fmi2NewDiscreteStates(instance, changed) == ERROR
    assert library.fmi2SetFMUstate(instance, None) == ERROR
    fmu.doStep(0.0, 0.1)  # and it goes on
    fmu.freeInstance()


@pytest.mark.slow
def test_a_saved_state_of_another_model_is_refused(tmp_path: Path) -> None:
    made = []
    for name, mechanism in (("one", rotor()), ("other", halves()[0])):
        ww.write_fmu(mechanism, tmp_path / f"{name}.fmu", fmi=2)
        made.append(started(opened(tmp_path / f"{name}.fmu")))
    one, other = made
    packed = one.serializeFMUstate(one.getFMUstate())
    library, instance = bare(other)
    assert library.fmi2SetFMUstate(instance, other.deSerializeFMUstate(packed)) == ERROR
    broken = bytearray(other.serializeFMUstate(other.getFMUstate()))
    broken[len(broken) // 2] ^= 1
    assert library.fmi2SetFMUstate(instance, other.deSerializeFMUstate(bytes(broken))) == ERROR
    other.doStep(0.0, 0.01)
    for fmu in made:
        fmu.freeInstance()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [FMU2Slave, FMU3Slave])
def test_a_run_that_ends_early_is_said_with_the_step_in_which_it_does(kind: type, tmp_path: Path) -> None:
    m = rotor()
    m.forces["spring"].value = (0, 0, "sqrt(0.5 - t)")  # no number beyond t = 0.5 s
    ww.write_fmu(m, tmp_path / "rotor.fmu", fmi=2 if kind is FMU2Slave else 3)
    fmu = opened(tmp_path / "rotor.fmu", kind)
    if kind is FMU2Slave:
        started(fmu)
    else:
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
    fmu.doStep(0.0, 0.4)
    with pytest.raises(fmpy.fmi1.FMICallException) as caught:
        fmu.doStep(0.4, 0.4)
    assert caught.value.status == DISCARD
    fmu.freeInstance()


@pytest.mark.slow
def test_two_instances_in_two_threads_do_what_one_does(tmp_path: Path) -> None:
    ww.write_fmu(ww.load(examples.path("stick-slip")), tmp_path / "model.fmu", fmi=2)
    made = [started(opened(tmp_path / "model.fmu")) for _ in range(3)]
    out = [k for name, k in made[0].names.items() if name.endswith((".speed", ".displacement"))]

    def run(fmu: Any) -> list[list[float]]:
        found = []
        for k in range(100):
            fmu.doStep(0.01 * k, 0.01)
            found.append(fmu.getReal(out))
        return found

    alone = run(made[0])
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, made[1:])) == [alone, alone]
    for fmu in made:
        fmu.freeInstance()


@pytest.mark.slow
def test_one_instance_in_two_threads_refuses_the_second(tmp_path: Path) -> None:
    """While it tells its environment why a call failed, another thread calls it."""
    ww.write_fmu(rotor(), tmp_path / "rotor.fmu", fmi=2)
    fmu = opened(tmp_path / "rotor.fmu")
    library, _ = bare(fmu)
    one, value, few = (ctypes.c_uint * 1)(0), (ctypes.c_double * 1)(), ctypes.c_size_t(1)
    beside: list[int] = []
    said: list[str] = []

    def log(_environment: Any, _name: bytes, _status: int, _category: bytes, message: bytes) -> None:
        said.append(message.decode())
        if len(said) == 1:
            with ThreadPoolExecutor(1) as pool:
                beside.append(pool.submit(library.fmi2GetReal, instance, one, few, value).result())

    # the words come as an argument of the format "%s"; nobody reads it here
    kind = ctypes.CFUNCTYPE(
        None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p
    )
    callbacks = (ctypes.c_void_p * 5)(ctypes.cast(logged := kind(log), ctypes.c_void_p).value)
    about = fmpy.read_model_description(str(tmp_path / "rotor.fmu"))
    location = Path(fmu.unzipDirectory, "resources").as_uri()
    make = library.fmi2Instantiate
    make.restype, make.argtypes = ctypes.c_void_p, None
    instance = ctypes.c_void_p(make(b"two", 1, about.guid.encode(), location.encode(), callbacks, 0, 0))
    assert library.fmi2GetReal(instance, (ctypes.c_uint * 1)(10**6), few, value) == ERROR
    assert beside == [ERROR]
    assert len(said) == 2
    assert library.fmi2GetReal(instance, one, few, value) == OK  # when the other is done
    library.fmi2FreeInstance(instance)
    fmu.freeInstance()
    assert logged


def test_compiling_for_the_first_fmu_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """A core that is not there yet: what is waited for, and how far it is."""
    source = tmp_path / "core.cpp"
    source.write_text("int one() { return 1; }\n")
    monkeypatch.setattr(binary.compiler, "BUILT", tmp_path)
    monkeypatch.setattr(binary.compiler, "sources", lambda: [source])
    monkeypatch.setenv("WHEELWORK_CACHE", str(tmp_path / "cache"))
    told: list[tuple[int, int, str]] = []
    for _ in range(2):
        binary.library_for(binary.here(), "spatial", lambda *words: told.append(words))
    assert [one[:2] for one in told] == [(0, 1), (1, 1)]  # the second time it is there
    assert told[0][2].startswith(f"compiling the core for {binary.here().folder}")
