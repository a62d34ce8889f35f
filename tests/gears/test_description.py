"""Tooth shapes in the description of a mesh: what they do to its equations, and what is refused."""

from math import atan, cos, degrees, radians, tan

import pytest

from wheelwork.description import ModelError, dumps, loads
from wheelwork.gears import GearPair
from wheelwork.layout import layout_of

TEXT = """
parameters: {{x: 0.36}}
bodies:
  a: {{type: rotor, inertia: 1e-4}}
  b: {{type: rotor, inertia: 1e-3, position: [{distance} mm, 0, 0]}}
meshes:
  m:
    type: {type}
    bodies: [a, b]
    teeth: [{teeth}]
    module: 3 mm
    profile_shift: [{shifts}]
    helix_angle: {helix} deg
"""


def numbers(distance, shifts="0.6, x", teeth="12, 24", type="external", helix=0):
    text = TEXT.format(distance=distance, shifts=shifts, teeth=teeth, type=type, helix=helix)
    layout = layout_of(loads(text))
    return {name: float(layout.number(e)[0]) for name, e in layout.meshes["m"].numbers.items()}


def test_wheels_roll_on_their_working_circles():
    """KHK's example: centre distance 56.4999, working circles 37.667 and 75.333, working pressure angle 26.0886."""
    found = numbers(56.49986972)
    assert 2e3 * found["r_a"] == pytest.approx(37.667, abs=5e-4)
    assert 2e3 * found["r_b"] == pytest.approx(75.333, abs=5e-4)
    assert degrees(atan(found["tan_alpha_t"])) == pytest.approx(26.0886, abs=5e-5)


@pytest.mark.parametrize("type", ["external", "internal"])
def test_helical_wheels(type):
    shifts, teeth = ("0.2, 0.1", (20, 43)) if type == "external" else ("0.2, -0.5", (20, 60))
    pair = GearPair.of(
        teeth,
        3e-3,
        internal=type == "internal",
        helix_angle=radians(20),
        profile_shift=tuple(float(s) for s in shifts.split(",")),
    )
    distance = pair.working_centre_distance
    found = numbers(f"{1e3 * distance:.12g}", shifts, f"{teeth[0]}, {teeth[1]}", type, 20)
    assert found["tan_beta"] == pytest.approx(tan(pair.working_helix_angle))
    assert found["tan_alpha_t"] == pytest.approx(tan(pair.working_pressure_angle))
    assert 2 * found["r_b"] == pytest.approx(pair.working_diameters[1])
    assert found["pitch"] == pytest.approx(pair.working_pitch)
    # the base circle is where it was
    assert found["r_a"] * cos(atan(found["tan_alpha_t"])) == pytest.approx(pair.a.base_diameter / 2)


def test_spread_wheels_have_backlash_and_still_turn():
    """Zero shifts say that the axes may stand further apart than the pitch radii."""
    found = numbers(54.2, "0, 0")
    assert found["r_a"] + found["r_b"] == pytest.approx(54.2e-3)
    assert found["r_b"] / found["r_a"] == pytest.approx(2)


@pytest.mark.parametrize(
    ("distance", "said"),
    [
        (
            56,
            r"56 mm apart, but with profile shifts of 0.6 and 0.36 the teeth just mesh at 56.4998\d+ mm: they jam",
        ),
        (56, r"move the axes to 56.4998\d+ mm, or give profile shifts that sum up to 0.7"),
        (60.5, "so far out that the contact ratio is only 0."),
        (50, "base circles touch"),
    ],
)
def test_teeth_that_do_not_mesh(distance, said):
    with pytest.raises(ModelError, match=said):
        numbers(distance)


def test_saved_and_read_again():
    text = TEXT.format(distance=56.5, shifts="0.6, x", teeth="12, 24", type="external", helix=0)
    more = "    face_width: 20 mm\n    thickness_allowance: [-20 um, 0]\n    tip_alteration: [-0.1, 0]\n"
    mechanism = loads(text + more)
    assert loads(dumps(mechanism)) == mechanism
    assert mechanism.meshes["m"].thickness_allowance == (-20e-6, 0.0)


def test_shifts_are_in_modules():
    text = TEXT.format(distance=54, shifts="0, 0", teeth="12, 24", type="external", helix=0)
    with pytest.raises(ModelError, match="`module` is missing beside `profile_shift`"):
        loads(text.replace("    module: 3 mm\n", ""))
    for field, given, said in (
        ("face_width", "-3 mm", "must not be negative"),
        ("addendum", "0", "must be greater than zero"),
        ("root_radius", "-0.1", "must not be negative"),
    ):
        with pytest.raises(ModelError, match=f"{field}: {said}"):
            loads(text + f"    {field}: {given}\n")
