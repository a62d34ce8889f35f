"""The same for every bundled example with rigid gears, over its own run. Compliant teeth press into each other."""

import numpy as np
import pytest
from examples.bundled import model, saying

from wheelwork.description.flatten import flatten

from .sections import Meshing

FRAMES = 8
SAME = {"robot-pick-and-place", "bevel-wrist-path"}  # the wheels of `robot` and `bevel-wrist`
SHORT = {"robot": 0.3, "automatic-transmission": 0.5}  # s, of the run


def has_rigid_teeth(m) -> bool:
    meshes = [placed.element for placed in flatten(m).meshes.values()]
    return any(mesh.takes_teeth() and mesh.wheels_touch for mesh in meshes) and all(
        mesh.model.type == "rigid" for mesh in meshes
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in saying("(meshes|components):") if name not in SAME])
def test_example(name):
    m = model(name)
    if not has_rigid_teeth(m):
        pytest.skip("teeth that yield, a belt, or none")
    run = m.run(**({"end": SHORT[name], "output": 40} if name in SHORT else {}))
    found = Meshing(run.motion).overlaps(np.linspace(0, len(run.t) - 1, FRAMES).astype(int))
    assert max(found.values()) < 1e-3


@pytest.mark.slow
def test_teeth_in_contact_touch_in_the_picture_too():
    """The flank that carries the load is closed, the other one open: forces and picture have the teeth in one place."""
    run = model("planetary-contact").run(end=0.02, output=50)
    meshing = Meshing(run.motion)
    um = 1e-6 / meshing.sites[0].pitch
    for name in ("sun1", "ring3"):
        force = run[f"{name}.force.tangential"].to_numpy()[50]
        way = float(np.sign(force))
        assert abs(force) > 100
        for slip, low, high in ((0, -1, 1e-4), (50, 3e-4, 0.01), (-40, -1, 1e-4)):
            found = meshing.overlaps([50], slip=slip * way * um, only=[name])[name]
            assert low < found < high
