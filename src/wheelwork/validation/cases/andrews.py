"""Andrews' squeezing mechanism, seven bodies of a few grams in 30 ms, with full hinges in space.

Test Set for IVP Solvers (CWI Amsterdam, University of Bari); Hairer, Wanner, Solving Ordinary Differential Equations
II, VII.7; W. Schiehlen (ed.), Multibody Systems Handbook, 1990. The reference was computed with PSIDE at tolerances of
1e-14. Problem A03 of the IFToMM library. The planar mechanism has ten hinges; in space nine of their fifty constraints
are redundant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import wheelwork as ww

from ..case import Way, motion_case
from ..finding import Comparison, compare

SOURCE = (
    "Test Set for IVP Solvers (CWI Amsterdam, University of Bari), Andrews' squeezing mechanism; Hairer, Wanner, "
    "Solving ODEs II, VII.7; reference by PSIDE at 1e-14"
)

# fmt: off
M = 0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498
J = 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5
A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])
D, DA, E_, EA, RR, RA = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
SS, SA, SB, SC, SD, TA, TB = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
U, UA, UB, ZF, ZT, FA = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
SPRING, FREE, TORQUE = 4530.0, 0.07785, 0.033

# beta, Theta, gamma, Phi, delta, Omega, epsilon
START = (-0.06171389001427645, 0.0, 0.45527981916307037, 0.22266839016588588, 0.48736497954384256,
         -0.22266839016588588, 1.2305474445498212)
END = (15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805303,
       0.5347301163226948, 1.048080741042263)
END_RATES = (1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808,
             -19.29337464421385, 0.3231791658026955)
START_ACCELERATIONS = (14222.443919954114, -10666.832939965585, 0.0, 0.0, 0.0, 0.0, 0.0)
END_ACCELERATIONS = (-24631.76316945196, 51850.37701610329, 324102.5686413781, 566749.3645176213, 16743.62929479361,
                     -566749.3645176222, 9826.520791458423)
MULTIPLIERS_0 = (98.56687039624109, -6.122688344255662, 0.0, 0.0, 0.0, 0.0)
MULTIPLIERS = (199.175333373191, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739,
               11.61740700019673)
# fmt: on

ANGLES = "our methods at tight tolerances agree to 4e-10 rad and find the reference wrong by 1.4e-9 rad"
RATES = "the same 1e-12 s at accelerations up to 6e5 rad/s^2"
FORCES = "multipliers of an index-3 solution: the reference meets its own equations at its end to 1.5e-5 N"


def along(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def across(angle: float) -> np.ndarray:
    """Along, turned back by 90 deg: (sin, -cos)."""
    return np.array([np.sin(angle), -np.cos(angle)])


def squeezer() -> ww.Mechanism:
    """The mechanism in space; the drive turns body 1."""
    beta, theta, gamma, phi, delta, omega, epsilon = START
    F = RR * along(beta)
    E = F - D * along(beta + theta)
    G, H = A + ZT * along(delta), A + U * across(epsilon)
    bodies = (  # centre of mass, angle
        (RA * along(beta), beta),
        (F - DA * along(beta + theta), beta + theta),
        (B + SA * across(gamma) + SB * along(gamma), gamma),
        (G + (E_ - EA) * across(phi + delta), phi + delta),
        (A + TA * along(delta) - TB * across(delta), delta),
        (H + (ZF - FA) * along(omega + epsilon), omega + epsilon),
        (A + UA * across(epsilon) - UB * along(epsilon), epsilon),
    )
    m = ww.Mechanism("Andrews' squeezing mechanism", gravity=(0, 0, 0))
    for k, (center, angle) in enumerate(bodies):
        turned = {"axis": (0, 0, 1), "angle": angle}
        body = ww.Body(mass=M[k], inertia=(J[k],) * 3, position=(*center, 0), orientation=turned)
        m.add(f"body{k + 1}", body)
    hinges = {
        "O": ("ground", "body1", np.zeros(2)),
        "F": ("body1", "body2", F),
        "B": ("ground", "body3", B),
        "E3": ("body2", "body3", E),
        "E4": ("body2", "body4", E),
        "E6": ("body2", "body6", E),
        "G": ("body4", "body5", G),
        "H": ("body6", "body7", H),
        "A5": ("ground", "body5", A),
        "A7": ("ground", "body7", A),
    }
    for name, (a, b, point) in hinges.items():
        m.add(name, ww.Revolute(bodies=(a, b), point=(*point, 0), axis=(0, 0, 1)))
    end = B + SD * along(gamma) + SC * across(gamma)
    spring = {"point_a": (*C, 0), "point_b": (*end, 0), "stiffness": SPRING, "free_length": FREE}
    m.add("spring", ww.Spring(bodies=("ground", "body3"), **spring))
    m.add("drive", ww.Actuator(joint="O", value=TORQUE))
    return m


def coordinates(r: Any, kind: str) -> np.ndarray:
    """The seven angles, or their rates, of the source from those of our hinges, at the end."""
    start = np.array(START) if kind == "angle" else np.zeros(7)
    found = np.array([r[f"{name}.{kind}"].to_numpy()[-1] for name in ("O", "F", "B", "G", "A5", "H", "A7")])
    found[[3, 5]] *= -1  # from body 4 to body 5, but Phi is of body 4 relative to body 5
    return start + found


@motion_case(
    "andrews-spatial",
    "Andrews' squeezing mechanism in space, nine constraints redundant",
    SOURCE,
    (
        Way("absolute", setting="default tolerances"),
        Way("absolute"),
        Way("reduced"),
    ),
)
def run(way: Way) -> Iterator[Comparison]:
    tight = way.setting != "default tolerances"
    options = {"rtol": 1e-11, "atol": 1e-13} if tight else {"rtol": 1e-8, "atol": 1e-10}
    r = way.simulate(squeezer(), 0.03, output=30, **options)
    origin = ANGLES if tight else f"{ANGLES}; step errors of 1e-8"
    found, allowed = coordinates(r, "angle"), 2e-9 if tight else 2e-8
    yield compare("seven angles at 30 ms", found, END, unit="rad", absolute=allowed, origin=origin)
    found, allowed = coordinates(r, "w"), 1e-6 if tight else 1e-5
    yield compare("their rates", found, END_RATES, unit="rad/s", absolute=allowed, origin=RATES)
    if not tight:
        return
    forces = np.hstack([r[f"{name}.reaction.force"].to_numpy()[:, :2] for name in ("E3", "E4", "E6")])
    origin = "printed digits"
    yield compare("multipliers at 0", forces[0], MULTIPLIERS_0, unit="N", absolute=1e-8, origin=origin)
    yield compare("multipliers at 30 ms", forces[-1], MULTIPLIERS, unit="N", absolute=3e-5, origin=FORCES)
