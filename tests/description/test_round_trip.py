"""Writing and reading again changes nothing; behind flattening, planar mechanisms are in space."""

import copy
import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wheelwork.description import (
    Body,
    Component,
    Description,
    Force,
    Formula,
    Orientation,
    Sphere,
    Table,
    dumps,
    flatten,
    load,
    loads,
    save,
)
from wheelwork.description.source import parse
from wheelwork.description.values import OutOfPlane
from wheelwork.description.walk import parts, vectors
from wheelwork.description.write import text_scalar, to_data
from wheelwork.mechanism import Mechanism

from .planar_strategies import planar_mechanisms
from .strategies import mechanisms

slow = settings(
    deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
KINDS = {"in space": mechanisms, "in the plane": planar_mechanisms}


def collections(flat):
    return flat.bodies, flat.joints, flat.forces, flat.drivers, flat.frames


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@slow
@given(data=st.data())
def test_load_of_save_is_identity(kind, data):
    description = data.draw(KINDS[kind]())
    text = dumps(description)
    again = loads(text)
    assert again == description
    assert dumps(again) == text
    ours, theirs = flatten(again), flatten(description)
    assert ours.parameters == theirs.parameters
    for one, other in zip(collections(ours), collections(theirs), strict=True):
        assert {n: placed.element for n, placed in one.items()} == {n: p.element for n, p in other.items()}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@slow
@given(data=st.data())
def test_copies_are_equal_and_apart(kind, data):
    description = data.draw(KINDS[kind](depth=0))
    for other in (copy.deepcopy(description), pickle.loads(pickle.dumps(description))):
        assert other == description
        assert dumps(other) == dumps(description)
        other.bodies.popitem()
        assert other != description


@pytest.mark.slow
@slow
@given(planar_mechanisms(depth=0))
def test_the_schema_accepts_what_is_written_in_the_plane(validator, description):
    validator.validate(to_data(description))


@pytest.mark.slow
@slow
@given(planar_mechanisms())
def test_what_is_flattened_lies_in_the_plane(description):
    """Every vector is whole, and every direction in it is one of the plane or its normal."""
    flat = flatten(description)
    for collection in collections(flat):
        for placed in collection.values():
            for _, part in (*parts(placed.element), *((None, pose) for pose in placed.placement)):
                for name, mark, vector in vectors(part):
                    assert not any(isinstance(component, OutOfPlane) for component in vector)
                    if name == "inertia":
                        assert vector[0] == vector[1] == vector[2]
                    elif mark.in_plane == "in" and not isinstance(part, Orientation):
                        assert vector[2] == 0
                    elif mark.in_plane != "in":
                        assert vector[:2] == (0, 0)
                angle = getattr(part, "angle", None)
                if angle not in (None, 0) and hasattr(part, "orientation"):
                    assert part.orientation.axis == (0, 0, 1)
                    assert part.orientation.angle == angle or isinstance(angle, Formula)


@pytest.mark.slow
@given(st.text(max_size=40))
def test_any_text_survives(text):
    data, _ = parse(f"name: {text_scalar(text)}\nlist: [{text_scalar(text)}]\n", "m.yaml")
    assert data == {"name": text, "list": [text]}


def test_equality_sees_differences():
    a = Description("a", bodies={"b": Body(mass=1, inertia=(1, 1, 1))})
    assert a == Description("a", bodies={"b": Body(mass="1 kg", inertia=(1, 1, 1))})
    assert a != Description("a", bodies={"b": Body(mass=2, inertia=(1, 1, 1))})
    assert a != Description("b", bodies=dict(a.bodies))
    assert a == Mechanism("a", bodies=dict(a.bodies))


def test_units_and_formulas_are_kept_as_they_were_written():
    text = """\
wheelwork: 1
name: ball
parameters:
  r: 50 mm
bodies:
  ball:
    shape:
      type: sphere
      radius: r
    density: 7.8 g/cm^3
    position: [2*r + 0.1, 0, 1 inch]
"""
    assert dumps(loads(text)) == text


@pytest.mark.parametrize(
    "comment", ["a: 1\n\n# b\n", "---\nb\n", " a\nb\n", "a \nb\n", "a\nb", "a\n\n", "\n", "é\nb\n"]
)
def test_comments_of_several_lines(comment):
    body = Body(mass=1, inertia=(1, 1, 1), comment=comment)
    description = Description("m", comment=comment, bodies={"b": body})
    assert loads(dumps(description)) == description


def test_comments_are_written_line_by_line():
    text = dumps(Description("m", comment="What it is.\n\nAnd what not.\n", gravity=(0, 0, 0)))
    assert "comment: |\n  What it is.\n\n  And what not.\ngravity" in text


def test_only_what_differs_from_the_defaults_is_written():
    description = Description(bodies={"ball": Body(mass=1, shape=Sphere(radius=1))})
    assert to_data(description) == {
        "wheelwork": 1,
        "bodies": {"ball": {"mass": 1.0, "shape": {"type": "sphere", "radius": 1.0}}},
    }


def test_long_tables_are_wrapped():
    table = Table(time=[i / 7 for i in range(100)], value=["2 N"] + [i**0.5 for i in range(99)])
    force = Force(body="b", value=(table, 0, table))
    description = Description(bodies={"b": Body(mass=1, inertia=(1, 1, 1))}, forces={"f": force})
    text = dumps(description)
    assert max(len(line) for line in text.splitlines()) <= 110
    assert loads(text) == description


def test_file_names_of_components_follow_the_file(tmp_path):
    inner = Description("inner", bodies={"b": Body(mass=1, inertia=(1, 1, 1))})
    (tmp_path / "parts").mkdir()
    save(inner, tmp_path / "parts" / "inner.yaml")
    (tmp_path / "outer.yaml").write_text("components:\n  c: {file: parts/inner.yaml}\n")
    outer = load(tmp_path / "outer.yaml")
    assert outer.components["c"].file == "parts/inner.yaml"
    save(outer, tmp_path / "same.yaml")
    assert load(tmp_path / "same.yaml") == outer
    (tmp_path / "elsewhere").mkdir()
    save(outer, tmp_path / "elsewhere" / "outer.yaml")
    moved = load(tmp_path / "elsewhere" / "outer.yaml")
    assert moved.components["c"].file == "../parts/inner.yaml"
    assert flatten(moved).bodies.keys() == {"c.b"}


def test_inline_components_are_written_inside():
    inner = Description("inner", parameters={"m": "1 kg"}, bodies={"b": Body(mass="m", inertia=(1, 1, 1))})
    outer = Description("outer", components={"c": Component(model=inner, parameters={"m": "2 kg"})})
    again = loads(dumps(outer))
    assert again == outer
    assert again.components["c"].model == inner


@pytest.mark.parametrize("cls", [Description, Mechanism])
def test_what_is_read_has_the_class_asked_for(cls):
    assert type(loads("name: a", cls)) is cls
