"""Linear equations about rolling: discs and sleighs in closed form, a published bicycle, differences of runs."""

import numpy as np
import pytest
from scipy.linalg import expm

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.kinks import OperatingPointWarning
from wheelwork.engine.engine import RunOptions

G, M, R = 9.80665, 2.0, 0.3
FINE = {"rtol": 1e-11, "atol": 1e-13}


def disc(theta: float, spin: float, W: float, A: float, C: float) -> ww.Mechanism:
    """Its axle, z of its body, leans by theta from the vertical, about x; it turns at W about the vertical and at
    `spin` about its axle."""
    axle = np.array([0, -np.sin(theta), np.cos(theta)])
    up = (np.array([0, 0, 1]) - np.cos(theta) * axle) / np.sin(theta)
    m = ww.Mechanism("disc", parameters={"push": 0.0})
    m.add(
        "disc",
        ww.Body(
            mass=M,
            inertia=(A, A, C),
            position=(0, 0, R * np.sin(theta)),
            orientation={"axis": (1, 0, 0), "angle": theta},
            angular_velocity=tuple(spin * axle + W * np.sin(theta) * up),
        ),
    )
    m.add(
        "rolls",
        ww.RollingWheel(
            bodies=("ground", "disc"), point=(0, 0, R * np.sin(theta)), axis=tuple(axle), radius=R
        ),
    )
    return m


@pytest.mark.parametrize(("shape", "critical"), [("disc", 1 / 3), ("hoop", 1 / 4)])
@pytest.mark.parametrize("times", [0.7, 0.9999, 1.0001, 1.5])
def test_a_wheel_rolls_upright_from_a_speed_on(shape, critical, times):
    """lambda^2 = (m g r - C (C + m r^2) w^2/A)/(A + m r^2): stable from w^2 = g/3r (disc), g/4r (hoop) on; the other
    eigenvalues are the two ways, heading, and way and turn of rolling, with the rates of the last two: zeros."""
    A, C = (M * R**2 / 4, M * R**2 / 2) if shape == "disc" else (M * R**2 / 2, M * R**2)
    spin = times * np.sqrt(critical * G / R)
    linear = disc(np.pi / 2, spin, 0, A, C).linearise()
    square = (M * G * R - C * (C + M * R**2) * spin**2 / A) / (A + M * R**2)
    assert linear.states == ("way.1", "way.2")
    found = linear.eigenvalues
    np.testing.assert_allclose(found[:6], 0, atol=1e-12)
    np.testing.assert_allclose(found[6:] ** 2, square, rtol=1e-6)
    assert linear.stable == (times > 1)


@pytest.mark.parametrize("theta", [65, 80, 110])
def test_a_disc_on_a_circle_nods(theta):
    """(A + m r^2) theta'' = A W^2 s c - (C + m r^2) w W s - m g r c, A (W s)' = C w theta' - A W theta' c, and
    (C + m r^2) w' = m r^2 theta' W s (O'Reilly 1996), linearised by hand about the steady circle; and the place of its
    circle, which the frame that goes round with it sees turn at -W."""
    A, C, W, I = M * R**2 / 4, M * R**2 / 2, 4.0, M * R**2
    s, c = np.sin(np.radians(theta)), np.cos(np.radians(theta))
    spin = (A * W**2 * s * c - M * G * R * c) / ((C + I) * W * s)
    by_theta = A * W**2 * (c**2 - s**2) - (C + I) * spin * W * c + M * G * R * s
    by_W, by_spin = 2 * A * W * s * c - (C + I) * spin * s, -(C + I) * W * s
    square = by_theta + by_W * (C * spin - 2 * A * W * c) / (A * s) + by_spin * I * W * s / (C + I)
    m = disc(np.radians(theta), spin, W, A, C)
    found = m.linearise().eigenvalues
    expected = [0] * 4 + [square / (A + I)] * 2 + [-(W**2)] * 2
    np.testing.assert_allclose(np.sort(np.real(found**2)), np.sort(expected), rtol=1e-8, atol=1e-9)
    assert len(m.modes()) == 3


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_a_sleigh_keeps_straight_with_its_weight_ahead(kind):
    """(J + m a^2) w' = -m a v w: one eigenvalue -m a v/(J + m a^2), and it grows where the weight is behind."""
    for a in (0.2, -0.2):
        m = ww.Mechanism("sleigh", kind=kind, gravity=(0, 0) if kind == "planar" else (0, 0, -G))
        if kind == "planar":
            m.add("sleigh", ww.Body(mass=M, inertia=0.05, position=(a, 0), velocity=(1.5, 0)))
        else:
            m.add(
                "sleigh",
                ww.Body(mass=M, inertia=(0.1, 0.1, 0.05), position=(a, 0, 0.1), velocity=(1.5, 0, 0)),
            )
            m.add("ice", ww.Planar(bodies=("ground", "sleigh"), point=(0, 0, 0), axis=(0, 0, 1)))
        zero, ahead = ((0, 0), (1, 0)) if kind == "planar" else ((0, 0, 0), (1, 0, 0))
        m.add("blade", ww.KnifeEdge(bodies=("ground", "sleigh"), point=zero, axis=ahead))
        linear = m.linearise()
        *rest, last = linear.eigenvalues
        assert last == pytest.approx(-M * a * 1.5 / (0.05 + M * a**2), rel=1e-9)
        np.testing.assert_allclose(rest, 0, atol=1e-12)
        assert linear.stable == (a > 0)


def bicycle(v: float) -> ww.Mechanism:
    """The benchmark of Meijaard, Papadopoulos, Ruina and Schwab (2007), table 1, with z up. Their numbers are those of
    the file data/bicycles/Benchmark/Parameters/BenchmarkBenchmark.txt of github.com/moorepants/BicycleParameters (which
    has z down: xz products with the other sign), and of Exudyn's bicycleIftommBenchmark.py."""
    m = ww.Mechanism("bicycle", gravity=(0, 0, -9.81), parameters={"push": 0.0})
    ahead = {"velocity": (v, 0, 0)}
    rear, front = (0, 0, 0.3), (1.02, 0, 0.35)
    tilt = np.pi / 10

    def wheel(name, mass, across, about, radius, centre):
        turning = (0, v / radius, 0)
        inertia = (across, about, across)
        m.add(name, ww.Body(mass=mass, inertia=inertia, position=centre, angular_velocity=turning, **ahead))
        m.add(
            f"{name}_rolls",
            ww.RollingWheel(bodies=("ground", name), point=centre, axis=(0, 1, 0), radius=radius),
        )

    wheel("rear", 2, 0.0603, 0.12, 0.3, rear)
    wheel("front", 3, 0.1405, 0.28, 0.35, front)
    frame = {"inertia": [[9.2, 0, -2.4], [0, 11, 0], [-2.4, 0, 2.8]], "position": (0.3, 0, 0.9)}
    fork = {
        "inertia": [[0.05892, 0, 0.00756], [0, 0.06, 0], [0.00756, 0, 0.00708]],
        "position": (0.9, 0, 0.7),
    }
    m.add("frame", ww.Body(mass=85, **frame, **ahead))
    m.add("fork", ww.Body(mass=4, **fork, **ahead))
    m.add("rear_hub", ww.Revolute(bodies=("frame", "rear"), point=rear, axis=(0, 1, 0)))
    m.add("front_hub", ww.Revolute(bodies=("fork", "front"), point=front, axis=(0, 1, 0)))
    axis = (-np.sin(tilt), 0, np.cos(tilt))
    m.add("head", ww.Revolute(bodies=("frame", "fork"), point=(1.10, 0, 0), axis=axis))
    m.add("steering", ww.Actuator(joint="head", value="push"))
    return m


WEAVE = {
    1: 3.52696170990070 + 0.80774027519930j,
    2: 2.68234517512745 + 1.68066296590675j,
    3: 1.70675605663975 + 2.31582447384325j,
    4: 0.41325331521125 + 3.07910818603206j,
    5: -0.77534188219585 + 4.46486771378823j,
    6: -1.52644486584142 + 5.87673060598709j,
    7: -2.13875644258362 + 7.19525913329805j,
    8: -2.69348683581097 + 8.46037971396931j,
    9: -3.21675402252485 + 9.69377351531791j,
    10: -3.72016840437287 + 10.90681139476287j,
}
CAPSIZE_AND_CASTERING = {
    1: (-3.13423125066578, -7.11008014637442),
    2: (-3.07158645641514, -8.67387984831735),
    3: (-2.63366137253667, -10.35101467245920),
    4: (-1.42944427361326, -12.15861426576450),
    5: (-0.32286642900409, -14.07838969279820),
    6: (-0.00406690076970, -16.08537123098030),
    7: (0.10268170574766, -18.15788466125262),
    8: (0.14327879765713, -20.27940894394569),
    9: (0.15790184030917, -22.43788559040858),
    10: (0.16105338653172, -24.62459635017404),
}
BENCHMARK = {0: (3.13164324790656, -3.13164324790656, 5.53094371765393, -5.53094371765393)} | {
    v: (WEAVE[v], WEAVE[v].conjugate(), *CAPSIZE_AND_CASTERING[v]) for v in WEAVE
}
"""Eigenvalues, 1/s, of table 2 there, by speed, m/s, as D. L. Peterson copied them from the paper into the test of his
model of a bicycle (2011: "every eigenvalue they published in Table 2 ... is hand coded as written in that paper")."""
DOUBLE, WEAVE_SPEED, CAPSIZE_SPEED = 0.68428307889246, 4.29238253634111, 6.02426201538837
"""Speeds, m/s, of table 2 (a): where two eigenvalues are one, weave becomes stable, and capsize unstable."""


@pytest.mark.parametrize("v", BENCHMARK)
def test_the_published_bicycle(v):
    """To ten digits, at rest and at 1 to 10 m/s; what else it has are zeros: place, heading, way and speed."""
    linear = bicycle(v).linearise()
    found = linear.eigenvalues
    for value in BENCHMARK[v]:
        at = np.abs(found - value).argmin()
        assert abs(found[at] - value) < 1e-10 * max(abs(value), 1)
        found = np.delete(found, at)
    np.testing.assert_allclose(np.abs(found), 0, atol=1e-6)


def test_the_published_speeds_of_the_bicycle():
    """Weave is +-3.43503384866144 i at its speed, capsize is zero at its own, and where two eigenvalues are one, they
    are 3.78290405129320: a double root, and so to the root of the rounding only."""
    found = bicycle(WEAVE_SPEED).linearise().eigenvalues
    assert np.abs(found - 3.43503384866144j).min() < 1e-10
    found = bicycle(CAPSIZE_SPEED).linearise().eigenvalues
    assert np.count_nonzero(np.abs(found) < 1e-6) == 7  # six zeros it has at all speeds
    found = bicycle(DOUBLE).linearise().eigenvalues
    assert np.sort(np.abs(found - 3.78290405129320))[:2] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("aside", [-1e-3, 1e-3])
def test_the_published_bicycle_is_stable_between_weave_and_capsize_speed(aside):
    assert bicycle(WEAVE_SPEED + aside).linearise().stable == (aside > 0)
    assert bicycle(CAPSIZE_SPEED + aside).linearise().stable == (aside < 0)


def test_modes_of_the_bicycle_are_those_of_its_eigenvalues():
    found = bicycle(5).modes()
    assert len(found) == 3
    weave = found[-1]
    assert weave.frequency == pytest.approx(4.46486771378823 / 2 / np.pi, rel=1e-9)
    assert weave.growth == pytest.approx(-0.77534188219585, rel=1e-9)
    shape = weave.shape[list(found.bodies).index("frame")]
    assert abs(shape[1]) > 10 * abs(shape[0])  # it goes to the side, through the ways, and not ahead
    assert "path coordinates of rolling bodies" in str(found)
    assert found.dataset["frequency"].size == 3


def test_small_motions_grow_as_differences_of_runs():
    """The linear flow exp(A t) of the bicycle at 5 m/s against two runs that differ by a small lean rate."""
    at = bicycle(5).assemble()
    linear = bicycle(5).linearise(at=at)
    program, engine = at.prepared.program, at.prepared.engine
    rng = np.random.default_rng(3)
    n, size, span = len(linear.K), len(linear.A), 0.4
    state = rng.normal(size=size) * 1e-5
    moved = np.hstack([linear.basis, linear.ways]) @ state[np.r_[:n, 2 * n : size]]
    faster = linear.basis @ state[n : 2 * n]
    faster += np.hstack([linear.speeds, linear.way_speeds]) @ state[np.r_[:n, 2 * n : size]]
    ends = []
    options = RunOptions(end=span, **FINE)
    for sign in (1, -1):
        y = program.displaced(at.state, sign * moved)
        y[program.nq : program.nq + program.nv] += sign * faster
        y, _ = engine.project(0.0, y, 1e-13, 5)
        ends.append(engine.integrate(y, np.array([span]), options).final_state)
    velocities = slice(program.nq, program.nq + program.nv)
    then = expm(linear.A * span) @ state
    expected = linear.basis @ then[n : 2 * n]
    expected += np.hstack([linear.speeds, linear.way_speeds]) @ then[np.r_[:n, 2 * n : size]]
    found = (ends[0] - ends[1])[velocities] / 2
    np.testing.assert_allclose(found, expected, atol=2e-4 * np.abs(expected).max())


def test_the_answer_to_a_steering_torque_is_that_of_a_run():
    """A small torque that swings at 1 Hz on the bicycle at 5 m/s: amplitude and phase of lean rate and steer angle
    after the transients (slowest exp(-0.32 t)) are those of the frequency response."""
    m = bicycle(5)
    w = 2 * np.pi
    answer = m.frequency_response("push", ["head.angle", "frame.w.x", "rear_rolls.force.across"], [1.0])
    m.forces["steering"].value = f"1e-3*sin({w}*t)"
    r = m.simulate(end=24, output=2400, **FINE)
    late = r.t > 20
    t = np.asarray(r.t)[late]
    fit = np.column_stack([np.sin(w * t), np.cos(w * t), np.ones_like(t), np.exp(-0.32286642900409 * t)])
    for name in ("head.angle", "frame.w.x", "rear_rolls.force.across"):
        a, b, *_ = np.linalg.lstsq(fit, np.asarray(r[name])[late], rcond=None)[0]
        assert (a + 1j * b) / 1e-3 == pytest.approx(complex(answer[name][0]), rel=2e-3)


def test_what_is_not_steady_is_refused_with_the_number():
    """A wheel that is falling, and one whose inertia differs about two axes, though its motion is even."""
    with pytest.raises(ww.ModelError, match=r"rolls: .* is not steady: they change by [\d.e+]+ % while"):
        disc(np.radians(80), 0.0, 1.0, M * R**2 / 4, M * R**2 / 2).linearise()
    m = disc(np.pi / 2, 8.0, 0, M * R**2 / 4, M * R**2 / 2)
    m.bodies["disc"].inertia = (0.04, 0.05, 0.09)
    with pytest.raises(ww.ModelError, match="is not steady"):
        m.modes()


def test_a_blade_that_spins_on_the_spot_is_steady_as_seen_from_itself():
    """Its centre of mass above the blade: nothing accelerates, and every frame fits the accelerations; that of the
    body has constant coefficients. A place beside it is seen to turn from there: zeros and +-W i."""
    m = ww.Mechanism("spinning", kind="planar", gravity=(0, 0))
    m.add("sleigh", ww.Body(mass=M, inertia=0.05, angular_velocity=3))
    m.add("blade", ww.KnifeEdge(bodies=("ground", "sleigh"), point=(0, 0), axis=(1, 0)))
    values = m.linearise().eigenvalues
    np.testing.assert_allclose(np.sort(np.abs(values)), [0, 0, 0, 3, 3], atol=1e-9)
    np.testing.assert_allclose(np.real(values), 0, atol=1e-9)


def on_a_circle(theta=65.0, W=4.0) -> ww.Mechanism:
    A, C, theta = M * R**2 / 4, M * R**2 / 2, np.radians(theta)
    spin = (A * W**2 - M * G * R / np.sin(theta)) * np.cos(theta) / ((C + M * R**2) * W)
    return disc(theta, spin, W, A, C)


def test_a_disc_on_a_circle_answers_as_a_run_does():
    """A small torque about the vertical, which does not turn with the disc: amplitude and phase of what does not turn
    either are those of a run, from which the free motions are fitted off: nodding, and constants with their growth."""
    m = on_a_circle()
    m.add("twist", ww.Torque(body="disc", value=(0, 0, "push")))
    linear = m.linearise()
    np.testing.assert_allclose(linear.turning, [(0, 0, 4)], atol=1e-9)
    nodding, _ = np.unique(np.imag(linear.eigenvalues).round(6))[
        -2:
    ]  # the other is +-W i of what stays in place
    w = 1.7 * nodding
    names = ["disc.w.z", "rolls.force.normal", "rolls.force.across", "rolls.force.along"]
    answer = m.frequency_response("push", names, [w / 2 / np.pi])
    m.forces["twist"].value = (0, 0, f"1e-5*sin({w}*t)")
    r = m.simulate(end=6, output=1200, **FINE)
    t = np.asarray(r.t)
    fit = np.column_stack(
        [np.sin(w * t), np.cos(w * t), np.sin(nodding * t), np.cos(nodding * t), np.ones_like(t), t]
    )
    for name in names:
        a, b, *_ = np.linalg.lstsq(fit, np.asarray(r[name]), rcond=None)[0]
        assert (a + 1j * b) / 1e-5 == pytest.approx(complex(answer[name][0]), rel=2e-3)


def test_what_turns_against_what_rolls_has_no_constant_answer():
    """Forces and signals along axes of the world, of a disc on a circle; along those of a wheel that rolls straight."""
    m = on_a_circle()
    m.add("wind", ww.Force(body="disc", value=("push", 0, 0)))
    with pytest.raises(
        ww.ModelError, match="force of `push` has no constant direction as seen from axes turning at 4"
    ):
        m.frequency_response("push", ["disc.w.z"], [1.0])
    m = on_a_circle()
    m.add("twist", ww.Torque(body="disc", value=(0, 0, "push")))
    with pytest.raises(
        ww.ModelError, match=r"`disc.w.x` changes by itself as seen from axes turning at 4 rad/s"
    ):
        m.frequency_response("push", ["disc.w.z", "disc.w.x"], [1.0])
    m = disc(np.pi / 2, 8.0, 0, M * R**2 / 4, M * R**2 / 2)
    m.add("thrust", ww.Force(body="disc", value=("push", 0, 0), frame="body"))
    with pytest.raises(ww.ModelError, match="no constant direction as seen from the world"):
        m.frequency_response("push", ["disc.w.z"], [1.0])


def test_the_geared_tricycle_on_its_circle_goes_on():
    """Its steering is driven, so that its one freedom of speed is cyclic: zeros, and what stays in place turns at the
    speed of the circle. The spider gears make its cage no body of revolution, which is said; here they are light."""
    m = ww.load(examples.path("geared-tricycle"))
    with pytest.warns(
        OperatingPointWarning, match=r"change by 0\.\d+ % while the fastest body turns by 1 rad"
    ):
        m.modes(settle=20)
    for name in ("spider", "balance"):
        m.bodies[name].density = 1.0
    linear = m.modes(settle=20).linear
    speed = linear.at["frame.w.z"].item()
    np.testing.assert_allclose(linear.turning, np.tile((0, 0, speed), (11, 1)), atol=1e-5 * speed)
    sizes = np.abs(linear.eigenvalues)
    np.testing.assert_allclose(sizes, [0] * 5 + [speed] * 2, atol=2e-3 * speed)


def test_a_ball_in_the_middle_of_a_turntable():
    """Pushed, it goes in circles at 2/7 of the table's speed (Earnshaw 1844): +-2/7 W i beside zeros."""
    m = ww.Mechanism("turntable")
    m.add("table", ww.Body(mass=5, inertia=(1, 1, 2), position=(0, 0, -0.1)))
    m.add("axis", ww.Revolute(bodies=("ground", "table"), point=(0, 0, 0), axis=(0, 0, 1)))
    m.add("turns", ww.JointDriver(joint="axis", value="7*t"))
    J = 0.4 * M * 0.05**2
    m.add("ball", ww.Body(mass=M, inertia=(J, J, J), position=(0, 0, 0.05)))
    m.add("rolls", ww.RollingBall(bodies=("table", "ball"), point=(0, 0, 0.05), radius=0.05))
    np.testing.assert_allclose(np.abs(m.linearise().eigenvalues), [0] * 6 + [2, 2], atol=1e-9)
