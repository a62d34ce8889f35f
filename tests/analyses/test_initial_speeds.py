"""Speeds at the start: given ones are kept, others follow from the joints, contradictions are errors with numbers."""

import numpy as np
import pytest

import wheelwork as ww


def pair(kind="planar", inertias=(1.0, 1.0), speeds=(10.0, None), teeth=(20, 40)):
    """Two wheels of 20 and 40 teeth; by hand, the second turns at -20/40 of the first."""
    m = ww.Mechanism("pair", kind=kind, gravity=(0, 0) if kind == "planar" else (0, 0, 0))
    away = 0.001 * sum(teeth)
    for name, inertia, speed, x in zip("ab", inertias, speeds, (0.0, away), strict=True):
        place = (x, 0) if kind == "planar" else (x, 0, 0)
        more = {} if speed is None else {"speed": speed}
        m.add(name, ww.Rotor(inertia=inertia, position=place, **more))
    m.add("mesh", ww.ExternalMesh(bodies=("a", "b"), teeth=teeth, module="2 mm"))
    return m


@pytest.mark.parametrize("kind", ["planar", "spatial"])
@pytest.mark.parametrize("inertias", [(1.0, 1.0), (1e-7, 1e3), (1e6, 1e-6)])
def test_a_given_speed_is_kept_and_the_other_follows(kind, inertias):
    for speeds, expected in (((10.0, None), (10.0, -5.0)), ((None, 7.0), (-14.0, 7.0))):
        at = pair(kind, inertias, speeds).assemble()
        found = [np.atleast_1d(at[f"{name}.w"])[-1] for name in "ab"]
        np.testing.assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize("formulation", ["absolute", "reduced"])
def test_runs_start_with_it(formulation):
    run = pair().simulate(0.1, output=2, formulation=formulation)
    np.testing.assert_allclose(run["a.w"].values, 10.0, rtol=1e-10)  # nothing acts
    np.testing.assert_allclose(run["b.w"].values, -5.0, rtol=1e-10)


def test_speeds_that_contradict_each_other_are_an_error_with_both_numbers():
    m = pair(speeds=(10.0, 5.0))
    for analysis in (m.check, m.assemble, lambda: m.simulate(0.1)):
        with pytest.raises(ww.ModelError) as error:
            analysis()
        text = str(error.value)
        assert all(part in text for part in ("bodies.b.speed", "5 rad/s", "10 rad/s", "`a`", "-5 rad/s"))
    pair(speeds=(10.0, -5.0)).check()
    with pytest.raises(ww.ModelError, match="given 0 rad/s"):  # a zero that was written is given too
        pair(speeds=(10.0, 0.0)).check()


def test_it_holds_inside_components_and_written_files():
    m = ww.Mechanism("outer", kind="planar")
    m.add("stage", ww.Component(model=pair(speeds=(10.0, None)), position=(1, 0), angle=0.3))
    again = ww.loads(m.to_yaml())
    for model in (m, again):
        at = model.assemble()
        assert at["stage.a.w"] == pytest.approx(10.0, rel=1e-10)
        assert at["stage.b.w"] == pytest.approx(-5.0, rel=1e-10)
    m = ww.Mechanism("outer", kind="planar")
    m.add("stage", ww.Component(model=pair(speeds=(10.0, 0.0)), position=(1, 0), angle=0.3))
    with pytest.raises(ww.ModelError, match=r"0 rad/s contradicts the given 10 rad/s of `stage.a`"):
        ww.loads(m.to_yaml()).check()


CRANK, ROD, ANGLE = 0.1, 0.3, 0.7


def slider_crank(kind, spin=5.236, **slider):
    """Crank of 0.1 m at 0.7 rad, rod of 0.3 m, slider along x."""
    pin = CRANK * np.array([np.cos(ANGLE), np.sin(ANGLE)])
    end = np.array([pin[0] + np.sqrt(ROD**2 - pin[1] ** 2), 0.0])
    flat = kind == "planar"
    at = lambda p: tuple(map(float, p)) if flat else (float(p[0]), float(p[1]), 0.0)  # noqa: E731
    inertia = 0.01 if flat else (0.01, 0.01, 0.01)
    m = ww.Mechanism("slider-crank", kind=kind)
    spins = spin if flat else (0, 0, spin)
    m.add("crank", ww.Body(mass=1, inertia=inertia, position=at(pin / 2), angular_velocity=spins))
    m.add("rod", ww.Body(mass=2, inertia=inertia, position=at((pin + end) / 2)))
    m.add("slider", ww.Body(mass=50, inertia=inertia, position=at(end), **slider))
    axis = {} if flat else {"axis": (0, 0, 1)}
    for name, bodies, point in (
        ("main", ("ground", "crank"), (0, 0)),
        ("pin", ("crank", "rod"), pin),
        ("end", ("rod", "slider"), end),
    ):
        m.add(name, ww.Revolute(bodies=bodies, point=at(point), **axis))
    guide = ww.Translational if flat else ww.Prismatic
    m.add("guide", guide(bodies=("ground", "slider"), point=at(end), axis=(1, 0) if flat else (1, 0, 0)))
    return m


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["planar", "spatial"])
def test_a_crank_keeps_its_speed_though_the_slider_is_heavy(kind):
    at = slider_crank(kind).assemble()
    assert np.atleast_1d(at["crank.w"])[-1] == pytest.approx(5.236, rel=1e-9)
    # x = r cos f + sqrt(l^2 - r^2 sin^2 f), differentiated
    sine, cosine = np.sin(ANGLE), np.cos(ANGLE)
    slope = -CRANK * sine - CRANK**2 * sine * cosine / np.sqrt(ROD**2 - (CRANK * sine) ** 2)
    assert np.atleast_1d(at["slider.velocity"])[0] == pytest.approx(5.236 * slope, rel=1e-9)


def test_joints_that_do_not_allow_a_speed_say_which_they_allow():
    with pytest.raises(ww.ModelError, match=r"slider.velocity.*\(0, 1\) m/s contradicts joints and meshes"):
        slider_crank("planar", velocity=(0, 1)).check()
    along = r"slider.velocity.*\(0.3, 1\) m/s contradicts joints and meshes, which allow \(0.3, 0\) m/s"
    with pytest.raises(ww.ModelError, match=along):
        slider_crank("planar", velocity=(0.3, 1)).check()
    m = slider_crank("planar")
    m.add("motor", ww.JointDriver(joint="main", value="3*t"))
    with pytest.raises(
        ww.ModelError, match=r"crank.angular_velocity.*5.236 rad/s .*`motor`.* make it 3 rad/s"
    ):
        m.check()


def test_a_speed_that_is_refused_is_told_the_nearest_one_that_joints_allow():
    """A blade along y lets the body go along y: 1 m/s along x is too much, 0.6 along y is not (it said (0, 0))."""
    m = ww.Mechanism("sleigh", kind="planar", gravity=(0, 0))
    m.add("sleigh", ww.Body(mass=2, inertia=0.1, position=(0.2, 0), velocity=(1, 0.6), angular_velocity=3))
    m.add("blade", ww.KnifeEdge(bodies=("ground", "sleigh"), point=(0, 0), axis=(0, 1)))
    with pytest.raises(ww.ModelError, match=r"the given \(1, 0.6\) m/s contradicts .* allow \(0, 0.6\) m/s"):
        m.check()


def test_what_joints_leave_free_starts_with_the_least_energy():
    """Two rods that hang in a row; only the first is given a speed. The second is pushed at its end, by hand:
    least of m v^2 + J w^2 with v = W L + w L/2."""
    length, mass, spin = 0.4, 1.5, 3.0
    inertia = mass * length**2 / 12
    m = ww.Mechanism("double pendulum", kind="planar")
    for name, y, more in (("upper", -0.2, {"angular_velocity": spin}), ("lower", -0.6, {})):
        m.add(name, ww.Body(mass=mass, inertia=inertia, position=(0, y), **more))
    m.add("top", ww.Revolute(bodies=("ground", "upper"), point=(0, 0)))
    m.add("middle", ww.Revolute(bodies=("upper", "lower"), point=(0, -length)))
    expected = -mass * spin * length * (length / 2) / (inertia + mass * length**2 / 4)
    at = m.assemble()
    assert at["upper.w"] == pytest.approx(spin, rel=1e-10)
    assert at["lower.w"] == pytest.approx(expected, rel=1e-10)
    m.bodies["lower"].angular_velocity = 0.0  # given as zero, it is kept at zero
    at = m.assemble()
    assert at["upper.w"] == pytest.approx(spin, rel=1e-10)
    assert at["lower.w"] == pytest.approx(0.0, abs=1e-10)
