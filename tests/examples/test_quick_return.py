"""Whitworth's quick return: the ratio of times, the ram against geometry, the drive against Lagrange's equation."""

import casadi as ca
import numpy as np
import pytest
from scipy.optimize import brentq

from .bundled import result
from .one_freedom import Moving, OneFreedom, about

CRANK, OFFSET, ARM, LINK, G = 0.08, 0.04, 0.06, 0.3, 9.80665


def arm_angle(crank):
    return ca.atan2(CRANK * ca.sin(crank) + OFFSET, CRANK * ca.cos(crank))


def tail(crank):
    """End of the arm at which the link is, on the far side of the slot."""
    turn = arm_angle(crank)
    return -ARM * ca.cos(turn), -OFFSET - ARM * ca.sin(turn)


def ram(crank):
    x, y = tail(crank)
    return x + ca.sqrt(LINK**2 - (y + OFFSET) ** 2)


@pytest.mark.slow
def test_way_back_takes_half_the_time():
    """The ram turns where the arm lies along its way: the crank is then at 210 and 330 degrees (sin = -1/2).

    That is 120 degrees for the way back and 240 for the cut, times 1 : 2.
    """
    r = result("quick-return")

    def speed(t):
        return float(r.at(t)["slide.speed"])

    first, second = brentq(speed, 0.2, 0.45, xtol=1e-12), brentq(speed, 0.55, 0.8, xtol=1e-12)
    # r.at is a polynomial between outputs a 360th of a second apart
    assert (first, second) == (pytest.approx(1 / 3, abs=1e-8), pytest.approx(2 / 3, abs=1e-8))
    stroke = float(r.at(first)["ram.position.x"]) - float(r.at(second)["ram.position.x"])
    assert abs(stroke) == pytest.approx(2 * ARM, abs=1e-9)


def test_ram_against_geometry():
    r = result("quick-return")
    q = ca.SX.sym("q")
    rate = ca.jacobian(ram(q), q) * 2 * np.pi
    f = ca.Function("f", [q], [ram(q), rate])
    exact = np.array([[float(x) for x in f(np.pi / 2 + 2 * np.pi * t)] for t in r.t])
    assert r["ram.position.x"].to_numpy() == pytest.approx(exact[:, 0], abs=1e-10)
    assert r["ram.velocity.x"].to_numpy() == pytest.approx(exact[:, 1], abs=1e-9)
    assert np.abs(exact[:, 1]).max() > 2 * np.abs(exact[r.t < 0.2, 1]).max()


def test_drive_torque():
    r = result("quick-return")

    def bodies(crank):
        turn = arm_angle(crank)
        x, y = tail(crank)
        end = ram(crank)

        def bar(mass, length, height, place, angle):
            return Moving(mass, (1, 1, mass * (length**2 + height**2) / 12), (*place, 0), about("z", angle))

        at = (0.04 * ca.cos(turn), -OFFSET + 0.04 * ca.sin(turn))
        return [
            bar(0.5, CRANK, 0.02, (CRANK / 2 * ca.cos(crank), CRANK / 2 * ca.sin(crank)), crank),
            bar(0.8, 0.2, 0.03, at, turn),
            bar(0.6, LINK, 0.015, ((x + end) / 2, (y - OFFSET) / 2), ca.arcsin((-OFFSET - y) / LINK)),
            Moving(4.0, (1, 1, 1), (end, -OFFSET, 0)),
        ]

    linkage = OneFreedom(bodies, (0, -G, 0))
    exact = np.array([float(linkage.effort(np.pi / 2 + 2 * np.pi * t, 2 * np.pi, 0)) for t in r.t])
    assert np.ptp(exact) > 1
    assert r["motor.torque"].to_numpy() == pytest.approx(exact, abs=1e-8)


def test_slot_pushes_across_only():
    """The massless block takes no force along the slot."""
    r = result("quick-return")
    turn = np.pi / 2 + r["arm-bearing.angle"].to_numpy()
    force = r["slot.reaction.force"].to_numpy()
    along = force[:, 0] * np.cos(turn) + force[:, 1] * np.sin(turn)
    assert along == pytest.approx(np.zeros(len(along)), abs=1e-9)
    assert np.abs(force).max() > 5
