"""Friction along the flanks of compliant teeth: forces and arms pair by pair, losses over a mesh cycle, energy."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.gears import GearPair

MODULE, MU, ALPHA = 2e-3, 0.08, np.radians(20)
LOAD, SPEED = 60.0, 40.0
ZB = {"external": 40, "internal": 60}


def driven(kind="external", sense=1.0, mu=MU, **model):
    """Wheel a turned evenly against a load on b, from where a tooth of a is at the pitch point."""
    z_b = ZB[kind]
    apart = (20 + z_b) * MODULE / 2 if kind == "external" else -(z_b - 20) * MODULE / 2
    m = ww.Mechanism("rubbing", kind="planar", gravity=(0, 0))
    ratio = -20 / z_b if kind == "external" else 20 / z_b
    m.add("a", ww.Rotor(inertia=1e-3, speed=sense * SPEED))
    m.add("b", ww.Rotor(inertia=2e-2, position=(apart, 0), speed=sense * SPEED * ratio))
    m.add("drive", ww.JointDriver(joint="a.bearing", value=f"{sense * SPEED}*t"))
    m.add("load", ww.Actuator(joint="b.bearing", value=-sense * np.sign(ratio) * LOAD))
    pressed = sense * LOAD / (z_b * MODULE / 2 * np.cos(ALPHA)) / 1e9
    teeth = {"stiffness": 1e9, "damping_ratio": 0.2, "losses": "flanks", "offset": pressed, **model}
    mesh = ww.ExternalMesh if kind == "external" else ww.InternalMesh
    sizes = {"teeth": (20, z_b), "module": MODULE, "face_width": 20e-3, "friction": mu}
    m.add("mesh", mesh(bodies=("a", "b"), model=ww.CompliantTeeth(**teeth), **sizes))
    return m


def run(m, cycles=2.0, **more):
    pitch = 2 * np.pi / 20 / SPEED
    r = m.simulate(end=cycles * pitch, output=round(400 * cycles), rtol=1e-8, atol=1e-11, **more)
    assert r.outcome.good, r.report
    return r


def places(kind, phase):
    """From the pitch point along the line of action [m], of the pairs that touch at a phase."""
    path = GearPair.of((20, ZB[kind]), MODULE, internal=kind == "internal").path
    first = path.start + (phase % 1) * path.base_pitch
    at = first + path.base_pitch * np.arange(4)
    return at[at <= path.end] - path.pitch_point


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["external", "internal"])
def test_forces_and_arms_of_every_pair(kind):
    """Torque of the drive: F r_b and, for each pair, its share of mu F at the arm that the geometry gives, by plane
    vectors; which is the radius of curvature of a's flank, rho_a = r_a sin(alpha) + xi."""
    r = run(driven(kind))
    force, phase, torque = (
        r[name].to_numpy() for name in ("mesh.force.transverse", "mesh.phase", "drive.torque")
    )
    side = 1.0 if kind == "external" else -1.0  # where the pitch point is, seen from a
    radial, tangential = np.array([side, 0.0]), np.array([0.0, side])
    normal = np.cos(ALPHA) * tangential + np.sin(ALPHA) * radial
    along = np.array([-normal[1], normal[0]])  # z x n
    exact, slides = [], []
    for F, tau in zip(force, phase, strict=True):
        xi = places(kind, tau)
        spin = SPEED * (1 + 20 / ZB[kind] if kind == "external" else 1 - 20 / ZB[kind])
        s = spin * xi / np.hypot(spin * xi, 1e-3)
        rubs = 0.0
        for x, sense in zip(xi, s, strict=True):
            at = 20 * MODULE / 2 * radial + x * normal
            arm = at[0] * along[1] - at[1] * along[0]
            assert arm == pytest.approx(20 * MODULE / 2 * np.sin(ALPHA) + x, abs=1e-12)
            rubs += sense * arm / len(xi)
        exact.append(F * 20 * MODULE / 2 * np.cos(ALPHA) + MU * F * rubs)
        slides.append(np.mean(s))
    late = r.t > 0.1 * r.t[-1]
    assert torque[late] == pytest.approx(np.array(exact)[late], rel=1e-4)
    found = r["mesh.friction.force"].to_numpy()
    assert found[late] == pytest.approx((MU * force * np.array(slides))[late], rel=1e-3, abs=0.3)
    # it turns round at the pitch point, where one pair touches
    assert found[late].min() < -0.5 * MU * force.max()
    assert found[late].max() > 0.5 * MU * force.max()


@pytest.mark.slow
def test_mean_loss_is_ohlendorfs():
    """mu H_v of the power over whole mesh cycles, H_v = pi (1/z_a + 1/z_b)(1 - eps + eps_1^2 + eps_2^2)."""
    path = GearPair.of((20, 40), MODULE).path
    one, two = (
        (path.end - path.pitch_point) / path.base_pitch,
        (path.pitch_point - path.start) / path.base_pitch,
    )
    factor = np.pi * (1 / 20 + 1 / 40) * (1 - one - two + one**2 + two**2)
    r = run(driven(damping_ratio=0.02), cycles=4.0)
    late = r.t > r.t[-1] / 4
    lost = r["mesh.power.loss"].to_numpy()[late].mean()
    through = (r["mesh.force.transverse"].to_numpy()[late] * np.cos(ALPHA) * SPEED * 20 * MODULE / 2).mean()
    assert lost / through == pytest.approx(MU * factor, rel=0.02)  # the first order in mu; even sharing
    assert 0.005 < MU * factor < 0.03


@pytest.mark.slow
def test_back_flanks_in_a_mirror():
    """Started where a tooth of a is at the pitch point, the reverse run is the mirror image of the forward one."""
    forward, reverse = run(driven()), run(driven(sense=-1.0))
    assert np.all(reverse["mesh.side"].to_numpy() == -1)
    torque = forward["drive.torque"].to_numpy()
    # shares of pairs step, and steps of the integrator meet them within their tolerance
    assert reverse["drive.torque"].to_numpy() == pytest.approx(-torque, rel=1e-4)
    assert np.ptp(torque[50:]) > 0.02 * torque.mean()


@pytest.mark.slow
def test_energy():
    """Power of drive and load, less the losses, is in the energy."""
    r = run(driven(backlash=2e-5), cycles=1.5)
    given = r["drive.torque"] * r["a.w"] + r["load.torque"] * r["b.w"]
    power = (given - r["mesh.power.loss"]).to_numpy()
    work = np.concatenate([[0], np.cumsum(np.diff(r.t) * (power[1:] + power[:-1]) / 2)])
    energy = r["energy.total"].to_numpy()
    lost = np.abs(r["mesh.power.loss"].to_numpy()).mean() * r.t[-1]
    assert energy - energy[0] == pytest.approx(work, abs=0.02 * lost)


@pytest.mark.slow
def test_methods_agree():
    explicit, implicit = (run(driven(), cycles=0.2, method=method) for method in ("dopri5", "sdirk4"))
    for name in ("b.angle", "drive.torque", "mesh.b.force.tangential"):
        assert implicit[name].to_numpy() == pytest.approx(explicit[name].to_numpy(), rel=1e-6)


def test_what_it_needs():
    m = driven()
    m.meshes["mesh"] = m.meshes["mesh"].model_copy(update={"friction": None})
    with pytest.raises(ww.ModelError, match=r"meshes\.mesh.*needs `friction` of the mesh"):
        m.assemble()
    m = ww.Mechanism("helical")
    m.add("a", ww.Rotor(inertia=1e-3))
    m.add("b", ww.Rotor(inertia=1e-3, position=(0.06 / np.cos(0.3), 0, 0)))
    model = ww.CompliantTeeth(stiffness=1e9, losses="flanks")
    sizes = {"teeth": (20, 40), "module": MODULE, "helix_angle": 0.3, "friction": 0.05}
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), model=model, **sizes))
    with pytest.raises(ww.ModelError, match="is for straight teeth"):
        m.assemble()
