"""Forces: action and reaction, power and stored energy, exact derivatives, and the law of each in its own words."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork.description.registry import family
from wheelwork.system.kernels import load_function

from .models import GROUND, ForceAt, body, point, program_of, two_bodies
from .states import derivatives, moved, random_body, random_marker, rotation_of, with_parallel_axes

PAIR = ("one", "two")


def ball(name: str, rng: np.random.Generator) -> ww.ContactSphere:
    """So large that it overlaps with its partner in every state used here."""
    return ww.ContactSphere(body=name, point_in_body=point(rng), radius=6.0)


def compliant(**more: float) -> ww.Compliant:
    return ww.Compliant(stiffness=50.0, **more)


def curve() -> ww.MotorCurve:
    return ww.MotorCurve(speed=[-30.0, -12.0, 11.0, 40.0], torque=[3.0, 5.0, 1.0, -2.0])


Maker = Callable[[np.random.Generator], object]
INTERNAL: dict[str, Maker] = {
    "actuator angle": lambda r: ww.Actuator(joint="slide", coordinate="angle", value=2.5),
    "actuator displacement": lambda r: ww.Actuator(joint="slide", coordinate="displacement", value=-1.5),
    "actuator formula": lambda r: ww.Actuator(
        joint="slide", coordinate="angle", value="2 + three.position.x*slide.w - sin(three.w.y) + slide.angle"
    ),
    "spring": lambda r: ww.Spring(
        bodies=PAIR,
        point_a=point(r),
        point_b=point(r),
        stiffness=40.0,
        damping=3.0,
        free_length=1.0,
        preload=2.0,
    ),
    "torsional_spring joint": lambda r: ww.TorsionalSpring(
        joint="slide", stiffness=4, damping=0.7, free_angle=0.3
    ),
    "torsional_spring bodies": lambda r: ww.TorsionalSpring(
        bodies=PAIR, axis=tuple(r.normal(size=3)), stiffness=4.0, damping=0.7
    ),
    "bushing": lambda r: ww.Bushing(
        bodies=PAIR,
        point=point(r),
        axis=tuple(r.normal(size=3)),
        stiffness=(10.0, 20.0, 30.0),
        damping=(1.0, 2.0, 3.0),
        rotational_stiffness=(4.0, 5.0, 6.0),
        rotational_damping=(0.4, 0.5, 0.6),
    ),
    "friction angle": lambda r: ww.Friction(joint="slide", coordinate="angle", viscous=0.8),
    "friction displacement": lambda r: ww.Friction(joint="slide", coordinate="displacement", viscous=0.8),
    "stop angle": lambda r: ww.Stop(
        joint="slide", coordinate="angle", lower=50.0, stiffness=4.0, damping=0.1
    ),
    "stop displacement": lambda r: ww.Stop(
        joint="slide", coordinate="displacement", upper=-9.0, stiffness=4.0
    ),
    "motor": lambda r: ww.Motor(joint="slide", curve=curve(), command=0.5),
    "contact plane": lambda r: ww.Contact(
        a=ball("two", r),
        b=ww.ContactPlane(body="one", point_in_body=point(r), normal_in_body=tuple(r.normal(size=3))),
        law=compliant(damping=2.0),
    ),
    "contact plane rubbing": lambda r: ww.Contact(
        a=ball("two", r),
        b=ww.ContactPlane(body="one", point_in_body=point(r), normal_in_body=tuple(r.normal(size=3))),
        law=compliant(exponent=1.5, friction=0.4, slip_speed=0.5),
    ),
    "contact sphere": lambda r: ww.Contact(
        a=ball("two", r), b=ball("one", r), law=compliant(exponent=1.5, damping=2.0)
    ),
    "contact sphere rubbing": lambda r: ww.Contact(
        a=ball("two", r), b=ball("one", r), law=compliant(friction=0.4, slip_speed=0.5)
    ),
}
"""Forces between two bodies."""

EXTERNAL: dict[str, Maker] = {
    "force world": lambda r: ww.Force(body="one", value=(1.0, -2.0, 3.0), point_in_body=point(r)),
    "force body": lambda r: ww.Force(
        body="one", value=(1.0, -2.0, 3.0), point_in_body=point(r), frame="body"
    ),
    "force at the centre of mass": lambda r: ww.Force(body="one", value=(1.0, -2.0, 3.0)),
    "force formula": lambda r: ww.Force(
        body="one", value=("-3*one.velocity.x", "two.position.y^2", 0), point_in_body=point(r)
    ),
    "torque world": lambda r: ww.Torque(body="one", value=(1.0, -2.0, 3.0)),
    "torque body": lambda r: ww.Torque(body="one", value=(1.0, -2.0, 3.0), frame="body"),
}
for _name, _cls in family("forces").items():
    _table = INTERNAL if "bodies" in _cls.model_fields else EXTERNAL
    if not any(key.split()[0] == _name for key in INTERNAL | EXTERNAL) and _cls.sample("spatial") is not None:
        _table[_name] = lambda r, cls=_cls: cls.sample("spatial")
ALL = INTERNAL | EXTERNAL


def made(name: str, seed: int = 0) -> ForceAt:
    rng = np.random.default_rng(seed)
    m = two_bodies(rng)
    force = ALL[name](rng)
    if getattr(force, "joint", None) is None and "slide" not in str(force):
        del m.joints["slide"]  # about an axis of its own, while the force takes any
    m.add("f", force)
    return ForceAt(program_of(m), "f")


def random_records(rng: np.random.Generator) -> list[np.ndarray]:
    """Three bodies with random poses and twists, the first two about 3 apart."""
    records = [random_body(rng) for _ in range(3)]
    records[1][:3] = records[0][:3] + 3 * Rotation.random(random_state=rng).as_matrix()[0]
    return records


def aligned(rng: np.random.Generator, force: ForceAt, records: list[np.ndarray]) -> list[np.ndarray]:
    """The z axes of the force's two markers parallel, as its joint keeps them."""
    return [records[0], with_parallel_axes(rng, records[0], records[1], force.data), records[2]]


def test_every_force_is_covered():
    assert {name.split()[0] for name in ALL} == set(family("forces")) - {"coupler"}  # which is a constraint


@pytest.mark.parametrize("name", INTERNAL)
def test_action_equals_reaction(name):
    """Force and moment about the world's origin add up to nothing."""
    force, rng = made(name), np.random.default_rng(1)
    for _ in range(10):
        records = random_records(rng)
        wrenches = force.wrenches(records, turns=2 * np.pi)
        assert len(wrenches) >= 2
        assert np.abs(wrenches).max() > 1e-3 or name in ("dog_clutch", "one_way_clutch")  # which only hold
        positions = [records[body][:3] if body >= 0 else np.zeros(3) for body in force.bodies]
        moment = sum(w[3:] + np.cross(x, w[:3]) for w, x in zip(wrenches, positions, strict=False))
        np.testing.assert_allclose(wrenches[:, :3].sum(axis=0), 0, rtol=0, atol=1e-11)
        np.testing.assert_allclose(moment, 0, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", ALL)
def test_exact_jacobian_equals_differences(name):
    """Columns: small displacement and rotation, change of linear and angular velocity, of every body that is seen."""
    force, rng = made(name), np.random.default_rng(2)
    for _ in range(2):
        records = random_records(rng)
        exact = force.jacobian(records, turns=2 * np.pi)
        assert exact.shape == (6 * force.kernel.acting, 12 * len(force.bodies))
        columns, moving = [], [k for k, body in enumerate(force.bodies) if body >= 0]
        for body_index in (force.bodies[k] for k in moving):
            for direction in np.eye(12):

                def wrench(s, k=body_index, d=direction, records=records):
                    here = list(records)
                    here[k] = moved(records[k], s * d[:6], s * d[6:])
                    return force.wrenches(here, turns=2 * np.pi).ravel()

                columns.append(derivatives(wrench)[0])
        exact = np.hstack([exact[:, 12 * k : 12 * k + 12] for k in moving])
        np.testing.assert_allclose(exact, np.array(columns).T, rtol=1e-7, atol=1e-7)


def power_lost(force: ForceAt, records: list[np.ndarray], **more: float) -> float:
    """Power that neither moves bodies nor is stored: -(power of the wrenches) - d(potential)/dt."""
    return -force.power(records, **more) - force.potential_rate(records, **more)


def test_spring_loses_what_its_damper_takes():
    force, rng = made("spring"), np.random.default_rng(3)
    for _ in range(10):
        records = random_records(rng)
        a, b = (
            r[:3] + rotation_of(r) @ force.data[k : k + 3] for r, k in zip(records[:2], (0, 12), strict=True)
        )
        va, vb = (
            r[12:15] + np.cross(r[15:], rotation_of(r) @ force.data[k : k + 3])
            for r, k in zip(records[:2], (0, 12), strict=True)
        )
        length = np.linalg.norm(b - a)
        rate = (b - a) @ (vb - va) / length
        assert power_lost(force, records) == pytest.approx(3.0 * rate**2, abs=1e-11)
        signals = force.signals(records)
        assert signals["length"] == pytest.approx(length)
        assert signals["speed"] == pytest.approx(rate)
        assert signals["force"] == pytest.approx(40 * (length - 1) + 3 * rate + 2)
        assert signals["potential"] == pytest.approx(20 * (length - 1) ** 2 + 2 * length)
        # tension pulls a towards b
        np.testing.assert_allclose(
            force.wrenches(records)[0, :3], signals["force"] * (b - a) / length, atol=1e-11
        )


@pytest.mark.parametrize("name", ["torsional_spring joint", "torsional_spring bodies"])
@pytest.mark.parametrize("turns", [-3, 0, 2])
def test_torsional_spring_loses_what_its_damper_takes(name, turns):
    force, rng = made(name), np.random.default_rng(4)
    free = 0.3 if "joint" in name else 0.0
    for _ in range(10):
        records = aligned(rng, force, random_records(rng))
        z = rotation_of(records[0]) @ force.data[3:12].reshape(3, 3)[:, 2]
        rate = z @ (records[1][15:] - records[0][15:])
        here = {"turns": 2 * np.pi * turns}
        assert power_lost(force, records, **here) == pytest.approx(0.7 * rate**2, abs=1e-11)
        signals = force.signals(records, **here)
        assert (signals["angle"] - 2 * np.pi * turns) ** 2 < np.pi**2
        assert signals["torque"] == pytest.approx(-(4 * (signals["angle"] - free) + 0.7 * rate))
        # a pure couple about z
        np.testing.assert_allclose(
            force.wrenches(records, **here)[1], [0, 0, 0, *(signals["torque"] * z)], atol=1e-11
        )


def bushing(**fields: tuple[float, ...]) -> ForceAt:
    rng = np.random.default_rng(5)
    m = two_bodies(rng)
    zero = dict.fromkeys(
        ("stiffness", "damping", "rotational_stiffness", "rotational_damping"), (0.0, 0.0, 0.0)
    )
    m.add("f", ww.Bushing(bodies=PAIR, point=point(rng), axis=tuple(rng.normal(size=3)), **(zero | fields)))
    return ForceAt(program_of(m), "f")


def test_bushing_translation_stores_and_loses():
    k, c = (10.0, 20.0, 30.0), (1.0, 2.0, 3.0)
    elastic, viscous, rng = bushing(stiffness=k), bushing(damping=c), np.random.default_rng(6)
    for _ in range(10):
        records = random_records(rng)
        assert power_lost(elastic, records) == pytest.approx(0, abs=1e-10)
        # rate of the gap as an observer on a sees it: by differences, not by the formula under test

        def gap(t, records=records):
            a, b = (moved(r, t * r[12:]) for r in records[:2])
            pa, pb = (r[:3] + rotation_of(r) @ viscous.data[i : i + 3] for r, i in ((a, 0), (b, 12)))
            return (rotation_of(a) @ viscous.data[3:12].reshape(3, 3)).T @ (pb - pa)

        rate, _ = derivatives(gap)
        assert power_lost(viscous, records) == pytest.approx(np.dot(c, rate**2), rel=1e-8)
        assert viscous.signals(records)["potential"] == 0


def turned(force: ForceAt, first: np.ndarray, second: np.ndarray, relative: np.ndarray) -> list[np.ndarray]:
    """Records in which frame b of a bushing stands turned by `relative` as seen from its frame a."""
    A, B = (force.data[k : k + 9].reshape(3, 3) for k in (3, 15))
    R = rotation_of(first) @ A @ relative @ B.T
    return [first, np.concatenate([second[:3], R.ravel(), second[12:]])]


def rotation_coordinates(relative: np.ndarray) -> np.ndarray:
    """Tilt about x and y, and spin, of a rotation matrix, by SciPy: tilt is the shortest turn between the z axes."""
    z = relative[:, 2]
    axis = np.cross([0, 0, 1], z)
    tilt = axis / np.linalg.norm(axis) * np.arccos(z[2])
    rest = Rotation.from_rotvec(-tilt) * Rotation.from_matrix(relative)
    return np.array([*tilt[:2], rest.as_rotvec()[2]])


@pytest.mark.parametrize("turns", [-30, 0, 2])
def test_bushing_rotation_stores_and_loses_at_any_angle(turns):
    """The torque is minus the gradient of the energy in tilt and spin, whatever these are: no power is lost without
    dampers, and with them what their rates take, which SciPy and differences in time find."""
    kr, cr = (4.0, 5.0, 6.0), (0.4, 0.5, 0.6)
    elastic, viscous = bushing(rotational_stiffness=kr), bushing(rotational_damping=cr)
    rng, counted = np.random.default_rng(7), {"turns": 2 * np.pi * turns}
    for _ in range(10):
        first, second = random_records(rng)[:2]
        tilt, spin = rng.uniform(1e-3, 2.5) * np.array([*rng.normal(size=2), 0]), rng.uniform(-3, 3)
        tilt *= min(1.0, 2.5 / np.linalg.norm(tilt))
        relative = (Rotation.from_rotvec(tilt) * Rotation.from_rotvec([0, 0, spin])).as_matrix()
        records = turned(elastic, first, second, relative)
        expected = np.array([*tilt[:2], spin + 2 * np.pi * turns])
        signals = elastic.signals(records, **counted)
        np.testing.assert_allclose(
            [signals[x] for x in ("tilt.x", "tilt.y", "angle")], expected, atol=1e-12 * (1 + abs(turns))
        )
        assert signals["potential"] == pytest.approx(np.dot(kr, expected**2) / 2, rel=1e-12)
        assert power_lost(elastic, records, **counted) == pytest.approx(0, abs=1e-10 * (1 + abs(turns)))

        def coordinates(t, records=records):
            A, B = (
                rotation_of(moved(r, t * r[12:])) @ viscous.data[k : k + 9].reshape(3, 3)
                for r, k in zip(records, (3, 15), strict=True)
            )
            return rotation_coordinates(A.T @ B)

        rate, _ = derivatives(coordinates, h=1e-3)
        assert power_lost(viscous, records) == pytest.approx(np.dot(cr, rate**2), rel=1e-6)


def test_bushing_tilt_does_not_feel_the_spin():
    """A shaft that spins fast about a steadily tilted axis: the tilt's springs and dampers give exactly what they give
    at rest, from the least tilt to a large one."""
    force, rng = (
        bushing(rotational_stiffness=(4, 4, 0), rotational_damping=(0.5, 0.5, 0)),
        np.random.default_rng(8),
    )
    assert not force.use.turns
    for angle in (0.0, 1e-9, 1e-3, 9.9e-3, 1.01e-2, 0.3, 3.0):
        direction = np.array([*rng.normal(size=2), 0])
        tilt = angle * direction / np.linalg.norm(direction)
        first, second = random_records(rng)[:2]
        for spin in (0.0, 1.0, -3.0):
            relative = Rotation.from_rotvec(tilt) * Rotation.from_rotvec([0, 0, spin])
            records = turned(force, first, second, relative.as_matrix())
            A = rotation_of(first) @ force.data[3:12].reshape(3, 3)
            records[1][15:] = first[15:] + 1e3 * A @ relative.as_matrix()[:, 2]
            np.testing.assert_allclose(force.wrenches(records)[1, 3:], -4 * A @ tilt, atol=2e-12)


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 9.9e-3, 1.01e-2])
def test_bushing_derivatives_hold_where_the_tilt_is_small(angle):
    force, rng = (
        bushing(rotational_stiffness=(4, 5, 6), rotational_damping=(0.4, 0.5, 0.6)),
        np.random.default_rng(9),
    )
    first, second = random_records(rng)[:2]
    relative = Rotation.from_rotvec([0.6 * angle, 0.8 * angle, 0]) * Rotation.from_rotvec([0, 0, 2.0])
    records = turned(force, first, second, relative.as_matrix())
    exact = force.jacobian(records)
    columns = []
    for k in (0, 1):
        for direction in np.eye(12):

            def wrench(s, k=k, d=direction):
                here = list(records)
                here[k] = moved(records[k], s * d[:6], s * d[6:])
                return force.wrenches(here).ravel()

            columns.append(derivatives(wrench)[0])
    np.testing.assert_allclose(exact, np.array(columns).T, rtol=1e-7, atol=1e-7)


def test_torsional_spring_between_bodies_stores_though_its_axes_tilt():
    force, rng = made("torsional_spring bodies"), np.random.default_rng(21)
    for _ in range(10):
        records = random_records(rng)
        rate = force.signals(records)["speed"]
        assert power_lost(force, records) == pytest.approx(0.7 * rate**2, abs=1e-10)


def test_bushing_opposes_a_small_displacement_along_its_axes():
    """Stiffness is given in the axes of the frame on a, whose z is `axis`; it is at rest at the given position."""
    rng = np.random.default_rng(9)
    m = ww.Mechanism("bushing")
    m.add("one", body(rng))
    m.add("two", body(rng))
    m.add("f", ww.Bushing(bodies=PAIR, point=point(rng), axis=(0, 3, 4), stiffness=(10.0, 20.0, 30.0)))
    program = program_of(m)
    force, state = ForceAt(program, "f"), program.numbers().state
    records = []
    for k in range(2):
        R = Rotation.from_quat(state[7 * k + 3 : 7 * k + 7], scalar_first=True).as_matrix()
        records.append(np.concatenate([state[7 * k : 7 * k + 3], R.ravel(), np.zeros(6)]))
    np.testing.assert_allclose(force.wrenches(records), 0, atol=1e-12)
    axes = rotation_of(records[0]) @ force.data[3:12].reshape(3, 3)
    np.testing.assert_allclose(axes[:, 2], (0, 0.6, 0.8), atol=1e-12)
    for k, stiffness in enumerate((10.0, 20.0, 30.0)):
        pushed = [records[0], moved(records[1], np.concatenate([1e-3 * axes[:, k], np.zeros(3)]))]
        np.testing.assert_allclose(force.wrenches(pushed)[1, :3], -1e-3 * stiffness * axes[:, k], atol=1e-12)


@pytest.mark.parametrize("coordinate", ["angle", "displacement"])
def test_viscous_friction_takes_power_from_its_coordinate_alone(coordinate):
    force, rng = made(f"friction {coordinate}"), np.random.default_rng(10)
    unit = made(f"actuator {coordinate}")
    for _ in range(10):
        records = aligned(rng, force, random_records(rng))
        rate = unit.signals(records)["power"] / (2.5 if coordinate == "angle" else -1.5)
        assert force.power(records) == pytest.approx(-0.8 * rate**2)


@pytest.mark.parametrize("name", ["actuator angle", "actuator displacement"])
def test_actuator_gives_value_times_rate(name):
    """The rate of the coordinate by differences in time, so that sign and lever are tested too."""
    force, rng = made(name), np.random.default_rng(11)
    value = 2.5 if "angle" in name else -1.5
    for _ in range(5):
        records = aligned(rng, force, random_records(rng))

        def coordinate(t, records=records):
            a, b = (moved(r, t * r[12:]) for r in records[:2])
            A, B = (rotation_of(r) @ force.data[k : k + 9].reshape(3, 3) for r, k in ((a, 3), (b, 15)))
            if "angle" in name:
                relative = A.T @ B
                return np.array(
                    [np.arctan2(relative[1, 0] - relative[0, 1], relative[0, 0] + relative[1, 1])]
                )
            pa, pb = (r[:3] + rotation_of(r) @ force.data[k : k + 3] for r, k in ((a, 0), (b, 12)))
            return A[:, [2]].T @ (pb - pa)

        rate, _ = derivatives(coordinate)
        assert force.power(records) == pytest.approx(value * rate[0], rel=1e-7)
        assert force.signals(records)["power"] == pytest.approx(value * rate[0], rel=1e-7)


def test_motor_follows_its_curve():
    force, rng = made("motor"), np.random.default_rng(12)
    records = aligned(rng, force, random_records(rng))
    z = rotation_of(records[0]) @ force.data[3:12].reshape(3, 3)[:, 2]
    for speed in (-100.0, -30.0, -20.0, -12.0, 0.0, 5.0, 11.0, 25.0, 40.0, 1e4):
        records[1][15:] = records[0][15:] + speed * z
        torque = 0.5 * np.interp(speed, curve().speed, curve().torque)
        signals = force.signals(records)
        assert signals["speed"] == pytest.approx(speed, rel=1e-12, abs=1e-12)
        assert signals["torque"] == pytest.approx(torque)
        assert signals["power"] == pytest.approx(force.power(records)) == pytest.approx(torque * speed)


CONTACTS = [name for name in INTERNAL if name.startswith("contact")]


@pytest.mark.parametrize("name", CONTACTS)
def test_contact_never_gives_power(name):
    """What is not stored is lost to damper and friction, whatever the motion, fast separation included."""
    force, rng = made(name), np.random.default_rng(13)
    for fast in (1.0, 30.0):
        for _ in range(20):
            records = random_records(rng)
            for record in records:
                record[12:] *= fast
            assert power_lost(force, records) > -1e-9


@pytest.mark.parametrize(
    ("name", "exponent", "damping"), [("contact plane", 1.0, 2.0), ("contact sphere", 1.5, 2.0)]
)
def test_contact_without_friction_loses_what_its_damper_takes(name, exponent, damping):
    force, rng = made(name), np.random.default_rng(14)
    for _ in range(10):
        records = random_records(rng)
        signals = force.signals(records)
        depth = -signals["gap"]
        assert depth > 0
        rate = -derivatives(
            lambda t, records=records: np.array(
                [force.signals([moved(r, t * r[12:]) for r in records])["gap"]]
            )
        )[0][0]
        assert signals["force.normal"] == pytest.approx(50 * depth**exponent + damping * rate, rel=1e-7)
        assert signals["potential"] == pytest.approx(50 * depth ** (exponent + 1) / (exponent + 1))
        assert power_lost(force, records) == pytest.approx(damping * rate**2, rel=1e-6)


@pytest.mark.parametrize("name", ["contact plane rubbing", "contact sphere rubbing"])
def test_contact_friction_acts_at_the_lowest_point_of_the_ball_against_sliding(name):
    """mu N u / sqrt(u^2 + u0^2), with the velocity u in which the two bodies slide over each other at that point."""
    force, rng = made(name), np.random.default_rng(15)
    for _ in range(10):
        records = random_records(rng)
        partner, ball = records[:2]
        centres = [r[:3] + rotation_of(r) @ force.data[k : k + 3] for r, k in ((partner, 0), (ball, 12))]
        if "plane" in name:
            n = rotation_of(partner) @ force.data[3:12].reshape(3, 3)[:, 2]
        else:
            n = (centres[1] - centres[0]) / np.linalg.norm(centres[1] - centres[0])
        contact = centres[1] - 6.0 * n
        velocities = [r[12:15] + np.cross(r[15:], contact - r[:3]) for r in (partner, ball)]
        sliding = (np.eye(3) - np.outer(n, n)) @ (velocities[1] - velocities[0])
        signals = force.signals(records)
        normal = signals["force.normal"]
        friction = -0.4 * normal * sliding / np.hypot(np.linalg.norm(sliding), 0.5)
        wrenches = force.wrenches(records)
        for record, wrench, sign in ((partner, wrenches[0], -1), (ball, wrenches[1], 1)):
            on_body = sign * (normal * n + friction)
            expected = [*on_body, *np.cross(contact - record[:3], on_body)]
            np.testing.assert_allclose(wrench, expected, rtol=0, atol=1e-10 * normal)
        assert signals["force.friction"] == pytest.approx(np.linalg.norm(friction))
        assert power_lost(force, records) == pytest.approx(-friction @ sliding, rel=1e-9)


@pytest.mark.parametrize("name", CONTACTS)
def test_contact_pushes_only_while_there_is_overlap(name):
    force, rng = made(name), np.random.default_rng(16)
    records = random_records(rng)
    assert force.kernel.events == 2  # where they touch, and where a damped one lets go
    far = [records[0], records[1].copy(), records[2]]
    # away from the partner along its normal, which is the way the contact pushes the ball when nothing rubs
    normal = made(name.removesuffix(" rubbing")).wrenches([moved(r, np.zeros(6), -r[12:]) for r in records])[
        1, :3
    ]
    far[1][:3] += 30 * normal / np.linalg.norm(normal)
    assert force.signals(far)["gap"] > 0
    np.testing.assert_array_equal(force.wrenches(far), 0)
    assert force.signals(far)["potential"] == 0


@pytest.mark.slow
def test_applied_force_and_torque():
    rng = np.random.default_rng(17)
    F = np.array([1.0, -2.0, 3.0])
    for _ in range(5):
        records = random_records(rng)
        R = rotation_of(records[0])
        for name, value in (("world", F), ("body", R @ F)):
            force = made(f"force {name}")
            arm = R @ force.data[:3]
            np.testing.assert_allclose(force.wrenches(records), [[*value, *np.cross(arm, value)]], atol=1e-12)
            np.testing.assert_allclose(
                made(f"torque {name}").wrenches(records), [[0, 0, 0, *value]], atol=1e-12
            )
        np.testing.assert_allclose(
            made("force at the centre of mass").wrenches(records), [[*F, 0, 0, 0]], atol=1e-12
        )


def test_point_of_a_force_is_in_the_body_frame():
    """Its arm is counted from the centre of mass, which is somewhere else."""
    rng = np.random.default_rng(18)
    m = ww.Mechanism("force")
    one = m.add("one", body(rng))
    m.add("f", ww.Force(body="one", value=(1.0, -2.0, 3.0), point_in_body=(0.1, 0.2, 0.3)))
    force = ForceAt(program_of(m), "f")
    np.testing.assert_allclose(force.data[:3], np.subtract((0.1, 0.2, 0.3), one.center_of_mass))


def test_formulas_of_signals_are_what_they_say():
    """A formula over the state gives the wrench of a constant force with that value, at each state."""
    rng = np.random.default_rng(19)
    force, constant = made("actuator formula"), made("actuator angle")
    for _ in range(5):
        records = aligned(rng, force, random_records(rng))
        rate = constant.signals(records)["power"] / 2.5
        origin = records[2][:3] - rotation_of(records[2]) @ np.array(center_of_three())
        A, B = (
            rotation_of(records[k]) @ force.data[12 * k + 3 : 12 * k + 12].reshape(3, 3) for k in range(2)
        )
        angle = np.arctan2(A[:, 1] @ B[:, 0], A[:, 0] @ B[:, 0])
        value = 2 + origin[0] * rate - np.sin(records[2][16]) + angle + 2 * np.pi
        expected = constant.wrenches(records) * value / 2.5
        np.testing.assert_allclose(force.wrenches(records, turns=2 * np.pi), expected, rtol=0, atol=1e-11)
    assert force.kernel.acting == 2
    assert len(force.bodies) == 3


def center_of_three() -> tuple[float, ...]:
    return two_bodies(np.random.default_rng(0)).bodies["three"].center_of_mass


def test_ground_takes_its_share():
    """A force between a body and ground is the force between two bodies with the second at rest at the origin."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        m = ww.Mechanism("one body")
        m.add("one", body(rng))
        m.add("f", ww.Spring(bodies=("one", "ground"), point_a=point(rng), point_b=(1, 2, 3), stiffness=7.0))
        force = ForceAt(program_of(m), "f")
        assert force.bodies == [0, -1]
        records = [random_body(rng)]
        wrenches = force.wrenches(records)
        np.testing.assert_allclose(wrenches[0, :3], -wrenches[1, :3])
        np.testing.assert_allclose(wrenches[1, 3:], np.cross((1, 2, 3), wrenches[1, :3]), atol=1e-12)


@pytest.mark.parametrize("with_radius", [False, True])
@pytest.mark.parametrize("coordinate", ["angle", "displacement"])
def test_load_of_dry_friction(coordinate, with_radius):
    """r |f| on a journal; hypot(fx, fy) + |m| / r on a guide, with f and m at the joint's point in joint axes."""
    rng, radius = np.random.default_rng(20), 0.2
    function = load_function(coordinate, with_radius)
    for _ in range(5):
        record, marker, wrench = random_body(rng), random_marker(rng), rng.normal(size=6)
        value = float(function(record, np.append(marker, radius), wrench))
        axes = rotation_of(record) @ marker[3:].reshape(3, 3)
        f = axes.T @ wrench[:3]
        m = axes.T @ (wrench[3:] - np.cross(rotation_of(record) @ marker[:3], wrench[:3]))
        guide = np.hypot(f[0], f[1]) + (np.linalg.norm(m) / radius if with_radius else 0)
        assert value == pytest.approx(radius * np.linalg.norm(f) if coordinate == "angle" else guide)


def test_ground_record_is_at_rest():
    assert GROUND.shape == (18,)
    np.testing.assert_array_equal(rotation_of(GROUND), np.eye(3))
