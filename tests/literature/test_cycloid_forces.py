"""Forces on the pins of cycloid drives, as others have published them.

The assumption is that of Malhotra and Parameswaran (1983), also called Kudryavtsev's or Lehmann's: a rigid disc on
equal linear lobes without clearance, so that forces go with their arms. Their own tables, and Blagojevic's, were not
to be had.
"""

import numpy as np
import pytest

from wheelwork.gears import CycloidDrive


@pytest.mark.parametrize(("turn", "largest"), [(0.0, 49.859), (2 * np.pi / 11, 49.271)])
def test_another_program_prints_the_same_largest_force(turn, largest):
    """cycloidgen 7.2.0 (github.com/medinstech/cycloidgen, notes of that release): "peak pin force reads 49.859 N at
    phi = 0 and 49.271 N one lobe pitch later", for its default drive: 11 lobes, pins of 4 mm radius on a circle of
    50 mm, eccentricity 1.5 mm, and 5 N m on two discs (its file core/spec.py)."""
    drive = CycloidDrive(11, 50e-3, 4e-3, 1.5e-3)
    forces, _ = drive.lobe_forces(5.0 / 2, -turn)
    assert forces.max() == pytest.approx(largest, abs=5e-4)


def test_a_published_rv_reducer():
    """Wang, Liu, Yu, Mao, He and Du, Analysis of meshing characteristics of pins and pin housing integral structure in
    cycloidal planetary drive: 39 lobes, 40 pins of 2 mm on 100 mm, eccentricity 1 mm, 167 N m, of which a disc has
    0.55; equations (13) P_max = 4 M_a/(r_a Z_b) and (15), printed as below; 20 pins in contact."""
    drive = CycloidDrive(39, 100e-3, 2e-3, 1e-3)
    torque, r_a, r_b, R = 0.55 * 167.0, 39e-3, 40e-3, 100e-3
    first = np.linspace(0, 2 * np.pi / 40, 50, endpoint=False) + 1e-3
    for one in first:
        forces, _ = drive.lobe_forces(torque, one)
        theta = drive.pin_angles(one)
        printed = np.maximum(R * np.sin(theta) / np.sqrt(R**2 + r_b**2 - 2 * R * r_b * np.cos(theta)), 0)
        printed *= 4 * torque / (r_a * 40)
        # the sum of the squares of the arms is taken as its mean, a quarter of Z_b r_a^2: with 40 pins to 1e-4
        np.testing.assert_allclose(forces, printed, atol=1e-3 * printed.max())
        assert np.count_nonzero(forces) == 20
