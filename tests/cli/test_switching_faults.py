"""What no drive train can do, asked for in files: the element, the time, the numbers; what was computed is kept."""

from pathlib import Path

import pytest

import wheelwork as ww

SHAFTS = """\
wheelwork: 1
name: shafts
bodies:
  one: {type: rotor, inertia: 2 kg*m^2, speed: 100 rad/s}
  two: {type: rotor, inertia: 3 kg*m^2}
"""
RUN = "analysis: {type: simulate, end: 1 s, output: 20}\n"
ENDS = {
    "dogs": (
        'forces:\n  dogs: {type: dog_clutch, bodies: [one, two], closed: "if(t < 0.52, 0, 1)"}\n',
        "t = 0.52 s: dog clutch `dogs` cannot close at a difference of speeds of -100 rad/s: its dogs engage up to "
        "1 rad/s",
        0.52,
    ),
    "one-way clutch": (
        "forces:\n  wheel: {type: one_way_clutch, bodies: [one, two]}\n",
        "t = 0 s: one-way clutch `wheel` cannot hold shafts whose speeds differ by -100 rad/s already",
        0.0,
    ),
    "controller": (
        "control:\n  u: {type: sampled, every: 0.1 s, memory: {torque: 0}, update: {torque: sqrt(0.35 - t)}, "
        "unit: N*m}\n"
        "forces:\n  motor: {type: actuator, joint: one.bearing, value: u}\n",
        "t = 0.4 s: a force, constraint or block returned a number that is not finite",
        0.4,
    ),
    "formula": (
        "forces:\n  motor: {type: actuator, joint: one.bearing, value: sqrt(0.52 - t)}\n",
        "It came from force `motor`",
        0.52,
    ),
}
REFUSED = {
    "a hard stop inside another": (
        "forces:\n  inner: {type: stop, joint: one.bearing, upper: 1 rad}\n"
        "  outer: {type: stop, joint: one.bearing, upper: 2 rad}\n",
        "8:3: forces.outer: the upper stop `outer` at 2 rad is never reached: `inner` stops `one.bearing` at 1 rad",
    ),
    "a loop of formulas": (
        'control:\n  p: {type: formula, value: q + one.w}\n  q: {type: formula, value: "2*p"}\n'
        "forces:\n  motor: {type: actuator, joint: one.bearing, value: p}\n",
        "10:3: forces.motor: the formulas depend on each other in a loop, without a state in it: p -> q -> p. Put one",
    ),
}


@pytest.mark.parametrize("fault", ENDS)
def test_a_run_that_ends_says_where_and_keeps_what_it_has(wheelwork, fault):
    text, words, end = ENDS[fault]
    Path("shafts.yaml").write_text(SHAFTS + text + RUN)
    done = wheelwork("run", "shafts.yaml", "-o", "out.nc")
    assert done.code == 1
    assert words in " ".join((done.out + done.err).split())
    r = ww.load_result("out.nc")
    assert r.t[-1] == pytest.approx(end, abs=1e-3)
    assert len(r.t) >= 1 + end / 0.05
    if fault == "controller":
        assert "block `u`" in r.report


@pytest.mark.parametrize("fault", REFUSED)
def test_a_model_that_is_refused_says_where(wheelwork, fault):
    text, words = REFUSED[fault]
    Path("shafts.yaml").write_text(SHAFTS + text + RUN)
    done = wheelwork("run", "shafts.yaml", "-o", "out.nc")
    assert done.code == 2
    assert words in " ".join((done.out + done.err).split())
    assert not Path("out.nc").exists()
