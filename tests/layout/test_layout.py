"""A mechanism is resolved once for what it says, and again as soon as it says something else."""

from collections import Counter
from importlib import import_module

import numpy as np
import pytest

import wheelwork as ww
from wheelwork import examples
from wheelwork.cli.app import run_app
from wheelwork.description import ModelError
from wheelwork.layout import layout_of
from wheelwork.show.scene import make_scene


@pytest.fixture
def counts(monkeypatch):
    """How often a mechanism was flattened, its parameters evaluated, its meshes and its gear train worked out."""
    out = Counter()
    places = {
        "_flatten": "description.flatten",
        "evaluate_parameters": "description.flat",
        "resolve_meshes": "layout.layout",
        "gear_train": "layout.gear_train",
        "build": "analyses.prepare",
    }
    for name, place in places.items():
        module = import_module(f"wheelwork.{place}")
        made = getattr(module, name)

        def counted(*args, name=name, made=made):
            out[name] += 1
            return made(*args)

        monkeypatch.setattr(module, name, counted)
    return out


TEXT = """
parameters: {x: 60 mm, load: 2 N}
bodies:
  a: {type: rotor, inertia: 1}
  b: {type: rotor, inertia: 1, position: [x, 0, 0]}
meshes: {m: {type: external, bodies: [a, b], radii: [20 mm, x - 0.02]}}
forces: {f: {type: force, body: b, value: [load, 0, 0]}}
"""
ONCE = {"_flatten": 1, "evaluate_parameters": 1, "resolve_meshes": 1, "gear_train": 1, "build": 1}


@pytest.mark.slow
def test_everything_reads_one_layout(counts, tmp_path, monkeypatch):
    monkeypatch.setenv("WHEELWORK_CACHE", str(tmp_path))  # a run from the cache has a description of its own
    m = ww.load(examples.path("planetary"))
    result = m.simulate(end=0.1)
    m.gear_train()
    m.check()
    assert len(layout_of(m).mesh_teeth) == 2
    m.link_forces(result)
    make_scene(result.motion)
    assert counts == ONCE


@pytest.mark.slow
def test_a_run_with_a_report_resolves_the_mechanism_once(counts, tmp_path, capsys):
    model = tmp_path / "pair.yaml"
    model.write_text(TEXT + "analysis: {type: simulate, end: 0.1 s}\n")
    assert run_app(["run", str(model), "-o", str(tmp_path)]) == 0
    assert (tmp_path / "report.html").stat().st_size > 0
    assert counts == ONCE


@pytest.mark.slow
@pytest.mark.parametrize(
    "verb",
    [
        "check",
        "info",
        "ratios",
        "gears",
        "equations",
        "modes",
        "view --save x.html",
        "view --save x.png",
        "fmu",
    ],
)
def test_verbs_resolve_the_mechanism_once(counts, tmp_path, monkeypatch, capsys, verb):
    monkeypatch.chdir(tmp_path)
    name, *options = verb.split()
    own = TEXT.replace("{m:", f"{{m-{''.join(filter(str.isalpha, verb))}:")  # no other test has derived it
    (tmp_path / "pair.yaml").write_text(own + "analysis: {type: simulate, end: 0.1 s}\n")
    assert run_app([name, "pair.yaml", *options]) == 0
    assert counts["_flatten"] == counts["resolve_meshes"] == counts["evaluate_parameters"] == 1
    assert max(counts.values()) == 1


def test_what_is_changed_is_resolved_anew(counts):
    m = ww.load(examples.path("planetary"))
    first = layout_of(m)
    m.bodies["planet"].mass = 2.0
    second = layout_of(m)
    assert second is not first
    assert layout_of(m) is second
    assert counts["_flatten"] == 2
    assert first.flat.bodies["planet"].element.mass != second.flat.bodies["planet"].element.mass == 2


def test_other_values_of_parameters_flatten_nothing(counts):
    m = ww.loads(TEXT)
    wide = layout_of(m, {"x": "80 mm"})
    assert wide is layout_of(m, {"x": "80 mm"}) is not layout_of(m)
    radii = [float(layout.number(layout.meshes["m"].radii[1])[0]) for layout in (layout_of(m), wide)]
    np.testing.assert_allclose(radii, [40e-3, 60e-3], rtol=1e-12)
    assert counts["_flatten"] == 1
    with pytest.raises(ModelError, match="radii"):
        layout_of(m, {"x": "10 mm"})


def test_a_copy_keeps_nothing_of_its_original():
    m = ww.loads(TEXT)
    other = m.with_parameters(x="80 mm")
    assert layout_of(m).flat.values["x"] == 0.06
    assert layout_of(other).flat.values["x"] == 0.08


def test_elements_of_a_layout_are_its_own():
    m = ww.loads(TEXT)
    flat = layout_of(m).flat
    m.forces["f"].value = (3.0, 0.0, 0.0)
    assert str(flat.forces["f"].element.value[0]) == "load"


def test_inertia_of_a_turned_body_is_in_world_axes():
    """J = R J' R^T, with R from Rodrigues' formula."""
    angle, axis = 0.7, np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
    m = ww.Mechanism("turned")
    m.add("b", ww.Body(mass=1, inertia=(1, 2, 2.5), orientation={"axis": tuple(axis), "angle": angle}))
    m.add("hinge", ww.Revolute(bodies=("ground", "b"), point=(0, 0, 0), axis=(0, 0, 1)))
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    R = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    found = layout_of(m).gear_train.masses["b"].inertia
    np.testing.assert_allclose(found, R @ np.diag([1, 2, 2.5]) @ R.T, atol=1e-14)


FORCED = """
parameters: {f: 1 Hz, k: 2000 N/m, push: 0 N}
bodies: {load: {mass: 4, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, bodies: [ground, load], point: [0, 0, 0], axis: [0, 0, 1]}}
forces:
  spring: {type: spring, bodies: [ground, load], point_a: [0, 0, -1], point_b: [0, 0, 0], stiffness: k, damping: 40}
  shake: {type: actuator, joint: rail, value: push + sin(2*pi*f*t)}
"""
SECTIONS = {
    "sweep": (
        "analysis: {type: sweep, parameter: f, start: 1, stop: 2, points: 2, frequency: f, settle: 2, measure: 1, "
        "signals: [rail.displacement]}",
        "run",
    ),
    "response": (
        "analysis: {type: response, input: push, signals: [rail.displacement], start: 1 Hz, stop: 2 Hz, points: 3}",
        "run",
    ),
    "study": (
        "analysis: {type: simulate, end: 0.1}\n"
        "study: {vary: {k: [1000, 3000]}, measures: {most: greatest(rail.displacement)}}",
        "study",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SECTIONS)
def test_other_analyses_with_a_report_resolve_the_mechanism_once(counts, tmp_path, capsys, kind):
    section, verb = SECTIONS[kind]
    model, report = tmp_path / "shaken.yaml", tmp_path / "report.html"
    model.write_text(FORCED + section + "\n")
    out = ["-o", str(tmp_path)] if verb == "run" else ["-o", str(tmp_path / "s.nc"), "--report", str(report)]
    assert run_app([verb, str(model), *out]) == 0
    assert report.stat().st_size > 0
    assert counts["_flatten"] == counts["build"] == 1
    assert counts["resolve_meshes"] == (2 if kind == "study" else 1)  # its report is of no variant
