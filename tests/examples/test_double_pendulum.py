"""The double pendulum against Lagrange's equations in its two angles, integrated by SciPy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from .bundled import result

G = 9.80665
L1, L2, M1, M2, SIDE = 1.0, 0.7, 1.0, 0.7, 0.03
J1, J2 = M1 * (L1**2 + SIDE**2) / 12, M2 * (L2**2 + SIDE**2) / 12


def motion(t):
    """Angles of the rods below level, from rest at level, by DOP853."""

    def rates(_, y):
        a, b, da, db = y
        c, s = np.cos(a - b), np.sin(a - b)
        mass = np.array(
            [
                [J1 + M1 * L1**2 / 4 + M2 * L1**2, M2 * L1 * L2 / 2 * c],
                [M2 * L1 * L2 / 2 * c, J2 + M2 * L2**2 / 4],
            ]
        )
        force = [
            -M2 * L1 * L2 / 2 * s * db**2 + (M1 / 2 + M2) * G * L1 * np.cos(a),
            M2 * L1 * L2 / 2 * s * da**2 + M2 * G * L2 / 2 * np.cos(b),
        ]
        return [da, db, *np.linalg.solve(mass, force)]

    run = solve_ivp(rates, (0, t[-1]), [0, 0, 0, 0], method="DOP853", t_eval=t, rtol=1e-13, atol=1e-14)
    return run.y


@pytest.mark.slow
def test_motion():
    r = result("double-pendulum")
    t = r.t[r.t <= 5]
    a, b, _, _ = motion(t)
    # Errors grow here, as in any chaotic motion; from 1e-8 per step they grow a few hundred times in 5 s.
    assert r["shoulder.angle"].to_numpy()[: len(t)] == pytest.approx(a, abs=1e-5)
    assert (r["shoulder.angle"] + r["elbow.angle"]).to_numpy()[: len(t)] == pytest.approx(b, abs=1e-5)


def test_energy_is_kept():
    energy = result("double-pendulum")["energy.total"]
    # 1e-8 relative a step, of energies around 15 J, in about 1300 steps
    assert abs(energy - energy[0]).max() < 1e-5
