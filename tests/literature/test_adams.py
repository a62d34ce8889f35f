"""Single joints against MSC ADAMS.

Source: unit-test data of Project Chrono (BSD-3-Clause), data/testing/joints, computed with MSC ADAMS: a body on one
joint to ground, released from rest, g = 9.80665 along -z, 5 s. Printed with six digits.

Their reactions are those *on the ground*, in world axes, the torque about the joint's point on the ground. That is
`result.reaction(joint, body="a")` where the ground is body a; `joint.reaction.force` of ours acts on body b, with the
opposite sign.
"""

import numpy as np
import pytest

import wheelwork as ww

# time; position of the centre of mass; Euler parameters; force on the ground; torque on the ground
REVOLUTE_CASE_02 = """
0 3 2 3 0.92388 -0.382683 0 0 0 -4.78373 -5.02292 0 9.80665 -9.80665
0.5 2.82591 2.57708 2.42292 0.903551 -0.374263 0.0798356 0.19274 7.56095 -2.39407 -7.41259 -5.65927 8.95304 -8.95304
1 1.0421 3.4139 1.5861 0.660122 -0.273432 0.267735 0.646368 0.427164 9.56081 -19.3673 -13.8654 0.206446 -0.206446
1.5 -0.802951 2.61211 2.38789 0.205056 -0.0849371 0.373138 0.900836 -7.91932 -2.09508 -7.71159 -6.00281 -8.84047 8.84047
2 -1 2.00063 2.99937 0.000204769 -8.48181e-05 0.382683 0.92388 -0.00899056 -4.78385 -5.02305 -0.00614789 -9.8069 9.8069
2.5 -0.846888 2.54268 2.45732 0.180755 -0.0748712 0.375288 0.906025 -7.19193 -2.67074 -7.13638 -5.32214 -9.05632 9.05632
3 0.8738 3.4114 1.5886 0.632335 -0.261922 0.279005 0.673577 -1.2781 9.51078 -19.3171 -13.8406 -0.618777 0.618777
3.5 2.77792 2.64769 2.35231 0.897866 -0.371908 0.0901713 0.217693 8.26314 -1.77314 -8.03281 -6.35125 8.71707 -8.71707
4 3 2.00251 2.99749 0.923879 -0.382683 0.000339272 0.000819076 0.036029 -4.78366 -5.02297 -0.0245909 9.80661 -9.80661
4.5 2.86598 2.50898 2.49102 0.90827 -0.376218 0.0700476 0.16911 6.81489 -2.92482 -6.88176 -4.99133 9.14944 -9.14944
5 1.20996 3.4064 1.5936 0.686717 -0.284447 0.256001 0.61804 2.11895 9.40977 -19.2164 -13.792 1.0295 -1.0295
"""


def reference():
    table = np.array([line.split() for line in REVOLUTE_CASE_02.split("\n") if line], float)
    return np.split(table, [1, 4, 8, 11], axis=1)


def tilted(joint):
    """m = 1 kg, centre of mass 2 m from a joint at (1, 2, 3) whose axis is y tilted by 45 deg about x."""
    m = ww.Mechanism("revolute and cylindrical cases")
    turned = {"axis": (1, 0, 0), "angle": -np.pi / 4}
    m.add("pendulum", ww.Body(mass=1, inertia=(0.04, 0.1, 0.1), position=(3, 2, 3), orientation=turned))
    m.add("hinge", joint(bodies=("ground", "pendulum"), point=(1, 2, 3), axis=(0, 1, 1)))
    return m


@pytest.fixture(scope="module")
def revolute():
    return tilted(ww.Revolute).simulate(end=5, output=10)


def test_revolute_motion(revolute):
    time, position, orientation, _, _ = reference()
    assert revolute.t == pytest.approx(time[:, 0])
    assert revolute["pendulum.position"].to_numpy() == pytest.approx(position, abs=5e-6)  # print precision
    found = revolute["pendulum.orientation"].to_numpy()
    found *= np.sign(np.sum(found * orientation, axis=1))[
        :, None
    ]  # a rotation has two sets of Euler parameters
    assert found == pytest.approx(orientation, abs=1e-6)  # print precision


def test_revolute_reactions(revolute):
    _, _, _, force, torque = reference()
    ground = revolute.reaction("hinge", body="a")
    # ADAMS finds accelerations less well than positions: its forces miss the exact ones, which the test below asserts,
    # by up to 5e-4 N and 7e-4 N m.
    assert ground.force.to_numpy() == pytest.approx(force, abs=5e-4)
    assert ground.torque.to_numpy() == pytest.approx(torque, abs=7e-4)
    on_body = revolute["hinge.reaction.force"].to_numpy()
    assert on_body == pytest.approx(-ground.force.to_numpy(), abs=1e-12)


def test_revolute_reactions_exact(revolute):
    """m (a - g), with the acceleration of a circular motion under the part of gravity in its plane."""
    axis, gravity = np.array([0, 1, 1]) / np.sqrt(2), np.array([0, 0, -9.80665])
    arm = revolute["pendulum.position"].to_numpy() - [1, 2, 3]
    in_plane = gravity - axis * (axis @ gravity)
    tangent = np.cross(axis, arm) / 2
    angular = 2 * tangent @ in_plane / (4 + 0.1)  # torque over moment of inertia about the hinge
    fallen = (arm - [2, 0, 0]) @ gravity
    square = 2 * fallen / (4 + 0.1)  # speed squared, from energy
    exact = 2 * tangent * angular[:, None] - arm * square[:, None] - gravity
    assert revolute["hinge.reaction.force"].to_numpy() == pytest.approx(exact, abs=1e-5)


def test_cylindrical():
    """Case 03: the same pendulum slides along its axis too, and the force's arm about the ground's point grows."""
    r = tilted(ww.Cylindrical).simulate(end=5, output=10)
    assert r["pendulum.position"].to_numpy()[-1] == pytest.approx([1.20996, -57.8852, -59.6980], abs=5e-5)
    ground = r.reaction("hinge", body="a")
    # print precision, and the error of ADAMS as above: 5e-4 N, at an arm of 87 m
    assert ground.force.to_numpy()[-1] == pytest.approx([2.11887, 14.3128, -14.3128], abs=5e-4)
    assert ground.torque.to_numpy()[-1] == pytest.approx([1754.50, -129.869, 129.869], abs=5e-2)


def test_revolute_spherical():
    """Case 02: a massless link hinged at (1, 2, 3) about (0, 1, 1); by a ball joint at (3, 2, 3) it carries a body
    whose centre is at (3, 4, 3)."""
    m = ww.Mechanism("revolute-spherical case")
    m.add("pendulum", ww.Body(mass=1, inertia=(0.1, 0.04, 0.1), position=(3, 4, 3)))
    link = ww.RevoluteSpherical(
        bodies=("ground", "pendulum"), point_a=(1, 2, 3), axis=(0, 1, 1), point_b=(3, 2, 3)
    )
    m.add("link", link)
    r = m.simulate(end=5, output=500, rtol=1e-10, atol=1e-12)
    # Runs at 1e-8 and 1e-11 differ by 5e-7 m: what is beyond print precision (5e-6) comes from ADAMS's integration.
    position, orientation = r["pendulum.position"].to_numpy(), r["pendulum.orientation"].to_numpy()
    assert position[498] == pytest.approx([0.111055, 5.20567, 1.67960], abs=1e-5)
    assert position[500] == pytest.approx([0.0628772, 5.28335, 1.65208], abs=1e-5)
    assert orientation[500] == pytest.approx([-0.872172, 0.0676613, -0.457826, -0.158535], abs=5e-6)
    # A jerk: the force grows by 40 N in the last 10 ms, so 0.01 N are 2.5 us.
    ground = r.reaction("link", body="a")
    assert ground.force.to_numpy()[500] == pytest.approx([-5.62225, 58.2866, -2.32401], abs=0.012)
    assert ground.torque.to_numpy()[500] == pytest.approx([78.4707, 7.27895, -7.27895], abs=0.015)
