"""Gear meshes against what they are for: material points that do not slip, tooth normals, strands, text-book forces.

That closed forms are the derivatives of their residuals, at any state, is tested with all other constraints in
``test_rows.py``. Here the residuals themselves are: on closed geometries (``mesh_states.py``), which are made without
the formulas of the meshes, with bodies that move and turn anyhow, the carrier included.
"""

from fractions import Fraction
from functools import cache

import casadi as ca
import numpy as np
import pytest

from wheelwork.equations.frames import BodyFrame, Marker
from wheelwork.equations.mesh_equations import every_mesh, mesh_equations
from wheelwork.system.kernels import ConstraintKernel
from wheelwork.system.mesh_kernels import MeshKernel

from .mesh_states import (
    ALPHA,
    GEARS,
    GEOMETRIES,
    Placed,
    X,
    Y,
    crossed,
    mesh_class,
    placed,
    wheel_record,
    worm,
)
from .states import full, residual

EXACT = 1e-13
"""Lengths, forces and velocities are of size 1: a few dozen operations of round-off."""

every = pytest.mark.parametrize("name", GEOMETRIES)
gears = pytest.mark.parametrize("name", GEARS)


def states(name: str, count: int = 5) -> list[Placed]:
    rng = np.random.default_rng(len(name))
    return [placed(name, rng) for _ in range(count)]


@cache
def constraint(type: str) -> ConstraintKernel:
    return MeshKernel(every_mesh()[type]).constraint


@cache
def friction(type: str, sliding: bool) -> ConstraintKernel:
    return MeshKernel(every_mesh()[type]).friction(sliding)


def kernel_of(pair: Placed) -> ConstraintKernel:
    return constraint(pair.type)


@cache
def function(type: str, *names: str) -> ca.Function:
    """(a, b, data, F_t) -> results of the mesh's methods of these names."""
    mesh = every_mesh()[type]
    a, b, force = ca.SX.sym("a", 18), ca.SX.sym("b", 18), ca.SX.sym("F")
    data = ca.SX.sym("d", 24 + len(mesh.extras))
    markers = [
        Marker.from_record(BodyFrame.from_record(body), data[12 * k : 12 * k + 12])
        for k, body in enumerate((a, b))
    ]
    x = mesh.named(data[24:])
    arguments = {
        "raw": (*markers, x),
        "contact_point": (*markers, x),
        "tooth_force": (*markers, x, force),
        "separating": (*markers, x, force),
        "wheel_forces": (*markers, x, force),
        "normal_force": (x, force),
    }
    results = [getattr(mesh, name)(*arguments[name]) for name in names]
    outputs = [ca.vertcat(*r) if isinstance(r, tuple) else r for r in results]
    return ca.Function("f", [a, b, data, force], [ca.densify(output) for output in outputs])


def velocity_at(record: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Of the material point of a body that is at `point`."""
    return record[12:15] + np.cross(record[15:18], point - record[:3])


def twists(pair: Placed) -> np.ndarray:
    return np.concatenate([pair.a[12:], pair.b[12:]])


def raw(pair: Placed) -> float:
    return float(function(pair.type, "raw")(pair.a, pair.b, pair.data, 0.0))


def tooth_force(pair: Placed, force: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """P, tooth force on b, its part that is not in the constraint, normal force."""
    names = ("contact_point", "tooth_force", "separating", "normal_force")
    parts = function(pair.type, *names)(pair.a, pair.b, pair.data, force)
    point, total, rest, normal = (np.array(part).ravel() for part in parts)
    return point, total, rest, float(normal[0])


# -- no slip


@gears
def test_no_slip_is_that_of_the_material_points(name):
    """G^ v = d . (v_Pa - v_Pb) for any velocities, also those that other joints would forbid."""
    for pair in states(name):
        slip = velocity_at(pair.a, pair.point) - velocity_at(pair.b, pair.point)
        _, G, _, _ = full(kernel_of(pair), pair.arguments)
        # a spiral angle is in the force only: along the cones' line the row says nothing
        d = pair.geometry.forward if pair.type == "bevel" else pair.geometry.d
        assert np.allclose(G[0] @ twists(pair), pair.world(d) @ slip, rtol=0, atol=EXACT)


@gears
def test_the_row_is_a_force_at_the_contact_point_without_a_couple(name):
    """G^T = (d; (P - x_a) x d; -d; -(P - x_b) x d), the form of Vlasenko and Kasper, eq. 28."""
    for pair in states(name):
        d = pair.world(pair.geometry.forward if pair.type == "bevel" else pair.geometry.d)
        arms = [np.cross(pair.point - record[:3], d) for record in (pair.a, pair.b)]
        _, G, _, _ = full(kernel_of(pair), pair.arguments)
        assert np.allclose(G[0], np.concatenate([d, arms[0], -d, -arms[1]]), rtol=0, atol=EXACT)


@gears
def test_contact_point_and_directions(name):
    for pair in states(name):
        point, total, _, _ = tooth_force(pair, 1.0)
        assert np.allclose(point, pair.point, rtol=0, atol=EXACT)
        assert np.isclose(
            total @ pair.world(pair.geometry.forward),
            pair.geometry.scale * np.dot(pair.geometry.normal, pair.geometry.forward),
            rtol=0,
            atol=EXACT,
        )


@every
def test_phase_is_taken_from_the_given_position(name):
    for pair in states(name):
        assert abs(residual(kernel_of(pair), pair.arguments)[0]) <= pair.geometry.extras["pitch"] / 2
        pair.geometry.extras["phase"] = raw(pair)
        assert residual(kernel_of(pair), pair.arguments)[0] == 0.0


def test_the_rack_holds_its_distance_where_asked():
    for pair in states("rack with height"):
        g, G, _, _ = full(kernel_of(pair), pair.arguments)
        assert abs(g[1]) < EXACT
        gap = velocity_at(pair.a, pair.point) - velocity_at(pair.b, pair.point)
        assert np.isclose(G[1] @ twists(pair), pair.world(Y) @ gap, rtol=0, atol=EXACT)
        pair.a[:3] += 0.01 * pair.world(Y)
        assert np.isclose(residual(kernel_of(pair), pair.arguments)[1], 0.01, rtol=0, atol=EXACT)


# -- rolling on: any number of turns, any tooth


def rolled(pair: Placed, turns: Fraction) -> Placed:
    """The pair after wheel a has made `turns` turns and b as many teeth; whole turns are taken out exactly."""
    geometry = pair.geometry
    z_a, z_b = geometry.teeth
    moved = Placed(pair.type, geometry, pair.a, pair.b, pair.markers, pair.carrier, pair.origin)
    sense_a, sense_b = (int(s) for s in geometry.senses)
    part = float((sense_a * turns) % 1) * 2 * np.pi
    moved.a = wheel_record(pair, 0, part)
    if sense_b:
        moved.b = wheel_record(pair, 1, float((sense_b * turns * z_a / z_b) % 1) * 2 * np.pi)
    else:
        moved.b = wheel_record(pair, 1, 0.0, slide=float(turns * z_a) * geometry.extras["pitch"] * X)
    return moved


@every
def test_ten_thousand_turns_leave_no_trace(name):
    """g stays at round-off for any number of turns, and there is a tooth for every pitch."""
    for pair in states(name, 2):
        kernel, start = kernel_of(pair), rolled(pair, Fraction(0))
        pair.geometry.extras["phase"] = raw(start)
        reach = 1.0
        for turns in (Fraction(1, 7), Fraction(1, 2), Fraction(10**4), Fraction(-(10**4)) + Fraction(3, 11)):
            there = rolled(pair, turns)
            if mesh_class(pair.type).b_is_rack:
                reach = np.linalg.norm(there.b[:3])  # the rack is that far away
            assert abs(residual(kernel, there.arguments)[0]) < 1e-15 * 20 * max(1.0, reach)


@every
def test_a_turn_that_is_no_whole_tooth_is_seen(name):
    pair = states(name, 1)[0]
    kernel, start = kernel_of(pair), rolled(pair, Fraction(0))
    pair.geometry.extras["phase"] = raw(start)
    z_a, pitch = pair.geometry.teeth[0], pair.geometry.extras["pitch"]
    for teeth in (Fraction(1, 5), Fraction(7, 2) + Fraction(1, 10), Fraction(-2, 5)):
        start.a = wheel_record(pair, 0, float(teeth / z_a) * 2 * np.pi)
        expected = float((teeth + Fraction(1, 2)) % 1 - Fraction(1, 2)) * pitch
        assert np.isclose(residual(kernel, start.arguments)[0], expected, rtol=0, atol=EXACT)


@every
def test_wheels_that_roll_on_each_other_keep_g(name):
    """The motion of gears in their carrier, which turns and moves besides, has G^ v = 0 and keeps g at zero."""
    rng = np.random.default_rng(3)
    pair = placed(name, rng)
    z_a, z_b = pair.geometry.teeth
    spin_a = 1.7 * pair.geometry.senses[0]
    spin_b = 1.7 * pair.geometry.senses[1] * z_a / z_b
    v, w = rng.normal(size=(2, 3))
    slide = 1.7 * z_a * pair.geometry.extras["pitch"] / (2 * np.pi) if spin_b == 0 else 0.0
    for label, side, spin, along in (("a", 0, spin_a, 0.0), ("b", 1, spin_b, slide)):
        axis = pair.world(pair.geometry.frames[side][:, 2])
        centre = pair.origin + pair.world(pair.geometry.centres[side])
        record = wheel_record(pair, side, rng.uniform(-3, 3) if spin else 0.0)
        velocity = v + np.cross(w, record[:3]) + spin * np.cross(axis, record[:3] - centre)
        twist = np.concatenate([velocity + along * pair.world(X), w + spin * axis])
        setattr(pair, label, np.concatenate([record[:12], twist]))
    _, G, _, _ = full(kernel_of(pair), pair.arguments)
    assert np.allclose(G @ twists(pair), 0, rtol=0, atol=EXACT)
    _, R, _, _ = full(friction(pair.type, False), pair.arguments)
    speed = 1.7 * z_a * pair.geometry.extras["pitch"] / (2 * np.pi)
    assert np.isclose(R[0] @ twists(pair), speed, rtol=0, atol=EXACT)


# -- tooth forces


@gears
@pytest.mark.parametrize("force", [250.0, -90.0])
def test_the_tooth_force_is_normal_to_the_loaded_flank(name, force):
    """The flank of the basic rack: its normal leans by alpha_n out of the pitch plane, from a into b on both flanks."""
    for pair in states(name, 2):
        geometry = pair.geometry
        flank = np.cos(ALPHA) * np.sign(force) * geometry.normal + np.sin(ALPHA) * geometry.outward
        _, total, rest, normal = tooth_force(pair, force)
        assert np.allclose(total, normal * pair.world(flank), rtol=0, atol=1e-11)
        # its part along d is F_t: the multiplier is the tangential force
        assert np.isclose(normal, abs(force) * geometry.scale / np.cos(ALPHA), rtol=1e-14)
        _, G, _, _ = full(kernel_of(pair), pair.arguments)
        assert np.allclose(total, -G[0, 6:9] * force + rest, rtol=0, atol=1e-11)
        # what is left out of the constraint does no work on wheels that turn about their axes
        for side in (0, 1):
            axis = pair.world(geometry.frames[side][:, 2])
            centre = pair.origin + pair.world(geometry.centres[side])
            if geometry.senses[side]:
                assert abs(np.cross(pair.point - centre, rest) @ axis) < 1e-11


def own_parts(pair: Placed, force: float) -> tuple[np.ndarray, np.ndarray]:
    """The tooth force on a and on b in each wheel's directions: tangential, radial (outward), axial."""
    parts = np.array(function(pair.type, "wheel_forces")(pair.a, pair.b, pair.data, force)).ravel()
    return parts[:3], parts[3:]


@pytest.mark.parametrize("name", ["external, right-handed", "internal, left-handed"])
@pytest.mark.parametrize("force", [100.0, -100.0])
def test_text_book_forces_of_helical_gears(name, force):
    """W_r = W_t tan(phi_n)/cos(psi), W_a = W_t tan(psi); right hand rule for the thrust of the driver."""
    for pair in states(name, 2):
        beta = pair.geometry.angles["beta"]
        (tangential, radial, axial), (_, radial_b, axial_b) = own_parts(pair, force)
        assert np.isclose(tangential, -force)
        assert np.isclose(radial, -abs(force) * np.tan(ALPHA) / np.cos(beta))
        # a right-handed driver that turns in the positive sense is pushed along +z, where the thumb points
        assert np.isclose(axial, force * np.tan(beta))
        inward = 1.0 if pair.type.startswith("internal") else -1.0
        assert np.isclose(radial_b, inward * abs(force) * np.tan(ALPHA) / np.cos(beta))
        assert np.isclose(axial_b, -force * np.tan(beta))


@pytest.mark.parametrize("name", [name for name in GEARS if "bevel" in name])
@pytest.mark.parametrize("force", [100.0, -100.0])
def test_text_book_forces_of_bevel_gears(name, force):
    """Of a driving pinion: F_x = F_t (tan(alpha) sin(delta) +- sin(psi) cos(delta))/cos(psi) from the apex,
    F_r = F_t (tan(alpha) cos(delta) -+ sin(psi) sin(delta))/cos(psi) towards the axis; on the wheel axial and radial
    are exchanged where the axes are at a right angle."""
    for pair in states(name, 2):
        angles = pair.geometry.angles
        delta, spiral = angles["delta_a"], angles["spiral"]
        hand = np.sign(force)
        load = abs(force) / np.cos(spiral)
        outward = load * (np.tan(ALPHA) * np.sin(delta) + hand * np.sin(spiral) * np.cos(delta))
        inward = load * (np.tan(ALPHA) * np.cos(delta) - hand * np.sin(spiral) * np.sin(delta))
        on_a, on_b = own_parts(pair, force)
        assert np.allclose(on_a, [-force, -inward, outward])
        if name == "bevel at 90 deg":
            assert np.allclose(on_b[1:], [-on_a[2], -on_a[1]])


@pytest.mark.parametrize("name", ["worm", "worm, left-handed"])
def test_text_book_forces_of_a_worm(name):
    """Tangential force of one is the axial force of the other; F_t1 = F_t2 tan(gamma) without friction."""
    for pair in states(name, 2):
        gamma = pair.geometry.angles["beta_b"]
        normal = tooth_force(pair, 500.0)[3]
        on_a, on_b = own_parts(pair, 500.0)
        assert np.isclose(abs(on_b[0]), 500.0)
        assert np.isclose(abs(on_a[2]), 500.0)
        assert np.isclose(on_a[0], -500.0 * np.tan(abs(gamma)))  # against the turning of the worm that drives
        assert np.isclose(abs(on_b[2]), 500.0 * np.tan(abs(gamma)))
        assert np.isclose(on_a[1], -normal * np.sin(ALPHA))
        assert np.isclose(on_b[1], -normal * np.sin(ALPHA))


@pytest.mark.parametrize("name", ["belt", "crossed belt"])
@pytest.mark.parametrize("force", [0.0, 12.0, -12.0, 200.0])
def test_a_belt_pulls_with_its_strands(name, force):
    """Constraint and tension together are two pulls along the strands, which touch both circles."""
    for pair in states(name, 2):
        x = pair.geometry.extras
        r_a, r_b, sign, rest = x["r_a"], x["r_b"], x["sign"], x["tension"]
        span = np.linalg.norm(pair.geometry.centres[1])
        sine = (r_a - sign * r_b) / span
        wrench = np.zeros(6)
        centre_b = pair.origin + pair.world(pair.geometry.centres[1])
        # a turning in the positive sense pulls the strand at y > 0 towards it
        for side, pull in ((1.0, force), (-1.0, -force)):
            tension = max(rest + pull / 2, (abs(force) + pull) / 2 if abs(force) > 2 * rest else 0.0)
            # from a's centre to where the strand touches it
            normal = sine * X + side * np.sqrt(1 - sine**2) * Y
            touch_a, touch_b = r_a * normal, pair.geometry.centres[1] + sign * r_b * normal
            along = (touch_a - touch_b) / np.linalg.norm(touch_a - touch_b)
            assert abs(along @ normal) < EXACT
            on_b = pair.world(tension * along)
            at = pair.origin + pair.world(touch_b)
            wrench += np.concatenate([on_b, np.cross(at - pair.b[:3], on_b)])
        _, G, _, _ = full(kernel_of(pair), pair.arguments)
        point, total, separating, normal_force = tooth_force(pair, force)
        ours = -G[0, 6:] * force
        ours += np.concatenate([separating, np.cross(point - pair.b[:3], separating)])
        assert np.allclose(point, centre_b, rtol=0, atol=EXACT)
        assert np.allclose(ours, wrench, rtol=0, atol=1e-11)
        assert np.allclose(total, wrench[:3], rtol=0, atol=1e-11)
        assert np.isclose(normal_force, max(rest + abs(force) / 2, abs(force)))
        for side, parts in enumerate(own_parts(pair, force)):
            turning = force * torque_about_axis(pair, G[0], side)
            assert np.allclose(parts, [turning / (r_a, r_b)[side], np.linalg.norm(separating), 0])


# -- losses


def torque_about_axis(pair: Placed, row: np.ndarray, side: int) -> float:
    """Torque on a wheel about its axis from a constraint's multiplier 1."""
    record, wrench = [pair.a, pair.b][side], -row[6 * side : 6 * side + 6]
    axis = pair.world(pair.geometry.frames[side][:, 2])
    centre = pair.origin + pair.world(pair.geometry.centres[side])
    return float(axis @ (wrench[3:] + np.cross(record[:3] - centre, wrench[:3])))


@pytest.mark.parametrize(
    "name", [name for name, (type, _) in GEOMETRIES.items() if not mesh_class(type).b_is_rack]
)
@pytest.mark.parametrize("driver", ["a", "b"])
def test_rolling_friction_gives_the_efficiency_whichever_wheel_drives(name, driver):
    eta = 0.85
    for pair in states(name, 2):
        _, G, _, _ = full(kernel_of(pair), pair.arguments)
        _, R, _, _ = full(friction(pair.type, False), pair.arguments)
        z_a, z_b = pair.geometry.teeth
        speeds = (2.0 * pair.geometry.senses[0], 2.0 * pair.geometry.senses[1] * z_a / z_b)
        force = 70.0 if driver == "a" else -70.0
        loss = 2 * (1 - eta) / (1 + eta) * abs(force)  # against a positive speed of rolling
        power = [
            speed * (force * torque_about_axis(pair, G[0], side) + loss * torque_about_axis(pair, R[0], side))
            for side, speed in enumerate(speeds)
        ]
        # power of the mesh on the driver is negative: it enters there
        entering, leaving = (-power[0], power[1]) if driver == "a" else (-power[1], power[0])
        assert np.isclose(leaving, eta * entering, rtol=1e-12)
        assert entering > 0


@pytest.mark.parametrize(
    "name", [name for name, (type, _) in GEOMETRIES.items() if every_mesh()[type].slides]
)
def test_sliding_is_that_of_the_material_points_along_the_tooth(name):
    for pair in states(name):
        slip = velocity_at(pair.a, pair.point) - velocity_at(pair.b, pair.point)
        tooth = pair.world(pair.geometry.tooth)
        _, S, _, _ = full(friction(pair.type, True), pair.arguments)
        assert np.isclose(S[0] @ twists(pair), tooth @ slip, rtol=0, atol=EXACT)
        arms = [np.cross(pair.point - record[:3], tooth) for record in (pair.a, pair.b)]
        assert np.allclose(S[0], np.concatenate([tooth, arms[0], -tooth, -arms[1]]), rtol=0, atol=EXACT)


def worm_torques(lead_angle: float, mu: float, direction: float) -> tuple[float, float, float]:
    """Torques of the mesh on worm and wheel, and the ratio of their speeds, for F_t = 1 with the teeth sliding."""
    rng = np.random.default_rng(0)
    pair = placed("worm", rng)
    pair.geometry = worm(lead_angle)
    pair.a, pair.b = (wheel_record(pair, side, 0.4) for side in (0, 1))
    _, G, _, _ = full(kernel_of(pair), pair.arguments)
    _, S, _, _ = full(friction("worm", True), pair.arguments)
    normal = tooth_force(pair, 1.0)[3]
    z_a, z_b = pair.geometry.teeth
    # sliding speed when the worm turns at +1: a row's rate with both wheels turning in the carrier
    slide = mu * normal * direction
    torques = [
        torque_about_axis(pair, G[0], side) + slide * torque_about_axis(pair, S[0], side) for side in (0, 1)
    ]
    return torques[0], torques[1], pair.geometry.senses[1] * z_a / z_b


@pytest.mark.parametrize("lead_angle", [0.05, 0.2, 0.6])
def test_efficiency_of_a_worm(lead_angle):
    """eta = tan(gamma)/tan(gamma + rho') when the worm drives, tan(gamma - rho')/tan(gamma) when the wheel does;
    tan(rho') = mu/cos(alpha_n)."""
    mu = 0.04
    rho = np.arctan(mu / np.cos(ALPHA))
    on_worm, on_wheel, ratio = worm_torques(lead_angle, mu, +1.0)
    assert np.isclose(on_wheel * ratio / -on_worm, np.tan(lead_angle) / np.tan(lead_angle + rho), rtol=1e-12)
    # the wheel drives: the same flank and turning, but power comes out of the worm; friction the other way
    on_worm, on_wheel, ratio = worm_torques(lead_angle, mu, -1.0)
    backward = on_worm / -(on_wheel * ratio)
    assert np.isclose(backward, np.tan(lead_angle - rho) / np.tan(lead_angle), rtol=1e-12)
    assert (backward > 0) == (lead_angle > rho)


def test_a_steep_friction_locks_the_worm():
    """With gamma < rho' friction at its limit more than balances what the load on the wheel does to the worm."""
    mu, gamma = 0.1, 0.05
    free, _, _ = worm_torques(gamma, 0.0, 0.0)
    held, _, _ = worm_torques(gamma, mu, -1.0)
    assert free < 0 < held


# -- which equations


@pytest.mark.parametrize("type", [type for type in every_mesh() if not mesh_class(type).has_links])
def test_every_type_has_a_closed_geometry(type):
    """But for those that do not roll on each other in a constant ratio: chains have tests of their own."""
    known = {one for one, _ in GEOMETRIES.values()}
    assert type in known, (
        f"give one for `{type}` in `GEOMETRIES` of its file in tests/elements, see CONTRIBUTING.md"
    )


def test_variants():
    assert not mesh_equations("external").helical
    assert mesh_equations("external:helical").helical
    assert mesh_equations("rack:height").row_names == ("mesh", "height")
    for mesh in every_mesh().values():
        assert mesh.extras[-2:] == ("pitch", "phase")
        assert len(set(mesh.extras)) == len(mesh.extras)


def test_crossed_wheels_become_helical_wheels_as_the_axes_become_parallel():
    """The rows differ in proportion to the angle between the axes."""
    rng = np.random.default_rng(8)
    helical = placed("external, right-handed", rng)
    beta = helical.geometry.angles["beta"]
    pair = placed("crossed at 90 deg", rng)
    for name in ("markers", "carrier", "origin"):
        setattr(pair, name, getattr(helical, name))
    differences = []
    for small in (1e-2, 1e-3):
        pair.geometry = crossed(beta, small - beta, (17, 43))
        radii = pair.geometry.extras["r_a"] + pair.geometry.extras["r_b"]
        for side, centre in enumerate((0 * X, radii * X)):
            pair.geometry.centres[side][:] = centre
            for each in (helical, pair):
                setattr(each, "ab"[side], wheel_record(each, side, 0.3))
        _, G, _, _ = full(kernel_of(helical), helical.arguments)
        _, C, _, _ = full(kernel_of(pair), pair.arguments)
        differences.append(np.max(np.abs(G[0] - C[0])))
    assert np.isclose(differences[0] / differences[1], 10, rtol=0.05)
    assert differences[1] < 0.01
