"""10^4 turns (10^3 in the slower formulation): meshes are in phase as at the start, by how the wheels stand and by
their counted angles."""

from typing import Any

import numpy as np
import pytest

import wheelwork as ww

from .gear_pairs import PAIRS, in_housing

RATE = 500.0  # turns per second
TURNING = [name for name in PAIRS if not name.startswith("rack")]


def spun(name: str) -> tuple[Any, ww.Mechanism]:
    """A pair that turns 500 times a second at the start, with a little torque besides."""
    pair = PAIRS[name]()
    m = in_housing(pair, fixed=True, gravity=(0, 0, 0), a="0.02*cos(t)").mechanism
    for side, ratio in zip("ab", pair.speeds, strict=True):
        joint, body = m.joints[f"bearing-{side}"], m.bodies[side]
        w = np.array(joint.axis) * 2 * np.pi * RATE * ratio
        body.angular_velocity = tuple(w)
        body.velocity = tuple(np.cross(w, np.array(body.position) - np.array(joint.point)))
    return pair, m


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "formulation", "turns"),
    [(name, "reduced", 10_000) for name in TURNING]
    + [pytest.param("helical", "absolute", 10_000, marks=pytest.mark.slow)]
    + [(name, "absolute", 1_000) for name in ("internal", "bevel", "worm", "belt")],
)
def test_in_phase_after_thousands_of_turns(name, formulation, turns):
    """The residual comes from the orientations of the bodies; angles are counted beside them."""
    pair, m = spun(name)
    r = m.simulate(end=turns / RATE, output=40, formulation=formulation)
    assert r.outcome.good, r.report
    angle_a, angle_b = (r[f"bearing-{side}.angle"].to_numpy() for side in "ab")
    assert angle_a[-1] > 2 * np.pi * turns
    # an angle of 6e4 rad has a round-off of 1e-11 rad, which on a radius of 0.1 m is 1e-12 m
    coarse = 1e-15 * angle_a[-1] if formulation == "reduced" else 1e-12
    assert np.abs(r["mesh.residual"].to_numpy()).max() < coarse
    assert angle_b == pytest.approx(pair.speeds[1] * angle_a, abs=1e-10)


def test_a_tooth_is_not_jumped_at_coarse_tolerance():
    """Steps of a large part of a turn, with wheels of many teeth: the angles stay in the ratio of the teeth."""
    pair, m = spun("helical")
    r = m.simulate(end=1.0, output=20, formulation="absolute", rtol=1e-3, atol=1e-3)
    assert r.outcome.good, r.report
    assert r["bearing-a.angle"].to_numpy()[-1] > 2 * np.pi * 400
    found = r["bearing-b.angle"].to_numpy() - pair.speeds[1] * r["bearing-a.angle"].to_numpy()
    assert np.abs(found).max() < 1e-6
