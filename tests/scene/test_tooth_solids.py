"""Solids of wheels are closed, look outwards, and have the volume of their sections."""

from collections import Counter

import numpy as np
import pytest

from wheelwork.gears import BevelPair, Gear, RackPair
from wheelwork.show.scene.bevel import BevelWheel, bevel_solid
from wheelwork.show.scene.cylindrical import (
    COARSE,
    FINE,
    MEDIUM,
    convex,
    hollow,
    outline,
    rack_outline,
    rack_solid,
    tooth_line,
    wheel_solid,
)
from wheelwork.show.scene.screw import ScrewSurface, screw_solid

from .sections import Plane, area

WIDTH = 20e-3
SCREW = ScrewSurface(2, 10e-3, np.radians(78), np.radians(20), 2e-3, 2.4e-3)
BEVELS = BevelPair((14, 31), 2e-3, 11e-3, spiral_angle=0.4)
RACK = RackPair(Gear(15, 2e-3, helix_angle=0.3))
SOLIDS = {
    "spur": lambda: wheel_solid(Gear(20, 2e-3), WIDTH, 5e-3, 0.1),
    "without a bore": lambda: wheel_solid(Gear(20, 2e-3), WIDTH, 0.0),
    "undercut": lambda: wheel_solid(Gear(8, 2e-3), WIDTH, 2e-3),
    "helical": lambda: wheel_solid(Gear(20, 2e-3, helix_angle=0.4), WIDTH, 5e-3),
    "ring": lambda: wheel_solid(Gear(50, 2e-3, internal=True), WIDTH, 60e-3),
    "helical ring": lambda: wheel_solid(Gear(50, 2e-3, internal=True, helix_angle=-0.3), WIDTH, 60e-3),
    "coarse": lambda: wheel_solid(Gear(50, 2e-3), WIDTH, 10e-3, detail=COARSE),
    "rack": lambda: rack_solid(RACK, 3e-3, 6, WIDTH, 8e-3),
    "bevel": lambda: bevel_solid(BevelWheel.of(BEVELS, 0), 5e-3),
    "bevel without a bore": lambda: bevel_solid(BevelWheel.of(BEVELS, 1), 0.0),
    "worm": lambda: screw_solid(SCREW, WIDTH),
}


@pytest.fixture(params=SOLIDS)
def solid(request):
    return SOLIDS[request.param]()


def test_every_edge_has_two_faces_that_go_along_it_in_opposite_ways(solid):
    edges = Counter((a, b) for face in solid.faces for a, b in zip(face, face[1:] + face[:1], strict=True))
    assert max(edges.values()) == 1
    assert all((b, a) in edges for a, b in edges)


@pytest.mark.slow
def test_volume_is_that_of_the_sections(solid):
    """Gauss over the faces against areas of sections, which do not know which way faces look."""
    found = solid.triangles()
    low, high = found.points[:, 2].min(), found.points[:, 2].max()
    heights = low + (high - low) * (np.arange(120) + 0.5) / 120
    planes = [Plane(np.array([0, 0, z]), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])) for z in heights]
    areas = [area(plane.cut(found.points, found.indices), 150) for plane in planes]
    # 150 lines a section; of a bevel wheel the areas vary along z, with corners
    assert found.volume == pytest.approx(np.mean(areas) * (high - low), rel=5e-3)


def test_normals_look_along_the_faces(solid):
    found = solid.triangles()
    p, q, r = (found.points[found.indices[:, k]] for k in range(3))
    across = np.cross(q - p, r - p)
    big = np.linalg.norm(across, axis=1) > 1e-3 * np.linalg.norm(across, axis=1).max()
    across = across[big] / np.linalg.norm(across[big], axis=1, keepdims=True)
    for k in range(3):
        assert np.min(np.einsum("ij,ij->i", across, found.normals[found.indices[big, k]])) > np.cos(0.7)
    np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1, atol=1e-9)


@pytest.mark.parametrize("internal", [False, True])
def test_volume_is_outline_area_times_width(internal):
    gear = Gear(40, 2e-3, internal=internal)
    line, back = tooth_line(gear), 55e-3 if internal else 10e-3
    x, y = outline(line, 40).T
    inside = 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    feet = outline(line, 40).reshape(40, -1, 2)[:, line.base].reshape(-1, 2)
    turns = np.sort(np.arctan2(feet[:, 1], feet[:, 0]))
    steps = np.diff(np.append(turns, turns[0] + 2 * np.pi))
    ring = 0.5 * back**2 * float(np.sum(np.sin(steps)))
    volume = wheel_solid(gear, WIDTH, back).triangles().volume
    assert volume == pytest.approx(abs(inside - ring) * WIDTH, rel=1e-9)


def test_rack_volume():
    x, y = rack_outline(RACK, 3e-3, 6).T
    above = float(np.sum((y[1:] + y[:-1]) / 2 * np.diff(x)))
    volume = rack_solid(RACK, 3e-3, 6, WIDTH, 8e-3).triangles().volume
    assert volume == pytest.approx((above + 8e-3 * (x[-1] - x[0])) * WIDTH, rel=1e-9)


@pytest.mark.parametrize(("detail", "near"), [(FINE, 0.01), (MEDIUM, 0.02), (COARSE, 0.07)])
@pytest.mark.parametrize("internal", [False, True])
def test_straight_pieces_stay_inside_the_tooth(internal, detail, near):
    """Whatever the detail: half thickness at any height is never more than that of the true tooth."""
    gear = Gear(60, 2e-3, internal=internal)
    fine = tooth_line(gear, type(FINE)(400, 400)).half[1:-1]
    few = tooth_line(gear, detail).half[1:-1]
    order = 1 if fine[0, 0] < fine[-1, 0] else -1
    heights = np.linspace(fine[0, 0], fine[-1, 0], 500)[5:-5]
    true = np.interp(heights * order, fine[::1, 0] * order, fine[:, 1])
    drawn = np.interp(heights * order, few[:, 0] * order, few[:, 1])
    assert np.max(drawn - true) < 2e-5 * gear.module
    assert np.max((true - drawn)[250:]) < near * gear.module  # on the flank, where the mate touches


def test_curves_as_few_pieces():
    """A quarter circle: chords are inside the circle, tangents outside, and both end where it does."""
    turn = np.linspace(0, np.pi / 2, 61)
    circle = np.column_stack((np.cos(turn), np.sin(turn)))
    chords, tangents = convex(circle, 5), hollow(circle, 5)
    assert len(chords) == len(tangents) == 5
    for line in (chords, tangents):
        np.testing.assert_allclose(line[[0, -1]], circle[[0, -1]], atol=1e-12)
    middles = (chords[1:] + chords[:-1]) / 2
    assert np.all(np.hypot(*middles.T) < 1)
    assert np.all(np.hypot(*tangents[1:-1].T) > 1)


def test_helix_is_right_handed_where_it_is_positive():
    """Above, a tooth of a right-handed wheel is further anticlockwise."""
    gear = Gear(20, 2e-3, helix_angle=0.3)
    corners = wheel_solid(gear, WIDTH, 5e-3).corners
    tips = corners[np.hypot(corners[:, 0], corners[:, 1]) > gear.tip_diameter / 2 - 1e-9]
    expected = np.tan(0.3) / (gear.reference_diameter / 2) * WIDTH / 2
    top = tips[np.isclose(tips[:, 2], WIDTH / 2)]
    angles = np.sort(np.arctan2(top[:, 1], top[:, 0]) % (2 * np.pi / 20))
    pitch = 2 * np.pi / 20
    middle = np.angle(np.mean(np.exp(2j * np.pi * angles / pitch))) * pitch / (2 * np.pi)
    assert (middle - expected + pitch / 2) % pitch - pitch / 2 == pytest.approx(0, abs=1e-6)
