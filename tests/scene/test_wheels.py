"""Which wheels a mechanism has, how wide they are, and what is shown in place of what."""

from fractions import Fraction

import numpy as np
import pytest
from examples.bundled import model

import wheelwork as ww
from wheelwork.gears import Gear
from wheelwork.show.scene import GROUND, make_scene
from wheelwork.show.scene.drawn_meshes import chosen_teeth
from wheelwork.show.scene.wheel_parts import WheelParts
from wheelwork.show.scene.wheels import find_wheels

from . import models


def scene_of(m):
    return make_scene(m.assemble().motion)


def parts(scene, kind):
    return [part for part in scene.parts if part.kind == kind]


def extent(part, axis=2):
    return np.ptp(part.solid.corners[:, axis])


def test_a_wheel_with_many_mates_is_one_wheel():
    found = find_wheels(models.planetary().assemble().motion)
    names = sorted((wheel.body, wheel.count, len(wheel.meshes)) for wheel in found.wheels)
    assert names == [(GROUND, 60, 3), (0, 18, 3), (2, 21, 2), (3, 21, 2), (4, 21, 2)]
    assert not found.notes


def test_a_shaft_has_as_many_wheels_as_it_has_sizes_and_places():
    motion = models.compound().assemble().motion
    middle = find_wheels(motion).of(motion.program.bodies.index("middle"))
    assert [(wheel.count, wheel.point[2]) for wheel in middle] == [
        (31, pytest.approx(0)),
        (13, pytest.approx(0.03)),
    ]


def test_meshes_at_two_heights_of_a_wide_wheel_are_one_wheel_that_holds_both():
    m = models.compound()
    m.meshes["three"] = m.meshes["three"].model_copy(
        update={"point_b": (*m.bodies["middle"].position[:2], 0.008), "axis_b": (0, 0, 1)}
    )
    motion = m.assemble().motion
    wheel = find_wheels(motion).of(motion.program.bodies.index("middle"))[0]
    assert wheel.heights == [pytest.approx(0), pytest.approx(0.008)]
    part = next(part for part in scene_of(m).parts if part.name == "middle z=31")
    low, high = part.solid.corners[:, 2].min(), part.solid.corners[:, 2].max()
    assert (low, high) == (pytest.approx(-0.006), pytest.approx(0.014))


def test_teeth_are_shown_in_place_of_a_pitch_disc_with_its_width_bore_and_hub():
    scene = scene_of(model("planetary-gearbox"))
    assert {part.name for part in parts(scene, "body")} == {"motor", "drum", "arm1", "arm2", "arm3"}
    wheels = {part.name: part for part in parts(scene, "wheel")[::-1]}
    assert extent(wheels["planet1 z=27"], 1) == pytest.approx(0.030)
    assert extent(wheels["ring z=72"], 1) == pytest.approx(0.039)
    corners = wheels["planet1 z=27"].solid.corners
    assert np.hypot(corners[:, 0], corners[:, 2]).min() == pytest.approx(0.015)
    ring = wheels["ring z=72"].solid.corners
    assert np.hypot(ring[:, 0], ring[:, 2]).max() == pytest.approx(72 * 4e-3 / 2 + 0.022)
    hub = next(part for part in parts(scene, "wheel") if part.name == "sun z=18" and extent(part, 1) > 0.1)
    assert extent(hub, 1) == pytest.approx(0.120)


def test_a_shape_that_is_something_else_stays():
    m = models.external()
    m.bodies["a"] = m.bodies["a"].model_copy(update={"shape": ww.Box(size=(0.1, 0.01, 0.01))})
    scene = scene_of(m)
    assert [part.name for part in parts(scene, "body")] == ["a"]
    assert {part.name for part in parts(scene, "wheel")} == {"a z=17", "b z=29"}


def test_a_shaft_thicker_than_its_pinion_leaves_the_teeth_free():
    """The pinion of a steering column is at its end: the shaft ends where the teeth begin."""
    scene = scene_of(model("steering"))
    (shaft,) = [part for part in parts(scene, "body") if part.name == "column"]
    (pinion,) = [part for part in parts(scene, "wheel") if part.name == "column z=8"]
    z = [[some.solid.corners[:, 2].min(), some.solid.corners[:, 2].max()] for some in (pinion, shaft)]
    assert z[0] == pytest.approx([-0.41, -0.39])
    assert z[1] == pytest.approx([-0.39, 0.4])


@pytest.mark.slow
def test_arms_pass_beside_the_wheels_on_them():
    scene = scene_of(model("planetary-stage"))
    arms = parts(scene, "link")
    assert len(arms) == 3
    width = extent(next(part for part in parts(scene, "wheel") if part.name == "planet1 z=21"))
    for arm in arms:
        assert arm.solid.corners[:, 2].max() > width / 2


def test_widths_that_are_not_given():
    """Ten modules where nothing says more; the mate's, where that is known."""
    scene = scene_of(models.external())
    assert [extent(part) for part in parts(scene, "wheel")] == pytest.approx([20e-3, 20e-3])
    m = models.external()
    disc = ww.Disc(radius=17 * models.M / 2, thickness=7e-3)
    m.bodies["a"] = m.bodies["a"].model_copy(update={"shape": disc})
    assert [extent(part) for part in parts(scene_of(m), "wheel")] == pytest.approx([7e-3, 7e-3])


def test_a_wheel_on_the_ground_and_wheels_without_tooth_numbers():
    scene = scene_of(model("gear-set"))
    assert [(part.body, part.name) for part in parts(scene, "wheel")] == [
        (GROUND, "ground z=17"),
        (1, "gear2 z=34"),
    ]
    assert scene.notes == ["Mesh `teeth` has no tooth numbers; it is shown with 17 and 34 teeth."]


@pytest.mark.parametrize(
    ("meshes", "known", "teeth"),
    [
        ({"m": ("a", "b", Fraction(2))}, {}, {"m": (17, 34)}),
        # 2 : 3 : 5 of a train
        (
            {"m": ("a", "b", Fraction(3, 2)), "n": ("b", "c", Fraction(5, 3))},
            {},
            {"m": (18, 27), "n": (27, 45)},
        ),
        ({"m": ("a", "b", Fraction(3))}, {"b": Fraction(60)}, {"m": (20, 60)}),
        ({"m": ("a", "b", Fraction(3))}, {"b": Fraction(61)}, {}),  # no whole number
        ({"m": ("a", "b", Fraction(501, 500))}, {}, {}),  # too many
        ({"m": ("a", "rack", None)}, {}, {"m": (17, 0)}),
    ],
)
def test_tooth_numbers_that_are_chosen(meshes, known, teeth):
    assert chosen_teeth(meshes, known) == teeth


def test_planets_that_cannot_be_put_in_are_named():
    """78 teeth of sun and ring are no multiple of four planets."""
    notes = scene_of(models.planetary(planets=4)).notes
    assert [note.split("`")[1] for note in notes] == ["ring-1", "ring-3"]
    assert "assembly condition" in notes[0]


def test_impossible_teeth_are_pitch_discs():
    m = models.external(teeth=(2, 29))
    scene = scene_of(m)
    assert "without teeth" in scene.notes[0]
    discs = parts(scene, "wheel")
    assert [extent(disc, 0) / 2 for disc in discs] == pytest.approx([2e-3, 29e-3], rel=1e-2)


def test_a_thinner_tooth_wins_where_meshes_differ():
    m = models.compound()
    m.meshes["three"] = m.meshes["three"].model_copy(update={"thickness_allowance": (0.0, -5e-5)})
    motion = m.assemble().motion
    wheel = find_wheels(motion).of(motion.program.bodies.index("middle"))[0]
    assert isinstance(wheel.teeth, Gear)
    assert wheel.teeth.thickness_allowance == -5e-5


def test_many_teeth_have_fewer_points():
    motion = models.planetary().assemble().motion
    found = find_wheels(motion)
    faces = [
        sum(len(solid.faces) for _, solid in WheelParts(motion, found, most).solids())
        for most in (100_000, 6_500, 100)
    ]
    assert faces[0] > 1.2 * faces[1] > 1.4 * faces[2]


def test_a_rack_is_as_long_as_its_pinion_rolls():
    motion = models.turning(models.rack(), "a-bearing")
    rack = next(part for part in make_scene(motion).parts if part.name == "b")
    rolled = np.pi * 15 * models.M
    assert rolled + 3 * np.pi * models.M < extent(rack, 0) < rolled + 6 * np.pi * models.M


def test_places_that_the_motion_depends_on_are_kept():
    """Compliant teeth have a phase, which is where they stand: half a pitch of phase is half a pitch of tooth."""
    angles = []
    for phase in (0.0, 0.5):
        m = models.external()
        m.meshes["mesh"] = m.meshes["mesh"].model_copy(
            update={"model": ww.CompliantTeeth(stiffness=1e8, phase=phase)}
        )
        angles.append(find_wheels(m.assemble().motion).wheels[0].angle)
    pitch = 2 * np.pi / 17
    assert (angles[1] - angles[0]) % pitch == pytest.approx(pitch / 2)


@pytest.mark.slow
def test_other_values_of_parameters_make_other_wheels():
    motion = model("planetary-gearbox").simulate(end=0.1, output=4, parameters={"module": "5 mm"}).motion
    ring = next(part for part in make_scene(motion).parts if part.name == "ring z=72").solid.corners
    assert np.hypot(ring[:, 0], ring[:, 2]).max() == pytest.approx(72 * 5e-3 / 2 + 0.022)


def test_more_teeth_than_can_be_seen():
    """A wheel of 100000 teeth took minutes and gigabytes to draw; it is a disc, and that is said."""
    m = ww.Mechanism("fine", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Rotor(inertia=1e-3, position=(100.02, 0, 0)))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 100_000), module=2e-3))
    scene = scene_of(m)
    assert "a wheel has 100000 teeth, more than the 2000" in scene.notes[0]
    assert sum(len(part.solid.corners) for part in scene.parts) < 10_000
