"""An element of a user's own has the same rights: one derived from ours, under another type name, is the same."""

import json
import os
from pathlib import Path

import pytest
from processes import printed

HERE = Path(__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["planar", "spatial"])
@pytest.mark.parametrize("group", ["joints", "meshes", "drivers", "forces"])
def test_a_class_derived_from_ours_does_what_ours_does(group, kind):
    """In a process of its own: classes that are registered stay."""
    paths = os.pathsep.join([str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    found = printed(HERE / "subclass_check.py", kind, group, env={**os.environ, "PYTHONPATH": paths})
    assert json.loads(found) == []
