"""Planar joints from their descriptions: where they are, however they are written, and what they measure."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.system.motion import Motion
from wheelwork.system.program import Program
from wheelwork.system.signals import SignalCatalogue

from .models import program_of

POINT, OTHER, AXIS = (0.4, -0.3), (1.5, 0.7), (0.6, -0.2)
CIRCLE = {"type": "formula", "x": "0.2*cos(s)", "y": "0.2*sin(s)"}


def bodies(rng: np.random.Generator, **fields: Any) -> ww.Mechanism:
    """Bodies `one` and `two` anywhere, with centres of mass off their origins, turned by several turns."""
    m = ww.Mechanism("bodies", kind="planar", **fields)
    for name in ("one", "two"):
        given = {
            "mass": rng.uniform(1, 2),
            "inertia": rng.uniform(1, 2),
            "center_of_mass": tuple(rng.normal(size=2)),
            "position": tuple(rng.normal(size=2)),
            "angle": rng.uniform(-20, 20),
            "velocity": tuple(rng.normal(size=2)),
            "angular_velocity": rng.normal(),
        }
        m.add(name, ww.Body(**given))
    return m


def start(program: Program) -> Motion:
    numbers = program.numbers()
    empty = np.zeros((1, 0))
    return Motion(program, numbers, np.zeros(1), numbers.state[None], np.zeros((1, program.nv)), empty, empty)


def residuals(program: Program) -> np.ndarray:
    motion = start(program)
    found = [
        np.array(use.kernel.residual.call(motion.constraint_arguments(k))[0])[: use.rows, 0]
        for k, use in enumerate(program.constraints)
    ]
    return np.concatenate(found)


PAIR = {"bodies": ("one", "two")}
JOINTS: dict[str, Any] = {
    "revolute": ww.Revolute(**PAIR, point=POINT),
    "prismatic": ww.Prismatic(**PAIR, point=POINT, axis=AXIS),
    "translational": ww.Translational(**PAIR, point=POINT, axis=AXIS),
    "fixed": ww.Fixed(**PAIR, point=POINT),
    "point_on_line": ww.PointOnLine(**PAIR, point=POINT, axis=AXIS),
    "distance": ww.Distance(**PAIR, point_a=POINT, point_b=OTHER),
    "revolute_revolute": ww.RevoluteRevolute(**PAIR, point_a=POINT, point_b=OTHER),
    "revolute_translational": ww.RevoluteTranslational(**PAIR, point_a=POINT, axis=AXIS, point_b=OTHER),
    "relative x": ww.Relative(**PAIR, coordinate="x", point_a=POINT, point_b=OTHER),
    "relative y": ww.Relative(**PAIR, coordinate="y"),
    "relative angle": ww.Relative(**PAIR, coordinate="angle"),
    "absolute x": ww.Absolute(body="two", coordinate="x", point=OTHER),
    "absolute y": ww.Absolute(body="two", coordinate="y"),
    "absolute angle": ww.Absolute(body="two", coordinate="angle"),
}


@pytest.mark.parametrize("name", JOINTS)
def test_a_joint_is_met_where_it_is_given(name):
    """Points, directions and distances are those of the given position, in the world."""
    for seed in range(3):
        m = bodies(np.random.default_rng(seed))
        m.add("joint", JOINTS[name])
        np.testing.assert_allclose(residuals(program_of(m)), 0, atol=1e-12)


@pytest.mark.parametrize("name", JOINTS)
def test_a_joint_inside_a_turned_component_is_met_too(name):
    """Its points and directions go along with the component."""
    inner = bodies(np.random.default_rng(1))
    inner.add("joint", JOINTS[name])
    outer = ww.Mechanism("outer", kind="planar")
    outer.add("part", ww.Component(model=inner, position=(2, 1), angle=0.9))
    np.testing.assert_allclose(residuals(program_of(outer)), 0, atol=1e-12)


def test_values_of_absolute_and_relative_constraints():
    """Residuals are coordinate less value, of the points asked for."""
    m = bodies(np.random.default_rng(4))
    one, two = m.bodies["one"], m.bodies["two"]
    c, s = np.cos(two.angle), np.sin(two.angle)
    local = np.array([0.3, 0.5])
    at = np.array(two.position[:2]) + np.array([[c, -s], [s, c]]) @ local
    m.add("ax", ww.Absolute(body="two", coordinate="x", value=0.25, frame={"position": tuple(local)}))
    m.add("ay", ww.Absolute(body="two", coordinate="y", value=0.25, frame={"position": tuple(local)}))
    m.add("aphi", ww.Absolute(body="two", coordinate="angle", value=0.25))
    m.add("rx", ww.Relative(**PAIR, coordinate="x", value=0.5))
    m.add("ry", ww.Relative(**PAIR, coordinate="y", value=0.5))
    m.add("rphi", ww.Relative(**PAIR, coordinate="angle", value=0.5))
    apart = np.array(two.position[:2]) - np.array(one.position[:2])
    expected = [*(at - 0.25), two.angle - 0.25, *(apart - 0.5), two.angle - one.angle - 0.5]
    np.testing.assert_allclose(residuals(program_of(m)), expected, atol=1e-12)


def test_distance_of_a_pin_from_its_line_is_positive_on_the_left():
    m = bodies(np.random.default_rng(5))
    m.add(
        "slot", ww.RevoluteTranslational(**PAIR, point_a=(0, 0), axis=(2, 0), point_b=(3, 0.4), distance=0.1)
    )
    np.testing.assert_allclose(residuals(program_of(m)), [0.3], atol=1e-12)


def test_coordinates_at_the_given_position():
    """Angle and displacement are zero where the joint is placed in the world, also for bodies that stand turned."""
    m = bodies(np.random.default_rng(6))
    m.add("hinge", ww.Revolute(**PAIR, point=POINT))
    m.add("slide", ww.Prismatic(**PAIR, point=POINT, axis=AXIS))
    m.add("pin", ww.RevoluteTranslational(**PAIR, point_a=POINT, axis=(0, 3), point_b=OTHER))
    program = program_of(m)
    motion, catalogue = start(program), SignalCatalogue(program)
    found = [
        float(catalogue[x].compute(motion)[0])
        for x in ("hinge.angle", "slide.displacement", "pin.displacement")
    ]
    np.testing.assert_allclose(found, [0, 0, OTHER[1] - POINT[1]], atol=1e-12)
    assert float(catalogue["two.angle"].compute(motion)[0]) == pytest.approx(m.bodies["two"].angle, abs=1e-12)


DRIVERS: dict[str, Any] = {
    "body x": ww.BodyDriver(body="two", coordinate="x", value="0.1 + t", point_in_body=(0.2, 0.1)),
    "body angle": ww.BodyDriver(body="two", coordinate="angle", value="0.1 + t"),
    "distance": ww.DistanceDriver(**PAIR, point_a=POINT, point_b=OTHER, value="0.1 + t"),
    "rotation": ww.RotationDriver(**PAIR, value="0.1 + t"),
}


@pytest.mark.parametrize("name", DRIVERS)
def test_drivers_of_coordinates_that_are_no_joint_s(name):
    m = bodies(np.random.default_rng(7))
    m.add("drive", DRIVERS[name])
    one, two = m.bodies["one"], m.bodies["two"]
    c, s = np.cos(two.angle), np.sin(two.angle)
    value = {
        "body x": two.position[0] + 0.2 * c - 0.1 * s,
        "body angle": two.angle,
        "distance": np.hypot(OTHER[0] - POINT[0], OTHER[1] - POINT[1]),
        "rotation": two.angle - one.angle,
    }[name]
    np.testing.assert_allclose(residuals(program_of(m)), [value - 0.1], atol=1e-12)


CAMS: dict[str, Any] = {
    "flat": ww.CamFlat(**PAIR, outline=CIRCLE, point_a=POINT, point_b=(0, -0.1), direction=(1, 0)),
    "point": ww.CamPoint(**PAIR, outline=CIRCLE, point_a=POINT, point_b=(0.4, -0.1)),
    "roller": ww.CamPoint(**PAIR, outline=CIRCLE, radius=0.05, point_a=POINT, point_b=(0.65, -0.3)),
    "cams": ww.CamCam(**PAIR, outline_a=CIRCLE, outline_b=CIRCLE, point_a=POINT, point_b=(0.4, 0.1)),
    "face below": ww.CamFlat(**PAIR, outline=CIRCLE, point_a=POINT, point_b=(0, -0.5), direction=(-2, 0)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMS)
def test_cams_find_their_contact(name):
    """A circle of radius 0.2 about (0.4, -0.3), on bodies that stand anywhere: the contact is found."""
    for seed in range(3):
        m = bodies(np.random.default_rng(seed))
        m.add("cam", CAMS[name])
        program = program_of(m)
        motion = start(program)
        follow = program.follows[0]
        polished = np.array(follow.kernel.follow.call(motion.constraint_arguments(0))[0]).ravel()
        # within one sampled step of the curve
        given = program.numbers().state[-follow.count :]
        step = 2 * np.pi / (60 if name == "cams" else 240)
        assert np.all(np.abs(polished - given) <= step)
        m.bodies["two"].velocity = m.bodies["two"].angular_velocity = None  # follow from the contact
        at = m.assemble()
        assert at["cam.residual"] < 1e-12
        assert max(x.length for x in at.misfits if x.name == "cam") < 1e-9


@pytest.mark.slow
def test_the_pressing_side_of_a_face_is_that_of_the_cam():
    """Pushed together the normal force is positive, whichever way the face's direction is written."""
    for direction, y in (((1, 0), 0.5), ((-1, 0), 0.5), ((1, 0), -0.5)):
        m = ww.Mechanism("press", kind="planar", gravity=(0, -10 * np.sign(y)))
        m.add("follower", ww.Body(mass=2, inertia=1, position=(0, y)))
        m.add("guide", ww.Translational(bodies=("ground", "follower"), point=(0, 0), axis=(0, 1)))
        outline = {"type": "formula", "x": "0.5*cos(s)", "y": "0.5*sin(s)"}
        m.add(
            "cam",
            ww.CamFlat(
                bodies=("ground", "follower"),
                outline=outline,
                point_a=(0, 0),
                point_b=(0, y),
                direction=direction,
            ),
        )
        assert m.assemble()["cam.force.normal"] == pytest.approx(20.0, abs=1e-9)
