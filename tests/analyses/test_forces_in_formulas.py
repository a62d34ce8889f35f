"""Forces in formulas: tooth forces, springs and reactions that a formula reads are those of results."""

import numpy as np
import pytest

import wheelwork as ww

PAIR = """
kind: planar
parameters: {{play: 20 um}}
bodies:
  one: {{type: rotor, inertia: 1e-3, position: [-0.05, 0], speed: 20}}
  two: {{type: rotor, inertia: 4e-3, position: [0.05, 0], speed: -20}}
meshes:
  gears: {{type: external, bodies: [one, two], teeth: [50, 50], module: 2 mm, model: {model}}}
forces:
  shaft: {{type: torsional_spring, joint: two.bearing, stiffness: 50, damping: 0.02}}
  brake: {{type: brake, joint: one.bearing, torque: 0.1}}
states:
  filtered: {{rate: "({signal} - filtered)/2e-3"}}
control:
  read: {{type: formula, value: "{signal}"}}
analysis: {{type: simulate, end: 0.05, output: 400, rtol: 1e-9, {more}}}
"""
COMPLIANT = "{type: compliant, stiffness: 2e7, damping_ratio: 0.05, backlash: play}"


def run(signal, model=COMPLIANT, **more):
    given = ", ".join(f"{k}: {v}" for k, v in more.items()) or "start: 0"
    return ww.loads(PAIR.format(signal=signal, model=model, more=given))


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize(
    "signal",
    [
        "gears.force.normal",
        "gears.deflection",
        "shaft.torque",
        "brake.slip",
        "brake.torque",
        "one.acceleration",
    ],
)
def test_what_a_formula_reads_is_what_the_result_says(signal, formulation):
    m = run(signal, formulation=formulation)
    r = m.run()
    wanted = r[signal].values
    assert np.ptp(wanted) > 0
    assert r["read"].values == pytest.approx(wanted, rel=1e-9, abs=1e-9 * np.max(np.abs(wanted)))


def test_a_filter_of_a_tooth_force_follows_it():
    """z' = (F - z)/T has the integral form z = exp(-t/T) int F exp(s/T)/T ds, here over the outputs."""
    r = run("gears.force.normal").run()
    force, t, T = r["gears.force.normal"].values, r.t, 2e-3
    wanted = np.zeros_like(force)
    for k in range(1, len(t)):
        h = t[k] - t[k - 1]
        wanted[k] = wanted[k - 1] * np.exp(-h / T) + (1 - np.exp(-h / T)) * (force[k] + force[k - 1]) / 2
    assert r["filtered"].values == pytest.approx(wanted, abs=0.05 * np.max(np.abs(wanted)))


@pytest.mark.slow
def test_other_parameters_reach_the_force_that_is_read():
    """Numbers of teeth that are computed (stiffness by a standard) are computed anew for the reader too."""
    model = "{type: compliant, stiffness: iso, damping_ratio: 0.05}"
    text = PAIR.format(signal="gears.force.normal", model=model, more="start: 0")
    m = ww.loads(text.replace("play: 20 um", "wide: 10 mm").replace("2 mm,", "2 mm, face_width: wide,"))
    stiffness = []
    for width in (10e-3, 30e-3):
        r = m.simulate(parameters={"wide": width})
        assert r["read"].values == pytest.approx(r["gears.force.normal"].values, rel=1e-9, abs=1e-9)
        stiffness.append(r["gears.stiffness"].values[0])
    assert stiffness[1] == pytest.approx(3 * stiffness[0], rel=1e-6)


@pytest.mark.parametrize(
    ("signal", "model", "said"),
    [
        ("gears.force", "{type: rigid}", "not a signal of `gears` .*; these are: .*`gears.force.tangential`"),
        ("one.force.x", COMPLIANT, "`one.force.x` cannot be used in a formula"),
        (
            "shaft.nonsense",
            COMPLIANT,
            "is not a signal of `shaft` that a formula may use; these are: .*shaft.torque",
        ),
    ],
)
def test_what_is_no_signal_is_refused_with_those_that_are(signal, model, said):
    with pytest.raises(ww.ModelError, match=said):
        run(signal, model).run()


def test_a_force_that_reads_itself_is_a_loop():
    text = PAIR.format(signal="one.w", model=COMPLIANT, more="start: 0")
    text = text.replace(
        "forces:\n", 'forces:\n  pull: {type: actuator, joint: one.bearing, value: "pull.torque + 1"}\n'
    )
    with pytest.raises(ww.ModelError, match="loop, without a state in it: pull -> pull"):
        ww.loads(text).run()
