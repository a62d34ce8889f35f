"""The top against the theory of the heavy symmetric top."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from .bundled import model, result

G, MASS, STEM, RADIUS, THICKNESS = 9.80665, 0.5, 0.08, 0.05, 0.01
C = MASS * RADIUS**2 / 2
A = MASS * (3 * RADIUS**2 + THICKNESS**2) / 12 + MASS * STEM**2
TILT, SPIN = np.radians(30), 150.0


def axis_of(r):
    return r["top.position"].to_numpy() / STEM


def walk(axis):
    """Angle of the axis about the vertical, counted on."""
    return np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))


def test_steady_precession():
    """A cos(theta) w^2 - C n w + m g l = 0: the axis walks at this rate and keeps its lean."""
    roots = np.roots([A * np.cos(TILT), -C * SPIN, MASS * G * STEM])
    r = result("spinning-top")
    axis = axis_of(r)
    assert walk(axis) == pytest.approx(min(roots) * r.t, abs=1e-6)  # 1e-8 per step over 5400 steps
    assert np.arccos(axis[:, 2]) == pytest.approx(TILT, abs=1e-7)
    # for a fast top it is nearly m g l / (C n); the next term of the series is a factor 1 + A m g l cos / (C n)^2
    ratio = A * MASS * G * STEM * np.cos(TILT) / (C * SPIN) ** 2
    assert min(roots) == pytest.approx(MASS * G * STEM / (C * SPIN), rel=2 * ratio)


def test_fast_steady_precession():
    """The quicker of the two rates is as steady, and hardly depends on the weight: nearly C n / (A cos(theta))."""
    rate = max(np.roots([A * np.cos(TILT), -C * SPIN, MASS * G * STEM]))
    m = model("spinning-top").with_parameters(precession=rate)
    r = m.simulate(end=1.0, output=1000)
    axis = axis_of(r)
    assert walk(axis) == pytest.approx(rate * r.t, abs=1e-5)
    assert np.arccos(axis[:, 2]) == pytest.approx(TILT, abs=1e-5)


def test_let_go_with_its_axis_at_rest():
    """Cusps: lean and walk against Lagrange's top, whose vertical and axial angular momenta are constant."""
    r = model("spinning-top").with_parameters(kick=0).simulate(end=2, output=2000)
    vertical = C * SPIN * np.cos(TILT)

    def rates(_, y):
        theta, dtheta, _ = y
        precession = (vertical - C * SPIN * np.cos(theta)) / (A * np.sin(theta) ** 2)
        torque = MASS * G * STEM - C * SPIN * precession + A * precession**2 * np.cos(theta)
        return [dtheta, torque * np.sin(theta) / A, precession]

    exact = solve_ivp(rates, (0, 2), [TILT, 0, 0], method="DOP853", t_eval=r.t, rtol=1e-12, atol=1e-14).y
    axis = axis_of(r)
    assert np.arccos(axis[:, 2]) == pytest.approx(exact[0], abs=1e-6)
    assert walk(axis) == pytest.approx(exact[2], abs=1e-6)


def test_nutation_of_a_fast_top():
    """It nods C n / A times 2 pi a second; the next term of the series in e = A m g l / (C n)^2 is -2 e cos(theta)."""
    spin = 1500.0
    r = model("spinning-top").with_parameters(kick=0, spin=spin).simulate(end=0.5, output=20000)
    lean = np.arccos(axis_of(r)[:, 2])
    level = (lean.max() + lean.min()) / 2
    up = np.flatnonzero((lean[:-1] < level) & (lean[1:] >= level))
    times = r.t[up] + (level - lean[up]) / (lean[up + 1] - lean[up]) * (r.t[1] - r.t[0])
    frequency = (len(times) - 1) / (times[-1] - times[0]) * 2 * np.pi
    e = A * MASS * G * STEM / (C * spin) ** 2
    assert frequency == pytest.approx(C * spin / A * (1 - 2 * e * np.cos(TILT)), rel=10 * e**2)
