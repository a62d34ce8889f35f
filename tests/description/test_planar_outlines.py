# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""Outlines of cams: what is read, and which curves no follower could follow."""

import pytest

from wheelwork.description import FormulaOutline, ModelError, PointsOutline, flatten, loads

BODIES = """\
kind: planar
parameters: {base: 40 mm, lift: 10 mm}
bodies:
  a: {mass: 1, inertia: 1}
  b: {mass: 1, inertia: 1}
"""


def cam(outline: str, more: str = "", name: str = "cam_point") -> str:
    return (
        f"{BODIES}{more}joints:\n"
        f"  j: {{type: {name}, bodies: [a, b], point_a: [0, 0], point_b: [0, 1], outline: {outline}}}\n"
    )


def message_of(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        loads(text, file="m.yaml")
    return str(caught.value)


ECCENTRIC = "{type: formula, x: base*cos(s) + lift, y: base*sin(s)}"
HARMONIC = '{type: polar, radius: "base + lift*(1 - cos(2*s))"}'
SLOT = "{type: formula, x: s, y: 0.1*s^2, interval: [-1, 1], closed: false}"
SQUARE = "{type: points, points: [[1, 0], [0, 1], [-1, 0], [0, -1]]}"


@pytest.mark.parametrize("outline", [ECCENTRIC, HARMONIC, SLOT, SQUARE])
def test_curves_that_can_be_followed(outline):
    assert flatten(loads(cam(outline))).joints["j"].element.outline.type in outline


def test_the_parameter_of_the_curve_has_no_component_in_front():
    inner = "\n".join("      " + line for line in cam(HARMONIC).splitlines())
    outer = f"kind: planar\ncomponents:\n  c:\n    model:\n{inner}\n"
    outline = flatten(loads(outer)).joints["c.j"].element.outline
    assert outline.radius.names() == {"s", "c.base", "c.lift"}


def test_an_angle_may_be_the_interval():
    outline = FormulaOutline(x="cos(s)", y="sin(s)", interval=(0, "360 deg"))
    assert outline.interval[1] == pytest.approx(FormulaOutline(x="cos(s)", y="sin(s)").interval[1])


# fmt: off
BAD = {
    "open": ("{type: formula, x: cos(s), y: sin(s), interval: [0, 3]}", "joints.j.outline.x: the curve is not closed: its ends are 1.995 m apart (give the `interval` of one turn, or `closed: false`)"),
    "open polar": ("{type: polar, radius: 1 + s}", "joints.j.outline.radius: the curve is not closed: its ends are 6.283 m apart"),
    "a drop": ('{type: formula, x: "sin(s)^2", y: sin(2*s)*cos(s/2)^2, interval: [0, pi]}', "joints.j.outline.x: the curve has a corner of"),
    "a corner": ("{type: polar, radius: 1 + 0.1*s*(2*pi - s)}", "joints.j.outline.radius: the curve has a corner of"),
    "no radius": ("{type: polar, radius: cos(s)}", "joints.j.outline.radius: must be greater than zero, but is"),
    "a negative radius by parameters": ("{type: polar, radius: lift - base}", "joints.j.outline.radius: must be greater than zero, but is -0.03 m at s = 0 rad"),
    "a point": ("{type: formula, x: 1, y: 2}", "joints.j.outline.x: the curve has no tangent at s = 0: it needs a tangent everywhere"),
    "no number": ("{type: formula, x: log(s), y: s, closed: false}", "joints.j.outline.x: the curve has no finite value at s = 0"),
    "the wrong way": ("{type: formula, x: cos(s), y: sin(s), interval: [1, 0]}", "joints.j.outline.interval[1]: must be more than the beginning 1, but is 0"),
    "time": ("{type: polar, radius: 1 + t}", "joints.j.outline.radius: must stay the same during a run, but `1 + t` uses the time `t`"),
    "a signal": ("{type: polar, radius: 1 + a.w}", "joints.j.outline.radius: `a.w` is a signal, but this value may use parameters and `s` only"),
    "no such parameter": ("{type: polar, radius: bas + s}", "joints.j.outline.radius: there is no parameter `bas` (in `bas + s`) (did you mean `base`?)"),
    "the wrong dimension": ("{type: polar, radius: 30 deg}", "joints.j.outline.radius: needs a length (such as `15 mm`), but `30 deg` is an angle"),
    "a table over time": ("{type: polar, radius: {time: [0, 1], value: [1, 2]}}", "joints.j.outline.radius: needs a length (such as `15 mm`), but is a mapping"),
    "too few points": ("{type: points, points: [[1, 0], [0, 1], [1, 1]]}", "joints.j.outline.points: a closed curve needs 4 points or more, but has 3"),
    "a point twice": ("{type: points, points: [[1, 0], [0, 1], [0, 1], [1, 1], [2, 2]]}", "joints.j.outline.points[2]: is the same as the point before it"),
    "the first point again": ("{type: points, points: [[1, 0], [0, 1], [0, 2], [1, 0]]}", "joints.j.outline.points[3]: repeats the first point; a closed curve continues to it by itself (leave the last point out)"),
    "points on a line": ("{type: points, points: [[0, 0], [1, 1], [2, 2], [3, 3]]}", "joints.j.outline.points: all lie on a line: a closed curve has an area"),
    "a formula as a point": ("{type: points, points: [[0, 0], [1, base], [2, 2], [3, 0]]}", "joints.j.outline.points[1][1]: a table of points is made of numbers, but `base` is a formula"),
    "no type": ("{radius: 1}", "joints.j.outline.type: `type` is missing (the types are `formula`, `polar` and `points`)"),
}
# fmt: on


@pytest.mark.parametrize("case", BAD)
def test_curves_that_cannot(case):
    outline, message = BAD[case]
    text = message_of(cam(outline))
    assert message in text
    assert "m.yaml:7:" in text


def test_a_parameter_called_like_that_of_the_curve():
    text = message_of(cam(HARMONIC).replace("lift: 10 mm", "lift: 10 mm, s: 3"))
    assert "`s` is the parameter of the curve here, but there is a parameter `s` too (rename that)" in text


def test_it_is_a_parameter_elsewhere():
    text = f"{BODIES}joints: {{j: {{type: revolute, bodies: [ground, a], point: [s, 0]}}}}"
    assert "there is no parameter `s`" in message_of(text)
    loads(text.replace("lift: 10 mm", "s: 10 mm"))


def test_an_open_curve_may_pass_through_a_line():
    PointsOutline(points=[(0, 0), (1, 1), (2, 2)], closed=False)
