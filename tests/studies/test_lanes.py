"""Lanes give the results of single runs: to round-off with a fixed step, to the tolerance with an adaptive one."""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import wheelwork as ww
from tests.analyses.cam_models import cam_and_follower, circle_points, flat
from wheelwork import examples
from wheelwork.engine import lane_code
from wheelwork.engine.devices import OnDevice
from wheelwork.engine.lanes import Lanes
from wheelwork.studies.study import StudyWarning

# example, what varies (inertia, start, forces), signals, end, step of rk4
CASES = [
    ("yaw-drive", {"backlash": [2e-4, 4e-4], "start": [0, 1]}, "mesh1.force.transverse", 0.02, 1e-5),
    ("tooth-contact", {"torque": [900, 1000], "mount": [1e9, 2e9]}, "guide.displacement", 0.003, 1e-6),
    ("planetary-contact", {"torque": [100, 120], "speed": [90, 100]}, "carrier.w", 0.001, 1e-6),
    ("drive-line", {"drag": [0.001, 0.002], "fan_inertia": [0.07, 0.08]}, "shaft.torque", 0.2, 1e-4),
    ("automatic-transmission", {"first": [0.1, 0.15], "road": [7, 8]}, "output.w", 0.3, 2e-4),
    ("robot", {"payload_mass": [10, 15], "drag1": [0.003, 0.004]}, "axis3.w", 0.2, 2e-3),
    ("differential", {"drag": [1.5, 1.75], "ice": [0.1, 0.3]}, "left.w", 0.3, 1e-3),
    ("double-pendulum", {"upper_length": [1, 1.1], "lower_mass": [0.5, 0.7]}, "elbow.angle", 0.5, 1e-3),
    ("pendulum", {"length": [0.4, 0.5], "mass": [1, 2]}, "ball.position.x", 0.5, 1e-3),
    ("spinning-top", {"spin": [140, 150], "kick": [0.5, 1]}, "top.w.z", 0.1, 1e-4),
    ("geared-satellite", {"torque": [0.02, 0.03], "burn": [0.2, 0.4]}, "motor-bearing.w", 0.5, 1e-2),
    ("falling-cross", {"stiffness": [1e4, 2e4], "friction": [0.2, 0.3]}, "`ground-east.gap`", 0.5, 1e-4),
    # loops, and drivers: rows that are met by multipliers, and closed after every step
    ("four-bar", {"crank_length": [0.2, 0.21]}, "crank-pin.w", 0.3, 1e-3),
    ("slider-crank", {"crank_length": [0.08, 0.082]}, "slide.displacement", 0.3, 1e-3),
    ("squeezer", {"xa": [-0.06934, -0.0693]}, "K2.w", 0.005, 1e-5),
    ("steering", {"turns": [1.0, 1.1]}, "slide.displacement", 0.2, 1e-3),
    ("backlash-pair", {"speed": [600, 610]}, "pinion.w", 0.02, 1e-5),
    ("idle-gear-rattle", {"drag": [0.4, 0.5]}, "idler.w", 0.02, 1e-5),
    ("mesh-phasing", {"speed": [100, 110]}, "wheel2.w", 0.05, 1e-4),
    ("robot-pick-and-place", {"payload_mass": [10, 12]}, "drive2.torque", 0.2, 1e-3),
    # cams: curve parameters that are brought to their contacts at every evaluation
    ("cam-follower", {"lift": [8e-3, 9e-3], "stiffness": [2e4, 3e4]}, "contact.force.normal", 0.03, 1e-4),
    (
        "cam-follower",
        {"lift": [8e-3, 9e-3], "base": [18e-3, 19e-3]},
        "contact.contact.position.x",
        0.03,
        1e-4,
    ),
    ("geneva", {"crank_length": [0.05, 0.052]}, "slot.parameter", 0.1, 1e-3),
]


def both(name: str, vary: dict, signal: str, end: float, **options: object) -> list[dict[str, np.ndarray]]:
    signal = signal if "`" in signal or "-" not in signal else f"`{signal}`"
    study = ww.Study(
        ww.load(examples.path(name)),
        vary,
        measures={
            kind: f"{kind}({signal})" for kind in ("least", "greatest", "mean", "rms", "deviation", "last")
        },
        end=end,
        run_in=0.25 * end,
        samples=40,
        formulation="reduced",
        **options,
    )
    found = []
    for engine in ("lanes", "threads"):
        table = study.run(engine=engine)
        assert np.all(table.outcome == "reached end")
        assert table.attrs["engine"] == engine
        found.append({name: table[name].values for name in study.measures.names})
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "vary", "signal", "end", "step"), CASES, ids=[case[0] for case in CASES])
def test_a_fixed_step_gives_the_result_of_single_runs_to_round_off(name, vary, signal, end, step):
    lanes, single = both(name, vary, signal, end, method="rk4", step=step)
    size = max(abs(single["least"]).max(), abs(single["greatest"]).max())
    for measure, values in single.items():
        assert np.max(np.abs(lanes[measure] - values)) < 1e-9 * size, measure
    assert np.ptp(single["rms"]) > 1e-6 * size  # the variants differ: every parameter reached its lane


@pytest.mark.slow
@pytest.mark.parametrize("case", [CASES[k] for k in (0, 1, 3, 5, 9)], ids=lambda case: case[0])
def test_an_adaptive_step_reaches_the_tolerance_of_single_runs(case):
    name, vary, signal, end, _ = case
    errors = []
    truth = both(name, vary, signal, end, rtol=1e-11, atol=1e-13)[1]
    size = max(abs(truth["least"]).max(), abs(truth["greatest"]).max())
    for rtol in (1e-5, 1e-8):
        found = both(name, vary, signal, end, rtol=rtol, atol=1e-2 * rtol)
        errors.append([max(np.max(np.abs(one[m] - truth[m])) for m in truth) / size for one in found])
    for (lanes, single), rtol in zip(errors, (1e-5, 1e-8), strict=True):
        assert lanes < max(10 * single, 100 * rtol), errors


def spinning_cam(points: int) -> ww.Mechanism:
    """An eccentric disc by points, with a level follower, that is pushed."""
    m = cam_and_follower(flat(circle_points(points)), angular_velocity=4.0)
    m.parameters |= {"push": 1.0}
    m.add("drive", ww.Actuator(joint="bearing", value="push"))
    return m


@pytest.mark.slow
def test_a_spline_in_lanes_is_that_of_single_runs():
    """Through all pieces and around several times, with a fixed and an adaptive step; a long one goes by threads."""
    measures = {
        "angle": "last(cam.angle)",
        "s": "last(contact.parameter)",
        "force": "rms(contact.force.normal)",
    }
    given = {"measures": measures, "end": 3.0, "samples": 30, "formulation": "reduced"}
    for options, close in (({"method": "rk4", "step": 1e-3}, 1e-9), ({"rtol": 1e-8, "atol": 1e-10}, 1e-6)):
        study = ww.Study(spinning_cam(60), {"push": [0.0, 2.0, 5.0]}, **given, **options)
        lanes, single = (study.run(engine=engine) for engine in ("lanes", "threads"))
        for name in measures:
            assert lanes[name].values == pytest.approx(single[name].values, rel=close), name
        assert "run_again_by_themselves" not in lanes.attrs
        assert single.angle.values[-1] > 8 * np.pi
    long = ww.Study(spinning_cam(200), {"push": [0.0]}, **(given | {"end": 0.01, "samples": 2})).run()
    assert long.attrs["engine"] == "threads"
    assert "an outline has 200 points" in long.attrs["why_not_lanes"]


@pytest.mark.slow
def test_curve_parameters_do_not_drift_in_lanes():
    """With coarse tolerances the state of a lane ends at the contact, and not where the rates took it."""
    given = {
        "measures": {"s": "last(contact.parameter)"},
        "end": 3.0,
        "samples": 2,
        "rtol": 1e-3,
        "atol": 1e-3,
    }
    study = ww.Study(spinning_cam(60), {"push": [5.0]}, formulation="reduced", **given)
    groups, why = study._lanes()
    assert groups is not None, why
    found = groups[0].run(study.options, study.span, study.variants.values, np.arange(1), 1, None)
    assert found.state[-1] == pytest.approx(found.measured[0], rel=1e-12)


@pytest.mark.slow
def test_a_variant_comes_out_the_same_beside_any_others():
    """Lanes have their own times and steps and take variants as they come: in any order, with the same digits."""
    mechanism = ww.load(examples.path("yaw-drive"))
    options = {"measures": {"w": "last(gear.w)"}, "end": 0.02, "samples": 10}
    values = np.linspace(1e-4, 4e-4, 19)
    one, other = (
        ww.Study(mechanism, {"backlash": order}, **options).run(engine="lanes", threads=threads).w.values
        for order, threads in ((values, 1), (values[::-1], 2))
    )
    assert len(np.unique(one)) == 19
    assert np.array_equal(one, other[::-1])


@pytest.mark.slow
def test_a_step_over_a_kink_is_divided_there():
    """Order of convergence of rk4 with backlash: 4 with located kinks, as without any; stepping over them leaves 2."""
    errors = []
    options = {"measures": {"x": "last(pinion1.angle)"}, "end": 0.02, "samples": 2, "method": "rk4"}
    mechanism = ww.load(examples.path("yaw-drive"))
    values = [
        float(ww.Study(mechanism, {"torque": [2000]}, step=h, **options).run(engine="lanes").x[0])
        for h in (8e-5, 4e-5, 1e-5)
    ]
    errors = [abs(value - values[-1]) for value in values[:-1]]
    assert np.log2(errors[0] / errors[1]) > 3.5


@pytest.mark.slow
def test_short_steps_do_not_crawl_over_contacts():
    """A billionth of a step of 1e-8 s is below the round-off of gaps: up to 7 tries and 5 steps in place of one."""
    given = {"measures": {"w": "last(pinion.w)"}, "end": 2e-3, "samples": 2, "formulation": "reduced"}
    study = ww.Study(
        ww.load(examples.path("backlash-pair")),
        {"speed": [4240 / 7, 4400 / 7, 640.0]},
        method="rk4",
        step=1e-8,
        max_steps=400_000,
        **given,
    )
    groups, why = study._lanes()
    assert groups is not None, why
    found = groups[0].run(study.options, study.span, study.variants.values, np.arange(3), 1, None)
    assert np.all(found.steps + found.rejected < 1.01 * 200_000)
    lanes, single = (study.run(engine=engine) for engine in ("lanes", "threads"))
    assert lanes.w.values == pytest.approx(single.w.values, rel=1e-9)


@pytest.mark.slow
def test_what_lanes_do_not_get_through_is_run_by_itself(monkeypatch):
    """Rows of a loop that are chosen once are taken for dependent too early: single runs choose anew at every step."""
    given = {"measures": {"w": "last(`crank-pin.w`)"}, "end": 0.2, "samples": 10, "formulation": "reduced"}
    mechanism = ww.load(examples.path("four-bar"))

    def made(engine: str) -> xr.Dataset:
        return ww.Study(mechanism, {"crank_length": [0.2, 0.21, 0.22]}, **given).run(engine=engine)

    single = made("threads")
    assert "run_again_by_themselves" not in made("lanes").attrs
    monkeypatch.setattr(lane_code, "APART", 2.0)
    again = made("lanes")
    assert np.all(again.outcome == "reached end")
    assert np.array_equal(again.w, single.w)
    assert again.attrs["engine"] == "lanes"
    assert again.attrs["run_again_by_themselves"] == 3


@pytest.mark.slow
def test_a_variant_that_locks_says_in_lanes_what_a_single_run_says():
    """A crank that is too long to turn round: that is the machine's, with the words of a run of its own; the other
    variant keeps what lanes found."""
    text = Path(examples.path("four-bar")).read_text()
    driven = text + "drivers:\n  motor: {type: joint, joint: crank-bearing, value: 6*t}\n"
    given = {"measures": {"w": "last(`crank-pin.w`)"}, "end": 1.0, "samples": 10, "formulation": "reduced"}
    study = ww.Study(ww.loads(driven), {"crank_length": [0.2, 0.45]}, **given)
    tables = []
    for engine in ("lanes", "threads"):
        with pytest.warns(StudyWarning, match="1 of 2 variants"):
            tables.append(study.run(engine=engine))
    lanes, single = tables
    assert lanes.outcome.values.tolist() == single.outcome.values.tolist()
    assert single.outcome.values[0] == "reached end"
    assert lanes.reason.values.tolist() == single.reason.values.tolist()
    assert float(lanes.w[0]) == pytest.approx(float(single.w[0]), rel=1e-6)
    assert lanes.attrs["run_again_by_themselves"] == 1


@pytest.mark.slow
def test_states_of_a_control_are_in_lanes_and_samples_are_not():
    """A controller with a lag of its own on the drive line; the arm's controller is sampled, and runs in threads."""
    text = Path(examples.path("drive-line")).read_text()
    text = text.replace("parameters:\n", "parameters:\n  gain: 2\n  wanted: 110\n  lag: 20 ms\n", 1)
    states = "states:\n  boost: {rate: (gain*(wanted - motor.w) - boost)/lag, unit: N*m}\n"
    force = "forces:\n  helper: {type: actuator, joint: motor.bearing, value: boost}\n"
    mechanism = ww.loads(text.replace("forces:\n", states + force, 1))
    measures = {"w": "last(motor.w)", "boost_at_end": "last(boost)", "peak": "greatest(boost)"}
    given = {
        "measures": measures,
        "end": 0.3,
        "samples": 30,
        "formulation": "reduced",
        "method": "rk4",
        "step": 1e-4,
    }
    study = ww.Study(mechanism, {"gain": [0.5, 2.0], "lag": [0.01, 0.05]}, **given)
    lanes, single = (study.run(engine=engine) for engine in ("lanes", "threads"))
    for name in measures:
        assert np.max(np.abs(lanes[name] - single[name])) < 1e-9 * np.max(np.abs(single[name])), name
        assert np.ptp(single[name].values) > 0.1
    arm = ww.load(examples.path("controlled-arm"))
    sampled = ww.Study(arm, {"kp": [6.0]}, measures={"w": "last(motor.w)"}, end=0.002, samples=2).run()
    assert sampled.attrs["engine"] == "threads"
    assert "`controller` is sampled" in sampled.attrs["why_not_lanes"]


@pytest.mark.slow
def test_a_device_gets_what_lanes_get(monkeypatch):
    """All between a study and the call of a device's code, with one lane of this processor in place of the device."""

    class Device:
        def __init__(self, program, method):
            self.lanes = Lanes(program, method, 1)

        def run(self, numbers, starts, corners, out, settings):
            self.lanes._fill([numbers, starts, corners, out, settings], 1, None)

    monkeypatch.setattr(OnDevice, "_made", lambda self: Device(self.program, self.method))
    varied = {"torque": "50 N*m normal"}
    measures = {"peak": "greatest(mesh1.force.transverse)", "mean": "mean(mesh1.force.transverse)"}
    own = {"count": 24, "end": 0.01, "method": "rk4", "step": 1e-5, "samples": 20}
    made = ww.Study(ww.load(examples.path("yaw-drive")), varied, measures=measures, **own)
    one, other = (made.run(engine=engine, progress=False) for engine in ("gpu", "lanes"))
    assert (one.attrs["engine"], other.attrs["engine"]) == ("gpu", "lanes")
    for name in measures:
        np.testing.assert_array_equal(one[name], other[name])


def test_a_kink_costs_an_adaptive_step_little_more_than_a_single_run():
    """A step over a kink that is made again to before it meets the kink again: that took 1.8 times the tries."""
    mechanism = ww.load(examples.path("tooth-contact"))
    given = {"measures": {"x": "last(guide.displacement)"}, "samples": 2, "rtol": 1e-5, "atol": 1e-7}
    study = ww.Study(mechanism, {"torque": [1000.0]}, end=0.5, **given)
    groups, why = study._lanes()
    assert groups is not None, why
    found = groups[0].run(study.options, study.span, study.variants.values, np.arange(1), 1, None)
    single = mechanism.simulate(0.5, output=2, rtol=1e-5, atol=1e-7, formulation="reduced").statistics
    tries = int(found.steps[0] + found.rejected[0])
    assert tries < 1.2 * (single.steps + single.rejected)
