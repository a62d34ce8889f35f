"""Flat descriptions: rotors, frames, parameters."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from wheelwork.description import Body, Description, Formula, ModelError, Orientation, Pose, Rotor, flatten

from .strategies import mechanisms


def rotation(orientation: Orientation) -> np.ndarray:
    """Rotation matrix of the spellings used here, by Rodrigues' formula."""
    if orientation.spelling is None:
        return np.eye(3)
    if orientation.spelling == "axis":
        vector = np.array(orientation.axis, float)
        vector = vector / np.linalg.norm(vector) * float(orientation.angle)
    else:
        vector = np.array(orientation.rotation_vector, float)
    angle = np.linalg.norm(vector)
    if angle == 0:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 0, -2), (1, 0, 0), (0, -3, 0), (1, 2, -2), (1e-9, 0, -1)])
def test_a_rotor_turns_about_its_axis_from_its_angle(axis):
    rotor = Rotor(inertia=2, axis=axis, angle="40 deg", speed="60 rpm", position=(1, 2, 3), comment="c")
    flat = flatten(Description(bodies={"r": rotor}))
    body, bearing = flat.bodies["r"].element, flat.joints["r.bearing"].element
    assert flat.rotors == {"r": "r.bearing"}
    assert body.inertia == (2, 2, 2)
    assert body.position == (1, 2, 3)
    assert not body.affected_by_gravity
    assert bearing.bodies == ("ground", "r")
    n = np.array(axis, float) / np.linalg.norm(axis)
    assert np.array(body.angular_velocity) == pytest.approx(2 * math.pi * n)
    world_a = rotation(bearing.frame_a.orientation)
    world_b = rotation(body.orientation) @ rotation(bearing.frame_b.orientation)
    assert world_a[:, 2] == pytest.approx(n)
    relative = world_a.T @ world_b
    c, s = math.cos(math.radians(40)), math.sin(math.radians(40))
    assert relative == pytest.approx(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), abs=1e-12)
    assert bearing.frame_a.position == (1, 2, 3)
    assert bearing.frame_b.position == (0, 0, 0)


def test_a_rotor_with_formulas():
    rotor = Rotor(inertia="J", axis=(0, 0.6, 0.8), angle="2*J", speed="w0 + 1")
    flat = flatten(Description(parameters={"J": 1, "w0": 2}, bodies={"r": rotor}))
    body = flat.bodies["r"].element
    assert body.inertia == (Formula("J"),) * 3
    assert body.angular_velocity == (0, Formula("0.6*(w0 + 1)"), Formula("0.8*(w0 + 1)"))
    assert body.orientation.angle == Formula("2*J")


def test_names_may_refer_to_bearings():
    text = Description(
        bodies={"a": Rotor(inertia=1), "b": Rotor(inertia=1)},
        forces={
            "m": {"type": "motor", "body": "a", "curve": {"speed": [0, 1], "torque": [1, 0]}},
            "s": {"type": "torsional_spring", "bodies": ["a", "b"], "stiffness": 10},
            "f": {"type": "friction", "joint": "b.bearing", "viscous": 1},
        },
    )
    assert flatten(text).forces["f"].element.joint == "b.bearing"


def test_the_description_is_not_changed():
    description = Description(bodies={"b": Body(mass=1, inertia=(1, 1, 1)), "r": Rotor(inertia=1)})
    before = description.model_copy(deep=True)
    flatten(description)
    assert description == before


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(mechanisms())
def test_every_reference_leads_somewhere(description):
    flat = flatten(description)
    bodies = {*flat.bodies, "ground"}
    names = {*flat.parameters, "t"}
    for placed in flat.joints.values():
        assert set(placed.element.bodies) <= bodies
        assert set(placed.in_world) <= {"a", "b"}
    for placed in flat.bodies.values():
        for value in (placed.element.mass, *placed.element.position, *(placed.element.velocity or ())):
            assert not isinstance(value, Formula) or value.names() <= names
        assert all(isinstance(pose, Pose) for pose in placed.placement)
    assert set(flat.resolve_parameters()) == set(flat.parameters)


def test_parameters_are_resolved_in_any_order():
    flat = flatten(Description(parameters={"c": "a + b", "b": "2*a", "a": "3 mm"}))
    assert flat.resolve_parameters() == {"a": 0.003, "b": 0.006, "c": pytest.approx(0.009)}
    assert flat.resolve_parameters({"b": 1})["c"] == pytest.approx(1.003)
    assert flat.resolve_parameters({"b": "10*a"})["c"] == pytest.approx(0.033)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"d": 1}, "parameters.d: there is no parameter `d` (the parameters are `c`, `b` and `a`)"),
        ({"a": "3 kg"}, "parameters.a: needs a length (in m), but `3 kg` is a mass"),
        ({"a": "3 foo"}, "parameters.a: in `3 foo` there is no unit `foo`"),
        ({"a": "c*2"}, "the parameters depend on each other in a circle: "),
        ({"a": "x*2"}, "parameters.a: there is no parameter `x` (in `x*2`)"),
        ({"a": float("nan")}, "parameters.a: needs a finite number, but is `nan`"),
    ],
)
def test_bad_overrides(overrides, message):
    flat = flatten(Description(parameters={"c": "a + b", "b": "2*a", "a": "3 mm"}))
    with pytest.raises(ModelError) as caught:
        flat.resolve_parameters(overrides)
    assert message in str(caught.value)


@pytest.mark.slow
def test_long_chains_of_parameters_need_no_stack():
    parameters = {f"p{i}": f"p{i + 1} + 1" for i in range(5000)}
    assert flatten(Description(parameters={**parameters, "p5000": 0})).resolve_parameters()["p0"] == 5000
