"""Planetary sets: assembly tried with teeth, neighbours, phases."""

from math import cos, pi, sin

import numpy as np
import pytest

from wheelwork.gears import GearPair, GeometryError, PlanetarySet
from wheelwork.gears.planetary import assembles, hunting_period, nearest_angles

M = 1e-3


def stage(sun, planet, planets=3, ring=None, **data):
    return PlanetarySet(
        GearPair.of((sun, planet), M, **data),
        GearPair.of((planet, ring or sun + 2 * planet), M, internal=True),
        planets,
    )


def misfit(sun: int, planet: int, angle: float) -> float:
    """By how much of its pitch a planet at `angle` misses, when sun and ring are held where the first planet fits.

    The first planet, at angle 0, has a tooth in a space of the sun. Where the direction to the next planet cuts the
    pitches of sun and ring is counted in pitches; that planet is turned to fit the sun, and what is left at the ring
    is the misfit.
    """
    ring = sun + 2 * planet
    far = (
        0.0 if planet % 2 == 0 else 0.5
    )  # opposite to its tooth at the sun the planet has a tooth or a space
    at_sun = (0.5 - sun * angle / (2 * pi)) % 1
    planet_turn = -(at_sun - 0.5)  # it rolls the other way, as many teeth
    at_ring = (far + 0.5 - ring * angle / (2 * pi)) % 1
    here = far + planet_turn + 0.5
    return abs((at_ring - here + 0.5) % 1 - 0.5)


@pytest.mark.parametrize(("sun", "planet"), [(20, 25), (21, 24), (18, 18), (17, 22), (30, 31)])
def test_assembly_by_trying(sun, planet):
    ring = sun + 2 * planet
    for count in (2, 3, 4, 5, 6):
        fits = all(misfit(sun, planet, 2 * pi * k / count) < 1e-9 for k in range(count))
        assert assembles(sun, ring, count) == fits
        angles = nearest_angles(sun, ring, count)
        assert all(misfit(sun, planet, angle) < 1e-9 for angle in angles)
        assert (
            np.max(np.abs(np.array(angles) - 2 * pi * np.arange(count) / count)) <= pi / (sun + ring) + 1e-12
        )


def test_unequal_spacing_and_misfits():
    even = stage(20, 25, 4)  # 90 teeth, 4 planets: every 4 deg
    assert np.degrees(even.angles) == pytest.approx([0, 92, 180, 272])
    assert not even.equally_spaced
    assert even.findings() == []
    forced = stage(20, 25, tuple(2 * pi * k / 4 for k in range(4)))
    (found,) = forced.findings()
    assert found.kind == "assembly"
    assert "misses the nearest place by" in found.message
    assert "2.0000 deg; planets fit every 4.0000 deg" in found.message
    assert stage(20, 25, 3).equally_spaced


def test_neighbours():
    for count, level in ((3, None), (5, "error")):
        found = [f for f in stage(17, 40, count).findings() if f.kind == "neighbouring planets"]
        assert [f.level for f in found] == ([] if level is None else [level])
    three = stage(18, 18, 3)
    centres = 18e-3 * np.exp(1j * np.array(three.angles))
    between = min(abs(centres[i] - centres[j]) for i in range(3) for j in range(i))
    assert three.neighbour_clearance == pytest.approx(between - 20e-3)


def test_coaxial():
    (found,) = stage(20, 25, 3, ring=73).findings()[:1]
    assert found.kind == "centre distance"
    assert "22.5000 mm between axes, planet and ring 24.0000 mm" in found.message
    with pytest.raises(GeometryError, match="one wheel"):
        PlanetarySet(GearPair.of((20, 25), M), GearPair.of((24, 70), M, internal=True))


def test_phases():
    """Parker & Lin (2004): in phase where z_s/N is whole, sequentially phased where it is not; sun and ring alike."""
    in_phase, sequential = stage(18, 27, 3), stage(20, 25, 3)
    assert np.array(in_phase.phases) == pytest.approx(np.zeros((2, 3)))
    sun, ring = sequential.phases
    assert sun == pytest.approx(ring)
    assert sorted(sun) == pytest.approx([0, 1 / 3, 2 / 3])
    assert abs(np.exp(2j * pi * sun).sum()) < 1e-10
    counter = stage(21, 25, 4)  # 92/4 whole, 21/4 not: opposite planets half a mesh period apart
    assert counter.phases[0] == pytest.approx([0, 0.75, 0.5, 0.25])


@pytest.mark.parametrize(("planet", "phase"), [(24, 0.5), (25, 0.0)])
def test_ring_against_sun(planet, phase):
    """0 or 1/2 for plain teeth (Parker & Lin 2004), and from angles of teeth that touch at the pitch points."""
    one = stage(20, planet, 1)
    assert one.ring_sun_phase == pytest.approx(phase, abs=1e-9)
    shifted = PlanetarySet(
        GearPair.of((20, planet), M, profile_shift=(0.2, 0.3)),
        GearPair.of((planet, 20 + 2 * planet), M, internal=True, profile_shift=(0.3, -0.8)),
        1,
    )
    # the planet's tooth that touches the sun, seen from the planet (the sun lies at pi): pushed on its leading side
    touching = float(shifted.sun.contact_angles(shifted.sun.path.pitch_point)[1])
    # the planet drives the ring in the negative sense: mirror the picture in which it drives in the positive one
    leading = -float(shifted.ring.contact_angles(shifted.ring.path.pitch_point)[0])
    turn = (touching - leading) * planet / (2 * pi)  # the planet turns in the negative sense
    assert (turn - shifted.ring_sun_phase + 0.5) % 1 - 0.5 == pytest.approx(0, abs=1e-9)


def test_hunting():
    assert hunting_period(17, 31) == 31
    assert hunting_period(20, 30) == 3


def test_misfit_itself():
    """The trial of this file knows a planet that fits from one that does not."""
    assert misfit(20, 25, 0.0) < 1e-12
    assert misfit(20, 25, 2 * pi / 90) < 1e-12
    assert misfit(20, 25, pi / 90) == pytest.approx(0.5)
    assert cos(misfit(20, 25, 0.01)) > sin(0.0)
