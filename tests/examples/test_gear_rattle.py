"""A loose gear under the ripple of an engine: when it leaves its flanks, when it strikes the others, mean forces."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq

from .bundled import model, result

RATIO, OMEGA, DRAG, INERTIA = 37 / 27, 200.0, 0.1, 8e-4
LIMIT = DRAG / INERTIA * RATIO
BASE = 27 * 2.25e-3 / 2 * np.cos(np.radians(20))
PERIOD = 2 * np.pi / OMEGA


@cache
def fine(ripple):
    """Every 10 us."""
    return model("gear-rattle").with_parameters(ripple=ripple).run(output=20_000)


@pytest.mark.slow
def test_contact_stays_below_the_limit():
    r = fine(100)
    assert 0.6 * LIMIT > 100
    assert set(r["teeth.side"].to_numpy()[r.t > 0.1]) == {1}


@pytest.mark.parametrize("ripple", [400, 800])
def test_time_of_the_blow(ripple):
    """The gear leaves at rest against the flank, where A sin(Omega t) = -limit, and then flies freely:

    lead = base (-A/Omega^2 (sin - sin_0) + A/Omega cos_0 (t - t_0) + limit (t - t_0)^2/2) + half the backlash
    """
    r = fine(ripple)
    backlash = r["teeth.backlash"][0].item()
    leaves = (np.pi + np.arcsin(LIMIT / ripple)) / OMEGA

    def left(t):
        """Of the way to the other flanks."""
        free = (
            -ripple / OMEGA**2 * (np.sin(OMEGA * t) - np.sin(OMEGA * leaves))
            + ripple / OMEGA * np.cos(OMEGA * leaves) * (t - leaves)
            + LIMIT * (t - leaves) ** 2 / 2
        )
        return BASE * free + backlash

    strikes = brentq(left, leaves + 1e-4, leaves + PERIOD / 2)
    t, side = r.t, r["teeth.side"].to_numpy()
    for cycle in range(1, 5):
        within = (t > cycle * PERIOD + leaves) & (t < (cycle + 1) * PERIOD + leaves)
        blow = t[within][side[within] == -1][0]
        assert blow - cycle * PERIOD == pytest.approx(strikes, abs=1e-4)


def test_free_flight():
    """The drag alone acts on the gear, which turns backwards."""
    r = fine(800)
    free = r["teeth.gap"].to_numpy() > 1e-6
    assert free.mean() > 0.2  # twice 4 ms of 31 ms
    assert r["loose.acceleration"].to_numpy()[free] == pytest.approx(DRAG / INERTIA, rel=1e-9)


def test_mean_of_the_forces_balances_the_drag():
    """Over six ripples: what is left is the change of the gear's spin.

    Blows rise within some 10 us and are sampled every 10 us, which costs some thousandths.
    """
    r = fine(800)
    part = r.t > r.t[-1] - 6 * PERIOD
    t, force = r.t[part], r["teeth.force.tangential"].to_numpy()[part]
    impulse = np.trapezoid(force, t) * 37 * 2.25e-3 / 2
    spin = r["loose.w"].to_numpy()[part]
    assert (DRAG * (t[-1] - t[0]) - impulse) == pytest.approx(
        INERTIA * (spin[-1] - spin[0]), abs=5e-3 * impulse
    )


def test_both_flanks_are_struck_in_every_ripple():
    r = result("gear-rattle")
    side = r["teeth.side"].to_numpy()
    edges = np.arange(r.t[-1], 0, -PERIOD)[::-1]
    for a, b in pairwise(edges):
        assert {1, 0, -1} <= set(side[(r.t > a) & (r.t <= b)])
