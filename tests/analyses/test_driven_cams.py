"""Driven cams against their closed solutions."""

import numpy as np
import pytest

import wheelwork as ww

from .cam_models import (
    ECCENTRIC,
    G,
    cam_and_follower,
    circle_points,
    disc,
    driven,
    flat,
    lift,
    points,
    roller,
    two_cams,
)

# -- driven


def test_an_eccentric_lifts_a_flat_face_by_its_eccentricity_times_the_sine():
    """y = r + e sin(phi); the force on the follower is that of its weight and its inertia."""
    r = driven(flat(ECCENTRIC))
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


def test_an_outline_through_points_of_a_circle_lifts_like_the_circle():
    """200 points: a spline is off by about (2 pi/200)^4 r/100 = 1e-8; seven seconds are more than two turns."""
    r = driven(flat(circle_points(200)))
    np.testing.assert_allclose(lift(r), 0.8 + 0.3 * np.sin(2 * r.t), rtol=0, atol=2e-8)
    np.testing.assert_allclose(lift(r, "acceleration"), -1.2 * np.sin(2 * r.t), rtol=0, atol=2e-3)
    parameter = r["contact.parameter"].values
    # a length along the outline here: 0.8 for a radian, and backwards
    assert parameter[-1] - parameter[0] == pytest.approx(-0.8 * 14.0, rel=1e-3)


def test_errors_of_the_spline_fall_with_the_fourth_power():
    errors = []
    for count in (20, 40, 80):
        r = driven(flat(circle_points(count)))
        errors.append(np.abs(lift(r) - 0.8 - 0.3 * np.sin(2 * r.t)).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(orders, 4, atol=0.4)


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_a_roller_on_an_eccentric(radius):
    """The roller's centre is r + radius from the circle's: y = e sin(phi) + sqrt((r + radius)^2 - e^2 cos^2(phi))."""
    start = np.sqrt((0.8 + radius) ** 2 - 0.3**2)
    r = driven(roller(ECCENTRIC, start, radius=radius))
    phi = 2 * r.t
    exact = 0.3 * np.sin(phi) + np.sqrt((0.8 + radius) ** 2 - (0.3 * np.cos(phi)) ** 2)
    np.testing.assert_allclose(lift(r), exact, rtol=0, atol=1e-9)


@pytest.mark.slow
def test_a_knife_edge_on_a_polar_cam():
    """At the angle phi the lift is the radius of the cam at s = pi/2 - phi."""
    outline = {"type": "polar", "radius": "0.5 + 0.1*cos(2*s) + 0.03*sin(s)"}
    r = driven(roller(outline, 0.43))
    s = np.pi / 2 - 2 * r.t
    np.testing.assert_allclose(lift(r), 0.5 + 0.1 * np.cos(2 * s) + 0.03 * np.sin(s), rtol=0, atol=1e-9)
    second = -0.4 * np.cos(2 * s) - 0.03 * np.sin(s)
    np.testing.assert_allclose(lift(r, "acceleration"), 4 * second, rtol=0, atol=1e-8)


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_face_on_an_ellipse():
    """Support function of an ellipse: y = sqrt(a^2 sin^2 phi + b^2 cos^2 phi)."""
    outline = {"type": "formula", "x": "1.1*cos(s)", "y": "0.8*sin(s)"}
    r = driven(flat(outline))
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


@pytest.mark.slow
def test_two_eccentric_discs_are_a_linkage():
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
    results = [two_cams(c).simulate(6.0, rtol=1e-10, atol=1e-12) for c in (cams, rod)]
    angles = [np.column_stack([r["A.angle"].values, r["B.angle"].values]) for r in results]
    assert np.ptp(angles[0][:, 1]) > 0.5
    # both are right to 1e-9 or so after 6 s
    np.testing.assert_allclose(angles[0], angles[1], rtol=0, atol=1e-7)
    # the rod pushes with what presses the discs together
    rod_force = np.linalg.norm(results[1]["contact.reaction.force"].values, axis=1)
    np.testing.assert_allclose(
        np.abs(results[0]["contact.force.normal"].values), rod_force, rtol=0, atol=1e-5
    )


@pytest.mark.slow
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
    first, second = (
        two_cams(c).simulate(1.5, rtol=1e-8, atol=1e-10)["B.angle"].values for c in (exact, spline)
    )
    np.testing.assert_allclose(second, first, rtol=0, atol=1e-5)
