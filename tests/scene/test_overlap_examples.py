"""The same for every bundled example with gears, over its own run."""

import numpy as np
import pytest

from wheelwork import examples

from ..examples.bundled import model, result
from .sections import Meshing

GEARED = [name for name in examples.names() if model(name).meshes or model(name).components]
FRAMES = 8


def geared(names):
    slow = {"robot", "robot-pick-and-place", "automatic-transmission", "bevel-wrist-path"}
    return [pytest.param(name, marks=pytest.mark.slow) if name in slow else name for name in names]


@pytest.mark.parametrize("name", geared(GEARED))
def test_example(name):
    run = result(name)
    frames = np.linspace(0, len(run.t) - 1, FRAMES).astype(int)
    found = Meshing(run.motion).overlaps(frames)
    assert found
    assert max(found.values()) < 1e-3
