"""The coupler curve of Hoeken's linkage against the intersection of circles."""

import casadi as ca
import numpy as np
import pytest

from .bundled import model, result
from .one_freedom import Moving, OneFreedom, about

UNIT, G = 0.04, 9.80665


def corners(angle):
    """Crank pin, knee and tracing point, in units; the knee is 2.5 from the pin and from (2, 0), above the two."""
    pin = np.array([np.cos(angle), np.sin(angle)])
    pivot = np.array([2.0 + 0 * angle, 0 * angle])
    between = pivot - pin
    square = between[0] ** 2 + between[1] ** 2
    height = np.sqrt(2.5**2 / square - 0.25)
    knee = (pin + pivot) / 2 + height * np.array([-between[1], between[0]])
    return pin, knee, 2 * knee - pin


def test_coupler_curve():
    r = result("planar-four-bar")
    _, knee, trace = corners(np.pi / 2 + 2 * np.pi * r.t)
    curve = r["coupler.position"].to_numpy()[:, :2]
    # positions are solved to 1e-11
    assert curve == pytest.approx(UNIT * trace.T, abs=1e-10)
    assert r["rocker-bearing.angle"].to_numpy() == pytest.approx(
        np.arctan2(knee[1], knee[0] - 2) - np.pi / 2, abs=1e-9
    )


def test_three_points_of_the_line():
    """Exactly 4 above the pivots where the crank is at 90, 180 and 270 degrees, and 4 apart."""
    r = result("planar-four-bar")
    found = r.at([0.0, 0.25, 0.5])["coupler.position"].to_numpy()[:, :2] / UNIT
    assert found == pytest.approx(np.array([[4, 4], [2, 4], [0, 4]]), abs=1e-8)


def test_how_straight_the_line_is():
    """For half a turn the height stays within 1 % of the crank's length, on the way back it rises by sqrt(24) - 4."""
    r = result("planar-four-bar")
    height = r["coupler.position.y"].to_numpy() / UNIT
    slow = r.t <= 0.5
    _, _, trace = corners(np.linspace(np.pi / 2, 3 * np.pi / 2, 100001))
    assert np.ptp(trace[1]) < 0.01
    # the highest point lies between outputs a degree apart
    assert np.ptp(height[slow]) == pytest.approx(np.ptp(trace[1]), abs=1e-5)
    assert height.max() == pytest.approx(np.sqrt(24), abs=1e-10)


def test_drive_torque():
    r = result("planar-four-bar")

    def bodies(angle):
        x, y = ca.cos(angle), ca.sin(angle)
        square = (2 - x) ** 2 + y**2
        height = ca.sqrt(2.5**2 / square - 0.25)
        knee = ((x + 2) / 2 + height * y, y / 2 + height * (2 - x))

        def bar(mass, length, place, turn):
            moment = mass * ((length * UNIT) ** 2 + 0.01**2) / 12
            return Moving(mass, (1, 1, moment), (UNIT * place[0], UNIT * place[1], 0), about("z", turn))

        return [
            bar(0.1, 1, (x / 2, y / 2), angle),
            bar(0.5, 5, knee, ca.atan2(knee[1] - y, knee[0] - x)),
            bar(0.25, 2.5, ((knee[0] + 2) / 2, knee[1] / 2), ca.atan2(knee[1], knee[0] - 2)),
        ]

    linkage = OneFreedom(bodies, (0, -G, 0))
    exact = np.array([float(linkage.effort(np.pi / 2 + 2 * np.pi * t, 2 * np.pi, 0)) for t in r.t])
    assert np.ptp(exact) > 0.1
    assert r["motor.torque"].to_numpy() == pytest.approx(exact, abs=1e-8)


def test_nothing_is_redundant():
    """In the plane four hinges are enough, unlike in space."""
    found = model("planar-four-bar").check()
    assert (found.freedoms_by_count, found.freedoms_by_rank, found.redundant) == (0, 0, [])
