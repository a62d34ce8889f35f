"""Problems of the IFToMM library of multibody benchmarks.

M. González, D. Dopico, U. Lugrís, J. Cuadrado, A benchmarking system for MBS simulation software, Multibody System
Dynamics 16 (2006) 179-190. The values are those of the exact equation of the one degree of freedom. A03 is in
`andrews`; A04, Bricard's linkage, in `bricard`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import wheelwork as ww
from wheelwork.lazy import integrate

from ..case import Way, motion_case, ways_of_motion
from ..finding import Comparison, compare

SOURCE = (
    "IFToMM library of multibody benchmarks (González, Dopico, Lugrís, Cuadrado, Multibody System Dynamics 16 (2006) "
    "179-190), "
)
G = 9.81
A01 = (-0.2750874626, -0.9614192051)  # P at 10 s, all digits given
A02 = (0.3284581115, 0.9445185382)  # B0 at 10 s, N = 2
STEPS = "step errors of 1e-10 over some 2000 steps; ten digits are printed"
DEFAULT = "step errors of 1e-8 over some hundred steps"


def on_a_rod() -> ww.Mechanism:
    """A01 as it is posed: a point mass on a massless rod. It pulls at the centre, so inertia does not matter."""
    m = ww.Mechanism("A01", gravity=(0, -G, 0))
    m.add("P", ww.Body(mass=1, inertia=(1, 1, 1), position=(-1, 0, 0)))
    m.add("rod", ww.Rod(bodies=("ground", "P"), point_a=(0, 0, 0), point_b=(-1, 0, 0)))
    return m


def on_a_hinge() -> ww.Mechanism:
    """The same motion on a hinge: a uniform rod of 1.5 m; P is its centre of oscillation, at 2/3 of its length."""
    m = ww.Mechanism("A01 as a rod", gravity=(0, -G, 0))
    inertia = 1.5**2 / 12
    m.add("bar", ww.Body(mass=1, inertia=(1e-3, inertia, inertia), position=(-0.75, 0, 0)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bar"), point=(0, 0, 0), axis=(0, 0, 1)))
    return m


@motion_case(
    "iftomm-a01",
    "Pendulum, 10 s",
    SOURCE + "A01",
    (
        *ways_of_motion(),
        *(Way("absolute", setting=setting) for setting in ("sdirk4", "rk4", "default tolerances")),
        *ways_of_motion(setting="on a hinge"),
    ),
)
def pendulum(way: Way) -> Iterator[Comparison]:
    if way.setting == "on a hinge":
        r = way.simulate(on_a_hinge(), 10, output=10, rtol=1e-10, atol=1e-12)
        P = r["bar.position"].to_numpy()[-1, :2] / 0.75
        yield compare("P at 10 s", P, A01, unit="m", absolute=2e-8, origin=STEPS)
        return
    if way.setting == "default tolerances":
        r = way.simulate(on_a_rod(), 10)
        found = r["P.position"].to_numpy()[-1, :2]
        yield compare("P at 10 s", found, A01, unit="m", absolute=1e-6, origin=DEFAULT)
    else:
        step = 1e-3 if way.setting == "rk4" else None
        method = way.setting or "dopri5"
        r = way.simulate(on_a_rod(), 10, output=10, rtol=1e-10, atol=1e-12, step=step, method=method)
        found = r["P.position"].to_numpy()[-1, :2]
        yield compare("P at 10 s", found, A01, unit="m", absolute=2e-8, origin=STEPS)
    aside = r["P.position.z"].to_numpy()
    yield compare("out of the plane", aside, 0 * aside, unit="m", absolute=1e-12, origin="rounding")
    energy = r["energy.total"].to_numpy()
    start = np.full_like(energy, energy[0])
    yield compare("energy", energy, start, unit="J", absolute=1e-6, origin=DEFAULT + "; the weight is 9.81 N")


def windows(N: int) -> ww.Mechanism:
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


def exact_windows(N: int, t: float) -> tuple[float, float]:
    """Links turn alike and couplers do not: inertia (N + 1)/3 + N, moment of weight ((N + 1)/2 + N) g sin(angle)."""
    inertia, moment = (N + 1) / 3 + N, (N + 1) / 2 + N
    options = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-14}
    y = integrate.solve_ivp(
        lambda _, y: [y[1], moment / inertia * G * np.sin(y[0])], (0, t), [0, 1], **options
    ).y
    return float(np.sin(y[0, -1])), float(np.cos(y[0, -1]))


@motion_case(
    "iftomm-a02",
    "N four-bars side by side through their singular positions, 10 s",
    SOURCE + "A02",
    (
        *ways_of_motion(setting="N = 2"),
        *(Way("absolute", setting=f"N = 2, {method}") for method in ("rk4", "sdirk4")),
        *(Way("absolute", setting=f"N = {N}", slow=N > 10) for N in (1, 5, 40)),
    ),
)
def four_bars(way: Way) -> Iterator[Comparison]:
    """The reference is for N = 2; other numbers of windows against the exact equation."""
    word, _, method = way.setting.partition(", ")
    N = int(word.removeprefix("N = "))
    options = {"": {}, "rk4": {"step": 2e-3}, "sdirk4": {"rtol": 1e-9, "atol": 1e-11}}[method]
    r = way.simulate(windows(N), 10, output=200, method=method or "dopri5", **options)
    top = 2 * r["link0.position"].to_numpy()[-1, :2]
    if N == 2:
        yield compare("B0 at 10 s", top, A02, unit="m", absolute=1e-6, origin=DEFAULT)
    exact = exact_windows(N, 10.0)
    yield compare("B0 at 10 s, exact equation", top, exact, unit="m", absolute=1e-6, origin=DEFAULT)
    if method:
        return
    energy = r["energy.total"].to_numpy()
    start = np.full_like(energy, energy[0])
    origin = "step errors of 1e-8, of an energy in proportion to N"
    yield compare("energy", energy, start, unit="J", absolute=1e-6 * N / 2, origin=origin)
