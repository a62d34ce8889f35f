"""Closed forms of constraint rows against calculus, for every constraint kernel in the registries, by three routes:

1. CasADi's differentiation of the residual (:mod:`wheelwork.equations.differentiate`),
2. differences in time along an exact rigid motion,
3. the form of Vlasenko and Kasper, eq. 1-3: G^ = dg/dq T(q), with q = (x, Euler parameters).

They start from different ends: the first perturbs rotation matrices, the second moves bodies with the matrix
exponential, the third goes through coordinates.
"""

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from wheelwork.description.registry import family
from wheelwork.equations.differentiate import rows_from_residual
from wheelwork.equations.frames import BodyFrame, Marker
from wheelwork.equations.rotations import from_euler_parameters
from wheelwork.equations.rows import turn_about_axis
from wheelwork.system.kernels import ConstraintArguments, ConstraintKernel
from wheelwork.system.space import SPATIAL

from .states import (
    JOINTS,
    KERNELS,
    after,
    derivatives,
    full,
    has_angle,
    moved,
    random_arguments,
    random_marker,
    random_pair,
    random_rotation,
    residual,
    rotation_of,
    symbols,
)

STATES = 20
kernels = pytest.mark.parametrize("key", KERNELS)


def random_states(key: str, count: int = STATES) -> list[list[np.ndarray]]:
    rng = np.random.default_rng(abs(hash_of(key)))
    return [random_arguments(rng, KERNELS[key]) for _ in range(count)]


def hash_of(key: str) -> int:
    """The same for the same key in every process."""
    return int.from_bytes(key.encode(), "little") % 2**32


def differentiated(kernel: ConstraintKernel) -> ca.Function:
    """g, G, gamma, nu from nothing but the residual."""
    arguments, a, b = symbols(kernel)
    u = ca.reshape(arguments.inputs, 3, kernel.inputs)

    def value(a, b, values):
        inputs = ca.vertcat(values.T, u[1:, :]) if kernel.inputs else u
        moved = ConstraintArguments(arguments.bodies, arguments.data, ca.vec(inputs), arguments.turns)
        return ca.vertcat(*(row.value for row in kernel._rows([a, b], moved)))

    rows = rows_from_residual(value, a, b, [u[k, :].T for k in range(3)])
    G = [ca.horzcat(r.a_linear.T, r.a_angular.T, r.b_linear.T, r.b_angular.T) for r in rows]
    parts = [[r.value for r in rows], G, [r.gamma for r in rows], [r.nu for r in rows]]
    return ca.Function(
        "differentiated", arguments.as_list(), [ca.densify(ca.vertcat(*part)) for part in parts]
    )


@kernels
def test_closed_forms_equal_differentiation(key):
    kernel = KERNELS[key]
    function = differentiated(kernel)
    for arguments in random_states(key):
        expected = [np.array(part) for part in function.call([ca.DM(x) for x in arguments])]
        for ours, theirs in zip(full(kernel, arguments), expected, strict=True):
            # sums of products of numbers of size 1 to 10, a few dozen of them
            positions = slice(kernel.rows - kernel.speeds)
            np.testing.assert_allclose(
                ours[positions].ravel(), theirs[positions].ravel(order="C"), rtol=1e-11, atol=1e-10
            )


@pytest.mark.parametrize("key", [key for key, kernel in KERNELS.items() if kernel.speeds])
def test_rows_of_speeds_change_as_gamma_says(key):
    """Along a motion of constant twist d/dt (G^ v) = -gamma; there is no residual, and nothing prescribed."""
    kernel = KERNELS[key]
    for a, b, *others in random_states(key, 5):
        g, _, gamma, nu = full(kernel, [a, b, *others])

        def speed(t, a=a, b=b, others=others):
            return full(kernel, [after(a, t), after(b, t), *others])[1] @ np.concatenate([a[12:], b[12:]])

        rate, _ = derivatives(speed, h=0.002)
        speeds = slice(kernel.rows - kernel.speeds, None)
        assert not g[speeds].any()
        assert not nu.any()
        # differences of order 8, of directions that turn quickly where a random wheel lies nearly flat
        np.testing.assert_allclose(-gamma[speeds], rate[speeds], rtol=1e-7, atol=1e-7)


@kernels
def test_closed_forms_equal_differences_in_time(key):
    """Along a motion of constant twist, and u of constant u'': g' = G^ v - nu and g'' = -gamma."""
    kernel = KERNELS[key]
    for a, b, data, u, turns in random_states(key, 5):
        _, G, gamma, nu = full(kernel, [a, b, data, u, turns])
        curve = u.reshape(-1, 3).T if kernel.inputs else np.zeros((3, 0))

        def g(t, a=a, b=b, data=data, curve=curve, turns=turns):
            u_then = np.array([curve[0] + t * curve[1] + t * t / 2 * curve[2], curve[1], curve[2]])
            return residual(kernel, [after(a, t), after(b, t), data, u_then.T.ravel(), turns])

        positions = slice(kernel.rows - kernel.speeds)
        rate, acceleration = (of[positions] for of in derivatives(g))
        G, gamma, nu = G[positions], gamma[positions], nu[positions]
        # differences of order 8: 1e-16 h^-2 of round-off and (h w)^8 of the formula, with |w|, |v| up to 4
        np.testing.assert_allclose(G @ np.concatenate([a[12:], b[12:]]) - nu, rate, rtol=0, atol=1e-8)
        np.testing.assert_allclose(-gamma, acceleration, rtol=0, atol=1e-6)


def velocities_to_coordinates(e: np.ndarray) -> np.ndarray:
    """T of one body, (x', e') = T (v, w): e' = E^T w / 2 with w in world axes, unit Euler parameters (w, x, y, z)."""
    w, x, y, z = e
    T = np.zeros((7, 6))
    T[:3, :3] = np.eye(3)
    T[3:, 3:] = 0.5 * np.array([[-x, -y, -z], [w, z, -y], [-z, w, x], [y, -x, w]])
    return T


@kernels
def test_transformed_jacobian_is_the_jacobian_of_euler_parameters_times_t(key):
    """G^ = G T, G = dg/dq (Vlasenko, Kasper, eq. 1-3)."""
    kernel = KERNELS[key]
    arguments, _, _ = symbols(kernel)
    q = ca.SX.sym("q", 14)
    records = []
    for k in (0, 7):
        R = from_euler_parameters(q[k + 3 : k + 7])
        records.append(ca.vertcat(q[k : k + 3], ca.vec(R.T), ca.SX(6, 1)))
    rest = arguments.as_list()[2:]
    (g,) = kernel.residual.call([*records, *rest])
    jacobian = ca.Function("G", [q, *rest], [ca.densify(ca.jacobian(g, q))])
    for a, b, *others in random_states(key, 5):
        parameters = [
            Rotation.from_matrix(rotation_of(record)).as_quat(scalar_first=True) for record in (a, b)
        ]
        coordinates = np.concatenate([a[:3], parameters[0], b[:3], parameters[1]])
        G = np.array(jacobian.call([ca.DM(coordinates), *map(ca.DM, others)])[0])[: kernel.rows]
        T = [velocities_to_coordinates(e) for e in parameters]
        expected = np.hstack([G[:, :7] @ T[0], G[:, 7:] @ T[1]])
        positions = slice(kernel.rows - kernel.speeds)
        ours = full(kernel, [a, b, *others])[1][positions]
        np.testing.assert_allclose(ours, expected[positions], rtol=1e-11, atol=1e-10)


@pytest.mark.slow
@kernels
def test_exact_jacobian_equals_differences(key):
    """d(G^T lambda) and d(G a - gamma) for small motions and changes of twist, as an implicit method needs them."""
    kernel = KERNELS[key]
    rng = np.random.default_rng(7)
    for a, b, *others in random_states(key, 2):
        multipliers, accelerations = rng.normal(size=SPATIAL.lanes), rng.normal(size=12)
        parts = kernel.jacobian.call([ca.DM(x) for x in (a, b, *others, multipliers, accelerations)])
        stiffness, bottom = (np.array(part) for part in parts)
        assert not np.any(bottom[kernel.rows :])

        def both(direction, s, a=a, b=b, others=others, l=multipliers, acceleration=accelerations):
            small, twist = s * direction[:12], s * direction[12:]
            here = [moved(a, small[:6], twist[:6]), moved(b, small[6:], twist[6:])]
            _, G, gamma, _ = full(kernel, [*here, *others])
            return np.concatenate([G.T @ l[: kernel.rows], G @ acceleration - gamma])

        for column, direction in enumerate(np.eye(24)):
            # directions of random blades and wheels turn quickly
            rate, _ = derivatives(lambda s, d=direction: both(d, s), h=0.005 if kernel.speeds else 0.02)
            if column < 12:
                np.testing.assert_allclose(stiffness[:, column], rate[:12], rtol=0, atol=1e-8)
            np.testing.assert_allclose(bottom[: kernel.rows, column], rate[12:], rtol=0, atol=1e-8)


@kernels
def test_constraints_do_not_see_where_the_world_is(key):
    """Turning and shifting the whole world leaves g as it is, and so G^ times a rigid motion of both bodies is zero.

    Residuals in world axes (coincident points) turn with the world; their length stays.
    """
    kernel = KERNELS[key]
    for a, b, *others in random_states(key, 5):
        S, shift = Rotation.from_rotvec([0.3, -1.1, 0.7]).as_matrix(), np.array([3.0, -2.0, 5.0])

        def carried(record, S=S, shift=shift):
            return np.concatenate(
                [
                    S @ record[:3] + shift,
                    (S @ rotation_of(record)).ravel(),
                    S @ record[12:15],
                    S @ record[15:],
                ]
            )

        g, g_there = (residual(kernel, [*pair, *others]) for pair in ((a, b), (carried(a), carried(b))))
        turned = kernel.row_names[:3] == ("x", "y", "z")
        if turned:
            np.testing.assert_allclose(S @ g[:3], g_there[:3], rtol=0, atol=1e-12)
        scalars = slice(3 if turned else 0, None)
        np.testing.assert_allclose(g[scalars], g_there[scalars], rtol=0, atol=1e-12)


@kernels
def test_parts_of_a_kernel_agree(key):
    """`full`, `residual` and `gamma` are the same numbers, padded to the width of the runtime's packs with zeros."""
    kernel = KERNELS[key]
    (arguments,) = random_states(key, 1)
    arguments = [ca.DM(x) for x in arguments]
    g, G_a, G_b, gamma, nu = kernel.full.call(arguments)
    np.testing.assert_array_equal(np.array(g), np.array(kernel.residual.call(arguments)[0]))
    np.testing.assert_array_equal(np.array(gamma), np.array(kernel.gamma.call(arguments)[0]))
    for part in (g, G_a, G_b, gamma, nu):
        assert part.shape[0] == SPATIAL.lanes
        assert not np.any(np.array(part)[kernel.rows :])


def test_every_joint_and_coordinate_is_covered():
    assert {f"joint:{name}" for name in JOINTS} <= set(KERNELS)
    for name, joint in JOINTS.items():
        assert len(joint.row_names) == len(set(joint.row_names)) == KERNELS[f"joint:{name}"].rows
        for coordinate in joint.coordinates:
            assert {f"driver:{name}:{coordinate}", f"rate:{name}:{coordinate}"} <= set(KERNELS)
    assert any(has_angle(key) for key in KERNELS)


# -- what joints allow, said without their equations


FREEDOM = {
    "fixed": 0, "spherical": 3, "revolute": 1, "prismatic": 1, "cylindrical": 2, "screw": 1, "universal": 2,
    "planar": 3, "point_on_line": 4, "point_on_plane": 5, "distance": 5, "rod": 5, "revolute_spherical": 4,
}  # fmt: skip


def steps_at_random(rng: np.random.Generator, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Place and turn of b's frame in a's after the steps of a joint, as a tree of minimal coordinates has them."""
    position, axes = np.zeros(3), np.eye(3)
    for step in family("joints")[name].steps:
        along = np.eye(3)["xyz".index(step.axis or "z")]
        size = rng.uniform(-3, 3)
        if step.motion == "slide":
            position = position + axes @ along * size
        elif step.motion == "turn":
            axes = axes @ Rotation.from_rotvec(along * size).as_matrix()
        else:
            axes = axes @ random_rotation(rng)
    return position, axes


LEAD, TURNS = 0.3, 2


def pose_at_random(rng: np.random.Generator, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Place and turn of b's frame in a's that a joint is for, said without its equations."""
    angle = rng.uniform(-3, 3)
    about_z = Rotation.from_rotvec([0, 0, angle]).as_matrix()
    own = family("joints")[name].sample_pose(rng)
    if own is not None:
        return own
    if name == "screw":
        return np.array([0, 0, LEAD * (angle / (2 * np.pi) + TURNS)]), about_z
    if name == "universal":
        return np.zeros(3), Rotation.from_euler("XZ", [np.pi / 2, angle]).as_matrix() @ about_z
    if family("joints")[name].steps is not None:
        return steps_at_random(rng, name)
    places = {"point_on_line": [0, 0, -0.6], "point_on_plane": [0.7, -0.2, 0]}
    return np.array(places.get(name, rng.normal(size=3)), float), random_rotation(rng)


def on_the_joint(rng: np.random.Generator, name: str) -> list[np.ndarray]:
    """A state that satisfies a joint's position equations, made from what the joint is for."""
    joint = JOINTS[name]
    a, b = random_pair(rng)
    data = np.concatenate([random_marker(rng), random_marker(rng)])
    A = rotation_of(a) @ data[3:12].reshape(3, 3)
    p = a[:3] + rotation_of(a) @ data[:3]
    along, turn = pose_at_random(rng, name)
    R = A @ turn @ data[15:24].reshape(3, 3).T
    b = np.concatenate([p + A @ along - R @ data[12:15], R.ravel(), b[12:]])
    extras = {"lead": LEAD, "length": np.linalg.norm(along), "offset": along[2]}
    extras |= {"radius": 0.3, "edge_radius": 0.05}  # of the samples of what rolls
    values = np.concatenate([data, [extras[extra] for extra in joint.extras]])
    return [a, b, values, np.zeros(0), np.array([2 * np.pi * TURNS])]


@pytest.mark.parametrize("name", JOINTS)
def test_a_joint_holds_at_the_positions_it_is_for_and_leaves_the_freedom_it_should(name):
    kernel = KERNELS[f"joint:{name}"]
    rng = np.random.default_rng(3)
    for _ in range(10):
        arguments = on_the_joint(rng, name)
        g, G, _, _ = full(kernel, arguments)
        np.testing.assert_allclose(g, 0, atol=1e-14 * 100)
        # independent rows: no equation of a joint says what another says already
        assert np.linalg.matrix_rank(G, tol=1e-6) == len(g) == 6 - FREEDOM.get(name, 6 - len(g))


@pytest.mark.parametrize("turns", [-2, 0, 5])
def test_angle_is_right_handed_from_a_to_b_and_counts_turns(turns):
    rng = np.random.default_rng(11)
    kernel = KERNELS["rate:revolute:angle"]
    for angle in (-3.1, -0.4, 0.0, 1.0, 3.1):
        a, b = random_pair(rng)
        data = np.concatenate([random_marker(rng), random_marker(rng)])
        A = rotation_of(a) @ data[3:12].reshape(3, 3)
        R = A @ Rotation.from_rotvec([0, 0, angle]).as_matrix() @ data[15:24].reshape(3, 3).T
        b = np.concatenate([b[:3], R.ravel(), b[12:]])
        value = residual(kernel, [a, b, data, np.zeros(0), np.array([2 * np.pi * turns])])
        np.testing.assert_allclose(value, angle + 2 * np.pi * turns, rtol=0, atol=1e-12)


def test_the_angle_between_axes_that_are_not_parallel():
    """The closed form of the angle holds for any two axes (a torsional spring may stand between free bodies)."""
    rng = np.random.default_rng(5)
    kernel = KERNELS["rate:revolute:angle"]
    function = differentiated(kernel)
    for _ in range(20):
        a, b = random_pair(rng)
        data = np.concatenate([random_marker(rng), random_marker(rng)])
        arguments = [a, b, data, np.zeros(0), np.zeros(1)]
        exact = [np.array(part) for part in function.call([ca.DM(x) for x in arguments])]
        made = full(kernel, arguments)
        for k in (1, 2, 3):  # G_a, G_b, gamma
            np.testing.assert_allclose(made[k].ravel(), exact[k].ravel(), rtol=1e-9, atol=1e-9)


def test_a_residual_alone_makes_a_kernel():
    """The second form of the contract: a column of residuals, differentiated for the author of the element."""

    def points_together(a: Marker, b: Marker, extras: ca.SX, inputs: ca.SX, turns: ca.SX) -> ca.SX:
        return b.p - a.p - ca.vertcat(inputs[0, 0], 0, 0)

    kernel = ConstraintKernel("test:points", ("x", "y", "z"), points_together, inputs=1)
    spherical = KERNELS["joint:spherical"]
    rng = np.random.default_rng(2)
    for _ in range(5):
        a, b, data, u, turns = random_arguments(rng, kernel)
        g, G, gamma, nu = full(kernel, [a, b, data, u, turns])
        closed_g, closed_G, closed_gamma, _ = full(spherical, [a, b, data, np.zeros(0), turns])
        push = np.array([1.0, 0, 0])
        np.testing.assert_allclose(g, closed_g - u[0] * push, rtol=0, atol=1e-12)
        np.testing.assert_allclose(G, closed_G, rtol=0, atol=1e-12)
        np.testing.assert_allclose(nu, u[1] * push, rtol=0, atol=1e-12)
        np.testing.assert_allclose(gamma, closed_gamma + u[2] * push, rtol=0, atol=1e-10)


def test_turn_about_axis_of_a_body_with_itself_is_zero():
    record = ca.SX.sym("r", 18)
    marker = Marker.from_record(BodyFrame.from_record(record), ca.SX(random_marker(np.random.default_rng(0))))
    row = turn_about_axis(marker, marker)
    value = ca.Function("v", [record], [row.value, row.rate(marker, marker)])
    body = random_pair(np.random.default_rng(1))[0]
    np.testing.assert_allclose([float(x) for x in value.call([ca.DM(body)])], 0, atol=1e-14)


def test_kernels_know_which_joints_hold_points_together():
    """The core knows what linear velocities do in these: their columns are +-1 in three rows, nothing elsewhere."""
    holding = {key for key, kernel in KERNELS.items() if kernel.holds_points}
    assert {"joint:revolute", "joint:spherical", "joint:universal"} <= holding
    assert not {"joint:prismatic", "joint:cylindrical"} & holding
    for kernel in (KERNELS[key] for key in holding):
        G = full(kernel, random_arguments(np.random.default_rng(1), kernel))[1]
        unit = np.eye(kernel.rows, 3)
        assert np.array_equal(G[:, [0, 1, 2, 6, 7, 8]], np.hstack([-unit, unit])), kernel.key
