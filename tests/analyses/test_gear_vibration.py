"""Vibration of gear pairs with compliant teeth: equivalent mass, response to transmission error, jumps over speed."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wheelwork as ww

HZ = 1 / (2 * np.pi)
TEETH, MODULE, ALPHA = (20, 30), 0.004, np.radians(20)
RADII = [z * MODULE / 2 for z in TEETH]
BASE = [r * np.cos(ALPHA) for r in RADII]
I1, I2, STIFFNESS, DAMPING = 0.002, 0.008, 2e8, 900.0


def pair(kind="planar", **teeth):
    """Pinion and wheel on axles, compliant teeth."""
    planar = kind == "planar"
    m = ww.Mechanism("pair", kind=kind, gravity=(0, 0) if planar else (0, 0, 0))

    def place(x):
        return (x, 0) if planar else (x, 0, 0)

    for name, inertia, x in (("pinion", I1, 0.0), ("wheel", I2, sum(RADII))):
        whole = inertia if planar else (inertia, inertia, inertia)
        m.add(name, ww.Body(mass=2, inertia=whole, position=place(x)))
        axis = {} if planar else {"axis": (0, 0, 1)}
        m.add(f"{name}-axle", ww.Revolute(bodies=("ground", name), point=place(x), **axis))
    model = {"type": "compliant", "stiffness": STIFFNESS, "damping": DAMPING, **teeth}
    sizes = {"teeth": TEETH, "module": MODULE, "pressure_angle": ALPHA}
    m.add("mesh", ww.ExternalMesh(bodies=("pinion", "wheel"), model=model, **sizes))
    return m


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_equivalent_mass(kind):
    """Paper 5, (3.1)-(3.3): the pair is one oscillator with m_e = I1 I2/(R1^2 I2 + R2^2 I1), R the base radii."""
    m_e = I1 * I2 / (BASE[0] ** 2 * I2 + BASE[1] ** 2 * I1)
    rigid, mode = pair(kind, law="linear").modes()
    assert rigid.kind == "rigid"
    assert mode.natural_frequency == pytest.approx(np.sqrt(STIFFNESS / m_e) * HZ, rel=1e-9)
    assert mode.damping == pytest.approx(DAMPING / (2 * np.sqrt(STIFFNESS * m_e)), rel=1e-9)
    assert mode.strain == {"mesh": pytest.approx(1)}
    # the rigid motion is the ratio of the teeth
    turns = rigid.shape[:, 5]
    assert turns[0] / turns[1] == pytest.approx(-TEETH[1] / TEETH[0], rel=1e-9)


def two_by_two():
    """M, C, K of the two angles with the wheel held by a torsional spring."""
    d = np.array(
        [BASE[0], BASE[1]]
    )  # external wheels turn against each other, so both angles press the teeth
    held = np.diag([0, 5e5])
    return np.diag([I1, I2]), DAMPING * np.outer(d, d), STIFFNESS * np.outer(d, d) + held, d


def test_loaded_equilibrium_and_transmission_error():
    """Teeth with backlash under a torque: about the equilibrium they are the spring of the flank that presses; the
    response to a transmission error is that of the two rotors to k e + c e'.
    """
    force = 100 / BASE[0]
    m = pair(backlash=1e-4, offset=5e-5 + force / STIFFNESS)
    m.add("load", ww.Torque(body="pinion", value=100))
    wound = {"stiffness": 5e5, "free_angle": force * BASE[1] / 5e5}
    m.add("hold", ww.TorsionalSpring(joint="wheel-axle", **wound))
    at = m.assemble()
    assert at["mesh.side"] == 1
    assert at["mesh.force.transverse"] == pytest.approx(force, rel=1e-9)
    assert at["pinion.angular_acceleration"] == pytest.approx(0, abs=1e-3)
    M, C, K, d = two_by_two()
    found = m.modes(at=at)
    exact = np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real) * HZ
    assert found.natural_frequencies == pytest.approx(np.sort(exact), rel=1e-6)
    f = np.array([200.0, 3000.0])
    response = m.frequency_response("mesh.error", ["pinion-axle.angle", "wheel-axle.angle"], f, at=at)
    for k, w in enumerate(2 * np.pi * f):
        x = np.linalg.solve(K - w**2 * M + 1j * w * C, d * (STIFFNESS + 1j * w * DAMPING))
        # the load turns with the wheels: F/R is 3e-4 of the stiffness of the teeth
        assert response.values[k] == pytest.approx(x, rel=3e-4)


@pytest.mark.parametrize("model", ["compliant", "contact"])
def test_the_mesh_answers_to_its_own_error(model):
    """Two free rotors on their teeth are m_e s'' + c (s' - e') + k (s - e) = 0: s/e and F/e = m_e w^2 s/e. By a second
    route the force is what turns the wheel: I2 phi'' = R2 F. (The load, which turns with the wheels, adds F/R, 3e-4 of
    the stiffness of the teeth, of which a tenth is left at these frequencies.)
    """
    teeth = {"backlash": 1e-4, "offset": 6e-5}
    if model == "contact":
        m = pair()
        elastic = {"type": "linear", "stiffness": STIFFNESS}
        teeth = {"type": "contact", "elastic": elastic, "offset": 6e-5}
        thin = {"thickness_allowance": ("-0.05 mm", "-0.05 mm")}
        sizes = {"teeth": TEETH, "module": MODULE, "pressure_angle": ALPHA, "face_width": 0.02, **thin}
        m.meshes["mesh"] = ww.ExternalMesh(bodies=("pinion", "wheel"), model=teeth, **sizes)
    else:
        m = pair(**teeth)
    names = [
        "mesh.transmission_error",
        "mesh.force.normal",
        "wheel.angular_acceleration",
        "mesh.force.tangential",
    ]
    if model == "compliant":
        names += ["mesh.deflection", "mesh.static_error", "mesh.force.transverse"]
    f = np.array([1500.0, 3000.0])
    found = m.frequency_response("mesh.error", names, f)
    s, force = found["mesh.transmission_error"], found["mesh.force.normal"]
    assert abs(force) == pytest.approx(abs(I2 * found["wheel.angular_acceleration"] / BASE[1]), rel=1e-4)
    w, m_e = 2 * np.pi * f, I1 * I2 / (BASE[0] ** 2 * I2 + BASE[1] ** 2 * I1)
    assert force == pytest.approx(m_e * w**2 * s, rel=1e-4)
    assert found["mesh.force.tangential"] == pytest.approx(np.cos(ALPHA) * force, rel=1e-4)
    if model == "compliant":
        pushed = STIFFNESS + 1j * w * DAMPING
        assert s == pytest.approx(pushed / (pushed - m_e * w**2), rel=1e-4)
        assert found["mesh.deflection"] == pytest.approx(s - 1, rel=1e-4)
        assert found["mesh.static_error"] == pytest.approx(np.ones(2), rel=1e-6)
        assert found["mesh.force.transverse"] == pytest.approx(force, rel=1e-6)


# A pinion that turns evenly, a wheel under a constant torque: one oscillator. Slow (300 rad/s), for SciPy to follow;
# E/(T/(R2 k)) = 0.5, as in the papers on gear pairs with backlash.
SLOW, HALF, ERROR = 300.0, 50e-6, 5e-6
SOFT = SLOW**2 * I2 / BASE[1] ** 2
DEEP = 10e-6
ZETA = 0.06


def driven_pair():
    mass = I2 / BASE[1] ** 2
    m = pair(
        stiffness=SOFT,
        damping=2 * ZETA * SLOW * mass,
        backlash=2 * HALF,
        law="printed",
        offset=HALF + DEEP,
        errors=[{"amplitude": ERROR}],
    )
    m = m.model_copy(update={"parameters": {"speed": 10.0}})
    m.add("drive", ww.JointDriver(joint="pinion-axle", value="speed*t"))
    m.add("load", ww.Torque(body="wheel", value=SOFT * DEEP * BASE[1]))
    wheel = m.bodies["wheel"]
    m.bodies["wheel"] = wheel.model_copy(
        update={"angular_velocity": (0.0, 0.0, ww.Formula(f"-speed*{2 / 3!r}"))}
    )
    return m


def by_scipy(speeds, turns_settle, turns_measure, samples):
    """The same by m g'' = T/R2 - F(g - e), F as printed in (3.4): rms of g, the transmission error, at each speed."""
    mass = I2 / BASE[1] ** 2
    c = 2 * ZETA * SLOW * mass
    y, out = np.array([HALF + DEEP, 0.0]), []
    for speed in speeds:
        w = TEETH[0] * speed

        def rates(t, y, w=w):
            g, rate = y  # how far the pinion is ahead; the wheel falls back by what the force lacks
            u, u_rate = g - ERROR * np.sin(w * t), rate - ERROR * w * np.cos(w * t)
            force = SOFT * (max(u - HALF, 0) + min(u + HALF, 0)) + c * u_rate
            return rate, (SOFT * DEEP - force) / mass

        period = 2 * np.pi / speed
        t = period * (turns_settle + np.arange(samples * turns_measure) / samples)
        end = period * (turns_settle + turns_measure)
        run = solve_ivp(rates, (0, end), y, t_eval=[*t, end], rtol=1e-7, atol=1e-13, method="DOP853")
        out.append(run.y[0, :-1].std())
        y = run.y[:, -1]
    return np.array(out), y


@pytest.mark.slow
def test_jump_over_speed_with_compliant_teeth():
    """The sweep of a driven gear pair through its resonance, up, against SciPy's solution of the one oscillator."""
    speeds = np.linspace(0.5, 1.1, 7) * SLOW / TEETH[0]
    s = driven_pair().sweep(
        "speed",
        speeds,
        signals=["mesh.transmission_error", "mesh.force.transverse"],
        contacts=["mesh.side"],
        frequency="speed/(2*pi)",
        settle=4,
        measure=1,
        samples=400,
        both=True,
        rtol=1e-7,
    )
    assert s.report == "complete"
    found = s["mesh.transmission_error"]["rms"]
    up, _ = by_scipy(speeds, 4, 1, 400)
    # 4 turns are 80 mesh cycles and leave exp(-0.06*2 pi*80*0.9) of a transient
    assert found.sel(direction="up").to_numpy() == pytest.approx(up, rel=2e-3)
    assert s.hysteresis("mesh.transmission_error") is not None
    assert float(s.dataset["open"].max()) > 0.1
