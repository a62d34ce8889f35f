"""Static transmission error and load sharing."""

from math import pi

import numpy as np
import pytest
from scipy.optimize import brentq

from wheelwork.gears import Gear, GearPair, GeometryError, RackPair
from wheelwork.gears.stiffness import (
    BeamSlices,
    ConstantStiffness,
    EnergyMethod,
    FlankPosition,
    Harmonic,
    RunOut,
    TipReliefCurve,
    static_transmission_error,
)

PAIR = GearPair.of((24, 36), 2.5e-3, face_width=25e-3)
HELICAL = GearPair.of((24, 36), 2.5e-3, helix_angle=0.3, face_width=25e-3)
FORCE = 4000.0
PITCH = 2 * pi / 24


def angles(count=200, pitches=1.0):
    return (np.arange(count) + 0.5) / count * pitches * PITCH


@pytest.mark.parametrize("pair", [PAIR, HELICAL], ids=["spur", "helical"])
def test_perfect_teeth(pair):
    """Without deviations the error is F/k, and every pair carries its part of the stiffness."""
    model = EnergyMethod(pair)
    found = static_transmission_error(model, FORCE, angles())
    k = model.mesh_stiffness(found.angle / PITCH)
    assert found.error == pytest.approx(FORCE / k)
    assert found.stiffness == pytest.approx(k)
    assert found.forces.sum(axis=1) == pytest.approx(FORCE)
    assert found.shares.sum(axis=1) == pytest.approx(1)


def test_same_after_a_pitch():
    model = EnergyMethod(PAIR)
    first = static_transmission_error(model, FORCE, angles(50))
    later = static_transmission_error(model, FORCE, angles(50) + 7 * PITCH)
    assert later.error == pytest.approx(first.error)
    assert later.forces.max(axis=1) == pytest.approx(first.forces.max(axis=1))


def test_against_a_root_search():
    """The piecewise linear balance, solved again one angle at a time."""
    model = EnergyMethod(PAIR)
    deviations = [
        TipReliefCurve("a", 12e-6, 3e-3),
        FlankPosition("b", {1: 8e-6, 2: -5e-6}),
        Harmonic(3e-6, 5.0),
    ]
    at = angles(17, 4)
    found = static_transmission_error(model, FORCE, at, deviations)
    path = PAIR.path
    for angle, error in zip(at, found.error, strict=True):
        numbers = np.arange(-4, 8)
        position = path.start + angle * PAIR.a.base_diameter / 2 - numbers * path.base_pitch
        gap = sum(d.gap(PAIR, numbers, position, angle) for d in deviations)
        k = model.local_stiffness(position)
        again = brentq(
            lambda x, k=k, g=gap: np.sum(k * np.maximum(x - g, 0)) - FORCE, -1e-3, 1e-3, xtol=1e-16
        )
        assert error == pytest.approx(again + model.shared_compliance * FORCE, abs=1e-12)


@pytest.mark.slow
def test_tip_relief_levels_the_error():
    """Relief of about the bending of a single pair makes the error even at its own load, not at a tenth of it."""
    model = BeamSlices(PAIR)
    plain = static_transmission_error(model, FORCE, angles()).peak_to_peak
    best = plain
    for amount in np.linspace(2e-6, 20e-6, 10):
        relief = [TipReliefCurve(w, amount, PAIR.path.base_pitch * 0.45) for w in ("a", "b")]
        found = static_transmission_error(model, FORCE, angles(), relief)
        if found.peak_to_peak < best:
            best, chosen = found.peak_to_peak, relief
    assert best < 0.5 * plain
    light = static_transmission_error(model, FORCE / 10, angles(), chosen).peak_to_peak
    assert light > static_transmission_error(model, FORCE / 10, angles()).peak_to_peak


def test_relief_takes_load_from_the_ends():
    model = EnergyMethod(PAIR)
    at = np.array([0.02 * PITCH])
    plain = static_transmission_error(model, FORCE, at)
    eased = static_transmission_error(model, FORCE, at, [TipReliefCurve("b", 15e-6, 3e-3)])
    entering = list(plain.numbers).index(0)
    assert eased.shares[0, entering] < 0.3 * plain.shares[0, entering]
    assert eased.error[0] > plain.error[0]


def test_pitch_error_moves_load_to_the_neighbours():
    """A tooth that stands back carries less while it has company, and the error rises by as much where it is alone."""
    model = EnergyMethod(PAIR)
    back = 6e-6
    at = angles(400, 4)
    plain = static_transmission_error(model, FORCE, at)
    found = static_transmission_error(model, FORCE, at, [FlankPosition("a", {1: back})])
    alone = plain.shares[:, list(plain.numbers).index(1)] > 1 - 1e-9
    assert alone.any()
    assert (found.error - plain.error)[alone] == pytest.approx(back)
    together = (plain.shares[:, list(plain.numbers).index(1)] > 0.3) & ~alone
    assert np.all(
        found.shares[together, list(found.numbers).index(1)]
        < plain.shares[together, list(plain.numbers).index(1)]
    )
    # tooth 1 of wheel a comes again after a turn, with another tooth of b
    turned = static_transmission_error(model, FORCE, at + 2 * pi, [FlankPosition("a", {1: back})])
    assert turned.error == pytest.approx(found.error)


def test_pitch_deviations_close_round_the_wheel():
    deviation = FlankPosition.from_pitch("a", np.random.default_rng(0).normal(0, 5e-6, 24))
    steps = np.array([deviation.displacement[k] for k in range(24)])
    assert steps[-1] == pytest.approx(0, abs=1e-18)


@pytest.mark.parametrize("wheel", ["a", "b"])
def test_run_out_is_the_error_of_a_turn(wheel):
    """Eccentricity adds its sine to the error, once a turn of its wheel, whatever the load."""
    model = ConstantStiffness(PAIR, 5e8)
    at = np.linspace(0, 2 * pi * 1.5, 300, endpoint=False)
    e = 20e-6
    with_it = static_transmission_error(model, FORCE, at, [RunOut(wheel, e, 0.3)])
    without = static_transmission_error(model, FORCE, at)
    turn = at if wheel == "a" else at * 24 / 36
    assert with_it.error - without.error == pytest.approx(e * np.sin(turn + 0.3), abs=1e-12)
    assert with_it.shares == pytest.approx(without.shares)


def test_run_out_as_a_moved_base_circle():
    """A base circle that stands off the axis by e at the polar angle phi draws its line of action along by the part
    of e in its direction, which is a sine of phi."""
    e, alpha = 15e-6, PAIR.working_pressure_angle
    for angle in np.linspace(0, 2 * pi, 9):
        feet = PAIR.contact_point(np.array([0.0, 1.0]))
        along = e * np.array([np.cos(angle), np.sin(angle)]) @ (feet[1] - feet[0])
        assert RunOut("a", e, alpha).gap(PAIR, 0, 0.0, angle) == pytest.approx(along, abs=1e-18)


def test_harmonic_of_the_mesh():
    model = ConstantStiffness(PAIR, 5e8)
    at = angles(64)
    found = static_transmission_error(model, FORCE, at, [Harmonic(4e-6, 24.0)])
    plain = static_transmission_error(model, FORCE, at)
    assert found.error - plain.error == pytest.approx(4e-6 * np.sin(24 * at), abs=1e-12)


def test_light_load_leaves_gaps():
    """With a pitch error greater than the bending only one pair touches."""
    model = EnergyMethod(PAIR)
    found = static_transmission_error(model, 10.0, np.array([0.1 * PITCH]), [FlankPosition("a", {0: 30e-6})])
    assert np.count_nonzero(found.forces[0]) == 1


def test_nonlinear_contact_is_settled():
    """Forces and error satisfy the compliance of each pair at its own load."""
    model = BeamSlices(PAIR)
    found = static_transmission_error(
        model, FORCE, np.array([0.15 * PITCH]), [TipReliefCurve("a", 5e-6, 3e-3)]
    )
    path = PAIR.path
    carrying = np.flatnonzero(found.forces[0] > 0)
    assert len(carrying) == 2
    for column in carrying:
        number, force = found.numbers[column], found.forces[0, column]
        position = path.start + 0.15 * path.base_pitch - number * path.base_pitch
        bent = force / float(model.pair_stiffness(position, force))
        gap = TipReliefCurve("a", 5e-6, 3e-3).gap(PAIR, number, position, 0.0)
        assert bent + gap == pytest.approx(found.error[0], rel=1e-6)


def test_refusals():
    model = EnergyMethod(PAIR)
    with pytest.raises(GeometryError, match="greater than zero, but is 0"):
        static_transmission_error(model, 0.0, 0.0)
    apart = GearPair.of((24, 36), 2.5e-3, centre_distance=78.2e-3, face_width=25e-3)
    assert apart.transverse_contact_ratio < 1
    with pytest.raises(GeometryError, match="no teeth touch at"):
        static_transmission_error(EnergyMethod(apart), FORCE, angles(100))
    rack = RackPair(Gear(20, 1e-3, face_width=1e-2), rack_face_width=1e-2)
    with pytest.raises(GeometryError, match="a rack has no run-out"):
        static_transmission_error(EnergyMethod(rack), FORCE, 0.0, [RunOut("b", 1e-5)])
