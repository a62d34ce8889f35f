"""Two meshes on a counter shaft: how their errors meet, against the linear equations of three rotors."""

import numpy as np
import pytest

from .bundled import model, result

COS = np.cos(np.radians(20))
R2, R3, R4 = (z * m / 2 * COS for z, m in ((36, 2.5e-3), (36, 4e-3), (81, 4e-3)))
R1 = R2 / 2
I1, I2, I3, I4 = 1.2e-3, 8e-3, 2.5e-2, 0.4
K1, K2, K_S, C_S = 2.5e8, 4e8, 2e5, 4.0
C1, C2 = (
    2 * 0.04 * np.sqrt(k / (r**2 / i + s**2 / j))
    for k, r, i, s, j in ((K1, R1, I1, R2, I2), (K2, R3, I3, R4, I4))
)
ACCELERATION = "output.acceleration"


def shares(speed):
    """Output acceleration by each error alone [rad/s^2], complex: three rotors behind an input that turns evenly."""
    w = 36 * speed
    first, second, shaft = np.array([R2, 0, 0]), np.array([0, R3, R4]), np.array([1, -1, 0])
    springs = ((K1 + 1j * w * C1, first), (K2 + 1j * w * C2, second), (K_S + 1j * w * C_S, shaft))
    dynamic = -(w**2) * np.diag([I2, I3, I4]) + sum(z * np.outer(d, d) for z, d in springs)
    return [
        -(w**2) * np.linalg.solve(dynamic, z * d * error)[2]
        for (z, d), error in zip(springs[:2], (4e-6, 5e-6), strict=True)
    ]


def worst(speed):
    """Angle between the wheels [rad], within a pitch: where z3 angle makes up for the lag between the two."""
    one, other = shares(speed)
    return (np.angle(one / other) / 36) % (2 * np.pi / 36)


def test_numbers_of_the_file():
    one, other = shares(100.0)
    assert np.degrees(worst(100.0)) == pytest.approx(0.14, abs=0.005)
    assert (abs(one) + abs(other)) / np.sqrt(2) == pytest.approx(110.7, abs=0.05)
    assert abs(abs(one) - abs(other)) / np.sqrt(2) == pytest.approx(3.6, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("speed", [100.0, 250.0])
def test_worst_and_best_angle(speed):
    """A sweep of the angle finds the sum and the difference of the two shares where the phases say, and between them
    what the triangle of shares gives; the worst angle depends on the speed."""
    top = worst(speed)
    angles = top + np.radians([0.0, 1.7, 5.0, 7.2])
    found = model("mesh-phasing").sweep(
        "angle",
        angles,
        signals=[ACCELERATION],
        contacts=["first.side", "second.side"],
        frequency="speed/(2*pi)",
        settle=14,
        measure=1,
        samples=720,
        orders=[36],
        parameters={"speed": speed, "load": 1000.0},  # near a resonance 300 N m would let the teeth part
        rtol=1e-7,
    )
    one, other = shares(speed)
    exact = np.abs(one + other * np.exp(1j * 36 * angles))
    amplitude = np.abs(found[ACCELERATION]["amplitude"].to_numpy().ravel())
    # errors follow the vibrating wheels, not the even turn: E z/r_b of the amplitude, 2e-3 of the sum of shares
    assert amplitude == pytest.approx(exact, abs=2e-3 * (abs(one) + abs(other)))
    assert amplitude[2] < 0.3 * amplitude[0]
    assert float(found.dataset["open"].max()) == 0


def test_worst_angle_moves_with_speed():
    """Below its resonances the shaft follows both errors together; beyond the first they are in turn."""
    assert abs((np.degrees(worst(250.0) - worst(100.0)) + 5) % 10 - 5) > 1.5


@pytest.mark.slow
def test_teeth_keep_to_their_flanks():
    r = result("mesh-phasing")
    assert np.all(r["first.side"].to_numpy() == -1)
    assert np.all(r["second.side"].to_numpy() == 1)
    late = r.t > 0.2
    assert r["second.force.transverse"].to_numpy()[late].mean() == pytest.approx(300 / R3, rel=1e-2)


@pytest.mark.slow
def test_phase_follows_the_angle_of_the_wheel():
    """Turning wheel 3 on the shaft by one pitch changes nothing."""
    m = model("mesh-phasing")
    runs = [
        m.with_parameters(angle=angle).run(end=0.02, output=200) for angle in (0.01, 0.01 + 2 * np.pi / 36)
    ]
    force, other = (r["second.force.transverse"].to_numpy() for r in runs)
    assert force == pytest.approx(other, rel=1e-6)
    assert np.ptp(force) > 100
