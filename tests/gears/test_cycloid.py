"""Cycloid discs against printed formulas of others."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize

from wheelwork.gears import CycloidDrive, GeometryError
from wheelwork.gears.cycloid import largest_output_pin_force, radial_share

DRIVE = CycloidDrive(11, 50e-3, 5e-3, 2e-3)
FINE = np.linspace(0, 2 * np.pi, 200_001)


@pytest.mark.parametrize(("lobes", "e"), [(11, 2e-3), (11, 3.6e-3), (29, 1e-3), (6, 5e-3)])
def test_the_outline_is_that_of_shin_and_kwon(lobes, e):
    """Parametric equations as printed (x to the right, y down: t runs the other way)."""
    R, r, N = 50e-3, 3e-3, lobes + 1
    psi = np.arctan2(np.sin((1 - N) * FINE), R / (e * N) - np.cos((1 - N) * FINE))
    x = R * np.cos(FINE) - r * np.cos(FINE + psi) - e * np.cos(N * FINE)
    y = -R * np.sin(FINE) + r * np.sin(FINE + psi) + e * np.sin(N * FINE)
    assert np.abs(CycloidDrive(lobes, R, r, e).outline(-FINE) - np.stack([x, y], axis=1)).max() < 1e-15


@pytest.mark.parametrize("e", [1e-3, 2e-3, 3e-3, 3.6e-3, 4e-3])
def test_the_limit_of_undercut_is_the_least_radius_of_the_curve(e):
    """Closed forms of both branches against the curvature at 200,000 points; second order about the minimum."""
    drive = CycloidDrive(11, 50e-3, 1e-3, e)
    radii = drive.radius_of_curvature(FINE) + drive.pin_radius
    assert drive.least_convex_radius == pytest.approx(radii[radii > 0].min(), rel=1e-8)


@pytest.mark.slow
def test_curvature_is_that_of_the_points():
    t = np.linspace(0.1, 0.9, 20_001)
    points = DRIVE.outline(t)
    first = np.gradient(points, t, axis=0)
    second = np.gradient(first, t, axis=0)
    bend = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    measured = np.linalg.norm(first, axis=1) ** 3 / bend
    known = DRIVE.radius_of_curvature(t)
    sharp = slice(5, -5)
    assert 1 / measured[sharp] == pytest.approx(1 / known[sharp], rel=1e-4, abs=1e-3)


def test_normals_go_through_the_pitch_point():
    """At the position in which pin 0 is in its valley: P is e z from the disc's centre, towards that pin."""
    theta = 2 * np.pi * np.arange(12) / 12
    P = np.array([DRIVE.pitch_radii[0], 0.0])
    away = DRIVE.centres(theta) - P
    n = DRIVE.normals(theta)
    assert away[:, 0] * n[:, 1] - away[:, 1] * n[:, 0] == pytest.approx(np.zeros(12), abs=1e-15)
    assert np.abs(P[0] * n[:, 1] - P[1] * n[:, 0]) == pytest.approx(np.abs(DRIVE.arms(theta)), abs=1e-15)


def test_clearance_of_modified_discs():
    """What is printed for the initial clearance of a disc with equidistant and moved-distance modification, such as in
    Li and others, Mechanism and Machine Theory 2004: to first order in the modifications."""
    drive = CycloidDrive(11, 50e-3, 5e-3, 2e-3, offset=30e-6, shift=10e-6)
    theta = np.linspace(0.01, np.pi - 0.01, 50)
    K = drive.shortening
    S = np.sqrt(1 + K * K - 2 * K * np.cos(theta))
    printed = drive.offset * (1 - np.sin(theta) / S)
    printed -= drive.shift * (1 - K * np.cos(theta) - np.sqrt(1 - K * K) * np.sin(theta)) / S
    assert drive.clearance(theta) == pytest.approx(printed, abs=1e-11)


def test_lobe_forces_are_those_of_malhotra_and_parameswaran():
    torque = 100.0
    first = np.linspace(0, 2 * np.pi / 12, 60, endpoint=False)
    forces = np.array([DRIVE.lobe_forces(torque, one)[0] for one in first])
    angles = np.array([DRIVE.pin_angles(one) for one in first])
    arms = DRIVE.arms(angles)
    assert np.sum(forces * arms, axis=1) == pytest.approx(torque, rel=1e-12)
    assert np.all(forces[arms <= 0] == 0)
    # F_i = F_max l_i/l_max; the mean over a pitch of pins is the integral over half a turn
    peak = np.mean(np.max(forces, axis=1) * DRIVE.pitch_radii[0] / np.max(arms, axis=1))
    assert peak == pytest.approx(4 * torque / (2e-3 * 11 * 12), rel=1e-3)
    assert DRIVE.largest_force(torque) == pytest.approx(4 * torque / (2e-3 * 11 * 12), rel=1e-15)


def test_clearance_takes_lobes_out_of_the_load():
    """With stiff lobes one carries all; with soft ones the clearance does not matter: Malhotra's forces."""
    drive = CycloidDrive(11, 50e-3, 5e-3, 2e-3, offset=20e-6)
    few, turn = drive.lobe_forces(50.0, 0.1, stiffness=1e12)
    many, _ = drive.lobe_forces(50.0, 0.1, stiffness=1e4)
    equal, _ = drive.lobe_forces(50.0, 0.1)
    arms = drive.arms(drive.pin_angles(0.1))
    assert np.count_nonzero(few) == 1
    assert few @ arms == pytest.approx(50.0, rel=1e-12)
    assert turn == pytest.approx(20e-6 / arms.max(), rel=1e-2)
    assert many == pytest.approx(equal, abs=1e-3 * equal.max())
    back, turn = drive.lobe_forces(-50.0, 0.1, stiffness=1e8)
    assert back @ arms == pytest.approx(-50.0, rel=1e-12)
    assert turn < 0


@pytest.mark.parametrize("K", [1e-4, 0.01, 0.48, 0.9])
def test_radial_share_is_the_integral(K):
    integral = quad(
        lambda s: np.sin(s) * (np.cos(s) - K) / (1 + K * K - 2 * K * np.cos(s)), 0, np.pi, epsrel=1e-12
    )
    assert radial_share(K) == pytest.approx(2 / np.pi * integral[0], rel=1e-8, abs=1e-12)


def test_pressure_angle_is_right_where_the_arm_is_longest():
    """There the normal is at a right angle to the line from the disc's centre to P."""
    theta = np.arccos(DRIVE.shortening)
    assert DRIVE.arms(theta) == pytest.approx(DRIVE.pitch_radii[0], rel=1e-12)
    away = DRIVE.pin_circle * np.array([np.cos(theta), np.sin(theta)]) - [DRIVE.eccentricity, 0]
    assert np.cos(DRIVE.pressure_angles(theta)) == pytest.approx(DRIVE.pitch_radii[0] / np.linalg.norm(away))


def test_output_pins():
    assert largest_output_pin_force(-100.0, 8, 0.04) == 1250.0


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"lobes": 1}, "at least 2 lobes, but has 1"),
        (
            {"eccentricity": 4.2e-3},
            "the eccentricity of 4.2 mm is too large: with 12 pins on a circle of radius 50 mm",
        ),
        ({"pin_radius": 13e-3}, "pins of radius 13 mm overlap"),
        ({"pin_radius": 10e-3, "eccentricity": 3.6e-3}, "bent to a radius of 9.256 mm"),
        ({"offset": -6e-3}, "an `offset` of -6 mm takes away more than the pins' radius of 5 mm"),
        ({"pin_radius": 0.0}, "`pin_radius` must be greater than zero, but is 0 mm"),
    ],
)
def test_what_cannot_be_made(fields, words):
    given = {"lobes": 11, "pin_circle": 50e-3, "pin_radius": 5e-3, "eccentricity": 2e-3, **fields}
    with pytest.raises(GeometryError, match=words):
        CycloidDrive(**given)


@pytest.mark.parametrize(("offset", "shift"), [(-4e-6, 0.0), (0.0, 5e-6), (3e-6, 5e-6), (8e-6, 5e-6)])
def test_overlap_is_that_of_outline_and_pins(offset, shift):
    """Pins at their places in the disc's frame, as in `test_lobe_forces_by_another_way`, over all positions. Gaps are
    of first order in the modifications; points of the outline are 2 um apart."""
    drive = CycloidDrive(11, 50e-3, 5e-3, 1.5e-3, offset=offset, shift=shift)
    t = np.linspace(0, 2 * np.pi, 200_001)
    edge, made = drive.outline(t), drive.normals(t)
    depths = []
    for turn in np.linspace(0, 2 * np.pi / 12, 20):
        ring = -1.5e-3 * np.array([np.cos(12 * turn), np.sin(12 * turn)])
        centre = ring + 50e-3 * np.array([np.cos(turn), np.sin(turn)])
        k = np.argmin(np.linalg.norm(edge - centre, axis=1))
        depths.append(5e-3 - (centre - edge[k]) @ made[k])
    assert max(depths) == pytest.approx(drive.overlap, abs=2e-8)


@pytest.mark.parametrize(("first", "torque"), [(0.0, 40.0), (0.3, -25.0)])
def test_lobe_forces_by_another_way(first, torque):
    """Of all forces that hold the torque those with the least complementary energy, sum of F^2/(2 k) + F gap, with
    arms and gaps measured on points of the outline: nothing of the closed forms. A point for each 2 um leaves gaps of
    0.1 nm, of 10 um, open."""
    drive = CycloidDrive(11, 50e-3, 5e-3, 1.5e-3, offset=8e-6, shift=4e-6)
    stiffness, t = 2e8, np.linspace(0, 2 * np.pi, 200_001)
    edge = drive.outline(t)
    pins = -first / 11 + 2 * np.pi * np.arange(12) / 12
    ring = -1.5e-3 * np.array([np.cos(12 * pins[0]), np.sin(12 * pins[0])])
    centres = ring + 50e-3 * np.stack([np.cos(pins), np.sin(pins)], axis=1)
    near = np.array([edge[np.argmin(np.linalg.norm(edge - centre, axis=1))] for centre in centres])
    away = centres - near
    distance = np.linalg.norm(away, axis=1)
    arms = (near[:, 0] * away[:, 1] - near[:, 1] * away[:, 0]) / distance * np.sign(torque)
    gaps = distance - 5e-3
    scale = abs(torque) / 16.5e-3
    found = minimize(
        lambda f: np.sum((scale * f) ** 2 / (2 * stiffness) + scale * f * gaps),
        np.full(12, 0.1),
        bounds=[(0, None)] * 12,
        constraints={"type": "eq", "fun": lambda f: (scale * f @ arms - abs(torque)) / abs(torque)},
        options={"ftol": 1e-16, "maxiter": 500},
        method="SLSQP",
    )
    forces, _ = drive.lobe_forces(torque, first, stiffness)
    assert 2 < np.sum(forces > 0) < 6
    assert sorted(scale * found.x) == pytest.approx(sorted(forces), abs=5e-3 * forces.max())
