"""The engine on CasADi's virtual machine against physics."""

from __future__ import annotations

import numpy as np
import pytest

import wheelwork.description as ww
from robustness import random_mechanism
from wheelwork.engine.engine import EventKind
from wheelwork.engine.outcome import Outcome

from .virtual_models import (
    GRAVITY,
    bar,
    body,
    bouncing_ball,
    consistent_state,
    double_pendulum,
    energy,
    four_bar,
    hinge,
    mechanism,
    run,
    run_both,
    slider,
    spherical_pendulum,
    virtual,
)

# ---- physics


def test_accelerations_and_reactions_solve_newtons_equations():
    """M a + G^T lambda = f and G a = gamma, put together here from the constraint rows alone."""
    engine = virtual(double_pendulum())
    program, numbers = engine.program, engine.numbers
    y = consistent_state(engine, 3)
    _, a, multipliers = engine.derivative(0.0, y)
    _, rows, gamma, _ = engine.constraints(0.0, y)
    G = np.zeros((program.rows, program.nv))
    for use in program.constraints:
        own = slice(use.first_row, use.first_row + use.rows)
        for side, which in enumerate((use.a, use.b)):
            if which >= 0:
                G[own, 6 * which : 6 * which + 6] = rows[own, 6 * side : 6 * side + 6]
    right, left = np.zeros(program.nv), np.zeros(program.nv)
    for k in range(len(program.bodies)):
        e = y[7 * k + 3 : 7 * k + 7]
        cross = np.cross(np.eye(3), e[1:])
        R = np.eye(3) + 2 * e[0] * cross + 2 * cross @ cross
        J, w = R @ numbers.inertia[k] @ R.T, y[program.nq + 6 * k + 3 : program.nq + 6 * k + 6]
        right[6 * k : 6 * k + 6] = *numbers.mass[k] * numbers.gravity[k], *-np.cross(w, J @ w)
        left[6 * k : 6 * k + 6] = *numbers.mass[k] * a[6 * k : 6 * k + 3], *J @ a[6 * k + 3 : 6 * k + 6]
    np.testing.assert_allclose(left + G.T @ multipliers, right, atol=1e-12)
    np.testing.assert_allclose(G @ a, gamma, atol=1e-12)


def test_reactions_of_a_redundant_mechanism_are_of_minimum_norm():
    """No combination of multipliers without effect is in them, in the norm weighted with the diagonal of S."""
    engine = virtual(four_bar())
    system = engine._system
    y = consistent_state(engine, 1)
    engine.derivative(0.0, y)
    rows = np.eye(engine.program.rows)
    S = np.array([system.times_s(row) for row in rows])
    scale = np.sqrt(np.diag(S))
    w, vectors = np.linalg.eigh(S / scale / scale[:, None])
    assert (w < 1e-12).sum() == 3
    without_effect = vectors[:, w < 1e-12]
    weighted = scale * system.multipliers
    np.testing.assert_allclose(without_effect.T @ weighted, 0, atol=1e-6 * float(np.linalg.norm(weighted)))


@pytest.mark.parametrize("make", [double_pendulum, spherical_pendulum, four_bar])
def test_energy_is_conserved(make):
    engine = virtual(make())
    result = run(engine, 1.0, seed=2, rtol=1e-9, atol=1e-11)
    drift = energy(engine, result.state) - energy(engine, result.state[:1])
    # 100 to 200 steps with a local error of 1e-9 of 1 m/s each, at 10 J
    np.testing.assert_allclose(drift, 0, atol=2e-7)


@pytest.mark.slow
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
    mine, theirs = run_both(description, 10.0)
    assert mine.report.outcome is Outcome.REACHED_END
    drift = energy(virtual(description), mine.state)
    np.testing.assert_allclose(drift, drift[0], atol=2e-6)
    # near the singular positions accelerations are known to 4 digits less, and steps are chosen by them
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-5, rtol=0)


def test_momentum_is_conserved_without_outer_forces():
    engine = virtual(
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
    # projections act along G^T, which has no resultant; angular momentum is quadratic in what is kept to 1e-8 a step
    np.testing.assert_allclose(linear - linear[0], 0, atol=1e-10)
    np.testing.assert_allclose(angular - angular[0], 0, atol=1e-6)


def test_rk4_has_order_four_with_constraints():
    engine = virtual(spherical_pendulum())
    exact = run(engine, 0.5, rtol=1e-12, atol=1e-13).final_state
    errors = [
        np.abs(run(engine, 0.5, method="rk4", step=0.5 / steps).final_state - exact).max()
        for steps in (25, 50, 100)
    ]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all((orders > 3.7) & (orders < 4.4)), orders


@pytest.mark.parametrize(("method", "tolerances"), [("dopri5", (1e-6, 1e-9)), ("sdirk4", (1e-6, 1e-8))])
def test_errors_follow_the_tolerance(method, tolerances):
    engine = virtual(spherical_pendulum())
    exact = run(engine, 0.5, rtol=1e-12, atol=1e-13)
    for tolerance in tolerances:
        result = run(engine, 0.5, method=method, rtol=tolerance, atol=0.1 * tolerance)
        error = np.abs(result.state - exact.state).max()
        # a hundred steps or so, each with an error near the tolerance
        assert 1e-3 * tolerance < error < 50 * tolerance


def test_a_ball_bounces_as_the_formulas_say():
    """Impacts at t1 (1 + 2e + 2e^2 + ...), impulses m (1 + e) v e^k, then rest; short flights too."""
    e, height, mass = 0.5, 0.2, 0.7
    first, speed = np.sqrt(2 * height / GRAVITY), np.sqrt(2 * height * GRAVITY)
    for options in ({}, {"method": "rk4", "step": 1e-2}):
        result = run(virtual(bouncing_ball(e, 1e-4)), 1.0, **options)
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
    engine = virtual(
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


@pytest.mark.parametrize("seed", [5007, 5049])
def test_mechanism_is_put_together_as_by_the_compiled_engine(seed):
    """Redundant loops given beside their places: where rows contradict each other, the way of Newton counts."""
    _, m, _ = random_mechanism(seed)
    native, here = (m.assemble(engine=name).state for name in ("native", "virtual"))
    np.testing.assert_allclose(here, native, atol=1e-8)


@pytest.mark.parametrize("seed", [5036, 5050])
def test_trains_under_weight_alone_have_tooth_forces_of_round_off(seed):
    _, m, _ = random_mechanism(seed)
    assert m.simulate(end=0.05, output=2, engine="virtual", progress=False).outcome.good
