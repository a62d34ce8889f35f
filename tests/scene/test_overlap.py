"""Teeth in mesh do not run into each other: sections of the solids themselves, over a whole revolution.

What is left of 1e-3 of a tooth: straight pieces stay inside convex and hollow flanks alike, so nothing overlaps but
where the teeth of a ring really come too near to the fillets of a pinion (3e-4 and less here).
"""

import numpy as np
import pytest

from . import models
from .sections import Meshing

MOST = 1e-3
CASES = {
    "external": lambda: models.external(),
    "external helical": lambda: models.external(beta=0.35, face_width=20e-3),
    "external, in a given phase": lambda: models.external(phase=(0.3, 2.9)),
    "helical, in a given phase": lambda: models.external(beta=0.35, face_width=20e-3, phase=(-0.7, 1.1)),
    "internal, in a given phase": lambda: models.internal(phase=(0.2, 0.4)),
    "profile shift": lambda: models.external(profile_shift=(0.3, -0.3)),
    "internal": lambda: models.internal(),
    "internal helical": lambda: models.internal(beta=-0.3),
    "rack": lambda: models.rack(),
    "rack helical": lambda: models.rack(0.3, face_width=15e-3, profile_shift=0.2),
    "bevel": lambda: models.bevel(),
    "bevel at 69 deg": lambda: models.bevel(angle=1.2),
    "spiral bevel": lambda: models.bevel(spiral_angle=0.5),
    "crossed at 90 deg": lambda: models.crossed((0.7, np.pi / 2 - 0.7)),
    "crossed, opposite hands": lambda: models.crossed((-0.4, 0.9)),
    "worm": lambda: models.worm(1),
    "worm, left-handed": lambda: models.worm(3, "left"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_pair_over_a_revolution(name):
    meshing = Meshing(models.turning(CASES[name](), "a-bearing"))
    assert meshing.overlaps(range(0, 41, 2), (0.0, 0.35))["mesh"] < MOST
    # and the same measure sees teeth that stand 4 % of a pitch to either side: there is no room for it
    for slip in (0.04, -0.04):
        assert meshing.overlaps(range(3), slip=slip)["mesh"] > 5 * MOST


@pytest.mark.slow
@pytest.mark.parametrize("beta", [0.0, 0.3])
def test_compound_train(beta):
    """Two wheels on one shaft at different heights, and two mates for one of them."""
    meshing = Meshing(models.turning(models.compound(beta), "first-bearing"))
    found = meshing.overlaps(range(0, 41, 3), (0.0, 0.3) if beta else (0.0,))
    assert set(found) == {"one", "two", "three"}
    assert max(found.values()) < MOST


@pytest.mark.slow
@pytest.mark.parametrize("beta", [0.0, -0.25])
def test_planetary_stage_with_a_moving_carrier_and_a_ring_on_the_ground(beta):
    meshing = Meshing(models.turning(models.planetary(beta), "sun-bearing"))
    found = meshing.overlaps(range(0, 41, 4), (0.3,) if beta else (0.0,))
    assert len(found) == 6
    assert max(found.values()) < MOST


@pytest.mark.slow
def test_backlash_is_on_both_sides():
    """Teeth thinner by 0.1 mm each leave j_t = 0.2 mm: half of it may be slipped to either side, and not more."""
    meshing = Meshing(models.turning(models.external(thickness_allowance=(-1e-4, -1e-4)), "a-bearing", 20))
    pitch = np.pi * models.M
    for sign in (1, -1):
        assert meshing.overlaps(range(0, 21, 3), slip=sign * 0.95e-4 / pitch)["mesh"] == 0
        assert meshing.overlaps(range(0, 21, 3), slip=sign * 1.5e-4 / pitch)["mesh"] > MOST
