"""Cams: driven, against their closed solutions, and in free motion, against linkages, other equations and energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import wheelwork as ww

G = 9.80665
ENGINES = ["native", "virtual"]
engines = pytest.mark.parametrize("engine", ENGINES)
ECCENTRIC = {"type": "formula", "x": "ecc + r*cos(s)", "y": "r*sin(s)"}
"""A circle of radius r about (ecc, 0)."""


def points(count: int, x: Any, y: Any) -> dict[str, Any]:
    s = 2 * np.pi * np.arange(count) / count
    return {"type": "points", "points": [(float(a), float(b)) for a, b in zip(x(s), y(s), strict=True)]}


def circle_points(count: int) -> dict[str, Any]:
    return points(count, lambda s: 0.3 + 0.8 * np.cos(s), lambda s: 0.8 * np.sin(s))


def cam_and_follower(
    cam: ww.Cam | None, mass: float = 1.5, inertia: float = 0.4, **state: Any
) -> ww.Mechanism:
    """A cam that turns about the origin under a follower that slides along y."""
    m = ww.Mechanism("cam", kind="planar", parameters={"ecc": 0.3, "r": 0.8})
    m.add("cam", ww.Body(mass=1, inertia=inertia, **state))
    m.add("follower", ww.Body(mass=mass, inertia=0.1, position=(0, 0.8)))
    m.add("bearing", ww.Revolute(bodies=("ground", "cam"), point=(0, 0)))
    m.add("guide", ww.Translational(bodies=("ground", "follower"), point=(0, 0), axis=(0, 1)))
    if cam is not None:
        m.add("contact", cam)
    return m


def flat(outline: dict[str, Any], **more: Any) -> ww.CamFlat:
    """A level face at the follower's origin."""
    return ww.CamFlat(
        bodies=("cam", "follower"),
        outline=outline,
        point_a=(0, 0),
        point_b=(0.1, 0.8),
        direction=(1, 0),
        **more,
    )


def roller(outline: dict[str, Any], y: float, **more: Any) -> ww.CamPoint:
    """The follower's origin is the point, or the centre of a roller."""
    return ww.CamPoint(bodies=("cam", "follower"), outline=outline, point_a=(0, 0), point_b=(0, y), **more)


def driven(cam: ww.Cam, engine: str, speed: float = 2.0, end: float = 7.0, **more: Any) -> Any:
    m = cam_and_follower(cam, **more)
    if isinstance(cam, ww.CamPoint):
        m.bodies["follower"].position = cam.point_b
    m.add("drive", ww.JointDriver(joint="bearing", value=f"{speed}*t"))
    return m.inverse(end, engine=engine, output=200)


def lift(result: Any, derivative: str = "position") -> np.ndarray:
    return result[f"follower.{derivative}.y"].values


# -- driven


@engines
def test_an_eccentric_lifts_a_flat_face_by_its_eccentricity_times_the_sine(engine):
    """y = r + e sin(phi); the force on the follower is that of its weight and its inertia."""
    r = driven(flat(ECCENTRIC), engine)
    phi, w = 2.0 * r.t, 2.0
    np.testing.assert_allclose(lift(r), 0.8 + 0.3 * np.sin(phi), rtol=0, atol=1e-9)
    np.testing.assert_allclose(lift(r, "velocity"), 0.3 * w * np.cos(phi), rtol=0, atol=1e-9)
    np.testing.assert_allclose(lift(r, "acceleration"), -0.3 * w**2 * np.sin(phi), rtol=0, atol=1e-8)
    force = 1.5 * (G - 0.3 * w**2 * np.sin(phi))
    np.testing.assert_allclose(r["contact.force.normal"].values, force, rtol=0, atol=1e-8)
    # the torque of the driver: the contact is at x = e cos(phi) of the cam, straight under its centre
    np.testing.assert_allclose(r["drive.torque"].values, force * 0.3 * np.cos(phi), rtol=0, atol=1e-8)
    np.testing.assert_allclose(
        r["contact.contact.position"].values[:, 0], 0.3 * np.cos(phi), rtol=0, atol=1e-9
    )
    # the highest point of the circle is at s = pi/2 - phi
    np.testing.assert_allclose(r["contact.parameter"].values, np.pi / 2 - phi, rtol=0, atol=1e-9)


@engines
def test_an_outline_through_points_of_a_circle_lifts_like_the_circle(engine):
    """200 points: a spline is off by about (2 pi/200)^4 r/100 = 1e-8; seven seconds are more than two turns."""
    r = driven(flat(circle_points(200)), engine)
    np.testing.assert_allclose(lift(r), 0.8 + 0.3 * np.sin(2 * r.t), rtol=0, atol=2e-8)
    np.testing.assert_allclose(lift(r, "acceleration"), -1.2 * np.sin(2 * r.t), rtol=0, atol=2e-3)
    parameter = r["contact.parameter"].values
    # a length along the outline here: 0.8 for a radian, and backwards
    assert parameter[-1] - parameter[0] == pytest.approx(-0.8 * 14.0, rel=1e-3)


def test_errors_of_the_spline_fall_with_the_fourth_power():
    errors = []
    for count in (20, 40, 80):
        r = driven(flat(circle_points(count)), "native")
        errors.append(np.abs(lift(r) - 0.8 - 0.3 * np.sin(2 * r.t)).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 4, atol=0.4)


@engines
@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_a_roller_on_an_eccentric(engine, radius):
    """The roller's centre is r + radius from the circle's: y = e sin(phi) + sqrt((r + radius)^2 - e^2 cos^2(phi))."""
    start = np.sqrt((0.8 + radius) ** 2 - 0.3**2)
    r = driven(roller(ECCENTRIC, start, radius=radius), engine)
    phi = 2 * r.t
    exact = 0.3 * np.sin(phi) + np.sqrt((0.8 + radius) ** 2 - (0.3 * np.cos(phi)) ** 2)
    np.testing.assert_allclose(lift(r), exact, rtol=0, atol=1e-9)


@engines
def test_a_knife_edge_on_a_polar_cam(engine):
    """At the angle phi the lift is the radius of the cam at s = pi/2 - phi."""
    outline = {"type": "polar", "radius": "0.5 + 0.1*cos(2*s) + 0.03*sin(s)"}
    r = driven(roller(outline, 0.43), engine)
    s = np.pi / 2 - 2 * r.t
    np.testing.assert_allclose(lift(r), 0.5 + 0.1 * np.cos(2 * s) + 0.03 * np.sin(s), rtol=0, atol=1e-9)
    second = -0.4 * np.cos(2 * s) - 0.03 * np.sin(s)
    np.testing.assert_allclose(lift(r, "acceleration"), 4 * second, rtol=0, atol=1e-8)


def test_a_law_of_motion_written_piece_by_piece_over_one_turn():
    """Rise and dwell with a formula that holds for 0 <= s < 2 pi only, driven through three turns."""
    rise = "0.5 + 0.1*if(s < pi, (s/pi - sin(2*s)/(2*pi)), 1 - ((s - pi)/pi - sin(2*(s - pi))/(2*pi)))"
    m = cam_and_follower(roller({"type": "polar", "radius": rise}, 0.55))
    m.bodies["follower"].position = (0, 0.55)
    m.add("drive", ww.JointDriver(joint="bearing", value="-2*t"))
    r = m.kinematics(9.0, output=300)
    s = np.mod(np.pi / 2 + 2 * r.t, 2 * np.pi)
    up = s / np.pi - np.sin(2 * s) / (2 * np.pi)
    down = 1 - ((s - np.pi) / np.pi - np.sin(2 * (s - np.pi)) / (2 * np.pi))
    np.testing.assert_allclose(lift(r), 0.5 + 0.1 * np.where(s < np.pi, up, down), rtol=0, atol=1e-9)


def test_a_face_on_an_ellipse():
    """Support function of an ellipse: y = sqrt(a^2 sin^2 phi + b^2 cos^2 phi)."""
    outline = {"type": "formula", "x": "1.1*cos(s)", "y": "0.8*sin(s)"}
    r = driven(flat(outline), "native")
    exact = np.hypot(1.1 * np.sin(2 * r.t), 0.8 * np.cos(2 * r.t))
    np.testing.assert_allclose(lift(r), exact, rtol=0, atol=1e-9)


def test_other_values_of_parameters_find_their_contact():
    """The eccentricity is a parameter: nothing is derived anew, and the contact is looked for again."""
    m = cam_and_follower(flat(ECCENTRIC))
    m.add("drive", ww.JointDriver(joint="bearing", value="2*t"))
    for ecc in (0.1, 0.5):
        r = m.kinematics(4.0, parameters={"ecc": ecc})
        np.testing.assert_allclose(lift(r), 0.8 + ecc * np.sin(2 * r.t), rtol=0, atol=1e-9)


# -- two cams


def two_cams(contact: Any, angle: float = 0.4) -> ww.Mechanism:
    """Two eccentric discs about (0, 0) and (1.3, 0), centres of the circles 0.2 and 0.15 off."""
    m = ww.Mechanism("two cams", kind="planar", gravity=(0, 0))
    first = 0.2 * np.array([np.cos(angle), np.sin(angle)])

    def gap(phi: float) -> float:
        second = np.array([1.3 + 0.15 * np.cos(phi), 0.15 * np.sin(phi)])
        return float(np.linalg.norm(second - first)) - 1.1  # radii 0.6 and 0.5

    other = brentq(gap, 1, 3)
    m.add("one", ww.Body(mass=1, inertia=0.3, angle=angle, angular_velocity=-1.0))
    m.add("two", ww.Body(mass=1, inertia=0.2, position=(1.3, 0), angle=other))
    m.add("A", ww.Revolute(bodies=("ground", "one"), point=(0, 0)))
    m.add("B", ww.Revolute(bodies=("ground", "two"), point=(1.3, 0)))
    m.add("contact", contact)
    return m


def disc(offset: float, radius: float) -> dict[str, Any]:
    return {"type": "formula", "x": f"{offset} + {radius}*cos(s)", "y": f"{radius}*sin(s)"}


@engines
def test_two_eccentric_discs_are_a_linkage(engine):
    """Circles that touch keep the distance of their centres: the discs move like cranks with a rod between them."""
    cams = ww.CamCam(
        bodies=("one", "two"),
        outline_a=disc(0.2, 0.6),
        outline_b=disc(0.15, 0.5),
        point_a=(0, 0),
        point_b=(1.3, 0),
    )
    rod = ww.Distance(
        bodies=("one", "two"), frame_a={"position": (0.2, 0)}, frame_b={"position": (0.15, 0)}, length=1.1
    )
    results = [two_cams(c).simulate(6.0, engine=engine, rtol=1e-10, atol=1e-12) for c in (cams, rod)]
    angles = [np.column_stack([r["A.angle"].values, r["B.angle"].values]) for r in results]
    assert np.ptp(angles[0][:, 1]) > 0.5
    # both are right to 1e-9 or so after 6 s
    np.testing.assert_allclose(angles[0], angles[1], rtol=0, atol=1e-7)
    # the rod pushes with what presses the discs together
    rod_force = np.linalg.norm(results[1]["contact.reaction.force"].values, axis=1)
    np.testing.assert_allclose(
        np.abs(results[0]["contact.force.normal"].values), rod_force, rtol=0, atol=1e-5
    )


def test_two_splines_touch_like_their_discs():
    exact = ww.CamCam(
        bodies=("one", "two"),
        outline_a=disc(0.2, 0.6),
        outline_b=disc(0.15, 0.5),
        point_a=(0, 0),
        point_b=(1.3, 0),
    )
    a = points(150, lambda s: 0.2 + 0.6 * np.cos(s), lambda s: 0.6 * np.sin(s))
    b = points(120, lambda s: 0.15 + 0.5 * np.cos(s), lambda s: 0.5 * np.sin(s))
    spline = ww.CamCam(bodies=("one", "two"), outline_a=a, outline_b=b, point_a=(0, 0), point_b=(1.3, 0))
    first, *others = [
        two_cams(c).simulate(1.5, engine=e, rtol=1e-8, atol=1e-10)["B.angle"].values
        for c, e in ((exact, "native"), (spline, "native"), (spline, "virtual"))
    ]
    np.testing.assert_allclose(others[0], first, rtol=0, atol=1e-5)
    np.testing.assert_allclose(others[0], others[1], rtol=0, atol=1e-7)


# -- free motion


METHODS = {
    "dopri5": {"rtol": 1e-10, "atol": 1e-12},
    "sdirk4": {"rtol": 1e-9, "atol": 1e-11},
    "rk4": {"step": 1e-3},
}


@engines
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["formula", "points"])
def test_free_motion_is_that_of_one_degree_of_freedom(engine, method, kind):
    """(I + m h'^2) phi'' + m h' h'' phi'^2 + m g h' = 0 with the lift h(phi) = e sin(phi), by SciPy."""
    outline = ECCENTRIC if kind == "formula" else circle_points(150)
    end = 0.8 if (engine, kind) == ("virtual", "points") else 3.0
    m = cam_and_follower(flat(outline), angular_velocity=4.0)
    m.bodies["follower"].velocity = (0, 0.3 * 4.0)
    r = m.simulate(end, engine=engine, method=method, **METHODS[method])
    mass, inertia, e = 1.5, 0.4, 0.3

    def rates(t, y):
        c, s = np.cos(y[0]), np.sin(y[0])
        force = -mass * G * e * c + mass * e**2 * c * s * y[1] ** 2
        return [y[1], force / (inertia + mass * e**2 * c**2)]

    exact = solve_ivp(rates, (0, end), [0, 4.0], t_eval=r.t, rtol=1e-12, atol=1e-13, method="DOP853")
    tolerance = {"dopri5": 1e-7, "sdirk4": 1e-5, "rk4": 1e-7}[method]
    np.testing.assert_allclose(
        r["bearing.angle"].values, exact.y[0], rtol=0, atol=tolerance + 2e-6 * (kind == "points")
    )


@engines
def test_energy_is_kept_over_many_turns(engine):
    """A spinning cam with a spring-loaded follower; the curve parameter goes around many times, on a spline."""
    m = cam_and_follower(flat(circle_points(60)), angular_velocity=30.0)
    m.add(
        "spring",
        ww.Spring(
            bodies=("ground", "follower"),
            stiffness=200.0,
            free_length=1.5,
            point_a=(0, 2.5),
            point_b=(0, 0.8),
        ),
    )
    end = 20.0 if engine == "native" else 0.5
    r = m.simulate(end, engine=engine, rtol=1e-10, atol=1e-12)
    energy = r["energy.total"].values
    assert np.ptp(energy) < 1e-6 * np.ptp(r["energy.kinetic"].values)
    turns = (r["contact.parameter"].values[0] - r["contact.parameter"].values[-1]) / (2 * np.pi * 0.8)
    assert turns == pytest.approx(r["bearing.angle"].values[-1] / (2 * np.pi), abs=0.3)
    assert turns > (50 if engine == "native" else 1)


def test_power_of_a_driver_goes_into_the_energy():
    """A driven cam against a damper: the work of the driver is what the damper takes and what the energy gains."""
    m = cam_and_follower(flat(ECCENTRIC))
    m.add("drive", ww.JointDriver(joint="bearing", value="3*t + 0.5*t^2"))
    m.add(
        "damper",
        ww.Spring(
            bodies=("ground", "follower"),
            stiffness=0.0,
            damping=8.0,
            free_length=1.0,
            point_a=(0, 2.5),
            point_b=(0, 0.8),
        ),
    )
    r = m.simulate(4.0, output=4000)
    lost = 8.0 * lift(r, "velocity") ** 2
    power = r["drive.power"].values - lost
    step = np.diff(r.t)
    work = np.concatenate([[0], np.cumsum(step * (power[1:] + power[:-1]) / 2)])
    gain = r["energy.total"].values - r["energy.total"].values[0]
    # the trapezoidal rule at 1 ms
    np.testing.assert_allclose(work, gain, rtol=0, atol=2e-5 * np.abs(gain).max())


def test_a_bead_in_a_parabolic_slot():
    """y = k x^2 on ground, open: (1 + 4 k^2 x^2) x'' + 4 k^2 x x'^2 + 2 g k x = 0."""
    m = ww.Mechanism("bead", kind="planar")
    m.add("bead", ww.Body(mass=0.7, inertia=0.01, position=(1, 0.5)))
    slot = {"type": "formula", "x": "s", "y": "0.5*s^2", "interval": (-2, 2), "closed": False}
    m.add("slot", ww.CamPoint(bodies=("ground", "bead"), outline=slot, point_a=(0, 0), point_b=(1, 0.5)))
    m.add("level", ww.Absolute(body="bead", coordinate="angle", value=0.0))
    r = m.simulate(5.0, rtol=1e-10, atol=1e-12)

    def rates(t, y):
        x, v = y
        return [v, -(x * v**2 + G * x) / (1 + x**2)]

    exact = solve_ivp(rates, (0, 5), [1, 0], t_eval=r.t, rtol=1e-12, atol=1e-13, method="DOP853")
    np.testing.assert_allclose(r["bead.position.x"].values, exact.y[0], rtol=0, atol=1e-7)
    np.testing.assert_allclose(r["slot.parameter"].values, exact.y[0], rtol=0, atol=1e-7)


def test_a_straight_slot_is_a_point_on_a_line():
    """A Scotch yoke: the pin of a crank in a straight slot of a slide."""
    slot = {"type": "formula", "x": "0", "y": "s", "interval": (-1, 1), "closed": False}
    results = []
    for joint in (
        ww.CamPoint(bodies=("yoke", "crank"), outline=slot, point_a=(0.5, 0), point_b=(0.5, 0)),
        ww.PointOnLine(bodies=("yoke", "crank"), point=(0.5, 0), axis=(0, 1)),
    ):
        m = ww.Mechanism("yoke", kind="planar")
        m.add("crank", ww.Body(mass=1, inertia=0.2, angular_velocity=6.0))
        m.add("yoke", ww.Body(mass=2, inertia=0.2, position=(0.5, 0)))
        m.add("A", ww.Revolute(bodies=("ground", "crank"), point=(0, 0)))
        m.add("B", ww.Translational(bodies=("ground", "yoke"), point=(0, 0), axis=(1, 0)))
        m.add("pin", joint)
        results.append(m.simulate(3.0, rtol=1e-10, atol=1e-12)["yoke.position.x"].values)
    assert np.ptp(results[0]) == pytest.approx(1.0, abs=1e-2)
    np.testing.assert_allclose(results[0], results[1], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("start", "slope"), [(0.5 * np.pi, 1.0), (1.5 * np.pi, -1.0), (-0.5 * np.pi, -1.0)])
def test_a_given_start_settles_which_of_two_branches_is_meant(start, slope):
    """A figure of eight crosses itself at the origin; there the bead may move along one branch or the other."""
    eight = {"type": "formula", "x": "cos(s)", "y": "-0.5*sin(2*s)"}
    m = ww.Mechanism("eight", kind="planar", gravity=(0, 0))
    m.add("bead", ww.Body(mass=1, inertia=0.1, velocity=(1, 0)))
    m.add(
        "slot",
        ww.CamPoint(bodies=("ground", "bead"), outline=eight, point_a=(0, 0), point_b=(0, 0), start=start),
    )
    at = m.assemble()
    # tangent (-sin s, -cos 2s) = (-1, 1) or (1, 1)
    assert at["bead.velocity"][1] / at["bead.velocity"][0] == pytest.approx(-slope, abs=1e-9)
    assert at["slot.parameter"] == pytest.approx(start, abs=1e-12)


# -- other analyses


@pytest.mark.parametrize("kind", ["formula", "points"])
def test_the_cam_comes_to_rest_with_its_follower_at_the_bottom_and_swings_about_it(kind):
    """V = m g e sin(phi): stable at phi = -pi/2, where h' = 0 and the frequency is sqrt(m g e / I)."""
    outline = ECCENTRIC if kind == "formula" else circle_points(100)
    height = 0.8 - 0.3 * np.sin(1.2)
    m = cam_and_follower(flat(outline), angle=-1.2)
    m.bodies["follower"].position = (0, height)
    m.joints["contact"].point_b = (0.1, height)
    at = m.equilibrium()
    assert at["follower.position"][1] == pytest.approx(0.5, abs=1e-6)
    assert at["cam.angle"] == pytest.approx(-np.pi / 2, abs=1e-4)
    frequency = np.sqrt(1.5 * G * 0.3 / 0.4) / (2 * np.pi)
    m.bodies["cam"].angle = -np.pi / 2
    m.bodies["follower"].position = (0, 0.5)
    m.joints["contact"].point_b = (0.1, 0.5)
    # a spline's second derivative is right to (2 pi/100)^2/12 or so
    tolerance = 1e-8 if kind == "formula" else 1e-3
    np.testing.assert_allclose(m.linearise().frequencies, [frequency], rtol=tolerance)


def test_results_of_cams_are_kept(tmp_path):
    r = cam_and_follower(flat(circle_points(60)), angular_velocity=4.0).simulate(1.0, output=50)
    r.save(tmp_path / "cam.nc")
    again = ww.load_result(tmp_path / "cam.nc")
    for name in ("contact.parameter", "contact.force.normal", "contact.contact.position"):
        np.testing.assert_array_equal(again[name].values, r[name].values)


def test_signals_between_output_times():
    m = cam_and_follower(flat(ECCENTRIC), angular_velocity=4.0)
    r = m.simulate(2.0, output=200, rtol=1e-10, atol=1e-12)
    fine = m.simulate(2.0, output=1600, rtol=1e-10, atol=1e-12)
    times = fine.t[3::8]
    np.testing.assert_allclose(
        r.at(times)["contact.force.normal"], fine["contact.force.normal"].values[3::8], rtol=0, atol=1e-3
    )


def test_a_cam_in_space_moves_like_the_one_in_the_plane():
    """The same mechanism about a slanted axis, with gravity turned along."""
    from scipy.spatial.transform import Rotation

    plane = cam_and_follower(flat(circle_points(100)), angular_velocity=4.0).simulate(
        2.0, rtol=1e-10, atol=1e-12
    )
    S = Rotation.from_rotvec([0.4, -0.7, 0.3])

    def turned(*v: float) -> tuple[float, ...]:
        return tuple(S.apply([*v, 0.0][:3]))

    pose = {"rotation_vector": tuple(S.as_rotvec())}
    m = ww.Mechanism("cam in space", gravity=turned(0, -G))
    axis = turned(0, 0, 1)
    m.add(
        "cam",
        ww.Body(
            mass=1, inertia=(0.4, 0.4, 0.4), orientation=pose, angular_velocity=tuple(4.0 * np.array(axis))
        ),
    )
    m.add("follower", ww.Body(mass=1.5, inertia=(0.1, 0.1, 0.1), position=turned(0, 0.8), orientation=pose))
    m.add("bearing", ww.Revolute(bodies=("ground", "cam"), point=(0, 0, 0), axis=axis))
    m.add("guide", ww.Prismatic(bodies=("ground", "follower"), point=(0, 0, 0), axis=turned(0, 1)))
    m.add(
        "contact",
        ww.CamFlat(
            bodies=("cam", "follower"),
            outline=circle_points(100),
            point_a=(0, 0, 0),
            axis=axis,
            point_b=turned(0.1, 0.8),
            direction=turned(1, 0),
        ),
    )
    for engine in ENGINES:
        r = m.simulate(2.0, engine=engine, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(
            r["bearing.angle"].values, plane["bearing.angle"].values, rtol=0, atol=1e-7
        )
        np.testing.assert_allclose(
            r["contact.force.normal"].values, plane["contact.force.normal"].values, rtol=0, atol=1e-4
        )


def test_a_compiled_cam_stands_alone(tmp_path):
    """The search for the contact is part of the emitted numbers."""
    from wheelwork.kernel.standalone import Standalone, save_standalone

    m = cam_and_follower(flat(ECCENTRIC), angular_velocity=4.0)
    save_standalone(m, tmp_path / "cam", implicit=False)
    model = Standalone.load(tmp_path / "cam")
    model.set_parameters(ecc=0.2)
    run = model.run(2.0, output=100)
    r = m.simulate(2.0, output=100, parameters={"ecc": 0.2})
    np.testing.assert_allclose(run.state[:, 2], r["cam.angle"].values, rtol=0, atol=1e-10)


# -- outlines that a follower cannot follow


def test_a_flat_face_needs_a_convex_outline():
    clover = {"type": "polar", "radius": "0.7 + 0.1*cos(3*s)"}
    with pytest.raises(ww.ModelError, match=r"contact.*hollow or straight at s = .*flat face cannot follow"):
        cam_and_follower(flat(clover)).assemble()
    cam_and_follower(flat({"type": "polar", "radius": "0.8 + 0.05*cos(s)^2"})).assemble()


@pytest.mark.parametrize("clockwise", [False, True])
def test_a_roller_needs_hollows_wider_than_itself(clockwise):
    """r = 1 + 0.2 cos 3s: hollows at s = pi/3, r = 0.8, r'' = 1.8; radius of curvature r^2/(r'' - r) = 0.64 m."""
    sign = "-" if clockwise else ""
    outline = {
        "type": "formula",
        "x": f"(1 + 0.2*cos(3*s))*cos({sign}s)",
        "y": f"(1 + 0.2*cos(3*s))*sin({sign}s)",
    }
    m = cam_and_follower(roller(outline, 1.65, radius=0.65))
    m.bodies["follower"].position = (0, 1.65)
    with pytest.raises(
        ww.ModelError, match=r"of radius 0.65 m, does not fit into the hollow .* radius is 0.64 m"
    ):
        m.assemble()
    m.joints["contact"].radius = 0.63
    m.assemble()


def test_two_cams_whose_outlines_do_not_fit_stop_there():
    """A disc that is too large for the hollow of a lobed cam: the motion ends where the contact does, and says so."""
    lobes = {"type": "polar", "radius": "1 + 0.3*cos(2*s)"}
    m = ww.Mechanism("lobes", kind="planar")
    m.add("one", ww.Body(mass=1, inertia=1, angle=np.pi / 2))
    m.add("two", ww.Body(mass=1, inertia=1, position=(0, 3.3)))
    m.add("A", ww.Revolute(bodies=("ground", "one"), point=(0, 0)))
    m.add("B", ww.Translational(bodies=("ground", "two"), point=(0, 0), axis=(0, 1)))
    m.add(
        "contact",
        ww.CamCam(
            bodies=("one", "two"), outline_a=lobes, outline_b=disc(0, 2.0), point_a=(0, 0), point_b=(0, 3.3)
        ),
    )
    m.add("drive", ww.JointDriver(joint="A", value="t"))
    for engine in ENGINES:
        with pytest.warns(match="joint `contact` has no point of contact beyond this time"):
            r = m.kinematics(2.0, engine=engine)
        assert not r.provenance.report.outcome.good
        # relative curvature: that of the disc, 1/2, and that of the cam, (r^2 + 2 r'^2 - r r'')/(r^2 + r'^2)^1.5
        s = r["contact.parameter_a"].values[-1]
        radius, slope, bend = 1 + 0.3 * np.cos(2 * s), -0.6 * np.sin(2 * s), -1.2 * np.cos(2 * s)
        curvature = (radius**2 + 2 * slope**2 - radius * bend) / np.hypot(radius, slope) ** 3
        assert curvature + 0.5 == pytest.approx(0, abs=0.05)
        # past the middle of the hollow, where the disc begins to touch the other lobe as well
        assert r.t[-1] == pytest.approx(1.6014, abs=1e-3)
