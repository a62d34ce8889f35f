"""Stability of steady and periodic motions: zones of Mathieu's equation and of rotors, against kicked runs."""

import signal
from importlib import import_module

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import mathieu_a, mathieu_b

import wheelwork as ww
from wheelwork import examples
from wheelwork.analyses.floquet import periodic
from wheelwork.analyses.kinks import OperatingPointWarning
from wheelwork.analyses.simulate import RunWarning

from .contact_pairs import LINEAR, contact_pair
from .test_gear_vibration import STIFFNESS, TEETH, pair
from .test_mesh_cycle import F_0

W_0 = 2 * np.pi * F_0
PART = 0.3


def geared(damping=0.0, **teeth):
    """The pair with a stiffness that varies by `part`, its mesh frequency `over` times the natural one."""
    varies = {"type": "constant", "value": STIFFNESS, "variation": [{"amplitude": f"part*{STIFFNESS}"}]}
    m = pair(law="linear", damping=damping, stiffness=varies, **teeth)
    m.parameters.update(over=2.0, part=PART)
    m.bodies["pinion"].angular_velocity = f"over*{W_0 / TEETH[0]}"
    m.bodies["wheel"].angular_velocity = f"-over*{W_0 / TEETH[1]}"
    return m


def mathieu(n):
    """Edges of the zone near 2/n of Mathieu's equation: with s = f t/2, a = (2/f)^2 and q = e a/2."""
    return sorted(
        brentq(lambda f, c=c: c(n, PART / 2 * (2 / f) ** 2) - (2 / f) ** 2, 1.75 / n, 2.35 / n)
        for c in (mathieu_a, mathieu_b)
    )


def rotor(inertia, tilt, speed=145.0):
    """A disc in a ball joint, held upright by two springs at right angles, far away so that they stay so."""
    h, far = 0.5, 1000.0
    m = ww.Mechanism("rotor", gravity=(0, 0, 0))
    m.parameters["speed"] = f"{speed} rad/s"
    m.add("disc", ww.Body(mass=4, inertia=inertia, angular_velocity=(0, 0, "speed")))
    m.add("ball", ww.Spherical(bodies=("ground", "disc"), point=(0, 0, 0)))
    for axis, (dx, dy), k in (("x", (1, 0), tilt[1]), ("y", (0, 1), tilt[0])):
        ends = {"point_a": (-far * dx, -far * dy, h), "point_b": (0, 0, h), "free_length": far}
        m.add(axis, ww.Spring(bodies=("ground", "disc"), stiffness=k / h**2, **ends))
    return m


INERTIA, BEARINGS = (0.03, 0.035, 0.01), (400.0, 520.0)


@pytest.mark.slow
def test_zones_of_mathieu():
    """The first three zones, the third of 0.003 between values 0.05 apart, and their growth."""
    found = geared().stability(over={"over": np.arange(0.6, 2.35, 0.05)})
    assert [zone.cause.partition(")")[2] for zone in found.zones] == ["/3", "/2", ""]
    for zone, n, growth in zip(found.zones, (3, 2, 1), (0.0022, 0.0113, 0.0748), strict=True):
        np.testing.assert_allclose((zone.low, zone.high), mathieu(n), atol=1.1e-5 * 1.7)
        assert zone.growth / W_0 == pytest.approx(growth, rel=0.02)
    assert found.first.why == "teeth"
    assert not found.stable


@pytest.mark.parametrize("over", [0.37, 1.7, 2.4, 5.0])
def test_frequencies_beside_the_zones(over):
    """Hill's equation in second order: 1 + e^2/4/(f^2 - 4) times the mean, whatever the phase of the teeth."""
    found = geared(phase=0.2).stability(parameters={"over": over})
    assert found.stable
    frequency = found.first.floquet.frequencies[-1]
    assert frequency == pytest.approx(F_0 * (1 + PART**2 / 4 / (over**2 - 4)), rel=2e-3)
    assert np.abs(found.multipliers).max() == pytest.approx(1, abs=1e-6)


def test_damping_ends_a_zone():
    """At twice the natural frequency from zeta = 0.0749 on (e/4 in first order)."""
    m_e = STIFFNESS / W_0**2
    for zeta, stable in ((0.0740, False), (0.0758, True)):
        found = geared(damping=2 * zeta * W_0 * m_e).stability()
        assert found.stable == stable
    assert (found.exponents[:2].real < 0).all() or found.growth <= 0


def test_a_kicked_run_grows_as_said():
    """Inside the first zone; over whole mesh cycles, so that the phase is the same."""
    m = geared()
    found = m.stability()
    cycle = float(found.periods)
    m.bodies["wheel"].angular_velocity = f"-over*{W_0 / TEETH[1]} + 1e-6"
    r = m.simulate(end=60 * cycle, output=60, rtol=1e-10, atol=1e-16)
    u = np.abs(r["mesh.transmission_error"].to_numpy())
    t = r["mesh.transmission_error"].time.to_numpy()
    late, early = u[-1], u[len(u) // 2]
    assert np.log(late / early) / (t[-1] - t[len(u) // 2]) == pytest.approx(float(found.growth), rel=2e-3)


def test_load_and_contact():
    """Teeth in contact under a load: nothing is lost, and twice the mean frequency is in a zone."""
    m = contact_pair(phase=0.2, torque=30.0, viscous="none")
    m.forces.pop("drag")
    m.add("load", ww.Torque(body="gear", value=60.0))
    pressed = 30.0 / (0.02 * np.cos(np.radians(20))) / (2 * LINEAR["stiffness"])
    offset = float(m.assemble()["mesh.backlash"]) / 2 + pressed
    m.meshes["mesh"].model = m.meshes["mesh"].model.model_copy(update={"offset": offset})
    mean = m.modes().natural_frequencies[-1]
    found = []
    for over in (1.5, 2.0):
        m.bodies["pinion"].angular_velocity = 2 * np.pi * mean * over / 20
        m.bodies["gear"].angular_velocity = -2 * np.pi * mean * over / 40
        found.append(m.stability())
        assert float(found[-1].periods) == pytest.approx(1 / (mean * over), rel=1e-6)
        assert found[-1].first.why == "teeth"
    assert np.prod(found[0].multipliers) == pytest.approx(1, rel=1e-6)
    assert found[0].growth < 1e-3 * found[1].growth
    assert found[1].growth > 100


@pytest.mark.slow
def test_zones_of_an_unsymmetric_rotor_in_unsymmetric_bearings():
    """Three zones; the first, of 0.42 rad/s, lies between values 8 rad/s apart (prototype: Lagrange's equations)."""
    found = rotor(INERTIA, BEARINGS).stability(over={"speed": np.arange(96.0, 160.1, 8.0)})
    assert found.first.why == "motion"
    edges = [(zone.low, zone.high) for zone in found.zones]
    np.testing.assert_allclose(edges, [(102.276, 102.699), (119.005, 121.081), (137.218, 152.780)], atol=2e-3)
    assert found.zones[0].growth == pytest.approx(0.2376, rel=5e-3)
    assert found.zones[2].growth == pytest.approx(6.4219, rel=1e-3)


@pytest.mark.parametrize(("speed", "growth"), [(102.5, 0.2376), (120.1, 1.0344), (144.5, 6.409)])
def test_growth_of_the_rotor(speed, growth):
    found = rotor(INERTIA, BEARINGS, speed).stability()
    assert float(found.growth) == pytest.approx(growth, rel=1e-3)
    assert float(found.periods) == pytest.approx(np.pi / speed, rel=1e-9)
    assert np.prod(found.multipliers) == pytest.approx(1, abs=1e-6)


@pytest.mark.slow
def test_the_rotor_grows_so_in_a_run():
    """Seen once in each period, where it is a sum of powers: those of a matrix pencil."""
    m, period = rotor(INERTIA, BEARINGS), np.pi / 145
    m.bodies["disc"].angular_velocity = (1e-6, 2e-6, "speed")
    w = m.simulate(end=24 * period, output=24, rtol=1e-9, atol=1e-17)["disc.w"].to_numpy()[:, :2]
    hankel = np.array([w[k : k + 12].ravel() for k in range(len(w) - 12)]).T
    U, S, V = np.linalg.svd(hankel[:, :-1], full_matrices=False)
    powers = np.linalg.eigvals((U[:, :4].T @ hankel[:, 1:] @ V[:4].T) / S[:4])
    assert np.log(np.abs(powers).max()) / period == pytest.approx(6.4219, rel=1e-3)


def test_an_unsymmetric_rotor_between_its_critical_speeds():
    """In symmetric bearings: unstable from sqrt(k/(I_2 - I_z)) to sqrt(k/(I_1 - I_z))."""
    edges = np.sqrt(400.0 / (np.array([0.035, 0.03]) - 0.01))
    found = rotor(INERTIA, (400.0, 400.0)).stability(over={"speed": np.array([120.0, 131.0, 135.0, 150.0])})
    (zone,) = found.zones
    np.testing.assert_allclose((zone.low, zone.high), edges, atol=4e-4)


def test_a_symmetric_rotor_is_steady():
    found = rotor((0.03, 0.03, 0.01), BEARINGS).stability()
    assert found.first.why == "steady"
    assert found.stable
    assert np.isinf(found.periods)


def test_a_period_that_is_given():
    m = rotor(INERTIA, BEARINGS)
    one = m.stability(period="2*pi/speed")
    assert float(one.growth) == pytest.approx(float(m.stability().growth), rel=1e-6)
    with pytest.raises(
        ww.ModelError,
        match=r"neither steady nor periodic.*after the period of 0.01 s linear equations differ",
    ):
        m.stability(period=0.01)
    with pytest.raises(ww.ModelError, match="go through no whole number of mesh cycles"):
        geared().stability(period=1.3 / (2 * F_0))


def test_what_is_neither_steady_nor_periodic():
    """Two unsymmetric rotors joined by a spring, whose speeds are in the golden ratio."""
    m = rotor(INERTIA, BEARINGS)
    golden = (1 + np.sqrt(5)) / 2
    m.add(
        "other", ww.Body(mass=4, inertia=INERTIA, position=(2, 0, 0), angular_velocity=(0, 0, 145 * golden))
    )
    m.add("other-ball", ww.Spherical(bodies=("ground", "other"), point=(2, 0, 0)))
    m.add(
        "joined", ww.Spring(bodies=("disc", "other"), point_a=(0, 0, 0.4), point_b=(2, 0, 0.4), stiffness=1e3)
    )
    with pytest.raises(ww.ModelError, match=r"neither steady nor periodic: no period was found"):
        m.stability()


def test_a_planetary_stage_in_the_axes_of_its_carrier():
    """Teeth that vary on a turning carrier: a period is a mesh cycle of the ring, and losses are those of dampers."""
    m = ww.load(examples.path("load-sharing"))
    for mesh in m.meshes.values():
        mean = str(mesh.model.stiffness.value)
        varies = {"type": "constant", "value": mean, "variation": [{"amplitude": f"part*{mean}"}]}
        model = ww.CompliantTeeth(stiffness=varies)
        mesh.model = mesh.model.model_copy(update={"stiffness": model.stiffness, "errors": ()})
    m.parameters["part"] = 0.0
    (mean, found) = (m.stability(parameters={"part": part}) for part in (0.0, 0.3))
    assert found.first.why == "teeth"
    carrier = 200.0
    assert float(found.periods) == pytest.approx(2 * np.pi / (84 * carrier), rel=1e-9)
    lost = np.exp(np.trace(found.first.linear.A) * float(found.periods))
    assert np.prod(found.multipliers) == pytest.approx(lost, rel=1e-6)
    frequencies = mean.first.floquet.frequencies
    assert found.first.floquet.frequencies == pytest.approx(frequencies, rel=0.03)
    assert np.abs(found.first.floquet.frequencies / frequencies - 1).max() > 1e-3


def test_where_every_freedom_is_driven():
    found = ww.load(examples.path("geneva")).stability()
    assert found.stable
    assert found.exponents.size == 0


def test_a_map_over_two_parameters(tmp_path):
    found = geared().stability(over={"over": np.array([1.6, 2.0, 2.4]), "part": np.array([0.1, 0.5])})
    np.testing.assert_array_equal(found.growth > 0, [[False, False], [True, True], [False, False]])
    assert [zone.along for zone in found.zones] == [0.1, 0.5]
    assert found.growth[1, 1] == pytest.approx(5 * found.growth[1, 0], rel=0.05)
    found.save(tmp_path / "map.json")
    found.plot()
    assert "part" in found.columns[0]


def test_a_chart_in_a_description(tmp_path):
    m = geared()
    m.analysis = ww.StabilityAnalysis(over={"over": {"start": 1.9, "stop": 2.1, "points": 3}})
    m.save(tmp_path / "pair.yaml")
    found = ww.load(tmp_path / "pair.yaml").run()
    assert len(found.zones) == 1
    assert (found.growth > 0).all()
    found.plot()
    assert "growth [1/s]" in found._repr_html_()
    assert found.dataset["growth"].attrs["units"] == "1/s"


def test_an_interrupted_chart_keeps_what_it_has(monkeypatch):
    """Ctrl-C while the fifth point is made, which is finished."""
    stability = import_module("wheelwork.analyses.vibration.stability")
    points: list[int] = []
    whole = stability.find_exponents

    def interrupt(*given, **options):
        points.append(len(points))
        if len(points) == 5:
            signal.raise_signal(signal.SIGINT)
        return whole(*given, **options)

    monkeypatch.setattr(stability, "find_exponents", interrupt)
    found = geared().stability(over={"over": np.linspace(1.0, 2.5, 20)})
    assert found.report == "interrupted after 5 of 20"
    assert list(np.isfinite(found.growth)) == [True] * 5 + [False] * 15


def test_places_that_are_not_sought_are_said(monkeypatch):
    """A range with more places where narrow zones may be than are looked at: nothing was said, and `complete`."""
    stability = import_module("wheelwork.analyses.vibration.stability")
    over = {"over": np.linspace(1.0, 2.5, 3)}
    assert geared().stability(over=over).report == "complete"
    monkeypatch.setattr(stability, "MOST_SOUGHT", 0)
    with pytest.warns(RunWarning, match="not sought at [1-9].* take a narrower range"):
        found = geared().stability(over=over)
    assert "places not sought" in found.report


@pytest.mark.parametrize(
    ("over", "words"),
    [({"over": [2.0]}, "two values or more"), ({"over": [2, 1]}, "ascending"), ({"speed": [1, 2]}, "speed")],
)
def test_wrong_ranges(over, words):
    with pytest.raises(ww.ModelError, match=words):
        geared().stability(over=over)


def test_multipliers_of_a_matrix_that_does_not_change():
    """exp(A T), by Magnus' series of order four."""
    A = np.array([[0.0, 1.0], [-4.0, -0.2]])
    found = periodic(lambda t: np.repeat(A[None], len(t), axis=0), 0.7, 1)
    np.testing.assert_allclose(
        np.sort_complex(found.exponents), np.sort_complex(np.linalg.eigvals(A)), rtol=1e-10
    )


def test_a_stiffness_that_is_a_function_of_time():
    """x'' + w0^2 (1 + e cos(2 w0 t)) x = 0 at rest, by SciPy over a period; modes are of a moment, and say so."""
    m, w0, e = ww.Mechanism("swing", kind="planar", gravity=(0, 0)), 30.0, 0.25
    m.add("bob", ww.Body(mass=0.4, inertia=1e-4))
    m.add("slide", ww.Prismatic(bodies=("ground", "bob"), point=(0, 0), axis=(1, 0)))
    stiffness = f"{0.4 * w0**2}*(1 + {e}*cos({2 * w0}*t))"
    m.add("spring", ww.Actuator(joint="slide", value=f"-{stiffness}*slide.displacement"))
    with pytest.raises(ww.ModelError, match=r"forces change with time.*give the `period`"):
        m.stability()
    with pytest.warns(OperatingPointWarning, match="forces change with time"):
        assert m.modes()[0].natural_frequency == pytest.approx(w0 * np.sqrt(1 + e) / (2 * np.pi), rel=1e-9)
    period = np.pi / w0

    def rate(t, y):
        return [y[1], -(w0**2) * (1 + e * np.cos(2 * w0 * t)) * y[0]]

    columns = [solve_ivp(rate, (0, period), y, rtol=1e-11, atol=1e-12).y[:, -1] for y in np.eye(2)]
    growth = np.log(np.abs(np.linalg.eigvals(np.array(columns).T)).max()) / period
    for times in (1, 16):  # sixteen samples of sixteen periods are alike
        assert float(m.stability(period=times * period).growth) == pytest.approx(growth, rel=1e-5)
    with pytest.raises(ww.ModelError, match="change too often in a period"):
        m.stability(period=1024 * period)
