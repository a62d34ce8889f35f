"""Small mechanisms against the equations solved densely, CVODE of SUNDIALS, formulas and conservation."""

import numpy as np
import pytest
from sksundae.cvode import CVODE

import wheelwork.description as ww
from wheelwork.engine.engine import EventKind, RunOptions
from wheelwork.engine.outcome import Outcome

from .dense import dense_constraints, dense_solution, dense_system
from .small_models import (
    GRAVITY,
    REDUNDANT,
    SMOOTH,
    assert_same_events,
    bar,
    body,
    bouncing_ball,
    consistent_state,
    double_pendulum,
    energy,
    engine_of,
    four_bar,
    hinge,
    mechanism,
    rotors,
    run,
    slider,
    slider_crank,
    soft_ball,
    spherical_pendulum,
    state_dependent,
    stick_slip,
    tied_twice,
)

# ---- the same as CasADi, NumPy and SUNDIALS say


@pytest.mark.parametrize("name", SMOOTH)
def test_equations_are_those_of_casadi_and_numpy(name):
    engine, t = engine_of(SMOOTH[name]()), 0.1
    for seed in range(3):
        y = consistent_state(engine, seed, t)
        asked = engine.program, engine.numbers, t, y
        for ours, theirs in zip(engine.constraints(t, y), dense_constraints(*asked), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-12 * (1 + np.abs(theirs).max(initial=0)), rtol=0)
        # redundant rows: the regularised factor of S has lost 8 digits, of which iteration brings accelerations back
        # to 1e-11 of the forces but multipliers only along rows that matter
        tolerances = (1e-10, 1e-6) if name in REDUNDANT else (1e-11, 1e-11)
        for a, b, tolerance in zip(
            engine.derivative(t, y)[1:], dense_solution(*asked), tolerances, strict=True
        ):
            np.testing.assert_allclose(a, b, atol=tolerance * (1 + np.abs(b).max(initial=0)), rtol=0)


def test_two_joints_between_the_same_bodies_move_them_as_numpy_says():
    """How the two share the load is open; what they do to the bodies is not."""
    engine = engine_of(tied_twice())
    for seed in range(3):
        y = consistent_state(engine, seed)
        a, multipliers = engine.derivative(0.0, y)[1:]
        M, f, G, _ = dense_system(engine.program, engine.numbers, 0.0, y)
        expected, _ = dense_solution(engine.program, engine.numbers, 0.0, y)
        np.testing.assert_allclose(a, expected, atol=1e-10 * (1 + np.abs(expected).max()), rtol=0)
        np.testing.assert_allclose(M @ a + G.T @ multipliers, f, atol=1e-6 * (1 + np.abs(f).max()), rtol=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["double pendulum", "four-bar", "table driver", "rotors", "in the plane"])
def test_trajectories_are_those_of_cvode(name):
    """CVODE on the dense equations shares nothing with the engine but the kernels."""
    engine, end = engine_of(SMOOTH[name]()), 0.3
    program, numbers = engine.program, engine.numbers
    y = consistent_state(engine, None if name == "table driver" else 1)

    def rates(t, y, yp):
        yp[:] = engine.derivative(t, y)[0]  # x' = v, e' = (0, w) e/2 and turns, which others check
        yp[program.nq : program.nq + program.nv] = dense_solution(program, numbers, t, np.array(y))[0]

    solver = CVODE(rates, method="Adams", rtol=1e-10, atol=1e-12, max_num_steps=100_000)
    exact = solver.solve(np.array([0.0, end]), y)
    assert exact.success
    for options in (
        RunOptions(end=end, rtol=1e-9, atol=1e-11),
        RunOptions(end=end, method="rk4", step=1e-3),
    ):
        found = engine.integrate(y, np.array([end]), options)
        assert found.report.outcome is Outcome.REACHED_END
        # CVODE drifts off the constraints, and the engine is projected onto them
        np.testing.assert_allclose(found.final_state, exact.y[-1], atol=1e-6, rtol=0)


# ---- methods and stabilisations among each other


@pytest.mark.parametrize(
    "options",
    [
        {"stabilisation": "none"},
        {"stabilisation": "baumgarte", "stabilisation_values": (10, 10, 0, 0, 0, 0)},
        {
            "stabilisation": "augmented_lagrangian",
            "stabilisation_values": (0, 0, 1e7, 10, 1, 1e-12),
            "stabilisation_iterations": 10,
        },
    ],
    ids=lambda options: options["stabilisation"],
)
def test_stabilisations_keep_to_the_motion(options):
    engine = engine_of(four_bar())
    found, exact = (run(engine, 0.6, 1, **o) for o in (options, {"rtol": 1e-10, "atol": 1e-12}))
    np.testing.assert_allclose(found.state, exact.state, atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    "make", [double_pendulum, rotors, state_dependent, stick_slip, four_bar, slider_crank]
)
def test_implicit_method_gives_the_motion_of_the_explicit_one(make):
    engine = engine_of(make(), implicit=True)
    found = run(engine, 0.3, method="sdirk4", rtol=1e-8, atol=1e-9)
    exact = run(engine, 0.3, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.state, exact.state, atol=1e-5, rtol=0)
    assert_same_events(found, exact, 1e-6)


@pytest.mark.parametrize(
    "options",
    [{"method": "rk4", "step": 4e-3}, {"method": "sdirk4", "rtol": 1e-7}],
    ids=lambda options: options["method"],
)
@pytest.mark.parametrize(("make", "end"), [(stick_slip, 1.6), (lambda: bouncing_ball(rest_speed=0.1), 1.2)])
def test_events_are_those_of_dopri5(make, end, options):
    engine = engine_of(make(), implicit=True)
    explicit, found = run(engine, end), run(engine, end, **options)
    kinds = [event.kind for event in explicit.events]
    assert kinds == [EventKind.STICK, EventKind.SLIDE] * 2 or kinds[-1] is EventKind.REST
    assert_same_events(explicit, found, 1e-6)
    np.testing.assert_allclose(found.state, explicit.state, atol=1e-5, rtol=0)


def test_compliant_contact_converges():
    coarse, fine = (run(engine_of(soft_ball()), 0.6, rtol=rtol, atol=0.1 * rtol) for rtol in (1e-8, 1e-11))
    np.testing.assert_allclose(coarse.state, fine.state, atol=1e-4, rtol=0)


def test_implicit_method_is_not_held_up_by_stiffness():
    """Two rotors that a stiff damper makes one: w = (1 + (1 - cos t)) / 2. Explicit steps would have to be 1e-5 s."""
    z = (0, 0, 1)
    engine = engine_of(
        mechanism(
            ("r1", ww.Rotor(inertia=1, axis=z, speed=1)),
            ("r2", ww.Rotor(inertia=1, axis=z, position=z)),
            ("coupling", ww.TorsionalSpring(bodies=("r1", "r2"), stiffness=1e6, damping=1e5)),
            ("torque", ww.Actuator(joint="r1.bearing", value="sin(t)")),
        ),
        implicit=True,
    )
    result = run(engine, 1.0, method="sdirk4", rtol=1e-6, atol=1e-8)
    assert result.report.outcome is Outcome.REACHED_END
    assert result.report.steps < 200
    speeds = result.final_state[engine.program.nq + np.array([5, 11])]
    np.testing.assert_allclose(speeds, (2 - np.cos(1)) / 2, atol=1e-5)


def test_a_mechanism_that_locks_names_a_constraint():
    """A two-bar linkage pulled beyond its length."""
    c, s = 0.5, np.sqrt(0.75)
    engine = engine_of(
        mechanism(
            ("one", body((0.5 * c, 0, 0.5 * s))),
            ("two", body((1.5 * c, 0, 0.5 * s))),
            ("h1", hinge("ground", "one", (0, 0, 0))),
            ("h2", hinge("one", "two", (c, 0, s))),
            ("line", ww.PointOnLine(bodies=("ground", "two"), point=(2 * c, 0, 0), axis=(1, 0, 0))),
            ("pull", ww.BodyDriver(body="two", coordinate="x", value="0.75 + t")),
        )
    )
    result = run(engine, 2.0, method="rk4", step=1e-2)
    assert result.report.outcome is Outcome.CONSTRAINTS_LOST
    assert result.report.t == pytest.approx(0.75, abs=0.011)
    assert result.report.worst_residual > 1e-11
    assert result.report.worst_element


# ---- physics


@pytest.mark.parametrize("make", [double_pendulum, spherical_pendulum, four_bar])
def test_energy_is_conserved(make):
    engine = engine_of(make())
    result = run(engine, 1.0, seed=2, rtol=1e-9, atol=1e-11)
    drift = energy(engine, result.state) - energy(engine, result.state[:1])
    # 100 to 200 steps with a local error of 1e-9 of 1 m/s each, at 10 J
    np.testing.assert_allclose(drift, 0, atol=2e-7)


def test_two_four_bars_pass_their_singular_positions():
    """Five links of 1 m and 1 kg, upright at 1 m/s: all lie flat twice in a turn, where the mechanism could branch."""
    upright = {"inertia": (1 / 12, 1 / 12, 1e-3), "velocity": (0.5, 0, 0), "angular_velocity": (0, 1, 0)}
    flat = {"inertia": (1e-3, 1 / 12, 1 / 12), "velocity": (1, 0, 0)}
    description = mechanism(
        *((f"crank{k}", body((k, 0, 0.5), **upright)) for k in range(3)),
        *((f"rod{k}", body((k + 0.5, 0, 1), **flat)) for k in range(2)),
        *((f"foot{k}", hinge("ground", f"crank{k}", (k, 0, 0))) for k in range(3)),
        *((f"left{k}", hinge(f"crank{k}", f"rod{k}", (k, 0, 1))) for k in range(2)),
        *((f"right{k}", hinge(f"rod{k}", f"crank{k + 1}", (k + 1, 0, 1))) for k in range(2)),
    )
    engine = engine_of(description)
    result = run(engine, 10.0)
    assert result.report.outcome is Outcome.REACHED_END
    total = energy(engine, result.state)
    np.testing.assert_allclose(total, total[0], atol=2e-6)
    # one freedom: the cranks are compound pendulums with the rods on their ends, at 1 rad/s of one
    np.testing.assert_allclose(result.state[:, 2], result.state[:, 9], atol=1e-8)


def test_momentum_is_conserved_without_outer_forces():
    engine = engine_of(
        mechanism(
            ("a", bar((0, 0, 0), velocity=(1, 0, 0.5), angular_velocity=(3, 1, 2))),
            ("b", bar((1, 0.2, 0), velocity=(0, -1, 0), angular_velocity=(0, 2, -4))),
            ("c", bar((1.5, 1, 0))),
            ("joint", ww.Spherical(bodies=("a", "b"), point=(0.5, 0, 0))),
            (
                "spring",
                ww.Spring(
                    bodies=("b", "c"), point_a=(1, 0.5, 0), point_b=(1.5, 1, 0.2), stiffness=50, damping=1
                ),
            ),
            gravity=(0, 0, 0),
        )
    )
    numbers, nq = engine.numbers, engine.program.nq
    result = run(engine, 1.0)
    linear, angular = np.zeros((len(result.t), 3)), np.zeros((len(result.t), 3))
    for k in range(3):
        q, v = result.state[:, 7 * k : 7 * k + 7], result.state[:, nq + 6 * k : nq + 6 * k + 6]
        for i, e in enumerate(q[:, 3:]):
            cross = np.cross(np.eye(3), e[1:])
            R = np.eye(3) + 2 * e[0] * cross + 2 * cross @ cross
            angular[i] += R @ numbers.inertia[k] @ R.T @ v[i, 3:]
        linear += numbers.mass[k] * v[:, :3]
        angular += numbers.mass[k] * np.cross(q[:, :3], v[:, :3])
    # projections act along G^T, which has no resultant; angular momentum is quadratic in what is kept to 1e-8 per step
    np.testing.assert_allclose(linear - linear[0], 0, atol=1e-10)
    np.testing.assert_allclose(angular - angular[0], 0, atol=1e-6)


def test_a_ball_bounces_as_the_formulas_say():
    """Impacts at t1 (1 + 2e + 2e^2 + ...), impulses m (1 + e) v e^k, then rest; short flights too."""
    e, height, mass = 0.5, 0.2, 0.7
    first, speed = np.sqrt(2 * height / GRAVITY), np.sqrt(2 * height * GRAVITY)
    for options in ({}, {"method": "rk4", "step": 1e-2}):
        result = run(engine_of(bouncing_ball(e, 1e-4)), 1.0, **options)
        *impacts, rest = result.events
        assert rest.kind is EventKind.REST
        assert {event.kind for event in impacts} == {EventKind.IMPACT}
        k = np.arange(len(impacts))
        times = first * (1 + 2 * e * (1 - e**k) / (1 - e))
        np.testing.assert_allclose([event.t for event in impacts], times, atol=1e-8)
        np.testing.assert_allclose(
            [event.size for event in impacts], mass * (1 + e) * speed * e**k, rtol=1e-4
        )
        assert result.final_state[2] == pytest.approx(0.1, abs=1e-9)
        assert -result.multipliers[-1, 0] == pytest.approx(mass * GRAVITY)


def test_friction_holds_up_to_its_limit_and_brakes_above():
    """mu = 0.5 on a level guide, pulled with 10 t: slides from mu m g = 10 t on; then v = 5 (t - t0)^2."""
    engine = engine_of(
        mechanism(
            *slider("block"),
            ("friction", ww.Friction(joint="block-guide", coefficient=0.5)),
            ("pull", ww.Actuator(joint="block-guide", value="10*t")),
        )
    )
    result = run(engine, 1.0)
    (slide,) = result.events
    start = 0.5 * GRAVITY / 10
    assert slide.kind is EventKind.SLIDE
    assert slide.t == pytest.approx(start, abs=1e-9)
    np.testing.assert_allclose(
        result.state[:, 7], 5 * np.maximum(result.t - start, 0) ** 2, atol=1e-8, rtol=0
    )
    np.testing.assert_allclose(result.friction[:, 0], -np.minimum(10 * result.t, 10 * start), atol=1e-7)
