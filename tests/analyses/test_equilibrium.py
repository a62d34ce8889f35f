"""Static equilibrium against statics."""

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar

import wheelwork as ww

from .models import G, four_bar, hinge, link, pendulum


def test_pendulum_hangs_down():
    at = pendulum(angle=0.3).equilibrium()
    assert at["hinge.angle"] == pytest.approx(np.pi / 2 - 0.3, abs=1e-9)
    assert at["arm.position"].values == pytest.approx([0, 0, -1], abs=1e-9)
    assert at["hinge.reaction.force"].values == pytest.approx([0, 0, 2 * G], abs=1e-7)
    assert at["arm.velocity"].values == pytest.approx([0, 0, 0], abs=0)


def test_pendulum_started_nearly_upright_still_hangs_down():
    at = pendulum(angle=-np.pi / 2 + 0.01).equilibrium()
    assert at["arm.position"].values == pytest.approx([0, 0, -1], abs=1e-9)


def test_arm_on_a_torsional_spring():
    """k a = m g l cos(a)."""
    m = pendulum()
    m.add("spring", ww.TorsionalSpring(joint="hinge", stiffness=30))
    exact = brentq(lambda a: 30 * a - 2 * G * np.cos(a), 0, np.pi / 2, xtol=1e-14)
    assert m.equilibrium()["hinge.angle"] == pytest.approx(exact, abs=1e-10)


@pytest.mark.slow
def test_hanging_four_bar_is_as_low_as_it_can_be():
    m = four_bar()
    at = m.equilibrium()
    weight = {"crank": 0.5, "coupler": 1.2, "rocker": 0.9}
    found = sum(mass * G * at[f"{name}.position.z"] for name, mass in weight.items())

    def energy(angle):
        """By geometry, with the rocker's pin below or above the line to it, whichever is lower."""
        x, z = 0.2 * np.cos(angle), 0.2 * np.sin(angle)
        coupler, rocker = np.hypot(0.4, 0.25), np.hypot(0.1, 0.45)
        d = np.hypot(0.5 - x, z)
        lean, open_ = np.arctan2(-z, 0.5 - x), np.arccos((coupler**2 + d**2 - rocker**2) / (2 * coupler * d))
        pin = [
            (x + coupler * np.cos(lean + s * open_), z + coupler * np.sin(lean + s * open_)) for s in (1, -1)
        ]
        return [G * (0.5 * z / 2 + 1.2 * (z + p[1]) / 2 + 0.9 * p[1] / 2) for p in pin]

    # the loop cannot be turned over without taking it apart: it stays on the branch it starts on, the upper one
    best = min(
        minimize_scalar(
            lambda a: energy(a)[0], bounds=(low, low + 1), method="bounded", options={"xatol": 1e-10}
        ).fun
        for low in np.linspace(-np.pi, np.pi, 13)
    )
    assert found == pytest.approx(best, abs=1e-8)
    assert at["energy.kinetic"] == 0


def toggle(load=0.0):
    """Two bars of 1 m, hinged at (-0.6, 0) and to each other at (0, 0.8); a slider at (0.6, 0) held by a spring."""
    m = ww.Mechanism("toggle")
    m.add("left", link((-0.6, 0), (0, 0.8), mass=1))
    m.add("right", link((0, 0.8), (0.6, 0), mass=1))
    m.add("slider", ww.Body(mass=0.5, inertia=(0.01, 0.01, 0.01), position=(0.6, 0, 0)))
    m.add("A", hinge("ground", "left", (-0.6, 0)))
    m.add("B", hinge("left", "right", (0, 0.8)))
    m.add("C", hinge("right", "slider", (0.6, 0)))
    m.add("slide", ww.Prismatic(bodies=("ground", "slider"), point=(0.6, 0, 0), axis=(1, 0, 0)))
    spring = ww.Spring(
        bodies=("ground", "slider"), point_a=(-0.6, 0, 0), point_b=(0.6, 0, 0), stiffness=50, damping=2
    )
    m.add("spring", spring)
    m.add("load", ww.Force(body="right", point_in_body=(-0.5, 0, 0), value=(0, 0, -load)))
    return m


def test_spring_loaded_linkage():
    """Virtual work: bars at an angle a above level, the slider 2 cos(a) from A."""
    load = 12.0
    at = toggle(load).equilibrium()

    def moment(a):
        # V = m g sin(a) + F sin(a) + k/2 (2 cos(a) - 1.2)^2, with m = 1 kg for each bar
        return (1.0 * G + load) * np.cos(a) - 50 * (2 * np.cos(a) - 1.2) * 2 * np.sin(a)

    exact = brentq(moment, 0.3, np.arcsin(0.8), xtol=1e-14)
    assert at["slider.position.x"] == pytest.approx(-0.6 + 2 * np.cos(exact), abs=1e-9)
    tension = 50 * (2 * np.cos(exact) - 1.2)
    assert at["spring.force"] == pytest.approx(tension, abs=1e-7)
    assert at["A.reaction.force"][0] == pytest.approx(tension, abs=1e-7)


def test_equilibrium_of_a_driven_mechanism_holds_the_driver():
    m = pendulum()
    m.add("motor", ww.JointDriver(joint="hinge", value="0.2 + t"))
    at = m.equilibrium(time=0.1)
    assert at["hinge.angle"] == pytest.approx(0.3, abs=1e-10)
    assert at["motor.torque"] == pytest.approx(-2 * G * np.cos(0.3), abs=1e-8)


def test_many_bodies():
    """A chain of eight links between two hooks: the catenary of links, by symmetry and statics."""
    N, span = 8, 5.0
    m = ww.Mechanism("chain")
    # it starts on a polygon with equal turns: not yet a catenary
    turn = brentq(lambda a: sum(np.cos((k - (N - 1) / 2) * a) for k in range(N)) - span, 0.05, 0.8)
    x, z = 0.0, 0.0
    points = [(0.0, 0.0)]
    for k in range(N):
        lean = (k - (N - 1) / 2) * turn
        x, z = x + np.cos(lean), z + np.sin(lean)
        points.append((x, z))
    for k in range(N):
        m.add(f"link{k}", link(points[k], points[k + 1]))
        m.add(f"pin{k}", hinge("ground" if k == 0 else f"link{k - 1}", f"link{k}", points[k]))
    m.add("hook", hinge(f"link{N - 1}", "ground", points[N]))
    at = m.equilibrium()
    leans = np.array([_lean(at, f"link{k}") for k in range(N)])
    # in each pin the horizontal force is the same; tan of the leans grows by weight/force from link to link
    slopes = np.tan(leans)
    assert np.diff(slopes) == pytest.approx(np.diff(slopes)[0], rel=1e-7)
    assert np.cos(leans).sum() == pytest.approx(span, abs=1e-9)
    horizontal = at["pin0.reaction.force"][0]
    assert horizontal == pytest.approx(-G / np.diff(slopes)[0], rel=1e-7)


def _lean(at, name):
    """Angle of a link above level."""
    w, _, y, _ = at[f"{name}.orientation"]
    return -2 * np.arctan2(y, w)


def test_no_equilibrium_for_what_falls():
    m = ww.Mechanism("stone")
    m.add("stone", ww.Body(mass=1, inertia=(1, 1, 1)))
    with pytest.raises(ww.ModelError, match="no equilibrium"):
        m.equilibrium()


def test_equilibrium_is_a_rest_state_of_the_simulation():
    at = toggle(5.0).equilibrium()
    m = toggle(5.0)
    for name in ("left", "right", "slider"):
        m.bodies[name].position = at[f"{name}.position"]
        m.bodies[name].orientation = {"euler_parameters": at[f"{name}.orientation"]}
    for name, point in (("B", (at["left.position"] * 2 - [-0.6, 0, 0])), ("C", at["slider.position"])):
        m.joints[name].point = point
    m.joints["slide"].point = at["slider.position"]
    m.forces["spring"].point_b = tuple(at["slider.position"])
    m.forces["spring"].free_length = 1.2
    r = m.simulate(end=5, output=50)
    assert np.ptp(r["slider.position.x"].to_numpy()) < 1e-8


def pushed_away():
    """A force away from the middle that grows with the way: the middle is the only place without a force."""
    m = ww.Mechanism("pushed away", gravity=(0, 0, 0))
    m.add("cart", ww.Body(mass=1, inertia=(1, 1, 1)))
    m.add("guide", ww.Prismatic(bodies=("ground", "cart"), point=(0, 0, 0), axis=(1, 0, 0)))
    m.add("push", ww.Actuator(joint="guide", value="100*guide.displacement"))
    return m


def test_an_unstable_position_that_nothing_stops_the_fall_from_is_not_an_equilibrium():
    with pytest.raises(ww.ModelError, match=r"no stable equilibrium was found.*`cart`"):
        pushed_away().equilibrium()


def test_what_is_pushed_away_comes_to_rest_at_an_elastic_stop():
    """100 x = 1e5 (x - 0.3)."""
    m = pushed_away()
    m.add("stop", ww.Stop(joint="guide", lower=-0.3, upper=0.3, stiffness=1e5, damping=10))
    assert abs(float(m.equilibrium()["guide.displacement"])) == pytest.approx(3e4 / (1e5 - 100), rel=1e-9)


@pytest.mark.parametrize("stiffness", [1e9, 1e11])
def test_a_stiff_spring_elsewhere_does_not_hide_a_fall(stiffness):
    m = ww.Mechanism("upright beside a spring", kind="planar")
    m.add("arm", ww.Body(mass=1, inertia=0.1, position=(0, 0.5)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    m.add("weight", ww.Body(mass=1, inertia=0.1, position=(2, 0)))
    m.add("guide", ww.Prismatic(bodies=("ground", "weight"), point=(2, 0), axis=(1, 0)))
    m.add(
        "spring",
        ww.Spring(bodies=("ground", "weight"), point_a=(1.5, 0), point_b=(2, 0), stiffness=stiffness),
    )
    assert m.equilibrium()["arm.position"].values == pytest.approx([0, -0.5], abs=1e-9)


def film(matrix):
    """A shaft of 10 kg in a film of oil with this stiffness across it [N/m]."""
    m = ww.Mechanism("film", gravity=(0, -G, 0))
    m.add("shaft", ww.Body(mass=10, inertia=(0.1, 0.1, 0.1)))
    stiffness, damping = np.diag([0, 0, 1e7, 1e6, 1e6]), np.diag([1e6, 1e6, 1e4, 1e3, 1e3])
    stiffness[:2, :2] = matrix
    bearing = ww.Bearing(
        bodies=("ground", "shaft"),
        point=(0, 0, 0),
        axis=(0, 0, 1),
        stiffness_matrix=stiffness.tolist(),
        damping_matrix=damping.tolist(),
    )
    m.add("film", bearing)
    m.add("turn", ww.TorsionalSpring(bodies=("ground", "shaft"), axis=(0, 0, 1), stiffness=10))
    return m


def test_a_film_of_oil_may_have_a_symmetric_part_that_is_not_positive():
    """Both eigenvalues of the matrix are 1e7; y = -m g/1e7, x = -9 y."""
    m = film([[1e7, 9e7], [0, 1e7]])
    at = m.equilibrium()
    assert m.linearise(at=at).stable
    assert at["film.deflection.y"] == pytest.approx(-10 * G / 1e7, rel=1e-8)
    assert at["film.deflection.x"] == pytest.approx(90 * G / 1e7, rel=1e-8)


def test_a_film_of_oil_that_gives_way_is_not_an_equilibrium():
    """Eigenvalues 4e7 and -2e7 N/m."""
    with pytest.raises(ww.ModelError, match="no stable equilibrium"):
        film([[1e7, 3e7], [3e7, 1e7]]).equilibrium()


@pytest.mark.parametrize(
    "holds",
    [ww.Brake(joint="hinge", torque=50), ww.Stop(joint="hinge", lower=-0.1, upper=0.5)],
    ids=["brake", "rigid stop"],
)
def test_what_only_friction_or_a_rigid_stop_holds_is_said(holds):
    m = pendulum()
    m.add("holds", holds)
    with pytest.raises(
        ww.ModelError, match=r"hold nothing in an equilibrium \(here `holds`\): simulate until it rests"
    ):
        m.equilibrium()


@pytest.mark.parametrize("stiffness", [1e3, 1e5, 1e7, 1e9])
@pytest.mark.parametrize(("mass", "tilt"), [(1.0, 0.02), (100.0, 0.02), (1e-3, 0.3)])
def test_an_upright_arm_on_a_stiff_spring(stiffness, mass, tilt):
    """Held at its tip by a level spring: to first order it gives way by m g x/(2 z k), x and z of its middle. Beside
    the stiffness, constraints used to look like round-off, and it fell for a minute."""
    x, z = 0.5 * np.sin(tilt), 0.5 * np.cos(tilt)
    m = ww.Mechanism("arm", gravity=(0, 0, -9.81))
    m.add("arm", ww.Body(mass=mass, inertia=(0.02 * mass,) * 3, position=(x, 0, z)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0, 0), axis=(0, 1, 0)))
    ends = {"point_a": (-1, 0, 2 * z), "point_b": (2 * x, 0, 2 * z)}
    m.add("spring", ww.Spring(bodies=("ground", "arm"), stiffness=stiffness, **ends))
    found = m.equilibrium()
    given_way = mass * 9.81 * x / (2 * z * stiffness)
    second_order = mass * 9.81 / stiffness
    assert float(found["spring.length"]) - (1 + 2 * x) == pytest.approx(
        given_way, rel=second_order, abs=1e-15
    )
