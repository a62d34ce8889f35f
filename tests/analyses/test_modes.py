"""Modes against closed forms, the eigenvalues of the whole problem, and energy balances."""

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.vibration.eigen import damping_ratio, eigen

HZ = 1 / (2 * np.pi)


def chain(inertias, stiffnesses, dampings=None, kind="planar"):
    """Rotors on one axis joined by shafts; torsional vibration."""
    m = ww.Mechanism("chain", kind=kind, gravity=(0, 0) if kind == "planar" else (0, 0, 0))
    for k, inertia in enumerate(inertias):
        if kind == "planar":
            m.add(f"disk{k}", ww.Body(mass=1, inertia=inertia))
            m.add(f"axle{k}", ww.Revolute(bodies=("ground", f"disk{k}"), point=(0, 0)))
        else:
            m.add(f"disk{k}", ww.Body(mass=1, inertia=(inertia, inertia, inertia), position=(0, 0, k)))
            axle = {"point": (0, 0, k), "axis": (0, 0, 1)}
            m.add(f"axle{k}", ww.Revolute(bodies=("ground", f"disk{k}"), **axle))
    for k, stiffness in enumerate(stiffnesses):
        damping = 0.0 if dampings is None else dampings[k]
        ends = {"bodies": (f"disk{k}", f"disk{k + 1}"), "axis": (0, 0, 1)}
        m.add(f"shaft{k}", ww.TorsionalSpring(stiffness=stiffness, damping=damping, **ends))
    return m


@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_uniform_torsional_chain(kind):
    """n equal disks and shafts, both ends free: omega_j = 2 sqrt(k/J) sin(pi j/(2 n)), shapes are cosines."""
    n, J, k = 6, 0.02, 5000.0
    found = chain([J] * n, [k] * (n - 1), kind=kind).modes()
    j = np.arange(n)
    exact = 2 * np.sqrt(k / J) * np.sin(np.pi * j / (2 * n)) * HZ
    assert found.natural_frequencies == pytest.approx(exact, rel=1e-12, abs=1e-6)
    assert found[0].kind == "rigid"
    assert found[0].strain == {}
    for mode in found:
        shape = mode.shape[:, 5]
        cosine = np.cos(np.pi * (mode.number - 1) * (np.arange(n) + 0.5) / n)
        likeness = abs(shape @ cosine) / np.linalg.norm(shape) / np.linalg.norm(cosine)
        assert likeness == pytest.approx(1, abs=1e-12)
        assert J * np.sum(shape**2) == pytest.approx(1, rel=1e-12)  # unit modal mass
        if mode.number > 1:
            twist = np.diff(shape) ** 2
            assert [mode.strain[f"shaft{i}"] for i in range(n - 1)] == pytest.approx(twist / twist.sum())


def test_damping_proportional_to_stiffness():
    """C = beta K: zeta = beta omega/2, shapes unchanged; every element has its share in it."""
    beta = 2e-5
    stiff = np.array([3000.0, 7000.0, 2000.0])
    found = chain([0.02, 0.05, 0.01, 0.03], stiff, beta * stiff).modes()
    for mode in list(found)[1:]:
        omega = 2 * np.pi * mode.natural_frequency
        zeta = beta * omega / 2
        assert mode.damping == pytest.approx(zeta, rel=1e-9)
        assert mode.frequency == pytest.approx(omega * np.sqrt(1 - zeta**2) * HZ, rel=1e-9)
        assert sum(mode.dissipation.values()) == pytest.approx(zeta, rel=1e-9)
        assert sum(sum(parts) for parts in mode.kinetic.values()) == pytest.approx(1)
        assert sum(mode.strain.values()) == pytest.approx(1)


def test_single_oscillator_beyond_critical_damping():
    m = chain([1.0, 2.0], [30.0], [50.0])
    mode = m.modes()[1]
    J = 2 / 3
    roots = np.roots([J, 50.0, 30.0])
    assert np.sort(mode.eigenvalues.real) == pytest.approx(np.sort(roots), rel=1e-9)
    assert mode.damping == pytest.approx(50 / (2 * np.sqrt(30 * J)), rel=1e-9)
    assert mode.frequency == 0
    assert mode.natural_frequency == pytest.approx(np.sqrt(30 / J) * HZ)


def test_random_damped_systems_keep_every_eigenvalue():
    """Each eigenvalue of the whole problem belongs to one mode and no other."""
    rng = np.random.default_rng(1)
    for size in (1, 3, 6):
        for amount in (0.01, 0.5, 4.0):
            B, D, G = rng.normal(size=(3, size, size))
            K, C = B @ B.T + 0.1 * np.eye(size), amount * D @ D.T + (G - G.T)
            found = eigen(C, K)
            whole = np.linalg.eigvals(np.block([[0 * K, np.eye(size)], [-K, -C]]))
            left = list(whole)
            for value in found.damped.ravel():
                best = int(np.argmin(np.abs(np.array(left) - value)))
                assert abs(left.pop(best) - value) < 1e-6 * (1 + abs(value))


def test_small_damping_by_perturbation():
    """To first order the damping ratio is x* C x/(2 omega), whatever C."""
    rng = np.random.default_rng(5)
    B, D = rng.normal(size=(2, 5, 5))
    K, C = B @ B.T + np.eye(5), 1e-5 * D @ D.T
    found = eigen(C, K)
    for k, value in enumerate(found.undamped):
        x = found.vectors[:, k]
        assert damping_ratio(found.damped[k]) == pytest.approx(x @ C @ x / (2 * abs(value)), rel=1e-4)


def rotor(speed, k=2e5, inertia=(0.02, 0.02, 0.03), mass=4.0, arm=0.2, tilt_k=500.0):
    """A rigid rotor on springs, turning about z at a given speed."""
    del arm
    m = ww.Mechanism("rotor", gravity=(0, 0, 0), parameters={"speed": f"{speed} rad/s"})
    m.add("disk", ww.Body(mass=mass, inertia=inertia, angular_velocity=(0, 0, "speed")))
    m.add("sleeve", ww.Body(mass=1e-9, inertia=(1e-12, 1e-12, 1e-12)))
    m.add("spin", ww.Revolute(bodies=("sleeve", "disk"), point=(0, 0, 0), axis=(0, 0, 1)))
    stiffness = {"stiffness": (k, k, k), "rotational_stiffness": (tilt_k, tilt_k, tilt_k)}
    m.add("bearing", ww.Bushing(bodies=("ground", "sleeve"), point=(0, 0, 0), axis=(0, 0, 1), **stiffness))
    return m


def test_gyroscopic_splitting():
    """Tilt of a symmetric rotor at speed Omega: J_t w^2 -+ J_p Omega w - k = 0."""
    J_t, J_p, k, speed = 0.02, 0.03, 500.0, 120.0
    found = rotor(speed).modes()
    forward, backward = (
        (sign * J_p * speed + np.sqrt((J_p * speed) ** 2 + 4 * J_t * k)) / (2 * J_t) for sign in (1, -1)
    )
    whirling = {
        round(mode.whirl): mode for mode in found if abs(mode.whirl) > 0.9 and mode.kinetic["disk"][1] > 0.9
    }
    assert whirling[1].natural_frequency == pytest.approx(forward * HZ, rel=1e-6)
    assert whirling[-1].natural_frequency == pytest.approx(backward * HZ, rel=1e-6)
    # across, the rotor does not feel its speed: the two frequencies of sqrt(k/m) stay together
    lateral = [mode for mode in found if mode.kinetic["disk"][0] > 0.9]
    assert [mode.natural_frequency for mode in lateral] == pytest.approx(
        [np.sqrt(2e5 / 4) * HZ] * 3, rel=1e-6
    )


@pytest.mark.slow
def test_campbell_diagram_of_a_gyroscopic_rotor(tmp_path):
    """Curves of the tilt modes J_t w^2 -+ J_p Omega w - k = 0 are followed through the whole range, also where the
    forward one crosses the translations; J_p < J_t has a critical speed sqrt(k/(J_t - J_p)) forward.
    """
    J_t, J_p, k = 0.03, 0.02, 500.0
    speeds = np.linspace(0, 300, 31)
    found = rotor(1.0, inertia=(J_t, J_t, J_p)).campbell("speed", speeds, orders=[1])
    forward, backward = (
        (sign * J_p * speeds + np.sqrt((J_p * speeds) ** 2 + 4 * J_t * k)) / (2 * J_t) * HZ
        for sign in (1, -1)
    )
    curves = found.natural_frequencies
    assert min(np.abs(curves - forward[:, None]).max(axis=0)) < 1e-4
    assert min(np.abs(curves - backward[:, None]).max(axis=0)) < 1e-4
    synchronous = [c.value for c in found.criticals() if c.whirl > 0.9]
    # between values 10 rad/s apart by straight lines
    assert min(np.abs(np.array(synchronous) - np.sqrt(k / (J_t - J_p)))) < 0.1
    found.save(tmp_path / "campbell.nc")
    assert (tmp_path / "campbell.nc").stat().st_size > 0
    top = found.plot().axes[0]
    words = [text.get_text() for text in top.texts]
    assert "mode" in words
    assert any(f"{value:.4g}" in words for value in synchronous)
    assert top.get_legend() is None


def test_two_rotors_and_a_mesh_have_the_equivalent_mass():
    """Paper 5, (3.1)-(3.2): two wheels and a spring along the line of action swing with k/m_e."""
    I1, I2, R1, R2, k = 0.55, 7.85, 0.127, 0.247, 3.5e7
    m = ww.Mechanism("pair", kind="planar", gravity=(0, 0))
    for name, inertia, x in (("pinion", I1, 0.0), ("wheel", I2, R1 + R2)):
        m.add(name, ww.Body(mass=10, inertia=inertia, position=(x, 0)))
        m.add(f"{name}-axle", ww.Revolute(bodies=("ground", name), point=(x, 0)))
    m.add("teeth", ww.Spring(bodies=("pinion", "wheel"), point_a=(R1, -1), point_b=(R1, 1), stiffness=k))
    m_e = I1 * I2 / (R1**2 * I2 + R2**2 * I1)
    found = m.modes()
    assert found[1].natural_frequency == pytest.approx(np.sqrt(k / m_e) * HZ, rel=1e-12)
    assert found[1].strain == {"teeth": pytest.approx(1)}


def test_pendulum_energy_is_in_the_load_of_its_hinge():
    from .models import pendulum

    mode = pendulum(angle=np.pi / 2).modes()[0]
    assert mode.strain == {"hinge (load)": pytest.approx(1)}


def test_an_upright_pendulum_is_unstable():
    from .models import G, pendulum

    mode = pendulum(angle=-np.pi / 2).modes()[0]
    assert mode.kind == "unstable"
    assert mode.growth == pytest.approx(np.sqrt(2 * G / 2.3), rel=1e-9)
    assert np.isnan(mode.damping)


def test_effective_masses_add_up():
    """A body on springs in the plane: all of its mass moves with its two translations."""
    m = ww.Mechanism("block", kind="planar", gravity=(0, 0))
    m.add("block", ww.Body(mass=3, inertia=0.1))
    m.add(
        "mount",
        ww.Bushing(
            bodies=("ground", "block"), point=(0.1, 0.05), stiffness=(2000, 5000), rotational_stiffness=100
        ),
    )
    total = sum(mode.effective_mass for mode in m.modes())
    assert total == pytest.approx([1, 1, 0])


@pytest.mark.slow
def test_files_and_mistakes(tmp_path):
    import json

    import xarray as xr

    found = chain([0.02, 0.05], [3000.0], [0.1]).modes()
    found.save(tmp_path / "modes.nc")
    found.save(tmp_path / "modes.json")
    with xr.open_dataset(tmp_path / "modes.nc", engine="h5netcdf") as stored:
        assert stored["frequency"].to_numpy() == pytest.approx(found.frequencies)
        assert stored["frequency"].attrs["units"] == "Hz"
        assert float(stored["strain"].sel(mode=2, element="shaft0")) == pytest.approx(1)
    text = json.loads((tmp_path / "modes.json").read_text())
    assert text["data_vars"]["damping"]["data"][0] is None  # a rigid motion has no damping ratio
    with pytest.raises(ww.ModelError, match="no body `disk9`"):
        chain([0.02, 0.05], [3000.0]).modes(planets=["disk9", "disk0"])
    with pytest.raises(ww.ModelError, match="needs `assembled`"):
        chain([0.02, 0.05], [3000.0]).modes(at="nowhere")


def test_about_a_settled_state():
    """A pendulum with a damper settles hanging; then it swings with its small-angle frequency."""
    m = ww.Mechanism("pendulum", kind="planar")
    m.add("bob", ww.Body(mass=1, inertia=0.05, position=(0.4, 0)))
    m.add("pin", ww.Revolute(bodies=("ground", "bob"), point=(0, 0)))
    m.add("drag", ww.TorsionalSpring(joint="pin", stiffness=0, damping=0.5))
    mode = m.modes(settle=30)[0]
    J = 0.05 + 0.4**2
    assert mode.natural_frequency == pytest.approx(np.sqrt(9.80665 * 0.4 / J) * HZ, rel=1e-4)
