"""What rolls and what cuts: closed forms of discs, hoops, balls and sleighs; counts of freedoms; what is refused."""

import numpy as np
import pytest
from pages import ran

import wheelwork as ww

G, M, R = 9.80665, 2.0, 0.3
FORMULATIONS = ["absolute", "reduced"]
FINE = {"rtol": 1e-10, "atol": 1e-12}


def tilted(theta: float) -> dict:
    """A wheel whose axle, z of its body, leans by an angle from the vertical, about x; it touches at z = 0."""
    return {
        "position": (0, 0, R * np.sin(theta)),
        "orientation": {"axis": (1, 0, 0), "angle": theta},
    }


def axle(theta: float) -> np.ndarray:
    return np.array([0, -np.sin(theta), np.cos(theta)])


def disc(theta: float, w: np.ndarray, A: float, C: float, **options) -> ww.Mechanism:
    m = ww.Mechanism("disc")
    m.add("disc", ww.Body(mass=M, inertia=(A, A, C), angular_velocity=tuple(w), **tilted(theta)))
    place = {"point": (0, 0, R * np.sin(theta)), "axis": tuple(axle(theta))}
    m.add("rolls", ww.RollingWheel(bodies=("ground", "disc"), radius=R, **place, **options))
    return m


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_disc_precesses_steadily(formulation):
    """A W^2 sin cos - (C + m r^2) w W sin = m g r cos of its angle to the vertical (Routh), W about the vertical and w
    about its axle: moments about the centre, with the force that its circle and weight need at the contact."""
    A, C, theta, W = M * R**2 / 4, M * R**2 / 2, np.radians(65), 4.0
    s, c = np.sin(theta), np.cos(theta)
    spin = (A * W**2 * s * c - M * G * R * c) / ((C + M * R**2) * W * s)
    up = (np.array([0, 0, 1]) - c * axle(theta)) / s
    r = disc(theta, spin * axle(theta) + W * s * up, A, C).simulate(
        end=2, formulation=formulation, output=40, **FINE
    )
    np.testing.assert_allclose(
        r["disc.position.z"], R * s, atol=1e-8
    )  # grows from the tolerance: it is hardly stable
    speed = np.linalg.norm(r["disc.velocity"], axis=1)
    np.testing.assert_allclose(speed, R * abs(spin), rtol=1e-7)
    np.testing.assert_allclose(r["rolls.force.normal"], M * G, rtol=1e-6)
    force = M * R * abs(spin) * W  # towards the middle of its circle
    np.testing.assert_allclose(np.abs(r["rolls.force.across"]), force, rtol=1e-6)
    np.testing.assert_allclose(r["rolls.friction_used"], force / M / G, rtol=1e-6)
    energy = r["energy.total"].to_numpy()
    assert np.ptp(energy) < 1e-8 * energy[0]


@pytest.mark.parametrize(("shape", "critical"), [("disc", 1 / 3), ("hoop", 1 / 4)])
@pytest.mark.parametrize("times", [0.7, 1.5])
def test_an_upright_wheel_is_stable_from_a_speed_on(shape, critical, times):
    """(A + m r^2) x'' + (C (C + m r^2) w^2/A - m g r) x = constant for a small lean x: a disc is stable from
    v^2 = g r/3 on, a hoop from g r/4."""
    A, C = (M * R**2 / 4, M * R**2 / 2) if shape == "disc" else (M * R**2 / 2, M * R**2)
    spin = times * np.sqrt(critical * G / R)
    lean, theta = 1e-4, np.pi / 2 - 1e-4
    w = spin * axle(theta)
    r = disc(theta, w, A, C).simulate(end=1, output=50, **FINE)
    k = (C * (C + M * R**2) * spin**2 / A - M * G * R) / (A + M * R**2)
    assert (k > 0) == (times > 1)
    about = C * (C + M * R**2) * spin**2 / A / (A + M * R**2) * lean / k  # it does not steer at first
    expected = about + (lean - about) * np.cos(np.emath.sqrt(k) * r.t).real
    found = np.array([np.arcsin((rotation @ [0, 0, 1])[2]) for rotation in r.motion.R[:, 0]])
    np.testing.assert_allclose(
        found, expected, rtol=0, atol=1e-6 * np.abs(expected).max() + np.abs(expected).max() ** 3
    )


@pytest.mark.parametrize("edge", [0.0, 0.1, R])
def test_energy_is_kept_and_an_edge_as_round_as_the_wheel_is_a_ball(edge):
    theta, w = np.radians(60), (0.4, 0.3, 6)
    J = 0.4 * M * R**2
    z = (R - edge) * np.sin(theta) + edge
    m = ww.Mechanism("disc")
    orientation = {"axis": (1, 0, 0), "angle": theta}
    m.add(
        "disc",
        ww.Body(mass=M, inertia=(J, J, J), position=(0, 0, z), orientation=orientation, angular_velocity=w),
    )
    place = {"bodies": ("ground", "disc"), "point": (0, 0, z), "radius": R}
    m.add("rolls", ww.RollingWheel(axis=tuple(axle(theta)), edge_radius=edge, **place))
    runs = [m.simulate(end=1, output=20, formulation=f, **FINE) for f in FORMULATIONS]
    for r in runs:
        assert np.ptp(r["energy.total"].to_numpy()) < 1e-8 * r["energy.total"][0]
        assert r["rolls.residual"].max() < 1e-10
        below = r["rolls.contact.position"].to_numpy()
        np.testing.assert_allclose(below[:, 2], 0, atol=1e-10)
    np.testing.assert_allclose(runs[0]["disc.position"], runs[1]["disc.position"], atol=1e-8)
    if edge == R:
        m.joints["rolls"] = ww.RollingBall(**place)
        np.testing.assert_allclose(
            m.simulate(end=1, output=20, **FINE)["disc.position"], runs[0]["disc.position"], atol=1e-8
        )
    else:
        assert np.ptp(runs[0]["disc.position.z"].to_numpy()) > 0.01


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_ball_on_a_turntable_goes_in_circles(formulation):
    """Its velocity turns at 2/7 of the table's speed, whatever it is (Earnshaw 1844, for a solid ball)."""
    m = ww.Mechanism("turntable")
    m.add("table", ww.Body(mass=5, inertia=(1, 1, 2), position=(0, 0, -0.1)))
    m.add("axis", ww.Revolute(bodies=("ground", "table"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("turns", ww.JointDriver(joint="axis", value="7*t"))
    J = 0.4 * M * 0.05**2
    m.add("ball", ww.Body(mass=M, inertia=(J, J, J), position=(0.3, 0, 0.05), velocity=(0.2, 0.1, 0)))
    m.add("rolls", ww.RollingBall(bodies=("table", "ball"), point=(0.3, 0, 0.05), radius=0.05))
    r = m.simulate(end=2, output=40, formulation=formulation, **FINE)
    turned = (0.2 + 0.1j) * np.exp(2j * r.t)
    v = r["ball.velocity"].to_numpy()
    np.testing.assert_allclose(v[:, 0] + 1j * v[:, 1], turned, atol=1e-8)
    np.testing.assert_allclose(
        np.hypot(r["rolls.force.x"], r["rolls.force.y"]), M * 2 * abs(turned), rtol=1e-6
    )
    balance = r.energy_balance()  # the driver gives and takes what the ball takes and gives
    assert np.max(np.abs(balance.remainder)) < 1e-6 * balance.scale


def test_a_ball_rolls_down_as_one_on_a_contact_that_sticks():
    """5/7 of what it would slide with."""
    slope = {"gravity": (G * np.sin(0.2), 0, -G * np.cos(0.2))}
    J, speeds = 0.4 * M * 0.05**2, []
    for kind in ("rolls", "sticks"):
        m = ww.Mechanism("slope", **slope)
        m.add("ball", ww.Body(mass=M, inertia=(J, J, J), position=(0, 0, 0.05)))
        if kind == "rolls":
            m.add("road", ww.RollingBall(bodies=("ground", "ball"), point=(0, 0, 0.05), radius=0.05))
        else:
            law = ww.Compliant(
                stiffness=1e6, damping=1e3, friction=0.5, stick_stiffness=1e6, stick_damping=1e3
            )
            sides = {
                "a": ww.ContactSphere(body="ball", radius=0.05),
                "b": ww.ContactPlane(),
            }
            m.add("road", ww.Contact(**sides, law=law))
        speeds.append(m.simulate(end=0.5, output=50)["ball.velocity.x"].to_numpy())
    t = np.linspace(0, 0.5, 51)
    np.testing.assert_allclose(speeds[0], 5 / 7 * G * np.sin(0.2) * t, rtol=1e-9)
    np.testing.assert_allclose(speeds[1], speeds[0], atol=2e-3)


# -- knife edges


def sleigh(kind: str) -> ww.Mechanism:
    """Chaplygin's: its centre of mass is ahead of the blade by 0.2 m; it turns at 3 rad/s."""
    m = ww.Mechanism("sleigh", kind=kind, gravity=(0, 0) if kind == "planar" else (0, 0, -G))
    if kind == "planar":
        m.add(
            "sleigh", ww.Body(mass=M, inertia=0.05, position=(0.2, 0), velocity=(0, 0.6), angular_velocity=3)
        )
        m.add("blade", ww.KnifeEdge(bodies=("ground", "sleigh"), point=(0, 0), axis=(1, 0)))
        return m
    m.add(
        "sleigh",
        ww.Body(mass=M, inertia=(0.1, 0.1, 0.05), position=(0.2, 0, 0.1), angular_velocity=(0, 0, 3)),
    )
    m.add("ice", ww.Planar(bodies=("ground", "sleigh"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("blade", ww.KnifeEdge(bodies=("ground", "sleigh"), point=(0, 0, 0), axis=(1, 0, 0)))
    return m


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_chaplygins_sleigh_runs_straight_in_the_end(kind, formulation):
    """v' = a w^2 and (J + m a^2) w' = -m a v w: v = (a W/k) tanh(k W t), w = W/cosh(k W t), k^2 = m a^2/(J + m a^2)."""
    a, W = 0.2, 3.0
    k = np.sqrt(M * a**2 / (0.05 + M * a**2))
    r = sleigh(kind).simulate(end=3, output=60, formulation=formulation, **FINE)
    w = r["sleigh.w"].to_numpy() if kind == "planar" else r["sleigh.w.z"].to_numpy()
    np.testing.assert_allclose(w, W / np.cosh(k * W * r.t), atol=1e-8)
    angle = np.concatenate([[0], np.cumsum((w[1:] + w[:-1]) / 2 * np.diff(r.t))])
    forward = a * W / k * np.tanh(k * W * r.t)
    heading = (
        r["sleigh.angle"].to_numpy()
        if kind == "planar"
        else 2 * np.arctan2(*r["sleigh.orientation"].to_numpy()[:, [3, 0]].T)
    )
    np.testing.assert_allclose(heading, angle, atol=5e-3)  # the trapezoidal rule
    v = r["sleigh.velocity"].to_numpy()
    np.testing.assert_allclose(v[:, 0] * np.cos(heading) + v[:, 1] * np.sin(heading), forward, atol=1e-8)
    # across the blade: the centre of mass is accelerated by a w' + v w
    across = M * (-M * a * forward * w / (0.05 + M * a**2) * a + forward * w)
    np.testing.assert_allclose(r["blade.force"], across, atol=1e-6)


# -- counts, vehicles, other analyses


def axle_with_wheels(side_slip: bool, **loose) -> ww.Mechanism:
    """Two wheels fast on an axle, with a weight off its middle."""
    m = ww.Mechanism("axle")
    m.add(
        "axle",
        ww.Body(mass=M, inertia=(0.3, 0.1, 0.3), position=(0, 0, R), center_of_mass=(0, 0, -0.1), **loose),
    )
    for name, y in (("left", 0.4), ("right", -0.4)):
        slip = side_slip and name == "right"
        m.add(
            name,
            ww.RollingWheel(
                bodies=("ground", "axle"), point=(0, y, R), axis=(0, 1, 0), radius=R, side_slip=slip
            ),
        )
    return m


@pytest.mark.parametrize("side_slip", [True, False])
def test_freedoms_of_speeds_and_of_positions_are_told_apart(side_slip):
    """The axle is at a height and level; it rolls and cannot turn, as its wheels are fast, nor go sideways."""
    found = axle_with_wheels(side_slip).check()
    assert found.freedoms_by_rank == 1
    assert found.position_freedoms == 4
    assert found.redundant == ([] if side_slip else ["right.across"])
    assert "4 of positions" in str(found)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("side_slip", [True, False])
def test_an_unbalanced_axle_rocks(side_slip, formulation):
    """At rest w^2 = m g e/(J + m (r - e)^2), by modes and in a run; wheels that say the same share their load."""
    m = axle_with_wheels(side_slip)
    w = np.sqrt(M * G * 0.1 / (0.1 + M * (R - 0.1) ** 2))
    assert m.linearise().frequencies == pytest.approx([w / 2 / np.pi], rel=1e-9)
    m = axle_with_wheels(side_slip, angular_velocity=(0, 1e-3, 0))
    r = m.simulate(end=1, output=20, formulation=formulation, **FINE)
    np.testing.assert_allclose(r["axle.w.y"], 1e-3 * np.cos(w * r.t), atol=1e-8)
    np.testing.assert_allclose(r["left.force.normal"], M * G / 2, rtol=1e-4)
    np.testing.assert_allclose(r["right.force.normal"], r["left.force.normal"], rtol=1e-6)


def test_an_equilibrium_is_where_the_weight_is_below():
    m = axle_with_wheels(True)
    m.bodies["axle"].orientation = ww.Orientation(axis=(0, 1, 0), angle=0.7)
    at = m.equilibrium()
    assert at["axle.position.x"] == pytest.approx(-0.7 * R, abs=1e-8)  # it has rolled back to there
    assert at["left.force.normal"] == pytest.approx(M * G / 2, rel=1e-8)


@pytest.mark.slow
def test_a_wheel_that_falls_flat_has_no_equilibrium():
    """Upright it is none that it would stay in, and on its side there is no direction to roll in; it used to be looked
    for without end."""
    with pytest.raises(
        ww.ModelError, match=r"no equilibrium was found: the mechanism falls for .* cannot continue"
    ):
        disc(np.pi / 2, np.zeros(3), M * R**2 / 4, M * R**2 / 2).equilibrium()


def test_a_wheel_in_the_plane_rolls_by_positions():
    """Down a slope with 2/3 of what it would slide with, and a third of the slope's tangent as friction."""
    m = ww.Mechanism("wheel", kind="planar", gravity=(G * np.sin(0.3), -G * np.cos(0.3)))
    m.add("wheel", ww.Body(mass=M, inertia=M * R**2 / 2, position=(0.5, R), angle=9.0))
    m.add("rolls", ww.RollingWheel(bodies=("ground", "wheel"), point=(0.5, R), radius=R))
    assert m.check().freedoms_by_rank == m.check().position_freedoms == 1
    r = m.simulate(end=1, output=10)
    np.testing.assert_allclose(r["wheel.velocity.x"], 2 / 3 * G * np.sin(0.3) * r.t, rtol=1e-9)
    np.testing.assert_allclose(r["wheel.position.x"] - 0.5, -R * (r["wheel.angle"] - 9.0), atol=1e-9)
    np.testing.assert_allclose(r["rolls.friction_used"], np.tan(0.3) / 3, rtol=1e-9)
    m.add("drive", ww.BodyDriver(body="wheel", coordinate="x", value="0.5 + t^2"))
    np.testing.assert_allclose(m.inverse(end=1, output=10)["wheel.w"], -2 / R * r.t, atol=1e-8)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("kinematics", "the drivers leave 3 degrees of freedom"),
        ("inverse", "the drivers leave 3 degrees of freedom"),
        ("linearise", "is not steady: they change by"),
        ("modes", "is not steady: they change by"),
        ("reduced", "constrains speeds, not positions"),
    ],
)
def test_analyses_that_cannot_have_it_say_so(what, said):
    m = disc(np.radians(80), (0, 0, 1), M * R**2 / 4, M * R**2 / 2)
    with pytest.raises(Exception, match=said):
        getattr(m, what)(**({"end": 1} if what in ("kinematics", "inverse") else {}))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"radius": 0}, "radius: must be greater than zero, but is 0 m"),
        ({"radius": 0.3, "edge_radius": 0.4}, "must be between zero and `radius`, 0.3 m, but is 0.4 m"),
        (
            {"radius": 0.3, "axis": (0, 0, 1), "normal": (0, 0, 2)},
            "is along `normal`: a wheel that lies flat",
        ),
        ({"radius": 0.3, "normal": (0, 0, 0)}, "normal: must not be zero"),
    ],
)
def test_wheels_that_cannot_roll_are_refused(fields, said):
    with pytest.raises(ww.ModelError, match=said):
        ww.RollingWheel(**{"bodies": ("ground", "a"), "point": (0, 0, 0), "axis": (0, 1, 0)} | fields)


def test_wheels_in_the_plane_have_no_edge():
    m = ww.Mechanism("wheel", kind="planar")
    m.add("wheel", ww.Body(mass=1, inertia=1))
    m.add("rolls", ww.RollingWheel(bodies=("ground", "wheel"), point=(0, 0), radius=R, side_slip=True))
    with pytest.raises(ww.ModelError, match="side_slip: is for wheels in space"):
        m.check()


def test_the_page_of_the_guide_runs():
    names = ran("guide/rolling")
    assert (names["found"].freedoms_by_rank, names["found"].position_freedoms) == (3, 5)
    assert names["r"]["edge.friction_used"].max() < 0.5
    assert names["linear"].stable
