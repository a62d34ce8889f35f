"""The steering against its geometry in closed form, and the torque of the driver against Lagrange's equation."""

import casadi as ca
import numpy as np
import pytest

from .bundled import result
from .one_freedom import Moving, OneFreedom, about

G = 9.80665
RADIUS, RACK_X, RACK_END = 0.008, -0.17, 0.34
PIN_Y, ARM, TYRE = 0.65, (-0.14, 0.615), 100.0
LEAN, CASTER, SLOPE = np.radians([12, 5, 30])
ROD = np.hypot(ARM[0] - RACK_X, ARM[1] - RACK_END)
FULL, RATE = 2.5 * np.pi, np.pi / 2


def cross(a):
    """The matrix of a x."""
    return ca.vertcat(ca.horzcat(0, -a[2], a[1]), ca.horzcat(a[2], 0, -a[0]), ca.horzcat(-a[1], a[0], 0))


class Side:
    """Wheel and rod of one side (1 left, -1 right) as expressions of the way of the rack along y.

    The end of the arm runs on a circle about the kingpin, p + cos(d) e + sin(d) k x e, and is at the length of the rod
    from the end of the rack: A cos(d) + B sin(d) = C.
    """

    def __init__(self, side, way):
        pin, arm = np.array([0, side * PIN_Y, 0]), np.array([ARM[0], side * ARM[1], 0])
        k = np.array([-np.tan(CASTER), -side * np.tan(LEAN), 1])
        k = k / np.linalg.norm(k)
        middle = pin + k * (k @ (arm - pin))
        e = arm - middle
        f = np.cross(k, e)
        inner = ca.vertcat(RACK_X, side * RACK_END + way, 0)
        to = ca.DM(middle) - inner
        A, B = 2 * ca.dot(to, ca.DM(e)), 2 * ca.dot(to, ca.DM(f))
        C = ROD**2 - ca.dot(to, to) - e @ e
        # the root which is zero for the rack in the middle
        self.angle = ca.atan2(B, A) + side * ca.acos(C / ca.sqrt(A**2 + B**2))
        self.angle = ca.atan2(ca.sin(self.angle), ca.cos(self.angle))
        outer = ca.DM(middle) + ca.cos(self.angle) * ca.DM(e) + ca.sin(self.angle) * ca.DM(f)
        K = cross(k)
        turn = ca.DM.eye(3) + ca.sin(self.angle) * K + (1 - ca.cos(self.angle)) * K @ K
        along = (outer - inner) / ROD
        across = ca.cross(along, ca.DM([0, 0, 1]))
        across = across / ca.norm_2(across)
        thin, thick = 0.6 * 0.008**2 / 2, 0.6 * (3 * 0.008**2 + ROD**2) / 12
        disc, spin = 30 * (3 * 0.3**2 + 0.19**2) / 12, 30 * 0.3**2 / 2
        hub = ca.DM(pin) + turn @ ca.DM([0, side * (0.75 - PIN_Y), 0])
        self.bodies = [
            Moving(0.6, (thin, thick, thick), ca.vertsplit((inner + outer) / 2),
                   ca.horzcat(along, across, ca.cross(along, across))),
            Moving(30.0, (disc, spin, disc), ca.vertsplit(hub), turn),
        ]  # fmt: skip


COLUMN = 2 * 0.012**2 / 2 + 1.5 * (0.185**2 + 0.16**2) / 2
"""Moment of column and steering wheel about their axis."""


def bodies(angle):
    way = -RADIUS * angle
    sides = [body for side in (1, -1) for body in Side(side, way).bodies]
    return [
        Moving(3.5, (0, 0, COLUMN), (0, 0, 0), about("z", angle)),
        Moving(2.5, (1, 1, 1), (0, way, 0)),
        *sides,
    ]


def angles_and_slopes(angle):
    """Of both wheels, and their derivatives by the angle of the steering wheel."""
    q = ca.SX.sym("q")
    wheels = ca.vertcat(*(Side(side, -RADIUS * q).angle for side in (1, -1)))
    both = ca.Function("wheels", [q], [wheels, ca.jacobian(wheels, q)])
    found = [both(x) for x in angle]
    return np.array([np.array(w).ravel() for w, _ in found]), np.array(
        [np.array(s).ravel() for _, s in found]
    )


def motion(t):
    """Angle, speed and acceleration of the steering wheel."""
    return FULL * np.sin(RATE * t), FULL * RATE * np.cos(RATE * t), -FULL * RATE**2 * np.sin(RATE * t)


@pytest.mark.slow
def test_rack_goes_the_pitch_radius_times_the_angle():
    r = result("steering")
    angle, speed, _ = motion(r.t)
    assert r["slide.displacement"].to_numpy() == pytest.approx(-RADIUS * angle, abs=1e-14)
    assert r["slide.speed"].to_numpy() == pytest.approx(-RADIUS * speed, abs=1e-13)
    assert np.abs(r["slide.displacement"].to_numpy()).max() == pytest.approx(0.0628319, abs=1e-7)


def test_angles_of_the_wheels():
    r = result("steering")
    angle, speed, _ = motion(r.t)
    wheels, slopes = angles_and_slopes(angle)
    for k, side in enumerate(("left", "right")):
        # positions are solved to 1e-11
        assert r[f"{side}-pin.angle"].to_numpy() == pytest.approx(wheels[:, k], abs=1e-9)
        assert r[f"{side}-pin.w"].to_numpy() == pytest.approx(slopes[:, k] * speed, abs=1e-8)
    # as the page says
    lock = r.at(1.0)
    assert np.degrees(float(lock["left-pin.angle"])) == pytest.approx(34.156, abs=1e-3)
    assert np.degrees(float(lock["right-pin.angle"])) == pytest.approx(25.862, abs=1e-3)


@pytest.mark.slow
def test_torque_at_the_steering_wheel():
    """Lagrange's equation of the one freedom with inertia and weight, and the tyres by virtual work."""
    r = result("steering")
    linkage = OneFreedom(bodies, (0, 0, -G))
    angle, speed, acceleration = motion(r.t)
    moving = np.array(
        [float(linkage.effort(*state)) for state in zip(angle, speed, acceleration, strict=True)]
    )
    wheels, slopes = angles_and_slopes(angle)
    exact = moving + TYRE * (wheels * slopes).sum(axis=1)
    assert np.abs(moving).max() > 0.3
    assert exact.max() == pytest.approx(7.8616, abs=1e-3)
    assert r["hands.torque"].to_numpy() == pytest.approx(exact, abs=1e-7)


def test_force_on_the_rack():
    """What the driver gives and does not need for the column; the rods and the rack's inertia take it."""
    r = result("steering")
    _, _, acceleration = motion(r.t)
    force = r["pinion.force.tangential"].to_numpy()
    assert force * RADIUS == pytest.approx(r["hands.torque"].to_numpy() - COLUMN * acceleration, abs=1e-10)
    rods = sum(
        r.reaction(f"{side}-inner", body="a").force.sel(component="y").to_numpy()
        for side in ("left", "right")
    )
    assert -force + rods == pytest.approx(-2.5 * RADIUS * acceleration, abs=1e-8)
