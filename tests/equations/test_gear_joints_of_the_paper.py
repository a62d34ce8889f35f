"""D. Vlasenko, R. Kasper, Spatial kinematics of gears in absolute coordinates: their formulas beside ours.

Transcribed in the paper's symbols (NumPy): x, c, p, a, e, l, s, r, alpha of bodies i and j. Where the print is wrong,
the test shows that the right formula holds and that the printed one does not. `docs/methods/gear-joints.md` says why.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks.operations import ROTATIONS, operation_counts

from .mesh_states import Placed, bevel, placed, wheel_record
from .states import full
from .test_meshes import kernel_of, raw, velocity_at

EXACT = 1e-13
cross, norm = np.cross, np.linalg.norm


def body(pair: Placed, side: int) -> SimpleNamespace:
    """x, c, a of a wheel in the world, and its velocities: u of its centre of mass, w."""
    record, geometry = [pair.a, pair.b][side], pair.geometry
    x = record[:3]
    centre = pair.origin + pair.world(geometry.centres[side])
    axis = pair.world(geometry.frames[side][:, 2])
    return SimpleNamespace(x=x, c=centre - x, a=axis, v=record[12:15], w=record[15:18], record=record)


def states(name: str, count: int = 5) -> list[Placed]:
    rng = np.random.default_rng(17)
    return [placed(name, rng) for _ in range(count)]


def ours(pair: Placed) -> np.ndarray:
    return full(kernel_of(pair), pair.arguments)[1][0]


def angle_15(a: np.ndarray, e_0: np.ndarray, e: np.ndarray) -> float:
    """alpha = asin(a . (e_0 x e)); e_0 is fixed in the body, e points to the contact."""
    return float(np.arcsin(a @ cross(e_0, e)))


# -- spur gears, (5)-(28)


def spur(pair: Placed) -> tuple[SimpleNamespace, SimpleNamespace, np.ndarray]:
    i, j = body(pair, 0), body(pair, 1)
    l = j.x + j.c - i.x - i.c  # (8)
    i.e, j.e = l / norm(l), -l / norm(l)  # (11)
    k = pair.geometry.teeth[1] / pair.geometry.teeth[0]  # (12)
    i.r, j.r = norm(l) / (1 + k), k * norm(l) / (1 + k)  # (13), (14)
    i.p, j.p = i.r * i.e, j.r * j.e  # (10)
    return i, j, cross(i.a, i.e)


def test_spur_radii_from_the_ratio():
    """(12)-(14)."""
    for pair in states("external"):
        i, j, _ = spur(pair)
        extras = pair.geometry.extras
        assert np.allclose([i.r, j.r], [extras["r_a"], extras["r_b"]], rtol=1e-14)


def test_spur_transformed_jacobian():
    """(25) and (28)."""
    for pair in states("external"):
        i, j, s = spur(pair)
        G = np.concatenate([s, -cross(s, i.c + i.p), -s, cross(s, j.c + j.p)])  # (28)
        assert np.allclose(ours(pair), G, rtol=0, atol=EXACT)
        g_v = s @ ((i.v + cross(i.w, i.c + i.p)) - (j.v + cross(j.w, j.c + j.p)))  # (25)
        assert np.isclose(ours(pair) @ [*i.v, *i.w, *j.v, *j.w], g_v, rtol=0, atol=EXACT)


def test_spur_velocities_relative_to_the_carrier():
    """(16)-(24), for wheels that turn in a moving carrier; the second term of (21) needs p^i, not the printed p^j."""
    rng = np.random.default_rng(4)
    for pair in states("external"):
        i, j, s = spur(pair)
        w_carrier, v_0 = rng.normal(size=(2, 3))
        for wheel, spin in ((i, 1.3), (j, 0.4)):
            wheel.w = w_carrier + spin * wheel.a
            wheel.u_C = v_0 + cross(w_carrier, wheel.x + wheel.c)
            wheel.v = wheel.u_C - cross(wheel.w, wheel.c)  # (23)
        twist = np.concatenate([i.v, i.w, j.v, j.w])
        relative = [wheel.w - w_carrier for wheel in (i, j)]  # (18)
        assert np.allclose(cross(w_carrier, i.p - j.p), j.u_C - i.u_C, rtol=0, atol=EXACT)  # (24)
        rates = [float(w @ wheel.a) for w, wheel in zip(relative, (i, j), strict=True)]  # (17)
        g_v = rates[1] * j.r + rates[0] * i.r  # (16)
        assert np.isclose(ours(pair) @ twist, g_v, rtol=0, atol=EXACT)
        right = -s @ cross(relative[1], j.p) + s @ cross(relative[0], i.p)  # (21), put right
        printed = -s @ cross(relative[1], j.p) + s @ cross(relative[0], j.p)
        assert np.isclose(right, g_v, rtol=0, atol=EXACT)
        assert abs(printed - g_v) > 0.1


def test_the_angle_of_15_counts_against_that_of_17():
    """Turning wheel i by +theta makes alpha of (15) -theta, but (17) has alpha' = + w: g of (5) with (15) is minus
    the g whose velocity level is (16), (25) and (28)."""
    pair = states("external", 1)[0]
    turn_i, turn_j = 0.03, 0.011
    pair.a, pair.b = wheel_record(pair, 0, 0.0), wheel_record(pair, 1, 0.0)
    i, j, _ = spur(pair)
    start, e_0 = raw(pair), (i.e, j.e)
    pair.a, pair.b = wheel_record(pair, 0, turn_i), wheel_record(pair, 1, turn_j)
    alphas = []
    for wheel, e, turn in ((i, e_0[0], turn_i), (j, e_0[1], turn_j)):
        c, s = np.cos(turn), np.sin(turn)
        fixed_in_wheel = c * e + s * cross(wheel.a, e)
        alphas.append(angle_15(wheel.a, fixed_in_wheel, e))
    assert np.allclose(alphas, [-turn_i, -turn_j], rtol=0, atol=1e-14)
    g_5 = alphas[1] * j.r + alphas[0] * i.r
    assert np.isclose(raw(pair) - start, -g_5, rtol=0, atol=1e-14)


def test_the_arcsine_of_15_ends_at_a_quarter_turn():
    """Beyond it the paper's angle goes back; ours goes on (here modulo the pitch, to the same tooth)."""
    turn = 2.0
    alpha = angle_15(np.array([0, 0, 1.0]), np.array([np.cos(turn), np.sin(turn), 0]), np.array([1.0, 0, 0]))
    assert abs(alpha) < np.pi / 2
    assert not np.isclose(alpha, -turn)


# -- bevel gears, (29)-(33)


@pytest.mark.parametrize("name", ["bevel at 90 deg", "bevel at 55 deg", "internal bevel"])
def test_bevel_transformed_jacobian(name):
    """(28) with s of (33); radii r^i = a^j . l/|a^i x a^j|, r^j = -a^i . l/|a^i x a^j|, with k = r^j/r^i (31)."""
    for pair in states(name):
        i, j = body(pair, 0), body(pair, 1)
        l = j.x + j.c - i.x - i.c
        n = cross(i.a, j.a)
        s = n / norm(n)  # (33)
        i.r, j.r = j.a @ l / norm(n), -i.a @ l / norm(n)
        z_i, z_j = pair.geometry.teeth
        assert np.isclose(j.r / i.r, z_j / z_i, rtol=1e-13)  # (31)
        i.p, j.p = i.r * cross(s, i.a), -j.r * cross(s, j.a)
        assert np.allclose(i.p - j.p, l, rtol=0, atol=EXACT)  # (30)
        G = np.concatenate([s, -cross(s, i.c + i.p), -s, cross(s, j.c + j.p)])  # (28)
        assert np.allclose(ours(pair), G, rtol=0, atol=EXACT)


def test_bevel_radii_have_signs():
    """With one axis given the other way round, the radii of the paper, |a^j . l| and k r^i, do not even close (30);
    with signs they do, and a wheel that turns the other way about the other axis is the same wheel."""
    geometry = bevel(np.pi / 2)
    (c_i, c_j), (frame_i, frame_j) = geometry.centres, geometry.frames
    a_i, a_j, l = frame_i[:, 2], -frame_j[:, 2], c_j - c_i
    n = cross(a_i, a_j)
    s = n / norm(n)
    e_i, e_j = cross(s, a_i), -cross(s, a_j)
    r_i, r_j = a_j @ l / norm(n), -a_i @ l / norm(n)
    assert np.allclose(r_i * e_i - r_j * e_j, l, rtol=0, atol=EXACT)
    assert r_i < 0 < r_j
    unsigned = abs(a_j @ l) / norm(n)
    k = geometry.teeth[1] / geometry.teeth[0]
    assert norm(unsigned * e_i - k * unsigned * e_j - l) > 0.1
    # signed: r_i alpha_i + r_j alpha_j with alpha_j turned round is r alpha_i - r alpha_j of the axes as they were
    assert np.isclose(r_j / r_i, -k, rtol=1e-13)


# -- concave-convex gears, (34)-(36)


def test_concave_convex_transformed_jacobian():
    """(34)-(36). The paper's i is the ring, j the pinion; ours are b and a."""
    for pair in states("internal"):
        i, j = body(pair, 1), body(pair, 0)
        l = j.x + j.c - i.x - i.c
        e = l / norm(l)  # (35)
        z_j, z_i = pair.geometry.teeth
        k = z_j / z_i
        i.r, j.r = norm(l) / (1 - k), k * norm(l) / (1 - k)
        i.p, j.p = i.r * e, j.r * e
        s = cross(i.a, e)
        of_i = [-s, cross(s, i.c + i.p)]
        of_j = [s, -cross(s, j.c + j.p)]
        assert np.allclose(ours(pair), np.concatenate([*of_j, *of_i]), rtol=0, atol=EXACT)  # (36)


# -- rack and pinion, (37)-(41)


def test_rack_transformed_jacobian():
    """(41) with i the pinion and j the rack: the sign of p^i is wrong in print."""
    for pair in states("rack"):
        i, j = body(pair, 0), body(pair, 1)
        j.a = pair.world(np.array([1.0, 0, 0]))  # along the rack
        p = pair.geometry.extras["r_a"] * pair.world(np.array([0, -1.0, 0]))
        right = [j.a, cross(i.c + p, j.a), -j.a, cross(j.a, i.x + i.c + p - j.x)]
        assert np.allclose(ours(pair), np.concatenate(right), rtol=0, atol=EXACT)
        printed = [j.a, cross(j.a, p - i.c), -j.a, cross(j.a, i.x + i.c - j.x - p)]
        assert norm(ours(pair) - np.concatenate(printed)) > 0.1
        # and the printed one is not no slip: the points at the contact
        P = i.x + i.c + p
        slip = j.a @ (velocity_at(i.record, P) - velocity_at(j.record, P))
        twist = np.concatenate([i.v, i.w, j.v, j.w])
        assert np.isclose(np.concatenate(right) @ twist, slip, rtol=0, atol=EXACT)
        assert abs(np.concatenate(printed) @ twist - slip) > 1e-3


def test_rack_position_level():
    """(37) with d of (40) and the angle of (15): as printed, where i is the pinion."""
    pair = states("rack", 1)[0]
    pair.a, pair.b = wheel_record(pair, 0, 0.0), wheel_record(pair, 1, 0.0)
    i, j = body(pair, 0), body(pair, 1)
    j.a = pair.world(np.array([1.0, 0, 0]))
    e, r = pair.world(np.array([0, -1.0, 0])), pair.geometry.extras["r_a"]
    start, d_0 = raw(pair), j.a @ (i.x + i.c - j.x - j.c)
    turn, way = 0.02, 0.005
    pair.a = wheel_record(pair, 0, turn)
    pair.b = wheel_record(pair, 1, 0.0, slide=np.array([way, 0, 0]))
    alpha = angle_15(i.a, np.cos(turn) * e + np.sin(turn) * cross(i.a, e), e)
    d = d_0 - way
    assert np.isclose(raw(pair) - start, (d - d_0) - alpha * r, rtol=0, atol=1e-14)


# -- the claim about cost


@pytest.mark.slow
def test_the_transformed_jacobian_is_cheaper():
    """For every type, by a factor of 1.4 to 2.1 as an exact derivative, and 2.5 or more as a force at the contact.

    Of a chain most operations find the rollers, in all forms alike: there what comes on top of the residual counts.
    """
    for count in operation_counts():
        found = count.residual if count.type == "chain" else 0
        assert 1.4 < (count.jacobian - found) / (count.closed - found) < (6 if found else 2.1)
        assert count.closed < count.transformed < count.jacobian < 2.6 * count.residual
        if count.at_contact is not None:
            assert ROTATIONS < count.at_contact < count.closed
            assert count.jacobian / count.at_contact > 2.5
