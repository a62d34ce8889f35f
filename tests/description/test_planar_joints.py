"""Joints and drivers of the plane, and cams in both kinds of mechanism, as the equations see them."""

import math

import pytest

import wheelwork as ww
from wheelwork.description import ModelError, Pose, flatten, loads
from wheelwork.description.registry import family
from wheelwork.description.union import type_of

BODIES = """\
kind: planar
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1, position: [1, 0]}
"""


def joint(text: str, kind: str = "planar"):
    bodies = (
        BODIES
        if kind == "planar"
        else BODIES.replace("planar", kind).replace("inertia: 1", "inertia: [1, 1, 1]")
    )
    bodies = bodies if kind == "planar" else bodies.replace("[1, 0]", "[1, 0, 0]")
    return flatten(loads(f"{bodies}joints: {{j: {text}}}")).joints["j"]


def driver(text: str):
    return flatten(loads(f"{BODIES}drivers: {{d: {text}}}")).drivers["d"].element


def test_an_absolute_constraint_is_a_relative_one_to_ground():
    held = joint("{type: absolute, body: b, coordinate: x, value: 1}").element
    assert held.bodies == ("ground", "b")
    assert (held.type, held.coordinate, held.value) == ("absolute", "x", 1.0)
    assert (held.frame_a, held.frame_b) == (Pose(), Pose())


def test_the_point_of_an_absolute_constraint():
    held = joint("{type: absolute, body: b, coordinate: y, point: [2, 3]}").element
    assert (held.point_a, held.point_b) == ((0, 0, 0), (2, 3, 0))
    held = joint("{type: absolute, body: b, coordinate: y, frame: {position: [2, 3]}}").element
    assert (held.frame_a, held.frame_b.position) == (Pose(), (2, 3, 0))


def test_a_relative_constraint_is_between_origins_where_nothing_is_said():
    held = joint("{type: relative, bodies: [a, b], coordinate: y}").element
    assert (held.point_a, held.point_b, held.frame_a, held.frame_b) == (None, None, Pose(), Pose())
    held = joint("{type: relative, bodies: [a, b], coordinate: y, frame_b: {position: [0, 2]}}").element
    assert (held.frame_a, held.frame_b.position) == (Pose(), (0, 2, 0))
    held = joint("{type: relative, bodies: [a, b], coordinate: angle, value: 30 deg}").element
    assert held.value == pytest.approx(math.pi / 6)


def test_a_relative_constraint_at_an_attachment_frame():
    text = f"{BODIES}frames: {{tip: {{body: a, position: [0.5, 0], angle: 1}}}}\n"
    held = (
        flatten(loads(text + "joints: {j: {type: relative, bodies: [tip, b], coordinate: x}}"))
        .joints["j"]
        .element
    )
    assert held.bodies == ("a", "b")
    assert held.frame_a.position == (0.5, 0.0, 0.0)
    assert held.frame_b == Pose()


def test_an_absolute_constraint_in_a_component():
    inner = "{kind: planar, bodies: {b: {mass: 1, inertia: 1}}, joints: {j: {type: absolute, body: b, coordinate: x}}}"
    outer = f"{BODIES}components: {{c: {{model: {inner}, position: [3, 4], ground: a}}}}"
    placed = flatten(loads(outer)).joints["c.j"]
    assert placed.element.bodies == ("a", "c.b")
    # The component's origin is fixed to the body that plays its ground, and stands at (3, 4) at the start.
    assert [pose.position for pose in placed.in_world["a"]] == [(3, 4, 0)]
    assert "b" not in placed.in_world


def test_composite_joints():
    rod = joint("{type: revolute_revolute, bodies: [a, b], point_a: [0, 0], point_b: [1, 0]}").element
    assert (rod.point_b, rod.length) == ((1, 0, 0), None)
    block = "{type: revolute_translational, bodies: [a, b], point_a: [0, 0], axis: [1, 1], point_b: [1, 0], "
    block += "distance: 5 mm}"
    assert (joint(block).element.axis, joint(block).element.distance) == ((1, 1, 0), 0.005)


def test_translational_is_the_name_of_prismatic_in_the_plane():
    ours = joint("{type: translational, bodies: [a, b], point: [0, 0], axis: [1, 2], comment: guide}").element
    theirs = joint("{type: prismatic, bodies: [a, b], point: [0, 0], axis: [1, 2], comment: guide}").element
    assert ours == theirs


def test_what_acts_on_a_joint_acts_on_it_under_either_name():
    text = f"{BODIES}joints: {{j: {{type: translational, bodies: [a, b], point: [0, 0], axis: [1, 2]}}}}\n"
    flat = flatten(loads(text + "forces: {f: {type: actuator, joint: j, value: 3 N}}"))
    assert flat.forces["f"].element.joint == "j"
    with pytest.raises(ModelError, match="needs a joint with an angle, but `j` is a translational joint"):
        loads(text + "forces: {f: {type: torsional_spring, joint: j, stiffness: 1}}")


def test_drivers_in_the_plane():
    turned = driver("{type: body, body: a, coordinate: angle, value: 90 deg}")
    assert turned.value == pytest.approx(math.pi / 2)
    moved = driver("{type: body, body: a, coordinate: x, value: 2*t, point_in_body: [0.1, 0.2]}")
    assert moved.point_in_body == (0.1, 0.2, 0.0)
    cylinder = driver(
        "{type: distance, bodies: [ground, b], point_a: [0, 0], point_b: [1, 0], value: 1 + t/10}"
    )
    assert (cylinder.point_a, cylinder.point_b) == ((0, 0, 0), (1, 0, 0))
    assert driver("{type: rotation, bodies: [a, b], value: {time: [0, 1], value: [0, 90 deg]}}").value.value[
        1
    ] == (pytest.approx(math.pi / 2))


@pytest.mark.parametrize("kind", ["spatial", "planar"])
def test_the_axis_of_a_cam(kind):
    short = "{type: cam_point, bodies: [a, b], point_a: [0, 0], point_b: [0, 1], outline: {type: polar, radius: 1}}"
    if kind == "planar":
        assert joint(short).element.axis == (0.0, 0.0, 1.0)
    else:
        long = short.replace("[0, 0]", "[0, 0, 0]").replace("[0, 1]", "[0, 1, 0], axis: [1, 0, 0]")
        assert joint(long, "spatial").element.axis == (1.0, 0.0, 0.0)
        with pytest.raises(ModelError, match=r"joints\.j\.axis: `axis` is missing beside `point_a`"):
            joint(long.replace(", axis: [1, 0, 0]", ""), "spatial")


def test_a_cam_may_be_placed_by_frames():
    text = "{type: cam_cam, bodies: [a, b], frame_a: {angle: 1}, frame_b: {}, outline_a: {type: polar, radius: 1}, "
    cam = joint(text + "outline_b: {type: polar, radius: 2}}").element
    assert cam.frame_a.orientation.angle == 1.0
    assert cam.axis is None


def test_every_joint_says_where_it_belongs():
    planar = {type_of(cls) for cls in family("joints").values() if "planar" in cls.kinds}
    both = {type_of(cls) for cls in family("joints").values() if len(cls.kinds) == 2}
    assert planar - both >= {
        "absolute", "relative", "translational", "revolute_revolute", "revolute_translational"
    }  # fmt: skip
    assert both >= {
        "fixed", "revolute", "prismatic", "distance", "point_on_line", "cam_flat", "cam_cam", "cam_point"
    }  # fmt: skip


def test_names_under_wheelwork():
    m = ww.Mechanism("m", kind="planar")
    m.add("a", ww.Body(mass=1, inertia=1))
    m.add("b", ww.Body(mass=1, inertia=1))
    m.add("x", ww.Absolute(body="a", coordinate="x"))
    m.add("phi", ww.Relative(bodies=("a", "b"), coordinate="angle"))
    circle = ww.PolarOutline(radius="30 mm")
    m.add(
        "cam",
        ww.CamCam(bodies=("a", "b"), point_a=(0, 0), point_b=(0, 1), outline_a=circle, outline_b=circle),
    )
    m.add("turn", ww.RotationDriver(bodies=("ground", "a"), value="2*t"))
    assert list(flatten(m).joints) == ["x", "phi", "cam"]
