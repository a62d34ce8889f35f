"""The yaw drive against its equations (3.6), derived by hand, and what Bai's two figures show."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.vibration.elastic_errors import force_by_zero
from wheelwork.examples.yaw_drive import frequency_response, load_sharing, yaw_drive
from wheelwork.examples.yaw_drive.drive import with_pinions
from wheelwork.examples.yaw_drive.responses import SIGNAL, base_radii, linear_response, steady

from .bundled import model, result

N = 4
NAMES = ["gear", "nacelle", *(f"pinion{k}" for k in range(1, N + 1)), *(f"motor{k}" for k in range(1, N + 1))]


class ByHand:
    """Angles of bodies in the order of `NAMES` -> terms of (3.6); gear and nacelle counted against their axes."""

    def __init__(self, m: ww.Mechanism):
        at = m.assemble()
        p = self.p = at.prepared.numbers.parameters
        self.R, self.R0 = base_radii(m)
        self.B = p["backlash"] / 2
        self.phase = np.array([at[f"mesh{k}.phase"] for k in range(1, N + 1)], float)
        self.extra = np.array([p[f"extra{k}"] for k in range(1, N + 1)])

    def split(self, x):
        return -x[0], -x[1], x[2 : 2 + N], x[2 + N :]

    def error(self, theta, w, a=None):
        """e and its first two time derivatives, from the angles of the pinions."""
        z, p = self.p["pinion_teeth"], self.p
        value, rate, second = np.zeros(N), np.zeros(N), np.zeros(N)
        for amplitude, order, phase in (
            (p["pitch_error"], z, 2 * np.pi * self.phase),
            (p["run_out"], 1.0, np.arange(N) * np.pi / 2),
        ):
            angle = order * theta + phase
            value += amplitude * np.sin(angle)
            rate += amplitude * np.cos(angle) * order * w
            second -= amplitude * np.sin(angle) * (order * w) ** 2
            second += 0 if a is None else amplitude * np.cos(angle) * order * a
        return value, rate, second

    def mesh(self, x, v):
        """u, u' and F (3.4)."""
        theta_0, _, theta, _ = self.split(x)
        w_0, _, w, _ = self.split(v)
        e, rate, _ = self.error(theta, w)
        u, du = self.R * theta - self.R0 * theta_0 - e, self.R * w - self.R0 * w_0 - rate
        k = self.p["mesh_stiffness"] + self.p["stiffness_range"] / 2 * np.sin(
            2 * np.pi * self.phase + self.p["pinion_teeth"] * theta
        )
        pressed = np.where(u > self.B, u - self.B, np.where(u < -self.B, u + self.B, 0.0))
        return u, k * pressed + self.p["mesh_damping"] * du

    def residuals(self, x, v, a, sign=1.0):
        """Of the three groups of (3.6), over their largest term; sign: of phi_i = theta_i - theta_m,i."""
        p = self.p
        (theta_0, theta_l, theta, theta_m), (w_0, w_l, w, w_m), (a_0, a_l, a_i, a_m) = map(
            self.split, (x, v, a)
        )
        u, F = self.mesh(x, v)
        J_m, J, J_0, J_l = (p[f"{k}_inertia"] for k in ("motor", "pinion", "gear", "load"))
        J_e, J_e0 = J_m * J / (J_m + J), J_0 * J_l / (J_0 + J_l)
        m_e = J * J_0 / (self.R**2 * J_0 + self.R0**2 * J)
        alpha, alpha_0, beta = J_e / J, J_e0 / J_0, m_e * self.R0**2 / J_0
        phi, dphi, ddphi = sign * (theta - theta_m), sign * (w - w_m), sign * (a_i - a_m)
        shaft = p["shaft_damping"] * dphi + p["shaft"] * phi
        gear_shaft = p["gear_shaft_damping"] * (w_0 - w_l) + 10 * p["shaft"] * (theta_0 - theta_l)
        e_second = self.error(theta, w, a_i)[2]
        T_f = p["load"] - p["drag"] * (p["speed"] - w_l)
        T = p["torque"] + self.extra
        groups = (
            (J_e * ddphi, shaft, alpha * F * self.R, J_e / J_m * T),
            (
                m_e * (self.R * a_i - self.R0 * a_0 - e_second),
                F,
                beta * (F.sum() - F),
                (1 - beta) * shaft / self.R,
                -beta * gear_shaft / self.R0,
                m_e * e_second,
            ),
            (J_e0 * (a_0 - a_l), gear_shaft, -alpha_0 * F.sum() * self.R0, -J_e0 / J_l * T_f),
        )
        return [float(np.max(np.abs(sum(g))) / max(np.max(np.abs(term)) for term in g)) for g in groups], u


@pytest.fixture(scope="module")
def accelerations():
    """Of the compiled program, at angles and speeds in the order of `NAMES`."""
    given = {"extra1": 150, "extra3": -70, "stiffness_range": 0}
    m = model("yaw-drive").with_parameters(given)
    reduced = m.reduced()
    order = [reduced.names.index(f"{name}.bearing.angle") for name in NAMES]

    def of(x, v):
        u, rates = np.zeros(len(NAMES)), np.zeros(len(NAMES))
        u[order], rates[order] = x, v
        return reduced.forward(u, rates)[order]

    return ByHand(m), of


@pytest.mark.parametrize("flank", ["front", "back", "none"])
def test_equations_3_6(accelerations, flank):
    """The description gives (3.6), on both flanks and in the backlash, to round-off."""
    hand, of = accelerations
    rng = np.random.default_rng(len(flank))
    for _ in range(5):
        base, spread = rng.uniform(-3, 3), 1e-3 * rng.normal(size=len(NAMES))
        x, v = np.empty(len(NAMES)), rng.normal(size=len(NAMES))
        x[0] = -base
        ratio = 35 / 18
        x[2 : 2 + N] = base * ratio
        e = hand.error(x[2 : 2 + N], v[2 : 2 + N])[0]
        wanted = {"front": 2.0, "back": -2.0, "none": 0.5}[flank] * hand.B * rng.uniform(0.8, 1.2, N)
        x[2 : 2 + N] += (wanted + e) / hand.R
        x[1], x[2 + N :] = x[0] + spread[1], x[2 : 2 + N] + spread[2 + N :]
        residuals, u = hand.residuals(x, v, of(x, v))
        inside = np.abs(u) < hand.B
        assert np.all(inside) if flank == "none" else np.all(np.sign(u) == (1 if flank == "front" else -1))
        assert flank == "none" or not np.any(inside)
        assert max(residuals) < 1e-9


def test_sign_that_is_printed_wrong(accelerations):
    """With phi_i = theta_m,i - theta_i as printed (3.6) does not hold; the other way round it does."""
    hand, of = accelerations
    rng = np.random.default_rng(0)
    x, v = 1e-3 * rng.normal(size=len(NAMES)), rng.normal(size=len(NAMES))
    a = of(x, v)
    assert max(hand.residuals(x, v, a)[0]) < 1e-9
    assert min(hand.residuals(x, v, a, sign=-1.0)[0][:2]) > 1e-2


@pytest.mark.slow
def test_varying_stiffness_of_the_front_flanks():
    """k_m + k_r/2 sin(2 pi tau), by the torque on a pinion."""
    m = model("yaw-drive").with_parameters(run_out=0, pitch_error=0)
    hand = ByHand(m)
    reduced = m.reduced()
    order = [reduced.names.index(f"{name}.bearing.angle") for name in NAMES]
    for turn in (0.0, 0.05, 0.3):
        x, u = np.zeros(len(NAMES)), np.zeros(len(NAMES))
        x[0], x[2 : 2 + N] = -turn, turn * 35 / 18 + 2e-3
        x[1], x[2 + N :] = x[0], x[2 : 2 + N]
        u[order] = x
        found = -reduced.forward(u, np.zeros(len(NAMES)))[order][2 : 2 + N] * hand.p["pinion_inertia"]
        assert found / hand.R == pytest.approx(hand.mesh(x, 0 * x)[1], rel=1e-9)


def test_inertias_of_the_table_are_those_of_discs():
    """Table 1 is consistent: both wheels are steel discs of their pitch circle with one width."""
    p = model("yaw-drive").assemble().prepared.numbers.parameters
    widths = [
        p[f"{name}_inertia"] / (7850 * np.pi / 2 * (p[f"{name}_teeth"] * p["module"] / 2) ** 4)
        for name in ("pinion", "gear")
    ]
    assert widths == pytest.approx([0.134, 0.134], rel=5e-3)


@pytest.mark.slow
def test_any_number_of_pinions():
    """Made by the program, the four are those of the file; six share the load of six motors."""
    file, made = model("yaw-drive"), with_pinions(model("yaw-drive"), N)
    rng = np.random.default_rng(1)
    u, rates = 1e-2 * rng.normal(size=10), rng.normal(size=10)
    systems = [m.reduced() for m in (file, made)]
    places = [[s.names.index(f"{name}.bearing.angle") for name in NAMES] for s in systems]
    found = []
    for system, order in zip(systems, places, strict=True):
        at, speed = np.zeros(10), np.zeros(10)
        at[order], speed[order] = u, rates
        found.append(system.forward(at, speed)[order])
    assert found[1] == pytest.approx(found[0], rel=1e-9)
    six = yaw_drive(6)
    assert len(six.reduced().names) == 14
    assert six.assemble().prepared.numbers.parameters["load"] == pytest.approx(6 * 2000 * 35 / 18)


@pytest.mark.slow
def test_start_of_the_file():
    """It reaches 4 rad/s, and each pinion a quarter of the load: T/R_b = 15.8 kN."""
    r = result("yaw-drive")
    assert r["nacelle.w"].to_numpy()[-1] == pytest.approx(-4, abs=0.01)
    base = 18 * 7.5e-3 * np.cos(np.radians(20))
    parted = False
    last = r.t > 2 - 2 * np.pi / (4 * 35 / 18)  # a turn of the pinions
    for k in range(1, N + 1):
        force = r[f"mesh{k}.force.transverse"].to_numpy()
        assert force[last].mean() == pytest.approx(2000 / base, rel=0.01)
        assert force[r.t < 0.1].max() > 1.5 * 2000 / base  # the teeth meet at speed
        parted = parted or bool(np.any(r[f"mesh{k}.side"].to_numpy()[(r.t > 0.01) & (r.t < 0.1)] == 0))
    assert parted  # and some part again


@pytest.mark.slow
def test_nonlinearity_weakens_with_soft_shafts():
    """Bai's first figure: with stiff shafts contact is lost at resonance, the curve bends to lower frequencies, and the
    ways up and down differ; with soft ones nothing of that is left.
    """
    soft = frequency_response(2e5, np.arange(35, 42, 1.0), settle=60, measure=10)
    stiff = frequency_response(1e7, np.arange(54, 68, 2.0), settle=60, measure=10)
    assert soft.share < 0.35
    assert stiff.share > 0.9
    assert soft.open == 0
    assert soft.hysteresis == 0
    assert soft.rms("up") == pytest.approx(soft.rms("down"), rel=1e-3)
    assert stiff.open > 0.2
    assert stiff.hysteresis >= 4
    up, down = stiff.rms("up"), stiff.rms("down")
    assert np.argmax(down) < np.argmax(up)  # it bends to the left, and goes on further on the way down
    assert down.max() > 1.3 * up.max()
    assert [jump.direction for jump in stiff.sweep.jumps(SIGNAL) if jump.change < 0] == ["down"]


def test_an_error_turns_wheels_with_torques_in_the_ratio_of_their_teeth():
    """Of 18 and 35 teeth; along a gradient of the deflection the ratio was 1.96."""
    m = steady(5e5, law="linear", stiffness_range=0)
    at = m.assemble()
    force = force_by_zero(at, "mesh1", np.zeros(at.prepared.program.nv)).reshape(-1, 6)
    bodies = at.prepared.program.bodies
    ratio = force[bodies.index("gear"), 5] / force[bodies.index("pinion1"), 5]
    teeth = at.prepared.numbers.parameters
    assert ratio == pytest.approx(teeth["gear_teeth"] / teeth["pinion_teeth"], rel=1e-4)


@pytest.mark.slow
def test_peak_of_linear_theory():
    """A resonance falls between frequencies 1 Hz apart; its peak is that of a grid a hundred times as fine."""
    coarse, peak, _ = linear_response(5e5, np.arange(20.0, 91.0))
    fine, _, _ = linear_response(5e5, np.arange(49.9, 50.9, 0.01))
    assert peak == pytest.approx(fine.max(), rel=2e-3)
    assert peak == pytest.approx(541e-6, rel=2e-3)
    assert coarse.max() < 0.93 * peak


@pytest.mark.slow
def test_linear_theory_of_the_errors():
    """Superposed responses of the four meshes against a sweep with teeth that cannot part, where the stiffness varies
    little. The sweep is 2.2 % lower at 46 Hz, near the resonance, and 1 % and 0.1 % off beside it.
    """
    frequencies = np.array([30.0, 46.0, 75.0])
    weak = {"stiffness_range": 2e6}
    m = steady(1e6, law="linear", **weak)
    s = m.sweep(
        "speed", 2 * np.pi * frequencies / 35, signals=[SIGNAL], frequency="speed*gear_teeth/(2*pi)",
        settle=60, measure=10, formulation="reduced", rtol=1e-6, atol=1e-8,
    )  # fmt: skip
    linear, _, _ = linear_response(1e6, frequencies, **weak)
    assert s[SIGNAL]["rms"].sel(direction="up").to_numpy() == pytest.approx(linear, rel=0.025)


@pytest.mark.slow
@pytest.mark.parametrize("extra", [(0, 0, 0, 0), (200, -200, 100, -100)])
def test_load_sharing(extra):
    """Bai's second figure. In the mean each pinion carries what its motor gives: F_i R_b = T_i. What swings about that
    does so alike, within the change of the load.
    """
    found = load_sharing(extra, turns=2, output=1000, settle=1.2)
    assert found.shares == pytest.approx(found.torques / found.torques.sum(), abs=3e-4)
    base = 18 * 7.5e-3 * np.cos(np.radians(20))
    assert found.forces[found.steady].mean(axis=0) == pytest.approx(found.torques / base, rel=2e-3)
    assert np.all(found.swing < 0.06 * found.torques / base)
    if not any(extra):
        assert found.swing == pytest.approx(found.swing[0], rel=0.02)
