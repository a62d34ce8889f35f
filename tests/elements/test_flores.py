"""Damping by Flores: impacts give back what its differential equation says, and nearly the restitution asked for."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import wheelwork as ww
from wheelwork.description import ModelError
from wheelwork.elements.meshes.teeth.damping.flores import FloresDamping


def given_back(chi_v):
    """e of an impact with F = F_e (1 + chi h'): v dv/(1 + chi v) = -F_e dh/m is integrated over in and out, where the
    right-hand side vanishes for any elastic law."""
    level = chi_v - np.log1p(chi_v)
    return brentq(lambda e: -chi_v * e - np.log1p(-chi_v * e) - level, 1e-9, min(1, 1 / chi_v) * (1 - 1e-12))


@pytest.mark.parametrize("restitution", [0.98, 0.9, 0.5, 0.2])
@pytest.mark.parametrize("exponent", [1.0, 1.5])
def test_an_impact_gives_back_what_the_law_integrates_to(restitution, exponent):
    speed = 0.3
    chi = float(FloresDamping(restitution=restitution, speed=speed).given(float)[0])

    def fall(t, y):
        at = type("At", (), {"rate": y[1]})
        return [y[1], -float(FloresDamping.total(1e6 * max(y[0], 0) ** exponent, at, [chi])) / 2]

    def parted(t, y):
        return y[0]

    parted.terminal, parted.direction = True, -1
    run = solve_ivp(fall, (0, 10), [0, speed], events=parted, rtol=1e-9, atol=1e-12, max_step=1e-2)
    e = -run.y[1, -1] / speed
    assert e == pytest.approx(given_back(chi * speed), rel=1e-6)  # tolerance of the integration
    assert e == pytest.approx(restitution, abs=0.05)  # how near the formula comes, see `test_how_near`


def test_how_near():
    """Near 1 it is 1 - 16/15 (1 - c_r), from e = 1 - 2/3 chi v of weak damping; strong damping leaves e = 1/(chi v)."""
    e = {c: given_back(8 * (1 - c) / (5 * c)) for c in (0.999, 0.1)}
    assert 1 - e[0.999] == pytest.approx(16 / 15 * 1e-3, rel=2e-3)
    assert e[0.1] == pytest.approx(5 / 8 * 0.1 / 0.9, rel=1e-4)


def test_teeth_bounce_by_it():
    """Wheels free on their axles meet once; the speed along the line of action, before and after, gives e."""
    base = np.array([20e-3, 40e-3]) * np.cos(np.radians(20))
    law = {"type": "flores", "restitution": 0.7, "speed": float(base[0])}
    teeth = ww.ContactTeeth(elastic={"type": "linear", "stiffness": 2e8}, viscous=law, phase=0.0)
    m = ww.Mechanism("bounce", kind="planar", gravity=(0, 0))
    for name, x, inertia, speed in (("a", 0.0, 1e-3, 1.0), ("b", 60e-3, 4e-3, 0.0)):
        m.add(name, ww.Body(mass=1, inertia=inertia, position=(x, 0), angular_velocity=speed))
        m.add(f"axle_{name}", ww.Revolute(bodies=("ground", name), point=(x, 0)))
    sizes = {"teeth": (20, 40), "module": 2e-3, "face_width": 20e-3, "thickness_allowance": (-30e-6, -30e-6)}
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), model=teeth, **sizes))
    result = m.simulate(end=3e-3, output=50)
    closing = base @ np.array([result["a.w"].to_numpy(), result["b.w"].to_numpy()])
    assert closing[0] == pytest.approx(base[0])
    assert -closing[-1] / closing[0] == pytest.approx(given_back(8 * 0.3 / (5 * 0.7)), rel=1e-4)


def test_what_is_no_restitution_is_refused():
    with pytest.raises(ModelError, match=r"more than 0 and at most 1, but is 1\.2"):
        ww.ContactTeeth(viscous={"type": "flores", "restitution": 1.2, "speed": 0.1})
