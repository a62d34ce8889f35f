"""Linear equations with clutches, dogs and brakes: what holds at the operating point is a joint."""

import warnings

import numpy as np
import pytest

import wheelwork as ww
from wheelwork.analyses.kinks import OperatingPointWarning

CLOSED = np.sqrt(100 * (1 / 2 + 1)) / (2 * np.pi)
"""Hz: inertias 2 and 1 on a spring of 100 N m/rad."""
OPEN = np.sqrt(100 * (1 + 1)) / (2 * np.pi)


def chain(element=None, speed=0.0, ahead=0.0, load=0.0, **more):
    """Rotors p, q and z of inertia 1; an element between p and q, a spring between q and z, a torque on p."""
    m = ww.Mechanism(name="chain", parameters={"load": load})
    for name, w in (("p", speed), ("q", speed + ahead), ("z", speed)):
        m.add(name, ww.Rotor(inertia=1.0, speed=w))
    m.add("s", ww.TorsionalSpring(bodies=("q", "z"), stiffness=100.0))
    m.add("push", ww.Actuator(joint="p.bearing", value="load"))
    if element is not None:
        m.add("c", element)
    for name, value in more.items():
        m.add(name, value)
    return m


def between(kind, **fields):
    return kind(bodies=("p", "q"), **fields)


HOLDING = {
    "clutch": between(ww.Clutch, torque=50.0),
    "limiter": between(ww.TorqueLimiter, torque=50.0),
    "dogs": between(ww.DogClutch, closed=1.0),
    "synchroniser": between(ww.Synchroniser, closed=1.0, torque=5.0),
    "one-way": between(ww.OneWayClutch, free="forward"),
}


def frequency(found):
    return found.natural_frequencies[-1]


@pytest.mark.parametrize("kind", HOLDING)
@pytest.mark.parametrize("speed", [0.0, 30.0])
def test_what_holds_is_a_joint(kind, speed):
    found = chain(HOLDING[kind], speed=speed, load=3.0).modes()
    assert found.linear.closed == ("c",)
    assert len(found) == 2
    assert frequency(found) == pytest.approx(CLOSED, rel=1e-9)
    assert "closed, as joints: c" in str(found)
    assert found.dataset.attrs["closed"] == '["c"]'


OPENED = {
    "clutch": between(ww.Clutch, torque=0.0),
    "dogs": between(ww.DogClutch, closed=0.0),
    "dogs that do not fit": between(ww.DogClutch, closed=1.0, dogs=6, fit_angle=0.5),
    "synchroniser": between(ww.Synchroniser, closed=0.0, torque=5.0),
    "one-way without load": between(ww.OneWayClutch, free="forward"),
}


@pytest.mark.parametrize("kind", OPENED)
def test_what_does_not_hold_is_open(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = chain(OPENED[kind]).modes()
    assert found.linear.locking == {"c": "open"}
    assert len(found) == 3
    assert frequency(found) == pytest.approx(OPEN, rel=1e-9)


def test_one_way_clutch_closes_by_its_load_alone():
    forward, backward = (between(ww.OneWayClutch, free=free) for free in ("forward", "backward"))
    assert chain(forward, load=3.0).linearise().closed == ("c",)
    assert chain(backward, load=-3.0).linearise().closed == ("c",)
    assert chain(forward, load=-3.0).linearise().locking == {"c": "open"}
    assert chain(forward, ahead=1.0).linearise().locking == {"c": "open"}


@pytest.mark.parametrize(("load", "ahead"), [(300.0, 0.0), (0.0, 2.0)])
def test_what_slips_is_told(load, ahead):
    with pytest.warns(OperatingPointWarning, match="`c` slips at the operating point: .* leave out friction"):
        found = chain(HOLDING["clutch"], load=load, ahead=ahead).linearise()
    assert found.slipping == ("c",)
    assert found.frequencies[-1] == pytest.approx(OPEN, rel=1e-9)


def test_of_two_the_one_beyond_its_limit_lets_go():
    """A brake on p carries the load of 40 N m; the clutch beside it nothing."""
    m = chain(HOLDING["clutch"], load=40.0, hold=ww.Brake(joint="p.bearing", torque=20.0))
    with pytest.warns(OperatingPointWarning, match="`hold` slips"):
        found = m.linearise()
    assert found.locking == {"c": "closed", "hold": "slipping"}
    held = chain(HOLDING["clutch"], load=40.0, hold=ww.Brake(joint="p.bearing", torque=200.0)).modes()
    assert held.linear.closed == ("c", "hold")
    assert held.natural_frequencies == pytest.approx([np.sqrt(100) / (2 * np.pi)], rel=1e-9)


def test_angles_at_which_it_closed_do_not_matter():
    """After a run in which p has turned against q, by many radians, the same frequency; the run ends sticking."""
    point = chain(HOLDING["clutch"], speed=20.0, ahead=5.0, drag=ww.Friction(joint="z.bearing", viscous=0.1))
    found = point.modes(settle=2.0)
    assert found.linear.closed == ("c",)
    twist = float(found.linear.at["q.angle"]) - float(found.linear.at["p.angle"])
    assert abs(twist) > 0.1
    assert frequency(found) == pytest.approx(CLOSED, rel=1e-6)


def test_frequency_response_through_a_closed_clutch():
    """Against a rotor with the inertia of both; the clutch carries what p does not take itself."""
    frequencies = np.linspace(0.2, 4.0, 7)
    found = chain(HOLDING["clutch"], load=1.0).frequency_response(
        "load", ["z.acceleration", "p.acceleration", "c.torque"], frequencies
    )
    omega = 2 * np.pi * frequencies
    stiff = 100.0
    whole = [np.array([[stiff - 2 * w**2, -stiff], [-stiff, stiff - w**2]]) for w in omega]
    x = np.array([np.linalg.solve(matrix, [1.0, 0.0]) for matrix in whole])
    alpha = -(omega[:, None] ** 2) * x
    assert found["p.acceleration"] == pytest.approx(alpha[:, 0], rel=1e-6)
    assert found["z.acceleration"] == pytest.approx(alpha[:, 1], rel=1e-6)
    assert found["c.torque"] == pytest.approx(1 - alpha[:, 0], rel=1e-6)
    assert found.linear.closed == ("c",)


def test_campbell_says_what_opens():
    m = chain(between(ww.Clutch, torque="grip"))
    m.parameters["grip"] = 1.0
    assert m.campbell("grip", [1.0, 2.0]).natural_frequencies[:, -1] == pytest.approx([CLOSED] * 2)
    with pytest.raises(
        ww.ModelError, match=r"another number of freedoms at 0 than at 1.*`c` closes or opens"
    ):
        m.campbell("grip", [1.0, 0.0])


def test_dry_friction_that_is_left_out_is_named():
    rubbing = ww.Friction(joint="z.bearing", coulomb=0.2)
    smooth = ww.Friction(joint="z.bearing", coulomb=0.0, viscous=0.2)
    assert chain(rub=rubbing).linearise().left_out == ("rub",)
    assert "friction left out: rub" in str(chain(rub=rubbing).modes())
    assert chain(rub=smooth).linearise().left_out == ()
    ratio = ww.Ratio(bodies=("q", "z"), ratio=2.0, efficiency=0.9)
    elastic = ww.Ratio(bodies=("q", "z"), ratio=2.0, efficiency=0.9, stiffness=1e4)
    for gear in (ratio, elastic):
        assert chain(gear=gear).linearise().left_out == ("gear",)


def test_rolling_with_a_rotor_that_a_clutch_holds():
    """A disc that rolls upright, its inertia shared with a rotor on its axle: as one disc with both."""
    radius, mass, spin = 0.3, 2.0, 5.0
    about, along = mass * radius**2 / 4, mass * radius**2 / 2

    def disc(part, clutch):
        m = ww.Mechanism("disc")
        place = {"position": (0, 0, radius), "orientation": {"axis": (1, 0, 0), "angle": np.pi / 2}}
        turning = {"angular_velocity": (0, -spin, 0)}
        axle = {"point": (0, 0, radius), "axis": (0, -1, 0)}
        m.add(
            "disc",
            ww.Body(mass=part * mass, inertia=(part * about, part * about, part * along), **place, **turning),
        )
        m.add("rolls", ww.RollingWheel(bodies=("ground", "disc"), radius=radius, **axle))
        if clutch is not None:
            left = 1 - part
            shares = (left * about, left * about, left * along)
            m.add("rotor", ww.Body(mass=left * mass, inertia=shares, **place, **turning))
            m.add("axle", ww.Revolute(bodies=("disc", "rotor"), **axle))
            m.add("c", ww.Clutch(joint="axle", torque=clutch))
        return m.linearise()

    one, both = disc(1.0, None), disc(0.6, 3.0)
    assert both.closed == ("c",)
    np.testing.assert_allclose(both.eigenvalues, one.eigenvalues, atol=1e-5)
    assert len(disc(0.6, 0.0).K) == len(one.K) + 1


def test_equilibria_have_brakes_open():
    """An arm that stands upright is no equilibrium because a weak brake would hold it in place."""
    m = ww.Mechanism("arm", kind="planar")
    m.add("arm", ww.Body(mass=1.0, inertia=0.1, position=(0, 0.5)))
    m.add("hinge", ww.Revolute(bodies=("ground", "arm"), point=(0, 0)))
    m.add("hold", ww.Brake(joint="hinge", torque=1.0))
    with pytest.raises(ww.ModelError, match=r"hold nothing in an equilibrium \(here `hold`\)"):
        m.equilibrium()
