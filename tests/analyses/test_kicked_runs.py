"""Linear equations about steady motions against the engine: what small kicks do to runs, on machines drawn at random.

Two routes: all coordinates and rates after a while, by differences of two runs, against expm(A t); and frequencies and
dampings that a matrix pencil finds in a signal of `simulate`, in all coordinates and in minimal ones.
"""

import numpy as np
import pytest
from scipy.linalg import expm

import wheelwork as ww
from wheelwork.analyses.assemble import Assembled
from wheelwork.analyses.frames import fastest
from wheelwork.analyses.small_motions import of_bodies, turned
from wheelwork.analyses.tangents import turning_frame
from wheelwork.engine.engine import RunOptions
from wheelwork.system.attitude import skew

from .steady_models import absorber, governor, rotor, slider, stage

FINE = {"rtol": 1e-11, "atol": 1e-13}


def damped(m, rng):
    """With damping in all of its springs."""
    for name, one in list(m.forces.items()):
        size, k = rng.uniform(1e-4, 3e-4), one.stiffness
        c = tuple(float(x) * size for x in k) if isinstance(k, (tuple, list)) else float(k) * size
        m.forces[name] = type(one)(**one.model_dump(exclude_unset=True) | {"damping": c})
    return m


def geared_rotors(rng):
    """Two wheels with rigid teeth, and an elastic shaft to a third body that carries a slider."""
    m, w = ww.Mechanism("geared", kind="planar", gravity=(0, 0)), rng.uniform(20, 60)
    m.add("pinion", ww.Body(mass=1, inertia=0.01, angular_velocity=-2 * w))
    m.add("wheel", ww.Body(mass=2, inertia=0.05, position=(0.3, 0), angular_velocity=w))
    m.add("arm", ww.Body(mass=1, inertia=0.1, position=(0.3, 0), angular_velocity=w))
    r = rng.uniform(0.1, 0.3)
    place = {"position": (0.3 + r, 0), "velocity": (0, w * r), "angular_velocity": w}
    m.add("bob", ww.Body(mass=0.3, inertia=0.001, **place))
    for name, x in (("pinion", 0.0), ("wheel", 0.3), ("arm", 0.3)):
        m.add(f"{name}-bearing", ww.Revolute(bodies=("ground", name), point=(x, 0)))
    m.add(
        "mesh",
        ww.ExternalMesh(bodies=("pinion", "wheel"), point_a=(0, 0), point_b=(0.3, 0), radii=(0.1, 0.2)),
    )
    m.add("shaft", ww.TorsionalSpring(bodies=("wheel", "arm"), stiffness=rng.uniform(200, 900)))
    m.add("slide", ww.Prismatic(bodies=("arm", "bob"), point=(0.3, 0), axis=(1, 0)))
    k = rng.uniform(1.5, 6) * 0.3 * w**2
    ends = {"point_a": (-0.7, 0), "point_b": (0.3 + r, 0), "free_length": r + 1 - 0.3 * w**2 * r / k}
    m.add("spring", ww.Spring(bodies=("arm", "bob"), stiffness=k, **ends))
    return m


def elastic_rotor(rng, round_body, round_bearings):
    """A disc on two bushings that tilts and moves, in space."""
    m, w = ww.Mechanism("elastic", gravity=(0, 0, 0)), rng.uniform(50, 300)
    J = (0.02, 0.02 if round_body else 0.028, 0.035)
    k = rng.uniform(1e4, 4e4)
    m.add("disc", ww.Body(mass=2, inertia=J, angular_velocity=(0, 0, w)))
    for name, z in (("low", -0.2), ("high", 0.3)):
        stiff = (k, k if round_bearings else 1.5 * k, 2 * k)
        m.add(name, ww.Bushing(bodies=("ground", "disc"), point=(0, 0, z), axis=(0, 0, 1), stiffness=stiff))
    return m


def on_a_hub(rng, driven):
    """Two bodies on bushings of a hub that turns about any axis: they balance where these give way."""
    turned, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    turned *= np.linalg.det(turned)
    m, w = ww.Mechanism("hub", gravity=(0, 0, 0)), turned @ (0, 0, rng.uniform(20, 80))
    spin = {"angular_velocity": tuple(w)}
    m.add("hub", ww.Body(mass=2, inertia=(0.1, 0.12, 0.15), **spin))
    m.add("bearing", ww.Revolute(bodies=("ground", "hub"), point=(0, 0, 0), axis=tuple(w)))
    if driven:
        m.add("drive", ww.JointDriver(joint="bearing", value=f"{np.linalg.norm(w)}*t"))
    for k in range(2):
        at = rng.uniform(-0.2, 0.2, 3)
        J = tuple(rng.uniform(1e-3, 1.5e-3, 3))
        body = ww.Body(mass=0.5, inertia=J, position=tuple(at), velocity=tuple(np.cross(w, at)), **spin)
        m.add(f"bob{k}", body)
        stiff = {
            "stiffness": tuple(rng.uniform(1e4, 3e4, 3)),
            "rotational_stiffness": tuple(rng.uniform(15, 60, 3)),
        }
        m.add(
            f"bushing{k}",
            ww.Bushing(bodies=("hub", f"bob{k}"), point=tuple(at), axis=tuple(rng.normal(size=3)), **stiff),
        )
    return m


FAMILY = {
    "slider": lambda rng: slider(rng.uniform(500, 4000), rng.uniform(20, 60), rng.uniform(0.2, 0.6)),
    "damped slider": lambda rng: damped(slider(rng.uniform(3000, 6000)), rng),
    "governor": lambda rng: governor(w=rng.uniform(7, 12), ball=1e-4)[0],
    "absorber": lambda rng: absorber(w=rng.uniform(30, 90))[0],
    "unsymmetric rotor": lambda rng: rotor(
        tuple(rng.uniform(0.02, 0.03, 3)), rng.uniform(-300, 300), (400.0, 400.0)
    ),
    "rotor in unsymmetric bearings": lambda rng: rotor(
        (0.03, 0.03, 0.02), rng.uniform(50, 300), (400.0, 560.0)
    ),
    "planetary stage": lambda rng: stage(rng.uniform(-300, 300)),
    "damped stage": lambda rng: damped(stage(rng.uniform(100, 300)), rng),
    "geared rotors": geared_rotors,
    "damped geared rotors": lambda rng: damped(geared_rotors(rng), rng),
    "disc on bushings": lambda rng: damped(elastic_rotor(rng, True, False), rng),
    "on a driven hub": lambda rng: on_a_hub(rng, True),
    "on a free hub": lambda rng: on_a_hub(rng, False),
    "disc with two inertias": lambda rng: elastic_rotor(rng, False, True),
}


def misfit(linear, span):
    """Of all coordinates and rates after a span, by differences of runs, against expm(A t)."""
    at, turning = linear.at, linear.turning
    program, engine = at.prepared.program, at.prepared.engine
    keep, N, n = list(program.space.velocities), linear.basis, linear.basis.shape[1]
    T, (M, _, _) = turned(at, turning, span), turning_frame(at)
    R = of_bodies(at, [skew(w) for w in turning])
    A, columns = linear.A, []
    rate = np.sqrt(np.linalg.norm(linear.K, 2)) + fastest(at)
    for start in np.eye(2 * n) * np.r_[np.full(n, 1 / rate), np.ones(n)]:
        x, v = N @ start[:n], N @ start[n:] + linear.speeds @ start[:n]
        h, ends = 1e-6 / np.abs(N @ (start[:n] + start[n:] / rate)).max(), []
        for sign in (h, -h):
            y = program.displaced(at.state, sign * x)
            y[program.nq : program.nq + program.nv] += sign * v
            y = engine.project(at.t, y, 1e-13, 50)[0]
            run = engine.integrate(
                y, np.array([at.t + span]), RunOptions(start=at.t, end=at.t + span, **FINE)
            )
            ends.append(Assembled(at.prepared, run.final_state, at.misfits, at.t + span))
        p, m = (end.motion for end in ends)
        between = np.einsum("kij,klj->kil", p.R[0], m.R[0])
        angle = np.stack([between[:, i, j] - between[:, j, i] for i, j in ((2, 1), (0, 2), (1, 0))], 1) / 2
        moved = np.hstack([p.x[0] - m.x[0], angle])[:, keep].ravel() / (2 * h)
        faster = (p.v[0] - m.v[0])[:, keep].ravel() / (2 * h)
        W = turning_frame(ends[0])[1]
        z = T.T @ moved
        found = np.concatenate([N.T @ M @ z * rate, N.T @ M @ (T.T @ (faster + W @ moved) - R @ z)])
        expected = expm(A * span) @ start
        columns.append((found, np.concatenate([expected[:n] * rate, expected[n:]])))
    found, expected = (np.array(one) for one in zip(*columns, strict=True))
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("seed", [1, 2])
def test_all_that_a_kick_does(name, seed):
    linear = FAMILY[name](np.random.default_rng(seed)).linearise()
    rate = max(np.sqrt(np.linalg.norm(linear.K, 2)), fastest(linear.at))
    assert misfit(linear, 3 / rate) < 2e-6


def pencil(t, y, order):
    """Exponents in a signal, by a matrix pencil; their number from its singular values."""
    half = len(y) // 2
    H = np.array([y[i : i + half] for i in range(len(y) - half)])
    U, S, V = np.linalg.svd(H[:, :-1], full_matrices=False)
    r = min(order, int(np.sum(1e-7 * S[0] < S)))
    return np.log(np.linalg.eigvals((U[:, :r].T @ H[:, 1:] @ V[:r].T) / S[:r]) + 0j) / (t[1] - t[0])


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_frequency_and_damping_in_a_run(formulation):
    """Of geared rotors with a slider on an elastic shaft: both vibrations, and how fast they die away."""
    m = damped(geared_rotors(np.random.default_rng(5)), np.random.default_rng(6))
    linear = m.linearise()
    values = linear.eigenvalues[np.imag(linear.eigenvalues) > 1.0]
    program, N = linear.at.prepared.program, linear.basis
    state = program.displaced(linear.at.state, 1e-6 * N @ np.ones(N.shape[1]) / np.abs(N).max())
    start = Assembled(linear.at.prepared, state, linear.at.misfits, 0.0)
    end = 4 * 2 * np.pi / np.min(np.imag(values))
    run = m.simulate(end, start=start, formulation=formulation, output=240, rtol=1e-12, atol=1e-14)
    y = run["slide.displacement"].to_numpy()
    found = pencil(run.t, y - y.mean(), 2 * len(values) + 2)
    for value in values:
        assert np.min(np.abs(found - value)) < 2e-4 * abs(value)
