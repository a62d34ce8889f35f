"""Andrews' squeezing mechanism, seven bodies of a few grams in 30 ms, with full hinges in space.

Source: Test Set for IVP Solvers (CWI Amsterdam, University of Bari), and Hairer, Wanner, Solving Ordinary Differential
Equations II, VII.7; W. Schiehlen (ed.), Multibody Systems Handbook, 1990. The reference was computed with PSIDE at
tolerances of 1e-14. Problem A03 of the IFToMM library. The planar mechanism has ten hinges; in space nine of their
fifty constraints are redundant.
"""

import numpy as np
import pytest

import wheelwork as ww

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
MULTIPLIERS_0 = (98.56687039624109, -6.122688344255662, 0.0, 0.0, 0.0, 0.0)
MULTIPLIERS = (199.175333373191, -29.75531228015052, 23.06654119098399, 31.45271365475927, 22.64249232082739,
               11.61740700019673)
# fmt: on


def along(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def across(angle):
    """Along, turned back by 90 deg: (sin, -cos)."""
    return np.array([np.sin(angle), -np.cos(angle)])


def squeezer():
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
        "O": ("ground", "body1", (0, 0)),
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


def coordinates(r, kind):
    """The seven angles, or their rates, of the source from those of our hinges."""
    start = np.array(START) if kind == "angle" else np.zeros(7)
    turned = {name: r[f"{name}.{kind}"].to_numpy()[-1] for name in ("O", "F", "B", "G", "H", "A5", "A7")}
    by_hinge = [turned[n] for n in ("O", "F", "B", "G", "A5", "H", "A7")]
    by_hinge[3] *= -1  # from body 4 to body 5, but Phi is of body 4 relative to body 5
    by_hinge[5] *= -1
    return start + by_hinge


def test_freedoms():
    found = squeezer().check()
    assert (found.freedoms_by_count, found.freedoms_by_rank, len(found.redundant)) == (-8, 1, 9)


@pytest.mark.parametrize(("rtol", "angles", "rates"), [(1e-8, 2e-8, 1e-5), (1e-11, 2e-9, 1e-6)])
def test_motion(rtol, angles, rates):
    r = squeezer().simulate(end=0.03, output=30, rtol=rtol, atol=rtol / 100)
    assert r.outcome.good, r.report
    # Our three methods at tight tolerances agree to 4e-10 rad and differ from the reference by 1.1e-9 rad, that is
    # by 1e-12 s of a motion with 1000 rad/s: so good is the reference.
    assert coordinates(r, "angle") == pytest.approx(END, abs=angles)
    assert coordinates(r, "w") == pytest.approx(END_RATES, abs=rates)


def test_reactions():
    """The multipliers are the forces of body 2 on bodies 3, 4 and 6 where the four meet."""
    r = squeezer().simulate(end=0.03, output=30, rtol=1e-11, atol=1e-13)
    # Ours settle at 1.5e-5 N from the reference whatever the tolerance: multipliers of an index-3 solution are less
    # accurate than its positions.
    for name, first in (("E3", 0), ("E4", 2), ("E6", 4)):
        force = r[f"{name}.reaction.force"].to_numpy()[:, :2]
        assert force[0] == pytest.approx(MULTIPLIERS_0[first : first + 2], abs=1e-8)
        assert force[-1] == pytest.approx(MULTIPLIERS[first : first + 2], abs=3e-5)
