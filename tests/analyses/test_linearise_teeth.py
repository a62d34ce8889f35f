"""Small motions of wheels with ideal teeth on elastic mounts: what pushes teeth apart changes with the tooth force."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.linear_equations import linearised
from wheelwork.system.matrices import mass_matrix

from .test_gears_on_springs import J_A, J_B, MASS, R_A, R_B, STIFF, soft

H = 1e-6


def by_differences(at):
    """K and C of the coordinates of `linearise`, from accelerations of the simulation's right-hand side."""
    found = linearised(at)
    program, engine, numbers = at.prepared.program, at.prepared.engine, at.prepared.numbers
    where = slice(program.nq, program.nq + program.nv)
    weight = found.basis.T @ mass_matrix(program, numbers, at.state)

    def accelerations(move, rate):
        y = program.displaced(at.state, move)
        y[where] = rate
        y, done = engine.project(0.0, y, 1e-14, 50)
        assert done
        return weight @ engine.derivative(0.0, y)[1]

    still = np.zeros(program.nv)
    K, C = np.zeros_like(found.K), np.zeros_like(found.C)
    for j, x in enumerate(found.basis.T):
        h = H / np.abs(x).max()
        K[:, j] = -(accelerations(h * x, still) - accelerations(-h * x, still)) / (2 * h)
        C[:, j] = -(accelerations(still, h * x) - accelerations(still, -h * x)) / (2 * h)
    return found, K, C


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("torque", [30.0, -30.0])
def test_against_the_right_hand_side(planar, torque):
    at = soft(planar, str(torque), str(torque * R_B / R_A)).equilibrium()
    found, K, C = by_differences(at)
    stiffness, damping = found.K, found.C
    assert stiffness == pytest.approx(K, abs=2e-6 * np.abs(K).max())
    assert damping == pytest.approx(C, abs=2e-6 * np.abs(C).max())
    # the tooth force acts on more than its row: K is not symmetric
    assert np.abs(found.K - found.K.T).max() > 1e-3 * np.abs(K).max()


def test_by_hand():
    """b moves along the line of centres by x and across it by y; the wheels turn. Without a load to begin with but on a
    loaded flank, the tooth force that y calls up pushes b along x by tan(alpha) of itself.

    Row: r_a t_a + r_b t_b - y = 0 with tooth force F. m y'' = -k y + F, m x'' = -k x + F tan(alpha),
    J_a t_a'' = -r_a F, J_b t_b'' = -r_b F. So F = k y/(m Q + 1) with Q = r_a^2/J_a + r_b^2/J_b, and y swings at
    k Q/(m Q + 1), x at k/m, pushed by y.
    """
    torque = 1e-3  # light: hardly bends the mount, but says which flank
    at = soft(True, str(torque), str(torque * R_B / R_A)).equilibrium()
    found = linearised(at)
    q = R_A**2 / J_A + R_B**2 / J_B
    exact = sorted([0.0, STIFF / MASS, STIFF * q / (MASS * q + 1)])
    values = np.linalg.eigvals(found.K)
    assert np.sort(values.real) == pytest.approx(exact, rel=1e-4, abs=1e-2)
    # the motion along y takes x along: (k - lambda m) x = tan(alpha) F
    k = int(np.argmin(np.abs(values.real - STIFF * q / (MASS * q + 1))))
    moves = np.real(found.basis @ np.linalg.eig(found.K)[1][:, k]).reshape(2, 3)[1]
    share = STIFF / (MASS * q + 1) * np.tan(np.radians(20)) / (STIFF - MASS * values.real[k])
    assert moves[0] / moves[1] == pytest.approx(share, rel=1e-3)


def test_wheels_in_bearings_do_not_feel_it():
    m = soft(True, "30", str(30 * R_B / R_A))
    del m.forces["mount"]
    m.add("held", ww.Revolute(bodies=("ground", "b"), point=(R_A + R_B, 0)))
    found = m.linearise()
    assert found.left == pytest.approx(found.basis, abs=1e-12)


def test_newton_arrives_with_it():
    """Statics with the separating force in the derivatives: a heavily loaded wheel far off its place."""
    at = soft(True, "60", str(60 * R_B / R_A)).equilibrium()
    assert float(np.linalg.norm(at["b.position"][:2] - [0.12, 0])) > 5e-3
    assert np.abs(at["b.acceleration"]).max() < 1e-6
