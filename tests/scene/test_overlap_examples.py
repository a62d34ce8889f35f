"""The same for every bundled example with rigid gears, over its own run. Compliant teeth press into each other."""

import numpy as np
import pytest
from examples.bundled import model

from wheelwork import examples
from wheelwork.model.flatten import flatten

from .sections import Meshing

FRAMES = 8
SAME = {"robot-pick-and-place", "bevel-wrist-path"}  # the wheels of `robot` and `bevel-wrist`
SHORT = {"robot": 0.3, "automatic-transmission": 0.5}  # s, of the run
SLOW = {"robot", "automatic-transmission"}


def rigid_teeth(name: str) -> bool:
    meshes = [placed.element for placed in flatten(model(name)).meshes.values()]
    return any(mesh.type != "belt" for mesh in meshes) and all(mesh.model.type == "rigid" for mesh in meshes)


GEARED = [name for name in examples.names() if name not in SAME and rigid_teeth(name)]


def test_there_are_many():
    assert len(GEARED) >= 12


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in GEARED]
)
def test_example(name):
    run = model(name).run(**({"end": SHORT[name], "output": 40} if name in SHORT else {}))
    found = Meshing(run.motion).overlaps(np.linspace(0, len(run.t) - 1, FRAMES).astype(int))
    assert max(found.values()) < 1e-3
