"""The falling cross, compliant and rigid, against a single planar body."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from wheelwork.engine.engine import EventKind

from .bundled import model, result

G, ARM, RADIUS, BALL, HUB, TILT = 9.80665, 0.3, 0.05, 0.5, 0.2, np.radians(20)
K, D, MU, SLIP = 2e4, 100.0, 0.3, 0.01
E = 0.6
# angle of each below level, when the cross is not tilted
BALLS = {"east": 0.0, "south": np.pi / 2, "west": np.pi, "north": 3 * np.pi / 2}
MASS = HUB + 4 * BALL
INERTIA = 0.4 * HUB * 0.03**2 + 4 * BALL * (ARM**2 + 0.4 * RADIUS**2)
START = np.array([0, 1.0, TILT])


def planar(t):
    """(x, z, angle) and rates: one body, four springs, dampers and frictions, by SciPy."""

    def rates(_, y):
        _, z, angle, vx, vz, w = y
        force = np.array([0.0, -MASS * G, 0.0])
        for place in BALLS.values():
            px, pz = ARM * np.cos(angle + place), -ARM * np.sin(angle + place)
            depth, sinking = RADIUS - (z + pz), -(vz - w * px)
            if depth > 0:
                normal = max(K * depth + D * sinking, 0.0)
                sliding = vx + w * (pz - RADIUS)
                rub = -MU * normal * sliding / np.hypot(sliding, SLIP)
                force += [rub, normal, (pz - RADIUS) * rub - px * normal]
        return [vx, vz, w, force[0] / MASS, force[1] / MASS, force[2] / INERTIA]

    options = {"method": "DOP853", "t_eval": t, "rtol": 1e-9, "atol": 1e-11, "max_step": 1e-3}
    return solve_ivp(rates, (0, t[-1]), [*START, 0, 0, 0], **options).y


@pytest.mark.slow
def test_compliant_cross_moves_as_one_planar_body():
    r = model("falling-cross").run(rtol=1e-10, atol=1e-12)
    t = r.t[r.t <= 1.2]  # there have been four impacts by then, and each makes errors some ten times larger
    exact = planar(t)
    hub = r["hub.position"].to_numpy()[: len(t)]
    assert hub[:, [0, 2]] == pytest.approx(exact[:2].T, abs=2e-7)
    w = r["hub.w.y"].to_numpy()[: len(t)]
    assert w == pytest.approx(exact[5], abs=2e-5)
    assert abs(r["hub.position.y"]).max() < 1e-12
    assert min((r[f"ground-{name}.gap"].to_numpy() < 0).any() for name in ("south", "east", "north"))


@pytest.mark.slow
def test_compliant_cross_comes_to_rest_on_two_balls():
    r = result("falling-cross")
    loads = sorted(float(r[f"ground-{name}.force.normal"][-1]) for name in BALLS)
    assert loads[:2] == [0, 0]
    assert sum(loads) == pytest.approx(MASS * G, rel=1e-6)
    sunk = MASS * G / 2 / K
    assert r["hub.position.z"].to_numpy()[-1] == pytest.approx(ARM / np.sqrt(2) + RADIUS - sunk, abs=1e-7)


def test_rods_carry_what_moves_the_balls():
    """Newton's law for one ball: force of its rod = m (a - g) - force of the ground."""
    r = result("falling-cross")
    a = r["south.acceleration.z"].to_numpy() + G
    rod = r["rod-south.reaction.force"].to_numpy()
    assert rod[:, 2] == pytest.approx(BALL * a - r["ground-south.force.normal"].to_numpy(), abs=1e-6)
    assert np.abs(rod).max() > 100


def test_first_rigid_impact():
    r = result("falling-cross-rigid")
    fall = np.sqrt(2 * (1 - ARM * np.cos(TILT) - RADIUS) / G)
    speed, offset = G * fall, -ARM * np.sin(TILT)
    impulse = (1 + E) * speed / (1 / MASS + offset**2 / INERTIA)
    first = r.events[0]
    assert (first.kind, first.element) == (EventKind.IMPACT, "ground-south")
    assert first.t == pytest.approx(fall, abs=1e-9)
    assert first.size == pytest.approx(impulse, rel=1e-8)
    after = r.at(fall + 1e-3)
    assert float(after["hub.velocity.z"]) == pytest.approx(-speed + impulse / MASS - G * 1e-3, abs=1e-7)
    assert float(after["hub.w.y"]) == pytest.approx(-offset * impulse / INERTIA, abs=1e-7)


def test_rigid_cross_rests_on_two_balls():
    r = result("falling-cross-rigid")
    loads = sorted(float(r[f"ground-{name}.force.normal"][-1]) for name in BALLS)
    assert loads == pytest.approx([0, 0, MASS * G / 2, MASS * G / 2], abs=1e-6)
    assert r["hub.position.z"].to_numpy()[-1] == pytest.approx(ARM / np.sqrt(2) + RADIUS, abs=1e-8)
    assert r["energy.kinetic"].to_numpy()[-1] == pytest.approx(0, abs=1e-12)
    # without friction nothing pushes sideways
    assert r["momentum.linear.x"].to_numpy() == pytest.approx(0, abs=1e-9)


def test_rigid_impacts_only_take_energy():
    energy = result("falling-cross-rigid")["energy.total"].to_numpy()
    assert np.diff(energy).max() < 1e-7
