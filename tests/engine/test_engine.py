"""The engine against the same equations assembled densely in NumPy."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import wheelwork as ww
from wheelwork.description import flatten
from wheelwork.engine import code
from wheelwork.engine.engine import Engine, RunOptions, kernel_groups
from wheelwork.engine.outcome import Outcome
from wheelwork.system.build import build
from wheelwork.system.program import Program

from .dense import dense_constraints, dense_solution, dense_system, motion_at

G = 9.80665

EVERYTHING = """\
name: every joint, every force, every kind of function of time
parameters: {k: 200, c: 1.5}
bodies:
  crank: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.1, 0, 0], center_of_mass: [0.05, 0, 0.01]}
  rod: {mass: 2, inertia: [[0.3, 0.02, 0], [0.02, 0.3, 0.01], [0, 0.01, 0.2]], position: [1, 0, 0], velocity: [0, 1, 0]}
  slider: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0.3], angular_velocity: [1, 2, 3]}
  nut: {mass: 0.5, inertia: [0.1, 0.1, 0.1], position: [2, 1, 0], orientation: {bryant_xyz: [0.3, 0.2, 0.1]}}
  plate: {mass: 4, inertia: [0.4, 0.5, 0.6], position: [0, 2, 1], center_of_mass: [0, 0.1, 0]}
  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 3, 1.05]}
  arm: {mass: 1, inertia: [0.1, 0.2, 0.2], position: [3, 0, 0]}
  hand: {mass: 1, inertia: [0.1, 0.2, 0.2], position: [4, 0, 0]}
  tool: {mass: 1, inertia: [0.1, 0.2, 0.2], position: [5, 0, 0.5]}
  tip: {mass: 0.2, inertia: [0.01, 0.02, 0.02], position: [5.5, 0, 0.5]}
  disc: {type: rotor, inertia: 0.2, axis: [0, 1, 1], position: [0, -2, 0], angle: 20, speed: 2}
  wheel: {type: rotor, inertia: 0.3, axis: [0, 1, 1], position: [0, -2, 0], angle: -3}
joints:
  revolute: {type: revolute, bodies: [ground, crank], point: [0, 0, 0], axis: [0, 1, 0.2]}
  spherical: {type: spherical, bodies: [crank, rod], point: [0.5, 0, 0.1]}
  universal: {type: universal, bodies: [rod, slider], point: [1.5, 0, 0], axis: [0, 1, 0], axis2: [0, 0, 1]}
  prismatic: {type: prismatic, bodies: [plate, slider], point: [2, 0, 0], axis: [1, 0, 1]}
  screw: {type: screw, bodies: [slider, nut], point: [2, 0, 0], axis: [0, 1, 1], lead: 0.1}
  planar: {type: planar, bodies: [ground, plate], point: [0, 2, 1], axis: [0.1, 0, 1]}
  line: {type: point_on_line, bodies: [plate, ball], point: [0, 3, 1], axis: [1, 1, 0]}
  cylindrical: {type: cylindrical, bodies: [ground, arm], point: [3, 0, 0], axis: [1, 0, 0]}
  surface: {type: point_on_plane, bodies: [arm, hand], point: [4, 0, 0], axis: [0, 1, 1]}
  distance: {type: distance, bodies: [arm, hand], point_a: [3, 1, 0], point_b: [4, 0, 1]}
  rod2: {type: rod, bodies: [hand, tool], point_a: [4, 1, 0], point_b: [5, 0, 1]}
  link: {type: revolute_spherical, bodies: [hand, tool], point_a: [4, 0, 0], axis: [1, 0, 0], point_b: [5, 0, 2]}
  weld: {type: fixed, bodies: [tool, tip], point: [5.5, 0, 0.5]}
forces:
  push:
    type: force
    body: plate
    point_in_body: [0.1, 0, 0]
    value: ["k*sin(3*t)", 0, {time: [0, 1, 2], value: [0, 5, 1]}]
  twist: {type: torque, body: rod, frame: body, value: [0, "c*t^2", 1]}
  control: {type: actuator, joint: cylindrical, coordinate: angle, value: "-c*cylindrical.w - k*ball.position.x + t"}
  slide: {type: actuator, joint: prismatic, value: "c*slider.w.z"}
  spring: {type: spring, bodies: [crank, plate], point_a: [0.2, 0, 0], point_b: [0, 2, 0], stiffness: k, damping: c}
  hold: {type: spring, bodies: [ground, tool], point_a: [5, 5, 5], point_b: [5, 0, 0], stiffness: k, free_length: 4}
  shaft: {type: torsional_spring, bodies: [disc, wheel], stiffness: k, damping: c, free_angle: 1}
  coil: {type: torsional_spring, joint: revolute, stiffness: k, damping: c}
  bush: {type: bushing, bodies: [ball, hand], point: [1, 1, 1], axis: [0, 1, 1], stiffness: [1, 2, 3],
         damping: [3, 2, 1], rotational_stiffness: [1, 2, 3], rotational_damping: [1, 1, 2]}
  thick: {type: friction, joint: screw, coordinate: angle, viscous: c}
  motor: {type: motor, body: wheel, curve: {speed: [-10, 0, 10], torque: [1, 3, 0]}, command: cos(t)}
  landing: {type: contact, a: {body: ball, radius: 0.6}, b: {point_in_body: [0, 0, 0.5], normal_in_body: [0, 0, 1]},
            law: {type: compliant, stiffness: 1e4, damping: 10, friction: 0.3, slip_speed: 0.1}}
drivers:
  turn: {type: joint, joint: cylindrical, coordinate: displacement, value: 0.1*sin(c*t)}
  lift: {type: body, body: ball, coordinate: x, value: {time: [0, 1, 3], value: [0, 1, 4]}}
"""


def program_of(mechanism: ww.Mechanism) -> Program:
    return build(flatten(mechanism))


def pendulum(**fields) -> ww.Mechanism:
    m = ww.Mechanism("pendulum", parameters={"length": 0.5, "mass": 1.0})
    given = {"mass": "mass", "inertia": (0.01, 0.02, 0.015), "position": ("length", 0, 0)}
    m.add("bob", ww.Body(**(given | fields)))
    m.add("hinge", ww.Revolute(bodies=("ground", "bob"), point=(0, 0, 0), axis=(0, 1, 0)))
    return m


def four_bar() -> ww.Mechanism:
    """Four full revolute joints where two and two simpler ones would do: three constraints too many."""
    m = ww.Mechanism("four-bar")
    points = [(0, 0, 0), (0.1, 0, 0.4), (0.9, 0, 0.7), (0.8, 0, 0)]
    for k, (p, q) in enumerate(pairwise(points)):
        middle = tuple(np.add(p, q) / 2)
        m.add(f"bar{k}", ww.Body(mass=1 + k, inertia=(0.1, 0.1, 0.1), position=middle))
    bodies = ["ground", "bar0", "bar1", "bar2", "ground"]
    for k, p in enumerate(points):
        m.add(f"pin{k}", ww.Revolute(bodies=(bodies[k], bodies[k + 1]), point=p, axis=(0, 1, 0)))
    return m


def engine_of(mechanism: ww.Mechanism, **options) -> Engine:
    program = program_of(mechanism)
    return Engine(program, program.numbers(), **options)


@pytest.fixture(scope="module")
def everything() -> Engine:
    m = ww.loads(EVERYTHING)
    there = {joint.type for joint in m.joints.values()}
    for name in _all_joints() - there:  # an element that is in no table has a sample of its own
        body = f"of-{name}"
        m.add(body, ww.Body(mass=1, inertia=(0.1, 0.2, 0.2), position=(1, 1, 1)))
        m.add(f"sample-{name}", ww.elements.family("joints")[name].sample("spatial", ("ground", body)))
    return engine_of(m)


def random_state(program: Program, rng: np.random.Generator, size: float = 0.05) -> np.ndarray:
    """Near the given position but off the constraints; the equations of acceleration do not mind."""
    state = program.numbers().state.copy()
    state[: program.nq] += size * rng.normal(size=program.nq)
    for k in range(len(program.bodies)):
        state[7 * k + 3 : 7 * k + 7] /= np.linalg.norm(state[7 * k + 3 : 7 * k + 7])
    state[program.nq : program.nq + program.nv] += rng.normal(size=program.nv)
    return state


# -- evaluation


@pytest.mark.slow
@pytest.mark.parametrize("t", [0.0, 0.7, 2.5])
def test_constraints_are_those_of_casadi(everything, t):
    program, rng = everything.program, np.random.default_rng(0)
    assert {use.kernel.key for use in program.constraints if use.kernel.key.startswith("joint:")} == {
        f"joint:{name}" for name in _all_joints()
    }
    for _ in range(5):
        y = random_state(program, rng)
        expected = dense_constraints(program, everything.numbers, t, y)
        for ours, theirs in zip(everything.constraints(t, y), expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def _all_joints() -> set[str]:
    from tests.equations.every_joint import equations_of_joints
    from wheelwork.equations.cams.base import CamEquations

    known = equations_of_joints("spatial").items()
    return {name for name, joint in known if not isinstance(joint, CamEquations)}


@pytest.mark.slow
@pytest.mark.parametrize("t", [0.0, 0.7, 2.5])
def test_accelerations_and_multipliers_solve_the_equations_of_motion(everything, t):
    program, rng = everything.program, np.random.default_rng(1)
    for _ in range(5):
        y = random_state(program, rng)
        M, f, jacobian, gamma = dense_system(program, everything.numbers, t, y)
        n, m = len(f), len(gamma)
        assert np.linalg.matrix_rank(jacobian) == m
        kkt = np.block([[M, jacobian.T], [jacobian, np.zeros((m, m))]])
        expected = np.linalg.solve(kkt, np.concatenate([f, gamma]))
        _, acceleration, multipliers = everything.derivative(t, y)
        # round-off times the condition of the matrix, which is about 1e4 here
        scale = np.abs(expected).max()
        np.testing.assert_allclose(acceleration, expected[:n], rtol=0, atol=1e-10 * scale)
        np.testing.assert_allclose(multipliers, expected[n:], rtol=0, atol=1e-10 * scale)


def test_the_derivative_of_the_state_is_made_of_velocities_and_accelerations(everything):
    """x' = v; e' = (0, w) e / 2 as quaternions; v' = a; counted angles turn with their bodies."""
    program, rng = everything.program, np.random.default_rng(2)
    y = random_state(program, rng)
    dy, acceleration, _ = everything.derivative(0.3, y)
    motion = motion_at(program, everything.numbers, 0.3, y)
    h = 1e-6
    for k in range(len(program.bodies)):
        v = motion.v[0, k]
        np.testing.assert_allclose(dy[7 * k : 7 * k + 3], v[:3], rtol=0, atol=1e-14)
        e = y[7 * k + 3 : 7 * k + 7]
        turned = [
            (Rotation.from_rotvec(s * h * v[3:]) * Rotation.from_quat(e, scalar_first=True)).as_quat(
                scalar_first=True
            )
            for s in (-1, 1)
        ]
        aligned = [q * np.sign(q @ e) for q in turned]
        np.testing.assert_allclose(dy[7 * k + 3 : 7 * k + 7], (aligned[1] - aligned[0]) / (2 * h), atol=1e-8)
    np.testing.assert_array_equal(dy[program.nq : program.nq + program.nv], acceleration)
    rates = [motion.turn(k)[1][0] for k in range(len(program.turns))]
    np.testing.assert_allclose(dy[program.nq + program.nv :], rates, rtol=0, atol=1e-12)


def test_bodies_without_constraints():
    """Free fall and Euler's equations."""
    m = ww.Mechanism("free")
    m.add("a", ww.Body(mass=2, inertia=(1, 2, 3 - 1e-3), angular_velocity=(1, 2, 3)))
    m.add("b", ww.Body(mass=2, inertia=(1, 1, 1), affected_by_gravity=False))
    engine = engine_of(m)
    _, acceleration, multipliers = engine.derivative(0.0, engine.numbers.state)
    J, w = np.array([1, 2, 3 - 1e-3]), np.array([1.0, 2, 3])
    np.testing.assert_allclose(acceleration[:6], [0, 0, -G, *(-np.cross(w, J * w) / J)], rtol=1e-14)
    np.testing.assert_array_equal(acceleration[6:], 0)
    assert multipliers.shape == (0,)


def test_redundant_constraints_have_reactions_of_least_norm():
    engine = engine_of(four_bar())
    program = engine.program
    y = program.numbers().state
    assert np.linalg.matrix_rank(dense_system(program, engine.numbers, 0.0, y)[2]) == program.rows - 3
    expected, least = dense_solution(program, engine.numbers, 0.0, y)
    _, acceleration, multipliers = engine.derivative(0.0, y)
    # the matrix is singular; it is solved with a small shift and refined until the shift no longer matters
    np.testing.assert_allclose(acceleration, expected, rtol=0, atol=1e-8)
    np.testing.assert_allclose(multipliers, least, rtol=0, atol=1e-6)


def test_the_same_question_has_the_same_answer(everything):
    y = random_state(everything.program, np.random.default_rng(3))
    first, second = everything.derivative(0.1, y), everything.derivative(0.1, y)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)


def test_models_do_not_get_into_each_others_way():
    """Functions of time have one name in all models; each engine calls its own."""
    engines = []
    for speed in (2.0, 5.0):
        m = ww.Mechanism("driven")
        m.add("disc", ww.Rotor(inertia=1))
        m.add(
            "drive",
            ww.JointDriver(joint="disc.bearing", value=f"{speed}*t" if speed < 3 else f"{speed}*sin(t)"),
        )
        engines.append(engine_of(m))
    nus = [engine.constraints(0.0, engine.numbers.state)[3][-1] for engine in engines]
    assert nus == [2.0, 5.0]


# -- other parameters


@pytest.mark.slow
def test_other_numbers_equal_another_engine_and_compile_nothing(monkeypatch):
    engine = engine_of(ww.loads(EVERYTHING))
    monkeypatch.setattr(code.Kernels, "_make_now", lambda *_: pytest.fail("compiled"))
    changes = {"k": 50.0, "c": 3.0}
    numbers = engine.program.numbers(changes)
    engine.set_numbers(numbers)
    anew = engine_of(ww.loads(EVERYTHING).with_parameters(changes))
    y = random_state(engine.program, np.random.default_rng(4))
    for t in (0.0, 0.8):
        for ours, theirs in zip(engine.derivative(t, y), anew.derivative(t, y), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    engine.set_numbers(engine.program.numbers())
    again = engine_of(ww.loads(EVERYTHING))
    for ours, theirs in zip(engine.derivative(0.8, y), again.derivative(0.8, y), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_more_bodies_of_known_types_compile_nothing(monkeypatch):
    engine_of(pendulum())
    monkeypatch.setattr(code.Kernels, "_make_now", lambda *_: pytest.fail("compiled"))
    engine = engine_of(four_bar())
    assert engine.program.rows == 20


def test_derivatives_are_compiled_only_for_implicit_methods():
    program = program_of(pendulum())
    explicit, implicit = (
        {function.name() for group in kernel_groups(program, flag) for function in group}
        for flag in (False, True)
    )
    assert explicit < implicit
    assert {name.split("_")[0] for name in implicit - explicit} <= {"cjac", "fjac"}


# -- projection


@pytest.mark.slow
@pytest.mark.parametrize("model", [lambda: ww.loads(EVERYTHING), four_bar], ids=["everything", "four-bar"])
def test_projection_ends_on_the_constraints(model):
    engine = engine_of(model())
    program, rng = engine.program, np.random.default_rng(5)
    for _ in range(3):
        y, found = engine.project(0.4, random_state(program, rng, 0.01), 1e-11, 50)
        assert found
        g, rows, _, nu = engine.constraints(0.4, y)
        motion = motion_at(program, engine.numbers, 0.4, y)
        np.testing.assert_allclose(g, 0, atol=1e-10)
        v = np.vstack([motion.v[0], np.zeros(6)])
        speed = np.concatenate(
            [
                rows[use.first_row : use.first_row + use.rows] @ np.concatenate([v[use.a], v[use.b]])
                for use in program.constraints
            ]
        )
        np.testing.assert_allclose(speed, nu, rtol=0, atol=1e-9)
        lengths = np.linalg.norm(motion.q[0, :, 3:], axis=1)
        np.testing.assert_allclose(lengths, 1, rtol=0, atol=1e-14)
        again, _ = engine.project(0.4, y, 1e-11, 50)
        np.testing.assert_allclose(again, y, rtol=0, atol=1e-9)


def test_projection_of_velocities_loses_no_more_energy_than_it_must():
    """The nearest velocity in the norm of kinetic energy: v - v* is orthogonal, in M, to all velocities allowed."""
    engine = engine_of(four_bar())
    program, rng = engine.program, np.random.default_rng(6)
    y = program.numbers().state.copy()
    v = rng.normal(size=program.nv)
    y[program.nq : program.nq + program.nv] = v
    after, _ = engine.project(0.0, y, 1e-11, 50)
    M, _, jacobian, _ = dense_system(program, engine.numbers, 0.0, after)
    _, values, directions = np.linalg.svd(jacobian)
    allowed = directions[np.sum(values > 1e-9) :]
    change = v - after[program.nq : program.nq + program.nv]
    assert len(allowed) == 1
    np.testing.assert_allclose(allowed @ M @ change, 0, atol=1e-9)


def test_a_projection_that_cannot_succeed_says_so():
    """Two ends of a rod fixed too far apart."""
    m = ww.Mechanism("impossible")
    m.add("bob", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("pin", ww.Spherical(bodies=("ground", "bob"), point=(0, 0, 0)))
    m.add("rod", ww.Distance(bodies=("ground", "bob"), point_a=(5, 0, 0), point_b=(1, 0, 0), length=1))
    engine = engine_of(m)
    _, found = engine.project(0.0, engine.numbers.state, 1e-11, 50)
    assert not found


# -- integration, as far as the engine itself goes


def reference(end: float, speed: float = 0.0) -> np.ndarray:
    """The pendulum as an equation for its angle below the level: phi'' = m g l cos(phi) / (J + m l^2)."""
    done = solve_ivp(
        lambda t, y: [y[1], G * 0.5 * np.cos(y[0]) / 0.27], (0, end), [0, speed], rtol=1e-12, atol=1e-13
    )
    return done.y[:, -1]


def angle_of(engine: Engine, state: np.ndarray) -> np.ndarray:
    return np.array([np.arctan2(-state[2], state[0]), state[engine.program.nq + 4]])


@pytest.mark.parametrize("method", ["dopri5", "rk4"])
def test_a_pendulum_swings_as_its_equation_says(method):
    engine = engine_of(pendulum())
    grid = np.linspace(0, 0.5, 6)
    options = RunOptions(end=0.5, method=method, step=1e-3 if method == "rk4" else None)
    run = engine.integrate(engine.numbers.state, grid, options)
    assert run.report.outcome is Outcome.REACHED_END
    np.testing.assert_allclose(run.t, grid, rtol=0, atol=1e-14)
    for t, state in zip(run.t[1:], run.state[1:], strict=True):
        np.testing.assert_allclose(angle_of(engine, state), reference(t), rtol=0, atol=1e-7)
    np.testing.assert_allclose(run.state[-1], run.final_state, rtol=0, atol=1e-13)
    np.testing.assert_allclose(
        run.acceleration[0], engine.derivative(0.0, engine.numbers.state)[1], atol=1e-12
    )


def test_rk4_is_of_fourth_order():
    engine = engine_of(pendulum())
    errors = []
    for step in (0.02, 0.01, 0.005):
        options = RunOptions(end=0.6, method="rk4", step=step)
        run = engine.integrate(engine.numbers.state, np.array([0.0, 0.6]), options)
        errors.append(np.abs(angle_of(engine, run.final_state) - reference(0.6)).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 4, atol=0.35)


@pytest.mark.slow
def test_a_run_can_be_stopped_and_keeps_what_it_has():
    engine = engine_of(pendulum())
    seen = []

    def stop(t: float, steps: int) -> bool:
        seen.append(t)
        return t > 1.0

    options = RunOptions(end=1e6, method="rk4", step=1e-3)
    run = engine.integrate(engine.numbers.state, np.linspace(0, 1e6, 10_000_001)[:2001], options, stop)
    assert run.report.outcome is Outcome.INTERRUPTED
    assert seen
    assert 1.0 < run.report.t < 1e3
    assert len(run.t) >= 10
    assert "interrupted" in run.report.text


def test_a_run_gives_up_after_the_steps_allowed():
    engine = engine_of(pendulum())
    run = engine.integrate(engine.numbers.state, np.array([0.0, 9.0]), RunOptions(end=9.0, max_steps=5))
    assert run.report.outcome is Outcome.TOO_MANY_STEPS
    assert 0 < run.report.t < 9
    assert "max_steps" in run.report.text


def test_a_number_that_is_not_finite_stops_the_run_where_it_appears():
    m = pendulum()
    m.add("bad", ww.Torque(body="bob", value=(0, "sqrt(0.2 - t)", 0)))
    engine = engine_of(m)
    for options in (RunOptions(end=1.0), RunOptions(end=1.0, method="rk4", step=0.01)):
        run = engine.integrate(engine.numbers.state, np.linspace(0, 1, 101), options)
        assert not run.report.outcome.good
        assert run.report.t == pytest.approx(0.2, abs=0.011)
        assert np.isfinite(run.state).all()
        assert len(run.t) >= 19
