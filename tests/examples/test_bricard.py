"""Bricard's linkage against its closed form.

Chen, You, Tarnai (Threefold-symmetric Bricard linkages for deployable structures, Int. J. Solids Struct. 42 (2005)
2287-2301) give the closure of the symmetric loop with twists of 90 deg as cos A + cos B + cos A cos B = 0, A and B
being the angles of every other hinge. The bars begin along edges of a cube, with all hinges at right angles. With a and
b the angles turned from there, A = 90 deg + a and B = 90 deg + b up to signs, and the equation becomes
(1 + sin a) (1 + sin b) = 1. The first test checks that the loop so made is closed, so nothing hangs on the signs.
"""

import casadi as ca
import numpy as np
import pytest

from .bundled import model, result
from .one_freedom import Moving, OneFreedom, about

BARS = (("x", (1, 0, 0)), ("y", (0, -1, 0)), ("z", (0, 0, 1)), ("x", (-1, 0, 0)), ("y", (0, 1, 0)))
HINGES = "yzxyzx"
THIN, WIDE = 0.1**2 / 6, (1 + 0.1**2) / 12
INERTIA = {axis: [THIN if other == axis else WIDE for other in "xyz"] for axis in "xyz"}


def other_angle(a):
    return ca.asin(-ca.sin(a) / (1 + ca.sin(a)))


def chain(a):
    """Bars in the world, and the end of the last one, when the hinges turn by a, b, a, b, a."""
    b = other_angle(a)
    R, p, bodies = ca.SX.eye(3), ca.SX(3, 1), []
    for k, (axis, along) in enumerate(BARS):
        R = R @ about(HINGES[k], (a, b)[k % 2])
        step = R @ ca.DM(along)
        bodies.append(Moving(1.0, INERTIA[axis], ca.vertsplit(p + step / 2), R))
        p = p + step
    return bodies, p, R @ about(HINGES[5], b)


def test_the_closed_form_closes():
    a = ca.SX.sym("a")
    _, end, turn = chain(a)
    closing = ca.Function("closing", [a], [end, turn])
    for angle in np.linspace(0, np.pi, 13):
        end, turn = closing(angle)
        assert np.array(end).ravel() == pytest.approx([0, 0, 1], abs=1e-14)
        assert np.array(turn) == pytest.approx(np.eye(3), abs=1e-14)


def test_one_freedom_where_the_count_says_none():
    found = model("bricard").check()
    assert (found.freedoms_by_count, found.freedoms_by_rank) == (0, 1)
    assert len(found.redundant) == 1
    assert not found.singular_position


@pytest.mark.slow
def test_motion():
    # The run starts and turns back in positions near which it hardly moves, so errors a step grow some 100 times.
    linkage = OneFreedom(lambda q: chain(q)[0], (0, -9.81, 0))
    for rtol, tolerance in ((1e-8, 2e-5), (1e-10, 2e-7)):
        r = model("bricard").run(rtol=rtol, atol=rtol / 100)
        angle, _ = linkage.solve(0.0, 0.0, r.t)
        assert r["hinge1.angle"].to_numpy() == pytest.approx(angle, abs=tolerance)
        symmetric = (1 + np.sin(r["hinge1.angle"])) * (1 + np.sin(r["hinge2.angle"]))
        assert symmetric.to_numpy() == pytest.approx(1, abs=1e-9)  # tolerance of the projection
    assert np.degrees(angle.max()) == pytest.approx(180, abs=0.1)


def test_energy_is_kept():
    energy = result("bricard")["energy.total"]
    # kinetic energy reaches 33 J; 1e-8 of that a step, in 460 steps
    assert abs(energy - energy[0]).max() < 1e-4
