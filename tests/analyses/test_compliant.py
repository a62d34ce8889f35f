"""Compliant teeth in motion: the oscillator of two wheels, backlash, losses, and agreement with rigid teeth."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww

from .gear_pairs import PAIRS, in_housing
from .test_gears_balance import DRIVES, GRAVITY, SLIDING, Balance, balance

ALPHA = np.radians(20)
I_A, I_B = 1e-3, 8e-3
R_A, R_B = 20e-3, 40e-3


def two_rotors(stiffness: Any = 1e8, rigid: bool = False, mesh: Any = None, **model: Any) -> ww.Mechanism:
    """20 and 40 teeth of module 2 mm on the ground, without weight."""
    m = ww.Mechanism("pair", gravity=(0, 0, 0))
    m.add("a", ww.Rotor(inertia=I_A))
    m.add("b", ww.Rotor(inertia=I_B, position=(R_A + R_B, 0, 0)))
    teeth = ww.RigidTeeth() if rigid else ww.CompliantTeeth(stiffness=stiffness, **model)
    m.add(
        "mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=(20, 40), module=2e-3, model=teeth, **(mesh or {}))
    )
    return m


def equivalent_mass() -> float:
    """Bai (3.2): I_1 I_2/(R_1^2 I_2 + R_2^2 I_1), with base radii."""
    r_1, r_2 = R_A * np.cos(ALPHA), R_B * np.cos(ALPHA)
    return I_A * I_B / (r_1**2 * I_B + r_2**2 * I_A)


# -- small motions


@pytest.mark.slow
def test_the_oscillator_of_two_wheels():
    """(3.1)-(3.3) fall out of two rotors and a mesh: m_e, the natural frequency, and the damping ratio."""
    found = two_rotors(3e8, damping_ratio=0.07).linearise()
    omega = np.sqrt(3e8 / equivalent_mass())
    assert found.frequencies[-1] == pytest.approx(omega / (2 * np.pi), rel=1e-10)
    pair = found.eigenvalues[np.argsort(np.abs(found.eigenvalues))][-2:]
    assert pair.real == pytest.approx(-0.07 * omega, rel=1e-9)


@pytest.mark.parametrize("law", ["contact", "elastic", "printed", "linear"])
def test_all_laws_have_the_same_spring_and_damper(law):
    found = two_rotors(1e8, damping=500.0, law=law).linearise()
    slowest_last = np.roots([equivalent_mass(), 500.0, 1e8])
    pair = found.eigenvalues[np.argsort(np.abs(found.eigenvalues))][-2:]
    assert np.sort_complex(pair) == pytest.approx(np.sort_complex(slowest_last), rel=1e-9)


@pytest.mark.parametrize("kind", ["internal", "rack"])
@pytest.mark.parametrize("planar", [False, True])
def test_frequencies_of_ring_and_rack(kind, planar):
    m = ww.Mechanism("pair", kind="planar" if planar else "spatial", gravity=(0, 0) if planar else (0, 0, 0))
    at = (lambda x, y: (x, y)) if planar else (lambda x, y: (x, y, 0.0))
    model = ww.CompliantTeeth(stiffness=2e7)
    m.add("a", ww.Rotor(inertia=I_A))
    if kind == "internal":
        m.add("b", ww.Rotor(inertia=0.05, position=at(-0.03, 0)))
        m.add("mesh", ww.InternalMesh(bodies=("a", "b"), teeth=(20, 50), module=2e-3, model=model))
        mobility = R_A**2 / I_A + 0.05**2 / 0.05
    else:
        m.add("b", ww.Body(mass=3.0, inertia=0.1 if planar else (0.1, 0.1, 0.1), position=at(0, -R_A)))
        m.add("guide", ww.Prismatic(bodies=("ground", "b"), point=at(0, -R_A), axis=at(1, 0)))
        m.add("mesh", ww.RackMesh(bodies=("a", "b"), teeth=20, module=2e-3, model=model))
        mobility = R_A**2 / I_A + 1 / 3.0
    exact = np.sqrt(2e7 * np.cos(ALPHA) ** 2 * mobility) / (2 * np.pi)
    assert m.linearise().frequencies[-1] == pytest.approx(exact, rel=1e-9)


@pytest.mark.slow
def test_small_motions_in_the_backlash_are_free():
    assert np.abs(two_rotors(1e8, backlash=1e-4).linearise().eigenvalues).max() < 1e-3


# -- flight through the backlash


def test_impact_of_two_wheels():
    """a flies freely through the backlash, is in contact for half a period of the oscillator, and leaves the energy
    and the momentum as they were: an elastic impact."""
    m = two_rotors(1e7, backlash=2e-4)
    speed = 3.0
    m.bodies["a"].speed, m.bodies["b"].speed = speed, 0
    r_1, r_2 = R_A * np.cos(ALPHA), R_B * np.cos(ALPHA)
    touch, lasts = 1e-4 / (speed * r_1), np.pi * np.sqrt(equivalent_mass() / 1e7)
    leaves = touch + lasts
    r = m.simulate(end=leaves + 0.3 * touch, output=2000, rtol=1e-10, atol=1e-12)
    assert r.outcome.good, r.report
    t, force, side = r.t, r["mesh.force.transverse"].to_numpy(), r["mesh.side"].to_numpy()
    before, during, after = t < touch - 1e-6, (t > touch + 1e-6) & (t < leaves - 1e-6), t > leaves + 1e-6
    assert min(before.sum(), during.sum(), after.sum()) > 50
    assert np.all(force[before | after] == 0)
    assert np.all(side[during] == 1)
    assert np.all(side[before | after] == 0)
    omega = np.pi / lasts
    exact = 1e7 * speed * r_1 / omega * np.sin(omega * (t - touch))
    assert force[during] == pytest.approx(exact[during], abs=1e-6 * exact[during].max())
    # elastic: the relative speed along the line of action turns round
    w_a, w_b = r["a.w"].to_numpy(), r["b.w"].to_numpy()
    assert (w_a * r_1 + w_b * r_2)[after] == pytest.approx(-speed * r_1, rel=1e-7)
    impulse = 2 * equivalent_mass() * speed * r_1
    assert w_a[after] == pytest.approx(speed - impulse * r_1 / I_A, rel=1e-7)
    assert w_b[after] == pytest.approx(-impulse * r_2 / I_B, rel=1e-7)
    assert np.ptp(r["energy.total"].to_numpy()) < 1e-7 * r["energy.total"].to_numpy()[0]
    gap = r["mesh.gap"].to_numpy()
    assert gap[0] == pytest.approx(1e-4, rel=1e-9)
    assert gap[during].max() < 0


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_a_damper_that_acts_at_once_at_any_tolerance(formulation):
    """With damping, the force jumps when flanks meet (law `contact`), and no step is short enough for an error of 1e-11
    across that: it ended the run. x'' + 2 z w x' + w^2 x = 0 until the force, k x + c x', is zero again; with
    x = v exp(-z w t) sin(w_d t)/w_d that is at tan(w_d t) = 2 z w w_d/(w^2 (2 z^2 - 1))."""
    m = two_rotors(1e7, backlash=2e-4, damping_ratio=0.1)
    m.bodies["a"].speed, m.bodies["b"].speed = 3.0, 0
    r = m.simulate(end=0.01, output=100, rtol=1e-11, atol=1e-13, formulation=formulation)
    assert r.outcome.good, r.report
    r_1, r_2, z, w = R_A * np.cos(ALPHA), R_B * np.cos(ALPHA), 0.1, np.sqrt(1e7 / equivalent_mass())
    damped = w * np.sqrt(1 - z**2)
    lasts = np.arctan2(2 * z * w * damped, w**2 * (2 * z**2 - 1)) / damped
    leaves = np.exp(-z * w * lasts) * (np.cos(damped * lasts) - z * w / damped * np.sin(damped * lasts))
    after = r.t > 1e-4 / (3.0 * r_1) + lasts + 1e-6
    relative = (r["a.w"].to_numpy() * r_1 + r["b.w"].to_numpy() * r_2)[after]
    assert len(relative) > 10
    np.testing.assert_allclose(relative[:5], leaves * 3.0 * r_1, rtol=1e-6)


@pytest.mark.slow
def test_the_printed_law_drags_in_the_backlash():
    """(3.4) as printed: m_e u'' + c u' = 0 between the flanks; the other laws let the wheels fly."""
    speed, c = 0.2, 40.0
    runs = {}
    for law in ("printed", "contact", "elastic"):
        m = two_rotors(1e7, backlash=4e-3, damping=c, law=law)
        m.bodies["a"].speed, m.bodies["b"].speed = speed, 0
        r = m.simulate(end=5e-3, output=20, rtol=1e-11, atol=1e-14)
        runs[law] = r["mesh.transmission_error"].to_numpy()
    u = speed * R_A * np.cos(ALPHA)
    decay = c / equivalent_mass()
    assert runs["printed"] == pytest.approx(u * (1 - np.exp(-decay * r.t)) / decay, abs=1e-12)
    assert runs["contact"] == pytest.approx(u * r.t, abs=1e-12)
    assert runs["elastic"] == pytest.approx(u * r.t, abs=1e-12)


# -- losses and energy


@pytest.mark.slow
@pytest.mark.parametrize("law", ["contact", "elastic", "printed"])
def test_energy_balance(law):
    """What the drive gives and what varying stiffness and error push in, less the losses, is in the energy."""
    stiffness = {
        "type": "constant",
        "value": 2e7,
        "variation": [{"amplitude": 6e6}, {"order": 3, "amplitude": 2e6}],
    }
    errors = [
        {"amplitude": 4e-6, "phase": 0.3},
        {"per": "b", "amplitude": 2e-5},
        {"per": "a", "amplitude": 1e-5},
    ]
    m = two_rotors(
        stiffness,
        mesh={"efficiency": 0.97},
        damping=300.0,
        backlash=4e-5,
        law=law,
        errors=errors,
        slip_speed=0.05,
    )
    m.bodies["a"].speed = 20.0
    m.bodies["b"].speed = -10.0
    m.add("drive", ww.Actuator(joint="a.bearing", value="3*sin(300*t)"))
    r = m.simulate(end=0.06, output=60001, rtol=1e-10, atol=1e-13)
    assert r.outcome.good, r.report
    side = r["mesh.side"].to_numpy()
    assert {-1.0, 0.0, 1.0} <= set(side)
    drive = r["drive.torque"].to_numpy() * r["a.w"].to_numpy()
    lost, pushed = r["mesh.power.loss"].to_numpy(), r["mesh.power.excitation"].to_numpy()
    assert lost.min() >= -1e-9
    energy = r["energy.total"].to_numpy()
    step = np.diff(r.t)
    works = [np.concatenate([[0], np.cumsum(step * (p[1:] + p[:-1]) / 2)]) for p in (drive, -lost, pushed)]
    assert min(np.ptp(work) for work in works) > 1e-4  # all three matter
    assert energy - energy[0] == pytest.approx(sum(works), abs=2e-6 * sum(np.ptp(work) for work in works))


@pytest.mark.slow
def test_efficiency_of_a_steady_drive():
    """Power out over power in is the efficiency, whichever wheel drives."""
    for torques, driver in (((10.0, 19.0), "a"), ((-9.5, -20.0), "b")):
        m = two_rotors(1e8, mesh={"efficiency": 0.95}, damping_ratio=0.5, slip_speed=1e-3)
        m.bodies["a"].speed, m.bodies["b"].speed = 100.0, -50.0
        for body, torque in zip("ab", torques, strict=True):
            m.add(f"on-{body}", ww.Actuator(joint=f"{body}.bearing", value=torque))
        r = m.simulate(end=0.05, output=20)
        alpha = r["a.acceleration"].to_numpy()[-5:]
        assert alpha == pytest.approx(0, abs=1e-4 * 10 / I_A), driver  # these torques are in balance
        for body, torque, radius in zip("ab", torques, (R_A, R_B), strict=True):
            assert r[f"mesh.{body}.force.tangential"].to_numpy()[-1] == pytest.approx(
                -torque / radius, rel=1e-3
            )


# -- rigid teeth


@pytest.mark.slow
def test_rigid_teeth_are_the_limit():
    """Deviation from rigid teeth, once vibration has died out, falls like 1/k."""

    def run(m: ww.Mechanism) -> tuple[np.ndarray, np.ndarray]:
        m.add("drive", ww.Actuator(joint="a.bearing", value="4*sin(10*t)^2"))
        m.add("load", ww.Actuator(joint="b.bearing", value="6*sin(10*t)^2"))
        r = m.simulate(end=0.3, output=60, rtol=1e-10, atol=1e-13)
        assert r.outcome.good, r.report
        assert r["mesh.force.tangential"].to_numpy()[20:40].min() > 50
        return r["b.angle"].to_numpy(), r["mesh.force.tangential"].to_numpy()

    angle, force = run(two_rotors(rigid=True))
    errors = []
    for stiffness in (1e6, 1e7, 1e8):
        found = run(two_rotors(stiffness, damping_ratio=0.3))
        errors.append((np.abs(found[0] - angle).max(), np.abs(found[1] - force).max()))
    rates = np.log10(np.array(errors[:-1]) / np.array(errors[1:]))
    assert rates[:, 0] == pytest.approx(1.0, abs=0.05)
    assert np.all(rates[:, 1] > 0.45)
    assert errors[-1][1] < 1e-2 * force.max()


# -- the same in other ways


def geared(name: str, **model: Any) -> Any:
    teeth = ww.CompliantTeeth(**{"stiffness": 4e6, "damping": 60.0, "backlash": 3e-5, **model})
    pair = PAIRS[name](model=teeth)
    return in_housing(pair, gravity=tuple(GRAVITY), **(SLIDING if pair.rack else DRIVES))


def closes(found: Balance) -> None:
    """To the digits to which joints hold the wheels in place."""
    force, torque = found.misfits()
    assert force < 1e-11 * found.largest
    assert torque < 1e-10 * found.largest


COMPLIANT = [
    "spur", "helical", "helical, left-handed", "internal", "internal, helical", "rack", "rack, helical",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
@pytest.mark.parametrize("name", COMPLIANT)
def test_every_body_of_a_flying_gear_drive_is_in_balance(name, formulation):
    """Teeth press as text-books say, on both flanks, and the bearings carry it."""
    g = geared(name)
    r = g.mechanism.simulate(end=1.0, output=40, formulation=formulation)
    assert r.outcome.good, r.report
    tangential = r["mesh.force.tangential"].to_numpy()
    assert tangential.min() < -5
    assert tangential.max() > 5
    closes(balance(g, r))


@pytest.mark.slow
def test_balance_with_losses():
    teeth = ww.CompliantTeeth(stiffness=4e6, damping=60.0, slip_speed=0.01)
    g = in_housing(PAIRS["helical"](model=teeth, efficiency=0.9), gravity=tuple(GRAVITY), **DRIVES)
    r = g.mechanism.simulate(end=0.2, output=20)
    assert np.abs(r["mesh.friction.force"].to_numpy()).max() > 1
    closes(balance(g, r))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spur", "internal, helical", "rack"])
def test_formulations_and_methods_agree(name):
    signals = (
        "mesh.force.tangential",
        "bearing-a.reaction.force",
        "housing.position",
        "mesh.transmission_error",
    )
    runs = []
    for formulation, method in (("absolute", "dopri5"), ("reduced", "dopri5"), ("absolute", "sdirk4")):
        m = geared(name).mechanism
        end = {"end": 0.03, "output": 6, "rtol": 1e-10, "atol": 1e-12}
        runs.append(m.simulate(formulation=formulation, method=method, **end))
        assert runs[-1].outcome.good, runs[-1].report
    for signal in signals:
        exact = runs[0][signal].to_numpy()
        for run in runs[1:]:
            assert run[signal].to_numpy() == pytest.approx(exact, rel=2e-4, abs=2e-4 * np.abs(exact).max())


def planetary(planar: bool, rigid: bool = False) -> ww.Mechanism:
    """Sun, ring on the ground, and two planets on a carrier that turns."""
    z_s, z_p, z_r, module = 24, 18, 60, 2e-3
    arm = (z_s + z_p) * module / 2
    m = ww.Mechanism(
        "planetary", kind="planar" if planar else "spatial", gravity=(0, -9.81) if planar else (0, -9.81, 0)
    )
    axis = {} if planar else {"axis": (0, 0, 1)}
    at = (lambda x, y: (x, y)) if planar else (lambda x, y: (x, y, 0.0))
    moments = (lambda i: i) if planar else (lambda i: (0.7 * i, 0.8 * i, i))
    m.add("sun", ww.Body(mass=0.5, inertia=moments(4e-4)))
    m.add("carrier", ww.Body(mass=1.0, inertia=moments(2e-3)))
    for body in ("sun", "carrier"):
        m.add(f"on-{body}", ww.Revolute(bodies=("ground", body), point=at(0, 0), **axis))
    teeth = ww.RigidTeeth() if rigid else ww.CompliantTeeth(stiffness=5e6, damping_ratio=0.1, backlash=2e-5)
    for k, side in enumerate((1, -1)):
        planet = f"planet{k}"
        m.add(planet, ww.Body(mass=0.3, inertia=moments(1e-4), position=at(side * arm, 0)))
        m.add(f"pin{k}", ww.Revolute(bodies=("carrier", planet), point=at(side * arm, 0), **axis))
        m.add(
            f"inner{k}", ww.ExternalMesh(bodies=("sun", planet), teeth=(z_s, z_p), module=module, model=teeth)
        )
        m.add(
            f"outer{k}",
            ww.InternalMesh(bodies=(planet, "ground"), teeth=(z_p, z_r), module=module, model=teeth),
        )
    m.add("motor", ww.Actuator(joint="on-sun", value="3*sin(20*t)"))
    m.add("load", ww.Actuator(joint="on-carrier", value="-4*sin(15*t)"))
    return m


@pytest.mark.slow
def test_a_planetary_stage_in_the_plane_and_in_space():
    runs = [
        planetary(planar).simulate(end=0.3, output=60, rtol=1e-10, atol=1e-12, formulation=formulation)
        for planar, formulation in ((True, "absolute"), (False, "absolute"), (True, "reduced"))
    ]
    for name in ("on-carrier.angle", "on-sun.angle", "inner0.transmission_error", "outer1.force.transverse"):
        exact = runs[0][name].to_numpy()
        for run in runs[1:]:
            assert run.outcome.good, run.report
            assert run[name].to_numpy() == pytest.approx(exact, rel=1e-4, abs=1e-4 * np.abs(exact).max())
    # the carrier follows the sun by the rigid ratio, within the compliance and backlash of two meshes
    ratio = 1 + 60 / 24
    play = 2 * (2e-5 + np.abs(runs[0]["inner0.deflection"].to_numpy()).max()) / (R_A * np.cos(ALPHA))
    turned = runs[0]["on-sun.angle"].to_numpy()
    assert np.abs(turned).max() > 1
    assert runs[0]["on-carrier.angle"].to_numpy() == pytest.approx(turned / ratio, abs=play)
