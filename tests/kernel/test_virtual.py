"""The engine on CasADi's virtual machine: against the compiled one, and against physics.

Both engines take the same steps with the same formulas but in another order of operations and with another
factorisation, so they differ by round-off: 1e-16 an operation, times what the motion and the choice of steps make of
it. Tolerances below say so where they are wider than that.
"""

from __future__ import annotations

import numpy as np
import pytest

import wheelwork.model as ww
from wheelwork.equations.build import build
from wheelwork.kernel.compiler import CompilerMissing
from wheelwork.kernel.engine import Engine, EventKind, Integration, RunOptions
from wheelwork.kernel.native import NativeEngine
from wheelwork.kernel.outcome import Outcome
from wheelwork.kernel.virtual import VirtualEngine
from wheelwork.kernel.virtual.jacobian import AccelerationJacobian
from wheelwork.kernel.virtual.methods import Step
from wheelwork.kernel.virtual.sdirk4 import Sdirk4

GRAVITY = 9.80665

# ---- mechanisms


def mechanism(*elements, **more) -> ww.Description:
    description = ww.Description(name="mechanism", **more)
    for name, element in elements:
        description.add(name, element)
    return description


def body(position=(0, 0, 0), **more) -> ww.Body:
    more = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1)} | more
    return ww.Body(position=position, **more)


def bar(position, **more) -> ww.Body:
    return body(position, mass=1.3, inertia=(0.02, 0.11, 0.12), **more)


def hinge(a, b, point, axis=(0, 1, 0)) -> ww.Revolute:
    return ww.Revolute(bodies=(a, b), point=point, axis=axis)


def double_pendulum(*more):
    return mechanism(
        ("one", bar((0.5, 0, 0))),
        ("two", bar((1.5, 0, 0))),
        ("upper", hinge("ground", "one", (0, 0, 0))),
        ("lower", hinge("one", "two", (1, 0, 0), (0.3, 1, 0.2))),
        *more,
    )


def spherical_pendulum():
    return mechanism(
        ("bob", bar((0.6, 0.1, -0.3), angular_velocity=(0.2, 1, 3))),
        ("pivot", ww.Spherical(bodies=("ground", "bob"), point=(0, 0, 0))),
    )


def four_bar(*more):
    """Four full revolute joints in a plane: three of their twenty rows are redundant."""
    return mechanism(
        ("crank", body((0, 0, 0.5), inertia=(0.01, 0.02, 0.03))),
        ("rod", body((1, 0, 1.25), mass=2, inertia=(0.01, 0.2, 0.2))),
        ("rocker", body((2, 0, 0.75), mass=1.5, inertia=(0.01, 0.1, 0.1))),
        ("A", hinge("ground", "crank", (0, 0, 0))),
        ("B", hinge("crank", "rod", (0, 0, 1))),
        ("C", hinge("rod", "rocker", (2, 0, 1.5))),
        ("D", hinge("ground", "rocker", (2, 0, 0))),
        *more,
    )


def slider_crank():
    """Driven; three rows are redundant."""
    return mechanism(
        ("crank", body((0.25, 0, 0), inertia=(0.01, 0.02, 0.03))),
        ("rod", body((1, 0, 0), inertia=(0.01, 0.2, 0.2))),
        ("piston", body((1.5, 0, 0), mass=2)),
        ("A", hinge("ground", "crank", (0, 0, 0))),
        ("B", hinge("crank", "rod", (0.5, 0, 0))),
        ("C", hinge("rod", "piston", (1.5, 0, 0))),
        ("guide", ww.Prismatic(bodies=("ground", "piston"), point=(1.5, 0, 0), axis=(1, 0, 0))),
        ("drive", ww.JointDriver(joint="A", value="10*t + 0.3*sin(5*t)")),
    )


def table_driven():
    table = ww.Table(time=[0, 0.3, 0.7, 1.0, 1.6], value=[0, 0.5, 0.2, 1.2, 1.0])
    return double_pendulum(("drive", ww.JointDriver(joint="upper", value=table)))


def rotors(*more):
    """Torsional springs over many turns."""
    x = (1, 0, 0)
    return mechanism(
        ("r1", ww.Rotor(inertia=0.3, axis=x, speed=30)),
        ("r2", ww.Rotor(inertia=0.5, axis=x, position=(1, 0, 0), angle=0.5, speed=-3)),
        ("r3", ww.Rotor(inertia=0.2, axis=x, position=(2, 0, 0))),
        ("s1", ww.TorsionalSpring(bodies=("r1", "r2"), stiffness=80, damping=0.2)),
        ("s2", ww.TorsionalSpring(bodies=("r2", "r3"), stiffness=50)),
        *more,
    )


def state_dependent():
    """A force that looks at another body, a joint angle and time."""
    value = ("-3*two.velocity.x", "2*sin(t)*two.position.z", "0.5*lower.angle")
    return double_pendulum(("push", ww.Force(body="one", value=value, point=(0.5, 0, 0))))


def nut():
    turning = {"angular_velocity": (0, 0, 2.0), "velocity": (0, 0, 0.2 / (2 * np.pi))}
    return mechanism(
        ("nut", bar((0, 0, 0), **turning)),
        ("thread", ww.Screw(bodies=("ground", "nut"), point=(0, 0, 0), axis=(0, 0, 1), lead=0.1)),
        ("torque", ww.Torque(body="nut", value=(0, 0, 0.4))),
    )


def stick_slip():
    """A block on a belt that moves at 0.3 m/s, held by a spring; friction from the block's weight."""
    x = (1, 0, 0)
    return mechanism(
        ("belt", body(mass=5)),
        ("block", body((0, 0, 0.2))),
        ("rail", ww.Prismatic(bodies=("ground", "belt"), point=(0, 0, 0), axis=x)),
        ("top", ww.Prismatic(bodies=("belt", "block"), point=(0, 0, 0.2), axis=x)),
        ("pull", ww.JointDriver(joint="rail", value="0.3*t")),
        (
            "spring",
            ww.Spring(bodies=("ground", "block"), point_a=(-1, 0, 0.2), point_b=(0, 0, 0.2), stiffness=40),
        ),
        ("rub", ww.Friction(joint="top", coefficient=0.4, static_ratio=1.3)),
    )


def on_plane(name, law, point=(0, 0, 0)) -> ww.Contact:
    return ww.Contact(a=ww.ContactSphere(body=name, radius=0.1, point=point), b=ww.ContactPlane(), law=law)


def balls(a, b, restitution, point=(0, 0, 0)) -> ww.Contact:
    return ww.Contact(
        a=ww.ContactSphere(body=a, radius=0.1),
        b=ww.ContactSphere(body=b, radius=0.1, point=point),
        law=ww.Restitution(coefficient=restitution),
    )


def bouncing_ball(restitution=0.6, rest_speed=1e-2, height=0.3):
    law = ww.Restitution(coefficient=restitution, rest_speed=rest_speed)
    return mechanism(
        ("ball", body((0, 0, height), mass=0.7, velocity=(0.4, 0, 0))), ("impact", on_plane("ball", law))
    )


def soft_ball():
    law = ww.Compliant(stiffness=2e4, damping=8)
    return mechanism(("ball", body((0, 0, 0.3), mass=0.7)), ("contact", on_plane("ball", law)))


def slider(name, y=0.0):
    return [
        (name, body((0, y, 0))),
        (f"{name}-guide", ww.Prismatic(bodies=("ground", name), point=(0, y, 0), axis=(1, 0, 0))),
    ]


SMOOTH = {
    "double pendulum": double_pendulum,
    "spherical pendulum": spherical_pendulum,
    "four-bar": four_bar,
    "slider-crank": slider_crank,
    "table driver": table_driven,
    "rotors": rotors,
    "state-dependent force": state_dependent,
    "screw": nut,
}
REDUNDANT = {"four-bar", "slider-crank"}

# ---- helpers


def native_or_skip(program, implicit: bool) -> Engine:
    try:
        return NativeEngine(program, program.numbers(), implicit)
    except CompilerMissing as missing:
        pytest.skip(str(missing))


def virtual(description) -> VirtualEngine:
    program = build(ww.flatten(description))
    return VirtualEngine(program, program.numbers())


def both(description, implicit: bool = False) -> tuple[Engine, Engine]:
    program = build(ww.flatten(description))
    return native_or_skip(program, implicit), VirtualEngine(program, program.numbers())


def consistent_state(engine: Engine, seed: int | None = None, t: float = 0.0) -> np.ndarray:
    """The given state, or one with random velocities, brought onto the constraints."""
    program, y = engine.program, engine.numbers.state.copy()
    if seed is not None:
        rng = np.random.default_rng(seed)
        y[: program.nq] += 0.05 * rng.normal(size=program.nq)
        y[program.nq : program.nq + program.nv] += rng.normal(size=program.nv)
    y, found = engine.project(t, y, 1e-12, 50)
    assert found
    return y


def run(engine: Engine, end: float, seed: int | None = None, **options) -> Integration:
    y = consistent_state(engine, seed)
    return engine.integrate(y, np.linspace(0, end, 21), RunOptions(end=end, **options))


def run_both(description, end: float, seed: int | None = None, **options) -> tuple[Integration, Integration]:
    """The virtual engine's and the native engine's result from the same state."""
    native, engine = both(description, options.get("method") == "sdirk4")
    y, grid = consistent_state(engine, seed), np.linspace(0, end, 21)
    mine, theirs = (e.integrate(y, grid, RunOptions(end=end, **options)) for e in (engine, native))
    return mine, theirs


def energy(engine: Engine, states: np.ndarray) -> np.ndarray:
    """Kinetic energy and that of gravity."""
    program, numbers = engine.program, engine.numbers
    total = np.zeros(len(states))
    for k in range(len(program.bodies)):
        q, v = states[:, 7 * k : 7 * k + 7], states[:, program.nq + 6 * k : program.nq + 6 * k + 6]
        w, u = q[:, 3:4], q[:, 4:]
        # angular velocity in body axes: R^T w = w + 2 e0 (w x u) + 2 u x (u x w)
        spin = v[:, 3:] + 2 * w * np.cross(v[:, 3:], u) + 2 * np.cross(u, np.cross(u, v[:, 3:]))
        total += 0.5 * numbers.mass[k] * (v[:, :3] ** 2).sum(1)
        total += 0.5 * np.einsum("ti,ij,tj->t", spin, numbers.inertia[k], spin)
        total -= numbers.mass[k] * q[:, :3] @ numbers.gravity[k]
    return total


def assert_same_events(one: Integration, other: Integration, tolerance: float) -> None:
    assert [(e.kind, e.element) for e in one.events] == [(e.kind, e.element) for e in other.events]
    np.testing.assert_allclose([e.t for e in one.events], [e.t for e in other.events], atol=tolerance, rtol=0)
    np.testing.assert_allclose(
        [e.size for e in one.events], [e.size for e in other.events], rtol=1e-6, atol=1e-9
    )


# ---- the same numbers as the compiled engine


@pytest.mark.parametrize("name", SMOOTH)
def test_equations_equal_those_of_the_native_engine(name):
    native, engine = both(SMOOTH[name]())
    t = 0.1
    for seed in range(3):
        y = consistent_state(engine, seed, t)
        for mine, theirs in zip(engine.constraints(t, y), native.constraints(t, y), strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-12 * (1 + np.abs(theirs).max(initial=0)), rtol=0)
        mine, theirs = engine.derivative(t, y), native.derivative(t, y)
        # redundant rows: the regularised factor of S has lost 8 digits, of which iteration brings accelerations back
        # to 1e-11 of the forces but multipliers only along rows that matter
        loose, looser = (1e-11, 1e-6) if name in REDUNDANT else (1e-12, 1e-12)
        for a, b, tolerance in zip(mine, theirs, (loose, loose, looser), strict=True):
            np.testing.assert_allclose(a, b, atol=tolerance * (1 + np.abs(b).max(initial=0)), rtol=0)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 2e-3}], ids=["dopri5", "rk4"])
def test_trajectories_equal_those_of_the_native_engine(name, options):
    seed = None if name in ("slider-crank", "table driver") else 1
    mine, theirs = run_both(SMOOTH[name](), 0.6, seed, **options)
    assert mine.report.outcome is theirs.report.outcome is Outcome.REACHED_END
    assert mine.report.steps == theirs.report.steps
    np.testing.assert_array_equal(mine.t, theirs.t)
    # dopri5: the estimate of the error is known to 8 digits only, and steps are chosen by it
    scale = 1 + np.abs(theirs.state).max()
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-10 * scale, rtol=0)
    scale = 1 + np.abs(theirs.acceleration).max()
    np.testing.assert_allclose(mine.acceleration, theirs.acceleration, atol=1e-9 * scale, rtol=0)
    tolerance = 1e-6 if name in REDUNDANT else 1e-9
    scale = 1 + np.abs(theirs.multipliers).max()
    np.testing.assert_allclose(mine.multipliers, theirs.multipliers, atol=tolerance * scale, rtol=0)


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
def test_stabilisations_equal_those_of_the_native_engine(options):
    mine, theirs = run_both(four_bar(), 0.6, 1, **options)
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-9, rtol=0)
    exact = run(virtual(four_bar()), 0.6, 1, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(mine.state, exact.state, atol=1e-6, rtol=0)


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 8e-3}], ids=["dopri5", "rk4"])
def test_stick_and_slip_as_in_the_native_engine(options):
    mine, theirs = run_both(stick_slip(), 1.6, **options)
    assert [e.kind for e in mine.events] == [EventKind.STICK, EventKind.SLIDE] * 2
    assert_same_events(mine, theirs, 1e-8)
    # an event is known to 1e-10 s, and accelerations are of the order of 10 m/s^2
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-8, rtol=0)
    np.testing.assert_allclose(mine.friction, theirs.friction, atol=1e-6, rtol=0)


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 4e-3}], ids=["dopri5", "rk4"])
def test_a_ball_comes_to_rest_as_in_the_native_engine(options):
    mine, theirs = run_both(bouncing_ball(rest_speed=0.1), 1.2, **options)
    assert mine.events[-1].kind is EventKind.REST
    assert_same_events(mine, theirs, 1e-8)
    # 1e-10 s for each impact, at 2 m/s
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-8, rtol=0)


def test_compliant_contact_as_in_the_native_engine():
    mine, theirs = run_both(soft_ball(), 0.6, rtol=1e-11, atol=1e-12)
    # In free flight the error is nothing but round-off, so the two choose their steps there at random, and the contact,
    # whose force has a kink that is no event, is met with different ones: they agree to what the kink costs.
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-7, rtol=0)


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


@pytest.mark.parametrize(
    "make",
    [
        double_pendulum,
        rotors,
        state_dependent,
        stick_slip,
        four_bar,
        slider_crank,
    ],
)
def test_implicit_method_as_in_the_native_engine(make):
    mine, theirs = run_both(make(), 0.3, method="sdirk4", rtol=1e-7, atol=1e-8)
    exact = run(virtual(make()), 0.3, rtol=1e-10, atol=1e-11)
    # Newton's iteration ends at 1e-3 of the tolerance, and both choose steps by errors that are known no better; what
    # is behind the method's own error is common to both
    for result in (mine, theirs):
        np.testing.assert_allclose(result.state, exact.state, atol=1e-4, rtol=0)
    np.testing.assert_allclose(mine.state, theirs.state, atol=1e-5, rtol=0)
    assert_same_events(mine, theirs, 1e-6)


def test_sdirk4_has_order_four():
    """Steps of one size without projection: the method alone, with constraints at acceleration level."""
    engine = virtual(spherical_pendulum())
    y = consistent_state(engine)
    exact = engine.integrate(y, np.zeros(0), RunOptions(end=0.4, rtol=1e-12, atol=1e-13)).final_state
    errors = []
    for steps in (10, 20, 40):
        system, h = engine._system, 0.4 / steps
        method, state = Sdirk4(system, 1e-9, 1e-9), y
        for k in range(steps):
            start = system.derivative(k * h, state)
            state = method.advance(Step(k * h, h, state, start, state, start))
            assert state is not None
        errors.append(np.abs(system.normalised(state) - exact).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all((orders > 3.7) & (orders < 4.5)), orders


@pytest.mark.parametrize("name", ["double pendulum", "four-bar", "slider-crank", "rotors", "screw"])
def test_jacobian_of_the_accelerations_is_exact(name):
    engine = virtual(SMOOTH[name]())
    system, program, t, step = engine._system, engine.program, 0.1, 1e-6
    y = consistent_state(engine, 1, t)
    exact = AccelerationJacobian(system).evaluate(t, y)

    def accelerations(motion: np.ndarray, twist: np.ndarray) -> np.ndarray:
        moved = system.moved(y, np.append(motion, np.zeros(6)).reshape(-1, 6))
        moved[program.nq : program.nq + program.nv] += twist
        system.derivative(t, moved)
        return system.acceleration[:-1].ravel().copy()

    zero = np.zeros(program.nv)
    for unit in np.eye(program.nv) * step:
        k = int(np.argmax(unit))
        by_motion = (accelerations(unit, zero) - accelerations(-unit, zero)) / (2 * step)
        by_twist = (accelerations(zero, unit) - accelerations(zero, -unit)) / (2 * step)
        for column, difference, matrix in zip((k, k), (by_motion, by_twist), exact, strict=True):
            # differences over 1e-6 carry round-off of 1e-10 of the accelerations, and 1e-8 where S is regularised
            scale = 1e-6 * (1 + np.abs(matrix).max())
            np.testing.assert_allclose(matrix[:, column], difference, atol=scale, rtol=0)


@pytest.mark.slow
def test_implicit_and_explicit_methods_agree():
    for name in ("double pendulum", "four-bar", "slider-crank", "state-dependent force", "screw"):
        engine = virtual(SMOOTH[name]())
        explicit, implicit = (run(engine, 0.5, method=m, rtol=1e-8) for m in ("dopri5", "sdirk4"))
        np.testing.assert_allclose(implicit.state, explicit.state, atol=1e-6, rtol=0, err_msg=name)


def test_implicit_method_passes_events():
    engine = virtual(stick_slip())
    explicit, implicit = (run(engine, 1.0, method=m, rtol=1e-7) for m in ("dopri5", "sdirk4"))
    assert_same_events(explicit, implicit, 1e-6)
    np.testing.assert_allclose(implicit.state, explicit.state, atol=1e-6, rtol=0)


def test_implicit_method_is_not_held_up_by_stiffness():
    """Two rotors that a stiff damper makes one: w = (1 + (1 - cos t)) / 2. Explicit steps would have to be 1e-5 s."""
    z = (0, 0, 1)
    engine = virtual(
        mechanism(
            ("r1", ww.Rotor(inertia=1, axis=z, speed=1)),
            ("r2", ww.Rotor(inertia=1, axis=z, position=z)),
            ("coupling", ww.TorsionalSpring(bodies=("r1", "r2"), stiffness=1e6, damping=1e5)),
            ("torque", ww.Actuator(joint="r1.bearing", value="sin(t)")),
        )
    )
    result = run(engine, 1.0, method="sdirk4", rtol=1e-6, atol=1e-8)
    assert result.report.outcome is Outcome.REACHED_END
    assert result.report.steps < 200
    speeds = result.final_state[engine.program.nq + np.array([5, 11])]
    np.testing.assert_allclose(speeds, (2 - np.cos(1)) / 2, atol=1e-5)


# ---- modes that begin on the edge


on_both = pytest.mark.parametrize("make", [virtual, lambda d: both(d)[0]], ids=["virtual", "native"])


@on_both
def test_a_second_run_begins_anew(make):
    engine = make(bouncing_ball(rest_speed=0.1))
    first, second = (run(engine, 1.0) for _ in range(2))
    np.testing.assert_array_equal(first.state, second.state)


@on_both
def test_looking_at_a_body_does_not_push_it(make):
    spring = ww.Spring(bodies=("c", "d"), point_a=(2, 0, 0), point_b=(3, 0, 0), stiffness=10, free_length=0.5)
    engine = make(
        mechanism(
            *((name, body((k, 0, 0))) for k, name in enumerate("abcd")),
            ("spring", spring),
            ("f", ww.Force(body="a", value=("b.velocity.x", 0, 0))),
            gravity=(0, 0, 0),
        )
    )
    result = run(engine, 0.5)
    np.testing.assert_allclose(result.final_state[[0, 7]], [0, 1], atol=1e-12)


@on_both
def test_two_joints_break_loose_together(make):
    pairs = [slider("a"), slider("b", 1.0)]
    friction = [(f"f{n}", ww.Friction(joint=f"{n}-guide", coulomb=1)) for n in "ab"]
    pulls = [(f"p{n}", ww.Actuator(joint=f"{n}-guide", value="2*t")) for n in "ab"]
    result = run(make(mechanism(*pairs[0], *pairs[1], *friction, *pulls)), 2.0)
    assert [e.kind for e in result.events] == [EventKind.SLIDE] * 2
    np.testing.assert_allclose(result.final_state[[14, 20]], 2.25, atol=1e-8)


@on_both
def test_friction_without_load_does_not_hold(make):
    engine = make(
        mechanism(
            ("r", ww.Rotor(inertia=1)),
            ("f", ww.Friction(joint="r.bearing", coefficient=0.1, radius=0.01)),
            ("x", ww.Actuator(joint="r.bearing", value="sin(t)")),
        )
    )
    assert run(engine, 1.0).final_state[12] == pytest.approx(1 - np.cos(1), abs=1e-8)


@on_both
def test_a_contact_without_force_does_not_hold(make):
    law = ww.Restitution(coefficient=0.5)
    pull = ww.Force(body="ball", value=(0, 0, "2*t"))
    engine = make(
        mechanism(
            ("ball", body((0, 0, 0.1))), ("c", on_plane("ball", law)), ("pull", pull), gravity=(0, 0, 0)
        )
    )
    assert run(engine, 1.0).final_state[2] == pytest.approx(0.1 + 1 / 3, abs=1e-8)


@on_both
def test_short_flights_are_not_missed(make):
    result = run(make(bouncing_ball(0.5, 1e-6)), 1.0)
    assert result.final_state[2] == pytest.approx(0.1, abs=1e-9)


@on_both
def test_contacts_that_pull_from_the_start_open(make):
    law = ww.Restitution(coefficient=0.5)
    feet = [(f"c{k}", on_plane("table", law, (x, 0, 0))) for k, x in enumerate((-0.5, 0.5))]
    lift = ("lift", ww.Force(body="table", value=(0, 0, 15.0)))
    result = run(make(mechanism(("table", body((0, 0, 0.1))), *feet, lift)), 1.0)
    assert result.final_state[2] == pytest.approx(0.1 + (15 - GRAVITY) / 2, abs=1e-8)


@on_both
def test_a_resting_contact_opens_in_an_impact(make):
    """A rod on two supports is hit beyond the right one and turns about it: J = 0.1 + 0.5^2 there, arm 0.5."""
    law = ww.Restitution(coefficient=0)
    engine = make(
        mechanism(
            ("rod", body((0, 0, 0.1))),
            ("ball", body((1, 0, 0.5))),
            ("left", on_plane("rod", law, (-0.5, 0, 0))),
            ("right", on_plane("rod", law, (0.5, 0, 0))),
            ("hit", balls("ball", "rod", 0.5, (1, 0, 0))),
        )
    )
    result = run(engine, 0.21)
    assert [(e.kind, e.element) for e in result.events] == [
        (EventKind.IMPACT, "hit"),
        (EventKind.RELEASE, "left"),
    ]
    reduced = 1 / (1 + 0.5**2 / 0.35)
    assert result.events[0].size == pytest.approx(1.5 * np.sqrt(2 * GRAVITY * 0.2) * reduced, rel=1e-8)


@on_both
def test_a_joint_at_rest_notices_a_short_push(make):
    """While all is at rest the error is zero, and no reason for short steps; the output's interval is one."""
    push = ww.Actuator(joint="a-guide", value="2*exp(-(10*(t - 1))^2)")
    result = run(
        make(mechanism(*slider("a"), ("f", ww.Friction(joint="a-guide", coulomb=1)), ("push", push))), 2.0
    )
    assert [e.kind for e in result.events] == [EventKind.SLIDE, EventKind.STICK]
    assert result.events[0].t == pytest.approx(1 - 0.1 * np.sqrt(np.log(2)), abs=1e-8)


@on_both
def test_dry_friction_carries_no_impulse(make):
    """A ball hits an equal block that friction holds: the block leaves at its speed and is braked by 1 m/s^2."""
    ball = body((-1, 0, 0), velocity=(2, 0, 0), affected_by_gravity=False)
    engine = make(
        mechanism(
            *slider("block"),
            ("f", ww.Friction(joint="block-guide", coulomb=1)),
            ("ball", ball),
            ("hit", balls("ball", "block", 1.0)),
        )
    )
    result = run(engine, 1.0)
    np.testing.assert_allclose(result.final_state[[14, 20]], [2 - 0.6, 0], atol=1e-8)


@on_both
def test_impacts_at_the_start_are_noted(make):
    falling = body((0, 0, 0.1), velocity=(0, 0, -1))
    engine = make(mechanism(("ball", falling), ("c", on_plane("ball", ww.Restitution(coefficient=0.5)))))
    first = run(engine, 0.05).events[0]
    assert (first.kind, first.t) == (EventKind.IMPACT, 0.0)
    assert first.size == pytest.approx(1.5)


@on_both
@pytest.mark.parametrize("stabilisation", ["projection", "augmented_lagrangian"])
def test_an_elastic_impact_keeps_the_energy(make, stabilisation):
    weightless = {"affected_by_gravity": False}
    engine = make(
        mechanism(
            ("arm", body((0.5, 0, 0), **weightless)),
            ("hinge", hinge("ground", "arm", (0, 0, 0))),
            ("ball", body((1, 0, 0.5), velocity=(0, 0, -1), **weightless)),
            ("hit", balls("ball", "arm", 1.0, (0.5, 0, 0))),
        )
    )
    values = (0, 0, 1e5, 10, 1, 1e-12)
    options = {"stabilisation_values": values, "stabilisation_iterations": 20}
    result = run(engine, 0.8, stabilisation=stabilisation, **options)
    assert len(result.events) == 1
    # the impact is found to 1e-10 s, and so the direction of the normal
    np.testing.assert_allclose(energy(engine, result.state), 0.5, atol=1e-8)


# ---- how runs end


def test_a_run_that_is_stopped_keeps_what_it_has():
    engine = virtual(double_pendulum())
    y = consistent_state(engine)
    calls = []

    def progress(t: float, steps: int) -> bool:
        calls.append((t, steps))
        return len(calls) > 2

    result = engine.integrate(y, np.linspace(0, 100, 10001), RunOptions(end=100), progress)
    assert result.report.outcome is Outcome.INTERRUPTED
    assert calls[0] == (0.0, 0)
    assert 0 < result.report.t < 100
    assert len(result.t) == int(result.report.t / 0.01) + 2  # the grid so far, and the moment it got to
    assert result.report.t == calls[-1][0]


def test_too_many_steps():
    result = run(virtual(double_pendulum()), 1.0, max_steps=10)
    assert result.report.outcome is Outcome.TOO_MANY_STEPS
    assert result.report.steps == 10


@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 0.01}], ids=["dopri5", "rk4"])
def test_what_is_not_finite_is_caught_where_it_appears(options):
    engine = virtual(double_pendulum(("f", ww.Force(body="two", value=("sqrt(0.255 - t)", 0, 0)))))
    result = run(engine, 1.0, **options)
    assert result.report.outcome in (Outcome.NOT_FINITE, Outcome.STEP_TOO_SMALL)
    assert result.report.t == pytest.approx(0.25, abs=0.01)
    assert np.isfinite(result.final_state).all()


def test_a_mechanism_that_locks_names_a_constraint():
    """A two-bar linkage pulled beyond its length."""
    c, s = 0.5, np.sqrt(0.75)
    engine = virtual(
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


def test_other_numbers_need_no_new_engine():
    engine = virtual(
        mechanism(
            ("ball", body(mass="m")),
            ("pull", ww.Force(body="ball", value=("f*t", 0, 0))),
            parameters={"m": 2.0, "f": 6.0},
            gravity=(0, 0, 0),
        )
    )
    assert run(engine, 1.0).final_state[7] == pytest.approx(6 / 2 / 2)
    engine.set_numbers(engine.program.numbers({"m": 3.0}))
    assert run(engine, 1.0).final_state[7] == pytest.approx(6 / 3 / 2)
