"""The planar mechanisms in the guide can be read, and move as the text says."""

import re
from pathlib import Path

import numpy as np
import pytest

from wheelwork.mechanism import loads

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "description.md"
BLOCKS = [
    b
    for b in re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)
    if "kind: planar" in b
]


@pytest.fixture(params=BLOCKS, ids=["slider-crank", "cam"])
def mechanism(request):
    return loads(request.param)


def test_one_freedom_which_is_driven(mechanism):
    assert mechanism.check().freedoms_by_rank == 0


def test_the_slider_goes_as_the_formula_says():
    r = loads(BLOCKS[0]).kinematics(end=0.1)
    angle = 100 * r["slider.position.x"].time.to_numpy()
    exact = 0.1 * np.cos(angle) + np.sqrt(0.2**2 - (0.1 * np.sin(angle)) ** 2)
    np.testing.assert_allclose(r["slider.position.x"], exact, rtol=0, atol=1e-9)


def test_the_valve_touches_the_cam_where_its_tangent_is_level():
    """Height of the face = largest y of the turned outline, sampled finely: an independent way to the same number."""
    r = loads(BLOCKS[1]).kinematics(end=1)
    s = np.linspace(0, 2 * np.pi, 20001)
    radius = 0.04 + 0.01 * (1 + np.sin(s)) / 2
    heights = [np.max(radius * np.sin(s + 10 * t)) for t in r["valve.position.y"].time.to_numpy()]
    # The best of the samples lies below the top by at most (half a spacing)^2 * radius / 2 = 1e-9 m.
    np.testing.assert_allclose(r["valve.position.y"], heights, rtol=0, atol=1e-8)
