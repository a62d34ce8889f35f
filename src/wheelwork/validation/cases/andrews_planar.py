"""Andrews' squeezing mechanism in the plane, as the source has it: the bundled example `squeezer`.

The source writes M(q) q'' = f(q, q') - G^T lambda in seven angles with six constraints, which say that the point E of
body 2 (through O, F) is that of bodies 3, 4 and 6: g = E_2 - E_3, and so on. The constraint forces -G^T lambda do the
work -lambda . (dE_2 - dE_3): lambda acts on body 3 and -lambda on body 2. So lambda is the force of body 2 on the other
one, that is our reaction on body b of the hinges E3, E4, E6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import casadi as ca
import numpy as np

import wheelwork as ww
from wheelwork import examples

from ..case import Way, motion_case, ways_of_motion
from ..finding import Comparison, compare
from . import andrews as source
from .andrews import (
    END,
    END_ACCELERATIONS,
    END_RATES,
    MULTIPLIERS,
    MULTIPLIERS_0,
    START_ACCELERATIONS,
    A,
    B,
    C,
)

TO_SOURCE = np.array(  # angles of the source from those of the bodies
    [
        [1, 0, 0, 0, 0, 0, 0],
        [-1, 1, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 1, -1, 0, 0],
        [0, 0, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 1, -1],
        [0, 0, 0, 0, 0, 0, 1],
    ]
)


@cache
def source_equations() -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """q'', lambda from q, q' by Lagrange's equations with multipliers, in the angles of the source."""
    q, rate = ca.SX.sym("q", 7), ca.SX.sym("rate", 7)
    beta, theta, gamma, phi, delta, omega, epsilon = ca.vertsplit(q)

    def along(angle: Any) -> Any:
        return ca.vertcat(ca.cos(angle), ca.sin(angle))

    def across(angle: Any) -> Any:
        return ca.vertcat(ca.sin(angle), -ca.cos(angle))

    F = source.RR * along(beta)
    G, H = ca.DM(A) + source.ZT * along(delta), ca.DM(A) + source.U * across(epsilon)
    bodies = (
        (source.RA * along(beta), beta),
        (F - source.DA * along(beta + theta), beta + theta),
        (ca.DM(B) + source.SA * across(gamma) + source.SB * along(gamma), gamma),
        (G + (source.E_ - source.EA) * across(phi + delta), phi + delta),
        (ca.DM(A) + source.TA * along(delta) - source.TB * across(delta), delta),
        (H + (source.ZF - source.FA) * along(omega + epsilon), omega + epsilon),
        (ca.DM(A) + source.UA * across(epsilon) - source.UB * along(epsilon), epsilon),
    )
    kinetic = ca.SX(0)
    for m, inertia, (centre, angle) in zip(source.M, source.J, bodies, strict=True):
        v, w = ca.jacobian(centre, q) @ rate, ca.jacobian(angle, q) @ rate
        kinetic += m * ca.dot(v, v) / 2 + inertia * w**2 / 2
    length = ca.norm_2(ca.DM(B) + source.SD * along(gamma) + source.SC * across(gamma) - ca.DM(C))
    potential = source.SPRING * (length - source.FREE) ** 2 / 2 - source.TORQUE * beta
    E2 = F - source.D * along(beta + theta)
    E3 = ca.DM(B) + source.SS * across(gamma)
    E4 = G + source.E_ * across(phi + delta)
    E6 = H + source.ZF * along(omega + epsilon)
    g = ca.vertcat(E2 - E3, E2 - E4, E2 - E6)
    jacobian = ca.jacobian(g, q)
    momentum = ca.gradient(kinetic, rate)
    mass = ca.jacobian(momentum, rate)
    force = ca.gradient(kinetic - potential, q) - ca.jacobian(momentum, q) @ rate
    gamma_ = -ca.jacobian(jacobian @ rate, q) @ rate
    left = ca.blockcat([[mass, jacobian.T], [jacobian, ca.SX(6, 6)]])
    terms = ca.Function("source", [q, rate], [left, ca.vertcat(force, gamma_)])

    def solve(*at: Any) -> tuple[np.ndarray, np.ndarray]:
        solution = np.linalg.solve(*map(np.array, terms(*at))).ravel()
        return solution[:7], solution[7:]

    return solve


def angles(r: Any, kind: str) -> np.ndarray:
    """(7, times): `angle`, `w` or `angular_acceleration` of the source's coordinates"""
    return TO_SOURCE @ [r[f"K{k}.{kind}"].to_numpy() for k in range(1, 8)]


def multipliers(r: Any) -> np.ndarray:
    """(times, 6): forces of body 2 on bodies 3, 4 and 6"""
    return np.hstack([r[f"{name}.reaction.force"].to_numpy() for name in ("E3", "E4", "E6")])


@motion_case(
    "andrews-planar",
    "Andrews' squeezing mechanism in the plane",
    source.SOURCE,
    (Way("absolute", setting="default tolerances"), *ways_of_motion()),
)
def run(way: Way) -> Iterator[Comparison]:
    options = {} if way.setting == "default tolerances" else {"rtol": 1e-11, "atol": 1e-13}
    m = ww.load(examples.path("squeezer"))
    r = way.simulate(m, 0.03, **options)
    found, origin = (
        angles(r, "angle")[:, -1],
        f"{source.ANGLES}; step errors of 1e-8 at the default tolerances",
    )
    yield compare("seven angles at 30 ms", found, END, unit="rad", absolute=1e-7, origin=origin)
    found = angles(r, "w")[:, -1]
    yield compare("their rates", found, END_RATES, unit="rad/s", absolute=1e-4, origin=origin)
    found, origin = angles(r, "angular_acceleration"), "printed digits"
    yield compare(
        "accelerations at 0", found[:, 0], START_ACCELERATIONS, unit="rad/s^2", absolute=1e-8, origin=origin
    )
    origin = "multipliers and accelerations of an index-3 solution: the reference meets its own equations to 1.3e-6"
    at_end = found[:, -1]
    yield compare(
        "accelerations at 30 ms", at_end, END_ACCELERATIONS, unit="rad/s^2", relative=1e-5, origin=origin
    )
    forces = multipliers(r)
    yield compare(
        "multipliers at 0", forces[0], MULTIPLIERS_0, unit="N", absolute=1e-8, origin="printed digits"
    )
    yield compare("multipliers at 30 ms", forces[-1], MULTIPLIERS, unit="N", relative=1e-5, origin=origin)
    _, exact = source_equations()(END, END_RATES)
    origin = "the angles' 1e-8 rad, at forces that change by 1e2 N/rad"
    yield compare(
        "multipliers of the source's equations at its end",
        forces[-1],
        exact,
        unit="N",
        absolute=1e-6,
        origin=origin,
    )
