"""From descriptions to numbers: where bodies and elements are, however they are written."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork.system.motion import Motion
from wheelwork.system.program import Numbers, Program
from wheelwork.system.uses import ConstraintKind

from .models import body, orientation, point, program_of


def at_start(program: Program, t: float = 0.0, numbers: Numbers | None = None) -> Motion:
    """The given position as a motion of one moment."""
    numbers = program.numbers() if numbers is None else numbers
    empty = np.zeros((1, 0))
    return Motion(
        program, numbers, np.array([t]), numbers.state[None], np.zeros((1, program.nv)), empty, empty
    )


def markers(program: Program, constraint: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """World position and axes of a constraint's two markers at the given position."""
    motion, use = at_start(program), program.constraints[constraint]
    out = []
    for k, index in enumerate((use.a, use.b)):
        record = motion.records[0, index]
        data = motion.numbers.data[use.data + 12 * k : use.data + 12 * k + 12]
        R = record[3:12].reshape(3, 3)
        out += [record[:3] + R @ data[:3], R @ data[3:].reshape(3, 3)]
    return tuple(out)  # type: ignore[return-value]


def residuals(program: Program, t: float = 0.0) -> np.ndarray:
    motion = at_start(program, t)
    parts = []
    for k, use in enumerate(program.constraints):
        parts.append(np.array(use.kernel.residual.call(motion.constraint_arguments(k))[0])[: use.rows, 0])
    return np.concatenate(parts)


# -- bodies


def test_a_body_starts_where_and_as_fast_as_it_is_given():
    """State: centre of mass, while position and velocity are given for the frame's origin: v_c = v + w x R c."""
    rng = np.random.default_rng(0)
    m = ww.Mechanism("body")
    given = m.add("one", body(rng, inertia=((1.2, 0.1, 0), (0.1, 1.3, -0.2), (0, -0.2, 1.1))))
    program = program_of(m)
    numbers = program.numbers()
    R = Rotation.from_rotvec(given.orientation.rotation_vector).as_matrix()
    arm = R @ given.center_of_mass
    np.testing.assert_allclose(numbers.state[:3], given.position + arm)
    turned = Rotation.from_quat(numbers.state[3:7], scalar_first=True)
    np.testing.assert_allclose(turned.as_matrix(), R, atol=1e-14)
    np.testing.assert_allclose(numbers.state[7:10], given.velocity + np.cross(given.angular_velocity, arm))
    np.testing.assert_allclose(numbers.state[10:13], given.angular_velocity)
    np.testing.assert_allclose(numbers.inertia[0], given.inertia)
    np.testing.assert_allclose(numbers.gravity[0], (0, 0, -9.80665))
    assert numbers.mass == [given.mass]


def test_gravity_is_left_out_where_asked():
    m = ww.Mechanism("two", gravity=(1, 2, 3))
    m.add("heavy", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("light", ww.Body(mass=1, inertia=(1, 1, 1), affected_by_gravity=False))
    np.testing.assert_array_equal(program_of(m).numbers().gravity, [[1, 2, 3], [0, 0, 0]])


# -- joints


JOINTS = {
    "fixed": ww.Fixed,
    "spherical": ww.Spherical,
    "revolute": ww.Revolute,
    "prismatic": ww.Prismatic,
    "cylindrical": ww.Cylindrical,
    "screw": ww.Screw,
    "universal": ww.Universal,
    "planar": ww.Planar,
    "point_on_line": ww.PointOnLine,
    "point_on_plane": ww.PointOnPlane,
    "distance": ww.Distance,
    "rod": ww.Rod,
    "revolute_spherical": ww.RevoluteSpherical,
}


def world_fields(kind: type, rng: np.random.Generator) -> dict:
    """The fields that place a joint in the world."""
    found = {name: tuple(rng.normal(size=3)) for name in kind.world if name.startswith(("point", "axis"))}
    if "axis2" in found:
        found["axis2"] = tuple(np.cross(found["axis"], rng.normal(size=3)))
    if kind is ww.Screw:
        found["lead"] = 0.1
    return found


@pytest.mark.parametrize("kind", JOINTS.values(), ids=list(JOINTS))
@pytest.mark.parametrize("bodies", [("one", "two"), ("ground", "two"), ("one", "ground")], ids=str)
def test_a_joint_placed_in_the_world_holds_at_the_given_position(kind, bodies):
    rng = np.random.default_rng(1)
    m = ww.Mechanism("joint")
    m.add("one", body(rng))
    m.add("two", body(rng))
    fields = world_fields(kind, rng)
    m.add("joint", kind(bodies=bodies, **fields))
    program = program_of(m)
    np.testing.assert_allclose(residuals(program), 0, atol=1e-14 * 20)
    p_a, axes_a, p_b, axes_b = markers(program, 0)
    np.testing.assert_allclose(p_a, fields.get("point", fields.get("point_a")), atol=1e-13)
    np.testing.assert_allclose(p_b, fields.get("point", fields.get("point_b")), atol=1e-13)
    for name, axes in (("axis", axes_a), ("axis2", axes_b)):
        if name in fields:
            along = np.array(fields[name]) / np.linalg.norm(fields[name])
            np.testing.assert_allclose(axes[:, 2], along, atol=1e-13)


def test_frames_in_the_bodies_are_relative_to_the_body_frames():
    rng = np.random.default_rng(2)
    m = ww.Mechanism("frames")
    one, two = m.add("one", body(rng)), m.add("two", body(rng))
    frames = [ww.Pose(position=point(rng), orientation=orientation(rng)) for _ in range(2)]
    m.add("pin", ww.Revolute(bodies=("one", "two"), frame_a=frames[0], frame_b=frames[1]))
    m.add("here", ww.Frame(body="one", position=frames[0].position, orientation=frames[0].orientation))
    m.add("there", ww.Frame(body="two", position=frames[1].position, orientation=frames[1].orientation))
    m.add("same", ww.Revolute(bodies=("here", "there")))
    program = program_of(m)
    found = markers(program, 0)
    for k, (given, frame) in enumerate(zip((one, two), frames, strict=True)):
        R = Rotation.from_rotvec(given.orientation.rotation_vector).as_matrix()
        S = Rotation.from_rotvec(frame.orientation.rotation_vector).as_matrix()
        np.testing.assert_allclose(found[2 * k], given.position + R @ frame.position, atol=1e-13)
        np.testing.assert_allclose(found[2 * k + 1], R @ S, atol=1e-13)
    for ours, theirs in zip(markers(program, 1), found, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_lengths_left_out_are_those_at_the_given_position():
    rng = np.random.default_rng(4)
    m = ww.Mechanism("lengths")
    m.add("one", body(rng))
    m.add("two", body(rng))
    ends = {"point_a": (1, 2, 3), "point_b": (4, 6, 3)}
    m.add("rod", ww.Distance(bodies=("one", "two"), **ends))
    m.add(
        "link",
        ww.RevoluteSpherical(bodies=("one", "two"), axis=(0, 0, 2), point_a=(1, 2, 3), point_b=(4, 6, 15)),
    )
    m.add("spring", ww.Spring(bodies=("one", "two"), stiffness=1, **ends))
    program = program_of(m)
    data = program.numbers().data
    rod, link = (data[use.data + 24 : use.data + 24 + use.kernel.extras] for use in program.constraints)
    np.testing.assert_allclose(rod, [5])
    np.testing.assert_allclose(link, [13, 12])
    np.testing.assert_allclose(data[program.forces[0].data + 24 :][:4], [1, 0, 5, 0])


# -- rotors


def test_a_rotor_starts_at_its_angle_over_many_turns():
    m = ww.Mechanism("rotors")
    m.add("disc", ww.Rotor(inertia=0.5, axis=(1, -2, 2), position=(1, 2, 3), angle=20.0, speed=3.0))
    m.add("wheel", ww.Rotor(inertia=0.5, axis=(1, -2, 2), angle=-1.0, speed=-2.0))
    m.add("shaft", ww.TorsionalSpring(bodies=("disc", "wheel"), stiffness=1.0))
    program = program_of(m)
    motion = at_start(program)
    angles = {use.name: motion.turn(k) for k, use in enumerate(program.turns)}
    assert angles["disc.bearing"][0] == pytest.approx(20.0)
    assert angles["disc.bearing"][1] == pytest.approx(3.0)
    assert angles["wheel.bearing"][0] == pytest.approx(-1.0)
    assert angles["shaft"][0] == pytest.approx(-21.0)
    assert angles["shaft"][1] == pytest.approx(-5.0)
    np.testing.assert_allclose(residuals(program), 0, atol=1e-13)


# -- drivers


@pytest.mark.parametrize("coordinate", ["x", "y", "z"])
def test_a_body_driver_prescribes_the_origin_of_the_body_frame(coordinate):
    rng = np.random.default_rng(5)
    m = ww.Mechanism("driver")
    given = m.add("one", body(rng))
    m.add("drive", ww.BodyDriver(body="one", coordinate=coordinate, value="2 + t^2"))
    program = program_of(m)
    assert program.driver_constraints == {"drive": 0}
    k = "xyz".index(coordinate)
    t = 0.7
    np.testing.assert_allclose(residuals(program, t), [given.position[k] - (2 + t**2)], atol=1e-13)
    motion = at_start(program, t)
    _, _, G_b, _, nu = (
        np.array(p) for p in program.constraints[0].kernel.full.call(motion.constraint_arguments(0))
    )
    rate = G_b[0] @ motion.v[0, 0] - nu[0, 0]
    assert rate == pytest.approx(given.velocity[k] - 2 * t)
    assert nu[0, 0] == pytest.approx(2 * t)
    assert program.constraints[0].a == -1


def test_a_joint_driver_counts_turns():
    m = ww.Mechanism("driver")
    m.add("disc", ww.Rotor(inertia=1, angle=14.0))
    m.add("drive", ww.JointDriver(joint="disc.bearing", value="14 + 3*t"))
    np.testing.assert_allclose(residuals(program_of(m)), 0, atol=1e-13)


# -- components


def part() -> ww.Mechanism:
    """A mechanism that says everything relative to itself: ground, axes, points, rotor, driver, forces."""
    m = ww.Mechanism("part", parameters={"r": 0.3})
    m.add(
        "arm",
        ww.Body(
            mass=2,
            inertia=(1, 1.1, 1.2),
            center_of_mass=(0.1, 0, 0),
            position=("r", 0.1, 0),
            orientation=ww.Orientation(axis=(1, 2, 0), angle=0.4),
            velocity=(1, 2, 3),
            angular_velocity=(-1, 0, 2),
        ),
    )
    m.add("disc", ww.Rotor(inertia=0.2, axis=(0, 1, 1), position=(0, 0, "r"), angle=0.5, speed=4))
    m.add("pin", ww.Revolute(bodies=("ground", "arm"), point=("r", 0, 0), axis=(0, 1, 0)))
    m.add(
        "foot",
        ww.Frame(body="ground", position=(0.1, 0.2, "r"), orientation=ww.Orientation(euler_zxz=(1, 2, 3))),
    )
    m.add("tip", ww.Frame(body="arm", position=(0, 0.2, 0)))
    m.add("ball", ww.Spherical(bodies=("foot", "tip")))
    here, there = ww.Pose(position=(0, 0, 0.4)), ww.Pose(position=(0.1, 0, 0))
    m.add("rod", ww.Distance(bodies=("ground", "arm"), frame_a=here, frame_b=there, length=0.7))
    m.add("spring", ww.Spring(bodies=("arm", "ground"), point_a=(0, 1, 0), point_b=(2, 0, 0), stiffness=9))
    m.add("push", ww.Force(body="arm", value=(1, 2, 3), point_in_body=(0, 0, 0.1)))
    m.add("twist", ww.Torque(body="arm", value=(1, 2, 3), frame="body"))
    m.add(
        "bump",
        ww.Contact(
            a=ww.ContactSphere(body="arm", radius=0.1),
            b=ww.ContactPlane(point_in_body=(0, 0, -1), normal_in_body=(0, 1, 3)),
            law=ww.Compliant(stiffness=1e4),
        ),
    )
    m.add(
        "stop",
        ww.Contact(
            a=ww.ContactSphere(body="arm", radius=0.1),
            b=ww.ContactPlane(point_in_body=(0, 0, -2), normal_in_body=(1, 0, 3)),
            law=ww.Restitution(coefficient=0.5),
        ),
    )
    m.add("lift", ww.BodyDriver(body="arm", coordinate="z", value="0.1*t"))
    return m


S = Rotation.from_rotvec([0.3, -0.8, 0.5])
SHIFT = np.array([1.0, -2.0, 0.7])


def in_component(**fields) -> Program:
    m = ww.Mechanism("whole", gravity=(0, -9.81, 0))
    m.add("carrier", body(np.random.default_rng(6)))
    m.add(
        "c",
        ww.Component(
            model=part(),
            position=tuple(SHIFT),
            orientation=ww.Orientation(rotation_vector=tuple(S.as_rotvec())),
            **fields,
        ),
    )
    return program_of(m)


def by_hand(ground: str) -> Program:
    """The same, with every point and direction carried over into the world by hand."""

    def at(*p: float) -> tuple[float, ...]:
        return tuple(SHIFT + S.apply(p))

    def along(*u: float) -> tuple[float, ...]:
        return tuple(S.apply(u))

    def turned(R: Rotation) -> ww.Orientation:
        return ww.Orientation(rotation_vector=tuple((S * R).as_rotvec()))

    r = 0.3
    m = ww.Mechanism("whole", gravity=(0, -9.81, 0))
    carrier = m.add("carrier", body(np.random.default_rng(6)))

    def on_ground(position: tuple[float, ...], axes: Rotation) -> ww.Pose:
        """A pose of the component's mechanism in the frame of the body that plays its ground."""
        world = S * axes
        if ground == "ground":
            return ww.Pose(
                position=at(*position), orientation=ww.Orientation(rotation_vector=tuple(world.as_rotvec()))
            )
        R = Rotation.from_rotvec(carrier.orientation.rotation_vector).inv()
        inside = ww.Orientation(rotation_vector=tuple((R * world).as_rotvec()))
        return ww.Pose(
            position=tuple(R.apply(np.subtract(at(*position), carrier.position))), orientation=inside
        )

    tilt = Rotation.from_rotvec(0.4 * np.array([1, 2, 0]) / np.sqrt(5))
    m.add(
        "c_arm",
        ww.Body(
            mass=2,
            inertia=(1, 1.1, 1.2),
            center_of_mass=(0.1, 0, 0),
            position=at(r, 0.1, 0),
            orientation=turned(tilt),
            velocity=along(1, 2, 3),
            angular_velocity=along(-1, 0, 2),
        ),
    )
    n = np.array([0, 1, 1]) / np.sqrt(2)
    from_z = Rotation.from_rotvec([-np.pi / 4, 0, 0])
    m.add(
        "c_disc",
        ww.Body(
            mass=1,
            inertia=(0.2, 0.2, 0.2),
            position=at(0, 0, r),
            orientation=turned(Rotation.from_rotvec(0.5 * n)),
            angular_velocity=along(*(4 * n)),
            affected_by_gravity=False,
        ),
    )
    axis = ww.Pose(orientation=ww.Orientation(rotation_vector=tuple(from_z.as_rotvec())))
    bearing = on_ground((0, 0, r), from_z)
    m.add("c_bearing", ww.Revolute(bodies=(ground, "c_disc"), frame_a=bearing, frame_b=axis))
    m.add("c_pin", ww.Revolute(bodies=(ground, "c_arm"), point=at(r, 0, 0), axis=along(0, 1, 0)))
    foot = on_ground((0.1, 0.2, r), Rotation.from_euler("ZXZ", [1, 2, 3]))
    m.add(
        "c_ball", ww.Spherical(bodies=(ground, "c_arm"), frame_a=foot, frame_b=ww.Pose(position=(0, 0.2, 0)))
    )
    here, there = on_ground((0, 0, 0.4), Rotation.identity()), ww.Pose(position=(0.1, 0, 0))
    m.add("c_rod", ww.Distance(bodies=(ground, "c_arm"), frame_a=here, frame_b=there, length=0.7))
    spring = {"point_a": at(0, 1, 0), "point_b": at(2, 0, 0), "stiffness": 9}
    m.add("c_spring", ww.Spring(bodies=("c_arm", ground), **spring))
    m.add("c_push", ww.Force(body="c_arm", value=along(1, 2, 3), point_in_body=(0, 0, 0.1)))
    m.add("c_twist", ww.Torque(body="c_arm", value=(1, 2, 3), frame="body"))
    for name, p, normal, law in (
        ("c_bump", (0, 0, -1), (0, 1, 3), ww.Compliant(stiffness=1e4)),
        ("c_stop", (0, 0, -2), (1, 0, 3), ww.Restitution(coefficient=0.5)),
    ):
        pose = on_ground(p, Rotation.identity())
        inner = Rotation.from_rotvec(pose.orientation.rotation_vector)
        plane = ww.ContactPlane(
            body=ground, point_in_body=pose.position, normal_in_body=tuple(inner.apply(normal))
        )
        m.add(name, ww.Contact(a=ww.ContactSphere(body="c_arm", radius=0.1), b=plane, law=law))
    return program_of(m)


def wrenches(program: Program, name: str) -> dict[int, np.ndarray]:
    """Wrenches of a force on each moving body at the given position."""
    motion = at_start(program)
    index = next(k for k, use in enumerate(program.forces) if use.name == name)
    use = program.forces[index]
    column = np.array(use.kernel.wrench.call(motion.force_arguments(index))[0]).reshape(-1, 6)
    return {body: wrench for body, wrench in zip(use.bodies, column, strict=False) if body >= 0}


@pytest.mark.parametrize("ground", ["ground", "carrier"])
def test_a_placed_component_equals_the_mechanism_written_by_hand(ground):
    """Bodies, joint frames, forces of a component that is turned and shifted, on ground or on a body in its place."""
    ours, theirs = in_component(ground=ground), by_hand(ground)
    mine, their = ours.numbers(), theirs.numbers()
    assert ours.bodies == ["carrier", "c.arm", "c.disc"]
    for name in ("mass", "inertia", "gravity", "center"):
        np.testing.assert_allclose(
            getattr(mine, name), getattr(their, name), rtol=0, atol=1e-13, err_msg=name
        )
    size = ours.nq + ours.nv
    np.testing.assert_allclose(mine.state[:size], their.state[:size], rtol=0, atol=1e-13)
    for name in ("disc.bearing", "pin", "ball", "rod", "stop"):
        a = next(k for k, use in enumerate(ours.constraints) if use.name == f"c.{name}")
        b = next(
            k for k, use in enumerate(theirs.constraints) if use.name == "c_" + name.removeprefix("disc.")
        )
        assert (ours.constraints[a].a, ours.constraints[a].b) == (
            theirs.constraints[b].a,
            theirs.constraints[b].b,
        )
        for k, (x, y) in enumerate(zip(markers(ours, a), markers(theirs, b), strict=True)):
            if k % 2 and name in ("pin", "stop"):  # z alone has a meaning; x and y are ours to choose
                x, y = x[:, 2], y[:, 2]
            np.testing.assert_allclose(x, y, rtol=0, atol=1e-13, err_msg=f"{name} {k}")
    for name in ("spring", "push", "twist", "bump"):
        ours_on, theirs_on = wrenches(ours, f"c.{name}"), wrenches(theirs, f"c_{name}")
        assert ours_on.keys() == theirs_on.keys()
        for body_index in ours_on:
            np.testing.assert_allclose(
                ours_on[body_index], theirs_on[body_index], rtol=0, atol=1e-11, err_msg=name
            )


def test_a_body_driver_in_a_component_uses_the_axes_of_the_component():
    ours = in_component()
    t = 0.4
    motion = at_start(ours, t)
    index = ours.driver_constraints["c.lift"]
    value = np.array(ours.constraints[index].kernel.residual.call(motion.constraint_arguments(index))[0])[
        0, 0
    ]
    # arm starts at z = 0 of the component
    assert value == pytest.approx(-0.1 * t, abs=1e-13)
    _, axes, _, _ = markers(ours, index)
    np.testing.assert_allclose(axes[:, 2], S.apply([0, 0, 1]), atol=1e-13)


def test_components_within_components_add_up():
    """Two placements one after the other are their product."""
    inner = ww.Mechanism("inner")
    inner.add(
        "c",
        ww.Component(model=part(), position=(0, 0, 1), orientation=ww.Orientation(axis=(0, 0, 1), angle=0.5)),
    )
    outer = ww.Mechanism("outer")
    outer.add(
        "o",
        ww.Component(model=inner, position=(2, 0, 0), orientation=ww.Orientation(axis=(1, 0, 0), angle=0.3)),
    )
    nested = program_of(outer)
    A, B = Rotation.from_rotvec([0.3, 0, 0]), Rotation.from_rotvec([0, 0, 0.5])
    once = ww.Mechanism("once")
    place = ww.Orientation(rotation_vector=tuple((A * B).as_rotvec()))
    once.add(
        "c",
        ww.Component(model=part(), position=tuple(np.add((2, 0, 0), A.apply((0, 0, 1)))), orientation=place),
    )
    flat = program_of(once)
    np.testing.assert_allclose(nested.numbers().state, flat.numbers().state, rtol=0, atol=1e-13)
    np.testing.assert_allclose(residuals(nested), residuals(flat), rtol=0, atol=1e-13)


# -- functions of time


def test_tables_are_splines_and_hold_their_end_values():
    rng = np.random.default_rng(7)
    times, values = np.cumsum(rng.uniform(0.1, 1, size=8)), rng.normal(size=8)
    m = ww.Mechanism("tables")
    m.add("one", body(rng))
    table = {"time": list(times), "value": list(values)}
    m.add("smooth", ww.BodyDriver(body="one", coordinate="x", value=ww.Table(**table)))
    m.add(
        "linear", ww.BodyDriver(body="one", coordinate="y", value=ww.Table(**table, interpolation="linear"))
    )
    program = program_of(m)
    inside = np.linspace(times[0], times[-1], 101)[1:-1]
    t = np.concatenate([[times[0] - 5], inside, [times[-1] + 5]])
    numbers, empty = program.numbers(), np.zeros((len(t), 0))
    smooth, linear = np.moveaxis(
        Motion(program, numbers, t, np.tile(numbers.state, (len(t), 1)), empty, empty, empty).inputs, 1, 0
    )
    spline = CubicSpline(times, values, bc_type="not-a-knot")
    for k in range(3):
        np.testing.assert_allclose(smooth[1:-1, k], spline(inside, k), rtol=0, atol=1e-10)
    np.testing.assert_allclose(linear[:, 0], np.interp(t, times, values), rtol=0, atol=1e-12)
    for curve in (smooth, linear):
        np.testing.assert_array_equal(curve[0], [values[0], 0, 0])
        np.testing.assert_array_equal(curve[-1], [values[-1], 0, 0])


def test_derivatives_of_formulas_of_time():
    m = ww.Mechanism("formulas", parameters={"a": 2.0})
    m.add("one", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("x", ww.BodyDriver(body="one", coordinate="x", value="a*sin(3*t) + t^3"))
    m.add("y", ww.BodyDriver(body="one", coordinate="y", value=0.25))
    t = 0.3
    x, y = at_start(program_of(m), t).inputs[0]
    expected = [2 * np.sin(0.9) + t**3, 6 * np.cos(0.9) + 3 * t**2, -18 * np.sin(0.9) + 6 * t]
    np.testing.assert_allclose(x, expected, rtol=1e-14)
    np.testing.assert_array_equal(y, [0.25, 0, 0])


# -- tables of the program


def test_rows_and_events_are_numbered_without_gaps():
    program = in_component()
    firsts = [use.first_row for use in program.constraints]
    assert firsts == list(np.cumsum([0, *(use.rows for use in program.constraints)])[:-1])
    assert program.rows == sum(use.rows for use in program.constraints)
    assert [use.kind for use in program.constraints].count(ConstraintKind.CONTACT) == 1
    assert program.data_size == len(program.numbers().data)
    assert program.n == 13 * 3 + len(program.turns) == len(program.numbers().state)
