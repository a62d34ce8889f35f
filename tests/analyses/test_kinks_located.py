"""Where a force bends, a step ends: `dopri5` is as good at a kink as in between.

Every element that clips, switches or bends what it is given is held against itself at tolerances far tighter. A step
that goes over a kink is wrong by about ten times its tolerance, here 1e-7 and more; the limits are far below.
"""

from __future__ import annotations

import numpy as np
import pytest

import wheelwork as ww

ANGLE, SPEED = "rotor.bearing.angle", "rotor.w"


def swinging(*more, value=None):
    m = ww.Mechanism("swinging")
    m.add("rotor", ww.Rotor(inertia=0.5, speed=3))
    m.add("spring", ww.TorsionalSpring(joint="rotor.bearing", stiffness=20))
    for name, element in more:
        m.add(name, element)
    if value is not None:
        m.add("push", ww.Actuator(joint="rotor.bearing", value=value))
    return m


def clutch(torque):
    m = ww.Mechanism("clutch")
    m.add("rotor", ww.Rotor(inertia=2, speed=100))
    m.add("other", ww.Rotor(inertia=3))
    m.add("x", ww.State(rate="5*cos(5*t)", initial=0.0))
    m.add("clutch", ww.Clutch(bodies=("rotor", "other"), torque=torque))
    return m


def ball(damping, **friction):
    m = ww.Mechanism("ball", gravity=(0, 0, -9.81))
    at = {"position": (0, 0, 0.3), "velocity": (1, 0, 0)}
    m.add("rotor", ww.Body(mass=1, inertia=(0.01, 0.01, 0.01), **at))
    floor = ww.ContactPlane(body="ground", point_in_body=(0, 0, 0), normal_in_body=(0, 0, 1))
    law = ww.Compliant(stiffness=1e5, damping=damping, **friction)
    m.add("bump", ww.Contact(a=ww.ContactSphere(body="rotor", radius=0.1), b=floor, law=law))
    return m


def belt():
    return ww.loads(
        """
kind: planar
gravity: [0, 0]
bodies:
  other: {type: rotor, inertia: 0.01}
  rotor: {type: rotor, inertia: 0.05, position: [0.4, 0]}
meshes:
  belt:
    {type: belt, bodies: [other, rotor], radii: [50 mm, 100 mm], tension: 30 N,
     model: {type: strands, axial_stiffness: 2e4 N, friction: 2, damping: 50}}
forces:
  motor: {type: actuator, joint: other.bearing, value: 8*sin(60*t)}
"""
    )


LINE = ww.LookUp(input=SPEED, points=(-2, -1, 0.5, 2), values=(4, 0, 0.5, -5))
FACE = ww.LookUp2(
    input=SPEED,
    second=ANGLE,
    points=(-2, 0.5, 2),
    second_points=(-0.3, 0, 0.2),
    values=((4, 0, 1), (0.5, -5, 0), (1, 1, -3)),
)
PID = ww.Pid(
    input=f"0.1 - {ANGLE}",
    proportional=20,
    integral=3,
    derivative=1,
    filter_time=0.01,
    low=-1,
    high=1,
    tracking_time=0.1,
)
CASES = {
    "smooth": (lambda: swinging(value=f"-{SPEED}"), 2e-9),
    "look_up": (lambda: swinging(("block", LINE), value="block"), 1e-8),
    "look_up_2": (lambda: swinging(("block", FACE), value="block"), 1e-7),
    "saturation": (
        lambda: swinging(("block", ww.Saturation(input=f"-3*{SPEED}", low=-2, high=3)), value="block"),
        2e-9,
    ),
    "rate_limit": (
        lambda: swinging(("block", ww.RateLimit(input=f"-3*{SPEED}", rise=10, fall=12)), value="block"),
        3e-8,
    ),
    "pid": (lambda: swinging(("block", PID), value="block"), 3e-9),
    "motor": (
        lambda: swinging(
            (
                "motor",
                ww.Motor(body="rotor", curve=ww.MotorCurve(speed=(-3, 0.3, 1.5, 3), torque=(4, 3, 1, -3))),
            )
        ),
        2e-9,
    ),
    "max": (lambda: swinging(value=f"-max({SPEED}, 0.5)"), 3e-9),
    "abs": (lambda: swinging(value=f"-abs({ANGLE} - 0.1)*5"), 1e-8),
    "abs of a sine": (lambda: swinging(value=f"-5*abs(sin(9*{ANGLE}))"), 1e-8),
    "min of a block": (
        lambda: swinging(("block", ww.FormulaBlock(value=f"min({SPEED}, 0.3)")), value="-block"),
        3e-9,
    ),
    "clutch by time": (lambda: clutch("10*sin(5*t)"), 2e-8),
    "clutch by signals": (lambda: clutch("10*x"), 2e-8),
    "clutch by a table": (lambda: clutch(ww.Table(time=(0, 0.5, 1, 3), value=(5, -5, 5, -1))), 2e-8),
    "contact": (lambda: ball(150), 2e-8),
    "contact that rubs": (lambda: ball(150, friction=0.3, slip_speed=0.01), 2e-8),
    "belt": (belt, 1e-7),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_kinks_are_located(name):
    make, limit = CASES[name]
    m = make()
    signal = "rotor.velocity" if name.startswith("contact") else "rotor.w"
    options = {"end": 1.5, "output": 30, "formulation": "reduced"}
    found = m.simulate(rtol=1e-8, **options)
    exact = m.simulate(rtol=1e-12, atol=1e-14, **options)
    assert np.array(found[signal]) == pytest.approx(np.array(exact[signal]), abs=limit)
