"""A planetary stage: its ratio, its start against the equation of one freedom, and the statics of torques and teeth."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from .bundled import model, result

SUN, PLANET, RING, MODULE = 18, 27, 72, 4e-3
RATIO = 1 + RING / SUN
ARM = (SUN + PLANET) * MODULE / 2
STALL, IDLE, DRAG = 12.0, 40.0, 2.5
PLANETS = "123"


def round_about(radius, length, bore=0.0):
    """Mass and moment about its axis of a steel cylinder with a bore."""
    mass = 7850 * np.pi * (radius**2 - bore**2) * length
    return mass, mass * (radius**2 + bore**2) / 2


def inertia_of_motor_and_sun():
    parts = (
        round_about(55e-3, 120e-3),
        round_about(SUN * MODULE / 2, 30e-3, 14e-3),
        round_about(14e-3, 120e-3),
    )
    return sum(moment for _, moment in parts)


def inertia():
    """Of everything, against the speed of the sun."""
    mass, spin = round_about(PLANET * MODULE / 2, 30e-3, 15e-3)
    bar = 7850 * 26e-3 * 12e-3 * ARM
    carrier = 6.0 + 3 * bar * ((26e-3**2 + ARM**2) / 12 + ARM**2 / 4) + 3 * mass * ARM**2
    planet = 1 - RING / PLANET  # speed of a planet over that of the carrier: it rolls in the ring
    return inertia_of_motor_and_sun() + (carrier + 3 * spin * planet**2) / RATIO**2


def steady_speed():
    return STALL / (STALL / IDLE + DRAG / RATIO**2)


@pytest.mark.slow
def test_ratio():
    r = result("planetary-gearbox")
    assert RATIO == 5
    sun, carrier = r["sun-bearing.angle"].to_numpy(), r["carrier-bearing.angle"].to_numpy()
    assert sun[-1] > 80
    assert sun == pytest.approx(RATIO * carrier, abs=1e-9)
    for k in PLANETS:
        turned = r[f"pin{k}.angle"].to_numpy()
        assert turned == pytest.approx(-RING / PLANET * carrier, abs=1e-9)


def test_start_against_one_freedom():
    """I w' = T_0 (1 - w/w_0) - c w/i^2: the speed comes up exponentially."""
    r = result("planetary-gearbox")
    tau = inertia() / (STALL / IDLE + DRAG / RATIO**2)
    assert r["sun-bearing.w"].to_numpy() == pytest.approx(steady_speed() * -np.expm1(-r.t / tau), abs=2e-5)


def test_energy():
    r = result("planetary-gearbox")
    w = r["sun-bearing.w"].to_numpy()
    energy = r["energy.kinetic"].to_numpy()
    assert energy == pytest.approx(inertia() * w**2 / 2, rel=1e-9)
    power = r["drive.torque"].to_numpy() * w + r["load.viscous"].to_numpy() * w / RATIO
    work = CubicSpline(r.t, power).antiderivative()(r.t)
    assert energy == pytest.approx(work, abs=1e-5 * energy[-1])


def test_planets_share_the_load_equally():
    r = result("planetary-gearbox")
    for mesh in ("sun-planet{}", "planet{}-ring"):
        one, two, three = (r[f"{mesh.format(k)}.force.tangential"].to_numpy() for k in PLANETS)
        assert two == pytest.approx(one, abs=1e-5)
        assert three == pytest.approx(one, abs=1e-5)
    # what turns motor and sun is the torque less that of three teeth, from the first moment on
    teeth = 3 * r["sun-planet1.force.tangential"].to_numpy() * SUN * MODULE / 2
    rate = CubicSpline(r.t, r["sun-bearing.w"].to_numpy()).derivative()(r.t)
    assert r["drive.torque"].to_numpy() - teeth == pytest.approx(inertia_of_motor_and_sun() * rate, abs=1e-4)


def test_statics_at_steady_speed():
    r = model("planetary-gearbox").simulate(end=20, output=20).at(20)
    assert float(r["sun-bearing.w"]) == pytest.approx(30, rel=1e-8) == steady_speed()
    motor = float(r["drive.torque"])
    assert motor == pytest.approx(3, rel=1e-7)
    assert float(r["load.viscous"]) == pytest.approx(-RATIO * motor, rel=1e-7)
    assert float(r["held.reaction.torque.y"]) == pytest.approx((RATIO - 1) * motor, rel=1e-7)
    for k in PLANETS:
        force = motor / 3 / (SUN * MODULE / 2)
        assert abs(float(r[f"sun-planet{k}.force.tangential"])) == pytest.approx(force, rel=1e-6)
        assert abs(float(r[f"planet{k}-ring.force.tangential"])) == pytest.approx(force, rel=1e-6)
        # radial parts of both meshes cancel on the planet; its pin holds both tangential parts and turns it in a circle
        at = r[f"planet{k}.position"].to_numpy().ravel()
        pin = r[f"pin{k}.reaction.force"].to_numpy().ravel()
        across = np.cross((0, 1, 0), at / ARM)
        assert pin @ across == pytest.approx(-2 * force, rel=1e-6)
