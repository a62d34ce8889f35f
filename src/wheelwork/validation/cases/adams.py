"""Single joints against MSC ADAMS.

Unit-test data of Project Chrono (BSD-3-Clause), data/testing/joints, computed with MSC ADAMS: a body on one joint to
ground, released from rest, g = 9.80665 m/s^2 along -z, 5 s. Printed with six digits.

Their reactions are those on the ground, in world axes, the torque about the joint's point on the ground. That is
`result.reaction(joint, body="a")` where the ground is body a; `joint.reaction.force` of ours acts on body b, with the
opposite sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import wheelwork as ww

from ..case import Way, motion_case
from ..finding import Comparison, compare
from .shared import columns, same_times

SOURCE = "Project Chrono, unit-test data (BSD-3-Clause), data/testing/joints, computed with MSC ADAMS: "
PRINTED = "print precision"
FORCES = "ADAMS finds accelerations less well than positions: against the exact force its own err so much"

# time; position of the centre of mass; Euler parameters; force on the ground; torque on the ground
REVOLUTE_02 = """
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


def tilted(joint: Any) -> ww.Mechanism:
    """m = 1 kg, centre of mass 2 m from a joint at (1, 2, 3) whose axis is y tilted by 45 deg about x."""
    m = ww.Mechanism("revolute and cylindrical cases")
    turned = {"axis": (1, 0, 0), "angle": -np.pi / 4}
    m.add("pendulum", ww.Body(mass=1, inertia=(0.04, 0.1, 0.1), position=(3, 2, 3), orientation=turned))
    m.add("hinge", joint(bodies=("ground", "pendulum"), point=(1, 2, 3), axis=(0, 1, 1)))
    return m


def like(found: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """A rotation has two sets of Euler parameters: the one nearer to the reference."""
    return found * np.sign(np.sum(found * reference, axis=1))[:, None]


def exact_force(position: np.ndarray) -> np.ndarray:
    """m (a - g) on the body, with the acceleration of a circular motion under the part of gravity in its plane."""
    axis, gravity = np.array([0, 1, 1]) / np.sqrt(2), np.array([0, 0, -9.80665])
    arm = position - [1, 2, 3]
    in_plane = gravity - axis * (axis @ gravity)
    tangent = np.cross(axis, arm) / 2
    angular = 2 * tangent @ in_plane / (4 + 0.1)  # torque over moment of inertia about the hinge
    square = 2 * ((arm - [2, 0, 0]) @ gravity) / (4 + 0.1)  # speed squared, from energy
    return 2 * tangent * angular[:, None] - arm * square[:, None] - gravity


@motion_case("adams-revolute", "Pendulum on a tilted hinge", SOURCE + "revolute joint, case 02")
def revolute(way: Way) -> Iterator[Comparison]:
    r = way.simulate(tilted(ww.Revolute), 5, output=10)
    time, *rest = np.split(columns(REVOLUTE_02).T, [1, 4, 8, 11], axis=1)
    position, orientation, force, torque = rest
    same_times(r.t, time[:, 0])
    found = r["pendulum.position"].to_numpy()
    yield compare("position", found, position, unit="m", absolute=5e-6, origin=PRINTED)
    turned = like(r["pendulum.orientation"].to_numpy(), orientation)
    yield compare("Euler parameters", turned, orientation, absolute=1e-6, origin=PRINTED)
    ground, on_body = r.reaction("hinge", body="a"), r["hinge.reaction.force"].to_numpy()
    found = ground.force.to_numpy()
    yield compare("force on the ground", found, force, unit="N", absolute=5e-4, origin=FORCES)
    found = ground.torque.to_numpy()
    yield compare("torque on the ground", found, torque, unit="N m", absolute=7e-4, origin=FORCES)
    exact = exact_force(r["pendulum.position"].to_numpy())
    origin = "closed form; step errors of 1e-8 rad over 100 steps at 10 N"
    yield compare("force on the body, exact", on_body, exact, unit="N", absolute=1e-5, origin=origin)


@motion_case(
    "adams-cylindrical", "Pendulum that slides along a tilted axis", SOURCE + "cylindrical joint, case 03"
)
def cylindrical(way: Way) -> Iterator[Comparison]:
    """The same pendulum slides along its axis too, and the force's arm about the ground's point grows."""
    r = way.simulate(tilted(ww.Cylindrical), 5, output=10)
    at_end = r["pendulum.position"].to_numpy()[-1]
    expected = [1.20996, -57.8852, -59.6980]
    yield compare("position at 5 s", at_end, expected, unit="m", absolute=5e-5, origin=PRINTED)
    ground = r.reaction("hinge", body="a")
    found, expected = ground.force.to_numpy()[-1], [2.11887, 14.3128, -14.3128]
    yield compare("force on the ground", found, expected, unit="N", absolute=5e-4, origin=FORCES)
    found, expected = ground.torque.to_numpy()[-1], [1754.50, -129.869, 129.869]
    origin = "the force's 5e-4 N at an arm of 87 m"
    yield compare("torque on the ground", found, expected, unit="N m", absolute=5e-2, origin=origin)


@motion_case(
    "adams-revolute-spherical",
    "Body on a massless link with a hinge and a ball",
    SOURCE + "revolute-spherical joint, case 02",
)
def revolute_spherical(way: Way) -> Iterator[Comparison]:
    """A massless link hinged at (1, 2, 3) about (0, 1, 1); by a ball joint at (3, 2, 3) it carries a body whose centre
    is at (3, 4, 3).
    """
    m = ww.Mechanism("revolute-spherical case")
    m.add("pendulum", ww.Body(mass=1, inertia=(0.1, 0.04, 0.1), position=(3, 4, 3)))
    ends = {"point_a": (1, 2, 3), "axis": (0, 1, 1), "point_b": (3, 2, 3)}
    m.add("link", ww.RevoluteSpherical(bodies=("ground", "pendulum"), **ends))
    r = way.simulate(m, 5, output=500, rtol=1e-10, atol=1e-12)
    position, orientation = r["pendulum.position"].to_numpy(), r["pendulum.orientation"].to_numpy()
    expected = [[0.111055, 5.20567, 1.67960], [0.0628772, 5.28335, 1.65208]]
    origin = (
        "print precision 5e-6, and as much of ADAMS's integration: ours at 1e-8 and 1e-11 differ by 5e-7 m"
    )
    found = position[[498, 500]]
    yield compare("position at 4.98 and 5 s", found, expected, unit="m", absolute=1e-5, origin=origin)
    expected = [-0.872172, 0.0676613, -0.457826, -0.158535]
    turned = like(orientation[[500]], np.array([expected]))[0]
    yield compare("Euler parameters at 5 s", turned, expected, absolute=5e-6, origin=origin)
    ground = r.reaction("link", body="a")
    found, expected = ground.force.to_numpy()[500], [-5.62225, 58.2866, -2.32401]
    origin = "a jerk: the force grows by 40 N in the last 10 ms, so 0.01 N are 2.5 us"
    yield compare("force on the ground", found, expected, unit="N", absolute=0.012, origin=origin)
    found, expected = ground.torque.to_numpy()[500], [78.4707, 7.27895, -7.27895]
    yield compare("torque on the ground", found, expected, unit="N m", absolute=0.015, origin=origin)
