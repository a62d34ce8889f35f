"""The slider-crank in space against geometry, and its drive against Lagrange's equation."""

import casadi as ca
import numpy as np
import pytest

from .bundled import model, result
from .one_freedom import Moving, OneFreedom, about

G = 9.80665
CRANK, ROD, OFFSET_Y, OFFSET_Z = 0.08, 0.3, 0.1, 0.12


def pin(angle):
    return 0.0, OFFSET_Y - CRANK * np.sin(angle), OFFSET_Z + CRANK * np.cos(angle)


def bodies(angle):
    """The crank turns about x. The rod's arm of the cross is across the rod and across the slider's z axis."""
    y, z = OFFSET_Y - CRANK * ca.sin(angle), OFFSET_Z + CRANK * ca.cos(angle)
    x = ca.sqrt(ROD**2 - y**2 - z**2)
    along = ca.vertcat(x, -y, -z) / ROD
    across = ca.cross(along, ca.DM([0, 0, 1]))
    across = across / ca.norm_2(across)
    middle = (0, (OFFSET_Y + y) / 2, (OFFSET_Z + z) / 2)
    thin, side, radius = 0.12 * 0.015**2 / 6, 0.12 * (CRANK**2 + 0.015**2) / 12, 0.008
    rod = (0.5 * radius**2 / 2, *[0.5 * (3 * radius**2 + ROD**2) / 12] * 2)
    return [
        Moving(0.12, (side, side, thin), middle, about("x", angle)),
        Moving(0.5, rod, (x / 2, y / 2, z / 2), ca.horzcat(along, across, ca.cross(along, across))),
        Moving(2.0, (1, 1, 1), (x, 0, 0)),
    ]


def test_slider_is_where_the_rod_reaches():
    r = result("slider-crank")
    _, y, z = pin(2 * np.pi * r.t)
    exact = np.sqrt(ROD**2 - y**2 - z**2)
    # positions are solved to 1e-11
    assert r["slider.position.x"].to_numpy() == pytest.approx(exact, abs=1e-10)
    rate = 2 * np.pi * (z * CRANK * np.sin(2 * np.pi * r.t) + y * CRANK * np.cos(2 * np.pi * r.t)) / exact
    assert r["slide.speed"].to_numpy() == pytest.approx(rate, abs=1e-9)


def test_drive_torque():
    """At constant speed the drive gives what Lagrange's equation of the one degree of freedom asks for."""
    r = result("slider-crank")
    linkage = OneFreedom(bodies, (0, 0, -G))
    angle = 2 * np.pi * r.t
    exact = np.array([float(linkage.effort(q, 2 * np.pi, 0)) for q in angle])
    assert np.ptp(exact) > 0.3
    assert r["motor.torque"].to_numpy() == pytest.approx(exact, abs=1e-8)


def test_power_goes_into_motion():
    r = result("slider-crank")
    energy, power = r["energy.total"].to_numpy(), r["motor.power"].to_numpy()
    work = np.append(0, np.cumsum(np.diff(r.t) * (power[1:] + power[:-1]) / 2))
    # trapezoids of 5 ms: error span * step^2 / 12 * largest second derivative, which is below 1e3 W/s^2
    assert energy - energy[0] == pytest.approx(work, abs=2 * 0.005**2 / 12 * 1e3)


def test_nothing_is_redundant():
    found = model("slider-crank").check()
    assert (found.freedoms_by_count, found.freedoms_by_rank, found.redundant) == (0, 0, [])
