"""An analysis that lives in a user's project: registered, written in a file, made by `run` and by `wheelwork run`."""

import importlib
import json
import os

import pytest
from processes import printed, python

import wheelwork as ww
from wheelwork.description import registry
from wheelwork.description.registry import ROOM

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


LONGER = '''"""Analyses derived from ours, with a field of their own."""
from typing import Literal

from wheelwork.description.analysis import Simulate
from wheelwork.description.values import Number
from wheelwork.description.vibration_analyses import ModesAnalysis
from wheelwork.elements import register


@register
class Longer(Simulate):
    """A simulation.

    Fields:
        remark [1]: of the user
    """

    type: Literal["longer"] = "longer"
    remark: Number = 0.0


@register
class Finer(ModesAnalysis):
    """Modes."""

    type: Literal["finer"] = "finer"
'''


@pytest.mark.slow
def test_an_analysis_derived_from_one_of_ours_is_made_as_that_is(tmp_path):
    """By `run`, on the command line with parts to go on from and tables refused, and in a study."""
    (tmp_path / "longer.py").write_text(LONGER)
    (tmp_path / "longer-1.0.dist-info").mkdir()
    about = tmp_path / "longer-1.0.dist-info"
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: longer\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[wheelwork.elements]\nlonger = longer\n")
    text = MODEL[: MODEL.index("analysis")]
    (tmp_path / "long.yaml").write_text(text + "analysis: {type: longer, end: 0.1, output: 4, remark: 7}\n")
    (tmp_path / "fine.yaml").write_text(text + "analysis: {type: finer}\n")
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    call = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": paths}}

    script = (
        "import wheelwork as ww, json, dataclasses\n"
        "m, n = ww.load('long.yaml'), ww.load('fine.yaml')\n"
        "s = ww.Study(n, vary={'k': [1000, 2000]}, measures={'f': 'natural_frequency(1)'}, analysis='finer')\n"
        "d = ww.Study.described(m, vary={'k': [1000, 2000]}, measures={'p': 'greatest(load.position.z)'})\n"
        "print(json.dumps({'t': m.run(output=2).t.tolist(), 'f': n.run().frequencies.tolist(),"
        " 'study': s.run()['f'].values.tolist(), 'simulated': dict(d.run()['p'].sizes)}))"
    )
    found = json.loads(printed("-c", script, **call))
    natural = (2000 / 4) ** 0.5 / 6.283185307179586
    assert found["t"] == [0, 0.05, 0.1]
    assert found["f"] == pytest.approx([natural], rel=1e-6)
    assert found["study"] == pytest.approx([natural / 2**0.5, natural], rel=1e-6)
    assert list(found["simulated"].values()) == [2]

    done = json.loads(printed("-m", "wheelwork", "run", "fine.yaml", "--json", **call))
    assert done["data_vars"]["natural_frequency"]["data"] == pytest.approx([natural], rel=1e-6)
    assert (tmp_path / "fine-run" / "report.html").is_file()
    told = python("-m", "wheelwork", "run", "fine.yaml", "--csv", **call)
    assert told.returncode != 0
    assert "has no meaning for the analysis `finer`" in told.stderr
    told = python("-m", "wheelwork", "run", "long.yaml", "--resume", **call)
    assert "has no meaning" not in told.stderr


def test_an_analysis_in_a_file_of_ours_is_found_whatever_it_derives_from(monkeypatch):
    """The files that may have one are found by their text."""
    texts = {
        "wheelwork.analyses.a": "class A(Modes):\n    type: Literal['a'] = 'a'\n",
        "wheelwork.analyses.b": "x = 1",
    }
    read = []
    monkeypatch.setattr(registry, "_texts", lambda room: texts if room == registry.ANALYSES else {})
    monkeypatch.setattr(registry, "_loaded", [])
    monkeypatch.setattr(
        registry, "import_module", lambda name: read.append(name) or importlib.import_module(ROOM)
    )
    registry._load()
    assert [name for name in read if name.startswith(registry.ANALYSES)] == ["wheelwork.analyses.a"]


def test_an_unknown_analysis_is_told():
    with pytest.raises(ww.ModelError, match=r"there is no type `simulat` \(did you mean `simulate`\?\)"):
        ww.loads("analysis: {type: simulat, end: 2}")
