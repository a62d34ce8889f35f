"""Stiffness over the mesh cycle: tables as they stand, jumps and all; their harmonics; orders that are far apart."""

import time

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.gears.stiffness.course import TableCourse

MODULE, SPEED, LOAD = 2e-3, 40.0, 60.0
TABLES = {
    "lines": ((0.1, 0.3, 0.8), (2e8, 3e8, 2.5e8)),
    "from 0": ((0.0, 0.3, 0.8), (2e8, 3e8, 2.5e8)),
    "jumps": ((0.0, 0.4, 0.4, 0.9), (3e8, 3.2e8, 2e8, 1.9e8)),
    "jump at 0": ((0.0, 0.6, 1.0), (3e8, 2e8, 2e8)),
    "two at 0": ((0.0, 0.0, 0.5), (1e8, 3e8, 2e8)),
    "square": ((0.0, 0.6, 0.6, 1.0), (3e8, 3e8, 2e8, 2e8)),
}


def by_hand(phase, value, tau):
    """Right-hand limits of the straight lines; the last value at a phase counts from there on."""
    x = tau % 1.0
    points = sorted(zip(phase, range(len(phase)), value, strict=True))
    p, v = [q for q, _, _ in points], [w for _, _, w in points]
    if p[-1] < 1:
        p, v = [*p, p[0] + 1], [*v, v[0]]
    if p[0] > 0:
        p, v = [p[-2] - 1, *p], [v[-2], *v]
    i = max(k for k in range(len(p)) if p[k] <= x)
    return v[i] + (v[i + 1] - v[i]) * (x - p[i]) / (p[i + 1] - p[i])


def running(stiffness, sense=1.0, **more) -> ww.Mechanism:
    """Wheel a turned evenly, against a load on b."""
    m = ww.Mechanism("running", kind="planar", gravity=(0, 0))
    m.add("a", ww.Rotor(inertia=1e-3, speed=sense * SPEED))
    m.add("b", ww.Rotor(inertia=2e-2, position=(60e-3, 0), speed=-sense * SPEED / 2))
    m.add("drive", ww.JointDriver(joint="a.bearing", value=f"{sense * SPEED}*t"))
    m.add("load", ww.Actuator(joint="b.bearing", value=sense * LOAD))
    pressed = sense * LOAD / (40e-3 * np.cos(np.radians(20))) / 2.5e8
    model = ww.CompliantTeeth(stiffness=stiffness, damping_ratio=0.1, offset=pressed, **more)
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=MODULE, model=model))
    return m


CYCLE = 2 * np.pi / 20 / SPEED


@pytest.mark.parametrize("name", list(TABLES))
def test_a_table_is_kept_as_it_stands(name):
    phase, value = TABLES[name]
    m = running({"type": "table", "phase": phase, "value": value})
    r = m.simulate(end=2.3 * CYCLE, output=200, rtol=1e-6)
    assert r.outcome.good, r.report
    tau = r["mesh.phase"].to_numpy()
    exact = np.array([by_hand(phase, value, x) for x in tau])
    near = (
        np.min([np.abs((tau - p + 0.5) % 1 - 0.5) for p in (*phase, 0.0)], axis=0) < 1e-6
    )  # at a jump: either
    assert np.count_nonzero(near) < 8
    front = (
        r["mesh.side"].to_numpy() >= 0
    ) & ~near  # a large jump throws the wheel against the back flanks, too
    assert np.count_nonzero(front) > 150
    assert r["mesh.stiffness"].to_numpy()[front] == pytest.approx(exact[front], rel=1e-9)


@pytest.mark.slow
def test_back_flanks_see_it_in_a_mirror():
    """Started where a tooth of a is at the pitch point, the reverse run is the mirror image of the forward one."""
    phase, value = TABLES["jumps"]
    table = {"type": "table", "phase": phase, "value": value}
    forward, back = (
        running(table, sense).simulate(end=2 * CYCLE, output=300, rtol=1e-8, atol=1e-11)
        for sense in (1.0, -1.0)
    )
    assert np.all(back["mesh.side"].to_numpy() == -1)
    assert back["drive.torque"].to_numpy() == pytest.approx(-forward["drive.torque"].to_numpy(), rel=1e-4)


def test_jumps_are_met():
    """A square wave against two springs switched by hand: m_e u'' + c u' + k(t) u = F, in steps between the jumps."""
    high, low, share = 3e8, 2e8, 0.6
    m = running({"type": "table", "phase": (0, share, share, 1), "value": (high, high, low, low)}, backlash=0)
    r = m.simulate(end=2 * CYCLE, output=400, rtol=1e-9, atol=1e-13)
    inertia, radius = 2e-2, 40e-3 * np.cos(np.radians(20))
    mass, force = inertia / radius**2, LOAD / radius
    # wheel a is driven: m_e of the damping ratio is that of the two wheels
    of_two = 1 / (1 / mass + (20e-3 * np.cos(np.radians(20))) ** 2 / 1e-3)
    damping = 2 * 0.1 * np.sqrt(of_two * (share * high + (1 - share) * low))
    state, t = np.array([r["mesh.transmission_error"].to_numpy()[0], 0.0]), 0.0
    start = r["mesh.phase"].to_numpy()[0]
    found = []
    for end in r.t:
        while t < end:
            x = (start + t / CYCLE + 1e-12) % 1
            k, stop = (high, share) if x < share else (low, 1.0)
            step = min(end - t, (stop - x) * CYCLE + 1e-15)
            rest = force / k
            w, z = np.sqrt(k / mass), damping / (2 * mass)
            wd = np.sqrt(w**2 - z**2)
            u, v = state[0] - rest, state[1]
            c, s = np.cos(wd * step), np.sin(wd * step)
            decay = np.exp(-z * step)
            state = np.array(
                [rest + decay * (u * c + (v + z * u) / wd * s), decay * (v * c - (z * v + w**2 * u) / wd * s)]
            )
            t += step
        found.append(state[0])
    assert r["mesh.transmission_error"].to_numpy() == pytest.approx(np.array(found), rel=1e-5)


@pytest.mark.parametrize("name", list(TABLES))
def test_harmonics_of_a_table(name):
    """Of the lines themselves, against a sum over 2e5 samples, up to the 12th."""
    phase, value = (np.array(x) for x in TABLES[name])
    table = TableCourse(phase, value)
    tau = (np.arange(200_000) + 0.5) / 200_000
    k = np.array([by_hand(phase, value, x) for x in tau[::100] - 0.5e-2 / 1e3])
    tau = tau[::100] - 0.5e-2 / 1e3
    series = table.series(12)
    assert series.mean == pytest.approx(k.mean(), rel=1e-3)
    for n, (c, s) in zip(series.orders, series.harmonics, strict=True):
        sampled = 2 * np.mean(k * np.exp(-2j * np.pi * n * tau))
        assert complex(c, -s) == pytest.approx(sampled, abs=2e-3 * k.mean())


@pytest.mark.slow
def test_harmonics_where_they_are_asked_for():
    """Five harmonics of a square wave miss its jumps by a tenth: only on request."""
    phase, value = TABLES["square"]
    m = running({"type": "table", "phase": phase, "value": value, "harmonics": 5})
    r = m.simulate(end=CYCLE, output=200)
    found = r["mesh.stiffness"].to_numpy()
    exact = np.array([by_hand(phase, value, x) for x in r["mesh.phase"].to_numpy()])
    assert 0.1e8 < np.abs(found - exact).max() < 0.8e8


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ((0.2, 0.1), "must not decrease"),
        ((0.2, 1.1), "1 or less"),
        ((0.2, 0.2, 0.2), "more than twice"),
        ((0.2, 0.2), "two different phases"),
    ],
)
def test_tables_that_are_none(phase, words):
    with pytest.raises(ww.ModelError, match=words):
        running({"type": "table", "phase": phase, "value": [1e8] * len(phase)}).assemble()


@pytest.mark.slow
def test_orders_far_apart_cost_nothing():
    """Only what is there is computed; an order beyond all teeth is refused."""

    def varied(order: int) -> ww.Mechanism:
        waves = [{"order": 1, "amplitude": 2e7}, {"order": order, "amplitude": 1e7, "phase": 0.3}]
        return running({"type": "constant", "value": 2.5e8, "variation": waves})

    begin = time.perf_counter()
    r = varied(1000).simulate(end=0.01 * CYCLE, output=50)
    assert time.perf_counter() - begin < 20
    x = 2 * np.pi * r["mesh.phase"].to_numpy()
    exact = 2.5e8 + 2e7 * np.sin(x) + 1e7 * np.sin(1000 * x + 0.3)
    assert r["mesh.stiffness"].to_numpy() == pytest.approx(exact, rel=1e-7)
    with pytest.raises(ww.ModelError, match="whole number from 1 to 1000, but is 100000"):
        varied(100_000).assemble()
    with pytest.raises(ww.ModelError, match="whole number from 1 to 1000000"):
        running(2e8, errors=[{"amplitude": 1e-6, "order": 10**400}]).assemble()
