"""Small mechanisms, and how the tests of the engine run them."""

import numpy as np

import wheelwork.description as ww
from wheelwork.engine.engine import Engine, Integration, RunOptions
from wheelwork.system.build import build

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


def tied_twice():
    """Two hinges on one axis between the same bodies: joints that hold points, with two bodies in one block of S."""
    axis = (0.3, 1, 0.2)
    return double_pendulum(("beside", hinge("one", "two", (1 + 0.5 * axis[0], 0.5, 0.1), axis)))


def long_chain():
    """Eleven bodies, more than are computed at a time, no two alike, on joints that hold points and others."""
    rng = np.random.default_rng(4)
    elements: list[tuple[str, object]] = []
    for k in range(11):
        mass, inertia = rng.uniform(0.5, 2), np.sort(rng.uniform(0.05, 0.08, 3))
        frame = {"rotation_vector": tuple(rng.normal(size=3))}
        elements.append(
            (f"b{k}", body((k + 0.5, 0, 0), mass=mass, inertia=tuple(inertia), orientation=frame))
        )
        pair = (f"b{k - 1}" if k else "ground", f"b{k}")
        axis = tuple(rng.normal(size=3))
        joint = ww.Cylindrical if k % 4 == 3 else ww.Revolute
        elements.append((f"j{k}", joint(bodies=pair, point=(k, 0, 0), axis=axis)))
    return mechanism(*elements)


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
    return double_pendulum(("push", ww.Force(body="one", value=value, point_in_body=(0.5, 0, 0))))


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
    return ww.Contact(
        a=ww.ContactSphere(body=name, radius=0.1, point_in_body=point), b=ww.ContactPlane(), law=law
    )


def balls(a, b, restitution, point=(0, 0, 0)) -> ww.Contact:
    return ww.Contact(
        a=ww.ContactSphere(body=a, radius=0.1),
        b=ww.ContactSphere(body=b, radius=0.1, point_in_body=point),
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


def planar_four_bar():
    """In the plane, with a spring on its rocker."""

    def pin(a, b, point):
        return ww.Revolute(bodies=(a, b), point=point)

    ends = {"point_a": (0.5, 1.0), "point_b": (1.0, -0.4)}
    return mechanism(
        ("crank", ww.Body(mass=1, inertia=0.1, position=(0, 0.5))),
        ("rod", ww.Body(mass=2, inertia=0.2, position=(1, 1.25))),
        ("rocker", ww.Body(mass=1.5, inertia=0.1, position=(2, 0.75))),
        ("A", pin("ground", "crank", (0, 0))),
        ("B", pin("crank", "rod", (0, 1))),
        ("C", pin("rod", "rocker", (2, 1.5))),
        ("D", pin("ground", "rocker", (2, 0))),
        ("spring", ww.Spring(bodies=("ground", "rocker"), stiffness=30, damping=0.4, **ends)),
        kind="planar",
    )


SMOOTH = {
    "double pendulum": double_pendulum,
    "spherical pendulum": spherical_pendulum,
    "four-bar": four_bar,
    "slider-crank": slider_crank,
    "table driver": table_driven,
    "rotors": rotors,
    "state-dependent force": state_dependent,
    "screw": nut,
    "in the plane": planar_four_bar,
    "long chain": long_chain,
}
REDUNDANT = {"four-bar", "slider-crank"}

# ---- helpers


def engine_of(description: ww.Description, implicit: bool = False) -> Engine:
    program = build(ww.flatten(description))
    return Engine(program, program.numbers(), implicit)


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
