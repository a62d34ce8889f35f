"""The pendulum against its exact solution in Jacobi's elliptic functions."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from .bundled import result

G, LENGTH, RADIUS = 9.80665, 0.5, 0.04
REDUCED = LENGTH + 2 * RADIUS**2 / (5 * LENGTH)  # length of the point pendulum that swings alike
K = ellipk(0.5)  # modulus sin(90 deg / 2)


def test_swing_follows_the_elliptic_functions():
    r = result("pendulum")
    _, cn, dn, _ = ellipj(np.sqrt(G / REDUCED) * r.t, 0.5)
    exact = np.pi / 2 - 2 * np.arcsin(np.sqrt(0.5) * cn / dn)  # from level, downwards
    # errors of 1e-8 per step, in 739 steps that mostly cancel
    assert r["hinge.angle"].to_numpy() == pytest.approx(exact, abs=1e-6)


def test_numbers_in_the_comment():
    r = result("pendulum")
    assert 2 * np.pi * np.sqrt(REDUCED / G) == pytest.approx(1.4206, abs=5e-5)  # print precision
    assert 4 * np.sqrt(REDUCED / G) * K == pytest.approx(1.6767, abs=5e-5)
    force = np.linalg.norm(r["hinge.reaction.force"], axis=1)
    lowest = np.argmin(r["ball.position.z"].to_numpy())
    # the output nearest to the lowest point is at most 5 ms away from it: relative error (w dt)^2/2 * 3/2 < 7e-4
    assert force[lowest] / G == pytest.approx(2.995, abs=2e-3)
    # mg sin(phi) balanced exactly: at an angle phi below level, the radial force is m g sin(phi) (1 + 2 l/reduced)
    sine = -r["ball.position.z"].to_numpy() / LENGTH
    radial = -(r["hinge.reaction.force"] * r["ball.position"]).sum("component") / LENGTH
    assert radial.to_numpy() == pytest.approx(G * sine * (1 + 2 * LENGTH / REDUCED), abs=1e-5)
