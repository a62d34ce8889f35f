"""Chen's wrist in minimal coordinates: his equations (4)-(13) one by one, and a load on a path."""

import numpy as np
import pytest

import wheelwork as ww

from .bundled import model, result

MOTORS = {"motor5": "drive5", "motor6": "drive6", "motor8": "drive8"}
# N(i,j) with theta_j = N(i,j) theta_i about the directions of the joints: teeth, and the sense in which the cones roll
N98, N109, N1110, N411 = -32 / 24, -25 / 20, -24 / 18, -48 / 32
RNG = np.random.default_rng(1)
STATES = [(RNG.normal(size=3), RNG.normal(size=3)) for _ in range(3)]


@pytest.fixture(scope="module")
def wrist():
    return model("bevel-wrist").reduced()


def with_polar_moment(link, axis, factor):
    """The wrist with another moment of inertia of one link about its own axis."""
    m = model("bevel-wrist")
    r = m.reduced()
    k = r.bodies.index(link)
    numbers = r.start.prepared.numbers
    J = np.diag(numbers.inertia[k]).copy()
    J[axis] *= factor
    m.bodies[link] = ww.Body(mass=float(numbers.mass[k]), inertia=tuple(J), position=m.bodies[link].position)
    return m.reduced(), J[axis] * (1 - 1 / factor)


@pytest.mark.slow
def test_unknowns(wrist):
    """11 links, 17 joints: 60 velocities and 57 multipliers, against 3 (the paper's 117 against 3)."""
    velocities, multipliers = wrist.reduction.unknowns
    assert (velocities, multipliers) == (60, 57)
    assert wrist.names == ("z1.angle", "z2.angle", "z3.angle")


def test_displacement_equations(wrist):
    """(3), from the constraints themselves: the same fractions as those of the graph."""
    rows = {
        "motor5": [-48 / 24, 0, 0],
        "motor6": [-40 / 24, -40 / 24 * 48 / 36, 0],
        "z1-7": [1, 48 / 36, 0],
        "motor8": [N98, N109 * N98, N411 * N1110 * N109 * N98],
        "z1-9": [1, N109, N411 * N1110 * N109],
        "z2-10": [0, 1, N411 * N1110],
        "z3-11": [0, 0, N411],
    }
    for joint, row in rows.items():
        assert wrist.row(joint) == pytest.approx(row, rel=1e-12, abs=1e-12), joint


def test_link_8(wrist):
    """(6)-(9): K = J8 (mu1 q1' + mu2 q2' + mu3 q3')^2/2, and nothing but accelerations in its inertia forces."""
    heavier, more = with_polar_moment("link8", 2, 1.5)
    mu = np.array([N98, N109 * N98, N411 * N1110 * N109 * N98])
    for u, v in STATES:
        added = heavier.mass_matrix(u) - wrist.mass_matrix(u)
        assert added == pytest.approx(more * np.outer(mu, mu), rel=1e-9, abs=1e-15)
        assert heavier.coriolis(u, v) == pytest.approx(wrist.coriolis(u, v), abs=1e-15)


def test_link_10(wrist):
    """(10), (11): K = J10 (q2' + mu4 q3')^2/2, since its axis is at a right angle to that of its carrier."""
    heavier, more = with_polar_moment("link10", 0, 1.5)
    mu = np.array([0, 1, N411 * N1110])
    for u, v in STATES:
        added = heavier.mass_matrix(u) - wrist.mass_matrix(u)
        assert added == pytest.approx(more * np.outer(mu, mu), rel=1e-9, abs=1e-15)
        assert heavier.coriolis(u, v) == pytest.approx(wrist.coriolis(u, v), abs=1e-15)


def test_link_11(wrist):
    """(12): J11 (N q3')^2/2 + J11 N q1' q3' cos(q2), besides what it has when carried: J11 (q1' cos(q2))^2/2.

    The inertia forces are those printed after (12), with (N q3' + q1' cos(q2)) J11 the momentum about its axis.
    """
    heavier, more = with_polar_moment("link11", 2, 1.5)
    for u, v in STATES:
        s, c = np.sin(u[1]), np.cos(u[1])
        row = np.array([c, 0, N411])
        added = heavier.mass_matrix(u) - wrist.mass_matrix(u)
        assert added == pytest.approx(more * np.outer(row, row), rel=1e-9, abs=1e-15)
        momentum = more * row @ v
        terms = [
            more * (-s * v[1]) * v[0] * c - s * v[1] * momentum,
            s * v[0] * momentum,
            more * N411 * (-s * v[1] * v[0]),
        ]
        found = heavier.coriolis(u, v) - wrist.coriolis(u, v)
        assert found == pytest.approx(terms, rel=1e-8, abs=1e-14)


def test_structure_matrix(wrist):
    """(13), columns for the motors on 5, 6 and 8."""
    exact = np.array(
        [
            [-2, -5 / 3, N98],
            [0, -20 / 9, N109 * N98],
            [0, 0, N411 * N1110 * N109 * N98],
        ]
    )
    assert wrist.structure_matrix(list(MOTORS)) == pytest.approx(exact, rel=1e-12, abs=1e-12)


# -- on a path


@pytest.mark.slow
def test_joints_follow_the_path():
    r = result("bevel-wrist-path")
    w = np.pi
    for joint, swing, rate in (("z1", 60, w), ("z2", 35, 2 * w), ("z3", 80, w)):
        wanted = np.radians(swing) * np.sin(rate * r.t)
        assert r[f"{joint}.angle"].to_numpy() == pytest.approx(wanted, abs=1e-10)


@pytest.mark.slow
def test_forces_of_the_path_link_by_link():
    r = result("bevel-wrist-path")
    forces = model("bevel-wrist-path").link_forces(r)
    assert all(step.unknowns <= 6 for step in forces.order.steps)
    assert not forces.order.open
    for name in (
        *(f"{d}.torque" for d in MOTORS.values()),
        "link10-link11.force.tangential",
        "z2.reaction.force",
    ):
        exact = r[name].to_numpy()
        assert forces[name].to_numpy() == pytest.approx(exact, abs=1e-9 * np.max(np.abs(exact))), name
    # bevel wheels push each other apart by tan(20 deg) of what they carry, along and across (17)
    F = forces["link10-link11.force.tangential"].to_numpy()
    radial = forces["link10-link11.b.force.radial"].to_numpy()
    axial = forces["link10-link11.b.force.axial"].to_numpy()
    delta = np.arctan2(24, 18)  # pitch cone of link 11
    assert -radial == pytest.approx(np.abs(F) * np.tan(np.radians(20)) * np.cos(delta), rel=1e-9, abs=1e-9)
    assert axial == pytest.approx(np.abs(F) * np.tan(np.radians(20)) * np.sin(delta), rel=1e-9, abs=1e-9)
    assert np.ptp(np.sign(F)) == 2  # both flanks carry on the way


@pytest.mark.slow
def test_torques_of_the_path_from_minimal_coordinates():
    r, m = result("bevel-wrist-path"), model("bevel-wrist-path").reduced()
    path = m.coordinates_of(r)
    S = m.structure_matrix(list(MOTORS))
    for k in range(0, len(r.t), 50):
        torques = np.linalg.solve(S, m.inverse(path.u[k], path.rates[k], path.accelerations[k]))
        exact = [float(r[f"{drive}.torque"][k]) for drive in MOTORS.values()]
        assert torques == pytest.approx(exact, rel=1e-8, abs=1e-9)


@pytest.mark.slow
def test_payload_held_still():
    """At rest with z2 level-headed, the load's weight turns about z3 only by its arm: structure matrix by hand."""
    m = model("bevel-wrist-path").reduced()
    still = np.zeros(3)
    u = np.array([0.0, np.pi / 2, 0.0])  # the gripper points along -y, its own y axis up
    Q = m.inverse(u, still, still)
    moved = m.motion(u)
    g = 9.80665
    masses = m.start.prepared.numbers.mass
    # moment of all weights that hang on z2 (axis x through the origin), and on z3
    on_z2 = ["link3", "link4", "payload", "link11"]
    moment = sum(masses[m.bodies.index(b)] * g * moved.x[m.bodies.index(b)][1] for b in on_z2)
    assert Q[1] == pytest.approx(moment, rel=1e-9)
    assert Q[0] == pytest.approx(0, abs=1e-12)
    assert Q[2] == pytest.approx(0, abs=1e-12)  # the load stands above the axis of the gripper
