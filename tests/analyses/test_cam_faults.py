"""Outlines that a follower cannot follow."""

import numpy as np
import pytest

import wheelwork as ww

from .cam_models import cam_and_follower, disc, flat, roller

# -- outlines that a follower cannot follow


@pytest.mark.slow
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


@pytest.mark.slow
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
    with pytest.warns(match="joint `contact` has no point of contact beyond this time"):
        r = m.kinematics(2.0)
    assert not r.provenance.report.outcome.good
    # relative curvature: that of the disc, 1/2, and that of the cam, (r^2 + 2 r'^2 - r r'')/(r^2 + r'^2)^1.5
    s = r["contact.parameter_a"].values[-1]
    radius, slope, bend = 1 + 0.3 * np.cos(2 * s), -0.6 * np.sin(2 * s), -1.2 * np.cos(2 * s)
    curvature = (radius**2 + 2 * slope**2 - radius * bend) / np.hypot(radius, slope) ** 3
    assert curvature + 0.5 == pytest.approx(0, abs=0.05)
    # past the middle of the hollow, where the disc begins to touch the other lobe as well
    assert r.t[-1] == pytest.approx(1.6014, abs=1e-3)
