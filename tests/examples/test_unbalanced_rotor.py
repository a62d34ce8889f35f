"""The unbalanced rotor against Jeffcott's: critical speed, whirl and loads of the bearings at full speed."""

import numpy as np
import pytest

from .bundled import model, result

MASS, OFF, K, C, FULL = 12.0, 20e-6, 5e5, 150.0, 500.0
CRITICAL = np.sqrt(2 * K / MASS)


def test_critical_speed():
    modes = model("unbalanced-rotor").modes(parameters={"full": 0.0})
    assert min(abs(2 * np.pi * mode.natural_frequency - CRITICAL) for mode in modes) < 1e-4 * CRITICAL
    assert pytest.approx(288.7, abs=0.05) == CRITICAL


def test_whirl_and_loads_at_full_speed():
    """e W^2/|w^2 - W^2 + i 2 c W/m|, and |k + i c W| times that on each bearing; what is left of the critical speed
    has fallen by e^-15. The motor lets the rotor lag by 1e-6 of its speed."""
    whirl = OFF * FULL**2 / abs(CRITICAL**2 - FULL**2 + 2j * C * FULL / MASS)
    r = result("unbalanced-rotor")
    steady = r.t > 2.4
    assert r["lower.deflection.radial"].to_numpy()[steady] == pytest.approx(whirl, rel=2e-3)
    assert whirl == pytest.approx(29.9e-6, abs=0.05e-6)
    for name in ("lower", "upper"):
        load = whirl * abs(K + 1j * C * FULL)
        assert r[f"{name}.force.radial"].to_numpy()[steady] == pytest.approx(load, rel=2e-3)
    assert r["lower.force.axial"].to_numpy()[steady] == pytest.approx(MASS * 9.80665, rel=1e-4)
    assert not r["upper.force.axial"].to_numpy().any()


def test_largest_whirl_is_beyond_the_critical_speed():
    """Of a rotor that speeds up, later and smaller than e/(2 zeta), which it would reach at the critical speed."""
    r = result("unbalanced-rotor")
    whirl = r["lower.deflection.radial"].to_numpy()
    at = int(np.argmax(whirl))
    assert 1 < r["lower.speed"].to_numpy()[at] / CRITICAL < 1.15
    assert 0.5 < whirl[at] / (OFF * MASS * CRITICAL / (2 * C)) < 1


def test_heavy_side_goes_in_beyond_the_critical_speed():
    """The centre of mass goes round on a smaller circle than the axis, by the square of critical over full speed where
    damping is small."""
    r = result("unbalanced-rotor")
    steady = r.t > 2.4
    axis, mass = (np.hypot(*x[steady, :2].T) for x in (r["rotor.position"].to_numpy(), r.motion.x[:, 0]))
    assert mass == pytest.approx(axis * (CRITICAL / FULL) ** 2, rel=0.05)
