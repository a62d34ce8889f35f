"""Bearing loads of the reducer against the statics of its shafts, as in a text-book."""

import numpy as np
import pytest

from .bundled import model, result

G = 9.80665
TORQUE, SPEED = 35.0, 120.0
Z, MODULES, HELIX = (19, 61, 17, 53), (2e-3, 3e-3), np.radians((15, -10))
RADII = [z * MODULES[k // 2] / 2 / np.cos(HELIX[k // 2]) for k, z in enumerate(Z)]
BEARINGS = {"input": (0.0, 0.1), "middle": (0.0, 0.14), "output": (0.03, 0.17)}
PLANES = 0.05, 0.105
BLANKS = [
    (RADII[0], 0.032, 0.012, 0.15),
    (RADII[1], 0.028, 0.016, 0.19),
]  # gear and hub: radius, length of each


def tooth_forces():
    """(x, y, z) on gear 2 and on gear 4.

    The input turns about +y; the gear beside it, at +x, is pushed on its side towards the input. At the contact, at +x
    from the driver's axis, the surface of a driver that turns about +y moves to -z.
    """
    first = TORQUE / RADII[0]
    second = TORQUE * Z[1] / Z[0] / RADII[2]  # the middle shaft turns about -y: its pinion pushes to +z
    forces = []
    for force, across, beta in ((first, -1, HELIX[0]), (second, 1, HELIX[1])):
        radial = force * np.tan(np.radians(20)) / np.cos(beta)
        # a right-handed driver is pushed along its axis in the sense of its turn, the driven gear against it
        thrust = across * force * np.tan(beta)
        forces.append(np.array([radial, thrust, across * force]))
    return forces


def statics(shaft, loads, weights):
    """Forces of the bearings A and B on a shaft along y: moments about z and x at A, then sums.

    loads: (force, y, distance along x of the point from the axis); weights: (force, y)
    """
    a, b = BEARINGS[shaft]
    span = b - a
    # about z at A: x F_y - y F_x = 0, about x: y F_z = 0
    x_b = (sum(x * F[1] - (y - a) * F[0] for F, y, x in loads)) / span
    z_b = -(sum((y - a) * F[2] for F, y, _ in loads) + sum((y - a) * w for w, y in weights)) / span
    total = sum(F for F, _, _ in loads) + np.array([0, 0, sum(w for w, _ in weights)])
    on_b = np.array([x_b, 0, z_b])
    return -total - on_b, on_b


def loads():
    on_2, on_4 = tooth_forces()
    return {
        "input": [(-on_2, PLANES[0], RADII[0])],
        "middle": [(on_2, PLANES[0], -RADII[1]), (-on_4, PLANES[1], RADII[2])],
        "output": [(on_4, PLANES[1], -RADII[3])],
    }


def masses():
    steel = 7850 * np.pi
    blanks = [steel * ((R**2 - h**2) * width + h**2 * length) for R, width, h, length in BLANKS]
    return {
        "input": [(-G * blanks[0], 0.05)],
        "middle": [(-G * blanks[1], 0.05), (-G * steel * RADII[2] ** 2 * 0.05, 0.105)],
        "output": [(-G * 9.0, 0.105)],
    }


@pytest.mark.parametrize("shaft", BEARINGS)
def test_bearing_loads(shaft):
    """Started at its final speed the reducer is in steady motion from the first moment on: to 1e-9."""
    r = model("helical-reducer").with_parameters(start="120 rad/s").run(end=0.1, output=10)
    exact = statics(shaft, loads()[shaft], masses()[shaft])
    scale = np.abs(exact).max()
    for bearing, force in zip("AB", exact, strict=True):
        found = r[f"{shaft}-{bearing}.reaction.force"].to_numpy()
        assert found == pytest.approx(np.broadcast_to(force, found.shape), abs=1e-9 * scale)


def test_end_of_the_start():
    """It gets there by itself; the numbers of the comment."""
    r = result("helical-reducer")
    assert r["input.w.y"].to_numpy()[-1] == pytest.approx(SPEED, abs=1e-6)
    on_b = r["middle-B.reaction.force"].to_numpy()[-1]
    assert np.linalg.norm(on_b) == pytest.approx(4126.4, abs=0.05)
    assert r["first.b.force.axial"].to_numpy()[-1] == pytest.approx(-476.8, abs=0.05)
    assert r["second.a.force.axial"].to_numpy()[-1] == pytest.approx(765.2, abs=0.05)
    assert "minimum_norm" not in r.reaction("middle-B").force.attrs


def test_speed_of_the_start():
    """One equation, J w' = T(w) - k w with everything at the motor: w = 120 (1 - exp(-t/tau))."""
    r = result("helical-reducer")
    half = 7850 * np.pi / 2
    blanks = [half * ((R**4 - h**4) * width + h**4 * length) for R, width, h, length in BLANKS]
    pinion3 = half * RADII[2] ** 4 * 0.05
    J = blanks[0] + (blanks[1] + pinion3) * (Z[0] / Z[1]) ** 2 + 2.0 * (Z[0] / Z[1] * Z[2] / Z[3]) ** 2
    tau = J / (TORQUE / 40 + TORQUE / 120)
    assert 0.01 < tau < 0.1
    assert r["input.w.y"].to_numpy() == pytest.approx(120 * (1 - np.exp(-r.t / tau)), abs=1e-5)
