"""Teeth so stiff that their vibration is not wanted: the implicit method steps over it; same motion as by others."""

import numpy as np
import pytest

import wheelwork as ww

from .test_compliant import equivalent_mass, two_rotors


def driven(stiffness, **model):
    """A drive and a load that swing slowly; the teeth have play and change flanks."""
    m = two_rotors(stiffness, damping_ratio=0.4, backlash=2e-5, **model)
    m.add("drive", ww.Actuator(joint="a.bearing", value="4*sin(40*t)"))
    m.add("load", ww.Actuator(joint="b.bearing", value="3*cos(25*t)"))
    return m


@pytest.mark.slow
def test_implicit_method_on_stiff_teeth():
    """k = 1e11 N/m vibrates at 30 kHz: sdirk4 takes a fraction of the steps, and the same motion comes out."""
    end = {"end": 0.1, "output": 40}
    stiff = 1e11
    assert np.sqrt(stiff / equivalent_mass()) > 1.5e5
    explicit = driven(stiff).simulate(**end, rtol=1e-6, atol=1e-9, formulation="absolute")
    implicit = driven(stiff).simulate(**end, rtol=1e-6, atol=1e-9, method="sdirk4")
    assert explicit.outcome.good, explicit.report
    assert implicit.outcome.good, implicit.report
    assert implicit.statistics.steps < explicit.statistics.steps / 4
    assert {-1.0, 1.0} <= set(implicit["mesh.side"].to_numpy())
    for name in ("a.angle", "b.angle", "a.w"):
        exact = explicit[name].to_numpy()
        assert implicit[name].to_numpy() == pytest.approx(exact, abs=1e-4 * np.abs(exact).max())


@pytest.mark.slow
def test_limit_of_stiff_teeth_is_rigid_teeth_with_the_implicit_method():
    """No play: angles differ from those of ideal teeth by what the teeth yield, F/k, and so by 1/k."""

    def angle(m):
        m.add("drive", ww.Actuator(joint="a.bearing", value="4*sin(40*t)^2"))
        m.add("load", ww.Actuator(joint="b.bearing", value="6*sin(40*t)^2"))
        r = m.simulate(end=0.1, output=20, rtol=1e-9, atol=1e-13, method="sdirk4")
        assert r.outcome.good, r.report
        return r["b.angle"].to_numpy()

    ideal = angle(two_rotors(rigid=True))
    off = [np.abs(angle(two_rotors(k, damping_ratio=0.4)) - ideal).max() for k in (1e7, 1e8, 1e9)]
    assert np.log10(off[0] / off[1]) == pytest.approx(1, abs=0.05)
    assert np.log10(off[1] / off[2]) == pytest.approx(1, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rk4", "sdirk4"])
def test_methods_agree_where_stiffness_varies(method):
    stiffness = {"type": "constant", "value": 2e7, "variation": [{"amplitude": 6e6}]}
    given = {"end": 0.01, "output": 20}
    runs = []
    for options in (
        {"rtol": 1e-10, "atol": 1e-13},
        {"method": method, **({"step": 1e-6} if method == "rk4" else {"rtol": 1e-8, "atol": 1e-12})},
    ):
        m = driven(stiffness, errors=[{"amplitude": 3e-6}])
        m.bodies["a"].speed, m.bodies["b"].speed = 60.0, -30.0
        runs.append(m.simulate(**given, **options)["b.angle"].to_numpy())
    assert runs[1] == pytest.approx(runs[0], abs=1e-6 * np.ptp(runs[0]))
