"""Plain solids close, rotors stand side by side, springs and rods are lines."""

import numpy as np
import pytest
from examples.bundled import model

import wheelwork as ww
from wheelwork.description.registry import family
from wheelwork.show.figures.over_time import coordinates
from wheelwork.show.scene import make_scene
from wheelwork.show.scene.joint_parts import SYMBOLS
from wheelwork.show.scene.solids import box, cylinder, sphere, tube
from wheelwork.system.attitude import rotation_matrices


def test_rotors_are_discs_side_by_side_and_their_bearings_not_repeated():
    m = ww.Mechanism("line")
    for name, inertia in (("motor", 1.0), ("load", 0.1)):
        m.add(name, ww.Rotor(inertia=inertia, axis=(1, 0, 0)))
    m.add("shaft", ww.TorsionalSpring(bodies=("motor", "load"), stiffness=100))
    m.add("push", ww.Actuator(joint="motor.bearing", value=1))
    r = m.simulate(end=0.1, output=4)
    assert coordinates(r) == ["motor.angle", "load.angle"]
    scene = make_scene(r.motion)
    middles = [part.solid.corners.mean(axis=0) for part in scene.parts]
    assert abs(middles[1][0] - middles[0][0]) > 0.1 * scene.radius
    sizes = [np.abs(part.solid.corners[:, 1]).max() for part in scene.parts]
    assert sizes[0] > sizes[1]


@pytest.mark.parametrize(
    ("solid", "volume"),
    [
        (box((1, 2, 3)), 6),
        (cylinder(1, 2, 200), 2 * np.pi),
        (tube(2, 1, 1, 200), 3 * np.pi),
        (sphere(1, 120), 4 / 3 * np.pi),
    ],
    ids=["box", "cylinder", "tube", "sphere"],
)
def test_faces_close_and_look_outwards(solid, volume):
    """Gauss: the volume is a third of the sum of x . n over the faces; a face turned inwards would take away."""
    total = 0.0
    for face in solid.faces:
        p = solid.corners[face]
        for k in range(1, len(face) - 1):
            total += np.dot(p[0], np.cross(p[k], p[k + 1])) / 6
    assert total == pytest.approx(volume, rel=2e-3)


def test_springs_and_rods_are_lines():
    m = ww.Mechanism("swing")
    m.add("seat", ww.Body(mass=1, inertia=(1, 1, 1), position=(0, 0, -1)))
    m.add("rope", ww.Rod(bodies=("ground", "seat"), point_a=(0, 0, 0), point_b=(0, 0, -1)))
    m.add(
        "spring", ww.Spring(bodies=("ground", "seat"), point_a=(1, 0, -1), point_b=(0, 0, -1), stiffness=10)
    )
    scene = make_scene(m.simulate(end=0.1, output=2).motion)
    assert [line.kind for line in scene.lines] == ["rod", "spring"]
    (ground, point), (body, _) = scene.lines[1].ends
    assert (ground, body) == (-1, 0)
    np.testing.assert_allclose(point, [1, 0, -1])


@pytest.mark.parametrize("crossed", [False, True])
def test_strands_of_a_belt_touch_both_pulleys(crossed):
    """At a right angle to the radii at both ends; a crossed belt's strands meet between the pulleys."""
    m = ww.Mechanism("belt")
    for name, x in (("a", 0.0), ("b", 0.4)):
        m.add(name, ww.Body(mass=1, inertia=(1, 1, 1), position=(x, 0, 0)))
        m.add(f"{name}-bearing", ww.Revolute(bodies=("ground", name), point=(x, 0, 0), axis=(0, 0, 1)))
    m.add("belt", ww.BeltMesh(bodies=("a", "b"), radii=(0.05, 0.12), crossed=crossed))
    scene = make_scene(m.assemble().motion)
    assert [line.kind for line in scene.lines] == ["belt", "belt"]
    sides = []
    for line in scene.lines:
        (_, p), (_, q) = line.ends
        for centre, radius, end in (((0, 0, 0), 0.05, p), ((0.4, 0, 0), 0.12, q)):
            assert np.linalg.norm(end - centre) == pytest.approx(radius)
            assert (end - centre) @ (q - p) == pytest.approx(0, abs=1e-12)
        sides.append(p[1] * q[1] > 0)
    assert sides == [not crossed] * 2
    pulleys = [part for part in scene.parts if part.kind == "wheel"]
    assert [np.ptp(part.solid.corners[:, 0]) / 2 for part in pulleys] == pytest.approx([0.05, 0.12], rel=1e-2)


def test_a_pulley_is_drawn_unless_a_shape_of_its_body_shows_it():
    """A disc of its size stands for it, a thin shaft through it and a plate above it do not."""
    shapes = {
        "a": {"type": "disc", "radius": 0.05, "thickness": 0.01},
        "b": {"type": "cylinder", "radius": 0.01, "length": 0.3},
        "c": {"type": "disc", "radius": 0.2, "thickness": 0.01},
    }
    m = ww.Mechanism("belts")
    for k, (name, shape) in enumerate(shapes.items()):
        place = (0.4 * k, 0, 0.1 if name == "c" else 0)
        m.add(name, ww.Body(mass=1, shape=shape, position=place))
        m.add(f"{name}-bearing", ww.Revolute(bodies=("ground", name), point=(0.4 * k, 0, 0), axis=(0, 0, 1)))
    m.add("first", ww.BeltMesh(bodies=("a", "b"), radii=(0.05, 0.12)))
    m.add("second", ww.BeltMesh(bodies=("b", "c"), radii=(0.12, 0.06)))
    scene = make_scene(m.assemble().motion)
    pulleys = [(scene.names[part.body], part.solid.corners) for part in scene.parts if part.kind == "wheel"]
    assert [name for name, _ in pulleys] == ["b", "c"]
    assert np.ptp(pulleys[1][1][:, 0]) / 2 == pytest.approx(0.06, rel=1e-2)
    assert np.mean(pulleys[1][1][:, 2]) == pytest.approx(-0.1)  # below the plate


def test_symbols_of_what_rolls_are_as_thick_wherever_it_is():
    """Not thicker the farther it has gone from where it began."""
    r = model("trailer").simulate(end=10, output=2)
    first, last = (make_scene(r.at([t]).motion) for t in (0.0, 10.0))
    sizes = [
        [np.ptp(part.solid.corners, axis=0).max() for part in scene.parts if part.name == "hitch"]
        for scene in (first, last)
    ]
    assert sizes[0]
    assert sizes[1] == pytest.approx(sizes[0], rel=0.1)  # it is a little longer in a curve


def test_a_cam_is_a_plate_with_its_outline_and_the_follower_touches_it():
    """The flat face of the bundled follower: nothing of the cam is above it, and some of it is at it."""
    m = model("cam-follower")
    scene = make_scene(m.assemble().motion)
    plate = max(
        (part for part in scene.parts if part.kind == "body"), key=lambda part: len(part.solid.corners)
    )
    cam = (
        plate.solid.corners @ rotation_matrices(scene.orientation[0, plate.body]).T
        + scene.position[0, plate.body]
    )
    label = next(label for label in scene.labels if label.type == "cam_flat")
    face = scene.position[0, label.body] + rotation_matrices(scene.orientation[0, label.body]) @ label.point
    assert cam[:, 1].max() == pytest.approx(face[1], abs=2e-3 * np.ptp(cam[:, 1]))
    assert plate.solid.triangles().volume > 0


def test_a_bearing_of_a_disc_is_in_its_middle():
    """Wider than the disc along the axis; it was drawn about the rim, 1.7 times as wide as the disc, and hid it."""
    m = ww.Mechanism("disc")
    m.add("disc", ww.Body(shape=ww.Disc(radius=0.1, thickness=0.02), density=7800))
    place = {"bodies": ("ground", "disc"), "point": (0, 0, 0), "axis": (0, 0, 1)}
    m.add("hub", ww.Bearing(**place, radial_stiffness=1e7, axial_stiffness=1e7, tilt_stiffness=1e4))
    rings = [part.solid for part in make_scene(m.assemble().motion).parts if part.name == "hub"]
    reach = max(np.abs(ring.corners[:, :2]).max() for ring in rings)
    assert reach < 0.06
    assert all(np.abs(ring.corners[:, 2]).max() > 0.01 for ring in rings)


@pytest.mark.parametrize("joint", ["revolute", "spherical", "point_on_line"])
def test_rigid_bearings_are_rings_about_a_shaft_that_would_hide_them(joint):
    """A slender round shape about the joint; its own radius, 20 mm, is inside the ring and 25 mm the ring's."""
    m = ww.Mechanism("shaft")
    m.add("shaft", ww.Body(shape=ww.Cylinder(radius=0.02, length=0.4, axis="y"), density=7800))
    more = {} if joint == "spherical" else {"axis": (0, 1, 0)}
    m.add("left", family("joints")[joint](bodies=("ground", "shaft"), point=(0, -0.1, 0), **more))
    parts = [part for part in make_scene(m.assemble().motion).parts if part.name == "left"]
    reach = [np.hypot(part.solid.corners[:, 0], part.solid.corners[:, 2]).max() for part in parts]
    assert max(reach) == pytest.approx(0.025, rel=1e-6)
    m.bodies["shaft"].shape = ww.Cylinder(radius=0.2, length=0.1, axis="y")  # a disc stays one
    parts = [part for part in make_scene(m.assemble().motion).parts if part.name == "left"]
    assert all(np.abs(part.solid.corners[:, [0, 2]]).max() < 0.1 for part in parts)


@pytest.mark.parametrize("kind", family("joints"))
def test_every_joint_has_a_symbol(kind):
    """On one side at least but for welds, cams and what rolls on a plane, closed, and as thick as it should be."""
    sides = [name for name in family("joints")[kind].symbol if name]
    assert sides or kind in ("fixed", "cam_flat", "cam_cam")
    for name in sides:
        found = SYMBOLS[name](0.01).triangles()
        assert found.volume > 0
        assert np.max(np.abs(found.points)) < 0.1
