"""The two windows through their singular positions, at default settings."""

import numpy as np
import pytest

from .bundled import model, result


def test_end_point():
    r = result("n-four-bar")
    # IFToMM library of benchmark problems, A02 with N = 2, from the exact equation of the one degree of freedom
    top = 2 * r["link0.position"].to_numpy()[-1, :2]
    assert top == pytest.approx([0.3284581115, 0.9445185382], abs=1e-6)


def test_energy_is_kept():
    energy = result("n-four-bar")["energy.total"]
    assert abs(energy - energy[0]).max() < 1e-6


def test_it_passed_flat_positions_and_stayed_together():
    r = result("n-four-bar")
    angle = r["A0.angle"].to_numpy()  # from upright
    flats = np.flatnonzero(np.diff(np.floor(angle / np.pi - 0.5)))
    assert len(flats) >= 10
    # all windows stay parallelograms: links turn alike, couplers do not turn
    for k in (1, 2):
        assert r[f"A{k}.angle"].to_numpy() == pytest.approx(angle, abs=1e-8)
    for k in (1, 2):
        assert abs(r[f"coupler{k}.orientation"].sel(euler_parameter="z")).max() < 1e-8


def test_redundant_constraints():
    found = model("n-four-bar").check()
    assert (found.freedoms_by_count, found.freedoms_by_rank, len(found.redundant)) == (-5, 1, 6)


def test_flat_position_is_called_singular():
    m = model("n-four-bar").with_parameters(speed=0)
    for name, body in m.bodies.items():
        if name.startswith("link"):
            k = int(name[-1])
            body.position, body.orientation = (k + 0.5, 0, 0), {"axis": (0, 0, 1), "angle": -np.pi / 2}
        else:
            body.position = (int(name[-1]) + 0.5, 0, 0)
    points = {"A": 0, "B": 1}
    for name, joint in m.joints.items():
        joint.point = (int(name[1]) + points[name[0]], 0, 0)
    found = m.check()
    assert found.singular_position
    assert found.freedoms_by_rank == 3  # N + 1
    assert len(found.redundant) == 6  # those of ordinary positions
