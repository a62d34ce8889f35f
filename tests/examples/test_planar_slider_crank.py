"""The planar slider-crank in three models: geometry, and the drive against Lagrange's equation."""

import casadi as ca
import numpy as np
import pytest

from .bundled import model, result
from .one_freedom import Moving, OneFreedom, about

G = 9.80665
CRANK, ROD, SPEED = 0.1, 0.25, 10.0
MODELS = ("planar-slider-crank", "planar-slider-crank-translational", "planar-slider-crank-composite")


def slider(angle):
    return CRANK * ca.cos(angle) + ca.sqrt(ROD**2 - CRANK**2 * ca.sin(angle) ** 2)


def bar(mass, length, height):
    """Moment of inertia of a box about z."""
    return mass * (length**2 + height**2) / 12


def bodies(angle, rod=True):
    x, y = CRANK * ca.cos(angle), CRANK * ca.sin(angle)
    middle = ((x + slider(angle)) / 2, y / 2, 0)
    found = [
        Moving(0.4, (1, 1, bar(0.4, CRANK, 0.02)), (x / 2, y / 2, 0), about("z", angle)),
        Moving(1.5, (1, 1, 1), (slider(angle), 0, 0)),
    ]
    if rod:
        turned = about("z", -ca.arcsin(y / ROD))
        found.append(Moving(0.6, (1, 1, bar(0.6, ROD, 0.015)), middle, turned))
    return found


def along(formula, t):
    """A function of the crank's angle with its rate and acceleration over time."""
    q = ca.SX.sym("q")
    first = ca.jacobian(formula(q), q)
    f = ca.Function("f", [q], [formula(q), first * SPEED, ca.jacobian(first, q) * SPEED**2])
    return (np.array([float(f(SPEED * x)[k]) for x in t]) for k in range(3))


@pytest.mark.parametrize("name", MODELS)
def test_slider_against_geometry(name):
    """x = a cos(phi) + sqrt(l^2 - a^2 sin^2(phi)), with its derivatives; positions are solved to 1e-11."""
    r = result(name)
    x, v, a = along(slider, r.t)
    assert r["slider.position.x"].to_numpy() == pytest.approx(x, abs=1e-10)
    assert r["slider.velocity.x"].to_numpy() == pytest.approx(v, abs=1e-8)
    assert r["slider.acceleration.x"].to_numpy() == pytest.approx(a, abs=1e-6)
    assert np.ptp(x) == pytest.approx(2 * CRANK, abs=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_drive_torque(name):
    """What Lagrange's equation of the one degree of freedom asks for; the composite joint has a massless rod."""
    r = result(name)
    linkage = OneFreedom(lambda q: bodies(q, rod="composite" not in name), (0, -G, 0))
    exact = np.array([float(linkage.effort(SPEED * t, SPEED, 0)) for t in r.t])
    assert np.ptp(exact) > 2
    assert r["motor.torque"].to_numpy() == pytest.approx(exact, abs=1e-8)


def test_two_constraints_do_what_the_translational_joint_does():
    absolute, translational = (result(name) for name in MODELS[:2])
    across = absolute["height.reaction.force.y"].to_numpy()
    assert translational["slide.reaction.force.y"].to_numpy() == pytest.approx(across, abs=1e-8)
    assert np.ptp(across) > 5


def test_rod_of_the_composite_joint_is_in_tension_and_compression():
    """The multiplier of the distance is the force in the rod: across the slide, it is what the slide takes."""
    r = result("planar-slider-crank-composite")
    force = np.hypot(r["rod.reaction.force.x"], r["rod.reaction.force.y"]).to_numpy()
    tilt = np.arcsin(CRANK * np.sin(SPEED * r.t) / ROD)
    guide = r["slide.reaction.force.y"].to_numpy() - 1.5 * G
    assert np.abs(guide) == pytest.approx(force * np.abs(np.sin(tilt)), abs=1e-8)


@pytest.mark.parametrize(("name", "count"), list(zip(MODELS, (9, 9, 6), strict=True)))
def test_equations(name, count):
    found = model(name).check()
    assert (found.constraint_rows, found.freedoms_by_rank, found.redundant) == (count, 0, [])


def test_equations_of_the_book():
    """Phi of the full model as on the board, with the crank pin and the absolute constraints."""
    e = model(MODELS[0]).equations(short=True)
    assert [str(row) for row in e["crank-pin"].phi] == [
        "x₂ + x′_2,B cos φ₂ − x₁ − x′_1,B cos φ₁",
        "y₂ + x′_2,B sin φ₂ − y₁ − x′_1,B sin φ₁",
    ]
    assert [str(e[name].phi[0]) for name in ("height", "upright", "motor")] == ["y₃", "φ₃", "φ₁ − speed t"]
