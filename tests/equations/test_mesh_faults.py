# ruff: noqa: E501  (messages stand whole, so that they can be searched for)
"""What users get wrong in meshes, and what they are told."""

import pytest

from .mesh_models import CROSSING, MEETING, PARALLEL, RACK, TAN30, Resolved, message_of

# -- what goes wrong

AMBIGUOUS = """
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  a1: {type: revolute, bodies: [ground, a], point: [0, 0, 0], axis: [0, 0, 1]}
  a2: {type: revolute, bodies: [ground, a], point: [0, 50 mm, 0], axis: [0, 0, 1]}
  b1: {type: revolute, bodies: [ground, b], point: [60 mm, 0, 0], axis: [0, 0, 1]}
  b2: {type: revolute, bodies: [ground, b], point: [60 mm, 0, 0], axis: [0, 1, 1]}
  weld: {type: spherical, bodies: [ground, b], point: [60 mm, 0, 0]}
meshes:
  m: {bodies: [a, b], %s}
"""
FAULTS = {
    "distance and module": (
        PARALLEL % "type: external, teeth: [20, 41], module: 2 mm",
        "meshes.m: the axes are 60 mm apart, but pitch radii of 20 mm + 41 mm need 61 mm (move the axes to 61 mm, or use a module of 1.96721311 mm, or give `profile_shift`)",
    ),
    "distance and radii": (
        PARALLEL % "type: internal, radii: [20 mm, 41 mm]",
        "the axes are 60 mm apart, but pitch radii of 41 mm - 20 mm need 21 mm (move the axes to 21 mm, or leave out `radii` and give `ratio`: the radii then follow from the distance)",
    ),
    "teeth and ratio": (
        PARALLEL % "type: external, teeth: [20, 41], ratio: 2",
        "meshes.m.ratio: 20 and 41 teeth make a ratio of 2.05, but `ratio` is 2 (leave one of them out, or make them agree)",
    ),
    "teeth and radii": (
        PARALLEL % "type: external, teeth: [20, 40], radii: [20 mm, 41 mm]",
        "meshes.m.radii: 20 and 40 teeth make a ratio of 2, but radii of 20 mm and 41 mm make 2.05",
    ),
    "module and radii": (
        PARALLEL % "type: external, teeth: [20, 40], radii: [20 mm, 40 mm], module: 2.5 mm",
        "meshes.m.radii: teeth and a module of 2.5 mm make a pitch radius of 25 mm for `a`, but `radii` has 20 mm (leave out `radii`, or use a module of 2 mm)",
    ),
    "module and ratio": (
        PARALLEL % "type: external, ratio: 2, module: 1.9 mm",
        "a module of 1.9 mm and a pitch radius of 20 mm make 21.0526316 teeth, which is not a whole number",
    ),
    "not parallel": (
        CROSSING % (0, 0, "type: external, ratio: 2"),
        "the axes of `a` (joint `a.bearing`) and `b` (joint `b.bearing`) are at 90 deg, but must be parallel (turn one of them; wheels whose axes meet are `bevel`, those that cross `crossed`)",
    ),
    "the same axis": (
        (PARALLEL % "type: external, ratio: 2").replace("60 mm", "0 mm"),
        "`a` (joint `a.bearing`) and `b` (joint `b.bearing`) turn about the same axis",
    ),
    "bevel on parallel axes": (
        PARALLEL % "type: bevel, ratio: 2",
        "are parallel, but must meet (wheels on parallel axes are `external`)",
    ),
    "bevel on crossing axes": (
        CROSSING % (0, 0, "type: bevel, ratio: 2"),
        "pass each other 60 mm apart, but must meet (move one of them; wheels whose axes cross without meeting are `crossed`)",
    ),
    "bevel at the apex": (
        (MEETING % (0, 0, "ratio: 2")).replace("[0, 0, 50 mm]", "[0, 0, 0]"),
        "`a` is at the apex, where the axes meet: it is not clear on which side of it its teeth are (give `point_a` and `axis_a`, the point being the wheel's centre)",
    ),
    "bevel with a hollow cone": (
        MEETING % ("-60 mm", 1.5, "teeth: [20, 60], module: 2 mm"),
        "with axes at 146.309932 deg the pitch cone of `b` has an angle of 131.957911 deg, but must have less than 90 deg",
    ),
    "bevel whose circles do not meet": (
        MEETING
        % (
            0,
            0,
            "teeth: [20, 40], point_a: [0, 0, 50 mm], axis_a: [0, 0, 1], point_b: [30 mm, 0, 0], axis_b: [1, 0, 0]",
        ),
        "the pitch circles do not meet: with `a` 50 mm from the apex, `b` must be 25 mm from it, but is at 30 mm",
    ),
    "bevel with teeth beyond the apex": (
        MEETING % (0, 0, "teeth: [20, 40], module: 2 mm, face_width: 50 mm"),
        "meshes.m.face_width: the teeth reach beyond the apex: the outer cone distance is 44.7213595 mm, but the face width 50 mm",
    ),
    "worm not square": (
        CROSSING % (0, 0.5, "type: worm, teeth: [1, 40], module: 2 mm"),
        "the axes of worm and wheel cross at 63.4349488 deg, but must cross at a right angle (turn one of them, or describe the pair as `crossed`)",
    ),
    "worm that meets the wheel": (
        (CROSSING % (0, 0, "type: worm, teeth: [1, 40], module: 2 mm")).replace("60 mm", "0 mm"),
        "meet, but must pass each other (wheels whose axes meet are `bevel`)",
    ),
    "worm without size": (
        CROSSING % (0, 0, "type: worm, ratio: 40"),
        "worm and wheel have no size: beside the distance of the axes one more number is needed (give `module`, `lead_angle` or `diameter`)",
    ),
    "worm too thick": (
        CROSSING % (0, 0, "type: worm, teeth: [1, 40], module: 2 mm, diameter: 50 mm"),
        "the axes are 60 mm apart, but pitch radii of 25 mm and 40 mm need 65 mm (move the axes to 65 mm, or leave out one of the sizes)",
    ),
    "worm with too large a module": (
        CROSSING % (0, 0, "type: worm, teeth: [1, 40], module: 4 mm"),
        "the axes must be more than 80 mm apart, or the module smaller",
    ),
    "worm with the wrong lead angle": (
        CROSSING % (0, 0, "type: worm, teeth: [2, 41], diameter: 38 mm, module: 2 mm, lead_angle: 5 deg"),
        "meshes.m.lead_angle: `lead_angle` is 5 deg, but pitch radii of 19 mm and 41 mm make 6.00900596 deg (leave one of the sizes out)",
    ),
    "helix angles": (
        CROSSING % (0, 0, "type: crossed, ratio: 2, helix_angles: [45 deg, 40 deg]"),
        "meshes.m.helix_angles: the axes cross at 90 deg, but helix angles of 45 deg and 40 deg make 85 deg (the helix angles, positive right-handed, must sum up to 90 deg)",
    ),
    "hands": (
        CROSSING % (0, TAN30, "type: crossed, ratio: 2, helix_angles: [-50 deg, -10 deg]"),
        "the hands are reversed: change the signs of both helix angles",
    ),
    "rack off the pitch circle": (
        RACK % "teeth: 21, module: 2 mm",
        "the pitch line of `b` (joint `slide`) is 20 mm from the axis of `a`, but the pitch radius is 21 mm (move the pitch line to 21 mm, or give its place by `point_b` and `axis_b`, or use a module of 1.9047619 mm)",
    ),
    "rack through the axis": (
        (RACK % "teeth: 21").replace("-20 mm", "0"),
        "goes through the axis of `a` (joint `a.bearing`), but must touch its pitch circle",
    ),
    "rack along the axis": (
        (RACK % "").replace("[2, 0, 0]", "[1, 0, 1]"),
        "are at 45 deg, but must be at a right angle",
    ),
    "rack with contradicting sizes": (
        RACK % "teeth: 20, module: 2 mm, radius: 21 mm",
        "meshes.m.radius: 20 teeth and a module of 2 mm make a pitch radius of 20 mm, but `radius` is 21 mm (leave out `radius`, or use a module of 2.1 mm)",
    ),
    "rack in space that holds its distance": (
        RACK % "holds_distance: true",
        "meshes.m.holds_distance: is for planar mechanisms",
    ),
    "belt too short": (
        PARALLEL % "type: belt, radii: [20 mm, 41 mm], crossed: true",
        "the axes are 60 mm apart, but a crossed belt on radii of 20 mm and 41 mm needs more than 61 mm",
    ),
    "belt with contradicting sizes": (
        PARALLEL % "type: belt, radii: [10 mm, 20 mm], teeth: [20, 30]",
        "meshes.m.teeth: 20 and 30 teeth make a ratio of 1.5, but radii of 10 mm and 20 mm make 2",
    ),
    "more than one pair": (
        AMBIGUOUS % "type: external, ratio: 2",
        "meshes.m: `a` and `b` have more than one pair of parallel axes: joint `a1` and joint `b1` (parallel, 60 mm apart); joint `a2` and joint `b1` (parallel, 78.1024968 mm apart) (name the two with `joints`, or give `point_a` and `axis_a`, `point_b` and `axis_b`)",
    ),
    "no pair fits": (
        AMBIGUOUS % "type: external, radii: [10 mm, 20 mm]",
        "no joints that carry `a` and `b` have parallel axes 30 mm apart; there are joint `a1` and joint `b1` (parallel, 60 mm apart); joint `a2`",
    ),
    "joints the wrong way round": (
        AMBIGUOUS % "type: external, ratio: 2, joints: [b1, a1]",
        "meshes.m.joints: joint `b1` does not carry `a`: it connects `ground` and `b` (`joints` go in the order of `bodies`; or give `point_a` and `axis_a`)",
    ),
    "a joint without an axis": (
        AMBIGUOUS % "type: external, ratio: 2, joints: [a1, weld]",
        "meshes.m.joints: needs a revolute, cylindrical or screw joint for `b`, but `weld` is of type `spherical`",
    ),
}


@pytest.mark.parametrize(("text", "expected"), FAULTS.values(), ids=FAULTS.keys())
def test_what_is_wrong_is_said_with_numbers(text, expected):
    assert expected in message_of(text)


def test_the_size_settles_which_joints_are_meant():
    assert Resolved(AMBIGUOUS % "type: external, teeth: [20, 40], module: 2 mm").joints == ("a1", "b1")


def test_everything_wrong_is_reported_at_once():
    text = (
        PARALLEL % "type: external, teeth: [20, 41], module: 2 mm"
        + "  n: {bodies: [a, b], type: bevel, ratio: 2}\n"
    )
    assert message_of(text).startswith("2 problems")
