"""Outlines against the numerical envelope of the tool, and as closed lines."""

from math import cos, pi, radians, sin

import numpy as np
import pytest
from scipy.spatial import cKDTree

from wheelwork.gears import ISO_53_A, ISO_53_C, BasicRack, Gear, RackPair, gear_outline, half_tooth
from wheelwork.gears.generation import generated_by_rack
from wheelwork.gears.outline import cartesian
from wheelwork.gears.tools import PinionTool, RackTool

M = 1.0

EXTERNAL = {
    "standard": Gear(25, M),
    "undercut": Gear(9, M),
    "deep undercut": Gear(6, M, profile_shift=-0.2),
    "shifted": Gear(12, M, profile_shift=0.6),
    "large": Gear(120, M, profile_shift=-0.4),
    "sharp tool": Gear(20, M, rack=BasicRack(root_radius=0.0)),
    "round tool": Gear(20, M, rack=BasicRack(root_radius=ISO_53_A.greatest_root_radius)),
    "helical": Gear(15, M, helix_angle=radians(28), thickness_allowance=-0.05),
}


def _rack_level(gear: Gear, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance of points from a tooth of the rack tool, in its normal section: negative inside the steel.

    The tool is written down anew, as all points within the tip radius of a smaller trapezium.
    """
    rack, shift = gear.rack, gear.generating_profile_shift * gear.module
    alpha, radius = rack.pressure_angle, rack.root_radius * gear.module
    x = np.abs(x) * cos(gear.helix_angle)
    flank = (x - pi * gear.module / 4) * cos(alpha) - (y - shift) * sin(alpha) + radius
    tip = shift - rack.dedendum * gear.module + radius - y
    level = np.maximum(flank, tip)
    # beyond the corner of the small trapezium the nearest point is the corner itself
    corner = pi * gear.module / 4 + (shift - rack.dedendum * gear.module + radius - shift) * np.tan(alpha)
    corner -= radius / cos(alpha)
    beside = (x - corner) * sin(alpha) + (-tip) * cos(alpha) < 0
    far = np.hypot(x - corner, tip)
    return np.where(beside & (x > corner) & (tip > 0), far, level) - radius


@pytest.mark.parametrize("name", EXTERNAL)
def test_external_outline_is_the_envelope(name):
    """Rolling past, the tool touches every point of flank and fillet and never cuts deeper."""
    gear = EXTERNAL[name]
    half = half_tooth(gear, 12, 12)
    radius = gear.reference_diameter / 2
    roll = np.linspace(-4.5 * M, 4.5 * M, 12001)
    for r, angle in np.concatenate((half.fillet, half.flank[1:])):
        # the space's middle is at pi/z from the tooth's; the gear turns clockwise as the tool moves to the right
        at = pi / gear.teeth - angle + roll / radius
        x, y = r * np.sin(at) - roll, r * np.cos(at) - radius
        level = _rack_level(gear, x, y)
        assert np.min(level) == pytest.approx(0, abs=5e-5)  # a corner passes between two steps of the roll


@pytest.mark.parametrize("name", EXTERNAL)
def test_flank_is_generated_by_the_straight_tool(name):
    """The involute of the closed formula is what the tool's straight flank makes."""
    gear = EXTERNAL[name]
    half, tool = half_tooth(gear), RackTool.of(gear)
    heights = np.linspace(tool.flank_start, tool.flank_start + 1.2 * M, 7)
    alpha = gear.transverse_pressure_angle
    used = gear.reference_diameter / 2 * sin(alpha) + heights / sin(alpha) > 0
    polar = generated_by_rack(*tool.flank(heights[used]), gear.reference_diameter / 2)
    radii, angles = polar[:, 0], pi / gear.teeth - polar[:, 1]
    base = gear.base_diameter / 2
    spread = np.sqrt(radii**2 - base**2) / base
    assert angles == pytest.approx(gear.base_half_angle - (spread - np.arctan(spread)), abs=1e-12)
    assert half.undercut == (not used.all())


@pytest.mark.parametrize("name", ["standard", "shifted", "large", "round tool", "helical"])
def test_fillet_and_flank_meet_smoothly(name):
    half = half_tooth(EXTERNAL[name], 2000, 2000)
    below, above = np.diff(cartesian(half.fillet), axis=0)[-1], np.diff(cartesian(half.flank), axis=0)[0]
    turn = np.cross([*below, 0], [*above, 0])[2] / np.hypot(*below) / np.hypot(*above)
    assert abs(turn) < 5e-3


def test_undercut_tooth_has_a_corner():
    half = half_tooth(EXTERNAL["deep undercut"], 2000, 2000)
    assert half.undercut
    assert half.form_radius > EXTERNAL["deep undercut"].base_diameter / 2
    assert half.fillet[-1] == pytest.approx(half.flank[0], abs=1e-9)
    assert half.fillet[:, 1].min() < half.fillet[-1, 1]  # the waist is thinner than the tooth above it


RINGS = {
    "ring": (Gear(60, M, internal=True), None),
    "small ring": (Gear(36, M, internal=True, profile_shift=-0.5), 17),
    "shifted ring": (Gear(80, M, internal=True, rack=ISO_53_C, profile_shift=0.2), 25),
    "round tool": (Gear(70, M, internal=True, rack=BasicRack(root_radius=ISO_53_A.greatest_root_radius)), 22),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RINGS)
def test_ring_outline_is_the_envelope(name):
    """The same for the pinion-type tool inside a ring: it comes within nothing of every point, and never inside."""
    ring, teeth = RINGS[name]
    tool = PinionTool(ring, teeth)
    half = half_tooth(ring, 6, 7, tool)
    base = tool.base_radius
    rho = np.linspace(0, tool.form_curvature, 4000)
    spread = rho / base
    flank = np.column_stack((np.hypot(base, rho), tool.base_half_angle - spread + np.arctan(spread)))
    rounding = tool.rounding(2000)[0][::-1]
    line = np.concatenate((cartesian(flank), rounding))
    tree = cKDTree(line)
    own, rolling = tool.rolling_radii
    tip = np.hypot(*rounding[-1])
    for r, angle in np.concatenate((half.fillet, half.flank[1:])):
        if r < ring.base_diameter / 2:
            continue  # a tip inside the base circle is not generated
        turn = np.linspace(-2.6, 2.6, 4001) * 2 * pi / tool.count
        # seen from the tool: the ring's centre stands back by a_0, both turn by the same arc
        seat = pi / ring.teeth - angle + turn * own / rolling
        x, y = r * np.cos(seat) - (rolling - own), r * np.sin(seat)
        x, y = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
        away, _ = tree.query(np.column_stack((x, np.abs(y))))
        assert away.min() < 2e-3
        inside = (np.hypot(x, y) < tip - 1e-5) & (
            np.abs(np.arctan2(y, x))
            < np.interp(np.hypot(x, y), np.hypot(*line.T), np.arctan2(line[:, 1], line[:, 0])) - 1e-5
        )
        assert not np.any(inside & (away > 1e-3))


@pytest.mark.parametrize("internal", [False, True])
def test_gear_outline_is_closed_and_regular(internal):
    gear = Gear(31, M, internal=internal)
    line = gear_outline(gear, 0.1)
    assert line[0] == pytest.approx(line[-1])
    radii = np.hypot(*line.T)
    ends = sorted((gear.tip_diameter / 2, gear.root_diameter / 2))
    assert (radii.min(), radii.max()) == pytest.approx(ends)
    turns = np.unwrap(np.arctan2(line[:, 1], line[:, 0]))
    assert turns[-1] - turns[0] == pytest.approx(2 * pi)
    # area: between root and tip circle, and the same after a turn by one pitch
    x, y = line.T
    area = np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]) / 2
    assert pi * ends[0] ** 2 < area < pi * ends[1] ** 2
    turned = gear_outline(gear, 0.1 + 2 * pi / 31)
    assert cKDTree(line).query(turned)[0].max() < 1e-9


def test_rack_outline():
    gear = Gear(20, M, helix_angle=0.3)
    line = RackPair(gear).outline(3)
    assert line[:, 1].min() == pytest.approx(-1.25)
    assert line[:, 1].max() == pytest.approx(1.0)
    assert line[-1, 0] - line[0, 0] == pytest.approx(3 * gear.transverse_pitch)
    # on the reference line teeth are half a pitch thick
    crossings = [
        np.interp(0, *line[[k, k + 1]][np.argsort(line[[k, k + 1], 1])].T[::-1])
        for k in range(len(line) - 1)
        if line[k, 1] * line[k + 1, 1] < 0
    ]
    assert np.diff(crossings) == pytest.approx(gear.transverse_pitch / 2)
