"""Position, velocity and acceleration in the plane; convergence of Newton's method; lock-up, branching, redundancy."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.assemble import assembled
from wheelwork.analyses.prepare import prepare
from wheelwork.engine.outcome import Outcome

from .planar_models import G, four_bar, hinge, link, parallelogram, pendulum, slider_crank

CRANK, ROD = 0.1, 0.3

# A motion that cannot go on warns; what the warning says is the report, which is looked at here.
pytestmark = pytest.mark.filterwarnings("ignore::wheelwork.analyses.simulate.RunWarning")


# -- Newton-Raphson


def residuals(m: ww.Mechanism, t: float, rounds: int = 8) -> np.ndarray:
    """Largest residual of Phi(q, t) = 0 after 0, 1, 2, ... rounds from the position of t = 0.

    A round can only be seen from outside: the engine is asked for one more each time, from the same start.
    """
    prepared = prepare(m)
    start = assembled(prepared, 0.0).state
    found = []
    for k in range(rounds):
        state, _ = prepared.engine.project(t, start, 1e-300, k)
        found.append(np.abs(prepared.engine.constraints(t, state)[0]).max())
    return np.array(found)


def driven_slider_crank() -> ww.Mechanism:
    m = slider_crank(CRANK, ROD, angle=0.9)
    m.add("motor", ww.JointDriver(joint="bearing", value="t"))
    return m


def driven_four_bar() -> ww.Mechanism:
    m = four_bar()
    m.add("motor", ww.JointDriver(joint="A", value="-t"))
    return m


def driven_composites() -> ww.Mechanism:
    """A crank with a massless rod to a slide that a pin in a line holds: the two composite joints."""
    m = ww.Mechanism("composite", kind="planar")
    m.add("crank", link((0, 0), (0.06, 0.08)))
    m.add("arm", ww.Body(mass=1, inertia=0.1, position=(0.4, 0.02), angle=0.2))
    m.add("bearing", hinge("ground", "crank", (0, 0)))
    m.add("rod", ww.RevoluteRevolute(bodies=("crank", "arm"), point_a=(0.06, 0.08), point_b=(0.4, 0.02)))
    m.add(
        "block",
        ww.RevoluteTranslational(
            bodies=("ground", "arm"), point_a=(0, 0), axis=(1, 0.1), point_b=(0.4, 0.02)
        ),
    )
    m.add("level", ww.Absolute(body="arm", coordinate="angle"))
    m.add("motor", ww.BodyDriver(body="crank", coordinate="angle", value="atan2(0.08, 0.06) + t"))
    return m


def driven_gears() -> ww.Mechanism:
    """A geared five-bar: two cranks in mesh carry the ends of two links that meet in a hinge."""
    m = ww.Mechanism("five-bar", kind="planar")
    points = {"B": (0.05, 0.1), "D": (0.35, 0.12), "C": (0.2, 0.4)}
    m.add("left", ww.Body(mass=1, inertia=0.01))
    m.add("right", ww.Body(mass=1, inertia=0.01, position=(0.3, 0)))
    m.add("upper", link(points["B"], points["C"]))
    m.add("lower", link(points["D"], points["C"]))
    m.add("A", hinge("ground", "left", (0, 0)))
    m.add("E", hinge("ground", "right", (0.3, 0)))
    m.add("teeth", ww.ExternalMesh(bodies=("left", "right"), radii=(0.1, 0.2)))
    m.add("B", hinge("left", "upper", points["B"]))
    m.add("D", hinge("right", "lower", points["D"]))
    m.add("C", hinge("upper", "lower", points["C"]))
    m.add("motor", ww.JointDriver(joint="A", value="t"))
    return m


def driven_cam() -> ww.Mechanism:
    """An elliptical cam under a rocker with a flat face."""
    m = ww.Mechanism("cam", kind="planar")
    m.add("cam", ww.Body(mass=1, inertia=0.1, angle=0.3))
    m.add("rocker", ww.Body(mass=1, inertia=0.1, position=(-1.5, 0.8)))
    m.add("bearing", hinge("ground", "cam", (0, 0)))
    m.add("pivot", hinge("ground", "rocker", (-1.5, 0.8)))
    ellipse = {"type": "formula", "x": "1.1*cos(s)", "y": "0.8*sin(s)"}
    face = {"point_a": (0, 0), "point_b": (0, 0.83), "direction": (1, 0.02)}
    m.add("contact", ww.CamFlat(bodies=("cam", "rocker"), outline=ellipse, **face))
    m.add("motor", ww.JointDriver(joint="bearing", value="t"))
    return m


DRIVEN = [driven_slider_crank, driven_four_bar, driven_composites, driven_gears, driven_cam]


@pytest.mark.parametrize("make", DRIVEN, ids=lambda make: make.__name__.removeprefix("driven_"))
def test_newtons_method_converges_quadratically(make):
    """|Phi| of a round is of the order of its square in the round before, down to rounding.

    p = log(e_k+1/e_k)/log(e_k/e_k-1) is 2 for quadratic convergence, 1 for that of a fixed Jacobian, 1.62 for secants.
    It is looked at where errors are small already, and large enough still to be no rounding.
    """
    orders = []
    for t in (0.2, 0.3, 0.4):
        e = residuals(make(), t)
        assert e.min() < 1e-13
        fit = [k for k in range(1, len(e) - 1) if e[k - 1] < 0.02 and e[k + 1] > 1e-13]
        orders += [np.log(e[k + 1] / e[k]) / np.log(e[k] / e[k - 1]) for k in fit]
    assert len(orders) >= 2
    assert min(orders) > 1.75  # terms of third order have not quite gone at 0.02


def test_the_number_of_right_digits_doubles():
    """From 0.02 m on: a residual is at most 4 times the square of the one before, in metres."""
    e = residuals(driven_slider_crank(), 0.9)
    last = int(np.argmax(e < 1e-12))
    assert last >= 4
    assert (e[2 : last + 1] < 4 * e[1:last] ** 2).all()


def test_rounds_are_counted():
    """From an extrapolation with three derivatives a fine sweep needs one round a position, and reports them."""
    m = slider_crank(CRANK, ROD)
    m.add("motor", ww.JointDriver(joint="bearing", value="2*pi*t"))
    fine, coarse = (m.kinematics(end=1, output=n).statistics for n in (2000, 20))
    assert fine.evaluations <= 2.1 * 2000
    assert coarse.evaluations > 2.5 * 20


# -- velocity and acceleration


@pytest.mark.slow
@pytest.mark.parametrize("make", DRIVEN, ids=lambda make: make.__name__.removeprefix("driven_"))
def test_velocities_and_accelerations_are_derivatives(make):
    """Against central differences of fine output: error h^2/6 of the third derivative."""
    m = make()
    r = m.kinematics(end=1.2, output=2400)
    h = r.t[1] - r.t[0]
    for body in m.bodies:
        for value, rate, second in (
            ("position", "velocity", "acceleration"),
            ("angle", "w", "angular_acceleration"),
        ):
            x, v, a = (r[f"{body}.{name}"].to_numpy() for name in (value, rate, second))
            assert (x[2:] - x[:-2]) / (2 * h) == pytest.approx(v[1:-1], abs=2e-6)
            assert (v[2:] - v[:-2]) / (2 * h) == pytest.approx(a[1:-1], abs=1e-5)


def test_four_bar_against_geometry():
    """The rocker's pin is where two circles meet."""
    m = driven_four_bar()
    r = m.kinematics(end=6, output=100)
    angle = np.pi / 2 - r.t
    coupler, rocker, D = np.hypot(0.4, 0.25), np.hypot(0.1, 0.45), np.array([0.5, 0.0])
    B = 0.2 * np.column_stack([np.cos(angle), np.sin(angle)])
    across = D - B
    d = np.linalg.norm(across, axis=1)
    along = (coupler**2 - rocker**2 + d**2) / (2 * d)
    height = np.sqrt(coupler**2 - along**2)
    normal = np.column_stack([-across[:, 1], across[:, 0]]) / d[:, None]
    C = B + along[:, None] * across / d[:, None] + height[:, None] * normal
    assert 2 * r["rocker.position"].to_numpy() - D == pytest.approx(C, abs=1e-10)


DRIVERS: dict[str, tuple[Any, Any]] = {
    "joint": (ww.JointDriver(joint="slide", value="0.05*sin(t)"), lambda t: 0.05 * np.sin(t)),
    "body": (
        ww.BodyDriver(body="slider", coordinate="x", value="sqrt(0.08) + 0.05*sin(t)"),
        lambda t: 0.05 * np.sin(t),
    ),
    "distance": (
        ww.DistanceDriver(
            bodies=("ground", "slider"),
            point_a=(0, -0.1),
            point_b=(np.sqrt(0.08), 0),
            value="sqrt((sqrt(0.08) + 0.05*sin(t))^2 + 0.01)",
        ),
        lambda t: 0.05 * np.sin(t),
    ),
}


@pytest.mark.parametrize("kind", DRIVERS)
def test_drivers_of_the_same_motion(kind):
    """However the slider is driven, by its slide, as a body or by a distance, the crank follows from geometry."""
    driver, way = DRIVERS[kind]
    m = slider_crank(CRANK, ROD)
    m.add("drive", driver)
    r = m.kinematics(end=5, output=60)
    x = np.sqrt(ROD**2 - CRANK**2) + way(r.t)
    assert r["slider.position.x"].to_numpy() == pytest.approx(x, abs=1e-10)
    cosine = (CRANK**2 + x**2 - ROD**2) / (2 * CRANK * x)
    assert r["crank.angle"].to_numpy() == pytest.approx(np.arccos(cosine), abs=1e-8)


def test_rotation_driver():
    """The rod turns relative to the crank as prescribed: with both angles known the slider is."""
    m = slider_crank(CRANK, ROD)
    lean = float(np.arcsin(CRANK / ROD))
    m.add("twist", ww.RotationDriver(bodies=("crank", "rod"), value=f"{-np.pi / 2 - lean} - 0.3*sin(t)"))
    r = m.kinematics(end=5, output=60)
    between = r["rod.angle"].to_numpy() - r["crank.angle"].to_numpy()
    assert between == pytest.approx(-np.pi / 2 - lean - 0.3 * np.sin(r.t), abs=1e-10)
    # law of cosines in the triangle crank, rod, slide
    x = np.sqrt(CRANK**2 + ROD**2 + 2 * CRANK * ROD * np.cos(between))
    assert r["slider.position.x"].to_numpy() == pytest.approx(x, abs=1e-10)


# -- lock-up


def test_lock_up_of_a_four_bar_that_is_no_crank():
    """A triple rocker: the crank stops where coupler and rocker are in line."""
    A, B, C, D = (0, 0), (0.3, 0.5), (0.8, 0.7), (0.9, 0)
    m = four_bar(A, B, C, D)
    m.add("motor", ww.JointDriver(joint="A", value="t"))
    r = m.kinematics(end=6, output=200)
    crank, base = np.hypot(*B), 0.9
    both = np.hypot(0.5, 0.2) + np.hypot(0.1, 0.7)
    limit = np.arccos((crank**2 + base**2 - both**2) / (2 * crank * base)) - np.arctan2(0.5, 0.3)
    assert r.outcome is Outcome.CONSTRAINTS_LOST
    assert r.t[-1] == pytest.approx(limit, abs=1e-7)
    assert "lock-up: driver `motor`" in r.report


def test_a_position_that_cannot_be_met_at_the_start():
    m = slider_crank(CRANK, ROD)
    m.add("puller", ww.JointDriver(joint="slide", value="0.3"))
    with pytest.raises(ww.ModelError, match="cannot be met together with the others at t = 0 s"):
        m.kinematics(end=1)


# -- branching


def test_each_flat_position_of_a_turn_is_named():
    m = parallelogram()
    m.add("motor", ww.JointDriver(joint="A", value="-t"))
    r = m.kinematics(end=6, output=200)
    assert f"t = {np.pi / 2:.6g}, {1.5 * np.pi:.6g} s" in r.report


def test_no_branching_where_there_is_none():
    for m in (driven_slider_crank(), driven_four_bar(), driven_gears()):
        r = m.kinematics(end=6.5, output=100)
        assert r.outcome.good
        assert "branch" not in r.report


def test_a_flat_position_is_singular_in_the_check():
    flat = four_bar((0, 0), (1, 0), (3, 0), (2, 0)).check()
    assert flat.singular_position
    assert flat.freedoms_by_rank == 2  # at this position alone
    assert not parallelogram().check().singular_position


# -- redundant constraints


def test_nothing_is_redundant_in_plane_linkages():
    for m, freedoms in (
        (four_bar(), 1),
        (slider_crank(), 1),
        (driven_four_bar(), 0),
        (driven_composites(), 0),
    ):
        found = m.check()
        assert (found.freedoms_by_count, found.freedoms_by_rank) == (freedoms, freedoms)
        assert found.redundant == []


def with_a_third_crank() -> ww.Mechanism:
    """A parallelogram with a crank in the middle: it moves, though the count says it cannot."""
    m = parallelogram()
    m.add("middle", link((1, 0), (1, 1)))
    m.add("E", hinge("ground", "middle", (1, 0)))
    m.add("F", hinge("middle", "coupler", (1, 1)))
    return m


def test_a_third_parallel_crank_is_redundant():
    found = with_a_third_crank().check()
    assert (found.freedoms_by_count, found.freedoms_by_rank) == (0, 1)
    assert len(found.redundant) == 1
    assert found.redundant[0].split(".")[0] in {"E", "F"}  # which of the last is blamed is a matter of order
    assert not found.singular_position


def test_redundant_constraints_do_not_disturb_the_motion():
    """With and without the redundant hinge: the same motion under gravity, reactions aside."""
    double, single = with_a_third_crank(), with_a_third_crank()
    for m in (double, single):
        m.bodies["middle"].mass = 1e-12  # no more than a hinge without crank
        m.bodies["middle"].inertia = 1e-12
    del single.joints["F"], single.joints["E"], single.bodies["middle"]
    for m in (double, single):
        m.add("push", ww.Actuator(joint="A", value="-5*sin(3*t)"))
    options = {"end": 1.2, "rtol": 1e-10, "atol": 1e-12}
    a, b = (m.simulate(**options)["crank.angle"].to_numpy() for m in (double, single))
    assert np.ptp(b) > 1
    assert a == pytest.approx(b, abs=1e-7)


def test_reactions_of_redundant_joints_are_marked():
    m = with_a_third_crank()
    m.add("motor", ww.JointDriver(joint="A", value="-0.4*sin(t)"))
    r = m.inverse(end=2, output=20)
    assert "minimum_norm" in r["F.reaction.force"].attrs
    assert len(r.redundant) == 1
    # together they are determined: all hinges on the ground carry weights and accelerations
    total = sum(r[f"{name}.reaction.force"].to_numpy() for name in ("A", "D", "E"))
    masses = {"crank": 0.5, "coupler": 1.2, "rocker": 0.9, "middle": 1.0}
    needed = sum(mass * (r[f"{n}.acceleration"].to_numpy() + np.array([0, G])) for n, mass in masses.items())
    assert total == pytest.approx(needed, abs=1e-9)


def test_a_joint_given_twice_is_named():
    m = pendulum()
    m.add("again", ww.Absolute(body="arm", coordinate="x", point=(0, 0)))
    found = m.check()
    assert found.redundant == ["again.x"]
    assert found.freedoms_by_rank == 1


def test_two_drivers_for_one_freedom_that_contradict():
    m = driven_slider_crank()
    m.add("puller", ww.JointDriver(joint="slide", value="0.1*t"))
    with pytest.raises(ww.ModelError, match="prescribes the speed"):
        m.kinematics(end=1)
