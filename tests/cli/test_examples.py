"""The bundled examples that the command line and the README use, each with the number it is known for."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples


def test_listing_and_paths():
    assert {"pendulum", "cardan-pump"} <= set(examples.names())
    assert examples.path("pendulum").read_text().startswith("wheelwork: 1\n")
    with pytest.raises(FileNotFoundError, match="no bundled example `pendulm`; did you mean `pendulum`"):
        examples.path("pendulm")


def test_pendulum_has_the_period_of_the_elliptic_integral():
    """From level T = 4 K(sin 45 deg) sqrt((l^2 + 2 r^2/5) / (g l)), K = 1.8540746773013719 (Abramowitz and Stegun)."""
    r = ww.load(examples.path("pendulum")).run()
    length, radius, g = 0.5, 0.04, 9.80665
    inertia = length**2 + 0.4 * radius**2
    period = 4 * 1.8540746773013719 * np.sqrt(inertia / (g * length))
    assert period == pytest.approx(1.6767, abs=5e-5), "as the file says"
    # after each period it stands still at level again
    back = r.at(period * np.arange(1, 6))
    np.testing.assert_allclose(back["hinge.angle"], 0, atol=1e-6)
    np.testing.assert_allclose(back["hinge.w"], 0, atol=2e-6)
    # the lowest point, a quarter of the period after the start
    bottom = r.at(period / 4)
    expected = 9.80665 * (1 + 2 / (1 + 0.4 * (radius / length) ** 2))
    assert float(bottom["hinge.reaction.force.z"]) == pytest.approx(
        expected, rel=1e-5
    )  # reactions: a cubic over 10 ms


@pytest.mark.slow
def test_cardan_shaft_evens_itself_out():
    """Two universal joints in phase: output as input; the shaft between them at cos b ... 1/cos b of it (Hooke)."""
    r = ww.load(examples.path("cardan-pump")).run()
    assert r.outcome.good
    late = r.t > 1
    motor, wheel = r["motor-bearing.w"][late], r["main-bearing.w"][late]
    np.testing.assert_allclose(wheel, motor, rtol=1e-9)
    along = np.array([4, 1, -1]) / np.sqrt(18)
    ratio = r["shaft-in.w"][late].to_numpy() @ along / motor.to_numpy()
    bend = np.arcsin(1 / 3)
    assert ratio.min() == pytest.approx(np.cos(bend), rel=1e-4)
    assert ratio.max() == pytest.approx(1 / np.cos(bend), rel=1e-4)
    # what the motor gives is in the machine, in the water or lost in the bearing
    powers = [r[f"{name}.power"].to_numpy() for name in ("drive", "water")]
    friction = -0.05 * r["main-bearing.w"].to_numpy() ** 2
    energy = r["energy.total"].to_numpy()
    work = np.concatenate([[0], np.cumsum(np.diff(r.t) * (sum(powers) + friction)[:-1])])
    work += np.concatenate([[0], np.cumsum(np.diff(r.t) * np.diff(sum(powers) + friction) / 2)])
    np.testing.assert_allclose(energy - energy[0], work, atol=2)  # J of 1000; trapezoids over 5 ms
