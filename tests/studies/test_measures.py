"""Measures and analyses of a study, each against a second route."""

import re
from pathlib import Path

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.description import Formula
from wheelwork.gears.stiffness import EnergyMethod, static_transmission_error
from wheelwork.layout import layout_of
from wheelwork.studies.rainflow import counted, equivalent_range, rainflow
from wheelwork.studies.units import unit_of

from .test_store import MODEL, made


def test_rainflow_is_that_of_the_standard():
    """ASTM E1049-85, figure 6: the history, and the counts beside it."""
    ranges, cycles = rainflow(np.array([-2, 1, -3, 5, -1, 3, -4, 4, -2]))
    found = {float(r): float(cycles[ranges == r].sum()) for r in np.unique(ranges)}
    assert found == {3.0: 0.5, 4.0: 1.5, 6.0: 0.5, 8.0: 1.0, 9.0: 0.5}
    wave = 2.0 * np.sin(np.linspace(0, 20 * np.pi, 2001))
    assert counted(wave, 5.0, 5).tolist() == pytest.approx([0, 0, 0.5 * 2, 0, 9.5], abs=0.51)
    assert rainflow(wave)[1].sum() == pytest.approx(10.5)  # ten cycles, and halves to and from zero
    # a cycle of a constant range r, n times: n^(1/m) r
    saw = np.array([0, 3] * 8 + [0.0])
    assert equivalent_range(saw, 4.0) == pytest.approx(3 * 8**0.25)
    assert rainflow(np.ones(5))[0].size == 0
    assert equivalent_range(np.ones(5), 3.0) == 0.0


def test_skipped_teeth_are_counted_by_the_angles_of_the_wheels():
    """A pair pressed past each other: lanes, which do not locate the jumps, leave these variants to single runs."""
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0), parameters={"torque": 1.0})
    m.add("pinion", ww.Rotor(inertia=1e-3))
    m.add("wheel", ww.Rotor(inertia=1e-2, position=(0.06, 0)))
    m.add("drive", ww.Actuator(joint="pinion.bearing", value="torque"))
    m.add("load", ww.Actuator(joint="wheel.bearing", value="2*torque"))
    teeth = ww.CompliantTeeth(stiffness=1e6, backlash=0)
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "wheel"), teeth=(20, 40), module=2e-3, model=teeth))
    measures = {
        "skips": "skipped()",
        "passed": "20*last(pinion.angle)/(2*pi) + 40*last(wheel.angle)/(2*pi)",
    }
    study = ww.Study(m, vary={"torque": [1.0, 60.0]}, measures=measures, end=0.02, skipping="count")
    found = study.run(engine="lanes")
    assert found.attrs["run_again_by_themselves"] == 1
    assert found.skips.values.tolist() == [0, np.round(found.passed[1])]
    assert found.skips[1] > 20


@pytest.mark.slow
def test_spectra_in_lanes_are_those_of_samples_and_of_the_oscillator():
    """An undamped oscillator over whole periods has one line, and by the window half of it on either side."""
    vary = {"stiffness": [4 * np.pi**2, 16 * np.pi**2]}
    measures = {"lines": "spectrum(block.position.x, 5)", "x": "history(block.position.x)"}
    text = {"end": 3.0, "run_in": 1.0, "samples": 400, "vary": vary}
    lanes = made(**text, measures={"lines": measures["lines"]}).run(engine="lanes")
    threads = made(**text, measures=measures).run()
    assert threads.attrs["engine"] == "threads"
    assert "`history` needs all samples" in threads.attrs["why_not_lanes"]
    assert lanes["lines"].dims == ("stiffness", "lines_frequency")
    assert lanes["lines_frequency"].values.tolist() == pytest.approx([0.5 * k for k in range(1, 11)])
    assert np.allclose(lanes["lines"], threads["lines"], atol=1e-9)
    assert threads["x"].dims == ("stiffness", "t")
    x = threads["x"].values[:, :-1]
    hann = 1 - np.cos(2 * np.pi * np.arange(400) / 400)[:, None]
    weight = hann * np.exp(-2j * np.pi * np.outer(np.arange(400), np.arange(1, 11)) / 400)
    wanted = np.abs(2 / 400 * x @ weight)
    # the trapezoidal rule counts the ends half each; NumPy's sum the first alone
    assert np.allclose(threads["lines"], wanted, atol=2 / 400 * np.ptp(threads["x"].values))
    assert lanes["lines"].argmax("lines_frequency").values.tolist() == [1, 3]  # 1 Hz and 2 Hz


TURNING = """\
wheelwork: 1
name: rotor
parameters: {turns: 9.5, faster: 0, back: 1}
bodies: {rotor: {type: rotor, inertia: 1}}
drivers: {drive: {type: joint, joint: rotor.bearing, value: 2*pi*turns*(t + faster*t^2/2)*back}}
"""


def turning(measures, samples=1000, **vary):
    m = ww.loads(TURNING)
    return ww.Study(m, vary, measures=measures, end=1, samples=samples).run()


@pytest.mark.parametrize(("faster", "back"), [(0, 1), (0, -1), (4, 1)])
def test_orders_do_not_leak(faster, back):
    """`100 + sin(3 angle)` over 9.5 turns, and with the speed growing fivefold: order 3 is 1, all others are 0.

    Without whole turns order 1 was 6.70, and order 3 was 3.23.
    """
    text = "order(100 + sin(3*rotor.angle) + 0.2*cos(rotor.angle/2), {}, rotor.angle)"
    measures = {f"o{k}": text.format(k) for k in (1, 2, 3, 4, 0.5)}
    measures["o7"] = "order(sin(3*rotor.angle) + cos(sqrt(50)*rotor.angle), sqrt(50), rotor.angle)"
    measures |= {f"pure{k}": f"order(100 + sin(3*rotor.angle), {k}, rotor.angle)" for k in (1, 3)}
    table = turning(measures, turns=[9.5], faster=[faster], back=[back], samples=4000)
    wanted = {"o1": 0, "o2": 0, "o3": 1, "o4": 0, "o0.5": 0.2, "o7": 1, "pure1": 0, "pure3": 1}
    for name, value in wanted.items():
        # splines of 20 samples or more in a cycle are good to 1e-6; the window leaves 1e-3 of what fits no whole turns
        assert float(table[name].squeeze()) == pytest.approx(value, abs=1e-5 if "pure" in name else 1e-3), (
            name
        )


def test_what_is_left_of_a_decay_in_a_window():
    """The mean of 0.3 exp(-t/0.4), as a part of an oscillation of 1, over a second; with the first one as `run_in`."""
    x = "cos(40*pi*t) + 0.3*exp(-t/0.4)"
    found = [
        made(measures={"u": f"unsettled({x})"}, end=end, run_in=end - 1, samples=500, vary={"drag": [0.1]})
        .run()
        .u
        for end in (1.0, 2.0, 4.0)
    ]
    true = 0.3 * 0.4 * (1 - np.exp(-2.5)) * np.exp(-2.5 * np.array([0, 1, 3]))
    assert np.all(np.ravel(found) > true / 1.5)
    assert np.ravel(found)[2] < 0.02


def test_orders_that_cannot_be_told_are_said():
    """Less than a cycle, too few samples in one, an angle that turns back: nan, and a warning."""
    text = "order(100 + sin(3*rotor.angle), 3, rotor.angle)"
    for given in ({"turns": [0.2]}, {"turns": [9.5], "samples": 60}, {"turns": [9.5], "faster": [-2.5]}):
        with pytest.warns(ww.studies.StudyWarning, match=r"is nan in 1 of 1 variants: the angle turns back"):
            assert np.isnan(turning({"o": text}, **given).o).all()
    # of less than a turn, whole cycles of the order; a lower order is then not known
    assert float(turning({"o": text}, turns=[0.9]).o.squeeze()) == pytest.approx(1, abs=1e-6)


@pytest.mark.slow
def test_a_store_keeps_what_is_more_than_a_number(tmp_path):
    pytest.importorskip("zarr")
    given = {
        "vary": {"drag": [0.1, 0.2]},
        "measures": {"x": "history(block.position.x)", "c": "rainflow(block.position.x, 4, 1)"},
    }
    plain, kept = made(**given).run(), made(**given).run(store=tmp_path / "s.zarr")
    assert kept.x.dims == ("drag", "t")
    assert np.array_equal(plain.x, kept.x)
    assert np.array_equal(kept.t, np.linspace(0, 1, 21))
    assert kept.c.dims == ("drag", "c_range")
    assert made(**given).run(store=tmp_path / "s.zarr").equals(kept)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("spectrum(block.position.x, 100)", "has 100 lines 1 Hz apart"),
        ("2*spectrum(block.position.x, 2)", "stands alone"),
        ("rainflow(block.position.x, 0, 1)", "whole number of at least 1"),
        ("rainflow(block.position.x, 5, 0)", "a greatest range above zero"),
        ("dynamic_factor(mesh1)", "no signal or parameter `mesh1.force.transverse`"),
        ("load_sharing(mesh1)", "two or more meshes"),
        ("equivalent_range(block.position.x, 0)", "above zero"),
    ],
)
def test_bad_measures_are_refused(text, message):
    with pytest.raises(ww.ModelError, match=message):
        made(measures={"x": text})


@pytest.mark.slow
def test_measures_of_meshes_stand_for_their_formulas():
    mechanism = ww.load(examples.path("yaw-drive"))
    force = "mesh1.force.transverse"
    measures = {
        "kv": "dynamic_factor(mesh1)",
        "same": f"greatest(abs({force}))/abs(mean({force}))",
        "share": "load_sharing(mesh1, mesh2)",
        "twice": "2*dynamic_factor(mesh1) - 1",
        "parts": "separations(mesh1)",
        "m1": f"mean(abs({force}))",
        "m2": "mean(abs(mesh2.force.transverse))",
    }
    table = ww.Study(mechanism, {"drag": [2000.0, 2500.0]}, measures=measures, end=0.05, samples=100).run()
    assert np.array_equal(table.kv, table.same)
    assert np.allclose(table.twice, 2 * table.kv - 1)
    larger = np.maximum(table.m1, table.m2)
    assert np.allclose(table.share, 2 * larger / (table.m1 + table.m2))
    assert np.all(table.parts >= 0)


def test_modes_of_every_variant():
    """Natural frequency of the oscillator, sqrt(k/m)/2 pi, and its damping d/(2 sqrt(k m))."""
    law = "{type: force, body: block, value: [-stiffness*block.position.x - drag*block.velocity.x, 0, 0]}"
    spring = "{type: spring, bodies: [ground, block], point_a: [-1, 0, 0], point_b: [0.1, 0, 0], free_length: 1.1, "
    assert law in MODEL
    text = MODEL.replace(law, spring + "stiffness: stiffness, damping: drag}")
    measures = {
        "f": "natural_frequency(1)",
        "d": "damping(1)",
        "all": "natural_frequencies(1)",
        "w": "2*pi*natural_frequency(1)",
    }
    vary = {"stiffness": ["4 N/m", "9 N/m"], "drag": [0.1, 0.3]}
    table = ww.Study(ww.loads(text), vary, measures=measures, analysis="modes").run()
    k, d = np.meshgrid([4.0, 9.0], [0.1, 0.3], indexing="ij")
    assert np.allclose(table.f, np.sqrt(k) / (2 * np.pi), rtol=1e-6)
    assert np.allclose(table.w, np.sqrt(k), rtol=1e-6)
    assert np.allclose(table.d, d / (2 * np.sqrt(k)), rtol=1e-5)
    assert table["all"].dims == ("stiffness", "drag", "mode")
    with pytest.raises(ww.ModelError, match="there are 1 modes, and `natural_frequency` asks for 3"):
        ww.Study(ww.loads(text), vary, measures={"f": "natural_frequency(3)"}, analysis="modes")
    with pytest.raises(ww.ModelError, match="has no meaning for the analysis `modes`"):
        ww.Study(ww.loads(text), vary, measures={"f": "natural_frequency(1)"}, analysis="modes", end=1.0)


@pytest.mark.slow
def test_ratios_of_every_variant():
    """Willis: with the ring held the carrier makes 1/(1 + z_r/z_s) turns for one of the sun."""
    study = ww.Study(
        ww.load(examples.path("planetary-stage")),
        {"sun_teeth": [33, 27], "planet_teeth": [21, 15]},
        measures={"i": "ratio(sun, carrier)", "back": "1/ratio(sun, carrier)"},
        analysis="ratios",
        hold=("ring",),
    )
    table = study.run()
    s, p = np.meshgrid([33, 27], [21, 15], indexing="ij")
    assert np.allclose(table.i, 1 / (1 + (s + 2 * p) / s), rtol=1e-14)
    assert np.allclose(table.back, 1 / table.i)


@pytest.mark.slow
def test_static_transmission_error_of_every_variant():
    text = Path(examples.path("backlash-pair")).read_text()
    wide = text.replace("    module: m\n", "    module: m\n    face_width: width\n")
    mechanism = ww.loads(wide.replace("parameters:", "parameters:\n  width: 20 mm"))
    given = {"mesh": "mesh", "force": "load/(z1*m/2*cos(alpha))", "points": 64}
    measures = {"range": "error_range()", "k": "mean_stiffness()", "e": "error()", "h": "error_order(1)"}
    study = ww.Study(
        mechanism, {"load": [50.0, 100.0]}, measures=measures, analysis="transmission_error", **given
    )
    table = study.run()
    pair = layout_of(mechanism).teeth.pair("mesh")
    force = 100 / (25 * 3e-3 / 2 * np.cos(np.radians(20)))
    own = static_transmission_error(EnergyMethod(pair), force, np.arange(64) / 64 * 2 * np.pi / 25)
    assert float(table.range[1]) == pytest.approx(own.peak_to_peak, rel=1e-12)
    assert np.allclose(table.e[1], own.error, rtol=1e-12)
    assert float(table.h[1]) == pytest.approx(2 / 64 * abs(np.fft.fft(own.error)[1]), rel=1e-12)
    # no equation of motion contains the face width, but this does: half the width, twice the error
    half = ww.Study(
        mechanism, {"width": ["10 mm", "20 mm"]}, measures=measures, analysis="transmission_error", **given
    )
    assert float(half.run().k[0]) == pytest.approx(float(table.k[1]) / 2, rel=0.05)
    with pytest.raises(ww.ModelError, match="there is no mesh `mush`"):
        ww.Study(
            mechanism,
            {"load": [50.0]},
            measures=measures,
            analysis="transmission_error",
            **given | {"mesh": "mush"},
        )


@pytest.mark.slow
def test_a_sweep_up_and_down_is_one_variant():
    """Of a linear oscillator: amplitude 0.1/|k - w^2 + i w d|, the same on both ways."""
    text = MODEL.replace("idle: 1", "speed: 1").replace(
        "drag*block.velocity.x,", "drag*block.velocity.x + 0.1*cos(speed*t),"
    )
    mechanism = ww.loads(text)
    options = {
        "parameter": "speed", "start": 1.0, "stop": 1.6, "points": 3, "both": True, "settle": 30, "measure": 2,
    }  # fmt: skip
    options |= {"frequency": "speed/(2*pi)", "samples": 32, "rtol": 1e-6, "analysis": "sweep"}
    x = "block.position.x"
    measures = {"rms": f"rms({x})", "o": f"order({x}, 1)", "s": f"section({x})", "j": f"jump_up({x})"}
    table = ww.Study(mechanism, {"drag": [0.5, 1.0]}, measures=measures, **options).run()
    assert table.rms.dims == ("drag", "direction", "speed")
    assert table.s.dims == ("drag", "direction", "speed", "period")
    assert table.direction.values.tolist() == ["up", "down"]
    w, d = np.array([1.0, 1.3, 1.6]), np.array([0.5, 1.0])[:, None]
    wanted = 0.1 / np.abs(4 - w**2 + 1j * w * d)
    for way in ("up", "down"):
        assert np.allclose(table.o.sel(direction=way), wanted, rtol=1e-3)
    assert np.all(np.isnan(table.j)), "nothing jumps in a linear oscillator"
    for vary, given, said in (
        ({"speed": [1.0, 2.0]}, measures, "is what the sweep varies"),
        ({"drag": [0.1]}, {"x": "rms(block.positon.x)"}, "no signal `block.positon.x`"),
        ({"drag": [0.1]}, {"x": "2*rms(block.position.x)"}, "stands alone"),
    ):
        with pytest.raises(ww.ModelError, match=re.escape(said)):
            ww.Study(mechanism, vary, measures=given, **options)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("abs(x)", "N"),
        ("abs(x - y) + 2", "N"),
        ("-max(x, y, 0)/3", "N"),
        ("if(x > y, x, 0.5*y)", "N"),
        ("x/y", "1"),
        ("2*ratio*x", "N"),
        ("sqrt(x^2)", "N"),
        ("sqrt(x^2 + 4*y*y)/2", "N"),
        ("sqrt(x^2 + speed^2)", ""),
        ("sqrt(x^3)", ""),
        ("sqrt(x^2*y^2)", ""),
        ("x^2 + y^2", ""),
        ("x*y", ""),
        ("x + ratio", ""),
        ("x/speed", ""),
        ("sin(x/y)*y", "N"),
        ("atan2(x, y)", "rad"),
        ("3*pi*x", "N"),
    ],
)
def test_formulas_keep_the_unit_of_what_is_in_them(text, unit):
    known = {"x": "N", "y": "N", "ratio": "1", "speed": "m/s"}
    assert unit_of(Formula(text), known.get) == unit


def test_units_of_measures_of_formulas():
    """`abs()` in a measure, or around one, lost the unit."""
    m = ww.load(examples.path("drive-line"))
    measures = {
        "inside": "greatest(abs(motor.w))",
        "outside": "abs(mean(motor.w))",
        "apart": "greatest(motor.w) - least(fan.w)",
        "ratio": "mean(motor.w)/mean(abs(fan.w))",
        "square": "mean(motor.w^2)",
        "at": "time_above(abs(motor.w), 1)",
    }
    table = ww.Study(m, {"drag": [0.002]}, measures=measures, end=0.01).run(progress=False)
    units = {name: table[name].attrs.get("units", "") for name in measures}
    speed = "rad/s"
    assert units == {"inside": speed, "outside": speed, "apart": speed, "ratio": "1", "square": "", "at": "s"}
