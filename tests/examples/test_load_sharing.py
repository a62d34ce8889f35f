"""Planets with pins out of place: load shares against springs in parallel on a sun that is held, or floats."""

import numpy as np
import pytest

from .bundled import model, result

COS = np.cos(np.radians(20))
R_SUN = 24e-3 * COS
K_SUN, K_RING, LOAD = 2e8, 2.5e8, 300.0
PATH = 1 / (1 / K_SUN + 1 / K_RING)
"""Stiffness of a planet's path from sun to ring: equal forces at both meshes, as the planet turns freely."""
EVEN = LOAD / (3 * R_SUN)
STIFF, SOFT = 1e9, 1e4
NAMES = [f"sun{n}.force.transverse" for n in (1, 2, 3)]


def by_hand(errors, bearing):
    """Shares of the load, in thirds.

    A pin ahead by e opens its path by 2 e cos(alpha), half at each mesh. On a sun that turns but does not move,
    F_n = k_p (r theta - 2 e_n cos(alpha)): shares differ by -2 cos(alpha) k_p (e_n - mean). The part that the three
    forces leave over moves the sun, whose bearing is in series with the 3/2 k_p of three paths.
    """
    errors = np.asarray(errors)
    off = -2 * COS * PATH * (errors - errors.mean()) / EVEN
    return 1 + off * bearing / (bearing + 1.5 * PATH)


def shares(**parameters):
    at = model("load-sharing").with_parameters(error=0, **parameters).equilibrium()
    forces = np.array([float(at[name]) for name in NAMES])
    ring = np.array([float(at[f"ring{n}.force.transverse"]) for n in (1, 2, 3)])
    assert ring == pytest.approx(-forces, rel=1e-6)  # planets in balance
    assert forces.sum() * R_SUN == pytest.approx(LOAD, rel=2e-3)  # arms change by 30 um of 24 mm
    return forces / EVEN


def test_numbers_of_the_file():
    assert by_hand([-30e-6, 0, 0], STIFF)[0] == pytest.approx(1.81, abs=0.005)


@pytest.mark.parametrize("errors", [(-30e-6, 0, 0), (20e-6, -15e-6, 5e-6), (0, 0, 0)])
@pytest.mark.parametrize("bearing", [1e12, STIFF, 2e8])
def test_shares_on_a_sun_in_a_bearing(errors, bearing):
    found = shares(sun_bearing=bearing, **dict(zip(("e1", "e2", "e3"), errors, strict=True)))
    assert found == pytest.approx(by_hand(errors, bearing), abs=2e-3)  # second order: 30 um of 24 mm


@pytest.mark.parametrize("errors", [(-30e-6, 0, 0), (20e-6, -15e-6, 5e-6)])
def test_a_floating_sun_shares_evenly(errors):
    """Three forces on a body that nothing else holds balance only if they are equal (they meet at 120 degrees)."""
    found = shares(sun_bearing=SOFT, **dict(zip(("e1", "e2", "e3"), errors, strict=True)))
    assert found == pytest.approx(np.ones(3), abs=2e-3)


@pytest.mark.slow
def test_a_planet_may_lose_its_load():
    """A pin ahead by more than the load bends the teeth: its planet carries nothing, the others half each, as the sun
    cannot move."""
    found = shares(sun_bearing=1e12, e1=60e-6)
    assert by_hand([60e-6, 0, 0], 1e12)[0] < 0
    assert found == pytest.approx([0, 1.5, 1.5], abs=4e-3)


@pytest.mark.slow
@pytest.mark.parametrize("bearing", [STIFF, SOFT])
def test_shares_in_motion(bearing):
    """Errors of pins turn with the carrier, so that each planet keeps its static share in the mean; the meshes add
    ripple from their transmission errors."""
    r = (
        model("load-sharing").with_parameters(sun_bearing=bearing).run()
        if bearing != STIFF
        else result("load-sharing")
    )
    late = r.t > 0.1
    forces = np.array([r[name].to_numpy()[late] for name in NAMES]) / EVEN
    static = by_hand([-30e-6, 0, 0], bearing)
    assert forces.mean(axis=1) == pytest.approx(static, abs=3e-3)
    # 24 teeth and 84 are whole multiples of 3: all planets mesh in phase, so that all forces swing alike
    ripple = forces - forces.mean(axis=1)[:, None]
    assert np.ptp(ripple, axis=1).min() > 0.08
    assert ripple[1] == pytest.approx(ripple[0], abs=0.05 * np.ptp(ripple))
    # the dynamic factor of load sharing, the largest share at any moment, is that much above the static one
    assert forces.max() == pytest.approx(static.max() + ripple.max(), abs=0.01)
    # a sun in a stiff bearing stays where it is; a floating one follows the carrier on a circle
    path = r["sun.position"].to_numpy()[late]
    radius = np.linalg.norm(path, axis=1)
    assert np.ptp(radius) < 0.1 * radius.mean()
    pushed = 2 * COS * 30e-6 * PATH / (bearing + 1.5 * PATH)
    assert radius.mean() == pytest.approx(pushed, rel=0.02)
