"""Deviations of flanks in the mesh model `compliant`: run slowly, it shows their static transmission error."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.gears import GearPair, GeometryError
from wheelwork.gears.stiffness import (
    EnergyMethod,
    FlankPosition,
    Harmonic,
    RunOut,
    TipReliefCurve,
    equivalent_error,
    static_transmission_error,
)

TEETH, MODULE, WIDTH, FORCE = (30, 60), 3e-3, 30e-3, 5400.0
PAIR = GearPair.of(TEETH, MODULE, face_width=WIDTH)
METHOD = EnergyMethod(PAIR)
RELIEF = [TipReliefCurve(wheel, 12e-6, 6e-3) for wheel in ("a", "b")]
BASE = [z * MODULE / 2 * np.cos(np.radians(20)) for z in TEETH]


def slow_run(errors, end, speed=2.0, phase=0.0):
    """Wheel a turned slowly against a load; angle of a and transmission error."""
    m = ww.Mechanism("slow", kind="planar", gravity=(0, 0))
    m.add("a", ww.Rotor(inertia=1e-2, speed=speed))
    m.add(
        "b", ww.Rotor(inertia=1e-2, position=(sum(TEETH) * MODULE / 2, 0), speed=-speed * TEETH[0] / TEETH[1])
    )
    pressed = FORCE / METHOD.cycle(512).mean
    model = {"stiffness": "energy", "damping_ratio": 0.3, "errors": errors, "phase": phase, "offset": pressed}
    sizes = {"teeth": TEETH, "module": MODULE, "face_width": WIDTH}
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), model=ww.CompliantTeeth(**model), **sizes))
    m.add("drive", ww.JointDriver(joint="a.bearing", value=f"{speed}*t"))
    m.add("load", ww.Actuator(joint="b.bearing", value=FORCE * BASE[1]))
    r = m.simulate(end=end, output=400, rtol=1e-7, atol=1e-11)
    assert r.outcome.good, r.report
    late = r.t > 0.02
    return speed * r.t[late], r["mesh.transmission_error"].to_numpy()[late]


@pytest.mark.slow
def test_tip_relief_in_motion():
    """Over one pitch and more: the static transmission error of relieved teeth, of which 12 harmonics are kept."""
    found = equivalent_error(METHOD, FORCE, RELIEF)
    angle, error = slow_run(found.fields(), end=0.15)
    exact = static_transmission_error(METHOD, FORCE, angle, RELIEF).error - found.mean
    swing = np.ptp(exact)
    # what 5 harmonics of the stiffness and 12 of the error leave out of the steps at A, B, D, E
    assert np.sqrt(np.mean((error - exact) ** 2)) < 0.05 * np.ptp(
        static_transmission_error(METHOD, FORCE, angle).error
    )
    # and the relief does what it is for: less than half the error of perfect teeth
    _, perfect = slow_run([], end=0.15)
    assert swing < 0.5 * np.ptp(perfect)
    assert np.ptp(error) < 0.55 * np.ptp(perfect)


def test_perfect_teeth_need_none():
    """Nothing is left but what the harmonics of the stiffness are short of."""
    found = equivalent_error(METHOD, FORCE, [], harmonics=30)
    deflection = FORCE / METHOD.cycle(512).mean
    assert abs(found.mean) < 0.01 * deflection
    assert found.amplitudes.max() < 0.02 * deflection


def test_gaps_alike_of_all_pairs_are_the_error():
    """A gap e(phi) that all pairs have alike goes through unchanged, whatever the load: amplitude, order and phase."""
    given = Harmonic(4e-6, order=2 * TEETH[0], phase=0.7)  # twice a pitch
    for force in (1000.0, FORCE):
        with_it = equivalent_error(METHOD, force, [given], orders=4, harmonics=20)
        without = equivalent_error(METHOD, force, [], orders=4, harmonics=20)
        waves = [e.amplitudes * np.exp(1j * e.phases) for e in (with_it, without)]
        assert waves[0] - waves[1] == pytest.approx([0, 4e-6 * np.exp(0.7j), 0, 0], abs=1e-12)


def test_a_turn_of_wheel_a():
    """Run-out and one tooth out of place, once a turn; counted from where the mesh stands at the given position."""
    deviations = [RunOut("a", 6e-6, phase=0.4), FlankPosition("a", {4: 5e-6})]
    found = equivalent_error(METHOD, FORCE, deviations, per="a", orders=3)
    assert found.orders.tolist() == [1, 2, 3]
    first = found.amplitudes[0] * np.exp(1j * found.phases[0])
    assert abs(first - 6e-6 * np.exp(0.4j)) < 0.5e-6  # the tooth has little of one period a turn
    assert {field["per"] for field in found.fields()} == {"a"}
    # a later start is a turn of all phases
    later = equivalent_error(METHOD, FORCE, deviations, per="a", orders=3, phase=0.25)
    turned = (later.phases - found.phases - np.arange(1, 4) * 2 * np.pi * 0.25 / TEETH[0]) % (2 * np.pi)
    assert np.minimum(turned, 2 * np.pi - turned) == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_run_out_in_motion():
    deviations = [RunOut("a", 8e-6, phase=0.4)]
    found = equivalent_error(METHOD, FORCE, deviations, per="a", orders=2, phase=0.3)
    angle, error = slow_run(found.fields(least=1e-7), end=0.5, speed=4.0, phase=0.3)
    exact = 8e-6 * np.sin(angle + 2 * np.pi * 0.3 / TEETH[0] + 0.4)
    pitch = 2 * np.pi / TEETH[0]
    # a mean over a pitch leaves the slow part
    window = round(float(pitch / (angle[1] - angle[0])))
    smooth = np.convolve(error, np.ones(window) / window, "valid")
    middle = np.convolve(exact, np.ones(window) / window, "valid")
    assert smooth - smooth.mean() == pytest.approx(middle - middle.mean(), abs=0.4e-6)


def test_refusals():
    with pytest.raises(GeometryError, match="at least one harmonic"):
        equivalent_error(METHOD, FORCE, RELIEF, orders=0)
