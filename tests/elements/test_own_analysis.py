"""An analysis that lives in a user's project: registered, written in a file, made by `run` and by `wheelwork run`."""

import json
import os

import pytest
from processes import printed

import wheelwork as ww

STATIC = '''"""How far a spring gives under the weight it carries."""
from typing import Literal

import xarray as xr

from wheelwork.analyses.options import merged
from wheelwork.description.analysis import Analysis
from wheelwork.description.values import Number
from wheelwork.elements import register


class Sunk:
    def __init__(self, depth):
        self.depth = depth

    def to_dataset(self):
        return xr.Dataset({"depth": ((), self.depth, {"units": "m"})})

    def __str__(self):
        return f"sunk by {1e3 * self.depth:.4g} mm"


@register
class Sinking(Analysis):
    """How far a body sinks to rest.

    Fields:
        body: name of the body
        factor [1]: of the weight
    """

    type: Literal["sinking"] = "sinking"
    body: str
    factor: Number = 1.0

    def run(self, description, *, parameters=None, **options):
        settings = merged(description, self, options, parameters)
        rest = description.equilibrium(parameters=parameters)
        height = description.assemble(parameters=parameters).motion.frames[0, 0, 2]
        return Sunk(float(settings.factor * (height - rest.motion.frames[0, 0, 2])))
'''

MODEL = """
parameters: {k: 2000 N/m, f: 3}
bodies: {load: {mass: 4, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, load], point: [0, 0, 0], axis: [0, 0, 1]}}
forces: {spring: {type: spring, bodies: [ground, load], point_a: [0, 0, -1], point_b: [0, 0, 0], stiffness: k}}
analysis: {type: sinking, body: load, factor: f}
"""
GIVEN = 3 * 4 * 9.80665 / 2000
"""By hand: f m g/k."""


@pytest.mark.slow
def test_an_analysis_of_a_users_own_has_the_same_rights(tmp_path):
    (tmp_path / "sinking.py").write_text(STATIC)
    about = tmp_path / "sinking-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: sinking\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[wheelwork.elements]\nsinking = sinking\n")
    (tmp_path / "model.yaml").write_text(MODEL)
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    call = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": paths}}

    found = json.loads(printed("-m", "wheelwork", "run", "model.yaml", "--json", **call))
    assert found["data_vars"]["depth"]["data"] == pytest.approx(GIVEN, rel=1e-9)
    assert (tmp_path / "model-run" / "result.nc").is_file()

    script = (
        "import wheelwork as ww; from wheelwork.description.schema import schema\n"
        "m = ww.load('model.yaml'); assert ww.loads(m.to_yaml()).analysis == m.analysis\n"
        "assert schema()['$defs']['Sinking']['properties']['factor']; assert type(m.analysis) is ww.Sinking\n"
        "print(m.run(factor=1).depth, ww.Sinking(body='load', factor=2).run(m).depth)"
    )
    found = [float(word) for word in printed("-c", script, **call).split()]
    assert found == pytest.approx([GIVEN / 3, GIVEN * 2 / 3], rel=1e-9)


def test_an_unknown_analysis_is_told():
    with pytest.raises(ww.ModelError, match=r"there is no type `simulat` \(did you mean `simulate`\?\)"):
        ww.loads("analysis: {type: simulat, end: 2}")
