"""The car with a trailer: steady circle, tractrix forwards and backwards in closed form."""

import numpy as np
import pytest

from .bundled import model, result

pytestmark = pytest.mark.slow

BASE, LENGTH, STEER = 2.5, 4.0, 0.2
RADIUS = BASE / np.tan(STEER)
"""m, of the circle of the rear axle."""


def test_the_circle_is_that_of_its_axles():
    """Both axles of the car point to its centre, and so does that of the trailer: it hangs back by asin(l/R)."""
    r = result("trailer")
    k = int(np.searchsorted(r.t, 11.9))
    assert r["car.w"].values[k] == pytest.approx(r["speed"].values[k] / RADIUS, rel=1e-6)
    assert -r["hitch.angle"].values[k] == pytest.approx(np.arcsin(LENGTH / RADIUS), rel=1e-4)


@pytest.mark.parametrize(("first", "last"), [(13.01, 14.5), (14.5, 16.0), (17.0, 22.0)])
def test_straight_on_the_trailer_follows_a_tractrix(first, last):
    """tan(angle/2) goes with exp(-way/l), whatever the speed: it dies away forwards and grows backwards."""
    r = result("trailer")
    chosen = (r.t >= first) & (r.t <= last)
    heading = r["car.angle"].values[chosen]
    assert np.ptp(heading) < 1e-9
    along = np.array([np.cos(heading[0]), np.sin(heading[0])])
    way = r["car.position"].values[chosen][:, :2] @ along
    half = np.tan(r["hitch.angle"].values[chosen] / 2)
    np.testing.assert_allclose(half, half[0] * np.exp(-(way - way[0]) / LENGTH), rtol=1e-5)
    assert (abs(half[-1]) < abs(half[0])) == (way[-1] > way[0])


def test_blades_do_no_work():
    """What the engine and the hands at the wheel give is in the motion, and no axle goes sideways."""
    r = result("trailer")
    balance = r.energy_balance()
    assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale
    for name in ("car", "trailer"):
        velocity, angle = r[f"{name}.velocity"].values[:, :2], r[f"{name}.angle"].values
        across = -np.sin(angle) * velocity[:, 0] + np.cos(angle) * velocity[:, 1]
        assert np.max(np.abs(across)) < 1e-8


def test_both_formulations_agree():
    one, other = (
        model("trailer").simulate(formulation=f, rtol=1e-9, output=50) for f in ("absolute", "reduced")
    )
    assert np.max(np.abs(one["hitch.angle"].values - other["hitch.angle"].values)) < 1e-6
