"""Wheels on elastic mounts: what pushes the teeth apart moves them.

Wheel a turns on a bearing at the origin, wheel b is held by springs in the plane and free to turn. With theta the
angles of the wheels, l from a to b and phi its direction, the mesh is r_a (theta_a - phi) + r_b (theta_b - phi) = 0.
The force on b across l is F_t (r_a + r_b)/|l|, along l it is |F_t| tan(alpha).
"""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wheelwork as ww

R_A, R_B, SPAN = 0.04, 0.08, 0.12
REST = np.array([SPAN, 0.0])
ALPHA = np.radians(20)
STIFF, DAMP, MASS, J_A, J_B = 2e5, 200.0, 2.0, 1e-3, 4e-3


def soft(planar: bool, motor: str, load: str, pressure_angle: float = ALPHA) -> ww.Mechanism:
    def at(x: float) -> Any:
        return (x, 0) if planar else (x, 0, 0)

    def about_z(value: Any) -> Any:
        return value if planar else (0, 0, value)

    m = ww.Mechanism("soft", kind="planar" if planar else "spatial", gravity=(0, 0) if planar else (0, 0, 0))
    m.add("a", ww.Body(mass=1, inertia=J_A if planar else (J_A,) * 3, position=at(0)))
    m.add("b", ww.Body(mass=MASS, inertia=J_B if planar else (J_B,) * 3, position=at(SPAN)))
    axis = {} if planar else {"axis": (0, 0, 1)}
    m.add("bearing", ww.Revolute(bodies=("ground", "a"), point=at(0), **axis))
    if planar:
        mount: dict[str, Any] = {"stiffness": (STIFF, STIFF), "damping": (DAMP, DAMP)}
    else:
        upright = {"rotational_stiffness": (1e4, 1e4, 0), "rotational_damping": (10, 10, 0)}
        mount = {"stiffness": (STIFF,) * 3, "damping": (DAMP,) * 3, **upright}
    m.add("mount", ww.Bushing(bodies=("ground", "b"), point=at(SPAN), **mount))
    mesh = {"point_b": at(SPAN), **({} if planar else {"axis_b": (0, 0, 1)})}
    m.add(
        "mesh",
        ww.ExternalMesh(
            bodies=("a", "b"), teeth=(20, 40), module=4e-3, pressure_angle=pressure_angle, **mesh
        ),
    )
    m.add("motor", ww.Torque(body="a", value=about_z(motor)))
    m.add("load", ww.Torque(body="b", value=about_z(load)))
    return m


def deflection(force: float) -> np.ndarray:
    """Where b stands under the tooth force, by iteration."""
    at = np.zeros(2)
    for _ in range(100):
        l = at + REST
        length = np.hypot(*l)
        e, t = l / length, np.array([-l[1], l[0]]) / length
        at = (force * (R_A + R_B) / length * t + abs(force) * np.tan(ALPHA) * e) / STIFF
    return at


@pytest.mark.parametrize("planar", [True, False])
@pytest.mark.parametrize("torque", [30.0, -30.0])
def test_static_deflection(planar, torque):
    """Both flanks push b away from a; the tangential force pushes it along or against y."""
    m = soft(planar, str(torque), str(torque * R_B / R_A))
    at = m.equilibrium()
    exact = deflection(torque / R_A)
    assert exact[0] > 1e-3
    found = np.asarray(at["b.position"])[:2] - REST
    assert found == pytest.approx(exact, abs=1e-9)


def reference(motor: Any, load: Any, t: np.ndarray, tan: float) -> np.ndarray:
    """Positions of b and the angle of a over time, in the coordinates x, y, theta_a.

    J_a theta_a'' = M - r_a F,  m x'' = S + F (r_a + r_b)/|l| t + |F| tan e,  J_b theta_b'' = L - r_b F, with theta_b
    from the mesh: four linear equations for x'', y'', theta_a'', F once the sign of F is known.
    """

    def accelerations(time: float, y: np.ndarray, sign: float) -> np.ndarray:
        x, v = y[:2] + REST, y[3:5]
        length = np.hypot(*x)
        e, across = x / length, np.array([-x[1], x[0]]) / length
        turning, closing = across @ v / length, e @ v
        # phi'' = across.x''/|l| - 2 phi' |l|'/|l|
        A, right = np.zeros((4, 4)), np.zeros(4)
        push = (R_A + R_B) / length * across + sign * tan * e
        A[:2, :2], A[:2, 3] = MASS * np.eye(2), -push
        right[:2] = -STIFF * y[:2] - DAMP * v
        A[2, 2], A[2, 3], right[2] = J_A, R_A, motor(time)
        # theta_b'' = -(r_a/r_b) theta_a'' + (1 + r_a/r_b) phi''
        k = 1 + R_A / R_B
        A[3, :2], A[3, 2], A[3, 3] = J_B * k * across / length, -J_B * R_A / R_B, R_B
        right[3] = load(time) + J_B * k * 2 * turning * closing / length
        return np.linalg.solve(A, right)

    def rates(time: float, y: np.ndarray) -> np.ndarray:
        found = accelerations(time, y, 1.0)
        if found[3] < 0:
            found = accelerations(time, y, -1.0)
        return np.concatenate([y[3:], found[:3]])

    run = solve_ivp(
        rates, (0, t[-1]), np.zeros(6), method="DOP853", t_eval=t, rtol=1e-11, atol=1e-13, max_step=1e-3
    )
    return run.y[:3].T


@pytest.mark.slow
@pytest.mark.parametrize("planar", [True, False])
def test_motion_with_both_flanks(planar):
    """A torque that changes sides: the teeth push apart all the same."""
    m = soft(planar, "30*sin(60*t)", "10*cos(40*t)")
    r = m.simulate(end=0.2, output=50, rtol=1e-9, atol=1e-12)
    assert r.outcome.good, r.report
    assert np.ptp(np.sign(r["mesh.force.tangential"].to_numpy())) == 2
    exact = reference(lambda t: 30 * np.sin(60 * t), lambda t: 10 * np.cos(40 * t), r.t, np.tan(ALPHA))
    found = r["b.position"].to_numpy()[:, :2] - REST
    assert found == pytest.approx(exact[:, :2], abs=1e-8)
    assert r["bearing.angle"].to_numpy() == pytest.approx(exact[:, 2], abs=1e-6)
    # and it is the pressure angle that does it
    other = reference(lambda t: 30 * np.sin(60 * t), lambda t: 10 * np.cos(40 * t), r.t, 0.0)
    assert np.abs(exact - other).max() > 1e-4


@pytest.mark.slow
def test_a_floating_sun_shares_the_load_equally():
    """A sun that no bearing holds stands between three planets so that all carry the same: its only equilibrium."""
    m = ww.Mechanism("floating sun", kind="planar", gravity=(0, 0))
    r_s, r_p = 0.024, 0.018
    m.add("sun", ww.Body(mass=0.5, inertia=4e-4, position=(0, 0)))
    m.add("carrier", ww.Body(mass=1.0, inertia=4e-3, position=(0, 0)))
    m.add("on-carrier", ww.Revolute(bodies=("ground", "carrier"), point=(0, 0)))
    for k in range(3):
        angle = 2 * np.pi * k / 3 + 0.2
        at = tuple((r_s + r_p) * np.array([np.cos(angle), np.sin(angle)]))
        m.add(f"planet{k}", ww.Body(mass=0.3, inertia=1e-4, position=at))
        m.add(f"pin{k}", ww.Revolute(bodies=("carrier", f"planet{k}"), point=at))
        m.add(f"inner{k}", ww.ExternalMesh(bodies=("sun", f"planet{k}"), teeth=(24, 18), point_a=(0, 0)))
        m.add(f"outer{k}", ww.InternalMesh(bodies=(f"planet{k}", "ground"), teeth=(18, 60)))
    m.add("motor", ww.Torque(body="sun", value="1 + sin(20*t)"))
    m.add("load", ww.Actuator(joint="on-carrier", value="-3.5"))
    found = m.check()
    assert (found.freedoms_by_rank, len(found.redundant)) == (1, 0)
    r = m.simulate(end=0.3, output=30)
    assert r.outcome.good, r.report
    forces = np.array([r[f"inner{k}.force.tangential"].to_numpy() for k in range(3)])
    assert np.ptp(forces[0]) > 1
    assert np.ptp(forces, axis=0).max() < 1e-6
    assert np.abs(r["sun.position"].to_numpy()).max() < 1e-9
