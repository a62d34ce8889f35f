"""Problems of the IFToMM library of multibody benchmarks.

M. González, D. Dopico, U. Lugrís, J. Cuadrado, A benchmarking system for MBS simulation software, Multibody System
Dynamics 16 (2006) 179-190. The values are those of the exact equation of the one degree of freedom. A02 at N = 2 and
A04 are bundled examples too, and tested as such; A03 is in test_andrews.py.
"""

import numpy as np
import pytest

import wheelwork as ww

G = 9.81
A01 = (-0.2750874626, -0.9614192051)  # P at 10 s, all digits given


def on_a_rod():
    """A01 as it is posed: a point mass on a massless rod. It pulls at the centre, so inertia does not matter."""
    m = ww.Mechanism("A01", gravity=(0, -G, 0))
    m.add("P", ww.Body(mass=1, inertia=(1, 1, 1), position=(-1, 0, 0)))
    m.add("rod", ww.Rod(bodies=("ground", "P"), point_a=(0, 0, 0), point_b=(-1, 0, 0)))
    return m


def on_a_hinge():
    """The same motion on a hinge: a uniform rod of 1.5 m; P is its centre of oscillation, at 2/3 of its length."""
    m = ww.Mechanism("A01 as a rod", gravity=(0, -G, 0))
    inertia = 1.5**2 / 12
    m.add("bar", ww.Body(mass=1, inertia=(1e-3, inertia, inertia), position=(-0.75, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bar"), point=(0, 0, 0), axis=(0, 0, 1)))
    return m


@pytest.mark.parametrize("method", ["dopri5", "sdirk4", "rk4"])
def test_a01_on_a_rod(method):
    options = {"rtol": 1e-10, "atol": 1e-12, "step": 1e-3 if method == "rk4" else None}
    r = on_a_rod().simulate(end=10, output=10, method=method, **options)
    # step errors of 1e-10 over some 2000 steps; the reference has ten digits
    assert r["P.position"].to_numpy()[-1, :2] == pytest.approx(A01, abs=2e-8)
    assert abs(r["P.position.z"]).max() < 1e-12


def test_a01_on_a_rod_at_default_settings():
    r = on_a_rod().simulate(end=10)
    assert r["P.position"].to_numpy()[-1, :2] == pytest.approx(A01, abs=1e-6)
    energy = r["energy.total"].to_numpy()
    assert abs(energy - energy[0]).max() < 1e-6


def test_a01_on_a_hinge():
    r = on_a_hinge().simulate(end=10, output=10, rtol=1e-10, atol=1e-12)
    P = r["bar.position"].to_numpy()[-1] / 0.75
    assert P[:2] == pytest.approx(A01, abs=2e-8)


def windows(N):
    """A02: N + 1 upright rods of 1 m and 1 kg, N couplers, full hinges in space; the first top moves at 1 m/s."""
    m = ww.Mechanism(f"A02, N = {N}", gravity=(0, -G, 0))
    rod = 1 / 12
    for i in range(N + 1):
        moving = {"velocity": (0.5, 0, 0), "angular_velocity": (0, 0, -1)}
        m.add(f"link{i}", ww.Body(mass=1, inertia=(rod, 1e-4, rod), position=(i, 0.5, 0), **moving))
        m.add(f"A{i}", ww.Revolute(bodies=("ground", f"link{i}"), point=(i, 0, 0), axis=(0, 0, 1)))
    for i in range(N):
        body = ww.Body(mass=1, inertia=(1e-4, rod, rod), position=(i + 0.5, 1, 0), velocity=(1, 0, 0))
        m.add(f"coupler{i}", body)
        for k in (i, i + 1):
            hinge = ww.Revolute(bodies=(f"link{k}", f"coupler{i}"), point=(k, 1, 0), axis=(0, 0, 1))
            m.add(f"B{i}-{k}", hinge)
    return m


def exact_windows(N, t):
    """Links turn alike and couplers do not: inertia (N + 1)/3 + N, moment of weight ((N + 1)/2 + N) g sin(angle)."""
    from scipy.integrate import solve_ivp

    inertia, moment = (N + 1) / 3 + N, (N + 1) / 2 + N
    rates = lambda _, y: [y[1], moment / inertia * G * np.sin(y[0])]  # noqa: E731
    y = solve_ivp(rates, (0, t), [0, 1], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    return np.sin(y[0]), np.cos(y[0])


def test_a02_reference_is_that_of_the_equation():
    assert exact_windows(2, 10.0) == pytest.approx((0.3284581115, 0.9445185382), abs=2e-10)


@pytest.mark.parametrize("N", [1, 2, 5, pytest.param(40, marks=pytest.mark.slow)])
def test_a02_at_default_settings(N):
    r = windows(N).simulate(end=10, output=200)
    assert r.outcome.good, r.report
    top = 2 * r["link0.position"].to_numpy()[-1, :2]
    assert top == pytest.approx(exact_windows(N, 10.0), abs=1e-6)
    energy = r["energy.total"].to_numpy()
    assert abs(energy - energy[0]).max() < 1e-6 * N / 2  # of an energy in proportion to N


@pytest.mark.parametrize(("method", "step"), [("rk4", 2e-3), ("sdirk4", None)])
def test_a02_by_other_methods(method, step):
    options = {"step": step} if step else {"rtol": 1e-9, "atol": 1e-11}
    r = windows(2).simulate(end=10, output=10, method=method, **options)
    assert r.outcome.good, r.report
    top = 2 * r["link0.position"].to_numpy()[-1, :2]
    assert top == pytest.approx((0.3284581115, 0.9445185382), abs=1e-6)
