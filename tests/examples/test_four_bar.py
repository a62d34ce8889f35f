"""The four-bar of full hinges in space against the planar linkage of one degree of freedom."""

import casadi as ca
import numpy as np
import pytest

from .bundled import model, result
from .one_freedom import Moving, OneFreedom, about

G = 9.80665
CRANK, COUPLER, ROCKER, BASE, THICK, DENSITY = 0.2, 0.5, 0.4, 0.5, 0.03, 2700.0


def closure(angle):
    """Angles of coupler and rocker above level, from that of the crank: two circles meet (upper solution)."""
    x, z = CRANK * ca.cos(angle), CRANK * ca.sin(angle)
    to_base = ca.atan2(-z, BASE - x)
    diagonal = ca.sqrt((BASE - x) ** 2 + z**2)
    cosine = (COUPLER**2 + diagonal**2 - ROCKER**2) / (2 * COUPLER * diagonal)
    coupler = to_base + ca.acos(cosine)
    rocker = ca.atan2(z + COUPLER * ca.sin(coupler), x + COUPLER * ca.cos(coupler) - BASE)
    return coupler, rocker


def links(angle):
    coupler, rocker = closure(angle)
    ends = (
        (CRANK, angle, (0.0, 0.0)),
        (COUPLER, coupler, (CRANK * ca.cos(angle), CRANK * ca.sin(angle))),
        (ROCKER, rocker, (BASE, 0.0)),
    )
    for length, lean, (x, z) in ends:
        mass = DENSITY * length * THICK**2
        inertia = (mass * THICK**2 / 6, *[mass * (length**2 + THICK**2) / 12] * 2)
        middle = (x + length / 2 * ca.cos(lean), 0, z + length / 2 * ca.sin(lean))
        yield Moving(mass, inertia, middle, about("y", -lean))


linkage = OneFreedom(lambda q: list(links(q)), (0, 0, -G))


def test_redundant_constraints_are_named():
    found = model("four-bar").check()
    assert (found.freedoms_by_count, found.freedoms_by_rank) == (-2, 1)
    assert len(found.redundant) == 3
    assert not found.singular_position
    # across the plane: one offset and two tilts; which joint is blamed is a matter of order
    assert {row.rsplit(".", 1)[1] for row in found.redundant} == {"y", "tilt_x", "tilt_y"} or {
        row.rsplit(".", 1)[1] for row in found.redundant
    } == {"z", "tilt_x", "tilt_y"}


@pytest.mark.slow
def test_motion():
    # The crank turns back a few degrees short of upright, where it hardly moves. A small error in speed there
    # becomes a large one in time: from 1e-10 per step comes 4e-7 rad, and 100 times that from the default 1e-8.
    # Speeds go up to 20 rad/s.
    for rtol, tolerance in ((1e-8, 1.5e-4), (1e-10, 1.5e-6)):
        r = model("four-bar").run(rtol=rtol, atol=rtol / 100)
        angle, rate = linkage.solve(np.pi / 2, 0.0, r.t)
        assert np.pi / 2 - r["crank-bearing.angle"].to_numpy() == pytest.approx(angle, abs=tolerance)
        assert -r["crank-bearing.w"].to_numpy() == pytest.approx(rate, abs=20 * tolerance)


def test_it_stays_in_its_plane_and_keeps_its_energy():
    r = result("four-bar")
    for link in ("crank", "coupler", "rocker"):
        assert abs(r[f"{link}.position.y"]).max() < 1e-12  # rounding
    energy = r["energy.total"]
    assert abs(energy - energy[0]).max() < 1e-6


def test_reactions_are_marked_as_minimum_norm():
    r = result("four-bar")
    assert "minimum_norm" in r["crank-pin.reaction.torque"].attrs
    # In the plane they are determined: the weights and accelerations of all links are carried by the two bearings.
    total = r["crank-bearing.reaction.force"] + r["rocker-bearing.reaction.force"]
    masses = {name: DENSITY * length * THICK**2 for name, length in
              (("crank", CRANK), ("coupler", COUPLER), ("rocker", ROCKER))}  # fmt: skip
    needed = sum(m * (r[f"{n}.acceleration"] - np.array([0, 0, -G])) for n, m in masses.items())
    assert total.to_numpy() == pytest.approx(needed.to_numpy(), abs=1e-6)
