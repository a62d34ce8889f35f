"""Cams in free motion, against linkages, other equations and energy; other analyses of them."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import wheelwork as ww

from .cam_models import ECCENTRIC, G, cam_and_follower, circle_points, flat, lift

# -- free motion


METHODS = {
    "dopri5": {"rtol": 1e-10, "atol": 1e-12},
    "sdirk4": {"rtol": 1e-9, "atol": 1e-11},
    "rk4": {"step": 1e-3},
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["formula", "points"])
def test_free_motion_is_that_of_one_degree_of_freedom(method, kind):
    """(I + m h'^2) phi'' + m h' h'' phi'^2 + m g h' = 0 with the lift h(phi) = e sin(phi), by SciPy."""
    outline = ECCENTRIC if kind == "formula" else circle_points(150)
    end = 3.0
    m = cam_and_follower(flat(outline), angular_velocity=4.0)
    m.bodies["follower"].velocity = (0, 0.3 * 4.0)
    r = m.simulate(end, method=method, **METHODS[method])
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


@pytest.mark.slow
def test_energy_is_kept_over_many_turns():
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
    r = m.simulate(20.0, rtol=1e-10, atol=1e-12)
    energy = r["energy.total"].values
    assert np.ptp(energy) < 1e-6 * np.ptp(r["energy.kinetic"].values)
    turns = (r["contact.parameter"].values[0] - r["contact.parameter"].values[-1]) / (2 * np.pi * 0.8)
    assert turns == pytest.approx(r["bearing.angle"].values[-1] / (2 * np.pi), abs=0.3)
    assert turns > 50


@pytest.mark.slow
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
    m.add(
        "bead", ww.Body(mass=1, inertia=0.1, velocity=(1, -slope))
    )  # on the other branch it could not be kept
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


@pytest.mark.slow
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


@pytest.mark.slow
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
    r = m.simulate(2.0, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r["bearing.angle"].values, plane["bearing.angle"].values, rtol=0, atol=1e-7)
    np.testing.assert_allclose(
        r["contact.force.normal"].values, plane["contact.force.normal"].values, rtol=0, atol=1e-4
    )


@pytest.mark.slow
def test_a_compiled_cam_stands_alone(tmp_path):
    """The search for the contact is part of the emitted numbers."""
    from wheelwork.engine.standalone import Standalone, save_standalone

    m = cam_and_follower(flat(ECCENTRIC), angular_velocity=4.0)
    save_standalone(m, tmp_path / "cam", implicit=False)
    model = Standalone.load(tmp_path / "cam")
    model.set_parameters(ecc=0.2)
    run = model.run(2.0, output=100)
    r = m.simulate(2.0, output=100, parameters={"ecc": 0.2})
    np.testing.assert_allclose(run.state[:, 2], r["cam.angle"].values, rtol=0, atol=1e-10)
