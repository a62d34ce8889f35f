"""The Geneva wheel in motion: crank 1, distance sqrt(2); the slot points from the wheel's axis to the pin."""

import numpy as np
import pytest

from .bundled import result

SPEED, DISTANCE = 10.0, np.sqrt(2)


def wheel(phi):
    """Angle, speed and acceleration for unit speed of the crank at phi from the line of centres.

    tan(psi) = sin(phi)/(cos(phi) - d); psi' = (1 - d cos phi)/D with D = 1 + d^2 - 2 d cos phi.
    """
    D = 1 + DISTANCE**2 - 2 * DISTANCE * np.cos(phi)
    angle = np.unwrap(np.arctan2(np.sin(phi), np.cos(phi) - DISTANCE))
    return angle, (1 - DISTANCE * np.cos(phi)) / D, DISTANCE * np.sin(phi) * (DISTANCE**2 - 1) / D**2


def test_motion():
    r = result("geneva")
    angle, speed, acceleration = wheel(SPEED * r.t - np.pi / 4)
    assert r["wheel.angle"].to_numpy() == pytest.approx(angle, abs=1e-10)
    assert r["wheel.w"].to_numpy() == pytest.approx(SPEED * speed, abs=1e-9)
    assert r["wheel.angular_acceleration"].to_numpy() == pytest.approx(SPEED**2 * acceleration, abs=1e-7)


def test_text_book_numbers():
    """A quarter turn; no speed at the ends; ratio 1/(sqrt(2) - 1) in the middle; acceleration w^2 at the ends and
    5.41 w^2 at most (four slots: in any text-book's table).
    """
    r = result("geneva")
    angle, speed = r["wheel.angle"].to_numpy(), r["wheel.w"].to_numpy()
    acceleration = np.abs(r["wheel.angular_acceleration"].to_numpy())
    assert angle[-1] - angle[0] == pytest.approx(-np.pi / 2, abs=1e-10)
    assert speed[[0, -1]] == pytest.approx((0, 0), abs=1e-9)
    assert speed.min() == pytest.approx(-SPEED / (np.sqrt(2) - 1), rel=1e-12)
    assert acceleration[[0, -1]] == pytest.approx(SPEED**2, rel=1e-9)
    assert acceleration.max() == pytest.approx(5.41 * SPEED**2, rel=1e-3)


def test_pin_in_the_slot():
    """Its way along the slot, and the force of its side: inertia of the wheel times acceleration over the arm."""
    r = result("geneva")
    phi = SPEED * r.t - np.pi / 4
    arm = 0.05 * np.sqrt(1 + DISTANCE**2 - 2 * DISTANCE * np.cos(phi))
    assert r["slot.parameter"].to_numpy() == pytest.approx(arm, abs=1e-12)
    force = np.linalg.norm(r["slot.reaction.force"].to_numpy(), axis=1)
    assert force == pytest.approx(1e-3 * np.abs(r["wheel.angular_acceleration"].to_numpy()) / arm, abs=1e-8)


def test_power_of_the_motor_accelerates_the_wheel():
    r = result("geneva")
    power = 1e-3 * r["wheel.w"].to_numpy() * r["wheel.angular_acceleration"].to_numpy()
    assert r["motor.power"].to_numpy() == pytest.approx(power, abs=1e-9)
