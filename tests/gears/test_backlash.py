"""Backlash measured on outlines, and its parts."""

from math import cos, pi, radians, tan

import numpy as np
import pytest
from scipy.optimize import brentq

from wheelwork.gears import Gear, GearPair, RackPair, allowance_for, backlash

from .examples import PAIRS
from .test_pair import _distance, _flank


@pytest.mark.parametrize("name", ["spread", "thinned", "helical ring"])
def test_measured_on_outlines(name):
    """Wheel b, turned by its angular backlash, touches with the other flank, and not before."""
    pair = PAIRS[name]
    gap = backlash(pair)
    position = pair.path.pitch_point
    angle_a, angle_b = (float(angle) for angle in pair.contact_angles(position))
    turn = gap.angular[1] if not pair.internal else -gap.angular[1]
    # the flank behind: that of the same tooth of a, and of the tooth of b (the space of a ring) on its other side
    behind = angle_b if pair.internal else angle_b + 2 * pi / pair.b.teeth

    def away(share: float) -> float:
        first = _flank(pair.a, angle_a, np.zeros(2), -1)
        return _distance(first, _flank(pair.b, behind - share * turn, pair.centre_b, -1))

    assert away(1.0) < 2e-8
    # free before, by the transverse backlash (in the transverse section the outlines are in)
    assert away(0.0) == pytest.approx(gap.transverse, rel=2e-3)
    assert gap.normal == pytest.approx(gap.transverse * cos(pair.a.base_helix_angle))


def test_small_changes_of_centre_distance():
    """j_wt = 2 da tan(alpha_w): the formula of the text-books is the derivative of the exact one."""
    for step, order in ((1e-5, 1), (1e-6, 1)):
        pair = GearPair.of((20, 41), 2e-3, centre_distance=61e-3 + step)
        assert backlash(pair).circumferential == pytest.approx(
            2 * step * tan(radians(20)), rel=2e3 * step * order
        )


def test_radial_backlash_closes_the_gap():
    """Moved closer by about j_r the backlash is gone."""
    pair = GearPair.of((20, 40), 2e-3, centre_distance=60.02e-3, thickness_allowance=(-20e-6, -20e-6))
    distance = brentq(
        lambda d: backlash(GearPair(pair.a, pair.b, d)).circumferential, 59.8e-3, 60.02e-3, xtol=1e-14
    )
    assert 60.02e-3 - distance == pytest.approx(backlash(pair).radial, rel=0.01)


def test_parts_add_up():
    pair = GearPair.of((20, 40), 2e-3, centre_distance=60.1e-3, thickness_allowance=(-30e-6, -50e-6))
    gap = backlash(pair)
    assert gap.from_centre_distance + gap.from_allowance == pytest.approx(gap.circumferential)
    assert gap.from_allowance == pytest.approx(80e-6, rel=0.01)
    assert gap.angular[0] / gap.angular[1] == pytest.approx(2)


@pytest.mark.parametrize("helix", [0.0, 0.4])
@pytest.mark.parametrize("internal", [False, True])
def test_allowance_for_a_backlash(helix, internal):
    data = {"internal": internal, "helix_angle": helix, "profile_shift": (0.2, 0.0)}
    e = allowance_for(GearPair.of((20, 50), 2e-3, **data), 120e-6)
    assert e < 0
    assert backlash(GearPair.of((20, 50), 2e-3, thickness_allowance=(e, e), **data)).normal == pytest.approx(
        120e-6
    )


def test_rack():
    gear = Gear(24, 2e-3, profile_shift=0.3, thickness_allowance=-40e-6)
    near, far = RackPair(gear), RackPair(gear, distance=24.7e-3)
    assert backlash(near).circumferential == pytest.approx(40e-6)
    assert backlash(far).from_centre_distance == pytest.approx(2 * 0.1e-3 * tan(radians(20)))
    large = GearPair(gear, Gear(100_000, 2e-3), centre_distance=(100_024 * 1e-3) + 0.7e-3)
    assert backlash(large).circumferential == pytest.approx(backlash(far).circumferential, rel=1e-3)
