"""Coriolis and centrifugal terms of a geared manipulator: two links in a vertical plane, motors with gears of 100.

B. Siciliano, L. Sciavicco, L. Villani, G. Oriolo, Robotics: Modelling, Planning and Control, Springer, 2009, sec. 7.3.2
(two-link planar arm). Motor 1 is on the base, motor 2 on link 1 at the second joint. Each rotor turns k_r times as fast
as its joint, the second one on top of link 1. With theta_1 from the horizontal and theta_2 relative:

    b11 = I_1 + m_1 l_1^2 + k_r1^2 I_m1 + I_2 + m_2 (a_1^2 + l_2^2 + 2 a_1 l_2 c_2) + I_m2 + m_m2 a_1^2
    b12 = I_2 + m_2 (l_2^2 + a_1 l_2 c_2) + k_r2 I_m2
    b22 = I_2 + m_2 l_2^2 + k_r2^2 I_m2
    h = -m_2 a_1 l_2 s_2
    tau_1 = b11 theta_1'' + b12 theta_2'' + 2 h theta_1' theta_2' + h theta_2'^2 + (m_1 l_1 + m_m2 a_1 + m_2 a_1) g c_1
            + m_2 l_2 g c_12
    tau_2 = b12 theta_1'' + b22 theta_2'' - h theta_1'^2 + m_2 l_2 g c_12

and tau = k_r times the torque of the motor. The book's data: a = 1 m, l = 0.5 m, m = 50 kg, I = 10 kg m^2, k_r = 100,
m_m = 5 kg, I_m = 0.01 kg m^2.

A gear of 100 that keeps the sense is an internal mesh here, so the rotor sits beside its joint: the second one at
p = a_1 less the distance of the axes, which takes the place of a_1 in the terms of m_m2.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import wheelwork as ww
from wheelwork.lazy import integrate

from ..case import Way, gear_case
from ..finding import Comparison, compare
from .shared import RINGING, ringing, teeth

ARM, CENTRE, MASS, INERTIA = 1.0, 0.5, 50.0, 10.0
RATIO, ROTOR_MASS, ROTOR_INERTIA = 100.0, 5.0, 0.01
G = 9.81
RADII, STIFFNESS = (0.005, 0.5), 1e9
PLACE = ARM - (RADII[1] - RADII[0])  # of the second rotor on link 1
MOTOR_1, MOTOR_2 = 14.0, 4.0  # [N m]
WAVE = 3.0  # [N m], of motor 2, at 6 rad/s


def arm(way: Way) -> ww.Mechanism:
    model = teeth(way.mesh, STIFFNESS, 1e5)
    m = ww.Mechanism("two-link arm", kind="planar", gravity=(0, -G))
    m.add("link1", ww.Body(mass=MASS, inertia=INERTIA, position=(CENTRE, 0)))
    m.add("link2", ww.Body(mass=MASS, inertia=INERTIA, position=(ARM + CENTRE, 0)))
    m.add("joint1", ww.Revolute(bodies=("ground", "link1"), point=(0, 0)))
    m.add("joint2", ww.Revolute(bodies=("link1", "link2"), point=(ARM, 0)))
    for k, base, x in ((1, "ground", 0.0), (2, "link1", ARM)):
        at = (x + PLACE - ARM, 0.0)
        m.add(f"rotor{k}", ww.Body(mass=ROTOR_MASS, inertia=ROTOR_INERTIA, position=at))
        m.add(f"motor{k}", ww.Revolute(bodies=(base, f"rotor{k}"), point=at))
        sides = {"joints": (f"motor{k}", f"joint{k}"), "teeth": (20, 2000), "module": RADII[0] / 10}
        m.add(f"gear{k}", ww.InternalMesh(bodies=(f"rotor{k}", f"link{k}"), model=model, **sides))
    m.add("torque1", ww.Actuator(joint="motor1", value=MOTOR_1))
    m.add("torque2", ww.Actuator(joint="motor2", value=f"{MOTOR_2} + {WAVE}*sin(6*t)"))
    return m


def mass_matrix(q: np.ndarray) -> np.ndarray:
    c2 = np.cos(q[1])
    b11 = INERTIA + MASS * CENTRE**2 + RATIO**2 * ROTOR_INERTIA + INERTIA
    b11 += MASS * (ARM**2 + CENTRE**2 + 2 * ARM * CENTRE * c2) + ROTOR_INERTIA + ROTOR_MASS * PLACE**2
    b12 = INERTIA + MASS * (CENTRE**2 + ARM * CENTRE * c2) + RATIO * ROTOR_INERTIA
    b22 = INERTIA + MASS * CENTRE**2 + RATIO**2 * ROTOR_INERTIA
    return np.array([[b11, b12], [b12, b22]])


def velocity_terms(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    h = -MASS * ARM * CENTRE * np.sin(q[1])
    return np.array([2 * h * v[0] * v[1] + h * v[1] ** 2, -h * v[0] ** 2])


def weight_terms(q: np.ndarray) -> np.ndarray:
    outer = MASS * CENTRE * G * np.cos(q[0] + q[1])
    return np.array([(MASS * CENTRE + ROTOR_MASS * PLACE + MASS * ARM) * G * np.cos(q[0]) + outer, outer])


def exact(t: np.ndarray) -> np.ndarray:
    """Both angles and their rates by the book's equations"""

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:2], y[2:]
        tau = RATIO * np.array([MOTOR_1, MOTOR_2 + WAVE * np.sin(6 * t)])
        return np.append(v, np.linalg.solve(mass_matrix(q), tau - velocity_terms(q, v) - weight_terms(q)))

    options = {"method": "DOP853", "t_eval": t, "rtol": 1e-12, "atol": 1e-13}
    return integrate.solve_ivp(rates, (0, t[-1]), np.zeros(4), **options).y


@gear_case(
    "geared-manipulator",
    "Coriolis terms of a two-link arm with geared motors",
    "Siciliano, Sciavicco, Villani, Oriolo, Robotics: Modelling, Planning and Control, sec. 7.3.2: closed form",
)
def run(way: Way) -> Iterator[Comparison]:
    m = arm(way)
    end = way.span(1.0)
    r = way.simulate(m, end, output=round(100 * end))
    y = exact(r.t)
    origin, allowed = "step errors of 1e-8 over some hundred steps", 1e-6
    if way.mesh != "rigid":
        origin = origin + "; teeth that deflect by F/k under 14 N m/5 mm, twice as they vibrate"
        allowed += 2 * MOTOR_1 / RADII[0] / STIFFNESS / RADII[1]
    rings = ringing(way, MOTOR_1 / RADII[0], STIFFNESS, ROTOR_INERTIA / RADII[0] ** 2) / RADII[1]
    for k in (1, 2):
        found = r[f"joint{k}.angle"].to_numpy()
        yield compare(f"angle of joint {k}", found, y[k - 1], unit="rad", absolute=allowed, origin=origin)
        found = r[f"joint{k}.w"].to_numpy()
        why = origin + (f"; {RINGING}" if way.mesh == "contact" else "; over 0.1 s, in which torques change")
        yield compare(
            f"speed of joint {k}", found, y[k + 1], unit="rad/s", absolute=10 * allowed + rings, origin=why
        )
    if way.mesh == "rigid" and way.formulation == "reduced":
        yield from _terms(m)


def _terms(m: ww.Mechanism) -> Iterator[Comparison]:
    """Mass matrix and velocity terms at a position, over the joints' angles"""
    reduced = m.reduced()
    q, v = np.array([0.4, -0.9]), np.array([1.3, -2.1])
    order = [reduced.names.index(f"joint{k}.angle") for k in (1, 2)]
    terms = reduced.terms(q[np.argsort(order)], v[np.argsort(order)], 0.0)
    mass, velocity = np.asarray(terms.mass)[np.ix_(order, order)], np.asarray(terms.coriolis)[order]
    origin = "rounding"
    yield compare("mass matrix", mass, mass_matrix(q), unit="kg m^2", relative=1e-12, origin=origin)
    expected = velocity_terms(q, v)
    yield compare(
        "Coriolis and centrifugal terms", velocity, expected, unit="N m", relative=1e-12, origin=origin
    )
